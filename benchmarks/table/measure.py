"""The free table's geometry: `make bench-table`. Leave the machine alone meanwhile.

A table of 60 by 44 inches with 40 areas of 30 corners each and 60 stands. Every run has a table of its own, so that
nothing is known from the one before. Times are the processor's, which tell more than the clock on a busy machine.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator
from math import cos, sin, tau

from opfire.core.places import Point
from opfire.space.measure import MICRO
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.legs import Manner
from opfire.space.terrain.reach import Ways
from opfire.space.terrain.sight import SightLine, seen, sight_line

SIZE = (60_000, 44_000)
AREAS, CORNERS, STANDS, LINES, FARTHEST, RUNS = 40, 30, 60, 10_000, 20, 5


class Prices:
    """An inch of open ground costs 1, of anything else 2."""

    def inch(self, features: tuple[Feature, ...]) -> int:
        """The movement points for an inch."""
        return 2 if features else 1

    def toll(self, feature: Feature, manner: Manner) -> int:
        """Nothing for borders."""
        return 0


def blob(rng: random.Random, number: int) -> Feature:
    """An area around a random point, its corners at random distances."""
    x, y, size = rng.randrange(5_000, 55_000), rng.randrange(5_000, 39_000), rng.randrange(1_500, 4_500)
    spokes = [(tau * n / CORNERS, size * rng.uniform(0.7, 1.1)) for n in range(CORNERS)]
    ring = tuple((round(x + far * cos(turn)), round(y + far * sin(turn))) for turn, far in spokes)
    return Feature(number, f"area-{number}", "woods", "Woods", "area", parts=((ring,),))


def anywhere(rng: random.Random) -> Point:
    """A random point of the table."""
    return rng.randrange(SIZE[0] + 1), rng.randrange(SIZE[1] + 1)


def pairs(rng: random.Random) -> Iterator[tuple[Point, Point]]:
    """Pairs of points at most twenty inches apart, all distances alike."""
    while True:
        (x, y), turn, far = anywhere(rng), rng.uniform(0, tau), rng.uniform(0, 1_000 * FARTHEST)
        end = (round(x + far * cos(turn)), round(y + far * sin(turn)))
        if 0 <= end[0] <= SIZE[0] and 0 <= end[1] <= SIZE[1]:
            yield (x, y), end


def open_line(line: SightLine) -> bool:
    """A rule for the measurement: an area hides whatever lies beyond it, unless the line begins in it."""
    return not any(span.enters.key and line.beyond(span.leaves) for span in line.spans)


def taken(what: Callable[[], object]) -> float:
    """The seconds of processor time that something takes."""
    begun = time.process_time()
    what()
    return time.process_time() - begun


def run(seed: int) -> dict[str, float]:
    """One run on a table of its own: lines a second, milliseconds of the rest."""
    rng = random.Random(seed)
    areas = [blob(rng, number) for number in range(AREAS)]
    stands = [anywhere(rng) for _ in range(STANDS)]
    lines = [pair for pair, _ in zip(pairs(rng), range(LINES), strict=False)]
    start, ground = (30_123, 22_317), Ground(SIZE, areas)
    others = [at for at in stands if abs(at[0] - start[0]) + abs(at[1] - start[1]) > 2_000]
    ways = Ways(Ground(SIZE, areas), Prices())
    return {
        "lines of sight a second, cold": LINES / taken(lambda: [sight_line(ground, *line) for line in lines]),
        "the area seen over 20 inches, ms": 1_000 * taken(lambda: seen(ground, start, FARTHEST * MICRO, open_line)),
        "a reach of 12 inches, cold, ms": 1_000 * taken(lambda: ways.reach(start, 12 * MICRO, others, 1_000)),
        "the same again, ms": 1_000 * taken(lambda: ways.reach(start, 12 * MICRO, others, 1_000)),
    }


def main() -> None:
    """Print the median of the runs, and the fastest and the slowest."""
    runs = [run(seed) for seed in range(1, RUNS + 1)]
    for what in runs[0]:
        found = sorted(each[what] for each in runs)
        print(f"{what}: {statistics.median(found):,.1f} ({found[0]:,.1f} to {found[-1]:,.1f})")


if __name__ == "__main__":
    main()
