"""Hidden units [7.2]: HIDDEN UNIT counters, what they stand for, and how they are found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import joined
from opfire.rulesets.panzer import control, stowed
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.moving.transport import no_room
from opfire.rulesets.panzer.pieces import (
    Hex,
    Mask,
    Position,
    Setting,
    Side,
    Unit,
    UnitId,
    Work,
    lurking,
    where_it_is,
)
from opfire.rulesets.panzer.sighting.chances import range_of_sight
from opfire.rulesets.panzer.sighting.spots import cannot_spot, lookouts, spotters
from opfire.rulesets.panzer.works import obstacles
from opfire.rulesets.panzer.works.entrenching import occupy, settle_in

OPTION = "7.2"
UNMASKED = "unmasked"
"""The result of placing revealed units."""


class Lurk(Action, frozen=True):
    """Hide a unit under the HIDDEN UNIT counter of its formation in a hex, or under a new one there."""

    says = "{unit} hides in {hex}"
    kind = "place"
    unit: UnitId
    hex: Hex


class Bluff(Action, frozen=True):
    """Lay a HIDDEN UNIT counter that stands for nothing."""

    says = "A fake counter in {hex}"
    kind = "place"
    hex: Hex


class Unmask(Action, frozen=True):
    """Reveal a HIDDEN UNIT counter: its units are placed on the map."""

    says = "Reveal the hidden counter in {hex}"
    kind = "reveal"
    counter: str
    hex: Hex


class Spread(Action, frozen=True):
    """Place a revealed unit in a hex within Command Range of its counter, with a facing (0 north, clockwise, to 5)."""

    says = "{unit} stands in {hex}, facing {facing}"
    kind = "place"
    unit: UnitId
    hex: Hex
    facing: int


# --- the counters [7.2.1, 7.2.2] ---------------------------------------------------------------------------------


def limit(made: Setting, side: Side) -> int:
    """The HIDDEN UNIT counters that a side may have on the map [7.2.2]."""
    section = made.sections.sides.get(side)
    return section.hidden_counters if section and OPTION in made.options else 0


def of(position: Position, side: Side) -> list[Mask]:
    """The counters of a side."""
    return [mask for mask in position.masks.values() if mask.side == side]


def formation_of(position: Position, mask: Mask) -> str:
    """The formation of the units under a counter; none for a fake [7.2.1]."""
    return position.units[mask.units[0]].formation if mask.units else ""


def host(position: Position, unit: Unit, hex: Hex) -> Mask | None:
    """The counter in a hex that a unit may join: one of its own formation [7.2.1]."""
    found = (
        mask for mask in of(position, unit.side) if mask.hex == hex and formation_of(position, mask) == unit.formation
    )
    return next(found, None)


def _empty(position: Position, side: Side, hex: Hex) -> Mask | None:
    """The counter in a hex that stands for nothing yet."""
    return next((mask for mask in of(position, side) if mask.hex == hex and not mask.units), None)


def no_counter_left(position: Position, side: Side) -> Refusal | None:
    """Reject more counters than the scenario allows [7.2.2, 7.2.3]."""
    most = limit(position.setting, side)
    if len(of(position, side)) < most:
        return None
    return Refusal("{} HIDDEN UNIT counters are all that there are", "7.2.2", (most,))


def cannot_lurk(position: Position, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject a new counter beyond the limit; a unit may join one of its formation [7.2.1, 7.2.2]."""
    return None if host(position, unit, hex) else no_counter_left(position, unit.side)


def lurk(position: Position, unit_id: UnitId, hex: Hex, *, laid: bool = False) -> None:
    """Hide a unit under the counter of its formation in a hex, or under a new one [7.2.1, 7.2.2]."""
    unit = position.units[unit_id]
    mask = (
        host(position, unit, hex)
        or _empty(position, unit.side, hex)
        or Mask(_free_id(position, unit.side), unit.side, hex, laid=laid)
    )
    position.masks[mask.id] = replace(mask, units=(*mask.units, unit_id), spent=())
    uproot(position, unit_id, hex)
    position.change(unit_id, hex=None, status="hidden", spot="", fresh="", depot=unit.depot or hex)


def emerge(position: Position, unit_id: UnitId) -> None:
    """Take a unit out from under its counter, if it has one; a counter without units comes off [7.2.2]."""
    if mask := mask_of(position, unit_id):
        left = tuple(name for name in mask.units if name != unit_id)
        position.masks[mask.id] = replace(mask, units=left, spent=())
        if not left:
            del position.masks[mask.id]
        position.change(unit_id, depot="")


def uproot(position: Position, unit_id: UnitId, hex: Hex) -> None:
    """A unit that is to stand in another hex leaves its floor, building or position in the old one [7.2.2.1-spot]."""
    if position.units[unit_id].hex != hex:
        position.change(unit_id, **ROOTS)


ROOTS: dict[str, object] = {"inside": False, "upper": False, "hull_down": "", "backed_in": False, "hedge": ""}
ROOTS |= {"exposed": False, "came": "", "behind": ()}
"""The values of a unit that hold in its present hex alone, with those of a unit that has left it."""


def bluff(position: Position, side: Side, hex: Hex, *, laid: bool = False) -> None:
    """Lay a counter that stands for nothing [7.2.1]."""
    mask = Mask(_free_id(position, side), side, hex, laid=laid)
    position.masks[mask.id] = mask


def _free_id(position: Position, side: Side) -> str:
    taken = {mask.id for mask in position.masks.values()}
    return next(name for number in range(1, 1000) if (name := f"{side}-hidden-{number}") not in taken)


def lay(position: Position, side: Side) -> None:
    """Put the counters of a side on the map; their numbers follow their hexes, and so tell nothing [7.2.2]."""
    own = sorted(of(position, side), key=lambda mask: (mask.hex, bool(mask.units), mask.units))
    for mask in own:
        del position.masks[mask.id]
    for number, mask in enumerate(own, 1):
        name = f"{side}-hidden-{number}"
        position.masks[name] = replace(mask, id=name, laid=True)


# --- secrets [7.2.1] ---------------------------------------------------------------------------------------------


def as_known(position: Position, side: Side) -> tuple[dict[str, Mask], dict[UnitId, Unit]]:
    """The counters as a side knows them, and the units of others about which it knows no more than that they exist."""
    masks = {
        name: mask if mask.side == side else Mask(name, mask.side, mask.hex, (), mask.spot, True, moved=mask.moved)
        for name, mask in position.masks.items()
        if mask.laid or mask.side == side
    }
    found = {unit.id for unit in position.units.values() if unit.side != side and _hidden(unit)}
    found |= {unit.id for unit in position.units.values() if unit.carrier in found}
    found |= {unit.id for unit in position.units.values() if unit.status == "stowed" and unit.part_of in found}
    return masks, {name: _as_listed(position, position.units[name]) for name in found}


def _as_listed(position: Position, unit: Unit) -> Unit:
    """A hidden unit as its formation lists it: it exists, and nothing else about it is known [7.2.1]."""
    return Unit(
        id=unit.id,
        side=unit.side,
        kind=position.charts.vehicles[unit.bed] if unit.bed else unit.kind,  # RULINGS.md R193
        name=unit.name,
        formation=unit.formation,
        grade=unit.grade,
        platoon=unit.platoon,
        status="hidden",
        command="?",
    )


def works_known(works: Mapping[Hex, tuple[Work, ...]], hidden: Collection[UnitId]) -> dict[Hex, tuple[Work, ...]]:
    """The works as a side knows them: a position does not tell of a hidden unit in it [6.1.4.3.7, 7.2.1]."""
    return {
        hex: tuple(replace(work, holder="", facing=0) if work.holder in hidden else work for work in found)
        for hex, found in works.items()
    }


def _hidden(unit: Unit) -> bool:
    return unit.status == "hidden" or (unit.hides and unit.status == "to place")


def spots_known(position: Position, side: Side, hidden: Iterable[UnitId]) -> dict[UnitId, tuple[UnitId, ...]]:
    """The spots as a side knows them: nobody learns what hidden enemies see."""
    unseen = set(hidden)
    return {name: tuple(one for one in found if one not in unseen) for name, found in position.spots.items()}


# --- spotting [7.2.2.1] ------------------------------------------------------------------------------------------


def decoy(position: Position, mask: Mask) -> Unit:
    """The unit for which a fake is taken: a squad, or a vehicle once it has moved like one [7.2.2.1-fake, 7.2.2.2]."""
    nation = position.setting.scenario.sides[mask.side].nation
    made = position.charts
    legs = (leg for leg in made.legs.values() if leg.category == "squad")
    kind = next(iter(made.vehicles.values())) if mask.fast else next(legs)
    return Unit(id=mask.id, side=mask.side, kind=kind, name=nation, hex=mask.hex, formation="")


def stands_for(position: Position, mask: Mask) -> list[Unit]:
    """The units under a counter, in its hex; for a fake the unit for which it is taken [7.2.2.1-spot, 7.2.2.1-fake]."""
    return [where_it_is(position, name) for name in mask.units] or [decoy(position, mask)]


def seen(position: Position, mask: Mask) -> list[Unit]:
    """The units of a counter that an enemy on the map would spot now: one of them reveals it [7.2.2.1-spot]."""
    eyes = [*lookouts(position, position.setting.other[mask.side])]
    return [
        unit
        for unit in stands_for(position, mask)
        if any(cannot_spot(position, eye, unit, mask.spot) is None for eye in eyes)
    ]


def clearest(position: Position, mask: Mask, found: Iterable[Unit]) -> Unit:
    """The one of these units of a counter that is seen farthest: one of its type stays in the hex [7.2.2.1-spot]."""
    eyes = [*lookouts(position, position.setting.other[mask.side])]
    return max(found, key=lambda unit: max(range_of_sight(position, eye, unit, mask.spot) for eye in eyes))


def look(game: Game[Position]) -> bool:
    """Reveal the first counter that is spotted now; return whether there was one [7.2.2.1-spot]."""
    position = game.state
    for mask in position.masks.values() if position.masks else ():
        if mask.laid and (found := seen(position, mask)):
            game.push(unmasking(game, mask.id, clearest(position, mask, found)))
            return True
    return False


# --- revealing [7.2.2.3] -----------------------------------------------------------------------------------------


def unmask(game: Game[Position], mask_id: str) -> tuple[UnitId, ...]:
    """Take a counter off: its units stand in its hex, a fake was nothing [7.2.2.1-spot, 7.2.2.3]."""
    position = game.state
    mask = position.masks.pop(mask_id)
    for name in mask.units:
        fresh, moved = "move" if mask.moved else "", mask.moved or position.units[name].moved
        values = {"spot": mask.spot, "fresh": fresh, "moved": moved, "moving": mask.moved}
        position.put(name, mask.hex, facing=position.setting.facing(mask.side), hides=False, **values)
    for name in mask.units:
        position.spots[name] = tuple(spotters(position, position.units[name]))
    shown = (*mask.units, *(rider.id for name in mask.units for rider in position.aboard(name)))
    names = joined(position.units[name].name for name in shown) if shown else "nothing"
    text = "The HIDDEN UNIT counter in {} is revealed: {}"
    game.tell(Event("revealed", text, (mask.hex, names), "7.2.2.3", shown, (mask.hex,)))
    return mask.units


def unmasking(game: Game[Position], mask_id: str, first: Unit | None = None) -> Frame:
    """Reveal a counter: the frame in which its units are placed; one like `first` stays in its hex [7.2.2.1-spot]."""
    mask = game.state.masks[mask_id]
    units = unmask(game, mask_id)
    stays = type(first.kind).__name__ if first else ""
    return Unmasking(mask.side, mask.hex, units, stays)


class Unmasking(Frame, frozen=True):
    """The units of a revealed counter are placed, at least one in its hex, the others near it [7.2.2.1-spot]."""

    takes = (Spread, EndStep)
    step = "hidden units"
    rule = "7.2.2.1-spot"
    question = "Place the revealed units within Command Range of {hex}, or leave them there"
    hex: Hex
    units: tuple[UnitId, ...]
    stays: str = ""

    def begin(self, game: Game[Position]) -> None:
        """A fake leaves nothing to place, a single unit stays, and mines may leave fewer than there were [7.2.2.3]."""
        here = replace(self, units=tuple(name for name in self.units if game.state.units[name].hex is not None))
        game.swap(here)
        if len(here.units) <= 1:
            here._end(game)

    def _end(self, game: Game[Position]) -> None:
        """The units are spotted as they stand now; then the next counter that is spotted is revealed."""
        position = game.state
        for name in self.units:
            settle_in(position, position.units[name])
            position.spots[name] = tuple(spotters(position, position.units[name]))
        for mask in position.masks.values():
            if mask.laid and (found := seen(position, mask)):
                after = unmasking(game, mask.id, clearest(position, mask, found))
                game.pop(UNMASKED)
                return game.push(after)
        game.pop(UNMASKED)

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from self.units

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield EndStep()
            return
        ways = (
            Spread(actor, hex, facing) for hex in within(sight, sight.units[actor], self.hex) for facing in range(6)
        )
        yield from (way for way in ways if self.refusal(sight, side, way) is None)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Spread(name, hex, facing):
                unit = sight.units[name]
                if name not in self.units or facing not in range(6):
                    return Refusal("{} was not hidden here, or there is no such facing", PROCEDURE, (unit.name,))
                if hex not in within(sight, unit, self.hex):
                    return Refusal("{} is beyond Command Range of {}", "7.2.2.1-spot", (hex, self.hex))
                if hex != self.hex and not self._holds(sight, name):
                    return Refusal("A unit like {} has to stay in {}", "7.2.2.1-spot", (unit.name, self.hex))
        return None

    def _holds(self, sight: Position, leaving: UnitId) -> bool:
        """Return whether a unit of the spotted type is left in the hex of the counter without this one."""
        left = [sight.units[name] for name in self.units if name != leaving and sight.units[name].hex == self.hex]
        return any(not self.stays or type(unit.kind).__name__ == self.stays for unit in left)

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Spread(name, hex, facing):
                uproot(game.state, name, hex)
                unit = game.state.put(name, hex, facing=facing)
                game.tell(Event("placed", "{} stands in {}", (unit.name, hex), "7.2.2.1-spot", (name,), (hex,)))
            case EndStep():
                self._end(game)


def within(position: Position, unit: Unit, hex: Hex) -> list[Hex]:
    """The hexes within Command Range of a counter that a unit could reach over ground that it may enter."""
    ground, reached = position.setting.ground, [hex]
    edge = [hex]
    for _ in range(control.command_range(position, unit)):
        edge = [near for at in edge for near in position.map.neighbours[at] if near and near not in reached]
        edge = [near for near in dict.fromkeys(edge) if ground.entry(near, unit.ground.traction) is not None]
        edge = [near for near in edge if obstacles.bars(position, unit, near) is None]
        reached += [near for near in edge if not any(other.side != unit.side for other in position.at(near))]
    return reached


class UnmaskStep(Frame, frozen=True):
    """Before its step a side may reveal counters: hidden units fight only once they are revealed [7.2.2.3]."""

    takes = (Unmask, EndStep)
    step = "direct fire"
    rule = "7.2.2.3"
    question = "Reveal HIDDEN UNIT counters whose units are to fight, or go on"

    def begin(self, game: Game[Position]) -> None:
        """Ask only a side with counters on the map, whatever they stand for."""
        if not of(game.state, self.side):
            game.pop()

    def resume(self, game: Game[Position], result: object) -> None:
        """Stay for the next counter."""
        if not of(game.state, self.side):
            game.pop()

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        return (*(Unmask(mask.id, mask.hex) for mask in of(sight, side)), EndStep())

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        return cannot_unmask(sight, side, action)

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Unmask(counter):
                game.push(unmasking(game, counter))
            case _:
                game.pop()


class UnmaskForCloseCombat(UnmaskStep, frozen=True):
    """The same before the Close Combat Step [7.2.2.3]."""

    step = "close combat"


def cannot_unmask(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject counters of the other side, and those that are not there."""
    match action:
        case Unmask(counter, hex):
            mask = position.masks.get(counter)
            if mask is None or mask.side != side or mask.hex != hex:
                return Refusal("{} is no HIDDEN UNIT counter of yours in {}", PROCEDURE, (counter, hex))
    return None


# --- hiding in play [7.2.3] --------------------------------------------------------------------------------------


class HideStep(Frame, frozen=True):
    """Counters are laid up to the limit, and units that no enemy spots may hide under them [7.2.3].

    RULINGS.md R190.
    """

    takes = (Lurk, Bluff, EndStep)
    step = "adjustment"
    rule = "7.2.3"
    question = "Hide units that nobody spots, lay fake counters, or go on"

    def begin(self, game: Game[Position]) -> None:
        """Ask only a side that may have counters."""
        if not limit(game.state.setting, self.side):
            game.pop()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if unspotted(sight, unit))

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        found: Iterable[Action]
        if actor == NOBODY:
            yield EndStep()
            found = (Bluff(hex) for hex in _near(sight, side)) if no_counter_left(sight, side) is None else ()
        else:
            found = (Lurk(actor, hex) for hex in within(sight, sight.units[actor], str(sight.units[actor].hex)))
        yield from (act for act in found if self.refusal(sight, side, act) is None)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Lurk(name, hex):
                return cannot_hide(sight, side, sight.units[name], hex)
            case Bluff(hex):
                return no_counter_left(sight, side) or _no_place(sight, side, hex)
        return None

    def only(self, state: Position, action: Action) -> tuple[Side, ...]:
        """Everybody sees that units vanish and where counters are laid, not under which of them they are."""
        return (self.side,) if isinstance(action, Lurk) else ()

    def play(self, game: Game[Position], action: Action) -> None:
        position = game.state
        match action:
            case Lurk(name, hex):
                unit = position.units[name]
                game.tell(Event("hidden", "{} hides", (unit.name,), "7.2.3", (name,)))
                lurk(position, name, hex, laid=True)
                occupy(position, where_it_is(position, name))
            case Bluff(hex):
                bluff(position, self.side, hex, laid=True)
            case EndStep():
                game.pop()


def unspotted(position: Position, unit: Unit) -> bool:
    """Return whether no enemy on the map spots a unit now [7.2.3]."""
    return next(spotters(position, unit), None) is None


def cannot_hide(position: Position, side: Side, unit: Unit, hex: Hex) -> Refusal | None:
    """Reject units that are spotted, and hexes beyond Command Range or without a counter for them [7.2.3]."""
    if unit.side != side or unit.hex is None:
        return Refusal("{} is no unit of yours on the map", PROCEDURE, (unit.name,))
    if not unspotted(position, unit):
        return Refusal("{} is spotted and cannot hide", "7.2.3", (unit.name,))
    if hex not in within(position, unit, unit.hex):
        return Refusal("{} is beyond Command Range of {}", "7.2.3", (hex, unit.name))
    if host(position, unit, hex) or _empty(position, side, hex):
        return None
    return Refusal("There is no counter for {} in {}: lay one first", "7.2.3", (unit.name, hex))


def _near(position: Position, side: Side) -> list[Hex]:
    """The hexes next to the units and counters of a side."""
    own = [str(unit.hex) for unit in position.of(side)] + [mask.hex for mask in of(position, side)]
    return [*dict.fromkeys(hex for at in own for hex in (at, *position.map.neighbours[at]) if hex)]


def _no_place(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """Reject a fake among enemies, where it would be seen, or far from its side [7.2.2.1-fake, 7.2.3]."""
    free = not any(other.side != side for other in position.at(hex)) if hex in position.map.cells else False
    if hex in _near(position, side) and free and not seen(position, Mask("", side, hex, laid=True)):
        return None
    return Refusal("A fake counter does not stay hidden in {}", "7.2.3", (hex,))


# --- hexes with counters -----------------------------------------------------------------------------------------


def no_ground(position: Position, hex: Hex) -> bool:
    """Return whether there is no such hex on the map."""
    return hex not in position.map.cells


def uncover(game: Game[Position], hexes: Collection[Hex]) -> None:
    """Take the counters in these hexes off at once; their units stand there: RULINGS.md R243."""
    for name in [mask.id for mask in game.state.masks.values() if mask.hex in hexes and mask.laid]:
        for unit in unmask(game, name):
            settle_in(game.state, game.state.units[unit])


def struck(game: Game[Position], hexes: Iterable[Hex]) -> bool:
    """Reveal the first counter under shells or an attack from the air; return whether there was one [7.2.2.3]."""
    places = set(hexes)
    mask = next((mask for mask in game.state.masks.values() if mask.hex in places and mask.laid), None)
    if mask is not None:
        game.push(unmasking(game, mask.id))
    return mask is not None


def covering(position: Position, hex: Hex, side: Side) -> Mask | None:
    """The counter of another side in a hex."""
    return next((mask for mask in position.masks.values() if mask.hex == hex and mask.side != side and mask.laid), None)


def watch(position: Position) -> None:
    """Hidden units spot enemies, each for itself: RULINGS.md R189 [7.2.2.1-spot]."""
    for side in position.setting.sides:
        eyes = [*lurking(position, side)] if position.masks else []
        for enemy in position.enemies(side) if eyes else ():
            found = tuple(eye.id for eye in eyes if cannot_spot(position, eye, enemy, enemy.spot) is None)
            position.spots[enemy.id] = (*position.spots.get(enemy.id, ()), *found)


def settle(position: Position) -> None:
    """At the end of the turn counters have moved no more."""
    for name, mask in [*position.masks.items()]:
        position.masks[name] = replace(mask, moved=False, spent=(), spot="move" if mask.moved else "")


# --- mounting and Full Cover [7.2.2.2] ---------------------------------------------------------------------------


class Board(Action, frozen=True):
    """A hidden unit mounts a vehicle under the same counter."""

    says = "{passenger} mounts {unit}, hidden"
    kind = "carry"
    unit: UnitId
    passenger: UnitId


class Alight(Action, frozen=True):
    """A passenger of a hidden vehicle dismounts, and stays hidden."""

    says = "{passenger} dismounts, hidden"
    kind = "carry"
    passenger: UnitId


class CoverUp(Action, frozen=True):
    """A hidden leg or towed unit takes Full Cover, or leaves it."""

    says = "{unit} takes or leaves Full Cover, hidden"
    kind = "cover"
    unit: UnitId


def mask_of(position: Position, unit_id: UnitId) -> Mask | None:
    """The counter of a hidden unit."""
    return next((mask for mask in position.masks.values() if unit_id in mask.units), None)


def cannot_board(position: Position, vehicle: Unit, passenger: Unit) -> Refusal | None:
    """Reject mounting of units of another counter, without a Move command or room [7.2.2.2, 6.6.7.1.1-mount]."""
    mask = mask_of(position, vehicle.id)
    if mask is None or passenger.id not in mask.units or mask.moved:
        return Refusal(
            "{} and {} are not under one counter that has not moved", "7.2.2.2", (passenger.name, vehicle.name)
        )
    if passenger.command != "move" or passenger.moved:
        return Refusal("{} has no Move command left: mounting is movement", "6.6.7.1.1-mount", (passenger.name,))
    if not stowed.goes_back(position.charts, vehicle, passenger):
        return no_room(vehicle, position.aboard(vehicle.id), passenger)
    if stowed.takes_all(position.charts, vehicle, passenger) and (vehicle.command not in MOVING or vehicle.moved):
        return Refusal("{} takes its gun back with its whole move: give it Move", "5.2.1", (vehicle.name,))
    return None


MOVING = ("move", "short halt")
"""The commands with which a vehicle moves."""


def board(game: Game[Position], action: Board) -> None:
    """A hidden unit mounts; a portee's gun and a vehicle's own FO become part of its counter [7.2.2.2, 5.2.1, 7.47]."""
    position, mask = game.state, mask_of(game.state, action.passenger)
    assert mask is not None
    position.masks[mask.id] = replace(mask, units=tuple(name for name in mask.units if name != action.passenger))
    vehicle, passenger = position.pick((action.unit, action.passenger))
    if not stowed.goes_back(position.charts, vehicle, passenger):
        position.change(passenger.id, carrier=vehicle.id, status="mounted", moved=True, transport=vehicle.id)
        return
    whole = stowed.takes_all(position.charts, vehicle, passenger)
    stowed.take_back(game, vehicle, passenger.id)
    position.change(vehicle.id, moved=vehicle.moved or whole)


def bearer_of(unit: Unit) -> UnitId:
    """The vehicle that carries a unit, or of which it is part [6.6.7, 5.2.1, 7.47]."""
    return unit.carrier or (unit.part_of if unit.status == "stowed" else "")


def cannot_alight(position: Position, passenger: Unit) -> Refusal | None:
    """Reject dismounting from vehicles that are not hidden, and right after mounting [7.2.2.2]."""
    if mask_of(position, bearer_of(passenger)) is None or passenger.moved:
        return Refusal("{} is aboard no hidden vehicle, or has just mounted", "7.2.2.2", (passenger.name,))
    return None


def alight(game: Game[Position], passenger: UnitId) -> None:
    """A passenger dismounts under the counter of its vehicle; a portee parts into truck and gun [7.2.2.2, 5.2.1]."""
    position = game.state
    mask = mask_of(position, bearer_of(position.units[passenger]))
    assert mask is not None
    if position.units[passenger].status == "stowed":
        stowed.set_free(game, passenger)
    position.masks[mask.id] = replace(mask, units=(*mask.units, passenger), spent=())
    position.change(passenger, carrier=None, status="hidden", moved=True)


def cannot_cover(position: Position, unit: Unit) -> Refusal | None:
    """Reject Full Cover for vehicles, and for units that are not hidden [7.2.2.2, 6.1.4.2]."""
    if unit.status == "hidden" and not unit.is_vehicle and mask_of(position, unit.id) is not None:
        return None
    return Refusal("{} is a vehicle, or is not hidden", "7.2.2.2", (unit.name,))
