"""Actions in words, what they touch, and the ids that are in no game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.texts import joined, names, say
from opfire.kit import boards
from opfire.kit import shown as kit
from opfire.rulesets.panzer import initiative
from opfire.rulesets.panzer.fire.answering import Answer
from opfire.rulesets.panzer.fire.arms import arms_of
from opfire.rulesets.panzer.fire.close_combat import Assault
from opfire.rulesets.panzer.fire.direct_fire import Announce
from opfire.rulesets.panzer.fire.scuttling import Scuttle
from opfire.rulesets.panzer.indirect import observers
from opfire.rulesets.panzer.indirect.planning import PlotPattern
from opfire.rulesets.panzer.pieces import Position, at_arms
from opfire.rulesets.panzer.staggering import NameFormation

_WAYS = ("north", "north-east", "south-east", "south", "south-west", "north-west")
"""The facings in words, by number."""

_IN_WORDS = names(
    *("1 hit", "2 hits", "3 hits", "4 hits", "no penetration", "no damage", "track hit", "damaged", "knocked out"),
    *("brewed up", "destroyed", "suppressed", "effective", "reduced to a half-squad", "half eliminated", "eliminated"),
    *(
        "the crew bails out",
        "the crew stays",
        "bails out",
        "stays aboard",
        "escapes",
        "is lost",
        "bogs down",
        "gets on",
    ),
    *("finds a position", "finds none", "is suppressed", "keeps going", "recovers", "stays suppressed", "stays broken"),
    *("breaks", "hesitates", "stands", "SPOT counter comes off", "stays spotted", "located", "not located"),
    *("responds", "scatters", "goes astray", "no response", "is hit", "gets through", "catches fire", "does not burn"),
    *("the attacker wins", "a tie", "the defender wins"),
)
RESULTS: Mapping[str, str] = {result: result for result in _IN_WORDS}
"""The results of rolls, which are words already; a reader has them in his own language."""

_KNOWN: Mapping[str, Callable[[Position, Any], Refusal | None]] = {
    "unit": kit.no_unit,
    "target": kit.no_unit,
    "firer": observers.unknown,
    "hex": boards.no_hex,
    "to": boards.no_hex,
}


def unknown(sight: Position, action: Action) -> Refusal | None:
    """Reject vehicles and hexes that are not in the game."""
    return kit.unknown(sight, action, _KNOWN)


def label(sight: Position, action: Action) -> str:
    """An action in words, as on a button."""
    words = kit.in_words(action, partial(named, sight))
    if isinstance(action, NameFormation):
        words["group"] = initiative.title(sight, action.group) or action.group
    facing = getattr(action, "facing", None)
    if isinstance(facing, int) and facing in range(6):
        words["facing"] = say(_WAYS[facing])
    text = say(action.says, **words) + _with(sight, action)
    return say("{} along the road", text) if getattr(action, "along_road", False) else text


def named(sight: Position, name: str) -> str:
    """A unit or a battery by its name, anything else as it is."""
    guns = sight.batteries.get(name)
    return guns.name if guns else boards.named(sight, name)


def _with(sight: Position, action: Action) -> str:
    """The weapon of an announcement, the hex of an advance or the direction of a linear pattern, if it names one."""
    if isinstance(action, PlotPattern) and action.sheaf == "linear":
        return say(" towards {}", _WAYS[action.toward % len(_WAYS)])
    if isinstance(action, Assault | Scuttle) and action.via:
        return say(" from {}", action.via)
    if isinstance(action, Announce) and action.spread:
        others = joined((named(sight, name) for name in action.spread), " and ")
        return say("{}, more hits on {}", _with(sight, replace(action, spread=())), others)
    if not isinstance(action, Announce | Answer) or not (action.weapon or getattr(action, "pinning", False)):
        return ""
    arms = arms_of(sight, at_arms(sight, action.unit))
    armed = next((say(" with {}, {}", arm.row.name, arm.row.ammo) for arm in arms if arm.name == action.weapon), "")
    return say("{}, to pin it down", armed) if isinstance(action, Announce) and action.pinning else armed


def touches(sight: Position, action: Action) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The vehicles and the hexes on which a click may mean this action."""
    units, hexes = boards.touches(sight, action)
    return tuple(units), tuple(hexes)
