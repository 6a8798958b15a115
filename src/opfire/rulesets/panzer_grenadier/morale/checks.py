"""Morale [14.0-14.3]: checks, what becomes of those who fail, and the leaders who help [6.51, 6.53]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.command import leaders
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.movement import rivers, transport
from opfire.rulesets.panzer_grenadier.pieces import Position, State, Unit, UnitId
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.works import fieldworks

CheckResult = Literal["M", "M1", "M2"]


class Test(msgspec.Struct, frozen=True):
    """A morale check that somebody has to make: how hard, and why [14.1].

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

    A leader in good order helps in his hex and the six around it, a disrupted one in his own, a demoralized one nobody.
    """
    if unit.hex is None or helped_by_none(unit):
        return
    for hex in (unit.hex, *position.map.neighbours[unit.hex]):
        if hex is not None:
            for leader in position.everybody(hex, unit.side):
                if helps(position, leader, unit):
                    yield leader


def helped_by_none(unit: Unit) -> bool:
    """An AFV has no help from regular leaders in a check [6.82]; a carrier with somebody aboard has [5.65]: P61."""
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
    """Leaders in an assault hex influence nobody outside, and those outside nobody in it [12.5]."""
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
    lines = [Line("factor", f"Morale of {unit.name}", str(printed), "14.0", printed)]
    if unit.demoralized:
        lines.append(Line("factor", "demoralized", "-1", "14.3", -1))
    return lines


def check_of(position: Position, unit: Unit, result: CheckResult) -> Calculation:
    """A morale check before the dice [14.1]."""
    return calculation_of(position, Test(unit.id, result))


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
    return Calculation(f"Morale check of {unit.name}", "14.1", tuple(lines), 2, 6, outcomes, f"{morale}", harder)


def outcome(position: Position, unit: Unit, missed_by: int) -> str:
    """What a check missed by so much makes of a unit, never better than it was [14.1, 14.11, 14.12, 14.13]."""
    after = position.charts.after_check(unit.state, missed_by) if missed_by > 0 else unit.state
    return "holds" if after == unit.state else after


def check(game: Game[Position], names: Iterable[UnitId], result: CheckResult) -> None:
    """These check morale, leaders first [14.14]."""
    for test in in_order(game.state, (Test(name, result) for name in names)):
        roll(game, test)


def in_order(position: Position, tests: Iterable[Test]) -> list[Test]:
    """Leaders before units, the senior first [14.14]."""

    def seniority(test: Test) -> int:
        officer = position.units[test.unit].officer
        return 1 if officer is None else -officer.rank

    return sorted(tests, key=seniority)


def roll(game: Game[Position], test: Test) -> None:
    """One of them rolls; failure counts at once [14.14]. Who is off the map or aboard checks nothing [5.65]."""
    position = game.state
    unit = position.units[test.unit]
    if unit.hex is None or unit.carrier is not None:
        return
    calculation = calculation_of(position, test)
    show(game, helper(position, unit, test.moving), unit)
    rolled = game.roll(2, 6)
    result = calculation.result(rolled)
    words = "{} in {} holds" if result == "holds" else "{} in {} fails its morale check"
    rule = "14.12" if unit.demoralized else "14.1"
    facts, only = (unit.name, unit.hex), fieldworks.told_to(unit)
    game.tell(Event("morale", words, facts, rule, (unit.id,), (unit.hex,), rolled, calculation, only=only))
    match result:
        case "disrupted":
            disrupt(game, unit.id)
        case "demoralized" | "lost":
            demoralize(game, unit.id)


def show(game: Game[Position], leader: Unit | None, unit: Unit) -> None:
    """A hidden leader who helps a unit in view, as all can see, is placed [16.61]: RULINGS.md P52."""
    if leader is not None and leader.hidden and not unit.hidden:
        spotting.reveal(game, leader.id)


# --- what becomes of them -------------------------------------------------------------------------------------


def disrupt(game: Game[Position], name: UnitId) -> None:
    """One in good order is disrupted, with all it carries [14.2, 5.66, G.disrupted]."""
    if game.state.units[name].good_order:
        _worsen(game, name, "disrupted", "14.2")


def demoralize(game: Game[Position], name: UnitId) -> None:
    """Demoralized [14.3]; once more, and a unit loses a step [14.12], a leader is gone [14.11]."""
    unit = game.state.units[name]
    if not unit.demoralized:
        _worsen(game, name, "demoralized", "14.3")
    elif unit.leader:
        leaders.fall(game, name, "14.11")
    else:
        losses.lose_step(game, name)


def _worsen(game: Game[Position], name: UnitId, state: State, rule: str) -> None:
    """The unit and its cargo are in this state, or in a worse one; the cargo is unloaded at once [5.65, 5.66]."""
    position = game.state
    unit = position.units[name]
    for one in (unit, *position.pick(unit.cargo)):
        if not one.demoralized:
            position.change(one.id, state=state)
            facts, only = (one.name, one.hex, state), fieldworks.told_to(one)
            game.tell(Event("morale", "{} in {} is {}", facts, rule, (one.id,), (str(one.hex),), only=only))
        fieldworks.interrupted(game, one.id)
    if unit.cargo:
        transport.forced_unloading(game, name)
    if rivers.assisting(position, unit, str(unit.hex)):
        _drag_along(game, unit, state)


def _drag_along(game: Game[Position], engineer: Unit, state: State) -> None:
    """An engineer who helps others across a river breaks, and all friends in the hex with him [5.73.f]."""
    position = game.state
    for other in position.at(str(engineer.hex), engineer.side):
        if other.good_order or (state == "demoralized" and not other.demoralized):
            _worsen(game, other.id, state, "5.73.f")
