"""The scenarios on offer, their maps and rules, in the form of docs/protocol.md."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from opfire.core import balance, forces, rulebook
from opfire.core import scenario as scenarios
from opfire.core.dice import Dice
from opfire.core.forces import Forces, Wanted
from opfire.core.game import SPECTATOR, Game
from opfire.core.record import Header, new_game
from opfire.core.rows import Texts
from opfire.core.ruleset import Ruleset, find, installed
from opfire.core.scenario import Scenario
from opfire.core.texts import called, language, say, spoken, translation, within
from opfire.space import layout


def listed(wanted: str = "en") -> list[dict[str, Any]]:
    """Every scenario that comes with Opfire and whose ruleset is installed, in short, its names in a language."""
    found = (scenarios.load(name) for name in scenarios.files())
    return [_spoken_in(wanted, scenario) for scenario in found if scenario.ruleset in installed()]


def _spoken_in(wanted: str, scenario: Scenario) -> dict[str, Any]:
    with spoken(translation(wanted, find(scenario.ruleset).package)):
        return _in_short(scenario)


def _in_short(scenario: Scenario) -> dict[str, Any]:
    return {
        "id": scenario.id,
        "ruleset": scenario.ruleset,
        "title": called(scenario.title),
        "summary": called(scenario.summary),
        "turns": scenario.turns,
        "difficulty": scenario.difficulty,
        "themes": scenario.themes,
        "sides": _sides(scenario),
        "boards": layout.board_ids(scenario.rest.data),
        "balance": _balance(scenario),
    }


def _sides(scenario: Scenario) -> list[dict[str, Any]]:
    """Each side with its force, and the players among whom the scenario can divide it."""
    ruleset = find(scenario.ruleset)
    divided, airborne = ruleset.players(scenario), scenario.rest.read(ruleset.sections).airborne()
    return [
        {
            "id": side,
            "name": called(force.name),
            "units": force.count() + airborne.get(side, 0),
            "players": divided.get(side, ()),
        }
        for side, force in scenario.sides.items()
    ]


def _balance(scenario: Scenario) -> dict[str, Any] | None:
    """Each side's share of the games in per cent, with the terms of the measurement."""
    found = balance.measured(scenario.ruleset).get(scenario.id)
    if found is None:
        return None
    data = found.to_json()
    return {**{side: share["rate"] for side, share in data["sides"].items()}, "measured": data}


def detail(text: str, pack: tuple[tuple[str, str], ...] = ()) -> dict[str, Any]:
    """The scenario whose file has this text: history, victory and options in words, the map.

    `pack` holds the names and texts of a data pack's tables, if the scenario needs them.
    """
    return _detail(text, pack, language())


@lru_cache(maxsize=64)
def _detail(text: str, pack: tuple[tuple[str, str], ...], _spoken: str) -> dict[str, Any]:
    """The same, kept for each language: it must be the one that is spoken."""
    scenario = scenarios.parse(text, "scenario")
    ruleset, opening = find(scenario.ruleset), _opening(text, dict(pack))
    victory = opening.view(SPECTATOR).get("victory", [])
    return {
        **_in_short(scenario),
        "language": language(),
        "history": scenario.history,
        "victory": victory,
        "levels": msgspec.to_builtins(scenario.levels),
        "options": [
            {
                "id": option.rule,
                "title": option.title,
                "text": option.effect,
                "on": option.rule in scenario.options,
            }
            for option in ruleset.options
        ],
        "map": _named(ruleset.drawn(opening.sight(SPECTATOR), SPECTATOR)),
    }


def _named(drawn: dict[str, Any] | None) -> dict[str, Any] | None:
    """The ground as it is drawn, the names on it in the reader's language."""
    if drawn is None:
        return None
    found = dict(drawn)
    if "title" in found:
        found["title"] = called(found["title"])
    for part, field in (("hexes", "label"), ("terrain", "name"), ("terrain", "called"), ("boards", "title")):
        if part in found:
            found[part] = [{**one, field: called(one[field])} if one.get(field) else one for one in found[part]]
    for part, field in (("hexes", "label"), ("terrain", "called")):
        if part in found:
            found[part] = [_within(one, one.get(field, "")) for one in found[part]]
    if names := found.get("drawing", {}).get("names"):
        found["drawing"] = {**found["drawing"], "names": [{**name, "text": called(name["text"])} for name in names]}
    return found


def _within(one: dict[str, Any], name: str) -> dict[str, Any]:
    """A part of the ground with its name as it stands within a sentence, where that is another."""
    return {**one, "within": within(name)} if within(name) != name else one


def _opening(text: str, pack: Texts) -> Game[Any]:
    scenario = scenarios.parse(text, "scenario")
    return new_game(find(scenario.ruleset), text, Dice(bytes(32)), None, pack)


def map_of(header: Header) -> Any:
    """The map of a game, and with it the descriptions of its counters, combat results and fire in answer."""
    drawn = detail(header.scenario, tuple(sorted(header.pack.items())))["map"] or {}
    ruleset = find(header.ruleset)
    asks = sorted(ruleset.queries.keys() & {"card", "glance", "overlay"})
    return {
        **drawn,
        "counters": ruleset.counters.to_json(),
        "results": {code: say(words) for code, words in ruleset.results.items()},
        "reaction": say(ruleset.reaction),
        "asks": asks,
    }


def rulebooks() -> list[dict[str, str]]:
    """The title of every rulebook, whatever scenarios there are for it."""
    return [{"ruleset": name, "title": ruleset.title} for name, ruleset in installed().items()]


def rules(name: str) -> list[dict[str, Any]]:
    """Every rule of a ruleset by number, and whether it is played."""
    ruleset = find(name)
    found = rulebook.rules(ruleset.package).values()
    return [{**msgspec.to_builtins(rule), "status": _status(ruleset, rule)} for rule in found]


def _status(ruleset: Ruleset, rule: rulebook.Rule) -> str:
    if rule.rule in ruleset.missing:
        return f"missing: {ruleset.missing[rule.rule]}"
    return "played" if rule.kind == "mechanic" else "read"


def designers() -> list[dict[str, Any]]:
    """The rulebooks that design forces: the nations and kinds of their offers, and the fields of a force."""
    return [_designer(name, found) for name, found in sorted(forces.installed().items())]


def _designer(name: str, designer: Forces) -> dict[str, Any]:
    offers = list(designer.offers())
    return {
        "ruleset": name,
        "nations": sorted({nation for offer in offers for nation in (offer.nation, *offer.buyers)}),
        "kinds": sorted({offer.kind for offer in offers}),
        "form": msgspec.to_builtins(designer.form()),
    }


def offered(designer: Forces, wanted: Wanted, start: int, count: int) -> dict[str, Any]:
    """The offers that fit, `count` of them from number `start` on, and how many fit in all."""
    found = [offer for offer in designer.offers() if wanted.fits(offer)]
    return {"found": len(found), "from": start, "offers": found[start : start + count]}
