"""The action segment [3.1]: the ways to begin one, and the actions of the activated units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.assault import assaulting, charge
from opfire.rulesets.panzer_grenadier.command import activation, formations, sectors
from opfire.rulesets.panzer_grenadier.fire import aircraft, antitank, bombardment, direct, offboard, smoke
from opfire.rulesets.panzer_grenadier.morale import recovery
from opfire.rulesets.panzer_grenadier.movement import moving, transport
from opfire.rulesets.panzer_grenadier.optional import rules
from opfire.rulesets.panzer_grenadier.pieces import Position, Role, Side, Unit, UnitId, waiting
from opfire.rulesets.panzer_grenadier.sight import spotting
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

BEGINNING = "Activate a unit, a stack or a leader"
"""The request at the beginning of a segment."""

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


class ActionSegment(Frame, frozen=True):
    """One action segment of a side [3.1]: an activation, off-board artillery, aircraft, or a pass.

    Its result is whether the side passed.
    """

    takes = (
        Pass,
        formations.GiveSegment,
        activation.Activate,
        activation.ActivateStack,
        activation.ActivateLeader,
        *offboard.OPENINGS,
        *aircraft.OPENINGS,
    )
    step = "segment"
    rule = "3.1"
    question = f"{BEGINNING}, or pass"

    def begin(self, game: Game[Position]) -> None:
        """The side is the active one, the other inactive [G.active, G.inactive]; none of its players has it [18.32]."""
        game.state.current = self.side
        game.state.change_army(self.side, segment="")

    def resume(self, game: Game[Position], result: object) -> None:
        """After the designation the activated units perform; after that the segment is over.

        If they can do nothing, and the side may not pass, it activates others in the same segment [3.0.F].
        """
        if game.state.activation is None or game.state.activation.finished:
            return self._over(game)
        if game.over_for_all(self.side, self._comes_to_nothing, open_in_secret):
            refusal = cannot_pass(game.state, self.side)
            assert refusal is not None
            game.tell(Event("passed", refusal.text, refusal.facts, refusal.rule, only=(self.side,)))
            close(game)
            return self.begin(game)
        game.push(Performing(self.side))

    def _comes_to_nothing(self, position: Position) -> bool:
        return not anything_left(position) and cannot_pass(position, self.side) is not None

    def _over(self, game: Game[Position]) -> None:
        """Give disputed hexes to the side left in them [G.control]; those forsaken among enemies are overrun.

        Their owner may be asked where they go: then the segment ends after that.
        """
        for hex in spotting.disputed(game.state):
            spotting.hold(game.state, hex)
        assaulting.forsaken(game)
        if game.stack[-1] is self:
            game.pop(False)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        """The units that may be activated, once the commanding officer has named the player [18.32]."""
        if formations.not_given(sight, self.side) is None:
            yield from activation.unmarked(sight, self.side)
        yield NOBODY

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        """The activations of a unit; a pass, the gift of the segment [18.32], artillery and aircraft."""
        if actor == NOBODY:
            yield from self._without_units(sight)
            return
        found = activation.activations(sight, self.side, sight.units[actor])
        yield from useful(sight, self.side, found) if has_to_recover(sight, self.side) else found

    def _without_units(self, sight: Position) -> Iterator[Action]:
        if formations.given(sight, self.side):
            return
        if cannot_pass(sight, self.side) is None:
            yield Pass()
        yield from formations.gifts(sight, self.side)
        yield from offboard.openings(sight, self.side)
        yield from aircraft.openings(sight, self.side)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case formations.GiveSegment(player):
                return formations.cannot_give(sight, self.side, player)
            case activation.Activate() | activation.ActivateStack() | activation.ActivateLeader():
                refusal = formations.not_given(sight, self.side) or activation.refusal(sight, self.side, action)
                if refusal is None and isinstance(action, activation.Activate):
                    return evades_recovery(sight, self.side, action)
                return refusal
        if refusal := formations.given(sight, self.side):
            return refusal
        if isinstance(action, Pass):
            return cannot_pass(sight, self.side)
        if isinstance(action, offboard.OPENINGS):
            return offboard.refusal(sight, self.side, action)
        return aircraft.refusal(sight, self.side, action)

    def prompt(self, sight: Position, side: str) -> str:
        army = sight.armies[self.side]
        if sight.sectors.played:
            return sectors.addressed(sight, self.side, self._question(sight, side))
        if army.segment:
            return f"{army.segment}: activate a unit, a stack or a leader"
        if army.commander:
            return f"{army.commander}: say whose segment this is, send artillery or aircraft, or pass"
        return self._question(sight, side)

    def _question(self, sight: Position, side: str) -> str:
        if side == self.side and (unrecovered := cannot_pass(sight, side)) is not None:
            return f"{BEGINNING} ({unrecovered.text}: the side may not pass)"
        return self.question

    def only(self, state: Position, action: Action) -> tuple[Side, ...]:
        """The hexes and actions of hidden units concern their own side alone [16.6]."""
        match action:
            case activation.ActivateStack(hex):
                first = state.at(hex)
            case activation.Activate(name) | activation.ActivateLeader(name):
                first = [state.units[name]]
            case _:
                return ()
        return (self.side,) if all(unit.hidden for unit in first) else ()

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Pass():
                game.tell(Event("passed", "{} passes", (self.side.capitalize(),), "3.0.E"))
                game.pop(True)
            case formations.GiveSegment(player):
                formations.give(game, self.side, player)
            case activation.Activate():
                activation.begin(game, self.side, action)
                game.resume_top()
            case activation.ActivateStack() | activation.ActivateLeader():
                activation.begin(game, self.side, action)
            case _:
                chapter = offboard if isinstance(action, offboard.OPENINGS) else aircraft
                chapter.begin(game, self.side, action)


def cannot_pass(position: Position, side: Side) -> Refusal | None:
    """Reject a side that may not pass: the demoralized first try to recover [3.0.F], kommissars enforce it [6.65].

    Units in other sectors are another commander's matter [18.12].
    """
    units = position.units
    for name in position.setting.ids[side]:
        unit = units[name]
        if unit.demoralized and not unit.marked and unit.hex is not None and not sectors.not_played(position, unit):
            return Refusal("{} is demoralized and still has to try to recover", "3.0.F", (unit.name,))
    return None


def has_to_recover(position: Position, side: Side) -> Refusal | None:
    """Reject a segment that goes by while demoralized units have to try to recover [3.0.F].

    A player who was given the segment has to activate somebody [18.32], useful or not.
    """
    return None if position.armies[side].segment else cannot_pass(position, side)


def evades_recovery(position: Position, side: Side, action: activation.Activate) -> Refusal | None:
    """Reject a unit that can do nothing while its side may not pass: it would only let the segment go by [3.0.F]."""
    refusal = has_to_recover(position, side)
    if refusal is None or not does_nothing(position, side, action):
        return None
    words = "{} can do nothing now: " + refusal.text
    return Refusal(words, "3.0.F", (position.units[action.unit].name, *refusal.facts))


def useful(position: Position, side: Side, activations: Iterable[Action]) -> Iterator[Action]:
    """Those of the activations that do not let the segment go by [3.0.F]."""
    for action in activations:
        if not (isinstance(action, activation.Activate) and does_nothing(position, side, action)):
            yield action


def does_nothing(position: Position, side: Side, action: activation.Activate) -> bool:
    """Whether a unit that is activated alone can do nothing."""
    unit = position.units[action.unit]
    return idle(position, side, activation.by_itself(unit), {unit.id: action.role})


def idle(position: Position, side: Side, members: activation.Reached, roles: Mapping[UnitId, Role]) -> bool:
    """Whether none of these units can do anything, activated for these actions."""
    # The rest of the position is shared with the game's, not copied: it is only looked at.
    return not anything_left(replace(position, activation=activation.activation_of(position, side, members, roles)))


def to_act(position: Position) -> Iterator[tuple[Unit, Role]]:
    """Units that have not acted yet, on the map or beside it; a fallen unit has no action left."""
    assert position.activation is not None
    for name, role in position.activation.roles.items():
        unit = position.units[name]
        if name not in position.activation.finished and (unit.hex is not None or waiting(position, unit)):
            yield unit, role


def anything_left(position: Position) -> bool:
    """Whether an active unit has anything left to do: a look for the first action of the first such unit.

    The chapters that are slowest to ask, moves and direct fire, come first in their roles, and are asked last.
    """
    return any(
        True
        for unit, role in to_act(position)
        for chapter in reversed(chapters_for(unit, role))
        for _ in chapter.choices(position, unit)
    )


def open_in_secret(position: Position) -> bool:
    """Whether units in hiding may have been activated alongside: RULINGS.md P30."""
    return bool(position.in_hiding(position.current))


class Performing(Frame, frozen=True):
    """The activated units act one at a time, in any order [3.13]; unused actions are lost."""

    takes = (*ACTS, EndSegment)
    step = "perform"
    rule = "3.13"
    question = "Choose the next unit to act ({}), or end the segment"

    def prompt(self, sight: Position, side: str) -> str:
        left = [role for _, role in to_act(sight) if role != "direct"]
        counted = ", ".join(f"{left.count(role)} to {role}" for role in activation.ROLES if role in left)
        return self.question.format(counted or "all have acted")

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
