"""Optional rules [16.0]: those that can be played, and those whose text is lost."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.case_orange import RULESET
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.carrying import Load, Unload
from opfire.rulesets.case_orange.direct import Attack, no_direct_weapon
from opfire.rulesets.case_orange.indirect import AddFirer, Confirm, DeclareGroup
from opfire.rulesets.case_orange.movement import Enter, Move
from opfire.rulesets.case_orange.overrun import Overrun, RideThrough, StartOverrun
from opfire.rulesets.case_orange.reaction import Shoot
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
    rule,
    soviet,
    unit,
    where,
)


def left(game: Game[Any]) -> float:
    """The movement factors that the unit under way has left."""
    return game.stack[-1].left / 2


def spent_on(kind: str, step: str, fields: dict[str, Any], options: list[str], board: str = "") -> float:
    """The cost of the step from C2 to C3 for that unit."""
    rows = board or "\n".join([". . . . ."] * 5)
    game = draw(rows, fields=fields, options=options, step=step, a=german(kind, "C2", movement=12))
    play(game, Move("a", "C3"))
    return 12 - left(game)


# --- 16.1 saturated ground ----------------------------------------------------------------------------------


@rule("16.1", "5.4.9")
@pytest.mark.parametrize(
    ("link", "tank", "truck"), [("roads", 1, 2), ("highways", 0.5, 0.5), ("tracks", 1, 2), ("", 1, 3)]
)
def test_16_1_roads_are_tracks_but_highways_stay(link: str, tank: float, truck: float) -> None:
    """Off road class C pays one factor more than its two."""
    fields = {link: ["C1 C2 C3 C4"]} if link else {}
    assert spent_on("pz-iv-h", "vehicle", fields, ["16.1"]) == tank
    assert spent_on("truck-german", "vehicle", fields, ["16.1"]) == truck


@rule("16.1")
def test_16_1_off_unless_named() -> None:
    assert spent_on("pz-iv-h", "vehicle", {"roads": ["C1 C2 C3 C4"]}, []) == 0.5
    assert spent_on("truck-german", "vehicle", {}, []) == 2
    assert spent_on("truck-german", "vehicle", {}, ["16.1"]) == 3


# --- 16.2 winter --------------------------------------------------------------------------------------------

LAKE = ". . . . .\n. . . . .\n. . ~ . .\n. . . . .\n. . . . ."


@rule("16.2", "5.4.19")
def test_16_2_water_is_frozen() -> None:
    tank = {"a": german("pz-iv-h", "C2")}
    assert refused(draw(LAKE, step="vehicle", **tank), Move("a", "C3")) == "5.4.19"
    assert allowed(draw(LAKE, step="vehicle", options=["16.2"], **tank), Move("a", "C3"))
    assert spent_on("pz-iv-h", "vehicle", {}, ["16.2"], LAKE) == 1


@rule("16.2", "5.4.17.1")
@pytest.mark.parametrize(("options", "price"), [([], 4), (["16.2"], 1)])
def test_16_2_streams_cost_nothing_to_leave(options: list[str], price: float) -> None:
    assert spent_on("pz-iv-h", "vehicle", {"gullies": ["B2 C2 D2"]}, options) == price
    assert spent_on("pz-iv-h", "vehicle", {"gullies": ["A2 B2 C2 D2"]}, ["16.2"]) == 1


# --- 16.5 heavy equipment -----------------------------------------------------------------------------------


def gun_set_down(options: list[str]) -> Game[Any]:
    """A gun is unloaded, and the enemy drives past it in his turn."""
    game = draw(
        step="vehicle",
        options=options,
        truck=german("truck-german", "C1"),
        gun=german("pak-75", carrier="truck"),
        x=soviet("t-34-76", "C5", attack=1),
    )
    play(game, Unload("truck"))
    while not (game.stack[-1].side == "soviet" and game.stack[-1].step == "vehicle"):
        end = next(a for a in game.choices(game.asked()[0]) if type(a).__name__ in ("EndSegment", "Stop"))
        play(game, end)
    play(game, Move("x", "C4"))
    return game


@rule("16.5")
def test_16_5_a_gun_that_was_unloaded_is_not_ready() -> None:
    game = gun_set_down(["16.5"])
    assert game.asked() == ("soviet",)  # no shot, no question
    assert unit(game, "gun").busy == 1
    game = gun_set_down([])
    assert Shoot(("gun",), "x") in game.choices("german")


@rule("16.5", "4.2-C1")
def test_16_5_until_its_owners_next_turn_begins() -> None:
    game = draw(
        step="begin",
        options=["16.5"],
        gun=german("pak-75", "C1", busy=1),
        x=soviet("t-34-76", "C5"),
    )
    assert unit(game, "gun").busy == 0
    late = draw(step="direct", options=["16.5"], gun=german("pak-75", "C1", busy=1), x=soviet("t-34-76", "C5"))
    assert refused(late, Attack("gun", "x")) == "16.5"


@rule("16.5")
def test_16_5_infantry_needs_no_time() -> None:
    game = draw(
        step="vehicle",
        options=["16.5"],
        truck=german("truck-german", "C1"),
        foot=german("rifle-42-german", carrier="truck"),
        other=german("truck-german", "E1"),
        gun=german("pak-75", "E1"),
    )
    play(game, Unload("truck"))
    assert unit(game, "foot").busy == 0
    while game.stack[-1].step == "moving":
        play(game, next(a for a in game.choices("german") if type(a).__name__ == "Stop"))
    play(game, Load("other", "gun"))
    assert unit(game, "gun").busy == 1
    refusal = no_direct_weapon(unit(game, "gun"))
    assert refusal is not None
    assert refusal.rule == "16.5"


# --- 16.7 rolling thunder -----------------------------------------------------------------------------------

THUNDER = {"side": "german", "kind": "rolling-thunder", "units": ["mortar-120-german"], "observers": ["cp-german"]}
GUNS = {
    "a": german("mortar-120-german", "D1", attack=15, registered="C5"),
    "b": german("mortar-120-german", "E1", attack=15),
    "x": soviet("rifle-43-soviet", "C5", attack=0, defence=10),
    "y": soviet("rifle-43-soviet", "F5", attack=0, defence=10),
}


@rule("16.7", "9.6.5")
def test_16_7_a_named_group_fires_on_one_members_marker() -> None:
    game = draw(step="indirect", options=["16.7"], indirect=[THUNDER], eyes=german("cp-german", "C1"), **GUNS)
    assert refused(game, DeclareGroup(0, "a", "F5")) == "16.7"
    play(game, DeclareGroup(0, "b", "C5"), AddFirer("a"), Confirm())
    events = play(game, EndSegment(), dice=[6])
    assert amount(calculations(events)[0], "9.6.2", "attack") == 30


@rule("16.7")
def test_16_7_a_face_up_observer_is_needed() -> None:
    eyes = german("cp-german", "C1", face_up=False)
    game = draw(step="indirect", options=["16.7"], indirect=[THUNDER], eyes=eyes, **GUNS)
    assert refused(game, DeclareGroup(0, "a", "C5")) == "16.7"


@rule("16.7")
def test_16_7_without_the_option_there_is_no_such_group() -> None:
    eyes = german("cp-german", "C1")
    game = draw(step="indirect", indirect=[THUNDER], eyes=eyes, **GUNS)
    assert refused(game, DeclareGroup(0, "a", "C5")) == "procedure"
    assert offered(game, DeclareGroup) == set()
    thunder = draw(step="indirect", options=["16.7"], indirect=[THUNDER], eyes=eyes, **GUNS)
    assert refused(thunder, DeclareGroup(0, "a", "F5")) == "16.7"


# --- 16.10 Bigfoot ------------------------------------------------------------------------------------------


@rule("16.10", "9.8.5")
@pytest.mark.parametrize(
    ("kind", "value"), [("block", ""), ("wreck", "1"), ("mines", "1:1"), ("position", ""), ("fort", "5/5")]
)
def test_16_10_marked_hexes_may_be_overrun(kind: str, value: str) -> None:
    marked = {
        "markers": [marker(kind, "C3", value=value, side="soviet" if kind == "mines" else "")],
        "step": "vehicle",
        "a": german("pz-iv-h", "C2", attack=20),
        "x": soviet("cp-soviet", "C3", defence=5),
    }
    assert refused(draw(**marked), Overrun("a", "C3")) == "9.8.5"  # type: ignore[arg-type]
    game = draw(options=["16.10"], **marked)  # type: ignore[arg-type]
    play(game, Overrun("a", "C3"), StartOverrun(), RideThrough("a"), dice=[6])
    assert where(game, "a") == "C4"


@rule("16.10")
def test_16_10_terrain_still_bars_it() -> None:
    game = draw(
        ". . .\n. . .\n. . w\n. . .\n. . .",
        options=["16.10"],
        step="vehicle",
        a=german("pz-iv-h", "C2"),
        x=soviet("rifle-43-soviet", "C3", attack=0),
    )
    assert refused(game, Overrun("a", "C3")) == "9.8.1"


# --- 16.11 reinforcements -----------------------------------------------------------------------------------


def coming(turn: int, options: tuple[str, ...] = ("16.11",), **more: Any) -> Game[Any]:
    return draw(
        "\n".join([". . . . ."] * 5),
        fields={"roads": ["< A3 B3 C4"]},
        options=options,
        turn=turn,
        step="vehicle",
        a=german("pz-iv-h", arrives=2, entry=["A1", "A3"]),
        **more,
    )


@rule("16.11", "5.8.2")
def test_16_11_from_their_turn_on_by_their_hexes() -> None:
    assert refused(coming(1), Enter("a", "A1")) == "16.11"
    for turn in (2, 3):
        game = coming(turn)
        assert refused(game, Enter("a", "A2")) == "16.11"
        assert offered(game, Enter) == {Enter("a", "1-A1"), Enter("a", "1-A3")}


@rule("16.11")
@pytest.mark.parametrize(("hex", "price"), [("A1", 1), ("A3", 0.5)])
def test_16_11_they_pay_for_the_entry_hex(hex: str, price: float) -> None:
    """A3 has a road that leads off the map."""
    game = coming(2)
    play(game, Enter("a", hex))
    assert where(game, "a") == hex
    assert left(game) == 8 - price


@rule("16.11")
def test_16_11_a_unit_off_the_map_without_an_entry_does_not_come_on() -> None:
    """Neither `lost` nor `truck` has a hex to enter by."""
    game = coming(2, lost=german("rifle-42-german"), truck=german("half-track-german"))
    assert offered(game, Enter) == {Enter("a", "1-A1"), Enter("a", "1-A3")}
    assert refused(game, Enter("truck", "A1")) == "16.11"
    assert refused(game, Load("truck", "lost")) == "16.11"
    assert refused(game, Load("a", "lost")) == "16.11"


@rule("16.11")
def test_16_11_not_where_the_enemy_stands_or_no_room_is() -> None:
    game = coming(2, x=soviet("cp-soviet", "A1"))
    assert refused(game, Enter("a", "A1")) == "5.2.1"
    game = coming(2, full=german("truck-german", "A1", points=4))
    assert refused(game, Enter("a", "A1")) == "7.1"
    assert refused(game, Enter("a", "C1")) == "16.11"


@rule("16.11")
def test_16_11_off_unless_named() -> None:
    game = coming(2, options=())
    assert refused(game, Enter("a", "A1")) == "16.11"
    assert offered(game, Enter) == set()


# --- the lost ones ------------------------------------------------------------------------------------------

LOST = ("16.3", "16.4", "16.6", "16.8", "16.9", "16.12")


@rule(*LOST)
def test_16_what_is_lost_is_said_to_be() -> None:
    assert tuple(RULESET.missing) == LOST
    assert all("lost" in reason for reason in RULESET.missing.values())
    assert {option.rule for option in RULESET.options} & set(LOST) == set()


@pytest.mark.parametrize("number", [*LOST, "16.13", "9.8"])
def test_16_no_game_begins_with_an_option_that_is_not_there(number: str) -> None:
    with pytest.raises(BadInput) as caught:
        draw(options=[number], a=german("pz-iv-h", "C1"))
    assert number in str(caught.value)


def test_16_options_are_off_unless_named() -> None:
    game = draw(step="vehicle", a=german("pz-iv-h", "C2"), x=soviet("cp-soviet", "C3"))
    assert game.state.setting.options == frozenset()
    assert preview(game, Overrun("a", "C3")).column == "4:1"
