"""A vanguard [SC.setback]: the part of a side that sets up before the enemy writes down his landing zones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.core.texts import joined, say
from opfire.kit.setup import PickUp, Ready
from opfire.kit.table import Zone, spots
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, not_yours
from opfire.rulesets.micro_armour.sections import Vanguard
from opfire.rulesets.micro_armour.setup import Place, cannot_place, to_place


class SetUpVanguard(Frame, frozen=True):
    """A side places its vanguard, at least one stand in each of the zones [SC.setback]."""

    takes = (Place, PickUp, Ready)
    step = "set-up"
    rule = "SC.setback"

    def begin(self, game: Game[Position]) -> None:
        if game.state.setting.troops(self.side).vanguard is None:
            game.pop()

    def prompt(self, sight: Position, side: str) -> str:
        wanted = order_of(sight, self.side)
        left = wanted.count - len(standing(sight, self.side))
        several = "Place {} more stands of your vanguard, at least one in each of {}"
        single = "Place {} more stand of your vanguard, at least one in each of {}"
        return say(single if left == 1 else several, left, ", ".join(wanted.zones))

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        own = standing(sight, side)
        full = len(own) == order_of(sight, side).count
        waiting = [] if full else [unit for unit in to_place(sight, side) if next(posts(sight, unit), None)]
        yield from (unit.id for unit in (*waiting, *own))
        if full and self.refusal(sight, side, Ready()) is None:
            yield NOBODY

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Offer]:
        if actor == NOBODY:
            return (Ready(),)
        unit = sight.units[actor]
        return posts(sight, unit) if unit.at is None else (PickUp(actor),)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Place(unit, to, facing):
                return cannot_post(sight, self.side, sight.units[unit], to, facing)
            case PickUp(unit):
                own = not_yours(side, sight.units[unit])
                words = "{} is not on the table"
                return own or (None if sight.units[unit].at else Refusal(words, PROCEDURE, (sight.units[unit].name,)))
        return incomplete(sight, self.side)

    def play(self, game: Game[Position], action: Action) -> None:
        position = game.state
        match action:
            case Place(name, to, facing):
                unit = position.put(name, to, facing=facing, laid=facing)
                game.tell(Event("placed", "{} sets up at {}", (unit.name, tenths(to)), "", (name,), (to,)))
            case PickUp(name):
                position.lift(name, "to place")
            case Ready():
                position.posted = (*position.posted, *(unit.id for unit in standing(position, self.side)))
                game.pop()


def order_of(position: Position, side: Side) -> Vanguard:
    """The number and the zones of a side's vanguard."""
    found = position.setting.troops(side).vanguard
    assert found is not None
    return found


def standing(position: Position, side: Side) -> list[Stand]:
    """The stands of a vanguard that are on the table."""
    return [unit for unit in position.of(side) if unit.id not in position.posted]


def cannot_post(position: Position, side: Side, unit: Stand, at: Point, facing: int) -> Refusal | None:
    """Reject a place beyond the zones of a vanguard, a stand too many, or one that leaves a zone without a defender."""
    wanted, own = order_of(position, side), standing(position, side)
    if len(own) >= wanted.count:
        return Refusal("The vanguard is complete: {} stands", "SC.setback", (wanted.count,))
    open_zones = empty(position, side)
    zones = open_zones if wanted.count - len(own) <= len(open_zones) else wanted.zones
    if not any(at in position.setting.named_zones[name] for name in zones):
        return Refusal("The next stand of the vanguard goes to {}", "SC.setback", (joined(zones, " or "),))
    return cannot_place(position, side, unit, at, facing)


def empty(position: Position, side: Side) -> tuple[str, ...]:
    """The zones in which a vanguard has no stand yet."""
    held = [unit.at for unit in standing(position, side)]
    zones = ((name, position.setting.named_zones[name]) for name in order_of(position, side).zones)
    return tuple(name for name, zone in zones if not any(at is not None and at in zone for at in held))


def incomplete(position: Position, side: Side) -> Refusal | None:
    """Reject the end of a set-up that lacks stands, or a defender of a zone."""
    left = order_of(position, side).count - len(standing(position, side))
    if left:
        return Refusal("{} stands of the vanguard wait to be placed", "SC.setback", (left,))
    open_zones = empty(position, side)
    return Refusal("{} has no defender", "SC.setback", (open_zones[0],)) if open_zones else None


def posts(position: Position, unit: Stand) -> Iterator[Offer]:
    """The places in the zones of the vanguard at which a stand can be set up: an example, and the box of each zone."""
    for name in order_of(position, unit.side).zones:
        zone: Zone = position.setting.named_zones[name]
        acts = (Place(unit.id, at, unit.facing) for at in spots(zone))
        judged = (each for each in acts if cannot_post(position, unit.side, unit, each.to, each.facing) is None)
        if (example := next(judged, None)) is not None:
            yield example
            if zone.box is not None:
                yield Region(example, zone.box, ("to", "facing"))
