"""Indirect fire tactics [12.0]: registration, observation, party line, barrage, shooting from the hip."""

from __future__ import annotations

import pytest

from opfire.core.events import Cases
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.carrying import Load
from opfire.rulesets.case_orange.direct import Attack, Fire
from opfire.rulesets.case_orange.indirect import AddFirer, Confirm, DeclareFire, DeclareGroup
from opfire.rulesets.case_orange.movement import Move, Shift
from opfire.rulesets.case_orange.registration import Aim, Register
from rules.case_orange.drawing import (
    allowed,
    amount,
    calculations,
    draw,
    german,
    marker,
    offered,
    play,
    preview,
    refused,
    results,
    rule,
    soviet,
    unit,
    why_not,
)

EYES = german("cp-german", "C1")
EYES_SOUTH = german("cp-german", "C7")
MORTAR = german("mortar-81-german", "D1", attack=10)
ENEMY = soviet("rifle-43-soviet", "C5", attack=0, defence=10)

# --- 12.1 registration --------------------------------------------------------------------------------------


@rule("12.1")
def test_12_1_one_marker_a_turn_for_each_unit() -> None:
    game = draw(step="registration", a=MORTAR, b=german("mortar-81-german", "B1"), eyes=EYES, x=ENEMY)
    assert offered(game, Aim) == {Aim("a"), Aim("b")}
    play(game, Aim("a"), Register("C5"))
    assert game.state.registered == {"a": "1-C5"}
    assert refused(game, Aim("a")) == "12.1"
    assert allowed(game, Aim("b"))


@rule("12.1")
def test_12_1_placed_or_replaced() -> None:
    game = draw(step="registration", a={**MORTAR, "registered": "1-C7"}, eyes=EYES)
    events = play(game, Aim("a"), Register("C5"))
    assert game.state.registered == {"a": "1-C5"}
    assert [event.rule for event in events] == ["12.1"]


@rule("12.1")
@pytest.mark.parametrize("hex", ["C5", "E5"])
def test_12_1_on_empty_hexes_and_on_spotted_enemies(hex: str) -> None:
    game = draw(step="registration", a=MORTAR, eyes=EYES, x=ENEMY, own=german("rifle-42-german", "G5"))
    play(game, Aim("a"))
    assert allowed(game, Register(hex))
    assert refused(game, Register("G5")) == "12.1"


@rule("12.1")
@pytest.mark.parametrize(("hex", "answer"), [("C4", None), ("C5", "2.0-G08")])
def test_12_1_within_the_range_of_the_parent(hex: str, answer: str | None) -> None:
    game = draw(step="registration", a=german("mortar-81-german", "C1", range=3), eyes=EYES)
    play(game, Aim("a"))
    if answer:
        assert refused(game, Register(hex)) == answer
        assert refused(game, Register("C1")) == "12.1"
    else:
        assert allowed(game, Register(hex))
        assert refused(game, Register("C1")) == "12.1"


@rule("12.1")
def test_12_1_in_sight_of_an_observer() -> None:
    """The woods in C3 hide C5 from C1."""
    board = "\n".join([". . . . ."] * 2 + [". . w . ."] + [". . . . ."] * 3)
    game = draw(board, step="registration", a=german("mortar-81-german", "C2"), eyes=german("cp-german", "C1"))
    play(game, Aim("a"))
    assert refused(game, Register("C5")) == "12.1"
    assert allowed(game, Register("A4"))


@rule("12.1")
@pytest.mark.parametrize(
    ("state", "answer"),
    [({"dispersed": "D", "face_up": False}, "2.0-G07"), ({"face_up": False}, "2.0-G09")],
)
def test_12_1_only_for_fit_units(state: dict[str, object], answer: str) -> None:
    game = draw(step="registration", a={**MORTAR, **state}, eyes=EYES, b=german("mortar-81-german", "B1"))
    assert refused(game, Aim("a")) == answer
    play(game, Aim("b"), Register("C5"))
    assert refused(game, Aim("b")) == "12.1"


@rule("12.1")
def test_12_1_not_without_an_undispersed_observer() -> None:
    game = draw(step="registration", a=MORTAR, eyes={**EYES, "dispersed": "D", "face_up": False})
    assert refused(game, Aim("a")) == "12.1"
    game = draw(step="registration", a=MORTAR, eyes={**EYES, "face_up": False})
    assert allowed(game, Aim("a"))


@rule("12.1.1")
def test_12_1_1_two_units_do_not_share_a_hex() -> None:
    game = draw(step="registration", a={**MORTAR, "registered": "1-C5"}, b=german("mortar-81-german", "B1"), eyes=EYES)
    play(game, Aim("b"))
    assert refused(game, Register("C5")) == "12.1.1"
    assert allowed(game, Register("C6"))


@rule("12.1.1")
def test_12_1_1_the_enemy_may_have_a_marker_there() -> None:
    game = draw(
        step="registration",
        a={**MORTAR, "registered": "1-C5"},
        m=soviet("mortar-82-soviet", "C8", registered="C4"),
        spy=soviet("cp-soviet", "D8"),
        b=german("mortar-81-german", "B1"),
        eyes=EYES,
    )
    play(game, Aim("b"))
    assert allowed(game, Register("C4"))
    assert refused(game, Register("C5")) == "12.1.1"


HIDDEN = "\n".join([". . s . ."] + [". . . . ."] * 3 + [". . v . ."] + [". . . . ."] * 3)


@rule("12.1.2")
@pytest.mark.parametrize(
    ("marks", "answer"), [(("", ""), "12.1.2"), (("spotted", ""), None), (("spotted", "spotted"), None)]
)
def test_12_1_2_not_on_unspotted_enemies_in_cover(marks: tuple[str, str], answer: str | None) -> None:
    game = draw(
        HIDDEN,
        step="registration",
        a=MORTAR,
        eyes=EYES,
        x=soviet("rifle-43-soviet", "C5", spotted=marks[0]),
        y=soviet("rifle-43-soviet", "C5", spotted=marks[1]),
    )
    play(game, Aim("a"))
    if answer:
        assert refused(game, Register("C5")) == answer
    else:
        assert allowed(game, Register("C5"))
        blind = draw(HIDDEN, step="registration", a=MORTAR, eyes=EYES, x=soviet("rifle-43-soviet", "C5"))
        play(blind, Aim("a"))
        assert refused(blind, Register("C5")) == "12.1.2"


@rule("12.1.3")
def test_12_1_3_the_marker_goes_when_its_parent_moves() -> None:
    game = draw(step="non-vehicle", a={**MORTAR, "registered": "1-C5"}, eyes=EYES, idle=german("rifle-42-german", "A1"))
    play(game, Move("idle", "A2"))
    assert game.state.registered == {"a": "1-C5"}
    events = play(game, Move("a", "D2"))
    assert game.state.registered == {}
    assert "12.1.3" in {event.rule for event in events}


@rule("12.1.3", "10.3.5")
def test_12_1_3_leaving_the_works_is_a_move_too() -> None:
    """RULINGS.md R53: it is the unit's move of the turn."""
    crew = {**MORTAR, "registered": "1-C5", "below": "position"}
    game = draw(step="non-vehicle", a=crew, eyes=EYES, markers=[marker("position", "D1")])
    assert game.state.registered == {"a": "1-C5"}
    play(game, Shift("a", False))
    assert game.state.registered == {}


@rule("12.1.3")
def test_12_1_3_or_is_loaded() -> None:
    game = draw(step="vehicle", a={**MORTAR, "registered": "1-C5"}, truck=german("truck-german", "D1"), eyes=EYES)
    events = play(game, Load("truck", "a"))
    assert game.state.registered == {}
    assert "12.1.3" in {event.rule for event in events}


@rule("12.1.3")
@pytest.mark.parametrize(("die", "dispersed"), [(4, "D"), (1, "")])
def test_12_1_3_or_all_who_could_observe_are_dispersed_or_gone(die: int, dispersed: str) -> None:
    """2:1 at the only observer: a 4 disperses, a 1 eliminates."""
    game = draw(
        side="soviet",
        gun=soviet("su-122", "C5", attack=20, range=4),
        eyes=german("cp-german", "C1", defence=10),
        m=german("mortar-120-german", "F1", registered="E5"),
        other=german("rifle-42-german", "A1"),
    )
    events = play(game, Attack("gun", "eyes"), Fire(), dice=[die])
    assert unit(game, "eyes").dispersed == dispersed
    assert game.state.registered == {}
    assert "12.1.3" in {event.rule for event in events}


@rule("12.1.3")
def test_12_1_3_another_observer_keeps_it_alive() -> None:
    """Rifles observe for light mortars [12.2.1]."""
    game = draw(
        side="soviet",
        gun=soviet("su-122", "C5", attack=20, range=4),
        eyes=german("cp-german", "C1", defence=10),
        m=german("mortar-81-german", "F1", registered="E5"),
        heavy=german("mortar-120-german", "G1", registered="G5"),
        other=german("rifle-42-german", "A1"),
    )
    play(game, Attack("gun", "eyes"), Fire(), dice=[1])
    assert game.state.registered == {"m": "1-E5"}


# --- 12.2 observation ---------------------------------------------------------------------------------------


@rule("12.2")
def test_12_2_the_hex_must_be_spotted() -> None:
    game = draw(HIDDEN, step="indirect", a=MORTAR, eyes=EYES, x=soviet("rifle-43-soviet", "C5"))
    assert refused(game, DeclareFire("a", "C5", "hip")) == "12.2"
    assert refused(game, DeclareFire("a", "E5", "hip")) == "12.2"
    seen = draw(HIDDEN, step="indirect", a=MORTAR, eyes=EYES, x=soviet("rifle-43-soviet", "C5", spotted="spotted"))
    assert allowed(seen, DeclareFire("a", "C5", "hip"))


@rule("12.2")
def test_12_2_and_in_sight_of_an_observer() -> None:
    """The half-track in C7 sees the enemy and spots him; the command post behind the woods does not."""
    board = "\n".join([". . . . ."] * 2 + [". . w . ."] + [". . . . ."] * 4)
    units = {"a": german("mortar-81-german", "C2"), "scout": german("half-track-german", "C7"), "x": ENEMY}
    game = draw(board, step="indirect", eyes=german("cp-german", "C1"), **units)
    assert refused(game, DeclareFire("a", "C5", "hip")) == "12.2"
    game = draw(board, step="indirect", eyes=german("cp-german", "C7"), **units)
    assert allowed(game, DeclareFire("a", "C5", "hip"))


@rule("12.2")
@pytest.mark.parametrize(
    ("state", "answer"), [({"face_up": False}, None), ({"dispersed": "D", "face_up": False}, "12.2")]
)
def test_12_2_inverted_observers_observe_dispersed_ones_do_not(state: dict[str, object], answer: str | None) -> None:
    game = draw(step="indirect", a=MORTAR, eyes={**EYES, **state}, scout=german("hmg-german", "A1"), x=ENEMY)
    if answer:
        assert refused(game, DeclareFire("a", "C5", "hip")) == answer
    else:
        assert allowed(game, DeclareFire("a", "C5", "hip"))
        assert refused(game, DeclareFire("a", "E5", "hip")) == "12.2"


@rule("12.2.1")
@pytest.mark.parametrize(
    ("firer", "values", "observer", "answer"),
    [
        ("mortar-81-german", {}, "rifle-42-german", None),
        ("mortar-81-german", {}, "rifle-43-soviet", None),
        ("mortar-120-german", {"calibre_mm": 119}, "rifle-42-german", None),
        ("mortar-120-german", {"calibre_mm": 120}, "rifle-42-german", "12.2"),
        ("mortar-120-german", {}, "cp-german", None),
        ("how-105-german", {}, "rifle-42-german", "12.2"),
        ("ig-75", {}, "rifle-42-german", "12.2"),
        ("how-105-german", {}, "cp-german", None),
        ("mortar-81-german", {}, "engineer-german", "12.2"),
        ("mortar-81-german", {}, "half-track-german", "12.2"),
    ],
)
def test_12_2_1_rifles_for_light_mortars_forward_observers_for_the_rest(
    firer: str, values: dict[str, object], observer: str, answer: str | None
) -> None:
    """The firer stands behind woods and sees nothing itself."""
    board = "\n".join([". . . . ."] * 2 + [". . w . ."] + [". . . . ."] * 4)
    game = draw(
        board,
        step="indirect",
        a=german(firer, "C1", **{"attack": 20, **values}),
        who=german(observer, "C7"),
        spotter=german("hmg-german", "B7"),
        x=ENEMY,
    )
    if answer:
        assert refused(game, DeclareFire("a", "C5", "hip")) == answer
    else:
        assert allowed(game, DeclareFire("a", "C5", "hip"))


@rule("12.2.1")
@pytest.mark.parametrize(
    ("firer", "observes", "answer"),
    [
        ("mortar-81-german", "light", None),
        ("mortar-81-german", "all", None),
        ("mortar-81-german", "none", "12.2"),
        ("how-105-german", "light", "12.2"),
        ("how-105-german", "all", None),
    ],
)
def test_12_2_1_the_row_of_a_unit_says_whom_it_observes_for(firer: str, observes: str, answer: str | None) -> None:
    """Riflemen under another name observe, and a rifle company may not; the name plays no part."""
    kind = "rifle-42-german" if observes == "none" else "smg-german"
    board = "\n".join([". . . . ."] * 2 + [". . w . ."] + [". . . . ."] * 4)
    who = german(kind, "C7", observes=observes)
    game = draw(board, step="indirect", a=german(firer, "C1", attack=20), who=who, x=ENEMY)
    assert why_not(game, DeclareFire("a", "C5", "hip")) == answer


@rule("12.2", "12.2.1")
def test_12_2_the_scenario_may_name_observers() -> None:
    board = "\n".join([". . . . ."] * 2 + [". . w . ."] + [". . . . ."] * 4)
    named = {"side": "german", "kind": "observation", "units": ["how-105-german"], "observers": ["engineer-german"]}
    units = {"a": german("how-105-german", "C1"), "x": ENEMY, "m": german("mortar-81-german", "B1")}
    game = draw(board, step="indirect", indirect=[named], who=german("engineer-german", "C7"), **units)
    assert allowed(game, DeclareFire("a", "C5", "hip"))
    assert refused(game, DeclareFire("m", "C5", "hip")) == "12.2"
    game = draw(board, step="indirect", indirect=[named], who=german("cp-german", "C7"), **units)
    assert refused(game, DeclareFire("a", "C5", "hip")) == "12.2"


@rule("12.2", "9.6.6")
def test_12_2_the_observers_of_a_group_observe_for_the_markers_of_its_members_alone() -> None:
    """Howitzers need a forward observer, unless the scenario names others; the rifles are named for one of them."""
    group = {"side": "german", "kind": "barrage", "units": ["how-105-german"], "observers": ["rifle-42-german"]}
    game = draw(
        step="registration",
        indirect=[group],
        a=german("how-105-german", "D1"),
        b=german("how-150-german", "E1"),
        watch=german("rifle-42-german", "C1"),
        x=ENEMY,
    )
    assert offered(game, Aim) == {Aim("a")}
    assert refused(game, Aim("b")) == "12.1"
    play(game, Aim("a"))
    assert allowed(game, Register("C5"))


# --- 12.3 party line ----------------------------------------------------------------------------------------

PARTY = {
    "side": "german",
    "kind": "party-line",
    "units": ["mortar-81-german", "mortar-120-german"],
    "observers": ["cp-german"],
}


def battery(kind: str = "mortar-120-german", **values: object) -> dict[str, object]:
    return german(kind, "D1", **{"attack": 15, "range": 12, "registered": "C5", **values})


@rule("12.3", "12.3.1", "12.3.2")
def test_12_3_unadjusted_factors_are_added_then_adjusted_for_each_enemy() -> None:
    """15 and 15 at armour are 15, not 7 and 7; against infantry 30."""
    game = draw(
        step="indirect",
        indirect=[PARTY],
        a=battery(),
        b=battery(),
        eyes=EYES,
        tank=soviet("t-34-76", "C5", defence=15, points=1),
        foot=soviet("rifle-43-soviet", "C5", defence=10, points=1),
    )
    assert refused(game, DeclareGroup(0, "eyes", "C5")) == "12.3.4"
    play(game, DeclareGroup(0, "a", "C5"))
    assert refused(game, Confirm()) == "12.3.2"
    events = play(game, AddFirer("b"), Confirm(), EndSegment(), dice=[6, 6])
    found = {
        (amount(each, "9.6.2", "attack"), amount(each, "3.4.2", "defence"), each.column)
        for each in calculations(events)
    }
    assert found == {(15, 15, "1:1"), (30, 10, "3:1")}


@rule("12.3")
def test_12_3_identical_types_only() -> None:
    game = draw(
        step="indirect", indirect=[PARTY], a=battery(), b=battery(), c=battery("mortar-81-german"), eyes=EYES, x=ENEMY
    )
    play(game, DeclareGroup(0, "a", "C5"))
    assert refused(game, AddFirer("c")) == "12.3"
    assert allowed(game, AddFirer("b"))


@rule("12.3.1")
def test_12_3_1_every_firer_has_its_marker_in_the_hex() -> None:
    game = draw(
        step="indirect", indirect=[PARTY], a=battery(), b=battery(), c=battery(registered="C6"), eyes=EYES, x=ENEMY
    )
    play(game, DeclareGroup(0, "a", "C5"))
    assert refused(game, AddFirer("c")) == "12.3.1"
    assert allowed(game, AddFirer("b"))


@rule("12.3.1")
@pytest.mark.parametrize(("state", "answer"), [({}, None), ({"face_up": False}, "12.3.1")])
def test_12_3_1_a_face_up_observer_sees_the_spotted_hex(state: dict[str, object], answer: str | None) -> None:
    game = draw(
        step="indirect",
        indirect=[PARTY],
        a=battery(),
        b=battery(),
        c=battery(registered="C6"),
        eyes={**EYES, **state},
        x=ENEMY,
    )
    if answer:
        assert refused(game, DeclareGroup(0, "a", "C5")) == answer
    else:
        assert allowed(game, DeclareGroup(0, "a", "C5"))
        assert refused(game, DeclareGroup(0, "c", "C5")) == "12.3.1"


@rule("12.3.2")
@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ({"range": 3}, "2.0-G08"),
        ({"face_up": False}, "2.0-G09"),
        ({"dispersed": "D", "face_up": False}, "2.0-G07"),
        ({}, None),
    ],
)
def test_12_3_2_any_or_all_fit_members_within_range(values: dict[str, object], answer: str | None) -> None:
    game = draw(step="indirect", indirect=[PARTY], a=battery(), b=battery(), c=battery(**values), eyes=EYES, x=ENEMY)
    play(game, DeclareGroup(0, "a", "C5"))
    if answer:
        assert refused(game, AddFirer("c")) == answer
    else:
        play(game, AddFirer("b"), AddFirer("c"))
    play(game, *([AddFirer("b")] if answer else []), Confirm())
    assert len(game.stack[-1].declared[0].firers) == (2 if answer else 3)


@rule("12.3.3")
def test_12_3_3_their_markers_may_share_a_hex() -> None:
    game = draw(
        step="registration",
        indirect=[PARTY],
        a=battery(),
        b=battery(registered="C6"),
        s=german("how-105-german", "B1"),
        eyes=EYES,
    )
    play(game, Aim("b"), Register("C5"))
    assert game.state.registered == {"a": "1-C5", "b": "1-C5"}
    play(game, Aim("s"))
    assert refused(game, Register("C5")) == "12.1.1"


@rule("12.3.3", "12.1.1")
def test_12_3_3_only_where_the_scenario_has_such_a_group() -> None:
    game = draw(step="registration", a=battery(), b=battery(registered="C6"), eyes=EYES)
    play(game, Aim("b"))
    assert refused(game, Register("C5")) == "12.1.1"


@rule("12.3.4")
def test_12_3_4_the_scenario_says_who_and_how_many() -> None:
    game = draw(
        step="indirect", indirect=[{**PARTY, "most": 2}], a=battery(), b=battery(), c=battery(), eyes=EYES, x=ENEMY
    )
    play(game, DeclareGroup(0, "a", "C5"), AddFirer("b"))
    assert refused(game, AddFirer("c")) == "12.3.4"
    assert refused(game, AddFirer("eyes")) == "12.3.4"
    none = draw(step="indirect", a=battery(), b=battery(), eyes=EYES, x=ENEMY)
    assert refused(none, DeclareGroup(0, "a", "C5")) == "procedure"


# --- 12.4 barrage -------------------------------------------------------------------------------------------

BARRAGE = {**PARTY, "kind": "barrage"}


@rule("12.4", "12.4.1")
def test_12_4_one_marker_is_enough_and_types_may_differ() -> None:
    game = draw(
        step="indirect",
        indirect=[BARRAGE],
        a=battery(),
        b=german("mortar-81-german", "B1", attack=5),
        eyes=EYES,
        x=ENEMY,
        y=soviet("rifle-43-soviet", "E5"),
    )
    assert refused(game, DeclareGroup(0, "a", "E5")) == "12.4.1"
    assert refused(game, DeclareGroup(0, "eyes", "C5")) == "12.4.3"
    play(game, DeclareGroup(0, "b", "C5"), AddFirer("a"), Confirm())
    events = play(game, EndSegment(), dice=[6])
    assert amount(calculations(events)[0], "9.6.2", "attack") == 20
    assert calculations(events)[0].column == "2:1"


@rule("12.4.1")
@pytest.mark.parametrize(("state", "answer"), [({}, None), ({"face_up": False}, "12.4.1")])
def test_12_4_1_a_face_up_observer(state: dict[str, object], answer: str | None) -> None:
    game = draw(
        step="indirect",
        indirect=[BARRAGE],
        a=battery(),
        b=battery(),
        eyes={**EYES, **state},
        x=ENEMY,
        y=soviet("cp-soviet", "E5"),
    )
    if answer:
        assert refused(game, DeclareGroup(0, "a", "C5")) == answer
    else:
        assert allowed(game, DeclareGroup(0, "a", "C5"))
        assert refused(game, DeclareGroup(0, "a", "E5")) == "12.4.1"


@rule("12.4.2")
@pytest.mark.parametrize(("values", "answer"), [({"range": 3}, "2.0-G08"), ({"face_up": False}, "2.0-G09"), ({}, None)])
def test_12_4_2_any_fit_members_within_range(values: dict[str, object], answer: str | None) -> None:
    game = draw(step="indirect", indirect=[BARRAGE], a=battery(), b=battery(), c=battery(**values), eyes=EYES, x=ENEMY)
    play(game, DeclareGroup(0, "a", "C5"))
    assert refused(game, Confirm()) == "12.4.2"
    if answer:
        assert refused(game, AddFirer("c")) == answer
    else:
        play(game, AddFirer("c"), Confirm())


@rule("12.4.2")
def test_12_4_2_unadjusted_factors_are_added() -> None:
    """15 and 15 are 15 against armour."""
    game = draw(
        step="indirect",
        indirect=[BARRAGE],
        a=battery(),
        b=battery(registered="C7"),
        eyes=EYES,
        x=soviet("t-34-76", "C5", defence=15),
    )
    play(game, DeclareGroup(0, "a", "C5"))
    assert refused(game, Confirm()) == "12.4.2"
    calculation = preview(game, AddFirer("b"))
    assert (amount(calculation, "9.6.2", "attack"), calculation.column) == (15, "1:1")


@rule("12.4.3")
def test_12_4_3_the_scenario_says_how_many() -> None:
    game = draw(
        step="indirect", indirect=[{**BARRAGE, "most": 2}], a=battery(), b=battery(), c=battery(), eyes=EYES, x=ENEMY
    )
    play(game, DeclareGroup(0, "a", "C5"), AddFirer("b"))
    assert refused(game, AddFirer("c")) == "12.4.3"
    assert offered(game, AddFirer) == set()


@rule("9.1.1", "12.3")
def test_9_1_1_combined_fire_is_declared_only_when_it_comes_to_one_to_four() -> None:
    """One and one against 10 are 1:5; a third makes it 1:4."""
    weak = battery(attack=1)
    game = draw(step="indirect", indirect=[PARTY], a=weak, b=weak, c=weak, eyes=EYES, x=ENEMY)
    play(game, DeclareGroup(0, "a", "C5"), AddFirer("b"))
    assert refused(game, Confirm()) == "9.1.1"
    assert offered(game, Confirm) == set()
    play(game, AddFirer("c"))
    assert offered(game, Confirm) == {Confirm()}
    events = play(game, Confirm(), EndSegment(), dice=[6])
    assert calculations(events)[0].column == "1:4"


@rule("12.4.3")
def test_12_4_3_so_many_of_each_class() -> None:
    """Two medium mortars and one heavy one."""
    medium = {"units": ["mortar-81-german"], "most": 2}
    heavy = {"units": ["mortar-120-german"], "most": 1}
    game = draw(
        step="indirect",
        indirect=[{**BARRAGE, "limits": [medium, heavy]}],
        h=battery(),
        i=battery(),
        m=battery("mortar-81-german"),
        n=battery("mortar-81-german"),
        o={**battery("mortar-81-german"), "at": "1-E1"},
        eyes=EYES,
        x=ENEMY,
    )
    play(game, DeclareGroup(0, "h", "C5"))
    assert refused(game, AddFirer("i")) == "12.4.3"
    play(game, AddFirer("m"), AddFirer("n"))
    assert refused(game, AddFirer("o")) == "12.4.3"
    play(game, Confirm())
    assert game.stack[-1].declared[0].firers == ("h", "m", "n")


@rule("9.1.1", "12.4.3")
def test_12_4_3_the_strongest_that_may_still_join_decide_whether_it_is_worth_beginning() -> None:
    """Of the heavy ones, 3 each, one may fire: 3 and 1 against 20 are 1:5, 3 and 3 would be 1:4."""
    one_heavy = {**BARRAGE, "limits": [{"units": ["mortar-120-german"], "most": 1}]}
    units = {"h": battery(attack=3), "i": battery(attack=3), "m": battery("mortar-81-german", attack=1), "eyes": EYES}
    enemy = {**ENEMY, "defence": 20}
    assert refused(draw(step="indirect", indirect=[one_heavy], x=enemy, **units), DeclareGroup(0, "h", "C5")) == "9.1.1"
    assert allowed(draw(step="indirect", indirect=[BARRAGE], x=enemy, **units), DeclareGroup(0, "h", "C5"))


@rule("12.3.4", "12.4.3")
def test_12_4_3_particular_units_fire_and_observe_together() -> None:
    """Two batteries and one command post of several alike."""
    group = {**BARRAGE, "units": ["a", "b"], "observers": ["post"]}
    units = {"a": battery(), "b": battery(), "c": battery(), "x": ENEMY}
    game = draw(step="indirect", indirect=[group], post=EYES, **units)
    play(game, DeclareGroup(0, "a", "C5"))
    assert refused(game, AddFirer("c")) == "12.4.3"
    play(game, AddFirer("b"), Confirm())
    other = draw(step="indirect", indirect=[group], post={**EYES, "face_up": False}, eyes=EYES, **units)
    assert refused(other, DeclareGroup(0, "a", "C5")) == "12.4.1"


@rule("12.2")
def test_12_2_a_particular_unit_observes_for_particular_units() -> None:
    """Only the post of that name directs the howitzer of that name; its fellow has the usual observers."""
    named = {"side": "german", "kind": "observation", "units": ["h"], "observers": ["scout"]}
    board = "\n".join([". . . . ."] * 2 + [". . w . ."] + [". . . . ."] * 4)
    units = {"h": german("how-105-german", "C1", attack=20), "i": german("how-105-german", "C1", attack=20), "x": ENEMY}
    game = draw(board, step="indirect", indirect=[named], scout=german("hmg-german", "C1"), eyes=EYES_SOUTH, **units)
    assert refused(game, DeclareFire("h", "C5", "hip")) == "12.2"
    assert allowed(game, DeclareFire("i", "C5", "hip"))
    game = draw(board, step="indirect", indirect=[named], scout=german("hmg-german", "C7"), **units)
    assert allowed(game, DeclareFire("h", "C5", "hip"))
    assert refused(game, DeclareFire("i", "C5", "hip")) == "12.2"


@rule("9.1.1", "12.3.4")
def test_9_1_1_a_group_that_can_never_reach_it_does_not_begin() -> None:
    weak = battery(attack=1)
    game = draw(step="indirect", indirect=[{**PARTY, "most": 2}], a=weak, b=weak, c=weak, eyes=EYES, x=ENEMY)
    assert refused(game, DeclareGroup(0, "a", "C5")) == "9.1.1"
    assert offered(game, DeclareGroup) == set()


@rule("9.1.1", "12.4.3")
def test_9_1_1_nobody_joins_whose_place_a_stronger_one_has_to_take() -> None:
    """Two may fire: 1 and 1 against 10 are 1:5 for good, 1 and 3 are 1:3."""
    weak, strong = battery(attack=1), battery(attack=3)
    game = draw(step="indirect", indirect=[{**BARRAGE, "most": 2}], a=weak, b=weak, c=strong, eyes=EYES, x=ENEMY)
    play(game, DeclareGroup(0, "a", "C5"))
    assert refused(game, AddFirer("b")) == "9.1.1"
    assert offered(game, AddFirer) == {AddFirer("c")}
    play(game, AddFirer("c"), Confirm())


@rule("9.1.1", "12.3")
def test_9_1_1_one_enemy_that_it_comes_to_one_to_four_against_is_enough() -> None:
    """One and one are 1:3 against 5 and nothing against 10, which is not rolled for."""
    weak, frail = battery(attack=1), soviet("rifle-43-soviet", "C5", attack=0, defence=5, points=1)
    game = draw(step="indirect", indirect=[PARTY], a=weak, b=weak, eyes=EYES, x={**ENEMY, "points": 1}, y=frail)
    play(game, DeclareGroup(0, "a", "C5"), AddFirer("b"), Confirm())
    events = play(game, EndSegment(), dice=[6])
    assert [calculation.column for calculation in calculations(events)] == ["1:3"]
    assert [event.rule for event in events].count("9.1.1") == 1


@rule("9.1.1", "9.6.2")
def test_9_1_1_what_is_shown_beforehand_is_the_first_attack_that_will_be_rolled() -> None:
    """Two are 1:5 against the unit on top and 1:3 against the one beneath."""
    top, frail = {**ENEMY, "points": 1}, soviet("rifle-43-soviet", "C5", attack=0, defence=5, points=1)
    game = draw(step="indirect", a={**MORTAR, "attack": 2}, eyes=EYES, x=top, y=frail)
    assert preview(game, DeclareFire("a", "C5", "hip")).column == "1:3"
    weak = battery(attack=1)
    game = draw(step="indirect", indirect=[PARTY], a=weak, b=weak, eyes=EYES, x=top, y=frail)
    play(game, DeclareGroup(0, "a", "C5"), AddFirer("b"))
    assert preview(game, Confirm()).column == "1:3"


@rule("9.6.2")
def test_9_6_2_beforehand_there_is_a_calculation_for_each_unit_that_is_rolled_for() -> None:
    """Six are 1:1 against 6 and 2:1 against 3."""
    top, beneath = (
        soviet("rifle-43-soviet", "C5", defence=6, points=1),
        soviet("rifle-43-soviet", "C5", defence=3, points=1),
    )
    game = draw(step="indirect", a={**MORTAR, "attack": 6}, eyes=EYES, x=top, y=beneath)
    found = game.ruleset.preview(game.sight("german"), game.stack[-1], DeclareFire("a", "1-C5", "hip"))
    assert isinstance(found, Cases)
    assert {str(words): calculation.column for words, calculation in found.cases} == {
        "Against x": "1:1",
        "Against y": "2:1",
    }


@rule("9.1.1")
def test_9_1_1_a_declared_target_below_one_to_four_says_so() -> None:
    frail = soviet("rifle-43-soviet", "C5", attack=0, defence=4, points=1)
    game = draw(step="indirect", a={**MORTAR, "attack": 1}, eyes=EYES, x={**ENEMY, "points": 1}, y=frail)
    play(game, DeclareFire("a", "C5", "hip"))
    (mission,) = game.view("german")["missions"]
    assert {name: target["note"] for target in mission["targets"] for name in target["units"]} == {
        "x": "below 1:4, no effect",
        "y": "",
    }


# --- 12.5 from the hip --------------------------------------------------------------------------------------


@rule("12.5", "15.6")
@pytest.mark.parametrize(("kind", "more"), [("mortar-81-german", 1), ("how-105-german", 2)])
def test_12_5_one_more_on_the_die_for_mortars_two_for_howitzers(kind: str, more: int) -> None:
    board = "\n".join([". . . . ."] * 2 + [". . w . ."] + [". . . . ."] * 4)
    units = {"eyes": german("cp-german", "C7"), "x": ENEMY}
    game = draw(board, step="indirect", a=german(kind, "C1", attack=20), **units)
    calculation = preview(game, DeclareFire("a", "C5", "hip"))
    assert amount(calculation, "12.5", "modifier") == more
    assert calculation.modifier == more
    game = draw(board, step="indirect", a=german(kind, "C1", attack=20, registered="C5"), **units)
    assert preview(game, DeclareFire("a", "C5", "registered")).modifier == 0
    assert refused(game, DeclareFire("a", "C5", "hip")) == "12.5"


@rule("12.5", "12.1")
def test_12_5_without_a_marker_it_is_the_only_way() -> None:
    game = draw(step="indirect", a=MORTAR, eyes=EYES, x=ENEMY)
    assert refused(game, DeclareFire("a", "C5", "registered")) == "12.1"
    assert offered(game, DeclareFire) == {DeclareFire("a", "1-C5", "hip")}
    assert amount(preview(game, DeclareFire("a", "C5", "hip")), "12.5") == 1


@rule("12.5")
def test_12_5_within_range_and_at_a_spotted_hex() -> None:
    game = draw(
        step="indirect", a=german("mortar-81-german", "C1", range=3), eyes=EYES, x=ENEMY, y=soviet("cp-soviet", "C4")
    )
    assert refused(game, DeclareFire("a", "C5", "hip")) == "2.0-G08"
    assert allowed(game, DeclareFire("a", "C4", "hip"))
    assert amount(preview(game, DeclareFire("a", "C4", "hip")), "12.5") == 1


@rule("12.5.1")
def test_12_5_1_it_never_combines() -> None:
    game = draw(
        step="indirect",
        indirect=[BARRAGE],
        a=german("mortar-120-german", "C1"),
        b=german("mortar-120-german", "D1"),
        eyes=EYES,
        x=ENEMY,
    )
    assert refused(game, DeclareGroup(0, "a", "C5")) == "12.4.1"
    play(game, DeclareFire("a", "C5", "hip"))
    assert refused(game, DeclareFire("b", "C5", "hip")) == "9.4.2"
    events = play(game, EndSegment(), dice=[6])
    assert len(results(events)) == 1


@rule("12.5.2")
def test_12_5_2_the_firer_is_inverted_and_loses_its_marker_wherever_that_lies() -> None:
    game = draw(
        step="indirect",
        a={**MORTAR, "registered": "1-G5"},
        b=german("mortar-81-german", "B1", registered="E5"),
        eyes=EYES,
        x=ENEMY,
    )
    play(game, DeclareFire("a", "C5", "hip"), EndSegment(), dice=[6])
    assert game.state.registered == {"b": "1-E5"}
    assert (unit(game, "a").face_up, unit(game, "b").face_up) == (False, True)


@rule("12.5.2")
def test_12_5_2_a_registered_shot_keeps_the_marker() -> None:
    game = draw(step="indirect", a={**MORTAR, "registered": "1-C5"}, eyes=EYES, x=ENEMY)
    play(game, DeclareFire("a", "C5", "registered"), EndSegment(), dice=[6])
    assert game.state.registered == {"a": "1-C5"}
    hip = draw(step="indirect", a={**MORTAR, "registered": "1-G5"}, eyes=EYES, x=ENEMY)
    play(hip, DeclareFire("a", "C5", "hip"), EndSegment(), dice=[6])
    assert hip.state.registered == {}


@rule("12.5.3")
@pytest.mark.parametrize(
    ("observer", "answer"),
    [("rifle-42-german", None), ("cp-german", None), ("hmg-german", "12.2"), ("pz-iv-h", "12.2")],
)
def test_12_5_3_any_eligible_observer(observer: str, answer: str | None) -> None:
    game = draw(step="indirect", a=MORTAR, who=german(observer, "C1"), x=ENEMY)
    if answer:
        assert refused(game, DeclareFire("a", "C5", "hip")) == answer
    else:
        assert allowed(game, DeclareFire("a", "C5", "hip"))


# --- 12.6 headroom ------------------------------------------------------------------------------------------


@rule("12.6")
@pytest.mark.parametrize(
    ("target", "more"),
    [("half-track-soviet", -1), ("bm-13", -1), ("t-34-76", None), ("truck-soviet", None), ("how-122-soviet", None)],
)
def test_12_6_open_vehicles_suffer_more_from_indirect_fire(target: str, more: int | None) -> None:
    units = {
        "a": german("mortar-120-german", "C1", attack=40, registered="C5"),
        "eyes": EYES,
        "x": soviet(target, "C5", attack=0),
    }
    fire = DeclareFire("a", "C5", "registered")
    assert amount(preview(draw(step="indirect", options=["12.6"], **units), fire), "12.6", "modifier") == more
    assert amount(preview(draw(step="indirect", **units), fire), "12.6") is None


@rule("12.6")
def test_12_6_direct_fire_is_not_changed() -> None:
    shells = draw(
        step="indirect",
        options=["12.6"],
        a=german("mortar-120-german", "C1", attack=40, registered="C5"),
        eyes=EYES,
        x=soviet("half-track-soviet", "C5"),
    )
    assert amount(preview(shells, DeclareFire("a", "C5", "registered")), "12.6") == -1
    direct = draw(options=["12.6"], a=german("pz-iv-h", "C1"), x=soviet("half-track-soviet", "C5"))
    assert amount(preview(direct, Attack("a", "x")), "12.6") is None


@rule("12.5.1")
@pytest.mark.parametrize(("firer", "calibre"), [("mortar-81-german", 81), ("mortar-120-german", 120)])
def test_12_5_1_a_barrage_tells_the_calibre_of_its_mortars(firer: str, calibre: int) -> None:
    game = draw(step="indirect", a=german(firer, "C1"), eyes=EYES, x=ENEMY)
    events = play(game, DeclareFire("a", "C5", "hip"), EndSegment(), dice=[6])
    assert [event.calibre for event in events if event.kind == "fired"] == [calibre]
