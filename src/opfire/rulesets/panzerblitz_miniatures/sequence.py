"""The sequence of play [SEQ]: turns of two player segments, each with its phases; beginning and end."""

from __future__ import annotations

from msgspec.structs import replace

from opfire.core.casefile import Case
from opfire.core.events import Event
from opfire.core.flow import Frame, Sequence
from opfire.core.game import Game
from opfire.core.scenario import Scenario
from opfire.rulesets.panzerblitz_miniatures.airpower.airphase import AirPhase
from opfire.rulesets.panzerblitz_miniatures.cases import arrange_position
from opfire.rulesets.panzerblitz_miniatures.fire.direct import DirectFirePhase
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import IndirectFirePhase
from opfire.rulesets.panzerblitz_miniatures.morale import recovered, turn_ends
from opfire.rulesets.panzerblitz_miniatures.moving.movement import MovementPhase
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Setting, Stand
from opfire.rulesets.panzerblitz_miniatures.recovery import RecoveryPhase
from opfire.rulesets.panzerblitz_miniatures.setup import SetUp, first_position
from opfire.rulesets.panzerblitz_miniatures.sighting.spotted import settle_markers
from opfire.rulesets.panzerblitz_miniatures.victory import outcome, reason, settle_control

FRESH = {
    "fired": False,
    "split": False,
    "shot": "",
    "moved": False,
    "spent": 0,
    "gone": 0,
    "quick": False,
    "handled": "",
    "turned": "",
    "by_road": False,
    "road": 0,
    "charge": None,
}
"""The values of a stand at the beginning of its segment."""


class SegmentBegin(Frame, frozen=True):
    """A player segment begins: what counts by the segment is forgotten [SEQ-1, COM-6]."""

    step = "begin"
    rule = "SEQ-1"

    def begin(self, game: Game[Position]) -> None:
        position = game.state
        position.current, position.attacked = self.side, ()
        name = position.setting.scenario.sides[self.side].name
        game.tell(Event("step", "{} segment of turn {}", (name, position.turn), "SEQ-1"))
        for unit in position.units.values():
            position.change(unit.id, attacked=())
        for name in position.setting.ids[self.side]:
            position.change(name, **FRESH)
        game.pop()


class SegmentEnd(Frame, frozen=True):
    """The segment ends: Opportunity Fire markers of its side come off, still units gain Firing Positions [SEQ-9].

    Firing Positions go to undispersed units that spent no movement points [FPS-1]: RULINGS.md R51.
    """

    step = "end"
    rule = "SEQ-9"

    def begin(self, game: Game[Position]) -> None:
        """Markers come off, still units gain Firing Positions, control is noted [SEQ-9]."""
        position = game.state
        for unit in position.pick(position.setting.ids[self.side]):
            order = recovered("segment", position.setting.options) if unit.order == "recovering" else unit.order
            position.change(unit.id, reacted=False, order=order, position=unit.position or kept_still(unit))
        settle_control(position)
        game.pop()


def kept_still(unit: Stand) -> bool:
    """Return whether a unit gains a Firing Position of its own at the end of its segment [FPS-1]: R51."""
    afoot = unit.at is not None and unit.carrier is None and not unit.aircraft
    return afoot and not unit.moved and not unit.dispersed


PLAYER_SEGMENT = Sequence(
    "miniatures player segment",
    SegmentBegin,
    RecoveryPhase,
    IndirectFirePhase,
    DirectFirePhase,
    AirPhase,
    MovementPhase,
    SegmentEnd,
)

PHASES = tuple(step for step in PLAYER_SEGMENT.steps if isinstance(step, type))
"""The phases of a player segment, for the track and for case files."""


class TheGame(Frame, frozen=True):
    """Set-up, then turns of two player segments until the turns are over [SEQ-1, SEQ-2]."""

    waiting: tuple[str, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        scenario = game.state.setting.scenario
        order = scenario.setup or tuple(scenario.sides)
        game.swap(replace(self, waiting=order[1:]))
        game.push(SetUp(order[0]))

    def resume(self, game: Game[Position], result: object) -> None:
        if self.waiting:
            game.swap(replace(self, waiting=self.waiting[1:]))
            game.push(SetUp(self.waiting[0]))
            return
        settle_control(game.state)
        first = game.state.setting.scenario.first
        game.state.turn = 1
        roll_for_visibility(game)
        game.swap(Turns(first))
        game.push(PLAYER_SEGMENT(first))


class Turns(Frame, frozen=True):
    """One player segment after the other; after the second the turn ends [SEQ-10]. `side` has the present one."""

    rule = "SEQ-10"

    def resume(self, game: Game[Position], result: object) -> None:
        position = game.state
        scenario = position.setting.scenario
        other = position.setting.other[self.side]
        if other == scenario.first:
            end_turn(game)
            if position.turn >= scenario.turns:
                return game.finish(outcome(position), "SEQ-2", reason(position))
            position.turn += 1
            roll_for_visibility(game)
        game.swap(Turns(other))
        game.push(PLAYER_SEGMENT(other))


def roll_for_visibility(game: Game[Position]) -> None:
    """Roll a die of twenty sides for the limit of sight in a turn of variable visibility [LLT-1]: RULINGS.md R57."""
    position = game.state
    if position.setting.sections.visibility != "variable":
        return
    dice = game.roll(1, int(position.charts.named["visibility die"]))
    position.roll = dice[0]
    words = "Visibility in turn {}: {} inches at most"
    game.tell(Event("visibility", words, (position.turn, position.roll), "LLT-1", dice=dice))


def end_turn(game: Game[Position]) -> None:
    """The end of a turn: units that have recovered are ready again [REC-3], and so are fortifications [FRT-12]."""
    position = game.state
    for work in [*position.works.values()]:
        if work.dispersed:
            position.lay(replace(work, dispersed=False))
    for unit in position.units.values():
        if unit.order == "recovering":
            position.change(unit.id, order=turn_ends(unit.order))
    game.tell(Event("step", "Turn {} ends", (position.turn,), "SEQ-10"))


def start(made: Setting) -> tuple[Position, Frame]:
    """The first position of a game and the frame that runs it."""
    return first_position(made), TheGame("")


def arrange(scenario: Scenario, case: Case) -> tuple[Position, Frame]:
    """Position and phase of a case file. Raises BadInput."""
    steps = [phase.step for phase in PHASES]
    if case.step not in steps:
        raise case.fault(f"there is no step {case.step!r}", f"one of {', '.join(steps)}", "step")
    return arrange_position(scenario, case), SegmentFrom(case.side, steps.index(case.step))


class SegmentFrom(Frame, frozen=True):
    """For cases: a player segment from one of its phases on; then turns go on as in every game."""

    at: int

    def begin(self, game: Game[Position]) -> None:
        """Variable visibility is rolled for the turn first."""
        roll_for_visibility(game)
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        """The next phase; after the last one the other side's segment, or the end of the turn."""
        if self.at < len(PHASES):
            game.swap(replace(self, at=self.at + 1))
            game.push(PHASES[self.at](self.side))
            return
        game.swap(Turns(self.side))
        game.resume_top()


def settle(game: Game[Position]) -> None:
    """The book's "immediately": Spotted markers come off units that are out of sight [SPT-5]."""
    settle_markers(game.state)
