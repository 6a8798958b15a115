"""Fire: the best target first, as many firers as it is worth; answers from overwatch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.ruleset import Suggestion
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.fire.arms import Arm, arm_at, arms_at, turned
from opfire.rulesets.panzer.fire.direct_fire import (
    Announce,
    Asked,
    Attacking,
    Keep,
    Resolve,
    Reveal,
    announcements,
    committed,
    targets,
)
from opfire.rulesets.panzer.fire.hits import Round, aim, harm
from opfire.rulesets.panzer.fire.overwatch import OverwatchFire, turning
from opfire.rulesets.panzer.fire.shots import HITS, Fire, band_of, shot
from opfire.rulesets.panzer.pieces import Unit, UnitId, at_arms
from opfire.rulesets.panzer.thinking.mind import Mind

TAKEN = {
    "damaged": 0.35,
    "knocked out": 1.0,
    "brewed up": 1.0,
    "destroyed": 1.0,
    "eliminated": 1.0,
    "reduced to a half-squad": 0.6,
    "track hit": 0.35,
    "suppressed": 0.12,
}
"""The part of a unit that an effect takes."""

GOOD_SHOT = 0.16
"""The part of its target that a shot from overwatch is expected to take at least."""


def part(mind: Mind, unit: Unit, target: Unit, overwatch: bool, weapon: str = "") -> float:
    """The part of a target that a shot is expected to take, by the calculation of the rules."""
    chances = shot(mind.position, unit, target, overwatch, weapon).chances()
    arm = arm_at(mind.position, turned(mind.position, unit, target) if overwatch else unit, target, weapon)
    if mind.position.setting.advanced and isinstance(arm, Arm) and arm.is_ap:
        return _hits(mind, unit, target, arm, chances)
    whole = 1.0 if target.damaged else TAKEN["damaged"]
    return sum(
        float(chance) * (whole if name == "damaged" else TAKEN.get(name, 0.0)) for name, chance in chances.items()
    )


def _hits(mind: Mind, unit: Unit, target: Unit, arm: Arm, chances: dict[str, Fraction]) -> float:
    """The part that the hits of AP fire are expected to take [6.5.2.2]."""
    band = band_of(mind.position, Fire(unit, target, arm))
    lost, hurt = harm(mind.position, aim(mind.position, Round(unit, target.id, arm.row, band)))
    once = float(lost) + float(hurt) * (1.0 if target.damaged else TAKEN["damaged"])
    return sum(float(chance) * (1.0 - (1.0 - once) ** HITS.index(name)) for name, chance in chances.items())


def shots(mind: Mind, unit: Unit) -> Iterator[tuple[float, UnitId, Arm]]:
    """The shots of a unit at the enemies that it has spotted: the points that each is expected to bring."""
    position = mind.position
    for foe in position.enemies(mind.side):
        if unit.id in position.spots.get(foe.id, ()):
            for arm in arms_at(position, unit, foe):
                yield mind.value(foe) * part(mind, unit, foe, False, arm.name), foe.id, arm


def step(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best shot that can be announced, or the end of the step."""
    units = mind.position.units
    found = [
        Suggestion(offer, _worth(mind, offer), "the best shot")
        for name in choices.asked
        if name != NOBODY
        for offer in choices.of(name)
        if isinstance(offer, Announce) and offer.target in units and not offer.spread
    ]
    return sorted(found, key=lambda each: -each.worth) or [Suggestion(EndStep(), 0.0, "nobody has a target")]


def _worth(mind: Mind, offer: Announce, announced: tuple[Announce, ...] = ()) -> float:
    unit, target = at_arms(mind.position, offer.unit), mind.position.units[offer.target]
    return mind.value(target) * part(mind, committed(unit, announced), target, False, offer.weapon)


def attacking(mind: Mind, frame: Attacking, choices: Choices) -> list[Suggestion]:
    """One more firer, as long as it has no better target elsewhere."""
    enough = Suggestion(Resolve(), 0.0, "enough fire")
    left, best = 1.0, list[Suggestion]()
    for number, each in enumerate(frame.announced):
        firer = committed(at_arms(mind.position, each.unit), frame.announced[:number])
        left *= 1.0 - part(mind, firer, mind.position.units[frame.target], False, each.weapon)
    for name in choices.asked:
        found = choices.of(name) if name != NOBODY else ()
        for offer in (each for each in found if isinstance(each, Announce) and not each.spread):
            here = left * _worth(mind, offer, frame.announced)
            firer = committed(at_arms(mind.position, name), frame.announced)
            if here > 0.0 and here >= _elsewhere(mind, firer, frame):
                best.append(Suggestion(offer, here, "its best target"))
    return sorted(best, key=lambda each: -each.worth) or bound(mind, frame, choices) or [enough]


def bound(mind: Mind, frame: Attacking, choices: Choices) -> list[Suggestion]:
    """The shots of the first unit that has to fire at this target, the best first [4.4.1-g]."""
    owing = next(frame.owing(mind.position), None)
    offers = choices.of(owing.id) if owing is not None else ()
    shots = [offer for offer in offers if isinstance(offer, Announce) and not offer.spread]
    found = [Suggestion(offer, _worth(mind, offer), "it must fire") for offer in shots]
    return sorted(found, key=lambda each: -each.worth)


def _elsewhere(mind: Mind, unit: Unit, frame: Attacking) -> float:
    """The points of the best other shot of a unit, with its other weapon if it fires one already [5.14]."""
    position = mind.position
    if not unit.arms:
        others = [foe for foe in targets(position, unit) if foe.id != frame.target]
        return max((mind.value(foe) * part(mind, unit, foe, False) for foe in others), default=0.0)
    left = (foe for foe in position.enemies(unit.side) if foe.id not in (frame.target, *frame.done))
    shots = (way for foe in left for way in announcements(position, unit, foe))
    return max((_worth(mind, way, frame.announced) for way in shots if not way.spread), default=0.0)


def answer(mind: Mind, frame: Asked) -> list[Suggestion]:
    """Reveal that the target moves: that makes it harder to hit."""
    moves = mind.position.units[frame.target].command in ("move", "short halt")
    action: Action = Reveal(frame.target) if moves else Keep()
    return [Suggestion(action, 0.0, "moving vehicles are harder to hit" if moves else "there is nothing to reveal")]


def overwatch(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best shot from overwatch that is worth its one chance, or a pass."""
    return _good_shots(mind, choices) or [Suggestion(Pass(), 0.0, "no shot is good enough")]


def more_overwatch(mind: Mind, frame: OverwatchFire, choices: Choices) -> list[Suggestion]:
    """One more shot from overwatch, if it is worth its chance after those that are announced."""
    return _good_shots(mind, choices, frame.announced) or [Suggestion(Resolve(), 0.0, "enough fire")]


def _watching(mind: Mind, offer: Announce, announced: tuple[Announce, ...]) -> float:
    """The part of its target that a shot from overwatch is expected to take after others [5.14]."""
    unit = turning(mind.position, at_arms(mind.position, offer.unit), announced)
    return part(mind, unit, mind.position.units[offer.target], True, offer.weapon)


def _good_shots(mind: Mind, choices: Choices, announced: tuple[Announce, ...] = ()) -> list[Suggestion]:
    """The shots that take enough of what the announced ones leave of their targets, the best first."""
    units, found, left = mind.position.units, [], defaultdict[str, float](lambda: 1.0)
    for number, each in enumerate(announced):
        left[each.target] *= 1.0 - _watching(mind, each, announced[:number])
    for name in choices.asked:
        offers = [offer for offer in choices.of(name) if isinstance(offer, Announce)] if name != NOBODY else []
        for offer in offers:
            taken = left[offer.target] * _watching(mind, offer, announced)
            if taken >= GOOD_SHOT:
                found.append(Suggestion(offer, taken * mind.value(units[offer.target]), "a good shot"))
    return sorted(found, key=lambda each: -each.worth)
