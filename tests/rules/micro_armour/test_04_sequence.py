"""The sequence of play [4.0]: initiative, weather [9.6], postures and movement groups [8.1]."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.game import Game
from opfire.rulesets.micro_armour.pieces import Position, adjacent
from opfire.rulesets.micro_armour.postures import FormGroup, JoinGroup, Mark, NoMoreGroups
from opfire.rulesets.micro_armour.sequence import GAME_TURN
from opfire.rulesets.micro_armour.weather import sight_limit
from rules.micro_armour.kit import MMG, PAK, PANZER, T34, game, position, refused, rule

ONE_EACH = {"german": [(PANZER, "5,10")], "soviet": [(T34, "30,10")]}
PLATOONS = {"german": [(PANZER, "5,10"), (PANZER, "5,11"), (PANZER, "5,14")], "soviet": [(T34, "30,10")]}


@rule("4.0-1")
def test_4_0_the_higher_total_of_die_and_cohesion_has_the_initiative_and_ties_are_rolled_again() -> None:
    made = game(**ONE_EACH, dice=[1, 3, 2, 5])  # 16 to 16, then 17 to 18
    made.run()
    assert made.state.initiative == "soviet"
    assert made.asked() == ("soviet",)


@rule("4.0-2", "4.0-7")
def test_4_0_the_phases_stand_in_the_books_order() -> None:
    steps = [line.split()[1] for line in str(GAME_TURN).splitlines()[1:]]
    assert steps[0] == "InitiativePhase"
    assert steps[1:4] == ["KeepFighting", "Arrivals", "PostureDetermination"]
    assert steps[-1] == "MarkerRemoval"


@rule("9.6.3", "9.6.2-light-rain", "6.4.1")
def test_9_6_3_rain_limits_sight_for_the_turn() -> None:
    made = game(**ONE_EACH, dice=[2, 3, 4, 6, 1], top='weather = ["light rain"]')
    made.run()
    assert sight_limit(made.state) == 9


@rule("9.6.3", "9.6.2-light-rain", "9.6.2-haze", "9.6.2-heavy-rain", "9.6.2-storm", "9.6.2-snow")
@pytest.mark.parametrize(
    ("weather", "dice", "inches"),
    [
        ("light rain", [1, 6, 6], 13),
        ("haze", [8, 7], 15),
        ("heavy rain", [6, 5], 11),
        ("storm", [6], 6),
        ("snow", [], 40),
    ],
)
def test_9_6_2_weather_limits_sight_by_its_own_dice(weather: str, dice: list[int], inches: int) -> None:
    """3D6, 2D8, 2D6 and 1D6 inches; the two dice after them are those of the initiative. Snow alone hides nothing."""
    made = game(**ONE_EACH, dice=[*dice, 6, 1], top=f'weather = ["{weather}"]')
    made.run()
    assert sight_limit(made.state) == inches
    assert made.state.initiative == "german"


@rule("9.6.1")
def test_9_6_1_of_two_limits_the_lower_one_counts() -> None:
    made = game(**ONE_EACH, dice=[6, 6, 6, 4, 6, 1], top='weather = ["light rain", "storm"]')
    made.run()
    assert sight_limit(made.state) == 4


@rule("6.4.1", "9.0-surface")
@pytest.mark.parametrize(("top", "inches"), [("", 40), ('surface = "mixed"', 20), ('surface = "closed"', 10)])
def test_6_4_1_the_surface_limits_sight(top: str, inches: int) -> None:
    assert sight_limit(position(**ONE_EACH, top=top)) == inches


@rule("6.4.1")
def test_6_4_1_a_scenario_names_its_own_limit() -> None:
    assert sight_limit(position(**ONE_EACH, top='sight = 12\nsurface = "closed"')) == 12


# --- postures ---------------------------------------------------------------------------------------------------


@rule("4.0-2", "8.1.1")
def test_8_1_1_groups_of_several_stands_are_marked_before_single_ones() -> None:
    made = game(**PLATOONS, dice=[6, 1])
    made.run()
    assert made.asked() == ("german",)
    assert refused(made, "german", Mark("german-3", "movement")) == "8.1.1"
    made.play("german", Mark("german-1", "fire/move"))
    assert refused(made, "german", FormGroup()) == "8.1.1"
    assert refused(made, "german", JoinGroup("german-3")) == "8.1.1"
    made.play("german", JoinGroup("german-2"))
    made.play("german", FormGroup())
    assert made.asked() == ("soviet",)
    made.play("soviet", NoMoreGroups())
    made.play("german", NoMoreGroups())
    made.play("german", Mark("german-3", "movement"))
    units = made.state.units
    assert [units[f"german-{n}"].posture for n in (1, 2, 3)] == ["fire/move", "fire/move", "movement"]
    assert units["german-1"].group == units["german-2"].group != units["german-3"].group


@rule("8.1.2", "8.1-mark", "4.0-7")
def test_8_1_2_a_posture_stays_for_the_turn_and_comes_off_at_its_end() -> None:
    made = game(**PLATOONS, dice=[6, 1, 6, 1])
    made.run()
    made.play("german", NoMoreGroups())
    made.play("soviet", NoMoreGroups())
    made.play("german", Mark("german-3", "movement"))
    made.play("soviet", NoMoreGroups())
    assert refused(made, "german", Mark("german-3", "fire/move")) == "8.1.2"
    end_of_turn(made)
    assert made.state.turn == 2
    assert made.state.units["german-3"].posture == "firing"


def end_of_turn(made: Game[Position]) -> None:
    """Pass until the turn is over."""
    turn = made.state.turn
    while made.state.turn == turn:
        seat = made.deciders()[0]
        made.play(seat, made.choices(seat).of("")[-1])


@rule("7.4.10", "8.3.8")
def test_7_4_10_artillery_and_guns_without_movement_never_fire_and_move() -> None:
    stands = [("ger-105mm-ifh18-2", "5,10"), (PAK, "5,12"), (MMG, "5,14"), ("ger-panzer-iv-e-75l24", "5,16")]
    made = game(german=stands, soviet=[(T34, "30,10")], dice=[6, 1])
    made.run()
    made.play("german", NoMoreGroups())
    made.play("soviet", NoMoreGroups())
    given = [refused(made, "german", Mark(f"german-{n}", "fire/move")) for n in (1, 2, 3, 4)]
    assert given == ["7.4.10", "8.3.8", "", ""]


@rule("8.1.1")
def test_8_1_1_stands_of_a_group_are_in_base_contact() -> None:
    made = position(german=[(PANZER, "5,10"), (PANZER, "6,10"), (PANZER, "7.1,10")])
    first, second, third = (made.units[f"german-{n}"] for n in (1, 2, 3))
    assert adjacent(first, second)
    assert not adjacent(second, third)


@rule("8.1.1", "8.1-mark")
def test_8_1_1_many_stands_are_marked_at_one_word_by_the_steps_of_the_book() -> None:
    stands = [(PANZER, "5,10"), (PAK, "5,14"), (PANZER, "5,11"), (PANZER, "5,12"), (MMG, "5,17")]
    made = game(german=stands, soviet=[(T34, "30,10")], dice=[6, 1])
    made.run()
    everybody = [f"german-{n}" for n in (1, 2, 3, 4, 5)]
    assert made.view("german")["together"] == everybody
    assert made.view("soviet")["together"] == []
    # While groups are formed: those in base contact, and one declaration that their group is complete.
    found = at_once(made, everybody)
    column = ["german-1", "german-3", "german-4"]
    assert [(way["label"], way["units"]) for way in found["ways"]] == [
        ("Movement posture", column),
        ("Fire/move posture", column),
    ]
    assert [(each["unit"], each["rule"]) for each in found["barred"]] == [("german-2", "8.1.1"), ("german-5", "8.1.1")]
    # A neighbour that was not chosen is not taken along.
    assert [each["unit"] for each in at_once(made, ["german-1", "german-4"])["barred"]] == ["german-1", "german-4"]
    for step in found["ways"][1]["steps"]:
        made.play("german", step)
    assert {made.state.units[name].group for name in column} == {"german-1"}
    made.play("soviet", NoMoreGroups())
    made.play("german", NoMoreGroups())
    # Single stands: a gun that cannot move by itself takes the movement posture alone [8.3.8].
    found = at_once(made, everybody)
    assert [(way["units"], way["steps"]) for way in found["ways"]] == [
        (["german-2", "german-5"], [Mark("german-2", "movement"), Mark("german-5", "movement")]),
        (["german-5"], [Mark("german-5", "fire/move")]),
    ]
    assert [(each["unit"], each["rule"]) for each in found["barred"]] == [(name, "8.1.2") for name in column]


def at_once(made: Game[Position], units: list[str]) -> dict[str, Any]:
    """The answer to the question about what these German stands can do at one word."""
    answer: dict[str, Any] = made.ruleset.queries["together"](
        made.sight("german"), "german", frame=made.stack[-1], units=units
    )
    return answer
