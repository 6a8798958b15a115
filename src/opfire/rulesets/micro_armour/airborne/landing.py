"""Airborne landings [8.10.1.3, 8.10.2.4]: stand by stand out of the air, onto the ground, onto friends or enemies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.rulesets.micro_armour.airborne.drops import Drop, Landing
from opfire.rulesets.micro_armour.airborne.rolls import Fall, arrival, deviation, ground, location, results
from opfire.rulesets.micro_armour.airborne.zones import reveal
from opfire.rulesets.micro_armour.artillery.sheafs import DIRECTIONS, Sheaf, step
from opfire.rulesets.micro_armour.close.close_assault import CloseAssault
from opfire.rulesets.micro_armour.cohesion import SUCCESS, cohesion_roll, level, states, tested
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, others_at
from opfire.rulesets.micro_armour.results import apply_result, eliminate
from opfire.rulesets.micro_armour.setup import unfit
from opfire.space.measure import MICRO, direction
from opfire.space.squares import TOUCHING, footprint, overlap

FARTHEST = INCH * 3 // 2
"""Two stands that touch have their centres at most this far apart (1/1000 inch)."""

ON_TARGET = "on target"


# --- the frames ---------------------------------------------------------------------------------------------------


class FirstLandings(Frame, frozen=True):
    """The landing groups of a side that land before the first turn, one after the other [8.10.1.3, 8.10.2.3-when]."""

    rule = "8.10.1.3-1"

    def begin(self, game: Game[Position]) -> None:
        _next(game, self.side, 0)

    def resume(self, game: Game[Position], result: object) -> None:
        _next(game, self.side, 0)


class GliderLandings(Frame, frozen=True):
    """Gliders land between the joint plot and the movement phase, without orders [8.10.2.3-when].

    With the option, those of the side with the initiative land after the movement phase [8.10.2.3-opt]. At Oosterbeek
    two battalions come in turn 11 [SC.setback.al].
    """

    step = "landings"
    rule = "8.10.2.3-when"

    def begin(self, game: Game[Position]) -> None:
        _land(game, early(game.state))

    def resume(self, game: Game[Position], result: object) -> None:
        _land(game, early(game.state))


class LateLandings(Frame, frozen=True):
    """With the option, the gliders of the side with the initiative land after the movement phase [8.10.2.3-opt]."""

    step = "landings"
    rule = "8.10.2.3-opt"

    def begin(self, game: Game[Position]) -> None:
        _land(game, late(game.state))

    def resume(self, game: Game[Position], result: object) -> None:
        _land(game, late(game.state))


def early(position: Position) -> tuple[Side, ...]:
    """The sides whose gliders land before the movement phase, the one with the initiative first [8.10.2.3-when]."""
    other = position.setting.other[position.initiative]
    return (other,) if late(position) else (position.initiative, other)


def late(position: Position) -> tuple[Side, ...]:
    """The side whose gliders land after the movement phase: the one with the initiative, by option [8.10.2.3-opt]."""
    return (position.initiative,) if position.setting.has("8.10.2.3-opt") else ()


def _land(game: Game[Position], sides: tuple[Side, ...]) -> None:
    """Land the next group that these sides have in the air in this turn, or end [8.10.2.3-when, SC.setback.al]."""
    turn = game.state.turn
    side = next((side for side in sides if waiting(game.state, side, turn)), "")
    if not side:
        return game.pop()
    _next(game, side, turn)


def waiting(position: Position, side: Side, turn: int) -> list[Landing]:
    """The groups of a side that are to land in a turn and are still in the air."""
    found = (each for each in position.setting.landings.values() if each.side == side and each.group.turn == turn)
    return [each for each in found if any(position.units[name].status == "reserve" for name in each.units)]


def _next(game: Game[Position], side: Side, turn: int) -> None:
    """Land the next group of a side, or end."""
    groups = waiting(game.state, side, turn)
    if not groups:
        return game.pop()
    landing = groups[0]
    frame = Gliders if landing.group.by == "glider" else Paratroopers
    game.push(frame(side, landing.id))


class Paratroopers(Frame, frozen=True):
    """A group of paratroopers lands, one stand after the other [8.10.1.3]; `rest` are the stands still in the air."""

    rule = "8.10.1.3-1"
    landing: str
    rest: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Everybody sees the zone; the first stand jumps."""
        landing = game.state.setting.landings[self.landing]
        reveal(game, landing)
        game.swap(replace(self, rest=landing.units))
        game.resume_top()

    def resume(self, game: Game[Position], result: object) -> None:
        """The next stand jumps; a defender on whom one has landed may assault it at once.

        A headquarters that is lost, on the ground too, has a successor on the way [8.10.1.4].
        """
        new_commanders(game, self.side)
        if not self.rest:
            return game.pop()
        first, *rest = self.rest
        game.swap(replace(self, rest=tuple(rest)))
        landing = game.state.setting.landings[self.landing]
        foe = jump(game, landing, first)
        if foe:
            return assault(game, foe, first)
        game.resume_top()


class Gliders(Frame, frozen=True):
    """A group of gliders lands, one after the other [8.10.2.4], or step by step for the whole group: RULINGS.md R66.

    `aloft` are the stands that still have to touch down, each with its place, `rolling` those that go on for an inch.
    `behind` are those that have not tried to arrive, and `line` the places that are left for them.
    """

    rule = "8.10.2.4-1"
    landing: str
    aloft: tuple[tuple[UnitId, Point], ...] = ()
    rolling: tuple[UnitId, ...] = ()
    behind: tuple[UnitId, ...] = ()
    line: tuple[Point, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """The stands are placed; each rolls to arrive, and for its place [8.10.2.4-1, 8.10.2.4-2, 8.10.2.4-3]."""
        landing = game.state.setting.landings[self.landing]
        drop = reveal(game, landing)
        if game.state.setting.has("R66"):
            game.swap(replace(self, aloft=tuple(approach(game, landing, drop))))
        else:
            game.swap(replace(self, behind=landing.units, line=tuple(in_line(game.state, landing, drop))))
        game.resume_top()

    def resume(self, game: Game[Position], result: object) -> None:
        """The next stand touches down; those in good order then run out [8.10.2.4-4c]."""
        landing = game.state.setting.landings[self.landing]
        if self.aloft:
            (name, at), *rest = self.aloft
            foe = touch_down(game, landing, name, at)
            rolling = (*self.rolling, name) if rolls_on(game.state.units[name], foe) else self.rolling
            game.swap(replace(self, aloft=tuple(rest), rolling=rolling))
        elif self.rolling:
            name, *going = self.rolling
            game.swap(replace(self, rolling=tuple(going)))
            on = rolls_on(game.state.units[name], "")
            foe = touch_down(game, landing, name, run_out(game, name)) if on else ""
        elif self.behind:
            name, *behind = self.behind
            foe, here = "", arrives(game, landing, name, self.line[0])
            aloft = ((name, course(game, landing, name, self.line[0])),) if here else ()
            game.swap(replace(self, behind=tuple(behind), line=self.line[here:], aloft=aloft))
        else:
            return game.pop()
        if foe and foe != BLOCKED:
            return assault(game, foe, name)
        game.resume_top()


BLOCKED = "a friend"
"""The result of a landing on a friendly stand, beside the ids of enemies."""


def rolls_on(unit: Stand, foe: str) -> bool:
    """Return whether a glider goes on for an inch: in good order, on a place that was free [8.10.2.4-4c]."""
    return unit.at is not None and not unit.shaken and not foe


def assault(game: Game[Position], foe: UnitId, unit_id: UnitId) -> None:
    """A defender assaults the stand that has landed on it, these two alone [8.10.1.3-3c, 8.10.2.4-4b]."""
    unit = game.state.change(foe, assaults=unit_id)
    game.push(CloseAssault(unit.side, unit_id))


# --- in the air ---------------------------------------------------------------------------------------------------


def jump(game: Game[Position], landing: Landing, unit_id: UnitId) -> str:
    """A paratrooper stand arrives, drifts and lands; return the enemy that assaults it, if any [8.10.1.3]."""
    position = game.state
    at = position.drops[landing.id].at
    if not arrives(game, landing, unit_id, at):
        return ""
    right, down = drifts(game, landing, position.units[unit_id], at)
    foe = touch_down(game, landing, unit_id, (at[0] + right, at[1] + down))
    return "" if foe == BLOCKED else foe


def arrives(game: Game[Position], landing: Landing, unit_id: UnitId, at: Point) -> bool:
    """Roll whether enough transports arrive; if not, the stand is removed [8.10.1.3-1, 8.10.2.4-2]."""
    unit, roll = game.state.units[unit_id], arrival(game.state, landing, at)
    if roll.result([tested(game, unit, roll)]) == "arrives":
        return True
    eliminate(game, unit_id)
    return False


def drifts(game: Game[Position], landing: Landing, unit: Stand, at: Point) -> Point:
    """The way that paratroopers drift: none on a natural 1, a little on target, far off it.

    [8.10.1.3-2, 8.10.1.3-2nat, 8.10.1.3-2pass, 8.10.1.3-2fail]
    """
    roll = location(game.state, landing, unit, at)
    number = tested(game, unit, roll)
    if number == 1:
        return 0, 0
    if roll.result([number]) == SUCCESS:
        return deviation(game, unit, Fall(at, "parachute", ON_TARGET, "8.10.1.3-2pass"))
    return deviation(game, unit, Fall(at, "parachute", landing.group.conditions, "8.10.1.3-2fail"))


def approach(game: Game[Position], landing: Landing, drop: Drop) -> Iterator[tuple[UnitId, Point]]:
    """The gliders that arrive, in a line from the coordinates on, and the places where they come down.

    After losses the others close up [8.10.2.4-1, 8.10.2.4-2, 8.10.2.4-3].
    """
    line = [*in_line(game.state, landing, drop)]
    there = [name for name, at in zip(landing.units, line, strict=True) if arrives(game, landing, name, at)]
    yield from ((name, course(game, landing, name, at)) for name, at in zip(there, line, strict=False))


def in_line(position: Position, landing: Landing, drop: Drop) -> Iterable[Point]:
    """The places of a glider group, in a line from its coordinates on [8.10.2.4-1]."""
    return Sheaf(drop.at, len(landing.units), "open", drop.toward).places(position.setting.sections.north)


def course(game: Game[Position], landing: Landing, name: UnitId, at: Point) -> Point:
    """The place where a glider comes down when it makes for a place [8.10.2.4-3]."""
    unit = game.state.units[name]
    roll = location(game.state, landing, unit, at)
    if roll.result([tested(game, unit, roll)]) == SUCCESS:
        return at
    right, down = deviation(game, unit, Fall(at, "glider", landing.group.conditions, "8.10.2.4-3"))
    return at[0] + right, at[1] + down


# --- on the ground ------------------------------------------------------------------------------------------------


def touch_down(game: Game[Position], landing: Landing, unit_id: UnitId, at: Point) -> str:
    """A stand comes down: terrain first, then a place that is occupied [8.10.1.3-off, 8.10.1.3-3a, 8.10.2.4-4a].

    Return the id of an enemy that assaults it, `BLOCKED` for a place that was occupied else, empty for a free one.
    """
    position = game.state
    if at not in position.table:
        unit = position.units[unit_id]
        rule = "8.10.1.3-off" if landing.group.by == "parachute" else "8.10.2.4-3"
        game.tell(Event("landing", "{} comes down off the table", (unit.name,), rule, (unit_id,)))
        eliminate(game, unit_id)
        return ""
    unit = position.put(unit_id, inside(position, at), landed=position.turn)
    game.tell(Event("landing", "{} lands at {}", (unit.name, tenths(at)), landing_rule(landing), (unit_id,), (at,)))
    lands(game, landing, unit_id)
    unit = position.units[unit_id]
    other = occupant(position, unit)
    if unit.at is None or other is None:
        return ""
    return beside_friend(game, unit, other) if other.side == unit.side else on_enemy(game, unit, other)


def landing_rule(landing: Landing) -> str:
    """The rule by which a stand of a group lands."""
    return "8.10.1.3-3a" if landing.group.by == "parachute" else "8.10.2.4-4a"


def inside(position: Position, at: Point) -> Point:
    """The nearest point at which a stand lies wholly on the table."""
    width, height = position.table.size
    half = INCH // 2
    return max(half, min(at[0], width - half)), max(half, min(at[1], height - half))


def lands(game: Game[Position], landing: Landing, unit_id: UnitId) -> None:
    """The effect of the terrain: a cohesion roll, unless nobody survives there [8.10.1.3-3a, 8.10.2.4-4a]."""
    position = game.state
    unit = position.units[unit_id]
    passed, failed = results(position, landing.group.by, unit)
    if passed == "E":
        return eliminate(game, unit_id)
    roll = ground(position, landing, unit)
    found = passed if roll.result([tested(game, unit, roll)]) == SUCCESS else failed
    if found == "E":
        return eliminate(game, unit_id)
    apply_result(game, unit_id, found)


def occupant(position: Position, unit: Stand) -> Stand | None:
    """The stand that occupies a landing place, the enemy's first [8.10.1.3-3b, 8.10.1.3-3c]."""
    if unit.at is None:
        return None
    found = others_at(position, unit, unit.at, unit.facing)
    return min(found, key=lambda other: other.side == unit.side, default=None)


def beside_friend(game: Game[Position], unit: Stand, other: Stand) -> str:
    """A stand that lands on a friend comes down beside it, and both roll; a failure is an (S) [8.10.1.3-3b]."""
    if not put_beside(game, unit, other):
        return BLOCKED
    for name in (unit.id, other.id):
        if not _steady(game, game.state.units[name], "8.10.1.3-3b"):
            apply_result(game, name, "(S)")
    return BLOCKED


def on_enemy(game: Game[Position], unit: Stand, other: Stand) -> str:
    """The defender rolls: the lander is lost and the defender suppressed, or the defender assaults the lander.

    [8.10.1.3-3c, 8.10.2.4-4b]
    """
    if _steady(game, other, "8.10.1.3-3c"):
        eliminate(game, unit.id)
        apply_result(game, other.id, "S")
        return BLOCKED
    return other.id if put_beside(game, unit, other) else BLOCKED


def _steady(game: Game[Position], unit: Stand, rule: str) -> bool:
    roll = cohesion_roll("landing on a stand", rule, level(game.state, unit), states(unit))
    return roll.result([tested(game, unit, roll)]) == SUCCESS


def put_beside(game: Game[Position], unit: Stand, other: Stand) -> bool:
    """Put a stand beside another in a direction that 1D8 gives, rolled again while that place is not free.

    No place in water, or on other ground that is closed to the stand, is free. Without any the stand is lost:
    RULINGS.md R66. [8.10.1.3-3b, 8.10.2.4-4b]
    """
    position = game.state
    places = [beside(position, unit, other, number) for number in range(len(DIRECTIONS))]
    if not any(places):
        eliminate(game, unit.id)
        return False
    while True:
        (number,) = game.roll(1, len(DIRECTIONS))
        at = places[number - 1]
        if at is not None:
            position.put(unit.id, at)
            facts = (unit.name, other.name)
            game.tell(Event("moved", "{} lands beside {}", facts, "8.10.1.3-3b", (unit.id,), (at,), (number,)))
            return True


def beside(position: Position, unit: Stand, other: Stand, number: int) -> Point | None:
    """The place in contact with a stand in a direction of the compass, by its number from 0; None if it is taken."""
    assert other.at is not None
    right, down = step(DIRECTIONS[number], position.setting.sections.north)
    for far in range(INCH // 2, FARTHEST, TOUCHING // 2):  # from within, so that turned stands touch as well
        at = other.at[0] + right * far, other.at[1] + down * far
        if not overlap(footprint(at, unit.facing), other.ring):
            return at if unfit(position, replace(unit, at=None), at, unit.facing) is None else None
    return None


def run_out(game: Game[Position], unit_id: UnitId) -> Point:
    """The place an inch ahead of a glider, at most at the edge of the table [8.10.2.4-4c]: RULINGS.md R66."""
    unit = game.state.units[unit_id]
    assert unit.at is not None
    east, south = direction(unit.facing)
    at = unit.at[0] + east * INCH // MICRO, unit.at[1] + south * INCH // MICRO
    return inside(game.state, at)


# --- losses -------------------------------------------------------------------------------------------------------


def new_commanders(game: Game[Position], side: Side) -> None:
    """The successors of the paratroop headquarters lost in landing are there after 1D8/2 turns [8.10.1.4].

    Glider groups have no such rule: 10.1.7 holds for theirs.
    """
    position = game.state
    groups = (each for each in position.setting.landings.values() if each.side == side and each.group.by == "parachute")
    for unit in [position.units[name] for landing in groups for name in landing.units]:
        if not unit.rank or unit.status != "eliminated" or unit.crashed:
            continue
        position.change(unit.id, crashed=True)
        if unit.rank == "HQ":
            (number,) = game.roll(1, 8)
            turns = -(-number // 2)
            position.change(unit.id, awaited=position.turn + turns)
            words = "A new commander takes the place of {} in {} turns"
            game.tell(Event("command", words, (unit.name, turns), "8.10.1.4", (unit.id,), dice=(number,)))
