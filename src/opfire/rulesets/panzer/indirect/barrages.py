"""GP fire that falls on a pattern [6.5.1.13]: on all units there, and on units that move into it [6.6.6].


A unit that moves into a barrage, or within it, is attacked at once [6.6.6].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text, Words
from opfire.rulesets.panzer import leaders
from opfire.rulesets.panzer.charts import CoverType, GpResult, Gun, Leg, Vehicle
from opfire.rulesets.panzer.commands import known_to_move
from opfire.rulesets.panzer.fire import gp_fire, plates, resolving
from opfire.rulesets.panzer.fire.gp_fire import Outcome
from opfire.rulesets.panzer.fire.shots import gp_defense, splinters, under_trees
from opfire.rulesets.panzer.fire.turrets import opened
from opfire.rulesets.panzer.indirect.kinds import Mission
from opfire.rulesets.panzer.indirect.observers import Source, source
from opfire.rulesets.panzer.indirect.patterns import covered
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import passengers
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId, overstacked
from opfire.rulesets.panzer.works import destroying, fires
from opfire.rulesets.panzer.works.entrenching import held_by

OVERHEAD: dict[str, CoverType] = {"brick building": "medium", "stone building": "heavy"}
"""The Cover of vehicles inside buildings against fire from above; all other ground gives none [6.5.4.3-cover]."""

Manner = Literal["falls", "met"]
"""Fire that falls on a unit, or fire that a unit meets as it moves into its pattern [6.6.6]."""


# --- the calculation -------------------------------------------------------------------------------------------


def fire_of(position: Position, mission: Mission) -> Source:
    """The firing unit of a mission."""
    found = source(position, mission.firer)
    assert found is not None
    return found


def attack_line(position: Position, mission: Mission) -> Line:
    """The GP Factor of a mission at its GP Range Factor [6.5.1.13, 6.5.4.1]."""
    factor = fire_of(position, mission).row.value(mission.band)
    return Line("attack", Text("GP Factor at {}", (mission.band,)), str(factor), "6.5.1.13", factor)


def attack(position: Position, mission: Mission, target: Unit, manner: Manner = "falls") -> Calculation:
    """The roll of a mission against a unit in its pattern [6.5.1-b, 6.5.4.4]."""
    defense = gp_defense(position, target)
    lines = [*_of_target(position, mission, target, manner), *of_firer(position, mission)]
    return _determined(position, mission, target, defense, lines, target.name)


def attack_aboard(position: Position, mission: Mission, target: Unit, vehicle: Unit) -> Calculation:
    """The roll of a mission against a passenger: its GP Defense Factor is fixed [6.5.4.2.3-joint]."""
    fixed = passengers.gp_defence(vehicle)
    defense = (Line("defence", "Passenger", f"{fixed}S", "6.5.4.2.3-gpd", fixed),)
    title, lines = Text("{} aboard {}", (target.name, vehicle.name)), [*of_firer(position, mission)]
    if under_trees(position, vehicle):
        lines.append(gp_fire.modifier(position.charts, "air burst"))
    return _determined(position, mission, target, defense, lines, title)


def _determined(
    position: Position, mission: Mission, target: Unit, defense: tuple[Line, ...], lines: list[Line], title: Words
) -> Calculation:
    """The roll with these lines; a Hull Down position does not help against fire from above [6.5.4.4.2-eff-trk]."""
    charts, from_ = position.charts, fire_of(position, mission)
    row, firer = from_.row, from_.unit and from_.unit.kind

    def settle(found: GpResult, total: int) -> Outcome:
        match target.ground:
            case Vehicle() as card:
                laid_open = opened(position, target) and gp_fire.against_open(row, mission.band, card, found)
                plain = gp_fire.against_vehicle(charts, row, mission.band, card, found, total, hull_down=False)
                return laid_open or plates.after_tracks(position.setting.options, row, firer, card, plain)
            case card:
                return gp_fire.against_soft(card, found)

    title = Text("{} falls on {}", (row.name, title))
    return gp_fire.determination(charts, title, attack_line(position, mission), defense, lines, settle)


def of_firer(position: Position, mission: Mission) -> Iterator[Line]:
    """The modifiers of the firing unit and its pattern; its Unit Grade has no effect [6.5.1.12.1-grade, 6.5.4.3]."""
    charts, unit = position.charts, fire_of(position, mission).unit
    if mission.fall.sheaf == "open":
        yield gp_fire.modifier(charts, "open sheaf")
    if mission.short:
        yield gp_fire.modifier(charts, "ammo limit")
    if unit is None:
        yield from _of_guns(position, mission)
        return
    if unit.damaged and unit.damaged_part in ("", "turret"):
        yield gp_fire.modifier(charts, "shooter damaged")
    if unit.suppression:
        yield gp_fire.modifier(charts, "shooter suppressed")
    if unit.morale:
        yield gp_fire.modifier(charts, unit.morale)
    yield from leaders.lines(position, unit, "gp")


def _of_guns(position: Position, mission: Mission) -> Iterator[Line]:
    """The modifiers of a battery that counter battery fire has suppressed or damaged [7.28.2]."""
    guns = position.batteries[mission.firer]
    if guns.damaged:
        yield gp_fire.modifier(position.charts, "shooter damaged")
    if guns.suppression:
        yield gp_fire.modifier(position.charts, "shooter suppressed")


def _of_target(position: Position, mission: Mission, target: Unit, manner: Manner) -> Iterator[Line]:
    """The modifiers of the target: a vehicle that moves within a barrage does not count as moving [6.6.6-mod]."""
    charts = position.charts
    if splinters(position, target):
        yield gp_fire.modifier(charts, "air burst")
    if not isinstance(target.kind, Vehicle):
        yield from (gp_fire.modifier(charts, name) for name in _of_soft(position, target))
        return
    yield from gp_fire.type_line(charts, target.kind)
    yield from gp_fire.cover_line(charts, overhead(position, target))
    if mission.observer and manner == "falls" and known_to_move(target):
        yield gp_fire.modifier(charts, "target moving indirect")


def _of_soft(position: Position, target: Unit) -> Iterator[str]:
    if isinstance(target.kind, Leg) and target.kind.bulk == "L":
        yield "cavalry"
    if target.full_cover and known_to_move(target) and not isinstance(target.kind, Gun):
        yield "crawling"
    if held_by(position, target, "hasty entrenchment"):
        yield "hasty entrenchment"


def overhead(position: Position, target: Unit) -> CoverType:
    """The Cover of a vehicle against fire from above: a roof or an Improved Position [6.5.4.3-cover]."""
    if overstacked(position, str(target.hex)):
        return "none"
    if held_by(position, target, "improved position"):
        return "heavy"
    words = position.map.cells[str(target.hex)].terrain
    return next((OVERHEAD[word] for word in words if target.inside and word in OVERHEAD), "none")


# --- the dice --------------------------------------------------------------------------------------------------


def strike(game: Game[Position], mission: Mission, target_id: UnitId, manner: Manner = "falls") -> None:
    """Attack a unit and its passengers, each by a roll; nobody bails out before all rolls are made [6.5.4.4-each]."""
    position = game.state
    target = position.change(target_id, under_fire=True)
    outcome = _rolled(game, mission, target, attack(position, mission, target, manner))
    riders = position.aboard(target_id)
    shaken = [unit.id for unit in riders if _strike_aboard(game, mission, unit, target)]
    row = fire_of(position, mission).row
    resolving.apply(game, target_id, outcome, gp_fire.brew_up_most(row, mission.band))
    passengers.shaken_out(game, target_id, shaken)
    for name in (*(unit.id for unit in riders), target_id):
        checks.check(game, name, "attacked")


def _strike_aboard(game: Game[Position], mission: Mission, unit: Unit, vehicle: Unit) -> bool:
    """Attack a passenger; return whether it has to check for Bail Out [6.5.4.5-repeat]."""
    game.state.change(unit.id, under_fire=True)
    outcome = _rolled(game, mission, unit, attack_aboard(game.state, mission, unit, vehicle))
    resolving.apply(game, unit.id, outcome, 0)
    return unit.suppression != "on" and outcome in ("suppressed", "reduced to a half-squad")


def _rolled(game: Game[Position], mission: Mission, target: Unit, made: Calculation) -> str:
    rolled = game.roll(1, gp_fire.DIE)
    outcome = made.result(rolled)
    source, places = fire_of(game.state, mission), (mission.fall.hex,)
    facts, calibre = (source.name, target.name, outcome), source.row.calibre_mm
    text = "{} falls on {}: {}"
    game.tell(Event("fired", text, facts, "6.5.4.4", (target.id,), places, rolled, made, calibre=calibre))
    return outcome


def strike_terrain(game: Game[Position], mission: Mission, hex: Hex) -> None:
    """Attack the vulnerable terrain of a hex, whether anybody is there or not; it may burn.

    Rules: [6.5.4.2.5-if, 7.35.1-check].
    """
    modifiers = [*of_firer(game.state, mission)]
    row, attack = fire_of(game.state, mission).row, attack_line(game.state, mission)
    fires.expose(game.state, hex, row, attack.amount)
    destroying.strike(game, row, attack, modifiers, destroying.sites(game.state, hex))


def targets(position: Position, hexes: Iterable[Hex]) -> list[UnitId]:
    """The units of both sides in a pattern, hex by hex [6.5.1-b]."""
    return [name for _, names in by_hex(position, hexes) for name in names]


def by_hex(position: Position, hexes: Iterable[Hex]) -> Iterator[tuple[Hex, tuple[UnitId, ...]]]:
    """The units of both sides in each hex of a pattern, its Target Point first [6.5.1-b]."""
    there: dict[Hex, list[UnitId]] = {}
    for unit in (unit for side in position.setting.sides for unit in position.of(side)):
        there.setdefault(str(unit.hex), []).append(unit.id)
    yield from ((hex, tuple(there.get(hex, ()))) for hex in hexes)


# --- movement [6.6.6] ------------------------------------------------------------------------------------------


def lying(position: Position, hex: Hex) -> list[Mission]:
    """The barrages that lie on a hex; one whose unit has lost its weapon since falls no more."""
    missions = (mission for mission in position.missions.values() if mission.fall.rounds == "gp")
    there = (mission for mission in missions if hex in covered(position.map, mission.fall))
    return [mission for mission in there if source(position, mission.firer) is not None]


def meet(game: Game[Position], unit_id: UnitId, met: tuple[str, ...]) -> tuple[str, ...]:
    """A unit moves into a hex, or searches it: barrages there attack it, each once in a move.

    Rules: [6.6.6-attack, 6.6.6-stay]. Returns the firing units that have attacked it in this move.
    """
    hex = game.state.units[unit_id].hex
    for mission in lying(game.state, hex) if hex is not None and game.state.missions else ():
        if mission.firer not in met and game.state.units[unit_id].hex is not None:
            strike(game, mission, unit_id, "met")
            met = (*met, mission.firer)
    return met
