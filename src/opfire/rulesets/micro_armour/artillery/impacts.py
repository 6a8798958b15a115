"""Impact and smoke markers [7.4.2.2, 7.4.7.1, 7.6.5.4]: laid by batteries, struck at once, taken off in their time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.micro_armour.artillery.batteries import markers, reloaded
from opfire.rulesets.micro_armour.artillery.effects import strike
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf
from opfire.rulesets.micro_armour.pieces import Position, UnitId, Work, WorkKind
from opfire.rulesets.micro_armour.works.ruins import burn_brush


def place(
    game: Game[Position],
    names: Sequence[UnitId],
    sheaf: Sheaf,
    *,
    smoke: bool,
    until: int,
    mission: str = "",
    barrage: bool = False,
    hot: bool = False,
    direct: bool = False,
) -> None:
    """Lay the markers of batteries up to the end of turn `until`, and resolve them one at a time [7.4.3.1].

    Markers that fall off the table are lost. The first markers are those of the first battery. They destroy brush
    before they strike what stands in it [SC.monday.1].
    """
    position = game.state
    kind: WorkKind = "smoke" if smoke else "impact"
    plain = Work("", kind, sheaf.at, until=until, barrage=barrage, hot=hot, direct=direct, mission=mission)
    laid = [*markers_of(position, names, sheaf, plain)]
    for work in laid:
        position.lay(work)
    name = position.units[names[0]].name
    words = "{} lays smoke" if smoke else "The fire of {} falls"
    game.tell(Event("impact", words, (name,), "7.4.3.1", tuple(names), tuple(work.at for work in laid)))
    for work in laid:
        burn_brush(game, work.at)
    for work in laid:
        strike(game, work)


def markers_of(position: Position, names: Sequence[UnitId], sheaf: Sheaf, plain: Work) -> Iterator[Work]:
    """The markers of a sheaf that fall on the table, those of the first battery first, all else like a `plain` one."""
    owners = [unit for unit in position.pick(names) for _ in range(markers(unit))]
    spots = sheaf.places(position.setting.sections.north)
    for number, (at, owner) in enumerate(zip(spots, owners, strict=True), 1):
        if at in position.table:
            name = f"{plain.kind} of {plain.mission or owner.id} {number}"
            yield replace(plain, id=name, at=at, side=owner.side, battery=owner.id)


def spend(position: Position, unit_id: UnitId, smoke: bool) -> None:
    """A battery has fired; smoke is counted [7.4.7.2], and rockets are loaded again [7.4.2.1-markers]."""
    unit = position.units[unit_id]
    again = reloaded(unit, position.turn)
    position.change(unit_id, fired=True, smoked=unit.smoked + smoke, reloaded=again)


def lift_markers(position: Position) -> None:
    """Take off impact and smoke markers whose fire ends with this turn, or whose battery is lost [7.4.2.2, 7.6.5.4]."""
    markers = [work for work in position.works.values() if work.battery]
    for work in markers:
        if work.until <= position.turn or position.units[work.battery].status == "eliminated":
            position.remove(work.id)


def of_mission(position: Position, mission: str) -> list[Work]:
    """The markers of a mission that lie on the table."""
    return [work for work in position.works.values() if work.mission == mission]


def lift_mission(position: Position, mission: str) -> None:
    """Take off the markers of a mission that fires no more, or that falls anew [7.6.5.3, 7.6.5.4]."""
    for work in of_mission(position, mission):
        position.remove(work.id)


def shorten(position: Position, mission: str) -> None:
    """Let the markers of a mission that is ended lie to the end of this turn [7.6.5.3]."""
    for work in of_mission(position, mission):
        position.lay(replace(work, until=position.turn))
