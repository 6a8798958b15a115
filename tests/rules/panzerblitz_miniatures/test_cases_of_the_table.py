"""Case files with a table inline: stands, works and smoke where the file says, and every fault with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edits import edited
from opfire.core import case
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.pieces import Position

FIELD = """\
ruleset = "panzerblitz-miniatures"
step = "movement"
[table]
size = [40, 20]
[[table.areas]]
kind = "water"
points = "30,0 40,0 40,8 30,8"
"""
FIRST = FIELD.count("\n") + 1


def arranged(text: str) -> Game[Position]:
    return case.position(case.parse(FIELD + text, "good.toml"))


def fault(text: str) -> tuple[int, str]:
    """The line of the fault, counted from the first after the table, and its sentence."""
    with pytest.raises(BadInput) as caught:
        _run(FIELD + text)
    file, _, line = caught.value.where.partition(":")
    assert file == "bad.toml", str(caught.value)
    assert caught.value.expected
    return int(line) - FIRST + 1, caught.value.what


def _run(text: str) -> None:
    case.run(case.parse(text, "bad.toml"))


TANK = '[units.tank]\nunit = "pz-iv-h"\nat = "5,10.5"\n'


def test_a_stand_has_the_values_of_its_table() -> None:
    state = 'facing = 270\norder = "dispersed"\nposition = true\nattack = 99\nfired = true\nside = "soviet"\n'
    tank = arranged(TANK + state).state.units["tank"]
    assert (tank.at, tank.facing, tank.side) == ((5000, 10500), 270, "soviet")
    assert (tank.order, tank.position, tank.fired, tank.kind.attack) == ("dispersed", True, True, 99)
    assert tank.kind.defence == 8  # as printed


MORTAR = '[units.mortar]\nunit = "mortar-81-german"\nat = "9,15"\n'
ALONG = '[[play]]\nway = ["{}"]\ndo = {{ type = "Move", unit = "tank", to = "7,10.5", facing = 90 }}\n'


def test_passengers_are_where_their_carrier_is() -> None:
    game = arranged(TANK + '[units.rifles]\nunit = "rifle-42-german"\ncarrier = "tank"\n')
    assert game.state.units["rifles"].at == (5000, 10500)
    assert game.state.units["tank"].cargo == ("rifles",)


def test_works_and_smoke_lie_where_the_file_says() -> None:
    works = '[[markers]]\nkind = "mines"\nat = "8,8"\nside = "soviet"\n'
    smoke = '[[markers]]\nkind = "smoke"\nat = "20,10"\nvalue = "2"\nsize = 4\n'
    position = arranged(TANK + works + smoke).state
    assert position.works["mines@8,8"].at == (8000, 8000)
    (cloud,) = position.clouds
    assert cloud.marker == 2
    assert {(18000, 8000), (22000, 12000)} <= set(cloud.ring)


def test_after_the_last_phase_the_other_side_plays() -> None:
    foe = '[units.foe]\nunit = "t-34-76"\nat = "20,15"\n'
    end = '[[play]]\ndo = { type = "EndPhase" }\nasked = "soviet"\nstate = { turn = 1, current = "soviet" }\n'
    (one,) = case.cases(FIELD + TANK + foe + end, "good.toml")
    assert case.run(one) == []


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('[units.tank]\nunit = "pz-ix"\nat = "5,5"\n', 2, "pz-ix"),
        ('[units.tank]\nunit = "pz-iv-h"\nat = "50,5"\n', 3, "50,5"),
        ('[units.tank]\nunit = "pz-iv-h"\nat = "0.4,5"\n', 3, "too near the edge of the table"),
        ('[units.tank]\nunit = "pz-iv-h"\nat = "35,4"\n', 3, "closed to it"),
        (TANK + '[units.foe]\nunit = "t-34-76"\nat = "5.5,10.5"\n', 3, "is there already"),
        (TANK + "armour = 3\n", 4, "no value 'armour'"),
        (TANK + 'order = "asleep"\n', 4, "order = 'asleep'"),
        (TANK + 'work = "fort@5,10.5"\n', 4, "There is no work fort@5,10.5"),
        (TANK + '[units.truck]\nunit = "truck-german"\ncarrier = "tank"\n', 6, "is no passenger"),
        (TANK + '[[markers]]\nkind = "mine"\nat = "3,3"\n', 4, "marker 'mine'"),
        (TANK + '[[markers]]\nkind = "mines"\nat = "35,4"\n', 4, "lies in water"),
        (TANK + '[[markers]]\nkind = "mines"\nat = "3,3"\nside = "french"\n', 7, "french"),
        (TANK + '[[play]]\ndo = { type = "Move", unit = "tank", to = "far,away", facing = 0 }\n', 5, "names no place"),
        (TANK + ALONG.format("far,away"), 5, "names no place"),
        (
            TANK + MORTAR + '[[missions]]\nunit = "tank"\nspotter = "mortar"\nat = "9,9"\n',
            8,
            "fires nothing indirectly",
        ),
        (TANK + MORTAR + '[[missions]]\nunit = "mortar"\nspotter = "eyes"\nat = "9,9"\n', 9, "no unit 'eyes'"),
        (TANK + MORTAR + '[[missions]]\nunit = "mortar"\nspotter = "tank"\nat = "99,9"\n', 10, "99,9"),
        (TANK + MORTAR + '[[missions]]\nunit = "mortar"\nspotter = "tank"\ntarget = "x"\n', 10, "no target 'x'"),
    ],
)
def test_a_fault_is_told_with_its_line(text: str, line: int, what: str) -> None:
    assert (fault(text)[0], what in fault(text)[1]) == (line, True), fault(text)


def test_a_step_that_the_book_does_not_have_is_a_fault() -> None:
    with pytest.raises(BadInput, match="there is no step 'assault'"):
        case.position(case.parse(edited(FIELD, "movement", "assault") + TANK, "bad.toml"))


ATTACK = """\
[units.gun]
unit = "pak-75"
at = "9,10"
facing = 90
[units.foe]
unit = "t-34-76"
at = "15,10"
"""


@pytest.mark.parametrize("of", ["foe", "gun"])
def test_a_calculation_is_looked_at_by_its_target(of: str) -> None:
    """Before the attack is begun, and while firers may be added to it."""
    look = f'calculations = [{{ of = "{of}", title = "Direct fire" }}]\n'
    attack = '{ type = "Engage", unit = "gun", target = "foe" }'
    begun = f'[[play]]\ndo = {attack}\n[[expect]]\npreview = {{ type = "Fire" }}\n{look}'
    field = edited(FIELD, "movement", "direct")
    for text in (f"[[expect]]\npreview = {attack}\n{look}", begun):
        (one,) = case.cases(field + ATTACK + text, "good.toml")
        assert (case.run(one) == []) is (of == "foe")


def test_points_of_actions_are_texts_in_inches() -> None:
    move = '[[expect]]\ndo = { type = "Move", unit = "tank", to = "6,10.5", facing = 90 }\n'
    same = '[[expect]]\ndo = { type = "Move", unit = "tank", to = [6000, 10500], facing = 90 }\n'
    (one,) = case.cases(FIELD + TANK + move + same, "good.toml")
    assert case.run(one) == []


def test_a_stand_is_in_the_work_at_its_place_and_has_the_shots_of_its_side() -> None:
    rifles = '[units.rifles]\nunit = "rifle-42-german"\nat = "5,10.5"\n'
    fort = '[[markers]]\nkind = "fort"\nat = "5,10.5"\n'
    unit = arranged(f"[sides.german]\nanti_tank = 2\n[sides.soviet]\n{rifles}{fort}").state.units["rifles"]
    assert (unit.work, unit.anti_tank) == ("fort@5,10.5", 2)


# --- moves along a way, missions that were recorded ---------------------------------------------------------------

GUN = '[units.gun]\nunit = "at-76"\nat = "12,10.5"\nfacing = 270\nposition = true\n'


def differences(text: str) -> list[tuple[str, str]]:
    """The differences of a case: expected and got."""
    return [(each.expected, each.got) for each in case.run(case.parse(FIELD + text, "good.toml"))]


def test_a_move_goes_its_way_leg_by_leg() -> None:
    assert differences(TANK + ALONG.format("6,10.5") + 'units = { tank = { at = "7,10.5", spent = 4 } }\n') == []
    away = '[[play]]\nway = ["6,10.5", "6,12.6"]\ndo = { type = "Move", unit = "tank", to = "7,12.6", facing = 90 }\n'
    ((expected, got),) = differences(TANK + away)
    assert '"6,12.6"' not in expected
    assert '"7,12.6"' in expected  # the third leg is the one that is too far
    assert "MOV-7" in got
    assert differences(TANK + away + 'refused = "MOV-7"\n') == []
    assert differences(TANK + away + 'refused = "MOV-9"\n') != []


@pytest.mark.parametrize(
    ("first", "leg", "expected"),
    [
        ("5.9,10.5", "leg = 2\n", []),
        ("5.9,10.5", "", []),  # interrupted in the last leg, in which fire does no harm to the way
        ("6.5,10.5", "leg = 1\n", []),
        ("6.5,10.5", "", [("interrupted in no leg", "in leg 1")]),
        ("6.5,10.5", "leg = 2\n", [("interrupted in leg 2", "in leg 1")]),
    ],
)
def test_a_way_says_in_which_leg_it_is_interrupted(first: str, leg: str, expected: list[tuple[str, str]]) -> None:
    assert differences(TANK + GUN + ALONG.format(first) + leg) == expected


def test_a_way_that_nobody_interrupts_is_told() -> None:
    assert differences(TANK + ALONG.format("6,10.5") + "leg = 1\n") == [("interrupted in leg 1", "in none")]


def test_a_mission_is_at_its_target_or_at_the_place_that_is_named() -> None:
    foe = '[units.foe]\nunit = "rifle-42-soviet"\nat = "20,15"\n'
    head = '[[missions]]\nunit = "mortar"\nspotter = "tank"\ntarget = "foe"\n'
    (plot,) = arranged(TANK + MORTAR + foe + head).state.plots
    assert (plot.at, plot.target, plot.side, plot.written, plot.due) == ((20_000, 15_000), "foe", "german", 0, 1)
    (plot,) = arranged(TANK + MORTAR + foe + head + 'at = "21,15"\ntask = "destruction"\ndue = 4\n').state.plots
    assert (plot.at, plot.task, plot.written, plot.due) == ((21_000, 15_000), "destruction", 2, 4)


def test_the_examples_of_the_page_hold() -> None:
    page = (Path(__file__).parents[3] / "docs" / "cases.md").read_text()
    examples = [text for text in re.findall(r"```toml\n(.*?)```", page, re.DOTALL) if "panzerblitz-miniatures" in text]
    assert len(examples) == 2
    for text in examples:
        assert case.run(case.parse(text, "cases.md")) == []
