"""Indirect fire [IF, NEU]: missions recorded in secret for the next turn, and those of the last turn executed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.command import not_commanded
from opfire.rulesets.panzerblitz_miniatures.equipment import minimum_range, range_inches
from opfire.rulesets.panzerblitz_miniatures.fire import smoke
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import in_water, not_a_target, out_of_arc, unseen
from opfire.rulesets.panzerblitz_miniatures.fire.bombardment import aimed_at, execute, structure_called
from opfire.rulesets.panzerblitz_miniatures.fire.effectiveness import out_of_range
from opfire.rulesets.panzerblitz_miniatures.fire.missions import FIRE, INDIRECT, SHAPES, Mission, Shape, Task
from opfire.rulesets.panzerblitz_miniatures.fire.results import inside
from opfire.rulesets.panzerblitz_miniatures.moving.works import Work, fallen
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    ADJACENT,
    Position,
    Side,
    Stand,
    UnitId,
    carried,
    is_dispersed,
    not_yours,
    off_the_table,
    planned,
)
from opfire.rulesets.panzerblitz_miniatures.sighting import seeing
from opfire.space.measure import bearing, square


class Designate(Action, frozen=True):
    """Record neutralization or destruction for a unit: its target, its spotter, its template.

    The target is a unit, a fortification or a bridge.
    """

    says = "{unit} plans {task} of {target}, seen by {spotter}, {shape} template"
    kind = "plot"
    unit: UnitId
    target: str
    spotter: UnitId
    task: Task
    shape: Shape
    facing: int


class DesignateSmoke(Action, frozen=True):
    """Record smoke for a unit: a point (1/1000 inch), its spotter, and how the template lies."""

    says = "{unit} plans smoke at {to}, seen by {spotter}, {shape} template"
    kind = "plot"
    unit: UnitId
    to: Point
    spotter: UnitId
    shape: Shape
    facing: int


class IndirectFirePhase(Frame, frozen=True):
    """Smoke grows older, missions for the next turn are recorded, those of the last turn executed [SEQ-4, SEQ-5]."""

    takes = (Designate, DesignateSmoke, EndPhase)
    step = "indirect"
    rule = "SEQ-5"
    question = "Record indirect fire for the next turn, or end the phase"

    def begin(self, game: Game[Position]) -> None:
        """Smoke first, then the missions for the next turn, then those of the last one [SEQ-4, SEQ-5]."""
        smoke.age(game, self.side)
        if not may_record(game.state, self.side):
            self._end(game)

    def _end(self, game: Game[Position]) -> None:
        execute(game, self.side)
        game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in batteries(sight, side) if cannot_record(sight, side, unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Offer]:
        return (EndPhase(),) if actor == NOBODY else offers(sight, side, sight.units[actor])

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Designate():
                return cannot_designate(sight, side, action)
            case DesignateSmoke():
                return cannot_designate_smoke(sight, side, action)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Designate() | DesignateSmoke():
                record(game, mission(game.state, self.side, action))
            case EndPhase():
                self._end(game)

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """The side alone knows what it records [NEU-2]."""
        return () if isinstance(action, EndPhase) else (self.side,)


# --- who fires, who spots -----------------------------------------------------------------------------------


def batteries(position: Position, side: Side) -> Iterator[Stand]:
    """The side's units of class M and (H) that are on the table or support it from off the board [IF-5, NEU-7]."""
    for unit in position.pick(position.setting.ids[side]):
        if unit.kind.weapon in INDIRECT and (unit.status == "off-board" or unit.at is not None):
            yield unit


def spotters(position: Position, side: Side) -> Iterator[Stand]:
    """The side's units that may direct indirect fire now [IF-6]."""
    return (unit for unit in position.of(side) if directs_no_fire(side, unit) is None)


def may_record(position: Position, side: Side) -> bool:
    """Return whether the side is asked for missions. Only facts that everybody knows count, so that nothing leaks."""
    if next(spotters(position, side), None) is None:
        return False
    return any(cannot_fire(side, unit) is None for unit in batteries(position, side))


def cannot_fire(side: Side, unit: Stand) -> Refusal | None:
    """Reject a unit that never fires indirectly, or does not now [IF-5, IF-7]."""
    if refusal := not_yours(side, unit):
        return refusal
    if unit.kind.weapon not in INDIRECT:
        return Refusal("{} is class {}: only M and (H) fire indirectly", "IF-5", (unit.name, unit.kind.weapon))
    if unit.status == "off-board":
        return None
    if unit.at is None:
        return off_the_table(unit)
    if unit.carrier is not None or unit.dispersed:
        state = "loaded" if unit.carrier is not None else "dispersed"
        return Refusal("{} is {} and cannot be designated for indirect fire", "IF-7", (unit.name, state))
    return None


def directs_no_fire(side: Side, unit: Stand) -> Refusal | None:
    """Reject a spotter without a radio, a dispersed one, and a passenger [IF-6, NEU-3, SPT-8, SPT-12, STD-3]."""
    if refusal := not_yours(side, unit) or off_the_table(unit):
        return refusal
    if not unit.kind.radio:
        words = "{} cannot direct indirect fire: choose a command post or an observer with a radio"
        return Refusal(words, "IF-6", (unit.name,))
    return carried(unit) or is_dispersed(unit)


# --- checks of a mission ------------------------------------------------------------------------------------


def cannot_record(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a unit that takes no mission for the next turn [IF-5, IF-7, NEU-5]."""
    if refusal := cannot_fire(side, unit) or _not_from_here(position, unit):
        return refusal
    if any(plot.due > position.turn for plot in planned(position, unit)):
        return Refusal("{} has its mission for the next turn", "NEU-5", (unit.name,))
    return None if missions_left(position, unit) else Refusal("{} has no mission left", "NEU-7", (unit.name,))


def _not_from_here(position: Position, unit: Stand) -> Refusal | None:
    """Reject a gun in a stream [STR-6] or out of command [CMD-2]; those off the board are with their own commanders."""
    return None if unit.at is None else in_water(position, unit) or not_commanded(position, unit)


def missions_left(position: Position, unit: Stand) -> int:
    """The missions that a unit may still record; guns on the table have any number."""
    if unit.missions is None:
        return 2
    return unit.missions - sum(cost(plot.task) for plot in planned(position, unit))


def cost(task: Task) -> int:
    """The missions that a task takes; destruction takes two [NEU-13]: RULINGS.md R90."""
    return 2 if task == "destruction" else 1


def cannot_designate(position: Position, side: Side, action: Designate) -> Refusal | None:
    """Reject neutralization and destruction that may not be recorded [IF-2 to IF-12, NEU-3, NEU-13]."""
    unit, spotter = position.units[action.unit], position.units[action.spotter]
    if action.task not in FIRE:
        return Refusal("Indirect fire is neutralization or destruction", "IF-1")
    if action.target not in position.units:
        return _cannot_shell(position, side, action)
    target = position.units[action.target]
    return (
        cannot_record(position, side, unit)
        or smoke.malformed(action.shape, action.facing)
        or _too_dear(position, unit, action.task)
        or directs_no_fire(side, spotter)
        or no_target(side, target)
        or out_of_reach(position, unit, target.name, target.at)
        or both_kinds(position, side, action.task, target.at)
        or _beside_the_arc(position, unit, target)
        or unspotted(position, spotter, target)
    )


def _cannot_shell(position: Position, side: Side, action: Designate) -> Refusal | None:
    """Reject a mission against a bridge, or a fortification as such [BRI-6, FRT-5]."""
    unit, aim = position.units[action.unit], structure_called(position, action.target)
    if aim is None:
        return Refusal("The target of a mission is an enemy unit, a fortification or a bridge", "NEU-1")
    if refusal := not_a_target(position, unit, action.target) or _own_fort(position, side, aim.fort):
        return refusal
    spotter, at = position.units[action.spotter], aim.at
    return (
        cannot_record(position, side, unit)
        or smoke.malformed(action.shape, action.facing)
        or _too_dear(position, unit, action.task)
        or directs_no_fire(side, spotter)
        or out_of_reach(position, unit, aim.name, at)
        or both_kinds(position, side, action.task, at)
        or out_of_arc(position, unit, aim.name, at)
        or unseen(position, spotter, aim)
    )


def _beside_the_arc(position: Position, unit: Stand, target: Stand) -> Refusal | None:
    return None if target.at is None else out_of_arc(position, unit, target.name, target.at)


def _own_fort(position: Position, side: Side, fort: Work | None) -> Refusal | None:
    """Reject a mission against a fortification of the side's own without enemies: direct fire destroys it [FRT-10]."""
    if fort is None or fort.side != side or inside(position, fort):
        return None
    return Refusal("Only direct fire destroys a fortification of your own", "FRT-10")


def _too_dear(position: Position, unit: Stand, task: Task) -> Refusal | None:
    if cost(task) <= missions_left(position, unit):
        return None
    return Refusal("{} has one mission left, and destruction takes two", "NEU-13", (unit.name,))


def no_target(side: Side, target: Stand) -> Refusal | None:
    """Reject a target that is no enemy on the ground [NEU-1, HEL-6]."""
    if target.side == side:
        return Refusal("{} is your own", PROCEDURE, (target.name,))
    if target.at is None or target.carrier is not None:
        return off_the_table(target) or carried(target)
    if target.flying:
        return Refusal("{} is in the air, out of the reach of indirect fire", "HEL-6", (target.name,))
    return None


def out_of_reach(position: Position, unit: Stand, name: str, at: Point | None) -> Refusal | None:
    """Reject a target beyond a unit's range, and one within the minimum of class (H) [DF-3, IF-12].

    Guns off the board reach every place: RULINGS.md R95.
    """
    if unit.at is None or at is None:
        return None
    far, least = square(unit.at, at), minimum_range(position.charts, unit.kind)
    if refusal := out_of_range(unit.name, range_inches(position.charts, unit.kind), far):
        return refusal
    if least and far <= (least * 1000) ** 2:
        words = "{} fires indirectly only beyond {} inches, and {} is nearer"
        return Refusal(words, "IF-12", (unit.name, least, name))
    return None


def both_kinds(position: Position, side: Side, task: Task, at: Point | None) -> Refusal | None:
    """Reject neutralization and destruction of one location in one turn [IF-2]: RULINGS.md R93."""
    due = position.turn + cost(task)
    for plot in position.plots:
        other = plot.side == side and plot.due == due and plot.task in FIRE and plot.task != task
        if other and at is not None and square(plot.at, at) < ADJACENT**2:
            return Refusal("{} is recorded for {} in that turn", "IF-2", (plot.task.capitalize(), tenths(plot.at)))
    return None


def unspotted(position: Position, spotter: Stand, target: Stand) -> Refusal | None:
    """Reject a target that the spotter does not see, or that is hidden in its cover [IF-3, IF-4, NEU-3]."""
    return seeing.out_of_sight(position, spotter, target) or seeing.not_spotted(position, spotter, target)


def cannot_designate_smoke(position: Position, side: Side, action: DesignateSmoke) -> Refusal | None:
    """Reject smoke that may not be recorded [SSC-2, SSC-3, SSC-4, SSC-8]."""
    unit, spotter = position.units[action.unit], position.units[action.spotter]
    return (
        cannot_record(position, side, unit)
        or smoke.fires_no_smoke(position, unit)
        or smoke.malformed(action.shape, action.facing)
        or directs_no_fire(side, spotter)
        or out_of_reach(position, unit, tenths(action.to), action.to)
        or out_of_arc(position, unit, tenths(action.to), action.to)
        or smoke.takes_no_smoke(position, action.to)
        or smoke.unseen(position, spotter, action.to)
    )


# --- recording ----------------------------------------------------------------------------------------------


def mission(position: Position, side: Side, action: Designate | DesignateSmoke) -> Mission:
    """The record of a mission [NEU-4]."""
    made = partial(Mission, side, action.unit, spotter=action.spotter, shape=action.shape, facing=action.facing)
    if isinstance(action, DesignateSmoke):
        return made(task="smoke", at=action.to, written=position.turn, due=position.turn + 1)
    aim = structure_called(position, action.target)
    at = aim.at if aim else position.units[action.target].at
    assert at is not None
    due = position.turn + cost(action.task)
    return made(task=action.task, at=at, target=action.target, written=position.turn, due=due)


def record(game: Game[Position], plot: Mission) -> None:
    """Write a mission down, known to its side alone [NEU-2]."""
    position = game.state
    position.plots = (*position.plots, plot)
    name = position.units[plot.unit].name
    aim = aimed_at(position, plot)
    units = (plot.unit, plot.target) if plot.target in position.units else (plot.unit,)
    words = "{} is designated for {} at {} in turn {}"
    game.tell(Event("plot", words, (name, plot.task, aim, plot.due), "NEU-2", units, (plot.at,), only=(plot.side,)))


# --- offers -------------------------------------------------------------------------------------------------


def offers(position: Position, side: Side, unit: Stand) -> Iterator[Offer]:
    """The missions of a unit: each target of each spotter, and smoke; templates turned as the player likes."""
    if cannot_record(position, side, unit):
        return
    for spotter in spotters(position, side):
        for target in position.enemies(side):
            if target.at is not None:
                yield from _at(position, side, unit, spotter, (target.id, target.at))
        for name, at in _structures(position):
            yield from _at(position, side, unit, spotter, (name, at))
    yield from _smoke(position, side, unit)


def _structures(position: Position) -> Iterator[tuple[str, Point]]:
    """The bridges of the table and the fortifications on it, with their places."""
    yield from ((bridge.id, fallen(bridge).at) for bridge in position.table.ground.of_kind("bridge"))
    yield from ((work.id, work.at) for work in position.works.values() if work.kind == "fort")


def _at(position: Position, side: Side, unit: Stand, spotter: Stand, target: tuple[str, Point]) -> Iterator[Offer]:
    """The missions of a unit against a target at its point; the template lies in the direction of fire at first."""
    name, at = target
    along = bearing(unit.at, at) if unit.at is not None else 0
    for task in FIRE:
        for shape in SHAPES:
            example = Designate(unit.id, name, spotter.id, task, shape, along)
            if shape == SHAPES[0] and cannot_designate(position, side, example):
                break
            yield example
            yield Region(example, (*at, *at), ("facing",))


def _smoke(position: Position, side: Side, unit: Stand) -> Iterator[Offer]:
    if smoke.fires_no_smoke(position, unit):
        return
    for spotter in spotters(position, side):
        assert spotter.at is not None
        for shape in SHAPES:
            example = DesignateSmoke(unit.id, spotter.at, spotter.id, shape, 0)
            yield Region(example, smoke.around(position, spotter), ("to", "facing"))
