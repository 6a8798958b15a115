"""A real server in a process of its own, spoken to by a real WebSocket, and killed without warning."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from server import toy
from server.conftest import DECISIONS

PROGRAM = """
import sys
from pathlib import Path
from opfire import ai
from opfire.core import ruleset, scenario
from server import toy
ruleset.installed = lambda: {"toy": toy.TOY}
ai.players = lambda: {}
scenario.SCENARIOS = Path(sys.argv[1])
from opfire.server import serve
serve("127.0.0.1", 0, sys.argv[2], open_browser=False)
"""


@contextmanager
def process(scenarios: Path, database: Path) -> Iterator[str]:
    """A server; killed in the end. Gives the address that it prints."""
    tests = str(Path(__file__).parent.parent)
    command = [sys.executable, "-c", PROGRAM, str(scenarios), str(database)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": tests}
    ) as running:
        try:
            assert running.stdout is not None
            line = running.stdout.readline()
            assert line.startswith("Opfire: http://127.0.0.1:"), line
            yield line.split()[1].rstrip("/")
        finally:
            running.kill()


@contextmanager
def seat(home: str, game: Any, side: str) -> Iterator[Any]:
    """A seat; gives a function that says something and returns the table as it is after the answer."""
    tables: list[Any] = []
    with connect(f"ws{home[4:]}/api/games/{game['game']}/table", origin=home) as wire:  # type: ignore[arg-type]

        def say(**message: Any) -> Any:
            made_on = {"position": tables[-1]["position"]} if message["type"] in DECISIONS else {}
            wire.send(json.dumps({**message, **made_on}))
            while (heard := json.loads(wire.recv(timeout=30)))["type"] not in ("answer", "refused", "log"):
                tables.append(heard)
            while heard["type"] == "log" and message["type"] != "join":
                heard = json.loads(wire.recv(timeout=30))
            assert heard["type"] != "refused", heard
            return tables[-1]

        say(type="join", token=game["seats"][side])
        yield say


def come(home: str, game: Any, side: str) -> None:
    """Add to the dice for a side."""
    with connect(f"ws{home[4:]}/api/games/{game['game']}/table", origin=home) as wire:  # type: ignore[arg-type]
        wire.send(json.dumps({"type": "join", "token": game["seats"][side]}))
        waiting = json.loads(wire.recv(timeout=30))
        assert waiting["commitment"] == game["commitment"]
        wire.send(json.dumps({"type": "nonce", "commitment": waiting["commitment"], "nonce": f"nonce of {side}"}))
        while json.loads(wire.recv(timeout=30))["type"] != "answer":
            pass


def test_a_kill_between_two_moves_loses_nothing(tmp_path: Path) -> None:
    scenarios, database = tmp_path / "scenarios", tmp_path / "games.sqlite"
    with process(scenarios, database) as home:
        ask = urllib.request.Request(
            f"{home}/api/games", data=b'{"scenario":"row"}', headers={"content-type": "application/json"}
        )
        with urllib.request.urlopen(ask, timeout=30) as answer:
            game = json.load(answer)
        come(home, game, "red")
    with process(scenarios, database) as home:
        come(home, game, "blue")
        with seat(home, game, "red") as red:
            red(type="play", action={"type": "Commit", "number": 2})
    with process(scenarios, database) as home, seat(home, game, "blue") as blue:
        blue(type="play", action={"type": "Commit", "number": 3})
    with process(scenarios, database) as home, seat(home, game, "red") as red:
        moved = red(type="play", action={"type": "Step", "unit": "red-1", "to": "1-A2"})
    with process(scenarios, database) as home, seat(home, game, "red") as red:
        assert red(type="undo")["undo"]["count"] == 0
        table = red(type="play", action={"type": "Step", "unit": "red-1", "to": "1-A2"})
        assert table["view"] == moved["view"]
        assert table["view"]["secret"] == 2
        assert table["view"]["units"][0] == {"id": "red-1", "place": "1-A2"}
        with pytest.raises(InvalidStatus) as refused:
            connect(f"ws{home[4:]}/api/games/{game['game']}/table", origin="http://evil.example")  # type: ignore[arg-type]
        assert refused.value.response.status_code == 403


@pytest.fixture(autouse=True)
def scenarios_on_disk(tmp_path: Path) -> None:
    (tmp_path / "scenarios" / "toy").mkdir(parents=True, exist_ok=True)
    (tmp_path / "scenarios" / "toy" / "row.toml").write_text(toy.SCENARIO, encoding="utf-8")
