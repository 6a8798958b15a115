"""Abandoned vehicles in close combat [6.6.1.1.3-bail]; observers without radios [7.4.3]."""

from __future__ import annotations

import random

import pytest

from opfire.ai import players
from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.adjusting import abandon
from opfire.rulesets.panzer.air.crossing import cannot_guide
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire.close_combat import Assault, CloseCombatStep, Occupy
from opfire.rulesets.panzer.fire.dismount_attack import DismountAttack
from opfire.rulesets.panzer.fire.hits import check_crew
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.scuttling import Scuttle, cannot_scuttle, within_reach
from opfire.rulesets.panzer.indirect.calling import CallFire, cannot_call
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.shown.previews import preview
from rules.panzer.battle import game, refused, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import army

SOVIET = army(("t34_43", "1-B5"), ("t34_43", "1-L8"), ("s_sqd41", "1-B5"))
ACT = Scuttle("german-1", "soviet-1")


def closing(
    *dice: int, unit: str = "g_sqd41", hex: str = "1-B4", more: tuple[tuple[str, str], ...] = ()
) -> Game[Position]:
    """A German unit next to a Soviet tank whose crew has bailed out, in the Germans' Close Combat Step."""
    made = game(text(german=army((unit, hex), *more), soviet=SOVIET, options=("AG",)), (1, 90, 10, *dice))
    check_crew(made, "soviet-1", "damaged")
    assert made.state.bailed == {"soviet-1": "1-B5"}
    made.state.change("soviet-3", hex="1-K8")
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.state.change("german-1", command="move")
    made.play(made.asked()[0], RollInitiative())
    while not isinstance(made.stack[-1], CloseCombatStep) and made.stack[-1].step != "movement":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    return made


@rule("6.6.1.1.3-bail")
@pytest.mark.parametrize(("roll", "wreck"), [(4, "BU"), (5, "KO")])
def test_an_abandoned_vehicle_is_destroyed_without_a_roll_to_hit(roll: int, wreck: str) -> None:
    made = closing(roll)
    assert ACT in list(made.choices("german"))
    made.state.change("soviet-3", hex="1-B5")
    made.play("german", ACT)
    assert made.state.wrecks == {"1-B5": wreck}
    assert made.state.bailed == {}
    assert (made.state.units["soviet-3"].suppression == "on") is (wreck == "BU")
    assert made.state.units["german-1"].moved
    assert refused(made, "german", ACT) is not None


@rule("6.6.1.1.3-bail")
def test_the_size_of_the_unit_counts_and_a_flamethrower_needs_no_roll() -> None:
    made = closing(2, unit="g_sqd41_h")
    made.play("german", ACT)
    assert made.state.wrecks == {"1-B5": "BU"}  # half of a half-squad's factor 4 is 2
    made = closing()
    made.state.change("german-1", weapons=("ft_man",))
    made.play("german", ACT)
    assert made.state.wrecks == {"1-B5": "BU"}


@rule("6.6.1.1.3-bail", "6.6.1.1.3-occupy")
def test_the_attacker_may_enter_the_hex_of_the_wreck() -> None:
    made = closing(5)
    made.play("german", ACT)
    made.play("german", Occupy("german-1"))
    assert made.state.units["german-1"].hex == "1-B5"


@rule("6.6.1.1.3-bail", "6.5.4.4.2-bu-sup", "6.6.1.1.3-occupy")
def test_an_abandoned_vehicle_that_burns_suppresses_riders_in_the_open_beside_it() -> None:
    made = closing(4)
    made.state.change("soviet-2", hex="1-B5")
    made.state.change("soviet-3", hex=None, status="mounted", carrier="soviet-2")
    made.play("german", ACT)
    assert [made.state.units[f"soviet-{number}"].suppression for number in (2, 3)] == ["on", "on"]
    assert isinstance(made.stack[-1], CloseCombatStep)  # a tank holds the hex: nobody may enter


@rule("6.6.11", "6.6.1.1.3-bail")
def test_units_that_share_a_command_do_not_attack_an_abandoned_vehicle_and_another() -> None:
    made = closing(4, more=(("g_sqd41", "1-B4"),))
    for unit in ("german-1", "german-2"):
        made.state.change(unit, command="move", shares="german-1")
    made.state.change("soviet-2", hex="1-A4")
    made.state.spots["soviet-2"] = ("german-1", "german-2")
    made.state.change("german-2", aimed="soviet-2")
    assert refused(made, "german", ACT) == "6.6.11"
    assert ACT not in list(made.choices("german"))
    made.state.change("german-2", aimed="")
    made.play("german", ACT)
    made.play("german", EndStep())
    assert refused(made, "german", Assault("german-2", "soviet-2")) == "6.6.11"


@rule("6.6.1.1.3-bail")
def test_only_neighbours_and_only_abandoned_vehicles() -> None:
    made = closing()
    unit = made.state.units["german-1"]
    assert cannot_scuttle(made.state, unit, "soviet-1") is None
    refusal = cannot_scuttle(made.state, unit, "soviet-2")
    assert refusal is not None
    assert refusal.rule == "6.6.1.1.3-bail"
    made.state.change("german-1", suppression="off")
    assert refused(made, "german", ACT) == "6.6.1.1-who"
    far = closing(hex="1-E4")
    assert far.stack[-1].step == "movement"  # nobody is asked: it is three hexes away
    assert not list(within_reach(far.state, far.state.units["german-1"]))


@rule("6.6.1.1.3-bail", "7.53")
def test_a_crew_that_leaves_by_its_own_will_leaves_its_vehicle_behind() -> None:
    made = game(text(german=army(("pz4h", "1-A4")), soviet=SOVIET, options=("AG", "7.53")))
    abandon(made, "german-1")
    assert made.state.bailed == {"german-1": "1-A4"}
    assert made.state.units["german-1"].status == "eliminated"


# --- advances and Dismount Attacks [6.6.1.1]

COME = Scuttle("german-1", "soviet-1", "1-B4")


def under_overwatch(*dice: int) -> Game[Position]:
    """The German unit has advanced towards the vehicle, and the other Soviet tank may fire at it."""
    made = closing(*dice, hex="1-B3")
    made.state.change("soviet-2", hex="1-B6", facing=0, command="overwatch")
    made.play("german", COME)
    assert made.asked() == ("soviet",)
    assert isinstance(made.stack[-1], Overwatch)
    assert made.state.units["german-1"].hex == "1-B4"
    return made


@rule("6.6.1.1.3-bail", "6.6.1.1-adv", "6.6.1.1-ow")
@pytest.mark.parametrize(("roll", "wreck"), [(4, "BU"), (5, "KO")])
def test_an_abandoned_vehicle_is_attacked_after_an_advance_and_its_overwatch(roll: int, wreck: str) -> None:
    made = under_overwatch(roll)
    made.play("soviet", Pass())
    assert made.state.wrecks == {"1-B5": wreck}
    assert made.state.bailed == {}
    assert made.state.units["german-1"].moved
    made.play("german", Occupy("german-1"))
    assert made.state.units["german-1"].hex == "1-B5"


@rule("6.6.1.1.3-bail", "6.6.1.1-ow", "6.6.1.1-who")
@pytest.mark.parametrize("loss", [{"suppression": "on"}, {"hex": None, "status": "eliminated"}])
def test_a_unit_that_is_hit_on_its_way_does_not_attack_the_vehicle(loss: dict[str, object]) -> None:
    made = under_overwatch()
    made.state.change("german-1", **loss)
    made.play("soviet", Pass())
    assert made.state.bailed == {"soviet-1": "1-B5"}
    assert made.state.wrecks == {}
    assert isinstance(made.stack[-1], CloseCombatStep) or made.stack[-1].step == "movement"


@rule("6.6.1.1.3-bail", "6.6.1.1-adv")
def test_an_advance_costs_one_and_leads_next_to_the_vehicle() -> None:
    made = closing(hex="1-B3")
    assert COME in list(made.choices("german"))
    assert refused(made, "german", ACT) == "6.6.1.1.3-bail"  # two hexes away
    assert refused(made, "german", Scuttle("german-1", "soviet-1", "1-B2")) == "6.6.1.1.3-bail"
    assert refused(made, "german", Scuttle("german-1", "soviet-1", "1-B5")) == "6.6.1.1-adv"
    made.state.change("german-1", full_cover=True)
    assert refused(made, "german", COME) == "6.6.1.1-adv"
    assert COME not in list(made.choices("german"))


def riding(*dice: int, soviet: str = SOVIET) -> Game[Position]:
    """A German squad in a half-track, two hexes from the abandoned tank, in the Movement Step."""
    german = army(("h251_1", "1-B3"), ("g_sqd41", "h251_1"))
    made = game(text(german=german, soviet=soviet, options=("AG",)), (1, 10, 90, *dice))
    check_crew(made, "soviet-1", "damaged")
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.state.change("german-1", command="move", facing=3)
    made.state.change("soviet-3", hex="1-K8")
    made.play(made.asked()[0], RollInitiative())
    while made.stack[-1].step != "movement":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    return made


LEAP = DismountAttack("german-1", "german-2", "1-B4", "soviet-1")


@rule("6.6.1.1.3-bail", "6.6.1.1-dis")
@pytest.mark.parametrize(("roll", "wreck"), [(4, "BU"), (5, "KO")])
def test_a_passenger_dismounts_and_destroys_an_abandoned_vehicle(roll: int, wreck: str) -> None:
    made = riding(roll)
    assert LEAP in list(made.choices("german"))
    assert preview(made.state, made.stack[-1], LEAP) is None  # there is nothing to roll to hit
    made.play("german", LEAP)
    assert made.state.wrecks == {"1-B5": wreck}
    assert made.state.bailed == {}
    squad = made.state.units["german-2"]
    assert (squad.hex, squad.facing, squad.carrier) == ("1-B4", 3, None)
    made.play("german", Occupy("german-2"))
    assert made.state.units["german-2"].hex == "1-B5"
    made.play("german", EndStep())
    assert isinstance(made.stack[-1], Moving)  # the half-track goes on


@rule("6.6.1.1.3-bail", "6.6.1.1-dis")
def test_a_dismount_attack_needs_an_abandoned_vehicle_next_to_its_hex() -> None:
    made = riding()
    assert refused(made, "german", DismountAttack("german-1", "german-2", "1-B3", "soviet-1")) == "6.6.1.1.3-bail"
    made.state.change("german-2", suppression="off")
    assert refused(made, "german", LEAP) == "6.6.1.1-who"
    made.state.change("german-2", suppression="")
    made.state.bailed.clear()
    assert refused(made, "german", LEAP) is not None
    assert LEAP not in list(made.choices("german"))


@rule("7.4.3")
def test_vehicles_without_radios_call_no_fire_and_guide_no_aircraft() -> None:
    silent = next(card.id for card in CHARTS.vehicles.values() if card.no_radio)
    for options, why in ((("7.4",), "7.4.3"), ((), None)):
        german = army((silent, "1-A4"), ("g_m81", "1-B4"))
        made = game(text(german=german, soviet=army(("t34_43", "1-D4")), options=("AG", *options)))
        made.state.change("german-1", labels=("FO",), command="overwatch")
        made.state.spots = {name: tuple(made.state.units) for name in made.state.units}
        call = CallFire("german-1", "german-2", "soviet-1")
        refusal = cannot_call(made.state, "german", call)
        assert (refusal is not None and refusal.rule == "7.4.3") is (why is not None)
        guide = cannot_guide(made.state, made.state.units["german-1"], made.state.units["soviet-1"])
        assert (guide is not None and guide.rule == "7.4.3") is (why is not None)


@rule("6.6.1.1.3-bail", "6.5.4.4.2-bu-sup")
@pytest.mark.parametrize(
    ("hex", "state", "act"),
    [("1-B5", "", ACT), ("1-B5", "on", Assault("german-1", "soviet-3")), ("1-K8", "", EndStep())],
)
def test_greedy_burns_an_abandoned_vehicle_beside_enemies_that_it_may_suppress(
    hex: str, state: str, act: Action
) -> None:
    """The vehicle is lost already: destroying it brings something only if its fire may suppress somebody.

    A squad that is suppressed already is worth an attack of its own.
    """
    made = closing()
    made.state.change("soviet-3", hex=hex, suppression=state)
    chosen = players()["greedy"].choose(made, "german", random.Random(1))
    assert chosen == act


@rule("6.6.1.1-adv", "6.6.1.1.3-bail")
@pytest.mark.parametrize("watched", [False, True])
def test_greedy_advances_to_burn_an_abandoned_vehicle_where_nobody_may_watch(watched: bool) -> None:
    """The squad beside the vehicle has fired, or might have an Overwatch command."""
    made = closing(hex="1-B3")
    made.state.change("soviet-2", fired=True)
    made.state.change("soviet-3", hex="1-B5", fired=not watched)
    assert COME in list(made.choices("german"))
    chosen = players()["greedy"].choose(made, "german", random.Random(1))
    if watched:
        assert chosen == EndStep()
    else:
        assert isinstance(chosen, Scuttle)
        assert (chosen.unit, chosen.target) == ("german-1", "soviet-1")
        assert chosen.via
