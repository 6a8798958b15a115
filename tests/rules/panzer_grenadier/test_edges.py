"""Cases at the edges of rules, where a comparison or a number turned round would decide otherwise."""

from __future__ import annotations

import pytest

from opfire.core.errors import BadInput
from opfire.rulesets.panzer_grenadier.command.activation import Activate
from opfire.rulesets.panzer_grenadier.fire import antitank, reaction, smoke
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.works import fieldworks
from rules.panzer_grenadier.kit import draw, german, marker, play, rule, soviet, unit
from rules.panzer_grenadier.test_03_sequence import turn


@rule("3.0.D", "G.initiative")
@pytest.mark.parametrize(("lost", "more", "left"), [(0, 1, 3), (0, 2, 2), (1, 1, 2), (2, 1, 3), (2, 3, 2), (0, 5, 1)])
def test_3_0_D_each_threshold_costs_initiative_once(lost: int, more: int, left: int) -> None:
    """The thresholds are two and five steps."""
    game = draw(inf=german("ger-inf", "B2"), special={"sides": {"german": {"initiative": 3, "losses": [2, 5]}}})
    game.state.change_army("german", losses=lost, initiative=3)
    assert harm.initiative(game.state, "german", more) == left


@rule("3.0.A")
def test_3_0_A_the_die_has_six_sides() -> None:
    turn(6, 1)
    with pytest.raises(BadInput, match="do not fit"):
        turn(7, 1)


@rule("16.1")
@pytest.mark.parametrize(
    ("kind", "shells"),
    [("sov-mortar-82", True), ("sov-train", False), ("sov-gunboat", False), ("sov-inf", False)],
)
def test_16_1_only_mortars_and_guns_have_smoke_shells(kind: str, shells: bool) -> None:
    game = draw(one=soviet(kind, "B2"), side="soviet")
    assert (smoke.no_smoke_shells(unit(game, "one")) is None) == shells


@rule("16.1")
def test_16_1_an_armored_gun_that_does_not_bombard_has_none() -> None:
    game = draw(gun=german("ger-stug", "B2", bombard=0))
    assert smoke.no_smoke_shells(unit(game, "gun")) is not None


@rule("7.31", "11.0")
def test_11_0_anti_tank_opportunity_fire_takes_a_value_and_a_vehicle() -> None:
    game = draw(
        gun=german("ger-at-75", "B2"),
        inf=german("ger-truck", "B3"),
        tank=soviet("sov-t34", "B5"),
        foe=soviet("sov-inf", "B6"),
    )
    gun, bare, tank, foe = (unit(game, name) for name in ("gun", "inf", "tank", "foe"))
    assert reaction.no_value(gun, tank, "anti-tank") is None
    assert reaction.no_value(gun, foe, "anti-tank") is not None
    assert reaction.no_value(bare, tank, "anti-tank") is not None


@rule("11.3", "14.2")
def test_11_3_nothing_is_halved_of_a_value_of_nought() -> None:
    """Nor of a negative one: only what is above nought is halved."""
    game = draw(gun=german("ger-at-75", "A1", at_range=1), tank=soviet("sov-t34", "A5"))
    gun, tank = unit(game, "gun"), unit(game, "tank")
    assert [line.rule for line in antitank.value_lines(game.state, gun, tank)] == ["11.01", "11.3"]
    for value in (0, -1):
        firer = german("ger-at-75", "A1", at_range=1, at_value=value, state="disrupted")
        game = draw(gun=firer, tank=soviet("sov-t34", "A5"))
        gun, tank = unit(game, "gun"), unit(game, "tank")
        assert [line.rule for line in antitank.value_lines(game.state, gun, tank)] == ["11.01"]


@rule("8.42.A3", "8.1")
def test_8_42_A3_on_open_ground_a_battery_sees_as_far_as_others() -> None:
    game = draw(gun=german("ger-at-75", "A1"))
    hexes = [hex for hex in game.state.map.cells if hex != "1-A1"]
    seen = [hex for hex in hexes if spotting.sees_ground(game.state, "1-A1", hex)]
    assert 0 < len(seen) < len(hexes)
    assert [hex for hex in hexes if spotting.battery_sees_ground(game.state, "1-A1", hex)] == seen
    assert max(game.state.map.distance("1-A1", hex) for hex in seen) == 12


@rule("16.31")
def test_16_31_armor_of_exactly_the_least_clears_wrecks() -> None:
    least = draw(a=german("ger-pz3", "B2")).state.charts.figure("armor to clear wrecks")
    for armor, rules in ((least, None), (least - 1, "16.31")):
        game = draw(a=german("ger-pz3", "B2", armor=armor), markers=[marker("wreck", "B2")])
        play(game, Activate("a", "move"))
        found = fieldworks.cannot_clear(game.state, unit(game, "a"))
        assert (found.rule if found else None) == rules
