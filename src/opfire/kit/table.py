"""Common parts of books on the free table: zones of set-up, objectives and edges of exit, words, measuring."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec

import msgspec

from opfire.core.actions import Action
from opfire.core.errors import BadInput
from opfire.core.places import INCH, Point, text
from opfire.core.scenario import Beyond, Scenario
from opfire.core.texts import say
from opfire.kit import scoring
from opfire.kit import shown as kit
from opfire.kit.stacks import Side, UnitId
from opfire.space.measure import MICRO
from opfire.space.table import Table
from opfire.space.terrain.reach import Reach

Box = tuple[float, float, float, float]
"""A rectangle of the table in inches: west, north, east, south."""

EDGES = ("north", "east", "south", "west")

P = ParamSpec("P")
Query = Callable[Concatenate[Any, Side, P], dict[str, Any]]
"""A query of a ruleset: the knowledge of a side (with its `table`), that side, and particulars."""


class Area(Beyond, frozen=True):
    """The fields of a zone besides the list of points: a rectangle of the table."""

    box: Box | None = None


class Zone(msgspec.Struct, frozen=True):
    """A part of the table in which stands may set up: a rectangle (1/1000 inch), and single points."""

    box: tuple[int, int, int, int] | None = None
    points: tuple[Point, ...] = ()

    def __contains__(self, at: Point) -> bool:
        """Return whether a point lies in the zone, its edges included."""
        if at in self.points:
            return True
        return self.box is not None and self.box[0] <= at[0] <= self.box[2] and self.box[1] <= at[1] <= self.box[3]


def zone(table: Table, listed: Iterable[str], area: Area) -> Zone:
    """The zone of a scenario. Raises BadInput for points and boxes that are not on the table."""
    points = tuple(table.parse(at, "zones") for at in listed)
    if area.box is None:
        return Zone(None, points)
    west, north, east, south = (round(amount * INCH) for amount in area.box)
    width, height = table.size
    if not (0 <= west < east <= width and 0 <= north < south <= height):
        raise BadInput(f"the box {area.box} of a zone", "zones", f"west, north, east, south on {text((width, height))}")
    return Zone((west, north, east, south), points)


@lru_cache(maxsize=32)
def spots(zone: Zone) -> tuple[Point, ...]:
    """Points of a zone to try, from its middle outwards in rows of half an inch."""
    if zone.box is None:
        return zone.points
    west, north, east, south = zone.box
    middle = ((west + east) // 2, (north + south) // 2)
    step = INCH // 2
    found = [(x, y) for y in range(north, south + 1, step) for x in range(west, east + 1, step)]
    return (*zone.points, *sorted(found, key=lambda at: (abs(at[0] - middle[0]) + abs(at[1] - middle[1]), at)))


def open_choice(zone: Zone | None) -> bool:
    """Return whether a zone leaves its player a choice of places."""
    return zone is not None and (zone.box is not None or len(zone.points) > 1)


def places(table: Table, scenario: Scenario) -> tuple[dict[Side, frozenset[str]], dict[str, Point]]:
    """The edges by which each side may leave, and the objectives by their text. Raises BadInput."""
    exits, objectives = scoring.places(scenario)
    for edge in frozenset[str]().union(*exits.values()):
        if edge not in EDGES:
            raise BadInput(f"an exit by {edge!r}", "victory", ", ".join(EDGES))
    return exits, {name: table.parse(name, "victory") for name in sorted(objectives)}


# --- actions in words -----------------------------------------------------------------------------------------


def label(action: Action, named: Callable[[str], str], place: Callable[[Point], str], says: str = "") -> str:
    """An action in words, as on a button: its names by one function, its points by another.

    `says` is a sentence in place of the action's own.
    """
    words = kit.in_words(action, named)
    points = {field: place(value) for field in action.__struct_fields__ if is_point(value := getattr(action, field))}
    return say(says or action.says, **{**words, **points})


def is_point(value: object) -> bool:
    """Return whether a field of an action holds a point."""
    match value:
        case (int(), int()):
            return True
    return False


def touches(
    action: Action, units: Container[UnitId], works: Mapping[str, Point]
) -> tuple[tuple[UnitId, ...], tuple[Point, ...]]:
    """The units and the points on which a click may mean an action; `works` gives the points of works by their ids."""
    values = [getattr(action, field) for field in action.__struct_fields__]
    points = [value for value in values if is_point(value)]
    names = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
    found = [name for name in names if isinstance(name, str)]
    there = (works[name] for name in found if name in works)
    return tuple(name for name in found if name in units), (*points, *there)


# --- measuring ------------------------------------------------------------------------------------------------


def reach(found: Reach, left: int, unit: str) -> dict[str, Any]:
    """The reach of a stand as the browser wants it: a picture of it, and the points of its lattice with their costs
    and ways; `left` is in 10^-6 of the unit, which is in words.
    """
    return {**no_reach(unit), "polygons": found.rings(left), "nodes": found.nodes(), "left": left / MICRO}


def no_reach(unit: str) -> dict[str, Any]:
    """The reach of a stand that cannot move; the unit of its points is in words."""
    return {"places": [], "polygons": [], "nodes": [], "unit": unit}


def measured(query: Query[P]) -> Query[P]:
    """A query that only measures. It raises BadInput where the scenario switches measuring off."""

    @wraps(query)
    def asked(sight: Any, side: Side, /, *args: P.args, **particulars: P.kwargs) -> dict[str, Any]:
        if not sight.table.measuring:
            raise BadInput("Nobody measures in this scenario: players guess distances before they decide")
        return query(sight, side, *args, **particulars)

    return asked


def unmeasured(query: Query[P]) -> Query[P]:
    """A query that also measures: its answer lacks `inches` where the scenario switches measuring off."""

    @wraps(query)
    def asked(sight: Any, side: Side, /, *args: P.args, **particulars: P.kwargs) -> dict[str, Any]:
        answer = query(sight, side, *args, **particulars)
        hidden = () if sight.table.measuring else ("inches",)
        return {field: value for field, value in answer.items() if field not in hidden}

    return asked
