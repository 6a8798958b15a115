"""The shape of what players see: the skeleton of a view, actions in words, the position as text."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.places import Place
from opfire.core.scenario import Scenario
from opfire.kit.stacks import Hex, Member, Piece, Side, Stacks, UnitId

S = TypeVar("S")


class Sighted(Protocol):
    """A position as a seat knows it, as far as units and ground go."""

    @property
    def units(self) -> Mapping[UnitId, Piece]:
        """Every unit by its id."""
        ...

    @property
    def map(self) -> Container[object]:
        """The map, which knows its hexes."""
        ...


# --- ids that are not in the game ---------------------------------------------------------------------------


def unknown(sight: S, action: Action, checks: Mapping[str, Callable[[S, Any], Refusal | None]]) -> Refusal | None:
    """Reject an action one of whose fields names something that is not in the game, by the check for that field."""
    for field in action.__struct_fields__:
        check = checks.get(field)
        if check is not None and (refusal := check(sight, getattr(action, field))):
            return refusal
    return None


def no_unit(sight: Sighted, unit_id: UnitId) -> Refusal | None:
    """Reject an id that no unit has."""
    return None if unit_id in sight.units else Refusal("There is no unit {}", PROCEDURE, (unit_id,))


def no_hex(sight: Sighted, name: Hex) -> Refusal | None:
    """Reject a name that no hex in play has."""
    return None if name in sight.map else Refusal("There is no hex {} in play", PROCEDURE, (name,))


def not_units(sight: Sighted, names: Iterable[UnitId]) -> Refusal | None:
    """Reject ids of which one is no unit's."""
    return next((refusal for name in names if (refusal := no_unit(sight, name))), None)


# --- words --------------------------------------------------------------------------------------------------


def named(sight: Sighted, name: str) -> str:
    """A unit by its name and hex, anything else as it is."""
    unit = sight.units.get(name)
    if unit is None:
        return name
    return f"{unit.name} in {unit.hex}" if unit.hex else unit.name


def in_words(action: Action, named: Callable[[str], str]) -> dict[str, str]:
    """The fields of an action as its sentence wants them; `named` gives the words for one name."""
    values = {field: getattr(action, field) for field in action.__struct_fields__}
    return {
        field: " and ".join(named(str(part)) for part in value) if isinstance(value, tuple) else named(str(value))
        for field, value in values.items()
    }


def touches(sight: Sighted, action: Action) -> tuple[list[UnitId], list[Hex]]:
    """The units and the hexes that an action names."""
    units: list[UnitId] = []
    hexes: list[Hex] = []
    for field in action.__struct_fields__:
        value = getattr(action, field)
        for part in value if isinstance(value, tuple) else (value,):
            if part in sight.units:
                units.append(part)
            elif isinstance(part, str) and part in sight.map:
                hexes.append(part)
    return units, hexes


def clicked(sight: Sighted, side: Side, what: Iterable[str]) -> tuple[list[UnitId], list[UnitId], list[Hex]]:
    """The own units, the units of others and the hexes that a click fell on, the hexes of the units too."""
    things = list(what)
    units = [sight.units[name] for name in things if name in sight.units]
    hexes = [name for name in things if name in sight.map] + [unit.hex for unit in units if unit.hex]
    own = [unit.id for unit in units if unit.side == side]
    others = [unit.id for unit in units if unit.side != side]
    return own, others, list(dict.fromkeys(hexes))


# --- the view -----------------------------------------------------------------------------------------------


def heading(ruleset: str, scenario: Scenario, turn: int, current: Side, first: Side) -> dict[str, Any]:
    """The part of a view that names the game: scenario, turn and sides; `first` is the side that moves first."""
    return {
        "ruleset": ruleset,
        "scenario": scenario.id,
        "title": scenario.title,
        "turn": turn,
        "turns": scenario.turns,
        "current": current,
        "sides": [
            {"id": name, "name": side.name, "nation": side.nation, "first": name == first}
            for name, side in scenario.sides.items()
        ],
    }


def placed(unit: Piece, stacks: Stacks) -> dict[str, Any]:
    """The part of a view that says whose a unit is and where; `order` is its place in the stack, 0 on top."""
    stack = stacks.get(unit.hex, ()) if unit.hex else ()
    return {
        "id": unit.id,
        "side": unit.side,
        "name": unit.name,
        "place": unit.hex,
        "order": stack.index(unit.id) if unit.id in stack else len(stack),
        "carrier": unit.carrier,
        "status": unit.status,
    }


def marker(kind: str, hex: Hex, text: str, value: str, side: Side | None = None) -> dict[str, Any]:
    """A marker on the map; `value` is what it prints."""
    return {"id": f"{kind}@{hex}", "kind": kind, "place": hex, "text": text, "value": value, "side": side}


def reinforcements(
    units: Mapping[UnitId, Member], entries: Mapping[UnitId, tuple[int, tuple[Hex, ...]]]
) -> Iterator[dict[str, Any]]:
    """Every group of units that is still to come: whose, when, and by which hexes."""
    groups: dict[tuple[Side, int, tuple[Hex, ...]], list[UnitId]] = {}
    for name, (turn, hexes) in entries.items():
        if units[name].status == "reserve":
            groups.setdefault((units[name].side, turn, hexes), []).append(name)
    for (side, turn, hexes), names in groups.items():
        yield {"side": side, "turn": turn, "units": names, "where": ", ".join(hexes)}


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


def line_of_sight(
    start: Hex, to: Hex, refusal: Refusal | None, rule: str, at: Hex | None, profile: list[dict[str, Any]]
) -> dict[str, Any]:
    """A line of sight in words: clear by `rule`, or why not; `at` is the hex that blocks it."""
    return {
        "clear": refusal is None,
        "text": refusal.sentence() if refusal else f"{to} is in line of sight of {start}",
        "rule": refusal.rule if refusal else rule,
        "at": at,
        "profile": profile,
    }


def text(
    scenario: Scenario,
    turn: int,
    notes: Iterable[str],
    hexes: Mapping[Hex, str],
    units: Callable[[Hex], Iterable[str]],
    markers: Sequence[Mapping[str, Any]],
    scores: Mapping[Side, int],
) -> str:
    """The position as text: the turn, the book's own notes, every hex that holds something, the score.

    `hexes` gives the ground of each hex that holds something, `units` those in it, in words.
    """
    lines = [f"{scenario.title}, turn {turn} of {scenario.turns}", *notes]
    for hex, ground in hexes.items():
        works = "; ".join(str(one["text"]) for one in markers if one["place"] == hex)
        lines.append(f"{hex} ({ground}): " + "; ".join(part for part in ("; ".join(units(hex)), works) if part))
    points = ", ".join(f"{side} {score}" for side, score in scores.items())
    return "\n".join([*lines, f"Score: {points}"])
