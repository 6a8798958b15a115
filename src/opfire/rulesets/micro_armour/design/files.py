"""A force as its file lists it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from opfire.core.errors import BadInput
from opfire.core.reading import ready
from opfire.rulesets.micro_armour.charts import Engagement, Month, Role
from opfire.rulesets.micro_armour.design.prices import Bought

Cohesion = Annotated[int, Meta(ge=1, le=20)]
Number = Annotated[int, Meta(ge=0, le=9999)]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the file: a field that it does not have is an error."""


class Formation(_Part, frozen=True):
    """Stands that belong together; battalions need a headquarters, reconnaissance brings observers."""

    name: str
    size: Literal["battalion", "company", "detachment"] = "detachment"
    reconnaissance: bool = False
    stands: list[Bought] = []


class Works(_Part, frozen=True):
    """Positions, minefields and obstacles, in markers of one inch."""

    light: Number = 0
    medium: Number = 0
    heavy: Number = 0
    hasty: Number = 0
    standard: Number = 0
    concentrated: Number = 0
    dummies: Number = 0
    wire: Number = 0
    ditches: Number = 0


class Strike(_Part, frozen=True):
    """Aircraft of one kind."""

    aircraft: str
    count: Annotated[int, Meta(ge=1, le=99)] = 1


class Allowance(_Part, frozen=True):
    """The points that may be spent: as agreed, or worked out.

    `base` and `bid` are those of the auction; a defender adds the `cohesion` of the attackers. `known` are the points
    of the other force, with its `cohesion` and, to balance determination as well, its `determination` in per cent.
    """

    points: Number | None = None
    base: Number | None = None
    bid: Number = 0
    known: Number | None = None
    cohesion: Cohesion | None = None
    determination: Annotated[int, Meta(ge=1, le=100)] | None = None


class Force(_Part, frozen=True):
    """One player's force as its file has it."""

    title: str
    ruleset: str
    nation: str
    date: Month
    engagement: Engagement
    role: Role
    cohesion: Cohesion
    allowance: Allowance
    formations: list[Formation]
    works: Works = Works()
    strikes: list[Strike] = []
    observers: Number = 0
    coordinators: Number = 0
    marines: bool = False
    circumstances: list[str] = []
    determination: Annotated[int, Meta(ge=1, le=100)] | None = None
    turns: Annotated[int, Meta(ge=1, le=99)] | None = None


def read_force(force: Mapping[str, Any], name: str) -> Force:
    """The force in the data of a file; `name` is what errors call the file. Raises BadInput."""
    try:
        return msgspec.convert(force, ready(Force))
    except msgspec.ValidationError as error:
        what, _, field = str(error).partition(" - at `$.")
        field = field.strip("`") or re.sub(r".*field `(\w+)`.*", r"\1", what)
        raise BadInput(f"{field}: {what}", name, "the fields of docs/forces.md") from None
