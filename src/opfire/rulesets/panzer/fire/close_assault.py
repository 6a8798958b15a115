"""Close Assault [6.6.1.1]: squads attack a vehicle next to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer import leaders
from opfire.rulesets.panzer.charts import GpResult, HitModifier, Leg
from opfire.rulesets.panzer.commands import known_to_move
from opfire.rulesets.panzer.fire import gp_fire, hits
from opfire.rulesets.panzer.fire.gp_fire import Outcome, fives_and_tens
from opfire.rulesets.panzer.fire.resolving import apply
from opfire.rulesets.panzer.fire.turrets import opened
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, level
from opfire.rulesets.panzer.stowed import walks

MOST_DEFENSE = 5
"""The greatest GP Defense Factor that counts in a Close Assault [6.6.1.1.1-cap]."""

FAR_BELOW = 2
"""The levels from which on a target is too high or too low [6.6.1.1-target]."""

FLAMETHROWER = "ft_man"
"""The attached flamethrower, a modifier of close combat alone [5.1.3.5]."""


class Band(NamedTuple):
    """The units that attack from one hex: the primary attacker first; whether any of them advanced or dismounted.

    Those that have `landed` by parachute are `shaken` in their first combat [7.44.1.1-8]. `comers` are the units that
    advanced, where others did not.
    """

    units: tuple[Unit, ...]
    advanced: bool = False
    dismounted: bool = False
    landed: bool = False
    shaken: bool = False
    comers: tuple[UnitId, ...] = ()

    @property
    def primary(self) -> Unit:
        """The unit whose size and grade count [6.6.1.1-one]."""
        return self.units[0]

    @property
    def flames(self) -> bool:
        """Whether any of them has a flamethrower [5.1.3.5, 6.6.1.1.2-flame, 6.6.1.2.2-flame]."""
        return any(FLAMETHROWER in unit.weapons for unit in self.units)


def besides(table: Mapping[str, HitModifier], band: Band) -> Iterator[Line]:
    """The modifiers for additional attackers, by their size [6.6.1.1.2-plus, 6.6.1.2.2-plus]."""
    sizes = [unit.kind.category for unit in band.units[1:]]
    for size in dict.fromkeys(sizes):
        yield modifier(table, size, sizes.count(size))


def modifier(table: Mapping[str, HitModifier], name: str, times: int = 1) -> Line:
    """The line of a modifier of close combat."""
    row = table[name]
    label = Text("{}, {} times", (row.label, times)) if times > 1 else row.label
    return Line("modifier", label, f"{row.value * times:+d}", row.rule, row.value * times)


def climbs(position: Position, band: Band, target: Unit) -> bool:
    """Return whether the target is one Height above the attackers [6.6.1.1.2-up, 6.6.1.2.2-up]."""
    return level(position, target) - level(position, band.primary) == 1


# --- support [6.6.1.1.2-support] ---------------------------------------------------------------------------------


def unsupported(position: Position, target: Unit) -> bool:
    """Return whether a vehicle in close terrain has no squad with it [6.6.1.1.2-unsup, 6.6.1.1.2-support].

    A squad on foot supports two vehicles, a half-squad one, riders their own transport; where they are too few the
    vehicles of the most points are supported: RULINGS.md R72.
    """
    charts, words = position.charts, position.map.cells[str(target.hex)].terrain
    if not any(charts.terrain[word].support for word in words):
        return False
    friends = [unit for unit in position.at(str(target.hex)) if unit.side == target.side]
    alone = [unit for unit in friends if unit.is_vehicle and not any(map(_supports, position.aboard(unit.id)))]
    ranked = sorted(alone, key=lambda unit: (-unit.kind.pts, unit.id))
    return target.id in [unit.id for unit in ranked[sum(map(_supports, friends)) :]]


def _supports(unit: Unit) -> int:
    """The vehicles that a unit on foot supports."""
    if not unit.is_leg or unit.morale == "broken":
        return 0
    return {"squad": 2, "half-squad": 1}.get(unit.kind.category, 0)


# --- the roll [6.6.1.1.1, 6.6.1.1.2] ----------------------------------------------------------------------------


def assault(position: Position, band: Band, target: Unit) -> Calculation:
    """The roll of a Close Assault: GP fire with factors and modifiers of its own [6.6.1.1.1-order, 6.6.1.1.2]."""
    factor = factor_of(position, band)
    attack = Line(
        "attack", Text("{} assaults", (band.primary.kind.category.capitalize(),)), str(factor), "6.6.1.1.1", factor
    )
    title = Text("{} assaults {}", (band.primary.name, target.name))
    lines = [*modifiers(position, band, target)]
    return gp_fire.determination(position.charts, title, attack, defense(target), lines, settle)


def factor_of(position: Position, band: Band) -> int:
    """The GP Factor by the size of the primary attacker [6.6.1.1.1-factor]."""
    kind = band.primary.kind
    assert isinstance(kind, Leg)
    return position.charts.assault_factors[kind.category].factor


def defense(target: Unit) -> tuple[Line, ...]:
    """The GP Defense Factor of the target, five at most [6.6.1.1.1-cap]."""
    most = min(MOST_DEFENSE, target.vehicle.gp_defense)
    return (Line("defence", Text("GP Defense of {}", (target.name,)), str(most), "6.6.1.1.1-cap", most),)


def settle(found: GpResult, total: int) -> Outcome:
    """The outcome for a vehicle of any Target Type: an Effective result by its last digit [6.6.1.1.3-eff]."""
    return fives_and_tens(total, hull_down=False) if found == "effective" else found


def modifiers(position: Position, band: Band, target: Unit) -> Iterator[Line]:
    """The Close Assault modifiers, and no others [6.6.1.1.2]; that of a leader among the attackers [7.55.2-hq]."""
    table = position.charts.assault_modifiers
    yield from (modifier(table, name) for name in _conditions(position, band, target))
    yield from besides(table, band)
    yield from grade_line(position, band.primary, "6.6.1.1.2-grade")
    yield from leaders.in_person(position, band.units)


def _conditions(position: Position, band: Band, target: Unit) -> Iterator[str]:
    found = {
        "advance": band.advanced,
        "dismount": band.dismounted,
        "uphill": climbs(position, band, target),
        "moving": known_to_move(target),
        "suppressed": bool(target.suppression),
        "c indicator": target.vehicle.close_assault_c,
        "unsupported": unsupported(position, target),
        target.vehicle.target: target.vehicle.target != "A",
        "flamethrower": band.flames,
        "open": opened(position, target),
        "hesitating": target.morale == "hesitating",
        "broken": target.morale == "broken",
        "dismounted fo": walks(band.primary),
    }
    return (name for name, holds in found.items() if holds)


def grade_line(position: Position, unit: Unit, rule: str) -> Iterator[Line]:
    """The modifier for a Unit Grade in close combat, of the primary attacker or of a defender [6.6.1.1.2-grade]."""
    if amount := position.charts.unit_grades[unit.grade].hand_to_hand:
        yield Line("modifier", Text("{} unit", (unit.grade.capitalize(),)), f"{amount:+d}", rule, amount)


# --- results [6.6.1.1.3] ----------------------------------------------------------------------------------------


def resolve(game: Game[Position], band: Band, target_id: UnitId) -> None:
    """Roll and apply the result; the target keeps its command [6.6.1.1.3-cmd, 6.6.1.1.3-sup, 6.6.1.1.3-kill]."""
    target = game.state.units[target_id]
    reckoned = assault(game.state, band, target)
    rolled = game.roll(1, gp_fire.DIE)
    outcome = reckoned.result(rolled)
    names, places = tuple(unit.id for unit in band.units), (str(band.primary.hex), str(target.hex))
    facts = (band.primary.name, target.name, outcome)
    game.tell(
        Event("assaulted", "{} assaults {}: {}", facts, "6.6.1.1.1", (*names, target_id), places, rolled, reckoned)
    )
    game.state.change(target_id, under_fire=True)
    if outcome == "destroyed" and band.flames:
        hits.destroy(game, target, brews_up=True)
    else:
        apply(game, target_id, outcome, gp_fire.half(factor_of(game.state, band)))
