"""Spotted markers [SPT-4 to SPT-11]: given by fire, kept in sight, lost out of it."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzerblitz_miniatures.fire.attacks import Attack, by, carry_out
from opfire.rulesets.panzerblitz_miniatures.fire.direct import DirectFirePhase, Engage
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move
from opfire.rulesets.panzerblitz_miniatures.moving.movement import MovementPhase
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.setup import board
from opfire.rulesets.panzerblitz_miniatures.sighting.spotted import settle_markers, slipped_away
from rules.panzerblitz_miniatures.battle import battle, refused, stand, under
from rules.panzerblitz_miniatures.grounds import area, inches
from rules.panzerblitz_miniatures.kit import rule

WOOD = area("woods", 20, 2, 30, 12)
GUN = "at-45 20.5,7"
"""A gun at the edge of the wood, which sees westwards; light, so that it is seen at 4 inches if it has fired."""


def fired(red: str, blue: str = GUN, table: str = WOOD) -> Game[Position]:
    """The first blue stand has fired at the first red one, without effect."""
    game = battle(red, blue, table=table, script=(6, 1))
    carry_out(game, Attack("direct", "red-1", by("blue-1")))
    return game


def spotters(game: Game[Position], name: str = "blue-1") -> tuple[str, ...]:
    """The stands on which the Spotted marker of a stand rests now."""
    settle_markers(game.state)
    return stand(game, name).spotters


@rule("SPT-4", "LLT-1")
@pytest.mark.parametrize(("at", "seen"), [("16.5,7", True), ("16.4,7", False)])
def test_fire_is_seen_up_to_the_limit_of_cover(at: str, seen: bool) -> None:
    assert bool(spotters(fired(f"tiger-ii {at}"))) == seen


@rule("SPT-4", "SPT-7", "SPT-8")
def test_only_units_that_may_spot_and_see_the_fire_spot() -> None:
    red = "tiger-ii 17,7; truck-german 17,8.5; pz-iv-h 17,5.5; rifle-40-german +pz-iv-h; pz-iv-h 29.5,14"
    game = battle(red, GUN, table=WOOD, script=(6, 1))
    game.state.change("red-3", order="dispersed")
    carry_out(game, Attack("direct", "red-1", by("blue-1")))
    assert spotters(game) == ("red-1",)


@rule("SPT-1", "SPT-4", "LOS-6")
def test_a_marked_unit_is_a_target_to_all_who_see_it() -> None:
    game = under(battle("tiger-ii 17,7; tiger-ii 16.5,5; tiger-ii 17,8.5", GUN, table=WOOD), DirectFirePhase("red"))
    assert refused(game, "red", Engage("red-2", "blue-1")) == "LOS-3"
    game.state.change("blue-1", spotters=("red-1",), fired_at=(20_500, 7_000))
    assert refused(game, "red", Engage("red-3", "blue-1")) == ""


@rule("SPT-5", "SPT-7")
def test_the_marker_goes_when_all_spotters_are_dispersed() -> None:
    game = fired("tiger-ii 17,7; pz-iv-h 17,8.5")
    assert spotters(game) == ("red-1", "red-2")
    game.state.change("red-1", order="dispersed")
    assert spotters(game) == ("red-2",)
    game.state.change("red-2", order="dispersed")
    assert spotters(game) == ()
    game.state.change("red-2", order="good order")
    assert spotters(game) == ()  # it has been dispersed since the gun fired


@rule("SPT-5")
@pytest.mark.parametrize(
    ("to", "marked"),
    [
        pytest.param((20.5, 7.9), True, id="within its firing place"),
        pytest.param((20.5, 9.5), False, id="another place in the wood"),
        pytest.param((18.5, 12.9), True, id="out into the open"),
    ],
)
def test_the_marker_stays_in_the_firing_place_and_in_the_open(to: tuple[float, float], marked: bool) -> None:
    game = fired("tiger-ii 17,7")
    game.state.put("blue-1", inches(*to))
    assert bool(spotters(game)) == marked


@rule("SPT-5")
def test_a_unit_that_slips_away_beside_an_enemy_stays_spotted() -> None:
    game = fired("tiger-ii 18.6,8")
    game.state.put("blue-1", inches(20.4, 8.7))
    assert spotters(game) == ("red-1",)


@rule("SPT-9")
@pytest.mark.parametrize(("through", "marked"), [((19, 7), True), ((24, 7), False)])
def test_a_unit_that_comes_back_is_unspotted_if_it_was_out_of_sight(through: tuple[float, float], marked: bool) -> None:
    game = fired("tiger-ii 17,7")
    game.state.put("blue-1", inches(*through))
    settle_markers(game.state)
    game.state.put("blue-1", inches(20.5, 7))
    assert bool(spotters(game)) == marked


@rule("SPT-10")
def test_a_marked_unit_that_boards_marks_its_carrier() -> None:
    game = fired("tiger-ii 17,7", f"{GUN}; half-track-soviet 20.5,8.5")
    board(game.state, "blue-2", "blue-1")
    assert spotters(game, "blue-2") == ("red-1",)
    assert spotters(game, "blue-1") == ()


@rule("SPT-11", "SPT-5")
@pytest.mark.parametrize(("table", "kept"), [("", ("red-1",)), (area("town", 17.4, 7.2, 18, 8.2), ())])
def test_a_spotter_that_passes_dead_ground_spots_no_longer(table: str, kept: tuple[str, ...]) -> None:
    game = under(fired("tiger-ii 16.9,6.5", table=WOOD + table), MovementPhase("red"))
    assert spotters(game) == ("red-1",)
    game.play("red", Move("red-1", inches(16.9, 8.9), 90))
    assert spotters(game) == kept


@rule("SPT-5", "SPT-9")
@pytest.mark.parametrize(("to", "left"), [(21_499, False), (21_500, True)])
def test_SPT_5_a_place_an_inch_away_is_another_firing_position(to: int, left: bool) -> None:
    game = battle("tiger-ii 17,7", GUN, table=WOOD)
    gun = game.state.change("blue-1", at=(to, 7_000), fired_at=(20_500, 7_000), spotters=("red-1",))
    assert slipped_away(game.state, gun) is left


@rule("SPT-4", "AIL-2")
def test_SPT_4_fire_is_seen_from_the_air_over_a_wood() -> None:
    game = battle("tiger-ii 17,7; uh-1 24,15", GUN, table=WOOD, script=(6, 1))
    game.state.change("red-2", at=(24_000, 7_000))  # three inches and a half of trees between them
    carry_out(game, Attack("direct", "red-1", by("blue-1")))
    assert spotters(game) == ("red-1", "red-2")
