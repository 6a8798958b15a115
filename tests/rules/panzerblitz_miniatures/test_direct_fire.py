"""Direct fire [DF]: the phase, attacks put together firer by firer, and the capabilities of special units."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import lost_missile
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import target_of
from opfire.rulesets.panzerblitz_miniatures.fire.direct import AddFirer, DirectFirePhase, Engage, Fire
from opfire.rulesets.panzerblitz_miniatures.fire.results import fell
from opfire.rulesets.panzerblitz_miniatures.pieces import Manner, Position
from opfire.rulesets.panzerblitz_miniatures.sequence import PLAYER_SEGMENT
from rules.panzerblitz_miniatures.battle import battle, refused, stand, under
from rules.panzerblitz_miniatures.grounds import area, crossing, hill, line
from rules.panzerblitz_miniatures.kit import rule

RED = DirectFirePhase("red")


def phase(red: str, blue: str, **more: object) -> Game[Position]:
    """Red's Direct Fire Phase."""
    return under(battle(red, blue, **more), RED)  # type: ignore[arg-type]


def judged(
    red: str, blue: str, target: str = "blue-1", firer: str = "red-1", manner: Manner = "normal", **more: object
) -> str:
    """The rule against fire of the first red stand, or of the one named, at a target."""
    return refused(phase(red, blue, **more), "red", Engage(firer, target, manner))


# --- the phase ------------------------------------------------------------------------------------------------


@rule("DF-2")
def test_direct_fire_follows_recovery_and_comes_before_movement() -> None:
    names = [step.__name__ for step in PLAYER_SEGMENT.steps if isinstance(step, type)]
    assert names.index("RecoveryPhase") < names.index("DirectFirePhase") < names.index("MovementPhase")


@rule("COM-4", "DF-2", "SEQ-6")
def test_attacks_are_voluntary_and_only_the_phasing_side_makes_them() -> None:
    game = phase("pz-iv-h 10,5", "t-34-76 20,5")
    assert not game.choices("blue")
    assert EndPhase() in [*game.choices("red")]
    game.play("red", EndPhase())
    assert not game.stack


@rule("DF-1", "DF-7", "DF-5", "COM-3")
def test_an_attack_is_put_together_and_rolled_once() -> None:
    game = phase("pz-iv-h 10,5; pz-iv-h 5,5", "t-34-76 20,5", script=(1,))
    game.play("red", Engage("red-1", "blue-1"))
    game.play("red", AddFirer("red-2"))
    assert refused(game, "red", AddFirer("red-2")) == "procedure"
    events = game.play("red", Fire())
    assert [event.calculation.column for event in events if event.calculation] == ["3.5-1"]  # 35 to 9
    assert stand(game, "blue-1").status == "eliminated"
    assert stand(game, "red-1").fired
    assert stand(game, "red-2").fired


@rule("DF-7")
@pytest.mark.parametrize(
    ("firers", "calibre"),
    [("pak-88 10,5; pak-88 10,8", 88), ("pak-88 10,5; how-105-german 10,8", 0), ("pz-iv-h 10,5; pak-88 10,8", 0)],
    ids=["alike", "mixed", "one that the unit data do not tell"],
)
def test_a_shot_tells_the_calibre_that_all_its_guns_have(firers: str, calibre: int) -> None:
    game = phase(firers, "t-34-76 20,5", script=(6,))
    game.play("red", Engage("red-1", "blue-1"))
    game.play("red", AddFirer("red-2"))
    events = game.play("red", Fire())
    assert [event.calibre for event in events if event.kind == "fired"] == [calibre]


@rule("COM-5", "DF-4")
def test_a_unit_fires_once_in_a_segment() -> None:
    game = phase("pz-iv-h 10,5", "t-34-76 20,5; t-34-76 20,8", script=(6, 1))
    game.play("red", Engage("red-1", "blue-1"))
    game.play("red", Fire())
    assert refused(game, "red", Engage("red-1", "blue-2")) == "COM-5"


@rule("COM-6")
def test_a_unit_suffers_one_direct_attack_in_a_segment() -> None:
    game = phase("pz-iv-h 10,5; pz-iv-h 10,8", "t-34-76 20,5", script=(6, 1))
    game.play("red", Engage("red-1", "blue-1"))
    game.play("red", Fire())
    assert refused(game, "red", Engage("red-2", "blue-1")) == "COM-6"


@rule("COM-7")
def test_other_kinds_of_attack_do_not_count() -> None:
    game = phase("pz-iv-h 10,5", "t-34-76 20,5")
    game.state.change("blue-1", attacked=("indirect", "air"))
    assert refused(game, "red", Engage("red-1", "blue-1")) == ""


@rule("OPP-5", "GLO-4")
@pytest.mark.parametrize(("mark", "number"), [({"reacted": True}, "OPP-5"), ({"order": "recovering"}, "GLO-4")])
def test_units_that_reacted_or_are_dispersed_do_not_fire(mark: dict[str, object], number: str) -> None:
    game = phase("pz-iv-h 10,5; pz-iv-h 10,8", "t-34-76 20,5")
    game.state.change("red-1", **mark)
    assert refused(game, "red", Engage("red-1", "blue-1")) == number
    assert refused(game, "red", Engage("red-2", "blue-1")) == ""


# --- range, line, spotting ------------------------------------------------------------------------------------


@rule("DF-3", "EQP-2", "EQP-11")
@pytest.mark.parametrize(("at", "number"), [("26,5", ""), ("26.001,5", "DF-3")])
def test_the_target_lies_within_the_range_of_each_firer(at: str, number: str) -> None:
    assert judged("pz-iv-h 10,5", f"t-34-76 {at}") == number  # 8 on the counter, 16 inches


@rule("DF-6", "LOB-1", "LOB-10")
def test_each_firer_needs_a_line_of_its_own() -> None:
    game = phase("pz-iv-h 10,5; pz-iv-h 20,15", "t-34-76 20,5", table=area("woods", 14, 2, 16, 8))
    assert refused(game, "red", Engage("red-1", "blue-1")) == "LOB-10"
    game.play("red", Engage("red-2", "blue-1"))
    assert refused(game, "red", AddFirer("red-1")) == "LOB-10"


@rule("LOS-3", "LLT-1")
@pytest.mark.parametrize(("at", "number"), [("12,5", ""), ("12.1,5", "LOS-3")])
def test_a_target_in_cover_is_fired_at_within_its_limit_only(at: str, number: str) -> None:
    assert judged("pz-iv-h 10,5", f"t-34-76 {at}", table=area("woods", 11.5, 2, 16, 8)) == number


@rule("SPT-1", "SPT-4")
def test_a_target_in_cover_that_has_fired_is_fired_at_from_afar() -> None:
    game = phase("pz-iv-h 10,5; pz-iv-h 12,8", "t-34-76 18,5", table=area("woods", 17.5, 2, 24, 8))
    assert refused(game, "red", Engage("red-1", "blue-1")) == "LOS-3"
    game.state.change("blue-1", spotters=("red-2",), fired_at=(18_000, 5_000))
    assert refused(game, "red", Engage("red-1", "blue-1")) == ""


@rule("WEC-1", "WECT-1")
def test_rifles_have_no_effect_on_armor_at_a_distance() -> None:
    assert judged("rifle-40-german 10,5", "t-34-76 14,5") == "WEC-1"
    assert judged("rifle-40-german 10,5", "rifle-42-soviet 14,5") == ""


@rule("STR-6", "TEC-10")
def test_nobody_attacks_out_of_a_stream() -> None:
    stream = line("stream", "10,1 10,29")
    assert judged("rifle-40-german 10,5", "rifle-42-soviet 11.5,5", table=stream) == "STR-6"


# --- targets --------------------------------------------------------------------------------------------------


@rule("TRN-9", "TRN-10", "TRN-12", "TRN-15")
def test_passengers_inside_are_no_targets_and_riders_are() -> None:
    carrier = "half-track-soviet 20,5; rifle-42-soviet +half-track-soviet"
    assert judged("pz-iv-h 10,5", carrier, "blue-2") == "TRN-9"
    assert judged("pz-iv-h 10,5", "t-34-76 20,5; rifle-42-soviet +t-34-76", "blue-2") == ""
    game = phase("half-track-german 10,5; smg-german +half-track-german", "rifle-42-soviet 14,5")
    assert refused(game, "red", Engage("red-2", "blue-1")) == "TRN-10"


@rule("FRT-10", "FRT-8")
def test_an_empty_fortification_is_a_target_even_to_its_owner() -> None:
    more = 'markers = [{ kind = "fort", at = ["20,5"], side = "red" }, { kind = "block", at = ["24,5"] }]'
    game = phase("pz-iv-h 10,5", "t-34-76 30,5", more=more)
    assert refused(game, "red", Engage("red-1", "fort@20,5")) == ""
    assert refused(game, "red", Engage("red-1", "block@24,5")) == "PSD-1"


@rule("COM-6", "DF-5", "FRT-5")
def test_COM_6_a_fortification_suffers_one_direct_attack_in_a_segment() -> None:
    more = 'markers = [{ kind = "fort", at = ["20,5"] }]'
    game = phase("pz-iv-h 10,5; pz-iv-h 10,8", "t-34-76 30,5", more=more, script=(5, 5))  # a seven disperses it
    assert refused(game, "red", Engage("red-2", "fort@20,5")) == ""
    game.play("red", Engage("red-1", "fort@20,5"))
    game.play("red", Fire())
    assert refused(game, "red", Engage("red-2", "fort@20,5")) == "COM-6"
    assert Engage("red-2", "fort@20,5") not in [*game.choices("red")]


@rule("COM-6", "FRT-7")
@pytest.mark.parametrize(("first", "then"), [("fort@20,5", "blue-1"), ("blue-1", "fort@20,5")])
def test_COM_6_a_fortification_and_its_occupant_suffer_one_direct_attack_together(first: str, then: str) -> None:
    more = 'markers = [{ kind = "fort", at = ["20,5"] }]'
    game = phase("pz-iv-h 10,5; pz-iv-h 10.5,8", "rifle-42-soviet 20,5; t-34-76 30,5", more=more, script=(6, 6, 6))
    game.state.change("blue-1", work="fort@20,5")
    assert refused(game, "red", Engage("red-2", then)) == ""
    game.play("red", Engage("red-1", first))
    game.play("red", Fire())
    assert refused(game, "red", Engage("red-2", then)) == "COM-6"


@rule("COM-6", "BRI-8")
def test_COM_6_a_bridge_suffers_one_direct_attack_in_a_segment() -> None:
    table = line("stream", "20,1 20,29") + crossing("bridge", "18,5 22,5")
    game = phase("pz-iv-h 10,5; pz-iv-h 10,8", "t-34-76 30,5", table=table, script=(6,))
    bridge = next(each.id for each in game.state.table.ground.of_kind("bridge"))
    game.play("red", Engage("red-1", bridge))
    game.play("red", Fire())
    assert refused(game, "red", Engage("red-2", bridge)) == "COM-6"


@rule("BRI-8", "BRI-9")
def test_BRI_8_the_bridge_that_is_fired_at_falls_and_no_other() -> None:
    table = line("stream", "20,1 20,29") + crossing("bridge", "18,5 22,5") + crossing("bridge", "18,9 22,9")
    game = phase("how-105-german 12,9; how-105-german 12,11", "t-34-76 30,5", table=table)
    first, second = (each.id for each in game.state.table.ground.of_kind("bridge"))
    assert target_of(game.state, second).at == (20_000, 9_000)
    fell(game, next(each for each in game.state.table.ground.of_kind("bridge") if each.id == second))
    assert refused(game, "red", Engage("red-1", second)) == "procedure"
    assert refused(game, "red", Engage("red-1", first)) == ""


@rule("IMP-4")
def test_improved_positions_cannot_be_destroyed() -> None:
    more = 'markers = [{ kind = "improved position 1", at = ["20,5"] }]'
    assert judged("pz-iv-h 10,5", "t-34-76 30,5", "improved position 1@20,5", more=more) == "IMP-4"


@rule("BRI-6")
@pytest.mark.parametrize(("kind", "number"), [("how-105-german", ""), ("mortar-81-german", "BRI-6")])
def test_mortars_do_not_destroy_bridges(kind: str, number: str) -> None:
    table = line("stream", "20,1 20,29") + crossing("bridge", "18,5 22,5")
    game = phase(f"{kind} 10,5", "t-34-76 30,5", table=table)
    bridge = next(each.id for each in game.state.table.ground.of_kind("bridge"))
    assert refused(game, "red", Engage("red-1", bridge)) == number


@rule("BRI-7")
def test_fire_at_units_on_a_bridge_leaves_the_bridge_alone() -> None:
    table = line("stream", "20,1 20,29") + crossing("bridge", "18,5 22,5")
    game = phase("pz-iv-h 10,5", "t-34-76 20,5", table=table, script=(1,))
    game.play("red", Engage("red-1", "blue-1"))
    game.play("red", Fire())
    assert [work.kind for work in game.state.works.values()] == ["wreck"]


# --- special capabilities -------------------------------------------------------------------------------------


@rule("SMF-1", "SMF-3", "SMF-4", "SMF-5", "FIX-1", "FIX-4")
@pytest.mark.parametrize(
    ("kind", "number"),
    [("pz-iv-h", ""), ("stug-iii-g", "FIX-1"), ("rifle-40-german", "SMF-4"), ("half-track-german", "SMF-5")],
)
def test_marked_vehicles_alone_split_move_and_fire(kind: str, number: str) -> None:
    assert judged(f"{kind} 10,5", "rifle-42-soviet 13,5", manner="split") == number


@rule("SMF-1", "SMF-2", "SMF-3")
def test_a_split_fire_is_announced_and_leaves_the_vehicle_free_to_move() -> None:
    game = phase("pz-iv-h 10,5; pz-iv-h 10,8", "t-34-76 20,5", script=(6, 1))
    game.play("red", Engage("red-1", "blue-1", "split"))
    game.play("red", AddFirer("red-2"))
    game.play("red", Fire())
    assert stand(game, "red-1").split
    assert not stand(game, "red-2").split


@rule("MIF-1", "MIF-2", "TRN-10")
def test_a_passenger_fires_with_its_carrier_at_the_same_target() -> None:
    loaded = "half-track-german 10,5; smg-german +half-track-german; rifle-40-german 10,8"
    game = phase(loaded, "rifle-42-soviet 14,5", script=(6, 1, 1))
    assert refused(game, "red", Engage("red-2", "blue-1", "mounted")) == "MIF-1"
    game.play("red", Engage("red-3", "blue-1"))
    assert refused(game, "red", AddFirer("red-2", "mounted")) == "MIF-2"
    game.play("red", AddFirer("red-1"))
    assert AddFirer("red-2", "mounted") in [*game.choices("red")]
    game.play("red", AddFirer("red-2", "mounted"))
    game.play("red", Fire())
    assert stand(game, "red-2").fired


@rule("MIF-1")
def test_nobody_fires_from_a_truck() -> None:
    game = phase("bmp-1 10,5; rifle-40-german +bmp-1", "rifle-42-soviet 13,5")
    game.play("red", Engage("red-1", "blue-1"))
    assert refused(game, "red", AddFirer("red-2", "mounted")) == "TRN-10"


@rule("FOF-1", "FOF-2")
@pytest.mark.parametrize(
    ("at", "options", "number"),
    [("14,9", '["FOF-1"]', ""), ("14,9.1", '["FOF-1"]', "FOF-1"), ("14,9.1", "[]", "")],
)
def test_guns_fire_up_to_45_degrees_to_either_side(at: str, options: str, number: str) -> None:
    assert judged("pak-75 10,5", f"t-34-76 {at}", more=f"options = {options}", sides="facing = 90") == number


@rule("FOF-1", "FOF-7")
@pytest.mark.parametrize("kind", ["mortar-120-german", "flak-20-4", "pz-iv-h"])
def test_mortars_flak_and_vehicles_fire_all_round(kind: str) -> None:
    more = 'options = ["FOF-1"]'
    assert judged(f"{kind} 10,5", "rifle-42-soviet 6,5", more=more, sides="facing = 90") == ""


@rule("FRT-15", "FOF-1")
@pytest.mark.parametrize(
    ("kind", "option", "number"),
    [("mortar-120-german", "FOF-1", "FOF-1"), ("rifle-40-german", "FOF-1", ""), ("rifle-40-german", "FRT-15", "FOF-1")],
)
def test_in_fortifications_others_are_bound_too(kind: str, option: str, number: str) -> None:
    more = f'options = ["{option}"]\nmarkers = [{{ kind = "fort", at = ["10,5"] }}]'
    game = phase(f"{kind} 10,5", "rifle-42-soviet 7,5", more=more, sides="facing = 90")
    game.state.change("red-1", work="fort@10,5")
    assert refused(game, "red", Engage("red-1", "blue-1")) == number


HILLS = hill(2, 5, 12, 15), hill(16, 5, 26, 15)
"""Hills under the firer at 7,10 and under the target at 21,10."""


def wire(table: str) -> str:
    """The rule against the wire of a missile over this ground."""
    game = battle("sagger-soviet 7,10", "pz-iv-h 21,10", table=table)
    unit = stand(game, "red-1")
    refusal = lost_missile(game.state, unit, target_of(game.state, "blue-1"), unit.kind)
    return refusal.rule if refusal else ""


@rule("WGM-1", "WGM-6")
@pytest.mark.parametrize(("hills", "number"), [("", "WGM-6"), (HILLS[0], ""), (HILLS[1], "")])
def test_a_missile_does_not_fly_through_woods_between_units_on_the_ground(hills: str, number: str) -> None:
    assert wire(hills + area("woods", 13, 8, 15, 12)) == number


@rule("WGM-6")
def test_the_woods_of_the_target_are_not_flown_through() -> None:
    assert wire(area("woods", 20.5, 8, 24, 12)) == ""  # RULINGS.md R73


@rule("WGM-7")
@pytest.mark.parametrize(("hills", "number"), [("", "WGM-7"), (HILLS[0], "WGM-7"), (HILLS[0] + HILLS[1], "")])
def test_a_missile_does_not_fly_over_a_river_unless_both_stand_high(hills: str, number: str) -> None:
    assert wire(hills + area("water", 13, 8, 15, 12)) == number


@rule("WGM-2", "WGM-3", "WGM-5")
def test_a_vehicle_fires_its_one_missile_or_its_cannon() -> None:
    game = phase("bradley 10,5", "t-34-76 24,5")
    assert refused(game, "red", Engage("red-1", "blue-1")) == ""
    game.state.change("red-1", shot="normal")
    assert refused(game, "red", Engage("red-1", "blue-1", "missile")) == "WGM-5"
    game.state.change("red-1", shot="missile")
    assert refused(game, "red", Engage("red-1", "blue-1")) == "WGM-5"
    game.state.change("red-1", shot="", missiles=0)
    assert refused(game, "red", Engage("red-1", "blue-1", "missile")) == "WGM-3"


@rule("FTT-1", "FTT-2")
@pytest.mark.parametrize(("at", "number"), [("12,5", ""), ("12.1,5", "DF-3")])
def test_flamethrower_tanks_fire_close_up(at: str, number: str) -> None:
    assert judged("flammpanzer-iii 10,5", f"t-34-76 {at}") == number


@rule("STD-12", "STD-5", "STD-4", "STD-9")
@pytest.mark.parametrize(
    ("kind", "at", "number"),
    [
        ("rifle-40-german", "11.5,5", ""),
        ("rifle-40-german", "12.1,5", "DF-3"),
        ("engineer-german", "11.5,5", ""),
        ("scout-german", "11.5,5", "STD-5"),
        ("hmg-german", "11.5,5", "STD-12"),
    ],
)
def test_anti_tank_shots_of_infantry(kind: str, at: str, number: str) -> None:
    assert judged(f"{kind} 10,5", f"t-34-76 {at}", manner="anti-tank", sides="anti_tank = 1") == number


@rule("STD-12")
def test_the_anti_tank_shots_of_a_stand_are_counted() -> None:
    game = phase("rifle-40-german 10,5", "t-34-76 11.5,5", sides="anti_tank = 1", script=(6, 1))
    game.play("red", Engage("red-1", "blue-1", "anti-tank"))
    game.play("red", Fire())
    game.state.change("red-1", fired=False)
    game.state.change("blue-1", attacked=())
    assert refused(game, "red", Engage("red-1", "blue-1", "anti-tank")) == "STD-12"


@rule("STD-7")
@pytest.mark.parametrize(("at", "number"), [("12,5", ""), ("12.1,5", "DF-3")])
def test_an_engineer_s_flamethrower_reaches_two_inches(at: str, number: str) -> None:
    more = "flamethrowers = 3"
    assert judged("engineer-german 10,5", f"rifle-42-soviet {at}", manner="flamethrower", sides=more) == number


@rule("STD-10", "STD-13", "WTT-7")
def test_a_truck_has_no_attack_strength() -> None:
    assert judged("truck-german 10,5", "rifle-42-soviet 11.5,5") == "WTT-7"
    assert judged("hmg-german 10,5", "rifle-42-soviet 20,5") == ""


@rule("HEL-6", "HEL-8", "HDN-8", "HDN-6")
def test_helicopters_fire_from_the_air_and_are_targets_on_the_ground() -> None:
    game = phase("ah-1 10,5; pz-iv-h 10,8", "t-34-76 20,5; ah-1 20,8", table=area("woods", 19, 7, 22, 9))
    assert refused(game, "red", Engage("red-1", "blue-1")) == ""
    assert refused(game, "red", Engage("red-2", "blue-2")) == "AAD-2"
    game.state.change("blue-2", down=True)
    game.state.change("red-1", down=True)
    assert refused(game, "red", Engage("red-2", "blue-2")) == ""
    assert refused(game, "red", Engage("red-1", "blue-1")) == "HDN-8"


@rule("CMD-2", "DF-2")
@pytest.mark.parametrize(("at", "number"), [("30,5", ""), ("30.1,5", "CMD-2")])
def test_units_out_of_command_do_not_fire(at: str, number: str) -> None:
    assert judged(f"pz-iv-h 10,5; cp-german {at}", "t-34-76 20,5") == number


@rule("LLT-1", "LOS-4")
@pytest.mark.parametrize(("options", "number"), [("[]", ""), ('["R29"]', "LOS-3")])
def test_the_limit_of_sight_is_the_target_s_or_by_option_the_firer_s(options: str, number: str) -> None:
    red, blue = "mg-12 10,5", "truck-soviet 21,5"  # a light gun sees 10 inches far, a vehicle is seen at 20
    assert judged(red, blue, more=f"options = {options}") == number


@rule("LOS-3", "SPT-1")
@pytest.mark.parametrize(
    ("options", "at", "number"), [("[]", "12,5", "LOS-3"), ('["R47"]', "12,5", ""), ('["R47"]', "9.5,5", "LOS-3")]
)
def test_a_target_that_others_spot_is_fired_at_from_farther_away_by_option(options: str, at: str, number: str) -> None:
    woods = area("woods", 19.5, 2, 24, 8)
    red = f"pz-iv-h {at}; rifle-40-german 18.5,6"
    assert judged(red, "t-34-76 20,5", table=woods, more=f"options = {options}") == number


@rule("LLT-1", "LOS-3", "LOB-8")
@pytest.mark.parametrize(
    ("visibility", "at", "number"), [("good", "18.5,5", ""), ("poor", "18.5,5", "LOS-3"), ("poor", "19.5,5", "")]
)
def test_R114_poor_visibility_hides_an_adjacent_unit_in_cover(visibility: str, at: str, number: str) -> None:
    woods = area("woods", 20, 2, 24, 8)
    assert judged(f"pz-iv-h {at}", "t-34-76 20.5,5", table=woods, more=f'visibility = "{visibility}"') == number
