"""Standing orders [8.5, 8.6]: the windows of fire that bring a question, and those that they answer themselves."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from opfire.core.actions import Choices
from opfire.core.orders import Ask, Asked, Spare
from opfire.kit.orders import Orders
from opfire.rulesets.micro_armour.moving.opportunity import NotYet, OpportunityFire, Oppose
from opfire.rulesets.micro_armour.pieces import Position, Progress
from opfire.rulesets.micro_armour.standing import answer, chance_of_effect
from rules.micro_armour.kit import PAK, T34, position, rule

WINDOW = OpportunityFire("german", ("german",), "soviet-1", at=(15000, 15000))
SHOT = Oppose("german-1", "soviet-1")


def passing(at: str = "15,15") -> Position:
    """A tank drives past a gun, showing its side."""
    made = position([(PAK, "8,15")], [(T34, at)])
    made.change("soviet-1", posture="movement", facing=0)
    made.progress = Progress("soviet-1", origin=made.units["soviet-1"].at)
    return made


def ordered(made: Position, orders: Orders, asked: tuple[Asked, ...] = ()) -> object:
    choices = Choices(WINDOW.actors(made, "german"), lambda actor: tuple(WINDOW.acts(made, "german", actor)))
    return answer(made, "german", WINDOW, orders, choices, asked)


@rule("8.5.2")
def test_8_5_2_a_good_shot_is_worth_a_question() -> None:
    made = passing()
    assert ordered(made, Orders(least_chance=1)) == Ask(chance_of_effect(made, SHOT))


@rule("8.5.2")
def test_8_5_2_orders_fire_and_hold_fire_without_a_question() -> None:
    made = passing()
    assert ordered(made, Orders(fire="always", least_chance=1)) == SHOT
    assert ordered(made, Orders(fire="never")) == NotYet()
    assert ordered(made, Orders(least_chance=1, within=5)) == NotYet()
    assert ordered(made, Orders(least_chance=1, units={"german-1": "never"})) == NotYet()


@rule("8.5.2")
def test_8_5_2_an_enemy_turn_brings_ten_questions_at_most() -> None:
    made = passing()
    asked = tuple(Asked(WINDOW, Fraction(1, 2), passed=False) for _ in range(10))
    assert isinstance(ordered(made, Orders(least_chance=1, again="always"), asked), Spare)


@rule("8.5.2")
def test_8_5_2_a_mover_that_was_let_pass_is_asked_about_again_when_it_is_nearer() -> None:
    made = passing()
    farther, nearer = replace(WINDOW, at=(16000, 15000)), replace(WINDOW, at=(14000, 15000))
    orders = Orders(least_chance=1)
    assert isinstance(ordered(made, orders, (Asked(farther, Fraction(1, 9), passed=True),)), Ask)
    assert ordered(made, orders, (Asked(nearer, Fraction(1, 9), passed=True),)) == NotYet()


@rule("8.5.3")
def test_8_5_3_the_chance_is_that_of_both_rolls() -> None:
    chance = chance_of_effect(passing(), SHOT)
    assert 0 < chance < 1
