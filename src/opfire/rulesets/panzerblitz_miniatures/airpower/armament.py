"""Air strike packages [ASP]: the weapons with which a scenario sends its aircraft."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.errors import BadInput
from opfire.rulesets.panzerblitz_miniatures.charts import Charts, Kind, Package
from opfire.rulesets.panzerblitz_miniatures.pieces import Arm, Setting, Side, Stand
from opfire.rulesets.panzerblitz_miniatures.sections import Sortie


def sortie(made: Setting, side: Side, kind: Kind) -> Sortie:
    """The scenario's entry for a side's aircraft of this type; an empty one if it has none [ASP-1]."""
    flying = made.doctrine(side).aircraft
    return next((each for each in flying if each.unit == kind.id), Sortie(kind.id))


def arms(made: Setting, side: Side, kind: Kind) -> tuple[Arm, ...]:
    """The weapons of an aircraft: the scenario's, or those of its package [ASP-1, ASP-6]. Raises BadInput."""
    if kind.mode != "AC":
        return ()
    given = sortie(made, side, kind)
    if given.weapons:
        return tuple(
            Arm(each.weapon, each.attack, each.weapon_class, each.uses, each.drifts, each.guns)
            for each in given.weapons
        )
    rows = packed(made.charts, given.package or kind.package, given.carries, f"sides.{side}.aircraft")
    return tuple(Arm(row.weapon, row.attack, row.weapon_class, row.uses, row.drifts, row.guns) for row in rows)


def packed(charts: Charts, package: str, carries: str, where: str) -> Iterator[Package]:
    """The weapons of a package of the chart, of alternatives the one that is carried [ASP-6]. Raises BadInput."""
    rows = [row for row in charts.packages.values() if row.package == package]
    if package and not rows:
        known = ", ".join(dict.fromkeys(row.package for row in charts.packages.values()))
        raise BadInput(f"there is no strike package {package!r}", where, known)
    choices = [row.weapon for row in rows if row.alternatives]
    if carries and carries not in choices:
        raise BadInput(f"{package!r} has no alternative {carries!r}", where, ", ".join(choices) or "no choice")
    left_out = {row.weapon for row in rows if row.alternatives and row.weapon != (carries or _first(row, rows))}
    return (row for row in rows if row.weapon not in left_out)


def _first(row: Package, rows: Iterable[Package]) -> str:
    return next(other.weapon for other in rows if other.alternatives == row.alternatives)


def check_sorties(made: Setting) -> None:
    """Reject a strike package for a unit that is no aircraft [ASP-1]. Raises BadInput."""
    for side in made.sides:
        for each in made.doctrine(side).aircraft:
            kind = made.charts.kinds.get(each.unit)
            if kind is None or kind.mode != "AC":
                raise BadInput(f"{each.unit!r} is no aircraft", f"sides.{side}.aircraft", "an aircraft of units.csv")


def used(unit: Stand, arm: Arm) -> Iterator[Arm]:
    """The weapons after an attack with one of them [FB-5]; a helicopter carries its air strike once [HEL-9]."""
    for each in unit.arms:
        if unit.helicopter:
            yield replace(each, left=0)
        else:
            yield replace(each, left=each.left - (each.weapon == arm.weapon))
