"""Direct fire [9.5]."""

from __future__ import annotations

import pytest

from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.direct import AddFirer, Attack, Fire
from rules.case_orange.drawing import (
    allowed,
    amount,
    calculations,
    draw,
    full,
    german,
    kinds,
    marker,
    offered,
    play,
    preview,
    refused,
    results,
    rule,
    soviet,
    unit,
)

# --- 9.5.1 armour -------------------------------------------------------------------------------------------


@rule("9.5.1")
def test_9_5_1_armour_is_fired_at_by_one_unit_alone() -> None:
    game = draw(a=german("pz-iv-h", "C1"), b=german("pz-iv-h", "C1"), x=soviet("t-34-76", "C4"))
    play(game, Attack("a", "x"))
    assert refused(game, AddFirer("b")) == "9.5.1"
    assert offered(game, AddFirer) == set()


@rule("9.5.1")
def test_9_5_1_a_second_unit_makes_an_attack_of_its_own() -> None:
    game = draw(a=german("pz-iv-h", "C1"), b=german("pz-iv-h", "C1"), x=soviet("t-34-76", "C4"))
    play(game, Attack("a", "x"), Fire(), dice=[6])
    assert allowed(game, Attack("b", "x"))
    play(game, Attack("b", "x"))
    assert refused(game, AddFirer("a")) == "9.5.1"


@rule("9.5.1")
def test_9_5_1_a_half_track_counts_as_armour_and_a_truck_does_not() -> None:
    """Class C(I) stands with the armoured vehicles in 15.4."""
    for kind, answer in (("half-track-soviet", "9.5.1"), ("truck-soviet", None)):
        game = draw(a=german("pz-iv-h", "C1"), b=german("pz-iv-h", "C1"), x=soviet(kind, "C4"))
        play(game, Attack("a", "x"))
        assert (refused(game, AddFirer("b")) if answer else None) == answer
        assert answer or allowed(game, AddFirer("b"))


@rule("2.0-G08", "9.5.1")
@pytest.mark.parametrize(("hex", "answer"), [("C7", None), ("C8", "2.0-G08")])
def test_9_5_1_within_range(hex: str, answer: str | None) -> None:
    game = draw(a=german("pz-iv-h", "C1", range=6), b=german("pz-iv-h", "C1", range=8), x=soviet("t-34-76", hex))
    if answer:
        assert refused(game, Attack("a", "x")) == answer
    else:
        play(game, Attack("a", "x"))
        assert refused(game, AddFirer("b")) == "9.5.1"


# --- 9.5.2 everything else ----------------------------------------------------------------------------------


@rule("9.5.2")
def test_9_5_2_any_number_of_units_fire_together_at_anything_else() -> None:
    game = draw(
        a=german("pz-iv-h", "C1", attack=5),
        b=german("pz-iv-h", "D1", attack=5),
        c=german("rifle-42-german", "C4", attack=3),
        x=soviet("rifle-43-soviet", "C5", defence=7),
    )
    events = play(game, Attack("a", "x"), AddFirer("b"), AddFirer("c"), Fire(), dice=[1])
    assert calculations(events)[0].column == "1:1"
    assert results(events) == ["DD"]
    assert not any(unit(game, name).face_up for name in "abc")


@rule("9.5.2")
def test_9_5_2_each_factor_is_adjusted_and_rounded_by_itself() -> None:
    """Two of 5 in class A are 2 and 2 against infantry, not 10 halved."""
    game = draw(
        a=german("pz-iv-h", "C1", attack=5),
        b=german("pz-iv-h", "D1", attack=5),
        x=soviet("rifle-43-soviet", "C4", defence=5),
    )
    play(game, Attack("a", "x"))
    calculation = preview(game, AddFirer("b"))
    assert [line.amount for line in calculation.lines if line.kind == "attack"] == [2, 2]
    assert calculation.column == "1:2"


@rule("9.5.2")
def test_9_5_2_whoever_joins_must_be_able_to_hit_the_target_himself() -> None:
    game = draw(
        a=german("stug-iii-b", "C1", attack=10),
        far=german("rifle-42-german", "C8", range=2),
        spent=german("stug-iii-b", "D1", face_up=False),
        shaken=german("stug-iii-b", "E1", dispersed="D", face_up=False),
        tube=german("mortar-81-german", "B1"),
        x=soviet("rifle-43-soviet", "C4"),
    )
    play(game, Attack("a", "x"))
    assert refused(game, AddFirer("far")) == "2.0-G08"
    assert refused(game, AddFirer("spent")) == "2.0-G09"
    assert refused(game, AddFirer("shaken")) == "2.0-G07"
    assert refused(game, AddFirer("tube")) == "9.6.3"
    assert refused(game, AddFirer("a")) == "procedure"
    assert offered(game, AddFirer) == set()
    ready = draw(
        a=german("stug-iii-b", "C1", attack=10), near=german("rifle-42-german", "C3"), x=soviet("rifle-43-soviet", "C4")
    )
    play(ready, Attack("a", "x"))
    assert offered(ready, AddFirer) == {AddFirer("near")}


@rule("9.5.2", "8.0", "2.0-G14")
def test_9_5_2_an_unspotted_unit_in_cover_is_no_target() -> None:
    """From the slope the village can be seen into; without a marker the unit in it is not known."""
    board = ". . s . .\n. . . . .\n. . v . ."
    game = draw(board, a=german("stug-iii-b", "C1", attack=30), x=soviet("rifle-43-soviet", "C3"))
    assert refused(game, Attack("a", "x")) == "2.0-G14"
    game = draw(board, a=german("stug-iii-b", "C1", attack=30), x=soviet("rifle-43-soviet", "C3", spotted="spotted"))
    assert allowed(game, Attack("a", "x"))
    play(game, Attack("a", "x"))
    assert allowed(game, Fire())


# --- 9.5.3 fortifications -----------------------------------------------------------------------------------


@rule("9.5.3")
def test_9_5_3_tanks_in_an_unbreached_fortification_are_no_target_and_it_takes_any_number_of_firers() -> None:
    units = {
        "a": german("stug-iii-b", "C1", attack=10),
        "b": german("stug-iii-b", "C1", attack=10),
        "x": soviet("t-34-76", "C4", below="fort"),
    }
    game = draw(markers=[marker("fort", "C4", value="10/5")], **units)
    assert refused(game, Attack("a", "x")) == "10.4.1"
    play(game, Attack("a", "fort@1-C4"), AddFirer("b"))
    assert allowed(game, Fire())
    breached = draw(markers=[marker("fort", "C4", value="10/5", side="breached")], **units)
    play(breached, Attack("a", "x"))
    assert refused(breached, AddFirer("b")) == "9.5.1"


# --- the procedure ------------------------------------------------------------------------------------------


@rule("9.5-P1")
def test_9_5_P1_one_attack_is_declared_at_a_time() -> None:
    game = draw(
        a=german("stug-iii-b", "C1"),
        b=german("stug-iii-b", "D1"),
        x=soviet("rifle-43-soviet", "C4"),
        y=soviet("rifle-43-soviet", "E4"),
    )
    play(game, Attack("a", "x"))
    assert refused(game, Attack("b", "y")) == "procedure"
    play(game, Fire(), dice=[6])
    assert allowed(game, Attack("b", "y"))


@rule("9.5-P2")
def test_9_5_P2_the_defence_of_the_target_alone_is_used() -> None:
    game = draw(
        a=german("pz-iv-h", "C1", attack=12, range=8),
        x=soviet("t-34-76", "C6", defence=5, points=1),
        y=soviet("t-34-76", "C6", defence=9, points=1),
    )
    calculation = preview(game, Attack("a", "x"))
    assert [line.amount for line in calculation.lines if line.kind == "defence"] == [5]
    assert calculation.column == "2:1"


@rule("9.5-P3")
def test_9_5_P3_the_ratio_is_rolled_and_applied() -> None:
    game = draw(a=german("pz-iv-h", "C1", attack=12, range=8), x=soviet("t-34-76", "C6", defence=5))
    events = play(game, Attack("a", "x"), Fire(), dice=[4])
    assert results(events) == ["D"]
    assert kinds(events) == ["fired", "dispersed"]
    assert unit(game, "x").dispersed == "D"


@rule("9.5-P4", "4.2-C4")
def test_9_5_P4_the_next_attack_or_the_end() -> None:
    game = draw(
        a=german("stug-iii-b", "C1"),
        b=german("stug-iii-b", "D1"),
        x=soviet("rifle-43-soviet", "C4"),
    )
    play(game, Attack("a", "x"), Fire(), dice=[6])
    assert offered(game, Attack) == {Attack("b", "x"), Attack("b", "x", False)}
    assert refused(game, Attack("a", "x")) == "2.0-G09"
    play(game, EndSegment())
    assert game.stack[-1].step == "vehicle"


@rule("9.5-P4")
def test_9_5_P4_the_next_attack_meets_what_the_last_one_left() -> None:
    game = draw(
        a=german("stug-iii-b", "C1", attack=20),
        b=german("stug-iii-b", "D1", attack=20),
        x=soviet("rifle-43-soviet", "C4", defence=10),
    )
    play(game, Attack("a", "x"), Fire(), dice=[4])  # 2:1, 4: D
    assert unit(game, "x").dispersed == "D"
    assert amount(preview(game, Attack("b", "x")), "2.0-G07") == -1
    events = play(game, Attack("b", "x"), Fire(), dice=[4])  # 3: DD
    assert results(events) == ["DD"]
    assert unit(game, "x").dispersed == "DD"


@rule("2.0-G09")
@pytest.mark.parametrize(
    ("state", "answer"),
    [({}, None), ({"face_up": False}, "2.0-G09"), ({"dispersed": "D", "face_up": False}, "2.0-G07")],
)
def test_9_5_only_eligible_units_fire(state: dict[str, object], answer: str | None) -> None:
    game = draw(a=german("stug-iii-b", "C1", **state), x=soviet("rifle-43-soviet", "C4"))
    if answer:
        assert refused(game, Attack("a", "x")) == answer
    else:
        assert allowed(game, Attack("a", "x"))
        dead = draw(a=german("stug-iii-b", "C1", face_up=False), x=soviet("rifle-43-soviet", "C4"))
        assert refused(dead, Attack("a", "x")) == "2.0-G09"


@rule("9.5.1", "15.4")
def test_9_5_infantry_cannot_hurt_armour_by_fire() -> None:
    game = draw(a=german("rifle-42-german", "C1", attack=30), x=soviet("t-34-76", "C2"), y=soviet("at-45", "D2"))
    assert refused(game, Attack("a", "x")) == "15.4"
    assert allowed(game, Attack("a", "y"))
    tank = draw(a=german("pz-iv-h", "C1"), b=german("pz-iv-h", "C1"), x=soviet("t-34-76", "C2"))
    play(tank, Attack("a", "x"))
    assert refused(tank, AddFirer("b")) == "9.5.1"


def test_9_5_one_shoots_at_enemies_only() -> None:
    game = draw(a=german("stug-iii-b", "C1"), b=german("rifle-42-german", "C3"), x=soviet("rifle-43-soviet", "C4"))
    assert refused(game, Attack("a", "b")) == "procedure"
    assert refused(game, Attack("x", "a")) == "procedure"
    assert full("C3") == unit(game, "b").hex
