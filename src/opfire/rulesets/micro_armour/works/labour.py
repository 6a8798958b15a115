"""Engineers at work in the marker removal phase [11.5.3 to 11.5.9]: rolls, progress, and what they bring about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Offer, Refusal
from opfire.core.events import Calculation, Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import Point, text
from opfire.rulesets.micro_armour.cohesion import DIE, SUCCESS, cohesion_roll, level, states, tested
from opfire.rulesets.micro_armour.moving.boats import board
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, Work, not_yours, off_the_table
from opfire.rulesets.micro_armour.works.means import clears_wrecks, has
from opfire.rulesets.micro_armour.works.obstacles import reveal, struck
from opfire.rulesets.micro_armour.works.tasks import (
    BOATS,
    BRIDGE,
    BRIDGE_BY_HAND,
    BRIDGE_BY_VEHICLE,
    SHOVING,
    Task,
    cannot_build,
    cannot_span,
    needed,
    places,
)


class Labour(Action, frozen=True):
    """Work at a marker for this turn: clear mines or wire, fill a ditch, take a wreck off the road."""

    says = "{unit} works at the {work}"
    kind = "command"
    final = True
    unit: UnitId
    work: str


class Bridge(Action, frozen=True):
    """Work at a bridge for this turn: over this point (1/1000 inch), led in this direction in degrees."""

    says = "{unit} works at a bridge over {to}"
    kind = "command"
    final = True
    unit: UnitId
    to: Point
    facing: int


class GetAboard(Action, frozen=True, tag="Board"):
    """Take the fording boats of a transport."""

    says = "{unit} takes the boats of {carrier}"
    kind = "load"
    final = True
    unit: UnitId
    carrier: UnitId


class EndWorks(Action, frozen=True):
    """Nobody else works in this turn."""

    says = "Nobody else works in this turn"
    kind = "done"
    final = True


RULES = {"mines": "11.5.3-steps", "wire": "11.5.5", "ditch": "11.5.6", "wreck": "11.5.9.1"}


class EngineeringTasks(Frame, frozen=True):
    """Stands that have done nothing else may go on with their tasks, those of the initiative side first [4.0-7, 11.5].

    `tasks` are those of both sides that are still open; a player may leave any of them for later [11.5.3-pause].
    """

    takes = (Labour, Bridge, GetAboard, EndWorks)
    step = "removal"
    rule = "11.5.3-steps"
    question = "Let engineers work, or go on"
    tasks: tuple[Task, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        _next(game, self)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from dict.fromkeys(task.unit for task in self.tasks if sight.units[task.unit].side == side)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        if actor == NOBODY:
            yield EndWorks()
        for task in self.tasks:
            if task.unit == actor and task.work.startswith(BOATS):
                yield GetAboard(actor, task.work.removeprefix(BOATS))
            elif task.unit == actor and task.work:
                yield Labour(actor, task.work)
            elif task.unit == actor:
                yield from (Bridge(actor, *place) for place in places(sight, sight.units[actor]))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Labour(unit, work):
                return self._no_task(sight, side, sight.units[unit], work)
            case Bridge(unit, to, facing):
                stand = sight.units[unit]
                return self._no_task(sight, side, stand, BRIDGE) or cannot_span(sight, stand, to, facing)
            case GetAboard(unit, carrier):
                return self._no_task(sight, side, sight.units[unit], BOATS + carrier)
        return None

    def _no_task(self, sight: Position, side: Side, unit: Stand, work: str) -> Refusal | None:
        if refusal := not_yours(side, unit) or off_the_table(unit):
            return refusal
        if Task(unit.id, work) in self.tasks:
            return None
        if work == BRIDGE:
            return cannot_build(sight, replace(unit, posture="movement")) or Refusal(
                "{} builds once in a turn, and only if it was in the movement posture", "11.5.7-build", (unit.name,)
            )
        return Refusal("{} has no such task in this turn.", "11.5.3-steps", (unit.name,))

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Labour(unit, work):
                labour(game, game.state.units[unit], game.state.works[work])
                _next(game, replace(self, tasks=_without(self.tasks, (unit,))))
            case Bridge(unit, to, facing):
                build(game, game.state.units[unit], to, facing)
                _next(game, replace(self, tasks=_without(self.tasks, (unit,))))
            case GetAboard(unit, carrier):
                board(game, game.state.units[unit], game.state.units[carrier])
                taken = tuple(task for task in self.tasks if task.work != BOATS + carrier)
                _next(game, replace(self, tasks=_without(taken, (unit,))))
            case _:
                mine = [task.unit for task in self.tasks if game.state.units[task.unit].side == self.side]
                _next(game, replace(self, tasks=_without(self.tasks, mine)))


def _without(tasks: tuple[Task, ...], units: Iterable[UnitId]) -> tuple[Task, ...]:
    names = {*units}
    return tuple(task for task in tasks if task.unit not in names)


def _next(game: Game[Position], frame: EngineeringTasks) -> None:
    """Ask the side on turn, or the other one; tasks at markers that are gone are dropped."""
    position = game.state
    there = tuple(task for task in frame.tasks if _stands(position, task))
    for side in (position.initiative, position.setting.other[position.initiative]):
        if any(position.units[task.unit].side == side for task in there):
            return game.swap(replace(frame, side=side, tasks=there))
    game.pop()


def _stands(position: Position, task: Task) -> bool:
    known = not task.work or task.work.startswith(BOATS) or task.work in position.works
    return position.units[task.unit].at is not None and known


# --- rolls and progress -----------------------------------------------------------------------------------------------


def labour_roll(position: Position, unit: Stand, rule: str) -> Calculation:
    """The roll of a stand at work, by its states alone [11.5.3-steps]."""
    return cohesion_roll("engineering", rule, level(position, unit), states(unit))


def labour(game: Game[Position], unit: Stand, work: Work) -> None:
    """Roll for a stand at a marker; stands that push wrecks are there for two turns first [11.5.9.2]."""
    position = game.state
    if not rolls(unit, work):
        add(position, unit, work.id)
        return _tell(game, unit, "{} prepares to push the wreck away", "11.5.9.2", work.at)
    if work.kind == "wreck" and not clears_wrecks(unit):
        add(position, unit, work.id)
    roll = labour_roll(position, unit, rule_of(unit, work))
    number = tested(game, unit, roll)
    if work.kind == "mines" and number in (1, DIE):
        return _natural(game, unit, work, number)
    if roll.result([number]) != SUCCESS:
        return
    if work.kind == "wreck" or add(position, unit, work.id) >= needed(unit, work):
        complete(game, unit, work)


def rolls(unit: Stand, work: Work) -> bool:
    """Whether a stand rolls for its work in this turn: one that pushes wrecks does in its second turn [11.5.9.2]."""
    return work.kind != "wreck" or clears_wrecks(unit) or progress(unit, work.id) + 1 >= SHOVING


def rule_of(unit: Stand, work: Work) -> str:
    """The rule for the work of a stand at a marker."""
    if work.kind == "mines" and has(unit, "mine clearing"):
        return "11.5.4-steps"
    if work.kind == "wreck" and not clears_wrecks(unit):
        return "11.5.9.2"
    return RULES[work.kind]


def _natural(game: Game[Position], unit: Stand, work: Work, number: int) -> None:
    """A natural 1 clears a minefield at once, a natural 20 sets it off [11.5.3-nat, 11.5.4-steps]."""
    if number == 1:
        complete(game, unit, work)
    elif reveal(game, work):
        struck(game, unit.id, game.state.works[work.id])


def progress(unit: Stand, name: str) -> int:
    """The successes of a stand at a marker; others that come there begin anew [11.5.3-pause]."""
    return dict(unit.toil).get(name, 0)


def add(position: Position, unit: Stand, name: str) -> int:
    """Note a success of a stand, or a turn that it spends there; return how many it has now [11.5.3-pause]."""
    now = progress(unit, name) + 1
    position.change(unit.id, toil=(*(each for each in unit.toil if each[0] != name), (name, now)))
    return now


def complete(game: Game[Position], unit: Stand, work: Work) -> None:
    """The marker comes off; a wreck stays, but the road past it is open [11.5.9.3]."""
    position = game.state
    if work.kind == "wreck":
        position.lay(replace(work, cleared=True))
        return _tell(game, unit, "{} clears the road past the wreck", "11.5.9.3", work.at)
    if work.kind == "mines":
        reveal(game, work)
    if work.id in position.works:
        position.remove(work.id)
    words = {"mines": "{} clears a path through the mines", "wire": "{} clears the wire"}
    _tell(game, unit, words.get(work.kind, "{} fills in the ditch"), rule_of(unit, work), work.at)


def _tell(game: Game[Position], unit: Stand, words: str, rule: str, at: Point) -> None:
    game.tell(Event("works", words, (unit.name,), rule, (unit.id,), (at,)))


# --- bridges ----------------------------------------------------------------------------------------------------------


def build(game: Game[Position], unit: Stand, to: Point, facing: int) -> None:
    """Roll for a bridge; it lies once there are enough successes at this place [11.5.7-build]."""
    position = game.state
    roll = labour_roll(position, unit, "11.5.7-build")
    if roll.result([tested(game, unit, roll)]) != SUCCESS:
        return
    name = bridge_name(to, facing)
    done, most = add(position, unit, name), span_work(unit)
    if done < most:
        facts = (unit.name, done, most)
        return game.tell(
            Event("works", "{}: {} of {} successes at the bridge", facts, "11.5.7-build", (unit.id,), (to,))
        )
    position.lay(Work(name, "bridge", to, facing, unit.side))
    _tell(game, unit, "{} has built a bridge", "11.5.7-build", to)


def span_work(unit: Stand) -> int:
    """The successes that a stand needs for a bridge [11.5.7-build]."""
    return BRIDGE_BY_VEHICLE if has(unit, "bridging") else BRIDGE_BY_HAND


def span_done(unit: Stand) -> int:
    """The successes that a stand has at the bridge on which it is farthest; 0 if it has begun none."""
    return max((done for name, done in unit.toil if name.startswith("bridge ")), default=0)


def bridge_name(to: Point, facing: int) -> str:
    """The id of a bridge, and of the progress of its builder."""
    return f"bridge {text(to)} {facing}"


def leave_off(position: Position, unit: Stand) -> tuple[tuple[str, int], ...]:
    """The progress that a stand keeps which has moved away: that at mines, wire and ditches.

    A bridge is begun anew [11.5.7-build], and so are the turns beside a wreck [11.5.9.2].
    """
    wrecks = {work.id for work in position.works.values() if work.kind == "wreck"}
    return tuple(each for each in unit.toil if not each[0].startswith("bridge") and each[0] not in wrecks)
