"""Events, and the calculations behind their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec

from opfire.core.places import Place
from opfire.core.texts import Words, say


class Line(msgspec.Struct, frozen=True, gc=False):
    """One line of a calculation: its label, its value, and its rule.

    `kind` is `attack`, `defence`, `factor`, `odds`, `shift`, `modifier`, `note` or a kind of the ruleset's own;
    `amount` is the number that enters the calculation, `value` its form on the screen.
    """

    kind: str
    label: Words
    value: Words
    rule: str
    amount: int = 0


@lru_cache
def totals(count: int, sides: int) -> tuple[tuple[int, Fraction], ...]:
    """The chance of each total of `count` dice of `sides` sides, in rising order.

    >>> totals(2, 6)[0], totals(2, 6)[5]
    ((2, Fraction(1, 36)), (7, Fraction(1, 6)))
    """
    ways: dict[int, int] = {0: 1}
    for _ in range(count):
        after: dict[int, int] = {}
        for total, number in ways.items():
            for face in range(1, sides + 1):
                after[total + face] = after.get(total + face, 0) + number
        ways = after
    return tuple((total, Fraction(number, sides**count)) for total, number in sorted(ways.items()))


@lru_cache(maxsize=1024)
def _chances(count: int, sides: int, outcomes: tuple[str, ...]) -> tuple[tuple[str, Fraction], ...]:
    """The chance of each result, in the order of the lowest totals; attacks have few columns, asked for often."""
    chances: dict[str, Fraction] = {}
    for total, chance in totals(count, sides):
        result = outcomes[total - count]
        chances[result] = chances.get(result, Fraction(0)) + chance
    return tuple(chances.items())


class Calculation(msgspec.Struct, frozen=True):
    """Everything that leads from factors to a result, before and after the dice.

    `outcomes[i]` is the result when the dice total `count + i`: columns, shifts and modifiers are already
    in it, so that preview, resolution, computer player and tests cannot disagree. In a preview, `before` is the
    result and the chance of the failure of an earlier roll, after which this one is not made, and `other` the chance
    that an earlier roll leads to other outcomes, with these.
    """

    title: Words
    rule: str
    lines: tuple[Line, ...]
    count: int
    sides: int
    outcomes: tuple[str, ...]
    column: str = ""
    modifier: int = 0
    before: tuple[str, Fraction] | None = None
    other: tuple[Fraction, tuple[str, ...]] | None = None

    def chances(self) -> dict[str, Fraction]:
        """The exact chance of each result; with a roll `before` this one, also of its failure, named as it says.

        >>> Calculation("combat", "7.1", (), 1, 2, ("D", "-"), before=("no fire", Fraction(1, 4))).chances()
        {'D': Fraction(3, 8), '-': Fraction(3, 8), 'no fire': Fraction(1, 4)}
        >>> Calculation("combat", "7.1", (), 1, 2, ("D", "-"), other=(Fraction(1, 4), ("E", "D"))).chances()
        {'E': Fraction(1, 8), 'D': Fraction(1, 2), '-': Fraction(3, 8)}
        """
        if self.before is None and self.other is None:
            return dict(_chances(self.count, self.sides, self.outcomes))
        failure, missed = self.before or ("", Fraction(0))
        rare, outcomes = self.other or (Fraction(0), self.outcomes)
        found: dict[str, Fraction] = {}
        for share, results in ((rare, outcomes), (1 - missed - rare, self.outcomes)):
            for result, chance in _chances(self.count, self.sides, results):
                found[result] = found.get(result, Fraction(0)) + share * chance
        return {**found, failure: missed} if self.before else found

    def result(self, rolled: Sequence[int]) -> str:
        """The result of these dice."""
        return self.outcomes[sum(rolled) - self.count]

    def to_json(self, rolled: Sequence[int] | None = None) -> dict[str, Any]:
        """The calculation as the client shows it; with dice, their result."""
        return {
            "title": say(self.title),
            "rule": self.rule,
            "lines": [
                {"label": say(line.label), "value": say(line.value), "rule": line.rule, "kind": line.kind}
                for line in self.lines
            ],
            "column": self.column,
            "modifier": self.modifier,
            "dice": f"{self.count}d{self.sides}",
            "chances": [{"result": result, "chance": str(chance)} for result, chance in self.chances().items()],
            "rolled": list(rolled) if rolled is not None else None,
            "result": self.result(rolled) if rolled is not None else None,
        }


class Cases(msgspec.Struct, frozen=True):
    """A preview for a seat that does not know every line: one calculation for each possible case."""

    cases: tuple[tuple[Words, Calculation], ...]


class Event(msgspec.Struct, frozen=True, gc=False):
    """An event for the log: a template, its particulars, its places, its calculation and dice.

    `only` names the sides that may know of it; empty means everybody. `calibre` is that of the gun of a shot in mm,
    0 where it is not known; `strength` is what it strikes with, in the book's words, where a unit has more than one.
    """

    kind: str
    text: str
    facts: tuple[Any, ...] = ()
    rule: str = ""
    units: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    dice: tuple[int, ...] = ()
    calculation: Calculation | None = None
    only: tuple[str, ...] = ()
    calibre: float = 0
    strength: Words = ""

    def sentence(self) -> str:
        """The text with its particulars."""
        return say(self.text, *self.facts)

    def seen_by(self, side: str) -> bool:
        """Whether the side may know of it."""
        return not self.only or side in self.only
