import pytest

laws = pytest.importorskip("laws", reason="open_spiel has no wheel here", exc_type=ImportError)


def test_a_thousand_random_boards_agree_with_open_spiel():
    decisions, _ = laws.compare(1000, seed=7)
    assert decisions > 50_000
