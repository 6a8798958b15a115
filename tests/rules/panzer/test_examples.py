"""The worked examples of the text, in its order: each gives the numbers and names of the book."""

from __future__ import annotations

import pytest

from opfire.core.actions import Refusal
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import control
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.air import gliders
from opfire.rulesets.panzer.charts import Leg, Vehicle
from opfire.rulesets.panzer.commands import Command, HandIn, known_to_move
from opfire.rulesets.panzer.fire.arms import arms_of
from opfire.rulesets.panzer.fire.close_assault import unsupported
from opfire.rulesets.panzer.fire.close_combat import Assault, Close
from opfire.rulesets.panzer.fire.direct_fire import Announce, DirectFireStep, Keep, Resolve, Reveal
from opfire.rulesets.panzer.fire.gp_fire import fives_and_tens
from opfire.rulesets.panzer.fire.shots import gp_defense, shot
from opfire.rulesets.panzer.moving import legs, quickmarch, searching
from opfire.rulesets.panzer.moving.searching import Course
from opfire.rulesets.panzer.pieces import Position, Unit, Work, cover
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.sighting.spots import sight_line
from rules.panzer.battle import OPEN, game, refused, text
from rules.panzer.kit import CHARTS, rule, vehicle
from rules.panzer.moves import FAR, army


def board(*rows: str, more: str = "") -> str:
    """The plain with other rows from the top."""
    lines = OPEN.splitlines()
    first = lines.index("hexes = '''") + 1
    for number, row in enumerate(rows):
        lines[first + number] = row + " ." * (12 - len(row.split()))
    return "\n".join(lines) + f"\n{more}"


def advanced(german: str, soviet: str = FAR, *, ground: str = OPEN, options: tuple[str, ...] = ()) -> Position:
    """A battle of the Advanced Game before its first commands."""
    return game(text(board=ground, german=german, soviet=soviet, options=("AG", *options))).state


# --- spotting and terrain [4.1]


@rule("4.1.1")
def test_4_1_1_a_t34_85_and_a_panzer_iii_h_are_combat_units_and_trucks_are_not() -> None:
    assert vehicle("t3485").name == "T-34/85 M44"
    assert vehicle("t3485").armed
    assert vehicle("pz3h").name == "Pz Kpfw III H"
    assert vehicle("pz3h").armed
    lorries = [card for card in CHARTS.vehicles.values() if card.category in ("TR", "PM")]
    assert len(lorries) > 10
    assert not any(card.armed and not card.main for card in lorries)


@rule("4.1.3-e")
def test_4_1_3_an_improved_position_in_scrub_is_heavy_cover() -> None:
    state = advanced(army(("pz4h", "1-A1")), ground=board("s"))
    unit = state.units["german-1"]
    assert cover(state, unit, "spotting") == "light"
    state.works["1-A1"] = (Work("improved position", holder="german-1"),)
    assert cover(state, unit, "spotting") == "heavy"


@rule("4.1.4.1.1")
@pytest.mark.parametrize("letter", [".", "r", "s", "b", "u"])
def test_4_1_4_1_1_clear_rough_scrub_brush_and_gully_block_no_line(letter: str) -> None:
    state = advanced(army(("pz4h", "1-A1")), army(("t34_43", "1-E1")), ground=board(f". {letter} {letter} {letter} ."))
    assert sight_line(state, state.units["german-1"], state.units["soviet-1"]) is None


@rule("4.1.4.2.5")
@pytest.mark.parametrize(("rows", "where", "sees"), [
    # "a 1 hex spotting perimeter exists around the edge of the Grove"
    ((". . G G .", ". . G G ."), ("1-B1", "1-C1"), True),
    ((". . G G .", ". . G G ."), ("1-B1", "1-D1"), False),
    # "two opposing vehicles are moving through a group of Grove hexes"
    (("G G G G", "G G G G", "G G G G"), ("1-B2", "1-C2"), True),
    (("G G G G", "G G G G", "G G G G"), ("1-B2", "1-D2"), False),
])  # fmt: skip
def test_4_1_4_2_5_one_hex_into_and_within_a_grove(rows: tuple[str, ...], where: tuple[str, str], sees: bool) -> None:
    state = advanced(army(("pz4h", where[0])), army(("t34_43", where[1])), ground=board(*rows))
    assert (sight_line(state, state.units["german-1"], state.units["soviet-1"]) is None) == sees


# --- leg units and grades [5.1, 5.8]


def may_quickmarch(unit: Unit) -> int:
    """The hexes of a unit's Quickmarch, 0 for one that cannot [6.6.4.2-who]."""
    return 0 if legs.laden(unit) else quickmarch.allowance(unit)


@rule("5.1.2", "5.1.3")
def test_5_1_2_sections_move_2l_3_without_weapons_and_1l_0_with_them() -> None:
    """Motorcycles, bicycles and cavalry have factors of their own [6.6.4.4, 6.6.4.5]."""
    on_foot = [leg.id for leg in CHARTS.legs.values() if leg.category == "section" and leg.traction == "L"]
    units = advanced(army(*((leg, "1-A4") for leg in on_foot if CHARTS.legs[leg].bulk == "S"))).of("german")
    factors = {unit.kind.id: (legs.allowance(unit, 0), may_quickmarch(unit)) for unit in units}
    assert {name for name, found in factors.items() if found == (2, 3)} == {
        *(f"{nation}_{name}" for nation in "gsub" for name in ("chq", "fo"))
    }
    armed = ("hmg", "m50", "m81", "atr", "schreck"), ("hmg", "dshk", "m50", "m82", "atr", "atrs")
    british = "hmg", "m2", "m3", "atr", "piat"
    names = zip("gsub", (*armed, ("hmg", "mmg", "m60", "m81", "baz"), british), strict=True)
    assert {name for name, found in factors.items() if found == (1, 0)} == {
        f"{nation}_{name}" for nation, weapons in names for name in weapons
    }


@rule("5.1.3.1", "5.1.3.2", "5.1.3.3", "5.1.3.4", "5.7")
def test_5_1_3_weapons_that_legs_carry_are_what_the_text_says() -> None:
    carried = [row for row in CHARTS.weapons.values() if row.mount == "L"]
    for row in carried:
        if row.kind in ("mortar", "hmg", "mg"):
            assert row.row != "AP", row.weapon  # "they do not have an AP Direct Fire capability"
            assert row.small_arms, row.weapon
        if row.kind == "atr":
            assert row.row == "AP", row.weapon  # "they do not have a GP Fire capability"
            assert row.small_arms, row.weapon
        if row.kind == "hhatw" and row.row == "GP-DF":
            bands = {row.value_p, row.value_s, row.value_m, row.value_l, row.value_e} - {0}
            assert len(bands) == 1, row.weapon  # "a fixed, non-range dependent GP Direct Fire capability"
            ap = next(other for other in carried if other.weapon == row.weapon and other.row == "AP")
            assert ap.range_e == row.range_e, row.weapon  # "same range as AP"
            assert ap.ke_ce == "CE"
    assert all(row.small_arms for row in carried if row.weapon == "piat")  # 5.1.3.4: "e.g., the British PIAT"


@rule("5.8.1", "5.8.3", "6.3.2")
def test_5_8_1_veteran_troops_in_a_regulars_force() -> None:
    """The force rolls at -20; its tanks fire as Veterans, with the range factor's bonus."""
    german = f'grade = "regulars"\n{army(("pz4h", "1-A4"))}\n'
    german += '[[sides.german.formations]]\nname = "1."\ngrade = "veteran"\nunits = { pz4h = 1 }\n'
    made = game(text(german=german, options=("AG",)), (60, 45))
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.play(made.asked()[0], RollInitiative())
    assert made.state.first == "soviet"  # 60 - 20 is less than 45
    found = shot(made.state, made.state.units["german-1"], made.state.units["soviet-1"], False)
    assert ("6.5.2.4-grade", CHARTS.unit_grades["veteran"].ap("S")) in {(x.rule, x.amount) for x in found.lines}


# --- commands [6.2]


@rule("6.2.1.1", "6.2.1.1.3-recon")
def test_6_2_1_1_26_units_of_which_two_scout_count_as_24() -> None:
    german = army(*(("pz4h", "1-A4"),) * 26)
    german += '\n[[sides.german.formations]]\nname = "1."\ngrade = "seasoned"\nunits = { pz4h = 26 }\n'
    german += "labels = { Recon = { pz4h = 2 } }\n"
    state = advanced(german)
    assert len(control.members(state, "german-1")) == 26
    assert len(control.active(state, "german-1")) == 24


# --- track hits [6.5.2.2.1]

DUEL = army(("pz4h", "1-A4"))


def amounts(state: Position, unit: Unit, target: Unit) -> set[tuple[str, int]]:
    """The modifiers of a shot by their rules."""
    return {(line.rule, line.amount) for line in shot(state, unit, target, False).lines}


def first_fires(command: str, *dice: int) -> Game[Position]:
    """The Soviets, the First Player, fire at a German tank with this command, and hit its track with a tens of 0."""
    made = game(text(german=DUEL, soviet=army(("t34_43", "1-D4")), options=("AG",)), (10, 90, *dice))
    made.play("german", HandIn((Command("german-1", command),)))  # type: ignore[arg-type]
    made.play("soviet", HandIn((Command("soviet-1", "fire"),)))
    made.play(made.asked()[0], RollInitiative())
    while not isinstance(made.stack[-1], DirectFireStep):
        made.play(made.asked()[0], EndStep())
    return made


@rule("6.5.2.2.1-a", "6.5.2.2.1")
def test_6_5_2_2_1_a_short_halt_with_a_track_hit_fires_as_one_that_moves() -> None:
    """A hit on 1, location 05 is a tens result of 10, the crew stays on 99."""
    made = first_fires("short halt", 1, 5, 99, 100)
    made.play("soviet", Announce("soviet-1", "german-1"))
    made.play("soviet", Resolve())
    made.play("german", Keep())
    assert made.state.units["german-1"].track_hit
    made.play("soviet", EndStep())
    tank, enemy = made.state.units["german-1"], made.state.units["soviet-1"]
    assert ("4.4.3.2.2-short-halt", -4) in amounts(made.state, tank, enemy)
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    shown = made.state.units["german-1"]
    assert known_to_move(shown)
    assert ("4.4.3.2.2-moving", -2) in amounts(made.state, enemy, shown)


@rule("6.5.2.2.1-a")
def test_6_5_2_2_1_a_vehicle_lamed_by_indirect_fire_still_moves_for_direct_fire() -> None:
    """Its owner may still show its Move command, and has the -2 from it."""
    made = first_fires("move", 100)
    made.state.change("german-1", track_hit=True)
    assert ("4.4.3.2.2-moving", -2) not in amounts(
        made.state, made.state.units["soviet-1"], made.state.units["german-1"]
    )
    made.play("soviet", Announce("soviet-1", "german-1"))
    made.play("soviet", Resolve())
    assert refused(made, "german", Reveal("german-1")) is None
    made.play("german", Reveal("german-1"))
    assert ("4.4.3.2.2-moving", -2) in amounts(made.state, made.state.units["soviet-1"], made.state.units["german-1"])


# --- vehicles with two guns [6.5.2.2.4]


@rule("6.5.2.2.4-b")
@pytest.mark.parametrize("card", ["m3lee", "s_m3lee", "grant"])
@pytest.mark.parametrize("part", ["hull", "turret"])
def test_6_5_2_2_4_the_hull_guns_of_lee_and_grant_suffer_from_hull_damage_alone(card: str, part: str) -> None:
    state = advanced(army((card, "1-A4")), army(("t34_43", "1-D4")))
    unit = state.change("german-1", damaged=True, damaged_part=part, facing=2)
    for arm in arms_of(state, unit):
        if arm.is_ap:
            found = shot(state, unit, state.units["soviet-1"], False, arm.name)
            hurt = "4.4.3.2.2-damaged" in {line.rule for line in found.lines}
            assert hurt == (part == ("hull" if arm.row.weapon == "u75m2" else "turret")), arm.name


# --- GP fire [6.5.4]


@rule("6.5.4.2.2-best")
def test_6_5_4_2_2_an_improved_position_in_rough_counts_as_the_better_of_both() -> None:
    state = advanced(army(("g_sqd44", "1-A1")), ground=board("r"))
    squad = state.units["german-1"]
    assert isinstance(squad.kind, Leg)
    assert gp_defense(state, squad)[0].amount == squad.kind.gpd_light
    state.works["1-A1"] = (Work("improved position", holder="german-1"),)
    assert gp_defense(state, squad)[0].amount == squad.kind.gpd_heavy > squad.kind.gpd_light


@rule("6.5.4.4.2-5s10s")
def test_6_5_4_4_2_75_and_95_damage_40_and_60_hit_the_track() -> None:
    assert [fives_and_tens(total, hull_down=False) for total in (75, 95)] == ["damaged", "damaged"]
    assert [fives_and_tens(total, hull_down=False) for total in (40, 60)] == ["track hit", "track hit"]
    others = [total for total in range(1, 131) if total % 5]
    assert {fives_and_tens(total, hull_down=False) for total in others} == {"destroyed"}


# --- close combat and overrun [6.6]


@rule("6.6.1.1.2-support")
@pytest.mark.parametrize(
    ("letter", "alone"), [*((letter, True) for letter in "TBSwWgG"), (".", False), ("r", False)]
)  # fmt: skip
def test_6_6_1_1_2_buildings_woods_and_groves_want_support(letter: str, alone: bool) -> None:
    state = advanced(army(("pz4h", "1-A1")), ground=board(letter))
    assert unsupported(state, state.units["german-1"]) == alone


@rule("6.6.11")
def test_6_6_11_two_of_three_squads_that_share_a_command_fight_hand_to_hand() -> None:
    """A Veteran formation: the third squad, a hex away, takes no part and ends its move within Command Range."""
    squads = army(("g_sqd44", "1-B4"), ("g_sqd44", "1-B4"), ("g_sqd44", "1-B3"))
    squads += '\n[[sides.german.formations]]\nname = "1."\ngrade = "veteran"\nunits = { g_sqd44 = 3 }\n'
    made = game(text(german=squads, soviet=army(("s_sqd41", "1-B5")), options=("AG",)), (90, 10, 99, 1, 99, 1))
    made.state.spots = {name: tuple(made.state.units) for name in made.state.units}
    made.play("german", HandIn(tuple(Command(f"german-{n}", "move", "german-1" if n > 1 else "") for n in (1, 2, 3))))
    made.play("soviet", HandIn())
    made.play(made.asked()[0], RollInitiative())
    while made.stack[-1].step != "close combat":
        made.play(made.asked()[0], Pass() if Pass() in [*made.choices(made.asked()[0])] else EndStep())
    made.play("german", Assault("german-1", "soviet-1"))
    made.play("german", Assault("german-2", "soviet-1"))
    assert refused(made, "german", Assault("german-3", "soviet-1")) == "6.6.1.2-target"
    made.play("german", Close())
    assert made.state.units["soviet-1"].status == "eliminated"
    assert not made.state.units["german-3"].moved
    made.state.put("german-3", "1-B1")
    refusal = control.left_behind(made.state, made.state.units["german-3"])
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "6.2.1.1.4-move"


# --- gliders, random recon, cards of the text [7.38, 7.44, 7.57, 7.60]


@rule("7.44.2.2-1")
def test_7_44_2_2_facings_of_gliders_in_a5_and_j10() -> None:
    """On the left edge hexsides 2 and 3, on the bottom edge 1, 2 and 6: facing 0 is hexside 1, north."""
    ground = OPEN.replace("rows = 8", "rows = 10").replace(
        "\n'''\n", "\n. . . . . . . . . . . .\n. . . . . . . . . . . .\n'''\n"
    )
    state = advanced(army(("pz4h", "1-A4")), ground=ground)
    assert [facing + 1 for facing in gliders.facings_at(state, "1-A5", ("west",))] == [2, 3]
    assert [facing + 1 for facing in gliders.facings_at(state, "1-J10", ("south",))] == [1, 2, 6]


@rule("7.60.1.1")
def test_7_60_1_1_a_roll_of_4_on_a_road_from_5_to_2_leads_to_5() -> None:
    """Hexsides 5 and 2 are south-west and north-east; a roll of 4 is south. The unit may also leave the road to 4."""
    state = advanced(army(("pz4h", "1-E4")), ground=board(more='roads = ["D4 E4 F3"]\n'))
    links = [way for way, there in enumerate(state.map.cells["1-E4"].links) if there]
    assert [way + 1 for way in links] == [2, 5]
    found = searching.ways(state, state.units["german-1"], Course(3, 4, by_road=True), 0)
    assert {way + 1 for way in found} == {4, 5}


@rule("7.38.7")
def test_7_38_7_the_card_of_the_schwimmwagen() -> None:
    card = vehicle("tg_schwimm")
    assert (card.pts, card.m_cc, card.traction, card.amphibious) == (3, 6, "W", True)
    assert (card.path, card.road, card.bog) == (12, 18, -15)
    assert (card.tr_towed, card.tr_leg, card.section_only) == (0, 1, True)
    assert (card.weight, card.armed, card.gpd, card.size) == (1.3, False, "1S", -2)
    assert (card.first, card.basic_front, card.basic_rear) == ("1941-01", 0, 0)


@rule("7.44.2.1")
def test_7_44_2_1_the_cards_of_waco_and_horsa() -> None:
    for card in CHARTS.aircraft.values():
        if card.category == "glider":
            waco = "Horsa" not in card.name
            assert (card.pts, card.gpd, card.landing) == ((45, "1S", 2) if waco else (60, "2S", 3))
            assert (card.tr_towed, card.tr_leg) == ((0, 2) if waco else (1, 4))
            assert (card.tr_leg_jeep, card.jeep_sections) == ((1, True) if waco else (2, False))
            assert waco or card.tr_leg_towing == 1


@rule("7.57")
def test_7_57_one_man_does_all_in_the_t70_but_not_with_machine_guns() -> None:
    assert vehicle("t70").crew_mark
    assert not vehicle("pz1b").crew_mark
    assert not vehicle("humb2").crew_mark


@rule("7.38.4", "7.38.5")
def test_7_38_scout_cars_and_the_archer() -> None:
    for card in ("m3scout", "b_m3scout", "s_m3scout"):
        assert (vehicle(card).tr_towed, vehicle(card).tr_leg) == (0, 1)
    archer = vehicle("archer")
    assert isinstance(archer, Vehicle)
    assert (archer.special, archer.main_arc) == ("no_short_halt", "rear")
