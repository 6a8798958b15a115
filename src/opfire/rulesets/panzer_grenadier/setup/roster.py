"""From a scenario to a setting [2.3, 6.1, 14.1]: every unit and leader of a side, and its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from opfire.core.errors import BadInput
from opfire.core.scenario import Force, Reinforcement, Scenario
from opfire.kit import boards, scoring
from opfire.kit import setup as kit
from opfire.rulesets.panzer_grenadier import ground
from opfire.rulesets.panzer_grenadier.charts import Charts, Kind, load_charts
from opfire.rulesets.panzer_grenadier.command import formations, sectors
from opfire.rulesets.panzer_grenadier.instructions import Instructions, Sections, instructions
from opfire.rulesets.panzer_grenadier.options import OPTIONS
from opfire.rulesets.panzer_grenadier.pieces import (
    Hex,
    Officer,
    Setting,
    Side,
    Start,
    Unit,
)
from opfire.space.hexmap import HexMap
from opfire.space.layout import joined_block, map_of


def setting(scenario: Scenario, charts: Charts | None = None) -> Setting:
    """The constants of a game of this scenario. Raises BadInput for unknown names."""
    sections = scenario.rest.read(Sections)
    given = instructions(sections.special, tuple(scenario.sides))
    for field in ("aircraft", "segments"):
        if getattr(sections, field):
            raise BadInput(f"a scenario has no {field} of its own", field, "aircraft under special.sides")
    made = empty_setting(scenario, given, map_of(sections.boards, sections.map), charts or load_charts())
    zones = boards.zones(made.map, scenario, sections, hexes_of)
    made.roster = tuple(start for side in scenario.sides for start in _roster(made, zones, side))
    for side in scenario.sides:
        formations.check_names(made, side)
    return made


def hexes_of(board: HexMap, name: str, columns: str = "", rows: str = "") -> frozenset[Hex]:
    """The hexes of these columns and rows of a board; a hex that two boards share belongs to both [2.2]."""
    return joined_block(board, name, columns, rows)


def empty_setting(scenario: Scenario, given: Instructions, board: HexMap, charts: Charts) -> Setting:
    """The setting of a scenario without any units. Raises BadInput.

    No unit enters the half-hexes at the outer edge of the map [2.2]: RULINGS.md P138.
    """
    kit.check_options(scenario.options, {option.rule for option in OPTIONS})
    made = Setting(scenario, given, board, charts)
    boards.check_hexes(made.map, (*given.fords, *given.railroad), "special")
    for side, army in given.sides.items():
        force = army.force or scenario.sides[side].nation
        if force not in charts.forces:
            raise BadInput(f"force {force!r}", f"special.sides.{side}", "one of " + ", ".join(charts.forces))
        for name in (*army.leaders, *(name for name, _, _ in _arriving(scenario, charts, side))):
            nation, rank = _country_and_rank(scenario, side, name)
            if rank not in charts.ranks:
                raise BadInput(f"rank {rank!r}", f"special.sides.{side}.leaders", ", ".join(charts.ranks))
            if nation not in {row.nation for row in charts.pieces.values()} | {scenario.sides[side].nation}:
                raise BadInput(f"nation {nation!r}", f"special.sides.{side}.leaders", "one that has leader pieces")
    made.sector_of = sectors.read(made)
    ground.read(made)
    _read_victory(made)
    return made


def _read_victory(made: Setting) -> None:
    """The hexes that count for each side [2.3]: exits [16.53], or hexes to hold [G.control]."""
    for condition in made.scenario.victory:
        boards.check_hexes(made.map, condition.places, "victory")
    made.exits, made.objectives = scoring.places(made.scenario)


def _roster(made: Setting, zones: Mapping[str, frozenset[Hex]], side: Side) -> Iterator[Start]:
    """Every unit and leader of a side with the hex it starts in, if that is fixed."""
    data, army = made.scenario.sides[side], made.instructions.sides[side]
    counts: dict[str, int] = {}
    for force in data.units:
        kind = kit.kind_named(made.charts.kinds, force.unit, f"sides.{side}.units")
        _check_force(made, side, force, zones)
        for index in range(force.count):
            unit = _unit(made, side, kind, counts, force.below)
            made.players[unit.id] = formations.player_of(made, unit, force.zone)
            made.zones[unit.id] = zones.get(force.zone, frozenset(force.at))
            yield Start(unit, boards.fixed_hex(force, index))
    for arrival in data.reinforcements:
        boards.check_hexes(made.map, arrival.entry, f"sides.{side}.reinforcements")
        for name, count in arrival.units.items():
            if _is_rank(made.charts, name):
                continue  # 6.1: drawn with the other leaders
            known = "an id of units.csv, or a leader's rank"
            kind = kit.kind_named(made.charts.kinds, name, f"sides.{side}.reinforcements", known)
            for _ in range(count):
                unit = _unit(made, side, kind, counts, "reserve")
                made.players[unit.id] = formations.player_of(made, unit)
                made.entries[unit.id] = (arrival.turn, arrival.entry)
                yield Start(unit)
    everywhere = frozenset().union(*(made.zones.get(name, frozenset()) for name in made.ids[side]))
    made.mine_zones[side] = zones.get(army.mine_zone, everywhere)
    for unit in _officers(made, side):
        made.players[unit.id] = formations.player_of(made, unit)
        made.zones[unit.id] = zones.get(army.leader_zone, everywhere)
        yield Start(unit)
    for unit in _relief(made, side):
        made.players[unit.id] = formations.player_of(made, unit)
        yield Start(unit)


def _check_force(made: Setting, side: Side, force: Force, zones: Mapping[str, frozenset[Hex]]) -> None:
    where = f"sides.{side}.units"
    boards.check_force(made.map, force, zones, where)
    if force.below not in ("", "hidden", "dug-in", "limbered"):
        raise BadInput(f"{force.unit!r} starts {force.below!r}", where, "hidden, dug-in or limbered")


def _unit(made: Setting, side: Side, kind: Kind, counts: dict[str, int], how: str) -> Unit:
    counts[kind.id] = counts.get(kind.id, 0) + 1
    unit = Unit(
        id=f"{side}-{len(made.ids[side]) + 1}",
        side=side,
        kind=kind,
        name=f"{kind.name} {counts[kind.id]}",
        morale=morale_of(made, side, kind),
        status="reserve" if how == "reserve" else "to place",
        hidden=how == "hidden",
        limbered=(how == "limbered" and kind.limbered != "") or (how == "reserve" and must_limber(kind)),
        dug_in=2 if how == "dug-in" else 0,
        tank_leader=has_tank_leader(made, side, kind),
        country=kind.nation if kind.nation in countries(made, side) else "",
    )
    enlist(made, unit)
    return unit


def enlist(made: Setting, unit: Unit) -> None:
    """Add a unit to its side, and to those whose tank leaders are unknown to the enemy [6.8]."""
    side = unit.side
    made.ids[side] = (*made.ids[side], unit.id)
    drawn = made.instructions.sides[side].tank_leaders
    if drawn and unit.kind is not None and takes_tank_leader(unit.kind) and not has_tank_leader(made, side, unit.kind):
        made.secret_leaders[side] = (*made.secret_leaders[side], unit.id)


def must_limber(kind: Kind | None) -> bool:
    """Whether a weapon moves, and is carried, only on its limbered side [5.62]; others may, but need not [5.64]."""
    return kind is not None and kind.limbered != "" and kind.movement == 0


def morale_of(made: Setting, side: Side, kind: Kind) -> tuple[int, int]:
    """Morale at full and reduced strength: the scenario's for this unit or type, else that of the force [14.1].

    Raises BadInput for a malformed figure.
    """
    army = made.instructions.sides[side]
    text = army.morale.get(kind.id) or army.morale.get(kind.type) or army.morale.get("all")
    if text is None:
        force = made.charts.forces[army.force or made.scenario.sides[side].nation]
        return force.morale, force.reduced
    full, _, reduced = text.partition("/")
    if not (full.isdecimal() and reduced.isdecimal()):
        raise BadInput(f"morale {text!r}", f"special.sides.{side}.morale", "full and reduced, such as 8/7")
    return int(full), int(reduced)


def has_tank_leader(made: Setting, side: Side, kind: Kind) -> bool:
    """Forces all of whose AFVs have tank leaders from some year on [6.8], as far as they may have any.

    An ally with leaders of his own goes by his own nation: RULINGS.md P54, P94.
    """
    forces = made.charts.forces
    force = forces[made.instructions.sides[side].force or made.scenario.sides[side].nation]
    theirs = forces.get(kind.nation) if kind.nation in countries(made, side) - {force.nation} else force
    since = theirs.tank_leaders if theirs is not None else 0
    return takes_tank_leader(kind) and 0 < since <= made.instructions.year


def takes_tank_leader(kind: Kind | None) -> bool:
    """An AFV, but no APC [6.8]; armored cars [6.84], trains and vessels [15.2] have leaders of their own kind."""
    if kind is None or not kind.afv or kind.apc:
        return False
    return kind.type not in ("armored-car", "train", "vessel")


def countries(made: Setting, side: Side) -> frozenset[str]:
    """The countries of a side's leaders, if there are several; its other units are directed by all of them."""
    later = (name for name, _, _ in _arriving(made.scenario, made.charts, side))
    names = (*made.instructions.sides[side].leaders, *later)
    found = {_country_and_rank(made.scenario, side, name)[0] for name in names}
    return frozenset(found) if len(found) > 1 else frozenset()


def _country_and_rank(scenario: Scenario, side: Side, name: str) -> tuple[str, str]:
    """The country and rank of a leader in the instructions [3.12.c, 6.1]: `LT` of the side's own nation, or
    `romanian LT`.
    """
    nation, _, rank = name.rpartition(" ")
    return nation or scenario.sides[side].nation, rank


def _is_rank(charts: Charts, name: str) -> bool:
    """Whether a name stands for a leader of that rank and not for a counter."""
    return name.rpartition(" ")[2] in charts.ranks


def _arriving(scenario: Scenario, charts: Charts, side: Side) -> Iterator[tuple[str, int, Reinforcement]]:
    """The leaders who come with a side's reinforcements [16.51]: rank, number, and entry."""
    for arrival in scenario.sides[side].reinforcements:
        yield from ((name, count, arrival) for name, count in arrival.units.items() if _is_rank(charts, name))


def _officers(made: Setting, side: Side) -> Iterator[Unit]:
    """A leader still to be drawn for each that sets up, the highest ranks first [6.1, 6.6]."""
    army = made.instructions.sides[side]
    order = {name: _country_and_rank(made.scenario, side, name)[1] for name in army.leaders}
    ranks = sorted(army.leaders, key=lambda name: -made.charts.ranks[order[name]].order)
    wanted = [name for name in ranks for _ in range(army.leaders[name])] + ["KOM"] * army.kommissars
    for number, name in enumerate(wanted, 1):
        yield _officer(made, side, name, mounted=len(wanted) - army.kommissars - number < (army.mounted or 0))


def _relief(made: Setting, side: Side) -> Iterator[Unit]:
    """A leader still to be drawn for each that comes later, with those who enter by the same hexes [16.51]."""
    for name, count, arrival in _arriving(made.scenario, made.charts, side):
        for _ in range(count):
            unit = msgspec.structs.replace(_officer(made, side, name), status="reserve")
            made.entries[unit.id] = (arrival.turn, arrival.entry)
            yield unit


def _officer(made: Setting, side: Side, name: str, *, mounted: bool = False) -> Unit:
    """A leader without a face: morale and modifiers are drawn with his piece [6.1]."""
    nation, title = _country_and_rank(made.scenario, side, name)
    rank = made.charts.ranks[title]
    number = sum(one.startswith(f"{side}-leader-") for one in made.ids[side]) + 1
    unit = Unit(
        id=f"{side}-leader-{number}",
        side=side,
        name=f"{rank.title} {number}",
        officer=Officer(rank.order, title, 0, 0, 0, mounted and rank.order > 0),
        country=nation if nation in countries(made, side) else "",
    )
    enlist(made, unit)
    return unit
