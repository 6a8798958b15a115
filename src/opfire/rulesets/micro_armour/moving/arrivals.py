"""Reinforcements, and stands that leave the table [1.0-length]: RULINGS.md R31, R32."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.kit.table import EDGES
from opfire.rulesets.micro_armour import hiding
from opfire.rulesets.micro_armour.artillery.coordinates import own_edge
from opfire.rulesets.micro_armour.moving.marching import pinned, prices, too_far, wrong_way
from opfire.rulesets.micro_armour.moving.prices import prohibited, traced
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, not_yours
from opfire.rulesets.micro_armour.setup import unfit
from opfire.space.measure import square
from opfire.space.table import Table

NEAR_AN_EDGE = INCH
"""A stand leaves the table when its centre is at most this far from the edge (1/1000 inch): RULINGS.md R32."""


class Arrive(Action, frozen=True):
    """Bring a reinforcement onto the table at a point of its entry (1/1000 inch)."""

    says = "{unit} arrives at {to}"
    kind = "place"
    unit: UnitId
    to: Point


class Later(Action, frozen=True):
    """Bring no more reinforcements on in this turn."""

    says = "No more arrive in this turn"
    kind = "done"
    final = True


class Exit(Action, frozen=True):
    """Leave the table for good by an edge that is near."""

    says = "{unit} leaves the table by the {edge} edge"
    kind = "exit"
    final = True
    unit: UnitId
    edge: str


# --- reinforcements ---------------------------------------------------------------------------------------------------


def due(position: Position, side: Side) -> list[Stand]:
    """The side's reinforcements that may come on in this turn."""
    waiting = (unit for unit in position.pick(position.setting.ids[side]) if unit.status == "reserve")
    return [
        unit for unit in waiting if unit.id in position.setting.entries and entry(position, unit)[0] <= position.turn
    ]


def entry(position: Position, unit: Stand) -> tuple[int, tuple[str, ...]]:
    """The turn of arrival of a reinforcement, and its places: those of the scenario, or of a die [SC.setback.ctr]."""
    rolled = position.setting.troops(unit.side).entries
    if not rolled or unit.side not in position.rolled:
        return position.setting.entries[unit.id]
    found = rolled[position.rolled[unit.side]]
    return found.turn, found.entry


def roll_entries(game: Game[Position]) -> None:
    """Roll where and when reinforcements come, in the turn of the scenario: 1D8, halved [SC.setback.ctr]."""
    position = game.state
    for side in position.setting.sides:
        rolled = position.setting.troops(side).entries
        if not rolled or side in position.rolled or not due(position, side):
            continue
        (number,) = game.roll(1, 8)
        place = -(-number * len(rolled) // 8)
        position.rolled[side] = place - 1
        found, name = rolled[place - 1], position.setting.scenario.sides[side].name
        words, facts = "{}: the reinforcements arrive in turn {} at {}", (name, found.turn, found.entry[0])
        game.tell(Event("entered", words, facts, "SC.setback.ctr", dice=(number,)))


DEPTH = 3
"""The rows of stands that come on by an edge in one turn."""


def along(table: Table, name: str) -> Iterator[Point]:
    """The points of an entry: one point, or those of an edge of the table in rows of an inch, the outermost first."""
    if name not in EDGES:
        yield table.parse(name)
        return
    width, height = table.size
    for deep, far in product(range(DEPTH), range((height if name in ("west", "east") else width) // INCH)):
        row, place = deep * INCH + INCH // 2, far * INCH + INCH // 2
        yield {
            "north": (place, row),
            "south": (place, height - row),
            "west": (row, place),
            "east": (width - row, place),
        }[name]


def entry_points(position: Position, unit: Stand) -> Iterator[Point]:
    """The points at which a reinforcement comes on; a stand at an edge lies wholly on the table."""
    width, height = position.table.size
    half = INCH // 2
    names = entry(position, unit)[1]
    for x, y in chain.from_iterable(along(position.table, name) for name in names):
        yield max(half, min(x, width - half)), max(half, min(y, height - half))


def free_points(position: Position, unit: Stand) -> Iterator[Point]:
    """The points at which a reinforcement that is due can come on."""
    return (to for to in entry_points(position, unit) if unfit(position, unit, to, unit.facing) is None)


def cannot_arrive(position: Position, side: Side, action: Arrive) -> Refusal | None:
    """Reject a stand that is not due, and a point that is not its entry or has no room."""
    unit = position.units[action.unit]
    if refusal := not_yours(side, unit):
        return refusal
    if unit not in due(position, side):
        return Refusal("{} does not arrive in this turn.", PROCEDURE, (unit.name,))
    if action.to not in entry_points(position, unit):
        return Refusal("{} does not arrive at {}.", PROCEDURE, (unit.name, tenths(action.to)))
    return unfit(position, unit, action.to, unit.facing)


class Arrivals(Frame, frozen=True):
    """Reinforcements come on before postures are marked, those of the initiative side first: RULINGS.md R31."""

    takes = (Arrive, Later)
    step = "arrivals"
    rule = "1.0-length"
    question = "Bring reinforcements onto the table, or go on"
    done: tuple[Side, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        roll_entries(game)
        _ask(game, self.done)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in due(sight, side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield Later()
            return
        unit = sight.units[actor]
        if unit in due(sight, side):
            yield from (Arrive(actor, to) for to in dict.fromkeys(free_points(sight, unit)))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        return cannot_arrive(sight, side, action) if isinstance(action, Arrive) else None

    def play(self, game: Game[Position], action: Action) -> None:
        if isinstance(action, Arrive):
            unit = game.state.units[action.unit]
            if hiding.in_the_place(game, unit, action.to, unit.facing):
                return _ask(game, self.done)
            game.state.put(action.unit, action.to)
            facts = (unit.name, tenths(action.to))
            game.tell(Event("entered", "{} arrives at {}", facts, "1.0-length", (unit.id,), (action.to,)))
            return _ask(game, self.done)
        _ask(game, (*self.done, self.side))


def _ask(game: Game[Position], done: tuple[Side, ...]) -> None:
    """Ask the next side with stands that can arrive; then the turn goes on."""
    position = game.state
    for side in (position.initiative, position.setting.other[position.initiative]):
        if side not in done and any(_can_arrive(position, unit) for unit in due(position, side)):
            return game.swap(Arrivals(side, done))
    game.pop()


def _can_arrive(position: Position, unit: Stand) -> bool:
    return next(free_points(position, unit), None) is not None


# --- leaving ----------------------------------------------------------------------------------------------------------


def nearest(position: Position, at: Point, edge: str) -> Point:
    """The point of an edge that is nearest to a place."""
    width, height = position.table.size
    ends = {"north": (at[0], 0), "south": (at[0], height), "west": (0, at[1]), "east": (width, at[1])}
    return ends[edge]


def ways_out(position: Position, unit: Stand) -> frozenset[str]:
    """The edges by which a stand may leave: those of the scenario, and for armed stands the enemy's as long as he has
    guns off the map there [12.4].
    """
    made = position.setting
    enemy = made.other[unit.side]
    guns = made.has("12.4") and any(other.status == "off the map" for other in position.pick(made.ids[enemy]))
    return made.exits[unit.side] | ({own_edge(made, enemy)} if guns and unit.kind.armed else set())


def cannot_leave(position: Position, unit: Stand, action: Exit) -> Refusal | None:
    """Reject a stand that may not leave the table by that edge now; it pays the way to it."""
    if action.edge not in ways_out(position, unit):
        return Refusal("{} may not leave by the {} edge.", "1.0-length", (unit.name, action.edge))
    assert unit.at is not None
    end = nearest(position, unit.at, action.edge)
    if square(unit.at, end) > NEAR_AN_EDGE**2:
        return Refusal("{} is not within an inch of the {} edge.", "1.0-length", (unit.name, action.edge))
    if refusal := wrong_way(position, unit, end):
        return refusal
    price = prices(position, unit)
    way = traced(position.ground, unit.at, end, price)
    return too_far(position, unit, way) or prohibited(price, way) or pinned(position, unit)


def exits(position: Position, unit: Stand) -> Iterator[Exit]:
    """The edges by which a stand may leave the table now."""
    for edge in sorted(ways_out(position, unit)):
        if unit.at is not None and cannot_leave(position, unit, Exit(unit.id, edge)) is None:
            yield Exit(unit.id, edge)


def leave(game: Game[Position], action: Exit) -> None:
    """Take a stand and its cargo out of play; they are not eliminated."""
    position = game.state
    unit = position.units[action.unit]
    assert unit.at is not None
    leaving = (unit, *position.pick(unit.cargo))
    for each in leaving:
        position.left[each.id] = action.edge
    position.lift(unit.id, "exited")
    words = "{} leaves the table by the {} edge"
    game.tell(Event("exited", words, (unit.name, action.edge), "1.0-length", (unit.id,), (unit.at,)))
    if position.setting.has("12.4"):
        for each in leaving:
            silence(game, each, action.edge)


def silence(game: Game[Position], unit: Stand, edge: str) -> None:
    """An armed stand in the enemy's rear silences one of the batteries off the map for the rest of the game [12.4]."""
    position = game.state
    enemy = position.setting.other[unit.side]
    if own_edge(position.setting, enemy) != edge or not unit.kind.armed:
        return
    for battery in position.pick(position.setting.ids[enemy]):
        if battery.status == "off the map":
            position.change(battery.id, status="silent")
            words = "{} in its rear silences {}"
            return game.tell(Event("silent", words, (unit.name, battery.name), "12.4", (unit.id, battery.id)))
