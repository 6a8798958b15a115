"""Case files of this book: what has happened to markers, aircraft and forces before the position."""

from __future__ import annotations

import pytest

from opfire.core import case
from opfire.core.errors import BadInput
from rules.micro_armour.kit import rule

HEAD = """\
ruleset = "micro-armour"
side = "german"
turn = 2
[table]
size = [30, 20]
areas = [{ kind = "light-buildings", points = "9,3 13,3 13,6 9,6" }]
[sides.german]
name = "Germans"
facing = 90
cohesion = 15
[sides.soviet]
name = "Soviets"
facing = 270
cohesion = 13
[units.rifles]
unit = "ger-infantry-43"
at = "5,10"
posture = "movement"
group = "rifles"
[units.staff]
unit = "ger-infantry-hq"
at = "5,15"
rank = "GHQ"
[units.gun]
unit = "sov-122mm-how-m-30-2"
at = "25,10"
"""


def faults(text: str, *top: str) -> list[str]:
    """The differences of a case from what it expects; `top` are lines of its head."""
    written = "\n".join((*top, HEAD + text))
    return [str(each) for run in case.cases(written, "test.toml") for each in case.run(run)]


@rule("7.4.3.4", "7.4.4-values")
def test_7_4_3_4_a_marker_with_a_battery_strikes_a_stand_that_moves_into_it() -> None:
    """HE 8 against half of 6 is +5: D on an 8. Half of the stand is in the zone from 6 on, which costs 3 an inch."""
    text = """
[[markers]]
kind = "impact"
at = "6.5,10"
side = "soviet"
battery = "gun"
[[play]]
do = { type = "Order", unit = "rifles" }
dice = [5]
[[play]]
do = { type = "Move", unit = "rifles", to = "6.1,10", facing = 90 }
dice = [4, 4]
result = "D"
column = "+5"
lines = [{ rule = "7.4.4-values", amount = 8 }]
"""
    assert faults(text, 'step = "orders"', "dice = [3, 4]") == []


SHOT = """
[units.tank]
unit = "ger-panzer-iv-f2-h-7-5cm"
at = "20,10"
facing = 90
[[play]]
do = { type = "Begin", first = "german" }
[[play]]
do = { type = "Engage", unit = "tank", target = "gun" }
[[play]]
do = { type = "Fire" }
dice = [1, 1, 1, 1]
"""


@rule("12.1.1", "12.1.3", "12.1.4")
@pytest.mark.parametrize(("hand", "breaks"), [("[]", False), ("[1]", True)])
def test_12_1_4_a_force_breaks_by_the_cards_that_it_has_drawn_before(hand: str, breaks: bool) -> None:
    """One armed stand of which 35 per cent count 2.45, so that 2 are endured: the first card left is an ace or a 2."""
    expected = "events" if breaks else "no_events"
    text = f'{SHOT}{expected} = ["broken"]\n'
    assert faults(text, 'step = "fire"', 'options = ["12.1"]', f"hands = {{ soviet = {hand} }}") == []


@rule("12.1.1")
def test_12_1_1_a_deck_has_four_cards_of_a_value() -> None:
    with pytest.raises(BadInput, match="there are 4 cards of 7 in a deck"):
        faults("", 'step = "fire"', 'options = ["12.1"]', "hands = { soviet = [7, 7, 7, 7, 7] }")


@rule("11.4.2")
@pytest.mark.parametrize(("harm", "left"), [(0, "medium position"), (1, "rough-1")])
def test_11_4_2_the_second_e_takes_a_medium_position_away(harm: int, left: str) -> None:
    """HE 9 against 8 is +1: E on a 2."""
    text = f"""
[units.heavy]
unit = "ger-105mm-ifh18-2"
at = "1,1"
facing = 90
he = 9
[units.men]
unit = "sov-infantry-43-45"
at = "20,3"
disorganized = true
[[markers]]
kind = "medium position"
at = "20,3"
side = "soviet"
facing = 270
harm = {harm}
[[play]]
do = {{ type = "Begin", first = "german" }}
[[play]]
do = {{ type = "FireDirect", unit = "heavy", to = "20,3", pattern = "closed", toward = "N" }}
dice = [1, 1, 1]
markers = [{{ kind = "{left}", at = "20,3" }}]
"""
    assert faults(text, 'step = "artillery"') == []


@rule("12.3.2", "12.3.6")
@pytest.mark.parametrize(("strafed", "refused"), [(0, ""), (1, 'refused = "12.3.2"')])
def test_12_3_2_an_aircraft_that_has_strafed_strafes_no_more(strafed: int, refused: str) -> None:
    text = f"""
[[strikes]]
aircraft = "germany-junkers-ju87-g-1"
side = "german"
arrives = 1
strafed = {strafed}
[[play]]
do = {{ type = "Begin", first = "german" }}
[[expect]]
do = {{ type = "Strafe", plane = "strike-1", target = "gun", beyond = "" }}
{refused}
"""
    assert faults(text, 'step = "artillery"', 'options = ["12.3"]') == []


def test_a_marker_of_fire_names_a_stand_of_the_case() -> None:
    with pytest.raises(BadInput, match="no stand 'nobody'"):
        faults('[[markers]]\nkind = "impact"\nat = "6,6"\nbattery = "nobody"\n', 'step = "fire"')


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ('[units.lost]\nunit = "ger-infantry-43"\n', "lost has no place", "`at`, `carrier`"),
        ('[units.odd]\nunit = "sov-t-34c"\nat = "20,15"\nfacing = 360\n', "a facing of 360 degrees", "0 to 359"),
        ('[[markers]]\nkind = "mines"\nat = "3,3"\nvalue = "hasty"\n', "mines belong to a side", "german or soviet"),
        (
            '[[markers]]\nkind = "mines"\nat = "3,3"\nvalue = "normal"\nside = "soviet"\n',
            "no minefield 'normal'",
            "hasty",
        ),
        (
            '[[missions]]\nside = "soviet"\nkind = "support"\nbatteries = ["guns"]\nat = "9,9"\n',
            "no stand 'guns'",
            "gun",
        ),
        ('[[missions]]\nside = "soviet"\nkind = "suport"\nbatteries = ["gun"]\nat = "9,9"\n', "'suport'", "support"),
        (
            '[[strikes]]\naircraft = "germany-henschel-hs-129-b2-1"\nside = "german"\narrives = 2\n'
            'bombs = [{ at = "9,9", turn = 2 }]\n',
            "cannot bomb in turn 2",
            "turn 3 or turn 4",
        ),
    ],
)
def test_a_position_that_cannot_be_is_a_fault(text: str, said: str, expected: str) -> None:
    with pytest.raises(BadInput) as raised:
        faults(text, 'step = "fire"')
    assert said in raised.value.what
    assert expected in raised.value.expected


@rule("7.4.10")
def test_7_4_10_artillery_of_a_case_does_not_fire_and_move() -> None:
    with pytest.raises(BadInput) as raised:
        faults('[units.more]\nunit = "sov-122mm-how-m-30-2"\nat = "25,15"\nposture = "fire/move"\n', 'step = "fire"')
    assert "7.4.10" in raised.value.what


@rule("8.1.1")
def test_8_1_1_a_stand_on_the_move_without_a_group_is_a_group_of_its_own() -> None:
    text = """
[units.more]
unit = "ger-infantry-43"
at = "5,11"
posture = "movement"
[[play]]
do = { type = "Order", unit = "more" }
dice = [5]
calculations = [{ of = "more" }]
[[expect]]
do = { type = "Move", unit = "rifles", to = "6,10", facing = 90 }
refused = "8.2.4-roll"
"""
    assert faults(text, 'step = "orders"', "dice = [3, 4]") == []
