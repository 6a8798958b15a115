"""Hits that spread to other vehicles [6.5.2.1-spread]."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer.fire.direct_fire import Announce, Keep, Resolve, bad_spread, spread_too
from opfire.rulesets.panzer.fire.spreading import assigned
from opfire.rulesets.panzer.pieces import CommandName, Position
from rules.panzer.battle import refused
from rules.panzer.kit import rule
from rules.panzer.moves import army
from rules.panzer.shelling import shelling

FOES = army(("t34_43", "1-G4"), ("t34_43", "1-G5"), ("t34_43", "1-G7"), ("t34_43", "1-F4"))
"""The first tank, one next to it, one three hexes away, one in front of it."""


def shooting(*dice: int, command: CommandName = "fire", **values: object) -> Game[Position]:
    """A 75 mm anti-tank gun, of rate Q, at the Germans' Direct Fire Step."""
    made = shelling(army(("t_75", "1-A4")), {1: command}, FOES, *dice)
    made.state.change("german-1", facing=2, **values)
    return made


def weapon_of(made: Game[Position]) -> str:
    """The gun's AP rounds, as announcements name them."""
    offers = [act for act in made.choices("german") if isinstance(act, Announce) and not act.spread]
    return next(act.weapon for act in offers if act.weapon.endswith("AP") or not act.weapon)


@rule("6.5.2.1-spread")
@pytest.mark.parametrize(
    ("others", "number"),
    [
        (("soviet-2",), None),
        (("soviet-4",), None),
        (("soviet-3",), "6.5.2.1-spread"),
        (("soviet-2", "soviet-4"), "6.5.2.1-spread"),
        (("soviet-1",), "6.5.2.1-spread"),
        (("soviet-9",), "procedure"),
    ],
)
def test_hits_spread_within_command_range_as_many_as_the_rate_scores(
    others: tuple[str, ...], number: str | None
) -> None:
    made = shooting()
    assert refused(made, "german", Announce("german-1", "soviet-1", weapon_of(made), spread=others)) == number


@rule("6.5.2.1-spread")
def test_command_range_is_that_of_the_firers_unit_grade() -> None:
    made = shooting(grade="regulars")
    assert (
        refused(made, "german", Announce("german-1", "soviet-1", weapon_of(made), spread=("soviet-2",)))
        == "6.5.2.1-spread"
    )


@rule("6.5.2.1-spread")
def test_others_have_to_be_spotted_and_no_farther_by_range_factor() -> None:
    made = shooting()
    act = Announce("german-1", "soviet-1", weapon_of(made), spread=("soviet-2",))
    made.state.spots["soviet-2"] = ()
    assert refused(made, "german", act) == "4.4.1-a"
    far = shooting()
    for name, hex in (("soviet-1", "1-I4"), ("soviet-2", "1-J4")):
        far.state.change(name, hex=hex)
    unit = far.state.units["german-1"]
    refusal = bad_spread(far.state, unit, act)
    assert (refusal.rule if refusal else None) == "6.5.2.1-spread"  # 8 hexes are Short range, 9 Medium


@rule("6.5.2.1-spread")
def test_the_first_hit_is_on_the_target_the_next_ones_on_the_others() -> None:
    state = shooting().state
    assert assigned(state, "soviet-1", ("soviet-2",), 0) == {"soviet-1": 0}
    assert assigned(state, "soviet-1", ("soviet-2",), 1) == {"soviet-1": 1}
    assert assigned(state, "soviet-1", ("soviet-2",), 2) == {"soviet-1": 1, "soviet-2": 1}
    assert assigned(state, "soviet-1", ("soviet-2",), 3) == {"soviet-1": 2, "soviet-2": 1}
    state.lift("soviet-2", "eliminated")
    assert assigned(state, "soviet-1", ("soviet-2",), 2) == {"soviet-1": 2}


@rule("6.5.2.1-spread")
def test_two_hits_strike_two_vehicles() -> None:
    made = shooting(1, 55, 55)
    made.play("german", Announce("german-1", "soviet-1", weapon_of(made), spread=("soviet-2",)))
    made.play("german", Resolve())
    made.play("soviet", Keep())
    struck = [event.units for event in made.events if event.kind == "hit"]
    assert struck == [("soviet-1",), ("soviet-2",)]
    assert made.state.units["soviet-2"].under_fire


@rule("6.5.2.1-spread")
def test_the_choices_offer_other_vehicles() -> None:
    made = shooting()
    unit, target = made.state.units["german-1"], made.state.units["soviet-1"]
    offers = [act.spread for act in spread_too(made.state, unit, target, "")]
    assert sorted(offers) == [("soviet-2",), ("soviet-4",)]
