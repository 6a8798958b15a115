"""A digest is the same in every process: a record must open after the server was restarted."""

from __future__ import annotations

import os
import subprocess
import sys

WITH_WRECKS = """
from opfire.core.match import Match
from opfire.core.scenario import text_of

match = Match.start(text_of("mill-ford"), {}, {"german": "one", "soviet": "two"}, bytes(32))
match.game.state.wrecks = frozenset(match.game.state.map.cells)
print(match.game.digest())
"""


def digest(hash_seed: str) -> str:
    """The output of a process in which strings are hashed with that seed."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", WITH_WRECKS], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_a_digest_does_not_depend_on_the_process() -> None:
    assert len({digest(seed) for seed in ("1", "2", "3")}) == 1
