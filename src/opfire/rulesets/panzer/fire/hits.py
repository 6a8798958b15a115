"""Hits of the Advanced Game [6.5.2.1 to 6.5.2.6]: location, armor, damage, bailing out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer.charts import Angle, Band, Weapon
from opfire.rulesets.panzer.fire import ap_fire, plates, trailer, turrets
from opfire.rulesets.panzer.fire.ap_fire import Aim
from opfire.rulesets.panzer.fire.arcs import hit_angles
from opfire.rulesets.panzer.fire.losses import knock_out, leave_behind
from opfire.rulesets.panzer.fire.sheltering import hull_down
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import passengers
from opfire.rulesets.panzer.moving.swimming import must_swim, sink
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, away, level
from opfire.rulesets.panzer.suppression import suppress_friends

Condition: TypeAlias = Literal["ap no damage", "damaged", "tk", "again"]
"""A result for which the crew or the passengers of a vehicle check; `again` is a further track hit [6.5.2.6]."""


class Round(NamedTuple):
    """A weapon's row and range factor, as it is fired by a unit, as it stands then, at another."""

    unit: Unit
    target: UnitId
    weapon: Weapon
    band: Band
    overwatch: bool = False


# --- one hit [6.5.2.2 to 6.5.2.5] ------------------------------------------------------------------------------


def aim(position: Position, shot: Round) -> Aim:
    """The way in which a shot comes: inclination, Hit Angle, hull down [6.5.2.2, 6.5.2.3.1, 7.8.2].

    Where the line runs between two angles, the better one for the target counts, with the shelter of that angle:
    RULINGS.md R14.
    """
    unit, target = shot.unit, position.units[shot.target]
    coords, heights = position.map.coords, (level(position, target), level(position, unit))
    start, end = coords[str(unit.hex)], coords[str(target.hex)]
    inclined = ap_fire.inclination(level(position, unit), level(position, target))
    plain = Aim(shot.weapon, shot.band, target.vehicle, inclined, options=position.setting.options)
    shells = plates.with_shells(position.charts, shot.weapon)
    plain = plain._replace(tracks=plates.tracks_break(plain.options, shells, unit.kind, target.vehicle))
    from_below = plates.shows_lower_hull(away(position, unit, target), *heights) or _caught(shot, target, *heights)
    shows = plates.LOWER_HULL in plain.options and from_below
    angles: tuple[Angle, ...] = hit_angles(end, target.facing, start) or ("front",)
    around: tuple[Angle | None, ...] = (None,)
    if turrets.turreted(position, target):
        around = hit_angles(end, turrets.bearing(target), start) or (None,)
    ways: list[Aim] = []
    for angle in angles:
        below = hull_down(position, unit, target, angle)
        way = plain._replace(angle=angle, hull_down=below, low=shows and not below)
        ways += [way._replace(turret_angle=other) for other in around]
    return min(ways, key=lambda way: harm(position, way))


def _caught(shot: Round, target: Unit, target_height: int, firer_height: int) -> bool:
    """Return whether overwatch catches a vehicle that comes over a bank or a wall, at its new Height [7.13.1]."""
    return shot.overwatch and target.exposed and target_height == firer_height


def harm(position: Position, way: Aim) -> tuple[Fraction, Fraction]:
    """The chances that a hit destroys a vehicle, and that it damages it [6.5.2.2]."""
    chances = ap_fire.effects(position.charts, way)
    lost = chances.get("KO", Fraction(0)) + chances.get("BU", Fraction(0))
    return lost, chances.get("DM", Fraction(0)) + chances.get("track", Fraction(0))


Undamaged = Callable[[Game[Position], UnitId, str], None]
"""The effect of a hit that penetrates without damage, by its vehicle and its location [7.23]."""


def _nothing_more(game: Game[Position], unit_id: UnitId, location: str) -> None:
    """A hit without damage does nothing [6.5.2.5-nd]."""


def strike(game: Game[Position], shot: Round, hits: int, undamaged: Undamaged = _nothing_more) -> None:
    """Resolve the hits of a shot one by one; then crew and passengers may bail out [6.5.2.1, 5.15-a].

    Hits at a vehicle that is gone are lost: RULINGS.md R65.
    """
    conditions: list[Condition] = []
    for _ in range(hits):
        if game.state.units[shot.target].hex is not None:
            conditions += one_hit(game, shot, undamaged)
    check_out(game, shot.target, conditions)


def one_hit(game: Game[Position], shot: Round, undamaged: Undamaged = _nothing_more) -> tuple[Condition, ...]:
    """One hit at its location; the conditions on which the crew may bail out [6.5.2.2.1, 6.5.2.5-nd]."""
    target = game.state.units[shot.target]
    way = aim(game.state, shot)._replace(more=_luck(game, shot))
    rolled = game.roll(1, ap_fire.DIE)
    hit = ap_fire.resolve(game.state.charts, way, rolled[0])
    if trailer.takes(game, target, way, hit.code, hit.effect):
        return _at_trailer(game, target, way, rolled)
    facts = (target.name, game.state.charts.locations[hit.code].name, EFFECTS[hit.effect])
    game.tell(Event("hit", "{}, {}: {}", facts, "6.5.2.2", (target.id,), (str(target.hex),), rolled))
    match hit.effect:
        case "track":
            return track(game, target)
        case "ND":
            undamaged(game, target.id, hit.code[:2])
            return ("ap no damage",)
        case "DM":
            part = game.state.charts.locations[hit.code].damages
            return damage(game, target, "turret" if part == "turret" else "hull")
        case "KO" | "BU":
            destroy(game, target, brews_up=hit.effect == "BU")
    return ()


def _at_trailer(game: Game[Position], target: Unit, way: Aim, rolled: tuple[int, ...]) -> tuple[Condition, ...]:
    """A hit on the fuel trailer: the tank has no result, and nobody bails out [7.38.2.2]: RULINGS.md R206."""
    effect = trailer.result(way, rolled[0])
    facts = (target.name, EFFECTS[effect])
    game.tell(Event("hit", "{}, fuel trailer: {}", facts, "7.38.2.2", (target.id,), (str(target.hex),), rolled))
    trailer.burst(game, target, effect)
    return ()


def _luck(game: Game[Position], shot: Round) -> int:
    """The change of the penetration of a hit by two dice, in the game with that option [7.12]."""
    if plates.VARIABLE not in game.state.setting.options:
        return 0
    first, second = game.roll(2, 10)
    soviet = shot.unit.kind.nation == "Soviet Union"
    factor = shot.weapon.value(shot.band)
    return plates.penetration(game.state.charts, factor, (first, second), soviet=soviet)


EFFECTS: dict[ap_fire.Effect, str] = {
    "miss": "the cover stops it",
    "no penetration": "no penetration",
    "track": "track hit",
    "ND": "no damage",
    "DM": "damaged",
    "KO": "knocked out",
    "BU": "brewed up",
}
"""The effects of a hit in words."""


def sinks(game: Game[Position], target: Unit) -> bool:
    """Sink a swimming vehicle that is damaged or worse, by AP or GP fire; return whether it swam [7.34]."""
    if not target.is_vehicle or not must_swim(game.state, target, str(target.hex)):
        return False
    sink(game, target.id)
    return True


def track(game: Game[Position], target: Unit) -> tuple[Condition, ...]:
    """A track hit: the vehicle stays where it is; a second one shakes its passengers alone.

    Rules: [6.5.2.2.1, 6.5.2.6.1, 6.5.2.6.2].
    """
    if target.track_hit:
        return ("again",)
    if sinks(game, target):
        return ()
    game.state.change(target.id, track_hit=True)
    return ("tk",)


def damage(game: Game[Position], target: Unit, part: Literal["turret", "hull"]) -> tuple[Condition, ...]:
    """A Damaged result to turret or hull; a second one of either kind is a Knock-Out [6.5.2.2.4, 6.5.2.5-dm]."""
    if sinks(game, target):
        return ()
    if target.damaged:
        knock_out(game, target, brews_up=False)
        return ()
    game.state.change(target.id, damaged=True, damaged_part=part)
    return ("damaged",)


def destroy(game: Game[Position], target: Unit, *, brews_up: bool) -> None:
    """A Knock-Out or a Brew-Up; a Brew-Up suppresses the target's friends in its hex, and passengers in the open there.

    Rules: [6.5.2.5-ko, 6.5.2.5-bu, 6.5.4.4.2-bu-sup].
    """
    if sinks(game, target):
        return
    hex = str(target.hex)
    knock_out(game, target, brews_up=brews_up)
    if brews_up:
        suppress_friends(game, target.side, hex)


# --- bailing out [5.15, 6.5.2.6.1] -----------------------------------------------------------------------------


def bail_out(position: Position, unit: Unit, condition: str) -> Calculation:
    """The crew's check: it leaves on the number of the Bail Out Table or less, by its grade [6.5.2.6.1]."""
    row = position.charts.bail_out[condition, "crew"]
    added = position.charts.grades[unit.grade].bail_out
    lines = [Line("odds", "Bail out", f"01-{row.roll}", row.rule, row.roll)]
    if added:
        lines.insert(
            0, Line("modifier", Text("{} crew", (unit.grade.capitalize(),)), f"{added:+d}", "6.5.2.6.1", added)
        )
    for shaken in checks.effect(position, unit, "bail_out"):
        lines.insert(0, shaken)
        added += shaken.amount
    dice = range(1, ap_fire.DIE + 1)
    outcomes = tuple("the crew bails out" if roll + added <= row.roll else "the crew stays" for roll in dice)
    title = Text("Bail out of {}", (unit.name,))
    return Calculation(title, "6.5.2.6.1", tuple(lines), 1, ap_fire.DIE, outcomes, f"01-{row.roll}", added)


def check_out(game: Game[Position], unit_id: UnitId, conditions: Iterable[Condition]) -> None:
    """The crew of a vehicle that is left checks for each condition, and then its passengers do [5.15-a].

    A further track hit is nothing to the crew [6.5.2.6.1].
    """
    for condition in conditions:
        if game.state.units[unit_id].hex is not None and condition != "again":
            check_crew(game, unit_id, condition)
        if game.state.units[unit_id].hex is not None:
            passengers.check(game, game.state.units[unit_id], "tk" if condition == "again" else condition)


def check_crew(game: Game[Position], unit_id: UnitId, condition: str) -> None:
    """A crew checks; an abandoned vehicle is out of action for good [5.15]: RULINGS.md R66."""
    unit = game.state.units[unit_id]
    calculation = bail_out(game.state, unit, condition)
    rolled = game.roll(1, ap_fire.DIE)
    result = calculation.result(rolled)
    facts = (unit.name, result)
    game.tell(Event("bail out", "{}: {}", facts, "5.15", (unit_id,), (str(unit.hex),), rolled, calculation))
    if result == "the crew bails out":
        passengers.follow_crew(game, unit)
        leave_behind(game, unit)
        checks.lost(game, unit)
