"""A bank of deals with their twenty double-dummy results: the fuel of learning. 23 bytes a deal, memory-mapped.

The file begins with a line of JSON, padded to 256 bytes, that says what it is; then come records of 13 bytes of cards
(two bits a card: its owner) and 10 bytes of results (four bits each, strain by strain, declarers N E S W). Records are
only ever appended, so building can be stopped at any time and gone on with.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from borel import compute, dd
from borel.deal import Deal
from borel.dealing import Dealer
from borel.errors import BridgeError

__all__ = ["Bank", "BankError", "build_bank", "import_solved", "symmetric"]

FORMAT, VERSION = "borel-bank", 1
HEADER, CARDS, RESULTS = 256, 13, 10
RECORD = CARDS + RESULTS
IMPORTED = -1  # instead of a seed: the deals come from a file
CHUNK = 200  # deals solved between two writes: some seconds of this machine's work
SHARE = 25  # ... of one processor's of a cluster

Hands = NDArray[np.uint64]
Tricks = NDArray[np.int8]
Chunk = tuple[int, int]  # the first deal's number, how many


class BankError(BridgeError):
    """A file that is no bank, or not one of this version."""


@dataclass(frozen=True, slots=True)
class Bank:
    """An open bank: its deals by number."""

    path: Path
    seed: int
    records: NDArray[np.uint8]

    @classmethod
    def open(cls, path: Path) -> Bank:
        """Map a bank into memory; a record cut short at the end is left out."""
        seed = _seed_of(path)
        count = (path.stat().st_size - HEADER) // RECORD
        if count == 0:
            return cls(path, seed, np.zeros((0, RECORD), np.uint8))
        return cls(path, seed, np.memmap(path, np.uint8, "r", offset=HEADER, shape=(count, RECORD)))

    def __len__(self) -> int:
        return len(self.records)

    @property
    def name(self) -> str:
        """How many deals, and a fingerprint of them: what was learnt from one bank is not measured on another."""
        return f"{len(self):,} deals ({sha256(self.records.data).hexdigest()[:12]})"

    def hands(self, rows: NDArray[np.int64] | slice = slice(None)) -> Hands:
        """[n, 4]: the hands of some deals."""
        packed = np.asarray(self.records[rows, :CARDS])
        owners = np.stack([packed >> shift & 3 for shift in (0, 2, 4, 6)], axis=2).reshape(len(packed), 52)
        bits = np.uint64(1) << np.arange(52, dtype=np.uint64)
        return np.stack([np.where(owners == seat, bits, np.uint64(0)).sum(axis=1) for seat in range(4)], axis=1)

    def tricks(self, rows: NDArray[np.int64] | slice = slice(None)) -> Tricks:
        """[n, strain, declarer]: the results of some deals."""
        packed = np.asarray(self.records[rows, CARDS:])
        pairs = np.stack([packed & 15, packed >> 4], axis=2)
        return pairs.reshape(len(packed), 5, 4).astype(np.int8)


def pack(hands: Hands, tricks: Tricks) -> NDArray[np.uint8]:
    """[n, 23]: the records of deals and their results."""
    bits = np.arange(52, dtype=np.uint64)
    owners = np.zeros((len(hands), 52), dtype=np.uint8)
    for seat in range(1, 4):
        owners |= (hands[:, seat, None] >> bits & np.uint64(1)).astype(np.uint8) * np.uint8(seat)
    fours = owners.reshape(-1, CARDS, 4)
    cards = fours[:, :, 0] | fours[:, :, 1] << 2 | fours[:, :, 2] << 4 | fours[:, :, 3] << 6
    pairs = tricks.astype(np.uint8).reshape(-1, RESULTS, 2)
    return np.concatenate([cards, pairs[:, :, 0] | pairs[:, :, 1] << 4], axis=1)


def build_bank(
    path: Path, count: int, seed: int, *, threads: int = 0, progress: Callable[[int], None] | None = None
) -> Bank:
    """Solve deals of a seed until the bank has so many; what is there already is kept.

    So many threads do the work or, where ``BOREL_CLUSTER`` names a Ray cluster, so many of its processors; 0 is all.
    """
    if not path.exists():
        _create(path, seed)
    elif _seed_of(path) == IMPORTED:
        raise BankError(f"{path} holds deals of a file; build a bank of its own")
    elif _seed_of(path) != seed:
        raise BankError(f"{path} was begun with seed {_seed_of(path)}, not {seed}")
    done = (path.stat().st_size - HEADER) // RECORD
    far = bool(compute.cluster_address())
    size = SHARE if far else CHUNK
    chunks = [(first, min(size, count - first)) for first in range(done, count, size)]
    outcomes = compute.run(
        partial(_solver, seed, 1 if far else threads), chunks, workers=(threads or None) if far else 0
    )
    with path.open("r+b") as file:
        file.truncate(HEADER + done * RECORD)  # a record cut short by a crash
        file.seek(0, os.SEEK_END)
        for records in in_order(chunks, outcomes):
            file.write(records.tobytes())
            file.flush()
            done += len(records)
            if progress is not None:
                progress(done)
    return Bank.open(path)


def _solver(seed: int, threads: int) -> Callable[[Chunk], NDArray[np.uint8]]:
    """What a worker does: the records of so many deals of the seed."""

    def solve(chunk: Chunk) -> NDArray[np.uint8]:
        first, count = chunk
        hands = np.concatenate(list(Dealer(seed, first=first).blocks(count)))
        return pack(hands, dd.tables(hands, threads=threads))

    return solve


def in_order(
    chunks: list[Chunk], outcomes: Iterable[compute.Outcome[Chunk, NDArray[np.uint8]]]
) -> Iterator[NDArray[np.uint8]]:
    """The records of the chunks one after the other, whatever the order in which they are finished."""
    early: dict[Chunk, NDArray[np.uint8]] = {}
    waiting = iter(chunks)
    wanted = next(waiting, None)
    for outcome in outcomes:
        if outcome.value is None:
            raise BankError(f"{outcome.item[1]} deals from number {outcome.item[0]} on: {outcome.error}")
        early[outcome.item] = outcome.value
        while wanted in early:
            yield early.pop(wanted)
            wanted = next(waiting, None)


def import_solved(lines: Iterable[str], path: Path) -> Bank:
    """A new bank from lines of text: four hands N E S W, then 20 hex digits, strains S H D C NT, declarers N E S W."""
    if path.exists():
        raise BankError(f"{path} is there already")
    hands, tricks = [], []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if len(words) != 5 or len(words[4]) != 20 or set(words[4]) - set("0123456789abcdABCD"):
            raise BankError(f"line {number}: not four hands and twenty results: {line.strip()[:80]!r}")
        deal = Deal.parse("N:" + " ".join(words[:4]))
        if not deal.is_complete:
            raise BankError(f"line {number}: not all 52 cards")
        hands.append([hand.mask for hand in deal.hands])
        rows = [[int(digit, 16) for digit in words[4][first : first + 4]] for first in range(0, 20, 4)]
        tricks.append([*rows[3::-1], rows[4]])
    _create(path, IMPORTED)
    with path.open("ab") as file:
        file.write(
            pack(np.array(hands, np.uint64).reshape(-1, 4), np.array(tricks, np.int8).reshape(-1, 5, 4)).tobytes()
        )
    return Bank.open(path)


def symmetric(hands: Hands, tricks: Tricks, suits: tuple[int, int, int, int], rotation: int) -> tuple[Hands, Tricks]:
    """The same deals with suits renamed and seats turned: one solved deal is worth 96.

    Suit s becomes ``suits[s]``; every hand moves ``rotation`` seats to the left. The results move with them.
    """
    turned = np.zeros_like(hands)
    for suit, renamed in enumerate(suits):
        holding = hands >> np.uint64(13 * suit) & np.uint64(8191)
        turned |= holding << np.uint64(13 * renamed)
    moved = np.empty_like(tricks)
    for suit, renamed in enumerate((*suits, 4)):
        moved[:, renamed] = tricks[:, suit]
    return np.roll(turned, rotation, axis=1), np.roll(moved, rotation, axis=2)


def _create(path: Path, seed: int) -> None:
    header = json.dumps({"format": FORMAT, "version": VERSION, "seed": seed}).encode()
    path.write_bytes(header.ljust(HEADER - 1) + b"\n")


def _seed_of(path: Path) -> int:
    with path.open("rb") as file:
        header = file.read(HEADER)
    try:
        described = json.loads(header)
        right = len(header) == HEADER and described["format"] == FORMAT
        version, seed = described["version"], int(described["seed"])
    except (ValueError, KeyError, TypeError):
        raise BankError(f"{path} is not a bank of deals") from None
    if not right:
        raise BankError(f"{path} is not a bank of deals")
    if version != VERSION:
        raise BankError(f"{path} is a bank of version {version}; this program reads version {VERSION}")
    return seed
