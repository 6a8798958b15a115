"""Orders written by both sides at once: fire is revealed order by order as it is used, the rest at the end."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action
from opfire.core.events import Event
from opfire.core.flow import Frame, Sequence
from opfire.core.plot import Commit, Plot
from opfire.core.ruleset import Ruleset
from rulesets.kit import HERE, Pass, State, Turns, no, not_own, setting, unknown, view

ORDERS, MOST_FIRE, RANGE, LENGTH = ("advance", "fire", "hold"), 2, 6, 12
HIDDEN = "?"


class Unit(msgspec.Struct, frozen=True):
    id: str
    side: str
    at: int
    order: str = ""  # empty: none; "?": one that this side does not know
    open: bool = False


class Order(Action):
    unit: str
    order: str


class HandIn(Commit, frozen=True):
    orders: tuple[Order, ...] = ()


class Fire(Action):
    unit: str
    target: str


class Writing(Plot):
    """Every unit gets an order [1.1]; at most two of a side fire [1.2]."""

    takes, writes, step, rule, question = (HandIn,), (Order,), "plot", "1.1", "Write the orders of {side}"
    sheets: tuple[tuple[str, tuple[Order, ...]], ...] = ()

    def begin(self, game):
        game.swap(replace(self, waiting=tuple(side for side in game.state.setting.order if game.state.of(side))))

    def units(self, sight, side):
        return [unit.id for unit in sight.of(side)]

    def orders(self, sight, side, unit):
        return [Order(unit, order) for order in ORDERS]

    def bad_order(self, sight, side, order):
        if order.unit not in sight.units:
            return no("There is no {}", "procedure", order.unit)
        unheard = no("{} is not an order", "1.1", order.order) if order.order not in ORDERS else None
        return not_own(sight, order.unit, side) or unheard

    def bad_sheet(self, sight, side, orders):
        written = {order.unit for order in orders}
        if left := next((unit for unit in self.units(sight, side) if unit not in written), None):
            return no("{} has no order", "1.1", left)
        firing = sum(order.order == "fire" for order in orders)
        return no("{} units fire, at most {} may", "1.2", firing, MOST_FIRE) if firing > MOST_FIRE else None

    def least(self, sight, side):
        return tuple(Order(unit, "hold") for unit in self.units(sight, side))

    def handed_in(self, game, sheets):
        for orders in sheets.values():
            for order in orders:
                game.state.change(order.unit, order=order.order, open=False)


class Fires(Frame):
    """Units ordered to fire do so one by one, or stay hidden; each shot reveals its order [2.1]."""

    takes, step, rule, question = (Fire, Pass), "fire", "2.1", "Fire with a unit of {side}, or pass"

    def actors(self, sight, side):
        return (NOBODY, *(unit.id for unit in sight.of(side)))

    def acts(self, sight, side, actor):
        if actor == NOBODY:
            return [Pass()]
        targets = (Fire(actor, other.id) for other in sight.units.values() if other.side != side)
        return [shot for shot in targets if not self.refusal(sight, side, shot)]

    def refusal(self, sight, side, action):
        if isinstance(action, Pass) or (refusal := not_own(sight, action.unit, side)):
            return None if isinstance(action, Pass) else refusal
        unit, target = sight.units[action.unit], sight.units[action.target]
        if unit.order != "fire" or unit.open:
            return no("{} is not ordered to fire", "2.2", unit.id)
        if target.side == side or abs(target.at - unit.at) > RANGE:
            return no("{} cannot be fired at", "2.3", target.id)
        return None

    def play(self, game, action):
        if isinstance(action, Pass):
            return game.pop()
        reveal(game, action.unit)
        (number,) = game.roll(1, 6)
        game.tell(Event("fired", "{} fires at {}: {}", (action.unit, action.target, number), "2.4", dice=(number,)))
        if number >= 4:
            reveal(game, action.target)
            del game.state.units[action.target]


class SecondFires(Fires):
    def begin(self, game):
        game.swap(replace(self, side=game.state.setting.other(self.side)))


class Advances(Frame):
    """All other orders are revealed at once, and carried out [3.1]."""

    def asks(self, sight):
        return ()

    def begin(self, game):
        for unit in list(game.state.units.values()):
            reveal(game, unit.id)
            if unit.order == "advance":
                by = 1 if unit.side == game.state.setting.order[0] else -1
                game.state.change(unit.id, at=min(max(unit.at + by, 0), LENGTH - 1))
        game.pop()


def reveal(game, unit):
    if not game.state.units[unit].open:
        game.state.change(unit, open=True)
        game.disclose(unit)
        game.tell(Event("revealed", "{}: {}", (unit, game.state.units[unit].order), "1.3", (unit,)))


TURN = Sequence("Plots toy: turn", Writing, Fires, SecondFires, Advances)


class Game(Turns):
    def turn(self, state):
        return TURN(self.side)


def sight(state, side):
    secret = {id: unit for id, unit in state.units.items() if unit.side != side and unit.order and not unit.open}
    return replace(state, units={**state.units, **{id: replace(u, order=HIDDEN) for id, u in secret.items()}})


def imagined(seen, stack, side, rng):
    state = seen.copy()
    for own in state.setting.order:
        secret = [unit.id for unit in state.of(own) if unit.order == HIDDEN]
        shown = sum(unit.order == "fire" for unit in state.of(own))
        for unit in secret:
            order = ORDERS[int(rng.random() * 3)] if shown < MOST_FIRE else ("advance", "hold")[int(rng.random() * 2)]
            shown += order == "fire"
            state.change(unit, order=order)
    return state, tuple(drawn(frame, state, side, rng) for frame in stack)


def drawn(frame, state, side, rng):
    """The sheets that others have handed in are drawn too; which of them have is seen."""
    if not isinstance(frame, Writing):
        return frame
    others = [own for own in state.setting.order if own != side and own not in frame.waiting and state.of(own)]
    sheets = ((own, tuple(Order(unit, "hold") for unit in frame.units(state, own))) for own in others)
    return replace(frame, sheets=(*frame.sheets, *sheets))


def start(given):
    places = {given.order[0]: 0, given.order[1]: LENGTH - 1}
    return State(given, {id: Unit(id, side, places[side]) for id, side, _ in given.ids()}), Game(given.order[0])


RULESET = Ruleset(
    id="toy-plots", title="Plots", edition="toy", version="1", package=HERE, state=State[Unit],
    frames=(Game, Writing, Fires, SecondFires, Advances), actions=(HandIn, Fire, Pass, Order),
    setting=setting, start=start, view=view, unknown=unknown, sight=sight, imagined=imagined,
)  # fmt: skip
