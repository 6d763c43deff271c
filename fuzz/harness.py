"""What the fuzz targets share: mutations of good files, and the promise that is tested.

The promise: whatever the input, reading it ends, and raises nothing but `BridgeError`; and every record that was read
can be written as PBN and JSON lines and reads back as the same record.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from borel.errors import BridgeError
from borel.formats import FORMATS, Report, jsonl, pbn

CORPUS = Path(__file__).parent.parent / "tests" / "data" / "formats"
TOKENS = {  # what each format gives a meaning to
    "pbn": [*'[Auction "N"] [Play "E"] [Deal "N: [Event # ## { } ; % AP + * - =1= $3 ^S "]'.split(" "), "\n", "\n\n"],
    "lin": [*"qx|o1| md|3 mb|1N!| an| pc|SA| mc|13| sv|b| vg|,,I,1, rs| pn| nt| | ||".split(), "\n"],
    "url": [*"?lin= &n= &a=1c(x) &p=d2 &c=9 %7C % + & = https://".split(), "\n"],
    "jsonl": [*'{" "auction":"1C "play":" "tags":[ null true 1e999 [[[ ] } \\ud800 ":'.split(), "\n"],
    "wbridge5": ["52 ", "89 ", "53 54 ", "51 ", "-1 ", "1000000 ", "\n"],
}


def mutated(texts: list[str], tokens: list[str], random: Random) -> str:
    """One of the texts after a few random changes: characters, tokens, pieces repeated, moved, cut or joined."""
    text = random.choice(texts)
    if random.random() < 0.5:  # a piece of a file gets deeper than the whole
        start = random.randrange(len(text))
        text = text[start : start + random.randrange(1, 3000)] if random.random() < 0.5 else text[: start + 1]
    for _ in range(random.choice((1, 1, 2, 3, 8))):
        at, length = random.randrange(len(text) + 1), random.choice((1, 2, 5, 30))
        kind = random.randrange(7)
        if kind == 0:
            text = (
                text[:at] + chr(random.choice((random.randrange(32, 127), random.randrange(0x3000)))) + text[at + 1 :]
            )
        elif kind == 1:
            text = text[:at] + text[at + length :]
        elif kind == 2:
            text = text[:at] + random.choice(tokens) + text[at:]
        elif kind == 3:
            text = text[:at] + text[at : at + length] * random.choice((2, 2, 50)) + text[at + length :]
        elif kind == 4:
            other = random.choice(texts)
            begin = random.randrange(len(other))
            text = text[:at] + other[begin : begin + random.choice((10, 200))] + text[at:]
        elif kind == 5:
            text = text[:at] + random.choice("SHDCNEWXPAKQJT23456789 \n") + text[at + 1 :]
        else:
            text = text[:at]
    return text


def check(name: str, text: str) -> tuple[int, int]:
    """Read a text and keep the promise; how many records were good and how many bad."""
    report = Report(on_bad=_is_one_line)
    records = FORMATS[name].loads(text, report)  # type: ignore[attr-defined]  # every module has it
    for module in (pbn, jsonl):
        again = module.loads(module.dumps(records))
        assert again == records, f"{module.__name__} changed a record"
    return report.records, report.bad_records


def _is_one_line(error: BridgeError) -> None:
    assert isinstance(error, BridgeError)
    message = str(error)
    assert "\n" not in message, f"an error of several lines: {message!r}"
    assert len(message) < 2000, f"an error of {len(message)} characters"


def inputs(name: str, count: int, seed: int) -> Iterator[str]:
    """So many mutated texts of a format."""
    extensions = {"wbridge5": ".txt"}
    pattern = f"*{extensions.get(name, '.' + name)}"
    texts = [path.read_text(encoding="utf-8") for path in sorted(CORPUS.glob(pattern))]
    random = Random(seed)
    for _ in range(count):
        yield mutated(texts, TOKENS[name], random)


def run(name: str, count: int, seed: int) -> tuple[int, int]:
    """Fuzz a format; the records that were good and bad. The input that breaks the promise is in the error."""
    good = bad = 0
    for text in inputs(name, count, seed):
        try:
            records = check(name, text)
        except BaseException as error:
            error.add_note(f"input: {text!r}")
            raise
        good, bad = good + records[0], bad + records[1]
    return good, bad


def main(name: str) -> None:
    """The command line of a target."""
    parser = argparse.ArgumentParser(description=f"Fuzz the {name} reader.")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started = time.perf_counter()
    good, bad = run(name, options.count, options.seed)
    seconds = time.perf_counter() - started
    print(f"{name}: {options.count:,} inputs, {good:,} good and {bad:,} bad records, no other error, {seconds:.0f} s")
