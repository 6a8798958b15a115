"""Movement points [8.3.1], and what transport takes of them [8.4].

Points are in 10^-6 movement points.
"""

from __future__ import annotations

from opfire.rulesets.micro_armour.charts import Weapon
from opfire.space.measure import MICRO

LARGE = 10
"""A weapon with a greater transport requirement is a large load, and takes two turns [8.4.3]."""

TURNING = 8
"""A gun without movement points turns by itself up to this transport requirement [8.3.7]."""

RIDERS = 8
"""The transport capacity of an armoured vehicle [12.5]."""


def allowance(points: int, fire_and_move: bool) -> int:
    """The points of a stand in a phase: in the fire/move posture half of them, rounded down [8.3.1].

    >>> allowance(7, False), allowance(7, True)
    (7000000, 3000000)
    """
    return (points // 2 if fire_and_move else points) * MICRO


def half(points: int) -> int:
    """Half of the points of a stand, rounded up, as loading and dismounting take them [8.4.2, 8.4.6].

    >>> half(3 * MICRO), half(10 * MICRO)
    (2000000, 5000000)
    """
    return -(-points // (2 * MICRO)) * MICRO


def handling(points: int, weapon: bool) -> int:
    """The points, of those of a stand, that being loaded or unloaded takes, or loading [8.4.2, 8.4.3, 8.4.7].

    A weapon takes all of them, personnel half.
    """
    return points if weapon else half(points)


def turns_to_load(requirement: int) -> int:
    """The turns for loading or unloading a weapon [8.4.3, 8.4.7]: RULINGS.md R22.

    >>> turns_to_load(10), turns_to_load(12)
    (1, 2)
    """
    return 2 if requirement > LARGE else 1


def fits(capacity: int, weapons: int, requirements: list[int]) -> bool:
    """Return whether a load fits a carrier: one weapon at most, and its capacity is not exceeded [8.4.1].

    >>> fits(8, 1, [8]), fits(8, 2, [4, 4]), fits(8, 0, [4, 4]), fits(8, 1, [8, 4])
    (True, False, True, False)
    """
    return weapons <= 1 and sum(requirements) <= capacity


def can_turn(kind: Weapon) -> bool:
    """Return whether a stand can change its facing by moving [8.3.7]."""
    if kind.mov_points or kind.amph_points:
        return True
    return kind.tran_req is not None and kind.tran_req <= TURNING
