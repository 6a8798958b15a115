"""Case files of Panzer Grenadier: wrong values and impossible positions are refused, with file and line."""

from __future__ import annotations

from functools import partial

import pytest

from edits import edited
from opfire.core import case
from rules import case_files
from rules.panzer_grenadier.kit import rule

fault = partial(case_files.fault, "panzer-grenadier")
plays = partial(case_files.plays, "panzer-grenadier")
remedy = partial(case_files.remedy, "panzer-grenadier")

STEP = 'step = "segment"\n'
RIFLE = STEP + '[units.rifle]\nunit = "ger-inf"\nat = "1-B2"\n'
LEADER = STEP + '[units.lt]\nunit = "leader"\nside = "german"\nat = "1-B2"\n'


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (RIFLE + 'direct = "5"', 5, "direct = '5': Expected `int`, got `str`"),
        (RIFLE + 'at_value = "5"', 5, "at_value = '5'"),
        (RIFLE + 'state = "asleep"', 5, "state = 'asleep'"),
        (RIFLE + 'movement_class = "swimming"', 5, "movement_class = 'swimming'"),
        (RIFLE + "morale = [8]", 5, "morale = [8]"),
        (RIFLE + "morall = [8, 7]", 5, "no value 'morall'"),
        (RIFLE + 'carrier = "truck"', 5, "there is no carrier 'truck'"),
        (RIFLE + 'arrives = "two"', 5, "arrives = 'two'"),
        (RIFLE + 'entry = ["1-Z1"]', 5, "'1-Z1' is not a hex"),
        (RIFLE + 'afloat = 1\nbank = "1-Z1"', 6, "'1-Z1' is not a hex"),
        (RIFLE + "afloat = -1", 5, "afloat = -1"),
        (RIFLE + "shots = -1", 5, "shots = -1"),
        (RIFLE + "dug_in = 3", 5, "dug_in = 3"),
        (LEADER + 'rank = "GEN"', 6, "rank 'GEN'"),
        (LEADER + 'leads = "8"', 6, "leads = '8'"),
        (STEP + '[units.rifle]\nunit = "ger-inv"\nat = "1-A1"', 2, "there is no unit 'ger-inv'"),
        (STEP + '[[markers]]\nkind = "tent"\nat = "1-A1"', 2, "marker 'tent'"),
        (STEP + '[[markers]]\nkind = "mines"\nat = "1-A1"\nside = "german"\nvalue = "4"', 2, "mines of '4'"),
        (STEP + '[[markers]]\nkind = "mines"\nat = "1-A1"\nvalue = "1"', 2, "mines without a side"),
        (STEP + '[[markers]]\nkind = "control"\nat = "1-A1"', 2, "control without a side"),
        (STEP + '[[markers]]\nkind = "smoke"\nat = "1-A1"\nside = "grey"', 5, "the side 'grey'"),
        ('step = "direct"', 1, "there is no step 'direct'"),
        (STEP + "[special]\nyear = 'late'", 2, "Expected `int`, got `str`"),
        (STEP + "[special.sides.grey]\nsmoke = true", 2, "the side 'grey'"),
        (STEP + "[segments]\ngrey = 2", 3, "the side 'grey'"),
        (STEP + "[segments]\ngerman = -2", 2, "`int` >= 0"),
        (STEP + "[aircraft.stuka]\nunit = 'ger-ju99'", 2, "there is no unit 'ger-ju99'"),
        (RIFLE + '[[expect]]\nno_events = ["limberred"]', 6, "no event 'limberred'"),
        (RIFLE + '[[expect]]\nnot_offered = [{ type = "Activate", role = "fier" }]', 6, "role 'fier'"),
        (RIFLE + '[[expect]]\nnot_offered = [{ role = "fier" }]', 6, "role 'fier'"),
        (RIFLE + '[[expect]]\nno_lines = [{ label = "entrenchmnet" }]', 6, "no line of label 'entrenchmnet'"),
    ],
)
def test_a_wrong_value_has_a_line_and_a_sentence(text: str, line: int, what: str) -> None:
    found, said = fault(text)
    assert (found, what in said) == (line, True), (found, said)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (RIFLE + 'state = "asleep"', "demoralized, disrupted or good order"),
        (RIFLE + '[[play]]\ndo = { type = "Activate", unit = "rifle", role = "fier" }', "fire"),
        (STEP + '[special]\ncommand = "fleet"', "formation or sector, or nothing"),
    ],
)
def test_where_one_of_a_few_words_is_expected_the_error_lists_them(text: str, expected: str) -> None:
    assert expected in remedy(text)


@rule("5.6")
def test_5_6_a_unit_that_carries_nobody_has_a_passenger() -> None:
    gun = '[units.gun]\nunit = "ger-at-50"\ncarrier = "{}"\n'
    line, said = fault(RIFLE + gun.format("rifle"))
    assert (line, said) == (7, "gun: rifle cannot carry units [5.6]")
    assert plays(STEP + '[units.truck]\nunit = "ger-truck"\nat = "1-A1"\n' + gun.format("truck"))


def test_an_initiative_without_dice() -> None:
    line, said = fault('step = "initiative"\n' + RIFLE.removeprefix(STEP))
    assert line == 1 - case_files.FIRST + 1
    assert said == "dice fall before the first decision, and the scripted dice have run out"


# --- positions that no rule allows -----------------------------------------------------------------------------


@rule("4.1", "4.2", "4.5")
def test_4_5_three_combat_units_and_three_transports_of_a_side() -> None:
    def stack(kind: str, count: int, nation: str = "german") -> str:
        rows = (f'[units.{kind}{at}]\nunit = "{kind}"\nside = "{nation}"\nat = "1-A1"\n' for at in range(count))
        return "".join(rows)

    assert plays(STEP + stack("ger-inf", 3) + stack("ger-truck", 3) + stack("sov-inf", 3, "soviet"))
    line, said = fault(STEP + stack("ger-inf", 4))
    assert (line, said) == (5, "ger-inf0: 1-A1 already holds three combat units [4.5]")
    assert "three transports [4.5]" in fault(STEP + stack("ger-truck", 4))[1]


@rule("5.6")
@pytest.mark.parametrize(
    ("more", "line", "what"),
    [
        ('at = "1-A2"\ncarrier = "truck"', 7, "rifle is at 1-A2, and its carrier at 1-A1"),
        ('carrier = "truck"\nside = "soviet"', 7, "truck is of the other side"),
    ],
)
def test_5_6_a_passenger_is_with_its_carrier(more: str, line: int, what: str) -> None:
    truck = STEP + '[units.truck]\nunit = "ger-truck"\nat = "1-A1"\n[units.rifle]\nunit = "ger-inf"\n'
    found, said = fault(truck + more)
    assert (found, what in said) == (line, True), (found, said)
    assert plays(truck + 'carrier = "truck"')
    assert plays(truck + 'at = "1-A1"\ncarrier = "truck"')


# --- what a case may print and count ---------------------------------------------------------------------------


@rule("11.01")
def test_11_01_an_anti_tank_value_may_be_printed_though_at_is_the_hex() -> None:
    units = RIFLE + (
        'at_value = 5\nat_range = 3\n[units.foe]\nunit = "sov-t34"\nat = "1-B4"\narmor = 1\n'
        '[[play]]\ndo = { type = "Activate", unit = "rifle", role = "fire" }\n'
        '[[expect]]\npreview = { type = "FireAntiTank", unit = "rifle", target = "foe" }\n'
        'calculations = [{ of = "foe", lines = [{ rule = "11.01", amount = 5 }, { rule = "11.01", amount = -1 }] }]\n'
    )
    assert plays(units)


@rule("15.13")
def test_15_13_aircraft_with_printed_values() -> None:
    stuka = STEP + (
        '[aircraft.stuka]\nunit = "ger-ju87"\nside = "german"\ndirect = 7\nat_value = 0\n'
        '[units.foe]\nunit = "sov-inf"\nat = "1-A1"\n[units.far]\nunit = "ger-inf"\nat = "1-D4"\n'
        '[[expect]]\npreview = { type = "SendAircraft", aircraft = "stuka", hex = "1-A1" }\n'
        'calculations = [{ of = "foe", lines = [{ rule = "15.13", label = "stuka, 7", amount = 7 }] }]\n'
    )
    assert plays(stuka)


@rule("17.4")
def test_17_4_segments_are_counted_and_the_fog_of_war_may_end_the_turn() -> None:
    """Each side has had three before this one: three dice are rolled, and sixteen ends the turn."""
    fog = 'options = ["17.4"]\ndice = [6, 6, 4]\n' + RIFLE + '[units.foe]\nunit = "sov-inf"\nat = "1-D4"\n'
    passing = '[[play]]\ndo = { type = "Pass" }\nasked = ""\nresult = "the turn ends"\n'
    assert plays(fog + "[segments]\ngerman = 3\nsoviet = 3\n" + passing)
    early = case_files.differences("panzer-grenadier", fog + "[segments]\ngerman = 2\nsoviet = 3\n" + passing)
    assert early[0] == "result the turn ends: no roll"


def test_segments_of_both_sides_are_shown() -> None:
    counted = RIFLE + '[units.foe]\nunit = "sov-inf"\nat = "1-D4"\n'
    do = ('{ type = "Activate", unit = "rifle", role = "move" }', '{ type = "EndSegment" }')
    play = "".join(f"[[play]]\ndo = {action}\n" for action in do)
    check = "state = { armies = { german = { segments = 1 }, soviet = { segments = 0 } } }\n"
    assert plays(counted + play + check)


# --- looks at what a case could not look at before -------------------------------------------------------------


@rule("5.1", "5.11")
def test_5_11_what_a_mover_has_left_and_what_its_next_step_costs() -> None:
    text = RIFLE + (
        'movement = 3\n[[play]]\ndo = { type = "Activate", unit = "rifle", role = "move" }\n'
        '[[expect]]\nquery = "steps"\nask = { unit = "rifle" }\nanswer = { left = 3, costs = { "1-B3" = 1 } }\n'
        '[[play]]\ndo = { type = "Move", unit = "rifle", to = "1-B3" }\nleft = 2\ncosts = { "1-B4" = 1 }\n'
    )
    assert plays(text)
    assert case_files.differences("panzer-grenadier", edited(text, "left = 2", "left = 2.5")) == [
        "rifle has 2.5 left: 2"
    ]


@rule("8.2", "8.0.a")
def test_8_2_who_spots_whom() -> None:
    """Woods hide a platoon from all but those within three hexes."""
    woods = edited(case_files.FIELD, ". . . .", "w . . .", 1)
    far = edited(edited(woods, "rows = 4", "rows = 8"), "\n'''\n", "\n. . . .\n. . . .\n. . . .\n. . . .\n'''\n")
    units = {"hides": ("sov-inf", "1-A1"), "near": ("ger-inf", "1-A4"), "far": ("ger-inf", "1-A6")}
    tables = "".join(f'[units.{name}]\nunit = "{kind}"\nat = "{at}"\n' for name, (kind, at) in units.items())
    ask = '[[expect]]\nquery = "spots"\nask = {{ unit = "{}" }}\nanswer = {{ {} }}\n'
    checks = ask.format("hides", 'by = ["near"], spots = ["near", "far"]') + ask.format("far", "spots = []")
    text = far.format(ruleset="panzer-grenadier") + STEP + tables + checks
    assert [str(one) for one in case.run(case.parse(text, "spots.toml"))] == []


@rule("8.4", "8.4.A1", "8.42.A1")
def test_8_4_a_hill_of_sixty_metres_looks_over_woods_at_forty() -> None:
    """Woods on level 1 reach up to 40 m: a unit at 60 m sees over them, one at 40 m does not."""
    for high, clear in (("p", True), ("h", False)):
        row = f"{high} sw sw {high}"
        text = edited(case_files.FIELD, ". . . .", row, 1).format(ruleset="panzer-grenadier") + STEP
        ask = '[[expect]]\nquery = "los"\nask = { start = "1-A1", to = "1-D1" }\n'
        found = case.run(case.parse(text + ask + f"answer = {{ clear = {str(clear).lower()} }}\n", "hill.toml"))
        assert [str(one) for one in found] == []


@rule("12.4", "12.4.a")
def test_12_4_a_preview_of_an_assault_shows_the_attackers_too() -> None:
    text = STEP + (
        '[units.lt]\nunit = "leader"\nside = "german"\nat = "1-B3"\n'
        '[units.rifle]\nunit = "ger-inf"\nat = "1-B3"\ndirect = 5\n'
        '[units.foe]\nunit = "sov-inf"\nat = "1-B2"\ndirect = 8\n'
        '[[play]]\ndo = { type = "ActivateLeader", unit = "lt" }\n'
        '[[play]]\ndo = { type = "DesignateAll", role = "fire" }\n'
        '[[play]]\ndo = { type = "Begin" }\n'
        '[[expect]]\npreview = { type = "EnterAssault", unit = "rifle", to = "1-B2" }\n'
        'calculations = [{ of = "foe", lines = [{ kind = "attack", label = "rifle, 5" }] },'
        ' { of = "the attackers", lines = [{ kind = "attack", label = "foe, 8" }] }]\n'
    )
    assert plays(text)
