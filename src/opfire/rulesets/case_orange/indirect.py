"""Indirect fire [9.6] and its tactics [12.0]: registration, observation, party line, barrage, shooting from the hip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Literal

import msgspec
from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event, Line
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
    invert,
    modifier_line,
    odds,
    position_lines,
    resolve,
    roll_and_tell,
    suffer,
    terrain_lines,
    total,
    without_own_goal,
)
from opfire.rulesets.case_orange.direct import AddFirer, Target, category, fort_id
from opfire.rulesets.case_orange.pieces import (
    Group,
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    not_at_hand,
    not_eligible,
)
from opfire.rulesets.case_orange.spotting import hex_spotted, reveal, sees_hex

How = Literal["registered", "party-line", "barrage", "rolling-thunder", "hip"]
ORDER: tuple[How, ...] = ("registered", "party-line", "barrage", "rolling-thunder", "hip")  # 9.6.5
GROUPED = ("party-line", "barrage", "rolling-thunder")
HEAVY_MM = 120  # 12.2.1


class DeclareFire(Action, frozen=True):
    """Declare indirect fire of one unit, on its marker or from the hip [9.4.1, 12.5]."""

    says = "{unit} fires at {hex} {how}"
    kind = "indirect"
    unit: UnitId
    hex: Hex
    how: Literal["registered", "hip"]


class DeclareGroup(Action, frozen=True):
    """Begin to put a party line or barrage together, with a first unit [12.3, 12.4]."""

    says = "{unit} begins combined fire at {hex}"
    kind = "indirect"
    group: int
    unit: UnitId
    hex: Hex


class Confirm(Action, frozen=True):
    """Complete the declaration."""

    says = "Complete the declaration"
    kind = "confirm"


class Declared(msgspec.Struct, frozen=True):
    """One indirect attack as declared: its kind, its hex, its firers."""

    how: How
    hex: Hex
    firers: tuple[UnitId, ...]


# --- checks -------------------------------------------------------------------------------------------------


def no_indirect_weapon(unit: Unit) -> Refusal | None:
    """Only classes (H) and M fire indirectly [2.0-G11]."""
    if unit.kind.weapon not in ("(H)", "M"):
        return Refusal("{} is class {}: only (H) and M fire indirectly", "2.0-G11", (unit.name, unit.kind.weapon))
    if unit.busy:
        return Refusal("{} is not ready to fire yet", "16.5", (unit.name,))
    return None


def cannot_fire_indirectly(side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that fires no indirect attack at all now [9.6]."""
    return not_at_hand(side, unit) or no_indirect_weapon(unit) or not_eligible(unit)


def too_far(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a hex beyond the unit's range."""
    assert unit.hex is not None
    if (hexes := position.map.distance(unit.hex, hex)) > unit.kind.range:
        return Refusal("{} is {} hexes from {}, beyond range {}", "2.0-G08", (hex, hexes, unit.name, unit.kind.range))
    return None


def sees_target_itself(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """A howitzer in line of sight of the target has to fire directly [9.6, 9.6.3]."""
    if unit.kind.weapon == "(H)" and sees_hex(position, unit, hex):
        return Refusal("{} sees {} and must fire directly", "9.6.3", (unit.name, hex))
    return None


def hex_not_spotted(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """Nothing in the hex is spotted [12.2]."""
    if hex_spotted(position, side, hex):
        return None
    return Refusal("No enemy in {} is spotted", "12.2", (hex,))


def observes_for(position: Position, observer: Unit, firer: Unit) -> bool:
    """Whether the scenario or 12.2.1 lets this unit observe for that one [12.2, 12.2.1, 12.5.3]."""
    for group in position.setting.special_observers:
        if firer.id in group.members:
            return observer.id in group.observers
    heavy = firer.kind.weapon == "(H)" or firer.kind.calibre_mm >= HEAVY_MM
    return observer.kind.observes == "all" or (observer.kind.observes == "light" and not heavy)


def can_observe(position: Position, observer: Unit) -> bool:
    """On the map and undispersed; inverted units observe too [12.2], and passengers [5.7.3]."""
    return observer.hex is not None and not observer.dispersed


def observers(position: Position, firer: Unit) -> Iterator[Unit]:
    """The units that could observe for this one now, wherever they look."""
    for name in watchers(position, firer):
        unit = position.units[name]
        if can_observe(position, unit):
            yield unit


def watchers(position: Position, firer: Unit) -> tuple[UnitId, ...]:
    """The side's units whose kind lets them observe for this one; worked out once a game."""
    known = position.setting.watchers
    if firer.id not in known:
        side = position.pick(position.setting.ids[firer.side])
        known[firer.id] = tuple(unit.id for unit in side if observes_for(position, unit, firer))
    return known[firer.id]


def unobserved(position: Position, firer: Unit, hex: Hex) -> Refusal | None:
    """No eligible observer sees the hex [12.2]."""
    if any(sees_hex(position, unit, hex) for unit in observers(position, firer)):
        return None
    return Refusal("No observer for {} sees {}", "12.2", (firer.name, hex))


def registrars(position: Position, firer: Unit) -> Iterator[Unit]:
    """The units that could observe for this one's registration: the observers of its groups too [9.6.6, 12.2]."""
    yield from observers(position, firer)
    for group in position.setting.groups:
        if firer.id in group.members:
            yield from (unit for unit in position.pick(group.observers) if can_observe(position, unit))


def unobserved_by_group(position: Position, group: Group, hex: Hex) -> Refusal | None:
    """No face-up observer of the group sees the hex [12.3.1, 12.4.1]."""
    for unit in position.pick(group.observers):
        if can_observe(position, unit) and unit.face_up and sees_hex(position, unit, hex):
            return None
    return Refusal("No face-up observer of the group sees {}", _rule(group, "1"), (hex,))


def _rule(group: Group, section: str) -> str:
    chapter = {"party-line": "12.3", "barrage": "12.4", "rolling-thunder": "16.7"}[group.kind]
    return chapter if group.kind == "rolling-thunder" else f"{chapter}.{section}"


def _designation(group: Group) -> str:
    """The rule by which the scenario names the units that fire together and their number."""
    return _rule(group, "4" if group.kind == "party-line" else "3")


def attacked_already(frame: IndirectFireSegment, hex: Hex) -> Refusal | None:
    """Each enemy unit is attacked once in the segment, and single attacks never combine [9.4.2, 9.6.1, 12.5.1]."""
    if any(attack.hex == hex for attack in frame.declared):
        return Refusal("{} is already the target of a declared attack", "9.4.2", (hex,))
    return None


def firing_already(frame: IndirectFireSegment, unit: Unit) -> Refusal | None:
    """A unit takes part in one attack [9.4.1]."""
    if any(unit.id in attack.firers for attack in frame.declared):
        return Refusal("{} already has a target", "9.4.1", (unit.name,))
    return None


def marker_elsewhere(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Without a marker in the hex it is fire from the hip [9.6.1, 12.5]."""
    if position.registered.get(unit.id) != hex:
        return Refusal("{} has no registration marker in {}", "12.1", (unit.name, hex))
    return None


def no_marker_of_its_own(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Every unit of a party line has its marker in the hex [12.3.1]."""
    if position.registered.get(unit.id) != hex:
        return Refusal("{} has no registration marker in {}", "12.3.1", (unit.name, hex))
    return None


def cannot_declare(frame: IndirectFireSegment, position: Position, unit: Unit, hex: Hex, how: str) -> Refusal | None:
    """Reject a unit that may not be declared to fire there in this way."""
    return (
        firing_already(frame, unit)
        or cannot_fire_indirectly(frame.side, unit)
        or attacked_already(frame, hex)
        or (marker_elsewhere(position, unit, hex) if how == "registered" else None)
        or too_far(position, unit, hex)
        or sees_target_itself(position, unit, hex)
        or hex_not_spotted(position, frame.side, hex)
        or unobserved(position, unit, hex)
        or too_weak(position, [unit], hex)
    )


def too_weak(position: Position, firers: Sequence[Unit], hex: Hex) -> Refusal | None:
    """Reject an attack that stays below one to four against every target in the hex [9.1.1]: RULINGS.md R67."""
    refusal = None
    for target in targets_in(position, firers[0].side, hex):
        refusal = below_minimum(adjusted(position, firers, target), total(_target_lines(position, target), "defence"))
        if refusal is None:
            return None
    return refusal


def cannot_combine(
    frame: IndirectFireSegment, position: Position, group: Group, unit: Unit, hex: Hex, firers: Sequence[UnitId]
) -> Refusal | None:
    """Reject a unit that may not take part in a combined attack [12.3, 12.4]."""
    if unit.id not in group.members:
        return Refusal("{} does not belong to the group", _designation(group), (unit.name,))
    if unit.id in firers:
        return Refusal("{} is already firing", PROCEDURE, (unit.name,))
    return (
        firing_already(frame, unit)
        or cannot_fire_indirectly(frame.side, unit)
        or too_far(position, unit, hex)
        or sees_target_itself(position, unit, hex)
        or too_many(group, unit, firers)
        or unlike(position, group, unit, firers)
        or (no_marker_of_its_own(position, unit, hex) if group.kind == "party-line" else None)
    )


def hopeless(
    frame: IndirectFireSegment, position: Position, group: Group, hex: Hex, firers: Sequence[UnitId]
) -> Refusal | None:
    """Reject a group that stays below one to four even with the strongest units that may still join [9.1.1]."""
    joining = [
        unit
        for unit in position.pick(group.members)
        if cannot_combine(frame, position, group, unit, hex, firers) is None
    ]
    together = list(firers)
    for unit in sorted(joining, key=lambda unit: -unit.kind.attack):
        if too_many(group, unit, together) is None:
            together.append(unit.id)
    return too_weak(position, position.pick(together), hex)


def too_many(group: Group, unit: Unit, firers: Sequence[UnitId]) -> Refusal | None:
    """A group has a greatest number, and may have one for some of its units [12.3.4, 12.4.3]."""
    if len(firers) >= group.most:
        return Refusal("At most {} units of the group fire together", _designation(group), (group.most,))
    for limit in group.limits:
        if limit.reached(unit.id, firers):
            words = "Only {} of the group's units like {} fire together"
            return Refusal(words, _designation(group), (limit.most, unit.name))
    return None


def unlike(position: Position, group: Group, unit: Unit, firers: Sequence[UnitId]) -> Refusal | None:
    """A party line is of units of identical type [12.3]."""
    if group.kind != "barrage" and firers and position.units[firers[0]].kind.id != unit.kind.id:
        return Refusal("{} is of another type", "12.3", (unit.name,))
    return None


def no_group_target(frame: IndirectFireSegment, position: Position, group: Group, hex: Hex) -> Refusal | None:
    """Reject a group that may not fire there at all [12.3.1, 12.4.1]."""
    return (
        attacked_already(frame, hex)
        or hex_not_spotted(position, frame.side, hex)
        or unmarked(position, group, hex)
        or unobserved_by_group(position, group, hex)
    )


def unmarked(position: Position, group: Group, hex: Hex) -> Refusal | None:
    """A barrage needs the marker of any one member in the hex [12.4.1]."""
    if any(position.registered.get(member) == hex for member in group.members):
        return None
    return Refusal("No member of the group has a marker in {}", _rule(group, "1"), (hex,))


# --- the calculation [9.6.2] --------------------------------------------------------------------------------


def adjusted(position: Position, firers: Sequence[Unit], target: Target) -> int:
    """The sum of the printed factors, adjusted for the target and rounded down [15.4.2, 2.0-G04]."""
    times, _ = position.charts.effectiveness[firers[0].kind.weapon, category(target)]
    return sum(unit.kind.attack for unit in firers) * times.numerator // times.denominator


def indirect_fire(position: Position, firers: Sequence[Unit], how: How, target: Target) -> Calculation | None:
    """The attack on one unit (or the fortification) of the hex; None if it stays below one to four [9.1.1]."""
    kind = category(target)
    times, _ = position.charts.effectiveness[firers[0].kind.weapon, kind]
    factor = adjusted(position, firers, target)
    lines = [
        Line("note", Text("{}, attack {}", (unit.name, unit.kind.attack)), str(unit.kind.attack), "3.4.1")
        for unit in firers
    ]
    if times != 1:
        lines.append(Line("factor", Text("Class {} against {}", (firers[0].kind.weapon, kind)), f"x{times}", "15.4.2"))
    lines.append(Line("attack", "Adjusted", str(factor), "9.6.2", factor))
    lines.extend(_target_lines(position, target))
    lines.extend(_situation_lines(position, firers, how, target))
    if odds(factor, sum(line.amount for line in lines if line.kind == "defence")) is None:
        return None
    return without_own_goal(resolve(position.charts, "Indirect fire", "9.6", lines))


def _target_lines(position: Position, target: Target) -> Iterator[Line]:
    if target.fort:
        yield Line("defence", Text("Fortification in {}", (target.hex,)), str(target.fort), "10.4.2", target.fort)
    else:
        yield defence_of(position, target.units[0])


def _situation_lines(position: Position, firers: Sequence[Unit], how: How, target: Target) -> Iterator[Line]:
    """The modifiers for hex and kind of fire; none for elevation [9.2.3], nor for a fort's hex [10.4.3]."""
    if not target.fort:
        unit = target.units[0]
        yield from position_lines(position, target.units)
        yield from terrain_lines(position, target.hex, "indirect")
        yield from dispersed_lines(position, target.units, "indirect")
        if unit.below == "dug-in":
            yield from modifier_line(position.charts, "dug-in", "indirect", "Dug in")
        open_above = unit.vehicle and unit.kind.weapon in ("C(I)", "(H)")
        if position.setting.has("12.6") and open_above:
            yield from modifier_line(position.charts, "headroom", "indirect", "Headroom")
    if how == "hip":
        weapon = firers[0].kind.weapon
        yield from modifier_line(position.charts, f"from the hip {weapon}", "indirect", "From the hip")


def targets_in(position: Position, side: Side, hex: Hex) -> list[Target]:
    """Every enemy unit of the hex is attacked by itself, riders too; a fortification once [9.6.2, 10.3.3, 10.4.2]."""
    targets: list[Target] = []
    for unit in position.at(hex):
        if unit.side == side or position.sheltered(unit):
            continue
        targets.append(Target(hex, (unit,)))
        passenger = position.passenger(unit)
        if passenger is not None and position.armour_rider(passenger):
            targets.append(Target(hex, (passenger,)))
    fort = position.fort(hex)
    if fort is not None and not fort.breached and position.holder(hex) != side:
        inside = tuple(unit for unit in position.at(hex) if unit.below == "fort")
        targets.append(Target(hex, inside, fort.factor))
    return targets


def carry_out(game: Game[Position], side: Side, attack: Declared) -> None:
    """Resolve one declared attack: a roll for each enemy unit, then the firers are inverted [9.6.2, 9.6.4]."""
    position = game.state
    firers = position.pick(attack.firers)
    if carrier := carrier_observing(position, attack):
        call_observer(game, carrier, attack.hex)
    for target in targets_in(position, side, attack.hex):
        if not target.fort and position.units[target.units[0].id].hex != attack.hex:
            continue  # went down with its carrier
        now = target if target.fort else Target(attack.hex, (position.units[target.units[0].id],))
        _one_target(game, firers, attack, now)
    if attack.how == "hip":
        forget_registration(position, attack.firers[0])
    for name in attack.firers:
        reveal(game, name, "spotted" if position.current == side else "opportunity")
    invert(game, attack.firers)


def forget_registration(position: Position, unit_id: UnitId) -> None:
    """Take the marker of a unit that fires from the hip, wherever it lies [12.5.2]."""
    position.registered.pop(unit_id, None)


def carrier_observing(position: Position, attack: Declared) -> UnitId | None:
    """The carrier whose passenger observes for an attack, when only passengers among the observers see it [5.7.3]."""
    return carrier_among(position, _who_observes(position, attack), attack.hex)


def carrier_among(position: Position, observers: Iterable[Unit], hex: Hex) -> UnitId | None:
    """The carrier of the first observer that sees a hex, when all that see it are passengers [5.7.3]."""
    watchers = [unit for unit in observers if sees_hex(position, unit, hex)]
    return watchers[0].carrier if watchers and all(unit.carrier is not None for unit in watchers) else None


def call_observer(game: Game[Position], carrier: UnitId, hex: Hex) -> None:
    """Invert a carrier for its passenger's observing, which is neither fire nor a move [5.7.3]."""
    position = game.state
    unit = position.units[carrier]
    position.change(carrier, face_up=False)
    words, observer = "{} observes {} from {}, which is inverted", position.units[str(unit.cargo)]
    game.tell(Event("note", words, (observer.name, hex, unit.name), "5.7.3", (carrier,), (hex,)))


def _who_observes(position: Position, attack: Declared) -> Iterator[Unit]:
    """The observers for an attack; for combined fire the face-up units of its group [12.3.1, 12.4.1]."""
    if attack.how not in GROUPED:
        yield from observers(position, position.units[attack.firers[0]])
    for group in position.setting.groups:
        if group.kind == attack.how and set(attack.firers) <= set(group.members):
            yield from (unit for unit in position.pick(group.observers) if can_observe(position, unit) and unit.face_up)


def _one_target(game: Game[Position], firers: Sequence[Unit], attack: Declared, target: Target) -> None:
    position = game.state
    calculation = indirect_fire(position, firers, attack.how, target)
    name = "the fortification" if target.fort else target.units[0].name
    if calculation is None:
        game.tell(Event("fired", "Indirect fire at {} in {} is below 1:4", (name, attack.hex), "9.1.1"))
        return
    aimed_at = fort_id(attack.hex) if target.fort else target.units[0].id
    calibre = attacks.common_calibre(firer.kind.calibre_mm for firer in firers)
    result = roll_and_tell(game, calculation, (*attack.firers, aimed_at), attack.hex, calibre)
    if target.fort:
        if result == "X":
            breach(game, attack.hex)
    else:
        position.hit = (*position.hit, target.units[0].id)
        suffer(game, target.units[0].id, result)


# --- frames: the indirect fire segment [9.6.5] --------------------------------------------------------------


class IndirectFireSegment(Frame, frozen=True):
    """All indirect attacks are declared before any is resolved [4.2-C2, 9.4.1]."""

    takes = (DeclareFire, DeclareGroup, EndSegment)
    step = "indirect"
    rule = "4.2-C2"
    question = "Declare indirect fire, or end the declarations to resolve them"
    declared: tuple[Declared, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """No unit has been attacked yet in this segment [9.4.2]."""
        game.state.hit = ()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.eligible(side) if no_indirect_weapon(unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield EndSegment()
            return
        unit = sight.units[actor]
        if firing_already(self, unit):
            return
        registered = sight.registered.get(actor)
        for hex in target_hexes(sight, side, unit):
            how: Literal["registered", "hip"] = "registered" if hex == registered else "hip"
            if cannot_declare(self, sight, unit, hex, how) is None:
                yield DeclareFire(actor, hex, how)
            for index, group in enumerate(sight.setting.groups):
                if actor in group.members and cannot_begin_group(self, sight, index, unit, hex) is None:
                    yield DeclareGroup(index, actor, hex)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case DeclareFire(unit, hex, "hip") if sight.registered.get(unit) == hex:
                return Refusal("{} is registered on {}", "12.5", (sight.units[unit].name, hex))
            case DeclareFire(unit, hex, "registered" | "hip" as how):
                return cannot_declare(self, sight, sight.units[unit], hex, how)
            case DeclareFire():
                return Refusal("Choose registered fire or fire from the hip", PROCEDURE)
            case DeclareGroup(group, unit, hex):
                return cannot_begin_group(self, sight, group, sight.units[unit], hex)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        """Note the declaration; at the end resolve them all [4.2-C2] in the book's order of kinds [9.6.5]."""
        match action:
            case DeclareFire(unit, hex, how):
                game.swap(replace(self, declared=(*self.declared, Declared(how, hex, (unit,)))))
            case DeclareGroup(group, unit, hex):
                game.push(Gathering(self.side, group, hex, (unit,), self.declared))
            case EndSegment():
                attacks = tuple(sorted(self.declared, key=lambda attack: ORDER.index(attack.how)))
                game.pop()
                game.push(Resolving(self.side, attacks))

    def resume(self, game: Game[Position], result: Declared) -> None:
        game.swap(replace(self, declared=(*self.declared, result)))


def target_hexes(position: Position, side: Side, unit: Unit) -> list[Hex]:
    """The hexes with an enemy in the unit's range, or with an empty fortification."""
    empty = (hex for hex, works in position.works.items() if works.fort is not None and hex not in position.stacks)
    return [*position.muster(position.setting.other[side]).within(str(unit.hex), unit.kind.range), *empty]


def cannot_begin_group(
    frame: IndirectFireSegment, position: Position, index: int, unit: Unit, hex: Hex
) -> Refusal | None:
    """Reject a unit with which the group may not begin a combined attack; the attack takes at least two units."""
    if not 0 <= index < len(position.setting.groups) or position.setting.groups[index].side != frame.side:
        return Refusal("There is no such group", PROCEDURE)
    group = position.setting.groups[index]
    if refusal := no_group_target(frame, position, group, hex) or cannot_combine(frame, position, group, unit, hex, ()):
        return refusal
    alone_is_enough = position.setting.has("R79")
    for other in position.pick(group.members):
        if other.id != unit.id and cannot_combine(frame, position, group, other, hex, (unit.id,)) is None:
            alone_is_enough = True
    if alone_is_enough:
        return hopeless(frame, position, group, hex, (unit.id,))
    return Refusal("No other unit can fire together with {} at {}", _rule(group, "2"), (unit.name, hex))


class Gathering(Frame, frozen=True):
    """A party line or barrage to which units are being added [12.3.2, 12.4.2]."""

    takes = (AddFirer, Confirm)
    step = "indirect"
    rule = "12.3"
    question = "Add a unit to the combined fire at {hex}, or complete the declaration"
    group: int
    hex: Hex
    firers: tuple[UnitId, ...]
    declared: tuple[Declared, ...]

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from sight.setting.groups[self.group].members

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return attacks.offered(self, sight, side, Confirm() if actor == NOBODY else AddFirer(actor))

    def _cannot_join(self, position: Position, unit: Unit) -> Refusal | None:
        segment = IndirectFireSegment(self.side, self.declared)
        group = position.setting.groups[self.group]
        refusal = cannot_combine(segment, position, group, unit, self.hex, self.firers)
        return refusal or hopeless(segment, position, group, self.hex, (*self.firers, unit.id))

    def _incomplete(self, position: Position) -> Refusal | None:
        """One unit alone is no combined fire [12.3.2, 12.4.2]: RULINGS.md R79. Below one to four there is no attack
        [9.1.1].
        """
        if len(self.firers) < 2 and not position.setting.has("R79"):
            group = position.setting.groups[self.group]
            return Refusal("Combined fire takes at least two units", _rule(group, "2"))
        return too_weak(position, position.pick(self.firers), self.hex)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        return attacks.judged(action, sight.units, partial(self._cannot_join, sight), partial(self._incomplete, sight))

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case AddFirer(unit):
                game.swap(replace(self, firers=(*self.firers, unit)))
            case Confirm():
                how = game.state.setting.groups[self.group].kind
                game.pop(Declared(how, self.hex, self.firers))  # type: ignore[arg-type]


class Resolving(Frame, frozen=True):
    """The declared attacks, one after the other [9.6.5]."""

    step = "indirect"
    rule = "9.6.5"
    attacks: tuple[Declared, ...]

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        if not self.attacks:
            return game.pop()
        game.swap(replace(self, attacks=self.attacks[1:]))
        carry_out(game, self.side, self.attacks[0])
        game.resume_top()
