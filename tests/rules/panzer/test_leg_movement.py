"""Movement of leg and towed units [6.6.4, 6.6.5]."""

from __future__ import annotations

import random

import pytest

from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.moving.going import Move, blocked_route
from opfire.rulesets.panzer.moving.legs import allowance
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.sequence import RollInitiative
from rules.panzer.battle import OPEN, game, refused, text
from rules.panzer.kit import CHARTS, rule

FAR = 'units = [{ unit = "t34_43", at = ["1-L8"] }]'


def walking(unit: str, board: str = OPEN, at: str = "1-A4", soviet: str = FAR, **values: object) -> Game[Position]:
    """A unit with a Move command in its Movement Step."""
    german = f'units = [{{ unit = "{unit}", at = ["{at}"] }}]'
    made = game(text(board=board, german=german, soviet=soviet, options=("AG",)), (90, 10))
    made.state.change("german-1", **values)
    made.play("german", HandIn((Command("german-1", "move"),)))
    made.play("soviet", HandIn())
    made.play(made.asked()[0], RollInitiative())
    while made.stack[-1].step != "movement" or made.stack[-1].side != "german":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    return made


def steps(made: Game[Position], *hexes: str) -> str | None:
    """The rule that stops the unit on its way, or None."""
    for hex in hexes:
        if rule := refused(made, "german", Move("german-1", hex)):
            return rule
        made.play("german", Move("german-1", hex))
        while isinstance(made.stack[-1], Overwatch):
            made.play(made.asked()[0], Pass())
    return None


@rule("6.6.4.1-mf")
def test_squads_walk_two_hexes_in_any_direction() -> None:
    assert CHARTS.legs["g_sqd44"].m_cc == 2
    assert steps(walking("g_sqd44", facing=3), "1-A3", "1-B2") is None
    assert steps(walking("g_sqd44"), "1-A3", "1-A2", "1-A1") == "6.6.4.1-mf"


@rule("6.6.4.1-mf", "6.6.2")
def test_the_allowance_is_one_for_sections_with_weapons_and_halved_by_suppression() -> None:
    made = walking("g_hmg")
    section = made.state.units["german-1"]
    assert allowance(section, 0) == 1
    squad = walking("g_sqd44", suppression="off")
    assert steps(squad, "1-A3", "1-A2") == "6.6.4.1-mf"


def hill(level: int, hexside: str) -> str:
    """A plain with a hill of this level in A3, and the hexside below it."""
    lines = OPEN.splitlines()
    start = lines.index("hexes = '''") + 1
    lines[start + 2] = f"{level}{lines[start + 2][1:]}"
    return "\n".join(lines) + (f'\n[sides]\n{hexside} = ["A3/A4"]\n' if hexside else "\n")


@rule("6.6.4.1-height")
@pytest.mark.parametrize(("unit", "rule_"), [("g_sqd44", None), ("t_75", "6.6.5"), ("g_bike", "4.5.1.1.2-slope")])
def test_squads_climb_two_levels_at_most(unit: str, rule_: str | None) -> None:
    assert steps(walking(unit, hill(2, "slope"), facing=0), "1-A3") == rule_
    if unit == "g_sqd44":
        assert steps(walking(unit, hill(3, "slope")), "1-A3") == "6.6.4.1-height"


@rule("4.1.4.1.5", "6.6.4.1-height")
@pytest.mark.parametrize("hexside", ["", "cliff"])
@pytest.mark.parametrize(
    ("unit", "level", "rule_"),
    [
        ("g_sqd44", 2, None),
        ("g_sqd44", 3, "6.6.4.1-height"),
        ("g_cav", 2, None),
        ("t_75", 1, None),
        ("g_bike", 1, "4.1.4.1.5"),
        ("pz4h", 1, "4.1.4.1.5"),
    ],
)
def test_cliffs_stop_vehicles_and_wheels_alone(unit: str, level: int, rule_: str | None, hexside: str) -> None:
    """A hill's edge without a slope "is impassable to vehicles"; others climb as high as elsewhere."""
    assert steps(walking(unit, hill(level, hexside), facing=0), "1-A3") == rule_


@rule("6.6.4.1-proh")
def test_squads_enter_heavy_woods_but_no_water() -> None:
    wooded = OPEN.replace("\n. . .", "\nH H .")
    assert steps(walking("g_sqd44", wooded, at="1-C4"), "1-B4") is None
    wet = OPEN.replace("\n. . .", "\n. = .")
    assert steps(walking("g_sqd44", wet, at="1-C4"), "1-B4") == "6.6.4.1-proh"


@rule("6.6.5")
def test_guns_are_manhandled_by_one_hex_and_not_over_walls() -> None:
    assert steps(walking("t_75"), "1-A3") is None
    assert steps(walking("t_75"), "1-A3", "1-A2") == "6.6.5"
    for kind in ("wall", "hedgerow", "defilade"):
        assert steps(walking("t_75", OPEN + f'[sides]\n{kind} = ["A3/A4"]\n'), "1-A3") == "6.6.5"
    assert steps(walking("t_88pak43"), "1-A3") == ("6.6.5" if CHARTS.guns["t_88pak43"].m_cc == 0 else None)


@rule("6.6.4.3", "6.6.4.3-status")
def test_a_squad_in_full_cover_crawls_one_hex_and_stays_hidden() -> None:
    made = walking("g_sqd44", full_cover=True)
    assert steps(made, "1-A3") is None
    unit = made.state.units["german-1"]
    assert (unit.full_cover, unit.fresh, unit.moving) == (True, "", False)
    assert steps(made, "1-A2") == "6.6.4.3"


@rule("6.6.4.3-status")
@pytest.mark.parametrize(("full_cover", "moving", "fresh"), [(True, False, ""), (False, True, "move")])
def test_crawling_is_not_moving_and_walking_is(full_cover: bool, moving: bool, fresh: str) -> None:
    made = walking("g_sqd44", full_cover=full_cover)
    assert steps(made, "1-A3") is None
    unit = made.state.units["german-1"]
    assert (unit.moving, unit.fresh) == (moving, fresh)


@rule("6.6.4.3")
def test_nobody_crawls_next_to_spotted_enemies_nor_suppressed() -> None:
    near = 'units = [{ unit = "t34_43", at = ["1-A2"] }]'
    made = walking("g_sqd44", soviet=near, full_cover=True)
    assert steps(made, "1-A3") == "6.6.4.3"
    assert steps(walking("g_sqd44", full_cover=True, suppression="on"), "1-A3") == "6.6.4.3"


@rule("6.1.4.2", "6.6.4.3")
def test_nobody_crawls_onto_a_bridge() -> None:
    brook = OPEN.replace("hexes = ", 'bridges = { A3 = "wood" }\nroads = ["A4 A3 A2"]\nhexes = ')
    lines = brook.splitlines()
    lines[lines.index("hexes = '''") + 3] = "u . . . . . . . . . . ."
    bridge = "\n".join(lines)
    assert steps(walking("g_sqd44", bridge, full_cover=True), "1-A3") == "6.1.4.2"
    assert steps(walking("g_sqd44", bridge), "1-A3") is None


@rule("6.6.4.1-block")
@pytest.mark.parametrize(("unit", "blocks"), [("g_sqd44", False), ("t_75", True), ("g_cav", True), ("g_bike", True)])
def test_guns_and_riders_block_the_road_rate_and_men_on_foot_do_not(unit: str, blocks: bool) -> None:
    units = f'units = [{{ unit = "pz4h", at = ["1-A4"] }}, {{ unit = "{unit}", at = ["1-A3"] }}]'
    state = game(text(german=units, options=("AG",))).state
    assert (blocked_route(state, state.units["german-1"], "1-A3") is not None) == blocks


@rule("4.0")
def test_random_games_with_squads_and_guns_come_to_an_end() -> None:
    german = 'units = [{ unit = "pz4h", at = ["1-A4"] }, { unit = "g_sqd44", count = 2, at = ["1-B4"] },'
    soviet = 'units = [{ unit = "t34_43", count = 2, at = ["1-G4"] }, { unit = "s_sqd41", at = ["1-G5"] },'
    german += ' { unit = "t_75", at = ["1-A5"] }]'
    soviet += ' { unit = "s_45", at = ["1-H4"] }]'
    for seed in range(6):
        made, rng = game(text(german=german, soviet=soviet, options=("AG",)), None, seed), random.Random(seed)
        for _ in range(3000):
            if made.outcome is not None:
                break
            seat = made.deciders()[0]
            made.play(seat, made.choices(seat).sample(rng))
        assert made.outcome is not None
