"""Standing orders for opportunity fire and interdiction [6.0]: what they ask, let pass, and say."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.core.orders import Answer, Ask, Asked, Spare
from opfire.kit.orders import Pass
from opfire.rulesets.case_orange.movement import Move
from opfire.rulesets.case_orange.orders import Orders, answer
from opfire.rulesets.case_orange.pieces import Position
from opfire.rulesets.case_orange.reaction import Interdict, OpportunityFire, Shoot
from rules.case_orange.drawing import draw, full, german, play, rule, soviet

COLUMN = "\n".join(["."] * 12)
GUN = soviet("at-76", "A2", attack=10, range=12)


def window(hex: str = "A5", **units: Any) -> Game[Position]:
    """A tank has come into that hex, and a gun in A2, or another unit named, may fire."""
    row = int(hex[1:])
    tank = german("pz-iv-h", f"A{row + 1}", defence=10)
    game = draw(COLUMN, tank=tank, **(units or {"gun": GUN}), step="vehicle")
    play(game, Move("tank", hex))
    return game


def said(game: Game[Position], asked: Sequence[Asked] = (), **orders: Any) -> Answer:
    """The answer of such orders to the window."""
    given = msgspec.convert(orders, Orders)
    return answer(game.state, "soviet", game.stack[-1], given, game.choices("soviet"), asked)


def asks(game: Game[Position], asked: Sequence[Asked] = (), **orders: Any) -> bool:
    found = said(game, asked, **orders)
    assert isinstance(found, Ask) or found == Pass()
    return isinstance(found, Ask)


def earlier(hex: str, mover: str = "tank", chance: Fraction = Fraction(1), passed: bool = True) -> Asked:
    return Asked(OpportunityFire("soviet", ("soviet",), full(hex), (mover,)), chance, passed)


SURE = Fraction(1)


@rule("6.0")
def test_6_0_asked_about_or_let_go_or_fired() -> None:
    game = window()
    assert asks(game)
    assert said(game, fire="never") == Pass()
    assert said(game, fire="always") == Shoot(("gun",), "tank")


@rule("6.0")
def test_6_0_a_shot_below_the_least_chance_is_let_go() -> None:
    """Class A counts twice against armour: 20 against 10 are 2:1."""
    game = window()
    found = said(game, least_chance=0)
    assert isinstance(found, Ask)
    percent = found.chance * 100
    assert asks(game, least_chance=int(percent))
    assert not asks(game, least_chance=int(percent) + 1)


@rule("6.0")
def test_6_0_units_that_never_ask() -> None:
    game = window(gun=GUN, other=soviet("at-76", "A3", attack=10, range=12))
    assert asks(game, units={"gun": "never"})
    assert not asks(game, units={"gun": "never", "other": "never"})
    assert said(game, fire="always", units={"gun": "never"}) == Shoot(("other",), "tank")


@rule("6.0")
@pytest.mark.parametrize(("within", "asked"), [(0, True), (2, False), (3, True)])
def test_6_0_only_movers_within_so_many_hexes_of_the_firer(within: int, asked: bool) -> None:
    assert asks(window("A5"), within=within) == asked


@rule("6.0", "6.2")
def test_6_0_at_vehicles_only() -> None:
    """Neither fire nor interdiction at those on foot."""
    watch = soviet("cp-soviet", "A1")
    mortar = soviet("mortar-120-soviet", "A1", attack=20, range=12, registered="A5")
    foot = german("rifle-42-german", "A6", defence=10)
    game = draw(COLUMN, foot=foot, gun=GUN, mortar=mortar, watch=watch, step="non-vehicle")
    play(game, Move("foot", "A5"))
    assert {type(choice) for choice in game.choices("soviet")} == {Pass, Shoot, Interdict}
    assert asks(game)
    assert not asks(game, at="vehicles")
    assert asks(window(), at="vehicles")


@rule("6.0")
def test_6_0_again_only_when_it_has_come_nearer() -> None:
    game = window("A5")
    assert asks(game, [earlier("A6")])
    assert not asks(game, [earlier("A5")])
    assert not asks(game, [earlier("A4"), earlier("A6")])
    assert asks(game, [earlier("A5", passed=False)]), "it was fired at, not let pass"
    assert asks(game, [earlier("A5", mover="other")])
    assert asks(game, [earlier("A5")], again="always")


@rule("6.0")
def test_6_0_after_half_of_the_questions_what_was_let_pass_has_to_offer_a_better_shot() -> None:
    game = window("A5")
    found = said(game)
    assert isinstance(found, Ask)
    spent = [earlier("A9", mover=f"other-{number}") for number in range(4)]
    same, worse = earlier("A6", chance=found.chance), earlier("A6", chance=found.chance - Fraction(1, 6))
    assert asks(game, [*spent[:3], same]), "four are spent"
    assert isinstance(said(game, [*spent, same]), Spare)
    assert asks(game, [*spent, worse])
    assert asks(game, [*spent, replace(same, passed=False)])
    assert asks(game, [*spent, same], most=0), "no limit"


@rule("6.0")
def test_6_0_the_last_questions_are_for_the_best_shots_and_then_none_is_put() -> None:
    """20 against 10 are 2:1, where something may go wrong; 120 are 4:1, where nothing does."""
    good, sure = window(), window(gun={**GUN, "attack": 60})
    spent = [earlier("A9", mover=f"other-{number}") for number in range(10)]
    assert said(sure) == Ask(SURE)
    assert asks(good, spent[:5])
    assert isinstance(said(good, spent[:9]), Spare)
    assert asks(sure, spent[:9])
    assert isinstance(said(sure, spent), Spare)
    assert asks(sure, spent, most=20)
    assert said(sure, spent, fire="always") == Shoot(("gun",), "tank")


@rule("6.0")
def test_6_0_who_is_spared_a_question_is_told_which() -> None:
    game = window(gun={**GUN, "attack": 60})
    found = said(game, [earlier("A9", mover="other")] * 3, most=3)
    assert isinstance(found, Spare)
    assert found.action == Pass()
    assert found.notice.only == ("soviet",)
    tank = game.state.units["tank"].name
    expected = f"Soviet standing orders let {tank} pass at a chance of 100 %: 3 of 3 questions"
    assert found.notice.sentence().startswith(expected)


@rule("6.0")
@pytest.mark.parametrize("wrong", [{"most": -1}, {"within": -1}, {"within": "near"}, {"again": "never"}])
def test_6_0_orders_that_make_no_sense_are_none(wrong: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Orders)
