"""The plain script: everybody marches at the objectives, and fires at the nearest enemy."""

from __future__ import annotations

from opfire.core.actions import Action, Choices
from opfire.core.flow import Frame
from opfire.core.ruleset import Suggestion
from opfire.rulesets.micro_armour.pieces import Position, Side
from opfire.rulesets.micro_armour.shown.previews import attack_of
from opfire.space.measure import square


def nearest_target(sight: Position, side: Side, frame: Frame, choices: Choices) -> list[Suggestion]:
    """The shot at the enemy that is nearest to its firer; none where nobody can fire."""
    found = [(far, action) for action in choices if (far := _range(sight, frame, action)) is not None]
    best = min(found, key=lambda each: each[0], default=None)
    return [Suggestion(best[1], 0.0, "the nearest enemy")] if best else []


def _range(sight: Position, frame: Frame, action: Action) -> int | None:
    """The square of the distance of a first shot; None for any other action."""
    attack = attack_of(frame, action)
    if attack is None or action.final or len(attack.shots) > 1:
        return None
    firer, target = sight.units[attack.shots[-1].unit].at, sight.units[attack.target].at
    return square(firer, target) if firer is not None and target is not None else None
