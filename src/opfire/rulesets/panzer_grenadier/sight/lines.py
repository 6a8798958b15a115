"""Lines of sight and of fire [8.3, 8.4]: what lies between two hexes, and whether it is in the way.

Heights are metres. A hex between blocks when it stands higher than both ends [8.4]; limiting terrain, and smoke
always, also when it is no lower than the higher end [8.2, 8.4.A1]. A contour that the line crosses twice blocks when
one end lies below it [8.4]. RULINGS.md P2 to P4.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from opfire.core.actions import Refusal
from opfire.rulesets.panzer_grenadier.ground import elevation, limiting_ground
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position

Purpose = Literal["spotting", "fire", "bombardment"]
"""Whose line: one sees from the height of a town [8.42], fires from its ground [8.42.A2]; batteries see from woods."""

RAISING: dict[Purpose, tuple[str, ...]] = {"spotting": ("town",), "fire": (), "bombardment": ("town", "woods")}


class Tracing(msgspec.Struct, frozen=True):
    """A line over the ground: the hexes of each side of it that is open, or why none is."""

    open: tuple[tuple[Hex, ...], ...]
    why: Refusal | None = None


def no_line(position: Position, a: Hex, b: Hex) -> Refusal | None:
    """Why one does not see from a hex to another, or None [8.3]: eyes are raised in towns [8.42]."""
    return _blocked(position, a, b, "spotting")


def no_line_over_ground(position: Position, a: Hex, b: Hex) -> Refusal | None:
    """The same without regard to smoke, which only blocks more lines [16.12]."""
    return _traced(position, a, b, "spotting").why


def no_fire_line(position: Position, a: Hex, b: Hex) -> Refusal | None:
    """Why direct and anti-tank fire has no line, or None: it starts on the ground even in a town [8.42.A2]."""
    return _blocked(position, a, b, "fire")


def fire_sides(position: Position, a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
    """The hexes between, on each side on which a line of fire is open [8.32]: two along a free hex spine."""
    if no_fire_line(position, a, b) is not None:
        return ()
    line: Tracing = position.setting.lines[a, b, "fire"]
    hidden = smoke(position)
    return tuple(side for side in line.open if hidden.isdisjoint(side))


def no_battery_line(position: Position, a: Hex, b: Hex) -> Refusal | None:
    """Why a unit in `a` does not see a target of its own bombardment, from the top of town or woods [8.42.A3]."""
    return _blocked(position, a, b, "bombardment")


def open_sides(position: Position, a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
    """The hexes between two hexes on each side on which one sees from the first to the other; none if one does not."""
    if no_line(position, a, b) is not None:
        return ()
    line: Tracing = position.setting.lines[a, b, "spotting"]
    clouds = smoke(position)
    return tuple(side for side in line.open if clouds.isdisjoint(side))


def between(position: Position, a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
    """The hexes strictly between two hexes, in order, on each side that a line may be read on [8.32, 8.32.A1].

    Two lists where the line runs along a hex spine, each with all its hexes on one side; one otherwise. Sides that
    leave the map do not count, unless both do.
    """
    found: tuple[tuple[Hex, ...], ...] | None = position.setting.lines.get((a, b))
    if found is None:
        found = position.setting.lines[a, b] = _sides(position, a, b)
    return found


def entry_hexes(position: Position, a: Hex, b: Hex) -> tuple[Hex, ...]:
    """The hexes through which a shot from `a` comes in to `b` [11.1]: two along a spine, none inside one hex."""
    (q, r), touches = position.map.trace_between(a, b)
    if len(touches) < 2:
        return ()
    last = touches[-2]
    offsets = last.hexes if last.kind == "along" else (last.before,)
    names = (position.map.name_at((q + dq, r + dr)) for dq, dr in offsets)
    return tuple(name for name in names if name is not None)


def eye(position: Position, hex: Hex, purpose: Purpose = "spotting") -> int:
    """How high one stands in a hex, in metres [8.4]: on top of the town for sight [8.42]."""
    known = position.setting.lines
    height: int | None = known.get((hex, purpose))
    if height is None:
        chart, terrain = position.charts.terrain, position.setting.terrain[hex]
        raised = max((chart[name].height for name in RAISING[purpose] if name in terrain), default=0)
        height = known[hex, purpose] = elevation(position, hex) + raised
    return height


def top(position: Position, hex: Hex) -> int:
    """How high a hex stands in the way of a line, in metres: with its town or woods [8.42, 8.42.A1]."""
    chart = position.charts.terrain
    return elevation(position, hex) + max(chart[name].height for name in position.setting.terrain[hex])


def smoke(position: Position) -> frozenset[Hex]:
    """The hexes that lie in smoke."""
    return frozenset(hex for hex, works in position.works.items() if works.smoke)


# --- tracing ----------------------------------------------------------------------------------------------------


def _blocked(position: Position, a: Hex, b: Hex, purpose: Purpose) -> Refusal | None:
    line = _traced(position, a, b, purpose)
    return line.why or _smoke_between(line, smoke(position), a, b)


def _traced(position: Position, a: Hex, b: Hex, purpose: Purpose) -> Tracing:
    line: Tracing | None = position.setting.lines.get((a, b, purpose))
    if line is None:
        line = position.setting.lines[a, b, purpose] = _line(position, a, b, purpose)
    return line


def _smoke_between(line: Tracing, smoke: frozenset[Hex], a: Hex, b: Hex) -> Refusal | None:
    """Smoke stands higher than everything [16.12]: it is in the way when it lies on every open side."""
    if not smoke or any(smoke.isdisjoint(side) for side in line.open):
        return None
    at = next(hex for hex in line.open[0] if hex in smoke)
    return Refusal("Smoke in {} lies between {} and {}", "16.12", (at, a, b))


def _line(position: Position, a: Hex, b: Hex, purpose: Purpose) -> Tracing:
    """The line over the ground, on whichever side of a spine it is open [8.32]."""
    sides = between(position, a, b)
    why = [_in_the_way(position, a, b, side, purpose) for side in sides]
    opened = tuple(side for side, reason in zip(sides, why, strict=True) if reason is None)
    return Tracing(opened, None if opened else why[0])


def _in_the_way(position: Position, a: Hex, b: Hex, side: Sequence[Hex], purpose: Purpose) -> Refusal | None:
    """What blocks a line that is read on this side, if anything [8.4, 8.31]; as in the examples [8.4.A2, 8.4.A3]."""
    ends = eye(position, a, purpose), eye(position, b, "spotting" if purpose == "bombardment" else purpose)
    higher = max(ends)
    for hex in side:
        height = top(position, hex)
        if height > higher:
            return Refusal("{} stands between {} and {}, higher than both", "8.4", (hex, a, b))
        if height == higher and limiting_ground(position.setting, hex):
            rule = "8.31" if height == elevation(position, hex) else "8.4.A1"
            return Refusal("{} lies between {} and {}, and neither is higher", rule, (hex, a, b))
    grounds = [ends[0], *(elevation(position, hex) for hex in side), ends[1]]
    if (contour := crossed_twice(grounds, position.charts.figure("metres for each level"))) is not None:
        facts = (contour, a, b)
        return Refusal("The ground rises above {} metres and falls again between {} and {}", "8.4", facts)
    return None


def crossed_twice(heights: Sequence[int], step: int) -> int | None:
    """The lowest contour that the heights along a line cross twice while one end lies below it [8.4].

    >>> crossed_twice([40, 0, 20, 0], 20), crossed_twice([40, 20, 0], 20), crossed_twice([40, 0, 40], 20)
    (20, None, None)
    """
    for contour in range(step, max(heights) + step, step):
        above = [height >= contour for height in heights]
        crossings = sum(one != other for one, other in pairwise(above))
        if crossings > 1 and not (above[0] and above[-1]):
            return contour
    return None


def _sides(position: Position, a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
    (q, r), touches = position.map.trace_between(a, b)

    def named(dq: int, dr: int) -> Hex | None:
        return position.map.name_at((q + dq, r + dr))

    inner = [touch for touch in touches[1:-1] if touch.kind in ("hex", "along")]
    # The two hexes of a spine come in the same order all along a line, so that an index is a side.
    sides = [[named(*touch.hexes[index % len(touch.hexes)]) for touch in inner] for index in (0, 1)]
    whole = [tuple(hex for hex in side if hex is not None) for side in sides if None not in side]
    if not whole:
        whole = [tuple(hex for hex in side if hex is not None) for side in sides]
    return tuple(dict.fromkeys(whole))
