"""Opportunity fire and interdiction [6.0]: the reactions of the other side at each step of a move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import ClassVar

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.flow import Exchange
from opfire.core.game import Game
from opfire.core.texts import joined, say
from opfire.kit.orders import Pass
from opfire.rulesets.case_orange import indirect
from opfire.rulesets.case_orange.combat import below_minimum
from opfire.rulesets.case_orange.direct import cannot_hit, carry_out, defence, hex_of, nil_effect, strength, target_of
from opfire.rulesets.case_orange.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.case_orange.spotting import spotted


class Shoot(Action, frozen=True):
    """Opportunity fire: one unit, or several together from one adjacent hex [6.1.1, 6.1.2]."""

    says = "{units}: fire at {target}"
    kind = "react"
    final = True
    units: tuple[UnitId, ...]
    target: UnitId


class Interdict(Action, frozen=True):
    """Interdiction by a unit whose marker lies in the hex entered [6.2]."""

    says = "{unit} interdicts"
    kind = "react"
    final = True
    unit: UnitId


class OpportunityFire(Exchange, frozen=True):
    """The window at one hex of a move [6.1.3]: shots one at a time until the side passes.

    `movers` are the units that may be shot at: the mover, a rider on it, or both when it has unloaded [5.7.2].
    Interdiction is for hexes that are entered [6.2], so not for loading and unloading.
    """

    takes = (Shoot, Interdict, Pass)
    step = "reaction"
    rule = "6.0"
    question = "{mover} moves in {hex}: fire, or let it pass"
    several: ClassVar[str] = "{mover} move in {hex}: fire, or let it pass"
    hex: Hex = ""
    movers: tuple[UnitId, ...] = ()
    entered: bool = True

    def shots(self, sight: Position, side: Side) -> Iterator[Action]:
        for unit in able_to_react(sight, side, self.hex):
            yield from self._shots_of(sight, side, unit)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in able_to_react(sight, side, self.hex))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        """Pass, or what the unit may do: an attack by several is offered to the first of them."""
        return iter((Pass(),)) if actor == NOBODY else self._shots_of(sight, side, sight.units[actor])

    def _shots_of(self, position: Position, side: Side, unit: Unit) -> Iterator[Action]:
        for mover in self.movers:
            yield from shots_at(position, side, unit, mover)
        if self.entered and cannot_interdict(position, side, unit, self.hex) is None:
            yield Interdict(unit.id)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        """Judge a shot [6.0, 6.1] or an interdiction [6.2]."""
        match action:
            case Shoot(units, target):
                return not_moving(self, sight, target) or cannot_shoot(sight, self.side, units, target)
            case Interdict(unit):
                return not_entered(self) or cannot_interdict(sight, self.side, sight.units[unit], self.hex)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Pass():
                self.passed(game)
            case Shoot(units, target):
                carry_out(game, units, target, "single", "opportunity")
                game.resume_top()
            case Interdict(unit):
                interdict(game, self.side, unit, self.hex)
                game.resume_top()

    def prompt(self, sight: Position, side: str) -> str:
        names = joined((sight.units[name].name for name in self.movers), " and ")
        question = self.question if len(self.movers) == 1 else self.several
        return say(question, mover=names, hex=self.hex)


def interdict(game: Game[Position], side: Side, unit: UnitId, hex: Hex) -> None:
    """Indirect fire as usual, by one unit alone [6.2, 6.2.2]."""
    indirect.carry_out(game, side, indirect.Declared("registered", hex, (unit,)))


def not_entered(frame: OpportunityFire) -> Refusal | None:
    """Interdiction meets only units that enter the hex [6.2]."""
    return None if frame.entered else Refusal("No unit has just entered {}", "6.2", (frame.hex,))


def window(position: Position, side: Side, hex: Hex, movers: Iterable[UnitId]) -> OpportunityFire:
    """The window of the enemy when these units of `side` move in a hex."""
    enemy = position.setting.other[side]
    return OpportunityFire(enemy, (enemy,), hex, tuple(movers))


def not_moving(frame: OpportunityFire, position: Position, target: UnitId) -> Refusal | None:
    """Only the unit that is moving here is fired at [6.0]."""
    if target not in frame.movers or position.units[target].hex != frame.hex:
        return Refusal("Only the unit that moves in {} can be fired at", "6.0", (frame.hex,))
    return None


def able_to_react(position: Position, side: Side, hex: Hex) -> list[Unit]:
    """The side's units that have the hex within half their range, or their marker in it."""
    registered = [name for name, at in position.registered.items() if at == hex]
    if not registered and hex not in position.muster(side).half_range:
        return []
    in_reach = position.map.in_reach
    return [
        unit
        for unit in position.eligible(side)
        if in_reach(str(unit.hex), hex, unit.kind.range // 2) or unit.id in registered
    ]


def shots_at(position: Position, side: Side, unit: Unit, mover: UnitId) -> Iterator[Shoot]:
    """The opportunity attacks of a unit on a mover: alone, and with those after it in the same adjacent hex."""
    target = position.units[mover]
    if target.hex is None or not spotted(position, target) or cannot_shoot_alone(position, side, unit, mover):
        return
    others = others_in_hex(position, side, unit, mover) if position.map.adjacent(str(unit.hex), target.hex) else ()
    for number in range(len(others) + 1):
        for more in combinations(others, number):
            if not_enough(position, (unit.id, *more), mover) is None:
                yield Shoot((unit.id, *more), mover)


def others_in_hex(position: Position, side: Side, unit: Unit, mover: UnitId) -> list[UnitId]:
    """The units that may fire with this one from its hex, in the order of the roster: those after it."""
    there, ids = position.stacks[str(unit.hex)], position.setting.ids[side]
    after = [name for name in ids[ids.index(unit.id) + 1 :] if name in there]
    return [name for name in after if cannot_shoot_alone(position, side, position.units[name], mover) is None]


def beyond_half_range(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Opportunity fire reaches half the printed range [6.0, 2.0-G02]."""
    assert unit.hex is not None
    hexes, half = position.map.distance(unit.hex, hex), unit.kind.range // 2
    if hexes > half:
        return Refusal("{} is {} hexes away, beyond half range {} of {}", "6.0", (hex, hexes, half, unit.name))
    return None


def cannot_shoot_alone(position: Position, side: Side, unit: Unit, mover: UnitId) -> Refusal | None:
    """Reject a unit that may take no part in opportunity fire at the mover [6.0]."""
    return (
        cannot_hit(position, side, unit, mover)
        or interdicts_only(position, unit)
        or beyond_half_range(position, unit, hex_of(position, mover))
        or nil_effect(position, unit, target_of(position, mover, "single"))
    )


def interdicts_only(position: Position, unit: Unit) -> Refusal | None:
    """Opportunity fire is by direct fire units [6.0]; class (H) fires directly at targets in sight: RULINGS.md R81."""
    if unit.kind.weapon == "(H)" and position.setting.has("R81"):
        return Refusal("{} is class (H), which interdicts and takes no opportunity fire", "6.0", (unit.name,))
    return None


def not_enough(position: Position, units: tuple[UnitId, ...], mover: UnitId) -> Refusal | None:
    """Below one to four [9.1.1]."""
    target = target_of(position, mover, "single")
    return below_minimum(strength(position, position.pick(units), target), defence(position, target))


def cannot_shoot(position: Position, side: Side, units: tuple[UnitId, ...], mover: UnitId) -> Refusal | None:
    """Reject units that may not make one opportunity attack [6.0, 6.1.1, 6.1.2]."""
    if not units or len(set(units)) < len(units):
        return Refusal("Name each firer once", PROCEDURE)
    target = position.units[mover]
    if target.hex is None or not spotted(position, target):
        return Refusal("{} is not spotted", "6.0", (target.name,))
    for unit in position.pick(units):
        if refusal := cannot_shoot_alone(position, side, unit, mover):
            return refusal
    return not_together(position, units, target.hex) or not_enough(position, units, mover)


def not_together(position: Position, units: tuple[UnitId, ...], hex: Hex) -> Refusal | None:
    """Opportunity fire is by one unit [6.1.1], or by units stacked in one adjacent hex [6.1.2]."""
    if len(units) == 1:
        return None
    hexes = {position.units[name].hex for name in units}
    if len(hexes) > 1 or position.map.distance(str(next(iter(hexes))), hex) != 1:
        return Refusal("Only units in one hex next to the target fire together", "6.1.2")
    return None


def cannot_interdict(position: Position, side: Side, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a unit that may not interdict the hex [6.2, 6.2.1]."""
    if refusal := indirect.cannot_fire_indirectly(side, unit) or indirect.marker_elsewhere(position, unit, hex):
        return refusal
    return (
        indirect.too_far(position, unit, hex)
        or indirect.sees_target_itself(position, unit, hex)
        or indirect.hex_not_spotted(position, side, hex)
        or indirect.unobserved(position, unit, hex)
        or indirect.too_weak(position, [unit], hex)
    )
