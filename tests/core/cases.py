"""The games that the kernel's tests are run on: the toys, and what is installed."""

from __future__ import annotations

import dataclasses
from typing import Any

from core.contract import Case, Twin
from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from rulesets import battlefield, group, hidden, kit, overwatch, plots
from rulesets.hidden import Dummy, Hide
from rulesets.kit import Pass
from rulesets.overwatch import Command, Step
from rulesets.plots import HandIn, Order

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


def sheet(side: str, *orders: str) -> tuple[str, Action]:
    return side, HandIn(tuple(Order(f"{side}-{n}", order) for n, order in enumerate(orders, 1)))


SHEETS = Twin(  # until they are revealed, two sheets cannot be told apart
    blind=("soviet", "spectator"),
    one=(sheet("german", "advance", "hold", "hold"), sheet("soviet", "hold", "hold", "hold"), ("german", Pass())),
    other=(sheet("german", "fire", "fire", "hold"), sheet("soviet", "hold", "hold", "hold"), ("german", Pass())),
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


def barred(sight: Any, seat: str, frame: Frame, action: Action) -> Refusal | None:
    """Each seat has the units of one number, Command and Step by unit, Announce by firer; who passes is left open."""
    unit = getattr(action, "unit", getattr(action, "firer", ""))
    mine = not unit or not seat.endswith(("-odd", "-even")) or seat.endswith("-odd") == (int(unit[-1]) % 2 == 1)
    return None if mine else kit.no("{} is not under {}", "1.9", unit, seat)


SHARED = dataclasses.replace(overwatch.RULESET, id="toy-shared", barred=barred)
SEATS = {"german-odd": "german", "german-even": "german", "soviet": "soviet"}

CASES = {
    "shared": Case(SHARED, kit.scenario("toy-shared", turns=6), seats=SEATS),
    "overwatch": Case(overwatch.RULESET, kit.scenario("toy-overwatch", turns=6), twins=(COMMANDS, JOINT)),
    "battlefield": Case(battlefield.RULESET, battlefield.NEAR),
    "group": Case(group.RULESET, kit.scenario("toy-group", turns=6)),
    "plots": Case(plots.RULESET, kit.scenario("toy-plots", turns=6), twins=(SHEETS,)),
    "hidden": Case(hidden.RULESET, kit.scenario("toy-hidden"), twins=(DUMMIES,)),
}
