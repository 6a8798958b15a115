"""Movement costs of vehicles [4.5.1.1.1 to 4.5.1.1.7]: allowances, and the price of a step."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.rulesets.panzer.charts import GroundCard, Vehicle
from opfire.rulesets.panzer.ground import Ground, Traction
from opfire.space.hexes import opposite

Rate: TypeAlias = Literal["cross-country", "path", "road"]

MOST_LEVELS: dict[Traction, int] = {"T": 2, "H": 2, "W": 1, "L": 2}
"""The levels by which a vehicle changes its Height in one step at most [4.5.1.1.2-slope]."""

CLIMBING = ("slope", "crest")
"""The hexsides between two Heights; another one is a cliff [4.1.4.1.5]."""


def allowance(vehicle: GroundCard, rate: Rate, halvings: int = 0) -> int:
    """The movement speed allowance at a rate, halved for SHORT HALT and damage [3.7, 4.5.1.1.1-a]; at least 1."""
    whole = {"cross-country": vehicle.m_cc, "path": vehicle.path, "road": vehicle.road}[rate]
    return max(1, whole >> halvings)


RUNNING_GEAR = 2
"""The Movement Factors that damage to the running gear costs [7.23.3]."""


def worn(vehicle: Vehicle) -> Vehicle:
    """A Data Card with damaged running gear: 2 Movement Factors less, at least 1 [7.23.3]."""
    less = {name: max(1, getattr(vehicle, name) - RUNNING_GEAR) for name in ("m_cc", "path", "road")}
    return replace(vehicle, **less)


class Step(NamedTuple):
    """A step into a neighbouring hex: its price, and whether it takes the whole allowance [4.5.1.1.2-wall]."""

    cost: int
    takes_all: bool = False


def step(ground: Ground, a: str, b: str, traction: Traction) -> Step | Refusal:
    """The price of a step across country, or the reason for which it is impossible [4.5.1.1.2]."""
    if ground.map.cells[b].bridge and not _leads(ground, a, b):
        return Refusal("The bridge in {} is entered along its road", "4.5.1.1.6", (b,))
    if ground.map.cells[a].bridge and not _leads(ground, a, b):
        return Refusal("The bridge in {} is left along its road", "4.5.1.1.6", (a,))
    entry = _entry(ground, a, b, traction)
    if entry is None:
        return Refusal("{} is closed to this vehicle", "4.5.1.1.2", (b,))
    climb, side = climbing(ground, a, b, traction), crossing(ground, a, b, traction)
    if isinstance(climb, Refusal):
        return climb
    if isinstance(side, Refusal):
        return side
    return Step(entry + climb + side.cost, side.takes_all)


def _entry(ground: Ground, a: str, b: str, traction: Traction) -> int | None:
    """The cost of the ground of a step; a bridge costs as its road does.

    A road leads into closed ground at 1 [4.5.1.1.5-c].
    """
    cost = ground.entry(b, traction)
    if not _leads(ground, a, b):
        return cost
    return 1 if cost is None or ground.map.cells[b].bridge else cost


def along_road(ground: Ground, a: str, b: str, traction: Traction) -> Step | Refusal:
    """The price of a step at the Path or Road rate: 1, and one less than usual for a change of Height [4.5.1.1.5-d]."""
    if not _leads(ground, a, b):
        return Refusal("No path or road leads from {} to {}", "4.5.1.1.5", (a, b))
    climb = climbing(ground, a, b, traction)
    return climb if isinstance(climb, Refusal) else Step(1 + max(0, climb - 1))


def reversed_step(price: Step) -> Step:
    """The price of a step in reverse: twice the cost of the same step forward [4.5.1.1.7]."""
    return price._replace(cost=2 * price.cost)


def climbing(ground: Ground, a: str, b: str, traction: Traction) -> int | Refusal:
    """The cost of a change of Height by its levels; cliffs stop vehicles alone [4.5.1.1.2-slope, 4.1.4.1.5]."""
    coords = ground.map.coords
    levels = abs(ground.height(coords[a]) - ground.height(coords[b]))
    kinds = ground.sides(coords[a], coords[b])
    sheer = _hill(ground, a, b) and not _leads(ground, a, b) and not set(CLIMBING) & set(kinds)
    if traction != "L" and ("cliff" in kinds or sheer):
        return Refusal("A cliff lies between {} and {}", "4.1.4.1.5", (a, b))
    if levels > MOST_LEVELS[traction]:
        rule = "6.6.4.1-height" if traction == "L" else "4.5.1.1.2-slope"
        return Refusal("{} lies {} levels away in Height", rule, (b, levels))
    return max(levels, int("crest" in kinds))


def crossing(ground: Ground, a: str, b: str, traction: Traction) -> Step | Refusal:
    """The cost of a wall, a hedgerow or a defilade between two hexes, if any [4.5.1.1.2-wall, 6.6.4.4-move]."""
    coords = ground.map.coords
    kinds = ground.sides(coords[a], coords[b])
    if traction != "T" and ("wall" in kinds or "hedgerow" in kinds):
        return Refusal("Only tracked vehicles cross the hexside between {} and {}", "4.5.1.1.2-wall", (a, b))
    if traction == "W" and "defilade" in kinds:
        return Refusal("Wheeled vehicles do not cross the hexside between {} and {}", "4.5.1.1.2-wall", (a, b))
    cost = int("wall" in kinds) + int("defilade" in kinds)
    return Step(cost, "hedgerow" in kinds)


def _hill(ground: Ground, a: str, b: str) -> bool:
    """Return whether two hexes lie on different levels of hills."""
    return ground.map.cells[a].level != ground.map.cells[b].level


def _leads(ground: Ground, a: str, b: str) -> bool:
    return bool(ground.map.link(a, b))


# --- turning [4.5.1.1.4] ----------------------------------------------------------------------------------------


def hexsides_turned(facing: int, to: int) -> int:
    """The hexsides by which a vehicle turns from one facing to another, the shorter way.

    >>> hexsides_turned(0, 5), hexsides_turned(1, 4)
    (1, 3)
    """
    by = (to - facing) % 6
    return min(by, 6 - by)


def turn_cost(ground: Ground, name: str, hexsides: int) -> int:
    """The cost of a turn: one hexside is free in each hex, more costs the turn cost of its terrain once."""
    return 0 if hexsides <= 1 else ground.turn(name)


def ahead_or_back(facing: int, direction: int) -> Literal["forward", "reverse"] | None:
    """Whether a step goes forward or in reverse; None for a step to the side [4.5.1.1]."""
    if direction == facing:
        return "forward"
    return "reverse" if direction == opposite(facing) else None
