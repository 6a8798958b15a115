"""Direct fire tactics [11.0]: assaults from several hexes and from tanks, iron sights, own goals."""

from __future__ import annotations

import pytest

from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.assault import AddAssaulter, Assault, RollAssault
from opfire.rulesets.case_orange.carrying import Unload
from opfire.rulesets.case_orange.direct import AddFirer, Attack, Fire
from opfire.rulesets.case_orange.movement import Move, Stop
from opfire.rulesets.case_orange.overrun import Overrun, RideThrough, StartOverrun
from rules.case_orange.drawing import (
    allowed,
    amount,
    calculations,
    draw,
    german,
    marker,
    offered,
    play,
    preview,
    refused,
    results,
    rule,
    soviet,
    unit,
    where,
)

# --- 11.1 from several hexes --------------------------------------------------------------------------------

AROUND = ("C1", "D1", "D2", "C3", "B2", "B1")
"""The hexes about C2."""


@rule("11.1", "15.3")
@pytest.mark.parametrize(("hexes", "shift"), [(1, None), (2, 1), (3, 2), (6, 5)])
def test_11_1_one_column_for_each_hex_beyond_the_first(hexes: int, shift: int | None) -> None:
    """The book's example: three hexes, two columns."""
    units = {f"u{at}": german("rifle-42-german", hex, attack=2) for at, hex in enumerate(AROUND[:hexes])}
    game = draw(step="assault", x=soviet("rifle-43-soviet", "C2", defence=2 * hexes), **units)
    play(game, Assault("u0", "C2"), *(AddAssaulter(f"u{at}") for at in range(1, hexes)))
    events = play(game, RollAssault(), dice=[6])
    assert amount(calculations(events)[0], "11.1", "shift") == shift
    assert amount(calculations(events)[0], "9.7-P2", "attack") == 2 * hexes


@rule("11.1")
def test_11_1_several_units_of_one_hex_count_once() -> None:
    game = draw(
        step="assault",
        a=german("rifle-42-german", "C1"),
        b=german("rifle-42-german", "C1"),
        c=german("rifle-42-german", "D1"),
        x=soviet("rifle-43-soviet", "C2", defence=6),
    )
    play(game, Assault("a", "C2"))
    assert amount(preview(game, AddAssaulter("b")), "11.1") is None
    play(game, AddAssaulter("b"))
    assert amount(preview(game, AddAssaulter("c")), "11.1") == 1


@rule("11.1")
def test_11_1_everybody_must_be_able_to_assault() -> None:
    game = draw(
        fields={"cliffs": ["C2/C3"]},
        step="assault",
        a=german("rifle-42-german", "C1"),
        spent=german("rifle-42-german", "D1", face_up=False),
        cliff=german("rifle-42-german", "C3"),
        tank=german("pz-iv-h", "B1"),
        fit=german("rifle-42-german", "B2"),
        x=soviet("rifle-43-soviet", "C2", defence=6),
    )
    play(game, Assault("a", "C2"))
    assert refused(game, AddAssaulter("spent")) == "2.0-G09"
    assert refused(game, AddAssaulter("cliff")) == "9.7.3"
    assert refused(game, AddAssaulter("tank")) == "9.7.1"
    assert amount(preview(game, AddAssaulter("fit")), "11.1") == 1


# --- 11.2 armoured assault ----------------------------------------------------------------------------------

RIDE = {
    "tank": soviet("t-34-76", "C1", attack=12),
    "smg": soviet("smg-43-soviet", carrier="tank", attack=8),
    "x": german("rifle-42-german", "C3", attack=0, defence=6),
}


@rule("11.2")
@pytest.mark.parametrize("rider", ["smg-43-soviet", "engineer-soviet"])
def test_11_2_riders_get_off_in_the_entry_hex_and_assault_what_was_overrun(rider: str) -> None:
    game = draw(step="vehicle", side="soviet", **{**RIDE, "smg": soviet(rider, carrier="tank", attack=8)})
    play(game, Overrun("tank", "C3"), StartOverrun(), Move("tank", "C2"), Unload("tank"))
    assert (where(game, "smg"), unit(game, "smg").carrier) == ("C2", None)
    play(game, RideThrough("tank"), dice=[6])
    assert where(game, "tank") == "C4"
    play(game, EndSegment(), EndSegment())
    assert allowed(game, Assault("smg", "C3"))


@rule("11.2")
def test_11_2_not_before_the_entry_hex() -> None:
    game = draw(step="vehicle", side="soviet", **RIDE)
    play(game, Overrun("tank", "C3"), StartOverrun())
    assert refused(game, Unload("tank")) == "11.2"
    play(game, Move("tank", "C2"))
    assert allowed(game, Unload("tank"))


@rule("11.2", "9.8.4")
@pytest.mark.parametrize(
    ("load", "answer"),
    [("rifle-42-german", None), ("engineer-german", None), ("pak-75", "11.2"), ("cp-german", "11.2")],
)
def test_11_2_infantry_and_engineers_of_a_half_track_do_so_too(load: str, answer: str | None) -> None:
    """It is an armoured vehicle that transports, and overruns what is no armour; guns and staffs stay aboard."""
    game = draw(
        step="vehicle",
        ride=german("half-track-german", "C2", attack=9),
        load=german(load, carrier="ride", attack=20),
        x=soviet("rifle-43-soviet", "C3", attack=0, defence=6),
    )
    play(game, Overrun("ride", "C3"), StartOverrun())
    if answer:
        assert refused(game, Unload("ride")) == answer
        return
    play(game, Unload("ride"), RideThrough("ride"), dice=[6])
    assert (where(game, "load"), where(game, "ride")) == ("C2", "C4")
    play(game, EndSegment(), EndSegment())
    assert allowed(game, Assault("load", "C3"))


@rule("11.2", "5.7")
def test_11_2_who_let_his_riders_off_for_it_overruns() -> None:
    """Otherwise an overrun that nobody means would be a way to unload after more than half a move."""
    game = draw(step="vehicle", side="soviet", **{**RIDE, "tank": soviet("t-34-76", "C1", attack=12, movement=4)})
    play(game, Overrun("tank", "C3"), StartOverrun(), Move("tank", "C2"), Unload("tank"))
    assert refused(game, Stop("tank")) == "11.2"
    assert refused(game, Move("tank", "D2")) == "11.2"
    assert offered(game, Stop) == offered(game, Move) == set()
    play(game, RideThrough("tank"), dice=[6])
    assert where(game, "tank") == "C4"


@rule("11.2")
def test_11_2_only_where_the_overrun_goes_in() -> None:
    """Opposite B2 is D3, a full hex: the vehicle does not ride from there, and nobody gets off there."""
    full = {f"full{n}": soviet("t-34-76", "D3", points=2, moved=True) for n in range(2)}
    game = draw(step="vehicle", side="soviet", **{**RIDE, "tank": soviet("t-34-76", "B1", attack=12)}, **full)
    play(game, Overrun("tank", "C3"), StartOverrun(), Move("tank", "B2"))
    assert refused(game, RideThrough("tank")) == "7.1"
    assert refused(game, Unload("tank")) == "11.2"
    play(game, Move("tank", "C2"))
    assert allowed(game, Unload("tank"))


@rule("11.2")
def test_11_2_who_stays_on_rides_through() -> None:
    game = draw(step="vehicle", side="soviet", **RIDE)
    play(game, Overrun("tank", "C3"), StartOverrun(), Move("tank", "C2"))
    assert allowed(game, Unload("tank"))
    play(game, RideThrough("tank"), dice=[6])
    assert (where(game, "smg"), unit(game, "smg").carrier) == ("C4", "tank")


# --- 11.3 iron sights ---------------------------------------------------------------------------------------


def sights(hexes: int, **values: object) -> dict[str, dict[str, object]]:
    """A class H unit of range 8 in C1, and infantry the given number of hexes south of it."""
    return {
        "a": german("stug-iii-b", "C1", **{"attack": 20, "range": 8, **values}),
        "x": soviet("rifle-43-soviet", f"C{1 + hexes}", defence=5, points=1, below="position"),
        "y": soviet("at-45", f"C{1 + hexes}", defence=5, points=1, below="position"),
    }


@rule("11.3")
@pytest.mark.parametrize(("hexes", "more"), [(1, -1), (4, -1), (5, None)])
def test_11_3_one_off_the_die_at_half_range_or_less(hexes: int, more: int | None) -> None:
    game = draw(markers=[marker("position", f"C{1 + hexes}")], **sights(hexes))
    assert amount(preview(game, Attack("a", "x")), "11.3", "modifier") == more
    if more is None:
        assert refused(game, Attack("a", "x", single=True)) == "11.3"
    else:
        assert allowed(game, Attack("a", "x", single=True))


@rule("11.3")
def test_11_3_and_it_may_pick_one_unit_out() -> None:
    game = draw(markers=[marker("position", "C4")], **sights(3))
    together = preview(game, Attack("a", "x"))
    alone = preview(game, Attack("a", "x", single=True))
    assert [line.amount for line in alone.lines if line.kind == "defence"] == [5]
    assert [line.amount for line in together.lines if line.kind == "defence"] == [5, 5]
    assert amount(alone, "11.3", "modifier") == -1
    events = play(game, Attack("a", "x", single=True), Fire(), dice=[1])  # 3:1 after the position
    assert results(events) == ["X"]
    assert (where(game, "x"), where(game, "y"), unit(game, "y").dispersed) == ("", "C4", "")


@rule("11.3")
@pytest.mark.parametrize("kind", ["pz-iv-h", "rifle-42-german", "how-105-german"])
def test_11_3_class_h_only(kind: str) -> None:
    game = draw(
        markers=[marker("position", "C2")],
        a=german(kind, "C1", attack=40, range=8),
        x=soviet("rifle-43-soviet", "C2", defence=5, below="position"),
    )
    assert amount(preview(game, Attack("a", "x")), "11.3") is None
    assert refused(game, Attack("a", "x", single=True)) == "11.3"


@rule("11.3")
def test_11_3_a_single_unit_only() -> None:
    units = {**sights(3), "b": german("stug-iii-b", "C1", attack=20, range=8)}
    game = draw(markers=[marker("position", "C4")], **units)
    play(game, Attack("a", "x"))
    assert amount(preview(game, AddFirer("b")), "11.3") is None
    single = draw(markers=[marker("position", "C4")], **units)
    play(single, Attack("a", "x", single=True))
    assert refused(single, AddFirer("b")) == "11.3"


@rule("11.3")
@pytest.mark.parametrize(("token", "more"), [("t", -1), ("v", None), ("w", None), (".", None)])
def test_11_3_at_towns_not_at_other_terrain(token: str, more: int | None) -> None:
    game = draw(
        f". . . .\n. . {token} .\n. . . .",
        a=german("stug-iii-b", "C1", attack=20, range=8),
        x=soviet("rifle-43-soviet", "C2", defence=5),
    )
    assert amount(preview(game, Attack("a", "x")), "11.3") == more
    if more is None:
        assert refused(game, Attack("a", "x", single=True)) == "11.3"
    else:
        assert allowed(game, Attack("a", "x", single=True))


@rule("11.3")
def test_11_3_at_fortifications() -> None:
    game = draw(
        markers=[marker("fort", "C4", value="10/4")],
        a=german("stug-iii-b", "C1", attack=20, range=8),
        x=soviet("rifle-43-soviet", "C4", below="fort"),
    )
    assert amount(preview(game, Attack("a", "fort@1-C4")), "11.3", "modifier") == -1
    assert refused(game, Attack("a", "fort@1-C4", single=True)) == "11.3"


@rule("11.3")
def test_11_3_not_at_a_unit_above_the_position() -> None:
    game = draw(
        markers=[marker("position", "C3")],
        a=german("stug-iii-b", "C1", attack=20, range=8),
        x=soviet("rifle-43-soviet", "C3", defence=5),
        y=soviet("rifle-43-soviet", "C3", defence=5, below="position"),
    )
    assert amount(preview(game, Attack("a", "x")), "11.3") is None
    assert amount(preview(game, Attack("a", "y")), "11.3") == -1


# --- 11.4 own goal ------------------------------------------------------------------------------------------


@rule("11.4")
@pytest.mark.parametrize(
    ("attack", "outcomes"),
    [
        (4, ("D", "D", "none", "none", "none", "own D")),
        (6, ("DD", "D", "D", "none", "none", "none")),
    ],
)
def test_11_4_grey_results_come_at_low_ratios_only(attack: int, outcomes: tuple[str, ...]) -> None:
    """16 in defence: 4 is 1:4, 6 is 1:3. A roll of 1 to 6 with two off reads -1 to 4."""
    game = draw(
        step="assault",
        a=german("rifle-42-german", "C1", attack=attack),
        x=soviet("rifle-43-soviet", "C2", attack=0, defence=16),
    )
    assert preview(game, Assault("a", "C2")).outcomes == outcomes


@rule("11.4")
def test_11_4_all_assaulters_suffer_and_no_defender_does() -> None:
    game = draw(
        ". . . .\n. . wv .\n. . . .",
        step="assault",
        a=german("rifle-42-german", "C1", attack=2),
        b=german("rifle-42-german", "C1", attack=2, dispersed=""),
        idle=german("rifle-42-german", "C1", attack=9),
        x=soviet("rifle-43-soviet", "C2", defence=16),
    )
    events = play(game, Assault("a", "C2"), AddAssaulter("b"), RollAssault(), dice=[6])  # 6 - 2 + 2 at 1:4
    assert results(events) == ["own X"]
    assert [where(game, name) for name in ("a", "b", "idle", "x")] == ["", "", "C1", "C2"]
    assert unit(game, "x").dispersed == ""


@rule("11.4")
def test_11_4_other_attacks_have_no_effect_there() -> None:
    game = draw(
        ". . . .\n. . wv .\n. . . .",
        a=german("rifle-42-german", "C1", attack=4),
        x=soviet("rifle-43-soviet", "C2", defence=16),
    )
    calculation = preview(game, Attack("a", "x"))
    assert calculation.modifier == 2
    assert calculation.chances() == {"none": 1}
    events = play(game, Attack("a", "x"), Fire(), dice=[6])
    assert results(events) == ["none"]
    assert unit(game, "a").dispersed == ""
