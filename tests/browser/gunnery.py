"""A battle of *Micro Armour* with guns: a German staff observes for howitzers, against Soviet rifles and a tank."""

from __future__ import annotations

from random import Random

from browser.host import Game, Host
from opfire.core.match import Match
from opfire.rulesets.micro_armour.air.plans import EndAirPlan, Schedule
from opfire.rulesets.micro_armour.air.strikes import Strafe
from opfire.rulesets.micro_armour.alternation import Begin, Pass
from opfire.rulesets.micro_armour.artillery.phase import ArtilleryPhase
from opfire.rulesets.micro_armour.artillery.plotting import JointPlot
from opfire.rulesets.micro_armour.artillery.preparing import NoMoreMissions
from opfire.rulesets.micro_armour.fire.standard import StandardFirePhase
from opfire.rulesets.micro_armour.postures import NoMoreGroups


def _scenario(id_: str, title: str, more: str, german: str, soviet: str) -> str:
    """A scenario on a small table; `more` stands before its sides, whose units follow."""
    return f"""
id = "{id_}"
ruleset = "micro-armour"
title = "{title}"
turns = 12
first = "german"
{more}
[sides.german]
name = "Germans"
nation = "german"
facing = 90
cohesion = 15
units = [{german}]

[sides.soviet]
name = "Soviets"
nation = "soviet"
facing = 270
cohesion = 13
units = [{soviet}]
"""


TABLE = """
[table]
size = [40, 30]
"""
GROUND = """
options = ["12.1"]

[table]
size = [40, 30]

[[markers]]
kind = "ditch"
at = ["12,18"]

[[markers]]
kind = "brush"
at = ["14,18"]
"""
HOWITZERS = """
  {unit = "ger-infantry-hq", at = ["5,10"]},
  {unit = "ger-105mm-ifh18-2", at = ["3,20"]},
  {unit = "ger-infantry-43", at = ["5,14"]},
"""
RIFLES = """
  {unit = "sov-infantry-43-45", at = ["20,10"]},
  {unit = "sov-t-34c", at = ["20,15"]},
"""
INFANTRY = """
  {unit = "ger-infantry-hq", at = ["5,2"]},
  {unit = "ger-infantry-43", at = ["17,14"]},
"""
TWO_GRANTS = """
  {unit = "sov-infantry-hq", at = ["30,10"]},
  {unit = "sov-m3-grant-hull", at = ["20,13"]},
  {unit = "sov-m3-grant-hull", at = ["20,15"]},
"""

BATTLE = _scenario("gunnery", "Gunnery", GROUND, HOWITZERS, RIFLES)
GRANTS = _scenario("grants", "Two guns each", TABLE, INFANTRY, TWO_GRANTS)
"""Two Grants, each with a gun in the hull and another in the turret, three inches from German infantry."""
RELIEF = (
    _scenario("relief", "Relief", TABLE, HOWITZERS, '{unit = "sov-infantry-43-45", at = ["35,10"]},')
    + """
[[sides.german.reinforcements]]
turn = 1
entry = ["west"]
units = { ger-infantry-43 = 3 }
"""
)
"""Three German stands come on by the western edge; the enemy is beyond the range of all but the howitzer."""
HOWITZER = '{unit = "ger-105mm-ifh18-2", at = ["8,12"]}, {unit = "ger-infantry-hq", at = ["5,10"]},'
IN_SIGHT = _scenario("in-sight", "In sight", TABLE, HOWITZER, RIFLES)
"""A howitzer sees rifles and a tank, and can lay its sheaf on them in several ways."""
WOODS = TABLE + 'areas = [{ kind = "woods", name = "Black Wood", points = "10,4 14,4 14,14 10,14" }]'
BEHIND_WOODS = _scenario("behind-woods", "Behind the woods", WOODS, HOWITZERS, RIFLES)
"""Woods hide the rifles, and the staff; a tank beside them sees German infantry and guns, and reaches the infantry."""
TANKS = "".join(f'{{unit = "sov-t-34c", at = ["20,{y}"]}}, ' for y in (6, 10, 14, 18, 22))
HENSCHEL = "germany-henschel-hs-129-b2-1"
STRIKES = _scenario("strikes", "Aircraft", 'options = ["12.3"]\n' + TABLE, HOWITZERS, TANKS).replace(
    "cohesion = 15", f"cohesion = 15\naircraft = {{ {HENSCHEL} = 16 }}"
)
"""Aircraft against tanks: enough of them that one goes astray."""


def until(match: Match, step: type, seat: str) -> None:
    """Everybody passes, until a frame asks this seat."""
    rng = Random(1)
    quiet = (NoMoreMissions, NoMoreGroups, Pass, Begin)
    while not (isinstance(match.game.stack[-1], step) and seat in match.game.deciders()):
        (asked,) = match.game.deciders()
        offers = [*match.game.choices(asked)]
        passes = [action for action in offers if isinstance(action, quiet)]
        match.play(asked, passes[0] if passes else match.game.choices(asked).sample(rng))


def plotting(host: Host) -> Game:
    """Its first joint plot, when the Germans are asked."""
    return host.begin(BATTLE, lambda match: until(match, JointPlot, "german"))


def fires(match: Match) -> None:
    """As far as standard fire, when the Soviets are asked."""
    until(match, StandardFirePhase, "soviet")


def strikes(match: Match) -> None:
    """Aircraft strafe the tanks one after the other, in the first turn, until one deviates."""
    planes = [f"german-{HENSCHEL}-{number}" for number in range(1, 17)]
    for plane in planes:
        match.play("german", Schedule(plane, 1))
    match.play("german", EndAirPlan())
    until(match, ArtilleryPhase, "german")
    match.play("german", Begin("german"))
    while not any(event.kind == "deviation" for _, event in match.log):
        left = [f"soviet-{number}" for number in range(1, 6) if match.game.state.units[f"soviet-{number}"].at]
        match.play("german", Strafe(planes.pop(), left[len(planes) % len(left)]))
        if "soviet" in match.game.deciders():
            match.play("soviet", Pass())


def two_guns(host: Host) -> Game:
    """Its standard fire, when the Soviets are asked."""
    return host.begin(GRANTS, fires)


def behind_woods(host: Host) -> Game:
    """Its first joint plot, when the Germans are asked."""
    return host.begin(BEHIND_WOODS, lambda match: until(match, JointPlot, "german"))


def firing(host: Host) -> Game:
    """Its artillery phase: a German howitzer fires directly, at rifles and a tank that it sees."""

    def begun(match: Match) -> None:
        until(match, ArtilleryPhase, "german")
        match.play("german", Begin("german"))

    return host.begin(IN_SIGHT, begun)
