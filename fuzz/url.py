"""Fuzz the reader of url: `python fuzz/url.py --count 100000`."""

from harness import main

if __name__ == "__main__":
    main("url")
