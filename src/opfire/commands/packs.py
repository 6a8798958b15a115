"""A data pack for a command: `--data DIR`, a player's own charts in place of a ruleset's."""

from __future__ import annotations

from pathlib import Path

from opfire.commands.terminal import Parser
from opfire.core import packs
from opfire.core.errors import BadInput


def takes_pack(parser: Parser) -> None:
    """Let the command take a data pack."""
    parser.add_argument("--data", "--pack", type=Path, metavar="DIR", help="a data pack: your own charts")


def tables_of(folder: Path | None, ruleset: str) -> dict[str, str]:
    """The tables of the data pack in that folder that replace the ruleset's own; none if no folder was named.

    Raises BadInput for a pack that has a fault or belongs to another ruleset.
    """
    if folder is None:
        return {}
    pack = packs.load(folder)
    if pack.ruleset != ruleset:
        raise BadInput(f"these are tables of {pack.ruleset}", str(folder), f"a data pack for {ruleset}")
    return pack.tables
