#include "search.h"
#include <cstdlib>

#include "later_tricks.h"
#include "sure_tricks.h"

namespace borel {
#ifdef STATS
struct Stats { long lead[4]={}; long cut[4][14]={}; long fail[4]={}; long failmoves[4]={}; long masks=0,maskbits=0; long chunks=0, finds=0, hits=0;
 ~Stats(){ fprintf(stderr,"trick nodes cut by sure %ld later %ld table %ld expanded %ld mask bits %.2f\n",lead[0],lead[1],lead[2],lead[3],double(maskbits)/masks);
 for(int p=0;p<4;p++){ long t=0,w=0; for(int i=0;i<14;i++) t+=cut[p][i],w+=i*cut[p][i]; fprintf(stderr,"place %d: cuts %ld first %.3f second %.3f mean index %.3f; fails %ld moves %.2f\n",p,t,cut[p][0]/(t+.1),cut[p][1]/(t+.1),w/(t+.1),fail[p],failmoves[p]/(fail[p]+.1)); } } } stats;
#define STAT(x) (x)
#else
#define STAT(x) ((void)0)
#endif

namespace {

constexpr std::uint64_t NODES_BETWEEN_CHECKS = 4096;

template <int Place>
std::uint64_t best_move_key(const Position& position, int seat, const Trick& trick) {
  const std::uint64_t k = Place == 0 ? position.hands[seat] * 0xD6E8FEB86659FD93 + position.hands[(seat + 2) & 3]
                                     : position.hands[seat] * 0xD6E8FEB86659FD93 + trick.best;
  return k * 4 + seat + Place * 0x9FB21C651E98DF25;
}

}  // namespace

template <bool Trumps, class Switches>
inline void Search<Trumps, Switches>::count_node() {
  if (++s_.nodes < s_.next_check) return;
  s_.next_check = s_.nodes + NODES_BETWEEN_CHECKS;
  if (s_.nodes > s_.node_limit) throw Stopped(Stopped::Why::node_limit);
  if (s_.stop_sign != nullptr) s_.stop_sign->look();
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
  if (left == 1) return last_trick(leader, target, ranks);

  const bool ns = is_ns(leader);
  const int need = ns ? target : left - target + 1;   // tricks with which the leader's side settles it
  const int resist = ns ? left - target + 1 : target; // and the other side

  Owners owners{};
  if (on_.table != TableKind::none) {
    owners = relative_owners();
    const Found found = s_.table.find(position.lengths, leader, owners, target);
    if (found.hit) {
      STAT(stats.lead[2]++);
      ranks = on_.table == TableKind::exact ? position.held : expand(found.mask, position.held);
      return found.ns_reach_target;
    }
  }
  if (on_.sure_tricks) {
    const Claim claim = sure_tricks<Trumps>(position, leader, need);
    if (claim.tricks >= need) {
      STAT(stats.lead[0]++);
      ranks = claim.ranks;
      return ns;
    }
  }
  if (on_.later_tricks) {
    const Claim claim = later_tricks<Trumps>(position, leader, resist);
    if (claim.tricks >= resist) {
      STAT(stats.lead[1]++);
      ranks = claim.ranks;
      return !ns;
    }
  }
  Hopeless hopeless;
  if (on_.later_tricks) {
    hopeless = hopeless_leads<Trumps>(position, leader, resist);
    if ((position.hands[leader] & ~hopeless.suits) == 0) {
      STAT(stats.lead[1]++);
      ranks = hopeless.ranks;
      return !ns;
    }
  }
  if (on_.table == TableKind::none) return play<0>(leader, target, Trick{}, hopeless, ranks);
  const bool reached = play<0>(leader, target, Trick{}, hopeless, ranks);
  const std::uint64_t mask =
      on_.table == TableKind::exact ? ~std::uint64_t{0} : compress(down_to_lowest(ranks), position.held);
  STAT(stats.lead[3]++), STAT(stats.masks++), STAT(stats.maskbits += std::popcount(mask));
  s_.table.add(position.lengths, leader, owners, mask, reached ? target : 0, reached ? left : target - 1);
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
bool Search<Trumps, Switches>::try_card(int seat, Lanes card, int target, const Trick& trick, Lanes& ranks) {
  count_node();
  s_.position.play(seat, card);
  const Trick next = Place == 0 ? Trick::led_by(seat, card) : trick.after<Trumps>(card, seat);
  bool reached;
  if constexpr (Place < 3) {
    reached = play<Place + 1>(next_seat(seat), target, next, {}, ranks);
  } else {
    if (on_.table != TableKind::none) s_.table.prefetch(s_.position.lengths, next.winner);
    reached = lead(next.winner, target - is_ns(next.winner), ranks);
    if (next.by_rank) ranks |= next.best;
  }
  s_.position.undo(seat, card);
  return reached;
}

template <bool Trumps, class Switches>
template <int Place>
bool Search<Trumps, Switches>::play(int seat, int target, const Trick& trick, const Hopeless& hopeless, Lanes& ranks) {
  const Position& position = s_.position;
  const bool ns = is_ns(seat);
  const Lanes hand = position.hands[seat];
  Lanes legal = Place == 0 ? hand : hand & lane(trick.led);
  if (legal == 0) legal = hand;

  // A beaten card on the table is as good as gone: cards on either side of it are equals.
  const Lanes alive = position.held | (Place == 0 ? 0 : trick.best);
  Lanes choices = on_.merge_equals ? tops_of_equals(legal, alive) : legal;
  if (Place == 0) choices &= ~hopeless.suits;

  std::uint64_t key = 0;
  Lanes remembered = 0;
  if (on_.best_move_cache) {
    key = best_move_key<Place>(position, seat, trick);
    if (false) remembered = s_.best_moves.find(key) & choices;
  }

  MoveList moves;
  if (on_.order_moves) {
    order_moves<Trumps, Place>(position, seat, trick, choices, moves);
  } else {
    moves.size = 0;
    for (Lanes rest = choices; rest != 0; rest &= rest - 1) moves.cards[moves.size++] = best_of(rest);
  }

#ifdef DUMP
  if (Place == DUMP_PLACE) {
    static bool busy = false;
    static std::uint64_t r = 88172645463325252ull;
    r ^= r << 13, r ^= r >> 7, r ^= r << 17;
    if (!busy && r % DUMP_RATE == 0 && std::popcount(choices) > 1) {
      busy = true;
      static int id = 0;
      ++id;
      Lanes good = 0;
      long cost[64];
      Lanes order[13];
      int n = 0;
      for (int i = 0; i < moves.size; ++i) order[n++] = moves.cards[i];
      for (int i = n - 1; i > 0; --i) {
        r ^= r << 13, r ^= r >> 7, r ^= r << 17;
        std::swap(order[i], order[r % (i + 1)]);
      }
      for (int i = 0; i < n; ++i) {
        Lanes w = 0;
        long before = s_.nodes;
        if (try_card<Place>(seat, order[i], target, trick, w) == ns) good |= order[i];
        cost[std::countr_zero(order[i])] = s_.nodes - before;
      }
      if (good != 0) {
        for (int i = 0; i < moves.size; ++i) {
          const Lanes c = moves.cards[i], rest = c;
          printf("D %d %d %d %llu %llu %llu %llu %d %d %llu %d %d %ld %d\n", id, int(Trumps), seat, (unsigned long long)position.hands[0], (unsigned long long)position.hands[1], (unsigned long long)position.hands[2], (unsigned long long)position.hands[3], trick.led, trick.winner, (unsigned long long)trick.best, std::countr_zero(c), (good & c) != 0, cost[std::countr_zero(rest)], target);
        }
      }
      busy = false;
    }
  }
#endif
  Lanes all_ranks = Place == 0 ? hopeless.ranks : 0;
  Lanes skip = 0;
#ifdef STATS
  int tried = 0;
#endif
  for (int i = remembered ? -1 : 0; i < moves.size; ++i) {
    const Lanes card = i < 0 ? remembered : moves.cards[i];
    if (card & skip) continue;
    if (i < 0) skip |= card;
    Lanes card_ranks = 0;
    const bool reached = try_card<Place>(seat, card, target, trick, card_ranks);
    STAT(tried++);
    if (reached == ns) {
      STAT(stats.cut[Place][tried - 1]++);
      ranks = card_ranks;
      if (on_.best_move_cache) s_.best_moves.note(key, card);
      return ns;
    }
    all_ranks |= card_ranks;
    // If no rank as low as this card mattered, all cards of the suit that low are one and the same.
    if (on_.rank_cut) {
      const Lanes mask = lane(lane_of(card));
      const Lanes mattered = down_to_lowest(card_ranks) & mask;
      if ((mattered & card) == 0) skip |= mask & ~mattered;
    }
  }
  STAT(stats.fail[Place]++), STAT(stats.failmoves[Place] += tried);
  // The lowest group of equals in a suit has been tried by its best card. If that rank mattered, the group must not
  // be taken for a mere small card elsewhere.
  if (on_.merge_equals) {
    for (int suit = 0; suit < SUITS; ++suit) {
      const Lanes mask = lane(suit);
      const Lanes tried = worst_of(choices & mask);
      if (tried != 0 && (all_ranks & mask) >= tried) all_ranks |= worst_of(legal & mask);
    }
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
