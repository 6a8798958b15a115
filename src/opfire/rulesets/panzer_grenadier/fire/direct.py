"""Direct fire [10.0]: an attack on a hex is put together, then rolled; opportunity fire uses the same calculation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text, joined
from opfire.kit import attacks
from opfire.rulesets.panzer_grenadier import ground
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.fire.strengths import (
    Column,
    Fire,
    approach_lines,
    bonus,
    bound_by_assault,
    cannot_act,
    cannot_combine,
    crowd_lines,
    fires_otherwise,
    firing,
    hex_lines,
    joins,
    leaders_with,
    lenders,
    note_aid,
    out_of_range,
    resolve,
    shift,
    strength,
    target_groups,
)
from opfire.rulesets.panzer_grenadier.movement.costs import strategic
from opfire.rulesets.panzer_grenadier.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
)
from opfire.rulesets.panzer_grenadier.sight import lines, spotting
from opfire.rulesets.panzer_grenadier.works import fieldworks

Parts = Mapping[UnitId, int]
"""The part of its value that an HMG puts into an attack, if that is not all it has left [7.23]."""

WHOLE: Parts = {}


class FireDirect(Action, frozen=True):
    """Begin an attack on a hex [10.0]."""

    says = "{unit} fires at {hex}"
    kind = "fire"
    unit: UnitId
    hex: Hex


class AddFirer(Action, frozen=True):
    """Let another unit join the attack [7.33]."""

    says = "{unit} joins in"
    kind = "fire"
    unit: UnitId


class SplitFire(Action, frozen=True):
    """Put only a part of an HMG's value into this attack, and keep the rest for others [7.23]."""

    says = "{unit} fires with {part}"
    kind = "fire"
    unit: UnitId
    part: int


ACTS: tuple[type[Action], ...] = (FireDirect,)


# --- what a unit has left -----------------------------------------------------------------------------------------


def value(position: Position, unit: Unit) -> int:
    """Its present direct fire value, without leaders."""
    return sum(line.amount for line in strength(position, unit, "direct"))


def left(position: Position, unit: Unit) -> int:
    """The value not yet fired in this segment; all of it, except for an HMG that divides its fire [7.23]."""
    return value(position, unit) - sum(fired_in_parts(position, unit).values())


def fired_in_parts(position: Position, unit: Unit) -> Mapping[Hex, int]:
    """The hexes at which a unit has fired with a part of its value in this segment, each with that part [7.23]."""
    return position.activation.parts.get(unit.id, {}) if position.activation is not None else {}


def parts_of(position: Position, unit: Unit) -> list[int]:
    """The parts that an HMG may put into one attack: no part, fired or left, below three [7.23]."""
    least = position.charts.figure("smallest split of an HMG")
    whole = left(position, unit)
    return list(range(least, whole - least + 1))


# --- checks -------------------------------------------------------------------------------------------------------


def cannot_fire(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that makes no direct attack in this segment [10.0]."""
    return (
        cannot_act(position, side, unit)
        or no_direct_value(unit)
        or has_shot(position, unit)
        or bound_by_assault(position, unit)
    )


def no_direct_value(unit: Unit) -> Refusal | None:
    """Without a direct fire value there is no direct fire [7.31]."""
    return None if unit.direct else Refusal("{} has no direct fire value", "7.31", (unit.name,))


def has_shot(position: Position, unit: Unit) -> Refusal | None:
    """A unit that has begun anti-tank fire [7.1]; divided fire does not prevent more while a part is left [7.23]."""
    if fired_in_parts(position, unit):
        return too_little_left(position, unit)
    return fires_otherwise(position, unit)


def too_little_left(position: Position, unit: Unit) -> Refusal | None:
    """A unit shaken by stray rounds since its first part: the rest of half its value is too small for a part [7.23]."""
    least, part = position.charts.figure("smallest split of an HMG"), left(position, unit)
    if part >= least:
        return None
    return Refusal("{} has {} left, and no part can be smaller than {}", "7.23", (unit.name, max(0, part), least))


def cannot_fire_at(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a unit that may not attack a hex, alone or with others [8.0, 7.24, 10.1]."""
    enemies = position.at(hex, position.setting.other[unit.side])
    if not enemies:
        return Refusal("No enemy in {} is seen", "10.0", (hex,))
    return (
        friends_there(position, unit, hex) or target_twice(position, unit, hex) or cannot_hit(position, unit, enemies)
    )


def friends_there(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """No direct fire at a hex with friendly units [7.24], so none into an assault hex [12.62]; leaders do not count.

    Units moving onto them are fired at [6.71.A2]: RULINGS.md P29.
    """
    if any(not other.leader for other in position.at(hex, unit.side)):
        return Refusal("Your own units are in {}", "12.62" if position.assault_hex(hex) else "7.24", (hex,))
    return None


def target_twice(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """The parts of divided fire go to different targets [7.23]."""
    if hex in fired_in_parts(position, unit):
        return Refusal("{} has already fired at {} with a part of its value", "7.23", (unit.name, hex))
    return None


def cannot_hit(position: Position, unit: Unit, targets: Sequence[Unit]) -> Refusal | None:
    """Reject targets of one hex out of reach of direct fire: sector [18.12], range, sight, line, friends in the way."""
    assert unit.kind is not None
    assert unit.hex is not None
    hex = str(targets[0].hex)
    return (
        sectors.out_of_sector(position, unit, hex)
        or out_of_range(position, unit, hex, unit.kind.direct_range)
        or none_spotted(position, unit, targets)
        or lines.no_fire_line(position, unit.hex, hex)
        or friends_in_the_way(position, unit, hex)
    )


def none_spotted(position: Position, unit: Unit, targets: Sequence[Unit]) -> Refusal | None:
    """The firing unit itself has to spot one of the targets [8.0, G.direct]."""
    unseen = [spotting.cannot_spot(position, unit, target) for target in targets]
    return None if None in unseen else unseen[0]


def friends_in_the_way(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Every line of fire that is open runs through friends that may not be fired through [10.1]."""
    assert unit.hex is not None
    sides = lines.fire_sides(position, unit.hex, hex)
    if any(clear_of_friends(position, unit, side) for side in sides):
        return None
    return Refusal("Friends stand between {} and {}", "10.1", (unit.name, hex))


def clear_of_friends(position: Position, unit: Unit, side: Sequence[Hex]) -> bool:
    """Whether direct fire passes the hexes between [10.1]: AFVs never hinder it, leaders do not count.

    HMGs, AFVs and anti-aircraft units fire through others, any unit over units below it [10.1.A1], if the last hex
    before the target is free of friends: RULINGS.md P42.
    """
    crowded = [hex for hex in side if any(not one.leader for one in position.at(hex, unit.side))]
    closed = [hex for hex in crowded if any(not (one.leader or one.afv) for one in position.at(hex, unit.side))]
    if not closed:
        return True
    return (fires_through(unit) or above(position, unit, crowded)) and side[-1] not in crowded


def fires_through(unit: Unit) -> bool:
    """HMGs, AFVs and anti-aircraft units [10.1]."""
    return unit.afv or unit.type_in("hmg", "aa-gun")


def above(position: Position, unit: Unit, hexes: Sequence[Hex]) -> bool:
    """Whether a unit stands higher than all these hexes [10.1.A1]; not required with option R10.1."""
    assert unit.hex is not None
    if position.setting.has("R10.1"):
        return True
    height = ground.elevation(position, unit.hex)
    return all(ground.elevation(position, hex) < height for hex in hexes)


# --- the reckoning ------------------------------------------------------------------------------------------------


def strength_lines(
    position: Position, firers: Sequence[Unit], helped: Mapping[UnitId, Unit], parts: Parts = WHOLE
) -> Iterator[Line]:
    """The strengths of the firers, each with the leader who helps it [10.2, 6.42]."""
    for unit in firers:
        whole, fired = value(position, unit), parts.get(unit.id) or left(position, unit)
        if fired == whole:
            yield from strength(position, unit, "direct")
        else:
            yield Line("attack", Text("{}, {} of {}", (unit.name, fired, whole)), str(fired), "7.23", fired)
        if unit.id in helped:
            yield bonus(helped[unit.id], unit)


def direct_fire(position: Position, firers: Sequence[Unit], hex: Hex, parts: Parts = WHOLE) -> tuple[Column, ...]:
    """An attack on all enemies in a hex: every group of targets with its calculation [10.2, 7.41]."""
    targets = position.at(hex, position.setting.other[firers[0].side])
    shared = [
        *strength_lines(position, firers, lenders(position, firers, leaders_with(position, firers)), parts),
        *approach_lines(position, "direct", firers, hex),
        *crowd_lines(position, "direct", targets),
        *hex_lines(position, "direct", hex),
    ]
    return target_groups(position, "direct", shared, targets, "Direct fire")


def at_mover(position: Position, shooters: Sequence[Unit], movers: Sequence[Unit]) -> tuple[Column, ...]:
    """Opportunity fire at a moving unit [7.21] and the leader with it [7.44.a, 13.31] alone [7.44, 7.64].

    The leaders among the firers add their modifiers [13.01]. Three units do not count as a crowd [13.33].
    """
    hex, (firers, leaders) = str(movers[0].hex), told_apart(shooters)
    shared = [
        *strength_lines(position, firers, lenders(position, firers, leaders)),
        *approach_lines(position, "direct", firers, hex),
        *hex_lines(position, "direct", hex),
        *ambush_lines(position, firers, movers[0]),
    ]
    return target_groups(position, "direct", shared, movers, "Opportunity fire")


def told_apart(shooters: Sequence[Unit]) -> tuple[list[Unit], list[Unit]]:
    """The firing units, and the leaders who help them."""
    return [unit for unit in shooters if not unit.leader], [unit for unit in shooters if unit.leader]


def ambush_lines(position: Position, firers: Sequence[Unit], mover: Unit) -> Iterator[Line]:
    """Hidden units that fire on strategic movement [17.3]."""
    if strategic(position, mover) and all(unit.hidden for unit in firers):
        yield from shift(position, "direct", "from hiding", "From hiding")


# --- the attack ---------------------------------------------------------------------------------------------------


def choices(position: Position, unit: Unit) -> Iterator[Action]:
    """The hexes that an activated unit may attack."""
    if cannot_fire(position, unit.side, unit):
        return
    assert unit.kind is not None
    assert unit.hex is not None
    for hex in enemy_hexes(position, unit.side):
        if position.map.distance(unit.hex, hex) <= unit.kind.direct_range and not cannot_fire_at(position, unit, hex):
            yield FireDirect(unit.id, hex)


def enemy_hexes(position: Position, side: Side) -> list[Hex]:
    """The hexes with visible enemies."""
    return list(dict.fromkeys(str(unit.hex) for unit in position.of(position.setting.other[side])))


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject an attack that may not begin like this."""
    if not isinstance(action, FireDirect):
        return Refusal("This action is not direct fire", PROCEDURE)
    unit = position.units[action.unit]
    return cannot_fire(position, side, unit) or cannot_fire_at(position, unit, action.hex)


def play(game: Game[Position], side: Side, action: Action) -> None:
    """Begin: others may join, then it is rolled."""
    assert isinstance(action, FireDirect)
    game.push(Attacking(side, action.hex, (action.unit,)))


class Attacking(Frame, frozen=True):
    """A direct attack [10.2]: firers join, HMGs divide their fire, then the roll."""

    takes = (AddFirer, SplitFire, Fire)
    step = "attack"
    rule = "10.2"
    question = "Fire at {hex}, or add units to the attack"
    hex: Hex
    firers: tuple[UnitId, ...]
    parts: tuple[tuple[UnitId, int], ...] = ()

    def actors(self, sight: Position, side: str) -> tuple[str, ...]:
        return (NOBODY, *firing(sight))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor in self.firers:
            unit = sight.units[actor]
            if cannot_split(unit, self) is None:
                yield from (SplitFire(actor, part) for part in parts_of(sight, unit))
        else:
            yield from attacks.offered(self, sight, side, Fire() if actor == NOBODY else AddFirer(actor))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case AddFirer(name):
                unit = sight.units[name]
                return (
                    attacks.takes_part(unit, self.firers)
                    or cannot_fire(sight, self.side, unit)
                    or cannot_fire_at(sight, unit, self.hex)
                    or cannot_combine(sight, [*sight.pick(self.firers), unit])
                )
            case SplitFire(name, part):
                unit = sight.units[name]
                return not_in(self, unit) or cannot_split(unit, self) or no_such_part(sight, unit, part)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case AddFirer(name):
                game.swap(replace(self, firers=(*self.firers, name)))
            case SplitFire(name, part):
                game.swap(replace(self, parts=(*self.parts, (name, part))))
            case Fire():
                game.pop()
                carry_out(game, self.firers, self.hex, dict(self.parts))


def not_in(frame: Attacking, unit: Unit) -> Refusal | None:
    """Reject a unit that takes no part."""
    return None if unit.id in frame.firers else Refusal("{} does not take part", PROCEDURE, (unit.name,))


def cannot_split(unit: Unit, frame: Attacking) -> Refusal | None:
    """Only HMGs divide their fire [7.22, 7.23], once for an attack."""
    if not unit.type_in("hmg"):
        return Refusal("{} puts its whole value into one attack", "7.22", (unit.name,))
    if any(name == unit.id for name, _ in frame.parts):
        return Refusal("{} has divided its fire", "7.23", (unit.name,))
    return None


def no_such_part(position: Position, unit: Unit, part: int) -> Refusal | None:
    """Neither part may be smaller than three [7.23]."""
    if part in parts_of(position, unit):
        return None
    least = position.charts.figure("smallest split of an HMG")
    return Refusal("{} has {}: no part can be smaller than {}", "7.23", (unit.name, left(position, unit), least))


def carry_out(game: Game[Position], names: tuple[UnitId, ...], hex: Hex, parts: Parts) -> None:
    """Roll an attack on a hex; its units are then finished, except an HMG that has a part left [7.23, 7.45]."""
    position = game.state
    firers = position.pick(names)
    side = firers[0].side
    groups = direct_fire(position, firers, hex, parts)
    assert position.activation is not None
    helped = lenders(position, firers, leaders_with(position, firers))
    helpers = tuple(leader.id for leader in helped.values())
    note_aid(position, firers, (one for one in position.of(side) if one.leader), helpers)
    active = position.activation
    position.acting(lent=active.lent.union(helpers), helped=active.helped.union(helped))
    position.finish(*helpers)
    discover(game, helpers)
    for unit in firers:
        spend(position, unit, hex, parts.get(unit.id, 0))
    shown(game, names)
    who = joined(unit.name for unit in firers)
    discover(game, [target.id for target in position.at(hex, position.setting.other[side])])
    resolve(game, "direct", names, hex, position.setting.other[side], groups, who)


def spend(position: Position, unit: Unit, hex: Hex, part: int) -> None:
    """Note the used part of a firer's value; the unit is finished when none is left."""
    if part:
        assert position.activation is not None
        position.acting(parts=position.activation.parts | {unit.id: {**fired_in_parts(position, unit), hex: part}})
    else:
        position.finish(unit.id)


def shown(game: Game[Position], names: Sequence[UnitId]) -> None:
    """Spot units that fire [8.22]; they stop digging in [16.21]."""
    spotting.fired(game, names)
    for name in names:
        fieldworks.interrupted(game, name)


def discover(game: Game[Position], names: Sequence[UnitId]) -> None:
    """Place hidden units that are hit [8.0], or help to fire [16.61]: RULINGS.md P52."""
    for name in names:
        if game.state.units[name].hidden:
            spotting.reveal(game, name)


def opportunity(game: Game[Position], names: tuple[UnitId, ...], movers: Sequence[UnitId]) -> None:
    """Roll opportunity fire at movers [13.1]; the window marks the firers and the leaders who help them."""
    position = game.state
    shooters, targets = position.pick(names), position.pick(movers)
    groups = at_mover(position, shooters, targets)
    firers, leaders = told_apart(shooters)
    discover(game, [leader.id for leader in leaders])
    shown(game, [unit.id for unit in firers])
    who = joined(unit.name for unit in firers)
    resolve(game, "opportunity", names, str(targets[0].hex), targets[0].side, groups, who)


def no_help(position: Position, firers: Sequence[Unit], leaders: Sequence[Unit]) -> Refusal | None:
    """A leader used up in vain: he neither adds to the fire nor combines it [13.01, 6.41.b]."""
    helping = {leader.id for leader in lenders(position, firers, leaders).values()}
    apart = len({unit.hex for unit in firers}) > 1
    for leader in leaders:
        if leader.id not in helping and not (apart and joins(position, leader, firers)):
            return Refusal("{} does not direct this fire", "13.01", (leader.name,))
    return None


def helps(position: Position, firers: Sequence[Unit]) -> Iterator[tuple[Unit, ...]]:
    """Groups of leaders who may help this fire at a mover [13.01]: none, or all who can; always one who combines
    [6.41.b].
    """
    adding = tuple(lenders(position, firers, leaders_with(position, firers)).values())
    needed: list[tuple[Unit, ...]] = [()]
    if len({unit.hex for unit in firers}) > 1:
        needed = [(one,) for one in position.of(firers[0].side) if one.leader and joins(position, one, firers)]
    seen: set[frozenset[UnitId]] = set()
    for helping in chain.from_iterable((joiner, (*adding, *joiner)) for joiner in needed):
        names = dict.fromkeys(leader.id for leader in helping)
        if frozenset(names) not in seen:
            seen.add(frozenset(names))
            yield tuple(position.pick(names))


FRAMES: tuple[type[Frame], ...] = (Attacking,)
