"""The bots that a visitor may choose: names only, so that no text of a visitor becomes a specification or a command."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from borel.auction import PASS, Call
from borel.cards import Card
from borel.decision import Bidder, CardPlayer, Decision
from borel.errors import BridgeError
from borel.policies.rules import RuleBidder
from borel.policies.spec import bidder as make_bidder
from borel.policies.spec import card_player, usual_bidder
from borel.systems import System, load_system, system_names
from borel.systems.loader import data_folder, read_system
from borel.systems.parser import parse_system
from borel.view import BiddingView, PlayView, Systems

__all__ = ["STRENGTHS", "Bot", "Strength", "bidder_of", "player_of", "system_of_text"]


@dataclass(frozen=True, slots=True)
class Strength:
    """How long the bots think: the way they bid with its seconds, and the specification of the card player.

    ``tempo``: the seconds that a call and a card take, however soon the bot has thought.
    """

    title: str
    bidding: str
    seconds: float
    player: str
    tempo: tuple[float, float] = (0.0, 0.0)


STRENGTHS: dict[str, Strength] = {
    "quick": Strength(
        "Quick: bids by the rules, plays at a glance", "rules", 0.0, "monte_carlo:layouts=10,seconds=0.2", (0.2, 0.25)
    ),
    "steady": Strength(
        "Steady: bids by the rules, half a second a card", "rules", 0.0, "borel:seconds=0.5", (0.3, 0.6)
    ),
    "strong": Strength("Strong: judges each call for a second", "borel", 1.0, "borel:seconds=1", (1.1, 1.1)),
    "patient": Strength("Patient: up to three seconds a decision", "borel", 3.0, "borel:seconds=3", (3.2, 3.2)),
}


ADVISED = 64  # layouts on which advice compares candidates
OWN_FILE = "yours"  # what findings call a visitor's text
HURRY = ((3, 1.0), (6, 0.5), (12, 0.25), (24, 0.1), (1e9, 0.05))  # requests waiting a process: share of the seconds


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot as a worker makes it: a system by name, or its text; how it bids and plays. ``silent`` bots pass."""

    system: str = "sayc"
    text: str = ""
    bidding: str = "rules"
    seconds: float = 0.0
    player: str = "borel:seconds=0.5"
    silent: bool = False
    tempo: tuple[float, float] = field(default=(0.0, 0.0), compare=False)  # bots that think alike are one

    @classmethod
    def of(cls, strength: str, *, system: str = "sayc", text: str = "", silent: bool = False) -> Bot:
        """The bot of a named strength."""
        if strength not in STRENGTHS:
            raise BridgeError(f"no strength {strength[:40]!r}: there are {', '.join(STRENGTHS)}")
        chosen = STRENGTHS[strength]
        return cls(system, text, chosen.bidding, chosen.seconds, chosen.player, silent, chosen.tempo)

    def hurried(self, waiting: float) -> Bot:
        """The same bot when so many requests wait for each process: it thinks shorter, so that nobody waits long."""
        factor = next((share for most, share in HURRY if waiting <= most), HURRY[-1][1])
        if factor == 1 or "seconds=" not in self.player:
            return self
        head, _, seconds = self.player.rpartition("seconds=")
        player = f"{head}seconds={max(0.02, float(seconds) * factor):g}"
        search = self.bidding if self.seconds * factor >= 0.2 else "rules"
        tempo = (self.tempo[0] * factor, self.tempo[1] * factor)
        return replace(self, player=player, seconds=self.seconds * factor, bidding=search, tempo=tempo)

    @property
    def systems(self) -> Systems:
        """What is disclosed: a name that everybody can look up; with a text of one's own both sides play it."""
        return Systems() if self.text else Systems(self.system, self.system)


def known_system(name: str) -> str:
    """The name of a system that comes with Borel, checked; files of the server's are nobody's business."""
    if name not in system_names():
        raise BridgeError(f"no system {name[:40]!r}: there are {', '.join(system_names())}")
    return name


@cache
def system_titles() -> dict[str, str]:
    """The systems that come with Borel with their titles, without reading all their rules."""
    texts = {name: (data_folder() / f"{name}.bid").read_text(encoding="utf-8") for name in system_names()}
    return {name: parse_system(text, name).title or name for name, text in texts.items()}


@lru_cache(maxsize=16)
def system_of_text(text: str) -> System:
    """A visitor's system. It may include Borel's own files and no others."""
    own = {path.relative_to(data_folder()).as_posix() for path in data_folder().rglob("*.bid")}
    for target, place in parse_system(text, OWN_FILE).includes:
        if (target if target.endswith(".bid") else f"{target}.bid") not in own:
            raise BridgeError(f"{place}: only Borel's own systems can be included, not {target[:60]!r}")
    return read_system(text, OWN_FILE)


def system(bot: Bot) -> System:
    """The system that a bot plays."""
    return system_of_text(bot.text) if bot.text else load_system(known_system(bot.system))


class Silent:
    """An opponent who always passes, for bidding practice."""

    def decide(self, view: BiddingView, **_: object) -> Decision[Call]:
        """Pass."""
        return Decision(PASS, "a silent opponent", "a silent opponent")


@lru_cache(maxsize=32)
def bidder_of(bot: Bot) -> Bidder:
    """The bidder of a bot, made once in each process: with search the one that `borel bid` asks."""
    if bot.silent:
        return Silent()
    if bot.bidding == "rules":
        return RuleBidder(system(bot))
    from borel.bidding.borel import BorelBidder
    from borel.decision import Limit
    from borel.web.advice import Adviser

    if bot.bidding == "adviser":
        return Adviser(system(bot), limit=Limit(layouts=ADVISED, seconds=bot.seconds))
    if bot.text:
        return BorelBidder(system(bot), limit=Limit(seconds=bot.seconds))
    return make_bidder(usual_bidder(known_system(bot.system), bot.seconds))


class _First:
    """Plays the first legal card: for tests of everything but the play."""

    def decide(self, view: PlayView, **_: object) -> Decision[Card]:
        """The first legal card."""
        return Decision(view.legal_cards()[0], "the first card")


@lru_cache(maxsize=32)
def player_of(bot: Bot) -> CardPlayer:
    """The card player of a bot, made once in each process."""
    return _First() if bot.player == "first" else card_player(bot.player)
