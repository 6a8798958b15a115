"""Legs of a move [MOV]: which stand may begin to move, which legs it may go, and the leg carried out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.panzerblitz_miniatures.command import not_commanded
from opfire.rulesets.panzerblitz_miniatures.moving.accounts import spent_before, spent_by
from opfire.rulesets.panzerblitz_miniatures.moving.hazards import deal_with, hazards, place_of
from opfire.rulesets.panzerblitz_miniatures.moving.legs import entered, road_length, traced
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import EASY, ROADS, Mover, Prices
from opfire.rulesets.panzerblitz_miniatures.moving.occupation import building_at, cannot_occupy, has_room, move_in
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import first_cut, next_inch, note, under_way, watches
from opfire.rulesets.panzerblitz_miniatures.moving.reach import Going, cannot_go, cannot_stop, may_always_move_an_inch
from opfire.rulesets.panzerblitz_miniatures.moving.works import blocks_beside
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    Position,
    Progress,
    Side,
    Stand,
    UnitId,
    designated,
    laying,
    not_at_hand,
)
from opfire.rulesets.panzerblitz_miniatures.setup import others
from opfire.rulesets.panzerblitz_miniatures.sighting.spotted import pass_by
from opfire.space.measure import MICRO, SLACK, length
from opfire.space.terrain.exact import Box, box
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.legs import Leg, stopped


class Move(Action, frozen=True):
    """Move a stand straight on to a point (1/1000 inch), there to face a whole number of degrees."""

    says = "{unit} moves to {to}"
    kind = "move"
    unit: UnitId
    to: Point
    facing: int


class Stop(Action, frozen=True):
    """The stand moves no farther."""

    says = "{unit} stops"
    kind = "done"
    unit: UnitId


# --- the mover and its ground -------------------------------------------------------------------------------

STORED = 1 << 62
"""The denominator of a place of a leg whose own is too large to be saved."""


def mover(position: Position, unit: Stand) -> Mover:
    """A stand as far as ground is concerned."""
    kind = unit.kind
    swims = kind.amphibious and position.setting.doctrine(unit.side).swims
    return Mover(kind.mode, kind.ccp, swims, unit.quick, climbs=unit.infantry, boat=kind.engineer == "F")


def prices(position: Position, unit: Stand) -> Prices:
    """The prices that a stand pays now; the blocks beside which it began its move are open to it [BLK-3]."""
    return position.setting.prices(mover(position, unit), frozenset(began_beside(position, unit)))


def began_beside(position: Position, unit: Stand) -> tuple[str, ...]:
    """The blocks beside which a stand began its movement phase [BLK-3]."""
    if position.progress is not None and position.progress.unit == unit.id:
        return position.progress.blocks
    assert unit.at is not None
    return tuple(sorted(blocks_beside(position.works.values(), unit.at, position.setting.base)))


def ground(position: Position) -> Ground:
    """The ground with the works on it."""
    return position.setting.country(position.works.values()).ground


def going(position: Position, unit: Stand) -> Going:
    """The points of a stand, and what it has spent of them in this phase.

    A mine clearing tank in a minefield keeps half of its allowance for leaving it [MCT-2].
    """
    whole = position.allowance(unit)
    flails = unit.kind.engineer == "MC" and unit.at is not None and "mines" in ground(position).at(unit.at).kinds
    return Going(whole - whole // 2 if flails else whole, unit.spent, unit.gone)


# --- checks -------------------------------------------------------------------------------------------------


def cannot_act(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand that does nothing in this phase: an enemy's, a passenger, a dispersed one, one out of command."""
    return not_at_hand(side, unit) or not_commanded(position, unit)


def cannot_begin(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand that does not move in this phase, or no farther [IF-8, MOV-4, MOV-5, OPP-5, CMD-2].

    Stands of the other side never do [MOV-10].
    """
    if refusal := not_at_hand(side, unit) or _stays(unit) or has_ended(unit):
        return refusal
    return designated(position, unit) or laying(position, unit) or not_commanded(position, unit)


def has_ended(unit: Stand) -> Refusal | None:
    """Reject a stand whose move is over [MOV-5], or that was loaded or unloaded [TRN-5]."""
    return Refusal("{} has ended its move", "MOV-5", (unit.name,)) if unit.moved else None


def _stays(unit: Stand) -> Refusal | None:
    """Reject a stand that has fired, or that cannot move by itself."""
    if unit.kind.mode == "TO" or not unit.kind.movement:
        return Refusal("{} cannot move by itself: a carrier tows it", "MOV-16", (unit.name,))
    if unit.aircraft:
        return Refusal("{} flies in the Air Phase", "AIP-1", (unit.name,))
    if unit.fired and not unit.split:
        return Refusal("{} has fired and does not move in this segment", "MOV-4", (unit.name,))
    if unit.reacted:
        return Refusal("{} used opportunity fire and does not move in this segment", "OPP-5", (unit.name,))
    return None


def cannot_move(position: Position, unit: Stand, move: Move) -> Refusal | None:
    """Reject a leg that the stand may not go now [MOV-1]."""
    assert unit.at is not None
    if not 0 <= move.facing < 360:
        return Refusal("{} is no facing: choose 0 to 359 degrees", PROCEDURE, (move.facing,))
    if not position.table.holds(move.to):
        return Refusal("{} is too near the edge of the table", "MOV-1", (tenths(move.to),))
    if move.to == unit.at:
        return Refusal("{} stands there already: choose another point, or stop", PROCEDURE, (unit.name,))
    if refusal := _from_upstairs(position, unit, move):
        return refusal
    land, around = ground(position), others(position, unit)
    return (
        cannot_occupy(position, unit, move.to)
        or (None if has_room(position, unit, move.to) else cannot_stop(land, move.to, around))
        or cannot_go(land, prices(position, unit), unit.at, move.to, going(position, unit), around)
        or _beyond_a_block(position, unit.at, move.to)
    )


def _from_upstairs(position: Position, unit: Stand, move: Move) -> Refusal | None:
    """Reject a way out of a building from an upper floor, or about in it [BLD-3]: RULINGS.md R82."""
    if not unit.floor:
        return None
    assert unit.at is not None
    building = building_at(position, unit.at)
    if building is not None and building == building_at(position, move.to):
        return Refusal("{} is in {} as a whole: move out, or to another floor", "BLD-3", (unit.name, building.name))
    if unit.floor > 1:
        return Refusal("{} goes down to the lowest floor first", "BLD-4", (unit.name,))
    return None


def _beyond_a_block(position: Position, start: Point, end: Point) -> Refusal | None:
    """Reject a leg through a block: a stand that has entered one stops in it [BLK-3]."""
    if not any(work.kind == "block" for work in position.works.values()):
        return None
    land = ground(position)
    met = entered(traced(land, start, end), "block")
    if met is None or met.feature in land.at(end).features:
        return None
    return Refusal("A stand that enters a block stops in it.", "BLK-3")


def another_moves(position: Position, unit_id: UnitId) -> Refusal | None:
    """Reject another unit than the one under way [MOV-5]."""
    progress = position.progress
    if progress is None or progress.unit == unit_id:
        return None
    return Refusal("Finish the move of {} first, or stop it", "MOV-5", (position.units[progress.unit].name,))


# --- offers -------------------------------------------------------------------------------------------------


def legs(position: Position, unit: Stand) -> Iterator[Offer]:
    """The region of the legs that a stand may go; none if nothing is left of its points."""
    if unit.at is None or cannot_begin(position, unit.side, unit):
        return
    if (far := farthest(position, unit)) > SLACK:
        yield Region(Move(unit.id, unit.at, unit.facing), position.table.box(unit.at, far), ("to", "facing"))


def farthest(position: Position, unit: Stand) -> int:
    """The way in 10^-6 inch that the points of a stand allow at most, on roads and in towns if any are near."""
    assert unit.at is not None
    progress, price = going(position, unit), prices(position, unit)
    left = max(progress.allowance - progress.spent, 0)
    by_right = MICRO - progress.gone if may_always_move_an_inch(price.mover, progress.allowance) else 0
    easily = int(left / price.easy)
    far = easily if _easy_ground_near(position, unit.at, easily) else int(left / price.plain)
    return max(far, by_right)


def _easy_ground_near(position: Position, at: Point, reach: int) -> bool:
    """Return whether a road or a town may lie within a reach (10^-6 inch) of a point."""
    by = reach * INCH // MICRO
    return any(
        left - by <= at[0] <= right + by and top - by <= at[1] <= bottom + by
        for left, top, right, bottom in _easy_ground(position.table.ground)
    )


@lru_cache(maxsize=16)
def _easy_ground(land: Ground) -> tuple[Box, ...]:
    """The rectangles around the roads and towns of a table."""
    features = (feature for feature in land.features if feature.kind in EASY)
    return tuple(box(rings[0]) for feature in features for rings in feature.parts)


# --- carrying out -------------------------------------------------------------------------------------------


def set_out(position: Position, unit: Stand) -> None:
    """Begin the move of a stand; others finish theirs first [MOV-5]."""
    if position.progress is None:
        position.progress = Progress(unit.id, () if unit.at is None else began_beside(position, unit))


def head_for(position: Position, move: Move) -> None:
    """Give the stand under way its next leg."""
    unit = position.units[move.unit]
    position.progress = replace(
        under_way(position),
        origin=unit.at,
        to=move.to,
        facing=move.facing,
        done=(0, 1),
        met=0,
        before=(unit.spent, unit.gone),
        counted=0,
    )


def march_on(game: Game[Position]) -> None:
    """Take the stand under way along its leg, up to the next hazard, to a chance for the enemy to fire, or to its end.

    The stand halts at the exact place at which an enemy has seen a quarter of the move; it stands at the point next to
    it, towards its start [OPP-6].
    """
    position, progress = game.state, under_way(game.state)
    unit, way, price = position.units[progress.unit], leg_of(position), prices_under_way(position)
    met = next(iter(hazards(unit, way)[progress.met :]), None)
    high = Fraction(1) if met is None else met.at.fraction
    found = watches(position, unit, way, price, high)
    cut = first_cut(position, unit, way, price, found)
    if (inch := next_inch(position, unit, way, price, high)) and (cut is None or inch.place < cut.place):
        cut = inch
    if cut:
        note(position, found, cut.cost)
        return _bring(game, stopped(way.start, way.end, cut.place), cut.place, spent_before(way, price, cut.place))
    note(position, found, spent_by(way, price, high))
    if met is None:
        return _arrive(game, spent_by(way, price, high))
    _bring(game, place_of(position, ground(position), way, met), high, spent_before(way, price, high))
    position.progress = replace(under_way(position), met=progress.met + 1)
    deal_with(game, unit.id, met)


def leg_of(position: Position) -> Leg:
    """The leg that the stand under way goes, as its mover finds it."""
    progress = under_way(position)
    assert progress.origin is not None
    assert progress.to is not None
    return traced(ground(position), progress.origin, progress.to)


def prices_under_way(position: Position) -> Prices:
    """The prices of the stand under way."""
    return prices(position, position.units[under_way(position).unit])


def _arrive(game: Game[Position], cost: int) -> None:
    """Bring the stand under way to the end of its leg; a block ends the move there [BLK-3]."""
    position, progress = game.state, under_way(game.state)
    assert progress.to is not None
    _bring(game, progress.to, Fraction(1), cost)
    blocked = entered(leg_of(position), "block") is not None
    position.progress = replace(under_way(position), to=None, halted=progress.halted or blocked)


def _bring(game: Game[Position], at: Point, place: Fraction, cost: int) -> None:
    """Bring the stand under way to a point of its leg; its Firing Position is lost with the first point [FPS-2]."""
    position, progress = game.state, under_way(game.state)
    unit = position.units[progress.unit]
    start, origin = unit.at, progress.origin
    assert start is not None
    assert origin is not None
    spent, gone = progress.before
    before = Fraction(*progress.done)
    position.progress = replace(progress, done=storable(place))
    if at != start:
        road = unit.by_road or begun_on_road(position)
        values = {
            "by_road": road,
            "road": unit.road + (road_length(leg_of(position), before, place) if road else 0),
            "spent": spent + cost,
            "gone": gone + length(origin, at),
            "position": False,
            "work": "",
            "floor": 0,
        }
        position.put(unit.id, at, facing=progress.facing, **values)
        _occupy(position, unit.id)
        pass_by(position, unit.id, start, at)
        game.tell(Event("moved", "{} moves to {}", (unit.name, tenths(at)), "MOV-1", (unit.id,), (start, at)))


def storable(place: Fraction) -> tuple[int, int]:
    """A place of a leg by numbers that a saved game can hold, 64 bits each.

    It is exact, or else rounded up by less than 2^-62 of the leg: the quarter that was reached there stays reached.

    >>> storable(Fraction(1, 3)), storable(Fraction(1, 3**50)) == (1, 2**62)
    ((1, 3), True)
    """
    if place.denominator < STORED:
        return place.as_integer_ratio()
    return -(-place.numerator * STORED // place.denominator), STORED


def _occupy(position: Position, unit_id: UnitId) -> None:
    """Note the works or the floor in which a stand is where it halts, if there is room for it [IMP-3, FRT-9, BLD-1]."""
    unit = position.units[unit_id]
    assert unit.at is not None
    if cannot_occupy(position, unit, unit.at) is None:
        move_in(position, unit_id)


def begun_on_road(position: Position) -> bool:
    """Return whether the leg of the stand under way begins at the road rate [OVR-11]."""
    progress = under_way(position)
    assert progress.origin is not None
    if ROADS.isdisjoint(ground(position).at(progress.origin).kinds):
        return False
    return any(feature.kind in ROADS for feature in leg_of(position).pieces[0].features)


def break_off(position: Position) -> None:
    """Forget the rest of the leg: the mover decides anew [OPP-6]."""
    position.progress = replace(under_way(position), to=None)


def finish(position: Position) -> None:
    """End the move of the stand under way: it is final [MOV-5]."""
    progress = position.progress
    if progress is not None:
        position.progress = None
        if position.units[progress.unit].spent:
            position.change(progress.unit, moved=True)
