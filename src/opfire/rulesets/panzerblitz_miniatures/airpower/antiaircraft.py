"""Air combat, anti-aircraft defense and collective ground fire, all on the anti-aircraft table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from opfire.core.actions import Refusal
from opfire.core.events import Calculation, Line
from opfire.core.texts import Text
from opfire.rulesets.panzerblitz_miniatures.charts import AA_COLUMNS, Charts, Kind
from opfire.rulesets.panzerblitz_miniatures.fire.combat import Strength, mixed

AircraftStatus: TypeAlias = Literal["flying", "damaged", "destroyed"]


def aa_column(charts: Charts, factors: Fraction) -> str | None:
    """The column of a sum of anti-aircraft factors; None below the first [AAT-1]: RULINGS.md R38."""
    reached = [column for column in AA_COLUMNS if factors >= _least(column)]
    return reached[-1] if reached else None


def _least(column: str) -> int:
    """The least sum of a column, as its heading says.

    >>> _least("20-25"), _least("36+")
    (20, 36)
    """
    return int(column.rstrip("+").partition("-")[0])


def antiaircraft(charts: Charts, attackers: Sequence[Strength], aircraft: str, drm: int) -> Calculation:
    """All fire at one aircraft: factors after effectiveness, and the aircraft's modifier on one die [AIC-1, AIC-2]."""
    factors = sum((each.effective for each in attackers), start=Fraction(0))
    column = aa_column(charts, factors)
    lines = [line for each in attackers for line in each.lines("attack", "AIC-1")]
    lines.append(Line("odds", "Anti-aircraft factors", mixed(factors), "AAT-1"))
    return _calculation(charts, Text("Anti-aircraft fire at {}", (aircraft,)), "AIC-1", lines, column, drm)


def collective_fire(charts: Charts, aircraft: str, drm: int) -> Calculation:
    """The one attack of all units near an aircraft that has attacked, whatever their number [CGF-2, CGF-4]."""
    strength = charts.named["collective ground fire"]
    lines = [Line("odds", "Collective ground fire", mixed(strength), "CGF-4")]
    return _calculation(
        charts, Text("Collective ground fire at {}", (aircraft,)), "CGF-1", lines, aa_column(charts, strength), drm
    )


def _calculation(
    charts: Charts, title: Text, rule: str, lines: Sequence[Line], column: str | None, drm: int
) -> Calculation:
    if drm:
        lines = (*lines, Line("modifier", "Aircraft", f"{drm:+d}", "AIC-1", drm))
    if column is None:
        return Calculation(title, rule, tuple(lines), 0, 6, ("none",), modifier=drm)
    outcomes = tuple(charts.aa.get((max(1, die + drm), column), "none") for die in range(1, 7))
    return Calculation(title, rule, tuple(lines), 1, 6, outcomes, column, drm)


def aircraft_after(before: AircraftStatus, result: str) -> AircraftStatus:
    """The status of an aircraft after a result: damage twice is destruction [AAT-2, CGF-4]."""
    match result:
        case "X":
            return "destroyed"
        case "D":
            return "destroyed" if before == "damaged" else "damaged"
    return before


def not_antiaircraft(kind: Kind) -> Refusal | None:
    """Refuse anti-aircraft fire to a unit that is not for it [AAD-2]."""
    if kind.anti_aircraft:
        return None
    return Refusal("{} is no anti-aircraft unit; it joins in collective ground fire", "AAD-2", (kind.name,))
