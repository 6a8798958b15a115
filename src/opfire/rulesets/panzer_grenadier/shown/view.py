"""What a seat is shown: the view, actions in words, and answers to its questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.flow import Frame
from opfire.rulesets.panzer_grenadier import ground, victory
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.command.activation import ActivateStack, Designating, directs
from opfire.rulesets.panzer_grenadier.morale import recovery
from opfire.rulesets.panzer_grenadier.movement.reaching import reach
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId
from opfire.rulesets.panzer_grenadier.shown.previews import building
from opfire.rulesets.panzer_grenadier.sight import lines, spotting

_UNIT_FIELDS = ("unit", "carrier", "leader", "helper")
_HEX_FIELDS = ("hex", "to")
_ROLES = {"move": "move", "fire": "fire", "recover": "recover morale", "direct": "direct the others"}

TITLES = {"initiative": "Initiative", "segment": "Action segment", "perform": "Performing", "markers": "Marker removal"}
ORDERS = {"id": "orders", "title": "Orders", "rule": "18.31"}
RULES = {"initiative": "3.0.A", "segment": "3.1", "perform": "3.13", "markers": "3.0.G"}


def unknown(sight: Position, action: Action) -> Refusal | None:
    """Units and hexes that are not in the game."""
    for field in action.__struct_fields__:
        value = getattr(action, field)
        if field in _UNIT_FIELDS and value not in sight.units and not (field == "helper" and value == ""):
            return Refusal("There is no unit {}", PROCEDURE, (value,))
        if field in _HEX_FIELDS and value not in sight.map:
            return Refusal("There is no hex {} in play", PROCEDURE, (value,))
        if field == "target" and value not in sight.units and value not in sight.map:
            return Refusal("There is no {} to aim at", PROCEDURE, (value,))
        if isinstance(value, tuple):
            for name in value:
                if isinstance(name, str) and name not in sight.units and name not in sight.map:
                    return Refusal("There is no {}", PROCEDURE, (name,))
    return None


# --- words --------------------------------------------------------------------------------------------------


def named(sight: Position, name: str) -> str:
    """A unit by its name and hex, anything else as it is."""
    unit = sight.units.get(name)
    if unit is None:
        return name
    return f"{unit.name} in {unit.hex}" if unit.hex else unit.name


def label(sight: Position, action: Action) -> str:
    """An action in words, as on a button."""
    says = recovery.WITH_HELP if isinstance(action, recovery.Recover) and action.helper else action.says
    return says.format(**{f: _words(sight, f, getattr(action, f)) for f in action.__struct_fields__})


def _words(sight: Position, field: str, value: object) -> str:
    if field == "role":
        return _ROLES.get(str(value), str(value))
    if isinstance(value, tuple):
        return " and ".join(named(sight, str(part)) for part in value)
    return named(sight, str(value))


def touches(sight: Position, action: Action) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The units and the hexes that a click may fall on to mean this action."""
    units: list[str] = []
    hexes: list[str] = []
    for field in action.__struct_fields__:
        value = getattr(action, field)
        for part in value if isinstance(value, tuple) else (value,):
            if part in sight.units:
                units.append(part)
            elif isinstance(part, str) and part in sight.map:
                hexes.append(part)
    if isinstance(action, ActivateStack):
        units += _stack(sight, action.hex)
    return tuple(units), tuple(hexes)


def _stack(sight: Position, hex: Hex) -> list[UnitId]:
    """Whom a click may mean who wants all of a hex: nobody where there is only one."""
    fresh = [unit.id for unit in sight.everybody(hex, sight.current) if not unit.marked]
    return fresh if len(fresh) > 1 else []


# --- the view -----------------------------------------------------------------------------------------------


def view(sight: Position, side: Side, frame: Frame | None) -> dict[str, Any]:
    """Everything a seat sees."""
    made = sight.setting
    scenario = made.scenario
    winner, level = victory.verdict(sight)
    standing = f"{scenario.sides[winner].name} {level} victory" if winner else "A draw"
    return {
        "ruleset": "panzer-grenadier",
        "scenario": scenario.id,
        "title": scenario.title,
        "turn": sight.turn,
        "turns": scenario.turns,
        "night": sight.is_night,
        "current": sight.current,
        "track": [*_orders(sight, frame), *_track(frame)],
        "segments": _segments(sight),
        "sides": [
            {"id": name, "name": data.name, "nation": data.nation, "first": name == sight.current}
            for name, data in scenario.sides.items()
        ],
        "armies": {name: _army(sight, name) for name in made.sides},
        "activation": _activation(sight),
        "designation": _designation(side, frame),
        "units": [_unit(sight, unit) for unit in sight.units.values()],
        "markers": list(_markers(sight)),
        "building": building(sight, frame),
        "reinforcements": list(_reinforcements(sight)),
        "victory": victory.progress(sight),
        "scores": victory.scores(sight),
        "control": {hex: sight.control[hex] for hex in sorted(made.objectives) if hex in sight.control},
        "standing": f"{standing} if the game ended now",
        "losses": {name: _losses(sight, name) for name in made.sides},
        "options": sorted(made.options),
        **({"sectors": list(_sectors(sight))} if made.sector_of else {}),
    }


def _sectors(position: Position) -> Iterator[dict[str, Any]]:
    """Every sector [18.1]: who commands there, how it stands, what its commanders were given this turn [18.31].

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
    """Where there are sectors a turn begins with the commanding officers' orders [18.31]."""
    now = frame is not None and frame.step == ORDERS["id"]
    return [{**ORDERS, "now": now}] if position.setting.sector_of else []


def _track(frame: Frame | None) -> list[dict[str, Any]]:
    step = frame.step if frame is not None else ""
    now = "segment" if step == "designate" else step if step in {*TITLES, "set-up", ORDERS["id"]} else "perform"
    return [{"id": id, "title": title, "rule": RULES[id], "now": id == now} for id, title in TITLES.items()]


def _segments(position: Position) -> list[dict[str, Any]]:
    """Initiative as a track: who has the next segments, as far as the rules fix it [3.0.B, 3.0.E]."""
    if not position.current:
        return []
    side, lead = position.current, max(1, position.lead)
    following = [side] * lead + [position.setting.other[side], side, position.setting.other[side]]
    return [{"side": name, "now": index == 0} for index, name in enumerate(following[:6])]


def _army(position: Position, side: Side) -> dict[str, Any]:
    """How a side stands: initiative and what lowers it next, batteries and aircraft left this turn."""
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
    """Who is active, for what, and who has done it."""
    if position.activation is None:
        return None
    active = position.activation
    return {"side": active.side, "roles": dict(active.roles), "led": list(active.led), "done": list(active.finished)}


def _designation(side: Side, frame: Frame | None) -> dict[str, Any] | None:
    """Whom an activation reaches, and what has been said of each so far [3.13]."""
    if not isinstance(frame, Designating) or frame.side != side:
        return None
    return {"units": [name for name, _ in frame.members], "roles": dict(frame.roles)}


def _unit(position: Position, unit: Unit) -> dict[str, Any]:
    kind, officer = unit.kind, unit.officer
    stack = position.stacks.get(unit.hex, ()) if unit.hex else ()
    return {
        "id": unit.id,
        "side": unit.side,
        "nation": kind.nation if kind else unit.country or position.setting.scenario.sides[unit.side].nation,
        "name": unit.name,
        "kind": kind.id if kind else "leader",
        "type": kind.type if kind else "leader",
        "place": unit.hex,
        "order": stack.index(unit.id) if unit.id in stack else len(stack),
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
        "carrier": unit.carrier,
        "cargo": list(unit.cargo),
        "below": "",
        "status": unit.status,
        "badges": [{"code": code, "text": text} for code, text in _badges(position, unit)],
        **({"player": unit.player} if unit.player else {}),
    }


def figures(unit: Unit) -> Iterator[tuple[str, str]]:
    """What the counter prints on the side that lies up, each with its kind."""
    kind, officer = unit.kind, unit.officer
    if officer is not None:
        yield "morale", str(officer.morale)
        yield "combat", str(officer.combat)
        yield "bonus", str(officer.bonus)
        yield "movement", "6" if officer.mounted else "4"
        return
    assert kind is not None
    if unit.limbered:
        yield "movement", kind.limbered
        return
    yield "movement", str(kind.reduced_movement if unit.reduced else kind.movement)
    if unit.direct:
        yield "direct", f"{unit.direct}-{kind.direct_range}"
    if unit.bombard:
        yield "bombardment", f"{unit.bombard}-{kind.bombard_range}"
    if unit.at is not None:
        yield "at", f"{unit.at}-{kind.at_range}"
    if kind.armor is not None:
        yield "armor", str(kind.armor)


def _badges(position: Position, unit: Unit) -> Iterator[tuple[str, str]]:
    if unit.state == "disrupted":
        yield "D", "Disrupted"
    elif unit.demoralized:
        yield "DM", "Demoralized"
    active = position.activation
    if active is not None and (role := active.role(unit.id)) and unit.id not in active.finished:
        yield "A", f"Active, to {_ROLES[role]}"
    if unit.marked:
        yield "MF", "Moved or fired"
    if unit.shots:
        yield "O", f"Has taken {unit.shots} opportunity fire"
    if unit.spotted:
        yield "S", "Spotted"
    if unit.hidden:
        yield "H", "Hidden"
    if unit.reduced:
        yield "R", "Reduced to one step"
    if unit.limbered:
        yield "LB", "Limbered"
    if unit.tank_leader and unit.kind is not None:
        yield "TL", "Has a tank leader"
    if unit.dug_in:
        yield "DI", "Dug in" if unit.dug_in > 1 else "Digging in"
    if sector := sectors.sent_to(position, unit.id):
        yield "GO", f"Is to go to sector {sector}"
    if unit.cargo:
        yield "L", "Carries " + ", ".join(other.name for other in position.pick(unit.cargo))


def _markers(position: Position) -> Iterator[dict[str, Any]]:
    for hex, works in position.works.items():
        if works.entrenchment:
            yield _marker("entrenchment", hex, "Entrenchment", "")
        if works.wrecks:
            yield _marker("wreck", hex, f"Wrecks: {works.wrecks}", str(works.wrecks))
        for side in works.smoke:
            yield _marker("smoke", hex, "Smoke", "", side)
        for number, mine in enumerate(works.mines):
            known = mine.strength is not None
            value = ("dummy" if mine.strength == 0 else str(mine.strength)) if known else "?"
            yield {**_marker("mines", hex, f"Minefield: {value}", value, mine.side), "id": f"mines@{hex}/{number}"}
    for hex in sorted(position.map.cells):
        if position.assault_hex(hex):
            yield _marker("assault", hex, "Assault", "")


def _marker(kind: str, hex: Hex, text: str, value: str, side: str | None = None) -> dict[str, Any]:
    return {"id": f"{kind}@{hex}", "kind": kind, "place": hex, "text": text, "value": value, "side": side}


def _reinforcements(position: Position) -> Iterator[dict[str, Any]]:
    groups: dict[tuple[Side, int, tuple[Hex, ...]], list[UnitId]] = {}
    for name, (turn, hexes) in position.setting.entries.items():
        unit = position.units[name]
        if unit.status == "reserve":
            groups.setdefault((unit.side, turn, hexes), []).append(name)
    for (side, turn, hexes), names in groups.items():
        yield {"side": side, "turn": turn, "units": names, "where": ", ".join(hexes)}


def _losses(position: Position, side: Side) -> int:
    units = position.pick(position.setting.ids[side])
    return sum(unit.status == "eliminated" for unit in units)


# --- queries ------------------------------------------------------------------------------------------------


def los(sight: Position, side: Side, *, start: Hex, to: Hex) -> dict[str, Any]:
    """The line of sight between two hexes in words, with the ground it crosses."""
    refusal = lines.no_line(sight, start, to)
    crossed = list(dict.fromkeys((start, *(hex for one in lines.between(sight, start, to) for hex in one), to)))
    return {
        "clear": refusal is None,
        "text": refusal.sentence() if refusal else f"{to} is in line of sight of {start}",
        "rule": refusal.rule if refusal else "8.3",
        "at": next((fact for fact in refusal.facts if fact in crossed[1:-1]), None) if refusal else None,
        "profile": [
            {"place": hex, "level": sight.map.cells[hex].level, "terrain": list(ground.terrain_of(sight, hex))}
            for hex in crossed
        ],
    }


def sees(sight: Position, side: Side, *, place: Hex) -> dict[str, Any]:
    """Every hex that a unit in a hex has a line of sight to, as far as it sees this turn [8.1, 8.41]."""
    near = (to for to in sight.map.names if sight.map.distance(place, to) <= spotting.in_the_open(sight, place, to))
    return {"places": [to for to in near if lines.no_line(sight, place, to) is None]}


def group_of(sight: Position, side: Side, *, unit: UnitId) -> dict[str, Any]:
    """Whom a leader's activation would reach, and through whom [3.12, 3.2]."""
    from opfire.rulesets.panzer_grenadier.command.activation import group

    leader = sight.units[unit]
    if leader.hex is None or leader.side != side or not directs(leader):
        return {"units": [], "chain": []}
    found = group(sight, [leader])
    chain = [name for name in found if sight.units[name].leader and name != unit]
    return {"units": [{"unit": name, "by": list(by)} for name, by in found.items()], "chain": chain}


def board(sight: Position, side: Side) -> dict[str, Any]:
    """The map, and its sectors if it is divided [18.1]."""
    found: dict[str, list[Hex]] = {}
    for hex, sector in sight.setting.sector_of.items():
        found.setdefault(sector, []).append(hex)
    return sight.map.to_json() | ({"sectors": found} if found else {})


def text(sight: Position, side: Side = "") -> str:
    """The position as text: the turn, the sectors, then every hex that holds something."""
    lines = [f"{sight.setting.scenario.title}, turn {sight.turn} of {sight.setting.scenario.turns}"]
    lines += [f"Sector {one['name']}: {one['turn']}" for one in _sectors(sight)]
    marks = list(_markers(sight))
    for hex in sorted(set(sight.stacks) | set(sight.works)):
        terrain = ", ".join(ground.terrain_of(sight, hex))
        units = "; ".join(_line(sight, unit) for unit in sight.everybody(hex))
        works = "; ".join(str(marker["text"]) for marker in marks if marker["place"] == hex)
        lines.append(f"{hex} ({terrain}): " + "; ".join(part for part in (units, works) if part))
    points = ", ".join(f"{name} {score}" for name, score in victory.scores(sight).items())
    return "\n".join([*lines, f"Score: {points}"])


def _line(position: Position, unit: Unit) -> str:
    values = " ".join(f"{what} {value}" for what, value in figures(unit))
    marks = ", ".join(text for _, text in _badges(position, unit))
    return f"{unit.side} {unit.name} [{values}]" + (f" ({marks})" if marks else "")


QUERIES: Mapping[str, Callable[..., Any]] = {
    "reach": reach,
    "los": los,
    "sees": sees,
    "group": group_of,
    "map": board,
    "text": text,
}
