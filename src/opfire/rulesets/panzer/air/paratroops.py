"""Paratroops [7.44.1]: they scatter about their Drop Zone, land, fight for their hex, and are fired at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer import hiding
from opfire.rulesets.panzer.air.scatter import WAYS, drifted
from opfire.rulesets.panzer.charts import LandingStatus, Leg
from opfire.rulesets.panzer.fire import hand_to_hand
from opfire.rulesets.panzer.fire.casualties import eliminate, halve
from opfire.rulesets.panzer.fire.close_assault import Band
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import searching
from opfire.rulesets.panzer.pieces import Descent, Hex, Position, Side, Unit, UnitId, not_yours
from opfire.rulesets.panzer.suppression import suppress
from opfire.rulesets.panzer.works import mines
from opfire.rulesets.panzer.works.entrenching import occupy

OPTION = "7.44.1"
DIE = 100
FULL = 3
"""The units of a side in a hex from which on nobody else lands there [7.44.1, 7.44.1.1-5]."""

LIGHTS = {"moonlight": 0, "dusk": -10, "day": -20}
"""The modifiers of scatter rolls by the light [7.44.1.1-3]."""

GUIDED = -20
"""The modifier of a Pathfinder in the Drop Zone hex, by moonlight [7.44.1.1-4]."""


SMOKE = 10
"""The modifier of smoke in a landing hex [7.44.1.2-3, 7.44.2.3-5]."""

FLAK = "7.44.1.4"
STICK = 6
"""The Passenger Capacity of a stick: that of three squads [7.44.1.4]."""

EXPOSED = {"moonlight": 0, "dusk": 5, "day": 10}
"""The modifiers of anti-aircraft fire at a stick by the light [7.44.1.4]."""


class Drop(Action, frozen=True):
    """Let a paratroop unit jump over its Drop Zone."""

    says = "{unit} jumps"
    kind = "place"
    final = True
    unit: UnitId


class Gather(Action, frozen=True):
    """Bring a unit that came down beyond the map into play, in its edge hex or next to it."""

    says = "{unit} comes in at {hex}"
    kind = "place"
    final = True
    unit: UnitId
    hex: Hex


class Defend(Action, frozen=True):
    """Choose the unit that fights the paratroops who landed in its hex."""

    says = "{unit} fights the paratroops"
    kind = "fight"
    final = True
    unit: UnitId


# --- the units that come down ------------------------------------------------------------------------------------


def due(position: Position, side: Side) -> list[Unit]:
    """The paratroop units of a side that come down now, or that come in from beyond the map [7.44.1, 7.44.1.1-6]."""
    there = ((position.units[name], descent) for name, descent in position.descents.items())
    return [unit for unit, descent in there if unit.side == side and descent.turn == position.turn and _waits(unit)]


def expected(position: Position, side: Side) -> bool:
    """Return whether a side still has paratroops in the air."""
    return any(position.units[name].side == side and _waits(position.units[name]) for name in position.descents)


def _waits(unit: Unit) -> bool:
    return unit.status == "aloft"


def cannot_drop(position: Position, side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that does not jump in this Movement Phase [7.44.1]."""
    if refusal := not_yours(side, unit):
        return refusal
    if unit not in due(position, side) or position.descents[unit.id].astray:
        return Refusal("{} does not jump now", "7.44.1", (unit.name,))
    return None


def cannot_gather(position: Position, side: Side, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a hex with enemies, or one that is not near the edge hex of a unit that went astray [7.44.1.1-6]."""
    if refusal := not_yours(side, unit):
        return refusal
    if unit not in due(position, side) or not position.descents[unit.id].astray:
        return Refusal("{} does not come in now", "7.44.1.1-6", (unit.name,))
    if hex not in havens(position, unit):
        return Refusal("{} is not the nearest free hex for {}", "7.44.1.1-6", (hex, unit.name))
    return None


def havens(position: Position, unit: Unit) -> tuple[Hex, ...]:
    """The hexes at which a unit that went astray comes in: its edge hex or one next to it, else the nearest free ones.

    Rule: [7.44.1.1-6].
    """
    start, enemies = position.descents[unit.id].hex, {foe.hex for foe in position.enemies(unit.side)}
    enemies |= {mask.hex for mask in position.masks.values() if mask.side != unit.side and mask.laid}
    steps = 1
    while not (found := tuple(hex for hex in position.map.within(start, steps) if hex not in enemies)):
        steps += 1
    return found


# --- scatter [7.44.1.1] ------------------------------------------------------------------------------------------


def scatter_modifier(position: Position, side: Side, zone: Hex) -> int:
    """The modifier of both scatter rolls: the light, and a Pathfinder by moonlight [7.44.1.1-3, 7.44.1.1-4]."""
    light = position.setting.sections.conditions.light
    guided = light == "moonlight" and any(u.side == side and "Pathfinder" in u.labels for u in position.at(zone))
    return LIGHTS[light] + (GUIDED if guided else 0)


def scattered(position: Position, net: int) -> int:
    """The hexes of a scatter roll [7.44.1.1-2]."""
    return next(row.hexes for row in position.charts.paratroop_scatter.values() if row.low <= net <= row.high)


def crowded(position: Position, side: Side, hex: Hex) -> bool:
    """Return whether three units of the side are in a hex already; Pathfinders do not count [7.44.1.1-5]."""
    return sum(unit.side == side and "Pathfinder" not in unit.labels for unit in position.at(hex)) >= FULL


def fall(position: Position, hex: Hex, way: int, hexes: int) -> tuple[Hex, int]:
    """The hex to which a unit drifts, and the hexes by which it misses the map beyond its edge [7.44.1.1-6]."""
    for step in range(hexes, 0, -1):
        if found := drifted(position, hex, way, step):
            return found, hexes - step
    return hex, hexes


def land_somewhere(game: Game[Position], unit: Unit) -> tuple[Hex, int]:
    """Roll two directions, then the distances, again while the hex is full; the hex, and the hexes beyond the map.

    Rules: [7.44.1.1-1, 7.44.1.1-2, 7.44.1.1-5, 7.44.1.1-6]. When the first drift leads off the map there is no second.
    """
    position, zone = game.state, game.state.descents[unit.id].hex
    first, second = game.roll(2, WAYS)
    added = scatter_modifier(position, unit.side, zone)
    while True:
        (one,) = game.roll(1, DIE)
        hex, missed = fall(position, zone, first, scattered(position, one + added))
        rolled: tuple[int, ...] = (one,)
        if not missed:
            (two,) = game.roll(1, DIE)
            hex, missed = fall(position, hex, second, scattered(position, two + added))
            rolled = (one, two)
        facts = (unit.name, hex)
        dice = (first, second, *rolled)
        game.tell(Event("scatter", "{} drifts to {}", facts, "7.44.1.1-2", (unit.id,), (hex,), dice))
        if missed or not crowded(position, unit.side, hex):
            return hex, missed


# --- landing status [7.44.1.2] -----------------------------------------------------------------------------------


def ground_of(position: Position, hex: Hex) -> LandingStatus:
    """The row of a landing hex: that of its worst terrain; hexsides have no effect on paratroops.

    A stream that nobody can pass counts as water. Rules: [7.44.1.2-1, 7.44.1.2-2, 7.44.2.3-4].
    """
    cell = position.map.cells[hex]
    rows_of = {**ROWS, "stream": "water"} if position.setting.sections.conditions.streams == "impassable" else ROWS
    words = [rows_of.get(word, word) for word in cell.terrain]
    if any(work.kind == "rubble" for work in position.works.get(hex, ())):
        words = ["rubble"]
    if any(cell.links):
        words.append("road_path")
    rows = [position.charts.landing_status[word] for word in words if word in position.charts.landing_status]
    return min(rows, key=lambda row: row.none, default=position.charts.landing_status["clear"])


ROWS = {
    "wood building": "building",
    "brick building": "building",
    "stone building": "building",
    "light woods": "light_woods",
    "heavy woods": "heavy_woods",
    "light grove": "light_grove",
    "medium grove": "medium_grove",
    "soft sand": "sand",
}
"""The rows of the Landing Status Table for terrain of another name."""


def landing(position: Position, unit: Unit, hex: Hex) -> Calculation:
    """The landing roll of a paratroop unit [7.44.1.2-ne, 7.44.1.2-spr, 7.44.1.2-helm, 7.44.1.2-elm]."""
    row = ground_of(position, hex)
    title = Text("{} lands in {}", (unit.name, hex))
    return status(title, row, [*smoke_line(position, hex, "7.44.1.2-3")], "7.44.1.2-ne")


def status(title: Text, row: LandingStatus, modifiers: Sequence[Line], rule: str) -> Calculation:
    """A roll on a row of the Landing Status Table [7.44.1.2-ne, 7.44.2.3-res]."""
    net = sum(line.amount for line in modifiers)
    odds = Line("odds", row.terrain.replace("_", " ").capitalize(), f"01-{row.none}", row.rule, row.none)
    outcomes = tuple(row.outcome(roll + net) for roll in range(1, DIE + 1))
    return Calculation(title, rule, (*modifiers, odds), 1, DIE, outcomes, "", net)


def smoke_line(position: Position, hex: Hex, rule: str) -> Iterator[Line]:
    """The modifier of the smoke of a barrage in a landing hex: wrecks and dischargers have none.

    Rules: [7.44.1.2-3, 7.44.2.3-5].
    """
    if any(hex in area.hexes and not area.lights and not area.unit for area in position.smoke):
        yield Line("modifier", "Smoke", f"{SMOKE:+d}", rule, SMOKE)


def touch_down(game: Game[Position], unit_id: UnitId, hex: Hex) -> None:
    """A unit lands: its status, then mines and barrages in the hex attack it [7.44.1.2-4, 7.44.1.2-5]."""
    unit = game.state.put(unit_id, hex, depot=hex)
    made = landing(game.state, unit, hex)
    dice = game.roll(1, DIE)
    result = made.result(dice)
    facts = (unit.name, hex, result)
    game.tell(Event("landed", "{} lands in {}: {}", facts, "7.44.1.2-ne", (unit_id,), (hex,), dice, made))
    suffer(game, unit_id, result)
    if game.state.units[unit_id].hex is not None:
        mines.strike(game, unit_id)
    if game.state.units[unit_id].hex is not None:
        barrages.meet(game, unit_id, ())


def suffer(game: Game[Position], unit_id: UnitId, result: str) -> None:
    """Apply a landing status: suppressed, reduced by a half and suppressed, or lost.

    Rules: [7.44.1.2-ne, 7.44.1.2-spr, 7.44.1.2-helm, 7.44.1.2-elm].
    """
    unit = game.state.units[unit_id]
    match result:
        case "suppressed":
            suppress(game, unit_id)
        case "half eliminated" if unit.kind.category == "squad":
            halve(game, unit)
            suppress(game, unit_id)
        case "half eliminated" | "eliminated":
            eliminate(game, unit)


# --- anti-aircraft fire [7.44.1.4] -------------------------------------------------------------------------------


def sticks(position: Position, side: Side) -> Iterator[tuple[Unit, ...]]:
    """The units that jump now over each Drop Zone hex, as many together as three squads take: RULINGS.md R203.

    Pathfinders, and those who come in at the edge of the map, are in no stick [7.44.1.4].
    """
    jumping = [unit for unit in due(position, side) if "Pathfinder" not in unit.labels]
    jumping = [unit for unit in jumping if not position.descents[unit.id].astray]
    for zone in dict.fromkeys(position.descents[unit.id].hex for unit in jumping):
        stick: list[Unit] = []
        for unit in (unit for unit in jumping if position.descents[unit.id].hex == zone):
            if sum(map(_room, (*stick, unit))) > STICK:
                yield tuple(stick)
                stick = []
            stick.append(unit)
        yield tuple(stick)


def _room(unit: Unit) -> int:
    assert isinstance(unit.kind, Leg)
    return unit.kind.pc_leg


def fire_at_stick(game: Game[Position], stick: Sequence[Unit]) -> None:
    """Anti-aircraft fire at a stick: one roll, with one result for all its units [7.44.1.4].

    Those that it kills are lost over their Drop Zone.
    """
    position, zone = game.state, game.state.descents[stick[0].id].hex
    added = EXPOSED[position.setting.sections.conditions.light]
    light = [Line("modifier", "Dusk or day", f"{added:+d}", FLAK, added)] if added else []
    row = position.charts.landing_status["anti_aircraft_fire"]
    made = status(Text("Anti-aircraft fire at the paratroops over {}", (zone,)), row, light, FLAK)
    dice = game.roll(1, DIE)
    result = made.result(dice)
    facts, units = (zone, result), tuple(unit.id for unit in stick)
    game.tell(Event("fired", "Paratroops over {} under fire: {}", facts, FLAK, units, (zone,), dice, made))
    for unit in stick:
        if result == "eliminated" or (result == "half eliminated" and unit.kind.category != "squad"):
            position.put(unit.id, zone)
        suffer(game, unit.id, result)


# --- enemies in the landing hex [7.44.1.1-7, 7.44.1.1-8] ---------------------------------------------------------


def sidestep(game: Game[Position], unit_id: UnitId) -> None:
    """A unit among vehicles alone moves on by a die for the direction until it is clear of enemies.

    Beyond the map the die is rolled again [7.44.1.1-7].
    """
    position = game.state
    while foes_at(position, position.units[unit_id]) and not defenders(position, position.units[unit_id]):
        unit = position.units[unit_id]
        (way,) = game.roll(1, WAYS)
        if hex := drifted(position, str(unit.hex), way, 1):
            position.put(unit_id, hex)
            facts = (unit.name, hex)
            game.tell(Event("moved", "{} gets away to {}", facts, "7.44.1.1-7", (unit_id,), (hex,), (way,)))


def foes_at(position: Position, unit: Unit) -> list[Unit]:
    """The enemies in the hex of a unit."""
    return [other for other in position.at(str(unit.hex)) if other.side != unit.side]


def defenders(position: Position, unit: Unit) -> list[Unit]:
    """The enemy leg and towed units in the hex of a unit, which fight it hand to hand [7.44.1.1-8]."""
    return [other for other in foes_at(position, unit) if not other.is_vehicle]


class Fighting(Frame, frozen=True):
    """Paratroops among enemy leg and towed units fight hand to hand at once, until one side is gone [7.44.1.1-8].

    The other side chooses its unit; only the `first` combat has the modifier of the landing. Then the unit gets away
    from vehicles [7.44.1.1-7].
    """

    takes = (Defend,)
    step = "movement"
    rule = "7.44.1.1-8"
    question = "Choose the unit that fights the paratroops"
    unit: UnitId
    first: bool = True

    def begin(self, game: Game[Position]) -> None:
        """Go on to the next combat, or end [7.44.1.1-7, 7.44.1.1-8]."""
        unit = game.state.units[self.unit]
        if unit.hex is not None and not defenders(game.state, unit):
            sidestep(game, self.unit)
        unit = game.state.units[self.unit]
        if unit.hex is None or not defenders(game.state, unit):
            game.pop()

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield from (Defend(foe.id) for foe in defenders(sight, sight.units[self.unit]))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Defend(unit) if sight.units[unit] not in defenders(sight, sight.units[self.unit]):
                return Refusal("{} is not in the hex", "7.44.1.1-8", (sight.units[unit].name,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Defend(target):
                unit = game.state.units[self.unit]
                searching.hear(game.state, unit.side, str(unit.hex), searching.SMALL_ARMS)
                hand_to_hand.resolve(game, Band((unit,), landed=True, shaken=self.first), target)
                checks.check(game, target, "assaulted")
                after = replace(self, first=False)
                game.swap(after)
                after.begin(game)


# --- the step [7.44.1] -------------------------------------------------------------------------------------------


class DropStep(Frame, frozen=True):
    """Paratroops come down at the beginning of their side's Movement Step, in any order [7.44.1, 7.44.1.3].

    `landed` is the unit that has just come down: it is fired at as a moving unit.
    """

    takes = (Drop, Gather)
    step = "movement"
    rule = "7.44.1"
    question = "Let paratroops jump"
    landed: UnitId = ""

    def begin(self, game: Game[Position]) -> None:
        """With the option the sticks are fired at before they come down [7.44.1.4]."""
        for stick in [*sticks(game.state, self.side)] if FLAK in game.state.setting.options else ():
            fire_at_stick(game, stick)
        if not due(game.state, self.side):
            game.pop()

    def resume(self, game: Game[Position], result: object) -> None:
        """After the fight for its hex a unit is subject to overwatch; then the next one comes [7.44.1.3].

        It fights those under a counter in its hex, too, who are revealed first [7.44.1.1-8, 7.2.2.1-spot].
        """
        unit = game.state.units.get(self.landed)
        if unit is not None and unit.hex is not None:
            if mask := hiding.covering(game.state, unit.hex, unit.side):
                return game.push(hiding.unmasking(game, mask.id))
            if result == hiding.UNMASKED:
                return game.push(Fighting(game.state.setting.other[self.side], unit.id))
        game.swap(replace(self, landed=""))
        if unit is not None and unit.hex is not None:
            game.state.change(unit.id, moving=True, fresh="move")
            occupy(game.state, unit)
            other = game.state.setting.other[self.side]
            game.push(Overwatch(other, (other, self.side), (unit.id,), unit.hex))
            hiding.look(game)
        elif not due(game.state, self.side):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        return (unit.id for unit in due(sight, side))

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        unit = sight.units[actor]
        if cannot_drop(sight, side, unit) is None:
            return (Drop(actor),)
        return (Gather(actor, hex) for hex in havens(sight, unit)) if unit in due(sight, side) else ()

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Drop(unit):
                return cannot_drop(sight, side, sight.units[unit])
            case Gather(unit, hex):
                return cannot_gather(sight, side, sight.units[unit], hex)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Drop(unit):
                self._drop(game, unit)
            case Gather(unit, hex):
                game.state.put(unit, hex, depot=hex)
                name = game.state.units[unit].name
                game.tell(Event("placed", "{} comes in at {}", (name, hex), "7.44.1.1-6", (unit,), (hex,)))
                self._down(game, unit)

    def _drop(self, game: Game[Position], unit_id: UnitId) -> None:
        hex, missed = land_somewhere(game, game.state.units[unit_id])
        if missed:
            game.state.descents[unit_id] = Descent(game.state.turn + missed, hex, astray=True)
            self._down(game, "")
            return
        touch_down(game, unit_id, hex)
        self._down(game, unit_id)

    def _down(self, game: Game[Position], unit_id: UnitId) -> None:
        after = replace(self, landed=unit_id)
        game.swap(after)
        after.resume(game, hiding.UNMASKED)
