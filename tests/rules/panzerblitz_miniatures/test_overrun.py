"""Overrun [OVR] and the fire of its target [OPP-16 to OPP-20]."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase, Pass
from opfire.rulesets.panzerblitz_miniatures.close.close_combat import CarryOut, FireBack, JumpOff, StayAboard
from opfire.rulesets.panzerblitz_miniatures.close.overrun import Overrun
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Attack, by, calculation, total
from opfire.rulesets.panzerblitz_miniatures.fire.missions import Mission
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move
from opfire.rulesets.panzerblitz_miniatures.moving.movement import MovementPhase
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.space.measure import MICRO
from rules.panzerblitz_miniatures.battle import battle, refused, stand, under
from rules.panzerblitz_miniatures.grounds import area, crossing, hill, line
from rules.panzerblitz_miniatures.kit import rule

RED = MovementPhase("red")
GO = CarryOut("overrun", "blue-1")


def phase(red: str, blue: str, **more: object) -> Game[Position]:
    """Red's movement phase."""
    return under(battle(red, blue, **more), RED)  # type: ignore[arg-type]


def judged(red: str, blue: str, **more: object) -> str:
    """The rule against an overrun of the first blue stand by the first red one."""
    return refused(phase(red, blue, **more), "red", Overrun("red-1", "blue-1"))


# --- who, what, where -----------------------------------------------------------------------------------------


@rule("OVR-1")
@pytest.mark.parametrize(("at", "number"), [("12,5", ""), ("12.001,5", "OVR-1")])
def test_the_vehicle_is_adjacent_to_its_target(at: str, number: str) -> None:
    assert judged("pz-iv-h 10,5", f"rifle-42-soviet {at}") == number


@rule("OVR-8", "OVR-9", "OVR-10")
@pytest.mark.parametrize(
    ("kind", "target", "number"),
    [
        ("wespe", "rifle-42-soviet", "OVR-8"),
        ("rifle-40-german", "rifle-42-soviet", "OVR-10"),
        ("truck-german", "rifle-42-soviet", "OVR-10"),
        ("pz-i-a", "t-34-76", "OVR-9"),
        ("pz-i-a", "truck-soviet", ""),
    ],
)
def test_armored_vehicles_overrun_as_their_kind_allows(kind: str, target: str, number: str) -> None:
    assert judged(f"{kind} 10,5", f"{target} 11.5,5") == number


@rule("OVR-2")
@pytest.mark.parametrize(
    ("table", "number"),
    [
        (area("town", 11, 3, 14, 7), "OVR-2"),
        (area("woods", 11, 3, 14, 7), "OVR-2"),
        (area("field", 11, 3, 14, 7), ""),
        (area("woods", 8, 3, 10.5, 7), ""),  # only the target's ground counts [OVR-4]
        (area("woods", 11, 3, 14, 7) + line("road", "11.8,1 11.8,29"), ""),  # a road through woods is open [ROD-2]
        (area("town", 11, 3, 14, 7) + line("road", "11.8,1 11.8,29"), "OVR-2"),
        (hill(5, 1, 20, 12), ""),  # a clear hilltop
        (hill(11, 1, 20, 12), "OVR-2"),  # a slope
    ],
)
def test_only_units_on_clear_terrain_are_overrun(table: str, number: str) -> None:
    assert judged("pz-iv-h 10,5", "rifle-42-soviet 11.8,5", table=table) == number


@rule("OVR-7", "FRT-13")
@pytest.mark.parametrize(("kind", "number"), [("block", "OVR-7"), ("fort", "FRT-13"), ("improved position 1", "")])
def test_blocks_and_fortifications_protect_from_overruns(kind: str, number: str) -> None:
    more = f'markers = [{{ kind = "{kind}", at = ["11.8,5"] }}]'
    assert judged("pz-iv-h 10,5", "rifle-42-soviet 11.8,5", more=more) == number


@rule("BRI-3", "BRI-4")
@pytest.mark.parametrize(
    ("at", "target", "number"), [("9,5", "10.5,5", ""), ("11.5,5", "13,5", "BRI-3"), ("16,5", "17.8,5", "")]
)
def test_units_on_a_bridge_are_overrun_from_outside_and_overrun_others(at: str, target: str, number: str) -> None:
    table = line("stream", "13.5,1 13.5,29") + crossing("bridge", "10,5 17,5")
    assert judged(f"pz-iv-h {at}", f"rifle-42-soviet {target}", table=table) == number


@rule("OVR-11")
def test_a_vehicle_that_used_the_road_rate_does_not_overrun() -> None:
    game = phase("pz-iv-h 5,5; pz-iv-h 10,3.5", "rifle-42-soviet 11,5", table=line("road", "1,5 39,5"))
    game.play("red", Move("red-1", (9_500, 5_000), 90))  # 4.5 points; 9 on open ground
    assert refused(game, "red", Overrun("red-1", "blue-1")) == "OVR-11"


@rule("OVR-11")
@pytest.mark.parametrize(("at", "number"), [("7.5,5", ""), ("7.4,5", "OVR-11")])
def test_R77_an_overrun_by_road_pays_for_open_ground(at: str, number: str) -> None:
    wood = area("heavy-woods", 7, 3, 9, 7) + line("road", "1,5 39,5")
    game = phase(f"pz-iv-h {at}; pz-iv-h 10,3.5", "rifle-42-soviet 11,5", table=wood)
    game.play("red", Move("red-1", (9_500, 5_000), 90))
    assert refused(game, "red", Overrun("red-1", "blue-1")) == number
    if not number:
        game.play("red", Overrun("red-1", "blue-1"))
        assert stand(game, "red-1").spent == 8_000_000


@rule("OVR-11")
def test_R77_by_option_the_road_rate_bars_the_overrun() -> None:
    game = phase("pz-iv-h 8,5", "rifle-42-soviet 11,5", table=line("road", "1,5 39,5"), more='options = ["R77"]\n')
    game.play("red", Move("red-1", (9_500, 5_000), 90))
    assert refused(game, "red", Overrun("red-1", "blue-1")) == "OVR-11"


@rule("OVR-4")
@pytest.mark.parametrize(("at", "number"), [("8,5", ""), ("7.5,5", "OVR-4")])
def test_an_overrun_costs_four_points_on_arrival(at: str, number: str) -> None:
    game = phase(f"pz-iv-h {at}", "rifle-42-soviet 12,5")
    game.play("red", Move("red-1", (10_000, 5_000), 90))  # two points an inch, eight in all
    assert refused(game, "red", Overrun("red-1", "blue-1")) == number


@rule("COM-5")
def test_a_vehicle_that_has_fired_does_not_overrun() -> None:
    game = phase("pz-iv-h 10,5; pz-iv-h 10,7", "rifle-42-soviet 11.5,5")
    game.state.change("red-1", fired=True, split=True)
    assert refused(game, "red", Overrun("red-1", "blue-1")) == "COM-5"


# --- the attack -----------------------------------------------------------------------------------------------


@rule("OVR-3", "OVR-5", "OVR-6")
def test_all_vehicles_move_up_before_the_one_attack() -> None:
    game = phase("pz-iv-h 10,5; pz-iv-h 10,8", "rifle-42-soviet 11.8,5", script=(6, 1))
    game.play("red", Overrun("red-1", "blue-1"))
    assert stand(game, "red-1").spent == 4 * MICRO
    assert refused(game, "red", EndPhase()) == "OVR-3"
    game.play("red", Move("red-2", (11_000, 6_500), 90))
    game.play("red", Overrun("red-2", "blue-1"))
    game.play("red", GO)
    events = game.play("blue", Pass())
    made = next(event.calculation for event in events if event.calculation)
    assert (made.title, made.column) == ("Overrun", "1-1")  # 7 and 7 to 12
    assert stand(game, "blue-1").attacked == ("overrun",)
    assert stand(game, "red-1").fired


@rule("OVR-6")
def test_a_unit_is_overrun_once_in_a_phase() -> None:
    game = phase("pz-iv-h 10,5; pz-iv-h 12.5,6.5", "t-34-76 11.8,5", script=(6, 1))
    game.play("red", Overrun("red-1", "blue-1"))
    game.play("red", GO)
    game.play("blue", Pass())
    assert refused(game, "red", Overrun("red-2", "blue-1")) == "OVR-6"


@rule("OPP-16", "OPP-18", "OPP-20", "OVR-12")
def test_the_target_fires_first_and_attackers_that_it_disperses_drop_out() -> None:
    game = phase("pz-iv-h 10,5", "guards-43 11.8,5", script=(1,))
    assert not stand(game, "blue-1").position  # no Firing Position is needed
    game.play("red", Overrun("red-1", "blue-1"))
    game.play("red", GO)
    assert game.deciders() == ("blue",)
    assert refused(game, "blue", FireBack("blue-1", "blue-1")) == "OPP-13"
    events = game.play("blue", FireBack("blue-1", "red-1"))
    made = next(event.calculation for event in events if event.calculation)
    assert made.column == "1-2"  # 6 to 8 is 1-2, at -1: die 1 is row 0, DD
    assert stand(game, "red-1").order == "dispersed"
    assert stand(game, "blue-1").reacted
    assert stand(game, "blue-1").attacked == ()
    assert game.deciders() == ("red",)
    assert EndPhase() in [*game.choices("red")]


@rule("OPP-13")
def test_the_target_fires_at_its_attackers_only() -> None:
    game = phase("pz-iv-h 10,5; pz-iv-h 13,6.5", "guards-43 11.8,5; t-34-76 11.8,8")
    game.play("red", Overrun("red-1", "blue-1"))
    game.play("red", GO)
    assert refused(game, "blue", FireBack("blue-1", "red-2")) == "OPP-13"
    assert refused(game, "blue", FireBack("blue-2", "red-1")) == "OPP-13"


@rule("OPP-4", "OPP-16")
@pytest.mark.parametrize("values", [{"reacted": True}, {"order": "dispersed"}])
def test_a_target_that_has_reacted_or_is_dispersed_is_not_asked(values: dict[str, object]) -> None:
    game = phase("pz-iv-h 10,5", "guards-43 11.8,5", script=(1, 6))
    game.state.change("blue-1", **values)
    game.play("red", Overrun("red-1", "blue-1"))
    game.play("red", GO)
    assert stand(game, "blue-1").order != "good order" or stand(game, "blue-1").status == "eliminated"
    assert game.deciders() == ("red",)


def plotted(unit: str, due: int = 2) -> Mission:
    """A mission of a unit that is due in a later turn."""
    return Mission("blue", unit, "neutralization", (0, 0), "", "square", 0, due - 1, due)


@rule("OPP-14")
def test_a_gun_designated_for_indirect_fire_does_not_fire_back() -> None:
    game = phase("pz-iv-h 10,5", "mortar-82-soviet 11.8,5")
    game.state.plots = (plotted("blue-1"),)
    game.play("red", Overrun("red-1", "blue-1"))
    game.play("red", GO)
    assert game.deciders() == ("blue",)  # nobody can tell from a question that is not asked
    assert refused(game, "blue", FireBack("blue-1", "red-1")) == "OPP-14"
    assert [*game.choices("blue")] == [Pass()]


@rule("OPP-17", "OPP-19")
def test_hull_down_does_not_protect_attackers_from_their_target() -> None:
    game = battle("stug-iii-g 12.8,10", "t-34-76 11.2,10", table=hill(10, 5, 20, 15))
    defensive = calculation(game.state, Attack("defensive", "red-1", by("blue-1")))
    assert [each.rule for each in defensive.lines if each.kind == "modifier"] == ["WECT-7"]
    assert total(game.state, Attack("defensive", "red-1", by("blue-1"))) == 12  # 12 x 2, halved across the crest


@rule("FOF-1", "OPP-16")
def test_a_gun_fires_back_within_its_field_of_fire_only() -> None:
    more, sides = 'options = ["FOF-1"]', "facing = 90"
    game = phase("pz-iv-h 10,5; pz-iv-h 13.5,5", "pak-75 11.8,5", more=more, sides=sides)
    game.play("red", Overrun("red-1", "blue-1"))
    game.play("red", Overrun("red-2", "blue-1"))
    game.play("red", GO)
    assert refused(game, "blue", FireBack("blue-1", "red-1")) == "FOF-1"
    assert refused(game, "blue", FireBack("blue-1", "red-2")) == ""


@rule("HDN-5", "HDN-7", "HDN-8", "HEL-6")
def test_a_helicopter_is_overrun_when_it_is_down_and_does_not_fire_back() -> None:
    game = phase("bmp-1 10,5", "ah-1 11.8,5", script=(1,))
    assert refused(game, "red", Overrun("red-1", "blue-1")) == "HEL-6"
    game.state.change("blue-1", down=True)
    game.play("red", Overrun("red-1", "blue-1"))
    assert total(game.state, Attack("overrun", "blue-1", by("red-1"))) == 38  # as against armor: 19 A twice
    game.play("red", GO)
    assert stand(game, "blue-1").status == "eliminated"


@rule("CAT-6", "CAT-5")
def test_riders_jump_off_an_overrunning_tank_and_assault_the_survivor() -> None:
    game = phase("pz-iv-h 10,5; smg-german +pz-iv-h", "guards-43 11.8,5", script=(6, 1, 5, 1))
    game.play("red", Overrun("red-1", "blue-1"))
    game.play("red", GO)
    game.play("blue", Pass())  # 7 to 18 is 1-3; die 6 at -1 is AM+2, and the tank passes with 1
    assert JumpOff("red-2") in [*game.choices("red")]
    game.play("red", JumpOff("red-2"))
    rider = stand(game, "red-2")
    assert rider.carrier is None
    assert game.deciders() == ("blue",)  # the target may fire at the riders
    events = game.play("blue", Pass())
    made = next(event.calculation for event in events if event.calculation)
    assert made.title == "Close assault"
    assert stand(game, "blue-1").attacked == ("overrun", "close assault")


@rule("CAT-6")
def test_riders_may_stay_on_their_tank() -> None:
    game = phase("pz-iv-h 10,5; smg-german +pz-iv-h", "guards-43 11.8,5", script=(6, 1))
    game.play("red", Overrun("red-1", "blue-1"))
    game.play("red", GO)
    game.play("blue", Pass())
    # It is no fire that they hold.
    assert RULESET.label(game.state, StayAboard()) == "Nobody else jumps off"
    game.play("red", StayAboard())
    assert stand(game, "red-2").carrier == "red-1"
    assert EndPhase() in [*game.choices("red")]


@rule("CMD-2", "OVR-1")
def test_units_out_of_command_do_not_overrun() -> None:
    assert judged("pz-iv-h 10,5; cp-german 31,5", "rifle-42-soviet 11.5,5") == "CMD-2"
