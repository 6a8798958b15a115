"""Command control [6.2]: active units, the commands available to a formation, Command Range, shared commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from opfire.core.actions import Refusal
from opfire.rulesets.panzer import escorts, radios, span
from opfire.rulesets.panzer.charts import Grade
from opfire.rulesets.panzer.formations import is_recon
from opfire.rulesets.panzer.pieces import CommandName, Hex, Position, Side, Unit, UnitId, away, lurking, overstacked
from opfire.space.hexes import distance

Counters = Mapping[UnitId, Sequence[Unit]]
"""The units that use a command counter, by the unit that it belongs to."""


# --- Command Range [6.2.1.1.2] ---------------------------------------------------------------------------------


def formation_grade(position: Position, unit: Unit) -> Grade:
    """The grade of a unit's formation [5.8.2]."""
    return position.setting.formations[unit.formation].grade


def command_range(position: Position, unit: Unit) -> int:
    """The Command Range of a unit in hexes, by the grade of its formation; 0 without a radio [6.2.1.1.2, 7.4.2]."""
    if radios.without(position, unit):
        return 0
    return position.charts.grades[formation_grade(position, unit)].command_range


def in_command_range(position: Position, unit: Unit, other: Unit) -> bool:
    """Return whether two units of a formation are within Command Range of each other [6.2.1.1.2]."""
    return unit.formation == other.formation and away(position, unit, other) <= command_range(position, unit)


# --- available commands [6.2.1.1] ------------------------------------------------------------------------------


def members(position: Position, formation: str) -> list[Unit]:
    """The units of a formation on the map."""
    side = position.setting.formations[formation].side
    return [unit for unit in position.of(side) if unit.formation == formation]


def active(position: Position, formation: str) -> list[Unit]:
    """The active units of a formation: combat units, and one unarmed unit near each [6.2.1.1].

    Recon units are not counted, nor broken ones [7.1.5.2], nor landed aircraft [7.59.4-df].
    """
    side = position.setting.formations[formation].side
    hidden = [unit for unit in lurking(position, side) if unit.formation == formation]  # 7.2.2
    there = (unit for unit in (*members(position, formation), *hidden) if unit.flight is None)
    counted = [unit for unit in there if not is_recon(unit) and unit.morale != "broken"]
    combat, unarmed = ([unit for unit in counted if unit.kind.armed is armed] for armed in (True, False))
    laden = [unit for unit in unarmed if _carries_combat_units(position, unit)]
    empty = [unit for unit in unarmed if unit not in laden]
    return [*combat, *laden, *_attended(position, combat, empty)]


def _carries_combat_units(position: Position, unit: Unit) -> bool:
    """Return whether a passenger keeps an unarmed unit active: a combat unit that would count on foot [6.2.1.1-a].

    However many it carries, it counts once.
    """
    riders = (rider for rider in position.aboard(unit.id) if rider.formation == unit.formation)
    return any(rider.kind.armed and not is_recon(rider) and rider.morale != "broken" for rider in riders)


def _attended(position: Position, combat: Sequence[Unit], unarmed: Sequence[Unit]) -> list[Unit]:
    """The unarmed units that have a combat unit of their own within Command Range: as many as possible [6.2.1.1-a]."""
    minder: dict[UnitId, Unit] = {}

    def attend(unit: Unit, tried: set[UnitId]) -> bool:
        for other in combat:
            if other.id not in tried and in_command_range(position, unit, other):
                tried.add(other.id)
                if other.id not in minder or attend(minder[other.id], tried):
                    minder[other.id] = unit
                    return True
        return False

    for unit in unarmed:
        attend(unit, set())
    kept = {unit.id for unit in minder.values()}
    return [unit for unit in unarmed if unit.id in kept]


def available(position: Position, formation: str) -> int:
    """The commands of a formation: by its grade and its active units, at least one.

    Rules: [6.2, 6.2.1, 6.2.1.1.1, 7.52-bhq, 7.52-rhq, 7.57].
    """
    row = position.charts.available[span.commanded_as(position, formation)]
    return max(1, row.available(len(active(position, formation))) - span.crowded_out(position, formation))


# --- sharing [6.2.1.1.3] ---------------------------------------------------------------------------------------


def cannot_share(position: Position, unit: Unit, leader: Unit, command: CommandName) -> Refusal | None:
    """Reject sharing another unit's command [6.2.1.1.3], of another formation but for Assault Cover [7.49-cond]."""
    if unit.id == leader.id or command == "no command":
        return Refusal("No Command is shared with nobody", "6.2.1.1.3-nc") if unit.id != leader.id else None
    covered = escorts.together(position, unit, leader, command)
    if unit.formation != leader.formation and not covered and not radios.share_a_chain(position, unit, leader):
        return Refusal("{} and {} are of different formations", "6.2.1.1.3-limits", (unit.name, leader.name))
    if not covered and (refusal := radios.of_other_platoons(position, unit, leader)):
        return refusal
    if is_recon(unit) or is_recon(leader):
        return Refusal("Recon units have commands of their own", "6.2.1.1.3-recon")
    if command == "move" and in_reach_along_road(position, unit, leader):
        return None
    return _inactive(position, unit) or _inactive(position, leader) or _apart(position, unit, leader)


def _inactive(position: Position, unit: Unit) -> Refusal | None:
    if unit.kind.armed or unit in active(position, unit.formation):
        return None
    return Refusal("{} is inactive: give it a command of its own", "6.2.1.1.3-unarmed", (unit.name,))


def _apart(position: Position, unit: Unit, other: Unit) -> Refusal | None:
    reach = command_range(position, unit)
    if away(position, unit, other) <= reach:
        return None
    return Refusal("{} and {} are beyond Command Range {}", "6.2.1.1.3", (unit.name, other.name, reach))


def beside_on_road(position: Position, unit: Unit, other: Unit) -> bool:
    """Return whether two vehicles are on a road or path, stacked or next to each other along it [6.2.1.1.3-road]."""
    if not (unit.is_vehicle and other.is_vehicle):
        return False
    a, b = str(unit.hex), str(other.hex)
    return any(position.map.cells[a].links) if a == b else bool(position.map.link(a, b))


def in_reach_along_road(position: Position, unit: Unit, other: Unit) -> bool:
    """Return whether vehicles of a formation might form one column from one to the other [6.2.1.1.3-road].

    Those between them may be in it or not: the whole group is judged with the sheet.
    """
    if not (unit.is_vehicle and other.is_vehicle):
        return False
    side = position.setting.formations[unit.formation].side
    fellows = (*members(position, unit.formation), *lurking(position, side))
    able = [one for one in fellows if one.is_vehicle and one.formation == unit.formation and not is_recon(one)]
    return any(one.hex == other.hex and beside_on_road(position, one, one) for one in _linked(position, unit, able))


def is_column(position: Position, units: Sequence[Unit]) -> bool:
    """Return whether vehicles form one column on a road or path [6.2.1.1.3-road]."""
    return len(_linked(position, units[0], units[1:])) == len(units)


def _linked(position: Position, first: Unit, others: Iterable[Unit]) -> list[Unit]:
    """A vehicle, and those of the others that are in one column with it on a road or path."""
    joined, waiting = [first], list(others)
    while more := [unit for unit in waiting if any(beside_on_road(position, unit, one) for one in joined)]:
        joined += more
        waiting = [unit for unit in waiting if unit not in more]
    return joined


def bad_group(position: Position, command: CommandName, units: Sequence[Unit]) -> Refusal | None:
    """Reject units that share a command but are not all within Command Range of one another [6.2.1.1.3].

    Nor do they belong to several platoons [7.3].
    """
    plain = (unit for unit in units[1:] if not escorts.together(position, unit, units[0], command))
    if refusal := radios.of_several_platoons(position, (units[0], *plain)):
        return refusal
    if command == "move" and is_column(position, units):
        return None
    return scattered(position, units)


def scattered(position: Position, units: Sequence[Unit]) -> Refusal | None:
    """Reject units that are not all within Command Range of one another [6.2.1.1.3]."""
    return next((found for a, b in combinations(units, 2) if (found := _apart(position, a, b))), None)


def too_many(position: Position, side: Side, counters: Counters, moves: Counters) -> Refusal | None:
    """Reject more commands than a formation has available; those of Recon units are extra [6.2.1.1.3].

    `moves` are the counters of commands to move, of which a formation out of Command Span has fewer [7.52-chq].
    """
    for name in formations_of(position, side):
        if refusal := radios.divided(position, members(position, name), counters):
            return refusal
        used, most = counters_used(name, counters), available(position, name)
        if used > most:
            facts = (position.setting.formations[name].name, most, used)
            return Refusal("{} has {} commands available, and this uses {}", "6.2.1.1", facts)
        if refusal := span.too_many_moves(position, name, counters_used(name, moves), most):
            return refusal
    return None


def counters_used(formation: str, counters: Counters) -> int:
    """The command counters that a formation uses, without those of its Recon units [6.2.1.1.3-recon]."""
    return sum(units[0].formation == formation and not _own(units) for units in counters.values())


def _own(units: Sequence[Unit]) -> bool:
    """Return whether a counter is extra: that of a Recon unit, or of a unit with a leader alone [7.55.2-one]."""
    return is_recon(units[0]) or (len(units) == 1 and bool(units[0].leader))


def formations_of(position: Position, side: Side) -> Iterator[str]:
    """The ids of a side's formations."""
    return (name for name, company in position.setting.formations.items() if company.side == side)


# --- executing shared commands [6.2.1.1.4] ---------------------------------------------------------------------


def sharers(position: Position, unit: Unit) -> list[Unit]:
    """The other units on the map that share the unit's command [6.2.1.1.4]."""
    if not unit.shares:
        return []
    return [other for other in position.of(unit.side) if other.shares == unit.shares and other.id != unit.id]


def targets_apart(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """Reject a target beyond Command Range of those at which units with the same command fired.

    Rules: [6.2.1.1.4-fire, 5.14-a].
    """
    if not unit.shares:
        return None
    coords, reach = position.map.coords, command_range(position, unit)
    for other in (unit, *sharers(position, unit)):
        if any(distance(coords[hex], coords[str(target.hex)]) > reach for hex in other.aims):
            facts = (target.name, reach, other.name)
            return Refusal("{} is beyond Command Range {} of the target of {}", "6.2.1.1.4-fire", facts)
    return None


def left_behind(position: Position, unit: Unit) -> Refusal | None:
    """Reject the end of a move beyond Command Range of the units that share it and have moved [6.2.1.1.4-move].

    Vehicles with a track or hull hit and bogged ones are left behind; columns keep to their road instead.
    Rules: [6.5.2.2.1-b, 6.5.2.2.4-a, 7.29-share].
    """
    if unit.column or _lamed(position, unit):
        return None
    moved = [other for other in sharers(position, unit) if other.moved and not _lamed(position, other)]
    found = next((far for other in moved if (far := _apart(position, unit, other))), None)
    return found and Refusal(found.text, "6.2.1.1.4-move", found.facts)


def _lamed(position: Position, unit: Unit) -> bool:
    """Return whether a vehicle cannot keep up: a track or hull hit, or bogged down [7.29-share].

    Without radio sets a platoon does not part with its damaged vehicles [7.4.2].
    """
    slow = unit.damaged_part == "hull" and not radios.without(position, unit)
    return unit.track_hit or slow or unit.bogged


def breaks_order(position: Position, unit: Unit, to: Hex, steps: int) -> Refusal | None:
    """Reject moves of a column that overtake another vehicle of it, or overstack a hex [6.2.1.1.3-road].

    RULINGS.md R83.
    """
    if not unit.column:
        return None
    fellows = {other.hex for other in sharers(position, unit)}
    if steps and unit.hex in fellows:
        return Refusal("{} would overtake a vehicle of its column", "6.2.1.1.3-road", (unit.name,))
    if overstacked(position, to, 1):
        return Refusal("One more vehicle overstacks {}", "6.2.1.1.3-road", (to,))
    return None
