"""The suggestions of the computer players in the Air Phase: legal, and right where only one thing is."""

from __future__ import annotations

from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.airpower.air import Arrive, Fly
from opfire.rulesets.panzerblitz_miniatures.airpower.airborne import DropAt
from opfire.rulesets.panzerblitz_miniatures.airpower.flak import AddGun, AimAt, GroundFireAll, OpenFire
from opfire.rulesets.panzerblitz_miniatures.airpower.strikes import Strike
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from rules.panzerblitz_miniatures.flights import LAKE, sky, top
from rules.panzerblitz_miniatures.grounds import inches
from rules.panzerblitz_miniatures.test_air_phase import ARRIVING

GOAL = '[[victory]]\nside = "red"\ncondition = "control"\nhexes = ["30,10"]\npoints = 5\n'


def best(game: Game[Position], side: str) -> tuple[Action, ...]:
    """The best suggestion, with the actions that would follow; it is legal."""
    found = RULESET.suggest(game.sight(side), side, game.stack[-1], game.choices(side))
    assert game.why_not(side, found[0].action) is None
    return (found[0].action, *found[0].route)


def test_an_aircraft_arrives_flies_to_its_target_and_attacks() -> None:
    game = sky([("pz-iv-h", "5,25")], [("rifle-42-soviet", "30,10")], more=ARRIVING.format(turn=1), dice=(1, 1))
    (arrive,) = best(game, "red")
    assert isinstance(arrive, Arrive)
    game.play("red", arrive)
    (flight,) = best(game, "red")
    assert flight == Fly("red-2", inches(30, 10))
    game.play("red", flight)
    assert best(game, "red") == (EndPhase(),)
    game.play("red", EndPhase())
    (strike,) = best(game, "red")
    assert isinstance(strike, Strike)
    assert (strike.unit, strike.target) == ("red-2", "blue-1")


def test_an_aircraft_keeps_away_from_many_guns() -> None:
    guns = [("zsu-23-4", f"{x},10") for x in (28, 30, 32)]
    game = sky([("fw-190-f", "5,25")], guns)
    assert best(game, "red") == (EndPhase(),)


def test_all_guns_fire_together() -> None:
    game = sky([("fw-190-f", "20,10")], [("zsu-23-4", "28,10"), ("zsu-23-4", "28,12")])
    game.play("red", EndPhase())
    aim, *rest = best(game, "blue")
    assert isinstance(aim, AimAt)
    assert [type(action) for action in rest] == [AddGun, OpenFire]
    game.play("blue", aim)
    assert isinstance(best(game, "blue")[0], AddGun)


def test_ground_fire_costs_nothing() -> None:
    game = sky([("fw-190-f", "20,10")], [("t-34-76", "20,12")], red_1={"struck": True})
    game.play("red", EndPhase())
    assert top(game) == "CollectiveGroundFire"
    assert best(game, "blue") == (GroundFireAll(),)


def test_paratroops_jump_near_their_objective_and_not_into_the_lake() -> None:
    drop = "[[sides.red.airborne]]\nturn = 1\nunits = { rifle-40-german = 2 }\n"
    game = sky([("pz-iv-h", "1,29")], [("t-34-76", "39,29")], LAKE, drop + GOAL)
    (action,) = best(game, "red")
    assert isinstance(action, DropAt)
    x, y = action.to
    assert 24_000 <= x <= 38_000
    assert y <= 20_000
