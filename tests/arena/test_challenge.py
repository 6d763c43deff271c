"""Bidding challenges: two hands, silent or scripted opponents, the best contract as reference; contests."""

from dataclasses import dataclass, field

import pytest
from toys import SOUND, Tricks, raising, sound, tables

from borel import Auction, Board, Call, Contract, Deal, Seat, Side, Vulnerability
from borel.arena import Contestant
from borel.arena.challenge import Challenge, best_contract, expected_score, layouts_of
from borel.arena.problems import Problem, awards_of, is_opening, problems_of, random_problem
from borel.errors import RecordError
from borel.formats import pbn
from borel.policies.effort import Effort
from borel.store import Store

CONTEST = """[Event "Contest"][Board "7"][Dealer "N"][Vulnerable "None"]
[Deal "N:AQ5.KJ92.K7.AT43 - K42.A83.Q62.KQ75 -"]
{Awards: 3NT by N 10, 3NT by S 8, 6NT 3, 1NT/2NT 5}

[Board "8"][Dealer "E"][Vulnerable "NS"]
[Deal "N:AQ5.KJ92.K7.AT43 - K42.A83.Q62.KQ75 -"]
[Auction "E"]
1H Pass 2H Pass
Pass Pass
"""


def solve(bidder, count, problems=(), workers=0, **options):
    with Store("none") as store:
        setup = Challenge(bidder, problems, tables=tables, layouts=4, **options)
        return setup.solve(count, store=store, workers=workers)


def test_random_problems_have_an_opening_hand_and_no_hidden_cards():
    for number in range(1, 40):
        problem = random_problem(3, number)
        assert any(is_opening(problem.board.deal.hand(seat)) for seat in (Seat.N, Seat.S))
        assert len(problem.board.deal.unknown) == 26
        assert problem == random_problem(3, number)


def test_layouts_keep_the_two_hands_and_deal_the_rest():
    problem = random_problem(1, 1)
    layouts = layouts_of(problem, 0, 5)
    assert len({tuple(row) for row in layouts.tolist()}) == 5
    for row in layouts.tolist():
        deal = Deal.of_masks(tuple(row))
        assert deal.is_complete
        assert deal.hand(Seat.N) == problem.board.deal.hand(Seat.N)


def test_nothing_scores_better_than_the_best_contract():
    problem = random_problem(1, 2)
    tricks = tables(layouts_of(problem, 0, 3))
    _, most = best_contract(problem, tricks)
    for text in ("1C", "3NT", "4S", "6NT", "7NT", "2H"):
        assert expected_score(problem, Contract.parse(text, Seat.N), tricks) <= most
    assert most >= 0


def test_a_pair_loses_imps_against_the_best_contract_and_never_gains():
    solved = solve(SOUND, 12)
    assert all(problem.imps <= 0 for problem in solved.counted)
    assert any(problem.imps < 0 for problem in solved.counted)
    assert solved.json()["imps_per_problem"] == pytest.approx(sum(p.imps for p in solved.problems) / 12)


def test_workers_do_not_change_the_result():
    assert solve(SOUND, 6, workers=2).problems == solve(SOUND, 6).problems


def test_silent_opponents_pass_and_scripted_ones_follow_their_script():
    first, second = problems_of(pbn.loads(CONTEST))
    assert second.script == (Call.parse("1H"), Call.parse("2H"), Call.parse("P"))
    solved = solve(SOUND, 2, (first, second))
    assert solved.problems[0].auction == "1NT P 3NT P P P"
    assert solved.problems[1].auction.startswith("1H P 2H P P")


def test_a_script_that_is_no_longer_legal_turns_into_passes():
    board = Board(Deal.parse("N:AQ5.KJ92.K7.AT43 - K42.A83.Q62.KQ75 -"), Seat.N, Vulnerability.NONE)
    solved = solve(SOUND, 1, (Problem(1, board, script=(Call.parse("1C"), Call.parse("4S"))),))
    assert solved.problems[0].auction == "1NT P 3NT 4S P P P"


def test_contests_award_points_by_contract_and_declarer():
    first, _ = problems_of(pbn.loads(CONTEST))
    assert first.awards == {"3NT by N": 10, "3NT by S": 8, "6NT": 3, "1NT": 5, "2NT": 5}
    solved = solve(SOUND, 1, (first,))
    assert solved.awards == (10, 10)
    assert solved.json()["awards"] == {"won": 10, "most": 10}


@pytest.mark.parametrize(
    ("comment", "awards"),
    [
        ("6♥ = 10; 6NT: 9; 4♥ 5.5", {"6H": 10, "6NT": 9, "4H": 5.5}),
        ("10 for 4S or 4H, 3 for passed out", {"4S": 10, "4H": 10, "P": 3}),
        ("3NTX (South) 10", {"3NTX by S": 10}),
        ("a comment on nothing", {}),
        ("", {}),
        ("7NT", {}),
    ],
)
def test_awards_are_read_as_people_write_them(comment, awards):
    assert awards_of(comment) == awards


def test_a_problem_without_its_hands_is_refused():
    with pytest.raises(RecordError, match="East's hand is not given"):
        list(problems_of(pbn.loads(CONTEST), side=Side.EW))


@dataclass
class Searching:
    """A bidder that counts what it does, as search bidders will."""

    effort: Effort = field(default_factory=Effort)

    def decide(self, view, *, rng):
        looked = len(view.auction) > 2
        self.effort += Effort(1, int(looked), len(view.auction) * looked, 100 * looked, 0)
        return sound().decide(view, rng=rng)


def test_the_dependent_variables_of_the_paper_are_counted():
    data = solve(Contestant("searching", Searching), 3).json()
    assert data["generated_instances"] == 100 * data["lookahead_invocations"] > 0
    assert 0 < data["lookahead_ratio"] < 1
    assert data["lookahead_stage"] > 2
    assert data["sampling_failures"] == 0


def test_a_failing_bidder_makes_the_problem_void():
    solved = solve(Contestant("broken", raising), 20)
    assert solved.voids
    assert solved.counted
    assert "ordinary bug" in solved.voids[0].void


def test_toy_tricks_agree_with_one_another():
    problem = random_problem(1, 3)
    deal = Deal.of_masks(tuple(layouts_of(problem, 0, 1)[0].tolist()))
    board = Board.numbered(1, deal)
    assert Tricks().tricks(board, [Auction.parse("N", "1NT AP")]) == [tables(layouts_of(problem, 0, 1))[0, 4, 0]]
