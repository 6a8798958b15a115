"""Standing orders beyond opportunity fire at movers: the target of an attack, and fire at aircraft."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from opfire.core.game import Game
from opfire.core.orders import Answer, Ask, Asked, Spare
from opfire.kit.orders import Orders
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase, Pass
from opfire.rulesets.panzerblitz_miniatures.airpower.air import Fly
from opfire.rulesets.panzerblitz_miniatures.airpower.flak import AddGun, AimAt, GroundFireAll, OpenFire
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import CarryOut, DefensiveFire, FireBack
from opfire.rulesets.panzerblitz_miniatures.close.overrun import Overrun
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from rules.panzerblitz_miniatures.flights import sky, top
from rules.panzerblitz_miniatures.grounds import inches
from rules.panzerblitz_miniatures.kit import rule
from rules.panzerblitz_miniatures.marches import march


def answered(game: Game[Position], orders: Orders, asked: Sequence[Asked] = ()) -> Answer:
    """The answer of blue's orders to the present window."""
    return RULESET.answer(game.known("blue"), "blue", game.stack[-1], orders, game.choices("blue"), asked)


def overrun(target: str = "t-34-76") -> Game[Position]:
    """Blue's stand is being overrun and may fire first."""
    game = march([("pz-iv-h", "5,10")], [(target, "7,10")])
    game.play("red", Overrun("red-1", "blue-1"))
    game.play("red", CarryOut("overrun", "blue-1"))
    assert isinstance(game.stack[-1], DefensiveFire)
    return game


ASKED = [Asked(DefensiveFire("blue", "blue-1", (f"red-{n}",)), Fraction(1, 2), True) for n in range(10)]


@rule("OPP-16")
def test_OPP_16_orders_ask_the_target_of_an_attack() -> None:
    game = overrun()
    assert isinstance(answered(game, Orders()), Ask)
    assert isinstance(answered(game, Orders(least_chance=100)), Ask)  # it is for shots at movers
    assert answered(game, Orders(fire="never")) == Pass()
    assert answered(game, Orders(units={"blue-1": "never"})) == Pass()
    assert answered(game, Orders(fire="always")) == FireBack("blue-1", "red-1", "normal")
    assert answered(overrun("t-34-76"), Orders(fire="always", at="armour")) == FireBack("blue-1", "red-1", "normal")


@rule("OPP-16")
def test_OPP_16_the_target_is_not_asked_beyond_the_limit_of_questions() -> None:
    game = overrun()
    assert isinstance(answered(game, Orders(), ASKED[:4]), Ask)
    assert isinstance(answered(game, Orders(), ASKED), Spare)
    assert isinstance(answered(game, Orders(most=0), ASKED), Ask)


FLAK = [("wirbelwind", "20,10"), ("wirbelwind", "20,12")]


def raid() -> Game[Position]:
    """A bomber has flown over two anti-aircraft units."""
    game = sky([("ju-87-d", "5,10")], FLAK)
    game.play("red", Fly("red-1", inches(20, 11)))
    while top(game) != "AntiAircraftFire":
        game.play("red", EndPhase())
    return game


@rule("AIP-2")
def test_AIP_2_orders_ask_once_for_all_guns_at_an_aircraft() -> None:
    game = raid()
    question = answered(game, Orders())
    assert isinstance(question, Ask)
    assert question.chance > 0
    assert answered(game, Orders(fire="never")) == Pass()
    assert isinstance(answered(game, Orders(), ASKED), Spare)
    game.play("blue", AimAt("blue-1", "red-1"))
    assert answered(game, Orders()) is None  # the player puts the fire together


@rule("AIP-2")
def test_AIP_2_by_orders_all_guns_fire_at_once() -> None:
    game, always = raid(), Orders(fire="always")
    assert answered(game, always) == AimAt("blue-1", "red-1")
    game.play("blue", AimAt("blue-1", "red-1"))
    assert answered(game, always) == AddGun("blue-2")
    assert answered(game, Orders(fire="always", units={"blue-2": "never"})) == OpenFire()
    game.play("blue", AddGun("blue-2"))
    assert answered(game, always) == OpenFire()


@rule("CGF-3")
def test_CGF_3_ground_fire_costs_nothing_and_needs_no_question() -> None:
    game = sky([("ju-87-d", "20,12")], [("rifle-43-soviet", "20,10")], red_1={"struck": True})
    while top(game) != "CollectiveGroundFire":
        game.play("red", EndPhase())
    assert answered(game, Orders()) == GroundFireAll()
    assert answered(game, Orders(fire="never")) is None
