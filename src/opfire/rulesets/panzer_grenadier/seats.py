"""Which player of a side decides what [18.21, 18.32], where formation command divides a side among several."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from opfire.rulesets.panzer_grenadier.aircraft import Sending
from opfire.rulesets.panzer_grenadier.flight import Fleeing
from opfire.rulesets.panzer_grenadier.losses import LoseStep
from opfire.rulesets.panzer_grenadier.minefields import MineLifting
from opfire.rulesets.panzer_grenadier.offboard import Calling
from opfire.rulesets.panzer_grenadier.optional import Saving, Spending
from opfire.rulesets.panzer_grenadier.pieces import Player, Position, Side, Unit
from opfire.rulesets.panzer_grenadier.setup import SetUp

UNITS = ("unit", "carrier", "leader", "other", "helper", "units")  # fields that name units; a target is the enemy's
COMMAND: tuple[type[Frame], ...] = (SetUp, MineLifting, Saving, Spending, Calling, Sending)


def barred(sight: Position, seat: str, frame: Frame, action: Action) -> Refusal | None:
    """Why a player leaves this to another of his side, or None [18.21, 18.32]: RULINGS.md P81.

    What names units is their player's, all else whoever decides now. Before the commanding officer is known the first
    player draws for all.
    """
    (side,) = frame.asks(sight)
    players = sight.setting.instructions.sides[side].players
    if not players:
        return None
    decides = sight.armies[side].commander or next(iter(players))
    units = concerned(sight, side, frame, action)
    if units and not (isinstance(action, LoseStep) and len(owners(sight, side, frame)) > 1):
        return next((not_his(unit, seat) for unit in units if unit.player != seat), None)
    if not units and not isinstance(frame, COMMAND):
        decides = in_charge(sight, side, frame)
    if seat == decides:
        return None
    return Refusal("That is for {} to decide", "18.32", (decides,))


def not_his(unit: Unit, seat: str) -> Refusal:
    """Nobody acts with another player's units [18.21]."""
    return Refusal("{} is under {}, not {}", "18.21", (unit.name, unit.player, seat))


def concerned(sight: Position, side: Side, frame: Frame, action: Action) -> list[Unit]:
    """The units of the side that an action is about, and the unit that flees."""
    names = [frame.unit] if isinstance(frame, Fleeing) else []
    for field in UNITS:
        value = getattr(action, field, ())
        names += [value] if isinstance(value, str) else value
    return [sight.units[name] for name in names if name in sight.units and sight.units[name].side == side]


def owners(sight: Position, side: Side, frame: Frame) -> set[Player]:
    """The players whose units the choices are about."""
    return set(_owners(sight, side, frame))


def _owners(sight: Position, side: Side, frame: Frame) -> Iterator[Player]:
    for action in frame.choices(sight):
        yield from (unit.player for unit in concerned(sight, side, frame, action))


def in_charge(sight: Position, side: Side, frame: Frame) -> Player:
    """Who decides what is about no unit: in his own segment the player who has it, else the only one concerned.

    Where that is nobody, or several, it is the commanding officer [18.32].
    """
    army = sight.armies[side]
    if sight.current == side and army.segment:
        return army.segment
    found = owners(sight, side, frame)
    return found.pop() if len(found) == 1 else army.commander
