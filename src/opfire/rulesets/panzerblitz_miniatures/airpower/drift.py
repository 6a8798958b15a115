"""Drift [ABN-2, ABN-3]: the dice that carry a drop zone, or an unguided bomb, away from its spot."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.panzerblitz_miniatures.charts import Charts
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, UnitId

_WAYS = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0), "none": (0, 0)}
"""Steps eastwards and southwards."""


def drifted(charts: Charts, at: Point, die: int, inches: int) -> Point:
    """The spot to which something drifts from its aim [ABN-2, ABN-3]; with a 5 or a 6 it does not."""
    east, south = _WAYS[charts.drift[die].direction]
    return (at[0] + east * inches * INCH, at[1] + south * inches * INCH)


def chances(charts: Charts, at: Point) -> dict[Point, Fraction]:
    """Every spot to which something may drift from its aim, with its chance; the aim is one of them [ABN-2, ABN-3]."""
    dice = range(1, 7)
    ends = Counter(drifted(charts, at, die, inches) for die in dice for inches in dice)
    return {spot: Fraction(count, ends.total()) for spot, count in ends.items()}


def drift(game: Game[Position], unit_id: UnitId, at: Point, rule: str) -> Point:
    """Roll for the drift from a spot: a second die only where the first gives a direction [ABN-2, ABN-3]."""
    charts, name = game.state.charts, game.state.units[unit_id].name
    (die,) = game.roll(1, 6)
    direction = charts.drift[die].direction
    if direction == "none":
        game.tell(Event("drift", "{}: no drift", (name,), rule, (unit_id,), (at,), (die,)))
        return at
    (inches,) = game.roll(1, 6)
    to = drifted(charts, at, die, inches)
    facts = (name, inches, direction, tenths(to))
    words = "{}: {} inch of drift to the {}, to {}" if inches == 1 else "{}: {} inches of drift to the {}, to {}"
    game.tell(Event("drift", words, facts, rule, (unit_id,), (at,), (die, inches)))
    return to
