"""The thoughts that computer players share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from opfire.core.actions import NOBODY, Choices
from opfire.core.ruleset import Suggestion
from opfire.core.scenario import Victory
from opfire.kit.thinking.goals import Goal, caution, goals, menace
from opfire.kit.thinking.kept import Kept, Nearby
from opfire.kit.thinking.places import best_places, field_of_fire, objectives_covered
from opfire.kit.thinking.ways import Rows, turns
from rulesets.overwatch import Command

VICTORY = (
    Victory(side="red", condition="control", points=4, places=("mill", "ford")),
    Victory(side="blue", condition="control", points=2, places=("mill",)),
    Victory(side="red", condition="exit", points=3, places=("gate",)),
    Victory(side="blue", condition="exit", points=9, places=("back",)),
    Victory(side="red", condition="eliminate", points=1),
)


@pytest.mark.parametrize(
    ("holder", "mill"),
    [
        (None, Goal("mill", 4 + 0.7 * 2, 6.0)),  # nobody's: taking it denies the other side a part of its points
        ("blue", Goal("mill", 6.0, 6.0)),
        ("red", Goal("mill", 0.0, 6.0 * 0.5)),  # ours: worth keeping as far as the enemy may come
    ],
)
def test_a_hex_is_worth_what_either_side_scores_there(holder: str | None, mill: Goal) -> None:
    found = goals(VICTORY, "red", {"mill": holder}.get, lambda hex: 0.5)
    assert found == [Goal("ford", 4.0, 4.0), mill, Goal("gate", 3.0, 0.0, leave=True)]


def test_an_enemy_who_comes_too_late_is_no_menace() -> None:
    assert menace([3.0, 6.0], reserves=False, left=3) == pytest.approx(0.82**3)
    assert menace([3.1], reserves=False, left=3) == 0.0
    assert menace([], reserves=True, left=4) == pytest.approx(0.82**4)


def test_a_side_that_wins_is_cautious_to_the_end() -> None:
    assert caution(3, 3, 1.0, 0.3) == 0.9
    assert caution(2, 3, 1.0, 0.3) == pytest.approx(0.35)


def test_a_unit_with_one_place_left_comes_first() -> None:
    offered = {"a": [Command("a", "move"), Command("a", "overwatch")], "z": [Command("z", "move")]}
    both = Choices(("a", "z", NOBODY), lambda actor: offered.get(actor, ()))
    found = best_places(both, Command, lambda unit: (unit,), lambda unit, action: 1.0, lambda action: "good")
    assert found == [Suggestion(offered["z"][0], 1.0, "good")]
    worth = {"move": 1.0, "overwatch": 2.0}
    alone = Choices(("a",), offered.__getitem__)
    best = best_places(alone, Command, lambda unit: (unit,), lambda _, act: worth[act.command], lambda _: "good")
    assert [each.action for each in best] == [offered["a"][1], offered["a"][0]]


def test_only_the_places_of_the_unit_that_is_placed_are_built() -> None:
    built: list[str] = []

    def places(actor: str) -> Iterator[Command]:
        for command in ("move", "overwatch", "none"):
            built.append(actor)
            yield Command(actor, command)

    best_places(Choices(("a", "z"), places), Command, lambda unit: (unit,), lambda _, act: 1.0, lambda _: "good")
    assert (built.count("a"), built.count("z")) == (3, 2)


def test_hexes_beyond_the_edge_are_no_field_of_fire() -> None:
    assert field_of_fire(["a", "b", "c"], 1, lambda hex: hex != "c") == pytest.approx(2 / 7)


def test_objectives_are_covered_by_their_worth() -> None:
    found = objectives_covered(
        [Goal("a", 3.0, 0.0), Goal("b", 0.0, 1.0)], lambda goal: 1.0 if goal.place == "a" else 0.0
    )
    assert found == pytest.approx(0.75)


def test_a_unit_that_cannot_move_never_arrives() -> None:
    assert turns(4, 0) == turns(None, 8) == 99.0


def test_facts_are_kept_for_each_side_under_the_same_stamp() -> None:
    kept: Kept[dict[str, int]] = Kept(dict)
    kept.under("red", ("a", 1))["mill"] = 3
    assert kept.under("blue", ("a", 1)) == {}
    assert kept.under("red", ("a", 1)) == {"mill": 3}
    assert kept.under("red", ("a", 2)) == {}
    assert kept.under("red", ("a", 1)) == {}, "only the last facts are kept"


def test_a_row_is_worked_out_once() -> None:
    asked: list[str] = []

    def row(hex: str) -> tuple[float, ...]:
        asked.append(hex)
        return (1.0, float(len(hex)))

    rows = Rows(row)
    assert [rows["mill"], rows["mill"], rows["ox"]] == [(1.0, 4.0), (1.0, 4.0), (1.0, 2.0)]
    assert asked == ["mill", "ox"]


def test_facts_are_dropped_around_units_that_change() -> None:
    line = ["a", "b", "c", "d", "e", "f", "g"]

    def within(hex: str, reach: int) -> list[str]:
        at = line.index(hex)
        return line[max(0, at - reach) : at + reach + 1]

    near: Nearby[int] = Nearby()
    near.update({"tank": ("b", 1, "fresh"), "gun": ("f", 0, None)}, within)
    near.facts.update(dict.fromkeys(line, 1))
    near.update({"tank": ("b", 1, "fresh"), "gun": ("f", 0, None)}, within)
    assert list(near.facts) == line
    near.update({"tank": ("b", 1, "tired")}, within)
    assert list(near.facts) == ["d", "e", "g"], "around the tank, and where the gun was"
    near.update({"tank": ("d", 1, "tired")}, within)
    assert list(near.facts) == ["g"], "around its old hex and its new one"
