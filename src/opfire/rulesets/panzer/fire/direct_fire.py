"""The Direct Fire Step [4.4.1] and the resolution of AP fire in the Basic Game [4.4.3]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

import msgspec
from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.panzer import control
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.charts import Band, Gun, Rate, Vehicle, Weapon
from opfire.rulesets.panzer.commands import known_to_move, reveal
from opfire.rulesets.panzer.fire import ap_fire
from opfire.rulesets.panzer.fire.arcs import Arc, ahead, aspects, in_field_of_fire
from opfire.rulesets.panzer.fire.hits import Round, strike
from opfire.rulesets.panzer.fire.losses import knock_out
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId, away, cover, not_yours, off_the_map
from opfire.rulesets.panzer.sighting.sight import line
from opfire.rulesets.panzer.sighting.spots import cannot_spot, not_spotted
from opfire.space.hexes import Coord, opposite


class Announce(Action, frozen=True):
    """Announce the fire of a vehicle at a target; more vehicles may join it."""

    says = "{unit} fires at {target}"
    kind = "fire"
    unit: UnitId
    target: UnitId


class Resolve(Action, frozen=True):
    """Resolve the announced fire, shot by shot."""

    says = "Fire"
    kind = "fire"
    final = True


class Reveal(Action, frozen=True):
    """Show that the target moves this turn, which makes it harder to hit."""

    says = "Reveal that {unit} moves"
    kind = "reveal"
    final = True
    unit: UnitId


class Keep(Action, frozen=True):
    """Say that the target's command has no effect."""

    says = "The command has no effect"
    kind = "pass"


# --- checks [4.4.1, 4.4.3] -------------------------------------------------------------------------------------


def weapon_of(position: Position, unit: Unit) -> Weapon | None:
    """The AP weapon of a unit with plain AP rounds: a vehicle's main weapon, a gun, an attached weapon [6.5.2]."""
    rows = [row for name, mount in _mounts(unit) for row in position.charts.rows_of(name, mount, "AP")]
    return next((row for row in rows if row.ammo == "AP"), rows[0] if rows else None)


def _mounts(unit: Unit) -> list[tuple[str, str]]:
    """The names and mounts of the weapons that may have AP rounds."""
    match unit.kind:
        case Vehicle():
            return [(unit.kind.main, "V")]
        case Gun():
            return [(unit.kind.weapon, unit.kind.mount)]
    return [(name, "L") for name in unit.weapons]


def arc_of(unit: Unit) -> Arc:
    """The field of fire of a unit's weapon: towed units fire to the front [5.2], leg units all round [5.1]."""
    match unit.kind:
        case Vehicle():
            return unit.kind.main_arc or "all"
        case Gun():
            return "front"
    return "front" if unit.suppression else "all"


def rate_of(unit: Unit, weapon: Weapon) -> Rate:
    """The Rate-of-Fire of a weapon as its card has it [6.5.2.1]."""
    match unit.kind:
        case Vehicle():
            return unit.kind.rof or weapon.rof
        case Gun():
            return unit.kind.rof
    return weapon.rof


def cannot_fire_now(side: Side, unit: Unit) -> Refusal | None:
    """Reject a vehicle whose command does not let it fire in this step [4.2-fire, 4.2-short-halt, 4.4.1].

    One that has fired does not fire again [4.4.1-b].
    """
    if refusal := not_yours(side, unit) or off_the_map(unit):
        return refusal
    if unit.command not in ("fire", "short halt"):
        return Refusal("{} has no command to fire", "4.2", (unit.name,))
    return Refusal("{} has fired", "4.4.1-b", (unit.name,)) if unit.fired else None


def cannot_hit(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """Reject a target out of range or outside the field of fire [3.5.2, 4.4.3, 4.4.3.1]."""
    if target.side == unit.side:
        return Refusal("{} is on your side", PROCEDURE, (target.name,))
    if refusal := off_the_map(target):
        return refusal
    if not target.is_vehicle:
        return Refusal("{} is no vehicle: AP fire is not for it", "6.5.2", (target.name,))
    weapon = weapon_of(position, unit)
    if weapon is None:
        return Refusal("{} has no AP weapon", "4.4.3", (unit.name,))
    coords = position.map.coords
    if not in_field_of_fire(coords[str(unit.hex)], unit.facing, arc_of(unit), coords[str(target.hex)]):
        return Refusal("{} is outside the field of fire of {}", "4.4.3.1.3", (target.name, unit.name))
    return ap_fire.beyond_range(weapon, away(position, unit, target))


def cannot_announce(position: Position, side: Side, unit: Unit, target: Unit) -> Refusal | None:
    """Reject direct fire of a vehicle at a target [4.4.1]."""
    return (
        cannot_fire_now(side, unit)
        or cannot_hit(position, unit, target)
        or not_spotted(position, unit, target)
        or cannot_spot(position, unit, target, target.spot)
        or control.targets_apart(position, unit, target)
    )


def targets(position: Position, unit: Unit) -> Iterator[Unit]:
    """The enemies that a vehicle may fire at in its Direct Fire Step."""
    for enemy in position.enemies(unit.side):
        if cannot_announce(position, unit.side, unit, enemy) is None:
            yield enemy


# --- the calculation [4.4.3.2] ---------------------------------------------------------------------------------


def shot(position: Position, unit: Unit, target: Unit, overwatch: bool) -> Calculation:
    """One shot from its modifiers to its effect: in the Basic Game the roll to hit decides all [4.4.3.2].

    Both vehicles count as they stand and face now [4.4.1-c].
    """
    weapon = weapon_of(position, unit)
    assert weapon is not None
    band = ap_fire.range_factor(weapon, away(position, unit, target))
    assert band is not None
    title = f"{unit.name} fires at {target.name}"
    lines = [*modifiers(position, unit, target, overwatch)]
    if position.setting.advanced:
        return advanced_shot(position, unit, weapon, band, title, lines)
    to_hit = ap_fire.hit(position.charts, title, band, lines)
    effect = ap_fire.basic_effect(position.charts, weapon, band, armor_hit(position, unit, target)[1])
    outcomes = tuple(EFFECTS[effect if hits != "0" else "miss"] for hits in to_hit.outcomes)
    shown = (*to_hit.lines, *_penetration(position, unit, target, weapon.value(band)))
    return msgspec.structs.replace(to_hit, lines=shown, outcomes=outcomes)


def advanced_shot(
    position: Position, unit: Unit, weapon: Weapon, band: Band, title: str, lines: list[Line]
) -> Calculation:
    """The roll to hit of the Advanced Game: one hit or more by the Rate-of-Fire, with the Unit Grade [6.5.2.1]."""
    lines += ap_fire.grade_line(position.charts, unit.grade, band)
    if unit.suppression:
        lines.append(ap_fire.modifier(position.charts, "shooter suppressed"))
    to_hit = ap_fire.hit(position.charts, title, band, lines, rate_of(unit, weapon))
    outcomes = tuple(HITS[int(hits)] for hits in to_hit.outcomes)
    return msgspec.structs.replace(to_hit, outcomes=outcomes)


HITS = ("miss", "1 hit", "2 hits", "3 hits", "4 hits")
"""The numbers of hits in words [6.5.2.1]."""


EFFECTS: dict[ap_fire.Effect, str] = {
    "miss": "miss",
    "no penetration": "no effect",
    "DM": "damaged",
    "KO": "knocked out",
    "BU": "brewed up",
}
"""The effects of a shot in words."""


def _penetration(position: Position, unit: Unit, target: Unit, factor: int) -> Iterator[Line]:
    """The penetration of a hit, and the armor that it meets [4.4.3.2.5]."""
    aspect, armor = armor_hit(position, unit, target)
    yield Line("attack", "Penetration", str(factor), "4.4.3.2.5", factor)
    yield Line("defence", f"{aspect.capitalize()} armor of {target.name}", str(armor), "4.4.3.2.5", armor)


def modifiers(position: Position, unit: Unit, target: Unit, overwatch: bool) -> Iterator[Line]:
    """The AP Hit Modifiers of a shot [4.4.3.2.2]."""
    charts = position.charts
    behind = cover(position, target, "combat")
    yield from chain(ap_fire.size_line(target.vehicle), ap_fire.cover_line(charts, behind))
    if known_to_move(target):
        yield ap_fire.modifier(charts, "target moving")
    if unit.command == "short halt":
        yield ap_fire.modifier(charts, "short halt")
    if unit.damaged and unit.damaged_part != "hull":  # 6.5.2.2.4
        yield ap_fire.modifier(charts, "shooter damaged")
    if smokes := smoke_between(position, str(unit.hex), str(target.hex)):
        yield ap_fire.modifier(charts, "brewup smoke", smokes)
    if overwatch:
        yield ap_fire.modifier(charts, "overwatch" if _in_arc(position, unit, target) else "overwatch adjust")


def _in_arc(position: Position, unit: Unit, target: Unit) -> bool:
    """Return whether a target lies in the front field of fire, or in the rear one of a gun that faces back."""
    coords = position.map.coords
    facing = opposite(unit.facing) if arc_of(unit) == "rear" else unit.facing
    return ahead(coords[str(unit.hex)], facing, coords[str(target.hex)])


def smoke_between(position: Position, a: Hex, b: Hex) -> int:
    """The Brew-Up smokes on a line with both its ends [4.1.4.1.9, 4.4.3.2.2-busmoke]; those of this step come later."""
    smoking = [hex for hex, wreck in position.wrecks.items() if wreck == "BU" and hex not in position.smoking]
    if not smoking:
        return 0
    start = position.map.coords[a]
    on_line = {_shifted(start, offset) for touch in line(start, position.map.coords[b]) for offset in touch.hexes}
    return sum(position.map.coords[hex] in on_line for hex in smoking)


def _shifted(start: Coord, offset: Coord) -> Coord:
    return start[0] + offset[0], start[1] + offset[1]


def armor_hit(position: Position, unit: Unit, target: Unit) -> tuple[str, int]:
    """The aspect that is hit and its Armor Factor; on the border the better one counts [4.4.3.2.4]: RULINGS.md R14."""
    coords = position.map.coords
    found = aspects(coords[str(target.hex)], target.facing, coords[str(unit.hex)])
    factors = {"front": target.vehicle.basic_front, "rear": target.vehicle.basic_rear}
    best = max(found, key=lambda aspect: factors[aspect])
    return best, factors[best]


# --- resolution [4.4.3.2, 4.4.3.2.6] ----------------------------------------------------------------------------


def fire(game: Game[Position], unit_id: UnitId, target_id: UnitId, overwatch: bool) -> None:
    """Fire one shot; one at a target that is gone is spent [4.4.1-d].

    It reveals the command [4.4.3.2] and marks the firer [4.4.1-f]; its result holds at once [4.4.1-e].
    """
    position = game.state
    reveal(game, unit_id)
    target = position.units[target_id]
    unit = position.change(unit_id, fired=True, fresh="fire", aim=target.hex or "")
    if target.hex is None:
        game.tell(Event("spent", "{} fires at a target that is gone", (unit.name,), "4.4.1-d", (unit_id,)))
        return
    calculation = shot(position, unit, target, overwatch)
    rolled = game.roll(1, ap_fire.DIE)
    effect = calculation.result(rolled)
    places = (str(unit.hex), str(target.hex))
    text = "{} misses {}" if effect == "miss" else "{} hits {}: {}"
    facts = (unit.name, target.name) if effect == "miss" else (unit.name, target.name, effect)
    game.tell(Event("fired", text, facts, "4.4.3.2.3", (unit_id, target_id), places, rolled, calculation))
    if position.setting.advanced:
        position.change(target_id, under_fire=True)
        strike(game, _round(position, unit, target), HITS.index(effect))
    elif effect == "damaged":
        damage(game, target)
    elif effect in ("knocked out", "brewed up"):
        knock_out(game, target, brews_up=effect == "brewed up")


def _round(position: Position, unit: Unit, target: Unit) -> Round:
    weapon = weapon_of(position, unit)
    assert weapon is not None
    band = ap_fire.range_factor(weapon, away(position, unit, target))
    assert band is not None
    return Round(unit.id, target.id, weapon, band)


def damage(game: Game[Position], target: Unit) -> None:
    """A Damage result: the second one knocks the vehicle out [4.4.3.2.6-damaged]."""
    if target.damaged:
        return knock_out(game, target, brews_up=False)
    game.state.change(target.id, damaged=True)
    game.tell(Event("damaged", "{} is damaged", (target.name,), "4.4.3.2.6-damaged", (target.id,)))


# --- the step [4.4.1] -------------------------------------------------------------------------------------------


class DirectFireStep(Frame, frozen=True):
    """A side fires with its vehicles that have Fire or Short Halt commands; they must fire if they can [4.4.1-g]."""

    takes = (Announce, EndStep)
    step = "direct fire"
    rule = "4.4.1"
    question = "Announce fire at a target, or end the step"
    done: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """All fire of the Basic Game is direct fire, of one player after the other [4.4]."""
        game.state.smoking = ()

    def resume(self, game: Game[Position], result: object) -> None:
        """Stay for the next target."""

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if cannot_fire_now(side, unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (EndStep(),) if must_fire(sight, side, self.done) is None else ()
        return (
            Announce(actor, target.id) for target in targets(sight, sight.units[actor]) if target.id not in self.done
        )

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Announce(unit, target):
                refusal = cannot_announce(sight, side, sight.units[unit], sight.units[target])
                return refusal or self._settled(sight, target)
        return must_fire(sight, side, self.done)

    def _settled(self, sight: Position, target: UnitId) -> Refusal | None:
        """Reject a target of which the fire is resolved already: all of it is announced together [4.4.1-d]."""
        if target not in self.done:
            return None
        return Refusal("All fire at {} is announced before any is resolved", "4.4.1-d", (sight.units[target].name,))

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Announce(unit, target):
                game.swap(replace(self, done=(*self.done, target)))
                game.push(Attacking(self.side, target, (unit,)))
            case EndStep():
                game.state.smoking = ()
                game.pop()


def must_fire(position: Position, side: Side, done: tuple[UnitId, ...]) -> Refusal | None:
    """Refuse the end of the step while a vehicle with a command to fire has a target [4.4.1-g].

    At the targets that are `done` all fire is resolved.
    """
    for unit in position.of(side):
        if cannot_fire_now(side, unit) is None and any(target.id not in done for target in targets(position, unit)):
            return Refusal("{} has a command to fire and a target: it must fire", "4.4.1-g", (unit.name,))
    return None


class Attacking(Frame, frozen=True):
    """All fire at one target is announced before any is resolved [4.4.1-d]."""

    takes = (Announce, Resolve)
    step = "attack"
    rule = "4.4.1-d"
    question = "Announce more fire at {target}, or resolve it"
    target: UnitId
    firers: tuple[UnitId, ...]
    asked: bool = False

    def resume(self, game: Game[Position], result: object) -> None:
        """The target's owner has answered: fire."""
        for unit in self.firers:
            fire(game, unit, self.target, overwatch=False)
        game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if unit.id not in self.firers)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (Resolve(),)
        more = Announce(actor, self.target)
        return (more,) if self.refusal(sight, side, more) is None else ()

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Announce(unit, target):
                if target != self.target or unit in self.firers:
                    return Refusal("Fire at {} is being announced", "4.4.1-d", (sight.units[self.target].name,))
                return cannot_announce(sight, side, sight.units[unit], sight.units[target])
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Announce(unit, _):
                game.swap(replace(self, firers=(*self.firers, unit)))
            case Resolve():
                game.push(Asked(game.state.setting.other[self.side], self.target))

    def prompt(self, sight: Position, side: str) -> str:
        return self.question.format(target=sight.units[self.target].name)


class Asked(Frame, frozen=True):
    """The target's player may reveal that it moves, and need not [4.4.3.2.2-moving]: RULINGS.md R22.

    The question is put whatever the hidden command is, so that being asked tells nothing.
    """

    takes = (Reveal, Keep)
    step = "target moving"
    rule = "4.4.3.2.2-moving"
    question = "Does {target} move? Reveal its command, or say that it has no effect"
    target: UnitId

    def begin(self, game: Game[Position]) -> None:
        if game.state.units[self.target].revealed:
            game.pop()

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield Keep()
        if self.refusal(sight, side, Reveal(self.target)) is None:
            yield Reveal(self.target)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Reveal(unit) if unit != self.target or sight.units[unit].command not in ("move", "short halt"):
                return Refusal("{} has no command to move", "4.4.3.2.2-moving", (sight.units[unit].name,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Reveal(unit):
                reveal(game, unit)
        game.pop()

    def prompt(self, sight: Position, side: str) -> str:
        return self.question.format(target=sight.units[self.target].name)
