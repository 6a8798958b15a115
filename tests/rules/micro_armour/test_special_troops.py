"""Bicycles, skis, mountain troops [10.11, 10.13], cards shown [12.1.8], guns silenced [12.4], stand fast [12.6]."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.game import Game
from opfire.core.places import INCH
from opfire.rulesets.micro_armour.alternation import Begin, Pass
from opfire.rulesets.micro_armour.close.close_assault import Assault, cannot_assault
from opfire.rulesets.micro_armour.formations import show_cards
from opfire.rulesets.micro_armour.moving.arrivals import Exit
from opfire.rulesets.micro_armour.moving.marching import cannot_march
from opfire.rulesets.micro_armour.moving.movement import GroupMovement, Order
from opfire.rulesets.micro_armour.pieces import Position
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import against, area, leg, march, points, stand

RIFLES, SHERMAN, CYCLISTS, GRENADIERS = "us-infantry-42", "us-m4-sherman", "ger-bicycle-infantry", "ger-infantry-39"


@rule("10.11.2")
def test_10_11_2_bicycle_points_are_no_help_in_a_close_assault() -> None:
    game = march(((CYCLISTS, "7,5"),), ((GRENADIERS, "8,5"),))
    for spent, refused in ((2, ""), (2.5, "10.11.2"), (3.5, "10.11.2"), (4.5, "8.8.2")):
        game.state.change("red-1", spent=points(spent))
        refusal = cannot_assault(game.state, stand(game, "red-1"), Assault("red-1", "blue-1"))
        assert (refusal.rule if refusal else "") == refused, spent


# --- skis and mountain troops -----------------------------------------------------------------------------------------


def reach(game: Game[Position], unit: str, far: float) -> str:
    """The rule against a leg to the east of a length in inches; empty if it is legal."""
    own = stand(game, unit)
    assert own.at is not None
    refusal = cannot_march(game.state, own, leg(unit, own.at[0] / INCH + far, own.at[1] / INCH))
    return refusal.rule if refusal else ""


@rule("10.13-ski")
@pytest.mark.parametrize(("weather", "skis", "plain"), [("snow", 4, 3), ("deep snow", 4, 1.5), ("", 3, 3)])
def test_10_13_skis_make_deep_snow_rough_ground_and_add_a_point(weather: str, skis: float, plain: float) -> None:
    units, more = ((RIFLES, "5,5"), (RIFLES, "5,15")), f'weather = ["{weather}"]\n' if weather else ""
    game = march(units, more=more, red_1={"equipment": ("skis",)})
    for unit, far in (("red-1", skis), ("red-2", plain)):
        assert reach(game, unit, far) == "", unit
        assert reach(game, unit, far + 0.1) != "", unit


@rule("10.13-ski")
def test_10_13_the_extra_point_of_skis_is_for_clear_ground_and_tracks() -> None:
    game = march(((RIFLES, "5,5"),), ground=area("woods", 4, 3, 20, 7), more='weather = ["snow"]\n')
    game.state.change("red-1", equipment=("skis",))
    assert reach(game, "red-1", 3) == ""
    assert reach(game, "red-1", 3.1) == "10.13-ski"


@rule("10.13-mountain")
def test_10_13_mountain_infantry_has_five_points_on_slopes_and_rocks() -> None:
    ground = area("rough-3", 0, 3, 20, 7) + area("rock", 0, 13, 20, 17)
    game = march(((RIFLES, "5,5"), (RIFLES, "5,15"), (RIFLES, "5,25")), ground=ground)
    for number in (1, 2, 3):
        game.state.change(f"red-{number}", equipment=("mountain",))
    for unit, far in (("red-1", 5 / 3), ("red-2", 10 / 3), ("red-3", 3)):
        assert reach(game, unit, far - 0.01) == "", unit
        assert reach(game, unit, far + 0.05) != "", unit


# --- options ----------------------------------------------------------------------------------------------------------


@rule("12.1.8")
def test_12_1_8_all_cards_are_shown_at_the_end() -> None:
    game = march(((RIFLES, "5,5"),), more='options = ["12.1"]\n')
    game.state.hands["red"] = (12, 0)
    game.clear()
    show_cards(game)
    assert [event.sentence() for event in game.events] == ["Red have drawn 13, 1"]


def leaves(unit: str, edge: str, options: str = '"12.4"') -> Game[Position]:
    """A game in which a stand of red may leave by an edge; blue has two batteries off the map, behind the east edge."""
    x = {"east": 39.2, "west": 0.8}[edge]
    game = march(
        ((unit, f"{x},5"), (RIFLES, "5,15")),
        more=f"options = [{options}]\n",
        doctrine="facing = 90\n",
        enemy='facing = 270\noff_map = { "ger-105mm-ifh18-2" = 2 }\n',
    )
    game.state.setting.exits["red"] = frozenset({edge})
    return game


@rule("12.4")
@pytest.mark.parametrize(
    ("unit", "edge", "options", "silent"),
    [
        (SHERMAN, "east", '"12.4"', 1),
        (SHERMAN, "west", '"12.4"', 0),
        (SHERMAN, "east", "", 0),
        ("us-medium-truck-2-3-ton", "east", '"12.4"', 0),
    ],
)
def test_12_4_an_armed_stand_that_leaves_by_the_enemy_s_edge_silences_a_battery(
    unit: str, edge: str, options: str, silent: int
) -> None:
    game = leaves(unit, edge, options)
    game.play("red", Exit("red-1", edge))
    batteries = [each.status for each in game.state.units.values() if each.kind.kind == "artillery"]
    assert batteries == ["silent"] * silent + ["off the map"] * (2 - silent)


@rule("12.4")
def test_12_4_armed_stands_that_leave_as_cargo_count() -> None:
    game = leaves("us-medium-truck-2-3-ton", "east")
    game.state.change("red-2", carrier="red-1", at=stand(game, "red-1").at)
    game.state.change("red-1", cargo=("red-2",))
    game.play("red", Exit("red-1", "east"))
    batteries = [each.status for each in game.state.units.values() if each.kind.kind == "artillery"]
    assert batteries == ["silent", "off the map"]


def holding(dice: tuple[int, ...], **orders: int) -> Game[Position]:
    """Red's turn to order a group under the rule of standing fast."""
    blue: dict[str, Any] = {"posture": "movement", "group": "blue-1"}
    game = march(((RIFLES, "5,5"),), ((GRENADIERS, "30,5"),), more='options = ["12.6"]\n', blue_1=blue)
    game.state.orders.update({"red": 2, "blue": 2, **orders})
    game.push(GroupMovement("red"))
    game.run()
    game.play("red", Begin("red"))
    game.dice = march(((RIFLES, "5,5"),), dice=dice).dice
    return game


@rule("12.6")
def test_12_6_standing_fast_takes_an_order_and_a_roll() -> None:
    game = holding((14,))
    game.play("red", Pass())
    assert (game.asked(), game.state.orders["red"]) == (("blue",), 1)
    game.state.orders["blue"] = 1
    game.dice = march(((RIFLES, "5,5"),), dice=(20, 20, 20, 20)).dice
    game.play("blue", Order("blue-1"))
    assert game.asked() == ("red",)  # passing was for one turn


@rule("12.6")
def test_12_6_a_side_that_fails_to_stand_fast_moves_a_group() -> None:
    game = holding((15,))
    game.play("red", Pass())
    assert game.asked() == ("red",)
    assert against(game, Pass()) == "12.6"
    assert against(game, Order("red-1")) == ""
