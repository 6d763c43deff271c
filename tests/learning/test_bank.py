"""The deal bank: what goes in comes out, building goes on where it was stopped, symmetries keep results true."""

import itertools

import numpy as np
import pytest

from borel import dd
from borel.compute import Outcome
from borel.dealing import deal_masks
from borel.learning.bank import RECORD, Bank, BankError, build_bank, import_solved, in_order, pack, symmetric


def test_building_stops_and_goes_on(tmp_path):
    path = tmp_path / "small.bank"
    build_bank(path, 3, seed=5)
    with path.open("ab") as file:
        file.write(b"cut")  # as a crash in the middle of a record leaves it
    bank = build_bank(path, 5, seed=5)
    assert len(bank) == 5
    np.testing.assert_array_equal(bank.hands(), deal_masks(5, 5))
    np.testing.assert_array_equal(bank.tricks(), dd.tables(deal_masks(5, 5)))


def test_chunks_that_are_finished_early_wait_for_their_turn():
    chunks = [(0, 2), (2, 2), (4, 1)]
    outcomes = [Outcome(chunk, np.full((chunk[1], RECORD), chunk[0], np.uint8)) for chunk in chunks]
    found = list(in_order(chunks, [outcomes[2], outcomes[0], outcomes[1]]))
    assert [int(records[0, 0]) for records in found] == [0, 2, 4]
    lost = [outcomes[0], Outcome(chunks[1], None, "the process that worked on it died 3 times")]
    with pytest.raises(BankError, match="2 deals from number 2 on: the process that worked on it died"):
        list(in_order(chunks, lost))


def test_a_record_holds_any_result():
    hands = deal_masks(14, 1)
    tricks = np.arange(14 * 20).reshape(14, 5, 4).astype(np.int8) % 14
    records = pack(hands, tricks)
    assert records.shape == (14, RECORD)
    bank = Bank(None, 0, records)
    np.testing.assert_array_equal(bank.hands(), hands)
    np.testing.assert_array_equal(bank.tricks(), tricks)


def test_every_symmetry_keeps_the_results_true():
    hands = deal_masks(1, 3)
    tricks = dd.tables(hands)
    made = [symmetric(hands, tricks, suits, turn) for suits in itertools.permutations(range(4)) for turn in range(4)]
    assert len({tuple(map(int, masks[0])) for masks, _ in made}) == 96
    some = made[::7]
    solved = dd.tables(np.concatenate([masks for masks, _ in some]))
    np.testing.assert_array_equal(solved, np.concatenate([results for _, results in some]))


def test_solved_deals_in_text(tmp_path):
    line = "AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432 d0d00d0dd0d00d0d0000"
    bank = import_solved([line], tmp_path / "text.bank")
    assert bank.tricks()[0, 3].tolist() == [13, 0, 13, 0]  # spades
    assert bank.tricks()[0, 2].tolist() == [0, 13, 0, 13]  # hearts
    with pytest.raises(BankError, match="line 1: not four hands"):
        import_solved(["AKQ"], tmp_path / "other.bank")
    with pytest.raises(BankError, match="there already"):
        import_solved([line], tmp_path / "text.bank")


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "no.bank"
    path.write_bytes(b"something else")
    with pytest.raises(BankError, match="not a bank"):
        Bank.open(path)
    build_bank(tmp_path / "a.bank", 1, seed=1)
    with pytest.raises(BankError, match="begun with seed 1"):
        build_bank(tmp_path / "a.bank", 2, seed=2)
