"""The games that the kernel's tests are run on: the toys, and what is installed."""

from __future__ import annotations

from core.contract import Case, Twin
from rulesets import group, hidden, kit, overwatch
from rulesets.hidden import Dummy, Hide
from rulesets.kit import Pass
from rulesets.overwatch import Command, Step

GERMAN = [("german", Command(f"german-{n}", "overwatch")) for n in (2, 3)]
SOVIET = [("soviet", Command(f"soviet-{n}", "overwatch" if n > 1 else "move")) for n in (1, 2, 3)]
AFTER = [("soviet", Step("soviet-1", -1)), ("german", Pass()), ("soviet", Pass()), ("german", Pass())]

COMMANDS = Twin(
    blind=("soviet", "spectator"),
    one=(("german", Command("german-1", "move")), *GERMAN, *SOVIET, *AFTER),
    other=(("german", Command("german-1", "overwatch")), *GERMAN, *SOVIET, *AFTER),
)
JOINT = Twin(  # the other side has begun, and has not finished, its own commands
    blind=("soviet", "spectator"),
    one=(SOVIET[0], ("german", Command("german-1", "move")), SOVIET[1], *GERMAN, SOVIET[2]),
    other=(SOVIET[0], ("german", Command("german-1", "overwatch")), SOVIET[1], *GERMAN, SOVIET[2]),
)
DUMMIES = Twin(
    blind=("soviet", "spectator"),
    one=(
        ("german", Dummy("german-1")),
        ("german", Hide(1)),
        ("soviet", Dummy("soviet-2")),
        ("soviet", Hide(9)),
    ),
    other=(
        ("german", Dummy("german-2")),
        ("german", Hide(3)),
        ("soviet", Dummy("soviet-2")),
        ("soviet", Hide(9)),
    ),
)

CASES = {
    "overwatch": Case(overwatch.RULESET, kit.scenario("toy-overwatch", turns=6), twins=(COMMANDS, JOINT)),
    "group": Case(group.RULESET, kit.scenario("toy-group", turns=6)),
    "hidden": Case(hidden.RULESET, kit.scenario("toy-hidden"), twins=(DUMMIES,)),
}
