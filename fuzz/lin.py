"""Fuzz the reader of lin: `python fuzz/lin.py --count 100000`."""

from harness import main

if __name__ == "__main__":
    main("lin")
