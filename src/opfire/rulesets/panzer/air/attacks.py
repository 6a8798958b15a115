"""Attacks from the air [6.7.3]: strafing, bombs and rockets, their patterns and modifiers; crashes [6.7.4.2.1]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text, Words
from opfire.kit.calibres import calibre_of
from opfire.rulesets.panzer.air import crossing
from opfire.rulesets.panzer.charts import (
    BANDS,
    CALIBRES,
    Aircraft,
    Altitude,
    Band,
    GpResult,
    HitModifier,
    Leg,
    Stores,
    Vehicle,
    Weapon,
)
from opfire.rulesets.panzer.commands import known_to_move
from opfire.rulesets.panzer.fire import gp_fire, plates
from opfire.rulesets.panzer.fire.gp_fire import Outcome
from opfire.rulesets.panzer.fire.resolving import apply, show_march
from opfire.rulesets.panzer.fire.shots import gp_defense, splinters, under_trees
from opfire.rulesets.panzer.fire.turrets import opened
from opfire.rulesets.panzer.indirect.barrages import overhead
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import passengers, searching
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId, not_yours, off_the_map
from opfire.rulesets.panzer.works import destroying, fires
from opfire.rulesets.panzer.works.entrenching import held_by
from opfire.space.hexes import DIRECTIONS, distance

STORES: tuple[Stores, ...] = ("strafe", "bombs", "dive bombs", "rockets")
LEVELS: dict[Stores, tuple[Altitude, ...]] = {
    "strafe": ("low",),
    "bombs": ("medium", "high"),
    "dive bombs": ("high",),
    "rockets": ("low",),
}
"""The altitudes from which each weapon is used; a dive bomber enters at High [6.7.2.3.2, 6.7.3.2, 6.7.3.3, 6.7.3.4]."""

RULES: dict[Stores, str] = {
    "strafe": "6.7.3.2-pattern",
    "bombs": "6.7.3.3",
    "dive bombs": "6.7.2.3.2",
    "rockets": "6.7.3.4",
}
ROCKET_RANGES: dict[Band, int] = {"P": 2, "S": 4, "M": 6, "L": 8, "E": 10}
"""The greatest range of rockets at each range factor; they are fired at 2 to 10 hexes [6.7.3.4]: RULINGS.md R123."""

CRASH_FACTOR = 15
"""The GP Factor of a crash [6.7.4.2.1-elim]."""

GLIDER_CRASH_FACTOR = 10
"""The GP Factor of the crash of a glider [7.44.2.2-5]."""

NOTHING_STOPS_IT = 99
"""The effectiveness of a crash: against all vehicles whatever their GP Defense Factor [6.7.4.2.1-elim]."""


class AirAttack(Action, frozen=True):
    """Attack a target from the air by strafing, with bombs, by diving on it, or with rockets."""

    says = "{unit} attacks {target}: {stores}"
    kind = "fire"
    final = True
    unit: UnitId
    target: UnitId
    stores: Stores


class Blow(NamedTuple):
    """An attack from the air as each unit in its pattern suffers it: weapon, range factor, modifiers."""

    plane: UnitId
    title: Words
    weapon: Weapon
    band: Band
    lines: tuple[Line, ...]


# --- checks [6.7.3] ---------------------------------------------------------------------------------------------


def left(unit: Unit, stores: Stores) -> int:
    """The attacks that an aircraft has left with a weapon: exact numbers, without a roll [5.16.2.6]."""
    flight = unit.airborne
    return {"strafe": flight.strafes, "rockets": flight.rockets}.get(stores, flight.bombs)


def cannot_use(unit: Unit, stores: Stores) -> Refusal | None:
    """Reject a weapon that is spent, or that is not for this aircraft or altitude [5.4.1, 5.16.2.6, 6.7.3.2-pattern].

    Rules: [6.7.3.3, 6.7.3.4, 6.7.2.3.2].
    """
    if not left(unit, stores):
        return Refusal("{} has no attacks left with {}", "5.16.2.6", (unit.name, stores))
    if stores == "dive bombs" and not unit.aircraft.dive_bomber:
        return Refusal("{} is no dive bomber", "6.7.2.3.2", (unit.name,))
    if unit.airborne.altitude not in LEVELS[stores]:
        return Refusal("{} flies at {}: no altitude for {}", RULES[stores], (unit.name, unit.airborne.altitude, stores))
    return None


def not_ahead(position: Position, unit: Unit, target: Unit, stores: Stores) -> Refusal | None:
    """Reject a target that is not straight ahead: in the next hex, for rockets at 2 to 10 hexes [6.7.3.4]."""
    hexes = distance(position.map.coords[unit.airborne.hex], position.map.coords[str(target.hex)])
    straight = crossing.before(position, unit.airborne.hex, unit.facing, hexes) == target.hex
    near, far = (2, ROCKET_RANGES["E"]) if stores == "rockets" else (1, 1)
    if straight and near <= hexes <= far:
        return None
    facts = (target.name, near, far, unit.name)
    return Refusal("{} is not {} to {} hexes straight ahead of {}", RULES[stores], facts)


def cannot_attack(position: Position, side: Side, unit: Unit, target: Unit, stores: Stores) -> Refusal | None:
    """Reject an attack from the air [6.7.3, 6.7.3.1, 6.7.3.1.1-acq]."""
    if target.side == side:
        return Refusal("{} is on your side", "6.7.3", (target.name,))
    return (
        not_yours(side, unit)
        or off_the_map(target)
        or cannot_use(unit, stores)
        or not_ahead(position, unit, target, stores)
        or crossing.unguided(position, unit, target)
        or crossing.not_acquired(position, unit, target)
    )


def attacks(position: Position, unit: Unit) -> Iterator[AirAttack]:
    """The attacks that an aircraft can make now [6.7.3]."""
    usable = [stores for stores in STORES if cannot_use(unit, stores) is None]
    for target in position.enemies(unit.side) if usable else ():
        for stores in usable:
            if cannot_attack(position, unit.side, unit, target, stores) is None:
                yield AirAttack(unit.id, target.id, stores)


# --- patterns [6.7.3.2, 6.7.3.3] --------------------------------------------------------------------------------


def pattern(position: Position, unit: Unit, target: Hex, stores: Stores) -> tuple[Hex, ...]:
    """The hexes that an attack hits, the target's first: RULINGS.md R124.

    Strafing hits the target hex and the next one, at Fast two more [6.7.3.2-pattern]; bombs hit from Medium the next
    one too, from High also the two beside these [6.7.3.3]; dive bombs and rockets hit the target hex alone [6.7.3.4].
    """
    flight, way = unit.airborne, unit.facing
    offsets: list[tuple[int, ...]] = [()]
    if stores == "strafe":
        offsets += [(way,), (way, way)] if flight.speed == "fast" else [(way,)]
    elif stores == "bombs":
        beside = [((way + 5) % 6,), ((way + 1) % 6,)] if flight.altitude == "high" else []
        offsets += [(way,), *beside]
    hexes = (_moved(position, target, steps) for steps in offsets)
    return tuple(hex for hex in hexes if hex is not None)


def _moved(position: Position, hex: Hex, steps: tuple[int, ...]) -> Hex | None:
    q, r = position.map.coords[hex]
    for way in steps:
        q, r = q + DIRECTIONS[way][0], r + DIRECTIONS[way][1]
    name = position.map.name_at((q, r))
    return name if name is not None and name in position.map else None


# --- weapons and modifiers [6.7.3.5] ----------------------------------------------------------------------------


def weapon(card: Aircraft, stores: Stores) -> Weapon:
    """A weapon of an aircraft as a row of a weapon."""
    factor, effect = {
        "strafe": (card.strafe, card.strafe_eff),
        "rockets": (0, card.rocket_eff),
    }.get(stores, (card.bomb, card.bomb_eff))
    own = {band: getattr(card, f"rocket_{band.lower()}") if stores == "rockets" else factor for band in BANDS}
    return Weapon(
        weapon=card.id,
        nation=card.nation,
        name=stores,
        mount="V",
        kind="rocket" if stores == "rockets" else "gun",
        rof="N",
        small_arms=stores == "strafe" and card.strafe_small_arms,
        row="GP-DF",
        ammo=stores,
        gp_eff=effect,
        source=card.source,
        rule=card.rule,
        value_p=own["P"],
        value_s=own["S"],
        value_m=own["M"],
        value_l=own["L"],
        value_e=own["E"],
    )


def band_of(position: Position, unit: Unit, target: Hex, stores: Stores) -> Band:
    """The range factor of an attack: strafing counts as Point Blank [6.7.3.2-range]."""
    if stores != "rockets":
        return "P"
    hexes = distance(position.map.coords[unit.airborne.hex], position.map.coords[target])
    return next(band for band in BANDS if hexes <= ROCKET_RANGES[band])


def air_line(rows: dict[str, HitModifier], name: str) -> Line:
    """The line of a modifier of the AA/Aircraft Modifiers Table [6.7.3.5-cum, 6.7.4.2-mod]."""
    row = rows[name]
    return Line("modifier", row.label, f"{row.value:+d}", row.rule, row.value)


def modifiers(position: Position, unit: Unit, band: Band, stores: Stores) -> Iterator[Line]:
    """The modifiers of an aircraft: altitude, speed, damage, suppression, grade.

    Rules: [6.7.3.5-cum, 6.7.3.5-low, 6.7.3.5-med, 6.7.3.5-fast]. The Unit Grade counts for strafing, at Extreme Range,
    and for rockets [6.7.3.2-range]; a dive bomber attacks from Low [6.7.3.3].
    """
    flight, charts = unit.airborne, position.charts
    altitude: Altitude = "low" if stores == "dive bombs" else flight.altitude
    if altitude != "high":
        yield air_line(charts.air_modifiers, f"attack {altitude}")
    if flight.speed == "fast":
        yield air_line(charts.air_modifiers, "attack fast")
    if unit.damaged:
        yield gp_fire.modifier(charts, "shooter damaged")
    if unit.suppression:
        yield gp_fire.modifier(charts, "shooter suppressed")
    if stores in ("strafe", "rockets"):
        yield from gp_fire.grade_line(charts, unit.grade, "E" if stores == "strafe" else band)


def blow(position: Position, unit: Unit, band: Band, stores: Stores) -> Blow:
    """The attack of an aircraft at a range factor [6.7.3.5-cum]."""
    lines = tuple(modifiers(position, unit, band, stores))
    return Blow(unit.id, Text("{}, {}", (unit.name, stores)), weapon(unit.aircraft, stores), band, lines)


def crash(unit: Unit, factor: int) -> Blow:
    """The crash of an aircraft: no small arms, effective against all vehicles [6.7.4.2.1-elim]."""
    card = replace(unit.aircraft, bomb=factor, bomb_eff=NOTHING_STOPS_IT)
    return Blow(unit.id, Text("{} crashes", (unit.name,)), weapon(card, "bombs"), "P", ())


# --- a blow against a unit [6.5.4] ------------------------------------------------------------------------------


def calculation(position: Position, made: Blow, target: Unit) -> Calculation:
    """The roll of an attack from the air against a unit in its pattern [6.5.4, 6.7.3.5-cum]."""
    attack = attack_line(made)
    lines = [*made.lines, *of_target(position, target)]
    if made.weapon.name != "strafe" and splinters(position, target):
        lines.append(gp_fire.modifier(position.charts, "air burst"))  # 7.46: bombs and rockets

    def settle(found: GpResult, total: int) -> Outcome:
        match target.ground:
            case Vehicle() as card:
                weapon, band = made.weapon, made.band
                laid_open = opened(position, target) and gp_fire.against_open(weapon, band, card, found)
                plain = gp_fire.against_vehicle(position.charts, weapon, band, card, found, total, hull_down=False)
                return laid_open or plates.after_tracks(position.setting.options, weapon, None, card, plain)
            case card:
                return gp_fire.against_soft(card, found)

    title = Text("{}: {}", (made.title, target.name))
    return gp_fire.determination(position.charts, title, attack, gp_defense(position, target), lines, settle)


def at_passenger(position: Position, made: Blow, target: Unit, vehicle: Unit) -> Calculation:
    """The roll against a passenger of a vehicle in the pattern, with its fixed GP Defense Factor [6.5.4.2.3-joint]."""
    attack = attack_line(made)
    fixed = passengers.gp_defence(vehicle)
    defense = (Line("defence", "Passenger", f"{fixed}S", "6.5.4.2.3-gpd", fixed),)
    card = target.ground
    assert not isinstance(card, Vehicle)
    soft, lines = card, [*made.lines]
    if made.weapon.name != "strafe" and under_trees(position, vehicle):
        lines.append(gp_fire.modifier(position.charts, "air burst"))  # 7.46: passengers are S-Types

    def settle(found: GpResult, _: int) -> Outcome:
        return gp_fire.against_soft(soft, found)

    title = Text("{}: {} aboard {}", (made.title, target.name, vehicle.name))
    return gp_fire.determination(position.charts, title, attack, defense, lines, settle)


def of_target(position: Position, target: Unit) -> Iterator[Line]:
    """The modifiers of a target under attack from the air [6.5.4.3, 6.5.4.3-cover]."""
    charts = position.charts
    if isinstance(target.kind, Vehicle):
        yield from gp_fire.type_line(charts, target.kind)
        yield from gp_fire.cover_line(charts, overhead(position, target))
        if known_to_move(target):
            yield gp_fire.modifier(charts, "target moving")
        return
    yield from (gp_fire.modifier(charts, name) for name in _of_soft(position, target))


def _of_soft(position: Position, target: Unit) -> Iterator[str]:
    """The modifiers of a leg or towed target that do not belong to direct fire alone [6.5.4.3-wall, 6.5.4.3-rail]."""
    if isinstance(target.kind, Leg) and target.kind.bulk == "L":
        yield "cavalry"
    if isinstance(target.kind, Leg) and target.full_cover and known_to_move(target):
        yield "crawling"
    if held_by(position, target, "hasty entrenchment"):
        yield "hasty entrenchment"


# --- resolution -------------------------------------------------------------------------------------------------


def strike(game: Game[Position], made: Blow, target_id: UnitId) -> None:
    """Roll against a unit and its passengers, then apply the outcomes [6.7.3, 6.5.4.2.3-joint, 6.5.4.2.3-bail]."""
    target = game.state.units[target_id]
    if target.hex is None:
        return
    show_march(game, target)
    outcome = _rolled(game, made, target, calculation(game.state, made, target))
    riders = game.state.aboard(target_id)
    for unit in (target, *riders) if "R230" in game.state.setting.options else ():
        game.state.change(unit.id, under_fire=True)
    shaken = [unit.id for unit in riders if _at_passenger(game, made, unit, target)]
    apply(game, target_id, outcome, gp_fire.brew_up_most(made.weapon, made.band))
    passengers.shaken_out(game, target_id, shaken)
    for name in (*(unit.id for unit in riders), target_id):
        checks.check(game, name, "attacked")


def ravage(game: Game[Position], made: Blow, hexes: Iterable[Hex]) -> None:
    """After the units the terrain of each hex in a pattern is attacked; bombs, rockets and crashes may start fires.

    Rules: [6.7.3.2-pattern, 6.7.3.3, 6.7.3.4, 6.7.4.2.1-elim, 7.35.1-check].
    """
    attack = attack_line(made)
    for hex in hexes:
        if made.weapon.name != "strafe":
            fires.note(game.state, hex, attack.amount)
        loud = searching.SMALL_ARMS if made.weapon.small_arms is True else searching.ANYWHERE
        searching.hear(game.state, game.state.units[made.plane].side, hex, loud)  # 7.60.1.2-fire
        destroying.strike(game, made.weapon, attack, made.lines, destroying.sites(game.state, hex))


def attack_line(made: Blow) -> Line:
    """The GP Factor of an attack from the air [6.5.4.1]."""
    factor = made.weapon.value(made.band)
    return Line("attack", "GP Factor", str(factor), "6.5.4.1", factor)


def _at_passenger(game: Game[Position], made: Blow, unit: Unit, vehicle: Unit) -> bool:
    """Attack a passenger; return whether it has to check for Bail Out [6.5.4.5-repeat]."""
    outcome = _rolled(game, made, unit, at_passenger(game.state, made, unit, vehicle))
    apply(game, unit.id, outcome, 0)
    return unit.suppression != "on" and outcome in ("suppressed", "reduced to a half-squad")


def _rolled(game: Game[Position], made: Blow, target: Unit, reckoned: Calculation) -> str:
    dice = game.roll(1, gp_fire.DIE)
    outcome = reckoned.result(dice)
    facts, units = (made.title, target.name, outcome), (made.plane, target.id)
    places, calibre = (target.hex or "",), calibre_of(CALIBRES, [f"{made.weapon.weapon} {made.weapon.name}"])
    game.tell(Event("fired", "{} at {}: {}", facts, "6.7.3", units, places, dice, reckoned, calibre=calibre))
    return outcome
