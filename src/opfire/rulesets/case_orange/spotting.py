"""Spotting and line of sight [8.0, 8.2, 15.5].

Lines over the ground are in lines.py; this module has the sight of units, and the markers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from opfire.core.actions import Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.case_orange.lines import Eyes
from opfire.rulesets.case_orange.pieces import Hex, Position, Side, Unit

Level = Literal["", "gully", "bridge"]
"""The level of a unit in its hex: on the floor of a gully, on the road or bridge over it, or the only one there is."""

# --- who sees whom ------------------------------------------------------------------------------------------


def eyes_of(position: Position) -> Eyes:
    """The lines of sight of the position's map."""
    return position.setting.eyes


def low(position: Position, unit: Unit) -> bool:
    """In a gully, and not on its road or bridge [5.4.8, 5.4.18, 8.2.1.2] unless a block or wreck has negated them."""
    if unit.hex not in position.setting.gullies:
        return False
    return not position.bearer(unit).along_road or road_gone(position, str(unit.hex))


def road_gone(position: Position, hex: Hex) -> bool:
    """Whether a block [5.5.2] or a wreck [5.6.1] negates the roads of the hex, for units standing on them too."""
    works = position.works.get(hex)
    return works is not None and (works.block or works.wreck > 0)


def levels(position: Position, hex: Hex) -> tuple[Level, ...]:
    """The levels at which a unit may be in a hex: two where a road or bridge leads over a gully [5.4.18]."""
    if hex not in position.setting.gullies:
        return ("",)
    return ("gully",) if road_gone(position, hex) or not any(position.map.cells[hex].links) else ("gully", "bridge")


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
    hexes = look.map.distance(a, b)
    if hexes <= reach:
        return None
    return Refusal("{} and {} are {} hexes apart: a gully hides beyond {}", "8.2.1.2", (a, b, hexes, reach))


def no_line(position: Position, a: Hex, b: Hex, a_low: bool, b_low: bool) -> Refusal | None:
    """No line of sight between two hexes, for units that are low in a gully or not [8.2]."""
    if a == b:
        return None
    look = eyes_of(position)
    if not look.open(a, b):
        line = look.line(a, b)
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
    """Whether a unit has a line of sight to a hex; into a gully hex only from near, unless the unit is on its
    bridge.
    """
    return eyes_of(position).open(str(viewer.hex), hex) and _nothing_hides(position, viewer, hex)


def _nothing_hides(position: Position, viewer: Unit, hex: Hex) -> bool:
    """Return whether neither a wreck nor a gully hides a hex from a unit; the ground does not."""
    at, gullies = str(viewer.hex), position.setting.gullies
    if at == hex:
        return True
    if position.wrecks and eyes_of(position).wrecked(at, hex, position.wrecks):
        return False
    if hex not in gullies and at not in gullies:
        return True
    below = hex in gullies and all(low(position, unit) for unit in position.at(hex))
    return _hidden_by_gully(position, at, low(position, viewer), hex, below) is None


def seen_among(position: Position, viewers: Iterable[Unit], hexes: Iterable[Hex]) -> Iterator[Hex]:
    """The hexes to which one of the units has a line of sight; units of one hex look alike."""
    look = eyes_of(position)
    gullies, wrecks = position.setting.gullies, position.wrecks
    unlike = {(str(unit.hex), low(position, unit)): unit for unit in viewers}
    surely = look.views(frozenset() if wrecks else frozenset(at for at, _ in unlike if at not in gullies))
    views = [(look.view(at), viewer) for (at, _), viewer in unlike.items()]
    doubtful = [(view, viewer) for view, viewer in views if wrecks or str(viewer.hex) in gullies]
    for hex in hexes:
        low_ground = hex in gullies
        if not low_ground and hex in surely:
            yield hex
        else:
            for view, viewer in views if low_ground else doubtful:
                if hex in view and _nothing_hides(position, viewer, hex):
                    yield hex
                    break


def in_view(position: Position, unit: Unit) -> bool:
    """Return whether an eligible enemy unit has a line of sight to it [8.0]."""
    enemy = position.muster(position.setting.other[unit.side])
    place = str(unit.hex), low(position, unit)
    if place not in enemy.seen:
        last = position.witnesses.get(unit.id, "")
        candidates = (last, *enemy.spotters) if last in enemy.spotters else enemy.spotters
        witness = next((name for name in candidates if sees(position, position.units[name], unit)), None)
        enemy.seen[place] = witness is not None
        if witness is not None:
            position.witnesses[unit.id] = witness
    return enemy.seen[place]


def next_to_enemy(position: Position, unit: Unit) -> bool:
    """Return whether an eligible enemy unit that can spot stands adjacent [8.0, 8.1.4]."""
    assert unit.hex is not None
    for hex in position.map.neighbours[unit.hex]:
        for name in position.stacks.get(hex, ()) if hex is not None else ():
            other = position.units[name]
            if other.side == unit.side:
                break
            if other.face_up and not other.dispersed and other.kind.weapon != "C":
                return True
    return False


def spots_one(position: Position, spotter: Unit, target: Unit) -> bool:
    """Whether this unit has that one spotted [8.0]: sees it, and next to it or by its marker in concealing terrain.

    A spotter is eligible and not of class C [8.1.4].
    """
    if spotter.carrier is not None or not spotter.eligible or spotter.kind.weapon == "C":
        return False
    if not sees(position, spotter, target):
        return False
    near = position.map.distance(str(spotter.hex), str(target.hex)) <= 1
    return near or not concealed(position, target) or bool(marker_of(position, target))


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


def hex_spotted(position: Position, side: Side, hex: Hex) -> bool:
    """Return whether the hex is a spotted target of the side [8.0, 12.2]: it has spotted one of the enemies there, or
    the hex holds nothing but a fortification [10.4.6]. RULINGS.md R75.
    """
    stack = position.at(hex)
    if not stack:
        fort = position.fort(hex)
        return fort is not None and not fort.breached
    return any(unit.side != side and spotted(position, unit) for unit in stack)


def fort_not_spotted(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """A fortification in concealing terrain is fired at only while a unit in its hex is spotted [8.0]: RULINGS.md
    R75.
    """
    if hex not in position.setting.concealing or hex_spotted(position, side, hex):
        return None
    return Refusal("The fortification in {} is in concealing terrain, and no unit there is spotted", "8.0", (hex,))


def reveal(game: Game[Position], name: str, marker: str) -> None:
    """Mark a unit at once that enters or fires from concealing terrain in an enemy's view [8.1.1]."""
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
    """Take markers off, and mark units next to an enemy, at once [8.1.2, 8.0].

    Only in a hex with a change, or next to one, can a unit come to stand next to an enemy.
    """
    position = game.state
    concealing, units, stirred = position.setting.concealing, position.units, position.stirred
    neighbours = position.map.neighbours
    # Elsewhere, in the open, markers came off at once.
    for hex in [hex for hex in position.stacks if hex in concealing or hex in stirred]:
        hidden = hex in concealing
        nearby = hidden and (hex in stirred or not stirred.isdisjoint(neighbours[hex]))
        for name in position.stacks[hex]:
            unit = units[name]
            if unit.spotted:
                if not (hidden and in_view(position, unit)):
                    _lose_marker(game, unit)
            elif nearby and next_to_enemy(position, unit):
                mark(game, unit, "spotted")


def _lose_marker(game: Game[Position], unit: Unit) -> None:
    """Take a marker off in the open, or when no eligible enemy sees the unit [8.1.2]."""
    game.state.change(unit.id, spotted="")
    if unit.hex is not None and concealed(game.state, unit):
        event = Event("lost-sight", "{} in {} is lost from sight", (unit.name, unit.hex), "8.1.2", (unit.id,))
        game.tell(event)


def visible_hexes(position: Position, hex: Hex, level: Level) -> Iterator[tuple[Hex, Level]]:
    """Every hex that a unit at this level of a hex could see, with the lowest level at which it sees a unit there."""
    look = eyes_of(position)
    for other, cell in position.map.cells.items():
        if cell.playable and look.clear(hex, other, position.wrecks):
            for there in levels(position, other):
                if _hidden_by_gully(position, hex, level == "gully", other, there == "gully") is None:
                    yield other, there
                    break
