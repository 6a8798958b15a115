"""Effects of impact markers [7.4.3, 7.4.4, 7.4.7.1, 7.6.1.3]: the stand that it covers, the attack on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.core.texts import Text
from opfire.rulesets.micro_armour.charts import LEAST, MOST, Result, Weapon, result
from opfire.rulesets.micro_armour.cohesion import modifier
from opfire.rulesets.micro_armour.fire.attacks import hot_shot
from opfire.rulesets.micro_armour.fire.guns import on_the_move
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, Work
from opfire.rulesets.micro_armour.results import IN_WORDS, apply_result
from opfire.rulesets.micro_armour.sighting.sight import half_in
from opfire.rulesets.micro_armour.terrain import ground_covers, to_combat
from opfire.rulesets.micro_armour.works.ruins import Shell, shelled
from opfire.space.squares import may_touch, share

HALF = Fraction(1, 2)
"""The share of a stand that a marker covers at least to have an effect on it [7.4.3.2]."""

BARRAGE = 2


def struck(game: Game[Position], work: Work) -> Stand | None:
    """The stand that a marker affects: the one that it covers most, by half at least; a die decides ties [7.4.3.2].

    The side of the stand does not matter.
    """
    found = covered(game.state, work)
    if len(found) < 2:
        return found[0] if found else None
    dice = game.roll(1, len(found))
    words, place = "A die decides whom the marker at {} strikes", (work.at,)
    game.tell(Event("marker", words, (tenths(work.at),), "7.4.3.2", (), place, tuple(dice)))
    return found[dice[0] - 1]


def covered(position: Position, work: Work) -> list[Stand]:
    """The stands of either side that a marker covers more than any other, by half at least [7.4.3.2, 7.4.3.3]."""
    near = [unit for unit in position.all() if unit.at is not None and may_touch(unit.at, work.at)]
    parts = {unit.id: share(unit.ring, (work.ring,)) for unit in near}
    most = max(parts.values(), default=Fraction(0))
    return [unit for unit in near if parts[unit.id] == most >= HALF]


def beneath(position: Position, at: Point) -> Stand | None:
    """The stand that a marker at a place would strike; of several that it covers alike the first."""
    return next(iter(covered(position, Work("", "impact", at))), None)


# --- the attack -------------------------------------------------------------------------------------------------


def attack(
    position: Position,
    weapon: Weapon,
    target: Stand,
    barrage: bool,
    shifts: Sequence[Line] = (),
    firer: Stand | None = None,
) -> Calculation:
    """The combat roll of one impact marker against a stand [7.4.4-values, 7.4.4-armour, 7.4.6, 7.6.1.3-diff].

    Range and facing do not count [7.4.4-values, 7.6.1.4]; a barrage adds 2 to the dice [7.6.2.4-effect]. A hot
    shot shifts the column [12.2.1]. A `firer` that sees its target fires directly: crests and smoke count [7.5.5].
    """
    lines = [*power(weapon, target), *defence(position, target, "7.4.4-armour")]
    differential = lines[0].amount - lines[-1].amount
    ground = (cover.line for cover in ground_covers(position, target))
    modifiers = [*(ground if firer is None else to_combat(position, firer, target))]
    if barrage:
        modifiers.append(modifier("barrage", BARRAGE, "7.6.2.4-effect"))
    total = sum(line.amount for line in modifiers)
    shown = Line("odds", "differential", f"{differential:+}", "7.1.10-diff", differential)
    column = differential + sum(line.amount for line in shifts)
    outcomes = tuple(_outcome(position, column, dice + total) for dice in range(2, 13))
    return Calculation(
        "impact",
        "7.6.1.3-roll",
        (*lines, shown, *shifts, *_limits(column), *modifiers),
        2,
        6,
        outcomes,
        column=f"{min(max(column, LEAST), MOST):+}",
        modifier=total,
    )


def attack_of(position: Position, work: Work, target: Stand) -> Calculation:
    """The combat roll of an impact marker that lies on the table against a stand [7.4.4-values, 7.5.5, 12.2.1]."""
    battery = position.units[work.battery]
    hot = [*hot_shot(position, 1)] if work.hot else ()
    firer = battery if work.direct and battery.at else None
    return attack(position, battery.kind, target, work.barrage, hot, firer)


def power(weapon: Weapon, target: Stand) -> Iterator[Line]:
    """The firepower of a battery: armour piercing against armour, else high explosive [7.4.4-values]."""
    kind, amount = ("AP", weapon.ap or 0) if target.armoured else ("HE", weapon.he or 0)
    yield Line("attack", Text("{} firepower of {}", (kind, weapon.name)), str(amount), "7.4.4-values", amount)


def defence(position: Position, target: Stand, rule: str) -> Iterator[Line]:
    """The defence of a stand; armour keeps a half, open-topped armour a quarter, rounded up [7.4.4-armour, WD.U].

    Men on the move keep a half, as under any fire, but not with the other reading [7.1.8-half, 10.3]: RULINGS.md R91.

    `rule` is the number of that rule, which air strikes have too [12.3.9].
    """
    amount = target.defence
    yield Line("defence", Text("defence of {}", (target.name,)), str(amount), "7.4.4-values", amount)
    if target.armoured:
        parts, words = (4, "open-topped armour keeps a quarter") if target.kind.open_top else (2, "armour keeps a half")
        kept = -(-amount // parts)
        yield Line("defence", words, str(kept), rule, kept)
    if not position.setting.has("R91"):
        yield from on_the_move(position, target)


def _limits(differential: int) -> Iterator[Line]:
    if differential < LEAST:
        yield Line("note", Text("below {}: suppressed", (LEAST,)), f"{differential:+}", "7.6.1.3-diff")
    elif differential > MOST:
        yield Line("note", Text("no column beyond {:+}", (MOST,)), f"{MOST:+}", "7.6.1.3-diff")


def _outcome(position: Position, differential: int, total: int) -> Result:
    """The result of a total: artillery suppresses at least [7.6.1.3-diff, 7.2-none]."""
    if differential < LEAST:
        return "S"
    found = result(position.charts, min(differential, MOST), total)
    return "S" if found == "-" else found


# --- carrying it out --------------------------------------------------------------------------------------------


def strike(game: Game[Position], work: Work) -> None:
    """Resolve one marker: smoke suppresses the stand under it, other fire attacks it [7.4.3.1, 7.4.7.1-1]."""
    target = struck(game, work)
    if target is not None and game.state.setting.has("R140"):
        work = adjusted(game, work, target)
    dice = () if target is None else strike_stand(game, work, target.id)
    if work.kind == "impact":
        he = game.state.units[work.battery].kind.he or 0
        shelled(game, Shell(work.at, he, work.barrage, target, dice))


def adjusted(game: Game[Position], work: Work, target: Stand) -> Work:
    """The marker, laid so that it covers the stand that it strikes [7.4.3.2]: RULINGS.md R140."""
    assert target.at is not None
    there = replace(work, at=target.at)
    game.state.lay(there)
    return there


def strike_stand(game: Game[Position], work: Work, target_id: UnitId) -> Sequence[int]:
    """Resolve a marker against the stand that it covers [7.4.3.1, 7.4.7.1-1]; return the dice."""
    position = game.state
    target = position.change(target_id, shelled=True)
    battery = position.units[work.battery]
    position.change(battery.id, shots=(*battery.shots, target_id))  # it may fire back when low [12.2.2]
    if work.kind == "smoke" and not position.setting.has("R122"):
        apply_result(game, target_id, "S")
        return ()
    made = attack_of(position, work, target)
    dice = game.roll(2, 6)
    found: Result = made.result(dice)  # type: ignore[assignment]
    if work.kind == "smoke" and found != "S":
        found = "(S)"  # RULINGS.md R122
    facts = (battery.kind.name, target.name, IN_WORDS[found])
    game.tell(Event("result", "{} strikes {}: {}", facts, "7.6.1.3-roll", (target_id,), (work.at,), dice, made))
    apply_result(game, target_id, found)
    return dice


def struck_on_the_way(game: Game[Position], unit_id: UnitId, known: frozenset[str]) -> None:
    """A mover comes under markers that did not cover it before, by their ids: each attacks it [7.4.3.4]."""
    for work in under(game.state, game.state.units[unit_id]):
        if work.id not in known and game.state.units[unit_id].at is not None:
            strike_stand(game, work, unit_id)


def known_to(position: Position, unit: Stand) -> frozenset[str]:
    """The ids of the markers that cover a stand before it moves: these do not attack it again [7.4.3.4]."""
    return frozenset(work.id for work in under(position, unit))


def under(position: Position, unit: Stand) -> list[Work]:
    """The impact and smoke markers that cover half of a stand or more [7.4.3.2]."""
    if unit.at is None:
        return []
    return [work for work in position.works.values() if work.battery and half_in(unit.ring, work)]
