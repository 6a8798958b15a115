"""Overrun [9.8]: vehicles are declared, ride one after another through the hex, and the attack is rolled once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text, joined, say
from opfire.kit import attacks
from opfire.rulesets.case_orange.carrying import Unload, cannot_drop_off, set_down
from opfire.rulesets.case_orange.combat import (
    below_minimum,
    breach,
    dispersed_lines,
    modifier_line,
    odds,
    position_lines,
    resolve,
    roll_and_tell,
    shift_line,
    suffer,
    total,
    without_own_goal,
)
from opfire.rulesets.case_orange.costs import allowance, mover, no_way, off_road_cost, road_between, step_cost
from opfire.rulesets.case_orange.movement import (
    Move,
    Stop,
    ask,
    ask_on_the_spot,
    blocked,
    cannot_act_in,
    enemy_there,
    go,
    halted,
    movers,
    not_next,
    too_dear,
)
from opfire.rulesets.case_orange.pieces import Hex, Position, Side, Unit, UnitId, overstacked
from opfire.space.hexes import opposite
from opfire.space.paths import Reach, reachable


class Overrun(Action, frozen=True):
    """Declare an overrun of a hex, with a first vehicle [9.8.1]."""

    says = "{unit} overruns {hex}"
    kind = "overrun"
    unit: UnitId
    hex: Hex


class JoinOverrun(Action, frozen=True):
    """Another vehicle takes part [9.8.1]."""

    says = "{unit} joins the overrun"
    kind = "overrun"
    unit: UnitId


class StartOverrun(Action, frozen=True):
    """Complete the declaration; the vehicles move off."""

    says = "Begin the overrun"
    kind = "confirm"


class RideThrough(Action, frozen=True):
    """Ride through the target hex and halt directly opposite [9.8-P1]."""

    says = "{unit} rides through"
    kind = "overrun"
    final = True
    unit: UnitId


# --- checks -------------------------------------------------------------------------------------------------


def cannot_overrun(position: Position, side: Side, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a unit that may not overrun this hex [9.8]."""
    return (
        cannot_act_in("vehicle", side, unit)
        or not_on_the_way(unit)
        or not_an_armoured_vehicle(unit)
        or wrong_class(position, unit, hex)
        or nobody_there(position, side, hex)
        or barred_hex(position, hex)
        or overrun_before(position, hex)
        or out_of_reach(position, unit, hex)
    )


def not_on_the_way(unit: Unit) -> Refusal | None:
    """Reinforcements come onto the map first."""
    return None if unit.hex is not None else Refusal("{} is not on the map", PROCEDURE, (unit.name,))


def not_an_armoured_vehicle(unit: Unit) -> Refusal | None:
    """Only armoured vehicles overrun [9.8.1]."""
    return None if unit.kind.armoured else Refusal("{} is not an armoured vehicle", "9.8.1", (unit.name,))


def wrong_class(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Classes (H) and M never overrun; C(I) does not overrun armour [9.8.4]."""
    if unit.kind.weapon in ("(H)", "M", "C"):
        return Refusal("{} is class {}, which never overruns", "9.8.4", (unit.name, unit.kind.weapon))
    if unit.kind.weapon == "C(I)" and any(other.kind.armoured for other in position.at(hex)):
        return Refusal("{} is class C(I): it does not overrun armoured vehicles", "9.8.4", (unit.name,))
    return None


def nobody_there(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """Reject a hex without enemies [9.8.1]."""
    if position.holder(hex) != position.setting.other[side]:
        return Refusal("There is no enemy in {}", "9.8.1", (hex,))
    return None


def barred_hex(position: Position, hex: Hex) -> Refusal | None:
    """Only clear terrain is overrun [9.8.1], without markers that bar it [9.8.5], except with Bigfoot [16.10]."""
    if hex not in position.setting.clear:
        return Refusal("{} is not clear terrain", "9.8.1", (hex,))
    works = position.work(hex)
    marked = works.block or works.wreck or works.mines or works.position or works.fort
    if marked and not position.setting.has("16.10"):
        return Refusal("A marker in {} bars overruns", "9.8.5", (hex,))
    return None


def overrun_before(position: Position, hex: Hex) -> Refusal | None:
    """A hex is overrun once in a vehicle segment [9.8.3, 9.4.3]."""
    return Refusal("{} has been overrun already", "9.8.3", (hex,)) if hex in position.overrun else None


def out_of_reach(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Some way in and straight out again must be open and affordable [9.8.1, 9.8-P1]."""
    if can_pay_the_ride(position, unit, hex):
        gates = dict(ways_through(position, unit, hex))
        if gates and approach(position, unit, hex, gates) is not None:
            return None
    return Refusal("{} cannot ride through {} and out of the opposite side", "9.8-P1", (unit.name, hex))


def can_pay_the_ride(position: Position, unit: Unit, hex: Hex) -> bool:
    """Whether the unit could pay for the ride if no unit were in its way."""
    limit = allowance(unit)
    least = position.setting.ground.ride(hex, limit).get(str(unit.hex))
    return least is not None and least <= limit


def ways_through(position: Position, unit: Unit, hex: Hex) -> Iterator[tuple[Hex, int]]:
    """The entry hexes from which the target can be ridden through, with the cost of the ride."""
    under_way = replace(unit, steps=1)
    for entry in position.map.neighbours[hex]:
        if entry is not None and (exit := hex_opposite(position, hex, entry)) is not None:
            if cannot_ride(position, under_way, entry, hex, exit, allowance(unit)) is None:
                yield entry, ride_price(position, unit, entry, hex, exit)


def approach(position: Position, unit: Unit, hex: Hex, gates: Mapping[Hex, int]) -> int | None:
    """The cost of the cheapest way to one of the entry hexes and through; None if no way is affordable.

    The search leaves out hexes from which the ride would cost too much even with no unit in the way.
    """
    assert unit.hex is not None
    limit, prices = allowance(unit), position.setting.ground.prices[mover(unit)]
    at_least = position.setting.ground.ride(hex, limit)
    queue, seen = [(0, 0, unit.hex)], set[Hex]()
    while queue:
        _, cost, at = heappop(queue)
        if at in seen:
            continue
        seen.add(at)
        if at in gates and cost + gates[at] <= limit:
            return cost + gates[at]
        tracks = position.setting.ground.links[at]
        for to, price in prices[at].items():
            if to in seen or to not in at_least:
                continue
            if tracks:
                price = ride_cost(position, unit, at, to)
            if price < 0:
                continue
            least = cost + price + at_least[to]
            if least <= limit and can_pass(position, unit, to):
                heappush(queue, (least, cost + price, to))
    return None


def can_pass(position: Position, unit: Unit, to: Hex) -> bool:
    """Whether a riding vehicle could go on from that hex: no enemy, no block or mines, room beside units and wrecks."""
    works = position.works.get(to)
    if works is None and to not in position.stacks:
        return True
    if works is not None and (works.block or works.mines):
        return False
    return not (enemy_there(position, unit, to) or overstacked(position, unit, to))


def ways_up(position: Position, unit: Unit, left: int) -> Reach[Hex]:
    """The hexes that a riding vehicle comes to with the half factors left: off road, or by track [9.8.4]."""

    def onward(at: Hex) -> Iterator[tuple[Hex, int]]:
        under_way = replace(unit, hex=at, steps=unit.steps + (at != unit.hex))
        for to in position.map.neighbours[at]:
            if to is not None and (price := ride_cost(position, under_way, at, to)) >= 0:
                if can_pass(position, under_way, to):
                    yield to, price

    return reachable(str(unit.hex), onward, left)


def entries(position: Position, unit: Unit, hex: Hex, left: int) -> list[Hex]:
    """The hexes from which a vehicle can ride through the target with the half factors that it has left [9.8-P1]."""
    reached = ways_up(position, unit, left)
    gates = ways_through(position, unit, hex)
    return [entry for entry, price in gates if entry in reached and reached[entry][0] + price <= left]


def off_road(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """Reject a step that is closed to a riding vehicle."""
    assert unit.hex is not None
    if refusal := shut(position, unit, unit.hex, to):
        return refusal
    return enemy_there(position, unit, to) or blocked(position, unit, to)


def track_between(position: Position, unit: Unit, a: Hex, b: Hex) -> str:
    """The track by which the unit could go: overruns are barred from the road rate alone [9.8.4]: RULINGS.md R58."""
    if position.setting.ground.links[a].get(b) != "track":
        return ""
    return road_between(position, unit, a, b)


def ride_cost(position: Position, unit: Unit, a: Hex, b: Hex) -> int:
    """The price of a step of an overrun in half factors, off road or by track; negative for an impossible step."""
    if track := track_between(position, unit, a, b):
        return step_cost(position, unit, a, b, track)
    return off_road_cost(position, unit, a, b)


def ride_price(position: Position, unit: Unit, entry: Hex, hex: Hex, exit: Hex) -> int:
    """The price of the ride from the entry hex through the target and out, in half factors."""
    return ride_cost(position, unit, entry, hex) + ride_cost(position, unit, hex, exit)


def cannot_ride(position: Position, unit: Unit, entry: Hex, hex: Hex, exit: Hex, left: int) -> Refusal | None:
    """Reject a unit under way that may not go from the entry hex through the target and out [9.8-P1, 7.1.1]."""
    if refusal := shut(position, unit, entry, hex) or shut(position, unit, hex, exit):
        return refusal
    return (
        enemy_there(position, unit, exit)
        or blocked(position, unit, exit)
        or too_dear(unit, ride_price(position, unit, entry, hex, exit), left)
        or overstacked(position, unit, exit)
    )


def shut(position: Position, unit: Unit, a: Hex, b: Hex) -> Refusal | None:
    """Ground without a track that bars the way."""
    return no_way(position, unit, a, b, "") if ride_cost(position, unit, a, b) < 0 else None


def cannot_ride_now(position: Position, unit: Unit, hex: Hex, left: int) -> Refusal | None:
    """Reject a unit that may not ride through from its present hex."""
    assert unit.hex is not None
    if unit.hex not in position.map.neighbours[hex]:
        return Refusal("{} is not next to {}", "9.8-P1", (unit.name, hex))
    exit = hex_opposite(position, hex, unit.hex)
    if exit is None:
        return Refusal("There is no hex opposite", "9.8-P1")
    return barred_hex(position, hex) or cannot_ride(position, replace(unit, steps=1), unit.hex, hex, exit, left)


def hex_opposite(position: Position, hex: Hex, entry: Hex) -> Hex | None:
    """The hex directly opposite the entry hex [9.8-P1], if it is in play."""
    around = position.map.neighbours[hex]
    return around[opposite(around.index(entry))]


def cannot_approach(position: Position, unit: Unit, to: Hex, left: int) -> Refusal | None:
    """Reject a unit that may not make this step towards its overrun."""
    if refusal := not_next(position, unit, to) or off_road(position, unit, to):
        return refusal
    assert unit.hex is not None
    return too_dear(unit, ride_cost(position, unit, unit.hex, to), left) or overstacked(position, unit, to)


# --- the calculation ----------------------------------------------------------------------------------------


def defence_lines(position: Position, hex: Hex) -> list[Line]:
    """All defence factors as printed [9.8-P2]; with Bigfoot a fortification stands in for those inside: R16.10."""
    open_air = [unit for unit in position.at(hex) if not position.sheltered(unit)]
    lines = [Line("defence", unit.name, str(unit.kind.defence), "9.8-P2", unit.kind.defence) for unit in open_air]
    fort = position.fort(hex)
    if fort is not None and not fort.breached:
        lines.append(Line("defence", Text("Fortification in {}", (hex,)), str(fort.factor), "10.4.1", fort.factor))
    return lines


def defence(position: Position, hex: Hex) -> int:
    """The defence factors of the hex together [9.8-P2]."""
    return total(defence_lines(position, hex), "defence")


def overrun(position: Position, overrunners: Sequence[Unit], hex: Hex) -> Calculation | None:
    """Unadjusted factors, -2 to the die, one column to the right [9.8-P2, 9.8-P3]; None below 1:4 [9.1.1]."""
    defenders = position.at(hex)
    lines = [
        *(Line("attack", unit.name, str(unit.kind.attack), "9.8-P2", unit.kind.attack) for unit in overrunners),
        *defence_lines(position, hex),
        shift_line(position.charts, "overrun", "Overrun"),
        *position_lines(position, defenders),
        *modifier_line(position.charts, "overrun", "overrun", "Overrun"),
        *dispersed_lines(position, defenders, "overrun"),
    ]
    attack = sum(unit.kind.attack for unit in overrunners)
    if not defenders or odds(attack, defence(position, hex)) is None:
        return None
    return without_own_goal(resolve(position.charts, "Overrun", "9.8", lines))


def hopeless(position: Position, side: Side, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject an overrun that stays below one to four even with every vehicle that could join [9.1.1]."""
    needed = defence(position, hex)
    if odds(unit.kind.attack, needed) is not None:
        return None
    others = [u for u in position.of(side) if u.id != unit.id and not cannot_overrun(position, side, u, hex)]
    return below_minimum(unit.kind.attack + sum(other.kind.attack for other in others), needed)


# --- frames -------------------------------------------------------------------------------------------------


class OverrunGroup(Frame, frozen=True):
    """An overrun to which vehicles are being added [9.8.1]."""

    takes = (JoinOverrun, StartOverrun)
    step = "vehicle"
    rule = "9.8.1"
    question = "Add a vehicle to the overrun of {hex}, or begin it"
    hex: Hex
    group: tuple[UnitId, ...]

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.eligible(side) if unit.kind.armoured)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return attacks.offered(self, sight, side, StartOverrun() if actor == NOBODY else JoinOverrun(actor))

    def _weak(self, position: Position) -> Refusal | None:
        attack = sum(unit.kind.attack for unit in position.pick(self.group))
        return below_minimum(attack, defence(position, self.hex))

    def _cannot_join(self, position: Position, unit: Unit) -> Refusal | None:
        return attacks.takes_part(unit, self.group) or cannot_overrun(position, self.side, unit, self.hex)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        return attacks.judged(action, sight.units, partial(self._cannot_join, sight), partial(self._weak, sight))

    def play(self, game: Game[Position], action: Action) -> None:
        """Note the vehicle, or send them off; the hex then counts as overrun whatever happens [9.8.3]."""
        match action:
            case JoinOverrun(unit):
                game.swap(replace(self, group=(*self.group, unit)))
            case StartOverrun():
                game.state.overrun = (*game.state.overrun, self.hex)
                game.pop()
                game.push(OverrunUnderWay(self.side, self.hex, self.group))


class OverrunUnderWay(Frame, frozen=True):
    """The vehicles move one after another; those that came through attack in the same turn [9.8.2, 9.8-P4]."""

    step = "vehicle"
    rule = "9.8"
    hex: Hex
    waiting: tuple[UnitId, ...]
    through: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        self._next(game)

    def resume(self, game: Game[Position], result: bool) -> None:
        """Send the next vehicle, or roll."""
        rider, *rest = self.waiting
        through = (*self.through, rider) if result else self.through
        after = replace(self, waiting=tuple(rest), through=through)
        game.swap(after)
        after._next(game)

    def _next(self, game: Game[Position]) -> None:
        """Let the next vehicle ride through; after the last they attack in the same turn [9.8.2]."""
        if self.waiting:
            unit = game.state.units[self.waiting[0]]
            game.push(Riding(self.side, unit.id, allowance(unit), self.hex))
        else:
            game.pop()
            roll_overrun(game, self.through, self.hex)


def fit(unit: Unit) -> bool:
    """Return whether the vehicle is there and undispersed; mines in its exit hex do not cancel its attack [9.8-P5]:
    RULINGS.md R44.
    """
    return unit.hex is not None and not unit.dispersed


def roll_overrun(game: Game[Position], through: Sequence[UnitId], hex: Hex) -> None:
    """Resolve an overrun at once [5.1.5] with the fit vehicles that came through [9.8-P4, 9.8-P5]: RULINGS.md R44.

    The hex is theirs if it is empty afterwards: RULINGS.md R74.
    """
    position = game.state
    attackers = [unit for unit in position.pick(through) if fit(unit)]
    calculation = overrun(position, attackers, hex) if attackers and barred_hex(position, hex) is None else None
    if calculation is None:
        game.tell(Event("result", "The overrun of {} comes to nothing", (hex,), "9.8", (), (hex,)))
    else:
        defenders = [unit.id for unit in position.at(hex)]
        result = roll_and_tell(game, calculation, (*(unit.id for unit in attackers), *defenders), hex)
        for name in defenders:
            if not position.sheltered(position.units[name]):
                suffer(game, name, result)
        fort = position.fort(hex)
        if result == "X" and fort is not None and not fort.breached:
            breach(game, hex)
    for unit in attackers:
        position.change(unit.id, face_up=False, fired=True)
        if position.holder(hex) is None:
            position.hold(hex, unit.side)


class Riding(Frame, frozen=True):
    """One vehicle on its overrun: towards the hex, through it, and out opposite [9.8-P1].

    `out` is set once it is through or cannot go farther, `let_off` once its riders have dismounted for the overrun.
    """

    takes = (Move, RideThrough, Unload, Stop)
    step = "vehicle"
    rule = "9.8-P1"
    question = "Ride {unit} through {hex} from {entries}, or stop short"
    unit: UnitId
    left: int
    hex: Hex
    out: bool = False
    came_through: bool = False
    let_off: bool = False

    def begin(self, game: Game[Position]) -> None:
        unit = game.state.units[self.unit]
        if unit.hex is None or not unit.eligible:
            game.pop(False)

    def resume(self, game: Game[Position], result: object) -> None:
        """Go on after the enemy's window [6.0]."""
        ready = fit(game.state.units[self.unit])
        if self.out or not ready:
            game.pop(self.came_through and ready)

    def actors(self, sight: Position, side: str) -> tuple[str, ...]:
        return (NOBODY, self.unit)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        unit = sight.units[self.unit]
        bound = self._rides_on(sight, unit) is not None
        if actor == NOBODY:
            if not bound:
                yield Stop(self.unit)
            return
        if cannot_ride_now(sight, unit, self.hex, self.left) is None:
            yield RideThrough(self.unit)
        if not bound:
            yield from self._short_of_it(sight, unit)

    def _short_of_it(self, sight: Position, unit: Unit) -> Iterator[Action]:
        """Let riders off, or come nearer."""
        assert unit.hex is not None
        if self._cannot_dismount(sight, unit) is None:
            yield Unload(self.unit)
        for to in sight.map.neighbours[unit.hex]:
            if to is not None and cannot_approach(sight, unit, to, self.left) is None:
                yield Move(self.unit, to)

    def _cannot_dismount(self, position: Position, unit: Unit) -> Refusal | None:
        """Infantry and engineers dismount in the entry hex [11.2], whatever the vehicle has moved so far: RULINGS.md
        R45.
        """
        if refusal := cannot_drop_off(position, unit, allowance(unit)):
            return refusal
        load = position.units[str(unit.cargo)]
        if load.kind.type not in ("infantry", "engineer"):
            return Refusal("{} does not dismount for an overrun", "11.2", (load.name,))
        refusal = cannot_ride_now(position, unit, self.hex, self.left)
        return refusal and Refusal(refusal.text, "11.2", refusal.facts)

    def _rides_on(self, position: Position, unit: Unit) -> Refusal | None:
        """After its riders have dismounted the vehicle rides through and does nothing else [11.2], unless it cannot."""
        if self.let_off and cannot_ride_now(position, unit, self.hex, self.left) is None:
            return Refusal("{} let its riders off here to ride through {}", "11.2", (unit.name, self.hex))
        return None

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        unit = sight.units[self.unit]
        match action:
            case Move(name, to, below):
                refusal = self._another(sight, name) or self._below(below) or self._rides_on(sight, unit)
                return refusal or cannot_approach(sight, unit, to, self.left)
            case RideThrough(name):
                return self._another(sight, name) or cannot_ride_now(sight, unit, self.hex, self.left)
            case Unload(name):
                return self._another(sight, name) or self._cannot_dismount(sight, unit)
            case Stop(name):
                return self._another(sight, name) or self._rides_on(sight, unit)
        return None

    def _another(self, position: Position, unit_id: UnitId) -> Refusal | None:
        if unit_id != self.unit:
            return Refusal("Finish the overrun by {} first", "5.1.4", (position.units[self.unit].name,))
        return None

    def _below(self, below: bool) -> Refusal | None:
        return Refusal("Vehicles do not go below works", "10.3.5") if below else None

    def play(self, game: Game[Position], action: Action) -> None:
        """Make the step, with the enemy's window after it; none in the target hex [6.0]."""
        position = game.state
        unit = position.units[self.unit]
        assert unit.hex is not None
        match action:
            case Stop():
                position.change(self.unit, moved=True)
                game.pop(False)
            case Move(_, to):
                left = max(0, self.left - ride_cost(position, unit, unit.hex, to))
                go(game, unit, to, track_between(position, unit, unit.hex, to), False)
                game.swap(replace(self, left=left, out=halted(game, self.unit)))
                ask(game, self.side, to, movers(unit))
            case Unload():
                name = set_down(game, self.unit)
                game.swap(replace(self, let_off=True))
                ask_on_the_spot(game, self.side, unit.hex, (self.unit, name))
            case RideThrough():
                exit = hex_opposite(position, self.hex, unit.hex)
                assert exit is not None
                go(game, unit, exit, track_between(position, unit, self.hex, exit), False)
                halted(game, self.unit)
                game.swap(replace(self, left=0, out=True, came_through=True))
                ask(game, self.side, exit, movers(unit))

    def prompt(self, sight: Position, side: str) -> str:
        unit = sight.units[self.unit]
        from_here = entries(sight, unit, self.hex, self.left)
        if not from_here:
            return say("{} can no longer ride through {}: let it stop", unit.name, self.hex)
        return say(self.question, unit=unit.name, hex=self.hex, entries=joined(from_here, " or "))
