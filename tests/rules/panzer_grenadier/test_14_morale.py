"""Morale checks [14.0-14.3], and the leaders who help in them [6.51, 6.53, 6.82]. Tests are named after rules."""

from __future__ import annotations

import pytest

from opfire.core.dice import scripted
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.fire.losses import Blow
from opfire.rulesets.panzer_grenadier.morale import checks, harm
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.panzer_grenadier.kit import draw, german, leader, lines, rule, soviet, unit


def check(game: Game[Position], *names: str, result: checks.CheckResult = "M", dice: tuple[int, ...]) -> None:
    """These check with these dice, and none are left."""
    game.dice = scripted(dice)
    game.events.clear()
    for test in checks.in_order(game.state, (checks.Test(name, result) for name in names)):
        harm.roll(game, test)
    assert not game.dice.script


def helper(game: Game[Position], name: str, moving: bool = False) -> str | None:
    """The leaders who help in a check."""
    found = checks.helper(game.state, unit(game, name), moving)
    return found.id if found else None


# --- 14.1 ---


@rule("14.1")
@rule("14.0")
def test_14_1_the_books_example():
    french = {"morale": [8, 6]}
    game = draw(
        lt=leader("german", "C3", leads=9, bonus=1),
        one=german("ger-inf", "C3", **french),
        two=german("ger-inf", "C3", **french),
        foe=soviet("sov-inf", "J3"),
    )
    check(game, "one", "lt", "two", dice=(3, 4, 5, 5, 6, 6))
    assert [unit(game, name).state for name in ("lt", "one", "two")] == ["good order", "disrupted", "demoralized"]


@rule("14.1")
@pytest.mark.parametrize(
    ("result", "dice", "state"),
    [
        ("M", (4, 4), "good order"),
        ("M", (4, 5), "disrupted"),
        ("M", (5, 5), "disrupted"),
        ("M", (5, 6), "demoralized"),
        ("M1", (4, 3), "good order"),
        ("M1", (4, 4), "disrupted"),
        ("M2", (4, 2), "good order"),
        ("M2", (5, 3), "disrupted"),
        ("M2", (5, 4), "demoralized"),
    ],
)
def test_14_1_equal_passes_one_or_two_over_disrupts_three_demoralizes(
    result: checks.CheckResult, dice: tuple[int, int], state: str
):
    game = draw(inf=german("ger-inf", "C3", morale=[8, 7]), foe=soviet("sov-inf", "J3"))
    check(game, "inf", result=result, dice=dice)
    assert unit(game, "inf").state == state


@rule("14.0")
def test_14_0_a_reduced_unit_has_its_second_morale():
    game = draw(inf=german("ger-inf", "C3", morale=[9, 5], reduced=True), foe=soviet("sov-inf", "J3"))
    found = checks.calculation_of(game.state, checks.Test("inf", "M1"))
    assert lines(found) == [("factor", "14.0", 5), ("modifier", "14.1", 1)]


@rule("14.11")
@pytest.mark.parametrize(("dice", "state"), [((4, 4), "disrupted"), ((4, 5), "demoralized"), ((6, 6), "demoralized")])
def test_14_11_who_is_disrupted_and_fails_at_all_is_demoralized(dice: tuple[int, int], state: str):
    game = draw(inf=german("ger-inf", "C3", morale=[8, 7], state="disrupted"), foe=soviet("sov-inf", "J3"))
    check(game, "inf", dice=dice)
    assert unit(game, "inf").state == state


@rule("14.11")
@pytest.mark.parametrize(("dice", "gone"), [((4, 5), False), ((5, 5), True)])
def test_14_11_a_demoralized_leader_who_misses_by_three_is_gone(dice: tuple[int, int], gone: bool):
    game = draw(lt=leader("german", "C3", leads=8, state="demoralized"), foe=soviet("sov-inf", "J3"))
    check(game, "lt", dice=dice)  # his morale is 7 now [14.3]
    assert (unit(game, "lt").status == "eliminated") is gone


@rule("14.12")
@rule("14.3")
@pytest.mark.parametrize(("dice", "steps"), [((4, 5), 2), ((5, 5), 1)])
def test_14_12_a_demoralized_unit_that_misses_by_three_loses_a_step(dice: tuple[int, int], steps: int):
    game = draw(inf=german("ger-inf", "C3", morale=[8, 7], state="demoralized"), foe=soviet("sov-inf", "J3"))
    check(game, "inf", dice=dice)
    assert unit(game, "inf").steps == steps
    assert unit(game, "inf").demoralized


@rule("14.14")
def test_14_14_leaders_check_first_by_seniority_and_their_failure_counts_at_once():
    game = draw(
        inf=german("ger-inf", "C3", morale=[8, 7]),
        sgt=leader("german", "C3", "SGT", leads=8, bonus=1),
        cpt=leader("german", "C3", "CPT", leads=8, bonus=2),
        foe=soviet("sov-inf", "J3"),
    )
    check(game, "inf", "sgt", "cpt", dice=(6, 6, 4, 4, 5, 4))
    assert unit(game, "cpt").demoralized
    assert unit(game, "sgt").good_order  # 8 on his own morale of 8: the captain, who broke first, adds nothing
    assert unit(game, "inf").good_order  # 9 on 8 with the sergeant's 1


@rule("14.13")
def test_14_13_no_check_improves_anybody():
    game = draw(inf=german("ger-inf", "C3", state="demoralized"), foe=soviet("sov-inf", "J3"))
    check(game, "inf", dice=(1, 1))
    assert unit(game, "inf").demoralized


@rule("14.13")
@pytest.mark.parametrize(
    ("state", "may_bring"), [("disrupted", {"holds", "demoralized"}), ("demoralized", {"holds", "lost"})]
)
@pytest.mark.parametrize("result", ["M", "M2"])
def test_14_13_a_check_leaves_one_as_one_is_or_makes_it_worse(
    state: str, may_bring: set[str], result: checks.CheckResult
):
    game = draw(inf=german("ger-inf", "C3", state=state, morale=[7, 6]), foe=soviet("sov-inf", "J3"))
    assert set(checks.calculation_of(game.state, checks.Test("inf", result)).outcomes) == may_bring


# --- who helps ---


@rule("6.51")
@rule("6.52.A3")
@pytest.mark.parametrize(
    ("state", "own", "near", "far"),
    [("good order", True, True, False), ("disrupted", True, False, False), ("demoralized", False, False, False)],
)
def test_6_51_a_leader_helps_in_his_hex_and_around_it_as_far_as_his_own_morale_goes(
    state: str, own: bool, near: bool, far: bool
):
    game = draw(
        lt=leader("german", "C3", bonus=1, state=state, marked=True),
        here=german("ger-inf", "C3"),
        near=german("ger-inf", "C4"),
        far=german("ger-inf", "C5"),
        foe=soviet("sov-inf", "J3"),
    )
    assert [helper(game, name) == "lt" for name in ("here", "near", "far")] == [own, near, far]


@rule("6.51")
def test_6_51_only_one_leader_helps_the_best():
    game = draw(
        lt=leader("german", "C3", bonus=1),
        cpt=leader("german", "C4", "CPT", bonus=2),
        inf=german("ger-inf", "C3"),
        foe=soviet("sov-inf", "J3"),
    )
    found = checks.calculation_of(game.state, checks.Test("inf", "M"))
    assert [line[1:] for line in lines(found)][1:-1] == [("6.51", 2)]


@rule("6.51.A1")
def test_6_51_A1_strongpoints_are_helped_like_any_unit():
    game = draw(fort=german("ger-strongpoint", "C3"), lt=leader("german", "C3", bonus=1), foe=soviet("sov-inf", "J3"))
    assert helper(game, "fort") == "lt"


@rule("6.53")
@rule("6.53.a")
def test_6_53_lower_ranks_are_helped_equals_and_himself_never():
    game = draw(
        cpt=leader("german", "C3", "CPT", bonus=1),
        lt=leader("german", "C3", "LT", bonus=2),
        other=leader("german", "C3", "LT"),
        foe=soviet("sov-inf", "J3"),
    )
    assert [helper(game, name) for name in ("cpt", "lt", "other")] == [None, "cpt", "cpt"]


@rule("6.6")
def test_6_6_a_kommissar_helps_nobody_in_a_check():
    game = draw(kom=leader("soviet", "C3", "KOM", bonus=2), inf=soviet("sov-inf", "C3"), foe=german("ger-inf", "J3"))
    assert helper(game, "inf") is None


@rule("6.82")
@rule("5.65")
def test_6_82_AFVs_have_no_help_but_a_loaded_APC_has():
    game = draw(
        lt=leader("german", "C3", bonus=1),
        tank=german("ger-pz3", "C3"),
        empty=german("ger-spw251", "C3"),
        full=german("ger-spw251", "C3"),
        inf=german("ger-inf", "C3", carrier="full"),
        foe=soviet("sov-inf", "J3"),
    )
    assert [helper(game, name) for name in ("tank", "empty", "full")] == [None, None, "lt"]


@rule("12.5")
def test_12_5_nobody_helps_into_an_assault_hex_or_out_of_it():
    game = draw(
        inside=leader("german", "C3", bonus=1),
        fighter=german("ger-inf", "C3"),
        foe=soviet("sov-inf", "C3"),
        outside=leader("german", "C4", bonus=2),
        near=german("ger-inf", "C4"),
        other=german("ger-inf", "C2"),
    )
    assert [helper(game, name) for name in ("fighter", "near", "other")] == ["inside", "outside", None]


@rule("13.34")
def test_13_34_a_disrupted_leader_does_not_help_under_opportunity_fire():
    game = draw(
        lt=leader("german", "C3", bonus=2, state="disrupted"),
        inf=german("ger-inf", "C3", morale=[8, 7]),
        foe=soviet("sov-inf", "J3"),
    )
    assert helper(game, "inf") == "lt"
    assert helper(game, "inf", moving=True) is None
    game.dice = scripted((5, 4))
    losses.suffer(game, "german", "1-C3", (Blow(("inf",), "M"),), "opportunity")
    game.run()
    assert unit(game, "inf").state == "disrupted"  # 9 on 8


@rule("16.21")
@rule("14.2")
def test_16_21_who_is_disrupted_stops_digging():
    game = draw(inf=german("ger-inf", "C3", dug_in=1, morale=[8, 7]), foe=soviet("sov-inf", "J3"))
    check(game, "inf", dice=(5, 4))
    assert unit(game, "inf").dug_in == 0
