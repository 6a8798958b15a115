"""The joint plot phase [4.0-5, 7.6.2, 7.6.5]: missions are plotted, called, corrected and ended, in secret."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Action, Offer, Refusal
from opfire.core.events import Calculation, Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.rulesets.micro_armour.air.plans import AHEAD, DirectBombs, aim, cannot_direct, directions
from opfire.rulesets.micro_armour.air.teams import directs_bombs
from opfire.rulesets.micro_armour.artillery.batteries import aimed_only, batteries, fires_missions, is_battery, off_map
from opfire.rulesets.micro_armour.artillery.coordinates import written
from opfire.rulesets.micro_armour.artillery.impacts import shorten
from opfire.rulesets.micro_armour.artillery.missions import Mission, MissionKind
from opfire.rulesets.micro_armour.artillery.observers import (
    MoveObserver,
    cannot_observe,
    cannot_send,
    in_play,
    send,
)
from opfire.rulesets.micro_armour.artillery.phase import has_guns
from opfire.rulesets.micro_armour.artillery.record import (
    all_given,
    free_number,
    overlapping,
    record,
)
from opfire.rulesets.micro_armour.artillery.writing import ArriveLater, DropPlot, FireLonger, open_line, too_late
from opfire.rulesets.micro_armour.cohesion import SUCCESS, cohesion_roll, level, states, tested_in_secret
from opfire.rulesets.micro_armour.formations import plots_no_more
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, adjacent, carried, not_yours
from opfire.rulesets.micro_armour.sighting.sight import cannot_see_place

CALLED = ("pre-registered", "registered")
"""The kinds of missions that wait for a call [7.6.2.2-call, 12.12]."""


class PlotFire(Action, frozen=True):
    """Begin to write a mission for a battery: the plotter is the battery itself for direct fire [7.5.2, 7.6.2.1]."""

    says = "{plotter} plots fire of {unit}"
    kind = "plot"
    unit: UnitId
    plotter: UnitId


class Call(Action, frozen=True):
    """Call a pre-registered mission [7.6.2.2-call]."""

    says = "{unit} calls {mission}"
    kind = "plot"
    unit: UnitId
    mission: str


class ConfirmCall(Action, frozen=True):
    """Call the mission for these turns [7.6.2.2-call]."""

    says = "Call it"
    kind = "confirm"


class Correct(Action, frozen=True):
    """Try to bring fire that has deviated to its plotted place [7.6.5.2-correct]."""

    says = "{unit} corrects {mission}"
    kind = "plot"
    final = True
    unit: UnitId
    mission: str


class Terminate(Action, frozen=True):
    """Try to end a mission before its time [7.6.5.3]."""

    says = "{unit} ends {mission}"
    kind = "plot"
    final = True
    unit: UnitId
    mission: str


class NameMission(Action, frozen=True):
    """Register fire that was on target, to be called again later [12.12]."""

    says = "Register the place of {mission}"
    kind = "plot"
    mission: str


class EndPlot(Action, frozen=True):
    """Plot no more in this turn."""

    says = "End the plot"
    kind = "done"
    final = True


# --- checks ---------------------------------------------------------------------------------------------------


def cannot_plot(position: Position, side: Side, unit: Stand, plotter: Stand) -> Refusal | None:
    """Reject a battery that takes no mission from this plotter [7.5.2, 7.6-who, 7.7.1, 12.1.5-3, 12.1.5.3, WD.I]."""
    if refusal := not_yours(side, unit) or carried(unit):
        return refusal
    if refusal := plots_no_more(position, (unit, plotter)):
        return refusal
    if not fires_missions(unit):
        return Refusal("{} is no battery in play", "7.6-who", (unit.name,))
    if unit.id == plotter.id:
        if off_map(unit):
            return Refusal("{} is off the map: all its fire is indirect", "7.7.1", (unit.name,))
        if refusal := aimed_only(unit):
            return refusal
        line = open_line(position, side, "direct", unit, plotter.id, "")
        return overlapping(position, unit, line.due, line.due) or too_late(position, line)
    if refusal := all_given(position, unit, 1):
        return refusal
    if not unit.kind.indirect and not off_map(unit):
        return Refusal("{} does not fire indirectly", "7.6-who", (unit.name,))
    line = open_line(position, side, "support", unit, plotter.id, "")
    return cannot_observe(position, side, plotter) or too_late(position, line)


def cannot_call(position: Position, side: Side, unit: Stand, name: str) -> Refusal | None:
    """Reject a call of a registered mission: its caller has to see one of its places [7.6.2.2-call, 12.12].

    Broken forces finish the fire that they have begun, and begin no other [12.1.5-3, 12.1.5.3].
    """
    mission = position.missions.get(name)
    if mission is None or mission.side != side or mission.kind not in CALLED or _called(position, mission):
        return Refusal("{} is no pre-registered mission that waits for a call", "7.6.2.2-call", (name,))
    if refusal := plots_no_more(position, (unit, *position.pick(mission.batteries))):
        return refusal
    refusal = cannot_last(position, mission, position.turn + 1, 1) or cannot_observe(position, side, unit)
    return refusal or _sees_none(position, unit, *lines_of(position, mission))


def lines_of(position: Position, mission: Mission) -> list[Mission]:
    """The lines of a registered mission as they were plotted: each battery has one of its own [7.6.2.2-set]."""
    known = record(position, mission.side)
    named = (each for each in known if (each.kind, each.name) == (mission.kind, mission.name))
    return [replace(each, drift=None) for each in named]


def _called(position: Position, mission: Mission) -> bool:
    """Return whether a mission has been called and is not over; then it may be called anew: RULINGS.md R100."""
    return bool(mission.due and mission.duration) and mission.until > position.turn


def cannot_last(position: Position, mission: Mission, due: int, duration: int) -> Refusal | None:
    """Reject turns of a call after the last one, or in which a battery has another mission [7.6.2.2-call]."""
    if due + duration - 1 > position.setting.scenario.turns:
        return Refusal("The fire would go on after the last turn", "7.6.3-duration")
    last = due + duration - 1
    units = position.pick(mission.batteries)
    found = (overlapping(position, each, due, last) or all_given(position, each, duration) for each in units)
    return next((refusal for refusal in found if refusal), None)


def _sees_none(position: Position, unit: Stand, *missions: Mission) -> Refusal | None:
    """Reject a stand that sees no place of these missions as they fall [7.6.2.2-call, 7.6.5.2-correct]."""
    north = position.setting.sections.north
    found = [cannot_see_place(position, unit, at) for each in missions for at in each.place.places(north)]
    return None if None in found else found[0]


def cannot_correct(position: Position, side: Side, unit: Stand, name: str) -> Refusal | None:
    """Reject the correction of a mission on target or over, or that the stand does not see [7.6.5.2-correct]."""
    mission = position.missions.get(name)
    off = mission is not None and mission.side == side and mission.drift not in (None, (0, 0))
    if mission is None or not off or mission.corrects or mission.until <= position.turn:
        return Refusal("No fire of yours that goes on off target is named {}", "7.6.5.2-correct", (name,))
    if mission.due == position.turn and position.setting.has("R139"):
        return Refusal("{} has arrived in this turn: correct it in a later one", "7.6.5.2-correct", (name,))
    if mission.tried == position.turn:
        return Refusal("{} has been tried in this turn", "7.6.5.2-correct", (name,))
    return cannot_observe(position, side, unit) or _sees_none(position, unit, mission)


def cannot_terminate(position: Position, side: Side, unit: Stand, name: str) -> Refusal | None:
    """Reject the end of a mission that is over [7.6.5.3]; a barrage has to be seen [7.6.2.4-stop].

    A battery of the mission rolls, or an observer, in a turn after that of the plot: RULINGS.md R68, R146.
    """
    mission = position.missions.get(name)
    if mission is None or mission.side != side or not mission.due or mission.until <= position.turn:
        return Refusal("No mission of yours that will fire is named {}", "7.6.5.3", (name,))
    if mission.preset:
        return Refusal("{} ends after two rolls in a row, at the ends of turns", "SC.sf79.3", (name,))
    if mission.plotted == position.turn:
        return Refusal("{} has been plotted in this turn: it can be ended in a later one", "7.6.5.3", (name,))
    if mission.tried == position.turn:
        return Refusal("{} has been tried in this turn", "7.6.5.3", (name,))
    if mission.kind != "barrage" and unit.id in mission.batteries:
        return None
    if refusal := cannot_observe(position, side, unit):
        return refusal
    if mission.kind != "barrage":
        return None
    if not mission.arrived:
        return Refusal("{} has no impact marker that anybody could see", "7.6.2.4-stop", (name,))
    return _sees_none(position, unit, mission)


def cannot_name(position: Position, side: Side, name: str) -> Refusal | None:
    """Reject a mission that was not on target, whose batteries have moved since, or that is registered [12.12]."""
    if not position.setting.has("12.12"):
        return Refusal("This game has no registered missions", "12.12")
    mission = position.missions.get(name)
    if mission is None or mission.side != side or mission.kind not in ("support", "adjusted"):
        return Refusal("No support mission of yours is named {}", "12.12", (name,))
    if not mission.arrived or mission.strayed:
        return Refusal("The fire of {} has not been on target", "12.12", (name,))
    there = zip(position.pick(mission.batteries), mission.stood, strict=True)
    if unit := next((each for each, at in there if each.at not in (None, at)), None):
        return Refusal("{} has moved since its fire was plotted", "12.12", (unit.name,))
    if any(each.kind == "registered" and each.sheaf == mission.sheaf for each in record(position, side)):
        return Refusal("{} is registered already", "12.12", (name,))
    return None


# --- frames ---------------------------------------------------------------------------------------------------


class JointPlot(Frame, frozen=True):
    """Each side writes its record in secret [4.0-5], the side with the initiative first: RULINGS.md R45."""

    takes = (PlotFire, Call, Correct, Terminate, NameMission, MoveObserver, DirectBombs, EndPlot)
    step = "plot"
    rule = "4.0-5"
    question = "Plot, call, correct or end missions"
    last: bool = False

    def begin(self, game: Game[Position]) -> None:
        """Ask the side with the initiative first, if it may have anything to plot [4.0-5]."""
        first = replace(self, side=self.side or game.state.initiative)
        if not _plots(game.state, first.side):
            return first._end(game)
        game.swap(first)

    def _end(self, game: Game[Position]) -> None:
        """Ask the other side, if it has not been asked and may have anything to plot; else the phase is over."""
        other = game.state.setting.other[self.side]
        if self.last or not _plots(game.state, other):
            return game.pop()
        game.swap(JointPlot(other, last=True))

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in in_play(sight, side) if self._busy(sight, side, unit))

    def _busy(self, sight: Position, side: Side, unit: Stand) -> bool:
        """Return whether a stand has anything to plot."""
        return next(self.acts(sight, side, unit.id), None) is not None

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        if actor == NOBODY:
            yield EndPlot()
            yield from self._of_nobody(sight, side)
            return
        unit = sight.units[actor]
        yield from directions(sight, side, unit)
        for offer in self._offers(sight, side, unit):
            if self.refusal(sight, side, offer) is None:
                yield offer

    def _of_nobody(self, sight: Position, side: Side) -> Iterator[Action]:
        """The missions to be named [12.12], and those of batteries off the map to be ended [7.6.5.3]."""
        for mission in record(sight, side):
            for offer in (NameMission(mission.id), Terminate(mission.batteries[0], mission.id)):
                if sight.units[mission.batteries[0]].at is not None and isinstance(offer, Terminate):
                    continue
                if self.refusal(sight, side, offer) is None:
                    yield offer

    def _offers(self, sight: Position, side: Side, unit: Stand) -> Iterator[Action]:
        yield PlotFire(unit.id, unit.id)
        observes = cannot_observe(sight, side, unit) is None
        for mission in record(sight, side) if observes or is_battery(unit) else ():
            if observes and mission.kind in CALLED:
                yield Call(unit.id, mission.id)
            if mission.until <= sight.turn:  # most lines of a long game's record
                continue
            if observes and mission.arrived:
                yield Correct(unit.id, mission.id)
            if observes or unit.id in mission.batteries:
                yield Terminate(unit.id, mission.id)
        if observes:
            yield from (PlotFire(battery.id, unit.id) for battery in batteries(sight, side) if battery.id != unit.id)
        if unit.id in sight.observers:
            yield from (MoveObserver(unit.id, other.id) for other in sight.of(side) if adjacent(unit, other))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case PlotFire(unit, plotter):
                return cannot_plot(sight, side, sight.units[unit], sight.units[plotter])
            case Call(unit, name):
                return cannot_call(sight, side, sight.units[unit], name)
            case Correct(unit, name):
                return cannot_correct(sight, side, sight.units[unit], name)
            case Terminate(unit, name):
                return cannot_terminate(sight, side, sight.units[unit], name)
            case NameMission(name):
                return cannot_name(sight, side, name)
            case MoveObserver(unit, target):
                return cannot_send(sight, side, sight.units[unit], sight.units[target])
            case DirectBombs(unit, plane, to):
                return cannot_direct(sight, side, sight.units[unit], plane, to)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        position = game.state
        match action:
            case PlotFire(unit, plotter):
                kind: MissionKind = "direct" if unit == plotter else "support"
                game.push(open_line(position, self.side, kind, position.units[unit], plotter, ""))
            case Call(unit, name):
                game.push(Calling(self.side, unit, name, position.turn + 1))
            case Correct(unit, name):
                if _rolled(game, unit, name, correction_roll(position, position.units[unit])):
                    position.missions[name] = replace(position.missions[name], corrects=True)
            case Terminate(unit, name):
                if _rolled(game, unit, name, ending_roll(position, position.units[unit])):
                    end_mission(position, name)
            case NameMission(name):
                name_mission(game, name)
            case MoveObserver(unit, target):
                send(position, unit, target)
            case DirectBombs(_, plane, to):
                aim(game, plane, position.turn + AHEAD, to)
            case EndPlot():
                self._end(game)

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """The side alone knows what it plots [4.0-5, 7.6.3-fields]."""
        return () if isinstance(action, EndPlot) else (self.side,)


def _plots(position: Position, side: Side) -> bool:
    """Return whether a side may have anything to plot, as far as everybody knows."""
    return has_guns(position, side) or directs_bombs(position, side)


class Calling(Frame, frozen=True):
    """A call of a pre-registered mission: its turn of arrival and its turns of fire [7.6.2.2-call]."""

    takes = (ArriveLater, FireLonger, ConfirmCall, DropPlot)
    step = "plot"
    rule = "7.6.2.2-call"
    question = "Choose the turns of the mission, then call it"
    unit: UnitId = ""
    mission: str = ""
    due: int = 0
    duration: int = 1

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield from (ConfirmCall(), DropPlot())
        for offer in (ArriveLater(), FireLonger()):
            if self.refusal(sight, side, offer) is None:
                yield offer

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        mission = sight.missions[self.mission]
        match action:
            case ArriveLater():
                return cannot_last(sight, mission, self.due + 1, self.duration)
            case FireLonger():
                return cannot_last(sight, mission, self.due, self.duration + 1)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        position = game.state
        match action:
            case ArriveLater():
                return game.swap(replace(self, due=self.due + 1))
            case FireLonger():
                return game.swap(replace(self, duration=self.duration + 1))
            case ConfirmCall():
                called = {"plotter": self.unit, "plotted": position.turn, "due": self.due, "duration": self.duration}
                mission = replace(position.missions[self.mission], drift=None, corrects=False, strayed=False)
                position.missions[self.mission] = replace(mission, **called)
        game.pop()

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """The side alone knows its calls [7.6.3-fields]."""
        return (self.side,)


def name_mission(game: Game[Position], name: str) -> None:
    """Write a registered mission that can be called, with the plot of one that was on target [12.12]."""
    position = game.state
    base = position.missions[name]
    known = sum(each.kind == "registered" for each in record(position, base.side))
    made = Mission(
        id=free_number(position, base.side),
        side=base.side,
        kind="registered",
        batteries=base.batteries,
        sheaf=base.sheaf,
        plotted=position.turn,
        stood=tuple(unit.at for unit in position.pick(base.batteries)),
        name=f"Registered {known + 1}",
        smoke=base.smoke,
    )
    position.missions[made.id] = made
    facts = (made.name, written(position.setting, base.side, made.sheaf.at))
    game.tell(Event("plotted", "{} is at {}", facts, "12.12", made.batteries, (made.sheaf.at,), only=(base.side,)))


def _rolled(game: Game[Position], unit_id: UnitId, name: str, roll: Calculation) -> bool:
    """Make the roll of an observer, in secret; a mission is tried once in a turn: RULINGS.md R46."""
    position = game.state
    unit = position.units[unit_id]
    position.missions[name] = replace(position.missions[name], tried=position.turn)
    return roll.result([tested_in_secret(game, unit, roll)]) == SUCCESS


def correction_roll(position: Position, unit: Stand) -> Calculation:
    """The roll of an observer to correct fire [7.6.5.2-correct]."""
    return cohesion_roll("to correct fire", "7.6.5.2-correct", level(position, unit), states(unit))


def ending_roll(position: Position, unit: Stand) -> Calculation:
    """The roll of an observer, or of a battery of the mission, to end fire [7.6.5.3]."""
    return cohesion_roll("to end fire", "7.6.5.3", level(position, unit), states(unit))


def end_mission(position: Position, name: str) -> None:
    """End a mission: one that falls stops with the next turn, one to come is struck off the record [7.6.5.3]."""
    mission = position.missions[name]
    if not mission.arrived:
        del position.missions[name]
        return
    position.missions[name] = replace(mission, duration=position.turn - mission.due + 1)
    shorten(position, name)
