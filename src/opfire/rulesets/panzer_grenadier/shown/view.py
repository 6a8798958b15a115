"""The view of a seat: the position, actions in words, and answers to its queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.flow import Frame
from opfire.core.texts import called, joined, say
from opfire.kit import boards, scoring
from opfire.kit import shown as kit
from opfire.rulesets.panzer_grenadier import ground, victory
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateStack,
    Designate,
    DesignateAll,
    DesignateMovers,
    directs,
)
from opfire.rulesets.panzer_grenadier.command.designating import Designating
from opfire.rulesets.panzer_grenadier.counters import figures
from opfire.rulesets.panzer_grenadier.morale import recovery
from opfire.rulesets.panzer_grenadier.movement import danger
from opfire.rulesets.panzer_grenadier.movement.reaching import reach, steps
from opfire.rulesets.panzer_grenadier.pieces import (
    ROLE_WORDS,
    Hex,
    Position,
    Side,
    Unit,
    UnitId,
    only_works,
    role_words,
)
from opfire.rulesets.panzer_grenadier.shown.previews import building
from opfire.rulesets.panzer_grenadier.sight import lines, spotting

TITLES = {"initiative": "Initiative", "segment": "Action segment", "perform": "Performing", "markers": "Marker removal"}
ORDERS = {"id": "orders", "title": "Orders", "rule": "18.31"}
RULES = {"initiative": "3.0.A", "segment": "3.1", "perform": "3.13", "markers": "3.0.G"}


def unknown(sight: Position, action: Action) -> Refusal | None:
    """Reject units, hexes and targets that are not in the game."""
    return kit.unknown(sight, action, _KNOWN)


def _no_helper(sight: Position, unit_id: UnitId) -> Refusal | None:
    return kit.no_unit(sight, unit_id) if unit_id else None


def _no_target(sight: Position, name: str) -> Refusal | None:
    if name in sight.units or name in sight.map:
        return None
    return Refusal("There is no {} to aim at", PROCEDURE, (name,))


_KNOWN: Mapping[str, Callable[[Position, Any], Refusal | None]] = {
    "unit": kit.no_unit,
    "carrier": kit.no_unit,
    "leader": kit.no_unit,
    "helper": _no_helper,
    "units": kit.not_units,
    "hex": boards.no_hex,
    "to": boards.no_hex,
    "target": _no_target,
}


# --- words --------------------------------------------------------------------------------------------------


def label(sight: Position, action: Action) -> str:
    """An action in words, as on a button."""
    says = recovery.WITH_HELP if isinstance(action, recovery.Recover) and action.helper else action.says
    words = kit.in_words(action, partial(boards.named, sight))
    if "role" in words:
        words["role"] = _role_words(sight, action)
    if (plane := sight.charts.aircraft.get(words.get("aircraft", ""))) is not None:
        words["aircraft"] = plane.name
    return say(says, **words)


def _role_words(sight: Position, action: Action) -> str:
    """The designated action in words: of one unit in its own, of many in those for all."""
    match action:
        case Activate(name, role) | Designate(name, role):
            return role_words(sight.units[name], role)
        case DesignateAll(role) | DesignateMovers(role):
            return ROLE_WORDS[role]
    raise TypeError(action)


def touches(sight: Position, action: Action) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The units and the hexes on which a click may mean this action."""
    units, hexes = boards.touches(sight, action)
    if isinstance(action, ActivateStack):
        units += _stack(sight, action.hex)
    return tuple(units), tuple(hexes)


def _stack(sight: Position, hex: Hex) -> list[UnitId]:
    """Units highlighted when a whole stack may be activated; none in a hex with only one."""
    fresh = [unit.id for unit in sight.everybody(hex, sight.current) if not unit.marked]
    return fresh if len(fresh) > 1 else []


# --- the view -----------------------------------------------------------------------------------------------


def view(sight: Position, side: Side, frame: Frame | None) -> dict[str, Any]:
    """The view of a seat."""
    made = sight.setting
    scenario = made.scenario
    return {
        **kit.heading("panzer-grenadier", scenario, sight.turn, sight.current, sight.current),
        **scoring.shown(scenario, partial(victory.sources, sight), victory.TERMS),
        **_light(sight),
        "track": [*_orders(sight, frame), *_track(frame)],
        "segments": _segments(sight),
        "armies": {name: _army(sight, name) for name in made.sides},
        "activation": _activation(sight),
        "designation": _designation(sight, side, frame),
        "units": list(_units(sight, side)),
        "markers": list(_markers(sight)),
        "building": building(sight, frame),
        "reinforcements": list(kit.reinforcements(sight.units, made.entries)),
        "control": {hex: sight.control[hex] for hex in sorted(made.objectives) if hex in sight.control},
        "losses": kit.losses(sight.units, made.ids),
        "options": sorted(made.options),
        **({"sectors": list(_sectors(sight))} if made.sector_of else {}),
    }


def _light(position: Position) -> dict[str, Any]:
    """Night, or weather that limits sight by day [8.1, G.night]; of the set-up that of the first turn."""
    figure = position.charts.figure
    if position.is_night or (position.turn == 0 and 1 in position.setting.instructions.night):
        return kit.light("night", figure("sight at night"), "8.1")
    far = spotting.visibility(position)
    return kit.light("haze", far, "8.1") if far < figure("sight") else {}


def _sectors(position: Position) -> Iterator[dict[str, Any]]:
    """Every sector [18.1]: its commanders, its state, their assets of this turn [18.31].

    Its turn waits, is under way, or is done and waits for the others [18.11].
    """
    made = position.setting
    names = sectors.names(made)
    now = names.index(position.sectors.played) if position.sectors.played else -1
    for at, name in enumerate(names):
        shares = {side: sectors.share_of(position, side, name) for side in made.sides}
        yield {
            "name": name,
            "commanders": {side: sectors.in_command(position, side, name) for side in made.sides},
            "turn": "under way" if at == now else "done" if at < now else "waiting",
            "offboard": {side: list(share.offboard) for side, share in shares.items()},
            "aircraft": {side: _planes(position, share.aircraft) for side, share in shares.items()},
        }


def _planes(position: Position, names: Iterable[str]) -> list[str]:
    return [position.charts.aircraft[name].name for name in names]


def _orders(position: Position, frame: Frame | None) -> list[dict[str, Any]]:
    """In a game with sectors a turn begins with the commanding officers' orders [18.31]."""
    now = frame is not None and frame.step == ORDERS["id"]
    return [{**ORDERS, "title": say(ORDERS["title"]), "now": now}] if position.setting.sector_of else []


def _track(frame: Frame | None) -> list[dict[str, Any]]:
    step = frame.step if frame is not None else ""
    now = "segment" if step == "designate" else step if step in {*TITLES, "set-up", ORDERS["id"]} else "perform"
    return [{"id": id, "title": say(title), "rule": RULES[id], "now": id == now} for id, title in TITLES.items()]


def _segments(position: Position) -> list[dict[str, Any]]:
    """Initiative as a track: the sides of the next segments, as far as the rules fix them [3.0.B, 3.0.E]."""
    if not position.current:
        return []
    side, lead = position.current, max(1, position.lead)
    following = [side] * lead + [position.setting.other[side], side, position.setting.other[side]]
    return [{"side": name, "now": index == 0} for index, name in enumerate(following[:6])]


def _army(position: Position, side: Side) -> dict[str, Any]:
    """The state of a side: initiative and its next threshold, batteries and aircraft left this turn."""
    army, given = position.armies[side], position.setting.instructions.sides[side]
    return {
        "initiative": army.initiative,
        "losses": army.losses,
        "next_loss": next((number for number in given.losses if number > army.losses), None),
        "segments": army.segments,
        "offboard": list(army.offboard),
        "aircraft": _planes(position, army.aircraft),
        "banked": army.banked,
        **({"commander": army.commander, "segment": army.segment} if army.commander else {}),
    }


def _activation(position: Position) -> dict[str, Any] | None:
    """The active units, their roles, and those that have finished."""
    if position.activation is None:
        return None
    active = position.activation
    led = [name for name in active.roles if name in active.led]
    return {"side": active.side, "roles": active.roles, "led": led, "done": list(active.finished)}


def _designation(sight: Position, side: Side, frame: Frame | None) -> dict[str, Any] | None:
    """The units that an activation reaches, the designations so far with what else each may be given, and those that
    would come to nothing [3.13].
    """
    if not isinstance(frame, Designating) or frame.side != side:
        return None
    return {
        "units": [name for name, _ in frame.members],
        "roles": dict(frame.roles),
        "idle": {name: roles for name, roles in frame.idle_roles(sight) if roles},
        "changes": dict(frame.changes(sight)),
    }


def _units(position: Position, side: Side) -> Iterator[dict[str, Any]]:
    """Every unit, with its formation where the scenario tells them apart: of enemies only of those on the map."""
    known = position.setting.formations
    for unit in position.units.values():
        seen = unit.side == side or (unit.hex is not None and not unit.hidden)
        named = seen and not unit.player and unit.id in known
        yield _unit(position, side, unit) | ({"formation": say(known[unit.id])} if named else {})


def _unit(position: Position, side: Side, unit: Unit) -> dict[str, Any]:
    kind, officer = unit.kind, unit.officer
    return {
        **boards.placed(unit, position.stacks),
        "nation": kind.nation if kind else unit.country or position.setting.scenario.sides[unit.side].nation,
        "kind": kind.id if kind else "leader",
        "type": called(kind.type if kind else "leader"),
        **kit.drawn(kind.type if kind else "leader", unit.name),
        "figures": [{"kind": what, "text": text} for what, text in figures(unit)],
        "state": unit.state,
        "morale": unit.base_morale,
        "printed": str(officer.morale) if officer else "/".join(map(str, unit.morale)),
        "rank": officer.title if officer else "",
        "steps": unit.steps,
        "vehicle": unit.vehicle,
        "armoured": unit.afv,
        "attack": unit.direct,
        "weapon": "",
        "range": kind.direct_range if kind else 0,
        "doubles": False,
        "defence": kind.armor or 0 if kind else 0,
        "movement": kind.movement if kind else 0,
        "size": "platoon",
        "points": kind.steps if kind else 0,
        "face_up": True,
        "dispersed": "",
        "spotted": "spotted" if unit.spotted else "",
        "moved": unit.marked,
        "fired": False,
        "cargo": list(unit.cargo),
        "below": "",
        "badges": [{"code": code, "text": text} for code, text in _badges(position, side, unit)],
        **({"work": say(role_words(unit, "move"))} if only_works(unit) else {}),
        **({"player": unit.player} if unit.player else {}),
    }


def _badges(position: Position, side: Side, unit: Unit) -> Iterator[tuple[str, str]]:
    """The markers on a unit, in words; which enemies are written down as hidden is not told [16.6]."""
    if unit.state == "disrupted":
        yield "D", say("Disrupted")
    elif unit.demoralized:
        yield "DM", say("Demoralized")
    active = position.activation
    if active is not None and (role := active.role(unit.id)) and unit.id not in active.finished:
        yield "A", say("Active, to {}", role_words(unit, role))
    if unit.marked:
        yield "MF", say("Moved or fired")
    if unit.shots:
        yield "O", say("Opportunity fire taken: {}", unit.shots)
    if unit.spotted:
        yield "S", say("Spotted")
    if unit.hidden and (unit.side == side or unit.hex is not None):
        yield "H", say("Hidden")
    if unit.reduced:
        yield "R", say("Reduced to one step")
    if unit.limbered:
        yield "LB", say("Limbered")
    if unit.tank_leader and unit.kind is not None:
        yield "TL", say("Has a tank leader")
    if unit.dug_in:
        yield "DI", say("Dug in" if unit.dug_in > 1 else "Digging in")
    if sector := sectors.sent_to(position, unit.id):
        yield "GO", say("Is to go to sector {}", sector)
    if unit.cargo:
        yield "L", say("Carries {}", joined(other.name for other in position.pick(unit.cargo)))


def _markers(position: Position) -> Iterator[dict[str, Any]]:
    for hex, works in position.works.items():
        if works.entrenchment:
            yield kit.marker("entrenchment", hex, say("Entrenchment"), "")
        if works.wrecks:
            yield kit.marker("wreck", hex, say("Wrecks: {}", works.wrecks), str(works.wrecks))
        for side in works.smoke:
            yield kit.marker("smoke", hex, say("Smoke"), "", side)
        for number, mine in enumerate(works.mines):
            known = mine.strength is not None
            value = say("dummy") if mine.strength == 0 else str(mine.strength) if known else "?"
            marker = kit.marker("mines", hex, say("Minefield: {}", value), value, mine.side)
            yield {**marker, "id": f"mines@{hex}/{number}"}
    for hex in sorted(position.map.cells):
        if position.assault_hex(hex):
            yield kit.marker("assault", hex, say("Assault"), "")


# --- queries ------------------------------------------------------------------------------------------------


def los(sight: Position, side: Side, *, start: Hex, to: Hex) -> dict[str, Any]:
    """The line of sight between two hexes in words, with the ground it crosses."""
    refusal = lines.no_line(sight, start, to)
    crossed = list(dict.fromkeys((start, *(hex for one in lines.between(sight, start, to) for hex in one), to)))
    at = next((fact for fact in refusal.facts if fact in crossed[1:-1]), None) if refusal else None
    profile = [
        {"place": hex, "level": sight.map.cells[hex].level, "terrain": list(ground.terrain_of(sight, hex))}
        for hex in crossed
    ]
    return boards.line_of_sight(start, to, refusal, "8.3", at, profile)


def sees(sight: Position, side: Side, *, place: Hex) -> dict[str, Any]:
    """Every hex that a unit in a hex has a line of sight to, as far as it sees this turn [8.1, 8.41]."""
    return {"places": [to for to in sight.map.names if spotting.sees_ground(sight, place, to)]}


def spots(sight: Position, side: Side, *, unit: UnitId) -> dict[str, Any]:
    """The enemies that spot a unit, and those that it spots [8.0.a, G.spotting]."""
    one = sight.units[unit]
    enemies = [other for other in sight.of(sight.setting.other[one.side]) if other.hex is not None]
    return {
        "by": [enemy.id for enemy in enemies if spotting.cannot_spot(sight, enemy, one) is None],
        "spots": [enemy.id for enemy in enemies if spotting.cannot_spot(sight, one, enemy) is None],
    }


def glance(sight: Position, side: Side) -> dict[str, Any]:
    """One look over a side: the enemies that could fire at each unit now, and who sees whom [5.4, 8.0.a]."""
    foes = [*sight.of(sight.setting.other[side])] if side in sight.setting.other else []
    return kit.glance(sight.of(side) if foes else (), foes, partial(_spots, sight), partial(_could_hurt, sight))


def _spots(sight: Position, unit: Unit, target: Unit) -> bool:
    return spotting.cannot_spot(sight, unit, target) is None


def _could_hurt(sight: Position, unit: Unit, target: Unit) -> bool:
    return any(enemy.id == unit.id for enemy in danger.dangers(sight, target, str(target.hex)))


def group_of(sight: Position, side: Side, *, unit: UnitId) -> dict[str, Any]:
    """The units that a leader's activation reaches, with the leaders through whom it does [3.12, 3.2]."""
    from opfire.rulesets.panzer_grenadier.command.activation import group

    leader = sight.units[unit]
    if leader.hex is None or leader.side != side or not directs(leader):
        return {"units": [], "chain": []}
    found = group(sight, [leader])
    chain = [name for name in found if sight.units[name].leader and name != unit]
    return {"units": [{"unit": name, "by": list(by)} for name, by in found.items()], "chain": chain}


def divisions(sight: Position, side: Side) -> dict[str, Any]:
    """The sectors of a map that is divided [18.1], for the client to draw."""
    found: dict[str, list[Hex]] = {}
    for hex, sector in sight.setting.sector_of.items():
        found.setdefault(sector, []).append(hex)
    return {"sectors": found} if found else {}


def text(sight: Position, side: Side = "") -> str:
    """The position as text: the turn, the sectors, then every hex with contents."""
    notes = [say("Sector {}: {}", one["name"], one["turn"]) for one in _sectors(sight)]
    hexes = {hex: joined(ground.terrain_of(sight, hex)) for hex in sorted(set(sight.stacks) | set(sight.works))}

    def units(hex: Hex) -> Iterator[str]:
        return (_line(sight, unit) for unit in sight.everybody(hex))

    markers = list(_markers(sight))
    return kit.text(sight.setting.scenario, sight.turn, notes, hexes, units, markers, victory.scores(sight))


def _line(position: Position, unit: Unit) -> str:
    values = " ".join(say("{} {}", what, value) for what, value in figures(unit))
    marks = ", ".join(text for _, text in _badges(position, unit.side, unit))
    return f"{say('{} {}', unit.side, unit.name)} [{values}]" + (f" ({marks})" if marks else "")


QUERIES: Mapping[str, Callable[..., Any]] = {
    "reach": reach,
    "steps": steps,
    "spots": spots,
    "glance": glance,
    "los": los,
    "sees": sees,
    "group": group_of,
    "map": divisions,
    "text": text,
}
