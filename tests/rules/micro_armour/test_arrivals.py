"""Reinforcements and stands that leave the table: RULINGS.md R31, R32."""

from __future__ import annotations

from opfire.rulesets.micro_armour.moving.arrivals import Arrivals, Arrive, Exit, Later
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import against, at, go, inches, march, stand

SHERMAN = "us-m4-sherman"


@rule("1.0-length")
def test_reinforcements_arrive_at_their_entry_from_their_turn_on() -> None:
    more = '[[sides.red.reinforcements]]\nturn = 2\nunits = { us-m4-sherman = 2 }\nentry = ["0,10", "0,12"]\n'
    red = ((SHERMAN, "5,5"),)
    game = march(red, doctrine=more, frame=Arrivals("red"))
    assert not game.stack  # nobody is due in turn 1
    game.state.turn = 2
    game.push(Arrivals("red"))
    game.run()
    assert game.asked() == ("red",)
    assert against(game, Arrive("red-2", inches(5, 10))) == "procedure"
    game.play("red", Arrive("red-2", inches(0.5, 10)))
    assert at(game, "red-2") == "0.5,10"
    assert against(game, Arrive("red-3", inches(0.5, 10))) == "8.3.4"
    game.play("red", Later())
    assert stand(game, "red-3").status == "reserve"
    assert not game.stack


@rule("1.0-length")
def test_a_stand_leaves_by_its_edge_and_pays_the_way() -> None:
    game = march(((SHERMAN, "38,5"), (SHERMAN, "30,9")), more="", doctrine="")
    game.state.setting.exits["red"] = frozenset({"east"})
    assert against(game, Exit("red-1", "east")) == "1.0-length"
    go(game, "red-1", 39.5, 5)
    assert against(game, Exit("red-1", "north")) == "1.0-length"
    game.play("red", Exit("red-1", "east"))
    assert (stand(game, "red-1").status, game.state.left) == ("exited", {"red-1": "east"})
    go(game, "red-2", 39.5, 9)
    assert against(game, Exit("red-2", "east")) == ""  # a half inch for half a point
