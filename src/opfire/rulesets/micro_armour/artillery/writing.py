"""A line of the Artillery Fire Mission Record as it is written [7.6.3-fields]: sheaf, ammunition, turns, place."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.places import INCH, Point
from opfire.core.texts import joined, say
from opfire.rulesets.micro_armour.artillery.batteries import (
    aimed_only,
    batteries,
    beyond_reach,
    faces_away,
    no_smoke,
    off_map,
    off_the_board,
    wrong_pattern,
)
from opfire.rulesets.micro_armour.artillery.coordinates import nearest, written
from opfire.rulesets.micro_armour.artillery.missions import Mission, MissionKind, turns_in_words
from opfire.rulesets.micro_armour.artillery.record import (
    all_given,
    delay,
    free_number,
    overlapping,
    record,
    registered_names,
    sections,
    smoke_planned,
)
from opfire.rulesets.micro_armour.artillery.sheafs import (
    DIRECTIONS,
    SHAPES,
    Compass,
    Pattern,
    Sheaf,
    drift,
    in_words,
    step,
)
from opfire.rulesets.micro_armour.design.observers import doctrine
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand, UnitId, adjacent
from opfire.rulesets.micro_armour.sighting.sight import cannot_see_place
from opfire.rulesets.micro_armour.weather import sight_limit
from opfire.space.squares import footprint, stops

ADJUSTED = 4 * INCH
"""A mission this near to registered coordinates along each axis is an adjusted one [7.6.2.3]: RULINGS.md R44."""


OFFSETS = 4
"""The inches from a registered place up to which places are offered; others can be written too."""

POLAR = 4
"""The steps in inches in which polar plots are offered; others can be written too."""


class ChooseSheaf(Action, frozen=True):
    """Choose how the markers lie [7.4.2.3]."""

    says = "{pattern} sheaf to the {toward}"
    kind = "plot"
    pattern: Pattern
    toward: Compass


class ChooseSmoke(Action, frozen=True):
    """Fire smoke instead of high explosive [7.6.3-fields]."""

    says = "Smoke"
    kind = "plot"


class ArriveLater(Action, frozen=True):
    """Let the fire arrive a turn later [7.6.3-fields]."""

    says = "A turn later"
    kind = "plot"


class FireLonger(Action, frozen=True):
    """Let the fire last a turn longer [7.6.3-duration]."""

    says = "A turn longer"
    kind = "plot"


class GroupWith(Action, frozen=True):
    """Let another battery fire with the first, as one [7.4.9]."""

    says = "{unit} fires with it"
    kind = "plot"
    unit: UnitId


class Aim(Action, frozen=True):
    """Write down the place of the first marker (1/1000 inch), to the nearest whole inch [7.6.3-coords]."""

    says = "Aim at {to}"
    kind = "plot"
    final = True
    to: Point


class AimFrom(Action, frozen=True):
    """Write down a place by inches east and north of a registered one; negative ones are west and south.

    [7.6.3-relative]
    """

    says = "{name}, {east} inches east, {north} north"
    kind = "plot"
    final = True
    name: str
    east: int
    north: int


class AimPolar(Action, frozen=True):
    """Write down a place by distance (inches) and direction from the plotter [12.13]."""

    says = "{inches} inches to the {toward}"
    kind = "plot"
    final = True
    inches: int
    toward: Compass


class DropPlot(Action, frozen=True):
    """Write nothing down after all."""

    says = "Leave this mission"
    kind = "done"


class Writing(Frame, frozen=True):
    """A mission that is being written [7.6.3-fields], in secret.

    `plotter` is the stand that plots it, the battery itself for direct fire [7.5.2], empty before the game. `polar`
    says that its place is given from the plotter's [12.13]; `preset` that it is fire of the scenario's own rules, at a
    place of a zone and without an end [SC.sf79.1].
    """

    takes = (ChooseSheaf, ChooseSmoke, ArriveLater, FireLonger, GroupWith, Aim, AimFrom, AimPolar, DropPlot)
    step = "plot"
    rule = "7.6.3-fields"
    kind: MissionKind = "support"
    units: tuple[UnitId, ...] = ()
    plotter: UnitId = ""
    name: str = ""
    pattern: Pattern = "open"
    toward: Compass = "N"
    smoke: bool = False
    due: int = 0
    duration: int = 1
    polar: bool = False
    preset: bool = False

    def prompt(self, sight: Position, side: str) -> str:
        """The line as it stands, then the question [7.6.3-fields]."""
        sheaf = Sheaf(self._somewhere(sight), sections(sight, self.units), self.pattern, self.toward)
        parts = (in_words(sheaf), say("smoke" if self.smoke else "HE"), turns_in_words(self.due, self.duration))
        line = ", ".join(part for part in parts if part)
        names = say(joined((unit.name for unit in sight.pick(self.units)), " and "))
        return say("{}: {}. Change that, or choose the place of the first marker", names, line)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in batteries(sight, side) if cannot_group(sight, self, unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Offer]:
        if actor != NOBODY:
            yield GroupWith(actor)
            return
        offers: tuple[Action, ...] = (*self._sheafs(sight), ChooseSmoke(), ArriveLater(), FireLonger())
        yield from (offer for offer in offers if self.refusal(sight, side, offer) is None)
        yield Region(Aim(self._somewhere(sight)), (0, 0, *sight.table.size))
        yield from (offer for offer in self._offsets(sight, side) if self.refusal(sight, side, offer) is None)
        if not self.preset:
            yield DropPlot()

    def _sheafs(self, sight: Position) -> Iterator[ChooseSheaf]:
        yield from (ChooseSheaf(pattern, toward) for pattern, toward in SHAPES)

    def _offsets(self, sight: Position, side: Side) -> Iterator[Action]:
        """Places near registered ones, and by distance and direction from the plotter [7.6.3-relative, 12.13]."""
        if self.kind == "support":
            for name in registered_names(sight, side):
                for far in range(1, OFFSETS + 1):
                    yield from (AimFrom(name, *way) for way in ((far, 0), (-far, 0), (0, far), (0, -far)))
            if sight.setting.has("12.13"):
                for far in range(POLAR, sight_limit(sight) + 1, POLAR):
                    yield from (AimPolar(far, toward) for toward in DIRECTIONS)

    def _somewhere(self, sight: Position) -> Point:
        at = sight.units[self.plotter or self.units[0]].at
        return at if at is not None else (sight.table.size[0] // 2, sight.table.size[1] // 2)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        first = sight.units[self.units[0]]
        match action:
            case ChooseSheaf(pattern, toward):
                if (pattern, toward) == (self.pattern, self.toward):
                    return Refusal("The sheaf lies so already", PROCEDURE)
                return wrong_pattern(first, sections(sight, self.units), pattern, toward)
            case ChooseSmoke():
                return self._no_smoke(sight)
            case ArriveLater():
                return wrong_turns(sight, self, self.due + 1, self.duration)
            case FireLonger():
                return wrong_turns(sight, self, self.due, self.duration + 1)
            case GroupWith(unit):
                return cannot_group(sight, self, sight.units[unit])
            case Aim(to):
                return cannot_aim(sight, self, self.sheaf(sight, to))
            case AimFrom(name):
                return not_registered(sight, self, name) or cannot_aim(sight, self, self.beside(sight, action))
            case AimPolar():
                return no_polar_plot(sight, self, action) or cannot_aim(sight, self, self.at_distance(sight, action))
            case DropPlot() if self.preset:
                return Refusal("Each battery off the map has a target", "SC.sf79.1")
        return None

    def beside(self, position: Position, action: AimFrom) -> Sheaf:
        """The sheaf at inches east and north of a registered place [7.6.3-relative]."""
        known = record(position, self.side)
        base = next(each for each in known if each.kind == "pre-registered" and each.name == action.name).sheaf.at
        compass = position.setting.sections.north
        (east, south), (right, down) = step("E", compass), step("N", compass)
        way = east * action.east + right * action.north, south * action.east + down * action.north
        return self.sheaf(position, (base[0] + way[0] * INCH, base[1] + way[1] * INCH))

    def at_distance(self, position: Position, action: AimPolar) -> Sheaf:
        """The sheaf at a distance from the plotter [12.13]."""
        at = position.units[self.plotter].at
        assert at is not None
        right, down = drift(action.toward, action.inches, position.setting.sections.north)
        return Sheaf((at[0] + right, at[1] + down), sections(position, self.units), self.pattern, self.toward)

    def _no_smoke(self, sight: Position) -> Refusal | None:
        if self.smoke:
            return Refusal("It is smoke already", PROCEDURE)
        units = sight.pick(self.units)
        found = (no_smoke(sight, unit, smoke_planned(sight, unit.id)) for unit in units)
        return next((refusal for refusal in found if refusal), None)

    def sheaf(self, position: Position, to: Point) -> Sheaf:
        """The sheaf with its first marker at the whole inches nearest to a point."""
        at = nearest(position.setting, self.side, to)
        return Sheaf(at, sections(position, self.units), self.pattern, self.toward)

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case ChooseSheaf(pattern, toward):
                game.swap(replace(self, pattern=pattern, toward=toward))
            case ChooseSmoke():
                game.swap(replace(self, smoke=True))
            case ArriveLater():
                game.swap(replace(self, due=self.due + 1))
            case FireLonger():
                game.swap(replace(self, duration=self.duration + 1))
            case GroupWith(unit):
                game.swap(replace(self, units=(*self.units, unit)))
            case Aim(to):
                write(game, self, self.sheaf(game.state, to))
                game.pop()
            case AimFrom():
                write(game, self, self.beside(game.state, action))
                game.pop()
            case AimPolar():
                sheaf = self.at_distance(game.state, action)
                write(game, replace(self, polar=True), sheaf)
                game.pop()
            case DropPlot():
                game.pop()

    def only(self, state: Position, action: Action) -> tuple[str, ...]:
        """The side alone knows what it plots [7.6.3-fields]."""
        return (self.side,)


# --- checks ---------------------------------------------------------------------------------------------------


def cannot_group(position: Position, frame: Writing, unit: Stand) -> Refusal | None:
    """Reject a battery that cannot fire as one with those of a mission [7.4.9]."""
    first = position.units[frame.units[0]]
    if frame.preset:
        return Refusal("Each battery has a target of its own", "SC.sf79.1")
    able = unit.kind.indirect or frame.kind == "direct"
    if unit.id in frame.units or unit.side != frame.side or not able:
        return Refusal("{} cannot fire with this mission", "7.4.9", (unit.name,))
    if frame.kind == "direct" and (refusal := aimed_only(unit)):
        return refusal
    last = frame.due + frame.duration - 1
    if refusal := overlapping(position, unit, frame.due, last) or all_given(position, unit, frame.duration):
        return refusal
    if off_map(unit) != off_map(first):
        return Refusal("Batteries on the table and off the map do not fire as one", "7.4.9")
    together = _allies_off_map(position, unit) if off_map(unit) else _in_contact(position, frame, unit)
    same = bool(unit.formation) and unit.formation == first.formation
    if together and (same or off_map(unit)):
        return None
    if off_map(unit) and same:
        return None
    return Refusal("{} is not of the same formation, in contact", "7.4.9", (unit.name,))


def _allies_off_map(position: Position, unit: Stand) -> bool:
    """Return whether a battery off the map fires with any other: American ones, British ones from 1944 on [7.4.9]."""
    return doctrine(unit.kind.nation, position.setting.sections.date) == "american"


def _in_contact(position: Position, frame: Writing, unit: Stand) -> bool:
    return any(adjacent(unit, other) for other in position.pick(frame.units))


def wrong_turns(position: Position, frame: Writing, due: int, duration: int) -> Refusal | None:
    """Reject turns beyond the end of the game, or in which a battery has another mission [7.6.3-duration]."""
    if frame.preset:
        return Refusal("This fire goes on until it is ended by two rolls in a row", "SC.sf79.1")
    if frame.kind in ("pre-registered", "direct"):
        return Refusal("The turns of this mission are not open", "7.5.2" if frame.kind == "direct" else "7.6.2.2-set")
    if due + duration - 1 > position.setting.scenario.turns:
        return Refusal("The fire would go on after the last turn", "7.6.3-duration")
    units = position.pick(frame.units)
    last = due + duration - 1
    found = (overlapping(position, unit, due, last) or all_given(position, unit, duration) for unit in units)
    return next((refusal for refusal in found if refusal), None)


def earliest(position: Position, frame: Writing) -> int:
    """The first turn in which a mission may arrive [7.5.2, 7.6.2.4-plot, 7.8.1, SC.sf79.2]."""
    match frame.kind:
        case "barrage":
            return max(1, position.setting.troops(frame.side).silent_until)
        case "direct":
            return position.turn + 1
    soonest = position.turn + max(delay(position, unit) for unit in position.pick(frame.units))
    from_afar = any(off_map(unit) for unit in position.pick(frame.units))
    return max(soonest, position.setting.troops(frame.side).off_map_from) if from_afar else soonest


def cannot_aim(position: Position, frame: Writing, sheaf: Sheaf) -> Refusal | None:
    """Reject a place that a battery does not reach, or that the plotter does not see [7.6.2.1, 7.6.4.2, 7.6.4.6]."""
    for unit in position.pick(frame.units):
        refusal = wrong_pattern(unit, sheaf.markers, sheaf.pattern, sheaf.toward) or beyond_reach(position, unit, sheaf)
        aside = None if frame.kind == "direct" else faces_away(position, unit, sheaf)
        if refusal or aside:
            return refusal or aside
    return (
        off_the_board(position, sheaf)
        or out_of_zone(position, frame, sheaf)
        or out_of_stretch(position, frame)
        or _unseen(position, frame, sheaf)
    )


def out_of_zone(position: Position, frame: Writing, sheaf: Sheaf) -> Refusal | None:
    """Reject a target of preset fire that is not on the bank of the enemy [SC.sf79.1]."""
    preset = position.setting.troops(frame.side).preset
    if not frame.preset or preset is None or sheaf.at in position.setting.named_zones[preset.zone]:
        return None
    return Refusal("The targets of your batteries off the map lie in the zone {}", "SC.sf79.1", (preset.zone,))


def out_of_stretch(position: Position, frame: Writing) -> Refusal | None:
    """Reject fire off the map outside the stretch of turns that a scenario allows for it [SC.stonne.art].

    All its missions lie in one stretch: RULINGS.md R75.
    """
    most = position.setting.troops(frame.side).artillery_turns
    if not most or not frame.due or not off_map(position.units[frame.units[0]]):
        return None
    others = [each for each in record(position, frame.side) if each.due and _from_afar(position, each)]
    first = min([frame.due, *(each.due for each in others)])
    last = max([frame.due + frame.duration - 1, *(each.until for each in others)])
    if last - first < most:
        return None
    return Refusal("Batteries off the map fire in {} turns in a row, and others are plotted", "SC.stonne.art", (most,))


def _from_afar(position: Position, mission: Mission) -> bool:
    return off_map(position.units[mission.batteries[0]])


def _unseen(position: Position, frame: Writing, sheaf: Sheaf) -> Refusal | None:
    """Reject a sheaf of which the plotter does not see every place; missions from before the game need no sight."""
    if not frame.plotter or frame.kind == "direct":
        return None
    spotter = position.units[frame.plotter]
    places = sheaf.places(position.setting.sections.north)
    found = (cannot_see_place(position, spotter, at) for at in places)
    refusal = next((refusal for refusal in found if refusal), None)
    return refusal or (_hide_each_other(spotter, places) if len(frame.units) > 1 else None)


def _hide_each_other(spotter: Stand, places: tuple[Point, ...]) -> Refusal | None:
    """Reject a sheaf of batteries that fire as one of which a marker hides another from the plotter [7.4.9.1]."""
    assert spotter.at is not None
    for at in places:
        if any(stops(spotter.at, at, footprint(other, 0)) for other in places if other != at):
            return Refusal("The markers of the group hide each other from {}", "7.4.9.1", (spotter.name,))
    return None


def not_registered(position: Position, frame: Writing, name: str) -> Refusal | None:
    """Reject a place that no pre-registered mission names, and other missions than support [7.6.3-relative]."""
    if frame.kind == "support" and name in registered_names(position, frame.side):
        return None
    return Refusal("{} is no registered place of yours for this mission", "7.6.3-relative", (name,))


def no_polar_plot(position: Position, frame: Writing, action: AimPolar) -> Refusal | None:
    """Reject a polar plot without the option, without a plotter, or of no distance or direction [12.13]."""
    if not position.setting.has("12.13"):
        return Refusal("This game has no polar plots", "12.13")
    if frame.kind != "support" or not frame.plotter:
        return Refusal("Support and adjusted missions alone are plotted so", "12.13")
    if action.toward not in DIRECTIONS or action.inches < 1:
        return Refusal("Choose one of eight directions, and an inch or more", "12.13")
    return None


# --- writing it down --------------------------------------------------------------------------------------------


def write(game: Game[Position], frame: Writing, sheaf: Sheaf) -> None:
    """Write a mission down, in secret [7.6.3-fields]."""
    position = game.state
    made = draft(position, frame, sheaf)
    position.missions[made.id] = made
    place = written(position.setting, frame.side, sheaf.at)
    names = joined(unit.name for unit in position.pick(frame.units))
    words = "{} mission of {} at {}"
    facts = (made.kind.capitalize(), names, place)
    game.tell(Event("plotted", words, facts, "7.6.3-fields", frame.units, (sheaf.at,), only=(frame.side,)))


def draft(position: Position, frame: Writing, sheaf: Sheaf) -> Mission:
    """The mission being written; one near registered coordinates of its batteries is an adjusted one [7.6.2.3]."""
    kind: MissionKind = "adjusted" if frame.kind == "support" and _adjusts(position, frame, sheaf) else frame.kind
    return Mission(
        id=free_number(position, frame.side),
        side=frame.side,
        kind=kind,
        batteries=frame.units,
        stood=tuple(unit.at for unit in position.pick(frame.units)),
        sheaf=sheaf,
        plotted=position.turn,
        name=frame.name,
        plotter=frame.plotter,
        smoke=frame.smoke,
        due=frame.due,
        duration=frame.duration,
        polar=position.units[frame.plotter].at if frame.polar else None,
        preset=frame.preset,
    )


def _adjusts(position: Position, frame: Writing, sheaf: Sheaf) -> bool:
    """Return whether a place is within four inches of registered coordinates of the first battery [7.6.2.3]."""
    for mission in record(position, frame.side):
        if mission.kind == "pre-registered" and frame.units[0] in mission.batteries:
            right, down = (abs(a - b) for a, b in zip(mission.sheaf.at, sheaf.at, strict=True))
            straight = position.setting.has("R44")  # the other reading
            if right**2 + down**2 <= ADJUSTED**2 if straight else max(right, down) <= ADJUSTED:
                return True
    return False


def open_line(position: Position, side: Side, kind: MissionKind, unit: Stand, plotter: UnitId, name: str) -> Writing:
    """The frame that writes a mission for a battery, in the first turn of arrival in which it has no other."""
    pattern: Pattern = "open" if sections(position, (unit.id,)) > 1 else "closed"
    line = Writing(side, kind, (unit.id,), plotter, name, pattern)
    if kind == "pre-registered":
        return line
    due = earliest(position, line)
    others = () if kind == "direct" else position.missions.values()
    given = (each for each in others if each.due and unit.id in each.batteries)
    taken = {turn for each in given for turn in range(each.due, each.until + 1)}
    while due in taken:
        due += 1
    return replace(line, due=due)


def too_late(position: Position, line: Writing) -> Refusal | None:
    """Reject a mission that cannot arrive before the end of the game [7.8.1]."""
    if line.due <= position.setting.scenario.turns:
        return None
    return Refusal("This fire would arrive after the last turn", "7.8.1")
