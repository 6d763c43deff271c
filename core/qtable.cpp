#include "qtable.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <new>
#include <stdexcept>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace borel {
namespace {

constexpr std::size_t LARGE_PAGE = 1 << 21;
constexpr std::size_t LANES = 32;  // auctions side by side: enough to hide the memory's latency, few enough for the cache

std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ULL;
  x ^= x >> 32;
  return x;
}

// Memory in large pages where the system has them: rows are read in no order, and small pages would have to be looked up.
void* many_pages(std::size_t bytes) {
  bytes = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  void* memory = std::aligned_alloc(LARGE_PAGE, bytes);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef __linux__
  madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return memory;
}

int strain_of(int call) { return (call - FIRST_BID) % STRAINS; }

template <int ROW>
int chosen(const float* values, int count, const QLearning& how, std::uint64_t chance) {
  const auto low = static_cast<std::uint32_t>(chance);
  if (static_cast<float>(chance >> 40) * 0x1p-24F < how.explore)
    return static_cast<int>(static_cast<std::uint64_t>(low) * count >> 32);
  const QRow<ROW> row(values, count);
  if (how.choice == QChoice::GREEDY) return greedy(row, low);
  return how.choice == QChoice::BOLTZMANN ? boltzmann(row, how.temperature, low) : roulette(row, low);
}

}  // namespace

struct QTable::Lane {
  const std::uint8_t* tricks = nullptr;  // [2, 5], suits not renamed yet
  const std::uint8_t* theirs = nullptr;  // [5]; none where opponents pass
  const Renaming* renaming = nullptr;
  std::array<std::uint32_t, 2> classes{};
  std::uint64_t sequence = 1;
  int last = PASS;
  int made = 0;
  unsigned named = 0;      // strains that were bid, a bit each
  unsigned responder = 0;  // those of them that responder bid first, and so declares (Law 54)
  int tried = 0;  // the last position at which a call was tried that is not thought best
  bool over = false;
  std::array<std::uint8_t, Q_CALLS> bid{};
  std::array<float*, Q_CALLS> value{};  // of the call made at each position; none where the system made it

  void make(int call, int calls) {
    over = (call == PASS && (last != PASS || made > 0)) || made + 1 == calls;
    const unsigned strain = call == PASS ? 0 : 1U << strain_of(call);
    responder |= made & 1 ? strain & ~named : 0;
    named |= strain;
    last = call == PASS ? last : call;
    bid[made++] = static_cast<std::uint8_t>(call);
    sequence = sequence << 6 | static_cast<std::uint64_t>(call);
  }
};

void QTable::Free::operator()(void* memory) const { std::free(memory); }

QTable::QTable(QRules rules) : rules_(std::move(rules)) {
  make_slots(1 << 12);
  const std::size_t hands = this->hands();
  if (rules_.q0.empty() || rules_.q0.size() > Q_CALLS) throw std::invalid_argument("an auction of 1 to 7 calls");
  if (rules_.width < 2 || rules_.width > BIDS + 1) throw std::invalid_argument("2 to 36 calls to choose from");
  if (rules_.scores.size() != CALLS * 14) throw std::invalid_argument("a score for each call and number of tricks");
  if (rules_.openings.size() != hands || rules_.opener.size() != hands || rules_.responder.size() != hands || hands > 65535)
    throw std::invalid_argument("an opening and two classes for each hand");
  for (const std::uint32_t one : rules_.opener)
    if (one >> 20) throw std::invalid_argument("a class below 2^20");
  for (const std::uint32_t one : rules_.responder)
    if (one >> 20) throw std::invalid_argument("a class below 2^20");
  for (const std::uint8_t call : rules_.openings)
    if (call != Q_NO_CALL && (call >= CALLS || call == DOUBLE || call == REDOUBLE))
      throw std::invalid_argument("an opening that is a pass or a bid");

  std::map<std::array<std::uint8_t, 4>, std::uint16_t> numbers;
  for (std::size_t i = 0; i < rules_.shapes.size(); ++i) numbers[rules_.shapes[i]] = static_cast<std::uint16_t>(i);
  std::array<std::uint8_t, 5> order{0, 1, 2, 3, 4};
  for (auto& renaming : renamings_) {
    renaming.to = order;
    for (std::uint8_t strain = 0; strain < STRAINS; ++strain) renaming.from[order[strain]] = strain;
    for (const auto& shape : rules_.shapes) {
      std::array<std::uint8_t, 4> other;
      for (int suit = 0; suit < 4; ++suit) other[order[suit]] = shape[suit];
      const auto found = numbers.find(other);
      if (found == numbers.end()) throw std::invalid_argument("shapes that lack a renaming of one of them");
      renamed_.push_back(found->second);
    }
    std::next_permutation(order.begin(), order.begin() + 4);
  }
  value_contracts();
}

// What the best contract of a strain scores, by tricks: of all contracts, and of those above each call.
void QTable::value_contracts() {
  for (int strain = 0; strain < STRAINS; ++strain) {
    for (int tricks = 0; tricks < 14; ++tricks) {
      for (int last = 0; last < CALLS; ++last) {
        bought_[last][strain][tricks] = -1e9F;
        for (int call = FIRST_BID + strain; call < CALLS; call += STRAINS)
          if (call > last)
            bought_[last][strain][tricks] = std::max(bought_[last][strain][tricks], rules_.scores[call * 14 + tricks]);
      }
      best_score_[strain][tricks] = 0;
      best_bid_[strain][tricks] = PASS;
      for (int call = FIRST_BID + strain; call < CALLS; call += STRAINS) {
        if (rules_.scores[call * 14 + tricks] < best_score_[strain][tricks]) continue;
        best_score_[strain][tricks] = rules_.scores[call * 14 + tricks];
        best_bid_[strain][tricks] = static_cast<std::int8_t>(call);
      }
    }
  }
}

// --- The rows: open addressing over chunks that never move ---

void QTable::make_slots(std::size_t count) {
  slots_.reset(static_cast<Slot*>(many_pages(count * sizeof(Slot))));
  std::uninitialized_fill_n(slots_.get(), count, Slot{});
  slots_end_ = count - 1;
}

std::size_t QTable::slot_of(std::uint64_t key) const {
  std::size_t slot = mixed(key) & slots_end_;
  while (slots_[slot].key != 0 && slots_[slot].key != key) slot = (slot + 1) & slots_end_;
  return slot;
}

const float* QTable::find(std::uint64_t key) const {
  const Slot& slot = slots_[slot_of(key)];
  return slot.key == key ? values(slot.row) : nullptr;
}

void QTable::make_room(std::size_t rows) {
  if (2 * (keys_.size() + rows) <= slots_end_) return;
  const std::unique_ptr<Slot[], Free> old = std::move(slots_);
  const std::size_t count = slots_end_ + 1;
  make_slots(2 * count);
  for (std::size_t i = 0; i < count; ++i)
    if (old[i].key != 0) slots_[slot_of(old[i].key)] = old[i];
}

float* QTable::add(std::uint64_t key) {
  make_room(1);
  return row_of(key);
}

float* QTable::row_of(std::uint64_t key) {
  const std::size_t place = slot_of(key);
  if (slots_[place].key == key) return values(slots_[place].row);
  const std::size_t row = keys_.size();
  if (row % CHUNK == 0) {  // a choice reads a little beyond the last row, unless rows are as long as it looks
    const std::size_t floats = CHUNK * rules_.width + (rules_.width == SHORT_ROW ? 0 : LONGEST_ROW);
    chunks_.emplace_back(static_cast<float*>(many_pages(floats * sizeof(float))));
    std::fill_n(chunks_.back().get(), floats, 0.0F);
  }
  slots_[place] = {key, static_cast<std::uint32_t>(row)};
  keys_.push_back(key);
  begin(key, values(row));
  return values(row);
}

void QTable::inherit(const QTable& parent, std::vector<std::uint32_t> opener, std::vector<std::uint32_t> responder) {
  if (parent.width() != width()) throw std::invalid_argument("a parent that chooses from as many calls");
  parent_ = &parent;
  coarser_ = {std::move(opener), std::move(responder)};
}

// The values of a row that is new: the parent's, if it has met the situation, or those of calls not tried yet.
void QTable::begin(std::uint64_t key, float* row) const {
  const std::uint64_t sequence = key & ((1ULL << 44) - 1);
  int position = 0;
  for (std::uint64_t rest = sequence; rest > 1; rest >>= 6) ++position;
  const auto hand_class = static_cast<std::size_t>(key >> 44);
  const auto& coarser = coarser_[position & 1];
  const float* begun =
      parent_ == nullptr || hand_class >= coarser.size() ? nullptr : parent_->find(key_of(coarser[hand_class], sequence));
  if (begun != nullptr)
    std::copy_n(begun, rules_.width, row);
  else
    std::fill_n(row, rules_.width, rules_.q0[std::min(position, calls() - 1)]);
}

// --- Bidding ---

static int call_of(int option, int last) { return option == 0 ? PASS : (last == PASS ? FIRST_BID - 1 : last) + option; }

void QTable::deal(Lane& lane, const QDeals& deals, std::size_t number, int renaming) const {
  lane = Lane();
  lane.tricks = deals.tricks.data() + number * 10;
  if (!deals.theirs.empty()) lane.theirs = deals.theirs.data() + number * STRAINS;
  lane.renaming = &renamings_[renaming];
  std::size_t hands[2];
  for (int who = 0; who < 2; ++who) {
    const std::uint16_t hand = deals.hands[2 * number + who];
    hands[who] = renamed_[renaming * rules_.shapes.size() + hand / STRENGTHS] * STRENGTHS + hand % STRENGTHS;
  }
  lane.classes = {rules_.opener[hands[0]], rules_.responder[hands[1]]};
  if (rules_.openings[hands[0]] != Q_NO_CALL) lane.make(rules_.openings[hands[0]], calls());
}

void QTable::bid_lanes(std::span<Lane> lanes, const QLearning& how, Random& random) {
  make_room(lanes.size() * calls());
  const bool short_rows = rules_.width <= SHORT_ROW;
  for (int step = 0; step < calls(); ++step) {
    std::array<Lane*, LANES> bidding;
    std::array<float*, LANES> rows;
    std::size_t count = 0;
    for (Lane& lane : lanes) {
      bidding[count] = &lane;
      count += !lane.over && lane.made == step;  // a made opening waits for the learnt ones
    }
    for (std::size_t i = 0; i < count; ++i)
      __builtin_prefetch(&slots_[mixed(key_of(bidding[i]->classes[step & 1], bidding[i]->sequence)) & slots_end_]);
    for (std::size_t i = 0; i < count; ++i) {
      rows[i] = row_of(key_of(bidding[i]->classes[step & 1], bidding[i]->sequence));
      __builtin_prefetch(rows[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      Lane& lane = *bidding[i];
      const int open = options(lane.last);
      const std::uint64_t chance = random.next();
      const int option =
          short_rows ? chosen<SHORT_ROW>(rows[i], open, how, chance) : chosen<LONGEST_ROW>(rows[i], open, how, chance);
      lane.value[step] = rows[i] + option;
      if (how.agreed && rows[i][option] < *std::max_element(rows[i], rows[i] + open)) lane.tried = step;
      lane.make(call_of(option, lane.last), calls());
    }
  }
}

// The pair's score if opponents outbid its last call as well as they can.
float QTable::outbid(const Lane& lane) const {
  float most = -1e9F;
  for (int before = 0; before < STRAINS; ++before)
    most = std::max(most, bought_[lane.last][lane.renaming->to[before]][lane.theirs[before]]);
  return -most;
}

float QTable::score(const Lane& lane) const {
  const float own = undisturbed(lane);
  return lane.theirs == nullptr ? own : std::min(own, outbid(lane));
}

float QTable::undisturbed(const Lane& lane) const {
  if (lane.last == PASS) return 0;
  const int strain = strain_of(lane.last);
  const int declarer = lane.responder >> strain & 1;
  return rules_.scores[lane.last * 14 + lane.tricks[5 * declarer + lane.renaming->from[strain]]];
}

void QTable::best(const Lane& lane, float& score, int& bid) const {
  score = 0;
  bid = PASS;
  for (int before = 0; before < STRAINS; ++before) {
    const int strain = lane.renaming->to[before];
    const int tricks = std::max(lane.tricks[before], lane.tricks[5 + before]);
    if (best_score_[strain][tricks] < score) continue;
    if (best_score_[strain][tricks] > score || best_bid_[strain][tricks] > bid) bid = best_bid_[strain][tricks];
    score = best_score_[strain][tricks];
  }
}

void QTable::reinforce(const Lane& lane, float score, const QLearning& how) const {
  float reward = score;
  int best_bid = CALLS;
  if (how.reward != QReward::SCORE) {
    float best_score;
    best(lane, best_score, best_bid);
    if (how.reward == QReward::LOSS) reward -= best_score;
    if (how.reward == QReward::LOSS_PLUS) reward += 200 - best_score;
  }
  bool blamed = how.reward != QReward::BLAME;
  for (int position = lane.made - 1; position >= lane.tried; --position, reward *= how.gamma) {
    if (lane.value[position] == nullptr) continue;
    float target = reward;
    if (!blamed && lane.bid[position] > best_bid &&
        std::none_of(lane.bid.begin(), lane.bid.begin() + position, [&](int call) { return call > best_bid; })) {
      blamed = true;
      target -= 100;
    }
    float& value = *lane.value[position];
    float change = how.rates[position] * (target - value);
    change *= change < 0 ? how.fall : 1.0F;
    value = std::clamp(value + (how.integers ? std::floor(change) : change), how.low, how.high);
  }
}

double QTable::learn(const QDeals& deals, std::uint64_t count, const QLearning& how, Random& random) {
  if (deals.size() == 0) throw std::invalid_argument("no deals to learn from");
  if (how.rates.size() != rules_.q0.size()) throw std::invalid_argument("a learning rate for each call");
  std::array<Lane, LANES> lanes;
  std::array<std::pair<std::size_t, int>, LANES> drawn;  // deals and renamings
  double sum = 0;
  for (std::uint64_t done = 0; done < count;) {
    const std::size_t now = std::min<std::uint64_t>(LANES, count - done);
    for (std::size_t i = 0; i < now; ++i) {
      drawn[i] = {random.below(static_cast<std::uint32_t>(deals.size())), static_cast<int>(random.below(RENAMINGS))};
      __builtin_prefetch(&deals.hands[2 * drawn[i].first]);
      __builtin_prefetch(&deals.tricks[10 * drawn[i].first]);
    }
    for (std::size_t i = 0; i < now; ++i) deal(lanes[i], deals, drawn[i].first, drawn[i].second);
    bid_lanes({lanes.data(), now}, how, random);
    for (std::size_t i = 0; i < now; ++i) {
      const float scored = score(lanes[i]);
      reinforce(lanes[i], scored, how);
      sum += scored;
    }
    done += now;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

std::uint64_t QTable::teach(const QDeals& deals, std::span<const std::uint8_t> bid, const QLearning& how) {
  if (how.rates.size() != rules_.q0.size()) throw std::invalid_argument("a learning rate for each call");
  std::uint64_t taught = 0;
  for (std::size_t i = 0; i < deals.size(); ++i) {
    Lane lane;
    deal(lane, deals, i, 0);
    const std::uint8_t* wanted = bid.data() + i * calls();
    bool within = lane.made == 0 || lane.bid[0] == wanted[0];
    while (within && !lane.over) {
      const int call = wanted[lane.made];
      const int option = call == PASS ? 0 : call - (lane.last == PASS ? FIRST_BID - 1 : lane.last);
      within = call < CALLS && option >= (call == PASS ? 0 : 1) && option < options(lane.last);
      if (!within) break;
      lane.value[lane.made] = add(key_of(lane.classes[lane.made & 1], lane.sequence)) + option;
      lane.make(call, calls());
    }
    if (!within) continue;
    reinforce(lane, score(lane), how);
    ++taught;
  }
  return taught;
}

void QTable::evaluate(const QDeals& deals, std::span<float> scores, std::span<std::uint8_t> bid) const {
  for (std::size_t i = 0; i < deals.size() * RENAMINGS; ++i) {
    Lane lane;
    deal(lane, deals, i / RENAMINGS, static_cast<int>(i % RENAMINGS));
    while (!lane.over) {
      const float* row = find(key_of(lane.classes[lane.made & 1], lane.sequence));
      if (row == nullptr && parent_ != nullptr && lane.classes[lane.made & 1] < coarser_[lane.made & 1].size())
        row = parent_->find(key_of(coarser_[lane.made & 1][lane.classes[lane.made & 1]], lane.sequence));
      const int option = row == nullptr ? 0 : static_cast<int>(std::max_element(row, row + options(lane.last)) - row);
      lane.make(call_of(option, lane.last), calls());
    }
    scores[i] = score(lane);
    std::uint8_t* out = bid.data() + i * calls();
    std::fill(std::copy_n(lane.bid.begin(), lane.made, out), out + calls(), static_cast<std::uint8_t>(Q_NO_CALL));
  }
}

}  // namespace borel
