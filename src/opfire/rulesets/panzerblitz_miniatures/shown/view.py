"""The view of a seat: the track of phases, stands with their badges, works, reinforcements and victory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from opfire.core.flow import Frame
from opfire.core.places import text
from opfire.core.texts import Text, called, joined, say
from opfire.kit import scoring
from opfire.kit import shown as kit
from opfire.kit.whereabouts import whereabouts
from opfire.rulesets.panzerblitz_miniatures import victory
from opfire.rulesets.panzerblitz_miniatures.command import directing, needs_post, posts_of, radius_inches
from opfire.rulesets.panzerblitz_miniatures.counters import figures
from opfire.rulesets.panzerblitz_miniatures.equipment import movement_points, range_inches
from opfire.rulesets.panzerblitz_miniatures.fire.bombardment import aimed_at, laid
from opfire.rulesets.panzerblitz_miniatures.moving.works import Task, Work, WorkKind
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Setting, Side, Stand, UnitId, planned
from opfire.rulesets.panzerblitz_miniatures.sequence import PHASES
from opfire.rulesets.panzerblitz_miniatures.shown.around import arc
from opfire.rulesets.panzerblitz_miniatures.shown.missions import missions
from opfire.rulesets.panzerblitz_miniatures.shown.previews import building
from opfire.rulesets.panzerblitz_miniatures.shown.words import place as told
from opfire.rulesets.panzerblitz_miniatures.sighting.visibility import sight_limit
from opfire.space.terrain.exact import box

ID = "panzerblitz-miniatures"

TITLES = {
    "begin": "Begin",
    "recovery": "Recovery",
    "indirect": "Indirect fire",
    "direct": "Direct fire",
    "air": "Air",
    "movement": "Movement",
    "end": "End",
}
"""The phases of a player segment by the steps of their frames."""

WORKS: dict[WorkKind, tuple[str, str]] = {
    "block": ("Block", ""),
    "fort": ("Fortification", "+10"),
    "mines": ("Minefield", "2-1"),
    "improved position 1": ("Improved position, first type", "1"),
    "improved position 2": ("Improved position, second type", "2"),
    "wreck": ("Wreck", ""),
    "fallen bridge": ("Destroyed bridge", ""),
    "tank bridge": ("Tank bridge", ""),
    "horses": ("Horses of dismounted cavalry", ""),
}
"""Each work in words, and what its marker prints."""

LANDINGS = {"glider": "by glider", "parachute": "by parachute"}
"""The ways of coming from the air, in words."""

JOBS: dict[Task, str] = {
    "clear": "Clears mines, a block or a wreck",
    "demolish": "Prepares a demolition, turns done: {}",
    "create block": "Prepares a block, turns done: {}",
    "lay mines": "Lays mines",
    "lay bridge": "Lays a bridge",
}
"""Each task of engineers in words."""


def view(sight: Position, side: Side, frame: Frame | None) -> dict[str, Any]:
    """The position as a side may know it, ready for JSON."""
    made = sight.setting
    return {
        **kit.heading(ID, made.scenario, sight.turn, sight.current, made.scenario.first),
        **scoring.shown(made.scenario, partial(victory.sources, sight), victory.TERMS),
        "track": _track(frame),
        "each_side": True,
        "units": list(_units(sight, side)),
        "markers": [*map(_marker, sight.works.values()), *_clouds(sight), *_missions(sight)],
        "missions": list(missions(sight)),
        "building": building(sight, frame),
        "reinforcements": list(kit.reinforcements(sight.units, _still_to_come(made))),
        "control": dict(sight.control),
        "losses": kit.losses(sight.units, made.ids),
        "command": {each: _command(sight, each) for each in made.sides},
        "visibility": {"name": called(made.sections.visibility), "roll": sight.roll},
        **_light(sight),
        "options": sorted(made.options),
    }


def _light(sight: Position) -> dict[str, Any]:
    """Poor or variable visibility: how far a heavy unit in the open is seen [LLT-1]."""
    name = sight.setting.sections.visibility
    if name == "good" or (name == "variable" and not sight.roll):
        return {}
    return kit.light("haze", float(sight_limit(sight.charts, name, "heavy", "clear", sight.roll)), "LLT-1")


# --- the track ----------------------------------------------------------------------------------------------


def _track(frame: Frame | None) -> list[dict[str, Any]]:
    step = frame.step if frame else ""
    return [
        {"id": part.step, "title": title(part.step), "rule": part.rule, "now": part.step == step} for part in PHASES
    ]


def title(step: str) -> str:
    """The name of a phase."""
    return say(TITLES.get(step, step.capitalize()))


# --- works --------------------------------------------------------------------------------------------------


def _marker(work: Work) -> dict[str, Any]:
    words, value = WORKS[work.kind]
    cleared = say(", being cleared") if work.inverted else ""
    dispersed = say(", dispersed") if work.dispersed else ""
    return {
        "id": work.id,
        "kind": work.kind,
        "place": work.at,
        "text": say(words) + cleared + dispersed,
        "value": value,
        "side": work.side or None,
    }


def _clouds(sight: Position) -> Iterator[dict[str, Any]]:
    """The smoke on the table: each cloud with the ring of its template."""
    for number, cloud in enumerate(sight.clouds):
        west, north, east, south = box(cloud.ring)
        yield {
            "id": f"smoke-{number}",
            "kind": "smoke",
            "place": ((west + east) // 2, (north + south) // 2),
            "text": say("Smoke {}", cloud.marker),
            "value": str(cloud.marker),
            "side": cloud.side,
            "ring": list(cloud.ring),
        }


def _missions(sight: Position) -> Iterator[dict[str, Any]]:
    """The recorded missions that the side knows [NEU-2]: each with the ring of its template."""
    for plot in sight.plots:
        yield {
            "id": f"mission-{plot.unit}-{plot.due}",
            "kind": "mission",
            "place": plot.at,
            "text": say("{} by {} in turn {}", plot.task.capitalize(), sight.units[plot.unit].name, plot.due),
            "value": str(plot.due),
            "side": plot.side,
            "ring": list(laid(sight, plot).ring),
        }


# --- stands -------------------------------------------------------------------------------------------------


def _units(sight: Position, side: Side) -> Iterator[dict[str, Any]]:
    """Every stand, with its formation where the scenario tells them apart: of enemies only of those on the table."""
    known = sight.setting.formations
    for unit in sight.units.values():
        named = unit.id in known and (unit.side == side or unit.at is not None)
        yield _unit(sight, unit) | ({"formation": say(known[unit.id])} if named else {})


def _unit(sight: Position, unit: Stand) -> dict[str, Any]:
    kind = unit.kind
    return {
        "id": unit.id,
        "side": unit.side,
        "nation": kind.nation,
        "name": called(unit.name),
        "type": say(kind.type),
        **kit.drawn(kind.type, unit.name),
        "kind": kind.id,
        "place": unit.at,
        "where": say(whereabouts(sight.table.ground, unit.at)) if unit.at is not None else "",
        "facing": unit.facing,
        "arc": arc(sight, unit) if unit.at is not None else None,
        "order": 0,
        "attack": kind.attack,
        "weapon": kind.weapon,
        "range": range_inches(sight.charts, kind),
        "doubles": False,
        "defence": kind.defence,
        "movement": movement_points(sight.charts, kind),
        "size": kind.size,
        "points": 0,
        "vehicle": unit.vehicle,
        "armoured": kind.target == "armored",
        "dispersed": unit.order if unit.dispersed else "",
        "spotted": "spotted" if unit.spotted else "",
        "moved": unit.moved,
        "fired": unit.fired,
        "position": unit.position,
        "reacted": unit.reacted,
        "spent": unit.spent / 1_000_000,
        "below": unit.work,
        "badges": [{"code": code, "text": words} for code, words in _badges(sight, unit)],
        "figures": [{"kind": name, "text": words} for name, words in figures(sight.charts, unit)],
        "status": unit.status,
        "carrier": unit.carrier,
        "cargo": list(unit.cargo),
    }


def _command(sight: Position, side: Side) -> dict[str, Any] | None:
    """The command radius of a side, its posts that command now [STD-2], and the stands that need one [CMD-1].

    None for a side without any posts in its order of battle.
    """
    posts = posts_of(sight, side)
    if not posts:
        return None
    busy = directing(sight, side)
    able = [post.id for post in posts if post.at is not None and post.id not in busy]
    led = [unit.id for unit in sight.of(side) if needs_post(unit)]
    return {"inches": float(radius_inches(sight, side)), "posts": able, "led": led}


def _still_to_come(made: Setting) -> dict[UnitId, tuple[int, tuple[str, ...]]]:
    """The turn and the ways of everything in reserve: by its entry, or from the air [ABN-1]."""
    landings = made.landings.values()
    dropped = {name: (landing.turn, (say(LANDINGS[landing.by]),)) for landing in landings for name in landing.units}
    return {**made.entries, **dropped}


def _badges(sight: Position, unit: Stand) -> Iterator[tuple[str, str]]:
    if unit.order == "dispersed":
        yield "D", say("Dispersed")
    if unit.order == "recovering":
        yield "R", say("Recovering: dispersed until the turn ends")
    if unit.reacted:
        yield "OF", say("Has used opportunity fire")
    if unit.position:
        yield "FP", say("In a Firing Position")
    if unit.spotted:
        yield "S", say("Spotted")
    if unit.fired:
        yield "F", say("Has fired")
    if unit.moved:
        yield "M", say("Has moved")
    if unit.cargo:
        yield "L", say("Carries {}", joined((sight.units[name].name for name in unit.cargo), " and "))
    if unit.work:
        yield "W", _inside(sight, unit)
    yield from _tasks(sight, unit)
    yield from _badges_of_aircraft(unit)


def _tasks(sight: Position, unit: Stand) -> Iterator[tuple[str, str]]:
    """The recorded missions of a unit, which its own side sees [NEU-2], and its task as engineers [ENG-1]."""
    for plot in planned(sight, unit):
        yield "IF", say("{} at {} in turn {}", plot.task.capitalize(), aimed_at(sight, plot), plot.due)
    if job := sight.jobs.get(unit.id):
        yield "E", say(JOBS[job.task], job.turns)


def _badges_of_aircraft(unit: Stand) -> Iterator[tuple[str, str]]:
    if unit.down:
        yield "DN", say("Down")
    if unit.damaged:
        yield "DA", say("Damaged: it leaves at the end of the Air Phase")
    if unit.arms:
        arms = (Text("{} {} {}, {} left", (arm.weapon, arm.attack, arm.weapon_class, arm.left)) for arm in unit.arms)
        yield "A", say(joined(arms))


def _inside(sight: Position, unit: Stand) -> str:
    work = sight.works.get(unit.work)
    name = say("In: {}", WORKS[work.kind][0]) if work else say("In a building")
    return say("{}, floor {}", name, unit.floor) if unit.floor else name


# --- the position as text -----------------------------------------------------------------------------------


def position_text(sight: Position, side: Side = "") -> str:
    """The position as text: the turn, then every point with contents and where it lies."""
    made = sight.setting
    points = dict.fromkeys(at for at in [*(unit.at for unit in sight.units.values()), *_sites(sight)] if at is not None)
    hexes = {text(at): say(whereabouts(sight.table.ground, at)) or "open ground" for at in sorted(points)}
    markers = [{**_marker(work), "place": text(work.at)} for work in sight.works.values()]

    def units(name: str) -> Iterator[str]:
        return (_line(sight, unit) for unit in sight.units.values() if unit.at and text(unit.at) == name)

    notes = (say("Visibility: {}", made.sections.visibility),)
    return kit.text(made.scenario, sight.turn, notes, hexes, units, markers, victory.scores(sight))


def _sites(sight: Position) -> Iterator[tuple[int, int]]:
    return (work.at for work in sight.works.values())


def _line(sight: Position, unit: Stand) -> str:
    values = " ".join(words for _, words in figures(sight.charts, unit))
    marks = ", ".join([say("facing {}", unit.facing), *(words for _, words in _badges(sight, unit))])
    return f"{say('{} {}', unit.side, unit.name)} [{values}] ({marks})"


def where(sight: Position, side: Side, *, place: Any) -> dict[str, str]:
    """A point in words: the ground there, and the nearest landmark."""
    at = sight.table.parse(place) if isinstance(place, str) else place
    return {"text": told(sight, at)}
