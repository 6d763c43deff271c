#include "single_dummy_game.h"

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>

namespace borel {

namespace {

std::uint64_t mixed(std::uint64_t h, int x) {
  h = (h ^ static_cast<std::uint64_t>(x + 1)) * 0xD6E8FEB86659FD93ULL;
  return h ^ h >> 32;
}

}  // namespace

SingleDummyGame::SingleDummyGame(const SingleDummyStart& start, const std::vector<HandMask>& layouts,
                                 std::size_t memory_mb)
    : start_(start), seen_(start.seen), leader_(start.leader), needed_(start.needed), solver_(memory_mb) {
  solver_.keep_table(true);
  find_classes();
  add_layouts(layouts);
  played_.assign(classes_.size(), {0, 0});
  // Cards on the table stay concrete: their strength is their rank.
  for (on_table_ = 0; on_table_ < 3 && start.trick[on_table_] >= 0; ++on_table_) {
    const int card = start.trick[on_table_];
    trick_[on_table_] = {card, suit_of(card), 4 * rank_of(card)};
  }
  if (start.free_suit >= 0) {
    std::array<int, 2> length{};
    for (int i = 0; i < 2; ++i) length[i] = count(seen_[i] & suit_mask(start.free_suit));
    for (int i = 0; i < on_table_; ++i)
      if (const int seat = (leader_ + i) & 3; ((seat ^ start.declarer) & 1) == 0)
        length[seat == start.declarer ? 0 : 1] += suit_of(trick_[i].move) == start.free_suit;
    left_ = std::max(length[0], length[1]);
    if (on_table_ == 0) leader_ = start.declarer;
    return;
  }
  const int seat = to_play();
  left_ = defender_to_play() ? count(layouts.at(0)) : count(seen_[seat == start.declarer ? 0 : 1]);
  if (defender_to_play() && hidden_index(seat) == 1) left_ = count(start.unseen & ~layouts.at(0));
}

// Unseen cards with no card of declarer, dummy or the table between them are equal.
void SingleDummyGame::find_classes() {
  HandMask walls = start_.seen[0] | start_.seen[1];
  for (const int card : start_.trick)
    if (card >= 0) walls |= bit_of(card);
  for (int suit = 0; suit < SUITS; ++suit) {
    bool open = false;
    for (int rank = RANKS - 1; rank >= 0; --rank) {
      const HandMask card = bit_of(card_of(suit, rank));
      if (walls & card) open = false;
      if (!(start_.unseen & card)) continue;
      if (!open) classes_.push_back({suit, {}});
      classes_.back().cards.push_back(card_of(suit, rank));
      open = true;
    }
  }
}

void SingleDummyGame::add_layouts(const std::vector<HandMask>& layouts) {
  if (layouts.empty()) throw std::invalid_argument("no layouts of the hidden hands were given");
  std::map<std::vector<std::uint8_t>, int> known;
  for (const HandMask hand : layouts) {
    if (hand & ~start_.unseen) throw std::invalid_argument("a layout holds a card that is not among the unseen ones");
    if (count(hand) != count(layouts[0])) throw std::invalid_argument("layouts of different sizes");
    std::vector<std::uint8_t> counts;
    for (const CardClass& cls : classes_)
      counts.push_back(static_cast<std::uint8_t>(
          std::count_if(cls.cards.begin(), cls.cards.end(), [&](int card) { return hand & bit_of(card); })));
    const auto [place, added] = known.try_emplace(counts, static_cast<int>(counts_.size()));
    if (added) counts_.push_back(counts);
    groups_.push_back(place->second);
  }
}

HandMask SingleDummyGame::first_hidden_hand(int layout) const {
  HandMask hand = 0;
  for (std::size_t cls = 0; cls < classes_.size(); ++cls)
    for (int i = 0; i < counts_[layout][cls]; ++i) hand |= bit_of(classes_[cls].cards[i]);
  return hand;
}

int SingleDummyGame::length(int layout, int suit) const {
  int total = 0;
  for (std::size_t cls = 0; cls < classes_.size(); ++cls)
    if (classes_[cls].suit == suit) total += counts_[layout][cls];
  return total;
}

bool SingleDummyGame::has_best(int layout, int suit) const {
  for (std::size_t cls = 0; cls < classes_.size(); ++cls)
    if (classes_[cls].suit == suit) return counts_[layout][cls] > 0;
  return false;
}

int SingleDummyGame::held(int hidden, int layout, int cls) const {
  const int first = counts_[layout][cls];
  const int dealt = hidden == 0 ? first : static_cast<int>(classes_[cls].cards.size()) - first;
  return dealt - played_[cls][hidden];
}

// The first hidden seat has the top cards of the class; each plays its lowest first.
HandMask SingleDummyGame::cards_of(int hidden, int layout, int cls) const {
  const auto& cards = classes_[cls].cards;
  const int from = hidden == 0 ? 0 : counts_[layout][cls];
  HandMask mask = 0;
  for (int i = 0, n = held(hidden, layout, cls); i < n; ++i) mask |= bit_of(cards[from + i]);
  return mask;
}

void SingleDummyGame::moves_of_hand(HandMask hand, HandMask legal, std::vector<int>& out) const {
  // Cards of others that could come between two of ours: the other seen hand, unseen cards not yet played, the table.
  HandMask others = (seen_[0] | seen_[1]) & ~hand;
  for (std::size_t cls = 0; cls < classes_.size(); ++cls) {
    const auto& cards = classes_[cls].cards;
    if (played_[cls][0] + played_[cls][1] < static_cast<int>(cards.size()))
      for (const int card : cards) others |= bit_of(card);
  }
  for (int i = 0; i < on_table_; ++i) others |= bit_of(trick_[i].move < CLASS ? trick_[i].move : card_of_class(trick_[i].move));
  for (int suit = 0; suit < SUITS; ++suit) {
    bool equal = false;
    for (int rank = RANKS - 1; rank >= 0; --rank) {
      const HandMask card = bit_of(card_of(suit, rank));
      if (others & card) equal = false;
      if (!(legal & card)) continue;
      if (!equal) out.push_back(card_of(suit, rank));
      equal = true;
    }
  }
}

void SingleDummyGame::moves(std::vector<int>& out) const {
  out.clear();
  const int seat = to_play();
  if (defender_to_play()) {
    for (std::size_t cls = 0; cls < classes_.size(); ++cls)
      if (played_[cls][0] + played_[cls][1] < static_cast<int>(classes_[cls].cards.size()))
        out.push_back(CLASS + static_cast<int>(cls));
    return;
  }
  if (free_lead()) {
    for (const HandMask held : seen_) moves_of_hand(held, held & suit_mask(start_.free_suit), out);
    return;
  }
  const HandMask hand = seen_[seat == start_.declarer ? 0 : 1];
  HandMask legal = hand;
  if (on_table_ > 0 && (hand & suit_mask(trick_[0].suit))) legal = hand & suit_mask(trick_[0].suit);
  moves_of_hand(hand, legal, out);
}

bool SingleDummyGame::can_play(int layout, int move) const {
  const int hidden = hidden_index(to_play()), cls = move - CLASS;
  if (held(hidden, layout, cls) <= 0) return false;
  if (on_table_ == 0 || classes_[cls].suit == trick_[0].suit) return true;
  for (std::size_t other = 0; other < classes_.size(); ++other)
    if (classes_[other].suit == trick_[0].suit && held(hidden, layout, static_cast<int>(other)) > 0) return false;
  return true;
}

SingleDummyGame::Played SingleDummyGame::describe(int move) const {
  if (move < CLASS) return {move, suit_of(move), 4 * rank_of(move)};
  const CardClass& cls = classes_[move - CLASS];
  return {move, cls.suit, 4 * rank_of(cls.cards.front()) + (hidden_index(to_play()) == 0 ? 1 : 0)};
}

int SingleDummyGame::winner() const {
  int best = 0;
  for (int i = 1; i < on_table_; ++i) {
    const bool same = trick_[i].suit == trick_[best].suit;
    if (same ? trick_[i].strength > trick_[best].strength : trick_[i].suit == start_.strain) best = i;
  }
  return best;
}

void SingleDummyGame::play(int move) {
  history_.push_back({move, leader_, on_table_, needed_, left_, {trick_[0], trick_[1], trick_[2]}, 0});
  if (free_lead()) leader_ = (seen_[0] & bit_of(move)) ? start_.declarer : partner_of(start_.declarer);
  const int seat = history_.back().seat = to_play();
  const Played played = describe(move);
  if (move >= CLASS) {
    ++played_[move - CLASS][hidden_index(seat)];
  } else {
    seen_[seat == start_.declarer ? 0 : 1] &= ~bit_of(move);
    ++choices_;
  }
  if (on_table_ < 3) {
    trick_[on_table_++] = played;
    return;
  }
  // The fourth card: who wins the trick leads to the next.
  const int best = winner();
  const bool same = played.suit == trick_[best].suit;
  const bool takes = same ? played.strength > trick_[best].strength : played.suit == start_.strain;
  leader_ = takes ? seat : (leader_ + best) & 3;
  on_table_ = 0;
  --left_;
  needed_ -= ((leader_ ^ start_.declarer) & 1) == 0;
  if (start_.free_suit >= 0) leader_ = start_.declarer;
}

void SingleDummyGame::undo() {
  const Before before = history_.back();
  history_.pop_back();
  leader_ = before.leader, on_table_ = before.on_table, needed_ = before.needed, left_ = before.left;
  std::copy(before.trick, before.trick + 3, trick_);
  if (before.move >= CLASS) {
    --played_[before.move - CLASS][hidden_index(to_play())];
  } else {
    seen_[before.seat == start_.declarer ? 0 : 1] |= bit_of(before.move);
    --choices_;
  }
}

// The card that a class stands for in one layout: the lowest that its seat had, which is the one just above those left.
int SingleDummyGame::concrete(int layout, const Played& played, int seat) const {
  if (played.move < CLASS) return played.move;
  const int hidden = hidden_index(seat), cls = played.move - CLASS;
  const int from = hidden == 0 ? 0 : counts_[layout][cls];
  return classes_[cls].cards[from + held(hidden, layout, cls)];
}

// All cards seen, and still every lead from whichever hand declarer likes: small enough to be searched plainly.
bool SingleDummyGame::wins_free(int layout) {
  if (over()) return won();
  const std::uint64_t position = key() ^ (static_cast<std::uint64_t>(layout) + 1) * 0x9E3779B97F4A7C15ULL;
  if (const auto known = free_wins_.find(position); known != free_wins_.end()) return known->second;
  std::vector<int> options;
  moves(options);
  const bool defending = defender_to_play();
  bool result = defending;
  for (const int move : options) {
    if (defending && !can_play(layout, move)) continue;
    play(move);
    result = wins_free(layout);
    undo();
    if (result != defending) break;
  }
  free_wins_.emplace(position, result);
  return result;
}

bool SingleDummyGame::wins(int layout) {
  if (over()) return won();
  if (start_.free_suit >= 0) return wins_free(layout);
  PlayState state;
  state.strain = start_.strain;
  state.leader = leader_;
  state.hands[start_.declarer] = seen_[0];
  state.hands[partner_of(start_.declarer)] = seen_[1];
  for (int hidden = 0; hidden < 2; ++hidden)
    for (std::size_t cls = 0; cls < classes_.size(); ++cls)
      state.hands[(start_.declarer + 1 + 2 * hidden) & 3] |= cards_of(hidden, layout, static_cast<int>(cls));
  for (int i = 0; i < on_table_; ++i) state.trick[i] = concrete(layout, trick_[i], (leader_ + i) & 3);
  if (is_ns(start_.declarer)) return solver_.solve(state, needed_, needed_ - 1, needed_) >= needed_;
  const int theirs = left_ - needed_;  // NS may take this many
  return solver_.solve(state, theirs + 1, theirs, theirs + 1) <= theirs;
}

std::uint64_t SingleDummyGame::key() const {
  std::uint64_t h = seen_[0] * 0x9E3779B97F4A7C15ULL ^ seen_[1] * 0xC2B2AE3D27D4EB4FULL;
  const auto mix = [&h](std::uint64_t x) { h = (h ^ x) * 0xD6E8FEB86659FD93ULL, h ^= h >> 29; };
  for (const auto& played : played_) mix(played[0] | std::uint64_t{played[1]} << 8);
  mix(static_cast<std::uint64_t>(leader_) | on_table_ << 2 | needed_ << 4);
  for (int i = 0; i < on_table_; ++i) mix(static_cast<std::uint64_t>(trick_[i].move) + 1);
  return h;
}

std::uint64_t SingleDummyGame::alike_key() {
  std::uint64_t h = static_cast<std::uint64_t>(leader_ | needed_ << 2 | left_ << 7);
  left_classes_.clear();
  std::size_t cls = 0;
  for (int suit = 0; suit < SUITS; ++suit) {
    const HandMask seen = (seen_[0] | seen_[1]) & suit_mask(suit);
    HandMask passed = 0;  // seen cards already told of
    int run = 0;
    const auto tell_seen_above = [&](int rank) {
      const HandMask above = rank < 0 ? seen : seen & ~(bit_of(card_of(suit, rank)) - 1);
      for (HandMask rest = above & ~passed; rest != 0;) {
        const HandMask top = HandMask{1} << (63 - std::countl_zero(rest));
        if (run > 0) h = mixed(h, 8 + run), run = 0;
        h = mixed(h, (seen_[0] & top) ? 1 : 2);
        rest ^= top;
      }
      passed |= above;
    };
    bool begins = true;
    for (; cls < classes_.size() && classes_[cls].suit == suit; ++cls) {
      const HandMask before = passed;
      tell_seen_above(rank_of(classes_[cls].cards.front()));
      begins |= passed != before;
      const int left = static_cast<int>(classes_[cls].cards.size()) - played_[cls][0] - played_[cls][1];
      if (left == 0) continue;
      left_classes_.push_back({static_cast<int>(cls), begins});
      begins = false;
      run += left;
    }
    tell_seen_above(-1);
    h = mixed(h, 64 + run);
  }
  return h;
}

// The owners of the unseen cards from the top of each run down.
std::uint64_t SingleDummyGame::residue(int layout) const {
  std::uint64_t h = 0;
  int owner = -1, length = 0;
  for (const auto& [cls, begins] : left_classes_) {
    if (begins && owner >= 0) h = mixed(h, 32 + 16 * owner + length), owner = -1, length = 0;
    for (int hidden = 0; hidden < 2; ++hidden) {
      const int has = held(hidden, layout, cls);
      if (has == 0) continue;
      if (owner != hidden && owner >= 0) h = mixed(h, 16 * owner + length), length = 0;
      owner = hidden, length += has;
    }
  }
  return mixed(h, 32 + 16 * owner + length);
}

}  // namespace borel
