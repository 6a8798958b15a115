"""GP fire [6.5.4]: factors, the GP Combat Results Table, and the outcomes by weapon, Target Type and range.

Pure arithmetic over charts and Data Cards; spotting, commands and the choice of the target belong to the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias

from opfire.core.events import Calculation, Line
from opfire.core.texts import Text, Words
from opfire.rulesets.panzer.charts import COVERS, Band, Charts, CoverType, GpResult, Grade, Gun, Leg, Vehicle, Weapon

Outcome: TypeAlias = Literal[
    "no effect", "suppressed", "damaged", "track hit", "destroyed", "reduced to a half-squad", "eliminated"
]
"""The outcomes of GP fire; a destroyed vehicle rolls for Knock-Out or Brew-Up."""

DIE = 100
KILL_DIE = 10
TURRET_MOST = 4
"""The greatest roll that damages the turret, not the hull [6.5.4.4.2-eff-dmg]."""

HIGHEST_FACTOR = 15
"""The last column of the GP Combat Results Table."""

MOVING_DEFENSE = -2
"""The change of the GP Defense Factor of leg and towed units that move [6.5.4.2.2-move]."""


# --- GP Defense Factor [6.5.4.2] --------------------------------------------------------------------------------


def vehicle_defense(target: Vehicle) -> tuple[Line, ...]:
    """The GP Defense Factor of a vehicle: a fixed value [6.5.4.2, 6.5.4.2.1]."""
    printed = Line("defence", Text("GP Defense of {}", (target.name,)), target.gpd, "6.5.4.2.1", target.gp_defense)
    return printed, Line("note", "Effective totals", "5: damaged, 0: track hit", "6.5.4.4.2-5s10s")


def soft_defense(target: Leg | Gun, cover: CoverType, *, full_cover: bool, moves: bool) -> Iterator[Line]:
    """The GP Defense Factor of a leg or towed unit, by its Cover and its acts.

    Rules: [6.5.4.2.2-type, 6.5.4.2.2-cover, 6.5.4.2.2-fc, 6.5.4.2.2-move].
    """
    base = target.gpd(cover)
    yield Line("defence", Text("GP Defense, {}", (COVERS[cover],)), f"{base}S", "6.5.4.2.2-cover", base)
    if full_cover:
        more = target.gpd_full_cover
        yield Line("defence", "Full Cover", f"{more:+d}", "6.5.4.2.2-fc", more)
    if moves:
        yield Line("defence", "Target moving", f"{MOVING_DEFENSE:+d}", "6.5.4.2.2-move", MOVING_DEFENSE)


def net_defense(lines: Sequence[Line]) -> int:
    """The net GP Defense Factor, from 1 to 10 [6.5.4.2.2-clamp]."""
    return max(1, min(10, sum(line.amount for line in lines)))


# --- modifiers [6.5.4.3] ----------------------------------------------------------------------------------------


def modifier(charts: Charts, name: str, times: int = 1) -> Line:
    """The line of a GP Fire Modifier; one that counts for each occurrence counts `times` times [6.5.4.3]."""
    row = charts.gp_modifiers[name]
    amount = row.value * (times if row.each else 1)
    label = Text("{}, {} times", (row.label, times)) if row.each and times > 1 else row.label
    return Line("modifier", label, f"{amount:+d}", row.rule, amount)


def type_line(charts: Charts, target: Vehicle) -> Iterator[Line]:
    """The modifier for a P-Type or A-Type target [6.5.4.3-type]."""
    if target.target != "S":
        yield modifier(charts, f"target {target.target}")


def cover_line(charts: Charts, cover: CoverType) -> Iterator[Line]:
    """The modifier for a target vehicle in Medium or Heavy Cover [6.5.4.3-cover]."""
    if amount := charts.cover[cover].gp:
        yield Line("modifier", Text("Target in {}", (COVERS[cover],)), f"{amount:+d}", "6.5.4.3-cover", amount)


def grade_line(charts: Charts, grade: Grade, band: Band) -> Iterator[Line]:
    """The modifier for the Unit Grade of the firer at a range factor [6.5.4.3-grade]."""
    if amount := charts.unit_grades[grade].gp(band):
        yield Line("modifier", Text("{} firer", (grade.capitalize(),)), f"{amount:+d}", "6.5.4.3-grade", amount)


# --- the roll [6.5.4.4] -----------------------------------------------------------------------------------------

Settle: TypeAlias = Callable[[GpResult, int], Outcome]
"""The outcome of a result and the modified roll that gave it."""


def result(charts: Charts, factor: int, defense: int, total: int) -> GpResult:
    """The result of a modified roll on the GP Combat Results Table [6.5.4.4, 6.5.4.4.1]."""
    none, suppressed = charts.gp_results[defense].numbers(min(factor, HIGHEST_FACTOR))
    if total <= none:
        return "no effect"
    return "suppressed" if total <= suppressed else "effective"


def determination(
    charts: Charts, title: Words, attack: Line, defense: Sequence[Line], modifiers: Sequence[Line], settle: Settle
) -> Calculation:
    """The roll of GP fire: a GP Factor against a GP Defense Factor [6.5.4.4]."""
    net, against = sum(line.amount for line in modifiers), net_defense(defense)
    none, suppressed = charts.gp_results[against].numbers(min(attack.amount, HIGHEST_FACTOR))
    table = Line(
        "odds", Text("Factor {} against {}", (attack.amount, against)), f"{none}/{suppressed}", "6.5.4.4", none
    )
    totals = [roll + net for roll in range(1, DIE + 1)]
    outcomes = tuple(settle(result(charts, attack.amount, against, total), total) for total in totals)
    lines = (attack, *defense, *modifiers, table)
    return Calculation(title, "6.5.4.4", lines, 1, DIE, outcomes, f"{attack.amount} : {against}, {net:+d}", net)


# --- outcomes [6.5.4.4.2, 6.5.4.4.3] ----------------------------------------------------------------------------


def against_vehicle(
    charts: Charts, weapon: Weapon, band: Band, target: Vehicle, found: GpResult, total: int, *, hull_down: bool
) -> Outcome:
    """The outcome against a vehicle, by the kind of weapon, the Target Type and the range.

    Rules: [6.5.4.4.2-sup-nsa, 6.5.4.4.2-eff-cap, 6.5.4.4.2-eff-s, 6.5.4.4.2-sa-sup-a, 6.5.4.4.2-sa-sup-p,
    6.5.4.4.2-sa-sup-s, 6.5.4.4.2-sa-eff-a, 6.5.4.4.2-sa-eff-p, 6.5.4.4.2-sa-eff-s].
    """
    if found == "no effect":
        return found
    kind: Literal["small arms", "other"] = "small arms" if weapon.small_arms is True else "other"
    outcome = charts.gp_vehicles[kind, found, target.target, band].outcome
    if outcome == "gated":
        outcome = "effective" if weapon.gp_eff >= target.gp_defense else "suppressed"
    return fives_and_tens(total, hull_down=hull_down) if outcome == "effective" else outcome


def against_open(weapon: Weapon, band: Band, target: Vehicle, found: GpResult) -> Outcome | None:
    """The outcome of an Effective result that only hurts a vehicle because it is open, or None [7.8.3-open]."""
    if found != "effective":
        return None
    if weapon.small_arms is True:
        return "damaged" if band == "P" else None
    return "damaged" if weapon.gp_eff < target.gp_defense else None


def fives_and_tens(total: int, *, hull_down: bool) -> Outcome:
    """An Effective result on a vehicle by the last digit of the modified roll [6.5.4.4.2-5s10s, 6.5.4.4.2-eff-trk].

    >>> [fives_and_tens(total, hull_down=False) for total in (75, 110, 96, -5)]
    ['damaged', 'track hit', 'destroyed', 'damaged']
    """
    match abs(total) % 10:
        case 5:
            return "damaged"
        case 0:
            return "no effect" if hull_down else "track hit"
    return "destroyed"


def against_soft(target: Leg | Gun, found: GpResult) -> Outcome:
    """The outcome against a leg or towed unit: a squad loses a half, others are lost [6.5.4.4.3-sup, 6.5.4.4.3-eff]."""
    if found != "effective":
        return found
    return "reduced to a half-squad" if target.category == "squad" else "eliminated"


def half(factor: int) -> int:
    """Half a GP Factor, rounded down; half of 1 is 1 [5.12].

    >>> half(8), half(5), half(1)
    (4, 2, 1)
    """
    return max(1, factor // 2)


def brew_up_most(weapon: Weapon, band: Band) -> int:
    """The greatest roll that brews a destroyed vehicle up [6.5.4.4.2-eff-kill, 6.5.4.4.2-sa-eff-s].

    It is the weapon's greatest GP Effectiveness Factor, for Small Arms half their GP Factor.
    """
    return half(weapon.value(band)) if weapon.small_arms is True else weapon.gp_eff
