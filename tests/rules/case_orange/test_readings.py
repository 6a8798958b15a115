"""Unclear rules that a game may read otherwise: our reading, and the other one (RULINGS.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import opfire.rulesets.case_orange as case_orange
from opfire.core.game import Game
from opfire.core.match import Match
from opfire.core.scenario import text_of
from opfire.kit.orders import Pass
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.assault import AddAssaulter, Assault
from opfire.rulesets.case_orange.carrying import Unload
from opfire.rulesets.case_orange.direct import AddFirer, Attack, Fire
from opfire.rulesets.case_orange.engineers import LayCharges
from opfire.rulesets.case_orange.indirect import Confirm, DeclareGroup
from opfire.rulesets.case_orange.movement import Move, Shift, Stop
from opfire.rulesets.case_orange.options import OPTIONAL_RULES, READINGS
from opfire.rulesets.case_orange.pieces import stacked_points
from opfire.rulesets.case_orange.reaction import Shoot
from opfire.rulesets.case_orange.registration import Aim, Register
from opfire.rulesets.case_orange.sequence import RemoveUnit
from rules.case_orange.drawing import (
    allowed,
    amount,
    calculations,
    draw,
    full,
    german,
    marker,
    offered,
    play,
    preview,
    refused,
    rule,
    soviet,
    spent,
    unit,
    why_not,
)

RULINGS = (Path(case_orange.__file__).parent / "RULINGS.md").read_text(encoding="utf-8")


def readings() -> list[str]:
    return [reading.rule for reading in READINGS]


def column_down(*tokens: str) -> str:
    """A board of five columns whose column C has these tokens, all else clear."""
    return "\n".join(f". . {token} . ." for token in tokens)


# --- readings as options ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", readings())
def test_the_other_reading_stands_in_the_rulings_under_its_number(number: str) -> None:
    entry = RULINGS.partition(f"### {number} ")[2].partition("\n### ")[0]
    assert f"**Option {number}" in entry.partition("* **Else.**")[2]


def test_no_ruling_offers_an_option_that_is_not_there() -> None:
    assert RULINGS.count("**Option R") == len(READINGS)


def test_every_ruling_has_a_number_of_its_own() -> None:
    numbers = [line.split()[1] for line in RULINGS.splitlines() if line.startswith("### ")]
    assert sorted(set(numbers)) == sorted(numbers)


def test_readings_are_told_from_optional_rules() -> None:
    """By their number, and by a name that says which rule is read otherwise."""
    assert all(reading.rule.startswith("R") and reading.title.startswith("Another reading of") for reading in READINGS)
    assert not any(option.rule.startswith("R") for option in OPTIONAL_RULES)
    assert case_orange.RULESET.options == (*OPTIONAL_RULES, *READINGS)


def test_a_record_keeps_the_reading_that_it_was_played_by() -> None:
    chosen = 'options = ["R12", "R63"]\n' + text_of("mill-ford")
    match = Match.start(chosen, key=bytes(32))
    record = match.record_for("spectator").told()
    assert record.start().state.setting.options == {"R12", "R63"}
    assert record.start().view("spectator")["options"] == ["R12", "R63"]


# --- R5 where markers lie -----------------------------------------------------------------------------------


@rule("9.6.6", "12.1")
@pytest.mark.parametrize(("options", "empty"), [([], None), (["R5"], "9.6.6")])
def test_9_6_6_markers_on_empty_hexes(options: list[str], empty: str | None) -> None:
    game = draw(
        step="registration",
        options=options,
        a=german("mortar-81-german", "C1"),
        eyes=german("cp-german", "D1"),
        x=soviet("rifle-43-soviet", "E5"),
    )
    play(game, Aim("a"))
    assert allowed(game, Register("E5"))
    if empty:
        assert refused(game, Register("C5")) == empty
        assert offered(game, Register) == {Register("1-E5")}
    else:
        assert allowed(game, Register("C5"))


# --- R12 mines ----------------------------------------------------------------------------------------------


@rule("13.1.1", "4.2-C1")
@pytest.mark.parametrize(("options", "own_die"), [([], [1]), (["R12"], [])])
def test_13_1_1_whether_mines_attack_their_owner(options: list[str], own_die: list[int]) -> None:
    """At 1:1 a one makes DD."""
    game = draw(
        step="begin",
        options=options,
        dice=own_die,
        markers=[marker("mines", "C3", value="1:1", side="german")],
        own=german("rifle-42-german", "C3"),
    )
    assert unit(game, "own").dispersed == ("DD" if own_die else "")
    assert not game.dice.script


@rule("13.1.1")
def test_13_1_1_the_enemy_they_attack_in_any_case() -> None:
    game = draw(
        step="begin",
        options=["R12"],
        dice=[1],
        markers=[marker("mines", "C3", value="1:1", side="german")],
        x=soviet("rifle-43-soviet", "C3"),
    )
    assert unit(game, "x").dispersed == "DD"


# --- R21 dispersed, of several ------------------------------------------------------------------------------


@rule("2.0-G07", "9.3.3")
@pytest.mark.parametrize(
    ("options", "second", "off"),
    [([], "", None), ([], "D", -1), (["R21"], "", -1), (["R21"], "D", -1)],
)
def test_2_0_G07_how_many_of_several_must_be_dispersed(options: list[str], second: str, off: int | None) -> None:
    game = draw(
        column_down(".", ".", "t"),
        options=options,
        gun=german("stug-iii-b", "C1", attack=60),
        x=soviet("rifle-43-soviet", "C3", dispersed="D", face_up=False, spotted="spotted"),
        y=soviet("rifle-43-soviet", "C3", dispersed=second, face_up=not second, spotted="spotted"),
    )
    assert amount(preview(game, Attack("gun", "x")), "2.0-G07") == off


@rule("2.0-G07")
def test_2_0_G07_nobody_dispersed_is_nothing_off_in_either_reading() -> None:
    game = draw(options=["R21"], gun=german("stug-iii-b", "C1"), x=soviet("rifle-43-soviet", "C3"))
    assert amount(preview(game, Attack("gun", "x")), "2.0-G07") is None


# --- R23 passengers and the road rate -----------------------------------------------------------------------


@rule("9.7-P9", "5.4.3")
@pytest.mark.parametrize(("options", "answer"), [([], "9.7-P9"), (["R23"], None)])
def test_9_7_P9_whoever_was_carried_by_road(options: list[str], answer: str | None) -> None:
    game = draw(
        fields={"roads": ["C5 C4 C3 C2"]},
        options=options,
        step="vehicle",
        ride=german("half-track-german", "C5", movement=2),
        foot=german("rifle-42-german", carrier="ride", attack=20),
        x=soviet("rifle-43-soviet", "C2", attack=0),
    )
    play(game, Move("ride", "C4"), Move("ride", "C3"), Unload("ride"), EndSegment(), EndSegment())
    if answer:
        assert refused(game, Assault("foot", "C2")) == answer
    else:
        assert allowed(game, Assault("foot", "C2"))


@rule("9.7-P9")
def test_9_7_P9_whoever_marched_by_road_does_not_assault_in_either_reading() -> None:
    game = draw(
        step="assault",
        options=["R23"],
        a=german("rifle-42-german", "C3", road=True),
        x=soviet("rifle-43-soviet", "C2"),
    )
    assert refused(game, Assault("a", "C2")) == "9.7-P9"


# --- R25 hilltop sides of the end hexes, cover between hilltops -----------------------------------------------


@rule("8.2", "8.2.1.1", "15.5")
@pytest.mark.parametrize(
    ("tokens", "ours", "other"),
    [
        (". h .", None, "8.2"),
        (". s h", None, None),
        ("s h s", None, None),
        ("h s w s h", None, "15.5.1"),
        ("h s . s h", None, None),
        ("h s h s h", None, None),
    ],
)
def test_8_2_1_1_adjacent_hilltops_and_cover_between_hilltops(tokens: str, ours: str | None, other: str | None) -> None:
    column = tokens.split()
    for options, answer in (([], ours), (["R25"], other)):
        units = {"gun": german("pz-iv-h", "C1"), "x": soviet("t-34-76", f"C{len(column)}")}
        assert why_not(draw(column_down(*column), options=options, **units), Attack("gun", "x")) == answer


# --- R32 fortifications, assaulted ----------------------------------------------------------------------------


def storm(options: list[str], **units: Any) -> Any:
    """The calculation of an assault on an unbreached fortification in a woods hex."""
    game = draw(
        column_down(".", "w", "."),
        options=options,
        step="assault",
        markers=[marker("fort", "C2", value="10/4")],
        a=german("rifle-42-german", "C1", attack=40),
        inside=soviet("rifle-43-soviet", "C2", below="fort"),
        **units,
    )
    return preview(game, Assault("a", "C2"))


@rule("10.4.3", "9.7-P3", "9.3.1")
@pytest.mark.parametrize(("options", "modifier", "dispersed"), [([], -2, -2), (["R32"], -1, -2)])
def test_10_4_3_terrain_for_units_above_a_fortification(options: list[str], modifier: int, dispersed: int) -> None:
    """Woods are one more on the die, dispersion one less."""
    above = soviet("rifle-43-soviet", "C2", points=1)
    assert storm(options, above=above).modifier == modifier
    assert storm(options, above={**above, "dispersed": "D", "face_up": False}).modifier == dispersed


@rule("10.4.3")
@pytest.mark.parametrize("options", [[], ["R32"]])
def test_10_4_3_none_for_a_fortification_alone(options: list[str]) -> None:
    assert storm(options).modifier == -2


# --- R41 attackers on different levels ----------------------------------------------------------------------


@rule("9.2.1", "9.5.2")
@pytest.mark.parametrize(("options", "shift"), [([], -1), (["R41"], +1)])
def test_9_2_1_firers_above_and_below_the_target(options: list[str], shift: int) -> None:
    """One on the hilltop two hexes north, one on the ground two hexes south of a slope."""
    game = draw(
        column_down("h", ".", "s", ".", "."),
        options=options,
        high=german("stug-iii-b", "C1", attack=10),
        low=german("stug-iii-b", "C5", attack=10),
        x=soviet("rifle-43-soviet", "C3", defence=10),
    )
    assert amount(preview(game, Attack("high", "x")), "9.2.1") == +1
    assert amount(preview(game, Attack("low", "x")), "9.2.1") == -1
    play(game, Attack("high", "x"), AddFirer("low"))
    assert amount(preview(game, Fire()), "9.2.1", "shift") == shift


@rule("9.2.1", "11.1")
@pytest.mark.parametrize(("options", "shift"), [([], None), (["R41"], +1)])
def test_9_2_1_assaulters_above_and_beside_the_target(options: list[str], shift: int | None) -> None:
    game = draw(
        column_down("s", ".", "."),
        options=options,
        step="assault",
        high=german("rifle-42-german", "C1", attack=10),
        beside=german("rifle-42-german", "C3", attack=10),
        x=soviet("rifle-43-soviet", "C2", defence=10),
    )
    play(game, Assault("high", "C2"), AddAssaulter("beside"))
    calculation = preview(game, next(a for a in game.choices("german") if type(a).__name__ == "RollAssault"))
    assert amount(calculation, "9.2.1", "shift") == shift


# --- R50 what goes because there is no room -----------------------------------------------------------------


def thrown_out(options: list[str]) -> Game[Any]:
    """A DD on an armoured half-track throws its load out into a hex with three points more: two to one, a two."""
    game = draw(
        options=options,
        ride=german("half-track-german", "C1", defence=1),
        load=german("rifle-42-german", carrier="ride"),
        **{f"other{n}": german("rifle-42-german", "C1") for n in range(3)},
        gun=soviet("at-76", "C3", attack=1),
        side="soviet",
    )
    play(game, Attack("gun", "ride"), Fire(), dice=[2])
    return game


@rule("5.7.1", "5.6")
def test_5_7_1_what_makes_room_leaves_no_wreck() -> None:
    game = thrown_out([])
    play(game, RemoveUnit("ride"))
    assert game.state.work(full("C1")).wreck == 0
    assert unit(game, "load").hex == full("C1")
    assert stacked_points(game.state, full("C1")) == 4
    assert game.asked() == ("soviet",)


@rule("5.7.1", "5.6")
def test_5_7_1_or_a_wreck_so_that_the_load_has_to_go_as_well() -> None:
    game = thrown_out(["R50"])
    play(game, RemoveUnit("ride"))
    assert game.state.work(full("C1")).wreck == 1
    assert offered(game, RemoveUnit) == {RemoveUnit("load")}
    play(game, RemoveUnit("load"))
    assert stacked_points(game.state, full("C1")) == 4
    assert game.asked() == ("soviet",)


@rule("5.7.1")
def test_5_7_1_the_load_itself_is_no_wreck() -> None:
    game = thrown_out(["R50"])
    play(game, RemoveUnit("load"))
    assert game.state.work(full("C1")).wreck == 0
    assert game.asked() == ("soviet",)


# --- R53 going below in one's own hex -------------------------------------------------------------------------


@rule("10.1.2", "5.2")
@pytest.mark.parametrize("below", ["", "position"])
@pytest.mark.parametrize(("options", "moves_on"), [([], False), (["R53"], True)])
def test_10_1_2_taking_or_leaving_cover_where_a_unit_stands(options: list[str], moves_on: bool, below: str) -> None:
    game = draw(
        options=options,
        step="non-vehicle",
        markers=[marker("position", "C3")],
        foot=german("rifle-42-german", "C3", movement=2, below=below),
        x=soviet("rifle-43-soviet", "H8"),
    )
    play(game, Shift("foot", not below))
    assert unit(game, "foot").below == ("" if below else "position")
    assert unit(game, "foot").moved
    if not moves_on:
        assert refused(game, Move("foot", "C4")) == "5.2"
        return
    assert spent(game, "foot") == 0
    play(game, Move("foot", "C4"))
    assert unit(game, "foot").hex == full("C4")


@rule("10.1.2", "5.2")
def test_10_1_2_once_and_before_the_move() -> None:
    game = draw(
        options=["R53"],
        step="vehicle",
        markers=[marker("position", "C3")],
        tank=german("pz-iv-h", "C3", below="position"),
    )
    play(game, Shift("tank", False))
    assert offered(game, Shift) == set()
    play(game, Stop("tank"))
    assert refused(game, Move("tank", "C4")) == "5.2"


# --- R63 from a hilltop down to the next slope --------------------------------------------------------------


@rule("9.2.2", "15.5")
@pytest.mark.parametrize(("options", "shift"), [([], None), (["R63"], +1)])
def test_9_2_2_down_across_a_hilltop_side(options: list[str], shift: int | None) -> None:
    gun, foot = german("stug-iii-b", "C1", attack=10), soviet("rifle-43-soviet", "C2", defence=10)
    game = draw(column_down("h", "s", "."), options=options, gun=gun, foot=foot)
    assert amount(preview(game, Attack("gun", "foot")), "9.2.1") == shift


@rule("9.2.2")
@pytest.mark.parametrize("options", [[], ["R63"]])
def test_9_2_2_on_one_level_there_is_no_shift_in_either_reading(options: list[str]) -> None:
    gun, foot = german("stug-iii-b", "C1", attack=10), soviet("rifle-43-soviet", "C2", defence=10)
    game = draw(column_down("s", "s", "."), options=options, gun=gun, foot=foot)
    assert amount(preview(game, Attack("gun", "foot")), "9.2.1") is None


# --- R64 a mover that goes below works -----------------------------------------------------------------------


def into_cover(kind: str, options: list[str]) -> Game[Any]:
    """Infantry steps below the works in C3, three hexes from a gun of range eight."""
    return draw(
        markers=[marker(kind, "C3", value="20/10" if kind == "fort" else "")],
        options=options,
        step="non-vehicle",
        foot=german("rifle-42-german", "C2", attack=1, defence=10),
        gun=soviet("at-76", "C6", attack=20, range=8),
    )


@rule("10.1.2", "10.4.1", "6.0")
@pytest.mark.parametrize(("options", "shots"), [([], 0), (["R64"], 1)])
def test_10_1_2_whoever_goes_below_a_fortification(options: list[str], shots: int) -> None:
    game = into_cover("fort", options)
    play(game, Move("foot", "C3", below=True))
    if shots:
        assert offered(game, Shoot) == {Shoot(("gun",), "foot")}
        assert unit(game, "foot").below == ""
        play(game, Pass())
    assert unit(game, "foot").below == "fort"
    assert game.asked() == ("german",)


@rule("10.1.2", "10.3.1", "6.0")
@pytest.mark.parametrize(("options", "column"), [([], "1:2"), (["R64"], "1:1")])
def test_10_1_2_whoever_goes_below_an_improved_position(options: list[str], column: str) -> None:
    """Class A at half range against others: half of twenty to ten."""
    game = into_cover("position", options)
    play(game, Move("foot", "C3", below=True))
    assert preview(game, Shoot(("gun",), "foot")).column == column


@rule("10.1.2", "6.3")
@pytest.mark.parametrize("options", [[], ["R64"]])
def test_10_1_2_it_is_below_even_when_it_was_dispersed(options: list[str]) -> None:
    game = into_cover("position", options)
    play(game, Move("foot", "C3", below=True), Shoot(("gun",), "foot"), dice=[1])
    assert unit(game, "foot").dispersed
    assert unit(game, "foot").below == "position"


@rule("10.1.2", "9.10.1")
def test_10_1_2_nobody_is_below_who_did_not_live() -> None:
    game = into_cover("position", ["R64"])
    game.state.change("foot", kind=msgspec.structs.replace(unit(game, "foot").kind, defence=1))
    play(game, Move("foot", "C3", below=True), Shoot(("gun",), "foot"), dice=[1])
    assert unit(game, "foot").status == "eliminated"
    assert unit(game, "foot").below == ""


@rule("10.1.2", "6.1.3")
def test_10_1_2_and_it_moves_on_from_there() -> None:
    game = into_cover("position", ["R64"])
    game.state.change("foot", kind=msgspec.structs.replace(unit(game, "foot").kind, movement=3))
    play(game, Move("foot", "C3", below=True), Pass())
    assert unit(game, "foot").below == "position"
    play(game, Move("foot", "D3"))
    assert unit(game, "foot").below == ""


# --- R71 where there is a bridge ----------------------------------------------------------------------------

CROSSING = {"roads": ["C1 C2 C3"], "gullies": ["A2 B2 C2 D2 E2"]}


@rule("13.2.1", "5.4.18")
@pytest.mark.parametrize(("options", "answer"), [([], None), (["R71"], "13.2")])
def test_13_2_1_a_road_over_a_gully_that_nobody_calls_a_bridge(options: list[str], answer: str | None) -> None:
    game = draw(fields=CROSSING, options=options, step="non-vehicle", a=german("engineer-german", "C2"))
    if answer:
        assert refused(game, LayCharges("a")) == answer
    else:
        assert allowed(game, LayCharges("a"))


@rule("13.2.1", "13.2")
@pytest.mark.parametrize("named", ["map", "scenario"])
def test_13_2_1_a_bridge_that_is_named_is_one_in_either_reading(named: str) -> None:
    fields = {**CROSSING, "bridges": {"C2": "wood"}} if named == "map" else CROSSING
    game = draw(
        fields=fields,
        bridges={"C2": "wood"} if named == "scenario" else {},
        options=["R71"],
        step="non-vehicle",
        a=german("engineer-german", "C2"),
    )
    assert allowed(game, LayCharges("a"))


# --- R79 a group's fire by one unit ---------------------------------------------------------------------------


@rule("12.4.2", "12.3.2", "12.4.1")
@pytest.mark.parametrize("options", [[], ["R79"]])
def test_12_4_2_one_unit_fires_on_another_members_marker(options: list[str]) -> None:
    kinds = ["mortar-120-german"]
    group = {"side": "german", "kind": "barrage", "units": kinds, "observers": ["cp-german"]}
    game = draw(
        options=options,
        step="indirect",
        indirect=[group],
        a=german("mortar-120-german", "C1", attack=20),
        marked=german("mortar-120-german", "D1", registered="C5", face_up=False),
        eyes=german("cp-german", "C2"),
        x=soviet("rifle-43-soviet", "C5"),
    )
    if not options:
        assert refused(game, DeclareGroup(0, "a", "C5")) == "12.4.2"
        return
    play(game, DeclareGroup(0, "a", "C5"), Confirm())
    events = play(game, EndSegment(), dice=[6])
    assert [calculation.modifier for calculation in calculations(events)] == [0]
    assert not unit(game, "a").face_up


# --- R80 an observer aboard that only registers ---------------------------------------------------------------


@rule("5.7.3", "9.6.6")
@pytest.mark.parametrize(("options", "inverted"), [([], False), (["R80"], True)])
def test_5_7_3_an_observer_aboard_places_a_marker(options: list[str], inverted: bool) -> None:
    units = {
        "m": german("mortar-120-german", "C1"),
        "ride": german("half-track-german", "C2"),
        "eyes": german("cp-german", carrier="ride"),
    }
    game = draw(options=options, step="registration", **units)
    play(game, Aim("m"), Register("C5"))
    assert unit(game, "ride").face_up == (not inverted)
    others = draw(options=options, step="registration", **units, post=german("cp-german", "D2"))
    play(others, Aim("m"), Register("C5"))
    assert unit(others, "ride").face_up


# --- R81 opportunity fire by class (H) ------------------------------------------------------------------------


@rule("6.0", "9.6.3")
@pytest.mark.parametrize(("options", "answer"), [([], None), (["R81"], "6.0")])
def test_6_0_a_howitzer_that_sees_the_mover(options: list[str], answer: str | None) -> None:
    game = draw(
        options=options,
        step="vehicle",
        tank=german("pz-iv-h", "C1"),
        how=soviet("how-122-soviet", "C5", attack=40),
        gun=soviet("at-76", "C5", attack=40, range=8),
    )
    play(game, Move("tank", "C2"))
    assert why_not(game, Shoot(("how",), "tank")) == answer
    assert why_not(game, Shoot(("gun",), "tank")) is None
