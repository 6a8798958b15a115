"""The action segment [3.1]: the ways to begin one, and the actions of the activated units."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text, say
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.assault import assaulting
from opfire.rulesets.panzer_grenadier.command import activation, formations, sectors
from opfire.rulesets.panzer_grenadier.command.designating import opened, starters
from opfire.rulesets.panzer_grenadier.command.passing import Roles, can_do_nothing, cannot_pass, come_to_nothing
from opfire.rulesets.panzer_grenadier.command.performing import Performing
from opfire.rulesets.panzer_grenadier.fire import aircraft, offboard
from opfire.rulesets.panzer_grenadier.morale import recovery
from opfire.rulesets.panzer_grenadier.pieces import Player, Position, Side
from opfire.rulesets.panzer_grenadier.sight import spotting

BEGINNING = "Activate a unit, a stack or a leader"
"""The request at the beginning of a segment."""


def _with_lead(question: str, more: int) -> str:
    """The question, with the segments that the side with the initiative has after this one before the other [3.0.B]."""
    if more < 1:
        return question
    one, several = "{}; the next segment is yours, too", "{}; the next {} segments are yours, too"
    return say(one, question) if more == 1 else say(several, question, more)


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
    question = "Activate a unit, a stack or a leader, or pass"

    def begin(self, game: Game[Position]) -> None:
        """The side is the active one, the other inactive [G.active, G.inactive]; none of its players has it [18.32]."""
        game.state.current = self.side
        game.state.change_army(self.side, segment="")

    def resume(self, game: Game[Position], result: object) -> None:
        """After the designation the activated units perform; after that the segment is over."""
        if game.state.activation is None or game.state.activation.finished:
            return self._over(game)
        game.push(Performing(self.side))

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
        if cannot_pass(sight, self.side) is None:
            yield from found
        else:
            yield from (action for action in found if not comes_to_nothing(sight, self.side, action))

    def _without_units(self, sight: Position) -> Iterator[Action]:
        if formations.given(sight, self.side):
            return
        if cannot_pass(sight, self.side) is None:
            yield Pass()
        gifts = formations.gifts(sight, self.side)
        yield from (gift for gift in gifts if given_for_nothing(sight, self.side, gift.player) is None)
        yield from offboard.openings(sight, self.side)
        yield from aircraft.openings(sight, self.side)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case formations.GiveSegment(player):
                refusal = formations.cannot_give(sight, self.side, player)
                return refusal or given_for_nothing(sight, self.side, player)
            case activation.Activate() | activation.ActivateStack() | activation.ActivateLeader():
                refusal = formations.not_given(sight, self.side) or activation.refusal(sight, self.side, action)
                return refusal or evades(sight, self.side, action)
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
            return say("{}: {}", army.segment, BEGINNING)
        if army.commander:
            return say("{}: Say whose segment this is, send artillery or aircraft, or pass", army.commander)
        return self._question(sight, side)

    def _question(self, sight: Position, side: str) -> str:
        if side == self.side and (unrecovered := cannot_pass(sight, side)) is not None:
            return say("{} ({}: the side may not pass)", BEGINNING, unrecovered.sentence())
        return _with_lead(say(self.question), sight.lead - 1)

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
        """Activate a unit alone at once [G.action-segment]; for a stack or a leader ask first for the actions."""
        match action:
            case Pass():
                game.tell(Event("passed", "{} passes", (self.side.capitalize(),), "3.0.E"))
                game.pop(True)
            case formations.GiveSegment(player):
                formations.give(game, self.side, player)
            case activation.Activate(name, role):
                activation.activate(game, self.side, activation.by_itself(game.state.units[name]), {name: role})
                game.resume_top()
            case activation.ActivateStack() | activation.ActivateLeader():
                game.push(opened(game.state, self.side, action))
            case _:
                chapter = offboard if isinstance(action, offboard.OPENINGS) else aircraft
                chapter.begin(game, self.side, action)


def evades(position: Position, side: Side, action: activation.Activating) -> Refusal | None:
    """Reject an activation of units that can do nothing while their side may not pass [3.0.F]."""
    refusal = cannot_pass(position, side)
    if refusal is None or not comes_to_nothing(position, side, action):
        return None
    return can_do_nothing(position, ways(position, side, action)[0], refusal)


def comes_to_nothing(position: Position, side: Side, action: activation.Activating) -> bool:
    """Whether the units of an activation could do nothing; it asks those that it begins with before their group."""
    if not isinstance(action, activation.Activate):
        # Those that a unit of the group calls into an assault [12.5] are never among the first.
        if any(recovery.always_open(unit) for unit in starters(position, side, action)):
            return False
    return come_to_nothing(position, side, *ways(position, side, action))


def ways(position: Position, side: Side, action: activation.Activating) -> tuple[activation.Reached, Iterator[Roles]]:
    """The units that an activation brings into the segment, and the actions that they may be designated for."""
    if isinstance(action, activation.Activate):
        return activation.by_itself(position.units[action.unit]), iter(({action.unit: action.role},))
    frame = opened(position, side, action)
    return dict(frame.members), frame.ways(position)


def given_for_nothing(position: Position, side: Side, player: Player) -> Refusal | None:
    """Reject a player none of whose units can do anything while the side may not pass [3.0.F, 18.32]."""
    refusal = cannot_pass(position, side)
    if refusal is None:
        return None
    armies = position.armies | {side: replace(position.armies[side], segment=player)}
    given = replace(position, armies=armies)
    for unit in given.pick(activation.unmarked(given, side)):
        for action in activation.activations(given, side, unit):
            if not comes_to_nothing(given, side, action):
                return None
    return Refusal("No unit of {} can do anything now: {}", "3.0.F", (player, Text(refusal.text, refusal.facts)))
