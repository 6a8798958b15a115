"""Mines, wire and ditches under stands [11.1 to 11.3]: where they lie, whom they stop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point
from opfire.rulesets.micro_armour.moving.marching import cannot_stand_on
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, Work, WorkKind
from opfire.space.measure import square
from opfire.space.terrain.exact import inside, sides

STOPPING: frozenset[WorkKind] = frozenset({"mines", "wire", "ditch"})
"""The obstacles that stop stands [11.1.5, 11.2.1, 11.3.2]."""

RULES = {"mines": "11.1.5", "wire": "11.2.1", "ditch": "11.3.2"}


def holds(work: Work, at: Point) -> bool:
    """Return whether a point lies on a marker, its border included."""
    return square(work.at, at) < INCH * INCH and inside(at, [*sides(work.ring)])


def beneath(position: Position, at: Point, kinds: Iterable[WorkKind]) -> list[Work]:
    """The markers of these kinds under a point; a bridge leads across those under it [11.5.7-build]."""
    here = [work for work in position.works.values() if holds(work, at)]
    if any(work.kind == "bridge" for work in here):
        return []
    return [work for work in here if work.kind in kinds]


def obstacles_of(position: Position, unit: Stand) -> list[Work]:
    """The obstacles that a stand is on: those under its centre, RULINGS.md R51."""
    return [] if unit.at is None else beneath(position, unit.at, STOPPING)


def hostile(unit: Stand, work: Work) -> bool:
    """Whether mines are those of another side [11.1.7]."""
    return work.side != unit.side


def stopping(position: Position, unit: Stand) -> list[Work]:
    """The obstacles that keep a stand from going on in the turn in which it comes onto them; friendly mines do not."""
    return [work for work in obstacles_of(position, unit) if work.kind != "mines" or hostile(unit, work)]


def stop_upon(game: Game[Position], unit_id: UnitId, works: Sequence[Work]) -> list[Work]:
    """Tell that obstacles stop a stand, and shift it off all but the first; return them as they are now [11.1.5]."""
    position = game.state
    unit = position.units[unit_id]
    found = [_on_the_table(position, work) for work in works]
    assert unit.at is not None
    kind = found[0].kind
    game.tell(Event("stopped", "{} stops: {}", (unit.name, kind), RULES[kind], (unit_id,), (unit.at,)))
    if len(found) > 1:
        _shift(position, unit, found[0])
    return found


def set_down(game: Game[Position], unit_id: UnitId) -> None:
    """A stand that has got off its carrier onto obstacles moves no farther in this turn [11.1.5]."""
    if found := stopping(game.state, game.state.units[unit_id]):
        stop_upon(game, unit_id, found)
        game.state.change(unit_id, moved=True)


def _on_the_table(position: Position, work: Work) -> Work:
    """A marker that is met: one that was hidden comes on the table [SC.stark.hidden]."""
    if work.hidden:
        work = replace(work, hidden=False)
        position.lay(work)
    return work


def _shift(position: Position, unit: Stand, work: Work) -> None:
    """Shift a stand on two markers clearly onto one: half of the way to its middle [11.1.5]: RULINGS.md R51."""
    assert unit.at is not None
    to = (unit.at[0] + work.at[0]) // 2, (unit.at[1] + work.at[1]) // 2
    if cannot_stand_on(position, unit, to) is None:
        position.put(unit.id, to)
