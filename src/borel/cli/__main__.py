"""`python -m borel.cli` is `borel`."""

from borel.cli import main

if __name__ == "__main__":
    main()
