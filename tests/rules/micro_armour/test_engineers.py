"""Engineers and engineering vehicles [11.5]: paths through mines and wire, ditches, bridges, wrecks on roads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from opfire.core.events import Calculation
from opfire.core.game import Game
from opfire.rulesets.micro_armour.close.close_assault import Assault, CloseAssaults, Resolve
from opfire.rulesets.micro_armour.pieces import Position, Work, WorkKind
from opfire.rulesets.micro_armour.postures import PostureDetermination
from opfire.rulesets.micro_armour.recovery import MarkerRemoval
from opfire.rulesets.micro_armour.shown.moves import reached
from opfire.rulesets.micro_armour.shown.previews import preview
from opfire.rulesets.micro_armour.shown.view import view
from opfire.rulesets.micro_armour.shown.words import label
from opfire.rulesets.micro_armour.works.labour import Bridge, EndWorks, EngineeringTasks, Labour, complete
from opfire.rulesets.micro_armour.works.tasks import cannot_span, lacks_posture
from rules.micro_armour.kit import rule, scripts
from rules.micro_armour.marches import against, go, inches, leg, line, march, points, stand

RIFLES, SHERMAN, STUART, TRUCK, HEAVY = (
    "us-infantry-42",
    "us-m4-sherman",
    "us-m3-stuart",
    "us-medium-truck-2-3-ton",
    "us-heavy-truck-4-10-ton",
)
ENGINEERS: dict[str, Any] = {"equipment": ("engineers",), "posture": "firing"}
ROAD = line("good-road", "0,5 40,5")
MOVING: dict[str, Any] = {"posture": "movement"}


def site(kind: WorkKind, unit: str = RIFLES, at: str = "8,5", value: str = "", **state: Any) -> Game[Position]:
    """A game in red's marker removal phase: one stand of red on or beside a marker of blue's at 8,5."""
    game = march(((unit, at), (RIFLES, "2,25")), ground=ROAD, red_1={**ENGINEERS, **state})
    game.state.lay(Work("site", kind, inches(8, 5), 0, "blue", value))
    return game


def turn(game: Game[Position], dice: Sequence[int], **state: Any) -> list[str]:
    """Let a turn's marker removal begin, the first stand work, and the dice fall; the rules of the events."""
    for name in game.state.units:
        game.state.change(name, spent=0, gone=0)
    if state:
        game.state.change("red-1", **state)
    game.push(MarkerRemoval(""))
    game.run()
    scripts(game, dice)
    if not isinstance(game.stack[-1], EngineeringTasks):
        return []
    return [event.rule for event in game.play("red", Labour("red-1", "site"))]


# --- mines ------------------------------------------------------------------------------------------------------------


@rule("11.5.3-steps")
@pytest.mark.parametrize(("value", "turns"), [("hasty", 3), ("standard", 3), ("concentrated", 5)])
def test_11_5_3_engineers_need_three_or_five_successes(value: str, turns: int) -> None:
    game = site("mines", value=value)
    for number in range(turns):
        assert "site" in game.state.works, number
        turn(game, (15,))  # a failure between does not count
        turn(game, (14,))
    assert "site" not in game.state.works


@rule("11.5.3-steps")
@pytest.mark.parametrize("posture", ["firing", "movement", "fire/move"])
def test_11_5_3_engineers_work_in_any_posture(posture: str) -> None:
    game = site("mines", value="standard")
    turn(game, (14,), posture=posture)
    assert dict(stand(game, "red-1").toil) == {"site": 1}


@rule("11.5.3-steps")
@pytest.mark.parametrize(
    "state",
    [{"fired": True}, {"began": (9000, 9000)}, {"assaults": "blue-1"}, {"equipment": ()}, {"at": (8000, 5700)}],
)
def test_11_5_3_engineers_begin_the_turn_on_the_mines_and_do_nothing_else(state: dict[str, Any]) -> None:
    game = site("mines", value="standard")
    assert turn(game, (1,), **state) == []
    assert "site" in game.state.works


@rule("11.5.3-steps", "11.5.5")
@pytest.mark.parametrize(("kind", "value"), [("mines", "standard"), ("wire", "")])
@pytest.mark.parametrize("fights", [False, True])
def test_11_5_3_engineers_that_have_assaulted_do_not_work(kind: WorkKind, value: str, fights: bool) -> None:
    units = ((RIFLES, "8,5"), (RIFLES, "2,25"))
    game = march(units, (("ger-infantry-39", "9,5"),), red_1={"equipment": ("engineers",)})
    game.state.lay(Work("site", kind, inches(8, 5), 0, "blue", value))
    if fights:
        game.play("red", Assault("red-1", "blue-1"))
        game.push(CloseAssaults(""))
        game.run()
        scripts(game, (20, 20))  # neither side dares
        game.play("red", Resolve("blue-1"))
    game.push(MarkerRemoval(""))
    game.run()
    assert isinstance(game.stack[-1], EngineeringTasks) is not fights


@rule("11.5.3-nat")
def test_11_5_3_a_natural_1_clears_the_mines_at_once() -> None:
    game = site("mines", value="concentrated")
    turn(game, (1,))
    assert "site" not in game.state.works


@rule("11.5.3-nat")
def test_11_5_3_a_natural_20_sets_the_mines_off() -> None:
    game = site("mines", value="standard")
    turn(game, (20, 3, 3, 5))  # D
    assert (stand(game, "red-1").disorganized, game.state.works["site"].known) == (True, True)


@rule("11.5.3-pause")
def test_11_5_3_progress_belongs_to_the_stand_that_made_it() -> None:
    game = site("mines", value="hasty")
    turn(game, (2,))
    turn(game, (2,), fired=True)  # a turn of fire interrupts nothing
    game.state.change("red-1", at=inches(2, 5))
    game.state.put("red-2", inches(8, 5), equipment=("engineers",), began=inches(8, 5))
    for _ in range(2):
        game.push(MarkerRemoval(""))
        game.run()
        scripts(game, (2,))
        game.play("red", Labour("red-2", "site"))
    assert "site" in game.state.works
    game.state.put("red-2", inches(2, 25))
    game.state.put("red-1", inches(8, 5), began=inches(8, 5))
    turn(game, (2,))
    turn(game, (2,))
    assert "site" not in game.state.works


@rule("11.5.3-pause")
def test_11_5_3_a_player_may_leave_the_work() -> None:
    game = site("mines", value="hasty")
    game.push(MarkerRemoval(""))
    game.run()
    game.play("red", EndWorks())
    assert stand(game, "red-1").toil == ()


@rule("11.5.4-steps")
@pytest.mark.parametrize(("value", "turns"), [("hasty", 1), ("standard", 2), ("concentrated", 3)])
def test_11_5_4_vehicles_clear_mines_from_the_turn_on_in_which_they_come(value: str, turns: int) -> None:
    game = march(((SHERMAN, "5,5"), (RIFLES, "2,25")), red_1={"equipment": ("mine clearing",), **MOVING})
    game.state.lay(Work("site", "mines", inches(8, 5), 0, "blue", value))
    go(game, "red-1", 8, 5)
    assert game.state.works["site"].known
    for number in range(turns):
        assert "site" in game.state.works, number
        turn(game, (14,), posture="movement")
    assert "site" not in game.state.works


@rule("11.5.4-steps")
def test_11_5_4_vehicles_clear_mines_in_the_movement_posture_only() -> None:
    game = site("mines", SHERMAN, value="hasty", equipment=("mine clearing",))
    assert turn(game, (1,)) == []


# --- wire, ditches ----------------------------------------------------------------------------------------------------


@rule("11.5.5")
def test_11_5_5_one_success_clears_wire_in_the_movement_posture() -> None:
    game = site("wire", began=inches(6, 5))  # it came in this turn
    assert turn(game, (14,), posture="firing") == []
    game.state.change("red-1", began=inches(6, 5))
    turn(game, (15,), posture="movement")
    assert "site" in game.state.works
    turn(game, (14,), posture="movement")
    assert "site" not in game.state.works


@rule("11.5.6")
@pytest.mark.parametrize(("unit", "means", "turns"), [(RIFLES, "engineers", 4), (STUART, "dozer", 2)])
def test_11_5_6_ditches_are_filled_from_beside_them(unit: str, means: str, turns: int) -> None:
    game = site("ditch", unit, at="7,5", equipment=(means,))
    for number in range(turns):
        assert "site" in game.state.works, number
        turn(game, (14,))
    assert "site" not in game.state.works


@rule("11.5.6")
def test_11_5_6_engineers_fill_ditches_in_the_firing_posture_only() -> None:
    assert turn(site("ditch", at="7,5"), (14,), posture="movement") == []
    assert turn(site("ditch", at="6.5,5"), (14,)) == []
    assert turn(site("ditch", at="7,5"), (14,), began=inches(6, 5)) == []


# --- bridges ----------------------------------------------------------------------------------------------------------

STREAM = line("stream", "10,0 10,30")  # half an inch wide
OVER = Bridge("red-1", inches(10, 5), 90)


def bank(unit: str, at: str = "9.2,5", load: str = "8.2,5", **state: Any) -> Game[Position]:
    """A game in which red's first stand is beside a stream, and its second carries a bridge."""
    units = ((unit, at), (TRUCK, load), (RIFLES, "2,25"))
    return march(units, ground=STREAM, red_1={**MOVING, **state}, red_2={"equipment": ("bridge load",)})


def span(game: Game[Position], die: int) -> None:
    """A turn of work at the bridge."""
    game.state.change("red-1", posture="movement", spent=0, gone=0)
    game.push(MarkerRemoval(""))
    game.run()
    scripts(game, (die,))
    game.play("red", OVER)


@rule("11.5.7-build")
@pytest.mark.parametrize(("unit", "means", "turns"), [(SHERMAN, "bridging", 2), (RIFLES, "engineers", 4)])
def test_11_5_7_vehicles_and_engineers_bridge_a_stream(unit: str, means: str, turns: int) -> None:
    game = bank(unit, equipment=(means,))
    for number in range(turns):
        assert not game.state.works, number
        span(game, 15)
        span(game, 14)
    (work,) = game.state.works.values()
    assert (work.kind, work.at) == ("bridge", inches(10, 5))


@rule("11.5.7-build")
def test_11_5_7_a_bridge_is_rough_ground_that_everybody_crosses() -> None:
    game = march(((SHERMAN, "9.2,5"), (TRUCK, "2,25")), ground=STREAM)
    assert against(game, leg("red-1", 11, 5)) == "9.5.3"
    game.state.lay(Work("bridge", "bridge", inches(10, 5), 90))
    go(game, "red-1", 10.8, 5)
    assert stand(game, "red-1").spent == 3_000_000  # 0.3 inch for half a point, an inch at 2, and 0.3 again


@rule("11.5.7-build")
@pytest.mark.parametrize(
    ("place", "state"),
    [
        ({}, {"equipment": ()}),
        ({}, {"posture": "firing"}),
        ({}, {"began": (9000, 5000)}),
        ({"load": "5,5"}, {}),
    ],
)
def test_11_5_7_engineers_need_a_load_beside_them_and_the_movement_posture(
    place: dict[str, str], state: dict[str, Any]
) -> None:
    game = bank(RIFLES, **place, **{"equipment": ("engineers",), **state})
    game.push(MarkerRemoval(""))
    game.run()
    assert not isinstance(game.stack[-1], EngineeringTasks)


@rule("11.5.7-build")
def test_11_5_7_gaps_of_more_than_an_inch_are_not_bridged() -> None:
    river = line("river", "10.4,0 10.4,30")  # an inch and a half
    game = march(
        ((SHERMAN, "9.1,5"),), ground=river, more='bridgeable = ["river"]\n', red_1={"equipment": ("bridging",)}
    )
    game.push(MarkerRemoval(""))
    game.run()
    assert not isinstance(game.stack[-1], EngineeringTasks)


@rule("11.5.7-build")
@pytest.mark.parametrize(("facing", "refusal"), [(0, ""), (90, "11.5.7-build"), (360, "procedure")])
def test_11_5_7_a_bridge_leads_across_the_stream_by_any_facing(facing: int, refusal: str) -> None:
    """The stream runs from west to east, half an inch wide."""
    game = march(
        ((SHERMAN, "20,9.2"),), ground=line("stream", "0,10 40,10"), red_1={**MOVING, "equipment": ("bridging",)}
    )
    found = cannot_span(game.state, stand(game, "red-1"), inches(20, 10), facing)
    assert (found.rule if found else "") == refusal


@rule("11.5.5", "11.5.7-build", "11.5.3-steps")
@pytest.mark.parametrize(("kind", "value", "lacks"), [("wire", "", True), ("mines", "hasty", False)])
def test_11_5_5_engineers_in_the_firing_posture_clear_mines_and_no_wire(
    kind: WorkKind, value: str, lacks: bool
) -> None:
    game = site(kind, value=value)
    assert lacks_posture(game.state, stand(game, "red-1")) is lacks


@rule("11.5.7-build")
def test_11_5_7_a_stand_that_moves_away_begins_anew() -> None:
    game = bank(SHERMAN, equipment=("bridging",))
    span(game, 14)
    assert stand(game, "red-1").toil
    game.state.change("red-1", began=inches(7, 5))
    game.push(MarkerRemoval(""))
    game.run()
    assert not stand(game, "red-1").toil


@rule("11.5.7-bridge")
def test_11_5_7_the_reach_of_a_stand_leads_over_a_bridge_of_engineers() -> None:
    game = march(((SHERMAN, "9,5"),), ground=STREAM)
    tank = stand(game, "red-1")
    assert max(at[0] for at in reached(game.state, tank).costs) < 10000
    game.state.lay(Work("bridge", "bridge", inches(10, 5), 90))
    found = reached(game.state, stand(game, "red-1"))
    assert found.costs[inches(11, 5)] == 3_000_000  # half an inch at 1, an inch at 2, half an inch at 1


@rule("11.5.7-bridge", "8.3.1-points")
@pytest.mark.parametrize(("spent", "reason"), [(4, "9.5.3"), (5, "8.3.1-points")])
def test_11_5_7_a_place_beyond_a_bridge_is_out_of_reach_for_want_of_points_not_for_the_stream(
    spent: int, reason: str
) -> None:
    """Straight on lies the stream. The way over the bridge costs half a point on the near bank, 2 on the bridge, and
    3.5 for a quarter of an inch and 3 inches on the far bank, in half points [9.1.2]. A Sherman has 10.
    """
    game = march(((SHERMAN, "9,5"),), ground=STREAM)
    game.state.lay(Work("bridge", "bridge", inches(10, 5), 90))
    game.state.change("red-1", spent=points(spent), gone=points(spent))
    refusal = game.why_not("red", leg("red-1", 11, 8, 0))
    assert refusal is not None
    assert refusal.rule == reason
    if reason == "8.3.1-points":
        assert refusal.sentence() == "The way over the bridge costs 6 movement points, and 5 are left."


# --- what a player is told of it --------------------------------------------------------------------------------------


@rule("11.5.7-build")
@pytest.mark.parametrize(("unit", "means"), [(SHERMAN, "bridging"), (RIFLES, "engineers")])
def test_11_5_7_the_question_for_postures_names_those_that_need_one_to_build(unit: str, means: str) -> None:
    game = bank(unit, equipment=(means,), posture="firing")
    asked = PostureDetermination("red", groups=False)
    name = stand(game, "red-1").name
    assert f"mark {name}, to work" in asked.prompt(game.state, "red")
    assert name not in asked.prompt(game.state, "blue")
    game.state.change("red-1", posture="movement")
    assert name not in asked.prompt(game.state, "red")


@rule("11.5.7-build")
@pytest.mark.parametrize("place", [{"at": "7,5", "load": "6,5"}, {"load": "5,5"}])
def test_11_5_7_nobody_is_named_away_from_the_water_or_from_the_load(place: dict[str, str]) -> None:
    game = bank(RIFLES, equipment=("engineers",), posture="firing", **place)
    assert "Work needs" not in PostureDetermination("red", groups=False).prompt(game.state, "red")


@rule("11.5.7-build")
def test_11_5_7_the_roll_is_previewed_and_the_successes_are_counted_on_the_button_the_stand_and_in_the_log() -> None:
    game = bank(RIFLES, equipment=("engineers",))
    span(game, 14)
    assert {"code": "1/4", "text": "Bridge: 1 of 4 successes"} in next(_badges(game, "red-1"))
    game.state.change("red-1", posture="movement")
    game.push(MarkerRemoval(""))
    game.run()
    assert label(game.state, OVER).endswith("1 of 4 successes so far")
    roll = preview(game.state, game.stack[-1], OVER)
    assert isinstance(roll, Calculation)
    scripts(game, (14,))
    told = game.play("red", OVER)
    assert roll in [event.calculation for event in told]
    assert any(event.facts[1:] == (2, 4) for event in told)
    for _ in range(2):
        span(game, 14)
    assert not any("/" in badge["code"] for badge in next(_badges(game, "red-1"))), "it is built"


def _badges(game: Game[Position], name: str) -> Iterator[list[dict[str, str]]]:
    return (unit["badges"] for unit in view(game.state, "red", game.stack[-1])["units"] if unit["id"] == name)


@rule("11.5.7-build")
def test_11_5_7_who_cannot_build_hears_what_is_missing() -> None:
    game = bank(RIFLES, equipment=("engineers",), load="5,5")
    refusal = EngineeringTasks("red").refusal(game.state, "red", OVER)
    assert refusal is not None
    assert "bridging materials beside it" in refusal.text
    game = bank(RIFLES, equipment=("engineers",))
    refusal = EngineeringTasks("red").refusal(game.state, "red", OVER)
    assert refusal is not None
    assert "movement posture" in refusal.text


# --- wrecks -----------------------------------------------------------------------------------------------------------


@rule("11.5.9.1", "11.5.9.3", "9.2.3")
def test_11_5_9_1_a_recovery_vehicle_clears_a_wreck_from_its_second_turn_on() -> None:
    game = site("wreck", SHERMAN, equipment=("recovery",), **MOVING)
    assert turn(game, (14,), began=inches(5, 5)) == []
    turn(game, (15,), posture="movement")
    assert not game.state.works["site"].cleared
    turn(game, (14,), posture="movement")
    assert game.state.works["site"].cleared


@rule("9.2.3")
def test_9_2_3_wrecks_off_the_roads_are_in_nobody_s_way() -> None:
    game = site("wreck", SHERMAN, at="8,15", equipment=("recovery",), **MOVING)
    game.state.lay(Work("site", "wreck", inches(8, 15)))
    assert turn(game, (14,), posture="movement") == []


@rule("11.5.9.2", "9.2.3")
@pytest.mark.parametrize(
    ("unit", "able"),
    [
        (HEAVY, True),
        ("ger-opel-blitz-md-truck", True),
        (SHERMAN, True),
        ("us-m5-stuart", True),
        ("us-jeep", False),
        (STUART, False),
    ],
)
def test_11_5_9_2_others_roll_at_the_end_of_their_second_turn_there(unit: str, able: bool) -> None:
    """A transport needs a capacity of 10, as an Opel Blitz has, a tank a defence of [5], as a M5 has."""
    game = site("wreck", unit, equipment=(), **MOVING)
    rolls = []
    for _ in range(3):
        rolls.append("11.5.9.2" in turn(game, (14,), posture="movement") and game.state.works["site"].cleared)
        if game.state.works["site"].cleared:
            break
    assert rolls == ([False, True] if able else [False, False, False])


@rule("11.5.9.3")
def test_11_5_9_3_a_cleared_wreck_stays_and_a_cleared_minefield_is_made_known_and_goes() -> None:
    """Everybody sees what has been cleared [11.1.6-leave]; of a wreck and of wire there is nothing to tell."""
    found = {}
    for kind, value in (("wreck", ""), ("wire", ""), ("mines", "standard"), ("mines", "dummy")):
        game = site(kind, value=value)  # type: ignore[arg-type]
        complete(game, stand(game, "red-1"), game.state.works["site"])
        found[kind, value] = ("site" in game.state.works, [event.rule for event in game.events][-2:])
    told = {key: [each for each in events if each == "11.1.6-leave"] for key, (_, events) in found.items()}
    assert [there for there, _ in found.values()] == [True, False, False, False]
    assert [len(each) for each in told.values()] == [0, 0, 1, 1]


@rule("11.5.9.2")
@pytest.mark.parametrize(("cargo", "able"), [((), True), (("red-2",), False)])
def test_11_5_9_2_a_loaded_transport_clears_no_wreck(cargo: tuple[str, ...], able: bool) -> None:
    game = site("wreck", HEAVY, equipment=(), cargo=cargo, **MOVING)
    if cargo:
        game.state.change("red-2", carrier="red-1", at=inches(8, 5))
    for _ in range(2):
        turn(game, (14,), posture="movement")
    assert game.state.works["site"].cleared is able


@rule("11.5.9.2")
def test_11_5_9_2_a_stand_that_leaves_the_wreck_waits_anew() -> None:
    game = site("wreck", HEAVY, equipment=(), **MOVING)
    turn(game, (14,), posture="movement")
    game.state.change("red-1", began=inches(5, 5))
    assert turn(game, (14,), posture="movement") == []
    for cleared in (False, True):
        turn(game, (14,), posture="movement")
        assert game.state.works["site"].cleared is cleared
