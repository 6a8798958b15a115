"""Answers of a unit that is fired at [7.50, 7.54]: Quickdraw, and Defensive Fire with No Command."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Calculation
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import initiative
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire.arms import arm_at, arms_at, turned
from opfire.rulesets.panzer.fire.resolving import fire
from opfire.rulesets.panzer.fire.shots import DEFENSIVE, Fire, Manner, calculation
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.pieces import Position, Side, Unit, UnitId, not_yours, off_the_map
from opfire.rulesets.panzer.sighting.spots import cannot_spot, not_spotted
from opfire.rulesets.panzer.span import GRADES

DEFENSE, QUICKDRAW = "7.50", "7.54"


class Answer(Action, frozen=True):
    """Fire back at a unit that fires at this one."""

    says = "{unit} fires back at {target}"
    kind = "fire"
    final = True
    unit: UnitId
    target: UnitId
    weapon: str = ""


def _cannot_hit(position: Position, unit: Unit, target: Unit, weapon: str = "") -> Refusal | None:
    if refusal := off_the_map(target):
        return refusal
    arm = arm_at(position, unit, target, weapon)
    return arm if isinstance(arm, Refusal) else None


# --- Defensive Fire [7.50] ---------------------------------------------------------------------------------------


def may_return(position: Position, unit: Unit) -> bool:
    """Return whether a unit may have No Command, as far as everybody knows, and so may return fire [7.50]."""
    open_command = unit.revealed and unit.command != "no command"
    return DEFENSE in position.setting.options and unit.hex is not None and not (unit.fired or open_command)


def in_defense(position: Position, unit: Unit, firer: Unit, weapon: str = "") -> Refusal | None:
    """Reject a firer that the unit does not spot now, or cannot hit: it turns as if from overwatch [7.50]."""
    aimed = turned(position, unit, firer) if firer.hex is not None else unit
    return _cannot_hit(position, aimed, firer, weapon) or cannot_spot(position, unit, firer, firer.seen_as)


def cannot_return(position: Position, unit: Unit, firer: Unit, weapon: str = "") -> Refusal | None:
    """Reject Defensive Fire: units with No Command return fire once, as if from overwatch [7.50]."""
    if unit.command != "no command" or not may_return(position, unit):
        return Refusal("{} has a command, or has fired: it does not return fire", "7.50", (unit.name,))
    return in_defense(position, unit, firer, weapon)


# --- Quickdraw [7.54] --------------------------------------------------------------------------------------------


def may_draw(position: Position, unit: Unit, firer: Unit) -> bool:
    """Return whether a unit might draw quicker than a firer, as far as everybody knows [7.54].

    With Staggered Initiative units of formations that are still to fire stand for the Second Player: RULINGS.md R181.
    """
    second = unit.side != position.first
    if initiative.staggered(position):
        second = initiative.group_of(position, unit) not in position.order
    steady = not (unit.suppression or unit.morale or unit.revealed or unit.fired)
    better = GRADES.index(unit.grade) < GRADES.index(firer.grade)
    return QUICKDRAW in position.setting.options and second and steady and better


def at_the_ready(position: Position, unit: Unit, firer: Unit, weapon: str = "") -> Refusal | None:
    """Reject a firer that the unit has not spotted in the Spotting Phase, or cannot hit as it faces now [7.54]."""
    return _cannot_hit(position, unit, firer, weapon) or not_spotted(position, unit, firer)


def cannot_draw(position: Position, unit: Unit, firer: Unit, weapon: str = "") -> Refusal | None:
    """Reject a Quickdraw: a steady unit of the Second Player, with a hidden Fire command and of better grade [7.54]."""
    if unit.command != "fire" or not may_draw(position, unit, firer):
        return Refusal("{} does not draw quicker than {}", "7.54", (unit.name, firer.name))
    return at_the_ready(position, unit, firer, weapon)


def reckoned(position: Position, unit: Unit, target: Unit, weapon: str, manner: Manner) -> Calculation | Refusal:
    """The calculation of an answer, or the reason against it: a quick shot is a single one [7.50, 7.54]."""
    aimed = turned(position, unit, target) if manner.overwatch else unit
    arm = arm_at(position, aimed, target, weapon)
    if isinstance(arm, Refusal):
        return arm
    arm = arm if manner.defensive else arm._replace(rate="N")
    swung = aimed.turret != unit.turret
    return calculation(position, Fire(aimed, target, arm, manner.overwatch, 0, manner.pinning, manner.defensive, swung))


# --- the frames --------------------------------------------------------------------------------------------------

Check = Callable[[Position, Unit, Unit, str], Refusal | None]
"""The reason against fire of a unit at one of its firers with a weapon, or None."""


def answers(position: Position, unit: Unit, firers: tuple[UnitId, ...], check: Check) -> Iterator[Answer]:
    """The shots of a unit at those that fire at it."""
    for name in firers:
        firer = position.units[name]
        if check(position, unit, firer, "") is None:
            for arm in arms_at(position, turned(position, unit, firer), firer):
                if check(position, unit, firer, arm.name) is None:
                    yield Answer(unit.id, name, arm.name)


def not_this(side: Side, unit: Unit, asked: UnitId, target: UnitId, firers: tuple[UnitId, ...]) -> Refusal | None:
    """Reject another unit than the one that is fired at, and other targets than its firers."""
    if refusal := not_yours(side, unit):
        return refusal
    if unit.id != asked or target not in firers:
        return Refusal("{} answers those that fire at it", "7.50", (unit.name,))
    return None


class Answering(Frame, frozen=True):
    """A unit may fire back at one of those that fire at it; each kind says which units may, and plays the fire."""

    takes = (Answer, Pass)
    unit: UnitId
    firers: tuple[UnitId, ...]

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield self.unit
        yield NOBODY

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield Pass()
        else:
            yield from answers(sight, sight.units[actor], self.firers, self.cannot)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Answer(unit, target, weapon):
                refusal = not_this(side, sight.units[unit], self.unit, target, self.firers)
                return refusal or self.cannot(sight, sight.units[unit], sight.units[target], weapon)
        return None

    @abstractmethod
    def cannot(self, position: Position, unit: Unit, firer: Unit, weapon: str = "") -> Refusal | None:
        """Reject fire of the unit at one of its firers with a weapon (the first that can, if none is named)."""

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, unit=sight.units[self.unit].name)


class Quickdraw(Answering, frozen=True):
    """The target of announced fire may fire at the same time [7.54]; the result is its target and its weapon."""

    step = "quickdraw"
    reaction = "Quickdraw"
    rule = "7.54"
    question = "Does {unit} draw quicker? Fire at the same time, or hold your fire"

    def begin(self, game: Game[Position]) -> None:
        """Ask only if everybody can see that the target might draw [7.54]."""
        position, unit = game.state, game.state.units[self.unit]
        firers = position.pick(self.firers)
        if not any(may_draw(position, unit, one) and at_the_ready(position, unit, one) is None for one in firers):
            game.pop(())

    def cannot(self, position: Position, unit: Unit, firer: Unit, weapon: str = "") -> Refusal | None:
        return cannot_draw(position, unit, firer, weapon)

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Answer(unit, target, weapon):
                reveal(game, unit)
                game.pop((target, weapon))
            case _:
                game.pop(())


class ReturningFire(Answering, frozen=True):
    """A unit with No Command may return the fire of one of those that fired at it [7.50]."""

    step = "defensive fire"
    reaction = "Defensive fire"
    rule = "7.50"
    question = "Does {unit} return fire? Fire at one that fired at it, or hold your fire"

    def begin(self, game: Game[Position]) -> None:
        """Ask only if everybody can see that the target might return fire [7.50]."""
        position, unit = game.state, game.state.units[self.unit]
        firers = position.pick(self.firers)
        if not (may_return(position, unit) and any(in_defense(position, unit, one) is None for one in firers)):
            game.pop()

    def cannot(self, position: Position, unit: Unit, firer: Unit, weapon: str = "") -> Refusal | None:
        return cannot_return(position, unit, firer, weapon)

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Answer(unit, target, weapon):
                fire(game, unit, target, weapon, DEFENSIVE)
                checks.attacked(game, target)
        game.pop()
