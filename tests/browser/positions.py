"""Positions to play from: small forces on the meadows round the Old Bridge, placed by the scenario itself."""

from __future__ import annotations

from opfire.core.match import Match
from opfire.rulesets.case_orange.actions import EndSegment

MEADOW = """
id = "meadow"
ruleset = "case-orange"
title = "On the meadow"
turns = 3
first = "german"
setup = ["german", "soviet"]

[[boards]]
board = "own-2"
crop = ["2-L1", "2-AA10"]

[sides.german]
name = "German"
nation = "german"

[[sides.german.units]]
unit = "pz-iv-h"
at = ["2-V1"]

[[sides.german.units]]
unit = "pz-iv-h"
at = ["2-V3"]

[[sides.german.units]]
unit = "stug-iii-g"
at = ["2-V2"]

[sides.soviet]
name = "Soviet"
nation = "soviet"

[[sides.soviet.units]]
unit = "rifle-43-soviet"
at = ["2-Z2"]

[[sides.soviet.units]]
unit = "t-34-76"
at = ["2-Z3"]

[[victory]]
side = "german"
condition = "eliminate"
points = 1

[[victory]]
side = "soviet"
condition = "eliminate"
points = 1
"""
"""PzKw IV (14 A, range 8, defence 8) twice and a StuG (12 A) against riflemen (defence 16) and a T-34 (12 A, range 6,
defence 9), all in the open on one level, four hexes apart."""


def indirect_fire(match: Match) -> None:
    """As far as the first side's declarations of indirect fire."""
    _end_segments(match, "indirect")


def direct_fire(match: Match) -> None:
    """As far as the first side's direct fire."""
    _end_segments(match, "direct")


def vehicles(match: Match) -> None:
    """As far as the first side's vehicles."""
    _end_segments(match, "vehicle")


def _end_segments(match: Match, step: str) -> None:
    side = match.game.asked()[0]
    while match.game.stack[-1].step != step:
        match.play(side, EndSegment())
