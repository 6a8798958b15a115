"""The results of an action, before the dice; the possible meanings of a click, and the reasons against them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from opfire.core.actions import Action
from opfire.core.events import Calculation, Cases
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.assault.assaulting import (
    DeclareAssault,
    EnterAssault,
    FireTogether,
    JoinAssault,
    RollAssault,
    TakeFirstFire,
)
from opfire.rulesets.panzer_grenadier.assault.charge import Charge
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.fire.bombardment import Bombard
from opfire.rulesets.panzer_grenadier.fire.direct import AddFirer, FireDirect
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire
from opfire.rulesets.panzer_grenadier.morale.recovery import Recover
from opfire.rulesets.panzer_grenadier.movement.moving import Move
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.shown.cautions import caution
from opfire.rulesets.panzer_grenadier.shown.meanings import meant
from opfire.rulesets.panzer_grenadier.shown.previews import building, preview
from rules.panzer_grenadier.kit import (
    allowed,
    calculations,
    draw,
    full,
    german,
    leader,
    lines,
    marker,
    named,
    play,
    rule,
    soviet,
)


def active(game: Game[Position], role: str = "fire") -> Game[Position]:
    """The leader has activated all in reach for one kind of action."""
    play(game, ActivateLeader("lt"), DesignateAll(role), Begin())  # type: ignore[arg-type]
    return game


def shown(game: Game[Position], action: object) -> Calculation | Cases | None:
    return preview(game.state, game.stack[-1], action)  # type: ignore[arg-type]


def attacks(calculation: Calculation) -> int:
    """The sum of the firers."""
    return sum(line.amount for line in calculation.lines if line.kind == "attack")


def warned(game: Game[Position], action: Action) -> str | None:
    """The rule of the caution before an action that is allowed."""
    assert allowed(game, action)
    found = caution(game.state, game.stack[-1], named(action))
    return found.rule if found is not None else None


@rule("3.13.c", "3.0.E")
def test_3_13_c_before_a_unit_without_a_target_is_activated_to_fire_there_is_a_warning() -> None:
    game = draw(inf=german("ger-inf", "B2"), gun=german("ger-hmg", "L1"), foe=soviet("sov-inf", "P1"))
    assert warned(game, Activate("inf", "fire")) == "3.13.c"
    assert warned(game, Activate("gun", "fire")) is None
    assert warned(game, Activate("inf", "move")) is None
    assert warned(game, Pass()) is None
    play(game, Activate("inf", "fire"))
    assert game.asked() == ("soviet",)  # as it said


@rule("3.13.c")
def test_3_13_c_nor_does_a_stack_begin_unwarned_if_none_of_it_can_do_anything() -> None:
    own = {"a": german("ger-inf", "B2"), "b": german("ger-inf", "B2"), "foe": soviet("sov-inf", "P1")}
    game = draw(**own)
    play(game, ActivateStack("B2"), Designate("a", "fire"))
    assert warned(game, Begin()) == "3.13.c"
    play(game, Designate("b", "move"))
    assert warned(game, Begin()) is None


def words_of_warning(game: Game[Position], action: Action) -> str:
    """The words of the caution before an action that is allowed."""
    assert allowed(game, action)
    found = caution(game.sight(game.asked()[0]), game.stack[-1], named(action))
    return found.sentence() if found is not None else ""


@rule("3.0.E", "16.6")
@pytest.mark.parametrize("others", [{}, {"men": german("ger-inf", "N8", hidden=True)}])
def test_3_0_E_the_warning_says_that_the_segment_is_lost(others: dict[str, Any]) -> None:
    game = draw(a=german("ger-inf", "B2"), b=german("ger-inf", "B2"), foe=soviet("sov-inf", "P1"), **others)
    game.umpired = False
    play(game, ActivateStack("B2"), DesignateAll("fire"))
    assert "you would lose the segment" in words_of_warning(game, Begin())
    play(game, Begin(), *([EndSegment()] if others else []))  # others might have acted in hiding
    assert game.asked() == ("soviet",)  # as it said


@rule("10.2", "7.33")
def test_10_2_what_is_shown_before_the_roll_is_what_is_rolled() -> None:
    own = {"one": german("ger-inf", "A1"), "two": german("ger-inf", "A1")}
    game = active(draw(lt=leader("german", "A1", combat=1), foe=soviet("sov-inf", "A4"), **own))
    play(game, FireDirect("one", "A4"))
    offered = shown(game, AddFirer("two"))
    assert isinstance(offered, Calculation)
    assert attacks(offered) == 5 + 5 + 1
    play(game, AddFirer("two"))
    built = building(game.state, game.stack[-1])
    assert built is not None
    assert built["units"] == ["one", "two"]
    assert built["targets"] == ["foe"]
    assert built["calculation"] == offered.to_json()
    rolled = calculations(play(game, Fire(), dice=(6, 6)))[0]
    assert lines(rolled) == lines(offered)


@rule("16.61", "10.2")
def test_16_61_who_does_not_see_where_the_firers_are_is_shown_no_calculation() -> None:
    """It would be reckoned without their range and height."""
    game = draw("h . .\n" + ". . .\n" * 5, gun=german("ger-hmg", "A1", hidden=True), foe=soviet("sov-inf", "A5"))
    play(game, Activate("gun", "fire"), FireDirect("gun", full("A5")))
    mine, theirs = (game.view(side)["building"] for side in ("german", "soviet"))
    assert mine["calculation"]["modifier"] == 1
    assert theirs["calculation"] is None
    assert theirs["targets"] == ["foe"]


@rule("7.52")
def test_7_52_split_columns_are_shown_as_cases() -> None:
    """A mortar is hit two columns higher than the rifles beside it."""
    game = draw(gun=german("ger-hmg", "A1"), inf=soviet("sov-inf", "A4"), mortar=soviet("sov-mortar-82", "A4"))
    play(game, Activate("gun", "fire"))
    found = shown(game, FireDirect("gun", full("A4")))
    assert isinstance(found, Cases)
    columns = {calculation.column for _, calculation in found.cases}
    assert columns == {"7", "16"}


@rule("12.4.a", "12.4.b")
def test_12_4_an_assault_is_shown_both_ways() -> None:
    game = active(draw(lt=leader("german", "A1"), one=german("ger-inf", "A1"), foe=soviet("sov-inf", "A2")))
    found = shown(game, EnterAssault("one", full("A2")))
    assert isinstance(found, Cases)
    assert [calculation.rule for _, calculation in found.cases] == ["12.4.a", "12.4.b"]


@rule("12.3", "12.3.a")
def test_12_3_in_an_old_assault_nothing_is_reckoned_before_it_is_said_who_fights() -> None:
    """The rifles have come in, the SMGs were there: each may hold back, so a declaration by itself rolls nothing."""
    own = {"one": german("ger-inf", "A1"), "two": german("ger-smg", "A2")}
    game = active(draw(lt=leader("german", "A1"), foe=soviet("sov-inf", "A2"), **own))
    coming = shown(game, EnterAssault("one", full("A2")))
    assert isinstance(coming, Cases)
    assert attacks(coming.cases[0][1]) == 5 + 6  # all who could fight there, if he goes in
    play(game, EnterAssault("one", "A2"))
    assert shown(game, DeclareAssault(full("A2"))) is None
    play(game, DeclareAssault("A2"))
    assert shown(game, RollAssault()) is None
    found = shown(game, JoinAssault("two"))
    assert isinstance(found, Cases)
    assert attacks(found.cases[0][1]) == 6
    play(game, JoinAssault("two"))
    found = shown(game, RollAssault())
    assert isinstance(found, Cases)
    rolled = calculations(play(game, RollAssault(), dice=(6, 6)))
    assert sorted(map(lines, rolled[:2])) == sorted(lines(calculation) for _, calculation in found.cases)


@rule("5.73.e", "12.2")
def test_5_73_e_who_joins_an_assault_in_a_major_river_is_not_shown_as_its_first_round() -> None:
    units = {"lt": leader("german", "A1"), "one": german("ger-inf", "A1"), "foe": soviet("sov-inf", "A2", afloat=1)}
    board, into = ". . .\n~ ~ ~\n. . .", ("shift", "5.73.e", -2)
    found = shown(active(draw(board, turn=2, **units)), EnterAssault("one", full("A2")))
    assert isinstance(found, Cases)
    assert into in lines(found.cases[0][1])
    found = shown(
        active(draw(board, turn=2, two=german("ger-inf", "A2", afloat=1), **units)), EnterAssault("one", full("A2"))
    )
    assert isinstance(found, Cases)
    assert into not in lines(found.cases[0][1])


@rule("12.43", "12.43.a")
def test_12_43_first_fire_is_shown_as_what_it_is() -> None:
    """Two platoons, one in its hole: it may fire first and alone, or both at the same time as the attackers."""
    dug = soviet("sov-inf", "A2", dug_in=2)
    game = active(draw(lt=leader("german", "A1"), one=german("ger-inf", "A1"), dug=dug, foe=soviet("sov-smg", "A2")))
    found = shown(game, EnterAssault("one", full("A2")))
    assert isinstance(found, Cases)
    first, together = found.cases[-2:]
    assert (first[0], attacks(first[1])) == ("the attackers, by first fire", 4)
    assert (together[0], attacks(together[1])) == ("the attackers", 4 + 6)
    play(game, EnterAssault("one", "A2"), DeclareAssault("A2"))
    alone, both = shown(game, TakeFirstFire()), shown(game, FireTogether())
    assert isinstance(alone, Calculation)
    assert isinstance(both, Cases)
    assert (lines(alone), lines(both.cases[0][1])) == (lines(first[1]), lines(together[1]))
    rolled = calculations(play(game, FireTogether(), dice=(6, 6)))
    assert sorted(map(lines, rolled[:3])) == sorted(lines(calculation) for _, calculation in both.cases)
    game = active(draw(lt=leader("german", "A1"), one=german("ger-inf", "A1"), dug=dug))
    found = shown(game, EnterAssault("one", full("A2")))
    assert isinstance(found, Cases)
    assert [whose for whose, _ in found.cases] == ["dug", "the attackers, by first fire"]


@rule("9.51", "12.62")
def test_9_51_shells_on_an_assault_hex_are_shown_for_both_sides() -> None:
    """Three platoons of one's own stand there closer than the one of the enemy's."""
    own = {name: german("ger-inf", "A3") for name in ("one", "two", "three")}
    game = draw(lt=leader("german", "A1"), gun=german("ger-105", "A1"), foe=soviet("sov-inf", "A3"), **own)
    play(game, Activate("gun", "fire"))
    found = shown(game, Bombard("gun", full("A3")))
    assert isinstance(found, Cases)
    (theirs, attack), (mine, danger) = found.cases
    assert (theirs, mine) == ("foe", "one, two, three")
    assert ("shift", "4.4", 1) in lines(danger)
    assert ("shift", "4.4", 1) not in lines(attack)
    play(game, Bombard("gun", "A3"))
    rolled = calculations(play(game, Fire(), dice=(6, 6, 6, 6)))
    assert [lines(one) for one in rolled] == [lines(attack), lines(danger)]


@rule("14.41")
def test_14_41_a_recovery_is_shown() -> None:
    game = draw(one=german("ger-inf", "A1", state="disrupted", morale=[8, 7]), foe=soviet("sov-inf", "P9"))
    play(game, Activate("one", "recover"))
    found = shown(game, Recover("one"))
    assert isinstance(found, Calculation)
    assert found.chances()["good order"] == Fraction(21, 36)


@rule("7.32", "3.13")
def test_7_32_a_click_on_an_enemy_says_why_not() -> None:
    game = draw(one=german("ger-inf", "A1"), near=soviet("sov-inf", "A3"), foe=soviet("sov-inf", "A9"))
    play(game, Activate("one", "fire"))
    found = meant(game.state, "german", game.stack[-1], ["foe"])
    assert FireDirect("one", full("A9")) in found
    why = game.why_not("german", FireDirect("one", full("A9")))
    assert why is not None
    assert why.rule == "7.32"
    walk = meant(game.state, "german", game.stack[-1], [full("A2")])
    assert Move("one", full("A2")) in walk
    why = game.why_not("german", Move("one", full("A2")))
    assert why is not None
    assert why.rule == "3.13"


def columns_shown(game: Game[Position], action: object) -> list[tuple[int, str]]:
    """Strength and column of everything that is shown."""
    found = shown(game, action)
    both = [one for _, one in found.cases] if isinstance(found, Cases) else [found]
    return [(attacks(one), one.column) for one in both if one is not None]


@rule("15.31")
def test_15_31_a_charge_is_shown_with_its_shift() -> None:
    cavalry = {"cav": german("ger-cav", "C4"), "lt": leader("german", "C4", mounted=True)}
    game = active(draw(**cavalry, x=soviet("sov-inf", "C6")))
    expected = columns_shown(game, Charge("cav", "1-C5", "1-C6"))
    play(game, Charge("cav", "1-C5", "C6"), Pass())
    assert columns_shown(game, DeclareAssault("1-C6")) == expected


@rule("12.2", "12.13")
def test_12_2_who_breaks_in_the_mines_is_not_shown_among_the_attackers() -> None:
    own = {name: german("ger-inf", "C5") for name in "ab"}
    mines = [marker("mines", "C6", side="soviet", value="1")]
    game = active(draw(lt=leader("german", "C5"), **own, x=soviet("sov-inf", "C6"), markers=mines))
    play(game, EnterAssault("a", "C6"), dice=[5])
    expected = columns_shown(game, EnterAssault("b", "1-C6"))
    play(game, EnterAssault("b", "C6"), dice=[1])
    assert columns_shown(game, DeclareAssault("1-C6")) == expected
