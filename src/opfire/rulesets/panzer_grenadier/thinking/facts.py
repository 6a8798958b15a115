"""Facts that minds keep from decision to decision."""

from __future__ import annotations

from typing import Literal

from opfire.kit.thinking.kept import Kept, Nearby
from opfire.kit.thinking.ways import Rows, once_a_setting
from opfire.rulesets.panzer_grenadier.charts import MovementClass
from opfire.rulesets.panzer_grenadier.pieces import Hex, Setting, UnitId

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


class Memory:
    """The facts that the minds of a game keep."""

    def __init__(self, setting: Setting) -> None:
        self.turn = Kept(TurnFacts)
        self.enemy = Kept(EnemyFacts)
        self.menaces: Kept[dict[Hex, float]] = Kept(dict)  # by objective, as long as no enemy changes


memory_of = once_a_setting(Memory)
"""The facts that the minds of a position's game keep."""
