"""Optional rules [17]: consolidation [17.1], excess initiative [17.2], random events [17.5]."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.fire import aircraft
from opfire.rulesets.panzer_grenadier.pieces import Position, Side, Unit, UnitId, not_ready, not_yours
from opfire.rulesets.panzer_grenadier.works import fieldworks


class Consolidate(Action, frozen=True):
    """Make one whole unit of two reduced ones [17.1]."""

    says = "{unit} takes in {other}"
    kind = "consolidate"
    final = True
    unit: UnitId
    other: UnitId


ACTS: tuple[type[Action], ...] = (Consolidate,)


# --- consolidation [17.1] -------------------------------------------------------------------------------------


def choices(position: Position, unit: Unit) -> Iterator[Action]:
    """Every other unit that it may be combined with; the owner chooses which of the two stays."""
    if position.setting.has("17.1") and unit.hex is not None and unit.reduced:
        for other in position.at(unit.hex, unit.side):
            if cannot_consolidate(position, unit, other) is None:
                yield Consolidate(unit.id, other.id)


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject an illegal pair."""
    assert isinstance(action, Consolidate)
    unit, other = position.units[action.unit], position.units[action.other]
    return not_yours(side, unit) or not_yours(side, other) or cannot_consolidate(position, unit, other)


def play(game: Game[Position], side: Side, action: Action) -> None:
    """Take one unit off the map and make the other whole; both have then acted, and no step is lost."""
    assert isinstance(action, Consolidate)
    position = game.state
    unit, other = position.units[action.unit], position.units[action.other]
    position.finish(unit.id, other.id)
    position.lift(other.id, "eliminated")
    position.change(unit.id, reduced=False)
    words = "{} takes in {} in {} and is whole again"
    facts = (unit.name, other.name, unit.hex)
    only = fieldworks.told_to(unit)
    game.tell(Event("result", words, facts, "17.1", (unit.id, other.id), (str(unit.hex),), only=only))


def cannot_consolidate(position: Position, unit: Unit, other: Unit) -> Refusal | None:
    """Reject two units that may not become one [17.1]: alike, reduced, and with all their movement points."""
    if not position.setting.has("17.1"):
        return Refusal("The option for consolidation is not in play", "17.1")
    if unit.id == other.id or unit.hex is None or unit.hex != other.hex or unit.cargo or other.cargo:
        return Refusal("{} and {} are not two units in one hex that carry nothing", "17.1", (unit.name, other.name))
    for one in (unit, other):
        if refused := not_ready(position, one, "move") or not_fresh(position, one):
            return refused
    same = unit.kind is not None and other.kind is not None and unit.kind.id == other.kind.id
    if not (same and unit.reduced and other.reduced and unit.state == other.state):
        return Refusal("{} and {} are not reduced units of one kind and morale", "17.1", (unit.name, other.name))
    return None


def not_fresh(position: Position, unit: Unit) -> Refusal | None:
    """Consolidation takes all movement points of both, in the hex where they began [17.1]."""
    activation = position.activation
    assert activation is not None
    if activation.start(unit.id) == unit.hex and not activation.spent_by(unit.id) and unit.carrier is None:
        return None
    return Refusal("{} no longer has all its movement points", "17.1", (unit.name,))


# --- excess initiative [17.2] ---------------------------------------------------------------------------------


class SaveSegment(Action, frozen=True):
    """Save one of the segments won by initiative [17.2]."""

    says = "Save one segment for later in the turn"
    kind = "save"
    final = True


class UseSaved(Action, frozen=True):
    """Take the saved segment now: a second one in a row [17.2]."""

    says = "Use the saved segment now"
    kind = "save"
    final = True


def saves_a_segment(position: Position) -> bool:
    """Whether the winner of the initiative may save one of its segments [17.2]."""
    return position.setting.has("17.2") and position.lead >= position.charts.figure("segments that let one be saved")


class Saving(Frame, frozen=True):
    """The winner of the initiative may save a segment [17.2]."""

    takes = (SaveSegment, Pass)
    step = "saving"
    rule = "17.2"
    question = "Save one of your segments for later in the turn, or pass"

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield SaveSegment()
        yield Pass()

    def play(self, game: Game[Position], action: Action) -> None:
        position = game.state
        if isinstance(action, SaveSegment):
            position.lead -= 1
            position.change_army(self.side, banked=True)
            game.tell(Event("initiative", "{} saves a segment", (self.side.capitalize(),), "17.2"))
        game.pop()


def may_use_saved(position: Position, side: Side) -> bool:
    """Whether a side that has just had a segment may have its saved one now [17.2]."""
    return position.armies[side].banked


class Spending(Frame, frozen=True):
    """A side may take its saved segment right after another [17.2]. The result is whether it does."""

    takes = (UseSaved, Pass)
    step = "saving"
    rule = "17.2"
    question = "Use the saved segment now, or pass and keep it"

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield UseSaved()
        yield Pass()

    def play(self, game: Game[Position], action: Action) -> None:
        used = isinstance(action, UseSaved)
        if used:
            game.state.change_army(self.side, banked=False)
            game.tell(Event("initiative", "{} uses its saved segment", (self.side.capitalize(),), "17.2"))
        game.pop(used)


# --- random events [17.5] -------------------------------------------------------------------------------------


def equal_dice(position: Position, dice: tuple[int, ...]) -> bool:
    """Whether the unmodified initiative dice bring a random event [17.5]."""
    return position.setting.has("17.5") and dice[0] == dice[1]


def random_event(game: Game[Position], winner: Side) -> None:
    """Each side rolls a die; the sum gives this turn's event [17.5]. `winner` has the initiative."""
    position = game.state
    rolled = game.roll(2, 6)
    row = position.charts.random_events[sum(rolled)]
    game.tell(Event("result", "Random event: {}", (row.text,), "17.5", dice=rolled))
    side = winner if row.whose == "winner" else position.setting.other[winner]
    match row.event:
        case "initiative":
            position.lead += 1
        case "rally":
            rally(game, side)
        case "silence":
            for one in position.setting.sides:
                position.change_army(one, offboard=())
        case "aircraft":
            aircraft.join(game, side)


def rally(game: Game[Position], side: Side) -> None:
    """Return disrupted units to good order; in the sector of the event [18.11]."""
    position = game.state
    for unit in list(position.units.values()):
        shaken = unit.side == side and unit.hex is not None and unit.state == "disrupted"
        if shaken and sectors.not_played(position, unit) is None:
            position.change(unit.id, state="good order")
            words = "{} in {} is in good order again"
            facts, only = (unit.name, unit.hex), fieldworks.told_to(unit)
            game.tell(Event("morale", words, facts, "17.5", (unit.id,), (str(unit.hex),), only=only))


FRAMES: tuple[type[Frame], ...] = (Saving, Spending)
