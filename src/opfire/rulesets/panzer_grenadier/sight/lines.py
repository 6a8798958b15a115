"""Lines of sight and of fire [8.3, 8.4]: the hexes between two hexes, and whether they are in the way.

Heights are metres. A hex between blocks when it stands higher than both ends [8.4]; limiting terrain, and smoke always,
also when it is no lower than the higher end [8.2, 8.4.A1]. A contour that the line crosses twice blocks when one end
lies below it [8.4]. RULINGS.md P2 to P4.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from opfire.core.actions import Refusal
from opfire.rulesets.panzer_grenadier.ground import elevation, limiting_ground
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position
from opfire.rulesets.panzer_grenadier.sight.facts import Purpose, Sides, Tracing

RAISING: dict[Purpose, tuple[str, ...]] = {"spotting": ("town",), "fire": (), "bombardment": ("town", "woods")}


def no_line(position: Position, a: Hex, b: Hex) -> Refusal | None:
    """Reject a line of sight that is blocked [8.3]; in a town it starts on top of the houses [8.42]."""
    return _blocked(position, a, b, "spotting")


def no_line_over_ground(position: Position, a: Hex, b: Hex) -> Refusal | None:
    """Reject a line of sight that the ground blocks; smoke blocks others besides [16.12]."""
    return _traced(position, a, b, "spotting").why


def no_fire_line(position: Position, a: Hex, b: Hex) -> Refusal | None:
    """Reject direct and anti-tank fire without a line; it starts on the ground even in a town [8.42.A2]."""
    return _blocked(position, a, b, "fire")


def fire_sides(position: Position, a: Hex, b: Hex) -> Sides:
    """The hexes between, on each side on which a line of fire is open [8.32]: two along a free hex spine."""
    return _clear_sides(position, a, b, "fire")


def no_battery_line(position: Position, a: Hex, b: Hex) -> Refusal | None:
    """Reject a bombardment whose target its own unit in `a` cannot see from the top of town or woods [8.42.A3]."""
    return _blocked(position, a, b, "bombardment")


def open_sides(position: Position, a: Hex, b: Hex) -> Sides:
    """The hexes between two hexes, on each side on which a line of sight is open [8.32]."""
    return _clear_sides(position, a, b, "spotting")


def between(position: Position, a: Hex, b: Hex) -> Sides:
    """The hexes strictly between two hexes, in order, on each side that a line may be read on [8.32, 8.32.A1].

    A line along a hex spine has two lists, each with all its hexes on one side; any other line has one list. A side
    that leaves the map does not count, unless both sides leave it.
    """
    known = position.setting.sight_facts.sides
    found = known.get((a, b))
    if found is None:
        found = known[a, b] = _sides(position, a, b)
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
    """The height at which a line starts or ends in a hex, in metres [8.4]: for sight on top of a town [8.42]."""
    known = position.setting.sight_facts.eyes[purpose]
    height = known.get(hex)
    if height is None:
        chart, terrain = position.charts.terrain, position.setting.terrain[hex]
        raised = max((chart[name].height for name in RAISING[purpose] if name in terrain), default=0)
        height = known[hex] = elevation(position, hex) + raised
    return height


def top(position: Position, hex: Hex) -> int:
    """The height at which a hex blocks a line, in metres: with its town or woods [8.42, 8.42.A1]."""
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
    known = position.setting.sight_facts.lines[purpose]
    line = known.get((a, b))
    if line is None:
        line = known[a, b] = _line(position, a, b, purpose)
    return line


def _clear_sides(position: Position, a: Hex, b: Hex, purpose: Purpose) -> Sides:
    """The hexes between on each open side of a line that holds no smoke [16.12]."""
    clouds = smoke(position)
    return tuple(side for side in _traced(position, a, b, purpose).open if clouds.isdisjoint(side))


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
    """The obstacle of a line that is read on this side, if any [8.4, 8.31]; as in the examples [8.4.A2, 8.4.A3]."""
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


def _sides(position: Position, a: Hex, b: Hex) -> Sides:
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
