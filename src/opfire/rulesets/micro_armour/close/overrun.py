"""Overrun [8.7]: vehicles drive through a stand and end beside it; the contest is rolled after all movement."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.core.texts import Text
from opfire.rulesets.micro_armour import hiding
from opfire.rulesets.micro_armour.charts import Charts
from opfire.rulesets.micro_armour.close.rolls import combat_roll, strike
from opfire.rulesets.micro_armour.cohesion import FAILURE, cohesion_roll, level, modifier, states, tested
from opfire.rulesets.micro_armour.moving import loads
from opfire.rulesets.micro_armour.moving.marching import (
    Move,
    cannot_stand,
    facing_to,
    farthest_way,
    head_for,
    in_the_way,
    left,
    pinned,
    prices,
    under_way,
    way_back,
    wrong_way,
)
from opfire.rulesets.micro_armour.moving.prices import prohibited, traced
from opfire.rulesets.micro_armour.moving.stretches import paid_in_turn
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, adjacent, gets_aboard, is_light_gun
from opfire.rulesets.micro_armour.results import wreck_id
from opfire.rulesets.micro_armour.sighting.sight import EDGE
from opfire.rulesets.micro_armour.terrain import terrain_of, words
from opfire.rulesets.micro_armour.works.beneath import RULES
from opfire.rulesets.micro_armour.works.obstacles import halting
from opfire.space.measure import MICRO, SLACK, bearing, square
from opfire.space.squares import around, clip
from opfire.space.terrain.legs import Leg

MOST = 8
"""The vehicles that find room around one stand [8.7.3]."""

ATTACK, ANSWER, STRONG_ANSWER = 5, 2, 3
"""The columns of the Combat Results Table on which stands are overrun, and overrunning vehicles are hit [8.7.8]."""

LINEAR = frozenset({"crest", "depression"})
"""The linear features through which wheels overrun nobody [8.7.2]."""

TRACKS_AT_PERSONNEL, TRACKS_AT_WEAPONS, WHEELS_AT_WEAPONS, BRAVE, FLAMES = 3, 4, 3, 3, 3
STRONG_AP, BRAVE_AP = 5, 2
"""The armour piercing firepower of personnel that uses the stronger column, and that frightens vehicles [8.7.8]."""


class Overrun(Action, frozen=True):
    """Drive through an enemy stand to a place beside it (1/1000 inch), there to face a number of degrees."""

    says = "{unit} overruns {target}, to {to}"
    kind = "assault"
    unit: UnitId
    target: UnitId
    to: Point
    facing: int


# --- checks ---------------------------------------------------------------------------------------------------


def cannot_overrun(position: Position, unit: Stand, action: Overrun) -> Refusal | None:
    """Reject an overrun that the vehicle, the target, the ground or the way does not allow [8.7-who to 8.7.5].

    Smoke does not matter [7.4.7.1-2]. Broken forces overrun on their way to their edge only [12.1.5-6].
    """
    target = position.units[action.target]
    return (
        no_overrunner(position, unit)
        or pinned(position, unit)
        or wrong_way(position, unit, action.to)
        or no_target(position, unit, target)
        or no_room(position, target)
        or _bad_end(position, unit, target, action)
        or bad_way(position, unit, target, action.to)
    )


def no_overrunner(position: Position, unit: Stand) -> Refusal | None:
    """Reject a stand that overruns nobody: only armour does, carriers only when they carry troops [8.7-who].

    Nobody does that tows a weapon, tanks neither [8.7-who, 12.5].
    """
    if not unit.armoured or not unit.kind.mov_class:
        return Refusal("{} is no armoured vehicle", "8.7-who", (unit.name,))
    empty = bool(unit.kind.cargo_cap) and not unit.cargo
    if empty or not all(gets_aboard(position, each) for each in position.pick(unit.cargo)):
        return Refusal("{} overruns only while it carries troops, and tows nothing", "8.7-who", (unit.name,))
    return None


def no_target(position: Position, unit: Stand, target: Stand) -> Refusal | None:
    """Reject a stand that is not overrun: armour [8.7-who], and one in terrain that keeps the vehicle out [8.7.2]."""
    if target.side == unit.side or target.at is None or target.carrier is not None:
        return Refusal("{} is no enemy on the table", PROCEDURE, (target.name,))
    if target.armoured:
        return Refusal("{} is armoured", "8.7-who", (target.name,))
    if target.id in unit.overruns:
        return Refusal("{} has been overrun by {}", "8.7.1-move", (target.name, unit.name))
    for kind in terrain_of(position, target):
        if keeps_out(position.charts, kind, unit):
            return Refusal("{} is in terrain that bars the overrun: {}", "8.7.2", (target.name, words(kind)))
    return None


def keeps_out(charts: Charts, kind: str, unit: Stand) -> bool:
    """Return whether a stand in a kind of terrain is not overrun by such a vehicle [8.7.2]."""
    row = charts.overrun_terrain.get(kind)
    return row is not None and not (row.tracked if unit.kind.mov_class == "T" else row.wheeled)


def through_a_line(unit: Stand, target: Stand, *ways: Leg) -> Refusal | None:
    """Reject wheels that come at a stand, or leave it, through a crest or a depression at its side [8.7.2].

    Those are linear features: from its other sides the stand may be overrun.
    """
    if unit.kind.mov_class == "T":
        return None
    for way in ways:
        beside = clip(way.start, way.end, target.ring, EDGE) or (0, 0)
        for each in way.crossed:
            if each.feature.kind in LINEAR and beside[0] <= each.at.fraction <= beside[1]:
                words = "Wheels do not overrun {} through {}"
                return Refusal(words, "8.7.2", (target.name, each.feature.name))
    return None


def no_room(position: Position, target: Stand) -> Refusal | None:
    """Reject a ninth vehicle [8.7.3]."""
    if len(overrunning(position, target)) < MOST:
        return None
    return Refusal("{} vehicles overrun {} already", "8.7.3", (MOST, target.name))


def overrunning(position: Position, target: Stand) -> list[Stand]:
    """The vehicles that have overrun a stand in this phase, lost ones too [8.7.7]."""
    names = position.setting.ids[position.setting.other[target.side]]
    return [unit for unit in position.pick(names) if target.id in unit.overruns]


def _bad_end(position: Position, unit: Stand, target: Stand, action: Overrun) -> Refusal | None:
    """Reject an end of the move that does not touch the target [8.7.1-move], or that has no room."""
    if not 0 <= action.facing < 360 or not position.table.holds(action.to):
        return Refusal("{} is no place on the table, or no facing", PROCEDURE, (tenths(action.to),))
    if not adjacent(replace(unit, at=action.to, facing=action.facing), target):
        return Refusal("{} ends the overrun beside {}", "8.7.1-move", (unit.name, target.name))
    return cannot_stand(position, unit, action.to, action.facing)


def bad_way(position: Position, unit: Stand, target: Stand, to: Point) -> Refusal | None:
    """Reject a way that is barred, or that costs more than the vehicle has left [8.7.4, 8.7.5, 12.7]."""
    assert unit.at is not None
    assert target.at is not None
    price = prices(position, unit)
    ways = traced(position.ground, unit.at, target.at, price), traced(position.ground, target.at, to, price)
    if refusal := through_a_line(unit, target, *ways) or stopped_on_the_way(position, unit, target, to):
        return refusal
    for way, start, end in zip(ways, (unit.at, target.at), (target.at, to), strict=True):
        if refusal := prohibited(price, way) or in_the_way(position, replace(unit, at=start), end, target.id):
            return refusal
    if paid_in_turn(ways, price, unit.stretch) > left(position, unit) + SLACK:
        return Refusal("{} has too few movement points for the overrun", "8.7.5", (unit.name,))
    return loads.too_heavy(position, unit, price, *ways)


def stopped_on_the_way(position: Position, unit: Stand, target: Stand, to: Point) -> Refusal | None:
    """Reject a way on which wire or mines stop the vehicle, before it has passed its target [8.7.1-move, 11.2.1]."""
    assert unit.at is not None
    assert target.at is not None
    met = [*halting(position, unit, unit.at, target.at)]
    met += [each for each in halting(position, unit, target.at, to) if each.place < 1]
    if not met:
        return None
    work = met[0].work
    words = "{} would stop at {}: {}"
    return Refusal(words, RULES[work.kind], (unit.name, tenths(work.at), work.kind))


# --- offers and the way ----------------------------------------------------------------------------------------


def offers(position: Position, unit: Stand) -> Iterator[Overrun]:
    """The overruns to the eight places around each target in reach, facing the target."""
    if unit.at is None or no_overrunner(position, unit):
        return
    far = farthest_way(position, unit) * 1000 / MICRO
    for target in position.enemies(unit.side):
        assert target.at is not None
        if square(unit.at, target.at) <= far**2 and not no_target(position, unit, target):
            for to in around(target.at, target.facing):
                action = Overrun(unit.id, target.id, to, facing_to(to, target))
                if cannot_overrun(position, unit, action) is None:
                    yield action


def play(game: Game[Position], action: Overrun) -> None:
    """Drive to the target, and after its fire on to the place beside it [8.7.1-move, 8.7.6-fire]."""
    position = game.state
    unit, target = position.units[action.unit], position.units[action.target]
    assert target.at is not None
    assert unit.at is not None
    head_for(position, Move(unit.id, target.at, bearing(unit.at, target.at)))
    position.progress = replace(under_way(position), target=target.id, beyond=action.to, turned=action.facing)
    sentence = "{} overruns {}"
    game.tell(Event("overrun", sentence, (unit.name, target.name), "8.7.1-move", (unit.id, target.id), (target.at,)))


def drive_on(game: Game[Position]) -> None:
    """Drive on from the target to the place beside it, after its fire; a lost vehicle overruns too [8.7.7]."""
    position, progress = game.state, under_way(game.state)
    assert progress.beyond is not None
    unit = position.units[progress.unit]
    position.change(unit.id, overruns=(*unit.overruns, progress.through))
    position.progress = replace(progress, target="", through="", beyond=None)
    if unit.at is not None:
        target = position.units[progress.through]
        head_for(position, _landing(game, unit, target, Move(unit.id, progress.beyond, progress.turned)))


def _landing(game: Game[Position], unit: Stand, target: Stand, chosen: Move) -> Move:
    """The end of an overrun: the chosen place, or the next free one beside the target if somebody hid there.

    Without any the vehicle goes back on its way until there is room [8.3.4]: RULINGS.md R88.
    """
    if not hiding.in_the_place(game, unit, chosen.to, chosen.facing):
        return chosen
    assert target.at is not None
    for to in sorted(around(target.at, target.facing), key=lambda each: square(each, chosen.to)):
        facing = facing_to(to, target)
        if not hiding.in_the_place(game, unit, to, facing) and cannot_stand(game.state, unit, to, facing) is None:
            return Move(unit.id, to, facing)
    return Move(unit.id, *way_back(game.state, unit))


# --- the contest ------------------------------------------------------------------------------------------------


class Overruns(Frame, frozen=True):
    """After all movement every overrun is rolled, target by target [8.7.1-move], or after that of each group: R26.

    Then wrecks of vehicles lost on their targets count as all others do [8.7.7].
    """

    step = "overruns"
    rule = "8.7.8-defend"

    def begin(self, game: Game[Position]) -> None:
        gone = frozenset(unit.id for unit in game.state.units.values() if unit.at is None)
        for target in targets(game.state):
            resolve(game, target, gone)
        for work in [each for each in game.state.works.values() if each.fresh]:
            game.state.lay(replace(work, fresh=False))
        if game.state.setting.has("R26"):
            for unit in [each for each in game.state.units.values() if each.overruns]:
                game.state.change(unit.id, overruns=())
        game.pop()


def targets(position: Position) -> list[UnitId]:
    """The stands that have been overrun, those of the side without the initiative first.

    Each comes after those that its vehicles drove over before it [8.7.4], as far as their ways allow that.
    """
    sides = (position.setting.other[position.initiative], position.initiative)
    found = [unit for side in sides for unit in position.pick(position.setting.ids[side])]
    left, order = [unit for unit in found if overrunning(position, unit)], list[UnitId]()
    while left:
        first = next((unit for unit in left if _earlier(position, unit) <= {*order}), left[0])
        left.remove(first)
        order.append(first.id)
    return order


def _earlier(position: Position, target: Stand) -> set[UnitId]:
    """The stands over which the vehicles drove that overran a stand, before they did so."""
    ways = (unit.overruns for unit in overrunning(position, target))
    return {name for way in ways for name in way[: way.index(target.id)]}


def resolve(game: Game[Position], target_id: UnitId, gone: frozenset[UnitId]) -> None:
    """The defender rolls for each vehicle, then each vehicle rolls; losses do not stop them [8.7.8-back].

    A vehicle that an earlier contest has eliminated overruns nobody else [8.7.4]; those that were `gone` when the
    contests began have driven over all of their targets [8.7.7]. A target that has been lost since to covering fire
    has no contest [8.6.2].
    """
    position = game.state
    target = position.units[target_id]
    place = target.at
    if place is None:
        return
    vehicles = [unit for unit in overrunning(position, target) if unit.at is not None or unit.id in gone]
    failed = [unit.id for unit in vehicles if _fails(game, target, defence_roll(position, target, unit))]
    for name in failed:
        strike(game, position.units[name], target_id, attack_roll(position.charts))
    for unit in vehicles:
        if unit.at is not None and _fails(game, unit, nerve_roll(position, unit, target)):
            strike(game, target, unit.id, answer_roll(position, target))
            _move_wreck(position, unit, place)


def _move_wreck(position: Position, unit: Stand, place: Point) -> None:
    """The wreck of a vehicle lies where the stand was that it overran, as in the example [8.7.8-back]."""
    wreck = position.works.get(wreck_id(unit))
    if wreck is not None:
        position.lay(replace(wreck, at=place))


def _fails(game: Game[Position], unit: Stand, roll: Calculation) -> bool:
    return roll.result([tested(game, unit, roll)]) == FAILURE


def defence_roll(position: Position, target: Stand, vehicle: Stand) -> Calculation:
    """The roll of a stand that is overrun, for one vehicle [8.7.8-defend]."""
    lines = [*states(target), *_frightened(position, target, vehicle), *_flames(vehicle)]
    return cohesion_roll(Text("overrun by {}", (vehicle.name,)), "8.7.8-defend", level(position, target), lines)


def _frightened(position: Position, target: Stand, vehicle: Stand) -> Iterator[Line]:
    tracked = vehicle.kind.mov_class == "T"
    if troops(position, target) and tracked:
        yield modifier("tracks at personnel", TRACKS_AT_PERSONNEL, "8.7.8-defend")
    elif is_weapon(position, target):
        label = "tracks at a weapon" if tracked else "wheels at a weapon"
        amount = TRACKS_AT_WEAPONS if tracked else WHEELS_AT_WEAPONS
        yield modifier(label, amount, "8.7.8-defend")


def _flames(vehicle: Stand) -> Iterator[Line]:
    """A flame throwing vehicle frightens its target more [11.6.2]."""
    if vehicle.kind.flame:
        yield modifier("flamethrower", FLAMES, "11.6.2")


def troops(position: Position, unit: Stand) -> bool:
    """Whether a stand is personnel when it is overrun; by one reading guns marked P are none: RULINGS.md R127."""
    return unit.personnel and not (position.setting.has("R127") and is_light_gun(unit))


def is_weapon(position: Position, unit: Stand) -> bool:
    """Whether a stand is a gun: neither personnel, nor armoured, nor a vehicle [6.2.1]."""
    lorry = unit.vehicle and unit.kind.kind == "transport"
    return not (troops(position, unit) or unit.armoured or lorry)


def nerve_roll(position: Position, vehicle: Stand, target: Stand) -> Calculation:
    """The roll of an overrunning vehicle [8.7.8-attack]."""
    lines = [*states(vehicle)]
    if troops(position, target) and _anti_tank(target) >= BRAVE_AP:
        lines.append(modifier("personnel with anti-tank weapons", BRAVE, "8.7.8-attack"))
    return cohesion_roll(Text("overrunning {}", (target.name,)), "8.7.8-attack", level(position, vehicle), lines)


def _anti_tank(target: Stand) -> int:
    """The armour piercing firepower of a stand; none once its anti-tank weapons are spent [10.14]."""
    return 0 if target.depleted else target.kind.ap or 0


def attack_roll(charts: Charts) -> Calculation:
    """The combat roll against a stand that is overrun [8.7.8-hit]."""
    return combat_roll(charts, "Overrun", "8.7.8-hit", ATTACK)


def answer_roll(position: Position, target: Stand) -> Calculation:
    """The combat roll against an overrunning vehicle [8.7.8-back]."""
    strong = troops(position, target) and _anti_tank(target) >= STRONG_AP
    return combat_roll(position.charts, "Answer to the overrun", "8.7.8-back", STRONG_ANSWER if strong else ANSWER)
