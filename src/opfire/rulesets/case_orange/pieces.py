"""The playing pieces [3, 7]: units, the contents of a hex, the position; questions about units and stacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Refusal
from opfire.core.scenario import Scenario
from opfire.core.texts import Words, joined
from opfire.kit import stacks
from opfire.kit.formations import formations
from opfire.rulesets.case_orange.charts import Charts, Kind
from opfire.rulesets.case_orange.ground import Ground, ground
from opfire.rulesets.case_orange.lines import Eyes, eyes
from opfire.rulesets.case_orange.sections import Sections
from opfire.space.hexmap import HexMap

Hex = str
UnitId = str
Side = str
Below = Literal["", "dug-in", "position", "fort"]

CONCEALING = frozenset({"town", "village", "broken", "woods"})  # 2.0-G05
CLEAR_ENOUGH = frozenset({"clear", "hilltop"})  # a bare hilltop is clear terrain: RULINGS.md R43
FOOT = ("infantry", "engineer", "cavalry")


class Unit(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A unit: its counter, its place, and its history in the turn.

    `hex` is None off the map; a carried unit has its carrier's. `steps` counts the hexes moved this turn, `paces` the
    half factors that they cost without the road rate, `road` says that it needed the road rate [9.7-P9]; `along_road`
    is true while it stands in its hex by road or track. `busy` counts loading turns [16.5], `charges` the complete
    turns spent on a bridge [13.2].
    """

    id: UnitId
    side: Side
    kind: Kind
    name: str
    hex: Hex | None = None
    status: Literal["on the map", "to place", "reserve", "eliminated", "exited"] = "to place"
    face_up: bool = True
    dispersed: Literal["", "D", "DD"] = ""
    spotted: Literal["", "spotted", "opportunity"] = ""
    below: Below = ""
    carrier: UnitId | None = None
    cargo: UnitId | None = None
    moved: bool = False
    fired: bool = False
    locked: bool = False
    road: bool = False
    steps: int = 0
    paces: int = 0
    along_road: bool = False
    busy: int = 0
    charges: int = 0

    @property
    def eligible(self) -> bool:
        """Face-up and not dispersed [2.0-G09]."""
        return self.face_up and not self.dispersed

    @property
    def vehicle(self) -> bool:
        """Whether it is a vehicle."""
        return self.kind.vehicle

    @property
    def armour(self) -> bool:
        """Whether it counts as an armoured vehicle when fired at: C(I) class too [15.4]."""
        return self.kind.armoured or self.kind.weapon == "C(I)"

    @property
    def rider(self) -> bool:
        """Carried (in or on a vehicle)."""
        return self.carrier is not None


class Fort(msgspec.Struct, frozen=True):
    """A fortification [10.4]: hard factor unbreached and breached, and the points that fit below."""

    factor: int
    breached_factor: int
    allowance: int
    breached: bool = False


class Works(msgspec.Struct, frozen=True, gc=False):
    """The contents of a hex besides units: wrecks, a block, mines, positions, a demolished bridge.

    `wreck` is in stacking points; `dug_in` names the side whose infantry dug it.
    """

    wreck: int = 0
    block: bool = False
    mines: str = ""
    mines_side: Side = ""
    dug_in: Side = ""
    position: bool = False
    fort: Fort | None = None
    demolished: bool = False


NOTHING = Works()


class Limit(msgspec.Struct, frozen=True):
    """The most of these units that take part in one attack of their group [12.4.3]."""

    members: tuple[UnitId, ...]
    most: int

    def reached(self, unit_id: UnitId, firers: Sequence[UnitId]) -> bool:
        """Return whether the unit is one of them, and as many of them as may are among the firers."""
        return unit_id in self.members and sum(name in self.members for name in firers) >= self.most


class Group(msgspec.Struct, frozen=True):
    """Units that the scenario lets fire together [12.3.4, 12.4.3], and the units that observe for them."""

    kind: str
    side: Side
    members: tuple[UnitId, ...]
    observers: tuple[UnitId, ...]
    most: int
    limits: tuple[Limit, ...] = ()


class Start(msgspec.Struct, frozen=True):
    """A unit as a scenario names it, and its starting hex if that is fixed."""

    unit: Unit
    hex: Hex = ""
    below: Below = ""


class Setting:
    """The constants of a game: scenario, its own sections, map, charts, options, the places of units."""

    def __init__(self, scenario: Scenario, sections: Sections, board: HexMap, charts: Charts) -> None:
        self.scenario, self.sections, self.map, self.charts = scenario, sections, board, charts
        self.options = frozenset(scenario.options)
        self.ground: Ground = ground(board, charts, self.options)
        self.sides = tuple(scenario.sides)
        self.other: Mapping[Side, Side] = stacks.opponents(self.sides)
        self.ids: dict[Side, tuple[UnitId, ...]] = dict.fromkeys(self.sides, ())
        self.zones: dict[UnitId, tuple[Hex, ...]] = {}
        self.open_zones: dict[
            UnitId, tuple[Hex, ...]
        ] = {}  # the zones without hexes that the ground closes to the unit
        self.entries: dict[UnitId, tuple[int, tuple[Hex, ...]]] = {}
        self.roster: tuple[Start, ...] = ()
        self.stipulated: set[UnitId] = set()  # the units that the scenario puts below fortifications [10.4.5]
        self.holds: dict[Hex, Mapping[str, int]] = {}  # fortifications with an allowance by type [10.4.8]
        self.groups: tuple[Group, ...] = ()
        self.special_observers: tuple[Group, ...] = ()
        self.watchers: dict[UnitId, tuple[UnitId, ...]] = {}  # indirect.watchers, as they are asked for
        self.exits: dict[Side, frozenset[Hex]] = {side: frozenset() for side in self.sides}
        self.objectives: frozenset[Hex] = frozenset()

    def has(self, option: str) -> bool:
        """Whether an optional rule or reading is on in this game."""
        return option in self.options

    def riders(self, side: Side) -> bool:
        """Return whether the side's doctrine lets infantry and engineers ride on armour [5.7.5]."""
        return self.sections.sides[side].riders

    @cached_property
    def formations(self) -> Mapping[UnitId, Words]:
        """The formations of units, where the scenario tells them apart by its groups."""
        return formations(self.scenario, self.charts.kinds)

    @cached_property
    def eyes(self) -> Eyes:
        """The lines of sight of the map."""
        return eyes(self.map, self.charts, self.options & {"R25"})

    @cached_property
    def concealing(self) -> frozenset[Hex]:
        """The hexes of concealing terrain [2.0-G05]."""
        return frozenset(name for name, cell in self.map.cells.items() if CONCEALING.intersection(cell.terrain))

    @cached_property
    def clear(self) -> frozenset[Hex]:
        """The hexes that are clear enough for an overrun [9.8.1], fords among them [5.4.18]."""
        cells = self.map.cells.items()
        return frozenset(name for name, cell in cells if CLEAR_ENOUGH.issuperset(cell.terrain) or cell.ford)

    @cached_property
    def gullies(self) -> frozenset[Hex]:
        """The gully hexes; a ford is clear terrain [5.4.17.2, 5.4.18]."""
        return frozenset(name for name, cell in self.map.cells.items() if "gully" in cell.terrain and not cell.ford)

    def bridge(self, hex: Hex) -> str:
        """The kind of bridge in a hex, if any; concrete unless the scenario says otherwise [13.2.1].

        Without a note there is a bridge where a road or track leads across a gully [5.4.18]: RULINGS.md R71.
        """
        cell = self.map.cells[hex]
        crossed = hex in self.gullies and sum(link != "" for link in cell.links) > 1
        unnamed = "concrete" if crossed and not self.has("R71") else ""
        return self.sections.bridges.get(hex) or cell.bridge or unnamed


MUSTERED = frozenset({"hex", "status", "face_up", "dispersed", "carrier", "along_road"})
"""The values of a unit that its side's muster depends on."""


class Muster:
    """A side's units on the map, none of them carried: true until one of them moves, turns over or is dispersed.

    They hold the `hexes`; `spotters` are those that can spot [8.1.4]. `seen` says whether one of them sees a hex, low
    in its gully or not, as far as that has been asked, wrecks and works included.
    """

    def __init__(self, units: Iterable[Unit], board: HexMap) -> None:
        self._units, self._board = tuple(units), board
        self.afield: list[UnitId] = [unit.id for unit in self._units]
        self.seen: dict[tuple[Hex, bool], bool] = {}

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """The hexes that they hold."""
        return tuple(dict.fromkeys(unit.hex for unit in self._units if unit.hex is not None))

    @cached_property
    def _ready(self) -> list[Unit]:
        return [unit for unit in self._units if unit.face_up and not unit.dispersed]

    @cached_property
    def eligible(self) -> list[UnitId]:
        """The units that lie face-up and are not dispersed [2.0-G09]."""
        return [unit.id for unit in self._ready]

    @cached_property
    def spotters(self) -> list[UnitId]:
        """The eligible units that can spot: all but class C [8.1.4]."""
        return [unit.id for unit in self._ready if unit.kind.weapon != "C"]

    def within(self, hex: Hex, steps: int) -> list[Hex]:
        """The hexes held by these units, at most `steps` hexes from a hex."""
        disc = self._board.disc(hex, steps)
        return [at for at in self.hexes if at in disc]

    @cached_property
    def half_range(self) -> frozenset[Hex]:
        """The hexes within half the range of one of the eligible units [6.0]."""
        ranges = ((str(unit.hex), unit.kind.range // 2) for unit in self._ready)
        return frozenset[Hex]().union(*(self._board.disc(hex, half) for hex, half in ranges))


class Position(msgspec.Struct, dict=True):
    """Everything that changes in a game except the flow: units, stacks, works, markers, control of hexes.

    `stacks` holds the units of a hex, top first, without those that are carried; `hit` are the units attacked by
    indirect fire in this segment, `overrun` and `assaulted` the hexes that had theirs this player turn.
    """

    setting: Setting
    units: dict[UnitId, Unit]
    stacks: dict[Hex, tuple[UnitId, ...]]
    works: dict[Hex, Works]
    registered: dict[UnitId, Hex]
    control: dict[Hex, Side]
    exits: dict[UnitId, Hex]
    turn: int = 0
    current: Side = ""
    hit: tuple[UnitId, ...] = ()
    overrun: tuple[Hex, ...] = ()
    assaulted: tuple[Hex, ...] = ()
    crowded: tuple[tuple[Hex, tuple[UnitId, ...]], ...] = ()
    wrecks: tuple[Hex, ...] = ()
    unsettled: bool = True

    def copy(self) -> Position:
        """An independent copy."""
        twin = Position(
            self.setting,
            self.units.copy(),
            self.stacks.copy(),
            self.works.copy(),
            self.registered.copy(),
            self.control.copy(),
            self.exits.copy(),
            self.turn,
            self.current,
            self.hit,
            self.overrun,
            self.assaulted,
            self.crowded,
            self.wrecks,
            self.unsettled,
        )
        twin.musters, twin.stirred, twin.weakened = self.musters.copy(), self.stirred.copy(), self.weakened.copy()
        return twin

    # --- questions --------------------------------------------------------------------------------------------

    @property
    def map(self) -> HexMap:
        """The map."""
        return self.setting.map

    @property
    def charts(self) -> Charts:
        """The charts in use."""
        return self.setting.charts

    @cached_property
    def musters(self) -> dict[Side, Muster]:
        """The musters that still hold; not saved."""
        return {}

    @cached_property
    def stirred(self) -> set[Hex | None]:
        """The hexes in which a unit has changed since the last `settle`; at first all. Not saved."""
        return set(self.stacks)

    @cached_property
    def weakened(self) -> set[UnitId]:
        """The units that were dispersed or left the map since the last `settle`; at first all. Not saved."""
        return set(self.units)

    @cached_property
    def witnesses(self) -> dict[UnitId, UnitId]:
        """For units in view the enemy that saw them last: the first to be asked again. No part of what is saved."""
        return {}

    def muster(self, side: Side) -> Muster:
        """The side's units on the map, and facts that follow from their places."""
        found = self.musters.get(side)
        if found is None:
            found = self.musters[side] = Muster(stacks.afield(self.units, self.setting.ids[side]), self.map)
        return found

    def at(self, hex: Hex) -> list[Unit]:
        """The units in a hex, top first, without those that are carried."""
        units = self.units
        return [units[unit] for unit in self.stacks.get(hex, ())]

    def of(self, side: Side) -> list[Unit]:
        """The side's units on the map that are not carried."""
        return self.pick(self.muster(side).afield)

    def eligible(self, side: Side) -> list[Unit]:
        """The side's eligible units on the map [2.0-G09] that are not carried."""
        return self.pick(self.muster(side).eligible)

    def pick(self, names: Iterable[UnitId]) -> list[Unit]:
        """These units."""
        units = self.units
        return [units[name] for name in names]

    def work(self, hex: Hex) -> Works:
        """The contents of a hex besides units."""
        return self.works.get(hex, NOTHING)

    def holder(self, hex: Hex) -> Side | None:
        """The side whose units are in the hex (never both)."""
        stack = self.stacks.get(hex)
        return self.units[stack[0]].side if stack else None

    def passenger(self, unit: Unit) -> Unit | None:
        """The unit's passenger."""
        return self.units[unit.cargo] if unit.cargo else None

    def bearer(self, unit: Unit) -> Unit:
        """The unit that counts for this one: its carrier while it is carried [5.7.1]."""
        return self.units[unit.carrier] if unit.carrier is not None else unit

    def armour_rider(self, unit: Unit) -> bool:
        """Whether it rides on armour that is no carrier by class, a target of its own [5.7.5]."""
        return unit.carrier is not None and self.units[unit.carrier].kind.weapon not in ("C", "C(I)")

    def fort(self, hex: Hex) -> Fort | None:
        """The fortification in a hex, breached or not."""
        return self.work(hex).fort

    def sheltered(self, unit: Unit) -> bool:
        """Below an unbreached fortification [10.4.1]."""
        if unit.below != "fort" or unit.hex is None:
            return False
        fort = self.work(unit.hex).fort
        return fort is not None and not fort.breached

    # --- changes ------------------------------------------------------------------------------------------------

    def change(self, unit_id: UnitId, **values: Any) -> Unit:
        """Replace values of a unit; return the new unit."""
        before = self.units[unit_id]
        unit = self.units[unit_id] = replace(before, **values)
        self.unsettled = True
        self.stirred.update((before.hex, unit.hex))
        if unit.dispersed or unit.hex is None:
            self.weakened.add(unit_id)
        if not MUSTERED.isdisjoint(values):
            self.musters.pop(unit.side, None)
        return unit

    def change_works(self, hex: Hex, **values: Any) -> None:
        """Replace the contents of a hex besides units."""
        works = replace(self.works.get(hex, NOTHING), **values)
        self.works[hex] = works
        if works.wreck and hex not in self.wrecks:
            self.wrecks = tuple(sorted((*self.wrecks, hex)))
        self.unsettled = True
        self.musters.clear()

    def put(self, unit_id: UnitId, hex: Hex, **values: Any) -> Unit:
        """Bring a unit and its load onto a hex, on top of the stack."""
        unit = self.units[unit_id]
        stacks.bring(self.stacks, unit, hex)
        unit = self.change(unit_id, hex=hex, status="on the map", **values)
        if unit.cargo is not None:
            self.change(unit.cargo, hex=hex, status="on the map")
        self.hold(hex, unit.side)
        return unit

    def hold(self, hex: Hex, side: Side) -> None:
        """Note the side whose units were the last in a hex that counts for victory [4.2-F]: RULINGS.md R74."""
        if hex in self.setting.objectives:
            self.control[hex] = side

    def lift(self, unit_id: UnitId, status: str) -> None:
        """Take a unit and its load off the map."""
        unit = self.units[unit_id]
        stacks.leave(self.stacks, unit)
        if unit.carrier is not None:
            self.change(unit.carrier, cargo=None)
        self.registered.pop(unit_id, None)
        self.change(unit_id, hex=None, status=status, carrier=None, cargo=None, spotted="", below="")
        if unit.cargo is not None:
            self.change(unit.cargo, carrier=None, hex=None)
            self.lift(unit.cargo, status)

    def load(self, carrier: UnitId, unit_id: UnitId) -> None:
        """Put a unit into or onto its carrier [5.7.7]."""
        unit = self.units[unit_id]
        stacks.leave(self.stacks, unit)
        bearer = self.change(carrier, cargo=unit_id)
        self.registered.pop(unit_id, None)
        self.change(unit_id, carrier=carrier, hex=bearer.hex, status=bearer.status, below="", spotted="", charges=0)

    def unload(self, carrier: UnitId) -> UnitId:
        """Set the passenger down in the carrier's hex; the carrier goes beneath the others [5.7.7].

        It stands on the road if its carrier does [5.4.3].
        """
        bearer = self.units[carrier]
        assert bearer.cargo is not None
        assert bearer.hex is not None
        name, hex = bearer.cargo, bearer.hex
        self.change(carrier, cargo=None)
        self.change(name, carrier=None, hex=hex, spotted=bearer.spotted, along_road=bearer.along_road)
        rest = tuple(other for other in self.stacks[hex] if other != carrier)
        self.stacks[hex] = (name, *rest, carrier)
        return name


# --- stacking [7.1] -----------------------------------------------------------------------------------------


def stacked_points(position: Position, hex: Hex) -> int:
    """Stacking points in a hex: units that are not carried, blocks and wrecks [7.1.3]."""
    units = position.units
    points = sum(units[name].kind.points for name in position.stacks.get(hex, ()))
    return points + marker_points(position, hex)


def marker_points(position: Position, hex: Hex) -> int:
    """The points of wrecks [5.6.1] and a block [5.5.3] in the hex; mines and works have none [7.1.3]."""
    works = position.works.get(hex)
    if works is None:
        return 0
    return works.wreck + (position.charts.points["block"] if works.block else 0)


def _fort_points(position: Position, hex: Hex, where: str) -> int:
    """The points in a fortification, or above it with wrecks and a block: units below have an allowance of their
    own.
    """
    points = sum(unit.kind.points for unit in position.at(hex) if (unit.below == "fort") == (where == "fort"))
    return points if where == "fort" else points + marker_points(position, hex)


def overstacked(position: Position, unit: Unit, hex: Hex, below: str = "") -> Refusal | None:
    """More than four stacking points in a hex, above and below works [7.1, 10.1.4], or in a fortification [10.4.7]."""
    limit, points = position.charts.points["limit"], unit.kind.points
    stack, works = position.stacks.get(hex), position.works.get(hex)
    if works is None and (stack is None or unit.id not in stack):
        if stack is None:
            return None  # the hex is empty, and no counter is larger than a hex
        there = sum(position.units[name].kind.points for name in stack)
        if there + points <= limit:
            return None
        return Refusal("{} would hold {} stacking points, more than {}", "7.1", (hex, there + points, limit))
    there = stacked_points(position, hex) - (points if unit.hex == hex and not unit.rider else 0)
    if there + points > limit:
        return Refusal("{} would hold {} stacking points, more than {}", "7.1", (hex, there + points, limit))
    fort = position.fort(hex)
    if fort is None:
        return None
    room = fort.allowance if below == "fort" else limit - fort.allowance
    same = _fort_points(position, hex, below or "above")
    if unit.hex == hex and unit.id in position.stacks.get(hex, ()) and (unit.below == "fort") == (below == "fort"):
        same -= points
    if same + points > room:
        place = "below" if below == "fort" else "above"
        return Refusal("Only {} stacking points fit {} the fortification in {}", "10.4.7", (room, place, hex))
    return not_held(position, unit, hex) if below == "fort" else None


def not_held(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """A fortification with an allowance by type holds these units up to the number given, and no others [10.4.8]."""
    holds = position.setting.holds.get(hex)
    if holds is None:
        return None
    name = held_as(holds, unit)
    if name is None:
        return Refusal("The fortification in {} holds only {}", "10.4.8", (hex, joined(holds)))
    inside = [other for other in position.at(hex) if other.below == "fort" and other.id != unit.id]
    if sum(held_as(holds, other) == name for other in inside) >= holds[name]:
        return Refusal("The fortification in {} holds only {} of {}", "10.4.8", (hex, holds[name], name))
    return None


def held_as(holds: Mapping[str, int], unit: Unit) -> str | None:
    """The id or type under which an allowance names the unit."""
    return next((name for name in (unit.kind.id, unit.kind.type) if name in holds), None)


def crowded(position: Position, hex: Hex, besides: Iterable[UnitId] = ()) -> bool:
    """Whether the hex holds more than the limit [7.1], or more than fits above or below its fortification [10.4.7].

    `besides` are units above that do not count yet.
    """
    limit, fort = position.charts.points["limit"], position.fort(hex)
    extra = sum(position.units[name].kind.points for name in besides if name in position.stacks.get(hex, ()))
    if stacked_points(position, hex) - extra > limit:
        return True
    if fort is None:
        return False
    above, below = _fort_points(position, hex, "above") - extra, _fort_points(position, hex, "fort")
    return above > limit - fort.allowance or below > fort.allowance


# --- checks that every chapter shares -----------------------------------------------------------------------


def not_yours(side: Side, unit: Unit) -> Refusal | None:
    """The unit belongs to the other side."""
    return None if unit.side == side else Refusal("{} is not yours", PROCEDURE, (unit.name,))


def off_the_map(unit: Unit) -> Refusal | None:
    """The unit is not on the map."""
    return None if unit.hex is not None else Refusal("{} is {}", PROCEDURE, (unit.name, unit.status))


def not_at_hand(side: Side, unit: Unit) -> Refusal | None:
    """Reject an enemy's unit, one off the map, and a passenger: none of them attacks in any way."""
    return not_yours(side, unit) or off_the_map(unit) or carried(unit)


def not_eligible(unit: Unit) -> Refusal | None:
    """Dispersed or inverted [2.0-G09]."""
    if unit.dispersed:
        return Refusal("{} is dispersed", "2.0-G07", (unit.name,))
    if not unit.face_up:
        return Refusal("{} is inverted: it has acted", "2.0-G09", (unit.name,))
    return None


def carried(unit: Unit) -> Refusal | None:
    """A passenger neither moves nor fires by itself [5.7.1]."""
    return Refusal("{} is being carried", "5.7.1", (unit.name,)) if unit.carrier is not None else None
