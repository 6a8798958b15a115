"""Overrun combat [6.6.10]: a vehicle drives into the hex of a leg or towed unit."""

from __future__ import annotations

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.rulesets.panzer.charts import GpResult, Vehicle, Weapon
from opfire.rulesets.panzer.fire import gp_fire, limits
from opfire.rulesets.panzer.fire.arms import LEAST_RANGE, arms_of
from opfire.rulesets.panzer.fire.gp_fire import HIGHEST_FACTOR, Outcome
from opfire.rulesets.panzer.fire.resolving import apply
from opfire.rulesets.panzer.fire.shots import Fire, gp_defense, gp_modifiers
from opfire.rulesets.panzer.ground import BUILDINGS
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, off_the_map
from opfire.rulesets.panzer.sighting.spots import cannot_spot
from opfire.rulesets.panzer.suppression import suppress


class Overrun(Action, frozen=True):
    """Drive into the hex of a leg or towed unit, and fight it there."""

    says = "{unit} overruns {target}"
    kind = "assault"
    unit: UnitId
    target: UnitId


def cannot_overrun(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """Reject an Overrun, whatever the step into the hex costs [6.6.10-who, 6.6.10-target, 6.6.2-or]."""
    if not position.setting.advanced or not unit.is_vehicle or not unit.kind.armed or unit.morale:
        return Refusal("{} is no armed vehicle in good order", "6.6.10-who", (unit.name,))
    if unit.command != "move":
        return Refusal("{} has no Move command", "6.6.10-who", (unit.name,))
    if unit.aimed:
        return Refusal("{} has overrun a unit", "6.6.10-target", (unit.name,))
    return _no_target(position, unit, target)


def _no_target(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    if target.side == unit.side:
        return Refusal("{} is on your side", PROCEDURE, (target.name,))
    if target.is_vehicle:
        return Refusal("{} is a vehicle", "6.6.10-target", (target.name,))
    if refusal := off_the_map(target):
        return refusal
    hex = str(target.hex)
    if any(work.kind == "improved position" and work.holder == target.id for work in position.works.get(hex, ())):
        return Refusal("{} holds an Improved Position", "6.6.10-target", (target.name,))
    if not BUILDINGS.isdisjoint(position.map.cells[hex].terrain):
        return Refusal("{} is among buildings: go inside them first", "6.6.10-bldg", (target.name,))
    if any(spotter in position.setting.ids[unit.side] for spotter in position.spots.get(target.id, ())):
        return None
    return cannot_spot(position, unit, target, target.seen_as)


def factor(position: Position, unit: Unit) -> int:
    """The GP Factors at one hex of all weapons, and of the riders' own, 15 at most [6.6.10.1-factor]."""
    rows = [arm.row for arm in arms_of(position, unit) if not arm.is_ap]
    for rider in position.aboard(unit.id):
        rows += [arm.row for arm in arms_of(position, rider) if not arm.is_ap and not arm.extra and rider.is_leg]
    return min(HIGHEST_FACTOR, sum(map(_at_one_hex, rows)))


def _at_one_hex(row: Weapon) -> int:
    """The GP Factor of a weapon at one hex; 0 within its minimum range [6.6.10.1-factor]."""
    if (row.min_range or LEAST_RANGE) > 1:
        return 0
    return next((row.value(band) for band in ("P", "S", "M", "L", "E") if row.reach(band) >= 1), 0)


def reckoned(position: Position, unit: Unit, target: Unit, *, short: bool = False) -> Calculation:
    """The roll of an Overrun: GP fire in the target's hex, with 20 on top [6.6.10.1-res]."""
    total = factor(position, unit)
    attack = Line("attack", "GP Factors at one hex", str(total), "6.6.10.1-factor", total)
    there = Fire(replace(unit, hex=target.hex, arms=()), target, arms_of(position, unit)[0])
    lines = [gp_fire.modifier(position.charts, "overrun"), *gp_modifiers(position, there, "P")]
    if short:
        lines.append(gp_fire.modifier(position.charts, "ammo limit"))
    card = target.ground
    assert not isinstance(card, Vehicle)
    soft = card

    def settle(found: GpResult, _: int) -> Outcome:
        return gp_fire.against_soft(soft, found)

    title = f"{unit.name} overruns {target.name}"
    return gp_fire.determination(position.charts, title, attack, gp_defense(position, target), lines, settle)


def overrun(game: Game[Position], unit_id: UnitId, target_id: UnitId) -> None:
    """Fight the Overrun in the target's hex, after the rolls for ammo limits [6.6.10.1-res, 6.6.10.2-res].

    A SUPPRESSION/OFF counter is turned to ON whatever the outcome; the target keeps its command [6.6.10.2-turn].
    """
    position = game.state
    unit, target = position.change(unit_id, aimed=target_id), position.units[target_id]
    short = [limits.loaded(game, unit, arm)[1] for arm in arms_of(position, unit) if not arm.is_ap]
    made = reckoned(position, unit, target, short=any(short))
    rolled = game.roll(1, gp_fire.DIE)
    outcome = made.result(rolled)
    facts, places = (unit.name, target.name, outcome), (str(target.hex),)
    units, text = (unit_id, target_id), "{} overruns {}: {}"
    game.tell(Event("overrun", text, facts, "6.6.10.1-res", units, places, rolled, made))
    position.change(target_id, under_fire=True)
    apply(game, target_id, outcome, 0)
    left = position.units[target_id]
    if left.hex is not None and left.suppression == "off":
        suppress(game, target_id)
