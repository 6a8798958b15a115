"""More cases at the edges of rules: dice, assaults, fire, morale, movement and transport, in the book's order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

import pytest

from opfire.core.dice import scripted
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.core.record import new_game
from opfire.rulesets.panzer_grenadier import RULESET
from opfire.rulesets.panzer_grenadier.assault import assaulting, leaving
from opfire.rulesets.panzer_grenadier.assault.assaulting import DeclareAssault, EnterAssault
from opfire.rulesets.panzer_grenadier.assault.charge import Charge
from opfire.rulesets.panzer_grenadier.command import leaders
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.command.formations import GiveSegment
from opfire.rulesets.panzer_grenadier.fire import bombardment, direct, reaction, smoke
from opfire.rulesets.panzer_grenadier.fire.losses import Blow, suffer
from opfire.rulesets.panzer_grenadier.morale import checks, flight, harm
from opfire.rulesets.panzer_grenadier.morale.flight import FleeTo, TakeAlong
from opfire.rulesets.panzer_grenadier.morale.recovery import LoseHeart, Recover, cannot_assist, moved, recovery_of
from opfire.rulesets.panzer_grenadier.movement import moving, rivers
from opfire.rulesets.panzer_grenadier.movement.moving import EnterMap, GoAlong, Move
from opfire.rulesets.panzer_grenadier.movement.reaching import reach
from opfire.rulesets.panzer_grenadier.movement.transport import Load, Unload
from opfire.rulesets.panzer_grenadier.optional import fogofwar
from opfire.rulesets.panzer_grenadier.optional.rules import Consolidate, random_event
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.sequence import start_turn
from opfire.rulesets.panzer_grenadier.shown.view import view
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.works.fieldworks import DigIn
from rules.panzer_grenadier.kit import (
    allowed,
    battle,
    draw,
    force,
    german,
    leader,
    marker,
    offered,
    play,
    refused,
    rule,
    soviet,
    unit,
    why_not,
)
from rules.panzer_grenadier.test_05_7_rivers import BROOK, active, at_the_river, where
from rules.panzer_grenadier.test_12_assault import FOE, INF, LT, led
from rules.panzer_grenadier.test_14_31_flight import FAILS, broken, run
from rules.panzer_grenadier.test_18_1_sectors import divided
from rules.panzer_grenadier.test_18_players import anna, bert, shared

# --- six-sided dice ---------------------------------------------------------------------------------------------


def no_seven(game: Game[Position], act: Callable[[], object], before: Iterable[int] = ()) -> None:
    """After these dice the next one is a die of six sides: a seven does not fit."""
    game.dice = scripted([*before, 7, 1, 1, 1, 1])
    with pytest.raises(BadInput, match="do not fit"):
        act()


@rule("12.4.a")
def test_12_4_a_assaults_are_rolled_with_six_sided_dice() -> None:
    game = led(lt=LT, a=german(INF, "C5"), x=FOE)
    play(game, EnterAssault("a", "C6"))
    no_seven(game, lambda: play(game, DeclareAssault("C6")))


@rule("6.7")
def test_6_7_leaders_fall_on_two_six_sided_dice() -> None:
    game = draw(lt=leader("german", "B2"))
    no_seven(game, lambda: leaders.casualties(game, ["lt"], 1))
    chances = leaders.casualty(game.state, unit(game, "lt"), 1).chances()
    assert chances == {"falls": Fraction(3, 36), "unhurt": Fraction(33, 36)}


@rule("6.71.a")
def test_6_71_a_lone_leaders_fall_on_two_six_sided_dice() -> None:
    game = draw(lt=leader("german", "B2"), foe=soviet("sov-inf", "B3"))
    no_seven(game, lambda: leaders.overrun(game, "1-B2", "soviet"))


@rule("9.52", "9.53")
@pytest.mark.parametrize("before", [(), (1,)])
def test_9_52_stray_rounds_fall_by_six_sided_dice(before: tuple[int, ...]) -> None:
    game = draw(inf=german("ger-inf", "B2"))
    no_seven(game, lambda: bombardment.stray(game, "german", "1-B2", ()), before)


@rule("9.53")
def test_9_53_friendly_fire_is_two_six_sided_dice() -> None:
    game = draw(inf=german("ger-inf", "B2"))
    (group,) = bombardment.stray_fire(game.state, "1-B2", "german", 6)
    assert sum(group.calculation.chances().values()) == 1
    assert all(36 % chance.denominator == 0 for chance in group.calculation.chances().values())


@rule("14.1", "14.11", "14.12")
def test_14_1_morale_is_checked_with_two_six_sided_dice() -> None:
    game = draw(inf=german("ger-inf", "B2", morale=[8, 7]))
    found = checks.calculation_of(game.state, checks.Test("inf", "M"))
    assert found.chances()["holds"] == Fraction(26, 36)  # up to eight


@rule("17.4")
def test_17_4_the_fog_of_war_is_three_six_sided_dice() -> None:
    game = draw(inf=german("ger-inf", "B2"))
    assert fogofwar.chance(game.state).chances()["the turn ends"] == Fraction(10, 216)  # sixteen or more


@rule("17.5")
def test_17_5_a_random_event_is_two_six_sided_dice() -> None:
    game = draw(inf=german("ger-inf", "B2"))
    no_seven(game, lambda: random_event(game, "german"))


# --- the sequence of play [3.0] ---------------------------------------------------------------------------------


@rule("3.0.B", "3.0.E")
@pytest.mark.parametrize(
    ("lead", "sides"),
    [(0, "gsgs"), (1, "gsgs"), (2, "ggsgs"), (3, "gggsgs")],
)
def test_3_0_B_the_track_shows_the_segments_before_the_other_sides_first(lead: int, sides: str) -> None:
    game = draw(inf=german("ger-inf", "B2"))
    game.state.lead = lead
    told = [row["side"][0] for row in view(game.state, "german", game.stack[-1])["segments"]]
    assert "".join(told) == sides


@rule("17.4")
def test_17_4_segments_are_counted_from_nought_each_turn() -> None:
    game = draw(inf=german("ger-inf", "B2"), foe=soviet("sov-inf", "P9"))
    game.state.change_army("german", segments=5)
    start_turn(game)
    assert [army.segments for army in game.state.armies.values()] == [0, 0]


# --- movement [5.0] ---------------------------------------------------------------------------------------------


@rule("5.0.a", "6.3")
def test_5_0_a_a_leader_goes_along_if_he_is_active_to_move_and_not_aboard() -> None:
    game = draw(
        inf=german("ger-inf", "B2"),
        lt=leader("german", "B2"),
        sgt=leader("german", "B2"),
        truck=german("ger-truck", "B2"),
        rider=leader("german", carrier="truck"),
        shaken=german("ger-inf", "B2", state="disrupted"),
    )
    play(game, ActivateStack("B2"), Designate("sgt", "recover"), DesignateAll("move"), Begin())
    assert allowed(game, GoAlong("inf", "lt"))
    assert refused(game, GoAlong("inf", "sgt")) == "3.13"
    assert refused(game, GoAlong("inf", "rider")) == "5.6"


@rule("5.6")
def test_5_6_no_unit_that_is_not_active_gets_aboard() -> None:
    game = draw(truck=german("ger-truck", "B2"), inf=german("ger-inf", "B2"))
    play(game, Activate("truck", "move"))
    assert refused(game, Load("truck", "inf")) == "3.1"


@rule("5.61")
def test_5_61_the_log_names_the_hex_in_which_a_unit_gets_aboard() -> None:
    game = draw(truck=german("ger-truck", "B2"), inf=german("ger-inf", "B2"))
    play(game, ActivateStack("B2"), DesignateAll("move"), Begin())
    (event,) = [event for event in play(game, Load("truck", "inf")) if event.kind == "loaded"]
    assert event.places == ("1-B2",)


@rule("5.61")
def test_5_61_getting_off_costs_the_carrier_a_point() -> None:
    game = draw(truck=german("ger-truck", "B2"), inf=german("ger-inf", carrier="truck"))
    play(game, ActivateStack("B2"), DesignateAll("move"), Begin(), Unload("inf"))
    assert game.state.activation is not None
    assert game.state.activation.spent_by("truck") == 2  # half points


@rule("5.63")
def test_5_63_a_weapon_unloaded_where_it_was_may_still_be_activated() -> None:
    game = draw(truck=german("ger-truck", "B2"), gun=german("ger-at-75", carrier="truck", limbered=True))
    play(game, Activate("truck", "move"), Unload("gun"))
    assert not unit(game, "gun").marked


@rule("5.6", "5.62")
def test_5_62_a_gun_that_starts_aboard_is_limbered_and_a_light_mortar_is_not() -> None:
    aboard = [force("ger-at-75", "all", carrier="ger-truck"), force("ger-mortar-81", "all", carrier="ger-truck")]
    told = battle(
        "aboard",
        "\n".join([". " * 8] * 4),
        german=[force("ger-truck", "all", 2), *aboard],
        soviet=[force("sov-inf", at=["1-H4"])],
        zones={"all": ["A1", "A2"]},
        special={"year": 1943, "sides": {"german": {"initiative": 3}, "soviet": {"initiative": 3}}},
        turns=2,
    )
    game: Game[Position] = new_game(RULESET, told, scripted(()))
    limbered = {
        one.kind.type: one.limbered for one in game.state.units.values() if one.carrier is not None and one.kind
    }
    assert limbered == {"at-gun": True, "mortar": False}


@rule("16.51", "3.1")
def test_16_51_only_an_active_reinforcement_comes_onto_the_map() -> None:
    game = draw(truck=german("ger-truck", entry=["A3"]), inf=german("ger-inf", entry=["A3"]))
    play(game, Activate("truck", "move"))
    assert refused(game, EnterMap("inf", "A3")) == "3.1"


@rule("16.51", "16.61")
def test_16_61_a_hidden_leader_alone_does_not_turn_a_unit_away_from_its_entry_hex() -> None:
    game = draw(
        inf=german("ger-inf", entry=["A3"]),
        boss=soviet("leader", "A3", rank="LT", leads=8, hidden=True),
        foe=soviet("sov-inf", "P9"),
    )
    play(game, Activate("inf", "move"), EnterMap("inf", "A3"), dice=[6, 6])
    assert unit(game, "inf").hex == "1-A3"


# --- rivers [5.7] -----------------------------------------------------------------------------------------------

BRIDGE = {"roads": ["C2 C3 C4"], "bridges": {"C3": "wood"}}


@rule("5.71")
def test_5_71_a_unit_that_begins_on_a_bridge_is_not_in_the_water() -> None:
    game = at_the_river(fields=BRIDGE, t=german("ger-truck", "C3"))
    assert not rivers.off_bridge(game.state, unit(game, "t"), "1-C3")
    assert allowed(active(game, "C3"), Move("t", "C4"))


@rule("5.73.b", "12.61")
@pytest.mark.parametrize(("dice", "hex"), [((4, 4), "C4"), ((4, 5), "C3")])
def test_5_73_b_an_assault_across_a_major_river_takes_a_crossing(dice: tuple[int, int], hex: str) -> None:
    game = at_the_river(
        eng=german("ger-eng", "C3", afloat=1, bank="1-C2"),
        lt=leader("german", "C3", afloat=2, bank="1-C2"),
        a=german("ger-inf", "C3", afloat=2, bank="1-C2"),
        x=soviet("sov-inf", "C4"),
    )
    play(game, ActivateLeader("lt"), DesignateAll("fire"), Begin(), EnterAssault("a", "C4"), dice=dice)
    assert where(game, "a") == hex


@rule("5.73", "5.73.f")
def test_5_73_an_engineer_does_not_assist_units_that_came_into_the_water_with_him() -> None:
    game = at_the_river(
        True, eng=german("ger-eng", "C3", afloat=2, bank="1-C2"), t=german("ger-truck", "C3", afloat=2, bank="1-C2")
    )
    assert not rivers.assisting(game.state, unit(game, "eng"), "1-C3")
    game.state.change("t", afloat=3)
    assert rivers.assisting(game.state, unit(game, "eng"), "1-C3")


@rule("5.73.f")
def test_5_73_f_the_way_back_leads_to_a_hex_next_to_the_river_hex() -> None:
    game = at_the_river(t=german("ger-truck", "C3", afloat=2, bank="1-A2"))
    ways = list(rivers.ways_back(game.state, unit(game, "t")))
    assert ways
    assert all(game.state.map.adjacent("1-C3", hex) for hex in ways)


@rule("5.73.f", "5.71")
def test_5_73_f_the_engineers_flight_leaves_units_on_the_bridge_where_they_are() -> None:
    game = at_the_river(
        fields=BRIDGE,
        eng=german("ger-eng", "C3", afloat=1, bank="1-C2"),
        wet=german("ger-inf", "C3", afloat=2, bank="1-C2"),
        dry=german("ger-inf", "C3"),
    )
    active(game, "C3")
    moving.follow_engineer(game, unit(game, "eng"), "1-C3")
    game.state.lift("eng", "eliminated")
    assert (where(game, "wet"), where(game, "dry")) == ("C2", "C3")


@rule("5.72", "5.32")
def test_5_72_the_reach_of_a_unit_in_the_river_since_turn_1_is_its_next_hexes() -> None:
    game = draw(
        "\n".join([". . . . . ."] * 7),
        fields=BROOK,
        turn=2,
        a=german("ger-cav", "C3", afloat=1, bank="1-C2"),
    )
    active(game, "C3")
    places = {row["place"] for row in reach(game.state, "german", unit="a")["places"]}
    assert places
    assert all(game.state.map.distance("1-C3", hex) == 1 for hex in places)


@rule("5.72", "16.51")
def test_5_72_a_unit_that_comes_onto_the_map_in_a_river_has_no_bank_behind_it() -> None:
    game = draw(
        "\n".join([". . . . . ."] * 7),
        fields={"gullies": ["A3 B3 C3 D3 E3 F3"]},
        turn=3,
        a=german("ger-cav", entry=["A3"]),
    )
    play(game, Activate("a", "move"), EnterMap("a", "A3"))
    assert (where(game, "a"), unit(game, "a").bank) == ("A3", "")
    assert unit(game, "a").afloat == 3


# --- fire [7.0 to 13.0] -----------------------------------------------------------------------------------------


@rule("7.1")
def test_7_1_a_unit_that_has_moved_in_to_assault_makes_no_direct_attack() -> None:
    game = led(lt=LT, a=german(INF, "C5"), x=FOE, y=soviet("sov-inf", "C8"))
    play(game, EnterAssault("a", "C6"))
    found = direct.has_shot(game.state, unit(game, "a"))
    assert found is not None
    assert found.rule == "7.1"


@rule("7.23")
@pytest.mark.parametrize(("fired", "left"), [(8, 2), (10, 0), (12, 0)])
def test_7_23_never_less_than_nothing_is_left_of_a_divided_value(fired: int, left: int) -> None:
    """A unit that is shaken after its first part may have fired more than its value is now."""
    game = draw(gun=german("ger-hmg", "B2", direct=10), x=soviet("sov-inf", "B4"), y=soviet("sov-inf", "C4"))
    play(game, Activate("gun", "fire"))
    game.state.acting(parts={"gun": {"1-B4": fired}})
    refusal = direct.too_little_left(game.state, unit(game, "gun"))
    assert refusal is not None
    assert f"has {left} left" in refusal.sentence()


@rule("9.1", "18.12")
def test_9_1_an_enemy_whom_no_leader_sees_is_not_in_another_sectors_view() -> None:
    game = divided(gun=german("ger-105", "A1"), lt=leader("german", "B1"), foe=soviet("sov-inf", "H10", hidden=True))
    assert bombardment.no_observer(game.state, "german", "1-H10").rule == "9.1"


@rule("9.1", "16.11")
def test_16_11_a_leader_sees_ground_for_smoke_in_his_own_sector() -> None:
    game = divided(lt=leader("german", "C3"), options=["R16.11"], foe=soviet("sov-inf", "P10"))
    assert smoke.out_of_sight(game.state, "german", "1-E3") is None
    assert smoke.out_of_sight(game.state, "german", "1-I4").rule == "16.11"


@rule("13.4")
def test_13_4_no_unit_fires_at_a_target_in_an_assault_hex() -> None:
    game = draw(a=german(INF, "C5"), x=soviet("sov-inf", "C5"), b=german(INF, "C7"))
    assert reaction.assault_exempt(game.state, unit(game, "a")).rule == "13.4"
    assert reaction.assault_exempt(game.state, unit(game, "b")) is None


# --- assault [12.0] ---------------------------------------------------------------------------------------------


@rule("12.3.a", "6.2", "3.13")
def test_12_3_a_a_leader_designated_to_move_takes_no_part_in_an_assault() -> None:
    game = draw(lt=leader("german", "C6", combat=1), a=german(INF, "C6"), x=FOE)
    play(game, ActivateStack("C6"), Designate("lt", "move"), DesignateAll("fire"), Begin())
    refusal = assaulting.cannot_attack(game.state, unit(game, "lt"), "1-C6")
    assert refusal is not None
    assert refusal.rule == "3.13"


@rule("5.32", "12.12")
def test_5_32_a_leader_alone_among_enemies_leaves_an_assault_only_if_others_have_left_it() -> None:
    game = draw(a=german("ger-inf", "B2"), lt=leader("german", "C6"), x=FOE)
    play(game, Activate("a", "move"))
    assert not leaving.leaving(game.state, unit(game, "lt"))
    game.state.acting(left={"1-C6": ("a",)})
    assert leaving.leaving(game.state, unit(game, "lt"))


@rule("6.71.a")
def test_6_71_a_leaders_among_no_enemies_do_not_fall() -> None:
    game = draw(lt=leader("german", "C6"), far=soviet("sov-inf", "P9"))
    game.dice = scripted([])
    assaulting.abandoned(game, "1-C6", "german")
    assert unit(game, "lt").hex == "1-C6"


@rule("15.31", "5.11")
def test_15_31_a_charge_costs_no_more_than_the_whole_allowance() -> None:
    """A clear hex and a hex of woods cost cavalry three points."""
    woods = "\n".join(". . w . . ." if row == 5 else ". . . . . ." for row in range(10))
    more = {"gun": german("ger-hmg", "D4"), "x": FOE, "y": soviet("sov-inf", "D6")}
    for points, reason in ((3, None), (2, "5.11")):
        lt = leader("german", "C4", mounted=True)
        game = led(woods, lt=lt, cav=german("ger-cav", "C4", movement=points), **more)
        assert why_not(game, Charge("cav", "1-C5", "C6")) == reason


# --- morale [14.0] ----------------------------------------------------------------------------------------------


@rule("14.14")
@pytest.mark.parametrize(("dice", "words"), [((1, 1), "holds"), ((6, 6), "fails its morale check")])
def test_14_14_the_log_says_whether_a_unit_holds(dice: tuple[int, int], words: str) -> None:
    game = draw(inf=german("ger-inf", "B2", morale=[8, 7]))
    game.dice = scripted(dice)
    harm.roll(game, checks.Test("inf", "M"))
    (event,) = [event for event in game.events if event.dice == dice]
    assert event.sentence().endswith(words)


@rule("7.6", "5.65")
def test_5_65_the_log_cites_why_carrier_and_passenger_are_lost() -> None:
    game = draw(truck=german("ger-truck", "B2"), inf=german("ger-inf", carrier="truck"))
    harm.eliminate(game, "truck")
    assert {event.units: event.rule for event in game.events if event.kind == "eliminated"} == {
        ("truck",): "7.6",
        ("inf",): "5.65",
    }


@rule("14.31.A6", "G.safe-hex")
def test_14_31_A6_by_the_strict_reading_ground_that_hides_a_unit_is_safe() -> None:
    board = "\n".join([". . . . . w . . . ."] + [". " * 10] * 3)
    game = draw(board, options=["R14.31"], inf=broken(at="D1"), foe=soviet("sov-inf", "A1"))
    assert flight.safe(game.state, unit(game, "inf"), "1-F1")
    assert not flight.safe(game.state, unit(game, "inf"), "1-E1")


@rule("14.33")
def test_14_33_a_hex_nearer_to_the_enemy_is_refused_for_that() -> None:
    game = draw(inf=broken(), foe=soviet("sov-hmg", "H3"))
    play(game, Activate("inf", "recover"), Recover("inf"), dice=FAILS)
    assert refused(game, FleeTo("H4")) == "14.33"
    here, there = "1-H5", "1-H3"
    beside = [hex for hex in game.state.map.neighbours[here] if hex and game.state.map.distance(hex, there) == 2]
    assert [refused(game, FleeTo(hex)) for hex in beside] == ["14.33", "14.33"]


@rule("14.31")
def test_14_31_a_unit_flees_neither_into_closed_ground_nor_across_a_river() -> None:
    """A truck stays out of a minor river."""
    board = "\n".join([". " * 10] * 10)
    game = draw(
        board,
        fields={"gullies": ["A6 B6 C6 D6 E6 F6 G6 H6 I6 J6"]},
        inf=broken("ger-truck", "E5"),
        foe=soviet("sov-hmg", "E3"),
    )
    play(game, Activate("inf", "recover"), Recover("inf"), dice=FAILS)
    assert refused(game, FleeTo("E6")) == "5.72.a"


@rule("14.31", "5.31", "16.71")
def test_14_31_a_fleeing_unit_meets_the_mines_of_its_hex() -> None:
    game = draw(
        inf=broken(at="H5"),
        foe=soviet("sov-hmg", "H3"),
        markers=[marker("mines", hex, side="soviet", value="1") for hex in ("H6", "G5", "I5", "G6", "I6")],
    )
    play(game, Activate("inf", "recover"), Recover("inf"), dice=FAILS)
    to = min(action.to for action in offered(game, FleeTo) if isinstance(action, FleeTo))
    game.dice = scripted([3])
    game.play("german", FleeTo(to))
    while game.asked() == ("soviet",) and not unit(game, "inf").stopped:
        play(game, *[one for one in game.choices("soviet") if type(one).__name__ == "Pass"])
    assert unit(game, "inf").stopped


@rule("14.3.a", "6.52.a")
def test_14_3_a_a_leader_who_flees_along_is_marked() -> None:
    game = draw(inf=broken(at="H5"), lt=leader("german", "H5"), b=german("ger-inf", "H5"), foe=soviet("sov-hmg", "H4"))
    play(game, ActivateStack("H5"), Designate("b", "move"), DesignateAll("recover"), Begin())
    play(game, Recover("inf"), dice=FAILS)
    play(game, TakeAlong("lt"))
    run(game)
    assert unit(game, "lt").hex == unit(game, "inf").hex != "1-H5"
    assert unit(game, "lt").marked


@rule("14.4")
def test_14_4_a_unit_that_has_got_off_a_carrier_does_not_recover() -> None:
    game = draw(truck=german("ger-truck", "B2"), inf=german("ger-inf", "B2", state="disrupted"))
    play(game, ActivateStack("B2"), Designate("inf", "move"), DesignateAll("move"), Begin(), Load("truck", "inf"))
    found = moved(game.state, unit(game, "inf"))
    assert found is not None
    assert found.rule == "14.4"


@rule("14.41", "6.63")
def test_14_41_a_recovery_without_a_kommissar_is_one_of_14_41() -> None:
    for hex, number in (("C5", "14.41"), ("B2", "6.63")):
        inf, kom = soviet("sov-inf", "B2", state="demoralized"), leader("soviet", hex, "KOM")
        game = draw(inf=inf, kom=kom, side="soviet")
        play(game, Activate("inf", "recover"))
        assert recovery_of(game.state, unit(game, "inf")).rule == number


@rule("G.demoralized", "3.13")
def test_G_demoralized_only_an_active_unit_loses_heart() -> None:
    game = draw(a=german("ger-inf", "B2"), b=german("ger-inf", "C5"))
    play(game, Activate("a", "move"))
    assert refused(game, LoseHeart("b")) == "3.1"


@rule("6.52")
def test_6_52_a_kommissar_gives_no_bonus() -> None:
    game = draw(
        inf=soviet("sov-inf", "B2", state="disrupted"),
        kom=leader("soviet", "B2", "KOM", bonus=1),
        lt=leader("soviet", "B2", bonus=1),
        side="soviet",
    )
    play(game, ActivateStack("B2"), DesignateAll("recover"))
    if offered(game, Begin):
        play(game, Begin())
    assert cannot_assist(game.state, unit(game, "lt"), unit(game, "inf")) is None
    assert cannot_assist(game.state, unit(game, "kom"), unit(game, "inf")).rule == "6.52"


@rule("6.52.A1", "14.4")
def test_6_52_A1_a_disrupted_leader_who_has_recovered_may_still_help() -> None:
    game = draw(
        inf=german("ger-inf", "C3", state="disrupted"),
        lt=leader("german", "C3", leads=8, bonus=1, state="disrupted"),
    )
    play(game, ActivateStack("C3"), DesignateAll("recover"))
    if offered(game, Begin):
        play(game, Begin())
    play(game, Recover("lt"), dice=(1, 2))
    assert allowed(game, Recover("inf", "lt"))


# --- special rules [16.0] and options [17.0] --------------------------------------------------------------------


@rule("16.2")
def test_16_2_a_unit_that_has_been_aboard_in_this_segment_does_not_dig_in() -> None:
    game = draw(truck=german("ger-truck", "B2"), inf=german("ger-inf", "B2"), b=german("ger-inf", "B2"))
    play(game, ActivateStack("B2"), DesignateAll("move"), Begin())
    assert allowed(game, DigIn("b"))
    game.state.spend("b", 2)
    assert refused(game, DigIn("b")) == "16.2"


@rule("16.61")
def test_16_61_a_carrier_that_is_placed_shows_its_passengers() -> None:
    game = draw(truck=german("ger-truck", "B2", hidden=True), inf=german("ger-inf", carrier="truck", hidden=True))
    spotting.reveal(game, "truck")
    assert not unit(game, "inf").hidden


@rule("17.1")
def test_17_1_units_consolidate_only_when_both_are_active_and_have_not_moved() -> None:
    game = draw(
        options=["17.1"],
        a=german("ger-inf", "B2", reduced=True),
        b=german("ger-inf", "B2", reduced=True),
        c=german("ger-inf", "B2", reduced=True),
    )
    play(game, ActivateStack("B2"), Designate("c", "fire"), DesignateAll("move"), Begin())
    assert allowed(game, Consolidate("a", "b"))
    assert refused(game, Consolidate("a", "c")) == "3.13"


@rule("18.31")
def test_18_31_the_track_does_not_stand_at_orders_in_a_segment() -> None:
    game = divided(a=german("ger-inf", "A1"), foe=soviet("sov-inf", "P10"))
    first = view(game.state, "german", game.stack[-1])["track"][0]
    assert (first["id"], first["now"]) == ("orders", False)


@rule("18.21", "7.61")
def test_18_21_the_officer_chooses_among_units_of_several_players_in_anothers_segment_too() -> None:
    game = shared(a=bert("ger-inf", "C3"), b=anna("ger-inf", "C3"))
    play(game, GiveSegment("bert"), seat="anna")
    suffer(game, "german", "1-C3", (Blow(("a", "b"), "1"),), "direct")
    game.run()
    assert [seat for seat in ("anna", "bert") if len(game.choices(seat)) > 0] == ["anna"]
