"""Air strikes [12.3.5 to 12.3.9]: strafing runs and bomb attacks, from the announcement to the combat roll."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.core.texts import Text
from opfire.kit.calibres import calibre_of
from opfire.rulesets.micro_armour.air.defence import AntiAircraft
from opfire.rulesets.micro_armour.air.planes import Load, Plane, attacked, falling, guns, loads, overhead
from opfire.rulesets.micro_armour.air.plans import not_your_plane
from opfire.rulesets.micro_armour.artillery import effects
from opfire.rulesets.micro_armour.artillery.sheafs import DIRECTIONS, drift
from opfire.rulesets.micro_armour.charts import CALIBRES
from opfire.rulesets.micro_armour.close.rolls import RESULTS, combat_roll
from opfire.rulesets.micro_armour.cohesion import cohesion_roll, force_level, force_succeeds, modifier
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, Work, adjacent
from opfire.rulesets.micro_armour.results import IN_WORDS, apply_result
from opfire.rulesets.micro_armour.terrain import ground_covers
from opfire.rulesets.micro_armour.works.ruins import Shell, shelled

NEXT = 3
"""The modifier of the roll to strafe a second stand in line [12.3.6]."""


class Strafe(Action, frozen=True):
    """Strafe a stand, and then `beyond`, an adjacent one in line with it [12.3.6]; empty for one stand alone."""

    says = "{plane} strafes {target}, then {beyond}"
    kind = "fire"
    final = True
    plane: str
    target: UnitId
    beyond: UnitId = ""


class DropBombs(Action, frozen=True):
    """Carry out the bomb attack of an aircraft that is plotted for this turn [12.3.7]."""

    says = "{plane} drops its bombs"
    kind = "fire"
    final = True
    plane: str


# --- checks -------------------------------------------------------------------------------------------------------


def not_overhead(position: Position, side: Side, name: str) -> Refusal | None:
    """Reject an aircraft that is not in play, or that has attacked in this turn [12.3.2]."""
    if refusal := not_your_plane(position, side, name):
        return refusal
    plane, turn = position.planes[name], position.turn
    if not overhead(plane, turn):
        return Refusal("{} is not over the table", "12.3.2", (plane.name,))
    if turn in (plane.strafed, plane.bombed):
        return Refusal("{} has attacked in this turn", "12.3.2", (plane.name,))
    return None


def cannot_strafe(position: Position, side: Side, action: Strafe) -> Refusal | None:
    """Reject a strafing run [12.3.2, 12.3.6]."""
    if refusal := not_overhead(position, side, action.plane):
        return refusal
    plane, target = position.planes[action.plane], position.units[action.target]
    if plane.strafed:
        return Refusal("{} has strafed in turn {}", "12.3.2", (plane.name, plane.strafed))
    if refusal := _no_target(side, target):
        return refusal
    if not action.beyond:
        return None
    last = position.units[action.beyond]
    if last.id == target.id or not adjacent(target, last):
        return Refusal("{} is not adjacent to {}", "12.3.6", (last.name, target.name))
    return _no_target(side, last)


def _no_target(side: Side, target: Stand) -> Refusal | None:
    if target.side == side or target.at is None or target.carrier is not None:
        return Refusal("{} is no enemy on the table", "12.3.6", (target.name,))
    return None


def cannot_bomb(position: Position, side: Side, name: str) -> Refusal | None:
    """Reject a bomb attack that is not plotted for this turn [12.3.2, 12.3.7]."""
    if refusal := not_overhead(position, side, name):
        return refusal
    plane = position.planes[name]
    if not falling(plane, position.turn):
        return Refusal("No bombs of {} are plotted for this turn", "12.3.7", (plane.name,))
    return None


def attacks(position: Position, side: Side) -> Iterator[Action]:
    """The air strikes that a side may carry out now."""
    for plane in position.fleet(side):
        if not_overhead(position, side, plane.id) is not None:
            continue
        if cannot_bomb(position, side, plane.id) is None:
            yield DropBombs(plane.id)
        for target in position.enemies(side) if not plane.strafed else ():
            yield from _runs(position, side, plane, target)


def _runs(position: Position, side: Side, plane: Plane, target: Stand) -> Iterator[Strafe]:
    yield Strafe(plane.id, target.id)
    for other in position.enemies(side):
        action = Strafe(plane.id, target.id, other.id)
        if cannot_strafe(position, side, action) is None:
            yield action


# --- rolls --------------------------------------------------------------------------------------------------------


def strike_roll(
    position: Position, side: Side, title: str, added: int, more: int = 0, *, target: Stand | None = None
) -> Calculation:
    """A roll of a strike: to attack, or to keep on its course; anti-aircraft fire counts [12.3.5].

    By another reading the terrain of the target does, too: RULINGS.md R62.
    """
    lines = []
    if target is not None and position.setting.has("R62"):
        lines += [cover.line for cover in ground_covers(position, target)]
    if added:
        lines.append(modifier("anti-aircraft fire", added, "12.3.4"))
    if more:
        lines.append(modifier("the next stand in line", more, "12.3.6"))
    return cohesion_roll(title, "12.3.5", force_level(position, side), lines)


def combat(position: Position, load: Load, target: Stand) -> Calculation:
    """The combat roll of a strike against a stand: terrain counts, range does not [12.3.5, 12.3.7, 12.3.9].

    A result of no effect stays one, also below the table, but with the other reading it suppresses: RULINGS.md R63.
    """
    attack = power(load, target)
    defence = [*effects.defence(position, target, "12.3.9")]
    covers = [cover.line for cover in ground_covers(position, target)]
    lines = [attack, *defence, *covers]
    found = combat_roll(position.charts, "air strike", "12.3.5", attack.amount - defence[-1].amount, lines)
    if not position.setting.has("R63"):
        return found
    return replace(found, outcomes=tuple("S" if each == "-" else each for each in found.outcomes))


def power(load: Load, target: Stand) -> Line:
    """The strength of an attack: against armour, or against all else [AD.strafing, AD.ordnance]."""
    kind, amount = ("AP", load.ap) if target.armoured else ("HE", load.he)
    return Line("attack", Text("{} of {}", (kind, load.name)), str(amount), "12.3.1", amount)


# --- carrying it out ----------------------------------------------------------------------------------------------


class AirStrike(Frame, frozen=True):
    """One strike: the marker, anti-aircraft fire, the rolls, the attack [12.3.5]; `target` is empty for bombs."""

    rule = "12.3.5"
    plane: str
    target: UnitId = ""
    beyond: UnitId = ""

    def begin(self, game: Game[Position]) -> None:
        """The strike is announced, then the defender's guns fire [12.3.4]."""
        at = _strafing(game, self) if self.target else _bombing(game, self.plane)
        game.push(AntiAircraft(game.state.setting.other[self.side], at))

    def resume(self, game: Game[Position], result: object) -> None:
        """Resolve the strike with what anti-aircraft fire adds to its rolls."""
        added = result if isinstance(result, int) else 0
        game.pop()
        if self.target:
            strafe(game, self, added)
        else:
            bomb(game, self.plane, added)


def _strafing(game: Game[Position], strike: AirStrike) -> Point:
    """Announce a strafing run, and note that the aircraft has made its one run [12.3.6]."""
    position = game.state
    plane, target = position.planes[strike.plane], position.units[strike.target]
    _appears(game, plane)
    assert target.at is not None
    position.planes[plane.id] = replace(plane, strafed=position.turn, over=target.at)
    facts, names, calibre = (plane.name, target.name), (target.id,), calibre_of(CALIBRES, [plane.kind.id])
    game.tell(Event("fired", "{} strafes {}", facts, "12.3.6", names, (target.at,), calibre=calibre))
    return target.at


def _appears(game: Game[Position], plane: Plane) -> None:
    """With its first attack everybody learns when an aircraft arrived [12.3.3.1]."""
    if not attacked(plane):
        game.tell(Event("revealed", "{} arrived in turn {}", (plane.name, plane.arrives), "12.3.3.1"))


def _bombing(game: Game[Position], name: str) -> Point:
    """Announce a bomb attack, and lay its marker at the plotted place [12.3.7].

    It has no effect before the bombs fall: guns under it fire at the aircraft [12.3.4].
    """
    position = game.state
    plane = position.planes[name]
    numbers = falling(plane, position.turn)
    at = plane.bombs[numbers[0]].at
    _appears(game, plane)
    done = tuple(replace(each, done=each.done or n in numbers) for n, each in enumerate(plane.bombs))
    position.planes[name] = replace(plane, bombs=done, bombed=position.turn, over=at)
    position.lay(Work(_marker(plane), "impact", at, side=plane.side, plane=plane.id, fresh=True))
    game.tell(Event("revealed", "{} bombs {}", (plane.name, tenths(at)), "12.3.7", (), (at,)))
    return at


def _marker(plane: Plane) -> str:
    return f"bombs of {plane.id}"


def goes_wrong(
    game: Game[Position], plane: Plane, at: Point, added: int, *, halved: bool, target: Stand | None
) -> Point | None:
    """Roll to attack, then for deviation; return the place of the attack, or None without an attack [12.3.5].

    A strafing run that deviates goes half as far [12.3.6].
    """
    position = game.state
    if not force_succeeds(
        game, plane.name, strike_roll(position, plane.side, "to attack", added, target=target), (at,)
    ):
        return None
    course = strike_roll(position, plane.side, "to stay on course", added, target=target)
    if force_succeeds(game, plane.name, course, (at,)):
        return at
    (number,), (inches,) = game.roll(1, 8), game.roll(1, 6)
    far = -(-inches // 2) if halved else inches
    toward = DIRECTIONS[number - 1]
    rule = "12.3.6" if halved else "12.3.5"
    right, down = drift(toward, far, position.setting.sections.north)
    there, words = (at[0] + right, at[1] + down), "{} deviates {} inches to the {}"
    game.tell(Event("deviation", words, (plane.name, far, toward), rule, (), (at, there), (number, inches)))
    return there


def strafe(game: Game[Position], strike: AirStrike, added: int) -> None:
    """A strafing run: on target it may go on to the next stand in line; off target it strikes anybody [12.3.6]."""
    position = game.state
    plane, target = position.planes[strike.plane], position.units[strike.target]
    assert target.at is not None
    load = guns(plane.kind)
    at = goes_wrong(game, plane, target.at, added, halved=True, target=target)
    if at is None:
        return
    if at != target.at:
        _anybody(game, load, Work(_marker(plane), "impact", at, side=plane.side))
        return
    hit(game, load, target.id)
    if strike.beyond:
        roll = strike_roll(position, plane.side, "to attack", added, NEXT, target=position.units[strike.beyond])
        if force_succeeds(game, plane.name, roll):
            hit(game, load, strike.beyond)


def bomb(game: Game[Position], name: str, added: int) -> None:
    """A bomb attack: the marker moves if it deviates, and each load strikes what is there [12.3.7]."""
    position = game.state
    plane = position.planes[name]
    work = position.works[_marker(plane)]
    at = goes_wrong(game, plane, work.at, added, halved=False, target=effects.beneath(position, work.at))
    if at is None or at not in position.table:
        return position.remove(work.id)
    work = replace(work, at=at, fresh=False)
    position.lay(work)
    held = loads(position.charts, plane.kind)
    for number, each in enumerate(plane.bombs):
        if each.turn == position.turn and each.done:
            _bombs(game, held[number], work)


def _bombs(game: Game[Position], load: Load, work: Work) -> None:
    """Bombs strike the stand at a place, its position, and buildings and bridges there [9.4, 11.4, 11.5.8]."""
    target, dice = _anybody(game, load, work)
    shelled(game, Shell(work.at, load.he, struck=target, dice=dice))


def _anybody(game: Game[Position], load: Load, work: Work) -> tuple[Stand | None, Sequence[int]]:
    """Strike the stand at a place, friend or foe; an empty place has none [12.3.5]. Return the stand and the dice."""
    target = effects.struck(game, work)
    return target, () if target is None else hit(game, load, target.id)


def hit(game: Game[Position], load: Load, target_id: UnitId) -> Sequence[int]:
    """Roll for the effect of one attack on a stand [12.3.5]; return the dice."""
    position = game.state
    target = position.units[target_id]
    if target.at is None:
        return ()
    position.change(target_id, shelled=True)
    roll = combat(position, load, target)
    dice = game.roll(2, 6)
    found = RESULTS[roll.result(dice)]
    facts = (load.name, target.name, IN_WORDS[found])
    game.tell(Event("result", "{} strike {}: {}", facts, "12.3.5", (target_id,), (target.at,), dice, roll))
    apply_result(game, target_id, found)
    return dice


def lift_bombs(position: Position) -> None:
    """Take bomb markers off at the end of the artillery phase [12.3.8]."""
    for name in [work.id for work in position.works.values() if work.plane]:
        position.remove(name)
