"""Bombardment [9.0]: batteries fire at a hex spotted by them or a leader; stray rounds meet friends next to it
[9.5].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text, joined
from opfire.kit import attacks
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.fire.direct import discover, enemy_hexes, shown
from opfire.rulesets.panzer_grenadier.fire.strengths import (
    Column,
    Fire,
    approach_lines,
    bound_by_assault,
    cannot_act,
    crowd_lines,
    fires_otherwise,
    firing,
    hex_lines,
    joins,
    leaders_with,
    note_aid,
    out_of_range,
    resolve,
    strength,
    target_groups,
)
from opfire.rulesets.panzer_grenadier.pieces import (
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
)
from opfire.rulesets.panzer_grenadier.sight import spotting


class Bombard(Action, frozen=True):
    """Begin a bombardment of a hex [9.0]."""

    says = "{unit} bombards {hex}"
    kind = "fire"
    unit: UnitId
    hex: Hex


class AddBattery(Action, frozen=True):
    """Let another unit join the bombardment [9.3]."""

    says = "{unit} joins in"
    kind = "fire"
    unit: UnitId


ACTS: tuple[type[Action], ...] = (Bombard,)


# --- checks -------------------------------------------------------------------------------------------------------


def cannot_fire(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that does not bombard in this segment [9.0]."""
    return (
        cannot_act(position, side, unit)
        or no_bombardment_value(unit)
        or fires_otherwise(position, unit)
        or bound_by_assault(position, unit)
    )


def no_bombardment_value(unit: Unit) -> Refusal | None:
    """Without a bombardment value there is no bombardment [7.31]."""
    return None if unit.bombard else Refusal("{} has no bombardment value", "7.31", (unit.name,))


def cannot_fire_at(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a unit that may not bombard a hex, alone or with others [9.0, 9.1, 18.12]."""
    return cannot_reach(position, unit, hex) or unspotted(position, unit, hex)


def cannot_reach(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a hex without enemies, in another sector, or out of range, spotted or not [9.0, 18.12]."""
    assert unit.kind is not None
    return (
        nobody_there(position, unit.side, hex)
        or sectors.out_of_sector(position, unit, hex)
        or out_of_range(position, unit, hex, unit.kind.bombard_range)
    )


def nobody_there(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """A bombardment is of enemies; friends among them do not prevent it [7.24, 9.0]."""
    if position.at(hex, position.setting.other[side]):
        return None
    return Refusal("No enemy in {} is seen", "9.0", (hex,))


def unspotted(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Neither the unit [8.42.A3] nor a leader [9.1, G.bombardment] spots an enemy there."""
    return None if spots_itself(position, unit, hex) else no_observer(position, unit.side, hex)


def spots_itself(position: Position, unit: Unit, hex: Hex) -> bool:
    """Whether the unit spots an enemy there [8.42.A3]."""
    enemies = position.at(hex, position.setting.other[unit.side])
    return any(spotting.cannot_self_spot(position, unit, enemy) is None for enemy in enemies)


def no_observer(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """No undemoralized regular leader, active or not, spots an enemy there [9.1], or none in that sector [18.12]."""
    leaders = posts(position, side)
    if observed(position, side, hex, leaders):
        return None
    if position.setting.sector_of and seen_by(position, side, hex, leaders):
        return sectors.out_of_view(position, hex)
    return Refusal("Neither the battery nor a leader spots an enemy in {}", "9.1", (hex,))


def posts(position: Position, side: Side) -> tuple[Hex, ...]:
    """The hexes from which leaders of a side spot for its artillery [9.1]."""
    units = position.units
    leaders = (unit for name in position.setting.ids[side] if (unit := units[name]).officer is not None)
    return tuple(dict.fromkeys(str(leader.hex) for leader in leaders if observes(leader)))


def observed(position: Position, side: Side, hex: Hex, posts: Sequence[Hex]) -> bool:
    """Whether an enemy in a hex is spotted from one of these posts [9.1] in its own sector [18.12]."""
    if its := position.setting.sector_of:
        posts = [post for post in posts if its[post] == its[hex]]
    return seen_by(position, side, hex, posts)


def seen_by(position: Position, side: Side, hex: Hex, posts: Sequence[Hex]) -> bool:
    """Whether an enemy in a hex is seen from one of these posts, in whatever sector."""
    enemies = position.at(hex, position.setting.other[side])
    alike = {(enemy.spotted, enemy.hidden): enemy for enemy in enemies}  # they are in one hex
    return any(spotting.seen_from_any(position, posts, enemy) for enemy in alike.values())


def observes(leader: Unit) -> bool:
    """Regular leaders on the map spot for artillery unless demoralized; kommissars do not [9.1, 6.6]."""
    if leader.officer is None or leader.hex is None:
        return False
    return not leader.officer.kommissar and not leader.demoralized


def cannot_combine(position: Position, batteries: Sequence[Unit]) -> Refusal | None:
    """Reject batteries that may not bombard together: one hex, or a leader in one of theirs combines them [9.3,
    6.41.a].
    """
    hexes = {unit.hex for unit in batteries}
    if len(hexes) == 1:
        return None
    for leader in position.of(batteries[0].side):
        if leader.hex in hexes and joins(position, leader, batteries):
            return None
    return Refusal("No leader with a battery combines the fire of these hexes", "9.3")


# --- the reckoning ------------------------------------------------------------------------------------------------


def battery_lines(position: Position, batteries: Iterable[Unit]) -> list[Line]:
    """The sum of the batteries [9.4]; leaders add nothing to it [6.42]."""
    return [line for unit in batteries for line in strength(position, unit, "bombardment")]


def bombardment(
    position: Position, lines: Sequence[Line], batteries: Sequence[Unit], hex: Hex, side: Side
) -> tuple[Column, ...]:
    """A bombardment of one side's units in a hex, with their shifts [9.4, 9.51]."""
    targets = position.at(hex, side)
    shared = [
        *lines,
        *approach_lines(position, "bombardment", batteries, hex),
        *crowd_lines(position, "bombardment", targets),
        *hex_lines(position, "bombardment", hex),
    ]
    return target_groups(position, "bombardment", shared, targets, "Bombardment")


def stray_fire(position: Position, hex: Hex, side: Side, die: int) -> tuple[Column, ...]:
    """Friendly fire: the column for a die, without modifiers, whatever was fired [9.53]."""
    heading = position.charts.friendly_fire[die].column
    chart = position.charts.bombardment
    lines = (Line("note", Text("Friendly fire number of a {}", (die,)), str(heading), "9.53", heading),)
    outcomes = chart.outcomes(chart.column(heading))
    calculation = Calculation("Friendly fire", "9.53", lines, chart.dice, 6, outcomes, str(heading))
    return (Column(calculation, tuple(unit.id for unit in position.at(hex, side))),)


# --- the attack ---------------------------------------------------------------------------------------------------


def choices(position: Position, unit: Unit) -> Iterator[Action]:
    """The hexes that an activated unit may bombard."""
    if cannot_fire(position, unit.side, unit):
        return
    yield from (Bombard(unit.id, hex) for hex in targets(position, unit))


def targets(position: Position, unit: Unit) -> Iterator[Hex]:
    """The hexes that a battery may bombard; the leaders who spot for it are looked for once."""
    leaders = posts(position, unit.side)
    for hex in enemy_hexes(position, unit.side):
        if cannot_reach(position, unit, hex) is None:
            if observed(position, unit.side, hex, leaders) or spots_itself(position, unit, hex):
                yield hex


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject a bombardment that may not begin like this."""
    if not isinstance(action, Bombard):
        return Refusal("This action is not a bombardment", PROCEDURE)
    unit = position.units[action.unit]
    return cannot_fire(position, side, unit) or cannot_fire_at(position, unit, action.hex)


def play(game: Game[Position], side: Side, action: Action) -> None:
    """Begin: other batteries may join, then it is rolled."""
    assert isinstance(action, Bombard)
    game.push(Bombarding(side, action.hex, (action.unit,)))


class Bombarding(Frame, frozen=True):
    """A bombardment to which batteries are being added [9.4], then the roll."""

    takes = (AddBattery, Fire)
    step = "bombardment"
    rule = "9.4"
    question = "Bombard {hex}, or add units to the bombardment"
    hex: Hex
    batteries: tuple[UnitId, ...]

    def actors(self, sight: Position, side: str) -> tuple[str, ...]:
        return (NOBODY, *firing(sight))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return attacks.offered(self, sight, side, Fire() if actor == NOBODY else AddBattery(actor))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if not isinstance(action, AddBattery):
            return None
        unit = sight.units[action.unit]
        return (
            attacks.takes_part(unit, self.batteries)
            or cannot_fire(sight, self.side, unit)
            or cannot_fire_at(sight, unit, self.hex)
            or cannot_combine(sight, [*sight.pick(self.batteries), unit])
        )

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case AddBattery(name):
                game.swap(replace(self, batteries=(*self.batteries, name)))
            case Fire():
                game.pop()
                position = game.state
                batteries = position.pick(self.batteries)
                lines = battery_lines(position, batteries)
                note_aid(position, batteries, leaders_with(position, batteries))
                position.finish(*self.batteries)
                shown(game, self.batteries)
                fall(game, self.side, lines, batteries, self.hex)


def fall(game: Game[Position], side: Side, lines: Sequence[Line], batteries: Sequence[Unit], hex: Hex) -> None:
    """Let the rounds fall: on the enemy, in an assault hex on both [9.51], perhaps on friends next to it [9.5,
    9.54].
    """
    position, enemy = game.state, game.state.setting.other[side]
    discover(game, [target.id for target in position.at(hex, enemy)])
    sides = (enemy, side) if position.at(hex, side) else (enemy,)
    game.push(Rounds(side, hex, tuple(lines), tuple(unit.id for unit in batteries), sides))


class Rounds(Frame, frozen=True):
    """A bombardment on its way: one attack for each side in the hex [9.51], then the stray rounds [9.54]."""

    rule = "9.4"
    hex: Hex
    lines: tuple[Line, ...]
    batteries: tuple[UnitId, ...]
    sides: tuple[Side, ...]

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        """Go on with the next side's attack; after the last with the neighbours."""
        position = game.state
        if not self.sides:
            game.pop()
            go_astray(game, self.side, self.hex, 1, self.batteries)
            return
        game.swap(replace(self, sides=self.sides[1:]))
        game.resume_top()
        batteries = position.pick(self.batteries)
        groups = bombardment(position, self.lines, batteries, self.hex, self.sides[0])
        who = joined(unit.name for unit in batteries) if batteries else "Off-board artillery"
        resolve(game, "bombardment", self.batteries, self.hex, self.sides[0], groups, who)


# --- friendly fire ------------------------------------------------------------------------------------------------


class FriendlyFire(Frame, frozen=True):
    """Stray rounds [9.52]: hexes with friends next to the target, one after the other."""

    rule = "9.5"
    hexes: tuple[Hex, ...] = ()
    batteries: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        if not self.hexes:
            game.pop()
            return
        hex, *rest = self.hexes
        game.swap(replace(self, hexes=tuple(rest)))
        game.resume_top()
        stray(game, self.side, hex, self.batteries)


def go_astray(game: Game[Position], side: Side, hex: Hex, times: int, batteries: tuple[UnitId, ...] = ()) -> None:
    """Roll for every hex with friends next to a target: once, or for every aircraft that missed [15.12.a]."""
    hexes = friends_next_to(game.state, side, hex)
    if hexes:
        game.push(FriendlyFire(side, hexes * times, batteries))


def friends_next_to(position: Position, side: Side, hex: Hex) -> tuple[Hex, ...]:
    """The hexes next to a target with units of the firing side [9.52]; lone leaders do not count."""
    around = [other for other in position.map.neighbours[hex] if other is not None]
    return tuple(other for other in around if any(not unit.leader for unit in position.at(other, side)))


def care(position: Position, side: Side, batteries: Sequence[Unit]) -> int:
    """The modifier to the die: one for German, British or American fire [9.52]; off the map that of the side.

    Batteries go by their own country; for several countries the least counts: RULINGS.md P137.
    """
    forces, own = position.charts.forces, position.charts.forces[position.force_of(side)]
    gunners = [own if unit.country in ("", own.nation) else forces.get(unit.country) for unit in batteries] or [own]
    return min(force.friendly_fire if force is not None else 0 for force in gunners)


def stray(game: Game[Position], side: Side, hex: Hex, batteries: Iterable[UnitId]) -> None:
    """One die for a hit on the hex, another for the column; only friends are hit [9.52, 9.53].

    The die itself would reveal a hidden unit: the unit is placed before it falls, RULINGS.md P52.
    """
    position = game.state
    if not position.at(hex, side):
        return
    discover(game, [unit.id for unit in position.at(hex, side)])
    (die,) = game.roll(1, 6)
    added = care(position, side, position.pick(batteries))
    if die + added > position.charts.figure("friendly fire hits up to"):
        game.tell(Event("result", "No stray rounds fall on {}", (hex,), "9.52", (), (hex,), (die,)))
        return
    (number,) = game.roll(1, 6)
    words = "Stray rounds fall on {}: friendly fire number of a {}"
    game.tell(Event("result", words, (hex, number), "9.52", (), (hex,), (die, number)))
    resolve(game, "bombardment", (), hex, side, stray_fire(position, hex, side, number), "Stray rounds")


FRAMES: tuple[type[Frame], ...] = (Bombarding, Rounds, FriendlyFire)
