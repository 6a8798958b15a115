"""Hits that spread to other vehicles [6.5.2.1-spread]: which ones, and which hit falls on which."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from opfire.core.actions import Refusal
from opfire.rulesets.panzer.charts import BANDS, Rate
from opfire.rulesets.panzer.fire import ap_fire
from opfire.rulesets.panzer.fire.arms import Arm
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, away

MORE: Mapping[Rate, int] = {"N": 0, "Q": 1, "R": 2, "F": 3}
"""The hits beyond the first that a Rate-of-Fire may score [6.5.2.1-qrf]."""

Judge = Callable[[Unit], Refusal | None]
"""The reason against a vehicle as a target, or None."""


def cannot_spread(
    position: Position, unit: Unit, target: Unit, arm: Arm, others: Sequence[UnitId], judge: Judge
) -> Refusal | None:
    """Reject vehicles to which hits do not spread: by rate, Command Range, Range Factor, or as targets.

    Rule: [6.5.2.1-spread]. They are named with the announcement: RULINGS.md R111.
    """
    if not position.setting.advanced or not arm.is_ap or len(others) > MORE[arm.rate]:
        return Refusal("{} may score {} more hits", "6.5.2.1-spread", (arm.row.name, MORE[arm.rate]))
    if len({target.id, *others}) <= len(others):
        return Refusal("Name each other target once", "6.5.2.1-spread")
    found = (
        judge(position.units[name]) or _apart(position, unit, target, position.units[name], arm) for name in others
    )
    return next((refusal for refusal in found if refusal), None)


def _apart(position: Position, unit: Unit, target: Unit, other: Unit, arm: Arm) -> Refusal | None:
    """Reject vehicles beyond the Command Range of the firer's Unit Grade, or in a farther Range Factor."""
    reach = position.charts.grades[unit.grade].command_range
    if away(position, target, other) > reach:
        return Refusal("{} is beyond Command Range {} of {}", "6.5.2.1-spread", (other.name, reach, target.name))
    bands = [ap_fire.range_factor(arm.row, away(position, unit, each)) for each in (target, other)]
    near, far = (BANDS.index(band) if band else len(BANDS) for band in bands)
    return Refusal("{} is in a farther range factor", "6.5.2.1-spread", (other.name,)) if far > near else None


def others_near(position: Position, unit: Unit, target: Unit, arm: Arm, judge: Judge) -> Iterator[UnitId]:
    """The vehicles to which a hit may spread, the nearest to the target first."""
    if not arm.is_ap or not position.setting.advanced:
        return
    foes = (foe for foe in position.enemies(unit.side) if foe.id != target.id and foe.is_vehicle)
    for foe in sorted(foes, key=lambda foe: (away(position, target, foe), foe.id)):
        if cannot_spread(position, unit, target, arm, (foe.id,), judge) is None:
            yield foe.id


def assigned(position: Position, target: UnitId, others: Sequence[UnitId], hits: int) -> dict[UnitId, int]:
    """The hits by vehicle, before any damage: the first on the target, the next on the others in turn.

    Any left over, and those for vehicles that are gone, fall on the target [6.5.2.1-spread].
    """
    there = [name for name in others if position.units[name].hex is not None][: max(0, hits - 1)]
    return {target: hits - len(there), **dict.fromkeys(there, 1)}
