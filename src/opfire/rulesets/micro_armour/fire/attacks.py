"""Attacks [7.1]: the rolls of each firer, put together for previews and carried out for results alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text, Words, joined
from opfire.kit.calibres import calibre_of
from opfire.rulesets.micro_armour.charts import CALIBRES, LEAST, MOST, Result, range_modifier, result
from opfire.rulesets.micro_armour.cohesion import DIE, SUCCESS, cohesion_roll, level, modifier, states, tested
from opfire.rulesets.micro_armour.fire.guns import (
    BIG_GAME_NEAR,
    Gun,
    Manner,
    defence,
    gun,
    halved,
    inches_between,
    weapon_of,
)
from opfire.rulesets.micro_armour.fire.towing import aims
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId
from opfire.rulesets.micro_armour.results import IN_WORDS, apply_result
from opfire.rulesets.micro_armour.terrain import to_combat, to_fire

AttackKind: TypeAlias = Literal["standard", "opportunity", "covering", "overrun"]
"""The phase of an attack: `overrun` is the opportunity fire of the target of an overrun [8.7.6-fire]."""

FIRE_AND_MOVE, COVERING, AGAIN, BIG_GAME = 3, 3, 3, -2
HOT_SHOT = 2
THIN = 4
"""Armour keeps this part of its front as it climbs into bocage [9.3.2]: a quarter."""

WAYS = frozenset({"good-road", "poor-road", "track"})
"""The ways through bocage; hedges that are breached are a track [9.3.1-entry, 9.3.3-breach]."""

SPECIAL_SPENT = 5
"""The unmodified combat roll up to which special ammunition is spent [12.9]."""


class Shot(NamedTuple):
    """One firer of an attack, and its manner of fire."""

    unit: UnitId
    manner: Manner = "main"


class Attack(msgspec.Struct, frozen=True):
    """An attack on one stand by one firer or more, each a combat event of its own [7.1-attack]."""

    target: UnitId
    shots: tuple[Shot, ...]
    kind: AttackKind = "standard"


# --- the roll to fire -------------------------------------------------------------------------------------------


def fire_roll(position: Position, attack: Attack, shot: Shot) -> Calculation:
    """The cohesion roll of a firer: its states and posture, the terrain of the target [7.1.6-roll]."""
    firer, target = position.units[shot.unit], position.units[attack.target]
    lines = [*states(firer), *_manner_of_fire(attack, firer), *to_fire(position, firer, target)]
    return cohesion_roll("to fire", "7.1.6-roll", level(position, firer), lines)


def _manner_of_fire(attack: Attack, firer: Stand) -> Iterator[Line]:
    """The modifiers of the posture and of the kind of attack."""
    if firer.posture == "fire/move":
        rule = "8.5.1" if attack.kind in ("opportunity", "overrun") else "7.1.6-roll"
        yield modifier("fire/move posture", FIRE_AND_MOVE, rule)
    if attack.kind == "covering":
        yield modifier("covering fire", COVERING, "8.6.3")
    if firer.again:
        yield modifier("second attack", AGAIN, "12.8")


# --- the combat roll --------------------------------------------------------------------------------------------


def combat(position: Position, attack: Attack, shot: Shot, natural: int = 0) -> Calculation:
    """The combat roll of a firer: differential, range and terrain [7.1.10-diff, 7.1.10-roll].

    `natural` is the number of its roll to fire: a 1 may be a hot shot [12.2.1].
    """
    firer, target = position.units[shot.unit], position.units[attack.target]
    used = gun(position, firer, shot.manner, target)
    lines = [_power(used), *_defences(position, attack, firer, target, shot.manner)]
    differential = used.firepower - lines[-1].amount
    shifts = [*hot_shot(position, natural)]
    modifiers = [*_range(position, attack, firer, shot, used), *_big_game(shot, firer, target)]
    modifiers += to_combat(position, firer, target)
    total = sum(line.amount for line in modifiers)
    column = min(differential + sum(line.amount for line in shifts), MOST)
    shown = Line("odds", "differential", f"{differential:+}", "7.1.10-diff", differential)
    outcomes = tuple(_outcome(position, firer, shot, column, dice + total) for dice in range(2, 13))
    title, all_lines = "combat", (*lines, shown, *shifts, *_limits(column, differential, outcomes[-1]), *modifiers)
    return Calculation(title, "7.1.10-roll", all_lines, 2, 6, outcomes, column=f"{column:+}", modifier=total)


def _power(used: Gun) -> Line:
    kind = "AP" if used.armour_piercing else "HE"
    return Line(
        "attack", Text("{} firepower of {}", (kind, used.weapon.name)), str(used.firepower), "7.1.9", used.firepower
    )


def _defences(position: Position, attack: Attack, firer: Stand, target: Stand, manner: Manner) -> Iterator[Line]:
    """The defence of the target; armour keeps half against the fire of a stand that it overruns [8.7.6-fire]."""
    found = [*defence(position, firer, target, manner)]
    if attack.kind == "overrun" and target.armoured:
        found = [found[0], halved("overruns the firer", found[0].amount, "8.7.6-fire")]
    yield from found
    if len(found) == 1 and attack.kind == "opportunity" and climbs(position, target):
        kept = -(-found[0].amount // THIN)
        yield Line("defence", "climbs into bocage", f"[{kept}]", "9.3.2", kept)


def climbs(position: Position, target: Stand) -> bool:
    """Return whether an armoured vehicle has just moved into bocage, with no way through [9.3.1-entry, 9.3.2].

    It climbs no hedges on roads and tracks, nor where it or another vehicle has broken through [9.3.3-breach].
    """
    progress = position.progress
    if progress is None or progress.unit != target.id or not target.armoured or not target.gone or progress.breached:
        return False
    if target.at is None:
        return False
    kinds = {feature.kind for feature in position.ground.features_at(target.at)}
    return "bocage" in kinds and kinds.isdisjoint(WAYS)


def hot_shot(position: Position, natural: int) -> Iterator[Line]:
    """The shift of a hot shot [12.2.1]."""
    if natural == 1 and position.setting.has("12.2.1"):
        yield Line("shift", "hot shot", f"{HOT_SHOT:+}", "12.2.1", HOT_SHOT)


def with_hot_shot(position: Position, attack: Attack) -> Calculation:
    """The combat roll of the last firer before its roll to fire, which may be a natural 1 [12.2.1]."""
    made = combat(position, attack, attack.shots[-1])
    if not position.setting.has("12.2.1"):
        return made
    hot = combat(position, attack, attack.shots[-1], natural=1)
    line = Line("note", "hot shot, on a natural 1 to fire", f"{HOT_SHOT:+}", "12.2.1")
    return replace(made, lines=(*made.lines, line), other=(Fraction(1, DIE), hot.outcomes))


def runs_low(position: Position, firer: Stand, natural: int) -> bool:
    """Return whether a stand is nearly out of ammunition after a roll to fire: a natural 20 makes it so [12.2.2]."""
    return firer.low or (natural == DIE and position.setting.has("12.2.2"))


def _limits(column: int, differential: int, worst: Result) -> Iterator[Line]:
    """The limits of the columns: lower has no effect, higher is the last one [7.1.10-low, 7.1.10-high]."""
    if column < LEAST:
        words = "below {}: no effect" if worst == "-" else "below {}: suppressed"
        yield Line("note", Text(words, (LEAST,)), f"{differential:+}", "7.1.10-low")
    elif differential > MOST:
        yield Line("note", Text("no column beyond {:+}", (MOST,)), f"{MOST:+}", "7.1.10-high")


def _range(position: Position, attack: Attack, firer: Stand, shot: Shot, used: Gun) -> Iterator[Line]:
    """The modifier of the range [7.3.2], by the chart of dual purpose guns for those [10.7.2].

    It is measured to the nearer one of a transport and of the weapon that it tows [8.4.5-range].
    """
    target = position.units[attack.target]
    hauled = bool(target.cargo) or target.carrier is not None
    places = aims(position, firer, target, shot.manner) if hauled else [target]
    inches = 1 if attack.kind == "overrun" else min(inches_between(firer, place) for place in places)
    amount = range_modifier(position.charts, used.chart, inches)
    rule = "10.7.2" if used.chart == "dual purpose" else "7.3.2"
    yield modifier(Text("range {} inch" if inches == 1 else "range {} inches", (inches,)), amount, rule)


def _big_game(shot: Shot, firer: Stand, target: Stand) -> Iterator[Line]:
    """The modifier of heavy guns that fire at armour from very near [12.10]."""
    if shot.manner == "big game" and inches_between(firer, target) <= BIG_GAME_NEAR:
        yield modifier(Text("at {} inches or less", (BIG_GAME_NEAR,)), BIG_GAME, "12.10")


def _outcome(position: Position, firer: Stand, shot: Shot, column: int, total: int) -> Result:
    """The result of a total; support stands suppress where others have no effect [7.2-none, 10.4].

    Below the first column nothing has an effect [7.1.10-low]: RULINGS.md R116.
    """
    suppresses = firer.kind.has("support") and shot.manner != "side arms"
    if column < LEAST:
        return "S" if suppresses and position.setting.has("R116") else "-"  # RULINGS.md R116
    found = result(position.charts, column, total)
    return "S" if found == "-" and suppresses else found


# --- carrying it out --------------------------------------------------------------------------------------------


def carry_out(game: Game[Position], attack: Attack) -> tuple[Result, ...]:
    """Carry out an attack firer by firer in their owner's order; return the result of each [7.1-attack].

    Every firer counts as having fired, whether it succeeds or not [7.1.6-fail].
    """
    announce(game, attack)
    return tuple(_event(game, attack, shot) for shot in attack.shots)


def announce(game: Game[Position], attack: Attack) -> None:
    """Tell of an attack and mark its firers [7.1.5]."""
    position = game.state
    target = position.units[attack.target]
    names = tuple(shot.unit for shot in attack.shots)
    firers = joined(unit.name for unit in position.pick(names))
    if len(names) == 1:
        text = {"standard": "{} fires at {}", "covering": "{} gives covering fire at {}"}
        sentence = text.get(attack.kind, "{} uses opportunity fire at {}")
    else:
        text = {"standard": "{} fire at {}", "covering": "{} give covering fire at {}"}
        sentence = text.get(attack.kind, "{} use opportunity fire at {}")
    places = (target.at,) if target.at is not None else ()
    facts, units, bore = (firers, target.name), (*names, target.id), calibre(position, attack.shots)
    power = strength(position, target, attack.shots)
    game.tell(Event("fired", sentence, facts, "7.1-attack", units, places, calibre=bore, strength=power))


def calibre(position: Position, shots: Iterable[Shot]) -> float:
    """The calibre in mm of the guns of an attack, where all have one."""
    return calibre_of(CALIBRES, [weapon_of(position, position.units[shot.unit], shot.manner).id for shot in shots])


def strength(position: Position, target: Stand, shots: Iterable[Shot]) -> Words:
    """The firepower that strikes the target in words, where all shots have the same; else nothing [7.1.9]."""
    guns = (gun(position, position.units[shot.unit], shot.manner, target) for shot in shots)
    found = {("AP" if used.armour_piercing else "HE", used.firepower) for used in guns}
    return Text("{} firepower {}", found.pop()) if len(found) == 1 else ""


def _event(game: Game[Position], attack: Attack, shot: Shot) -> Result:
    """One combat event: the roll to fire, then the combat roll and its result [7.1.6-roll, 7.1.10-roll]."""
    position = game.state
    firer, target = position.units[shot.unit], position.units[attack.target]
    if target.at is None:
        _mark(position, firer, attack, shot)
        return "-"
    rolls = fire_roll(position, attack, shot)
    natural = tested(game, firer, rolls)
    succeeds = rolls.result([natural]) == SUCCESS
    made = combat(position, attack, shot, natural)
    _mark(position, firer, attack, shot, natural)
    if not succeeds:
        return "-"
    dice = game.roll(2, 6)
    found: Result = made.result(dice)  # type: ignore[assignment]
    facts = (firer.name, target.name, IN_WORDS[found])
    assert target.at is not None
    units, places, bore = (firer.id, target.id), (target.at,), calibre(position, [shot])
    power, rule = strength(position, target, [shot]), "7.1.10-roll"
    game.tell(Event("result", "{} at {}: {}", facts, rule, units, places, dice, made, calibre=bore, strength=power))
    deplete(game, firer.id, shot, target, sum(dice))
    apply_result(game, target.id, found)
    _may_fire_again(position, firer, target, found)
    if weapon_of(position, firer, shot.manner).flame and position.units[target.id].at is not None:
        scorch(game, firer, target.id)
    return found


def scorch(game: Game[Position], firer: Stand, target_id: UnitId) -> None:
    """A stand at which a flamethrower has fired makes a cohesion roll, or retreats at the end of the phase [11.6.1]."""
    position = game.state
    target = position.units[target_id]
    roll = flames_roll(position, target)
    if roll.result([tested(game, target, roll)]) != SUCCESS:
        position.change(target_id, retreats=firer.id)


def flames_roll(position: Position, target: Stand) -> Calculation:
    """The roll of a stand at which a flamethrower has fired, by its states [11.6.1]."""
    return cohesion_roll("to stand against flames", "11.6.1", level(position, target), states(target))


def _mark(position: Position, firer: Stand, attack: Attack, shot: Shot, natural: int = 0) -> None:
    """Mark a firer: it has fired [7.1.5]; a natural 20 leaves it nearly out of ammunition [12.2.2]."""
    low = runs_low(position, firer, natural)
    heat = firer.heat and shot.manner != "heat"
    values = {"fired": True, "again": False, "shots": (*firer.shots, attack.target)}
    position.change(firer.id, low=low, heat=heat, **values)


def deplete(game: Game[Position], unit_id: UnitId, shot: Shot, target: Stand, dice: int) -> None:
    """Spend armour piercing ammunition on a low unmodified combat roll [10.14, WD.D], or special ammunition [12.9]."""
    position = game.state
    firer = position.units[unit_id]
    if not gun(position, firer, shot.manner, target).armour_piercing or shot.manner == "heat":
        return
    kept = position.setting.has("R123")  # the number itself spends nothing: RULINGS.md R123
    if firer.kind.depletion is not None and dice <= firer.kind.depletion - kept:
        position.change(unit_id, depleted=True)
        game.tell(Event("ammunition", "{} has spent its anti-tank weapons", (firer.name,), "10.14", (unit_id,)))
    if firer.special and position.setting.has("12.9") and dice <= SPECIAL_SPENT:
        position.change(unit_id, special=False)
        game.tell(Event("ammunition", "{} has spent its special ammunition", (firer.name,), "12.9", (unit_id,)))


FIRE_AGAIN = frozenset({"tank", "anti-tank"})
"""The kinds of stands that may fire a second time [12.8]."""


def _may_fire_again(position: Position, firer: Stand, target: Stand, found: Result) -> None:
    """A first attack with an effect on a vehicle lets tanks and anti-tank guns fire once more in the phase [12.8]:
    RULINGS.md R14.
    """
    able = firer.kind.kind in FIRE_AGAIN and firer.posture == "firing" and not firer.shaken
    success = found != "-" or position.setting.has("R14")
    if able and not firer.shots and target.vehicle and success and position.setting.has("12.8"):
        position.change(firer.id, again=True)
