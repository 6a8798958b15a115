"""Close assault [8.8]: declared in contact, resolved after all movement, step by step, with a retreat at the end."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH
from opfire.core.texts import Text, say
from opfire.rulesets.micro_armour.alternation import Begin
from opfire.rulesets.micro_armour.charts import LEAST, Result, Weapon
from opfire.rulesets.micro_armour.close.rolls import combat_roll, strike
from opfire.rulesets.micro_armour.cohesion import SUCCESS, cohesion_roll, level, modifier, states, tested
from opfire.rulesets.micro_armour.fire.attacks import Shot, deplete
from opfire.rulesets.micro_armour.fire.guns import halved, halving, in_field, second_weapon, side_arms
from opfire.rulesets.micro_armour.moving.marching import (
    Move,
    cannot_march,
    facing_to,
    farthest,
    left,
    rough_allowance,
    under_way,
    wrong_way,
)
from opfire.rulesets.micro_armour.pieces import (
    ARTILLERY,
    Position,
    Side,
    Stand,
    UnitId,
    adjacent,
    carried,
    not_yours,
    off_the_table,
)
from opfire.rulesets.micro_armour.retreats import FlameRetreats, Retreating
from opfire.rulesets.micro_armour.terrain import BUILDINGS, FACED, terrain_of
from opfire.rulesets.micro_armour.works.means import is_engineer
from opfire.space.measure import MICRO, square
from opfire.space.squares import around

AT_CLOSE_QUARTERS, ENGINEERS, FIRE_AND_MOVE, CAVALRY = -3, -3, 3, 2
"""The modifiers of the combat roll for everybody and for engineers, that of the response, and cavalry's factor."""


class Assault(Action, frozen=True):
    """Declare a close assault on an enemy in contact: the move is over, and the enemy is pinned."""

    says = "{unit} assaults {target}"
    kind = "assault"
    unit: UnitId
    target: UnitId


class Resolve(Action, frozen=True):
    """Resolve the close assault on a stand."""

    says = "Resolve the assault on {target}"
    kind = "assault"
    final = True
    target: UnitId


class NoMoreAssaults(Action, frozen=True):
    """Declare no more close assaults."""

    says = "No more assaults"
    kind = "done"
    final = True


class StrikeBack(Action, frozen=True):
    """Choose the assaulter that the defender attacks."""

    says = "{unit} attacks {target}"
    kind = "fire"
    final = True
    unit: UnitId
    target: UnitId


# --- declaring ----------------------------------------------------------------------------------------------------


def cannot_assault(position: Position, unit: Stand, action: Assault) -> Refusal | None:
    """Reject a close assault that the stand, its points or the enemy's place do not allow [8.8.1, 8.8.2, 8.8.9].

    Smoke does not matter [7.4.7.1-2]; mounted cavalry assaults no buildings [10.10.1], and broken forces nobody who is
    farther from their edge [12.1.5-6].
    """
    target = position.units[action.target]
    if refusal := no_assaulter(unit):
        return refusal
    if target.side == unit.side or target.at is None or target.carrier is not None:
        return Refusal("{} is no enemy on the table.", PROCEDURE, (target.name,))
    if not adjacent(unit, target):
        return Refusal("{} is not in contact with {}.", "8.8.2", (unit.name, target.name))
    if refusal := wrong_way(position, unit, target.at):
        return refusal
    if left(position, unit) < MICRO:
        return Refusal("{} has no movement point left for the assault.", "8.8.2", (unit.name,))
    if unit.kind.has("bicycle") and unit.spent + MICRO > rough_allowance(unit):
        return Refusal("{} has only bicycle points left, and assaults on foot.", "10.11.2", (unit.name,))
    if unit.kind.has("cavalry") and not {*BUILDINGS, *FACED}.isdisjoint(terrain_of(position, target)):
        return Refusal("Cavalry does not assault {} there.", "8.8.9", (target.name,))
    return None


def no_assaulter(unit: Stand) -> Refusal | None:
    """Reject a stand that is neither infantry nor cavalry [8.8.1], or not in the movement posture [8.8.2]."""
    if unit.kind.kind != "personnel" or not unit.kind.armed:
        return Refusal("Only infantry and cavalry assault, not {}.", "8.8.1", (unit.name,))
    if unit.posture != "movement":
        return Refusal("{} is not in the movement posture.", "8.8.2", (unit.name,))
    return None


def offers(position: Position, unit: Stand) -> Iterator[Offer]:
    """The assaults on enemies in contact, and the legs into contact that leave a point for one."""
    if unit.at is None or no_assaulter(unit):
        return
    far = farthest(position, unit) * INCH // MICRO + INCH
    for target in position.enemies(unit.side):
        assert target.at is not None
        if cannot_assault(position, unit, Assault(unit.id, target.id)) is None:
            yield Assault(unit.id, target.id)
        elif square(unit.at, target.at) <= far**2:
            yield from _approaches(position, unit, target)


def _approaches(position: Position, unit: Stand, target: Stand) -> Iterator[Move]:
    assert target.at is not None
    for to in around(target.at, target.facing):
        move = Move(unit.id, to, facing_to(to, target))
        if to != unit.at and cannot_march(position, unit, move) is None:
            yield move


def play(game: Game[Position], action: Assault) -> None:
    """Declare the assault as the end of a move: the target may not move away [8.8.5]."""
    game.state.progress = replace(under_way(game.state), halted=True)
    declare(game, action)


def declare(game: Game[Position], action: Assault) -> None:
    """Note the declaration of an assault [8.8.2]."""
    position = game.state
    unit, target = position.change(action.unit, assaults=action.target), position.units[action.target]
    places = (target.at,) if target.at is not None else ()
    names = (unit.id, target.id)
    game.tell(Event("assault", "{} will assault {}", (unit.name, target.name), "8.8.2", names, places))


# --- the values of both sides ---------------------------------------------------------------------------------------


def arms(position: Position, striker: Stand, target: Stand) -> Weapon:
    """The weapon of a stand at close quarters [8.8.4].

    Artillery, and weapons that do not face the enemy, fight with small arms [7.4.8, 8.8.4]; of two others the better
    one counts.
    """
    assert target.at is not None
    found = [striker.kind, second_weapon(position, striker)]
    able = [each for each in found if each is not None and in_field(position, striker, target.at, each)]
    if striker.kind.kind in ARTILLERY or not able:
        return side_arms(position, striker)
    return max(able, key=lambda weapon: power_of(weapon, target))


def power_of(weapon: Weapon, target: Stand) -> int:
    """The firepower of a weapon against the class of a target, at whatever range [8.8.11]."""
    return (weapon.ap if target.armoured else weapon.he) or 0


def strength(position: Position, striker: Stand, target: Stand) -> Iterator[Line]:
    """The firepower of a stand at close quarters; the last line counts.

    Mounted cavalry that assaults has double [8.8.9, 10.10.1].
    """
    weapon = arms(position, striker, target)
    power = 0 if target.armoured and striker.depleted and weapon is striker.kind else power_of(weapon, target)
    yield Line("attack", weapon.name, str(power), "8.8.11", power)
    responds = target.assaults == striker.id and striker.assaults != target.id
    spared = target.vehicle if position.setting.has("R115") else target.armoured  # RULINGS.md R115
    if striker.kind.has("cavalry") and not spared and not responds:
        yield Line("attack", "cavalry", str(power * CAVALRY), "8.8.9", power * CAVALRY)


def resistance(position: Position, target: Stand) -> Iterator[Line]:
    """The defence of a stand at close quarters; the last line counts. Armour keeps half, rounded up [8.8.8]."""
    own = side_arms(position, target) if target.kind.kind in ARTILLERY and not target.armoured else target.kind
    value = target.defence if own is target.kind else own.defence or 0
    yield Line("defence", target.name, f"[{value}]" if target.armoured else str(value), "7.1.8-class", value)
    if target.armoured:
        yield halved("at close quarters", value, "8.8.8")
    elif own.p_halved and target.posture in halving(position) and not target.boats:
        yield Line("defence", Text("{} posture", (target.posture,)), str(value // 2), "10.3", value // 2)


def assault_roll(position: Position, striker: Stand, target: Stand) -> Calculation:
    """The combat roll at close quarters: no terrain, no range, 3 off the dice [8.8.3-2, 8.8.3-4, 8.8.10]."""
    attack, defence = [*strength(position, striker, target)], [*resistance(position, target)]
    differential = attack[-1].amount - defence[-1].amount
    lines = [*attack, *defence, modifier("close assault", AT_CLOSE_QUARTERS, "8.8.3-4")]
    if is_engineer(striker):
        lines.append(modifier("engineers", ENGINEERS, "11.5.1"))
    if not attack[-1].amount:
        return combat_roll(position.charts, "Close assault", "8.8.3-4", -9, lines)
    found = combat_roll(position.charts, "Close assault", "8.8.3-4", differential, lines)
    below = differential < LEAST and not position.setting.has("R116")
    return _suppressing(found) if striker.kind.has("support") and not below else found


def _suppressing(roll: Calculation) -> Calculation:
    """Support stands suppress where others have no effect [10.4], but not below the first column [7.1.10-low]."""
    return replace(roll, outcomes=tuple("S" if each == "-" else each for each in roll.outcomes))


def responds(position: Position, target: Stand) -> bool:
    """Return whether the posture of a defender lets it respond: firing or fire/move, fired or not [8.8.3, 8.8.4].

    By another reading it is the firing posture only: RULINGS.md R114.
    """
    return target.posture == "firing" or (target.posture == "fire/move" and not position.setting.has("R114"))


def response_roll(position: Position, target: Stand) -> Calculation:
    """The roll of the defender before it strikes back [8.8.3-1]."""
    lines = [*states(target)]
    if target.posture == "fire/move":
        lines.append(modifier("fire/move posture", FIRE_AND_MOVE, "8.8.3-1"))
    return cohesion_roll("defence against close assault", "8.8.3-1", level(position, target), lines)


def courage_roll(position: Position, unit: Stand) -> Calculation:
    """The roll of an assaulter before it attacks [8.8.3-3]."""
    return cohesion_roll("close assault", "8.8.3-3", level(position, unit), states(unit))


# --- resolving ------------------------------------------------------------------------------------------------------


def assaulters(position: Position, target: Stand) -> list[Stand]:
    """The stands that assault a stand, in the order of their side [8.8.6].

    One that has been driven off by an assault on itself, and touches its target no more, does not [8.8.2, 8.8.7].
    """
    enemies = position.of(position.setting.other[target.side])
    return [unit for unit in enemies if unit.assaults == target.id and adjacent(unit, target)]


def pending(position: Position, side: Side) -> list[Stand]:
    """The stands that a side assaults and that are still to be resolved."""
    return [enemy for enemy in position.enemies(side) if assaulters(position, enemy)]


class LateDeclarations(Frame, frozen=True):
    """By another reading stands in contact that were marked to move declare now as well, moved or not: RULINGS.md R98.

    `waiting` are the sides that are asked after this one [8.8.2].
    """

    takes = (Assault, NoMoreAssaults)
    step = "assaults"
    rule = "8.8.2"
    question = "Declare close assaults of stands in contact, or go on"
    waiting: tuple[Side, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        position = game.state
        sides = (position.initiative, position.setting.other[position.initiative])
        _ask(game, self, sides if position.setting.has("R98") else ())

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if next(self.acts(sight, side, unit.id), None) is not None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield NoMoreAssaults()
        else:
            yield from declarations(sight, sight.units[actor])

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if not isinstance(action, Assault):
            return None
        unit = sight.units[action.unit]
        if refusal := not_yours(side, unit) or off_the_table(unit) or carried(unit):
            return refusal
        if unit.assaults:
            return Refusal("{} has declared its assault.", "8.8.2", (unit.name,))
        return cannot_assault(sight, unit, action)

    def play(self, game: Game[Position], action: Action) -> None:
        if isinstance(action, Assault):
            return declare(game, action)
        _ask(game, self, self.waiting)


def _ask(game: Game[Position], frame: LateDeclarations, sides: tuple[Side, ...]) -> None:
    """Ask the next side that has anything to declare, or end."""
    for number, side in enumerate(sides):
        if len([*frame.actors(game.state, side)]) > 1:
            return game.swap(replace(frame, side=side, waiting=sides[number + 1 :]))
    game.pop()


class StoppedInContact(Frame, frozen=True):
    """A stand that was stopped in contact declares its assault now, or not at all [8.5.4, 8.8.2]."""

    takes = (Assault, NoMoreAssaults)
    step = "movement"
    rule = "8.8.2"
    question = "{unit} goes no farther: does it assault an enemy in contact?"
    unit: UnitId

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield from (NOBODY, self.unit)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield NoMoreAssaults()
        else:
            yield from declarations(sight, sight.units[actor])

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if not isinstance(action, Assault):
            return None
        unit = sight.units[action.unit]
        if unit.id != self.unit:
            return Refusal("{} declares now, or not at all.", "8.8.2", (sight.units[self.unit].name,))
        return cannot_assault(sight, unit, action)

    def play(self, game: Game[Position], action: Action) -> None:
        if isinstance(action, Assault):
            declare(game, action)
        game.pop()

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, unit=sight.units[self.unit].name)


def declarations(position: Position, unit: Stand) -> Iterator[Assault]:
    """The assaults that a stand may declare where it is."""
    if unit.at is None or unit.assaults:
        return
    found = (Assault(unit.id, target.id) for target in position.enemies(unit.side))
    yield from (each for each in found if cannot_assault(position, unit, each) is None)


class CloseAssaults(Frame, frozen=True):
    """The sides complete their assaults in turn; the side with the initiative decides which goes first [8.8.7]."""

    takes = (Begin, Resolve)
    step = "assaults"
    rule = "8.8.7"
    begun: bool = False

    def begin(self, game: Game[Position]) -> None:
        _next(game, replace(self, side=game.state.initiative))

    def prompt(self, sight: Position, side: str) -> str:
        return say("Resolve an assault" if self.begun else "Which side completes an assault first?")

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if not self.begun:
            yield from (Begin(first) for first in sight.setting.sides)
        else:
            yield from (Resolve(target.id) for target in pending(sight, side))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if isinstance(action, Begin):
            known = action.first in sight.setting.sides and not self.begun
            return None if known else Refusal("The assaults have begun.", PROCEDURE)
        assert isinstance(action, Resolve)
        if not self.begun or sight.units[action.target] not in pending(sight, side):
            return Refusal("No assault of yours waits there.", "8.8.7")
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Begin(first):
                game.swap(replace(self, side=first, begun=True))
            case Resolve(target):
                for unit in assaulters(game.state, game.state.units[target]):
                    game.state.change(unit.id, shots=(*unit.shots, target))
                game.push(CloseAssault(self.side, target))

    def resume(self, game: Game[Position], result: object) -> None:
        """The other side completes its next assault."""
        _next(game, replace(self, side=game.state.setting.other[self.side]))


def _next(game: Game[Position], frame: CloseAssaults) -> None:
    """Ask the side on turn, or the other one where it has no assault left.

    After the last one, stands retreat that opportunity fire of flamethrowers has driven off in this phase [11.6.1].
    """
    position = game.state
    able = [side for side in position.setting.sides if pending(position, side)]
    if not able:
        game.pop()
        return game.push(FlameRetreats(position.initiative))
    if len(able) == 2 and not frame.begun:
        return game.swap(frame)
    game.swap(replace(frame, side=frame.side if frame.side in able else able[0], begun=True))


class CloseAssault(Frame, frozen=True):
    """One assault, step by step [8.8.3]: the defender's response, then the assaulters, then the retreat."""

    rule = "8.8.3"
    target: UnitId

    def begin(self, game: Game[Position]) -> None:
        """The defender responds first, if its posture and its roll let it [8.8.3-1]."""
        position = game.state
        target = position.units[self.target]
        if responds(position, target) and _succeeds(game, target, response_roll(position, target)):
            return game.push(Response(target.side, target.id))
        game.resume_top()

    def resume(self, game: Game[Position], result: object) -> None:
        """The assaulters roll and attack one by one; a disorganized defender retreats [8.8.3-4, 8.8.3-5]."""
        position = game.state
        target = position.units[self.target]
        stands, cause = assaulters(position, target), None
        for unit in stands:
            done = attack(game, unit.id, self.target)
            cause = cause or (unit if done == "D" else None)
        for unit in stands:
            position.change(unit.id, assaults="")
        game.pop()
        if cause is not None and cause.at is not None and position.units[self.target].at is not None:
            game.push(Retreating(target.side, self.target, cause.at))


def attack(game: Game[Position], unit_id: UnitId, target_id: UnitId) -> Result:
    """An assaulter rolls, and attacks if it dares [8.8.3-3, 8.8.3-4]; return what that came to."""
    position = game.state
    unit, target = position.units[unit_id], position.units[target_id]
    if unit.at is None or target.at is None or not _succeeds(game, unit, courage_roll(position, unit)):
        return "-"
    return blow(game, unit_id, target_id)


def blow(game: Game[Position], unit_id: UnitId, target_id: UnitId) -> Result:
    """Strike a stand at close quarters; anti-tank weapons may be spent [10.14]."""
    position = game.state
    unit, target = position.units[unit_id], position.units[target_id]
    done, total = strike(game, unit, target_id, assault_roll(position, unit, target))
    deplete(game, unit_id, Shot(unit_id), target, total)
    return done


def _succeeds(game: Game[Position], unit: Stand, roll: Calculation) -> bool:
    return roll.result([tested(game, unit, roll)]) == SUCCESS


class Response(Frame, frozen=True):
    """The defender attacks one assaulter [8.8.3-2]."""

    takes = (StrikeBack,)
    step = "assaults"
    rule = "8.8.3-2"
    question = "Which assaulter does the defender attack?"
    unit: UnitId

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield self.unit

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor != NOBODY:
            yield from (StrikeBack(self.unit, each.id) for each in assaulters(sight, sight.units[self.unit]))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        assert isinstance(action, StrikeBack)
        if action.unit != self.unit or sight.units[action.target].assaults != self.unit:
            return Refusal("The defender attacks a stand that assaults it.", "8.8.3-2")
        return None

    def play(self, game: Game[Position], action: StrikeBack) -> None:
        blow(game, self.unit, action.target)
        game.pop()
