"""Absurd sizes end in an error within the stated limits, and fuzzing finds no other error."""

import tracemalloc

import pytest

from borel.formats import FORMATS, Report
from borel.formats.report import MAX_LINE
from harness import run

GOOD = {
    "pbn": '\n\n[Board "7"]\n[Contract "Pass"]\n',
    "lin": "\nqx|o7|md|1SAK,,,|\n",
    "url": "\nhttps://x?b=7&n=sak\n",
    "jsonl": '\n{"board": 7}\n',
    "wbridge5": "\n" + " ".join(map(str, range(52))) + " 52 52 52 52\n",
}
STARTS = {"pbn": '[Event "', "lin": "qx|o1|nt|", "url": "https://x?n=", "jsonl": '{"board": "', "wbridge5": ""}


class Endless:
    """A handle that makes up its text as it goes, so that the test itself needs no memory."""

    def __init__(self, start, filler, count, end):
        self.pieces = iter([start, *[filler] * count, end])
        self.buffer = ""

    def readline(self, size=-1, /):
        while "\n" not in self.buffer and len(self.buffer) < size:
            piece = next(self.pieces, None)
            if piece is None:
                break
            self.buffer += piece
        end = self.buffer.find("\n") + 1 or len(self.buffer)
        end = min(end, size) if size >= 0 else end
        line, self.buffer = self.buffer[:end], self.buffer[end:]
        return line


@pytest.mark.parametrize("name", FORMATS)
def test_a_line_of_a_hundred_million_characters_is_one_error(name):
    errors = []
    handle = Endless(STARTS[name], "1" * 100_000, 1_000, GOOD[name])
    tracemalloc.start()
    records = list(FORMATS[name].load(handle, Report(on_bad=errors.append)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [str(error) for error in errors] == [f"a line of more than {MAX_LINE:,} characters (line 1)"]
    assert len(records) == 1, "the good record after it is not lost"
    assert peak < 30_000_000


@pytest.mark.parametrize(
    ("name", "filler"),
    [("pbn", '[A{} "x"]\n'), ("pbn", "row\n"), ("pbn", "%\n"), ("lin", "an|x|\n"), ("lin", "text\n")],
)
def test_a_record_of_a_million_lines_is_one_error(name, filler):
    errors = []
    lines = "".join(filler.format(i) for i in range(100_000))
    text = (
        (STARTS[name] + '"]\n' if name == "pbn" else "qx|o1|nt|")
        + lines
        + (GOOD[name] if name == "pbn" else "|" + GOOD[name])
    )
    records = FORMATS[name].loads(text, Report(on_bad=errors.append))
    assert len(errors) == 1
    assert "more than" in str(errors[0])
    assert [record.number for record in records] == [7]


@pytest.mark.parametrize("name", FORMATS)
def test_mutated_files_raise_nothing_but_bridge_errors(name):
    good, bad = run(name, count=300, seed=2)
    assert good > 20, "the mutations must leave something to read"
    assert bad > 20, "and break something"


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_many_mutated_files_raise_nothing_but_bridge_errors(name):
    assert all(run(name, count=10_000, seed=3))
