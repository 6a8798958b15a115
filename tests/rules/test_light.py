"""Night, dusk and weather that limit sight, as views tell them in every book that has them."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core import scenario as scenarios
from opfire.core.match import Match

SEATS = {"german": "one", "soviet": "two"}


def light(scenario: str) -> dict[str, Any] | None:
    """The light at the start of a scenario, as its first side sees it."""
    text = scenarios.files()[scenario].read_text(encoding="utf-8")
    match = Match.start(text, {}, dict(SEATS), bytes(32))
    match.go_on()
    seat = match.game.deciders()[0]
    found: dict[str, Any] | None = match.game.view(seat).get("light")
    return found


@pytest.mark.parametrize(
    ("scenario", "kind", "hexes", "rule"),
    [
        # By night one sees one hex.
        ("pg-night-231", "night", 1, "8.1"),
        # Three rows below 0, and there vehicles are spotted up to 7 hexes.
        ("panzer-night-mound", "night", 7, "7.36.1"),
        ("armour-night-at-zelenka", "night", 10, "6.4.1"),
        # In poor visibility heavy units in the open are seen at 10 inches.
        ("mini-fog", "haze", 10, "LLT-1"),
    ],
)
def test_night_and_fog_tell_how_far_one_sees(scenario: str, kind: str, hexes: int, rule: str) -> None:
    assert light(scenario) == {"kind": kind, "range": hexes, "rule": rule, "lit": []}


@pytest.mark.parametrize("scenario", ["mill-ford", "pg-stepnoye", "panzer-first-duel", "armour-first-evening"])
def test_by_day_nothing_is_said_of_the_light(scenario: str) -> None:
    assert light(scenario) is None
