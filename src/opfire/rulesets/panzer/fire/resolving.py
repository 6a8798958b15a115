"""The resolution of a shot [4.4.3.2, 6.5.2, 6.5.4.4]: dice, losses, suppression."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from opfire.core.actions import Refusal
from opfire.core.events import Calculation, Event
from opfire.core.game import Game
from opfire.rulesets.panzer.charts import Gun, Vehicle
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire import ap_fire, collateral, gp_fire, hits, limits, malfunctions, plates
from opfire.rulesets.panzer.fire.arms import Arm, arm_at, arms_of, turned
from opfire.rulesets.panzer.fire.casualties import eliminate, reduce
from opfire.rulesets.panzer.fire.hits import Round
from opfire.rulesets.panzer.fire.losses import knock_out
from opfire.rulesets.panzer.fire.shots import DIRECT, HITS, Fire, Manner, at_passenger, at_terrain, band_of, calculation
from opfire.rulesets.panzer.fire.spreading import assigned
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import passengers, searching
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, at_arms, bearer
from opfire.rulesets.panzer.sighting.chances import give_away
from opfire.rulesets.panzer.sighting.ranges import Marker, after_firing
from opfire.rulesets.panzer.suppression import suppress
from opfire.rulesets.panzer.works import destroying, fires


def fire(game: Game[Position], unit_id: UnitId, target_id: UnitId, weapon: str = "", manner: Manner = DIRECT) -> None:
    """Fire one shot; one at a target that is gone is spent [4.4.1-d].

    It reveals the command [4.4.3.2] and marks the firer [4.4.1-f]; its result holds at once [4.4.1-e].
    """
    position = game.state
    reveal(game, bearer(position, unit_id))
    unit, target = manner.drawn or at_arms(position, unit_id), position.units[target_id]
    if target.hex is None:
        position.change(unit_id, fired=True, arms=(*unit.arms, weapon))
        shown = position.units[bearer(position, unit_id)]
        if shown.hex is not None:
            position.change(shown.id, fresh=after_firing(_louder(shown), small_arms=_quiet(position, unit, weapon)))
            give_away(position, bearer(position, unit_id))
        game.tell(Event("spent", "{} fires at a target that is gone", (unit.name,), "4.4.1-d", (unit_id,)))
        return
    before = unit.turret
    if manner.overwatch:
        unit = turned(position, unit, target)
    arm = arm_at(position, unit, target, weapon)
    assert not isinstance(arm, Refusal)
    _mark(position, unit, target, arm)
    loud = searching.ANYWHERE if arm.row.small_arms is not True else searching.SMALL_ARMS
    searching.hear(position, unit.side, str(unit.hex), loud)
    show_march(game, target)
    arm, shortages = limits.loaded(game, unit, arm) if position.setting.advanced else (arm, 0)
    if manner.drawn is not None:
        arm = arm._replace(rate="N")  # 7.54
    manners = (manner.overwatch, shortages, manner.pinning, manner.defensive, unit.turret != before)
    shot = Fire(unit, position.units[target_id], arm, *manners)
    if arm.is_ap:
        _resolve_ap(game, shot, manner.spread)
    else:
        _resolve_gp(game, shot)


def _mark(position: Position, unit: Unit, target: Unit, arm: Arm) -> None:
    """Note that a unit has fired, with its SPOT counter: Small Arms are seen less far [4.4.1-f, 5.7, 6.1.3-a].

    The vehicle of a passenger bears the counter, and keeps one for louder fire [6.6.7.2-spot].
    """
    shown = position.units[bearer(position, unit.id)]
    small = position.setting.advanced and arm.row.small_arms is not False
    arms = (*unit.arms, arm.name)
    position.change(unit.id, fired=True, arms=arms, aims=(*unit.aims, str(target.hex)), aimed=unit.aimed or target.id)
    if isinstance(unit.kind, Gun):
        position.change(unit.id, facing=unit.facing)  # 7.16: a platform turns with its gun
    if position.units[unit.id].turret != unit.turret:
        position.change(unit.id, turret=unit.turret)  # 7.8.4
    if isinstance(unit.kind, Vehicle) and unit.kind.special == "LJ" and arm.is_ap:
        position.change(unit.id, loaded=arm.row.ammo)  # 7.38.6
    if shown.hex is not None:
        position.change(shown.id, fresh=after_firing(_louder(shown), small_arms=small))
        give_away(position, shown.id)


def _louder(shown: Unit) -> Marker:
    """The SPOT/FIRE counter that a unit has already, which Small Arms do not take away [6.1.3-a]."""
    return "fire" if "fire" in (shown.spot, shown.fresh) else ""


def _quiet(position: Position, unit: Unit, weapon: str) -> bool:
    """Return whether the weapon of that name is Small Arms for spotting [5.7, 6.1.3-a]."""
    arms = arms_of(position, unit) if position.setting.advanced else ()
    return any(arm.name == weapon and arm.row.small_arms is not False for arm in arms)


def show_march(game: Game[Position], target: Unit) -> None:
    """Fire at a leg or towed unit with a command to move shows the command, which counts [6.5.4.2.2-move].

    Its owner has no choice: RULINGS.md R70.
    """
    if not target.is_vehicle and target.command in ("move", "short halt") and not target.full_cover:
        reveal(game, target.id)


# --- AP fire [4.4.3.2, 6.5.2] -----------------------------------------------------------------------------------


def _resolve_ap(game: Game[Position], shot: Fire, others: Sequence[UnitId] = ()) -> None:
    """Roll to hit, and resolve the hits on the target and the other vehicles [4.4.3.2.3, 6.5.2.1, 6.5.2.1-spread]."""
    position, target = game.state, shot.target
    reckoned = calculation(position, shot)
    rolled = game.roll(1, ap_fire.DIE)
    effect = reckoned.result(rolled)
    _tell(game, shot, "{} misses {}" if effect == "miss" else "{} hits {}: {}", effect, reckoned, rolled)
    malfunctions.jam(game, shot.unit, shot.arm, rolled[0])
    if effect == "miss":
        fires.stray(position, shot.arm.row, target)
    if position.setting.advanced:
        blasted = [unit.id for unit in position.aboard(target.id)] if shot.arm.row.kind == "hhatw" else []
        shaken = _blast(game, shot)
        for name, number in assigned(position, target.id, others, HITS.index(effect)).items():
            position.change(name, under_fire=True)
            band = band_of(position, shot._replace(target=position.units[name]))
            hits.strike(game, Round(shot.unit, name, shot.arm.row, band, shot.overwatch), number, collateral.strike)
        passengers.shaken_out(game, target.id, shaken)
        for name in blasted:
            _alarm(game, shot, name)
    elif effect == "damaged":
        damage(game, target)
    elif effect in ("knocked out", "brewed up"):
        knock_out(game, target, brews_up=effect == "brewed up")


def _blast(game: Game[Position], shot: Fire) -> list[UnitId]:
    """The fixed GP Factor of a hand-held anti-tank weapon against the passengers of its target; those that it shakes.

    Rule: [5.1.3.4]: RULINGS.md R173.
    """
    row, charts = shot.arm.row, game.state.charts
    rows = charts.rows_of(row.weapon, row.mount, "GP-DF") if row.kind == "hhatw" else ()
    blasts = [shot._replace(arm=shot.arm._replace(row=one)) for one in rows]
    riders = game.state.aboard(shot.target.id)
    return [unit.id for blast in blasts for unit in riders if _at_passenger(game, blast, unit)]


def damage(game: Game[Position], target: Unit) -> None:
    """A Damage result of the Basic Game: the second one knocks the vehicle out [4.4.3.2.6-damaged]."""
    if target.damaged:
        return knock_out(game, target, brews_up=False)
    game.state.change(target.id, damaged=True)
    game.tell(Event("damaged", "{} is damaged", (target.name,), "4.4.3.2.6-damaged", (target.id,)))


# --- GP fire [6.5.4.4] ------------------------------------------------------------------------------------------


def _resolve_gp(game: Game[Position], shot: Fire) -> None:
    """Roll on the GP Combat Results Table for a target and its passengers; then apply the outcomes.

    Rules: [6.5.4, 6.5.4.4, 6.5.4.4.1, 6.5.4.2.3-joint]. Nobody bails out before all of them are known
    [6.5.4.2.3-bail]. The terrain that the target occupies is attacked last [6.5.4.2.5-df, 6.5.4.4-each].
    """
    game.state.change(shot.target.id, under_fire=True)
    terrain, against = destroying.occupied(game.state, shot.target), at_terrain(game.state, shot)
    fires.expose(game.state, str(shot.target.hex), shot.arm.row, shot.arm.row.value(band_of(game.state, shot)))
    outcome = _determined(game, shot, calculation(game.state, shot))
    riders = game.state.aboard(shot.target.id)
    shaken = [unit.id for unit in riders if _at_passenger(game, shot, unit)]
    apply(game, shot.target.id, outcome, gp_fire.brew_up_most(shot.arm.row, band_of(game.state, shot)))
    passengers.shaken_out(game, shot.target.id, shaken)
    for unit in riders:
        _alarm(game, shot, unit.id)
    destroying.strike(game, shot.arm.row, *against, terrain)


def _alarm(game: Game[Position], shot: Fire, unit_id: UnitId) -> None:
    """A passenger that was fired at checks its morale; only direct fire makes it wait [7.1.2, 7.42.1.2, 7.42.1.3]."""
    if shot.overwatch and not shot.defensive:
        checks.check(game, unit_id, "attacked")
    else:
        checks.attacked(game, unit_id)


def _determined(game: Game[Position], shot: Fire, reckoned: Calculation) -> str:
    rolled = game.roll(1, gp_fire.DIE)
    outcome = reckoned.result(rolled)
    _tell(game, shot, "{} fires at {}: {}", outcome, reckoned, rolled)
    malfunctions.jam(game, shot.unit, shot.arm, rolled[0])
    return outcome


def _at_passenger(game: Game[Position], shot: Fire, unit: Unit) -> bool:
    """Attack a passenger with the same GP Factor; return whether it has to check for Bail Out [6.5.4.5-repeat]."""
    at = shot._replace(target=unit)
    game.state.change(unit.id, under_fire=True)
    outcome = _determined(game, at, at_passenger(game.state, at, shot.target))
    apply(game, unit.id, outcome, 0)
    return unit.suppression != "on" and outcome in ("suppressed", "reduced to a half-squad")


def apply(game: Game[Position], target_id: UnitId, outcome: str, brew_up_most: int) -> None:
    """Apply the outcome of GP fire to its target; a destroyed vehicle brews up on a roll of `brew_up_most` or less.

    Rules: [5.1.1, 6.5.4.4.2-eff-kill, 6.5.4.4.3-sup, 6.5.4.4.3-eff, 6.5.4.5, 7.11].
    """
    target = game.state.units[target_id]
    match outcome:
        case "suppressed":
            suppress(game, target_id)
        case "damaged":
            hits.check_out(game, target_id, hits.damage(game, target, damaged_part(game, target)))
        case "track hit":
            hits.check_out(game, target_id, hits.track(game, target))
        case "destroyed":
            (rolled,) = game.roll(1, gp_fire.KILL_DIE)
            likelier = plates.tinder(game.state.setting.options, target.kind)
            hits.destroy(game, target, brews_up=rolled <= brew_up_most + likelier)
        case "reduced to a half-squad":
            reduce(game, target)
            suppress(game, target_id)
        case "eliminated":
            eliminate(game, target)


def damaged_part(game: Game[Position], target: Unit) -> Literal["turret", "hull"]:
    """The half of a vehicle that GP fire damages: the turret on 4 or less, the hull of one that is unarmed.

    Rule: [6.5.4.4.2-eff-dmg].
    """
    if not target.kind.armed:
        return "hull"
    (rolled,) = game.roll(1, gp_fire.KILL_DIE)
    return "turret" if rolled <= gp_fire.TURRET_MOST else "hull"


def _tell(
    game: Game[Position], shot: Fire, text: str, effect: str, reckoned: Calculation, rolled: tuple[int, ...]
) -> None:
    unit, target = shot.unit, shot.target
    facts = (unit.name, target.name) if effect == "miss" else (unit.name, target.name, effect)
    places = (unit.hex or "", target.hex or "")
    rule = "4.4.3.2.3" if shot.arm.is_ap else "6.5.4.4"
    calibre = shot.arm.row.calibre_mm
    game.tell(Event("fired", text, facts, rule, (unit.id, target.id), places, rolled, reckoned, calibre=calibre))
