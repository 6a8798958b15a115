"""The posture determination phase [4.0-2, 8.1]: movement groups are formed, with their postures."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import joined, say
from opfire.rulesets.micro_armour.alternation import after_pass, next_turn
from opfire.rulesets.micro_armour.formations import is_broken
from opfire.rulesets.micro_armour.pieces import (
    ARTILLERY,
    Position,
    Posture,
    Side,
    Stand,
    UnitId,
    adjacent,
    carried,
    not_yours,
    off_the_table,
)
from opfire.rulesets.micro_armour.works.tasks import lacks_posture

MOVING: tuple[Posture, ...] = ("movement", "fire/move")


class Mark(Action, frozen=True):
    """Mark a stand, alone or as the first of a group, with a posture [8.1-mark]."""

    says = "{unit}: {posture} posture"
    kind = "command"
    unit: UnitId
    posture: Posture


class JoinGroup(Action, frozen=True):
    """Add a stand to the group that is being formed [8.1.1]."""

    says = "{unit} joins the group"
    kind = "command"
    unit: UnitId


class FormGroup(Action, frozen=True):
    """Declare the group complete [8.1.1]."""

    says = "The group is complete"
    kind = "confirm"
    final = True


class NoMoreGroups(Action, frozen=True):
    """Mark no more groups in this part of the phase [8.1.1]."""

    says = "Mark no more"
    kind = "done"
    final = True


# --- checks ---------------------------------------------------------------------------------------------------


def cannot_mark(position: Position, side: Side, unit: Stand, posture: Posture) -> Refusal | None:
    """Reject a stand that may not take this posture [8.1-mark, 12.1.5-7]."""
    if refusal := not_yours(side, unit) or off_the_table(unit) or carried(unit):
        return refusal
    if posture not in MOVING:
        return Refusal("{} is no posture to mark", PROCEDURE, (posture,))
    if not regroups(position, unit) and (refusal := is_marked(unit)):
        return refusal
    if posture == "movement":
        return None
    if is_broken(position, unit):
        return Refusal("The force of {} is broken: it is in the movement posture", "12.1.5-7", (unit.name,))
    return cannot_fire_and_move(unit)


def is_marked(unit: Stand) -> Refusal | None:
    """Reject a stand that has a posture for this turn [8.1.2]."""
    if unit.posture == "firing":
        return None
    return Refusal("{} is in the {} posture already", "8.1.2", (unit.name, unit.posture))


def regroups(position: Position, unit: Stand) -> bool:
    """Return whether a stand that is marked since its force is broken may still join a group [8.1.1, 12.1.5-7]."""
    if not is_broken(position, unit) or unit.posture != "movement":
        return False
    return all(other.group != unit.group for other in position.of(unit.side) if other.id != unit.id)


def cannot_fire_and_move(unit: Stand) -> Refusal | None:
    """Reject the fire/move posture for artillery [7.4.10] and for stands that cannot move by themselves [8.3.8]."""
    if unit.kind.kind in ARTILLERY:
        return Refusal("{} is artillery, which does not fire and move", "7.4.10", (unit.name,))
    if not unit.kind.mov_points:
        return Refusal("{} cannot move by itself", "8.3.8", (unit.name,))
    return None


def alone(position: Position, unit: Stand, posture: Posture) -> Refusal | None:
    """Reject a stand with nobody beside it to form a group with [8.1.1]."""
    if any(cannot_mark(position, unit.side, other, posture) is None for other in beside(position, unit)):
        return None
    return Refusal(
        "{} has no stand beside it for a group: single stands are marked after the groups", "8.1.1", (unit.name,)
    )


def beside(position: Position, unit: Stand) -> Iterator[Stand]:
    """The friends in base contact with a stand."""
    return (other for other in position.of(unit.side) if other.id != unit.id and adjacent(unit, other))


# --- frames ---------------------------------------------------------------------------------------------------


class PostureDetermination(Frame, frozen=True):
    """Sides mark groups of several stands in turn, then single stands [4.0-2]; `groups` says which of the two."""

    takes = (Mark, NoMoreGroups)
    step = "posture"
    rule = "4.0-2"
    groups: bool = True
    passed: tuple[Side, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Large loads that were unloaded in the last turn are marked to move [8.4.7-large], and so are
        broken forces [12.1.5-7, 12.1.5.7] and infantry in boats [8.9.4-land]; then sides mark stands.

        The side with the initiative marks first: RULINGS.md R13.
        """
        game.tell(Event("step", "Posture determination", (), "4.0-2"))
        for unit in game.state.all():
            if unit.handled < 0 or is_broken(game.state, unit) or in_boats(game.state, unit):
                mark(game, (unit.id,), "movement")
                game.state.change(unit.id, handled=0)
        game.swap(replace(self, side=game.state.initiative))

    def alternation(self) -> tuple[Side, ...]:
        return self.passed

    def prompt(self, sight: Position, side: str) -> str:
        question = say("Which single stands are to move? Mark one; all others stay")
        if self.groups:
            question = say("Which groups are to move? Mark the first stand of each; all others stay")
        own = sight.of(side) if side == self.side else ()
        workers = [unit.name for unit in own if lacks_posture(sight, unit)]
        if not workers:
            return question
        more = say("Work needs the movement posture, too: mark {}, to work and stay in place", joined(workers))
        return f"{question}. {more}"

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if unit.posture == "firing" or regroups(sight, unit))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield NoMoreGroups()
            return
        for posture in MOVING:
            if self.refusal(sight, side, Mark(actor, posture)) is None:
                yield Mark(actor, posture)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if not isinstance(action, Mark):
            return None
        unit = sight.units[action.unit]
        refusal = cannot_mark(sight, side, unit, action.posture)
        return refusal or (alone(sight, unit, action.posture) if self.groups else is_marked(unit))

    def play(self, game: Game[Position], action: Action) -> None:
        other = game.state.setting.other
        if isinstance(action, Mark):
            if not self.groups:
                mark(game, (action.unit,), action.posture)
                return game.swap(next_turn(self, other))
            return game.push(Grouping(self.side, action.posture, (action.unit,)))
        after = after_pass(self, other)
        if after is not None:
            game.swap(after)
        elif self.groups:
            game.swap(replace(self, groups=False, passed=(), side=game.state.initiative))
        else:
            game.pop()

    def resume(self, game: Game[Position], result: object) -> None:
        """The other side marks its next group."""
        game.swap(next_turn(self, game.state.setting.other))


class Grouping(Frame, frozen=True):
    """A movement group of several stands is being formed [8.1.1]."""

    takes = (JoinGroup, FormGroup)
    step = "posture"
    rule = "8.1.1"
    question = "Add stands in base contact to the group, or declare it complete"
    posture: Posture
    stands: tuple[UnitId, ...]

    def prompt(self, sight: Position, side: str) -> str:
        names = joined(unit.name for unit in sight.pick(self.stands))
        if len(self.stands) < 2:
            return say("{}, {} posture: add a stand in base contact to form a group", names, self.posture)
        return say("{}, {} posture: add stands in base contact, or declare the group complete", names, self.posture)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        near = (other.id for unit in sight.pick(self.stands) for other in beside(sight, unit))
        yield from (name for name in dict.fromkeys(near) if name not in self.stands)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        action = FormGroup() if actor == NOBODY else JoinGroup(actor)
        if self.refusal(sight, side, action) is None:
            yield action

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if isinstance(action, JoinGroup):
            return self._cannot_join(sight, side, sight.units[action.unit])
        if len(self.stands) < 2:
            return Refusal("A group of several stands needs another one", "8.1.1")
        return None

    def _cannot_join(self, sight: Position, side: Side, unit: Stand) -> Refusal | None:
        """Reject a stand that is in the group, has no contact with it, or cannot take its posture."""
        if unit.id in self.stands:
            return Refusal("{} is in the group already", PROCEDURE, (unit.name,))
        if refusal := cannot_mark(sight, side, unit, self.posture):
            return refusal
        if not any(adjacent(unit, other) for other in sight.pick(self.stands)):
            return Refusal("{} is not in base contact with the group", "8.1.1", (unit.name,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        if isinstance(action, JoinGroup):
            game.swap(replace(self, stands=(*self.stands, action.unit)))
            return
        mark(game, self.stands, self.posture)
        game.pop()


def in_boats(position: Position, unit: Stand) -> bool:
    """Return whether a stand is in fording boats on the water [8.9.4-land]."""
    if not unit.boats or unit.at is None:
        return False
    return any(each.kind in ("river", "water", "stream") for each in position.ground.features_at(unit.at))


def mark(game: Game[Position], names: tuple[UnitId, ...], posture: Posture) -> None:
    """Mark the stands of a group with their posture for the rest of the turn [8.1-mark, 8.1.2]."""
    for name in names:
        game.state.change(name, posture=posture, group=names[0])
    stands = joined(unit.name for unit in game.state.pick(names))
    game.tell(Event("posture", "{}: {} posture", (stands, posture), "8.1-mark", names))
