"""The sequence of play [4.0]: game turns of two player turns, each with its segments; beginning and end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.casefile import Case
from opfire.core.events import Event
from opfire.core.flow import Frame, Sequence
from opfire.core.game import Game, Outcome
from opfire.core.scenario import Scenario
from opfire.core.texts import joined, say
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.assault import AssaultSegment
from opfire.rulesets.case_orange.carrying import (
    Load,
    Unload,
    cannot_drop_off,
    cannot_pick_up,
    leave_dug_in,
    loadings,
    take_aboard,
)
from opfire.rulesets.case_orange.cases import arrange_position
from opfire.rulesets.case_orange.combat import place_wreck
from opfire.rulesets.case_orange.costs import allowance, terrain_cost
from opfire.rulesets.case_orange.direct import DirectFireSegment
from opfire.rulesets.case_orange.engineers import (
    LayCharges,
    LiftMines,
    cannot_lay_charges,
    cannot_lift,
    demolitions,
    lay_charges,
    lift_mines,
    mines_attack,
    stop_charging,
)
from opfire.rulesets.case_orange.indirect import IndirectFireSegment
from opfire.rulesets.case_orange.movement import (
    Enter,
    ExitMap,
    Move,
    Moving,
    Shift,
    arrive,
    ask_on_the_spot,
    bad_shelter,
    cannot_act_in,
    cannot_enter,
    cannot_exit,
    cannot_step,
    edge_road,
    entry_cost,
    exits,
    go,
    leave_map,
    movers,
    pace_out,
    shelter,
    step,
    steps,
    unload_on_the_way,
)
from opfire.rulesets.case_orange.overrun import (
    Overrun,
    OverrunGroup,
    barred_hex,
    can_pay_the_ride,
    cannot_overrun,
    overrun_before,
)
from opfire.rulesets.case_orange.overrun import hopeless as hopeless_overrun
from opfire.rulesets.case_orange.pieces import Hex, Position, Setting, Side, Unit, UnitId, crowded, overstacked
from opfire.rulesets.case_orange.registration import RegistrationSegment, drop_registration, settle_registrations
from opfire.rulesets.case_orange.setup import SetUp, first_position
from opfire.rulesets.case_orange.spotting import mark, settle_markers
from opfire.rulesets.case_orange.victory import outcome, reason

# --- the beginning of a player turn [4.2-C1] ----------------------------------------------------------------


class PlayerTurnBegin(Frame, frozen=True):
    """Own mines attack, loading markers count down, engineers roll for bridges [4.2-C1]."""

    step = "begin"
    rule = "4.2-C1"

    def begin(self, game: Game[Position]) -> None:
        position = game.state
        position.current, position.overrun, position.assaulted = self.side, (), ()
        title = position.setting.scenario.sides[self.side].name
        game.tell(Event("step", "{} player turn {}", (title, position.turn), "4.2-C1"))
        mines_attack(game, self.side)
        for unit in position.pick(position.setting.ids[self.side]):
            if unit.busy:
                position.change(unit.id, busy=unit.busy - 1)  # 16.5
        demolitions(game, self.side)
        game.resume_top()

    def resume(self, game: Game[Position], result: object) -> None:
        game.pop()


# --- movement segments [4.2-C5, 4.2-C6] ---------------------------------------------------------------------


class VehicleSegment(Frame, frozen=True):
    """Vehicles move one at a time; overruns are resolved as they occur [4.2-C5]."""

    takes = (Move, Load, Unload, ExitMap, Enter, Shift, Overrun, EndSegment)
    step = "vehicle"
    rule = "4.2-C5"
    question = "Move a vehicle, overrun, or end the vehicle segment"
    together = True

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in unmoved(sight, side) if unit.kind.vehicle)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (EndSegment(),)
        unit = sight.units[actor]
        if cannot_act_in("vehicle", side, unit):
            return ()
        if unit.status == "reserve":
            return entries(sight, side, unit)
        return chain(first_steps(sight, unit), shifts(sight, unit), self._overruns(sight, unit))

    def _overruns(self, position: Position, unit: Unit) -> Iterator[Overrun]:
        for hex in overrun_targets(position, self.side) if unit.kind.armoured else ():
            if can_pay_the_ride(position, unit, hex) and self._cannot_overrun(position, unit, hex) is None:
                yield Overrun(unit.id, hex)

    def _cannot_overrun(self, position: Position, unit: Unit, hex: Hex) -> Refusal | None:
        return cannot_overrun(position, self.side, unit, hex) or hopeless_overrun(position, self.side, unit, hex)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Overrun(unit, hex):
                return self._cannot_overrun(sight, sight.units[unit], hex)
            case Shift(name, below):
                mover = sight.units[name]
                return cannot_act_in("vehicle", self.side, mover) or cannot_shift(sight, mover, below)
            case EndSegment():
                return None
        return cannot_begin(sight, self.side, "vehicle", action)

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case EndSegment():
                game.pop()
            case Overrun(unit, hex):
                game.push(OverrunGroup(self.side, hex, (unit,)))
            case Shift(unit, below):
                shift(game, self.side, "vehicle", unit, below)
            case _:
                begin_move(game, self.side, "vehicle", action)


class NonVehicleSegment(Frame, frozen=True):
    """All other units move; engineers lift mines or work on bridges [4.2-C6]."""

    takes = (Move, ExitMap, Enter, Shift, LiftMines, LayCharges, EndSegment)
    step = "non-vehicle"
    rule = "4.2-C6"
    question = "Move a unit that is no vehicle, or end the moves: assaults follow"
    together = True

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in unmoved(sight, side) if not unit.kind.vehicle)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (EndSegment(),)
        unit = sight.units[actor]
        if cannot_act_in("non-vehicle", side, unit):
            return ()
        if unit.status == "reserve":
            return entries(sight, side, unit)
        return chain(first_steps(sight, unit), shifts(sight, unit), self._engineering(sight, unit))

    def _engineering(self, position: Position, unit: Unit) -> Iterator[Action]:
        if unit.kind.type != "engineer":
            return
        if cannot_lay_charges(position, self.side, unit) is None:
            yield LayCharges(unit.id)
        for hex in position.map.neighbours[str(unit.hex)]:
            if hex is not None and hex in position.works and cannot_lift(position, self.side, unit, hex) is None:
                yield LiftMines(unit.id, hex)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case LiftMines(unit, hex):
                return cannot_lift(sight, self.side, sight.units[unit], hex)
            case LayCharges(unit):
                return cannot_lay_charges(sight, self.side, sight.units[unit])
            case Shift(name, below):
                mover = sight.units[name]
                return cannot_act_in("non-vehicle", self.side, mover) or cannot_shift(sight, mover, below)
            case EndSegment():
                return None
        return cannot_begin(sight, self.side, "non-vehicle", action)

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case EndSegment():
                game.pop()
            case LiftMines(unit, hex):
                lift_mines(game, unit, hex)
            case LayCharges(unit):
                lay_charges(game, unit)
            case Shift(unit, below):
                shift(game, self.side, "non-vehicle", unit, below)
            case _:
                begin_move(game, self.side, "non-vehicle", action)


def unmoved(position: Position, side: Side) -> Iterator[Unit]:
    """The side's eligible units that have not moved, on the map or in reserve [5.2, 16.11]."""
    for name in position.setting.ids[side]:
        unit = position.units[name]
        there = unit.hex is not None or unit.status == "reserve"
        if there and unit.face_up and not unit.moved and not unit.dispersed and unit.carrier is None:
            yield unit


def overrun_targets(position: Position, side: Side) -> list[Hex]:
    """Hexes with enemies that some unit could overrun."""
    held = position.muster(position.setting.other[side]).hexes
    clear = [hex for hex in held if hex in position.setting.clear]
    return [hex for hex in clear if barred_hex(position, hex) is None and overrun_before(position, hex) is None]


def first_steps(position: Position, unit: Unit) -> Iterator[Action]:
    """The first actions with which a unit on the map can begin its move."""
    left = allowance(unit)
    return chain(steps(position, unit, left), exits(position, unit, left), loadings(position, unit, left))


def entries(position: Position, side: Side, unit: Unit) -> Iterator[Action]:
    """The entries of the reinforcement, and the units that may board it first [16.11]."""
    if not position.setting.has("16.11") or unit.id not in position.setting.entries:
        return
    _, hexes = position.setting.entries[unit.id]
    for hex in hexes:
        if cannot_enter(position, unit, hex) is None:
            yield Enter(unit.id, hex)
    if unit.vehicle and unit.cargo is None:
        for other in position.pick(position.setting.ids[side]):
            if other.status == "reserve" and cannot_board_outside(position, unit, other) is None:
                yield Load(unit.id, other.id)


def cannot_board_outside(position: Position, carrier: Unit, unit: Unit) -> Refusal | None:
    """Reject a reinforcement that may not come on aboard that carrier [16.11]: they arrive together."""
    entries = position.setting.entries
    turn, _ = entries.get(carrier.id, (position.setting.scenario.turns + 1, ()))
    if entries.get(carrier.id) != entries.get(unit.id) or position.turn < turn:
        return Refusal("{} and {} do not arrive together now", "16.11", (carrier.name, unit.name))
    if unit.carrier is not None or unit.vehicle:
        return Refusal("{} cannot be carried onto the map", "16.11", (unit.name,))
    return cannot_pick_up(position, carrier, unit, allowance(carrier))


def cannot_begin(position: Position, side: Side, segment: str, action: Action) -> Refusal | None:
    """Reject a move that may not begin like this [5.0]."""
    unit_id: UnitId = action.carrier if isinstance(action, Load | Unload) else action.unit  # type: ignore[attr-defined]
    unit = position.units[unit_id]
    if refusal := cannot_act_in(segment, side, unit):
        return refusal
    left = allowance(unit)
    match action:
        case Enter(_, hex):
            return reinforcements_off(position) or cannot_enter(position, unit, hex)
        case Load(_, other) if unit.status == "reserve":
            return cannot_board_outside(position, unit, position.units[other])
    if unit.hex is None:
        return Refusal("{} has to enter the map first", "16.11", (unit.name,))
    match action:
        case Move(_, to, below):
            return cannot_step(position, unit, to, left, below)
        case Load(_, other):
            return cannot_pick_up(position, unit, position.units[other], left)
        case Unload():
            return cannot_drop_off(position, unit, left)
        case ExitMap():
            return cannot_exit(position, unit, left)
    return None


def reinforcements_off(position: Position) -> Refusal | None:
    """Units come on by an optional rule only [5.8.2]."""
    return None if position.setting.has("16.11") else Refusal("Reinforcements (16.11) are not in play", "16.11")


def begin_move(game: Game[Position], side: Side, segment: str, action: Action) -> None:
    """Start a unit on its way with its first step."""
    position = game.state
    match action:
        case Enter(name, hex):
            unit = position.units[name]
            left = max(0, allowance(unit) - entry_cost(position, unit, hex))
            game.tell(Event("entered", "{} comes on at {}", (unit.name, hex), "16.11", (name,), (hex,)))
            moving = Moving(side, name, left, False, segment)  # type: ignore[arg-type]
            game.push(moving)
            road = edge_road(position, unit, hex)
            go(game, unit, hex, road, False)
            beside = terrain_cost(position, unit, hex)
            pace_out(position, unit, entry_cost(position, unit, hex) if road == "track" else beside)
            arrive(game, moving, left)
        case Move(name, to, below):
            unit = position.units[name]
            moving = Moving(side, name, allowance(unit), False, segment)  # type: ignore[arg-type]
            game.push(moving)
            step(game, moving, to, below)
        case Load(carrier, name) if position.units[carrier].status == "reserve":
            position.load(carrier, name)
            position.change(name, locked=True)
            words = (position.units[carrier].name, position.units[name].name)
            game.tell(Event("loaded", "{} comes on with {}", words, "16.11", (carrier, name)))
        case Load(carrier, name):
            take_aboard(game, carrier, name)
            position.change(carrier, moved=True, locked=True)
            loaded = position.units[carrier]
            ask_on_the_spot(game, side, str(loaded.hex), movers(loaded))
        case Unload(carrier):
            moving = Moving(side, carrier, allowance(position.units[carrier]), False, segment)  # type: ignore[arg-type]
            game.push(moving)
            unload_on_the_way(game, moving, carrier)
        case ExitMap(name):
            leave_map(game, name)


def shifts(position: Position, unit: Unit) -> Iterator[Shift]:
    """Going below works in the unit's own hex, or coming out."""
    if unit.hex in position.works:
        for below in (True, False):
            if cannot_shift(position, unit, below) is None:
                yield Shift(unit.id, below)


def cannot_shift(position: Position, unit: Unit, below: bool) -> Refusal | None:
    """Reject a unit that may not go below the works of its hex [10.1.2], or come out [10.3.5, 10.4.5 too]."""
    if unit.hex is None:
        return Refusal("{} is not on the map", "10.1.2", (unit.name,))
    if below == (unit.below in ("position", "fort")):
        return Refusal("{} is already there", "10.1.2", (unit.name,))
    where = shelter(position, unit.hex) if below else ""
    return bad_shelter(position, unit, unit.hex, below) or overstacked(position, unit, unit.hex, where)


def shift(game: Game[Position], side: Side, segment: str, unit_id: UnitId, below: bool) -> None:
    """Go below or come out as the unit's move, which draws no fire, since the unit enters no hex: RULINGS.md R53."""
    position = game.state
    unit = position.units[unit_id]
    drop_registration(game, unit_id)
    leave_dug_in(game, unit)
    where = shelter(position, str(unit.hex)) if below else ""
    position.change(unit_id, below=where, moved=True, charges=0)
    words = "{} goes below the works in {}" if below else "{} leaves the works in {}"
    game.tell(Event("moved", words, (unit.name, unit.hex), "10.1.2", (unit_id,), (str(unit.hex),)))
    if position.setting.has("R53"):
        game.push(Moving(side, unit_id, allowance(unit), False, segment))  # type: ignore[arg-type]


# --- the end of a player turn [4.2-C7] ----------------------------------------------------------------------


class PlayerTurnEnd(Frame, frozen=True):
    """Dispersed units recover, inverted ones turn face-up, the opponent's markers change [4.2-C7]."""

    step = "end"
    rule = "4.2-C7"

    def begin(self, game: Game[Position]) -> None:
        """At the end of the player turn its own units recover, and the other side's markers fade [4.2-C7]."""
        position = game.state
        stop_charging(position, self.side)
        for name in position.setting.ids[self.side]:
            recover(game, position.units[name])
            forget(position, position.units[name])
        for name in position.setting.ids[position.setting.other[self.side]]:
            fade(game, position.units[name])
        game.pop()


def recover(game: Game[Position], unit: Unit) -> None:
    """DD becomes D, D comes off; units then undispersed turn face-up [9.10.2, 9.10.3]."""
    position = game.state
    if unit.hex is None:
        return
    if unit.dispersed:
        after = position.charts.dispersal[unit.dispersed, "recovery"]
        marker = "" if after == "none" else after
        unit = position.change(unit.id, dispersed=marker)
        words = "{} recovers in part and stays dispersed" if marker else "{} recovers"
        game.tell(Event("recovered", words, (unit.name,), "9.10.2", (unit.id,), (str(unit.hex),)))
    if not unit.dispersed and not unit.face_up:
        position.change(unit.id, face_up=True)


def forget(position: Position, unit: Unit) -> None:
    """Forget the unit's deeds of one turn; movement factors are not saved [5.1.1]."""
    if unit.moved or unit.fired or unit.locked or unit.road or unit.steps:
        position.change(unit.id, moved=False, fired=False, locked=False, road=False, steps=0, paces=0)


def fade(game: Game[Position], unit: Unit) -> None:
    """After the opponent's turn spotted markers come off mobile units, opportunity markers become spotted [8.1.3]."""
    position = game.state
    if unit.spotted == "spotted" and unit.kind.movement > 0:
        position.change(unit.id, spotted="")
    elif unit.spotted == "opportunity":
        position.change(unit.id, spotted="")
        mark(game, position.units[unit.id], "spotted")


SEGMENTS: tuple[type[Frame], ...] = (  # 4.2-C, in the book's order
    PlayerTurnBegin,  # C1
    IndirectFireSegment,  # C2
    RegistrationSegment,  # C3
    DirectFireSegment,  # C4
    VehicleSegment,  # C5
    NonVehicleSegment,  # C6: moves
    AssaultSegment,  # C6: assaults
    PlayerTurnEnd,  # C7
)
PLAYER_TURN = Sequence("case-orange player turn", *SEGMENTS)


# --- the game [4.1, 4.2-A to F] -----------------------------------------------------------------------------


class TheGame(Frame, frozen=True):
    """Set-up, then game turns of a first and a second player turn, then the end [4.1].

    `at` counts the set-ups and player turns begun so far.
    """

    rule = "4.1"
    at: int = 0

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        """The next set-up, the next player turn [4.1] of either side [4.2-D], or the end [4.2-E, 4.3]."""
        scenario = game.state.setting.scenario
        setups = scenario.setup or tuple(scenario.sides)
        game.swap(replace(self, at=self.at + 1))
        if self.at < len(setups):
            game.push(SetUp(setups[self.at]))
            return
        played = self.at - len(setups)
        order = scenario.order()
        if played % len(order) == 0:
            if game.state.turn == scenario.turns:
                game.finish(outcome(game.state), "4.2-F", reason(game.state))
                return
            start_turn(game)
        game.push(PLAYER_TURN(order[played % len(order)]))


def start_turn(game: Game[Position]) -> None:
    """Advance the turn marker and look for reinforcements [4.2-B, 4.2-E]."""
    position = game.state
    position.turn += 1
    game.tell(Event("turn", "Game turn {}", (position.turn,), "4.2-B"))
    coming = [u.name for u in position.units.values() if _due_now(position, u)]
    if coming and position.setting.has("16.11"):
        game.tell(Event("entered", "Reinforcements are due: {}", (joined(coming),), "4.2-B"))


def _due_now(position: Position, unit: Unit) -> bool:
    return unit.status == "reserve" and position.setting.entries.get(unit.id, (0,))[0] == position.turn


# --- what happens at once -----------------------------------------------------------------------------------


class RemoveUnit(Action, frozen=True):
    """Take a unit out of play to keep to the stacking limit [5.7.1, 13.2]."""

    says = "Remove {unit}"
    kind = "owe"
    final = True
    unit: UnitId


class TooMany(Frame, frozen=True):
    """A hex holds more than the limit: its owner removes a unit [5.7.1, 13.2]."""

    takes = (RemoveUnit,)
    step = "owe"
    rule = "7.1"
    question = "{hex} holds too much: choose the unit to remove"
    hex: Hex
    candidates: tuple[UnitId, ...]

    def actors(self, sight: Position, side: str) -> tuple[str, ...]:
        return tuple(name for name in self.candidates if sight.units[name].hex == self.hex)

    def acts(self, sight: Position, side: str, actor: str) -> tuple[Action, ...]:
        return (RemoveUnit(actor),)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case RemoveUnit(unit) if unit not in self.candidates or sight.units[unit].hex != self.hex:
                return Refusal("{} is not one of the units to remove", "5.7.1", (sight.units[unit].name,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case RemoveUnit(unit):
                game.state.crowded = ((self.hex, self.candidates), *game.state.crowded)
                game.pop()
                remove(game, unit)

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, hex=self.hex)


def remove(game: Game[Position], unit_id: UnitId) -> None:
    """A loss that makes room [5.7.1, 13.2]: armour leaves no wreck, which would fill the hex again: RULINGS.md R50."""
    position = game.state
    unit = position.units[unit_id]
    hex = str(unit.hex)
    lost = (unit_id,) if unit.cargo is None else (unit_id, unit.cargo)
    position.lift(unit_id, "eliminated")
    game.tell(Event("eliminated", "{} in {} is removed", (unit.name, hex), "5.7.1", lost, (hex,)))
    if unit.kind.armoured and position.setting.has("R50"):
        place_wreck(game, hex, unit.kind.points)


def settle(game: Game[Position]) -> None:
    """The book's "immediately": markers come off and go on [8.1.2, 12.1.3], stacks that overflow [5.7.1, 13.2]."""
    position = game.state
    if not position.unsettled or (game.stack and isinstance(game.stack[-1], TooMany)):
        return  # one question at a time
    while position.crowded:
        (hex, names), position.crowded = position.crowded[0], position.crowded[1:]
        there = tuple(name for name in names if position.units[name].hex == hex and not position.units[name].carrier)
        later = [names[1] for at, names in position.crowded if at == hex]  # still aboard: RULINGS.md R69
        if there and crowded(position, hex, later):
            game.owe_choice(TooMany(position.units[there[0]].side, hex, there))
            return
    position.unsettled = False
    settle_markers(game)
    if position.registered and position.weakened:
        settle_registrations(game)
    position.unsettled = False
    position.stirred.clear()
    position.weakened.clear()


# --- where games and cases start ----------------------------------------------------------------------------


def start(made: Setting) -> tuple[Position, Frame]:
    """The first position of a game and the frame that runs it."""
    return first_position(made), TheGame("")


def arrange(scenario: Scenario, case: Case) -> tuple[Position, Frame]:
    """Position and step of a case file. Raises BadInput."""
    position = arrange_position(scenario, case)
    for frame in SEGMENTS:
        if frame.step == case.step:
            return position, PlayerTurnFrom(case.side, SEGMENTS.index(frame))
    known = ", ".join(frame.step for frame in SEGMENTS)
    raise case.fault(f"there is no step {case.step!r}", f"one of {known}", "step")


class PlayerTurnFrom(Frame, frozen=True):
    """For cases: a player turn from one of its steps on, then the other side's, then the end."""

    at: int

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        """The next step; after the last it is the other side's player turn, then a new game turn."""
        if self.at < len(SEGMENTS):
            game.swap(replace(self, at=self.at + 1))
            game.push(SEGMENTS[self.at](self.side))
            return
        other = game.state.setting.other[self.side]
        if other == game.state.setting.scenario.first:
            if game.state.turn >= game.state.setting.scenario.turns:
                return game.finish(Outcome(None, "draw", "The case is over"))
            game.state.turn += 1
        game.swap(PlayerTurnFrom(other, 0))
        game.resume_top()
