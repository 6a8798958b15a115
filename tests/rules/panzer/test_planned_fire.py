"""Planned Fire [6.5.1.11] and Pre-Registered Points [6.5.1.4]: plots, arrival, rest, and their secrecy."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from core import contract
from core.twins import Twins, play_all
from opfire.core.game import SPECTATOR, Game
from opfire.rulesets.panzer import RULESET
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.indirect.calling import CallFire
from opfire.rulesets.panzer.indirect.kinds import Fall
from opfire.rulesets.panzer.indirect.planning import EndPlots, FirePlanning, PlotFire, PlotPattern, PlotPoint, Register
from opfire.rulesets.panzer.indirect.step import Arrive
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.shown.words import label
from rules.panzer.battle import game, refused, text, told
from rules.panzer.kit import rule
from rules.panzer.moves import army
from rules.panzer.shelling import GUNS, answered, next_turn, shelling, with_guns

LEIG = '{ unit = "o_g75", level = "attached" }'
PLANNERS = '{ unit = "o_g75", level = "attached", planned = 3, registered = 2 }'
GERMAN = army(("g_fo", "1-A4"), ("pz4h", "1-B4"), more=with_guns(PLANNERS))
TANK = army(("t34_43", "1-G4"))


def plotting(german: str = GERMAN, turns: int = 9) -> Game[Position]:
    """The Germans are about to plot."""
    return game(text(german=german, soviet=TANK, turns=turns, options=("AG",)))


def one(turn: int, to: str, rounds: str = "gp", sheaf: str = "closed") -> tuple[object, ...]:
    """The plot of a turn."""
    return PlotFire(GUNS, turn), PlotPoint(to), PlotPattern(rounds, sheaf)  # type: ignore[arg-type]


def write(made: Game[Position], *acts: object) -> str | None:
    """Play the Germans' acts; the rule that stops them, or None."""
    for act in acts:
        if number := refused(made, "german", act):  # type: ignore[arg-type]
            return number
        made.play("german", act)  # type: ignore[arg-type]
    return None


# --- plotting [6.5.1.4, 6.5.1.11.1]


@rule("6.5.1.11.1", "6.5.1.11")
def test_a_plan_has_a_point_a_type_a_pattern_and_a_duration() -> None:
    made = plotting()
    assert isinstance(made.stack[-1], FirePlanning)
    assert write(made, *one(3, "1-G4"), *one(4, "1-H4", "smoke", "open"), EndPlots()) is None
    guns = made.state.batteries[GUNS]
    assert (guns.arrives, guns.plan) == (3, (Fall("1-G4", "gp", "closed"), Fall("1-H4", "smoke", "open")))


@rule("6.5.1.11.1", "6.5.1.11")
def test_a_plan_has_no_gap_and_as_many_turns_as_the_scenario_allows() -> None:
    assert write(plotting(), *one(3, "1-G4"), PlotFire(GUNS, 5)) == "6.5.1.11.1"
    assert write(plotting(), *one(1, "1-G4"), *one(2, "1-G4"), *one(3, "1-G4"), PlotFire(GUNS, 4)) == "6.5.1.11.1"
    assert write(plotting(), PlotFire(GUNS, 10)) == "6.5.1.11.1"
    assert write(plotting(), PlotFire("soviet-battery-1", 3)) == "procedure"
    assert write(plotting(), PlotFire(GUNS, 3), EndPlots()) == "6.5.1.11.1"


@rule("5.16.2.5")
def test_a_plan_has_no_more_smoke_than_the_scenario_gives() -> None:
    few = army(("g_fo", "1-A4"), ("pz4h", "1-B4"), more=with_guns(PLANNERS.replace(" }", ", special = 1 }")))
    made = plotting(few)
    assert write(made, *one(3, "1-G4", "smoke"), *one(4, "1-G4", "smoke")) == "5.16.2.5"
    assert write(made, PlotPattern("gp", "closed")) is None


@rule("6.5.1.6.1")
def test_a_linear_pattern_is_named_with_its_direction() -> None:
    made = plotting()
    assert label(made.state, PlotPattern("gp", "linear", 2)) == "gp, linear towards south-east"
    assert label(made.state, PlotPattern("smoke", "open")) == "smoke, open"


@rule("6.5.1.11.3", "6.5.1.11")
def test_planned_fire_shifts_by_five_hexes_at_most() -> None:
    made = plotting()
    assert write(made, *one(3, "1-B4"), PlotFire(GUNS, 4)) is None
    assert refused(made, "german", PlotPoint("1-G4")) is None
    assert refused(made, "german", PlotPoint("1-H4")) == "6.5.1.11.3"


@rule("6.5.1.4")
def test_as_many_pre_registered_points_as_the_scenario_allows() -> None:
    made = plotting()
    assert write(made, Register(GUNS, "1-G4"), Register(GUNS, "1-H4"), Register(GUNS, "1-I4")) == "6.5.1.4"
    assert made.state.batteries[GUNS].points == ("1-G4", "1-H4")
    assert write(plotting(), Register(GUNS, "1-G4"), Register(GUNS, "1-G4")) == "6.5.1.4"


@rule("6.5.1.11", "6.5.1.4")
def test_nobody_plots_without_an_allowance() -> None:
    made = plotting(army(("g_fo", "1-A4"), more=with_guns('{ unit = "o_g75" }')))
    assert not isinstance(made.stack[-1], FirePlanning)


# --- arrival [6.5.1.11.2]


def planned(*dice: int, arrives: int = 2, plan: tuple[Fall, ...] = (Fall("1-G4", "gp", "closed"),)) -> Game[Position]:
    """The Germans' first Indirect Fire Step, with a plan for a turn."""
    scenario = army(
        ("g_fo", "1-A4"),
        ("pz4h", "1-B4"),
        more=with_guns(LEIG),
    )
    made = shelling(scenario, {1: "overwatch"}, TANK, *dice)
    made.state.batteries[GUNS] = replace(made.state.batteries[GUNS], plan=plan, arrives=arrives)
    return made


@rule("6.5.1.11.2", "6.5.1.11")
def test_planned_fire_comes_a_turn_early_or_late_and_then_has_to() -> None:
    assert refused(planned(arrives=3), "german", Arrive(GUNS)) == "6.5.1.11.2"
    made = planned(50)
    assert refused(made, "german", EndStep()) is None  # turn 1 is a turn early
    next_turn(made)
    assert refused(made, "german", EndStep()) is None
    next_turn(made)
    assert refused(made, "german", EndStep()) == "6.5.1.11.2"
    made.play("german", Arrive(GUNS))
    assert told(made, "fired") == ["7.5 cm leIG battery falls on T-34 M43 1: no effect"]
    assert made.state.missions[GUNS].band == "M"


@rule("6.5.1.11", "6.5.1.11.1", "6.5.1.11.2")
def test_planned_fire_needs_no_answer_and_goes_on_as_plotted_then_rests_a_turn() -> None:
    plan = (Fall("1-G4", "gp", "closed"), Fall("1-H4", "gp", "open"))
    made = planned(50, 51, plan=plan)
    made.play("german", Arrive(GUNS))
    assert made.asked() == ("german",)  # a hidden move does not count, so nobody is asked
    call = CallFire("german-1", GUNS, "soviet-1")
    next_turn(made)
    assert refused(made, "german", EndStep()) == "6.5.1.11.2"
    assert refused(made, "german", call) == "6.5.1.11.1"
    made.play("german", Arrive(GUNS))
    assert made.state.missions[GUNS].fall == plan[1]
    next_turn(made)
    assert made.state.missions == {}
    assert refused(made, "german", Arrive(GUNS)) == "6.5.1.11.2"
    assert refused(made, "german", call) == "6.5.1.11.1"
    next_turn(made)
    assert refused(made, "german", call) is None


@rule("6.5.1.11.4", "6.5.1.11.2")
def test_planned_smoke_that_is_short_is_not_placed_and_the_plan_goes_on() -> None:
    made = planned(4, 50, plan=(Fall("1-G4", "smoke", "closed"), Fall("1-G4", "gp", "closed")))
    made.play("german", Arrive(GUNS))
    assert (made.state.missions, made.state.smoke) == ({}, ())
    next_turn(made)
    made.play("german", Arrive(GUNS))
    assert made.state.missions[GUNS].fall.rounds == "gp"


@rule("6.5.1.11.1")
def test_called_fire_checks_before_the_plan() -> None:
    made = planned(9, 50, arrives=3)
    made.play("german", CallFire("german-1", GUNS, "soviet-1"))
    answered(made)
    next_turn(made)
    assert made.state.missions == {}
    assert refused(made, "german", Arrive(GUNS)) == "6.5.1-a"
    next_turn(made)
    assert refused(made, "german", Arrive(GUNS)) is None


@rule("6.5.1.11", "6.5.1.11.1")
def test_the_other_side_does_not_hear_that_fire_checks_for_the_sake_of_a_plan() -> None:
    made = planned(9, 50, arrives=3)
    made.play("german", CallFire("german-1", GUNS, "soviet-1"))
    answered(made)
    next_turn(made)
    assert made.state.missions == {}
    heard = [event.sentence() for event in made.events if not event.only or "soviet" in event.only]
    assert any("is checked" in sentence for sentence in heard)
    assert not any("plan" in sentence for sentence in heard)
    assert any("plan" in event.sentence() for event in made.events)


# --- on the table [6.5.1.11]


def listed(made: Game[Position], side: str = "german") -> list[dict[str, Any]]:
    """The fire that is still to fall, as a seat sees it."""
    return list(made.view(side)["missions"])


def laid(made: Game[Position], side: str = "german") -> list[tuple[str, str]]:
    """The markers of fire to come and of Pre-Registered Points that a seat sees."""
    markers = made.view(side)["markers"]
    return [(one["kind"], one["place"]) for one in markers if one["kind"] in ("mission", "registration")]


@rule("6.5.1.11.1", "6.5.1.11.2", "6.5.1.13")
def test_a_plan_is_listed_with_its_chances_until_it_has_fallen() -> None:
    made = planned(50, 51, plan=(Fall("1-G4", "gp", "closed"), Fall("1-H4", "smoke", "open")))
    first, second = listed(made)
    assert first["text"] == "7.5 cm leIG battery: gp (closed) on 1-G4 in turn 2, or a turn early or late"
    assert [target["units"] for target in first["targets"]] == [["soviet-1"]]
    assert first["targets"][0]["calculation"]["title"] == "7.5 cm leIG battery falls on T-34 M43 1"
    assert (second["place"], second["targets"]) == ("1-H4", [])
    assert laid(made) == [("mission", "1-G4"), ("mission", "1-H4")]
    made.play("german", Arrive(GUNS))
    assert [mission["text"] for mission in listed(made)] == ["7.5 cm leIG battery: smoke (open) on 1-H4 in turn 2"]
    next_turn(made)
    assert laid(made) == [("mission", "1-H4")]


@rule("6.5.1.11.2")
def test_a_plan_that_never_came_is_no_longer_listed() -> None:
    made = planned(arrives=2)
    made.state.turn = 3
    assert len(listed(made)) == 1
    made.state.turn = 4
    assert listed(made) == []


@rule("6.5.1.4", "6.5.1.11")
def test_the_bytes_of_the_other_seat_are_the_same_whatever_is_plotted() -> None:
    seen = []
    for acts in ((*one(3, "1-G4"), Register(GUNS, "1-H4")), one(5, "1-B4", "smoke", "open"), ()):
        made = plotting()
        assert write(made, *acts, EndPlots()) is None
        assert len(listed(made)) == (1 if acts else 0)
        seen.append({side: msgspec.json.encode(made.view(side)) for side in ("soviet", SPECTATOR)})
    assert laid(plotting()) == laid(made, "soviet") == []
    assert seen[0] == seen[1] == seen[2]


# --- secrecy [6.5.1.4, 6.5.1.11]

BOTH = contract.Case(
    RULESET,
    text(
        german=army(("g_fo", "1-A4"), ("g_m81", "1-A5"), ("pz4h", "1-B4"), more=with_guns(PLANNERS)),
        soviet=army(
            ("s_fo", "1-H4"), ("s_m82", "1-K5"), ("t34_43", "1-G4"), more=with_guns(PLANNERS.replace("g75", "s76"))
        ),
        turns=4,
        options=("AG",),
    ),
    most=20000,
    every=23,
)


OTHER = {"german": "soviet", "soviet": "german"}


@rule("6.5.1.4", "6.5.1.11", "6.5.1.11.1")
@pytest.mark.parametrize("owner", ["german", "soviet"])
def test_the_other_side_cannot_tell_what_is_being_plotted(owner: str) -> None:
    with contract.registered(RULESET):
        seen = play_all(Twins(BOTH, (owner,), (OTHER[owner], SPECTATOR)), range(6), 8)
    assert seen["secret"] + seen["alone"] > 6, seen


def opening(owner: str, turn: int, point: str, registered: str) -> contract.Script:
    """Both sides plot: the owner fire for a turn on a point, the other one nothing."""
    guns = f"{owner}-battery-1"
    acts = (
        PlotFire(guns, turn),
        PlotPoint(point),
        PlotPattern("gp", "open"),
        Register(guns, registered),
    )
    plots = {owner: acts, OTHER[owner]: ()}
    return tuple((side, act) for side in ("german", "soviet") for act in (*plots[side], EndPlots()))


@rule("6.5.1.4", "6.5.1.11")
@pytest.mark.parametrize("owner", ["german", "soviet"])
def test_nor_what_has_been_plotted_as_long_as_it_does_not_fall(owner: str) -> None:
    ways = opening(owner, 3, "1-G4", "1-A1"), opening(owner, 2, "1-B4", "1-L8")
    with contract.registered(RULESET):
        seen = play_all(Twins(BOTH, (owner,), (OTHER[owner], SPECTATOR), opening=ways), range(5), 60)
    assert seen["IndirectFireStep"] >= 5, seen
    assert seen["differ"] + seen["revealed"] >= 5, seen


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_artillery_holds_to_the_contract(check) -> None:  # type: ignore[no-untyped-def]
    check(BOTH, 1)
