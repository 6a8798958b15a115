"""Cohesion [5]: rolls, states, recovery; combat results [7.2]."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.rulesets.micro_armour.cohesion import cohesion_roll, level, modifier, states
from opfire.rulesets.micro_armour.recovery import recover, recovery, shaken
from opfire.rulesets.micro_armour.results import apply_result, effect
from rules.micro_armour.kit import PANZER, STAFF, T34, game, position, rule, scripts, stand

SHAKEN = {"suppressed": True, "disorganized": True}
TANKS = [(T34, "10,10"), (T34, "20,10")]


@rule("5.1-roll")
def test_5_1_a_roll_up_to_the_cohesion_level_succeeds() -> None:
    roll = cohesion_roll("to fire", "7.1.6-roll", 13, [])
    assert roll.result([13]) == "success"
    assert roll.result([14]) == "failure"


@rule("5.1-mods")
def test_5_1_modifiers_add_up_and_change_the_die() -> None:
    roll = cohesion_roll("to move", "8.2.4", 14, [modifier("one", 3, "5.2-D"), modifier("two", -2, "10.1.2")])
    assert roll.modifier == 1
    assert [roll.result([number]) for number in (13, 14)] == ["success", "failure"]


@rule("5.1-natural")
def test_5_1_a_natural_1_succeeds_and_a_natural_20_fails() -> None:
    hard = cohesion_roll("to fire", "7.1.6-roll", 5, [modifier("everything", 17, "5.1-mods")])
    assert hard.chances() == {"success": Fraction(1, 20), "failure": Fraction(19, 20)}
    easy = cohesion_roll("to fire", "7.1.6-roll", 20, [modifier("help", -4, "5.1-mods")])
    assert easy.result([20]) == "failure"


@rule("5.1-level", "9.6.2-dark")
def test_5_1_the_level_is_the_force_s_or_the_formation_s_and_lower_in_the_dark() -> None:
    brigade = f'formations = [{{name = "guards", cohesion = 16, units = {{{T34} = 1}}}}]'
    made = position(soviet=TANKS, soviet_more=brigade, top="darkness = 2")
    assert level(made, made.units["soviet-1"]) == 14
    assert level(made, made.units["soviet-2"]) == 11


@rule("5.2-S", "5.2-D", "5.2-SD")
@pytest.mark.parametrize(("suppressed", "disorganized", "total"), [(True, False, 4), (False, True, 3), (True, True, 7)])
def test_5_2_states_add_to_all_cohesion_rolls(suppressed: bool, disorganized: bool, total: int) -> None:
    made = position(soviet=TANKS)
    unit = stand(made, "soviet-1", suppressed=suppressed, disorganized=disorganized)
    assert sum(line.amount for line in states(unit)) == total


@rule("5.2-normal")
def test_5_2_a_stand_in_the_normal_state_has_no_modifier() -> None:
    made = position(soviet=TANKS)
    shaken, normal = stand(made, "soviet-1", suppressed=True), made.units["soviet-2"]
    assert [sum(line.amount for line in states(unit)) for unit in (shaken, normal)] == [4, 0]


# --- recovery: the example of 5.3 -----------------------------------------------------------------------------


@rule("5.3-recover", "5.3-rally", "5.3-panic")
@pytest.mark.parametrize(
    ("number", "outcome"),
    [(1, "rallies"), (2, "recovers"), (6, "recovers"), (7, "no change"), (19, "no change"), (20, "panics")],
)
def test_5_3_the_example_of_max_whose_tank_is_suppressed_and_disorganized(number: int, outcome: str) -> None:
    made = position(soviet=TANKS)
    unit = stand(made, "soviet-1", suppressed=True, disorganized=True)
    assert recovery(made, unit).result([number]) == outcome


@rule("5.3-recover", "5.3-rally", "5.3-panic")
@pytest.mark.parametrize(("number", "left"), [(1, (False, False)), (6, (False, True)), (7, (True, True)), (20, None)])
def test_5_3_what_becomes_of_the_tank(number: int, left: tuple[bool, bool] | None) -> None:
    made = game(soviet=TANKS)
    stand(made.state, "soviet-1", suppressed=True, disorganized=True)
    scripts(made, [number])
    recover(made, "soviet-1")
    unit = made.state.units["soviet-1"]
    assert (unit.status == "eliminated") == (left is None)
    if left is not None:
        assert (unit.suppressed, unit.disorganized) == left


@rule("5.3-rally")
def test_5_3_only_a_natural_1_rallies_a_disorganized_stand() -> None:
    made = position(soviet=TANKS)
    unit = stand(made, "soviet-1", disorganized=True)
    assert recovery(made, unit).chances()["rallies"] == Fraction(1, 20)
    assert "recovers" not in recovery(made, unit).chances()


@rule("5.3-panic")
def test_5_3_panic_makes_a_suppressed_stand_disorganized_too() -> None:
    made = game(soviet=TANKS)
    stand(made.state, "soviet-1", suppressed=True)
    scripts(made, [20])
    recover(made, "soviet-1")
    assert made.state.units["soviet-1"].disorganized


@rule("5.3-hq", "10.1.3")
def test_5_3_a_headquarters_beside_a_suppressed_stand_helps_it() -> None:
    made = position(soviet=[(T34, "10,10"), (STAFF.replace("ger", "sov"), "11,10")])
    unit = stand(made, "soviet-1", suppressed=True)
    assert recovery(made, unit).modifier == 3
    stand(made, "soviet-2", disorganized=True)
    assert recovery(made, unit).modifier == 4
    stand(made, "soviet-2", disorganized=False, at=(13000, 10000))
    assert recovery(made, unit).modifier == 4


@rule("5.3-hq", "10.1.3")
@pytest.mark.parametrize(
    ("neighbour", "state", "modifier"),
    [("sov-infantry-hq", {"suppressed": True}, 3), (T34, {"suppressed": True}, 4), ("sov-infantry-hq", SHAKEN, 6)],
)
def test_5_3_a_headquarters_alone_helps_and_a_suppressed_stand_alone_is_helped(
    neighbour: str, state: dict[str, bool], modifier: int
) -> None:
    """Not a tank beside it; one that is disorganized as well has 7 less 1, one that is disorganized only its 3."""
    made = position(soviet=[(T34, "10,10"), (neighbour, "11,10")])
    assert recovery(made, stand(made, "soviet-1", **state)).modifier == modifier
    disorganized = stand(made, "soviet-1", suppressed=False, disorganized=True)
    assert recovery(made, disorganized).modifier == 3


@rule("5.3-who")
def test_5_3_shaken_stands_roll_headquarters_first() -> None:
    made = position(soviet=[*TANKS, ("sov-infantry-hq", "11,10")])
    for name in ("soviet-1", "soviet-3"):
        stand(made, name, suppressed=True)
    assert shaken(made) == ["soviet-3", "soviet-1"]


@rule("5.3-who")
def test_5_3_the_side_with_the_initiative_rolls_first() -> None:
    """Each shaken stand on the table rolls once, and no other one: RULINGS.md R12."""
    made = position(german=[(PANZER, "5,10"), (STAFF, "5,12")], soviet=TANKS)
    for name in ("german-1", "german-2", "soviet-1"):
        stand(made, name, disorganized=True)
    made.initiative = "soviet"
    assert shaken(made) == ["soviet-1", "german-2", "german-1"]
    made.initiative = "german"
    assert shaken(made) == ["german-2", "german-1", "soviet-1"]
    made.lift("german-2", "eliminated")
    assert shaken(made) == ["german-1", "soviet-1"]


# --- results ----------------------------------------------------------------------------------------------------


@rule("7.2-SP", "7.2-D", "7.2-prog")
@pytest.mark.parametrize(
    ("suppressed", "disorganized", "result", "comes_to"),
    [
        (False, False, "(S)", "S"),
        (True, False, "(S)", "D"),
        (True, True, "(S)", "E"),
        (False, False, "D", "D"),
        (False, True, "D", "E"),
        (False, True, "(S)", "S"),
        (True, False, "S", "-"),
        (False, False, "E", "E"),
        (True, True, "-", "-"),
    ],
)
def test_7_2_results_are_progressive(suppressed: bool, disorganized: bool, result: str, comes_to: str) -> None:
    made = position(soviet=TANKS)
    unit = stand(made, "soviet-1", suppressed=suppressed, disorganized=disorganized)
    assert effect(unit, result) == comes_to  # type: ignore[arg-type]


@rule("7.2-S", "7.2-SP", "7.2-prog")
def test_7_2_the_example_of_the_panzer_under_fire_of_four_t_34() -> None:
    """S, then (S): suppressed and disorganized. The other way round: suppressed only."""
    made = game(soviet=TANKS)
    for name, results in (("soviet-1", ("S", "(S)")), ("soviet-2", ("(S)", "S"))):
        for result in results:
            apply_result(made, name, result)  # type: ignore[arg-type]
    first, second = (made.state.units[name] for name in ("soviet-1", "soviet-2"))
    assert (first.suppressed, first.disorganized) == (True, True)
    assert (second.suppressed, second.disorganized) == (True, False)


@rule("7.2-E", "9.2")
def test_9_2_an_armoured_vehicle_that_is_eliminated_leaves_a_wreck() -> None:
    made = game(soviet=[(T34, "10,10"), ("sov-infantry-hq", "12,10")])
    apply_result(made, "soviet-1", "E")
    apply_result(made, "soviet-2", "E")
    assert [made.state.units[name].status for name in ("soviet-1", "soviet-2")] == ["eliminated", "eliminated"]
    assert [(work.kind, work.at) for work in made.state.works.values()] == [("wreck", (10000, 10000))]


@rule("8.4.5-unit")
def test_8_4_5_cargo_suffers_what_its_transport_suffers() -> None:
    made = game(soviet=[("sov-light-truck-gaz-aa-1t", "10,10"), ("sov-infantry-hq", "12,10")])
    stand(made.state, "soviet-1", cargo=("soviet-2",))
    stand(made.state, "soviet-2", carrier="soviet-1", at=(10000, 10000))
    apply_result(made, "soviet-1", "S")
    assert made.state.units["soviet-2"].suppressed
    apply_result(made, "soviet-1", "E")
    assert made.state.units["soviet-2"].status == "eliminated"
