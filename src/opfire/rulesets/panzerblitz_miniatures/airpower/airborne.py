"""Airborne troops [ABN]: paratroops and gliders land by a drop zone that its owner chooses and the dice move."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opfire.core.actions import NOBODY, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.airpower.air import everywhere
from opfire.rulesets.panzerblitz_miniatures.airpower.drift import drift
from opfire.rulesets.panzerblitz_miniatures.moving.occupation import move_in
from opfire.rulesets.panzerblitz_miniatures.pieces import Landing, Position, Side, UnitId, not_yours
from opfire.rulesets.panzerblitz_miniatures.setup import others, unfit
from opfire.space.measure import square

TREES = frozenset({"woods", "heavy-woods", "town", "building"})
"""Trees and urban areas, in which stands are lost [ABN-4, ABN-5]."""

WATER = frozenset({"water"})
"""Rivers, lakes and the sea, in which stands are lost [ABN-4, ABN-5]."""

STEP = INCH // 2
"""The distance of the places that are tried around a drop zone (1/1000 inch)."""


class DropAt(Action, frozen=True):
    """Choose the drop zone of a landing, called by the first of its stands."""

    says = "{unit} and those with it land at {to}"
    kind = "move"
    final = True
    unit: UnitId
    to: Point


class AirborneLanding(Frame, frozen=True):
    """The phasing side may land its airborne troops that are due [ABN-1]: RULINGS.md R104."""

    takes = (DropAt, EndPhase)
    step = "air"
    rule = "ABN-1"
    question = "Choose drop zones for your airborne troops, or let them wait"

    def begin(self, game: Game[Position]) -> None:
        if not due(game.state, self.side):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from due(sight, side)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        if actor == NOBODY:
            yield EndPhase()
        else:
            width, height = sight.table.size
            yield Region(DropAt(actor, (width // 2, height // 2)), everywhere(sight))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        return cannot_drop(sight, side, action.unit) if isinstance(action, DropAt) else None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case DropAt(unit, to):
                land(game, unit, to)
                self.begin(game)
            case EndPhase():
                game.pop()


def due(position: Position, side: Side) -> list[UnitId]:
    """The landings of a side that can take place now, each by its first stand."""
    return [name for name in position.setting.landings if cannot_drop(position, side, name) is None]


def cannot_drop(position: Position, side: Side, unit_id: UnitId) -> Refusal | None:
    """Reject a unit that leads no landing, or none that is due [ABN-1]."""
    unit, landing = position.units[unit_id], position.setting.landings.get(unit_id)
    if refusal := not_yours(side, unit):
        return refusal
    if landing is None or unit.status != "reserve":
        return Refusal("{} leads no landing from the air", "ABN-1", (unit.name,))
    if landing.turn > position.turn:
        return Refusal("{} lands from turn {} on", "ABN-1", (unit.name, landing.turn))
    return None


# --- landing --------------------------------------------------------------------------------------------------


def land(game: Game[Position], unit_id: UnitId, to: Point) -> None:
    """Roll for the drift of a landing, and bring its stands to the ground [ABN-1, ABN-2, ABN-3]."""
    position = game.state
    landing = position.setting.landings[unit_id]
    spot = drift(game, unit_id, to, "ABN-2")
    if spot not in position.table:
        for name in landing.units:
            lose(game, name, "ABN-3", "{} is blown off the table")
    elif landing.by == "glider":
        land_glider(game, landing, spot)
    else:
        for name in landing.units:
            land_paratroops(game, name, spot)


def land_paratroops(game: Game[Position], unit_id: UnitId, spot: Point) -> None:
    """A stand lands at the spot or the next free place: lost in water, and in trees by a 4, 5 or 6 [ABN-4]."""
    position = game.state
    at = place_near(position, unit_id, spot, lambda at: is_free(position, unit_id, at))
    kinds = position.table.ground.at(at).kinds
    if WATER.intersection(kinds):
        return lose(game, unit_id, "ABN-4", "{} lands in the water")
    if TREES.intersection(kinds):
        (die,) = game.roll(1, 6)
        if die >= position.charts.named["paratroops lost from"]:
            return lose(game, unit_id, "ABN-4", "{} is lost in trees or roofs", die)
    touch_down(game, unit_id, at)


def land_glider(game: Game[Position], landing: Landing, spot: Point) -> None:
    """A glider lands with all its passengers, or is lost in trees; in water each rolls to bail out [ABN-5]."""
    position = game.state
    kinds = position.table.ground.at(spot).kinds
    for name in landing.units:
        if WATER.intersection(kinds):
            bail_out(game, name, spot)
        elif TREES.intersection(kinds):
            lose(game, name, "ABN-5", "{} is lost as its glider crashes")
        else:
            touch_down(game, name, beside(position, name, spot))


def bail_out(game: Game[Position], unit_id: UnitId, spot: Point) -> None:
    """A passenger of a glider in the water survives with a 6, dispersed on the nearest shore [ABN-5, BAI-1]."""
    (die,) = game.roll(1, 6)
    if die < game.state.charts.named["bailing out"]:
        return lose(game, unit_id, "ABN-5", "{} drowns with its glider", die)
    touch_down(game, unit_id, beside(game.state, unit_id, spot))
    game.state.change(unit_id, order="dispersed")
    unit = game.state.units[unit_id]
    game.tell(Event("bailout", "{} gets ashore, dispersed", (unit.name,), "ABN-5", (unit_id,), (), (die,)))


def touch_down(game: Game[Position], unit_id: UnitId, at: Point) -> None:
    """Bring a stand to its place; landing is its move in this segment: RULINGS.md R104."""
    unit = game.state.put(unit_id, at, moved=True)
    move_in(game.state, unit_id)
    game.tell(Event("entered", "{} lands at {}", (unit.name, tenths(at)), "ABN-1", (unit_id,), (at,)))


def lose(game: Game[Position], unit_id: UnitId, rule: str, words: str, *dice: int) -> None:
    """Eliminate a stand that does not survive its landing."""
    name = game.state.units[unit_id].name
    game.state.lift(unit_id, "eliminated")
    game.tell(Event("eliminated", words, (name,), rule, (unit_id,), (), dice))


# --- places ---------------------------------------------------------------------------------------------------


def is_free(position: Position, unit_id: UnitId, at: Point) -> bool:
    """Return whether no stand or wreck is in the way of a stand that comes down here."""
    around = others(position, position.units[unit_id])
    there = (other.at for other in (*around.friends, *around.enemies, *around.wrecks))
    return position.table.holds(at) and not any(position.table.overlap(at, other) for other in there)


def beside(position: Position, unit_id: UnitId, spot: Point) -> Point:
    """The place nearest to a glider at which its passenger can stand; from the water the nearest shore [ABN-5]."""
    return place_near(position, unit_id, spot, lambda at: unfit(position, position.units[unit_id], at) is None)


def place_near(position: Position, unit_id: UnitId, spot: Point, fits: Callable[[Point], bool]) -> Point:
    """The place nearest to a spot that fits: the spot itself, or one in steps of half an inch around it."""
    if fits(spot):
        return spot
    width, height = position.table.size
    lattice = [(x, y) for y in range(spot[1] % STEP, height, STEP) for x in range(spot[0] % STEP, width, STEP)]
    found = sorted(lattice, key=lambda at: (square(at, spot), at))
    return next((at for at in found if fits(at)), spot)
