"""Direct artillery fire [7.5]: batteries fire at what they see themselves; final protective fire [7.6.1.5]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from opfire.core.actions import Action, Offer, Refusal, Region
from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.core.texts import joined
from opfire.kit.calibres import calibre_of
from opfire.rulesets.micro_armour.artillery.batteries import (
    aimed_only,
    beyond_reach,
    cannot_shell,
    is_mortar,
    is_rocket,
    no_smoke,
    off_the_board,
    out_of_field,
    reach_of,
    wrong_pattern,
)
from opfire.rulesets.micro_armour.artillery.impacts import place, spend
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.record import assigned, due, sections, smoke_planned
from opfire.rulesets.micro_armour.artillery.rolls import off_target, to_deviate, to_fire, worst
from opfire.rulesets.micro_armour.artillery.sheafs import SHAPES, Compass, Pattern, Sheaf
from opfire.rulesets.micro_armour.charts import CALIBRES
from opfire.rulesets.micro_armour.cohesion import SUCCESS, tested
from opfire.rulesets.micro_armour.fire.attacks import hot_shot, runs_low
from opfire.rulesets.micro_armour.fire.guns import in_field
from opfire.rulesets.micro_armour.fire.standard import engagement, only_back, saves_ammunition, under_fire
from opfire.rulesets.micro_armour.formations import SELF_DEFENCE, is_broken, out_of_reach
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, adjacent, carried, off_the_table
from opfire.rulesets.micro_armour.sighting.sight import cannot_see, cannot_see_place, half_in, spot
from opfire.space.measure import MICRO


class FireDirect(Action, frozen=True):
    """Fire a battery's sheaf at a place that it sees [7.5]: its first marker (1/1000 inch), how the others lie."""

    says = "{unit} fires at {to}, {pattern} sheaf to the {toward}"
    kind = "fire"
    final = True
    unit: UnitId
    to: Point
    pattern: Pattern
    toward: Compass
    smoke: bool = False


class ProtectiveFire(Action, frozen=True):
    """Leave a mission to fire directly, if a roll allows it: final protective fire [7.6.1.5]."""

    says = "{unit}: final protective fire"
    kind = "fire"
    final = True
    unit: UnitId


# --- checks ---------------------------------------------------------------------------------------------------


def cannot_fire_direct(position: Position, side: Side, unit: Stand, shot: FireDirect) -> Refusal | None:
    """Reject direct fire of a battery [7.4.2.3, 7.4.5.2-out, 7.4.10, 7.5.1]."""
    return cannot_fire_as_one(position, side, (unit.id,), shot)


def cannot_fire_as_one(position: Position, side: Side, names: tuple[UnitId, ...], shot: FireDirect) -> Refusal | None:
    """Reject direct fire of batteries that lay one sheaf: each of them has to reach and to see all of it [7.4.9.1]."""
    sheaf = sheaf_of(position, names, shot)
    for unit in position.pick(names):
        if refusal := _may_fire(position, side, unit, shot, sheaf) or _cannot_place(position, unit, sheaf):
            return refusal
    return None


def sheaf_of(position: Position, names: tuple[UnitId, ...], shot: FireDirect) -> Sheaf:
    """The one sheaf of batteries that fire directly [7.4.9.1]."""
    return Sheaf(shot.to, sections(position, names), shot.pattern, shot.toward)


def is_free(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a battery that does not fire directly now, wherever to."""
    return (
        cannot_shell(position, side, unit)
        or aimed_only(unit)
        or off_the_table(unit)
        or carried(unit)
        or under_fire(position, unit)
        or _has_mission(position, unit)
    )


def _may_fire(position: Position, side: Side, unit: Stand, shot: FireDirect, sheaf: Sheaf) -> Refusal | None:
    """Reject a battery that does not fire directly now, or not with this sheaf, whatever its place."""
    return (
        is_free(position, side, unit)
        or wrong_pattern(unit, sheaf.markers, shot.pattern, shot.toward)
        or (no_smoke(position, unit, smoke_planned(position, unit.id)) if shot.smoke else None)
    )


def _cannot_place(position: Position, unit: Stand, sheaf: Sheaf) -> Refusal | None:
    """Reject a place that a battery does not reach or see [7.3.5, 7.3.6-arc, 7.5.1]."""
    return (
        off_the_board(position, sheaf)
        or beyond_reach(position, unit, sheaf)
        or out_of_field(position, unit, sheaf)
        or _engaged(position, unit, sheaf)
        or _unseen(position, unit, sheaf)
        or _too_far_to_defend(position, unit, sheaf)
        or _only_back(position, unit, sheaf)
    )


def _too_far_to_defend(position: Position, unit: Stand, sheaf: Sheaf) -> Refusal | None:
    """Reject places of a sheaf of a broken force on which no enemy within five inches stands [12.1.5-2]."""
    if not is_broken(position, unit):
        return None
    foes = [enemy for enemy in position.enemies(unit.side) if out_of_reach(position, unit, enemy) is None]
    if _strikes_all(position, sheaf, foes):
        return None
    words = "The force of {} is broken: it fires at enemies within {} inches"
    return Refusal(words, "12.1.5-2", (unit.name, SELF_DEFENCE))


def _only_back(position: Position, unit: Stand, sheaf: Sheaf) -> Refusal | None:
    """Reject places of a sheaf of a battery that is low on ammunition on which nobody stands that has struck it
    [12.2.2]: RULINGS.md R97.
    """
    foes = [enemy for enemy in position.enemies(unit.side) if only_back(position, unit, enemy) is None]
    return saves_ammunition(unit) if not _strikes_all(position, sheaf, foes) else None


def _strikes_all(position: Position, sheaf: Sheaf, foes: list[Stand]) -> bool:
    """Return whether each marker of a sheaf would cover half of one of these stands [7.4.3.2]."""
    return all(_under(at, foes) for at in sheaf.places(position.setting.sections.north))


def _has_mission(position: Position, unit: Stand) -> Refusal | None:
    """Reject a battery that has a mission in this turn [7.6.1.5]; those of broken forces are void [12.1.5-3]."""
    if is_broken(position, unit) or not assigned(position, unit.id):
        return None
    return Refusal("{} has a mission in this turn", "7.6.1.5", (unit.name,))


def _unseen(position: Position, unit: Stand, sheaf: Sheaf) -> Refusal | None:
    """Reject a sheaf of which a place is not seen; stands that a marker strikes are seen as targets [7.5.1]."""
    for at in sheaf.places(position.setting.sections.north):
        there = _under(at, position.enemies(unit.side))
        found = [cannot_see(position, unit, enemy) for enemy in there] or [cannot_see_place(position, unit, at)]
        if refusal := next((each for each in found if each), None):
            return refusal
    return None


def _under(at: Point, stands: Iterable[Stand]) -> list[Stand]:
    """The stands of which a marker at a place covers half [7.4.3.2]."""
    marker = spot(at)
    return [unit for unit in stands if unit.at is not None and half_in(unit.ring, marker)]


def _engaged(position: Position, unit: Stand, sheaf: Sheaf) -> Refusal | None:
    """Reject fire of an engaged battery, but for that at enemies beside it [7.3.4]."""
    refusal = engagement(position, unit)
    beside = [enemy for enemy in position.enemies(unit.side) if adjacent(unit, enemy)]
    return None if refusal is None or _strikes_all(position, sheaf, beside) else refusal


def cannot_break_off(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject final protective fire of a battery that sees no enemy in its field, or has no mission [7.6.1.5].

    Only an indirect mission is cancelled: plotted direct fire [7.5.2] has the battery fire directly already.
    """
    if (
        refusal := cannot_shell(position, side, unit)
        or aimed_only(unit)
        or off_the_table(unit)
        or under_fire(position, unit)
    ):
        return refusal
    if not any(unit.id in mission.batteries and mission.kind != "direct" for mission in due(position, side)):
        return Refusal("{} has no indirect mission to cancel", "7.6.1.5", (unit.name,))
    for enemy in position.enemies(side):
        assert enemy.at is not None
        if in_field(position, unit, enemy.at, unit.kind) and cannot_see(position, unit, enemy) is None:
            return None
    return Refusal("{} sees no enemy in its field of fire", "7.6.1.5", (unit.name,))


def sheafs_at(position: Position, side: Side, names: tuple[UnitId, ...]) -> Iterator[Offer]:
    """The sheafs that batteries may place as one: on enemies that they see, and anywhere that they see."""
    first, count = position.units[names[0]], sections(position, names)
    for pattern, toward in SHAPES:
        if wrong_pattern(first, count, pattern, toward) is None:
            for smoke in (False, True):
                shot = partial(FireDirect, first.id, pattern=pattern, toward=toward, smoke=smoke)
                yield from _aimed(position, side, names, shot)


def _aimed(
    position: Position, side: Side, names: tuple[UnitId, ...], shot: Callable[[Point], FireDirect]
) -> Iterator[Offer]:
    """One sheaf with its first marker on each enemy, and at any place in reach where it may lie there."""
    units = position.pick(names)
    at = units[0].at
    assert at is not None
    aim = shot(at)
    if any(_may_fire(position, side, unit, aim, sheaf_of(position, names, aim)) for unit in units):
        return
    for enemy in position.enemies(side):
        assert enemy.at is not None
        sheaf = sheaf_of(position, names, shot(enemy.at))
        if not any(_cannot_place(position, unit, sheaf) for unit in units):
            yield shot(enemy.at)
    if not any(unit.low or is_broken(position, unit) or engagement(position, unit) for unit in units):
        yield Region(aim, position.table.box(at, reach_of(units[0]) * MICRO // INCH))


# --- carrying it out --------------------------------------------------------------------------------------------


def fire_direct(game: Game[Position], shot: FireDirect) -> None:
    """A battery fires directly [7.5]."""
    fire_as_one(game, shot, (shot.unit,))


def fire_as_one(game: Game[Position], shot: FireDirect, names: tuple[UnitId, ...]) -> None:
    """Batteries make one roll to fire, mortars and rockets one for deviation; then their markers strike.

    [7.4.9, 7.5.3, 7.5.4]

    The states of the worst battery count: RULINGS.md R42. A natural 1 is a hot shot, a natural 20 leaves them nearly
    out of ammunition [12.2.1, 12.2.2]: RULINGS.md R97.
    """
    position = game.state
    units, unit = position.pick(names), worst(position, names)
    words = "{} fires at {}" if len(names) == 1 else "{} fire at {}"
    facts = (joined(each.name for each in units), tenths(shot.to))
    calibre = calibre_of(CALIBRES, [each.kind.id for each in units])
    game.tell(Event("fired", words, facts, "7.5", names, (shot.to,), calibre=calibre))
    roll = direct_roll(position, names, shot)
    number = tested(game, unit, roll)
    for each in units:
        position.change(each.id, fired=True, low=runs_low(position, each, number))
    if roll.result([number]) != SUCCESS:
        return
    for name in names:
        spend(position, name, shot.smoke)
    sheaf = sheaf_of(position, names, shot)
    if deviates(position, names):
        sheaf = strayed(game, unit, sheaf)
    hot = any(hot_shot(position, number))
    place(game, names, sheaf, smoke=shot.smoke, until=position.turn, hot=hot, direct=True)


def direct_roll(position: Position, names: tuple[UnitId, ...], shot: FireDirect) -> Calculation:
    """The one roll to fire of batteries at the stands below their sheaf [7.4.9, 7.5.3]."""
    places = sheaf_of(position, names, shot).places(position.setting.sections.north)
    aims = [target for at in places for target in _under(at, position.all())]
    return to_fire(position, worst(position, names), aims)


def deviates(position: Position, names: tuple[UnitId, ...]) -> bool:
    """Return whether direct fire of batteries may deviate: that of mortars and rockets [7.5.4]."""
    return any(is_mortar(unit) or is_rocket(unit) for unit in position.pick(names))


def plotted_shot(mission: Mission, names: tuple[UnitId, ...]) -> FireDirect:
    """The direct fire of a plot, by batteries of its mission [7.5.1, 7.5.2]."""
    sheaf = mission.sheaf
    return FireDirect(names[0], sheaf.at, sheaf.pattern, sheaf.toward, mission.smoke)


def seers(position: Position, mission: Mission, able: tuple[UnitId, ...]) -> tuple[UnitId, ...]:
    """The batteries that see and reach all places of their plotted fire now [7.5.1]."""
    sheaf = mission.sheaf._replace(markers=sections(position, able))
    return tuple(unit.id for unit in position.pick(able) if _misses(position, unit, sheaf) is None)


def fire_plotted(game: Game[Position], mission: Mission, able: tuple[UnitId, ...]) -> None:
    """Carry out direct fire that was plotted a turn ago, by those that see and reach its places [7.5.1, 7.5.2]."""
    position = game.state
    if seeing := seers(position, mission, able):
        return fire_as_one(game, plotted_shot(mission, seeing), seeing)
    words = "{} does not see the place of its plotted fire"
    name = joined(unit.name for unit in position.pick(able))
    game.tell(Event("mission", words, (name,), "7.5.1", able, (mission.sheaf.at,)))


def _misses(position: Position, unit: Stand, sheaf: Sheaf) -> Refusal | None:
    """Reject a battery that does not reach or see all places of a plotted sheaf now [7.5.1]."""
    refusal = beyond_reach(position, unit, sheaf) or out_of_field(position, unit, sheaf)
    return refusal or _engaged(position, unit, sheaf) or _unseen(position, unit, sheaf)


def strayed(game: Game[Position], unit: Stand, sheaf: Sheaf) -> Sheaf:
    """A sheaf after the roll for deviation of direct fire [7.5.4]."""
    right, down = off_target(game, unit, to_deviate(game.state, unit, None), sheaf.at)
    return sheaf._replace(at=(sheaf.at[0] + right, sheaf.at[1] + down))
