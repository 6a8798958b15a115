"""The Indirect Fire Step [6.5.1]: the fire of batteries and of units that do not see their targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.panzer import hiding
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire import ap_fire
from opfire.rulesets.panzer.fire.direct_fire import Asked
from opfire.rulesets.panzer.fire.limits import supplied
from opfire.rulesets.panzer.indirect import barrages, smoke
from opfire.rulesets.panzer.indirect.calling import (
    AdjustFire,
    CallFire,
    CheckFire,
    ContinueFire,
    ProbeFire,
    acts_of,
    called_range,
    cannot_adjust,
    cannot_call,
    cannot_check,
    cannot_continue,
    cannot_probe,
    falling,
    limit_of,
    out_of_order,
    undecided,
    unfit,
)
from opfire.rulesets.panzer.indirect.countering import Countering, batteries_against
from opfire.rulesets.panzer.indirect.kinds import Call, Deed, Fall, Mission, Rounds
from opfire.rulesets.panzer.indirect.observers import Source, cannot_observe, row_of, source, sources
from opfire.rulesets.panzer.indirect.patterns import covered
from opfire.rulesets.panzer.indirect.planning import due, overdue
from opfire.rulesets.panzer.indirect.responding import DIE, endangered, response
from opfire.rulesets.panzer.moving import searching
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId, at_arms, bearer, lurking
from opfire.rulesets.panzer.sighting.chances import give_away
from opfire.rulesets.panzer.sighting.ranges import Marker, after_firing
from opfire.rulesets.panzer.sighting.spots import hex_out_of_sight, lookouts


class Arrive(Action, frozen=True):
    """Announce the Planned Fire of a battery [6.5.1.11.2]."""

    says = "The Planned Fire of {firer} falls"
    kind = "fire"
    final = True
    firer: str


class Redirect(Action, frozen=True):
    """Choose the friend of the caller on whom fire falls that has gone astray [6.5.1.12-a]."""

    says = "The fire falls on {unit}"
    kind = "fire"
    final = True
    unit: UnitId


# --- the step --------------------------------------------------------------------------------------------------


class IndirectFireStep(Frame, frozen=True):
    """A side decides on fire that falls, lets Planned Fire arrive, and calls new fire, in any order [6.5.1]."""

    takes = (CallFire, ProbeFire, AdjustFire, ContinueFire, CheckFire, Arrive, EndStep)
    step = "indirect fire"
    rule = "6.5.1"
    question = "Call indirect fire, decide on the fire that falls, or end the step"

    def begin(self, game: Game[Position]) -> None:
        """Fire that nobody observes any more checks [6.5.1.9]; a side that can do nothing is not asked."""
        game.state.smoking = ()
        for mission in [*game.state.missions.values()]:
            if mission.side == self.side:
                _keep_or_end(game, mission)
        if not idle(game.state, self.side):
            return
        game.pop()

    def resume(self, game: Game[Position], result: object) -> None:
        """Stay for the next mission; the fire of observers whom shells have killed checks [6.5.1.9]."""
        _orphaned(game, self.side)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        eyes = (*lookouts(sight, side), *lurking(sight, side))  # 7.2.2.3: hidden units observe unrevealed
        yield from (unit.id for unit in eyes if cannot_observe(side, unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor != NOBODY:
            return acts_of(sight, side, at_arms(sight, actor))
        last = (EndStep(),) if self._open(sight, side) is None else ()
        return (*last, *(Arrive(guns) for guns in sight.batteries if cannot_arrive(sight, side, guns) is None))

    def prompt(self, sight: Position, side: str) -> str:
        bound = self._open(sight, side) if side == self.side else None
        return (
            say("Call indirect fire, or decide on the fire that falls ({})", bound.sentence())
            if bound
            else super().prompt(sight, side)
        )

    def _open(self, sight: Position, side: Side) -> Refusal | None:
        """Reject the end of the step before everything is decided on, and before overdue fire [6.5.1.9, 6.5.1.11]."""
        for mission in sight.missions.values():
            if mission.side == side and mission.observer and mission in [*undecided(sight, mission.observer)]:
                facts = (mission.fall.hex,)
                return Refusal("Continue, adjust or check the fire on {} first", "6.5.1.9", facts)
        for guns in sight.batteries.values():
            if overdue(sight, guns) and cannot_arrive(sight, side, guns.id) is None:
                return Refusal("The Planned Fire of {} has to fall now", "6.5.1.11.2", (guns.name,))
        return None

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case CallFire():
                return cannot_call(sight, side, action)
            case ProbeFire():
                return cannot_probe(sight, side, action)
            case AdjustFire():
                return cannot_adjust(sight, side, action)
            case ContinueFire():
                return cannot_continue(sight, side, action)
            case CheckFire():
                return cannot_check(sight, side, action)
            case Arrive(firer):
                return cannot_arrive(sight, side, firer)
        return self._open(sight, side)

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case CallFire() | AdjustFire():
                hex = str(game.state.units[action.target].hex)
                self._call(game, action, hex)
            case ProbeFire(unit, firer, to):
                self._call(game, CallFire(unit, firer, ""), to, blind=True)
            case ContinueFire(unit, firer, rounds):
                self._go_on(game, unit, firer, rounds)
            case CheckFire(unit, firer):
                end(game, game.state.missions[firer], "checked")
            case Arrive(firer):
                _arrive(game, firer)
            case EndStep():
                settle(game.state)
                return game.pop()
        _orphaned(game, self.side)

    def _call(self, game: Game[Position], act: CallFire | AdjustFire, hex: Hex, *, blind: bool = False) -> None:
        """Roll for the response of a firing unit, and let its fire fall [6.5.1.7-a, 6.5.1.8.2, 6.5.1.12]."""
        position = game.state
        observer, from_ = at_arms(position, act.unit), source(position, act.firer)
        assert from_ is not None
        adjusted = isinstance(act, AdjustFire)
        reveal(game, bearer(position, observer.id))
        if from_.unit is not None:
            reveal(game, from_.id)
        if from_.guns is not None and hex in from_.guns.points:
            game.tell(Event("revealed", "{} has registered {}", (from_.name, hex), "6.5.1.4", (), (hex,)))
        made = response(position, observer, from_, hex, adjusted=adjusted, blind=blind, target=act.target)
        rolled = game.roll(1, DIE)
        result = made.result(rolled)
        old = position.missions.pop(from_.id, None)
        fall = falling(from_, hex, act.rounds, act.sheaf, act.toward)
        friends = endangered(position, self.side, hex) if result == "goes astray" else []
        heard = result != "no response"
        deed: Deed = "silent" if not heard else "adjusted" if adjusted else "called"
        note(position, self.side, observer.id, from_.id, deed, hex)
        facts, places = (from_.name, observer.name, result), (hex,)
        game.tell(Event("response", "{} answers {}: {}", facts, "6.5.1.12", (observer.id,), places, rolled, made))
        if not heard:
            return fail(position, from_)
        since = old.since if old else position.turn
        band = ap_fire.range_factor(from_.row, called_range(position, observer, from_, hex))
        assert band is not None
        landed = scatter(game, fall) if result == "scatters" else fall
        if landed is None:
            return _spend(position, from_)
        mission = Mission(
            astray=blind, firer=from_.id, side=self.side, fall=landed, observer=observer.id, since=since, band=band
        )
        if friends:
            game.push(Straying(position.setting.other[self.side], replace(mission, astray=True), tuple(friends)))
        else:
            land(game, mission)

    def _go_on(self, game: Game[Position], unit: UnitId, firer: str, rounds: Rounds) -> None:
        """Fire goes on without a response; its type may change [6.5.1.8.1]."""
        old, from_ = game.state.missions[firer], source(game.state, firer)
        assert from_ is not None
        reveal(game, bearer(game.state, unit))
        if from_.unit is not None:
            reveal(game, firer)
        note(game.state, self.side, unit, firer, "continued", old.fall.hex)
        hexes = called_range(game.state, at_arms(game.state, unit), from_, old.fall.hex)
        band = ap_fire.range_factor(from_.row, hexes) or old.band
        fresh = old.fresh or old.fall.rounds != rounds
        land(game, replace(old, fall=replace(old.fall, rounds=rounds), fresh=fresh, short=False, band=band))


NEAR_MOST = 6
"""The greatest roll of ten with which fire scatters a single hex [7.26]."""


def scatter(game: Game[Position], fall: Fall) -> Fall | None:
    """The fire one or two hexes away in a random direction; None off the map: RULINGS.md R109 [7.26]."""
    (far,), (way,) = game.roll(1, DIE), game.roll(1, 6)
    hex: Hex | None = fall.hex
    for _ in range(1 if far <= NEAR_MOST else 2):
        hex = game.state.map.neighbours[hex][way - 1] if hex else None
    places = (hex,) if hex else ()
    where = hex or "a place off the map"
    game.tell(Event("scattered", "The fire scatters to {}", (where,), "7.26", (), places, (far, way)))
    return replace(fall, hex=hex) if hex else None


def _spend(position: Position, from_: Source) -> None:
    """A unit on the map has fired to no effect."""
    if from_.unit is not None:
        _mark(position, from_.unit, from_)


def idle(position: Position, side: Side) -> bool:
    """Return whether everybody sees that a side can do nothing in the step: no fire, no callers, or nobody to fire.

    Under a HIDDEN UNIT counter there may be a caller [7.2.2.3].
    """
    guns = [guns for guns in position.batteries.values() if guns.side == side and not guns.counters]
    if guns or any(mission.side == side for mission in position.missions.values()):
        return False
    if next(sources(position, side), None) is None:
        return True
    if any(mask.side == side for mask in position.masks.values()):
        return False
    watching = [unit for unit in lookouts(position, side) if row_of(unit) is not None]
    seen = (spotters for enemy in position.enemies(side) if (spotters := position.spots.get(enemy.id, ())))
    return not any(unit.id in spotters for spotters in seen for unit in watching)


def note(position: Position, side: Side, observer: UnitId, firer: str, deed: Deed, hex: Hex) -> None:
    """Note what was done with indirect fire in this turn."""
    position.calls = (*position.calls, Call(side, observer, firer, deed, hex))


def settle(position: Position) -> None:
    """At the end of a step its smoke and barrages begin to hinder [6.1.4.3.10-a]."""
    position.smoking = ()
    smoke.settle(position)
    for firer, mission in position.missions.items():
        position.missions[firer] = replace(mission, fresh=False)


# --- fire that ends [6.5.1.9] ----------------------------------------------------------------------------------


def _keep_or_end(game: Game[Position], mission: Mission) -> None:
    """End called fire that nobody observes any more, and planned fire whose plan is over [6.5.1.9, 6.5.1.11.1]."""
    guns = game.state.batteries.get(mission.firer)
    if not mission.observer:
        if guns is None or guns.out or not due(game.state, guns):
            del game.state.missions[mission.firer]
        return
    if guns is not None and not guns.begun and due(game.state, guns):  # its plan comes first: RULINGS.md R103
        text = "{} makes ready for its plan"
        game.tell(Event("plotted", text, (guns.name,), "6.5.1.11.1", only=(guns.side,)))  # the plan is a secret
        end(game, mission, "checked")
    elif mission.astray or unobserved(game.state, mission):
        end(game, mission, "checked")


def _orphaned(game: Game[Position], side: Side) -> None:
    """End called fire that waits for a decision of an observer who can no longer take it [6.5.1.9]."""
    for mission in [*game.state.missions.values()]:
        waits = mission.side == side and mission in [*undecided(game.state, mission.observer)]
        if waits and mission.observer and unobserved(game.state, mission):
            end(game, mission, "checked")


def unobserved(position: Position, mission: Mission) -> bool:
    """Return whether fire is no longer observed, or its unit can no longer fire indirectly [6.5.1.9, 6.5.1.10]."""
    observer, from_ = at_arms(position, mission.observer), source(position, mission.firer)
    if cannot_observe(mission.side, observer) is not None or from_ is None:
        return True
    if hex_out_of_sight(position, observer, mission.fall.hex) is not None:
        return True
    unit = from_.unit
    if from_.guns is not None and from_.guns.out:
        return True
    if unit is None:
        return False
    return unit.hex is None or unit.command != "fire" or unit.fired or out_of_order(from_) is not None


def end(game: Game[Position], mission: Mission, deed: Deed) -> None:
    """Check fire: its impact comes off, and neither observer nor firing unit takes part in other fire [6.5.1.9]."""
    del game.state.missions[mission.firer]
    note(game.state, mission.side, mission.observer, mission.firer, deed, mission.fall.hex)
    from_ = source(game.state, mission.firer)
    facts = (from_.name if from_ else mission.firer, mission.fall.hex)
    game.tell(Event("checked", "The fire of {} on {} is checked", facts, "6.5.1.9", (), (mission.fall.hex,)))


def fail(position: Position, from_: Source) -> None:
    """A unit on the map that does not respond has carried out its command [6.5.1.7-a]."""
    if from_.unit is not None:
        position.change(from_.id, fired=True)


# --- fire that falls [6.5.1.13] --------------------------------------------------------------------------------


def land(game: Game[Position], mission: Mission) -> None:
    """Fire falls: the firing unit is marked, rounds may be short, then smoke is laid or all units are attacked.

    Rules: [5.3, 6.5.1.5-a, 6.5.1.13, 5.16.2.3, 5.16.2.5].
    """
    position, from_ = game.state, source(game.state, mission.firer)
    assert from_ is not None
    if from_.unit is not None:
        _mark(position, from_.unit, from_)
    mission = check_supply(game, mission, from_)
    if mission.fall.rounds != "gp" and mission.short:
        position.missions.pop(mission.firer, None)
        return
    position.missions[mission.firer] = mission
    if batteries_against(position, mission.firer):
        game.push(Countering(position.setting.other[mission.side], mission.firer))
    hexes = covered(position.map, mission.fall)
    facts = (from_.name, mission.fall.hex, mission.fall.rounds)
    game.tell(Event("impact", "{} fires at {}: {}", facts, "6.5.1.5", (), (mission.fall.hex,)))
    if mission.fall.rounds != "gp":
        lights = mission.fall.rounds == "illumination"
        smoke.lay(position, hexes, dense=mission.fall.sheaf != "open", lights=lights)
    else:
        game.push(Falling(mission.side, mission.firer, tuple(barrages.by_hex(position, hexes))))


def _mark(position: Position, unit: Unit, from_: Source) -> None:
    """Note that a unit on the map has fired, with its SPOT counter: mortars are Small Arms for that [5.1.3.1]."""
    before: Marker = "fire" if "fire" in (unit.spot, unit.fresh) else ""
    fresh = after_firing(before, small_arms=from_.row.small_arms is not False)
    position.change(unit.id, fired=True, fresh=fresh)
    if unit.hex is not None:
        searching.hear(position, unit.side, unit.hex, searching.ANYWHERE)  # 7.60.1.2-fire
    give_away(position, unit.id)


def check_supply(game: Game[Position], mission: Mission, from_: Source) -> Mission:
    """Roll for rounds that are limited: special ones, and plain ones away from their depot [5.16.2.3, 5.16.2.5].

    A battery whose special missions are all spent is short of them without a roll.
    """
    if from_.guns is not None and from_.guns.special == 0 and mission.fall.rounds != "gp":
        game.tell(Event("ammo limit", "{} is short of {} rounds", (from_.name, mission.fall.rounds), "5.16.2.5"))
        return replace(mission, short=True)
    most = _limit(game.state, from_, mission.fall.rounds)
    if most is None:
        return mission
    rolled = game.roll(1, 10)
    short = rolled[0] > most
    text = "{} is short of {} rounds" if short else "{} has {} rounds"
    game.tell(Event("ammo limit", text, (from_.name, mission.fall.rounds), "5.16.2", (), (), rolled))
    if not short and from_.guns is not None and from_.guns.special is not None:
        game.state.batteries[from_.id] = replace(from_.guns, special=from_.guns.special - 1)
    return replace(mission, short=short)


def _limit(position: Position, from_: Source, rounds: Rounds) -> int | None:
    """The Ammo Limit in force; batteries and supplied units have plain rounds without one [5.16.2.4, 5.16.2.5]."""
    if rounds != "gp":
        return limit_of(from_, rounds)
    unit = from_.unit
    if unit is None or supplied(position, unit):
        return None
    words = (word for word in from_.row.ammo_limit.split(";") if word)
    return next((int(word[1:]) for word in words if word[0] == "G"), None)


class Falling(Frame, frozen=True):
    """The fire of a mission falls on one unit after the other; owners may show that their vehicles move.

    Rules: [6.5.1-b, 6.5.4.3-moving]. `left` are the hexes with the units there that are still to be attacked; the
    terrain of a hex comes after its units [6.5.4.4-each].
    """

    step = "indirect fire"
    rule = "6.5.1.13"
    firer: str
    left: tuple[tuple[Hex, tuple[UnitId, ...]], ...]

    def begin(self, game: Game[Position]) -> None:
        """The impact is heard everywhere [7.60.1.2-fire]."""
        mission = game.state.missions[self.firer]
        searching.hear(game.state, mission.side, mission.fall.hex, searching.ANYWHERE)
        if not hiding.struck(game, covered(game.state.map, mission.fall)):
            self._next(game)

    def resume(self, game: Game[Position], result: object) -> None:
        """The owner of the first target has answered: attack it, and go on with the next.

        Or a HIDDEN UNIT counter was revealed: its units are attacked, too [7.2.2.3].
        """
        if result == hiding.UNMASKED:
            hexes = covered(game.state.map, game.state.missions[self.firer].fall)
            again = replace(self, left=tuple(barrages.by_hex(game.state, hexes)))
            game.swap(again)
            return None if hiding.struck(game, hexes) else again._next(game)
        (hex, units), *others = self.left
        barrages.strike(game, game.state.missions[self.firer], units[0])
        replace(self, left=((hex, units[1:]), *others))._next(game)

    def _next(self, game: Game[Position]) -> None:
        """Attack until a target's owner is asked; hidden moves do not count against planned fire [6.5.4.3-moving]."""
        mission = game.state.missions[self.firer]
        for number, (hex, units) in enumerate(self.left):
            for at, name in enumerate(units):
                target = game.state.units[name]
                if target.hex is not None and mission.observer and target.is_vehicle and not target.revealed:
                    game.swap(replace(self, left=((hex, units[at:]), *self.left[number + 1 :])))
                    return game.push(Asked(target.side, name))
                if target.hex is not None:
                    show_march(game, target)
                    barrages.strike(game, mission, name)
            barrages.strike_terrain(game, mission, hex)
        game.pop()


def show_march(game: Game[Position], target: Unit) -> None:
    """Fire on a leg or towed unit with a command to move shows the command: RULINGS.md R70 [6.5.4.2.2-move]."""
    if not target.is_vehicle and target.command in ("move", "short halt") and not target.full_cover:
        reveal(game, target.id)


# --- fire that goes astray [6.5.1.10, 6.5.1.12-a] --------------------------------------------------------------


class Straying(Frame, frozen=True):
    """The other side chooses the unit of the caller on which the fire falls [6.5.1.12-a]."""

    takes = (Redirect,)
    step = "fire astray"
    rule = "6.5.1.12-a"
    question = "The fire goes astray: choose the enemy unit on which it falls"
    mission: Mission
    friends: tuple[UnitId, ...]

    def resume(self, game: Game[Position], result: object) -> None:
        """The fire has fallen."""
        game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield from (Redirect(unit) for unit in self.friends)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Redirect(unit) if unit not in self.friends:
                return Refusal("{} is not near enough, or not spotted", "6.5.1.12-a", (sight.units[unit].name,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Redirect(unit):
                hex = str(game.state.units[unit].hex)
                land(game, at_new_range(game.state, replace(self.mission, fall=replace(self.mission.fall, hex=hex))))
        if game.stack[-1] == self:
            game.pop()


def at_new_range(position: Position, mission: Mission) -> Mission:
    """Fire that has gone astray, at the range of its new Target Point as far as its weapon has one [6.5.1.13]."""
    from_ = source(position, mission.firer)
    assert from_ is not None
    hexes = called_range(position, at_arms(position, mission.observer), from_, mission.fall.hex)
    return replace(mission, band=ap_fire.range_factor(from_.row, hexes) or mission.band)


# --- planned fire [6.5.1.11] -----------------------------------------------------------------------------------


def cannot_arrive(position: Position, side: Side, firer: str) -> Refusal | None:
    """Reject Planned Fire that is not due, or of a battery that has been called in this turn [6.5.1.11.2]."""
    guns = position.batteries.get(firer)
    if guns is None or guns.side != side:
        return Refusal("{} is no battery of yours", PROCEDURE, (firer,))
    if any(call.firer == firer for call in position.calls):
        return Refusal("{} has been called in this turn", "6.5.1-a", (guns.name,))
    if refusal := unfit(guns):
        return refusal
    return None if due(position, guns) else Refusal("{} has no fire planned for now", "6.5.1.11.2", (guns.name,))


def _arrive(game: Game[Position], firer: str) -> None:
    """Planned Fire falls as it is plotted, without a response, at Medium range [6.5.1.11, 6.5.1.11.3, 6.5.1.13].

    Fire that is short of special rounds is not placed, and the plan goes on [6.5.1.11.4].
    """
    position = game.state
    guns = position.batteries[firer]
    begun = guns.begun or position.turn
    position.batteries[firer] = replace(guns, begun=begun)
    fall: Fall = guns.plan[position.turn - begun]
    note(position, guns.side, "", firer, "planned", fall.hex)
    facts, places = (guns.name, fall.rounds, fall.sheaf, fall.hex), (fall.hex,)
    game.tell(Event("revealed", "Planned Fire of {}: {} ({}) on {}", facts, "6.5.1.11.2", (), places))
    position.missions.pop(firer, None)
    land(game, Mission(firer=firer, side=guns.side, fall=fall, since=begun))
