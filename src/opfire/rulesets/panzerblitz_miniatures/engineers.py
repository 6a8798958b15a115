"""Engineers [ENG, CLM, DEM, CBK, RBK, STD-8] and bridge layers [BRL]: tasks of several turns in the movement phase.

A unit at work spends its movement phase on the task. Some steps come by themselves: a cleared work goes at the
beginning of the phase, a charge goes off when its engineers have left, and a tank bridge lies when the phase ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.panzerblitz_miniatures.charts import Task
from opfire.rulesets.panzerblitz_miniatures.fire.results import fell
from opfire.rulesets.panzerblitz_miniatures.moving.marching import (
    Move,
    cannot_act,
    cannot_begin,
    cannot_move,
    ground,
    has_ended,
    head_for,
)
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import under_way
from opfire.rulesets.panzerblitz_miniatures.moving.works import SPAN, Job, Work, ahead, ends
from opfire.rulesets.panzerblitz_miniatures.pieces import ADJACENT, Position, Side, Stand, UnitId, adjacent, clears
from opfire.space.measure import MICRO, square
from opfire.space.terrain.exact import near, sides
from opfire.space.terrain.features import Feature

CLEARED = ("mines", "block", "wreck")
"""The works that engineers clear, turn by turn [CLM-1, RBK-1, BRI-5]: RULINGS.md R109."""

OBSTACLES = frozenset({"stream", "gully", "water"})
"""The ground that a tank bridge crosses [BRL-1]."""

NO_MINES = frozenset({"water", "swamp"})
"""The ground that takes no mines [MIN-2]."""


class Clear(Action, frozen=True):
    """Begin to clear an adjacent minefield, block or wreck: its counter is inverted [CLM-1, RBK-1]."""

    says = "{unit} begins to clear {target}"
    kind = "work"
    unit: UnitId
    target: str


class Demolish(Action, frozen=True):
    """Spend a turn on a bridge to prepare its demolition [DEM-1]."""

    says = "{unit} prepares the demolition of the bridge"
    kind = "work"
    unit: UnitId


class CreateBlock(Action, frozen=True):
    """Spend a turn on a road to prepare a block [CBK-2]."""

    says = "{unit} prepares a block"
    kind = "work"
    unit: UnitId


class LayMines(Action, frozen=True):
    """Move an inch in a direction (degrees), and leave a minefield behind [STD-8]."""

    says = "{unit} moves an inch and lays mines behind it"
    kind = "work"
    unit: UnitId
    facing: int


class LayBridge(Action, frozen=True):
    """Lay a tank bridge in a direction (degrees), backing away an inch [BRL-1]."""

    says = "{unit} lays its bridge"
    kind = "work"
    unit: UnitId
    facing: int


class GiveUp(Action, frozen=True):
    """Give a task up."""

    says = "{unit} gives its task up"
    kind = "work"
    unit: UnitId


Step: TypeAlias = Clear | Demolish | CreateBlock | LayMines | LayBridge | GiveUp
TAKES: tuple[type[Action], ...] = (Clear, Demolish, CreateBlock, LayMines, LayBridge, GiveUp)


# --- checks that tasks share --------------------------------------------------------------------------------


def _idle(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a unit that cannot spend this phase at work [DEM-4]: dispersed, or after a move."""
    if refusal := cannot_act(position, side, unit) or has_ended(unit):
        return refusal
    return Refusal("{} has moved in this phase", "DEM-1", (unit.name,)) if unit.spent else None


def _no_engineer(unit: Stand) -> Refusal | None:
    """Reject a stand that is no engineer: others build nothing, and remove no blocks [BLK-5].

    Engineers that have no task fight as rifle infantry [STD-6].
    """
    if unit.kind.engineer == "X":
        return None
    return Refusal("{} is no engineer stand", "RBK-2", (unit.name,))


def _no_equipment(position: Position, unit: Stand, at: Point) -> Refusal | None:
    """Reject a task without the vehicle with the equipment beside its place, undispersed [ENG-4, ENG-6, ENG-7].

    A lost vehicle is not replaced [ENG-5].
    """
    vehicle = position.units.get(unit.equipment)
    if vehicle is None:
        return Refusal("{} has no vehicle with its equipment, and clears mines alone", "ENG-6", (unit.name,))
    if vehicle.at is None:
        return Refusal("{} is lost: {} clears mines alone", "ENG-6", (vehicle.name, unit.name))
    if vehicle.dispersed:
        return Refusal("{} is dispersed: the task waits for it", "ENG-7", (vehicle.name,))
    if square(vehicle.at, at) > (position.setting.base + ADJACENT) ** 2:
        return Refusal("{} is not adjacent to the place of the task", "ENG-4", (vehicle.name,))
    return None


def _other_job(position: Position, unit: Stand, job: Job | None) -> Refusal | None:
    """Reject a second task [CLM-5]."""
    own = position.jobs.get(unit.id)
    if own is None or (job is not None and (own.task, own.what) == (job.task, job.what)):
        return None
    return Refusal("{} has a task already: give it up first", "CLM-5", (unit.name,))


# --- clearing [CLM, RBK] ------------------------------------------------------------------------------------


def cannot_clear(position: Position, side: Side, action: Clear) -> Refusal | None:
    """Reject the beginning of the clearing of a work [CLM-1, CLM-5, RBK-1]."""
    unit, work = position.units[action.unit], position.works.get(action.target)
    if refusal := _idle(position, side, unit) or _no_engineer(unit):
        return refusal
    if work is None or work.kind not in CLEARED:
        return Refusal("Engineers clear minefields, blocks and wrecks", "ENG-1")
    assert unit.at is not None
    if clears(position, unit, work.id):
        rest = "stay beside it" if work.kind == "wreck" else "move onto it"
        return Refusal("{} clears it already: {}", "CLM-1", (unit.name, rest))
    if not _adjacent_to(position, unit, work):
        return Refusal("{} is not adjacent to the {}", "CLM-1", (unit.name, work.kind))
    if _upon(unit, work):
        return Refusal("{} is on the {}: it begins beside it", "CLM-1", (unit.name, work.kind))
    return _other_job(position, unit, None) or _without_vehicle(position, unit, work)


def _without_vehicle(position: Position, unit: Stand, work: Work) -> Refusal | None:
    """Reject work at a block or wreck without the vehicle; mines need none [ENG-4, ENG-6]."""
    return None if work.kind == "mines" else _no_equipment(position, unit, work.at)


def _upon(unit: Stand, work: Work) -> bool:
    """Return whether a unit is on a work: its centre lies on the square."""
    assert unit.at is not None
    return all(2 * abs(a - b) <= INCH for a, b in zip(unit.at, work.at, strict=True))


def _clear(game: Game[Position], action: Clear) -> None:
    position = game.state
    work = position.works[action.target]
    position.lay(replace(work, inverted=True))
    position.jobs[action.unit] = Job("clear", work.id)
    unit = position.units[action.unit]
    game.tell(Event("work", "{} begins to clear the {}", (unit.name, work.kind), "CLM-1", (unit.id,), (work.at,)))
    _busy(position, unit.id)


def _works_at(position: Position, unit: Stand, work: Work) -> bool:
    """Return whether engineers are where they clear a work: on it, at a wreck beside it [BRI-5]: RULINGS.md R109."""
    return _adjacent_to(position, unit, work) if work.kind == "wreck" else _upon(unit, work)


def _cleared(game: Game[Position], unit: Stand, job: Job) -> None:
    """Remove a work on which its engineers begin the phase, undispersed [CLM-1, CLM-2].

    At a wreck, which bars its place to them, they spend that turn beside it: RULINGS.md R109.
    """
    position = game.state
    work = position.works.get(job.what)
    if work is None:
        del position.jobs[unit.id]
        return
    if unit.dispersed or not _works_at(position, unit, work) or _without_vehicle(position, unit, work):
        return
    if work.kind == "wreck" and not job.turns:
        position.jobs[unit.id] = replace(job, turns=1)
    else:
        position.remove(work.id)
        del position.jobs[unit.id]
        game.tell(Event("work", "{} has cleared the {}", (unit.name, work.kind), "CLM-1", (unit.id,), (work.at,)))


# --- demolition and blocks [DEM, CBK] -----------------------------------------------------------------------


def cannot_demolish(position: Position, side: Side, action: Demolish) -> Refusal | None:
    """Reject a turn of demolition: the unit has to be on a bridge [DEM-1, ENG-4]."""
    unit = position.units[action.unit]
    if refusal := _idle(position, side, unit) or _no_engineer(unit):
        return refusal
    bridge = bridge_under(position, unit)
    if bridge is None:
        return Refusal("{} is not on a bridge", "DEM-1", (unit.name,))
    return _other_job(position, unit, Job("demolish", bridge.id)) or _no_equipment_at(position, unit, bridge)


def bridge_under(position: Position, unit: Stand) -> Feature | None:
    """The bridge of the table on which a unit is, if it has not fallen."""
    assert unit.at is not None
    own = position.table.ground.of_kind("bridge")  # a tank bridge is none of them
    return next((feature for feature in ground(position).at(unit.at).features if feature in own), None)


def _no_equipment_at(position: Position, unit: Stand, bridge: Feature) -> Refusal | None:
    """Reject work at a bridge to which the vehicle is not adjacent; on the bridge it is [ENG-4]."""
    vehicle = position.units.get(unit.equipment)
    if vehicle is None or vehicle.at is None or vehicle.dispersed:
        return _no_equipment(position, unit, (0, 0))
    reach = (position.setting.base + 2 * ADJACENT) // 2
    rings = (side for rings in bridge.parts for ring in rings for side in sides(ring))
    if bridge in position.table.ground.at(vehicle.at).features or any(near(vehicle.at, *s, reach) for s in rings):
        return None
    return Refusal("{} is not adjacent to the place of the task", "ENG-4", (vehicle.name,))


def cannot_create(position: Position, side: Side, action: CreateBlock) -> Refusal | None:
    """Reject a turn of work at a block: one in a game for each unit, on a road [CBK-1, ENG-4]."""
    unit = position.units[action.unit]
    if refusal := _idle(position, side, unit) or _no_engineer(unit):
        return refusal
    assert unit.at is not None
    if unit.built:
        return Refusal("{} has created its block", "CBK-1", (unit.name,))
    if "road" not in position.table.ground.at(unit.at).kinds:
        return Refusal("{} is not on a road", "CBK-1", (unit.name,))
    if any(work.kind == "block" and _upon(unit, work) for work in position.works.values()):
        return Refusal("There is a block already", "CBK-1")
    job = position.jobs.get(unit.id)
    if job is not None and job.task == "create block" and not at_place(position, unit, job):
        return Refusal("{} prepares a block at {}", "CBK-2", (unit.name, tenths(job.at)))
    return _other_job(position, unit, Job("create block")) or _no_equipment(position, unit, unit.at)


def _stay(game: Game[Position], unit_id: UnitId, job: Job) -> None:
    """A stationary turn is done."""
    position = game.state
    before = position.jobs.get(unit_id, job)
    now = position.jobs[unit_id] = replace(before, turns=before.turns + 1)
    unit = position.units[unit_id]
    left = max(needed(position, now) - now.turns, 0)
    rule = "DEM-1" if job.task == "demolish" else "CBK-2"
    one = "{} prepares the task: {} more turn, then it moves away"
    words = one if left == 1 else "{} prepares the task: {} more turns, then it moves away"
    game.tell(Event("work", words, (unit.name, left), rule, (unit_id,), (job.at,)))
    _busy(position, unit_id)


def task_of(position: Position, job: Job) -> Task:
    """The row of the chart of engineer tasks [DEM-1, CBK-2]."""
    if job.task == "demolish":
        return position.charts.tasks["demolish bridge"]
    woods = {"woods", "heavy-woods"} & set(position.table.ground.at(job.at).kinds)
    return position.charts.tasks[f"create block on {'a road in woods' if woods else 'another road'}"]


def needed(position: Position, job: Job) -> int:
    """The stationary turns that a try takes; the second try takes fewer [DEM-3, CBK-2]: RULINGS.md R97."""
    row = task_of(position, job)
    return row.turns if not job.failed else row.retry_turns or 0


def _left(game: Game[Position], unit: Stand, job: Job) -> None:
    """A unit with such a task ends its move elsewhere: if all is prepared, the die is rolled [DEM-1, CBK-3]."""
    position = game.state
    if job.away:
        del position.jobs[unit.id]  # it has gone off instead of coming back
    elif unit.dispersed or job.turns < needed(position, job):
        if job.failed or unit.dispersed:
            position.jobs[unit.id] = replace(job, away=True)
        else:
            del position.jobs[unit.id]
    elif _task_waits(position, unit, job):
        position.jobs[unit.id] = replace(job, away=True)
    else:
        _roll(game, unit, job)


def _task_waits(position: Position, unit: Stand, job: Job) -> bool:
    """Return whether the vehicle is missing at the place of the task."""
    bridge = _bridge(position, job)
    found = _no_equipment_at(position, unit, bridge) if bridge else _no_equipment(position, unit, job.at)
    return found is not None


def _bridge(position: Position, job: Job) -> Feature | None:
    return next((each for each in position.table.ground.of_kind("bridge") if each.id == job.what), None)


def _roll(game: Game[Position], unit: Stand, job: Job) -> None:
    """Roll for a demolition or a block [DEM-2, DEM-3, CBK-3]: RULINGS.md R36."""
    position = game.state
    row = task_of(position, job)
    dice = game.roll(1, 6)
    done = dice[0] <= row.succeeds_to
    words = "{} succeeds: {}" if done else "{} fails: {}"
    facts = (unit.name, row.task)
    game.tell(Event("work", words, facts, "DEM-2" if job.task == "demolish" else "CBK-3", (unit.id,), (job.at,), dice))
    if not done and not job.failed:
        position.jobs[unit.id] = replace(job, failed=1, turns=0, away=True)
        return
    del position.jobs[unit.id]
    if done:
        _finish(game, unit, job)


def _finish(game: Game[Position], unit: Stand, job: Job) -> None:
    position = game.state
    if bridge := _bridge(position, job):
        return fell(game, bridge)
    position.lay(Work(f"block of {unit.id}", "block", job.at, unit.side))
    position.change(unit.id, built=True)
    return None


# --- mines and tank bridges [STD-8, BRL] --------------------------------------------------------------------


def cannot_mine(position: Position, side: Side, action: LayMines) -> Refusal | None:
    """Reject the laying of mines [STD-8, MIN-1, MIN-2]."""
    unit = position.units[action.unit]
    if refusal := _idle(position, side, unit) or _no_engineer(unit) or cannot_begin(position, side, unit):
        return refusal
    assert unit.at is not None
    if not 0 <= action.facing < 360:
        return Refusal("{} is no direction: choose 0 to 359 degrees", PROCEDURE, (action.facing,))
    if not unit.mines:
        return Refusal("{} has no mines to lay", "STD-8", (unit.name,))
    if refusal := _no_truck(position, unit):
        return refusal
    if NO_MINES.intersection(position.table.ground.at(unit.at).kinds):
        return Refusal("No mines are laid at {}: its ground takes none", "MIN-2", (tenths(unit.at),))
    if any(work.kind == "mines" and _upon(unit, work) for work in position.works.values()):
        return Refusal("There is a minefield already", "MIN-1")
    return _other_job(position, unit, None) or cannot_move(position, unit, _an_inch(unit, action.facing, action.facing))


def _no_truck(position: Position, unit: Stand) -> Refusal | None:
    """Reject the laying of mines without the truck that carries them, intact and adjacent [STD-8]."""
    truck = position.units.get(unit.equipment)
    if truck is None or truck.at is None or truck.kind.type != "truck":
        return Refusal("{} has no truck with mines", "STD-8", (unit.name,))
    if not adjacent(position, truck, unit):
        return Refusal("{} is not with {}", "STD-8", (truck.name, unit.name))
    return None


def _an_inch(unit: Stand, towards: int, facing: int) -> Move:
    """A move of an inch in a direction."""
    assert unit.at is not None
    return Move(unit.id, ahead(unit.at, towards, INCH), facing % 360)


def cannot_bridge(position: Position, side: Side, action: LayBridge) -> Refusal | None:
    """Reject the laying of a tank bridge [BRL-1]: RULINGS.md R98."""
    unit = position.units[action.unit]
    if refusal := _idle(position, side, unit) or cannot_begin(position, side, unit):
        return refusal
    if unit.kind.engineer != "BL":
        return Refusal("{} is no bridge layer", "BRL-3", (unit.name,))
    if unit.built:
        return Refusal("{} has laid its bridge", "BRL-2", (unit.name,))
    if not 0 <= action.facing < 360:
        return Refusal("{} is no direction: choose 0 to 359 degrees", PROCEDURE, (action.facing,))
    return _spans_nothing(position, unit, action.facing) or cannot_move(
        position, unit, _an_inch(unit, action.facing + 180, action.facing)
    )


def _tank_bridge(unit: Stand, facing: int) -> Work:
    """The bridge that a layer would lay: it begins under the layer's centre."""
    assert unit.at is not None
    return Work(f"tank bridge of {unit.id}", "tank bridge", ahead(unit.at, facing, SPAN // 2), unit.side, facing=facing)


def _spans_nothing(position: Position, unit: Stand, facing: int) -> Refusal | None:
    """Reject a bridge that does not lead from bank to bank of a stream, a gully or a river."""
    bridge = _tank_bridge(unit, facing)
    table = position.table
    if not all(end in table for end in ends(bridge)):
        return Refusal("The bridge would reach beyond the table", "BRL-1")
    wet = [bool(OBSTACLES.intersection(table.ground.at(end).kinds)) for end in ends(bridge)]
    land = [span.feature.kind for span in table.ground.spans(*ends(bridge))]
    if any(wet) or OBSTACLES.isdisjoint(land):
        return Refusal("The bridge leads from bank to bank of a stream, gully or river", "BRL-1")
    return None


def _move_and(game: Game[Position], move: Move, job: Job) -> None:
    position = game.state
    position.jobs[move.unit] = job
    head_for(position, move)


def _laid(game: Game[Position], unit: Stand, job: Job) -> None:
    """The inch has been gone: the minefield lies behind, or the bridge will lie when the phase ends."""
    position = game.state
    arrived = unit.at == job.at and not unit.dispersed
    del position.jobs[unit.id]
    if not arrived:
        return
    if job.task == "lay bridge":
        spent = max(unit.spent, int(position.charts.named["bridge layer cost"]) * MICRO)
        position.change(unit.id, spent=spent, built=True, moved=True)
        position.jobs[unit.id] = replace(job, ready=True)
        return
    start = ahead(job.at, job.facing + 180, INCH)
    position.lay(Work(f"mines of {unit.id}, {unit.mines}", "mines", start, unit.side))
    position.change(unit.id, mines=unit.mines - 1, moved=True)
    game.tell(Event("work", "{} lays mines at {}", (unit.name, tenths(start)), "STD-8", (unit.id,), (start,)))


# --- the phase ----------------------------------------------------------------------------------------------


def begin_phase(game: Game[Position], side: Side) -> None:
    """Works that are cleared go; lost engineers leave theirs to others, who begin anew [CLM-1, CLM-4]."""
    position = game.state
    for name, job in [*position.jobs.items()]:
        unit = position.units[name]
        if unit.at is None:
            forget(position, name)
        elif unit.side == side and job.task == "clear":
            _cleared(game, unit, job)


def forget(position: Position, unit_id: UnitId) -> None:
    """Drop a task; the counter of a work is turned back [CLM-4]."""
    job = position.jobs.pop(unit_id)
    others = any(other.what == job.what for other in position.jobs.values())
    if job.what in position.works and not others:
        position.lay(replace(position.works[job.what], inverted=False))


def end_move(game: Game[Position], unit_id: UnitId) -> None:
    """The steps of a task when its unit ends a move: it has left its place, is back, or has gone its inch."""
    position = game.state
    job, unit = position.jobs.get(unit_id), position.units[unit_id]
    if job is None or unit.at is None:
        return
    match job.task:
        case "clear":
            if not _beside(position, unit, job):
                forget(position, unit_id)
        case "lay mines" | "lay bridge":
            _laid(game, unit, job)
        case _ if at_place(position, unit, job):
            position.jobs[unit_id] = replace(job, away=False)
        case _:
            _left(game, unit, job)


def _beside(position: Position, unit: Stand, job: Job) -> bool:
    work = position.works.get(job.what)
    return work is not None and _adjacent_to(position, unit, work)


def _adjacent_to(position: Position, unit: Stand, work: Work) -> bool:
    """Return whether a unit is adjacent to a work: RULINGS.md R9."""
    return unit.at is not None and square(unit.at, work.at) <= (position.setting.base + ADJACENT) ** 2


def at_place(position: Position, unit: Stand, job: Job) -> bool:
    """Return whether a unit is on its bridge, or at the place of its block."""
    assert unit.at is not None
    if job.task == "demolish":
        bridge = bridge_under(position, unit)
        return bridge is not None and bridge.id == job.what
    return all(2 * abs(a - b) <= INCH for a, b in zip(unit.at, job.at, strict=True))


def end_phase(game: Game[Position], side: Side) -> None:
    """Tank bridges lie from now on [BRL-2]."""
    position = game.state
    for name, job in [*position.jobs.items()]:
        unit = position.units[name]
        if job.ready and unit.side == side:
            del position.jobs[name]
            start = ahead(job.at, job.facing, INCH)
            bridge = _tank_bridge(replace(unit, at=start), job.facing)
            position.lay(bridge)
            game.tell(Event("work", "{} has laid a tank bridge", (unit.name,), "BRL-2", (name,), (bridge.at,)))


# --- the chapter --------------------------------------------------------------------------------------------


def offers(position: Position, unit: Stand) -> Iterator[Offer]:
    """The tasks that a unit may begin, go on with, or give up, each of them any number of times [ENG-1, STD-6]."""
    if not unit.kind.engineer or unit.at is None:
        return
    turned = set[type[Action]]()
    for action in _possible(position, unit):
        if cannot_work(position, unit.side, action) is None:
            yield action
            if isinstance(action, LayMines | LayBridge) and type(action) not in turned:
                turned.add(type(action))
                yield Region(action, (*unit.at, *unit.at), ("facing",))


def _possible(position: Position, unit: Stand) -> Iterator[Step]:
    yield from (Clear(unit.id, work.id) for work in position.works.values() if work.kind in CLEARED)
    yield Demolish(unit.id)
    yield CreateBlock(unit.id)
    if unit.mines:
        yield from (LayMines(unit.id, facing) for facing in range(0, 360, 45))
    if unit.kind.engineer == "BL":
        yield from (LayBridge(unit.id, facing) for facing in range(0, 360, 15))
    if unit.id in position.jobs:
        yield GiveUp(unit.id)


def cannot_work(position: Position, side: Side, action: Step) -> Refusal | None:
    """Reject a step of a task [ENG, CLM, DEM, CBK, BRL, STD-8]."""
    match action:
        case Clear():
            return cannot_clear(position, side, action)
        case Demolish():
            return cannot_demolish(position, side, action)
        case CreateBlock():
            return cannot_create(position, side, action)
        case LayMines():
            return cannot_mine(position, side, action)
        case LayBridge():
            return cannot_bridge(position, side, action)
        case GiveUp(name):
            return _nothing_to_give_up(position, side, position.units[name])


def _nothing_to_give_up(position: Position, side: Side, unit: Stand) -> Refusal | None:
    if refusal := cannot_act(position, side, unit) or has_ended(unit):
        return refusal
    job = position.jobs.get(unit.id)
    if job is None or job.task in ("lay mines", "lay bridge"):
        return Refusal("{} has no task to give up", PROCEDURE, (unit.name,))
    return None


def play(game: Game[Position], action: Step) -> None:
    """Carry a step of a task out."""
    position = game.state
    unit = position.units[action.unit]
    assert unit.at is not None
    match action:
        case Clear():
            _clear(game, action)
        case Demolish():
            bridge = bridge_under(position, unit)
            assert bridge is not None
            _stay(game, unit.id, Job("demolish", bridge.id, unit.at))
        case CreateBlock():
            _stay(game, unit.id, Job("create block", "", unit.at))
        case LayMines(_, facing):
            move = _an_inch(unit, facing, facing)
            _move_and(game, move, Job("lay mines", "", move.to, facing))
        case LayBridge(_, facing):
            move = _an_inch(unit, facing + 180, facing)
            _move_and(game, move, Job("lay bridge", "", move.to, facing))
        case GiveUp(name):
            forget(position, name)


def _busy(position: Position, unit_id: UnitId) -> None:
    """The unit spends its movement phase at work."""
    position.change(unit_id, moved=True)
    position.progress = replace(under_way(position), halted=True)
