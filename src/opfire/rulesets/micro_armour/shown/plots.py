"""The plot sheet of a side: missions, bomb attacks and landing zones that are to come [7.6.3-fields, 12.3.3.2]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from opfire.core.places import Point
from opfire.core.texts import called, joined, say
from opfire.kit import shown as kit
from opfire.rulesets.micro_armour.artillery.missions import Mission, turns_in_words
from opfire.rulesets.micro_armour.artillery.record import sections
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf
from opfire.rulesets.micro_armour.pieces import Position, Side, Stand
from opfire.rulesets.micro_armour.shown.sheafs import notation
from opfire.space.squares import footprint


class Line(NamedTuple):
    """A line of the sheet: title, place as the side writes it, turns, ammunition, the places of its markers, and who
    plotted or called it when.
    """

    id: str
    side: Side
    title: str
    written: str
    when: str
    what: str
    value: str
    places: tuple[Point, ...]
    rule: str
    by: str = ""


def lines(sight: Position) -> list[Line]:
    """All lines that the seat knows of and that are still to come."""
    return [*(titled(sight, each) for each in missions_to_come(sight)), *_bombs(sight), *_zones(sight)]


def sheet(sight: Position) -> list[dict[str, Any]]:
    """The sheet as a table: fire that falls stays on it until it is over, for it can be corrected or ended [7.6.5]."""
    shown = [*(_falling(sight, each) for each in missions_that_fall(sight)), *lines(sight)]
    return [
        {"id": line.id, "side": line.side, "title": line.title, "written": line.written, "when": line.when}
        | {"what": line.what, "by": line.by, "rule": line.rule}
        for line in shown
    ]


def markers(sight: Position) -> Iterator[dict[str, Any]]:
    """The picture of the sheet on the map: the square of each marker to come; `plot` is its line."""
    for line in lines(sight):
        text = ", ".join(part for part in (say("{} at {}", line.title, line.written), line.when, line.what) if part)
        for number, at in enumerate(line.places):
            made = kit.marker("mission", "", text, line.value, line.side)
            yield {
                **made,
                "id": f"{line.id} {number + 1}",
                "place": at,
                "ring": list(footprint(at, 0)),
                "plot": line.id,
            }


def missions_to_come(sight: Position) -> Iterator[Mission]:
    """Missions that have not arrived [7.6.3-fields]; those that are cancelled have no turns [7.6.4.5, 7.6.5.3]."""
    for mission in sight.missions.values():
        over = mission.due and mission.until < max(sight.turn, mission.due)
        if not (mission.arrived or over):
            yield mission


def missions_that_fall(sight: Position) -> Iterator[Mission]:
    """Missions that have arrived and whose last turn is not over [7.6.5.4]."""
    return (mission for mission in sight.missions.values() if mission.arrived and mission.until >= sight.turn)


def _falling(sight: Position, mission: Mission) -> Line:
    """The line of a mission that has arrived: whether it fell where it was plotted [7.6.5.2-keep]."""
    line = titled(sight, mission)
    on, off, corrected = "{}, on target", "{}, off target", "{}, on target from the next turn"
    words = on if mission.place == mission.sheaf else corrected if mission.corrects else off
    return line._replace(what=say(words, line.what), rule="7.6.5.2-keep")


def titled(sight: Position, mission: Mission) -> Line:
    """The line of a mission."""
    names = joined((unit.name for unit in sight.pick(mission.batteries)), " and ")
    return Line(
        mission.id,
        mission.side,
        say("{} mission of {}", mission.name or mission.kind.capitalize(), names),
        notation(sight.setting, mission.side, mission.sheaf),
        turns_in_words(mission.due, mission.duration),
        say("smoke" if mission.smoke else "HE"),
        str(mission.due or ""),
        sheaf_of(sight, mission).places(sight.setting.sections.north),
        "7.6.3-fields",
        _plotter(sight, mission),
    )


def sheaf_of(sight: Position, mission: Mission) -> Sheaf:
    """The sheaf of a mission with the markers that can still fall: those of lost batteries do not [7.6.1.1]."""
    left = tuple(unit.id for unit in batteries_left(sight, mission))
    return mission.sheaf._replace(markers=sections(sight, left)) if left else mission.sheaf


def batteries_left(sight: Position, mission: Mission) -> list[Stand]:
    """The batteries of a mission that are not lost."""
    return [unit for unit in sight.pick(mission.batteries) if unit.status != "eliminated"]


def _plotter(sight: Position, mission: Mission) -> str:
    """The plotter or caller, with the turn: the first fields of the record [7.6.3-fields]."""
    if not mission.plotted:
        return say("before the game")
    return say("{}, turn {}", called(sight.units[mission.plotter].name), mission.plotted) if mission.plotter else ""


def _bombs(sight: Position) -> Iterator[Line]:
    """Bomb attacks that have not been tried [12.3.3.2]."""
    for plane in sight.planes.values():
        for number, bomb in enumerate(plane.bombs, 1):
            if not bomb.done and not plane.cancelled:
                yield Line(
                    f"{plane.id} {number}",
                    plane.side,
                    say("Bombs of {}", plane.name),
                    notation(sight.setting, plane.side, Sheaf(bomb.at, 1, "closed", "N")),
                    say("turn {}", bomb.turn),
                    "",
                    str(bomb.turn),
                    (bomb.at,),
                    "12.3.3.2",
                )


def _zones(sight: Position) -> Iterator[Line]:
    """The landing zones of groups still in the air [8.10.1.2-dz]."""
    for name, drop in sight.drops.items():
        landing = sight.setting.landings[name]
        if any(sight.units[unit].status == "reserve" for unit in landing.units):
            place = notation(sight.setting, landing.side, Sheaf(drop.at, 1, "closed", "N"))
            title = say("Landing zone of {}", landing.group.name)
            yield Line(name, landing.side, title, place, "", "", "", (drop.at,), "8.10.1.2-dz")
