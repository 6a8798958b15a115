"""The view of a seat: the track of phases, stands with their badges, markers and victory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from opfire.core.flow import Frame
from opfire.core.places import text
from opfire.core.texts import called, joined, names, say
from opfire.kit import scoring
from opfire.kit import shown as kit
from opfire.kit.whereabouts import whereabouts
from opfire.rulesets.micro_armour import decisions, victory
from opfire.rulesets.micro_armour.air.planes import Plane, loads, overhead
from opfire.rulesets.micro_armour.artillery.coordinates import own_edge
from opfire.rulesets.micro_armour.counters import figures
from opfire.rulesets.micro_armour.pieces import Position, Posture, Side, Stand, Work
from opfire.rulesets.micro_armour.postures import Grouping
from opfire.rulesets.micro_armour.sections import Equipment
from opfire.rulesets.micro_armour.sequence import PHASES
from opfire.rulesets.micro_armour.shown import plots
from opfire.rulesets.micro_armour.shown.missions import missions
from opfire.rulesets.micro_armour.shown.previews import building
from opfire.rulesets.micro_armour.shown.together import able
from opfire.rulesets.micro_armour.shown.troops import formations
from opfire.rulesets.micro_armour.weather import sight_limit
from opfire.rulesets.micro_armour.works.labour import span_done, span_work

ID = "micro-armour"


def view(sight: Position, side: Side, frame: Frame | None) -> dict[str, Any]:
    """The position as a side may know it, ready for JSON."""
    made = sight.setting
    leads = sight.initiative or made.scenario.first
    return {
        **kit.heading(ID, made.scenario, sight.turn, on_turn(sight, frame) or leads, leads),
        **scoring.shown(made.scenario, partial(victory.sources, sight), victory.TERMS),
        "track": list(_track(sight, frame)),
        **decisions.shown(sight),
        "units": [_unit(sight, unit, _posture(frame, unit)) for unit in sight.units.values()],
        "markers": [*map(_marker, sight.works.values()), *plots.markers(sight)],
        "plots": plots.sheet(sight),
        "missions": list(missions(sight)),
        "formations": list(formations(sight)),
        "together": able(sight, side, frame),
        "planes": [_plane(sight, plane, frame) for plane in sight.planes.values()],
        "building": building(sight, frame),
        "reinforcements": list(kit.reinforcements(sight.units, made.entries)),
        "control": dict(sight.control),
        "losses": kit.losses(sight.units, made.ids),
        "sight": sight_limit(sight),
        **_light(sight),
        **({"edge": own_edge(made, side)} if side in made.sides else {}),
        "options": sorted(made.options),
    }


def _light(sight: Position) -> dict[str, Any]:
    """Darkness [9.6.2-dark], or weather that limits sight in this turn [9.6.1]."""
    if sight.setting.sections.darkness:
        return kit.light("night", sight_limit(sight), "6.4.1")
    return kit.light("haze", sight_limit(sight), "9.6.1") if sight.weather else {}


def _track(sight: Position, frame: Frame | None) -> Iterator[dict[str, Any]]:
    """The steps of a turn, each once, with the rule of its first phase; landings where gliders come."""
    steps: dict[str, str] = {}
    for part in PHASES:
        steps.setdefault(part.step, part.rule)
    if not any(landing.group.turn for landing in sight.setting.landings.values()):
        del steps["landings"]
    now = frame.step if frame else ""
    for step, rule in steps.items():
        yield {"id": step, "title": title(step), "rule": rule, "now": step == now}


def on_turn(sight: Position, frame: Frame | None) -> Side:
    """The side on turn in a phase in which sides alternate [7.1.1-alternate]; of a move under way that of its stand."""
    if sight.progress is not None:
        return sight.units[sight.progress.unit].side
    return frame.side if frame is not None else ""


TITLES = {
    "set-up": "Set-up",
    "initiative": "Initiative",
    "arrivals": "Arrivals",
    "posture": "Posture determination",
    "artillery": "Artillery",
    "fire": "Standard fire",
    "plot": "Plot",
    "landings": "Landings",
    "orders": "Orders",
    "movement": "Movement",
    "overruns": "Overruns",
    "assaults": "Assaults",
    "removal": "Marker removal",
}


def title(step: str) -> str:
    """The name of a phase."""
    return say(TITLES[step])


def _capital(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def _plane(sight: Position, plane: Plane, frame: Frame | None) -> dict[str, Any]:
    """An aircraft: its turn of arrival, 0 while the seat does not know it, what it may still do, and what it does."""
    return {
        "id": plane.id,
        "side": plane.side,
        "name": called(plane.name),
        "kind": plane.kind.id,
        "arrives": plane.arrives,
        "overhead": overhead(plane, sight.turn),
        "strafed": bool(plane.strafed),
        "loads": len(loads(sight.charts, plane.kind)) - sum(bomb.done for bomb in plane.bombs),
        "cancelled": plane.cancelled,
        "strikes": _strike(sight, plane) if frame is not None and frame.step == "artillery" else None,
    }


def _strike(sight: Position, plane: Plane) -> dict[str, Any] | None:
    """The place that an aircraft attacks in this turn, and how; all learn it with the announcement [12.3.6, 12.3.7]."""
    if plane.over is None or sight.turn not in (plane.strafed, plane.bombed):
        return None
    strafes = plane.strafed == sight.turn
    return {
        "place": plane.over,
        "text": say("strafes") if strafes else say("bombs"),
        "rule": "12.3.6" if strafes else "12.3.7",
    }


def _marker(work: Work) -> dict[str, Any]:
    made = kit.marker(work.kind, "", _capital(called(work.kind)), called(work.value), work.side)
    return {**made, "id": work.id, "place": work.at, "facing": work.facing, **_ring(work)}


def _ring(work: Work) -> dict[str, Any]:
    """The square that a marker covers, where that is what counts: smoke and impact zones [7.4.2.2]."""
    return {"ring": list(work.ring)} if work.kind in ("smoke", "impact") else {}


def _posture(frame: Frame | None, unit: Stand) -> Posture:
    """The posture of a stand; that of a group that is being formed is seen before the group is complete [8.1.1]."""
    if isinstance(frame, Grouping) and unit.id in frame.stands:
        return frame.posture
    return unit.posture


def _unit(sight: Position, unit: Stand, posture: Posture) -> dict[str, Any]:
    kind = unit.kind
    return {
        "id": unit.id,
        "side": unit.side,
        "nation": sight.setting.nation(unit.side),
        "name": called(unit.name),
        "type": called(kind.kind.replace("-", " ")),
        **kit.drawn(kind.kind, unit.name),
        "kind": kind.id,
        "place": unit.at,
        "where": say(whereabouts(sight.table.ground, unit.at)) if unit.at is not None else "",
        "facing": unit.facing,
        "arc": None,
        "order": 0,
        "range": max(kind.ap_range or 0, kind.he_range or 0),
        "defence": kind.defence,
        "movement": kind.mov_points or 0,
        "points": kind.points or 0,
        "vehicle": unit.vehicle,
        "armoured": unit.armoured,
        "posture": posture,
        "group": unit.group,
        "formation": called(unit.formation),
        "suppressed": unit.suppressed,
        "disorganized": unit.disorganized,
        "fired": unit.fired,
        "badges": [
            {"code": code, "text": words} for code, words in badges(sight, unit) if code not in POSTURES.values()
        ],
        "figures": [{"kind": name, "text": words} for name, words in figures(unit)],
        "status": unit.status,
        "carrier": unit.carrier,
        "cargo": list(unit.cargo),
    }


POSTURES: Mapping[str, str] = {"movement": "M", "fire/move": "FM"}
"""The letters of the postures; on the table the shape of the base and a word tell them."""


MEANS_LETTERS: Mapping[Equipment, str] = {
    "engineers": "E",
    "mine clearing": "MC",
    "bridging": "BR",
    "bridge load": "BL",
    "dozer": "DZ",
    "hedge cutter": "HC",
    "recovery": "RV",
    "fast boats": "BO",
    "slow boats": "BO",
    "skis": "SK",
    "mountain": "MT",
}
MEANS_WORDS: Mapping[Equipment, str] = dict(
    zip(
        MEANS_LETTERS,
        names(
            "Engineers",
            "Mine clearing device",
            "Bridging device",
            "Loaded with a bridge for engineers",
            "Dozer blade",
            "Hedge cutter",
            "Recovery vehicle",
            "Loaded with fast boats",
            "Loaded with slow boats",
            "On skis",
            "Mountain troops",
        ),
        strict=True,
    )
)
"""The letters and the words of the special means: they show nowhere else who can bridge, breach and clear [11.5]."""


def badges(sight: Position, unit: Stand) -> Iterator[tuple[str, str]]:
    """The markers on a stand: each with its letters and its words."""
    if unit.suppressed:
        yield "S", say("Suppressed")
    if unit.disorganized:
        yield "D", say("Disorganized")
    if unit.posture != "firing":
        yield POSTURES[unit.posture], say("In the {} posture", unit.posture)
    if unit.id in sight.observers:
        since = sight.observers[unit.id]
        waits = since > sight.turn
        yield "FO", say("Forward observer, from turn {}", since) if waits else say("Forward observer")
    for means in unit.equipment:
        yield MEANS_LETTERS[means], say(MEANS_WORDS[means])
    done, most = span_done(unit), span_work(unit)
    if 0 < done < most:
        yield f"{done}/{most}", say("Bridge: {} of {} successes", done, most)
    if unit.boats:
        yield "B", say("In fording boats")
    if unit.rank:
        yield unit.rank, f"{unit.rank}{f' {unit.quality:+}' if unit.rank == 'GHQ' else ''}"
    if unit.depleted:
        yield "AM", say("Armour piercing ammunition spent")
    if unit.cargo:
        yield "L", say("Carries {}", joined((sight.units[name].name for name in unit.cargo), " and "))


# --- the position as text -----------------------------------------------------------------------------------


def position_text(sight: Position, side: Side = "") -> str:
    """The position as text: the turn, then every point with contents and where it lies."""
    places = [*(unit.at for unit in sight.all()), *(work.at for work in sight.works.values())]
    ground = {
        text(at): say(whereabouts(sight.table.ground, at)) or say("open ground") for at in sorted(filter(None, places))
    }
    markers = [{"place": text(work.at), "text": _capital(called(work.kind))} for work in sight.works.values()]

    def units(name: str) -> list[str]:
        return [_line(sight, unit) for unit in sight.units.values() if unit.at and text(unit.at) == name]

    notes = (say("Sight {} inches", sight_limit(sight)),)
    scenario = sight.setting.scenario
    return kit.text(scenario, sight.turn, notes, ground, units, markers, victory.scores(sight))


def _line(sight: Position, unit: Stand) -> str:
    values = " ".join(words for _, words in figures(unit))
    marks = ", ".join([say("facing {}", unit.facing), *(words for _, words in badges(sight, unit))])
    return f"{unit.side} {called(unit.name)} [{values}] ({marks})"
