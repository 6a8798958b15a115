"""Narrow roads, paths and bridges [7.30]: those that stand in them bar the way, until they are pushed off it."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer.charts import Gun
from opfire.rulesets.panzer.conditions import weight
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, UnitId, overstacked

OPTION = "7.30"
DIE = 100
CLEARS = 51
"""The roll from which on a push clears the road [7.30-push]."""

FULL, BONUS = 5, 5
"""The tons that a pushing vehicle weighs more, and the modifier for each full number of them [7.30-push]."""


class Push(Action, frozen=True):
    """Push a wreck, an immobile vehicle or a towed unit to the shoulder of a narrow road, with the whole move."""

    says = "{unit} pushes {target} off the road"
    kind = "move"
    final = True
    unit: UnitId
    target: UnitId


def is_narrow(position: Position, hex: Hex) -> bool:
    """Return whether the scenario calls the road of a hex narrow, and the game counts that [7.30-enter]."""
    return OPTION in position.setting.options and hex in position.setting.sections.conditions.narrow


def bulky(unit: Unit) -> bool:
    """Return whether a unit is bound by narrow roads: vehicles and towed units, not men on foot [7.30-stack]."""
    return unit.is_vehicle or isinstance(unit.kind, Gun)


def held(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a narrow hex with enemies: those on foot are passed by Overrun alone [7.30-enter]."""
    if not is_narrow(position, hex) or not bulky(unit):
        return None
    enemies = [other for other in position.at(hex) if other.side != unit.side]
    if any(other.is_vehicle for other in enemies):
        return Refusal("Enemy vehicles bar the narrow road in {}", "7.30-enter", (hex,))
    if enemies:
        return Refusal("The enemy holds the narrow road in {}: overrun it", "7.30-enter", (hex,))
    return None


def jammed(position: Position, unit: Unit, to: Hex) -> Refusal | None:
    """Reject passing those that stand in a narrow hex, or one unit more than it holds [7.30-stack].

    Those on the shoulder bar nobody [7.30-push]. A unit behind others, or behind a wreck, may go back the way it came:
    RULINGS.md R154.
    """
    here = str(unit.hex)
    if not bulky(unit):
        return None
    if is_narrow(position, to) and overstacked(position, to, 1):
        return Refusal("The narrow road in {} is full", "7.30-stack", (to,))
    if not is_narrow(position, here) or to == unit.came:
        return None
    others = [position.units[name] for name in unit.behind if name]
    ahead = [other for other in others if other.hex == here and not other.aside]
    if ahead or (unit.behind and strewn(position, here)):
        return Refusal("{} cannot pass what stands in the narrow road in {}", "7.30-stack", (unit.name, here))
    return None


WRECK = ""
"""The mark of a wreck among those that a unit stands behind."""


def line_up(position: Position, unit: Unit, to: Hex) -> None:
    """Note the units and the wreck in a narrow hex that a unit enters, and the hex that it leaves [7.30-stack]."""
    if not is_narrow(position, to) or not bulky(unit):
        return
    there = tuple(other.id for other in position.at(to) if bulky(other) and other.id != unit.id)
    wreck = (WRECK,) if strewn(position, to) else ()
    position.change(unit.id, came=str(unit.hex), behind=(*there, *wreck))


# --- pushing [7.30-push] ------------------------------------------------------------------------------------------


def wrecked(position: Position, hex: Hex) -> bool:
    """Return whether a wreck lies in the way in a hex: not one that has been pushed to the shoulder [7.30-push]."""
    hulks = [position.units[name] for name, at in position.hulks.items() if at == hex]
    return hex in position.wrecks and not (hulks and all(hulk.aside for hulk in hulks))


def strewn(position: Position, hex: Hex) -> bool:
    """Return whether a wreck or an abandoned vehicle lies in the way in a narrow hex: RULINGS.md R204."""
    left = (position.units[name] for name, at in position.bailed.items() if at == hex)
    return wrecked(position, hex) or any(not unit.aside for unit in left)


def in_the_way(position: Position, unit: Unit) -> Iterator[UnitId]:
    """The wrecks, immobile vehicles and towed units that a unit may push off the road of its hex [7.30-push]."""
    hex = str(unit.hex)
    for name, at in (*position.hulks.items(), *position.bailed.items()):
        if at == hex and not position.units[name].aside:
            yield name
    for other in position.at(hex):
        stuck = isinstance(other.kind, Gun) or (other.is_vehicle and (other.track_hit or other.bogged))
        if stuck and other.id != unit.id and other.side == unit.side and not other.aside:
            yield other.id


def cannot_push(position: Position, unit: Unit, target: UnitId) -> Refusal | None:
    """Reject a push of something else, by a vehicle without tracks or a command to move, or by a lighter one."""
    if not is_narrow(position, str(unit.hex)):
        return Refusal("{} is not on a narrow road", "7.30-push", (unit.name,))
    if not unit.is_vehicle or unit.vehicle.traction != "T" or unit.command != "move":
        return Refusal("{} is no tracked vehicle with a Move command", "7.30-push", (unit.name,))
    other = position.units[target]
    if target not in in_the_way(position, unit):
        return Refusal("{} does not stand in the way of {}", "7.30-push", (other.name, unit.name))
    if weight(unit) >= weight(other):
        return None
    return Refusal("{} is too heavy for {}", "7.30-push", (other.name, unit.name))


def pushes(position: Position, unit: Unit) -> Iterator[Push]:
    """The pushes that a unit may try."""
    if is_narrow(position, str(unit.hex)):
        for target in in_the_way(position, unit):
            if cannot_push(position, unit, target) is None:
                yield Push(unit.id, target)


def shove(position: Position, unit: Unit, target: UnitId) -> Calculation:
    """The roll of a push: 51 or more clears the road, each full 5 tons of additional weight help [7.30-push]."""
    other = position.units[target]
    more = round(100 * (weight(unit) - weight(other)))
    net = BONUS * (more // (100 * FULL))
    lines = [Line("odds", "Push", f"{CLEARS}+", "7.30-push")]
    if net:
        lines.insert(0, Line("modifier", Text("{:g} t more", (more / 100,)), f"{net:+d}", "7.30-push", net))
    outcomes = tuple(ASIDE if roll + net >= CLEARS else "does not move" for roll in range(1, DIE + 1))
    return Calculation(Text("Pushing {}", (other.name,)), "7.30-push", tuple(lines), 1, DIE, outcomes, "", net)


ASIDE = "is on the shoulder of the road"
"""The success of a push."""


def push(game: Game[Position], action: Push) -> None:
    """Roll for a push; what is on the shoulder is still in the hex [7.30-push]."""
    unit, other = game.state.units[action.unit], game.state.units[action.target]
    made, dice = shove(game.state, unit, other.id), game.roll(1, DIE)
    result = made.result(dice)
    units, places = (unit.id, other.id), (str(unit.hex),)
    game.tell(Event("pushed", "{} {}", (other.name, result), "7.30-push", units, places, dice, made))
    game.state.change(other.id, aside=result == ASIDE)
