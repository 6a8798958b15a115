"""Facts that minds keep from decision to decision."""

from __future__ import annotations

from opfire.kit.thinking.kept import Kept
from opfire.kit.thinking.ways import Rows, once_a_setting
from opfire.rulesets.case_orange.charts import Kind
from opfire.rulesets.case_orange.pieces import Hex, Setting, Unit
from opfire.rulesets.case_orange.thinking.ground import Gait

Spotter = tuple[int, Unit, int]
"""An enemy with a line of sight to a hex: its number among the enemies, the unit, and the distance in hexes."""

Standing = tuple[Hex, str, str, str, bool, bool]
"""All that decides on the harm of fire at a unit in a hex: the hex, the unit's kind, dispersal and shelter, whether it
lies face-up, and whether it is there already."""

Harms = tuple[tuple[int, float], ...]
"""Enemies, by number, with the share of a target that the fire of each is expected to take."""


class EnemyFacts:
    """Facts about the enemy that hold whatever the side's own units do.

    They hold until an enemy unit, the works on the map or the turns left change.
    """

    def __init__(self) -> None:
        self.watchers: list[tuple[Unit, Hex, int]] = []
        self.lines: dict[Hex, list[Spotter]] = {}
        self.in_sight: dict[Hex, list[Spotter]] = {}
        self.batteries: dict[Hex, list[Kind]] = {}
        self.riders: dict[tuple[Hex, bool], int] = {}
        self.stormers: dict[Hex, float] = {}
        self.reactions: dict[Standing, Harms] = {}
        self.shots: dict[Standing, Harms] = {}
        self.prospects: dict[tuple[str, Hex], float] = {}
        self.menaces: dict[Hex, float] = {}


class TurnFacts:
    """Facts about the ways to the side's goals, by the gait and the movement factors of a unit.

    They hold until the turns left change.
    """

    def __init__(self) -> None:
        self.turns: dict[tuple[Gait, int], Rows] = {}
        self.patience: dict[tuple[Gait, int], Rows] = {}


class Memory:
    """The facts that the minds of a game keep."""

    def __init__(self, setting: Setting) -> None:
        self.enemy = Kept(EnemyFacts)
        self.turn = Kept(TurnFacts)


memory_of = once_a_setting(Memory)
"""The facts that the minds of a position's game keep."""
