"""The pages in a real browser: boards bid and played by clicking and typing, phones, reconnection, accessibility.

Needs a chromium of the system's (CHROMIUM names another) and playwright; skipped where there is none. Screenshots go to
the folder named by BOREL_SCREENSHOTS. The check for accessibility needs axe-core's file, named by AXE_CORE.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from seats import SLAM, open_table, upload

from borel import Seat

playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("no chromium is installed", allow_module_level=True)

SHOTS = Path(os.environ["BOREL_SCREENSHOTS"]) if os.environ.get("BOREL_SCREENSHOTS") else None
AXE = Path(os.environ.get("AXE_CORE", "/nowhere"))
PATIENCE = 60_000  # milliseconds for anything: a test machine may be busy
TURN_OR_OVER = "(borelTable.view.yourTurn || borelTable.view.phase === 'over')"
CLAIM = "borelTable.view.claim?.yours"
READY = f"() => globalThis.borelTable?.view && borelTable.live && ({TURN_OR_OVER} || {CLAIM})"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright_api.sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def page_of(browser: Any) -> Iterator[Callable[..., Any]]:
    """Makes pages; at the end none of them may have had anything to complain of."""
    contexts, errors = [], list[str]()

    def make(
        width: int = 1280, height: int = 800, scheme: str = "light", *, wide: bool = True, expects: str = "\0"
    ) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion="reduce",
            has_touch=not wide,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on(
            "console",
            lambda told: (
                errors.append(told.text) if told.type in ("error", "warning") and expects not in told.text else None
            ),
        )
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert errors == []


def shoot(page: Any, name: str) -> None:
    if SHOTS is not None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png")


def check_axe(page: Any, where: str) -> None:
    """No serious fault of accessibility, if there is an axe-core to look for them."""
    if AXE.is_file():
        page.evaluate(AXE.read_text(encoding="utf-8"))  # not as a script tag: the page's own policy forbids those
        found = page.evaluate("() => axe.run().then((result) => result.violations)")
        serious = [f"{v['id']}: {v['nodes'][0]['html'][:150]}" for v in found if v["impact"] in ("serious", "critical")]
        assert not serious, (where, serious)


def click_one(page: Any) -> str:
    """Wait for one's turn and click something legal; the phase at that time."""
    page.wait_for_function(READY)
    phase = str(page.evaluate("borelTable.view.phase"))
    if phase == "over":
        return phase
    version = page.evaluate("borelTable.view.version")
    if page.evaluate(CLAIM):  # a bot's
        page.click("[data-key=accept]")
        page.wait_for_function(f"() => borelTable.view.version !== {version}")
        return phase
    if phase == "auction":
        opened = page.evaluate("borelTable.view.auction.some((entry) => /^[1-7]/.test(entry.call))")
        page.click(f"[data-key=bid-{'P' if opened else '1NT'}]")
    else:
        card = page.evaluate("borelTable.view.legal.cards[0]")
        page.click(f"[data-key=card-{card}]", position={"x": 9, "y": 16})
    page.wait_for_function("(version) => borelTable.view.version !== version", arg=version)
    return phase


def click_through(page: Any, shots: str = "") -> None:
    seen = set()
    while (phase := click_one(page)) != "over":
        if shots and phase not in seen:
            seen.add(phase)
            page.wait_for_function(READY)
            shoot(page, f"{shots}-{phase}")
    page.wait_for_selector(".comparison")


def sit(page: Any, server: Any, seat: str, **settings: Any) -> str:
    table, keys = open_table(server.address, people=seat, **settings)
    page.goto(f"{server.address}/table/{table}#{keys[seat]}")
    return table


SLOW = pytest.mark.slow
SEATS = [("S", "light"), ("W", "dark"), pytest.param("N", "light", marks=SLOW), pytest.param("E", "dark", marks=SLOW)]


@pytest.mark.parametrize(("seat", "scheme"), SEATS)
def test_a_board_is_bid_and_played_by_clicking_in_each_seat(server, page_of, seat, scheme):
    page = page_of(scheme=scheme)
    sit(page, server, seat)
    page.wait_for_function(READY)
    page.click("[data-key=hint]")
    page.wait_for_selector(".told-panel strong")
    assert page.evaluate("document.documentElement.scrollHeight <= window.innerHeight")  # one's hand stays in sight
    check_axe(page, f"auction, {scheme}")
    click_through(page, f"table-{seat}-{scheme}")
    check_axe(page, f"result, {scheme}")
    shoot(page, f"table-{seat}-{scheme}-over")
    assert page.evaluate("location.hash") == ""  # the key does not stay in the address
    page.keyboard.press("Enter")
    page.wait_for_function("() => borelTable.view.board.number === 2")


def test_a_visitor_sits_down_on_a_phone_asks_for_a_hint_and_plays(server, page_of):
    page = page_of(375, 667, wide=False)
    page.goto(server.address)
    page.evaluate("localStorage.setItem('borel.lobby.play', JSON.stringify({ strength: 'test' }))")
    page.reload()
    page.wait_for_selector("[data-key=start]")
    check_axe(page, "lobby")
    shoot(page, "lobby-phone")
    page.click("[data-key=start]")
    page.wait_for_function(READY)
    page.click("[data-key=hint]")
    page.wait_for_selector(".told-panel strong")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    if page.evaluate("borelTable.view.auction.length"):
        page.click("[data-key=call-0]")
        page.wait_for_selector(".sampled")  # the rule's words at once, the hands that call so a moment later
    click_through(page, "phone")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.click("[data-key=analyse]")
    page.wait_for_selector("text=What it cost")
    shoot(page, "phone-over")


def test_two_browsers_at_one_table_and_one_comes_back_in_mid_trick(server, page_of):
    north, south = page_of(), page_of()
    table, keys = open_table(server.address, people="NS", undo=False)
    north.goto(f"{server.address}/table/{table}#{keys['N']}")
    south.goto(f"{server.address}/table/{table}#{keys['S']}")
    turns = "() => globalThis.borelTable?.view?.yourTurn || globalThis.borelTable?.view?.phase === 'over'"
    left = False
    while True:
        mine = next((page for page in (north, south) if page.evaluate(turns)), None)
        if mine is None:
            north.wait_for_timeout(20)  # gives both pages a moment to hear
            continue
        if click_one(mine) == "over":
            break
        if not left and mine.evaluate("(borelTable.view.trick ?? []).length % 4 !== 0"):
            left = True
            south.reload()
            south.wait_for_selector(".trick .card")
    assert left
    south.wait_for_selector(".comparison")


def test_a_board_is_played_by_keyboard_alone(server, page_of):
    page = page_of()
    sit(page, server, "S", mode="bid", silent=True)
    while True:
        page.wait_for_function(READY)
        if page.evaluate("borelTable.view.phase") == "over":
            break
        version = page.evaluate("borelTable.view.version")
        opened = page.evaluate("borelTable.view.auction.some((entry) => /^[1-7]/.test(entry.call))")
        page.keyboard.type("p" if opened else "1n")
        page.wait_for_function("(version) => borelTable.view.version !== version", arg=version)
    page.wait_for_selector(".comparison")
    page.wait_for_selector(".verdict")
    page.wait_for_selector("text=What it cost")  # without asking
    shoot(page, "bid-over")


def test_a_hand_is_asked_about_a_file_reviewed_and_a_system_read(server, page_of):
    page = page_of()
    page.goto(f"{server.address}/ask")
    for number, call in enumerate(("1D", "1S"), 1):
        page.click(f"[data-key=bid-{call}]")
        page.wait_for_function("(n) => document.querySelectorAll('.told').length === n", arg=number)
    page.click("[data-key=call-0]")
    page.wait_for_selector(".sampled")
    page.click("[data-key=ask]")
    page.wait_for_selector(".answer")
    assert "%" in page.inner_text(".candidates")
    check_axe(page, "ask")
    shoot(page, "ask")
    page.goto(f"{server.address}/review")
    page.set_input_files("#file", Path(__file__).parents[1] / "data" / "formats" / "boards.lin")
    page.wait_for_selector("progress[value='3']")
    page.click("[data-key=board-1]")
    page.wait_for_selector(".replay")
    page.click("[data-key=more]")
    page.wait_for_selector(".replay-felt .card")
    page.check("[data-key=values]")
    page.wait_for_selector(".valued .card .value")
    link = page.url
    check_axe(page, "review")
    shoot(page, "review")
    other = page_of(390, 844, "dark", wide=False)
    other.goto(link)  # whoever has the link sees the same, and nothing is thought about again
    other.wait_for_selector("progress[value='3']")
    other.click("[data-key=board-1]")
    other.wait_for_selector(".replay")
    assert other.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    shoot(other, "review-phone")
    page.goto(f"{server.address}/system")
    page.click("[data-key=go-1NT]")
    page.wait_for_selector("[data-key=go-2C]")
    check_axe(page, "system")
    shoot(page, "system")
    page.click("[data-key=tab-edit]")
    page.wait_for_function("() => document.querySelector('textarea')?.value.includes('include sayc')")
    check_axe(page, "editor")


def test_tiles_begin_slams_friends_and_trials_and_options_a_condition(server, page_of):
    page = page_of(expects="status of 400")  # of the condition that cannot be read
    # With a friend the link of their seat is what one sees first.
    for tile, seen in (("slams", "view.mode === 'play'"), ("friend", "keys.N"), ("trial", "view.trial.of === 8")):
        page.goto(server.address)
        page.click(f"[data-key=tile-{tile}]")
        page.wait_for_function(f"() => globalThis.borelTable?.view?.board && borelTable.{seen}")
        if tile == "friend":
            assert page.evaluate("borelTable.keys.N") in page.input_value(".links input >> nth=0")
            check_axe(page, "invite")
            shoot(page, "invite")
        if tile == "slams":
            table = page.evaluate("borelTable.name")
            opened = server.app.state.server.hub.live[table].state
            deal = opened.playing().board.deal
            assert deal.hand(Seat.N).hcp + deal.hand(Seat.S).hcp >= 31
    page.goto(server.address)
    page.click("summary")
    page.fill("[name=where]", "spades(south) >= 7")
    page.select_option("[name=trial]", "quick")
    page.select_option("[name=trial_boards]", "4")
    page.click("[data-key=start]")
    page.wait_for_function("() => globalThis.borelTable?.view?.trial?.of === 4")
    cards = page.evaluate("borelTable.view.hands.S.cards")
    assert sum(card[0] == "S" for card in cards) >= 7
    page.goto(server.address)
    page.fill("[name=where]", "spades(south) >= nonsense")
    page.click("[data-key=start]")
    page.wait_for_function("() => document.querySelector('.wrong').textContent.includes('nonsense')")


def test_links_that_lead_nowhere_lead_back_to_the_lobby(server, page_of):
    page = page_of(390, 844, "dark", wide=False, expects="status of 404")
    for path in ("/table/nothing", "/nowhere"):
        page.goto(f"{server.address}{path}")
        page.wait_for_selector("[data-key=home]")
        check_axe(page, path)
    page.click("[data-key=home]")
    page.wait_for_selector("[data-key=start]")


def test_a_blind_trial_ends_with_who_was_who(server, page_of):
    page = page_of()
    sit(page, server, "S", mode="bid", trial="quick", trial_boards=2)
    for board in (1, 2):
        page.wait_for_function("(board) => globalThis.borelTable?.view?.board?.number === board", arg=board)
        while click_one(page) != "over":
            pass
        page.wait_for_selector(".comparison")
        if board == 1:
            assert page.query_selector(".trial") is None
            page.click("[data-key=next]")
    page.wait_for_selector(".trial dd")
    assert "IMPs a board against par" in page.inner_text(".trial")
    shoot(page, "trial-over")


def test_a_claim_of_a_bot_is_accepted_by_a_click(server, page_of):
    page = page_of(390, 844, wide=False)
    table, keys = open_table(server.address, people="W", strength="quick", file=upload(server.address, SLAM))
    page.goto(f"{server.address}/table/{table}#{keys['W']}")
    while True:
        page.wait_for_function(READY)
        if page.evaluate(CLAIM):
            break
        assert click_one(page) != "over", "South, with all the tricks, did not claim"
    check_axe(page, "claim")
    shoot(page, "claim-phone")
    page.click("[data-key=accept]")
    page.wait_for_selector(".comparison")
