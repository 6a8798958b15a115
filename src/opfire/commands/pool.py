"""Many games at once, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import TypeVar

Job = TypeVar("Job")
Done = TypeVar("Done")


def cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(
    work: Callable[[Job], Done],
    jobs: Iterable[Job],
    workers: int,
    prepare: Callable[[], object] | None = None,
) -> Iterator[Done]:
    """The results of the jobs, as they finish, from fresh processes; each process calls `prepare` first."""
    with ProcessPoolExecutor(workers, get_context("spawn"), prepare) as pool:
        for future in as_completed([pool.submit(work, job) for job in jobs]):
            yield future.result()
