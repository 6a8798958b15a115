"""The view of a player, and the queries: labels, the meanings of a click, previews, reach and sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from opfire.core import places
from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.flow import Frame
from opfire.core.places import Point
from opfire.kit import scoring
from opfire.kit import shown as kit
from opfire.rulesets.panzerblitz_miniatures import victory
from opfire.rulesets.panzerblitz_miniatures.counters import figures
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand

ID = "panzerblitz-miniatures"


# --- ids that are not in the game ---------------------------------------------------------------------------


def _no_unit(sight: Position, name: str) -> Refusal | None:
    return None if name in sight.units else Refusal("There is no unit {}", PROCEDURE, (name,))


def _no_units(sight: Position, names: tuple[str, ...]) -> Refusal | None:
    return next((refusal for name in names if (refusal := _no_unit(sight, name))), None)


def _no_point(sight: Position, at: Point) -> Refusal | None:
    return None if at in sight.table else Refusal("There is no point {} on the table", PROCEDURE, (places.text(at),))


_KNOWN: Mapping[str, Callable[[Position, Any], Refusal | None]] = {
    "unit": _no_unit,
    "carrier": _no_unit,
    "target": _no_unit,
    "units": _no_units,
    "to": _no_point,
}


def unknown(sight: Position, action: Action) -> Refusal | None:
    """Reject units and points that are not in the game."""
    return kit.unknown(sight, action, _KNOWN)


# --- words --------------------------------------------------------------------------------------------------


def named(sight: Position, name: str) -> str:
    """A unit by its name, anything else as it is."""
    return sight.units[name].name if name in sight.units else name


def label(sight: Position, action: Action) -> str:
    """An action in words, as on a button."""
    words = kit.in_words(action, partial(named, sight))
    return action.says.format(**words, **{}) if not hasattr(action, "to") else _pointed(action, words)


def _pointed(action: Action, words: dict[str, str]) -> str:
    return action.says.format(**{**words, "to": places.text(action.to)})  # type: ignore[attr-defined]


def touches(sight: Position, action: Action) -> tuple[tuple[str, ...], tuple[Point, ...]]:
    """The units and the points on which a click may mean this action."""
    values = [getattr(action, field) for field in action.__struct_fields__]
    names = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
    units = tuple(part for part in names if isinstance(part, str) and part in sight.units)
    to = getattr(action, "to", None)
    return units, (to,) if to is not None else ()


# --- the view -----------------------------------------------------------------------------------------------


def view(sight: Position, side: Side, frame: Frame | None) -> dict[str, Any]:
    """The position as a side may know it, ready for JSON."""
    made = sight.setting
    heading = kit.heading(ID, made.scenario, sight.turn, sight.current, made.scenario.first)
    return {
        **heading,
        "track": _track(frame),
        "units": [_unit(sight, unit) for unit in sight.units.values()],
        "markers": [_marker(work.id, work.kind, work.at) for work in sight.works.values()],
        "building": None,
        "reinforcements": [],
        "losses": {name: _lost(sight, name) for name in made.sides},
        "options": sorted(made.options),
        **scoring.shown(made.scenario, partial(victory.have, sight), victory.in_words),
    }


def _track(frame: Frame | None) -> list[dict[str, Any]]:
    if frame is None or not frame.step:
        return []
    return [{"id": frame.step, "title": frame.step.capitalize(), "rule": frame.rule, "now": True}]


def _lost(sight: Position, side: Side) -> int:
    return sum(unit.status == "eliminated" for unit in sight.pick(sight.setting.ids[side]))


def _marker(id: str, kind: str, at: Point) -> dict[str, Any]:
    return {"id": id, "kind": kind, "place": at, "text": kind}


def _unit(sight: Position, unit: Stand) -> dict[str, Any]:
    return {
        "id": unit.id,
        "side": unit.side,
        "nation": unit.kind.nation,
        "name": unit.name,
        "type": unit.kind.type,
        "kind": unit.kind.id,
        "place": unit.at,
        "facing": unit.facing,
        "order": 0,
        "moved": unit.moved,
        "fired": unit.fired,
        "points": 1,
        "badges": [{"code": code, "text": text} for code, text in _badges(unit)],
        "figures": [{"kind": kind, "text": text} for kind, text in figures(sight.charts, unit)],
        "status": unit.status,
        "carrier": unit.carrier,
        "cargo": list(unit.cargo),
    }


def _badges(unit: Stand) -> Iterator[tuple[str, str]]:
    if unit.order == "dispersed":
        yield "D", "dispersed"
    if unit.order == "recovering":
        yield "R", "recovering: dispersed until the turn ends"
    if unit.reacted:
        yield "OF", "has used opportunity fire"
    if unit.position:
        yield "FP", "in a Firing Position"
    if unit.spotted:
        yield "S", "spotted"
