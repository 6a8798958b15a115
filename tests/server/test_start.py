"""Starting the server: the database comes up to date, and nobody beyond this machine gets in by accident."""

from __future__ import annotations

import socket
import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from opfire.core.errors import OpfireError
from opfire.core.match import Match
from opfire.server import app
from opfire.server.guard import token_hash
from opfire.server.store import MIGRATIONS, Store, metadata
from server import toy


def test_migrations_make_the_tables_that_the_program_knows(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "new" / "games.sqlite"))
    found = sa.inspect(store.engine)
    for table in metadata.sorted_tables:
        assert {column["name"] for column in found.get_columns(table.name)} == {column.name for column in table.columns}
        assert found.get_pk_constraint(table.name)["constrained_columns"] == [key.name for key in table.primary_key]
    store.close()


def test_an_old_database_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    for _ in range(2):
        Store(str(path)).close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("select version_num from alembic_version").fetchall() == [("0003",)]
    connection.close()


def test_a_running_game_of_an_old_database_goes_on(tmp_path: Path) -> None:
    """Its seats, key and lines stay; an offer of a draw that was open lapses."""
    path = str(tmp_path / "games.sqlite")
    match = Match.start(toy.SCENARIO, nonces={"red": "r", "blue": "b"}, key=bytes(32))
    match.play("red", toy.Commit(1))
    alone = blake2b(bytes(32), digest_size=32, person=b"opfire commit").hexdigest()
    header = msgspec.structs.replace(match.record.header, opfire=1, commitment=alone)
    upgrade(path, "0001")
    with closing(sqlite3.connect(path)) as connection, connection:
        row = ("old", "row", "2026-01-01", text(header), bytes(32), text({"red": token_hash("t")}), "blue", None)
        connection.execute("insert into games values (?, ?, ?, ?, ?, ?, ?, ?)", row)
        connection.execute("insert into lines values (?, ?, ?)", ("old", 1, text(match.record.lines[0])))
    store = Store(path)
    stored = store.read("old")
    assert stored is not None
    assert (stored.awaited, stored.host, stored.seats) == ([], "", {"red": token_hash("t")})
    again = Match.resume(stored.text(), stored.key)
    assert (again.record.lines, again.draw_offered_by) == (match.record.lines, None)
    store.close()


def text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def upgrade(path: str, revision: str) -> None:
    """Bring a database to an old form."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir, " * 200)
    with pytest.raises(OpfireError, match=r"letter\.txt cannot be opened: file is not a database"):
        Store(str(path))
    assert path.read_text() == "Dear Sir, " * 200


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.0.0.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("lan", False),
    ],
)
def test_which_hosts_are_this_machine_alone(host: str, local: bool) -> None:
    assert app.is_local(host) == local


def test_serving_others_must_be_allowed(tmp_path: Path) -> None:
    with pytest.raises(OpfireError, match="add --allow-remote"):
        app.serve("0.0.0.0", 0, str(tmp_path / "games.sqlite"), open_browser=False)
    assert not (tmp_path / "games.sqlite").exists()


def test_a_port_that_is_taken_is_said_to_be(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OpfireError, match=f"127.0.0.1:{port} cannot be used"):
            app.serve("127.0.0.1", port, str(tmp_path / "games.sqlite"), open_browser=False)


def test_the_address_can_be_typed_into_a_browser() -> None:
    assert app.address("0.0.0.0", 8000) == "http://127.0.0.1:8000/"
    assert app.address("::1", 8000, "/play") == "http://[::1]:8000/play"


def test_serving_prints_the_address_warns_and_opens_the_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []

    class Now:
        def __init__(self, delay: float, function: object, arguments: list[str]) -> None:
            self.arguments = arguments

        def start(self) -> None:
            opened.extend(self.arguments)

    monkeypatch.setattr(app.threading, "Timer", Now)
    monkeypatch.setattr(app.uvicorn.Server, "run", lambda self, sockets: None)
    app.serve("0.0.0.0", 0, str(tmp_path / "games.sqlite"), allow_remote=True)
    printed = capsys.readouterr()
    assert "reached from other machines" in printed.err
    assert opened[0] in printed.out
    app.serve("127.0.0.1", 0, str(tmp_path / "games.sqlite"), open_browser=False)
    assert "Warning" not in capsys.readouterr().err
    assert len(opened) == 1


def test_small_messages_do_not_wait_for_each_other() -> None:
    """Table, log and answer go out at once, each as it is ready."""
    with app._listening("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        conversation, _ = listener.accept()
        with conversation:
            assert conversation.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
