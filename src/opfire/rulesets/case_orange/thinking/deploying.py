"""Set-up places [4.2-A]: on objectives and in cover, guns with a view, carriers with their passengers."""

from __future__ import annotations

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.ruleset import Suggestion
from opfire.kit.setup import Ready, StartAboard
from opfire.kit.thinking.goals import FAR, PATIENCE, Goal
from opfire.kit.thinking.places import best_places, field_of_fire, objectives_covered
from opfire.rulesets.case_orange.pieces import FOOT, Hex, Unit
from opfire.rulesets.case_orange.setup import Place
from opfire.rulesets.case_orange.thinking.mind import Mind


def set_up(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best place for the next unit: units with only one left, then units that hold ground, carriers last."""
    if Ready() in choices.of(NOBODY):
        return [Suggestion(Ready(), 1.0, "everybody stands")]
    units = mind.position.units
    return best_places(
        choices,
        Place | StartAboard,
        lambda name: _order(units[name]),
        lambda name, action: _worth(mind, units[name], action),
        _why,
    )


def _order(unit: Unit) -> tuple[int, str]:
    """Vehicles before units that may board them, foot before guns, empty carriers first of all."""
    if unit.vehicle:
        return (1 if unit.kind.weapon == "C" else 0), unit.id
    return (2 if unit.kind.type in FOOT else 3), unit.id


def _why(action: Action) -> str:
    return "goes aboard" if isinstance(action, StartAboard) else "a good place"


def _worth(mind: Mind, unit: Unit, action: Action) -> float:
    match action:
        case StartAboard(_, carrier):
            return _aboard(mind, unit, mind.position.units[carrier])
        case Place(_, hex, below):
            return _standing(mind, unit, hex, below)
    return 0.0


def _aboard(mind: Mind, unit: Unit, carrier: Unit) -> float:
    """The worth of a carrier by the time that it saves its passenger on the way to its goal."""
    hex = str(carrier.hex)
    if unit.kind.type not in FOOT and unit.kind.movement == 0 and unit.kind.range > 8:
        return -1.0
    return 0.95 * mind.pull(unit, hex, carrier) - 0.2


def _standing(mind: Mind, unit: Unit, hex: Hex, below: str) -> float:
    position = mind.position
    worth = 0.25 * min(2, mind.ground.cover(position, hex)) * (1.0 if not unit.vehicle else 0.5)
    worth += {"": 0.0, "dug-in": 0.7, "position": 0.9, "fort": 1.2}[below]
    if mind.ground.overrunnable(position, hex) and not unit.kind.armoured:
        worth -= 0.4
    worth -= mind.value(unit) * 0.8 * mind.danger(unit, hex, False)
    worth -= 0.12 * len(position.at(hex))
    if unit.kind.movement == 0 or unit.kind.weapon in ("M", "(H)"):
        return worth + _as_battery(mind, unit, hex)
    carrier_for = _friends_to_carry(mind, hex) if unit.kind.weapon == "C" and not unit.cargo else 0.0
    worth += carrier_for + (0.0 if unit.kind.weapon == "C" and not unit.cargo else _towards(mind, unit, hex))
    return worth


def _towards(mind: Mind, unit: Unit, hex: Hex) -> float:
    """Objectives draw, less with other units already there; one that can be held from the start counts most."""
    best = 0.0
    passenger = mind.position.units[unit.cargo] if unit.cargo else unit
    for goal in mind.goals:
        gain = max(goal.gain, goal.keep)
        if goal.leave:
            gain = goal.gain if mind.may_score_by_leaving(passenger) else 0.0
        near = mind.near(goal.place)
        turns = mind.ground.turns(unit, hex, goal.place)
        if turns < FAR:
            best = max(best, gain * PATIENCE**turns / (1.0 + (0.0 if goal.leave else 0.6) * near))
    return best


def _as_battery(mind: Mind, unit: Unit, hex: Hex) -> float:
    """A gun wants to see what surrounds the objectives, a mortar to reach it from out of sight."""
    indirect = unit.kind.weapon in ("M", "(H)")
    reach = unit.kind.range if indirect else min(12, unit.kind.range)

    def sees(other: Hex) -> bool:
        return mind.eyes.clear(hex, other, mind.position.wrecks)

    def share(goal: Goal) -> float:
        distance = mind.eyes.map.distance(hex, goal.place)
        if distance > reach or not (indirect or sees(goal.place)):
            return 0.0
        return 1.0 if indirect or 1 < distance <= reach // 2 + 1 else 0.6

    fields = 0.0
    if not indirect:
        near = min(reach // 2 + 1, 6)
        fields = field_of_fire(mind.position.map.within(hex, near), near, sees)
    elif any(mind.eyes.clear(str(foe.hex), hex, mind.position.wrecks) for foe in mind.foes):
        fields = -0.5
    return (
        1.5 * objectives_covered(mind.goals, share) + fields + (0.1 if hex in mind.position.setting.concealing else 0.0)
    )


def _friends_to_carry(mind: Mind, hex: Hex) -> float:
    waiting = [unit for unit in mind.position.at(hex) if not unit.vehicle and unit.cargo is None]
    return 0.3 if waiting else 0.0
