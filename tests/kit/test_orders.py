"""Standing orders of any book: which shots are worth one of the questions."""

from __future__ import annotations

from fractions import Fraction

from opfire.kit.orders import worth_a_question


def test_the_bar_rises_when_half_of_the_questions_are_spent() -> None:
    chances = [Fraction(number, 6) for number in range(7)]

    def least(spent: int) -> Fraction | None:
        return next((chance for chance in chances if worth_a_question(chance, 34, 10, spent)), None)

    sixths = [None if (chance := least(spent)) is None else chance * 6 for spent in range(11)]
    assert sixths == [3, 3, 3, 3, 3, 3, 3, 4, 5, 6, None]
    assert worth_a_question(Fraction(0), 0, 0, 1000), "no limit"
    assert worth_a_question(Fraction(1, 2), 34, 1, 0)
    assert not worth_a_question(Fraction(1), 34, 1, 1)
