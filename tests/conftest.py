"""Fixtures that many tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A developer's run looks somewhere new each time; a run in CI gives the same verdict on the same code.
settings.register_profile(
    "borel", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize="CI" in os.environ
)
settings.register_profile("long", settings.get_profile("borel"), max_examples=5000)
settings.load_profile("borel")

# Tests of Ctrl-C send SIGINT to themselves and to programs they start; run in the background, they would ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of other people's data that BOREL_DATA names; tests that need it are skipped without it."""
    folder = os.environ.get("BOREL_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("BOREL_DATA does not name a folder of test data")
    return Path(folder)
