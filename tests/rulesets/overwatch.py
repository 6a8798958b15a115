"""Secret commands of both sides at once, then movement under overwatch that answers overwatch."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from opfire.core.actions import Action, first
from opfire.core.events import Event
from opfire.core.flow import Exchange, Frame, Sequence
from opfire.core.ruleset import Ruleset
from rulesets.kit import HERE, Pass, State, Turns, no, not_own, setting, unknown, view

COMMANDS, RANGE, LENGTH = ("move", "overwatch"), 7, 12


class Unit(msgspec.Struct, frozen=True):
    id: str
    side: str
    at: int
    command: str = ""  # empty: none, or none that this side knows of
    done: bool = False


class Command(Action):
    unit: str
    command: str


class Step(Action):
    unit: str
    by: int


class Announce(Action):
    firer: str
    target: str


class Resolve(Action):
    final = True


class Commands(Frame):
    takes, step, rule, question = (Command,), "commands", "1.1", "Give each unit of {side} its command"
    given: tuple[tuple[str, str, str], ...] = ()

    def asks(self, sight):
        return tuple(side for side in sight.setting.order if any(self.free(sight, side)))

    def free(self, sight, side):
        return [unit.id for unit in sight.of(side) if unit.id not in self.commanded()]

    def commanded(self):
        return [unit for _, unit, _ in self.given]

    def acts(self, sight, side, actor):
        return [Command(unit, command) for unit in self.free(sight, side) for command in COMMANDS]

    def refusal(self, sight, side, action):
        return first(
            not_own(sight, action.unit, side),
            no("{} has its command", "1.1", action.unit) if action.unit in self.commanded() else None,
            no("{} is no command", "1.2", action.command) if action.command not in COMMANDS else None,
        )

    def play(self, game, action):
        after = replace(self, given=(*self.given, (game.actor, action.unit, action.command)))
        game.swap(after)
        if not after.asks(game.state):
            for _, unit, command in after.given:
                game.state.change(unit, command=command)
            game.pop()

    def seen_by(self, side):
        return replace(self, given=tuple(row for row in self.given if row[0] == side))

    def only(self, state, action):
        return (state.units[action.unit].side,)


class FirstMoves(Frame):
    takes, step, rule, question = (Step, Pass), "movement", "2.1", "Move a unit of {side}, or pass"

    def acts(self, sight, side, actor):
        steps = (Step(unit.id, by) for unit in sight.of(self.side) for by in (-1, 1))
        return [Pass(), *(step for step in steps if not self.refusal(sight, side, step))]

    def refusal(self, sight, side, action):
        if isinstance(action, Pass) or (refusal := not_own(sight, action.unit, self.side)):
            return None if isinstance(action, Pass) else refusal
        unit = sight.units[action.unit]
        on_board = action.by in (-1, 1) and 0 <= unit.at + action.by < LENGTH
        return first(
            no("{} has no move left", "2.2", unit.id) if unit.done or unit.command != "move" else None,
            None if on_board else no("{} moves one place along the road", "2.3", unit.id),
        )

    def play(self, game, action):
        if isinstance(action, Pass):
            return game.pop()
        game.state.change(action.unit, at=game.state.units[action.unit].at + action.by, done=True)
        game.tell(Event("moved", "{} moves by {}", (action.unit, action.by), "2.1"))
        game.push(Overwatch(self.side, (game.state.setting.other(self.side), self.side), (action.unit,)))


class SecondMoves(FirstMoves):
    def begin(self, game):
        game.swap(replace(self, side=game.state.setting.other(self.side)))


class Overwatch(Exchange):
    """Shots at movers, shots at firers; all are announced before any is rolled."""

    takes, rule, question = (Announce, Resolve, Pass), "3.1", "{side} may fire"
    targets: tuple[str, ...] = ()
    announced: tuple[tuple[str, str], ...] = ()

    def may_act(self, state, side):  # what commands the others have is a secret
        return any(self.in_reach(state, unit) for unit in state.of(side) if not unit.done)

    def in_reach(self, sight, unit):
        enemies = (other for other in sight.units.values() if other.side != unit.side)
        return [e.id for e in enemies if e.id in self.targets and abs(e.at - unit.at) <= RANGE]

    def shots(self, sight, side):
        for unit in sight.of(side):
            if unit.command == "overwatch" and not unit.done and unit.id not in dict(self.announced):
                yield from (Announce(unit.id, target) for target in self.in_reach(sight, unit))

    def acts(self, sight, side, actor):
        return [*self.shots(sight, self.side), Resolve() if self.announced else Pass()]

    def refusal(self, sight, side, action):
        return None if action in self.offers(sight, side) else no("{} cannot be", "3.2", action)

    def play(self, game, action):
        match action:
            case Pass():
                self.passed(game)
            case Announce(firer, target):
                game.swap(replace(self, announced=(*self.announced, (firer, target))))
            case Resolve():
                for firer, target in self.announced:
                    fire(game, firer, target)
                targets = (*self.targets, *dict(self.announced))
                sides = (game.state.setting.other(self.side), self.side)
                replace(self, announced=(), targets=targets).shot(game, sides)


def fire(game, firer, target):
    game.state.change(firer, done=True)
    if target not in game.state.units:
        return game.tell(Event("spent", "{} fires at what is gone", (firer,), "3.3"))
    (number,) = game.roll(1, 6)
    game.tell(Event("fired", "{} fires at {}: {}", (firer, target, number), "3.4", dice=(number,)))
    if number >= 4:
        del game.state.units[target]


class Game(Turns):
    def turn(self, state):
        for unit in state.units:
            state.change(unit, command="", done=False)
        return TURN(self.side)


TURN = Sequence("Overwatch toy: turn", Commands, SecondMoves, FirstMoves)


def sight(state, side):
    hidden = {id: replace(unit, command="") for id, unit in state.units.items() if not unit.done}
    return replace(state, units={**state.units, **{id: u for id, u in hidden.items() if u.side != side}})


def imagined(seen, stack, side, rng):
    state = seen.copy()
    if not any(isinstance(frame, Commands) for frame in stack):
        for unit in seen.units.values():
            state.change(unit.id, command=unit.command or COMMANDS[int(rng.random() * 2)])
    return state, stack


def start(given):
    places = {given.order[0]: -1, given.order[1]: 1}
    units = {id: Unit(id, side, (4, 7)[places[side] > 0] + places[side] * n) for id, side, n in given.ids()}
    return State(given, units), Game(given.order[0])


RULESET = Ruleset(
    id="toy-overwatch", title="Overwatch", edition="toy", version="1", package=HERE, state=State[Unit],
    frames=(Game, Commands, SecondMoves, FirstMoves, Overwatch),
    actions=(Command, Step, Announce, Resolve, Pass),
    setting=setting, start=start, view=view, unknown=unknown, sight=sight, imagined=imagined,
)  # fmt: skip
