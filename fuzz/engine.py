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


def main() -> None:
    """Answer lines until the count or the time is reached; the first broken promise raises."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    bidder, random, began, errors = RuleBidder("sayc"), Random(options.seed), time.monotonic(), 0
    done = 0
    while done < options.count and time.monotonic() - began < options.seconds:
        good = request(random)
        line = json.dumps(good) if random.random() < 0.4 else spoilt(dict(good), random)
        answer = answer_line(line, bidder, rng=Random(0))
        json.dumps(answer)
        if "error" in answer:
            errors += 1
            assert "\n" not in answer["error"], answer
        else:
            assert answer["call"] in CALL_NAMES, answer
        if line == json.dumps(good):
            auction = Auction(Seat.parse(str(good["dealer"])))
            for call in good["auction"]:  # type: ignore[attr-defined]
                auction = auction.after(call)
            auction.after(answer["call"])  # an answer to a good request is legal
        done += 1
    print(f"{done} lines, {errors} answered with an error, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
