"""Designating [3.13]: the actions of all activated units are named before the first is performed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.panzer_grenadier.command.activation import (
    ROLES,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
    DesignateMovers,
    activate,
    called_in,
    cannot_activate,
    cannot_take,
    group,
)
from opfire.rulesets.panzer_grenadier.command.passing import Roles, can_do_nothing, cannot_pass, come_to_nothing
from opfire.rulesets.panzer_grenadier.command.performing import idle
from opfire.rulesets.panzer_grenadier.pieces import ROLE_WORDS, Position, Role, Side, Unit, UnitId, only_works


class Designating(Frame, frozen=True):
    """All actions are designated before the first is performed [3.13]; until then each may be changed.

    A change is allowed and not offered: players who choose by chance would go on changing. `lurking` are the hidden
    members: their actions concern their own side alone [16.6].
    """

    takes = (Designate, DesignateAll, DesignateMovers, Begin)
    step = "designate"
    rule = "3.13"
    question = "Designate an action for each unit, then begin"
    members: tuple[tuple[UnitId, tuple[UnitId, ...]], ...]
    roles: tuple[tuple[UnitId, Role], ...] = ()
    lurking: tuple[UnitId, ...] = ()

    def actors(self, sight: Position, side: str) -> tuple[str, ...]:
        return (NOBODY, *(unit.id for unit in self._undecided(sight)))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        """The roles that a unit may be designated for; roles that several may take, and the beginning."""
        found = self._for_all(sight) if actor == NOBODY else self._for_one(sight, sight.units[actor])
        if cannot_pass(sight, self.side) is None or self._can_act(sight):
            yield from found
        else:
            members = dict(self.members)
            yield from (
                action
                for action in found
                if not come_to_nothing(sight, self.side, members, self._ways_after(sight, action))
            )

    def prompt(self, sight: Position, side: str) -> str:
        done = side == self.side and not self._undecided(sight)
        return (
            say("Each unit has its action: begin, or choose a unit to change its action")
            if done
            else super().prompt(sight, side)
        )

    def _for_one(self, position: Position, unit: Unit) -> Iterator[Action]:
        return (Designate(unit.id, role) for role in ROLES if self._cannot(position, unit, role) is None)

    def _for_all(self, position: Position) -> Iterator[Action]:
        if self.roles:
            yield Begin()
        for role in ROLES:
            if able := self._able(position, role):
                some_stay = role == "move" and 0 < len(self._movers(position)) < len(able)
                yield DesignateMovers() if some_stay else DesignateAll(role)

    def idle_roles(self, position: Position) -> Iterator[tuple[UnitId, list[Role]]]:
        """The units without a designation, each with the actions in which it could do nothing [3.13]."""
        members = dict(self.members)
        for unit in self._undecided(position):
            able = [role for role in ROLES if self._cannot(position, unit, role) is None]
            yield unit.id, [role for role in able if idle(position, self.side, members, {unit.id: role})]

    def changes(self, position: Position) -> Iterator[tuple[UnitId, list[Role]]]:
        """The designated units, each with the other actions that it may be given instead [3.13]."""
        for name, given in self.roles:
            others = (Designate(name, role) for role in ROLES if role != given)
            yield name, [other.role for other in others if self.refusal(position, self.side, other) is None]

    def _cannot(self, position: Position, unit: Unit, role: Role) -> Refusal | None:
        leaders = next((leaders for name, leaders in self.members if name == unit.id), ())
        return cannot_take(unit, role) or called_in(position, unit, role, leaders)

    def _able(self, position: Position, role: Role) -> list[Unit]:
        return [unit for unit in self._undecided(position) if self._cannot(position, unit, role) is None]

    def _movers(self, position: Position) -> list[Unit]:
        """The units that can go somewhere to move: guns without an allowance only with a transport [5.6]."""
        transports = {unit.hex for unit in position.pick(name for name, _ in self.members) if unit.transport}
        return [
            unit
            for unit in self._able(position, "move")
            if not only_works(unit) or unit.carrier is not None or unit.hex in transports
        ]

    def _meant(self, position: Position, action: DesignateAll | DesignateMovers) -> list[Unit]:
        """The units that a designation for all that are left is about."""
        return self._movers(position) if isinstance(action, DesignateMovers) else self._able(position, action.role)

    def _undecided(self, position: Position) -> list[Unit]:
        decided = {name for name, _ in self.roles}
        return position.pick(name for name, _ in self.members if name not in decided)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Designate(name, role):
                unit = sight.units[name]
                if name not in dict(self.members):
                    return Refusal("{} is not waiting to be designated", "3.13", (unit.name,))
                if dict(self.roles).get(name) == role:
                    return Refusal("{} has this action already", "3.13", (unit.name,))
                if refusal := self._cannot(sight, unit, role):
                    return refusal
            case DesignateAll(role) | DesignateMovers(role) if not self._meant(sight, action):
                return Refusal("No unit left can {}", "3.13", (ROLE_WORDS.get(role, role),))
            case Begin() if not self.roles:
                return Refusal("Designate a unit first", "3.13")
        return self._evades(sight, action)

    def _evades(self, position: Position, action: Action) -> Refusal | None:
        """Reject a designation after which the units could do nothing, and their beginning then [3.0.F]."""
        refusal, members = cannot_pass(position, self.side), dict(self.members)
        changed = isinstance(action, Designate) and action.unit in dict(self.roles)
        if refusal is None or (self._can_act(position) and not changed):
            return None
        if not come_to_nothing(position, self.side, members, self._ways_after(position, action)):
            return None
        return can_do_nothing(position, members, refusal)

    def _ways_after(self, position: Position, action: Action) -> Iterable[Roles]:
        """The designations with which the units may begin after this action."""
        after = self._after(position, action)
        return (dict(self.roles),) if after is self else after.ways(position)

    def _can_act(self, position: Position) -> bool:
        """Whether the units designated so far can do something; the designations of others do not change that."""
        return bool(self.roles) and not idle(position, self.side, dict(self.members), dict(self.roles))

    def ways(self, position: Position) -> Iterator[Roles]:
        """The designations so far, and with them each that may be added."""
        decided = dict(self.roles)
        if decided:
            yield decided
        for role in ROLES:
            able = self._able(position, role)
            yield from (decided | {unit.id: role} for unit in able)
            yield decided | {unit.id: role for unit in able}
        yield decided | {unit.id: "move" for unit in self._movers(position)}

    def _after(self, position: Position, action: Action) -> Designating:
        """This frame after a designation; the frame itself when the units begin."""
        match action:
            case Designate(name, role):
                return replace(self, roles=tuple({**dict(self.roles), name: role}.items()))
            case DesignateAll(role) | DesignateMovers(role):
                return replace(self, roles=(*self.roles, *((unit.id, role) for unit in self._meant(position, action))))
        return self

    def play(self, game: Game[Position], action: Action) -> None:
        if isinstance(action, Begin):
            activate(game, self.side, dict(self.members), dict(self.roles))
            game.pop()
        else:
            game.swap(self._after(game.state, action))

    def only(self, state: Position, action: Action) -> tuple[Side, ...]:
        """Designations of hidden units alone would reveal the units with them to the enemy [16.6]."""
        match action:
            case Designate(name):
                meant = [name]
            case DesignateAll() | DesignateMovers():
                meant = [unit.id for unit in self._meant(state, action)]
            case _:
                return ()
        return (self.side,) if all(name in self.lurking for name in meant) else ()

    def seen_by(self, side: Side) -> Designating:
        """The links between leaders and units would reveal tank leaders [6.8], and hidden units [16.6]."""
        if side == self.side:
            return self
        known = tuple(row for row in self.roles if row[0] not in self.lurking)
        return replace(self, members=(), roles=known, lurking=())


def opened(position: Position, side: Side, action: ActivateStack | ActivateLeader) -> Designating:
    """The designation of the units that a stack or a leader brings into the segment [3.11, 3.12]."""
    members = group(position, starters(position, side, action))
    lurking = tuple(unit.id for unit in position.pick(members) if unit.hidden)
    return Designating(side, tuple(members.items()), lurking=lurking)


def starters(position: Position, side: Side, action: ActivateStack | ActivateLeader) -> list[Unit]:
    """The units that are activated first, and call the others: those of a stack [3.11], or a leader [3.12]."""
    if isinstance(action, ActivateStack):
        stack = position.everybody(action.hex, side)
        return [unit for unit in stack if cannot_activate(position, side, unit) is None]
    return [position.units[action.unit]]
