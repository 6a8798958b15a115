"""Recovery [14.4], who helps [6.52, 6.53], kommissars [6.6]. Tests are named after rules."""

from __future__ import annotations

import pytest

from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.assault.assaulting import DeclareAssault, JoinAssault, RollAssault
from opfire.rulesets.panzer_grenadier.command import kommissars
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.fire.bombardment import Bombard
from opfire.rulesets.panzer_grenadier.fire.direct import AddFirer, FireDirect
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.morale import harm, recovery
from opfire.rulesets.panzer_grenadier.morale.flight import FleeTo, TakeAlong
from opfire.rulesets.panzer_grenadier.morale.recovery import LoseHeart, Recover
from opfire.rulesets.panzer_grenadier.movement.moving import GoAlong, Move, Stop
from opfire.rulesets.panzer_grenadier.movement.transport import Limber, Unload
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.shown.view import label
from opfire.rulesets.panzer_grenadier.works.fieldworks import DigIn
from rules.panzer_grenadier.kit import draw, german, leader, lines, marker, offered, play, refused, rule, soviet, unit


def recovering(*first: Action, **units: dict[str, object]) -> Game[Position]:
    """The stack of C3 is activated, and all who are not named try to recover."""
    board = "\n".join([". " * 12] * 5)
    game = draw(board, **{"foe": soviet("sov-inf", "L3"), **units})
    play(game, ActivateStack("C3"), *first, DesignateAll("recover"))
    if offered(game, Begin):
        play(game, Begin())
    return game


# --- 14.4, 14.41 ---


@rule("14.41")
@rule("14.4")
@pytest.mark.parametrize(
    ("state", "dice", "after"),
    [
        ("disrupted", (4, 3), "good order"),
        ("disrupted", (4, 4), "disrupted"),
        ("demoralized", (3, 3), "disrupted"),
        ("demoralized", (4, 3), "demoralized"),
    ],
)
def test_14_41_less_than_morale_improves_the_state_by_one(state: str, dice: tuple[int, int], after: str):
    game = draw(inf=german("ger-inf", "C3", morale=[8, 7], state=state), foe=soviet("sov-inf", "P3"))
    play(game, Activate("inf", "recover"), Recover("inf"), dice=dice)
    assert unit(game, "inf").state == after
    assert unit(game, "inf").marked
    assert unit(game, "inf").hex == "1-C3"  # nobody near could hurt it


@rule("14.4")
def test_14_4_who_is_in_good_order_has_nothing_to_recover_from():
    game = draw(inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "P3"))
    assert refused(game, Activate("inf", "recover")) == "14.4"
    play(game, Activate("inf", "move"))
    assert refused(game, Recover("inf")) == "14.4"


@rule("14.4")
@rule("3.13.c")
def test_14_4_one_attempt_a_turn():
    game = recovering(inf=german("ger-inf", "C3", state="disrupted"), two=german("ger-inf", "C3", state="disrupted"))
    play(game, Recover("inf"), dice=(6, 6))
    assert refused(game, Recover("inf")) == "3.13.c"


@rule("14.42")
@rule("3.0.F")
@rule("14.3")
def test_14_42_the_demoralized_must_try_before_their_side_may_pass():
    game = draw(
        inf=german("ger-inf", "C3", state="demoralized"), ok=german("ger-inf", "C5"), foe=soviet("sov-inf", "P3")
    )
    assert refused(game, Pass()) == "3.0.F"
    assert refused(game, Activate("inf", "move")) == "14.3"
    play(game, Activate("inf", "recover"))
    assert refused(game, EndSegment()) == "14.42"
    play(game, Recover("inf"), dice=(5, 6))
    play(game, Pass())
    play(game, Pass(), seat="german")  # it has been tried


@rule("14.3", "14.42", "16.2")
def test_14_3_who_is_demoralized_before_its_turn_to_move_comes_only_recovers():
    """Rounds of its own side go astray in the segment in which the unit was to move."""
    own = {"inf": german("ger-inf", "C3"), "gun": german("ger-at-50", "C3"), "truck": german("ger-truck", "C3")}
    game = draw(**own, battery=german("ger-mortar-81", "C3"), foe=soviet("sov-inf", "C4"))
    play(game, ActivateStack("C3"), Designate("battery", "fire"), DesignateAll("move"), Begin())
    play(game, Bombard("battery", "C4"))
    astray = [6, 6, 1, 6]  # no effect on the enemy; a 1, and the highest column for the stack
    play(game, Fire(), dice=[*astray, 3, 4, *[6] * 8])
    assert unit(game, "inf").demoralized
    assert refused(game, Move("inf", "C2")) == "14.3"
    assert refused(game, DigIn("inf")) == "14.3"
    assert refused(game, Limber("gun")) == "14.3"
    assert {Recover("inf"), Recover("gun")} <= offered(game, Recover)


@rule("14.43")
def test_14_43_a_natural_2_brings_the_demoralized_back_to_good_order():
    game = draw(inf=german("ger-inf", "C3", morale=[2, 2], state="demoralized"), foe=soviet("sov-inf", "P3"))
    play(game, Activate("inf", "recover"), Recover("inf"), dice=(1, 1))
    assert unit(game, "inf").good_order


@rule("14.44")
@pytest.mark.parametrize(("state", "gone"), [("demoralized", True), ("disrupted", False)])
def test_14_44_a_demoralized_leader_who_rolls_12_deserts(state: str, gone: bool):
    game = draw(
        lt=leader("german", "C3", leads=8, state=state), inf=german("ger-inf", "C5"), foe=soviet("sov-inf", "P3")
    )
    play(game, Activate("lt", "recover"), Recover("lt"), dice=(6, 6))
    assert (unit(game, "lt").status == "eliminated") is gone


@rule("14.45")
@pytest.mark.parametrize(
    ("board", "works", "bonus"), [("t", [], 1), (".", ["entrenchment"], 1), (".", [], 0), ("w", [], 0)]
)
def test_14_45_towns_and_entrenchments_help(board: str, works: list[str], bonus: int):
    game = draw(
        f"{board} . . . . . . .",
        inf=german("ger-inf", "A1", morale=[8, 7], state="disrupted"),
        foe=soviet("sov-inf", "H1"),
        markers=[{"kind": kind, "at": "1-A1"} for kind in works],
    )
    play(game, Activate("inf", "recover"))
    found = recovery.recovery_of(game.state, unit(game, "inf"))
    assert lines(found) == [("factor", "14.0", 8), ("factor", "14.45", 1)][: 1 + bonus]
    assert found.column == str(8 + bonus)


@rule("16.41", "14.45")
@pytest.mark.parametrize(
    ("kind", "board", "bonus"),
    [
        ("ger-pz4h", ".", 0),
        ("ger-truck", ".", 0),
        ("ger-spw251", ".", 0),
        ("sov-cav", ".", 0),
        ("ger-at-50", ".", 1),
        ("ger-pz4h", "t", 1),
    ],
)
def test_16_41_an_entrenchment_does_not_help_vehicles_and_horses_to_recover(kind: str, board: str, bonus: int):
    game = draw(
        f"{board} . . . . . . .",
        a=german(kind, "A1", morale=[8, 7], state="disrupted"),
        foe=soviet("sov-inf", "H1"),
        markers=[marker("entrenchment", "A1")],
    )
    assert recovery.recovery_of(game.state, unit(game, "a")).column == str(8 + bonus)


# --- 6.52, 6.53 ---


@rule("6.52")
@rule("6.52.A4")
def test_6_52_one_activated_leader_adds_his_bonus():
    game = recovering(
        inf=german("ger-inf", "C3", morale=[8, 7], state="disrupted"),
        lt=leader("german", "C3", "LT", bonus=1),
        cpt=leader("german", "C3", "CPT", bonus=2),
    )
    assert offered(game, Recover) == {Recover("inf"), Recover("inf", "lt"), Recover("inf", "cpt")}
    assert recovery.recovery_of(game.state, unit(game, "inf"), "cpt").column == "10"
    play(game, Recover("inf", "lt"), dice=(4, 4))
    assert unit(game, "inf").good_order  # 8 is less than 9


@rule("6.52")
@rule("6.2")
def test_6_2_a_leader_who_has_acted_does_not_help():
    game = recovering(inf=german("ger-inf", "C3", state="disrupted"), lt=leader("german", "C3", bonus=1, marked=True))
    assert refused(game, Recover("inf", "lt")) == "6.52"


@rule("6.53.b")
def test_6_53_b_the_helper_does_nothing_else_and_is_marked():
    game = recovering(
        Designate("lt", "move"),
        inf=german("ger-inf", "C3", state="disrupted"),
        two=german("ger-inf", "C3", state="disrupted"),
        lt=leader("german", "C3", bonus=1),
    )
    play(game, Recover("inf", "lt"), dice=(6, 6))
    assert unit(game, "lt").marked
    assert Recover("two", "lt") in offered(game, Recover)  # he may help all whom he activates


@rule("6.53.b")
def test_6_53_b_nor_does_he_help_who_has_attacked_in_an_assault():
    game = draw(
        lt=leader("german", "C6", bonus=1),
        a=german("ger-inf", "C6"),
        inf=german("ger-inf", "C6", state="disrupted"),
        foe=soviet("sov-inf", "C6"),
    )
    play(game, ActivateLeader("lt"), Designate("inf", "recover"), DesignateAll("fire"), Begin())
    assert Recover("inf", "lt") in offered(game, Recover)
    play(game, DeclareAssault("C6"), JoinAssault("a"), JoinAssault("lt"))
    play(game, RollAssault(), dice=[6, 6])
    assert refused(game, Recover("inf", "lt")) == "6.53.b"


@rule("6.53.b")
def test_6_53_b_nor_who_has_combined_fire_without_a_unit_of_his_hex():
    game = draw(
        lt=leader("german", "C6", bonus=1, combat=2),
        a=german("ger-hmg", "D6"),
        b=german("ger-hmg", "B6"),
        inf=german("ger-inf", "C6", state="disrupted"),
        foe=soviet("sov-inf", "C8"),
    )
    play(game, ActivateLeader("lt"), Designate("inf", "recover"), DesignateAll("fire"), Begin())
    play(game, FireDirect("a", "C8"), AddFirer("b"))
    play(game, Fire(), dice=[6, 6])
    assert refused(game, Recover("inf", "lt")) == "6.53.b"


@rule("6.53.b", "6.52.a")
def test_6_53_b_nor_who_has_been_away_and_come_back_and_he_does_not_flee_along():
    own = {"lt": leader("german", "C3", bonus=1), "inf": german("ger-inf", "C3", state="demoralized")}
    game = recovering(Designate("lt", "move"), foe=soviet("sov-hmg", "F3", marked=True), **own)
    play(game, Move("lt", "C2"), Move("lt", "C3"), Stop("lt"))
    assert refused(game, Recover("inf", "lt")) == "6.53.b"
    play(game, Recover("inf"), dice=(5, 6))
    assert refused(game, TakeAlong("lt")) == "6.52.a"


@rule("6.53.b", "14.4")
def test_6_53_b_nor_who_has_dug_himself_in():
    own = {"lt": leader("german", "C3", bonus=1), "inf": german("ger-inf", "C3", state="disrupted")}
    game = recovering(Designate("lt", "move"), **own)
    play(game, DigIn("lt"))
    assert refused(game, Recover("inf", "lt")) == "6.53.b"


@rule("6.53.b", "14.4", "5.61")
def test_6_53_b_nor_who_has_got_off_a_truck():
    game = recovering(
        Designate("lt", "move"),
        Designate("truck", "move"),
        truck=german("ger-truck", "C3"),
        lt=leader("german", "C3", bonus=1, carrier="truck"),
        inf=german("ger-inf", "C3", state="disrupted"),
    )
    play(game, Unload("lt"))
    assert refused(game, Recover("inf", "lt")) == "6.53.b"


@pytest.mark.parametrize(
    ("passenger", "attempt", "cited"),
    [
        pytest.param(leader("german", carrier="t", bonus=1), Recover("inf", "p"), "6.53.b", marks=rule("6.53.b")),
        pytest.param(german("ger-inf", carrier="t", state="disrupted"), Recover("p"), "14.4", marks=rule("14.4")),
    ],
)
def test_14_4_nor_does_a_carrier_take_away_who_has_had_a_part_in_a_recovery(
    passenger: dict[str, object], attempt: Recover, cited: str
):
    for kind in ("ger-truck", "ger-spw251"):
        game = recovering(
            Designate("t", "move"), t=german(kind, "C3"), p=passenger, inf=german("ger-inf", "C3", state="disrupted")
        )
        ridden = game.copy()
        play(ridden, Move("t", "C4"))
        assert unit(ridden, "p").hex == "1-C4"
        play(game, attempt, dice=(6, 6))
        assert refused(game, Move("t", "C4")) == cited


@rule("6.53")
@rule("6.53.a")
def test_6_53_lower_ranks_are_helped_himself_never():
    game = recovering(
        cpt=leader("german", "C3", "CPT", bonus=1, state="disrupted"),
        lt=leader("german", "C3", "LT", bonus=1, state="disrupted"),
    )
    assert refused(game, Recover("cpt", "cpt")) == "6.53.a"
    assert refused(game, Recover("cpt", "lt")) == "6.53"
    assert Recover("lt", "cpt") in offered(game, Recover)


@rule("6.52.A1")
@rule("6.52.A3")
def test_6_52_A1_a_disrupted_leader_helps_in_his_hex_and_tries_himself():
    game = recovering(
        inf=german("ger-inf", "C3", state="disrupted"),
        lt=leader("german", "C3", leads=8, bonus=1, state="disrupted"),
    )
    play(game, Recover("inf", "lt"), dice=(6, 6))
    play(game, Recover("lt"), dice=(1, 2))
    assert unit(game, "lt").good_order


@rule("6.52.A1")
def test_6_52_A1_he_tries_after_he_has_helped_whatever_he_was_designated_for():
    game = recovering(
        Designate("lt", "move"),
        inf=german("ger-inf", "C3", state="disrupted"),
        lt=leader("german", "C3", leads=8, bonus=1, state="disrupted"),
    )
    play(game, Recover("inf", "lt"), dice=(6, 6))
    assert refused(game, Move("lt", "C4")) == "3.13"  # 6.53.b: he has helped, and moves nowhere
    play(game, Recover("lt"), dice=(1, 2))
    assert unit(game, "lt").good_order


@rule("6.52.A1")
def test_6_52_A1_who_was_demoralized_recovers_and_helps_nobody_in_that_activation():
    game = recovering(
        inf=german("ger-inf", "C3", state="disrupted"),
        lt=leader("german", "C3", leads=8, bonus=1, state="demoralized"),
    )
    play(game, Recover("lt"), dice=(1, 2))
    assert unit(game, "lt").state == "disrupted"
    assert refused(game, Recover("inf", "lt")) == "6.52.A1"


@rule("6.52.A3")
@rule("6.52.A1")
def test_6_52_A3_a_demoralized_leader_helps_nobody():
    game = recovering(
        inf=german("ger-inf", "C3", state="disrupted"), lt=leader("german", "C3", bonus=1, state="demoralized")
    )
    assert refused(game, Recover("inf", "lt")) == "6.52.A3"


@rule("6.52")
def test_6_52_a_leader_helps_those_around_whom_he_activates():
    game = draw(
        lt=leader("german", "C3", bonus=1),
        near=german("ger-inf", "C4", state="disrupted"),
        foe=soviet("sov-inf", "P3"),
    )
    play(game, ActivateLeader("lt"), Designate("lt", "direct"), DesignateAll("recover"))
    if offered(game, Begin):
        play(game, Begin())
    assert Recover("near", "lt") in offered(game, Recover)


@rule("14.42", "14.3")
def test_14_42_who_is_broken_in_its_own_segment_before_it_has_moved_still_has_to_try():
    """Stray rounds of its own side fall on it: it was to move, and can only try to recover now."""
    game = draw(inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "P3"))
    play(game, Activate("inf", "move"))
    harm.demoralize(game, "inf")
    assert refused(game, EndSegment()) == "14.42"
    play(game, Recover("inf"), dice=(1, 2))
    assert unit(game, "inf").state == "disrupted"


# --- G.demoralized ---


@rule("G.demoralized")
def test_G_demoralized_one_may_lose_heart_of_ones_own_will_and_then_has_to_try():
    game = draw(inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "P3"))
    play(game, Activate("inf", "move"), LoseHeart("inf"))
    assert unit(game, "inf").demoralized
    assert refused(game, EndSegment()) == "14.42"
    assert refused(game, LoseHeart("inf")) == "G.demoralized"
    play(game, Recover("inf"), dice=(1, 1))
    assert unit(game, "inf").good_order


# --- 6.6 ---


def driven(**values: object) -> Game[Position]:
    """A demoralized unit with a kommissar and a lieutenant in one hex; the unit is activated alone."""
    game = draw(
        inf=soviet("sov-inf", "C3", morale=[7, 6], state="demoralized"),
        kom=leader("soviet", "C3", "KOM", leads=9, **values),
        lt=leader("soviet", "C3", "LT", bonus=1),
        foe=german("ger-inf", "P3"),
        side="soviet",
    )
    play(game, Activate("inf", "recover"))
    return game


@rule("6.62")
@rule("6.63")
@rule("6.6.A1")
@rule("6.65")
def test_6_62_the_kommissars_morale_stands_in_for_the_units_and_he_is_spent():
    game = driven()
    assert lines(recovery.recovery_of(game.state, unit(game, "inf"))) == [("factor", "6.62", 9)]
    play(game, Recover("inf"), dice=(4, 4))
    assert unit(game, "inf").good_order
    assert unit(game, "kom").marked


@rule("6.63")
def test_6_63_failure_costs_a_step_and_the_unit_stays_demoralized():
    game = driven()
    play(game, Recover("inf"), dice=(4, 5))
    assert unit(game, "inf").reduced
    assert unit(game, "inf").demoralized


@rule("6.63", "14.31")
def test_6_63_a_kommissar_gets_off_his_truck_to_flee_with_the_unit():
    game = draw(
        inf=soviet("sov-inf", "C3", morale=[7, 6], state="demoralized"),
        truck=soviet("sov-truck", "C3"),
        kom=leader("soviet", "C3", "KOM", leads=9, carrier="truck"),
        foe=german("ger-hmg", "C5"),
        side="soviet",
    )
    play(game, Activate("inf", "recover"), Recover("inf"), dice=(4, 5))
    (to, *_) = sorted(action.to for action in offered(game, FleeTo) if isinstance(action, FleeTo))
    play(game, FleeTo(to))
    assert unit(game, "kom").hex == unit(game, "inf").hex == to
    assert unit(game, "kom").carrier is None
    assert unit(game, "truck").hex == "1-C3"
    assert unit(game, "truck").cargo == ()


@rule("6.64")
@pytest.mark.parametrize(("state", "there"), [("disrupted", True), ("demoralized", False)])
def test_6_64_a_disrupted_kommissar_may_drive_a_demoralized_one_may_not(state: str, there: bool):
    game = driven(state=state)
    assert (kommissars.driver(game.state, unit(game, "inf")) is not None) is there


@rule("6.64", "6.52.A1")
def test_6_64_a_disrupted_kommissar_may_try_himself_when_he_has_driven():
    game = driven(state="disrupted")
    play(game, Recover("inf"), dice=(4, 4))
    assert unit(game, "inf").good_order
    play(game, Recover("kom"), dice=(4, 4))
    assert unit(game, "kom").good_order
    assert unit(game, "kom").marked


@rule("6.6.A1")
def test_6_6_A1_no_other_leader_helps_where_a_kommissar_is():
    game = recovering(
        inf=german("ger-inf", "C3", state="demoralized"),
        kom=leader("german", "C3", "KOM", leads=9),
        lt=leader("german", "C3", bonus=1),
    )
    assert refused(game, Recover("inf", "lt")) == "6.6.A1"


@rule("6.6")
def test_6_6_he_does_not_see_to_leaders():
    game = recovering(
        lt=leader("german", "C3", leads=8, state="demoralized"), kom=leader("german", "C3", "KOM", leads=9)
    )
    assert kommissars.driver(game.state, unit(game, "lt")) is None


@rule("6.62")
def test_6_62_he_drives_each_of_the_units_with_him():
    game = recovering(
        one=german("ger-inf", "C3", state="demoralized"),
        two=german("ger-inf", "C3", state="demoralized"),
        kom=leader("german", "C3", "KOM", leads=9),
    )
    play(game, Recover("one"), dice=(4, 4))
    play(game, Recover("two"), dice=(4, 4))
    assert unit(game, "one").good_order
    assert unit(game, "two").good_order


@rule("6.6", "5.0.a", "6.3")
def test_6_6_he_activates_nobody_and_goes_along_with_nobody_on_foot():
    game = draw(
        inf=soviet("sov-inf", "C3"),
        kom=leader("soviet", "C3", "KOM"),
        lt=leader("soviet", "C3", "LT"),
        foe=german("ger-inf", "P3"),
        side="soviet",
    )
    play(game, ActivateStack("C3"), DesignateAll("move"), Begin())
    assert GoAlong("inf", "lt") in offered(game, GoAlong)
    assert refused(game, GoAlong("inf", "kom")) == "6.3"


@rule("6.61")
def test_6_61_he_goes_to_the_nearest_demoralized_unit_by_the_cheapest_way():
    game = draw(
        kom=leader("german", "C5", "KOM", leads=9),
        near=german("ger-inf", "C3", state="demoralized"),
        far=german("ger-inf", "C9", state="demoralized"),
        foe=soviet("sov-inf", "P3"),
    )
    play(game, Activate("kom", "move"))
    assert offered(game, Move) == {Move("kom", "1-C4")}
    assert refused(game, Move("kom", "C6")) == "6.61"


@rule("6.65")
def test_6_65_he_does_not_leave_a_demoralized_unit():
    game = draw(
        kom=leader("german", "C3", "KOM", leads=9),
        inf=german("ger-inf", "C3", state="demoralized"),
        foe=soviet("sov-inf", "P3"),
    )
    assert refused(game, Pass()) == "3.0.F"
    assert refused(game, Activate("kom", "move")) == "6.65"
    game.state.change("inf", marked=True)  # it has tried
    play(game, Activate("kom", "move"))
    assert refused(game, Move("kom", "C4")) == "6.65"


@rule("6.65")
def test_6_65_nor_does_he_ride_away_from_it():
    kom, bad = leader("german", carrier="t"), german("ger-inf", "C3", state="demoralized")
    game = draw(t=german("ger-truck", "C3"), kom={**kom, "rank": "KOM"}, bad=bad, foe=soviet("sov-inf", "P3"))
    play(game, Activate("t", "move"))
    assert refused(game, Move("t", "C4")) == "6.65"


@rule("6.65", "6.6.A1")
def test_6_65_nothing_else_keeps_him_from_his_duty():
    """A leader who activates units around him waits for the demoralized unit to be activated."""
    game = draw(
        kom=leader("german", "C3", "KOM", leads=9),
        inf=german("ger-inf", "C3", morale=[7, 6], state="demoralized"),
        lt=leader("german", "C4"),
        foe=soviet("sov-inf", "P3"),
    )
    play(game, ActivateLeader("lt"))
    assert {act.unit for act in offered(game, Designate) if isinstance(act, Designate)} == {"lt", "inf"}
    play(game, Designate("lt", "direct"), DesignateAll("recover"), Begin(), Recover("inf"), dice=(4, 4))
    assert unit(game, "inf").good_order
    assert unit(game, "kom").marked


@rule("6.6.A2")
def test_6_6_A2_one_kommissar_is_enough_for_one_unit():
    game = draw(
        one=leader("german", "C5", "KOM", leads=9),
        two=leader("german", "C6", "KOM", leads=9),
        inf=german("ger-inf", "C3", state="demoralized"),
        foe=soviet("sov-inf", "P3"),
    )
    assert kommissars.charges(game.state, "german").keys() == {"one"}
    play(game, Activate("two", "move"))
    assert Move("two", "1-C7") in offered(game, Move)


@rule("6.52")
def test_6_52_the_button_says_who_helps():
    game = recovering(inf=german("ger-inf", "C3", state="disrupted"), lt=leader("german", "C3", bonus=1))
    assert label(game.state, Recover("inf")) == "inf in 1-C3 tries to recover"
    assert label(game.state, Recover("inf", "lt")) == "inf in 1-C3 tries to recover with the help of lt in 1-C3"
