"""The view of a seat: the position ready for JSON, and as text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import asdict

from opfire.core.flow import Frame
from opfire.core.texts import Text, Words, called, joined, say
from opfire.kit import scoring
from opfire.kit import shown as kit
from opfire.rulesets.panzer import hiding, victory
from opfire.rulesets.panzer.air.landing import SERVICE
from opfire.rulesets.panzer.commands import MARKS, CommandPhase, told
from opfire.rulesets.panzer.conditions import visibility
from opfire.rulesets.panzer.counters import figures
from opfire.rulesets.panzer.fire.turrets import bearing, turreted
from opfire.rulesets.panzer.indirect.patterns import covered
from opfire.rulesets.panzer.moving import narrow
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, on_roof
from opfire.rulesets.panzer.shown import missions
from opfire.rulesets.panzer.shown.overlay import answers
from opfire.rulesets.panzer.shown.previews import building
from opfire.rulesets.panzer.shown.words import named
from opfire.rulesets.panzer.sighting.ranges import spotting_range
from opfire.rulesets.panzer.works.entrenching import held_by

ID = "panzer"
TITLES = {
    "set-up": "Set-up",
    "command": "Commands",
    "initiative": "Initiative",
    "indirect fire": "Indirect fire",
    "direct fire": "Direct fire",
    "overwatch": "Overwatch",
    "close combat": "Close combat",
    "movement": "Movement",
    "adjustment": "Adjustment",
}

ADVANCED = frozenset({"indirect fire", "close combat", "adjustment"})
"""The steps in which nobody decides anything in the Basic Game."""

TYPES = {
    "MT": "medium tank",
    "LT": "light tank",
    "FL": "flamethrower tank",
    "AG": "assault gun",
    "TD": "tank destroyer",
    "SPA": "self-propelled artillery",
    "AA": "anti-aircraft",
    "AC": "armoured car",
    "APC": "armoured personnel carrier, half-track",
    "HT": "half-track",
    "TR": "truck",
    "AT": "anti-tank gun",
    "FH": "howitzer",
    "IG": "infantry gun",
    "MTR": "mortar",
    "RKT": "rocket launcher",
    "squad": "infantry squad",
    "half-squad": "infantry half-squad",
    "section": "infantry section",
    "aircraft": "aircraft",
    "glider": "glider",
}
"""The classes of Data Cards in words."""

LEVELS = {"low": "LO", "medium": "ME", "high": "HI"}
"""The badges of the altitudes of aircraft."""

ALTITUDES = {"low": "Low Altitude", "medium": "Medium Altitude", "high": "High Altitude"}
SPEEDS = {"slow": "Slow Speed", "fast": "Fast Speed"}
"""Altitudes and speeds in words."""

DAMAGED = {"": "damaged", "turret": "turret damaged", "hull": "hull damaged"}
TRAILERS = {"damaged": "fuel trailer damaged", "gone": "fuel trailer gone"}
SUPPRESSIONS = {"on": "SUPPRESSION/ON", "off": "SUPPRESSION/OFF"}
"""Damage and the counters of suppression in words."""

WRECKS = {"KO": "Wreck", "BU": "Brew-up smoke"}
"""The markers of wrecks in words."""

SHOVED = {"KO": "Wreck on the shoulder", "BU": "Brew-up smoke, wreck on the shoulder"}
"""The markers of wrecks that have been pushed off a narrow road [7.30-push]."""

LIGHTS = {"on": "Illumination/ON", "off": "Illumination/OFF"}
SMOKES = {"on": "Smoke/ON", "off": "Smoke/OFF"}
"""The markers of illumination and smoke in words."""


def _on_turn(sight: Position, frame: Frame | None) -> Side:
    """The side that acts now; the First Player, as soon as there is one, while nobody does [4.3.1].

    None while all write their commands at once [4.2].
    """
    if isinstance(frame, CommandPhase):
        return ""
    return (frame.side if frame is not None else "") or sight.first


def view(sight: Position, side: Side, frame: Frame | None) -> dict[str, Any]:
    """The position as a side may know it, ready for JSON."""
    made = sight.setting
    now = frame.step if frame is not None else ""
    return {
        **kit.heading(ID, made.scenario, sight.turn, _on_turn(sight, frame), sight.first or made.scenario.first),
        "track": [
            {"id": step, "title": say(title), "rule": "4.0", "now": step == now} for step, title in _steps(sight)
        ],
        "units": [_unit(sight, frame, unit) for unit in sight.units.values()],
        "markers": [
            *(kit.marker(kind, hex, say(title), "") for hex, kind, title in _markers(sight)),
            *missions.markers(sight),
        ],
        "missions": [*missions.missions(sight)],
        "control": {hex: sight.control[hex] for hex in sorted(made.objectives) if hex in sight.control},
        "building": building(sight, frame),
        "answers": answers(sight, side, frame),
        **_light(sight),
        "reinforcements": [],
        "losses": kit.losses(sight.units, made.ids),
        "options": sorted(made.scenario.options),
        **scoring.shown(made.scenario, partial(victory.sources, sight), victory.TERMS),
    }


NIGHT = -3
"""The rows from which limited visibility is drawn as night; dusk, dust and fog take fewer [7.36.1]."""


def _light(sight: Position) -> dict[str, Any]:
    """Limited visibility [7.36.1, 7.36.4]: how far a vehicle in the open is spotted that has not moved or fired."""
    limits = [*visibility(sight)]
    if not limits:
        return {}
    lit = sorted({hex for smoke in sight.smoke if smoke.lights for hex in smoke.hexes})
    dark = sum(line.amount for line in limits) <= NIGHT
    return kit.light(
        "night" if dark else "dusk", spotting_range(sight.charts, "none", "", others=limits), limits[0].rule, lit
    )


def _steps(sight: Position) -> Iterator[tuple[str, str]]:
    """The steps of the track; that of spotting where units may hide, and that of the air where there are aircraft."""
    for step, title in TITLES.items():
        if step not in ADVANCED or sight.setting.advanced:
            yield step, title
        if step == "set-up" and hiding.OPTION in sight.setting.options:
            yield "spotting", "Spotting"
        if step == "initiative" and sight.setting.planes:
            yield "air", "Air"


def _markers(sight: Position) -> Iterator[tuple[Hex, str, Words]]:
    """The wrecks, works, smoke and barrages on the map, each with its title [6.1.4.3, 6.5.1.5-a]."""
    yield from ((hex, kind, _wreck(sight, hex)) for hex, kind in sight.wrecks.items())
    yield from ((hex, "BAIL", Text("Abandoned: {}", (sight.units[name].name,))) for name, hex in sight.bailed.items())
    for hex, works in sight.works.items():
        yield from ((hex, work.kind, work.kind.capitalize()) for work in works)
    for mask in sight.masks.values():
        names = joined(sight.units[name].name for name in mask.units)
        yield mask.hex, "hidden", Text("HIDDEN UNIT counter: {}", (names,)) if mask.units else "HIDDEN UNIT counter"
    for smoke in sight.smoke:
        kind, words = ("illumination", LIGHTS) if smoke.lights else ("smoke", SMOKES)
        yield from ((hex, kind, words["on" if smoke.on else "off"]) for hex in smoke.hexes)
    for mission in sight.missions.values():
        title = Text("Artillery impact: {}", (named(sight, mission.firer),))
        yield from ((hex, "impact", title) for hex in covered(sight.map, mission.fall) if mission.fall.rounds == "gp")


def _wreck(sight: Position, hex: Hex) -> str:
    """The title of the wrecks of a hex."""
    return (WRECKS if narrow.wrecked(sight, hex) else SHOVED)[sight.wrecks[hex]]


def _mark(sight: Position, frame: Frame | None, unit: Unit) -> dict[str, Any] | None:
    """The command counter on a vehicle, face down where the asking side does not know it [4.2.2]."""
    if not sight.turn or unit.hex is None or isinstance(frame, CommandPhase):
        return None
    if unit.command == "?":
        return {"title": None, "code": None, "picture": None, "open": False}
    return {**asdict(told(MARKS[unit.command])), "open": unit.revealed}


def _unit(sight: Position, frame: Frame | None, unit: Unit) -> dict[str, Any]:
    kind = TYPES.get(unit.kind.category, unit.kind.category)
    return {
        "id": unit.id,
        "side": unit.side,
        "nation": sight.setting.scenario.sides[unit.side].nation,
        "name": called(unit.name),
        "type": say(kind),
        **kit.drawn(kind, unit.name),
        "kind": unit.kind.id,
        "place": _place(unit),
        "facing": 60 * unit.facing,
        **_turret(sight, unit),
        "order": 0,
        "vehicle": unit.is_vehicle,
        "armoured": unit.is_vehicle,
        "weapon": "",
        "moved": unit.moved,
        "fired": unit.fired,
        "points": unit.kind.pts,
        "badges": [{"code": code, "text": say(text)} for code, text in _badges(sight, unit)],
        "figures": [{"kind": kind, "text": text} for kind, text in figures(sight, unit)],
        "status": "on the map" if _place(unit) else unit.status,
        "carrier": unit.carrier,
        "cargo": [passenger.id for passenger in sight.aboard(unit.id)],
        "command": unit.command,
        "revealed": unit.revealed,
        "mark": _mark(sight, frame, unit),
        **_formation(sight, unit),
        **_state(unit),
    }


def _formation(sight: Position, unit: Unit) -> dict[str, str]:
    """The formation of a unit [5.8.2]; of one that is hidden its own side alone is told [7.2.1]."""
    company = sight.setting.formations.get(unit.formation)
    unknown = unit.status == "hidden" and unit.command == "?"
    return {"formation": called(company.name)} if company and company.name != unit.side and not unknown else {}


def _state(unit: Unit) -> dict[str, object]:
    """The counters on a unit that everybody sees, by the names of case files; less common ones where they lie."""
    found = {
        "damaged": unit.damaged,
        "damaged_part": unit.damaged_part,
        "track_hit": unit.track_hit,
        "suppression": unit.suppression,
        "morale": unit.morale,
        "full_cover": unit.full_cover,
        "hull_down": unit.hull_down,
        "spot": unit.seen_as,
    }
    rare = {"inside": unit.inside, "upper": unit.upper, "bogged": unit.bogged, "weapons": unit.weapons}
    return {**found, **{name: value for name, value in rare.items() if value}}


def _turret(sight: Position, unit: Unit) -> dict[str, int]:
    """The direction of a turret with a facing of its own, in degrees clockwise from north [7.8.1]."""
    return {"turret": 60 * bearing(unit)} if turreted(sight, unit) else {}


def _place(unit: Unit) -> Hex | None:
    """The hex in which a unit is, or over which it flies."""
    return unit.hex if unit.flight is None else unit.hex or unit.flight.hex or None


def _badges(sight: Position, unit: Unit) -> Iterator[tuple[str, Words]]:
    if unit.flight is not None and unit.flight.hex:
        flight = unit.flight
        yield LEVELS[flight.altitude], Text("{}, {}", (SPEEDS[flight.speed], ALTITUDES[flight.altitude]))
    if unit.flight is not None and unit.flight.served:
        yield "LA", Text("landed: Air Phase {} of {} on the airfield", (unit.flight.served, SERVICE))
    if unit.damaged:
        yield "D", DAMAGED[unit.damaged_part]
    if unit.track_hit:
        yield "TK", "track hit"
    if unit.suppression:
        yield "SU", SUPPRESSIONS[unit.suppression]
    if unit.full_cover:
        yield "FC", "Full Cover"
    if unit.upper:
        yield "UP", "on the flat roof" if on_roof(sight, unit) else "upper floor"
    if unit.inside:
        yield "IN", "inside the building"
    if unit.turret:
        yield "TU", Text("turret {} degrees clockwise", (60 * unit.turret,))
    if unit.buttoned:
        yield "BU", "buttoned up"
    if unit.hedge:
        yield "IN", Text("dug in at the hedgerow towards {}", (unit.hedge,))
    if unit.hex and (held := held_by(sight, unit, "improved position")) and held.partial:
        yield "PH", "Partial Hull Down in its position"
    if unit.aside:
        yield "SH", "on the shoulder of the road"
    if unit.trailer:
        yield "FT", TRAILERS[unit.trailer]
    if unit.collateral:
        yield "CD", Text("collateral damage: {}", (joined(unit.collateral),))
    if unit.jammed:
        yield "JA", "weapon jammed"
    if unit.morale:
        yield ("BR" if unit.morale == "broken" else "HE"), unit.morale
    if unit.seen_as == "small arms":
        yield "SA", "SPOT/FIRE SA"
    if unit.seen_as == "fire":
        yield "SF", "SPOT/FIRE"
    if unit.seen_as == "move":
        yield "SM", "SPOT/MOVE"


# --- in words ---------------------------------------------------------------------------------------------------


def text(sight: Position, side: Side = "") -> str:
    """The position as text: the turn, then every hex with something in it."""
    over = [unit for unit in sight.units.values() if unit.flight is not None and unit.flight.hex]
    filled = {str(unit.hex) for name in sight.setting.sides for unit in sight.of(name)}
    filled |= {str(_place(unit)) for unit in over}
    hexes = {hex: ", ".join(sight.map.cells[hex].terrain) for hex in sorted({*filled, *sight.wrecks})}

    def units(hex: Hex) -> Iterator[str]:
        return (_line(sight, unit) for unit in (*sight.at(hex), *over) if _place(unit) == hex)

    notes = [say("{} is the First Player", sight.setting.scenario.sides[sight.first].name)] if sight.first else []
    markers = [kit.marker(kind, hex, say(_wreck(sight, hex)), "") for hex, kind in sight.wrecks.items()]
    return kit.text(sight.setting.scenario, sight.turn, notes, hexes, units, markers, victory.scores(sight))


def _line(sight: Position, unit: Unit) -> str:
    values = " ".join(f"{kind} {value}" for kind, value in figures(sight, unit))
    marks = ", ".join(say(text) for _, text in _badges(sight, unit))
    return f"{unit.side} {called(unit.name)} [{values}]" + (f" ({marks})" if marks else "")
