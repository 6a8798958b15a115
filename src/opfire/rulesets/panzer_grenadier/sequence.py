"""The sequence of play [3.0]: turns of initiative, action segments in alternation, and marker removal."""

from __future__ import annotations

from msgspec.structs import replace

from opfire.core.casefile import Case
from opfire.core.events import Event
from opfire.core.flow import Frame, Sequence
from opfire.core.game import Game, Outcome
from opfire.core.scenario import Scenario
from opfire.rulesets.panzer_grenadier.command import formations, sectors
from opfire.rulesets.panzer_grenadier.command.segment import ActionSegment
from opfire.rulesets.panzer_grenadier.fire import aircraft, offboard, smoke
from opfire.rulesets.panzer_grenadier.optional import fogofwar, rules
from opfire.rulesets.panzer_grenadier.pieces import Position, Setting, Side, Unit
from opfire.rulesets.panzer_grenadier.setup.cases import arrange_position
from opfire.rulesets.panzer_grenadier.setup.positions import first_position
from opfire.rulesets.panzer_grenadier.setup.setting_up import SetUp
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.victory import outcome, reason
from opfire.rulesets.panzer_grenadier.works.minefields import MineLifting


class InitiativePhase(Frame, frozen=True):
    """Both roll, and the lead becomes the number of segments that the winner has first [3.0.A, 3.0.B]."""

    step = "initiative"
    rule = "3.0.A"

    def begin(self, game: Game[Position]) -> None:
        """First in the turn [3.0] roll until one side leads [3.0.A]; equal dice may bring an event [17.5]."""
        position = game.state
        first, second = position.setting.sides
        totals, event = (0, 0), False
        while totals[0] == totals[1]:
            dice = game.roll(2, 6)
            if not event and rules.equal_dice(position, dice):
                event = True
                game.tell(Event("initiative", "Both roll {}: a random event", (dice[0],), "17.5", dice=dice))
                continue
            totals = (dice[0] + position.armies[first].initiative, dice[1] + position.armies[second].initiative)
            words = "Initiative: {} {} + {}, {} {} + {}"
            facts = (first.capitalize(), dice[0], position.armies[first].initiative, second.capitalize(), dice[1])
            game.tell(Event("initiative", words, (*facts, position.armies[second].initiative), "3.0.A", dice=dice))
        winner = first if totals[0] > totals[1] else second
        lead = opening_segments(abs(totals[0] - totals[1]))
        words = "{} has the initiative; segments before the other side's first: {}"
        game.tell(Event("initiative", words, (winner.capitalize(), lead), "3.0.B"))
        position.current, position.lead = winner, lead
        if event:
            rules.random_event(game, winner)
        game.pop()


def opening_segments(difference: int) -> int:
    """Half the difference, rounded up: the winner's segments before the loser's first [3.0.B, 3.0.A1].

    >>> opening_segments(4), opening_segments(3), opening_segments(1)
    (2, 2, 1)
    """
    return -(-difference // 2)


class ActionPhase(Frame, frozen=True):
    """Segments until both sides have passed one after the other [3.0.B, 3.0.E].

    The winner of the initiative has its lead first, then the sides alternate. `passed` is true when the segment before
    was the other side's pass, `asked` while the side says whether it uses a saved segment [17.2].
    """

    step = "action"
    rule = "3.0.E"
    passed: bool = False
    asked: bool = False

    def begin(self, game: Game[Position]) -> None:
        """The winner's first segment; it may save one [17.2]."""
        position = game.state
        game.push(ActionSegment(position.current))
        if rules.saves_a_segment(position):
            game.push(rules.Saving(position.current))

    def resume(self, game: Game[Position], result: object) -> None:
        """Go on with the next side; two passes in a row end the turn, and so may the fog of war [17.4]."""
        position, side = game.state, game.state.current
        if self.asked:
            game.swap(replace(self, asked=False))
            game.push(ActionSegment(side if result else position.setting.other[side]))
            return
        count_segment(position, side)
        position.lead = max(0, position.lead - 1)
        if (result and self.passed) or fogofwar.ends_turn(game, side):
            game.pop()
            return
        following = side if position.lead else position.setting.other[side]
        if following != side and not result and rules.may_use_saved(position, side):
            game.swap(replace(self, passed=False, asked=True))
            game.push(rules.Spending(side))
            return
        game.swap(replace(self, passed=bool(result) and following != side))
        game.push(ActionSegment(following))


def count_segment(position: Position, side: Side) -> None:
    """Count a segment that a side has just had; a pass is a segment too: RULINGS.md P60."""
    position.change_army(side, segments=position.armies[side].segments + 1)


class MarkerRemovalPhase(Frame, frozen=True):
    """MOVED/FIRED markers come off, smoke may [3.0.G]."""

    step = "markers"
    rule = "3.0.G"

    def begin(self, game: Game[Position]) -> None:
        """All at once [3.0.G]."""
        position = game.state
        for name, unit in position.units.items():
            position.units[name] = unmarked(unit)
        smoke.clear(game)
        game.pop()


def unmarked(unit: Unit) -> Unit:
    """A unit without its deeds of this turn."""
    return replace(unit, marked=False, shots=0, shot_with="", targeted=(), entries=(), stopped=False)


def start_turn(game: Game[Position]) -> None:
    """Advance the turn marker; batteries and aircraft are available again [9.2, 15.11]."""
    position = game.state
    position.turn += 1
    night = ", by night" if position.is_night else ""
    game.tell(Event("turn", "Turn {}{}", (position.turn, night), "3.0"))
    for side in position.setting.sides:
        position.change_army(side, segments=0, banked=False)
        offboard.renew(position, side)
        aircraft.draw(game, side)
    spotting.watch(game)


# 3.0, in the book's order; whole turns of work among mines [16.74] are counted as it ends
TURN = Sequence("panzer-grenadier turn", InitiativePhase, ActionPhase, MineLifting, MarkerRemovalPhase)


# --- the turn in sectors [18.11] ----------------------------------------------------------------------------


class OrdersPhase(Frame, frozen=True):
    """At the start of a turn the commanding officers give their orders, the first player's first [18.3, 18.31]."""

    step = "orders"
    rule = "18.31"
    at: int = 0

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        sides = (self.side, game.state.setting.other[self.side])
        if self.at == len(sides):
            game.pop()
            return
        game.swap(replace(self, at=self.at + 1))
        game.push(sectors.Commanding(sides[self.at]))


# 18.11: the part of a turn that two commanders play against each other; each pair has its own initiative
SECTOR = Sequence("panzer-grenadier sector", InitiativePhase, ActionPhase)


class SectorTurns(Frame, frozen=True):
    """Every sector by itself, until its commanders are done and wait for the others [18.11].

    Sectors do not interfere with each other, so one comes after the other in the scenario's order: RULINGS.md P128.
    """

    step = "action"
    rule = "18.11"
    at: int = 0

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        """Go on with the next sector; when all are done play proceeds."""
        names = sectors.names(game.state.setting)
        if self.at == len(names):
            sectors.close_all(game.state)
            game.pop()
            return
        game.swap(replace(self, at=self.at + 1))
        sectors.open_sector(game, names[self.at])
        game.push(SECTOR(self.side))


# 18.11: mines and markers belong to the whole map, and wait until all sectors are done
TURN_IN_SECTORS = Sequence(
    "panzer-grenadier turn in sectors", OrdersPhase, SectorTurns, MineLifting, MarkerRemovalPhase
)


# --- the game -----------------------------------------------------------------------------------------------


class TheGame(Frame, frozen=True):
    """Set-up, then the turns of the scenario, then the end. `at` counts the parts begun so far."""

    rule = "2.3"
    at: int = 0

    def begin(self, game: Game[Position]) -> None:
        formations.check_seats(game)
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        scenario = game.state.setting.scenario
        setups = scenario.setup or tuple(scenario.sides)
        game.swap(replace(self, at=self.at + 1))
        if self.at < len(setups):
            game.push(SetUp(setups[self.at]))
        elif game.state.turn == scenario.turns:
            for unit in list(game.state.units.values()):
                if unit.hidden and unit.hex is not None and unit.carrier is None:
                    spotting.reveal(game, unit.id)  # their hexes are theirs, too: RULINGS.md P132
            game.finish(outcome(game.state), "2.3", reason(game.state))
        else:
            start_turn(game)
            turn = TURN_IN_SECTORS if game.state.setting.sector_of else TURN
            game.push(turn(scenario.first))


def start(made: Setting) -> tuple[Position, Frame]:
    """The first position of a game and the frame that runs it."""
    return first_position(made), TheGame("")


def arrange(scenario: Scenario, case: Case) -> tuple[Position, Frame]:
    """The position and step of a case file: `segment` for a side's action segment, `initiative` for a whole turn.

    Where the map is divided, the segment is one of the first sector [18.11]. Raises BadInput.
    """
    position = arrange_position(scenario, case)
    position.current = case.side
    match case.step:
        case "segment":
            sectors.change(position, played=next(iter(sectors.names(position.setting)), ""))
            return position, GameTurnFrom(case.side)
        case "initiative":
            position.turn -= 1
            return position, TheGame("", at=len(scenario.setup or scenario.sides))
    raise case.fault(f"there is no step {case.step!r}", "segment or initiative", "step")


class GameTurnFrom(Frame, frozen=True):
    """For cases: one action segment after the other, the sides in alternation, from `side` on; no initiative.

    Segments are counted as in a whole turn, and the fog of war may end it [17.4].
    """

    passed: bool = False

    def begin(self, game: Game[Position]) -> None:
        game.push(ActionSegment(self.side))

    def resume(self, game: Game[Position], result: object) -> None:
        """Go on with the other side's segment, until both have passed one after the other, or the fog ends the turn."""
        count_segment(game.state, self.side)
        if (result and self.passed) or fogofwar.ends_turn(game, self.side):
            return game.finish(Outcome(None, "draw", "The case is over"))
        other: Side = game.state.setting.other[self.side]
        game.swap(replace(self, side=other, passed=bool(result)))
        game.push(ActionSegment(other))
