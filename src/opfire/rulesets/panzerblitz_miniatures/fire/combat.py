"""Combat: strengths, odds, the Combat Results Table, and the effects of its results."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Literal, TypeAlias

import msgspec

from opfire.core.events import Calculation, Line
from opfire.core.texts import Text, Words
from opfire.rulesets.panzerblitz_miniatures.charts import HIGHEST_ROW, LOWEST_ROW, Charts, Outcome
from opfire.rulesets.panzerblitz_miniatures.morale import Status, check, dispersed

Fate: TypeAlias = Literal["good order", "dispersed", "destroyed"]

# --- strengths ----------------------------------------------------------------------------------------------


class Factor(msgspec.Struct, frozen=True):
    """A multiplier of a strength: weapons effectiveness, half strength across a crest, and so on."""

    label: Words
    value: Fraction
    rule: str


_PRINTED = {"attack": "{}, attack {}", "defence": "{}, defence {}"}
"""The line of a unit's strength, by its kind."""


class Strength(msgspec.Struct, frozen=True):
    """One unit's strength in an attack: as printed, its factors, and the lines that terrain and works add."""

    unit: Words
    printed: int
    factors: tuple[Factor, ...] = ()
    added: tuple[Line, ...] = ()

    @property
    def effective(self) -> Fraction:
        """The strength that counts, never rounded [WEC-2, WEC-3]: RULINGS.md R13."""
        return prod((factor.value for factor in self.factors), start=Fraction(self.printed)) + sum(
            line.amount for line in self.added
        )

    def lines(self, kind: Literal["attack", "defence"], rule: str) -> Iterator[Line]:
        """The effective strength, and the lines that led to it."""
        words = Text(_PRINTED[kind], (self.unit, self.printed))
        yield Line(kind, words, mixed(self.effective), rule, int(self.effective))
        for factor in self.factors:
            yield Line("factor", factor.label, f"x {mixed(factor.value)}", factor.rule)
        yield from self.added


def mixed(number: Fraction) -> str:
    """A number as the book writes it.

    >>> mixed(Fraction(13, 2)), mixed(Fraction(3, 4)), mixed(Fraction(8))
    ('6 1/2', '3/4', '8')
    """
    whole, rest = divmod(number.numerator, number.denominator)
    if not rest:
        return str(whole)
    part = f"{rest}/{number.denominator}"
    return f"{whole} {part}" if whole else part


# --- odds and the table -------------------------------------------------------------------------------------


def odds_column(charts: Charts, attack: Fraction, defence: Fraction) -> str | None:
    """The column of a ratio, rounded down in the defender's favour [COM-1, COM-2]; None below 1-4 [COM-8]."""
    reached = [column for ratio, column in charts.ratios if attack >= ratio * defence]
    return reached[-1] if reached and attack else None


def crt_result(charts: Charts, row: int, column: str, options: Collection[str]) -> str:
    """The cell of the Combat Results Table; rows beyond its edges are its first and last [CRT-1]: RULINGS.md R3.

    The regular table is an option: RULINGS.md R41.
    """
    table = charts.crt_regular if "R41" in options else charts.crt
    return table[max(LOWEST_ROW, min(HIGHEST_ROW, row)), column]


def resolve(
    charts: Charts,
    title: str,
    rule: str,
    attackers: Sequence[Strength],
    target: Strength,
    modifiers: Sequence[Line],
    options: Collection[str],
) -> Calculation:
    """The attack of all attackers together, by odds and one modified die [COM-3, DF-5].

    Below 1-4 no die is rolled and nothing happens [COM-8]: RULINGS.md R31.
    """
    attack = sum((each.effective for each in attackers), start=Fraction(0))
    column = odds_column(charts, attack, target.effective)
    modifier = sum(line.amount for line in modifiers)
    odds = Text("Odds {} to {}", (mixed(attack), mixed(target.effective)))
    lines = (
        *(line for each in attackers for line in each.lines("attack", "EQP-9")),
        *target.lines("defence", "EQP-12"),
        *modifiers,
        Line("odds", odds, column or "below 1-4", _odds_rule(column)),
    )
    if column is None:
        return Calculation(title, rule, lines, 0, 6, ("none",), modifier=modifier)
    outcomes = tuple(crt_result(charts, die + modifier, column, options) for die in range(1, 7))
    return Calculation(title, rule, lines, 1, 6, outcomes, column, modifier)


def _odds_rule(column: str | None) -> str:
    return "COM-8" if column is None else "COM-1"


# --- results ------------------------------------------------------------------------------------------------


class Harm(msgspec.Struct, frozen=True):
    """The effect of a result on one unit, and the modifiers of its morale check."""

    does: Literal["none", "check", "dispersed", "destroyed"]
    rule: str
    modifiers: tuple[Line, ...] = ()


def outcomes(charts: Charts, options: Collection[str]) -> Mapping[str, Outcome]:
    """The effect of each result [COM-14]: RULINGS.md R1 has another reading of D."""
    return charts.results_r1 if "R1" in options else charts.results


def sufferers(charts: Charts, result: str, *, target: str, attackers: Sequence[str]) -> tuple[str, ...]:
    """The units that suffer a result: every attacker if it begins with A [COM-13]: RULINGS.md R2."""
    match charts.results[result].applies_to:
        case "attackers":
            return tuple(attackers)
        case "target":
            return (target,)
    return ()


def harm(charts: Charts, result: str, status: Status, options: Collection[str]) -> Harm:
    """The effect of a result on a unit of this status [COM-9, COM-10, COM-11, COM-12, COM-14]."""
    row = outcomes(charts, options)[result]
    does = row.dispersed if dispersed(status) else row.good_order
    if does != "check" or not row.modifier:
        return Harm(does, row.rule)
    return Harm(does, row.rule, (Line("modifier", result, f"{row.modifier:+d}", row.rule, row.modifier),))


def failed(status: Status) -> Fate:
    """The fate of a unit that fails a morale check of combat: a dispersed unit is eliminated [MOR-5]."""
    return "destroyed" if dispersed(status) else "dispersed"


def fates(
    charts: Charts, attack: Calculation, level: str, status: Status, options: Collection[str]
) -> dict[Fate, Fraction]:
    """The exact chances of each fate of the target, its morale check included [COM-3, MOR-5]."""
    found: dict[Fate, Fraction] = {}
    for result, chance in attack.chances().items():
        for fate, part in _fates_of(charts, result, level, status, options):
            found[fate] = found.get(fate, Fraction(0)) + chance * part
    return found


def _fates_of(
    charts: Charts, result: str, level: str, status: Status, options: Collection[str]
) -> Iterator[tuple[Fate, Fraction]]:
    """The possible fates of the target by one result, each with its chance."""
    unharmed: Fate = "dispersed" if dispersed(status) else "good order"
    if not sufferers(charts, result, target="target", attackers=()):
        yield unharmed, Fraction(1)
        return
    effect = harm(charts, result, status, options)
    match effect.does:
        case "check":
            chances = check(charts, "target", level, effect.modifiers).chances()
            yield failed(status), chances.get("fails", Fraction(0))
            yield unharmed, chances.get("passes", Fraction(0))
        case "none":
            yield unharmed, Fraction(1)
        case fate:
            yield fate, Fraction(1)
