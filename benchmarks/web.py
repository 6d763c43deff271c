"""Many tables at once on one machine: how soon a click is acknowledged, how long one waits for a bot, how much memory.

    python benchmarks/web.py --tables 10 50 200 --seconds 60 --strength quick

Starts `borel serve` (with its worker processes) on loopback, opens the tables, and seats one simulated person at each,
who thinks for an exponentially distributed time (``--think`` seconds on average: people take several), makes the first
legal choice and measures the time until the server acknowledges it. A wait for a bot is from a bot's turn, as the
person sees it, to its call or card. The server's rate limits are off: all people here share one address.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import Request, urlopen

import psutil
from websockets.asyncio.client import connect


@dataclass
class Seen:
    clicks: list[float] = field(default_factory=list)
    bots: list[float] = field(default_factory=list)
    boards: int = 0
    errors: list[str] = field(default_factory=list)


def quantile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def open_table(address: str, strength: str) -> tuple[str, str]:
    body = json.dumps({"strength": strength}).encode()
    request = Request(f"{address}/api/tables", body, {"Content-Type": "application/json"})
    with urlopen(request, timeout=300) as response:
        opened = json.load(response)
    return opened["table"], opened["keys"]["S"]


def choice_of(view: dict) -> str:
    if view["legal"]["cards"]:
        return random.choice(view["legal"]["cards"])
    return "P" if random.random() < 0.75 else view["legal"]["calls"][min(3, len(view["legal"]["calls"]) - 1)]


async def person(address: str, table: str, key: str, think: float, until: float, seen: Seen) -> None:
    """One person at one table: think, click, wait for the bots."""
    place = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    async with connect(place, max_size=1 << 20) as socket:
        await socket.send(json.dumps({"key": key}))
        view, bot_since, number = {}, None, 0
        while time.monotonic() < until:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), max(0.05, until - time.monotonic())))
            except TimeoutError:
                return
            if "view" not in message:
                continue
            now = time.monotonic()
            if bot_since is not None and message["view"]["version"] != view["version"]:
                seen.bots.append(now - bot_since)
                bot_since = None
            view = message["view"]
            over, claim = view["phase"] == "over", bool(view["claim"]) and view["claim"]["yours"]
            if not view["yourTurn"] and not over and not claim:
                bot_since = bot_since or now
                continue
            bot_since = None
            await asyncio.sleep(random.expovariate(1 / think))
            number += 1
            if over:
                do = {"do": "next"}
            else:
                do = {"do": "agree", "yes": True} if claim else {"do": "act", "choice": choice_of(view)}
            seen.boards += over
            begun = time.monotonic()
            await socket.send(json.dumps({**do, "id": number}))
            while True:
                message = json.loads(await socket.recv())
                if "view" in message:
                    view = message["view"]
                if message.get("answer") == number:
                    break
            if not over:  # a new board is dealt by a worker, an act is acknowledged by the server itself
                seen.clicks.append(time.monotonic() - begun)
            if "error" in message:
                seen.errors.append(message["error"])
            bot_since = None if view["yourTurn"] or view["phase"] == "over" else time.monotonic()
            if view["yourTurn"] or view["phase"] == "over":
                await socket.send(json.dumps({"do": "name", "name": "x", "id": -1}))  # so that a view comes


async def load(address: str, tables: int, think: float, seconds: float, strength: str) -> Seen:
    opened = [await asyncio.to_thread(open_table, address, strength) for _ in range(tables)]
    seen, until = Seen(), time.monotonic() + seconds
    await asyncio.gather(*(person(address, table, key, think, until, seen) for table, key in opened))
    return seen


def memory_mb(process: psutil.Process) -> tuple[float, float]:
    """Of the web process, and of all its workers together (proportional set size: shared pages count once)."""

    def pss(each: psutil.Process) -> float:
        try:
            return each.memory_full_info().pss / 1e6
        except (psutil.Error, AttributeError):
            return 0.0

    return pss(process), sum(pss(child) for child in process.children(recursive=True))


SERVER = """
import sys, uvicorn
if __name__ == "__main__":
    from borel.web import create_app
    from borel.web.bots import STRENGTHS, Strength
    from borel.web.limits import UNLIMITED
    STRENGTHS["glance"] = Strength("For loads: rules, few layouts", "rules", 0.0, "monte_carlo:layouts=4,reads=0")
    app = create_app(place=sys.argv[2], limits=UNLIMITED)
    uvicorn.run(app, port=int(sys.argv[1]), log_level="error", access_log=False)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 50, 200])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--think", type=float, default=8.0, help="seconds that a person thinks, on average")
    parser.add_argument("--strength", default="quick")
    parser.add_argument("--port", type=int, default=8944)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "server.py"
        script.write_text(SERVER, encoding="utf-8")
        command = [sys.executable, str(script), str(options.port), str(Path(folder) / "tables.sqlite")]
        server = subprocess.Popen(command)
        try:
            measure(options, server)
        finally:
            server.terminate()
            server.wait(30)


def measure(options: argparse.Namespace, server: subprocess.Popen) -> None:
    address, process = f"http://127.0.0.1:{options.port}", psutil.Process(server.pid)
    for _ in range(600):
        try:
            urlopen(f"{address}/api/options", timeout=10).close()
            break
        except OSError:
            time.sleep(0.1)
    asyncio.run(load(address, 2, 0.5, 5.0, options.strength))  # the workers read their systems
    print(f"{os.cpu_count()} cores, {options.strength} bots, people think {options.think:g} s on average")
    print("tables   clicks  click p50  p95 ms   bot p50  p95 s   boards  web MB  workers MB  errors")
    for tables in options.tables:
        seen = asyncio.run(load(address, tables, options.think, options.seconds, options.strength))
        web, workers = memory_mb(process)
        click, wait = (
            [1e3 * quantile(seen.clicks, q) for q in (0.5, 0.95)],
            [quantile(seen.bots, q) for q in (0.5, 0.95)],
        )
        print(
            f"{tables:6}  {len(seen.clicks):7}  {click[0]:9.1f} {click[1]:7.1f}  {wait[0]:8.2f} {wait[1]:6.2f}", end=""
        )
        print(f"  {seen.boards:7}  {web:6.0f}  {workers:10.0f}  {len(seen.errors):6}", flush=True)


if __name__ == "__main__":
    main()
