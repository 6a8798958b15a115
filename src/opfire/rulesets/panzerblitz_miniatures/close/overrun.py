"""Overrun [OVR]: armored vehicles drive up to an enemy on clear terrain and attack it as part of their movement."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.close import close_combat
from opfire.rulesets.panzerblitz_miniatures.fire.direct import has_fired
from opfire.rulesets.panzerblitz_miniatures.moving.marching import cannot_begin, prices
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import ground_kinds
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    Charge,
    Position,
    Side,
    Stand,
    UnitId,
    adjacent,
    off_the_table,
)
from opfire.rulesets.panzerblitz_miniatures.sighting.cover import on_the_ground
from opfire.space.measure import MICRO

CLEAR = frozenset({"open", "field", "hilltop", "ford", "mines"})
"""The kinds of ground on which units are overrun [OVR-2]: RULINGS.md R76."""


class Overrun(Action, frozen=True):
    """Join the overrun of an adjacent enemy, for four movement points [OVR-4]."""

    says = "{unit} overruns {target}"
    kind = "overrun"
    unit: UnitId
    target: UnitId


def cannot_overrun(position: Position, side: Side, action: Overrun) -> Refusal | None:
    """Reject a unit that may not join the overrun of this target now [OVR]."""
    unit = position.units[action.unit]
    if refusal := cannot_begin(position, side, unit) or has_fired(unit) or never_overruns(unit):
        return refusal
    if action.target not in position.units:
        return Refusal("Fortifications and bridges cannot be overrun", "FRT-13")
    target = position.units[action.target]
    return (
        no_enemy(position, side, target)
        or wrong_class(unit, target)
        or not_adjacent(position, unit, target, "OVR-1")
        or not_clear(position, unit, target)
        or overrun_before(target)
        or by_road(position, unit)
        or close_combat.cannot_pay(position, unit, cost(position), "OVR-4")
    )


def cost(position: Position) -> int:
    """The movement points of an overrun [OVR-4]."""
    return int(position.charts.named["overrun cost"])


def never_overruns(unit: Stand) -> Refusal | None:
    """Reject all but armored vehicles that may overrun [OVR-1, OVR-8, OVR-10]."""
    if unit.kind.type == "self-propelled artillery":
        return Refusal("{} is self-propelled artillery, which never overruns", "OVR-8", (unit.name,))
    if not unit.vehicle:
        return Refusal("{} is no vehicle: only armor overruns", "OVR-10", (unit.name,))
    if unit.kind.target != "armored" or unit.kind.overrun == "never" or not unit.kind.attack:
        return Refusal("{} cannot overrun", "OVR-10", (unit.name,))
    return None


def no_enemy(position: Position, side: Side, target: Stand) -> Refusal | None:
    """Reject a target that is no enemy on the table, or a passenger; its carrier is attacked instead [TRN-9]."""
    if refusal := off_the_table(target):
        return refusal
    if target.side == side:
        return Refusal("{} is on your side", PROCEDURE, (target.name,))
    if target.carrier is not None:
        return Refusal("{} is being transported: attack its carrier", "TRN-9", (target.name,))
    if target.flying:
        return Refusal("{} is in the air", "HEL-6", (target.name,))
    return None


def wrong_class(unit: Stand, target: Stand) -> Refusal | None:
    """Reject class I against armored vehicles [OVR-9]."""
    if unit.kind.overrun == "non-armored" and target.kind.target == "armored":
        return Refusal("{} has only class I weapons and does not overrun armor", "OVR-9", (unit.name,))
    return None


def not_adjacent(position: Position, unit: Stand, target: Stand, rule: str) -> Refusal | None:
    """Reject a target that is not adjacent: RULINGS.md R9."""
    if adjacent(position, unit, target):
        return None
    return Refusal("{} is not adjacent to {}", rule, (target.name, unit.name))


def not_clear(position: Position, unit: Stand, target: Stand) -> Refusal | None:
    """Reject a target off clear terrain [OVR-2], on a block [OVR-7], in a fortification [FRT-13], or on a bridge.

    On a bridge it is overrun only by units that are not on the bridge [BRI-3].
    """
    assert target.at is not None
    here = position.setting.country(position.works.values()).ground.at(target.at)
    if refusal := _in_works(target, here.kinds):
        return refusal
    kinds = ground_kinds(on_the_ground(here.features))
    bridge = on_bridge(position, target)
    if not bridge and (rough := [kind for kind in kinds if kind not in CLEAR]):
        return Refusal("{} is not on clear terrain ({})", "OVR-2", (target.name, rough[0]))
    if bridge and on_bridge(position, unit):
        return Refusal("{} is overrun only from outside the bridge", "BRI-3", (target.name,))
    return None


def _in_works(target: Stand, kinds: tuple[str, ...]) -> Refusal | None:
    if "block" in kinds:
        return Refusal("{} is on a block and cannot be overrun", "OVR-7", (target.name,))
    if "fort" in kinds:
        return Refusal("{} is in a fortification and cannot be overrun", "FRT-13", (target.name,))
    return None


def on_bridge(position: Position, unit: Stand) -> bool:
    """Return whether a unit is on a bridge: it attacks units outside alone [BRI-3, BRI-4]."""
    assert unit.at is not None
    return "bridge" in position.ground.at(unit.at).kinds


def overrun_before(target: Stand) -> Refusal | None:
    """Reject a second overrun of the same unit in a movement phase [OVR-6]."""
    if "overrun" in target.attacked:
        return Refusal("{} has been overrun in this phase", "OVR-6", (target.name,))
    return None


def by_road(position: Position, unit: Stand) -> Refusal | None:
    """Reject a unit that has moved at the road rate, if it cannot pay for open ground instead [OVR-11]: R77."""
    if not unit.by_road:
        return None
    if position.setting.has("R77") or not unit.road:
        return Refusal("{} has moved at the road rate in this phase", "OVR-11", (unit.name,))
    if unit.spent + road_rate(position, unit) + cost(position) * MICRO <= position.allowance(unit):
        return None
    words = "{} has moved at the road rate: an overrun takes the rate of open ground, and it has not enough points"
    return Refusal(words, "OVR-11", (unit.name,))


def road_rate(position: Position, unit: Stand) -> int:
    """The points (10^-6) that the road rate has saved a unit in this phase, paid by an overrun: RULINGS.md R77."""
    return int(unit.road * prices(position, unit).saved_by_road)


def offers(position: Position, unit: Stand) -> Iterator[Overrun]:
    """The overruns that a unit may join now."""
    if has_fired(unit) or never_overruns(unit) or close_combat.cannot_pay(position, unit, cost(position), "OVR-4"):
        return
    for target in position.enemies(unit.side):
        if adjacent(position, unit, target):
            action = Overrun(unit.id, target.id)
            if cannot_overrun(position, unit.side, action) is None:
                yield action


def play(game: Game[Position], action: Overrun) -> None:
    """Join the overrun; the points that the road rate has saved are paid now [OVR-11]."""
    unit = game.state.units[action.unit]
    game.state.change(unit.id, spent=unit.spent + road_rate(game.state, unit), road=0)
    close_combat.join(game, action.unit, Charge("overrun", action.target), cost(game.state))
