"""Missions [7.6.2, 7.6.3]: a line of the Artillery Fire Mission Record."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from opfire.core.places import Point
from opfire.core.texts import say
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf

MissionKind: TypeAlias = Literal["support", "adjusted", "pre-registered", "registered", "barrage", "direct"]
"""The types of missions [7.6.2]; `direct` is direct fire plotted a turn ahead [7.5.2], `registered` one that is
based on fire that was on target during the game [12.12]."""


class Mission(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the Artillery Fire Mission Record [7.6.3-fields].

    `batteries` fire together if there are several [7.4.9], `stood` are their places at the plot [7.4.11]. `plotted` is
    the turn of the plot or call, 0 before the game; `due` the turn of arrival, 0 for a pre-registered mission that has
    not been called; `duration` counts the turns with that of arrival [7.6.3-duration]. `drift` is the deviation (1/1000
    inch), None before the fire has arrived. `corrects` says that it moves to its plotted place in the next turn
    [7.6.5.2-correct], `tried` is the last turn in which somebody tried to correct or end it, `done` the last turn in
    which its fire was tried. `polar` is the place of the plotter at a polar plot, else None [12.13].
    `strayed` says that its fire has deviated, even if it was corrected since [12.12]. `preset` says of a barrage that
    its target was fixed by the scenario's rules, and that two rolls in a row end it [SC.sf79.1, SC.sf79.3].
    """

    id: str
    side: str
    kind: MissionKind
    batteries: tuple[str, ...]
    sheaf: Sheaf
    plotted: int
    stood: tuple[Point | None, ...]
    name: str = ""
    plotter: str = ""
    smoke: bool = False
    due: int = 0
    duration: int = 1
    drift: Point | None = None
    corrects: bool = False
    tried: int = 0
    done: int = 0
    polar: Point | None = None
    strayed: bool = False
    preset: bool = False

    @property
    def until(self) -> int:
        """The last turn in which it fires."""
        return self.due + self.duration - 1

    @property
    def arrived(self) -> bool:
        """Whether its fire has arrived."""
        return self.drift is not None

    @property
    def place(self) -> Sheaf:
        """The sheaf where it falls: as plotted, or where it has deviated to [7.6.5.2-keep]."""
        right, down = self.drift or (0, 0)
        return self.sheaf._replace(at=(self.sheaf.at[0] + right, self.sheaf.at[1] + down))


def is_due(mission: Mission, turn: int) -> bool:
    """Return whether a mission is to be carried out in this turn and has not been tried [7.6.1.1]."""
    return is_scheduled(mission, turn) and mission.done < turn


def is_scheduled(mission: Mission, turn: int) -> bool:
    """Return whether a mission fires in this turn, tried already or not [7.8.3]; one that has failed is over."""
    return 0 < mission.due <= turn <= mission.until


def turns_in_words(due: int, duration: int) -> str:
    """The turns of fire of a mission, the turn of arrival included [7.6.3-duration]; it may still have to be called.

    >>> turns_in_words(3, 1), turns_in_words(3, 2), turns_in_words(0, 1)
    ('turn 3', 'turns 3 to 4', 'when called')
    """
    if not due:
        return say("when called")
    return say("turn {}", due) if duration == 1 else say("turns {} to {}", due, due + duration - 1)
