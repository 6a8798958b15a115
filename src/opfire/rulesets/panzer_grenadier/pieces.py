"""The playing pieces [2.1, 4.0]: units and leaders, the contents of a hex, the position; questions about stacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Refusal
from opfire.core.scenario import Scenario
from opfire.core.texts import Words
from opfire.kit import stacks
from opfire.kit.formations import formations
from opfire.rulesets.panzer_grenadier.charts import Charts, Kind
from opfire.rulesets.panzer_grenadier.instructions import Instructions
from opfire.rulesets.panzer_grenadier.sight.facts import facts_over
from opfire.space.hexmap import HexMap

Hex = str
UnitId = str
Side = str
Player = str
"""One of several players of a side, by the name of his seat [18.0]."""
River = Literal["minor river", "major river"]
SectorName = str
"""A part of the map with two commanders of its own [18.1]."""
State = Literal["good order", "disrupted", "demoralized"]
Role = Literal["move", "fire", "recover", "direct"]
"""The action that an activated unit was designated for [3.13]; `direct` is a leader who only activates others."""

ROLE_WORDS = {"move": "move", "fire": "fire", "recover": "recover morale", "direct": "direct the others"}
"""The designated actions in words; of a single unit, see `role_words`."""
WORK_WORDS = {
    "carried": "unload",  # 5.61, 5.63
    "waiting": "be loaded",  # 16.51
    "limbered": "unlimber or dig in",  # 5.63, 16.2
    "deployed": "limber or dig in",  # 5.62, 16.2
    "fixed": "dig in",  # 16.2
}
"""The work of a unit without movement allowance, by its state: it is activated for that instead of moving."""

STATES: tuple[State, ...] = ("good order", "disrupted", "demoralized")  # best first


class Officer(msgspec.Struct, frozen=True):
    """The values that a leader piece prints [G.leaders]: rank (its order; 0 for a kommissar), morale, combat and
    morale bonus.
    """

    printed: ClassVar[tuple[str, ...]] = ("morale", "combat", "bonus")

    rank: int
    title: str
    morale: int
    combat: int
    bonus: int
    mounted: bool = False

    @property
    def kommissar(self) -> bool:
        """Whether he is a kommissar, who only drives the demoralized [6.6]."""
        return self.rank == 0


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit or a leader: its counter, its place, and its history in the turn.

    Exactly one of `kind` and `officer` is set. `hex` is None off the map; a passenger has the carrier's. `marked` is
    the MOVED/FIRED marker [3.13.c]. `shots` counts this turn's opportunity fires, `shot_with` is their kind [13.0];
    after both anti-tank shots of its own segment [11.2] that is "at" as well, with no shots counted. `targeted` are the
    mover and hex of each in this segment [13.35]. `entries` are the hexes through which anti-tank fire came this turn,
    two for a shot along a hexside [11.1]. `dug_in` counts segments of digging, two are enough [16.2]; `work` counts
    turns at a wreck or minefield [16.31, 16.74], `worked` is the last of them; `afloat` is the turn in which it entered
    its river hex [5.73], `bank` the hex from which it came, `assisted` the last turn in which it helped others there.
    `tank_leader` is None while unknown [6.8], `disclosed` once it has shown that it has one; `hidden` is for units that
    are not on the board yet for the enemy [16.6]. `morale` is the printed morale at full and reduced strength. `player`
    is its player where several players have the side [18.2], `country` the country of its leaders on a side with
    several [3.12.c]. `stopped` by mines or a river it stays this turn [16.71, 5.73.b].
    """

    printed: ClassVar[tuple[str, ...]] = ("morale",)

    id: UnitId
    side: Side
    name: str
    kind: Kind | None = None
    officer: Officer | None = None
    morale: tuple[int, int] = (0, 0)
    hex: Hex | None = None
    status: Literal["on the map", "to place", "reserve", "eliminated", "exited"] = "to place"
    state: State = "good order"
    reduced: bool = False
    limbered: bool = False
    marked: bool = False
    carrier: UnitId | None = None
    cargo: tuple[UnitId, ...] = ()
    shots: int = 0
    shot_with: Literal["", "direct", "at"] = ""
    targeted: tuple[tuple[UnitId, Hex], ...] = ()
    entries: tuple[tuple[Hex, ...], ...] = ()
    spotted: bool = False
    hidden: bool = False
    tank_leader: bool | None = False
    disclosed: bool = False
    dug_in: int = 0
    stopped: bool = False
    work: int = 0
    worked: int = 0
    afloat: int = 0
    bank: Hex = ""
    assisted: int = 0
    player: Player = ""
    country: str = ""

    # --- what it is ---

    @property
    def leader(self) -> bool:
        """A leader piece, kommissars too."""
        return self.officer is not None

    @property
    def combat(self) -> bool:
        """A combat unit: it prints a fire value; unarmed carriers and leaders print none [G.combat-unit]."""
        return self.kind is not None and self.kind.combat

    @property
    def afv(self) -> bool:
        """It prints an armor value [G.afv]."""
        return self.kind is not None and self.kind.afv

    @property
    def apc(self) -> bool:
        """An armored personnel carrier [G.apc]."""
        return self.kind is not None and self.kind.apc

    @property
    def transport(self) -> bool:
        """It carries others [G.transport]."""
        return self.kind is not None and self.kind.transport

    @property
    def vehicle(self) -> bool:
        """Anti-tank fire can be aimed at it [11.0]."""
        return self.kind is not None and self.kind.vehicle

    @property
    def gun(self) -> bool:
        """A weapon unit or mortar: units that may have a limbered side, and that the weapon shift applies to [7.52]."""
        return self.kind is not None and (self.kind.weapon or self.kind.type == "mortar")

    @property
    def movement(self) -> int:
        """Movement points printed on the side that lies up [5.1]; leaders have theirs by their kind [6.3]."""
        if self.kind is None:
            return 0
        if self.limbered:
            return int(self.kind.limbered) if self.kind.limbered.isdecimal() else 0
        return self.kind.reduced_movement if self.reduced else self.kind.movement

    def type_in(self, *types: str) -> bool:
        """Whether its counter's type is one of these."""
        return self.kind is not None and self.kind.type in types

    @property
    def steps(self) -> int:
        """Steps left."""
        return 0 if self.kind is None else self.kind.steps - self.reduced

    # --- how it stands ---

    @property
    def good_order(self) -> bool:
        """Neither disrupted nor demoralized [G.good-order]."""
        return self.state == "good order"

    @property
    def demoralized(self) -> bool:
        """Demoralized [14.3]."""
        return self.state == "demoralized"

    @property
    def base_morale(self) -> int:
        """Printed morale at its strength, less one when demoralized [14.1, 14.3]."""
        printed = self.officer.morale if self.officer else self.morale[self.reduced]
        return printed - self.demoralized

    @property
    def direct(self) -> int:
        """Printed direct fire strength at its present step; none when limbered [7.31, 5.62]."""
        if self.kind is None or self.limbered:
            return 0
        return self.kind.reduced_direct if self.reduced else self.kind.direct

    @property
    def bombard(self) -> int:
        """Printed bombardment strength at its present step; none when limbered."""
        if self.kind is None or self.limbered:
            return 0
        return self.kind.reduced_bombard if self.reduced else self.kind.bombard

    @property
    def at(self) -> int | None:
        """Printed anti-tank value at its present step; None without one or when limbered."""
        if self.kind is None or self.limbered:
            return None
        return self.kind.reduced_at if self.reduced else self.kind.at


class Mine(msgspec.Struct, frozen=True):
    """A minefield marker [16.7]: its strength, 0 for a dummy, None for a seat that does not know it."""

    side: Side
    strength: int | None
    face_up: bool = False


class Works(msgspec.Struct, frozen=True):
    """The contents of a hex besides units: entrenchment, wrecks, smoke by side, minefields."""

    entrenchment: bool = False
    wrecks: int = 0
    smoke: tuple[Side, ...] = ()
    mines: tuple[Mine, ...] = ()


NOTHING = Works()


class Activation(msgspec.Struct, frozen=True):
    """An action segment under way [3.1]: the active units, and their designated actions.

    `led` are the units activated by a leader of their kind, which may move closer to the enemy and assault [5.4,
    12.1]. `began` is the hex of each at the start; `moved` are the units that have entered a hex since. `finished`
    have had their action, in this order; `lent` are the leaders whose combat bonus is used up. `parts` are the
    targets and strengths of an HMG that divides its fire [7.23]; `shot_once` have one of two anti-tank shots left
    [11.2]. `entered` have moved into a hex to assault it and wait for the assault. `left` are the assault hexes that
    units have left, each with those of them that no free shot has been taken at [12.12.a]; `fought` are the hexes
    whose assault is done. `mounted` are cavalry activated by a cavalry leader, `charged` those that have charged
    [15.31]. `aided` are leaders with a part in fire or assault [6.53.b]. `spent` are half movement points of units
    that have not finished [5.61]. `alone` are units led by nobody but their own tank leader [6.8], `unseen` those led
    by the hidden alone [16.6]; `helped` have had a leader's combat bonus [6.42]. `called` may only go into an assault
    hex, at a leader's call [12.5].
    """

    side: Side
    roles: dict[UnitId, Role] = {}
    led: frozenset[UnitId] = frozenset()
    began: dict[UnitId, Hex] = {}
    moved: frozenset[UnitId] = frozenset()
    finished: dict[UnitId, None] = {}
    lent: frozenset[UnitId] = frozenset()
    parts: dict[UnitId, dict[Hex, int]] = {}
    shot_once: frozenset[UnitId] = frozenset()
    entered: dict[UnitId, Hex] = {}
    left: dict[Hex, tuple[UnitId, ...]] = {}
    fought: frozenset[Hex] = frozenset()
    mounted: frozenset[UnitId] = frozenset()
    charged: frozenset[UnitId] = frozenset()
    aided: frozenset[UnitId] = frozenset()
    spent: dict[UnitId, int] = {}
    alone: frozenset[UnitId] = frozenset()
    unseen: frozenset[UnitId] = frozenset()
    helped: frozenset[UnitId] = frozenset()
    called: dict[UnitId, Hex] = {}

    def role(self, unit_id: UnitId) -> Role | None:
        """The action that a unit was designated for; None if it is not active."""
        return self.roles.get(unit_id)

    def start(self, unit_id: UnitId) -> Hex | None:
        """The hex where a unit began the segment."""
        return self.began.get(unit_id)

    def fresh(self, unit: Unit) -> bool:
        """Whether a unit is where it began the segment and has not been away [5.11.a, 5.63]."""
        return self.start(unit.id) == unit.hex and unit.id not in self.moved

    def spent_by(self, unit_id: UnitId) -> int:
        """Half movement points that a unit has spent and not finished with."""
        return self.spent.get(unit_id, 0)

    def ready(self, unit_id: UnitId, *roles: Role) -> bool:
        """Whether the unit is active in one of these roles, has not finished, nor moved in to assault [7.1]."""
        return unit_id not in self.finished and self.roles.get(unit_id) in roles and unit_id not in self.entered


class Army(msgspec.Struct, frozen=True):
    """The state of a side: its initiative, step losses, the turn of its decapitation [6.72], its remaining assets.

    `offboard` are the off-board strengths not used this turn [9.2], `aircraft` the pieces drawn for this turn that have
    not attacked, `segments` the number of its segments this turn, `banked` whether it saved one [17.2]. Where several
    players have the side, `commander` is their commanding officer [18.3], `senior` the leader who makes him that, and
    `segment` the player who has this segment [18.32].
    """

    initiative: int
    losses: int = 0
    decapitated: int | None = None
    decapitated_at: Hex = ""
    offboard: tuple[int, ...] = ()
    aircraft: tuple[str, ...] = ()
    segments: int = 0
    banked: bool = False
    commander: Player = ""
    senior: UnitId = ""
    segment: Player = ""


class Share(msgspec.Struct, frozen=True):
    """The assets of a sector's commander this turn [18.31]: strengths of off-board batteries, aircraft by their ids."""

    side: Side
    sector: SectorName
    offboard: tuple[int, ...] = ()
    aircraft: tuple[str, ...] = ()


class SectorCommand(msgspec.Struct, frozen=True):
    """The state of sector command [18.11]; it never changes in a game without sectors.

    `played` is the sector whose commanders are acting, none before and after all of them. `shares` are the assets
    divided among the sectors this turn, `sent` the units that are to go to another one [18.31].
    """

    played: SectorName = ""
    shares: tuple[Share, ...] = ()
    sent: tuple[tuple[UnitId, SectorName], ...] = ()


class Start(msgspec.Struct, frozen=True):
    """A unit as a scenario names it, and its starting hex if that is fixed."""

    unit: Unit
    hex: Hex = ""


class Setting:
    """The constants of a game: scenario, instructions, map, charts, options, players of units."""

    def __init__(self, scenario: Scenario, given: Instructions, board: HexMap, charts: Charts) -> None:
        self.scenario, self.instructions, self.map, self.charts = scenario, given, board, charts
        self.options = frozenset(scenario.options)
        self.sides = tuple(scenario.sides)
        self.other: Mapping[Side, Side] = stacks.opponents(self.sides)
        self.ids: dict[Side, tuple[UnitId, ...]] = dict.fromkeys(self.sides, ())
        self.secret_leaders: dict[Side, tuple[UnitId, ...]] = dict.fromkeys(
            self.sides, ()
        )  # 6.8: AFVs that may have one
        self.zones: dict[UnitId, frozenset[Hex]] = {}
        self.mine_zones: dict[Side, frozenset[Hex]] = {}
        self.entries: dict[UnitId, tuple[int, tuple[Hex, ...]]] = {}
        self.players: dict[UnitId, Player] = {}  # 18.2, if the scenario divides a side; leaders may be left out
        self.sector_of: dict[Hex, SectorName] = {}  # 18.1, if the map is divided
        self.roster: tuple[Start, ...] = ()
        self.exits: dict[Side, frozenset[Hex]] = {side: frozenset() for side in self.sides}
        self.objectives: frozenset[Hex] = frozenset()
        self.terrain: dict[Hex, tuple[str, ...]] = {}  # of every hex, by the names of the terrain chart
        self.rivers: dict[Hex, River] = {}  # 5.7
        self.limiting: set[Hex] = set()  # 8.2: hexes whose ground limits sight
        self.sight_facts = facts_over(board, charts, self.options)
        self.visibility: dict[int, int] = {}  # spotting.visibility by turn, as it is asked for
        self.prices: dict[tuple[str, Hex, Hex], int | None] = {}  # costs.ground_price, as it is asked for

    @cached_property
    def formations(self) -> Mapping[UnitId, Words]:
        """The formations of units, where the scenario tells them apart by its groups."""
        return formations(self.scenario, self.charts.kinds)

    def has(self, option: str) -> bool:
        """Whether an optional rule or reading is on in this game."""
        return option in self.options


class Position(msgspec.Struct):
    """Everything that changes in a game except the flow.

    `stacks` holds the units and leaders of a hex, top first, without those that are carried. `control` is the side that
    held a hex last [G.control]. `current` is the side whose segment it is, `lead` the number of segments that the
    winner of the initiative still has first [3.0.B], `activation` the action segment under way, `sectors` the state of
    sector command [18.1].
    """

    setting: Setting
    units: dict[UnitId, Unit]
    stacks: dict[Hex, tuple[UnitId, ...]]
    works: dict[Hex, Works]
    control: dict[Hex, Side]
    armies: dict[Side, Army]
    exits: dict[UnitId, Hex]
    turn: int = 0
    current: Side = ""
    lead: int = 0
    activation: Activation | None = None
    sectors: SectorCommand = SectorCommand()

    def copy(self) -> Position:
        """An independent copy."""
        return Position(
            self.setting,
            self.units.copy(),
            self.stacks.copy(),
            self.works.copy(),
            self.control.copy(),
            self.armies.copy(),
            self.exits.copy(),
            self.turn,
            self.current,
            self.lead,
            self.activation,
            self.sectors,
        )

    # --- questions --------------------------------------------------------------------------------------------

    @property
    def map(self) -> HexMap:
        """The map."""
        return self.setting.map

    @property
    def charts(self) -> Charts:
        """The charts in use."""
        return self.setting.charts

    @property
    def is_night(self) -> bool:
        """A night turn, or any turn with a range of sight of one hex [G.night, 8.1.A1]."""
        given = self.setting.instructions
        return self.turn in given.night or given.visibility <= 1

    def at(self, hex: Hex, side: Side | None = None) -> list[Unit]:
        """The units and leaders in a hex (of one side), top first, without those that are carried."""
        names = self.stacks.get(hex)
        if names is None:
            return []
        units = self.units
        if side is None:
            return [units[name] for name in names]
        return [unit for name in names if (unit := units[name]).side == side]

    def everybody(self, hex: Hex, side: Side | None = None) -> list[Unit]:
        """As `at`, with those that are carried behind their carriers."""
        found: list[Unit] = []
        for unit in self.at(hex, side):
            found.append(unit)
            if unit.cargo:
                found.extend(self.pick(unit.cargo))
        return found

    def of(self, side: Side) -> Iterator[Unit]:
        """The side's units and leaders on the map that are not carried."""
        return stacks.afield(self.units, self.setting.ids[side])

    def pick(self, names: Iterable[UnitId]) -> list[Unit]:
        """These units."""
        units = self.units
        return [units[name] for name in names]

    def in_hiding(self, side: Side) -> list[Unit]:
        """The units of a side that are not on the board yet: everybody knows that there are such units [16.6]."""
        return [unit for unit in self.pick(self.setting.ids[side]) if unit.hidden and unit.status == "on the map"]

    def work(self, hex: Hex) -> Works:
        """The contents of a hex besides units."""
        return self.works.get(hex, NOTHING)

    def combat_units(self, hex: Hex, side: Side) -> list[Unit]:
        """The side's combat units in a hex that are not carried [G.combat-unit]."""
        return [unit for unit in self.at(hex, side) if unit.combat]

    def holders(self, hex: Hex, side: Side) -> list[Unit]:
        """The units of a side that make a hex held: its combat units, and carriers with a combat unit aboard [5.3,
        5.31].
        """
        if hex not in self.stacks:
            return []
        units = self.units
        return [unit for unit in self.at(hex, side) if unit.combat or any(units[name].combat for name in unit.cargo)]

    def enemies(self, side: Side, hex: Hex) -> list[Unit]:
        """Enemies that bar entry except to assault: combat units [5.3], and carriers that are not empty [5.31]."""
        if hex not in self.stacks:
            return []
        return [unit for unit in self.at(hex, self.setting.other[side]) if unit.combat or unit.cargo]

    def assault_hex(self, hex: Hex) -> bool:
        """A hex with combat units of both sides [G.assault]."""
        names = self.stacks.get(hex)
        if names is None or len(names) < 2:
            return False
        first, second = self.setting.sides
        return bool(self.holders(hex, first) and self.holders(hex, second))

    def force_of(self, side: Side) -> str:
        """The row of forces.csv for a side."""
        return self.setting.instructions.sides[side].force or self.setting.scenario.sides[side].nation

    # --- changes ------------------------------------------------------------------------------------------------

    def change(self, unit_id: UnitId, /, **values: Any) -> Unit:
        """Replace values of a unit; return the new unit."""
        unit = self.units[unit_id] = replace(self.units[unit_id], **values)
        return unit

    def change_works(self, hex: Hex, **values: Any) -> None:
        """Replace the contents of a hex besides units."""
        self.works[hex] = replace(self.works.get(hex, NOTHING), **values)

    def change_army(self, side: Side, **values: Any) -> None:
        """Replace values of a side."""
        self.armies[side] = replace(self.armies[side], **values)

    def acting(self, **values: Any) -> None:
        """Replace values of the activation under way."""
        assert self.activation is not None, "nobody is activated"
        self.activation = replace(self.activation, **values)

    def finish(self, *names: UnitId) -> None:
        """Mark units as finished with their action [3.13.c]; trains and vessels may still fire [15.21]."""
        done = [name for name in names if not self._fires_next(name)]
        for name in done:
            self.change(name, marked=True)
        if self.activation is not None:
            self.acting(finished=self.activation.finished | dict.fromkeys(done))

    def _fires_next(self, unit_id: UnitId) -> bool:
        """An armored train or river vessel that has moved is ready to fire [15.21], unless it has fired at movers.

        Nor if it has tried to recover, dug or cleared a wreck: such units cannot act otherwise [14.4, 16.2, 16.31].
        """
        unit, activation = self.units[unit_id], self.activation
        if not unit.type_in("train", "vessel") or unit.demoralized or unit.shots or unit.hex is None:
            return False
        if activation is None or activation.role(unit_id) != "move" or activation.fresh(unit):
            return False
        self.acting(roles=activation.roles | {unit_id: "fire"})
        return True

    def spend(self, unit_id: UnitId, points: int) -> None:
        """Note half movement points of a unit that is active [5.61]."""
        assert self.activation is not None, "nobody is activated"
        self.acting(spent=self.activation.spent | {unit_id: self.activation.spent_by(unit_id) + points})

    def put(self, unit_id: UnitId, hex: Hex, **values: Any) -> Unit:
        """Bring a unit and its load into a hex, on top of the stack."""
        unit = self.units[unit_id]
        stacks.bring(self.stacks, unit, hex)
        unit = self.change(unit_id, hex=hex, status="on the map", **values)
        for other in unit.cargo:
            self.change(other, hex=hex, status="on the map")
        return unit

    def lift(self, unit_id: UnitId, status: str) -> None:
        """Take a unit and its load off the map."""
        unit = self.units[unit_id]
        stacks.leave(self.stacks, unit)
        if unit.carrier is not None:
            carrier = self.units[unit.carrier]
            self.change(carrier.id, cargo=tuple(other for other in carrier.cargo if other != unit_id))
        self.change(unit_id, hex=None, status=status, carrier=None, cargo=())
        for other in unit.cargo:
            self.change(other, hex=None, status=status, carrier=None, cargo=())

    def load(self, carrier: UnitId, unit_id: UnitId) -> None:
        """Put a unit or leader aboard [5.61]; it no longer lies in the stack."""
        unit = self.units[unit_id]
        stacks.leave(self.stacks, unit)
        bearer = self.change(carrier, cargo=(*self.units[carrier].cargo, unit_id))
        self.change(unit_id, carrier=carrier, hex=bearer.hex, status=bearer.status)

    def unload(self, unit_id: UnitId, **values: Any) -> Unit:
        """Take a passenger off its carrier, into the stack of its hex; in a river it has come as far as its carrier
        [5.73].
        """
        unit = self.units[unit_id]
        assert unit.carrier is not None
        assert unit.hex is not None
        carrier = self.units[unit.carrier]
        self.change(carrier.id, cargo=tuple(other for other in carrier.cargo if other != unit_id))
        self.stacks[unit.hex] = (unit_id, *self.stacks.get(unit.hex, ()))
        return self.change(unit_id, carrier=None, afloat=carrier.afloat, bank=carrier.bank, **values)


# --- refusals that many chapters share ------------------------------------------------------------------------


def not_yours(side: Side, unit: Unit) -> Refusal | None:
    """Only the player's own units act; all units of one side are friends [G.friendly]."""
    return Refusal("{} is not yours", PROCEDURE, (unit.name,)) if unit.side != side else None


def has_shot_twice(unit: Unit) -> Refusal | None:
    """Reject a unit that has taken both the anti-tank shots of Armor Efficiency in its segment of this turn [11.2]."""
    if unit.shot_with == "at" and not unit.shots:
        return Refusal("{} has taken both its anti-tank shots for this turn", "11.2", (unit.name,))
    return None


def off_the_map(unit: Unit) -> Refusal | None:
    """Reject a unit that is not on the map."""
    return Refusal("{} is not on the map", PROCEDURE, (unit.name,)) if unit.hex is None else None


def role_words(unit: Unit, role: Role) -> str:
    """A unit's designated action in words: units without a movement allowance do other work [3.13.a, 5.12.c]."""
    return WORK_WORDS[_stand(unit)] if role == "move" and only_works(unit) else ROLE_WORDS.get(role, role)


def only_works(unit: Unit) -> bool:
    """Whether a unit has no movement allowance, so that Movement is other work for it [3.13.a]."""
    return not unit.leader and not unit.movement


def _stand(unit: Unit) -> str:
    """The state of a weapon or strongpoint that decides about the work open to it."""
    if unit.carrier is not None:
        return "carried"
    if unit.hex is None:
        return "waiting"
    if unit.limbered:
        return "limbered"
    return "deployed" if unit.kind is not None and unit.kind.limbered else "fixed"


def not_ready(position: Position, unit: Unit, *roles: Role) -> Refusal | None:
    """The unit has to be active, designated so [3.13], and not finished [3.13.c].

    Demoralized since it was told to move, it can only try to recover [14.3]. Every action is either movement [3.13.a]
    or fire [3.13.b]: each chapter asks with the role that it needs.
    """
    activation = position.activation
    assert activation is not None
    role = activation.role(unit.id)
    if role is None:
        return Refusal("{} is not activated", "3.1", (unit.name,))
    if unit.id in activation.finished:
        return Refusal("{} has completed its action", "3.13.c", (unit.name,))
    if role not in roles:
        return Refusal("{} was designated to {}", "3.13", (unit.name, role_words(unit, role)))
    if role == "move" and unit.demoralized and "recover" not in roles:
        return Refusal("{} is demoralized: it can only try to recover", "14.3", (unit.name,))
    if unit.id in activation.entered:
        return Refusal("{} has moved in to assault", "7.1", (unit.name,))
    return None


def called_elsewhere(position: Position, unit: Unit, to: Hex = "") -> Refusal | None:
    """A unit called into an assault goes there and cannot fire from outside [12.5]."""
    activation = position.activation
    assert activation is not None
    hex = activation.called.get(unit.id, to)
    if hex in (to, unit.hex):
        return None
    return Refusal("{} can act only in the assault in {}", "12.5", (unit.name, hex))


def waiting(position: Position, unit: Unit) -> bool:
    """A reinforcement that is due and waits beside the map [16.51]."""
    if unit.status != "reserve" or unit.carrier is not None or unit.id not in position.setting.entries:
        return False
    return position.turn >= position.setting.entries[unit.id][0]


def overstacked(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Three combat units and three transports, APCs among them, of a side in a hex, at any time [4.1, 4.2, 4.5].

    An APC counts as a transport [4.3], an ENG in a river hex not at all [5.73.d]; leaders never do.
    """
    if unit.leader or hex not in position.stacks:
        return None
    there = [other for other in position.at(hex, unit.side) if not other.leader and other.id != unit.id]
    if unit.transport:
        if sum(other.transport for other in there) >= position.charts.figure("stack of transports"):
            return Refusal("{} already holds three transports", "4.5", (hex,))
        return None
    afloat = hex in position.setting.rivers
    if afloat and unit.type_in("engineer"):
        return None
    counted = [other for other in there if not other.transport and not (afloat and other.type_in("engineer"))]
    if len(counted) >= position.charts.figure("stack of combat units"):
        return Refusal("{} already holds three combat units", "4.5", (hex,))
    return None


def stacked(units: Iterable[Unit]) -> int:
    """The number of these units that count for the shift against three: combat units other than APCs [4.2.a, 4.4]."""
    return sum(unit.combat and not unit.apc for unit in units)
