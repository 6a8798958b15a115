"""Direct artillery fire [7.5]: batteries fire at what they see themselves; final protective fire [7.6.1.5]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from opfire.core.actions import Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import Point, text
from opfire.rulesets.micro_armour.artillery.batteries import (
    beyond_reach,
    cannot_shell,
    is_mortar,
    is_rocket,
    markers,
    no_smoke,
    off_the_board,
    range_inches,
    wrong_pattern,
)
from opfire.rulesets.micro_armour.artillery.effects import HALF
from opfire.rulesets.micro_armour.artillery.impacts import place, spend
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.record import assigned, due, smoke_planned
from opfire.rulesets.micro_armour.artillery.rolls import off_target, to_deviate, to_fire
from opfire.rulesets.micro_armour.artillery.sheafs import SHAPES, Compass, Pattern, Sheaf
from opfire.rulesets.micro_armour.cohesion import SUCCESS, tested
from opfire.rulesets.micro_armour.fire.attacks import hot_shot, runs_low
from opfire.rulesets.micro_armour.fire.guns import in_field
from opfire.rulesets.micro_armour.fire.standard import engagement, only_back, saves_ammunition, under_fire
from opfire.rulesets.micro_armour.formations import SELF_DEFENCE, is_broken, out_of_reach
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, adjacent, carried, off_the_table
from opfire.rulesets.micro_armour.sighting.sight import cannot_see, cannot_see_place
from opfire.space.measure import MICRO
from opfire.space.squares import footprint, may_touch, share


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
    return _may_fire(position, side, unit, shot) or _cannot_place(position, unit, shot)


def _may_fire(position: Position, side: Side, unit: Stand, shot: FireDirect) -> Refusal | None:
    """Reject a battery that does not fire directly now, or not with this sheaf, whatever its place."""
    return (
        cannot_shell(position, side, unit)
        or off_the_table(unit)
        or carried(unit)
        or under_fire(position, unit)
        or _has_mission(position, unit)
        or wrong_pattern(unit, markers(unit), shot.pattern, shot.toward)
        or (no_smoke(position, unit, smoke_planned(position, unit.id)) if shot.smoke else None)
    )


def _cannot_place(position: Position, unit: Stand, shot: FireDirect) -> Refusal | None:
    """Reject a place that a battery does not reach or see [7.3.5, 7.3.6-arc, 7.5.1]."""
    sheaf = Sheaf(shot.to, markers(unit), shot.pattern, shot.toward)
    return (
        off_the_board(position, sheaf)
        or beyond_reach(position, unit, sheaf)
        or _out_of_field(position, unit, sheaf)
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


def _out_of_field(position: Position, unit: Stand, sheaf: Sheaf) -> Refusal | None:
    """Reject a place beyond the firing arc of a weapon [7.3.6-arc]."""
    for at in sheaf.places(position.setting.sections.north):
        if not in_field(position, unit, at, unit.kind):
            return Refusal("{} is beyond the firing arc of {}", "7.3.6-arc", (text(at), unit.name))
    return None


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
    near = (unit for unit in stands if unit.at is not None and may_touch(unit.at, at))
    return [unit for unit in near if share(unit.ring, (footprint(at, 0),)) >= HALF]


def _engaged(position: Position, unit: Stand, sheaf: Sheaf) -> Refusal | None:
    """Reject fire of an engaged battery, but for that at enemies beside it [7.3.4]."""
    refusal = engagement(position, unit)
    beside = [enemy for enemy in position.enemies(unit.side) if adjacent(unit, enemy)]
    return None if refusal is None or _strikes_all(position, sheaf, beside) else refusal


def cannot_break_off(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject final protective fire of a battery without a mission, or that sees no enemy in its field [7.6.1.5]."""
    if refusal := cannot_shell(position, side, unit) or off_the_table(unit) or under_fire(position, unit):
        return refusal
    if not any(unit.id in mission.batteries for mission in due(position, side)):
        return Refusal("{} has no mission to cancel", "7.6.1.5", (unit.name,))
    for enemy in position.enemies(side):
        assert enemy.at is not None
        if in_field(position, unit, enemy.at, unit.kind) and cannot_see(position, unit, enemy) is None:
            return None
    return Refusal("{} sees no enemy in its field of fire", "7.6.1.5", (unit.name,))


def sheafs_at(position: Position, side: Side, unit: Stand) -> Iterator[Offer]:
    """The sheafs that a battery may place: on enemies that it sees, and anywhere that it sees."""
    for pattern, toward in SHAPES:
        if wrong_pattern(unit, markers(unit), pattern, toward) is None:
            for smoke in (False, True):
                yield from _aimed(
                    position, side, unit, partial(FireDirect, unit.id, pattern=pattern, toward=toward, smoke=smoke)
                )


def _aimed(position: Position, side: Side, unit: Stand, shot: Callable[[Point], FireDirect]) -> Iterator[Offer]:
    """One sheaf with its first marker on each enemy, and at any place in reach where it may lie there."""
    assert unit.at is not None
    for enemy in position.enemies(side):
        assert enemy.at is not None
        if cannot_fire_direct(position, side, unit, shot(enemy.at)) is None:
            yield shot(enemy.at)
    confined = unit.low or is_broken(position, unit) or engagement(position, unit) is not None
    if not confined and _may_fire(position, side, unit, shot(unit.at)) is None:
        yield Region(shot(unit.at), position.table.box(unit.at, range_inches(unit) * MICRO))


# --- carrying it out --------------------------------------------------------------------------------------------


def fire_direct(game: Game[Position], shot: FireDirect) -> None:
    """A battery rolls to fire; mortars and rockets roll for deviation too; its markers strike [7.5, 7.5.3, 7.5.4].

    A natural 1 is a hot shot, a natural 20 leaves it nearly out of ammunition [12.2.1, 12.2.2]: RULINGS.md R97.
    """
    position = game.state
    unit = position.units[shot.unit]
    game.tell(Event("fired", "{} fires at {}", (unit.name, text(shot.to)), "7.5", (unit.id,), (shot.to,)))
    roll = to_fire(position, unit)
    number = tested(game, unit, roll)
    position.change(unit.id, fired=True, low=runs_low(position, unit, number))
    if roll.result([number]) != SUCCESS:
        return
    spend(position, unit.id, shot.smoke)
    sheaf = Sheaf(shot.to, markers(unit), shot.pattern, shot.toward)
    if is_mortar(unit) or is_rocket(unit):
        sheaf = strayed(game, unit, sheaf)
    hot = any(hot_shot(position, number))
    place(game, (unit.id,), sheaf, smoke=shot.smoke, until=position.turn, hot=hot, direct=True)


def fire_plotted(game: Game[Position], mission: Mission) -> None:
    """Carry out direct fire that was plotted a turn ago, if its places are seen and in reach [7.5.1, 7.5.2]."""
    position = game.state
    unit = position.units[mission.batteries[0]]
    sheaf = mission.sheaf
    shot = FireDirect(unit.id, sheaf.at, sheaf.pattern, sheaf.toward, mission.smoke)
    refusal = beyond_reach(position, unit, sheaf) or _out_of_field(position, unit, sheaf)
    refusal = refusal or _engaged(position, unit, sheaf) or _unseen(position, unit, sheaf)
    if refusal is None:
        return fire_direct(game, shot)
    words = "{} does not see the place of its plotted fire"
    game.tell(Event("mission", words, (unit.name,), "7.5.1", (unit.id,), (sheaf.at,)))


def strayed(game: Game[Position], unit: Stand, sheaf: Sheaf) -> Sheaf:
    """A sheaf after the roll for deviation of direct fire [7.5.4]."""
    right, down = off_target(game, unit, to_deviate(game.state, unit, None), sheaf.at)
    return sheaf._replace(at=(sheaf.at[0] + right, sheaf.at[1] + down))
