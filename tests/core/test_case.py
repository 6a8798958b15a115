"""Case files: what holds passes, what differs is told with its line, what cannot be read is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import duel
from opfire.core import case, casefile
from opfire.core.errors import BadInput

POSITION = """\
ruleset = "duel"
side = "red"
dice = {dice}
[sides.red]
[sides.blue]
[units.a]
unit = "soldier"
at = "A1"
aim = 1
[units.b]
unit = "soldier"
side = "blue"
at = "A2"
"""
RULES = """\
rule,title,level,kind,statement
1.1,Shots,basic,mechanic,A unit shoots
1.2,Aim,basic,mechanic,Aim is added
1.3,Targets,basic,mechanic,Only enemies
"""
LINES = POSITION.count("\n")  # the first line after it is LINES + 1


@pytest.fixture(autouse=True)
def _duel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "rules.csv").write_text(RULES)
    (tmp_path / "words.py").write_text("KINDS = 'moved', 'block', 'wreck', 'modifier', 'Aim'\n")
    for module in (case, casefile):
        monkeypatch.setattr(module, "find", lambda name: duel.ruleset(tmp_path))


def differences(text: str, dice: str = "[4]") -> list[tuple[int, str, str]]:
    found = case.run(case.parse(POSITION.format(dice=dice) + text, "duel.toml"))
    assert {one.case for one in found} <= {"duel.toml"}
    return [(one.line, one.expected, one.got) for one in found]


SHOT = '[[play]]\ndo = { type = "Shoot", unit = "a", target = "b" }\n'


def test_everything_a_decision_may_expect() -> None:
    assert (
        differences(
            SHOT
            + """
result = "X"
results = ["X"]
modifier = 1
column = ""
chances = { X = "1/2", none = "3/6" }
lines = [{ rule = "1.2", value = "+1" }]
no_lines = [{ rule = "1.2", value = "-1" }]
events = ["fired"]
no_events = ["moved"]
asked = ""
units = { b = { down = true, at = "A2" }, a = { down = false } }
stacks = { A1 = ["a"], A2 = ["b"], A3 = [] }
state = { turn = 1 }
markers = [{ kind = "wreck", at = "B2" }]
no_markers = [{ kind = "block" }]
not_offered = [{ type = "Rest" }]
outcome = { winner = "red", level = "decisive" }
"""
        )
        == []
    )


@pytest.mark.parametrize(
    ("expectation", "expected", "got"),
    [
        ('result = "none"', "result none", "X"),
        ("results = []", "results []", "['X']"),
        ("modifier = 0", "modifier 0", "1"),
        ('column = "2:1"', "column 2:1", ""),
        (
            'chances = { X = "1/3", none = "2/3" }',
            "{'X': '1/3', 'none': '2/3'}",
            "{'none': '1/2', 'X': '1/2'}",
        ),
        ('lines = [{ rule = "1.3" }]', 'a line {"rule":"1.3"}', "Aim +1 [1.2]"),
        ('no_lines = [{ rule = "1.2" }]', 'no line {"rule":"1.2"}', "Aim +1 [1.2]"),
        ('events = ["moved"]', "an event 'moved'", "fired, over"),
        ('no_events = ["over"]', "no event 'over'", "fired, over"),
        ('asked = "blue"', "blue is asked", "nobody"),
        ('frame = "Duel"', "the frame Duel", "the end"),
        ('step = "assault"', "the step assault", "the end"),
        ("units = { b = { down = false } }", "b: down false", "true"),
        ("units = { c = { down = false } }", "a unit c", "none of that name"),
        ("units = { b = { dwon = true } }", "b: dwon true", "no dwon; there is aim, down, id, place, side"),
        ('stacks = { A2 = ["a"] }', "A2 holds ['a']", "['b']"),
        ("state = { turn = 2 }", "the game: turn 2", "1"),
        ('markers = [{ kind = "block" }]', 'a marker {"kind":"block"}', '"kind":"wreck"'),
        ('no_markers = [{ kind = "wreck" }]', 'no marker {"kind":"wreck"}', '"kind":"wreck"'),
        ('offers = [{ type = "Rest" }]', 'the offer {"type":"Rest"}', "[]"),
        ('outcome = { winner = "blue" }', 'the outcome {"winner":"blue"}', '"winner":"red"'),
    ],
)
def test_what_differs_is_told_with_the_line_of_the_decision(expectation: str, expected: str, got: str) -> None:
    [(line, said, found)] = differences(SHOT + expectation)
    assert line == LINES + 1
    assert expected in said
    assert got in found


@pytest.mark.parametrize("word", ["place", "hex", "at"])
def test_a_place_may_be_called_by_the_words_of_case_files(word: str) -> None:
    assert differences(SHOT + f'units = {{ b = {{ {word} = "A2" }} }}\nmarkers = [{{ {word} = "B2" }}]') == []
    [(_, said, found)] = differences(SHOT + f'units = {{ b = {{ {word} = "A9" }} }}')
    assert (said, found) == (f'b: {word} "A9"', '"A2"')


@pytest.mark.parametrize(("place", "places"), [("place", "places"), ("hex", "hexes")])
def test_queries_are_asked_and_answered_in_the_words_of_case_files(place: str, places: str) -> None:
    asked = f'[[expect]]\nquery = "alone"\nask = {{ {place} = "A2" }}\nanswer = {{ {places} = ["A2"] }}\n'
    assert differences(asked, "[]") == []
    [(_, _, found)] = differences(asked.replace('["A2"]', '["A1"]'), "[]")
    assert found == '{"places":["A2"]}'


def test_an_offer_that_should_not_be_there() -> None:
    rest = '[[play]]\ndo = { type = "Rest" }\n'
    found = differences(rest + 'asked = "blue"\nnot_offered = [{ type = "Shoot", unit = "b" }]', "[]")
    assert found == [(LINES + 1, 'no offer {"type":"Shoot","unit":"b"}', "it is offered")]


def test_a_refusal_is_expected_by_its_rule() -> None:
    own_goal = '[[play]]\ndo = { type = "Shoot", unit = "a", target = "a" }\n'
    assert differences(own_goal + 'refused = "1.3"', "[]") == []
    [(_, expected, got)] = differences(own_goal + 'refused = "1.1"', "[]")
    assert (expected, got) == ("refused by 1.1", "a is no target [1.3]")


def test_a_decision_that_is_not_refused_as_expected_is_not_played() -> None:
    [(_, expected, got)] = differences(SHOT + 'refused = "1.3"', "[]")
    assert (expected, got) == ("refused by 1.3", "allowed")


def test_a_decision_that_is_refused_against_expectation_ends_the_case() -> None:
    wrong = '[[play]]\nseat = "blue"\ndo = { type = "Rest" }\n'
    [(line, _, got)] = differences(wrong + '[[play]]\ndo = { type = "Rest" }\nasked = "red"', "[]")
    assert line == LINES + 1
    assert got == "refused: blue has nothing to decide now: wait for the other side [procedure]"


def test_dice_of_a_decision_come_before_those_of_the_case() -> None:
    second = '[[play]]\ndo = { type = "Shoot", unit = "b", target = "a" }\nresult = "none"\n'
    assert differences(SHOT + 'dice = [3]\nresult = "none"\n' + second, "[4]") == []  # b has no aim: 4 misses


def test_too_few_and_too_many_dice_are_differences() -> None:
    [(_, _, got)] = differences(SHOT, "[]")
    assert "run out" in got
    [(line, expected, got)] = differences(SHOT, "[4, 6]")
    assert (line, expected, got) == (LINES + 1, "every die used", "[6] left over")
    [(_, expected, got)] = differences(SHOT + "dice = [4, 2]", "[]")
    assert (expected, got) == ("dice [4, 2] used", "[2] left over")


def test_checks_without_a_decision_stand_in_the_order_of_the_file() -> None:
    text = (
        '[[expect]]\npreview = { type = "Shoot", unit = "a", target = "b" }\nmodifier = 1\n'
        'chances = { X = "1/2", none = "1/2" }\n'
        '[[expect]]\ndo = { type = "Shoot", unit = "b", target = "a" }\nrefused = "1.1"\n'
        '[[expect]]\nquery = "count"\nask = { what = "units" }\nanswer = 2\n'
        '[[play]]\ndo = { type = "Rest" }\n'
        '[[expect]]\ndo = { type = "Shoot", unit = "b", target = "a" }\nasked = "blue"\n'
    )
    assert differences(text, "[]") == []
    found = case.parse(POSITION.format(dice="[]") + text, "x")
    assert [found.line(*step.path) - LINES for step in found.steps] == [
        1,
        5,
        8,
        12,
        14,
    ]


def test_a_check_that_fails_does_not_end_the_case() -> None:
    text = '[[expect]]\nasked = "blue"\n[[expect]]\nquery = "count"\nask = { what = "units" }\nanswer = 3\n'
    assert differences(text, "[]") == [
        (LINES + 1, "blue is asked", "red"),
        (LINES + 3, "count answers 3", "2"),
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("ruleset = ", "not TOML"),
        ('title = "x"', "ruleset"),
        ('ruleset = "duel"\nsquads = 3', "squads"),
        ('ruleset = "duel"\n[units.a]\nat = "A1"', "unit a"),
        ('ruleset = "duel"\nside = "green"\n[sides.red]\n[sides.blue]', "'green'"),
        ('ruleset = "duel"\n[[play]]\ndo = "shoot"', "play"),
        ('ruleset = "duel"\nplay = [{ do = { type = "Rest" } }]', "table of its own"),
        ('ruleset = "duel"\n[sides.red]\nplane = 1', "sides"),
    ],
)
def test_what_is_no_case_is_refused_with_its_name(text: str, what: str) -> None:
    with pytest.raises(BadInput, match=r"^bad\.toml:\d+: ") as caught:
        case.parse(text, "bad.toml")
    assert what in str(caught.value)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('[[play]]\ndo = { type = "Dance" }', "Dance"),
        ('[[expect]]\nquery = "weather"', "weather"),
        ('[[expect]]\nquery = "count"', "count"),
    ],
)
def test_what_the_ruleset_does_not_know_is_bad_input(text: str, what: str) -> None:
    with pytest.raises(BadInput, match=what):
        differences(text, "[]")


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(BadInput, match=r"nowhere\.toml"):
        case.read(Path("nowhere.toml"))
