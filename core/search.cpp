#include "search.h"

#include <algorithm>

#include "later_tricks.h"
#include "sure_tricks.h"

namespace borel {

namespace {

constexpr std::uint64_t NODES_BETWEEN_CHECKS = 4096;
constexpr int EXACT_BUCKET_BITS = 19;  // a million entries have two a bucket, and the homes fit the default memory

// In the second and third seat a good card is remembered only with so many cards left: below, ordering is cheaper.
constexpr int LEAST_REMEMBERED = 6;

// The two hands of the side on play, and the card to beat.
template <int Place>
std::uint64_t best_move_key(const Position& position, int seat, Lanes to_beat) {
  const std::uint64_t hands =
      (position.hands[seat] * 0xD6E8'FEB8'6659'FD93u + position.hands[partner_of(seat)]) * 4 + static_cast<unsigned>(seat);
  return Place == 0 ? hands : hands + to_beat * 0xBF58'476D'1CE4'E5B9u + Place;
}

}  // namespace

template <bool Trumps, class Switches>
void Search<Trumps, Switches>::look_around() {
  if (s_.nodes > s_.node_limit) throw Stopped(Stopped::Why::node_limit);
  if (s_.stop_sign != nullptr) s_.stop_sign->look();
  s_.next_check = std::min(s_.nodes + NODES_BETWEEN_CHECKS, s_.node_limit + (s_.node_limit != UINT64_MAX));
}

template <bool Trumps, class Switches>
inline Owners Search<Trumps, Switches>::relative_owners() const {
  const Lanes held = s_.position.held;
  if (on_.table == TableKind::exact) return {held, ~held};
  return {compress(s_.owners.low, held), compress(s_.owners.high, held)};
}

// The last trick plays itself.
template <bool Trumps, class Switches>
bool Search<Trumps, Switches>::last_trick(int leader, int target, Lanes& ranks) const {
  const Position& position = s_.position;
  Trick trick = Trick::led_by(leader, position.hands[leader]);
  for (int i = 1; i < SEATS; ++i) {
    const int seat = (leader + i) & 3;
    trick = trick.after<Trumps>(position.hands[seat], seat);
  }
  ranks = trick.by_rank ? trick.best : 0;
  return is_ns(trick.winner) >= target;
}

template <bool Trumps, class Switches>
bool Search<Trumps, Switches>::lead(int leader, int target, Lanes& ranks) {
  Position& position = s_.position;
  ranks = 0;
  const int left = position.cards_in(leader);
  if (target <= 0) return true;
  if (target > left) return false;
  ++s_.trick_nodes;
  if (s_.nodes >= s_.next_check) look_around();
  if (left == 1) return last_trick(leader, target, ranks);

  const bool ns = is_ns(leader);
  const int need = ns ? target : left - target + 1;   // tricks with which the leader's side settles it
  const int resist = ns ? left - target + 1 : target; // and the other side

  Owners owners{};
  Tops tops = 0;
  Lengths shape = position.lengths;
  if (on_.table != TableKind::none) {
    owners = relative_owners();
    tops = compress(best_of_each(position.held), position.held);
    // An ordinary table has no reason to keep a shape together: buckets by the cards held.
    if (on_.table == TableKind::exact) shape = position.held * 0x9E37'79B9'7F4A'7C15u >> (64 - EXACT_BUCKET_BITS);
    const Found found = s_.table.find(shape, leader, owners, tops, target);
    if (found.hit) {
      ranks = on_.table == TableKind::exact ? position.held : expand(found.mask, position.held);
      return found.ns_reach_target;
    }
  }
  if (on_.sure_tricks) {
    const Claim claim = sure_tricks<Trumps>(position, leader, need);
    if (claim.tricks >= need) {
      ranks = claim.ranks;
      return ns;
    }
  }
  Hopeless hopeless;
  if (on_.later_tricks) {
    const Claim trumps = Trumps ? trump_tricks(position, next_seat(leader), resist) : Claim{};
    const Claim claim = later_tricks<Trumps>(position, leader, resist, trumps);
    if (claim.tricks >= resist) {
      ranks = claim.ranks;
      return !ns;
    }
    hopeless = hopeless_leads<Trumps>(position, leader, resist, trumps);
    if ((position.hands[leader] & ~hopeless.suits) == 0) {
      ranks = hopeless.ranks;
      return !ns;
    }
  }
  if (on_.table == TableKind::none) return play<0>(leader, target, Trick{}, hopeless, ranks);
  const bool reached = play<0>(leader, target, Trick{}, hopeless, ranks);
  const std::uint64_t mask =
      on_.table == TableKind::exact ? ~std::uint64_t{0} : compress(down_to_lowest(ranks), position.held);
  s_.table.add(shape, leader, owners, tops, mask, reached ? target : 0, reached ? left : target - 1);
  return reached;
}

template <bool Trumps, class Switches>
bool Search<Trumps, Switches>::from_card(int place, int seat, int target, const Trick& trick, Lanes& ranks) {
  if (place == 1) return play<1>(seat, target, trick, {}, ranks);
  if (place == 2) return play<2>(seat, target, trick, {}, ranks);
  return play<3>(seat, target, trick, {}, ranks);
}

template <bool Trumps, class Switches>
template <int Place>
[[gnu::always_inline]] inline bool Search<Trumps, Switches>::try_card(int seat, Lanes card, int target,
                                                                      const Trick& trick, Lanes& ranks) {
  ++s_.nodes;
  Position& position = s_.position;
  const Lanes hand = position.hands[seat], held = position.held;
  const Lengths lengths = position.lengths;
  position.play(seat, card);
  const Trick next = Place == 0 ? Trick::led_by(seat, card) : trick.after<Trumps>(card, seat);
  bool reached;
  if constexpr (Place < 3) {
    reached = play<Place + 1>(next_seat(seat), target, next, {}, ranks);
  } else {
    if (on_.table != TableKind::none) s_.table.prefetch(position.lengths, next.winner);
    reached = lead(next.winner, target - is_ns(next.winner), ranks);
    if (next.by_rank) ranks |= next.best;
  }
  position.hands[seat] = hand, position.held = held, position.lengths = lengths;
  return reached;
}

template <bool Trumps, class Switches>
template <int Place>
bool Search<Trumps, Switches>::play(int seat, int target, const Trick& trick, const Hopeless& hopeless, Lanes& ranks) {
  const Position& position = s_.position;
  const bool ns = is_ns(seat);
  const Lanes hand = position.hands[seat];
  Lanes legal = Place == 0 ? hand & ~hopeless.suits : hand & lane(trick.led);
  if (Place > 0 && legal == 0) legal = hand;

  // A beaten card on the table is as good as gone: cards on either side of it are equals.
  const Lanes alive = position.held | (Place == 0 ? 0 : trick.best);
  const Lanes choices = on_.merge_equals ? tops_of_equals(legal, alive) : legal;

  Lanes all_ranks = Place == 0 ? hopeless.ranks : 0;
  Lanes skip = 0;
  // True if the card settles the matter; otherwise notes what can be learnt from its failure.
  const auto settles = [&](Lanes card) {
    Lanes card_ranks = 0;
    if (try_card<Place>(seat, card, target, trick, card_ranks) == ns) {
      ranks = card_ranks;
      return true;
    }
    all_ranks |= card_ranks;
    // If no rank as low as this card mattered, all cards of the suit that low are one and the same.
    if (on_.rank_cut) {
      const Lanes mask = lane(lane_of(card));
      const Lanes mattered = card_ranks & mask;
      if (mattered < card) skip |= mask & ~ranks_down_to(mattered);
    }
    return false;
  };

  // Step 1. The card that was best when these two hands were here before.
  const bool remembers =
      on_.best_move_cache && (Place == 0 || (Place < 3 && position.cards_in(seat) >= LEAST_REMEMBERED));
  std::uint64_t key = 0;
  if (remembers) {
    key = best_move_key<Place>(position, seat, trick.best);
    if (const Lanes remembered = s_.best_moves.find(key) & choices) {
      if (settles(remembered)) return ns;
      skip |= remembered;
    }
  }

  // Step 2. The others, likely cheap successes first.
  MoveList moves;
  if (on_.order_moves)
    order_moves<Trumps, Place>(position, seat, trick, choices, moves);
  else
    moves.set_unordered(choices);
  for (int i = 0; i < moves.size; ++i) {
    for (Lanes group = moves.groups[i] & ~skip; group != 0; group &= ~skip) {
      const Lanes card = worst_of(group);
      group ^= card;
      if (settles(card)) {
        if (remembers) s_.best_moves.note(key, card);
        return ns;
      }
    }
  }

  // Step 3. All failed. The lowest group of equals in a suit was tried by its best card: if that rank mattered, the
  // group must not pass for mere small cards elsewhere, where the hand could duck.
  for (Lanes lowest = choices != legal ? legal & ~choices : 0; lowest != 0;) {
    const Lanes mask = lane(lane_of(lowest));
    if ((all_ranks & mask) >= worst_of(choices & mask)) all_ranks |= worst_of(legal & mask);
    lowest &= ~mask;
  }
  ranks = all_ranks;
  return !ns;
}

#define BOREL_INSTANTIATE(SWITCHES)        \
  template class Search<false, SWITCHES>; \
  template class Search<true, SWITCHES>;
BOREL_INSTANTIATE(EverythingOn)
BOREL_INSTANTIATE(SolverOptions)
#undef BOREL_INSTANTIATE

}  // namespace borel
