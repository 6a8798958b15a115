"""Pre-Registered Points [6.5.1.4] and Planned Fire [6.5.1.11]: written in secret before any unit is placed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer.indirect.kinds import Fall, Guns, Rounds, Sheaf
from opfire.rulesets.panzer.pieces import Hex, Position, Side
from opfire.space.hexes import distance

EARLY, LATE, REST, LONGEST, SHIFT = 1, 1, 1, 5, 5
"""Planned Fire: the turns by which it may come early or late, the turns of rest after it, its greatest duration in
turns, and the hexes by which it shifts from turn to turn [6.5.1.11.1, 6.5.1.11.2, 6.5.1.11.3]."""


# --- a plan in the game ----------------------------------------------------------------------------------------


def engaged(position: Position, guns: Guns) -> Refusal | None:
    """Reject called fire of a battery that is about to fire its plan, does so, or rests after it [6.5.1.11.1]."""
    if not guns.plan:
        return None
    over = (guns.begun or guns.arrives + LATE) + len(guns.plan) - 1 + REST
    if guns.arrives - EARLY <= position.turn <= over:
        return Refusal("{} is part of a Planned Fire mission", "6.5.1.11.1", (guns.name,))
    return None


def due(position: Position, guns: Guns) -> bool:
    """Return whether the fire of a plan may fall in this turn: a turn early or late, then turn by turn [6.5.1.11.2]."""
    if not guns.plan:
        return False
    if guns.begun:
        return position.turn < guns.begun + len(guns.plan)
    return guns.arrives - EARLY <= position.turn <= guns.arrives + LATE


def overdue(position: Position, guns: Guns) -> bool:
    """Return whether the fire of a plan has to fall in this turn [6.5.1.11.2]."""
    return due(position, guns) and (bool(guns.begun) or position.turn == guns.arrives + LATE)


# --- writing a plan --------------------------------------------------------------------------------------------


class Register(Action, frozen=True):
    """Give a battery a Pre-Registered Point [6.5.1.4]."""

    says = "{firer} registers {to}"
    kind = "plot"
    firer: str
    to: Hex


class PlotFire(Action, frozen=True):
    """Plot Planned Fire of a battery for a turn, or the fire of its next turn [6.5.1.11.1]."""

    says = "{firer} plots fire for turn {turn}"
    kind = "plot"
    firer: str
    turn: int


class PlotPoint(Action, frozen=True):
    """Plot the Target Point [6.5.1.11.1]."""

    says = "The fire falls on {to}"
    kind = "plot"
    to: Hex


class PlotPattern(Action, frozen=True):
    """Plot the type and the pattern of the fire; `toward` is the direction of a linear one [6.5.1.11.1]."""

    says = "{rounds}, {sheaf}"
    kind = "plot"
    rounds: Rounds
    sheaf: Sheaf
    toward: int = 0


class EndPlots(Action, frozen=True):
    """Plot no more."""

    says = "No more plots"
    kind = "done"
    final = True


PATTERNS: tuple[tuple[Sheaf, int], ...] = (("closed", 0), ("open", 0), *(("linear", way) for way in range(6)))
"""The patterns of batteries, the linear one in each direction [6.5.1.5, 6.5.1.6.1]."""

TYPES: tuple[Rounds, ...] = ("gp", "smoke", "illumination")


class FirePlanning(Frame, frozen=True):
    """A side writes its Pre-Registered Points and Planned Fire, in secret [6.5.1.4, 6.5.1.11, 6.5.1.11.1].

    Only batteries off the map may, as far as the scenario says. `firer` is the one that plots, `to` its point.
    """

    takes = (Register, PlotFire, PlotPoint, PlotPattern, EndPlots)
    step = "set-up"
    rule = "6.5.1.11"
    question = "Write your Pre-Registered Points and Planned Fire"
    firer: str = ""
    to: Hex = ""

    def begin(self, game: Game[Position]) -> None:
        if not any(guns.registers or guns.plans for guns in game.state.batteries.values() if guns.side == self.side):
            game.pop()

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield from (act for act in self._all(sight) if self.refusal(sight, side, act) is None)

    def _all(self, sight: Position) -> Iterator[Action]:
        if self.to:
            yield from (PlotPattern(rounds, sheaf, way) for rounds in TYPES for sheaf, way in PATTERNS)
        elif self.firer:
            yield from (PlotPoint(hex) for hex in sight.map.names)
        else:
            yield EndPlots()
            yield from self._first(sight)

    def _first(self, sight: Position) -> Iterator[Action]:
        turns = range(1, sight.setting.scenario.turns + 1)
        for guns in sight.batteries.values():
            if guns.side == self.side:
                yield from (PlotFire(guns.id, turn) for turn in (turns if not guns.plan else (next_turn(guns),)))
                yield from (Register(guns.id, hex) for hex in (sight.map.names if guns.registers else ()))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case PlotPoint(to):
                return self._cannot_aim(sight, to)
            case PlotPattern():
                return self._cannot_lay(sight, action)
            case _ if self.firer:
                return Refusal("Finish the plot of this turn first", "6.5.1.11.1")
            case Register(firer, to):
                return cannot_register(sight, side, firer, to)
            case PlotFire(firer, turn):
                return cannot_plot(sight, side, firer, turn)
        return None

    def _cannot_aim(self, sight: Position, to: Hex) -> Refusal | None:
        """Reject a Target Point before its battery, and one too far from that of the turn before [6.5.1.11.3]."""
        if not self.firer or self.to:
            return Refusal("Choose a battery and a turn first", "6.5.1.11.1")
        plan, coords = sight.batteries[self.firer].plan, sight.map.coords
        if plan and distance(coords[plan[-1].hex], coords[to]) > SHIFT:
            return Refusal("{} is more than {} hexes from {}", "6.5.1.11.3", (to, SHIFT, plan[-1].hex))
        return None

    def _cannot_lay(self, sight: Position, pattern: PlotPattern) -> Refusal | None:
        """Reject a pattern before its Target Point, and rounds that the battery does not have [6.5.1.6.1, 5.16.2.5]."""
        if not self.to:
            return Refusal("Choose a Target Point first", "6.5.1.11.1")
        guns = sight.batteries[self.firer]
        if (pattern.sheaf, pattern.toward) not in PATTERNS:
            return Refusal("{} is no pattern: choose closed, open, or linear", "6.5.1.5", (pattern.sheaf,))
        if pattern.rounds == "illumination" and ("7.27" not in sight.setting.options or pattern.sheaf != "closed"):
            return Refusal("Illumination is for limited visibility, in a closed pattern", "6.5.1.6.2")
        special = sum(fall.rounds != "gp" for fall in guns.plan)
        if pattern.rounds != "gp" and guns.special is not None and special >= guns.special:
            return Refusal("{} has no {} missions left", "5.16.2.5", (guns.name, pattern.rounds))
        limits = {"smoke": guns.card.smoke, "illumination": guns.card.illumination}
        if not limits.get(pattern.rounds, 1):
            return Refusal("{} has no {} rounds", "6.5.1.6.1", (guns.name, pattern.rounds))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        batteries = game.state.batteries
        match action:
            case Register(firer, to):
                batteries[firer] = replace(batteries[firer], points=(*batteries[firer].points, to))
                _tell(game, self.side, "{} registers {}", (batteries[firer].name, to), "6.5.1.4")
            case PlotFire(firer, turn):
                if not batteries[firer].plan:
                    batteries[firer] = replace(batteries[firer], arrives=turn)
                game.swap(replace(self, firer=firer))
            case PlotPoint(to):
                game.swap(replace(self, to=to))
            case PlotPattern(rounds, sheaf, toward):
                guns = batteries[self.firer]
                batteries[self.firer] = replace(guns, plan=(*guns.plan, Fall(self.to, rounds, sheaf, toward)))
                facts = (guns.name, rounds, sheaf, self.to, next_turn(guns))
                _tell(game, self.side, "{}: {} ({}) on {} in turn {}", facts, "6.5.1.11.1")
                game.swap(replace(self, firer="", to=""))
            case EndPlots():
                game.pop()

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """The side alone knows its plots [6.5.1.11]."""
        return () if isinstance(action, EndPlots) else (self.side,)

    def seen_by(self, side: str) -> FirePlanning:
        """The frame as others know it, without the plot that is being written."""
        return self if side == self.side else replace(self, firer="", to="")


def _tell(game: Game[Position], side: Side, text: str, facts: tuple[object, ...], rule: str) -> None:
    game.tell(Event("plotted", text, facts, rule, only=(side,)))


def next_turn(guns: Guns) -> int:
    """The turn that follows those for which a battery has plotted its fire."""
    return guns.arrives + len(guns.plan)


def _not_mine(position: Position, side: Side, firer: str) -> Refusal | None:
    guns = position.batteries.get(firer)
    mine = guns is not None and guns.side == side
    return None if mine else Refusal("{} is no battery of yours", PROCEDURE, (firer,))


def cannot_register(position: Position, side: Side, firer: str, to: Hex) -> Refusal | None:
    """Reject a point twice, and more points than the scenario allows; only batteries have them [6.5.1.4]."""
    if refusal := _not_mine(position, side, firer):
        return refusal
    guns = position.batteries[firer]
    if len(guns.points) < guns.registers and to not in guns.points:
        return None
    return Refusal("{} has {} Pre-Registered Points at most, each once", "6.5.1.4", (guns.name, guns.registers))


def cannot_plot(position: Position, side: Side, firer: str, turn: int) -> Refusal | None:
    """Reject fire for more turns than the scenario and the rule allow, and turns with a gap [6.5.1.11.1]."""
    if refusal := _not_mine(position, side, firer):
        return refusal
    guns, last = position.batteries[firer], position.setting.scenario.turns
    most = min(guns.plans, LONGEST)
    if len(guns.plan) >= most:
        return Refusal("{} may plot {} turns of fire", "6.5.1.11.1", (guns.name, most))
    if not 1 <= turn <= last or (guns.plan and turn != next_turn(guns)):
        return Refusal("Turn {} is not the next one of the plan", "6.5.1.11.1", (turn,))
    return None
