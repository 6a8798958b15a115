"""The sequence of play of the Basic Game [4.0]: phases and steps of a turn, initiative, the end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TypeAlias

from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.casefile import Case
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.scenario import Scenario
from opfire.rulesets.panzer import hiding, initiative, leaders
from opfire.rulesets.panzer.adjusting import AdjustStep
from opfire.rulesets.panzer.air import paratroops
from opfire.rulesets.panzer.air.crossing import planes
from opfire.rulesets.panzer.air.gliders import is_glider
from opfire.rulesets.panzer.air.paratroops import DropStep
from opfire.rulesets.panzer.air.phase import AirPhase, LastAirPhase
from opfire.rulesets.panzer.cases import arrange_position
from opfire.rulesets.panzer.commands import COMMANDS, Command, CommandPhase, cannot_command, reveal
from opfire.rulesets.panzer.creeping import CreepStep
from opfire.rulesets.panzer.fire import collateral
from opfire.rulesets.panzer.fire.close_combat import CloseCombatStep
from opfire.rulesets.panzer.fire.direct_fire import Attacking, DirectFireStep
from opfire.rulesets.panzer.fire.malfunctions import OPTION as REPAIRS
from opfire.rulesets.panzer.fire.malfunctions import RepairStep
from opfire.rulesets.panzer.fire.overwatch import overwatch_for_fire
from opfire.rulesets.panzer.indirect import countering, smoke
from opfire.rulesets.panzer.indirect.kinds import Guns
from opfire.rulesets.panzer.indirect.planning import FirePlanning
from opfire.rulesets.panzer.indirect.screens import DISCHARGERS, DischargeStep
from opfire.rulesets.panzer.indirect.step import IndirectFireStep
from opfire.rulesets.panzer.morale.checks import MoraleStep, in_play
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import CommandName, Position, Setting, Side, Unit
from opfire.rulesets.panzer.setup import SetUp, first_position
from opfire.rulesets.panzer.sighting.phase import SpottingPhase
from opfire.rulesets.panzer.sighting.ranges import Marker
from opfire.rulesets.panzer.staggering import Contest, FormationFire, FormationMovement
from opfire.rulesets.panzer.suppression import SuppressionStep
from opfire.rulesets.panzer.victory import outcome, reason, settle_control
from opfire.rulesets.panzer.works import dust
from opfire.rulesets.panzer.works.fires import OPTION as FIRES
from opfire.rulesets.panzer.works.fires import FireStep
from opfire.rulesets.panzer.works.minefields import as_known

Turn: TypeAlias = tuple[tuple[type[Frame], str], ...]
"""The steps of a turn, each with the player who carries it out."""


class RollInitiative(Action, frozen=True):
    """Roll for initiative: both sides throw percentage dice."""

    says = "Roll for initiative"
    kind = "roll"
    final = True


class InitiativePhase(Frame, frozen=True):
    """The side with the higher roll is the First Player of the turn; ties are rolled again [4.3.1, 6.3]."""

    takes = (RollInitiative,)
    step = "initiative"
    rule = "4.3"
    question = "Roll for initiative"

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield RollInitiative()

    def forced(self, sight: Position) -> bool:
        """There is nothing to choose, and everybody knows it."""
        return True

    def play(self, game: Game[Position], action: Action) -> None:
        """Both sides roll until one is higher [4.3]."""
        game.state.first = initiative.roll(game, "4.3.1", "{} is the First Player: {} against {}")
        game.pop()


class OverwatchStep(Frame, frozen=True):
    """Overwatch fire in answer to direct fire, after all of it is resolved [4.4.2, 7.42.1.3]."""

    rule = "4.4.2"

    def begin(self, game: Game[Position]) -> None:
        overwatch_for_fire(game)

    def resume(self, game: Game[Position], result: object) -> None:
        """The chain of shots is over: Brew-Up Smoke of this step begins."""
        game.state.smoking = ()
        game.pop()


class AdjustmentPhase(Frame, frozen=True):
    """Commands come off, and control of objectives is noted [4.6.1]."""

    step = "adjustment"
    rule = "4.6"

    def begin(self, game: Game[Position]) -> None:
        """Show commands to fire and to move that were not carried out, then take all commands off [4.6, 4.6.1]."""
        position = game.state
        for unit in [unit for side in position.setting.sides for unit in position.of(side)]:
            if marker := unused(unit):
                reveal(game, unit.id)
                position.change(unit.id, fresh=marker)
        for unit in position.units.values():
            cleared = {"revealed": False, "fired": False, "moved": False, "moving": False, "under_fire": False}
            cleared |= {"bogged": False, "overrun": False, "dismounted": False}
            used = {
                "guides": "",
                "shares": "",
                "column": False,
                "aims": (),
                "aimed": "",
                "arms": (),
                "pledged": "",
                "sheltered": "",
            }
            position.change(unit.id, command="no command", **used, **cleared)
        position.smoking, position.calls = (), ()
        smoke.thin(position)
        dust.settle(position)
        countering.recover(game)
        hiding.settle(position)
        settle_control(position)
        game.pop()


def unused(unit: Unit) -> Marker:
    """The SPOT counter for a command that was not carried out, as that of a vehicle with a track hit [4.6.1]."""
    match unit.command:
        case "fire" if not unit.fired:
            return "fire"
        case "short halt" if not unit.fired and not unit.moved:
            return "fire"
        case "move" if not unit.moved:
            return "move"
    return ""


class TheGame(Frame, frozen=True):
    """Set-up, then turn after turn [4.0, 4.6.2]. `at` is the next step of the turn; `waiting` are set up later.

    Before that the sides that are `planning` write their Planned Fire [6.5.1.11.1].
    """

    waiting: tuple[Side, ...] = ()
    at: int = -1
    planning: tuple[Side, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        scenario = game.state.setting.scenario
        order = scenario.setup or tuple(scenario.sides)
        planning = tuple(side for side in order if any(guns.side == side for guns in game.state.batteries.values()))
        game.swap(replace(self, waiting=order, planning=planning))
        game.resume_top()

    def resume(self, game: Game[Position], result: object) -> None:
        if self.planning:
            game.swap(replace(self, planning=self.planning[1:]))
            game.push(FirePlanning(self.planning[0]))
            return
        if self.waiting:
            game.swap(replace(self, waiting=self.waiting[1:]))
            game.push(SetUp(self.waiting[0]))
            return
        if self.at < 0:
            settle_control(game.state)
            return self._turn(game)
        turn = steps(game.state)
        if self.at == len(turn):
            return self._end(game)
        game.swap(replace(self, at=self.at + 1))
        kind, player = turn[self.at]
        game.push(kind(_side(game.state, player)))

    def _end(self, game: Game[Position]) -> None:
        """The end of a turn, and of the game after the last one, or when a side has nothing left [4.6.2]."""
        position = game.state
        beaten = not all(_left(position, side) for side in position.setting.sides)
        if beaten or position.turn >= position.setting.scenario.turns:
            return game.finish(outcome(position), "4.6.2", reason(position))
        self._turn(game)

    def _turn(self, game: Game[Position]) -> None:
        if not game.state.turn:
            lay_depots(game.state)
        game.state.turn += 1
        game.state.order = ()
        game.tell(Event("step", "Turn {}", (game.state.turn,), "4.0"))
        game.swap(replace(self, waiting=(), at=0))
        game.resume_top()


def _left(position: Position, side: Side) -> bool:
    """Return whether a side has units on the map, or paratroops or gliders in the air."""
    hidden = any(mask.side == side for mask in position.masks.values())
    flying = any(is_glider(unit) for unit in planes(position, side))
    return bool(position.of(side)) or hidden or flying or paratroops.expected(position, side)


def lay_depots(position: Position) -> None:
    """Leg and towed units that start on the map have their ammunition there [5.16.2.4]."""
    for unit in [unit for side in position.setting.sides for unit in position.of(side)]:
        if not unit.is_vehicle:
            position.change(unit.id, depot=str(unit.hex))


BASIC_TURN: Turn = (
    (SpottingPhase, ""),
    (CommandPhase, ""),
    (InitiativePhase, ""),
    (DirectFireStep, "first"),
    (DirectFireStep, "second"),
    (OverwatchStep, ""),
    (MovementStep, "second"),
    (MovementStep, "first"),
    (AdjustmentPhase, ""),
)
"""The steps of a turn in the book's order, and the player who carries each out: the Second Player moves first [4.0]."""

ADVANCED_TURN: Turn = (
    (SpottingPhase, ""),
    (CommandPhase, ""),
    (InitiativePhase, ""),
    (AirPhase, ""),
    (IndirectFireStep, "first"),
    (IndirectFireStep, "second"),
    (DirectFireStep, "first"),
    (DirectFireStep, "second"),
    (OverwatchStep, ""),
    (CloseCombatStep, "first"),
    (CloseCombatStep, "second"),
    (MovementStep, "second"),
    (MovementStep, "first"),
    (LastAirPhase, ""),
    (AdjustStep, "first"),
    (AdjustStep, "second"),
    (SuppressionStep, ""),
    (AdjustmentPhase, ""),
)
"""The steps of a turn of the Advanced Game [6.0, 6.4, 6.7], as far as they are built."""


MORALE_TURN: Turn = (*ADVANCED_TURN[:-1], (MoraleStep, ""), ADVANCED_TURN[-1])
"""The steps of a turn with morale: its counters come after those of suppression [7.1.6, 6.8]."""


def steps(position: Position) -> Turn:
    """The sequence of play of a game [4.0, 6.0, 6.6, 6.8, 7.25, 7.35, 7.55.1-transfer]."""
    if not position.setting.advanced:
        return BASIC_TURN
    turn = MORALE_TURN if in_play(position) else ADVANCED_TURN
    options = position.setting.options
    if paratroops.OPTION in options:
        turn = tuple(_with_drops(turn))
    if FIRES in options:
        turn = (*turn[:-1], (FireStep, ""), turn[-1])
    if leaders.OPTION in options:
        turn = (*turn[:-1], (leaders.TransferStep, "first"), (leaders.TransferStep, "second"), turn[-1])
    if REPAIRS in options:
        turn = (*turn[:2], (RepairStep, ""), *turn[2:])
    if DISCHARGERS in options:
        turn = (*turn[:1], (DischargeStep, "first"), (DischargeStep, "second"), *turn[1:])
    if collateral.OPTION in options:
        at = turn.index((CloseCombatStep, "first"))
        turn = (*turn[:at], (collateral.FuelStep, ""), *turn[at:])
    if initiative.staggered(position):
        turn = tuple(_staggered(turn, FIRING if initiative.STREAMLINED in options else MOVING))
    if hiding.OPTION in options:
        turn = tuple(_with_hidden(turn))
    return turn


FIRING: dict[type[Frame], type[Frame]] = {InitiativePhase: Contest, DirectFireStep: FormationFire}
"""The steps of Staggered Initiative, by those that they replace; one of them serves both players [7.42.1]."""

MOVING: dict[type[Frame], type[Frame]] = {**FIRING, MovementStep: FormationMovement}
"""The same with movement in the reverse order [7.42.2]."""


def stands_for(position: Position, kind: type[Frame]) -> type[Frame]:
    """The step that stands for one of the plain sequence in Staggered Initiative [7.42.2, 7.42.3]."""
    if not initiative.staggered(position):
        return kind
    return (FIRING if initiative.STREAMLINED in position.setting.options else MOVING).get(kind, kind)


def _staggered(turn: Turn, steps: dict[type[Frame], type[Frame]]) -> Iterator[tuple[type[Frame], str]]:
    """The steps of a turn in which formations have the initiative, movement after all drops [7.42.2, 7.42.3]."""
    for kind, player in turn:
        if kind not in steps:
            yield kind, player
        elif (kind, player) not in ((DirectFireStep, "second"), (MovementStep, "second")):
            yield steps[kind], player


HIDDEN: dict[type[Frame], type[Frame]] = {
    DirectFireStep: hiding.UnmaskStep,
    CloseCombatStep: hiding.UnmaskForCloseCombat,
    MovementStep: CreepStep,
    AdjustStep: hiding.HideStep,
}
"""The steps of hidden units, each before the step of the same player [7.2.2.2, 7.2.2.3, 7.2.3]."""


JOINT: dict[type[Frame], Turn] = {
    FormationFire: ((hiding.UnmaskStep, "first"), (hiding.UnmaskStep, "second")),
    FormationMovement: ((CreepStep, "second"), (CreepStep, "first")),
}
"""The steps of hidden units before those of Staggered Initiative, which serve both players [7.42.1, 7.42.2]."""


def _with_hidden(turn: Turn) -> Iterator[tuple[type[Frame], str]]:
    for kind, player in turn:
        yield from JOINT.get(kind, ())
        if kind in HIDDEN:
            yield HIDDEN[kind], player
        yield kind, player


def _with_drops(turn: Turn) -> Iterator[tuple[type[Frame], str]]:
    """The steps of a turn in which paratroops come down at the beginning of each Movement Step [7.44.1]."""
    for kind, player in turn:
        if kind is MovementStep:
            yield DropStep, player
        yield kind, player


def _side(position: Position, player: str) -> Side:
    """The side of the First or the Second Player; any side where both act at once [3.1, 4.3.2]."""
    first = position.first or position.setting.scenario.first
    return position.setting.other[first] if player == "second" else first


class TurnFrom(Frame, frozen=True):
    """For cases: the rest of a turn from one of its steps on; then turn follows turn."""

    at: int = 0

    def begin(self, game: Game[Position]) -> None:
        game.swap(TheGame("", at=self.at))
        game.resume_top()


BEGINS: dict[str, type[Frame]] = {
    "spotting": SpottingPhase,
    "command": CommandPhase,
    "initiative": InitiativePhase,
    "air": AirPhase,
    "indirect": IndirectFireStep,
    "direct": DirectFireStep,
    "overwatch": OverwatchStep,
    "close combat": CloseCombatStep,
    "movement": MovementStep,
    "adjustment": AdjustmentPhase,
}
"""The steps with which a case may begin."""

OPENING = (DropStep, CreepStep, hiding.UnmaskStep, hiding.HideStep, DischargeStep, collateral.FuelStep)
"""The steps of options with which a step of the plain sequence begins.

Rules: [7.44.1, 7.2.2.2, 7.2.2.3, 7.2.3, 7.9, 7.23.4].
"""


def arrange(scenario: Scenario, case: Case) -> tuple[Position, Frame]:
    """Position and step of a case file; its side is the first to act in that step. Raises BadInput."""
    if case.step not in BEGINS:
        raise case.fault(f"there is no step {case.step!r}", f"one of {', '.join(BEGINS)}", "step")
    position = arrange_position(scenario, case)
    if case.step == "movement":
        position.first = position.setting.other[case.side]
    if case.step == "spotting":
        position.spots = {}
    kinds = [kind for kind, _ in steps(position)]
    whole = case.step == "adjustment" and AdjustStep in kinds  # 6.8: other adjustments come before those of 4.6
    begins = AdjustStep if whole else stands_for(position, BEGINS[case.step])
    if begins not in kinds:
        raise case.fault(f"the Basic Game has no step {case.step!r}", 'options = ["AG"], or another step', "step")
    at = kinds.index(begins)
    while kinds[at - 1] in OPENING:
        at -= 1
    return position, TurnFrom(case.side, at)


def start(made: Setting) -> tuple[Position, Frame]:
    """The first position of a game and the frame that runs it."""
    return first_position(made), TheGame("")


# --- secrets [4.2.2] --------------------------------------------------------------------------------------------


def sight(state: Position, side: Side) -> Position:
    """A side's knowledge: the commands of the others are hidden until they are revealed."""
    hidden = {
        unit.id: replace(unit, command="?", shares="", column=False, sheltered="")
        for unit in state.units.values()
        if unit.side != side and _secret(unit)
    }
    works, guns = as_known(state, side), batteries_known(state, side)
    if hiding.OPTION in state.setting.options:
        masks, unknown = hiding.as_known(state, side)
        seen = hiding.spots_known(state, side, unknown)
        units, works = {**state.units, **hidden, **unknown}, hiding.works_known(works, unknown)
        return replace(state, units=units, works=works, batteries=guns, masks=masks, spots=seen)
    if not hidden and works == state.works and guns == state.batteries:
        return state
    return replace(state, units={**state.units, **hidden}, works=works, batteries=guns)


def batteries_known(state: Position, side: Side) -> dict[str, Guns]:
    """The batteries as a side knows them: plans and Pre-Registered Points of others are secret [6.5.1.4, 6.5.1.11]."""
    return {
        name: guns if guns.side == side else replace(guns, points=(), plan=(), arrives=0)
        for name, guns in state.batteries.items()
    }


def _secret(unit: Unit) -> bool:
    """Whether the command is hidden; it stays so when its unit is gone."""
    return not unit.revealed and unit.status not in ("to place", "exited", "stowed") and unit.flight is None


def imagined(
    seen: Position, stack: tuple[Frame, ...], side: Side, rng: random.Random
) -> tuple[Position, tuple[Frame, ...]]:
    """A position that agrees with a sight, the others' commands drawn at random."""
    position = seen.copy()
    given = not any(isinstance(frame, CommandPhase) for frame in stack)
    firing = any(isinstance(frame, Attacking) for frame in stack)
    for unit in seen.units.values():
        if unit.command == "?":
            drawn = given and not firing and unit.hex is not None
            position.change(unit.id, command=_drawn(seen, unit, rng) if drawn else "no command")
    return position, tuple(_drawn_sheets(frame, side) for frame in stack)


def _drawn(seen: Position, unit: Unit, rng: random.Random) -> CommandName:
    names = [name for name in COMMANDS if cannot_command(seen, unit, name) is None]
    return names[int(rng.random() * len(names))]


def _drawn_sheets(frame: Frame, side: Side) -> Frame:
    """A plot in which the others have handed in commands that this side does not know."""
    if not isinstance(frame, CommandPhase):
        return frame
    own = tuple(row for row in frame.sheets if row[0] == side)
    others = tuple((name, tuple[Command, ...]()) for name, _ in frame.sheets if name != side)
    return replace(frame, sheets=(*own, *others))
