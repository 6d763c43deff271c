"""What the card players are worth, each figure with its error.

    python benchmarks/card_play.py mistakes --set wbridge5 --positions 2000 --out mist-wbridge5.jsonl
    python benchmarks/card_play.py plot mist-wbridge5.jsonl --picture mistakes.svg
    python benchmarks/card_play.py declarers --deals 400 --seconds 0.2 --out FILE
    python benchmarks/card_play.py problems --seeds 1
    python benchmarks/card_play.py lessons --resampled 1 --out FILE
    python benchmarks/card_play.py endings --cards 8 --endings 50
    python benchmarks/card_play.py samples --positions 60 --out FILE
    python benchmarks/card_play.py time --boards 10

Long runs append a line of JSON for each position or deal to --out and go on from there when started again.
"""

from __future__ import annotations

import sys

import card_play_declarers
import card_play_endings
import card_play_lessons
import card_play_mistakes
import card_play_plots
import card_play_problems

COMMANDS = {
    "mistakes": card_play_mistakes.main,
    "plot": card_play_plots.main,
    "samples": card_play_mistakes.samples,
    "declarers": card_play_declarers.main,
    "time": card_play_declarers.times,
    "problems": card_play_problems.main,
    "lessons": card_play_lessons.main,
    "endings": card_play_endings.main,
}


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(f"usage: card_play.py {'|'.join(COMMANDS)} ...\n\n{__doc__}")
    COMMANDS[sys.argv[1]](sys.argv[2:])


if __name__ == "__main__":
    main()
