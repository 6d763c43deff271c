"""Fuzz the reader of pbn: `python fuzz/pbn.py --count 100000`."""

from harness import main

if __name__ == "__main__":
    main("pbn")
