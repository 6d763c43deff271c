"""Bots claim, people judge, and play goes on where somebody does not agree."""

from scripted import Thoughts, in_virtual_time, scripted, until

from borel import Call, Card, Deal, Decision, Seat
from borel.web.claims import claim_event, judging
from borel.web.limits import BusyError
from borel.web.live import Guest

SLAM = Deal.parse("N:432.432.432.5432 765.J76.JT87.876 AKQJ.AKQ.AKQ.AKQ T98.T985.965.JT9")


def calls(*texts: str) -> list[Decision]:
    return [Decision(Call.parse(text), "") for text in texts]


def cards(*texts: str, claim: int | None = None) -> list[Decision]:
    return [Decision(Card.parse(text), "claims: all tricks are mine", claim=claim) for text in texts]


def claiming(people: str, script: list[Decision], *, accepts: bool = True):
    """South, a bot, is in 7NT and claims when the lead has been made."""
    thinking = Thoughts(script, accepts=accepts)
    table = scripted(SLAM, people, thinking, Seat.S)
    guest = Guest(table.seat_of(people))
    table.join(guest)
    return table, guest, thinking


def test_a_bot_claims_a_person_sees_its_cards_refuses_and_play_goes_on():
    async def sit():
        script = calls("7NT", "P", "P") + cards("C2", "C2", "C6", "CA", "SA", claim=13)
        table, guest, thinking = claiming("W", script)
        state = table.state
        await until(lambda: state.playing().is_persons_turn)
        await table.obey(guest, {"do": "act", "choice": "P"})
        await until(lambda: state.playing().play is not None)
        await table.obey(guest, {"do": "act", "choice": "CJ"})
        await until(lambda: state.claim is not None)
        assert (state.claim.claimer, state.claim.tricks, state.claim.waiting) == (Seat.S, 13, {Seat.W})
        judges = [task.arguments["views"][0].seat for task in thinking.tasks if task.name == "judge_claim"]
        assert judges == [Seat.E]
        await table.obey(guest, {"do": "agree", "yes": False})
        assert state.note == ("refused", "W")
        await until(lambda: len(state.playing().cards) >= 5)  # South plays on, and claims no more on this board
        assert state.claim is None
        assert not state.is_over
        await table.close()

    in_virtual_time(sit())


def test_a_bots_claim_that_everybody_accepts_ends_the_board():
    async def sit():
        table, guest, _ = claiming("W", calls("7NT", "P", "P") + cards("C2", claim=13))
        await until(lambda: table.state.playing().is_persons_turn)
        await table.obey(guest, {"do": "act", "choice": "P"})
        await until(lambda: table.state.playing().play is not None)
        await table.obey(guest, {"do": "act", "choice": "CJ"})
        await until(lambda: table.state.claim is not None)
        await table.obey(guest, {"do": "agree", "yes": True})
        assert table.state.is_over
        assert table.state.playing().play.declarer_tricks == 13
        await table.close()

    in_virtual_time(sit())


def test_a_bots_claim_that_another_bot_refuses_is_played_on_without_asking_anybody():
    async def sit():
        script = calls("7NT", "P", "P") + cards("C2", "C2", "C6", "CA", "SA", claim=13)
        table, guest, _ = claiming("W", script, accepts=False)
        await until(lambda: table.state.playing().is_persons_turn)
        await table.obey(guest, {"do": "act", "choice": "P"})
        await until(lambda: table.state.playing().play is not None)
        await table.obey(guest, {"do": "act", "choice": "CJ"})
        await until(lambda: len(table.state.playing().cards) >= 5)
        assert not table.state.is_over
        await table.close()

    in_virtual_time(sit())


def test_a_claim_that_nobody_has_the_time_to_judge_does_not_stop_the_board():
    class Busy(Thoughts):
        async def ask(self, key, task, **more):
            if task.name == "judge_claim":
                raise BusyError("too much is waiting")
            return await super().ask(key, task, **more)

    async def sit():
        table = scripted(SLAM, "S", Busy(calls("P", "P", "P") + cards("CJ", "C6")), Seat.S)
        guest = Guest(Seat.S)
        table.join(guest)
        await table.obey(guest, {"do": "act", "choice": "7NT"})
        await until(lambda: table.state.playing().is_persons_turn and bool(table.state.playing().cards))
        assert await table.obey(guest, {"do": "claim", "tricks": 13}) == {"agreed": False}
        await table.obey(guest, {"do": "act", "choice": "C2"})
        assert len(table.state.playing().cards) == 2
        await table.close()

    in_virtual_time(sit())


def test_a_person_who_plays_partners_contract_is_asked_about_a_defenders_claim():
    async def sit():
        # South, a bot, declares 1NT; North, a person and dummy, plays both hands.
        table = scripted(SLAM, "N", Thoughts(calls("1NT", "P", "P") + cards("CJ", "C6")), Seat.S)
        guest, game = Guest(Seat.N), table.state.playing()
        table.join(guest)
        await until(lambda: game.is_persons_turn)
        await table.obey(guest, {"do": "act", "choice": "P"})
        for card in ("C5", "CA"):
            await until(lambda: game.is_persons_turn and game.play is not None)
            await table.obey(guest, {"do": "act", "choice": card})
        claim = claim_event(game, Seat.W, 1)
        assert claim["waiting"] == ["N"]
        assert judging(game, claim) is None
        assert claim_event(game, Seat.S, 13, asker=Seat.N)["waiting"] == []
        await table.close()

    in_virtual_time(sit())
