"""Types are worked out by one thread before any thread uses them; unknown fields are answered with the known ones."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from opfire.core.reading import known_fields

RACE = """
import sys, threading
import msgspec
from opfire.core.reading import ready

sys.setswitchinterval(1e-6)
def race(kind, data):
    gate = threading.Barrier(8)
    wrong = []
    def use():
        gate.wait()
        if msgspec.to_builtins(msgspec.convert(data, ready(kind))) != data:
            wrong.append(kind)
    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return not wrong

for n in range(60):
    inner = msgspec.defstruct(f"Inner{n}", [(f"field{k}", "int | None") for k in range(30)], module=__name__)
    globals()[f"Inner{n}"] = inner
    outer = msgspec.defstruct(f"Outer{n}", [("one", f"Inner{n}"), ("two", f"list[Inner{n}]")], module=__name__)
    part = {f"field{k}": k for k in range(30)}
    assert race(outer, {"one": part, "two": [part]})
print("all the same")
"""


def test_eight_threads_use_a_type_for_the_first_time() -> None:
    """Without `ready` msgspec 0.22 crashes here with a segmentation fault."""
    ran = subprocess.run([sys.executable, "-c", RACE], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.strip()) == (0, "all the same"), ran.stderr


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    range: int = 0
    points: int = 0


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    stands: list[Inner] = []
    sides: dict[str, Inner] | None = None


@pytest.mark.parametrize(
    ("data", "known"),
    [
        ({"stands": [{"rang": 1}]}, "range"),
        ({"sides": {"red": {"colour": 1}}}, "range, points"),
        ({"stand": []}, "stands"),
        ({"stands": 4}, ""),
    ],
)
def test_an_unknown_field_is_answered_with_those_that_there_are(data: dict[str, object], known: str) -> None:
    with pytest.raises(msgspec.ValidationError) as raised:
        msgspec.convert(data, Outer)
    assert known_fields(Outer, str(raised.value)) == known
