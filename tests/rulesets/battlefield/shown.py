"""The battlefield as a seat is shown it: view, labels, the cost of a leg and the picture of a reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from opfire.core import places
from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.space.lattice import outline
from opfire.space.measure import MICRO
from rulesets.battlefield.rules import ALLOWANCE, HITS, End, Move, Shoot, Stand, State, Stop, cannot_move, cost, leg


def view(sight: State, side: str, frame: Frame | None) -> dict[str, Any]:
    given, other = sight.setting.scenario, sight.setting.other
    lost = {side: force.count() - len(sight.of(side)) for side, force in given.sides.items()}
    scores = {side: lost[other(side)] for side in lost}
    sides = [
        {"id": id, "name": f.name, "nation": f.nation, "first": id == given.first} for id, f in given.sides.items()
    ]
    won = [{"side": side, "text": "Stands shot", "have": n, "want": None, "points": n} for side, n in scores.items()]
    return {
        "ruleset": "toy-table", "scenario": given.id, "title": given.title, "turn": sight.turn, "turns": given.turns,
        "current": sight.current, "track": [{"id": "turn", "title": "Player turn", "rule": "2.0", "now": True}],
        "sides": sides, "units": [_shown(sight, stand) for stand in sight.units.values()], "markers": [],
        "building": None, "reinforcements": [], "losses": lost, "options": [], "scores": scores, "victory": won,
        "standing": "The side with more stands left wins",
    }  # fmt: skip


def _shown(sight: State, stand: Stand) -> dict[str, Any]:
    badges = [{"code": "H", "text": f"{stand.hits} of {HITS} hits"}] if stand.hits else []
    return {
        "id": stand.id, "side": stand.side, "nation": sight.setting.scenario.sides[stand.side].nation,
        "name": f"Rifles {stand.id}", "type": "infantry", "kind": "rifles", "place": stand.at, "facing": stand.facing,
        "order": 0, "moved": stand.left < ALLOWANCE, "fired": stand.fired, "points": 1, "badges": badges,
        "figures": [{"kind": "hits", "text": str(HITS - stand.hits)}], "status": "on the map", "carrier": None,
        "cargo": [],
    }  # fmt: skip


def label(sight: State, action: Action) -> str:
    match action:
        case Move(unit, to, facing):
            return f"{unit} moves to {places.text(to)}, facing {facing}"
        case Shoot(unit, target):
            return f"{unit} fires at {target}"
        case Stop(unit):
            return f"{unit} stops"
    return "End the turn" if isinstance(action, End) else "Hold fire"


def touches(sight: State, action: Action) -> Any:
    units = tuple(getattr(action, name) for name in ("unit", "target") if hasattr(action, name))
    return units, (action.to,) if isinstance(action, Move) else ()


def meant(sight: State, side: str, frame: Frame, what: Any) -> list[Action]:
    """A click on an enemy means fire at it, a click on a point a leg there without turning."""
    own = [stand for stand in sight.of(side) if getattr(frame, "unit", stand.id) == stand.id]
    targets = [Shoot(stand.id, id) for id in what if id in sight.units for stand in own if id != stand.id]
    return [*targets, *(Move(stand.id, to, stand.facing) for to in what if not isinstance(to, str) for stand in own)]


def price(
    sight: State, side: str, *, action: Move, then: Sequence[Move] = (), frame: Frame | None = None
) -> dict[str, Any]:
    """The cost of a route and what it leaves, in inches; the refusal of a leg, if there is one."""
    stand, refusal, spent = sight.units[action.unit], None, 0
    for move in (action, *then):
        legs = State(sight.setting, {**sight.units, stand.id: stand})
        refusal, price = refusal or cannot_move(legs, move), cost(stand, move)
        spent, stand = spent + price, replace(stand, at=move.to, facing=move.facing, left=stand.left - price)
    told = (refusal.sentence(), refusal.rule) if refusal else (None, None)
    return {"cost": spent / MICRO, "left": stand.left / MICRO, "text": told[0], "rule": told[1]}


def polygons(sight: State, side: str, *, action: Move) -> list[Any]:
    """The picture of a stand's reach without turning."""
    stand = sight.units[action.unit]
    box, straight = sight.setting.table.box(stand.at, stand.left), replace(action, facing=stand.facing)
    return outline(box, lambda to: to == stand.at or not cannot_move(sight, replace(straight, to=to)))


def reach(sight: State, side: str, *, unit: str, frame: Frame | None = None) -> dict[str, Any]:
    """The picture of the reach, and the points of its lattice, all reached straight from the start."""
    stand = sight.units[unit]
    left, top, right, bottom = sight.setting.table.box(stand.at, stand.left)
    spots = [(x, y) for x in range(left // 500 * 500, right + 1, 500) for y in range(top // 500 * 500, bottom + 1, 500)]
    legs = [Move(unit, to, stand.facing) for to in spots]
    nodes = [(*go.to, cost(stand, go) * 1000 // MICRO, 0) for go in legs if not cannot_move(sight, go)]
    shape = polygons(sight, side, action=leg(sight, unit).example)
    return {"places": [], "polygons": shape, "nodes": [(*stand.at, 0, 0), *nodes], "left": stand.left / MICRO}
