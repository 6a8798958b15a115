"""Boards and tables that come with Opfire: files of a folder, found by id."""

from __future__ import annotations

from pathlib import Path

from opfire.core.errors import BadInput


def file_named(folder: Path, name: str, what: str, where: str) -> Path:
    """The file of a folder that has this name or this id; `what` it is, and `where` it is named, in errors.

    Raises BadInput with the names of the files that are there.
    """
    there = sorted(folder.glob("*.toml"))
    for path in there:
        if path.stem == name or f'id = "{name}"' in path.read_text(encoding="utf-8")[:400]:
            return path
    raise BadInput(f"there is no {what} {name!r}", where, "one of " + ", ".join(path.stem for path in there))
