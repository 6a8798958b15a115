"""Lines of sight to and from a bridge over a gully are told for both levels [5.4.18, 8.2.1.2]."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.rulesets.case_orange.direct import Attack
from opfire.rulesets.case_orange.shown import los, sees
from rules.case_orange.drawing import draw, full, german, marker, rule, soviet, why_not

DOWN = "\n".join([". ."] * 8)
"""Two columns of clear hexes: A1 to A8, B1 to B8."""

BRIDGES = {"gullies": ["A2 B2", "A7 B7"], "roads": ["A1 A2 A3 A4 A5 A6 A7 A8"]}
"""A road crosses two gullies, in A2 and in A7."""


def told(a: str, b: str, **more: Any) -> dict[tuple[str, str], tuple[bool, str]]:
    """Clear or not, and by which rule, for each pair of levels that the answer tells."""
    game = draw(DOWN, fields=BRIDGES, unit=german("cp-german", "B4"), **more)
    answer = los(game.state, "german", start=full(a), to=full(b))
    return {(row["from"], row["to"]): (row["clear"], row["rule"]) for row in answer["levels"]}


@rule("5.4.18", "8.2.1.2")
def test_8_2_1_2_a_line_to_a_bridge_is_told_for_the_bridge_and_the_gully() -> None:
    assert told("A5", "A2") == {("", "gully"): (False, "8.2.1.2"), ("", "bridge"): (True, "8.2")}
    assert told("A2", "A5") == {("gully", ""): (False, "8.2.1.2"), ("bridge", ""): (True, "8.2")}
    assert told("A3", "A2") == {("", "gully"): (True, "8.2"), ("", "bridge"): (True, "8.2")}


@rule("5.4.18", "8.2.1.2")
def test_8_2_1_2_from_bridge_to_bridge_there_are_four_lines() -> None:
    assert told("A2", "A7") == {
        ("gully", "gully"): (False, "8.2.1.2"),
        ("gully", "bridge"): (False, "8.2.1.2"),
        ("bridge", "gully"): (False, "8.2.1.2"),
        ("bridge", "bridge"): (True, "8.2"),
    }


@rule("5.4.18", "5.5.2", "5.6.1")
@pytest.mark.parametrize("kind", ["block", "wreck"])
def test_8_2_1_2_no_second_level_without_a_usable_road(kind: str) -> None:
    assert told("A5", "B2") == {}
    assert told("A5", "B5") == {}
    assert told("A5", "A2", markers=[marker(kind, "A2")]) == {}
    assert told("A5", "A2", markers=[marker(kind, "A3")]) != {}


@rule("5.4.18", "8.2.1.2")
@pytest.mark.parametrize(("on_road", "answer"), [(True, None), (False, "8.2.1.2")])
def test_8_2_1_2_fire_follows_the_level_of_the_unit(on_road: bool, answer: str | None) -> None:
    """As it was told: A5 sees a unit on the bridge of A2, none in the gully."""
    target = soviet("t-34-76", "A2", along_road=on_road)
    assert why_not(draw(DOWN, fields=BRIDGES, a=german("pz-iv-h", "A5"), x=target), Attack("a", "x")) == answer


@rule("5.4.18", "8.2.1.2")
def test_8_2_1_2_the_hexes_in_sight_are_told_for_both_levels() -> None:
    state = draw(DOWN, fields=BRIDGES, unit=german("cp-german", "B4")).state
    low = sees(state, "german", place="1-A2")
    high = low["from_bridge"]
    assert sorted(low["places"]) == ["1-A1", "1-A2", "1-A3", "1-B1", "1-B2"]
    assert low["bridges"] == []
    assert ("1-A6" in high["places"], "1-A7" in high["places"], "1-B7" in high["places"]) == (True, False, False)
    assert high["bridges"] == ["1-A7"]


@rule("8.2.1.2")
def test_8_2_1_2_elsewhere_one_level_is_told() -> None:
    state = draw(DOWN, fields=BRIDGES, unit=german("cp-german", "B4")).state
    answer = sees(state, "german", place="1-A5")
    assert answer["from_bridge"] is None
    assert answer["bridges"] == ["1-A2", "1-A7"]
    assert not {"1-A2", "1-A7"} & set(answer["places"])
