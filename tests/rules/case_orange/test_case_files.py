"""Case files of Case Orange: wrong values and impossible positions are refused, with file and line."""

from __future__ import annotations

from functools import partial

import pytest

from edits import edited
from opfire.core import case
from opfire.core.errors import BadInput
from rules import case_files
from rules.case_orange.drawing import rule

fault = partial(case_files.fault, "case-orange")
plays = partial(case_files.plays, "case-orange")
differs = partial(case_files.differences, "case-orange")
remedy = partial(case_files.remedy, "case-orange")

TANK = '[units.tank]\nunit = "t-34-76"\nat = "1-A1"\n'
GROUP = '[[indirect]]\nside = "soviet"\nkind = "barrage"\nunits = ["t-34-76"]\n'
RIFLE = '[units.rifle]\nunit = "rifle-42-german"\nat = "1-B2"\n'


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (TANK + 'attack = "12"', 4, "attack = '12': Expected `int`, got `str`"),
        (TANK + "defence = -1", 4, "defence = -1"),
        (TANK + 'weapon = "Q"', 4, "weapon = 'Q': Invalid enum value"),
        (TANK + 'carries = "3"', 4, "carries = '3'"),
        (TANK + "carries = 1", 4, "carries = 1: Expected `str`, got `int`"),
        (TANK + 'status = "asleep"', 4, "status = 'asleep'"),
        (TANK + 'dispersed = "DDD"', 4, "dispersed = 'DDD'"),
        (TANK + 'face_up = "no"', 4, "face_up = 'no'"),
        (TANK + 'below = "water"', 4, "below = 'water'"),
        (TANK + "atack = 3", 4, "no value 'atack'"),
        (TANK + 'carrier = "truck"', 4, "there is no carrier 'truck'"),
        (TANK + 'carrier = "tank"', 4, "there is no carrier 'tank'"),
        (TANK + 'registered = "1-Z9"', 4, "'1-Z9' is not a hex"),
        ('[units.tank]\nunit = "t-99"\nat = "1-A1"', 2, "there is no unit 't-99'"),
        ('[units.tank]\nunit = "t-34-76"\nat = "1-Z1"', 3, "'1-Z1' is not a hex"),
        ('[[markers]]\nkind = "tent"\nat = "1-A1"', 1, "marker 'tent'"),
        ('[[markers]]\nkind = "wreck"\nat = "1-Z1"', 1, "'1-Z1' is not a hex"),
        ('[[markers]]\nkind = "wreck"\nat = "1-A1"\nvalue = "two"', 1, "value 'two'"),
        (GROUP + 'observers = ["cp-x"]', 1, "there is no unit 'cp-x'"),
        (GROUP + 'limits = [{ units = ["t-34-76"], most = 0 }]', 1, "a limit of 0 for t-34-76"),
        ('[[markers]]\nkind = "fort"\nat = "1-A1"\nholds = { cats = 1 }', 1, "'cats' is neither a unit nor a type"),
        ('step = "asault"', 1, "there is no step 'asault'"),
        ('options = ["99.9"]', 1, "option '99.9'"),
        ("turn = -3", 1, "`int` >= 1 - at `$.turn`"),
        ("turns = 0", 1, "`int` >= 1 - at `$.turns`"),
        ('rules = ["9.5.2", "99.9"]', 1, "there is no rule '99.9'"),
        ('rules = ["overrun"]', 1, "there is no rule 'overrun'"),
        (TANK + '[[expect]]\nquery = "los"\nask = { start = "1-A1", to = "1-Z9" }', 6, "'1-Z9' is not a hex"),
        (TANK + '[[expect]]\nquery = "reach"\nask = { unit = "tnak" }', 6, "there is no unit 'tnak'"),
        (TANK + '[[expect]]\npreview = { type = "Attack", unit = "tnak", target = "tank" }', 5, "no unit tnak"),
        (TANK + '[[expect]]\nnot_offered = [{ type = "Attack", unit = "tnak" }]', 5, "no unit tnak"),
        (TANK + '[[expect]]\nno_events = ["dispresed"]', 5, "no event 'dispresed'"),
        (TANK + '[[expect]]\nno_markers = [{ kind = "wrek" }]', 5, "no marker 'wrek'"),
        (TANK + '[[expect]]\nno_lines = [{ rule = "9.99" }]', 5, "no rule '9.99'"),
        (TANK + '[[expect]]\nno_lines = [{ label = "Uphil" }]', 5, "no line of label 'Uphil'"),
    ],
)
def test_a_wrong_value_has_a_line_and_a_sentence(text: str, line: int, what: str) -> None:
    found, said = fault(text)
    assert (found, what in said) == (line, True), (found, said)


def test_a_case_may_cite_a_part_of_a_rule_a_chapter_or_a_reading() -> None:
    assert plays('rules = ["9.5.2", "9.5.2.1", "9.8-P3-A1", "9", "15", "R63", "16.2"]\n' + TANK)


def test_a_case_may_cite_a_reading_that_is_no_option() -> None:
    assert plays('rules = ["R1", "R44", "9.5.2(a)"]\n' + TANK)
    assert fault('rules = ["R999"]') == (1, "there is no rule 'R999'")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TANK + 'dispersed = "DDD"', "D or DD, or nothing"),
        (TANK + 'below = "water"', "dug-in, fort or position, or nothing"),
        (TANK + 'weapon = "Q"', "(H), A, C, C(I), H, I or M"),
        (TANK + '[[play]]\ndo = { type = "Oberrun" }', "Overrun"),
    ],
)
def test_where_one_of_a_few_words_is_expected_the_error_lists_them(text: str, expected: str) -> None:
    assert expected in remedy(text)


@rule("5.7.4", "5.7.5")
def test_5_7_4_a_unit_that_carries_nobody_has_a_passenger() -> None:
    gun = '[units.gun]\nunit = "pak-75"\ncarrier = "{}"\n'
    assert fault(RIFLE + gun.format("rifle")) == (6, "gun: rifle cannot carry other units [5.7.4]")
    truck, riders = '[units.truck]\nunit = "truck-german"\nat = "1-A1"\n', edited(gun, "pak-75", "rifle-41-soviet")
    assert plays(truck + gun.format("truck"))
    assert plays(TANK + riders.format("tank"))


def test_names_of_things_that_are_rightly_absent() -> None:
    absent = (
        'no_events = ["dispersed", "wreck", "over"]\nno_markers = [{ kind = "wreck", at = "1-A1" }]\n'
        'no_lines = [{ rule = "9.3.1" }, { label = "Uphill" }, { label = "tank, adjusted" }, { kind = "shift" }]\n'
        'not_offered = [{ type = "Fire" }, { unit = "tank" }]\n'
    )
    assert plays(TANK + f"[[expect]]\n{absent}")


# --- positions that no rule allows -----------------------------------------------------------------------------


@rule("7.1")
def test_7_1_more_stacking_points_than_a_hex_holds() -> None:
    tanks = "".join(f'[units.t{number}]\nunit = "pz-iv-h"\nat = "1-A1"\n' for number in range(5))
    line, said = fault(tanks)
    assert (line, said) == (3, "t0: 5 stacking points in 1-A1 are more than fit [7.1]")
    assert plays(edited(edited(tanks, "[units.t4]", '[units.t4]\ncarrier = ""', 1), '"1-A1"', '"1-B1"', 1))


@rule("10.4.7")
def test_10_4_7_more_than_fit_above_a_fortification() -> None:
    fort = '[[markers]]\nkind = "fort"\nat = "1-A1"\nallowance = 3\n'
    tanks = "".join(f'[units.t{number}]\nunit = "pz-iv-h"\nat = "1-A1"\n' for number in range(2))
    assert fault(fort + tanks) == (7, "t0: 2 stacking points in 1-A1 are more than fit [10.4.7]")


@rule("10.2", "10.3.5", "10.4.5")
@pytest.mark.parametrize(("below", "rules"), [("dug-in", "10.2"), ("position", "10.3.5"), ("fort", "10.4.5")])
def test_10_1_below_works_that_are_not_there(below: str, rules: str) -> None:
    line, said = fault(RIFLE + f'below = "{below}"')
    assert line == 4
    assert said.endswith(f"[{rules}]")
    assert plays(RIFLE + f'below = "{below}"\n[[markers]]\nkind = "{below}"\nat = "1-B2"\n')


@pytest.mark.parametrize("side", ["german", "soviet"])
def test_a_dug_in_marker_without_a_side_belongs_to_the_unit_below_it(side: str) -> None:
    marker = '[[markers]]\nkind = "dug-in"\nat = "1-B2"\n'
    check = f'[[expect]]\nmarkers = [{{ kind = "dug-in", side = "{side}" }}]\n'
    assert plays(marker + RIFLE + f'side = "{side}"\nbelow = "dug-in"\n' + check)


def test_enemies_in_one_hex() -> None:
    other = '[units.other]\nunit = "rifle-41-soviet"\nat = "1-B2"\n'
    assert fault(RIFLE + other) == (6, "other: Units of both sides are in 1-B2 [procedure]")


def test_mines_without_a_side() -> None:
    mines = '[[markers]]\nkind = "mines"\nat = "1-A1"\nvalue = "1:1"\n'
    assert fault(mines) == (1, "mines without a side")
    assert fault(mines + 'side = "grey"') == (5, "the side 'grey' does not exist")
    assert plays(mines + 'side = "german"')


@rule("5.7.1")
@pytest.mark.parametrize(
    ("more", "line", "what"),
    [
        ('at = "1-A2"\ncarrier = "truck"', 6, "rifle is at 1-A2, and its carrier at 1-A1"),
        ('at = "1-A1"\ncarrier = "truck"\nside = "soviet"', 7, "truck is of the other side"),
        ('carrier = "second"\n[units.second]\nunit = "truck-german"\ncarrier = "truck"', 6, "is carried itself"),
        ('carrier = "truck"\n[units.second]\nunit = "pak-75"\ncarrier = "truck"', 9, "truck carries two units"),
    ],
)
def test_5_7_1_a_passenger_is_with_its_carrier(more: str, line: int, what: str) -> None:
    truck = '[units.truck]\nunit = "truck-german"\nat = "1-A1"\n[units.rifle]\nunit = "rifle-42-german"\n'
    found, said = fault(truck + more)
    assert (found, what in said) == (line, True), (found, said)
    assert plays(truck + 'carrier = "truck"')
    assert plays(truck + 'at = "1-A1"\ncarrier = "truck"')


# --- looks at what a case could not look at before -------------------------------------------------------------


@rule("5.1", "15.2")
def test_5_1_what_a_mover_has_left_and_what_its_next_step_costs() -> None:
    """A half-track of three factors: each clear hex takes one."""
    text = (
        'step = "vehicle"\n[units.track]\nunit = "half-track-german"\nat = "1-A1"\nmovement = 3\n'
        '[[expect]]\nquery = "steps"\nask = { unit = "track" }\nanswer = { left = 3, costs = { "1-A2" = 1 } }\n'
        '[[play]]\ndo = { type = "Move", unit = "track", to = "1-A2" }\n'
        'left = 2\ncosts = { "1-A3" = 1, "1-A1" = 1 }\n'
    )
    assert plays(text)
    wrong = edited(edited(edited(text, "left = 2\n", "left = 3\n"), '"1-A3" = 1', '"1-A3" = 2'), '"1-A1"', '"1-C4"', 3)
    found = case_files.differences("case-orange", edited(wrong, 'at = "1-C4"', 'at = "1-A1"'))
    assert found == ["track has 3 left: 2", "1-A3 costs 2: 1", "1-C4 costs 1: no step there"]


def test_nobody_is_moving() -> None:
    assert case_files.differences("case-orange", TANK + "[[expect]]\nleft = 3\n") == [
        "a unit that is moving: DirectFireSegment"
    ]


@rule("8.0", "8.1.4")
def test_8_0_who_spots_whom() -> None:
    """Rifles in woods are spotted by their marker alone; lorries spot nobody, nor do units that have acted."""
    woods = edited(case_files.FIELD, ". . . .", ". w . .", 1).format(ruleset="case-orange")
    units = {
        "far": ("rifle-42-german", "1-D4", ""),
        "lorry": ("truck-german", "1-D3", ""),
        "spent": ("rifle-42-german", "1-D2", "face_up = false\n"),
        "hides": ("rifle-41-soviet", "1-B1", ""),
        "open": ("rifle-41-soviet", "1-C4", ""),
    }
    rows = (f'[units.{name}]\nunit = "{kind}"\nat = "{at}"\n{more}' for name, (kind, at, more) in units.items())
    ask = '[[run.expect]]\nquery = "spots"\nask = {{ unit = "{}" }}\nanswer = {{ {} }}\n'
    hidden = ask.format("hides", 'by = [], spots = { contains = ["far"] }')
    hidden += (
        ask.format("far", 'spots = ["open"]') + ask.format("lorry", "spots = []") + ask.format("spent", "spots = []")
    )
    marked = '[run.units.hides]\nspotted = "spotted"\n' + ask.format("hides", 'by = ["far"]')
    text = woods + "".join(rows) + "[[run]]\n" + hidden + "[[run]]\n" + marked
    assert [str(one) for run in case.cases(text, "spots.toml") for one in case.run(run)] == []


@rule("9.6.2", "12.3.2")
def test_9_6_2_indirect_fire_is_looked_at_target_by_target() -> None:
    text = (
        'step = "indirect"\n[units.mortar]\nunit = "mortar-81-german"\nat = "1-A1"\nattack = 8\nregistered = "1-C4"\n'
        '[units.watch]\nunit = "rifle-42-german"\nat = "1-A2"\n'
        '[units.foot]\nunit = "rifle-41-soviet"\nat = "1-C4"\ndefence = 8\n'
        '[units.tank]\nunit = "t-34-76"\nat = "1-C4"\ndefence = 4\n'
        '[[expect]]\npreview = { type = "DeclareFire", unit = "mortar", hex = "1-C4", how = "registered" }\n'
        'calculations = [{ of = "foot", column = "1:1" }, { of = "tank", lines = [{ kind = "factor" }] }]\n'
    )
    assert plays(text)


@pytest.mark.parametrize(
    ("target", "of"),
    [("tank", "tank"), ("fort@1-C2", "fort@1-C2"), ("foot", "foot")],
)
def test_9_5_direct_fire_is_looked_at_by_its_target(target: str, of: str) -> None:
    """A fortification is called by its hex."""
    text = (
        '[units.gun]\nunit = "pak-75"\nat = "1-A1"\nattack = 20\n'
        '[units.tank]\nunit = "t-34-76"\nat = "1-C4"\n'
        '[units.foot]\nunit = "rifle-41-soviet"\nat = "1-B3"\n'
        '[[markers]]\nkind = "fort"\nat = "1-C2"\nvalue = "10/5"\nside = "soviet"\nallowance = 3\n'
    )
    attack = f'{{ type = "Attack", unit = "gun", target = "{target}" }}'
    look = f'calculations = [{{ of = "{of}", title = "Direct fire" }}]\n'
    begun = f'[[play]]\ndo = {attack}\n[[expect]]\npreview = {{ type = "Fire" }}\n{look}'
    assert plays(text + f"[[expect]]\npreview = {attack}\n{look}")
    assert plays(text + begun)
    assert differs(text + begun.replace(f'of = "{of}"', 'of = "gun"'))


def test_9_6_2_a_roll_of_indirect_fire_at_a_fortification_is_looked_at_by_its_name() -> None:
    text = (
        'step = "indirect"\n[units.mortar]\nunit = "mortar-120-german"\nat = "1-A1"\nattack = 20\nregistered = "1-C4"\n'
        '[units.watch]\nunit = "cp-german"\nat = "1-A2"\n'
        '[[markers]]\nkind = "fort"\nat = "1-C4"\nvalue = "10/5"\nside = "soviet"\nallowance = 3\n'
        '[[play]]\ndo = { type = "DeclareFire", unit = "mortar", hex = "1-C4", how = "registered" }\n'
        '[[play]]\ndo = { type = "EndSegment" }\ndice = [1]\ncalculations = [{ of = "fort@1-C4" }]\n'
    )
    assert plays(text)


@pytest.mark.parametrize("act", ["Assault", "Overrun"])
def test_9_7_an_assault_and_an_overrun_are_looked_at_by_the_units_of_the_hex(act: str) -> None:
    unit, step = {"Assault": ("engineer-german", "assault"), "Overrun": ("pz-iv-h", "vehicle")}[act]
    text = (
        f'step = "{step}"\n[units.mine]\nunit = "{unit}"\nat = "1-A1"\nattack = 20\n'
        '[units.foot]\nunit = "rifle-41-soviet"\nat = "1-A2"\n'
        f'[[expect]]\npreview = {{ type = "{act}", unit = "mine", hex = "1-A2" }}\n'
        'calculations = [{ of = "foot" }]\n'
    )
    assert plays(text)
    assert differs(text.replace('of = "foot"', 'of = "mine"'))


def test_a_peak_is_higher_than_any_hilltop_of_the_book() -> None:
    with pytest.raises(BadInput, match="1-B1 is a peak, level 3"):
        case.run(case.parse(edited(case_files.FIELD, ". . . .", ". p . .", 1).format(ruleset="case-orange"), "x.toml"))
