"""The move of a vehicle or a leg unit [4.5.1, 6.6], step by step, under overwatch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.panzer import escorts, hiding, stowed
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire import dismount_attack, trailer, turrets
from opfire.rulesets.panzer.fire.dismount_attack import DismountAttack
from opfire.rulesets.panzer.fire.losses import knock_out
from opfire.rulesets.panzer.fire.overrun import Announcing, Overrun, overrun, within_walls
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.plates import LOWER_HULL
from opfire.rulesets.panzer.fire.trailer import Jettison
from opfire.rulesets.panzer.fire.turrets import AdjustTurret
from opfire.rulesets.panzer.ground import SUNKEN
from opfire.rulesets.panzer.indirect import barrages, screens
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import (
    bogging,
    hull_down,
    narrow,
    quickmarch,
    searching,
    swimming,
    transport,
)
from opfire.rulesets.panzer.moving.acts import WAYS, cannot_act, cannot_go_on, driven_over, ways_on
from opfire.rulesets.panzer.moving.going import (
    MOST_TURNED,
    Escort,
    ExitMap,
    Going,
    Move,
    Stay,
    Turn,
    after,
    after_turn,
    allowed_to,
    cannot_stop,
    fee,
    handling,
    lamed,
    only_hex,
    passage,
    priced,
    spent_out,
)
from opfire.rulesets.panzer.moving.hull_down import Search
from opfire.rulesets.panzer.moving.narrow import Push
from opfire.rulesets.panzer.moving.quickmarch import Quickmarch
from opfire.rulesets.panzer.moving.searching import Course, FollowSound, Roam
from opfire.rulesets.panzer.moving.transport import Dismount, JumpOff, Mount
from opfire.rulesets.panzer.pieces import (
    Hex,
    Position,
    Unit,
    UnitId,
    on_roof,
)
from opfire.rulesets.panzer.works import buildings, dust, mines, obstacles
from opfire.rulesets.panzer.works.buildings import ChangeFloor, ComeOut, GoInside
from opfire.rulesets.panzer.works.entrenching import occupy
from opfire.rulesets.panzer.works.hedges import DigHedge


def set_off(game: Game[Position], unit_id: UnitId) -> None:
    """A vehicle begins its move: its command is open, and it is marked as moving, even if it stays.

    A unit that crawls does not count as moving. Hull Down positions and those at hedgerows are given up.
    Rules: [4.5.1, 4.5.1.1.8, 6.6.4.3-status, 6.6.9-leave, 7.45].
    """
    reveal(game, unit_id)
    hull_down.abandon(game, unit_id)
    checks.flinch(game, unit_id)
    game.state.change(unit_id, camouflaged=False, hedge="")
    if not game.state.units[unit_id].full_cover:  # 6.6.4.3-status: crawling is not moving
        game.state.change(unit_id, moving=True, fresh="move")


class Moving(Frame, frozen=True):
    """A vehicle on its way; the other side may fire from overwatch at every step and turn [4.5.1.1].

    `back` is the hex from which a vehicle drove into an Overrun [6.6.10.1-end]. A `party` moves under the cover of the
    vehicle, each unit with its own move so far [7.49-cond]. A unit on Random Recon keeps to its `course` [7.60.1-min].
    A `sound` vehicle set off without damage that slows it, and has met none yet [4.4.3.2.6-damaged]. The move is `over`
    when a unit stays where it is, but for overwatch fire at it [4.5.1.1.8].
    """

    takes = WAYS
    step = "moving"
    rule = "4.5.1.1"
    question = "Move {unit} on, or end its move"
    unit: UnitId
    going: Going = Going()
    first: Action | None = None
    back: Hex = ""
    party: tuple[tuple[UnitId, Going], ...] = ()
    course: Course | None = None
    sound: bool = False
    over: bool = False

    def begin(self, game: Game[Position]) -> None:
        if self.first is not None:
            replace(self, first=None)._carry_out(game, self.first)

    def resume(self, game: Game[Position], result: object) -> None:
        """After overwatch fire: go on, unless the vehicle is gone or has a track hit [6.5.2.2.1].

        An Overrun for which others were to be announced is carried out now [6.6.10-announce].
        """
        unit = game.state.units[self.unit]
        if self.first is not None:
            return replace(self, first=None)._carry_out(game, self.first)
        if self.over or unit.hex is None or unit.track_hit:
            self._end(game)
        elif self.sound and lamed(unit):
            game.swap(self._lamed(game.state, self.going))

    def _lamed(self, position: Position, going: Going) -> Moving:
        """The move after damage on the way, which halves the rest of the allowance at once, rounded down.

        Rules: [4.4.3.2.6-damaged, 6.5.2.2.4].
        """
        unit = position.units[self.unit]
        left = max(0, allowed_to(position, replace(unit, damaged=False), going) - going.spent)
        spent = allowed_to(position, unit, going) - left // 2
        return replace(self, going=going._replace(spent=spent), sound=False)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield self.unit

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        found = self._ways(sight) if actor == self.unit else []
        yield from found or ([Stay(self.unit)] if actor == self.unit else [])
        if found and Stay(self.unit) not in found and self._stuck(found):
            yield Stay(self.unit)

    def _ways(self, sight: Position) -> list[Action]:
        """Everything that the vehicle may do next, with its party."""
        unit = sight.units[self.unit]
        if self.course is not None:
            return self._on_course(sight, unit, self.course)
        return [way for way in ways_on(sight, unit, self.going) if self._parts(sight, way) is None]

    def _on_course(self, sight: Position, unit: Unit, course: Course) -> list[Action]:
        """The steps along the course of a unit on Random Recon, and the turns towards them [7.60.1-min].

        It stops only after a step, or where no step is possible; an amphibious vehicle need not swim.
        """
        ways = searching.ways(sight, unit, course, self.going.steps)
        ahead = [hex for way in ways if (hex := sight.map.neighbours[str(unit.hex)][way])]
        turns = [Turn(unit.id, way) for way in ways if unit.is_vehicle and self._leads_somewhere(sight, unit, way)]
        steps = [Move(unit.id, hex, along) for hex in ahead for along in (False, True)]
        found = [act for act in (*steps, *turns) if cannot_act(sight, unit, act, self.going) is None]
        dry = (act for act in found if not (isinstance(act, Move) and swimming.must_swim(sight, unit, act.to)))
        may_stop = bool(self.going.steps) or not any(dry)
        return [*found, *([Stay(unit.id)] if may_stop and cannot_stop(sight, unit) is None else [])]

    def _leads_somewhere(self, sight: Position, unit: Unit, way: int) -> bool:
        """Return whether a turn leads to ground that a vehicle on Random Recon can enter [7.60.1-min]."""
        hex = sight.map.neighbours[str(unit.hex)][way]
        turned = replace(unit, facing=way)
        moves = (Move(unit.id, hex, along) for along in (False, True)) if hex else ()
        return any(not isinstance(priced(sight, turned, move), Refusal) for move in moves)

    def _parts(self, sight: Position, action: Action) -> Refusal | None:
        """Refuse acts that part a vehicle from the units under its cover: they keep to one hex [7.49-cond]."""
        if not self.party or isinstance(action, Turn | AdjustTurret | Jettison | Stay):
            return None
        if not isinstance(action, Move):
            return Refusal(
                "{} keeps together with the units under its cover", "7.49-cond", (sight.units[self.unit].name,)
            )
        steps = (self._follows(sight, name, going, action) for name, going in self.party)
        return next((step for step in steps if isinstance(step, Refusal)), None)

    def _follows(self, position: Position, name: UnitId, going: Going, move: Move) -> Going | Refusal:
        """The step of a unit under the cover of the vehicle, or the reason against it [7.49-cond]."""
        return after(position, position.units[name], Move(name, move.to), going)

    def _stuck(self, ways: Iterable[Action]) -> bool:
        """Return whether a vehicle in an Overrun can drive no further, and so goes back [6.6.10.1-end]."""
        return bool(self.back) and not any(isinstance(way, Move) for way in ways)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        if (named := str(getattr(action, "unit", ""))) != self.unit:
            return Refusal("{} is moving: end its move first", "4.5.1.1", (sight.units[self.unit].name or named,))
        if self.course is not None:
            return self._off_course(sight, action)
        refusal = cannot_go_on(sight, sight.units[self.unit], action, self.going) or self._parts(sight, action)
        if refusal is None or not isinstance(action, Stay):
            return refusal
        ways = self._ways(sight)
        return refusal if ways and not self._stuck(ways) else None  # nowhere else to go: RULINGS.md R49

    def _off_course(self, sight: Position, action: Action) -> Refusal | None:
        """Refuse an act that the course of a unit on Random Recon does not allow [7.60.1-min]."""
        unit, ways = sight.units[self.unit], self._ways(sight)
        if action in ways or (isinstance(action, Stay) and not ways):
            return None
        refusal = cannot_act(sight, unit, action, self.going) if isinstance(action, Move | Turn) else None
        return refusal or Refusal("{} is on Random Recon: it keeps to its course", "7.60.1-min", (unit.name,))

    def play(self, game: Game[Position], action: Action) -> None:
        self._carry_out(game, action)

    def _carry_out(self, game: Game[Position], action: Action) -> None:
        match action:
            case Move():
                replace(self, back="")._step(game, action)
            case Overrun():
                self._overrun(game, action)
            case Roam(name):
                game.swap(replace(self, course=searching.rolled(game, game.state.units[name]), first=None))
            case FollowSound():
                game.swap(replace(self, course=searching.follow(game, action), first=None))
            case Escort():
                self._gather(game)
            case DismountAttack():
                self._storm(game, action)
            case ChangeFloor():
                self._climb(game)
            case DigHedge(_, hex):
                self._dig_in(game, hex)
            case Push():
                self._push(game, action)
            case Jettison(name):
                trailer.jettison(game, name)
                game.swap(replace(self, first=None))
            case AdjustTurret():
                turned = turrets.swing(game, action)
                self._watched(game, self.going._replace(swung=self.going.swung + turned))
            case Turn(_, facing):
                self._turn(game, facing)
            case Mount() | Dismount() | JumpOff():
                self._load(game, action)
            case Quickmarch():
                game.swap(replace(self, going=self.going._replace(quick=True), first=None))
            case Search():
                self._search(game, action)
            case GoInside() | ComeOut():
                self._through(game, action)
            case ExitMap():
                leave(game, self.unit)
                self._end(game)
            case _ if self.going == Going() and game.state.units[self.unit].moving:
                replace(self, over=True)._watched(game, self.going)  # 4.5.1.1.8: to stay is to move
            case _:
                self._end(game)

    def _step(self, game: Game[Position], move: Move) -> None:
        position = game.state
        unit = position.units[self.unit]
        gone = after(position, unit, move, self.going)
        assert not isinstance(gone, Refusal)
        steps = [(name, self._follows(position, name, going, move)) for name, going in self.party]
        if not move.along_road and bogging.bogs(game, self.unit):
            return self._end(game)
        if unit.inside and not self._out(game, gone.last):
            return self._end(game)
        frame = self
        if self.sound and lamed(position.units[self.unit]):  # 6.6.3-stop: at the wall, before it pays
            left = self._left(game, unit) - gone.last
            gone = gone._replace(spent=allowed_to(position, position.units[self.unit], gone) - left)
            frame = replace(self, sound=False)
        narrow.line_up(position, unit, move.to)
        position.put(self.unit, move.to, exposed=comes_up(position, unit, move.to))
        way = (str(unit.hex), move.to)
        game.tell(Event("moved", "{} moves to {}", (unit.name, move.to), "4.5.1.1", (unit.id,), way))
        obstacles.flatten(game, position.units[self.unit])
        run_over(game, position.units[self.unit])
        mines.strike(game, self.unit, hurried=self.going.quick)
        gone = gone._replace(met=barrages.meet(game, self.unit, gone.met))
        party = self._along(game, steps)
        course = self.course and searching.gone_on(position, self.course, str(unit.hex), move.to)
        replace(frame, party=party, course=course)._watched(game, gone, *(name for name, _ in party))

    def _gather(self, game: Game[Position]) -> None:
        """The units under the cover of the vehicle set off with it [7.49-cond]."""
        units = escorts.followers(game.state, game.state.units[self.unit])
        for unit in units:
            set_off(game, unit.id)
        game.swap(replace(self, party=tuple((unit.id, Going()) for unit in units), first=None))

    def _along(
        self, game: Game[Position], steps: Iterable[tuple[UnitId, Going | Refusal]]
    ) -> tuple[tuple[UnitId, Going], ...]:
        """The party enters the hex of the vehicle, through mines and barrages; those that are left [7.49-cond]."""
        hex, party = game.state.units[self.unit].hex, []
        for name, gone in steps:
            assert not isinstance(gone, Refusal)
            if hex is not None and game.state.units[name].hex is not None:
                way = (str(game.state.units[name].hex), hex)
                unit = game.state.put(name, hex)
                game.tell(Event("moved", "{} moves to {}", (unit.name, hex), "7.49-cond", (name,), way))
                mines.strike(game, name)
                party.append((name, gone._replace(met=barrages.meet(game, name, gone.met))))
        return tuple(each for each in party if game.state.units[each[0]].hex is not None)

    def _overrun(self, game: Game[Position], act: Overrun) -> None:
        """Drive into the hex of the target and fight there; overwatch fires after it at the earliest [6.6.10-ow].

        Soft ground, walls, mines and barrages on the way count as in any step.
        Rules: [7.29-when, 6.6.3-check, 7.31.2, 6.6.6-attack].
        """
        position = game.state
        unit, target = position.units[self.unit], position.units[act.target]
        if not target.overrun:
            position.change(target.id, overrun=True)
            game.swap(replace(self, first=act))
            return game.push(Announcing(self.side, target.id, self.unit))
        gone = driven_over(position, unit, act, self.going)
        assert not isinstance(gone, Refusal)
        if (not act.along_road and bogging.bogs(game, self.unit)) or (unit.inside and not self._out(game, gone.last)):
            return self._end(game)
        hex = str(target.hex)
        position.put(self.unit, hex)
        game.tell(Event("moved", "{} moves to {}", (unit.name, hex), "4.5.1.1", (unit.id,), (str(unit.hex), hex)))
        obstacles.flatten(game, position.units[self.unit])
        mines.strike(game, self.unit)
        gone = gone._replace(met=barrages.meet(game, self.unit, gone.met))
        there = replace(self, going=gone, first=None, back=str(unit.hex))
        game.swap(there)
        if not there._in_shape(game) or (within_walls(position, target) and not there._breaks_in(game)):
            return there._end(game)
        overrun(game, self.unit, act.target)

    def _in_shape(self, game: Game[Position]) -> bool:
        """Return whether the vehicle is still there, and can move: RULINGS.md R170."""
        unit = game.state.units[self.unit]
        return unit.hex is not None and not unit.track_hit

    def _breaks_in(self, game: Game[Position]) -> bool:
        """A vehicle drives into the building of its target; return whether it gets in [6.6.10-bldg].

        With a Track Hit it is put back, and there is no Overrun: RULINGS.md R149. Hull damage halves the movement that
        is left.
        """
        position, before = game.state, game.state.units[self.unit]
        left = allowed_to(position, before, self.going) - self.going.spent
        if not buildings.pass_wall(game, self.unit):
            return False
        unit = position.change(self.unit, inside=True)
        if unit.damaged_part == "hull" and before.damaged_part != "hull":
            spent = allowed_to(position, unit, self.going) - left // 2
            game.swap(replace(self, going=self.going._replace(spent=spent)))
        return True

    def _storm(self, game: Game[Position], action: DismountAttack) -> None:
        """A passenger dismounts and attacks; the vehicle pays for it, and may go on [6.6.1.1-dis, 6.6.7.1.1-veh]."""
        going, unit = self.going, game.state.units[self.unit]
        going = going._replace(spent=going.spent + handling(game.state, unit, going), loaded=True)
        game.swap(replace(self, going=going, first=None))
        dismount_attack.storm(game, action, going.met)

    def _dig_in(self, game: Game[Position], hex: Hex) -> None:
        """A leg unit spends its move to dig in at a hedgerow [7.45]."""
        unit = game.state.change(self.unit, hedge=hex)
        places = (str(unit.hex), hex)
        game.tell(Event("dug", "{} digs in at the hedgerow", (unit.name,), "7.45", (unit.id,), places))
        self._watched(game, self.going._replace(spent=allowed_to(game.state, unit, self.going)))

    def _push(self, game: Game[Position], action: Push) -> None:
        """A vehicle spends its move to push something off a narrow road [7.30-push]."""
        narrow.push(game, action)
        over = spent_out(game.state, game.state.units[self.unit], self.going)
        self._watched(game, over._replace(turned=MOST_TURNED))

    def _climb(self, game: Game[Position]) -> None:
        """A leg unit goes up, or down [6.6.4.1-bldg]."""
        unit = game.state.units[self.unit]
        changed = game.state.change(self.unit, upper=not unit.upper)
        up = "{} goes up to the roof" if on_roof(game.state, changed) else "{} goes up to the top floor"
        text = "{} comes down" if unit.upper else up
        game.tell(Event("moved", text, (unit.name,), "6.6.4.1-bldg", (unit.id,), (str(unit.hex),)))
        self._watched(game, self.going._replace(spent=self.going.spent + buildings.FLOOR))

    def _falls_back(self, game: Game[Position]) -> bool:
        """A vehicle that ends its move among enemies after an Overrun goes back whence it came [6.6.10.1-end].

        Return whether it did.
        """
        unit = game.state.units[self.unit]
        if not (self.back and unit.hex and any(other.side != unit.side for other in game.state.at(unit.hex))):
            return False
        game.state.put(self.unit, self.back, inside=False)
        places = (self.back,)
        game.tell(Event("moved", "{} falls back to {}", (unit.name, self.back), "6.6.10.1-end", (unit.id,), places))
        return True

    def _out(self, game: Game[Position], price: int) -> bool:
        """A vehicle inside a building breaks out of it; return whether it gets out [6.6.3-check, 6.6.3-stop]."""
        before = game.state.units[self.unit]
        if not buildings.pass_wall(game, self.unit):
            return False
        if self._left(game, before) < price and not only_hex(self.going):
            return False
        game.state.change(self.unit, inside=False)
        return True

    def _left(self, game: Game[Position], before: Unit) -> int:
        """The movement that is left: half of it if the hull was damaged at a wall just now [6.6.3-stop]."""
        left = allowed_to(game.state, before, self.going) - self.going.spent
        slowed = game.state.units[self.unit].damaged_part == "hull" and before.damaged_part != "hull"
        return left // 2 if slowed else left

    def _through(self, game: Game[Position], action: GoInside | ComeOut) -> None:
        """A vehicle drives into the building of its hex, or out of it [6.6.3-check, 6.6.3-stop]."""
        unit, going = game.state.units[self.unit], self.going
        price = passage(game.state, unit, going)
        if bogging.bogs(game, self.unit):
            return self._end(game)
        through = not unit.is_vehicle or buildings.pass_wall(game, self.unit)
        if game.state.units[self.unit].hex is None:
            return self._end(game)
        left = self._left(game, unit)
        if through and (left >= price or only_hex(going)):
            game.state.change(self.unit, inside=isinstance(action, GoInside))
            left -= price
        after_it = game.state.units[self.unit]
        spent = allowed_to(game.state, after_it, going) - left
        replace(self, sound=self.sound and not lamed(after_it))._watched(game, going._replace(spent=spent))

    def _turn(self, game: Game[Position], facing: int) -> None:
        position = game.state
        unit = position.units[self.unit]
        going = after_turn(position, unit, facing, self.going)
        position.change(self.unit, facing=facing, exposed=False)
        game.tell(Event("turned", "{} turns", (unit.name,), "4.5.1.1.4", (unit.id,), (str(unit.hex),)))
        self._watched(game, going)

    def _load(self, game: Game[Position], action: Mount | Dismount | JumpOff) -> None:
        """Passengers come or go; an Emergency Bail Out costs the vehicle nothing [6.6.7.1.1-veh, 6.6.7.1.2]."""
        going, unit = self.going, game.state.units[self.unit]
        if not isinstance(action, JumpOff):
            going = going._replace(spent=going.spent + fee(game.state, unit, action, going), loaded=True)
        whole = isinstance(action, Mount) and stowed.takes_all(
            game.state.charts, unit, game.state.units[action.passenger]
        )
        handle(game, action)
        if whole:  # 5.2.1: the portee may be faster than its truck
            going = going._replace(spent=allowed_to(game.state, game.state.units[self.unit], going))
        if not isinstance(action, Mount):
            dismount_attack.alight(game, action.passenger, str(unit.hex), going.met)
        self._watched(game, going, *(() if isinstance(action, Mount) else (action.passenger,)))

    def _search(self, game: Game[Position], action: Search) -> None:
        """A vehicle searches its hex, unless it bogs down; then its move is over, but for overwatch [6.6.9-misc]."""
        if bogging.bogs(game, self.unit):
            return self._end(game)
        hull_down.search(game, action)
        mines.strike(game, self.unit)
        barrages.meet(game, self.unit, ())
        over = spent_out(game.state, game.state.units[self.unit], self.going)
        self._watched(game, over._replace(turned=MOST_TURNED))

    def _watched(self, game: Game[Position], going: Going, *others: UnitId) -> None:
        """After each step and turn the other side may fire from overwatch, and so on in turn [4.4.2-a]."""
        other = game.state.setting.other[self.side]
        screens.blow_away(game.state, self.unit)
        searching.hear_vehicle(game.state, game.state.units[self.unit])
        for side in game.state.setting.sides:
            searching.settle(game, side)
        unit = game.state.units[self.unit]
        moved = self._lamed(game.state, going) if self.sound and lamed(unit) else replace(self, going=going)
        game.swap(replace(moved, first=None, course=self.course if unit.searching else None))
        game.push(Overwatch(other, (other, self.side), (self.unit, *others), str(game.state.units[self.unit].hex)))
        hiding.look(game)

    def _end(self, game: Game[Position]) -> None:
        """The move is over; a Quickmarch may have worn its unit out [6.6.4.2-roll].

        A vehicle that falls back after an Overrun has left the hex of its target: overwatch may fire [6.6.10-ow].
        """
        if self._falls_back(game):
            return replace(self, back="", over=True)._watched(game, self.going)
        half = allowed_to(game.state, game.state.units[self.unit], self.going) // 2
        dust.raise_cloud(game.state, self.going.trail if self.going.spent >= half else ())
        bound = game.state.units[self.unit].bound
        arrived = bound == game.state.units[self.unit].hex
        game.state.change(self.unit, moved=True, exposed=False, heard=(), bound="" if arrived else bound)
        occupy(game.state, game.state.units[self.unit], backed=self.going.backed)
        if self.going.quick and self.going.steps and game.state.units[self.unit].hex is not None:
            quickmarch.tire(game, self.unit)
        for name, _ in self.party:
            game.state.change(name, moved=True)
            occupy(game.state, game.state.units[name])
        if self.going.steps:
            for name in (self.unit, *(name for name, _ in self.party)):
                checks.check(game, name, "moved")
                for rider in game.state.aboard(name) if "R208" in game.state.setting.options else ():
                    checks.check(game, rider.id, "moved")
        game.pop()

    def prompt(self, sight: Position, side: str) -> str:
        ends = side != self.side or self.refusal(sight, side, Stay(self.unit)) is None
        return say(self.question if ends else "Move {unit} on", unit=sight.units[self.unit].name)


def handle(game: Game[Position], action: Mount | Dismount | JumpOff) -> None:
    """Carry an act of a passenger out; one that mounts from the next hex has moved from its own: RULINGS.md R208."""
    left = game.state.units[action.passenger].hex
    transport.carry_out(game, action)
    if isinstance(action, Mount) and left != game.state.units[action.unit].hex:
        checks.check(game, action.passenger, "moved")  # 7.1.2


def comes_up(position: Position, unit: Unit, to: Hex) -> bool:
    """Return whether a vehicle shows its lower hull: it leaves a gully, ford or stream, or crosses a wall [7.13.1]."""
    if LOWER_HULL not in position.setting.options or not unit.is_vehicle:
        return False
    here, coords, ground = str(unit.hex), position.map.coords, position.setting.ground
    climbs = ground.height(coords[to]) > ground.height(coords[here])
    sunken = not SUNKEN.isdisjoint(position.map.cells[here].terrain)
    return (sunken and climbs) or "wall" in ground.sides(coords[here], coords[to])


def run_over(game: Game[Position], unit: Unit) -> None:
    """An armed vehicle that enters a hex with unarmed enemies alone knocks them out [4.5.1.1.10]."""
    enemies = [other for other in game.state.at(str(unit.hex)) if other.side != unit.side]
    if unit.is_vehicle and unit.kind.armed and enemies and not any(other.kind.armed for other in enemies):
        for other in enemies:
            knock_out(game, other, brews_up=False)


def leave(game: Game[Position], unit_id: UnitId) -> None:
    """A vehicle leaves the map for good [4.5.1.1.9]."""
    unit = game.state.units[unit_id]
    for passenger in game.state.aboard(unit_id):
        game.state.exits[passenger.id] = str(unit.hex)
        game.state.change(passenger.id, carrier=None, status="exited")
    game.state.exits[unit_id] = str(unit.hex)
    game.state.lift(unit_id, "exited")
    game.tell(Event("exited", "{} leaves the map at {}", (unit.name, unit.hex), "4.5.1.1.9", (unit_id,)))
