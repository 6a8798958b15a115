"""Movement [5.0 to 5.5, 17.3]: one unit at a time, hex by hex, with its leaders and its load."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.panzer_grenadier.assault import assaulting, leaving
from opfire.rulesets.panzer_grenadier.fire.reaction import window
from opfire.rulesets.panzer_grenadier.movement import going, rivers, transport
from opfire.rulesets.panzer_grenadier.movement.costs import allowance, closed_ground, left_of, step_cost, strategic
from opfire.rulesets.panzer_grenadier.movement.entering import (
    cannot_enter,
    cannot_exit,
    entry_cost,
    entry_hexes,
    leave_map,
)
from opfire.rulesets.panzer_grenadier.movement.stepping import (
    cannot_go_along,
    cannot_move,
    cannot_step,
    enemy_there,
    immobile,
    outset,
)
from opfire.rulesets.panzer_grenadier.movement.transport import Load, Unload
from opfire.rulesets.panzer_grenadier.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    not_ready,
    not_yours,
    off_the_map,
    overstacked,
    waiting,
)
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.works import minefields
from opfire.rulesets.panzer_grenadier.works.fieldworks import aboard


class Move(Action, frozen=True):
    """Move a unit or leader one hex on [5.0]."""

    says = "{unit} moves to {to}"
    kind = "move"
    unit: UnitId
    to: Hex


class Cross(Action, frozen=True):
    """Try to get across a major river: two dice against the Crossing Number [5.73.b]."""

    says = "{unit} crosses the river to {to}"
    kind = "move"
    final = True
    unit: UnitId
    to: Hex


class GoAlong(Action, frozen=True):
    """A leader moves with a unit, on its way together from here on [5.0.a, 6.3]."""

    says = "{leader} goes along with {unit}"
    kind = "move"
    unit: UnitId
    leader: UnitId


class Stop(Action, frozen=True):
    """The unit moves no farther."""

    says = "{unit} stops"
    kind = "done"
    final = True
    unit: UnitId


class ExitMap(Action, frozen=True):
    """Leave the map for good [16.53]."""

    says = "{unit} leaves the map"
    kind = "exit"
    final = True
    unit: UnitId


class EnterMap(Action, frozen=True):
    """Come onto the map; the first hex is paid for [16.51]."""

    says = "{unit} enters at {hex}"
    kind = "move"
    unit: UnitId
    hex: Hex


ACTS: tuple[type[Action], ...] = (Move, Cross, GoAlong, ExitMap, EnterMap)


# --- steps and companions ---------------------------------------------------------------------------------------


def steps(position: Position, unit: Unit, left: int) -> Iterator[Action]:
    """Every step that the unit could make with `left` half points."""
    assert unit.hex is not None
    known = outset(position, unit)
    for to in position.map.neighbours[unit.hex]:
        if to is not None and cannot_step(position, unit, to, left, known) is None:
            yield Cross(unit.id, to) if rivers.needs_roll(position, unit, to) else Move(unit.id, to)


def wrong_way(position: Position, unit: Unit, action: Move | Cross) -> Refusal | None:
    """The rules decide whether a step is a crossing on the dice [5.73.b]."""
    if rivers.needs_roll(position, unit, action.to) == isinstance(action, Cross):
        return None
    if isinstance(action, Cross):
        return Refusal("There is no river to cross between {} and {}", "5.73.b", (unit.name, action.to))
    return Refusal("{} has to roll to cross the river", "5.73.b", (unit.name,))


def companions(position: Position, unit: Unit, with_: tuple[UnitId, ...]) -> Iterator[Action]:
    """The leaders who may come along, before the unit has moved."""
    if unit.leader:
        return
    beside = (
        position.at(unit.hex, unit.side) if unit.hex is not None else position.pick(position.setting.ids[unit.side])
    )
    for leader in beside:
        if leader.leader and leader.id not in with_ and cannot_go_along(position, unit, leader) is None:
            yield GoAlong(unit.id, leader.id)


def entries(position: Position, unit: Unit) -> Iterator[EnterMap]:
    """Every hex by which a unit beside the map may enter [16.51]."""
    for hex in sorted({*position.setting.entries[unit.id][1], *entry_hexes(position, unit)[1]}):
        if refusal(position, unit.side, EnterMap(unit.id, hex)) is None:
            yield EnterMap(unit.id, hex)


# --- the frame --------------------------------------------------------------------------------------------------


class Moving(Frame, frozen=True):
    """One unit under way [5.0]; `left` counts half points, `with_` are the leaders who move along [5.0.a].

    `first` is the step it begins with. `entered` is set while the hex just entered has yet to act on it: after the
    enemy's fire lone leaders [6.71.A2] and mines. `ending` is the rule that ends its move, though its passengers may
    still get off [5.61]; `strategic` is set while it moves at twice its rate out of the enemy's sight [17.3].
    """

    takes = (Move, Cross, GoAlong, Stop, Load, Unload, EnterMap, ExitMap)
    step = "moving"
    rule = "5.0"
    question = "Move {unit} on, or stop"
    unit: UnitId
    left: int
    with_: tuple[UnitId, ...] = ()
    first: Move | Cross | GoAlong | ExitMap | EnterMap | None = None
    strategic: bool = False
    entered: bool = False
    ending: str = ""

    def begin(self, game: Game[Position]) -> None:
        if self.first is not None:
            game.swap(replace(self, first=None))
            proceed(game, self.first)

    def resume(self, game: Game[Position], result: object) -> None:
        """After the enemy's fire the hex acts, then the unit goes on if it can."""
        if self.entered:
            meet(game, seen_again(game.state, replace(self, entered=False)))  # by units that have fired from hiding
        frame = game.stack[-1]
        if isinstance(frame, Moving) and game.over_for_all(self.side, frame._over, frame._open_in_secret):
            end(game, frame)

    def _over(self, position: Position) -> bool:
        """Whether there is nothing left to ask, as far as a side knows."""
        unit = position.units[self.unit]
        return self._ended(position) or next(iter(self._ways_on(as_if_led(position, unit))), None) is None

    def _ended(self, position: Position) -> bool:
        """Whether the unit has ceased to move, as everybody can see."""
        unit = position.units[self.unit]
        if unit.stopped or unit.carrier is not None or not (unit.hex or waiting(position, unit)):
            return True
        assert position.activation is not None
        return not position.activation.ready(unit.id, "move") or unit.demoralized

    def _open_in_secret(self, position: Position) -> bool:
        """Whether friends in hiding may take the unit aboard, go along or be in its way: RULINGS.md P30."""
        return self.left > 0 and not self._ended(position) and bool(position.in_hiding(self.side))

    def _fresh(self, position: Position) -> bool:
        assert position.activation is not None
        return position.activation.fresh(position.units[self.unit])

    def _ways_on(self, position: Position) -> Iterator[Action]:
        unit = position.units[self.unit]
        if self._fresh(position) and not self.ending:
            yield from companions(position, unit, self.with_)
        if unit.hex is None:
            yield from entries(position, unit)
            return
        if not self.ending:
            yield from steps(position, unit, self.left)
            if cannot_exit(position, unit, self.left) is None:
                yield ExitMap(unit.id)
            yield from transport.loads(position, unit, self.left)
            yield from transport.boardings(position, unit, self.left)
        yield from transport.unloadings(position, unit, self.left)

    def actors(self, sight: Position, side: str) -> tuple[UnitId, ...]:
        return (self.unit,)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if sight.units[self.unit].hex is not None:
            yield Stop(self.unit)
        yield from self._ways_on(sight)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        unit = sight.units[self.unit]
        if unit.hex is None and not isinstance(action, EnterMap | GoAlong):
            return Refusal("{} has to enter the map first", "16.51", (unit.name,))
        if self.ending and not isinstance(action, Unload | Stop):
            return Refusal("{} cannot move farther", self.ending, (unit.name,))
        match action:
            case EnterMap(name, hex):
                return self._another(unit, name) or _cannot_come_in(sight, unit, hex)
            case Move(name, to) | Cross(name, to):
                return (
                    self._another(unit, name)
                    or cannot_step(sight, unit, to, self.left)
                    or wrong_way(sight, unit, action)
                )
            case GoAlong(name, leader):
                return self._another(unit, name) or self._not_with(sight, sight.units[leader])
            case Load(carrier, name):
                return self._cannot_load(sight, sight.units[carrier], sight.units[name])
            case Unload(name):
                passenger = sight.units[name]
                return self._another(unit, passenger.carrier) or transport.cannot_unload(sight, passenger, self.left)
            case ExitMap(name):
                return self._another(unit, name) or cannot_exit(sight, unit, self.left)
            case Stop(name):
                return self._another(unit, name)
        return None

    def _another(self, unit: Unit, unit_id: UnitId | None) -> Refusal | None:
        """A unit finishes its move before the next begins [5.0]."""
        return None if unit_id == unit.id else Refusal("Finish the move of {} first, or stop it", "5.0", (unit.name,))

    def _not_with(self, position: Position, leader: Unit) -> Refusal | None:
        unit = position.units[self.unit]
        if not self._fresh(position) or leader.id in self.with_:
            return Refusal("{} is already moving", "5.0.a", (unit.name,))
        return cannot_go_along(position, unit, leader)

    def _cannot_load(self, position: Position, carrier: Unit, unit: Unit) -> Refusal | None:
        if self.unit not in (carrier.id, unit.id):
            return self._another(position.units[self.unit], carrier.id)
        lefts = [self.left if one.id == self.unit else left_of(position, one) for one in (carrier, unit)]
        return transport.cannot_load(position, carrier, unit, *lefts)

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Stop():
                end(game, self)
            case _:
                proceed(game, action)

    def prompt(self, sight: Position, side: str) -> str:
        unit = sight.units[self.unit]
        question = say("Bring {unit} onto the map" if unit.hex is None else self.question, unit=unit.name)
        return say("{} ({:g} movement points left)", question, self.left / 2)


FRAMES: tuple[type[Frame], ...] = (Moving,)


# --- what happens on the way ------------------------------------------------------------------------------------


def proceed(game: Game[Position], action: Action) -> None:
    """Carry out one action of the moving unit, the frame on top."""
    frame = game.stack[-1]
    assert isinstance(frame, Moving)
    match action:
        case Move(_, to):
            step(game, frame, to)
        case Cross(_, to):
            if rivers.across(game, frame.unit):
                step(game, frame, to)
            else:
                end(game, frame)
        case GoAlong(_, leader):
            place_hidden(game, leader)
            game.swap(replace(frame, with_=(*frame.with_, leader)))
            game.resume_top()
        case EnterMap(_, hex):
            enter(game, frame, hex)
        case ExitMap():
            game.pop()
            game.state.finish(*_party(game.state, frame))
            leave_map(game, (*frame.with_, frame.unit))
        case Load() | Unload():
            _note_spent(game.state, frame, action)
            transport.play(game, frame.side, action)
            game.swap(replace(frame, left=max(0, frame.left - _loading_cost(game.state, action))))
            game.resume_top()


def _note_spent(position: Position, frame: Moving, action: Action) -> None:
    """Keep the remaining points of a unit that walks to a carrier and gets aboard, for getting off [5.61]."""
    assert position.activation is not None
    if isinstance(action, Load) and action.unit == frame.unit:
        before = position.activation.spent_by(frame.unit)
        spent = allowance(position, position.units[frame.unit]) - frame.left
        position.spend(frame.unit, max(0, spent - before))


def _loading_cost(position: Position, action: Action) -> int:
    free = isinstance(action, Unload) and transport.towed(position.units[action.unit])
    return 0 if free else 2 * position.charts.figure("loading")


def _party(position: Position, frame: Moving) -> tuple[UnitId, ...]:
    """The unit, its load, and the leaders with it."""
    return (frame.unit, *position.units[frame.unit].cargo, *frame.with_)


def end(game: Game[Position], frame: Moving) -> None:
    """End the move of all units in it; passengers who got aboard on the way may still ride."""
    position = game.state
    unit = position.units[frame.unit]
    party = frame.with_ if unit.carrier is not None else _party(position, frame)
    position.finish(*(name for name in party if position.units[name].hex is not None))
    game.pop()


def step(game: Game[Position], frame: Moving, to: Hex) -> None:
    """Move one hex farther. Hidden enemies there are found, and the unit stops [16.61]."""
    position = game.state
    unit = position.units[frame.unit]
    assert unit.hex is not None
    if lurking := [other for other in position.at(to, position.setting.other[frame.side]) if other.hidden]:
        for other in lurking:
            spotting.reveal(game, other.id)
        if enemy_there(position, unit, to):
            game.swap(replace(frame, ending="16.61"))
            game.resume_top()
            return
    going.betray_leader(game, frame.unit, to)
    price = step_cost(position, unit, unit.hex, to)
    assert price is not None
    arrive(game, replace(frame, ending=goes_no_farther(position, unit, to)), to, price)


def goes_no_farther(position: Position, unit: Unit, to: Hex) -> str:
    """The rule that makes a step the last: out of an assault hex, across a river, to an engineer in it; else none."""
    if leaving.leaving(position, unit):
        return "5.32"
    if rivers.stops(position, unit, to):
        return "5.72" if rivers.crosses(position, unit, to) else "5.73.a"
    return ""


def enter(game: Game[Position], frame: Moving, hex: Hex) -> None:
    """Enter the map [16.51]; hidden enemies there are found, and the unit may come in elsewhere [16.61]."""
    position = game.state
    lurking = [other for other in position.at(hex, position.setting.other[frame.side]) if other.hidden]
    for other in lurking:
        spotting.reveal(game, other.id)
    unit = position.units[frame.unit]
    if lurking and enemy_there(position, unit, hex):
        game.pop()
        return
    going.betray_leader(game, frame.unit, hex)
    arrive(game, frame, hex, entry_cost(position, unit, hex))


def arrive(game: Game[Position], frame: Moving, to: Hex, price: int) -> None:
    """Bring all units that move together into the hex; leaving and meeting enemies there has its effects."""
    position = game.state
    came_from = position.units[frame.unit].hex
    was_assault = came_from is not None and leaving.leaving(position, position.units[frame.unit])
    for name in (*frame.with_, frame.unit):
        going.go(game, name, to)
    game.swap(seen_again(position, replace(frame, left=frame.left - price, entered=True)))
    game.push(window(position, frame.side, to, (frame.unit, *frame.with_)))
    if was_assault and came_from is not None:
        for name in (*frame.with_, frame.unit):
            leaving.exited(game, name, came_from)


def seen_again(position: Position, frame: Moving) -> Moving:
    """A unit seen on strategic movement keeps the rest of the first allowance [17.3]: RULINGS.md P27."""
    unit = position.units[frame.unit]
    if not frame.strategic or unit.hex is None or strategic(position, unit):
        return replace(frame, left=max(0, frame.left))
    return replace(frame, left=max(0, frame.left - allowance(position, unit)), strategic=False)


def meet(game: Game[Position], frame: Moving) -> None:
    """Apply the hex to the arrived units, after the enemy's fire: its leaders, its transports, its mines."""
    position = game.state
    unit = position.units[frame.unit]
    there = [leader for leader in position.pick(frame.with_) if leader.hex is not None]  # 13.31: some may have fallen
    able = tuple(leader.id for leader in there if leader.good_order)
    game.swap(replace(frame, with_=able))
    position.finish(*(leader.id for leader in there if leader.id not in able))
    if unit.hex is None:
        return
    if unit.combat:
        going.ride_over(game, unit.hex, frame.side)
    minefields.entered(game, (frame.unit,), unit.hex)


def follow_engineer(game: Game[Position], engineer: Unit, hex: Hex) -> None:
    """Take all units with a fleeing engineer one hex back to the bank they came from [5.73.f].

    Not the demoralized, who have to try to recover before they flee [5.73.A3, 14.42]. `engineer` is as he was before;
    the way is the first that is open: RULINGS.md P24.
    """
    position = game.state
    if not rivers.assisting(position, engineer, hex):
        return
    was_assault = position.assault_hex(hex)
    for unit in [one for one in position.at(hex, engineer.side) if not one.demoralized]:
        if rivers.off_bridge(position, unit, hex) and rivers.engineer_in(position, unit, hex) is None:
            back = (to for to in rivers.ways_back(position, unit) if cannot_go_back(position, unit, to) is None)
            if to := next(back, None):
                going.go(game, unit.id, to)
                position.finish(unit.id)
                minefields.entered(game, (unit.id,), to)
                if was_assault:
                    leaving.exited(game, unit.id, hex)


def cannot_go_back(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """Reject a hex of the bank that is not open."""
    assert unit.hex is not None
    return (
        enemy_there(position, unit, to)
        or closed_ground(position, unit, unit.hex, to)
        or overstacked(position, unit, to)
    )


def place_hidden(game: Game[Position], unit_id: UnitId) -> None:
    """Place a hidden unit that sets out, or a hidden leader who goes along [16.61]: RULINGS.md P30."""
    if game.state.units[unit_id].hidden:
        spotting.reveal(game, unit_id)


def as_if_led(position: Position, unit: Unit) -> Position:
    """The position in which a tank that may have a leader has one [6.8]; as it is for all other units."""
    if unit.tank_leader is not None or position.activation is None:
        return position
    led = position.copy()
    led.acting(led=position.activation.led | {unit.id})
    return led


# --- the protocol of a chapter ----------------------------------------------------------------------------------


def choices(position: Position, unit: Unit) -> Iterator[Action]:
    """The first actions of an active unit's move, whichever way the others of its stack go [5.11.b]."""
    if unit.hex is None:
        yield from entries(position, unit)
        if cannot_move(position, unit) is None:
            yield from companions(position, unit, ())
        return
    if cannot_move(position, unit) is not None:
        return
    left = left_of(position, unit)
    yield from steps(position, unit, left)
    yield from companions(position, unit, ())
    if cannot_exit(position, unit, left) is None:
        yield ExitMap(unit.id)


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject an illegal beginning of a move."""
    match action:
        case Move(name, to) | Cross(name, to):
            unit = position.units[name]
            if refusal := not_yours(side, unit) or off_the_map(unit) or rivers.held(position, unit):
                return refusal
            if refusal := cannot_move(position, unit):
                return refusal
            return cannot_step(position, unit, to, left_of(position, unit)) or wrong_way(position, unit, action)
        case GoAlong(name, leader):
            unit = position.units[name]
            if refusal := not_yours(side, unit) or cannot_move(position, unit):
                return refusal
            return not_yours(side, position.units[leader]) or cannot_go_along(position, unit, position.units[leader])
        case ExitMap(name):
            unit = position.units[name]
            if refusal := not_yours(side, unit) or off_the_map(unit) or cannot_move(position, unit):
                return refusal
            return cannot_exit(position, unit, left_of(position, unit))
        case EnterMap(name, hex):
            unit = position.units[name]
            return not_yours(side, unit) or _cannot_come_in(position, unit, hex)
    return Refusal("This action is not a move", PROCEDURE)


def _cannot_come_in(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a unit that does not enter the map there now [16.51, 16.52]."""
    if refusal := not_ready(position, unit, "move", "fire") or aboard(unit):
        return refusal
    return immobile(position, unit) or cannot_enter(position, unit, hex)


def play(game: Game[Position], side: Side, action: Action) -> None:
    """Set out."""
    match action:
        case EnterMap(name, hex) if game.state.activation and game.state.activation.role(name) == "fire":
            assaulting.move_in(game, name, hex)  # 16.52
        case Move(name) | Cross(name) | GoAlong(name) | ExitMap(name) | EnterMap(name):
            place_hidden(game, name)
            unit = game.state.units[name]
            game.push(
                Moving(side, name, left_of(game.state, unit), first=action, strategic=strategic(game.state, unit))
            )
