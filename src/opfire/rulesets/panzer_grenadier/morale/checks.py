"""Morale [14.0-14.3]: checks, the results of failure, and the leaders who help [6.51, 6.53]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from opfire.core.events import Calculation, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer_grenadier.pieces import Position, Unit, UnitId
from opfire.rulesets.panzer_grenadier.sight import spotting

CheckResult = Literal["M", "M1", "M2"]


class Test(msgspec.Struct, frozen=True):
    """A morale check to be made: its severity and its cause [14.1].

    `mourned` is the morale bonus of a leader who fell [6.73]; `moving` is set under opportunity fire, where disrupted
    leaders do not help [13.34].
    """

    __test__ = False  # no test of ours

    unit: UnitId
    result: CheckResult
    mourned: int = 0
    moving: bool = False


# --- who helps ------------------------------------------------------------------------------------------------


def helpers(position: Position, unit: Unit) -> Iterator[Unit]:
    """The leaders whose bonus a unit, a strongpoint or a leader may have in a morale check [6.51, 6.51.A1, 6.52.A3].

    A leader in good order helps in his hex and the six around it, a disrupted one in his own, a demoralized one
    nowhere.
    """
    if unit.hex is None or helped_by_none(unit):
        return
    for hex in (unit.hex, *position.map.neighbours[unit.hex]):
        if hex is not None and hex in position.stacks:
            for leader in position.everybody(hex, unit.side):
                if helps(position, leader, unit):
                    yield leader


def helped_by_none(unit: Unit) -> bool:
    """An AFV has no help from regular leaders in a check [6.82], unless it is a carrier with passengers [5.65]: P61."""
    return unit.afv and not (unit.apc and unit.cargo)


def helps(position: Position, leader: Unit, unit: Unit) -> bool:
    """Whether this leader's bonus counts for the unit, or for a leader of lower rank [6.53]; never his own [6.53.a]."""
    officer = leader.officer
    if officer is None or officer.kommissar or leader.demoralized or leader.id == unit.id:
        return False
    if unit.leader and not outranks(leader, unit):
        return False
    return leader.hex == unit.hex or (leader.good_order and not across_assault(position, leader, unit))


def outranks(leader: Unit, other: Unit) -> bool:
    """Whether a leader is of higher rank than another [6.53]."""
    return leader.officer is not None and other.officer is not None and leader.officer.rank > other.officer.rank


def across_assault(position: Position, leader: Unit, unit: Unit) -> bool:
    """Leaders in an assault hex cannot influence units outside, nor leaders outside units in it [12.5]."""
    return any(hex is not None and position.assault_hex(hex) for hex in (leader.hex, unit.hex))


def helper(position: Position, unit: Unit, moving: bool = False) -> Unit | None:
    """The one leader with the highest bonus who helps in a check [6.51], for a mover one in good order [13.34]."""
    found = [leader for leader in helpers(position, unit) if leader.good_order or not moving]
    best = max(found, key=bonus, default=None)
    return best if best is not None and bonus(best) else None


def bonus(leader: Unit) -> int:
    """A leader's morale bonus."""
    return leader.officer.bonus if leader.officer is not None else 0


# --- the check ------------------------------------------------------------------------------------------------


def morale_lines(unit: Unit) -> list[Line]:
    """A unit's printed morale at its strength [14.0], one less when demoralized [14.3]."""
    printed = unit.base_morale + unit.demoralized
    lines = [Line("factor", Text("Morale of {}", (unit.name,)), str(printed), "14.0", printed)]
    if unit.demoralized:
        lines.append(Line("factor", "demoralized", "-1", "14.3", -1))
    return lines


def calculation_of(position: Position, test: Test) -> Calculation:
    """Two dice and the result's modifier against morale and a leader's bonus [14.1, 14.11, 14.12]."""
    unit = position.units[test.unit]
    lines = morale_lines(unit)
    leader = helper(position, unit, test.moving)
    if leader is not None:
        rule = "6.53" if unit.leader else "5.65" if unit.cargo else "6.51"
        lines.append(Line("factor", leader.name, f"{bonus(leader):+}", rule, bonus(leader)))
    if test.mourned:
        lines.append(Line("factor", "fallen leader", f"{-test.mourned:+}", "6.73", -test.mourned))
    morale = sum(line.amount for line in lines)
    harder = position.charts.checks[test.result].value
    lines.append(Line("modifier", test.result, f"{harder:+}", "14.1", harder))
    outcomes = tuple(outcome(position, unit, total + harder - morale) for total in range(2, 13))
    return Calculation(
        Text("Morale check of {}", (unit.name,)), "14.1", tuple(lines), 2, 6, outcomes, f"{morale}", harder
    )


def outcome(position: Position, unit: Unit, missed_by: int) -> str:
    """The state of a unit after a check missed by `missed_by`, never better than before [14.1, 14.11, 14.12, 14.13]."""
    after = position.charts.after_check(unit.state, missed_by) if missed_by > 0 else unit.state
    return "holds" if after == unit.state else after


def in_order(position: Position, tests: Iterable[Test]) -> list[Test]:
    """Leaders before units, the senior first [14.14]."""

    def seniority(test: Test) -> int:
        officer = position.units[test.unit].officer
        return 1 if officer is None else -officer.rank

    return sorted(tests, key=seniority)


def show(game: Game[Position], leader: Unit | None, unit: Unit) -> None:
    """Place a hidden leader who visibly helps a unit in view [16.61]: RULINGS.md P52."""
    if leader is not None and leader.hidden and not unit.hidden:
        spotting.reveal(game, leader.id)
