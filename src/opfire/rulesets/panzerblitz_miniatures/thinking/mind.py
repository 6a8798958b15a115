"""A side's look at a position: the worth of units, goals and places, and the threats to them."""

from __future__ import annotations

from functools import cached_property, partial
from math import ceil, isqrt

from opfire.core.places import INCH, Point, parse
from opfire.core.scenario import Victory
from opfire.kit import scoring
from opfire.kit.thinking.goals import FAR, PATIENCE, Goal, caution, goals, menace
from opfire.kit.thinking.kept import Kept
from opfire.kit.thinking.ways import once_a_setting
from opfire.rulesets.panzerblitz_miniatures import victory
from opfire.rulesets.panzerblitz_miniatures.charts import Kind
from opfire.rulesets.panzerblitz_miniatures.equipment import range_inches
from opfire.rulesets.panzerblitz_miniatures.fire.effectiveness import effectiveness
from opfire.rulesets.panzerblitz_miniatures.fire.modifiers import Occupant, protection
from opfire.rulesets.panzerblitz_miniatures.moving.marching import mover
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Setting, Side, Stand, UnitId
from opfire.rulesets.panzerblitz_miniatures.sighting.cover import crest_cover, halving, hull_down, protecting
from opfire.rulesets.panzerblitz_miniatures.sighting.visibility import sight_limit, sight_limit_if_fired
from opfire.rulesets.panzerblitz_miniatures.thinking.ground import Shelter, grounds_over
from opfire.rulesets.panzerblitz_miniatures.thinking.harm import column, harm_at
from opfire.rulesets.panzerblitz_miniatures.victory import NEAR
from opfire.space.measure import square

WITH_IT = 6 * INCH
"""Friends within this distance of a unit share the enemy's attention with it."""

FOCUS = (1.0, 0.6, 0.4)
"""The parts of the strengths of the enemies who could fire at one unit, strongest first, that are expected to do so."""

BOLDNESS = 0.25
"""How much less danger counts in the last turn for a side that is not winning."""

LATE = 0.05
"""The part of a turn by which a unit may miss an objective, as ways are reckoned."""

CHOSEN = 0.75
"""The likelihood that the enemy chooses a unit that is alone or has one friend near."""


COMMAND = 0.3
"""The part of the use of all units that is lost with the last command post."""


class TurnFacts:
    """Facts that hold as long as the enemy stands still: units that stay, and the dangers of places."""

    def __init__(self) -> None:
        self.stays: dict[UnitId, object] = {}
        self.dangers: dict[tuple[str, str, Point, bool], tuple[float, float]] = {}


class Memory:
    """The facts that the minds of a game keep."""

    def __init__(self, setting: Setting) -> None:
        self.turn = Kept(TurnFacts)


memory_of = once_a_setting(Memory)
"""The facts that the minds of a position's game keep."""


class Mind:
    """The position as a side weighs it, in victory points."""

    def __init__(self, position: Position, side: Side) -> None:
        made = position.setting
        self.position, self.side, self.other = position, side, made.other[side]
        self.friends, self.foes = position.of(side), position.of(self.other)
        self.ground = grounds_over(position.table.ground, position.charts)
        self.left = made.scenario.turns - position.turn
        self.foe_left = self.left + (side == made.scenario.first)

    # --- the worth of units ------------------------------------------------------------------------------------

    def value(self, unit: Stand) -> float:
        """The worth of a unit with its passengers: the points for its loss, and its use."""
        loads = sum(self.alone(load) for load in self.position.pick(unit.cargo))
        return self.alone(unit) + loads

    def menacing(self, foe: Stand) -> float:
        """The worth of an enemy at an objective: it holds the ground, or keeps the side from it."""
        if foe.at is None or foe.dispersed or foe.aircraft:
            return 0.0
        at_goal = [goal for goal in self.goals if not goal.leave and square(foe.at, self.at(goal.place)) <= NEAR**2]
        return 0.35 * max((max(goal.gain, goal.keep) for goal in at_goal), default=0.0)

    def alone(self, unit: Stand) -> float:
        """The worth of a unit without its passengers."""
        lost = sum(
            condition.points
            for condition in self.position.setting.scenario.victory
            if condition.condition == "eliminate"
            and condition.side != unit.side
            and scoring.counts(condition, (unit.counter.id, unit.counter.type))
        )
        return lost + (use(unit.kind) + self._command(unit)) * (0.5 + 0.5 * min(1.0, self.left / 4))

    def _command(self, unit: Stand) -> float:
        """The worth of a side's last command post: without it nobody moves or fires any more [CMD-2]."""
        if unit.kind.type != "command" or not self.left:
            return 0.0
        posts = self.position.pick(self.position.setting.posts(self.position.units.values())[unit.side])
        if sum(post.status not in ("eliminated", "exited") for post in posts) > 1:
            return 0.0
        led = self.friends if unit.side == self.side else self.foes
        return COMMAND * sum(use(other.kind) for other in led if useful(other))

    # --- goals ---------------------------------------------------------------------------------------------------

    @cached_property
    def goals(self) -> list[Goal]:
        """The objectives to take and to keep, and the edges to leave by."""
        scenario = self.position.setting.scenario
        return goals(scenario.victory, self.side, self.position.control.get, self._menace)

    def _menace(self, name: str) -> float:
        at = self.at(name)
        turns = (self.turns(foe, foe.at, at) for foe in self.foes if foe.at is not None and useful(foe))
        reserves = any(self.position.units[id].status == "reserve" for id in self.position.setting.ids[self.other])
        return menace(turns, reserves, self.left + 1)

    def at(self, name: str) -> Point:
        """The point of an objective."""
        point = parse(name)
        assert not isinstance(point, str)
        return point

    @cached_property
    def caution(self) -> float:
        """The weight of danger now."""
        scenario = self.position.setting.scenario
        late = self.position.turn / max(1, scenario.turns)
        return caution(self._lead, scenario.levels.marginal, late, BOLDNESS)

    @property
    def winning(self) -> bool:
        """Whether the side would win if the game ended now."""
        return self._lead >= self.position.setting.scenario.levels.marginal

    @cached_property
    def _lead(self) -> int:
        points = victory.scores(self.position)
        return points[self.side] - points[self.other]

    def turns(self, unit: Stand, start: Point, goal: Point) -> float:
        """The turns that a unit needs from a point to a place at a goal, by quick marches; 0 at the goal."""
        if square(start, goal) <= NEAR**2:
            return 0.0
        going = mover(self.position, unit)._replace(quick_march=unit.kind.quick_march)
        return max(LATE, self.ground.turns(going, self.position.allowance(unit), start, goal))

    def pull(self, unit: Stand, at: Point) -> float:
        """The worth of the goals to a unit at a point: the best of them, the less the farther and the more crowded."""
        if unit.aircraft or not (useful(unit) or unit.cargo):
            return 0.0
        return max((self._drawn(unit, at, goal) for goal in self.goals), default=0.0)

    def _drawn(self, unit: Stand, at: Point, goal: Goal) -> float:
        if goal.leave:
            return self._leaving(unit, at, goal)
        to = self.at(goal.place)
        turns = self.turns(unit, at, to)
        worth = goal.gain if goal.gain else goal.keep
        segments = ceil(turns - LATE / 2)
        if segments > self.left:
            return 0.05 * worth / (1.0 + turns)
        return float(worth * PATIENCE ** ((turns + segments) / 2) / (1.0 + self._crowd(unit, goal, to)))

    def _crowd(self, unit: Stand, goal: Goal, to: Point) -> float:
        """The friends that are nearer to a goal than a unit, as a weight; where enemies stand more are wanted."""
        ranks = self._ranks(goal, to)
        mine = ranks.get(unit.id, FAR)
        nearer = sum(1.0 / (1.0 + turns) for name, turns in ranks.items() if (turns, name) < (mine, unit.id))
        held = any(foe.at is not None and square(foe.at, to) <= (2 * NEAR) ** 2 for foe in self.foes)
        return nearer * (0.15 if held else 0.8)

    def _ranks(self, goal: Goal, to: Point) -> dict[UnitId, float]:
        """The turns to a goal of each useful friend."""
        if goal.place not in self._ranked:
            self._ranked[goal.place] = {
                friend.id: self.turns(friend, friend.at, to)
                for friend in self.friends
                if friend.at is not None and useful(friend)
            }
        return self._ranked[goal.place]

    def crowds(self, unit: Stand) -> list[float]:
        """The weight of nearer friends at each goal."""
        return [self._crowd(unit, goal, self.at(goal.place)) for goal in self.goals if not goal.leave]

    @cached_property
    def _ranked(self) -> dict[str, dict[UnitId, float]]:
        return {}

    def _leaving(self, unit: Stand, at: Point, goal: Goal) -> float:
        """The worth of an edge by which the unit may leave for points."""
        conditions = self.position.setting.scenario.victory
        if not any(self._counts_to_leave(condition, unit, goal) for condition in conditions):
            return 0.0
        inches = edge_distance(at, self.position.table.size, goal.place) / INCH
        allowance = self.position.allowance(unit) / 1_000_000
        turns = inches * (1.0 if unit.kind.mode == "P" else 1.6) / max(1.0, allowance)
        return goal.gain * PATIENCE**turns if turns <= self.left + 1 else 0.0

    def _counts_to_leave(self, condition: Victory, unit: Stand, goal: Goal) -> bool:
        return (
            condition.condition == "exit"
            and condition.side == self.side
            and goal.place in condition.places
            and scoring.counts(condition, (unit.counter.id, unit.counter.type))
        )

    # --- sight and fire ------------------------------------------------------------------------------------------

    def shelter(self, unit: Stand, at: Point) -> Shelter:
        """The protection of a unit at a point; its work protects it where it stands."""
        occupant: Occupant = "vehicle" if unit.vehicle else "other"
        found = self.ground.shelter(at, occupant)
        work = self.position.works.get(unit.work) if unit.at == at else None
        if work is None or work.kind not in ("fort", "improved position 1", "improved position 2"):
            return found
        row = self.position.charts.manmade[work.kind]
        drm, defence = (row.vehicle_drm, row.vehicle_defence) if unit.vehicle else (row.other_drm, row.other_defence)
        base = found if work.kind == "fort" else Shelter(0, 0, found.cover)
        return Shelter(base.modifier + (drm or 0), base.defence + (defence or 0), found.cover)

    def seen_from(self, unit: Stand, cover: bool, fired: bool) -> int:
        """The squared distance (1/1000 inch) at which a unit in the open, or in cover, is seen at most."""
        return self._limits[unit.kind.size, cover, fired]

    @cached_property
    def _limits(self) -> dict[tuple[str, bool, bool], int]:
        position = self.position
        found = {}
        for size in ("light", "heavy"):
            for cover in (False, True):
                for fired in (False, True):
                    table = sight_limit_if_fired if fired else sight_limit
                    ground = "cover" if cover else "clear"
                    limit = table(position.charts, position.setting.sections.visibility, size, ground, position.roll)
                    found[size, cover, fired] = int(limit * INCH) ** 2
        return found

    def strength(self, firer: Stand, at: Point, armor: str, to: Point) -> float:
        """The strength of a unit at one point against a target at another, without regard to sight."""
        kind, far = firer.kind, square(at, to)
        reach = self._range(kind)
        if not kind.attack or far > (reach * INCH) ** 2:
            return 0.0
        factor = effectiveness(self.position.charts, kind.weapon, armor, reach, far)
        return float(kind.attack * factor.value)

    def _range(self, kind: Kind) -> int:
        return range_inches(self.position.charts, kind)

    def clear(self, a: Point, b: Point) -> bool:
        """Return whether no ground lies between two points."""
        return self.position.setting.lines.block(a, b) is None

    def sees(self, a: Point, unit: Stand, at: Point, fired: bool) -> bool:
        """Return whether a unit at a point would be seen from another point."""
        far = square(a, at)
        if far > max(NEAR**2, self.seen_from(unit, self.shelter(unit, at).cover, fired)) or not self.clear(a, at):
            return False
        return far <= max(NEAR**2, self.seen_from(unit, True, fired)) or not self.behind_crest(a, unit, at)

    def behind_crest(self, a: Point, unit: Stand, at: Point) -> bool:
        """Return whether a crest covers a unit at a point against an enemy at another [COV-3]."""
        if unit.aircraft or not self.ground.at_crest(at):
            return False
        return bool(crest_cover(self.position.charts, self.position.lines.line(a, at)))

    def harm(self, strength: float, unit: Stand, at: Point, shelter: Shelter | None = None) -> float:
        """The share of a unit at a point, or in a shelter, that an attack of this strength is expected to take."""
        position, shelter = self.position, shelter or self.shelter(unit, at)
        found = column(position.charts, strength, unit.kind.defence + shelter.defence)
        if found is None:
            return 0.0
        level = position.setting.doctrine(unit.side).morale
        modifier = shelter.modifier - unit.dispersed
        return harm_at(position.charts, found, modifier, level, unit.order, position.setting.options)

    # --- danger --------------------------------------------------------------------------------------------------

    @cached_property
    def facts(self) -> TurnFacts:
        """The facts that hold while the enemy stands as it does now."""
        position = self.position
        stamp = (
            position.turn,
            position.current,
            tuple((foe.id, foe.at, foe.order, foe.reacted, foe.spotted) for foe in self.foes),
            tuple(position.clouds),
        )
        return memory_of(position).turn.under(self.side, stamp)

    def danger(self, unit: Stand, at: Point) -> float:
        """The share of a unit that the enemy's next turn is expected to take if it stands at a point."""
        if self.foe_left <= 0:
            return 0.0
        fire, assault = self._threats(unit, at)
        if not (fire or assault):
            return 0.0
        chosen = self._chosen(unit, at)
        return 1.0 - (1.0 - fire * chosen) * (1.0 - assault * chosen)

    def _chosen(self, unit: Stand, at: Point) -> float:
        """The likelihood that the enemy chooses a unit at a point: the less, the more friends can be there with it."""
        mates = sum(
            friend.at is not None and useful(friend) and square(friend.at, at) <= WITH_IT**2 for friend in self.friends
        )
        others = mates - (unit.at is not None and square(unit.at, at) <= WITH_IT**2)
        return CHOSEN * min(1.0, 3.0 / (2.0 + max(0, others)))

    def _threats(self, unit: Stand, at: Point) -> tuple[float, float]:
        """The shares of a unit that fire and close combat would take if the enemy chose it."""
        state = f"{unit.order}{unit.work if unit.at == at else ''}"
        key = (unit.kind.id, state, at, unit.spotted and unit.at == at)
        found = self.facts.dangers.get(key)
        if found is None:
            found = self.facts.dangers[key] = (self._shot_at(unit, at), self._assaulted(unit, at))
        return found

    def _shot_at(self, unit: Stand, at: Point) -> float:
        """The share of a unit at a point that the fire of the enemy takes."""
        fired = unit.spotted and unit.at == at
        shots = [self._shot(foe, foe.at, unit, at) for foe in self.foes if foe.at and self._aims(foe, unit, at, fired)]
        if not shots:
            return 0.0
        shots.sort(key=lambda shot: -shot[0])
        total = sum(part * shot[0] for part, shot in zip(FOCUS, shots, strict=False))
        return self.harm(total, unit, at, shots[0][1])

    def _shot(self, foe: Stand, start: Point, unit: Stand, at: Point) -> tuple[float, Shelter]:
        """The strength of an enemy's shot, and the shelter that its line leaves: hedges, crests, hull down [HUL-1]."""
        strength, shelter = self.strength(foe, start, unit.kind.target, at), self.shelter(unit, at)
        if unit.aircraft or (unit.work and unit.at == at):
            return strength, shelter
        charts, line = self.position.charts, self.position.lines.line(start, at)
        hidden = unit.kind.hull_down if unit.kind.hull_down and hull_down(charts, line) else 0
        found = protection(charts, protecting(charts, line), "", "vehicle" if unit.vehicle else "other", hidden)
        modifier, defence = (sum(each.amount for each in lines) for lines in (found.modifiers, found.defence))
        part = 0.5 if halving(charts, line) else 1.0
        return part * strength, Shelter(modifier, defence, shelter.cover)

    def _aims(self, foe: Stand, unit: Stand, at: Point, fired: bool) -> bool:
        """Return whether an enemy could fire at the unit there in its next Direct Fire Phase."""
        if foe.at is None or not foe.kind.attack or foe.reacted or foe.order == "dispersed":
            return False
        return square(foe.at, at) <= (self._range(foe.kind) * INCH) ** 2 and self.sees(foe.at, unit, at, fired)

    def _assaulted(self, unit: Stand, at: Point) -> float:
        """The share that overruns and close assaults are expected to take."""
        shelter = self.shelter(unit, at)
        riders = storm = 0.0
        for foe in self.foes:
            if foe.at is None or foe.dispersed:
                continue
            far = isqrt(square(foe.at, at)) / INCH
            allowance = self.position.allowance(foe) / 1_000_000
            if foe.kind.overrun != "never" and not shelter.cover and far <= 1.0 + (allowance - 4) / 2:
                riders += self._at_once(foe, unit)
            if foe.infantry and far <= allowance:
                storm += self._at_once(foe, unit)
        return max(0.7 * self.harm(riders, unit, at), 0.8 * self.harm(storm, unit, at))

    def _at_once(self, foe: Stand, unit: Stand) -> float:
        """The strength of an enemy at no distance."""
        return self.strength(foe, (0, 0), unit.kind.target, (0, 0))

    # --- chances to hit --------------------------------------------------------------------------------------------

    def prospects(self, unit: Stand, at: Point) -> float:
        """The gain that a unit at a point may expect of its own fire, in victory points."""
        if not unit.kind.attack:
            return 0.0
        return max((self._prospect(unit, at, foe) for foe in self.foes), default=0.0)

    def _prospect(self, unit: Stand, at: Point, foe: Stand) -> float:
        if foe.at is None:
            return 0.0
        strength = self.strength(unit, at, foe.kind.target, foe.at)
        if not strength or not self.sees(at, foe, foe.at, foe.spotted):
            return 0.0
        return (self.value(foe) + self.menacing(foe)) * self.harm(1.5 * strength, foe, foe.at)

    def nearest_foe(self, at: Point) -> Stand | None:
        """The enemy nearest to a point."""
        return min((foe for foe in self.foes if foe.at), key=partial(_far, at), default=None)


def _far(at: Point, unit: Stand) -> tuple[int, UnitId]:
    return (square(at, unit.at) if unit.at is not None else 0), unit.id


def use(kind: Kind) -> float:
    """The worth of a kind of unit besides the points for its loss."""
    if kind.weapon == "C" or not kind.attack:
        return 0.15
    return 0.25 + 0.03 * min(kind.attack, 20) + (0.2 if kind.radio else 0.0)


def useful(unit: Stand) -> bool:
    """Return whether a unit takes and keeps ground: it fights and is no aircraft, gun or post."""
    return bool(unit.kind.attack) and not unit.aircraft and unit.kind.mode != "TO" and not unit.kind.radio


def edge_distance(at: Point, size: Point, edge: str) -> int:
    """The distance of a point from an edge of a table of this size, in 1/1000 inch.

    >>> edge_distance((1000, 2000), (9000, 8000), "east"), edge_distance((1000, 2000), (9000, 8000), "north")
    (8000, 2000)
    """
    (x, y), (width, height) = at, size
    return {"west": x, "north": y, "east": width - x, "south": height - y}[edge]
