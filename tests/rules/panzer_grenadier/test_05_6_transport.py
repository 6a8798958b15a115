"""Transport and limbering [5.6]. Tests are named after rules, in the book's order."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.command.activation import Activate, ActivateStack, Begin, Designate, DesignateAll
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.movement import transport
from opfire.rulesets.panzer_grenadier.movement.moving import Move, Stop
from opfire.rulesets.panzer_grenadier.movement.transport import Limber, Load, Unlimber, Unload
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.panzer_grenadier.kit import allowed, draw, german, leader, offered, play, refused, rule, soviet, unit

DOWN = "\n".join(["."] * 12)


def active(game: Game[Position], hex: str = "A1") -> Game[Position]:
    """The game with the stack of a hex activated to move."""
    play(game, ActivateStack(f"1-{hex}"), DesignateAll("move"), Begin())
    return game


def cannot_carry(game: Game[Position], carrier: str, name: str) -> str | None:
    found = transport.cannot_carry(game.state, unit(game, carrier), unit(game, name))
    return found and found.rule


# --- who carries whom [5.6] -------------------------------------------------------------------------------------


@rule("5.6")
def test_5_6_a_transport_carries_one_unit_and_three_leaders():
    leaders = {name: leader("german", "A1") for name in ("l1", "l2", "l3", "l4")}
    game = draw(DOWN, t=german("ger-truck", "A1"), a=german("ger-inf", "A1"), b=german("ger-inf", "A1"), **leaders)
    for name in ("a", "l1", "l2", "l3"):
        assert cannot_carry(game, "t", name) is None
        game.state.load("t", name)
    assert cannot_carry(game, "t", "b") == "5.6"
    assert cannot_carry(game, "t", "l4") == "5.6"


@rule("5.6")
@pytest.mark.parametrize(("kind", "why"), [("ger-cav", "5.6"), ("ger-pz4h", "5.64"), ("ger-truck", "5.6")])
def test_5_6_cavalry_tanks_and_transports_are_not_carried(kind: str, why: str):
    game = draw(DOWN, t=german("ger-truck", "A1"), a=german(kind, "A1"))
    assert cannot_carry(game, "t", "a") == why


@rule("5.64")
def test_5_64_a_self_propelled_gun_is_not_carried_and_does_not_limber():
    game = draw(DOWN, t=german("ger-truck", "A1"), a=german("ger-wespe", "A1"))
    assert cannot_carry(game, "t", "a") == "5.64"
    assert refused(active(game), Limber("a")) == "5.62"


@rule("5.6")
def test_5_6_an_apc_carries_like_a_truck():
    game = draw(DOWN, t=german("ger-spw251", "A1"), a=german("ger-inf", "A1"), gun=german("ger-105", "A1"))
    assert cannot_carry(game, "t", "a") is None
    assert cannot_carry(game, "t", "gun") is None


@rule("6.3")
def test_6_3_cavalry_leaders_are_not_carried():
    game = draw(DOWN, t=german("ger-truck", "A1"), a=leader("german", "A1", mounted=True))
    assert cannot_carry(game, "t", "a") == "6.3"


@rule("5.6")
@pytest.mark.parametrize("state", ["disrupted", "demoralized"])
def test_5_6_a_disrupted_or_demoralized_transport_carries_nobody(state: str):
    game = draw(DOWN, t=german("ger-truck", "A1", state=state), a=german("ger-inf", "A1"))
    assert cannot_carry(game, "t", "a") == "5.6"


@rule("5.6")
def test_5_6_both_have_to_be_in_one_hex():
    game = draw(DOWN, t=german("ger-truck", "A1"), a=german("ger-inf", "A1"), b=german("ger-inf", "A2"))
    assert refused(active(game), Load("t", "b")) == "5.6"


@rule("5.6")
def test_5_6_the_loaded_transport_is_one_unit_for_stacking_and_moves_as_one():
    three = {name: german("ger-inf", "A2") for name in "bcd"}
    game = active(draw(DOWN, t=german("ger-wagon", "A1"), a=german("ger-inf", carrier="t"), **three))
    play(game, Move("t", "A2"))
    assert unit(game, "a").hex == "1-A2"
    assert refused(game, Unload("a")) == "4.5"  # outside it would be the fourth


# --- personnel [5.61] -------------------------------------------------------------------------------------------


@rule("5.61")
def test_5_61_getting_on_costs_both_a_point():
    """The wagon has five points: it loads, and goes four hexes."""
    game = active(draw(DOWN, t=german("ger-wagon", "A1"), a=german("ger-inf", "A1"), b=german("ger-inf", "A1")))
    play(game, Load("t", "a"), Move("t", "A2"), Move("t", "A3"), Move("t", "A4"))
    assert allowed(game, Move("t", "A5"))
    play(game, Move("t", "A5"))
    assert unit(game, "t").marked
    assert unit(game, "a").hex == "1-A5"


@rule("5.61")
def test_5_61_on_off_and_away_in_one_segment():
    """One point to load, three hexes, one to unload: all five."""
    game = active(draw(DOWN, t=german("ger-wagon", "A1"), a=german("ger-inf", "A1"), b=german("ger-inf", "A1")))
    play(game, Load("t", "a"), Move("t", "A2"), Move("t", "A3"), Unload("a"))
    assert (unit(game, "a").carrier, unit(game, "a").hex) == (None, "1-A3")
    play(game, Move("t", "A4"))
    assert (unit(game, "a").hex, unit(game, "t").hex) == ("1-A3", "1-A4")


@rule("5.61")
def test_5_61_who_has_got_off_enters_no_other_hex():
    game = active(draw(DOWN, t=german("ger-wagon", "A1"), a=german("ger-inf", carrier="t")))
    play(game, Unload("a"))
    assert refused(game, Move("a", "A2")) == "3.13.c"
    assert allowed(game, Move("t", "A2"))


@rule("5.61")
def test_5_61_a_unit_walks_to_its_transport_gets_on_and_gets_off():
    game = draw(DOWN, t=german("ger-wagon", "A2"), a=german("ger-inf", "A1"), lt=leader("german", "A2"))
    play(game, ActivateStack("1-A2"), DesignateAll("move"), Begin(), Move("a", "A2"), Load("t", "a"), Move("t", "A3"))
    assert unit(game, "a").hex == "1-A3"
    play(game, Unload("a"))  # one point to walk, one to get on, one to get off: three
    assert unit(game, "a").marked


@rule("5.61", "5.32")
def test_5_61_out_of_an_assault_hex_one_rides_one_hex_and_gets_off():
    """The one hex is all that the truck may move; points to let its passenger off it has left."""
    units = {"t": german("ger-truck", "A2"), "a": german("ger-inf", carrier="t"), "b": german("ger-inf", "A2")}
    game = active(draw(DOWN, x=soviet("sov-inf", "A2"), **units), "A2")
    play(game, Move("t", "A1"))
    assert refused(game, Move("t", "A2")) == "5.32"
    play(game, Unload("a"))
    assert (unit(game, "a").carrier, unit(game, "a").hex) == (None, "1-A1")
    assert unit(game, "t").marked


@rule("5.61")
def test_5_61_without_a_point_left_nobody_gets_on():
    game = draw(DOWN, t=german("ger-wagon", "A3"), a=german("ger-inf", "A1", movement=2), lt=leader("german", "A2"))
    play(game, Activate("a", "move"), Move("a", "A2"), Move("a", "A3"))
    assert unit(game, "a").carrier is None
    assert unit(game, "a").marked


@rule("5.61")
def test_5_61_a_transport_that_has_spent_all_unloads_nobody():
    game = active(draw(DOWN, t=german("ger-wagon", "A1", movement=1), a=german("ger-inf", carrier="t")))
    play(game, Move("t", "A2"))
    assert unit(game, "a").carrier == "t"
    assert unit(game, "a").marked  # it has ridden


@rule("5.61")
def test_5_61_the_transport_has_to_be_active():
    game = draw(DOWN, t=german("ger-wagon", "A1"), a=german("ger-inf", "A1"))
    play(game, Activate("a", "move"))
    assert refused(game, Load("t", "a")) == "3.1"


# --- weapons [5.62, 5.63] ---------------------------------------------------------------------------------------


@rule("5.63")
@rule("5.62")
def test_5_63_limbering_and_loading_takes_all_of_both():
    game = active(draw(DOWN, t=german("ger-truck", "A1"), gun=german("ger-105", "A1"), b=german("ger-inf", "A1")))
    play(game, Load("t", "gun"))
    assert unit(game, "gun").limbered
    assert unit(game, "gun").carrier == "t"
    assert refused(game, Move("t", "A2")) == "3.13.c"


@rule("5.63")
def test_5_63_a_transport_does_not_move_and_load_a_weapon():
    game = draw(DOWN, t=german("ger-truck", "A1"), gun=german("ger-105", "A2"), lt=leader("german", "A1"))
    play(game, ActivateStack("1-A1"), DesignateAll("move"), Begin(), Move("t", "A2"))
    assert refused(game, Load("t", "gun")) == "5.63"


@rule("5.63")
def test_5_63_nor_when_it_has_come_back():
    units = {"t": german("ger-truck", "A1"), "gun": german("ger-105", "A1"), "b": german("ger-inf", "A1")}
    game = active(draw(DOWN, **units))
    play(game, Move("t", "A2"), Move("t", "A1"))
    assert refused(game, Load("t", "gun")) == "5.63"


@rule("5.63")
def test_5_63_a_weapon_unloads_for_nothing_and_unlimbers_while_its_truck_drives_on():
    game = active(
        draw(DOWN, t=german("ger-truck", "A1", movement=2), gun=german("ger-105", carrier="t", limbered=True))
    )
    play(game, Unload("gun"), Move("t", "A2"))
    play(game, Unlimber("gun"))
    assert not unit(game, "gun").limbered
    assert unit(game, "gun").hex == "1-A1"


@rule("5.63")
def test_5_63_the_truck_loads_another_unit_in_the_same_segment():
    game = active(
        draw(
            DOWN,
            t=german("ger-truck", "A1"),
            gun=german("ger-105", carrier="t", limbered=True),
            a=german("ger-inf", "A1"),
        )
    )
    play(game, Unload("gun"), Load("t", "a"))
    assert unit(game, "a").carrier == "t"


@rule("5.63")
def test_5_63_a_weapon_that_has_ridden_does_not_unlimber():
    game = active(draw(DOWN, t=german("ger-truck", "A1"), gun=german("ger-105", carrier="t", limbered=True)))
    play(game, Move("t", "A2"), Unload("gun"))
    assert unit(game, "gun").hex == "1-A2"
    assert refused(game, Unlimber("gun")) in ("3.13.c", "procedure")
    play(game, Stop("t"))
    assert unit(game, "gun").limbered


@rule("5.63")
def test_5_63_a_weapon_that_was_driven_to_and_fro_does_not_unlimber():
    gun, more = german("ger-105", carrier="t", limbered=True), german("ger-inf", "A1")
    game = active(draw(DOWN, t=german("ger-truck", "A1"), gun=gun, b=more))
    play(game, Move("t", "A2"), Move("t", "A1"), Unload("gun"), Stop("t"))
    assert refused(game, Unlimber("gun")) == "3.13.c"


@rule("5.62")
@rule("5.63")
def test_5_62_a_weapon_limbers_by_itself_in_a_segment():
    game = active(draw(DOWN, gun=german("ger-at-37", "A1"), b=german("ger-inf", "A1")))
    play(game, Limber("gun"))
    assert unit(game, "gun").limbered
    assert refused(game, Move("gun", "A2")) == "3.13.c"


@rule("5.64")
def test_5_64_a_weapon_with_an_allowance_in_front_is_personnel():
    """A mortar of three points gets on for one, not for all."""
    game = active(draw(DOWN, t=german("ger-wagon", "A1"), m=german("ger-mortar-81", "A1")))
    play(game, Load("t", "m"))
    assert not unit(game, "m").limbered
    assert allowed(game, Move("t", "A2"))


# --- what happens to the carrier [5.65 to 5.67] -----------------------------------------------------------------


@rule("5.65.a")
@rule("5.65")
def test_5_65_a_anti_tank_fire_that_destroys_the_carrier_kills_all_aboard():
    game = draw(DOWN, t=german("ger-truck", "A1"), a=german("ger-inf", carrier="t"), lt=leader("german", carrier="t"))
    losses.suffer_at(game, "t", 1)
    game.run()
    assert {unit(game, name).status for name in ("t", "a", "lt")} == {"eliminated"}


@rule("5.66")
def test_5_66_when_the_carrier_is_shaken_all_get_off_shaken_and_weapons_limbered():
    game = draw(
        DOWN, t=german("ger-truck", "A1"), m=german("ger-mortar-81", carrier="t"), lt=leader("german", carrier="t")
    )
    harm.demoralize(game, "t")
    for name in ("t", "m", "lt"):
        assert unit(game, name).state == "demoralized"
        assert unit(game, name).carrier is None
    assert unit(game, "m").limbered
    assert not unit(game, "t").cargo


@rule("5.66")
@rule("4.1")
def test_5_66_who_is_thrown_off_into_a_full_hex_stays_and_nobody_else_enters():
    """RULINGS.md P93."""
    three = {name: german("ger-inf", "A2") for name in "bcd"}
    game = draw(DOWN, t=german("ger-truck", "A2"), a=german("ger-inf", carrier="t"), e=german("ger-inf", "A1"), **three)
    harm.demoralize(game, "t")
    assert {unit(game, name).hex for name in ("t", "a", "b", "c", "d")} == {"1-A2"}
    play(game, Activate("e", "move"))
    assert refused(game, Move("e", "A2")) == "4.5"
    play(game, Stop("e") if offered(game, Stop) else EndSegment())
    play(game, Pass())
    play(game, Activate("b", "move"), Move("b", "A3"))
    assert unit(game, "b").hex == "1-A3"


@rule("5.67")
def test_5_67_who_is_carried_cannot_be_designated_to_fire():
    game = draw(DOWN, t=german("ger-spw251", "A1"), a=german("ger-inf", carrier="t"))
    play(game, ActivateStack("1-A1"))
    assert refused(game, Designate("a", "fire")) == "5.67"
    assert allowed(game, Designate("t", "fire"))


@rule("5.67")
@rule("5.67.a")
def test_5_67_beside_the_enemy_one_gets_off_and_not_on():
    apc = {"t": german("ger-spw251", "A1"), "a": german("ger-inf", carrier="t"), "empty": german("ger-spw251", "A1")}
    game = active(draw(DOWN, **apc, b=german("ger-inf", "A1"), x=soviet("sov-inf", "A1")))
    assert refused(game, Load("empty", "b")) == "5.67"
    play(game, Unload("a"))
    assert unit(game, "a").carrier is None


@rule("13.32")
def test_13_32_getting_on_and_off_draws_no_fire():
    game = draw(t=german("ger-wagon", "C3"), a=german("ger-inf", "C3"), x=soviet("sov-inf", "E3"))
    active(game, "C3")
    for action in (Load("t", "a"), Unload("a")):
        play(game, action)
        assert game.asked() == ("german",)
    assert offered(game, Pass) == set()
    play(game, Move("t", "C2"))
    assert game.asked() == ("soviet",)  # entering a hex does
