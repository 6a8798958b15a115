"""Every number that the text prints for a table or a card, written out from the text and held against `data/`."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.rulesets.panzer import span
from opfire.rulesets.panzer.charts import Grade
from opfire.rulesets.panzer.indirect import countering
from opfire.rulesets.panzer.indirect.kinds import Fall, Mission
from opfire.rulesets.panzer.pieces import Position
from rules.panzer.battle import game, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army
from rules.panzer.shelling import WIDE, with_guns

GRADES: tuple[Grade, ...] = ("elite", "veteran", "seasoned", "regulars", "green")


@rule("4.4.3.2.2", "6.5.2.4-dual", "6.5.2.4-haze", "5.16.2.2", "7.23.1", "7.50", "7.57")
def test_ap_hit_modifiers() -> None:
    assert {name: row.value for name, row in CHARTS.hit_modifiers.items()} == {
        "target moving": -2,
        "short halt": -4,
        "shooter damaged": -3,
        "brewup smoke": -2,
        "overwatch": -1,
        "overwatch adjust": -3,
        "shooter suppressed": -5,
        "smoke open": -3,
        "smoke closed": -5,
        "barrage open": -1,
        "barrage closed": -3,
        "dust": -1,
        "on fire": -5,
        "ammo limit": -3,
        "ammo limit double": -6,
        "transported fire": -2,
        "heat haze": -3,
        "dual fire same": -1,
        "dual fire diff": -3,
        "hesitating": -3,
        "broken": -5,
        "optics": -1,
        "defensive fire": -2,
        "small crew": -1,
    }


@rule("6.5.4.3", "7.23.1", "7.47", "7.50", "7.57")
def test_gp_fire_modifiers() -> None:
    assert {name: row.value for name, row in CHARTS.gp_modifiers.items()} == {
        "target moving": -10,
        "target moving indirect": -20,
        "target P": -10,
        "target A": -20,
        "cavalry": 10,
        "crawling": 10,
        "wall": -10,
        "railroad": -5,
        "short halt": -15,
        "shooter damaged": -10,
        "shooter suppressed": -20,
        "hesitating": -10,
        "broken": -20,
        "on fire": -20,
        "brewup smoke": -10,
        "dismounted fo": -10,
        "smoke open": -10,
        "smoke closed": -20,
        "barrage open": -5,
        "barrage closed": -10,
        "dust": -5,
        "open sheaf": -20,
        "overwatch": -5,
        "overwatch adjust": -10,
        "ammo limit": -10,
        "heat haze": -10,
        "transported fire": -10,
        "defensive fire": -10,
        "overrun": 20,
        "dual fire same": -5,
        "dual fire diff": -10,
        "pinning": 20,
        "hasty entrenchment": -10,
        "ce ammo": -10,
        "coax mg": 10,
        "air burst": 10,
        "optics": -5,
        "small crew": -5,
    }


@rule("4.1.3-a", "4.4.3.2.2-cover", "6.5.4.3-cover")
def test_cover() -> None:
    rows = [CHARTS.cover[name] for name in ("none", "light", "medium", "heavy")]
    assert [row.spotting for row in rows] == [0, -1, -2, -3]
    assert [row.ap for row in rows] == [0, -1, -3, -5]
    assert [row.gp for row in rows] == [0, 0, -10, -20]


@rule("4.1.3-b", "6.1.3-a", "6.1.3.1", "6.1.3.2", "6.1.3.3", "7.1.5.2", "7.8.3-status", "7.27", "7.43")
def test_spotting_modifiers() -> None:
    assert {key: row.rows for key, row in CHARTS.spotting_modifiers.items()} == {
        ("target", "spot/move"): 2,
        ("target", "spot/fire"): 3,
        ("target", "spot/fire sa"): 1,
        ("target", "full cover"): -2,
        ("spotter", "full cover"): -4,
        ("spotter", "suppressed"): -2,
        ("spotter", "recon"): 1,
        ("spotter", "broken"): -2,
        ("spotter", "buttoned up turret"): -1,
        ("target", "illumination (never above row 0)"): 2,
        ("spotter", "recon expanded (extra)"): 1,
    }


@rule("6.5.1.12.1-prereg", "6.5.1.12.1-haze", "7.5", "7.28.2-dmg", "7.37")
def test_modifiers_of_the_response_to_a_call() -> None:
    assert {name: row.value for name, row in CHARTS.response_modifiers.items()} == {
        "registered": 2,
        "command recon": 1,
        "adjusted": 1,
        "suppressed": -2,
        "damaged": -2,
        "hindered": -1,
        "heat haze": -1,
        "soviet 1941": -2,
        "soviet 1942": -1,
        "battery damaged": -2,
        "recon by fire": -2,
    }
    assert [CHARTS.grades[grade].response for grade in GRADES] == [2, 1, 0, -1, -2]


@rule("6.6.1.1.2", "7.47")
def test_close_assault_modifiers() -> None:
    assert {name: row.value for name, row in CHARTS.assault_modifiers.items()} == {
        "advance": -10,
        "uphill": -10,
        "dismount": -10,
        "moving": -10,
        "suppressed": 20,
        "c indicator": 20,
        "unsupported": 30,
        "section": 5,
        "half-squad": 10,
        "squad": 20,
        "P": 20,
        "S": 30,
        "open": 10,
        "flamethrower": 20,
        "hesitating": 10,
        "broken": 20,
        "dismounted fo": -10,
    }
    assert {name: row.factor for name, row in CHARTS.assault_factors.items()} == {
        "squad": 8,
        "half-squad": 4,
        "section": 2,
    }


@rule("6.6.1.2.2-size", "7.44.1.1-8", "7.47")
def test_hand_to_hand_modifiers() -> None:
    assert {name: row.value for name, row in CHARTS.hand_to_hand.items()} == {
        "half-squad size": -25,
        "section size": -30,
        "towed size": -40,
        "suppressed": -20,
        "advance": -10,
        "uphill": -10,
        "dismount": -10,
        "section": 5,
        "half-squad": 10,
        "squad": 20,
        "flamethrower": 20,
        "cavalry": 20,
        "dismounted fo": -10,
        "hesitating": -10,
        "broken": -20,
        "landing": -10,
    }


@rule("6.6.9-mod")
def test_modifiers_of_the_search_for_a_position() -> None:
    found = {name: row.amount for name, row in CHARTS.hull_down_search.items()}
    assert [found[f"size {size}"] for size in ("+2", "+1", "0", "-1", "-2")] == [10, 5, 0, -5, -10]
    assert [found[grade] for grade in GRADES] == [-10, -5, 0, 5, 10]
    assert found["partial"] == -20


@rule("6.7.3.5-low", "6.7.3.5-med", "6.7.3.5-fast", "6.7.4.2-mod")
def test_modifiers_of_aircraft_and_of_fire_at_them() -> None:
    assert {name: row.value for name, row in CHARTS.air_modifiers.items()} == {
        "attack low": 20,
        "attack medium": 10,
        "attack fast": -20,
        "target fast": -10,
        "target high": -10,
        "target low": 10,
    }


@rule("7.1.4-proc", "7.1.5.1", "7.1.5.2", "7.39")
def test_modifiers_of_morale() -> None:
    found = {name: row.amount for name, row in CHARTS.morale_modifiers.items()}
    assert [found.pop(grade) for grade in GRADES] == [20, 10, 0, -10, -20]
    assert found == {
        "medium cover": 10,
        "heavy cover": 20,
        "command unit": 20,
        "suppressed": -20,
        "damaged": -20,
        "forced check": 20,
        "broken comrade": -10,
        "enemy within 2 hexes": -20,
        "enemy within 5 hexes": -10,
        "command": -20,
    }
    effects = {name: (row.ap, row.gp, row.hand_to_hand, row.bail_out) for name, row in CHARTS.morale_effects.items()}
    assert effects == {"hesitating": (-3, -10, -10, -10), "broken": (-5, -20, -20, -20)}
    assert [CHARTS.morale_effects[name].response for name in ("hesitating", "broken")] == [-1, -2]


@rule("6.2.1.1.2", "6.3.2", "6.5.2.6.1")
def test_grades_of_forces_formations_and_units() -> None:
    rows = [CHARTS.grades[grade] for grade in GRADES]
    assert [row.initiative for row in rows] == [40, 20, 0, -20, -40]
    assert [row.command_range for row in rows] == [2, 1, 1, 0, 0]
    assert [row.bail_out for row in rows] == [5, 0, 0, 0, -5]
    seasoned = CHARTS.unit_grades["seasoned"]
    assert {seasoned.ap(band) for band in "PSMLE"} | {seasoned.gp(band) for band in "PSMLE"} == {0}  # type: ignore[arg-type]


@rule("4.1.4.1", "4.1.4.1.6", "4.1.4.1.7", "4.1.4.1.9", "6.1.4.3.4", "6.1.4.3.5", "6.1.4.3.10")
def test_heights_of_terrain_and_counters() -> None:
    heights = {name: row.height for name, row in CHARTS.terrain.items()}
    level = ("clear", "rough", "scrub", "brush", "crops", "bridge")
    assert {heights[name] for name in level} == {"0"}
    assert {heights[name] for name in ("gully", "ford", "stream", "ditch")} == {"-1"}
    assert {heights[name] for name in ("light woods", "woods", "light grove", "medium grove")} == {"3"}
    assert heights["heavy woods"] == "4"
    assert heights["hedgerow"] == "1"
    assert {heights[name] for name in ("slope", "crest")} == {"+1"}
    assert (heights["brew-up smoke"], heights["on fire"]) == ("2", "5")
    assert (heights["smoke"], heights["barrage"]) == ("4", "4")


@rule("7.59.1", "7.59.2")
@pytest.mark.parametrize(("name", "spotting"), [("brush", "light"), ("crops", "medium")])
def test_brush_and_crops(name: str, spotting: str) -> None:
    row = CHARTS.terrain[name]
    assert (row.tracked, row.half_tracked, row.wheeled, row.leg) == ("1", "1", "1", "1")
    assert (row.spotting_cover, row.combat_cover, row.height, row.hull_down) == (spotting, "none", "0", "01-10")


@rule("6.5.4.2.2-cover", "6.1.4.3.1")
def test_buildings_are_heavy_for_spotting_and_lighter_in_combat() -> None:
    rows = [CHARTS.terrain[f"{kind} building"] for kind in ("wood", "brick", "stone")]
    assert [row.spotting_cover for row in rows] == ["heavy"] * 3
    assert [row.combat_cover for row in rows] == ["light", "medium", "heavy"]


@rule("7.31.3")
def test_minefields_have_a_gp_defense_of_3_and_6() -> None:
    assert [CHARTS.terrain[f"mines {kind}"].gp_defence for kind in ("hasty", "deliberate")] == ["3", "6"]


@rule("7.22.2")
def test_smoke_of_squads_by_nation() -> None:
    limits = {"Germany": "S5", "Soviet Union": "S2", "United States": "S5", "United Kingdom": "S4"}
    squads = [leg for leg in CHARTS.legs.values() if leg.category != "section" and leg.traction == "L"]
    plain = [leg for leg in squads if "Engineer" not in leg.labels_printed]
    assert {leg.nation for leg in plain} == set(limits)
    assert {leg.id for leg in plain if leg.smoke_limit != limits[leg.nation]} == set()


# --- ranges of headquarters [7.52, 7.57]


def chain(below: str, hexes: int, *options: str) -> Position:
    """A headquarters, and one below it at this distance to the east, on a wide plain."""
    column = "ABCDEFGHIJKLMNOPQRSTUVWX"[hexes]
    german = army(("pz4h", "1-A4"), ("pz4h", f"1-{column}4"))
    german += '\n[[sides.german.formations]]\nname = "1."\ngrade = "elite"\nunits = { pz4h = 2 }\n'
    state = game(text(board=WIDE, german=german, soviet=FAR, options=("AG", "7.52", *options))).state
    state.change("german-1", labels=({"CHQ": "BHQ", "BHQ": "RHQ"}[below],))
    state.change("german-2", labels=(below,))
    return state


@rule("7.52-bhq", "7.52-rhq")
@pytest.mark.parametrize("below", ["CHQ", "BHQ"])
@pytest.mark.parametrize(("hexes", "rows"), [(20, 0), (21, 2)])
def test_headquarters_reach_those_below_them_at_20_hexes(below: str, hexes: int, rows: int) -> None:
    assert span.rows_down(chain(below, hexes), "german-1") == rows


@rule("7.57")
@pytest.mark.parametrize(("below", "hexes", "rows"), [("CHQ", 10, 0), ("CHQ", 11, 2), ("BHQ", 15, 0), ("BHQ", 16, 2)])
def test_small_crews_reach_10_hexes_from_a_battalion_and_15_from_a_regiment(below: str, hexes: int, rows: int) -> None:
    state = chain(below, hexes, "7.57")
    state.change("german-1", kind=CHARTS.vehicles["t70"])
    assert span.rows_down(state, "german-1") == rows


# --- counter battery fire [7.28.2]


@rule("7.28.2-find")
@pytest.mark.parametrize(("turns", "net"), [(2, 0), (3, -10), (4, -10)])
def test_germans_locate_a_battery_better_that_has_fired_for_three_turns(turns: int, net: int) -> None:
    german = army(("pz4h", "1-A4"), more=with_guns('{ unit = "o_g105", counters = true }'))
    soviet = army(("t34_43", "1-G4"), more=with_guns('{ unit = "o_s122" }'))
    state = game(text(german=german, soviet=soviet, options=("AG", "7.28"))).state
    hunter, prey = state.batteries["german-battery-1"], state.batteries["soviet-battery-1"]
    since = state.turn - turns + 1
    state.missions[prey.id] = Mission(firer=prey.id, side="soviet", fall=Fall("1-A4"), since=since)
    made = countering.search(state, hunter, prey)
    assert made.modifier == net
    assert [roll for roll in range(1, 101) if made.result((roll,)) == "located"][-1] == 20 - net  # 01-20


@rule("7.28.2-find")
def test_a_self_propelled_battery_is_harder_to_locate() -> None:
    german = army(("pz4h", "1-A4"), more=with_guns('{ unit = "o_g105", counters = true }'))
    soviet = army(("t34_43", "1-G4"), more=with_guns('{ unit = "o_s122" }'))
    state = game(text(german=german, soviet=soviet, options=("AG", "7.28"))).state
    hunter, prey = state.batteries["german-battery-1"], state.batteries["soviet-battery-1"]
    rolling = replace(prey, card=replace(prey.card, self_propelled=True))
    assert countering.search(state, hunter, rolling).modifier == countering.search(state, hunter, prey).modifier + 10
