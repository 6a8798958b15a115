"""Unit determination [12.1]: forces draw a card for each stand that they lose, and break beyond their break point.

A card is a number from 0 to 51; its rank is the remainder by 13. A card that a side does not know is `UNKNOWN`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from opfire.core.actions import Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import INCH
from opfire.core.texts import Text, Words
from opfire.rulesets.micro_armour.design.determination import break_point
from opfire.rulesets.micro_armour.pieces import Position, Setting, Side, Stand
from opfire.space.measure import square

DECK, SUIT, UNKNOWN = 52, 13, -1
BROKEN, MOVING = -5, 2
"""The changes of a broken force's cohesion: for all purposes but movement, and for movement [12.1.5-1, 12.1.5-5]."""

SELF_DEFENCE = 5
"""Broken stands fire at enemies within this many inches [12.1.5-2, 12.1.5.2]."""

POINTS = {"": 1, "HQ": 2, "GHQ": 3}
"""The points of a stand by its rank: for the break point [12.1.2], and the cards for its loss [12.1.3]."""


def value(card: int) -> int:
    """The value of a card: an ace 1, a jack 11, a queen 12, a king 13 [12.1.1].

    >>> value(0), value(12), value(13), value(51)
    (1, 13, 1, 13)
    """
    return card % SUIT + 1


# --- forces -----------------------------------------------------------------------------------------------------------


def force_of(made: Setting, unit: Stand) -> str:
    """The force with which a stand breaks: its formation where its side has several, else its side [12.1.6]."""
    several = len(made.troops(unit.side).formations) > 1
    return f"{unit.side}: {unit.formation}" if several and unit.formation else unit.side


def called(made: Setting, force: str) -> Words:
    """The name of a force: that of its side, with its formation where the side has several."""
    side, _, formation = force.partition(": ")
    name = made.scenario.sides[side].name
    return Text("{}: {}", (name, formation)) if formation else name


def forces(position: Position) -> dict[str, list[Stand]]:
    """The stands of each force, lost ones too."""
    found: dict[str, list[Stand]] = {}
    for unit in position.units.values():
        found.setdefault(force_of(position.setting, unit), []).append(unit)
    return found


def limit(position: Position, stands: Iterable[Stand]) -> int:
    """The break point of a force [12.1.2]: its armed stands at the start, headquarters counting for more."""
    known = {unit.id: unit for unit in stands}
    began = [start.stand for start in position.setting.roster if start.stand.id in known] or [*known.values()]
    points = sum(POINTS[unit.rank] for unit in began if unit.kind.armed or unit.rank)
    return break_point(points, position.setting.troops(began[0].side).determination)


def is_broken(position: Position, unit: Stand) -> bool:
    """Return whether a stand's force is broken, from the turn after it broke on [12.1.5-1, 12.1.5.1]."""
    since = position.broken.get(force_of(position.setting, unit)) if position.broken else None
    return since is not None and since < position.turn


def only_in_defence(position: Position, unit: Stand) -> Refusal | None:
    """Reject a stand of a broken force that nobody has fired at in this turn [12.1.5-2, 12.1.5.2].

    Artillery and aircraft that strike it have fired at it too, and so have stands that are lost since.
    """
    enemies = position.pick(position.setting.ids[position.setting.other[unit.side]])
    if unit.shelled or any(unit.id in enemy.shots for enemy in enemies):
        return None
    return Refusal("The force of {} is broken: it fires only when fired at", "12.1.5-2", (unit.name,))


def out_of_reach(position: Position, unit: Stand, target: Stand) -> Refusal | None:
    """Reject a target more than five inches from a stand of a broken force [12.1.5-2, 12.1.5.2]."""
    if not is_broken(position, unit) or unit.at is None or target.at is None:
        return None
    if square(unit.at, target.at) <= (SELF_DEFENCE * INCH) ** 2:
        return None
    return Refusal("The force of {} is broken: it fires up to {} inches", "12.1.5-2", (unit.name, SELF_DEFENCE))


def plots_no_more(position: Position, units: Iterable[Stand]) -> Refusal | None:
    """Reject new indirect fire in which a stand of a broken force has a part [12.1.5-3, 12.1.5.3]."""
    unit = next((each for each in units if is_broken(position, each)), None)
    if unit is None:
        return None
    return Refusal("The force of {} is broken: it plots no more", "12.1.5-3", (unit.name,))


def all_broken(position: Position, side: Side) -> int:
    """The turns for which all forces of a side have been broken; 0 if one still fights [12.1.5-8, 12.1.5.8].

    A force that has nobody on the table and expects nobody does not fight, broken or not: batteries off the map, for
    one, which belong to no formation and which nothing can break.
    """
    own = {name: stands for name, stands in forces(position).items() if stands[0].side == side}
    broken = [position.broken[name] for name in own if name in position.broken]
    fights = any(any(map(_in_battle, stands)) for name, stands in own.items() if name not in position.broken)
    return 0 if fights or not broken else max(position.turn - max(broken), 0)


def _in_battle(unit: Stand) -> bool:
    return unit.at is not None or unit.status in ("reserve", "to place")


# --- cards ------------------------------------------------------------------------------------------------------------


def settle(game: Game[Position]) -> None:
    """Draw the cards of the stands that have just been eliminated [12.1, 12.1.3]."""
    position = game.state
    if not position.setting.has("12.1"):
        return
    for unit in [*position.units.values()]:
        if unit.status == "eliminated" and not unit.mourned:
            position.change(unit.id, mourned=True)
            _draw(game, unit)


def _draw(game: Game[Position], unit: Stand) -> None:
    """Draw a card, two for a headquarters, three for a general one; only its side knows them [12.1.3]."""
    position = game.state
    force = force_of(position.setting, unit)
    for _ in range(POINTS[unit.rank]):
        hand = position.hands.get(force, ())
        left = [card for card in range(DECK) if card not in hand]
        if not left:
            return
        (number,) = game.roll_secret(1, len(left))
        position.hands[force] = (*hand, left[number - 1])
        words, facts = "{} draw a card of {}", (called(position.setting, force), value(left[number - 1]))
        game.tell(Event("card", words, facts, "12.1.3", (unit.id,), only=(unit.side,)))
    _breaks(game, force)


def _breaks(game: Game[Position], force: str) -> None:
    """A force breaks when its cards exceed its break point, and shows them then [12.1.4, 12.1.7]."""
    position = game.state
    total, most = sum(map(value, position.hands[force])), limit(position, forces(position)[force])
    if force not in position.broken and total > most:
        position.broken[force] = position.turn
        game.tell(
            Event("broken", "{} break: {} is more than {}", (called(position.setting, force), total, most), "12.1.4")
        )


def show_cards(game: Game[Position]) -> None:
    """Every force shows its cards at the end of the game [12.1.8]."""
    for force, hand in game.state.hands.items():
        cards = ", ".join(str(value(card)) for card in hand)
        game.tell(Event("card", "{} have drawn {}", (called(game.state.setting, force), cards), "12.1.8"))


def hidden(position: Position, side: Side) -> dict[str, tuple[int, ...]]:
    """The hands as a side knows them: the cards of others are unknown until their force breaks [12.1.3, 12.1.4]."""
    own = {name: position.hands[name] for name in position.hands if _shows(position, name, side)}
    return {name: own.get(name, (UNKNOWN,) * len(hand)) for name, hand in position.hands.items()}


def _shows(position: Position, force: str, side: Side) -> bool:
    return force.partition(":")[0] == side or force in position.broken


def guessed(hands: dict[str, tuple[int, ...]], rng: random.Random) -> dict[str, tuple[int, ...]]:
    """Hands in which every unknown card is drawn."""
    return {name: _drawn(hand, rng) if UNKNOWN in hand else hand for name, hand in hands.items()}


def _drawn(hand: tuple[int, ...], rng: random.Random) -> tuple[int, ...]:
    return tuple(rng.sample(range(DECK), len(hand)))
