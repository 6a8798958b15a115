"""Hidden placement [SC.stark.hidden]: mines, and stands in improved positions, that the enemy finds only in play."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.micro_armour.moving.marching import under_way
from opfire.rulesets.micro_armour.pieces import HIDDEN_PLACEMENT, Position, Side, Stand, UnitId, adjacent
from opfire.rulesets.micro_armour.terrain import POSITIONS, terrain_of
from opfire.space.measure import square
from opfire.space.squares import footprint, overlap
from opfire.space.terrain.legs import stopped

PARTS = 64
"""The parts of an inch in which a mover looks for hidden enemies: smaller than the gap between stands that touch.

RULINGS.md R88.
"""


def hides(position: Position, side: Side) -> bool:
    """Return whether a side may hide its mines and stands in this game [SC.stark.hidden]."""
    return position.setting.has(HIDDEN_PLACEMENT) and position.setting.troops(side).hides


def hidden(position: Position) -> Iterator[Stand]:
    """The stands that are hidden; none without the option."""
    if position.setting.has(HIDDEN_PLACEMENT):
        yield from (unit for unit in position.units.values() if unit.hidden)


# --- set-up -----------------------------------------------------------------------------------------------------


def uncover(game: Game[Position], side: Side) -> None:
    """At the end of a set-up only stands in improved positions stay hidden [SC.stark.hidden]."""
    position = game.state
    for unit in [*hidden(position)]:
        if unit.side == side and (unit.at is None or POSITIONS.isdisjoint(terrain_of(position, unit))):
            reveal(game, unit.id)


# --- in play ----------------------------------------------------------------------------------------------------


def settle(game: Game[Position]) -> None:
    """Place the hidden stands on the table that have fired or suffered, or have an enemy beside them."""
    position = game.state
    if not position.turn:
        return
    for unit in [*hidden(position)]:
        if _shows(position, unit):
            reveal(game, unit.id)


def _shows(position: Position, unit: Stand) -> bool:
    """Return whether a stand is hidden no more: it fires, it moves, it suffers, or an enemy is beside it."""
    acts = unit.fired or unit.posture != "firing" or unit.laid is None or unit.shaken
    return acts or unit.at is None or any(adjacent(unit, enemy) for enemy in position.enemies(unit.side))


def reveal(game: Game[Position], unit_id: UnitId) -> None:
    """Place a hidden stand on the table for all to see [SC.stark.hidden]."""
    unit = game.state.change(unit_id, hidden=False)
    game.state.musters.clear()
    game.state.occupants.clear()
    if unit.at is not None:
        facts = (unit.name, tenths(unit.at))
        game.tell(Event("revealed", "{} is revealed at {}", facts, "SC.stark.hidden", (unit_id,), (unit.at,)))


def in_the_place(game: Game[Position], unit: Stand, at: Point, facing: int) -> bool:
    """Place the hidden enemies on the table on which a stand would come down; return whether there are any [8.3.4]."""
    ring = footprint(at, facing)
    found = [foe.id for foe in hidden(game.state) if foe.side != unit.side and foe.at and overlap(ring, foe.ring)]
    for name in found:
        reveal(game, name)
    return bool(found)


def next_place(position: Position, stop: Fraction) -> Fraction:
    """The place of a leg up to `stop` at which the stand under way first comes beside a hidden enemy; else `stop`."""
    progress = under_way(position)
    unit = position.units[progress.unit]
    if unit.at is None or progress.origin is None or progress.to is None:
        return stop
    near = [foe for foe in hidden(position) if foe.side != unit.side and foe.at and _is_near(unit, foe)]
    if not near:
        return stop
    begun = Fraction(*progress.done)
    for number in range(1, PARTS + 1):
        place = begun + (stop - begun) * number / PARTS
        there = replace(unit, at=stopped(progress.origin, progress.to, place), facing=progress.facing)
        if any(adjacent(there, foe) for foe in near):
            return place
    return stop


def _is_near(unit: Stand, foe: Stand) -> bool:
    assert unit.at is not None
    assert foe.at is not None
    return square(unit.at, foe.at) <= (3 * INCH) ** 2


def come_upon(game: Game[Position], unit_id: UnitId) -> None:
    """A mover that comes beside hidden enemies finds them, and its owner decides anew [SC.stark.hidden].

    That ends an overrun which has not reached its target; a vehicle that has does not stop on it [8.7.1-move].
    """
    position = game.state
    unit = position.units[unit_id]
    found = [foe.id for foe in hidden(position) if foe.side != unit.side and adjacent(unit, foe)]
    for name in found:
        reveal(game, name)
    if found and position.progress is not None and not (position.progress.through or unit.overruns):
        position.progress = replace(position.progress, to=None, target="", beyond=None)
