"""The shape of what players see: the skeleton of a view, actions in words, the position as text."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.places import Place
from opfire.core.scenario import Scenario
from opfire.core.texts import Text, Words, called, joined, say
from opfire.kit.stacks import Member, Side, UnitId

S = TypeVar("S")


class Known(Protocol):
    """A position as a seat knows it, as far as the ids of units go."""

    @property
    def units(self) -> Container[UnitId]:
        """Every unit by its id."""
        ...


# --- ids that are not in the game ---------------------------------------------------------------------------


def unknown(sight: S, action: Action, checks: Mapping[str, Callable[[S, Any], Refusal | None]]) -> Refusal | None:
    """Reject an action one of whose fields names something that is not in the game, by the check for that field."""
    for field in action.__struct_fields__:
        check = checks.get(field)
        if check is not None and (refusal := check(sight, getattr(action, field))):
            return refusal
    return None


def no_unit(sight: Known, unit_id: UnitId) -> Refusal | None:
    """Reject an id that no unit has."""
    return None if unit_id in sight.units else Refusal("There is no unit {}", PROCEDURE, (unit_id,))


def not_units(sight: Known, names: Iterable[UnitId]) -> Refusal | None:
    """Reject ids of which one is no unit's."""
    return next((refusal for name in names if (refusal := no_unit(sight, name))), None)


# --- the meanings of a click --------------------------------------------------------------------------------

NEAREST = 3
"""The number of units that are tried where a click names only those whom they would act on, or who would act."""


def nearest(far: Mapping[UnitId, int]) -> list[UnitId]:
    """The few units that are nearest, by their distances in any unit of length."""
    return sorted(far, key=lambda name: (far[name], name))[:NEAREST]


# --- words --------------------------------------------------------------------------------------------------


def in_words(action: Action, named: Callable[[str], str]) -> dict[str, str]:
    """The fields of an action as its sentence wants them; `named` gives the words for one name."""
    values = {field: getattr(action, field) for field in action.__struct_fields__}
    return {
        field: say(joined(map(named, map(str, value)), " and ")) if isinstance(value, tuple) else named(str(value))
        for field, value in values.items()
    }


# --- the view -----------------------------------------------------------------------------------------------


def heading(ruleset: str, scenario: Scenario, turn: int, current: Side, first: Side) -> dict[str, Any]:
    """The part of a view that names the game: scenario, turn and sides; `first` is the side that moves first."""
    return {
        "ruleset": ruleset,
        "scenario": scenario.id,
        "title": called(scenario.title),
        "turn": turn,
        "turns": scenario.turns,
        "current": current,
        "sides": [
            {"id": name, "name": called(side.name), "nation": side.nation, "first": name == first}
            for name, side in scenario.sides.items()
        ],
    }


def drawn(sort: str, model: str) -> dict[str, str]:
    """The type and the name of a unit in English, by which the client chooses its picture in every language."""
    return {"sort": sort, "model": model}


def marker(kind: str, place: str, text: str, value: str, side: Side | None = None) -> dict[str, Any]:
    """A marker on the ground, at a place in its text form; `value` is what it prints."""
    return {"id": f"{kind}@{place}", "kind": kind, "place": place, "text": text, "value": value, "side": side}


def reinforcements(
    units: Mapping[UnitId, Member], entries: Mapping[UnitId, tuple[int, tuple[str, ...]]]
) -> Iterator[dict[str, Any]]:
    """Every group of units that is still to come: whose, when, and by which places."""
    groups: dict[tuple[Side, int, tuple[str, ...]], list[UnitId]] = {}
    for name, (turn, places) in entries.items():
        if units[name].status == "reserve":
            groups.setdefault((units[name].side, turn, places), []).append(name)
    for (side, turn, places), names in groups.items():
        yield {"side": side, "turn": turn, "units": names, "where": say(joined(places))}


def light(
    kind: Literal["night", "dusk", "haze"], far: float, rule: str, lit: Iterable[str] = ()
) -> dict[str, dict[str, Any]]:
    """The light of a turn, where it limits sight: how far units in the open are seen at most, and the lit places.

    `far` is in hexes, or in inches on a free table.
    """
    return {"light": {"kind": kind, "range": far, "rule": rule, "lit": list(lit)}}


def losses(units: Mapping[UnitId, Member], ids: Mapping[Side, Iterable[UnitId]]) -> dict[Side, int]:
    """The number of units that each side has lost."""
    return {side: sum(units[name].status == "eliminated" for name in names) for side, names in ids.items()}


def built(
    kind: str,
    place: Place | None,
    units: Iterable[UnitId],
    targets: Iterable[UnitId],
    calculation: dict[str, Any] | None,
) -> dict[str, Any]:
    """An attack or a move that is being put together: its units, its targets, its calculation if it comes to one."""
    return {"kind": kind, "place": place, "units": list(units), "targets": list(targets), "calculation": calculation}


# --- queries ------------------------------------------------------------------------------------------------

U = TypeVar("U", bound=Member)


def glance(
    own: Iterable[U], enemies: Iterable[U], sees: Callable[[U, U], bool], threatens: Callable[[U, U], bool]
) -> dict[str, Any]:
    """One look over a side: for each unit the enemies that could fire at it, those that it sees, and that see it.

    `sees` and `threatens` are asked about a unit and its target.
    """
    foes = [*enemies]
    return {"units": [_looked_at(unit, foes, sees, threatens) for unit in own]}


def _looked_at(
    unit: U, foes: Iterable[U], sees: Callable[[U, U], bool], threatens: Callable[[U, U], bool]
) -> dict[str, Any]:
    """One unit among its enemies."""
    return {
        "unit": unit.id,
        "fire": [foe.id for foe in foes if threatens(foe, unit)],
        "sees": [foe.id for foe in foes if sees(unit, foe)],
        "seen": [foe.id for foe in foes if sees(foe, unit)],
    }


def text(
    scenario: Scenario,
    turn: int,
    notes: Iterable[str],
    places: Mapping[str, Words],
    units: Callable[[str], Iterable[str]],
    markers: Sequence[Mapping[str, Any]],
    scores: Mapping[Side, int],
) -> str:
    """The position as text: the turn, the book's own notes, every place that holds something, the score.

    `places` gives the ground of each place that holds something, `units` those in it, in words.
    """
    lines = [say("{}, turn {} of {}", scenario.title, turn, scenario.turns), *notes]
    for place, ground in places.items():
        works = "; ".join(str(one["text"]) for one in markers if one["place"] == place)
        lines.append(
            f"{place} ({say(ground)}): " + "; ".join(part for part in ("; ".join(units(place)), works) if part)
        )
    points = joined(Text("{} {}", (side, score)) for side, score in scores.items())
    return "\n".join([*lines, say("Score: {}", points)])
