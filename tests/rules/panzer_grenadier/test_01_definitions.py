"""The glossary [G]: what a unit is, what a state is, whose turn it is. Tests are named after its entries."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.dice import scripted
from opfire.rulesets.panzer_grenadier.actions import EndSegment
from opfire.rulesets.panzer_grenadier.charts import Kind, load_charts
from opfire.rulesets.panzer_grenadier.command import segment
from opfire.rulesets.panzer_grenadier.command.activation import Activate
from opfire.rulesets.panzer_grenadier.fire import losses, strengths
from opfire.rulesets.panzer_grenadier.fire.antitank import at_fire
from opfire.rulesets.panzer_grenadier.fire.losses import Blow
from opfire.rulesets.panzer_grenadier.fire.reaction import OpportunityFire
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.movement.moving import Move
from rules.panzer_grenadier.kit import allowed, draw, german, lines, play, refused, rule, soviet, unit

KINDS = load_charts().kinds


def kind_of(name: str) -> Kind:
    """A copy that has worked nothing out yet: other tests may have asked the one of the charts before."""
    return replace(KINDS[name])


@rule("G.afv")
@pytest.mark.parametrize(
    ("kind", "is_one"),
    [("ger-tiger", True), ("ger-spw251", True), ("ger-sk222", True), ("ger-truck", False), ("ger-88", False)],
)
def test_G_afv_whatever_prints_an_armor_value_even_zero(kind: str, is_one: bool):
    assert kind_of(kind).afv is is_one


@rule("G.apc", "G.transport", "4.3")
def test_G_apc_a_combat_unit_that_carries():
    spw = kind_of("ger-spw251")
    assert spw.apc
    assert spw.transport
    assert spw.combat
    assert spw.open_top


@rule("G.transport", "G.combat-unit")
@pytest.mark.parametrize("kind", ["ger-truck", "ger-wagon", "sov-sledge"])
def test_G_transport_the_unarmed_are_no_combat_units(kind: str):
    assert kind_of(kind).transport
    assert not kind_of(kind).combat


@rule("G.combat-unit")
@pytest.mark.parametrize("kind", ["ger-inf", "ger-mortar-81", "ger-at-50", "sov-atr"])
def test_G_combat_unit_any_fire_value_makes_one(kind: str):
    assert kind_of(kind).combat


@rule("G.weapon", "G.personnel")
@pytest.mark.parametrize(
    ("kind", "weapon", "personnel"),
    [
        ("ger-at-50", True, False),
        ("ger-105", True, False),
        ("ger-88", True, False),
        ("sov-su76", False, False),
        ("ger-inf", False, True),
        ("ger-motorcycle", False, True),
        ("ger-mortar-81", False, True),
        ("sov-atr", False, True),
        ("sov-cav", False, True),
        ("ger-truck", False, False),
    ],
)
def test_G_weapon_towed_guns_and_G_personnel_all_who_are_no_vehicles_or_guns(kind: str, weapon: bool, personnel: bool):
    assert kind_of(kind).weapon is weapon
    assert kind_of(kind).personnel is personnel


@rule("G.closed-top", "G.open-top")
@pytest.mark.parametrize(
    ("kind", "closed"), [("ger-tiger", True), ("ger-sk222", True), ("ger-spw251", False), ("ger-marder", False)]
)
def test_G_closed_top_and_G_open_top_tell_who_loses_steps_to_fire(kind: str, closed: bool):
    game = draw(it=german(kind, "C3"), foe=soviet("sov-inf", "P9"))
    assert losses.closed_top(unit(game, "it")) is closed
    game.dice = scripted([1, 1])
    losses.suffer(game, "german", "1-C3", (Blow(("it",), "X"),), "direct")
    game.run()
    whole = kind_of(kind).steps
    assert unit(game, "it").hex is not None if closed else True
    assert (unit(game, "it").steps if unit(game, "it").hex else 0) == (whole if closed else whole - 1)


@rule("G.fractions")
@pytest.mark.parametrize(("whole", "half"), [(5, 3), (4, 2), (1, 1)])
def test_G_fractions_halves_are_rounded_up(whole: int, half: int):
    assert strengths.halved(whole) == half


@rule("G.good-order", "G.disrupted")
def test_G_good_order_everybody_starts_in_it_and_the_disrupted_are_not_in_it():
    game = draw(inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "P9"))
    assert unit(game, "inf").good_order
    harm.disrupt(game, "inf")
    assert unit(game, "inf").state == "disrupted"
    assert not unit(game, "inf").good_order


@rule("G.assault")
def test_G_assault_a_hex_with_combat_units_of_both_sides():
    game = draw(
        inf=german("ger-inf", "C3"),
        foe=soviet("sov-inf", "C3"),
        tank=german("ger-pz3", "E3"),
        truck=soviet("sov-truck", "E3"),
    )
    assert game.state.assault_hex("1-C3")
    assert not game.state.assault_hex("1-E3")


@rule("G.active", "G.inactive", "G.friendly", "G.action-segment")
def test_G_active_one_side_acts_with_its_own_units_of_whatever_nation():
    game = draw(inf=german("ger-inf", "C3"), ally=german("rom-inf", "C4"), foe=soviet("sov-inf", "P9"))
    assert game.asked() == ("german",)
    assert segment.cannot_pass(game.state, "german") is None
    assert allowed(game, Activate("ally", "move"))
    assert refused(game, Activate("foe", "move")) == "procedure"
    play(game, Activate("ally", "move"), EndSegment())
    assert game.asked() == ("soviet",)


@rule("G.active", "G.inactive")
def test_G_active_who_conducts_the_segment_and_G_inactive_the_other_turn_and_turn_about():
    game = draw(
        one=german("ger-inf", "C3"),
        two=german("ger-inf", "C4"),
        foe=soviet("sov-inf", "P9"),
    )
    play(game, Activate("one", "move"), EndSegment())
    assert game.state.current == "soviet"
    assert refused(game, Activate("two", "move")) == "procedure"  # all of the other side's are inactive
    play(game, Activate("foe", "move"), EndSegment())
    assert game.state.current == "german"
    assert game.asked() == ("german",)


@rule("G.opp-fire", "3.14")
def test_G_opp_fire_the_inactive_side_may_shoot_at_one_who_moves():
    game = draw(inf=german("ger-inf", "C3"), foe=soviet("sov-hmg", "C6"))
    play(game, Activate("inf", "move"), Move("inf", "C2"))
    frame = game.stack[-1]
    assert isinstance(frame, OpportunityFire)
    assert game.asked() == ("soviet",)


@rule("G.result", "G.modifiers")
def test_G_result_losses_or_checks_read_on_a_shifted_column():
    game = draw(inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "P9"))
    owed = {
        result: list(losses.owed_by(game.state, Blow(("inf",), result), "direct"))
        for result in ("none", "M2", "X", "2X")
    }
    assert [sum(one.left for one in found) for found in owed.values()] == [0, 0, 1, 2]
    assert losses.check_after(unit(game, "inf"), "M2", "direct") == "M2"
    assert load_charts().direct.column(4, +2) > load_charts().direct.column(4) > load_charts().direct.column(4, -1)


@rule("G.at-fire")
def test_G_at_fire_one_gun_against_one_vehicle():
    game = draw(tank=german("ger-pz3", "C3"), gun=soviet("sov-at-45", "C5"))
    found = at_fire(game.state, unit(game, "gun"), unit(game, "tank"))
    assert lines(found)[:2] == [("modifier", "11.01", 3), ("modifier", "11.01", -3)]  # its value, the armor


@rule("G.initiative")
def test_G_initiative_falls_by_losses():
    army = {"sides": {"german": {"initiative": 3, "losses": [1]}, "soviet": {}}}
    game = draw(inf=german("ger-inf", "C3"), foe=soviet("sov-inf", "P9"), special=army)
    before = game.state.armies["german"].initiative
    harm.lose_step(game, "inf")
    assert game.state.armies["german"].initiative == before - 1
