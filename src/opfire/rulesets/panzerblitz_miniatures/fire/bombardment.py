"""The execution of recorded missions [NEU-6 to NEU-13]: templates, the units under them, and their attacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from opfire.core.events import Event, Line
from opfire.core.game import Game
from opfire.core.places import tenths
from opfire.core.texts import joined
from opfire.kit.attacks import common_calibre
from opfire.rulesets.panzerblitz_miniatures.fire import smoke
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Attack, Target, by, carry_out, target_of
from opfire.rulesets.panzerblitz_miniatures.fire.combat import Factor, Strength
from opfire.rulesets.panzerblitz_miniatures.fire.effectiveness import farthest_effect
from opfire.rulesets.panzerblitz_miniatures.fire.missions import Mission, template
from opfire.rulesets.panzerblitz_miniatures.fire.modifiers import modifier
from opfire.rulesets.panzerblitz_miniatures.moving.works import fallen
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand, UnitId
from opfire.rulesets.panzerblitz_miniatures.sighting.spotted import reveal
from opfire.space.templates import Rectangle
from opfire.space.terrain.features import Feature

HALF = Factor("Indirect fire at a bridge", Fraction(1, 2), "BRI-8")


def execute(game: Game[Position], side: Side) -> None:
    """Execute the side's missions of this turn in the order of recording [NEU-6, NEU-12]."""
    position = game.state
    due = [plot for plot in position.plots if plot.side == side and plot.due == position.turn]
    prepare(game, side)
    position.plots = tuple(plot for plot in position.plots if plot not in due)
    for salvo in together(due):
        if salvo[0].task == "smoke":
            _lay_smoke(game, salvo[0])
        else:
            fire(game, salvo)


def prepare(game: Game[Position], side: Side) -> None:
    """The first of the two missions of a destruction [NEU-13]: the unit fires, and nobody is hit: RULINGS.md R90.

    Without it the destruction is never complete, and lost.
    """
    position = game.state
    first = [plot for plot in position.plots if plot.side == side and plot.written < position.turn < plot.due]
    for plot in first:
        if able(position, plot):
            unit = position.units[plot.unit]
            position.change(plot.unit, fired=True)
            game.tell(Event("revealed", "{} fires for range", (unit.name,), "NEU-13", (unit.id,)))
            reveal(game, unit)
        else:
            position.plots = tuple(each for each in position.plots if each != plot)
            _silent(game, plot)


def together(due: Sequence[Mission]) -> Iterator[list[Mission]]:
    """The missions that are one attack: those of one kind at one target [NEU-10]; smoke is laid unit by unit."""
    salvos: dict[tuple[str, str], list[Mission]] = {}
    for plot in due:
        salvos.setdefault((plot.task, plot.target or plot.unit), []).append(plot)
    yield from salvos.values()


def able(position: Position, plot: Mission) -> bool:
    """Return whether a designated unit can fire: on the table or off-board support, and not dispersed [NEU-7]."""
    unit = position.units[plot.unit]
    there = unit.status == "off-board" or (unit.at is not None and unit.carrier is None)
    return there and not unit.dispersed


def _lay_smoke(game: Game[Position], plot: Mission) -> None:
    if not able(game.state, plot):
        return _silent(game, plot)
    spend(game.state, plot)
    unit = game.state.units[plot.unit]
    game.tell(Event("revealed", "{} fires the smoke that it was designated for", (unit.name,), "SSC-3", (unit.id,)))
    smoke.lay(game, unit, plot.at, plot.shape, plot.facing)


def _silent(game: Game[Position], plot: Mission) -> None:
    """A mission that is lost, because its unit cannot fire [NEU-7]."""
    unit = game.state.units[plot.unit]
    game.tell(Event("revealed", "The mission of {} is lost", (unit.name,), "NEU-7", (unit.id,)))


def spend(position: Position, plot: Mission) -> None:
    """Mark a unit as fired [NEU-12], and take its missions off those that guns off the board have left."""
    left = position.units[plot.unit].missions
    used = 2 if plot.task == "destruction" else 1
    position.change(plot.unit, fired=True, missions=None if left is None else left - used)


# --- one salvo ----------------------------------------------------------------------------------------------


def fire(game: Game[Position], salvo: Sequence[Mission]) -> None:
    """All missions of one kind at one target: each unit under their templates is attacked once [NEU-8, NEU-10].

    The guns have fired, and are spotted for it [SPT-4], even if nobody is under the templates [NEU-12].
    """
    position = game.state
    firing = [plot for plot in salvo if able(position, plot)]
    for plot in salvo:
        if plot not in firing:
            _silent(game, plot)
    if not firing:
        return
    for plot in firing:
        spend(position, plot)
        reveal(game, position.units[plot.unit])
    at, names = firing[0].at, tuple(plot.unit for plot in firing)
    words = "{} at {} by {}"
    who = joined((position.units[name].name for name in names), " and ")
    game.tell(Event("revealed", words, (salvo[0].task.capitalize(), tenths(at), who), "NEU-6", names, (at,)))
    aim = structure_called(position, firing[0].target)
    units = [name for name in struck(position, firing) if not _shares_fate(position, name, aim)]
    spared = aim is not None and aim.bridge and any(_stands_on(position, name, aim.bridge) for name in units)
    for name in units:
        _attack(game, firing, name)
    present = [plot for plot in firing if _present(position, plot)]
    if aim is not None and not spared and present:
        carry_out(game, shelling(position, present, aim))


def bridge_called(position: Position, name: str) -> Feature | None:
    """The bridge of this id, if it stands [BRI-8]."""
    bridge = next((each for each in position.table.ground.of_kind("bridge") if each.id == name), None)
    return None if bridge is None or fallen(bridge).id in position.works else bridge


def structure_called(position: Position, name: str) -> Target | None:
    """The bridge [BRI-8] or fortification [FRT-5] of this id, if it stands."""
    fort = name in position.works and position.works[name].kind == "fort"
    return target_of(position, name) if fort or bridge_called(position, name) else None


def aimed_at(position: Position, plot: Mission) -> str:
    """The target of a mission in words."""
    if plot.target in position.units:
        return position.units[plot.target].name
    aim = structure_called(position, plot.target)
    return aim.name if aim else tenths(plot.at)


def _shares_fate(position: Position, unit_id: UnitId, aim: Target | None) -> bool:
    """Return whether a unit is in the fortification that is the target: the attack on that decides [FRT-7, FRT-12]."""
    return aim is not None and aim.fort is not None and position.units[unit_id].work == aim.fort.id


def _stands_on(position: Position, unit_id: UnitId, bridge: Feature) -> bool:
    """Return whether a unit that is attacked is on the bridge, which is then left alone [BRI-7]."""
    at = position.units[unit_id].at
    return at is not None and bridge in position.table.ground.at(at).features


def shelling(position: Position, firing: Sequence[Mission], aim: Target) -> Attack:
    """The attack of missions on a bridge, at half strength [BRI-8], or on a fortification [FRT-5]."""
    firers = position.pick(plot.unit for plot in firing)
    near = [firer.id for firer in firers if firer.at is not None]
    more, name = ((HALF,) if aim.bridge else ()), firing[0].target
    far = tuple(_from_afar(position, firer, name, *more) for firer in firers if firer.at is None)
    lines = (modifier(position.charts, "destruction"),) if firing[0].task == "destruction" else ()
    return Attack("indirect", name, by(*near), far, lines, _bore(firers))


def struck(position: Position, firing: Sequence[Mission]) -> list[UnitId]:
    """The units under the templates of a salvo, of both sides: the designated one first [NEU-8, NEU-9].

    A unit that suffered indirect fire in this segment is passed over, unless it is the target [COM-6]: RULINGS.md R52.
    """
    everybody = [unit for side in position.setting.sides for unit in position.of(side) if not unit.flying]
    under = [unit for unit in everybody if any(_covers(position, plot, unit) for plot in firing)]
    aim = firing[0].target
    chosen = [unit.id for unit in under if unit.id == aim or not _suffered(position, unit)]
    return sorted(chosen, key=lambda name: name != aim)


def _suffered(position: Position, unit: Stand) -> bool:
    return "indirect" in unit.attacked and not position.setting.has("R52")


def _covers(position: Position, plot: Mission, unit: Stand) -> bool:
    return unit.at is not None and laid(position, plot).holds(unit.at)


def laid(position: Position, plot: Mission) -> Rectangle:
    """The template of a mission on the table."""
    kind = position.units[plot.unit].kind
    return template(position.charts, kind, plot.task, plot.at, plot.shape, plot.facing, position.setting.options)


def _attack(game: Game[Position], firing: Sequence[Mission], unit_id: UnitId) -> None:
    """The attack on one unit by the missions whose templates cover it, as long as they can fire: RULINGS.md R91."""
    position = game.state
    unit = position.units[unit_id]
    if unit.at is None:
        return
    covering = [plot for plot in firing if _covers(position, plot, unit) and _present(position, plot)]
    if covering:
        carry_out(game, attack(position, covering, unit))


def _present(position: Position, plot: Mission) -> bool:
    """Return whether a firing unit is still there; a result of this salvo may have destroyed it [COM-13]."""
    unit = position.units[plot.unit]
    return unit.at is not None or unit.status == "off-board"


def attack(position: Position, covering: Sequence[Mission], unit: Stand) -> Attack:
    """The attack of missions on one unit under their templates [NEU-9, NEU-11, NEU-13]."""
    firers = position.pick(plot.unit for plot in covering)
    near = [firer.id for firer in firers if firer.at is not None]
    far = tuple(_from_afar(position, firer, unit.id) for firer in firers if firer.at is None)
    lines = tuple(_modifiers(position, covering[0], unit))
    return Attack("indirect", unit.id, by(*near), far, lines, _bore(firers))


def _bore(firers: Sequence[Stand]) -> float:
    return common_calibre(firer.kind.calibre_mm for firer in firers)


def _from_afar(position: Position, firer: Stand, target: str, *more: Factor) -> Strength:
    """The strength of a gun off the board: weapons effectiveness at its farthest: RULINGS.md R95."""
    kinds = target_of(position, target).kinds
    factors = (farthest_effect(position.charts, firer.kind.weapon, kind) for kind in kinds)
    return Strength(firer.name, firer.kind.attack, (max(factors, key=lambda each: each.value), *more))


def _modifiers(position: Position, plot: Mission, unit: Stand) -> Iterator[Line]:
    if unit.id != plot.target:
        yield modifier(position.charts, "bystander")
    if plot.task == "destruction":
        yield modifier(position.charts, "destruction")
