"""Overrun combat [6.6.10]: a vehicle drives into the hex of a leg or towed unit."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text, say
from opfire.rulesets.panzer import leaders
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.charts import GpResult, Vehicle, Weapon
from opfire.rulesets.panzer.fire import gp_fire, limits
from opfire.rulesets.panzer.fire.arms import LEAST_RANGE, arms_of
from opfire.rulesets.panzer.fire.casualties import eliminate
from opfire.rulesets.panzer.fire.close_combat import other_target
from opfire.rulesets.panzer.fire.gp_fire import HIGHEST_FACTOR, Outcome
from opfire.rulesets.panzer.fire.resolving import apply
from opfire.rulesets.panzer.fire.shots import Fire, gp_defense, gp_modifiers
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId, away, not_yours, off_the_map
from opfire.rulesets.panzer.sighting.chances import cannot_make_out
from opfire.rulesets.panzer.suppression import suppress
from opfire.rulesets.panzer.works import buildings, fires


class Overrun(Action, frozen=True):
    """Drive into the hex of a leg or towed unit, `along_road` at the Path or Road rate, and fight it there."""

    says = "{unit} overruns {target}"
    kind = "assault"
    unit: UnitId
    target: UnitId
    along_road: bool = False


def cannot_overrun(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """Reject an Overrun, whatever the step into the hex costs [6.6.10-who, 6.6.10-target, 6.6.2-or, 6.6.11]."""
    if not position.setting.advanced or not unit.is_vehicle or not unit.kind.armed or unit.morale:
        return Refusal("{} is no armed vehicle in good order", "6.6.10-who", (unit.name,))
    if unit.command != "move":
        return Refusal("{} has no Move command", "6.6.10-who", (unit.name,))
    if unit.aimed:
        return Refusal("{} has overrun a unit", "6.6.10-target", (unit.name,))
    return (
        _no_target(position, unit, target)
        or unannounced(unit, target)
        or other_target(position, unit, target)
        or _toothless(position, unit)
    )


def _toothless(position: Position, unit: Unit) -> Refusal | None:
    """Reject a vehicle whose weapons are jammed or too long for one hex, without riders who fight [6.6.10.1-factor]."""
    if factor(position, unit):
        return None
    return Refusal("{} has nothing to fire at one hex", "6.6.10.1-factor", (unit.name,))


def unannounced(unit: Unit, target: Unit) -> Refusal | None:
    """Reject an Overrun that was not announced before the first one of its target, or of another target.

    Rule: [6.6.10-announce].
    """
    if unit.pledged not in ("", target.id) or (target.overrun and unit.pledged != target.id):
        return Refusal("{} has not announced an Overrun of {}", "6.6.10-announce", (unit.name, target.name))
    return None


def _no_target(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    if target.side == unit.side:
        return Refusal("{} is on your side", PROCEDURE, (target.name,))
    if target.is_vehicle:
        return Refusal("{} is a vehicle", "6.6.10-target", (target.name,))
    if refusal := off_the_map(target):
        return refusal
    if target.dismounted:
        return Refusal("{} has dismounted in this turn", "6.6.10-target", (target.name,))
    hex = str(target.hex)
    if any(work.kind == "improved position" and work.holder == target.id for work in position.works.get(hex, ())):
        return Refusal("{} holds an Improved Position", "6.1.4.3.7", (target.name,))
    if within_walls(position, target) and (
        refusal := buildings.cannot_go_inside(position, replace(unit, hex=hex, inside=False))
    ):
        return refusal
    if any(spotter in position.setting.ids[unit.side] for spotter in position.spots.get(target.id, ())):
        return None
    return cannot_make_out(position, unit, target)


def within_walls(position: Position, target: Unit) -> bool:
    """Return whether a target is inside a building, into which the vehicle has to drive first [6.6.10-bldg]."""
    stands = buildings.building(position, str(target.hex)) is not None
    return stands and (target.is_leg or target.inside)


def factor(position: Position, unit: Unit) -> int:
    """The GP Factors at one hex of all weapons, and of the riders' own, 15 at most [6.6.10.1-factor]."""
    rows = [arm.row for arm in arms_of(position, unit) if not arm.is_ap]
    for rider in position.aboard(unit.id):
        rows += [arm.row for arm in arms_of(position, rider) if not arm.is_ap and not arm.extra and rider.is_leg]
    return min(HIGHEST_FACTOR, sum(map(_at_one_hex, rows)))


def _at_one_hex(row: Weapon) -> int:
    """The GP Factor of a weapon at one hex; 0 within its minimum range [6.6.10.1-factor]."""
    if (row.min_range or LEAST_RANGE) > 1:
        return 0
    return next((row.value(band) for band in ("P", "S", "M", "L", "E") if row.reach(band) >= 1), 0)


def reckoned(position: Position, unit: Unit, target: Unit, *, short: bool = False) -> Calculation:
    """The roll of an Overrun: GP fire in the target's hex, with 20 on top [6.6.10.1-res]."""
    total = factor(position, unit)
    attack = Line("attack", "GP Factors at one hex", str(total), "6.6.10.1-factor", total)
    manned = replace(unit.vehicle, crew_mark=False)  # 7.57: the commander is fully focused on the Overrun
    riding = replace(unit, kind=manned, hex=target.hex, arms=())
    crews = (unit, *position.aboard(unit.id))  # 7.25: all its own weapons may be jammed
    there = Fire(riding, target, next(arm for crew in crews for arm in arms_of(position, crew)))
    others = (line for line in gp_modifiers(position, there, "P") if line.rule != "7.55.2-one")
    lines = [gp_fire.modifier(position.charts, "overrun"), *others, *leaders.in_person(position, (unit,))]
    weighed = any(line.rule == "6.5.4.3-dmg" for line in lines) or "R147" in position.setting.options
    if unit.damaged and not weighed:
        lines.append(gp_fire.modifier(position.charts, "shooter damaged"))  # 6.6.10-who: RULINGS.md R147
    if short:
        lines.append(gp_fire.modifier(position.charts, "ammo limit"))
    card = target.ground
    assert not isinstance(card, Vehicle)
    soft = card

    def settle(found: GpResult, _: int) -> Outcome:
        return gp_fire.against_soft(soft, found)

    title = Text("{} overruns {}", (unit.name, target.name))
    return gp_fire.determination(position.charts, title, attack, gp_defense(position, target), lines, settle)


def overrun(game: Game[Position], unit_id: UnitId, target_id: UnitId) -> None:
    """Fight the Overrun in the target's hex, after the rolls for ammo limits [6.6.10.1-res, 6.6.10.2-res].

    A SUPPRESSION/OFF counter is turned to ON whatever the outcome; the target keeps its command [6.6.10.2-turn]. Its
    morale is checked [7.1.2, 7.1.3].
    """
    position = game.state
    unit, target = position.change(unit_id, aimed=target_id), position.units[target_id]
    short = [limits.loaded(game, unit, arm)[1] for arm in arms_of(position, unit) if not arm.is_ap]
    made = reckoned(position, unit, target, short=any(short))
    rolled = game.roll(1, gp_fire.DIE)
    outcome = made.result(rolled)
    facts, places = (unit.name, target.name, outcome), (str(target.hex),)
    units, text = (unit_id, target_id), "{} overruns {}: {}"
    game.tell(Event("overrun", text, facts, "6.6.10.1-res", units, places, rolled, made))
    position.change(target_id, under_fire=True)
    if any(arm.row.kind == "flame" for arm in arms_of(position, unit)):
        fires.note(position, str(target.hex), fires.FLAMES)  # 7.35.1-flame
    if outcome == "eliminated":
        eliminate(game, target, "comrade lost")
    else:
        apply(game, target_id, outcome, 0)
    left = position.units[target_id]
    if left.hex is not None and left.suppression == "off":
        suppress(game, target_id)
    checks.overrun(game, target_id)


# --- the announcement [6.6.10-announce] --------------------------------------------------------------------------


class JoinOverrun(Action, frozen=True):
    """Announce that this vehicle, too, will overrun the target."""

    says = "{unit} will overrun {target}, too"
    kind = "assault"
    unit: UnitId
    target: UnitId


def may_join(position: Position, unit: Unit, target: Unit) -> bool:
    """Return whether a vehicle might overrun a target later in the step, as far as everybody knows."""
    ready = unit.is_vehicle and unit.kind.armed and not (unit.moved or unit.aimed or unit.pledged or unit.morale)
    still = unit.revealed and unit.command != "move"
    return ready and not still and away(position, unit, target) <= unit.ground.m_cc


class Announcing(Frame, frozen=True):
    """All Overruns of a target are announced before the first is resolved [6.6.10-announce]."""

    takes = (JoinOverrun, EndStep)
    step = "overrun"
    rule = "6.6.10-announce"
    question = "Announce the other vehicles that will overrun {target}, or carry the Overrun out"
    target: UnitId
    first: UnitId

    def begin(self, game: Game[Position]) -> None:
        """Ask only a side with other vehicles near that may have Move commands."""
        if not any(self._candidates(game.state, self.side)):
            game.pop()

    def _candidates(self, position: Position, side: str) -> Iterator[Unit]:
        target = position.units[self.target]
        others = (unit for unit in position.of(side) if unit.id != self.first)
        return (unit for unit in others if may_join(position, unit, target))

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in self._candidates(sight, side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield EndStep()
        elif self.refusal(sight, side, JoinOverrun(actor, self.target)) is None:
            yield JoinOverrun(actor, self.target)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case JoinOverrun(name, target):
                unit = sight.units[name]
                if target != self.target or name == self.first or not may_join(sight, unit, sight.units[target]):
                    return Refusal("{} cannot overrun this target", "6.6.10-announce", (unit.name,))
                untold = replace(sight.units[target], overrun=False)
                return not_yours(side, unit) or cannot_overrun(sight, unit, untold)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case JoinOverrun(unit, target):
                game.state.change(unit, pledged=target)
            case EndStep():
                game.pop()

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, target=sight.units[self.target].name)
