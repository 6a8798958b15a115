"""Random Recon [7.60]: units that search for an enemy who may not be there."""

from __future__ import annotations

import pytest

from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.indirect.calling import CallFire
from opfire.rulesets.panzer.moving import searching
from opfire.rulesets.panzer.moving.going import Move, Stay, Turn, cannot_move_now
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.moving.searching import Course, FollowSound, Roam
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.sequence import RollInitiative
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import army
from rules.panzer.shelling import shelling

CAR = "german-1"
HIDDEN = army(("t34_43", "1-L8"))
"""An enemy behind the wood that covers the east of the map."""


def board(*rows: str) -> str:
    """A plain with woods in the last columns, and these rows at the top instead."""
    lines = OPEN.splitlines()
    first = lines.index("hexes = '''") + 1
    for number in range(8):
        lines[first + number] = ". . . . . . . . . W W W"
    for number, row in enumerate(rows):
        lines[first + number] = row
    return "\n".join(lines) + "\n"


def searchers(card: str = "k231", hex: str = "1-D4") -> str:
    return army((card, hex)) + (
        f'\n[[sides.german.formations]]\nname = "1."\ngrade = "seasoned"\nunits = {{ {card} = 1 }}\n'
        f"searching = {{ {card} = 1 }}\n"
    )


def searching_now(
    *dice: int,
    german: str = "",
    soviet: str = HIDDEN,
    ground: str = "",
    options: tuple[str, ...] = ("7.60",),
    more: str = "",
) -> Game[Position]:
    """The Germans' Movement Step; they are the Second Player."""
    scenario = text(board=ground or board(), german=german or searchers(), soviet=soviet, options=("AG", *options))
    made = game(scenario + more, (10, 90, *dice))
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.play(made.asked()[0], RollInitiative())
    while made.stack[-1].step != "movement" or made.stack[-1].side != "german":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    return made


def on(made: Game[Position], *actions: object) -> None:
    for action in actions:
        made.play("german", action)  # type: ignore[arg-type]
        while isinstance(made.stack[-1], Overwatch):
            made.play(made.asked()[0], Pass())


# --- the rolls [7.60.1-dir]


@rule("7.60.1-dir")
def test_searching_units_have_open_move_commands_and_no_others() -> None:
    scenario = text(board=board(), german=searchers(), soviet=HIDDEN, options=("AG", "7.60"))
    made = game(scenario)
    assert refused(made, "german", HandIn((Command(CAR, "overwatch"),))) == "7.60.1-dir"
    assert made.orders_for("german", CAR) == ()
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    unit = made.state.units[CAR]
    assert (unit.command, unit.revealed) == ("move", True)


@rule("7.60.1-dir")
def test_without_the_option_they_are_like_any_others() -> None:
    made = game(text(board=board(), german=searchers(), soviet=HIDDEN, options=("AG",)))
    made.play("german", HandIn((Command(CAR, "overwatch"),)))


@rule("7.60.1-dir")
@pytest.mark.parametrize(("roll", "hexes"), [(1, 1), (2, 1), (3, 2), (6, 3), (8, 4), (10, 5)])
def test_two_dice_give_the_direction_and_the_hexes(roll: int, hexes: int) -> None:
    made = searching_now(3, roll)
    assert refused(made, "german", Move(CAR, "1-E5")) == "7.60.1-dir"
    on(made, Roam(CAR))
    frame = made.stack[-1]
    assert isinstance(frame, Moving)
    assert frame.course == Course(2, hexes)
    assert refused(made, "german", Roam(CAR)) == "7.60.1-min"


@rule("7.60.1-dir")
def test_the_scenario_has_its_own_table() -> None:
    more = "\n[conditions]\nrandom_recon = [7, 7, 7, 7, 7, 7, 7, 7, 7, 9]\n"
    made = searching_now(3, 10, more=more)
    on(made, Roam(CAR))
    assert made.stack[-1].course.hexes == 9  # type: ignore[union-attr, attr-defined]
    with pytest.raises(BadInput):
        searching_now(more="\n[conditions]\nrandom_recon = [1, 2]\n")


# --- the way [7.60.1-min]


@rule("7.60.1-min")
def test_a_unit_goes_one_hex_at_least_and_as_many_as_rolled_at_most() -> None:
    made = searching_now(3, 3)  # south-east, two hexes; it faces that way
    on(made, Roam(CAR))
    assert refused(made, "german", Stay(CAR)) == "7.60.1-min"
    assert refused(made, "german", Turn(CAR, 3)) == "7.60.1-min"
    on(made, Move(CAR, "1-E5"))
    assert refused(made, "german", Move(CAR, "1-E6")) is not None
    on(made, Move(CAR, "1-F5"))
    assert refused(made, "german", Move(CAR, "1-G6")) == "7.60.1-min"
    on(made, Stay(CAR))
    assert made.state.units[CAR].moved


@rule("7.60.1-min")
def test_it_may_stop_after_one_hex() -> None:
    made = searching_now(3, 10)
    on(made, Roam(CAR), Move(CAR, "1-E5"), Stay(CAR))
    assert made.state.units[CAR].hex == "1-E5"


@rule("7.60.1-min")
def test_vehicles_turn_to_their_direction() -> None:
    made = searching_now(4, 1)  # south
    on(made, Roam(CAR))
    assert {type(act) for act in made.choices("german")} == {Turn}
    on(made, Turn(CAR, 3), Move(CAR, "1-D5"))
    assert made.state.units[CAR].hex == "1-D5"


@rule("7.60.1-min")
def test_prohibited_ground_and_the_edge_end_the_move_before_it_begins() -> None:
    """The wheeled car may enter neither heavy woods nor the ground beyond the map, and does not turn towards them."""
    for hex, way in (("1-D1", 1), ("1-A4", 6)):
        made = searching_now(way, 5, german=searchers(hex=hex))
        on(made, Roam(CAR))
        assert [*made.choices("german")] == [Stay(CAR)]
    closed = board("~ ~ ~ ~ ~ ~ . . . W W W")
    made = searching_now(1, 5, german=searchers(hex="1-D2"), ground=closed)
    on(made, Roam(CAR))
    assert [*made.choices("german")] == [Stay(CAR)]


@rule("7.60.1-min")
def test_no_unit_exceeds_its_movement_factor() -> None:
    squads = searchers("g_sqd41")
    made = searching_now(4, 10, german=squads)
    on(made, Roam(CAR))
    walked = made.state.units[CAR].ground.m_cc
    on(made, *(Move(CAR, f"1-D{4 + step}") for step in range(1, walked + 1)))
    assert [*made.choices("german")] == [Stay(CAR)]


@rule("7.60.1-min", "7.34")
def test_amphibious_units_need_not_swim() -> None:
    pool, closed = board("~ ~ ~ ~ ~ ~ . . . W W W"), '\n[conditions]\nstreams = "impassable"\n'
    card = next(name for name, card in CHARTS.vehicles.items() if card.amphibious and card.nation == "Germany")
    made = searching_now(1, 5, german=searchers(card, "1-D2"), ground=pool, options=("7.60", "7.34"), more=closed)
    made.state.change(CAR, facing=0)
    on(made, Roam(CAR))
    assert set(made.choices("german")) == {Move(CAR, "1-D1"), Stay(CAR)}


@rule("7.60.1-min")
def test_the_step_does_not_end_before_all_have_searched() -> None:
    made = searching_now(3, 1)
    assert refused(made, "german", EndStep()) == "7.60.1-min"
    on(made, Roam(CAR), Move(CAR, "1-E5"), Stay(CAR))
    assert refused(made, "german", EndStep()) is None


# --- roads [7.60.1.1]

ROAD = 'roads = ["D2 D3 D4 D5 E6"]\n'


@rule("7.60.1.1")
def test_a_vehicle_on_a_road_may_follow_it_from_the_closest_hexside_on() -> None:
    """The road leads north and south from D4; south-east is one hexside from south, and two from north."""
    made = searching_now(3, 5, ground=board() + ROAD)
    on(made, Roam(CAR))
    assert searching.ways(made.state, made.state.units[CAR], Course(2, 3, by_road=True), 0) == (2, 3)
    on(made, Turn(CAR, 3), Move(CAR, "1-D5", along_road=True), Turn(CAR, 2), Move(CAR, "1-E6", along_road=True))
    assert made.state.units[CAR].hex == "1-E6"


LOOSE = Course(2, 4, by_road=True)
"""South-east, from the road that leads from D2 south to D5 and on to E6."""


def after(made: Game[Position], *hexes: str) -> Course:
    """The course after steps from D4 on."""
    course = LOOSE
    for start, to in zip(("1-D4", *hexes), hexes, strict=False):
        course = searching.gone_on(made.state, course, start, to)
        made.state.put(CAR, to)
    return course


@rule("7.60.1.1")
def test_a_vehicle_that_follows_a_road_does_not_leave_it() -> None:
    """It has gone south by the road, away from its direction: it "does not exit the Road"."""
    made = searching_now(ground=board() + ROAD)
    course = after(made, "1-D5")
    assert course.strayed
    assert set(searching.ways(made.state, made.state.units[CAR], course, 1)) == {0, 2}
    made = searching_now(ground=board() + 'roads = ["D2 D3 D4 D5 D6 E7"]\n')
    course = after(made, "1-D5")
    assert set(searching.ways(made.state, made.state.units[CAR], course, 1)) == {0, 3}


@rule("7.60.1.1")
def test_a_vehicle_that_has_left_its_road_follows_no_other() -> None:
    """It went south-east across country, and meets another road there: it keeps to its direction."""
    made = searching_now(ground=board() + 'roads = ["D3 D4 D5", "E4 E5 E6"]\n')
    course = after(made, "1-E5")
    assert searching.ways(made.state, made.state.units[CAR], course, 1) == (2,)


@rule("7.60.1.1")
def test_a_road_in_the_direction_of_the_roll_may_be_followed_or_left_where_it_turns() -> None:
    made = searching_now(ground=board() + 'roads = ["D4 E5 E6 E7"]\n')
    course = after(made, "1-E5")
    assert set(searching.ways(made.state, made.state.units[CAR], course, 1)) == {2, 3, 5}


@rule("7.60.1.1")
def test_the_course_of_a_moving_vehicle_keeps_to_its_road() -> None:
    made = searching_now(3, 10, ground=board() + 'roads = ["D2 D3 D4 D5 D6 E7"]\n')
    on(made, Roam(CAR), Turn(CAR, 3), Move(CAR, "1-D5", along_road=True))
    assert {way.to for way in made.choices("german") if isinstance(way, Move)} == {"1-D4", "1-D6"}
    assert {way.facing for way in made.choices("german") if isinstance(way, Turn)} <= {0}
    on(made, Move(CAR, "1-D6", along_road=True))


@rule("7.60.1.1")
def test_leg_units_and_vehicles_beside_the_road_keep_to_their_direction() -> None:
    for german in (searchers("g_sqd41"), searchers(hex="1-C4")):
        made = searching_now(3, 5, german=german, ground=board() + ROAD)
        on(made, Roam(CAR))
        assert made.stack[-1].course == Course(2, 3)  # type: ignore[attr-defined]


@rule("7.60.1.1")
def test_of_two_hexsides_as_close_the_player_chooses() -> None:
    state = searching_now(ground=board() + 'roads = ["C4 D4 E4"]\n').state
    unit = state.units[CAR]
    found = searching.ways(state, unit, Course(0, 3, by_road=True), 0)
    assert found[0] == 0
    assert len(found) == 3


# --- sounds [7.60.1.2-move]


def heard(state: Position) -> tuple[str, ...]:
    return state.units[CAR].heard


@rule("7.60.1.2-move", "7.60.1.2-veh")
@pytest.mark.parametrize(("card", "hexes"), [("t34_43", 10), ("ts_gazaa", 5), ("s_sqd41", 0)])
def test_tracks_are_heard_at_ten_hexes_and_wheels_at_five(card: str, hexes: int) -> None:
    for range_hexes in (hexes, hexes + 1):
        state = searching_now(german=searchers(hex="1-A4"), soviet=army((card, "1-L8"))).state
        coords, start = state.map.coords, state.map.coords["1-A4"]
        hex = next(
            (name for name in coords if state.map.distance("1-A4", name) == range_hexes and name != "1-A4"), "1-A4"
        )
        assert coords["1-A4"] == start
        unit = state.put("soviet-1", hex)
        searching.hear_vehicle(state, unit)
        assert bool(heard(state)) is (0 < range_hexes <= hexes)


@rule("7.60.1.2-fire")
def test_a_mortar_that_fires_for_an_observer_is_heard_where_it_stands() -> None:
    german = army(("g_fo", "1-F4"), ("g_m81", "1-A1"))
    made = shelling(german, {1: "overwatch", 2: "fire"}, army(("t34_43", "1-L8")), 9, 50, options=("7.60",))
    made.state.change("soviet-1", searching=True)
    made.state.spots["soviet-1"] = ("german-1",)
    made.play("german", CallFire("german-1", "german-2", "soviet-1"))
    assert "1-A1" in made.state.units["soviet-1"].heard


@rule("7.60.1.2-move", "7.60.1.2-fire")
def test_small_arms_are_heard_at_ten_hexes_and_guns_everywhere() -> None:
    state = searching_now(german=searchers(hex="1-A4")).state
    searching.hear(state, "soviet", "1-L8", searching.SMALL_ARMS)
    assert heard(state) == ()
    searching.hear(state, "soviet", "1-L8", searching.ANYWHERE)
    searching.hear(state, "soviet", "1-J8", searching.SMALL_ARMS)
    searching.hear(state, "german", "1-A5", searching.SMALL_ARMS)
    assert heard(state) == ("1-L8", "1-J8")


@rule("7.60.1.2-move")
def test_a_unit_moves_straight_towards_a_sound_without_rolls() -> None:
    made = searching_now()
    made.state.change(CAR, heard=("1-G6",))
    assert searching.towards(made.state, "1-D4", "1-G6") == (2,)
    assert refused(made, "german", FollowSound(CAR, "1-G6", 3)) == "7.60.1.2-move"
    assert refused(made, "german", FollowSound(CAR, "1-A1", 5)) == "7.60.1.2-move"
    on(made, FollowSound(CAR, "1-G6", 2))
    assert made.rolls == []
    on(made, Move(CAR, "1-E5"))
    assert refused(made, "german", Turn(CAR, 3)) == "7.60.1-min"
    on(made, Stay(CAR))
    unit = made.state.units[CAR]
    assert (unit.heard, unit.bound) == ((), "1-G6")
    again = made.state.change(CAR, moved=False)
    assert FollowSound(CAR, "1-G6", 2) in searching.sounds(made.state, again)


@rule("7.60.1.2-move")
def test_the_player_chooses_between_two_hexsides_that_face_a_sound() -> None:
    state = searching_now().state
    unit = state.change(CAR, heard=("1-F4",))
    ways = [act.facing for act in searching.sounds(state, unit)]
    assert len(ways) == 2


# --- the end [7.60.2]


@rule("7.60.2")
def test_an_enemy_that_is_spotted_on_the_way_ends_the_search_of_all() -> None:
    german = army(("k231", "1-D4"), ("k231", "1-A8")) + (
        '\n[[sides.german.formations]]\nname = "1."\ngrade = "seasoned"\nunits = { k231 = 2 }\n'
        "searching = { k231 = 2 }\n"
    )
    made = searching_now(3, 10, german=german)
    on(made, Roam(CAR))
    made.state.put("soviet-1", "1-E6")
    on(made, Move(CAR, "1-E5"))
    assert not any(unit.searching for unit in made.state.of("german"))
    assert refused(made, "german", Turn(CAR, 3)) is None
    on(made, Stay(CAR))
    assert refused(made, "german", Move("german-2", "1-B8")) is None
    assert cannot_move_now("german", made.state.units["german-2"]) is None


@rule("7.60.2")
def test_an_enemy_in_sight_at_the_start_ends_it_in_the_spotting_phase() -> None:
    scenario = text(board=board(), german=searchers(), soviet=army(("t34_43", "1-F4")), options=("AG", "7.60"))
    made = game(scenario)
    assert not made.state.units[CAR].searching
    assert told(made, "spotting") == ["T-34 M43 1 is spotted: the search is over"]
    assert Command(CAR, "overwatch") in made.orders_for("german", CAR)
