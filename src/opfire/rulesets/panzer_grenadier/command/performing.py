"""Performing [3.13]: the actions of the activated units, one at a time, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import ClassVar

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text, joined, say
from opfire.rulesets.panzer_grenadier.actions import EndSegment
from opfire.rulesets.panzer_grenadier.assault import assaulting, charge
from opfire.rulesets.panzer_grenadier.command import activation
from opfire.rulesets.panzer_grenadier.fire import antitank, bombardment, direct, smoke
from opfire.rulesets.panzer_grenadier.morale import recovery
from opfire.rulesets.panzer_grenadier.movement import moving, transport
from opfire.rulesets.panzer_grenadier.optional import rules
from opfire.rulesets.panzer_grenadier.pieces import Position, Role, Side, Unit, UnitId, role_words, waiting
from opfire.rulesets.panzer_grenadier.works import fieldworks

# Each of these chapters offers `choices`, `refusal` and `play` for its `ACTS`: a unit's part in its role [3.13].
CHAPTERS: Mapping[Role, tuple[ModuleType, ...]] = {
    "move": (moving, transport, fieldworks, recovery, rules),  # 3.13.a
    "fire": (direct, bombardment, smoke, antitank, assaulting, charge),  # 3.13.b
    "recover": (recovery,),
    "direct": (assaulting,),  # 12.3: leaders fight where they are
}
# 16.51, 16.52: the part of a unit beside the map
ENTERING: Mapping[Role, tuple[ModuleType, ...]] = {"move": (moving, transport), "fire": (moving, charge)}
ACTS: dict[type[Action], ModuleType] = {
    act: chapter for chapters in CHAPTERS.values() for chapter in chapters for act in chapter.ACTS
}

STILL = (
    fieldworks.DigIn,
    fieldworks.ClearWreck,
    transport.Load,
    transport.Unload,
    transport.Limber,
    transport.Unlimber,
    recovery.Recover,
    recovery.LoseHeart,
    rules.Consolidate,
)
"""The actions that do not end hiding [16.61]."""


def to_act(position: Position) -> Iterator[tuple[Unit, Role]]:
    """Units that have not acted yet, on the map or beside it; a fallen unit has no action left."""
    assert position.activation is not None
    for name, role in position.activation.roles.items():
        unit = position.units[name]
        if name not in position.activation.finished and (unit.hex is not None or waiting(position, unit)):
            yield unit, role


def anything_left(position: Position) -> bool:
    """Whether an active unit has anything left to do: a look for the first action of the first such unit.

    Fire is asked last, and only of units with an enemy near. The chapters that are slowest to ask, moves and direct
    fire, come first in their roles, and are asked last.
    """
    return any(
        True
        for unit, role in sorted(to_act(position), key=lambda task: task[1] == "fire")
        if role != "fire" or not far_from_enemies(position, unit)
        for chapter in reversed(chapters_for(unit, role))
        for _ in chapter.choices(position, unit)
    )


def far_from_enemies(position: Position, unit: Unit) -> bool:
    """Whether all enemies are beyond the unit's ranges, extended [11.3], and not next to it.

    Batteries may still lay smoke, cavalry charges over several hexes, units beside the map come onto it.
    """
    kind, here, reach = unit.kind, unit.hex, 1
    if here is None or _strikes_far(unit):
        return False
    if kind is not None:
        reach = max(1, kind.direct_range, kind.at_range + kind.at_range // 2)
    near, units = position.map.disc(here, reach), position.units
    return not any(units[foe].hex in near for foe in position.setting.ids[position.setting.other[unit.side]])


def _strikes_far(unit: Unit) -> bool:
    """Whether it is a battery, or a unit or leader that charges [15.31]."""
    return bool(unit.bombard) or unit.type_in("cavalry") or (unit.officer is not None and unit.officer.mounted)


def open_in_secret(position: Position) -> bool:
    """Whether units in hiding may have been activated alongside: RULINGS.md P30."""
    return bool(position.in_hiding(position.current))


class Performing(Frame, frozen=True):
    """The activated units act one at a time, in any order [3.13]; unused actions are lost."""

    takes = (*ACTS, EndSegment)
    step = "perform"
    rule = "3.13"
    question = "Choose the next unit to act ({}), or end the segment"
    unfinished_question: ClassVar[str] = "Choose the next unit to act ({}): the segment cannot end yet"
    together = True

    def prompt(self, sight: Position, side: str) -> str:
        left = [task for task in to_act(sight) if task[1] != "direct"]
        tasks = Counter(role_words(*task) for task in sorted(left, key=lambda task: activation.ROLES.index(task[1])))
        counted = [Text("{} to {}", (count, words)) for words, count in tasks.items()]
        question = self.question if cannot_end(sight) is None else self.unfinished_question
        return say(question, joined(counted) if counted else "all have acted")

    def resume(self, game: Game[Position], result: object) -> None:
        """Go on after an action: the segment ends by itself when everybody can see that no action is left."""
        if game.over_for_all(self.side, self._over, open_in_secret):
            end(game)

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def _over(self, position: Position) -> bool:
        """Whether no action is left, as far as a side knows."""
        return not anything_left(position) and cannot_end(position) is None

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit, _ in to_act(sight))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        """Everything that a unit may still do, by itself [3.11.A3]; the end of the segment."""
        assert sight.activation is not None
        role = sight.activation.role(actor)
        if role is not None:
            yield from choices(sight, sight.units[actor], role)
        elif cannot_end(sight) is None:
            yield EndSegment()

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if isinstance(action, EndSegment):
            return cannot_end(sight)
        refusal: Refusal | None = ACTS[type(action)].refusal(sight, self.side, action)
        return refusal

    def only(self, state: Position, action: Action) -> tuple[Side, ...]:
        """Actions in hiding concern their own side alone [16.6]; a unit that moves or fires is no longer hidden
        [16.61].
        """
        if isinstance(action, STILL) and state.units[action.unit].hidden:
            return (self.side,)
        return ()

    def play(self, game: Game[Position], action: Action) -> None:
        if isinstance(action, EndSegment):
            end(game)
            return
        ACTS[type(action)].play(game, self.side, action)
        if game.stack[-1] is self:
            game.resume_top()


def choices(position: Position, unit: Unit, role: Role) -> Iterator[Action]:
    """Everything that an activated unit may do in its role, chapter by chapter."""
    for chapter in chapters_for(unit, role):
        yield from chapter.choices(position, unit)


def chapters_for(unit: Unit, role: Role) -> tuple[ModuleType, ...]:
    """The chapters with actions of a unit in its role, on the map or beside it."""
    return CHAPTERS[role] if unit.hex is not None else ENTERING.get(role, ())


def cannot_end(position: Position) -> Refusal | None:
    """A unit in an enemy-held hex has to fight for it first [12.2], the demoralized have to recover [14.42]."""
    activation = position.activation
    assert activation is not None
    if refusal := assaulting.still_to_fight(position):
        return refusal
    for name in activation.roles:  # whatever its role: stray rounds may have broken it before its turn came
        unit = position.units[name]
        if unit.demoralized and recovery.cannot_recover(position, unit) is None:
            return Refusal("{} still has to try to recover", "14.42", (unit.name,))
    return None


def end(game: Game[Position]) -> None:
    """End the part of the activated units in the segment."""
    close(game)
    game.pop()


def close(game: Game[Position]) -> None:
    """Mark all activated units MOVED/FIRED [3.13.c] and end their activation."""
    position = game.state
    assert position.activation is not None
    for name in position.activation.roles:
        if position.units[name].hex is not None or waiting(position, position.units[name]):
            position.change(name, marked=True)
    for name, unit in position.units.items():
        if unit.targeted:
            position.change(name, targeted=())
    position.activation = None


def idle(position: Position, side: Side, members: activation.Reached, roles: Mapping[UnitId, Role]) -> bool:
    """Whether none of these units can do anything, activated for these actions."""
    if free_to_act(position, roles):
        return False
    if out_of_touch(position, side, members, roles):
        return True
    # The rest of the position is shared with the game's, not copied: it is only looked at.
    return not anything_left(replace(position, activation=activation.activation_of(position, side, members, roles)))


def free_to_act(position: Position, roles: Mapping[UnitId, Role]) -> bool:
    """Whether one of these units can act in any case, just activated to move or recover; it looks at units alone."""
    units = position.units
    return any(role in ("move", "recover") and recovery.always_open(units[name]) for name, role in roles.items())


def out_of_touch(position: Position, side: Side, members: activation.Reached, roles: Mapping[UnitId, Role]) -> bool:
    """Whether all of these units are to fire or direct, and are too far from enemies for it."""
    units = position.units
    if not all(_cannot_reach(position, units[name], role) for name, role in roles.items()):
        return False
    # Leaders who direct, and those through whom the others are reached, may fight in their own hexes [12.3].
    return not any(position.enemies(side, unit.hex) for unit in position.pick(members) if unit.hex is not None)


def _cannot_reach(position: Position, unit: Unit, role: Role) -> bool:
    return role == "direct" or (role == "fire" and far_from_enemies(position, unit))
