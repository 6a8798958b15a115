"""The combat rolls of overruns and close assaults [8.7.8, 8.8.3]: a column, a total, a result at once."""

from __future__ import annotations

from collections.abc import Iterable

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.texts import Words
from opfire.rulesets.micro_armour.charts import LEAST, MOST, Charts, Result, result
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId
from opfire.rulesets.micro_armour.results import IN_WORDS, apply_result

RESULTS: dict[str, Result] = {each: each for each in ("-", "S", "(S)", "D", "E")}


def combat_roll(charts: Charts, title: Words, rule: str, differential: int, lines: Iterable[Line] = ()) -> Calculation:
    """A combat roll on the column of a differential, with its modifiers; below the table nothing happens."""
    known = tuple(lines)
    total = sum(line.amount for line in known if line.kind == "modifier")
    column = min(differential, MOST)
    rolls = range(2, 13)
    outcomes = tuple("-" if column < LEAST else result(charts, column, number + total) for number in rolls)
    return Calculation(title, rule, known, 2, 6, outcomes, f"{column:+}", total)


def strike(game: Game[Position], striker: Stand, target_id: UnitId, roll: Calculation) -> tuple[Result, int]:
    """Roll against a stand, and apply the result [7.2-prog]; return what it came to, and the dice."""
    target = game.state.units[target_id]
    dice = game.roll(2, 6)
    found = RESULTS[roll.result(dice)]
    facts = (striker.name, target.name, IN_WORDS[found])
    places = (target.at,) if target.at is not None else ()
    words = "{} strikes {}: {}"
    game.tell(Event("combat", words, facts, roll.rule, (striker.id, target_id), places, tuple(dice), roll))
    return (apply_result(game, target_id, found) if target.at is not None else "-"), sum(dice)
