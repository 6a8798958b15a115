"""Direct fire [9.5], with iron sights [11.3]: one attack after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal

import msgspec
from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.kit import attacks as kit
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.combat import (
    below_minimum,
    breach,
    crosses_slope_at,
    defence_of,
    dispersed_lines,
    elevation_lines,
    invert,
    modifier_line,
    odds,
    position_lines,
    resolve,
    roll_and_tell,
    suffer,
    tank_support_lines,
    terrain_lines,
    total,
    without_own_goal,
)
from opfire.rulesets.case_orange.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    not_at_hand,
    not_eligible,
    off_the_map,
)
from opfire.rulesets.case_orange.spotting import eyes_of, fort_not_spotted, low, no_line, not_spotted, reveal, spotted

Manner = Literal["direct", "opportunity"]


class Attack(Action, frozen=True):
    """Begin a direct attack: a firer and its target, a unit or a fortification; `single` by iron sights [11.3]."""

    says = "{unit} fires at {target}"
    kind = "fire"
    unit: UnitId
    target: str
    single: bool = False


class AddFirer(Action, frozen=True):
    """Let another unit join the attack [9.5.2]."""

    says = "{unit} joins in"
    kind = "fire"
    unit: UnitId


class Fire(Action, frozen=True):
    """Roll the attack that has been put together."""

    says = "Fire"
    kind = "confirm"
    final = True


# --- what is fired at ---------------------------------------------------------------------------------------


class Target(msgspec.Struct, frozen=True):
    """The target of one direct attack: one unit, all non-vehicles together [9.3.3], or a fortification."""

    hex: Hex
    units: tuple[Unit, ...]
    fort: int = 0

    @property
    def one_firer(self) -> bool:
        """Armour is fired at by one unit at a time [9.5.1], except in improved positions [10.3.2] and forts [9.5.3]."""
        return len(self.units) == 1 and self.units[0].armour and self.units[0].below != "position" and not self.fort


def fort_id(hex: Hex) -> str:
    """The name of a fortification as a target.

    >>> fort_id("1-C4")
    'fort@1-C4'
    """
    return f"fort@{hex}"


def called(target: Target) -> tuple[str, ...]:
    """The names of a target: of its units, and of the fortification around them."""
    return (*(unit.id for unit in target.units), *((fort_id(target.hex),) if target.fort else ()))


def no_such_target(position: Position, name: str) -> Refusal | None:
    """Neither a unit on the map nor a fortification that can be attacked as one."""
    if name.startswith("fort@"):
        fort = position.fort(name[5:])
        if fort is None or fort.breached:
            return Refusal("There is no unbreached fortification in {}", "10.4.1", (name[5:],))
        return None
    if name not in position.units:
        return Refusal("There is no unit {}", PROCEDURE, (name,))
    return off_the_map(position.units[name])


def target_of(position: Position, name: str, aim: Literal["together", "single"]) -> Target:
    """The target of an attack on this unit or fortification [9.3.3, 10.3.4, 10.4.1]."""
    if name.startswith("fort@"):
        hex = name[5:]
        fort = position.fort(hex)
        assert fort is not None
        return Target(hex, tuple(u for u in position.at(hex) if u.below == "fort"), fort.factor)
    unit = position.units[name]
    assert unit.hex is not None
    if aim == "single" or not attacked_together(position, unit):
        return Target(unit.hex, (unit,))
    layer = unit.below == "position"
    units = tuple(
        other
        for other in position.at(unit.hex)
        if attacked_together(position, other) and (other.below == "position") == layer
    )
    return Target(unit.hex, units)


def attacked_together(position: Position, unit: Unit) -> bool:
    """Non-vehicles in a town or below an improved position are fired at as one [9.3.3, 10.4.4 excepted]."""
    if unit.vehicle or unit.carrier is not None or unit.hex is None or unit.below == "fort":
        return False
    return unit.below == "position" or "town" in position.map.cells[unit.hex].terrain


# --- checks -------------------------------------------------------------------------------------------------


def firing_range(unit: Unit) -> int:
    """The distance in hexes that a unit can fire: twice its range with an asterisk [3.4.3]."""
    return unit.kind.range * 2 if unit.kind.doubles else unit.kind.range


def cannot_fire_directly(side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that fires no direct attack at anything now [2.0-G08]."""
    return not_at_hand(side, unit) or not_eligible(unit) or no_direct_weapon(unit)


def no_direct_weapon(unit: Unit) -> Refusal | None:
    """Mortars fire indirectly [9.6.3]; units without an attack factor do not fire."""
    if unit.kind.weapon == "M":
        return Refusal("{} is a mortar, which fires indirectly", "9.6.3", (unit.name,))
    if unit.kind.attack == 0:
        return Refusal("{} has no attack factor", "3.4.1", (unit.name,))
    if unit.busy:
        return Refusal("{} is not ready to fire yet", "16.5", (unit.name,))
    return None


def out_of_range(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """The target is farther than the unit fires [2.0-G08, 3.4.3]."""
    assert unit.hex is not None
    hexes = position.map.distance(unit.hex, hex)
    if hexes > firing_range(unit):
        return Refusal(
            "{} is {} hexes away, beyond range {} of {}", "2.0-G08", (hex, hexes, firing_range(unit), unit.name)
        )
    return None


def not_an_enemy(position: Position, unit: Unit, name: str) -> Refusal | None:
    """Only enemy units are attacked; a fortification of either side may be [10.4.6]."""
    if not name.startswith("fort@") and position.units[name].side == unit.side:
        return Refusal("{} is on your side", PROCEDURE, (position.units[name].name,))
    if name.startswith("fort@") and any(u.side == unit.side for u in position.at(name[5:])):
        return Refusal("Your own units are at the fortification in {}", PROCEDURE, (name[5:],))
    return None


def no_target_by_itself(position: Position, name: str) -> Refusal | None:
    """Passengers [5.7.1] and units in an unbreached fortification [10.4.1] are no targets of their own."""
    if name.startswith("fort@"):
        return None
    unit = position.units[name]
    if unit.carrier is not None and not position.armour_rider(unit):
        return Refusal("{} is aboard: attack its carrier", "5.7.1", (unit.name,))
    if position.sheltered(unit):
        return Refusal("{} is in a fortification: attack the fortification", "10.4.1", (unit.name,))
    return None


def no_sight(position: Position, unit: Unit, name: str, hex: Hex) -> Refusal | None:
    """No line of sight to the target [2.0-G08, 8.2], or it is not spotted [2.0-G14]."""
    assert unit.hex is not None
    if name.startswith("fort@"):
        blocked = no_line(position, unit.hex, hex, low(position, unit), hex in position.setting.gullies)
        return blocked or fort_not_spotted(position, unit.side, hex)
    target = position.units[name]
    return (
        no_line(position, unit.hex, hex, low(position, unit), low(position, target))
        or not_spotted(position, target)
        or seen_by_class_c_alone(position, unit, target)
    )


def seen_by_class_c_alone(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """A class C unit spots nothing [8.1.4]: it fires at a target that another unit has in sight: RULINGS.md R76."""
    if unit.kind.weapon != "C" or spotted(position, target):
        return None
    return Refusal("{} is class C, and no other unit spots {}", "8.1.4", (unit.name, target.name))


def nil_effect(position: Position, unit: Unit, target: Target) -> Refusal | None:
    """The weapon does nothing to such a target [15.4]."""
    assert unit.hex is not None
    if adjusted(position, unit, target, position.map.distance(unit.hex, target.hex)) > 0:
        return None
    return Refusal("{} (class {}) has no effect on this target here", "15.4", (unit.name, unit.kind.weapon))


def cannot_hit(position: Position, side: Side, unit: Unit, name: str) -> Refusal | None:
    """Reject a unit that may not fire at this target, alone or with others [9.5]."""
    if refusal := cannot_fire_directly(side, unit) or no_such_target(position, name):
        return refusal
    hex = hex_of(position, name)
    return (
        not_an_enemy(position, unit, name)
        or no_target_by_itself(position, name)
        or out_of_range(position, unit, hex)
        or no_sight(position, unit, name, hex)
    )


def hex_of(position: Position, name: str) -> Hex:
    """The hex of a target."""
    if name.startswith("fort@"):
        return name[5:]
    hex = position.units[name].hex
    assert hex is not None
    return hex


def no_iron_sights(position: Position, unit: Unit, name: str) -> Refusal | None:
    """Only a lone class H unit at half range picks one unit out of a town or position [11.3]."""
    if name.startswith("fort@") or not attacked_together(position, position.units[name]):
        return Refusal("Iron sights single out only a unit in a town or improved position", "11.3")
    if not iron_sights(position, [unit], hex_of(position, name)):
        return Refusal("{} is not class H at half range or less", "11.3", (unit.name,))
    return None


def iron_sights(position: Position, firers: Sequence[Unit], hex: Hex) -> bool:
    """One class H unit firing at half range or less [11.3]."""
    if len(firers) != 1 or firers[0].kind.weapon != "H" or firers[0].hex is None:
        return False
    return position.map.distance(firers[0].hex, hex) <= firers[0].kind.range // 2


# --- the calculation [9.5 procedure] ------------------------------------------------------------------------


def category(target: Target) -> str:
    """Armour, hard or other [15.4]."""
    if target.fort or (target.units and target.units[0].below == "fort"):
        return "hard"
    return "armour" if target.units[0].armour else "other"


def firer_lines(position: Position, unit: Unit, target: Target, hexes: int) -> Iterator[Line]:
    """A firer's factor and its adjustments, rounded down at each step [2.0-G04, 15.4.1]."""
    factor = unit.kind.attack
    yield Line("note", Text("{}, attack {}", (unit.name, factor)), str(factor), "3.4.1")
    if hexes > unit.kind.range:
        factor //= 2
        yield Line("factor", "Beyond its range, up to twice", "x1/2", "3.4.3")
    if unit.kind.weapon == "(H)":
        factor //= 2
        yield Line("factor", "Howitzer firing directly", "x1/2", "9.6.3")
    else:
        kind = category(target)
        near, far = position.charts.effectiveness[unit.kind.weapon, kind]
        times, words = far, "Class {} against {} beyond half range"
        if hexes <= unit.kind.range // 2:
            times, words = near, "Class {} against {} within half range"
        if times != 1:
            yield Line("factor", Text(words, (unit.kind.weapon, kind)), f"x{times}", "15.4")
        factor = factor * times.numerator // times.denominator
    yield Line("attack", Text("{}, adjusted", (unit.name,)), str(factor), "2.0-G04", factor)


def adjusted(position: Position, unit: Unit, target: Target, hexes: int) -> int:
    """The adjusted attack factor [2.0-G04], the last of `firer_lines`."""
    factor = unit.kind.attack if hexes <= unit.kind.range else unit.kind.attack // 2
    if unit.kind.weapon == "(H)":
        return factor // 2
    near, far = position.charts.effectiveness[unit.kind.weapon, category(target)]
    times = near if hexes <= unit.kind.range // 2 else far
    return factor * times.numerator // times.denominator


def target_lines(position: Position, target: Target) -> Iterator[Line]:
    """The defence factor of the unit, of all together [9.3.3], or of the fortification [10.4.1]."""
    if target.fort:
        yield Line("defence", Text("Fortification in {}", (target.hex,)), str(target.fort), "10.4.1", target.fort)
        return
    for unit in target.units:
        yield defence_of(position, unit)
    if len(target.units) > 1:
        yield Line("note", "All non-vehicles in the hex together", str(len(target.units)), "9.3.3")


def defence(position: Position, target: Target) -> int:
    """The defence factor of the target."""
    return total(target_lines(position, target), "defence")


def situation_lines(position: Position, firers: Sequence[Unit], target: Target, manner: Manner) -> Iterator[Line]:
    """Column shifts and die modifiers of a direct attack."""
    yield from elevation_lines(position, [(u.hex, u.kind.range // 2) for u in firers if u.hex], target.hex)
    if not target.fort:  # 10.4.3: the other contents of the hex do not matter to a fortification
        yield from position_lines(position, target.units)
        yield from terrain_lines(position, target.hex, manner)
        yield from dispersed_lines(position, target.units, manner)
        yield from tank_support_lines(position, target.units, target.hex, manner)
        yield from hull_down_lines(position, firers, target, manner)
        if any(unit.below == "dug-in" for unit in target.units):
            yield from modifier_line(position.charts, "dug-in", manner, "Dug in")
    if manner == "opportunity":
        yield from modifier_line(position.charts, "opportunity", manner, "Opportunity fire")
    if iron_sights(position, firers, target.hex) and in_works(position, target):
        yield from modifier_line(position.charts, "iron sights", manner, "Iron sights")


def in_works(position: Position, target: Target) -> bool:
    """In an improved position, a town or a fortification [11.3]."""
    if target.fort or "town" in position.map.cells[target.hex].terrain:
        return True
    return any(unit.below in ("position", "fort") for unit in target.units)


def hull_down_lines(position: Position, firers: Sequence[Unit], target: Target, manner: Manner) -> Iterator[Line]:
    """A slope side next to a class A vehicle or a gun: hull down [9.3.5]; of several all must be: RULINGS.md R13."""
    if not all(can_be_hull_down(unit) for unit in target.units):
        return
    if any(firer.hex and crosses_slope_at(position, firer.hex, target.hex) for firer in firers):
        yield from modifier_line(position.charts, "hull down", manner, "Hull down")


def can_be_hull_down(unit: Unit) -> bool:
    """A class A vehicle, or a gun that is no vehicle [9.3.5]."""
    return unit.kind.weapon == "A" if unit.vehicle else unit.kind.artillery


def direct_fire(position: Position, firers: Sequence[Unit], target: Target, manner: Manner) -> Calculation:
    """The calculation of a direct attack [9.5-P2, 9.5-P3]."""
    lines = [
        *(
            line
            for unit in firers
            if unit.hex
            for line in firer_lines(position, unit, target, position.map.distance(unit.hex, target.hex))
        ),
        *target_lines(position, target),
        *situation_lines(position, firers, target, manner),
    ]
    title, rule = ("Direct fire", "9.5") if manner == "direct" else ("Opportunity fire", "6.0")
    return without_own_goal(resolve(position.charts, title, rule, lines))


def strength(position: Position, firers: Sequence[Unit], target: Target) -> int:
    """The sum of the firers' adjusted factors [9.5.2]."""
    return sum(
        adjusted(position, unit, target, position.map.distance(unit.hex, target.hex)) for unit in firers if unit.hex
    )


def carry_out(
    game: Game[Position], firers: Sequence[UnitId], name: str, aim: Literal["together", "single"], manner: Manner
) -> str:
    """Roll a direct attack, apply it, mark and invert the firers [9.5-P3, 8.1.1]; return the result."""
    position = game.state
    target = target_of(position, name, aim)
    calculation = direct_fire(position, position.pick(firers), target, manner)
    calibre = kit.common_calibre(unit.kind.calibre_mm for unit in position.pick(firers))
    result = roll_and_tell(game, calculation, (*firers, name), target.hex, calibre)
    if target.fort:
        if result == "X":
            breach(game, target.hex)
    else:
        for unit in target.units:
            suffer(game, unit.id, result)
    for firer in firers:
        reveal(game, firer, "spotted" if manner == "direct" else "opportunity")
    invert(game, firers)
    return result


# --- frames -------------------------------------------------------------------------------------------------


class DirectFireSegment(Frame, frozen=True):
    """Direct attacks are declared and resolved one at a time [4.2-C4, 9.5-P4]."""

    takes = (Attack, EndSegment)
    step = "direct"
    rule = "4.2-C4"
    question = "Choose a firer and its target, or end the direct fire segment"

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.eligible(side) if no_direct_weapon(unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield EndSegment()
        else:
            yield from attacks(sight, side, sight.units[actor])

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        """Judge an attack [9.5]."""
        match action:
            case Attack(unit, target, single):
                return cannot_attack(sight, self.side, sight.units[unit], target, single)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        """Declare the next attack, or end the segment [4.2-C4, 9.5-P4]."""
        match action:
            case EndSegment():
                game.pop()
            case Attack(unit, target, single):
                game.push(Attacking(self.side, target, (unit,), "single" if single else "together"))


def attacks(position: Position, side: Side, unit: Unit) -> Iterator[Attack]:
    """Every direct attack that the unit could begin."""
    if cannot_fire_directly(side, unit):
        return
    at, far, look, wrecks = str(unit.hex), firing_range(unit), eyes_of(position), position.wrecks
    held = position.muster(position.setting.other[side]).within(at, far)
    forts = [hex for hex, works in position.works.items() if works.fort is not None and hex not in held]
    for hex in (*held, *forts):
        if look.clear(at, hex, wrecks):
            for name in targets_in(position, side, hex):
                if cannot_attack(position, side, unit, name, False) is None:
                    yield Attack(unit.id, name)
                if unit.kind.weapon == "H" and cannot_attack(position, side, unit, name, True) is None:
                    yield Attack(unit.id, name, True)


def in_line_and_range(position: Position, unit: Unit, hex: Hex) -> bool:
    """Return whether neither distance nor the ground nor a wreck protects the hex: the commonest reasons."""
    at, look = str(unit.hex), eyes_of(position)
    return look.map.in_reach(at, hex, firing_range(unit)) and look.clear(at, hex, position.wrecks)


def targets_in(position: Position, side: Side, hex: Hex) -> Iterator[str]:
    """The possible targets of the side in a hex: enemy units, riders on armour, an unbreached fortification."""
    for unit in position.at(hex):
        if unit.side != side:
            yield unit.id
            if unit.cargo and unit.kind.weapon not in ("C", "C(I)"):
                yield unit.cargo
    fort = position.fort(hex)
    if fort is not None and not fort.breached:
        yield fort_id(hex)


def cannot_attack(position: Position, side: Side, unit: Unit, name: str, single: bool) -> Refusal | None:
    """Reject a unit that may not begin an attack on this target [9.5]."""
    if refusal := cannot_hit(position, side, unit, name) or (single and no_iron_sights(position, unit, name)) or None:
        return refusal
    target = target_of(position, name, "single" if single else "together")
    return nil_effect(position, unit, target) or hopeless(position, side, unit, name, target, single)


def hopeless(position: Position, side: Side, unit: Unit, name: str, target: Target, single: bool) -> Refusal | None:
    """Reject an attack that stays below one to four even with every unit that could join [9.1.1]."""
    needed, alone = defence(position, target), strength(position, [unit], target)
    if odds(alone, needed) is not None:
        return None
    if target.one_firer or single:
        return below_minimum(alone, needed)
    helpers = [u for u in position.of(side) if u.id != unit.id and not cannot_hit(position, side, u, name)]
    return below_minimum(alone + strength(position, helpers, target), needed)


class Attacking(Frame, frozen=True):
    """A direct attack to which firers are being added [9.5-P1, 9.5.2]."""

    takes = (AddFirer, Fire)
    step = "direct"
    rule = "9.5.2"
    question = "Add a firer, or fire"
    target: str
    firers: tuple[UnitId, ...]
    aim: Literal["together", "single"]

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        if cannot_be_joined(self, sight) is None:
            hex = hex_of(sight, self.target)
            yield from (unit.id for unit in sight.eligible(side) if in_line_and_range(sight, unit, hex))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return kit.offered(self, sight, side, Fire() if actor == NOBODY else AddFirer(actor))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        return kit.judged(action, sight.units, partial(cannot_join, self, sight), partial(weak, self, sight))

    def play(self, game: Game[Position], action: Action) -> None:
        """Add a firer to the one attack that is declared, or carry it out [9.5-P1]."""
        match action:
            case AddFirer(unit):
                game.swap(replace(self, firers=(*self.firers, unit)))
            case Fire():
                game.pop()
                carry_out(game, self.firers, self.target, self.aim, "direct")


def weak(attack: Attacking, position: Position) -> Refusal | None:
    """The firers so far do not reach one to four [9.1.1]."""
    target = target_of(position, attack.target, attack.aim)
    return below_minimum(strength(position, position.pick(attack.firers), target), defence(position, target))


def cannot_be_joined(attack: Attacking, position: Position) -> Refusal | None:
    """Armour takes one firer [9.5.1]; so do iron sights [11.3]."""
    if attack.aim == "single":
        return Refusal("Only a single unit can use iron sights", "11.3")
    if target_of(position, attack.target, "together").one_firer:
        return Refusal("Only one unit at a time can fire at an armoured vehicle", "9.5.1")
    return None


def cannot_join(attack: Attacking, position: Position, unit: Unit) -> Refusal | None:
    """Reject a unit that may not add its fire [9.5.2]."""
    if refusal := cannot_be_joined(attack, position):
        return refusal
    if unit.id in attack.firers:
        return Refusal("{} is already firing", PROCEDURE, (unit.name,))
    if refusal := cannot_hit(position, attack.side, unit, attack.target):
        return refusal
    return nil_effect(position, unit, target_of(position, attack.target, "together"))
