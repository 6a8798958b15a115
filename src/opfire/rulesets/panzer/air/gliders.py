"""Gliders [7.44.2]: they fly in like aircraft, touch down, run on over the ground, and set their passengers down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer import hiding
from opfire.rulesets.panzer.air import crossing, flak, paratroops
from opfire.rulesets.panzer.air.scatter import WAYS, drifted
from opfire.rulesets.panzer.charts import GpResult, LandingStatus
from opfire.rulesets.panzer.fire import gp_fire
from opfire.rulesets.panzer.fire.casualties import eliminate
from opfire.rulesets.panzer.fire.gp_fire import Outcome
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.indirect.kinds import Mission
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer.suppression import suppress
from opfire.rulesets.panzer.works import minefields, mines
from opfire.rulesets.panzer.works.entrenching import occupy

OPTION = "7.44.2"
DIE, SMALL_DIE = 100, 10
TURNS, BETWEEN = 2, 3
"""The turns of a glider, and the hexes that it flies between them [7.44.2.2-3]."""

BASE, GUIDED, HIT = 20, -10, 20
"""The modifiers of landing rolls: gliders, a Pathfinder by moonlight, each status of the glider [7.44.2.3-1]."""

STEEP = 3
"""The levels up or down that wreck a glider on the run [7.44.2.3-7]."""

SMALLEST = "1-3"
"""The column of gliders in the Minefield Effects Table, by their GP Defense Factors."""

INWARD: dict[str, tuple[int, ...]] = {"north": (2, 3, 4), "east": (4, 5), "south": (0, 1, 5), "west": (1, 2)}
"""The facings inward from each edge of the map [7.44.2.2-1]."""

HEXSIDE = "_hexside_gliders"
"""The end of the names of rows for hexsides in the Landing Status Table."""

SIDES = ("hedgerow", "wall", "slope", "crest")
"""The hexsides that are checked on the run [7.44.2.3-9]."""


class Glide(Action, frozen=True):
    """Place a glider on a hex of its Arrival Area; the other side chooses its facing."""

    says = "{unit} comes in at {hex}"
    kind = "move"
    final = True
    unit: UnitId
    hex: Hex


class Point(Action, frozen=True):
    """Choose the facing of an enemy glider that comes in."""

    says = "{unit} flies {facing}"
    kind = "turn"
    final = True
    unit: UnitId
    facing: int


class TouchDown(Action, frozen=True):
    """Touch down with a glider in the hex over which it flies."""

    says = "{unit} touches down"
    kind = "place"
    final = True
    unit: UnitId


# --- entry and flight [7.44.2.2] ---------------------------------------------------------------------------------


def is_glider(unit: Unit) -> bool:
    """Return whether an aircraft is a glider."""
    return unit.kind.category == "glider"


def facings_at(position: Position, hex: Hex, edges: Iterable[str]) -> tuple[int, ...]:
    """The two or three facings that lead inward from an edge hex of an Arrival Area [7.44.2.2-1]."""
    around, along = position.map.neighbours[hex], position.map.edge(hex).intersection(edges)
    ways = {way for edge in along for way in INWARD[edge] if around[way] is not None}
    return tuple(sorted(ways))


def cannot_bank(unit: Unit) -> Refusal | None:
    """Reject a third turn, one too soon after the other, and turns of a suppressed glider [7.44.2.2-3]."""
    flight = unit.airborne
    if unit.suppression or flight.turns >= TURNS:
        return Refusal("{} is suppressed, or has turned twice", "7.44.2.2-3", (unit.name,))
    straight = next((n for n, (_, way) in enumerate(reversed(flight.path)) if way != unit.facing), len(flight.path))
    if flight.turns and straight - 1 < BETWEEN:
        return Refusal("{} flies {} hexes between two turns", "7.44.2.2-3", (unit.name, BETWEEN))
    return None


class Pointing(Frame, frozen=True):
    """The other side chooses the facing of a glider that comes in [7.44.2.2-1]."""

    takes = (Point,)
    step = "air"
    rule = "7.44.2.2-1"
    question = "Choose the direction in which the glider comes in"
    unit: UnitId
    hex: Hex

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        edges = sight.setting.squadrons[self.unit].edges
        yield from (Point(self.unit, facing) for facing in facings_at(sight, self.hex, edges))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Point(unit, facing):
                edges = sight.setting.squadrons[self.unit].edges
                if unit != self.unit or facing not in facings_at(sight, self.hex, edges):
                    return Refusal("{} does not come in that way", "7.44.2.2-1", (sight.units[unit].name,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        """The glider enters at Slow and Low [7.44.2.2-2]."""
        match action:
            case Point(unit, facing):
                plane = game.state.change(unit, facing=facing)
                turn, path = game.state.turn, ((self.hex, facing),)
                crossing.fly(game.state, plane, hex=self.hex, path=path, first=turn, last=turn)
                game.tell(Event("air", "{} comes in", (plane.name,), "7.44.2.2-2", (unit,), (self.hex,)))
        game.pop(True)


# --- the run over the ground [7.44.2.3] --------------------------------------------------------------------------


class Run(NamedTuple):
    """A glider on the ground: the hex in which it is, the hexes left with this one, the terrain that it left."""

    hex: Hex
    left: int
    before: str = ""


def rows_between(position: Position, a: Hex, b: Hex) -> list[LandingStatus]:
    """The rows of the hexsides that a run crosses [7.44.2.3-9]."""
    kinds = position.map.side(a, b)
    return [position.charts.landing_status[f"{kind}{HEXSIDE}"] for kind in SIDES if kind in kinds]


def longer(position: Position, a: Hex, b: Hex) -> int | None:
    """The hexes that a slope adds to a run downhill, or takes uphill; None where it wrecks the glider [7.44.2.3-7]."""
    coords, ground = position.map.coords, position.setting.ground
    rise = ground.height(coords[b]) - ground.height(coords[a])
    if abs(rise) >= STEEP or "cliff" in position.map.side(a, b):
        return None
    return -rise // max(1, abs(rise)) if "slope" in position.map.side(a, b) and rise else 0


def status(position: Position, glider: Unit, row: LandingStatus, hex: Hex, *, touches: bool) -> Calculation:
    """The landing roll of a glider for a hex or a hexside, over which no smoke counts: RULINGS.md R132.

    Rules: [7.44.2.3-res, 7.44.2.3-1, 7.44.2.3-2, 7.44.2.3-3, 7.44.2.3-5].
    """
    lines = [*_modifiers(position, glider, row, hex, touches=touches)]
    return paratroops.status(Text("{} lands in {}", (glider.name, hex)), row, lines, "7.44.2.3-res")


def _modifiers(position: Position, glider: Unit, row: LandingStatus, hex: Hex, *, touches: bool) -> Iterator[Line]:
    yield Line("modifier", "Glider", f"{BASE:+d}", "7.44.2.3-1", BASE)
    light = position.setting.sections.conditions.light
    guides = (unit for unit in position.at(hex) if unit.side == glider.side and "Pathfinder" in unit.labels)
    if touches and light == "moonlight" and any(guides):
        yield Line("modifier", "Pathfinder", f"{GUIDED:+d}", "7.44.2.3-2", GUIDED)
    for held, label in ((bool(glider.suppression), "Suppressed"), (glider.damaged, "Damaged")):
        if held:
            yield Line("modifier", label, f"{HIT:+d}", "7.44.2.3-3", HIT)
    if not row.terrain.endswith(HEXSIDE):
        yield from paratroops.smoke_line(position, hex, "7.44.2.3-5")


def aboard(position: Position, glider: UnitId) -> list[Unit]:
    """The passengers of a glider that are not lost [7.44.2]."""
    return [unit for unit in position.pick(position.setting.loads.get(glider, ())) if unit.status != "eliminated"]


def land(game: Game[Position], glider_id: UnitId) -> None:
    """A glider touches down and runs straight on over its Landing Distance [7.44.2.2-6, 7.44.2.3-6].

    At the edge of the map it stops. Each hex of other terrain than the one before is checked, and every hexside
    [7.44.2.3-8, 7.44.2.3-9].
    """
    position, glider = game.state, game.state.units[glider_id]
    game.tell(Event("landed", "{} touches down", (glider.name,), "7.44.2.2-6", (glider_id,), (glider.airborne.hex,)))
    run = Run(glider.airborne.hex, glider.aircraft.landing)
    while run.left > 0 and _enter(game, glider_id, run):
        terrain = paratroops.ground_of(position, run.hex).terrain
        ahead = crossing.before(position, run.hex, glider.facing)
        if ahead is None:
            break
        change = longer(position, run.hex, ahead) if run.left > 1 else 0
        if change is None:
            return wreck(game, glider_id, run.hex)
        if run.left > 1:
            _cross(game, glider_id, run.hex, ahead)
        left = run.left - 1 + change
        if left <= 0:
            break
        run = Run(ahead, left, terrain)
    if position.units[glider_id].status == "aloft":
        come_to_rest(game, glider_id, run.hex)


def _enter(game: Game[Position], glider_id: UnitId, run: Run) -> bool:
    """A hex of the run: mines and barrages first, then the landing status; return whether the glider is left.

    Rules: [7.44.2.3-12, 7.44.2.3-13, 7.44.2.3-8].
    """
    position = game.state
    crossing.fly(position, position.units[glider_id], hex=run.hex)
    for unit in aboard(position, glider_id):
        position.put(unit.id, run.hex, facing=position.units[glider_id].facing, depot=run.hex)
    strike_mines(game, glider_id)
    for mission in barrages.lying(position, run.hex) if position.missions else ():
        if position.units[glider_id].status == "aloft":
            strike_barrage(game, glider_id, mission)
    if position.units[glider_id].status != "aloft":
        return False
    row = paratroops.ground_of(position, run.hex)
    if row.terrain != run.before:
        check(game, glider_id, row, run.hex, touches=not run.before)
    return True


def _cross(game: Game[Position], glider_id: UnitId, a: Hex, b: Hex) -> None:
    for row in rows_between(game.state, a, b):
        check(game, glider_id, row, a, touches=False)


def check(game: Game[Position], glider_id: UnitId, row: LandingStatus, hex: Hex, *, touches: bool) -> None:
    """Roll for the landing status; it holds for all passengers [7.44.2.3-res]."""
    made = status(game.state, game.state.units[glider_id], row, hex, touches=touches)
    dice = game.roll(1, DIE)
    result = made.result(dice)
    facts = (game.state.units[glider_id].name, hex, result)
    game.tell(Event("landed", "{} in {}: {}", facts, "7.44.2.3-res", (glider_id,), (hex,), dice, made))
    for unit in aboard(game.state, glider_id):
        paratroops.suffer(game, unit.id, result)


def strike_mines(game: Game[Position], glider_id: UnitId) -> None:
    """Mines against vehicles attack a glider: damage counts from now on, a track hit does not [7.44.2.3-12]."""
    position, glider = game.state, game.state.units[glider_id]
    hex = glider.airborne.hex
    fields = (work for work in position.works.get(hex, ()) if work.kind == "mines" and work.side != glider.side)
    work = next((work for work in fields if "ap" not in work.value.split()), None)
    if work is None or minefields.OPTION not in position.setting.options:
        return
    minefields.uncover(position, hex, work)
    row = position.charts.minefields[work.value.split()[0], SMALLEST]
    (rolled,) = game.roll(1, DIE)
    result = "damaged" if rolled <= row.worst else "no effect"
    if result == "damaged":
        position.change(glider_id, damaged=True)
    game.tell(Event("mines", "Mines: {} {}", (glider.name, result), "7.44.2.3-12", (glider_id,), (hex,), (rolled,)))


def strike_barrage(game: Game[Position], glider_id: UnitId, mission: Mission) -> None:
    """A barrage attacks a glider: it is suppressed, damaged, or lost with all aboard [7.44.2.3-13]."""
    position, glider = game.state, game.state.units[glider_id]
    card = glider.aircraft
    defense = (Line("defence", "GP Defense of gliders", card.gpd, "6.5.4.2.4", card.gp_defense),)

    def settle(found: GpResult, total: int) -> Outcome:
        return flak.outcome(found, total, damaged=glider.damaged)

    attack, lines = barrages.attack_line(position, mission), [*barrages.of_firer(position, mission)]
    made = gp_fire.determination(position.charts, Text("Barrage on {}", (glider.name,)), attack, defense, lines, settle)
    dice = game.roll(1, gp_fire.DIE)
    result, hex = made.result(dice), glider.airborne.hex
    facts, calibre = (glider.name, result), barrages.fire_of(position, mission).row.calibre_mm
    text, units = "The barrage: {} {}", (glider_id,)
    game.tell(Event("fired", text, facts, "7.44.2.3-13", units, (hex,), dice, made, calibre=calibre))
    match result:
        case "suppressed":
            suppress(game, glider_id)
        case "damaged":
            position.change(glider_id, damaged=True)
        case "destroyed":
            wreck(game, glider_id, hex)


def wreck(game: Game[Position], glider_id: UnitId, hex: Hex) -> None:
    """A glider is smashed with all aboard, and leaves a wreck [7.44.2.3-7, 7.44.2.3-13]."""
    lose_passengers(game, glider_id, hex)
    _leave_wreck(game, glider_id, hex)


def lose_passengers(game: Game[Position], glider_id: UnitId, hex: Hex) -> None:
    """All passengers are lost [7.44.2.2-5, 7.44.2.3-7]."""
    for unit in aboard(game.state, glider_id):
        eliminate(game, game.state.put(unit.id, hex))


def _leave_wreck(game: Game[Position], glider_id: UnitId, hex: Hex) -> None:
    position, glider = game.state, game.state.units[glider_id]
    position.wrecks.setdefault(hex, "KO")
    position.change(glider_id, status="exited", flight=replace(glider.airborne, hex=""))
    game.tell(Event("landed", "{} is a wreck in {}", (glider.name, hex), "7.44.2.3-10", (glider_id,), (hex,)))


def come_to_rest(game: Game[Position], glider_id: UnitId, hex: Hex) -> None:
    """The glider becomes a wreck; its passengers stand in its last hex, meet mines there, and get away from enemies.

    Rules: [7.44.2.3-10, 7.44.2.3-11, 7.44.2.3-14].
    """
    position = game.state
    _leave_wreck(game, glider_id, hex)
    for unit in aboard(position, glider_id):
        mines.strike(game, unit.id)
    units = [unit for unit in aboard(position, glider_id) if unit.hex is not None]
    while units and _hostile(game, hex, units[0].side):
        (way,) = game.roll(1, WAYS)
        hex = drifted(position, hex, way, 1) or hex
        for unit in units:
            position.put(unit.id, hex)
        facts = (units[0].name, hex)
        game.tell(Event("moved", "{} gets away to {}", facts, "7.44.2.3-11", (units[0].id,), (hex,), (way,)))
    for unit in units:
        occupy(position, position.units[unit.id])


def _hostile(game: Game[Position], hex: Hex, side: Side) -> bool:
    """Return whether enemies are in a hex; those under a counter show themselves [7.44.2.3-11, 7.2.2.1-spot]."""
    if mask := hiding.covering(game.state, hex, side):
        hiding.unmask(game, mask.id)
    return any(other.side != side for other in game.state.at(hex))


def fire_at(game: Game[Position], side: Side, units: Sequence[Unit]) -> None:
    """The passengers may be fired at as moving units [7.44.2.4]."""
    for unit in units:
        game.state.change(unit.id, moving=True, fresh="move")
    if units:
        other = game.state.setting.other[side]
        targets = tuple(unit.id for unit in units)
        game.push(Overwatch(other, (other, side), targets, str(units[0].hex)))
        hiding.look(game)


def fall_short(game: Game[Position], glider_id: UnitId) -> bool:
    """A glider that was damaged touches down a roll of hexes ahead; beyond the map all are lost [7.44.2.2-4].

    Return whether it can land there.
    """
    position, glider = game.state, game.state.units[glider_id]
    flight = glider.airborne
    (rolled,) = game.roll(1, SMALL_DIE)
    hex = crossing.before(position, flight.hex, glider.facing, rolled)
    facts = (glider.name, rolled)
    game.tell(Event("air", "{} comes down after {} hexes", facts, "7.44.2.2-4", (glider_id,), (), (rolled,)))
    if hex is None:
        lose_passengers(game, glider_id, flight.hex)
        position.change(glider_id, status="eliminated", flight=replace(flight, hex=""))
        return False
    crossing.fly(position, glider, hex=hex)
    return True
