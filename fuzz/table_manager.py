"""Fuzz the lines of the table-manager protocol: any line is understood or a BridgeError of one line.

`python fuzz/table_manager.py --count 100000`
"""

from __future__ import annotations

import argparse
from random import Random

from borel.errors import BridgeError
from borel.table_manager import messages
from harness import mutated

LINES = [
    'Connecting "Borel" as ANYPL using protocol version 18', 'NORTH ("Borel") seated', "North ready for East's bid",
    'Teams : N/S : "a" E/W : "b"', "Board number 8. Dealer WEST. Neither vulnerable.", "WEST PASSES Alert. weak",
    "West's cards : S A T 9 5. H K 6 5. D Q J 8 7 6. C 7.", "Dummy's cards: C -. D 10 9. H A. S K Q.", "East bids 1NT",
    "North plays AS", "Dummy plays 10h", "Timing - N/S : this board 1:15", "Start of board", "End of session",
    "South redoubles Infos. strength", "West to lead", "WEST ready for  NORTH's card to trick 3",
]  # fmt: skip
TOKENS = [
    *"north's dummy's cards : S - . bids plays passes Alert. 10 \" N/S vulnerable. 999999999999 ready for".split(),
    " ",
]
READERS = (
    messages.read_connecting, messages.read_seated, messages.read_teams, messages.read_board, messages.read_cards,
    messages.read_call, messages.read_card, messages.read_ready, messages.is_start, messages.is_end,
    messages.is_timing, messages.is_to_lead,
)  # fmt: skip


def run(count: int, seed: int) -> int:
    """How many of so many mutated lines some reader understood."""
    random, understood = Random(seed), 0
    for _ in range(count):
        line = mutated(LINES, TOKENS, random)
        for reader in READERS:
            try:
                understood += reader(line) is not False
            except BridgeError as error:
                if "\n" in str(error):
                    raise AssertionError(f"an error of several lines: {error!r} for {line!r}") from error
    return understood


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{options.count} lines, {run(options.count, options.seed)} readings")
