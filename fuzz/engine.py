"""Fuzz the engine protocol: any line gets a legal call or an error. `python fuzz/engine.py --count 100000`."""

from __future__ import annotations

import argparse
import json
import time
from random import Random

from borel.auction import CALL_NAMES, Auction
from borel.cards import ALL_CARDS, Hand, Seat
from borel.policies.engine import answer_line
from borel.policies.rules import RuleBidder

WORDS = [
    "",
    "N",
    "S",
    "None",
    "NS",
    "All",
    "both",
    "P",
    "X",
    "XX",
    "1C",
    "7NT",
    "8S",
    "sayc",
    "nosuch",
    "🂡",
    "\x00",
    "-",
]


def request(random: Random) -> dict[str, object]:
    """A good request: a random hand after a random legal auction."""
    cards = random.sample(range(52), 13)
    auction = Auction(random.choice(list(Seat)))
    for _ in range(random.randrange(12)):
        calls = auction.legal_calls()
        following = auction.after(random.choice(calls[: random.choice((3, 6, 40))]))
        if following.is_over:
            break
        auction = following
    return {
        "hand": str(Hand.of([ALL_CARDS[card] for card in cards])),
        "seat": str(auction.turn),
        "dealer": str(auction.dealer),
        "vul": random.choice(["None", "NS", "EW", "All"]),
        "auction": [str(call) for call in auction.calls],
    }


def spoilt(good: dict[str, object], random: Random) -> str:
    """A request with fields changed, or its text with letters changed."""
    if random.random() < 0.5:
        for _ in range(random.choice((1, 1, 2))):
            key = random.choice([*good, "scoring", "systems", "id", "nonsense"])
            values = (
                random.choice(WORDS),
                random.randrange(-5, 99),
                None,
                [random.choice(WORDS)] * 3,
                {"NS": "sayc"},
                True,
            )
            good[key] = random.choice(values)
        return json.dumps(good)
    text = json.dumps(good)
    for _ in range(random.choice((1, 2, 5))):
        at = random.randrange(len(text) + 1)
        text = (
            text[:at] + random.choice(['"', "{", "]", "1", "S", ".", "\\u", "é", ""]) + text[at + random.randrange(3) :]
        )
    return text


def check(number: int, seed: int, bidder: RuleBidder) -> bool:
    """Answer one line, which its number alone decides; the first broken promise raises. True where it was an error."""
    random = Random(f"{seed}:{number}")
    good = request(random)
    line = json.dumps(good) if random.random() < 0.4 else spoilt(dict(good), random)
    answer = answer_line(line, bidder, rng=Random(0))
    json.dumps(answer)
    if "error" in answer:
        assert "\n" not in answer["error"], answer
    else:
        assert answer["call"] in CALL_NAMES, answer
    if line == json.dumps(good):
        auction = Auction(Seat.parse(str(good["dealer"])))
        for call in good["auction"]:  # type: ignore[attr-defined]
            auction = auction.after(call)
        auction.after(answer["call"])  # an answer to a good request is legal
    return "error" in answer


def main() -> None:
    """Answer lines until the count or the CPU time is reached; `--first` goes on where an earlier run stopped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="the number of the last line")
    parser.add_argument("--first", type=int, default=1, help="the number of the first line")
    parser.add_argument("--seconds", type=float, default=3600, help="of CPU time")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    bidder, errors, number = RuleBidder("sayc"), 0, options.first - 1
    while number < options.count and time.process_time() < options.seconds:
        number += 1
        errors += check(number, options.seed, bidder)
        if number % 1000 == 0:
            print(f"lines {options.first} to {number}, {errors} answered with an error", flush=True)
    print(f"lines {options.first} to {number}, {errors} answered with an error, {time.process_time():.0f} s")


if __name__ == "__main__":
    main()
