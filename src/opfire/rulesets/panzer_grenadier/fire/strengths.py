"""Fire [7.1-7.5]: strengths, combined fire, the column of every target in a hex, one roll for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text, Words, joined
from opfire.kit.calibres import calibre_of
from opfire.rulesets.panzer_grenadier import ground
from opfire.rulesets.panzer_grenadier.charts import CALIBRES, RESULTS
from opfire.rulesets.panzer_grenadier.command import formations, sectors
from opfire.rulesets.panzer_grenadier.command.activation import of_his_kind
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.pieces import (
    Activation,
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    called_elsewhere,
    not_ready,
    not_yours,
    off_the_map,
    stacked,
)
from opfire.rulesets.panzer_grenadier.works import fieldworks

NO_ACTIVATION = Activation("")
"""The segment between two segments: nobody is active."""

Table = Literal["direct", "bombardment"]
By = Literal["direct", "bombardment", "opportunity", "air"]


class Fire(Action, frozen=True):
    """Roll the prepared attack [9.4, 10.2]."""

    says = "Fire"
    kind = "confirm"
    final = True


class Column(NamedTuple):
    """The targets that are attacked on one column, and the calculation that led to it [7.52]."""

    calculation: Calculation
    units: tuple[UnitId, ...]


# --- strength ---------------------------------------------------------------------------------------------------


def halved(value: int) -> int:
    """Half, rounded up for each unit [G.fractions].

    >>> halved(5), halved(4), halved(1)
    (3, 2, 1)
    """
    return -(-value // 2)


def strength(position: Position, unit: Unit, kind: Table) -> list[Line]:
    """Its printed value [7.31], half when disrupted [14.2], a quarter when demoralized [14.3]."""
    printed = unit.direct if kind == "direct" else unit.bombard
    if unit.demoralized:
        value = halved(halved(printed))
        return [Line("attack", Text("{}, {} quartered: demoralized", (unit.name, printed)), str(value), "14.3", value)]
    if not unit.good_order:
        value = halved(printed)
        return [Line("attack", Text("{}, {} halved: disrupted", (unit.name, printed)), str(value), "14.2", value)]
    return [Line("attack", Text("{}, {}", (unit.name, printed)), str(printed), "7.31", printed)]


def bonus(leader: Unit, unit: Unit) -> Line:
    """A leader's combat modifier on top of one unit's value, after any halving [6.42]."""
    assert leader.officer is not None
    combat = leader.officer.combat
    return Line("attack", Text("{} directs {}", (leader.name, unit.name)), f"+{combat}", "6.42", combat)


# --- leaders who help to fire -----------------------------------------------------------------------------------


def directing(position: Position, leader: Unit) -> bool:
    """Whether a leader may take part in fire now: activated to fire or direct [6.42], or free for a mover [13.01].

    A kommissar never does [6.6], nor a leader aboard a carrier: RULINGS.md P43; a leader who has helped a recovery has
    done his part [6.53.b].
    """
    if leader.officer is None or leader.officer.kommissar or leader.officer.combat == 0:
        return False
    if leader.demoralized or leader.carrier is not None:
        return False
    activation = position.activation
    if activation is not None and activation.side == leader.side:
        done = leader.id in activation.finished and leader.id not in activation.lent
        return not done and activation.role(leader.id) in ("fire", "direct")
    return leader.shots < position.charts.figure("opportunity shots of direct fire") and (
        leader.shots > 0 or not leader.marked
    )


def leaders_with(position: Position, firers: Sequence[Unit]) -> list[Unit]:
    """The leaders of the firers' hexes."""
    hexes = dict.fromkeys(str(unit.hex) for unit in firers)
    return [one for hex in hexes for one in position.at(hex, firers[0].side) if one.leader]


def lenders(position: Position, firers: Sequence[Unit], leaders: Sequence[Unit]) -> dict[UnitId, Unit]:
    """The leader who adds his combat modifier to each firer: the best of each hex, one each, once [6.42].

    A player's leaders help his units alone [18.21]: RULINGS.md P81.
    """
    active = position.activation or NO_ACTIVATION
    leaders = [one for one in leaders if all(formations.together(one, unit) for unit in firers)]
    found: dict[UnitId, Unit] = {}
    for hex in dict.fromkeys(str(unit.hex) for unit in firers):
        able = [one for one in leaders if one.hex == hex and directing(position, one) and one.id not in active.lent]
        able.sort(key=lambda one: -(one.officer.combat if one.officer else 0))
        here = [
            unit for unit in firers if unit.hex == hex and unit.id not in active.helped
        ]  # one leader for all its parts
        found |= {unit.id: leader for unit, leader in zip(here, able, strict=False)}
    return found


def joins(position: Position, leader: Unit, firers: Sequence[Unit]) -> bool:
    """Whether a leader combines these: his hex and as many adjacent ones as his combat modifier says [6.41.a].

    None of another player's [18.21] or sector [18.12]; nor from within an assault hex, where he has no influence on
    units outside [12.5].
    """
    if not leader.good_order or leader.hex is None or not directing(position, leader) or leader.officer is None:
        return False
    if position.assault_hex(leader.hex) or not all(sectors.together(position, leader, unit) for unit in firers):
        return False
    if not all(formations.together(leader, unit) for unit in firers):
        return False
    others = [unit for unit in firers if unit.hex != leader.hex]
    hexes = {str(unit.hex) for unit in others}
    near = all(position.map.adjacent(leader.hex, hex) for hex in hexes)
    return near and len(hexes) <= leader.officer.combat and all(of_his_kind(leader, unit) for unit in others)


def cannot_combine(position: Position, firers: Sequence[Unit]) -> Refusal | None:
    """Reject units that may not add their values: one hex [6.41], or a leader's and those next to him [7.33].

    Strongpoints are no exception [7.33.A2].
    """
    return not_joined(position, firers, [one for one in position.of(firers[0].side) if one.leader])


def not_joined(position: Position, firers: Sequence[Unit], leaders: Sequence[Unit]) -> Refusal | None:
    """Firers of several hexes that none of these leaders combines [7.33]."""
    if len({unit.hex for unit in firers}) == 1 or any(joins(position, leader, firers) for leader in leaders):
        return None
    return Refusal("No leader combines the fire of {}", "7.33", (joined(unit.name for unit in firers),))


def note_aid(
    position: Position, firers: Sequence[Unit], leaders: Iterable[Unit], helpers: Iterable[UnitId] = ()
) -> None:
    """Leaders who have had a part in this fire cannot help to recover in the segment [6.53.b].

    Besides those who lend their modifiers it is the leader who combines it [7.33]; of several one who has had his part
    already.
    """
    assert position.activation is not None
    aided = position.activation.aided.union(helpers)
    if len({unit.hex for unit in firers}) > 1:
        joiners = [leader.id for leader in leaders if joins(position, leader, firers)]
        if joiners and aided.isdisjoint(joiners):
            aided |= {joiners[0]}
    position.acting(aided=aided)


# --- checks that several kinds of fire share --------------------------------------------------------------------


def firing(position: Position) -> Iterator[UnitId]:
    """The active units that were designated to fire, and have not finished [3.13.b]."""
    active = position.activation
    assert active is not None
    return (name for name, role in active.roles.items() if role == "fire" and name not in active.finished)


def cannot_act(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that fires in no way in this segment [3.13.b, 12.5, 14.3]."""
    return (
        not_yours(side, unit)
        or off_the_map(unit)
        or not_ready(position, unit, "fire")
        or called_elsewhere(position, unit)
        or not_able(unit)
    )


def fires_otherwise(position: Position, unit: Unit) -> Refusal | None:
    """A unit that has begun another kind of fire in this segment: one kind for a unit [7.1]."""
    return fired_in_part(position, unit) or moved_in(position, unit)


def fired_in_part(position: Position, unit: Unit) -> Refusal | None:
    """A unit that has taken one of two anti-tank shots, or divided its direct fire [7.1]."""
    activation = position.activation
    if activation is not None and unit.id in activation.shot_once:
        return Refusal("{} has begun anti-tank fire", "7.1", (unit.name,))
    if activation is not None and unit.id in activation.parts:
        return Refusal("{} has begun to divide its direct fire", "7.1", (unit.name,))
    return None


def moved_in(position: Position, unit: Unit) -> Refusal | None:
    """A unit that has moved in to assault cannot act otherwise in this segment [7.1]: RULINGS.md P15."""
    activation = position.activation
    if activation is not None and unit.id in activation.entered:
        return Refusal("{} has moved in to assault", "7.1", (unit.name,))
    return None


def not_able(unit: Unit) -> Refusal | None:
    """Demoralized units do not fire [14.3], nor do passengers [5.67]."""
    if unit.demoralized:
        return Refusal("{} is demoralized", "14.3", (unit.name,))
    if unit.carrier is not None:
        return Refusal("{} is being carried", "5.67", (unit.name,))
    return None


def out_of_range(position: Position, unit: Unit, hex: Hex, reach: int) -> Refusal | None:
    """Farther than the printed range [G.range], counted without the firer's hex [7.32]."""
    assert unit.hex is not None
    hexes = position.map.distance(unit.hex, hex)
    if hexes > reach:
        return Refusal("{} is {} hexes away, beyond range {} of {}", "7.32", (hex, hexes, reach, unit.name))
    return None


def bound_by_assault(position: Position, unit: Unit) -> Refusal | None:
    """No unit in an assault hex fires directly or bombards [12.6]."""
    if unit.hex is not None and position.assault_hex(unit.hex):
        return Refusal("{} is in an assault hex", "12.6", (unit.name,))
    return None


# --- shifts -----------------------------------------------------------------------------------------------------


def shift(position: Position, table: Table, condition: str, label: Words) -> Iterator[Line]:
    """The line of a condition that the table lists [7.5]."""
    row = position.charts.modifiers.get((table, condition))
    if row is not None and row.value:
        yield Line("shift", label, f"{row.value:+}", row.rule, row.value)


def approach_lines(position: Position, table: Table, firers: Sequence[Unit], hex: Hex) -> Iterator[Line]:
    """Shifts for the firers' place: conditions that hold for all who combine [10.2.A1]; and night [G.night, 8.1.A1]."""
    froms = [unit.hex for unit in firers if unit.hex is not None]
    if froms and all(position.map.distance(start, hex) == 1 for start in froms):
        yield from shift(position, table, "adjacent", "Adjacent")
    height = ground.elevation(position, hex)
    if froms and all(ground.elevation(position, start) > height for start in froms):
        yield from shift(position, table, "higher", "From higher ground")
    if position.is_night:
        yield from shift(position, table, "night", "Night")


def hex_lines(position: Position, table: Table, hex: Hex) -> Iterator[Line]:
    """Shifts for the ground of the target hex; for lone leaders too [6.71.A1]."""
    for terrain in ground.terrain_of(position, hex):
        yield from shift(position, table, terrain, Text("Target in {}", (terrain,)))


def crowd_lines(position: Position, table: Table, targets: Iterable[Unit]) -> Iterator[Line]:
    """Three combat units of a side in the hex, APCs not counted [4.4, 4.2.a]."""
    if stacked(targets) >= position.charts.figure("stack of combat units"):
        yield from shift(position, table, "three units", "Three units in the hex")


def own_lines(position: Position, table: Table, unit: Unit) -> Iterator[Line]:
    """Shifts for one target: its kind [7.52, 7.52.A3], its shelter [16.22]; none for leaders [6.71.A1]."""
    if unit.gun:
        yield from shift(position, table, "weapon", Text("{}: gun or mortar", (unit.name,)))
    if unit.kind is not None and unit.kind.unarmed:
        yield from shift(position, table, "carrier", Text("{}: truck, wagon or sledge", (unit.name,)))
    if fieldworks.entrenched(position, unit):
        yield from shift(position, table, "entrenchment", Text("{} entrenched", (unit.name,)))
    elif fieldworks.dug_in(position, unit):
        yield from shift(position, table, "dug in", Text("{} dug in", (unit.name,)))


def held(position: Position, lines: Sequence[Line]) -> Iterator[Line]:
    """The part of the net of all shifts that exceeds the limits of direct fire [10.3]."""
    net = sum(line.amount for line in lines if line.kind == "shift")
    modifiers = position.charts.modifiers
    most, least = modifiers["direct", "most"], modifiers["direct", "least"]
    if limit := max(least.value, min(most.value, net)) - net:
        yield Line("shift", Text("Held to {:+}", (net + limit,)), f"{limit:+}", "10.3", limit)


# --- columns ----------------------------------------------------------------------------------------------------


def column(position: Position, table: Table, lines: Iterable[Line], title: str) -> Calculation:
    """The largest heading not above the total, then the shifts; never below the lowest [7.51, 9.4, 10.2]."""
    found = tuple(lines)
    if table == "direct":
        found = (*found, *held(position, found))
    total = sum(line.amount for line in found if line.kind == "attack")
    net = sum(line.amount for line in found if line.kind == "shift")
    chart = position.charts.direct if table == "direct" else position.charts.bombardment
    heading = chart.column(total, net)
    rule = "10.2" if table == "direct" else "9.4"
    return Calculation(title, rule, found, chart.dice, 6, chart.outcomes(heading), str(heading), net)


def target_groups(
    position: Position, table: Table, lines: Sequence[Line], targets: Sequence[Unit], title: str
) -> tuple[Column, ...]:
    """The targets by their columns; `lines` are those of the whole attack and hex [7.52, 7.52.A1]."""
    found: dict[str, tuple[Calculation, list[UnitId]]] = {}
    for unit in targets:
        calculation = column(position, table, (*lines, *own_lines(position, table, unit)), title)
        found.setdefault(calculation.column, (calculation, []))[1].append(unit.id)
    return tuple(Column(calculation, tuple(names)) for calculation, names in found.values())


# --- the roll ---------------------------------------------------------------------------------------------------


def resolve(
    game: Game[Position], by: By, firers: tuple[UnitId, ...], hex: Hex, side: Side, groups: Sequence[Column], who: Words
) -> None:
    """One roll for all groups, each read on its own column [7.52]; then `side` suffers the results [7.41, 7.6]."""
    if not groups:
        return
    rolled = game.roll(groups[0].calculation.count, 6)
    bore = calibre(game.state.pick(firers))
    blows = []
    for calculation, units in groups:
        result = calculation.result(rolled)
        names = joined(unit.name for unit in game.state.pick(units))
        facts = (who, names, hex, RESULTS[result])
        told, text, rule = (*firers, *units), "{} at {} in {}: {}", calculation.rule
        game.tell(Event("fired", text, facts, rule, told, (hex,), rolled, calculation, calibre=bore))
        blows.append(losses.Blow(units, result))
    if game.state.setting.has("R7.52"):
        blows = whole_hex(blows)
    if any(blow.result != "none" for blow in blows):
        losses.suffer(game, side, hex, tuple(blows), by)


def calibre(firers: Iterable[Unit]) -> float:
    """The calibre in mm of the guns of an attack, where all have one; leaders have none."""
    return calibre_of(CALIBRES, [unit.kind.id for unit in firers if unit.kind is not None])


def whole_hex(blows: Sequence[losses.Blow]) -> list[losses.Blow]:
    """The older reading of split columns: the worst step loss counts for the whole hex [7.41.A1, 7.61]: RULINGS.md
    P40.
    """
    worst = max(blows, key=lambda blow: ("none", "M", "M1", "M2", "X", "2X", "3X").index(blow.result))
    if not worst.result.endswith("X"):
        return list(blows)
    return [losses.Blow(tuple(name for blow in blows for name in blow.units), worst.result)]
