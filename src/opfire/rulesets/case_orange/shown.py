"""The view of a player, and the queries: labels, the meanings of a click, previews, reach and sight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Literal

import msgspec

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Cases
from opfire.core.flow import Frame
from opfire.core.texts import Text, Words, joined, say
from opfire.kit import boards, scoring
from opfire.kit import shown as kit
from opfire.rulesets.case_orange import victory
from opfire.rulesets.case_orange.assault import Assault, Assaulting, AssaultSegment, assault
from opfire.rulesets.case_orange.assault import defence as assault_defence
from opfire.rulesets.case_orange.combat import below_minimum
from opfire.rulesets.case_orange.costs import allowance, road_between, step_cost
from opfire.rulesets.case_orange.counters import figures
from opfire.rulesets.case_orange.direct import (
    AddFirer,
    Attack,
    Attacking,
    DirectFireSegment,
    called,
    cannot_attack,
    defence,
    direct_fire,
    fort_id,
    no_such_target,
    strength,
    target_of,
)
from opfire.rulesets.case_orange.indirect import (
    Confirm,
    Declared,
    DeclareFire,
    Gathering,
    IndirectFireSegment,
    Resolving,
    carrier_observing,
    indirect_fire,
    targets_in,
)
from opfire.rulesets.case_orange.movement import Move, Moving, cannot_step
from opfire.rulesets.case_orange.overrun import Overrun, OverrunGroup, Riding, overrun, ways_up
from opfire.rulesets.case_orange.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.case_orange.reaction import Interdict, OpportunityFire, Shoot
from opfire.rulesets.case_orange.registration import Aiming, Register
from opfire.rulesets.case_orange.sequence import SEGMENTS, NonVehicleSegment, VehicleSegment
from opfire.rulesets.case_orange.setup import Place, SetUp
from opfire.rulesets.case_orange.spotting import Level, eyes_of, levels, no_line, spots_one, visible_hexes
from opfire.space.paths import path, reachable

TITLES = {
    "begin": "Begin",
    "indirect": "Indirect fire",
    "registration": "Registration",
    "direct": "Direct fire",
    "vehicle": "Vehicles",
    "non-vehicle": "Others move",
    "assault": "Assaults",
    "end": "End",
}

# --- ids that are not in the game ---------------------------------------------------------------------------

_KNOWN: Mapping[str, Callable[[Position, Any], Refusal | None]] = {
    "unit": kit.no_unit,
    "carrier": kit.no_unit,
    "units": kit.not_units,
    "hex": boards.no_hex,
    "to": boards.no_hex,
    "target": no_such_target,
}


def unknown(sight: Position, action: Action) -> Refusal | None:
    """Reject units, hexes and targets that are not in the game."""
    return kit.unknown(sight, action, _KNOWN)


# --- words --------------------------------------------------------------------------------------------------


MANNERS: dict[str, str] = {
    "hip": "from the hip",
    "registered": "on its registration marker",
    "party-line": "as a party line",
    "barrage": "as a barrage",
    "rolling-thunder": "as rolling thunder",
}
"""The manners of indirect fire in words [9.6.1, 12.3, 12.4, 12.5]."""


def named(sight: Position, name: str) -> str:
    """A unit by its name and hex, a manner of fire in words, anything else as it is."""
    if name in MANNERS:
        return say(MANNERS[name])
    if name.startswith("fort@"):
        return say("the fortification in {}", name[5:])
    return boards.named(sight, name)


def label(sight: Position, action: Action) -> str:
    """An action in words, as on a button."""
    text = say(action.says, **kit.in_words(action, partial(named, sight)))
    if getattr(action, "below", ""):
        text += say(", below the works")
    return text + (say(", that unit alone") if getattr(action, "single", False) else "")


def touches(sight: Position, action: Action) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The units and the hexes on which a click may mean this action."""
    units, hexes = boards.touches(sight, action)
    target = str(getattr(action, "target", ""))
    if target.startswith("fort@"):
        hexes.append(target[5:])
    return tuple(units), tuple(hexes)


# --- the view -----------------------------------------------------------------------------------------------


def view(sight: Position, side: Side, frame: Frame | None) -> dict[str, Any]:
    """The view of a seat; Case Orange is an open game, so all see the same."""
    made = sight.setting
    scenario = made.scenario
    return {
        **kit.heading("case-orange", scenario, sight.turn, sight.current, scenario.first),
        **scoring.shown(scenario, partial(victory.sources, sight), victory.TERMS),
        "track": _track(sight, frame),
        "each_side": True,
        "units": list(_units(sight)),
        "markers": [*_markers(sight), *_aims(sight, frame)],
        "missions": [_mission(sight, attack) for attack in _declared(frame)],
        "building": _building(sight, frame),
        "reinforcements": list(kit.reinforcements(sight.units, made.entries)),
        "control": dict(sight.control),
        "losses": kit.losses(sight.units, made.ids),
        "options": sorted(made.options),
    }


def _track(position: Position, frame: Frame | None) -> list[dict[str, Any]]:
    step = _step(position, frame)
    return [
        {"id": part.step, "title": say(TITLES[part.step]), "rule": part.rule, "now": part.step == step}
        for part in SEGMENTS
    ]


def _step(position: Position, frame: Frame | None) -> str:
    """The segment that a frame belongs to; a shot at a mover belongs to the segment in which it moves."""
    match frame:
        case Moving():
            return frame.segment
        case OverrunGroup() | Riding():
            return "vehicle"
        case OpportunityFire():
            return "vehicle" if any(position.units[name].vehicle for name in frame.movers) else "non-vehicle"
    return getattr(frame, "step", "")


def _units(position: Position) -> Iterator[dict[str, Any]]:
    """Every unit, with its formation where the scenario tells them apart."""
    known = position.setting.formations
    for unit in position.units.values():
        yield _unit(position, unit) | ({"formation": say(known[unit.id])} if unit.id in known else {})


def _unit(position: Position, unit: Unit) -> dict[str, Any]:
    kind = unit.kind
    return {
        **boards.placed(unit, position.stacks),
        "nation": kind.nation,
        "kind": kind.id,
        "type": say(kind.type),
        **kit.drawn(kind.type, unit.name),
        "figures": [{"kind": what, "text": text} for what, text in figures(unit)],
        "attack": kind.attack,
        "weapon": kind.weapon,
        "range": kind.range,
        "doubles": kind.doubles,
        "defence": kind.defence,
        "movement": kind.movement,
        "size": kind.size,
        "points": kind.points,
        "vehicle": kind.vehicle,
        "armoured": kind.armoured,
        "face_up": unit.face_up,
        "dispersed": unit.dispersed,
        "spotted": unit.spotted,
        "moved": unit.moved,
        "fired": unit.fired,
        "cargo": [unit.cargo] if unit.cargo else [],
        "below": unit.below,
        "badges": list(_badges(position, unit)),
    }


def _badges(position: Position, unit: Unit) -> Iterator[dict[str, str]]:
    if unit.dispersed:
        yield {"code": unit.dispersed, "text": say("Dispersed" if unit.dispersed == "D" else "Heavily dispersed")}
    if not unit.face_up and not unit.dispersed:
        yield {"code": "I", "text": say("Inverted: it has acted")}
    if unit.spotted:
        yield {"code": "S", "text": say("Spotted" if unit.spotted == "spotted" else "Spotted firing")}
    if unit.cargo:
        yield {"code": "L", "text": say("Carries {}", position.units[unit.cargo].name)}
    if unit.moved:
        yield {"code": "M", "text": say("Has moved")}
    if unit.below:
        words = {"dug-in": "Dug in", "position": "Below an improved position", "fort": "In a fortification"}
        yield {"code": "B", "text": say(words[unit.below])}
    if unit.charges:
        yield {"code": "C", "text": say("{} turns on the bridge", unit.charges)}
    if unit.busy:
        yield {"code": "W", "text": say("Being made ready")}


def _markers(position: Position) -> Iterator[dict[str, Any]]:
    for hex, works in position.works.items():
        if works.wreck:
            yield kit.marker("wreck", hex, say("Wreck, {} points", works.wreck), str(works.wreck))
        if works.block:
            yield kit.marker("block", hex, say("Block"), "")
        if works.mines:
            yield kit.marker("mines", hex, say("Mines {}", works.mines), works.mines, works.mines_side)
        if works.dug_in:
            yield kit.marker("dug-in", hex, say("Dug in"), "", works.dug_in)
        if works.position:
            yield kit.marker("position", hex, say("Improved position"), "")
        if works.fort is not None:
            fort = works.fort
            factor = fort.breached_factor if fort.breached else fort.factor
            words = "Fortification, breached, {}{}" if fort.breached else "Fortification, {}{}"
            text = say(words, factor, _held(position, hex))
            yield kit.marker("fort", hex, text, str(factor))
    for name, hex in position.registered.items():
        unit = position.units[name]
        marker = kit.marker("registration", hex, say("Registration of {}", unit.name), "", unit.side)
        yield {**marker, "id": f"registration@{name}"}


def _declared(frame: Frame | None) -> tuple[Declared, ...]:
    """The indirect attacks that are declared and not resolved yet [4.2-C2]."""
    match frame:
        case IndirectFireSegment(declared=attacks) | Gathering(declared=attacks) | Resolving(attacks=attacks):
            return attacks
    return ()


def _aims(position: Position, frame: Frame | None) -> Iterator[dict[str, Any]]:
    """A marker in each hex on which declared fire is to fall."""
    for attack in _declared(frame):
        side = position.units[attack.firers[0]].side
        yield kit.marker("mission", attack.hex, _mission_in_words(position, attack), "", side)


def _mission_in_words(position: Position, attack: Declared) -> str:
    firers = [unit.name for unit in position.pick(attack.firers)]
    fires = "{} fires at {} {}" if len(firers) == 1 else "{} fire at {} {}"
    return say(fires, joined(firers, " and "), attack.hex, say(MANNERS[attack.how]))


def _mission(position: Position, attack: Declared) -> dict[str, Any]:
    """A declared attack with its chances against each target as things stand [9.6.2]."""
    firers, side = position.pick(attack.firers), position.units[attack.firers[0]].side
    found = [
        (target, indirect_fire(position, firers, attack.how, target))
        for target in targets_in(position, side, attack.hex)
    ]
    inverted = carrier_observing(position, attack)
    return {
        "place": attack.hex,
        "units": list(attack.firers),
        "text": _mission_in_words(position, attack),
        "note": say("{} will be inverted: only its passenger observes", position.units[inverted].name)
        if inverted
        else "",
        "targets": [
            {
                "units": [unit.id for unit in target.units],
                "calculation": made and made.to_json(),
                "note": "" if made else say("below 1:4, no effect"),
            }
            for target, made in found
        ],
    }


def _held(position: Position, hex: Hex) -> str:
    """The units that fit below a fortification with an allowance by type, in words [10.4.8]."""
    kinds, holds = position.charts.kinds, position.setting.holds.get(hex, {})
    names = (Text("{} {}", (most, kinds[name].name if name in kinds else name)) for name, most in holds.items())
    return say(", for {} only", joined(names, " and ")) if holds else ""


def _building(position: Position, frame: Frame | None) -> dict[str, Any] | None:
    """The attack being put together, with its calculation."""
    match frame:
        case Attacking():
            target = target_of(position, frame.target, frame.aim)
            units = [unit.id for unit in target.units]
            return _built("direct", target.hex, frame.firers, units, preview_frame(position, frame))
        case Assaulting():
            units = [unit.id for unit in position.at(frame.hex)]
            return _built("assault", frame.hex, frame.assaulters, units, preview_frame(position, frame))
        case OverrunGroup():
            units = [unit.id for unit in position.at(frame.hex)]
            return _built("overrun", frame.hex, frame.group, units, preview_frame(position, frame))
        case Gathering():
            units = [unit.id for unit in position.at(frame.hex)]
            return _built("indirect", frame.hex, frame.firers, units, preview_frame(position, frame))
        case Moving():
            return _built("move", str(position.units[frame.unit].hex), (frame.unit,), [], None)
    return None


def _built(
    kind: str, hex: Hex, units: Iterable[str], targets: list[str], calculation: Calculation | None
) -> dict[str, Any]:
    return kit.built(kind, hex, units, targets, calculation.to_json() if calculation else None)


# --- previews -----------------------------------------------------------------------------------------------


def preview_frame(position: Position, frame: Frame) -> Calculation | None:
    """The calculation of a frame's attack so far, if it comes to one to four."""
    match frame:
        case Attacking():
            return _direct(position, position.pick(frame.firers), frame.target, frame.aim)
        case Assaulting():
            return _assault(position, frame.assaulters, frame.hex)
        case OverrunGroup():
            return overrun(position, position.pick(frame.group), frame.hex)
        case Gathering():
            return _indirect(position, frame.firers, frame.hex, position.setting.groups[frame.group].kind)
    return None


def preview(sight: Position, frame: Frame, action: Action) -> Calculation | None:
    """The calculation that an action would lead to, with exact chances."""
    match action:
        case Attack(unit, target, single):
            return _direct(sight, [sight.units[unit]], target, "single" if single else "together")
        case Shoot(units, target):
            firers, aim = sight.pick(units), target_of(sight, target, "single")
            if below_minimum(strength(sight, firers, aim), defence(sight, aim)):
                return None
            return direct_fire(sight, firers, aim, "opportunity")
        case Interdict(unit):
            return _indirect(sight, (unit,), str(sight.registered.get(unit)), "registered")
        case DeclareFire(unit, hex, how):
            return _indirect(sight, (unit,), hex, how)
        case Assault(unit, hex):
            return _assault(sight, (unit,), hex)
        case Overrun(unit, hex):
            return overrun(sight, [sight.units[unit]], hex)
    joined = getattr(action, "unit", None)
    match frame:
        case Attacking() if joined:
            frame = msgspec.structs.replace(frame, firers=(*frame.firers, joined))
        case Assaulting() if joined:
            frame = msgspec.structs.replace(frame, assaulters=(*frame.assaulters, joined))
        case OverrunGroup() if joined:
            frame = msgspec.structs.replace(frame, group=(*frame.group, joined))
        case Gathering() if joined and not isinstance(action, Confirm):
            frame = msgspec.structs.replace(frame, firers=(*frame.firers, joined))
    return preview_frame(sight, frame)


def foreseen(sight: Position, frame: Frame, action: Action) -> Calculation | Cases | None:
    """The calculation that an action would lead to; of indirect fire one for each target that is rolled for [9.6.2]."""
    found = tuple(every_preview(sight, frame, action)) if _shells(sight, frame, action) else ()
    if len(found) < 2:
        return preview(sight, frame, action)
    return Cases(tuple((Text("Against {}", (_named(sight, names),)), calculation) for names, calculation in found))


def _named(position: Position, names: Words) -> Words:
    """A target by the names of its units, or as the fortification."""
    units = [position.units[name].name for name in str(names).split(", ") if name in position.units]
    return joined(units) if units else "the fortification"


def every_preview(sight: Position, frame: Frame, action: Action) -> Iterator[tuple[Words, Calculation]]:
    """Every calculation that an action would lead to, with its target: of indirect fire one for each in the hex."""
    shells = _shells(sight, frame, action)
    if shells is None:
        if found := preview(sight, frame, action):
            yield ", ".join(_aimed_at(sight, frame, action)), found
        return
    names, hex, how = shells
    firers = sight.pick(names)
    for target in targets_in(sight, firers[0].side, hex):
        if found := indirect_fire(sight, firers, how, target):  # type: ignore[arg-type]
            yield ", ".join(called(target)), found


def _aimed_at(position: Position, frame: Frame, action: Action) -> tuple[str, ...]:
    """The names of the target of a direct attack, or of all in a hex that is assaulted or overrun."""
    match action:
        case Attack(target=name, single=single):
            return called(target_of(position, name, "single" if single else "together"))
        case Shoot(target=name):
            return called(target_of(position, name, "single"))
        case Assault(hex=hex) | Overrun(hex=hex):
            return _held_by(position, hex)
    match frame:
        case Attacking():
            return called(target_of(position, frame.target, frame.aim))
        case Assaulting() | OverrunGroup():
            return _held_by(position, frame.hex)
    return ()


def _held_by(position: Position, hex: Hex) -> tuple[str, ...]:
    fort = position.fort(hex)
    standing = fort is not None and not fort.breached
    return (*(unit.id for unit in position.at(hex)), *((fort_id(hex),) if standing else ()))


def _shells(sight: Position, frame: Frame, action: Action) -> tuple[tuple[UnitId, ...], Hex, str] | None:
    """The firers of indirect fire, its hex and its kind, if the action leads to any."""
    match frame, action:
        case _, Interdict(unit):
            return (unit,), str(sight.registered.get(unit)), "registered"
        case _, DeclareFire(unit, hex, how):
            return (unit,), hex, how
        case Gathering(), AddFirer(unit):
            return (*frame.firers, unit), frame.hex, sight.setting.groups[frame.group].kind
        case Gathering(), Confirm():
            return frame.firers, frame.hex, sight.setting.groups[frame.group].kind
    return None


def _direct(
    position: Position, firers: list[Unit], name: str, aim: Literal["together", "single"]
) -> Calculation | None:
    target = target_of(position, name, aim)
    if below_minimum(strength(position, firers, target), defence(position, target)):
        return None
    return direct_fire(position, firers, target, "direct")


def _indirect(position: Position, names: tuple[UnitId, ...], hex: Hex, how: str) -> Calculation | None:
    """The calculation against the first target of the hex that is not below one to four [9.1.1, 9.6.2]."""
    firers = position.pick(names)
    for target in targets_in(position, firers[0].side, hex):
        if calculation := indirect_fire(position, firers, how, target):  # type: ignore[arg-type]
            return calculation
    return None


def _assault(position: Position, names: Iterable[UnitId], hex: Hex) -> Calculation | None:
    units = position.pick(names)
    if below_minimum(sum(unit.kind.attack for unit in units), assault_defence(position, hex)):
        return None
    return assault(position, units, hex)


# --- why not? -----------------------------------------------------------------------------------------------


def meant(sight: Position, side: Side, frame: Frame, what: Iterable[str]) -> list[Action]:
    """Actions that a click on these units or hexes could mean, impossible ones too."""
    return list(_meanings(sight, frame, *boards.clicked(sight, side, what)))


def _meanings(
    sight: Position, frame: Frame, own: list[UnitId], others: list[UnitId], hexes: list[Hex]
) -> Iterator[Action]:
    match frame:
        case SetUp():
            yield from (Place(name, hex) for name in own for hex in hexes)
        case DirectFireSegment():
            targets = others + [fort_id(hex) for hex in hexes if sight.fort(hex)]
            yield from (Attack(name, target) for name in own or _anybody(sight, frame) for target in targets)
            if own and not targets:
                yield from (Attack(own[0], enemy.id) for enemy in _nearest(sight, own[0]))
        case Attacking() | Assaulting() | OverrunGroup() | Gathering():
            kind = next(act for act in frame.takes if "unit" in act.__struct_fields__)
            yield from (kind(name) for name in own)
        case IndirectFireSegment():
            yield from (DeclareFire(name, hex, "hip") for name in own for hex in hexes)
        case Aiming():
            yield from (Register(hex) for hex in hexes)
        case VehicleSegment() | NonVehicleSegment() | Moving() | Riding():
            movers = own or ([frame.unit] if isinstance(frame, Moving | Riding) else [])
            yield from (Move(name, hex) for name in movers for hex in hexes)
            if others and isinstance(frame, VehicleSegment):
                yield from (Overrun(name, hex) for name in movers for hex in hexes)
        case AssaultSegment():
            yield from (Assault(name, hex) for name in own or _anybody(sight, frame) for hex in hexes)
        case OpportunityFire():
            yield from (Shoot((name,), mover) for name in own for mover in frame.movers)


def _anybody(sight: Position, frame: Frame) -> list[UnitId]:
    return [unit.id for unit in sight.of(frame.side)][:1]


def _nearest(sight: Position, unit_id: UnitId) -> list[Unit]:
    unit = sight.units[unit_id]
    enemies = [enemy for enemy in sight.of(sight.setting.other[unit.side]) if unit.hex]
    return sorted(enemies, key=lambda enemy: sight.map.distance(str(unit.hex), str(enemy.hex)))[:1]


# --- queries ------------------------------------------------------------------------------------------------


def reach(sight: Position, side: Side, *, unit: str, frame: Frame | None = None) -> dict[str, Any]:
    """The reach of a unit: the cost, the factors left, the path and the possible firers for each hex.

    A unit under way has the factors that `frame` leaves it [5.1], and sets out only with its allowed actions [9.8-P1].
    """
    mover = sight.units[unit]
    if mover.hex is None:
        return {"places": []}
    under_way = frame if isinstance(frame, Moving | Riding) else None
    left = under_way.left if under_way else allowance(mover)
    found = ridden(sight, mover, left) if isinstance(frame, Riding) else ways(sight, mover, left)
    first = {path[1] for _, path in found.values() if path[1:]}
    barred = {to for to in first if under_way and under_way.refusal(sight, side, Move(unit, to))}
    enemy = sight.setting.other[mover.side]
    return {
        "rule": "5.1",
        "counted": "factors",
        "places": [
            {
                "place": hex,
                "cost": cost / 2,
                "left": (left - cost) / 2,
                "path": path,
                "steps": [msgspec.to_builtins(Move(unit, to)) for to in path[1:]],
                "fire": threats(sight, enemy, mover, hex),
            }
            for hex, (cost, path) in found.items()
            if hex != mover.hex and path[1] not in barred
        ],
    }


def steps(sight: Position, side: Side, *, unit: str, frame: Frame | None = None) -> dict[str, Any]:
    """The movement factors that a unit has left, and the price of each step that it may take now [5.1]."""
    mover = sight.units[unit]
    under_way = frame if isinstance(frame, Moving | Riding) and frame.unit == unit else None
    left = under_way.left if under_way else allowance(mover)
    costs: dict[Hex, float] = {}
    for to in sight.map.neighbours[mover.hex] if mover.hex is not None else ():
        if to is not None and cannot_step(sight, mover, to, left, False) is None:
            cost = step_cost(sight, mover, str(mover.hex), to, road_between(sight, mover, str(mover.hex), to))
            costs[to] = min(cost, left) / 2
    return {"left": left / 2, "costs": costs}


def ways(position: Position, unit: Unit, limit: int) -> dict[Hex, tuple[int, list[Hex]]]:
    """The cheapest way to every hex within reach, in half factors, as if without fire."""
    assert unit.hex is not None

    def onward(node: tuple[Hex, int]) -> Iterator[tuple[tuple[Hex, int], int]]:
        hex, number = node
        mover = msgspec.structs.replace(unit, hex=hex, steps=unit.steps + number)
        works = position.works.get(hex)
        if number and works is not None and (works.block or works.mines):
            return
        for to in position.map.neighbours[hex]:
            if to is None:
                continue
            road = road_between(position, mover, hex, to)
            cost = step_cost(position, mover, hex, to, road)
            if cannot_step(position, mover, to, max(cost, 0), False) is None:
                first_free = unit.kind.movement == 1 and mover.steps == 0
                yield (to, 1), min(cost, limit) if first_free else cost

    reached = reachable((unit.hex, 0), onward, limit)
    found: dict[Hex, tuple[int, list[Hex]]] = {}
    for (hex, number), (cost, _) in reached.items():
        if hex not in found:
            path = [hex]
            node = (hex, number)
            while (before := reached[node][1]) is not None:
                path.append(before[0])
                node = before
            found[hex] = (cost, path[::-1])
    return found


def ridden(position: Position, unit: Unit, left: int) -> dict[Hex, tuple[int, list[Hex]]]:
    """The cheapest way of a riding vehicle to every hex within reach, where no road rate counts [9.8.4]."""
    reached = ways_up(position, unit, left)
    return {hex: (cost, path(reached, hex)) for hex, (cost, _) in reached.items()}


def threats(position: Position, enemy: Side, mover: Unit, hex: Hex) -> list[UnitId]:
    """Enemy units that could fire at the mover when it enters a hex: in range and in sight [6.0]."""
    look = eyes_of(position)
    return [
        unit.id
        for unit in position.of(enemy)
        if unit.eligible
        and unit.kind.attack
        and unit.kind.weapon != "M"
        and look.map.distance(str(unit.hex), hex) <= unit.kind.range // 2
        and look.clear(str(unit.hex), hex, position.wrecks)
    ]


def los(sight: Position, side: Side, *, start: Hex, to: Hex) -> dict[str, Any]:
    """The line of sight between two hexes in words, with the ground it crosses.

    In a gully the answer is for its floor; `levels` has each pair of levels, if a bridge leads over one [5.4.18].
    """
    gullies = sight.setting.gullies
    refusal = no_line(sight, start, to, start in gullies, to in gullies)
    line = eyes_of(sight).line(start, to)
    profile: list[dict[str, Any]] = []
    for touch in sight.map.line(start, to):
        for name in touch.hexes:
            if name is not None and name not in [row["place"] for row in profile] and touch.kind == "hex":
                cell = sight.map.cells[name]
                profile.append({"place": name, "level": cell.level, "terrain": list(cell.terrain)})
    answer = boards.line_of_sight(start, to, refusal, "8.2", line.at if not line.clear else None, profile)
    return {**answer, "levels": _lines_by_level(sight, start, to)}


def _lines_by_level(position: Position, start: Hex, to: Hex) -> list[dict[str, Any]]:
    """The line for each pair of levels of the two hexes; none when either has one level only."""
    pairs = [(a, b) for a in levels(position, start) for b in levels(position, to)]
    found = [(a, b, no_line(position, start, to, a == "gully", b == "gully")) for a, b in pairs if len(pairs) > 1]
    return [
        {"from": a, "to": b, "clear": refusal is None, "rule": refusal.rule if refusal else "8.2"}
        for a, b, refusal in found
    ]


def sees(sight: Position, side: Side, *, place: Hex) -> dict[str, Any]:
    """Everything that a unit in a hex could see: on the floor of a gully, and on the bridge over it [5.4.18]."""
    *floor, high = levels(sight, place)
    if not floor:
        return {**_in_sight(sight, place, high), "from_bridge": None}
    return {**_in_sight(sight, place, floor[0]), "from_bridge": _in_sight(sight, place, high)}


def _in_sight(position: Position, place: Hex, level: Level) -> dict[str, list[Hex]]:
    """The hexes in sight, and apart from them those where only a unit on the bridge is in sight."""
    found = list(visible_hexes(position, place, level))
    return {
        "places": [hex for hex, lowest in found if lowest != "bridge"],
        "bridges": [hex for hex, lowest in found if lowest == "bridge"],
    }


def text(sight: Position, side: Side = "") -> str:
    """The position as text: the turn, then every hex with contents."""
    hexes = {hex: joined(sight.map.cells[hex].terrain) for hex in sorted(set(sight.stacks) | set(sight.works))}

    def units(hex: Hex) -> Iterator[str]:
        return (_line(sight, unit) for unit in sight.at(hex))

    markers = list(_markers(sight))
    return kit.text(sight.setting.scenario, sight.turn, (), hexes, units, markers, victory.scores(sight))


def _line(position: Position, unit: Unit) -> str:
    kind = unit.kind
    star = "*" if kind.doubles else ""
    attack, range = f"{kind.attack}{kind.weapon}", f"{kind.range}{star}"
    values = say("{} range {} defence {} movement {}", attack, range, kind.defence, kind.movement)
    marks = ", ".join(badge["text"] for badge in _badges(position, unit))
    return f"{say('{} {}', unit.side, unit.name)} [{values}]" + (f" ({marks})" if marks else "")


def spots(sight: Position, side: Side, *, unit: str) -> dict[str, Any]:
    """The enemies that spot a unit, and those that it spots [8.0, 8.1.4]."""
    one = sight.units[unit]
    enemies = sight.of(sight.setting.other[one.side])
    return {
        "by": [enemy.id for enemy in enemies if spots_one(sight, enemy, one)],
        "spots": [enemy.id for enemy in enemies if spots_one(sight, one, enemy)],
    }


def glance(sight: Position, side: Side) -> dict[str, Any]:
    """One look over a side: the enemies that could fire at each unit now, and who sees whom [8.0, 9.5]."""
    foes = [*sight.of(sight.setting.other[side])] if side in sight.setting.other else []
    return kit.glance(sight.of(side) if foes else (), foes, partial(spots_one, sight), partial(_could_fire, sight))


def _could_fire(sight: Position, unit: Unit, target: Unit) -> bool:
    """Return whether a unit may begin a direct attack on a target, when its segment comes [9.5]."""
    return cannot_attack(sight, unit.side, unit, target.id, False) is None


QUERIES: Mapping[str, Callable[..., Any]] = {
    "reach": reach,
    "steps": steps,
    "spots": spots,
    "glance": glance,
    "los": los,
    "sees": sees,
    "text": text,
}
