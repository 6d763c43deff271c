"""What a visitor may choose for a table, as the HTTP interface takes it and the store keeps it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from borel.cards import Seat
from borel.errors import BridgeError
from borel.scoring import Scoring
from borel.web.bots import STRENGTHS, Bot, known_system

__all__ = ["WISHES", "NewTable", "bots_of"]

# Deals to order, in the words of `borel deal --where`; seats are put in for {me}, {partner}, {lho} and {rho}.
WISHES: dict[str, str] = {
    "any": "",
    "ours": "hcp({me}) + hcp({partner}) >= 20",
    "games": "hcp({me}) + hcp({partner}) >= 25",
    "slams": "hcp({me}) + hcp({partner}) >= 31",
    "notrump": "hcp({me}) >= 15 && hcp({me}) <= 17 && shape({me}, any 4333 + any 4432 + any 5332)",
    "majors": "hearts({me}) >= 5 && hearts({partner}) >= 4 || spades({me}) >= 5 && spades({partner}) >= 4",
    "preempts": "hcp({me}) <= 10 && (spades({me}) >= 7 || hearts({me}) >= 7 || diamonds({me}) >= 7)",
    "contested": "hcp({me}) + hcp({partner}) >= 18 && hcp({me}) + hcp({partner}) <= 22 && hcp({rho}) >= 11",
    "defence": "hcp({lho}) + hcp({rho}) >= 24",
}


class NewTable(BaseModel):
    """A table to be opened."""

    model_config = ConfigDict(extra="forbid")

    mode: Literal["play", "bid"] = Field("play", description="Play whole boards, or practise bidding only")
    people: str = Field("S", description="The seats for people, such as S or NS; the others are bots'", max_length=4)
    name: str = Field("", max_length=30, description="What to call the person who opens the table")
    system: str = Field("sayc", max_length=40)
    own_system: str = Field("", max_length=64, description="The link of a saved system of one's own")
    strength: str = "steady"
    scoring: Literal["IMPs", "matchpoints"] = "IMPs"
    undo: bool = True
    silent: bool = Field(False, description="Opponents who always pass (bidding practice)")
    wish: str = Field("any", max_length=20)
    where: str = Field("", max_length=1000, description="A condition of `borel deal --where`; goes before a wish")
    file: str = Field("", max_length=64, description="The link of an uploaded file whose boards are to be played")
    trial: str = Field("", max_length=20, description="Another strength: a blind trial of two bots as partner")
    trial_boards: int = Field(8, ge=2, le=64)

    @field_validator("people")
    @classmethod
    def _seats(cls, text: str) -> str:
        seats = {Seat.parse(letter) for letter in text}
        if not seats:
            raise BridgeError("a table needs at least one person")
        return "".join(str(seat) for seat in sorted(seats))

    @field_validator("system")
    @classmethod
    def _system(cls, name: str) -> str:
        return known_system(name)

    @field_validator("strength", "trial")
    @classmethod
    def _strength(cls, name: str) -> str:
        if name and name not in STRENGTHS:
            raise BridgeError(f"no strength {name[:40]!r}: there are {', '.join(STRENGTHS)}")
        return name or ""

    @field_validator("wish")
    @classmethod
    def _wish(cls, name: str) -> str:
        if name not in WISHES:
            raise BridgeError(f"no wish {name!r}: there are {', '.join(WISHES)}")
        return name

    @property
    def seats(self) -> frozenset[Seat]:
        """Where people sit."""
        return frozenset(Seat.parse(letter) for letter in self.people)

    @property
    def form(self) -> Scoring:
        """The form of scoring."""
        return Scoring.parse(self.scoring)

    @property
    def condition(self) -> str:
        """What every deal must satisfy; a wish is seen from the first person's seat."""
        me = min(self.seats, key=lambda seat: (seat is not Seat.S, seat))
        seats = {"me": me, "partner": me.partner, "lho": me.lho, "rho": me.rho}
        return self.where or WISHES[self.wish].format(**{key: seat.word.lower() for key, seat in seats.items()})


def bots_of(settings: NewTable, text: str, partner: str = "") -> tuple[Bot, Bot, Bot, Bot]:
    """The bot of each seat, N E S W; the person's partner may be of another strength (the blind trial)."""
    ours = {seat.side for seat in settings.seats}

    def bot(seat: Seat) -> Bot:
        silent = settings.silent and len(ours) == 1 and seat.side not in ours
        strength = partner if partner and seat.partner in settings.seats else settings.strength
        return Bot.of(strength, system=settings.system, text=text, silent=silent)

    north, east, south, west = (bot(seat) for seat in Seat)
    return north, east, south, west
