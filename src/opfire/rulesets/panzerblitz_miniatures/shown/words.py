"""Actions in words, the units and points that they touch, and ids that are not in the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.places import Point, tenths, text
from opfire.core.texts import say
from opfire.kit import shown as kit
from opfire.kit import table
from opfire.kit.whereabouts import told
from opfire.rulesets.panzerblitz_miniatures.airpower.strikes import Strike
from opfire.rulesets.panzerblitz_miniatures.close.close_assault import CloseAssault
from opfire.rulesets.panzerblitz_miniatures.close.overrun import Overrun
from opfire.rulesets.panzerblitz_miniatures.engineers import Clear
from opfire.rulesets.panzerblitz_miniatures.fire.direct import Engage
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import Designate
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.space.terrain.features import Feature

AT_STRUCTURES = (Engage, Designate, Strike, Overrun, CloseAssault, Clear)
"""The actions whose target may be a fortification, another work or a bridge; the target of others is a unit."""

# --- ids that are not in the game ---------------------------------------------------------------------------


def _no_unit(sight: Position, name: str) -> Refusal | None:
    return None if name in sight.units else Refusal("There is no unit {}", PROCEDURE, (name,))


def _no_units(sight: Position, names: tuple[str, ...]) -> Refusal | None:
    return next((refusal for name in names if (refusal := _no_unit(sight, name))), None)


def _no_target(sight: Position, name: str) -> Refusal | None:
    if name in sight.units or name in sight.works or _bridge(sight, name):
        return None
    return Refusal("There is no target {}", PROCEDURE, (name,))


def _bridge(sight: Position, name: str) -> Feature | None:
    """The bridge of this id [BRI-8]."""
    bridges = sight.table.ground.of_kind("bridge")
    return next((feature for feature in bridges if feature.id == name), None)


def _no_point(sight: Position, at: Point) -> Refusal | None:
    return None if at in sight.table else Refusal("There is no point {} on the table", PROCEDURE, (text(at),))


_KNOWN: Mapping[str, Callable[[Position, Any], Refusal | None]] = {
    "unit": _no_unit,
    "carrier": _no_unit,
    "passenger": _no_unit,
    "target": _no_target,
    "spotter": _no_unit,
    "units": _no_units,
    "to": _no_point,
}


def unknown(sight: Position, action: Action) -> Refusal | None:
    """Reject units and points that are not in the game."""
    return kit.unknown(sight, action, _KNOWN if isinstance(action, AT_STRUCTURES) else {**_KNOWN, "target": _no_unit})


# --- words --------------------------------------------------------------------------------------------------


def place(sight: Position, at: Point) -> str:
    """A point in inches, with its whereabouts."""
    return told(sight.table.ground, at, tenths(at))


def label(sight: Position, action: Action) -> str:
    """An action in words, as on a button; that the manner of an attack is the usual one goes without saying."""
    words = table.label(action, partial(_named, sight), partial(place, sight))
    return words.replace(f" ({say('normal')})", "")


def _named(sight: Position, name: str) -> str:
    """A unit, a work or a bridge by its name, anything else as it is."""
    if name in sight.works:
        work = sight.works[name]
        return say("the {} at {}", work.kind, tenths(work.at))
    if bridge := _bridge(sight, name):
        return bridge.name
    return sight.units[name].name if name in sight.units else name


def touches(sight: Position, action: Action) -> tuple[tuple[str, ...], tuple[Point, ...]]:
    """The units and the points on which a click may mean this action."""
    return table.touches(action, sight.units, {name: work.at for name, work in sight.works.items()})
