// No claim promises more than the search without claims delivers: sure tricks, later tricks, hopeless leads. Nor does it
// rest on more than it says: with the cards below its ranks dealt anew among those who hold them, it must still be true.
//   claims_test [endings] [seed]
// Twice a claim was false in one ending of 10,000 or fewer: hence so many, and skewed.
#include <cmath>

#include "../later_tricks.h"
#include "check.h"
#include "minimax.h"

using namespace borel;
using namespace borel_test;

namespace {

Position position_of(const PlayState& state, const LaneOrder& order) {
  Lanes lanes[SEATS];
  for (int seat = 0; seat < SEATS; ++seat) lanes[seat] = order.lanes(state.hands[seat]);
  Position position;
  position.deal(lanes);
  return position;
}

// The same shape, the same owners down to the lowest of `ranks` in every suit; the rest of each suit dealt anew.
PlayState dealt_anew(const PlayState& state, const LaneOrder& order, Lanes ranks, std::mt19937_64& rng) {
  PlayState next = state;
  const Lanes fixed = down_to_lowest(ranks);
  for (int suit = 0; suit < SUITS; ++suit) {
    std::vector<int> cards, owners;
    for (int card = suit * RANKS; card < (suit + 1) * RANKS; ++card)
      for (int seat = 0; seat < SEATS; ++seat)
        if ((state.hands[seat] & bit_of(card)) && !(order.bit(card) & fixed)) cards.push_back(card), owners.push_back(seat);
    std::shuffle(owners.begin(), owners.end(), rng);
    for (const int card : cards)
      for (HandMask& hand : next.hands) hand &= ~bit_of(card);
    for (std::size_t i = 0; i < cards.size(); ++i) next.hands[owners[i]] |= bit_of(cards[i]);
  }
  return next;
}

// True if the side of `seat` takes `enough` tricks in `state`.
bool takes(const PlayState& state, int seat, int enough) {
  static Solver solver(16, [] {
    SolverOptions options;
    options.sure_tricks = options.later_tricks = false;
    return options;
  }());
  const int ns = solver.solve(state);
  return (is_ns(seat) ? ns : state.tricks_left() - ns) >= enough;
}

template <bool Trumps>
void compare(const PlayState& state, std::mt19937_64& rng) {
  const LaneOrder order(state.strain);
  const Position position = position_of(state, order);
  const int us = state.leader, them = next_seat(us);
  for (int enough = 1; enough <= state.tricks_left(); ++enough) {
    const Claim trumps = Trumps ? trump_tricks(position, us, enough) : Claim{};
    for (const Claim& claim :
         {sure_tricks<Trumps>(position, us, enough), tricks_on_lead<Trumps>(position, us, enough, trumps), trumps})
      if (claim.tricks >= enough) {
        CHECK(takes(state, us, enough));
        CHECK(takes(dealt_anew(state, order, claim.ranks, rng), us, enough));
      }
    const Claim theirs = Trumps ? trump_tricks(position, them, enough) : Claim{};
    if (const Claim claim = later_tricks<Trumps>(position, us, enough, theirs); claim.tricks >= enough) {
      CHECK(takes(state, them, enough));
      CHECK(takes(dealt_anew(state, order, claim.ranks, rng), them, enough));
    }
    const Hopeless hopeless = hopeless_leads<Trumps>(position, us, enough, theirs);
    if (hopeless.suits == 0) continue;
    const PlayState anew = dealt_anew(state, order, hopeless.ranks, rng);
    for (const PlayState* played : {&state, &anew})
      for (HandMask rest = played->hands[us]; rest != 0; rest &= rest - 1)
        if (const int card = std::countr_zero(rest); order.bit(card) & hopeless.suits)
          CHECK(takes(played->after(card), them, enough));
  }
}

// Each hand likes some suits and shuns others, as late in the play: uniform endings hide false claims.
PlayState skewed_ending(std::mt19937_64& rng, int size, int strain) {
  std::vector<int> deck(CARDS);
  for (int card = 0; card < CARDS; ++card) deck[card] = card;
  std::shuffle(deck.begin(), deck.end(), rng);
  deck.resize(4 * size + 8);
  PlayState state;
  state.strain = strain;
  state.leader = static_cast<int>(rng() % 4);
  for (int seat = 0; seat < SEATS; ++seat) {
    constexpr double LIKINGS[] = {0.03, 0.3, 1, 3};
    double liking[SUITS];
    for (double& value : liking) value = LIKINGS[rng() % 4];
    std::vector<std::pair<double, int>> order;
    for (const int card : deck)
      order.emplace_back(-std::pow(static_cast<double>(rng() % 1000 + 1) / 1001, 1 / liking[suit_of(card)]), card);
    std::sort(order.begin(), order.end());
    deck.clear();
    for (std::size_t i = 0; i < order.size(); ++i)
      if (i < static_cast<std::size_t>(size))
        state.hands[seat] |= bit_of(order[i].second);
      else
        deck.push_back(order[i].second);
  }
  return state;
}

}  // namespace

int main(int argc, char** argv) {
  const int endings = argc > 1 ? std::atoi(argv[1]) : 40000;
  std::mt19937_64 rng(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 17);
  for (int i = 0; i < endings; ++i) {
    const int size = 2 + i / 2 % 5;
    const PlayState state = i % 2 ? random_ending(rng, size, i / 8 % STRAINS) : skewed_ending(rng, size, i / 8 % STRAINS);
    state.strain == NOTRUMP ? compare<false>(state, rng) : compare<true>(state, rng);
  }
  return finish("claims_test");
}
