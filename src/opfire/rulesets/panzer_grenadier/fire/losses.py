"""Step losses [7.6]: allotted to units, then their consequences: checks, leader casualties, initiative."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.command import leaders
from opfire.rulesets.panzer_grenadier.morale import checks, harm
from opfire.rulesets.panzer_grenadier.pieces import STATES, Hex, Position, Side, Unit, UnitId

By = Literal["direct", "bombardment", "assault", "free shot", "opportunity", "air"]
ASSAULT: tuple[By, ...] = ("assault", "free shot")
"""Fire rolled on the assault table [12.12.b], with its losses [7.63]."""
CHECKS: dict[str, checks.CheckResult] = {"M": "M", "M1": "M1", "M2": "M2"}
STEPS = {"X": 1, "2X": 2, "3X": 3, "1": 1, "2": 2, "3": 3}


class LoseStep(Action, frozen=True):
    """Let this unit take a step loss [7.61.a, 7.63.b]; a lone leader is eliminated [6.71]."""

    says = "{unit} takes the loss"
    kind = "loss"
    unit: UnitId


class Blow(msgspec.Struct, frozen=True):
    """A result and the units that it strikes: all that were attacked on one column [7.52.A1].

    `spared` are units among them that took no part in an assault: they check, but lose no step [7.63.f].
    """

    units: tuple[UnitId, ...]
    result: str
    spared: tuple[UnitId, ...] = ()


class Owed(msgspec.Struct, frozen=True):
    """Step losses that a category of units still has to take [7.61, 7.63].

    At least one of two or more goes to one of `armored`, until one has taken it. `sound` is set while the first loss is
    owed in an assault, which falls on units in the best state.
    """

    units: tuple[UnitId, ...]
    left: int
    armored: tuple[UnitId, ...] = ()
    sound: bool = False


def suffer(game: Game[Position], side: Side, hex: Hex, blows: tuple[Blow, ...], by: By) -> None:
    """Apply a fire result to the units of `side` in a hex, always by pushing a frame."""
    game.push(Damage(side, hex, blows, by))


class Damage(Frame, frozen=True):
    """The owner allots step losses; then morale checks, leaders first; then leader casualties [7.6, 6.7].

    `before` are the step losses of the side until now, `units` all units that were struck.
    """

    takes = (LoseStep,)
    step = "losses"
    rule = "7.6"
    question = "Choose the unit in {hex} that takes the step loss"
    hex: Hex
    blows: tuple[Blow, ...]
    by: By
    before: int = 0
    owed: tuple[Owed, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        position = game.state
        reckoned = owed_by_leaders if lone_leaders(position, self.hex, self.blows, self.by) else owed_by
        owed = tuple(one for blow in self.blows for one in reckoned(position, blow, self.by))
        _go_on(game, replace(self, owed=owed, before=position.armies[self.side].losses))

    def actors(self, sight: Position, side: str) -> tuple[UnitId, ...]:
        return _ids(takers(sight, self.owed[0]))

    def acts(self, sight: Position, side: str, actor: str) -> tuple[Action, ...]:
        return (LoseStep(actor),)

    def refusal(self, sight: Position, side: str, action: LoseStep) -> Refusal | None:
        return cannot_take_loss(sight, self.owed[0], sight.units[action.unit], self.by)

    def play(self, game: Game[Position], action: LoseStep) -> None:
        _go_on(game, _taken(game, self, action.unit))

    def forced(self, sight: Position) -> bool:
        """Whether the loss is forced; everybody sees the units that can take it."""
        return True


def _taken(game: Game[Position], frame: Damage, unit_id: UnitId) -> Damage:
    """The frame after a unit has taken the first loss owed."""
    owed, *rest = frame.owed
    if game.state.units[unit_id].leader:
        harm.fall(game, unit_id, "6.71")
    else:
        harm.lose_step(game, unit_id)
    armored = () if unit_id in owed.armored else owed.armored
    return replace(frame, owed=(replace(owed, left=owed.left - 1, armored=armored, sound=False), *rest))


def _go_on(game: Game[Position], frame: Damage) -> None:
    """Go on as far as there is no choice: losses, then checks, then casualties."""
    position = game.state
    while frame.owed:
        able = takers(position, frame.owed[0])
        if not able:
            frame = replace(frame, owed=frame.owed[1:])
        elif len(able) == 1 or all_lost(position, frame.owed[0]):
            frame = _taken(game, frame, able[0].id)
        else:
            return game.swap(frame)
    exposed = at_risk(position, frame)  # before the checks: a leader shaken off an APC was safe in it [6.7.A1]
    for test in tests_of(position, frame.blows, frame.by):
        harm.roll(game, test)
    lost = position.armies[frame.side].losses - frame.before
    if lost:
        leaders.casualties(game, exposed, lost)
    game.pop()


def at_risk(position: Position, frame: Damage) -> tuple[UnitId, ...]:
    """The units whose leaders may fall [6.7]: all in the hex, under opportunity fire only the movers [7.44.a].

    A free shot endangers all units that have left, wherever they went, and no bystanders [12.12.a]: RULINGS.md P125.
    Leaders in an APC are safe.
    """
    struck = position.pick(name for blow in frame.blows for name in blow.units)
    match frame.by:
        case "opportunity":
            there = struck
        case "free shot":
            there = [one for unit in struck for one in (unit, *position.pick(unit.cargo))]
        case _:
            there = position.everybody(frame.hex, frame.side)
    return tuple(one.id for one in there if not leaders.in_apc(position, one))


# --- who takes the losses -------------------------------------------------------------------------------------


def owed_by(position: Position, blow: Blow, by: By) -> Iterator[Owed]:
    """The losses that a result [G.result] brings to combat units, and to wagons, trucks and sledges [7.61, 7.63]."""
    steps = STEPS.get(blow.result, 0)
    if not steps:
        return
    units = [unit for unit in struck(position, blow) if unit.id not in blow.spared]
    combat = [unit for unit in units if vulnerable(unit, by)]
    armored = [unit for unit in combat if unit.afv and steps > 1]
    if combat:
        yield Owed(_ids(combat), steps, _ids(armored), by in ASSAULT)
    if carriers := [unit for unit in units if is_carrier(unit)]:
        yield Owed(_ids(carriers), steps, (), by in ASSAULT)


def owed_by_leaders(position: Position, blow: Blow, by: By) -> Iterator[Owed]:
    """Where a result strikes leaders alone, each loss is a leader [6.71]."""
    if steps := STEPS.get(blow.result, 0):
        yield Owed(_ids(struck(position, blow)), steps)


def lone_leaders(position: Position, hex: Hex, blows: tuple[Blow, ...], by: By) -> bool:
    """Whether leaders are struck with no other unit in the hex [6.71], or moving alone [7.64]: RULINGS.md P64.

    A leader who moves along with a unit is not alone, though the two may be on columns of their own [7.44.a, 7.52].
    """
    units = [unit for blow in blows for unit in struck(position, blow)]
    if not units or not all(unit.leader for unit in units):
        return False
    return by == "opportunity" or all(unit.leader for unit in position.at(hex, units[0].side))


def _ids(units: list[Unit]) -> tuple[UnitId, ...]:
    return tuple(unit.id for unit in units)


def struck(position: Position, blow: Blow) -> list[Unit]:
    """The units of a blow that are still there; passengers share the carrier's fate [5.65]."""
    return [unit for unit in position.pick(blow.units) if unit.hex is not None and unit.carrier is None]


def vulnerable(unit: Unit, by: By) -> bool:
    """Whether a combat unit can lose a step: closed-top AFVs only in an assault [7.61, 7.61.b, 7.63]."""
    return unit.combat and (by in ASSAULT or not closed_top(unit))


def closed_top(unit: Unit) -> bool:
    """An AFV with a roof [G.closed-top]; AFVs without one lose steps to fire [G.open-top]."""
    return unit.kind is not None and unit.kind.closed_top


def is_carrier(unit: Unit) -> bool:
    """A wagon, truck or sledge."""
    return unit.kind is not None and unit.kind.unarmed


def takers(position: Position, owed: Owed) -> list[Unit]:
    """The units that may take the next loss: the first in an assault falls on units in the best state [7.43.A1,
    7.63.a].
    """
    return [unit for unit in _standing(position, owed) if cannot_take_loss(position, owed, unit) is None]


def _standing(position: Position, owed: Owed) -> list[Unit]:
    return [unit for unit in position.pick(owed.units) if unit.hex is not None] if owed.left else []


def all_lost(position: Position, owed: Owed) -> bool:
    """Whether the losses are enough for all units, so that there is no choice."""
    return owed.left >= sum(max(1, unit.steps) for unit in _standing(position, owed))


def cannot_take_loss(position: Position, owed: Owed, unit: Unit, by: By = "direct") -> Refusal | None:
    """Reject a unit that may not take the next loss [7.61.a, 7.63.a, 7.63.b]."""
    standing = _standing(position, owed)
    if unit not in standing:
        return Refusal("{} cannot take this loss", "7.63" if by in ASSAULT else "7.61", (unit.name,))
    if owed.sound and STATES.index(unit.state) > min(STATES.index(one.state) for one in standing):
        return Refusal("{} is {}: the first loss falls on a unit in a better state", "7.63.a", (unit.name, unit.state))
    armored = [one.id for one in standing if one.id in owed.armored]
    if owed.left == 1 and armored and unit.id not in armored:
        if by in ASSAULT:
            return Refusal("{} is not an AFV: one of the losses has to fall on an AFV", "7.63.b", (unit.name,))
        return Refusal("{} is not an open-top AFV: one of the losses has to fall on one", "7.61.a", (unit.name,))
    return None


# --- the checks that follow -----------------------------------------------------------------------------------


def tests_of(position: Position, blows: tuple[Blow, ...], by: By) -> list[checks.Test]:
    """The morale checks of all units after the losses, leaders first [14.14]."""
    tests = []
    for blow in blows:
        for unit in struck(position, blow):
            if result := check_after(unit, blow.result, by):
                tests.append(checks.Test(unit.id, result, moving=by == "opportunity"))
    return checks.in_order(position, tests)


def check_after(unit: Unit, result: str, by: By) -> checks.CheckResult | None:
    """The check that a result asks of a unit, or None [7.61.b, 7.63.e, 7.25].

    M2 after step losses, but M for closed-top AFVs under fire; armor shuts out all other results except in assault.
    """
    if by in ASSAULT:
        return CHECKS.get(result, "M2" if result in STEPS else None)
    if result in STEPS:
        return "M" if closed_top(unit) else "M2"
    return None if unit.afv else CHECKS.get(result)


# --- losing steps ---------------------------------------------------------------------------------------------


def suffer_at(game: Game[Position], unit_id: UnitId, steps: int) -> None:
    """Steps lost to anti-tank fire: the one vehicle only [7.42, 7.62]; a surviving unit checks at M2 [7.6.A1]."""
    for _ in range(steps):
        if game.state.units[unit_id].hex is not None:
            harm.lose_step(game, unit_id)
    if steps:
        active = game.state.activation
        moving = active is not None and active.side == game.state.units[unit_id].side  # 13.34: at a mover
        harm.roll(game, checks.Test(unit_id, "M2", moving=moving))


FRAMES: tuple[type[Frame], ...] = (Damage,)
