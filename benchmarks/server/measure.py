"""The server, measured as a browser meets it: `make bench-server`. Leave the machine alone meanwhile.

Two human seats play large scenarios over two WebSockets, as two pages do. A decision is timed from sending it until
its answer is there (the table as it has become comes before the answer), and until the other seat, too, has all that
is new to it. Questions are those that the page asks while a player chooses. The processor time is the server's own,
as the kernel counts it: on a busy machine it tells more than the clock.
"""

from __future__ import annotations

import argparse
import json
import random
import secrets
import statistics
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from browser.host import Host
from opfire.server.routes import MESSAGES_A_SECOND

JSON = dict[str, Any]
SCENARIOS = ("mutnaya-crossing", "kurgan-196")
WANTED_MS = 50
DECISIONS = 300
ANSWER_S, QUIET_S = 30, 0.1
DECISIONS = ("play", "auto", "undo")
HEADING = "median, 95 of 100 under, longest, later than 50 ms; the same of the processor's time"
ROUTED, ENDING, SHOWN = "move", ("done", "pass"), ("fire", "confirm", "react")
"""Kinds of choices: those that the page asks the way for, those that end something, those it shows the chances of."""


class Seat:
    """A browser's end of one seat's line."""

    def __init__(self, host: Host, game: str, side: str, token: str) -> None:
        self.side, self.count, self.begun, self.told = side, 0, 0.0, 0.0
        self.table: JSON = {}
        self.line = connect(f"{host.url.replace('http', 'ws')}/api/games/{game}/table", max_size=None)
        self.line.send(json.dumps({"type": "join", "token": token}))
        self.add_to_the_dice()

    def take_place(self) -> None:
        """Wait until the game has begun."""
        while not self.table:
            self._receive()

    def add_to_the_dice(self) -> None:
        """Answer the commitment of the waiting room."""
        waiting = self._receive()
        nonce = secrets.token_hex(16)
        self.line.send(json.dumps({"type": "nonce", "commitment": waiting["commitment"], "nonce": nonce}))

    def _receive(self, patience: float = ANSWER_S) -> JSON:
        message: JSON = json.loads(self.line.recv(timeout=patience))
        if message["type"] == "table":
            self.table = message
        if message["type"] in ("table", "log"):
            self.told = time.perf_counter()
        return message

    def hear_out(self) -> None:
        """Take in what is still coming, until the line is quiet."""
        with suppress(TimeoutError):
            while True:
                self._receive(QUIET_S)

    def ask(self, type: str, **fields: Any) -> JSON:
        """Say something and wait for what is answered; `begun` is when it was said."""
        # A client that talks faster is refused.
        time.sleep(1 / MESSAGES_A_SECOND)
        self.count += 1
        made_on = {"position": self.table["position"]} if type in DECISIONS else {}
        message = json.dumps({"type": type, "id": self.count, **made_on, **fields})
        self.begun = time.perf_counter()
        self.line.send(message)
        while (answer := self._receive()).get("re") != self.count:
            pass
        assert answer["type"] == "answer", (answer, fields)
        return answer


class Clock:
    """Milliseconds by what was done: those that passed, and those that the server computed."""

    def __init__(self, process: int) -> None:
        self.threads = Path(f"/proc/{process}/task")
        self.passed: dict[str, list[float]] = defaultdict(list)
        self.computed: dict[str, list[float]] = defaultdict(list)

    def spent(self) -> float:
        """Milliseconds that all threads of the server have computed so far."""
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in self.threads.iterdir()) / 1e6

    def note(self, what: str, begun: float, ended: float, spent: float) -> None:
        """This began and ended then; `spent` is what had been computed before."""
        self.passed[what].append((ended - begun) * 1000)
        self.computed[what].append(self.spent() - spent)

    def report(self) -> None:
        """A row for each kind, the most frequent first."""
        for what in sorted(self.passed, key=lambda one: -len(self.passed[one])):
            passed, computed = self.passed[what], self.computed[what]
            print(f"{what:32} {len(passed):5}   {figures(passed)}   {figures(computed)}")


def figures(values: list[float]) -> str:
    """Median, 95th percentile, longest, and the share over what is wanted."""
    ordered = sorted(values)
    late = sum(one > WANTED_MS for one in ordered) / len(ordered)
    return f"{statistics.median(ordered):6.1f} {ordered[int(len(ordered) * 0.95)]:6.1f} {ordered[-1]:6.1f} {late:5.1%}"


def new_game(host: Host, scenario: str) -> list[Seat]:
    """Two humans sit down, and everything is placed."""
    body = json.dumps({"scenario": scenario}).encode()
    request = urllib.request.Request(f"{host.url}/api/games", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        made = json.load(answer)
    seats = [Seat(host, made["game"], side, token) for side, token in made["seats"].items()]
    for seat in seats:
        seat.take_place()
    while (seat := to_decide(seats)) and seat.table["prompt"]["step"] == "set-up":
        if any(choice["kind"] == "place" for choice in seat.table["choices"]):
            seat.ask("auto")
        done = next(choice for choice in seat.table["choices"] if choice["kind"] == "done")
        seat.ask("play", action=done["action"])
        for one in seats:
            one.hear_out()
    return seats


def to_decide(seats: list[Seat]) -> Seat | None:
    """Who is asked."""
    return next((seat for seat in seats if seat.side in seat.table["asked"] and seat.table["choices"]), None)


def question(seat: Seat, clock: Clock, type: str, **fields: Any) -> JSON:
    """Ask, and note how long it took."""
    spent = clock.spent()
    answer = seat.ask(type, **fields)
    clock.note(f"question: {type}", seat.begun, time.perf_counter(), spent)
    return answer


def chosen(seat: Seat, clock: Clock, rng: random.Random) -> tuple[str, list[JSON]]:
    """A decision as a player comes to it on the page, seeing ways and chances first: its kind, and its actions."""
    choices = seat.table["choices"]
    ends = [choice for choice in choices if choice["kind"] in ENDING]
    does = [choice for choice in choices if choice["kind"] not in ENDING]
    choice = rng.choice(ends if ends and (not does or rng.random() < 0.1) else does)
    kind, actions = choice["kind"], [choice["action"]]
    if kind == ROUTED:
        hexes = question(seat, clock, "reach", unit=choice["units"][0]).get("hexes", [])
        actions = rng.choice([hex["steps"] for hex in hexes if hex["steps"]] or [actions])
    elif kind in SHOWN:
        question(seat, clock, "preview", action=choice["action"])
    return kind, actions


def decide(seat: Seat, other: Seat, clock: Clock, rng: random.Random) -> None:
    """One decision, until both sides know."""
    kind, (action, *then) = chosen(seat, clock, rng)
    spent = clock.spent()
    seat.ask("play", action=action, then=then)
    answered = time.perf_counter()
    other.hear_out()
    clock.note("decision", seat.begun, answered, spent)
    clock.note("decision, until both know", seat.begun, max(answered, other.told), spent)
    clock.note(f"decision: {kind}", seat.begun, answered, spent)


def play(host: Host, scenario: str, decisions: int, seed: int) -> Clock:
    """So many decisions from the first turn on."""
    assert host.process is not None
    clock, rng = Clock(host.process.pid), random.Random(seed)
    seats = new_game(host, scenario)
    for n in range(decisions):
        seat = to_decide(seats)
        if seat is None:
            break
        if n % 10 == 0:
            question(seat, clock, "suggest")
        decide(seat, next(one for one in seats if one is not seat), clock, rng)
    for seat in seats:
        seat.line.close()
    return clock


def main() -> int:
    """Measure and print, for docs/performance.md."""
    parser = argparse.ArgumentParser(description="How soon the server answers, in milliseconds.")
    parser.add_argument("scenarios", nargs="*", default=SCENARIOS)
    parser.add_argument("--decisions", type=int, default=DECISIONS)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        host = Host(Path(folder) / "opfire.sqlite")
        host.start()
        try:
            for scenario in wanted.scenarios:
                clock = play(host, scenario, wanted.decisions, wanted.seed)
                print(f"{scenario}: {HEADING}")
                clock.report()
        finally:
            host.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
