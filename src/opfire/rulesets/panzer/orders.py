"""Standing orders: the answers for a player who does not want to be asked about every chance of overwatch fire."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import prod
from typing import Literal

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.orders import Answer, Ask
from opfire.core.orders import Asked as Question
from opfire.kit import orders as kit
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.air import flak
from opfire.rulesets.panzer.air.flak import AntiAircraft, Flak
from opfire.rulesets.panzer.fire import hits
from opfire.rulesets.panzer.fire.arms import Arm, arm_at, turned
from opfire.rulesets.panzer.fire.direct_fire import Announce, Asked, Keep, Resolve, Reveal
from opfire.rulesets.panzer.fire.overwatch import Overwatch, OverwatchFire, turning
from opfire.rulesets.panzer.fire.shots import HITS, Fire, band_of, shot
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId, at_arms


class Orders(kit.Orders, frozen=True, forbid_unknown_fields=True):
    """The shots that are worth a question, and the answer about a target's hidden command [4.4.3.2.2-moving].

    `moving`: ask, as long as the orders put questions and half of the `most` are not spent; `show` that a target moves
    whenever it does; or `keep` every command. With `show` the enemy can tell that a target without it does not move.
    """

    moving: Literal["ask", "show", "keep"] = "ask"


COMPUTER = Orders(moving="show", hidden=kit.COMPUTER.hidden)
"""The orders of a computer player: its targets show that they move."""

SPARED = "{} standing orders let {} pass at a chance of {} %: {} of {} questions of this player turn are spent"

HARMLESS = frozenset({"miss", "no effect"})
"""The results of a roll that do nothing to a target; those of AP fire in the Advanced Game are hits [6.5.2.1]."""

COUNTED = Overwatch | OverwatchFire | Asked
"""The questions that count among the most of a player turn."""

FAR_AWAY = 999
"""More hexes than any map has."""


def answer(
    sight: Position, side: Side, frame: Frame, orders: Orders | None, choices: Choices, asked: Sequence[Question]
) -> Answer:
    """The answer of the orders to a question: fire from overwatch, or whether a target moves."""
    match frame:
        case Asked(_, target):
            return _revealed(sight, target, orders or Orders(), asked)
        case Overwatch():
            return _watched(sight, side, frame, orders or Orders(), choices, asked)
        case OverwatchFire():
            return _joined(sight, frame, orders or Orders(), choices, asked)
        case AntiAircraft():
            return _engaged(sight, side, frame, orders or Orders(), choices, asked)
    return None


def _engaged(
    sight: Position, side: Side, frame: AntiAircraft, orders: Orders, choices: Choices, asked: Sequence[Question]
) -> Answer:
    """The answer to a chance of anti-aircraft fire [6.7.4]."""
    plane = sight.units[frame.unit]
    chances: dict[Action, Fraction] = {
        shot: 1 - flak.calculation(sight, sight.units[shot.unit], plane).chances().get("no effect", Fraction(0))
        for shot in choices
        if isinstance(shot, Flak) and not orders.silent((shot.unit,))
    }
    windows = [question for question in asked if isinstance(question.frame, AntiAircraft)]
    notice = partial(kit.spared, SPARED, "6.7.4", frame, plane.name, len(windows), orders.most)
    return kit.judged(frame, orders, chances, Pass(), windows, partial(_nearest, sight, side), notice)


def _revealed(sight: Position, target: UnitId, orders: Orders, asked: Sequence[Question]) -> Answer:
    """The answer to the question whether a target moves [4.4.3.2.2-moving]: RULINGS.md R22.

    It is put whatever the command is, or the answer would tell. After half of the questions of a turn, and for orders
    that put none, every command is kept, so that the answer tells nothing. Only orders to show it reveal a command to
    move, which makes its vehicle harder to hit.
    """
    if orders.moving == "ask" and orders.fire == "ask" and not kit.scarce(orders.most, _spent(asked)):
        return Ask(Fraction(1))
    moves = sight.units[target].command in ("move", "short halt")
    return Reveal(target) if moves and orders.moving == "show" else Keep()


def _spent(asked: Sequence[Question]) -> int:
    """The questions of this turn that count: those about fire from overwatch, and whether a target moves."""
    return sum(bool(each.chance) for each in asked if isinstance(each.frame, COUNTED))


def _watched(
    sight: Position, side: Side, frame: Overwatch, orders: Orders, choices: Choices, asked: Sequence[Question]
) -> Answer:
    """The answer to a chance of overwatch fire [4.4.2]."""
    found = {shot: _chance(sight, shot) for shot in choices if isinstance(shot, Announce)}
    chances: dict[Action, Fraction] = {
        shot: chance for shot, chance in found.items() if _wanted(sight, frame.hex, orders, shot)
    }
    windows = [question for question in asked if isinstance(question.frame, COUNTED)]
    notice = partial(kit.spared, SPARED, "4.4.2", frame, sight.units[frame.targets[0]].name, len(windows), orders.most)
    return kit.judged(frame, orders, chances, Pass(), windows, partial(_nearest, sight, side), notice)


def _joined(
    sight: Position, frame: OverwatchFire, orders: Orders, choices: Choices, asked: Sequence[Question]
) -> Answer:
    """The answer to the question for more fire [4.4.1-d].

    Orders that fire by themselves announce a shot that is good enough even if the earlier ones may suffice; those that
    ask put the question if any shot is good enough by itself, as long as they have questions left.
    """
    found = {each: _chance(sight, each, frame.announced) for each in choices if isinstance(each, Announce)}
    worth = {each: chance for each, chance in found.items() if _worth_it(sight, frame, orders, each, chance)}
    if orders.fire == "never" or not worth:
        return Resolve()
    best = max(worth, key=lambda each: worth[each])
    if orders.fire == "always":
        return best
    return Resolve() if orders.most and _spent(asked) >= orders.most else Ask(worth[best])


def _worth_it(sight: Position, frame: OverwatchFire, orders: Orders, shot: Announce, chance: Fraction) -> bool:
    """Whether one more shot is good enough for the orders."""
    left = _left(sight, frame.announced, shot.target) if orders.fire == "always" else 1
    wanted = _wanted(sight, str(sight.units[shot.target].hex), orders, shot)
    return left * chance * 100 >= orders.least_chance and wanted


def _left(sight: Position, announced: tuple[Announce, ...], target: UnitId) -> Fraction:
    """The chance that the announced shots leave a target as it is."""
    shots = ((number, each) for number, each in enumerate(announced) if each.target == target)
    return prod((1 - _chance(sight, each, announced[:number]) for number, each in shots), start=Fraction(1))


def _wanted(sight: Position, hex: Hex, orders: Orders, shot: Announce) -> bool:
    """Whether the orders let this vehicle fire at this target in a hex, whatever the chance."""
    aims = ((True, True),)
    far = partial(_far, sight, hex)
    return not orders.silent((shot.unit,)) and kit.wants(orders, (shot.unit,), aims, far)


def _chance(sight: Position, announced: Announce, before: Sequence[Announce] = ()) -> Fraction:
    """The chance that a shot has any effect on its target, after those that are announced before it [5.14].

    A hit of the Advanced Game has one if it damages the target or destroys it [6.5.2.2].
    """
    firer, target = turning(sight, at_arms(sight, announced.unit), before), sight.units[announced.target]
    aimed, name = turned(sight, firer, target), announced.weapon
    chances = shot(sight, firer, target, True, name, pinning=announced.pinning).chances()
    arm = arm_at(sight, aimed, target, name)
    if not sight.setting.advanced or not isinstance(arm, Arm) or not arm.is_ap:
        return sum((chance for effect, chance in chances.items() if effect not in HARMLESS), Fraction(0))
    band = band_of(sight, Fire(aimed, target, arm))
    none = 1 - sum(hits.harm(sight, hits.aim(sight, hits.Round(aimed, target.id, arm.row, band, overwatch=True))))
    return sum((chance * (1 - none ** HITS.index(effect)) for effect, chance in chances.items()), Fraction(0))


def _nearest(sight: Position, side: Side, hex: Hex) -> int:
    """The hexes from a hex to the nearest vehicle of the side on overwatch."""
    watching = (unit for unit in sight.of(side) if unit.command == "overwatch" and not unit.fired)
    return min((_distance(sight, unit, hex) for unit in watching), default=FAR_AWAY)


def _far(sight: Position, hex: Hex, unit_id: UnitId) -> int:
    return _distance(sight, sight.units[unit_id], hex)


def _distance(sight: Position, unit: Unit, hex: Hex) -> int:
    return sight.map.distance(unit.hex, hex) if unit.hex is not None and hex else 0
