"""The shape of what players see, for any book."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from kit.pieces import Man
from opfire.core.actions import Action, Refusal
from opfire.kit import boards, shown

MEN = MappingProxyType({"a": Man("a", hex="A1"), "b": Man("b", side="blue", status="reserve")})


class Sight(msgspec.Struct):
    """Two men and three hexes."""

    units: Mapping[str, Man] = MEN
    map: frozenset[str] = frozenset({"A1", "A2", "A3"})


class March(Action, frozen=True):
    says = "{units} march to {to}"
    units: tuple[str, ...]
    to: str


KNOWN = {"units": shown.not_units, "to": boards.no_hex}


def told(refusal: Refusal | None) -> str:
    return refusal.sentence() if refusal else ""


def test_each_field_of_an_action_has_its_own_check() -> None:
    assert told(shown.unknown(Sight(), March(("a",), "A2"), KNOWN)) == ""
    assert told(shown.unknown(Sight(), March(("a", "x"), "A2"), KNOWN)) == "There is no unit x"
    assert told(shown.unknown(Sight(), March(("a",), "B9"), KNOWN)) == "There is no hex B9 in play"


def test_an_action_names_units_and_hexes() -> None:
    assert boards.touches(Sight(), March(("a", "b"), "A2")) == (["a", "b"], ["A2"])


def test_a_click_on_a_unit_means_its_hex_too() -> None:
    assert boards.clicked(Sight(), "red", ["b", "a", "A2", "nothing"]) == (["a"], ["b"], ["A2", "A1"])


def test_reinforcements_come_in_the_groups_in_which_they_enter() -> None:
    units = {name: Man(name, status="reserve") for name in "abc"} | {"d": Man("d", status="on the map", hex="A1")}
    entries = {"a": (2, ("A1", "A2")), "b": (3, ("A1",)), "c": (2, ("A1", "A2")), "d": (1, ("A1",))}
    assert list(shown.reinforcements(units, entries)) == [
        {"side": "red", "turn": 2, "units": ["a", "c"], "where": "A1, A2"},
        {"side": "red", "turn": 3, "units": ["b"], "where": "A1"},
    ]


def test_a_glance_tells_for_each_unit_who_threatens_it_and_who_sees_whom() -> None:
    own, foes = [MEN["a"]], [MEN["b"]]
    found = shown.glance(own, foes, lambda one, other: one.id == "a", lambda one, other: other.id == "a")
    assert found == {"units": [{"unit": "a", "fire": ["b"], "sees": ["b"], "seen": []}]}
