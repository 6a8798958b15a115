"""Movement of HIDDEN UNIT counters [7.2.2.2]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer import hiding, stowed
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.hiding import Alight, Board, CoverUp, Unmask
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.moving import legs
from opfire.rulesets.panzer.moving.going import Going, Move, allowed_to, priced
from opfire.rulesets.panzer.pieces import Hex, Mask, Position, Side, Unit, lurking, where_it_is
from opfire.rulesets.panzer.works import minefields, mines
from opfire.rulesets.panzer.works.entrenching import occupy


class Creep(Action, frozen=True):
    """Move a HIDDEN UNIT counter into a neighbouring hex."""

    says = "The hidden counter moves to {to}"
    kind = "move"
    counter: str
    to: Hex


def movers(position: Position, mask: Mask) -> list[Unit]:
    """The units whose movement limits a counter: its own, for a fake a vehicle [7.2.2.2]."""
    if mask.units:
        return [where_it_is(position, name) for name in mask.units]
    return [replace(hiding.decoy(position, replace(mask, fast=True)), command="move")]


def cannot_creep(position: Position, side: Side, action: Creep) -> Refusal | None:
    """Reject moves of a counter without commands for it, or faster than its slowest unit [7.2.2.2]."""
    mask = position.masks.get(action.counter)
    if mask is None or mask.side != side:
        return Refusal("{} is no HIDDEN UNIT counter of yours", PROCEDURE, (action.counter,))
    if not mask.units and hiding.no_ground(position, action.to):
        return Refusal("There is no hex {}", PROCEDURE, (action.to,))
    return next((bad for unit in costs(position, mask, action.to) if isinstance(bad := unit, Refusal)), None)


def costs(position: Position, mask: Mask, to: Hex) -> Iterator[int | Refusal]:
    """The movement that each unit of a counter has spent after a step, or the reason against the step [7.2.2.2].

    Units turn for nothing and move across country, as hidden counters have no facing: RULINGS.md R190.
    """
    units = movers(position, mask)
    spent = mask.spent or (0,) * len(units)
    for unit, before in zip(units, spent, strict=True):
        yield _after(position, unit, to, before)


def _after(position: Position, unit: Unit, to: Hex, before: int) -> int | Refusal:
    if unit.command not in ("move", "short halt") or (unit.moved and not before):
        return Refusal("{} has no command to move, or has moved", "7.2.2.2", (unit.name,))
    if any(other.side != unit.side for other in position.at(to)):
        return Refusal("The enemy is in {}", "4.5.1.1.10", (to,))
    way = position.map.direction(str(unit.hex), to) if to in position.map.cells else None
    if way is None:
        return Refusal("{} is not next to {}", "4.5.1.1", (to, unit.hex))
    if before and (refusal := legs.one_hex(unit)):
        return refusal
    turned = replace(unit, facing=way)
    price = priced(position, turned, Move(unit.id, to))
    if isinstance(price, Refusal):
        return price
    allowed = allowed_to(position, turned, Going())
    if before and (price.takes_all or before + price.cost > allowed):
        return Refusal("{} has {} of {} left", "7.2.2.2", (unit.name, allowed - before, allowed))
    return before + max(1, price.cost)


class CreepStep(Frame, frozen=True):
    """A side moves its HIDDEN UNIT counters, in the way of its units, before those on the map [7.2.2.2]."""

    takes = (Creep, Unmask, Board, Alight, CoverUp, EndStep)
    step = "movement"
    rule = "7.2.2.2"
    question = "Move or reveal HIDDEN UNIT counters, or go on"

    def begin(self, game: Game[Position]) -> None:
        """Ask only a side with counters on the map, whatever they stand for."""
        if not hiding.of(game.state, self.side):
            game.pop()

    def resume(self, game: Game[Position], result: object) -> None:
        """Stay for the next counter."""

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        own = hiding.of(sight, side)
        hidden = [where_it_is(sight, name) for mask in own for name in mask.units]
        found: list[Action] = [EndStep(), *(Unmask(mask.id, mask.hex) for mask in own)]
        found += [Creep(mask.id, hex) for mask in own for hex in sight.map.neighbours[mask.hex] if hex]
        found += [Board(car.id, unit.id) for car in hidden if car.is_vehicle for unit in hidden if not unit.is_vehicle]
        riders = (rider for car in hidden for rider in (*sight.aboard(car.id), *stowed.held(sight, car)))
        found += [Alight(rider.id) for rider in riders]
        found += [CoverUp(unit.id) for unit in hidden]
        return (act for act in found if self.refusal(sight, side, act) is None)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Creep():
                return cannot_creep(sight, side, action)
            case Board(unit, passenger):
                return hiding.cannot_board(sight, sight.units[unit], sight.units[passenger])
            case Alight(passenger):
                return hiding.cannot_alight(sight, sight.units[passenger])
            case CoverUp(unit):
                return hiding.cannot_cover(sight, sight.units[unit])
        return hiding.cannot_unmask(sight, side, action)

    def only(self, state: Position, action: Action) -> tuple[Side, ...]:
        """Nobody sees what happens under a counter."""
        return (self.side,) if isinstance(action, Board | Alight | CoverUp) else ()

    def play(self, game: Game[Position], action: Action) -> None:
        position = game.state
        match action:
            case Creep():
                creep(game, action)
            case Unmask(counter):
                game.push(hiding.unmasking(game, counter))
            case Board():
                hiding.board(game, action)
            case Alight(passenger):
                hiding.alight(game, passenger)
            case CoverUp(unit):
                position.change(unit, full_cover=not position.units[unit].full_cover)
            case EndStep():
                for one in lurking(position, self.side):
                    occupy(position, one)
                game.pop()


def creep(game: Game[Position], action: Creep) -> None:
    """A counter moves; mines and barrages in its hex reveal and attack it, and so does an enemy who spots it.

    Rules: [7.2.2.2, 7.2.2.1-spot, 7.2.2.3].
    """
    position = game.state
    mask = position.masks[action.counter]
    spent = tuple(cost for cost in costs(position, mask, action.to) if isinstance(cost, int))
    foot = hiding.decoy(position, mask)
    fast = mask.fast or (not mask.units and sum(spent) > allowed_to(position, replace(foot, command="move"), Going()))
    after = replace(mask, hex=action.to, spent=spent, moved=True, spot="move", fast=fast)
    position.masks[mask.id] = after
    for name in after.units:
        hiding.uproot(position, name, action.to)
    places = (mask.hex, action.to)
    game.tell(Event("moved", "A HIDDEN UNIT counter moves to {}", (action.to,), "7.2.2.2", (), places))
    field = any(minefields.field_in(position, unit, action.to) for unit in hiding.stands_for(position, after))
    if field or barrages.lying(position, action.to):
        units = after.units
        game.push(hiding.unmasking(game, mask.id))
        for name in units:
            mines.strike(game, name)
            barrages.meet(game, name, ())
    else:
        hiding.look(game)
