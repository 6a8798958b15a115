"""Command control: command posts and their radius."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from opfire.core.actions import Refusal
from opfire.core.places import INCH
from opfire.rulesets.panzerblitz_miniatures.charts import Charts
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand, UnitId
from opfire.space.measure import square

RADIUS = "command radius in inches"


def out_of_command(
    charts: Charts, unit: str, posts: Iterable[int], radius: Fraction | int | None = None
) -> Refusal | None:
    """Refuse movement and fire to a unit beyond the command radius of all its posts [CMD-1, CMD-2].

    `posts` are the squared distances to its command posts in play, in 1/1000 inch; a scenario may name another
    radius in inches [CMD-3]. A unit out of command may still recover, defend, and use opportunity fire:
    RULINGS.md R42.
    """
    inches = charts.named[RADIUS] if radius is None else Fraction(radius)
    if any(square <= (inches * INCH) ** 2 for square in posts):
        return None
    number = int(inches) if inches.denominator == 1 else float(inches)
    return Refusal("{} has no command post within {} inches", "CMD-2", (unit, number))


def not_commanded(position: Position, unit: Stand) -> Refusal | None:
    """Refuse a unit out of command, on a side whose order of battle has command posts [CMD-1]: RULINGS.md R86.

    A post that spots for artillery in this segment commands nobody [STD-2], and observers never do [STD-3].
    """
    posts = posts_of(position, unit.side) if needs_post(unit) else []
    if not posts:
        return None
    busy = directing(position, unit.side)
    refusal = _out_of_reach(position, unit, [post for post in posts if post.id not in busy])
    if refusal is None or _all_lost(position, posts):
        return None
    spotting = (post for post in posts if post.id in busy and _out_of_reach(position, unit, [post]) is None)
    return next((_spots_instead(post) for post in spotting), refusal)


def _all_lost(position: Position, posts: Iterable[Stand]) -> bool:
    """Return whether a side that has lost all its posts acts freely, by option: RULINGS.md R86."""
    return position.setting.has("R86") and all(post.at is None for post in posts)


def needs_post(unit: Stand) -> bool:
    """Return whether a stand is led by command posts: aircraft are not (RULINGS.md R107), nor posts themselves."""
    return not unit.aircraft and unit.kind.type != "command"


def posts_of(position: Position, side: Side) -> list[Stand]:
    """The command posts of a side's order of battle, lost ones too [CMD-1]."""
    return position.pick(position.setting.posts(position.units.values())[side])


def radius_inches(position: Position, side: Side) -> Fraction:
    """The command radius of a side in inches; a scenario may name another than the book's [CMD-3]."""
    radius = position.setting.doctrine(side).radius
    return position.charts.named[RADIUS] if radius is None else Fraction(str(radius))


def _out_of_reach(position: Position, unit: Stand, posts: Iterable[Stand]) -> Refusal | None:
    assert unit.at is not None
    there = [square(unit.at, post.at) for post in posts if post.at is not None]
    return out_of_command(position.charts, unit.name, there, radius_inches(position, unit.side))


def _spots_instead(post: Stand) -> Refusal:
    return Refusal("{} spots for artillery in this segment and cannot command", "STD-2", (post.name,))


def directing(position: Position, side: Side) -> frozenset[UnitId]:
    """The units that spot for artillery in this segment, as far as known [STD-2]."""
    return frozenset(plot.spotter for plot in position.plots if plot.side == side and plot.written == position.turn)
