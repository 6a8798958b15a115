"""Spotting and line of sight [8.0, 8.2, 15.5].

The one line-of-sight function of this ruleset is `Eyes.line`: rules, tool, previews and computer players ask it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

import msgspec

from opfire.core.actions import Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.case_orange.pieces import Hex, Position, Side, Unit
from opfire.rulesets.case_orange.tables import Obstacles, Tables
from opfire.space.hexes import Coord, length, neighbour, opposite, trace
from opfire.space.hexmap import HexMap

COVER, SLOPE, HILLTOP = 1, 2, 4
_MASKS = {"woods": COVER, "town": COVER, "broken": COVER, "slope": SLOPE, "dune": SLOPE, "hilltop": HILLTOP}
_WORDS = {COVER: "a woods, town or broken side", SLOPE: "a slope side", HILLTOP: "a hilltop side"}


class Sightline(msgspec.Struct, frozen=True):
    """Whether a line is clear; if not, why, by which rule, and at which hex."""

    clear: bool
    text: str = "clear"
    rule: str = "8.2"
    at: Hex | None = None


CLEAR = Sightline(True)

# --- the line over the ground [8.2, 15.5.1] -----------------------------------------------------------------

_Side = tuple[int, int, int, int, bool]  # hex offset, direction, place in half steps, belongs to an end hex


@cache
def _crossings(dq: int, dr: int) -> tuple[tuple[str, tuple[_Side, ...]], ...]:
    """The sides that a line meets: each crossing, stretch along a side, or corner, in order."""
    ends = ((0, 0), (dq, dr))
    return tuple(
        (
            touch.kind,
            tuple(
                (side.a[0], side.a[1], side.direction, side.halves, side.a in ends or side.b in ends)
                for side in touch.sides
            ),
        )
        for touch in trace(dq, dr)
        if touch.sides
    )


@cache
def _touched(dq: int, dr: int) -> frozenset[tuple[int, int]]:
    """The hexes a line runs through or along the edge of, without its ends."""
    hexes = {hex for touch in trace(dq, dr) if touch.kind != "vertex" for hex in touch.hexes}
    return frozenset(hexes - {(0, 0), (dq, dr)})


class Eyes:
    """Lines of sight over one map; every pair is traced once."""

    def __init__(self, board: HexMap, tables: Tables) -> None:
        self.map, self.obstacles, self.gully_sight = board, tables.obstacles, tables.gully_sight
        self.coords = {name: (cell.q, cell.r) for name, cell in board.cells.items()}
        self.levels = {name: cell.level for name, cell in board.cells.items()}
        self._names = {coord: name for name, coord in self.coords.items()}
        self._masks = {
            (cell.q, cell.r): tuple(sum({_MASKS.get(word, 0) for word in side}) for side in cell.sides)
            for cell in board.cells.values()
        }
        self._masks.update(_outer_masks(self._masks))
        self._hilltops = {coord for name, coord in self.coords.items() if self.levels[name] == 2}
        self._lines: dict[tuple[Hex, Hex], Sightline] = {}
        self._blocked: dict[tuple[str, str, Hex | None], Sightline] = {}

    def line(self, a: Hex, b: Hex) -> Sightline:
        """The line between two hexes over the ground: sides and levels, not wrecks or gullies."""
        key = (a, b) if a <= b else (b, a)
        found = self._lines.get(key)
        if found is None:
            found = self._lines[key] = self._trace(*key)
        return found

    def clear(self, a: Hex, b: Hex, wrecks: frozenset[Hex]) -> bool:
        """Whether nothing on the ground and no wreck [5.6.1] is in the way."""
        return self.line(a, b).clear and (not wrecks or self.wreck_between(a, b, wrecks) is None)

    def wreck_between(self, a: Hex, b: Hex, wrecks: frozenset[Hex]) -> Hex | None:
        """A wreck hex that the line runs through or along, other than its ends [5.6.1]."""
        (aq, ar), (bq, br) = self.coords[a], self.coords[b]
        touched = _touched(bq - aq, br - ar)
        for wreck in sorted(wrecks) if len(wrecks) > 1 else wrecks:
            q, r = self.coords[wreck]
            if (q - aq, r - ar) in touched:
                return wreck
        return None

    def distance(self, a: Hex, b: Hex) -> int:
        """Hexes from a to b."""
        (aq, ar), (bq, br) = self.coords[a], self.coords[b]
        return length(bq - aq, br - ar)

    def _trace(self, a: Hex, b: Hex) -> Sightline:
        """The straight line between the centres, side by side [2.0-G12, 8.2]."""
        (aq, ar), (bq, br) = self.coords[a], self.coords[b]
        dq, dr = bq - aq, br - ar
        hexes = length(dq, dr)
        if always_seen(hexes):
            return CLEAR
        row = self.obstacles[self.levels[a], self.levels[b]]
        masks = self._masks
        for kind, sides in _crossings(dq, dr):
            why = 0
            for q, r, direction, halves, at_end in sides:
                features = masks.get((aq + q, ar + r))
                mask = features[direction] if features else 0
                why = mask and _blocking(mask, row, halves, hexes, at_end)
                if kind == "along" and why == SLOPE and self._touches_hilltop((aq + q, ar + r), direction):
                    why = 0  # 8.2.2
                if not why:
                    break  # 8.2.3: at a corner one open side is enough
            if why:
                q, r, direction, *_ = sides[0]
                return self._block(kind, why, (aq + q, ar + r), direction, self.levels[a] == self.levels[b] == 0)
        return CLEAR

    def _touches_hilltop(self, at: tuple[int, int], direction: int) -> bool:
        around = (at, neighbour(at, direction), *_wing(at, direction))
        return any(coord in self._hilltops for coord in around)

    def _block(self, kind: str, why: int, at: tuple[int, int], direction: int, flat: bool) -> Sightline:
        rule = {"along": "8.2.2", "vertex": "8.2.3"}.get(kind, "8.2" if flat else "15.5.1")
        hex = self._names.get(neighbour(at, direction)) or self._names.get(at)
        text = f"blocked by {_WORDS[why]} at {hex}"
        return self._blocked.setdefault((text, rule, hex), Sightline(False, text, rule, hex))


def always_seen(hexes: int) -> bool:
    """Adjacent units see each other whatever lies between [8.2.4]."""
    return hexes <= 1


def _outer_masks(masks: Mapping[Coord, tuple[int, ...]]) -> dict[Coord, tuple[int, ...]]:
    """The sides of the map's edge as seen from beyond it: a line may run along them."""
    outer: dict[Coord, list[int]] = {}
    for at, sides in masks.items():
        for direction, mask in enumerate(sides):
            beyond = neighbour(at, direction)
            if mask and beyond not in masks:
                outer.setdefault(beyond, [0] * 6)[opposite(direction)] = mask
    return {at: tuple(sides) for at, sides in outer.items()}


def _wing(at: tuple[int, int], direction: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two hexes at the ends of a hexside."""
    return neighbour(at, (direction + 1) % 6), neighbour(at, (direction - 1) % 6)


def _blocking(mask: int, row: Obstacles, halves: int, hexes: int, at_end: bool) -> int:
    """Which feature of a side blocks, if any [15.5]; adjacent slope and hilltop sides never do [8.2.1.1]."""
    if mask & COVER and (row.cover_at_end if at_end else row.cover_anywhere) == "blocks":
        return COVER
    if at_end:
        return 0
    if mask & HILLTOP and row.hilltop_between == "blocks":
        return HILLTOP
    if mask & SLOPE and row.slope_between == "blocks":
        near, far = halves <= hexes, halves >= hexes
        if row.slope_where == "anywhere" or (row.slope_where == "near half" and near):
            return SLOPE
        if row.slope_where == "far half" and far:
            return SLOPE
    return 0


@lru_cache(maxsize=64)
def eyes(board: HexMap, tables: Tables) -> Eyes:
    """The lines of sight of a map, shared by every game on it."""
    return Eyes(board, tables)


def eyes_of(position: Position) -> Eyes:
    """The lines of sight of the position's map."""
    setting = position.setting
    if setting.eyes is None:
        setting.eyes = eyes(setting.map, setting.tables)
    found: Eyes = setting.eyes
    return found


# --- who sees whom ------------------------------------------------------------------------------------------


def low(position: Position, unit: Unit) -> bool:
    """In a gully, and not on its road or bridge [5.4.8, 5.4.18, 8.2.1.2]."""
    return unit.hex in position.setting.gullies and not position.bearer(unit).along_road


def _hidden_by_gully(position: Position, a: Hex, a_low: bool, b: Hex, b_low: bool) -> Refusal | None:
    """A unit in a gully is seen from near only, and sees as far as it is seen [8.2.1.2]."""
    if not (a_low or b_low):
        return None
    look = eyes_of(position)
    limits = look.gully_sight
    reach = min(
        limits[0 if a_low else look.levels[a]] if b_low else 99,
        limits[0 if b_low else look.levels[b]] if a_low else 99,
    )
    hexes = look.distance(a, b)
    if hexes <= reach:
        return None
    return Refusal("{} and {} are {} hexes apart: a gully hides beyond {}", "8.2.1.2", (a, b, hexes, reach))


def no_line(position: Position, a: Hex, b: Hex, a_low: bool, b_low: bool) -> Refusal | None:
    """No line of sight between two hexes, for units that are low in a gully or not [8.2]."""
    if a == b:
        return None
    look = eyes_of(position)
    line = look.line(a, b)
    if not line.clear:
        return Refusal("From {} to {} the line of sight is {}", line.rule, (a, b, line.text))
    if position.wrecks and (wreck := look.wreck_between(a, b, position.wrecks)):
        return Refusal("From {} to {} the wreck in {} blocks the line of sight", "5.6.1", (a, b, wreck))
    return _hidden_by_gully(position, a, a_low, b, b_low)


def sees(position: Position, viewer: Unit, target: Unit) -> bool:
    """Whether two units on the map are in each other's line of sight."""
    a, b = viewer.hex, target.hex
    if a is None or b is None:
        return False
    if a == b:
        return True
    if not eyes_of(position).clear(a, b, position.wrecks):
        return False
    gullies = position.setting.gullies
    if a not in gullies and b not in gullies:
        return True
    return _hidden_by_gully(position, a, low(position, viewer), b, low(position, target)) is None


def sees_hex(position: Position, viewer: Unit, hex: Hex) -> bool:
    """Whether a unit has a line of sight to a hex; into a gully hex only from near, but for who is on its bridge."""
    assert viewer.hex is not None
    if viewer.hex == hex:
        return True
    if not eyes_of(position).clear(viewer.hex, hex, position.wrecks):
        return False
    below = hex in position.setting.gullies and all(low(position, unit) for unit in position.at(hex))
    return _hidden_by_gully(position, viewer.hex, low(position, viewer), hex, below) is None


def spotters(position: Position, side: Side) -> Iterator[Unit]:
    """The side's units that can spot: eligible, on the map, not class C [8.1.4]."""
    for unit in position.of(side):
        if unit.face_up and not unit.dispersed and unit.kind.weapon != "C":
            yield unit


def in_view(position: Position, unit: Unit) -> bool:
    """Whether an eligible enemy unit has a line of sight to it [8.0]."""
    enemy = position.setting.other[unit.side]
    return any(sees(position, spotter, unit) for spotter in spotters(position, enemy))


def next_to_enemy(position: Position, unit: Unit) -> bool:
    """Whether an eligible enemy unit stands adjacent [8.0]."""
    assert unit.hex is not None
    for hex in position.map.neighbours[unit.hex]:
        if hex is not None and (stack := position.stacks.get(hex)):
            for name in stack:
                other = position.units[name]
                if other.side == unit.side:
                    break
                if other.face_up and not other.dispersed and other.kind.weapon != "C":
                    return True
    return False


def concealed(position: Position, unit: Unit) -> bool:
    """Whether the unit stands in concealing terrain [2.0-G05]."""
    return unit.hex in position.setting.concealing


def spotted(position: Position, unit: Unit) -> bool:
    """Whether the other side has the unit spotted [8.0]."""
    if concealed(position, unit):
        return bool(marker_of(position, unit)) or next_to_enemy(position, unit)
    return in_view(position, unit)


def marker_of(position: Position, unit: Unit) -> str:
    """The unit's spotted marker; a passenger is spotted as its carrier is [5.7.1]."""
    return position.units[unit.carrier].spotted if unit.carrier is not None else unit.spotted


def not_spotted(position: Position, unit: Unit) -> Refusal | None:
    """Units in concealing terrain are fired on only while spotted [8.0]; others need only be seen."""
    if not concealed(position, unit) or marker_of(position, unit) or next_to_enemy(position, unit):
        return None
    return Refusal("{} is in concealing terrain and not spotted", "2.0-G14", (unit.name,))


def reveal(game: Game[Position], name: str, marker: str) -> None:
    """Entering or firing from concealing terrain in an enemy's view gets a marker at once [8.1.1]."""
    position = game.state
    unit = position.units[name]
    if unit.hex is None or unit.spotted in (marker, "opportunity"):
        return
    if not concealed(position, unit) or not in_view(position, unit):
        return
    mark(game, unit, marker)


def mark(game: Game[Position], unit: Unit, marker: str) -> None:
    """Place a spotted or an opportunity-spotted marker [8.1.1]."""
    assert unit.hex is not None
    game.state.change(unit.id, spotted=marker)
    words = "{} in {} is spotted" if marker == "spotted" else "{} in {} is spotted firing"
    game.tell(Event("spotted", words, (unit.name, unit.hex), "8.1.1", (unit.id,), (unit.hex,)))


def settle_markers(game: Game[Position]) -> None:
    """Markers come off, and units next to an enemy get them, at once [8.1.2, 8.0]."""
    position = game.state
    concealing, units = position.setting.concealing, position.units
    for hex, stack in list(position.stacks.items()):
        for name in stack:
            unit = units[name]
            if unit.spotted:
                if hex not in concealing or not in_view(position, unit):
                    _lose_marker(game, unit)
            elif hex in concealing and next_to_enemy(position, unit):
                mark(game, unit, "spotted")


def _lose_marker(game: Game[Position], unit: Unit) -> None:
    """A marker comes off in the open, or when no eligible enemy sees the unit [8.1.2]."""
    game.state.change(unit.id, spotted="")
    if unit.hex is not None and concealed(game.state, unit):
        event = Event("lost-sight", "{} in {} is lost from sight", (unit.name, unit.hex), "8.1.2", (unit.id,))
        game.tell(event)


def visible_hexes(position: Position, hex: Hex) -> list[Hex]:
    """Every hex that a unit standing there could see."""
    look = eyes_of(position)
    gullies = position.setting.gullies
    return [
        other
        for other, cell in position.map.cells.items()
        if cell.playable
        and look.clear(hex, other, position.wrecks)
        and _hidden_by_gully(position, hex, hex in gullies, other, other in gullies) is None
    ]
