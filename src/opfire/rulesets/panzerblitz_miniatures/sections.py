"""The sections of a scenario file of this book beyond the general part: the table, visibility, doctrine and zones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from opfire.core.scenario import Beyond, Sections, Strict
from opfire.kit.table import Area
from opfire.rulesets.panzerblitz_miniatures.fire.missions import Shape, Task
from opfire.space.table import TableSection

Visibility: TypeAlias = Literal["good", "poor", "variable"]


class OffBoard(Beyond, frozen=True):
    """Guns off the board that support a side [NEU-7]: units of one type, each with a number of missions."""

    unit: str
    count: Annotated[int, Meta(ge=1, le=99)] = 1
    missions: Annotated[int, Meta(ge=1, le=99)] | None = None


class Armament(Strict, frozen=True, rename={"weapon_class": "class"}):
    """A weapon of a strike package that the scenario itself describes [ASP-1]; `drifts` marks unguided bombs [FB-6].

    `guns` fire at aircraft too [AIC-1].
    """

    weapon: str
    attack: Annotated[int, Meta(ge=0, le=999)]
    weapon_class: Literal["A", "H", "I", "G"]
    uses: Annotated[int, Meta(ge=1, le=99)]
    drifts: bool = False
    guns: bool = False


class Sortie(Strict, frozen=True):
    """The strike package of a side's aircraft of one type [ASP-1], and the Air Phases after which they leave [AIM-2].

    `package` is one of the chart (the aircraft's usual one if empty); of weapons that are alternatives in it, `carries`
    names the one on board (the first if empty). `weapons` take the place of a package. They stay if `stays` is 0.
    """

    unit: str
    package: str = ""
    carries: str = ""
    weapons: tuple[Armament, ...] = ()
    stays: Annotated[int, Meta(ge=0, le=99)] = 0


class Drop(Strict, frozen=True):
    """Airborne troops that land together by one drop zone, on a turn or later [ABN-1]."""

    turn: int
    units: dict[str, Annotated[int, Meta(ge=1, le=99)]]
    by: Literal["parachute", "glider"] = "parachute"


class Doctrine(Beyond, frozen=True):
    """The section of a side.

    `morale` is a level of the morale table [MOR-1], `radius` the command radius in inches if not the usual one [CMD-3],
    `facing` the direction in which its stands start (degrees, 0 north, clockwise). `riders` lets the armor of a nation
    carry infantry that does not do so always [TRN-11]; `swims` lets amphibious units swim [AMP-1]. `smoke` is the
    number of smoke shells of each unit, if not the usual one [SSC-8]; `off_board` are its guns off the board [NEU-7].
    `equipment` is the type of the vehicles with the equipment of its engineers, the first for the first of them
    [ENG-2]; `mines` are the minefields that each engineer stand may lay [STD-8].
    `anti_tank` are the shots with anti-tank weapons that each infantry and engineer stand has [STD-4, STD-9],
    `flamethrowers` those with its flamethrower that each engineer stand has [STD-7]. `aircraft` are the strike packages
    of its aircraft [ASP-1], `airborne` its landings from the air [ABN-1].
    """

    morale: str = "normal"
    radius: float | None = None
    facing: Annotated[int, Meta(ge=0, le=359)] = 0
    riders: bool = False
    anti_tank: Annotated[int, Meta(ge=0, le=9)] = 0
    flamethrowers: Annotated[int, Meta(ge=0, le=3)] = 0
    swims: bool = False
    smoke: Annotated[int, Meta(ge=0, le=99)] | None = None
    off_board: tuple[OffBoard, ...] = ()
    equipment: str = ""
    mines: Annotated[int, Meta(ge=0, le=99)] = 0
    aircraft: tuple[Sortie, ...] = ()
    airborne: tuple[Drop, ...] = ()


class Spread(Beyond, frozen=True):
    """The field of a marker besides the general ones: the side of a cloud of smoke in inches, in case files."""

    size: Annotated[float, Meta(gt=0, le=12)] = 3.0


class Recorded(Strict, frozen=True):
    """A mission of indirect fire that a case begins with [NEU-4]: of a unit, by a spotter, at a target or a place.

    It is executed in the turn `due`, the first of the case if left out; it was recorded as long before as it takes.
    """

    unit: str
    spotter: str
    task: Task = "neutralization"
    target: str = ""
    at: str = ""
    shape: Shape = "square"
    facing: Annotated[int, Meta(ge=0, le=359)] = 0
    due: Annotated[int, Meta(ge=1)] | None = None


class MiniatureSections(Sections, frozen=True):
    """The sections of a scenario file.

    `fort_room` is the number of units that a fortification holds [FRT-3], `year` that of the battle [WGM-4].
    `missions` are those recorded before a case begins.
    """

    table: TableSection = TableSection((48, 36))
    visibility: Visibility = "good"
    year: Annotated[int, Meta(ge=0, le=1999)] = 0
    fort_room: Annotated[int, Meta(ge=1, le=3)] = 1
    sides: Mapping[str, Doctrine] = msgspec.field(default_factory=dict)
    zones: tuple[Area, ...] = ()
    markers: tuple[Spread, ...] = ()
    missions: tuple[Recorded, ...] = ()

    def airborne(self) -> Mapping[str, int]:
        """The stands that are dropped or land in gliders [ABN-1]."""
        return {side: sum(sum(drop.units.values()) for drop in own.airborne) for side, own in self.sides.items()}
