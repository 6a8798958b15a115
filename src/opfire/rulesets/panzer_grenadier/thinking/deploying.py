"""Set-up places [2.3]: on objectives and in cover, guns with a view, leaders among the units they lead."""

from __future__ import annotations

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.ruleset import Suggestion
from opfire.kit.setup import Ready
from opfire.kit.thinking.goals import FAR, PATIENCE, Goal
from opfire.kit.thinking.places import best_places, objectives_covered
from opfire.rulesets.panzer_grenadier.command.activation import of_his_kind
from opfire.rulesets.panzer_grenadier.pieces import Hex, Unit
from opfire.rulesets.panzer_grenadier.setup.additions import GiveTankLeader, LayMines
from opfire.rulesets.panzer_grenadier.setup.placing import Place
from opfire.rulesets.panzer_grenadier.setup.setting_up import Finish
from opfire.rulesets.panzer_grenadier.thinking.mind import Mind


def set_up(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best place for the next: units with only one left, then units that hold ground; then mines, then the end."""
    if end := next((action for action in choices.of(NOBODY) if isinstance(action, Finish | Ready)), None):
        return [Suggestion(end, 1.0, "everybody stands")]
    units = mind.position.units
    places = best_places(
        choices,
        Place,
        lambda name: _order(units[name]),
        lambda name, action: _worth(mind, units[name], action),
        lambda action: "a good place",
    )
    if places:
        return places
    rest = [_mine(mind, a) if isinstance(a, LayMines) else _tank_leader(mind, a) for a in choices]
    return sorted(rest, key=lambda each: -each.worth)


def _order(unit: Unit) -> tuple[int, str]:
    """Units that hold ground, then guns, then carriers, then leaders."""
    if unit.leader:
        return 3, unit.id
    if unit.transport:
        return 2, unit.id
    return (1 if unit.bombard else 0), unit.id


def _mine(mind: Mind, action: LayMines) -> Suggestion:
    """Mines on the enemy's way: next to objectives, in front of friendly ones."""
    near = [goal for goal in mind.goals if mind.position.map.distance(goal.place, action.hex) == 1]
    own = 0.5 * len(mind.position.at(action.hex, mind.side)) + len(mind.position.work(action.hex).mines)
    road = bool(mind.position.map.cells[action.hex].links)
    return Suggestion(action, len(near) + 0.3 * road - own, "it guards an objective" if near else "a place on the way")


def _tank_leader(mind: Mind, action: Action) -> Suggestion:
    if not isinstance(action, GiveTankLeader):
        return Suggestion(action, -1.0, "not now")
    unit = mind.position.units[action.unit]
    near = mind.position.map.within(str(unit.hex), 1) if unit.hex is not None else ()
    reached = sum(other.afv and str(other.hex) in near and not other.tank_leader for other in mind.friends)
    tank = unit.type_in("tank")
    why = "it reaches many tanks" if reached > 1 else "a tank for a leader"
    return Suggestion(action, reached + 2.0 * tank, why)


def _worth(mind: Mind, unit: Unit, action: Action) -> float:
    return _standing(mind, unit, action.hex) if isinstance(action, Place) else 0.0


def _standing(mind: Mind, unit: Unit, hex: Hex) -> float:
    if unit.leader:
        return _leading(mind, unit, hex)
    position = mind.position
    cover = -0.3 * min(0, mind.ground.cover(position, hex)) if not unit.afv else 0.0
    crowd = (0.0, 0.15, 0.6)[min(2, len(position.combat_units(hex, mind.side)))]
    worth = cover - crowd - 0.8 * mind.danger(unit, hex)
    if unit.transport and not unit.combat:
        return worth + 2.0 * mind.lifts(unit, hex) - 0.05 * _towards(mind, unit, hex)
    if unit.bombard or (unit.kind is not None and unit.kind.movement == 0):
        return worth + _as_battery(mind, unit, hex)
    return worth + _towards(mind, unit, hex) + 0.4 * _fields_of_fire(mind, unit, hex)


def _towards(mind: Mind, unit: Unit, hex: Hex) -> float:
    """Objectives draw, less with other units already there; one that can be held from the start counts most."""
    best = 0.0
    for goal in mind.goals:
        gain = max(goal.gain, goal.keep)
        turns = mind.ground.turns(mind.position, unit, hex, goal.place)
        if turns < FAR:
            held = 1.6 if turns == 0.0 and not mind.position.combat_units(hex, mind.side) else 1.0
            best = max(best, held * gain * PATIENCE**turns / (1.0 + 0.3 * mind.gathered(goal.place)))
    return best


def _fields_of_fire(mind: Mind, unit: Unit, hex: Hex) -> float:
    """The share of the hexes in its range with a line of fire; hexes beyond the edge do not count."""
    reach = max(1, min(5, max(unit.kind.direct_range, unit.kind.at_range)) if unit.kind is not None else 1)
    return mind.ground.field_of_fire(mind.position, hex, reach)


def _as_battery(mind: Mind, unit: Unit, hex: Hex) -> float:
    """A gun wants to see what surrounds the objectives, a mortar to reach it from out of sight."""
    if unit.kind is None:
        return 0.0
    shells = unit.bombard > 0
    reach = unit.kind.bombard_range if shells else max(unit.kind.at_range, unit.kind.direct_range)

    def share(goal: Goal) -> float:
        distance = mind.position.map.distance(hex, goal.place)
        if distance > reach or not (shells or mind.ground.fires(mind.position, hex, goal.place)):
            return 0.0
        return 1.0 if distance > 0 or not shells else 0.5

    worth = 1.5 * objectives_covered(mind.goals, share)
    if not shells:
        return worth + 1.5 * _fields_of_fire(mind, unit, hex)
    behind = min((mind.position.map.distance(hex, str(foe.hex)) for foe in mind.foes), default=8)
    return worth + 0.05 * min(8, behind)


def _leading(mind: Mind, leader: Unit, hex: Hex) -> float:
    """The hex from which he reaches most units, with units beside him and few leaders around."""
    position, worth = mind.position, 0.0
    near = set(position.map.within(hex, 1))
    chiefs = [other for other in mind.friends if other.leader]
    for friend in mind.friends:
        if friend.combat and str(friend.hex) in near and of_his_kind(leader, friend):
            others = sum(
                position.map.distance(str(one.hex), str(friend.hex)) <= 1 and of_his_kind(one, friend) for one in chiefs
            )
            worth += mind.value(friend) / (1.0 + 2.0 * others)
    return worth + 0.8 * bool(position.combat_units(hex, mind.side)) - 0.3 * mind.danger(leader, hex)
