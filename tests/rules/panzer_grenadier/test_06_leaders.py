"""Leaders [6.0]: how they are drawn, how they fall, and what that brings. Tests are named after rules."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from opfire.core import scenario as scenarios
from opfire.core.dice import scripted
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.kit.setup import Ready
from opfire.rulesets.panzer_grenadier import RULESET
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.command import decapitation, leaders
from opfire.rulesets.panzer_grenadier.command.activation import Activate
from opfire.rulesets.panzer_grenadier.command.leaders import DisplaceTo
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.fire.losses import Blow, LoseStep
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.morale.flight import FleeTo
from opfire.rulesets.panzer_grenadier.morale.recovery import Recover
from opfire.rulesets.panzer_grenadier.movement.costs import printed_allowance
from opfire.rulesets.panzer_grenadier.movement.moving import Move
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.setup.additions import Mount, cannot_mount
from opfire.rulesets.panzer_grenadier.setup.roster import setting
from opfire.rulesets.panzer_grenadier.setup.setting_up import DrawPieces
from rules.panzer_grenadier.kit import draw, german, leader, lines, offered, play, refused, rule, soviet, unit
from rules.panzer_grenadier.test_play import everything

HOLDS = (1, 1)


def hit(
    game: Game[Position], *blows: Blow, by: losses.By = "direct", dice: Iterable[int] = (), hex: str = "1-C3"
) -> None:
    """Let the Germans in a hex suffer this."""
    game.dice = scripted(dice)
    game.events.clear()
    losses.suffer(game, "german", hex, blows, by)
    game.run()


# --- 6.1 ---


@rule("6.1")
@pytest.mark.parametrize("name", [name for name in scenarios.files() if scenarios.load(name).ruleset == RULESET.id])
def test_6_1_no_two_leaders_of_a_side_have_one_name(name: str) -> None:
    made = setting(scenarios.load(name))
    for side in made.scenario.sides:
        leaders = [start.unit.name for start in made.roster if start.unit.side == side and start.unit.officer]
        assert len(leaders) == len(set(leaders))


@rule("6.1")
def test_6_1_pieces_of_the_right_rank_are_drawn_and_flipped_none_twice():
    game = draw(
        one=leader("german", "C3", "LT"),
        two=leader("german", "C3", "LT", mounted=True),
        cpt=leader("german", "C3", "CPT"),
        foe=soviet("sov-inf", "J3"),
    )
    pieces = game.state.charts.pieces
    lieutenants = [row for row in pieces.values() if (row.nation, row.rank) == ("german", "LT")]
    game.dice = scripted([1, 1, 1, 2, 1, 1])
    leaders.draw(game, "german")
    names = list(dict.fromkeys(row.piece for row in lieutenants))
    first, second = ([row for row in lieutenants if row.piece == piece] for piece in names[:2])
    assert [unit(game, "one").name, unit(game, "two").name] == [f"LT {first[0].name}", f"LT {second[1].name}"]
    officer = unit(game, "two").officer
    assert officer is not None
    assert (officer.morale, officer.combat, officer.bonus) == (second[1].morale, second[1].combat, second[1].bonus)
    assert officer.mounted
    assert not game.dice.script


@rule("6.1")
def test_6_1_no_two_leaders_of_a_side_share_a_name_when_the_cup_is_filled_again():
    # Two pieces of a German captain; further ones are drawn out of a cup that is filled again.
    game = draw(
        foe=soviet("sov-inf", "J3"), **{name: leader("german", "C3", "CPT") for name in ("a", "b", "c", "d", "e")}
    )
    game.dice = scripted([1] * 10)
    leaders.draw(game, "german")
    names = [one.name for one in game.state.units.values() if one.leader]
    assert names == ["CPT Oster", "CPT Quast", "CPT Oster 2", "CPT Oster 3", "CPT Oster 4"]


# --- 6.9 ---


def set_up(scenario: str) -> Game[Position]:
    """The Soviet side, which has cavalry, has placed everything; the German one, which has none, has set up."""
    game: Game[Position] = new_game(RULESET, scenario, scripted((1,) * 30))
    game.play("german", DrawPieces())
    for seat in ("german", "soviet"):
        while Ready() not in game.choices(seat):
            game.play(seat, game.choices(seat).finite[0])
        if seat == "german":
            assert not offered(game, Mount, seat)
            game.play(seat, Ready())
    return game


@rule("6.9")
def test_6_9_the_player_says_who_are_cavalry_leaders_where_the_scenario_does_not():
    game = set_up(everything([], soviet={"mounted": None}))
    soviets = [one for one in game.state.units.values() if one.side == "soviet" and one.officer is not None]
    (kommissar,) = (one.id for one in soviets if one.officer.rank == 0)
    others = {one.id for one in soviets if one.id != kommissar}
    assert offered(game, Mount, "soviet") == {Mount(name) for name in others}
    assert refused(game, Mount(kommissar), "soviet") == "6.9"
    name = min(others)
    assert printed_allowance(game.state, unit(game, name)) == 4
    play(game, Mount(name))
    assert printed_allowance(game.state, unit(game, name)) == 6
    assert refused(game, Mount(name), "soviet") == "6.9"
    assert Ready() in game.choices("soviet")


@rule("6.9")
def test_6_9_the_scenario_may_say_how_many_and_then_nobody_else_is():
    game = set_up(everything([]))
    officers = [one.officer for one in game.state.units.values() if one.side == "soviet" and one.officer is not None]
    assert sorted((one.title, one.mounted) for one in officers) == [("CPT", False), ("KOM", False), ("LT", True)]
    assert not offered(game, Mount, "soviet")
    assert refused(game, Mount("soviet-leader-1"), "soviet") == "6.9"


@rule("6.9", "6.3")
def test_6_3_nobody_is_a_cavalry_leader_aboard_a_truck():
    riders = {"on_foot": leader("german", "C3"), "aboard": leader("german", carrier="t")}
    game = draw(cav=german("ger-cav", "C3"), t=german("ger-truck", "C3"), foe=soviet("sov-inf", "J3"), **riders)
    found = {name: cannot_mount(game.state, "german", unit(game, name)) for name in riders}
    assert {name: refusal and refusal.rule for name, refusal in found.items()} == {"on_foot": None, "aboard": "6.3"}


# --- 6.7 ---


@rule("6.7")
@pytest.mark.parametrize(("result", "roll", "falls"), [("X", (1, 2), True), ("X", (2, 2), False), ("2X", (2, 2), True)])
def test_6_7_steps_lost_in_his_hex_may_cost_a_leader(result: str, roll: tuple[int, int], falls: bool):
    game = draw(lt=leader("german", "C3"), inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "J3"))
    checks = HOLDS * (2 if result == "X" else 1)  # by 2X the platoon is gone
    hit(game, Blow(("lt", "inf"), result), dice=(*checks, *roll))
    assert (unit(game, "lt").status == "eliminated") is falls


@rule("6.7")
def test_6_7_the_calculation_subtracts_every_step_lost():
    game = draw(lt=leader("german", "C3"), inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "J3"))
    found = leaders.casualty(game.state, unit(game, "lt"), 2)
    assert lines(found) == [("note", "6.7", 2), ("modifier", "6.7", -2)]
    assert found.outcomes[:4] == ("falls", "falls", "falls", "unhurt")  # 2, 3, 4; 5 does not


@rule("6.7")
def test_6_7_no_step_lost_no_roll():
    game = draw(lt=leader("german", "C3"), inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "J3"))
    hit(game, Blow(("lt", "inf"), "M"), dice=[*HOLDS, *HOLDS])
    assert not [event for event in game.events if event.rule == "6.7"]


@rule("6.7.A1")
def test_6_7_A1_none_for_who_rides_in_an_APC():
    game = draw(
        spw=german("ger-spw251", "C3"),
        lt=leader("german", "C3", carrier="spw"),
        inf=german("ger-inf", "C3"),
        foe=soviet("sov-inf", "J3"),
    )
    hit(game, Blow(("spw", "inf"), "X"))
    play(game, LoseStep("inf"), dice=[*HOLDS, *HOLDS])  # two checks, and no more
    assert unit(game, "lt").carrier == "spw"


# --- 6.71 ---


@rule("6.71")
@pytest.mark.parametrize(("result", "left"), [("M", 3), ("X", 2), ("2X", 1), ("3X", 0)])
def test_6_71_each_loss_takes_a_lone_leader(result: str, left: int):
    game = draw(
        a=leader("german", "C3", "SGT"),
        b=leader("german", "C3", "SGT"),
        c=leader("german", "C3", "SGT"),
        cpt=leader("german", "A9", "CPT"),
        foe=soviet("sov-inf", "J3"),
    )
    hit(game, Blow(("a", "b", "c"), result), dice=HOLDS * left)
    while offered(game, LoseStep):
        play(game, min(offered(game, LoseStep), key=str))
    assert not game.dice.script
    assert sum(unit(game, name).hex is not None for name in "abc") == left


@rule("6.71")
def test_6_71_with_a_unit_in_the_hex_leaders_do_not_take_the_losses():
    game = draw(lt=leader("german", "C3"), tank=german("ger-tiger", "C3"), foe=soviet("sov-inf", "J3"))
    hit(game, Blow(("lt", "tank"), "X"), dice=[*HOLDS, *HOLDS])
    assert unit(game, "lt").hex == "1-C3"


@rule("6.71.a")
@rule("6.71.A2")
@pytest.mark.parametrize(("dice", "falls"), [((4, 5), True), ((4, 4), False)])
def test_6_71_a_an_enemy_who_enters_takes_a_lone_leader_on_nine_or_drives_him_out(dice: tuple[int, int], falls: bool):
    game = draw(
        lt=leader("german", "C3"), cpt=leader("german", "A9", "CPT"), foe=soviet("sov-inf", "C4"), side="soviet"
    )
    play(game, Activate("foe", "move"), Move("foe", "C3"), dice=dice)
    if falls:
        assert unit(game, "lt").status == "eliminated"
        return
    assert game.asked() == ("german",)
    assert refused(game, DisplaceTo("lt", "C5")) == "6.71.a"
    play(game, DisplaceTo("lt", "C2"))
    assert unit(game, "lt").hex == "1-C2"


@rule("6.71.a")
def test_6_71_a_he_does_not_go_where_enemies_are_and_falls_where_all_around_is_theirs():
    around = {f"foe{at}": soviet("sov-inf", at) for at in ("C2", "B2", "B3", "B4", "D2", "D3", "D4")}
    game = draw(
        lt=leader("german", "C3"),
        cpt=leader("german", "A9", "CPT"),
        foe=soviet("sov-inf", "C4"),
        **around,
        side="soviet",
    )
    play(game, Activate("foe", "move"), Move("foe", "C3"), dice=(1, 1))
    refuges = [hex for hex in game.state.map.neighbours["1-C3"] if hex and not game.state.at(hex, "soviet")]
    if refuges:  # the hex that the enemy has left
        assert offered(game, DisplaceTo) == {DisplaceTo("lt", "1-C4")}
    else:
        assert unit(game, "lt").status == "eliminated"


@rule("6.71.a", "16.61")
def test_6_71_a_hidden_enemies_where_he_gets_to_are_found_and_he_goes_elsewhere():
    game = draw(
        lt=leader("german", "C3"),
        cpt=leader("german", "A9", "CPT"),
        foe=soviet("sov-inf", "C4"),
        trap=soviet("sov-inf", "C2", hidden=True),
        side="soviet",
    )
    play(game, Activate("foe", "move"), Move("foe", "C3"), dice=(1, 1))
    play(game, DisplaceTo("lt", "C2"))
    assert unit(game, "lt").hex == "1-C3"
    assert not unit(game, "trap").hidden
    assert DisplaceTo("lt", "1-C2") not in offered(game, DisplaceTo)
    play(game, DisplaceTo("lt", "C4"))
    assert unit(game, "lt").hex == "1-C4"


# --- 6.72 ---


def beheaded(**units: dict[str, object]) -> Game[Position]:
    """The highest German leader falls in E5 in the second turn."""
    game = draw(
        maj=leader("german", "E5", "CPT"),
        lt=leader("german", "E5", "LT"),
        near=german("ger-inf", "E8"),
        far=german("ger-inf", "E9"),
        foe=soviet("sov-inf", "P1"),
        turn=2,
        **units,
    )
    harm.fall(game, "maj", "6.7")
    return game


@rule("6.72")
@pytest.mark.parametrize(("turn", "rooted"), [(2, True), (3, True), (4, False)])
def test_6_72_units_within_three_hexes_do_not_move_this_turn_and_the_next(turn: int, rooted: bool):
    game = beheaded()
    game.state.turn = turn
    near, far = (decapitation.decapitated(game.state, unit(game, name)) for name in ("near", "far"))
    assert (near is not None) is rooted
    assert far is None


@rule("6.72")
def test_6_72_a_lower_leader_is_not_missed():
    game = draw(
        cpt=leader("german", "E5", "CPT"),
        lt=leader("german", "E5"),
        inf=german("ger-inf", "E6"),
        foe=soviet("sov-inf", "P1"),
    )
    harm.fall(game, "lt", "6.7")
    assert decapitation.decapitated(game.state, unit(game, "inf")) is None


@rule("6.72.A1")
def test_6_72_A1_who_may_not_move_of_its_own_will_flees_where_it_has_to():
    game = beheaded(whole=german("ger-inf", "E6"), gun=soviet("sov-hmg", "E4"))
    play(game, Activate("whole", "move"))
    assert refused(game, Move("whole", "E7")) == "6.72"
    game = beheaded(broken=german("ger-inf", "E6", state="demoralized"), gun=soviet("sov-hmg", "E4"))
    play(game, Activate("broken", "recover"), Recover("broken"), dice=(6, 6))
    assert offered(game, FleeTo)


@rule("6.72")
def test_6_72_they_may_be_activated_but_do_not_move():
    game = beheaded(broken=german("ger-inf", "E6", state="demoralized"))
    play(game, Activate("broken", "recover"), Recover("broken"), dice=(6, 6))
    assert unit(game, "broken").marked
    while game.asked() != ("german",):
        play(game, Pass())
    play(game, Activate("near", "move"))
    assert refused(game, Move("near", "E7")) == "6.72"


@rule("6.72.A2")
def test_6_72_A2_it_happens_once():
    game = draw(
        one=leader("german", "E5", "CPT"),
        two=leader("german", "H5", "CPT"),
        near=german("ger-inf", "E6"),
        inf=german("ger-inf", "I6"),
        foe=soviet("sov-inf", "P1"),
    )
    harm.fall(game, "one", "6.7")
    assert decapitation.decapitated(game.state, unit(game, "near")) is not None
    game.state.turn = 5
    harm.fall(game, "two", "6.7")
    assert decapitation.decapitated(game.state, unit(game, "near")) is None
    assert decapitation.decapitated(game.state, unit(game, "inf")) is None


# --- 6.73 ---


@rule("6.73")
@pytest.mark.parametrize(("rank", "checked"), [("CPT", False), ("MAJ", True), ("COL", True)])
def test_6_73_the_loss_of_a_MAJ_or_higher_is_felt_by_all_units_in_his_hex(rank: str, checked: bool):
    game = draw(
        maj=leader("german", "E5", rank, bonus=2),
        inf=german("ger-inf", "E5", morale=[8, 7]),
        lt=leader("german", "E5", "LT"),
        near=german("ger-inf", "E6", morale=[8, 7]),
        foe=soviet("sov-inf", "P1"),
    )
    game.dice = scripted([3, 4])  # 7 on 8 less 2
    game.events.clear()
    harm.fall(game, "maj", "6.7")
    assert (unit(game, "inf").state == "disrupted") is checked
    assert unit(game, "near").good_order
    if checked:
        (found,) = [event.calculation for event in game.events if event.calculation]
        assert ("factor", "6.73", -2) in lines(found)
