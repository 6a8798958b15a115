"""Drop zones and landing zones [8.10.1.2, 8.10.2.2]: their coordinates are written down in secret before the game."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.kit.table import spots
from opfire.rulesets.micro_armour.airborne.drops import Drop, Landing
from opfire.rulesets.micro_armour.airborne.rolls import ALIKE
from opfire.rulesets.micro_armour.artillery.coordinates import nearest, written
from opfire.rulesets.micro_armour.artillery.sheafs import DIRECTIONS, Compass, Sheaf
from opfire.rulesets.micro_armour.moving.prices import topmost
from opfire.rulesets.micro_armour.pieces import Position, Side

LEVEL = frozenset({"gentle-slope", "hilltop", "crest"})
"""The heights on which one lands as on clear ground, with nothing else there [8.10.1.3-3a, 8.10.2.4-4a]."""


class ChooseZone(Action, frozen=True):
    """Write down the coordinates of a landing group (1/1000 inch), and the direction in which gliders line up."""

    says = "{landing} at {to}, gliders to the {toward}"
    kind = "plot"
    final = True
    landing: str
    to: Point
    toward: Compass


def unwritten(position: Position, side: Side, when: str) -> list[Landing]:
    """The landing groups of a side whose coordinates are written at this time and are still open."""
    found = (each for each in position.setting.landings.values() if each.side == side and each.group.written == when)
    return [each for each in found if each.id not in position.drops]


def cannot_choose(position: Position, side: Side, action: ChooseZone) -> Refusal | None:
    """Reject coordinates that are not open, beyond the zone, or not in clear terrain [8.10.1.2-dz, 8.10.2.2]."""
    landing = position.setting.landings.get(action.landing)
    if landing is None or landing.side != side or landing.id in position.drops:
        return Refusal("No landing group of yours waits for {}", PROCEDURE, (action.landing,))
    if action.toward not in DIRECTIONS:
        return Refusal("{} is no direction of the compass", PROCEDURE, (action.toward,))
    at = nearest(position.setting, side, action.to)
    if at not in landing.zone or at not in position.table:
        return Refusal("{} is beyond the zone of {}", "8.10.1.2-dz", (tenths(at), landing.group.name))
    if not clear(position, at):
        return Refusal("{} is not in clear terrain", "8.10.1.2-dz", (tenths(at),))
    gliders = Sheaf(at, len(landing.units), "open", action.toward).places(position.setting.sections.north)
    if landing.group.by == "glider" and not all(each in position.table for each in gliders):
        return Refusal("The gliders would land off the table", "8.10.2.4-1")
    return None


def clear(position: Position, at: Point) -> bool:
    """Return whether a point is in clear terrain: in none that has a row of its own for landings, markers included.

    Heights where one lands as on clear ground count as clear: RULINGS.md R151.
    """
    kinds = [feature.kind for feature in topmost(position.ground.features_at(at))]
    rows = {ALIKE.get(kind, kind) for kind in kinds} - LEVEL
    return rows.isdisjoint(position.charts.landing_terrain)


class LandingZones(Frame, frozen=True):
    """A side writes the coordinates of its landing groups, in secret, before the enemy sets up [8.10.1.2-dz].

    A scenario may let it write them after the enemy's set-up [8.10.2.2]: `when` is "before" or "after" that.
    """

    takes = (ChooseZone,)
    step = "set-up"
    rule = "8.10.1.2-dz"
    question = "Write down where your airborne groups land"
    when: str = "before"

    def begin(self, game: Game[Position]) -> None:
        if not unwritten(game.state, self.side, self.when):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        if actor != NOBODY:
            return
        for landing in unwritten(sight, side, self.when):
            for toward in DIRECTIONS if landing.group.by == "glider" else DIRECTIONS[:1]:
                yield from self._offers(sight, side, landing, toward)

    def _offers(self, sight: Position, side: Side, landing: Landing, toward: Compass) -> Iterator[Offer]:
        tries = (ChooseZone(landing.id, nearest(sight.setting, side, at), toward) for at in spots(landing.zone))
        first = next((each for each in tries if cannot_choose(sight, side, each) is None), None)
        if first is not None:
            yield first
            if landing.zone.box is not None:
                yield Region(first, landing.zone.box)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        assert isinstance(action, ChooseZone)
        landing = sight.setting.landings.get(action.landing)
        if landing is not None and landing.group.written != self.when:
            return Refusal("The zone of {} is written at another time", PROCEDURE, (landing.group.name,))
        return cannot_choose(sight, side, action)

    def play(self, game: Game[Position], action: Action) -> None:
        assert isinstance(action, ChooseZone)
        position = game.state
        landing = position.setting.landings[action.landing]
        at = nearest(position.setting, self.side, action.to)
        position.drops[landing.id] = Drop(at, action.toward)
        facts = (landing.group.name, written(position.setting, self.side, at))
        game.tell(Event("plotted", "{} land at {}", facts, "8.10.1.2-dz", (), (at,), only=(self.side,)))
        if not unwritten(position, self.side, self.when):
            game.pop()

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """The side alone knows where its groups land [8.10.1.2-dz]."""
        return (self.side,)


def reveal(game: Game[Position], landing: Landing) -> Drop:
    """Tell everybody where a group lands, as it does."""
    position = game.state
    drop = position.drops[landing.id] = replace(position.drops[landing.id], shown=True)
    facts = (landing.group.name, written(position.setting, landing.side, drop.at))
    game.tell(Event("revealed", "{} land at {}", facts, "8.10.1.2-dz", landing.units, (drop.at,)))
    return drop
