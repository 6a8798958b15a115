"""Attacks: strengths, protection and modifiers of one combined attack, its results, and their consequences."""

from __future__ import annotations

from fractions import Fraction

import pytest

from edits import edited
from opfire.core.events import Calculation
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import no_target
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import (
    Attack,
    AttackKind,
    Shot,
    by,
    calculation,
    carry_out,
    total,
)
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move, cannot_move
from opfire.rulesets.panzerblitz_miniatures.moving.works import Work
from opfire.rulesets.panzerblitz_miniatures.pieces import Manner, Position
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import not_spotted, out_of_sight
from rules.panzerblitz_miniatures.battle import battle, stand
from rules.panzerblitz_miniatures.grounds import area, hill, line
from rules.panzerblitz_miniatures.kit import rule

TANKS = ("pz-iv-h 10,5", "t-34-76 20,5")


def direct(game: Game[Position], *firers: str, target: str = "blue-1") -> Attack:
    """Direct fire of these units at the target."""
    return Attack("direct", target, by(*firers))


def drm(made: Calculation) -> dict[str, int]:
    """The rules and the amounts of all modifiers."""
    return {each.rule: each.amount for each in made.lines if each.kind == "modifier"}


# --- strengths ------------------------------------------------------------------------------------------------


@rule("COM-1", "EQP-9", "EQP-10", "EQP-11", "EQP-12", "WEC-1", "WTT-2")
def test_a_tank_at_ten_inches_fires_at_half_as_much_again() -> None:
    game = battle(*TANKS)  # 14 A with 16 inches: up to 10 2/3 inches x 1 1/2; the T-34 defends with 9
    made = calculation(game.state, direct(game, "red-1"))
    assert total(game.state, direct(game, "red-1")) == 21
    assert made.column == "2-1"  # 21 to 9


@rule("DF-5", "DF-4")
def test_all_firers_at_one_target_add_their_strengths_up() -> None:
    game = battle("pz-iv-h 10,5; pz-iv-h 5,5; rifle-40-german 17,5", "t-34-76 20,5")
    attack = direct(game, "red-1", "red-2", "red-3")
    assert total(game.state, attack) == 21 + 14 + 0  # rifles do nothing to armor at a distance
    assert calculation(game.state, attack).column == "3.5-1"


@rule("SMF-1", "WEC-2", "WEC-3")
def test_split_move_and_fire_halves_the_strength_and_keeps_the_fraction() -> None:
    game = battle("pz-iv-h 5,5", "t-34-76 20,5")
    assert total(game.state, Attack("direct", "blue-1", (Shot("red-1", "split"),))) == 7
    at_infantry = battle("panther-a 5,5", "rifle-42-soviet 14,5")  # 13 A, halved against infantry
    assert total(at_infantry.state, direct(at_infantry, "red-1")) == Fraction(13, 2)


@rule("MIF-1", "MIF-2")
def test_mounted_infantry_adds_half_its_strength() -> None:
    game = battle("half-track-german 10,5; smg-german +half-track-german", "rifle-42-soviet 15,5")
    attack = Attack("direct", "blue-1", (Shot("red-1"), Shot("red-2", "mounted")))
    assert total(game.state, attack) == 2 + Fraction(6, 2)  # beyond half range of both, within their ranges


@rule("HIL-1", "HIL-2", "HIL-3", "TEC-12")
@pytest.mark.parametrize(
    ("firer", "kind", "expected"),
    [("5,10", "direct", 7), ("15,10", "direct", 14), ("5,10", "indirect", 14)],
)
def test_strength_is_halved_across_a_crest_but_not_from_a_hilltop(firer: str, kind: AttackKind, expected: int) -> None:
    game = battle(f"pz-iv-h {firer}", "t-34-76 30,10", table=hill(10, 5, 20, 15))
    game.state.change("red-1", kind=_long_range(game))
    assert total(game.state, Attack(kind, "blue-1", by("red-1"))) == expected


@rule("HDN-7", "HIL-1")
def test_HDN_7_no_crest_halves_an_attack_on_a_helicopter_that_is_down() -> None:
    game = battle("pz-iv-h 5,10", "uh-1 30,10", table=hill(10, 5, 20, 15))
    game.state.change("red-1", kind=_long_range(game))
    game.state.change("blue-1", down=True)
    assert total(game.state, direct(game, "red-1")) == 14


def _long_range(game: Game[Position]) -> object:
    from msgspec.structs import replace

    return replace(stand(game, "red-1").kind, weapon="G", range=40)  # class G has full strength at every distance


@rule("STD-7")
def test_an_engineer_adds_its_flamethrower() -> None:
    game = battle("engineer-german 10,5", "rifle-42-soviet 12,5", sides="flamethrowers = 2", script=(1,))
    attack = Attack("direct", "blue-1", (Shot("red-1", "flamethrower"),))
    assert total(game.state, attack) == 3 * 2 + 12
    carry_out(game, attack)
    assert stand(game, "red-1").flames == 1


@rule("STD-4", "STD-9", "STD-12", "STD-5")
@pytest.mark.parametrize(("kind", "shots"), [("rifle-40-german", 1), ("engineer-german", 1), ("scout-german", 0)])
def test_infantry_fires_anti_tank_weapons_instead_of_its_own(kind: str, shots: int) -> None:
    game = battle(f"{kind} 10,5", "t-34-76 11.3,5", sides="anti_tank = 1")
    assert stand(game, "red-1").anti_tank == shots
    attack = Attack("direct", "blue-1", (Shot("red-1", "anti-tank"),))
    assert total(game.state, attack) == 12  # a panzerschreck: 8 A with 2 inches, x 1 1/2 up to 1 1/3


@rule("WGM-2", "WGM-3")
def test_a_vehicle_fires_the_missile_of_its_nation_once() -> None:
    game = battle("bradley 10,5", "t-34-76 30,5", script=(1,))
    attack = Attack("direct", "blue-1", (Shot("red-1", "missile"),))
    assert total(game.state, attack) == 43
    carry_out(game, attack)
    assert stand(game, "red-1").missiles == 0


@rule("STD-11")
def test_anti_tank_stands_fire_as_class_A() -> None:
    game = battle("panzerschreck 10,5", "t-34-76 12,5")
    assert total(game.state, direct(game, "red-1")) == 8  # 8 A at the full range of 2 inches


# --- modifiers and protection ---------------------------------------------------------------------------------


@rule("MOR-4", "COM-3")
def test_a_dispersed_target_gives_one_off_the_die() -> None:
    game = battle(*TANKS)
    game.state.change("blue-1", order="recovering")
    assert drm(calculation(game.state, direct(game, "red-1"))) == {"MOR-4": -1}


@rule("WECT-7", "OVR-5", "CAT-7", "OPP-19", "WECT-1")
@pytest.mark.parametrize(
    ("kind", "units", "expected"),
    [
        ("overrun", ("pz-iv-h", "rifle-42-soviet"), 7),
        ("overrun", ("pz-iv-h", "t-34-76"), 28),
        ("close assault", ("rifle-40-german", "t-34-76"), 2),
        ("close assault", ("rifle-40-german", "rifle-42-soviet"), 4),
        ("defensive", ("rifle-40-german", "t-34-76"), 2),
    ],
)
def test_close_combat_is_at_range_0_with_one_off_the_die(
    kind: AttackKind, units: tuple[str, str], expected: int
) -> None:
    game = battle(f"{units[0]} 10,5", f"{units[1]} 11.9,5")
    attack = Attack(kind, "blue-1", by("red-1"))
    assert total(game.state, attack) == expected
    assert drm(calculation(game.state, attack))["WECT-7"] == -1


@rule("CAT-9")
@pytest.mark.parametrize(("units", "helps"), [("rifle-40-german 10,5", True), ("rifle-40-german 14,5", False)])
def test_an_engineer_helps_adjacent_infantry_in_an_assault(units: str, helps: bool) -> None:
    game = battle(f"engineer-german 11,6.5; {units}", "rifle-42-soviet 12,5")
    made = calculation(game.state, Attack("close assault", "blue-1", by("red-1", "red-2")))
    assert ("CAT-9" in drm(made)) == helps


@rule("CAT-9")
def test_two_engineers_do_not_help_each_other() -> None:
    game = battle("engineer-german 11,6.5; engineer-german 10,5", "rifle-42-soviet 12,5")
    assert "CAT-9" not in drm(calculation(game.state, Attack("close assault", "blue-1", by("red-1", "red-2"))))


@rule("CAT-13")
@pytest.mark.parametrize(("kind", "expected"), [("close assault", True), ("overrun", False)])
def test_open_topped_vehicles_are_assaulted_at_one_off_the_die(kind: AttackKind, expected: bool) -> None:
    game = battle("rifle-40-german 10,5", "half-track-soviet 11.5,5")
    assert ("CAT-13" in drm(calculation(game.state, Attack(kind, "blue-1", by("red-1"))))) == expected


@rule("TEC-15", "OPP-17")
def test_terrain_protects_the_target_but_not_attackers_from_its_own_fire() -> None:
    game = battle("rifle-40-german 10,5", "rifle-42-soviet 11.5,5", table=area("town", 8, 2, 11, 8))
    made = calculation(game.state, Attack("direct", "red-1", by("blue-1")))
    assert drm(made) == {"TEC-15": 2}
    assert made.column == "1-2"  # 8 to 8 + 5
    defensive = calculation(game.state, Attack("defensive", "red-1", by("blue-1")))
    assert drm(defensive) == {"WECT-7": -1}
    assert defensive.column == "1-1"


@rule("ROD-2", "TEC-16")
def test_a_road_through_woods_is_open_ground() -> None:
    woods = area("woods", 18, 2, 24, 8)
    assert drm(calculation(battle(*TANKS, table=woods).state, Attack("direct", "blue-1", by("red-1")))) == {"TEC-16": 1}
    road = battle(*TANKS, table=woods + line("road", "2,5 38,5"))
    assert not drm(calculation(road.state, Attack("direct", "blue-1", by("red-1"))))


@rule("TEC-18", "DF-6")
def test_a_wall_counts_if_it_is_on_the_line_of_any_firer() -> None:
    game = battle("pz-iv-h 10,5; pz-iv-h 20,15", "t-34-76 20,5", table=line("wall", "19.5,2 19.5,8"))
    assert drm(calculation(game.state, direct(game, "red-2"))) == {}
    assert drm(calculation(game.state, direct(game, "red-1", "red-2"))) == {"TEC-18": 3}  # RULINGS.md R12


@rule("HUL-1", "HUL-2", "HUL-3")
def test_hull_down_behind_a_crest_gives_the_value_of_the_vehicle() -> None:
    game = battle("pz-iv-h 5,10", "stug-iii-g 12.8,10", table=hill(10, 5, 20, 15))
    assert drm(calculation(game.state, direct(game, "red-1")))["HUL-2"] == 2


@rule("FIX-1", "FIX-2", "FIX-4")
@pytest.mark.parametrize("mark", ["fired", "reacted"])
def test_a_fixed_gun_that_has_fired_is_not_hull_down(mark: str) -> None:
    game = battle("pz-iv-h 5,10", "stug-iii-g 12.8,10", table=hill(10, 5, 20, 15))
    game.state.change("blue-1", **{mark: True})
    assert "HUL-2" not in drm(calculation(game.state, direct(game, "red-1")))


@rule("FIX-3", "FIX-1")
def test_a_turret_stays_hull_down_after_firing() -> None:
    game = battle("pz-iv-h 5,10", "t-34-76 12.8,10", table=hill(10, 5, 20, 15))
    game.state.change("blue-1", fired=True)
    assert drm(calculation(game.state, direct(game, "red-1")))["HUL-2"] == 1


@rule("IMP-7", "HUL-1")
def test_an_improved_position_replaces_terrain_crest_and_hull_down() -> None:
    more = 'markers = [{ kind = "improved position 1", at = ["12.8,10"] }]'
    game = battle("pz-iv-h 5,10", "t-34-76 12.8,10", more=more, table=hill(10, 5, 20, 15))
    game.state.change("blue-1", work="improved position 1@12.8,10")
    made = calculation(game.state, direct(game, "red-1"))
    assert drm(made) == {"MMF-1": 1}
    assert total(game.state, direct(game, "red-1")) == 21


@rule("BLD-5")
def test_a_building_is_an_improved_position_of_the_second_type() -> None:
    house = '[[buildings]]\nkind = "building"\nname = "the house"\nat = "20,5"\nsize = [2, 2]\n'
    game = battle("pz-iv-h 10,5", "rifle-42-soviet 20,5", table=house)
    made = calculation(game.state, direct(game, "red-1"))
    assert drm(made) == {"MMF-1": 2}
    assert made.column == "1-4"  # 7 to 12 + 10


@rule("FRT-5", "FRT-6")
def test_a_fortification_protects_its_occupant_on_top_of_terrain() -> None:
    more = 'markers = [{ kind = "fort", at = ["20,5"] }]'
    game = battle("pz-iv-h 10,5", "rifle-42-soviet 20,5", more=more, table=area("woods", 18, 2, 22, 8))
    game.state.change("blue-1", work="fort@20,5")
    made = calculation(game.state, direct(game, "red-1"))
    assert drm(made) == {"FRT-5": 2, "TEC-16": 1}
    assert made.column == "1-4"  # class A is halved against the infantry: 7 to 12 + 10
    out = Attack("direct", "red-1", by("blue-1"))
    assert total(game.state, out) == 0  # rifles at ten inches; nothing else changes their strength


@rule("FRT-5", "FRT-8", "FRT-10")
def test_a_fortification_as_such_is_armored_with_defense_10() -> None:
    game = battle("pz-iv-h 10,5", "t-34-76 30,5", more='markers = [{ kind = "fort", at = ["20,5"] }]')
    made = calculation(game.state, direct(game, "red-1", target="fort@20,5"))
    assert drm(made) == {"FRT-5": 2}
    assert made.column == "2-1"  # 21 to 10


@rule("WGM-4")
@pytest.mark.parametrize(
    ("firer", "year", "expected"),
    [("sagger-egyptian", 1982, True), ("sagger-egyptian", 1973, False), ("sagger-soviet", 1982, False)],
)
def test_arab_missiles_are_worse_against_israeli_armor_after_1980(firer: str, year: int, expected: bool) -> None:
    game = battle(f"{firer} 10,5", "merkava 20,5", more=f"year = {year}")
    assert ("WGM-4" in drm(calculation(game.state, direct(game, "red-1")))) == expected


# --- results --------------------------------------------------------------------------------------------------


def fired(
    *script: int, order: str = "good order", manner: Manner = "normal", kind: AttackKind = "direct"
) -> Game[Position]:
    """A tank has fired at ten inches (2-1) with these dice."""
    game = battle(*TANKS, script=script)
    game.state.change("blue-1", order=order)
    carry_out(game, Attack(kind, "blue-1", (Shot("red-1", manner),)))
    return game


@rule("COM-9", "WRK-1")
def test_an_X_destroys_armor_and_leaves_a_wreck() -> None:
    game = fired(1)  # 2-1, die 1: X
    assert stand(game, "blue-1").status == "eliminated"
    assert [(work.kind, work.at) for work in game.state.works.values()] == [("wreck", (20_000, 5_000))]


@rule("COM-14", "COM-10")
@pytest.mark.parametrize(("die", "order"), [(2, "dispersed"), (3, "dispersed")])
def test_D_and_DD_disperse_a_unit_in_good_order(die: int, order: str) -> None:
    assert stand(fired(die), "blue-1").order == order


@rule("COM-10", "MOR-4")
def test_DD_destroys_a_dispersed_unit() -> None:
    game = fired(4, order="dispersed")  # -1: row 3 is DD
    assert stand(game, "blue-1").status == "eliminated"


@rule("COM-11", "COM-12", "MOR-3")
@pytest.mark.parametrize(
    ("dice", "order"),
    [
        pytest.param((4, 2), "good order", id="M+2 passes with 2"),
        pytest.param((4, 3), "dispersed", id="M+2 fails with 3"),
        pytest.param((5, 3), "good order", id="M+1 passes with 3"),
        pytest.param((5, 4), "dispersed", id="M+1 fails with 4"),
        pytest.param((6, 4), "good order", id="M passes with 4"),
        pytest.param((6, 5), "dispersed", id="M fails with 5"),
    ],
)
def test_morale_results_are_checked_by_the_target(dice: tuple[int, int], order: str) -> None:
    assert stand(fired(*dice), "blue-1").order == order


@rule("MOR-5", "COM-12")
def test_a_dispersed_unit_that_fails_its_check_is_eliminated() -> None:
    assert stand(fired(5, 3, order="dispersed"), "blue-1").status == "eliminated"  # row 4 is M+2: 3 + 2 fails


@rule("COM-13")
def test_a_result_with_A_strikes_every_attacker_by_itself() -> None:
    game = battle("rifle-40-german 18,5; rifle-40-german 18,8", "rifle-43-soviet 20,5", script=(6, 4, 5))
    carry_out(game, direct(game, "red-1", "red-2"))  # 8 to 16 is 1-2, die 6: AM+2? row 6 of 1-2
    assert stand(game, "red-1").order == "dispersed"
    assert stand(game, "red-2").order == "dispersed"
    assert stand(game, "blue-1").order == "good order"


@rule("COM-8")
def test_below_1_to_4_no_die_is_rolled() -> None:
    game = battle("pz-i-a 16,5", "rifle-43-soviet 20,5")
    game.state.change("red-1", kind=stand(game, "red-1").kind)
    assert carry_out(game, Attack("direct", "blue-1", by("red-1"))) == "none"  # 2 to 16


@rule("COM-5", "COM-6", "COM-7")
def test_firers_and_target_are_marked() -> None:
    game = fired(6, 1)
    assert stand(game, "red-1").fired
    assert stand(game, "blue-1").attacked == ("direct",)


@rule("COM-6", "OPP-4", "OPP-5")
def test_opportunity_fire_counts_for_the_firer_alone() -> None:
    game = fired(6, 1, kind="opportunity")
    assert stand(game, "red-1").reacted
    assert not stand(game, "red-1").fired
    assert stand(game, "blue-1").attacked == ()


# --- carriers, riders, structures -------------------------------------------------------------------------------

LOADED = "half-track-soviet 20,5; rifle-42-soviet +half-track-soviet"


@rule("TRN-8", "TRN-9")
def test_carrier_and_passenger_share_defense_and_dispersal() -> None:
    game = battle("pz-iv-h 5,5", LOADED, script=(3,))
    made = calculation(game.state, direct(game, "red-1"))
    assert "defence 2" in next(str(each.label) for each in made.lines if each.kind == "defence")
    game.state.change("blue-1", kind=stand(battle(*TANKS), "blue-1").kind)  # defense 9: 14 to 9 is 3-2
    carry_out(game, direct(game, "red-1"))
    assert stand(game, "blue-1").order == stand(game, "blue-2").order == "dispersed"


@rule("BAI-1", "BAI-2")
@pytest.mark.parametrize(("die", "status"), [(6, "on the table"), (5, "eliminated")])
def test_a_passenger_bails_out_of_armor_with_a_6(die: int, status: str) -> None:
    game = battle("pz-iv-h 10,5", LOADED, script=(1, die))
    carry_out(game, direct(game, "red-1"))
    passenger = stand(game, "blue-2")
    assert passenger.status == status
    if status == "on the table":
        assert passenger.order == "dispersed"
        assert passenger.carrier is None
        assert passenger.at != (20_000, 5_000)


@rule("BAI-2")
@pytest.mark.parametrize(
    "load", ["truck-soviet 20,5; rifle-42-soviet +truck-soviet", "half-track-soviet 20,5; at-45 +half-track-soviet"]
)
def test_nobody_bails_out_of_a_truck_and_no_gun_bails_out(load: str) -> None:
    game = battle("pz-iv-h 10,5", load, script=(1,))
    carry_out(game, direct(game, "red-1"))
    assert stand(game, "blue-2").status == "eliminated"


RIDER = "t-34-76 20,5; rifle-42-soviet +t-34-76"


@rule("TRN-12")
def test_riders_die_with_their_tank() -> None:
    game = battle("pz-iv-h 10,5", RIDER, script=(1,))
    carry_out(game, direct(game, "red-1"))
    assert stand(game, "blue-2").status == "eliminated"


@rule("TRN-12", "OPP-10")
def test_a_rider_attacked_alone_defends_with_1_and_is_unloaded_if_dispersed() -> None:
    game = battle("rifle-40-german 18,5", RIDER, script=(5,))
    made = calculation(game.state, direct(game, "red-1", target="blue-2"))
    assert made.column == "4-1"
    game = battle("hmg-german 8,5", RIDER, script=(6,))  # 6 to 1 at 4-1: die 6 is D
    carry_out(game, direct(game, "red-1", target="blue-2"))
    assert stand(game, "blue-1").order == "good order"
    assert stand(game, "blue-1").cargo == ()
    assert stand(game, "blue-2").order == "dispersed"
    assert stand(game, "blue-2").carrier is None


@rule("FRT-7", "FRT-12")
@pytest.mark.parametrize(("die", "fort", "order"), [(1, 0, "eliminated"), (5, 1, "dispersed")])
def test_results_on_a_fortification_hold_for_its_occupant(die: int, fort: int, order: str) -> None:
    more = 'markers = [{ kind = "fort", at = ["20,5"] }]'
    game = battle("how-105-german 15,5; how-105-german 15,8", "rifle-41-soviet 20,5", more=more, script=(die,))
    game.state.change("blue-1", work="fort@20,5")
    carry_out(game, direct(game, "red-1", "red-2"))  # 80 to 20 is 4-1, +2
    assert len(game.state.works) == fort
    assert order in (stand(game, "blue-1").status, stand(game, "blue-1").order)


@rule("BRI-8", "BRI-6")
def test_a_bridge_defends_with_30_and_indirect_fire_is_halved() -> None:
    game = battle("how-105-german 10,5", "t-34-76 30,5", table=BRIDGE)
    bridge = _bridge(game)
    assert calculation(game.state, direct(game, "red-1", target=bridge)).column == "1-1"  # 40 to 30
    assert total(game.state, Attack("indirect", bridge, by("red-1"))) == 20


@rule("BRI-9")
@pytest.mark.parametrize(("die", "gone"), [(5, True), (6, False)])
def test_only_an_X_destroys_a_bridge_and_the_vehicles_on_it(die: int, gone: bool) -> None:
    guns = "; ".join(f"how-105-german 10,{n}" for n in (3, 5, 7))
    game = battle(guns, f"{edited(LOADED, '20,5', '20,5')}", table=BRIDGE, script=(die,))
    carry_out(game, direct(game, "red-1", "red-2", "red-3", target=_bridge(game)))  # 120 to 30
    assert (stand(game, "blue-1").status == "eliminated") == gone
    assert (stand(game, "blue-2").status == "eliminated") == gone


BRIDGE = (
    line("stream", "20,1 20,29")
    + line("road", "1,5 39,5")
    + '[[crossings]]\nkind = "bridge"\nname = "the bridge"\npoints = "18,5 22,5"\n'
)


def _bridge(game: Game[Position]) -> str:
    return next(feature.id for feature in game.state.table.ground.features if feature.kind == "bridge")


# --- spotted markers ------------------------------------------------------------------------------------------

HIDDEN = area("woods", 18, 2, 24, 8)


@rule("SPT-4")
@pytest.mark.parametrize(("at", "spotted"), [("15.5,5", True), ("10,5", False)])
def test_a_unit_in_cover_that_fires_within_the_limit_is_spotted(at: str, spotted: bool) -> None:
    game = battle(f"rifle-40-german {at}", "rifle-42-soviet 18.5,5", table=HIDDEN, script=(6, 1, 1))
    carry_out(game, Attack("direct", "red-1", by("blue-1")))
    assert stand(game, "blue-1").spotted == spotted


@rule("SPT-4")
def test_a_close_assault_gives_nobody_away() -> None:
    game = battle("rifle-40-german 17,5", "rifle-42-soviet 18.5,5", table=HIDDEN, script=(6, 1, 1))
    carry_out(game, Attack("close assault", "red-1", by("blue-1")))
    assert not stand(game, "blue-1").spotted


@rule("BRI-9", "BRI-1", "STR-3", "STR-7")
def test_a_fallen_bridge_is_stream_again() -> None:
    guns = "; ".join(f"how-105-german 10,{n}" for n in (3, 5, 7))
    game = battle(f"{guns}; pz-iv-h 16,5", "rifle-42-soviet 20,5", table=BRIDGE, script=(5,))
    move = Move("red-4", (22_000, 6_500), 90)
    leg = Move("red-4", (17_000, 5_000), 90)
    bridge = _bridge(game)
    assert out_of_sight(game.state, stand(game, "red-4"), stand(game, "blue-1")) is None
    carry_out(game, direct(game, "red-1", "red-2", "red-3", target=bridge))
    refusal = out_of_sight(game.state, stand(game, "red-4"), stand(game, "blue-1"))
    assert refusal is not None
    assert refusal.rule == "STR-7"  # the rifles stand in the stream now
    blocked = cannot_move(game.state, stand(game, "red-4"), move)
    assert blocked is not None
    assert blocked.rule == "STR-3"
    assert cannot_move(game.state, stand(game, "red-4"), leg) is None
    assert no_target(game.state, bridge) is not None


@rule("BRI-9", "RIV-5")
def test_personnel_on_a_bridge_over_a_river_drowns_with_it() -> None:
    guns = "; ".join(f"how-105-german 10,{n}" for n in (3, 5, 7))
    river = area("water", 19, 1, 21, 29) + edited(BRIDGE, line("stream", "20,1 20,29"), "")
    game = battle(guns, "rifle-42-soviet 20,5", table=river, script=(5,))
    carry_out(game, direct(game, "red-1", "red-2", "red-3", target=_bridge(game)))
    assert stand(game, "blue-1").status == "eliminated"


@rule("FRT-11", "IMP-5")
@pytest.mark.parametrize("kind", ["fort", "improved position 2"])
def test_works_are_no_obstacles_to_fire(kind: str) -> None:
    game = battle(*TANKS, more=f'markers = [{{ kind = "{kind}", at = ["15,5"] }}]')
    assert total(game.state, direct(game, "red-1")) == 21
    assert out_of_sight(game.state, stand(game, "red-1"), stand(game, "blue-1")) is None


@rule("FRT-14", "IMP-6")
@pytest.mark.parametrize("kind", ["fort", "improved position 2"])
def test_empty_works_spot_nothing(kind: str) -> None:
    more = f'markers = [{{ kind = "{kind}", at = ["17,5"], side = "red" }}]'
    game = battle("pz-iv-h 15,5", "t-34-76 18,5", more=more, table=area("woods", 17.6, 2, 22, 8))
    refusal = not_spotted(game.state, stand(game, "red-1"), stand(game, "blue-1"))
    assert refusal is not None
    game.state.put("red-1", (16_000, 5_000))
    assert not_spotted(game.state, stand(game, "red-1"), stand(game, "blue-1")) is None


@rule("BRI-5", "WRK-3", "WRK-2")
def test_a_wreck_bars_the_bridge_on_which_it_lies() -> None:
    game = battle("pz-iv-h 16,5", "rifle-42-soviet 30,5", table=BRIDGE)
    across = Move("red-1", (22_000, 5_000), 90)
    assert cannot_move(game.state, stand(game, "red-1"), across) is None
    game.state.lay(Work("wreck-1", "wreck", (20_000, 5_000)))
    refusal = cannot_move(game.state, stand(game, "red-1"), across)
    assert refusal is not None
    assert refusal.rule == "WRK-2"


@rule("BRI-7")
def test_the_bridge_under_a_unit_that_is_attacked_stays() -> None:
    game = battle("pz-iv-h 10,5", "t-34-76 20,5", table=BRIDGE, script=(1,))
    carry_out(game, direct(game, "red-1"))
    assert [work.kind for work in game.state.works.values()] == ["wreck"]
