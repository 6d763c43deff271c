"""One server for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from running import Running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(str(tmp_path_factory.mktemp("web") / "tables.sqlite"))
    yield running
    running.close()
