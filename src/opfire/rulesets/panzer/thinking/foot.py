"""Squads, guns and mixed forces of the Advanced Game: commands, guns that turn to the enemy."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import NOBODY, Choices
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.adjusting import EnterCover, LeaveCover, Pivot
from opfire.rulesets.panzer.commands import HandIn, cannot_command
from opfire.rulesets.panzer.fire import turrets
from opfire.rulesets.panzer.fire.arcs import ahead
from opfire.rulesets.panzer.fire.turrets import AdjustTurret
from opfire.rulesets.panzer.moving.costs import hexsides_turned
from opfire.rulesets.panzer.pieces import CommandName, Unit
from opfire.rulesets.panzer.thinking import charging, commanding, flying, marching, sharing, shelling
from opfire.rulesets.panzer.thinking.firing import shots
from opfire.rulesets.panzer.thinking.mind import Mind
from opfire.rulesets.panzer.thinking.sharing import Wish

URGENT: dict[CommandName, float] = {"fire": 3.0, "short halt": 2.5, "move": 2.0, "overwatch": 1.0}
"""The weight of a command where there are too few of them, on top of the points of its unit."""

CALLS = 100.0
"""The worth of a command to an observer who can call fire."""

WATCHFUL = 5.0
"""The weight of overwatch for anti-aircraft units while the enemy has aircraft."""

SECOND = 0.01
"""The weight of a second wish, which is heard after all first ones."""

WORTH_A_SHOT = 0.8
"""The points that a shot has to be expected to bring for a command to fire."""


def sheet(mind: Mind) -> HandIn:
    """A sheet for a side of the Advanced Game."""
    aims = commanding.Aims()
    units = [unit for unit in mind.position.of(mind.side) if not unit.suppression]
    wishes = [Wish(_urgency(mind, unit, wish), unit, wish) for unit in units if (wish := _wish(mind, unit, aims))]
    return sharing.sheet(mind.position, mind.side, [*wishes, *_lookouts(mind, units)])


def _lookouts(mind: Mind, units: list[Unit]) -> Iterator[Wish]:
    """The wish of each unit that can fire to watch at least, if there is no command for its first wish."""
    for unit in units:
        if unit.kind.armed and cannot_command(mind.position, unit, "overwatch") is None:
            yield Wish(SECOND * _urgency(mind, unit, "overwatch"), unit, "overwatch")


def _urgency(mind: Mind, unit: Unit, wish: CommandName) -> float:
    """The worth of a command to the side; observers come first, and units that watch the sky."""
    if wish == "overwatch" and shelling.has_call(mind, unit):
        return CALLS
    return (WATCHFUL if flying.watches(mind, unit) else URGENT[wish]) * unit.kind.pts


def _wish(mind: Mind, unit: Unit, aims: commanding.Aims) -> CommandName | None:
    """The command that a unit would like to have, if it needs one."""
    if flying.watches(mind, unit):
        return "overwatch"
    shot = best_shot(mind, unit) if unit.kind.armed else 0.0
    if unit.is_leg and charging.worth(mind, unit) > shot and cannot_command(mind.position, unit, "move") is None:
        return "move"
    if shelling.has_call(mind, unit):
        return "overwatch"
    if shot < WORTH_A_SHOT and shelling.callable_on(mind, unit):
        return "fire" if cannot_command(mind.position, unit, "fire") is None else None
    if shot >= WORTH_A_SHOT:
        return "fire" if cannot_command(mind.position, unit, "fire") is None else None
    wish = commanding.best(mind, unit, aims) if unit.is_vehicle else _on_foot(mind, unit)
    return None if wish == "no command" or cannot_command(mind.position, unit, wish) is not None else wish


def _on_foot(mind: Mind, unit: Unit) -> CommandName:
    """Squads without a target go for their objective, and watch once they are there; guns and weapons watch."""
    if unit.kind.category not in ("squad", "half-squad"):
        return "overwatch"
    return "move" if marching.goes_on(mind, unit) else "overwatch"


def best_shot(mind: Mind, unit: Unit) -> float:
    """The points that the best shot of a unit at a spotted enemy is expected to bring."""
    return max((points for points, _, _ in shots(mind, unit)), default=0.0)


def adjust(mind: Mind, choices: Choices) -> list[Suggestion]:
    """Turn a gun that bears on no enemy to the side on which most of them are, and turrets to the nearest.

    Suppressed units take Full Cover.
    One that is just suppressed can do nothing in the next turn, so that Full Cover costs it nothing; then it leaves it.
    """
    turns = [offer for name in choices.asked if name != NOBODY for offer in choices.of(name)]
    found = [
        Suggestion(turn, 1.0, "to face the enemy") for turn in turns if isinstance(turn, Pivot) and _helps(mind, turn)
    ]
    found += [
        Suggestion(act, 1.0, "the gun on the enemy")
        for act in turns
        if isinstance(act, AdjustTurret) and _lays(mind, act)
    ]
    covers = (act for act in turns if isinstance(act, EnterCover | LeaveCover))
    found += [Suggestion(act, 0.5, "suppressed units hide") for act in covers if _hides(mind, act)]
    return [*found[:1], Suggestion(EndStep(), 0.0, "nothing to turn")]


def _lays(mind: Mind, turn: AdjustTurret) -> bool:
    """Return whether a turn brings the gun of a turret onto the enemy that comes nearest, or nearer to it [7.8.1]."""
    unit, coords = mind.position.units[turn.unit], mind.position.map.coords
    hex = str(unit.hex)
    posts = [mind.post(foe) for foe in mind.position.enemies(mind.side) if mind.post(foe) != hex]
    post = min(posts, key=lambda post: (mind.position.map.distance(hex, post), post), default=None)
    if post is None:
        return False
    aims = [way for way in range(6) if ahead(coords[hex], way, coords[post])]
    off = {way: min(hexsides_turned(way, aim) for aim in aims) for way in (turrets.bearing(unit), turn.facing)}
    return off[turn.facing] < off[turrets.bearing(unit)]


def _hides(mind: Mind, act: EnterCover | LeaveCover) -> bool:
    """Return whether a unit is to take Full Cover, or to leave it: with SUPPRESSION/OFF it may recover now [6.8.3]."""
    return (mind.position.units[act.unit].suppression == "on") == isinstance(act, EnterCover)


def _helps(mind: Mind, turn: Pivot) -> bool:
    unit = mind.position.units[turn.unit]
    bears = [_bearing(mind, unit, facing) for facing in range(6)]
    return not unit.is_leg and not bears[unit.facing] and bears[turn.facing] == max(bears) > 0


def _bearing(mind: Mind, unit: Unit, facing: int) -> int:
    coords, foes = mind.position.map.coords, mind.position.enemies(mind.side)
    return sum(ahead(coords[str(unit.hex)], facing, coords[str(foe.hex)]) for foe in foes)
