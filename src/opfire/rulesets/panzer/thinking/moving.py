"""Moves: every end of a move is weighed by goals, shots to come and danger; the best is driven to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzer.moving.acts import cannot_go_on
from opfire.rulesets.panzer.moving.going import ExitMap, Going, Stay, Turn, cannot_move_now, cannot_turn, exits
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer.thinking.mind import MOVING, Mind
from opfire.rulesets.panzer.thinking.seeking import best_search
from opfire.rulesets.panzer.thinking.ways import End, ends

CLOSELY = 14
"""The hexes at the ends of moves that are looked at closely: those with the strongest pull."""

LATER = 0.2
"""The weight of sides that a vehicle shows to enemies who do not see it yet."""

TO_COME = 0.45
"""The part of a shot in the next turn that counts now."""

CROWDED = 1.5
"""The points by which a friend in the same hex makes it worse."""


class Plan(NamedTuple):
    """A move: its worth, and its acts."""

    worth: float
    acts: tuple[Action, ...]


def best_move(mind: Mind, unit: Unit, going: Going) -> Plan:
    """The best end of a vehicle's move from here on; staying is one of them."""
    open_ = replace(unit, hull_down="")  # 6.6.9-leave: a command to move gives the position up
    found = [Plan(_worth(mind, open_, end), (*end.acts, Stay(unit.id))) for end in _promising(mind, open_, going)]
    found += _searching(mind, unit, going)
    best = max(found, key=lambda plan: (plan.worth, -len(plan.acts)), default=Plan(0.0, (Stay(unit.id),)))
    return _leaving(mind, unit, going) or best


def _searching(mind: Mind, unit: Unit, going: Going) -> Iterator[Plan]:
    """A search for a Hull Down position, weighed as an end of its move where it stands."""
    if unit.command == "short halt" or (found := best_search(mind, unit, going)) is None:
        return
    saved, search = found
    yield Plan(_worth(mind, unit, End(str(unit.hex), search.facing, ())) + saved, (search,))


def _promising(mind: Mind, unit: Unit, going: Going) -> list[End]:
    """The ends in the hexes with the strongest pull, and in its own hex."""
    offered = ends(mind.position, unit, going)
    pulls = {end.hex: mind.pull(unit, end.hex) for end in offered}
    near = sorted(pulls, key=lambda hex: (-pulls[hex], hex))
    kept = {*near[:CLOSELY], *_sheltered(mind, near[CLOSELY:]), str(unit.hex)}
    return [end for end in offered if end.hex in kept]


def _sheltered(mind: Mind, hexes: list[Hex]) -> list[Hex]:
    """The best of the other hexes with Cover."""
    ground = mind.position.setting.ground
    return [hex for hex in hexes if ground.cover(hex, "combat") != "none"][: CLOSELY // 2]


def _worth(mind: Mind, unit: Unit, end: End) -> float:
    """The worth of an end of a move."""
    threats = mind.threats_to(unit, end.hex, "move", MOVING // 2)
    danger = mind.danger(end.facing, threats) + LATER * mind.shown(unit, end.hex, end.facing)
    found = mind.pull(unit, end.hex) - mind.caution * mind.value(unit) * danger
    friends = sum(other.id != unit.id for other in mind.position.at(end.hex))
    return found + TO_COME * mind.prospects(unit, end.hex, end.facing) - CROWDED * friends


def _leaving(mind: Mind, unit: Unit, going: Going) -> Plan | None:
    """Leave the map at once where that scores; what has left is safe."""
    hex = str(unit.hex)
    scored = [goal.gain for goal in mind.goals if goal.leave and goal.place == hex and mind.pays(unit, goal)]
    if not scored:
        return None
    worth = max(scored) * unit.kind.pts + mind.value(unit)
    edges = [way for way, to in enumerate(mind.position.map.neighbours[hex]) if to is None]
    if unit.facing in edges and exits(mind.position, unit, going) is None:
        return Plan(worth, (ExitMap(unit.id),))
    turns = (Turn(unit.id, way) for way in edges if cannot_turn(mind.position, unit, way, going) is None)
    turn = next(turns, None)
    return None if turn is None else Plan(worth, (turn, ExitMap(unit.id)))


def next_mover(position: Position, side: Side, choices: Choices) -> UnitId | None:
    """The next unit that still has to move; vehicles whose passengers may come and go are asked, too [4.5]."""
    names = (name for name in choices.asked if name != NOBODY)
    return next((name for name in names if cannot_move_now(side, position.units[name]) is None), None)


def suggested(mind: Mind, unit: Unit, going: Going, choices: Choices) -> list[Suggestion]:
    """The best move of a vehicle, as a suggestion with its route; any step where it may not stay."""
    plan = best_move(mind, unit, going)
    acts = plan.acts[1:-1] if mind.position.aboard(unit.id) else plan.acts[1:]  # passengers may get off at the end
    best = Suggestion(plan.acts[0], plan.worth, "the best end of its move", acts)
    if cannot_go_on(mind.position, unit, best.action, going) is None:
        return [best]
    offers = (offer for offer in choices.of(unit.id) if isinstance(offer, Action))
    return [Suggestion(offer, 0.0, "it cannot stay") for offer in offers]
