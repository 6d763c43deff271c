"""Hypothesis strategies for bridge values: every generated value is legal."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from borel import ALL_CALLS, ALL_CARDS, Auction, Card, Contract, Deal, Hand, Play, Seat, Strain, Vulnerability

cards = st.sampled_from(ALL_CARDS)
calls = st.sampled_from(ALL_CALLS)
seats = st.sampled_from(Seat)
strains = st.sampled_from(Strain)
vulnerabilities = st.sampled_from(Vulnerability)
hands = st.sets(cards, max_size=13).map(Hand.of)
randoms = st.integers(0, 2**32).map(Random)
contracts = st.builds(Contract, st.integers(1, 7), strains, seats, st.integers(0, 2))


def shuffled_deal(random: Random, size: int = 13) -> Deal:
    """A random deal with so many cards a hand."""
    deck: list[Card] = random.sample(ALL_CARDS, 4 * size)
    n, e, s, w = (Hand.of(deck[i * size : (i + 1) * size]) for i in range(4))
    return Deal((n, e, s, w))


@st.composite
def deals(draw: st.DrawFn, size: int = 13) -> Deal:
    """A complete deal, or an ending when ``size`` is smaller."""
    return shuffled_deal(draw(randoms), size)


@st.composite
def partial_deals(draw: st.DrawFn) -> Deal:
    """A deal of which some cards are unknown."""
    deal, keep = draw(deals()), draw(st.integers(0, 2**52 - 1))
    n, e, s, w = (Hand(hand.mask & keep) for hand in deal)
    return Deal((n, e, s, w))


def random_auction(random: Random, dealer: Seat, *, complete: bool) -> Auction:
    """Legal calls at random, passes as likely as all others together, so that auctions have realistic lengths."""
    auction = Auction(dealer)
    while not auction.is_over:
        if not complete and random.random() < 0.1:
            break
        legal = auction.legal_calls()
        # low bids are likelier, so that auctions climb step by step
        choice = legal[0] if random.random() < 0.5 else legal[min(int(random.expovariate(0.3)), len(legal) - 1)]
        auction = auction.after(choice)
    return auction


@st.composite
def auctions(draw: st.DrawFn, *, complete: bool = False) -> Auction:
    """A legal auction, finished if ``complete``."""
    return random_auction(draw(randoms), draw(seats), complete=complete)


@st.composite
def plays(draw: st.DrawFn) -> Play:
    """A legal play, broken off anywhere."""
    play, random = Play(draw(deals()), draw(contracts)), draw(randoms)
    for _ in range(draw(st.integers(0, 52))):
        play = play.after(random.choice(play.legal_cards()))
    return play
