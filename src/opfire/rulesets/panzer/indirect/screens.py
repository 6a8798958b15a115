"""Smoke that covers a single unit: smoke dischargers [7.9] and infantry smoke [7.22]."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.charts import Grade, Leg, Vehicle
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.indirect.kinds import Smoke
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, not_yours, off_the_map
from opfire.rulesets.panzer.sighting.chances import give_away
from opfire.rulesets.panzer.sighting.ranges import Marker, after_firing

DISCHARGERS, INFANTRY, DIE = "7.9", "7.22", 10
SKILL: dict[Grade, int] = {"elite": 2, "veteran": 1, "green": -1}
"""The changes of the Ammo Limit of infantry smoke by Unit Grade [7.22.2]."""

TRAINED = 3
"""The change of the Ammo Limit for engineers [7.22.2]."""


class Discharge(Action, frozen=True):
    """Make a cloud of smoke with the dischargers of a vehicle."""

    says = "{unit} fires its smoke dischargers"
    kind = "fire"
    final = True
    unit: UnitId


class LaySmoke(Action, frozen=True):
    """Lay smoke around a squad in place of its small arms fire."""

    says = "{unit} lays smoke"
    kind = "fire"
    final = True
    unit: UnitId


def screens(position: Position, unit: Unit, target: Unit) -> int:
    """The smokes that cover the firer or its target alone, passengers with their vehicle [7.9-effect, 7.22.1]."""
    if not position.smoke:
        return 0
    covered = {unit.id, unit.carrier, target.id, target.carrier}
    hexes = {unit.hex, target.hex}
    return sum(one.unit in covered and one.hexes[0] in hexes and not one.fresh for one in position.smoke if one.unit)


def blow_away(position: Position, unit_id: UnitId) -> None:
    """A vehicle that moves, or moves within its hex, leaves the cloud of its dischargers [7.9-end]."""
    if position.units[unit_id].discharged:
        position.smoke = tuple(one for one in position.smoke if one.unit != unit_id)


# --- dischargers [7.9] -----------------------------------------------------------------------------------------


def cannot_discharge(position: Position, side: str, unit: Unit) -> Refusal | None:
    """Reject vehicles without dischargers, and those that used them in this turn or the last one.

    Rules: [7.9-place, 7.9-end].
    """
    if refusal := not_yours(side, unit) or off_the_map(unit):
        return refusal
    if not isinstance(unit.kind, Vehicle) or not unit.kind.smoke_dischargers:
        return Refusal("{} has no smoke dischargers", "7.9-place", (unit.name,))
    if unit.discharged and unit.discharged >= position.turn - 1:
        return Refusal("{} makes no smoke in consecutive turns", "7.9-end", (unit.name,))
    return None


class DischargeStep(Frame, frozen=True):
    """Vehicles may make smoke before commands are given, those of the last First Player first [7.9-order]."""

    takes = (Discharge, EndStep)
    step = "command"
    rule = "7.9-order"
    question = "Fire smoke dischargers, or go on"
    tried: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """A side that can make no smoke is not asked; the last First Player comes first [7.9-order]."""
        if not any(cannot_discharge(game.state, self.side, unit) is None for unit in game.state.of(self.side)):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if self.refusal(sight, side, Discharge(unit.id)) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield EndStep()
        elif self.refusal(sight, side, Discharge(actor)) is None:
            yield Discharge(actor)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Discharge(unit) if unit in self.tried:
                return Refusal("{} has tried in this turn", "7.9-place", (sight.units[unit].name,))
            case Discharge(unit):
                return cannot_discharge(sight, side, sight.units[unit])
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Discharge(unit):
                discharge(game, unit)
                game.swap(replace(self, tried=(*self.tried, unit)))
            case _:
                game.pop()


def discharge(game: Game[Position], unit_id: UnitId) -> None:
    """Roll for a cloud, which lies until the end of the turn [7.9-place, 7.9-end]."""
    unit = game.state.units[unit_id]
    if _rolled(game, unit, int(unit.vehicle.smoke_dischargers[1:]), "7.9-place"):
        game.state.change(unit_id, discharged=game.state.turn)
        cloud = Smoke((str(unit.hex),), dense=False, on=False, fresh=False, unit=unit_id)
        game.state.smoke = (*game.state.smoke, cloud)


# --- infantry [7.22] -------------------------------------------------------------------------------------------


def limit_of(unit: Unit) -> int:
    """The Ammo Limit of a squad's smoke, by its nation, Unit Grade and training [7.22.2]; 0 without smoke."""
    if not isinstance(unit.kind, Leg) or not unit.kind.smoke_limit:
        return 0
    trained = TRAINED if "Engineer" in unit.labels else 0
    return int(unit.kind.smoke_limit[1:]) + SKILL.get(unit.grade, 0) + trained


def cannot_lay(position: Position, unit: Unit) -> Refusal | None:
    """Reject shaken units, units that have fired, and hexes with other leg and towed units [7.22.1]."""
    if INFANTRY not in position.setting.options or not limit_of(unit) or unit.kind.category == "section":
        return Refusal("{} has no smoke", "7.22.1", (unit.name,))
    if unit.suppression or unit.morale or unit.arms:
        return Refusal("{} is shaken or has fired", "7.22.1", (unit.name,))
    if any(other.id != unit.id and not other.is_vehicle for other in position.at(str(unit.hex))):
        return Refusal("Other units are in {}", "7.22.1", (unit.hex,))
    return None


def lay(game: Game[Position], unit_id: UnitId) -> None:
    """A squad fires smoke in place of its small arms; its attached weapons may still fire [7.22.1]."""
    reveal(game, unit_id)
    position, unit = game.state, game.state.units[unit_id]
    before: Marker = "fire" if "fire" in (unit.spot, unit.fresh) else ""
    small_arms = f"{unit.kind.id} ball"
    position.change(unit_id, fired=True, fresh=after_firing(before, small_arms=True), arms=(small_arms,))
    give_away(position, unit_id)
    if _rolled(game, unit, limit_of(unit), "7.22.2"):
        position.smoke = (*position.smoke, Smoke((str(unit.hex),), dense=False, unit=unit_id))


def _rolled(game: Game[Position], unit: Unit, limit: int, rule: str) -> bool:
    """Roll for smoke that is limited; return whether there is any [5.16.2]."""
    rolled = game.roll(1, DIE)
    there = rolled[0] <= limit
    words = "{} makes smoke" if there else "{} makes no smoke"
    game.tell(Event("smoke", words, (unit.name,), rule, (unit.id,), (str(unit.hex),), rolled))
    return there
