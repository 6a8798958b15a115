"""A server on a database of its own, with the toy ruleset; and a browser's end of the WebSocket."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from opfire.core import ruleset, scenario
from opfire.server import create_app
from server import toy

HOME = "http://127.0.0.1:8000"
JSON = dict[str, Any]
DECISIONS = (
    "play",
    "write",
    "erase",
    "hand-in",
    "undo",
    "auto",
    "orders",
    "concede",
    "draw",
    "decline",
    "resume",
    "stop",
)


class Chance:
    """A computer player that leaves all to chance."""

    title = "Chance"

    def choose(self, game: Any, seat: str, rng: random.Random) -> Any:
        return game.choices(seat).sample(rng)


class Seat:
    """A browser at the table. It keeps what it was sent, byte for byte."""

    def __init__(self, wire: Any) -> None:
        self.wire = wire
        self.bytes = ""
        self.table: JSON = {}
        self.log: list[JSON] = []
        self.count = 0

    def receive(self) -> JSON:
        """The next message, kept as the browser keeps it."""
        text = self.wire.receive_text(timeout=20)
        self.bytes += text
        message: JSON = msgspec.json.decode(text)
        if message["type"] in ("table", "waiting"):
            self.table = message
        if message["type"] == "log":
            self.log = [*self.log[: message["from"]], *message["entries"]]
        return message

    def until(self, right: Callable[[JSON], bool]) -> JSON:
        """Receive until a message is right."""
        while not right(message := self.receive()):
            pass
        return message

    def wait(self, right: Callable[[JSON], bool]) -> None:
        """Receive until the table is as wanted; it may be already."""
        while not right(self.table):
            self.receive()

    def say(self, type: str, **fields: Any) -> JSON:
        """Say something; its answer or refusal. A decision is made on the table that was received last."""
        self.count += 1
        number = self.count
        if type in DECISIONS:
            fields.setdefault("position", self.table.get("position"))
        self.wire.send_text(msgspec.json.encode({"type": type, "id": number, **fields}).decode())
        return self.until(lambda message: message.get("re") == number)

    def play(self, type: str, *then: JSON, **fields: Any) -> JSON:
        """Play an action."""
        return self.say("play", action={"type": type, **fields}, then=list(then))

    def settle(self) -> None:
        """Receive all that was sent up to now: what is asked last is answered last."""
        self.say("why", unit=None)

    def choose(self, type: str) -> list[JSON]:
        """The choices of that type that the table offers."""
        return [choice["action"] for choice in self.table["choices"] if choice["action"]["type"] == type]


class Server:
    """A client of one running server."""

    def __init__(self, http: TestClient[Any]) -> None:
        self.http = http

    def prepare(self, seats: JSON, scenario: str = "row") -> JSON:
        """A game that waits for its human seats."""
        answer = self.http.post("/api/games", json={"scenario": scenario, "seats": seats})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def come(self, game: JSON, name: str, nonce: str = "") -> JSON:
        """Add to the dice for a seat, as its browser does; the answer."""
        with self.wait(game, name) as seat:
            return seat.say("nonce", commitment=seat.table["commitment"], nonce=nonce or f"nonce of {name}")

    def new(self, **players: str) -> JSON:
        """A new game, begun."""
        game = self.prepare({side: {"side": side, "player": players.get(side, "human")} for side in ("red", "blue")})
        for name in game["seats"]:
            assert self.come(game, name)["type"] == "answer"
        return game

    @contextmanager
    def wait(self, game: JSON, name: str = "") -> Iterator[Seat]:
        """A seat, or a spectator's, in the waiting room."""
        with self._joined(game, name) as seat:
            seat.until(lambda message: message["type"] == "waiting")
            yield seat

    @contextmanager
    def sit(self, game: JSON, name: str = "") -> Iterator[Seat]:
        """A seat at the table, or a spectator's."""
        with self._joined(game, name) as seat:
            seat.until(lambda message: message["type"] == "log")
            yield seat

    @contextmanager
    def _joined(self, game: JSON, name: str) -> Iterator[Seat]:
        with self.http.websocket_connect(f"/api/games/{game['game']}/table", headers={"origin": HOME}) as wire:
            token = {"token": game["seats"][name]} if name else {}
            wire.send_text(msgspec.json.encode({"type": "join", **token}).decode())
            yield Seat(wire)


@pytest.fixture(autouse=True)
def quick_turns() -> Iterator[None]:
    """The test client never rests while it waits: let the server's threads have their turn soon."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.0002)
    yield
    sys.setswitchinterval(before)


@pytest.fixture(autouse=True)
def toy_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The toy is the only ruleset, The Row the only scenario."""
    folder = tmp_path / "scenarios" / "toy"
    folder.mkdir(parents=True)
    (folder / "row.toml").write_text(toy.SCENARIO, encoding="utf-8")
    monkeypatch.setattr(scenario, "SCENARIOS", tmp_path / "scenarios")
    monkeypatch.setattr(ruleset, "installed", lambda: {"toy": toy.TOY})
    monkeypatch.setattr("opfire.server.catalogue.installed", lambda: {"toy": toy.TOY})


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games" / "opfire.sqlite"


@contextmanager
def running(database: Path, **how: Any) -> Iterator[Server]:
    """A server on that database, as long as the context lasts."""
    app = create_app(str(database), players=how.pop("players", lambda: {"chance": Chance()}), **how)
    with TestClient(app, base_url=HOME) as http:
        yield Server(http)


@pytest.fixture
def start(database: Path) -> Callable[..., Any]:
    """Start a server on the test's database: `with start() as server`."""
    return lambda **how: running(database, **how)


@pytest.fixture
def server(database: Path) -> Iterator[Server]:
    with running(database) as found:
        yield found
