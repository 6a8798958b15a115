"""Options beside each other [7.0]: needed ones, exclusive ones, and those that change the same formula."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from opfire.core.errors import BadInput
from opfire.core.events import Line
from opfire.rulesets.panzer import setup
from opfire.rulesets.panzer.fire.answering import reckoned
from opfire.rulesets.panzer.fire.shots import DEFENSIVE, shot
from opfire.rulesets.panzer.options import NEEDS, OPTIONS
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.setup import check_together
from opfire.rulesets.panzer.sighting.spots import conditions
from opfire.rulesets.panzer.suppression import recovery
from rules.panzer.battle import game, text
from rules.panzer.moves import army

ALL = tuple(option.rule for option in OPTIONS)
STORM = "\n[conditions]\nvisibility = -1\n[conditions.khamsin]\nspotting = -2\nap = -3\ngp = -15\n"

Lines = set[tuple[str, int]]


def test_all_options_stand_beside_each_other() -> None:
    check_together(ALL)
    assert game(text(options=ALL), None).state.setting.options == frozenset(ALL)


@pytest.mark.parametrize("option", sorted(NEEDS))
def test_an_option_needs_its_other_one(option: str) -> None:
    with pytest.raises(BadInput):
        check_together(("AG", option))
    check_together(("AG", option, NEEDS[option]))


def test_exclusive_options_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "EXCLUSIVE", frozenset({frozenset({"7.12", "7.13"})}))
    check_together(("AG", "7.12", "7.14"))
    with pytest.raises(BadInput):
        check_together(("AG", "7.12", "7.13"))


# --- pairs that change one formula


def battlefield(options: tuple[str, ...]) -> Position:
    """A tank with a leader and a Recon label, buttoned up, its turret aside; a Soviet tank and a squad near it."""
    soviet = army(("t34_43", "1-D4"), ("s_sqd41", "1-B4"))
    state = game(text(german=army(("pz4h", "1-A4")), soviet=soviet, options=("AG", *options)) + STORM).state
    changes = {"leader": "nco", "labels": ("Recon",), "buttoned": True, "suppression": "off", "fired": True}
    state.change("german-1", **changes)
    return state


def found(lines: Iterable[Line]) -> Lines:
    return {(line.rule, line.amount) for line in lines if line.kind == "modifier"}


def of_spotting(state: Position) -> Lines:
    return found(conditions(state, state.units["german-1"], state.units["soviet-1"]))


def of_ap(state: Position) -> Lines:
    return found(shot(state, state.units["german-1"], state.units["soviet-1"], False).lines)


def of_gp(state: Position) -> Lines:
    return found(shot(state, state.units["german-1"], state.units["soviet-2"], False).lines)


def of_defense(state: Position) -> Lines:
    unit, target = state.change("german-1", facing=2, turret=1), state.units["soviet-1"]
    made = reckoned(state, unit, target, "", DEFENSIVE)
    return found(made.lines)  # type: ignore[union-attr]


def of_recovery(state: Position) -> Lines:
    return found(recovery(state, state.units["german-1"]).lines)


@pytest.mark.parametrize(
    ("one", "other", "formula"),
    [
        ("7.8", "7.43", of_spotting),
        ("7.8", "7.55", of_spotting),
        ("7.43", "7.55", of_spotting),
        ("7.43", "7.36.1", of_spotting),
        ("7.8", "7.36.4", of_spotting),
        ("7.36.1", "7.36.4", of_spotting),
        ("7.55", "7.36.4", of_ap),
        ("7.55", "7.36.4", of_gp),
        ("7.8", "7.55", of_ap),
        ("7.8", "7.55", of_defense),
        ("7.8", "7.36.4", of_defense),
        ("7.50", "7.55", of_recovery),
    ],
)
def test_two_options_add_their_lines_to_one_formula(one: str, other: str, formula: Callable[[Position], Lines]) -> None:
    neither, first, second = (formula(battlefield(options)) for options in ((), (one,), (other,)))
    both = formula(battlefield((one, other)))
    assert both - neither == (first - neither) | (second - neither)
    assert neither - both == (neither - first) | (neither - second)


def test_every_one_of_these_options_changes_its_formula() -> None:
    changed = {
        (option, formula)
        for option in ("7.8", "7.43", "7.55", "7.36.1", "7.36.4")
        for formula in (of_spotting, of_ap, of_gp, of_defense)
        if formula(battlefield((option,))) != formula(battlefield(()))
    }
    for option in ("7.8", "7.43", "7.36.1", "7.36.4"):
        assert (option, of_spotting) in changed
    assert ("7.36.4", of_ap) in changed
    assert ("7.36.4", of_gp) in changed
    assert ("7.8", of_defense) in changed
    assert ("7.55", of_ap) in changed or ("7.55", of_gp) in changed
