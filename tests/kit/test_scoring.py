"""Victory conditions as players see them: what each counts, who would win now, what the next level lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from opfire.core.scenario import Levels, Scenario, Side, Victory
from opfire.core.texts import Catalogue, spoken
from opfire.kit import scoring

HILL = Victory("red", "control", 3, ("A1", "A2"))
ROAD = Victory("red", "exit", 2, ("C1",), only=("tank",))
LOSSES = Victory("blue", "eliminate", 1)
SCENARIO = Scenario(
    id="hill",
    ruleset="toy",
    title="The Hill",
    turns=4,
    first="red",
    sides={"red": Side("Red", "german"), "blue": Side("Blue", "soviet")},
    victory=(HILL, ROAD, LOSSES),
    levels=Levels(marginal=3, decisive=8),
)
TERMS = scoring.Terms(hold="Hold", loss="Destroy", unit="step", near=2000)


def sources(condition: Victory) -> Iterator[tuple[str, int]]:
    """Red holds one hex of the hill, and a tank of two steps has left; blue has shot one step."""
    match condition.condition:
        case "control":
            yield "A2", 1
        case "exit":
            yield "red-1", 2
        case "eliminate":
            yield "red-2", 1


def view() -> dict[str, Any]:
    return scoring.shown(SCENARIO, sources, TERMS)


def test_every_condition_says_what_it_counts() -> None:
    hill, road, losses = view()["victory"]
    assert (hill["kind"], hill["each"], hill["have"], hill["points"], hill["want"]) == ("control", 3, 1, 3, 2)
    assert (hill["places"], hill["counted"], hill["near"]) == (["A1", "A2"], [{"what": "A2", "points": 3}], 2000)
    assert (road["kind"], road["unit"], road["only"]) == ("exit", "step", ["tank"])
    assert road["counted"] == [{"what": "red-1", "points": 4}]
    assert (losses["points"], losses["except"], losses["text"]) == (1, [], "Destroy: 1 point a step")


def test_the_kinds_that_a_condition_counts_are_told_in_the_readers_language() -> None:
    with spoken(Catalogue("fr", {"tank": "char"})):
        road = view()["victory"][1]
    assert road["only"] == ["char"]


def test_points_for_places_count_at_the_end_only_and_the_others_stay() -> None:
    found = view()
    assert found["scores"] == {"red": 7, "blue": 1}
    assert found["banked"] == {"red": 4, "blue": 1}


def test_the_next_level_is_told_for_each_side() -> None:
    found = view()
    # Red leads by 6: 2 more are decisive; blue needs 4 for a draw, which a lead of 2 still is.
    assert found["now"] == {"winner": "red", "level": "marginal"}
    assert found["gaps"] == [
        {"side": "red", "points": 2, "winner": "red", "level": "decisive"},
        {"side": "blue", "points": 4, "winner": None, "level": "draw"},
    ]


@pytest.mark.parametrize(
    ("red", "blue", "gap"),
    [
        (0, 0, (3, "red", "marginal")),
        (2, 0, (1, "red", "marginal")),
        (3, 0, (5, "red", "decisive")),
        (0, 3, (1, None, "draw")),
        (0, 8, (1, "blue", "marginal")),
        (0, 20, (13, "blue", "marginal")),
    ],
)
def test_a_gap_leads_exactly_to_the_next_level(red: int, blue: int, gap: tuple[int, str | None, str]) -> None:
    (found,) = (each for each in scoring.gaps(SCENARIO, {"red": red, "blue": blue}) if each["side"] == "red")
    assert (found["points"], found["winner"], found["level"]) == gap
    points = {"red": red + found["points"], "blue": blue}
    assert scoring.verdict(SCENARIO, points) == (found["winner"], found["level"])
    assert scoring.verdict(SCENARIO, {**points, "red": points["red"] - 1}) == scoring.verdict(
        SCENARIO, {"red": red, "blue": blue}
    )


def test_nothing_lacks_at_the_highest_level() -> None:
    assert [each["side"] for each in scoring.gaps(SCENARIO, {"red": 9, "blue": 1})] == ["blue"]
