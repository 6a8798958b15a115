"""Assault [12.0]: moving in [12.1], the fight in a hex [12.2-12.43].

The rolls are in `combat`, retreats with the free shots at them [12.12] in `leaving`, cavalry charges in `charge`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.kit import attacks
from opfire.rulesets.panzer_grenadier.assault import combat
from opfire.rulesets.panzer_grenadier.command import decapitation, formations, leaders, sectors
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.fire.strengths import Column, fired_in_part
from opfire.rulesets.panzer_grenadier.movement import costs, going, rivers, stepping
from opfire.rulesets.panzer_grenadier.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    called_elsewhere,
    not_ready,
    not_yours,
    off_the_map,
    overstacked,
    role_words,
)
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.works import fieldworks, minefields


class EnterAssault(Action, frozen=True):
    """Move into an adjacent hex that the enemy holds, to assault [12.1]."""

    says = "{unit} moves in to assault {to}"
    kind = "assault"
    unit: UnitId
    to: Hex


class DeclareAssault(Action, frozen=True):
    """All units have moved in: fight, or first choose the attackers [12.2, 12.3]."""

    says = "Assault in {hex}"
    kind = "assault"
    hex: Hex


class JoinAssault(Action, frozen=True):
    """Let another unit of the hex attack [12.3.a]."""

    says = "{unit} joins the assault"
    kind = "assault"
    unit: UnitId


class RollAssault(Action, frozen=True):
    """Fight with the units that have joined."""

    says = "Assault"
    kind = "confirm"
    final = True


class TakeFirstFire(Action, frozen=True):
    """The dug-in and entrenched fire first, the others not at all [12.43.a]."""

    says = "First fire by the dug-in alone"
    kind = "react"
    final = True


class FireTogether(Action, frozen=True):
    """All defenders fire, at the same time as the attackers [12.43.a]."""

    says = "All defenders fire together"
    kind = "react"
    final = True


ACTS: tuple[type[Action], ...] = (EnterAssault, DeclareAssault)


# --- who may move in --------------------------------------------------------------------------------------------


def cannot_enter(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """Reject a unit that may not move into that hex to assault it [12.1]."""
    return (
        cannot_take_part(position, unit)
        or not_adjacent(position, unit, to)
        or cannot_join_there(position, unit, to)
        or closed(position, unit, str(unit.hex), to)
    )


def cannot_take_part(position: Position, unit: Unit) -> Refusal | None:
    """Reject a unit that may not move into any hex to assault it.

    It begins where it is, not among enemies, and has not begun to fire otherwise [7.1].
    """
    if refusal := off_the_map(unit) or not_ready(position, unit, "fire") or not_fit(position, unit):
        return refusal
    assert position.activation is not None
    if position.activation.start(unit.id) != unit.hex:
        return Refusal("{} has moved in this segment", "12.1", (unit.name,))  # a train or vessel [15.21]
    if position.assault_hex(str(unit.hex)):
        return Refusal("{} is in an assault hex and cannot enter another", "5.32", (unit.name,))
    return fired_in_part(position, unit) or decapitation.decapitated(position, unit)


def not_fit(position: Position, unit: Unit) -> Refusal | None:
    """Only good-order units that a leader of their kind directs move in [12.1, 12.13, 12.3.c]."""
    assert position.activation is not None
    if not unit.good_order:
        return Refusal("{} is {} and cannot enter an enemy hex", "12.13", (unit.name, unit.state))
    if unit.id not in position.activation.led:
        return Refusal("{} is not directed by a leader of its kind", "12.1", (unit.name,))
    return stepping.immobile(position, unit) or stepping.rider_stays(position, unit)


def not_adjacent(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """A unit begins next to the hex [12.1]."""
    if to not in position.map.neighbours[str(unit.hex)]:
        return Refusal("{} is not adjacent to {}", "12.1", (unit.name, to))
    return None


def cannot_join_there(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """Reject a hex that the unit may not assault: enemies [12.1], vessels [15.2], room [12.11.c], once [12.2]."""
    assert position.activation is not None
    foes = position.enemies(unit.side, to)
    if not foes:
        return Refusal("No enemy unit holds {}", "12.1", (to,))
    if any(foe.type_in("vessel") for foe in foes) and not unit.type_in("vessel"):
        return Refusal("Only vessels assault the vessel in {}", "15.2", (to,))
    if refusal := called_elsewhere(position, unit, to):
        return refusal
    if to in position.activation.fought:
        return Refusal("The assault in {} has been fought", "12.2", (to,))
    if unit.leader and not position.combat_units(to, unit.side):
        return Refusal("{} enters with units, not before them", "12.1", (unit.name,))
    if refusal := overstacked(position, unit, to):
        return Refusal(refusal.text, "12.11.c", refusal.facts)
    return None


def closed(position: Position, unit: Unit, a: Hex, b: Hex) -> Refusal | None:
    """Ground that the unit may not enter, wrecks, the river it stands in [5.11, 5.72, 16.3]."""
    return (
        costs.closed_ground(position, unit, a, b)
        or rivers.on_duty(position, unit)
        or rivers.cannot_wade(position, unit, b)
    )


# --- who may fight ----------------------------------------------------------------------------------------------


def cannot_declare(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """Reject a hex in which no assault can be fought [12.2, 12.3]."""
    assert position.activation is not None
    if not position.enemies(side, hex):
        return Refusal("No enemy unit holds {}", "12.1", (hex,))
    if hex in position.activation.fought:
        return Refusal("The assault in {} has been fought", "12.2", (hex,))
    there = [unit for unit in position.at(hex, side) if unit.combat]
    if not any(cannot_attack(position, unit, hex) is None and active(position, unit) for unit in there):
        return Refusal("None of your active units can attack in {}", "12.3.a", (hex,))
    return None


def active(position: Position, unit: Unit) -> bool:
    """Whether the unit belongs to the segment's activation."""
    return position.activation is not None and position.activation.role(unit.id) is not None


def cannot_attack(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a unit that does not attack in an assault hex [12.3.a, 12.13].

    Units that came in attack, and with them units already there that have not been activated this turn [12.3.b], but no
    unit of another commander [18.12] or another player [18.21].
    """
    if unit.hex != hex or unit.carrier is not None:
        return Refusal("{} is not in {} to fight", "12.3.a", (unit.name, hex))
    if unit.demoralized:
        return Refusal("{} is demoralized and cannot attack", "12.13", (unit.name,))
    if not (unit.combat or unit.leader) or (unit.officer is not None and unit.officer.kommissar):
        return Refusal("{} cannot take part in an assault", "12.42", (unit.name,))
    if not active(position, unit):
        if refusal := sectors.not_played(position, unit) or formations.anothers(position, unit):
            return refusal
    return has_acted(position, unit) or fired_in_part(position, unit)


def has_acted(position: Position, unit: Unit) -> Refusal | None:
    """A unit must be designated to fire, or not have been activated this turn at all [12.3.a, 6.2]."""
    assert position.activation is not None
    role = position.activation.role(unit.id)
    if unit.id in position.activation.finished or (role is None and (unit.marked or unit.shots)):
        return Refusal("{} has already acted this turn", "12.3.a", (unit.name,))
    if role is None or role == "fire" or (role == "direct" and unit.leader):
        return None
    return Refusal("{} was designated to {}", "3.13", (unit.name, role_words(unit, role)))


def first_attacker(position: Position, side: Side, hex: Hex) -> UnitId | None:
    """The first active unit of a stack that can attack in its hex."""
    there = (unit for unit in position.at(hex, side) if active(position, unit))
    return next((unit.id for unit in there if cannot_attack(position, unit, hex) is None), None)


def attackers(position: Position, side: Side, hex: Hex) -> tuple[UnitId, ...]:
    """All units that can attack in a hex."""
    return tuple(unit.id for unit in position.at(hex, side) if cannot_attack(position, unit, hex) is None)


def entrants(position: Position, hex: Hex) -> tuple[UnitId, ...]:
    """The units that have moved into the hex in this segment, and are still there."""
    assert position.activation is not None
    came = position.activation.entered
    return tuple(name for name, to in came.items() if to == hex and position.units[name].hex == hex)


def new(position: Position, side: Side, hex: Hex) -> bool:
    """Whether the assault begins only now: units of the side have come, and none were in the hex before [12.2]."""
    return bool(entrants(position, hex)) and none_before(position, side, hex)


def none_before(position: Position, side: Side, hex: Hex) -> bool:
    """Whether none of the side's units were in the hex when the segment began [12.2]."""
    assert position.activation is not None
    if hex in position.activation.left:
        return False
    came = entrants(position, hex)
    return all(unit.id in came for unit in position.at(hex, side) if not unit.leader)


def still_to_fight(position: Position) -> Refusal | None:
    """Units that entered a hex of the enemy have to assault it in this segment [12.2]; others need not [12.11.a]."""
    assert position.activation is not None
    side = position.activation.side
    for hex in dict.fromkeys(position.activation.entered.values()):
        if new(position, side, hex) and cannot_declare(position, side, hex) is None:
            return Refusal("The assault in {} is still to be fought", "12.2", (hex,))
    return None


# --- the protocol of a chapter ----------------------------------------------------------------------------------


def choices(position: Position, unit: Unit) -> Iterator[Action]:
    """The assaults that an active unit may move into or fight."""
    if unit.hex is None:
        return
    if (
        first_attacker(position, unit.side, unit.hex) == unit.id
        and cannot_declare(position, unit.side, unit.hex) is None
    ):
        yield DeclareAssault(unit.hex)
    if cannot_take_part(position, unit) is not None:
        return
    for to in position.map.neighbours[unit.hex]:
        if to is not None and cannot_enter(position, unit, to) is None:
            yield EnterAssault(unit.id, to)


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject an illegal loading or limbering."""
    match action:
        case EnterAssault(name, to):
            return not_yours(side, position.units[name]) or cannot_enter(position, position.units[name], to)
        case DeclareAssault(hex):
            return cannot_declare(position, side, hex)
    return Refusal("This action is not an assault", PROCEDURE)


def play(game: Game[Position], side: Side, action: Action) -> None:
    """Move in, or fight."""
    match action:
        case EnterAssault(name, to):
            move_in(game, name, to)
        case DeclareAssault(hex):
            game.push(Assaulting(side, hex))


def move_in(game: Game[Position], unit_id: UnitId, to: Hex) -> None:
    """Move one hex into an enemy hex; no unit may fire at the mover, inside [12.61] or from outside [13.4].

    Mines may lie there [16.71]; a river may have to be crossed first [5.73.b].
    """
    position = game.state
    unit = position.units[unit_id]
    if unit.hex is not None and rivers.needs_roll(position, unit, to) and not rivers.across(game, unit_id):
        position.finish(unit_id)
        return
    going.betray_leader(game, unit_id, to)
    going.go(game, unit_id, to)
    position.finish(*unit.cargo)  # passengers have moved as well [5.6]
    assert position.activation is not None
    position.acting(entered=position.activation.entered | {unit_id: to})
    minefields.entered(game, (unit_id,), to)


# --- frames -----------------------------------------------------------------------------------------------------


class Assaulting(Frame, frozen=True):
    """The attackers in a hex [12.2, 12.3]: all in a new assault, chosen units in an old one."""

    takes = (JoinAssault, RollAssault)
    step = "assault"
    rule = "12.3.a"
    question = "Add to the attackers in {hex}, or assault"
    hex: Hex
    joined: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """In a new assault all units take part [12.2]; units that come to an old one may hold back as well
        [12.11.a].
        """
        position = game.state
        if new(position, self.side, self.hex):
            self._fight(game, attackers(position, self.side, self.hex))

    def _fight(self, game: Game[Position], names: tuple[UnitId, ...]) -> None:
        game.pop()
        game.push(Fighting(self.side, self.hex, names))

    def _cannot_join(self, position: Position, unit: Unit) -> Refusal | None:
        taking_part = attacks.takes_part(unit, self.joined)
        return taking_part or not_yours(self.side, unit) or cannot_attack(position, unit, self.hex)

    def _nobody(self, position: Position) -> Refusal | None:
        if any(unit.combat for unit in position.pick(self.joined)):
            return None
        return Refusal("No unit takes part in the assault: add one", "12.3.a")

    def actors(self, sight: Position, side: str) -> tuple[str, ...]:
        return (NOBODY, *(unit.id for unit in sight.at(self.hex, self.side)))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return attacks.offered(self, sight, side, RollAssault() if actor == NOBODY else JoinAssault(actor))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        return attacks.judged(action, sight.units, partial(self._cannot_join, sight), partial(self._nobody, sight))

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case JoinAssault(name):
                game.swap(replace(self, joined=(*self.joined, name)))
            case RollAssault():
                self._fight(game, self.joined)


class FirstFire(Frame, frozen=True):
    """Partly dug-in or entrenched defenders choose their manner of fire [12.43.a]; the result is first fire."""

    takes = (TakeFirstFire, FireTogether)
    step = "first-fire"
    rule = "12.43.a"
    question = "Defend {hex} with first fire by the dug-in units alone, or with all units at the same time"
    hex: Hex
    attackers: tuple[UnitId, ...] = ()

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield from (TakeFirstFire(), FireTogether())

    def play(self, game: Game[Position], action: Action) -> None:
        game.pop(isinstance(action, TakeFirstFire))


class Fighting(Frame, frozen=True):
    """One round of assault combat [12.4]: `stage` names the result it waits for."""

    step = "assault"
    rule = "12.4"
    hex: Hex
    attackers: tuple[UnitId, ...]
    stage: Literal["first fire?", "answer", "over"] = "first fire?"

    def begin(self, game: Game[Position]) -> None:
        """Sweep trucks alone away [12.42.A2]; otherwise decide on first fire [12.43, 12.43.A1]."""
        position = game.state
        foe = position.setting.other[self.side]
        if not position.combat_units(self.hex, foe):
            combat.sweep(game, position.at(self.hex, foe))
            self._end(game)
            return
        sheltered = [combat.sheltered(position, unit) for unit in position.combat_units(self.hex, foe)]
        if any(sheltered) and not all(sheltered):
            game.push(FirstFire(foe, self.hex, self.attackers))
        else:
            self.resume(game, all(sheltered))

    def resume(self, game: Game[Position], result: object) -> None:
        """Go on after the defender's choice, after his first fire, after the losses."""
        match self.stage:
            case "first fire?" if result:
                self._first_fire(game)
            case "first fire?":
                self._together(game)
            case "answer":
                self._answer(game)
            case "over":
                self._end(game)

    def _defenders(self, position: Position) -> list[Unit]:
        return position.at(self.hex, position.setting.other[self.side])

    def _standing(self, position: Position) -> list[Unit]:
        """Attackers that are still there and not demoralized [12.43.A2]."""
        return [unit for unit in position.pick(self.attackers) if unit.hex == self.hex and not unit.demoralized]

    def _defend(self, game: Game[Position], defenders: list[Unit]) -> tuple[losses.Blow, ...]:
        """The defenders' fire: it hits all in the hex, but takes no step of active units that hold back [7.63.f]."""
        position = game.state
        found = combat.defence(position, defenders, self._standing(position))
        hit = tuple(unit.id for unit in position.at(self.hex, self.side))
        spared = combat.spared(position, self.side, self.hex, self.attackers)
        return tuple(
            replace(blow, spared=spared) for blow in combat.roll(game, defenders, [Column(found, hit)], self.hex)
        )

    def _attack(self, game: Game[Position]) -> tuple[losses.Blow, ...]:
        position, own = game.state, self._standing(game.state)
        defenders = self._defenders(position)
        fresh = new(position, self.side, self.hex)
        extra = combat.river_lines(position, (*own, *defenders), self.hex) if fresh else ()
        return combat.roll(game, own, combat.attack(position, own, defenders, self.hex, extra), self.hex)

    def _first_fire(self, game: Game[Position]) -> None:
        """The sheltered fire, with the leaders among them; the remaining attackers answer [12.43]."""
        position = game.state
        blows = self._defend(game, combat.firing_first(position, self._defenders(position)))
        game.swap(replace(self, stage="answer"))
        losses.suffer(game, self.side, self.hex, blows, "assault")

    def _answer(self, game: Game[Position]) -> None:
        """Attack with the units that first fire has left [12.43, 12.43.A2]."""
        position = game.state
        if not any(unit.combat for unit in self._standing(position)):
            self._end(game)
            return
        blows = self._attack(game)
        game.swap(replace(self, stage="over"))
        losses.suffer(game, position.setting.other[self.side], self.hex, blows, "assault")

    def _together(self, game: Game[Position]) -> None:
        """Both sides roll on their original strength; then both suffer [12.4.b]."""
        on_attackers = self._defend(game, self._defenders(game.state))
        on_defenders = self._attack(game)
        game.swap(replace(self, stage="over"))
        losses.suffer(game, self.side, self.hex, on_attackers, "assault")
        losses.suffer(game, game.state.setting.other[self.side], self.hex, on_defenders, "assault")

    def _end(self, game: Game[Position]) -> None:
        """The attackers have done their action [12.11.A2]; the defenders are not marked [12.4.b]."""
        position = game.state
        assert position.activation is not None
        led = tuple(unit.id for unit in position.pick(self.attackers) if unit.leader)
        activation = position.activation
        position.acting(fought=activation.fought | {self.hex}, aided=activation.aided.union(led))
        for name in self.attackers:
            if position.units[name].hex is not None:
                fieldworks.interrupted(game, name)
                position.finish(name)
        spotting.hold(position, self.hex)
        game.pop()
        for side in position.setting.sides:
            abandoned(game, self.hex, side)


def abandoned(game: Game[Position], hex: Hex, side: Side) -> None:
    """Leaders left alone among enemies by an assault fall or get away as if overrun [6.71.a]: RULINGS.md P12."""
    position = game.state
    there = position.at(hex, side)
    if there and all(unit.leader for unit in there) and position.enemies(side, hex):
        leaders.overrun(game, hex, position.setting.other[side])


def forsaken(game: Game[Position]) -> None:
    """As a segment ends, units among enemies without a combat unit of their side are overrun: RULINGS.md P12, P110.

    Empty transports are eliminated [5.31], leaders fall or get away [6.71.a].
    """
    position = game.state
    crowded = [(hex, names) for hex, names in position.stacks.items() if len(names) > 1]
    for hex, names in crowded:
        sides = {position.units[name].side for name in names}
        for side, enemy in position.setting.other.items() if len(sides) > 1 else ():
            if position.holders(hex, enemy) and not position.holders(hex, side):
                going.overrun_transports(game, hex, enemy)
                abandoned(game, hex, side)


FRAMES: tuple[type[Frame], ...] = (Assaulting, FirstFire, Fighting)
