"""Anti-aircraft fire [6.7.4]: the units that may fire, the roll, the results, the window in which they fire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Exchange, Result
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import control, leaders, span
from opfire.rulesets.panzer.air import attacks, crossing
from opfire.rulesets.panzer.charts import Altitude, GpResult, Gun, Vehicle
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire import ap_fire, gp_fire, limits
from opfire.rulesets.panzer.fire.arcs import in_field_of_fire
from opfire.rulesets.panzer.fire.arms import Arm, rate_of, turned
from opfire.rulesets.panzer.fire.gp_fire import Outcome
from opfire.rulesets.panzer.hiding import Unmask, cannot_unmask, uncover, unmasking
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.indirect.observers import observes
from opfire.rulesets.panzer.moving import searching
from opfire.rulesets.panzer.pieces import (
    Flight,
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    lurking,
    may_watch,
    not_yours,
    off_the_map,
)
from opfire.rulesets.panzer.sighting.chances import give_away
from opfire.rulesets.panzer.sighting.ranges import Marker, after_firing
from opfire.rulesets.panzer.suppression import suppress

CRASH_DIE = 10


class Flak(Action, frozen=True):
    """Fire at an aircraft that the unit tracks."""

    says = "{unit} fires at {target}"
    kind = "fire"
    final = True
    unit: UnitId
    target: UnitId


# --- who fires [6.7.4] ------------------------------------------------------------------------------------------


def guns(position: Position, unit: Unit) -> list[Arm]:
    """The anti-aircraft weapons of a unit: those with an AA row; vehicles fire them all round [6.7-aa, 6.7.4.1.2]."""
    date, out = position.setting.sections.date, (*unit.jammed, *unit.ruined)
    found = (arm for arm in _every(position, unit) if arm.row.weapon not in out)
    return [arm for arm in found if not date or arm.row.first <= date]


def _every(position: Position, unit: Unit) -> Iterator[Arm]:
    match unit.kind:
        case Vehicle() as card if card.aa_fire:
            for name in dict.fromkeys(filter(None, (card.main, card.second, card.gp_weapon, card.aa_mount))):
                for row in position.charts.rows_of(name, "V", "AA"):
                    yield Arm(row, "all", rate_of(unit, row))
        case Gun() as card:
            for row in position.charts.rows_of(card.weapon, card.mount, "AA"):
                yield Arm(row, "front", card.rof)


def no_flak(position: Position, unit: Unit) -> Refusal | None:
    """Reject a unit without an AA row, or inside a building or an Improved Position [6.7-aa, 6.7.4.1.1-order]."""
    if not guns(position, unit):
        return Refusal("{} has no anti-aircraft fire", "6.7-aa", (unit.name,))
    if crossing.inside(position, unit):
        return Refusal("{} is inside: it tracks no aircraft", "6.7.4.1.1-order", (unit.name,))
    return None


def not_tracked(position: Position, unit: Unit, plane: Unit) -> Refusal | None:
    """Reject an aircraft that was not in sight for as many hexes as the unit needs to track it.

    One that came into sight at the edge is tracked at once, one that takes off is not; turns do not matter. A unit that
    is suppressed after it has tracked an aircraft keeps it. Rules: [6.7.4.1.1-track, 6.7.4.1.1-sup].
    """
    flight, to = plane.airborne, str(unit.hex)

    def seen(hex: Hex, altitude: Altitude) -> bool:
        return position.line_from_the_air(hex, to, altitude) is None

    needed, count = crossing.tracking(position, unit, flight), crossing.flown(crossing.levels(flight), seen)
    if count < 0:
        return position.line_from_the_air(flight.hex, to, flight.altitude)
    from_edge = not flight.took_off and count == _hexes(flight.path)
    if count >= needed or from_edge or (unit.id in flight.trackers and count >= _hexes(flight.path[flight.since :])):
        return None
    rule = "6.7.4.1.1-sup" if unit.suppression else "6.7.4.1.1-track"
    return Refusal("{} tracks {} in {} hexes; it has flown {}", rule, (unit.name, plane.name, needed, count))


def _hexes(path: tuple[tuple[Hex, int], ...]) -> int:
    """The hexes flown on a path."""
    return len({hex for hex, _ in path}) - 1


def trackers(position: Position, plane: Unit) -> tuple[UnitId, ...]:
    """The anti-aircraft units that track an aircraft now [6.7.4.1.1-sup]."""
    units = (unit for unit in position.of(position.setting.other[plane.side]) if no_flak(position, unit) is None)
    return tuple(unit.id for unit in units if not_tracked(position, unit, plane) is None)


def gun_at(position: Position, unit: Unit, plane: Unit) -> Arm | Refusal:
    """The best anti-aircraft weapon that bears on an aircraft, or the reason against it [6.7.4.1.2, 6.5.4.1]."""
    found = guns(position, unit)
    refusals = [_cannot_bear(position, unit, arm, plane) for arm in found]
    usable = [arm for arm, refusal in zip(found, refusals, strict=True) if refusal is None]
    if not usable:
        return next(refusal for refusal in refusals if refusal is not None)
    return max(usable, key=lambda arm: _factor(position, unit, arm, plane).amount)


def _cannot_bear(position: Position, unit: Unit, arm: Arm, plane: Unit) -> Refusal | None:
    flight, coords = plane.airborne, position.map.coords
    if unit.buttoned and isinstance(unit.kind, Vehicle) and arm.row.weapon == unit.kind.aa_mount:
        return Refusal("{} is buttoned up: nobody is at its {}", "6.7.4.1.2", (unit.name, arm.row.name))
    if arm.row.aa_no_high and flight.altitude == "high":
        return Refusal("{} does not reach High Altitude", "6.7.4.1.2", (arm.row.name,))
    at, to, unit = coords[str(unit.hex)], coords[flight.hex], bearing(position, unit, plane)
    if at != to and not in_field_of_fire(at, unit.facing, arm.arc, to):
        return Refusal("{} is outside the field of fire of {}", "6.7.4.1.2", (plane.name, unit.name))
    return ap_fire.beyond_range(arm.row, position.map.distance(str(unit.hex), flight.hex))


def bearing(position: Position, unit: Unit, plane: Unit) -> Unit:
    """A unit as it fires at an aircraft: a gun on a platform faces it [7.16]."""
    return turned(position, unit, replace(plane, hex=plane.airborne.hex))


def cannot_engage(position: Position, side: Side, unit: Unit, plane: Unit) -> Refusal | None:
    """Reject anti-aircraft fire of a unit at an aircraft: it needs an Overwatch command, and fires once [6.7.4]."""
    if refusal := not_yours(side, unit) or off_the_map(unit):
        return refusal
    if plane.flight is None or not plane.flight.hex or plane.side == side:
        return Refusal("{} is no aircraft of the enemy over the map", PROCEDURE, (plane.name,))
    if not may_watch(unit):
        return Refusal("{} has no Overwatch command", "6.7.4", (unit.name,))
    return might_not_engage(position, unit, plane)


def might_not_engage(position: Position, unit: Unit, plane: Unit) -> Refusal | None:
    """Reject fire that is impossible whatever the command of the unit is [6.7.4, 6.7.4.1.2]."""
    if unit.fired or unit.guides:
        return Refusal("{} has fired, or guides aircraft", "6.7.4", (unit.name,))
    if observes(position, unit.id):
        return Refusal("{} observes indirect fire", "6.5.1-a", (unit.name,))
    if refusal := no_flak(position, unit) or not_tracked(position, unit, plane):
        return refusal
    arm = gun_at(position, unit, plane)
    return arm if isinstance(arm, Refusal) else None


# --- the roll [6.7.4.2] -----------------------------------------------------------------------------------------


def calculation(position: Position, unit: Unit, plane: Unit, shortages: int = 0) -> Calculation:
    """The roll of anti-aircraft fire that is possible: GP fire at an S-Type target [6.5.4.2.4, 6.7.4.2-mod].

    The modifiers of overwatch do not apply; those of `shortages` of rounds do [5.16.2.1].
    """
    arm = gun_at(position, unit, plane)
    assert not isinstance(arm, Refusal)
    attack, card = _factor(position, unit, arm, plane), plane.aircraft
    defense = (Line("defence", "GP Defense of aircraft", card.gpd, "6.5.4.2.4", card.gp_defense),)
    lines = [*_modifiers(position, unit, plane.airborne), *_of_unit(position, unit, arm, plane)]
    if shortages:
        lines.append(gp_fire.modifier(position.charts, "ammo limit"))
    elif line := limits.note(position, unit, arm):
        lines.append(line)

    def settle(found: GpResult, total: int) -> Outcome:
        return outcome(found, total, damaged=plane.damaged)

    title = Text("{} fires at {}", (unit.name, plane.name))
    return gp_fire.determination(position.charts, title, attack, defense, lines, settle)


def outcome(found: GpResult, total: int, *, damaged: bool) -> Outcome:
    """The outcome against an aircraft: an Effective roll that ends in 5 or 0 damages it, once [6.7.4.2.1-dmg].

    >>> [outcome("effective", total, damaged=False) for total in (95, 100, 101)]
    ['damaged', 'damaged', 'destroyed']
    """
    if found != "effective":
        return found
    return "damaged" if total % 5 == 0 and not damaged else "destroyed"


def _factor(position: Position, unit: Unit, arm: Arm, plane: Unit) -> Line:
    band = ap_fire.range_factor(arm.row, position.map.distance(str(unit.hex), plane.airborne.hex))
    assert band is not None
    return Line("attack", Text("GP Factor at {}", (band,)), str(arm.row.value(band)), "6.5.4.1", arm.row.value(band))


def _modifiers(position: Position, unit: Unit, flight: Flight) -> Iterator[Line]:
    """The modifiers for the speed and the altitude of the aircraft [6.7.4.2-mod]."""
    altitudes: tuple[Altitude, ...] = ("high", "low")
    if flight.speed == "fast":
        yield attacks.air_line(position.charts.air_modifiers, "target fast")
    if flight.altitude in altitudes:
        yield attacks.air_line(position.charts.air_modifiers, f"target {flight.altitude}")


def _of_unit(position: Position, unit: Unit, arm: Arm, plane: Unit) -> Iterator[Line]:
    """The modifiers of the unit that fires: damage, suppression, morale, optics, crew, grade, leader.

    Rules: [6.7.4.2-mod, 7.23.1, 7.57, 7.55.2-one].
    """
    charts = position.charts
    if unit.damaged and unit.damaged_part != "hull":
        yield gp_fire.modifier(charts, "shooter damaged")
    if unit.suppression:
        yield gp_fire.modifier(charts, "shooter suppressed")
    if unit.morale:
        yield gp_fire.modifier(charts, unit.morale)
    if "optics" in unit.collateral:
        yield gp_fire.modifier(charts, "optics")
    if span.small_crew(position, unit):
        yield gp_fire.modifier(charts, "small crew")
    yield from leaders.lines(position, unit, "gp")
    band = ap_fire.range_factor(arm.row, position.map.distance(str(unit.hex), plane.airborne.hex))
    if band is not None:
        yield from gp_fire.grade_line(charts, unit.grade, band)


# --- results [6.7.4.2.1] ----------------------------------------------------------------------------------------


def fire(game: Game[Position], unit_id: UnitId, plane_id: UnitId) -> bool:
    """Fire one shot at an aircraft; return whether it took effect [6.7.4.2].

    Fire that was announced before an attack is lost with its unit: RULINGS.md R125.
    """
    position = game.state
    unit, plane = position.units[unit_id], position.units[plane_id]
    arm = gun_at(position, unit, plane) if unit.hex is not None and plane.airborne.hex else None
    if not isinstance(arm, Arm):
        game.tell(Event("spent", "{} does not fire after all", (unit.name,), "6.7.4.1.1-order", (unit_id,)))
        return False
    _mark(game, unit, plane)
    reckoned = calculation(position, unit, plane, limits.loaded(game, unit, arm)[1])
    dice = game.roll(1, gp_fire.DIE)
    result = reckoned.result(dice)
    facts, places = (unit.name, plane.name, result), (str(unit.hex), plane.airborne.hex)
    units, calibre = (unit_id, plane_id), arm.row.calibre_mm
    game.tell(Event("fired", "{} fires at {}: {}", facts, "6.7.4.2", units, places, dice, reckoned, calibre=calibre))
    crossing.fly(position, plane, flak=(*plane.airborne.flak, (plane.airborne.hex, result)))
    _apply(game, plane_id, result)
    return result != "no effect"


def together(game: Game[Position], unit_id: UnitId, plane_id: UnitId) -> list[UnitId]:
    """The unit and those that share its command and can fire at the aircraft; the others are done [6.2.1.1.4-ow]."""
    position = game.state
    unit, plane, firing = position.units[unit_id], position.units[plane_id], [unit_id]
    for other in control.sharers(position, unit):
        if cannot_engage(position, unit.side, other, plane) is None:
            firing.append(other.id)
        else:
            position.change(other.id, fired=True)
    return firing


def volley(game: Game[Position], unit_id: UnitId, plane_id: UnitId) -> bool:
    """Units that share a command fire at the same aircraft; return whether a shot took effect [6.2.1.1.4-ow]."""
    units = together(game, unit_id, plane_id)
    hits = [fire(game, name, plane_id) for name in units]
    for name in units:
        game.state.change(name, fired=True)
    return any(hits)


def _mark(game: Game[Position], unit: Unit, plane: Unit) -> None:
    """The shot shows the command of its unit, and marks it by the weapon that fires [4.4.1-f, 5.7, 6.7.4]."""
    reveal(game, unit.id)
    arm = gun_at(game.state, unit, plane)
    small = isinstance(arm, Arm) and arm.row.small_arms is not False
    aimed = bearing(game.state, unit, plane)
    marker: Marker = "fire" if "fire" in (unit.spot, unit.fresh) else ""
    values = {"facing": aimed.facing, "turret": aimed.turret}  # 7.16, 7.8.4
    game.state.change(unit.id, fired=True, fresh=after_firing(marker, small_arms=small), **values)
    loud = searching.SMALL_ARMS if isinstance(arm, Arm) and arm.row.small_arms is True else searching.ANYWHERE
    searching.hear(game.state, unit.side, str(unit.hex), loud)  # 7.60.1.2-fire
    give_away(game.state, unit.id)


def _apply(game: Game[Position], plane_id: UnitId, result: str) -> None:
    """Apply the outcome to the aircraft; suppression lowers its fire, and doubles its acquisition [6.7.4.2.1-sup]."""
    match result:
        case "suppressed":
            plane = game.state.units[plane_id]
            if not plane.suppression:
                crossing.fly(game.state, plane, shaken=len(plane.airborne.path))
            suppress(game, plane_id)
        case "damaged":
            damage(game, plane_id)
        case "destroyed":
            shoot_down(game, plane_id)


def damage(game: Game[Position], plane_id: UnitId) -> None:
    """A damaged aircraft flies Slow from now on [6.7.4.2.1-dmg]."""
    plane = game.state.change(plane_id, damaged=True)
    crossing.fly(game.state, plane, speed="slow")
    game.tell(Event("damaged", "{} is damaged", (plane.name,), "6.7.4.2.1-dmg", (plane_id,)))


def shoot_down(game: Game[Position], plane_id: UnitId) -> None:
    """A lost aircraft flies on for a roll of hexes, half as far at Low, and crashes [6.7.4.2.1-elim].

    Beyond the map it hits nothing. A glider is lost with all aboard [7.44.2.2-5]. The owners of vehicles in the hex
    are not asked: RULINGS.md R126. Units under counters there are hit, too: RULINGS.md R243.
    """
    position, plane = game.state, game.state.units[plane_id]
    flight = plane.airborne
    (rolled,) = game.roll(1, CRASH_DIE)
    hex = crossing.before(position, flight.hex, plane.facing, rolled // 2 if flight.altitude == "low" else rolled)
    position.change(plane_id, status="eliminated", flight=replace(flight, hex="", attack=None))
    facts, places = (plane.name, hex or "beyond the map"), (hex,) if hex else ()
    text = "{} is shot down and crashes: {}"
    game.tell(Event("eliminated", text, facts, "6.7.4.2.1-elim", (plane_id,), places, (rolled,)))
    for lost in position.pick(position.setting.loads.get(plane_id, ())):
        position.change(lost.id, status="eliminated")  # 7.44.2.2-5
    made = attacks.crash(plane, attacks.GLIDER_CRASH_FACTOR if plane.aircraft.landing else attacks.CRASH_FACTOR)
    uncover(game, places)
    for target in barrages.targets(position, places):
        attacks.strike(game, made, target)
    attacks.ravage(game, made, places)


# --- the window [6.7.4.1.1] -------------------------------------------------------------------------------------


class AntiAircraft(Exchange, frozen=True):
    """Units on overwatch may fire at an aircraft as it flies, or announce it as it attacks [6.7.4.1.1-order].

    The side is asked by public facts alone: whether a unit has an Overwatch command is a secret. Fire that is
    announced while the aircraft attacks comes `later`, when the attack is resolved; the window hands its units over.
    Hidden units are revealed before they fire [7.2.2.3].
    """

    takes = (Flak, Pass, Unmask)
    step = "anti-aircraft fire"
    rule = "6.7.4"
    question = "Fire at the aircraft, or hold your fire"
    reaction = "Anti-aircraft fire"
    unit: UnitId = ""
    later: bool = False
    announced: tuple[UnitId, ...] = ()
    hit: bool = False
    hex: Hex = ""

    @property
    def movers(self) -> tuple[UnitId, ...]:
        """The aircraft."""
        return (self.unit,)

    def shots(self, sight: Position, side: str) -> Iterator[Action]:
        for unit in sight.of(side):
            if self._cannot_fire(sight, side, unit) is None:
                yield Flak(unit.id, self.unit)

    def _cannot_fire(self, sight: Position, side: Side, unit: Unit) -> Refusal | None:
        if unit.id in self.announced:
            return Refusal("{} fires already", "6.7.4", (unit.name,))
        return cannot_engage(sight, side, unit, sight.units[self.unit])

    def may_act(self, state: Position, side: str) -> bool:
        """Whether a unit of the side might fire, as far as everybody knows."""
        plane = state.units[self.unit]
        if not plane.airborne.hex:
            return False
        return any(self._might(state, unit, plane) for unit in state.of(side)) or bool(self._lairs(state, side))

    def _lairs(self, state: Position, side: str) -> list[Unmask]:
        """The counters of a side in sight of the aircraft, whatever they stand for; everybody knows its hidden guns."""
        plane = state.units[self.unit]
        if not any(guns(state, unit) for unit in lurking(state, side)):
            return []
        return [
            Unmask(mask.id, mask.hex)
            for mask in state.masks.values()
            if mask.side == side and mask.laid and crossing.overhead(state, plane, mask.hex)
        ]

    def _might(self, state: Position, unit: Unit, plane: Unit) -> bool:
        if unit.id in self.announced or (unit.revealed and unit.command != "overwatch"):
            return False
        return unit.kind.armed and might_not_engage(state, unit, plane) is None

    def closes(self, game: Game[Position]) -> Result:
        """The units that fire later, or whether a shot took effect."""
        return self.announced if self.later else self.hit

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if may_watch(unit) and not unit.fired)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (Pass(), *self._lairs(sight, side))
        fits = self._cannot_fire(sight, side, sight.units[actor]) is None
        return (Flak(actor, self.unit),) if fits else ()

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Unmask():
                return cannot_unmask(sight, side, action)
            case Flak(unit, target):
                if target != self.unit:
                    return Refusal("{} does not fly now", PROCEDURE, (sight.units[target].name,))
                return self._cannot_fire(sight, side, sight.units[unit])
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Unmask(counter):
                game.push(unmasking(game, counter))
            case Flak(unit) if self.later:
                units = together(game, unit, self.unit)
                for name in units:
                    reveal(game, name)
                replace(self, announced=(*self.announced, *units)).shot(game, self.waiting)
            case Flak(unit):
                hit = volley(game, unit, self.unit)
                replace(self, hit=self.hit or hit).shot(game, self.waiting)
            case Pass():
                self.passed(game)
