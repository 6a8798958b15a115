"""Helicopters [HEL, HDN]: movement, down counters, passengers, and fire at them."""

from __future__ import annotations

from math import isqrt

import pytest

from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.core.scenario import parse
from opfire.kit.setup import Ready
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase, SetDown
from opfire.rulesets.panzerblitz_miniatures.airpower.air import AirPhaseEnd, Fly, Leave
from opfire.rulesets.panzerblitz_miniatures.airpower.airphase import AIR_PHASE, HelicoptersAfterStrikes
from opfire.rulesets.panzerblitz_miniatures.airpower.flak import AimAt, AntiAircraftFire, OpenFire
from opfire.rulesets.panzerblitz_miniatures.airpower.helicopters import Disembark, Embark
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import idle
from opfire.rulesets.panzerblitz_miniatures.close.overrun import no_enemy
from opfire.rulesets.panzerblitz_miniatures.command import not_commanded
from opfire.rulesets.panzerblitz_miniatures.fire.direct import DirectFirePhase
from opfire.rulesets.panzerblitz_miniatures.fire.indirect import no_target
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import covers, not_spotted, out_of_sight
from rules.panzerblitz_miniatures.flights import LAKE, RIDGE, TOWN, WOOD, refused, sky, top
from rules.panzerblitz_miniatures.grounds import inches
from rules.panzerblitz_miniatures.kit import rule
from rules.panzerblitz_miniatures.marches import scenario

HUEY = ("uh-1", "10,10")
"""Movement 43, one stand on board."""

SQUAD = ("rifle-80-american", "11.5,10")
FLAK = [("zsu-23-4", "35,20")]
FAR = [("t-55", "39,29")]


# --- movement ---------------------------------------------------------------------------------------------------


@rule("HEL-2", "HEL-1")
def test_HEL_2_a_point_for_each_inch_over_any_terrain() -> None:
    game = sky([("ah-1", "1,1")], FAR, LAKE, red_1={"spent": 20_000_000})
    assert refused(game, "red", Fly("red-1", inches(29, 1))) == ""
    assert refused(game, "red", Fly("red-1", inches(29.01, 1))) == "HEL-2"
    game.play("red", Fly("red-1", inches(20, 10)))  # over the water
    assert game.state.units["red-1"].spent == 20_000_000 + isqrt(442 * 10**12)


@rule("HEL-3")
def test_HEL_3_helicopters_move_after_the_aircraft() -> None:
    game = sky([("ah-1", "1,1"), ("ju-87-d", "5,5")], FAR)
    assert top(game) == "AirMovement"
    assert refused(game, "red", Fly("red-1", inches(3, 3))) == "HEL-3"
    game.play("red", EndPhase())
    assert top(game) == "HelicopterMovement"
    assert refused(game, "red", Fly("red-2", inches(3, 3))) == "HEL-1"


@rule("HEL-4")
def test_HEL_4_each_completes_its_move_before_the_next() -> None:
    game = sky([("ah-1", "1,1"), ("ah-1", "5,5")], FAR)
    game.play("red", Fly("red-1", inches(3, 3)))
    game.play("red", Fly("red-1", inches(4, 3)))
    game.play("red", Fly("red-2", inches(9, 3)))
    assert refused(game, "red", Fly("red-1", inches(5, 3))) == "HEL-4"
    assert refused(game, "red", Fly("red-2", inches(9, 4))) == ""


@rule("CMD-1", "HEL-8")
def test_R107_aircraft_need_no_command_post() -> None:
    game = sky([("uh-1", "39,29"), ("m60a1", "38,28"), ("cp-american", "1,1")], [("t-55", "36,29")])
    units = game.state.units
    assert not_commanded(game.state, units["red-2"]) is not None
    assert not_commanded(game.state, units["red-1"]) is None


@rule("HEL-5")
@pytest.mark.parametrize("state", [{"order": "dispersed"}, {"fired": True}])
def test_HEL_5_the_full_allowance_dispersed_or_after_firing(state: dict[str, object]) -> None:
    game = sky([("uh-1", "0.5,10")], FAR, red_1=state)
    assert refused(game, "red", Fly("red-1", inches(39.5, 10))) == ""
    game = sky([("uh-1", "0.5,10")], FAR, red_1={**state, "spent": 10_000_000})
    assert refused(game, "red", Fly("red-1", inches(39.5, 10))) == "HEL-2"  # 33 of 43 are left


@rule("AIM-2", "HEL-1")
def test_HEL_1_a_helicopter_leaves_only_over_an_edge_that_it_reaches() -> None:
    game = sky([("uh-1", "20,15")], FAR, red_1={"spent": 28_000_000})
    assert refused(game, "red", Leave("red-1")) == ""
    game = sky([("uh-1", "20,15.001")], FAR, red_1={"spent": 28_010_000})
    assert refused(game, "red", Leave("red-1")) == "HEL-1"


# --- down [HDN] --------------------------------------------------------------------------------------------------


@rule("HDN-1", "HDN-2")
def test_HDN_2_a_down_counter_after_movement_ends_the_move() -> None:
    game = sky([("uh-1", "20,15")], FAR)
    game.play("red", Fly("red-1", inches(25, 15)))
    game.play("red", SetDown("red-1"))
    unit = game.state.units["red-1"]
    assert unit.down
    assert unit.moved
    assert not unit.flying
    assert refused(game, "red", Fly("red-1", inches(26, 15))) == "HDN-2"
    assert refused(game, "red", SetDown("red-1")) == "HDN-1"


@rule("HDN-2")
def test_HDN_2_not_upon_another_stand() -> None:
    game = sky([("uh-1", "20,15"), ("m60a1", "20.5,15")], FAR)
    assert refused(game, "red", SetDown("red-1")) == "MOV-8"


@rule("HDN-2")
def test_HDN_2_only_helicopters_go_down() -> None:
    game = sky([("uh-1", "20,15"), ("m60a1", "25,15")], FAR)
    assert refused(game, "red", SetDown("red-2")) == "HDN-1"


@rule("HDN-2")
def test_HDN_2_down_at_set_up() -> None:
    text = scenario([("uh-1", "20,15")])
    state, frame = RULESET.start(RULESET.set_up(parse(text, "down.toml")))
    game: Game[Position] = Game(RULESET, state, Dice(bytes(32)), {"red": "red", "blue": "blue"})
    game.push(frame)
    game.run()
    game.play("red", SetDown("red-1"))
    assert game.state.units["red-1"].down
    assert refused(game, "red", Ready()) == ""


@rule("HDN-3")
def test_HDN_3_counters_come_off_before_helicopters_move() -> None:
    game = sky([("uh-1", "20,15")], FAR, red_1={"down": True})
    assert not game.state.units["red-1"].down
    assert refused(game, "red", Fly("red-1", inches(25, 15))) == ""


# --- passengers --------------------------------------------------------------------------------------------------

DOWN = {"down": True}


@rule("HEL-11")
def test_HEL_11_loading_costs_the_whole_allowance_and_the_helicopter_stays_down() -> None:
    game = sky([HUEY, SQUAD, ("rifle-80-american", "8.5,10")], FAR, red_1=DOWN)
    game.play("red", Embark("red-2", "red-1"))
    huey, squad = game.state.units["red-1"], game.state.units["red-2"]
    assert (squad.carrier, squad.moved) == ("red-1", True)
    assert huey.down
    assert refused(game, "red", Fly("red-1", inches(11, 10))) == "HDN-2"
    assert refused(game, "red", Embark("red-3", "red-1")) == "TRN-16"  # one stand


@rule("HEL-11")
@pytest.mark.parametrize(
    ("passenger", "huey", "squad", "why"),
    [
        (SQUAD, {}, {}, "HEL-11"),  # not down
        (SQUAD, {**DOWN, "gone": 1_000_000}, {}, "HEL-11"),
        (SQUAD, DOWN, {"fired": True}, "TRN-6"),
        (SQUAD, DOWN, {"moved": True}, "TRN-6"),
        (SQUAD, DOWN, {"reacted": True}, "TRN-6"),
        (SQUAD, DOWN, {"order": "dispersed"}, "GLO-4"),
        (("rifle-80-american", "12.001,10"), DOWN, {}, "TRN-3"),
        (("flak-20", "11.5,10"), DOWN, {}, "HEL-11"),
    ],
)
def test_HEL_11_what_may_be_loaded(
    passenger: tuple[str, str], huey: dict[str, object], squad: dict[str, object], why: str
) -> None:
    game = sky([HUEY, passenger], FAR, red_1=huey, red_2=squad)
    assert refused(game, "red", Embark("red-2", "red-1")) == why


ABOARD = {"carrier": "red-1", "at": (10_000, 10_000)}
FULL = {"down": True, "cargo": ("red-2",)}


@rule("HEL-11")
def test_HEL_11_passengers_get_out_beside_a_helicopter_that_was_down() -> None:
    game = sky([HUEY, ("rifle-80-american", "11.5,10")], FAR, red_1=FULL, red_2=ABOARD)
    assert refused(game, "red", Disembark("red-2", inches(12.001, 10))) == "TRN-3"
    assert refused(game, "red", Disembark("red-2", inches(10.9, 10))) == "MOV-8"
    game.play("red", Disembark("red-2", inches(12, 10)))
    squad, huey = game.state.units["red-2"], game.state.units["red-1"]
    assert (squad.at, squad.carrier, squad.moved) == (inches(12, 10), None, True)
    assert huey.down
    assert huey.cargo == ()


@rule("HEL-12")
@pytest.mark.parametrize(("ground", "why"), [(WOOD, "HEL-12"), (TOWN, "HEL-12"), (LAKE, "HEL-12"), (RIDGE, "")])
def test_HEL_12_not_in_woods_town_or_water(ground: str, why: str) -> None:
    game = sky([("uh-1", "17.5,10"), ("rifle-80-american", "2,2")], FAR, ground, red_1=FULL, red_2=ABOARD)
    assert refused(game, "red", Disembark("red-2", inches(18.6, 10))) == why


@rule("HEL-11")
def test_HEL_11_a_loaded_helicopter_carries_its_passengers_through_the_air() -> None:
    game = sky([HUEY, ("rifle-80-american", "11.5,10")], FAR, red_1=FULL, red_2=ABOARD)
    game.play("red", Fly("red-1", inches(30, 10)))
    assert game.state.units["red-2"].at == inches(30, 10)
    assert refused(game, "red", Disembark("red-2", inches(31, 10))) == "HEL-11"


# --- fire at helicopters -------------------------------------------------------------------------------------------


@rule("HEL-6")
@pytest.mark.parametrize(("flown", "why"), [(10.74, "HEL-6"), (10.76, "")])
def test_HEL_6_fired_at_after_a_quarter_of_the_allowance(flown: float, why: str) -> None:
    game = sky([("uh-1", "20,10"), ("po-2", "38,28")], FLAK)
    game.play("red", EndPhase())
    game.play("red", Fly("red-1", inches(20 + flown, 10)))
    game.play("red", EndPhase())
    assert refused(game, "blue", AimAt("blue-1", "red-1")) == why


@rule("HEL-6", "SEQ-6")
def test_HEL_6_in_the_enemys_direct_fire_phase_only_in_the_air() -> None:
    game = sky([("uh-1", "30,20"), ("uh-1", "32,20")], FLAK, red_2=DOWN, dice=(1,))
    game.stack = ()
    game.push(DirectFirePhase("blue"))
    game.run()
    assert isinstance(game.stack[-1], AntiAircraftFire)
    game.play("blue", AimAt("blue-1", "red-1"))
    game.play("blue", OpenFire())
    assert game.state.units["blue-1"].fired
    assert not game.state.units["blue-1"].reacted
    assert top(game) == "DirectFirePhase"
    assert game.state.units["red-1"].status == "eliminated"  # 16 factors and more: an X


@rule("HEL-6")
def test_HEL_6_a_helicopter_that_is_down_is_no_target_for_flak() -> None:
    game = sky([("uh-1", "30,20"), ("uh-1", "32,20")], FLAK)
    game.state.change("red-2", down=True)
    game.stack = ()
    game.push(DirectFirePhase("blue"))
    game.run()
    assert refused(game, "blue", AimAt("blue-1", "red-2")) == "HEL-6"


@rule("HEL-6", "HDN-5")
def test_HEL_6_overruns_close_assaults_and_indirect_fire_only_when_down() -> None:
    game = sky([("t-55", "10,10")], [("uh-1", "12,10")])
    for down, why in ((False, "HEL-6"), (True, "")):
        huey = game.state.change("blue-1", down=down)
        for found in (no_enemy(game.state, "red", huey), no_target("red", huey)):
            assert (found.rule if found else "") == why


@rule("HDN-8")
def test_HDN_8_no_fire_back_from_a_helicopter_that_is_down() -> None:
    game = sky([("uh-1", "12,10")], FAR)
    found = idle(game.state, game.state.change("red-1", down=True), "normal")
    assert found is not None
    assert found.rule == "HDN-8"


# --- sight --------------------------------------------------------------------------------------------------------


@rule("HDN-4", "AIL-2")
def test_HDN_4_lines_to_a_helicopter_that_is_down_are_blocked_as_usual() -> None:
    game = sky([("uh-1", "10,10")], [("t-55", "20,10")], RIDGE)
    tank, huey = game.state.units["blue-1"], game.state.units["red-1"]
    assert out_of_sight(game.state, tank, huey) is None
    down = game.state.change("red-1", down=True)
    found = out_of_sight(game.state, tank, down)
    assert found is not None


@rule("HDN-6")
def test_HDN_6_a_helicopter_down_in_a_wood_is_always_spotted() -> None:
    game = sky([("uh-1", "18.2,10"), ("truck-german", "18.2,11.5")], [("t-55", "10,10")], WOOD)
    tank, huey = game.state.units["blue-1"], game.state.change("red-1", down=True)
    assert covers(game.state, tank, huey) == []
    assert covers(game.state, tank, game.state.units["red-2"]) != []
    assert out_of_sight(game.state, tank, huey) is None
    assert not_spotted(game.state, tank, huey) is None


# --- the other reading ----------------------------------------------------------------------------------------------


@rule("HEL-2")
def test_R33_helicopters_move_after_all_air_strikes() -> None:
    head = 'options = ["R33"]'
    game = sky([("uh-1", "20,10")], FLAK, head=head)
    assert top(game) == "HelicopterMovement"
    assert "HelicoptersAfterStrikes" in [type(frame).__name__ for frame in game.stack]
    assert AIR_PHASE.steps.index(AirPhaseEnd) < AIR_PHASE.steps.index(HelicoptersAfterStrikes)
    game.play("red", Fly("red-1", inches(35, 20)))
    game.play("red", EndPhase())
    assert top(game) == "AntiAircraftFire"
