"""Fuzz the condition language: `python fuzz/condition.py --count 100000`.

The promise: any text is a condition or raises a `BridgeError` of one line. Half of the inputs are good scripts with a
few changes, half are made of pieces of the language.
"""

from __future__ import annotations

import argparse
import time
from random import Random

from borel.dealing import compile_condition, deal
from borel.errors import BridgeError
from harness import mutated

PIECES = """
hcp shape hascard controls losers quality cccc pt3 spades ( ) , north s any 4333 5xxx + - * / % && || and or not ! 9
= == != < <= > >= ? : x y 3 0 999999999 AS 10H SAK predeal action condition produce generate altcount pointcount dealer
vulnerable ew title seed "a" // /* */ # 1.5 tricks score imps x3N vul é ♠ balanced stopper fit notrump
""".split()
SPACES = ["\n", "\x00", "  "]

SCRIPTS = [
    "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)",
    "x = hcp(north) + hcp(south)\ny = x > 25 ? hearts(north) : spades(south)\ncondition y >= 4 || hascard(west, AS)",
    "predeal north SAKQ,H2 south C234\nproduce 10\ndealer west\nvulnerable ns\naction printall\nlosers(east) <= 5",
    "pointcount 6 4 2 1\naltcount 3 1 1\n/* all */ hcp(west) - pt3(east, hearts) * 2 % 5 != -1 // end",
    "imps(score(vul, x4H, 10) - score(nonvul, x3NX, hcp(north) / 4)) > 3",
]

DEAL = deal(1, 0)


def text_of(index: int, random: Random) -> str:
    """The next input."""
    if index % 2:
        return " ".join(random.choices(PIECES + SPACES, k=random.randint(1, 30)))
    return mutated(SCRIPTS, PIECES + SPACES, random)


def is_condition(text: str) -> bool:
    """Keep the promise for one text."""
    try:
        compile_condition(text).holds(DEAL)
    except BridgeError as error:
        message = str(error)
    else:
        return True
    assert "\n" not in message, f"an error of several lines: {message}"
    return False


def run(count: int, seed: int) -> int:
    """Fuzz; how many inputs were conditions. The input that breaks the promise is in the error."""
    random, good = Random(seed), 0
    for index in range(count):
        text = text_of(index, random)
        try:
            good += is_condition(text)
        except BaseException as error:
            error.add_note(f"input: {text!r}")
            raise
    return good


def main() -> None:
    """The command line of the target."""
    parser = argparse.ArgumentParser(description="Fuzz the condition language.")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started = time.perf_counter()
    good = run(options.count, options.seed)
    seconds = time.perf_counter() - started
    print(f"condition: {options.count:,} inputs, {good:,} of them conditions, no other error, {seconds:.0f} s")


if __name__ == "__main__":
    main()
