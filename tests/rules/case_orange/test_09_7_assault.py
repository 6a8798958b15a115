"""Assault [9.7]."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.assault import AddAssaulter, Assault, RollAssault
from opfire.rulesets.case_orange.carrying import Unload
from opfire.rulesets.case_orange.movement import Move, Stop
from opfire.rulesets.case_orange.pieces import Position
from rules.case_orange.drawing import (
    allowed,
    amount,
    calculations,
    draw,
    german,
    kinds,
    marker,
    offered,
    play,
    preview,
    refused,
    results,
    rule,
    soviet,
    unit,
)

ENEMY = soviet("rifle-43-soviet", "C2", attack=0, defence=10)


# --- who [9.7.1, 9.7.2] -------------------------------------------------------------------------------------


@rule("9.7.1")
@pytest.mark.parametrize("kind", ["rifle-42-german", "engineer-german", "cavalry-42-german"])
def test_9_7_1_infantry_engineers_and_cavalry_assault(kind: str) -> None:
    game = draw(step="assault", a=german(kind, "C1", attack=5), tank=german("pz-iv-h", "D1"), x=ENEMY)
    assert allowed(game, Assault("a", "C2"))
    assert refused(game, Assault("tank", "C2")) == "9.7.1"


@rule("9.7.1")
@pytest.mark.parametrize("kind", ["pz-iv-h", "pak-75", "half-track-german", "mortar-81-german", "cp-german"])
def test_9_7_1_nobody_else_does(kind: str) -> None:
    game = draw(step="assault", a=german(kind, "C1", attack=5), x=ENEMY)
    assert refused(game, Assault("a", "C2")) == "9.7.1"


@rule("9.7.1")
def test_9_7_1_any_number_of_them_and_only_into_the_next_hex() -> None:
    game = draw(
        step="assault",
        a=german("rifle-42-german", "C1", attack=2),
        b=german("rifle-42-german", "C1", attack=2),
        c=german("rifle-42-german", "C1", attack=2),
        d=german("rifle-42-german", "D1", attack=2),
        far=german("rifle-42-german", "E1", attack=9),
        x=ENEMY,
    )
    assert refused(game, Assault("far", "C2")) == "9.7.1"
    play(game, Assault("a", "C2"), AddAssaulter("b"), AddAssaulter("c"))
    assert refused(game, AddAssaulter("far")) == "9.7.1"
    assert offered(game, AddAssaulter) == {AddAssaulter("d")}


@rule("9.7.1")
def test_9_7_1_there_must_be_an_enemy() -> None:
    game = draw(step="assault", a=german("rifle-42-german", "C1"), b=german("rifle-42-german", "D1"), x=ENEMY)
    assert refused(game, Assault("a", "B1")) == "9.7.1"
    assert refused(game, Assault("a", "D1")) == "9.7.1"


@rule("9.7.2")
@pytest.mark.parametrize(
    ("state", "answer"),
    [
        ({"moved": True, "steps": 1}, None),
        ({"locked": True}, None),
        ({"face_up": False}, "2.0-G09"),
        ({"dispersed": "D", "face_up": False}, "2.0-G07"),
    ],
)
def test_9_7_2_units_that_moved_or_got_off_assault_those_that_fired_do_not(
    state: dict[str, object], answer: str | None
) -> None:
    game = draw(step="assault", a=german("rifle-42-german", "C1", **state), x=ENEMY)
    if answer:
        assert refused(game, Assault("a", "C2")) == answer
    else:
        assert allowed(game, Assault("a", "C2"))
        lame = draw(step="assault", a=german("rifle-42-german", "C1", face_up=False), x=ENEMY)
        assert refused(lame, Assault("a", "C2")) == "2.0-G09"


@rule("9.7.2")
def test_9_7_2_carried_unloaded_and_assaulting_in_one_turn() -> None:
    game = draw(
        step="vehicle",
        ride=german("half-track-german", "C4"),
        foot=german("rifle-42-german", carrier="ride"),
        x=ENEMY,
        y=soviet("rifle-43-soviet", "B2", attack=0),
    )
    play(game, Move("ride", "C3"), Unload("ride"), EndSegment(), EndSegment())
    assert allowed(game, Assault("foot", "C2"))
    assert refused(game, Assault("ride", "C2")) == "9.7.1"
    assert refused(game, Assault("foot", "D1")) == "9.7.1"


@rule("9.7.2", "5.7.1")
def test_9_7_2_but_not_while_it_is_aboard() -> None:
    game = draw(
        step="assault", ride=german("half-track-german", "C1"), foot=german("rifle-42-german", carrier="ride"), x=ENEMY
    )
    assert refused(game, Assault("foot", "C2")) == "5.7.1"


# --- what [9.7.3] -------------------------------------------------------------------------------------------


@rule("9.7.3")
@pytest.mark.parametrize("token", [".", "w", "b", "t", "v", "s", "m", "a"])
def test_9_7_3_into_any_terrain(token: str) -> None:
    board = f". . . .\n. . {token} .\n. . . ."
    game = draw(board, step="assault", a=german("rifle-42-german", "C1", attack=30), x=ENEMY)
    assert allowed(game, Assault("a", "C2"))
    cliff = draw(
        board, fields={"cliffs": ["C1/C2"]}, step="assault", a=german("rifle-42-german", "C1", attack=30), x=ENEMY
    )
    assert refused(cliff, Assault("a", "C2")) == "9.7.3"


@rule("9.7.3")
@pytest.mark.parametrize("kind", ["t-34-76", "truck-soviet", "at-76", "half-track-soviet", "cp-soviet"])
def test_9_7_3_at_any_type_of_unit_but_never_across_a_cliff(kind: str) -> None:
    units = {"a": german("rifle-42-german", "C1", attack=30), "x": soviet(kind, "C2", attack=0)}
    assert allowed(draw(step="assault", **units), Assault("a", "C2"))
    assert refused(draw(fields={"cliffs": ["C1/C2"]}, step="assault", **units), Assault("a", "C2")) == "9.7.3"
    assert allowed(draw(fields={"cliffs": ["C2/C3"]}, step="assault", **units), Assault("a", "C2"))


# --- the procedure ------------------------------------------------------------------------------------------


@rule("9.7-P1")
def test_9_7_P1_all_defence_factors_of_the_hex_are_added() -> None:
    game = draw(
        step="assault",
        a=german("rifle-42-german", "C1", attack=15),
        x=soviet("rifle-43-soviet", "C2", defence=10, points=1),
        y=soviet("t-34-76", "C2", defence=3),
        z=soviet("truck-soviet", "C2", defence=2, points=1),
    )
    calculation = preview(game, Assault("a", "C2"))
    assert amount(calculation, "9.7-P1", "defence") == 15
    assert calculation.column == "1:1"


@rule("9.7-P1")
def test_9_7_P1_an_unbreached_fortification_has_its_printed_factor() -> None:
    game = draw(
        step="assault",
        markers=[marker("fort", "C2", value="12/5")],
        a=german("rifle-42-german", "C1", attack=24),
        x=soviet("rifle-43-soviet", "C2", defence=7, below="fort"),
    )
    calculation = preview(game, Assault("a", "C2"))
    assert amount(calculation, "9.7-P1", "defence") == 12
    assert calculation.column == "2:1"


@rule("9.7-P2")
@pytest.mark.parametrize("target", ["t-34-76", "rifle-43-soviet", "half-track-soviet"])
def test_9_7_P2_factors_are_normal_against_every_target(target: str) -> None:
    game = draw(
        step="assault", a=german("rifle-42-german", "C1", attack=7), x=soviet(target, "C2", defence=7, attack=0)
    )
    calculation = preview(game, Assault("a", "C2"))
    assert amount(calculation, "9.7-P2", "attack") == 7
    assert calculation.column == "1:1"


@rule("9.7-P2")
def test_9_7_P2_fortifications_included() -> None:
    game = draw(
        step="assault", markers=[marker("fort", "C2", value="7/5")], a=german("rifle-42-german", "C1", attack=7)
    )
    assert amount(preview(game, Assault("a", "C2")), "9.7-P2") == 7


@rule("9.7-P3")
def test_9_7_P3_terrain_elevation_and_works_add_up() -> None:
    """A town on a slope, below an improved position: +1 to the die, one column up, one for the position."""
    game = draw(
        ". . . .\n. . st .\n. . . .",
        step="assault",
        markers=[marker("position", "C2")],
        a=german("rifle-42-german", "C1", attack=40),
        x=soviet("rifle-43-soviet", "C2", defence=10, below="position"),
    )
    calculation = preview(game, Assault("a", "C2"))
    assert calculation.modifier == -1  # town +1 and assault -2
    assert calculation.column == "1:2"  # 40 to 20 is 2:1; two to the left


@rule("9.7-P4")
def test_9_7_P4_always_two_off_the_die() -> None:
    game = draw(step="assault", a=german("rifle-42-german", "C1", attack=10), x=ENEMY)
    calculation = preview(game, Assault("a", "C2"))
    assert amount(calculation, "9.7-P4", "modifier") == -2
    assert calculation.modifier == -2
    assert calculation.outcomes == ("X", "DD", "DD", "D", "D", "none")  # 1:1 at -1 to 4


@rule("9.7-P5")
def test_9_7_P5_columns_for_engineers_and_for_further_hexes() -> None:
    game = draw(
        step="assault",
        a=german("rifle-42-german", "C1", attack=4),
        b=german("engineer-german", "C1", attack=4),
        c=german("rifle-42-german", "D1", attack=2),
        x=ENEMY,
    )
    play(game, Assault("a", "C2"), AddAssaulter("b"))
    calculation = preview(game, AddAssaulter("c"))
    assert [line.amount for line in calculation.lines if line.kind == "shift"] == [1, 1]
    assert calculation.column == "3:1"  # 10 to 10, two to the right


@rule("9.7-P5", "11.1")
@pytest.mark.parametrize(("hexes", "amounts"), [(("C1",), []), (("C1", "D1"), [1]), (("C1", "D1", "B1"), [2])])
def test_11_1_one_column_for_each_hex_beyond_the_first(hexes: tuple[str, ...], amounts: list[int]) -> None:
    """The line names the hexes from which the assault comes."""
    men = {f"a{n}": german("rifle-42-german", hex, attack=4) for n, hex in enumerate(hexes)}
    game = draw(step="assault", x=ENEMY, **men)
    play(game, Assault("a0", "C2"), *(AddAssaulter(name) for name in list(men)[1:]))
    found = [line for line in preview(game, RollAssault()).lines if line.kind == "shift"]
    assert [line.amount for line in found] == amounts
    assert [line.label for line in found] == [f"From {len(hexes)} hexes"][: len(amounts)]


@rule("9.7-P6")
def test_9_7_P6_ratio_and_roll() -> None:
    game = draw(step="assault", a=german("rifle-42-german", "C1", attack=24), x=ENEMY)
    events = play(game, Assault("a", "C2"), RollAssault(), dice=[4])
    assert calculations(events)[0].column == "2:1"
    assert results(events) == ["DD"]  # 4 - 2
    assert unit(game, "x").dispersed == "DD"


@rule("9.7-P7")
def test_9_7_P7_a_grey_result_falls_on_all_assaulters() -> None:
    game = draw(
        step="assault",
        a=german("rifle-42-german", "C1", attack=1),
        b=german("rifle-42-german", "C1", attack=2),
        x=soviet("rifle-43-soviet", "C2", attack=0, defence=12),
    )
    events = play(game, Assault("a", "C2"), AddAssaulter("b"), RollAssault(), dice=[6])
    assert results(events) == ["own D"]
    assert [unit(game, name).dispersed for name in "abx"] == ["D", "D", ""]


@rule("9.7-P7")
def test_9_7_P7_any_other_result_falls_on_all_defenders() -> None:
    game = draw(
        step="assault",
        a=german("rifle-42-german", "C1", attack=20),
        x=soviet("rifle-43-soviet", "C2", attack=0, defence=5, points=1),
        y=soviet("truck-soviet", "C2", defence=5, points=1),
    )
    play(game, Assault("a", "C2"), RollAssault(), dice=[6])  # 2:1, 4: D
    assert [unit(game, name).dispersed for name in "axy"] == ["", "D", "D"]


@rule("9.7-P8")
def test_9_7_P8_assaulters_are_inverted_whatever_comes_of_it() -> None:
    for die in (1, 6):
        game = draw(
            step="assault",
            a=german("rifle-42-german", "C1", attack=5),
            b=german("rifle-42-german", "D1", attack=5),
            idle=german("rifle-42-german", "C1"),
            x=ENEMY,
        )
        play(game, Assault("a", "C2"), AddAssaulter("b"), RollAssault(), dice=[die])
        assert [unit(game, name).face_up for name in ("a", "b", "idle")] == [False, False, True]


# --- road and cavalry [9.7-P9] ------------------------------------------------------------------------------

WAY = ["C6 C5 C4 C3 C2"]


def marched(links: str, *path: str, token: str = ".", **values: object) -> Game[Position]:
    """Riflemen have marched along that path, of roads or of tracks, to the enemy in C2; it is time for assaults."""
    game = draw(
        "\n".join(f". . {token} . ." for _ in range(7)),
        fields={links: WAY} if links else {},
        step="non-vehicle",
        a=german("rifle-42-german", path[0], attack=20, **values),
        x=soviet("rifle-43-soviet", "C2", attack=0),
    )
    play(game, *(Move("a", hex) for hex in path[1:]))
    if game.stack[-1].step == "moving":
        play(game, Stop("a"))
    play(game, EndSegment())
    return game


@rule("9.7-P9")
@pytest.mark.parametrize(("links", "answer"), [("roads", "9.7-P9"), ("highways", "9.7-P9"), ("tracks", None)])
def test_9_7_P9_no_assault_after_the_road_rate(links: str, answer: str | None) -> None:
    """Two hexes with one movement factor are the road's doing; by track two factors have to be there."""
    game = marched(links, "C5", "C4", "C3", movement=2 if links == "tracks" else 1)
    if answer:
        assert refused(game, Assault("a", "C2")) == answer
    else:
        assert allowed(game, Assault("a", "C2"))


@rule("9.7-P9", "5.4", "5.4.2", "5.1.3")
@pytest.mark.parametrize("token", [".", "w", "s", "b"])
def test_9_7_P9_nobody_has_to_use_the_road_rate(token: str) -> None:
    """Units along a road may use it, and mix it freely with their own: one hex they also enter at the full price."""
    assert allowed(marched("roads", "C4", "C3", token=token, movement=1), Assault("a", "C2"))


@rule("9.7-P9", "5.4.2")
@pytest.mark.parametrize(("movement", "answer"), [(3, "9.7-P9"), (4, None)])
def test_9_7_P9_the_whole_way_is_looked_at(movement: int, answer: str | None) -> None:
    """Half a factor each along the road, then one each for B3 and C3 across country: four at the full price."""
    game = marched("roads", "C6", "C5", "C4", "B3", "C3", movement=movement)
    if answer:
        assert refused(game, Assault("a", "C2")) == answer
    else:
        assert allowed(game, Assault("a", "C2"))


@rule("9.7-P9", "5.4.3")
@pytest.mark.parametrize(("links", "movement", "answer"), [("roads", 2, "9.7-P9"), ("roads", 4, None), ("", 4, None)])
def test_9_7_P9_a_load_has_travelled_at_its_carriers_rate(links: str, movement: int, answer: str | None) -> None:
    """Unloading leaves half of the factors for the ride; two hexes cost one of them by road, two otherwise."""
    game = draw(
        fields={links: WAY} if links else {},
        step="vehicle",
        ride=german("half-track-german", "C5", movement=movement),
        foot=german("rifle-42-german", carrier="ride", attack=20),
        x=soviet("rifle-43-soviet", "C2", attack=0),
    )
    play(game, Move("ride", "C4"), Move("ride", "C3"), Unload("ride"), EndSegment(), EndSegment())
    if answer:
        assert refused(game, Assault("foot", "C2")) == answer
    else:
        assert allowed(game, Assault("foot", "C2"))


@rule("9.7-P9")
@pytest.mark.parametrize(
    ("kind", "steps", "answer"),
    [
        ("cavalry-41-soviet", 0, None),
        ("cavalry-41-soviet", 1, None),
        ("cavalry-41-soviet", 2, "9.7-P9"),
        ("cavalry-42-german", 2, None),
    ],
)
def test_9_7_P9_soviet_cavalry_rides_one_hex_at_most(kind: str, steps: int, answer: str | None) -> None:
    game = draw(
        step="non-vehicle",
        side="soviet",
        a=soviet(kind, f"C{3 + steps}", attack=20),
        x=german("rifle-42-german", "C2", attack=0),
    )
    for row in range(2 + steps, 2, -1):
        play(game, Move("a", f"C{row}"))
    if game.stack[-1].step == "moving":
        play(game, Stop("a"))
    play(game, EndSegment())
    if answer:
        assert refused(game, Assault("a", "C2")) == answer
    else:
        assert allowed(game, Assault("a", "C2"))
        far = draw(
            step="assault", side="soviet", a=soviet("cavalry-41-soviet", "C3", steps=2), x=german("cp-german", "C2")
        )
        assert refused(far, Assault("a", "C2")) == "9.7-P9"


# --- engineers [9.7.4] --------------------------------------------------------------------------------------


@rule("9.7.4", "13.0")
@pytest.mark.parametrize(
    ("first", "second", "second_at", "shift"),
    [
        ("engineer-german", "rifle-42-german", "C1", 1),
        ("engineer-german", "cavalry-42-german", "C1", 1),
        ("engineer-german", "engineer-german", "C1", None),
        ("rifle-42-german", "rifle-42-german", "C1", None),
        ("engineer-german", "rifle-42-german", "D1", None),
    ],
)
def test_9_7_4_an_engineer_with_infantry_or_cavalry_in_one_assaulting_hex(
    first: str, second: str, second_at: str, shift: int | None
) -> None:
    game = draw(
        step="assault",
        a=german(first, "C1", attack=5),
        b=german(second, second_at, attack=5),
        x=ENEMY,
    )
    play(game, Assault("a", "C2"))
    assert amount(preview(game, AddAssaulter("b")), "9.7.4", "shift") == shift


@rule("9.7.4")
def test_9_7_4_both_must_take_part() -> None:
    game = draw(
        step="assault",
        a=german("engineer-german", "C1", attack=5),
        b=german("rifle-42-german", "C1", attack=5),
        x=ENEMY,
    )
    assert amount(preview(game, Assault("a", "C2")), "9.7.4") is None
    play(game, Assault("a", "C2"))
    assert amount(preview(game, AddAssaulter("b")), "9.7.4") == 1


@rule("9.7.4", "15.3")
def test_9_7_4_one_column_however_many_engineers() -> None:
    game = draw(
        step="assault",
        a=german("engineer-german", "C1", attack=5),
        b=german("rifle-42-german", "C1", attack=5),
        c=german("engineer-german", "D1", attack=5),
        d=german("rifle-42-german", "D1", attack=5),
        x=ENEMY,
    )
    play(game, Assault("a", "C2"), AddAssaulter("b"), AddAssaulter("c"))
    assert amount(preview(game, AddAssaulter("d")), "9.7.4") == 1


@rule("4.2-C6")
def test_9_7_assaults_come_after_all_moves() -> None:
    game = draw(step="non-vehicle", a=german("rifle-42-german", "C1"), b=german("rifle-42-german", "E4"), x=ENEMY)
    assert refused(game, Assault("a", "C2")) == "procedure"
    play(game, EndSegment())
    assert game.stack[-1].step == "assault"
    assert refused(game, Move("b", "E5")) == "procedure"
    events = play(game, EndSegment())
    assert "fired" not in kinds(events)


@rule("15.2-T", "9.1.1")
def test_15_2_T_an_assault_too_weak_for_a_town_is_shown_without_a_calculation() -> None:
    weak = soviet("rifle-43-soviet", "C2", attack=0, defence=4)  # 8 in the town: 1 to 8 alone, 6 to 8 together
    a, b = german("rifle-42-german", "C1", attack=1), german("rifle-42-german", "C1", attack=5)
    game = draw(". . . .\n. . t .\n. . . .\n. . . .", step="assault", a=a, b=b, x=weak)
    play(game, Assault("a", "C2"))
    assert game.view("german")["building"]["calculation"] is None
    assert refused(game, RollAssault()) == "9.1.1"
    play(game, AddAssaulter("b"))
    assert game.view("german")["building"]["calculation"]["lines"]
