"""Overruns and close assaults that make sense: who joins, the fire of the target, the expected gain."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import NOBODY, Action, Choices
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzerblitz_miniatures.actions import Pass
from opfire.rulesets.panzerblitz_miniatures.close.close_assault import CloseAssault
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import CarryOut, DefensiveFire, FireBack
from opfire.rulesets.panzerblitz_miniatures.close.overrun import Overrun
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Attack, Shot
from opfire.rulesets.panzerblitz_miniatures.pieces import Stand, UnitId
from opfire.rulesets.panzerblitz_miniatures.thinking.firing import LEAST, Volley, gain, volley
from opfire.rulesets.panzerblitz_miniatures.thinking.mind import Mind


def charges(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The attacks that wait to be carried out, or those on adjacent enemies, each with all units that add to it."""
    waiting = [offer for offer in choices.of(NOBODY) if isinstance(offer, CarryOut)]
    if waiting:
        return [Suggestion(waiting[0], 2.0, "as planned")]
    able: dict[tuple[type[Action], UnitId], list[UnitId]] = {}
    for name in choices.asked:
        for offer in choices.of(name) if name != NOBODY else ():
            if isinstance(offer, Overrun) or (isinstance(offer, CloseAssault) and offer.manner == "normal"):
                able.setdefault((type(offer), offer.target), []).append(name)
    found = (_charge(mind, kind, target, names) for (kind, target), names in able.items())
    return sorted((each for each in found if each is not None), key=lambda each: -each.worth)


def _charge(mind: Mind, kind: type[Action], target: UnitId, names: list[UnitId]) -> Suggestion | None:
    """The attack of the best of these units, less the harm of the target's own fire."""
    what = "overrun" if kind is Overrun else "close assault"
    best = volley(mind, Attack(what, target), names, dict.fromkeys(names, 0.0))  # type: ignore[arg-type]
    if best is None:
        return None
    worth = best.worth - answered(mind, mind.position.units[target], best)
    if worth <= LEAST:
        return None
    steps = [kind(name, target) for name in best.units]
    carry = CarryOut(what, target)  # type: ignore[arg-type]
    return Suggestion(steps[0], worth, best.words, (*steps[1:], carry))


def answered(mind: Mind, target: Stand, best: Volley) -> float:
    """The expected harm of the target's opportunity fire at its attackers [OPP-16]."""
    if target.dispersed or target.reacted or not target.kind.attack:
        return 0.0
    shots = (Attack("defensive", name, (Shot(target.id),)) for name in best.units)
    return max((gain(mind, shot)[0] for shot in shots), default=0.0)


def defence(mind: Mind, frame: DefensiveFire, choices: Choices) -> list[Suggestion]:
    """The best shot of a target at its attackers; a pass if every shot hurts the target itself most."""
    found = [Suggestion(Pass(), 0.0, "hold the fire"), *_answers(mind, choices, frame.target)]
    return sorted(found, key=lambda each: -each.worth)


def _answers(mind: Mind, choices: Choices, target: UnitId) -> Iterator[Suggestion]:
    for offer in choices.of(target):
        if isinstance(offer, FireBack):
            worth, words = gain(mind, Attack("defensive", offer.target, (Shot(target, offer.manner),)))
            yield Suggestion(offer, worth, words)
