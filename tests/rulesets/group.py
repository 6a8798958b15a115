"""A group that moves on one die, on a free table: opportunity fire, covering fire, a roll to go on."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Region, first
from opfire.core.events import Event
from opfire.core.flow import Exchange, Frame
from opfire.core.ruleset import Ruleset
from rulesets.kit import HERE, Pass, State, Turns, no, not_own, setting, unknown, view

MOVE, RANGE, TABLE = 3000, 9000, 24000
Point = tuple[int, int]


class Stand(msgspec.Struct, frozen=True):
    id: str
    side: str
    at: Point
    fired: bool = False


class Order(Action):
    final = True


class Move(Action):
    unit: str
    to: Point


class Fire(Action):
    firer: str
    target: str


class Orders(Frame):
    """The sides order their one group in turn; it obeys on one die."""

    takes, step, rule, question = (Order, Pass), "orders", "6.1", "Order the group of {side}?"
    left: tuple[str, ...] = ()

    def begin(self, game):
        self.resume(game, None)

    def resume(self, game, result):
        if not self.left:
            return game.pop()
        game.swap(replace(self, side=self.left[0], left=self.left[1:]))

    def acts(self, sight, side, actor):
        return [Order(), Pass()]

    def play(self, game, action):
        obeyed = isinstance(action, Order) and game.roll(1, 20)[0] <= 16
        game.tell(Event("ordered", "{}: {}", (self.side, obeyed), "6.2", dice=tuple(game.rolls)))
        if obeyed:
            return game.push(GroupMove(self.side, tuple(stand.id for stand in game.state.of(self.side))))
        self.resume(game, None)


class GroupMove(Frame):
    """Stand after stand moves; what fired at it is answered, then the group must roll to go on."""

    takes, rule, question = (Move, Pass), "6.3", "Move a stand of {side}, or end"
    left: tuple[str, ...] = ()
    moved: str = ""

    def actors(self, sight, side):
        return (NOBODY, *(stand for stand in self.left if stand in sight.units))

    def acts(self, sight, side, actor):
        if actor == NOBODY:
            return [Pass()]
        at = sight.units[actor].at
        return [Region(Move(actor, at), box(at))]

    def refusal(self, sight, side, action):
        if isinstance(action, Pass) or (refusal := not_own(sight, action.unit, self.side)):
            return None if isinstance(action, Pass) else refusal
        at, to = sight.units[action.unit].at, action.to
        far = max(abs(to[0] - at[0]), abs(to[1] - at[1])) > MOVE
        return first(
            no("{} has moved", "6.4", action.unit) if action.unit not in self.left else None,
            no("{} is too far", "6.5", to) if far else None,
            None if all(0 <= n <= TABLE for n in to) else no("{} is off the table", "6.6", to),
        )

    def play(self, game, action):
        if isinstance(action, Pass):
            return game.pop()
        game.state.change(action.unit, at=action.to)
        left = tuple(stand for stand in self.left if stand != action.unit)
        game.swap(replace(self, left=left, moved=action.unit))
        game.push(Opportunity(self.side, (game.state.setting.other(self.side),), (action.unit,)))

    def resume(self, game, result):
        """After opportunity fire (its firers) covering fire at them; after that the roll to go on."""
        if result:
            return game.push(Covering(self.side, (self.side,), result, self.moved))
        if result is None or self.moved not in game.state.units:
            (number,) = game.roll(1, 6)
            game.tell(Event("goes on", "{} rolls {} to go on", (self.side, number), "6.8", dice=(number,)))
            if number < 3:
                return game.pop()
        if not any(stand in game.state.units for stand in self.left):
            game.pop()


class Opportunity(Exchange):
    takes, rule, question = (Fire, Pass), "7.1", "{side} may fire"
    targets: tuple[str, ...] = ()
    silent: str = ""
    fired: tuple[str, ...] = ()

    def shots(self, sight, side):
        targets = [sight.units[target] for target in self.targets if target in sight.units]
        for stand in sight.of(side):
            if not stand.fired and stand.id != self.silent:
                yield from (Fire(stand.id, t.id) for t in targets if reaches(stand.at, t.at))

    def acts(self, sight, side, actor):
        return [Pass(), *self.shots(sight, self.side)]

    def refusal(self, sight, side, action):
        return None if action in self.offers(sight, side) else no("{} cannot be", "7.2", action)

    def play(self, game, action):
        if isinstance(action, Pass):
            return self.passed(game)
        game.state.change(action.firer, fired=True)
        (number,) = game.roll(1, 6)
        game.tell(Event("fired", "{} fires at {}: {}", (*msgspec.structs.astuple(action), number), "7.3"))
        if number >= 5:
            del game.state.units[action.target]
        replace(self, fired=(*self.fired, action.firer)).shot(game, self.waiting)

    def closes(self, game):
        return tuple(firer for firer in self.fired if firer in game.state.units)


class Covering(Opportunity):
    def closes(self, game):
        return None


class Game(Turns):
    def turn(self, state):
        for stand in state.units:
            state.change(stand, fired=False)
        return Orders(self.side, state.setting.order)


def box(at):
    low, high = ([min(max(n + by, 0), TABLE) for n in at] for by in (-MOVE, MOVE))
    return (*low, *high)


def reaches(a, b):
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= RANGE**2


def start(given):
    rows = {side: 6000 + 9000 * at for at, side in enumerate(given.order)}
    stands = {id: Stand(id, side, (n * 2500, rows[side])) for id, side, n in given.ids()}
    return State(given, stands), Game(given.order[0])


RULESET = Ruleset(
    id="toy-group", title="Group", edition="toy", version="1", package=HERE, state=State[Stand],
    frames=(Game, Orders, GroupMove, Opportunity, Covering), actions=(Order, Move, Fire, Pass),
    setting=setting, start=start, view=view, unknown=unknown,
)  # fmt: skip
