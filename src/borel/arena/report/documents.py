"""The report of each kind of result."""

from __future__ import annotations

from borel.arena.challenge import Solved
from borel.arena.compatibility import Partnered
from borel.arena.match import MatchResult, Played
from borel.arena.report.document import Bars, Curve, Document, Histogram, Part, Table, Text
from borel.arena.review import Reviewed
from borel.arena.round_robin import RoundRobin
from borel.arena.statistics import Estimate, Running, Sequence
from borel.store import RunInfo

__all__ = [
    "challenge_document",
    "compatibility_document",
    "history_document",
    "match_document",
    "review_document",
    "round_robin_document",
]

POINTS = 400  # of a curve: more cannot be seen


def match_document(match: Played, *, swings: int = 10) -> Document:
    """A match: the result, the test, swings, voids, time a call, and the plots."""
    parts: list[Part] = []
    if match.sequence is not None:
        parts.append(Text(_sequential(match)))
    parts += _one_sided(match.one_sided, len(match.counted))
    rows = [
        (board.number, board.imps, str(board.rooms[0]), str(board.rooms[1]), board.rooms[0].ns_score,
         board.rooms[1].ns_score)
        for board in match.swings(swings)
    ]  # fmt: skip
    parts.append(Table("Swings", ("board", "imps", "A sits NS", "B sits NS", "NS", "NS"), rows))
    parts += _voids([(str(board.number), board.void) for board in match.voids])
    spent = [(name, match.time(side)) for side, name in (("A", match.a), ("B", match.b))]
    times = [(name, time.calls, f"{time.per_call:.4f}", f"{time.slowest:.4f}") for name, time in spent]
    parts.append(Table("Time", ("bidder", "calls", "seconds a call", "slowest"), times))
    values = list(match.result.imps)
    parts.append(running_curve(values, match.sequence))
    parts.append(Histogram("Swings", "IMPs to A", values))
    return Document(f"{match.a} (A) - {match.b} (B), seed {match.seed}", str(match.result), tuple(parts))


def _one_sided(silent: MatchResult, boards: int) -> list[Part]:
    share = len(silent.imps) / max(boards, 1)
    return [Text(f"Deals on which one side never bids ({share:.0%}): {silent}")] if silent.imps else []


def _sequential(match: Played) -> str:
    low, high = match.interval
    least = len(match.counted) < (match.sequence or Sequence()).least
    verdict = "A is better" if low > 0 else "B is better" if high < 0 else "undecided"
    interval = "not yet known" if least else f"{low:+.2f} .. {high:+.2f}"
    return (
        f"{verdict} after {len(match.boards)} of {match.planned} boards. Confidence sequence (95% for all numbers of "
        f"boards together, so that stopping early is allowed): {interval} imps/board"
    )


def running_curve(values: list[float], sequence: Sequence | None = None) -> Curve:
    """The mean after each board with its interval."""
    running, x, y, low, high = Running(), list[float](), list[float](), list[float](), list[float]()
    step = max(1, len(values) // POINTS)
    for value in values:
        running.add(value)
        estimate = running.estimate
        if running.count >= min(20, len(values)) and (running.count % step == 0 or running.count == len(values)):
            half = estimate.half_width() if sequence is None else sequence.half_width(estimate)
            half = half if half < 48 else 48.0
            x.append(running.count)
            y.append(estimate.mean)
            low.append(estimate.mean - half)
            high.append(estimate.mean + half)
    return Curve("Result so far, with its 95% interval", "boards", "IMPs a board", x, y, low, high)


def _voids(voids: list[tuple[str, str]]) -> list[Part]:
    return [Table(f"Void: {len(voids)}", ("board", "why"), voids)] if voids else []


def round_robin_document(tournament: RoundRobin) -> Document:
    """The table of a round robin and its matches."""
    table = tournament.table()
    rows = [(place, s.name, s.victory_points, _pm(s.imps)) for place, s in enumerate(table, 1)]
    matches = [
        (match.a, match.b, *tournament.points(match), str(match.result), len(match.voids))
        for match in tournament.matches
    ]
    lead = f"{table[0].name} leads with {table[0].victory_points:.2f} victory points"
    parts = (
        Table("Standings", ("", "bidder", "VP", "imps/board"), rows),
        Table("Matches", ("A", "B", "VP A", "VP B", "A's result", "void"), matches),
    )
    return Document(f"Round robin of {len(table)}", lead, parts)


def _pm(estimate: Estimate) -> str:
    return f"{estimate.mean:+.2f} ± {estimate.half_width():.2f}"


def compatibility_document(found: Partnered) -> Document:
    """How good a partner a bot is."""
    parts = _one_sided(found.one_sided, len(found.counted))
    dear = sorted((board for board in found.counted if board.imps), key=lambda board: (-abs(board.imps), board.number))
    rows: list[tuple[str | int | float, ...]] = [(b.number, b.imps, b.auctions[0], *b.ns_scores) for b in dear[:10]]
    parts.append(Table("Swings", ("board", "imps", "wwww", "wwww", "awww", "waww", "wwaw", "wwwa"), rows))
    parts += _voids([(str(board.number), board.void) for board in found.voids])
    values = list(found.result.imps)
    parts += [running_curve(values), Histogram("IMPs a deal", "IMPs", values)]
    return Document(f"{found.a} as partner of {found.w}, seed {found.seed}", str(found.result), tuple(parts))


def challenge_document(solved: Solved, *, worst: int = 10) -> Document:
    """A bidding challenge with the paper's dependent variables."""
    data, awards = solved.json(), solved.awards
    lead = str(solved.result).replace("imps/board", "imps/problem").replace("boards", "problems")
    if awards is not None:
        lead = f"{awards[0]:g} of {awards[1]:g} points in {len(solved.counted)} problems"
    names = ("generated_instances", "lookahead_invocations", "lookahead_ratio", "sampling_failures", "lookahead_stage")
    variables = [(name.replace("_", " "), f"{data[name]:g}") for name in (*names, "seconds_per_call")]
    parts: list[Part] = [Table("Variables", ("variable", "sum or mean"), variables)]
    lost = sorted(solved.counted, key=lambda p: (p.imps, (p.award or 0) - (p.most or 0), p.number))
    rows = [
        (p.number, p.auction, p.contract or "passed out", p.best or "pass",
         *((f"{p.expected:.0f}", f"{p.reference:.0f}", f"{p.imps:.0f}") if p.award is None
           else (f"{p.award:g}", f"{p.most:g}", "")))
        for p in lost[:worst]
    ]  # fmt: skip
    heads = ("problem", "auction", "reached", "best", "expected", "best's", "imps")
    if awards is not None:
        heads = ("problem", "auction", "reached", "best", "award", "best's", "")
    parts.append(Table("Dearest problems", heads, rows))
    parts += _voids([(str(problem.number), problem.void) for problem in solved.voids])
    parts.append(Histogram("IMPs a problem", "IMPs", list(solved.result.imps)))
    return Document(f"Bidding challenge: {solved.name}", lead, tuple(parts))


def review_document(review: Reviewed, *, worst: int = 20) -> Document:
    """A session: every player, every round, and the dearest calls."""
    data = review.json()
    how = "the actual deal, double dummy" if "ActualDeal" in review.layouts else "sampled layouts"
    lead = (
        f"{data['boards']} boards, {data['calls']} calls: {data['agreement']:.0%} as {review.bidder} would, "
        f"{data['imps_per_call']['mean']:.2f} imps a call lost on {how}"
    )
    players = [
        (name, calls, differ, _pm(cost), f"{cost.mean * cost.count:.0f}")
        for name, (calls, differ, cost) in review.by_player().items()
    ]
    calls = [
        (board.board, call.seat, call.player, " ".join(board.auction.split()[: call.position]) or "-", call.call,
         call.better, call.cost, "" if call.standard_error is None else f"{call.standard_error:.1f}", call.why)
        for board, call in review.worst(worst)
    ]  # fmt: skip
    heads = ("board", "seat", "player", "auction so far", "called", "bidder", "cost", "±", "why")
    rounds = review.by_round()
    dear = sorted(review.cards, key=lambda pair: (-pair[1].cost, -pair[1].tricks))[:worst]
    cards = [
        (board.board, board.contract, card.trick, card.seat, card.player, card.card, card.better, card.tricks,
         card.cost, card.why)
        for board, card in dear
    ]  # fmt: skip
    card_heads = ("board", "contract", "trick", "seat", "player", "played", "borel", "tricks", "imps", "why")
    parts: list[Part] = [
        Table("Players", ("player", "calls", "differ", "imps/call", "in all"), players),
        Table("Dearest calls", heads, calls),
        *([Table("Dearest cards, on the deal as it was", card_heads, cards)] if cards else []),
        *_voids([(board.board, board.void) for board in review.voids]),
        Bars("Cost by round", "IMPs a call", [str(number) for number in rounds], [e.mean for e in rounds.values()],
             [min(e.half_width(), 24.0) for e in rounds.values()]),
        Bars("Cost by player", "IMPs a call", [str(row[0]) for row in players],
             [cost.mean for _, _, cost in review.by_player().values()]),
    ]  # fmt: skip
    return Document(f"Review by {review.bidder}", lead, tuple(parts))


def history_document(runs: list[RunInfo]) -> Document:
    """Every finished match in the store, oldest first, and the strength of each pair of bidders over time."""
    rows: list[tuple[str | int | float, ...]] = []
    series: dict[tuple[str, str], list[RunInfo]] = {}
    for run in runs:
        if run.summary is None:
            continue
        error = run.summary["standard_error"]
        half = "?" if error is None else f"{1.96 * error:.2f}"
        result = f"{run.summary['imps_per_board']:+.2f} ± {half}"
        a, b = run.config["a"], run.config["b"]
        rows.append((run.begun[:16].replace("T", " "), a, b, result, run.summary["boards"], run.config["version"]))
        series.setdefault((a, b), []).append(run)
    parts: list[Part] = [Table("Matches", ("begun", "A", "B", "A's imps/board", "boards", "version"), rows)]
    for (a, b), same in series.items():
        if len(same) > 1:
            means = [run.summary["imps_per_board"] for run in same if run.summary]
            halves = [1.96 * (run.summary["standard_error"] or 0.0) for run in same if run.summary]
            low = [mean - half for mean, half in zip(means, halves, strict=True)]
            high = [mean + half for mean, half in zip(means, halves, strict=True)]
            x = list(range(1, len(same) + 1))
            parts.append(Curve(f"{a} - {b}", "match", "IMPs a board", x, means, low, high))
    return Document("History of strength", f"{len(rows)} matches", tuple(parts))
