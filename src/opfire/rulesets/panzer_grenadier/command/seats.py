"""The decisions of each player of a side, where sectors [18.12] or units [18.21] divide a side among several."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.flow import Frame
from opfire.kit.setup import Ready, StartAboard
from opfire.rulesets.panzer_grenadier.assault.assaulting import Assaulting
from opfire.rulesets.panzer_grenadier.command import formations, sectors
from opfire.rulesets.panzer_grenadier.command.designating import Designating
from opfire.rulesets.panzer_grenadier.command.performing import Performing
from opfire.rulesets.panzer_grenadier.command.segment import ActionSegment
from opfire.rulesets.panzer_grenadier.fire.aircraft import Sending
from opfire.rulesets.panzer_grenadier.fire.bombardment import Bombarding
from opfire.rulesets.panzer_grenadier.fire.direct import Attacking
from opfire.rulesets.panzer_grenadier.fire.losses import LoseStep
from opfire.rulesets.panzer_grenadier.fire.offboard import Calling
from opfire.rulesets.panzer_grenadier.fire.reaction import OpportunityFire
from opfire.rulesets.panzer_grenadier.morale.flight import Fleeing
from opfire.rulesets.panzer_grenadier.movement.moving import Moving
from opfire.rulesets.panzer_grenadier.optional.rules import Saving, Spending
from opfire.rulesets.panzer_grenadier.pieces import Hex, Player, Position, Side, Unit
from opfire.rulesets.panzer_grenadier.setup.setting_up import DrawPieces, Finish, SetUp
from opfire.rulesets.panzer_grenadier.works.minefields import MineLifting

UNITS = ("unit", "carrier", "leader", "other", "helper", "units")  # fields that name units; a target is the enemy's
COMMAND: tuple[type[Frame], ...] = (SetUp, MineLifting, Saving, Spending, Calling, Sending)
SEGMENT: tuple[type[Frame], ...] = (
    Saving,
    Spending,
    ActionSegment,
    Designating,
    Performing,
    Moving,
    Attacking,
    Bombarding,
    Assaulting,
    Calling,
    Sending,
)
"""The decisions of a sector's commander about his segments [18.11]; every other decision is located by its hex."""


def barred(sight: Position, seat: str, frame: Frame, action: Action) -> Refusal | None:
    """Reject a decision that a player leaves to another of his side [18.0].

    Before the commanding officer is known the first player draws for all.
    """
    (side,) = frame.asks(sight)
    players = formations.players(sight.setting, side)
    if not players:
        return None
    officer = sight.armies[side].commander or players[0]
    if isinstance(frame, SetUp) and seat in frame.finished:
        return Refusal("{} has set up", PROCEDURE, (seat,))
    if isinstance(action, Finish):
        return None if seat == action.player else Refusal("This is a decision for {}", "18.2", (action.player,))
    by = in_sectors if sight.setting.sector_of else in_formation
    return by(sight, seat, side, officer, frame, action)


# --- sector command [18.1] ----------------------------------------------------------------------------------------


def in_sectors(sight: Position, seat: str, side: Side, officer: Player, frame: Frame, action: Action) -> Refusal | None:
    """Reject a decision under another's command [18.12]: in his segments the sector's commander, else that of the hex.

    The officer gives his orders [18.31], and begins and ends the set-up: RULINGS.md P131.
    """
    if isinstance(frame, sectors.Commanding) or isinstance(action, DrawPieces | Ready):
        return None if seat == officer else Refusal("This is a decision for {}", "18.31", (officer,))
    if isinstance(frame, SEGMENT):
        sector, rule = sight.sectors.played, "18.11"
    else:
        sector, rule = sight.setting.sector_of.get(place(sight, frame, action), ""), "18.12"
    decides = sectors.commander(sight.setting, side, sector)
    if seat == decides or not decides:
        return None
    return Refusal("Sector {} is under {}", rule, (sector, decides))


def place(sight: Position, frame: Frame, action: Action) -> Hex:
    """The hex of a decision that a side is asked about; none if a set-up names no unit on the map."""
    match frame, action:
        case MineLifting(fields=[(_, hex), *_]), _:
            return hex
        case Fleeing(unit=name), _:
            return str(sight.units[name].hex)
        case SetUp(), StartAboard(carrier=name):
            return str(sight.units[name].hex)
    named = getattr(action, "hex", "") or getattr(frame, "hex", "")
    if named:
        return str(named)
    units = concerned(sight, frame.side, frame, action)
    return str(units[0].hex) if units else ""


# --- formation command [18.2] -------------------------------------------------------------------------------------


def in_formation(
    sight: Position, seat: str, side: Side, officer: Player, frame: Frame, action: Action
) -> Refusal | None:
    """Reject a decision that a player leaves to another of his side [18.21, 18.32]: RULINGS.md P81.

    A unit's player decides for it; any other decision falls to the player in charge.
    """
    units, decides = concerned(sight, side, frame, action), officer
    if units and not (isinstance(action, LoseStep) and len(owners(sight, side, frame)) > 1):
        strange = next((not_his(unit, seat) for unit in units if unit.player != seat), None)
        if strange or not isinstance(frame, OpportunityFire):
            return strange
    if isinstance(frame, OpportunityFire):
        decides = frame.player(sight)
    elif not units and not isinstance(frame, COMMAND):
        decides = in_charge(sight, side, frame)
    if seat == decides:
        return None
    return Refusal("This is a decision for {}", "18.32", (decides,))


def not_his(unit: Unit, seat: str) -> Refusal:
    """No player acts with another player's units [18.21]."""
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
    for action in frame.offers(sight, side):
        if isinstance(action, Action):
            yield from (unit.player for unit in concerned(sight, side, frame, action))


def in_charge(sight: Position, side: Side, frame: Frame) -> Player:
    """The player who decides about an action without units: the one with the segment, else the only one concerned.

    Without such a player, or with several, it is the commanding officer [18.32]. The defence of a hex concerns its
    units.
    """
    army = sight.armies[side]
    if sight.current == side and army.segment:
        return army.segment
    found = owners(sight, side, frame) or {unit.player for unit in sight.combat_units(getattr(frame, "hex", ""), side)}
    return found.pop() if len(found) == 1 else army.commander
