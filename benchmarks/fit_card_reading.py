"""The constants by which cards are read, fitted to the recorded boards kept for fitting: how the cards really fell.

    python benchmarks/fit_card_reading.py --set wbridge5 --positions 1500

MISTAKE (borel/cardplay/reading.py): the chance of a card falls by this factor for each trick that it gives away; by
maximum likelihood over the different cards of a defender's hand. TRUST (signals.py): how often a spot card that could
signal was chosen to, the others falling by chance. AGREED (agreements.py): how often the opening lead is the agreed
card of its suit. LEAD_WEIGHT (choice.py) is judged by what the textbook's lead costs against the one that was made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import log, sqrt
from random import Random

from borel import BridgeError, Play, dd
from borel.cardplay.agreements import STANDARD, lead_chances, lead_from, signal_order, wants_high
from borel.cardplay.signals import meaning_of
from borel.cardplay.worth import equals_of
from borel.cards import Card, Seat
from borel.record import Record
from card_play_mistakes import FILES, arguments, fitting_half, mean, records


def plays(name: str) -> Iterator[tuple[Record, Play]]:
    """The recorded plays of the training half that are legal to the end."""
    every = records(name)
    for number, _ in fitting_half(every):
        record = every[number]
        try:
            assert record.deal is not None
            assert record.contract is not None
            yield record, Play(record.deal, record.contract, record.cards)
        except BridgeError:
            continue


def mistake(name: str, count: int, seed: int) -> str:
    """The likeliest factor for a trick, from defenders' cards of the fourth trick and later ones."""
    random, seen = Random(seed), list[tuple[int, list[int]]]()
    every = list(plays(name))
    random.shuffle(every)
    for _, whole in every:
        if len(seen) >= count:
            break
        if len(whole.cards) < 16:
            continue
        k = random.randrange(12, len(whole.cards))
        play = Play(whole.deal, whole.contract, whole.cards[:k])
        different = {equals_of(play, card): card for card in play.legal_cards()}
        if play.turn.side is play.contract.side or len(different) < 2:
            continue
        values = dd.card_values(play)
        best = max(values.values())
        seen.append((best - values[whole.cards[k]], [best - values[card] for card in different.values()]))

    def likelihood(factor: float) -> float:
        return sum(cost * log(factor) - log(sum(factor**c for c in costs)) for cost, costs in seen)

    grid = [step / 100 for step in range(2, 100)]
    best_factor = max(grid, key=likelihood)
    inside = [f for f in grid if likelihood(f) > likelihood(best_factor) - 1.92]  # 95% by the likelihood ratio
    wrong = sum(cost > 0 for cost, _ in seen) / len(seen)
    gain = (likelihood(best_factor) - likelihood(0.45)) / len(seen)
    return (
        f"MISTAKE {best_factor:.2f} ({inside[0]:.2f} to {inside[-1]:.2f}) from {len(seen)} cards, {wrong:.1%} of them "
        f"mistakes; {gain:.4f} nats a card better than 0.45"
    )


def signal(play: Play, k: int, agreed: Counter[str], said: set[tuple[Seat, int]]) -> None:
    """Count whether the card k, if it is a defender's first spot card of a suit, is the agreed one."""
    before, card = Play(play.deal, play.contract, play.cards[:k]), play.cards[k]
    seat, trick = before.turn, before.trick
    if seat.side is play.contract.side or (seat, card.suit) in said:
        return
    ours = trick.leader.side is seat.side
    meaning = meaning_of((*trick.cards, card), len(trick.cards), card, play.strain, leads_for_us=ours)
    if meaning is None:
        return
    said.add((seat, card.suit))
    mask = before.held(seat).suit_mask(card.suit)
    order = signal_order(mask, meaning, STANDARD)
    if len(order) > 1 and wants_high(mask, meaning, STANDARD) is not None:
        kind = "partner's lead" if meaning == "attitude" and card.suit is trick.cards[0].suit else meaning
        kind = "discard" if card.suit is not trick.cards[0].suit else kind
        agreed[kind] += 1
        agreed[f"{kind} as agreed"] += order[0] == card.rank
        agreed[f"{kind} by chance"] += round(1000 / len(order))


def signals(name: str, boards: int) -> list[str]:
    counts: Counter[str] = Counter()
    for number, (_, play) in enumerate(plays(name)):
        if number >= boards:
            break
        said: set[tuple[Seat, int]] = set()
        for k in range(len(play.cards)):
            signal(play, k, counts, said)
    found = []
    for kind in ("partner's lead", "count", "discard"):
        n = counts[kind]
        share, chance = counts[f"{kind} as agreed"] / n, counts[f"{kind} by chance"] / n / 1000
        half = 1.96 * sqrt(share * (1 - share) / n)
        trust = (share - chance) / (1 - chance)
        found.append(f"TRUST, {kind}: {trust:.2f}: {share:.1%} ± {half:.1%} of {n} as agreed, by chance {chance:.1%}")
    return found


def leads(name: str) -> str:
    """The share of agreed cards among the opening leads, and how likely the model thinks the leads were."""
    agreed, total, likely = 0, 0, 0.0
    for record, play in plays(name):
        lead = play.cards[0]
        hand = play.deal.hand(play.contract.leader)
        notrump = play.contract.strain.suit is None
        total += 1
        trumps = lead.suit is play.contract.strain.suit
        usual = lead_from(hand.suit_mask(lead.suit), notrump=notrump, trumps=trumps)
        agreed += lead == Card(lead.suit, type(lead.rank)(usual))
        if record.auction is not None:
            likely += log(0.02 + lead_chances(hand, play.contract, record.auction)[lead])
    share = agreed / total
    half = 1.96 * sqrt(share * (1 - share) / total)
    return f"AGREED {share:.1%} ± {half:.1%} of {total} leads; {likely / total:.3f} nats a lead"


def textbook_leads(name: str, count: int, seed: int) -> str:
    """What the lead that the model likes best costs double dummy, against the lead that was made."""
    random, ours, theirs = Random(seed), list[float](), list[float]()
    every = [(record, play) for record, play in plays(name) if record.auction is not None]
    for record, whole in random.sample(every, min(count, len(every))):
        assert record.auction is not None
        values = dd.card_values(Play(whole.deal, whole.contract))
        best = max(values.values())
        chances = lead_chances(whole.deal.hand(whole.contract.leader), whole.contract, record.auction)
        ours.append(float(best - values[max(chances, key=lambda card: chances[card])]))
        theirs.append(float(best - values[whole.cards[0]]))
    more = mean([a - b for a, b in zip(ours, theirs, strict=True)])
    return (
        f"LEAD_WEIGHT: {len(ours)} textbook leads cost {mean(ours)[0]:.3f} tricks, those made {mean(theirs)[0]:.3f}: "
        f"{more[0]:+.3f} ± {more[1]:.3f}"
    )


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--set", choices=FILES, default="wbridge5")
    parser.add_argument("--positions", type=int, default=1500)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--leads", type=int, default=70)
    given = parser.parse_args()
    print(leads(given.set))
    print("\n".join(signals(given.set, given.boards)))
    print(mistake(given.set, given.positions, given.seed))
    print(textbook_leads(given.set, given.leads, given.seed))


if __name__ == "__main__":
    main()
