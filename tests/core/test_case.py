"""Case files: what holds passes, what differs is told with its line, what cannot be read is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import duel
from edits import edited
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
    [(_, _, found)] = differences(edited(asked, '["A2"]', '["A1"]'), "[]")
    assert found == '{"places":["A2"]}'


def test_an_offer_that_should_not_be_there() -> None:
    rest = '[[play]]\ndo = { type = "Rest" }\n'
    found = differences(rest + 'asked = "blue"\nnot_offered = [{ type = "Shoot", unit = "b" }]', "[]")
    assert found == [(LINES + 1, 'no offer {"type":"Shoot","unit":"b"}', "it is offered")]


def test_an_offer_that_is_not_there() -> None:
    rest = '[[play]]\ndo = { type = "Rest" }\n'
    wanted = 'offers = [{ type = "Shoot", unit = "b", target = "b" }]'
    [(_, said, _)] = differences(rest + wanted, "[]")
    assert said == 'the offer {"type":"Shoot","unit":"b","target":"b"}'
    assert differences(rest + 'offers = [{ type = "Shoot", unit = "b" }]', "[]") == []


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
    told, _, due = got.partition("; ")
    assert told == "refused: blue has nothing to decide now: wait for the other side [procedure]"
    assert due.startswith("red: ")
    assert due.endswith("(Shoot, Rest)")


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


# --- faults, with their lines ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('ruleset = "duel"\nturn = "one"', 2, "Expected `int`, got `str`"),
        ('ruleset = "duel"\n\nsquads = 3', 3, "unknown field `squads`"),
        ('ruleset = "duel"\n[units.a]\nat = "A1"', 2, "unit a: Object missing required field `unit`"),
        ('ruleset = "duel"\n[units.a]\nunit = "soldier"\nat = 3', 4, "unit a: Expected `str`"),
        ('ruleset = "duel"\n[units.a]\nunit = "soldier"\nside = "grey"', 4, "the side 'grey' does not exist"),
        ('ruleset = "duel"\nside = "green"\n[sides.red]\n[sides.blue]', 2, "the side 'green' does not exist"),
        ('ruleset = "duel"\n[[play]]\ndo = "shoot"', 3, "Expected `object`, got `str`"),
        ('ruleset = "duel"\n[[play]]\ndo = { type = "Dance" }', 3, "Dance"),
        ('ruleset = "duel"\n[[play]]\ndo = { type = "Rest", untl = 3 }', 3, "Rest has no field 'untl'"),
        ('ruleset = "duel"\n[[expect]]\nasked = "red"\nquery = "weather"', 4, "the query 'weather'"),
        ('ruleset = "duel"\n[[expect]]\nchances = { X = "often" }', 3, "'often' is no chance"),
        ('ruleset = "duel"\n[[expect]]\ncalculations = [{ chances = { X = "1/0" } }]', 3, "'1/0' is no chance"),
        ('ruleset = "duel"\n[[expect]]\nseat = "green"\nasked = "red"', 3, "the side 'green'"),
        ('ruleset = "duel"\n[[play]]\ndo = {', 3, "not TOML"),
        ('ruleset = "duel"\nrun = 3', 2, "a run is not a table of its own"),
        ('ruleset = "duel"\n[[run]]\nwithout = ["c"]', 3, "there is no unit 'c' to leave out"),
        ('ruleset = "duel"\n[[run]]\n[[run]]\nturn = "two"', 4, "Expected `int`, got `str`"),
        ('ruleset = "duel"\nturn = ' + "[" * 5000, 2, "not TOML"),
        ('ruleset = "duel"\nturn = ' + "9" * 5000, 2, "not TOML"),
    ],
)
def test_a_fault_has_file_line_and_sentence(text: str, line: int, what: str) -> None:
    with pytest.raises(BadInput) as caught:
        case.cases(text, "bad.toml")
    assert caught.value.where == f"bad.toml:{line}"
    assert what in caught.value.what
    assert caught.value.expected


@pytest.mark.parametrize(
    ("check", "what"),
    [
        ('no_events = ["mvoed"]', "there is no event 'mvoed'"),
        ('no_lines = [{ rule = "1.9" }]', "there is no rule '1.9'"),
        ('no_lines = [{ ruel = "1.2" }]', "a line has no 'ruel'"),
        ('no_lines = [{ kind = "modifeir" }]', "there is no line of kind 'modifeir'"),
        ('no_lines = [{ label = "Aimed" }]', "there is no line of label 'Aimed'"),
        ('calculations = [{ no_lines = [{ label = "Aimed" }] }]', "there is no line of label 'Aimed'"),
        ('no_markers = [{ kind = "wrekc" }]', "there is no marker 'wrekc'"),
        ('no_markers = [{ knid = "wreck" }]', "a marker has no 'knid'"),
        ('not_offered = [{ type = "Shot" }]', "there is no action 'Shot'"),
        ('no_lines = [{ rule = ["1.2"] }]', "there is no rule ['1.2']"),
        ('not_offered = [{ type = ["Shoot"] }]', "there is no action ['Shoot']"),
        ('not_offered = [{ type = "Shoot", unit = ["a"] }]', "unit ['a']"),
        ('not_offered = [{ type = "Shoot", unit = 1 }]', "unit 1"),
        ('not_offered = [{ type = "Shoot", untis = "a" }]', "the action Shoot has no 'untis'"),
        ('not_offered = [{ untis = "a" }]', "an action has no 'untis'"),
        ('query = "count"', "query count needs 'what'"),
        ('query = "count"\nask = { waht = "units" }', "query count has no 'waht'"),
        ('query = "aim"\nask = { unit = "c" }', "there is no unit 'c'"),
    ],
)
def test_a_misspelt_name_of_a_thing_that_should_be_absent_is_a_fault(check: str, what: str) -> None:
    with pytest.raises(BadInput) as caught:
        differences(f"\n[[expect]]\n{check}\n", "[]")
    assert caught.value.where.startswith("duel.toml:")
    assert int(caught.value.where.partition(":")[2]) >= LINES + 2  # the check's own lines
    assert what in caught.value.what


def test_names_of_things_that_could_be_there_are_no_fault() -> None:
    said = (
        'no_events = ["moved"]\n'
        'no_lines = [{ rule = "1.3", kind = "modifier", label = "Aim" }, { label = "a, lying" }]\n'
        'no_markers = [{ kind = "block", at = "B2" }]\nnot_offered = [{ type = "Shoot", unit = "b" }]\n'
    )
    assert differences(f"[[expect]]\n{said}", "[]") == []


# --- several runs ------------------------------------------------------------------------------------

RUNS = """\
[[play]]
do = { type = "Rest" }
[[run]]
title = "A hit"
dice = [6]
[[run.play]]
do = { type = "Shoot", unit = "b", target = "a" }
result = "X"
[[run]]
title = "A good eye"
[run.units.b]
aim = 3
[[run.play]]
do = { type = "Shoot", unit = "b", target = "a" }
dice = [2]
result = "none"
[[run]]
without = ["c"]
[[run.expect]]
asked = "red"
"""


def test_every_run_of_a_file_is_played_from_the_beginning() -> None:
    whole = POSITION.format(dice="[]") + '[units.c]\nunit = "soldier"\nside = "blue"\nat = "A3"\n' + RUNS
    found = case.cases(whole, "runs.toml")
    assert [one.run for one in found] == ["A hit", "A good eye", "run 3"]
    told = [[(one.line - LINES - 4, one.run, one.expected, one.got) for one in case.run(run)] for run in found]
    assert told == [
        [],
        [(13, "A good eye", "result none", "X")],
        [(19, "run 3", "red is asked", "blue")],
    ]
    with pytest.raises(BadInput, match="3 runs"):
        case.parse(whole, "runs.toml")


def test_a_difference_names_its_run() -> None:
    one = case.Difference("runs.toml", 9, "asked red", "blue", "A hit")
    assert str(one) == "runs.toml:9: A hit: expected asked red, got blue"


# --- lists and calculations --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "differs"),
    [
        ('stacks = { A1 = { contains = ["a"] } }', False),
        ('stacks = { A1 = { contains = ["b"] } }', True),
        ('stacks = { A1 = { lacks = ["b"] } }', False),
        ('stacks = { A1 = { lacks = ["a"] } }', True),
        ('stacks = { A1 = { holds = ["a"] } }', True),
        ('query = "alone"\nask = { place = "A2" }\nanswer = { places = { contains = ["A2"] } }', False),
        ('query = "alone"\nask = { place = "A2" }\nanswer = { places = { contains = ["A1"] } }', True),
    ],
)
def test_a_list_may_be_given_by_what_it_contains_and_lacks(check: str, differs: bool) -> None:
    assert bool(differences(f"[[expect]]\n{check}\n", "[]")) is differs


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        ('title = "Shot", modifier = 1, chances = { X = "1/2", none = "1/2" }', []),
        ('of = "b", column = ""', []),
        ('title = "Shot", modifier = 2', ["Shot: modifier 2"]),
        ('of = "b", lines = [{ rule = "1.3" }]', ['b: a line {"rule":"1.3"}']),
        ('of = "c"', ["a calculation of c"]),
    ],
)
def test_any_calculation_of_a_preview_may_be_looked_at(look: str, expected: list[str]) -> None:
    text = f'[[expect]]\npreview = {{ type = "Shoot", unit = "a", target = "b" }}\ncalculations = [{{ {look} }}]\n'
    assert [said for _, said, _ in differences(text, "[]")] == expected


def test_a_preview_without_a_calculation_says_why_there_is_none() -> None:
    twice = SHOT + '[[expect]]\npreview = { type = "Shoot", unit = "a", target = "b" }\nmodifier = 0\n'
    [(_, said, got)] = differences(twice)
    assert said.startswith("a calculation for")
    assert got != "none"


def test_a_calculation_of_a_decision_is_found_by_its_title_and_has_a_result() -> None:
    assert differences(SHOT + 'calculations = [{ title = "Shot", result = "X" }]') == []
    [(_, said, got)] = differences(SHOT + 'calculations = [{ title = "Shot", result = "none" }]')
    assert (said, got) == ("Shot: result none", "X")


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
