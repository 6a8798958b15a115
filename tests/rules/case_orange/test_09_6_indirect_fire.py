"""Indirect fire [9.6]: who, at what, in which order."""

from __future__ import annotations

import pytest

from opfire.core.texts import spoken, translation
from opfire.rulesets.case_orange import RULESET
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.direct import Attack, Fire
from opfire.rulesets.case_orange.indirect import AddFirer, Confirm, DeclareFire, DeclareGroup
from opfire.rulesets.case_orange.registration import Aim, Register
from rules.case_orange.drawing import (
    allowed,
    amount,
    calculations,
    draw,
    german,
    offered,
    play,
    preview,
    refused,
    results,
    rule,
    soviet,
    unit,
)

BEHIND_WOODS = """
. . . . .
. . w . .
. . . . .
. . . . .
. . . . .
"""
"""C2 is woods: C1 and C4 do not see each other."""


@rule("9.6", "2.0-G11")
@pytest.mark.parametrize(("kind", "answer"), [("pz-iv-h", "2.0-G11"), ("rifle-42-german", "2.0-G11")])
def test_9_6_other_classes_do_not_fire_indirectly(kind: str, answer: str) -> None:
    game = draw(
        step="indirect", a=german(kind, "C1"), eyes=german("cp-german", "C2"), x=soviet("rifle-43-soviet", "C4")
    )
    assert refused(game, DeclareFire("a", "C4", "hip")) == answer


@rule("9.6")
def test_9_6_howitzers_and_mortars_do_when_they_do_not_see_the_target() -> None:
    for kind in ("how-105-german", "mortar-120-german"):
        game = draw(
            BEHIND_WOODS,
            step="indirect",
            a=german(kind, "C1"),
            eyes=german("cp-german", "C3"),
            x=soviet("rifle-43-soviet", "C4"),
        )
        assert allowed(game, DeclareFire("a", "C4", "hip"))
        events = play(game, DeclareFire("a", "C4", "hip"), EndSegment(), dice=[6])
        assert calculations(events)[0].rule == "9.6"


@rule("9.6.3", "9.6")
def test_9_6_3_a_howitzer_that_sees_the_target_fires_directly_a_mortar_does_not() -> None:
    units = {"eyes": german("cp-german", "C3"), "x": soviet("rifle-43-soviet", "C4")}
    game = draw(step="indirect", a=german("how-105-german", "C1"), m=german("mortar-120-german", "C1"), **units)
    assert refused(game, DeclareFire("a", "C4", "hip")) == "9.6.3"
    assert allowed(game, DeclareFire("m", "C4", "hip"))
    game = draw(a=german("how-105-german", "C1"), m=german("mortar-120-german", "C1"), **units)
    assert allowed(game, Attack("a", "x"))
    assert refused(game, Attack("m", "x")) == "9.6.3"


@rule("9.6.3")
@pytest.mark.parametrize("target", ["rifle-43-soviet", "t-34-76", "truck-soviet"])
@pytest.mark.parametrize("hexes", [1, 7])
def test_9_6_3_half_the_printed_factor_against_every_target_at_every_range(target: str, hexes: int) -> None:
    """41 is 20, however far and whatever it is: the chart's own halves are not taken again."""
    game = draw(a=german("how-105-german", "C1", attack=41, range=12), x=soviet(target, f"C{1 + hexes}"))
    calculation = preview(game, Attack("a", "x"))
    assert [line.amount for line in calculation.lines if line.kind == "attack"] == [20]
    assert amount(calculation, "9.6.3", "factor") == 0


@rule("9.6.3")
def test_9_6_3_one_unit_of_the_hex_only() -> None:
    game = draw(
        a=german("how-105-german", "C1", attack=80),
        x=soviet("rifle-43-soviet", "C4", defence=5, points=1),
        y=soviet("rifle-43-soviet", "C4", defence=5, points=1),
    )
    calculation = preview(game, Attack("a", "x"))
    assert [line.amount for line in calculation.lines if line.kind == "defence"] == [5]
    assert [line.amount for line in calculation.lines if line.kind == "attack"] == [40]


TWO = {
    "foot": soviet("rifle-43-soviet", "C4", defence=4, points=1),
    "tank": soviet("t-34-76", "C4", defence=10, points=1),
}


@rule("9.6.2")
def test_9_6_2_every_enemy_unit_of_the_hex_has_its_own_factor_and_roll() -> None:
    """20 against infantry, half of it against armour; 5:1 is 4:1, and 10 to 10 is 1:1."""
    game = draw(
        BEHIND_WOODS,
        step="indirect",
        a=german("mortar-120-german", "C1", attack=20, registered="C4"),
        eyes=german("cp-german", "C3"),
        **TWO,
    )
    events = play(game, DeclareFire("a", "C4", "registered"), EndSegment(), dice=[1, 5])
    found = {
        tuple(line.amount for line in each.lines if line.kind in ("attack", "defence")): each.column
        for each in calculations(events)
    }
    assert found == {(20, 4): "4:1", (10, 10): "1:1"}
    assert len(results(events)) == 2


@rule("9.6.2")
def test_9_6_2_each_result_falls_on_its_own_unit() -> None:
    game = draw(
        BEHIND_WOODS,
        step="indirect",
        a=german("mortar-120-german", "C1", attack=20, registered="C4"),
        eyes=german("cp-german", "C3"),
        x=soviet("rifle-43-soviet", "C4", defence=20, points=1, name="x"),
        y=soviet("rifle-43-soviet", "C4", defence=20, points=1, name="y"),
    )
    play(game, DeclareFire("a", "C4", "registered"), EndSegment(), dice=[1, 6])  # 1:1: DD and nothing
    assert sorted(unit(game, name).dispersed for name in "xy") == ["", "DD"]


@rule("9.6.1")
def test_9_6_1_single_attacks_on_a_hex_do_not_add_up() -> None:
    game = draw(
        BEHIND_WOODS,
        step="indirect",
        a=german("mortar-81-german", "C1", registered="C4"),
        b=german("mortar-81-german", "B1"),
        eyes=german("cp-german", "C3"),
        **TWO,
    )
    play(game, DeclareFire("a", "C4", "registered"))
    assert refused(game, DeclareFire("b", "C4", "hip")) == "9.4.2"
    assert offered(game, DeclareFire) == set()


@rule("9.6.1")
def test_9_6_1_an_aggregate_is_rolled_against_each_unit() -> None:
    """Two of 10 make 20 together: 20 and half of it, as in 9.6.2."""
    group = {"side": "german", "kind": "party-line", "units": ["mortar-120-german"], "observers": ["cp-german"]}
    game = draw(
        BEHIND_WOODS,
        step="indirect",
        indirect=[group],
        a=german("mortar-120-german", "C1", attack=10, registered="C4"),
        b=german("mortar-120-german", "B1", attack=10, registered="C4"),
        eyes=german("cp-german", "C3"),
        **TWO,
    )
    play(game, DeclareGroup(0, "a", "C4"), AddFirer("b"), Confirm())
    assert refused(game, DeclareFire("a", "C4", "registered")) == "9.4.1"
    events = play(game, EndSegment(), dice=[6, 6])
    attacks = [line.amount for each in calculations(events) for line in each.lines if line.kind == "attack"]
    assert sorted(attacks) == [10, 20]


@rule("9.6.4")
def test_9_6_4_firers_are_inverted_party_line_and_barrage_included() -> None:
    group = {"side": "german", "kind": "barrage", "units": ["mortar-120-german"], "observers": ["cp-german"]}
    game = draw(
        BEHIND_WOODS,
        step="indirect",
        indirect=[group],
        a=german("mortar-120-german", "C1", attack=10, registered="C4"),
        b=german("mortar-120-german", "B1", attack=10),
        c=german("mortar-120-german", "A1"),
        eyes=german("cp-german", "C3"),
        **TWO,
    )
    play(game, DeclareGroup(0, "a", "C4"), AddFirer("b"), Confirm(), EndSegment(), dice=[6, 6])
    assert [unit(game, name).face_up for name in ("a", "b", "c")] == [False, False, True]


@rule("9.6.5")
def test_9_6_5_registered_then_party_line_then_barrage_then_hip() -> None:
    """Declared the other way round; each weapon has its own factor, by which the rolls are known."""
    groups = [
        {"side": "german", "kind": "party-line", "units": ["mortar-120-german"], "observers": ["cp-german"]},
        {"side": "german", "kind": "barrage", "units": ["mortar-81-german"], "observers": ["cp-german"]},
    ]
    game = draw(
        step="indirect",
        indirect=groups,
        hip=german("mortar-160-soviet", "A1", attack=40),
        single=german("mortar-160-soviet", "B1", attack=50, registered="A7"),
        p1=german("mortar-120-german", "C1", attack=15, registered="C7"),
        p2=german("mortar-120-german", "D1", attack=15, registered="C7"),
        b1=german("mortar-81-german", "E1", attack=10, range=20, registered="E7"),
        b2=german("mortar-81-german", "F1", attack=10, range=20),
        eyes=german("cp-german", "D4"),
        w=soviet("rifle-43-soviet", "A7"),
        x=soviet("rifle-43-soviet", "C7"),
        y=soviet("rifle-43-soviet", "E7"),
        z=soviet("rifle-43-soviet", "G7"),
    )
    play(game, DeclareFire("hip", "G7", "hip"))
    play(game, DeclareGroup(1, "b1", "E7"), AddFirer("b2"), Confirm())
    play(game, DeclareGroup(0, "p1", "C7"), AddFirer("p2"), Confirm())
    play(game, DeclareFire("single", "A7", "registered"))
    events = play(game, EndSegment(), dice=[6, 6, 6, 6])
    attacks = [line.amount for each in calculations(events) for line in each.lines if line.kind == "attack"]
    assert attacks == [50, 30, 20, 40]
    assert game.stack[-1].step == "registration"


@rule("9.6.6", "4.2-C3")
def test_9_6_6_each_eligible_unit_may_place_or_move_its_marker() -> None:
    game = draw(
        step="registration",
        a=german("mortar-81-german", "C1", registered="C4"),
        b=german("mortar-81-german", "D1", face_up=False),
        eyes=german("cp-german", "C2"),
        x=soviet("rifle-43-soviet", "E4"),
    )
    assert offered(game, Aim) == {Aim("a")}
    assert refused(game, Aim("b")) == "2.0-G09"
    play(game, Aim("a"), Register("E4"))
    assert game.state.registered == {"a": "1-E4"}
    play(game, EndSegment())
    assert game.stack[-1].step == "direct"


@rule("9.6.3")
def test_9_6_3_the_direct_attack_inverts_the_howitzer_like_any_other() -> None:
    game = draw(a=german("how-105-german", "C1", attack=40), x=soviet("rifle-43-soviet", "C4", defence=10))
    events = play(game, Attack("a", "x"), Fire(), dice=[4])  # 20 to 10
    assert results(events) == ["D"]
    assert amount(calculations(events)[0], "9.6.3") == 0
    assert not unit(game, "a").face_up


@rule("4.2-C2", "9.4.1")
def test_4_2_C2_declared_fire_is_shown_with_its_chances_until_it_falls() -> None:
    game = draw(
        BEHIND_WOODS,
        step="indirect",
        a=german("how-105-german", "C1"),
        eyes=german("cp-german", "C3"),
        x=soviet("rifle-43-soviet", "C4"),
    )
    assert game.view("german")["missions"] == []
    shown = preview(game, DeclareFire("a", "C4", "hip"))
    play(game, DeclareFire("a", "C4", "hip"))
    [mission] = game.view("german")["missions"]
    [target] = mission["targets"]
    assert mission["text"].endswith("from the hip")
    with spoken(translation("de", RULESET.package)):
        [mission] = game.view("german")["missions"]
    assert " schießt auf " in mission["text"]
    assert mission["text"].endswith(" aus der Hüfte")
    assert target["calculation"]["chances"] == shown.to_json()["chances"]
    assert [each["place"] for each in game.view("soviet")["markers"] if each["kind"] == "mission"] == [mission["place"]]
    play(game, EndSegment(), dice=[6])
    assert game.view("german")["missions"] == []
