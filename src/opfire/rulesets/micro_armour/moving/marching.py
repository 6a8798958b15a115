"""Legs of a move [8.3]: which legs a stand may go, and the leg carried out inch by inch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.micro_armour.artillery.coordinates import own_edge
from opfire.rulesets.micro_armour.charts import Charts
from opfire.rulesets.micro_armour.formations import is_broken
from opfire.rulesets.micro_armour.moving import loads
from opfire.rulesets.micro_armour.moving.points import allowance, can_turn
from opfire.rulesets.micro_armour.moving.prices import (
    EASY,
    WATERS,
    Mover,
    Prices,
    cost_beside,
    prohibited,
    rough_cost,
    traced,
)
from opfire.rulesets.micro_armour.moving.stretches import bill, paid, paid_ahead, paid_in_turn
from opfire.rulesets.micro_armour.pieces import Position, Progress, Stand, UnitId, Work, adjacent, nearby, others_at
from opfire.rulesets.micro_armour.weather import frozen
from opfire.space.measure import MICRO, SLACK, bearing, direction, length, square, turning
from opfire.space.squares import around, footprint, overlap
from opfire.space.terrain.legs import Leg, bumps, stopped

PASSING = 950
"""A stand passes another whose centre it keeps this far away from (1/1000 inch): RULINGS.md R24."""


class Move(Action, frozen=True):
    """Move a stand straight on to a point (1/1000 inch), there to face a whole number of degrees."""

    says = "{unit} moves to {to}"
    kind = "move"
    unit: UnitId
    to: Point
    facing: int


# --- the mover and its points -------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _prices(charts: Charts, mover: Mover, weather: tuple[str, ...], adds_all: bool, exact: bool) -> Prices:
    return Prices(charts, mover, weather, adds_all, exact)


def mover(unit: Stand) -> Mover:
    """A stand as far as ground is concerned."""
    kind = unit.kind
    by = "T" if unit.swims else kind.mov_class or "F"  # clear ground costs a point an inch: RULINGS.md R35
    return Mover(by, unit.armoured, unit.personnel, unit.swims, kind.has("boat"), "skis" in unit.equipment)


def prices(position: Position, unit: Stand) -> Prices:
    """The prices that a stand pays now."""
    made = position.setting
    return _prices(position.charts, mover(unit), made.sections.weather, made.has("R21"), made.has("R20"))


def whole_allowance(position: Position, unit: Stand) -> int:
    """The points of a stand for a phase, in 10^-6 movement points [8.3.1-points, 8.3.1-half, 10.11.1, WD.mov]."""
    kind = unit.kind
    if unit.swims or kind.has("boat"):
        return allowance(unit.boats or kind.amph_points or 0, unit.posture == "fire/move")
    if has := loads.burden(position, unit):
        return has.road
    favour = favoured(position, unit)
    return allowance(favour.points if favour else kind.mov_points or 0, unit.posture == "fire/move")


class Favour(NamedTuple):
    """The points of a stand that has more on some ground, the kinds of that ground, and the rule.

    Clear ground belongs to it if `clear`.
    """

    points: int
    kinds: frozenset[str]
    clear: bool
    rule: str


MOUNTAINS = frozenset({"steep-slope", "rock", "rough-2", "rough-3"})
CLIMBING = 5
"""The ground on which mountain infantry has more points, and its points there [10.13-mountain]."""


def favoured(position: Position, unit: Stand) -> Favour | None:
    """The ground on which a stand has more points: bicycles [10.11.1], skis in snow [10.13-ski], mountain infantry
    [10.13-mountain]; None for others.
    """
    kind = unit.kind
    if kind.road_bonus_foot is not None:
        return Favour(kind.road_bonus_foot, EASY, clear=True, rule="10.11.1")
    if "skis" in unit.equipment and snow(position):
        return Favour((kind.mov_points or 0) + 1, frozenset({"track"}), clear=True, rule="10.13-ski")
    if "mountain" in unit.equipment:
        return Favour(CLIMBING, MOUNTAINS, clear=False, rule="10.13-mountain")
    return None


def snow(position: Position) -> bool:
    """Whether snow lies [9.6.2-snow, 9.6.2-deep]."""
    return any(position.charts.weather[name].ground for name in position.setting.sections.weather)


def rough_allowance(unit: Stand) -> int:
    """The points that a stand may spend on other ground than that which favours it [10.11.1]."""
    return allowance(unit.kind.mov_points or 0, unit.posture == "fire/move")


def on_rough(position: Position, unit: Stand, way: Leg, price: Prices) -> int:
    """The part of a leg's cost that is spent on ground which does not favour its mover [10.11.1, 10.13-ski, 12.7]."""
    if loads.burden(position, unit):
        return cost_beside(way, price, loads.WAYS)
    favour = favoured(position, unit)
    return rough_cost(way, price, favour.kinds, clear=favour.clear) if favour else 0


def off_roads(position: Position, unit: Stand, way: Leg, price: Prices) -> int:
    """The part of a leg's cost that a loaded carrier spends beside roads [12.7]."""
    return cost_beside(way, price, loads.ROADS) if loads.burden(position, unit) else 0


def left(position: Position, unit: Stand) -> int:
    """The points that a stand has left, in 10^-6 movement points."""
    return max(whole_allowance(position, unit) - unit.spent, 0)


# --- checks -------------------------------------------------------------------------------------------------


def cannot_march(position: Position, unit: Stand, move: Move) -> Refusal | None:
    """Reject a leg that the stand may not go [8.3.2 to 8.3.9]."""
    assert unit.at is not None
    if unit.overruns and move.to != unit.at:
        return Refusal("{} ends its move beside the stand that it has overrun.", "8.7.1-move", (unit.name,))
    if not 0 <= move.facing < 360:
        return Refusal("{} is no facing: choose 0 to 359 degrees", PROCEDURE, (move.facing,))
    if move.to == unit.at:
        return _cannot_turn(position, unit, move)
    if not position.table.holds(move.to):
        return Refusal("{} is too near the edge of the table, or off it", PROCEDURE, (tenths(move.to),))
    way = traced(position.ground, unit.at, move.to, prices(position, unit))
    return (
        too_far(position, unit, way)
        or _barred(position, unit, way)
        or keeps_afloat(position, unit, move.to)
        or pinned(position, unit)
        or wrong_way(position, unit, move.to)
        or in_the_way(position, unit, move.to)
        or cannot_stand(position, unit, move.to, move.facing)
    )


def _cannot_turn(position: Position, unit: Stand, move: Move) -> Refusal | None:
    """Reject a turn in place [8.3.7-free, 8.3.7-zero]."""
    if move.facing == unit.facing:
        return Refusal("{} stands there already: choose another place, or Stop", PROCEDURE, (unit.name,))
    if not can_turn(unit.kind):
        return Refusal("{} is too large to turn: a transport moves it.", "8.3.7-zero", (unit.name,))
    return cannot_stand(position, unit, move.to, move.facing)


def in_water(position: Position, at: Point) -> bool:
    """Return whether a point lies in water that no bridge and no ford covers; ice is none [9.6.2-ice]."""
    if frozen(position.setting):
        return False
    here = position.ground.features_at(at)
    return any(each.kind in WATERS for each in here) and all(each.shape != "crossing" for each in here)


def keeps_afloat(position: Position, unit: Stand, to: Point) -> Refusal | None:
    """Reject a leg of infantry in boats that ends ashore: landing takes a roll [8.9.4-land]."""
    if unit.boats and unit.swims and not in_water(position, to):
        return Refusal("{} is in boats: it lands with a roll.", "8.9.4-land", (unit.name,))
    return None


def pinned(position: Position, unit: Stand) -> Refusal | None:
    """Reject a stand that is being overrun [8.7.1-pin] or assaulted [8.8.5]: it does not move away."""
    for enemy in position.enemies(unit.side):
        if unit.id in enemy.overruns:
            return Refusal("{} is being overrun by {}.", "8.7.1-pin", (unit.name, enemy.name))
        if enemy.assaults == unit.id:
            return Refusal("{} is being assaulted by {}.", "8.8.5", (unit.name, enemy.name))
    return None


def wrong_way(position: Position, unit: Stand, to: Point) -> Refusal | None:
    """Reject a leg of a broken stand that leads no nearer to its side's edge [12.1.5-6, 12.1.5.6]."""
    if not is_broken(position, unit) or unit.at is None:
        return None
    width, height = position.table.size
    edge = own_edge(position.setting, unit.side)
    away = [{"north": y, "south": height - y, "west": x, "east": width - x}[edge] for x, y in (unit.at, to)]
    if away[1] < away[0]:
        return None
    return Refusal("The force of {} is broken: it moves towards the {} edge.", "12.1.5-6", (unit.name, edge))


def too_far(position: Position, unit: Stand, way: Leg) -> Refusal | None:
    """Reject a leg that costs more than is left [8.3.2-pay]; a stand always goes its first inch [8.3.2-min]."""
    whole = whole_allowance(position, unit)
    if not unit.kind.mov_points and not unit.kind.amph_points:
        return Refusal("{} has no movement points: a transport moves it.", "8.3.1-points", (unit.name,))
    price = prices(position, unit)
    spent = paid(way, price, unit.stretch)
    first_inch = unit.gone + length(way.start, way.end) <= MICRO + SLACK
    if spent is None or (first_inch and not spent_on_loads(position, unit)):
        return None
    if unit.spent + spent > whole + SLACK:
        facts = (_points(spent), _points(max(whole - unit.spent, 0)))
        return Refusal("This costs {} movement points, and {} are left.", "8.3.1-points", facts)
    favour, rough = favoured(position, unit), rough_allowance(unit)
    if favour and unit.rough + on_rough(position, unit, way, price) > rough + SLACK:
        return Refusal("{} has {} points for such ground.", favour.rule, (unit.name, _points(rough)))
    return loads.too_heavy(position, unit, price, way)


def _barred(position: Position, unit: Stand, way: Leg) -> Refusal | None:
    """Reject a leg that the ground bars: for want of points, if they are all that the way over a bridge lacks."""
    refusal = prohibited(prices(position, unit), way)
    over = refusal and _over_a_bridge(position, unit, way)
    if over and unit.spent + over > whole_allowance(position, unit) + SLACK:
        facts = (_points(over), _points(left(position, unit)))
        return Refusal("The way over the bridge costs {} movement points, and {} are left.", "8.3.1-points", facts)
    return refusal


ENDS = 3 * INCH // 4
"""The ends of a way over an engineers' bridge, from its middle (1/1000 inch)."""


def _over_a_bridge(position: Position, unit: Stand, way: Leg) -> int | None:
    """The points (10^-6) of the cheapest way over a bridge of engineers to the end of a leg, if one leads there."""
    costs = (_way_over(position, unit, way, work) for work in position.works.values() if work.kind == "bridge")
    return min((cost for cost in costs if cost is not None), default=None)


def _way_over(position: Position, unit: Stand, way: Leg, bridge: Work) -> int | None:
    """The points of the way to a bridge, over it and on to the end of a leg; None where the ground bars it."""
    east, south = direction(bridge.facing)
    x, y = east * ENDS // MICRO, south * ENDS // MICRO
    ends = [(bridge.at[0] - x, bridge.at[1] - y), (bridge.at[0] + x, bridge.at[1] + y)]
    corners = (way.start, *sorted(ends, key=lambda end: square(end, way.start)), way.end)
    price = prices(position, unit)
    legs = [traced(position.ground, start, end, price) for start, end in pairwise(corners)]
    return None if any(prohibited(price, leg) for leg in legs) else paid_in_turn(legs, price, unit.stretch)


def spent_on_loads(position: Position, unit: Stand) -> bool:
    """Return whether a stand has spent all its points before it has gone anywhere, as on loading [8.4.3, 8.4.7-cost].

    The first inch is free of what the ground costs, not of that [8.3.2-min].
    """
    return not unit.gone and bool(unit.spent) and not left(position, unit)


def _points(amount: int) -> str:
    """Movement points with one decimal; costs are never shown too low.

    >>> _points(2_500_000), _points(1_414_213), _points(3_000_000)
    ('2.5', '1.5', '3')
    """
    tenths = -(-amount * 10 // MICRO)
    return f"{tenths // 10}.{tenths % 10}".removesuffix(".0")


def in_the_way(position: Position, unit: Stand, to: Point, through: UnitId = "") -> Refusal | None:
    """Reject a leg through an enemy [8.3.5-others, 8.3.6]; friends let each other pass [8.3.4].

    Armoured vehicles pass unarmed enemy vehicles freely [8.3.5-transport], and drive `through` a stand that they
    overrun. They pass armour after a test of nerve [8.3.6].
    """
    assert unit.at is not None
    open_to_it = (*braved(position, unit), through)
    enemies = (enemy for enemy in position.enemies(unit.side) if enemy.id not in open_to_it)
    barring = {enemy.at: enemy for enemy in enemies if not passes(unit, enemy)}
    met = bumps(unit.at, to, (at for at in barring if at is not None), PASSING)
    if not met:
        return None
    enemy = barring[met[0]]
    if unit.armoured and enemy.armoured:
        words = "{} is in the way: move beside it, and pass it after a test of nerve."
        return Refusal(words, "8.3.6", (enemy.name,))
    return Refusal("{} is in the way: only an overrun goes through it.", "8.3.5-others", (enemy.name,))


def braved(position: Position, unit: Stand) -> tuple[UnitId, ...]:
    """The armoured enemies through which a stand may go in the move that it is making [8.3.6]."""
    progress = position.progress
    return progress.braved if progress is not None and progress.unit == unit.id else ()


def passes(unit: Stand, enemy: Stand) -> bool:
    """Return whether a stand drives past an enemy: armour passes transports and unarmed vehicles [8.3.5-transport].

    Wagons and pack animals are transports too.
    """
    return unit.armoured and unarmed(enemy) and (enemy.vehicle or enemy.kind.kind == "transport")


def unarmed(unit: Stand) -> bool:
    """Whether a stand has no combat value [8.3.9]."""
    return not unit.kind.armed


def cannot_stand(position: Position, unit: Stand, at: Point, facing: int) -> Refusal | None:
    """Reject a place on another stand [8.3.4], and one beside an enemy for a stand without weapons [8.3.9]."""
    ring, there = footprint(at, facing), replace(unit, at=at, facing=facing)
    for other in nearby(position, unit, at):
        if other.side != unit.side and passes(unit, other) and not unarmed(unit):
            continue  # it is moved aside in the end, see `push_aside`
        if overlap(ring, other.ring):
            return Refusal("{} stands there: no two stands end a move on each other.", "8.3.4", (other.name,))
        if other.side != unit.side and unarmed(unit) and adjacent(there, other):
            return Refusal("{} is unarmed and does not stop beside {}.", "8.3.9", (unit.name, other.name))
    return None


# --- offers -------------------------------------------------------------------------------------------------


def legs(position: Position, unit: Stand) -> Iterator[Offer]:
    """The region of the legs that a stand may go, or of the facings that it may take."""
    assert unit.at is not None
    example = Move(unit.id, unit.at, unit.facing)
    if (far := farthest(position, unit)) > SLACK and not unit.overruns:
        yield Region(example, position.table.box(unit.at, far), ("to", "facing"))
    elif can_turn(unit.kind):
        yield Region(example, (*unit.at, *unit.at), ("facing",))


def farthest(position: Position, unit: Stand) -> int:
    """The way in 10^-6 inch that the points of a stand allow at most."""
    if (not whole_allowance(position, unit) and not unit.kind.mov_points) or spent_on_loads(position, unit):
        return 0
    return max(farthest_way(position, unit), MICRO - unit.gone)


def farthest_way(position: Position, unit: Stand) -> int:
    """The way in 10^-6 inch that the points of a stand allow on the cheapest ground, first inch or not."""
    price = prices(position, unit)
    return int((left(position, unit) + paid_ahead(unit.stretch, price)) / price.least)


def facing_to(at: Point, target: Stand) -> int:
    """The facing towards a stand of a stand beside it whose sides lie along its own."""
    assert target.at is not None
    wanted = bearing(at, target.at)
    return min(((target.facing + turn) % 360 for turn in (0, 90, 180, 270)), key=lambda own: turning(own, wanted))


# --- carrying out -------------------------------------------------------------------------------------------


def head_for(position: Position, move: Move) -> None:
    """Give the stand under way its next leg."""
    unit = position.units[move.unit]
    progress = under_way(position)
    before = (unit.spent, unit.gone, unit.rough, unit.unpaved)
    leg = {"origin": unit.at, "to": move.to, "facing": move.facing, "done": (0, 1), "before": before}
    assert unit.at is not None
    begun = {"stretch": unit.stretch, "path": (*progress.path, (unit.at, unit.facing))}
    position.progress = replace(progress, handling="", alighted=(), **begun, **leg)


def under_way(position: Position) -> Progress:
    """The move of the stand that is under way."""
    assert position.progress is not None
    return position.progress


def leg_of(position: Position) -> Leg:
    """The leg that the stand under way goes, as its mover finds it."""
    progress = under_way(position)
    assert progress.origin is not None
    assert progress.to is not None
    unit = position.units[progress.unit]
    return traced(position.ground, progress.origin, progress.to, prices(position, unit))


def next_inch(position: Position) -> Fraction:
    """The place on the leg at which the stand under way has gone the next whole inch of its move, or the end."""
    progress = under_way(position)
    assert progress.origin is not None
    assert progress.to is not None
    far, gone = length(progress.origin, progress.to), progress.before[1]
    if far == 0:
        return Fraction(1)
    here = gone + far * Fraction(*progress.done)
    halt = (int(here) // MICRO + 1) * MICRO - gone
    return min(Fraction(1), Fraction(halt, far))


def bring(game: Game[Position], place: Fraction) -> None:
    """Bring the stand under way to a place of its leg; it pays the part of the way that it has gone."""
    position, progress = game.state, under_way(game.state)
    mover = position.units[progress.unit]
    way, price = leg_of(position), prices(position, mover)
    spent, gone, rough, unpaved = progress.before
    start, at = way.start, stopped(way.start, way.end, place)
    before = mover.at
    paid_now, stretch = bill(way, price, progress.stretch, place)
    unit = position.put(
        progress.unit,
        at,
        facing=progress.facing,
        spent=spent + paid_now,
        stretch=stretch,
        on_road=follows_road(way, price, place) if way.pieces else mover.on_road,
        gone=gone + int(length(start, way.end) * place),
        rough=rough + int(on_rough(position, mover, way, price) * place),
        unpaved=unpaved + int(off_roads(position, mover, way, price) * place),
    )
    arrived = {"to": None, "through": progress.target} if place == 1 else {}
    position.progress = replace(progress, done=place.as_integer_ratio(), **arrived)
    assert before is not None
    words = "{} moves to {}" if at != before else "{} turns at {}"
    game.tell(Event("moved", words, (unit.name, tenths(at)), "8.3.2-pay", (unit.id,), (before, at)))


def follows_road(way: Leg, price: Prices, place: Fraction) -> bool:
    """Return whether a mover comes to a place of its leg at the rate of a road [9.1.4]."""
    passed = [piece for piece in way.pieces if piece.start.fraction < place]
    return bool(passed) and any(feature.kind in price.roads for feature in passed[-1].features)


def back_off(game: Game[Position], unit_id: UnitId) -> None:
    """A stand that is halted on another one goes back along its way until there is room [8.3.4]."""
    position = game.state
    unit = position.units[unit_id]
    if unit.at is None or cannot_stand_on(position, unit, unit.at) is None:
        return
    at, facing = way_back(position, unit)
    if (at, facing) != (unit.at, unit.facing):
        position.put(unit_id, at, facing=facing)
        words = "{} goes back to {}: there is no room to stop"
        game.tell(Event("moved", words, (unit.name, tenths(at)), "8.3.4", (unit_id,), (unit.at, at)))


def way_back(position: Position, unit: Stand) -> tuple[Point, int]:
    """The nearest point of the way that a stand has come at which there is room for it [8.3.4], and its facing there.

    It faces as it did on each leg, and at its beginning as it did before; without any room it stays.
    """
    assert unit.at is not None
    here = unit
    for origin, facing in reversed(under_way(position).path):
        assert here.at is not None
        places = (replace(here, at=at) for at in _backwards(here.at, origin))
        here = replace(here, at=origin, facing=facing)
        for there in (*places, here):
            assert there.at is not None
            if cannot_stand_on(position, there, there.at) is None:
                return there.at, there.facing
    return unit.at, unit.facing


def push_aside(game: Game[Position], unit_id: UnitId) -> None:
    """Move the enemy transports aside on which an armoured combat vehicle ends its move [8.3.5-transport].

    Each goes to the nearest place where it can stand; without any the vehicle goes back.
    """
    position = game.state
    unit = position.units[unit_id]
    if unit.at is None or unarmed(unit):
        return
    for other in [*nearby(position, unit, unit.at)]:
        if other.side == unit.side or not passes(unit, other) or not overlap(unit.ring, other.ring):
            continue
        room = next(_aside(position, unit, other), None)
        if room is None:
            return back_off(game, unit_id)
        position.put(other.id, room)
        facts, places = (other.name, tenths(room)), (unit.at, room)
        game.tell(Event("moved", "{} is pushed aside to {}", facts, "8.3.5-transport", (other.id,), places))


def _aside(position: Position, unit: Stand, other: Stand) -> Iterator[Point]:
    """The free places around a vehicle for a transport, the nearest first."""
    assert unit.at is not None
    assert other.at is not None
    here = other.at
    for at in sorted(around(unit.at, unit.facing), key=lambda at: square(here, at)):
        open_to_it = (
            position.table.holds(at) and prices(position, other).inch(position.ground.features_at(at)) is not None
        )
        if open_to_it and cannot_stand_on(position, other, at) is None:
            yield at


def cannot_stand_on(position: Position, unit: Stand, at: Point) -> Refusal | None:
    """Reject a place on another stand, for a stand that was forced to halt [8.3.4]."""
    other = next(others_at(position, unit, at, unit.facing), None)
    return None if other is None else Refusal("{} stands there.", "8.3.4", (other.name,))


def _backwards(at: Point, origin: Point) -> Iterable[Point]:
    """The points of the way back in steps of a tenth of an inch."""
    steps = max(1, 10 * length(at, origin) // MICRO)
    return (stopped(at, origin, Fraction(number, steps)) for number in range(1, steps + 1))


def finish(game: Game[Position]) -> None:
    """End the move of the stand under way: it moves once in a phase [8.3.1-points]."""
    position = game.state
    progress = position.progress
    if progress is None:
        return
    push_aside(game, progress.unit)
    if progress.halted:
        back_off(game, progress.unit)
    position.progress = None
    unit = position.change(progress.unit, moved=not progress.waits)
    if unit.boats and unit.gone and not unit.swims:
        position.change(progress.unit, boats=0)  # it marches off without them: RULINGS.md R57
