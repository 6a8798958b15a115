"""Smoke [16.1]: its firing, its landing, its drift."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.fire import bombardment
from opfire.rulesets.panzer_grenadier.fire.direct import shown
from opfire.rulesets.panzer_grenadier.fire.strengths import out_of_range
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer_grenadier.sight import spotting


class FireSmoke(Action, frozen=True):
    """Fire smoke at a spotted hex as the unit's only action this turn [16.1, 16.11]."""

    says = "{unit} fires smoke at {hex}"
    kind = "fire"
    final = True
    unit: UnitId
    hex: Hex


ACTS: tuple[type[Action], ...] = (FireSmoke,)


# --- checks -------------------------------------------------------------------------------------------------------


def not_allowed(position: Position, side: Side) -> Refusal | None:
    """Only where the scenario gives the side smoke [16.1]."""
    if position.setting.instructions.sides[side].smoke:
        return None
    return Refusal("The scenario gives {} no smoke", "16.1", (side,))


def no_smoke_shells(unit: Unit) -> Refusal | None:
    """Mortars and artillery on the board fire it [16.1]; armored guns count as artillery if they can bombard."""
    if unit.type_in("mortar", "artillery", "self-propelled") and unit.bombard:
        return None
    return Refusal("{} is neither mortar nor artillery", "16.1", (unit.name,))


def cannot_fire(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that fires no smoke in this segment [16.1]."""
    return not_allowed(position, side) or no_smoke_shells(unit) or bombardment.cannot_fire(position, side, unit)


def cannot_fire_at(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a hex that the unit may not fire smoke at: spotted as for a bombardment [16.11], or seen with R16.11."""
    if not position.setting.has("R16.11"):
        return bombardment.cannot_fire_at(position, unit, hex)
    assert unit.kind is not None
    return (
        sectors.out_of_sector(position, unit, hex)
        or out_of_range(position, unit, hex, unit.kind.bombard_range)
        or (
            None
            if spotting.battery_sees_ground(position, str(unit.hex), hex)
            else out_of_sight(position, unit.side, hex)
        )
    )


def out_of_sight(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """No leader of a side who may spot for artillery [9.1] sees the hex, by option R16.11."""
    if its := position.setting.sector_of:
        posts = [post for post in bombardment.posts(position, side) if its[post] == its[hex]]
    else:
        posts = list(bombardment.posts(position, side))
    if any(spotting.sees_ground(position, post, hex) for post in posts):
        return None
    return Refusal("Neither the firer nor a leader sees {}", "16.11", (hex,))


# --- the act ------------------------------------------------------------------------------------------------------


def choices(position: Position, unit: Unit) -> Iterator[Action]:
    """The spotted hexes within range [16.11]."""
    if cannot_fire(position, unit.side, unit):
        return
    yield from (FireSmoke(unit.id, hex) for hex in _targets(position, unit))


def _targets(position: Position, unit: Unit) -> Iterator[Hex]:
    if not position.setting.has("R16.11"):
        return bombardment.targets(position, unit)
    assert unit.kind is not None
    assert unit.hex is not None
    near = position.map.within(unit.hex, unit.kind.bombard_range)
    return (hex for hex in near if cannot_fire_at(position, unit, hex) is None)


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject illegal smoke [16.1, 16.11]."""
    if not isinstance(action, FireSmoke):
        return Refusal("This action fires no smoke", PROCEDURE)
    unit = position.units[action.unit]
    return cannot_fire(position, side, unit) or cannot_fire_at(position, unit, action.hex)


def play(game: Game[Position], side: Side, action: Action) -> None:
    """Fire smoke; the unit is then finished for the turn."""
    assert isinstance(action, FireSmoke)
    game.state.finish(action.unit)
    shown(game, (action.unit,))
    lay(game, side, action.hex, game.state.units[action.unit].name)


def lay(game: Game[Position], side: Side, hex: Hex, who: str) -> None:
    """Lay a marker in the hex on eight or less on two dice [16.11]; it blocks sight from now on [16.12]."""
    position = game.state
    rolled = game.roll(2, 6)
    lands = sum(rolled) <= position.charts.figure("smoke lands up to")
    if lands:
        position.change_works(hex, smoke=(*position.work(hex).smoke, side))
    facts = (who, hex, "it lies" if lands else "no effect")
    game.tell(Event("smoke", "{} fires smoke at {}: {}", facts, "16.11", (), (hex,), rolled))


# --- the end of a turn --------------------------------------------------------------------------------------------


def clear(game: Game[Position]) -> None:
    """One die for each marker: it stays, drifts to the next hex, or is gone [16.13]."""
    position = game.state
    before = [(hex, side) for hex, works in position.works.items() for side in works.smoke]
    for hex in dict.fromkeys(hex for hex, _ in before):
        position.change_works(hex, smoke=())
    for hex, side in before:
        if (to := after(game, hex)) is not None:
            position.change_works(to, smoke=(*position.work(to).smoke, side))


def after(game: Game[Position], hex: Hex) -> Hex | None:
    """The hex of a marker after its roll [16.13]: 1 is north, then clockwise: RULINGS.md P46."""
    figure = game.state.charts.figure
    (die,) = game.roll(1, 6)
    to: Hex | None = None
    dice: tuple[int, ...] = (die,)
    if die <= figure("smoke stays up to"):
        to, words = hex, "Smoke stays in {}"
    elif die <= figure("smoke drifts up to"):
        (way,) = game.roll(1, 6)
        dice = (die, way)
        to = game.state.map.neighbours[hex][way - 1]
        words = "Smoke drifts from {} to {}" if to is not None else "Smoke drifts from {} off the map"
    else:
        words = "Smoke in {} is gone"
    hexes = tuple(dict.fromkeys((hex, to or hex)))
    game.tell(Event("smoke", words, (hex, to), "16.13", (), hexes, dice))
    return to
