"""The scenarios that come with Opfire: forces, zones, objectives, and set-ups that can always be finished."""

from __future__ import annotations

import random

import pytest

from opfire.core import scenario as scenarios
from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.core.places import INCH, Point
from opfire.kit.table import Zone
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Setting, Stand
from opfire.rulesets.panzerblitz_miniatures.setup import SetUp, setting
from opfire.space.measure import square
from rules.panzerblitz_miniatures.kit import rule

FILES = {
    scenario.id: scenario
    for path in scenarios.files().values()
    if (scenario := scenarios.read(path)).ruleset == RULESET.id
}
RADIUS = 20 * INCH
"""The command radius of the book in 1/1000 inch [CMD-3]."""

every = pytest.mark.parametrize("name", FILES)


def stands(made: Setting, side: str) -> list[Stand]:
    return [start.stand for start in made.roster if start.stand.side == side]


def corners(made: Setting, stand: Stand) -> list[Point]:
    """The corners of the ground on which a stand may start."""
    fixed = [start.at for start in made.roster if start.stand.id == stand.id and start.at is not None]
    zone = made.zones.get(stand.id, Zone())
    west, north, east, south = zone.box or (0, 0, 0, 0)
    boxed = [(west, north), (east, north), (east, south), (west, south)] if zone.box else []
    return [*fixed, *zone.points, *boxed]


def set_up(name: str, seed: int) -> Game[Position]:
    """A game of this scenario after a set-up at random."""
    made, rng = FILES[name], random.Random(seed)
    state, frame = RULESET.start(RULESET.set_up(made))
    game = Game(RULESET, state, Dice(bytes(32)), {side: side for side in made.sides})
    game.push(frame)
    game.run()
    for _ in range(4_000):
        if not isinstance(game.stack[-1], SetUp):
            return game
        seat = game.deciders()[0]
        game.play(seat, game.choices(seat).sample(rng))
    raise AssertionError("the set-up does not end")


@every
def test_a_battle_is_told_in_a_title_and_a_few_sentences(name: str) -> None:
    scenario = FILES[name]
    assert scenario.source == "own"
    assert 1 <= scenario.summary.count(". ") + 1 <= 2
    assert scenario.summary.endswith(".")
    assert scenario.history.strip().endswith(".")
    assert [each.title for each in FILES.values()].count(scenario.title) == 1


@rule("CMD-1", "CMD-3")
@every
def test_every_stand_can_start_under_command(name: str) -> None:
    made = setting(FILES[name])
    for side in made.sides:
        posts = [at for each in stands(made, side) if each.kind.type == "command" for at in corners(made, each)]
        landed = made.doctrine(side).airborne
        assert posts or landed, side
        for stand in stands(made, side):
            places = corners(made, stand)
            assert not places or any(square(at, post) <= RADIUS**2 for at in places for post in posts), stand.name


@every
def test_objectives_can_be_held_by_men_on_foot(name: str) -> None:
    made = setting(FILES[name])
    assert made.objectives
    for text, at in made.objectives.items():
        kinds = set(made.table.ground.at(at).kinds)
        assert kinds.isdisjoint({"water", "stream"}) or "bridge" in kinds, text


@rule("SEQ-2")
@every
@pytest.mark.parametrize("seed", range(3))
def test_a_set_up_at_random_ends_with_everybody_on_his_ground(name: str, seed: int) -> None:
    position = set_up(name, seed).state
    for unit in position.units.values():
        if unit.carrier is None and unit.at is not None:
            zone = position.setting.zones.get(unit.id)
            assert zone is None or unit.at in zone or unit.at in corners(position.setting, unit), unit.name
        assert unit.status != "to place", unit.name


@rule("SPT-2")
@every
@pytest.mark.parametrize("seed", range(3))
def test_no_battle_begins_in_contact(name: str, seed: int) -> None:
    position = set_up(name, seed).state
    first, second = position.setting.sides
    near = [
        (unit.name, enemy.name)
        for unit in position.of(first)
        for enemy in position.of(second)
        if unit.at is not None and enemy.at is not None and square(unit.at, enemy.at) <= (4 * INCH) ** 2
    ]
    assert near == []


def test_a_first_evening_has_eleven_stands() -> None:
    assert sum(side.count() for side in FILES["mini-yagodka"].sides.values()) == 11


def test_the_battles_show_all_that_the_book_has() -> None:
    """Bad sight of both kinds, engineers at a river, guns and observers, parachutists, helicopters, missiles."""
    made = {name: setting(scenario) for name, scenario in FILES.items()}
    types = {name: {start.stand.kind.type for start in each.roster} for name, each in made.items()}
    assert {each.sections.visibility for each in made.values()} == {"good", "poor", "variable"}
    assert {"engineer", "bridge layer", "observer"} <= types["mini-lubosz"]
    assert {"observer", "self-propelled artillery", "mortar"} <= types["mini-valmont"]
    assert {"helicopter", "anti-aircraft vehicle", "observer"} <= types["mini-wieldorf"]
    assert {landing.by for landing in made["mini-oudewaal"].landings.values()} == {"parachute", "glider"}
    assert any(start.stand.kind.weapon == "G" for start in made["mini-wieldorf"].roster)
