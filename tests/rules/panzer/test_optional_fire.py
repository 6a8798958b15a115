"""Optional rules of GP fire [7.15, 7.17], the order of the steps [6.6, 6.8], locations by angle [6.5.2.3.2]."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer import sequence
from opfire.rulesets.panzer.adjusting import AdjustStep
from opfire.rulesets.panzer.fire import resolving
from opfire.rulesets.panzer.fire.arms import arms_of
from opfire.rulesets.panzer.fire.close_combat import CloseCombatStep
from opfire.rulesets.panzer.fire.shots import Fire, gp_modifiers
from opfire.rulesets.panzer.morale.checks import MoraleStep
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import Position, Work
from opfire.rulesets.panzer.sequence import AdjustmentPhase
from opfire.rulesets.panzer.suppression import SuppressionStep
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army


@rule("6.5.2.3.2", "6.5.2.3.3")
def test_front_and_rear_shots_hit_no_sides() -> None:
    rows = CHARTS.hit_locations.values()
    for angle in ("front", "rear"):
        assert not {row.at(angle)[:2] for row in rows} & {"TS", "HS"}
    for angle in ("front side", "rear side"):
        assert {row.at(angle)[:2] for row in rows} <= {"TF", "TS", "TR", "HF", "HS", "HR", "TK"}
        assert {row.at(angle)[:2] for row in rows} & {"TS", "HS"}


@rule("6.6", "6.8")
def test_close_combat_comes_before_movement_and_the_adjustment_has_its_order() -> None:
    kinds = [kind for kind, _ in sequence.steps(game(text(options=("AG", "7.1"))).state)]
    order = [CloseCombatStep, MovementStep, AdjustStep, SuppressionStep, MoraleStep, AdjustmentPhase]
    assert [kinds.index(kind) for kind in order] == sorted(kinds.index(kind) for kind in order)
    assert MoraleStep not in [kind for kind, _ in sequence.steps(game(text(options=("AG",))).state)]


# --- hollow charges as GP fire [7.15]


def rocket(options: tuple[str, ...], board: str = OPEN) -> Position:
    """A Grenadier squad with rockets near a Soviet one."""
    german = army(("g_sqd44", "1-B4"))
    return game(text(board=board, german=german, soviet=army(("s_sqd41", "1-A4")), options=("AG", *options))).state


def penalty(state: Position) -> int:
    unit = state.change("german-1", weapons=("pzf60",))
    arm = next(arm for arm in arms_of(state, unit) if arm.row.kind == "hhatw" and not arm.is_ap)
    found = gp_modifiers(state, Fire(unit, state.units["soviet-1"], arm, False, 0), "P")
    return sum(line.amount for line in found if line.rule == "7.15")


@rule("7.15")
def test_hand_held_rockets_are_worse_against_men_in_the_open() -> None:
    assert penalty(rocket(("7.15",))) == -10
    assert penalty(rocket(())) == 0
    assert penalty(rocket(("7.15",), OPEN.replace("\n. . .", "\nB . ."))) == 0
    dug = rocket(("7.15",))
    dug.works["1-A4"] = (Work("improved position", holder="soviet-1"),)
    assert penalty(dug) == 0


# --- attached weapons [7.17]


def reduced(dice: tuple[int, ...], weapons: tuple[str, ...], options: tuple[str, ...] = ("7.17",)) -> Game[Position]:
    made = game(text(german=army(("g_sqd44", "1-A4")), soviet=FAR, options=("AG", *options)), dice)
    unit = made.state.change("german-1", weapons=weapons)
    resolving.reduce(made, unit)
    return made


@rule("7.17")
@pytest.mark.parametrize(
    ("dice", "weapons", "kept"),
    [
        ((5,), ("pzf60",), ()),
        ((6,), ("pzf60",), ("pzf60",)),
        ((7, 6), ("pzf30", "pzf60"), ("pzf60",)),
        ((8, 5), ("pzf30", "pzf60"), ("pzf30",)),
    ],
)
def test_a_reduced_squad_may_lose_its_weapons(
    dice: tuple[int, ...], weapons: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    assert reduced(dice, weapons).state.units["german-1"].weapons == kept


@rule("7.17")
def test_without_the_option_weapons_are_safe() -> None:
    assert reduced((), ("pzf30", "pzf60"), ()).state.units["german-1"].weapons == ("pzf30", "pzf60")
