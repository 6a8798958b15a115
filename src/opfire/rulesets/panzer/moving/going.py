"""A move so far, what it may spend, and what its acts cost: steps, turns, passengers, walls [4.5.1, 6.6]."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.rulesets.panzer import conditions, control, stowed
from opfire.rulesets.panzer.fire import turrets
from opfire.rulesets.panzer.ground import Ground
from opfire.rulesets.panzer.moving import (
    costs,
    hull_down,
    legs,
    narrow,
    quickmarch,
    swimming,
    transport,
)
from opfire.rulesets.panzer.moving.costs import Rate, Step
from opfire.rulesets.panzer.moving.hull_down import Search
from opfire.rulesets.panzer.moving.quickmarch import Quickmarch
from opfire.rulesets.panzer.moving.transport import Dismount, Mount
from opfire.rulesets.panzer.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    not_yours,
    off_the_map,
    overstacked,
)
from opfire.rulesets.panzer.works import buildings, dust, obstacles
from opfire.rulesets.panzer.works.buildings import ComeOut, GoInside
from opfire.space.hexes import opposite


class Move(Action, frozen=True):
    """Move a vehicle into a neighbouring hex, forward or in reverse; `along_road` at the Path or Road rate."""

    says = "{unit} moves to {to}"
    kind = "move"
    unit: UnitId
    to: Hex
    along_road: bool = False


class Turn(Action, frozen=True):
    """Turn a vehicle in its hex to a facing (0 north, clockwise, to 5)."""

    says = "{unit} turns to {facing}"
    kind = "turn"
    unit: UnitId
    facing: int


class Escort(Action, frozen=True):
    """Begin a move with the leg units that advance under the cover of the vehicle [7.49]."""

    says = "{unit} moves together with the units under its cover"
    kind = "move"
    unit: UnitId


class ExitMap(Action, frozen=True):
    """Move a vehicle off the map for good [4.5.1.1.9]."""

    says = "{unit} leaves the map"
    kind = "exit"
    final = True
    unit: UnitId


class Stay(Action, frozen=True):
    """Carry out a command to move without leaving the hex, or end the move."""

    says = "{unit} moves no further"
    kind = "done"
    unit: UnitId


MOST_TURNED = 3
"""The hexsides that a vehicle turns in one hex at most: it then faces the other way [4.5.1.1.4]."""


class Going(NamedTuple):
    """A move so far: costs across country, steps, hexes by path and by road, hexsides turned in the hex.

    `loaded` says that passengers have mounted or dismounted in the hex, which is paid once [6.6.7.1.1-veh]; `quick`
    that it is a Quickmarch, `levels` the changes of Height [6.6.4.2-terr]; `tracks` are hexes along tracks [7.59.3],
    `met` the firing units whose barrages have attacked it in this move [6.6.6-attack]. `start`
    is the hex in which the move began, once it has been left [6.6.10-target]. `swung`
    are the hexsides by which the turret has turned in the hex [7.8.1]; the hexes of the `trail` are dusty if the
    vehicle is fast enough [6.1.4.3.12]. The step into the present hex cost `last`, of which the `ground` costs so much;
    it was `backed` into [6.6.3-check, 6.1.4.3.7], in the direction of its `way`.
    """

    spent: int = 0
    steps: int = 0
    paths: int = 0
    roads: int = 0
    turned: int = 0
    off_road: bool = False
    loaded: bool = False
    quick: bool = False
    levels: int = 0
    tracks: int = 0
    met: tuple[str, ...] = ()
    start: Hex = ""
    swung: int = 0
    trail: tuple[Hex, ...] = ()
    last: int = 0
    ground: int = 0
    backed: bool = False
    way: int = 0

    @property
    def rate(self) -> Rate:
        """The rate of a move along roads: that of the greater number of hexes, on a tie the path [4.5.1.1.5-a]."""
        if self.off_road or self.tracks or not (self.paths or self.roads):
            return "cross-country"
        return "road" if self.roads > self.paths else "path"


def cannot_move_now(side: Side, unit: Unit) -> Refusal | None:
    """Reject a vehicle without a command to move, or one that has moved [4.2-move, 4.2-short-halt, 4.5]."""
    if refusal := not_yours(side, unit) or off_the_map(unit):
        return refusal
    if unit.command not in ("move", "short halt"):
        return Refusal("{} has no command to move", "4.2", (unit.name,))
    if unit.track_hit:
        return Refusal("{} has a track hit and cannot move", "6.5.2.2.1", (unit.name,))
    return Refusal("{} has moved", "4.5.1.1", (unit.name,)) if unit.moved else None


def halvings(unit: Unit) -> int:
    """The halvings of the allowance: for a Short Halt, damage, suppression, a break of morale.

    Rules: [4.5.1.1.1-a, 6.6.2, 6.6.4.1-sh, 5.12, 7.1.5.2].
    """
    return int(unit.command == "short halt") + int(lamed(unit)) + bool(unit.suppression) + (unit.morale == "broken")


def lamed(unit: Unit) -> bool:
    """Return whether damage slows a vehicle: that to its turret alone does not [4.4.3.2.6-damaged, 6.5.2.2.4]."""
    return unit.damaged and unit.damaged_part != "turret"


def priced(position: Position, unit: Unit, move: Move) -> Step | Refusal:
    """The price of a step, or the reason for which it is impossible [4.5.1.1, 4.5.1.1.7]."""
    ground, here = conditions.surface(position, unit), str(unit.hex)
    way = position.map.direction(here, move.to)
    if way is None or move.to not in position.map:
        return Refusal("{} is not next to {}", "4.5.1.1", (move.to, here))
    if refusal := obstacles.bars(position, unit, move.to):
        return refusal
    if refusal := conditions.too_heavy(position, unit, move.to) or conditions.breaks_the_ice(position, unit, move.to):
        return refusal
    if legs.on_foot(unit):
        return _walk(position, unit, move)
    if refusal := legs.cannot_crawl(position, unit, move.to, _climbed(position, here, move.to)):
        return refusal
    manner = costs.ahead_or_back(unit.facing, way)
    if manner is None:
        return Refusal("{} faces another way: turn it first", "4.5.1.1", (unit.name,))
    if manner == "reverse" and (refusal := _drags(position, unit)):
        return refusal
    price = _driven(position, unit, move, ground)
    if isinstance(price, Refusal):
        return price
    if not move.along_road:
        smoke = smoking(position, move.to)
        entry = ground.entry(move.to, unit.ground.traction) or 0
        worked = obstacles.burden(position, unit, move.to, entry)
        price = price._replace(cost=price.cost + smoke + worked)
    if "R84" in position.setting.options or not (move.along_road or follows_road(position, here, move.to)):
        price = price._replace(cost=price.cost + conditions.surcharge(position, move.to))  # 7.36.3-snow
    return costs.reversed_step(price) if manner == "reverse" and not _drives_both_ways(position, unit) else price


BURNING = 1
"""The cost that Brew-Up Smoke adds to that of its hex, for a step and for a turn [4.5.1.1.2-busmoke]."""


def smoking(position: Position, hex: Hex) -> int:
    """The cost that Brew-Up Smoke adds in a hex; that of this step does not take effect yet [4.5.1.1.2-busmoke]."""
    return BURNING if position.wrecks.get(hex) == "BU" and hex not in position.smoking else 0


def _driven(position: Position, unit: Unit, move: Move, ground: Ground) -> Step | Refusal:
    """The price of a vehicle's step along a road, through water, or across country."""
    here = str(unit.hex)
    if move.along_road:
        return conditions.too_dark_for_roads(position, unit) or costs.along_road(
            ground, here, move.to, unit.ground.traction
        )
    if swimming.must_swim(position, unit, move.to):
        return swimming.step(position, unit, move.to)
    price = costs.step(ground, here, move.to, unit.ground.traction)
    if isinstance(price, Refusal) or not follows_road(position, here, move.to):
        return price
    climb = costs.climbing(ground, here, move.to, unit.ground.traction)
    return climb if isinstance(climb, Refusal) else Step(1 + climb)


def follows_road(position: Position, here: Hex, to: Hex) -> bool:
    """Return whether a step across country costs 1 because it follows a road, path or track [7.40, 7.59.3].

    The vehicle need not have started on it, and has no bonus rate and no bonus for Heights.
    """
    link, options = position.map.link(here, to), position.setting.options
    return bool(link) and ("7.59.3" if link == "track" else "7.40") in options


def _drags(position: Position, unit: Unit) -> Refusal | None:
    """Reject reverse moves of a vehicle that tows something [6.6.7.1-pass, 7.38.2.1]."""
    if transport.towing(position, unit):
        return Refusal("{} tows a unit and cannot move in reverse", "6.6.7.1-pass", (unit.name,))
    if conditions.tows_fuel(position, unit):
        return Refusal("{} tows its fuel and cannot move in reverse", "7.38.2.1", (unit.name,))
    return None


def _drives_both_ways(position: Position, unit: Unit) -> bool:
    """Return whether a vehicle moves in reverse at the cost of forward moves: dual driving controls [7.33]."""
    return "7.33" in position.setting.options and unit.vehicle.dual_drive


def _walk(position: Position, unit: Unit, move: Move) -> Step | Refusal:
    """The price of a step on foot; leg units have no road rate [6.6.4.1-mf]."""
    if move.along_road:
        return Refusal("{} has no road rate", "6.6.4.1-mf", (unit.name,))
    price = legs.step(position, unit, move.to)
    if isinstance(price, Refusal):
        return price
    return price._replace(cost=price.cost + conditions.surcharge(position, move.to))


def allowed_to(position: Position, unit: Unit, going: Going) -> int:
    """The allowance of a unit at the rate of its move [4.5.1.1.1, 6.6.4.1-mf, 6.6.4.2-terr]."""
    if going.quick and not (unit.suppression or unit.morale):  # 6.6.4.2-who: who is shaken on the way walks
        return quickmarch.allowance(unit)
    slower = halvings(unit) + conditions.slowed(position, unit)
    if "gear" in unit.collateral:
        return costs.allowance(costs.worn(unit.vehicle), going.rate, slower)
    if legs.on_foot(unit):
        return legs.allowance(unit, slower)
    return costs.allowance(unit.ground, going.rate, slower)


def after(position: Position, unit: Unit, move: Move, going: Going) -> Going | Refusal:
    """The move with one step more, or the reason against it; enemies bar narrow roads [7.30-enter]."""
    return narrow.held(position, unit, move.to) or stepped(position, unit, move, going)


def stepped(position: Position, unit: Unit, move: Move, going: Going) -> Going | Refusal:
    """The move with one step more, or the reason against it [4.5.1.1.2, 4.5.1.1.3, 4.5.1.1.5]."""
    if refusal := narrow.jammed(position, unit, move.to):
        return refusal
    if going.steps and going.off_road == move.along_road:
        return Refusal("A move is along the road or across country from its first step on", "4.5.1.1.5", ())
    if unit.column and not move.along_road:
        return Refusal("{} shares its command in a column: keep to the road", "6.2.1.1.3-road", (unit.name,))
    if going.steps and (refusal := legs.one_hex(unit)):
        return refusal
    price = priced(position, unit, move)
    if isinstance(price, Refusal):
        return price
    here = str(unit.hex)
    on_route = move.along_road or follows_road(position, here, move.to)
    if not on_route and (refusal := turrets.snagged(position, unit, move.to)):
        return refusal
    if move.along_road and (bad := blocked_route(position, unit, move.to)):
        return bad
    link, levels = position.map.link(here, move.to), going.levels + _climbed(position, here, move.to)
    if going.quick and (bad := quickmarch.off_limits(position, unit, move.to, levels)):
        return bad
    if refusal := control.breaks_order(position, unit, move.to, going.steps):
        return refusal
    own_rate = move.along_road and link == "track" and "7.59.3" in position.setting.options
    gone = going._replace(
        spent=going.spent + price.cost,
        steps=going.steps + 1,
        paths=going.paths + (move.along_road and link in ("path", "track") and not own_rate),
        roads=going.roads + (move.along_road and link in ("road", "highway")),
        turned=0,
        off_road=not move.along_road,
        loaded=False,
        levels=levels,
        tracks=going.tracks + own_rate,
        start=going.start or here,
        swung=0,
        trail=(*going.trail, here)
        if dust.rises(position, unit, here, move.to, by_road=move.along_road)
        else going.trail,
        last=price.cost,
        ground=position.setting.ground.entry(move.to, unit.ground.traction) or 0,
        backed=unit.is_vehicle and position.map.direction(here, move.to) == opposite(unit.facing),
        way=position.map.direction(here, move.to) or 0,
    )
    if price.takes_all:
        gone = spent_out(position, unit, gone)
    refusal = too_far(position, unit, going, gone, price)
    if refusal and move.along_road and becomes_road(position, replace(unit, hex=move.to), gone):
        return gone
    return refusal or gone


def becomes_road(position: Position, unit: Unit, going: Going) -> bool:
    """Return whether a route goes on along so much road that the Road rate pays for all of it [4.5.1.1.5-a]."""
    whole = allowed_to(position, unit, going._replace(roads=going.paths + 1))
    if going.rate != "path" or going.roads + whole - going.spent <= going.paths:
        return False
    for way, to in enumerate(position.map.neighbours[str(unit.hex)]):
        ahead = replace(unit, facing=opposite(way) if going.backed else way)
        leads = to is not None and _leads_on(position, ahead, ahead.facing, going)
        if leads and not isinstance(after(position, ahead, Move(unit.id, str(to), True), going), Refusal):
            return True
    return False


def must_follow_road(position: Position, unit: Unit, going: Going) -> Refusal | None:
    """Refuse the end of a move that only the Road rate of a longer route pays for [4.5.1.1.5-a]."""
    overdrawn = going.steps > 1 and going.rate == "path" and going.spent > allowed_to(position, unit, going)
    if overdrawn and becomes_road(position, unit, going):
        return Refusal("The way of {} is a path so far, and too long: follow the road", "4.5.1.1.5-a", (unit.name,))
    return None


def spent_out(position: Position, unit: Unit, going: Going) -> Going:
    """The move with nothing left of its allowance [4.5.1.1.2-wall, 7.34, 7.30-push]."""
    return going._replace(spent=max(going.spent, allowed_to(position, unit, going)))


def _climbed(position: Position, a: Hex, b: Hex) -> int:
    coords, ground = position.map.coords, position.setting.ground
    return abs(ground.height(coords[a]) - ground.height(coords[b]))


def too_far(position: Position, unit: Unit, going: Going, gone: Going, price: Step) -> Refusal | None:
    """Refuse a step beyond the allowance; the first one is free of it if nothing was spent [4.5.1.1.3, 6.6.4.1-mf]."""
    allowed = allowed_to(position, unit, gone)
    first = not going.steps and not going.spent
    if first:
        return None
    if price.takes_all:
        return Refusal("This step takes the whole allowance of {}", "4.5.1.1.2-wall", (unit.name,))
    if gone.spent <= allowed:
        return None
    rule = "6.6.4.1-mf" if legs.on_foot(unit) else "4.5.1.1.3"
    return Refusal("This costs {}, and {} has {} left", rule, (price.cost, unit.name, allowed - going.spent))


def blocked_route(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Refuse the road rate over a wreck, an enemy or an overstacked hex [4.5.1.1.5-b].

    Wrecks and enemy vehicles do not bar the runways and taxiways of an airfield [7.59.4-move], what is on the shoulder
    bars no road [7.30-push].
    """
    wide = conditions.on_airfield(position, hex)
    there = (other for other in position.at(hex) if not other.aside)
    others = [other for other in there if not (wide and other.is_vehicle and other.side != unit.side)]
    wrecked = narrow.wrecked(position, hex) and not wide
    if wrecked or any(work.kind in obstacles.OBSTACLES for work in position.works.get(hex, ())):
        return Refusal("The road is blocked in {}: move across country", "4.5.1.1.5-b", (hex,))
    if any(legs.blocks_road(other, unit.side) for other in others):
        return Refusal("The road is blocked in {}: move across country", "4.5.1.1.5-b", (hex,))
    if overstacked(position, hex, 1):
        return Refusal("One more vehicle overstacks {}: move across country", "4.5.1.1.5-b", (hex,))
    return None


def cannot_turn(position: Position, unit: Unit, facing: int, going: Going) -> Refusal | None:
    """Refuse a turn that costs more than is left, or the same facing again [4.5.1.1.4]."""
    if facing not in range(6) or facing == unit.facing:
        return Refusal("{} faces that way already, or there is no such way", "4.5.1.1.4", (unit.name,))
    if going.turned + costs.hexsides_turned(unit.facing, facing) > MOST_TURNED:
        return Refusal("{} has turned in this hex", "4.5.1.1.4", (unit.name,))
    if going.paths or going.roads or going.tracks:
        return None if _leads_on(position, unit, facing, going) else _off_the_route(unit)
    cost = turning(position, unit, facing, going)
    allowed = allowed_to(position, unit, going)
    if going.spent + cost <= allowed or not cost:
        return None
    return Refusal("This turn costs {}, and {} has {} left", "4.5.1.1.4", (cost, unit.name, allowed - going.spent))


def _leads_on(position: Position, unit: Unit, facing: int, going: Going) -> bool:
    """Return whether a vehicle with this facing would follow its route into the next hex, and not back.

    In reverse it is its rear that leads [4.5.1.1.5, 4.5.1.1.7].
    """
    way = opposite(facing) if going.backed else facing
    return bool(position.map.cells[str(unit.hex)].links[way]) and way != opposite(going.way)


def _off_the_route(unit: Unit) -> Refusal:
    return Refusal("{} keeps its facing along the road", "4.5.1.1.5", (unit.name,))


def turning(position: Position, unit: Unit, facing: int, going: Going) -> int:
    """The cost of a turn: in each hex one hexside is free, more cost the turn cost once.

    Rules: [4.5.1.1.4, 4.5.1.1.2-busmoke].
    """
    if legs.on_foot(unit):
        return 0
    sides, hex = going.turned + costs.hexsides_turned(unit.facing, facing), str(unit.hex)
    cost = costs.turn_cost(conditions.surface(position, unit), hex, sides) if going.turned <= 1 else 0
    return cost + smoking(position, hex) if cost else 0


def after_turn(position: Position, unit: Unit, facing: int, going: Going) -> Going:
    """The move with one turn more; it costs nothing along roads [4.5.1.1.4, 4.5.1.1.5]."""
    along = going.paths or going.roads or going.tracks
    spent = 0 if along else turning(position, unit, facing, going)
    turned = going.turned + costs.hexsides_turned(unit.facing, facing)
    return going._replace(spent=going.spent + spent, turned=turned)


def cannot_stop(position: Position, unit: Unit) -> Refusal | None:
    """Refuse the end of a move in a hex with armed enemies, or away from the units that share it [4.5.1.1.10]."""
    if any(other.side != unit.side for other in position.at(str(unit.hex))):
        return Refusal("The enemy is in {}: move on", "4.5.1.1.10", (unit.hex,))
    return control.left_behind(position, unit)


def exits(position: Position, unit: Unit, going: Going) -> Refusal | None:
    """Refuse leaving the map where no edge lies ahead or behind, or without the cost of the hex that is left.

    Rules: [4.5.1.1.9, 4.5.1.1.7].
    """
    hex = str(unit.hex)
    beyond = [way for way, next_hex in enumerate(position.map.neighbours[hex]) if next_hex is None]
    ahead = unit.facing in beyond or (legs.on_foot(unit) and bool(beyond))
    if not ahead and (opposite(unit.facing) not in beyond or _drags(position, unit)):
        return Refusal("{} does not face the edge of the map", "4.5.1.1.9", (unit.name,))
    on_route = bool(going.paths or going.roads or going.tracks)
    price = Step(1 if on_route else position.setting.ground.entry(hex, unit.ground.traction) or 1)
    cost = (price if ahead or _drives_both_ways(position, unit) else costs.reversed_step(price)).cost  # 4.5.1.1.7
    left = allowed_to(position, unit, going) - going.spent
    if cost <= left or not (going.steps or going.spent):
        return None
    return Refusal("Leaving the map costs {}, and {} has {} left", "4.5.1.1.9", (cost, unit.name, left))


def cannot_handle(position: Position, unit: Unit, action: Mount | Dismount, going: Going) -> Refusal | None:
    """Refuse mounting and dismounting beyond the allowance of the vehicle, or by its rules [6.6.7.1.1-veh]."""
    left = allowed_to(position, unit, going) - going.spent
    if fee(position, unit, action, going) > max(left, handling(position, unit, going)):
        return Refusal("{} takes its gun back with its whole move", "5.2.1", (unit.name,))
    return too_late(position, unit, going, left) or transport.cannot(position, unit, action)


def fee(position: Position, unit: Unit, action: Mount | Dismount, going: Going) -> int:
    """The cost of an act of passengers: a gun on the bed of its truck takes the whole allowance [5.2.1]."""
    if isinstance(action, Mount) and stowed.takes_all(position.charts, unit, position.units[action.passenger]):
        return allowed_to(position, unit, going)
    return handling(position, unit, going)


def too_late(position: Position, unit: Unit, going: Going, left: int) -> Refusal | None:
    """Refuse mounting and dismounting to a vehicle that has too little of its allowance left [6.6.7.1.1-veh]."""
    if (cost := handling(position, unit, going)) <= left:
        return None
    facts = (cost, unit.name, left)
    return Refusal("Mounting and dismounting cost {}, and {} has {} left", "6.6.7.1.1-veh", facts)


def cannot_pass(position: Position, unit: Unit, action: GoInside | ComeOut, going: Going) -> Refusal | None:
    """Refuse a drive into a building or out of it, by its rules or beyond the allowance [6.6.3-who, 6.6.3-stop]."""
    inward = isinstance(action, GoInside)
    if refusal := buildings.cannot_go_inside(position, unit) if inward else buildings.cannot_leave(position, unit):
        return refusal
    if refusal := turrets.snagged(position, unit, str(unit.hex)):
        return refusal
    if going.paths or going.roads or going.tracks:
        return Refusal("A move is along the road or across country from its first step on", "4.5.1.1.5", ())
    left, price = allowed_to(position, unit, going) - going.spent, passage(position, unit, going)
    if price <= left or only_hex(going):
        return None
    return Refusal("This costs {}, and {} has {} left", "4.5.1.1.3", (price, unit.name, left))


def direct(going: Going) -> bool:
    """Return whether a vehicle has just come forward from the next hex, so that it enters the building from there.

    Rules: [6.6.3-check, 6.6.3-who].
    """
    return bool(going.steps) and not (going.turned or going.loaded or going.backed)


def only_hex(going: Going) -> bool:
    """Return whether a drive into a building or out of it is the one hex that can always be moved [4.5.1.1.3]."""
    return not (going.steps or going.spent) or (direct(going) and going.steps == 1 and going.spent == going.last)


def passage(position: Position, unit: Unit, going: Going) -> int:
    """The cost of a building: from the next hex it takes the place of that of the alley [6.6.3-check]."""
    alley = going.ground if unit.is_vehicle and not unit.inside and direct(going) else 0
    return buildings.cost(position, unit) - alley


def cannot_climb(position: Position, unit: Unit, going: Going) -> Refusal | None:
    """Refuse a change of floors without a floor above, or beyond the allowance [6.1.4.3.1-b, 6.6.4.1-bldg]."""
    left = allowed_to(position, unit, going) - going.spent
    if refusal := buildings.cannot_change_floor(position, unit):
        return refusal
    if left >= buildings.FLOOR and not going.quick:
        return None
    return Refusal("Another floor costs {}, and {} has {} left", "6.6.4.1-bldg", (buildings.FLOOR, unit.name, left))


def cannot_adjust(position: Position, unit: Unit, facing: int, going: Going) -> Refusal | None:
    """Refuse a turn of the turret but in each new hex; long guns stay straight among houses and trees [7.8.1, 7.20]."""
    if not going.steps:
        return Refusal("{} turns its turret as it enters a hex", "7.8.1", (unit.name,))
    refusal = turrets.cannot_swing(position, unit, facing, going.swung)
    on_road = bool(going.paths or going.roads or going.tracks)
    after_it = turrets.directed(unit, facing)
    return refusal or (None if on_road else turrets.snagged(position, after_it, str(unit.hex)))


def handling(position: Position, unit: Unit, going: Going) -> int:
    """The cost of any mounting and dismounting in a hex: half of the allowance, rounded down [6.6.7.1.1-veh]."""
    return 0 if going.loaded else allowed_to(position, unit, going) // 2


def cannot_begin(position: Position, unit: Unit, action: Quickmarch | Search, going: Going) -> Refusal | None:
    """Refuse a Quickmarch or a search in the middle of a move: each is a whole move [6.6.4.2-terr, 6.6.9-misc]."""
    if going != Going():
        rule = "6.6.9-misc" if isinstance(action, Search) else "6.6.4.2-terr"
        return Refusal("{} has begun its move", rule, (unit.name,))
    match action:
        case Search():
            facing = action.facing in range(6)
            no_such = None if facing else Refusal("{} is no facing: choose 0 to 5", "3.3", (action.facing,))
            return no_such or hull_down.cannot_search(position, unit)
    return quickmarch.cannot_quickmarch(position, unit)
