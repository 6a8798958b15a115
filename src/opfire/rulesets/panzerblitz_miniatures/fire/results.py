"""Results of attacks on units and structures: morale checks, dispersal, wrecks, bailing out [COM, WRK, BAI, TRN]."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point
from opfire.rulesets.panzerblitz_miniatures.fire.combat import Harm, failed, harm
from opfire.rulesets.panzerblitz_miniatures.morale import Status, check
from opfire.rulesets.panzerblitz_miniatures.moving.occupation import move_in
from opfire.rulesets.panzerblitz_miniatures.moving.works import Work, fallen
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Stand, UnitId, passengers, rides
from opfire.rulesets.panzerblitz_miniatures.setup import unfit
from opfire.space.measure import MICRO, direction
from opfire.space.terrain.features import Feature

# --- units ----------------------------------------------------------------------------------------------------


def suffer(game: Game[Position], unit_id: UnitId, result: str) -> None:
    """Apply a result of combat to a unit, with its morale check if there is one [COM-9 to COM-14]."""
    position = game.state
    unit = position.units[unit_id]
    if unit.at is None:
        return  # destroyed by the same attack
    effect = harm(position.charts, result, unit.order, position.setting.options)
    fort = position.works.get(unit.work)
    sheltered = fort is not None and fort.kind == "fort"
    match effect.does:
        case "check":
            check_morale(game, unit_id, effect)
        case "destroyed" if sheltered and fort and result == "X":
            destroy_fort(game, fort)
        case "destroyed":
            destroy(game, unit_id, effect.rule)
        case "dispersed" if sheltered and fort:
            disperse_fort(game, fort)
        case "dispersed":
            disperse(game, unit_id, effect.rule)


def check_morale(game: Game[Position], unit_id: UnitId, effect: Harm) -> None:
    """Roll a morale check of combat: a unit that fails is dispersed, a dispersed one is eliminated [MOR-3, MOR-5]."""
    position = game.state
    unit = position.units[unit_id]
    made = check(position.charts, unit.name, position.setting.doctrine(unit.side).morale, effect.modifiers)
    dice = game.roll(made.count, made.sides)
    passes = made.result(dice) == "passes"
    words = "{} passes its morale check" if passes else "{} fails its morale check"
    game.tell(Event("morale", words, (unit.name,), "MOR-3", (unit_id,), _place(unit), dice, made))
    if passes:
        return
    if failed(unit.order) == "destroyed":
        destroy(game, unit_id, "MOR-5")
    else:
        disperse(game, unit_id, effect.rule)


def disperse(game: Game[Position], unit_id: UnitId, rule: str) -> None:
    """Disperse a unit and its passengers [TRN-9]; a rider that was attacked alone is unloaded at once [TRN-12]."""
    position = game.state
    unit = position.units[unit_id]
    for each in (unit, *passengers(position, unit)):
        position.change(each.id, order="dispersed")
    game.tell(Event("dispersed", "{} is dispersed", (unit.name,), rule, (unit_id,), _place(unit)))
    if rides(position, unit):
        set_down(game, unit_id, "TRN-12")


def destroy(game: Game[Position], unit_id: UnitId, rule: str) -> None:
    """Destroy a unit; armor leaves a wreck [WRK-1], and passengers die with it if they do not bail out [TRN-9, BAI-1].

    A rider that was attacked alone dies alone [TRN-12].
    """
    position = game.state
    unit = position.units[unit_id]
    at = unit.at
    assert at is not None
    saved = [each.id for each in passengers(position, unit) if bails_out(game, unit, each)]
    for name in saved:
        get_off(position, name)
    position.lift(unit_id, "eliminated")
    lost = (unit_id, *(name for name in unit.cargo if name not in saved))
    game.tell(Event("eliminated", "{} is destroyed", (unit.name,), rule, lost, (at,)))
    if unit.kind.target == "armored":
        position.lay(Work(f"wreck-{unit_id}", "wreck", at, unit.side))
    for name in saved:
        position.change(name, order="dispersed")
        set_down(game, name, "BAI-1")


# --- passengers -----------------------------------------------------------------------------------------------


def bails_out(game: Game[Position], carrier: Stand, unit: Stand) -> bool:
    """Roll for a passenger of a destroyed carrier: it survives with a 6 [BAI-1].

    Only armored carriers, and units so marked, have the chance [BAI-2]; riders on armor have none [TRN-12]:
    RULINGS.md R37.
    """
    if not (carrier.kind.carries and carrier.kind.target == "armored" and unit.kind.bailout):
        return False
    dice = game.roll(1, 6)
    survives = dice[0] == 6
    words = "{} bails out" if survives else "{} does not bail out"
    game.tell(Event("bailout", words, (unit.name,), "BAI-1", (unit.id,), _place(carrier), dice))
    return survives


def get_off(position: Position, unit_id: UnitId) -> None:
    """Take a passenger off its carrier; both keep their place."""
    unit = position.units[unit_id]
    if unit.carrier is not None:
        bearer = position.units[unit.carrier]
        position.change(bearer.id, cargo=tuple(name for name in bearer.cargo if name != unit_id))
        position.change(unit_id, carrier=None)


def set_down(game: Game[Position], unit_id: UnitId, rule: str) -> None:
    """Put a passenger down beside its carrier or the wreck; it is destroyed if no place there can take it."""
    position = game.state
    get_off(position, unit_id)
    unit = position.units[unit_id]
    assert unit.at is not None
    to = next((at for at in beside(position, unit.at) if unfit(position, unit, at) is None), None)
    if to is None:
        return destroy(game, unit_id, rule)
    position.put(unit_id, to)
    move_in(position, unit_id)
    game.tell(Event("unloaded", "{} is unloaded", (unit.name,), rule, (unit_id,), (to,)))
    return None


def beside(position: Position, at: Point) -> Iterator[Point]:
    """The places around a stand to try, from contact outwards to an inch from it, clockwise from the north."""
    base = position.setting.base
    for gap in (INCH // 100, INCH // 2, INCH):
        for facing in range(0, 360, 15):
            east, south = direction(facing)
            yield at[0] + east * (base + gap) // MICRO, at[1] + south * (base + gap) // MICRO


# --- structures -----------------------------------------------------------------------------------------------


def inside(position: Position, fort: Work) -> list[Stand]:
    """The units in a work."""
    return [unit for unit in position.units.values() if unit.work == fort.id and unit.at is not None]


def hit_fort(game: Game[Position], fort: Work, result: str) -> None:
    """Apply a result to a fortification attacked as such; its occupants check their morale [FRT-7, FRT-12]: R49."""
    position = game.state
    status: Status = "dispersed" if fort.dispersed else "good order"
    effect = harm(position.charts, result, status, position.setting.options)
    match effect.does:
        case "destroyed":
            destroy_fort(game, fort)
        case "dispersed":
            disperse_fort(game, fort)
        case "check":
            for unit in inside(position, fort):
                check_morale(game, unit.id, effect)


def destroy_fort(game: Game[Position], fort: Work) -> None:
    """Destroy a fortification and everything in it [FRT-7]."""
    for unit in inside(game.state, fort):
        destroy(game, unit.id, "FRT-7")
    game.state.remove(fort.id)
    game.tell(Event("destroyed", "The fortification is destroyed", (), "FRT-7", (), (fort.at,)))


def disperse_fort(game: Game[Position], fort: Work) -> None:
    """Disperse a fortification and its occupants [FRT-12]; its own dispersal ends with the turn: RULINGS.md R71."""
    game.state.lay(replace(fort, dispersed=True))
    game.tell(Event("dispersed", "The fortification is dispersed", (), "FRT-12", (), (fort.at,)))
    for unit in inside(game.state, fort):
        if unit.dispersed:
            destroy(game, unit.id, "FRT-12")
        else:
            disperse(game, unit.id, "FRT-12")


def hit_bridge(game: Game[Position], bridge: Feature, result: str) -> None:
    """Destroy a bridge by an X; nothing else harms it [BRI-8]: RULINGS.md R44."""
    if result == "X":
        fell(game, bridge)


def fell(game: Game[Position], bridge: Feature) -> None:
    """Destroy a bridge, and the vehicles on it with their passengers [BRI-9]; personnel over a river drowns: R72."""
    position = game.state
    on_it = [unit for side in position.setting.sides for unit in position.of(side) if _on(position, unit, bridge)]
    position.lay(fallen(bridge))
    game.tell(Event("destroyed", "{} is destroyed", (bridge.name,), "BRI-9", (), (fallen(bridge).at,)))
    for unit in on_it:
        over_water = "water" in position.table.ground.at(unit.at or (0, 0)).kinds
        if unit.vehicle or over_water:
            for name in unit.cargo:
                get_off(position, name)
                position.lift(name, "eliminated")
            destroy(game, unit.id, "BRI-9")


def _on(position: Position, unit: Stand, bridge: Feature) -> bool:
    return unit.at is not None and not unit.aircraft and bridge in position.table.ground.at(unit.at).features


def _place(unit: Stand) -> tuple[Point, ...]:
    return () if unit.at is None else (unit.at,)
