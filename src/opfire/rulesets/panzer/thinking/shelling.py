"""Indirect fire: the call that is expected to harm the enemy most, and plans for the objectives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opfire.core.actions import Action, Choices
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.indirect.calling import AdjustFire, CallFire, CheckFire, ContinueFire, falling
from opfire.rulesets.panzer.indirect.kinds import Mission
from opfire.rulesets.panzer.indirect.observers import indirect_row, row_of, source, sources
from opfire.rulesets.panzer.indirect.patterns import covered
from opfire.rulesets.panzer.indirect.planning import EndPlots, FirePlanning, PlotFire, PlotPattern, PlotPoint, Register
from opfire.rulesets.panzer.indirect.responding import response
from opfire.rulesets.panzer.indirect.step import Arrive
from opfire.rulesets.panzer.pieces import Hex, Unit, at_arms
from opfire.rulesets.panzer.thinking.firing import TAKEN
from opfire.rulesets.panzer.thinking.mind import Mind

FRIENDLY = 2.0
"""The weight of harm to friends against harm to enemies."""

ANSWERS = ("responds", "scatters")
"""The results of a call with which its fire falls."""


# --- the step --------------------------------------------------------------------------------------------------


def step(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best fire first; fire that harms nobody is checked; planned fire comes as soon as it may."""
    offers = [offer for name in choices.asked for offer in choices.of(name) if isinstance(offer, Action)]
    found = [Suggestion(act, worth, "shells where they hurt") for act, worth in _fires(mind, offers) if worth > 0.0]
    found.sort(key=lambda each: -each.worth)
    rest = [act for act in offers if isinstance(act, Arrive | CheckFire)]
    plain = [Suggestion(act, 0.0, "fire that hurts nobody is checked") for act in rest]
    last = [Suggestion(act, 0.0, "no more fire") for act in offers if isinstance(act, EndStep)]
    return [*found, *plain, *last]


def _fires(mind: Mind, offers: Iterable[Action]) -> Iterator[tuple[Action, float]]:
    """The calls of shells in round patterns, and fire that goes on, each with its worth."""
    for act in offers:
        match act:
            case CallFire() | AdjustFire() if act.rounds == "gp" and act.sheaf != "linear":
                yield act, _called(mind, act)
            case ContinueFire(_, firer, "gp"):
                yield act, harm(mind, mind.position.missions[firer])


def _called(mind: Mind, act: CallFire | AdjustFire) -> float:
    """The worth of a call: the harm of its fire times the chance of a response."""
    position = mind.position
    observer, from_, hex = at_arms(position, act.unit), source(position, act.firer), position.units[act.target].hex
    assert from_ is not None
    assert hex is not None
    fall = falling(from_, hex, act.rounds, act.sheaf, act.toward)
    made = response(position, observer, from_, hex, adjusted=isinstance(act, AdjustFire))
    heard = sum(float(chance) for result, chance in made.chances().items() if result in ANSWERS)
    return heard * harm(mind, Mission(firer=act.firer, side=mind.side, fall=fall, observer=act.unit))


def harm(mind: Mind, mission: Mission) -> float:
    """The points that fire is expected to take from the enemy, less those of friends."""
    position, found = mind.position, 0.0
    for name in barrages.targets(position, covered(position.map, mission.fall)):
        unit = position.units[name]
        chances = barrages.attack(position, mission, unit).chances()
        taken = mind.value(unit) * sum(float(chance) * TAKEN.get(result, 0.0) for result, chance in chances.items())
        found += taken if unit.side != mind.side else -FRIENDLY * taken
    return found


# --- commands --------------------------------------------------------------------------------------------------


def callable_on(mind: Mind, unit: Unit) -> bool:
    """Return whether an observer spots an enemy on which the unit could fire indirectly."""
    return indirect_row(mind.position, unit) is not None and any(
        _sees(mind, other) for other in mind.position.of(mind.side) if row_of(other) is not None
    )


def has_call(mind: Mind, unit: Unit) -> bool:
    """Return whether a unit is an observer who spots an enemy, and has somebody to call."""
    return row_of(unit) is not None and _sees(mind, unit) and next(sources(mind.position, mind.side), None) is not None


def _sees(mind: Mind, unit: Unit) -> bool:
    return any(unit.id in mind.position.spots.get(foe.id, ()) for foe in mind.position.enemies(mind.side))


# --- plans -----------------------------------------------------------------------------------------------------


def plots(mind: Mind, frame: FirePlanning) -> list[Suggestion]:
    """Fire on the objectives of the enemy from the first turn on, and points on the own ones."""
    acts = [EndPlots()] if not frame.firer else []
    return [Suggestion(act, 0.0, "a plan for the objectives") for act in (*_plots(mind, frame), *acts)]


def _plots(mind: Mind, frame: FirePlanning) -> Iterator[Action]:
    guns = [guns for guns in mind.position.batteries.values() if guns.side == mind.side]
    targets = _targets(mind)
    if frame.to:
        yield PlotPattern("gp", "closed")
    elif frame.firer:
        number = [each.id for each in guns].index(frame.firer)
        plan = mind.position.batteries[frame.firer].plan
        yield PlotPoint(plan[-1].hex if plan else targets[number % len(targets)])
    elif targets:
        for each in guns:
            if len(each.plan) < each.plans:
                yield PlotFire(each.id, each.arrives + len(each.plan) if each.plan else 1)
            yield from (Register(each.id, hex) for hex in targets[: each.registers] if hex not in each.points)


def _targets(mind: Mind) -> list[Hex]:
    """The objectives that the side wants, or else all hexes that count."""
    hexes = [goal.place for goal in mind.goals if goal.gain and not goal.leave]
    return hexes or [goal.place for goal in mind.goals]
