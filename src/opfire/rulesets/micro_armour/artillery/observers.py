"""Forward observers [7.6.4]: hosts named in secret, headquarters that observe, observers that change their host."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, not_yours, off_the_table

CHANGING = 2
"""The turns after which an observer that changes its host plots again [7.6.4.4]."""


class Host(Action, frozen=True):
    """Let a stand host a forward observer from the start [7.6.4.1]."""

    says = "{unit} hosts an observer"
    kind = "plot"
    unit: UnitId


class MoveObserver(Action, frozen=True):
    """Send the observer of a stand to another stand [7.6.4.4]."""

    says = "The observer of {unit} goes to {target}"
    kind = "plot"
    unit: UnitId
    target: UnitId


class NoMoreObservers(Action, frozen=True):
    """Name no more hosts [7.6.4.1]."""

    says = "No more observers"
    kind = "done"
    final = True


def observers(position: Position, side: Side) -> Iterator[Stand]:
    """The side's stands that may plot or call missions in this turn [7.6.4.1]."""
    return (unit for unit in in_play(position, side) if cannot_observe(position, side, unit) is None)


def in_play(position: Position, side: Side) -> list[Stand]:
    """The side's stands on the table, cargo too: any may host an observer, in any posture, and take command.

    [7.6.4.1, 7.6.4.3, 10.1.7]
    """
    return [unit for unit in position.pick(position.setting.ids[side]) if unit.at is not None]


def cannot_observe(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand that directs no fire: no observer in it, or one that is on its way [7.6.4.1, 7.6.4.4].

    Every headquarters observes, a general headquarters does not, whatever it was before. The posture does not matter,
    unless all players have agreed that it does [7.6.4.3].
    """
    if refusal := not_yours(side, unit) or off_the_table(unit):
        return refusal
    if position.setting.has("7.6.4.3") and unit.posture != "firing":
        return Refusal("{} is not in the firing posture", "7.6.4.3", (unit.name,))
    if unit.rank == "HQ":
        return None
    if refusal := is_general(unit):
        return refusal
    since = position.observers.get(unit.id)
    if since is None:
        return Refusal("{} hosts no observer and is no headquarters", "7.6.4.1", (unit.name,))
    if since > position.turn:
        return Refusal("The observer in {} plots from turn {} on", "7.6.4.4", (unit.name, since))
    return None


def is_general(unit: Stand) -> Refusal | None:
    """Reject a general headquarters: it never does the work of an observer [7.6.4.1]."""
    if unit.rank != "GHQ":
        return None
    return Refusal("{} is a general headquarters and does not observe", "7.6.4.1", (unit.name,))


def lost_to(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject as a host a stand that is not the side's, or neither on the table nor still to come [7.6.4.1]."""
    landings = position.setting.landings.values()
    comes = unit.id in position.setting.entries or any(unit.id in landing.units for landing in landings)
    return not_yours(side, unit) or (None if comes and unit.status == "reserve" else off_the_table(unit))


def cannot_host(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand as the host of an observer [7.6.4.1]: any but a general headquarters may be one."""
    if refusal := lost_to(position, side, unit) or is_general(unit):
        return refusal
    if unit.id in position.observers:
        return Refusal("{} hosts an observer already", "7.6.4.1", (unit.name,))
    return None


def cannot_send(position: Position, side: Side, unit: Stand, target: Stand) -> Refusal | None:
    """Reject an observer that cannot change its host; a headquarters keeps its own ability [7.6.4.4]."""
    if refusal := not_yours(side, unit) or off_the_table(unit):
        return refusal
    since = position.observers.get(unit.id)
    if since is None:
        return Refusal("{} hosts no observer that could leave", "7.6.4.4", (unit.name,))
    if since > position.turn:
        return Refusal("The observer of {} has just changed its host", "7.6.4.4", (unit.name,))
    if unit.rank != "HQ" and _has_plotted(position, unit):
        return Refusal("The observer in {} has plotted in this turn: it leaves in a later one", "7.6.4.4", (unit.name,))
    return off_the_table(target) or cannot_host(position, side, target)


def _has_plotted(position: Position, unit: Stand) -> bool:
    """Return whether a stand has plotted or called fire in this turn; direct fire needs no observer [7.5.2]."""
    fire = (mission for mission in position.missions.values() if mission.kind != "direct")
    return any(mission.plotter == unit.id and mission.plotted == position.turn for mission in fire)


def send(position: Position, unit_id: UnitId, target_id: UnitId) -> None:
    """An observer leaves its host now, is in the other one next turn, and plots in the turn after that [7.6.4.4]."""
    del position.observers[unit_id]
    position.observers[target_id] = position.turn + CHANGING


class ObserverHosts(Frame, frozen=True):
    """A side names the stands that host its forward observers, in secret, before the first turn [7.6.4.1]."""

    takes = (Host, NoMoreObservers)
    step = "set-up"
    rule = "7.6.4.1"

    def prompt(self, sight: Position, side: str) -> str:
        left = _left(sight, side)
        if not left:
            return say("All your forward observers have hosts; stands marked HQ observe as well")
        one, several = (
            "Name the stand that hosts your forward observer ({} left); stands marked HQ observe as well",
            "Name the stands that host your forward observers ({} left); stands marked HQ observe as well",
        )
        return say(one if left == 1 else several, left)

    def begin(self, game: Game[Position]) -> None:
        if not game.state.setting.troops(self.side).observers:
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        if _left(sight, side):
            force = sight.pick(sight.setting.ids[side])
            yield from (unit.id for unit in force if cannot_host(sight, side, unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        return (NoMoreObservers() if actor == NOBODY else Host(actor),)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if not isinstance(action, Host):
            return None
        if not _left(sight, side):
            return Refusal("All your observers have hosts", "7.6.4.1")
        return cannot_host(sight, side, sight.units[action.unit])

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Host(unit):
                game.state.observers[unit] = 0
            case NoMoreObservers():
                game.pop()

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """The side alone knows the hosts [7.6.4.1]."""
        return () if isinstance(action, NoMoreObservers) else (self.side,)


def _left(position: Position, side: Side) -> int:
    named = sum(position.units[name].side == side for name in position.observers)
    return position.setting.troops(side).observers - named
