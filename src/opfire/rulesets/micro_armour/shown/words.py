"""Actions in words, the stands and points that they touch, and ids that are not in the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, get_args

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.places import Point, tenths, text
from opfire.core.texts import called, names, say
from opfire.kit import shown as kit
from opfire.kit import table
from opfire.kit.whereabouts import told
from opfire.rulesets.micro_armour.air.strikes import Strafe
from opfire.rulesets.micro_armour.artillery.coordinates import written
from opfire.rulesets.micro_armour.artillery.direct import FireDirect
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.sheafs import Pattern
from opfire.rulesets.micro_armour.artillery.writing import ChooseSheaf
from opfire.rulesets.micro_armour.fire.guns import Manner, gun, inches_between
from opfire.rulesets.micro_armour.moving.movement import Order, group_of, speaker
from opfire.rulesets.micro_armour.pieces import Position, Stand
from opfire.rulesets.micro_armour.results import IN_WORDS
from opfire.rulesets.micro_armour.sections import Laid
from opfire.rulesets.micro_armour.works.labour import Bridge, bridge_name, progress, span_work
from opfire.rulesets.micro_armour.works.laying import Lay

_OUTCOMES = names(
    "success", "failure", "arrives", "lost", "recovers", "rallies", "panics", "no change", "does not fire"
)
RESULTS: Mapping[str, str] = {**IN_WORDS, **{outcome: outcome for outcome in _OUTCOMES}}
"""The results of all rolls: combat results by their codes, the others are words already. Readers have their own."""


def _no_stand(sight: Position, name: str) -> Refusal | None:
    return None if name in sight.units else Refusal("There is no stand {}", PROCEDURE, (name,))


def _no_other(sight: Position, name: str) -> Refusal | None:
    return _no_stand(sight, name) if name else None


def _no_plane(sight: Position, name: str) -> Refusal | None:
    return None if name in sight.planes else Refusal("There is no aircraft {}", PROCEDURE, (name,))


def _no_landing(sight: Position, name: str) -> Refusal | None:
    return None if name in sight.setting.landings else Refusal("There is no landing group {}", PROCEDURE, (name,))


def _no_side(sight: Position, name: str) -> Refusal | None:
    return None if name in sight.setting.sides else Refusal("There is no side {}", PROCEDURE, (name,))


def _no_point(sight: Position, at: Point) -> Refusal | None:
    return None if at in sight.table else Refusal("There is no point {} on the table", PROCEDURE, (text(at),))


def _no_work(sight: Position, name: str) -> Refusal | None:
    known = name in sight.works or name in get_args(Laid)
    return None if known else Refusal("There is no marker {}", PROCEDURE, (name,))


_KNOWN: Mapping[str, Callable[[Position, Any], Refusal | None]] = {
    "unit": _no_stand,
    "target": _no_stand,
    "carrier": _no_stand,
    "plotter": _no_stand,
    "beyond": _no_other,
    "plane": _no_plane,
    "landing": _no_landing,
    "first": _no_side,
    "to": _no_point,
    "work": _no_work,
}


def unknown(sight: Position, action: Action) -> Refusal | None:
    """Reject stands, sides and points that are not in the game."""
    return kit.unknown(sight, action, _KNOWN)


def place(sight: Position, at: Point) -> str:
    """A point in inches, with its whereabouts."""
    return told(sight.table.ground, at, tenths(at))


def label(sight: Position, action: Action) -> str:
    """An action in words, as on a button."""
    if isinstance(action, Order) and action.unit in sight.units:
        return _order(sight, group_of(sight, sight.units[action.unit]) or [sight.units[action.unit]])
    there = partial(_aim, sight, action) if isinstance(action, FireDirect) else partial(place, sight)
    words = table.label(action, partial(_named, sight, action), there, _shorter(action))
    if isinstance(action, Bridge) and action.unit in sight.units:
        unit = sight.units[action.unit]
        done = progress(unit, bridge_name(action.to, action.facing))
        return say("{}: {} of {} successes so far", words, done, span_work(unit))
    return words


def _order(sight: Position, group: Sequence[Stand]) -> str:
    """An order to a group in words: its headquarters or first stand, its formation, and how many stands it has."""
    named, formations = called(speaker(group).name), {unit.formation for unit in group}
    if len(group) == 1:
        return say("Move {}", named)
    if len(formations) == 1 and (formation := min(formations)):
        return say("Move the group of {}, {}: {} stands", named, formation, len(group))
    return say("Move the group of {}: {} stands", named, len(group))


SHOTS: Mapping[tuple[Pattern, bool], str] = dict(
    zip(
        product(("open", "closed"), (False, True)),
        names(
            "{unit} fires at {to}, open sheaf to the {toward}",
            "{unit} fires smoke at {to}, open sheaf to the {toward}",
            "{unit} fires at {to}, closed sheaf",
            "{unit} fires smoke at {to}, closed sheaf",
        ),
        strict=True,
    )
)
"""Direct fire in words, by sheaf and ammunition; a closed sheaf has no direction [7.4.2.3]."""


def _aim(sight: Position, shot: FireDirect, at: Point) -> str:
    """A place at which a battery fires: the enemy on it, or where it lies."""
    enemy = _enemy_at(sight, shot)
    return f"{called(enemy.name)} ({tenths(at)})" if enemy else place(sight, at)


def _enemy_at(sight: Position, shot: FireDirect) -> Stand | None:
    """The enemy on which the first marker of a sheaf is centred."""
    return next((enemy for enemy in sight.enemies(sight.units[shot.unit].side) if enemy.at == shot.to), None)


def _shorter(action: Action) -> str:
    """The sentence of an action without the part that it leaves open."""
    match action:
        case FireDirect():
            return SHOTS[action.pattern, action.smoke]
        case ChooseSheaf(pattern="closed"):
            return "Closed sheaf"
        case Strafe(beyond=""):
            return "{plane} strafes {target}"
        case Lay(value=""):
            return "Lay {work} at {to}"
    return ""


MANNERS: Mapping[Manner, str] = {
    "main": "main weapon",
    "second": "second weapon",
    "side arms": "side arms",
    "at position": "at its position",
    "second at position": "second weapon at its position",
    "heat": "hollow charge",
    "big game": "big game hunter",
}
"""The manners of fire as a player calls them [7.3.5, 7.3.6, 10.9, 11.4.5, 12.10, 12.11]."""


def manner_in_words(sight: Position, manner: Manner, firer: Stand, target: Stand | None) -> str:
    """A manner of fire, at a target with its ammunition, firepower and range: `AP 10 at 14 inches`."""
    words = MANNERS[manner]
    if target is None or target.at is None or firer.at is None:
        return words
    used = gun(sight, firer, manner, target)
    kind, inches = "AP" if used.armour_piercing else "HE", inches_between(firer, target)
    shot = say("{} {} at {} inch" if inches == 1 else "{} {} at {} inches", kind, used.firepower, inches)
    return shot if manner == "main" else say("{}, {}", words, shot)


def _named(sight: Position, action: Action, name: str) -> str:
    """A stand or a side by its name, a manner of fire in words, anything else as it is."""
    firer, target = (sight.units.get(getattr(action, field, "")) for field in ("unit", "target"))
    manner = next((each for each in MANNERS if each == name == getattr(action, "manner", "")), None)
    if manner is not None and firer is not None:
        return manner_in_words(sight, manner, firer, target)
    if name in sight.setting.sides:
        return sight.setting.scenario.sides[name].name
    if name in sight.works:
        return sight.works[name].kind
    if name in sight.missions:
        return _mission_in_words(sight, sight.missions[name])
    if name in sight.setting.landings:
        return sight.setting.landings[name].group.name
    named = sight.units.get(name) or sight.planes.get(name)
    return named.name if named else name


def _mission_in_words(sight: Position, mission: Mission) -> str:
    """A mission by its name, or by its kind, place and ammunition [7.6.3-fields]."""
    place = written(sight.setting, mission.side, mission.sheaf.at)
    plain, smoke = "the {} mission at {}", "the {} mission of smoke at {}"
    return mission.name or say(smoke if mission.smoke else plain, mission.kind, place)


def touches(sight: Position, action: Action) -> tuple[tuple[str, ...], tuple[Point, ...]]:
    """The stands and the points on which a click may mean this action; fire at a place also means the enemy there,
    and an order all stands of the group.
    """
    units, points = table.touches(action, sight.units, {})
    if isinstance(action, Order):
        return tuple(unit.id for unit in group_of(sight, sight.units[action.unit])), points
    enemy = _enemy_at(sight, action) if isinstance(action, FireDirect) else None
    return (*units, enemy.id) if enemy else units, points
