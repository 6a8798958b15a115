"""Formations, grades and labels [5.8, 5.9]: which units of a side belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.core.errors import BadInput
from opfire.rulesets.panzer.charts import Leg
from opfire.rulesets.panzer.pieces import Company, Position, Setting, Side, Unit
from opfire.rulesets.panzer.sections import Formation, Label

COMMAND: frozenset[Label] = frozenset({"CHQ", "BHQ", "RHQ"})
"""The labels of Command units [5.9.1]."""

_PRINTED: dict[str, Label] = {"Recon": "Recon", "Engineer": "Engineer", "FO": "FO", "Command": "CHQ"}
"""The labels that a Data Card bears."""


def enlist(made: Setting, side: Side, units: Sequence[Unit]) -> Iterator[Unit]:
    """The units of a side with formation, grade, labels and weapons. Raises BadInput [5.8.2, 5.8.3]."""
    section = made.sections.sides.get(side)
    formations = section.formations if section else ()
    if section is None or not formations:
        made.formations[side] = Company(side, side, made.grade(side))
        yield from (replace(outfitted(unit), formation=side, grade=made.grade(side)) for unit in units)
        return
    enlisted: dict[str, Unit] = {}
    for number, formation in enumerate(formations, 1):
        _check_cohesion(made, formation, section.army)
        delay = formation.delay if "7.48" in made.options else 0
        company = Company(side, formation.name, formation.grade, formation.cohesion, section.army, delay)
        made.formations[f"{side}-{number}"] = company
        rest = [unit for unit in units if unit.id not in enlisted]
        enlisted |= {unit.id: unit for unit in _members(f"{side}-{number}", formation, rest)}
    for unit in units:
        if unit.id not in enlisted:
            raise BadInput(f"{unit.name} is in no formation", f"sides.{side}.formations", "each unit in one")
        yield enlisted[unit.id]


def _check_cohesion(made: Setting, formation: Formation, army: str) -> None:
    """Check the level and the army of a formation's cohesion, and its leaders. Raises BadInput [7.1.1, 7.55]."""
    if formation.cohesion not in made.charts.cohesion:
        raise BadInput(f"cohesion {formation.cohesion!r}", formation.name, ", ".join(made.charts.cohesion))
    for rank in (rank for ranks in formation.leaders.values() for rank in ranks):
        if rank not in made.charts.leaders:
            raise BadInput(f"leader {rank!r}", formation.name, ", ".join(made.charts.leaders))
    if army and army not in made.charts.cohesion_modifiers:
        raise BadInput(f"army {army!r}", "sides", ", ".join(made.charts.cohesion_modifiers))


def _members(name: str, formation: Formation, units: Sequence[Unit]) -> Iterator[Unit]:
    """The units of a formation out of those that are left, in their order. Raises BadInput."""
    for card, number in formation.units.items():
        found = [unit for unit in units if unit.kind.id == card][:number]
        if len(found) < number:
            raise BadInput(f"too few of {card!r} for {formation.name}", "formations", f"{number} among the units")
        for index, unit in enumerate(found):
            labels = tuple(label for label, some in formation.labels.items() if index < some.get(card, 0))
            weapons = formation.weapons.get(card, ())
            grade = formation.grades.get(card, formation.grade)
            platoon = _platoon(formation, card, index)
            ranks = formation.leaders.get(card, ())
            rank = ranks[index] if index < len(ranks) else ""
            hidden = index < formation.camouflaged.get(card, 0)
            hides = index < formation.hidden.get(card, 0)
            searching = index < formation.searching.get(card, 0)
            indoors = index < formation.indoors.get(card, 0)
            yield replace(
                outfitted(unit, labels, weapons),
                formation=name,
                grade=grade,
                platoon=platoon,
                camouflaged=hidden,
                indoors=indoors,
                searching=searching,
                hides=hides,
                leader=rank,
            )


def _platoon(formation: Formation, card: str, index: int) -> str:
    """The platoon of the formation's unit of that card and index, by its number from 1; none if it is in none [7.3]."""
    for number, units in enumerate(formation.platoons, 1):
        if index < units.get(card, 0):
            return f"{formation.name} {number}"
        index -= units.get(card, 0)
    return ""


def outfitted(unit: Unit, labels: tuple[Label, ...] = (), weapons: tuple[str, ...] = ()) -> Unit:
    """A unit with the labels and weapons of its card and of the scenario [5.1.3, 5.9]."""
    if not isinstance(unit.kind, Leg):
        return replace(unit, labels=labels)
    printed = tuple(_PRINTED[word] for word in unit.kind.labels_printed.split() if _PRINTED[word] not in labels)
    return replace(unit, labels=(*printed, *labels), weapons=weapons or unit.kind.own_weapons)


def is_recon(unit: Unit) -> bool:
    """Return whether it is a Recon unit [5.9.2]."""
    return "Recon" in unit.labels


def commands_others(unit: Unit) -> bool:
    """Return whether it is a Command unit [5.9.1]."""
    return not COMMAND.isdisjoint(unit.labels)


# --- delayed reaction [7.48] ----------------------------------------------------------------------------------------


def delayed(position: Position, unit: Unit) -> bool:
    """Return whether a unit's formation is not ready yet, so that it has No Command [7.48]."""
    company = position.setting.formations.get(unit.formation)
    return company is not None and position.turn <= company.delay


def unready(position: Position, unit: Unit) -> Refusal | None:
    """Reject acts of passengers that are surprised: the command of their vehicle is none of theirs [7.48].

    They stay aboard, or dismount in peace: RULINGS.md R209.
    """
    if unit.carrier is None or not delayed(position, unit):
        return None
    facts = (unit.name, position.setting.formations[unit.formation].delay + 1)
    return Refusal("{} is surprised: it has No Command before turn {}", "7.48", facts)
