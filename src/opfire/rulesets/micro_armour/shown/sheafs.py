"""Queries about sheafs before they are laid: the ground that they would cover, their coordinates, the stands below."""

from __future__ import annotations

from typing import Any

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.core.places import INCH, Point
from opfire.rulesets.micro_armour.air.plans import AimBombs, DirectBombs
from opfire.rulesets.micro_armour.airborne.zones import ChooseZone
from opfire.rulesets.micro_armour.artillery.coordinates import nearest, written
from opfire.rulesets.micro_armour.artillery.direct import FireDirect
from opfire.rulesets.micro_armour.artillery.direct import sheaf_of as direct_sheaf
from opfire.rulesets.micro_armour.artillery.effects import covered
from opfire.rulesets.micro_armour.artillery.grouped import GroupedFire
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf, in_words
from opfire.rulesets.micro_armour.artillery.writing import Aim, Writing
from opfire.rulesets.micro_armour.pieces import Position, Setting, Side, Work
from opfire.space.squares import footprint

LAID = (Aim, FireDirect, ChooseZone, AimBombs, DirectBombs)
"""The actions that lay markers at a place of the player's choice."""


def size(sight: Position, side: Side, *, action: Action) -> Point | None:
    """The size of one marker (1/1000 inch), for an action that lays markers [7.4.2.2]; None for any other."""
    return (INCH, INCH) if isinstance(action, LAID) else None


def laid(sight: Position, side: Side, action: Action, frame: Frame | None) -> dict[str, Any]:
    """The markers that an action would lay: their squares, notation, and the stands below [7.4.3.2, 7.6.3-sheaf].

    Empty for an action that lays nothing. Smoke suppresses as well [7.4.7.1-1]; a landing zone harms nobody.
    """
    sheaf = sheaf_of(sight, side, action, frame)
    if sheaf is None:
        return {}
    places = sheaf.places(sight.setting.sections.north)
    return {
        "rings": [footprint(at, 0) for at in places],
        "written": notation(sight.setting, side, sheaf),
        "hits": [] if isinstance(action, ChooseZone) else below(sight, side, places),
    }


def sheaf_of(sight: Position, side: Side, action: Action, frame: Frame | None) -> Sheaf | None:
    """The sheaf that an action would lay; None for an action that lays none."""
    match action:
        case Aim(to) if isinstance(frame, Writing):
            return frame.sheaf(sight, to)
        case FireDirect(unit):
            return direct_sheaf(sight, frame.units if isinstance(frame, GroupedFire) else (unit,), action)
        case ChooseZone(landing, to, toward):
            group = sight.setting.landings[landing]
            gliders = len(group.units) if group.group.by == "glider" else 1
            return Sheaf(nearest(sight.setting, side, to), gliders, "open", toward)
        case AimBombs(_, _, to) | DirectBombs(_, _, to):
            return Sheaf(nearest(sight.setting, side, to), 1, "closed", "N")
    return None


def notation(made: Setting, side: Side, sheaf: Sheaf) -> str:
    """A sheaf as its player writes it, such as `1722 Open E2`; one marker has its coordinates alone [7.6.3-sheaf]."""
    return f"{written(made, side, sheaf.at)} {in_words(sheaf)}".rstrip()


def below(sight: Position, side: Side, places: tuple[Point, ...]) -> list[dict[str, Any]]:
    """The stands that markers at these places would strike as things stand, friends marked [7.4.3.2, 7.4.3.3]."""
    found = (unit for at in places for unit in covered(sight, Work("", "impact", at)))
    return [{"unit": unit.id, "own": unit.side == side} for unit in dict.fromkeys(found)]
