"""The view of a player: labels, the meanings of a click, previews."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation
from opfire.core.flow import Frame
from opfire.kit import scoring
from opfire.kit import shown as kit
from opfire.rulesets.panzer import victory
from opfire.rulesets.panzer.counters import figures
from opfire.rulesets.panzer.fire.direct_fire import Announce, Attacking, Resolve, cannot_hit, shot
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.moving.movement import Move
from opfire.rulesets.panzer.pieces import Position, Side, Unit

ID = "panzer"
TITLES = {
    "set-up": "Set-up",
    "command": "Commands",
    "initiative": "Initiative",
    "direct fire": "Direct fire",
    "overwatch": "Overwatch",
    "movement": "Movement",
}

_KNOWN: Mapping[str, Callable[[Position, Any], Refusal | None]] = {
    "unit": kit.no_unit,
    "target": kit.no_unit,
    "hex": kit.no_hex,
    "to": kit.no_hex,
}


def unknown(sight: Position, action: Action) -> Refusal | None:
    """Reject vehicles and hexes that are not in the game."""
    return kit.unknown(sight, action, _KNOWN)


def label(sight: Position, action: Action) -> str:
    """An action in words, as on a button."""
    text = action.says.format(**kit.in_words(action, partial(kit.named, sight)))
    return f"{text} along the road" if getattr(action, "along_road", False) else text


def touches(sight: Position, action: Action) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The vehicles and the hexes on which a click may mean this action."""
    units, hexes = kit.touches(sight, action)
    return tuple(units), tuple(hexes)


def preview(sight: Position, frame: Frame, action: Action) -> Calculation | None:
    """The first of the shots to which an action would lead."""
    return next((shown for _, shown in every_preview(sight, frame, action)), None)


def every_preview(sight: Position, frame: Frame, action: Action) -> Iterator[tuple[str, Calculation]]:
    """Every shot to which an action would lead, with its firer; a hidden move of the target is not counted."""
    match action, frame:
        case Announce(unit, target), _:
            firer = sight.units[unit]
            if cannot_hit(sight, firer, sight.units[target]) is None:
                yield firer.name, shot(sight, firer, sight.units[target], isinstance(frame, Overwatch))
        case Resolve(), Attacking(_, target, firers):
            for unit in firers:
                firer = sight.units[unit]
                yield firer.name, shot(sight, firer, sight.units[target], False)


def meant(sight: Position, side: Side, frame: Frame, what: Iterable[Any]) -> list[Action]:
    """The meanings of a click: fire at an enemy, a step into a hex along the road or across country, a turn there."""
    things = [name for name in what if isinstance(name, str)]
    _, others, hexes = kit.clicked(sight, side, things)
    own = [unit.id for unit in sight.of(side) if getattr(frame, "unit", unit.id) == unit.id]
    found: list[Action] = [Announce(unit, target) for target in others for unit in own]
    for hex in hexes:
        found += [Move(unit, hex, along) for unit in own for along in (True, False)]
    return [action for action in found if isinstance(action, frame.takes)]


def view(sight: Position, side: Side, frame: Frame | None) -> dict[str, Any]:
    """The position as a side may know it, ready for JSON."""
    made = sight.setting
    return {
        **kit.heading(ID, made.scenario, sight.turn, sight.first, sight.first or made.scenario.first),
        "track": [
            {"id": step, "title": title, "rule": "4.0", "now": frame is not None and frame.step == step}
            for step, title in TITLES.items()
        ],
        "units": [_unit(sight, unit) for unit in sight.units.values()],
        "markers": [{"id": f"wreck@{hex}", "kind": kind, "place": hex} for hex, kind in sight.wrecks.items()],
        "building": None,
        "reinforcements": [],
        "losses": {
            name: sum(unit.status == "eliminated" for unit in sight.pick(made.ids[name])) for name in made.sides
        },
        "options": [],
        **scoring.shown(made.scenario, partial(victory.have, sight), victory.in_words),
    }


def _unit(sight: Position, unit: Unit) -> dict[str, Any]:
    return {
        "id": unit.id,
        "side": unit.side,
        "nation": unit.kind.nation.lower(),
        "name": unit.name,
        "type": unit.kind.category,
        "kind": unit.kind.id,
        "place": unit.hex,
        "facing": 60 * unit.facing,
        "order": 0,
        "moved": unit.moved,
        "fired": unit.fired,
        "points": unit.kind.pts,
        "badges": [{"code": code, "text": text} for code, text in _badges(unit)],
        "figures": [{"kind": kind, "text": text} for kind, text in figures(sight, unit)],
        "status": unit.status,
        "carrier": None,
        "cargo": [],
        "command": unit.command,
        "revealed": unit.revealed,
    }


def _badges(unit: Unit) -> Iterator[tuple[str, str]]:
    if unit.damaged:
        yield "D", "damaged"
    if unit.seen_as == "fire":
        yield "SF", "SPOT/FIRE"
    if unit.seen_as == "move":
        yield "SM", "SPOT/MOVE"
