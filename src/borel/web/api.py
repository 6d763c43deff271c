"""The stateless half of the HTTP interface: questions in, answers out."""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from borel.auction import Auction
from borel.deal import Vulnerability
from borel.errors import BridgeError
from borel.record import Record
from borel.web.bots import Bot, known_system
from borel.web.hub import new_link
from borel.web.limits import NotFoundError
from borel.web.questions import records_of
from borel.web.server import Asked, Server, client_of

__all__ = ["api"]

api = APIRouter(prefix="/api", tags=["questions"])


class _Question(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SystemChoice(_Question):
    """Whose system: a name, or the text of one's own."""

    system: str = Field("sayc", max_length=40)
    text: str = Field("", max_length=200_000)

    def bot(self, strength: str = "steady") -> Bot:
        """A bot that plays the system."""
        return Bot.of(strength, system=known_system(self.system), text=self.text)


class AuctionQuestion(SystemChoice):
    """An auction so far."""

    auction: str = Field("", max_length=1600)
    dealer: str = Field("N", max_length=5)
    vul: str = Field("None", max_length=7)


class HandQuestion(AuctionQuestion):
    """A hand at a point of an auction."""

    hand: str = Field(max_length=200, examples=["AQ5.KJ92.87.AT43"])
    scoring: str = Field("IMPs", max_length=20)
    strength: Literal["quick", "steady", "strong", "patient"] = "strong"


class SampleQuestion(HandQuestion):
    """How many layouts to deal."""

    layouts: int = Field(400, ge=1, le=2000)


class SolveQuestion(_Question):
    """A whole deal."""

    deal: str = Field(max_length=300)
    dealer: str = Field("N", max_length=5)
    vul: str = Field("None", max_length=7)


class EngineQuestion(SystemChoice):
    """A request of the engine protocol (docs/engine.md)."""

    request: dict[str, Any]
    strength: Literal["quick", "steady", "strong", "patient"] = "steady"


class FileText(_Question):
    """A PBN or LIN file."""

    text: str = Field(max_length=2_000_000)


class ReviewQuestion(SystemChoice):
    """One board of an uploaded file."""

    file: str = Field(max_length=64)
    number: int = Field(ge=1, le=64)
    layouts: int = Field(16, ge=1, le=64)


class ValuesQuestion(_Question):
    """A point of the play of a board of an uploaded file."""

    file: str = Field(max_length=64)
    number: int = Field(ge=1, le=64)
    played: int = Field(ge=0, le=52)


@api.post("/bid")
async def bid(question: HandQuestion, request: Request, server: Asked) -> dict[str, Any]:
    """What to call, with candidates and their expected IMPs, what was said, and the picture of the hidden hands."""
    fields = question.model_dump(include={"hand", "auction", "dealer", "vul", "scoring"})
    return await server.think(client_of(request), "bid", bot=question.bot(question.strength), **fields)  # type: ignore[no-any-return]


@api.post("/explain")
async def explain(question: AuctionQuestion, request: Request, server: Asked) -> dict[str, Any]:
    """What every call of an auction means, and what each seat has shown."""
    auction = Auction.parse(question.dealer, question.auction)
    vulnerability = Vulnerability.parse(question.vul)
    found = await server.think(
        client_of(request), "explain", bot=question.bot(), auction=auction, vulnerability=vulnerability
    )
    legal = [] if auction.is_over else [str(call) for call in auction.legal_calls()]
    return {**found, "turn": str(auction.turn), "over": auction.is_over, "legal": legal}


@api.post("/meaning")
async def meaning(question: AuctionQuestion, request: Request, server: Asked) -> dict[str, Any]:
    """Which hands make the last call of an auction, by the rules and, where there is one, by a network."""
    auction = Auction.parse(question.dealer, question.auction)
    vulnerability = Vulnerability.parse(question.vul)
    return await server.think(  # type: ignore[no-any-return]
        client_of(request), "sampled_meaning", bot=question.bot(), auction=auction, vulnerability=vulnerability
    )


@api.post("/sample")
async def sample(question: SampleQuestion, request: Request, server: Asked) -> dict[str, Any]:
    """What the hidden hands probably hold."""
    fields = question.model_dump(include={"hand", "auction", "dealer", "vul", "scoring", "layouts"})
    return await server.think(client_of(request), "sample", bot=question.bot(), **fields)  # type: ignore[no-any-return]


@api.post("/solve")
async def solve(question: SolveQuestion, request: Request, server: Asked) -> dict[str, Any]:
    """The double-dummy table and par."""
    return await server.think(client_of(request), "solve", **question.model_dump())  # type: ignore[no-any-return]


@api.post("/play")
async def play(question: EngineQuestion, request: Request, server: Asked) -> dict[str, Any]:
    """A call or a card for a view, in the fields of the engine protocol."""
    bot = question.bot(question.strength)
    return await server.think(client_of(request), "engine", bot=bot, request=question.request)  # type: ignore[no-any-return]


@api.post("/files")
async def upload(file: FileText, request: Request, server: Asked) -> dict[str, Any]:
    """Keep a file of boards under a link, to review it or to play its boards."""
    limits = server.limits
    found = await server.think(
        client_of(request), "read_file", text=file.text, most=limits.boards, seconds=limits.system_seconds
    )
    link = new_link()
    await server.store.keep_text(link, "file", found)
    return {"file": link, **found}


@api.get("/files/{name}")
async def file(name: str, server: Asked) -> dict[str, Any]:
    """The boards of a file."""
    return await server.store.text(name, "file")


async def _record(server: Server, link: str, number: int) -> Record:
    """A board of a file."""
    records = (await server.store.text(link, "file"))["records"]
    if number > len(records):
        raise BridgeError(f"the file has {len(records)} boards")
    return records_of([records[number - 1]])[0]


@api.post("/review")
async def review(question: ReviewQuestion, request: Request, server: Asked) -> dict[str, Any]:
    """Every call and card of one board priced; kept, so that a shared link shows at once what was found."""
    record = await _record(server, question.file, question.number)
    name = blake2b(question.model_dump_json().encode(), digest_size=16).hexdigest()
    with suppress(NotFoundError):
        return await server.store.text(name, "review")
    arguments = {"bot": question.bot(), "record": record, "number": question.number, "layouts": question.layouts}
    found: dict[str, Any] = await server.think(
        client_of(request), "review_board", seconds=server.limits.review_seconds, **arguments
    )
    await server.store.keep_text(name, "review", found)
    return found


@api.post("/values")
async def values(question: ValuesQuestion, request: Request, server: Asked) -> dict[str, Any]:
    """Double dummy, at a point of the play of a board: declarer's tricks in all after each legal card."""
    record = await _record(server, question.file, question.number)
    return await server.think(client_of(request), "card_values", record=record, played=question.played)  # type: ignore[no-any-return]


@api.post("/system/card")
async def system_card(question: SystemChoice, request: Request, server: Asked) -> dict[str, Any]:
    """A system as its convention card."""
    return await _system(server, request, "system_card", question)  # type: ignore[no-any-return]


@api.post("/system/tree")
async def system_tree(question: AuctionQuestion, request: Request, server: Asked) -> dict[str, Any]:
    """What a system says after an auction: one level of its tree."""
    return await _system(server, request, "system_tree", question, auction=question.auction)  # type: ignore[no-any-return]


@api.post("/system/check")
async def system_check(question: SystemChoice, request: Request, server: Asked) -> list[dict[str, str]]:
    """What looks wrong with a system."""
    return await _system(server, request, "system_check", question)  # type: ignore[no-any-return]


async def _system(server: Server, request: Request, name: str, question: SystemChoice, **more: Any) -> Any:
    """A visitor's text gets a short time: a system that takes longer to read than this is an attack or a mistake."""
    seconds = server.limits.system_seconds if question.text else server.limits.job_seconds
    return await server.think(client_of(request), name, bot=question.bot(), seconds=seconds, **more)


@api.get("/system/source/{name}")
async def system_source(name: str) -> dict[str, str]:
    """A text to begin one's own system with: it includes one of Borel's and says how to change it."""
    known = known_system(name)
    return {"text": START.format(name=known)}


@api.post("/system/save")
async def system_save(question: SystemChoice, request: Request, server: Asked) -> dict[str, str]:
    """Keep a system of one's own under a link, if it can be read."""
    await _system(server, request, "system_card", question)
    link = new_link()
    await server.store.keep_text(link, "system", {"text": question.text})
    return {"system": link}


@api.get("/system/saved/{name}")
async def system_saved(name: str, server: Asked) -> dict[str, Any]:
    """The text of a system that somebody saved."""
    return await server.store.text(name, "system")


START = """\
system mine "My own system"
include {name}

# Your own rules come before those of the system that you include. For instance:
#
# open
#   1NT   12-14 hcp, balanced   "weak notrump"
"""
