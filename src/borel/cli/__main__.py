"""`python -m borel.cli` is `borel`."""

from borel.cli import main

main()
