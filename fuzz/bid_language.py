"""Fuzz the rule language: any text is a system or a BridgeError of one line. `python fuzz/bid_language.py`.

What can be read is also bid with: every position of a short auction must give options without another exception.
"""

from __future__ import annotations

import argparse
import time
from random import Random

from borel.errors import BridgeError
from borel.systems import Situation
from borel.systems.hand import features_of
from borel.systems.loader import data_folder, read_system

PIECES = """
open after whenever never let include convention drop title system replace otherwise 1NT 2C 1M 2X 3-4M *Y 2* pass X XX
(P) (1Y) (X) ... 15-17 5+ <4 hcp points(M) balanced S >= H stopper(theirs) each any unbid major fit(F) combined.min
partner.max(X) forced and or not ( ) , "text" forcing asks alert using stayman priority high low 700 seats 1-3 for in D
when through 2S named shows agrees cheapest jump game F slam n+1Y (nY) n k quality other(M) side = != 4441
shape keycards(F) missing.aces # |
""".split()
HAND = features_of(0b1111111111111)


def texts() -> list[str]:
    """Blocks of the systems that come with Borel."""
    blocks: list[str] = []
    for path in sorted(data_folder().rglob("*.bid")):
        blocks += [block for block in path.read_text(encoding="utf-8").split("\n\n") if block.strip()]
    return blocks


def made(blocks: list[str], random: Random) -> str:
    """Pieces at random, or a block with a few changes."""
    if random.random() < 0.3:
        lines = []
        for _ in range(random.randrange(1, 6)):
            words = " ".join(random.choice(PIECES) for _ in range(random.randrange(1, 9)))
            lines.append(("  " if random.random() < 0.7 else "") + words)
        return "\n".join(lines)
    text = random.choice(blocks)
    for _ in range(random.choice((1, 1, 2, 4))):
        at, length = random.randrange(len(text) + 1), random.choice((0, 1, 2, 6))
        text = (
            text[:at]
            + random.choice([random.choice(PIECES), chr(random.randrange(32, 0x300)), ""])
            + text[at + length :]
        )
    return text


def main() -> None:
    """Read texts until the count or the time is reached; anything but a BridgeError is a bug and raises."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    blocks, random, began, good, done = texts(), Random(options.seed), time.monotonic(), 0, 0
    while done < options.count and time.monotonic() - began < options.seconds:
        text = made(blocks, random)
        done += 1
        try:
            system = read_system(text, "fuzz.bid")
            start = Situation((system, system)).start()
            for calls in ((), (7, 0), (5,), (3, 4, 1), (7, 0, 8, 0)):
                position = start
                for call in calls:
                    position = position.after(call)
                position.choose(HAND)
        except BridgeError as error:
            if "\n" in str(error):
                raise AssertionError(f"an error of several lines: {error}") from error
            continue
        except Exception:
            print(text)
            raise
        good += 1
    print(f"{done} texts, {good} of them systems, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
