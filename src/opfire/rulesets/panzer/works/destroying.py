"""Terrain that GP fire destroys [6.5.4.2.5, 6.5.4.4.3]: blocks, bridges, buildings, positions, mines and wire."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer.charts import GpResult, Weapon
from opfire.rulesets.panzer.fire import gp_fire, losses
from opfire.rulesets.panzer.fire.gp_fire import Outcome
from opfire.rulesets.panzer.ground import BUILDINGS
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, Work
from opfire.rulesets.panzer.works import runways

HOLLOW = ("building", "bridge", "improved position")
"""The terrain that leaves rubble, and whose occupants are lost with it [6.5.4.4.3-building, 6.5.4.4.3-bridge]."""


class Site(NamedTuple):
    """A terrain of a hex that can be destroyed, with its GP Defense Factor, and its work if it is one."""

    kind: str
    hex: Hex
    defense: int
    work: Work | None = None


def sites(position: Position, hex: Hex) -> list[Site]:
    """The vulnerable terrain of a hex; other terrain has no GP Defense Factor [6.5.4.2.5-which, 6.5.4.2.5-scen]."""
    return [*_standing(position, hex), *_laid(position, hex)]


def _standing(position: Position, hex: Hex) -> Iterator[Site]:
    """The building, the bridge and the runway of a hex, unless they are destroyed [7.59.4-runway]."""
    if any(work.kind == "rubble" for work in position.works.get(hex, ())):
        return
    cell, terrain = position.map.cells[hex], position.charts.terrain
    factors = [int(terrain[word].gp_defence) for word in cell.terrain if word in BUILDINGS]
    if factors:
        yield Site("building", hex, max(factors))
    if cell.bridge and (factor := _given(position, "bridge")):
        yield Site("bridge", hex, factor)
    if runways.paved(position, hex) and (factor := _given(position, "runway")):
        yield Site("runway", hex, factor)


def _laid(position: Position, hex: Hex) -> Iterator[Site]:
    """The works of a hex that have a GP Defense Factor."""
    for work in position.works.get(hex, ()):
        if work.kind == "mines" and not work.known:
            continue  # 7.31.3.1, 7.31.3.2, 7.31.3.3: visible ones alone
        row = f"mines {work.value.split()[0]}" if work.kind == "mines" and work.value else str(work.kind)
        printed = position.charts.terrain[row].gp_defence if row in position.charts.terrain else ""
        factor = int(printed) if printed.isdigit() else _given(position, work.kind)
        if factor:
            yield Site(work.kind, hex, factor, work)


def _given(position: Position, kind: str) -> int:
    """The GP Defense Factor of the scenario for blocks, bridges or wire; 0 if it has none [6.5.4.2.5-scen]."""
    return position.setting.sections.conditions.defences.get(kind, 0)


def occupied(position: Position, unit: Unit) -> list[Site]:
    """The vulnerable terrain that a unit occupies: direct fire at the unit attacks it too [6.5.4.2.5-df].

    A vehicle in an alley is in no building, and a position is occupied by its holder.
    """
    return [site for site in sites(position, str(unit.hex)) if _within(unit, site)]


def _within(unit: Unit, site: Site) -> bool:
    match site.kind:
        case "building":
            return unit.is_leg or unit.inside
        case "improved position":
            return site.work is not None and site.work.holder == unit.id
    return True


# --- the attack ------------------------------------------------------------------------------------------------


def reckoned(position: Position, site: Site, name: str, attack: Line, modifiers: Sequence[Line]) -> Calculation:
    """The roll of GP fire against terrain: an S-Type that is never suppressed [6.5.4.2.5-type]."""
    defense = (
        Line("defence", Text("GP Defense of {}", (site.kind,)), f"{site.defense}S", "6.5.4.2.5-type", site.defense),
    )

    def settle(found: GpResult, total: int) -> Outcome:
        return "destroyed" if found == "effective" else "no effect"

    title = Text("{} falls on the {} in {}", (name, site.kind, site.hex))
    return gp_fire.determination(position.charts, title, attack, defense, modifiers, settle)


def strike(game: Game[Position], row: Weapon, attack: Line, modifiers: Sequence[Line], targets: Sequence[Site]) -> None:
    """Attack terrain after the units there; small arms do not, nor AP fire.

    Rules: [6.5.4.2.5-which, 6.5.4.2.5-if, 6.5.4.4-each].
    """
    if row.small_arms is True:
        return
    for site in targets:
        if site not in sites(game.state, site.hex):
            continue
        if falls(game, site, reckoned(game.state, site, row.name, attack, modifiers)):
            destroy(game, site)


def falls(game: Game[Position], site: Site, made: Calculation) -> bool:
    """Roll until the terrain holds: it takes two Effective results, and mines one [6.5.4.4.3-terr]."""
    for _ in range(1 if site.kind == "mines" else 2):
        rolled = game.roll(1, gp_fire.DIE)
        result = made.result(rolled)
        facts = (site.kind.capitalize(), site.hex, result)
        game.tell(Event("terrain", "{} in {}: {}", facts, "6.5.4.4.3-terr", (), (site.hex,), rolled, made))
        if result != "destroyed":
            return False
    return True


def destroy(game: Game[Position], site: Site) -> None:
    """Terrain is destroyed: it comes off, or turns to rubble with all that is in it.

    A destroyed hex of a runway is a crater: RULINGS.md R198.
    Rules: [6.5.4.4.3-building, 6.5.4.4.3-bridge, 6.5.4.4.3-imp, 6.5.4.4.3-bmw, 7.59.4-runway].
    """
    position = game.state
    game.tell(Event("destroyed", "The {} in {} is destroyed", (site.kind, site.hex), "6.5.4.4.3-terr", (), (site.hex,)))
    left = tuple(work for work in position.works.get(site.hex, ()) if work != site.work)
    if site.kind in HOLLOW:
        left = (*left, Work("rubble", value=site.kind))
        for unit in position.at(site.hex):
            if site.kind != "improved position" or _within(unit, site):
                bury(game, unit)
        if site.kind != "improved position":  # all units are removed, those that their crews have left, too
            position.bailed = {name: hex for name, hex in position.bailed.items() if hex != site.hex}
    if site.kind == "runway":
        left = (*left, Work(runways.CRATER))
    position.rework(site.hex, left)


def bury(game: Game[Position], unit: Unit) -> None:
    """A unit is lost with its terrain and its passengers, and leaves no wreck [6.5.4.4.3-building]."""
    gone = losses.perish(game, unit)
    for lost in gone:
        game.tell(Event("eliminated", "{} is eliminated", (lost.name,), "6.5.4.4.3-building", (lost.id,)))
    losses.mourn(game, gone)
