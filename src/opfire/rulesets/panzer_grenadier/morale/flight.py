"""Flight [14.3, 14.31 to 14.35]: the goals of units that failed to recover, and the leaders who flee along [6.52.a]."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.panzer_grenadier.assault import leaving
from opfire.rulesets.panzer_grenadier.command import kommissars
from opfire.rulesets.panzer_grenadier.fire.reaction import window
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.movement import danger, going, moving, rivers, stepping
from opfire.rulesets.panzer_grenadier.movement.costs import allowance, closed_ground, printed_allowance, step_cost
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId, overstacked
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.works import fieldworks, minefields


class TakeAlong(Action, frozen=True):
    """A leader goes along with the unit that flees from his hex [6.52.a]."""

    says = "{leader} flees along"
    kind = "move"
    leader: UnitId


class FleeTo(Action, frozen=True):
    """Flee one hex on [14.31]."""

    says = "Flee to {to}"
    kind = "move"
    to: Hex


class Stay(Action, frozen=True):
    """Stay in the entrenchment [14.31.a]."""

    says = "Stay in the entrenchment"
    kind = "done"
    final = True


# --- from what, and whether -------------------------------------------------------------------------------------


def flee(game: Game[Position], unit_id: UnitId, with_: tuple[UnitId, ...] = ()) -> None:
    """Let a unit that has failed, now or again [14.31.b], flee from enemies that could hurt it [14.3.a].

    An immobile unit is lost, as weapons are [14.34]: RULINGS.md P133; but not where flight is optional [14.31.a].
    """
    position = game.state
    unit = position.units[unit_id]
    if unit.hex is None:
        return
    if unit.carrier is not None:
        unit = position.unload(unit_id)
    known = known_to(game, unit.side)
    if not must_flee(known, known.units[unit_id]):
        return
    if not printed_allowance(position, unit):
        if not may_stay(known, unit):
            game.tell(Event("result", "{} is abandoned", (unit.name,), "14.34", (unit_id,), (str(unit.hex),)))
            harm.eliminate(game, unit_id)
        return
    for follower in position.pick(with_):
        if follower.carrier is not None:
            position.unload(follower.id)
    game.push(Fleeing(unit.side, unit_id, allowance(position, unit), with_))


def known_to(game: Game[Position], side: Side) -> Position:
    """The knowledge of a side: units do not flee from hidden enemies, or into hexes known to be held only by the
    enemy.
    """
    known: Position = game.ruleset.sight(game.state, side)
    return known


def must_flee(position: Position, unit: Unit) -> bool:
    """Out of an assault hex always [14.35, 14.31.A2], else from enemies that could see, reach, hurt it [14.3.a,
    14.31.A3].

    By either reading of safety: units do not flee from enemies that merely see them: RULINGS.md P127.
    """
    assert unit.hex is not None
    return leaving.leaving(position, unit) or bool(danger.dangers(position, unit, unit.hex))


def safe(position: Position, unit: Unit, hex: Hex) -> bool:
    """Whether a flight ends in a hex: no enemy could spot, reach and hurt the unit there [G.safe-hex, 14.31, 14.32].

    Out of sight is out of danger [14.31.A5], and direct fire needs the firer's own sight [14.31.A7]; we take the first
    of the two ways to read the book's and/or [14.31.A4]. By the strict reading a hex that an enemy combat unit sees is
    not safe, whatever its range and fire [14.31.A6]: RULINGS.md P127.
    """
    if position.setting.has("R14.31"):
        there = unit if unit.hex == hex else replace(unit, hex=hex, spotted=False)
        enemies = {str(one.hex) for one in position.of(position.setting.other[unit.side]) if one.combat}
        return not any(spotting.seen_from(position, enemy, there) for enemy in sorted(enemies))
    return not danger.dangers(position, unit, hex)


def may_stay(position: Position, unit: Unit) -> bool:
    """In an entrenchment, but not in an assault hex, flight is optional [14.31.a]: RULINGS.md P66.

    It is not for units without the use of an entrenchment [16.41].
    """
    return fieldworks.in_entrenchment(position, unit) and not leaving.leaving(position, unit)


def cannot_flee_to(position: Position, unit: Unit, to: Hex, left: int) -> Refusal | None:
    """Reject a fleeing unit that does not get in there [14.31]; a leader's fall does not matter [6.72.A1]."""
    assert unit.hex is not None
    if refusal := stepping.not_next(position, unit, to) or stepping.enemy_there(position, unit, to):
        return refusal
    if refusal := closed_ground(position, unit, unit.hex, to) or rivers.cannot_wade(position, unit, to):
        return refusal
    if rivers.needs_roll(position, unit, to):
        return Refusal("{} cannot flee across the river", "5.73.f", (unit.name,))
    return (
        stepping.vessel_there(position, unit, to)
        or overstacked(position, unit, to)
        or stepping.too_dear(position, unit, to, left)
    )


def ways(position: Position, unit: Unit, left: int) -> list[Hex]:
    """The next hexes of a fleeing unit [14.31, 14.33].

    Away from every enemy that could harm it here or there; if that is impossible, at an equal distance; if neither, it
    stays, but out of an assault hex it goes anywhere [12.13.a]. Of such hexes it takes one that leads to the nearest
    safe hex soonest.
    """
    here = unit.hex
    assert here is not None
    open_hexes = [to for to in position.map.neighbours[here] if to is not None]
    open_hexes = [to for to in open_hexes if cannot_flee_to(position, unit, to, left) is None]
    feared = _feared(position, unit, here)
    gains = {to: gain(position, unit, to, feared) for to in open_hexes}
    if found := [to for to in open_hexes if gains[to] > 0] or [to for to in open_hexes if gains[to] == 0]:
        return toward_safety(position, unit, found, feared)
    return open_hexes if leaving.leaving(position, unit) else []


def _feared(position: Position, unit: Unit, hex: Hex) -> set[Hex]:
    """The hexes of the enemies that could harm the unit in a hex."""
    return {str(enemy.hex) for enemy in danger.dangers(position, unit, hex)}


def gain(position: Position, unit: Unit, to: Hex, feared: set[Hex]) -> int:
    """The distance that a step gains from the enemy that it gains least from [14.33]; `feared` could harm it now."""
    here = unit.hex
    assert here is not None
    harmful = feared.union(enemy.hex for enemy in danger.dangers(position, unit, to))
    harmful |= {enemy.hex for enemy in position.enemies(unit.side, here)}
    distance = position.map.distance
    return min((distance(hex, to) - distance(hex, here) for hex in harmful if hex is not None), default=1)


def toward_safety(position: Position, unit: Unit, steps: list[Hex], feared: set[Hex]) -> list[Hex]:
    """Those of these steps that begin a shortest way to a safe hex that never comes nearer to the enemy [14.31]."""
    assert unit.hex is not None
    origins: dict[Hex, set[Hex]] = {step: {step} for step in steps}
    seen = {unit.hex, *steps}
    while origins:
        if reached := [hex for hex in origins if safe(position, unit, hex)]:
            first = set().union(*(origins[hex] for hex in reached))
            return [step for step in steps if step in first]
        following: dict[Hex, set[Hex]] = {}
        for hex, firsts in origins.items():
            for to in position.map.neighbours[hex]:
                if to is not None and to not in seen and _leads_on(position, unit, hex, to, feared):
                    following.setdefault(to, set()).update(firsts)
        seen.update(following)
        origins = following
    return steps


def _leads_on(position: Position, unit: Unit, hex: Hex, to: Hex, feared: set[Hex]) -> bool:
    distance = position.map.distance
    if any(distance(enemy, to) < distance(enemy, hex) for enemy in feared) or position.enemies(unit.side, to):
        return False
    return step_cost(position, unit, hex, to) is not None


class Fleeing(Frame, frozen=True):
    """A demoralized unit or leader flees [14.31] at its full allowance; out of an assault hex by one hex [14.35].

    `left` counts half points, `with_` are the leaders who flee along. `fled` is set once it has moved, `entered` while
    the hex just entered has yet to act on it, `ending` once it has left an assault hex or crossed a river [5.72].
    """

    takes = (TakeAlong, FleeTo, Stay)
    step = "fleeing"
    rule = "14.31"
    question = "{unit} has to flee"
    unit: UnitId
    left: int
    with_: tuple[UnitId, ...] = ()
    fled: bool = False
    entered: bool = False
    ending: bool = False

    def begin(self, game: Game[Position]) -> None:
        """Without a hex to flee to the unit stays, or is lost in an assault hex [14.33, 12.13.a]."""
        position = known_to(game, self.side)
        unit = position.units[self.unit]
        assert unit.hex is not None
        if leaving.leaving(position, unit) and not ways(position, unit, self.left):
            words = "{} in {} has no way out"
            game.tell(Event("result", words, (unit.name, unit.hex), "12.13.a", (unit.id,), (unit.hex,)))
            game.pop()
            if unit.leader:
                return harm.fall(game, unit.id, "12.13.a")
            return harm.eliminate(game, unit.id)
        if self._over(position):
            where = (unit.hex,)
            words, only = "{} in {} cannot get away and stays", fieldworks.told_to(unit)
            game.tell(Event("result", words, (unit.name, unit.hex), "14.33", (unit.id,), where, only=only))
            end(game, self)

    def resume(self, game: Game[Position], result: object) -> None:
        """After the enemy's fire the hex acts, then the unit flees on if it has to."""
        frame = self
        if self.entered:
            frame = replace(self, entered=False, with_=still_with(game.state, self))
            game.swap(frame)
            meet(game, frame)
            if game.stack[-1] is not frame:
                return
        if frame._over(known_to(game, self.side)):
            end(game, frame)

    def _over(self, position: Position) -> bool:
        unit = position.units[self.unit]
        if unit.hex is None or self.ending or unit.stopped:
            return True
        if self.fled and safe(position, unit, unit.hex):
            return True  # 14.32
        return next(self.offers(position, self.side), None) is None

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield self.unit
        if not self.fled:
            yield from (one.id for one in followers(sight, sight.units[self.unit]) if one.id not in self.with_)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        """Hexes to flee to, or to stay in an entrenchment; a leader goes along if he can."""
        unit = sight.units[self.unit]
        hexes = ways(sight, unit, self.left)
        if actor != self.unit:
            yield from (TakeAlong(actor) for _ in hexes[:1])
            return
        yield from (FleeTo(to) for to in hexes)
        if hexes and not self.fled and may_stay(sight, unit):
            yield Stay()

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        unit = sight.units[self.unit]
        match action:
            case FleeTo(to):
                return cannot_flee_to(sight, unit, to, self.left) or off_the_way(sight, unit, to, self.left)
            case TakeAlong(name):
                return self._cannot_take_along(sight, sight.units[name])
            case Stay():
                if self.fled or not may_stay(sight, unit):
                    return Refusal("{} has to flee", "14.31.a", (unit.name,))
        return None

    def _cannot_take_along(self, position: Position, leader: Unit) -> Refusal | None:
        if self.fled:
            return Refusal("{} has already fled", "6.52.a", (position.units[self.unit].name,))
        if leader.id in self.with_:
            return Refusal("{} already flees along", "6.52.a", (leader.name,))
        return cannot_follow(position, leader, position.units[self.unit])

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case FleeTo(to):
                flee_to(game, self, to)
            case TakeAlong(name):
                if not game.state.units[name].good_order:
                    harm.demoralize(game, name)  # 6.52.a
                game.swap(replace(self, with_=(*self.with_, name)))
            case Stay():
                end(game, self)

    def prompt(self, sight: Position, side: str) -> str:
        return say("{} has to flee: choose the hex", sight.units[self.unit].name)


def off_the_way(position: Position, unit: Unit, to: Hex, left: int) -> Refusal | None:
    """Flight leads away from the enemy [14.33], by the shortest way to safety [14.31]."""
    allowed = ways(position, unit, left)
    if to in allowed:
        return None
    feared = _feared(position, unit, str(unit.hex))
    gained = gain(position, unit, to, feared)
    if gained < 0 or (allowed and gained < gain(position, unit, allowed[0], feared)):
        return Refusal("{} does not lead {} away from the enemy", "14.33", (to, unit.name))
    return Refusal("{} is not on the shortest way to safety", "14.31", (to,))


def followers(position: Position, unit: Unit) -> list[Unit]:
    """The leaders who may flee along [6.52.a]; none of them has to [6.52.A2, 14.31.A1]."""
    assert unit.hex is not None
    there = position.everybody(unit.hex, unit.side)
    return [one for one in there if one.leader and cannot_follow(position, one, unit) is None]


def cannot_follow(position: Position, leader: Unit, unit: Unit) -> Refusal | None:
    """Reject a leader who may not flee along with a unit [6.52.a, 6.53.b]."""
    activation = position.activation
    assert activation is not None
    if unit.leader or not leader.leader or leader.side != unit.side or leader.hex != unit.hex:
        return Refusal("{} is not a leader in the hex of the unit", "6.52.a", (leader.name,))
    if activation.role(leader.id) is None or not activation.fresh(leader):
        return Refusal("{} is not activated in this hex", "6.52.a", (leader.name,))
    if leader.demoralized or leader.carrier is not None:
        return Refusal("{} cannot go along", "6.52.a", (leader.name,))
    if leader.id in activation.aided or activation.spent_by(leader.id):
        return Refusal("{} has already taken part in another action", "6.52.a", (leader.name,))
    return None


def flee_to(game: Game[Position], frame: Fleeing, to: Hex) -> None:
    """One hex farther, under the enemy's fire [13.0]; all the price is paid, one hex can always be had [5.11.a]."""
    position = game.state
    unit = position.units[frame.unit]
    came_from = unit.hex
    assert came_from is not None
    if lurking := [one for one in position.at(to, position.setting.other[frame.side]) if one.hidden]:
        for one in lurking:
            spotting.reveal(game, one.id)
        if stepping.enemy_there(position, unit, to):
            game.resume_top()  # 16.61: it did not know, and flees elsewhere
            return
    was_assault, price = leaving.leaving(position, unit), step_cost(position, unit, came_from, to)
    ending = was_assault or rivers.stops(position, unit, to)
    party = (*(name for name in frame.with_ if position.units[name].hex == came_from), frame.unit)
    for name in party:
        going.go(game, name, to)
    moving.follow_engineer(game, unit, came_from)
    left = max(0, frame.left - (price or 0))
    game.swap(replace(frame, left=left, with_=party[:-1], fled=True, entered=True, ending=ending))
    game.push(window(position, frame.side, to, party[::-1]))
    if was_assault:
        for name in party:
            leaving.exited(game, name, came_from)


def still_with(position: Position, frame: Fleeing) -> tuple[UnitId, ...]:
    """The leaders who flee on: a leader disrupted on the way stays behind [6.52.a, 14.2], except a kommissar [6.63]."""
    able = [one for one in position.pick(frame.with_) if one.state != "disrupted" or kommissars.is_kommissar(one)]
    stay = [one for one in position.pick(frame.with_) if one not in able]
    position.finish(*(one.id for one in stay))
    return tuple(one.id for one in able)


def meet(game: Game[Position], frame: Fleeing) -> None:
    """Apply the hex to units that come into it: enemy leaders and empty transports [5.31, 6.71.a], mines [16.71]."""
    position = game.state
    unit = position.units[frame.unit]
    if unit.hex is None:
        return
    if unit.combat:
        going.ride_over(game, unit.hex, frame.side)
    minefields.entered(game, (frame.unit,), unit.hex)


def end(game: Game[Position], frame: Fleeing) -> None:
    """Mark all units that fled MOVED/FIRED [14.3.a]."""
    position = game.state
    position.finish(*(name for name in (frame.unit, *frame.with_) if position.units[name].hex is not None))
    game.pop()


FRAMES: tuple[type[Frame], ...] = (Fleeing,)
