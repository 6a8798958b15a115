"""Case files with a table inline: stands, works and smoke where the file says, and every fault with its line."""

from __future__ import annotations

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
    ],
)
def test_a_fault_is_told_with_its_line(text: str, line: int, what: str) -> None:
    assert (fault(text)[0], what in fault(text)[1]) == (line, True), fault(text)


def test_a_step_that_the_book_does_not_have_is_a_fault() -> None:
    with pytest.raises(BadInput, match="there is no step 'assault'"):
        case.position(case.parse(edited(FIELD, "movement", "assault") + TANK, "bad.toml"))


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
