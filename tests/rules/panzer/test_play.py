"""Panzer as a whole: random games in every scenario, and games that look the same to those who know no commands."""

from __future__ import annotations

import random
import re

import pytest

from core import contract
from core.contract import Case, Script
from core.twins import Twins, play_all
from opfire.core import scenario as scenarios
from opfire.core.actions import Action
from opfire.core.dice import Dice
from opfire.core.fuzz import HABITS
from opfire.core.game import SPECTATOR, Game
from opfire.core.options import every_option, plain_options
from opfire.core.record import new_game
from opfire.rulesets.panzer import RULESET
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.direct_fire import Announce, Asked, Keep
from opfire.rulesets.panzer.pieces import CommandName, Position
from rules.panzer.battle import text
from rules.panzer.kit import rule

SCENARIOS = {
    name: path.read_text(encoding="utf-8")
    for name, path in scenarios.files().items()
    if scenarios.read(path).ruleset == RULESET.id
}
WHOLE = 3
"""The games of each scenario that are played to their end."""

EACH, LARGE = 5, {"panzer-sixty": 1}
"""The games of each part of the test; the large battle, whose games take long, has fewer, the first one whole."""

MOST = 5_000
"""More decisions than any random game takes."""

ALL = (every_option(RULESET.id), plain_options(RULESET.id))
"""The Advanced Game with all optional rules, which stand beside each other: with all other readings, and with none.

Another reading takes the place of ours (a single weapon from overwatch, R71): only where it is off ours is played.
"""


def randomly(name: str, seed: int, turns: int) -> Game[Position]:
    """A random game up to a turn; each third one of the Advanced Game has all options on, half of them our readings."""
    found = SCENARIOS[name]
    if seed % 3 == 2 and "AG" in found:
        options = ALL[(seed // 3 + [*SCENARIOS].index(name)) % len(ALL)]
        found = re.sub(r"(?m)^options = .*$", f"options = {options}", found)
    made, rng = new_game(RULESET, found, Dice(seed.to_bytes(32, "big"))), random.Random(f"{name} {seed}")
    choose = HABITS[seed % len(HABITS)]
    for _ in range(MOST):
        if made.outcome is not None or made.state.turn > turns:
            return made
        seat = made.deciders()[0]
        choices = made.choices(seat)
        assert choices, f"nobody can go on: {made.stack[-1]}"
        made.play(seat, choose(made, seat, choices, rng))
        sound(made.state)
    pytest.fail(f"{name} {seed} does not end")


def sound(position: Position) -> None:
    """Check what holds after every decision of a game."""
    for unit in position.units.values():
        assert (unit.hex is None) == (unit.status != "on the map")
        assert not (unit.fired and unit.command == "move")
    for hex in {unit.hex for side in position.setting.sides for unit in position.of(side)}:
        assert hex in position.map


@pytest.mark.parametrize("part", range(5))
@pytest.mark.parametrize("name", SCENARIOS)
def test_random_games(name: str, part: int) -> None:
    games = LARGE.get(name, EACH)
    for seed in range(games * part, games * (part + 1)):
        made = randomly(name, seed, 99 if seed < min(WHOLE, games) else 2)
        assert made.outcome is not None or made.state.turn == 3


TWO_GUNS = 'units = [{ unit = "pz4h", count = 2, at = ["1-A4", "1-B4"] }]'
TWO_TANKS = 'units = [{ unit = "t34_43", count = 2, at = ["1-G4", "1-G5"] }]'
DUEL = Case(RULESET, text(german=TWO_GUNS, soviet=TWO_TANKS))
PAIRS: tuple[tuple[CommandName, CommandName], ...] = (
    ("move", "overwatch"),
    ("overwatch", "no command"),
    ("fire", "overwatch"),
    ("short halt", "no command"),
)


def sheets(german: CommandName, soviet: CommandName) -> Script:
    """Both sides hand in their commands: one for the second vehicle, the first moves."""
    return tuple(
        (side, HandIn((Command(f"{side}-1", "move"), Command(f"{side}-2", command))))
        for side, command in (("german", german), ("soviet", soviet))
    )


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize(
    ("owners", "blind"), [(("german",), ("soviet", SPECTATOR)), (("soviet",), ("german", SPECTATOR))]
)
def test_a_blind_seat_cannot_tell_games_apart_by_the_commands_in_them(
    owners: tuple[str, ...], blind: tuple[str, ...], pair: tuple[CommandName, CommandName]
) -> None:
    one, other = (sheets(*(name if side in owners else "move" for side in ("german", "soviet"))) for name in pair)
    with contract.registered(RULESET):
        seen = play_all(Twins(DUEL, owners, blind, opening=(one, other)), range(4), 25)
    assert seen["MovementStep"] + seen["DirectFireStep"] >= 4, seen


MEN = """units = [
    {{ unit = "{squad}", count = 2, at = ["{first}", "{second}"] }},
    {{ unit = "{tank}", count = 2, at = ["{third}", "{third}"] }},
]"""
GERMANS = MEN.format(squad="g_sqd41", first="1-B4", second="1-B5", tank="pz4h", third="1-A4")
SOVIETS = MEN.format(squad="s_sqd41", first="1-D4", second="1-D5", tank="t34_43", third="1-G4")
TROOPS = Case(
    RULESET, text(german=f'grade = "elite"\n{GERMANS}', soviet=f'grade = "elite"\n{SOVIETS}', options=("AG",))
)


@pytest.mark.parametrize("pair", [("move", "overwatch"), ("fire", "no command"), ("overwatch", "no command")])
@pytest.mark.parametrize("owner", ["german", "soviet"])
def test_nor_by_the_commands_of_squads(owner: str, pair: tuple[CommandName, CommandName]) -> None:
    other = "soviet" if owner == "german" else "german"
    blind = (other, SPECTATOR)
    one, two = (sheets(*(name if side == owner else "move" for side in ("german", "soviet"))) for name in pair)
    with contract.registered(RULESET):
        seen = play_all(Twins(TROOPS, (owner,), blind, opening=(one, two)), range(3), 25)
    assert seen["MovementStep"] + seen["DirectFireStep"] + seen["CloseCombatStep"] >= 3, seen


def denied(command: CommandName, seed: int, *answers: Action) -> Script:
    """A German fires at a Soviet tank, whose player gives these answers about its command; both tanks have this one."""
    match, played = contract.start(DUEL, seed), list[tuple[str, Action]]()
    commands = {"german": ("fire", "no command"), "soviet": (command, command)}

    def play(seat: str, action: Action) -> None:
        match.play(seat, action)
        played.append((seat, action))

    for side, (first, second) in commands.items():
        play(side, HandIn((Command(f"{side}-1", first), Command(f"{side}-2", second))))
    while not isinstance(match.game.stack[-1], Asked):
        seat = match.game.asked()[0]
        ways = [*match.game.choices(seat)]
        play(seat, next((act for act in ways if isinstance(act, Announce)), ways[0]))
    for answer in answers:
        play("soviet", answer)
    return tuple(played)


@rule("4.4.3.2.2-moving")
@pytest.mark.parametrize("commands", [("move", "overwatch"), ("move", "no command")])
def test_the_answer_that_a_command_has_no_effect_looks_the_same_whatever_the_truth(
    commands: tuple[CommandName, CommandName],
) -> None:
    """The target moves in one game, and not in the other; its enemy and the spectators receive the same bytes."""
    for seed in range(2):
        one, other = (denied(command, seed, Keep()) for command in commands)
        assert [act for act in one if not isinstance(act[1], HandIn)] == [
            act for act in other if not isinstance(act[1], HandIn)
        ]
        with contract.registered(RULESET):
            seen = play_all(
                Twins(DUEL, ("soviet",), ("german", SPECTATOR), opening=(one, other)), range(seed, seed + 1), 1
            )
        assert seen["differ"] == 1


QUIET = ({"most": 1}, {"fire": "never"}, {"fire": "always", "least_chance": 100}, {"moving": "keep"})
"""Standing orders that put no question about a target's command, not even the first one."""


@rule("4.4.3.2.2-moving")
@pytest.mark.parametrize("orders", QUIET)
@pytest.mark.parametrize("commands", [("move", "overwatch"), ("short halt", "no command")])
def test_nor_can_an_enemy_tell_the_answer_of_standing_orders(
    commands: tuple[CommandName, CommandName], orders: dict[str, object]
) -> None:
    """With the last question spent, too, the orders answer alike for a target that moves and for one that does not."""
    one, other = (denied(command, 0) for command in commands)
    twins = Twins(DUEL, ("soviet",), ("german", SPECTATOR), orders={"soviet": (orders, orders)}, opening=(one, other))
    with contract.registered(RULESET):
        seen = play_all(twins, range(1), 1)
    assert seen["differ"] == 1
