"""Borel search with a stochastic model (Lockhart et al. 2020, Algorithms 1 and 2): a network imagines and bids on.

Layouts are kept with the probability that the network would have made the calls heard; each candidate is tried in all
of them, the auction going on by the network; the prior is drawn towards what the rollouts say, not replaced by it:
posterior ∝ prior × exp(V / (t √R)), V being the points of R rollouts added up. Layouts come from directed dealing
within what the system says that the calls show (widened), with weights, instead of one in thousands of blind ones.

The log-odds of a network that was taught what calls gain stand for IMPs (`learning/trials.py`), and so V is added to
them in that unit: posterior ∝ prior × exp(w V / price).
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from borel.auction import ALL_CALLS, Call
from borel.bidding.comparison import Comparison
from borel.bidding.grounded import GroundedBidder, imitation_of, prior_of, spoken_by
from borel.bidding.grounded_search import GroundedSearch, from_prior
from borel.bidding.players import Players, players_of, read_by, unlimited
from borel.bidding.search import thinking_time, warm_up
from borel.bidding.tables import LONGEST, Policy, Tables, bid_out
from borel.bidding.valuation import Tricks
from borel.cards import Seat, Side, Strain
from borel.clock import Deadline
from borel.decision import Candidate, Decision, Limit
from borel.errors import BridgeError, quote
from borel.policies.network import Network, masked_probabilities
from borel.policies.neural import NeuralBidder, NeuralModel, shipped, with_hands
from borel.sampling import Sample, directed
from borel.sampling.rules import RuleModel
from borel.scoring import Scoring
from borel.view import BiddingView

if TYPE_CHECKING:
    from borel.policies.spec import Options

__all__ = ["NeuralSearch", "Temper", "from_spec"]

SAMPLING = 0.4  # of the seconds
SOLVED = 24  # layouts solved double dummy for the contracts that matter, while there is time
REACH = 2.0  # IMPs behind the first choice of a network that was taught what calls gain: no candidate any more
# What the candidates of 1,204 decisions really gained: 0.61 ± 0.20 of what the layouts said, 0.32 ± 0.19 of what the
# network's log-odds said: the layouts count for twice as much.
WEIGHT = 2.0
SLACK = 3  # points and cards by which the network may stray from what the rules say that a call shows


@dataclass(frozen=True, slots=True)
class Temper:
    """The search's parameters: temperature, rollouts at least, candidates at most and how likely at least.

    ``price`` takes the temperature's place, where IMPs are played: what a unit of the network's log-odds is worth.
    """

    temperature: float = 100.0
    least_rollouts: int = 20
    candidates: int = 4
    least_chance: float = 1e-4
    price: float | None = None

    @classmethod
    def of(cls, network: Network) -> Temper:
        """What suits a network."""
        price = network.price
        return cls() if price is None else cls(candidates=5, least_chance=float(np.exp(-REACH / price)), price=price)


class NeuralSearch:
    """A network that looks before it calls."""

    def __init__(
        self,
        network: Network,
        *,
        limit: Limit = Limit(seconds=1.0),  # noqa: B008 - immutable
        layouts: int = 200,
        temper: Temper = Temper(),
        greedy: bool = True,
        solve: int = SOLVED,
        partner: Network | None = None,
        opponents: Network | None = None,
        prior: NeuralBidder | None = None,
        private: bool = False,
        sampled: int = 0,
    ) -> None:
        """``partner`` and ``opponents`` bid by networks of their own; ``private``: our language is not the system's.

        ``sampled``: a decision says which of so many hands make its call.
        """
        self.network, self.limit, self.layouts, self.temper = network, limit, layouts, temper
        self.greedy, self.solve, self.private, self.sampled = greedy, solve, private, sampled
        self.networks = (network, partner or network, opponents or network)
        self.prior = prior or NeuralBidder(network)
        self.models = tuple(NeuralModel(one) for one in self.networks)
        self.system = self.prior.system
        self._rules = RuleModel(self.system) if self.system else None
        self.players: Players = {}  # read by models of their own
        warm_up()

    def decide(self, view: BiddingView, *, rng: Random) -> Decision[Call]:
        """The call of greatest posterior probability."""
        if isinstance(self.prior, GroundedBidder) and self.prior.knows_only_rules(view):
            return self.prior.decide(view, rng=rng)
        deadline = Deadline.after(None if self.limit.seconds is None else thinking_time(self.limit.seconds))
        prior = self.prior.probabilities(view)
        calls = self._candidates(prior)
        plain = self.prior.decide(view, rng=rng)
        found = self._look(view, calls, deadline, rng)
        decision = plain if found is None else self._told(view, found, prior, plain)
        return with_hands(decision, self.models[0], view, self.sampled)

    def target(self, view: BiddingView, *, rng: Random) -> NDArray[np.float32]:
        """[38]: the policy after the search, for a network to learn from: the posterior, which may be the prior."""
        prior = self.prior.probabilities(view)
        calls = self._candidates(prior)
        found = self._look(view, calls, Deadline(), rng)
        if found is None:
            return prior
        target = np.zeros_like(prior)
        indices = [call.index for call in calls]
        target[indices] = self.posterior(found, prior[indices])
        return target

    def _look(self, view: BiddingView, calls: list[Call], deadline: Deadline, rng: Random) -> Comparison | None:
        """Try the candidates in imagined layouts; None when there is one only, or too few layouts."""
        if len(calls) == 1:
            return None
        sample = self._sample(view, rng)
        if sample.effective_size < self.temper.least_rollouts:
            return None
        tricks = Tricks(sample.hands, rng.getrandbits(32))
        rooms: list[Tables] = []
        while len(rooms) < len(calls) and (len(rooms) < 2 or not deadline.is_over):  # the likeliest calls come first
            rooms.append(self._rollouts(view, calls[len(rooms)], sample.hands, rng))
        comparison = self._comparison(view, calls[: len(rooms)], rooms, sample, tricks)
        if self._solve(view, rooms, comparison, tricks, deadline):
            comparison = self._comparison(view, calls[: len(rooms)], rooms, sample, tricks)
        return comparison

    def _candidates(self, prior: NDArray[np.float32]) -> list[Call]:
        order = np.argsort(-prior)[: self.temper.candidates]
        return [ALL_CALLS[int(i)] for i in order if prior[i] >= self.temper.least_chance] or [ALL_CALLS[int(order[0])]]

    def _sample(self, view: BiddingView, rng: Random) -> Sample:
        seconds = None if self.limit.seconds is None else SAMPLING * self.limit.seconds
        limit = Limit(seconds=seconds, instances=self.limit.instances)
        shown = {} if self._rules is None else self._rules.shown(view.auction, view.vulnerability)
        own, partner, opponent = self.models
        models = read_by(view.seat, own, {"partner": partner, "lho": opponent, "rho": opponent, **self.players})
        kept = unlimited(shown, view.seat, {**({"partner": partner} if self.private else {}), **self.players})
        found = directed(view, models, layouts=self.layouts, shown=kept, limit=limit, slack=SLACK, rng=rng)
        return found.trimmed(self.layouts, rng)

    def _rollouts(self, view: BiddingView, call: Call, hands: NDArray[np.uint64], rng: Random) -> Tables:
        """The auction after a candidate, bid to its end in every layout (Algorithm 1)."""
        n, dealer = len(hands), view.auction.dealer
        vulnerable = [view.vulnerability.includes(side) for side in Side]
        tables = Tables.start(hands, np.full(n, dealer, np.int8), np.tile(np.array(vulnerable), (n, 1)))
        calls = [*(made.index for made in view.auction.calls), call.index][:LONGEST]
        tables.calls[:, : len(calls)] = calls
        tables.lengths[:] = len(calls)
        of_seat = np.full((n, 4), 2, np.int8)
        of_seat[:, view.seat], of_seat[:, view.seat.partner] = 0, 1
        bid_out(tables, [self._policy(network, rng) for network in self.networks], of_seat)
        return tables

    def _policy(self, network: Network, rng: Random) -> Policy:
        chance = np.random.default_rng(rng.getrandbits(64))

        def policy(inputs: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
            logits = network.logits(inputs)
            if self.greedy:
                return np.asarray(np.where(legal, logits, -np.inf).argmax(axis=1))
            sums = np.cumsum(masked_probabilities(logits, legal), axis=1)
            drawn = (chance.random((len(sums), 1)) * sums[:, -1:] >= sums).sum(axis=1)
            return np.asarray(np.where(legal[np.arange(len(drawn)), drawn], drawn, 0))

        return policy

    def _comparison(
        self, view: BiddingView, calls: list[Call], rooms: list[Tables], sample: Sample, tricks: Tricks
    ) -> Comparison:
        sign = 1 if view.seat.side is Side.NS else -1
        points = np.array([sign * room.ns_scores(_taken(room, tricks)) for room in rooms], dtype=np.float64)
        return Comparison(calls, points, sample.weights, view.scoring)

    def _solve(
        self, view: BiddingView, rooms: list[Tables], comparison: Comparison, tricks: Tricks, deadline: Deadline
    ) -> int:
        """Correct the estimate of the two best candidates' usual contracts by the solver, while there is time."""
        if self.solve <= 0:
            return 0
        means = [comparison.expected_points(i)[0] for i in range(len(rooms))]
        best = sorted(range(len(rooms)), key=lambda i: -means[i])[:2]
        contracts = list(dict.fromkeys(key for i in best for key in _usual(rooms[i])))
        return tricks.solve_for(contracts, deadline, most=self.solve)

    def _told(
        self, view: BiddingView, comparison: Comparison, prior: NDArray[np.float32], plain: Decision[Call]
    ) -> Decision[Call]:
        posterior = self.posterior(comparison, np.array([prior[call.index] for call in comparison.calls]))
        order = [int(i) for i in np.argsort(-posterior)]
        unit = "IMPs" if view.scoring is Scoring.IMPS else "of the comparison"
        candidates = []
        for i in order:
            value, error = comparison.value(i)
            points, _ = comparison.expected_points(i)
            was = float(prior[comparison.calls[i].index])
            chances = f"{was:.0%} before, {posterior[i]:.0%} after the search"
            text = f"{chances}; {value:+.1f} ± {error:.1f} {unit}, {points:+.0f} points"
            candidates.append(Candidate(comparison.calls[i], value, text, float(posterior[i])))
        call = comparison.calls[order[0]]
        meaning = plain.meaning if call == plain.choice else self.prior.meaning(view, call)
        why = f"{candidates[0].why}, in {comparison.size:.0f} layouts"
        why = f"{plain.why}; {why}" if call == plain.choice else why
        return Decision(call, why, meaning, tuple(candidates))

    def posterior(self, comparison: Comparison, prior: NDArray[np.float32]) -> NDArray[np.float64]:
        """[candidates]: prior × exp(V / (t √R)), where R layouts of unequal weight count as what they are worth."""
        if self.temper.price is not None and comparison.scoring is Scoring.IMPS:
            exponents = np.array([comparison.against(i, 0)[0] for i in range(len(prior))]) * WEIGHT / self.temper.price
        else:
            means = np.array([comparison.expected_points(i)[0] for i in range(len(prior))])
            exponents = means * np.sqrt(comparison.size) / self.temper.temperature
        weights = prior * np.exp(exponents - exponents.max())
        return np.asarray(weights / weights.sum(), dtype=np.float64)


def _taken(room: Tables, tricks: Tricks) -> NDArray[np.int8]:
    """[n, strain, declarer]: tricks of the contracts that were reached; the others are not asked for."""
    taken = np.zeros((len(room), 5, 4), np.int8)
    for strain, declarer in _reached(room):
        taken[:, strain, declarer] = tricks.of(strain, declarer)
    return taken


def _reached(room: Tables) -> list[tuple[Strain, Seat]]:
    """The strains and declarers of the contracts reached, the commonest first."""
    contracts = room.contracts().astype(np.int64)
    bids = contracts[:, 1] >= 0
    keys = (contracts[bids, 1] % 5) * 4 + (contracts[bids, 2] + room.dealer[bids]) % 4
    values, counts = np.unique(keys, return_counts=True)
    return [(Strain(int(key) // 4), Seat(int(key) % 4)) for key in values[np.argsort(-counts, kind="stable")]]


def _usual(room: Tables) -> list[tuple[Strain, Seat]]:
    return _reached(room)[:1]


def from_spec(argument: str, options: Options) -> NeuralSearch | GroundedSearch:
    """``neural-search:sayc,seconds=1``; also ``layouts``, ``solve``, ``trust``, ``rollouts=network``, ``sampled=4000``.

    A network that sits down with its rules looks ahead by the rules, unless ``rollouts=network``; another one by itself
    and, for opponents, by the imitation that it grew from. ``preset=paper`` has the paper's parameters, and the network
    alone for everything.
    """
    from borel.bidding.borel import limit_of, whole

    name = argument or "sayc"
    network = shipped(name)
    if options.text("preset") == "paper":
        temper = Temper(least_rollouts=100)
        made = NeuralSearch(network, limit=Limit(instances=100_000), layouts=1000, temper=temper, solve=1000)
        made.players = players_of(options)
        return made
    prior, rollouts = prior_of(name, options), options.text("rollouts")
    if rollouts not in (None, "rules", "network"):
        raise BridgeError(f"rollouts are by rules or by network, not {quote(rollouts)}")
    if isinstance(prior, GroundedBidder) and rollouts != "network":
        return from_prior(prior, options)
    if rollouts == "rules":
        raise BridgeError(f"{quote(name)} does not sit down with rules: its rollouts are by network")
    limit, private = limit_of(options), network.manifest.get("settings", {}).get("mode") == "partnership"
    made = NeuralSearch(
        network,
        limit=limit,
        layouts=limit.layouts or 200,
        temper=Temper.of(network),
        solve=whole(options, "solve", SOLVED),
        opponents=imitation_of(name, network) or spoken_by(prior.system),
        prior=prior,
        private=private,
        sampled=whole(options, "sampled", 0),
    )
    made.players = players_of(options)
    return made
