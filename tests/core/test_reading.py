"""Types are worked out by one thread before any thread uses them."""

from __future__ import annotations

import subprocess
import sys

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
