"""Opportunity fire [13.0]: the reactions of the other side at each hex that a unit enters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, dropwhile, product
from typing import ClassVar, Literal

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.flow import Exchange, Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.fire import antitank, direct
from opfire.rulesets.panzer_grenadier.fire.strengths import joins, not_able, not_joined
from opfire.rulesets.panzer_grenadier.pieces import Hex, Player, Position, Side, Unit, UnitId, not_yours, off_the_map
from opfire.rulesets.panzer_grenadier.sight import spotting

FireType = Literal["direct", "at"]
FIRE_TYPES: tuple[FireType, ...] = ("direct", "at")


class ShootDirect(Action, frozen=True):
    """Opportunity fire with direct fire values, one or several together, and the leaders who help [13.0, 13.01]."""

    says = "{units}: fire at {target}"
    kind = "react"
    final = True
    units: tuple[UnitId, ...]
    target: UnitId


class ShootAntiTank(Action, frozen=True):
    """Opportunity fire with an anti-tank value, by one unit alone [13.0]."""

    says = "{unit}: anti-tank fire at {target}"
    kind = "react"
    final = True
    unit: UnitId
    target: UnitId


class OpportunityFire(Exchange, frozen=True):
    """The window at one hex of a move [13.3]: shots one at a time until the side passes [13.36].

    `movers` are the unit that entered and the leaders who move with it, who share its results [13.31]. Where units
    divide a side among players, each in turn fires with his own units or passes: RULINGS.md P81.
    """

    takes = (ShootDirect, ShootAntiTank, Pass)
    step = "reaction"
    rule = "13.0"
    question = "{mover} moves in {hex}: fire, or let it pass"
    idle: ClassVar[str] = "{mover} moves in {hex}: none of your units can fire, so let it pass"
    hex: Hex = ""
    movers: tuple[UnitId, ...] = ()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        if self._open(sight):
            yield from (unit.id for unit in self._near(sight, side, sight.units[self.movers[0]]))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield Pass()
            return
        unit, target = sight.units[actor], sight.units[self.movers[0]]
        if cannot_shoot(sight, side, unit, target, "direct") is None:
            for units in volleys(sight, self._able_from(sight, side, actor)):
                yield ShootDirect(tuple(one.id for one in units), target.id)
        if cannot_shoot(sight, side, unit, target, "at") is None:
            yield ShootAntiTank(actor, target.id)

    def _shots(self, sight: Position, side: str) -> Iterator[Action]:
        for actor in self.actors(sight, side):
            yield from () if actor == NOBODY else self.acts(sight, side, actor)

    def _able_from(self, position: Position, side: Side, first: UnitId) -> list[Unit]:
        """The units that may use direct fire here, from this one on: units before it begin attacks of their own."""
        target = position.units[self.movers[0]]
        near = dropwhile(lambda unit: unit.id != first, self._near(position, side, target))
        return [unit for unit in near if cannot_shoot(position, side, unit, target, "direct") is None]

    def player(self, position: Position) -> Player:
        """The player on turn where units divide the side among several [18.21]; elsewhere an empty name."""
        players = divided_among(position, self.side)
        return players[-len(self.waiting)] if players else ""

    def _near(self, position: Position, side: Side, target: Unit) -> list[Unit]:
        """The units within reach that the player on turn commands."""
        player = self.player(position)
        return [unit for unit in in_printed_range(position, side, target) if player in ("", unit.player)]

    def _open(self, position: Position) -> bool:
        """Whether the mover is still there, and outside assaults: a look before the checks."""
        target = position.units[self.movers[0]]
        return target.hex == self.hex and assault_exempt(position, target) is None

    def may_act(self, state: Position, side: Side) -> bool:
        """Whether to ask: a unit in view can shoot, or the side has units that no enemy has seen yet [16.6]."""
        if not self._open(state):
            return False
        if self.lurking(state):
            return True
        target = state.units[self.movers[0]]
        return any(
            cannot_shoot(state, side, unit, target, fire) is None
            for unit in self._near(state, side, target)
            for fire in FIRE_TYPES
        )

    def lurking(self, position: Position) -> bool:
        """Whether the player on turn has units that no enemy has seen yet, which everybody knows [16.6]."""
        player = self.player(position)
        return any(player in ("", unit.player) for unit in position.in_hiding(self.side))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case ShootDirect(units, target):
                return not_moving(self, sight, target) or cannot_fire_together(sight, self.side, units, target)
            case ShootAntiTank(name, target):
                unit = sight.units[name]
                return not_moving(self, sight, target) or cannot_shoot(
                    sight, self.side, unit, sight.units[target], "at"
                )
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        """Fire one shot and see how it turns out, or pass [13.36]."""
        match action:
            case Pass():
                self.passed(game)
            case ShootDirect(units, target):
                direct.opportunity(game, units, self._struck(game.state))
                for name in units:
                    spend(game.state, name, target, "direct")
            case ShootAntiTank(name, target):
                spend(game.state, name, target, "at")
                antitank.shoot(game, name, target)
        if game.stack[-1] is self:
            game.resume_top()

    def _struck(self, position: Position) -> tuple[UnitId, ...]:
        """The mover and the leaders with it who are still there [13.31]."""
        return tuple(name for name in self.movers if position.units[name].hex == self.hex)

    def prompt(self, sight: Position, side: str) -> str:
        """The unit that moves, its hex, and the player on turn where the side has several.

        A side that is asked at every step, because of its units in hiding, hears that there is nothing to do.
        """
        idle = side == self.side and next(self._shots(sight, side), None) is None
        mover = sight.units[self.movers[0]].name
        question = say(self.idle if idle else self.question, mover=mover, hex=self.hex)
        player = self.player(sight)
        return say("{}: {}", player, question) if player else question


FRAMES: tuple[type[Frame], ...] = (OpportunityFire,)


def window(position: Position, side: Side, hex: Hex, movers: tuple[UnitId, ...]) -> OpportunityFire:
    """The window of the enemy of `side` at each hex that one of its units, with leaders, enters [3.14, 13.3, 13.32,
    G.opp-fire].
    """
    enemy = position.setting.other[side]
    turns = max(1, len(divided_among(position, enemy)))
    return OpportunityFire(enemy, (enemy,) * turns, hex, movers)


def divided_among(position: Position, side: Side) -> tuple[Player, ...]:
    """The players whose units divide a side [18.2], if it has an officer and so several players."""
    if not position.armies[side].commander:
        return ()
    return tuple(position.setting.instructions.sides[side].players)


def volleys(position: Position, able: list[Unit]) -> Iterator[tuple[Unit, ...]]:
    """Every group that the first of these may fire with, with no leaders or with helping ones [13.01]."""
    for firers in combined(position, able):
        for leaders in direct.helps(position, firers):
            yield (*firers, *leaders)


def combined(position: Position, able: list[Unit]) -> Iterator[tuple[Unit, ...]]:
    """Every group that the first of these may fire with [7.33]: from its hex, or from hexes that a leader combines."""
    first = able[0]
    leaders = [one for one in position.of(first.side) if one.leader]
    seen: set[frozenset[UnitId]] = set()
    yield from _beginning_with(first, _parts(able)[str(first.hex)])
    for firers in chain.from_iterable(_across(position, leader, able) for leader in leaders):
        names = frozenset(unit.id for unit in firers)
        if names not in seen:
            seen.add(names)
            yield firers


def _across(position: Position, leader: Unit, able: Sequence[Unit]) -> Iterator[tuple[Unit, ...]]:
    """Every group of the first and others from other hexes that this leader combines [6.41.a]."""
    first, here = able[0], str(able[0].hex)
    if not joins(position, leader, [first]):
        return
    parts = _parts(unit for unit in able if joins(position, leader, [unit]))
    firsts, others = _beginning_with(first, parts.pop(here)), list(parts)
    for number in range(1, len(others) + 1):
        for hexes in combinations(others, number):
            if joins(position, leader, [first, *(parts[hex][0][0] for hex in hexes)]):
                for chosen in product(firsts, *(parts[hex] for hex in hexes)):
                    yield tuple(chain.from_iterable(chosen))


def _beginning_with(first: Unit, groups: Iterable[tuple[Unit, ...]]) -> list[tuple[Unit, ...]]:
    """The groups that begin with this unit."""
    return [group for group in groups if group[0].id == first.id]


def _parts(units: Iterable[Unit]) -> dict[Hex, list[tuple[Unit, ...]]]:
    """Every choice of at least one unit in each hex."""
    stacks: dict[Hex, list[Unit]] = {}
    for unit in units:
        stacks.setdefault(str(unit.hex), []).append(unit)
    return {
        hex: [some for number in range(1, len(there) + 1) for some in combinations(there, number)]
        for hex, there in stacks.items()
    }


def in_printed_range(position: Position, side: Side, target: Unit) -> list[Unit]:
    """The side's units whose printed ranges, the extended one too [11.3], might reach: a look before the checks."""
    found: list[Unit] = []
    for unit in position.of(side):
        if unit.kind is not None and unit.hex is not None and target.hex is not None:
            reach = max(unit.kind.direct_range, unit.kind.at_range + unit.kind.at_range // 2)
            if position.map.distance(unit.hex, target.hex) <= reach:
                found.append(unit)
    return found


# --- checks -----------------------------------------------------------------------------------------------------


def not_moving(frame: OpportunityFire, position: Position, target: UnitId) -> Refusal | None:
    """Only the unit that has just entered a hex is fired at [13.2, 13.32]."""
    if target != frame.movers[0] or position.units[target].hex != frame.hex:
        return Refusal("Only the unit that has just entered {} can be fired at", "13.2", (frame.hex,))
    if assault_exempt(position, position.units[target]):
        return assault_exempt(position, position.units[target])
    return None


def assault_exempt(position: Position, target: Unit) -> Refusal | None:
    """No unit fires at a target in an assault hex [13.4]."""
    if target.hex is not None and position.assault_hex(target.hex):
        return Refusal("{} is an assault hex", "13.4", (target.hex,))
    return None


def cannot_shoot(position: Position, side: Side, unit: Unit, target: Unit, fire: FireType) -> Refusal | None:
    """Reject a unit that takes no part in opportunity fire at a mover [13.0]; it has to spot it itself [8.0.a]."""
    if refusal := not_yours(side, unit) or off_the_map(unit) or no_value(unit, target, fire) or not_able(unit):
        return refusal
    if refusal := spent(position, unit, fire) or once_per_hex(unit, target) or in_assault(position, unit):
        return refusal
    if fire == "at":
        return antitank.cannot_fire_at(position, unit, target)
    assert target.hex is not None
    return direct.friends_there(position, unit, target.hex) or direct.cannot_hit(position, unit, [target])


def no_value(unit: Unit, target: Unit, fire: FireType) -> Refusal | None:
    """It has to print a value of that kind [7.31]; anti-tank fire is at vehicles [11.0]."""
    if fire == "direct":
        return direct.no_direct_value(unit)
    return antitank.no_at_value(unit) or antitank.no_vehicle(target)


def spent(position: Position, unit: Unit, fire: FireType) -> Refusal | None:
    """Not after an activation [13.0, 13.1.A1], not both kinds in a turn, and only a number of times [13.0, 13.0.A1].

    The turn counts, not the enemy's activation [7.44.A1].
    """
    if unit.marked and (unit.shots == 0 or unit.type_in("train", "vessel")):  # 15.21: these may have shot, then moved
        return Refusal("{} has already been activated this turn", "13.0", (unit.name,))
    if unit.shots == 0:
        return None
    if unit.shot_with != fire:
        return Refusal("{} has already taken opportunity fire of the other kind this turn", "13.0", (unit.name,))
    if unit.shots >= shots(position, unit, fire):
        return Refusal("{} has taken all its opportunity fire for this turn", "13.1.a", (unit.name,))
    return None


def shots(position: Position, unit: Unit, fire: FireType) -> int:
    """The shots of a unit in a turn [13.0, 7.64]: direct fire twice, anti-tank fire once, or twice with Armor
    Efficiency.
    """
    if fire == "direct":
        return position.charts.figure("opportunity shots of direct fire")
    return antitank.shots(position, unit)


def once_per_hex(unit: Unit, target: Unit) -> Refusal | None:
    """In a segment a unit fires at a mover once in each hex that it enters [13.35]."""
    if (target.id, target.hex) in unit.targeted:
        return Refusal("{} has already fired at {} in {}", "13.35", (unit.name, target.name, target.hex))
    return None


def in_assault(position: Position, unit: Unit) -> Refusal | None:
    """Units in an assault hex do not fire out of it [12.6]."""
    assert unit.hex is not None
    if position.assault_hex(unit.hex):
        return Refusal("{} is in an assault hex", "12.6", (unit.name,))
    return None


def unseen(position: Position, side: Side, target: Unit) -> Refusal | None:
    """The mover itself has to be spotted where it is now [13.0, 8.22.A1]."""
    if spotting.spotted(position, side, target):
        return None
    return Refusal("{} is not spotted", "13.0", (target.name,))


def cannot_fire_together(position: Position, side: Side, units: tuple[UnitId, ...], target: UnitId) -> Refusal | None:
    """Reject units that may not make one opportunity attack together [13.0, 13.01, 7.33]."""
    if not units or len(set(units)) < len(units):
        return Refusal("Name each firer once", PROCEDURE)
    firers, leaders = direct.told_apart(position.pick(units))
    if not firers:
        return Refusal("No unit fires: name at least one", "7.31")
    if refusal := unseen(position, side, position.units[target]):
        return refusal
    for unit in firers:
        if refusal := cannot_shoot(position, side, unit, position.units[target], "direct"):
            return refusal
    for leader in leaders:
        if refusal := not_yours(side, leader):
            return refusal
    return not_joined(position, firers, leaders) or direct.no_help(position, firers, leaders)


# --- markers ----------------------------------------------------------------------------------------------------


def spend(position: Position, unit_id: UnitId, target: UnitId, fire: FireType) -> None:
    """Mark a firer [13.1.a] and a leader who helps [13.01.A1]: they cannot be activated any more this turn.

    Trains and vessels may still move [15.2].
    """
    unit, mover = position.units[unit_id], position.units[target]
    position.change(
        unit_id,
        marked=not unit.type_in("train", "vessel"),
        shots=unit.shots + 1,
        shot_with=fire,
        targeted=(*unit.targeted, (target, str(mover.hex))),
    )
