"""Works [11.1 to 11.4]: laid in set-up, mines in secret; positions under artillery."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from core import contract, twins
from opfire.core import scenario as scenarios
from opfire.core.actions import Action
from opfire.core.errors import BadInput
from opfire.core.game import SPECTATOR, Game
from opfire.kit.setup import Ready
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.works.laying import Lay
from rules.micro_armour.kit import RIFLES, SCENARIO, T34, game, refused, rule
from rules.micro_armour.marches import inches

STOCKS = """
works = [
    { kind = "mines", value = "standard", count = 1, zone = "belt" },
    { kind = "mines", value = "dummy", count = 1, zone = "belt" },
    { kind = "ditch", count = 1, zone = "belt" },
]
"""
ZONES = '[[zones]]\nname = "belt"\nbox = [10, 5, 16, 25]\n'
WOODS = '[[table.areas]]\nkind = "woods"\npoints = "10,18 16,18 16,25 10,25"\n'


def belt() -> Game[Position]:
    """A game in which the Germans lay mines, a dummy and a ditch."""
    made = game([(RIFLES, "5,5")], [(T34, "35,5")], german_more=STOCKS, terrain=WOODS + ZONES)
    made.run()
    return made


def mines(value: str, x: float, y: float) -> Lay:
    """Lay mines at a point in inches."""
    return Lay("mines", value, inches(x, y), 0)


@rule("11.1.2")
def test_11_1_2_mines_are_laid_in_their_zone_and_never_stacked() -> None:
    made = belt()
    assert refused(made, "german", mines("standard", 20, 10)) == "procedure"
    assert refused(made, "german", mines("hasty", 12, 10)) == "procedure"
    made.play("german", mines("standard", 12, 10))
    assert refused(made, "german", mines("standard", 12, 14)) == "procedure"
    assert refused(made, "german", mines("dummy", 12.5, 10)) == "11.1.2"
    made.play("german", mines("dummy", 13, 10))
    assert [work.id for work in made.state.works.values()] == ["german mines 1", "german mines 2"]


@rule("11.3.1")
def test_11_3_1_no_ditch_is_dug_in_woods() -> None:
    made = belt()
    assert refused(made, "german", Lay("ditch", "", inches(12, 20), 0)) == "11.3.1"
    made.play("german", Lay("ditch", "", inches(12, 10), 0))


@rule("11.1.2")
def test_11_1_2_only_their_side_knows_which_markers_are_mines() -> None:
    made = belt()
    made.play("german", mines("standard", 12, 10))
    made.play("german", mines("dummy", 13, 10))
    values = {seat: [work.value for work in made.sight(seat).works.values()] for seat in ("german", "soviet")}
    assert values == {"german": ["standard", "dummy"], "soviet": ["", ""]}
    guess = RULESET.imagined
    assert guess is not None
    twin, _ = guess(made.sight("soviet"), tuple(made.stack), "soviet", random.Random(1))
    assert all(work.value for work in twin.works.values())


TEXT = """
id = "belt"
ruleset = "micro-armour"
title = "The Belt"
turns = 4
first = "german"
victory = [{ side = "german", condition = "eliminate" }, { side = "soviet", condition = "eliminate" }]
zones = [{ name = "belt", box = [10, 5, 16, 13] }]
[table]
size = [24, 18]
[sides.german]
name = "Germans"
nation = "german"
facing = 90
cohesion = 15
commands = [{ unit = "ger-infantry-43", rank = "GHQ", quality = 2 }]
units = [{ unit = "ger-infantry-hq", at = ["4,9"] }, { unit = "ger-infantry-43", count = 2, at = ["6,5", "6,13"] }]
works = [
    { kind = "mines", value = "standard", count = 1, zone = "belt" },
    { kind = "mines", value = "dummy", count = 1, zone = "belt" },
    { kind = "ditch", count = 1, zone = "belt" },
]
[sides.soviet]
name = "Soviets"
nation = "soviet"
facing = 270
cohesion = 15
commands = [{ unit = "sov-infantry-39", rank = "GHQ", quality = 2 }]
units = [
    { unit = "sov-infantry-39", count = 3, at = ["12.9,9", "13.9,9", "13.5,12"] },
    { unit = "sov-t-34c", at = ["14.9,9"] },
]
equipment = [{ unit = "sov-infantry-39", means = "engineers", count = 3 }]
"""
CASE = contract.Case(RULESET, TEXT, most=20000, every=37)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_works_hold_to_the_contract(check: Callable[[contract.Case, int], None]) -> None:
    check(CASE, 1)


@rule("11.1.2", "11.1.6-leave")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_11_1_2_nothing_that_the_enemy_receives_tells_mines_from_dummies(seed: int) -> None:
    ends: tuple[tuple[str, Action], ...] = (("german", Lay("ditch", "", inches(12, 12), 0)), ("german", Ready()))
    first = (("german", mines("standard", 12.7, 9)), ("german", mines("dummy", 13.7, 9)), *ends)
    second = (("german", mines("dummy", 12.7, 9)), ("german", mines("standard", 13.7, 9)), *ends)
    pair = twins.Twins(CASE, ("german",), ("soviet", SPECTATOR), opening=(first, second))
    seen = twins.play(pair, seed, 120)
    assert sum(seen.values()) > 10, seen


def test_works_in_a_zone_that_nobody_knows_are_refused() -> None:
    with pytest.raises(BadInput, match="zone"):
        game(german_more='works = [{ kind = "wire", zone = "nowhere" }]')
    with pytest.raises(BadInput, match="value"):
        game(german_more='works = [{ kind = "wire", value = "hasty", zone = "belt" }]', terrain=ZONES)


@rule("11.1.3")
@pytest.mark.parametrize(("dummies", "fits"), [(1, True), (2, False)])
def test_11_1_3_dummies_that_lie_already_count_too(dummies: int, fits: bool) -> None:
    """Two minefields, one of them laid by the scenario: one dummy with a cohesion of 13."""
    places = ", ".join(f'"{10 + number},10"' for number in range(dummies))
    marks = (
        f'[[markers]]\nkind = "mines"\nside = "soviet"\nvalue = "dummy"\nat = [{places}]\n'
        '[[markers]]\nkind = "mines"\nside = "soviet"\nvalue = "hasty"\nat = ["20,10"]\n'
        '[[zones]]\nname = "all"\nbox = [5, 5, 35, 25]\n'
    )
    laid = 'works = [{ kind = "mines", zone = "all", value = "hasty" }]\n'
    if fits:
        game(soviet_more=laid + marks)
    else:
        with pytest.raises(BadInput, match=r"11\.1\.3"):
            game(soviet_more=laid + marks)


@rule("11.1.3")
@pytest.mark.parametrize(
    ("cohesion", "dummies", "fits"), [(14, 2, True), (14, 3, False), (15, 5, True), (11, 2, False)]
)
def test_11_1_3_the_dummies_of_a_scenario_are_limited_by_cohesion(cohesion: int, dummies: int, fits: bool) -> None:
    """Five minefields: one dummy for each two with 12 to 14, for each with 15, for each four below."""
    mines = "".join(
        f'{{ kind = "mines", zone = "all", value = "{value}", count = {count} }}, '
        for value, count in (("hasty", 2), ("standard", 3), ("dummy", dummies))
    )
    zone = '[[zones]]\nname = "all"\nbox = [5, 5, 35, 25]\n'
    text = f"works = [{mines}]\n\n{zone}"
    scenario = SCENARIO.replace("cohesion = 13", f"cohesion = {cohesion}")
    parts = {"top": "", "terrain": "", "turns": "3", "german": "units = []", "soviet": text}
    found = scenarios.parse(scenario.format(**parts), "test.toml")
    if fits:
        RULESET.set_up(found)
    else:
        with pytest.raises(BadInput, match=r"11\.1\.3"):
            RULESET.set_up(found)
