"""Laying works in set-up [11.1.1 to 11.1.3, 11.2, 11.3.1, 11.4]: mines and dummies in secret, the others openly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from opfire.core.actions import PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.kit.table import Zone, spots
from opfire.rulesets.micro_armour.pieces import Position, Side, Work, overhangs
from opfire.rulesets.micro_armour.sections import Laid
from opfire.space.squares import footprint, may_touch, overlap

NO_DITCH = frozenset(
    {"woods", "jungle", "light-buildings", "medium-buildings", "heavy-buildings", "water", "river", "stream", "marsh"}
)
"""The terrain in which no ditch is dug [11.3.1]."""

CALLED: Mapping[str, str] = {"ditch": "An anti-tank ditch is dug at {}", "wire": "Barbed wire is laid at {}"}


class Lay(Action, frozen=True):
    """Lay a work at a point (1/1000 inch), facing a whole number of degrees; `value` is what mines really are."""

    says = "Lay {work} ({value}) at {to}"
    kind = "place"
    work: Laid
    value: str
    to: Point
    facing: int


Kind = tuple[Laid, str]
"""A kind of works, and what mines of it are."""


def stocks(position: Position, side: Side) -> dict[Kind, int]:
    """The works that a side has still to lay, each kind with their number."""
    left: Counter[Kind] = Counter()
    for stock in position.setting.troops(side).works:
        left[stock.kind, stock.value] += stock.count
    given = {work.id for work in position.setting.works}
    for work in position.works.values():
        for kind in [kind for kind in left if kind == (work.kind, work.value)]:
            left[kind] -= work.side == side and work.id not in given
    return {kind: number for kind, number in left.items() if number > 0}


def zones(position: Position, side: Side, work: Laid, value: str) -> list[Zone]:
    """The zones in which a side lays works of a kind."""
    found = (stock for stock in position.setting.troops(side).works if (stock.kind, stock.value) == (work, value))
    return [position.setting.named_zones[stock.zone] for stock in found]


def cannot_lay(position: Position, side: Side, action: Lay) -> Refusal | None:
    """Reject a work that the side has not got, or that cannot lie there [11.1.2, 11.3.1]."""
    if not stocks(position, side).get((action.work, action.value)):
        return Refusal("No {} are left to lay.", PROCEDURE, (action.work,))
    if not 0 <= action.facing < 360:
        return Refusal("{} is no facing: choose 0 to 359 degrees", PROCEDURE, (action.facing,))
    if not any(action.to in zone for zone in zones(position, side, action.work, action.value)):
        return Refusal(
            "No {} are laid at {}: choose a point of their zone.", PROCEDURE, (action.work, tenths(action.to))
        )
    return no_room(position, action)


def no_room(position: Position, action: Lay) -> Refusal | None:
    """Reject a marker over the edge, one on another of its kind [11.1.2], and a ditch in woods or water [11.3.1]."""
    if overhangs(position.table, action.to, action.facing):
        return Refusal("{} is too near the edge of the table", PROCEDURE, (tenths(action.to),))
    ring = footprint(action.to, action.facing)
    for work in position.works.values():
        if work.kind == action.work and may_touch(work.at, action.to) and overlap(work.ring, ring):
            return Refusal("{} lie there already: markers are not stacked.", "11.1.2", (action.work,))
    kinds = {feature.kind for feature, _ in position.setting.touched(action.to, action.facing)}
    if action.work == "ditch" and kinds & NO_DITCH:
        return Refusal("No ditch is dug at {}.", "11.3.1", (tenths(action.to),))
    return None


def lays(position: Position, side: Side) -> Iterator[Offer]:
    """The works that may be laid, each with the box of a zone."""
    facing = position.setting.troops(side).facing
    for work, value in stocks(position, side):
        for zone in zones(position, side, work, value):
            acts = (Lay(work, value, at, facing) for at in spots(zone))
            example = next((act for act in acts if act.to in zone and no_room(position, act) is None), None)
            if example is not None:
                yield example
                if zone.box is not None:
                    yield Region(example, zone.box, ("to", "facing"))


def lay(game: Game[Position], side: Side, action: Lay, secret: bool) -> None:
    """Lay a work; the ids of markers tell nothing about them [11.1.2]. In `secret`, mines are hidden.

    [SC.stark.hidden]
    """
    position = game.state
    number = sum(work.kind == action.work and work.side == side for work in position.works.values()) + 1
    name = f"{side} {action.work} {number}"
    hidden = secret and action.work == "mines"
    position.lay(Work(name, action.work, action.to, action.facing, side, action.value, hidden=hidden))
    words = CALLED.get(action.work, "A marker of {} is laid at {}")
    facts = (tenths(action.to),) if action.work in CALLED else (action.work, tenths(action.to))
    rule, only = "11.1.2" if action.work == "mines" else "", (side,) if hidden else ()
    game.tell(Event("works", words, facts, rule, (), (action.to,), only=only))
