"""The parts that all tests of this book share: the mark that cites a rule, and a game with scripted dice."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pytest

from opfire.ai.opponents import Greedy
from opfire.core import scenario as scenarios
from opfire.core.actions import Action
from opfire.core.dice import Dice, scripted
from opfire.core.game import Game
from opfire.core.places import Point
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.moving.movement import GroupMove, Moving
from opfire.rulesets.micro_armour.pieces import Position, Stand

rule: Callable[..., pytest.MarkDecorator] = partial(pytest.mark.rule, "micro-armour")

PANZER, PAK, GRENADIERS, STAFF, MMG = (
    "ger-panzer-iv-f2-h-7-5cm",
    "ger-75mm-atg-pak-40",
    "ger-infantry-43",
    "ger-infantry-hq",
    "ger-infantry-support",
)
T34, RIFLES, SOVIET_STAFF = "sov-t-34c", "sov-infantry-43-45", "sov-infantry-hq"

SCENARIO = """
id = "test"
ruleset = "micro-armour"
title = "Test"
turns = {turns}
first = "german"
{top}
[table]
size = [40, 30]
{terrain}
[sides.german]
name = "Germans"
nation = "german"
facing = 90
cohesion = 15
{german}
[sides.soviet]
name = "Soviets"
nation = "soviet"
facing = 270
cohesion = 13
{soviet}
"""


def game(
    german: Iterable[tuple[str, str]] = (),
    soviet: Iterable[tuple[str, str]] = (),
    dice: Iterable[int] = (),
    **more: str,
) -> Game[Position]:
    """A game with stands of a type at a point; `more` fills the gaps of the scenario."""
    parts = {"top": "", "terrain": "", "turns": "3", **more}
    parts["german"] = _units(german) + "\n" + more.get("german_more", "")
    parts["soviet"] = _units(soviet) + "\n" + more.get("soviet_more", "")
    found = scenarios.parse(SCENARIO.format(**parts), "test.toml")
    state, frame = RULESET.start(RULESET.set_up(found))
    made: Game[Position] = Game(RULESET, state, scripted(dice), {side: side for side in found.sides})
    made.push(frame)
    return made


def _units(stands: Iterable[tuple[str, str]]) -> str:
    entries = ", ".join(f'{{unit = "{kind}", at = ["{at}"]}}' for kind, at in stands)
    return f"units = [{entries}]"


def position(german: Iterable[tuple[str, str]] = (), soviet: Iterable[tuple[str, str]] = (), **more: str) -> Position:
    """A position, with no game around it."""
    return game(german, soviet, (), **more).state


def scripts(made: Game[Any], dice: Iterable[int]) -> None:
    """Give a game these dice from now on."""
    made.dice = scripted(dice)


def emptied(made: Game[Any]) -> None:
    """Leave nothing to decide in a game."""
    made.stack = ()


def fair(made: Game[Any], seed: int) -> None:
    """Give a game dice that nobody foresees."""
    made.dice = Dice(seed.to_bytes(32, "big"))


def refused(made: Game[Any], seat: str, action: Action) -> str:
    """The rule by which an action is refused; empty if it is not."""
    refusal = made.why_not(seat, action)
    return refusal.rule if refusal else ""


def at(made: Position, name: str) -> Point:
    """The point of a stand."""
    found = made.units[name].at
    assert found is not None
    return found


def stand(made: Position, name: str, **values: Any) -> Stand:
    """A stand with other values, put into its position."""
    return made.change(name, **values)


def group_moves(made: Game[Position], *names: str) -> None:
    """Let the computer player move a German group to the end of its move."""
    for name in names:
        stand(made.state, name, posture="movement", group=names[0])
    emptied(made)
    made.push(GroupMove("german", names))
    made.run()
    player, rng = Greedy(), random.Random(1)
    while made.stack and isinstance(made.stack[-1], GroupMove | Moving):
        made.play("german", player.choose(made, "german", rng))
