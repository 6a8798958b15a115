"""The database of games: a header, the dice key, the tokens of seats, and a row for each line of the record."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import IntegrityError, NoSuchModuleError, SQLAlchemyError

from opfire.core.errors import BadInput, OpfireError
from opfire.core.game import Outcome
from opfire.core.reading import ready
from opfire.core.record import Entry, Header, Record

MIGRATIONS = Path(__file__).parent / "migrations"

metadata = sa.MetaData()
GAMES = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("scenario", sa.String, nullable=False),
    sa.Column("created", sa.String, nullable=False),
    sa.Column("header", sa.Text, nullable=False),
    sa.Column("key", sa.LargeBinary, nullable=False),
    sa.Column("seats", sa.Text, nullable=False),
    sa.Column("host", sa.String, nullable=False),
    sa.Column("outcome", sa.Text),
)


def _game() -> sa.Column[str]:
    """The first column of a table about games: rows go with their game."""
    return sa.Column("game", sa.String, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)


LINES = sa.Table(
    "lines",
    metadata,
    _game(),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("entry", sa.Text, nullable=False),
)
SHEETS = sa.Table(
    "sheets",
    metadata,
    _game(),
    sa.Column("side", sa.String, primary_key=True),
    sa.Column("orders", sa.Text, nullable=False),
)


NO_SHEETS: Mapping[str, Sequence[Any]] = MappingProxyType({})


class NotWritten(OpfireError):
    """A decision could not be saved, and so it has not happened."""


class NotRead(OpfireError):
    """The database does not answer."""


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """A stored game. `seats` gives the hash of each human seat's token, `host` the hash of the host's token.

    `lines` are JSON, `sheets` the orders that each side has written and not handed in; `over` is true after the end.
    """

    id: str
    scenario: str
    created: str
    header: Header
    key: bytes
    seats: dict[str, str]
    host: str
    lines: tuple[str, ...]
    sheets: dict[str, list[Any]] = {}
    over: bool = False

    @property
    def awaited(self) -> list[str]:
        """The human seats that have not added to the dice yet: the game begins when all have."""
        return [seat for seat in self.header.humans() if seat not in self.header.nonces]

    def record(self) -> Record:
        """The record with its dice key. Raises BadInput."""
        found = Record.load(self.text())
        return Record(msgspec.structs.replace(found.header, key=self.key.hex()), found.lines)

    def text(self) -> str:
        """The record as text, ready for `Match.resume`."""
        return "\n".join((msgspec.json.encode(self.header).decode(), *self.lines)) + "\n"


class Store:
    """The database. Every call is one transaction, and everything written survives a crash.

    `database` is a file's path or an address that SQLAlchemy knows; a missing file is made, an old one brought up to
    date. Raises OpfireError when it cannot be opened.
    """

    def __init__(self, database: str) -> None:
        try:
            self.engine = _engine(database)
            _bring_up_to_date(self.engine)
        except (SQLAlchemyError, ImportError, OSError, ValueError, OpfireError) as error:
            raise OpfireError(f"the database {database} cannot be opened: {_cause(error)}") from error

    def close(self) -> None:
        """Close the file."""
        self.engine.dispose()

    def add(
        self, game: str, scenario: str, header: Header, key: bytes, seats: Mapping[str, str], host: str = ""
    ) -> None:
        """A new game without lines. Raises NotWritten."""
        row = {
            "id": game,
            "scenario": scenario,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "header": msgspec.json.encode(header).decode(),
            "key": key,
            "seats": msgspec.json.encode(dict(seats)).decode(),
            "host": host,
        }
        try:
            with self.engine.begin() as connection:
                connection.execute(GAMES.insert(), row)
        except SQLAlchemyError as error:
            raise NotWritten(f"The game could not be saved: {_cause(error)}") from error

    def prepare(self, before: Stored, after: Stored) -> None:
        """Change the promise and the seats of a game that has not begun.

        Raises NotWritten, and then nothing has changed; also when another process changed the same game.
        """
        values = {
            "header": msgspec.json.encode(after.header).decode(),
            "key": after.key,
            "seats": msgspec.json.encode(after.seats).decode(),
        }
        unchanged = sa.and_(
            GAMES.c.id == before.id,
            GAMES.c.header == msgspec.json.encode(before.header).decode(),
            ~sa.exists().where(LINES.c.game == before.id),
        )
        try:
            with self.engine.begin() as connection:
                changed = connection.execute(GAMES.update().where(unchanged).values(values)).rowcount
        except SQLAlchemyError as error:
            raise NotWritten(f"This could not be saved, so it has not happened: {_cause(error)}") from error
        if not changed:
            raise NotWritten("The game has changed in the meantime: load the page again")

    def read(self, game: str) -> Stored | None:
        """The game of that id with all its lines, or None."""
        try:
            found = self._rows(game)
        except SQLAlchemyError as error:
            raise NotRead(f"The games cannot be read: {_cause(error)}") from error
        try:
            return None if found is None else _stored(*found)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise BadInput(f"its row in the database is damaged: {error}", f"game {game}") from None

    def _rows(self, game: str) -> tuple[sa.RowMapping, Sequence[str], Mapping[str, str]] | None:
        """The row of a game, its lines, and its sheets by side."""
        lines = sa.select(LINES.c.entry).where(LINES.c.game == game).order_by(LINES.c.n)
        with self.engine.begin() as connection:
            row = connection.execute(sa.select(GAMES).where(GAMES.c.id == game)).mappings().one_or_none()
            if row is None:
                return None
            entries = connection.execute(lines).scalars().all()
            sheets = connection.execute(sa.select(SHEETS.c.side, SHEETS.c.orders).where(SHEETS.c.game == game)).all()
        return row, entries, {each.side: each.orders for each in sheets}

    def write(
        self,
        game: str,
        kept: int,
        stood: int,
        lines: Sequence[Entry],
        outcome: Outcome | None,
        sheets: Mapping[str, Sequence[Any]] = NO_SHEETS,
    ) -> None:
        """Write these lines after line `kept`, in place of those up to line `stood`, and the state of the game.

        `sheets` are the orders that each side has written and not handed in.

        Raises NotWritten, and then nothing has changed; also when another process wrote to the same game.
        """
        rows = [{"game": game, "n": n, "entry": _json(line)} for n, line in enumerate(lines, kept + 1)]
        written = [{"game": game, "side": side, "orders": _json(orders)} for side, orders in sheets.items()]
        ended = None if outcome is None else msgspec.json.encode(outcome).decode()
        gone = sa.and_(LINES.c.game == game, LINES.c.n > kept, LINES.c.n <= stood)
        try:
            with self.engine.begin() as connection:
                connection.execute(LINES.delete().where(gone))
                if rows:
                    connection.execute(LINES.insert(), rows)
                connection.execute(GAMES.update().where(GAMES.c.id == game).values(outcome=ended))
                connection.execute(SHEETS.delete().where(SHEETS.c.game == game))
                if written:
                    connection.execute(SHEETS.insert(), written)
        except SQLAlchemyError as error:
            raise NotWritten(f"This could not be saved, so it has not happened: {_cause(error)}") from error


def _stored(row: sa.RowMapping, lines: Sequence[str], sheets: Mapping[str, str]) -> Stored:
    return Stored(
        id=row["id"],
        scenario=row["scenario"],
        created=row["created"],
        header=msgspec.json.decode(row["header"], type=ready(Header)),
        key=row["key"],
        seats=msgspec.json.decode(row["seats"], type=dict[str, str]),
        host=row["host"],
        lines=tuple(lines),
        sheets={side: msgspec.json.decode(orders, type=list[Any]) for side, orders in sheets.items()},
        over=row["outcome"] is not None,
    )


def stored_records(database: str) -> Iterator[tuple[str, str]]:
    """The text of each game's record that has begun, with its dice key; the database is only read.

    Raises OpfireError for a database that cannot be read.
    """
    games = sa.select(GAMES.c.id, GAMES.c.header, GAMES.c.key).order_by(GAMES.c.id)
    engine = None
    try:
        engine = _reading_engine(database)
        with engine.connect() as connection:
            for game, header, key in connection.execute(games).all():
                lines = sa.select(LINES.c.entry).where(LINES.c.game == game).order_by(LINES.c.n)
                if rows := connection.execute(lines).scalars().all():
                    yield game, "\n".join((_with_key(header, key), *rows))
    except (SQLAlchemyError, ImportError, OSError, ValueError) as error:
        raise OpfireError(f"the database {database} cannot be read: {_cause(error)}") from error
    finally:
        if engine is not None:
            engine.dispose()


def _with_key(header: str, key: bytes) -> str:
    """A header with its dice key; a damaged one as it is."""
    try:
        known = msgspec.json.decode(header, type=dict[str, Any])
    except msgspec.MsgspecError:
        return header
    return _json({**known, "key": key.hex()})


def _reading_engine(database: str) -> sa.Engine:
    if "://" in database:
        return sa.create_engine(database)
    path = Path(database).expanduser().absolute()
    return sa.create_engine(f"sqlite:///file:{path}?mode=ro&uri=true")


def _json(data: Any) -> str:
    return msgspec.json.encode(data).decode()


def _cause(error: Exception) -> str:
    if isinstance(error, IntegrityError):
        return "another server has changed the game; load the page again"
    if isinstance(error, (ImportError, NoSuchModuleError)):
        return "the driver for it is not installed; expected a file's path, sqlite:// or postgresql:// with its driver"
    return str(getattr(error, "orig", None) or error)


def _engine(database: str) -> sa.Engine:
    if "://" in database:
        url = sa.make_url(database)
    else:
        path = Path(database).expanduser()
        path.parent.mkdir(parents=True, exist_ok=True)
        url = sa.URL.create("sqlite", database=str(path))
    engine = sa.create_engine(url)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _as_we_need_it)
    return engine


def _as_we_need_it(connection: sqlite3.Connection, record: Any) -> None:
    # FULL: everything shown to a player must be on the disk, even if the machine stops at once.
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {setting}").close()


def _bring_up_to_date(engine: sa.Engine) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)
    with engine.begin() as connection:
        step = MigrationContext.configure(connection).get_current_revision()
        if step is not None and step not in {known.revision for known in scripts.walk_revisions()}:
            raise OpfireError(f"a later version of Opfire has written it (step {step})")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
