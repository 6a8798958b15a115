"""Preset fire of a battle [SC.sf79]: targets fixed before set-up, and two rolls in a row that end the fire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Calculation, Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.micro_armour.artillery.batteries import is_battery, off_map
from opfire.rulesets.micro_armour.artillery.impacts import lift_mission
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.plotting import end_mission
from opfire.rulesets.micro_armour.artillery.preparing import Bombard
from opfire.rulesets.micro_armour.artillery.record import record
from opfire.rulesets.micro_armour.artillery.writing import Writing, open_line
from opfire.rulesets.micro_armour.cohesion import cohesion_roll, force_level, force_succeeds
from opfire.rulesets.micro_armour.pieces import Position, Setting, Side, Stand, not_yours

IN_A_ROW = 2
"""The successful rolls, at the ends of turns in a row, that end preset fire [SC.sf79.3]."""


class TryToCease(Action, frozen=True):
    """Roll to end the preset fire of the side's batteries off the map."""

    says = "Try to end the preset fire"
    kind = "command"
    final = True


class KeepFiring(Action, frozen=True):
    """Let the preset fire go on."""

    says = "Let the preset fire go on"
    kind = "done"
    final = True


# --- before the game ------------------------------------------------------------------------------------------------


class PresetFire(Frame, frozen=True):
    """A side fixes one target for each battery off the map, in secret, before anybody sets up [SC.sf79.1]."""

    takes = (Bombard,)
    step = "set-up"
    rule = "SC.sf79.1"
    question = "Fix a target for each battery off the map"

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        if not without_target(game.state, self.side):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield from (unit.id for unit in without_target(sight, side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield Bombard(actor)

    def refusal(self, sight: Position, side: str, action: Bombard) -> Refusal | None:
        return cannot_aim_at_zone(sight, side, sight.units[action.unit])

    def play(self, game: Game[Position], action: Bombard) -> None:
        game.push(preset_line(game.state, self.side, game.state.units[action.unit]))

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """The side alone knows its targets [SC.sf79.1]."""
        return (self.side,)


def without_target(position: Position, side: Side) -> list[Stand]:
    """The batteries off the map that still need a target of preset fire [SC.sf79.1]; none without such fire."""
    if position.setting.troops(side).preset is None:
        return []
    given = {name for mission in record(position, side) if mission.preset for name in mission.batteries}
    own = position.pick(position.setting.ids[side])
    return [unit for unit in own if is_battery(unit) and off_map(unit) and unit.id not in given]


def cannot_aim_at_zone(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a battery that takes no target now: each one off the map has a single one [SC.sf79.1]."""
    if refusal := not_yours(side, unit):
        return refusal
    if unit in without_target(position, side):
        return None
    return Refusal("{} takes no target now: each battery off the map has one", "SC.sf79.1", (unit.name,))


def preset_line(position: Position, side: Side, unit: Stand) -> Writing:
    """The line of a battery's preset fire: a barrage from the scenario's turn on, without an end: RULINGS.md R83."""
    preset = position.setting.troops(side).preset
    assert preset is not None
    line = replace(open_line(position, side, "barrage", unit, "", ""), due=preset.turn, preset=True)
    return replace(line, duration=position.setting.scenario.turns - preset.turn + 1)


def by_turn(made: Setting, sides: Iterable[Side]) -> list[Side]:
    """The sides with preset fire, the one whose fire falls first before the other [SC.sf79.1]."""
    found = [(preset.turn, side) for side in sides if (preset := made.troops(side).preset)]
    return [side for _, side in sorted(found, key=lambda each: each[0])]


# --- at the end of a turn -------------------------------------------------------------------------------------------


class CeaseFire(Frame, frozen=True):
    """At the end of a turn a side may roll to end its preset fire [SC.sf79.3]."""

    takes = (TryToCease, KeepFiring)
    step = "removal"
    rule = "SC.sf79.3"
    question = "Try to end the preset fire off the map?"

    def begin(self, game: Game[Position]) -> None:
        if not falling(game.state, self.side):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield from (TryToCease(), KeepFiring())

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        position = game.state
        name = position.setting.scenario.sides[self.side].name
        tries = isinstance(action, TryToCease)
        if tries and force_succeeds(game, name, ceasing_roll(position, self.side)):
            ceased(game, self.side)
        else:
            position.ceasing.pop(self.side, None)
        game.pop()


def falling(position: Position, side: Side) -> list[Mission]:
    """The preset fire of a side that has begun and would go on in the next turn [SC.sf79.3]."""
    turn = position.turn
    found = (mission for mission in record(position, side) if mission.preset)
    return [mission for mission in found if (mission.due <= turn or mission.arrived) and mission.until > turn]


def ceasing_roll(position: Position, side: Side) -> Calculation:
    """The roll of a side to end its preset fire, one for all its batteries: RULINGS.md R83."""
    return cohesion_roll("to end the preset fire", "SC.sf79.3", force_level(position, side), ())


def ceased(game: Game[Position], side: Side) -> None:
    """Count a success; the second one in a row ends the fire with this turn [SC.sf79.3]."""
    position = game.state
    position.ceasing[side] = position.ceasing.get(side, 0) + 1
    if position.ceasing[side] < IN_A_ROW:
        return
    for mission in falling(position, side):
        end_mission(position, mission.id)
        lift_mission(position, mission.id)
    name = position.setting.scenario.sides[side].name
    game.tell(Event("mission", "{} end their preset fire", (name,), "SC.sf79.3"))
