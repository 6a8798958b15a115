"""Command Span [7.52]: how far headquarters reach, and what their loss costs; crews of two [7.57]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from opfire.core.actions import Refusal
from opfire.rulesets.panzer import radios
from opfire.rulesets.panzer.charts import Grade
from opfire.rulesets.panzer.formations import is_recon
from opfire.rulesets.panzer.pieces import Position, Side, Unit, at_arms, away
from opfire.rulesets.panzer.sections import Label

OPTION, CREWS = "7.52", "7.57"
ROWS = 2
"""The rows of the Available Commands Table that a break in the chain costs [7.52-bhq, 7.52-rhq]."""

GRADES: tuple[Grade, ...] = ("elite", "veteran", "seasoned", "regulars", "green")
SPAN: Mapping[Label, int] = {"CHQ": 10, "BHQ": 20, "RHQ": 20}
SMALL_CREW: Mapping[Label, int] = {"CHQ": 10, "BHQ": 10, "RHQ": 15}
"""The spans of headquarters in hexes, and those of tanks with a CREW mark [7.57]."""


def span(position: Position, hq: Unit, level: Label) -> int:
    """The Command Span of a headquarters: none if it is broken or has no radio [7.52-radio, 7.1.5.2, 7.57, 7.23.2]."""
    if level in hq.silenced or hq.morale == "broken" or radios.without(position, hq):
        return 0
    return (SMALL_CREW if small_crew(position, hq) else SPAN)[level]


def small_crew(position: Position, unit: Unit) -> bool:
    """Return whether a tank has a CREW mark, and the game counts that [7.57]."""
    return CREWS in position.setting.options and unit.is_vehicle and unit.vehicle.crew_mark


def _headquarters(position: Position, side: Side, level: Label) -> list[Unit]:
    """All units of a side with a headquarters label, the lost ones and those that have lost their radio too.

    Those aboard vehicles and under HIDDEN UNIT counters are where these are [6.6.7, 7.2.2].
    """
    units = [at_arms(position, name) for name in position.setting.ids[side]]
    return [unit for unit in units if level in unit.labels or level in unit.silenced]


def _reaches(position: Position, hqs: Sequence[Unit], level: Label, unit: Unit) -> bool:
    afield = [hq for hq in hqs if hq.hex is not None]
    reach = 0 if radios.without(position, unit) else None
    return any(away(position, hq, unit) <= (span(position, hq, level) if reach is None else reach) for hq in afield)


def rows_down(position: Position, formation: str) -> int:
    """The rows that a formation drops in the Available Commands Table [7.52-bhq, 7.52-rhq].

    Headquarters that the scenario does not list are off the map, and in span.
    """
    side = position.setting.formations[formation].side
    if OPTION not in position.setting.options:
        return 0
    chqs = [hq for hq in _headquarters(position, side, "CHQ") if hq.formation == formation]
    battalions, regiments = _headquarters(position, side, "BHQ"), _headquarters(position, side, "RHQ")
    return sum(
        ROWS
        for level, above, below in (("BHQ", battalions, chqs), ("RHQ", regiments, battalions))
        if _broken_link(position, above, "BHQ" if level == "BHQ" else "RHQ", below)
    )


def _broken_link(position: Position, above: Sequence[Unit], level: Label, below: Sequence[Unit]) -> bool:
    """Return whether all headquarters of a level are lost, or one below stands out of their span."""
    if not above:
        return False
    if all(hq.status == "eliminated" for hq in above):
        return True
    afield = [hq for hq in below if hq.hex is not None]
    return any(not _reaches(position, above, level, hq) for hq in afield)


def commanded_as(position: Position, formation: str) -> Grade:
    """The row of the Available Commands Table that a formation uses, not below Green [7.52-bhq, 7.52-rhq]."""
    made = position.setting
    of, force = made.formations[formation], "R60" in made.options  # RULINGS.md R60
    at = GRADES.index(made.grade(of.side) if force else of.grade)
    return GRADES[min(len(GRADES) - 1, at + rows_down(position, formation))]


def crowded_out(position: Position, formation: str) -> int:
    """The commands that a CREW tank as CHQ costs its formation: one, however many there are [7.57]."""
    if CREWS not in position.setting.options:
        return 0
    side = position.setting.formations[formation].side
    chqs = (hq for hq in _headquarters(position, side, "CHQ") if hq.formation == formation and hq.hex is not None)
    return int(any(small_crew(position, hq) for hq in chqs))


def out_of_span(position: Position, formation: str) -> bool:
    """Return whether a formation has lost all its CHQs, or a unit of it stands out of their span [7.52-chq]."""
    if OPTION not in position.setting.options:
        return False
    side = position.setting.formations[formation].side
    chqs = [hq for hq in _headquarters(position, side, "CHQ") if hq.formation == formation]
    if not chqs:
        return False
    if all(hq.status == "eliminated" for hq in chqs):
        return True
    return any(not _reaches(position, chqs, "CHQ", unit) for unit in _subordinates(position, formation))


def _subordinates(position: Position, formation: str) -> Iterator[Unit]:
    side = position.setting.formations[formation].side
    units = (at_arms(position, name) for name in position.setting.ids[side])
    company = (unit for unit in units if unit.hex is not None and unit.formation == formation)
    return (unit for unit in company if not is_recon(unit) and unit.flight is None)  # 7.59.4-df


def too_many_moves(position: Position, formation: str, moves: int, available: int) -> Refusal | None:
    """Reject Move and Short Halt commands beyond half of the available ones, out of span [7.52-chq]."""
    if not out_of_span(position, formation):
        return None
    most = max(1, available // 2)
    if moves <= most:
        return None
    name = position.setting.formations[formation].name
    return Refusal("{} is out of Command Span: {} commands to move at most", "7.52-chq", (name, most))
