#include <stdexcept>
#include <string>

#include "solver.h"

namespace borel {

namespace {

[[noreturn]] void reject(const std::string& why) { throw std::invalid_argument(why); }

const char* const SEAT_NAMES[SEATS] = {"North", "East", "South", "West"};

std::string name_of(int card) {
  return std::string(1, "CDHS"[suit_of(card)]) + "23456789TJQKA"[rank_of(card)];
}

void check_hands(const PlayState& state) {
  HandMask seen = 0;
  for (int seat = 0; seat < SEATS; ++seat) {
    const HandMask hand = state.hands[seat];
    if (hand & ~FULL_DECK) reject(std::string(SEAT_NAMES[seat]) + "'s hand has bits beyond the 52 cards");
    if (hand & seen) reject("card " + name_of(std::countr_zero(hand & seen)) + " is held twice");
    seen |= hand;
  }
  for (int i = 0; i < state.on_table(); ++i) {
    const int card = state.trick[i];
    if (seen & bit_of(card)) reject("card " + name_of(card) + " is on the table and also elsewhere");
    seen |= bit_of(card);
  }
}

void check_sizes(const PlayState& state) {
  const int full = count(state.hands[state.to_play()]);
  if (full == 0) reject(std::string(SEAT_NAMES[state.to_play()]) + " is to play but has no cards");
  if (full > RANKS) reject("a hand has " + std::to_string(full) + " cards, more than 13");
  for (int i = 0; i < SEATS; ++i) {
    const int seat = (state.leader + i) & 3;
    const int expected = full - (i < state.on_table());
    if (count(state.hands[seat]) != expected)
      reject(std::string(SEAT_NAMES[seat]) + " holds " + std::to_string(count(state.hands[seat])) +
             " cards where the others imply " + std::to_string(expected));
  }
}

}  // namespace

HandMask PlayState::legal() const {
  const HandMask hand = hands[to_play()];
  if (on_table() == 0) return hand;
  const HandMask follow = hand & suit_mask(suit_of(trick[0]));
  return follow != 0 ? follow : hand;
}

PlayState PlayState::after(int card) const {
  PlayState next = *this;
  const int place = on_table();
  next.hands[to_play()] &= ~bit_of(card);
  if (place < 3) {
    next.trick[place] = card;
    return next;
  }
  const int cards[4] = {trick[0], trick[1], trick[2], card};
  int winner = 0;
  for (int i = 1; i < 4; ++i) {
    const bool same_suit = suit_of(cards[i]) == suit_of(cards[winner]);
    if (same_suit ? cards[i] > cards[winner] : suit_of(cards[i]) == strain) winner = i;
  }
  next.leader = (leader + winner) & 3;
  next.trick = {-1, -1, -1};
  return next;
}

void check(const PlayState& state) {
  if (state.strain < 0 || state.strain >= STRAINS) reject("strain must be 0..4 (C D H S NT)");
  if (state.leader < 0 || state.leader >= SEATS) reject("leader must be 0..3 (N E S W)");
  for (int i = 0; i < 3; ++i) {
    if (state.trick[i] >= CARDS) reject("a card of the trick is not 0..51 or 255 for none");
    if (i > 0 && state.trick[i] >= 0 && state.trick[i - 1] < 0) reject("the cards of the trick must come first, then 255");
  }
  check_hands(state);
  check_sizes(state);
  for (int i = 1; i < state.on_table(); ++i) {
    const int led = suit_of(state.trick[0]), seat = (state.leader + i) & 3;
    if (suit_of(state.trick[i]) != led && (state.hands[seat] & suit_mask(led)))
      reject(std::string(SEAT_NAMES[seat]) + " played " + name_of(state.trick[i]) + " but still holds the suit led");
  }
}

}  // namespace borel
