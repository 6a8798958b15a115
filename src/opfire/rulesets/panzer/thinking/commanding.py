"""Commands: for each vehicle the command that is expected to bring most in this turn."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzer.commands import Command, CommandPhase, HandIn, cannot_command
from opfire.rulesets.panzer.moving.going import Going
from opfire.rulesets.panzer.pieces import CommandName, Unit, UnitId
from opfire.rulesets.panzer.sighting.ranges import Marker
from opfire.rulesets.panzer.thinking.mind import HALTED, MOVING, Mind
from opfire.rulesets.panzer.thinking.moving import best_move

ANSWERED = 0.4
"""The likelihood that a given enemy moves or fires where a vehicle on overwatch can answer it."""

MAY_MOVE = -1
"""The modifier of direct fire for the chance that the target moves."""

RESTLESS = 0.5
"""The points by which a move has to be better than to stay: a mover is seen from afar."""


class Watched(NamedTuple):
    """An enemy that a unit on overwatch would see, with the points and the part of it that its shot would bring."""

    worth: float
    foe: UnitId
    part: float


class Aims:
    """The targets that are already aimed at or watched, each with the part of it that is expected to be left."""

    def __init__(self) -> None:
        self.left: dict[UnitId, float] = {}
        self.watched: dict[UnitId, float] = {}

    def best(self, mind: Mind, unit: Unit, more: int) -> tuple[float, Unit | None]:
        """The best target that a vehicle has spotted, with the points that it is expected to bring."""
        shots = [
            (self.left.get(foe.id, 1.0) * mind.gain(unit, str(unit.hex), foe, more), foe.id)
            for foe in mind.foes
            if unit.id in mind.position.spots.get(foe.id, ())
            and mind.bears(unit, str(unit.hex), unit.facing, str(foe.hex))
        ]
        worth, name = max(shots, default=(0.0, ""))
        return worth, mind.position.units.get(name)

    def take(self, mind: Mind, unit: Unit, foe: Unit, more: int) -> None:
        """Note a shot at a target."""
        part = mind.gain(unit, str(unit.hex), foe, more) / max(1.0, mind.value(foe))
        self.left[foe.id] = self.left.get(foe.id, 1.0) * (1.0 - part)

    def watch(self, shots: list[Watched]) -> None:
        """Note the enemies that a unit watches: the next one to watch them has less to do."""
        for shot in shots:
            self.watched[shot.foe] = self.watched.get(shot.foe, 1.0) * (1.0 - ANSWERED * shot.part)


def sheet(mind: Mind, frame: CommandPhase) -> list[Suggestion]:
    """A sheet with the best command of every vehicle."""
    aims = Aims()
    orders = [Command(unit.id, best(mind, unit, aims)) for unit in by_shot(mind)]
    return [Suggestion(HandIn(tuple(orders)), 0.0, "the best command of every vehicle")]


def by_shot(mind: Mind) -> list[Unit]:
    """The vehicles of a side in the order of their best shots: those with a good one now choose first."""
    shots = {unit.id: Aims().best(mind, unit, MAY_MOVE)[0] for unit in mind.friends}
    return sorted(mind.friends, key=lambda unit: (-shots[unit.id], unit.id))


def best(mind: Mind, unit: Unit, aims: Aims) -> CommandName:
    """The command that brings most; the target of a shot and the enemies that are watched are noted."""
    fire, foe = aims.best(mind, unit, MAY_MOVE)
    halted, other = aims.best(mind, unit, MAY_MOVE + HALTED)
    here, watched = mind.pull(unit, str(unit.hex)), in_view(mind, unit, aims)
    worth: dict[CommandName, float] = {"move": best_move(mind, unit, Going()).worth - RESTLESS, "no command": -1000.0}
    if unit.kind.armed:
        worth["overwatch"] = here + overwatch(watched) - _risk(mind, unit, unit.seen_as)
    if fire and foe is not None:
        worth["fire"] = here + fire - _risk(mind, unit, "fire")
    if halted and other is not None:
        half = best_move(mind, replace(unit, command="short halt"), Going())
        worth["short halt"] = halted + half.worth
    allowed = [name for name in worth if cannot_command(mind.position, unit, name) is None]
    best = max(allowed, key=lambda name: worth[name])
    if best in ("fire", "short halt") and foe is not None:
        aims.take(mind, unit, foe, MAY_MOVE + (HALTED if best == "short halt" else 0))
    if best == "overwatch":
        aims.watch(watched)
    return best


def _risk(mind: Mind, unit: Unit, marker: Marker) -> float:
    """The points that standing still is expected to cost."""
    hex = str(unit.hex)
    threats = mind.threats_to(unit, hex, marker, 0)
    return mind.caution * mind.value(unit) * mind.danger(unit.facing, threats)


def in_view(mind: Mind, unit: Unit, aims: Aims) -> list[Watched]:
    """The enemies that a unit on overwatch would see fire, or come along their likely ways; the best shots first."""
    shots = ((shot_on_way(mind, unit, foe), foe) for foe in mind.foes)
    found = [
        Watched(aims.watched.get(foe.id, 1.0) * mind.value(foe) * part, foe.id, part) for part, foe in shots if part
    ]
    return sorted(found, reverse=True)


def shot_on_way(mind: Mind, unit: Unit, foe: Unit) -> float:
    """The part of an enemy that the best shot from overwatch is expected to take: where it is, or on its way."""
    hex, facing, found = str(unit.hex), foe.facing, 0.0
    before = str(foe.hex)
    for at in (before, *mind.approaches[foe.id]):
        if at != before:
            facing, before = mind.position.map.direction(before, at) or 0, at
        if mind.sees(hex, at, "move"):
            more = MOVING - (1 if mind.bears(unit, hex, unit.facing, at) else 3)
            found = max(found, mind.harm(unit, hex, foe, at, more)[facing])
    return found


def overwatch(watched: list[Watched]) -> float:
    """The points that overwatch is expected to bring: one shot, at the best of those who show themselves."""
    found, likely = 0.0, 1.0
    for shot in watched:
        found, likely = found + likely * ANSWERED * shot.worth, likely * (1.0 - ANSWERED)
    return found
