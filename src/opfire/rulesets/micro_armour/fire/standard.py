"""The standard fire phase [4.0-4, 7.1]: sides attack one stand after the other until both have passed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH
from opfire.core.texts import say
from opfire.rulesets.micro_armour.alternation import Begin, Pass, after_pass, next_turn
from opfire.rulesets.micro_armour.artillery.batteries import holds_fire
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, carry_out
from opfire.rulesets.micro_armour.fire.guns import (
    Manner,
    fires_standard,
    gun,
    manners,
    out_of_field,
    out_of_range,
    wrong_use,
)
from opfire.rulesets.micro_armour.fire.towing import towed
from opfire.rulesets.micro_armour.formations import is_broken, only_in_defence, out_of_reach
from opfire.rulesets.micro_armour.pieces import (
    Position,
    Side,
    Stand,
    UnitId,
    adjacent,
    carried,
    not_yours,
    off_the_table,
)
from opfire.rulesets.micro_armour.retreats import FlameRetreats
from opfire.rulesets.micro_armour.riders import is_rider, targets
from opfire.rulesets.micro_armour.sighting.sight import cannot_see
from opfire.rulesets.micro_armour.terrain import terrain_of
from opfire.rulesets.micro_armour.works import demolition
from opfire.rulesets.micro_armour.works.demolition import Demolish
from opfire.space.measure import square
from opfire.space.squares import contact

ENGAGED = Fraction(1, 2) - Fraction(2, 1000)
"""The share of a side in contact with an enemy that engages a stand [7.3.4]: half, but corners are rounded."""


class Engage(Action, frozen=True):
    """Begin an attack on a stand with its first firer [7.1.2]."""

    says = "{unit} fires at {target} ({manner})"
    kind = "fire"
    unit: UnitId
    target: UnitId
    manner: Manner = "main"


class AddFirer(Action, frozen=True):
    """Add a firer to the attack [7.1.2]."""

    says = "{unit} joins in ({manner})"
    kind = "fire"
    unit: UnitId
    manner: Manner = "main"


class Fire(Action, frozen=True):
    """Roll for every firer of the attack [7.1.6-roll]."""

    says = "Fire"
    kind = "confirm"
    final = True


# --- checks ---------------------------------------------------------------------------------------------------


def cannot_fire(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand that fires at nothing now."""
    return cannot_fire_back(position, side, unit) or under_fire(position, unit)


def cannot_fire_back(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand that does not even fire at a vehicle that drives through it, under shells or not [8.7.6-fire]."""
    return (
        not_yours(side, unit)
        or off_the_table(unit)
        or carried(unit)
        or unarmed(unit)
        or holds_fire(position, side)
        or (only_in_defence(position, unit) if is_broken(position, unit) else is_moving(unit))
        or has_fired(unit)
        or on_horseback(unit)
    )


def unarmed(unit: Stand) -> Refusal | None:
    """Reject a stand without firepower [7.1.7]."""
    return None if unit.kind.armed else Refusal("{} is unarmed", "7.1.7", (unit.name,))


def is_moving(unit: Stand) -> Refusal | None:
    """Reject a stand in the movement posture [8.1.2]."""
    if unit.posture == "movement":
        return Refusal("{} is in the movement posture and does not fire", "8.1.2", (unit.name,))
    return None


def has_fired(unit: Stand) -> Refusal | None:
    """Reject a stand that has fired in this turn [7.1.4], unless it may fire a second time [12.8]."""
    if unit.fired and not unit.again:
        return Refusal("{} has fired in this turn", "7.1.4", (unit.name,))
    return None


def on_horseback(unit: Stand) -> Refusal | None:
    """Reject mounted cavalry, which fires in close assaults only [10.10.7]."""
    if unit.kind.has("cavalry"):
        return Refusal("{} is on horseback and fires in close assaults only", "10.10.7", (unit.name,))
    return None


def under_fire(position: Position, unit: Stand) -> Refusal | None:
    """Reject fire out of an impact zone [7.4.5.2-out]."""
    if unit.at is not None and "impact" in terrain_of(position, unit):
        return Refusal("{} is in an impact zone and cannot fire", "7.4.5.2-out", (unit.name,))
    return None


def attacked_before(target: Stand) -> Refusal | None:
    """Reject a stand that has been attacked in this phase [7.1.2]."""
    return Refusal("{} has been attacked in this phase", "7.1.2", (target.name,)) if target.attacked else None


def cannot_attack(position: Position, unit: Stand, target: Stand, manner: Manner) -> Refusal | None:
    """Reject a target that a stand cannot fire at in this manner, whatever the phase [7.1.3, 6.1-need].

    A transport may also be fired at where the weapon is that it tows [8.4.5-range], and so may that weapon [12.5].
    """
    refusal = cannot_aim(position, unit, target, manner)
    hauled = bool(target.cargo) or target.carrier is not None
    if refusal is None or not hauled or target.side == unit.side:
        return refusal
    behind = (cannot_aim(position, unit, place, manner) for place in towed(position, target))
    return None if None in behind else refusal


def cannot_aim(position: Position, unit: Stand, target: Stand, manner: Manner) -> Refusal | None:
    """Reject a target that a stand cannot fire at in the place where it is [7.1.3, 6.1-need]."""
    return (
        not_an_enemy(position, unit, target)
        or out_of_reach(position, unit, target)
        or wrong_use(position, unit, target, manner)
        or is_depleted(position, unit, target, manner)
        or out_of_range(unit, target, gun(position, unit, manner, target))
        or out_of_field(position, unit, target, manner)
        or is_engaged(position, unit, target)
        or only_back(position, unit, target)
        or cannot_see(position, unit, target)
    )


def not_an_enemy(position: Position, unit: Stand, target: Stand) -> Refusal | None:
    """Reject a friend, and a stand that is not on the table or is cargo; riders of tanks can be attacked [12.5]."""
    if target.side == unit.side:
        return Refusal("{} is on the same side", PROCEDURE, (target.name,))
    return off_the_table(target) or (None if is_rider(position, target) else carried(target))


def is_depleted(position: Position, unit: Stand, target: Stand, manner: Manner) -> Refusal | None:
    """Reject armour piercing fire by a stand that has spent it [10.14]."""
    if unit.depleted and manner != "side arms" and gun(position, unit, manner, target).armour_piercing:
        return Refusal("{} has spent its anti-tank weapons", "10.14", (unit.name,))
    return None


def is_engaged(position: Position, unit: Stand, target: Stand) -> Refusal | None:
    """Reject fire of an engaged stand at any stand that is not adjacent to it [7.3.4]."""
    return None if adjacent(unit, target) else engagement(position, unit)


def engagement(position: Position, unit: Stand) -> Refusal | None:
    """Reject fire of an engaged stand at anything but adjacent stands, bridges too [7.3.4]."""
    assert unit.at is not None
    for enemy in position.enemies(unit.side):
        near = enemy.at is not None and square(unit.at, enemy.at) <= (2 * INCH) ** 2
        if near and adjacent(unit, enemy) and engaged(unit, enemy):
            return Refusal("{} is engaged by {}: it fires at adjacent stands only", "7.3.4", (unit.name, enemy.name))
    return None


def engaged(unit: Stand, enemy: Stand) -> bool:
    """Return whether two stands are in contact along half of a side of either, or more [7.3.4]: RULINGS.md R15."""
    return max(contact(unit.ring, enemy.ring), contact(enemy.ring, unit.ring)) >= ENGAGED


def only_back(position: Position, unit: Stand, target: Stand) -> Refusal | None:
    """Reject fire of a stand nearly out of ammunition at a stand that has not fired at it [12.2.2]."""
    return None if unit.id in target.shots else saves_ammunition(unit)


def saves_ammunition(unit: Stand) -> Refusal | None:
    """Reject fire of a stand nearly out of ammunition, but for that at stands that have fired at it [12.2.2]."""
    if not unit.low:
        return None
    return Refusal("{} saves its ammunition for stands that fire at it", "12.2.2", (unit.name,))


def not_again(unit: Stand, target: Stand) -> Refusal | None:
    """Reject a second attack by a shaken stand, on its first target, or on anything but a vehicle [12.8]."""
    if not unit.again:
        return None
    if unit.shaken or target.id in unit.shots or not target.vehicle:
        return Refusal("{} fires a second time at another vehicle only, and unshaken", "12.8", (unit.name,))
    return None


def cannot_engage(position: Position, side: Side, unit: Stand, target: Stand, manner: Manner) -> Refusal | None:
    """Reject an attack that may not be begun, or a firer that may not take part in it [7.1.2]."""
    return cannot_fire(position, side, unit) or cannot_hit(position, unit, target, manner)


def cannot_hit(position: Position, unit: Stand, target: Stand, manner: Manner) -> Refusal | None:
    """Reject a target in the standard fire phase for a stand that may fire."""
    special = manner in ("heat", "big game", "side arms")
    return (
        attacked_before(target)
        or (None if special else fires_standard(position, unit, manner))
        or not_again(unit, target)
        or cannot_attack(position, unit, target, manner)
    )


def shots_at(position: Position, unit: Stand, target: Stand) -> Iterator[Manner]:
    """The manners in which a stand that may fire can fire at a target now."""
    return (manner for manner in manners(position, unit) if cannot_hit(position, unit, target, manner) is None)


# --- frames ---------------------------------------------------------------------------------------------------


class StandardFirePhase(Frame, frozen=True):
    """Sides carry out attacks in turn until both have passed [4.0-4, 7.1.1-alternate].

    `begun` says that the side with the initiative has named the first attacker.
    """

    step = "fire"
    takes = (Begin, Engage, Demolish, Pass)
    rule = "4.0-4"
    begun: bool = False
    passed: tuple[Side, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """The side with the initiative decides who attacks first [4.0-4, 7.1.1-alternate]."""
        position = game.state
        game.tell(Event("step", "Standard fire", (), "4.0-4"))
        for name in position.units:
            position.change(name, attacked=False)
        game.swap(replace(self, side=position.initiative))

    def alternation(self) -> tuple[Side, ...]:
        return self.passed

    def prompt(self, sight: Position, side: str) -> str:
        return say(
            "Choose a firer and its target, or pass"
            if self.begun
            else "You have the initiative: which side attacks first?"
        )

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        if self.begun:
            yield from (unit.id for unit in sight.of(side) if cannot_fire(sight, side, unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if not self.begun:
            yield from (Begin(name) for name in sight.setting.sides)
        elif actor == NOBODY:
            yield Pass()
        elif cannot_fire(sight, side, unit := sight.units[actor]) is None:
            for target in targets(sight, side):
                yield from (Engage(actor, target.id, manner) for manner in shots_at(sight, unit, target))
            if sight.works and (fires_standard(sight, unit, "main") or engagement(sight, unit)) is None:
                yield from demolition.offers(sight, unit)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Begin():
                return Refusal("The phase has begun", PROCEDURE) if self.begun else None
            case _ if not self.begun:
                return Refusal("Choose first which side attacks first", "7.1.1-alternate")
            case Engage(unit, target, manner):
                return cannot_engage(sight, side, sight.units[unit], sight.units[target], manner)
            case Demolish(unit):
                firer = sight.units[unit]
                refusal = cannot_fire(sight, side, firer) or fires_standard(sight, firer, "main")
                return refusal or engagement(sight, firer) or demolition.refusal(sight, action)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Begin(first):
                game.swap(replace(self, side=first, begun=True))
            case Engage(unit, target, manner):
                game.push(Attacking(self.side, target, (Shot(unit, manner),)))
            case Demolish():
                demolition.demolish(game, action)
                game.swap(next_turn(self, game.state.setting.other))
            case Pass():
                self._pass(game)

    def _pass(self, game: Game[Position]) -> None:
        """A side that passes attacks no more in this phase [7.1.1-pass]; after both, stands retreat from flames."""
        after = after_pass(self, game.state.setting.other)
        if after is not None:
            return game.swap(after)
        game.swap(replace(self, passed=game.state.setting.sides))
        game.push(FlameRetreats(game.state.initiative))

    def resume(self, game: Game[Position], result: object) -> None:
        """The other side attacks next [7.1.10-next]; after the retreats the phase is over."""
        if len(self.passed) == 2:
            return game.pop()
        game.swap(next_turn(self, game.state.setting.other))


class Attacking(Frame, frozen=True):
    """An attack to which firers are being added [7.1.2]."""

    takes = (AddFirer, Fire)
    step = "fire"
    rule = "7.1.2"
    question = "Add a firer, or fire"
    target: UnitId
    shots: tuple[Shot, ...]

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        firing = {shot.unit for shot in self.shots}
        for unit in sight.of(side):
            if unit.id not in firing and cannot_fire(sight, side, unit) is None:
                yield unit.id

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield Fire()
            return
        target, unit = sight.units[self.target], sight.units[actor]
        yield from (AddFirer(actor, manner) for manner in shots_at(sight, unit, target))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if not isinstance(action, AddFirer):
            return None
        unit = sight.units[action.unit]
        if any(shot.unit == unit.id for shot in self.shots):
            return Refusal("{} is firing already", PROCEDURE, (unit.name,))
        return cannot_engage(sight, side, unit, sight.units[self.target], action.manner)

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case AddFirer(unit, manner):
                game.swap(replace(self, shots=(*self.shots, Shot(unit, manner))))
            case Fire():
                game.state.change(self.target, attacked=True)
                carry_out(game, Attack(self.target, self.shots))
                game.pop()
