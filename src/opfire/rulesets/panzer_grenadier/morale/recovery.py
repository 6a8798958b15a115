"""Recovery [14.4], and help with it [6.52, 6.53]."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer_grenadier.command import kommissars
from opfire.rulesets.panzer_grenadier.command.activation import foreign, of_his_kind
from opfire.rulesets.panzer_grenadier.ground import terrain_of
from opfire.rulesets.panzer_grenadier.morale import checks, flight, harm
from opfire.rulesets.panzer_grenadier.pieces import (
    Position,
    Side,
    State,
    Unit,
    UnitId,
    not_ready,
    not_yours,
    off_the_map,
)
from opfire.rulesets.panzer_grenadier.works import fieldworks


class Recover(Action, frozen=True):
    """Try to improve the morale state of a unit or leader [14.4], with the help of one leader or of none."""

    says = "{unit} tries to recover"
    kind = "recover"
    final = True
    unit: UnitId
    helper: UnitId = ""


WITH_HELP = "{unit} tries to recover with the help of {helper}"
"""The words of the button for an attempt with help."""


class LoseHeart(Action, frozen=True):
    """Become demoralized voluntarily [G.demoralized]."""

    says = "{unit} gives up and becomes demoralized"
    kind = "give-up"
    unit: UnitId


ACTS: tuple[type[Action], ...] = (Recover, LoseHeart)


# --- what an activated unit may do ------------------------------------------------------------------------------


def choices(position: Position, unit: Unit) -> Iterator[Action]:
    """Attempts at recovery without help and with that of each leader whose bonus counts."""
    if cannot_recover(position, unit) is None:
        yield Recover(unit.id)
        yield from (Recover(unit.id, leader.id) for leader in assistants(position, unit))
    if cannot_lose_heart(position, unit) is None:
        yield LoseHeart(unit.id)


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject an illegal attempt."""
    match action:
        case Recover(name, helper):
            unit = position.units[name]
            refused = not_yours(side, unit) or cannot_recover(position, unit)
            return refused or (cannot_assist(position, position.units[helper], unit) if helper else None)
        case LoseHeart(name):
            return not_yours(side, position.units[name]) or cannot_lose_heart(position, position.units[name])
    return None


def play(game: Game[Position], side: Side, action: Action) -> None:
    """Roll, or lose heart."""
    match action:
        case Recover(name, helper):
            recover(game, name, helper)
        case LoseHeart(name):
            harm.demoralize(game, name)
            only_recovers(game.state, name)


def cannot_recover(position: Position, unit: Unit) -> Refusal | None:
    """Reject a unit or leader that may not try to recover now [14.4, 3.13.a]; the fallen need not [14.42]."""
    if refusal := off_the_map(unit) or not_ready(position, unit, "recover", "move") or moved(position, unit):
        return refusal
    return Refusal("{} is in good order", "14.4", (unit.name,)) if unit.good_order else None


def moved(position: Position, unit: Unit) -> Refusal | None:
    """A unit that tries to recover takes no other action [14.4]."""
    assert position.activation is not None
    if position.activation.fresh(unit) and not position.activation.spent_by(unit.id):
        return None
    return Refusal("{} has moved and cannot try to recover", "14.4", (unit.name,))


def cannot_lose_heart(position: Position, unit: Unit) -> Refusal | None:
    """Reject a unit that may not become demoralized voluntarily [G.demoralized]: at the start of its activation."""
    if refusal := not_ready(position, unit, "recover", "move") or moved(position, unit):
        return refusal
    if unit.demoralized:
        return Refusal("{} is already demoralized", "G.demoralized", (unit.name,))
    if unit.carrier is not None:
        return Refusal("{} is being carried", "G.demoralized", (unit.name,))
    return None


def always_open(unit: Unit) -> bool:
    """Whether a unit that is just activated to move or recover can lose heart [G.demoralized] or recover [14.4]."""
    return unit.hex is not None and (unit.carrier is None or not unit.good_order)


# --- who helps --------------------------------------------------------------------------------------------------


def assistants(position: Position, unit: Unit) -> list[Unit]:
    """The leaders whose bonus would help a unit to recover; any of them may, but only one [6.52.A4]."""
    assert position.activation is not None
    active = position.pick(position.activation.roles)
    return [one for one in active if checks.bonus(one) and cannot_assist(position, one, unit) is None]


def cannot_assist(position: Position, leader: Unit, unit: Unit) -> Refusal | None:
    """Reject a leader whose bonus does not help this recovery [6.52, 6.53]."""
    activation = position.activation
    assert activation is not None
    if activation.role(leader.id) is None:
        return Refusal("{} is not activated and cannot help to recover", "6.52", (leader.name,))
    if kommissars.driver(position, unit) is not None:
        return Refusal("A kommissar deals with {}: no other leader can help", "6.6.A1", (unit.name,))
    if leader.demoralized:
        return Refusal("{} is demoralized and cannot help to recover", "6.52.A3", (leader.name,))
    if leader.id == unit.id:
        return Refusal("{} cannot help himself", "6.53.a", (leader.name,))
    if leader.id in activation.aided and activation.role(leader.id) == "recover":
        return Refusal("{} was demoralized and cannot help to recover in this segment", "6.52.A1", (leader.name,))
    if leader.id in activation.aided or not activation.fresh(leader) or activation.spent_by(leader.id):
        return Refusal("{} has moved or helped to fire and cannot help to recover", "6.53.b", (leader.name,))
    return out_of_his_reach(position, leader, unit)


def out_of_his_reach(position: Position, leader: Unit, unit: Unit) -> Refusal | None:
    """A leader helps units that he activates [6.52]: of his kind, of lower rank [6.53], in reach [6.52.A3, 12.5]."""
    if unit.leader and not checks.outranks(leader, unit):
        return Refusal("{} is not of lower rank than {}", "6.53", (unit.name, leader.name))
    if leader.leader is False or (leader.officer is not None and leader.officer.kommissar):
        return Refusal("{} has no bonus to give", "6.52", (leader.name,))
    if foreign(leader, unit):
        return Refusal("{} is of another country than {}", "3.12.c", (unit.name, leader.name))
    if not of_his_kind(leader, unit):
        return Refusal("{} is an AFV: a regular leader cannot activate it", "3.32", (unit.name,))
    if leader.hex == unit.hex:
        return None
    near = leader.hex is not None and unit.hex in position.map.neighbours[leader.hex]
    if not near or not leader.good_order:
        return Refusal("{} does not reach {}", "6.52.A3", (leader.name, unit.name))
    if checks.across_assault(position, leader, unit):
        return Refusal("{} and {} are not in the same assault hex", "12.5", (leader.name, unit.name))
    return None


# --- the attempt ------------------------------------------------------------------------------------------------


def recovery_of(position: Position, unit: Unit, helper: UnitId = "") -> Calculation:
    """Two dice, less than the morale with one leader's bonus and that of the ground [14.41, 14.43, 14.44, 6.63]."""
    driver = kommissars.driver(position, unit)
    if driver is not None:
        lines = [
            Line("factor", Text("Morale of {}", (driver.name,)), str(driver.base_morale), "6.62", driver.base_morale)
        ]
    else:
        lines = checks.morale_lines(unit)
    if helper:
        leader = position.units[helper]
        rule = "6.53" if unit.leader else "6.52"
        lines.append(Line("factor", leader.name, f"{checks.bonus(leader):+}", rule, checks.bonus(leader)))
    if sheltered(position, unit):
        shelter = position.charts.figure("recovery in town or entrenchment")
        lines.append(Line("factor", "town or entrenchment", f"{shelter:+}", "14.45", shelter))
    needed, failure = sum(line.amount for line in lines), failing(position, unit, driver is not None)
    outcomes = tuple(_outcome(unit, driver is not None, total, needed, failure) for total in range(2, 13))
    rule = "6.63" if driver is not None else "14.41"
    return Calculation(Text("Recovery of {}", (unit.name,)), rule, tuple(lines), 2, 6, outcomes, f"{needed}")


def sheltered(position: Position, unit: Unit) -> bool:
    """In a town or entrenchment hex recovery is easier [14.45]; some units have no use of an entrenchment [16.41]."""
    assert unit.hex is not None
    return fieldworks.in_entrenchment(position, unit) or "town" in terrain_of(position, unit.hex)


def failing(position: Position, unit: Unit, driven: bool) -> str:
    """The result of a failed attempt: only the demoralized flee, and only from danger [14.3.a, 6.63]."""
    if not unit.demoralized:
        return "no change"
    if driven:
        return "loses a step"
    return "flees" if flight.must_flee(position, unit) else "no change"


def _outcome(unit: Unit, driven: bool, total: int, needed: int, failure: str) -> str:
    if unit.demoralized and total == 2:
        return "good order"  # 14.43
    if unit.demoralized and unit.leader and total == 12:
        return "deserts"  # 14.44
    if total < needed:
        return "disrupted" if unit.demoralized and not driven else "good order"
    return failure


def recover(game: Game[Position], unit_id: UnitId, helper: UnitId) -> None:
    """Roll; the attempt is all that unit and helper do this turn [14.4, 6.53.b]. Failure may mean flight [14.3.a]."""
    position = game.state
    unit = position.units[unit_id]
    driver = kommissars.driver(position, unit)
    calculation = recovery_of(flight.known_to(game, unit.side), unit, helper)
    checks.show(game, position.units[helper] if helper else driver, unit)
    rolled = game.roll(2, 6)
    result = calculation.result(rolled)
    facts = (unit.name, unit.hex, result)
    where = (str(unit.hex),)
    words = "{} in {} tries to recover: {}"
    only = fieldworks.told_to(unit)
    game.tell(Event("morale", words, facts, calculation.rule, (unit_id,), where, rolled, calculation, only=only))
    position.finish(unit_id)
    if driver is not None:
        kommissars.summon(position, driver)
        note_help(position, driver.id)
    if helper:
        note_help(position, helper)
    if unit.leader and unit.demoralized:
        note_rally(position, unit_id)
    match result:
        case "good order" | "disrupted":
            state: State = "good order" if result == "good order" else "disrupted"
            position.change(unit_id, state=state)
        case "deserts":
            harm.fall(game, unit_id, "14.44")
        case "loses a step":
            harm.lose_step(game, unit_id)
            flight.flee(game, unit_id, (driver.id,) if driver is not None else ())
        case "flees":
            flight.flee(game, unit_id)


def note_help(position: Position, helper: UnitId) -> None:
    """A leader who helps has done his part [6.53.b], but a disrupted one may still try to recover himself [6.52.A1]."""
    activation = position.activation
    assert activation is not None
    if position.units[helper].state == "disrupted" and activation.ready(helper, "recover", "move"):
        only_recovers(position, helper)
    else:
        position.finish(helper)


def note_rally(position: Position, unit_id: UnitId) -> None:
    """A leader who was demoralized cannot help in the activation in which he tries to recover [6.52.A1]."""
    assert position.activation is not None
    only_recovers(position, unit_id)
    position.acting(aided=position.activation.aided | {unit_id})


def only_recovers(position: Position, unit_id: UnitId) -> None:
    """Leave a unit no action except recovery, whatever it was designated for [14.4]."""
    assert position.activation is not None
    position.acting(roles=position.activation.roles | {unit_id: "recover"})


FRAMES: tuple[type[Frame], ...] = flight.FRAMES
