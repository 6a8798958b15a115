"""The sequence of play [4.0]."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.actions import IllegalAction
from opfire.core.dice import scripted
from opfire.core.errors import BadInput
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.kit.setup import PickUp, Ready
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.direct import Attack, Fire
from opfire.rulesets.case_orange.indirect import DeclareFire
from opfire.rulesets.case_orange.movement import Move, Stop
from opfire.rulesets.case_orange.overrun import Overrun, RideThrough, StartOverrun
from opfire.rulesets.case_orange.registration import Aim, Register
from opfire.rulesets.case_orange.sequence import PLAYER_TURN
from opfire.rulesets.case_orange.setup import Place
from rules.case_orange.drawing import (
    allowed,
    draw,
    german,
    kinds,
    marker,
    offered,
    play,
    refused,
    results,
    rule,
    soviet,
    unit,
)
from rules.case_orange.scenes import scene

SEGMENTS = ["indirect", "registration", "direct", "vehicle", "non-vehicle", "assault"]
"""Those in which somebody decides; the beginning and the end of a player turn run by themselves."""


def begun(**values: Any) -> Game[Any]:
    """A scene with both sides set up, at the first decision of turn 1."""
    game = scene(**values)
    play(game, Place("german-1", "A1"), Ready(), Place("soviet-1", "L8"), Ready())
    return game


def passed(game: Game[Any]) -> tuple[list[tuple[int, str, str]], list[Event]]:
    """Let every segment go by to the end: turn, side and step of each, and what happened."""
    seen, events = [], []
    while game.asked():
        seen.append((game.state.turn, game.asked()[0], game.stack[-1].step))
        events += play(game, EndSegment())
    return seen, events


# --- 4.1, 4.2 -----------------------------------------------------------------------------------------------


@rule("4.1", "4.2-D", "4.2-E")
@pytest.mark.parametrize("first", ["german", "soviet"])
def test_4_1_each_game_turn_is_a_player_turn_of_either_side_the_first_player_first(first: str) -> None:
    second = "soviet" if first == "german" else "german"
    seen, _ = passed(begun(turns=3, first=first))
    assert seen == [(turn, side, step) for turn in (1, 2, 3) for side in (first, second) for step in SEGMENTS]


@rule("4.1")
def test_4_1_the_turn_marker_begins_at_one() -> None:
    game = scene()
    assert game.state.turn == 0
    play(game, Place("german-1", "A1"), Ready(), Place("soviet-1", "L8"), Ready())
    assert game.state.turn == 1


@rule("4.1")
def test_4_1_the_table_of_the_player_turn_prints_as_in_the_book() -> None:
    rows = [line.split()[0] for line in str(PLAYER_TURN).splitlines()[1:]]
    assert [row for row in rows if row.startswith("4.2")] == [
        "4.2-C1",
        "4.2-C2",
        "4.2-C3",
        "4.2-C4",
        "4.2-C5",
        "4.2-C6",
        "4.2-C7",
    ]
    seen, _ = passed(begun(turns=1))
    assert len(seen) == 2 * len(SEGMENTS)


@rule("4.2-A")
def test_4_2_A_both_set_up_where_the_scenario_says_before_anything_else() -> None:
    game = scene(german={"rifle-42-german": 2}, zone=["A1", "A2"])
    assert (game.asked(), game.stack[-1].step) == (("german",), "set-up")
    assert refused(game, Place("german-1", "B1")) == "4.2-A"
    assert refused(game, Place("german-2", "A1")) == "procedure"  # alike: the first one first
    assert refused(game, Ready()) == "4.2-A"
    play(game, Place("german-1", "A1"), Place("german-2", "A2"))
    assert allowed(game, PickUp("german-1"))
    play(game, Ready())
    assert (game.asked(), game.stack[-1].step) == (("soviet",), "set-up")
    assert refused(game, Place("german-1", "A2")) == "procedure"


@rule("4.2-A", "7.1")
def test_4_2_A_who_stands_where_another_has_to_is_taken_up_again() -> None:
    """Four fill the only hex that the fifth may set up in; they have another one."""
    zones = [{"name": "wide", "list": ["1-A1", "1-A2"]}, {"name": "narrow", "list": ["1-A1"]}]
    units = [
        {"unit": "rifle-42-german", "count": 4, "zone": "wide"},
        {"unit": "hmg-german", "count": 1, "zone": "narrow"},
    ]
    german = {"name": "German", "nation": "german", "units": units}
    soviet = {"name": "Soviet", "nation": "soviet", "units": [{"unit": "rifle-43-soviet", "at": ["1-L8"]}]}
    game = scene(zones=zones, sides={"german": german, "soviet": soviet})
    play(game, Place("german-1", "A1"))
    assert refused(game, PickUp("german-1")) == "procedure"  # the others have room
    play(game, *(Place(f"german-{n}", "A1") for n in (2, 3, 4)))
    assert offered(game, PickUp) == {PickUp(f"german-{n}") for n in (1, 2, 3, 4)} == set(game.choices("german"))
    play(game, PickUp("german-2"), Place("german-5", "A1"), Place("german-2", "A2"), Ready())
    assert game.state.units["german-5"].hex == "1-A1"


@rule("4.2-B", "16.11")
def test_4_2_B_reinforcements_are_looked_for_at_the_start_of_a_game_turn() -> None:
    reserve = [{"turn": 2, "entry": ["1-A1"], "units": {"pz-iv-h": 1}}]
    game = begun(turns=3, reserve=reserve, options=["16.11"])
    due = []
    while game.asked():
        events = play(game, EndSegment())
        due += [game.state.turn for event in events if event.rule == "4.2-B" and event.kind == "entered"]
    assert due == [2]


@rule("4.2-C1")
def test_4_2_C1_mines_first_then_loading_then_bridges() -> None:
    game = draw(
        "\n".join([". . . . ."] * 4),
        fields={"roads": ["C1 C2 C3"], "gullies": ["B2 C2 D2"], "bridges": {"C2": "wood"}},
        markers=[marker("mines", "E4", value="1:1", side="german")],
        options=["16.5"],
        side="soviet",
        first="german",
        step="assault",
        x=soviet("rifle-43-soviet", "E4"),
        e=german("engineer-german", "C2", charges=2),
        gun=german("pak-75", "A1", busy=1),
    )
    game.dice = scripted([3, 6])
    events = play(game, EndSegment())
    assert [event.dice for event in events if event.dice] == [(3,), (6,)]
    assert [kind for kind in kinds(events) if kind in ("fired", "bridge")] == ["fired", "bridge"]
    assert unit(game, "x").dispersed == "D"
    assert (unit(game, "gun").busy, unit(game, "e").charges) == (0, 0)


@rule("4.2-C1")
def test_4_2_C1_only_ones_own_mines_and_engineers() -> None:
    game = draw(
        markers=[marker("mines", "E4", value="1:1", side="soviet")],
        step="begin",
        x=soviet("rifle-43-soviet", "E4"),
        e=soviet("engineer-soviet", "C2", charges=5),
    )
    assert (game.stack[-1].side, game.stack[-1].step) == ("german", "indirect")
    assert unit(game, "x").dispersed == ""
    assert unit(game, "e").charges == 5


@rule("4.2-C2")
def test_4_2_C2_all_indirect_fire_is_declared_then_resolved() -> None:
    game = draw(
        step="indirect",
        m=german("mortar-81-german", "C1", attack=20, registered="C5"),
        eyes=german("cp-german", "D1"),
        x=soviet("rifle-43-soviet", "C5"),
    )
    assert results(play(game, DeclareFire("m", "C5", "registered"))) == []
    assert len(results(play(game, EndSegment(), dice=[6]))) == 1
    assert game.stack[-1].step == "registration"


@rule("4.2-C3")
def test_4_2_C3_registration_comes_after_indirect_and_before_direct_fire() -> None:
    game = draw(step="indirect", m=german("mortar-81-german", "C1"), eyes=german("cp-german", "D1"))
    assert refused(game, Aim("m")) == "procedure"
    play(game, EndSegment(), Aim("m"), Register("C5"))
    assert game.state.registered == {"m": "1-C5"}
    play(game, EndSegment())
    assert game.stack[-1].step == "direct"


@rule("4.2-C4", "8.1.1")
def test_4_2_C4_firers_in_cover_are_spotted_when_an_enemy_sees_them() -> None:
    """The gun fires from woods at the tank next to it... and one that nobody sees stays hidden."""
    board = ". . . . .\n. . w . .\n. . . . .\n. . . . .\n. . . . ."
    game = draw(
        board,
        fields={"open": ["C2/C3"]},
        gun=german("pak-75", "C2"),
        x=soviet("t-34-76", "C4"),
    )
    assert unit(game, "gun").spotted == ""
    events = play(game, Attack("gun", "x"), Fire(), dice=[6])
    assert unit(game, "gun").spotted == "spotted"
    assert not unit(game, "gun").face_up
    assert "spotted" in kinds(events)
    assert refused(game, Attack("gun", "x")) == "2.0-G09"


@rule("4.2-C5")
def test_4_2_C5_vehicles_move_and_overruns_are_resolved_as_they_occur() -> None:
    game = draw(
        step="vehicle",
        a=german("pz-iv-h", "C2"),
        b=german("pz-iv-h", "G2"),
        foot=german("rifle-42-german", "A1"),
        spent=german("pz-iv-h", "H1", face_up=False),
        x=soviet("rifle-43-soviet", "C3", attack=0, defence=20),
    )
    assert refused(game, Move("foot", "A2")) == "4.2-C6"
    assert refused(game, Move("spent", "H2")) == "2.0-G09"
    events = play(game, Overrun("a", "C3"), StartOverrun(), RideThrough("a"), dice=[6])
    assert len(results(events)) == 1
    assert allowed(game, Move("b", "G3"))


@rule("4.2-C5", "8.1.1")
def test_4_2_C5_a_vehicle_that_drives_into_cover_in_an_enemys_sight_is_spotted() -> None:
    board = ". . s . .\n. . . . .\n. . v . .\n. . . . ."
    game = draw(
        board,
        step="vehicle",
        a=german("pz-iv-h", "C4"),
        foot=german("rifle-42-german", "A1"),
        x=soviet("cp-soviet", "C1"),
    )
    play(game, Move("a", "C3"))
    assert unit(game, "a").spotted == "spotted"
    play(game, Stop("a"))
    assert refused(game, Move("foot", "A2")) == "4.2-C6"


@rule("4.2-C6")
def test_4_2_C6_the_others_move_then_assaults_follow() -> None:
    game = draw(step="non-vehicle", tank=german("pz-iv-h", "C1"), foot=german("rifle-42-german", "A1"))
    assert refused(game, Move("tank", "C2")) == "4.2-C5"
    play(game, Move("foot", "A2"), EndSegment())
    assert game.stack[-1].step == "assault"
    assert refused(game, Move("foot", "A3")) == "procedure"


END = {
    "mobile": german("rifle-42-german", "C3", spotted="spotted"),
    "gun": german("pak-75", "C3", spotted="spotted"),
    "shot": german("rifle-42-german", "C3", spotted="opportunity"),
    "x": soviet("rifle-43-soviet", "C4", spotted=""),
    "lame": soviet("rifle-43-soviet", "F4", dispersed="D", face_up=False),
    "worse": soviet("rifle-43-soviet", "F4", dispersed="DD", face_up=False),
    "spent": soviet("cp-soviet", "A4", face_up=False),
}
VILLAGE = ". . s . . . . .\n. . . . . . . .\n. . v . . . . .\n. . . . . . . .\n. . . . . . . ."


@rule("4.2-C7", "9.10.2")
def test_4_2_C7_the_current_player_recovers() -> None:
    game = draw(step="assault", side="soviet", first="german", **{k: v for k, v in END.items() if k not in ("x",)})
    play(game, EndSegment())
    found = {name: (unit(game, name).dispersed, unit(game, name).face_up) for name in ("lame", "worse", "spent")}
    assert found == {"lame": ("", True), "worse": ("D", False), "spent": ("", True)}


@rule("4.2-C7", "8.1.3")
def test_4_2_C7_the_opponents_markers_fade() -> None:
    """Seen from the slope; next to nobody. A mobile unit loses its marker, a gun keeps it."""
    units = {name: END[name] for name in ("mobile", "gun", "shot")}
    game = draw(VILLAGE, step="assault", side="soviet", first="german", watch=soviet("cp-soviet", "C1"), **units)
    play(game, EndSegment())
    assert {name: unit(game, name).spotted for name in units} == {"mobile": "", "gun": "spotted", "shot": "spotted"}


@rule("4.2-C7")
def test_4_2_C7_ones_own_markers_do_not_fade_then() -> None:
    units = {name: END[name] for name in ("mobile", "gun", "shot")}
    game = draw(VILLAGE, step="assault", watch=soviet("cp-soviet", "C1"), **units)
    play(game, EndSegment())
    found = {name: unit(game, name).spotted for name in units}
    assert found == {"mobile": "spotted", "gun": "spotted", "shot": "opportunity"}


@rule("4.2-D")
def test_4_2_D_the_second_player_does_the_same() -> None:
    seen, _ = passed(begun(turns=1))
    halves = [[step for _, side, step in seen if side == name] for name in ("german", "soviet")]
    assert halves[0] == halves[1] == SEGMENTS
    assert seen[len(SEGMENTS)][1] == "soviet"


# --- 4.2-E, 4.2-F, 4.3 --------------------------------------------------------------------------------------


@rule("4.2-E", "4.3")
@pytest.mark.parametrize("turns", [1, 2, 4])
def test_4_2_E_the_game_ends_after_the_last_turn(turns: int) -> None:
    game = begun(turns=turns)
    seen, events = passed(game)
    assert max(turn for turn, _, _ in seen) == turns
    assert [event.facts for event in events if event.kind == "turn"] == [(turn,) for turn in range(2, turns + 1)]
    assert game.outcome is not None
    assert kinds(events)[-1] == "over"


def won(hexes: dict[str, list[str]], **levels: int) -> Any:
    """The end of a game without moves, for such objectives."""
    victory = [
        {"side": side, "condition": "control", "points": 3, "hexes": [f"1-{hex}" for hex in named]}
        for side, named in hexes.items()
    ]
    game = begun(turns=1, victory=victory, levels=levels)
    passed(game)
    return game.outcome


@rule("4.2-F")
@pytest.mark.parametrize(
    ("hexes", "winner", "level"),
    [
        ({"german": ["A1"]}, "german", "marginal"),
        ({"soviet": ["L8"]}, "soviet", "marginal"),
        ({"german": ["A1"], "soviet": ["L8"]}, None, "draw"),
        ({"german": ["C4"]}, None, "draw"),
    ],
)
def test_4_2_F_the_scenarios_conditions_decide(hexes: dict[str, list[str]], winner: str | None, level: str) -> None:
    outcome = won(hexes, marginal=3, decisive=9)
    assert (outcome.winner, outcome.level) == (winner, level)
    assert won({"german": ["A1"]}, marginal=3, decisive=9).winner == "german"


@rule("4.2-F")
@pytest.mark.parametrize(
    ("marginal", "decisive", "level"), [(4, 9, "draw"), (3, 9, "marginal"), (1, 4, "marginal"), (1, 3, "decisive")]
)
def test_4_2_F_by_the_margins_of_the_scenario(marginal: int, decisive: int, level: str) -> None:
    """Three points ahead."""
    assert won({"german": ["A1"]}, marginal=marginal, decisive=decisive).level == level
    assert won({"german": ["A1"]}, marginal=1, decisive=3).winner == "german"


@rule("4.3")
def test_4_3_victory_is_looked_at_only_then() -> None:
    victory = [{"side": "german", "condition": "control", "points": 99, "hexes": ["1-A1"]}]
    game = begun(turns=2, victory=victory)
    while game.state.turn < 2:
        play(game, EndSegment())
    assert game.outcome is None
    passed(game)
    assert game.outcome is not None
    assert game.outcome.winner == "german"


@rule("4.3")
def test_4_3_a_player_may_concede_at_any_time() -> None:
    game = scene()
    game.concede("german")
    assert game.outcome is not None
    assert (game.outcome.winner, game.outcome.level) == ("soviet", "conceded")
    with pytest.raises(IllegalAction):
        game.concede("soviet")
    over = begun(turns=1)
    passed(over)
    assert over.outcome is not None
    assert over.outcome.level == "draw"


def test_4_2_A_a_zone_or_unit_that_is_not_there_is_an_error() -> None:
    with pytest.raises(BadInput):
        scene(zone=["Z9"])
    with pytest.raises(BadInput):
        scene(german={"panzer-ix": 1})
