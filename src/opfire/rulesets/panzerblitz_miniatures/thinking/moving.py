"""The movement phase: attacks first, then arrivals and passengers, then the best way of each unit."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Choices
from opfire.core.places import INCH, Point
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Text
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.moving.arrivals import Enter, Exit
from opfire.rulesets.panzerblitz_miniatures.moving.loading import Load, Unload, cannot_unload
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Stop, cannot_begin
from opfire.rulesets.panzerblitz_miniatures.pieces import Stand, UnitId
from opfire.rulesets.panzerblitz_miniatures.thinking import charging, overrunning
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind, useful
from opfire.rulesets.panzerblitz_miniatures.thinking.ways import LEAST, best_plan, legs, worth
from opfire.space.measure import square


def phase(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best move of the first unit that has one; units that stay are not looked at again until the enemy stirs."""
    if found := charging.charges(mind, choices):
        return [*found, _end()]
    units = [unit for unit in mind.position.pick(name for name in choices.asked if name != NOBODY) if able(mind, unit)]
    if found := overrunning.overruns(mind, units) or _transport(mind, choices):
        return [*found, _end()]
    stays = mind.facts.stays
    for unit in sorted(units, key=lambda unit: _order(mind, unit)):
        if stays.get(unit.id) == (around := surroundings(mind, unit)):
            continue
        if plan := best_plan(mind, unit):
            steps = tuple(legs(mind, unit, plan))
            return [Suggestion(steps[0], plan.worth, plan.why, (*steps[1:], Stop(unit.id))), _end()]
        stays[unit.id] = around
    return [_end()]


def surroundings(mind: Mind, unit: Stand) -> object:
    """All about its own side on which the plan of a unit depends, besides the facts of the turn."""
    assert unit.at is not None
    near = (mind.position.allowance(unit) // 1000 + 3 * INCH) ** 2
    friends = mind.friends if unit.kind.radio else [friend for friend in mind.friends if friend.kind.radio]
    beside = [friend for friend in mind.friends if friend.at and square(friend.at, unit.at) <= near]
    points = tuple((friend.id, friend.at) for friend in (*friends, *beside))
    works = tuple(work.at for work in mind.position.works.values())
    return unit, points, tuple(mind.crowds(unit)), works, tuple(mind.goals), mind.caution


def able(mind: Mind, unit: Stand) -> bool:
    """Return whether a unit can move now."""
    return unit.at is not None and not unit.charge and cannot_begin(mind.position, mind.side, unit) is None


def arrivals(mind: Mind, choices: Choices) -> list[Suggestion]:
    """Reinforcements by the entry nearest to their goals, and units that leave for points."""
    found = []
    for name in choices.asked:
        for offer in choices.of(name) if name != NOBODY else ():
            unit = mind.position.units.get(name)
            if isinstance(offer, Enter) and unit is not None:
                found.append(Suggestion(offer, 1.0 + mind.pull(unit, offer.to), "reinforcements"))
            elif isinstance(offer, Exit) and any(goal.leave and goal.place == offer.edge for goal in mind.goals):
                found.append(Suggestion(offer, 2.0, Text("leaves by the {} edge for points", (offer.edge,))))
    return sorted(found, key=lambda each: -each.worth)[:1]


def _transport(mind: Mind, choices: Choices) -> list[Suggestion]:
    return arrivals(mind, choices) or unloading(mind, choices) or loading(mind, choices)


def loading(mind: Mind, choices: Choices) -> list[Suggestion]:
    """Carriers take up infantry beside them that has much farther to go on foot."""
    for name in choices.asked:
        carrier = mind.position.units[name] if name != NOBODY else None
        if carrier is None or carrier.at is None or carrier.cargo or _arrived(mind, carrier, carrier.at):
            continue
        for offer in choices.of(name):
            if isinstance(offer, Load) and (saved := _saved(mind, carrier, mind.position.units[offer.passenger])) > 0:
                return [Suggestion(offer, 0.2 * saved, "rides, which is faster by far"), _end()]
    return []


def _saved(mind: Mind, carrier: Stand, walker: Stand) -> float:
    """The turns that a ride saves on the way to the goal that draws a walker most, getting on and off included."""
    assert walker.at is not None
    assert carrier.at is not None
    start, goals = walker.at, [mind.at(goal.place) for goal in mind.goals if not goal.leave and goal.gain]
    if not goals or not useful(walker):
        return 0.0
    goal = min(goals, key=lambda at: mind.turns(walker, start, at))
    return mind.turns(walker, start, goal) - mind.turns(carrier, carrier.at, goal) - 1.5


def unloading(mind: Mind, choices: Choices) -> list[Suggestion]:
    """Passengers get down near their goal, or where enemies are near."""
    for name in choices.asked:
        carrier = mind.position.units[name] if name != NOBODY else None
        if carrier is None or carrier.at is None or not carrier.cargo or not _arrived(mind, carrier, carrier.at):
            continue
        spots = [offer for offer in choices.of(name) if isinstance(offer, Unload)]
        tried = [each for spot in spots for each in _beside(mind, spot)]
        if tried:
            best = max(tried, key=lambda each: worth(mind, mind.position.units[each.passenger], each.to))
            return [Suggestion(best, 0.5, "gets down where it is wanted")]
    return []


def _arrived(mind: Mind, carrier: Stand, at: Point) -> bool:
    """Return whether the passengers of a carrier are where they are wanted."""
    near = (6 * INCH) ** 2
    goals = [mind.at(goal.place) for goal in mind.goals if not goal.leave and max(goal.gain, goal.keep) > 0]
    foe = mind.nearest_foe(at)
    at_goal = any(square(at, goal) <= (3 * INCH) ** 2 for goal in goals)
    return at_goal or (foe is not None and foe.at is not None and square(foe.at, at) <= near)


def _beside(mind: Mind, spot: Unload) -> Iterator[Unload]:
    """Places around a carrier at which a passenger may get down."""
    position = mind.position
    at = position.units[spot.unit].at
    assert at is not None
    far = position.setting.base + INCH // 2
    for east, south in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        other = replace(spot, to=(at[0] + east * far, at[1] + south * far))
        if cannot_unload(position, mind.side, other) is None:
            yield other
    yield spot


def _end() -> Suggestion:
    return Suggestion(EndPhase(), 0.0, "everybody is where it should be")


def _order(mind: Mind, unit: Stand) -> tuple[int, float, UnitId]:
    """Fighting vehicles first, then foot, carriers and posts; the nearest to a goal first."""
    assert unit.at is not None
    rank = 0 if useful(unit) and unit.vehicle else 1 if useful(unit) else 2
    return rank, -mind.pull(unit, unit.at), unit.id


def moving(mind: Mind, unit: Stand) -> list[Suggestion]:
    """The rest of a move: on to a better point, or stop."""
    stop = Suggestion(Stop(unit.id), LEAST, "near enough")
    plan = best_plan(mind, unit)
    if plan is None:
        return [stop]
    steps = tuple(legs(mind, unit, plan))
    return [Suggestion(steps[0], plan.worth + LEAST, plan.why, (*steps[1:], Stop(unit.id))), stop]
