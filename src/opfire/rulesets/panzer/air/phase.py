"""The Air Phases [6.4, 6.7]: aircraft appear one by one, fly across the map, attack and leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import joined
from opfire.rulesets.panzer import hiding
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.air import attacks, crossing, flak, gliders, landing, scatter
from opfire.rulesets.panzer.air.attacks import AirAttack
from opfire.rulesets.panzer.air.gliders import Glide, TouchDown
from opfire.rulesets.panzer.air.landing import Land, TakeOff
from opfire.rulesets.panzer.charts import Altitude, Band, Speed, Stores
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire.direct_fire import Asked
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.pieces import Flight, Hex, Position, Side, Unit, UnitId, bearer, not_yours
from opfire.space.hexes import opposite

LOITER = 5
"""The turns for which an aircraft is there, its first appearance included [6.7.2.1-loiter]."""

SPEEDS: tuple[Speed, ...] = ("slow", "fast")
ALTITUDES: tuple[Altitude, ...] = ("low", "medium", "high")


class Enter(Action, frozen=True):
    """Place an aircraft on an edge hex, with the facing in which it flies (0 north, clockwise, to 5)."""

    says = "{unit} appears at {hex}, flying {facing}"
    kind = "move"
    unit: UnitId
    hex: Hex
    facing: int


class Level(Action, frozen=True):
    """Announce the speed and the altitude at which an aircraft flies this turn."""

    says = "{unit} flies {speed} and {altitude}"
    kind = "move"
    final = True
    unit: UnitId
    speed: Speed
    altitude: Altitude


class Fly(Action, frozen=True):
    """Fly straight on to a hex; anti-aircraft fire that takes effect ends the leg."""

    says = "{unit} flies on to {to}"
    kind = "move"
    final = True
    unit: UnitId
    to: Hex


class Bank(Action, frozen=True):
    """Turn an aircraft in flight by one hexside."""

    says = "{unit} turns to {facing}"
    kind = "turn"
    unit: UnitId
    facing: int


class FlyOff(Action, frozen=True):
    """Fly straight on and off the map."""

    says = "{unit} flies off the map"
    kind = "exit"
    final = True
    unit: UnitId


# --- appearance [6.7.2.1] ---------------------------------------------------------------------------------------


def unavailable(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject an aircraft that cannot appear now [6.7.2.1-when, 6.7.2.1-loiter]."""
    if refusal := not_yours(side, unit):
        return refusal
    if unit.flight is None or unit.status != "aloft" or unit.flight.hex:
        return Refusal("{} is no aircraft beside the map", "6.7.2", (unit.name,))
    flight, turns = unit.flight, position.setting.squadrons[unit.id].turns
    if not flight.first and turns and position.turn not in turns:
        return Refusal("{} appears first in the turns {}", "6.7.2.1-when", (unit.name, ", ".join(map(str, turns))))
    if flight.last == position.turn:
        return Refusal("{} has flown this turn", "6.7.2.1-loiter", (unit.name,))
    if flight.first and position.turn >= flight.first + LOITER:
        return Refusal("{} has loitered for {} turns", "6.7.2.1-loiter", (unit.name, LOITER))
    return None


def edges_for(position: Position, unit: Unit) -> tuple[str, ...]:
    """The edges by which an aircraft may appear; none means any: RULINGS.md R127.

    In the turn after a crossing it is the edge by which it left [6.7.2.1-edge].
    """
    flight = unit.airborne
    if not flight.first:
        return position.setting.squadrons[unit.id].edges
    return flight.edges if flight.last == position.turn - 1 else ()


def cannot_enter(position: Position, side: Side, unit: Unit, hex: Hex, facing: int) -> Refusal | None:
    """Reject an appearance away from the edges, or flying off [6.7.2, 6.7.2.1-when, 6.7.2.1-edge]."""
    if refusal := unavailable(position, side, unit):
        return refusal
    if gliders.is_glider(unit):
        return Refusal("{} is a glider: the other side chooses its facing", "7.44.2.2-1", (unit.name,))
    around = position.map.neighbours[hex]
    if facing not in range(6) or around[opposite(facing)] is not None or around[facing] is None:
        return Refusal("{} cannot come onto the map at {} that way", "6.7.2", (unit.name, hex))
    edges = edges_for(position, unit)
    if edges and position.map.edge(hex).isdisjoint(edges):
        rule = "6.7.2.1-edge" if unit.airborne.first else "6.7.2.1-when"
        return Refusal("{} comes by the edge {}", rule, (unit.name, joined(edges, " or ")))
    return None


def entries(position: Position, unit: Unit) -> Iterator[Enter]:
    """The hexes and facings with which an aircraft may appear [6.7.2.1-when, 6.7.2.1-edge]."""
    if unavailable(position, unit.side, unit) is not None:
        return
    for hex in position.map.names:
        for facing in range(6) if position.map.edge(hex) else ():
            if cannot_enter(position, unit.side, unit, hex, facing) is None:
                yield Enter(unit.id, hex, facing)


def cannot_glide(position: Position, side: Side, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a glider that does not arrive now, or a hex outside its Arrival Area [7.44.2, 7.44.2.2-1]."""
    if refusal := unavailable(position, side, unit):
        return refusal
    if gliders.is_glider(unit) and gliders.facings_at(position, hex, position.setting.squadrons[unit.id].edges):
        return None
    return Refusal("{} is not in the Arrival Area of {}", "7.44.2.2-1", (hex, unit.name))


def arrivals(position: Position, unit: Unit) -> Iterator[Glide]:
    """The hexes at which a glider may come in [7.44.2.2-1]."""
    for hex in position.map.names:
        if position.map.edge(hex) and cannot_glide(position, unit.side, unit, hex) is None:
            yield Glide(unit.id, hex)


def cannot_fly_at(unit: Unit, speed: Speed, altitude: Altitude) -> Refusal | None:
    """Reject Fast for aircraft that are slow, or damaged [6.7.2.2, 6.7.4.2.1-dmg]."""
    if speed not in SPEEDS or altitude not in ALTITUDES:
        return Refusal("Aircraft fly slow or fast, and low, medium or high", "6.7.2.2")
    if speed == "fast" and (unit.aircraft.slow_only or unit.damaged):
        return Refusal("{} flies at Slow only", "6.7.2.2", (unit.name,))
    return None


# --- flying [6.7.2.3] -------------------------------------------------------------------------------------------


def cannot_bank(position: Position, unit: Unit, facing: int) -> Refusal | None:
    """Reject a turn at Fast, a second one, or one of more than a hexside [6.7.2.3.1]."""
    flight = unit.airborne
    if gliders.is_glider(unit) and (refusal := gliders.cannot_bank(unit)):
        return refusal
    if flight.speed == "fast" or (flight.turns and not gliders.is_glider(unit)):
        return Refusal("{} cannot turn: it flies Fast, or has turned", "6.7.2.3.1", (unit.name,))
    if facing not in ((unit.facing + 1) % 6, (unit.facing + 5) % 6):
        return Refusal("An aircraft turns by one hexside", "6.7.2.3.1")
    return None


def cannot_reach(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """Reject a hex that is not straight ahead of an aircraft: there is no other way for it [5.5, 6.7.2.3]."""
    hexes = position.map.distance(unit.airborne.hex, to)
    if hexes and crossing.before(position, unit.airborne.hex, unit.facing, hexes) == to:
        return None
    return Refusal("{} is not straight ahead of {}", "6.7.2.3", (to, unit.name))


# --- frames -----------------------------------------------------------------------------------------------------


class AirPhase(Frame, frozen=True):
    """The side with aircraft lets them fly, one after the other [6.4, 6.7.2]."""

    takes = (Enter, Glide, TakeOff, EndStep)
    step = "air"
    rule = "6.7"
    question = "Bring an aircraft on, or end the Air Phase"
    passed: tuple[Side, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Ask the side with aircraft; one that a case puts over the map flies first [6.4].

        Landed aircraft are armed and refueled [7.59.4-arm].
        """
        position = game.state
        landing.serve(position)
        over = (unit for side in position.setting.sides for unit in crossing.planes(position, side))
        plane = next((unit for unit in over if unit.airborne.hex), None)
        if plane is None:
            self._go_on(game)
        else:
            game.push(Flying(plane.side, plane.id))

    def resume(self, game: Game[Position], result: object) -> None:
        """Stay for the next aircraft."""
        self._go_on(game)

    def _go_on(self, game: Game[Position]) -> None:
        """Ask the side with aircraft as long as one of them can appear."""
        position = game.state
        ready = (unit for unit in position.pick(position.setting.planes) if _ready(position, unit))
        side = next((unit.side for unit in ready if unit.side not in self.passed), None)
        if side is None:
            game.pop()
        else:
            game.swap(replace(self, side=side))

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        planes = (*crossing.planes(sight, side), *landing.landed(sight, side))
        yield from (unit.id for unit in planes if _ready(sight, unit))

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (act for act in (EndStep(),) if self.refusal(sight, side, act) is None)
        unit = sight.units[actor]
        if unit.hex is not None:
            return landing.departures(sight, unit)
        return arrivals(sight, unit) if gliders.is_glider(unit) else entries(sight, unit)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Enter(unit, hex, facing):
                return cannot_enter(sight, side, sight.units[unit], hex, facing)
            case Glide(unit, hex):
                return cannot_glide(sight, side, sight.units[unit], hex)
            case TakeOff():
                return landing.cannot_take_off(sight, side, action)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Enter(unit, hex, facing):
                plane = game.state.change(unit, facing=facing)
                flight, turn = plane.airborne, game.state.turn
                crossing.fly(game.state, plane, hex=hex, first=flight.first or turn, last=turn)
                game.tell(Event("air", "{} appears", (plane.name,), "6.7.2", (unit,), (hex,)))
                game.push(Arriving(self.side, unit))
            case Glide(unit, hex):
                game.push(Flying(self.side, unit))
                game.push(gliders.Pointing(game.state.setting.other[self.side], unit, hex))
            case TakeOff(unit):
                landing.take_off(game, action)
                game.push(Flying(self.side, unit))
            case EndStep():
                replace(self, passed=(*self.passed, self.side))._go_on(game)


class LastAirPhase(AirPhase, frozen=True):
    """The 2nd Air Phase of a turn: gliders that arrive in the turn come in now at the latest [7.44.2, 6.7]."""

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if isinstance(action, EndStep):
            due = (unit for unit in crossing.planes(sight, side) if gliders.is_glider(unit) and _ready(sight, unit))
            if glider := next(due, None):
                return Refusal("{} arrives in this turn: bring it in", "7.44.2", (glider.name,))
        return super().refusal(sight, side, action)


def _ready(position: Position, unit: Unit) -> bool:
    if unit.hex is not None:
        return next(landing.departures(position, unit), None) is not None
    return unavailable(position, unit.side, unit) is None


class Arriving(Frame, frozen=True):
    """An aircraft at the edge of the map: its speed and altitude are announced [6.7.2.2]."""

    takes = (Level,)
    step = "air"
    rule = "6.7.2.2"
    question = "Choose the speed and altitude of the aircraft"
    unit: UnitId

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield self.unit

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        for speed in SPEEDS if actor == self.unit else ():
            if cannot_fly_at(sight.units[actor], speed, "low") is None:
                yield from (Level(actor, speed, altitude) for altitude in ALTITUDES)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Level(unit) if unit != self.unit:
                return Refusal("{} does not appear now", "6.7.2.2", (sight.units[unit].name,))
            case Level(unit, speed, altitude):
                return cannot_fly_at(sight.units[unit], speed, altitude)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Level(unit, speed, altitude):
                plane = game.state.units[unit]
                path = ((plane.airborne.hex, plane.facing),)
                fresh = {"since": 0, "attacked": False, "turns": 0, "flak": (), "shaken": 0, "dived": 0}
                crossing.fly(game.state, plane, speed=speed, altitude=altitude, path=path, **fresh)
                facts = (plane.name, speed, altitude)
                game.tell(Event("air", "{} flies {} and {}", facts, "6.7.2.2", (unit,)))
                over = Flying(self.side, unit)
                game.swap(over)
                over.begin(game)


class Flying(Frame, frozen=True):
    """An aircraft over the map: it flies straight on, may turn once, attacks [6.7.2.3, 6.7.3].

    It flies on by itself until it is in `to`, or `off` the map. Anti-aircraft fire that was announced during an attack
    comes after it: `shots`.
    """

    takes = (Fly, Bank, AirAttack, FlyOff, TouchDown, Land)
    step = "air"
    rule = "6.7.2.3"
    question = "Fly on, turn, or attack a target"
    unit: UnitId
    to: Hex = ""
    off: bool = False
    struck: bool = False
    shots: tuple[UnitId, ...] = ()
    entered: bool = False

    def begin(self, game: Game[Position]) -> None:
        """An aircraft that comes into sight at the edge is tracked at once; a glider has no facing yet.

        Rules: [6.7.4.1.1-track, 7.44.2.2-1].
        """
        if game.state.units[self.unit].airborne.hex:
            self._watched(game, later=False)

    def resume(self, game: Game[Position], result: object) -> None:
        """Go on after a window for anti-aircraft fire, or after the attack was carried out."""
        plane = game.state.units[self.unit]
        if plane.status != "aloft":
            game.pop()
        elif len(plane.airborne.path) == 1 and not self.entered and gliders.is_glider(plane):
            game.swap(replace(self, entered=True))
            self._watched(game, later=False)
        elif gliders.is_glider(plane) and plane.damaged:
            self._come_down(game, falls=True)
        elif plane.airborne.attack is not None:
            self._attacking(game, result)
        elif (self.off or self.to) and result is not True and plane.airborne.hex != self.to:
            self._step(game)
        else:
            game.swap(replace(self, to="", off=False))

    def _attacking(self, game: Game[Position], result: object) -> None:
        """After the announcements the attack is resolved, and after it the fire announced [6.7.4.1.1-order]."""
        plane = game.state.units[self.unit]
        assert plane.airborne.attack is not None
        stores, target = plane.airborne.attack
        if not self.struck:
            shots = result if isinstance(result, tuple) else ()
            game.swap(replace(self, struck=True, shots=shots))
            hex = str(game.state.units[target].hex)
            falls = scatter.impact(game, plane, hex) if stores == "bombs" else hex
            struck = attacks.pattern(game.state, plane, falls, stores) if falls else ()
            targets = tuple(barrages.targets(game.state, struck))
            band = attacks.band_of(game.state, plane, hex, stores)
            game.push(Strike(self.side, self.unit, band, stores, targets, struck))
            return
        finish(game, plane)
        for unit in self.shots:
            if game.state.units[self.unit].airborne.hex:
                flak.fire(game, unit, self.unit)
        game.swap(replace(self, struck=False, shots=()))
        if game.state.units[self.unit].status != "aloft":
            game.pop()

    def _come_down(self, game: Game[Position], *, falls: bool) -> None:
        """A glider lands where its player wants, or where it `falls`; then its passengers are fired at.

        Rules: [7.44.2.2-4, 7.44.2.2-6, 7.44.2.4].
        """
        if not falls or gliders.fall_short(game, self.unit):
            gliders.land(game, self.unit)
        units = [unit for unit in gliders.aboard(game.state, self.unit) if unit.hex is not None]
        if units:
            gliders.fire_at(game, self.side, units)
        else:
            game.pop()

    def _watched(self, game: Game[Position], *, later: bool) -> None:
        other = game.state.setting.other[self.side]
        hex = game.state.units[self.unit].airborne.hex
        game.push(flak.AntiAircraft(other, (other,), self.unit, later, hex=hex))

    def _step(self, game: Game[Position]) -> None:
        """One hex forward, or off the map [6.7.2.3]."""
        plane = game.state.units[self.unit]
        hex = crossing.before(game.state, plane.airborne.hex, plane.facing)
        if hex is None:
            leave(game, plane)
            game.pop()
            return
        crossing.fly(game.state, plane, hex=hex, path=(*plane.airborne.path, (hex, plane.facing)))
        game.tell(Event("flew", "{} flies on", (plane.name,), "6.7.2.3", (self.unit,), (hex,)))
        self._watched(game, later=False)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield self.unit

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor != self.unit:
            return
        unit = sight.units[actor]
        yield from attacks.attacks(sight, unit)
        yield TouchDown(actor) if gliders.is_glider(unit) else FlyOff(actor)
        if landing.cannot_land(sight, unit) is None:
            yield Land(actor)
        for facing in ((unit.facing + 5) % 6, (unit.facing + 1) % 6):
            if cannot_bank(sight, unit, facing) is None:
                yield Bank(actor, facing)
        yield from (Fly(actor, hex) for hex in crossing.way_ahead(sight, unit))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        unit = sight.units[self.unit]
        match action:
            case Fly(name) | Bank(name) | AirAttack(name) | FlyOff(name) | TouchDown(name) | Land(name) if (
                name != self.unit
            ):
                return Refusal("{} does not fly now", "6.7.2", (sight.units[name].name,))
            case FlyOff() if gliders.is_glider(unit):
                return Refusal("{} has to land in this phase", "7.44.2.2-2", (unit.name,))
            case TouchDown() if not gliders.is_glider(unit):
                return Refusal("{} is no glider", "7.44.2.2-6", (unit.name,))
            case Land():
                return landing.cannot_land(sight, unit)
            case Fly(_, to):
                return cannot_reach(sight, unit, to)
            case Bank(_, facing):
                return cannot_bank(sight, unit, facing)
            case AirAttack(_, target, stores):
                return attacks.cannot_attack(sight, side, unit, sight.units[target], stores)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Fly(_, to):
                replace(self, to=to)._begin_leg(game)
            case FlyOff():
                replace(self, off=True)._begin_leg(game)
            case Bank(name, facing):
                turned = game.state.change(name, facing=facing)
                flight = turned.airborne
                path = (*flight.path, (flight.hex, facing))
                crossing.fly(game.state, turned, turns=flight.turns + 1, path=path)
                game.tell(Event("turned", "{} turns", (turned.name,), "6.7.2.3.1", (name,), (flight.hex,)))
            case TouchDown():
                self._come_down(game, falls=False)
            case Land(name):
                landing.land(game, name)
                game.pop()
            case AirAttack(name, target, stores):
                announce(game, name, target, stores)
                self._watched(game, later=True)

    def _begin_leg(self, game: Game[Position]) -> None:
        game.swap(self)
        self._step(game)


def announce(game: Game[Position], unit: UnitId, target: UnitId, stores: Stores) -> None:
    """Announce an attack: one use of its weapon [5.16.2.6]; the FO that is needed shows itself [6.7.3.1.2]."""
    position, plane, aim = game.state, game.state.units[unit], game.state.units[target]
    if crossing.concealed(position, aim) and (observer := crossing.guide(position, plane.side, aim)):
        reveal(game, bearer(position, observer.id))
        position.change(observer.id, guides=target)
    spent = {"strafe": "strafes", "rockets": "rockets"}.get(stores, "bombs")
    values = {"trackers": flak.trackers(position, plane), spent: attacks.left(plane, stores) - 1}
    crossing.fly(position, plane, attack=(stores, target), **values)
    facts, places = (plane.name, aim.name, stores), (plane.airborne.hex, str(aim.hex))
    game.tell(Event("air", "{} attacks {}: {}", facts, "6.7.3", (unit, target), places))


def finish(game: Game[Position], plane: Unit) -> None:
    """The end of an attack: the next target is acquired from here on, by a dive bomber at Low.

    Rules: [6.7.3.1.1-one, 6.7.2.3.2].
    """
    flight = plane.airborne
    assert flight.attack is not None
    if flight.attack[0] == "dive bombs":
        plane = crossing.fly(game.state, plane, altitude="low", dived=len(flight.path) - 1)
    crossing.fly(game.state, plane, attack=None, attacked=True, since=len(flight.path) - 1)


def leave(game: Game[Position], plane: Unit) -> None:
    """An aircraft leaves the map by an edge, for this turn [6.7.2, 6.7.2.1-edge]."""
    flight, edge = plane.airborne, game.state.map.edge(plane.airborne.hex)
    gone = Flight(
        strafes=flight.strafes,
        bombs=flight.bombs,
        rockets=flight.rockets,
        first=flight.first,
        last=flight.last,
        edges=tuple(sorted(edge)),
    )
    game.state.change(plane.id, flight=gone)
    game.tell(Event("air", "{} flies off the map", (plane.name,), "6.7.2", (plane.id,), (flight.hex,)))


class Strike(Frame, frozen=True):
    """An attack from the air hits each unit in its pattern; owners of vehicles may reveal that these move.

    Rules: [6.7.3.2-pattern, 6.5.4.3-moving-reveal].
    """

    rule = "6.7.3"
    unit: UnitId
    band: Band
    stores: Stores
    targets: tuple[UnitId, ...] = ()
    hexes: tuple[Hex, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Ask about the first target that is still there; after the last one the terrain of the pattern is attacked.

        HIDDEN UNIT counters in the pattern are revealed first, by strafing, too [7.2.2.3]: RULINGS.md R243.
        """
        if hiding.struck(game, self.hexes):
            return
        left = tuple(unit.id for unit in game.state.pick(self.targets) if unit.hex is not None)
        if not left:
            attacks.ravage(game, self._blow(game), self.hexes)
            game.pop()
            return
        game.swap(replace(self, targets=left))
        game.push(Asked(game.state.units[left[0]].side, left[0]))

    def resume(self, game: Game[Position], result: object) -> None:
        """The owner has answered: roll, and go on with the next target; revealed units are targets, too [7.2.2.3]."""
        if result == hiding.UNMASKED:
            return replace(self, targets=tuple(barrages.targets(game.state, self.hexes))).begin(game)
        attacks.strike(game, self._blow(game), self.targets[0])
        replace(self, targets=self.targets[1:]).begin(game)

    def _blow(self, game: Game[Position]) -> attacks.Blow:
        return attacks.blow(game.state, game.state.units[self.unit], self.band, self.stores)
