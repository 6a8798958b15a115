"""Infantry close support artillery [10.8]: aimed fire at single stands in the artillery phase, without markers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.kit.calibres import calibre_of
from opfire.rulesets.micro_armour.artillery import effects
from opfire.rulesets.micro_armour.artillery.batteries import reloaded, reloading
from opfire.rulesets.micro_armour.artillery.rolls import through_smoke, to_fire
from opfire.rulesets.micro_armour.charts import CALIBRES, LEAST
from opfire.rulesets.micro_armour.cohesion import SUCCESS, cohesion_roll, level, modifier, states, tested
from opfire.rulesets.micro_armour.fire.attacks import FIRE_AND_MOVE, hot_shot, runs_low
from opfire.rulesets.micro_armour.fire.standard import cannot_attack, cannot_fire, engagement
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId
from opfire.rulesets.micro_armour.results import IN_WORDS, apply_result
from opfire.rulesets.micro_armour.riders import targets
from opfire.rulesets.micro_armour.works import demolition
from opfire.rulesets.micro_armour.works.demolition import Demolish
from opfire.rulesets.micro_armour.works.ruins import Shell, on_position


class CloseSupport(Action, frozen=True):
    """Fire a close support gun at a stand [10.8]."""

    says = "{unit} fires at {target}"
    kind = "fire"
    final = True
    unit: UnitId
    target: UnitId


class Rolls(NamedTuple):
    """The two rolls of a shot: to fire, and against the target."""

    fire: Calculation
    combat: Calculation


def cannot_support(side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand that is no close support artillery of the side on the table [10.8]."""
    if unit.side != side or not unit.kind.has("close_support") or unit.at is None or unit.carrier is not None:
        return Refusal("{} is no close support artillery of yours", "10.8", (unit.name,))
    return None


def cannot_aim(position: Position, side: Side, unit: Stand, target: Stand) -> Refusal | None:
    """Reject a target of a close support gun, also one below the last column [10.8, 10.8.2], while it loads [WD.SR]."""
    if refusal := cannot_support(side, unit) or cannot_fire(position, side, unit) or reloading(unit, position.turn):
        return refusal
    return cannot_attack(position, unit, target, "main") or _too_strong(position, unit, target)


def _too_strong(position: Position, unit: Stand, target: Stand) -> Refusal | None:
    """Reject a target against which the differential is below the last column [10.8.2]."""
    power, *_ = effects.power(unit.kind, target)
    *_, defence = effects.defence(position, target, "7.4.4-armour")
    if power.amount - defence.amount >= LEAST:
        return None
    return Refusal("{} is too strong for {}: the differential is below {}", "10.8.2", (target.name, unit.name, LEAST))


def shots(position: Position, side: Side, unit: Stand) -> Iterator[CloseSupport]:
    """The targets of a close support gun, riders of tanks too [12.5]."""
    if cannot_support(side, unit) is None and cannot_fire(position, side, unit) is None:
        for target in targets(position, side):
            if cannot_aim(position, side, unit, target) is None:
                yield CloseSupport(unit.id, target.id)


def bridges(position: Position, side: Side, unit: Stand) -> Iterator[Demolish]:
    """The engineers' bridges at which a close support gun can fire [10.8, 11.5.8]."""
    offers = demolition.offers(position, unit) if unit.kind.has("close_support") and unit.at is not None else ()
    return (offer for offer in offers if cannot_demolish(position, side, offer) is None)


def cannot_demolish(position: Position, side: Side, action: Demolish) -> Refusal | None:
    """Reject fire at a bridge by anything but a close support gun that may fire now [10.8, 11.5.8]."""
    unit = position.units[action.unit]
    refusal = cannot_support(side, unit) or cannot_fire(position, side, unit) or reloading(unit, position.turn)
    return refusal or engagement(position, unit) or demolition.refusal(position, action)


def rolls(position: Position, unit: Stand, target: Stand, natural: int = 0) -> Rolls:
    """The rolls of a shot: states and posture alone count for the first, terrain for the second [10.8, 10.8.3].

    `natural` is the number of the first roll: a 1 may be a hot shot [12.2.1].
    """
    moving = [modifier("fire/move posture", FIRE_AND_MOVE, "10.8.4")] if unit.posture == "fire/move" else []
    smoke = through_smoke(position, unit, (target,))
    fire = cohesion_roll("to fire", "10.8", level(position, unit), [*states(unit), *moving, *smoke])
    shifts = [*hot_shot(position, natural)]
    combat = effects.attack(position, unit.kind, target, barrage=False, shifts=shifts, firer=unit)
    return Rolls(fire if moving else to_fire(position, unit, (target,)), combat)


def fire(game: Game[Position], unit_id: UnitId, target_id: UnitId) -> None:
    """Fire a close support gun: no marker is laid [10.8.1], but the position of the target suffers [11.4.1, 11.4.2].

    A natural 20 leaves it nearly out of ammunition [12.2.2].
    """
    position = game.state
    unit, target = position.units[unit_id], position.units[target_id]
    assert target.at is not None
    facts, calibre = (unit.name, target.name), calibre_of(CALIBRES, [unit.kind.id])
    game.tell(Event("fired", "{} fires at {}", facts, "10.8", (unit_id, target_id), (target.at,), calibre=calibre))
    made = rolls(position, unit, target)
    number = tested(game, unit, made.fire)
    low = runs_low(position, unit, number)
    position.change(unit_id, fired=True, shots=(*unit.shots, target_id), low=low)
    if made.fire.result([number]) == SUCCESS:
        position.change(unit_id, reloaded=reloaded(unit, position.turn))
        made = rolls(position, unit, target, number)
        dice = game.roll(2, 6)
        found = made.combat.result(dice)
        words = "{} at {}: {}"
        game.tell(
            Event("result", words, (*facts, IN_WORDS[found]), "10.8", (target_id,), (target.at,), dice, made.combat)
        )
        apply_result(game, target_id, found)  # type: ignore[arg-type]
        on_position(game, Shell(target.at, unit.kind.he or 0, struck=target, dice=dice), target)
