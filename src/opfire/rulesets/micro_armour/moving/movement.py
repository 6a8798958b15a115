"""The movement phase [8.1 to 8.3]: orders, movement by orders and independent movement, one group after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame, Track
from opfire.core.game import Game
from opfire.core.texts import joined, say
from opfire.rulesets.micro_armour import hiding
from opfire.rulesets.micro_armour.alternation import Begin, Pass, after_pass, next_turn
from opfire.rulesets.micro_armour.artillery import effects
from opfire.rulesets.micro_armour.close import close_assault, overrun
from opfire.rulesets.micro_armour.close.close_assault import Assault
from opfire.rulesets.micro_armour.close.overrun import Overrun
from opfire.rulesets.micro_armour.cohesion import DIE, SUCCESS, cohesion_roll, level, modifier, states, tested, to_move
from opfire.rulesets.micro_armour.formations import is_broken
from opfire.rulesets.micro_armour.moving import (
    arrivals,
    boats,
    bocage,
    cavalry,
    dismounting,
    into_fire,
    loads,
    marching,
    nerve,
    opportunity,
    transport,
    water,
)
from opfire.rulesets.micro_armour.moving.arrivals import Exit
from opfire.rulesets.micro_armour.moving.boats import Disembark
from opfire.rulesets.micro_armour.moving.cavalry import Dismount, Mount
from opfire.rulesets.micro_armour.moving.marching import Move, under_way
from opfire.rulesets.micro_armour.moving.nerve import PassArmour
from opfire.rulesets.micro_armour.moving.orders import orders
from opfire.rulesets.micro_armour.moving.points import half
from opfire.rulesets.micro_armour.moving.transport import Load, Unload
from opfire.rulesets.micro_armour.moving.water import Ford, Launch
from opfire.rulesets.micro_armour.pieces import (
    Position,
    Progress,
    Side,
    Stand,
    UnitId,
    adjacent,
    carried,
    not_yours,
    off_the_table,
)
from opfire.rulesets.micro_armour.works import obstacles
from opfire.rulesets.micro_armour.works.beneath import obstacles_of, stopping

HEADQUARTERS, INDEPENDENT, HARSH = -2, 3, 2
"""The modifiers for each headquarters of a group, for moving without orders, and for great heat or cold."""

FRESH: dict[str, Any] = {
    "moved": False, "tried": False, "spent": 0, "stretch": (0, 0), "gone": 0, "rough": 0, "unpaved": 0, "swims": False,
    "opposed": False, "covered": False, "overruns": (), "assaults": "", "balked": False, "unloaded": False,
    "again": False,
}  # fmt: skip
"""The values of a stand at the beginning of a movement phase; fire before it allows none in it [8.5.1, 12.8]."""


class Order(Action, frozen=True):
    """Let the group of a stand try to move."""

    says = "Move the group of {unit}"
    kind = "command"
    final = True
    unit: UnitId


class Stop(Action, frozen=True):
    """The stand moves no farther."""

    says = "{unit} stops"
    kind = "done"
    final = True
    unit: UnitId


class EndGroup(Action, frozen=True):
    """No other stand of the group moves now."""

    says = "The group moves no more"
    kind = "done"
    final = True


# --- orders [8.2.1] -----------------------------------------------------------------------------------------


class MovementOrders(Frame, frozen=True):
    """Each general headquarters rolls for the orders of its side [8.2.1]; a lost one issues none [8.2.2]."""

    step = "orders"
    rule = "8.2.1"

    def begin(self, game: Game[Position]) -> None:
        """Every stand begins afresh; then each general headquarters on the table rolls [8.2.1, 8.2.2].

        Orders that were not used are lost [8.2.6]. Riders that have got off tanks have half of their points [12.5], and
        none of them move that did so onto mines [11.1.5].
        """
        position = game.state
        for name in position.units:
            unit = position.units[name]
            spent = half(marching.whole_allowance(position, unit)) if unit.jumped else 0
            stuck = unit.jumped and bool(stopping(position, unit))
            values = {
                "swims": water.afloat(position, unit),
                "spent": spent,
                "moved": stuck,
                "began": unit.began or unit.at,
            }
            position.change(name, **{**FRESH, **values})
        position.progress = None
        for side in by_initiative(position):
            position.orders[side] = sum(_issued(game, unit) for unit in position.generals(side))
        game.pop()


def by_initiative(position: Position) -> tuple[Side, Side]:
    """The sides, that with the initiative first."""
    return position.initiative, position.setting.other[position.initiative]


def _issued(game: Game[Position], general: Stand) -> int:
    roll = orders(game.state.charts, general.quality)
    dice = game.roll(2, 6)
    found = int(roll.result(dice))
    facts = (general.name, found)
    game.tell(Event("orders", "{}: {} movement orders", facts, "8.2.1", (general.id,), (), tuple(dice), roll))
    return found


# --- groups -------------------------------------------------------------------------------------------------


def group_of(position: Position, unit: Stand) -> list[Stand]:
    """The movement group of a stand as it is now, in the order of the side [8.1.1, 8.2.4-split].

    Those left behind form a group of their own, or several where contact is lost.
    """
    waiting = [other for other in position.of(unit.side) if other.group == unit.group and not other.moved]
    found, edge = {unit.id}, [unit]
    while edge:
        here = edge.pop()
        near = [other for other in waiting if other.id not in found and adjacent(here, other)]
        found.update(other.id for other in near)
        edge += near
    return [other for other in waiting if other.id in found]


def cannot_order(position: Position, side: Side, unit: Stand, independent: bool) -> Refusal | None:
    """Reject a stand whose group does not try to move now [8.1.2, 8.2.7, 8.2.8]."""
    if refusal := not_yours(side, unit) or off_the_table(unit) or carried(unit):
        return refusal
    if unit.posture == "firing":
        return Refusal("{} was not marked to move.", "8.1.2", (unit.name,))
    if unit.moved:
        return Refusal("{} has moved.", "8.2.8", (unit.name,))
    if unit.fired and is_broken(position, unit):
        return Refusal("{} has fired, and its force is broken.", "12.1.5-7", (unit.name,))
    if independent and unit.tried:
        return Refusal("{} has tried to move independently in this turn.", "8.2.7", (unit.name,))
    return None


def groups_to_try(position: Position, side: Side, independent: bool) -> Iterator[list[Stand]]:
    """The groups of a side that may try to move now, in the order of their first stands: those that it may order.

    [8.1.1, 8.2.3, 8.2.7]
    """
    seen = set[UnitId]()
    for unit in position.of(side):
        if unit.id not in seen and cannot_order(position, side, unit, independent) is None:
            group = group_of(position, unit)
            seen.update(each.id for each in group)
            yield [each for each in group if cannot_order(position, side, each, independent) is None]


RANKS = ("GHQ", "HQ", "")
"""The stands for which a group is named: its headquarters before all others."""


def speaker(group: Iterable[Stand]) -> Stand:
    """The stand for which a group is named: its headquarters, or its first stand."""
    return min(group, key=lambda unit: RANKS.index(unit.rank))


def movement_roll(position: Position, unit: Stand, group: Iterable[Stand], independent: bool) -> Calculation:
    """The roll of a stand of a group: it moves with its own modifiers to the group's one die [8.2.4-roll, 8.2.8].

    It moves by an order, or independently [8.1.4].
    """
    lines = [*states(unit), *_leaders(position, group), *loads.sluggish(position, unit)]
    if independent and not unit.recon:
        lines.append(modifier("without orders", INDEPENDENT, "8.2.8"))
    if _suffers(position, unit):
        lines.append(modifier("extreme heat or cold", HARSH, "9.6.2-extreme"))
    title = "independent movement" if independent else "ordered movement"
    rule = "8.2.8" if independent else "8.2.4-roll"
    return cohesion_roll(title, rule, to_move(position, unit), lines)


def group_rolls(
    position: Position, group: Sequence[Stand], independent: bool
) -> Iterator[tuple[list[Stand], Calculation]]:
    """The rolls that a group's one die stands for: one for all its stands that have the same modifiers [8.2.4-roll]."""
    alike: dict[Calculation, list[Stand]] = {}
    for unit in group:
        alike.setdefault(movement_roll(position, unit, group, independent), []).append(unit)
    return ((stands, roll) for roll, stands in alike.items())


def _leaders(position: Position, group: Iterable[Stand]) -> Iterator[Line]:
    """The help of each headquarters in the group, whatever its quality [10.1.2].

    Carried ones help too, unless the other reading is on: RULINGS.md R105.
    """
    carried = not position.setting.has("R105")
    stands = (each for unit in group for each in (unit, *(position.pick(unit.cargo) if carried else ())))
    return (modifier(unit.name, HEADQUARTERS, "10.1.2") for unit in stands if unit.rank)


def _suffers(position: Position, unit: Stand) -> bool:
    """Return whether extreme weather hampers a stand: dismounted personnel and weapons with a P [9.6.2-extreme].

    Troops on horses and on motorcycles are not dismounted.
    """
    weather = position.setting.sections.weather
    rides = unit.kind.has("cavalry") or unit.kind.has("motorcycle")
    return unit.personnel and not rides and ("extreme heat" in weather or "extreme cold" in weather)


# --- ordered and independent movement -----------------------------------------------------------------------


class GroupMovement(Frame, frozen=True):
    """Sides try to move groups in turn: with orders while they have any, then independently [4.0-6, 8.2.3, 8.2.7].

    `begun` says that the side with the initiative has named the side that tries first [8.2.3-alternate], `restless`
    that the side on turn has failed to stand fast and has to move a group [12.6].
    """

    takes: ClassVar[tuple[type[Action], ...]] = (Begin, Order, Pass)
    step = "movement"
    rule = "8.2.3-alternate"
    independent: bool = False
    begun: bool = False
    passed: tuple[Side, ...] = ()
    restless: bool = False

    def begin(self, game: Game[Position]) -> None:
        _ask(game, replace(self, side=game.state.initiative))

    def alternation(self) -> tuple[Side, ...]:
        return self.passed

    def tracks(self, sight: Position) -> Iterator[Track]:
        """The orders that each side has left, while groups move by orders [8.2.1, 8.2.6]."""
        if not self.independent:
            for side in sight.setting.sides:
                yield Track(side, say("Movement orders"), sight.orders.get(side, 0), "8.2.1")

    def prompt(self, sight: Position, side: str) -> str:
        if not self.begun:
            ordered, independent = (
                "You have the initiative: which side tries to move a group first?",
                "You have the initiative: which side tries first to move a group without orders?",
            )
            return say(independent if self.independent else ordered)
        if self.independent:
            return say("Let a group try to move without orders, or pass")
        left = sight.orders.get(side, 0)
        several, single = (
            "Order a group to move ({} orders left), or decline",
            "Order a group to move ({} order left), or decline",
        )
        return say(single if left == 1 else several, left)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        if self.begun:
            yield from (speaker(group).id for group in groups_to_try(sight, side, self.independent))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if not self.begun:
            yield from (Begin(first) for first in sight.setting.sides)
        elif actor == NOBODY:
            if not self.restless:
                yield Pass()
        else:
            yield Order(actor)

    def refusal(self, sight: Position, side: str, action: Any) -> Refusal | None:
        if isinstance(action, Begin):
            known = action.first in sight.setting.sides and not self.begun
            return None if known else Refusal("It is settled who begins.", PROCEDURE)
        if not self.begun:
            return Refusal("Say first which side begins.", "8.2.3-alternate")
        if isinstance(action, Pass):
            words = "Your troops did not stand fast: choose a group to move."
            return Refusal(words, "12.6") if self.restless else None
        return cannot_order(sight, side, sight.units[action.unit], self.independent)

    def play(self, game: Game[Position], action: Any) -> None:
        match action:
            case Begin(first):
                _ask(game, replace(self, side=first, begun=True))
            case Pass() if game.state.setting.has("12.6") and not self.independent:
                stand_fast(game, self)
            case Pass():
                _passed(game, self)
            case Order(unit):
                calm = replace(self, restless=False)
                game.swap(calm)
                try_to_move(game, calm, unit)

    def resume(self, game: Game[Position], result: object) -> None:
        """The other side tries the next group."""
        _ask(game, next_turn(self, game.state.setting.other))


def _passed(game: Game[Position], frame: GroupMovement) -> None:
    """A side that declines once moves no more groups of this kind [8.2.3-decline]."""
    after = after_pass(frame, game.state.setting.other)
    if after is not None:
        return _ask(game, after)
    if frame.independent:
        return game.pop()
    _ask(game, GroupMovement(game.state.initiative, independent=True))


def stand_fast(game: Game[Position], frame: GroupMovement) -> None:
    """Spend an order and roll: success passes the turn to the other side, failure forces a group to move [12.6]."""
    position = game.state
    position.orders[frame.side] -= 1
    steady = steadies(position, frame.side)
    roll = steady_roll(position, steady)
    if roll.result([tested(game, steady, roll)]) == SUCCESS:
        return _ask(game, next_turn(frame, position.setting.other))
    _ask(game, replace(frame, restless=can_try(position, frame.side, independent=False)))


def steadies(position: Position, side: Side) -> Stand:
    """The stand that rolls for its side to stand fast: a general headquarters, or the first stand [12.6]."""
    return next(iter(position.generals(side)), position.of(side)[0])


def steady_roll(position: Position, unit: Stand) -> Calculation:
    """The roll to stand fast, by the states of the stand that makes it [12.6]."""
    return cohesion_roll("to stand fast", "12.6", level(position, unit), states(unit))


def _ask(game: Game[Position], frame: GroupMovement) -> None:
    """Ask the side on turn [4.0-6]; a side that has nothing to try has declined."""
    position = game.state
    if not frame.begun:
        able = [side for side in position.setting.sides if can_try(position, side, frame.independent)]
        if len(able) == 2:
            return game.swap(frame)
        return _ask(game, replace(frame, side=able[0] if able else frame.side, begun=True))
    if can_try(position, frame.side, frame.independent):
        return game.swap(frame)
    game.swap(frame)
    _passed(game, frame)


def can_try(position: Position, side: Side, independent: bool) -> bool:
    """Return whether a side has a group that may try to move, and an order for it if it needs one."""
    if not independent and not position.orders.get(side, 0):
        return False
    return any(cannot_order(position, side, unit, independent) is None for unit in position.of(side))


def try_to_move(game: Game[Position], frame: GroupMovement, unit_id: UnitId) -> None:
    """Roll one die for the group; those within their own cohesion may move [8.2.4-roll, 8.2.4-split, 8.2.5]."""
    position = game.state
    group = group_of(position, position.units[unit_id])
    (number,) = game.roll(1, DIE)
    movers = _may_move(game, frame, group, number)
    able = [unit.id for unit in group if unit.id in movers]
    spend(position, frame, group, number)
    stay = [unit.id for unit in group if unit.id not in able and transport.may_unload(position, unit.id)]
    if able or stay:
        return game.push(GroupMove(frame.side, (*able, *stay), tuple(stay)))
    frame.resume(game, None)


def _may_move(game: Game[Position], frame: GroupMovement, group: list[Stand], number: int) -> set[UnitId]:
    """Tell what the die is for the stands of a group, and return those that may move."""
    able: set[UnitId] = set()
    for stands, roll in [*group_rolls(game.state, group, frame.independent)]:
        outcome = roll.result([number])
        names = tuple(unit.id for unit in stands)
        places = tuple(unit.at for unit in stands if unit.at is not None)
        verdict = "may move" if outcome == SUCCESS else "must stay"
        facts = (joined(unit.name for unit in stands), roll.title, number, verdict)
        game.tell(Event("cohesion", "{}: {}, {} rolled, {}", facts, roll.rule, names, places, (number,), roll))
        if outcome == SUCCESS:
            able.update(names)
    return able


def spend(position: Position, frame: GroupMovement, group: list[Stand], number: int) -> None:
    """Count the attempt: an order is spent [8.2.4-cost], or the group has tried on its own [8.2.7].

    A natural 1 may save the order [12.2.4], a natural 20 may leave the group in doubt for the turn [12.2.5].
    """
    if frame.independent:
        for unit in group:
            position.change(unit.id, tried=True)
    elif not saves_order(position, group, number):
        position.orders[frame.side] -= 1
    if number == DIE and position.setting.has("12.2.5"):
        for unit in group:
            position.change(unit.id, moved=True)


INTUITIVE = 15
"""The cohesion from which the leaders of a group may act on their own [12.2.4]."""


def saves_order(position: Position, group: list[Stand], number: int) -> bool:
    """Return whether the group moves on its own initiative, so that the order is not spent [12.2.4]."""
    return number == 1 and position.setting.has("12.2.4") and level(position, group[0]) >= INTUITIVE


# --- the stands of a group, one at a time [8.1.3] -------------------------------------------------------------


class Chapter(NamedTuple):
    """The part that a chapter plays in the move of a stand: its actions, each with the id of its `unit`.

    `offers` are those of a stand that may move, idle or under way; `refusal` judges them; `play` acts on a stand whose
    `Progress` is in the position, and may halt it there.
    """

    takes: tuple[type[Action], ...]
    offers: Callable[[Position, Stand], Iterable[Offer]]
    refusal: Callable[[Position, Stand, Any], Refusal | None]
    play: Callable[[Game[Position], Any], None]


def _march(game: Game[Position], action: Move) -> None:
    marching.head_for(game.state, action)


CHAPTERS: tuple[Chapter, ...] = (
    Chapter((Move,), marching.legs, marching.cannot_march, _march),
    Chapter((PassArmour,), nerve.offers, nerve.cannot_test, nerve.play),
    Chapter((Overrun,), overrun.offers, overrun.cannot_overrun, overrun.play),
    Chapter((Load, Unload), transport.offers, transport.judge, transport.play),
    Chapter((Launch, Ford), water.offers, water.judge, water.play),
    Chapter((Dismount, Mount), cavalry.offers, cavalry.judge, cavalry.play),
    Chapter((Disembark,), boats.offers, boats.cannot_land, boats.play),
    Chapter((Exit,), arrivals.exits, arrivals.cannot_leave, arrivals.leave),
    Chapter((Assault,), close_assault.offers, close_assault.cannot_assault, close_assault.play),
)
"""The chapters with acts of a moving stand, in the order of their offers."""

TAKES: tuple[type[Action], ...] = tuple(chain.from_iterable(chapter.takes for chapter in CHAPTERS))
SUDDEN = (Exit, Ford, Disembark)
"""The acts that bring a stand elsewhere at once."""

_CHAPTER_OF = {kind: chapter for chapter in CHAPTERS for kind in chapter.takes}


def _act(game: Game[Position], action: Any) -> None:
    """Carry out an act of a moving stand; fire into which it brings a stand attacks that one [7.4.3.4, 8.4.8]."""
    position = game.state
    names = (action.unit, action.cargo) if isinstance(action, Unload) else (action.unit,)
    before = [(unit, effects.known_to(position, unit)) for unit in position.pick(names)]
    _CHAPTER_OF[type(action)].play(game, action)
    for unit, known in before:
        if position.units[unit.id].at not in (unit.at, None):
            effects.struck_on_the_way(game, unit.id, known)


def _offers(position: Position, unit: Stand, *, staying: bool) -> Iterator[Offer]:
    if staying:
        return transport.unloadings(position, unit)
    return chain.from_iterable(chapter.offers(position, unit) for chapter in CHAPTERS)


def cannot_move(position: Position, stands: tuple[UnitId, ...], unit: Stand) -> Refusal | None:
    """Reject a stand that may not move with this group now [8.2.4-roll, 8.3.1-points]."""
    if unit.id not in stands:
        return Refusal("{} has not passed the roll of this group.", "8.2.4-roll", (unit.name,))
    if unit.moved:
        return Refusal("{} has moved.", "8.3.1-points", (unit.name,))
    return off_the_table(unit) or carried(unit)


class GroupMove(Frame, frozen=True):
    """The stands of a group that passed move one at a time, where they like [8.1.3, 8.2.4-split].

    Those that `stay` are carriers that failed and may unload all the same: RULINGS.md R94.
    """

    takes: ClassVar[tuple[type[Action], ...]] = (*TAKES, EndGroup)
    step = "movement"
    rule = "8.1.3"
    question = "Move a stand of the group, or end its move"
    stands: tuple[UnitId, ...]
    stay: tuple[UnitId, ...] = ()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from self._waiting(sight)

    def _waiting(self, sight: Position) -> Iterator[UnitId]:
        units = sight.pick(self.stands)
        return (unit.id for unit in units if cannot_move(sight, self.stands, unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Offer]:
        if actor == NOBODY:
            return (EndGroup(),)
        return _offers(sight, sight.units[actor], staying=actor in self.stay)

    def refusal(self, sight: Position, side: str, action: Any) -> Refusal | None:
        if isinstance(action, EndGroup):
            return None
        unit = sight.units[action.unit]
        barred = cannot_move(sight, self.stands, unit) or transport.only_unloads(
            unit, action, staying=unit.id in self.stay
        )
        return barred or _CHAPTER_OF[type(action)].refusal(sight, unit, action)

    def play(self, game: Game[Position], action: Any) -> None:
        if isinstance(action, EndGroup):
            return self._close(game)
        game.state.progress = Progress(action.unit)
        if isinstance(action, SUDDEN):  # the enemy may fire before the stand is elsewhere [8.5.2]
            return game.push(Moving(self.side, action.unit, first=action))
        game.push(Moving(self.side, action.unit, staying=action.unit in self.stay))
        _act(game, action)

    def resume(self, game: Game[Position], result: object) -> None:
        """The next stand moves, also horses that have been let go [10.10.4].

        One that did not dare to enter the water waits for another order [8.9.2].
        """
        stands = tuple(name for name in self.stands if name != result)
        group = replace(self, stands=(*stands, *cavalry.let_go(game.state, stands)))
        game.swap(group)
        if not any(True for _ in group._waiting(game.state)):
            group._close(game)

    def _close(self, game: Game[Position]) -> None:
        """End the move of the group; by another reading its overruns are rolled first: RULINGS.md R26."""
        if not (game.state.setting.has("R26") and overrun.targets(game.state)):
            return game.pop()
        game.swap(replace(self, stands=()))
        game.push(overrun.Overruns(self.side))


class Moving(Frame, frozen=True):
    """A stand under way goes on leg by leg; `Position.progress` has what it has done [8.3.2-pay].

    One that is `staying` only unloads: RULINGS.md R94. Its `first` act waits for the fire of the enemy [8.5.2].
    """

    takes: ClassVar[tuple[type[Action], ...]] = (*TAKES, Stop)
    step = "movement"
    rule = "8.3.2-pay"
    question = "Move {unit} on, or stop"
    unit: UnitId
    stopping: bool = False
    staying: bool = False
    first: Exit | Ford | Disembark | None = None

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        """Go on inch by inch until the enemy may fire, or the leg ends and its owner decides anew [8.5.2]."""
        if isinstance(result, tuple) and (covering := opportunity.answer(game.state, result)):
            return game.push(covering)
        opportunity.go_on(game)
        while not self._pauses(game):
            self._go_on(game)

    def _go_on(self, game: Game[Position]) -> None:
        """Leave an obstacle, go an inch or to the next one, and come under impact markers."""
        stop = bocage.next_place(game.state, marching.next_inch(game.state))
        if not obstacles.set_off(game) or not bocage.break_through(game):
            return
        position = game.state
        here = [*obstacles.names(obstacles_of(position, position.units[self.unit]))]
        self._advance(game, hiding.next_place(position, obstacles.next_place(position, stop)))
        obstacles.come_upon(game, here)

    def _advance(self, game: Game[Position], stop: Fraction) -> None:
        """Go to a place of the leg; each marker strikes the stand where it comes to cover half of it [7.4.3.4]."""
        position, place = game.state, None
        while place != stop and position.units[self.unit].at is not None and under_way(position).to is not None:
            known = effects.known_to(position, position.units[self.unit])
            place = into_fire.next_place(position, stop)
            marching.bring(game, place)
            hiding.come_upon(game, self.unit)
            effects.struck_on_the_way(game, self.unit, known)

    def _pauses(self, game: Game[Position]) -> bool:
        """Pause for the enemy to fire, at the end of the move, and for the owner to decide."""
        position = game.state
        if found := opportunity.window(position):
            position.progress = replace(under_way(position), asked=position.units[self.unit].at)
            game.push(found)
            return True
        if under_way(position).through:
            overrun.drive_on(game)
        if _gone(position, self.unit) or (self.stopping and under_way(position).to is None):
            self._end(game)
            return True
        if self.first is not None:
            game.swap(replace(self, first=None))
            _act(game, self.first)
            game.resume_top()
            return True
        return under_way(position).to is None

    def _end(self, game: Game[Position]) -> None:
        """End the move; a stand that was stopped in contact may still declare an assault [8.8.2]."""
        progress = under_way(game.state)
        marching.finish(game)
        if progress.halted and not progress.waits and _may_assault(game.state, self.unit):
            return game.swap(close_assault.StoppedInContact(self.side, self.unit))
        game.pop(self.unit if progress.waits else None)

    def actors(self, sight: Position, side: str) -> Iterable[str]:
        return (self.unit,)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        yield Stop(self.unit)
        yield from _offers(sight, sight.units[self.unit], staying=self.staying)

    def refusal(self, sight: Position, side: str, action: Any) -> Refusal | None:
        if action.unit != self.unit:
            return Refusal("Finish the move of {} first, or stop it", "8.1.3", (sight.units[self.unit].name,))
        if isinstance(action, Stop):
            return None
        unit = sight.units[self.unit]
        return transport.only_unloads(unit, action, staying=self.staying) or _CHAPTER_OF[type(action)].refusal(
            sight, unit, action
        )

    def play(self, game: Game[Position], action: Any) -> None:
        if isinstance(action, Stop):
            game.swap(replace(self, stopping=True))
        else:
            _act(game, action)
        game.resume_top()

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, unit=sight.units[self.unit].name)


def _may_assault(position: Position, unit_id: UnitId) -> bool:
    return any(True for _ in close_assault.declarations(position, position.units[unit_id]))


def _gone(position: Position, unit_id: UnitId) -> bool:
    """Return whether the stand under way goes no farther: it was halted, or is lost."""
    return position.units[unit_id].at is None or under_way(position).halted


FRAMES: tuple[type[Frame], ...] = (
    arrivals.Arrivals,
    dismounting.Riders,
    MovementOrders,
    GroupMovement,
    GroupMove,
    Moving,
    opportunity.OpportunityFire,
    opportunity.CoveringFire,
    opportunity.Reacting,
    overrun.Overruns,
    close_assault.StoppedInContact,
    close_assault.CloseAssaults,
    close_assault.CloseAssault,
    close_assault.Response,
)
"""The frames of the phase."""

ACTIONS: tuple[type[Action], ...] = (
    Order,
    Stop,
    EndGroup,
    *TAKES,
    opportunity.Oppose,
    opportunity.Cover,
    opportunity.NotYet,
    opportunity.HoldFire,
    arrivals.Arrive,
    arrivals.Later,
    dismounting.GetOff,
    dismounting.HoldOn,
    close_assault.Resolve,
    close_assault.StrikeBack,
)
"""The actions of the phase that are its own."""
