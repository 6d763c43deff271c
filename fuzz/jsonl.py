"""Fuzz the reader of jsonl: `python fuzz/jsonl.py --count 100000`."""

from harness import main

if __name__ == "__main__":
    main("jsonl")
