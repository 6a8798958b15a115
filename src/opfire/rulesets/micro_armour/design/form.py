"""The fields of a force, as a page asks for them; docs/forces.md explains them."""

from __future__ import annotations

from collections.abc import Mapping

from opfire.core.forces import Choice, Field, Form, Part
from opfire.rulesets.micro_armour.charts import charts
from opfire.rulesets.micro_armour.design import determination
from opfire.rulesets.micro_armour.design.offers import STANDS, STRIKES, nations

WORKS = {
    "light": "light position",
    "medium": "medium position",
    "heavy": "heavy position",
    "hasty": "hasty minefield",
    "standard": "standard minefield",
    "concentrated": "concentrated minefield",
    "dummies": "dummy minefield",
    "wire": "barbed wire",
    "ditches": "anti-tank ditch",
}

ROLES = {"attacker": "Attacker", "defender": "Defender"}
SIZES = {"battalion": "Battalion", "company": "Company", "detachment": "Detachment"}
BOATS = {"fast": "Fast boats", "slow": "Slow boats"}

POINTS, BUILT, SUPPORT, NERVE = "Points", "Works", "Observers and air support", "Determination"
"""The groups of fields after the first, which has no title."""

FORMATION = (
    Field("name", "Name", "words", begin="Formation"),
    Field("size", "Size", "choice", begin="company", choices=tuple(Choice(*size) for size in SIZES.items())),
    Field("reconnaissance", "Reconnaissance unit", "yes"),
)

STAND = (
    Field("hq", "Headquarters", "yes"),
    Field("ghq", "General headquarters of quality", "number", least=-2, most=3),
    Field("engineers", "Combat engineers", "yes"),
    Field("engineering", "Engineering vehicle", "yes"),
    Field("recon", "Reconnaissance [R]", "yes"),
    Field("improved_ammunition", "Improved ammunition", "yes"),
    Field("boats", "Fording boats", "choice", choices=tuple(Choice(*boat) for boat in BOATS.items())),
    Field("off_map", "Off the map", "yes"),
    Field("fire_turns", "Turns of fire paid for", "number", least=1, most=99),
)


def form() -> Form:
    """All that a force can say."""
    return Form(
        (*_force(), *_points(), *_works(), *_support(), *_nerve()),
        FORMATION,
        Part(STANDS, "Stands", "weapon", STAND),
        (Part(STRIKES, "Air strikes", "aircraft"),),
    )


def _force() -> tuple[Field, ...]:
    engagements: dict[str, str] = {row.type: row.name for row in charts().engagements.values()}
    return (
        Field("title", "Title", "words", begin="My force"),
        Field("nation", "Nation", "choice", begin="Germany", choices=_choices({name: name for name in nations()})),
        Field("date", "Year and month", "month", begin="1944-08"),
        Field("engagement", "Engagement", "choice", begin="meeting-engagement", choices=_choices(engagements)),
        Field("role", "Role", "choice", begin="attacker", choices=_choices(ROLES)),
        Field("cohesion", "Cohesion", "number", least=1, most=20, begin=15),
        Field("turns", "Turns, if not as usual", "number", least=1, most=99),
    )


def _points() -> tuple[Field, ...]:
    return (
        Field("allowance.points", "Points as agreed", "number", POINTS, begin=1000),
        Field("allowance.base", "Or the point base", "number", POINTS),
        Field("allowance.bid", "less the bid for the edge", "number", POINTS),
        Field("allowance.known", "Or the points of a known enemy", "number", POINTS),
        Field("allowance.cohesion", "Cohesion of the enemy", "number", POINTS, least=1, most=20),
        Field("allowance.determination", "Determination of the enemy, per cent", "number", POINTS, least=1, most=100),
    )


def _works() -> tuple[Field, ...]:
    return tuple(Field(f"works.{key}", name.capitalize(), "number", BUILT) for key, name in WORKS.items())


def _support() -> tuple[Field, ...]:
    return (
        Field("observers", "Forward observers, all of them", "number", SUPPORT),
        Field("coordinators", "Air coordinators", "number", SUPPORT),
        Field("marines", "US Marine Corps", "yes", SUPPORT),
    )


def _nerve() -> tuple[Field, ...]:
    told = {word: word.replace("-", " ").capitalize() for word in dict.fromkeys(determination.told_words(charts()))}
    return (
        Field("determination", "Determination, if not worked out, per cent", "number", NERVE, least=1, most=100),
        Field("circumstances", "Circumstances", "several", NERVE, choices=_choices(told)),
    )


def _choices(names: Mapping[str, str]) -> tuple[Choice, ...]:
    return tuple(Choice(value, label) for value, label in names.items())
