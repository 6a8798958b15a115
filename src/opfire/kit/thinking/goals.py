"""Objectives as a side sees them: the worth of taking and of keeping each, and how cautious to be about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from opfire.core.scenario import Victory

PATIENCE = 0.82
"""The worth of an objective a turn later, as a share of its worth now."""

FAR = 99.0
"""Turns to a place that cannot be reached."""

RELIEF = 4.0
"""Turns in which units still to come are expected to arrive at an objective."""

WINNING, EVEN = 0.9, 0.65
"""How much danger counts for a side that is winning, and for any other at the start."""


class Goal(msgspec.Struct, frozen=True):
    """A place to be had, in victory points: the gain of taking it, the worth of keeping it; `leave`: an exit."""

    place: str
    gain: float
    keep: float
    leave: bool = False


def goals(
    victory: Iterable[Victory], side: str, holder: Callable[[str], str | None], menace: Callable[[str], float]
) -> list[Goal]:
    """The goals of a side: the places that count for either side, in order of their names, then its exits.

    `holder` tells which side holds a place, `menace` how likely the enemy is to come for one that this side holds.
    """
    conditions = list(victory)
    own = _control(condition for condition in conditions if condition.side == side)
    theirs = _control(condition for condition in conditions if condition.side != side)
    found = []
    for place in sorted({*own, *theirs}):
        held, mine, lost = holder(place), own.get(place, 0.0), theirs.get(place, 0.0)
        if held == side:
            found.append(Goal(place, 0.0, (mine + lost) * menace(place)))
        else:
            gain = mine + lost if held is not None else mine + 0.7 * lost
            found.append(Goal(place, gain, mine + lost))
    for condition in conditions:
        if condition.condition == "exit" and condition.side == side:
            found.extend(Goal(place, float(condition.points), 0.0, True) for place in condition.places)
    return found


def _control(conditions: Iterable[Victory]) -> dict[str, float]:
    """The points for control of each place."""
    found: dict[str, float] = {}
    for condition in conditions:
        if condition.condition == "control":
            for place in condition.places:
                found[place] = found.get(place, 0.0) + condition.points
    return found


def menace(turns: Iterable[float], reserves: bool, left: float) -> float:
    """The likelihood that the enemy comes for a place: by the turns that each enemy needs, and the turns left.

    >>> menace([1.0, 3.0], reserves=False, left=5), menace([9.0], reserves=False, left=5)
    (0.82, 0.0)
    """
    soonest = min(turns, default=FAR)
    if reserves:
        soonest = min(soonest, RELIEF)
    return 0.0 if soonest > left else float(PATIENCE**soonest)


def caution(lead: float, marginal: float, late: float, boldness: float) -> float:
    """The weight of danger: less for a side that is not winning, and less the later it is (`late`, from 0 to 1).

    >>> caution(5, 3, 0.5, 0.3), round(caution(0, 3, 0.5, 0.3), 2)
    (0.9, 0.5)
    """
    return WINNING if lead >= marginal else EVEN - boldness * late
