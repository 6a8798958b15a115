"""Standing orders of any book: which shots are worth one of the questions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.actions import Action
from opfire.core.orders import Ask
from opfire.kit.orders import Ambush, Orders, from_hiding, worth_a_question
from rulesets.kit import Pass


def test_the_bar_rises_when_half_of_the_questions_are_spent() -> None:
    chances = [Fraction(number, 6) for number in range(7)]

    def least(spent: int) -> Fraction | None:
        return next((chance for chance in chances if worth_a_question(chance, 34, 10, spent)), None)

    sixths = [None if (chance := least(spent)) is None else chance * 6 for spent in range(11)]
    assert sixths == [3, 3, 3, 3, 3, 3, 3, 4, 5, 6, None]
    assert worth_a_question(Fraction(0), 0, 0, 1000), "no limit"
    assert worth_a_question(Fraction(1, 2), 34, 1, 0)
    assert not worth_a_question(Fraction(1), 34, 1, 1)


class Shot(Action):
    at: int


GOOD, BETTER = Shot(1), Shot(2)
CHANCES: dict[Action, Fraction] = {GOOD: Fraction(1, 2), BETTER: Fraction(2, 3)}


def test_units_in_hiding_hold_their_fire_until_ordered() -> None:
    assert from_hiding(Orders(), CHANCES, True, Pass()) == Pass()
    fire = Orders(hidden=Ambush(fire="fire"))
    assert from_hiding(fire, CHANCES, True, Pass()) == BETTER
    assert from_hiding(fire, CHANCES, True, Ask(Fraction(1))) == BETTER, "the ambush comes before the question"
    assert from_hiding(fire, {}, True, Pass()) == Pass()
    assert from_hiding(Orders(hidden=Ambush(fire="fire", least_chance=67)), CHANCES, True, Pass()) == Pass()


@pytest.mark.parametrize("chances", [{}, CHANCES])
def test_asked_at_every_step_whatever_they_could_do(chances: dict[Action, Fraction]) -> None:
    ask = Orders(hidden=Ambush(fire="ask"))
    assert from_hiding(ask, chances, True, Pass()) == Ask(Fraction(0))
    assert from_hiding(ask, chances, False, Pass()) == Pass(), "nobody is in hiding any more"
    assert from_hiding(ask, chances, True, Ask(Fraction(1, 2))) == Ask(Fraction(1, 2)), "asked about others anyway"
    assert from_hiding(ask, chances, True, GOOD) == GOOD, "orders that fire do not ask"
