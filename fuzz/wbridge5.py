"""Fuzz the reader of wbridge5: `python fuzz/wbridge5.py --count 100000`."""

from harness import main

if __name__ == "__main__":
    main("wbridge5")
