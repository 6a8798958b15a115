"""Every ruleset holds to the contract, and the kernel keeps its side of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core import contract
from core.cases import CASES
from core.contract import Case

SEEDS = range(4)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_contract(case: Case, check: Callable[[Case, int], None]) -> None:
    for seed in SEEDS if case.most < 5000 else SEEDS[:1]:
        check(case, seed)


@pytest.mark.parametrize(
    ("name", "at"), [(name, at) for name, given in CASES.items() for at in range(len(given.twins))]
)
def test_nothing_leaks(name: str, at: int) -> None:
    for seed in SEEDS:
        contract.check_leaks(CASES[name], CASES[name].twins[at], seed)


@pytest.mark.parametrize("name", CASES)
def test_the_same_game_under_every_hash_seed(name: str) -> None:
    contract.check_hash_seeds("core.cases", name, seed=3)
