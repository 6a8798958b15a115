"""Stacks, for any book: a unit lies in one stack or in none."""

from __future__ import annotations

import pytest

from kit.pieces import Man
from opfire.core.errors import BadInput
from opfire.kit import stacks


def test_a_unit_comes_to_lie_on_top_and_nowhere_else() -> None:
    lying = {"A1": ("a", "b"), "A2": ("c",)}
    stacks.bring(lying, Man("b", hex="A1"), "A2")
    assert lying == {"A1": ("a",), "A2": ("b", "c")}
    stacks.bring(lying, Man("a", hex="A1"), "A2")
    assert lying == {"A2": ("a", "b", "c")}


def test_a_passenger_lies_in_no_stack() -> None:
    lying = {"A1": ("truck",)}
    stacks.leave(lying, Man("rifle", hex="A1", carrier="truck"))
    assert lying == {"A1": ("truck",)}


def test_units_afield_are_on_the_map_and_walk_by_themselves() -> None:
    units = {"a": Man("a", hex="A1"), "b": Man("b"), "c": Man("c", hex="A1", carrier="a"), "d": Man("d", hex="A2")}
    assert [unit.id for unit in stacks.afield(units, ("d", "c", "b", "a"))] == ["d", "a"]


def test_a_scenario_of_one_side_alone_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadInput, match=r"\[sides\]: the sides are german; expected two sides"):
        stacks.opponents(("german",))
