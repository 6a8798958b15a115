"""A side's assessment: the worth of units and objectives, the threats to a hex, the possible targets."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate

from msgspec.structs import replace

from opfire.core.events import Calculation
from opfire.kit.thinking.goals import Goal, caution, goals, menace
from opfire.kit.thinking.ways import Rows
from opfire.rulesets.case_orange.charts import Kind
from opfire.rulesets.case_orange.combat import elevation_shift
from opfire.rulesets.case_orange.pieces import FOOT, Hex, Position, Side, Unit, UnitId
from opfire.rulesets.case_orange.spotting import eyes_of
from opfire.rulesets.case_orange.thinking.facts import EnemyFacts, Spotter, memory_of
from opfire.rulesets.case_orange.thinking.ground import blow, gait, ground_of
from opfire.rulesets.case_orange.victory import counted, scores

FARTHEST = 24  # hexes; units farther away are not looked at
HEAVY, LIGHT = 0.45, 0.22  # the worth of DD and D as shares of an elimination


class Pull(dict[Hex, float]):
    """The draw of the objectives on a unit, by hex: that of the strongest, and a little of the next.

    `gains` has the gain of each objective, `patience` the present share of it from a hex.
    """

    def __init__(self, gains: tuple[float, ...], patience: Rows) -> None:
        self._gains, self._patience = gains, patience

    def __missing__(self, hex: Hex) -> float:
        best = second = 0.0
        for gain, share in zip(self._gains, self._patience[hex], strict=True):
            worth = gain * share
            if worth > best:
                best, second = worth, best
            elif worth > second:
                second = worth
        found = self[hex] = best + 0.15 * second
        return found


class Mind:
    """One position through the eyes of one side; every result is computed once and kept.

    Results about the enemy alone are kept for the minds of later decisions as well.
    """

    def __init__(self, position: Position, side: Side) -> None:
        self.position, self.side, self.other = position, side, position.setting.other[side]
        self.ground, self.eyes = ground_of(position), eyes_of(position)
        self.turns = position.setting.scenario.turns
        self._count_turns()
        self.foes = position.of(self.other)
        self.friends = position.of(side)
        self._reserves = self._more_to_come()
        self._enemy = self._facts()
        self._ways = memory_of(position).turn.under(side, self.own_left)
        self._values: dict[UnitId, float] = {}
        self.goals = self._goals()
        self.goal_at = {goal.place: goal for goal in self.goals if not goal.leave}
        self.caution = self._caution()
        self._exposed = self._friends_in_view()
        self._crowds: dict[tuple[UnitId, UnitId], list[float]] = {}
        self._company: dict[Hex, int] = {}
        self._ranks: dict[int, tuple[list[tuple[float, UnitId]], list[float], dict[UnitId, float]]] = {}
        self._pulls: dict[tuple[UnitId, UnitId], Pull] = {}
        self._dangers: dict[tuple[object, ...], float] = {}
        self._on_armour: dict[UnitId, Unit] = {}
        self.walkers: dict[UnitId, list[tuple[Unit, float]]] = {}  # by carrier: moving.py asks

    def _count_turns(self) -> None:
        """Own player turns after this one, and the enemy's."""
        position, order = self.position, self.position.setting.scenario.order()
        left = self.turns - position.turn
        second = order[1] == self.side
        if position.turn == 0:
            self.own_left = self.foe_left = self.turns
        elif position.current == self.side:
            self.own_left, self.foe_left = left, left if second else left + 1
        else:
            self.own_left, self.foe_left = left + 1 if second else left, left

    def _caution(self) -> float:
        """The weight of danger: less for a side that is not winning, and less the later it is."""
        points, levels = scores(self.position), self.position.setting.scenario.levels
        lead = points[self.side] - points[self.other]
        return caution(lead, levels.marginal, self.position.turn / max(1, self.turns), 0.3)

    def _more_to_come(self) -> bool:
        """Whether the enemy has units that have not come onto the map yet."""
        position = self.position
        return any(unit.status == "reserve" for unit in position.pick(position.setting.ids[self.other]))

    def _facts(self) -> EnemyFacts:
        """The facts about the enemy alone that still hold."""
        position = self.position
        stamp = (self.own_left, self.foe_left, self._reserves, self.foes, position.wrecks, position.works.copy())
        return memory_of(position).enemy.under(self.side, stamp)

    def _friends_in_view(self) -> list[int]:
        """For each enemy, the number of our units that it could fire at now: it fires at one of them."""
        found = [0] * len(self.foes)
        for friend in self.friends:
            if friend.kind.weapon != "C":
                for number, foe, hexes in self._lines(str(friend.hex)):
                    found[number] += hexes <= foe.kind.range
        return found

    # --- what things are worth ------------------------------------------------------------------------------

    def value(self, unit: Unit) -> float:
        """The worth to the enemy of removing the unit from play, in victory points."""
        found = self._values.get(unit.id)
        if found is None:
            found = self._values[unit.id] = self._value(unit)
        return found

    def _value(self, unit: Unit) -> float:
        points = sum(
            condition.points * unit.kind.points
            for condition in self.position.setting.scenario.victory
            if condition.condition == "eliminate" and condition.side != unit.side and counted(condition, unit)
        )
        leaving = sum(
            condition.points * unit.kind.points
            for condition in self.position.setting.scenario.victory
            if condition.condition == "exit" and condition.side == unit.side and counted(condition, unit)
        )
        left = self.own_left if unit.side == self.side else self.foe_left
        worth = points + 0.5 * leaving + use(unit) * (0.15 + 0.85 * min(1.0, left / max(1, self.turns)))
        if unit.cargo is not None:
            worth += self.value(self.position.units[unit.cargo])
        return worth

    def _goals(self) -> list[Goal]:
        victory, control = self.position.setting.scenario.victory, self.position.control
        return goals(victory, self.side, control.get, self._menace)

    def _menace(self, hex: Hex) -> float:
        """The likelihood that the enemy comes for a hex before the end."""
        if self.foe_left == 0:
            return 0.0
        found = self._enemy.menaces.get(hex)
        if found is None:
            coming = (self.ground.turns(foe, str(foe.hex), hex) for foe in self.foes)
            found = self._enemy.menaces[hex] = menace(coming, self._reserves, self.foe_left)
        return found

    def harm(self, unit: Unit, chances: tuple[float, float, float]) -> float:
        """The share of a unit's worth that these chances of X, DD and D take [9.10.1]."""
        gone, heavy, light = chances
        if unit.dispersed == "DD":
            return gone + heavy + 0.03 * light
        if unit.dispersed == "D":
            return gone + 0.3 * (heavy + light)
        stale = 0.35 if not unit.face_up else 1.0
        return gone + stale * (HEAVY * heavy + LIGHT * light)

    def expected(self, calculation: Calculation | None, targets: Iterable[Unit]) -> float:
        """The expected gain of an attack, by its exact chances."""
        if calculation is None:
            return 0.0
        found = calculation.chances()
        chances = (float(found.get("X", 0)), float(found.get("DD", 0)), float(found.get("D", 0)))
        return sum(self.value(unit) * self.harm(unit, chances) for unit in targets)

    # --- where to go ----------------------------------------------------------------------------------------

    def pull(self, unit: Unit, hex: Hex, mover: Unit | None = None) -> float:
        """The draw of the objectives on a unit in a hex, going like `mover`."""
        going = mover or unit
        if self.own_left == 0 or going.kind.movement == 0:
            return 0.0
        found = self._pulls.get((unit.id, going.id))
        if found is None:
            found = self._pulls[unit.id, going.id] = Pull(self._draws(unit, going), self._patience(going))
        return found[hex]

    def _draws(self, unit: Unit, going: Unit) -> tuple[float, ...]:
        """The gain by which each objective draws the unit."""
        crowd = self._crowd(unit, going)
        if unit.kind.weapon in ("M", "(H)") or unit.kind.observes == "all":
            stays = unit is going and self._reaches_objectives(unit)
            crowd = [0.0 if stays else 0.25 * need for need in crowd]
        return tuple(self._gain_for(goal, unit) * need for goal, need in zip(self.goals, crowd, strict=True))

    def _patience(self, going: Unit) -> Rows:
        """The present share of each objective's worth, by the hex of a unit that goes so."""
        key = gait(going), going.kind.movement
        found = self._ways.patience.get(key)
        if found is None:
            hexes = [goal.place for goal in self.goals]
            found = self._ways.patience[key] = self.ground.patience(going, hexes, self.own_left + 0.5)
        return found

    def _turns(self, going: Unit) -> Rows:
        """The turns to each objective, by the hex of a unit that goes so."""
        key = gait(going), going.kind.movement
        found = self._ways.turns.get(key)
        if found is None:
            found = self._ways.turns[key] = self.ground.turns_to(going, [goal.place for goal in self.goals])
        return found

    def _reaches_objectives(self, unit: Unit) -> bool:
        """Whether some objective is in its range, so that it need not walk."""
        apart = self.ground.apart(str(unit.hex))
        return any(apart.get(goal.place, 99) <= unit.kind.range for goal in self.goals)

    def _gain_for(self, goal: Goal, unit: Unit) -> float:
        if goal.leave:
            if not self.may_score_by_leaving(unit):
                return 0.0
            cargo = self.position.units[unit.cargo] if unit.cargo else None
            return goal.gain * (unit.kind.points + (cargo.kind.points if cargo else 0))
        if goal.gain:
            return goal.gain
        holders = self.position.stacks.get(goal.place, ())
        return 0.5 * goal.keep if not holders or holders == (unit.id,) else 0.1 * goal.keep

    def may_score_by_leaving(self, unit: Unit) -> bool:
        """Whether the unit, or its load, scores by leaving the map."""
        loads = [unit, *([self.position.units[unit.cargo]] if unit.cargo else [])]
        return any(
            condition.condition == "exit" and condition.side == self.side and any(counted(condition, u) for u in loads)
            for condition in self.position.setting.scenario.victory
        )

    def near(self, goal: Hex) -> int:
        """The number of our units in a goal's hex or next to it."""
        found = self._company.get(goal)
        if found is None:
            around = self.position.map.within(goal, 1)
            found = self._company[goal] = sum(
                unit.side == self.side for hex in around for unit in self.position.at(hex)
            )
        return found

    def _crowd(self, unit: Unit, going: Unit) -> list[float]:
        """For each goal, its remaining need of this unit: less with each friend that is nearer."""
        found = self._crowds.get((unit.id, going.id))
        if found is not None:
            return found
        found, ids = [], (unit.id, going.id)
        far = self._turns(going)[str(unit.hex or going.hex)]
        for number, goal in enumerate(self.goals):
            nearer = 0.0 if goal.leave else self._nearer(number, (far[number], unit.id), ids)
            held = self.position.stacks.get(goal.place)
            foes_there = held is not None and self.position.units[held[0]].side == self.other
            found.append(1.0 / (1.0 + (0.15 if foes_there else 0.4) * nearer))
        self._crowds[unit.id, going.id] = found
        return found

    def _nearer(self, goal: int, rank: tuple[float, UnitId], besides: tuple[UnitId, UnitId]) -> float:
        """The number of our useful units nearer to a goal than this rank, in turns and by id; far ones count half."""
        ranks, weights, turns = self._nearest(goal)
        found = weights[bisect_left(ranks, rank)]
        for name in dict.fromkeys(besides):
            if name in turns and (turns[name], name) < rank:
                found -= nearness(turns[name])
        return found

    def _nearest(self, goal: int) -> tuple[list[tuple[float, UnitId]], list[float], dict[UnitId, float]]:
        """Our useful units by their turns to a goal, the weights of the nearest ones, and the turns of each."""
        found = self._ranks.get(goal)
        if found is None:
            turns = {friend.id: self._turns(friend)[str(friend.hex)][goal] for friend in self.friends if useful(friend)}
            ranks = sorted((far, name) for name, far in turns.items())
            weights = list(accumulate((nearness(far) for far, _ in ranks), initial=0.0))
            found = self._ranks[goal] = ranks, weights, turns
        return found

    # --- what threatens ---------------------------------------------------------------------------------------

    def strike(self, firer: Unit, at: Hex, target: Unit, to: Hex, extra: int) -> tuple[float, float, float]:
        """Chances of X, DD and D of one firer's direct fire, near enough for planning."""
        hexes = self.ground.apart(at)[to]
        position, kind = self.position, firer.kind
        attack = kind.attack
        if hexes > kind.range:
            if not kind.doubles or hexes > 2 * kind.range:
                return 0.0, 0.0, 0.0
            attack //= 2
        if kind.weapon in ("M", "C") or attack == 0:
            return 0.0, 0.0, 0.0
        if kind.weapon == "(H)":
            attack //= 2
        else:
            category = "armour" if target.armour else "hard" if target.below == "fort" else "other"
            near, far = position.charts.effectiveness[kind.weapon, category]
            times = near if hexes <= kind.range // 2 else far
            attack = attack * times.numerator // times.denominator
        defence = target.kind.defence
        if target.below == "fort" and target.hex == to and (fort := position.fort(to)):
            defence = fort.breached_factor if fort.breached else fort.factor
        elif not target.vehicle and "town" in position.map.cells[to].terrain:
            defence *= 2
        shift = elevation_shift(position, at, to, kind.range // 2) - (target.below == "position")
        modifier = self.ground.cover(position, to) + extra + (target.below == "dug-in") - bool(target.dispersed)
        return blow(position.charts, attack, defence, shift, modifier)

    def reactions(self, unit: Unit, hex: Hex) -> tuple[tuple[int, float], ...]:
        """The threat of opportunity fire [6.0] to the unit as it enters a hex: enemies, by number, and the harm."""
        key = hex, unit.kind.id, unit.dispersed, unit.below, unit.face_up, unit.hex == hex
        found = self._enemy.reactions.get(key)
        if found is None:
            found = self._enemy.reactions[key] = tuple(self._reacting(unit, hex))
        return found

    def _reacting(self, unit: Unit, hex: Hex) -> Iterable[tuple[int, float]]:
        for number, foe, hexes in self.in_sight(hex):
            if hexes <= foe.kind.range // 2 and foe.face_up and not foe.dispersed:
                harm = self.harm(unit, self.strike(foe, str(foe.hex), unit, hex, 1))
                if harm > 0.0:
                    yield number, harm

    def in_sight(self, hex: Hex) -> list[Spotter]:
        """The enemies with a line of sight to a hex, but for the farthest."""
        found = self._enemy.in_sight.get(hex)
        if found is None:
            found = self._enemy.in_sight[hex] = [each for each in self._lines(hex) if each[2] <= FARTHEST]
        return found

    def _lines(self, hex: Hex) -> list[Spotter]:
        """The enemies with a line of sight to a hex, as far as they fire or are looked at."""
        found = self._enemy.lines.get(hex)
        if found is None:
            apart, view, wrecks = self.ground.apart(hex), self.eyes.view(hex), self.position.wrecks
            found = self._enemy.lines[hex] = [
                (number, foe, hexes)
                for number, (foe, at, farthest) in enumerate(self._watchers())
                if at in view
                and (hexes := apart[at]) <= farthest
                and not (wrecks and self.eyes.wrecked(at, hex, wrecks))
            ]
        return found

    def _watchers(self) -> list[tuple[Unit, Hex, int]]:
        """The enemies with their hexes, and how far away each is looked at or fires."""
        if not self._enemy.watchers:
            self._enemy.watchers = [(foe, str(foe.hex), max(FARTHEST, foe.kind.range)) for foe in self.foes]
        return self._enemy.watchers

    def passage(self, unit: Unit, path: Sequence[Hex]) -> float:
        """The share of the unit that opportunity fire on the way is expected to take."""
        worst: dict[int, float] = {}
        for hex in path:
            for number, harm in self.reactions(unit, hex):
                if harm > worst.get(number, 0.0):
                    worst[number] = harm
        whole = 1.0
        for harm in sorted(worst.values(), reverse=True)[:4]:
            whole *= 1.0 - 0.7 * harm
        return 1.0 - whole

    def toll(self, unit: Unit, path: Sequence[Hex]) -> float:
        """The expected cost of opportunity fire on the way, a rider on armour included [5.7.5]."""
        cost = self.alone(unit) * self.passage(unit, path)
        if unit.cargo is not None:
            load = self.position.units[unit.cargo]
            cost += self.value(load) * self.passage(self._as_target(unit, load), path)
        return cost

    def peril(self, unit: Unit, hex: Hex, moved: bool) -> float:
        """The expected cost of the enemy's next turn if the unit, with its load, stands in a hex."""
        cost = self.alone(unit) * self.danger(unit, hex, moved)
        if unit.cargo is not None:
            load = self.position.units[unit.cargo]
            cost += self.value(load) * self.danger(self._as_target(unit, load), hex, moved)
            there = sum(other.kind.points for other in self.position.at(hex) if other.id != unit.id)
            if there + unit.kind.points + load.kind.points > self.position.charts.points["limit"]:
                cost += 0.3 * min(
                    self.alone(unit), self.value(load)
                )  # 5.7.1: if both tumble out, one of them is removed
        return cost

    def alone(self, unit: Unit) -> float:
        """The worth of the unit without its load."""
        return self.value(unit) - (self.value(self.position.units[unit.cargo]) if unit.cargo else 0.0)

    def _as_target(self, carrier: Unit, load: Unit) -> Unit:
        """The target of fire at a load: itself with defence one on armour [5.7.5], else its carrier."""
        if carrier.kind.weapon in ("C", "C(I)"):
            return carrier
        found = self._on_armour.get(load.id)
        if found is None:
            kind = replace(load.kind, id=f"{load.kind.id}, riding", defence=1)
            found = self._on_armour[load.id] = replace(load, kind=kind, hex=None)
        return found

    def danger(self, unit: Unit, hex: Hex, moved: bool) -> float:
        """The share of the unit that the enemy's next turn is expected to take if it stands in a hex."""
        if self.foe_left == 0:
            return 0.0
        state = (unit.dispersed, unit.spotted, unit.below, unit.face_up)
        key = (unit.kind.id, hex, moved, *state, unit.hex == hex and unit.id)
        found = self._dangers.get(key)
        if found is None:
            found = self._dangers[key] = self._danger(unit, hex, moved)
        return found

    def _danger(self, unit: Unit, hex: Hex, moved: bool) -> float:
        whole = 1.0
        for harm in self._fire_at(unit, hex, moved)[:3]:
            whole *= 1.0 - harm
        whole *= 1.0 - self._overrun_risk(unit, hex)
        whole *= 1.0 - self._assault_risk(unit, hex)
        for name, where in self.position.registered.items():
            if where == hex and self.position.units[name].side == self.other:
                whole *= 0.85
        return 1.0 - whole

    def _fire_at(self, unit: Unit, hex: Hex, moved: bool) -> list[float]:
        """The harm of each enemy that could fire at the unit there in its next turn, worst first."""
        position = self.position
        hidden = hex in position.setting.concealing
        if hidden and not moved and not unit.spotted and not self.foe_next_to(hex):
            return []
        seen = not hidden or bool(unit.spotted and not moved) or self.foe_next_to(hex) or self._watched(hex)
        if not seen:
            return []
        exposed = self._exposed
        found = [0.9 / (1.6 + exposed[number]) * harm for number, harm in self._shots_at(unit, hex)]
        found.extend(self._shells_at(unit, hex))
        return sorted(found, reverse=True)

    def _watched(self, hex: Hex) -> bool:
        """Whether an enemy is near enough to see into concealing terrain, or to fire there."""
        return any(foe.eligible and hexes <= max(farthest(foe), 8) for _, foe, hexes in self.in_sight(hex))

    def _shots_at(self, unit: Unit, hex: Hex) -> tuple[tuple[int, float], ...]:
        """The enemies, by number, that could fire at the unit there in their next turn, and the harm of each."""
        key = hex, unit.kind.id, unit.dispersed, unit.below, unit.face_up, unit.hex == hex
        found = self._enemy.shots.get(key)
        if found is None:
            found = self._enemy.shots[key] = tuple(
                (number, self.harm(unit, self.strike(foe, str(foe.hex), unit, hex, 0)))
                for number, foe, hexes in self.in_sight(hex)
                if foe.eligible and hexes <= farthest(foe)
            )
        return found

    def _shells_at(self, unit: Unit, hex: Hex) -> Iterable[float]:
        """The harm of mortars and howitzers that may fire from the hip at visible units."""
        category = "armour" if unit.armour else "other"
        for kind in self._batteries(hex):
            times, _ = self.position.charts.effectiveness[kind.weapon, category]
            attack = kind.attack * times.numerator // times.denominator
            chances = blow(self.position.charts, attack, unit.kind.defence, -(unit.below == "position"), 1)
            yield 0.3 * self.harm(unit, chances)

    def _batteries(self, hex: Hex) -> list[Kind]:
        """The mortars and howitzers that reach a hex."""
        found = self._enemy.batteries.get(hex)
        if found is None:
            apart = self.ground.apart(hex)
            found = self._enemy.batteries[hex] = [
                foe.kind
                for foe in self.foes
                if foe.kind.weapon in ("M", "(H)") and foe.eligible and apart[str(foe.hex)] <= foe.kind.range
            ]
        return found

    def foe_next_to(self, hex: Hex) -> bool:
        for to in self.position.map.neighbours[hex]:
            if to is not None and self.position.holder(to) == self.other:
                return True
        return False

    def _stack_defence(self, unit: Unit, hex: Hex) -> int:
        return unit.kind.defence + sum(
            other.kind.defence for other in self.position.at(hex) if other.id != unit.id and other.side == self.side
        )

    def _overrun_risk(self, unit: Unit, hex: Hex) -> float:
        if not self.ground.overrunnable(self.position, hex):
            return 0.0
        force = self._riders(hex, unit.kind.armoured)
        if not force:
            return 0.0
        defence = self._stack_defence(unit, hex)
        return 0.6 * self.harm(unit, blow(self.position.charts, force, defence, 1, -2))

    def _riders(self, hex: Hex, at_armour: bool) -> int:
        """The strength of the two strongest enemies that could overrun a hex next turn."""
        found = self._enemy.riders.get((hex, at_armour))
        if found is None:
            strengths = (
                foe.kind.attack
                for foe in self.foes
                if foe.kind.armoured
                and foe.eligible
                and foe.kind.weapon not in ("(H)", "M", "C")
                and not (foe.kind.weapon == "C(I)" and at_armour)
                and self._can_ride_to(foe, hex)
            )
            found = self._enemy.riders[hex, at_armour] = sum(sorted(strengths, reverse=True)[:2])
        return found

    def _can_ride_to(self, foe: Unit, hex: Hex) -> bool:
        """Near enough to ride through the hex next turn, by the cost over empty ground."""
        if self.ground.apart(hex)[str(foe.hex)] >= foe.kind.movement:
            return False
        cost = self.ground.within_a_turn(foe, str(foe.hex), hex)
        return cost is not None and cost + 2 <= 2 * foe.kind.movement

    def _assault_risk(self, unit: Unit, hex: Hex) -> float:
        force = self._stormers(hex)
        if force <= 0:
            return 0.0
        return 0.6 * self.harm(unit, blow(self.position.charts, int(force), self._stack_defence(unit, hex), 0, -2))

    def _stormers(self, hex: Hex) -> float:
        """The strength of the enemies on foot that could assault a hex; those not next to it count half."""
        found = self._enemy.stormers.get(hex)
        if found is None:
            apart = self.ground.apart(hex)
            found = self._enemy.stormers[hex] = sum(
                foe.kind.attack * (1.0 if apart[str(foe.hex)] == 1 else 0.5)
                for foe in self.foes
                if foe.kind.type in FOOT and foe.eligible and apart[str(foe.hex)] <= 1 + foe.kind.movement
            )
        return found

    def open_stacks(self) -> list[Hex]:
        """The hexes with enemies that could be overrun [9.8.1]."""
        hexes = dict.fromkeys(str(foe.hex) for foe in self.foes)
        return [hex for hex in hexes if self.ground.overrunnable(self.position, hex)]

    # --- what can be hit --------------------------------------------------------------------------------------

    def prospects(self, unit: Unit, hex: Hex) -> float:
        """The expected targets of the unit from a hex in its next turn: the best one, and a little of the next."""
        kind = unit.kind
        if kind.attack == 0 or kind.weapon in ("M", "C") or self.own_left == 0:
            return 0.0
        found = self._enemy.prospects.get((kind.id, hex))
        if found is None:
            found = self._enemy.prospects[kind.id, hex] = self._prospect(unit, hex)
        return found

    def _prospect(self, unit: Unit, hex: Hex) -> float:
        limit = farthest(unit)
        best = second = 0.0
        for _, foe, hexes in self.in_sight(hex):
            if hexes > limit:
                continue
            to = str(foe.hex)
            sure = 1.0 if hexes == 1 or foe.spotted or to not in self.position.setting.concealing else 0.35
            sure *= 1.0 if foe.kind.movement <= 1 else 0.7
            worth = sure * self.value(foe) * self.harm(foe, self.strike(unit, hex, foe, to, 0))
            if worth > best:
                best, second = worth, best
            elif worth > second:
                second = worth
        return best + 0.25 * second


def use(unit: Unit) -> float:
    """The future use of a unit, in victory points for a whole game."""
    kind = unit.kind
    match kind.weapon:
        case "C":
            return 0.25
        case "I" | "C(I)":
            power = kind.attack / 8
        case "M" | "(H)":
            power = kind.attack / 20
        case _:
            power = kind.attack / 12
    return min(1.6, 0.15 + power + kind.defence / 40)


def farthest(unit: Unit) -> int:
    """The greatest range of a unit's direct fire, in hexes."""
    return unit.kind.range * 2 if unit.kind.doubles else unit.kind.range


def nearness(turns: float) -> float:
    """The weight of a friend at a goal `turns` turns away."""
    return 1.0 if turns < 2 else 0.5


def useful(unit: Unit) -> bool:
    """Whether it can take and hold ground: no empty truck, no gun without wheels."""
    return unit.kind.weapon != "C" and unit.kind.movement > 0
