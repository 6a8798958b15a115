"""Assault [9.7], from several hexes [11.1], with its own goals [11.4]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Refusal
from opfire.core.events import Calculation, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.kit import attacks
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.combat import (
    below_minimum,
    breach,
    defence_of,
    dispersed_lines,
    elevation_lines,
    modifier_line,
    odds,
    position_lines,
    resolve,
    roll_and_tell,
    shift_line,
    suffer,
    tank_support_lines,
    terrain_lines,
    total,
)
from opfire.rulesets.case_orange.direct import no_direct_weapon
from opfire.rulesets.case_orange.pieces import (
    FOOT,
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    not_at_hand,
    not_eligible,
)
from opfire.rulesets.case_orange.spotting import reveal


class Assault(Action, frozen=True):
    """Begin an assault on a hex with a first unit [9.7.1]."""

    says = "{unit} assaults {hex}"
    kind = "assault"
    unit: UnitId
    hex: Hex


class AddAssaulter(Action, frozen=True):
    """Another unit takes part [9.7.1, 11.1]."""

    says = "{unit} joins the assault"
    kind = "assault"
    unit: UnitId


class RollAssault(Action, frozen=True):
    """Roll the assault that has been put together."""

    says = "Assault"
    kind = "confirm"
    final = True


# --- checks -------------------------------------------------------------------------------------------------


def cannot_assault(position: Position, side: Side, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a unit that may not assault that hex; a unit that has moved or been carried may assault [9.7.2]."""
    return (
        not_at_hand(side, unit)
        or not_a_foot_unit(unit)
        or no_direct_weapon(unit)
        or not_eligible(unit)
        or came_by_road(unit)
        or cavalry_rode_far(unit)
        or not_adjacent(position, unit, hex)
        or nobody_there(position, side, hex)
        or across_a_cliff(position, unit, hex)
        or assaulted_before(position, hex)
    )


def not_a_foot_unit(unit: Unit) -> Refusal | None:
    """Infantry, engineers and cavalry assault [9.7.1]."""
    return None if unit.kind.type in FOOT else Refusal("{} cannot assault", "9.7.1", (unit.name,))


def came_by_road(unit: Unit) -> Refusal | None:
    """No assault by units that used the road rate this turn, their load included [9.7-P9]."""
    return Refusal("{} used the road rate this turn", "9.7-P9", (unit.name,)) if unit.road else None


def cavalry_rode_far(unit: Unit) -> Refusal | None:
    """Soviet cavalry moves at most one hex before it assaults [9.7-P9]."""
    if unit.kind.type == "cavalry" and unit.kind.nation == "soviet" and unit.steps > 1:
        return Refusal("{} moved {} hexes this turn", "9.7-P9", (unit.name, unit.steps))
    return None


def not_adjacent(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Assaults go into the next hex [9.7.1]."""
    assert unit.hex is not None
    if hex not in position.map.neighbours[unit.hex]:
        return Refusal("{} is not adjacent to {}", "9.7.1", (hex, unit.name))
    return None


def nobody_there(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """Reject a hex without an enemy, and without a fortification that the assaulting side does not hold [9.7.1,
    10.4.6].
    """
    holder, fort = position.holder(hex), position.fort(hex)
    if holder == position.setting.other[side] or (holder is None and fort is not None and not fort.breached):
        return None
    return Refusal("There is no enemy in {}", "9.7.1", (hex,))


def across_a_cliff(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Assaults go into any terrain, but never across a cliff [9.7.3]."""
    assert unit.hex is not None
    if "cliff" in position.map.side(unit.hex, hex):
        return Refusal("There is a cliff between {} and {}", "9.7.3", (unit.hex, hex))
    return None


def assaulted_before(position: Position, hex: Hex) -> Refusal | None:
    """One assault a hex and player turn [9.4.3]."""
    return Refusal("{} has been assaulted already", "9.4.3", (hex,)) if hex in position.assaulted else None


def hopeless(position: Position, side: Side, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject an assault that stays below one to four even with every unit that could join [9.1.1]."""
    needed = defence(position, hex)
    if odds(unit.kind.attack, needed) is not None:
        return None
    others = [u for u in position.of(side) if u.id != unit.id and not cannot_assault(position, side, u, hex)]
    return below_minimum(unit.kind.attack + sum(other.kind.attack for other in others), needed)


# --- the calculation ----------------------------------------------------------------------------------------


def unbreached(position: Position, hex: Hex) -> bool:
    """Whether the hex holds an unbreached fortification, which is then the target of the assault: RULINGS.md R32."""
    fort = position.fort(hex)
    return fort is not None and not fort.breached


def defence_lines(position: Position, hex: Hex) -> list[Line]:
    """All defence factors of the hex, the printed one of an unbreached fortification for those inside [9.7-P1]."""
    lines = [defence_of(position, unit, "9.7-P1") for unit in position.at(hex) if not position.sheltered(unit)]
    fort = position.fort(hex)
    if fort is not None and not fort.breached:
        lines.append(Line("defence", Text("Fortification in {}", (hex,)), str(fort.factor), "9.7-P1", fort.factor))
    return lines


def defence(position: Position, hex: Hex) -> int:
    """The sum of the defence factors that an assault meets."""
    return total(defence_lines(position, hex), "defence")


def assault(position: Position, assaulters: Sequence[Unit], hex: Hex) -> Calculation:
    """Factors at face value against the sum of the defence, -2 to the die, and all other shifts and modifiers
    [9.7-P2, 9.7-P6].
    """
    lines = [
        *(Line("attack", unit.name, str(unit.kind.attack), "9.7-P2", unit.kind.attack) for unit in assaulters),
        *defence_lines(position, hex),
        *modifier_line(position.charts, "assault", "assault", "Assault"),
        *engineer_lines(position, assaulters),
        *further_hex_lines(position, assaulters),
        *situation_lines(position, assaulters, hex),
    ]
    return resolve(position.charts, "Assault", "9.7", lines)


def situation_lines(position: Position, assaulters: Sequence[Unit], hex: Hex) -> Iterator[Line]:
    """Elevation, terrain and works of the target hex add up [9.7-P3]; a fortification has the first alone [10.4.3]."""
    yield from elevation_lines(position, [(str(unit.hex), 1) for unit in assaulters], hex)
    defenders = [unit for unit in position.at(hex) if not position.sheltered(unit)]
    if unbreached(position, hex) and not (defenders and position.setting.has("R32")):
        return  # the cover of its hex does not count, the side it is stormed from does: RULINGS.md R32, R48
    yield from works_lines(position, defenders)
    yield from terrain_lines(position, hex, "assault")
    yield from tank_support_lines(position, defenders, hex, "assault")
    yield from dispersed_lines(position, defenders, "assault")


def works_lines(position: Position, defenders: Sequence[Unit]) -> Iterator[Line]:
    """An improved position, or a breached fortification as if it were one [10.3.1, 10.4.4]."""
    yield from position_lines(position, defenders)
    if any(unit.below == "fort" for unit in defenders) and not any(unit.below == "position" for unit in defenders):
        line = shift_line(position.charts, "improved position", "In a breached fortification")
        yield msgspec.structs.replace(line, rule="10.4.4")


def engineer_lines(position: Position, assaulters: Sequence[Unit]) -> Iterator[Line]:
    """Engineers together with infantry or cavalry in one assaulting hex: one column [9.7.4, 9.7-P5]."""
    with_engineers = {unit.hex for unit in assaulters if unit.kind.type == "engineer"}
    if any(unit.hex in with_engineers and unit.kind.type != "engineer" for unit in assaulters):
        yield shift_line(position.charts, "engineer", "Engineers with infantry")


def further_hex_lines(position: Position, assaulters: Sequence[Unit]) -> Iterator[Line]:
    """One column for each hex beyond the first [11.1, 9.7-P5]."""
    if further := len({unit.hex for unit in assaulters}) - 1:
        yield shift_line(position.charts, "further hex", Text("From {} hexes", (further + 1,)), further)


def roll_assault(game: Game[Position], names: Sequence[UnitId], hex: Hex) -> None:
    """Roll; the result falls on the defenders or on all assaulters [9.7-P7, 11.4], who are inverted [9.7-P8]."""
    position = game.state
    position.assaulted = (*position.assaulted, hex)
    fortified, defenders = unbreached(position, hex), [unit.id for unit in position.at(hex)]
    calculation = assault(position, position.pick(names), hex)
    result = roll_and_tell(game, calculation, (*names, *defenders), hex)
    for name in names:
        reveal(game, name, "spotted")
        position.change(name, face_up=False, fired=True, charges=0)  # 13.2: no complete turn on a bridge
    if result.startswith("own "):
        for name in names:
            suffer(game, name, result.removeprefix("own "))
        return
    for name in defenders:
        if not (fortified and position.units[name].below == "fort"):
            suffer(game, name, result)
    if fortified and result == "X":
        breach(game, hex)


def foot_units(position: Position, side: Side) -> Iterator[str]:
    """Nobody, and the side's eligible units of a kind that can assault [9.7.1]."""
    yield NOBODY
    yield from (unit.id for unit in position.eligible(side) if unit.kind.type in FOOT)


# --- frames -------------------------------------------------------------------------------------------------


class AssaultSegment(Frame, frozen=True):
    """After the moves, assaults one by one [4.2-C6, 9.7]."""

    takes = (Assault, EndSegment)
    step = "assault"
    rule = "9.7"
    question = "Choose a unit and the hex that it assaults, or end the assaults"

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        return foot_units(sight, side)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield EndSegment()
            return
        unit = sight.units[actor]
        for hex in sight.map.neighbours[str(unit.hex)]:
            if (hex in sight.stacks or hex in sight.works) and self._cannot(sight, unit, str(hex)) is None:
                yield Assault(unit.id, str(hex))

    def _cannot(self, position: Position, unit: Unit, hex: Hex) -> Refusal | None:
        return cannot_assault(position, self.side, unit, hex) or hopeless(position, self.side, unit, hex)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Assault(unit, hex):
                return self._cannot(sight, sight.units[unit], hex)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case EndSegment():
                game.pop()
            case Assault(unit, hex):
                game.push(Assaulting(self.side, hex, (unit,)))


class Assaulting(Frame, frozen=True):
    """An assault to which units are being added [9.7.1, 11.1]."""

    takes = (AddAssaulter, RollAssault)
    step = "assault"
    rule = "9.7.1"
    question = "Add a unit to the assault on {hex}, or roll it"
    hex: Hex
    assaulters: tuple[UnitId, ...]

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        return foot_units(sight, side)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return attacks.offered(self, sight, side, RollAssault() if actor == NOBODY else AddAssaulter(actor))

    def _weak(self, position: Position) -> Refusal | None:
        attack = sum(unit.kind.attack for unit in position.pick(self.assaulters))
        return below_minimum(attack, defence(position, self.hex))

    def _cannot_join(self, position: Position, unit: Unit) -> Refusal | None:
        taking_part = attacks.takes_part(unit, self.assaulters)
        return taking_part or cannot_assault(position, self.side, unit, self.hex)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        return attacks.judged(action, sight.units, partial(self._cannot_join, sight), partial(self._weak, sight))

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case AddAssaulter(unit):
                game.swap(replace(self, assaulters=(*self.assaulters, unit)))
            case RollAssault():
                game.pop()
                roll_assault(game, self.assaulters, self.hex)
