"""Bomb scatter [7.26-bomb], and the directions of everything that drifts from the sky."""

from __future__ import annotations

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.charts import Grade
from opfire.rulesets.panzer.pieces import Hex, Position, Unit
from opfire.space.hexes import DIRECTIONS

OPTION = "7.26-bomb"
NEAR, DIE, WAYS = 5, 10, 6
"""The hexes within which anti-aircraft fire disturbs a drop, and the dice."""

UNHARMED, HARMED = 2, 6
"""The greatest rolls with which bombs scatter after fire without effect, and with one."""

GRADES: dict[Grade, int] = {"elite": 2, "veteran": 1, "seasoned": 0, "regulars": -1, "green": -2}
"""The modifiers of the roll by the Unit Grade of the aircraft."""

FAR = {"medium": 1, "high": 2}
"""The hexes by which bombs scatter, by altitude."""


def threshold(position: Position, plane: Unit) -> int:
    """The greatest modified roll with which the bombs of an aircraft scatter; 0 if nobody fired nearby [7.26-bomb]."""
    flight = plane.airborne
    near = [result for hex, result in flight.flak if position.map.distance(hex, flight.hex) <= NEAR]
    if not near:
        return 0
    return UNHARMED if all(result == "no effect" for result in near) else HARMED


def impact(game: Game[Position], plane: Unit, hex: Hex) -> Hex | None:
    """The hex that bombs hit: the target's, or one to which they scatter; None beyond the map [7.26-bomb]."""
    most = threshold(game.state, plane)
    if OPTION not in game.state.setting.options or not most:
        return hex
    (rolled,) = game.roll(1, DIE)
    if rolled + GRADES[plane.grade] > most:
        game.tell(Event("scatter", "The bombs of {} do not scatter", (plane.name,), "7.26-bomb", dice=(rolled,)))
        return hex
    (way,) = game.roll(1, WAYS)
    found = drifted(game.state, hex, way, FAR[plane.airborne.altitude])
    facts, places = (plane.name, found or "no hex of the map"), (found,) if found else ()
    game.tell(Event("scatter", "The bombs of {} scatter: {}", facts, "7.26-bomb", (plane.id,), places, (rolled, way)))
    return found


def drifted(position: Position, hex: Hex, way: int, hexes: int) -> Hex | None:
    """The hex that lies that many steps away in the direction of a die: 1 is north, then clockwise. None off the map.

    RULINGS.md R128.
    """
    q, r = position.map.coords[hex]
    dq, dr = DIRECTIONS[way - 1]
    name = position.map.name_at((q + hexes * dq, r + hexes * dr))
    return name if name is not None and name in position.map else None
