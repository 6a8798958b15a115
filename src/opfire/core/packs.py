"""Data packs: a folder of tables in place of a ruleset's own, for owners of its charts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from opfire.core import ruleset as rulesets
from opfire.core.errors import BadInput
from opfire.core.rows import OWN, Texts, read
from opfire.core.ruleset import Ruleset
from opfire.core.scenario import fingerprint


class Pack(msgspec.Struct, frozen=True):
    """The tables of a folder that differ from its ruleset's own, by file name."""

    ruleset: str
    tables: dict[str, str]

    def for_game(self, ruleset: str) -> Texts:
        """The tables for a game of that ruleset."""
        return self.tables if ruleset == self.ruleset else OWN


def load(folder: Path) -> Pack:
    """The data pack in that folder, checked. Raises BadInput with the first fault."""
    for fault in faults(folder):
        raise fault
    ruleset = _owner(folder)
    return Pack(ruleset.id, _changed(ruleset, folder))


def faults(folder: Path) -> Iterator[BadInput]:
    """Every fault of the data pack in that folder, with file and line."""
    try:
        ruleset = _owner(folder)
    except BadInput as error:
        yield error
        return
    misfits = [fault for path in _files(folder) if (fault := _misfit(path, ruleset))]
    yield from misfits
    if not misfits:
        try:
            ruleset.read_charts(_changed(ruleset, folder))
        except BadInput as error:
            yield error


def name(tables: Texts) -> str:
    """Sixteen hexadecimal digits that name a data pack by its content; empty for the ruleset's own tables."""
    return fingerprint(*(f"{file}\0{text}\0" for file, text in sorted(tables.items()))) if tables else ""


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.csv"))


def _owner(folder: Path) -> Ruleset:
    """The ruleset that has most of these tables."""
    if not folder.is_dir():
        raise BadInput("this is not a folder", str(folder), "a data pack written by `opfire data export`")
    names = {path.name for path in _files(folder)}
    owner = max(rulesets.installed().values(), key=lambda each: len(names & set(each.tables())), default=None)
    if owner is None or not names & set(owner.tables()):
        raise BadInput("no table of any ruleset", str(folder), "files made by `opfire data export`")
    return owner


def _misfit(path: Path, ruleset: Ruleset) -> BadInput | None:
    """The faults of a table that show before its rows are read."""
    own = ruleset.tables()
    if path.name not in own:
        return BadInput("no such table", path.name, f"one of {', '.join(own)}")
    try:
        heading = _heading(read(path))
    except BadInput as error:
        return error
    if heading != (wanted := _heading(read(own[path.name]))):
        return BadInput(f"the columns are {heading}", f"{path.name}:1", wanted)
    return None


def _heading(text: str) -> str:
    return text.partition("\n")[0].strip()


def _changed(ruleset: Ruleset, folder: Path) -> dict[str, str]:
    """The tables that differ from the ruleset's own."""
    own = ruleset.tables()
    texts = {path.name: read(path) for path in _files(folder)}
    return {name: text for name, text in texts.items() if text != read(own[name])}
