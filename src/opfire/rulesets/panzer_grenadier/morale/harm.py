"""Harm: failed morale checks [14.1], lost steps [7.6] and fallen leaders [6.7], each of which can cause the others.

A unit that fails a check may lose a step or its leader; with a step its passengers may go, leaders among them; for a
senior leader those around him check morale. All of it happens at once, so it stands in one module.
"""

from __future__ import annotations

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.command import decapitation, formations
from opfire.rulesets.panzer_grenadier.morale import checks
from opfire.rulesets.panzer_grenadier.movement import rivers, transport
from opfire.rulesets.panzer_grenadier.pieces import Position, Side, State, Unit, UnitId
from opfire.rulesets.panzer_grenadier.works import fieldworks

# --- morale checks ---------------------------------------------------------------------------------------------


def roll(game: Game[Position], test: checks.Test) -> None:
    """Roll a morale check; failure counts at once [14.14]. Units off the map or aboard a carrier make none [5.65]."""
    position = game.state
    unit = position.units[test.unit]
    if unit.hex is None or unit.carrier is not None:
        return
    calculation = checks.calculation_of(position, test)
    checks.show(game, checks.helper(position, unit, test.moving), unit)
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


def disrupt(game: Game[Position], unit_id: UnitId) -> None:
    """Disrupt a unit in good order, with all it carries [14.2, 5.66, G.disrupted]."""
    if game.state.units[unit_id].good_order:
        _worsen(game, unit_id, "disrupted", "14.2")


def demoralize(game: Game[Position], unit_id: UnitId) -> None:
    """Demoralize a unit [14.3]; once more, a unit loses a step [14.12] and a leader is gone [14.11]."""
    unit = game.state.units[unit_id]
    if not unit.demoralized:
        _worsen(game, unit_id, "demoralized", "14.3")
    elif unit.leader:
        fall(game, unit_id, "14.11")
    else:
        lose_step(game, unit_id)


def _worsen(game: Game[Position], unit_id: UnitId, state: State, rule: str) -> None:
    """The unit and its cargo are in this state, or in a worse one; the cargo is unloaded at once [5.65, 5.66]."""
    position = game.state
    unit = position.units[unit_id]
    for one in (unit, *position.pick(unit.cargo)):
        if not one.demoralized:
            position.change(one.id, state=state)
            facts, only = (one.name, one.hex, state), fieldworks.told_to(one)
            game.tell(Event("morale", "{} in {} is {}", facts, rule, (one.id,), (str(one.hex),), only=only))
        fieldworks.interrupted(game, one.id)
    if unit.cargo:
        transport.forced_unloading(game, unit_id)
    if rivers.assisting(position, unit, str(unit.hex)):
        _drag_along(game, unit, state)


def _drag_along(game: Game[Position], engineer: Unit, state: State) -> None:
    """An engineer who helps others across a river breaks, and all friends in the hex with him [5.73.f]."""
    position = game.state
    for other in position.at(str(engineer.hex), engineer.side):
        if other.good_order or (state == "demoralized" and not other.demoralized):
            _worsen(game, other.id, state, "5.73.f")


# --- steps ---------------------------------------------------------------------------------------------------


def lose_step(game: Game[Position], unit_id: UnitId) -> None:
    """A full unit flips, a reduced one or one without a reverse is eliminated [7.6, G.steps]."""
    position = game.state
    unit = position.units[unit_id]
    if unit.steps == 1:
        return eliminate(game, unit_id)
    hex = str(unit.hex)
    position.change(unit_id, reduced=True)
    game.tell(Event("result", "{} in {} loses a step", (unit.name, hex), "7.6", (unit_id,), (hex,)))
    _count(game, unit, 1)


def eliminate(game: Game[Position], unit_id: UnitId) -> None:
    """A unit is eliminated, with all it carries [7.6, 5.65, 5.65.a]; a leader too, and what follows from that."""
    position = game.state
    unit = position.units[unit_id]
    hex, lost = str(unit.hex), [unit, *position.pick(unit.cargo)]
    fieldworks.keep_hole(game, unit_id)
    position.lift(unit_id, "eliminated")
    for one in lost:
        if not one.leader:
            rule = "7.6" if one is unit else "5.65"
            game.tell(Event("eliminated", "{} in {} is eliminated", (one.name, hex), rule, (one.id,), (hex,)))
            _count(game, one, one.steps)
    for one in lost:
        if one.leader:
            fallen(game, one, "5.65")


def _count(game: Game[Position], unit: Unit, steps: int) -> None:
    """Note lost steps: a wreck for each of an AFV's [16.3]; initiative falls at the scenario's thresholds [3.0.D]."""
    position = game.state
    if unit.afv:
        for _ in range(steps):
            fieldworks.place_wreck(game, str(unit.hex))
    army = position.armies[unit.side]
    position.change_army(unit.side, losses=army.losses + steps, initiative=initiative(position, unit.side, steps))
    now = position.armies[unit.side].initiative
    if now < army.initiative:
        words = "{} has lost {} steps: its initiative falls to {}"
        game.tell(Event("initiative", words, (unit.side.capitalize(), army.losses + steps, now), "3.0.D"))


def initiative(position: Position, side: Side, steps: int) -> int:
    """Initiative [G.initiative] after more steps are lost: one less at each threshold, never negative [3.0.D]."""
    army = position.armies[side]
    thresholds = position.setting.instructions.sides[side].losses
    return max(0, army.initiative - sum(army.losses < at <= army.losses + steps for at in thresholds))


# --- leaders -------------------------------------------------------------------------------------------------


def fall(game: Game[Position], unit_id: UnitId, rule: str) -> None:
    """A leader is eliminated, by this rule [6.7]."""
    leader = game.state.units[unit_id]
    game.state.lift(unit_id, "eliminated")
    fallen(game, leader, rule)


def fallen(game: Game[Position], leader: Unit, rule: str) -> None:
    """Carry out the consequences of the loss of a leader, given as he was before [6.72, 6.73, 18.33]."""
    hex = str(leader.hex)
    game.tell(Event("eliminated", "{} in {} falls", (leader.name, hex), rule, (leader.id,), (hex,)))
    decapitation.decapitate(game, leader)
    formations.succeed(game, leader)
    if leader.officer is not None and leader.officer.rank >= game.state.charts.ranks["MAJ"].order:
        mourn(game, leader)


def mourn(game: Game[Position], leader: Unit) -> None:
    """All units in the hex of a fallen MAJ or higher check morale at once, his bonus subtracted [6.73]."""
    assert leader.hex is not None
    for unit in game.state.at(leader.hex, leader.side):
        if not unit.leader:
            roll(game, checks.Test(unit.id, "M", checks.bonus(leader)))
