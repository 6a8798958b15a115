"""Assaults [9.7] that make sense: their units and their expected gain."""

from __future__ import annotations

from collections.abc import Sequence

from opfire.core.actions import Action
from opfire.core.events import Calculation
from opfire.core.ruleset import Suggestion
from opfire.core.texts import Words
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.assault import AddAssaulter, Assault, Assaulting, RollAssault, assault, defence_lines
from opfire.rulesets.case_orange.combat import odds
from opfire.rulesets.case_orange.pieces import Hex, Unit, UnitId
from opfire.rulesets.case_orange.thinking.mind import Mind
from opfire.rulesets.case_orange.thinking.words import odds_in_words

LEAST = 0.04


def assaults(mind: Mind, choices: Sequence[Action]) -> list[Suggestion]:
    """The assaults with an expected gain, each with all units that add to it."""
    by_hex: dict[Hex, list[UnitId]] = {}
    for action in choices:
        if isinstance(action, Assault):
            by_hex.setdefault(action.hex, []).append(action.unit)
    found = [Suggestion(EndSegment(), LEAST, "no assault is worth it")]
    for hex, names in by_hex.items():
        worth, group, words = best_assault(mind, hex, mind.position.pick(names))
        if group:
            route = (*(AddAssaulter(unit.id) for unit in group[1:]), RollAssault())
            found.append(Suggestion(Assault(group[0].id, hex), worth, words, route))
    return sorted(found, key=lambda each: -each.worth)


def best_assault(mind: Mind, hex: Hex, able: list[Unit]) -> tuple[float, list[Unit], Words]:
    """The group of these units whose assault brings most: strongest first, each further one if it helps."""
    group: list[Unit] = []
    chosen: list[Unit] = []
    best: float = 0.0
    words: Words = ""
    needed = sum(line.amount for line in defence_lines(mind.position, hex))
    for unit in sorted(able, key=lambda each: (-each.kind.attack, each.id)):
        group = [*group, unit]
        if odds(sum(each.kind.attack for each in group), needed) is None:
            continue
        calculation = assault(mind.position, group, hex)
        worth = assault_worth(mind, calculation, group, hex)
        if worth > best:
            best, chosen, words = worth, group, odds_in_words(calculation)
    return best, chosen, words


def assault_worth(mind: Mind, calculation: Calculation, group: Sequence[Unit], hex: Hex) -> float:
    """Harm to the defenders less harm to one's own [11.4], with a little for a hex that comes free."""
    chances = {result: float(chance) for result, chance in calculation.chances().items()}
    position = mind.position
    theirs = (chances.get("X", 0.0), chances.get("DD", 0.0), chances.get("D", 0.0))
    ours = (chances.get("own X", 0.0), chances.get("own DD", 0.0), chances.get("own D", 0.0))
    gain = sum(mind.value(unit) * mind.harm(unit, theirs) for unit in position.at(hex) if not position.sheltered(unit))
    loss = sum(mind.value(unit) * mind.harm(unit, ours) for unit in group)
    prize = next((goal.gain for goal in mind.goals if goal.place == hex and not goal.leave), 0.0)
    fort = position.fort(hex)
    if fort is not None and not fort.breached:
        gain += theirs[0] * 0.5 * sum(mind.value(unit) for unit in position.at(hex) if position.sheltered(unit))
    return gain + 0.3 * theirs[0] * prize - loss


def assaulting(mind: Mind, frame: Assaulting, choices: Sequence[Action]) -> list[Suggestion]:
    """Let all able units join an assault under way."""
    if RollAssault() in choices:
        return [Suggestion(RollAssault(), 1.0, "as planned")]
    return [Suggestion(action, 1.0, "more weight") for action in choices if isinstance(action, AddAssaulter)]
