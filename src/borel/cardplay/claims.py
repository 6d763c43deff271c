"""Claims (Laws 68 to 71): made when every layout and every defence give the same tricks, accepted when they do.

Declarer claims when a plan takes so many tricks in all layouts that are still possible and no layout gives more: then
nothing is left to play for. A defender claims when only winners are left. The claimer's hand is faced, so an opponent
sees all four hands and accepts what double dummy confirms.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import combinations
from random import Random

import numpy as np
from numpy.typing import NDArray

from borel import _core, dd
from borel.cardplay.mending import lowest_card, mended
from borel.cardplay.obvious import obvious, top_winners, unseen_cards
from borel.cardplay.solving import MEMORY_MB
from borel.cards import DECK, Card, Hand, Seat
from borel.deal import Deal
from borel.decision import Decision
from borel.errors import BridgeError, IllegalCardError
from borel.play import Play
from borel.view import PlayView

__all__ = ["Thinker", "accepts", "claim_of", "possible_layouts", "without_thinking"]

MOST_CARDS = 6  # a hand: with more, what is certain without counting layouts is claimed only
MOST_LAYOUTS = 1000
NODES = 3000  # of the search for one plan against everything


def claim_of(view: PlayView, play: Play) -> tuple[int, Card] | None:
    """Declarer's tricks in all and the card to play next, if the rest can be claimed at the beginning of this trick."""
    if play.trick.cards or not play.cards:
        return None
    won, lost = (play.tricks_won(side) for side in (view.contract.side, view.contract.side.other))
    left, declaring = 13 - won - lost, play.turn.side is view.contract.side
    if left == 1:
        return None  # the last trick plays itself
    if (winners := top_winners(view, play)) is not None:
        return won + (left if declaring else 0), winners[0]
    if not declaring or left > MOST_CARDS:
        return None
    certain = _certain_tricks(view, play, left)
    return None if certain is None else (won + certain[0], certain[1])


def _certain_tricks(view: PlayView, play: Play, left: int) -> tuple[int, Card] | None:
    """Declarer's tricks from here on and the first card of the plan that takes them, the same in every layout."""
    layouts = possible_layouts(view, play)
    if layouts is None:
        return None
    declarer = view.contract.declarer
    positions = dd.Positions.of_layouts(layouts, play.strain, play.turn)
    tricks = dd.solve(positions, threads=1, memory_mb=MEMORY_MB)
    if tricks.min() != tricks.max():
        return None
    needed = int(tricks[0])
    if needed == 0:
        return 0, min(play.legal_cards())
    seen = [play.held(declarer).mask, play.held(declarer.partner).mask]
    weights = np.full(len(layouts), 1 / len(layouts))
    try:
        plans, _, _ = _core.squeaky_wheel(
            int(declarer), seen, unseen_cards(view, play), int(play.strain), int(play.turn), [], needed,
            np.ascontiguousarray(layouts[:, declarer.lho]), weights, depth=2 * left, rounds=1, node_limit=NODES,
        )  # fmt: skip
    except ValueError:  # more different layouts than the search holds
        return None
    return (needed, Card.of_index(plans[0][0])) if plans[0][1] > 1 - 1e-9 else None


def possible_layouts(view: PlayView, play: Play) -> NDArray[np.uint64] | None:
    """Every layout of the cards still held that no suit shown out of forbids; None where there are too many."""
    declarer = view.contract.declarer
    first, second = declarer.lho, declarer.rho
    unseen = list(Hand(unseen_cards(view, play)))
    left = len(play.held(play.turn))
    free, kept = list[Card](), {first: list[Card](), second: list[Card]()}
    for card in unseen:
        able = [seat for seat in (first, second) if card.suit not in play.shown_out(seat)]
        if len(able) == 1:
            kept[able[0]].append(card)
        else:
            free.append(card)
    wanted = left - len(kept[first])
    if not 0 <= wanted <= len(free):
        return None
    rows: list[list[int]] = []
    known = {seat: play.held(seat).mask for seat in (declarer, declarer.partner)}
    for chosen in combinations(free, wanted):
        if len(rows) >= MOST_LAYOUTS:
            return None
        mask = sum(card.mask for card in (*chosen, *kept[first]))
        hands = {**known, first: mask, second: sum(card.mask for card in unseen) & ~mask}
        rows.append([hands[seat] for seat in Seat])
    return np.array(rows, np.uint64)


def accepts(view: PlayView, claimer: Seat, faced: Hand, declarer_tricks: int) -> bool:
    """Whether an opponent, who sees the claimer's hand, agrees: double dummy gives the claimer no less."""
    known = view.known_play()
    hands = [known.deal.hand(seat).mask for seat in Seat]
    hands[claimer] = faced.mask
    others = [seat for seat in Seat if seat not in (view.seat, claimer, view.contract.dummy)]
    if len(others) != 1 or view.dummy is None:
        return False
    hands[others[0]] = DECK & ~(hands[view.seat] | hands[claimer] | hands[view.contract.dummy])
    try:
        play = Play(Deal.of_masks((hands[0], hands[1], hands[2], hands[3])), view.contract, known.cards)
        taken = dd.solve(play)
    except BridgeError:
        return False
    won, lost = (play.tricks_won(side) for side in (view.contract.side, view.contract.side.other))
    best = won + (taken if play.turn.side is view.contract.side else 13 - won - lost - taken)
    return best >= declarer_tricks if claimer.side is view.contract.side else best <= declarer_tricks


def without_thinking(view: PlayView, play: Play) -> Decision[Card] | None:
    """A claim, or a card that needs no thought."""
    if (claimed := claim_of(view, play)) is None:
        return obvious(view, play)
    tricks, card = claimed
    won = tricks - play.tricks_won(view.contract.side)
    rest = f"{won} more trick{'s' * (won > 1)} for declarer" if won else "no more tricks for declarer"
    return Decision(card, f"claims: {rest}, however the cards lie", claim=tricks)


class Thinker(ABC):
    """What every card player here does alike: it mends a bad record, plays the obvious, claims, and judges claims."""

    __slots__ = ()

    def decide(self, view: PlayView, *, rng: Random) -> Decision[Card]:
        """A card for the hand whose turn it is; after a revoke play goes on as if it had been followed."""
        try:
            mending = mended(view)
        except IllegalCardError as error:
            return lowest_card(view, error)
        play = mending.view.known_play()
        decision = without_thinking(mending.view, play) or self.think(mending.view, play, rng=rng)
        return mending.told(decision, view)

    @abstractmethod
    def think(self, view: PlayView, play: Play, *, rng: Random) -> Decision[Card]:
        """The card, where there is something to think about."""

    def accepts(self, view: PlayView, claimer: Seat, faced: Hand, declarer_tricks: int) -> bool:
        """Whether the claim stands as far as this seat can see."""
        return accepts(view, claimer, faced, declarer_tricks)
