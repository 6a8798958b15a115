"""Mines, wire and ditches in the way of movers [11.1 to 11.3]: they stop stands, and hold those that would leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.core.texts import Text
from opfire.rulesets.micro_armour.charts import Charts
from opfire.rulesets.micro_armour.close.rolls import RESULTS, combat_roll
from opfire.rulesets.micro_armour.cohesion import FAILURE, cohesion_roll, modifier, states, tested, to_go_on
from opfire.rulesets.micro_armour.moving.marching import under_way
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, Work
from opfire.rulesets.micro_armour.results import IN_WORDS, apply_result, leave_wreck
from opfire.rulesets.micro_armour.works.beneath import (
    STOPPING,
    beneath,
    holds,
    hostile,
    obstacles_of,
    stop_upon,
    stopping,
)
from opfire.space.measure import MICRO, length
from opfire.space.squares import clip

COLUMNS: Mapping[str, int] = {"hasty": -2, "standard": 1, "concentrated": 7}
"""The column of the Combat Results Table for each concentration of a minefield [11.1.4]."""

DUMMY = "dummy"
"""The value of a marker that is no minefield [11.1.3]."""

LEAVING_MINES, LEAVING_WIRE = 3, 3
"""The modifiers of the rolls for leaving mines [11.1.6-leave], and of personnel for leaving wire [11.2.2]."""

SHAKING = frozenset({"S", "(S)", "D"})
"""The results after which a stand rolls to go on [11.1.6-result]."""

GRAZE = INCH // 50
"""A way that leads over less of an obstacle than this passes it by (1/1000 inch): RULINGS.md R51."""


class Entry(NamedTuple):
    """The place of a leg at which its stand stops upon an obstacle, and that of its edge, as fractions of the leg."""

    edge: Fraction
    place: Fraction
    work: Work


# --- coming onto an obstacle ------------------------------------------------------------------------------------------


def next_entry(position: Position) -> Entry | None:
    """The next obstacle on the leg of the stand under way that would stop it, another minefield too [11.1.6-next]."""
    progress = under_way(position)
    if progress.origin is None or progress.to is None or not position.works:
        return None
    passed = Fraction(*progress.done)
    ahead = _entries(position, position.units[progress.unit], progress.origin, progress.to, progress.freed)
    return min((each for each in ahead if each.place > passed), default=None, key=lambda e: e.place)


def _entries(position: Position, unit: Stand, start: Point, end: Point, freed: Iterable[str] = ()) -> Iterator[Entry]:
    """The obstacles on a straight way, without those that the stand is on and those that it may leave."""
    known = {work.id for work in obstacles_of(position, unit)} | {*freed}
    ahead = (work for work in position.works.values() if work.kind in STOPPING and work.id not in known)
    found = (_entry(position, work, start, end, length(start, end)) for work in ahead)
    return (each for each in found if each is not None)


def halting(position: Position, unit: Stand, start: Point, end: Point) -> Iterator[Entry]:
    """The obstacles on a straight way that would end the move of a stand there; friendly mines do not [11.1.7]."""
    ahead = _entries(position, unit, start, end) if position.works else ()
    return (each for each in ahead if each.work.kind != "mines" or hostile(unit, each.work))


def _entry(position: Position, work: Work, origin: Point, to: Point, far: int) -> Entry | None:
    """A stand stops in the middle of its way over an obstacle, or where its leg ends upon it: RULINGS.md R51."""
    crossed = clip(origin, to, work.ring)
    if crossed is None or (crossed[1] - crossed[0]) * far < GRAZE * MICRO // INCH:
        return None
    place = Fraction(1) if crossed[1] == 1 else (crossed[0] + crossed[1]) / 2
    at = origin[0] + int((to[0] - origin[0]) * place), origin[1] + int((to[1] - origin[1]) * place)
    return Entry(crossed[0], place, work) if work in beneath(position, at, STOPPING) else None


def next_place(position: Position, inch: Fraction) -> Fraction:
    """The place to which the stand under way goes on: the next inch of its way, or the next obstacle."""
    entry = next_entry(position)
    return inch if entry is None or inch <= entry.edge else entry.place


def come_upon(game: Game[Position], before: Iterable[str]) -> None:
    """The stand under way stops on hostile mines [11.1.5], wire [11.2.1] and in a ditch [11.3.2].

    `before` are the ids of the obstacles that it was on. On friendly mines it stops only if it has to [11.1.7].
    """
    position, progress = game.state, under_way(game.state)
    unit = position.units[progress.unit]
    known = {*before, *progress.freed}
    met = [work for work in stopping(position, unit) if work.id not in known]
    if not met:
        return
    position.progress = replace(progress, halted=True, target="", through="", beyond=None)  # it overruns nobody
    work, *_ = stop_upon(game, unit.id, met)
    if work.kind == "mines" and "mine clearing" in unit.equipment:
        reveal(game, work)  # 11.5.4: its concentration is revealed; a dummy is removed, RULINGS.md R53


# --- leaving an obstacle --------------------------------------------------------------------------------------------


def set_off(game: Game[Position]) -> bool:
    """The stand under way leaves the obstacles that it is on, if its leg leads off them; return whether it may go on.

    A stand that fails goes no farther.
    """
    for work in left_behind(game.state):
        progress = under_way(game.state)
        unit = game.state.units[progress.unit]
        if unit.at is None:
            return False
        if not _leaves(game, unit, work):
            game.state.progress = replace(under_way(game.state), halted=True)
            return False
        game.state.progress = replace(under_way(game.state), freed=(*progress.freed, work.id))
    return True


def left_behind(position: Position) -> list[Work]:
    """The obstacles under the stand off which its leg leads, and which it may not leave yet."""
    progress = under_way(position)
    here = obstacles_of(position, position.units[progress.unit]) if position.works else []
    to = progress.to
    return [work for work in here if to is not None and work.id not in progress.freed and not holds(work, to)]


def _leaves(game: Game[Position], unit: Stand, work: Work) -> bool:
    """Return whether a stand gets off an obstacle [11.1.7]; a movement roll is enough for a ditch [11.3.2].

    RULINGS.md R52. Hostile mines that it leaves are revealed, and attack it if they are real [11.1.6-leave].
    """
    roll = leaving_roll(game.state, unit, work)
    if roll is not None and not _succeeds(game, unit, roll):
        return False
    if work.kind == "wire" and unit.kind.mov_class == "T":
        _crush(game, unit, work)
    if work.kind == "mines" and hostile(unit, work):
        return not reveal(game, work) or not struck(game, unit.id, game.state.works[work.id])
    return True


def leaving_roll(position: Position, unit: Stand, work: Work) -> Calculation | None:
    """The roll of a stand to get off an obstacle; None if it needs none [11.1.6-leave, 11.1.7, 11.2.2, 11.3.2]."""
    match work.kind:
        case "mines" if hostile(unit, work):
            return mine_roll(position, unit)
        case "mines" if unit.gone:
            return going_on(position, unit, "11.1.7")
        case "wire":
            return wire_roll(position, unit)
        case "ditch" if position.setting.has("R52"):
            return going_on(position, unit, "11.3.2")
    return None


def _crush(game: Game[Position], unit: Stand, work: Work) -> None:
    """A tracked vehicle crushes the wire that it leaves [11.2.3]."""
    game.state.remove(work.id)
    game.tell(Event("works", "{} crushes the wire", (unit.name,), "11.2.3", (unit.id,), (work.at,)))


def wire_roll(position: Position, unit: Stand) -> Calculation:
    """The roll of a stand for leaving wire; personnel add 3 [11.2.2]."""
    lines = [*states(unit)]
    if unit.personnel:
        lines.append(modifier("personnel in wire", LEAVING_WIRE, "11.2.2"))
    return cohesion_roll("to leave the wire", "11.2.2", to_go_on(position, unit), lines)


def mine_roll(position: Position, unit: Stand) -> Calculation:
    """The roll of a stand for leaving hostile mines, at 3 more [11.1.6-leave]."""
    lines = [*states(unit), modifier("leaving mines", LEAVING_MINES, "11.1.6-leave")]
    return cohesion_roll("to leave the mines", "11.1.6-leave", to_go_on(position, unit), lines)


def reveal(game: Game[Position], work: Work) -> bool:
    """Tell everybody what a marker is; a dummy is removed [11.1.6-leave]. Return whether it is a minefield."""
    real = work.value != DUMMY
    if real:
        game.state.lay(replace(work, known=True))
    else:
        game.state.remove(work.id)
    if not work.known:
        facts = (tenths(work.at), Text("{} mines", (work.value,)) if real else "a dummy")
        game.tell(Event("revealed", "The marker at {} is {}", facts, "11.1.6-leave", (), (work.at,)))
    return real


def mine_attack(charts: Charts, value: str) -> Calculation:
    """The attack of a minefield, on the column of its concentration, whatever the defence of its target [11.1.4]."""
    return combat_roll(charts, Text("{} mines", (value.capitalize(),)), "11.1.4", COLUMNS[value])


def struck(game: Game[Position], unit_id: UnitId, work: Work) -> bool:
    """Attack a stand with mines; return whether that keeps it there, by its loss or for want of nerve [11.1.6-result].

    Any vehicle that is lost leaves a wreck.
    """
    position = game.state
    unit = position.units[unit_id]
    roll, dice = mine_attack(position.charts, work.value), game.roll(2, 6)
    found = RESULTS[roll.result(dice)]
    facts = (unit.name, IN_WORDS[found])
    game.tell(Event("result", "Mines strike {}: {}", facts, "11.1.4", (unit_id,), (work.at,), tuple(dice), roll))
    if apply_result(game, unit_id, found) == "E":
        if unit.vehicle and not unit.armoured:
            leave_wreck(game, unit)
        return True
    now = position.units[unit_id]
    return found in SHAKING and not _succeeds(game, now, going_on(position, now, "11.1.6-result"))


def going_on(position: Position, unit: Stand, rule: str) -> Calculation:
    """The roll of a stand to go on, on friendly mines or after an attack of others [11.1.6-result, 11.1.7]."""
    return cohesion_roll("to go on", rule, to_go_on(position, unit), states(unit))


def _succeeds(game: Game[Position], unit: Stand, roll: Calculation) -> bool:
    return roll.result([tested(game, unit, roll)]) != FAILURE


def names(works: Iterable[Work]) -> Iterator[str]:
    """The ids of markers."""
    return (work.id for work in works)
