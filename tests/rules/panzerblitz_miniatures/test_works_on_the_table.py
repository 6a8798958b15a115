"""Works where they lie [PSD, MIN, BLK, FRT, IMP]: placing them, sight past them, empty works, who removes them."""

from __future__ import annotations

import pytest

from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import EndPhase
from opfire.rulesets.panzerblitz_miniatures.engineers import Clear
from opfire.rulesets.panzerblitz_miniatures.moving.loading import Load
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Stop
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import Join, OpportunityFire, React
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.setup import board
from opfire.rulesets.panzerblitz_miniatures.sighting.seeing import not_spotted, out_of_sight
from rules.panzerblitz_miniatures.grounds import area, line
from rules.panzerblitz_miniatures.kit import rule
from rules.panzerblitz_miniatures.marches import go, march
from rules.panzerblitz_miniatures.test_hazards import marked

TANK = [("pz-iv-h", "5,10")]
WORKS = ("block", "mines", "fort", "improved position 1", "improved position 2")


@rule("BLK-2", "MIN-1", "MIN-2", "FRT-2", "IMP-2")
@pytest.mark.parametrize(
    ("ground", "barred"),
    [
        (area("water", 15, 5, 25, 15), WORKS),
        (area("swamp", 15, 5, 25, 15), WORKS[1:]),
        (area("beach", 15, 5, 25, 15), WORKS[2:]),
        (line("stream", "20,0 20,30"), WORKS[2:]),
        (area("woods", 15, 5, 25, 15), ()),
    ],
)
def test_the_ground_on_which_no_work_lies(ground: str, barred: tuple[str, ...]) -> None:
    for kind in WORKS:
        if kind in barred:
            with pytest.raises(BadInput):
                march(TANK, ground=ground, more=marked(kind, "20,10"))
        else:
            assert march(TANK, ground=ground, more=marked(kind, "20,10")).state.works


@rule("MIN-2")
def test_MIN_2_one_minefield_lies_in_a_place() -> None:
    with pytest.raises(BadInput):
        march(TANK, more=marked("mines", "20,10", "20.9,10"))
    assert len(march(TANK, more=marked("mines", "20,10", "21,10")).state.works) == 2


@rule("FRT-11", "IMP-5", "BLK-4")
@pytest.mark.parametrize("kind", WORKS)
def test_works_do_not_block_the_line_of_sight(kind: str) -> None:
    state = march(TANK, [("t-34-76", "15,10")], more=marked(kind, "10,10")).state
    assert out_of_sight(state, state.units["red-1"], state.units["blue-1"]) is None
    walled = march(TANK, [("t-34-76", "15,10")], line("wall", "12,0 12,30"), marked(kind, "10,10")).state
    assert out_of_sight(walled, walled.units["red-1"], walled.units["blue-1"]) is not None


@rule("OBS-3")
def test_OBS_3_fire_passes_over_friends_and_enemies() -> None:
    row = [("pz-iv-h", "5,10"), ("tiger-i", "8,10"), ("truck-german", "9,10")]
    state = march(row, [("t-34-76", "15,10"), ("rifle-43-soviet", "12,10")]).state
    assert out_of_sight(state, state.units["red-1"], state.units["blue-1"]) is None
    assert out_of_sight(state, state.units["blue-1"], state.units["red-1"]) is None
    wood = march(row, [("t-34-76", "15,10")], area("woods", 11, 5, 13, 15)).state
    assert out_of_sight(wood, wood.units["red-1"], wood.units["blue-1"]) is not None


@rule("FRT-14", "IMP-6")
@pytest.mark.parametrize("kind", ["fort", "improved position 2"])
def test_empty_works_never_spot(kind: str) -> None:
    wood = area("woods", 12, 5, 30, 15)
    state = march(TANK, [("rifle-43-soviet", "13,10")], wood, marked(kind, "11.5,10")).state
    assert not_spotted(state, state.units["red-1"], state.units["blue-1"]) is not None


@rule("BLK-5")
def test_BLK_5_a_block_stays_when_units_pass() -> None:
    game = march([("pz-iv-h", "7,10")], more=marked("block", "7,10"))
    go(game, "red-1", 9, 10)
    game.play("red", Stop("red-1"))
    game.play("red", EndPhase())
    assert set(game.state.works) == {"block@7,10"}


@rule("BLK-5")
@pytest.mark.parametrize(
    ("unit", "against"), [("rifle-40-german", "RBK-2"), ("pz-iv-h", "RBK-2"), ("engineer-german", "")]
)
def test_BLK_5_engineers_alone_remove_a_block(unit: str, against: str) -> None:
    force = [(unit, "5,10"), ("truck-german", "7,11.6")]
    game = march(force, more=marked("block", "7,10"), red_1={"equipment": "red-2"})
    refusal = game.why_not("red", Clear("red-1", "block@7,10"))
    assert (refusal.rule if refusal else "") == against


@rule("FPS-4")
def test_FPS_4_a_firing_position_is_not_shared() -> None:
    ready = {"position": True}
    game = march(TANK, [("tiger-i", "15,10"), ("tiger-i", "15,11.1")], blue_1=ready)
    go(game, "red-1", 8, 10)
    assert {action.unit for action in game.choices("blue") if isinstance(action, React)} == {"blue-1"}
    refusal = game.why_not("blue", React("blue-2", "red-1"))
    assert refusal is not None
    assert refusal.rule == "OPP-2"


@rule("OPP-11")
def test_a_work_named_as_the_target_of_fire_at_units_is_refused() -> None:
    game = march(TANK, [("tiger-i", "15,10")], more=marked("fort", "7,12"), blue_1={"position": True})
    go(game, "red-1", 8, 10)
    for action in (React("blue-1", "fort@7,12"), Join("blue-1", "fort@7,12")):
        refusal = game.why_not("blue", action)
        assert refusal is not None
        assert str(refusal) == "There is no unit fort@7,12 [procedure]"


@rule("OPP-12")
def test_OPP_12_others_in_the_place_are_not_fired_at() -> None:
    road = line("road", "0,10 40,10")
    column = [("pz-iv-h", "5,10"), ("pz-iv-h", "7,10")]
    game = march(column, [("tiger-i", "20,10")], road, blue_1={"position": True})
    go(game, "red-1", 7, 10)
    assert isinstance(game.stack[-1], OpportunityFire)
    assert {action.target for action in game.choices("blue") if isinstance(action, React)} == {"red-1"}
    refusal = game.why_not("blue", React("blue-1", "red-2"))
    assert refusal is not None
    assert refusal.rule == "OPP-11"


# --- who carries whom [TRN] ---------------------------------------------------------------------------------------


def why(game: Game[Position], carrier: str, passenger: str) -> str:
    """The rule against loading, or nothing."""
    refusal = game.why_not("red", Load(carrier, passenger))
    return refusal.rule if refusal else ""


@rule("TRN-2")
def test_TRN_2_vehicles_are_no_passengers() -> None:
    assert why(march([("half-track-german", "5,10"), ("kubelwagen", "6,10")]), "red-1", "red-2") == "TRN-2"


@rule("TRN-15", "TRN-16")
def test_TRN_15_carriers_carry_units_inside_and_no_more_than_the_chart_says() -> None:
    game = march([("half-track-german", "5,10"), ("rifle-40-german", "6,10"), ("rifle-40-german", "5,11")])
    board(game.state, "red-1", "red-3")
    assert why(game, "red-1", "red-2") == "TRN-16"
    assert all(kind.riders == "never" for kind in RULESET.read_charts({}).kinds.values() if kind.carries)
