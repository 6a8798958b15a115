"""Combat: what an attack needs, elevation, terrain, declaring [9.0 to 9.4]."""

from __future__ import annotations

import pytest

from opfire.core.events import Calculation
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.assault import Assault, RollAssault
from opfire.rulesets.case_orange.direct import AddFirer, Attack, Fire
from opfire.rulesets.case_orange.indirect import DeclareFire
from opfire.rulesets.case_orange.overrun import Overrun, RideThrough, StartOverrun
from rules.case_orange.drawing import (
    CLEAR,
    allowed,
    amount,
    calculations,
    draw,
    german,
    play,
    preview,
    refused,
    results,
    rule,
    soviet,
    unit,
)

NO_SHIFT = None


def defences(calculation: Calculation) -> list[int]:
    """The defence factors that are added up, the smallest first."""
    return sorted(line.amount for line in calculation.lines if line.kind == "defence")


def column_down(c1: str, c2: str, c3: str, *more: str) -> str:
    """A board of five columns whose column C has these tokens, all else clear."""
    return "\n".join(f". . {token} . ." for token in (c1, c2, c3, *more))


# --- 9.0, 9.1 -----------------------------------------------------------------------------------------------


@rule("9.0")
def test_9_0_only_the_defender_of_a_direct_attack_can_suffer() -> None:
    """At 1:4 a six is X in grey, which nobody but an assaulter suffers."""
    game = draw(gun=german("stug-iii-b", "C1", attack=3), foot=soviet("rifle-43-soviet", "C3", defence=12))
    events = play(game, Attack("gun", "foot"), Fire(), dice=[6])
    assert calculations(events)[0].column == "1:4"
    assert results(events) == ["none"]
    assert unit(game, "gun").dispersed == ""
    assert unit(game, "gun").hex == "1-C1"


@rule("9.0")
def test_9_0_assaults_are_the_exception() -> None:
    game = draw(
        step="assault",
        foot=german("rifle-42-german", "C1", attack=4),
        x=soviet("rifle-43-soviet", "C2", defence=16),
    )
    events = play(game, Assault("foot", "C2"), RollAssault(), dice=[6])
    assert results(events) == ["own D"]  # 6 - 2 at 1:4
    assert unit(game, "foot").dispersed == "D"
    assert unit(game, "x").dispersed == ""


@rule("9.1.1")
@pytest.mark.parametrize(("defence", "answer"), [(11, None), (12, None), (13, "9.1.1")])
def test_9_1_1_three_attacks_twelve_but_not_thirteen(defence: int, answer: str | None) -> None:
    game = draw(gun=german("stug-iii-b", "C1", attack=3), foot=soviet("rifle-43-soviet", "C3", defence=defence))
    if answer is None:
        assert allowed(game, Attack("gun", "foot"))
    else:
        assert refused(game, Attack("gun", "foot")) == answer


@rule("9.1.1")
def test_9_1_1_the_adjusted_factor_counts() -> None:
    """Class A has half its factor against infantry: 5 is 2, and 2 to 9 is less than 1:4."""
    game = draw(tank=german("pz-iv-h", "C1", attack=5), foot=soviet("rifle-43-soviet", "C3", defence=9))
    assert refused(game, Attack("tank", "foot")) == "9.1.1"
    game = draw(tank=german("pz-iv-h", "C1", attack=5), foot=soviet("rifle-43-soviet", "C3", defence=8))
    assert allowed(game, Attack("tank", "foot"))


@rule("9.1.1")
def test_9_1_1_looks_at_the_odds_before_any_shift() -> None:
    """Two columns downhill do not make an attack of 3 to 13 possible; two uphill do not forbid one of 3 to 12."""
    downhill = column_down("h", ".", ".")
    game = draw(downhill, gun=german("stug-iii-b", "C1", attack=3), foot=soviet("rifle-43-soviet", "C3", defence=13))
    assert refused(game, Attack("gun", "foot")) == "9.1.1"
    uphill = column_down(".", ".", "h")
    game = draw(uphill, gun=german("stug-iii-b", "C1", attack=3), foot=soviet("rifle-43-soviet", "C3", defence=12))
    assert allowed(game, Attack("gun", "foot"))
    assert preview(game, Attack("gun", "foot")).column == "1:4"


@rule("9.1.1")
def test_9_1_1_an_attack_begun_in_hope_of_help_cannot_be_rolled_without_it() -> None:
    game = draw(
        one=german("stug-iii-b", "C1", attack=2),
        other=german("stug-iii-b", "D1", attack=2),
        foot=soviet("rifle-43-soviet", "C3", defence=16),
    )
    play(game, Attack("one", "foot"))
    assert refused(game, Fire()) == "9.1.1"
    play(game, AddFirer("other"))
    assert allowed(game, Fire())


@rule("9.1.1")
@pytest.mark.parametrize(("attack", "answer"), [(4, None), (3, "9.1.1")])
def test_9_1_1_indirect_fire_needs_one_target_it_reaches(attack: int, answer: str | None) -> None:
    """4 to 16 is 1:4; at the tank the mortar has but 2, and does not roll."""
    game = draw(
        step="indirect",
        mortar=german("mortar-81-german", "C1", attack=attack, registered="C5"),
        eyes=german("cp-german", "C2"),
        foot=soviet("rifle-43-soviet", "C5", defence=16, points=1),
        tank=soviet("t-34-76", "C5", defence=9, points=1),
    )
    if answer:
        assert refused(game, DeclareFire("mortar", "C5", "registered")) == answer
    else:
        events = play(game, DeclareFire("mortar", "C5", "registered"), EndSegment(), dice=[6])
        assert [each.column for each in calculations(events)] == ["1:4"]


# --- 9.2 elevation ------------------------------------------------------------------------------------------

NEAR = [
    (".", ".", "1:1"),
    (".", "s", "1:2"),
    (".", "h", "1:3"),
    ("s", ".", "2:1"),
    ("s", "s", "1:1"),
    ("s", "h", "1:2"),
    ("h", ".", "3:1"),
    ("h", "s", "2:1"),
    ("h", "h", "1:1"),
]


@rule("9.2.1", "9.9-P3")
@pytest.mark.parametrize(("firer", "target", "column"), NEAR)
def test_9_2_1_a_column_for_each_level_at_half_range_or_less(firer: str, target: str, column: str) -> None:
    board = column_down(firer, ".", target)
    game = draw(
        board,
        gun=german("stug-iii-b", "C1", attack=10, range=4),
        foot=soviet("rifle-43-soviet", "C3", defence=10),
    )
    assert preview(game, Attack("gun", "foot")).column == column


@rule("9.2.1")
def test_9_2_1_half_range_is_rounded_down() -> None:
    """Range 5 has half range 2; range 3 has 1, and two hexes are beyond it."""
    board = column_down(".", ".", "s")
    foot = soviet("rifle-43-soviet", "C3", defence=10)
    game = draw(board, gun=german("stug-iii-b", "C1", attack=10, range=5), foot=foot)
    assert preview(game, Attack("gun", "foot")).column == "1:2"
    game = draw(board, gun=german("stug-iii-b", "C1", attack=10, range=3), foot=foot)
    assert preview(game, Attack("gun", "foot")).column == "1:1"


@rule("9.2.1")
def test_9_2_1_holds_for_every_weapon_class_and_for_assaults() -> None:
    board = column_down(".", "s", ".")
    for kind in ("pz-iv-h", "rifle-42-german"):
        game = draw(board, x=german(kind, "C1", attack=10, range=4), foot=soviet("rifle-43-soviet", "C2", defence=5))
        assert amount(preview(game, Attack("x", "foot")), "9.2.1", "shift") == -1
    game = draw(
        board,
        step="assault",
        foot=german("rifle-42-german", "C1", attack=10),
        x=soviet("rifle-43-soviet", "C2", defence=10),
    )
    assert amount(preview(game, Assault("foot", "C2")), "9.2.1", "shift") == -1
    assert preview(game, Assault("foot", "C2")).column == "1:2"


@rule("9.2.2")
def test_9_2_2_no_shift_from_a_hilltop_to_the_slope_next_to_it() -> None:
    """The side between them is a hilltop side, no slope side; two hexes away the shift is there."""
    gun, foot = german("stug-iii-b", "C1", attack=10), soviet("rifle-43-soviet", "C2", defence=10)
    game = draw(column_down("h", "s", "."), gun=gun, foot=foot)
    assert amount(preview(game, Attack("gun", "foot")), "9.2.1") is NO_SHIFT
    game = draw(column_down("h", ".", "s"), gun=gun, foot={**foot, "at": "1-C3"})
    assert amount(preview(game, Attack("gun", "foot")), "9.2.1") == +1


@rule("9.2.2")
def test_9_2_2_across_the_slope_side_the_adjacent_slope_counts() -> None:
    gun, foot = german("stug-iii-b", "C1", attack=10), soviet("rifle-43-soviet", "C2", defence=10)
    game = draw(column_down(".", "s", "."), gun=gun, foot=foot)
    assert amount(preview(game, Attack("gun", "foot")), "9.2.1") == -1
    game = draw(column_down("s", "s", "."), gun=gun, foot=foot)
    assert amount(preview(game, Attack("gun", "foot")), "9.2.1") is NO_SHIFT


@rule("9.2.3")
@pytest.mark.parametrize("target", [".", "s", "h"])
def test_9_2_3_indirect_fire_knows_no_elevation(target: str) -> None:
    board = column_down(".", ".", target + "v" if target != "." else "v")
    game = draw(
        board,
        step="indirect",
        mortar=german("mortar-81-german", "C1", attack=10),
        eyes=german("cp-german", "C2"),
        foot=soviet("rifle-43-soviet", "C3", defence=10),
    )
    calculation = preview(game, DeclareFire("mortar", "C3", "hip"))
    assert calculation.column == "1:1"
    assert [line for line in calculation.lines if line.kind == "shift"] == []
    assert calculation.modifier == 2  # village 9.3.2, from the hip 12.5


# --- 9.3 terrain --------------------------------------------------------------------------------------------


def three_attacks(terrain: str) -> dict[str, int]:
    """The die modifiers of a direct attack, an indirect one (on a marker) and an assault into that terrain."""
    board = column_down(".", terrain, ".", ".")
    foot = soviet("rifle-43-soviet", "C2", defence=10)
    one = draw(board, gun=german("stug-iii-b", "C1", attack=10, range=1), foot=foot)
    two = draw(
        board,
        step="indirect",
        mortar=german("mortar-81-german", "C4", attack=10, registered="C2"),
        eyes=german("cp-german", "C1"),
        foot=foot,
    )
    three = draw(board, step="assault", x=german("rifle-42-german", "C1", attack=10), foot=foot)
    return {
        "direct": preview(one, Attack("gun", "foot")).modifier,
        "indirect": preview(two, DeclareFire("mortar", "C2", "registered")).modifier,
        "assault": preview(three, Assault("x", "C2")).modifier + 2,  # 9.7-P4 takes two off
    }


@rule("9.3.1")
@pytest.mark.parametrize("terrain", ["w", "b"])
def test_9_3_1_woods_and_broken_help_against_direct_fire_and_assault_only(terrain: str) -> None:
    assert three_attacks(terrain) == {"direct": 1, "indirect": 0, "assault": 1}
    assert three_attacks(".") == {"direct": 0, "indirect": 0, "assault": 0}


@rule("9.3.2")
@pytest.mark.parametrize("terrain", ["v", "t"])
def test_9_3_2_village_and_town_help_against_indirect_fire_too(terrain: str) -> None:
    assert three_attacks(terrain) == {"direct": 1, "indirect": 1, "assault": 1}


@rule("9.3.2")
def test_9_3_2_vehicles_enjoy_it_as_well() -> None:
    game = draw(column_down(".", "t", "."), gun=german("pz-iv-h", "C1"), tank=soviet("t-34-76", "C2"))
    assert amount(preview(game, Attack("gun", "tank")), "9.3.2") == 1


TOWN = column_down(".", "t", ".", ".")


@rule("9.3.3")
def test_9_3_3_all_non_vehicles_of_a_town_are_attacked_as_one() -> None:
    """8 and 2, doubled in town: 20 to 20 is 1:1. The tank is not among them."""
    game = draw(
        TOWN,
        x=german("rifle-42-german", "C1", attack=20),
        foot=soviet("rifle-43-soviet", "C2", defence=8, points=1),
        at=soviet("at-45", "C2", defence=2, points=1),
        tank=soviet("t-34-76", "C2", defence=9),
    )
    calculation = preview(game, Attack("x", "foot"))
    assert defences(calculation) == [4, 16]
    assert calculation.column == "1:1"
    assert "9.3.3" in {line.rule for line in calculation.lines}


@rule("9.3.3")
@pytest.mark.parametrize("named", ["foot", "at"])
def test_9_3_3_one_result_falls_on_all_of_them(named: str) -> None:
    game = draw(
        TOWN,
        gun=german("stug-iii-b", "C1", attack=40, range=1),
        foot=soviet("rifle-43-soviet", "C2", defence=8, points=1),
        at=soviet("at-45", "C2", defence=2, points=1),
        tank=soviet("t-34-76", "C2", points=1, weapon="H"),
    )
    events = play(game, Attack("gun", named), Fire(), dice=[4])  # 40 to 20, village +1: 5 at 2:1
    assert results(events) == ["D"]
    assert [unit(game, name).dispersed for name in ("foot", "at", "tank")] == ["D", "D", ""]


@rule("9.3.3")
def test_9_3_3_a_vehicle_of_the_town_is_attacked_alone() -> None:
    game = draw(
        TOWN,
        gun=german("pz-iv-h", "C1", attack=10, range=2),
        foot=soviet("rifle-43-soviet", "C2", points=1),
        tank=soviet("t-34-76", "C2", defence=10, weapon="H"),
    )
    calculation = preview(game, Attack("gun", "tank"))
    assert defences(calculation) == [10]
    assert "9.3.3" not in {line.rule for line in calculation.lines}


@rule("9.3.3")
def test_9_3_3_outside_town_and_position_each_is_a_target_by_itself() -> None:
    game = draw(
        gun=german("stug-iii-b", "C1", attack=10),
        foot=soviet("rifle-43-soviet", "C2", defence=8, points=1),
        at=soviet("at-45", "C2", defence=2, points=1),
    )
    assert defences(preview(game, Attack("gun", "foot"))) == [8]
    village = column_down(".", "v", ".")
    game = draw(
        village,
        gun=german("stug-iii-b", "C1", attack=10),
        foot=soviet("rifle-43-soviet", "C2", defence=8, points=1),
        at=soviet("at-45", "C2", defence=2, points=1),
    )
    assert defences(preview(game, Attack("gun", "foot"))) == [8]


@rule("9.3.3")
def test_9_3_3_below_a_position_all_are_attacked_as_one() -> None:
    game = draw(
        markers=[{"kind": "position", "at": "1-C2"}],
        gun=german("pz-iv-h", "C1", attack=20, range=8),
        foot=soviet("rifle-43-soviet", "C2", defence=8, points=1, below="position"),
        at=soviet("at-45", "C2", defence=2, points=1, below="position"),
        above=soviet("rifle-43-soviet", "C2", defence=5),
    )
    assert defences(preview(game, Attack("gun", "foot"))) == [2, 8]
    assert defences(preview(game, Attack("gun", "above"))) == [5]


@rule("9.3.3")
def test_9_3_3_indirect_fire_takes_them_one_by_one() -> None:
    game = draw(
        TOWN,
        step="indirect",
        mortar=german("mortar-81-german", "C4", attack=60, registered="C2"),
        eyes=german("cp-german", "C1"),
        foot=soviet("rifle-43-soviet", "C2", defence=8, points=1),
        at=soviet("at-45", "C2", defence=2, points=1),
    )
    events = play(game, DeclareFire("mortar", "C2", "registered"), EndSegment(), dice=[6, 6])
    assert sorted(map(defences, calculations(events))) == [[4], [16]]
    direct = draw(
        TOWN,
        gun=german("stug-iii-b", "C1", attack=40),
        foot=soviet("rifle-43-soviet", "C2", defence=8, points=1),
        at=soviet("at-45", "C2", defence=2, points=1),
    )
    assert amount(preview(direct, Attack("gun", "foot")), "15.2-T") == 20


@rule("9.3.4")
@pytest.mark.parametrize(("weapon", "more"), [("A", 1), ("H", None)])
def test_9_3_4_a_class_a_vehicle_in_the_same_town_helps_the_others(weapon: str, more: int | None) -> None:
    game = draw(
        TOWN,
        gun=german("stug-iii-b", "C1", attack=40),
        foot=soviet("rifle-43-soviet", "C2", defence=8),
        tank=soviet("t-34-76", "C2", weapon=weapon),
    )
    assert amount(preview(game, Attack("gun", "foot")), "9.3.4") == more
    assert amount(preview(game, Attack("gun", "tank")), "9.3.4") is None
    storm = draw(
        TOWN,
        step="assault",
        x=german("rifle-42-german", "C1", attack=40),
        foot=soviet("rifle-43-soviet", "C2", defence=8),
        tank=soviet("t-34-76", "C2", weapon=weapon),
    )
    assert amount(preview(storm, Assault("x", "C2")), "9.3.4") == more


@rule("9.3.4")
@pytest.mark.parametrize(("below", "more"), [("position", 1), ("", None)])
def test_9_3_4_in_an_improved_position_too(below: str, more: int | None) -> None:
    game = draw(
        markers=[{"kind": "position", "at": "1-C2"}],
        gun=german("stug-iii-b", "C1", attack=40),
        foot=soviet("rifle-43-soviet", "C2", below="position"),
        tank=soviet("t-34-76", "C2", below=below),
    )
    assert amount(preview(game, Attack("gun", "foot")), "9.3.4") == more


@rule("9.3.4")
@pytest.mark.parametrize("terrain", ["v", "w", "."])
def test_9_3_4_no_such_help_in_other_terrain(terrain: str) -> None:
    game = draw(
        column_down(".", terrain, "."),
        gun=german("stug-iii-b", "C1", attack=40),
        foot=soviet("rifle-43-soviet", "C2"),
        tank=soviet("t-34-76", "C2"),
    )
    assert amount(preview(game, Attack("gun", "foot")), "9.3.4") is None
    town = draw(
        TOWN,
        gun=german("stug-iii-b", "C1", attack=40),
        foot=soviet("rifle-43-soviet", "C2"),
        tank=soviet("t-34-76", "C2"),
    )
    assert amount(preview(town, Attack("gun", "foot")), "9.3.4") == 1


@rule("9.3.5")
@pytest.mark.parametrize(
    ("target", "more"),
    [(kind, 1) for kind in ("t-34-76", "at-76", "how-122-soviet", "mortar-82-soviet")]
    + [(kind, None) for kind in ("su-122", "rifle-43-soviet", "truck-soviet", "half-track-soviet")],
)
def test_9_3_5_a_dune_before_class_a_vehicles_and_artillery(target: str, more: int | None) -> None:
    game = draw(
        fields={"dunes": ["C2/C3"]},
        gun=german("stug-iii-g", "C1", attack=60, weapon="H", range=4),
        x=soviet(target, "C3"),
    )
    assert amount(preview(game, Attack("gun", "x")), "9.3.5") == more


@rule("9.3.5")
@pytest.mark.parametrize(("dune", "more"), [("C2/C3", 1), ("C1/C2", None), ("C3/C4", None)])
def test_9_3_5_only_a_side_next_to_the_defender_which_the_line_crosses(dune: str, more: int | None) -> None:
    game = draw(fields={"dunes": [dune]}, gun=german("pz-iv-h", "C1"), x=soviet("t-34-76", "C3"))
    assert amount(preview(game, Attack("gun", "x")), "9.3.5") == more


@rule("9.3.5")
def test_9_3_5_a_slope_side_does_it_too_uphill_or_downhill() -> None:
    for firer, target in ((".", "s"), ("s", ".")):
        board = column_down(firer, firer, target)
        game = draw(board, gun=german("pz-iv-h", "C1"), x=soviet("t-34-76", "C3"))
        assert amount(preview(game, Attack("gun", "x")), "9.3.5") == 1


@rule("9.3.6")
def test_9_3_6_village_in_woods_is_plus_two() -> None:
    assert three_attacks("wv") == {"direct": 2, "indirect": 1, "assault": 2}


@rule("9.3.6")
def test_9_3_6_a_town_on_a_hilltop_attacked_from_the_slope_has_both() -> None:
    game = draw(
        column_down("s", "ht", "s"),
        x=german("rifle-42-german", "C1", attack=10),
        foot=soviet("rifle-43-soviet", "C2", defence=5),
    )
    calculation = preview(game, Attack("x", "foot"))
    assert calculation.modifier == 1
    assert calculation.column == "1:2"  # 10 to 2 x 5 is 1:1, one level up


# --- 9.4 declaring ------------------------------------------------------------------------------------------

TWO_TARGETS = {
    "eyes": german("cp-german", "C3"),
    "near": soviet("rifle-43-soviet", "C5", points=1),
    "far": soviet("rifle-43-soviet", "E5", points=1),
}


@rule("9.4.1")
def test_9_4_1_nothing_is_rolled_before_all_is_declared() -> None:
    game = draw(
        step="indirect",
        a=german("mortar-81-german", "C1", attack=20, registered="C5"),
        b=german("mortar-81-german", "E1", attack=20),
        **TWO_TARGETS,
    )
    assert calculations(play(game, DeclareFire("a", "C5", "registered"))) == []
    assert calculations(play(game, DeclareFire("b", "E5", "hip"))) == []
    assert len(results(play(game, EndSegment(), dice=[6, 6]))) == 2


@rule("9.4.1")
def test_9_4_1_a_unit_is_declared_once() -> None:
    game = draw(step="indirect", a=german("mortar-81-german", "C1", attack=20), **TWO_TARGETS)
    play(game, DeclareFire("a", "C5", "hip"))
    assert refused(game, DeclareFire("a", "E5", "hip")) == "9.4.1"


@rule("9.4.2")
def test_9_4_2_one_indirect_attack_on_each_enemy_unit() -> None:
    game = draw(
        step="indirect",
        a=german("mortar-81-german", "C1", attack=20, registered="C5"),
        b=german("mortar-81-german", "D1", attack=20),
        **TWO_TARGETS,
    )
    play(game, DeclareFire("a", "C5", "registered"))
    assert refused(game, DeclareFire("b", "C5", "hip")) == "9.4.2"
    assert allowed(game, DeclareFire("b", "E5", "hip"))


@rule("9.4.3")
def test_9_4_3_a_hex_is_assaulted_once_a_player_turn() -> None:
    game = draw(
        step="assault",
        one=german("rifle-42-german", "C1"),
        other=german("rifle-42-german", "D1"),
        x=soviet("rifle-43-soviet", "C2", defence=4, points=1),
        y=soviet("rifle-43-soviet", "E2", defence=4),
    )
    play(game, Assault("one", "C2"), RollAssault(), dice=[6])
    assert refused(game, Assault("other", "C2")) == "9.4.3"
    assert allowed(game, Assault("other", "E2"))


@rule("9.4.3")
def test_9_4_3_an_overrun_and_an_assault_on_one_hex_are_both_allowed() -> None:
    game = draw(
        CLEAR,
        step="vehicle",
        tank=german("pz-iv-h", "C2", attack=10),
        foot=german("rifle-42-german", "D3"),
        x=soviet("rifle-43-soviet", "C3", attack=0, defence=10),
    )
    play(game, Overrun("tank", "C3"), StartOverrun(), RideThrough("tank"), dice=[6])
    play(game, EndSegment(), EndSegment())
    assert allowed(game, Assault("foot", "C3"))
    play(game, Assault("foot", "C3"), RollAssault(), dice=[6])
    assert game.state.overrun == game.state.assaulted == ("1-C3",)


@rule("9.5-P3")
def test_9_5_a_shot_by_a_gun_of_unknown_calibre_tells_none() -> None:
    game = draw(". . .", gun=german("pz-iv-h", "A1"), foot=soviet("rifle-43-soviet", "C1"))
    events = play(game, Attack("gun", "foot"), Fire(), dice=[6])
    assert [event.calibre for event in events if event.kind == "fired"] == [0]
