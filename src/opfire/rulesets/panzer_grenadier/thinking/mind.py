"""A side's assessment: the worth of units and objectives, the effects of fire, the threats to a hex."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

import msgspec

from opfire.core.events import totals
from opfire.kit.thinking.goals import FAR, PATIENCE, Goal, caution, goals, menace
from opfire.kit.thinking.kept import Post
from opfire.kit.thinking.ways import Rows
from opfire.rulesets.panzer_grenadier.charts import Chart, Charts
from opfire.rulesets.panzer_grenadier.command.activation import of_his_kind
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.fire.strengths import Column
from opfire.rulesets.panzer_grenadier.morale import checks
from opfire.rulesets.panzer_grenadier.movement.costs import movement_class, printed_allowance
from opfire.rulesets.panzer_grenadier.movement.danger import hurting_range
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer_grenadier.sight.spotting import seen_from
from opfire.rulesets.panzer_grenadier.thinking.facts import (
    SORTS,
    Aim,
    EnemyFacts,
    OpenSteps,
    Pull,
    Sort,
    Threat,
    memory_of,
)
from opfire.rulesets.panzer_grenadier.thinking.ground import ground_of, light
from opfire.rulesets.panzer_grenadier.thinking.targets import Sightings
from opfire.rulesets.panzer_grenadier.victory import counted, scores

DISRUPTED, DEMORALIZED = 0.22, 0.55  # the cost of these states to a unit, in steps
HARDSHIP = {("good order", "disrupted"): DISRUPTED, ("good order", "demoralized"): DEMORALIZED}
HARDSHIP |= {("disrupted", "demoralized"): DEMORALIZED - DISRUPTED}
USE = {"hmg": 0.8, "tank": 1.3, "self-propelled": 1.2, "at-gun": 0.9, "mortar": 0.9, "artillery": 1.0, "aa-gun": 0.9}


class Mind:
    """One position through the eyes of one side; every result is computed once and kept."""

    def __init__(self, position: Position, side: Side) -> None:
        self.position, self.side, self.other = position, side, position.setting.other[side]
        self.ground = ground_of(position)
        self.turns = position.setting.scenario.turns
        self.left, self.is_night = self.turns - position.turn, position.is_night
        self.sightings = Sightings(position, side)
        self.foes = self.sightings.foes
        self.friends = list(position.of(side))
        self._armed = {sort: self._who_hurts(sort) for sort in SORTS}
        self.foe_hexes = {str(foe.hex) for foe in self.foes if not foe.leader}
        neighbours = position.map.neighbours
        self.front = {near for hex in self.foe_hexes for near in neighbours[hex]}  # next to those
        self.chiefs = [friend for friend in self.friends if friend.leader]
        self.stacks: dict[Hex, list[Unit]] = {}  # our combat units
        for friend in self.friends:
            if friend.combat:
                self.stacks.setdefault(str(friend.hex), []).append(friend)
        self.crowded = self._crowded()  # hexes that may be full
        self.known = memory_of(position).reckoned.under(side, _standing(position))
        # These depend on the activation too; they belong to the modules that ask.
        self.shots: dict[UnitId, dict[Hex, Any]] = {}
        self.tasks: dict[tuple[UnitId, str, bool], Any] = {}
        self.ways: dict[tuple[Any, ...], Any] = {}
        self._bearing = self.ground.aims(position)
        self._ways = memory_of(position).turn.under(side, self.left)
        self._enemy = self._facts()
        # By night a unit goes only where friends are [5.5], who move: then the steps hold for this decision.
        self.open_steps: dict[Hex, OpenSteps] = {} if self.is_night else self._enemy.steps.facts
        self._reserves = any(foe.status == "reserve" for foe in position.pick(position.setting.ids[self.other]))
        stamp = self.foes, self._reserves, self.left
        self._menaces = memory_of(position).menaces.under(side, stamp)
        self.goals = self._goals()
        self.goal_at = {goal.place: goal for goal in self.goals if not goal.leave}
        self.stakes = {goal.place: min(1.6, 1.0 + 0.1 * max(goal.gain, goal.keep)) for goal in self.goals}
        self.caution = self._caution()

    def _facts(self) -> EnemyFacts:
        """The facts about the enemy that still hold."""
        position, within = self.position, self.position.map.within
        far = max((max(one.kind.direct_range, one.kind.at_range) for one in self.friends if one.kind), default=0)
        facts = memory_of(position).enemy.under(self.side, (light(position), far))
        for sort in SORTS:
            facts.threats[sort].update({foe.id: (at, limit, None) for foe, at, limit in self._armed[sort]}, within)
        facts.targets.update({foe.id: (str(foe.hex), far, (foe.spotted, foe.hidden)) for foe in self.foes}, within)
        facts.steps.update(self._barriers(), within)
        self._far = far
        return facts

    def _barriers(self) -> dict[str, Post]:
        """Everything that closes steps to units of the side: foes and their fire, full hexes, works [5.3, 5.4, 16.3].

        A step is closed at its end, so facts about its start depend on everything one hex further away.
        """
        limits = [{foe.id: limit for foe, _, limit in self._armed[sort]} for sort in SORTS]
        reach = {foe.id: tuple(limit.get(foe.id, 0) for limit in limits) for foe in self.foes}
        posts: dict[str, Post] = {foe.id: (str(foe.hex), 1 + max(reach[foe.id]), reach[foe.id]) for foe in self.foes}
        posts |= {f"units in {hex}": (hex, 1, self.position.stacks[hex]) for hex in self.crowded}
        return posts | {f"works in {hex}": (hex, 1, works) for hex, works in self.position.works.items()}

    def _crowded(self) -> set[Hex]:
        """The hexes where our stacks are nearly full, so that another unit may find no room [4.1, 4.5]."""
        charts, there = self.position.charts, Counter(str(friend.hex) for friend in self.friends if not friend.leader)
        room = min(charts.figure("stack of combat units"), charts.figure("stack of transports"))
        return {hex for hex, number in there.items() if number >= room}

    def _caution(self) -> float:
        """The weight of danger: less for a side that is not winning, and less the later it is."""
        points, levels = scores(self.position), self.position.setting.scenario.levels
        lead = points[self.side] - points[self.other]
        return caution(lead, levels.marginal, self.position.turn / max(1, self.turns), 0.35)

    # --- what things are worth ------------------------------------------------------------------------------

    def step(self, unit: Unit) -> float:
        """The worth of a step of the unit, in victory points: to the enemy who scores it, and to its own side."""
        found = self.known.steps.get(unit.id)
        if found is None:
            found = self.known.steps[unit.id] = self._step(unit)
        return found

    def _step(self, unit: Unit) -> float:
        time = 0.15 + 0.85 * self.left / max(1, self.turns)
        if unit.officer is not None:
            officer = unit.officer
            return (0.6 + 0.12 * officer.rank + 0.25 * officer.combat + 0.25 * officer.bonus) * time
        assert unit.kind is not None
        points = sum(
            condition.points
            for condition in self.position.setting.scenario.victory
            if condition.condition == "eliminate" and condition.side != unit.side and counted(condition, unit)
        )
        use = 0.15 if unit.kind.unarmed else USE.get(unit.kind.type, 0.6)
        aboard = sum(self.value(one) for one in self.position.pick(unit.cargo))
        return points + use * time + aboard / max(1, unit.steps)

    def value(self, unit: Unit) -> float:
        """The worth of the whole unit."""
        return self.step(unit) * max(1, unit.steps)

    def _goals(self) -> list[Goal]:
        victory, control = self.position.setting.scenario.victory, self.position.control
        return goals(victory, self.side, control.get, self._menace)

    def _menace(self, hex: Hex) -> float:
        """The likelihood that the enemy comes for a hex before the end."""
        found = self._menaces.get(hex)
        if found is None:
            coming = (self.ground.turns(self.position, foe, str(foe.hex), hex) for foe in self.foes if foe.combat)
            found = self._menaces[hex] = menace(coming, self._reserves, self.left + 1)
        return found

    # --- what a result does ---------------------------------------------------------------------------------

    def check(self, unit: Unit, result: checks.CheckResult) -> float:
        """The expected cost of a morale check at M, M1 or M2 to the unit [14.1]."""
        key = unit.id, result
        found = self.known.checks.get(key)
        if found is None:
            needed = unit.base_morale + self.helped(unit)
            harder = self.position.charts.checks[result].value
            found = self.known.checks[key] = self.step(unit) * hardship(
                self.position.charts, unit.state, needed - harder, unit.leader
            )
        return found

    def helped(self, unit: Unit) -> int:
        """The bonus of the leader who helps the unit in a morale check [6.51]; 0 without one."""
        found = self.known.helped.get(unit.id)
        if found is None:
            helper = checks.helper(self.position, unit) if unit.hex in self._hearing(unit.side) else None
            found = self.known.helped[unit.id] = checks.bonus(helper) if helper is not None else 0
        return found

    def _hearing(self, side: Side) -> set[Hex | None]:
        """The hexes in which a leader of a side may help: his own and those around it [6.51]."""
        found = self.known.heard.get(side)
        if found is None:
            neighbours, leaders = self.position.map.neighbours, self.position.pick(self.position.setting.ids[side])
            at: set[Hex | None] = {leader.hex for leader in leaders if leader.officer is not None and leader.hex}
            found = self.known.heard[side] = at.union(*(neighbours[hex] for hex in at if hex))
        return found

    def expected(self, groups: Iterable[Column], by: losses.By) -> float:
        """The expected cost of an attack to its targets, by its exact chances."""
        return sum(
            cost
            for calculation, names in groups
            for cost in self.costs(calculation.outcomes, calculation.count, self.position.pick(names), by)
        )

    def costs(self, outcomes: tuple[str, ...], dice: int, units: Sequence[Unit], by: losses.By) -> tuple[float, ...]:
        """For each total of the dice, what its result costs the units that it strikes together, times its chance."""
        key = outcomes, by, tuple([unit.id for unit in units])
        found = self.known.costs.get(key)
        if found is None:
            harms = self._harms(dict.fromkeys(outcomes), units, by)
            found = tuple([chance * harms[outcomes[total - dice]] for total, chance in odds(dice)])
            self.known.costs[key] = found
        return found

    def _harms(self, results: Iterable[str], units: Sequence[Unit], by: losses.By) -> dict[str, float]:
        """The expected cost of each result to the units that it strikes together [7.6]."""
        step, found = self.step, dict[str, float]()
        prices = sorted(step(unit) for unit in units if losses.vulnerable(unit, by) for _ in range(unit.steps))
        carriers = sorted(step(unit) for unit in units if losses.is_carrier(unit))
        leaders = [step(unit) for unit in units if unit.leader]
        alone = len(leaders) == len(units)
        stake = max((self.stakes.get(str(unit.hex), 1.0) for unit in units), default=1.0)
        for result in results:
            steps, cost = losses.STEPS.get(result, 0), 0.0
            if steps:
                cost += sum(prices[:steps])
                cost += sum(carriers[:steps])
                cost += sum(price * (1.0 if alone else 0.08 * steps) for price in leaders)
            for unit in units:
                if check := losses.check_after(unit, result, by):
                    cost += self.check(unit, check)
            found[result] = cost * stake
        return found

    def anti_tank(self, outcomes: Sequence[str], target: Unit) -> float:
        """The expected cost of an anti-tank shot to its target [11.01, 7.6.A1]."""
        cost = 0.0
        for total, chance in odds(2):
            result = outcomes[total - 2]
            if result != "none":
                lost = min(int(result), target.steps)
                cost += chance * (lost * self.step(target) + (self.check(target, "M2") if lost < target.steps else 0.0))
        return cost

    # --- what threatens -------------------------------------------------------------------------------------

    def _who_hurts(self, sort: Sort) -> list[tuple[Unit, Hex, int]]:
        """The foes whose fire hurts targets of a sort, their hexes, and their reach [5.41]."""
        found = []
        for foe in self.foes:
            if foe.kind is None or foe.demoralized:
                continue
            direct = foe.kind.direct_range if foe.direct and sort != "armor" else 0
            anti_tank = foe.kind.at_range if foe.at is not None and sort != "soft" else 0
            if limit := max(direct, anti_tank):
                found.append((foe, str(foe.hex), limit))
        return found

    def who_hurts(self, unit: Unit) -> list[tuple[Unit, Hex, int]]:
        """The foes whose fire hurts the unit, their hexes, and their reach."""
        return self._armed[self.sort(unit)]

    def sort(self, unit: Unit) -> Sort:
        """The sort of target that the unit is."""
        return "armor" if unit.afv else "truck" if unit.vehicle else "soft"

    def threats(self, unit: Unit, sort: Sort, hex: Hex) -> tuple[Threat, ...]:
        """The foes that could spot the unit, of this sort, if it came to a hex, reach it there and hurt it [5.4]."""
        known = self._enemy.threats[sort].facts
        found = known.get(hex)
        if found is None:
            comer = unit if unit.hex != hex else msgspec.structs.replace(unit, hex=None)
            found = known[hex] = self._bearing_on(comer, hex)
        return found

    def _bearing_on(self, unit: Unit, hex: Hex) -> tuple[Threat, ...]:
        """The foes that see the unit in a hex, reach it there and hurt it, where they are, how they would fire."""
        apart = self.ground.apart(hex)
        return tuple(
            (foe.id, at, aim)
            for foe, at, limit in self.who_hurts(unit)
            if apart[at] <= limit and (aim := self.bearing(at, hex, unit)) is not None
        )

    def bearing(self, a: Hex, b: Hex, unit: Unit) -> tuple[int, int] | None:
        """The distance and the column shift, if a unit in `a` can see and fire at the unit in `b`; else None."""
        stands = unit.hex == b
        key = a, b, stands and unit.spotted, stands and unit.hidden
        if key not in self._bearing:
            self._bearing[key] = self._aim(a, b, unit)
        return self._bearing[key]

    def _aim(self, a: Hex, b: Hex, unit: Unit) -> tuple[int, int] | None:
        position = self.position
        hexes = self.ground.apart(a)[b]
        there = unit if unit.hex == b else msgspec.structs.replace(unit, hex=b, spotted=False, hidden=False)
        if not self.ground.fires(position, a, b) or not seen_from(position, a, there):
            return None
        night = direct_shift(position.charts, "night") if position.is_night else 0
        return hexes, self.ground.shift(position, a, b) + night

    def danger(self, unit: Unit, hex: Hex) -> float:
        """The expected cost of the enemy's fire to the unit in a hex."""
        key = unit.id, unit.hex, hex
        found = self.known.dangers.get(key)
        if found is None:
            found = self.known.dangers[key] = self._danger(unit, hex)
        return found

    def _danger(self, unit: Unit, hex: Hex) -> float:
        cost, position = 0.0, self.position
        hole = "entrenchment" if position.work(hex).entrenchment else "dug in"
        sheltered = hole == "entrenchment" or (unit.dug_in > 1 and unit.hex == hex)
        shelter = direct_shift(position.charts, hole) if sheltered else 0
        threats = self._bearing_on(unit, hex) if unit.hex == hex else self.threats(unit, self.sort(unit), hex)
        for name, _, aim in threats:
            foe = position.units[name]
            cost += self._weight(foe) * self.shot(foe, unit, aim, shelter)
        if threats:
            cost += self._shells(unit)
        return min(cost, 1.2 * self.value(unit)) * self.stakes.get(hex, 1.0)

    def _weight(self, foe: Unit) -> float:
        """The likelihood that a foe fires at one of several: more if it has not acted yet this turn."""
        exposed = self._exposed(foe)
        return (0.9 if not foe.marked else 0.6) * 1.6 / (1.6 + 0.5 * exposed)

    def _exposed(self, foe: Unit) -> int:
        key = "exposed", foe.id
        if key not in self.known.dangers:
            apart = self.ground.apart(str(foe.hex))
            self.known.dangers[key] = float(
                sum(apart[str(friend.hex)] <= hurting_range(foe, friend) for friend in self.friends)
            )
        return int(self.known.dangers[key])

    def shot(self, firer: Unit, target: Unit, aim: tuple[int, int], extra: int = 0) -> float:
        """The expected cost of one unit's fire at another, near enough for planning."""
        kind, charts = firer.kind, self.position.charts
        if kind is None:
            return 0.0
        hexes, shift = aim
        worst = 0.0
        if firer.direct and hexes <= kind.direct_range and not target.afv:
            strength = firer.direct if firer.good_order else -(-firer.direct // 2)
            carrier = target.kind is not None and target.kind.unarmed
            own = direct_shift(charts, "weapon" if target.gun else "carrier" if carrier else "")
            net = max(direct_shift(charts, "least"), min(direct_shift(charts, "most"), shift + own + extra))
            worst = self._by_column(charts.direct, "direct", charts.direct.column(strength, net), target)
        if firer.at is not None and hexes <= kind.at_range and target.vehicle and target.kind is not None:
            value = firer.at if firer.good_order else firer.at // 2
            armor = -1 if target.kind.armor is None else target.kind.armor  # 11.02
            worst = max(worst, self.step(target) * steps_lost(charts, value - armor + (hexes == 1)))
        return worst

    def _by_column(self, chart: Chart, by: losses.By, column: int, unit: Unit) -> float:
        known = self._columns(unit)
        found = known.get((by, column))
        if found is None:
            found = known[by, column] = sum(self.costs(chart.outcomes(column), chart.dice, (unit,), by))
        return found

    def _columns(self, unit: Unit) -> dict[tuple[str, int], float]:
        """The expected cost of a column of a fire table to the unit; for a foe it is kept as long as that holds."""
        found = self.known.columns_of.get(unit.id)
        if found is None:
            found = self.known.columns_of[unit.id] = self._kept_columns(unit) if unit.side == self.other else {}
        return found

    def _kept_columns(self, foe: Unit) -> dict[tuple[str, int], float]:
        stamp = foe, self.helped(foe), self.step(foe), self.stakes.get(str(foe.hex))
        last = self._enemy.blows.get(foe.id)
        if last is None or last[0] != stamp:
            last = self._enemy.blows[foe.id] = stamp, {}
        return last[1]

    def _shells(self, unit: Unit) -> float:
        """The harm that batteries may do to a unit that is seen."""
        key = unit.id, unit.hex
        found = self.known.shelled.get(key)
        if found is None:
            found = self.known.shelled[key] = 0.0 if unit.afv else self._barrage(unit)
        return found

    def _barrage(self, unit: Unit) -> float:
        """The harm of all batteries to a unit, as its share of what they fire at."""
        chart, cost = self.position.charts.bombardment, 0.0
        strengths = [foe.bombard for foe in self.foes if foe.bombard and not foe.demoralized]
        strengths += list(self.position.setting.instructions.sides[self.other].offboard)
        for strength in strengths:
            cost += self._by_column(chart, "bombardment", chart.column(strength), unit)
        return 1.2 * cost / max(3, len(self.friends))

    # --- what can be hit ------------------------------------------------------------------------------------

    def prospects(self, unit: Unit, hex: Hex) -> float:
        """The expected targets of the unit from a hex: the best one, and a little of the next."""
        if unit.kind is None or unit.limbered or not (unit.direct or unit.at is not None):
            return 0.0
        key = "prospects", unit.kind.id, unit.state, unit.reduced, hex
        found = self.known.dangers.get(key)
        if found is None:
            best = second = 0.0
            limit = max(unit.kind.direct_range, unit.kind.at_range)
            for name, aim in self._targets(hex):
                if aim[0] <= limit:
                    worth = self.shot(unit, self.position.units[name], aim)
                    best, second = (worth, best) if worth > best else (best, max(second, worth))
            found = self.known.dangers[key] = best + 0.25 * second
        return found

    def _targets(self, hex: Hex) -> tuple[Aim, ...]:
        """The foes that fire from a hex would reach with the longest range that one of our units has."""
        known = self._enemy.targets.facts
        found = known.get(hex)
        if found is None:
            apart = self.ground.apart(hex)
            near = (foe for foe in self.foes if apart[str(foe.hex)] <= self._far)
            aims = ((foe.id, self.bearing(hex, str(foe.hex), foe)) for foe in near)
            found = known[hex] = tuple((name, aim) for name, aim in aims if aim is not None)
        return found

    # --- where to go ----------------------------------------------------------------------------------------

    def others(self, unit: Unit, hex: Hex) -> int:
        """The number of our combat units in a hex besides the unit."""
        here = self.stacks.get(hex)
        return 0 if here is None else sum(other.id != unit.id for other in here)

    def gathered(self, hex: Hex) -> int:
        """The number of our combat units in a hex and around it."""
        found = self.known.gathered.get(hex)
        if found is None:
            around = self.position.map.within(hex, 1)
            found = self.known.gathered[hex] = sum(len(self.stacks.get(near, ())) for near in around)
        return found

    def led_by(self, unit: Unit) -> list[UnitId]:
        """The leaders of its kind who reach the unit in its hex [3.12]."""
        found = self.known.leaders.get(unit.id)
        if found is None:
            apart = self.ground.apart(str(unit.hex))
            near = [chief for chief in self.chiefs if apart[str(chief.hex)] <= 1]
            found = self.known.leaders[unit.id] = [chief.id for chief in near if of_his_kind(chief, unit)]
        return found

    def chiefs_of(self, unit: Unit) -> tuple[Hex, ...]:
        """The hexes of the leaders of the unit's kind that are fit to lead."""
        found = self.known.chiefs_of.get(unit.id)
        if found is None:
            fit = [chief for chief in self.chiefs if not chief.demoralized and of_his_kind(chief, unit)]
            found = self.known.chiefs_of[unit.id] = tuple(str(chief.hex) for chief in fit)
        return found

    def cut_off(self, unit: Unit, hex: Hex) -> int:
        """The number of hexes by which a hex lies beyond the reach of the unit's leaders; 0 without leaders."""
        chiefs = self.chiefs_of(unit)
        known = self.known.cut_off.setdefault(chiefs, {})
        found = known.get(hex)
        if found is None:
            apart = self.ground.apart(hex)
            found = known[hex] = max(0, min((apart[at] for at in chiefs), default=0) - 4)
        return found

    def lifts(self, unit: Unit, hex: Hex) -> float:
        """The use of an empty carrier in a hex to units there that have far to go on foot [5.6]."""
        here = self.stacks.get(hex)
        if here is None:
            return 0.0
        others = sum(one.transport and one.id != unit.id for one in self.position.at(hex, self.side))
        needs = sorted(
            (self._far_off(friend) for friend in here if not friend.vehicle and not friend.gun), reverse=True
        )
        return needs[others] if others < len(needs) else 0.0

    def _far_off(self, friend: Unit) -> float:
        """The worth to a friend of one turn's march less; nothing near the objectives."""
        hex, gains = str(friend.hex), self.pulls(friend).gains
        turns = min((far for far, gain in zip(self._turns(friend)[hex], gains, strict=True) if gain), default=0.0)
        return self.pull(friend, hex) * (1.0 / PATIENCE - 1.0) if turns > 1.5 else 0.0

    def pull(self, unit: Unit, hex: Hex) -> float:
        """The draw of the objectives on the unit, seen from a hex."""
        return self.pulls(unit)[hex]

    def pulls(self, unit: Unit) -> Pull:
        """The draw of the objectives on the unit, by the hex from which it is seen."""
        key = unit.id, unit.limbered, unit.reduced
        found = self.known.pulls.get(key)
        if found is None:
            found = self.known.pulls[key] = Pull(self._gains(unit), self._patience(unit))
        return found

    def _gains(self, unit: Unit) -> tuple[float, ...]:
        """The gain by which each objective draws the unit; unarmed carriers hold no objectives."""
        holds = unit.leader or unit.combat
        return tuple(
            (goal.gain or 0.35 * goal.keep) * need if holds or goal.leave else 0.0
            for goal, need in zip(self.goals, self._crowd(unit), strict=True)
        )

    def _patience(self, unit: Unit) -> Rows:
        """The present share of each objective's worth, by the hex of a unit that goes so."""
        key = movement_class(unit), printed_allowance(self.position, unit)
        found = self._ways.patience.get(key)
        if found is None:
            hexes = [goal.place for goal in self.goals]
            found = self._ways.patience[key] = self.ground.patience(self.position, unit, hexes, self.left + 0.5)
        return found

    def _turns(self, unit: Unit) -> Rows:
        """The turns to each objective, by the hex of a unit that goes so."""
        key = movement_class(unit), printed_allowance(self.position, unit)
        found = self._ways.turns.get(key)
        if found is None:
            hexes = [goal.place for goal in self.goals]
            found = self._ways.turns[key] = self.ground.turns_to(self.position, unit, hexes)
        return found

    def _crowd(self, unit: Unit) -> list[float]:
        """For each goal, its remaining need of this unit: less with each friend that is nearer."""
        found = self.known.crowds.get(unit.id)
        if found is not None:
            return found
        found, far = [], self._turns(unit)[unit.hex] if unit.hex else ()
        for number, goal in enumerate(self.goals):
            ranks, weights = self._nearest(number)
            nearer = weights[bisect_left(ranks, (far[number] if far else FAR, unit.id))]
            share = 0.12 if goal.place in self.foe_hexes or not goal.gain else 0.35
            found.append(1.0 if goal.leave else 1.0 / (1.0 + share * nearer))
        self.known.crowds[unit.id] = found
        return found

    def _nearest(self, goal: int) -> tuple[list[tuple[float, UnitId]], list[float]]:
        """Our combat units by their turns to a goal, and the weights of the nearest ones there."""
        found = self.known.ranks.get(goal)
        if found is None:
            ranks = sorted(
                (self._turns(friend)[str(friend.hex)][goal], friend.id)
                for friend in self.friends
                if friend.combat and not friend.demoralized
            )
            weights = accumulate((1.0 if turns < 2 else 0.5 for turns, _ in ranks), initial=0.0)
            found = self.known.ranks[goal] = ranks, list(weights)
        return found


def _standing(position: Position) -> tuple[object, ...]:
    """Everything in a position that a mind's results depend on: all but the activation and the order of segments."""
    units, stacks, works = position.units.copy(), position.stacks.copy(), position.works.copy()
    control, armies, exits = position.control.copy(), position.armies.copy(), position.exits.copy()
    return position.turn, units, stacks, works, control, armies, exits, position.sectors


def direct_shift(charts: Charts, condition: str) -> int:
    """The columns of a condition of the direct fire table [10.3]; none for a condition that it does not list."""
    row = charts.modifiers.get(("direct", condition))
    return row.value if row is not None else 0


# --- chances ----------------------------------------------------------------------------------------------------


@lru_cache
def odds(dice: int) -> tuple[tuple[int, float], ...]:
    """The chance of each total of a number of six-sided dice.

    >>> odds(1)[0][0], round(odds(2)[5][1], 3)
    (1, 0.167)
    """
    return tuple((total, float(chance)) for total, chance in totals(dice, 6))


@lru_cache(maxsize=4096)
def hardship(charts: Charts, state: str, needed: int, leader: bool) -> float:
    """The expected cost of a check against `needed`, in steps [14.1, 14.11, 14.12]."""
    cost = 0.0
    for total, chance in odds(2):
        if total > needed:
            after = charts.after_check(state, total - needed)
            cost += chance * (1.0 if after == "lost" else HARDSHIP.get((state, after), 0.0))
    return cost


@lru_cache(maxsize=1024)
def steps_lost(charts: Charts, net: int) -> float:
    """The steps that an anti-tank shot with this modifier is expected to take, with a little for the check after it."""
    return sum(chance * 1.25 * charts.steps_lost(total + net) for total, chance in odds(2))
