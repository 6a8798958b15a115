"""The knowledge of a side [7.6.3, 7.6.4.1, 11.1.2]: its own missions, observers and mines, none of the other side's."""

from __future__ import annotations

import random

from msgspec.structs import replace

from opfire.core.flow import Frame
from opfire.kit.table import spots
from opfire.rulesets.micro_armour.airborne.drops import Drop
from opfire.rulesets.micro_armour.airborne.zones import LandingZones, clear
from opfire.rulesets.micro_armour.artillery.plotting import Calling
from opfire.rulesets.micro_armour.artillery.writing import Writing
from opfire.rulesets.micro_armour.formations import guessed, hidden
from opfire.rulesets.micro_armour.pieces import Position, Side
from opfire.rulesets.micro_armour.sequence import TheGame
from opfire.rulesets.micro_armour.works import secrets


def _writes(stack: tuple[Frame, ...], side: Side) -> bool:
    """Return whether a side has still to write down where its groups land."""
    if any(isinstance(frame, LandingZones) and frame.side == side for frame in stack):
        return True
    to_come = (step for frame in stack if isinstance(frame, TheGame) for step in frame.waiting)
    return any(step in ("zones", "late zones") and owner == side for step, owner in to_come)


def sight(position: Position, side: Side) -> Position:
    """The position as a side may know it; a spectator knows no mission at all."""
    seen = position.known_to(side)
    seen.hands = hidden(position, side)
    if secrets.any_secret(position):
        seen.works = secrets.seen(seen.works, side)
    return seen


def imagined(
    seen: Position, stack: tuple[Frame, ...], side: Side, rng: random.Random
) -> tuple[Position, tuple[Frame, ...]]:
    """A position that agrees with what a side sees; the others have written nothing, their aircraft come some day."""
    guess = seen.copy()
    guess.hands = guessed(seen.hands, rng)
    for plane in seen.planes.values():
        if plane.side != side and not plane.arrives and seen.turn:
            guess.planes[plane.id] = replace(plane, arrives=rng.randint(1, seen.setting.scenario.turns))
    guess.works = secrets.guessed(seen.works, rng)
    for name, landing in seen.setting.landings.items():
        if name not in seen.drops and landing.side != side and not _writes(stack, landing.side):
            places = spots(landing.zone)
            guess.drops[name] = Drop(rng.choice([at for at in places if clear(seen, at)] or places))
    return guess, tuple(frame for frame in stack if not isinstance(frame, Writing | Calling) or frame.side == side)
