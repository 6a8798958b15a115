"""Engineers and engineering vehicles [11.5]: their means, and whether they have done nothing else in the turn."""

from __future__ import annotations

from opfire.core.actions import Refusal
from opfire.rulesets.micro_armour.pieces import Stand
from opfire.rulesets.micro_armour.sections import Equipment

LARGE_TRANSPORT, STRONG_HULL = 10, 5
"""The capacity of an empty transport, and the defence of a tracked vehicle, that can clear wrecks [11.5.9.2]."""


def has(unit: Stand, *means: Equipment) -> bool:
    """Whether a stand has one of these means."""
    return any(each in unit.equipment for each in means)


def is_engineer(unit: Stand) -> bool:
    """Whether a stand is of combat engineers, by its row of the weapons data or its order of battle [11.5.2]."""
    return unit.kind.has("engineer") or has(unit, "engineers")


def clears_wrecks(unit: Stand) -> bool:
    """Whether a stand is a recovery vehicle or has a dozer blade [11.5.9.1]."""
    return has(unit, "recovery", "dozer")


def shoves_wrecks(unit: Stand) -> bool:
    """Whether a stand clears wrecks more slowly: a large empty transport, or tracks and strong armour [11.5.9.2]."""
    if unit.kind.kind == "transport":
        return not unit.cargo and (unit.kind.cargo_cap or 0) >= LARGE_TRANSPORT
    return unit.armoured and unit.kind.mov_class == "T" and (unit.kind.defence or 0) >= STRONG_HULL


def busy(unit: Stand) -> Refusal | None:
    """Reject a stand that has done something else in this turn [11.5.3-steps, 11.5.5, 11.5.6]."""
    if unit.at is None or unit.carrier is not None:
        return Refusal("{} is not on the table.", "11.5.3-steps", (unit.name,))
    if unit.fired or unit.shots or unit.assaults or unit.overruns:
        return Refusal("{} has fought in this turn.", "11.5.3-steps", (unit.name,))
    return None


def moved(unit: Stand) -> bool:
    """Whether a stand has left its place in this turn, or spent movement points there."""
    return unit.began not in (None, unit.at) or bool(unit.gone or unit.spent)


def on_the_move(unit: Stand, rule: str) -> Refusal | None:
    """Reject a stand that did not begin the turn where it works, or moved."""
    return Refusal("{} has moved in this turn.", rule, (unit.name,)) if moved(unit) else None


def wrong_posture(unit: Stand, posture: str, rule: str) -> Refusal | None:
    """Reject a stand in another posture than its work needs."""
    if unit.posture == posture:
        return None
    return Refusal("{} is not in the {} posture.", rule, (unit.name, posture))
