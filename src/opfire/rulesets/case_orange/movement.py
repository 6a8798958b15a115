"""Movement [5.0]: costs, roads, blocks, mines, carrying, entering and leaving the map."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Literal

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.kit.boards import already_there
from opfire.rulesets.case_orange.carrying import (
    CARRIERS,
    Load,
    Unload,
    cannot_drop_off,
    cannot_pick_up,
    leave_dug_in,
    loadings,
    set_down,
    take_aboard,
)
from opfire.rulesets.case_orange.costs import (
    allowance,
    closed_hex,
    gully_surcharge,
    half_allowance,
    link_cost,
    mover,
    no_way,
    off_road_cost,
    road_between,
    road_negated,
    step_cost,
    terrain_cost,
)
from opfire.rulesets.case_orange.pieces import (
    FOOT,
    Below,
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    carried,
    not_eligible,
    not_yours,
    off_the_map,
    overstacked,
)
from opfire.rulesets.case_orange.reaction import OpportunityFire, able_to_react, window
from opfire.rulesets.case_orange.registration import drop_registration
from opfire.rulesets.case_orange.spotting import reveal


class Move(Action, frozen=True):
    """Move a unit one hex on; `below` takes it under the works that stand there [10.1.2]."""

    says = "{unit} moves to {to}"
    kind = "move"
    unit: UnitId
    to: Hex
    below: bool = False


class Stop(Action, frozen=True):
    """The unit moves no farther."""

    says = "{unit} stops"
    kind = "done"
    unit: UnitId


class ExitMap(Action, frozen=True):
    """Leave the map for good [5.8.1]."""

    says = "{unit} leaves the map"
    kind = "exit"
    final = True
    unit: UnitId


class Enter(Action, frozen=True):
    """A reinforcement comes onto the map [16.11]."""

    says = "{unit} enters at {hex}"
    kind = "move"
    unit: UnitId
    hex: Hex


class Shift(Action, frozen=True):
    """Go below the works of the unit's own hex, or come out [10.1.2]."""

    says = "{unit} takes or leaves cover"
    kind = "move"
    unit: UnitId
    below: bool


# --- checks -------------------------------------------------------------------------------------------------


def cannot_act_in(segment: str, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that does not move in this segment [5.0, 5.1.2, 5.2]."""
    return (
        not_yours(side, unit)
        or carried(unit)
        or wrong_segment(segment, unit)
        or (off_the_map(unit) if unit.status != "reserve" else None)
        or not_eligible(unit)
        or spent(unit)
    )


def wrong_segment(segment: str, unit: Unit) -> Refusal | None:
    """Vehicles move in their own segment, all other units afterwards [4.2-C5, 4.2-C6]."""
    if unit.vehicle != (segment == "vehicle"):
        rule = "4.2-C5" if unit.vehicle else "4.2-C6"
        return Refusal("{} does not move in this segment", rule, (unit.name,))
    return None


def spent(unit: Unit) -> Refusal | None:
    """A unit moves once, and not in a turn in which it loaded or unloaded [5.2, 5.7]."""
    if unit.moved:
        return Refusal("{} has moved this turn", "5.2", (unit.name,))
    if unit.locked:
        return Refusal("{} was loaded or unloaded this turn", "5.7", (unit.name,))
    if unit.kind.movement == 0 and unit.carrier is None:
        return Refusal("{} cannot move by itself", "2.0-G10", (unit.name,))
    return None


def not_next(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """Movement traces hex by hex, each next to the last [5.0, 2.0-G03]."""
    assert unit.hex is not None
    if to not in position.map.neighbours[unit.hex]:
        return already_there(unit, to, "5.0") or Refusal("{} is not adjacent to {}", "5.0", (to, unit.hex))
    return None


def enemy_there(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """Hexes with enemy units are entered only to overrun them [5.2.1]."""
    holder = position.holder(to)
    if holder is not None and holder != unit.side:
        return Refusal("Enemy units are in {}", "5.2.1", (to,))
    return None


def blocked(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """A block is entered only by a unit that began its move next to it [5.5.1]."""
    if position.work(to).block and unit.steps > 0:
        return Refusal("{} is blocked: begin the move next to it", "5.5.1", (to,))
    return None


def too_dear(unit: Unit, price: int, left: int) -> Refusal | None:
    """Not enough movement factors left [5.1]."""
    if affordable(unit, price, left):
        return None
    return Refusal("It costs {} of the {} movement factors left", "5.1", (price / 2, left / 2))


def affordable(unit: Unit, price: int, left: int) -> bool:
    """Whether a step of this price can be made with `left` half factors; factor 1 always buys a first hex [5.1.3]."""
    return price <= left or (unit.kind.movement == 1 and unit.steps == 0)


def bad_shelter(position: Position, unit: Unit, hex: Hex, below: bool) -> Refusal | None:
    """Only foot soldiers go below works by moving [10.1.2, 10.3.5, 10.4.5], whichever side built them [10.1.3]."""
    if not below:
        return None
    works = position.work(hex)
    if not shelters(position, hex):
        return Refusal("There are no works in {} to go below", "10.1.2", (hex,))
    if unit.kind.type not in FOOT:
        return Refusal("{} cannot go below works", "10.4.5" if works.fort else "10.3.5", (unit.name,))
    return None


def shelter(position: Position, hex: Hex) -> Below:
    """The works in a hex that a unit can go below."""
    return "fort" if position.fort(hex) is not None else "position"


def cannot_step(position: Position, unit: Unit, to: Hex, left: int, below: bool) -> Refusal | None:
    """Reject a unit that may not move to that hex now."""
    if refusal := not_next(position, unit, to):
        return refusal
    return cannot_go_on(position, unit, to, off_road_cost(position, unit, str(unit.hex), to), left, below)


def cannot_go_on(position: Position, unit: Unit, to: Hex, price: int, left: int, below: bool) -> Refusal | None:
    """Reject a unit that may not move to that neighbour, with the price of the step off road."""
    a = unit.hex
    assert a is not None
    road = road_between(position, unit, a, to)
    if price < 0 and (refusal := no_way(position, unit, a, to, road)):
        return refusal
    return (
        enemy_there(position, unit, to)
        or blocked(position, unit, to)
        or bad_shelter(position, unit, to, below)
        or too_dear(unit, step_cost(position, unit, a, to, road), left)
        or overstacked(position, unit, to, shelter(position, to) if below else "")
    )


def steps(position: Position, unit: Unit, left: int) -> Iterator[Move]:
    """Every step that the unit could make with `left` half factors."""
    assert unit.hex is not None
    ground, works, stacks = position.setting.ground, position.works, position.stacks
    links = ground.links[unit.hex]
    for to, price in ground.prices[mover(unit)][unit.hex].items():
        if price >= 0 and to not in stacks and to not in works and to not in links:
            # The hex is empty and no road leads to it: only the price of the ground counts.
            if affordable(unit, price, left):
                yield Move(unit.id, to)
            continue
        if cannot_go_on(position, unit, to, price, left, False) is None:
            yield Move(unit.id, to)
        if to in works and shelters(position, to) and cannot_go_on(position, unit, to, price, left, True) is None:
            yield Move(unit.id, to, True)


def shelters(position: Position, hex: Hex) -> bool:
    """Whether there are works to go below by moving."""
    works = position.work(hex)
    return works.position or works.fort is not None


# --- leaving and entering the map [5.8] ---------------------------------------------------------------------


def edge_road(position: Position, unit: Unit, hex: Hex) -> str:
    """The best road or track that leads off the map in this hex and is open to the unit, if any [5.8.1]."""
    links = position.map.cells[hex].links
    found = [links[way] for way in position.map.off_map_links(hex)]
    if "highway" not in found and position.setting.has("16.1"):
        found = ["track" for _ in found]
    for road in ("highway", "road", "track"):
        if road in found and not road_negated(position, unit, hex, "track" if road == "track" else "road"):
            return road
    return ""


def exit_cost(position: Position, unit: Unit) -> int:
    """By road the road rate [5.8.1], otherwise as into clear terrain, out of a gully too [5.4.17.1]."""
    assert unit.hex is not None
    if road := edge_road(position, unit, unit.hex):
        return link_cost(position, unit, road)
    clear = position.charts.hex_costs["clear"]
    price = (clear.class_c if unit.kind.weapon == "C" else clear.other) or 0
    return price + gully_surcharge(position, unit, unit.hex)


def cannot_exit(position: Position, unit: Unit, left: int) -> Refusal | None:
    """Reject a unit that may not leave the map here [5.8.1]."""
    if unit.hex not in position.setting.exits[unit.side]:
        return Refusal("{} may not leave the map in {}", "5.8.1", (unit.name, unit.hex))
    return too_dear(unit, exit_cost(position, unit), left)


def exits(position: Position, unit: Unit, left: int) -> Iterator[ExitMap]:
    """The action of leaving the map, if the unit can."""
    if unit.hex in position.setting.exits[unit.side] and cannot_exit(position, unit, left) is None:
        yield ExitMap(unit.id)


def leave_map(game: Game[Position], unit_id: UnitId) -> None:
    """Take the unit and its load out of play, not eliminated [5.8.1]."""
    position = game.state
    unit = position.units[unit_id]
    hex = str(unit.hex)
    leave_dug_in(game, unit)
    for leaver in (unit_id, unit.cargo):
        if leaver is not None:
            position.exits[leaver] = hex
    position.lift(unit_id, "exited")
    game.tell(Event("exited", "{} leaves the map in {}", (unit.name, hex), "5.8.1", (unit_id,), (hex,)))


def cannot_enter(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a reinforcement that may not come on there now [16.11]."""
    if unit.status != "reserve" or unit.id not in position.setting.entries:
        return Refusal("{} is not a reinforcement", "16.11", (unit.name,))
    turn, hexes = position.setting.entries[unit.id]
    if position.turn < turn:
        return Refusal("{} arrives in turn {}", "16.11", (unit.name, turn))
    if hex not in hexes:
        return Refusal("{} cannot enter the map at {}", "16.11", (unit.name, hex))
    return (
        enemy_there(position, unit, hex)
        or (closed_hex(position, unit, hex) if not edge_road(position, unit, hex) else None)
        or too_dear(unit, entry_cost(position, unit, hex), allowance(unit))
        or overstacked(position, unit, hex)
    )


def entry_cost(position: Position, unit: Unit, hex: Hex) -> int:
    """The cost of the entry hex: the road rate if a road leads in [16.11]."""
    if road := edge_road(position, unit, hex):
        return link_cost(position, unit, road)
    return max(0, terrain_cost(position, unit, hex))


# --- what happens on the way --------------------------------------------------------------------------------


def go(game: Game[Position], unit: Unit, to: Hex, road: str, below: bool) -> None:
    """Move the unit, its load with it [5.4.3], into the next hex, with all effects except fire."""
    position = game.state
    drop_registration(game, unit.id)
    leave_dug_in(game, unit)
    position.put(
        unit.id,
        to,
        below=shelter(position, to) if below else "",
        steps=unit.steps + 1,
        moved=True,
        along_road=bool(road),
        charges=0,
    )
    where = (unit.hex, to) if unit.hex else (to,)
    game.tell(Event("moved", "{} moves to {}", (unit.name, to), "5.0", (unit.id,), where))
    reveal(game, unit.id, "spotted")


def pace(position: Position, unit: Unit, a: Hex, b: Hex, road: str) -> int:
    """The cost of a step without the road rate; negative for a step that needs the road."""
    return step_cost(position, unit, a, b, road) if road == "track" else off_road_cost(position, unit, a, b)


def pace_out(position: Position, unit: Unit, price: int) -> None:
    """The road rate is optional [5.4, 5.4.2]: a unit used it if it got farther than without [9.7-P9]: R73."""
    most = allowance(unit)
    if price < 0:
        price = most + 1
    elif unit.kind.movement == 1 and unit.steps == 0:
        price = min(price, most)  # 5.1.3
    paces = unit.paces + price
    position.change(unit.id, paces=paces, road=paces > most)


def halted(game: Game[Position], unit_id: UnitId) -> bool:
    """Mines and blocks end the move; mines invert the unit too [13.1, 5.5.1]."""
    position = game.state
    unit = position.units[unit_id]
    if unit.hex is None:
        return True
    works = position.work(unit.hex)
    if works.mines:
        position.change(unit_id, face_up=False)
        game.tell(
            Event("mines", "{} is stopped by mines in {}", (unit.name, unit.hex), "13.1", (unit_id,), (unit.hex,))
        )
        return True
    return works.block


# --- frames -------------------------------------------------------------------------------------------------


class Moving(Frame, frozen=True):
    """One unit under way [5.1.4]; `left` counts half movement factors, `ending` is set once it must stop."""

    takes = (Move, Stop, Load, Unload, ExitMap)
    rule = "5.1"
    question = "Move {unit} on, or stop"
    unit: UnitId
    left: int
    ending: bool = False
    segment: Literal["vehicle", "non-vehicle"] = "vehicle"
    step = "moving"

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        """Go on, if nothing happened in the other side's window [6.3]."""
        unit = game.state.units[self.unit]
        over = self.ending or unit.hex is None or unit.dispersed or not unit.face_up
        if over or next(iter(self._ways_on(game.state)), None) is None:
            game.pop()

    def _ways_on(self, position: Position) -> Iterator[Action]:
        unit, left = position.units[self.unit], self.left
        return chain(steps(position, unit, left), exits(position, unit, left), loadings(position, unit, left))

    def actors(self, sight: Position, side: str) -> tuple[str, ...]:
        return (NOBODY, self.unit)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return iter((Stop(self.unit),)) if actor == NOBODY else self._ways_on(sight)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        unit = sight.units[self.unit]
        match action:
            case Move(name, to, below):
                return self._another(sight, name) or cannot_step(sight, unit, to, self.left, below)
            case Load(carrier, passenger):
                return self._another(sight, carrier) or cannot_pick_up(sight, unit, sight.units[passenger], self.left)
            case Unload(carrier):
                return self._another(sight, carrier) or cannot_drop_off(sight, unit, self.left)
            case ExitMap(name):
                return self._another(sight, name) or cannot_exit(sight, unit, self.left)
            case Stop(name):
                return self._another(sight, name)
        return None

    def _another(self, position: Position, unit_id: UnitId) -> Refusal | None:
        """A unit finishes its move before the next begins [5.1.4]."""
        if unit_id != self.unit:
            return Refusal("Finish the move of {} first, or stop it", "5.1.4", (position.units[self.unit].name,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Stop():
                game.pop()
            case Move(_, to, below):
                step(game, self, to, below)
            case Load(carrier, passenger):
                game.swap(replace(self, ending=True))
                take_aboard(game, carrier, passenger)
                loaded = game.state.units[carrier]
                ask_on_the_spot(game, self.side, str(loaded.hex), movers(loaded))
            case Unload(carrier):
                unload_on_the_way(game, self, carrier)
            case ExitMap(name):
                leave_map(game, name)
                game.pop()

    def prompt(self, sight: Position, side: str) -> str:
        question = say(self.question, unit=sight.units[self.unit].name)
        return say("{} ({:g} movement factors left)", question, self.left / 2)


class GoingBelow(Frame, frozen=True):
    """A unit that was fired at in the open now goes below [10.1.2]: the other reading of RULINGS.md R64."""

    unit: UnitId

    def begin(self, game: Game[Position]) -> None:
        hex = game.state.units[self.unit].hex
        if hex is not None:
            unit = game.state.change(self.unit, below=shelter(game.state, hex))
            words = "{} goes below the works in {}"
            game.tell(Event("moved", words, (unit.name, hex), "10.1.2", (self.unit,), (hex,)))
        game.pop()


def step(game: Game[Position], moving: Moving, to: Hex, below: bool) -> None:
    """Move one hex farther, then open the other side's window [6.1.3]; a unit going below is already there:
    RULINGS.md R64.
    """
    position = game.state
    unit = position.units[moving.unit]
    assert unit.hex is not None
    road = road_between(position, unit, unit.hex, to)
    left = max(0, moving.left - step_cost(position, unit, unit.hex, to, road))
    in_the_open = below and position.setting.has("R64")
    go(game, unit, to, road, below and not in_the_open)
    pace_out(position, unit, pace(position, unit, unit.hex, to, road))
    arrive(game, moving, left, (GoingBelow(moving.side, unit.id),) if in_the_open else ())


def arrive(game: Game[Position], moving: Moving, left: int, later: tuple[Frame, ...] = ()) -> None:
    """Bring the unit into its new hex: mines and blocks act, the enemy may fire; then `later` follows."""
    ending = halted(game, moving.unit)
    game.swap(replace(moving, left=left, ending=ending))
    for frame in later:
        game.push(frame)
    unit = game.state.units[moving.unit]
    ask(game, moving.side, str(unit.hex), movers(unit))


def movers(unit: Unit) -> tuple[UnitId, ...]:
    """The units that the other side may fire at when the unit moves: itself, and riders on its armour [5.7.5]."""
    rides = unit.cargo is not None and unit.kind.weapon not in CARRIERS
    return (unit.id, str(unit.cargo)) if rides else (unit.id,)


def unload_on_the_way(game: Game[Position], moving: Moving, carrier: UnitId) -> None:
    """Unloading before or after at most half a move, not both [5.7]; it may draw fire as two units [5.7.2].

    A passenger brought farther than half a move without the road came at the road rate [5.4.3]: RULINGS.md R23.
    """
    unit = game.state.units[carrier]
    fresh = unit.steps == 0
    name = set_down(game, carrier)
    by_road = unit.paces > half_allowance(unit) and not game.state.setting.has("R23")
    game.state.change(name, road=by_road)
    game.state.change(carrier, locked=True, moved=True)
    game.swap(replace(moving, left=half_allowance(unit) if fresh else 0, ending=not fresh))
    ask_on_the_spot(game, moving.side, str(unit.hex), (carrier, name))


def ask(game: Game[Position], side: Side, hex: Hex, movers: tuple[UnitId, ...]) -> None:
    """Open the other side's window; it closes by itself when no unit can fire."""
    _open(game, window(game.state, side, hex, movers))


def ask_on_the_spot(game: Game[Position], side: Side, hex: Hex, movers: tuple[UnitId, ...]) -> None:
    """Loading and unloading draw opportunity fire [5.7.2], but enter no hex [6.2]: RULINGS.md R54."""
    _open(game, replace(window(game.state, side, hex, movers), entered=False))


def _open(game: Game[Position], reaction: OpportunityFire) -> None:
    """Open a window, unless its hex is out of reach of every unit: play goes on then."""
    if able_to_react(game.state, reaction.side, reaction.hex):
        game.push(reaction)
    else:
        game.proceed()
