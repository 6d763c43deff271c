"""A bank of solved deals for the laboratory, its results estimated."""

import pytest
from estimated_bank import estimated

from borel.dealing import deal_masks
from borel.learning.bank import Bank, build_bank, pack


@pytest.fixture(scope="session")
def bank(tmp_path_factory):
    path = tmp_path_factory.mktemp("bank") / "made.bank"
    build_bank(path, 0, seed=1)
    masks = deal_masks(3000, 1)
    with path.open("ab") as file:
        file.write(pack(masks, estimated(masks)).tobytes())
    return Bank.open(path)
