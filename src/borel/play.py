"""The play of the cards (Laws 41-46, 68-71)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from borel.auction import Contract
from borel.cards import SUIT_MASK, Card, Hand, Seat, Side, Strain, Suit
from borel.deal import Deal
from borel.errors import IllegalCardError

__all__ = ["Claim", "Play", "Trick", "trick_winner"]


@dataclass(frozen=True, slots=True)
class Trick:
    """Up to four cards in the order played, and who led."""

    leader: Seat
    cards: tuple[Card, ...]

    def winner(self, strain: Strain) -> Seat:
        """Who is winning the trick so far."""
        return Seat((self.leader + trick_winner(self.cards, strain)) % 4)

    def card_of(self, seat: Seat) -> Card | None:
        """The card a seat played to this trick."""
        turn = self.leader.turns_to(seat)
        return self.cards[turn] if turn < len(self.cards) else None


def trick_winner(cards: tuple[Card, ...], strain: Strain) -> int:
    """The position of the winning card: the highest trump, else the highest of the suit led (Law 44E, F)."""
    best, trumps = 0, strain.suit
    for position in range(1, len(cards)):
        card, high = cards[position], cards[best]
        if card.suit == high.suit:
            if card.rank > high.rank:
                best = position
        elif card.suit is trumps:
            best = position
    return best


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim or concession (Law 68): after how many cards, by whom, and declarer's tricks in all if it stands."""

    after_cards: int
    declarer_tricks: int
    claimer: Seat | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """The cards played to a contract so far. Always legal: a revoke or a card not held raises when it is played.

    >>> deal = Deal.parse("N:AK... QJ... T9... 87...")
    >>> play = Play(deal, Contract.parse("1NT by S")).after("S8").after("SA")
    >>> play.turn, play.legal_cards()
    (Seat.E, (Card.parse('SQ'), Card.parse('SJ')))
    >>> play.after("SA")
    Traceback (most recent call last):
    borel.errors.IllegalCardError: SA is not legal for E after S8 SA: not held
    """

    deal: Deal
    contract: Contract
    cards: tuple[Card, ...] = ()
    claim: Claim | None = None
    _held: tuple[int, int, int, int] = field(init=False, repr=False, compare=False)
    _turn: Seat = field(init=False, repr=False, compare=False)
    _won: tuple[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cards, claim = self.cards, self.claim
        object.__setattr__(self, "cards", ())
        object.__setattr__(self, "claim", None)
        object.__setattr__(self, "_held", self.deal.masks)
        object.__setattr__(self, "_turn", self.contract.leader)
        object.__setattr__(self, "_won", (0, 0))
        for card in cards:
            _play(self, card)
        if claim is not None:
            _check_claim(self, claim)
            object.__setattr__(self, "claim", claim)

    def after(self, card: Card | str) -> Play:
        """The play with one more card."""
        play = _copy(self)
        _play(play, Card.parse(card) if isinstance(card, str) else card)
        return play

    def after_all(self, cards: Iterable[Card]) -> Play:
        """The play with several more cards."""
        play = _copy(self)
        for card in cards:
            _play(play, card)
        return play

    def claimed(self, declarer_tricks: int, claimer: Seat | None = None) -> Play:
        """The play ended by a claim: declarer's tricks in all, those already won included."""
        return Play(self.deal, self.contract, self.cards, Claim(len(self.cards), declarer_tricks, claimer))

    @property
    def strain(self) -> Strain:
        """The contract's strain."""
        return self.contract.strain

    @property
    def turn(self) -> Seat:
        """Whose card is played next; declarer decides for dummy."""
        return self._turn

    @property
    def is_over(self) -> bool:
        """All cards played, or a claim made."""
        return self.claim is not None or not any(self._held)

    @property
    def trick(self) -> Trick:
        """The trick in progress; empty between tricks."""
        count = len(self.cards) % 4
        return Trick(Seat((self._turn - count) % 4), self.cards[len(self.cards) - count :])

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """Every trick, the one in progress last if it has begun."""
        tricks, leader = [], self.contract.leader
        for i in range(0, len(self.cards), 4):
            trick = Trick(leader, self.cards[i : i + 4])
            tricks.append(trick)
            leader = trick.winner(self.strain)
        return tuple(tricks)

    def tricks_won(self, side: Side) -> int:
        """The complete tricks a side has won, a claim not counted."""
        return self._won[side]

    @property
    def declarer_tricks(self) -> int:
        """Declarer's tricks: as claimed if there was a claim, otherwise those won so far."""
        return self.claim.declarer_tricks if self.claim else self._won[self.contract.side]

    def held(self, seat: Seat) -> Hand:
        """What a seat still holds."""
        return Hand(self._held[seat])

    @property
    def remaining(self) -> Deal:
        """The cards not yet played."""
        return Deal.of_masks(self._held)

    @property
    def dummy(self) -> Hand | None:
        """Dummy's original hand, which is faced after the opening lead (Law 41D)."""
        return self.deal.hand(self.contract.dummy) if self.cards else None

    def why_illegal(self, card: Card) -> str | None:
        """The reason a card may not be played now; None if it may."""
        if self.is_over:
            return "the play is over"
        held = self._held[self._turn]
        if not held & card.mask:
            return "not held"
        count = len(self.cards) % 4
        if count:
            led = self.cards[len(self.cards) - count].suit
            if card.suit != led and held >> 13 * led & SUIT_MASK:
                return f"a revoke, {led.word} were led (Law 44C)"
        return None

    def legal_mask(self) -> int:
        """The legal cards as a 52-bit set; empty when the play is over."""
        if self.is_over:
            return 0
        held = self._held[self._turn]
        count = len(self.cards) % 4
        if count:
            led = self.cards[len(self.cards) - count].suit
            following = held & SUIT_MASK << 13 * led
            return following or held
        return held

    def legal_cards(self) -> tuple[Card, ...]:
        """The legal cards, spades first and high cards first; none when the play is over."""
        return tuple(Hand(self.legal_mask()))

    def shown_out(self, seat: Seat) -> frozenset[Suit]:
        """The suits a seat is known to have no more of, because it failed to follow."""
        void: set[Suit] = set()
        for trick in self.tricks:
            card = trick.card_of(seat)
            if card is not None and card.suit != trick.cards[0].suit:
                void.add(trick.cards[0].suit)
        return frozenset(void)


def _copy(play: Play) -> Play:
    """A second object with the same fields, to be extended before anyone sees it."""
    copy = object.__new__(Play)
    for name in ("deal", "contract", "cards", "claim", "_held", "_turn", "_won"):
        object.__setattr__(copy, name, getattr(play, name))
    return copy


def _play(play: Play, card: Card) -> None:
    """Add a card to a play under construction, or raise."""
    reason = play.why_illegal(card)
    if reason is not None:
        recent = " ".join(map(str, play.cards[-8:]))
        after = f" after {recent}" if recent else ""
        raise IllegalCardError(f"{card} is not legal for {play.turn}{after}: {reason}")
    held = list(play._held)
    held[play._turn] &= ~card.mask
    cards = (*play.cards, card)
    object.__setattr__(play, "cards", cards)
    object.__setattr__(play, "_held", tuple(held))
    if len(cards) % 4:
        object.__setattr__(play, "_turn", play._turn.lho)
        return
    leader = play._turn.lho  # the fourth player's left-hand opponent led
    winner = Seat((leader + trick_winner(cards[-4:], play.strain)) % 4)
    won = list(play._won)
    won[winner.side] += 1
    object.__setattr__(play, "_turn", winner)
    object.__setattr__(play, "_won", tuple(won))


def _check_claim(play: Play, claim: Claim) -> None:
    """A claim must come after the last card played and leave declarer a possible number of tricks."""
    if claim.after_cards != len(play.cards):
        raise IllegalCardError(f"a claim after {claim.after_cards} cards, but {len(play.cards)} were played")
    total = len(play.deal.hand(play.contract.leader))
    low, high = play._won[play.contract.side], total - play._won[play.contract.side.other]
    if not low <= claim.declarer_tricks <= high:
        wrong = f"a claim of {claim.declarer_tricks} tricks for declarer"
        raise IllegalCardError(f"{wrong}, who has {low} and can reach {high}")
