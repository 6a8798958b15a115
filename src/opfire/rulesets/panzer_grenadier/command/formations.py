"""More than two players [18.2, 18.3]: the commanding officer; in formation command, the player of each unit.

A side with several players has a commanding officer, named in its army; a side of one player has none, and this module
does not concern it. The division of the map among commanders [18.1] is in `sectors.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from opfire.core.actions import Action, Refusal
from opfire.core.errors import BadInput
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.command import kommissars
from opfire.rulesets.panzer_grenadier.instructions import players_of
from opfire.rulesets.panzer_grenadier.pieces import Player, Position, Setting, Side, Unit, waiting


class GiveSegment(Action, frozen=True):
    """Name the player who activates units in this segment, as the commanding officer [18.32]."""

    says = "{player} has this segment"
    kind = "command"
    player: Player


# --- whose units --------------------------------------------------------------------------------------------------


def player_of(made: Setting, unit: Unit, zone: str = "") -> Player:
    """The player of a unit: named by its id, else its type, else its zone [18.2]; leaders may be left to be dealt.

    Raises BadInput for a unit without a player, or with two.
    """
    named = made.instructions.sides[unit.side].players
    where = f"special.sides.{unit.side}.players"
    for name in (unit.id, unit.kind.id if unit.kind is not None else "", zone):
        owners = [player for player, theirs in named.items() if name and name in theirs]
        if len(owners) > 1:
            raise BadInput(f"{name!r} is given to {' and '.join(owners)}", where, "each to one player")
        if owners:
            return owners[0]
    if named and not unit.leader:
        raise BadInput(f"{unit.name} ({unit.id}) is given to nobody", where, "each by its id, its type or its zone")
    return ""


def check_names(made: Setting, side: Side) -> None:
    """Check that players are given only units of the side. Raises BadInput."""
    units = [start.unit for start in made.roster if start.unit.side == side]
    kinds = {unit.kind.id for unit in units if unit.kind is not None}
    known = {*(unit.id for unit in units), *kinds, *(force.zone for force in made.scenario.sides[side].units)}
    for player, names in made.instructions.sides[side].players.items():
        for name in names:
            if name not in known:
                what = "ids, types or zones of its units"
                raise BadInput(f"{player} is given {name!r}", f"special.sides.{side}.players", what)


def players(made: Setting, side: Side) -> tuple[Player, ...]:
    """The players among whom the scenario divides a side [18.1, 18.2]; an empty tuple if it does not."""
    return players_of(made.instructions, side)


def shared(game: Game[Position], side: Side) -> bool:
    """Whether several players have the side [18.0], and the scenario divides it among them [18.1, 18.2]."""
    several = sum(other == side for other in game.seats.values()) > 1
    return several and bool(players(game.state.setting, side))


def check_seats(game: Game[Position]) -> None:
    """Check that the seats of a divided side are the scenario's players [18.1, 18.2]. Raises BadInput."""
    for side in game.state.setting.sides:
        seats, named = sorted(seat for seat, at in game.seats.items() if at == side), players(game.state.setting, side)
        if shared(game, side) and seats != sorted(named):
            raise BadInput(f"{side} has the seats {', '.join(seats)}", "seats", ", ".join(named))


# --- the commanding officer ---------------------------------------------------------------------------------------


def appoint(game: Game[Position], side: Side) -> None:
    """Choose the commanding officer by a die; in formation command all units come under their players [18.3, 18.2]."""
    position = game.state
    among = players(position.setting, side)
    rolled = game.roll(1, len(among))
    chosen = among[rolled[0] - 1]
    position.change_army(side, commander=chosen)
    if position.setting.instructions.command == "formation":
        deal(position, side, (*among[rolled[0] - 1 :], *among[: rolled[0] - 1]))
    words = "{} is the commanding officer of {}"
    game.tell(Event("command", words, (chosen, side.capitalize()), "18.3", dice=rolled))


def deal(position: Position, side: Side, among: tuple[Player, ...]) -> None:
    """Give each player his units [18.2]; the officer, the first of them, has the senior leader [18.3].

    The leaders not given to any player are dealt out by rank from him on, in turn: RULINGS.md P80.
    """
    made = position.setting
    officers = ranked(position, side)
    position.change_army(side, senior=officers[0].id if officers else "")
    dealt = cycle(among)
    for unit in (*officers, *(other for other in position.pick(made.ids[side]) if other not in officers)):
        senior = unit.id == position.armies[side].senior
        position.change(unit.id, player=(not senior and made.players[unit.id]) or next(dealt))


def ranked(position: Position, side: Side) -> list[Unit]:
    """The living leaders of a side by rank, without kommissars."""
    units = position.pick(position.setting.ids[side])
    alive = [unit for unit in units if unit.status not in ("eliminated", "exited")]
    officers = [(unit.officer.rank, unit) for unit in alive if unit.officer is not None and not unit.officer.kommissar]
    return [unit for _, unit in sorted(officers, key=lambda found: -found[0])]


def succeed(game: Game[Position], fallen: Unit) -> None:
    """Make the player of the next leader by rank commanding officer when the senior leader falls [18.33].

    Of several with that rank it is the player with most steps of combat units left; a die breaks ties.
    """
    position, side = game.state, fallen.side
    army = position.armies[side]
    officers = [leader for leader in ranked(position, side) if leader.id != fallen.id]
    if fallen.id != army.senior or not army.commander or not officers:
        return
    highest = [leader for leader in officers if rank(leader) == rank(officers[0])]
    theirs = list(dict.fromkeys(leader.player for leader in highest))
    most = max(steps(position, side, player) for player in theirs)
    tied = [player for player in theirs if steps(position, side, player) == most]
    rolled = game.roll(1, len(tied)) if len(tied) > 1 else (1,)
    commander = tied[rolled[0] - 1]
    senior = next(leader for leader in highest if leader.player == commander)
    position.change_army(side, commander=commander, senior=senior.id)
    words, dice = "{} falls: {}, with {}, is the commanding officer now", rolled if len(tied) > 1 else ()
    game.tell(Event("command", words, (fallen.name, commander, senior.name), "18.33", (senior.id,), dice=dice))


def rank(leader: Unit) -> int:
    """A leader's rank by its order."""
    return leader.officer.rank if leader.officer is not None else 0


def steps(position: Position, side: Side, player: Player) -> int:
    """The steps of a player's combat units that are left [18.33]."""
    units = position.pick(position.setting.ids[side])
    there = [unit for unit in units if unit.player == player and unit.status not in ("eliminated", "exited")]
    return sum(unit.steps for unit in there if unit.combat)


# --- who has the segment ------------------------------------------------------------------------------------------


def officer(position: Position, side: Side) -> Player:
    """The officer who gives out the segments of a side, if it has one [18.32]; sector command needs none."""
    return position.armies[side].commander if position.setting.instructions.command == "formation" else ""


def gifts(position: Position, side: Side) -> Iterator[GiveSegment]:
    """Every player to whom the commanding officer may give the segment [18.32]."""
    if officer(position, side):
        for player in position.setting.instructions.sides[side].players:
            if cannot_give(position, side, player) is None:
                yield GiveSegment(player)


def cannot_give(position: Position, side: Side, player: Player) -> Refusal | None:
    """Reject a player who may not be given this segment [18.32]: he needs a unit to activate."""
    if not officer(position, side):
        return Refusal("No officer assigns the segments of {}", "18.32", (side.capitalize(),))
    if refusal := given(position, side):
        return refusal
    units = [unit for unit in position.pick(position.setting.ids[side]) if unit.player == player and not unit.marked]
    there = [unit for unit in units if unit.hex is not None or waiting(position, unit)]
    if any(kommissars.has_to_drive(position, unit) is None for unit in there):
        return None
    return Refusal("{} has no unit to activate", "18.32", (player,))


def given(position: Position, side: Side) -> Refusal | None:
    """The actions that a side can no longer begin its segment with: it is already one player's [18.32]."""
    player = position.armies[side].segment
    return Refusal("This segment is {}'s to use: only that player's units act", "18.32", (player,)) if player else None


def not_given(position: Position, side: Side) -> Refusal | None:
    """No unit is activated before the commanding officer has named the player [18.32]."""
    if not officer(position, side) or position.armies[side].segment:
        return None
    return Refusal("{} first has to say whose segment this is", "18.32", (officer(position, side),))


def give(game: Game[Position], side: Side, player: Player) -> None:
    """Give the segment to this player."""
    game.state.change_army(side, segment=player)
    game.tell(Event("command", "The segment is {}'s", (player,), "18.32"))


def anothers(position: Position, unit: Unit) -> Refusal | None:
    """A player activates only his own units [18.21]; on a side with one player all are his."""
    if unit.player == position.armies[unit.side].segment:
        return None
    return Refusal("{} is under {}", "18.21", (unit.name, unit.player))


def together(leader: Unit, unit: Unit) -> bool:
    """Whether two are under one player, so that one can activate the other [18.21]."""
    return leader.player == unit.player
