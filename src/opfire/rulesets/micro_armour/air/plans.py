"""Plans of air strikes [12.3.3]: turns of arrival and places of bombs, before the game or through a team."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths, text
from opfire.core.texts import joined
from opfire.rulesets.micro_armour.air.planes import Bomb, Plane, loads
from opfire.rulesets.micro_armour.air.teams import cannot_coordinate, roll_for_teams
from opfire.rulesets.micro_armour.artillery.coordinates import nearest, written
from opfire.rulesets.micro_armour.artillery.sheafs import STEPS
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId
from opfire.rulesets.micro_armour.sighting.sight import cannot_see_place

AHEAD = 2
"""The turns from the plot by a team to the attack [12.3.3.3-use]: RULINGS.md R60."""


class Schedule(Action, frozen=True):
    """Write down the turn of arrival of an aircraft [12.3.3.1]."""

    says = "{plane} arrives in turn {turn}"
    kind = "plot"
    plane: str
    turn: int


class AimBombs(Action, frozen=True):
    """Write down the place of the next bomb attack of an aircraft (1/1000 inch) and its turn [12.3.3.2]."""

    says = "{plane} bombs {to} in turn {turn}"
    kind = "plot"
    plane: str
    turn: int
    to: Point


class DirectBombs(Action, frozen=True):
    """Plot the next bomb attack of an aircraft through an air coordination team [12.3.3.3-use]."""

    says = "{unit} directs {plane} to {to}"
    kind = "plot"
    unit: UnitId
    plane: str
    to: Point


class EndAirPlan(Action, frozen=True):
    """Plan no more air strikes before the game."""

    says = "The air plan is complete"
    kind = "done"
    final = True


# --- checks -------------------------------------------------------------------------------------------------------


def not_your_plane(position: Position, side: Side, name: str) -> Refusal | None:
    """Reject an aircraft of the other side, or one that comes no more."""
    plane = position.planes[name]
    if plane.side != side:
        return Refusal("{} is not yours", PROCEDURE, (plane.name,))
    if plane.cancelled:
        return Refusal("The strike of {} is cancelled", "12.3.3.3-use", (plane.name,))
    return None


def cannot_schedule(position: Position, side: Side, action: Schedule) -> Refusal | None:
    """Reject a turn of arrival that the game does not have, or a second one [12.3.3.1]."""
    if refusal := not_your_plane(position, side, action.plane):
        return refusal
    plane = position.planes[action.plane]
    if plane.arrives:
        return Refusal("The arrival of {} is written down: turn {}", "12.3.3.1", (plane.name, plane.arrives))
    if not 1 <= action.turn <= position.setting.scenario.turns:
        return Refusal("The game has turns 1 to {}", "12.3.3.1", (position.setting.scenario.turns,))
    return None


def cannot_aim(position: Position, side: Side, name: str, turn: int, to: Point) -> Refusal | None:
    """Reject a bomb attack that an aircraft cannot make in that turn at that place [12.3.2, 12.3.7, AD.load]."""
    if refusal := not_your_plane(position, side, name):
        return refusal
    plane = position.planes[name]
    if not plane.arrives:
        return Refusal("Write down the arrival of {} first", "12.3.3.1", (plane.name,))
    if len(plane.bombs) >= len(loads(position.charts, plane.kind)):
        return Refusal("{} has no bomb load left to plot", "AD.load", (plane.name,))
    if turn not in plane.bombing_turns or turn > position.setting.scenario.turns:
        turns = joined(plane.bombing_turns, " and ")
        return Refusal("{} bombs in its second or third turn: turns {}", "12.3.2", (plane.name, turns))
    if at_once := [bomb for bomb in plane.bombs if bomb.turn == turn]:
        if at_once[0].at != nearest(position.setting, side, to):
            return Refusal("Both loads of one turn fall on one place: {}", "12.3.7", (tenths(at_once[0].at),))
    if to not in position.table:
        return Refusal("{} is off the table", PROCEDURE, (text(to),))
    return None


def cannot_direct(position: Position, side: Side, unit: Stand, name: str, to: Point) -> Refusal | None:
    """Reject a plot by a team: it sees the place, and plots two turns before the attack [12.3.3.3-use]."""
    at = nearest(position.setting, side, to)
    return (
        cannot_coordinate(position, side, unit)
        or cannot_aim(position, side, name, position.turn + AHEAD, to)
        or _too_late(position, position.planes[name])
        or cannot_see_place(position, unit, at)
    )


def _too_late(position: Position, plane: Plane) -> Refusal | None:
    """Reject the only load of an aircraft in its turn of arrival: a second one alone is plotted then [12.3.3.3-use]."""
    if plane.arrives <= position.turn and len(loads(position.charts, plane.kind)) < 2:
        return Refusal(
            "The only bomb load of {} is plotted in the turn before it arrives", "12.3.3.3-use", (plane.name,)
        )
    return None


# --- writing ------------------------------------------------------------------------------------------------------


def schedule(game: Game[Position], action: Schedule) -> None:
    """Write down a turn of arrival, in secret [12.3.3.1]."""
    position = game.state
    plane = position.planes[action.plane] = replace(position.planes[action.plane], arrives=action.turn)
    words, only = "{} arrives in turn {}", (plane.side,)
    game.tell(Event("plotted", words, (plane.name, plane.arrives), "12.3.3.1", only=only))


def aim(game: Game[Position], name: str, turn: int, to: Point) -> None:
    """Write down a bomb attack, in secret, at the nearest whole inches [12.3.3.2]."""
    position = game.state
    plane = position.planes[name]
    at = nearest(position.setting, plane.side, to)
    position.planes[name] = replace(plane, bombs=(*plane.bombs, Bomb(at, turn)))
    facts = (plane.name, written(position.setting, plane.side, at), turn)
    game.tell(Event("plotted", "{} bombs {} in turn {}", facts, "12.3.3.2", (), (at,), only=(plane.side,)))


class AirPlan(Frame, frozen=True):
    """A side writes down arrivals and bomb attacks, in secret, before either side sets up [12.3.3.1, 12.3.3.2]."""

    takes = (Schedule, AimBombs, EndAirPlan)
    step = "set-up"
    rule = "12.3.3.1"
    question = "Write down when your aircraft arrive, and where they bomb"

    def begin(self, game: Game[Position]) -> None:
        """Air coordination teams are known first [12.3.3.3-avail]."""
        if not game.state.fleet(self.side):
            return game.pop()
        roll_for_teams(game, self.side)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        if actor != NOBODY:
            return
        if self.refusal(sight, side, EndAirPlan()) is None:
            yield EndAirPlan()
        for plane in sight.fleet(side):
            yield from self._of(sight, side, plane)

    def _of(self, sight: Position, side: Side, plane: Plane) -> Iterator[Offer]:
        for turn in range(1, sight.setting.scenario.turns + 1):
            if cannot_schedule(sight, side, Schedule(plane.id, turn)) is None:
                yield Schedule(plane.id, turn)
        for turn in plane.bombing_turns:
            middle = nearest(sight.setting, side, (sight.table.size[0] // 2, sight.table.size[1] // 2))
            at = next((bomb.at for bomb in plane.bombs if bomb.turn == turn), None)
            if cannot_aim(sight, side, plane.id, turn, at or middle) is not None:
                continue
            yield (
                AimBombs(plane.id, turn, at)
                if at
                else Region(AimBombs(plane.id, turn, middle), (0, 0, *sight.table.size))
            )

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Schedule():
                return cannot_schedule(sight, side, action)
            case AimBombs(plane, turn, to):
                return cannot_aim(sight, side, plane, turn, to)
        late = next((plane for plane in sight.fleet(side) if not plane.arrives), None)
        return Refusal("{} has no turn of arrival yet", "12.3.3.1", (late.name,)) if late else None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Schedule():
                schedule(game, action)
            case AimBombs(plane, turn, to):
                aim(game, plane, turn, to)
            case EndAirPlan():
                game.pop()

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """The side alone knows its air plan."""
        return () if isinstance(action, EndAirPlan) else (self.side,)


def directions(position: Position, side: Side, unit: Stand) -> Iterator[Offer]:
    """The bomb attacks that a team may plot now: on enemies that it sees, and anywhere that it sees.

    A second load for one turn falls where the first one does [12.3.7].
    """
    if cannot_coordinate(position, side, unit) is not None:
        return
    enemies = [enemy.at for enemy in position.enemies(side) if enemy.at is not None]
    for plane in position.fleet(side):
        aimed = [bomb.at for bomb in plane.bombs if bomb.turn == position.turn + AHEAD]
        seen = [*_directed(position, unit, plane, aimed[:1] or enemies)]
        yield from seen
        if not aimed:
            example = next(iter(seen), None) or next(_directed(position, unit, plane, _around(unit)), None)
            if example is not None:
                yield Region(example, (0, 0, *position.table.size))


def _directed(position: Position, unit: Stand, plane: Plane, places: Iterable[Point]) -> Iterator[DirectBombs]:
    """The attacks on these places that a team may plot."""
    for at in places:
        if cannot_direct(position, unit.side, unit, plane.id, at) is None:
            yield DirectBombs(unit.id, plane.id, at)


def _around(unit: Stand) -> Iterator[Point]:
    """The place of a stand and those beside it: if it sees anything, it sees one of them."""
    assert unit.at is not None
    yield unit.at
    yield from ((unit.at[0] + right * INCH, unit.at[1] + down * INCH) for right, down in STEPS)
