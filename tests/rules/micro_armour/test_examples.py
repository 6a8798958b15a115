"""Examples and captions of pictures, with all of their numbers; the chapters' own files have the others."""

from __future__ import annotations

import pytest

from opfire.core.events import Calculation
from opfire.rulesets.micro_armour.artillery.coordinates import coordinates, point_of, written
from opfire.rulesets.micro_armour.artillery.missions import Mission, is_due
from opfire.rulesets.micro_armour.artillery.plotting import PlotFire
from opfire.rulesets.micro_armour.artillery.sheafs import DIRECTIONS, Sheaf, drift
from opfire.rulesets.micro_armour.artillery.writing import AimPolar
from opfire.rulesets.micro_armour.close.close_assault import assault_roll
from opfire.rulesets.micro_armour.close.overrun import Overrun
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat, fire_roll
from opfire.rulesets.micro_armour.fire.guns import inches_between
from opfire.rulesets.micro_armour.fire.standard import Fire, cannot_engage
from opfire.rulesets.micro_armour.moving.movement import Stop
from opfire.rulesets.micro_armour.moving.opportunity import NotYet, Oppose
from opfire.rulesets.micro_armour.pieces import Position, Work
from opfire.rulesets.micro_armour.sighting.sight import cannot_see
from rules.micro_armour.kit import GRENADIERS, PAK, PANZER, RIFLES, T34, position, rule, stand
from rules.micro_armour.marches import inches, march
from rules.micro_armour.test_07_missions import plots, plotting

SHERMAN, RECON, MORTAR = "us-m4-sherman", "us-m20-armoured-car", "ger-120mm-mortar-2"


def shot(made: Position, firer: str, target: str) -> tuple[Calculation, Calculation]:
    """The roll to fire and the combat roll of one stand at another."""
    attack = Attack(target, (Shot(firer),))
    return fire_roll(made, attack, attack.shots[0]), combat(made, attack, attack.shots[0])


def sees(made: Position, spotter: str, target: str) -> bool:
    return cannot_see(made, made.units[spotter], made.units[target]) is None


def refuses(made: Position, firer: str, target: str) -> str:
    """The rule by which a stand cannot fire at another; empty if it can."""
    unit = made.units[firer]
    refusal = cannot_engage(made, unit.side, unit, made.units[target], "main")
    return refusal.rule if refusal else ""


# --- spotting ---------------------------------------------------------------------------------------------------

FIELD = """lines = [{kind = "crest", points = "25,2 25,12"}]
areas = [{kind = "woods", points = "3,14 9,14 9,26 3,26"}]"""


def ridge() -> Position:
    """A PaK on the road and one at the edge of woods, infantry before them; an M4 at a ridge crest and one below."""
    german = [(PAK, "9,10"), (PAK, "8.5,16"), (GRENADIERS, "14,10"), (MORTAR, "5,20")]
    made = position(german, [(SHERMAN, "25.6,10"), (SHERMAN, "22,16")], terrain=FIELD)
    made.lay(Work("trench", "medium position", (14000, 10000)))
    return made


@rule("6.3.1", "6.3.2-edge", "6.1-line")
def test_6_3_example_tanks_on_the_level_of_the_guns_see_both_and_are_seen() -> None:
    made = ridge()
    for gun in ("german-1", "german-2"):
        assert sees(made, "soviet-2", gun)
        assert sees(made, gun, "soviet-2")
        assert sees(made, gun, "soviet-1")
    assert not any(sees(made, tank, "german-4") or sees(made, "german-4", tank) for tank in ("soviet-1", "soviet-2"))


@rule("6.3.3-concealed", "6.3.3-crt", "6.3.4", "6.4.2")
def test_6_3_example_woods_count_for_the_roll_to_fire_until_the_gun_fires_or_is_adjacent() -> None:
    made = ridge()
    assert shot(made, "soviet-1", "german-1")[0].modifier == 0  # on the road, in the open
    assert shot(made, "soviet-1", "german-2")[0].modifier == 2
    stand(made, "german-2", fired=True)
    assert shot(made, "soviet-1", "german-2")[0].modifier == 0
    stand(made, "german-2", fired=False)
    stand(made, "soviet-2", at=(9500, 16000))
    assert shot(made, "soviet-2", "german-2")[0].modifier == 0
    assert shot(made, "soviet-2", "german-2")[1].modifier == 2 - 1  # the woods, an inch


@rule("9.1-chart")
def test_6_3_example_the_crest_counts_whether_the_tank_has_fired_or_not() -> None:
    made = ridge()
    rolls = [shot(made, "german-1", "soviet-1")[0].modifier]
    stand(made, "soviet-1", fired=True)
    rolls.append(shot(made, "german-1", "soviet-1")[0].modifier)
    assert rolls == [2, 2]


@rule("6.3.3-concealed", "6.3.3-crt", "6.2.2")
def test_6_3_example_infantry_in_medium_positions_is_concealed_until_it_fires() -> None:
    made = ridge()
    assert sees(made, "soviet-1", "german-1")  # over the infantry in its trench
    assert shot(made, "soviet-1", "german-3")[0].modifier == 5
    stand(made, "german-3", fired=True)
    assert shot(made, "soviet-1", "german-3")[0].modifier == 0
    assert shot(made, "soviet-1", "german-3")[1].modifier == 5 + 2  # 11.6 inches are 12


@rule("6.4.2", "6.3.2-edge", "6.3.4")
def test_6_4_2_example_of_blue_tanks_a_and_c_against_red_1_in_woods() -> None:
    """Red 1 has fired from the edge of woods: A is adjacent, C is suppressed and farther off."""
    blue = [(PANZER, "9,10"), (PANZER, "5,12")]
    made = position(blue, [(T34, "10,10")], terrain='areas = [{kind = "woods", points = "9.5,8 14,8 14,12 9.5,12"}]')
    stand(made, "soviet-1", fired=True)
    stand(made, "german-2", suppressed=True)
    assert [shot(made, tank, "soviet-1")[0].modifier for tank in ("german-1", "german-2")] == [0, 4]
    assert [shot(made, tank, "soviet-1")[1].modifier for tank in ("german-1", "german-2")] == [2 - 1, 2 + 1]


@rule("7.3.4", "7.3.3")
def test_7_3_4_caption_of_two_platoons_and_a_tank() -> None:
    """Number 16 touches the tank with more than half of a side, number 12 with less: that is an inch away."""
    men = "ger-infantry-45"  # with a range of an inch against armour
    german = [(men, "5,10.2"), (men, "6.7,9"), (men, "10,14")]
    made = position(german, [(T34, "6,10"), (RIFLES, "8,11"), (RIFLES, "4,12.5")])
    assert [refuses(made, "german-1", each) for each in ("soviet-1", "soviet-3")] == ["", "7.3.4"]
    assert [refuses(made, "soviet-1", each) for each in ("german-1", "german-3")] == ["", "7.3.4"]
    assert refuses(made, "german-2", "soviet-2") == ""
    assert inches_between(made.units["german-2"], made.units["soviet-1"]) == 1


@rule("7.4.7.1-3")
def test_7_4_7_1_caption_of_smoke_that_deviates_an_inch() -> None:
    """Smoke an inch too far to one side hides three of five platoons from the first tank, and lets it see two."""
    soviet = [(RIFLES, f"20,{y}") for y in (6, 8, 10, 12, 14)]
    made = position([(PANZER, "8,10")], soviet)
    for number, y in enumerate((9000, 10000, 11000)):
        made.lay(Work(f"smoke {number}", "smoke", (13000, y + 1000)))
    assert [sees(made, "german-1", f"soviet-{n}") for n in (1, 2, 3, 4, 5)] == [True, True, False, False, False]


# --- artillery --------------------------------------------------------------------------------------------------


@rule("7.6.1.2-direction")
def test_7_6_1_2_caption_an_8_is_to_the_lower_right_and_a_4_is_two_inches() -> None:
    """The compass of the picture lies with its north downwards: both markers of the sheaf go there together."""
    toward, far = DIRECTIONS[8 - 1], -(-4 // 2)
    made = position(top="north = 180")
    assert made.setting.sections.north == 180
    plotted = Sheaf((10000, 10000), 2, "open", "E")
    right, down = drift(toward, far, 180)
    assert (right, down) == (1414, 1414)  # two inches along the diagonal
    assert plotted._replace(at=(11414, 11414)).places(180) == ((11414, 11414), (10414, 11414))


@rule("7.6.3-duration")
def test_7_6_3_a_duration_of_4_is_the_turn_of_arrival_and_three_more() -> None:
    mission = Mission(
        id="1", side="german", kind="support", batteries=("b",), sheaf=Sheaf((0, 0), 1, "open", "N"), plotted=1,
        stood=(None,), due=5, duration=4,
    )  # fmt: skip
    assert [turn for turn in range(1, 12) if is_due(mission, turn)] == [5, 6, 7, 8]


@rule("7.6.3-coords", "7.6.3-sheaf")
@pytest.mark.parametrize(("text", "right", "up"), [("0426", 4, 26), ("1722", 17, 22), ("0730", 7, 30)])
def test_7_6_3_the_written_coordinates(text: str, right: int, up: int) -> None:
    made = position().setting
    assert written(made, "german", point_of(made, "german", right, up)) == text


@rule("7.6.3-sheaf")
def test_7_6_3_open_2e_at_1722_lies_at_17_and_18_inches() -> None:
    """With the player in the south, and north before him, east is to his right."""
    made = position(top="north = 90").setting  # the Germans sit in the west
    sheaf = Sheaf(point_of(made, "german", 17, 22), 2, "open", "E")
    assert [coordinates(made, "german", at) for at in sheaf.places(90)] == [(17, 22), (18, 22)]


@rule("12.13")
def test_12_13_eight_inches_north_east_open_2n() -> None:
    """8 inches along the diagonal are 5.656 along each axis; the second marker lies an inch north of the first."""
    made = plotting(top='options = ["12.13"]')
    sheaf = plots(made, PlotFire("german-2", "german-1"), AimPolar(8, "NE")).sheaf
    assert sheaf.places(0) == ((10656, 4344), (10656, 3344))


# --- movement, overrun, close assault ---------------------------------------------------------------------------

LEE, BERSAGLIERI = "uk-m3-lee-grant-hull-75mm", "ita-bersaglieri-infantry-42"


@rule("8.7.1-move", "8.7.6-fire")
def test_8_7_captions_two_lees_cross_two_platoons_of_bersaglieri_and_face_them() -> None:
    """The fire of both fails; each tank has crossed one stand, faces it, and the overruns wait for the end."""
    game = march(((LEE, "5,5"), (LEE, "5,9")), ((BERSAGLIERI, "9,5"), (BERSAGLIERI, "9,9")), dice=(20, 20))
    for number, y in ((1, 5), (2, 9)):
        tank, target = f"red-{number}", f"blue-{number}"
        game.play("red", Overrun(tank, target, inches(10, y), 270))
        while game.state.units[tank].at != inches(9, y):
            game.play("blue", NotYet())
        game.play("blue", Oppose(target, tank))
        game.play("blue", Fire())
        game.play("red", Stop(tank))
    units = game.state.units
    assert [(units[name].at, units[name].facing, units[name].overruns) for name in ("red-1", "red-2")] == [
        (inches(10, 5), 270, ("blue-1",)),
        (inches(10, 9), 270, ("blue-2",)),
    ]
    assert not any(unit.shaken or unit.status != "on the table" for unit in units.values())


@rule("8.8.9", "10.10.1")
def test_8_8_caption_the_cavalry_of_two_stands_has_double_firepower() -> None:
    """HE 4 doubled are 8, against the 6 of a suppressed platoon in its positions: column +2."""
    game = march(
        (("sov-cavalry", "9,10"), ("sov-cavalry", "10,9")), ((GRENADIERS, "10,10"),), blue_1={"suppressed": True}
    )
    rolls = [
        assault_roll(game.state, game.state.units[name], game.state.units["blue-1"]) for name in ("red-1", "red-2")
    ]
    assert [(roll.column, roll.modifier) for roll in rolls] == [("+2", -3), ("+2", -3)]


@rule("10.9")
def test_10_9_example_a_grant_fires_its_hull_gun_forward_and_its_turret_gun_all_round() -> None:
    game = march(
        ((LEE, "10,10"),), ((GRENADIERS, "16,10"), (GRENADIERS, "10,16")), red_1={"facing": 90, "posture": "firing"}
    )
    grant, units = game.state.units["red-1"], game.state.units
    found = {
        (manner, name): cannot_engage(game.state, "red", grant, units[name], manner) is None
        for manner in ("main", "second")
        for name in ("blue-1", "blue-2")
    }
    assert found == {
        ("main", "blue-1"): True, ("main", "blue-2"): False, ("second", "blue-1"): True, ("second", "blue-2"): True
    }  # fmt: skip


@rule("11.4", "9.1.3")
def test_11_4_note_a_medium_position_in_light_buildings_adds_9_to_both_rolls() -> None:
    made = position([(PANZER, "5,10")], [(RIFLES, "8.5,10")],
                    terrain='areas = [{kind = "light-buildings", points = "8,8 12,8 12,12 8,12"}]')  # fmt: skip
    made.lay(Work("mip", "medium position", (8500, 10000)))
    assert [roll.modifier for roll in shot(made, "german-1", "soviet-1")] == [9, 9]
