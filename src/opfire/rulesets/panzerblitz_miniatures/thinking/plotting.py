"""Indirect fire that makes sense: missions for the next turn at enemies who will probably still be there."""

from __future__ import annotations

from collections.abc import Iterable

from opfire.core.actions import NOBODY, Choices
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.fire.bombardment import attack, laid
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import Designate, mission
from opfire.rulesets.panzerblitz_miniatures.fire.missions import one_attack
from opfire.rulesets.panzerblitz_miniatures.pieces import Stand
from opfire.rulesets.panzerblitz_miniatures.thinking.firing import LEAST, gain, tempo
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind

STAYS, GOES = 0.85, 0.4
"""The likelihood that a unit is still there a turn later: one that cannot move or is dug in, and any other."""


def phase(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The best mission of each battery, and the end of the phase."""
    found = [Suggestion(EndPhase(), LEAST, "no mission is worth it")]
    for name in choices.asked:
        if name != NOBODY:
            found += best(mind, [offer for offer in choices.of(name) if isinstance(offer, Designate)])
    return sorted(found, key=lambda each: -each.worth)


def best(mind: Mind, offers: Iterable[Designate]) -> list[Suggestion]:
    """The neutralization of a unit that brings most; each target once, for its first spotter."""
    targets: dict[str, Designate] = {}
    for offer in offers:
        unit = offer.target in mind.position.units
        if unit and offer.task == "neutralization" and offer.shape == "square":
            targets.setdefault(offer.target, offer)
    return [made for offer in targets.values() if (made := _weighed(mind, offer)) is not None]


def _weighed(mind: Mind, offer: Designate) -> Suggestion | None:
    """A mission with its worth, or None if it would hit friends."""
    position = mind.position
    plot = mission(position, mind.side, offer)
    if any(friend.at is not None and laid(position, plot).holds(friend.at) for friend in mind.friends):
        return None
    target = position.units[offer.target]
    joined = [other for other in position.plots if one_attack(other, plot)]
    whole, words = gain(mind, attack(position, [*joined, plot], target))
    before = gain(mind, attack(position, joined, target))[0] if joined else 0.0
    worth = (whole - before) * likely(target) - tempo(mind, position.units[offer.unit])
    return Suggestion(offer, worth, words) if worth > LEAST else None


def likely(target: Stand) -> float:
    """The likelihood that a target stays where it is."""
    still = not target.kind.movement or target.kind.mode == "TO" or target.dispersed or bool(target.work)
    return STAYS if still else GOES
