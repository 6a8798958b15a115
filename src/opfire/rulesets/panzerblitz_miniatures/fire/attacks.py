"""Attacks of all kinds: the strengths of the attackers, the target with its protection, one calculation [COM, WEC].

`calculation` is asked for the preview and for the result, so that they cannot differ; `carry_out` rolls it, applies
its result and marks everybody that took part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.core.texts import Text
from opfire.kit.attacks import common_calibre
from opfire.rulesets.panzerblitz_miniatures.charts import RESULTS, Charts, Kind
from opfire.rulesets.panzerblitz_miniatures.equipment import range_inches
from opfire.rulesets.panzerblitz_miniatures.fire.combat import Factor, Strength
from opfire.rulesets.panzerblitz_miniatures.fire.combat import resolve as resolved
from opfire.rulesets.panzerblitz_miniatures.fire.effectiveness import effectiveness
from opfire.rulesets.panzerblitz_miniatures.fire.modifiers import REPLACING, Occupant, modifier, protection
from opfire.rulesets.panzerblitz_miniatures.fire.results import hit_bridge, hit_fort, inside, suffer
from opfire.rulesets.panzerblitz_miniatures.moving.works import Work, fallen
from opfire.rulesets.panzerblitz_miniatures.pieces import (
    INFANTRY,
    AttackType,
    Manner,
    Position,
    Stand,
    UnitId,
    adjacent,
    rides,
)
from opfire.rulesets.panzerblitz_miniatures.sighting.cover import halving, hull_down, protecting, terrain_rows
from opfire.rulesets.panzerblitz_miniatures.sighting.spotted import reveal
from opfire.space.measure import square
from opfire.space.terrain.features import Feature
from opfire.space.terrain.sight import SightLine

AttackKind: TypeAlias = AttackType | Literal["opportunity", "defensive"]
"""The kinds of attack; `defensive` is opportunity fire by the target of an overrun or close assault [OPP-16]."""

NO_LINES: tuple[AttackKind, ...] = ("indirect", "air")
"""The attacks that no crest halves, and no hedge or hull down position protects from [HIL-3, ASP-7]."""

NO_GUNS: tuple[AttackKind, ...] = ("close assault", "air")
"""The attacks that are not made with the gun that a unit's calibre is of."""

REACTIONS: tuple[AttackKind, ...] = ("opportunity", "defensive")
"""The attacks in the enemy's movement phase [OPP-4]; a unit may suffer any number of them [COM-6]."""

_TITLES: dict[AttackKind, tuple[str, str]] = {
    "direct": ("Direct fire", "DF-7"),
    "opportunity": ("Opportunity fire", "OPP-3"),
    "indirect": ("Indirect fire", "NEU-11"),
    "overrun": ("Overrun", "OVR-5"),
    "close assault": ("Close assault", "CAT-7"),
    "defensive": ("Opportunity fire at attackers", "OPP-19"),
    "air": ("Air attack", "FB-2"),
}
HALF = Fraction(1, 2)


class Shot(msgspec.Struct, frozen=True, gc=False):
    """One unit's part in an attack, and the manner in which it fires: see `Stand.shot`."""

    unit: UnitId
    manner: Manner = "normal"


class Attack(msgspec.Struct, frozen=True):
    """An attack: its kind, its target, its attackers.

    The target is a unit (a rider is a target of its own), a fortification by the id of its work, or a bridge by the id
    of its feature. `strengths` are attackers without a place on the table, such as aircraft and guns off the table; no
    result strikes them [COM-13]: RULINGS.md R2. `modifiers` are lines for the die that only the caller knows, and
    `calibre_mm` is the bore of guns of which some have no place on the table.
    """

    kind: AttackKind
    target: str
    shots: tuple[Shot, ...] = ()
    strengths: tuple[Strength, ...] = ()
    modifiers: tuple[Line, ...] = ()
    calibre_mm: float = 0


def by(*units: UnitId) -> tuple[Shot, ...]:
    """The shots of units that fire their own weapons."""
    return tuple(Shot(unit) for unit in units)


# --- the target -----------------------------------------------------------------------------------------------


class Target(NamedTuple):
    """The target of an attack: a unit, a fortification as such, or a bridge; `works` names its protection."""

    name: str
    at: Point
    armor: str
    defence: int
    rule: str
    occupant: Occupant = "other"
    works: str = ""
    unit: Stand | None = None
    fort: Work | None = None
    bridge: Feature | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of target that it counts as: a helicopter that is down counts as the better one [HDN-5]."""
        return ("armored", "non-armored") if self.unit and self.unit.down else (self.armor,)


def target_of(position: Position, name: str) -> Target:
    """The target of this name [EQP-12, TRN-12, FRT-5, BRI-8]."""
    if name in position.units:
        return at_stand(position, position.units[name])
    if name in position.works:
        return _fort(position, position.works[name])
    bridge = next(feature for feature in position.table.ground.features if feature.id == name)
    defence = int(position.charts.named["bridge defence"])
    return Target(bridge.name, fallen(bridge).at, "non-armored", defence, "BRI-8", bridge=bridge)


def at_stand(position: Position, unit: Stand) -> Target:
    """A stand as a target; a rider is one of its own, with a nominal defense [TRN-8, TRN-12]."""
    assert unit.at is not None
    if rides(position, unit):  # a rider alone
        defence = int(position.charts.named["rider defence"])
        return Target(unit.name, unit.at, unit.kind.target, defence, "TRN-12", unit=unit)
    occupant: Occupant = "vehicle" if unit.vehicle else "other"
    works = sheltered_by(position, unit)
    return Target(unit.name, unit.at, unit.kind.target, unit.kind.defence, "EQP-12", occupant, works, unit)


def _fort(position: Position, fort: Work) -> Target:
    """A fortification attacked as such is an armored target: RULINGS.md R21."""
    row = position.charts.manmade["fort"]
    return Target("the fortification", fort.at, "armored", row.other_defence, row.rule, fort=fort)


def sheltered_by(position: Position, unit: Stand) -> str:
    """The work that protects a unit: an improved position, a fortification, a building, or none [BLD-5, FRT-5, IMP-7].

    A helicopter has no protection [HDN-7].
    """
    assert unit.at is not None
    if unit.aircraft:
        return ""
    if unit.work in position.works:
        return position.works[unit.work].kind
    indoors = unit.floor or "building" in position.ground.at(unit.at).kinds
    return "building" if indoors and not unit.vehicle else ""


# --- strengths ------------------------------------------------------------------------------------------------


def weapon(position: Position, unit: Stand, manner: Manner) -> Kind | None:
    """The weapon with which a unit fires: its own, the anti-tank weapon [STD-12] or the missile of its nation [WGM-2].

    None if the nation has no such weapon.
    """
    if manner not in ("anti-tank", "missile"):
        return unit.kind
    return _issued(position.charts, unit.kind.nation, unit.kind.period, manner)


@lru_cache(maxsize=64)
def _issued(charts: Charts, nation: str, period: str, manner: Manner) -> Kind | None:
    """The anti-tank stand of a nation and period that has missiles, or guns."""
    stands = (kind for kind in charts.kinds.values() if kind.type == "anti-tank" and kind.nation == nation)
    return next(
        (kind for kind in stands if kind.period == period and (kind.weapon == "G") == (manner == "missile")), None
    )


def at_zero_range(attack: Attack) -> bool:
    """Return whether an attack is at range 0, with its modifier [WECT-7, OVR-5, CAT-7, OPP-19]."""
    return attack.kind in ("overrun", "close assault", "defensive")


def distance(position: Position, attack: Attack, unit: Stand, target: Target) -> int:
    """The squared distance in 1/1000 inch for weapons effectiveness."""
    assert unit.at is not None
    return 0 if at_zero_range(attack) else square(unit.at, target.at)


def line_to(position: Position, unit: Stand, target: Target) -> SightLine:
    """The line from an attacker to the target; no works stand in its way [FRT-11, IMP-5]."""
    assert unit.at is not None
    return position.lines.line(unit.at, target.at)


def strengths(position: Position, attack: Attack, target: Target) -> Iterator[Strength]:
    """The strength of each attacker on its own line [DF-5, WEC-1]: RULINGS.md R12, R13."""
    for shot in attack.shots:
        unit = position.units[shot.unit]
        common = tuple(_common(position, attack, shot, target))
        yield _armed(position, attack, unit, weapon(position, unit, shot.manner), target, common)
        if shot.manner == "flamethrower":
            yield _flames(position, unit, common)
    yield from attack.strengths


def _armed(
    position: Position, attack: Attack, unit: Stand, arm: Kind | None, target: Target, common: Sequence[Factor]
) -> Strength:
    if arm is None:
        return Strength(unit.name, 0)
    far, reach = distance(position, attack, unit, target), range_inches(position.charts, arm)
    factor = best_effect(position, arm, target, reach, far)
    return Strength(unit.name, arm.attack, (factor, *common))


def best_effect(position: Position, arm: Kind, target: Target, reach: int, far: int) -> Factor:
    """Weapons effectiveness against the kind of target that suits the attacker best [WEC-1, HDN-5]."""
    factors = (effectiveness(position.charts, arm.weapon, kind, reach, far) for kind in target.kinds)
    return max(factors, key=lambda each: each.value)


def _flames(position: Position, unit: Stand, common: Sequence[Factor]) -> Strength:
    """The flamethrower of an engineer, which it adds to its own strength [STD-7]: RULINGS.md R74."""
    attack = int(position.charts.named["flamethrower attack"])
    return Strength(Text("Flamethrower of {}", (unit.name,)), attack, tuple(common))


def _common(position: Position, attack: Attack, shot: Shot, target: Target) -> Iterator[Factor]:
    """The factors that hold for all weapons of one attacker; they multiply: RULINGS.md R35.

    A fortification around the attacker is none of them [FRT-6].
    """
    unit = position.units[shot.unit]
    if shot.manner == "split":
        yield Factor("Split Move and Fire", HALF, "SMF-1")
    if shot.manner == "mounted":
        yield Factor("Mounted Infantry Fire", HALF, "MIF-2")
    if attack.kind == "indirect" and target.bridge is not None:
        yield Factor("Indirect fire at a bridge", HALF, "BRI-8")
    if halved_across(position, attack, unit, target):
        yield Factor("Across a crest, cliff or dune", position.charts.named["half strength"], "HIL-1")


def halved_across(position: Position, attack: Attack, unit: Stand, target: Target) -> bool:
    """Return whether a crest halves an attacker's strength [HIL-1, HIL-3].

    Not at works that replace terrain (RULINGS.md R14), nor at a helicopter that is down: RULINGS.md R112.
    """
    if attack.kind in NO_LINES or unit.flying or target.works in (*REPLACING, "building"):
        return False
    if target.unit is not None and target.unit.aircraft:
        return False
    return halving(position.charts, line_to(position, unit, target)) is not None


# --- modifiers ------------------------------------------------------------------------------------------------


def modifiers(position: Position, attack: Attack, target: Target) -> Iterator[Line]:
    """The lines for the die, but those of terrain and works."""
    charts = position.charts
    if is_dispersed(target):
        yield modifier(charts, "dispersed")
    if at_zero_range(attack):
        yield modifier(charts, "zero range")
    if attack.kind == "close assault":
        if engineers_help(position, attack):
            yield modifier(charts, "engineers")
        if target.unit and target.unit.kind.open_topped:
            yield modifier(charts, "open topped")
    if _at_israeli_armor(position, attack, target):
        yield modifier(charts, "israeli armor")
    yield from attack.modifiers


def is_dispersed(target: Target) -> bool:
    """Return whether the target counts as dispersed [MOR-4, FRT-12]."""
    return (target.unit is not None and target.unit.dispersed) or (target.fort is not None and target.fort.dispersed)


def engineers_help(position: Position, attack: Attack) -> bool:
    """Return whether engineers assault beside other infantry that assaults too [CAT-9]."""
    units = position.pick(shot.unit for shot in attack.shots)
    engineers = [unit for unit in units if unit.kind.type == "engineer"]
    others = [unit for unit in units if unit.kind.type in INFANTRY and unit.kind.type != "engineer"]
    return any(adjacent(position, a, b) for a in engineers for b in others)


ARABS = frozenset({"egyptian", "syrian", "jordanian", "iraqi", "lebanese", "libyan", "saudi"})
"""The nations of the Arab states, for missiles at Israeli armor [WGM-4]."""


def _at_israeli_armor(position: Position, attack: Attack, target: Target) -> bool:
    """Return whether an Arab missile is fired at Israeli armor after 1980 [WGM-4]."""
    unit = target.unit
    if unit is None or unit.kind.nation != "israeli" or unit.kind.target != "armored":
        return False
    arms = [(position.units[shot.unit], shot.manner) for shot in attack.shots]
    guided = any(u.kind.nation in ARABS and (w := weapon(position, u, m)) and w.weapon == "G" for u, m in arms)
    return guided and position.setting.sections.year > 1980


def protected(position: Position, attack: Attack, target: Target) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The lines for the die and those for the defence of ground and works [FRT-5, IMP-7, HUL-1]: RULINGS.md R12.

    Attackers have no benefit of terrain against the fire of their target [OPP-17]: RULINGS.md R79.
    """
    if target.bridge is not None or (target.unit and target.unit.aircraft):
        return (), ()  # TEC-2, HDN-7
    terrain = () if attack.kind == "defensive" else _terrain(position, attack, target)  # OPP-17
    found = protection(position.charts, terrain, target.works, target.occupant, _hull_down(position, attack, target))
    own = _drm_of_fort(position) if target.fort else ()
    return (*own, *found.modifiers), found.defence


def _drm_of_fort(position: Position) -> tuple[Line, ...]:
    row = position.charts.manmade["fort"]
    drm = row.other_drm
    return (Line("modifier", "Fortification", f"{drm:+d}", row.rule, drm),)


def _terrain(position: Position, attack: Attack, target: Target) -> tuple[str, ...]:
    """The rows of the Terrain Effects Chart that protect the target against any of its attackers."""
    firers = [] if attack.kind in NO_LINES else position.pick(shot.unit for shot in attack.shots)
    lines = (protecting(position.charts, line_to(position, unit, target)) for unit in firers if not unit.flying)
    ground = terrain_rows(position.charts, position.ground.at(target.at).features)
    return tuple(dict.fromkeys([*ground, *(row for rows in lines for row in rows)]))


def _hull_down(position: Position, attack: Attack, target: Target) -> int:
    """The value of the target's hull down position against any of its attackers [HUL-1, HUL-2], or 0.

    A fixed gun that has fired in this turn has none [FIX-1]: RULINGS.md R70. Helicopters see behind the crest [HEL-7].
    """
    unit = target.unit
    if unit is None or not unit.kind.hull_down or attack.kind in (*NO_LINES, "defensive"):
        return 0
    if unit.kind.smf == "F" and (unit.fired or unit.reacted):
        return 0
    firers = position.pick(shot.unit for shot in attack.shots)
    lines = (line_to(position, firer, target) for firer in firers if not firer.flying)
    return unit.kind.hull_down if any(hull_down(position.charts, line) for line in lines) else 0


def weakness(position: Position, attack: Attack, target: Target) -> tuple[Factor, ...]:
    """The factors of the target's printed defence: half of it in a quick march under opportunity fire [QM-2].

    The fire of the target of a close assault is such fire [OPP-16].
    """
    if attack.kind not in REACTIONS or target.unit is None or not target.unit.quick:
        return ()
    return (Factor("Quick march", position.charts.named["half strength"], "QM-2"),)


# --- the calculation ------------------------------------------------------------------------------------------


def calculation(position: Position, attack: Attack) -> Calculation:
    """The whole attack: strengths by weapons effectiveness, defence, odds and modified die [COM-1, COM-3, DF-7]."""
    target = target_of(position, attack.target)
    die, defence = protected(position, attack, target)
    title, rule = _TITLES[attack.kind]
    return resolved(
        position.charts,
        title,
        rule,
        tuple(strengths(position, attack, target)),
        Strength(target.name, target.defence, weakness(position, attack, target), defence),
        (*die, *modifiers(position, attack, target)),
        position.setting.options,
    )


def total(position: Position, attack: Attack) -> Fraction:
    """The sum of the attackers' strengths [DF-5]."""
    target = target_of(position, attack.target)
    return sum((each.effective for each in strengths(position, attack, target)), start=Fraction(0))


def mines(position: Position, unit: Stand) -> Calculation:
    """The attack of a minefield: column 2-1 without any modifier [MIN-6]: RULINGS.md R40."""
    attack = Strength("Minefield", int(position.charts.named["mine odds"]))
    options = position.setting.options
    return resolved(position.charts, "Minefield", "MIN-6", (attack,), Strength(unit.name, 1), (), options)


# --- carrying it out ------------------------------------------------------------------------------------------


def carry_out(game: Game[Position], attack: Attack) -> str:
    """Roll an attack, mark its attackers and its target, apply the result and return it [COM-3].

    The target of indirect fire and of aircraft may be of any side. Nothing is rolled below 1-4 [COM-8].
    """
    position = game.state
    target = target_of(position, attack.target)
    made = calculation(position, attack)
    result = roll(game, made, target, [shot.unit for shot in attack.shots], calibre(position, attack))
    mark(position, attack)
    for shot in attack.shots:
        if attack.kind != "close assault":
            reveal(game, position.units[shot.unit])
    strike(game, result, target)
    if position.charts.results[result].applies_to == "attackers":
        for shot in attack.shots:
            if shot.manner != "mounted":  # one unit with its carrier [TRN-9]
                suffer(game, shot.unit, result)
    return result


def calibre(position: Position, attack: Attack) -> float:
    """The calibre in mm of the guns of an attack, where all have one; 0 without guns and where it is not known."""
    if attack.calibre_mm or attack.strengths or attack.kind in NO_GUNS:
        return attack.calibre_mm
    return common_calibre(position.units[shot.unit].kind.calibre_mm for shot in attack.shots)


def roll(
    game: Game[Position], made: Calculation, target: Target, units: Iterable[UnitId] = (), calibre_mm: float = 0
) -> str:
    """Roll a calculation, report it with its calibre, and return the result."""
    dice = game.roll(made.count, made.sides) if made.count else ()
    result = made.result(dice)
    words = "{} at {} at {}: odds {}, {}" if dice else "{} at {} at {}: the odds are below 1-4"
    facts = (made.title, target.name, tenths(target.at), made.column, RESULTS[result])
    aimed = () if target.unit is None else (target.unit.id,)
    told = (*units, *aimed)
    game.tell(Event("fired", words, facts, made.rule, told, (target.at,), dice, made, calibre=calibre_mm))
    return result


def strike(game: Game[Position], result: str, target: Target) -> None:
    """Apply a result to the target, if it is for the target; the bridge under a unit is left alone [BRI-7]."""
    if game.state.charts.results[result].applies_to != "target":
        return
    if target.bridge is not None:
        hit_bridge(game, target.bridge, result)
    elif target.fort is not None:
        hit_fort(game, target.fort, result)
    elif target.unit is not None:
        suffer(game, target.unit.id, result)


def attacked_by_mines(game: Game[Position], unit_id: UnitId) -> str:
    """Carry out the attack of a minefield on a unit that moves onto or off it [MIN-5, MIN-6]; return the result."""
    unit = game.state.units[unit_id]
    target = target_of(game.state, unit_id)
    result = roll(game, mines(game.state, unit), target)
    strike(game, result, target)
    return result


def mark(position: Position, attack: Attack) -> None:
    """Note who has fired and how [COM-5, OPP-5], and the kind of attack that the target has suffered [COM-6]."""
    for shot in attack.shots:
        unit = position.units[shot.unit]
        position.change(
            unit.id,
            fired=unit.fired or attack.kind not in REACTIONS,
            reacted=unit.reacted or attack.kind in REACTIONS,
            split=unit.split or shot.manner == "split",
            shot=shot.manner,
            anti_tank=unit.anti_tank - (shot.manner == "anti-tank"),
            missiles=unit.missiles - (shot.manner == "missile"),
            flames=unit.flames - (shot.manner == "flamethrower"),
        )
    if attack.kind in REACTIONS:
        return
    if attack.target not in position.units:
        position.attacked = (*position.attacked, (attack.target, attack.kind))
    for unit in _attacked_together(position, attack.target):
        position.change(unit.id, attacked=(*unit.attacked, attack.kind))


def _attacked_together(position: Position, name: str) -> list[Stand]:
    """The units that an attack on a unit, or on a fortification with its occupants, is made on: RULINGS.md R113."""
    if name in position.units:
        return [position.units[name]]
    return inside(position, position.works[name]) if name in position.works else []
