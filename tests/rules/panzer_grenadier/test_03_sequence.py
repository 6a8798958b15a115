"""The sequence of play [3.0]: initiative, action segments in alternation, markers. Tests are named after rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from opfire.core.actions import Refusal
from opfire.core.dice import scripted
from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier import sequence
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.command import performing, segment
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.morale.recovery import Recover
from opfire.rulesets.panzer_grenadier.pieces import Position
from rules.panzer_grenadier.kit import allowed, draw, german, leader, play, refused, rule, soviet, unit


def turn(
    *dice: int,
    initiative: tuple[int, int] = (3, 3),
    options: Iterable[str] = (),
    special: dict[str, object] | None = None,
    **units: dict[str, object],
) -> Game[Position]:
    """A turn from its beginning; the initiative dice are the Germans', then the Soviets'."""
    units = units or {"inf": german("ger-inf", "B2"), "foe": soviet("sov-inf", "N8")}
    game = draw(options=options, special=special, **units)
    for side, value in zip(("german", "soviet"), initiative, strict=True):
        game.state.change_army(side, initiative=value)
    game.stack, game.dice = (), scripted(dice)
    game.push(sequence.TURN("german"))
    game.run()
    return game


def segments(game: Game[Position], count: int) -> str:
    """The sides of the next segments, each moving one of its units to and fro or else passing: initials."""
    found = ""
    for _ in range(count):
        if not game.asked():
            return found + "."
        side = game.asked()[0]
        found += side[0]
        name = next(one.id for one in game.state.of(side) if not one.marked)
        play(game, Activate(name, "move"), EndSegment())
    return found


MANY = {f"inf{n}": german("ger-inf", f"B{n}") for n in range(1, 9)} | {
    f"foe{n}": soviet("sov-inf", f"N{n}") for n in range(1, 9)
}


# --- 3.0.A, 3.0.B ---


@rule("3.0.A")
@rule("3.0.B")
@rule("3.0.C")
def test_3_0_C_the_books_example_four_ahead_is_two_segments_first():
    game = turn(5, 3, initiative=(4, 2), **MANY)
    assert segments(game, 6) == "ggsgsg"


@rule("3.0.A1")
def test_3_0_A1_three_ahead_is_rounded_up_to_two():
    assert segments(turn(4, 4, initiative=(3, 0), **MANY), 5) == "ggsgs"


@rule("3.0.B")
def test_3_0_B_one_ahead_is_one_and_the_loser_may_lead():
    assert segments(turn(3, 4, **MANY), 4) == "sgsg"


@rule("3.0.A")
def test_3_0_A_ties_are_rolled_again():
    game = turn(2, 2, 6, 6, 4, 1, **MANY)
    assert segments(game, 4) == "ggsg"
    assert not game.dice.script


# --- 3.0.E ---


@rule("3.0.E")
def test_3_0_E_two_passes_one_after_the_other_end_the_turn():
    game = turn(4, 3, **MANY)
    play(game, Pass())
    play(game, Activate("foe1", "move"), EndSegment())
    play(game, Pass())
    assert game.asked() == ("soviet",)
    play(game, Pass())
    assert not game.asked()


@rule("3.0.E")
def test_3_0_E_a_side_does_not_end_the_turn_by_passing_twice_itself():
    game = turn(6, 3, initiative=(4, 3), **MANY)  # two segments
    play(game, Pass())
    play(game, Pass())
    assert game.asked() == ("soviet",)
    play(game, Pass())  # right after the other side's
    assert not game.asked()


@rule("3.0.E")
def test_3_0_E_who_has_passed_may_act_again_later():
    game = turn(4, 3, **MANY)
    play(game, Pass())
    assert segments(game, 3) == "sgs"


@rule("3.0.F")
def test_3_0_F_nobody_passes_while_the_demoralized_have_not_tried_to_recover():
    game = turn(
        4,
        3,
        inf=german("ger-inf", "B2", state="demoralized"),
        done=german("ger-inf", "B3", state="demoralized", marked=True),
        foe=soviet("sov-inf", "N8"),
    )
    assert refused(game, Pass()) == "3.0.F"
    play(game, Activate("inf", "recover"), Recover("inf"), dice=(6, 6))
    play(game, Pass())
    play(game, Pass())  # the German; both have tried
    assert not game.asked()


def shaken(**units: Any) -> Game[Position]:
    """A German segment in which a demoralized unit still has to try to recover."""
    return draw(broken=german("ger-inf", "B9", state="demoralized"), far=soviet("sov-inf", "P1"), **units)


@rule("3.0.F")
def test_3_0_F_nor_is_a_unit_without_a_target_activated_to_fire_meanwhile():
    game = shaken(inf=german("ger-inf", "B2"), hmg=german("ger-hmg", "L1"))
    assert refused(game, Activate("inf", "fire")) == "3.0.F"
    assert allowed(game, Activate("hmg", "fire"))  # it has one
    assert allowed(game, Activate("inf", "move"))
    game = draw(inf=german("ger-inf", "B2"), far=soviet("sov-inf", "P1"))
    assert allowed(game, Activate("inf", "fire"))  # nobody has to recover


HIDING = [{}, {"men": german("ger-inf", "N8", hidden=True)}]
"""Without units in hiding, and with them."""


def secretly(**units: Any) -> Game[Position]:
    """The same as in a real game, where not everybody knows everything."""
    game = shaken(**units)
    game.umpired = False
    return game


@rule("3.0.F", "16.6")
@pytest.mark.parametrize("others", HIDING)
def test_3_0_F_a_stack_does_not_use_up_the_segment_by_doing_nothing(others: dict[str, Any]):
    """A side with units in hiding has no other way to let its segment go by."""
    game = secretly(inf=german("ger-inf", "B2"), two=german("ger-inf", "B2"), **others)
    play(game, ActivateStack("B2"))
    assert refused(game, DesignateAll("fire")) == "3.0.F"
    play(game, Designate("inf", "fire"))
    assert refused(game, Begin()) == "3.0.F"
    assert refused(game, Designate("two", "fire")) == "3.0.F"
    assert set(game.choices("german")) == {Designate("two", "move"), DesignateAll("move")}
    play(game, Designate("two", "move"), Begin())
    assert game.asked() == ("german",)
    assert game.state.activation is not None


@rule("3.0.F", "16.52")
@pytest.mark.parametrize("others", HIDING)
def test_3_0_F_units_that_can_do_nothing_at_all_are_not_activated(others: dict[str, Any]):
    """The enemy holds the only hex where the leader may come in, and he has nobody to assault it with."""
    game = secretly(lt=leader("german", entry=["A5"]), foe=soviet("sov-inf", "A5"), **others)
    assert refused(game, ActivateLeader("lt")) == "3.0.F"
    assert ActivateLeader("lt") not in game.choices("german")
    game = secretly(lt=leader("german", entry=["A5"]), foe=soviet("sov-inf", "A6"), **others)
    assert ActivateLeader("lt") in game.choices("german")


@rule("3.0.F", "16.6")
def test_3_0_F_what_a_unit_in_hiding_can_do_is_something():
    game = secretly(post=german("ger-strongpoint", "B2"), men=german("ger-inf", "B2", hidden=True))
    play(game, ActivateStack("B2"), Designate("post", "fire"))
    assert refused(game, Begin()) == "3.0.F"
    play(game, Designate("men", "move"), Begin())
    assert game.state.activation is not None


def test_a_look_for_units_that_can_do_nothing_copies_no_position(monkeypatch: pytest.MonkeyPatch):
    """3.0.F: the demoralized are looked for once for all the activations of a unit, the position is left alone."""
    game = shaken(inf=german("ger-inf", "B2"))
    looked: list[str] = []
    cannot_pass = segment.cannot_pass

    def counted(position: Position, side: str) -> Refusal | None:
        looked.append(side)
        return cannot_pass(position, side)

    monkeypatch.setattr(segment, "cannot_pass", counted)
    monkeypatch.setattr(Position, "copy", None)
    offered = list(game.stack[-1].acts(game.state, "german", "inf"))
    assert Activate("inf", "move") in offered
    assert Activate("inf", "fire") not in offered
    assert looked == ["german"]
    assert game.state.activation is None


def test_a_look_at_units_alone_settles_most_activations(monkeypatch: pytest.MonkeyPatch):
    """3.0.F: units that can lose heart, and those far from enemies, are judged without trying an activation."""
    game = shaken(inf=german("ger-inf", "B2"), lt=leader("german", "B2"))
    monkeypatch.setattr(performing, "activation", None)
    for name in ("inf", "lt"):
        offered = list(game.stack[-1].acts(game.state, "german", name))
        assert Activate(name, "move") in offered
        assert Activate(name, "fire") not in offered
    assert Activate("lt", "direct") not in offered
    assert ActivateLeader("lt") in offered


@rule("3.0.F")
def test_3_0_F_the_question_offers_no_pass_while_there_is_somebody_to_recover():
    game = shaken(inf=german("ger-inf", "B2"))
    asked = game.stack[-1].prompt(game.sight("german"), "german")
    assert "or pass" not in asked
    assert "still has to try to recover" in asked
    game = draw(inf=german("ger-inf", "B2"), far=soviet("sov-inf", "P1"))
    assert game.stack[-1].prompt(game.sight("german"), "german").endswith("or pass")


@rule("3.0.F")
def test_3_0_F_without_the_demoralized_they_do():
    game = draw(inf=german("ger-inf", "B2"), two=german("ger-inf", "B2"), far=soviet("sov-inf", "P1"))
    play(game, ActivateStack("B2"), DesignateAll("fire"), Begin())
    assert game.asked() == ("soviet",)


# --- 3.0.G ---


@rule("3.0.G")
def test_3_0_G_markers_come_off_at_the_end():
    game = turn(
        4,
        3,
        inf=german("ger-inf", "B2"),
        shot=german("ger-inf", "B3", marked=True, shots=1, shot_with="direct"),
        foe=soviet("sov-inf", "N8"),
    )
    play(game, Activate("inf", "move"), EndSegment())
    assert unit(game, "inf").marked
    play(game, Pass())
    play(game, Pass())
    assert not game.asked()
    assert not unit(game, "inf").marked
    assert (unit(game, "shot").marked, unit(game, "shot").shots, unit(game, "shot").shot_with) == (False, 0, "")


@rule("3.0")
def test_3_0_the_three_phases_follow_in_order():
    game = turn(4, 3, inf=german("ger-inf", "B2", marked=True), foe=soviet("sov-inf", "N8"))
    assert [event.rule for event in game.events if event.kind == "initiative"] == ["3.0.A", "3.0.B"]
    play(game, Pass())
    assert unit(game, "inf").marked
    play(game, Pass())
    assert not unit(game, "inf").marked
    assert not game.asked()


@rule("3.13.c")
@pytest.mark.parametrize("role", ["move", "fire"])
def test_3_13_c_who_has_acted_is_not_activated_again(role: str):
    game = turn(6, 3, initiative=(4, 3), **MANY)
    play(game, Activate("inf1", "move"), EndSegment())
    assert refused(game, Activate("inf1", role)) == "3.13.c"  # type: ignore[arg-type]
