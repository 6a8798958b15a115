"""Optional rules of spotting [7.7, 7.24, 7.41]: chances to spot, camouflage, the removal of SPOT counters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opfire.core.actions import Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer import radios
from opfire.rulesets.panzer.charts import Grade
from opfire.rulesets.panzer.formations import is_recon
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, away, cover
from opfire.rulesets.panzer.sighting.ranges import Marker, lines, spotting_range
from opfire.rulesets.panzer.sighting.spots import cannot_spot, conditions, lit, lookouts

LIMITED, MOST, CAMOUFLAGE, REMOVAL, RECON = "7.7.1", "7.7.2", "7.24", "7.41", "7.43"
DIE, SMALL_DIE = 100, 10
TOGETHER, RECON_BONUS, RECON_EYE = 10, 10, -1
"""For each further spotter [7.7.1], for a Recon spotter [7.43], and a Recon unit's die against camouflage [7.43]."""

HIDING = ("light", "medium", "heavy")


def range_of_sight(position: Position, spotter: Unit, target: Unit, marker: Marker) -> int:
    """The greatest range in hexes at which a unit spots another one."""
    hidden, others = cover(position, target, "spotting"), [*conditions(position, spotter, target)]
    others += lit(position, target, [*lines(position.charts, hidden, marker), *others])
    return spotting_range(position.charts, hidden, marker, target.kind.bulk, others)


def near(position: Position, spotter: Unit, target: Unit, marker: Marker) -> bool:
    """Return whether a target is within half of the greatest range, rounded down [7.7.1]."""
    return away(position, spotter, target) <= range_of_sight(position, spotter, target, marker) // 2


def _units(position: Position, names: Sequence[UnitId]) -> list[Unit]:
    """These units, passengers as they look from their vehicles."""
    side = position.units[names[0]].side if names else ""
    return [unit for unit in lookouts(position, side) if unit.id in names] if names else []


# --- limited spotting [7.7] ------------------------------------------------------------------------------------


def chance(position: Position, spotters: Sequence[Unit], target: Unit) -> int:
    """The percentage of an attempt to spot: that of the best spotter, and 10 for each further one [7.7.1, 7.43].

    RULINGS.md R89.
    """
    best = max(_single(position, spotter, target) for spotter in spotters)
    beyond = 0 if "R89" in position.setting.options else 1
    return best + TOGETHER * (len(spotters) - beyond)


def _single(position: Position, spotter: Unit, target: Unit) -> int:
    row = position.charts.spotting_chances[spotter.grade]
    base = row.near if near(position, spotter, target, target.spot) else row.far
    return base + (RECON_BONUS if RECON in position.setting.options and is_recon(spotter) else 0)


def limit(game: Game[Position]) -> None:
    """One attempt is made for each unit in range; next to a spotter it is spotted without a roll [7.7.1].

    The best spotter, or those next to the target, hand the spot to the others, as far as their radios let them [7.4.1].
    """
    position = game.state
    for name, spotters in [*position.spots.items()]:
        units, target = _units(position, spotters), position.units[name]
        finders = [unit for unit in units if away(position, unit, target) <= 1]
        if units and not finders and _attempt(game, units, target):
            finders = [max(units, key=lambda unit: _single(position, unit, target))]
        told = (unit for unit in units if any(one is unit or handed_on(position, one, unit) for one in finders))
        position.spots[name] = tuple(unit.id for unit in told)


def _attempt(game: Game[Position], units: Sequence[Unit], target: Unit) -> bool:
    """Roll for a target that nobody is next to; return whether it is spotted [7.7.1]."""
    most, dice = chance(game.state, units, target), game.roll(1, DIE)
    words = "{} is spotted" if dice[0] <= most else "{} is not spotted"
    game.tell(Event("spotting", words, (target.name,), "7.7.1", (target.id,), (), dice))
    return dice[0] <= most


def crop(position: Position) -> None:
    """Each unit keeps as many spots as its Unit Grade allows, the nearest ones: RULINGS.md R90 [7.7.2]."""
    for side in position.setting.sides:
        for unit in lookouts(position, side):
            seen = [name for name, spotters in position.spots.items() if unit.id in spotters]
            seen.sort(key=lambda name: away(position, unit, position.units[name]))
            for name in seen[position.charts.spotting_chances[unit.grade].most :]:
                position.spots[name] = tuple(spotter for spotter in position.spots[name] if spotter != unit.id)


# --- camouflage [7.24] -----------------------------------------------------------------------------------------


def look_closely(game: Game[Position]) -> None:
    """A camouflaged unit is seen by its neighbours, and by units whose die does not exceed their range [7.24].

    The spot is handed to spotters at the same range or less.
    """
    position = game.state
    for name, spotters in [*position.spots.items()]:
        target = position.units[name]
        if target.camouflaged and spotters:
            position.spots[name] = tuple(_undeceived(game, _units(position, spotters), target))


def _undeceived(game: Game[Position], spotters: Sequence[Unit], target: Unit) -> Iterator[UnitId]:
    position = game.state
    finders: list[Unit] = []
    for unit in sorted(spotters, key=lambda unit: away(position, unit, target), reverse=True):
        found = any(handed_on(position, finder, unit) for finder in finders)
        if not found and away(position, unit, target) > 1:
            sharper = RECON_EYE if RECON in position.setting.options and is_recon(unit) else 0
            dice = game.roll(1, SMALL_DIE)
            found = dice[0] + sharper <= range_of_sight(position, unit, target, target.spot)
            words = "{} sees through the camouflage of {}" if found else "{} does not make out {}"
            game.tell(Event("spotting", words, (unit.name, target.name), "7.24", (unit.id, target.id), (), dice))
            finders += [unit] if found else []
        if found or away(position, unit, target) <= 1:
            yield unit.id


def handed_on(position: Position, finder: Unit, unit: Unit) -> bool:
    """Return whether a unit hands a spotted target to another one: without radios only within its platoon [7.4.1]."""
    silent = radios.without(position, finder) or radios.without(position, unit)
    return not silent or bool(finder.platoon and finder.platoon == unit.platoon)


def give_away(position: Position, unit_id: UnitId) -> None:
    """A unit that fires in front of an enemy in spotting range loses its camouflage; a Short Halt always does [7.24].

    It is seen with the SPOT counter of its fire.
    """
    unit = position.units[unit_id]
    if not unit.camouflaged or unit.hex is None:
        return
    enemies = lookouts(position, position.setting.other[unit.side])
    seen = any(cannot_spot(position, one, unit, unit.seen_as) is None for one in enemies)
    if seen or unit.command == "short halt":
        position.change(unit.id, camouflaged=False)


def cannot_make_out(position: Position, spotter: Unit, target: Unit) -> Refusal | None:
    """The reason that a unit does not spot another one at once, outside the Spotting Phase.

    Beyond one hex camouflage and Limited Spotting leave that to the rolls of the Spotting Phase [7.24, 7.7.1].
    """
    if refusal := cannot_spot(position, spotter, target, target.seen_as):
        return refusal
    if away(position, spotter, target) <= 1:
        return None
    if target.camouflaged and CAMOUFLAGE in position.setting.options:
        return Refusal("{} is camouflaged, and nobody has made it out", "7.24", (target.name,))
    if LIMITED in position.setting.options:
        return Refusal("{} was not spotted in the Spotting Phase", "7.7.1", (target.name,))
    return None


# --- SPOT counters that come off [7.41] ------------------------------------------------------------------------


def watchers(position: Position, unit: Unit) -> list[Unit]:
    """The enemies that count against the removal of a SPOT counter: steady combat units in the open [7.41-elig].

    Passengers spot as well [6.1.1].
    """
    return [
        enemy
        for enemy in lookouts(position, position.setting.other[unit.side])
        if enemy.kind.armed and not enemy.suppression and not enemy.full_cover and enemy.morale != "broken"
    ]


def may_lose_counter(position: Position, unit: Unit) -> bool:
    """Return whether a SPOT counter may come off: in Cover, and with no steady enemy next to the unit [7.41-elig]."""
    hidden = cover(position, unit, "spotting") in HIDING
    return bool(unit.spot) and hidden and all(away(position, enemy, unit) > 1 for enemy in watchers(position, unit))


def removal(position: Position, unit: Unit) -> Calculation:
    """The roll that takes a SPOT counter off: by Cover, number, range and grade of the spotters [7.41-roll, 7.43]."""
    able = [one for one in watchers(position, unit) if cannot_spot(position, one, unit, unit.spot) is None]
    close = any(near(position, one, unit, unit.spot) for one in able)
    row = position.charts.spot_removal[min(len(able), max(position.charts.spot_removal))]
    most = int(getattr(row, f"{cover(position, unit, 'spotting')}_{'near' if close else 'far'}"))
    lines = [*_keen(position, able)]
    net = sum(line.amount for line in lines)
    lines.append(
        Line(
            "odds",
            Text("{} spotters" if len(able) != 1 else "{} spotter", (len(able),)),
            f"01-{most}",
            "7.41-roll",
            most,
        )
    )
    outcomes = tuple("SPOT counter comes off" if roll + net <= most else "stays spotted" for roll in range(1, DIE + 1))
    return Calculation(
        Text("SPOT counter of {}", (unit.name,)), "7.41-roll", tuple(lines), 1, DIE, outcomes, f"01-{most}", net
    )


def _keen(position: Position, able: Sequence[Unit]) -> Iterator[Line]:
    """The modifiers of the best grade among the spotters, and of a Recon unit among them [7.41-roll]."""
    grades: list[Grade] = [unit.grade for unit in able]
    if grades:
        amount = max(position.charts.spot_removal_grades[grade].amount for grade in grades)
        if amount:
            yield Line("modifier", "Best spotter", f"{amount:+d}", "7.41-roll", amount)
    if any(is_recon(unit) for unit in able):
        twice = {RECON, "R212"} <= position.setting.options  # RULINGS.md R212
        amount = RECON_BONUS * (2 if twice else 1)
        yield Line("modifier", "Recon spotter", f"{amount:+d}", "7.41-roll", amount)


def take_counters_off(game: Game[Position]) -> None:
    """Roll for each SPOT counter that may come off [7.41-roll]."""
    position = game.state
    for unit in [unit for side in position.setting.sides for unit in position.of(side)]:
        if may_lose_counter(position, unit):
            made = removal(position, unit)
            dice = game.roll(1, DIE)
            result = made.result(dice)
            game.tell(Event("spotting", "{}: {}", (unit.name, result), "7.41-roll", (unit.id,), (), dice, made))
            if result != "stays spotted":
                position.change(unit.id, spot="")


def settle(game: Game[Position]) -> None:
    """The optional rules that follow the finding of spots, in order [7.24, 7.7.1, 7.7.2]."""
    options = game.state.setting.options
    if CAMOUFLAGE in options:
        look_closely(game)
    if LIMITED in options:
        limit(game)
    if MOST in options:
        crop(game.state)
