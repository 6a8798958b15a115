"""Alternating activations with hidden units and dummies, secret rolls, and losses that the owner allots."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from opfire.core.actions import Action, first
from opfire.core.events import Event
from opfire.core.flow import Exchange, Frame
from opfire.core.ruleset import Ruleset
from rulesets.kit import HERE, Pass, State, Turns, no, not_own, setting, unknown, view

LENGTH, RANGE = 12, 4


class Piece(msgspec.Struct, frozen=True):
    """One of each side is hidden, one of the others a dummy. None is what is not known or not settled."""

    id: str
    side: str
    hidden: bool
    at: int | None
    dummy: bool | None = None
    shown: bool = False
    done: bool = False


class Field(State[Piece]):
    owing: tuple[str, ...] = ()
    exposed: tuple[str, ...] = ()  # sides whose dummy is known or gone


class Dummy(Action):
    unit: str


class Hide(Action):
    at: int


class March(Action):
    unit: str
    to: int


class Fire(Action):
    firer: str
    target: str


class Lose(Action):
    unit: str


class SetUp(Frame):
    takes, step, rule, question = (Dummy, Hide), "set-up", "3.1", "{side}: which is the dummy, where to hide?"
    dummy: str = ""

    def acts(self, sight, side, actor):
        if self.dummy:
            return [Hide(at) for at in zone(sight, self.side)]
        return [Dummy(unit.id) for unit in sight.of(self.side) if not unit.hidden]

    def refusal(self, sight, side, action):
        return None if action in self.offers(sight, side) else no("{} cannot be", "3.2", action)

    def play(self, game, action):
        if isinstance(action, Dummy):
            return game.swap(replace(self, dummy=action.unit))
        for unit in game.state.of(self.side):
            at = action.at if unit.hidden else unit.at
            game.state.change(unit.id, dummy=unit.id == self.dummy, at=at)
        game.pop()

    def seen_by(self, side):
        return self if side == self.side else replace(self, dummy="")

    def only(self, state, action):
        return (self.side,)


class Segments(Frame):
    """One activation each in turn, until both have passed."""

    takes, step, rule, question = (March, Fire, Pass), "segment", "4.1", "Activate a unit of {side}, or pass"
    passes: int = 0

    def begin(self, game):
        dice = game.roll(2, 6)
        game.tell(Event("initiative", "Initiative: {} to {}", dice, "4.0", dice=dice))
        game.swap(replace(self, side=game.state.setting.order[dice[0] < dice[1]]))

    def acts(self, sight, side, actor):
        yield Pass()
        for unit in sight.of(self.side):
            marches = (March(unit.id, at) for at in range(LENGTH))
            fires = (Fire(unit.id, target) for target in sight.units)
            yield from (act for act in (*marches, *fires) if not self.refusal(sight, side, act))

    def refusal(self, sight, side, action):
        match action:
            case March(id, to):
                unit = sight.units[id]
                enemies = (other.at for other in sight.units.values() if other.side != self.side)
                step = unit.at is not None and abs(to - unit.at) == 1
                barred = not step or not 0 <= to < LENGTH or to in enemies
                return not_ready(unit, self.side) or (no("No march to {}", "4.3", to) if barred else None)
            case Fire(id, target):
                unit, other = sight.units[id], sight.units[target]
                return first(
                    not_ready(unit, self.side),
                    no("A dummy never fires", "4.4") if unit.dummy else None,
                    no("{} is your own", "4.5", target) if other.side == self.side else None,
                    no("{} is out of range", "4.6", target) if out_of_range(unit, other) else None,
                )

    def play(self, game, action):
        other = game.state.setting.other(self.side)
        if isinstance(action, Pass) and self.passes:
            return game.pop()
        game.swap(replace(self, side=other, passes=int(isinstance(action, Pass))))
        match action:
            case Fire(firer, target):
                shoot(game, firer, target)
            case March(id, to):
                march(game, id, to)
                game.push(Ambush(other, (other,), id))


class Ambush(Exchange):
    takes, rule, question = (Fire, Pass), "5.1", "{side} may spring its ambush"
    target: str = ""

    def may_act(self, state, side):  # everybody knows that a side still hides something, but not where
        return self.target in state.units and any(unit.hidden and not unit.shown for unit in state.of(side))

    def shots(self, sight, side):
        for unit in sight.of(side):
            if unit.hidden and not unit.shown and not out_of_range(unit, sight.units[self.target]):
                yield Fire(unit.id, self.target)

    def acts(self, sight, side, actor):
        return [Pass(), *self.shots(sight, self.side)]

    def refusal(self, sight, side, action):
        return None if action in self.offers(sight, side) else no("{} cannot be", "5.2", action)

    def play(self, game, action):
        if isinstance(action, Fire):
            shoot(game, action.firer, action.target)
        self.passed(game)


class Losses(Frame):
    takes, rule, question = (Lose,), "6.1", "{side}: which of your units is lost?"

    def acts(self, sight, side, actor):
        return [Lose(unit.id) for unit in sight.of(self.side)]

    def refusal(self, sight, side, action):
        return not_own(sight, action.unit, self.side)

    def play(self, game, action):
        reveal(game, action.unit)
        del game.state.units[action.unit]
        game.pop()


class Game(Turns):
    def begin(self, game):
        for side in reversed(game.state.setting.order):
            game.push(SetUp(side))

    def turn(self, state):
        for unit in state.units:
            state.change(unit, done=False)
        return Segments(self.side)


def settle(game):
    """A hit is made good at once, before anything else goes on."""
    owing, game.state.owing = game.state.owing, ()
    for side in owing:
        if game.state.of(side):
            game.owe_choice(Losses(side))


def zone(sight, side):
    return range(4) if side == sight.setting.order[0] else range(LENGTH - 4, LENGTH)


def not_ready(unit, side):
    return no("{} cannot act", "4.2", unit.id) if unit.side != side or unit.done else None


def out_of_range(a, b):
    return a.at is None or b.at is None or abs(a.at - b.at) > RANGE


def march(game, id, to):
    """Nobody marches into a hidden enemy, but discloses it. The other side may see the secret roll."""
    game.state.change(id, done=True)
    if game.state.units[id].hidden:
        reveal(game, id)
    others = [other for other in game.state.units.values() if other.side != game.state.units[id].side]
    met = [other.id for other in others if other.at == to]
    if not met:
        game.state.change(id, at=to)
    game.tell(Event("moved", "{} marches towards {}", (id, to), "4.3"))
    keen = game.roll_secret(1, 6)[0] >= 5
    for other in [*met, *(o.id for o in others if keen and o.hidden and abs(o.at - to) <= 1)]:
        reveal(game, other)


def reveal(game, id):
    unit = game.state.units[id]
    if not unit.shown:
        game.state.change(id, shown=True)
        game.state.exposed += (unit.side,) if unit.dummy else ()
        game.tell(Event("revealed", "{} is {}", (id, "a dummy" if unit.dummy else "real"), "7.1"))


def shoot(game, firer, target):
    """A dummy that is fired at is taken away; of a side that is hit the owner chooses what is lost."""
    reveal(game, firer)
    game.state.change(firer, done=True)
    if game.state.units[target].dummy:
        reveal(game, target)
        del game.state.units[target]
        return
    (number,) = game.roll(1, 6)
    game.tell(Event("fired", "{} fires at {}: {}", (firer, target, number), "8.1", dice=(number,)))
    if number >= 4:
        game.state.owing += (game.state.units[target].side,)


def blank(unit):
    return replace(unit, dummy=None, at=None if unit.hidden else unit.at)


def sight(state, side):
    units = {id: u if u.shown or u.side == side else blank(u) for id, u in state.units.items()}
    return replace(state, units=units)


def imagined(seen, stack, side, rng):
    """For each side that has set up: a dummy where none is known, a place to hide where none is."""
    state, unset = seen.copy(), {frame.side for frame in stack if isinstance(frame, SetUp)}
    for owner in seen.setting.order:
        if owner == side or owner in unset:
            continue
        unknown = [unit for unit in seen.of(owner) if unit.dummy is None]
        maybe = [unit.id for unit in unknown if not unit.hidden and owner not in seen.exposed]
        dummy = maybe[int(rng.random() * len(maybe))] if maybe else ""
        free = [at for at in zone(seen, owner) if all(unit.at != at for unit in seen.units.values())]
        for unit in unknown:
            at = free[int(rng.random() * len(free))] if unit.hidden else unit.at
            state.change(unit.id, dummy=unit.id == dummy, at=at)
    return state, stack


def start(given):
    units = {}
    for id, side, n in given.ids():
        hidden = n == dict(given.counts)[side]
        place = n if side == given.order[0] else LENGTH - 1 - n
        units[id] = Piece(id, side, hidden, None if hidden else place)
    return Field(given, units), Game(given.order[0])


RULESET = Ruleset(
    id="toy-hidden", title="Hidden", edition="toy", version="1", package=HERE, state=Field,
    frames=(Game, SetUp, Segments, Ambush, Losses), actions=(Dummy, Hide, March, Fire, Lose, Pass),
    setting=setting, start=start, view=view, unknown=unknown, settle=settle, sight=sight, imagined=imagined,
)  # fmt: skip
