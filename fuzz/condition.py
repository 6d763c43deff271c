"""Fuzz the condition language: any text is a condition or a BridgeError. `python fuzz/condition.py 100000`.

Half of the inputs are made of pieces of the language, half are real scripts with letters changed, cut or doubled.
"""

from __future__ import annotations

import sys
import time
from random import Random

from borel.dealing import compile_condition, deal
from borel.errors import BridgeError

PIECES = """
hcp shape hascard controls losers quality cccc pt3 spades ( ) , north s any 4333 5xxx + - * / % && || and or not ! 9
= == != < <= > >= ? : x y 3 0 999999999 AS 10H SAK predeal action condition produce generate altcount pointcount dealer
vulnerable ew title seed "a" // /* */ # 1.5 tricks é ♠ balanced stopper fit notrump
""".split()
SPACES = ["\n", "\x00", "  "]

SCRIPTS = [
    "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)",
    "x = hcp(north) + hcp(south)\ny = x > 25 ? hearts(north) : spades(south)\ncondition y >= 4 || hascard(west, AS)",
    "predeal north SAKQ,H2 south C234\nproduce 10\ndealer west\nvulnerable ns\naction printall\nlosers(east) <= 5",
    "pointcount 6 4 2 1\naltcount 3 1 1\n/* all */ hcp(west) - pt3(east, hearts) * 2 % 5 != -1 // end",
]

DEAL = deal(1, 0)


def mutated(text: str, random: Random) -> str:
    """A text with a few letters dropped, doubled, changed or moved."""
    letters = list(text)
    for _ in range(random.randint(1, 6)):
        place = random.randrange(len(letters) + 1)
        action = random.randrange(4)
        if action == 0:
            del letters[place : place + random.randint(1, 5)]
        elif action == 1:
            letters[place:place] = letters[place : place + random.randint(1, 20)]
        elif action == 2:
            letters.insert(place, chr(random.choice([random.randrange(32, 127), random.randrange(0x2FFF), 10, 0])))
        else:
            letters.insert(place, random.choice(PIECES))
    return "".join(letters)


def made(random: Random) -> str:
    """A text of pieces of the language."""
    return " ".join(random.choices(PIECES + SPACES, k=random.randint(1, 30)))


def main() -> None:
    """Try so many inputs and say how many were conditions; anything but a BridgeError ends the run with its input."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    random, good, start = Random(1), 0, time.perf_counter()
    for index in range(count):
        text = made(random) if index % 2 else mutated(random.choice(SCRIPTS), random)
        try:
            compile_condition(text).holds(DEAL)
            good += 1
        except BridgeError:
            pass
        except Exception:
            print(f"input {index}: {text!r}", file=sys.stderr)
            raise
    seconds = time.perf_counter() - start
    print(f"{count:,} inputs, {good:,} of them conditions, no other error; {seconds:.0f} s")


if __name__ == "__main__":
    main()
