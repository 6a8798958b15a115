"""Hand-to-Hand Combat [6.6.1.2]: squads attack a leg or towed unit next to them, until one side is gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer import leaders
from opfire.rulesets.panzer.charts import Gun, Leg
from opfire.rulesets.panzer.fire.casualties import eliminate, reduce
from opfire.rulesets.panzer.fire.close_assault import FLAMETHROWER, Band, besides, climbs, grade_line, modifier
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId
from opfire.rulesets.panzer.stowed import walks

DIE = 100


# --- the roll-off [6.6.1.2.1, 6.6.1.2.2] ------------------------------------------------------------------------


def _size(position: Position, unit: Unit) -> Iterator[Line]:
    """The modifier for the size of a unit; a squad has none [6.6.1.2.2-size]."""
    name = "towed" if isinstance(unit.kind, Gun) else unit.kind.category
    if name != "squad":
        yield modifier(position.charts.hand_to_hand, f"{name} size")


def _horse(position: Position, unit: Unit) -> Iterator[Line]:
    if isinstance(unit.kind, Leg) and unit.kind.bulk == "L":
        yield modifier(position.charts.hand_to_hand, "cavalry")  # 6.6.1.2.2-cav


def of_attackers(position: Position, band: Band, target: Unit) -> Iterator[Line]:
    """The modifiers of the attacking side; size and grade are those of the primary attacker [6.6.1.2.2-grade].

    Paratroops that have just landed are worse, and use no flamethrower [7.44.1.1-8]; FOs away from their vehicle are
    worse [7.47]. A leader need not be with the primary attacker [7.55.2-hq].
    """
    table = position.charts.hand_to_hand
    conditions = {
        "advance": band.advanced,
        "dismount": band.dismounted,
        "uphill": climbs(position, band, target),
        "flamethrower": band.flames and not band.landed,
        "landing": band.shaken,
        "suppressed": band.landed and bool(band.primary.suppression),
        "dismounted fo": walks(band.primary),
    }
    yield from _size(position, band.primary)
    yield from (modifier(table, name) for name, holds in conditions.items() if holds)
    yield from besides(table, band)
    yield from _horse(position, band.primary)
    yield from grade_line(position, band.primary, "6.6.1.2.2-grade")
    yield from leaders.in_person(position, band.units)


def of_defender(position: Position, target: Unit) -> Iterator[Line]:
    """The modifiers of the defending side [6.6.1.2.2-sup, 6.6.1.2.2-flame, 6.6.1.2.2-grade, 7.55.2-hq]."""
    table = position.charts.hand_to_hand
    yield from _size(position, target)
    if target.suppression:
        yield modifier(table, "suppressed")
    if target.morale:
        yield modifier(table, target.morale)
    if FLAMETHROWER in target.weapons:
        yield modifier(table, "flamethrower")
    yield from _horse(position, target)
    yield from grade_line(position, target, "6.6.1.2.2-grade")
    if "R222" not in position.setting.options:
        yield from leaders.in_person(position, (target,))  # RULINGS.md R222


def roll_off(position: Position, band: Band, target: Unit) -> Calculation:
    """The first roll-off: the higher total wins, and ties are rolled again [6.6.1.2.1].

    The dice are the attacker's, and 101 less the defender's: their sum rises with the attacker's lead.
    """
    own, other = tuple(of_attackers(position, band, target)), tuple(of_defender(position, target))
    lead = sum(line.amount for line in own) - sum(line.amount for line in other)
    shown = tuple(
        Line("modifier", Text("{} (defender)", (line.label,)), line.value, line.rule, -line.amount) for line in other
    )
    outcomes = tuple(_winner(total - DIE - 1 + lead) for total in range(2, 2 * DIE + 1))
    title = Text("{} fights {} hand to hand", (band.primary.name, target.name))
    return Calculation(title, "6.6.1.2.1", (*own, *shown), 2, DIE, outcomes, f"{lead:+d}", lead)


def _winner(lead: int) -> Literal["the attacker wins", "a tie", "the defender wins"]:
    if not lead:
        return "a tie"
    return "the attacker wins" if lead > 0 else "the defender wins"


# --- the combat [6.6.1.2.3] -------------------------------------------------------------------------------------


def resolve(game: Game[Position], band: Band, target_id: UnitId) -> None:
    """Roll off until one side is gone [6.6.1.2.3-end]."""
    while band.units and game.state.units[target_id].hex is not None:
        target = game.state.units[target_id]
        if _attacker_wins(game, band, target):
            lose(game, target)  # 6.6.1.2.3-att: the attackers stay as they are
        else:
            lose(game, band.primary)
            band = regrouped(game.state, band)


def _attacker_wins(game: Game[Position], band: Band, target: Unit) -> bool:
    """One roll-off; ties are rolled again [6.6.1.2.1]."""
    lead = roll_off(game.state, band, target).modifier
    dice = game.roll(2, DIE)
    while dice[0] - dice[1] + lead == 0:
        dice = game.roll(2, DIE)
    won = dice[0] - dice[1] + lead > 0
    names = (band.primary.name, target.name) if won else (target.name, band.primary.name)
    text, units = "{} beats {} hand to hand", (band.primary.id, target.id)
    game.tell(Event("hand to hand", text, names, "6.6.1.2.1", units, (str(target.hex),), dice))
    return won


def lose(game: Game[Position], unit: Unit) -> None:
    """The loser of a roll-off: a squad becomes a half-squad, not suppressed; others are lost.

    Rules: [6.6.1.2.3-att, 6.6.1.2.3-def].
    """
    if unit.kind.category == "squad":
        reduce(game, unit)
    else:
        eliminate(game, unit, "comrade lost")


def regrouped(position: Position, band: Band) -> Band:
    """The attackers after a lost roll-off, with the best primary among those that may be it: RULINGS.md R73.

    A primary attacker that is halved leads on, or a whole squad does; after its loss any of the others does.
    When those that advanced are gone their advance no longer counts. Rules: [6.6.1.2.3-def, 6.6.1.2.2-adv].
    """
    left = [unit for each in band.units if (unit := position.units[each.id]).hex is not None]
    halved = bool(left) and left[0].id == band.primary.id
    able = [unit for unit in left if not halved or unit is left[0] or unit.kind.category == "squad"]
    first = max(able, key=lambda unit: _worth(position, unit), default=None)
    others = (unit for unit in left if unit is not first)
    still = not band.comers or any(unit.id in band.comers for unit in left)
    return band._replace(units=(first, *others) if first else (), advanced=band.advanced and still)


def _worth(position: Position, unit: Unit) -> int:
    """The modifiers of a unit as primary attacker, beyond those that it gives as an additional one [6.6.1.2.2]."""
    table = position.charts.hand_to_hand
    lines = [*_size(position, unit), *grade_line(position, unit, "6.6.1.2.2-grade"), *_horse(position, unit)]
    lines += [modifier(table, "dismounted fo")] if walks(unit) else []
    return sum(line.amount for line in lines) - modifier(table, unit.kind.category).amount
