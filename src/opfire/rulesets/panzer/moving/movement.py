"""The Movement Phase [4.5]: vehicles with Move or Short Halt commands move, step by step, under overwatch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.panzer import conditions, control, escorts, hiding, initiative, stowed
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire import dismount_attack, trailer, turrets
from opfire.rulesets.panzer.fire.dismount_attack import DismountAttack, cannot_dismount_attack
from opfire.rulesets.panzer.fire.losses import knock_out
from opfire.rulesets.panzer.fire.overrun import Announcing, Overrun, cannot_overrun, overrun, within_walls
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.plates import LOWER_HULL
from opfire.rulesets.panzer.fire.trailer import Jettison
from opfire.rulesets.panzer.fire.turrets import AdjustTurret
from opfire.rulesets.panzer.ground import SUNKEN, Ground
from opfire.rulesets.panzer.indirect import barrages, screens
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import (
    bogging,
    costs,
    hull_down,
    legs,
    narrow,
    quickmarch,
    searching,
    swimming,
    transport,
)
from opfire.rulesets.panzer.moving.costs import Rate, Step
from opfire.rulesets.panzer.moving.hull_down import Search
from opfire.rulesets.panzer.moving.narrow import Push
from opfire.rulesets.panzer.moving.quickmarch import Quickmarch
from opfire.rulesets.panzer.moving.searching import Course, FollowSound, Roam
from opfire.rulesets.panzer.moving.transport import Dismount, JumpOff, Mount
from opfire.rulesets.panzer.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    not_yours,
    off_the_map,
    on_roof,
    overstacked,
)
from opfire.rulesets.panzer.works import buildings, dust, hedges, mines, obstacles
from opfire.rulesets.panzer.works.buildings import ChangeFloor, ComeOut, GoInside
from opfire.rulesets.panzer.works.entrenching import occupy
from opfire.rulesets.panzer.works.hedges import DigHedge
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


# --- checks ----------------------------------------------------------------------------------------------------


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
        gone = _spent_out(position, unit, gone)
    refusal = _too_far(position, unit, going, gone, price)
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


def _spent_out(position: Position, unit: Unit, going: Going) -> Going:
    """The move with nothing left of its allowance [4.5.1.1.2-wall, 7.34, 7.30-push]."""
    return going._replace(spent=max(going.spent, allowed_to(position, unit, going)))


def _climbed(position: Position, a: Hex, b: Hex) -> int:
    coords, ground = position.map.coords, position.setting.ground
    return abs(ground.height(coords[a]) - ground.height(coords[b]))


def _too_far(position: Position, unit: Unit, going: Going, gone: Going, price: Step) -> Refusal | None:
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


# --- the step ---------------------------------------------------------------------------------------------------


WAYS = (
    *(Move, Turn, ExitMap, Stay, Quickmarch, Search, GoInside, ComeOut, ChangeFloor),
    *(
        Mount,
        Dismount,
        JumpOff,
        DismountAttack,
        Overrun,
        AdjustTurret,
        DigHedge,
        Push,
        Jettison,
        Escort,
        Roam,
        FollowSound,
    ),
)
"""The acts of a move."""


class MovementStep(Frame, frozen=True):
    """A side carries out its commands to move, one vehicle after the other; all must be revealed [4.5-a].

    In Staggered Initiative only those of a `group` move [7.42.2].
    """

    takes = (*WAYS, EndStep)
    step = "movement"
    rule = "4.5"
    question = "Move a unit, or end the step"
    together = True
    group: str = ""
    over: bool = False

    def begin(self, game: Game[Position]) -> None:
        """The Brew-Up Smoke of earlier steps takes effect [4.4.3.2.2-busmoke]."""
        game.state.smoking = ()

    def resume(self, game: Game[Position], result: object) -> None:
        """Stay for the next vehicle; the step is `over` after overwatch at those that stand still [4.5.1.1.8]."""
        if self.over:
            dust.spread(game.state)
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        for unit in sight.of(side):
            if unit.is_vehicle or not (cannot_move_now(side, unit) or self._waits(sight, unit)):
                yield unit.id

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (EndStep(),) if self._straggler(sight, side) is None else ()
        unit = sight.units[actor]
        if stands(unit):
            ways: Iterator[Action] = chain(transport.ways(sight, unit), dismount_attack.ways(sight, unit))
            return (way for way in ways if not self.group or self.refusal(sight, side, way) is None)
        moves = cannot_move_now(side, unit) is None and not self._waits(sight, unit)
        return ways_on(sight, unit, Going()) if moves else ()

    def prompt(self, sight: Position, side: str) -> str:
        bound = self._straggler(sight, side) if side == self.side else None
        return say("Move a unit ({})", bound.sentence()) if bound else super().prompt(sight, side)

    def _waits(self, position: Position, *units: Unit) -> Refusal | None:
        """Refuse units of which none has its turn [7.42.2]."""
        found = [initiative.not_its_turn(position, unit, self.group) for unit in units]
        return found[0] if all(found) else None

    def _movers(self, position: Position, side: str) -> list[Unit]:
        """The units that have a move left, and their turn for it."""
        units = (unit for unit in position.of(side) if cannot_move_now(side, unit) is None)
        return [unit for unit in units if not self._waits(position, unit)]

    def _straggler(self, sight: Position, side: str) -> Refusal | None:
        """Refuse the end of the step while a unit has to follow those that share its command [6.2.1.1.4-move]."""
        waiting = self._movers(sight, side)
        if seeker := next((unit for unit in waiting if searching.searches(sight, unit)), None):
            return Refusal("{} is on Random Recon: it has to move", "7.60.1-min", (seeker.name,))
        return next((found for unit in waiting if (found := control.left_behind(sight, unit))), None)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case EndStep():
                return self._straggler(sight, side)
            case Mount(unit) | Dismount(unit) | JumpOff(unit) | DismountAttack(unit):
                return self._cannot_load(sight, side, sight.units[unit], action)
        mover = sight.units[_mover(action)]
        refusal = cannot_move_now(side, mover) or self._waits(sight, mover)
        return refusal or cannot_go_on(sight, mover, action, Going())

    def _cannot_load(
        self, sight: Position, side: Side, vehicle: Unit, action: Mount | Dismount | JumpOff | DismountAttack
    ) -> Refusal | None:
        """Refuse acts of passengers; a vehicle that stands pays nothing for them [6.6.7.1.1-veh]."""
        if refusal := not_yours(side, vehicle) or off_the_map(vehicle):
            return refusal
        if refusal := self._waits(sight, vehicle, sight.units[action.passenger]):
            return refusal
        if stands(vehicle) and isinstance(action, DismountAttack):
            return cannot_dismount_attack(sight, vehicle, action)
        if stands(vehicle) and not isinstance(action, DismountAttack):
            return transport.cannot(sight, vehicle, action)
        refusal = cannot_move_now(side, vehicle) or self._waits(sight, vehicle)
        return refusal or cannot_go_on(sight, vehicle, action, Going())

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case EndStep():
                self._stand_still(game)
            case Mount(unit) | Dismount(unit) | JumpOff(unit) if stands(game.state.units[unit]):
                handle(game, action)
                if not isinstance(action, Mount):
                    hex = str(game.state.units[action.passenger].hex)
                    dismount_attack.alight(game, action.passenger, str(game.state.units[unit].hex))
                    other = game.state.setting.other[self.side]
                    game.push(Overwatch(other, (other, self.side), (action.passenger,), hex))
            case DismountAttack(unit) if stands(game.state.units[unit]):
                dismount_attack.storm(game, action)
            case _:
                mover = _mover(action)
                set_off(game, mover)
                game.push(Moving(self.side, mover, first=action, sound=not lamed(game.state.units[mover])))

    def _stand_still(self, game: Game[Position]) -> None:
        """The units that have not moved stay where they are, under overwatch; then the step is over [4.5.1.1.8]."""
        staying = [unit.id for unit in self._movers(game.state, self.side)]
        for name in staying:
            set_off(game, name)
            game.state.change(name, moved=True)
        targets = tuple(name for name in staying if game.state.units[name].moving)
        game.swap(replace(self, over=True))
        if not targets:
            return game.resume_top()
        other, hex = game.state.setting.other[self.side], str(game.state.units[targets[0]].hex)
        game.push(Overwatch(other, (other, self.side), targets, hex))


def _mover(action: Action) -> UnitId:
    """The unit that an action of a move names."""
    return str(getattr(action, "unit", ""))


def stands(unit: Unit) -> bool:
    """Return whether a vehicle has no command to move, so that passengers come and go for nothing [6.6.7.1.1-veh].

    One that a track hit has stopped before its move does not move, whatever its command [6.5.2.2.1].
    """
    lame = unit.track_hit and not unit.moved
    return unit.is_vehicle and (lame or unit.command not in ("move", "short halt"))


def set_off(game: Game[Position], unit_id: UnitId) -> None:
    """A vehicle begins its move: its command is open, and it is marked as moving, even if it stays.

    A unit that crawls does not count as moving. Hull Down positions and those at hedgerows are given up.
    Rules: [4.5.1, 4.5.1.1.8, 6.6.4.3-status, 6.6.9-leave, 7.45].
    """
    reveal(game, unit_id)
    hull_down.abandon(game, unit_id)
    checks.flinch(game, unit_id)
    game.state.change(unit_id, camouflaged=False, hedge="")
    if not game.state.units[unit_id].full_cover:  # 6.6.4.3-status: crawling is not moving
        game.state.change(unit_id, moving=True, fresh="move")


def ways_on(position: Position, unit: Unit, going: Going) -> Iterator[Action]:
    """Everything that a moving vehicle may do next; one on Random Recon has its course first [7.60.1-dir]."""
    if going == Going() and searching.searches(position, unit):
        yield Roam(unit.id)
        yield from searching.sounds(position, unit)
        return
    yield from plain_ways(position, unit, going)


def plain_ways(position: Position, unit: Unit, going: Going) -> Iterator[Action]:
    """Everything that a vehicle may do next that is not on Random Recon, or has its course."""
    for neighbour in position.map.neighbours[str(unit.hex)]:
        if neighbour is not None:
            for along in (False, True):
                move = Move(unit.id, neighbour, along)
                if not isinstance(after(position, unit, move, going), Refusal):
                    yield move
    if unit.is_vehicle and position.setting.advanced:
        targets = [enemy.id for enemy in position.enemies(unit.side) if not enemy.is_vehicle]
        found = (Overrun(unit.id, target, along) for target in targets for along in (False, True))
        yield from (act for act in found if cannot_go_on(position, unit, act, going) is None)
    begun: list[Quickmarch | Search] = []
    if going == Going() and cannot_escort(position, unit, going) is None:
        yield Escort(unit.id)
    if going == Going():
        begun = [Quickmarch(unit.id), *hull_down.searches(position, unit)]
        if hedges.OPTION in position.setting.options:
            hexes = (hex for hex in position.map.neighbours[str(unit.hex)] if hex)
            digs = (DigHedge(unit.id, hex) for hex in hexes)
            yield from (dig for dig in digs if cannot_go_on(position, unit, dig, going) is None)
        yield from narrow.pushes(position, unit)
    yield from (act for act in begun if cannot_begin(position, unit, act, going) is None)
    yield from (act for act in dismount_attack.ways(position, unit) if cannot_go_on(position, unit, act, going) is None)
    yield from (act for act in turrets.swings(position, unit) if cannot_go_on(position, unit, act, going) is None)
    walls = (GoInside(unit.id), ComeOut(unit.id), ChangeFloor(unit.id))
    yield from (act for act in walls if cannot_go_on(position, unit, act, going) is None)
    turns = (Turn(unit.id, facing) for facing in range(6) if facing != unit.facing)
    yield from (turn for turn in turns if cannot_turn(position, unit, turn.facing, going) is None)
    yield from (way for way in transport.ways(position, unit) if cannot_go_on(position, unit, way, going) is None)
    for last in (Jettison(unit.id), ExitMap(unit.id), Stay(unit.id)):
        if cannot_go_on(position, unit, last, going) is None:
            yield last


def cannot_go_on(position: Position, unit: Unit, action: Action, going: Going) -> Refusal | None:
    """Refuse the next act of a move; units on Random Recon roll for it, or follow a sound [7.60.1-dir]."""
    seeks = going == Going() and searching.searches(position, unit)
    if seeks != isinstance(action, Roam | FollowSound):
        text = "{} is on Random Recon: roll first" if seeks else "{} is not on Random Recon, or has begun its move"
        return Refusal(text, "7.60.1-dir", (unit.name,))
    return cannot_act(position, unit, action, going)


def cannot_act(position: Position, unit: Unit, action: Action, going: Going) -> Refusal | None:
    """Refuse the next act of a move by the rules of that act."""
    match action:
        case Roam():
            return None
        case FollowSound():
            return searching.cannot_follow(position, unit, action)
        case Move():
            found = after(position, unit, action, going)
            return found if isinstance(found, Refusal) else None
        case Overrun():
            return cannot_drive_over(position, unit, action, going)
        case DismountAttack():
            left = allowed_to(position, unit, going) - going.spent
            return too_late(position, unit, going, left) or cannot_dismount_attack(position, unit, action)
        case Escort():
            return cannot_escort(position, unit, going)
        case ChangeFloor():
            return cannot_climb(position, unit, going)
        case AdjustTurret(_, facing):
            return cannot_adjust(position, unit, facing, going)
        case DigHedge(_, hex):
            begun = Refusal("{} has begun its move", "7.45", (unit.name,)) if going != Going() else None
            return begun or hedges.cannot_dig_in(position, unit, hex)
        case Jettison():
            return trailer.cannot_jettison(position, unit)
        case Push(_, target):
            begun = Refusal("{} has begun its move", "7.30-push", (unit.name,)) if going != Going() else None
            return begun or narrow.cannot_push(position, unit, target)
        case Turn(_, facing):
            return cannot_turn(position, unit, facing, going)
        case ExitMap():
            return exits(position, unit, going)
        case Mount() | Dismount():
            return cannot_handle(position, unit, action, going)
        case Quickmarch() | Search():
            return cannot_begin(position, unit, action, going)
        case GoInside() | ComeOut():
            return cannot_pass(position, unit, action, going)
        case JumpOff():
            return transport.cannot(position, unit, action)
    return cannot_stop(position, unit) or must_follow_road(position, unit, going)


def cannot_escort(position: Position, unit: Unit, going: Going) -> Refusal | None:
    """Refuse Assault Cover in the middle of a move, or without leg units that share the command [7.49-cond]."""
    if going == Going() and escorts.followers(position, unit):
        return None
    return Refusal("Nobody begins a move under the cover of {}", "7.49-cond", (unit.name,))


def cannot_drive_over(position: Position, unit: Unit, act: Overrun, going: Going) -> Refusal | None:
    """Refuse an Overrun of a unit that cannot be overrun, or into a hex that cannot be entered [6.6.10-target].

    The target is spotted before the vehicle sets off.
    """
    target = position.units[act.target]
    if refusal := cannot_overrun(position, replace(unit, hex=going.start or unit.hex), target):
        return refusal
    found = driven_over(position, unit, act, going)
    return found if isinstance(found, Refusal) else None


def driven_over(position: Position, unit: Unit, act: Overrun, going: Going) -> Going | Refusal:
    """The move with the step of an Overrun more: into a building it costs that instead of the alley [6.6.10-bldg].

    Men on foot do not bar a road; no road leads into a building [6.6.4.1-block, 6.6.3-check].
    """
    target = position.units[act.target]
    hex = str(target.hex)
    move = Move(unit.id, hex, act.along_road)
    if any(other.is_vehicle and other.side != unit.side for other in position.at(hex)):
        gone = after(position, unit, move, going)
    else:
        gone = stepped(position, unit, move, going)  # 7.30-enter: by Overrun alone
    if isinstance(gone, Refusal) or not within_walls(position, target):
        return gone
    if act.along_road:
        return Refusal("A move is along the road or across country from its first step on", "4.5.1.1.5", ())
    way = position.map.direction(str(unit.hex), hex)
    if way is None or costs.ahead_or_back(unit.facing, way) == "reverse":
        return Refusal("{} does not enter buildings in reverse", "6.6.3-who", (unit.name,))
    alley = position.setting.ground.entry(hex, unit.vehicle.traction) or 0
    dearer = gone._replace(spent=gone.spent + buildings.cost(position, replace(unit, hex=hex)) - alley)
    return _too_far(position, unit, going, dearer, Step(dearer.spent - going.spent)) or dearer


class Moving(Frame, frozen=True):
    """A vehicle on its way; the other side may fire from overwatch at every step and turn [4.5.1.1].

    `back` is the hex from which a vehicle drove into an Overrun [6.6.10.1-end]. A `party` moves under the cover of the
    vehicle, each unit with its own move so far [7.49-cond]. A unit on Random Recon keeps to its `course` [7.60.1-min].
    A `sound` vehicle set off without damage that slows it, and has met none yet [4.4.3.2.6-damaged]. The move is `over`
    when a unit stays where it is, but for overwatch fire at it [4.5.1.1.8].
    """

    takes = WAYS
    step = "moving"
    rule = "4.5.1.1"
    question = "Move {unit} on, or end its move"
    unit: UnitId
    going: Going = Going()
    first: Action | None = None
    back: Hex = ""
    party: tuple[tuple[UnitId, Going], ...] = ()
    course: Course | None = None
    sound: bool = False
    over: bool = False

    def begin(self, game: Game[Position]) -> None:
        if self.first is not None:
            replace(self, first=None)._carry_out(game, self.first)

    def resume(self, game: Game[Position], result: object) -> None:
        """After overwatch fire: go on, unless the vehicle is gone or has a track hit [6.5.2.2.1].

        An Overrun for which others were to be announced is carried out now [6.6.10-announce].
        """
        unit = game.state.units[self.unit]
        if self.first is not None:
            return replace(self, first=None)._carry_out(game, self.first)
        if self.over or unit.hex is None or unit.track_hit:
            self._end(game)
        elif self.sound and lamed(unit):
            game.swap(self._lamed(game.state, self.going))

    def _lamed(self, position: Position, going: Going) -> Moving:
        """The move after damage on the way, which halves the rest of the allowance at once, rounded down.

        Rules: [4.4.3.2.6-damaged, 6.5.2.2.4].
        """
        unit = position.units[self.unit]
        left = max(0, allowed_to(position, replace(unit, damaged=False), going) - going.spent)
        spent = allowed_to(position, unit, going) - left // 2
        return replace(self, going=going._replace(spent=spent), sound=False)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield self.unit

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        found = self._ways(sight) if actor == self.unit else []
        yield from found or ([Stay(self.unit)] if actor == self.unit else [])
        if found and Stay(self.unit) not in found and self._stuck(found):
            yield Stay(self.unit)

    def _ways(self, sight: Position) -> list[Action]:
        """Everything that the vehicle may do next, with its party."""
        unit = sight.units[self.unit]
        if self.course is not None:
            return self._on_course(sight, unit, self.course)
        return [way for way in ways_on(sight, unit, self.going) if self._parts(sight, way) is None]

    def _on_course(self, sight: Position, unit: Unit, course: Course) -> list[Action]:
        """The steps along the course of a unit on Random Recon, and the turns towards them [7.60.1-min].

        It stops only after a step, or where no step is possible; an amphibious vehicle need not swim.
        """
        ways = searching.ways(sight, unit, course, self.going.steps)
        ahead = [hex for way in ways if (hex := sight.map.neighbours[str(unit.hex)][way])]
        turns = [Turn(unit.id, way) for way in ways if unit.is_vehicle and self._leads_somewhere(sight, unit, way)]
        steps = [Move(unit.id, hex, along) for hex in ahead for along in (False, True)]
        found = [act for act in (*steps, *turns) if cannot_act(sight, unit, act, self.going) is None]
        dry = (act for act in found if not (isinstance(act, Move) and swimming.must_swim(sight, unit, act.to)))
        may_stop = bool(self.going.steps) or not any(dry)
        return [*found, *([Stay(unit.id)] if may_stop and cannot_stop(sight, unit) is None else [])]

    def _leads_somewhere(self, sight: Position, unit: Unit, way: int) -> bool:
        """Return whether a turn leads to ground that a vehicle on Random Recon can enter [7.60.1-min]."""
        hex = sight.map.neighbours[str(unit.hex)][way]
        turned = replace(unit, facing=way)
        moves = (Move(unit.id, hex, along) for along in (False, True)) if hex else ()
        return any(not isinstance(priced(sight, turned, move), Refusal) for move in moves)

    def _parts(self, sight: Position, action: Action) -> Refusal | None:
        """Refuse acts that part a vehicle from the units under its cover: they keep to one hex [7.49-cond]."""
        if not self.party or isinstance(action, Turn | AdjustTurret | Jettison | Stay):
            return None
        if not isinstance(action, Move):
            return Refusal(
                "{} keeps together with the units under its cover", "7.49-cond", (sight.units[self.unit].name,)
            )
        steps = (self._follows(sight, name, going, action) for name, going in self.party)
        return next((step for step in steps if isinstance(step, Refusal)), None)

    def _follows(self, position: Position, name: UnitId, going: Going, move: Move) -> Going | Refusal:
        """The step of a unit under the cover of the vehicle, or the reason against it [7.49-cond]."""
        return after(position, position.units[name], Move(name, move.to), going)

    def _stuck(self, ways: Iterable[Action]) -> bool:
        """Return whether a vehicle in an Overrun can drive no further, and so goes back [6.6.10.1-end]."""
        return bool(self.back) and not any(isinstance(way, Move) for way in ways)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if (named := str(getattr(action, "unit", ""))) != self.unit:
            return Refusal("{} is moving: end its move first", "4.5.1.1", (sight.units[self.unit].name or named,))
        if self.course is not None:
            return self._off_course(sight, action)
        refusal = cannot_go_on(sight, sight.units[self.unit], action, self.going) or self._parts(sight, action)
        if refusal is None or not isinstance(action, Stay):
            return refusal
        ways = self._ways(sight)
        return refusal if ways and not self._stuck(ways) else None  # nowhere else to go: RULINGS.md R49

    def _off_course(self, sight: Position, action: Action) -> Refusal | None:
        """Refuse an act that the course of a unit on Random Recon does not allow [7.60.1-min]."""
        unit, ways = sight.units[self.unit], self._ways(sight)
        if action in ways or (isinstance(action, Stay) and not ways):
            return None
        refusal = cannot_act(sight, unit, action, self.going) if isinstance(action, Move | Turn) else None
        return refusal or Refusal("{} is on Random Recon: it keeps to its course", "7.60.1-min", (unit.name,))

    def play(self, game: Game[Position], action: Action) -> None:
        self._carry_out(game, action)

    def _carry_out(self, game: Game[Position], action: Action) -> None:
        match action:
            case Move():
                replace(self, back="")._step(game, action)
            case Overrun():
                self._overrun(game, action)
            case Roam(name):
                game.swap(replace(self, course=searching.rolled(game, game.state.units[name]), first=None))
            case FollowSound():
                game.swap(replace(self, course=searching.follow(game, action), first=None))
            case Escort():
                self._gather(game)
            case DismountAttack():
                self._storm(game, action)
            case ChangeFloor():
                self._climb(game)
            case DigHedge(_, hex):
                self._dig_in(game, hex)
            case Push():
                self._push(game, action)
            case Jettison(name):
                trailer.jettison(game, name)
                game.swap(replace(self, first=None))
            case AdjustTurret():
                turned = turrets.swing(game, action)
                self._watched(game, self.going._replace(swung=self.going.swung + turned))
            case Turn(_, facing):
                self._turn(game, facing)
            case Mount() | Dismount() | JumpOff():
                self._load(game, action)
            case Quickmarch():
                game.swap(replace(self, going=self.going._replace(quick=True), first=None))
            case Search():
                self._search(game, action)
            case GoInside() | ComeOut():
                self._through(game, action)
            case ExitMap():
                leave(game, self.unit)
                self._end(game)
            case _ if self.going == Going() and game.state.units[self.unit].moving:
                replace(self, over=True)._watched(game, self.going)  # 4.5.1.1.8: to stay is to move
            case _:
                self._end(game)

    def _step(self, game: Game[Position], move: Move) -> None:
        position = game.state
        unit = position.units[self.unit]
        gone = after(position, unit, move, self.going)
        assert not isinstance(gone, Refusal)
        steps = [(name, self._follows(position, name, going, move)) for name, going in self.party]
        if not move.along_road and bogging.bogs(game, self.unit):
            return self._end(game)
        if unit.inside and not self._out(game, gone.last):
            return self._end(game)
        frame = self
        if self.sound and lamed(position.units[self.unit]):  # 6.6.3-stop: at the wall, before it pays
            left = self._left(game, unit) - gone.last
            gone = gone._replace(spent=allowed_to(position, position.units[self.unit], gone) - left)
            frame = replace(self, sound=False)
        narrow.line_up(position, unit, move.to)
        position.put(self.unit, move.to, exposed=comes_up(position, unit, move.to))
        way = (str(unit.hex), move.to)
        game.tell(Event("moved", "{} moves to {}", (unit.name, move.to), "4.5.1.1", (unit.id,), way))
        obstacles.flatten(game, position.units[self.unit])
        run_over(game, position.units[self.unit])
        mines.strike(game, self.unit, hurried=self.going.quick)
        gone = gone._replace(met=barrages.meet(game, self.unit, gone.met))
        party = self._along(game, steps)
        course = self.course and searching.gone_on(position, self.course, str(unit.hex), move.to)
        replace(frame, party=party, course=course)._watched(game, gone, *(name for name, _ in party))

    def _gather(self, game: Game[Position]) -> None:
        """The units under the cover of the vehicle set off with it [7.49-cond]."""
        units = escorts.followers(game.state, game.state.units[self.unit])
        for unit in units:
            set_off(game, unit.id)
        game.swap(replace(self, party=tuple((unit.id, Going()) for unit in units), first=None))

    def _along(
        self, game: Game[Position], steps: Iterable[tuple[UnitId, Going | Refusal]]
    ) -> tuple[tuple[UnitId, Going], ...]:
        """The party enters the hex of the vehicle, through mines and barrages; those that are left [7.49-cond]."""
        hex, party = game.state.units[self.unit].hex, []
        for name, gone in steps:
            assert not isinstance(gone, Refusal)
            if hex is not None and game.state.units[name].hex is not None:
                way = (str(game.state.units[name].hex), hex)
                unit = game.state.put(name, hex)
                game.tell(Event("moved", "{} moves to {}", (unit.name, hex), "7.49-cond", (name,), way))
                mines.strike(game, name)
                party.append((name, gone._replace(met=barrages.meet(game, name, gone.met))))
        return tuple(each for each in party if game.state.units[each[0]].hex is not None)

    def _overrun(self, game: Game[Position], act: Overrun) -> None:
        """Drive into the hex of the target and fight there; overwatch fires after it at the earliest [6.6.10-ow].

        Soft ground, walls, mines and barrages on the way count as in any step.
        Rules: [7.29-when, 6.6.3-check, 7.31.2, 6.6.6-attack].
        """
        position = game.state
        unit, target = position.units[self.unit], position.units[act.target]
        if not target.overrun:
            position.change(target.id, overrun=True)
            game.swap(replace(self, first=act))
            return game.push(Announcing(self.side, target.id, self.unit))
        gone = driven_over(position, unit, act, self.going)
        assert not isinstance(gone, Refusal)
        if (not act.along_road and bogging.bogs(game, self.unit)) or (unit.inside and not self._out(game, gone.last)):
            return self._end(game)
        hex = str(target.hex)
        position.put(self.unit, hex)
        game.tell(Event("moved", "{} moves to {}", (unit.name, hex), "4.5.1.1", (unit.id,), (str(unit.hex), hex)))
        obstacles.flatten(game, position.units[self.unit])
        mines.strike(game, self.unit)
        gone = gone._replace(met=barrages.meet(game, self.unit, gone.met))
        there = replace(self, going=gone, first=None, back=str(unit.hex))
        game.swap(there)
        if not there._in_shape(game) or (within_walls(position, target) and not there._breaks_in(game)):
            return there._end(game)
        overrun(game, self.unit, act.target)

    def _in_shape(self, game: Game[Position]) -> bool:
        """Return whether the vehicle is still there, and can move: RULINGS.md R170."""
        unit = game.state.units[self.unit]
        return unit.hex is not None and not unit.track_hit

    def _breaks_in(self, game: Game[Position]) -> bool:
        """A vehicle drives into the building of its target; return whether it gets in [6.6.10-bldg].

        With a Track Hit it is put back, and there is no Overrun: RULINGS.md R149. Hull damage halves the movement that
        is left.
        """
        position, before = game.state, game.state.units[self.unit]
        left = allowed_to(position, before, self.going) - self.going.spent
        if not buildings.pass_wall(game, self.unit):
            return False
        unit = position.change(self.unit, inside=True)
        if unit.damaged_part == "hull" and before.damaged_part != "hull":
            spent = allowed_to(position, unit, self.going) - left // 2
            game.swap(replace(self, going=self.going._replace(spent=spent)))
        return True

    def _storm(self, game: Game[Position], action: DismountAttack) -> None:
        """A passenger dismounts and attacks; the vehicle pays for it, and may go on [6.6.1.1-dis, 6.6.7.1.1-veh]."""
        going, unit = self.going, game.state.units[self.unit]
        going = going._replace(spent=going.spent + handling(game.state, unit, going), loaded=True)
        game.swap(replace(self, going=going, first=None))
        dismount_attack.storm(game, action, going.met)

    def _dig_in(self, game: Game[Position], hex: Hex) -> None:
        """A leg unit spends its move to dig in at a hedgerow [7.45]."""
        unit = game.state.change(self.unit, hedge=hex)
        places = (str(unit.hex), hex)
        game.tell(Event("dug", "{} digs in at the hedgerow", (unit.name,), "7.45", (unit.id,), places))
        self._watched(game, self.going._replace(spent=allowed_to(game.state, unit, self.going)))

    def _push(self, game: Game[Position], action: Push) -> None:
        """A vehicle spends its move to push something off a narrow road [7.30-push]."""
        narrow.push(game, action)
        over = _spent_out(game.state, game.state.units[self.unit], self.going)
        self._watched(game, over._replace(turned=MOST_TURNED))

    def _climb(self, game: Game[Position]) -> None:
        """A leg unit goes up, or down [6.6.4.1-bldg]."""
        unit = game.state.units[self.unit]
        changed = game.state.change(self.unit, upper=not unit.upper)
        up = "{} goes up to the roof" if on_roof(game.state, changed) else "{} goes up to the top floor"
        text = "{} comes down" if unit.upper else up
        game.tell(Event("moved", text, (unit.name,), "6.6.4.1-bldg", (unit.id,), (str(unit.hex),)))
        self._watched(game, self.going._replace(spent=self.going.spent + buildings.FLOOR))

    def _falls_back(self, game: Game[Position]) -> bool:
        """A vehicle that ends its move among enemies after an Overrun goes back whence it came [6.6.10.1-end].

        Return whether it did.
        """
        unit = game.state.units[self.unit]
        if not (self.back and unit.hex and any(other.side != unit.side for other in game.state.at(unit.hex))):
            return False
        game.state.put(self.unit, self.back, inside=False)
        places = (self.back,)
        game.tell(Event("moved", "{} falls back to {}", (unit.name, self.back), "6.6.10.1-end", (unit.id,), places))
        return True

    def _out(self, game: Game[Position], price: int) -> bool:
        """A vehicle inside a building breaks out of it; return whether it gets out [6.6.3-check, 6.6.3-stop]."""
        before = game.state.units[self.unit]
        if not buildings.pass_wall(game, self.unit):
            return False
        if self._left(game, before) < price and not only_hex(self.going):
            return False
        game.state.change(self.unit, inside=False)
        return True

    def _left(self, game: Game[Position], before: Unit) -> int:
        """The movement that is left: half of it if the hull was damaged at a wall just now [6.6.3-stop]."""
        left = allowed_to(game.state, before, self.going) - self.going.spent
        slowed = game.state.units[self.unit].damaged_part == "hull" and before.damaged_part != "hull"
        return left // 2 if slowed else left

    def _through(self, game: Game[Position], action: GoInside | ComeOut) -> None:
        """A vehicle drives into the building of its hex, or out of it [6.6.3-check, 6.6.3-stop]."""
        unit, going = game.state.units[self.unit], self.going
        price = passage(game.state, unit, going)
        if bogging.bogs(game, self.unit):
            return self._end(game)
        through = not unit.is_vehicle or buildings.pass_wall(game, self.unit)
        if game.state.units[self.unit].hex is None:
            return self._end(game)
        left = self._left(game, unit)
        if through and (left >= price or only_hex(going)):
            game.state.change(self.unit, inside=isinstance(action, GoInside))
            left -= price
        after_it = game.state.units[self.unit]
        spent = allowed_to(game.state, after_it, going) - left
        replace(self, sound=self.sound and not lamed(after_it))._watched(game, going._replace(spent=spent))

    def _turn(self, game: Game[Position], facing: int) -> None:
        position = game.state
        unit = position.units[self.unit]
        going = after_turn(position, unit, facing, self.going)
        position.change(self.unit, facing=facing, exposed=False)
        game.tell(Event("turned", "{} turns", (unit.name,), "4.5.1.1.4", (unit.id,), (str(unit.hex),)))
        self._watched(game, going)

    def _load(self, game: Game[Position], action: Mount | Dismount | JumpOff) -> None:
        """Passengers come or go; an Emergency Bail Out costs the vehicle nothing [6.6.7.1.1-veh, 6.6.7.1.2]."""
        going, unit = self.going, game.state.units[self.unit]
        if not isinstance(action, JumpOff):
            going = going._replace(spent=going.spent + fee(game.state, unit, action, going), loaded=True)
        whole = isinstance(action, Mount) and stowed.takes_all(
            game.state.charts, unit, game.state.units[action.passenger]
        )
        handle(game, action)
        if whole:  # 5.2.1: the portee may be faster than its truck
            going = going._replace(spent=allowed_to(game.state, game.state.units[self.unit], going))
        if not isinstance(action, Mount):
            dismount_attack.alight(game, action.passenger, str(unit.hex), going.met)
        self._watched(game, going, *(() if isinstance(action, Mount) else (action.passenger,)))

    def _search(self, game: Game[Position], action: Search) -> None:
        """A vehicle searches its hex, unless it bogs down; then its move is over, but for overwatch [6.6.9-misc]."""
        if bogging.bogs(game, self.unit):
            return self._end(game)
        hull_down.search(game, action)
        mines.strike(game, self.unit)
        barrages.meet(game, self.unit, ())
        over = _spent_out(game.state, game.state.units[self.unit], self.going)
        self._watched(game, over._replace(turned=MOST_TURNED))

    def _watched(self, game: Game[Position], going: Going, *others: UnitId) -> None:
        """After each step and turn the other side may fire from overwatch, and so on in turn [4.4.2-a]."""
        other = game.state.setting.other[self.side]
        screens.blow_away(game.state, self.unit)
        searching.hear_vehicle(game.state, game.state.units[self.unit])
        for side in game.state.setting.sides:
            searching.settle(game, side)
        unit = game.state.units[self.unit]
        moved = self._lamed(game.state, going) if self.sound and lamed(unit) else replace(self, going=going)
        game.swap(replace(moved, first=None, course=self.course if unit.searching else None))
        game.push(Overwatch(other, (other, self.side), (self.unit, *others), str(game.state.units[self.unit].hex)))
        hiding.look(game)

    def _end(self, game: Game[Position]) -> None:
        """The move is over; a Quickmarch may have worn its unit out [6.6.4.2-roll].

        A vehicle that falls back after an Overrun has left the hex of its target: overwatch may fire [6.6.10-ow].
        """
        if self._falls_back(game):
            return replace(self, back="", over=True)._watched(game, self.going)
        half = allowed_to(game.state, game.state.units[self.unit], self.going) // 2
        dust.raise_cloud(game.state, self.going.trail if self.going.spent >= half else ())
        bound = game.state.units[self.unit].bound
        arrived = bound == game.state.units[self.unit].hex
        game.state.change(self.unit, moved=True, exposed=False, heard=(), bound="" if arrived else bound)
        occupy(game.state, game.state.units[self.unit], backed=self.going.backed)
        if self.going.quick and self.going.steps and game.state.units[self.unit].hex is not None:
            quickmarch.tire(game, self.unit)
        for name, _ in self.party:
            game.state.change(name, moved=True)
            occupy(game.state, game.state.units[name])
        if self.going.steps:
            for name in (self.unit, *(name for name, _ in self.party)):
                checks.check(game, name, "moved")
                for rider in game.state.aboard(name) if "R208" in game.state.setting.options else ():
                    checks.check(game, rider.id, "moved")
        game.pop()

    def prompt(self, sight: Position, side: str) -> str:
        ends = side != self.side or self.refusal(sight, side, Stay(self.unit)) is None
        return say(self.question if ends else "Move {unit} on", unit=sight.units[self.unit].name)


def handle(game: Game[Position], action: Mount | Dismount | JumpOff) -> None:
    """Carry an act of a passenger out; one that mounts from the next hex has moved from its own: RULINGS.md R208."""
    left = game.state.units[action.passenger].hex
    transport.carry_out(game, action)
    if isinstance(action, Mount) and left != game.state.units[action.unit].hex:
        checks.check(game, action.passenger, "moved")  # 7.1.2


def comes_up(position: Position, unit: Unit, to: Hex) -> bool:
    """Return whether a vehicle shows its lower hull: it leaves a gully, ford or stream, or crosses a wall [7.13.1]."""
    if LOWER_HULL not in position.setting.options or not unit.is_vehicle:
        return False
    here, coords, ground = str(unit.hex), position.map.coords, position.setting.ground
    climbs = ground.height(coords[to]) > ground.height(coords[here])
    sunken = not SUNKEN.isdisjoint(position.map.cells[here].terrain)
    return (sunken and climbs) or "wall" in ground.sides(coords[here], coords[to])


def run_over(game: Game[Position], unit: Unit) -> None:
    """An armed vehicle that enters a hex with unarmed enemies alone knocks them out [4.5.1.1.10]."""
    enemies = [other for other in game.state.at(str(unit.hex)) if other.side != unit.side]
    if unit.is_vehicle and unit.kind.armed and enemies and not any(other.kind.armed for other in enemies):
        for other in enemies:
            knock_out(game, other, brews_up=False)


def leave(game: Game[Position], unit_id: UnitId) -> None:
    """A vehicle leaves the map for good [4.5.1.1.9]."""
    unit = game.state.units[unit_id]
    for passenger in game.state.aboard(unit_id):
        game.state.exits[passenger.id] = str(unit.hex)
        game.state.change(passenger.id, carrier=None, status="exited")
    game.state.exits[unit_id] = str(unit.hex)
    game.state.lift(unit_id, "exited")
    game.tell(Event("exited", "{} leaves the map at {}", (unit.name, unit.hex), "4.5.1.1.9", (unit_id,)))
