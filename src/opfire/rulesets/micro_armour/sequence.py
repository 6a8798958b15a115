"""The sequence of play [4.0]: the phases of a turn, beginning and end of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace

from opfire.core.casefile import Case
from opfire.core.events import Event
from opfire.core.flow import Frame, Sequence
from opfire.core.game import Game
from opfire.core.scenario import Scenario
from opfire.core.texts import Text
from opfire.rulesets.micro_armour import formations, hiding
from opfire.rulesets.micro_armour.air import teams
from opfire.rulesets.micro_armour.air.plans import AirPlan
from opfire.rulesets.micro_armour.air.teams import TeamHosts
from opfire.rulesets.micro_armour.airborne.landing import FirstLandings, GliderLandings, LateLandings
from opfire.rulesets.micro_armour.airborne.surprise import surprise
from opfire.rulesets.micro_armour.airborne.zones import LandingZones
from opfire.rulesets.micro_armour.artillery.observers import ObserverHosts
from opfire.rulesets.micro_armour.artillery.phase import ArtilleryPhase
from opfire.rulesets.micro_armour.artillery.plotting import JointPlot
from opfire.rulesets.micro_armour.artillery.preparing import BarragePlot, Registration, settle_batteries
from opfire.rulesets.micro_armour.artillery.preset import PresetFire, by_turn
from opfire.rulesets.micro_armour.cases import arrange_position
from opfire.rulesets.micro_armour.close.close_assault import CloseAssaults, LateDeclarations
from opfire.rulesets.micro_armour.close.overrun import Overruns
from opfire.rulesets.micro_armour.cohesion import cohesion_roll, force_level, force_succeeds, modifier
from opfire.rulesets.micro_armour.decisions import ends_now
from opfire.rulesets.micro_armour.fire.standard import StandardFirePhase
from opfire.rulesets.micro_armour.formations import all_broken, show_cards
from opfire.rulesets.micro_armour.moving import dismounting
from opfire.rulesets.micro_armour.moving.arrivals import Arrivals
from opfire.rulesets.micro_armour.moving.movement import GroupMovement, MovementOrders
from opfire.rulesets.micro_armour.pieces import Position, Setting, Side
from opfire.rulesets.micro_armour.postures import PostureDetermination
from opfire.rulesets.micro_armour.recovery import MarkerRemoval
from opfire.rulesets.micro_armour.setup import SetUp, first_position
from opfire.rulesets.micro_armour.vanguard import SetUpVanguard
from opfire.rulesets.micro_armour.victory import outcome, reason, settle_control
from opfire.rulesets.micro_armour.weather import roll_weather


class InitiativePhase(Frame, frozen=True):
    """The weather is rolled, then the initiative [4.0-1, 9.6.3]."""

    step = "initiative"
    rule = "4.0-1"

    def begin(self, game: Game[Position]) -> None:
        game.tell(Event("turn", "Turn {}", (game.state.turn,), "4.0-1"))
        roll_weather(game)
        game.state.initiative = roll_initiative(game)
        game.pop()


PER_TURN = 2
"""Each turn after the first adds this to the roll to fight on against a broken enemy [12.1.5-8, 12.1.5.8]."""


class KeepFighting(Frame, frozen=True):
    """A side whose enemy has broken altogether rolls to fight on; a failure ends the game [12.1.5-8, 12.1.5.8]."""

    step = "initiative"
    rule = "12.1.5-8"

    def begin(self, game: Game[Position]) -> None:
        position = game.state
        for side in position.setting.sides:
            turns = all_broken(position, position.setting.other[side])
            if turns and position.of(side) and _gives_up(game, side, turns):
                show_cards(game)
                return game.finish(outcome(position), "12.1.5-8", reason(position))
        game.pop()


def _gives_up(game: Game[Position], side: Side, turns: int) -> bool:
    """Roll by the cohesion of the force as a whole, which is less if all of its formations have broken [12.1.5-8]."""
    position = game.state
    lines = [modifier(Text("turn {} of it", (turns,)), PER_TURN * (turns - 1), "12.1.5-8")]
    roll = cohesion_roll("to fight on", "12.1.5-8", force_level(position, side), lines)
    return not force_succeeds(game, position.setting.scenario.sides[side].name, roll)


def roll_initiative(game: Game[Position]) -> Side:
    """Each side rolls 1D6 and adds its force cohesion; the higher total wins, ties are rolled again [4.0-1]."""
    made = game.state.setting
    while True:
        totals = {side: _initiative(game, side) for side in made.sides}
        first, second = made.sides
        if totals[first] != totals[second]:
            break
    winner = max(totals, key=lambda side: totals[side])
    facts = (made.scenario.sides[winner].name, totals[winner], totals[made.other[winner]])
    game.tell(Event("initiative", "The {} side has the initiative, {} to {}", facts, "4.0-1"))
    return winner


def _initiative(game: Game[Position], side: Side) -> int:
    """The roll of a side for the initiative, and its force cohesion, which surprise lowers [4.0-1, 8.10.1.5].

    Breaking lowers it, too [12.1.5-1]; darkness, which lowers both alike, is left out.
    """
    (number,) = game.roll(1, 6)
    made = game.state.setting
    cohesion = force_level(game.state, side) + made.sections.darkness
    facts = (made.scenario.sides[side].name, number, cohesion)
    game.tell(Event("initiative", "{}: {} rolled for initiative, and cohesion {}", facts, "4.0-1", dice=(number,)))
    return number + cohesion


GAME_TURN = Sequence(
    "micro armour turn",
    InitiativePhase,
    KeepFighting,
    Arrivals,
    PostureDetermination,
    ArtilleryPhase,
    StandardFirePhase,
    JointPlot,
    GliderLandings,
    MovementOrders,
    GroupMovement,
    Overruns,
    LateDeclarations,
    CloseAssaults,
    LateLandings,
    MarkerRemoval,
)
"""The phases in the book's order [4.0]."""

FIRST_MOVES = Sequence(
    "micro armour first moves",
    InitiativePhase,
    Arrivals,
    PostureDetermination,
    GliderLandings,
    MovementOrders,
    GroupMovement,
    Overruns,
    LateDeclarations,
    CloseAssaults,
    LateLandings,
    MarkerRemoval,
)
"""The phases of a first turn that begins with movement [SC.setback]: RULINGS.md R84."""

PHASES = tuple(step for step in GAME_TURN.steps if isinstance(step, type))
"""The phases of a turn, for the track and for case files."""


BEFORE: Mapping[str, Callable[[Side], Frame]] = {
    "preset": PresetFire,
    "air plan": AirPlan,
    "barrages": BarragePlot,
    "vanguard": SetUpVanguard,
    "zones": LandingZones,
    "late zones": partial(LandingZones, when="after"),
    "landings": FirstLandings,
    "set-up": SetUp,
    "registration": Registration,
    "observers": ObserverHosts,
    "teams": TeamHosts,
}
"""The steps before the first turn."""


class TheGame(Frame, frozen=True):
    """Set-up with the missions that are written before the game, then turns until they are over.

    `waiting` are the steps before the first turn that are still to come, each with its side.
    """

    waiting: tuple[tuple[str, Side], ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Preset fire, air plans, barrages and landing zones come before all set-up, pre-registered missions between.

        Landings follow when everybody has set up [7.6.2.2-set, 7.6.2.4-plot, 8.10.1.2-when, 12.3.3.2].
        """
        scenario = game.state.setting.scenario
        order = scenario.setup or tuple(scenario.sides)
        presets = (("preset", side) for side in by_turn(game.state.setting, order))
        plans = ((step, side) for step in ("air plan", "barrages", "vanguard", "zones") for side in order)
        placing = ((step, side) for side in order for step in ("set-up", "registration"))
        down = ((step, side) for step in ("late zones", "landings") for side in order)
        hosts = ((step, side) for side in order for step in ("observers", "teams"))
        game.swap(replace(self, waiting=(*presets, *plans, *placing, *down, *hosts)))
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        waiting = game.stack[-1].waiting if isinstance(game.stack[-1], TheGame) else ()
        if waiting:
            (step, side), *rest = waiting
            game.swap(replace(self, waiting=tuple(rest)))
            return game.push(BEFORE[step](side))
        settle_batteries(game.state)
        settle_control(game.state)
        surprise(game.state)
        game.state.turn = 1
        game.swap(Turns(""))
        moves = game.state.setting.sections.begins == "movement"
        game.push((FIRST_MOVES if moves else GAME_TURN)(""))


class Turns(Frame, frozen=True):
    """One turn after the other [4.0]."""

    def resume(self, game: Game[Position], result: object) -> None:
        """The turn ends: control is noted; after the last one the game is over."""
        position = game.state
        settle_control(position)
        if position.turn >= position.setting.scenario.turns or ends_now(position):
            show_cards(game)
            return game.finish(outcome(position), "1.0-length", reason(position))
        position.turn += 1
        game.push(GAME_TURN(""))


def settle(game: Game[Position]) -> None:
    """After every change: cards for losses are drawn [12.1], air strikes are cancelled [12.3.3.3-use], riders of tanks
    that have fired decide [12.5], hidden stands show themselves [SC.stark.hidden].
    """
    formations.settle(game)
    teams.settle(game)
    dismounting.settle(game)
    hiding.settle(game)


def start(made: Setting) -> tuple[Position, Frame]:
    """The first position of a game and the frame that runs it."""
    return first_position(made), TheGame("")


def arrange(scenario: Scenario, case: Case) -> tuple[Position, Frame]:
    """Position and phase of a case file. Raises BadInput."""
    steps = [phase.step for phase in PHASES]
    if case.step not in steps:
        raise case.fault(f"there is no step {case.step!r}", f"one of {', '.join(dict.fromkeys(steps))}", "step")
    return arrange_position(scenario, case), TurnFrom("", steps.index(case.step))


class TurnFrom(Frame, frozen=True):
    """For cases: a turn from one of its phases on; then turns go on as in every game."""

    at: int

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        """The next phase of the turn, or the end of the turn."""
        rest = PHASES[self.at :]
        if not rest:
            game.swap(Turns(""))
            return game.resume_top()
        game.swap(replace(self, at=self.at + 1))
        game.push(rest[0](""))
