"""Air coordination teams [12.3.3.3]: who has them, the stands that host them, and their loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.micro_armour.air.planes import may_come
from opfire.rulesets.micro_armour.artillery.observers import lost_to
from opfire.rulesets.micro_armour.cohesion import cohesion_roll, force_level, force_succeeds, modifier
from opfire.rulesets.micro_armour.design.observers import may_coordinate
from opfire.rulesets.micro_armour.design.offers import ANYBODY
from opfire.rulesets.micro_armour.formations import all_broken
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, not_yours, off_the_table

PREPARED, OTHERS = -4, -2
"""The modifiers of the roll for teams: in an attack on a prepared position, and in others [12.3.3.3-avail]."""

MARINES = "us-marine"
"""The ids of the stands of United States Marines begin so."""


class HostTeam(Action, frozen=True):
    """Let a stand host an air coordination team from the start [12.3.3.3-use]."""

    says = "{unit} hosts an air coordination team"
    kind = "plot"
    unit: UnitId


class NoMoreTeams(Action, frozen=True):
    """Name no more hosts of air coordination teams."""

    says = "No more teams"
    kind = "done"
    final = True


# --- who has teams ------------------------------------------------------------------------------------------------


def no_teams(position: Position, side: Side) -> Refusal | None:
    """Reject the roll for teams in meeting engagements, and for forces that never had any [12.3.3.3-avail]."""
    sections = position.setting.sections
    if sections.engagement == "meeting-engagement":
        return Refusal("Meeting engagements have no air coordination teams", "12.3.3.3-avail")
    kinds = [unit.kind for unit in position.pick(position.setting.ids[side])]
    marines = any(kind.id.startswith(MARINES) for kind in kinds)
    nation = next((kind.nation for kind in kinds if kind.nation != ANYBODY), "")
    if may_coordinate(nation, sections.date, marines):
        return None
    return Refusal("This force has no air coordination teams at that time", "12.3.3.3-avail")


def roll_for_teams(game: Game[Position], side: Side) -> None:
    """Note the teams of the order of battle, and roll for those that a force may have [12.3.3.3-avail]."""
    position = game.state
    troops = position.setting.troops(side)
    teams = troops.coordinators
    if troops.coordinators_rolled and no_teams(position, side) is None:
        prepared = position.setting.sections.engagement == "prepared-assault"
        lines = [modifier("type of scenario", PREPARED if prepared else OTHERS, "12.3.3.3-avail")]
        roll = cohesion_roll("for air coordination teams", "12.3.3.3-avail", force_level(position, side), lines)
        if force_succeeds(game, position.setting.scenario.sides[side].name, roll):
            teams += troops.coordinators_rolled
    if teams:
        position.coordinators[side] = teams


def cannot_host_team(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand as the host of an air coordination team: any that could have an observer [12.3.3.3-use].

    A general headquarters may, too: RULINGS.md R61.
    """
    if refusal := lost_to(position, side, unit):
        return refusal
    if unit.id in position.teams:
        return Refusal("{} hosts an air coordination team already", "12.3.3.3-use", (unit.name,))
    return None


def cannot_coordinate(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a stand that plots no bombs: no team in it, or in the fire/move posture [12.3.3.3-use]."""
    if refusal := not_yours(side, unit) or off_the_table(unit):
        return refusal
    if unit.id not in position.teams:
        return Refusal("{} hosts no air coordination team", "12.3.3.3-use", (unit.name,))
    if unit.posture == "fire/move":
        return Refusal("{} is in the fire/move posture and plots no bombs", "12.3.3.3-use", (unit.name,))
    return None


class TeamHosts(Frame, frozen=True):
    """A side names the stands that host its air coordination teams, in secret, before the first turn [12.3.3.3-use]."""

    takes = (HostTeam, NoMoreTeams)
    step = "set-up"
    rule = "12.3.3.3-use"
    question = "Name the stands that host your air coordination teams"

    def begin(self, game: Game[Position]) -> None:
        if not game.state.coordinators.get(self.side):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        if _left(sight, side):
            force = sight.pick(sight.setting.ids[side])
            yield from (unit.id for unit in force if cannot_host_team(sight, side, unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        return (NoMoreTeams() if actor == NOBODY else HostTeam(actor),)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if not isinstance(action, HostTeam):
            return None
        if not _left(sight, side):
            return Refusal("All your air coordination teams have hosts", "12.3.3.3-use")
        return cannot_host_team(sight, side, sight.units[action.unit])

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case HostTeam(unit):
                game.state.teams = (*game.state.teams, unit)
            case NoMoreTeams():
                game.pop()

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """The side alone knows the hosts."""
        return () if isinstance(action, NoMoreTeams) else (self.side,)


def _left(position: Position, side: Side) -> int:
    named = sum(position.units[name].side == side for name in position.teams)
    return position.coordinators.get(side, 0) - named


def directs_bombs(position: Position, side: Side) -> bool:
    """Return whether a side may plot bombs during the game, as far as everybody knows."""
    if not position.coordinators.get(side):
        return False
    return any(may_come(plane, position.turn + 1) for plane in position.fleet(side))


# --- losses -------------------------------------------------------------------------------------------------------


def settle(game: Game[Position]) -> None:
    """Cancel air strikes: those of a side that lost its last team [12.3.3.3-use] or that is broken [12.1.5-4]."""
    if not game.state.planes:
        return
    for side in game.state.setting.sides:
        _teams_lost(game, side)
        _broken(game, side)


def _teams_lost(game: Game[Position], side: Side) -> None:
    """The strikes that have not arrived are cancelled with the last team [12.3.3.3-use]: RULINGS.md R61."""
    position = game.state
    lost = [name for name in position.teams if position.units[name].status == "eliminated"]
    if not any(position.units[name].side == side for name in lost):
        return
    position.teams = tuple(name for name in position.teams if name not in lost or position.units[name].side != side)
    if any(position.units[name].side == side for name in position.teams):
        return
    waiting = [plane.id for plane in position.fleet(side) if plane.arrives > position.turn]
    for name in waiting:
        position.planes[name] = replace(position.planes[name], cancelled=True)
    words = "The last air coordination team is lost: {} air strikes are cancelled"
    game.tell(Event("air", words, (len(waiting),), "12.3.3.3-use", tuple(lost), only=(side,)))


def _broken(game: Game[Position], side: Side) -> None:
    """A broken side has no more air strikes, from the turn after it broke on [12.1.5-4, 12.1.5.4]."""
    position = game.state
    if not position.broken or not all_broken(position, side):
        return
    waiting = [plane.id for plane in position.fleet(side) if not plane.cancelled]
    for name in waiting:
        position.planes[name] = replace(position.planes[name], cancelled=True)
    if waiting:
        name = position.setting.scenario.sides[side].name
        game.tell(Event("air", "{} are broken: their air strikes are cancelled", (name,), "12.1.5-4"))
