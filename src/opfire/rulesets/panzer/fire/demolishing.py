"""Engineers against terrain [7.19]: they close assault blocks, bridges, positions, wire and mines."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer import leaders
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire.close_assault import Band, factor_of, grade_line, modifier
from opfire.rulesets.panzer.moving import searching
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId
from opfire.rulesets.panzer.works import destroying
from opfire.rulesets.panzer.works.destroying import Site

OPTION = "7.19"


class Demolish(Action, frozen=True):
    """Attack the terrain of a hex with engineers: a `block`, a `bridge`, `wire`, `mines` or a position."""

    says = "{unit} attacks the {terrain} in {hex}"
    kind = "assault"
    final = True
    unit: UnitId
    hex: Hex
    terrain: str


def may_demolish(position: Position, unit: Unit) -> bool:
    """Return whether a unit has engineers who might attack terrain, as far as everybody knows [7.19]."""
    engineers = OPTION in position.setting.options and unit.is_leg and "Engineer" in unit.labels
    return engineers and not unit.suppression and not (unit.revealed and unit.command != "move")


def site_of(position: Position, hex: Hex, terrain: str) -> Site | None:
    """The terrain of that kind in a hex that engineers may attack: buildings withstand them [7.19]."""
    found = (site for site in destroying.sites(position, hex) if site.kind == terrain and site.kind != "building")
    return next(found, None)


def cannot_demolish(position: Position, unit: Unit, hex: Hex, terrain: str) -> Refusal | None:
    """Reject an attack of others than engineers, or on terrain that is not there or not next to them [7.19]."""
    if not may_demolish(position, unit):
        return Refusal("{} has no engineers", "7.19", (unit.name,))
    if hex not in (unit.hex, *position.map.neighbours[str(unit.hex)]):
        return Refusal("{} is not next to {}", "7.19", (hex, unit.name))
    if site_of(position, hex, terrain) is None:
        return Refusal("There is no {} in {} that engineers can destroy", "7.19", (terrain, hex))
    return None


def demolitions(position: Position, unit: Unit) -> Iterator[Demolish]:
    """The terrain that a unit may attack now."""
    if may_demolish(position, unit):
        for hex in filter(None, (unit.hex, *position.map.neighbours[str(unit.hex)])):
            for site in destroying.sites(position, hex):
                if site.kind != "building":
                    yield Demolish(unit.id, hex, site.kind)


def reckoned(position: Position, unit: Unit, site: Site) -> Calculation:
    """One roll of the attack, by the procedure of a Close Assault: RULINGS.md R153 [7.19]."""
    band = Band((unit,))
    factor = factor_of(position, band)
    attack = Line(
        "attack", Text("{} of engineers", (unit.kind.category.capitalize(),)), str(factor), "6.6.1.1.1", factor
    )
    lines = [*grade_line(position, unit, "6.6.1.1.2-grade"), *leaders.in_person(position, band.units)]
    if band.flames:
        lines.append(modifier(position.charts.assault_modifiers, "flamethrower"))
    return destroying.reckoned(position, site, unit.name, attack, lines)


def demolish(game: Game[Position], action: Demolish) -> None:
    """Attack the terrain: it takes two Effective results, mines one [7.19, 7.31.3]."""
    reveal(game, action.unit)
    unit = game.state.change(action.unit, moving=True, moved=True, fresh="move", camouflaged=False)
    site = site_of(game.state, action.hex, action.terrain)
    assert site is not None
    searching.hear(game.state, unit.side, action.hex, searching.ANYWHERE)
    if destroying.falls(game, site, reckoned(game.state, unit, site)):
        destroying.destroy(game, site)
