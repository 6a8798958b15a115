"""The commanding officer's orders [18.31]: fire for the sectors with enemies, no units left in idle ones."""

from __future__ import annotations

from collections.abc import Sequence

from opfire.core.actions import Action
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.command.sectors import EndOrders, GiveAircraft, GiveBattery, Send
from opfire.rulesets.panzer_grenadier.pieces import Hex, SectorName
from opfire.rulesets.panzer_grenadier.thinking.mind import Mind


def orders(mind: Mind, choices: Sequence[Action]) -> list[Suggestion]:
    """Batteries and aircraft to the sectors with most of the enemy for each, idle units to sectors with a task."""
    found = [Suggestion(EndOrders(), 0.0, "the orders are given")] if EndOrders() in choices else []
    for action in choices:
        match action:
            case GiveBattery(_, sector) | GiveAircraft(_, sector):
                worth = _enemy_for_each(mind, sector)
                found.append(Suggestion(action, worth, "most of the enemy is there"))
            case Send(name, sector) if sector == _needed(mind, name):
                found.append(Suggestion(action, 0.1, "there is nothing to do where it is"))
    return sorted(found, key=lambda each: -each.worth)


def _enemy_for_each(mind: Mind, sector: SectorName) -> float:
    """The worth of the enemies in a sector, divided among its batteries and aircraft and one more."""
    there = mind.position.setting.sector_of
    share = sectors.share_of(mind.position, mind.side, sector)
    worth = sum(mind.value(foe) for foe in mind.foes if there[str(foe.hex)] == sector)
    return worth / (1 + len(share.offboard) + len(share.aircraft))


def _needed(mind: Mind, name: str) -> SectorName:
    """The sector that needs a unit whose own has neither enemies nor objectives; else none."""
    position, unit = mind.position, mind.position.units[name]
    its = position.setting.sector_of
    wanted: set[Hex] = {goal.place for goal in mind.goals if goal.gain or goal.keep} | mind.foe_hexes
    if unit.hex is None or not wanted or any(its[hex] == its[unit.hex] for hex in wanted):
        return ""
    here = unit.hex
    return its[min(sorted(wanted), key=lambda hex: position.map.distance(here, hex))]
