"""Setting up, for any book: forces of a scenario, and units on their way to their places."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kit.pieces import Man
from opfire.core.actions import Action
from opfire.core.errors import BadInput
from opfire.core.scenario import Force
from opfire.kit import boards, setup
from opfire.kit.setup import PickUp


def nowhere(man: Man) -> Iterator[Action]:
    return iter(())


def somewhere(man: Man) -> Iterator[Action]:
    yield PickUp(man.id)


TRUCKS = (Force("truck", 2, zone="rear"), Force("rifle", 1, carrier="truck"), Force("gun", 1, carrier="truck"))
UNITS = [("red-1", "truck"), ("red-2", "truck"), ("red-3", "rifle"), ("red-4", "gun")]


def test_each_passenger_gets_a_carrier_of_its_own() -> None:
    assert list(setup.carried(TRUCKS, UNITS, "red")) == [("red-1", "red-3"), ("red-2", "red-4")]


def test_carriers_that_are_too_few_are_told() -> None:
    forces = (*TRUCKS, Force("mortar", 1, carrier="truck"))
    with pytest.raises(BadInput, match="too few of 'truck' to carry mortar"):
        list(setup.carried(forces, [*UNITS, ("red-5", "mortar")], "red"))


def test_a_placed_unit_is_taken_up_for_others_only_where_it_is_in_their_way() -> None:
    placed, waits = Man("a", hex="A1", status="on the map"), [Man("b")]
    assert boards.others_wait(placed, [], {}, nowhere) is None
    assert boards.others_wait(placed, waits, {"b": ("A1",)}, nowhere) is None
    assert boards.others_wait(placed, waits, {"b": ("A1",)}, somewhere) is not None
    assert boards.others_wait(placed, waits, {"b": ("A2",)}, nowhere) is not None


def test_units_that_are_alike_are_placed_in_their_order() -> None:
    first, second, other = Man("a"), Man("b"), Man("c", "an officer")
    units = [first, second, other]

    def alike(one: Man, another: Man) -> bool:
        return one.name == another.name

    assert setup.not_next(first, units, alike) is None
    assert setup.not_next(second, units, alike) is not None
    assert setup.not_next(other, units, alike) is None
    assert setup.next_of_their_kinds(units, alike) == [first, other]
