"""Assault combat [12.4]: strengths, column modifiers, one die a side, the units hit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text, Words, joined
from opfire.rulesets.panzer_grenadier.charts import RESULTS
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.fire.strengths import Column, bonus, halved, strength
from opfire.rulesets.panzer_grenadier.ground import river, terrain_of
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.works import fieldworks

COVER = ("town", "woods")

# --- strength ---------------------------------------------------------------------------------------------------


def fights(unit: Unit) -> bool:
    """Whether a unit has a strength in an assault: no leader, no unarmed transport [12.42], no passenger [5.67]."""
    return unit.combat and unit.carrier is None


def leads(unit: Unit) -> bool:
    """An undemoralized leader, who helps in his hex without being activated [6.42, 6.43, 12.5]; no kommissar [6.6]."""
    return unit.officer is not None and not unit.officer.kommissar and not unit.demoralized


def own_strength(position: Position, unit: Unit) -> Line:
    """Its direct fire value, halved or quartered by its state [12.4]; one for a unit without a value [12.42,
    12.42.A1].
    """
    if unit.direct == 0:
        return Line(
            "attack", Text("{}, no direct fire value", (unit.name,)), "1", "12.42.A1" if unit.limbered else "12.42", 1
        )
    return strength(position, unit, "direct")[0]


def bonuses(units: Iterable[Unit]) -> Iterator[Line]:
    """The combat modifiers of the leaders, each to one unit and to each unit one [6.42]."""
    units = tuple(units)
    helped = [unit for unit in units if fights(unit)]
    leaders = [
        (one.officer.combat, one) for one in units if one.officer is not None and leads(one) and one.officer.combat
    ]
    leaders.sort(key=lambda pair: -pair[0])
    for unit, (_, leader) in zip(helped, leaders, strict=False):
        yield bonus(leader, unit)


def defence_strength(position: Position, units: Sequence[Unit]) -> Iterator[Line]:
    """The fire strength of the defenders [12.4]."""
    yield from (own_strength(position, unit) for unit in units if fights(unit))
    yield from bonuses(units)


def attack_strength(position: Position, units: Sequence[Unit]) -> Iterator[Line]:
    """The fire strength of the attackers: HMG and anti-aircraft units half, unless infantry goes along [12.7,
    12.7.A1].
    """
    alone = not any(unit.kind is not None and unit.kind.infantry for unit in units)
    for unit in units:
        if fights(unit):
            line = own_strength(position, unit)
            yield without_infantry(unit, line) if alone and unit.type_in("hmg", "aa-gun") else line
    yield from bonuses(units)


def without_infantry(unit: Unit, line: Line) -> Line:
    """The half of a strength, before any leader's modifier [12.7]."""
    value = halved(line.amount)
    return Line(
        "attack", Text("{}, {} halved: no infantry attacks", (unit.name, line.amount)), str(value), "12.7", value
    )


# --- column modifiers -------------------------------------------------------------------------------------------


def shift(position: Position, condition: str, label: Words) -> Iterator[Line]:
    """The line of a condition that the assault table lists."""
    row = position.charts.modifiers.get(("assault", condition))
    if row is not None and row.value:
        yield Line("shift", label, f"{row.value:+}", row.rule, row.value)


def side_lines(position: Position, own: Sequence[Unit], foes: Sequence[Unit]) -> Iterator[Line]:
    """The modifiers of either side: a leader [6.43], enemies all demoralized [12.41.A1]."""
    if any(leads(unit) for unit in own):
        yield from shift(position, "leader", "A leader in the hex")
    units = [unit for unit in foes if unit.combat]
    if units and all(unit.demoralized for unit in units):
        yield from shift(position, "all demoralized", "All enemies demoralized")


def attacker_lines(position: Position, own: Sequence[Unit], foes: Sequence[Unit], hex: Hex) -> Iterator[Line]:
    """The modifiers of the attacker, the side that is activated in the hex [12.41, 12.11]."""
    yield from side_lines(position, own, foes)
    for terrain in COVER:
        if terrain in terrain_of(position, hex):
            yield from shift(position, terrain, Text("Attacking in {}", (terrain,)))
    if tanks_alone(foes) and set(COVER).intersection(terrain_of(position, hex)):
        yield from shift(position, "tanks without infantry", "Enemy AFVs without infantry")
    if higher_morale(own, foes):
        yield from shift(position, "higher morale", "Every attacker has the higher morale")
    if charged(position, own):
        yield from shift(position, "cavalry charge", "Cavalry charge")


def river_lines(position: Position, units: Iterable[Unit], hex: Hex) -> Iterator[Line]:
    """Assaulting into a major river, in the first round, with no engineer of either side there [5.73.e, 5.73.A2]."""
    if river(position, hex) == "major river" and not any(unit.type_in("engineer") for unit in units):
        yield from shift(position, "major river", "Into a major river")


def tanks_alone(foes: Iterable[Unit]) -> bool:
    """AFVs among the enemies, and no infantry of any kind [12.41.a]."""
    there = [unit for unit in foes if unit.kind is not None]
    infantry = any(unit.kind is not None and (unit.kind.infantry or unit.kind.type == "hmg") for unit in there)
    return any(unit.afv for unit in there) and not infantry


def higher_morale(own: Iterable[Unit], foes: Iterable[Unit]) -> bool:
    """Whether every attacking unit has a higher morale than every defending one; combat units only [12.41.A1]."""
    ours = [unit.base_morale for unit in own if unit.combat]
    theirs = [unit.base_morale for unit in foes if unit.combat]
    return bool(ours and theirs) and min(ours) > max(theirs)


def charged(position: Position, own: Iterable[Unit]) -> bool:
    """Whether cavalry that charged is among the attackers [15.31]."""
    active = position.activation
    return active is not None and any(unit.id in active.charged for unit in own)


def shelter_lines(position: Position, unit: Unit) -> Iterator[Line]:
    """The shelter of a defender: an entrenchment held before the enemy came, or his own hole [12.41.c]."""
    if fieldworks.entrenched(position, unit):
        yield from shift(position, "entrenchment", Text("{} entrenched", (unit.name,)))
    elif fieldworks.dug_in(position, unit):
        yield from shift(position, "dug in", Text("{} dug in", (unit.name,)))


def sheltered(position: Position, unit: Unit) -> bool:
    """Whether a defender fires first [12.43]: dug in or entrenched."""
    return fieldworks.entrenched(position, unit) or fieldworks.dug_in(position, unit)


def firing_first(position: Position, defenders: Iterable[Unit]) -> list[Unit]:
    """The defenders with first fire: the sheltered, with the leaders among them [12.43]."""
    return [unit for unit in defenders if unit.leader or sheltered(position, unit)]


# --- calculations -----------------------------------------------------------------------------------------------


def calculation(position: Position, lines: Iterable[Line], title: str, rule: str) -> Calculation:
    """The largest heading not above the total, shifted without limit [12.4.a] except for the lowest column
    [12.41.A2].
    """
    found, chart = tuple(lines), position.charts.assault
    total = sum(line.amount for line in found if line.kind == "attack")
    net = sum(line.amount for line in found if line.kind == "shift")
    heading = chart.column(total, net)
    return Calculation(title, rule, found, chart.dice, 6, chart.outcomes(heading), str(heading), net)


def attack(
    position: Position, own: Sequence[Unit], foes: Sequence[Unit], hex: Hex, extra: Iterable[Line] = ()
) -> tuple[Column, ...]:
    """The attackers' fire, with a column for each kind of shelter among the defenders [12.4, 12.41.c, 7.52]."""
    lines = (*attack_strength(position, own), *attacker_lines(position, own, foes, hex), *extra)
    found: dict[str, Column] = {}
    for unit in foes:
        group = calculation(position, (*lines, *shelter_lines(position, unit)), "Assault", "12.4.a")
        known = found.get(group.column, Column(group, ()))
        found[group.column] = Column(known.calculation, (*known.units, unit.id))
    return tuple(found.values())


def defence(position: Position, own: Sequence[Unit], foes: Sequence[Unit]) -> Calculation:
    """The defenders' fire [12.4.b]: no penalty for terrain [12.41.b], nor for the attackers' own works [12.11.b]."""
    lines = (*defence_strength(position, own), *side_lines(position, own, foes))
    return calculation(position, lines, "Defence against assault", "12.4.b")


def free_shot(position: Position, own: Sequence[Unit], foes: Sequence[Unit], hex: Hex) -> Calculation:
    """Fire at the leaving units [12.12.a]: no negative modifier counts.

    Direct fire values on the assault table [12.12.b], no anti-tank values [12.12.A1].
    """
    shifts = [line for line in attacker_lines(position, own, foes, hex) if line.amount > 0]
    return calculation(position, (*defence_strength(position, own), *shifts), "Free shot", "12.12.a")


# --- results ----------------------------------------------------------------------------------------------------


def roll(game: Game[Position], own: Iterable[Unit], groups: Sequence[Column], hex: Hex) -> tuple[losses.Blow, ...]:
    """One die for all groups, and its effect on each [12.4.a]. Assault is fire, and gives its units away [8.22]."""
    own = tuple(own)
    names = tuple(unit.id for unit in own)
    spotting.fired(game, (unit.id for unit in own if fights(unit)))
    who = joined(unit.name for unit in game.state.pick(names))
    rolled, blows = game.roll(game.state.charts.assault.dice, 6), []
    for found, units in groups:
        result = found.result(rolled)
        hit = joined(unit.name for unit in game.state.pick(units))
        facts = (who, hit, hex, RESULTS[result])
        game.tell(Event("fired", "{} at {} in {}: {}", facts, found.rule, (*names, *units), (hex,), rolled, found))
        blows.append(losses.Blow(units, result))
    return whole_hex(blows) if game.state.setting.has("R7.52") else tuple(blows)


def whole_hex(blows: Sequence[losses.Blow]) -> tuple[losses.Blow, ...]:
    """The older reading of split columns: the worst step loss counts for the whole hex: RULINGS.md P40."""
    worst = max((blow.result for blow in blows if blow.result.isdecimal()), default="")
    if not worst:
        return tuple(blows)
    return (losses.Blow(tuple(name for blow in blows for name in blow.units), worst),)


def spared(position: Position, side: Side, hex: Hex, attackers: Iterable[UnitId]) -> tuple[UnitId, ...]:
    """Active units in the hex that take no part: they check morale with the rest but lose no step [7.63.f]."""
    part, active = tuple(attackers), position.activation.roles if position.activation is not None else {}
    return tuple(unit.id for unit in position.at(hex, side) if unit.id in active and unit.id not in part)


def sweep(game: Game[Position], units: Iterable[Unit]) -> None:
    """Transports without an unloaded combat unit beside them are eliminated when assaulted [12.42.A2]."""
    for unit in units:
        if not unit.leader:
            hex = str(unit.hex)
            game.tell(Event("result", "{} is overrun in {}", (unit.name, hex), "12.42.A2", (unit.id,), (hex,)))
            harm.eliminate(game, unit.id)
