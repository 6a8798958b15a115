"""Facts that minds keep from decision to decision."""

from __future__ import annotations

from operator import mul
from typing import Any, Literal

from opfire.kit.thinking.kept import Kept, Nearby
from opfire.kit.thinking.ways import Rows, once_a_setting
from opfire.rulesets.panzer_grenadier.charts import MovementClass
from opfire.rulesets.panzer_grenadier.pieces import Hex, Setting, Side, Unit, UnitId
from opfire.space.paths import Reach

Sort = Literal["soft", "truck", "armor"]
"""The sort of a target: direct fire hurts the soft and trucks, anti-tank fire trucks and armor [5.41]."""

SORTS: tuple[Sort, ...] = ("soft", "truck", "armor")

Aim = tuple[UnitId, tuple[int, int]]
"""An enemy as a target: its id, and its distance in hexes with the shift in columns."""

Threat = tuple[UnitId, Hex, tuple[int, int]]
"""An enemy that could fire at a unit in a hex: its id, its hex, the distance in hexes with the shift in columns."""


Gait = tuple[MovementClass, Sort, str]
"""All about a unit that decides on its steps: how it pays for terrain, what hurts it, what it counts as in a stack."""

Steps = tuple[tuple[Hex, int], ...]
"""The hexes one step further, with their prices in half points."""

OpenSteps = dict[tuple[Gait, bool], Steps]
"""The steps that are open from a hex, by the gait of a unit, and whether it is led."""


class TurnFacts:
    """Facts about the ways to the side's goals, by the movement class and the movement points of a unit.

    They hold until the turns left change.
    """

    def __init__(self) -> None:
        self.turns: dict[tuple[MovementClass, int], Rows] = {}
        self.patience: dict[tuple[MovementClass, int], Rows] = {}


class EnemyFacts:
    """Facts about the enemy that hold at one visibility, in the same smoke.

    `threats` are by sort of target the enemies whose fire would hit it in a hex, `targets` the enemies that fire from a
    hex would hit, `blows` by enemy what it depends on, and the expected cost to it of a column of a fire table. `steps`
    are the open steps from a hex, by day: they depend on the side's own units only where those fill a hex.
    """

    def __init__(self) -> None:
        self.threats: dict[Sort, Nearby[tuple[Threat, ...]]] = {sort: Nearby() for sort in SORTS}
        self.targets: Nearby[tuple[Aim, ...]] = Nearby()
        self.steps: Nearby[OpenSteps] = Nearby()
        self.blows: dict[UnitId, tuple[object, dict[tuple[str, int], float]]] = {}


class Pull(dict[Hex, float]):
    """The draw of the objectives on a unit, by hex: that of the strongest, and a little of the others.

    `gains` has the gain of each objective, `patience` the present share of it from a hex.
    """

    def __init__(self, gains: tuple[float, ...], patience: Rows) -> None:
        self.gains, self._patience = gains, patience

    def __missing__(self, hex: Hex) -> float:
        if not self.gains:
            return 0.0
        worths: tuple[float, ...] = tuple(map(mul, self.gains, self._patience[hex]))
        found = self[hex] = 0.8 * max(worths) + 0.2 * sum(worths)
        return found


class Reckoned:
    """The results of a mind about a position, each computed once: they hold until anything but the activation changes.

    `merits` are by unit, its hex and another hex, `companies` by leader and hex, `clashes` by unit and the hex of an
    assault, `costs` by the results of a fire table and the units struck, `dangers` and the rest as the functions say
    that ask for them.
    """

    def __init__(self) -> None:
        self.merits: dict[tuple[UnitId, Hex | None, Hex], Any] = {}
        self.companies: dict[tuple[UnitId, Hex], float] = {}
        self.followers: dict[UnitId, dict[Hex, list[float]]] = {}
        self.clashes: dict[tuple[UnitId, Hex], float] = {}
        self.storming: dict[Hex, tuple[list[Unit], bool]] = {}
        self.reached: dict[tuple[Any, ...], Reach[Hex]] = {}
        self.steps: dict[UnitId, float] = {}
        self.checks: dict[tuple[UnitId, str], float] = {}
        self.helped: dict[UnitId, int] = {}
        self.gathered: dict[Hex, int] = {}
        self.heard: dict[Side, set[Hex | None]] = {}
        self.costs: dict[tuple[tuple[str, ...], str, tuple[UnitId, ...]], tuple[float, ...]] = {}
        self.columns_of: dict[UnitId, dict[tuple[str, int], float]] = {}
        self.dangers: dict[tuple[object, ...], float] = {}
        self.shelled: dict[tuple[UnitId, Hex | None], float] = {}
        self.leaders: dict[UnitId, list[UnitId]] = {}
        self.chiefs_of: dict[UnitId, tuple[Hex, ...]] = {}
        self.cut_off: dict[tuple[Hex, ...], dict[Hex, int]] = {}
        self.crowds: dict[UnitId, list[float]] = {}
        self.ranks: dict[int, tuple[list[tuple[float, UnitId]], list[float]]] = {}
        self.pulls: dict[tuple[UnitId, bool, bool], Pull] = {}


class Memory:
    """The facts that the minds of a game keep."""

    def __init__(self, setting: Setting) -> None:
        self.turn = Kept(TurnFacts)
        self.enemy = Kept(EnemyFacts)
        self.reckoned = Kept(Reckoned)
        self.menaces: Kept[dict[Hex, float]] = Kept(dict)  # by objective, as long as no enemy changes


memory_of = once_a_setting(Memory)
"""The facts that the minds of a position's game keep."""
