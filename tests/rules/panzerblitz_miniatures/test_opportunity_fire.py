"""Opportunity fire [OPP]: a quarter of a move in unbroken sight, to the exact point, and the shots there."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opfire.core.actions import NOBODY
from opfire.core.game import Game
from opfire.core.match import Match
from opfire.core.orders import Answer, Ask, Asked, Spare
from opfire.kit.orders import Orders
from opfire.rulesets.panzerblitz_miniatures import RULESET
from opfire.rulesets.panzerblitz_miniatures.actions import Pass
from opfire.rulesets.panzerblitz_miniatures.fire.missions import Mission
from opfire.rulesets.panzerblitz_miniatures.moving import marching
from opfire.rulesets.panzerblitz_miniatures.moving.accounts import (
    COUNTED,
    UNCOUNTED,
    UNSEEN,
    Looks,
    Stretch,
    Watch,
    course,
    everywhere,
    place_of,
    spent_before,
    spent_by,
    telling,
)
from opfire.rulesets.panzerblitz_miniatures.moving.legs import traced
from opfire.rulesets.panzerblitz_miniatures.moving.marching import Move, Stop
from opfire.rulesets.panzerblitz_miniatures.moving.movement import MovementPhase, Moving
from opfire.rulesets.panzerblitz_miniatures.moving.movement_costs import Prices
from opfire.rulesets.panzerblitz_miniatures.moving.opportunity import (
    Join,
    OpportunityFire,
    React,
    cannot_react,
    watches,
)
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, UnitId
from opfire.rulesets.panzerblitz_miniatures.setup import board
from rules.panzerblitz_miniatures.battle import refused
from rules.panzerblitz_miniatures.grounds import area, drawn, inches, line, points
from rules.panzerblitz_miniatures.kit import CHARTS, rule
from rules.panzerblitz_miniatures.marches import against, at, go, march, scenario, spent
from rules.panzerblitz_miniatures.test_movement_costs import TRACKS

TANK = [("pz-iv-h", "5,10")]  # 8 movement points: a quarter are 2, an inch of open ground
READY: dict[str, Any] = {"position": True}
PAK = [("t-34-76", "15,10")]
DISPERSES = 6  # at 3-1 or more


def watched(
    red: Sequence[tuple[str, str]] = TANK, blue: Sequence[tuple[str, str]] = PAK, ground: str = "", **more: Any
) -> Game[Position]:
    """Red's movement phase against blue stands in Firing Positions."""
    ready = {f"blue_{number}": READY for number in range(1, len(blue) + 1)}
    return march(red, blue, ground, **{**ready, **more})


def asked(game: Game[Position]) -> bool:
    """Whether blue is asked to fire."""
    return isinstance(game.stack[-1], OpportunityFire)


@rule("OPP-1", "OPP-3", "OPP-6")
def test_OPP_3_the_mover_is_halted_where_it_has_spent_a_quarter_in_sight() -> None:
    game = watched()
    go(game, "red-1", 9, 10, 90)
    assert asked(game)
    assert game.deciders() == ("blue",)
    assert (at(game, "red-1"), spent(game, "red-1")) == ("6,10", points(2))


@rule("OPP-1")
def test_OPP_1_stands_of_the_side_that_moves_take_no_opportunity_fire() -> None:
    game = watched()
    go(game, "red-1", 9, 10, 90)
    red = game.state.units["red-1"]
    refusal = cannot_react(game.state, "blue", red)
    assert refusal is not None
    assert refusal.sentence() == f"{red.name} is not yours"


LONG_FIELD = '[[areas]]\nkind = "field"\npoints = "5.413,0.217 6.911,0.137 7.027,29.331 5.131,29.947"\n'


@rule("OPP-6")
def test_OPP_6_a_move_is_recorded_wherever_a_mover_was_halted() -> None:
    """Between two long borders the quarter is reached at a place whose exact fraction has numbers above 64 bits.

    A record has a digest of the position after each decision, and digests take numbers of 64 bits.
    """
    game = watched([("pz-iv-h", "4.997,10.003")], [("t-34-76", "15.001,10.007")], LONG_FIELD)
    go(game, "red-1", 8.377, 10.739, 90)
    assert asked(game)
    question = game.stack[-1].prompt(game.state, "blue")
    assert question.endswith("moves (in Field): fire, or let it pass")  # no fractions of inches
    saved = Game.load(RULESET, game.save(), game.state.setting)
    assert saved.lasting_digest() == game.lasting_digest()
    for each in (game, saved):
        each.play("blue", Pass())
    assert (at(saved, "red-1"), spent(saved, "red-1")) == (at(game, "red-1"), spent(game, "red-1"))
    assert at(game, "red-1") == "8.377,10.739"


@rule("OPP-6")
def test_OPP_6_fire_that_was_held_cannot_be_fired_after_all() -> None:
    """The mover goes on at once, and its enemy has seen where to when he is asked again on the same leg."""
    text = scenario([("pz-iv-h", "5,10")], PAK)
    match = Match.start(text, nonces={"red": "1", "blue": "1"}, key=bytes(32))
    while not isinstance(match.game.stack[-1], MovementPhase) or match.game.state.current != "red":
        match.play(seat := match.game.asked()[0], match.game.choices(seat).of(NOBODY)[0])
    match.game.state.change("blue-1", position=True)
    match.play("red", Move("red-1", inches(9, 10), 90))
    assert match.game.asked() == ("blue",)
    match.play("blue", Pass())
    assert match.undoable("blue") == []


@given(st.fractions(min_value=0, max_value=1, max_denominator=1 << 100))
def test_OPP_6_a_place_that_is_kept_is_never_before_the_true_one(place: Fraction) -> None:
    over, under = marching.storable(place)
    assert max(over, under) < 1 << 63
    assert 0 <= Fraction(over, under) - place < Fraction(1, 1 << 61)


@rule("OPP-3")
def test_OPP_3_a_quarter_is_not_rounded() -> None:
    game = watched([("stug-iii-g", "5,10"), ("panther-a", "5,15")])  # the Panther has 10 points: a quarter are 2.5
    go(game, "red-2", 9, 15)
    assert at(game, "red-2") == "6.25,15"


@rule("OPP-3")
def test_OPP_3_the_point_is_rounded_towards_the_start() -> None:
    game = watched()
    go(game, "red-1", 8, 11)  # 3 inches east, 1 south: an inch of it ends at 0.948.. and 0.316..
    assert at(game, "red-1") == "5.948,10.316"


@rule("OPP-6")
def test_OPP_6_when_it_is_let_pass_it_goes_on_to_the_end_of_its_leg() -> None:
    game = watched()
    go(game, "red-1", 8, 10)
    game.play("blue", Pass())
    assert (at(game, "red-1"), spent(game, "red-1")) == ("8,10", points(6))
    assert asked(game)  # a place thereafter, in sight as well
    game.play("blue", Pass())
    assert isinstance(game.stack[-1], Moving)
    assert against(game, "red-1", 9, 10) == ""


@rule("OPP-6")
def test_OPP_6_a_dispersed_mover_ends_its_move() -> None:
    game = watched(blue=[("tiger-i", "15,10")], dice=[4])  # 15, half as much again within 16 inches, to 8: 2.5-1, D
    go(game, "red-1", 8, 10)
    game.play("blue", React("blue-1", "red-1"))
    assert game.state.units["red-1"].order == "dispersed"
    assert at(game, "red-1") == "6,10"
    assert game.state.units["red-1"].moved


@rule("OPP-6")
def test_OPP_6_a_mover_fired_at_without_effect_decides_anew() -> None:
    game = watched(dice=[6, 1])  # no more than a morale check, which it passes
    go(game, "red-1", 8, 10)
    game.play("blue", React("blue-1", "red-1"))
    assert isinstance(game.stack[-1], Moving)
    assert at(game, "red-1") == "6,10"
    assert against(game, "red-1", 9, 10) == ""


@rule("OPP-2", "FPS-3")
@pytest.mark.parametrize(
    ("state", "wanted"),
    [
        ({}, False),
        ({"position": True}, True),
        ({"position": True, "order": "dispersed"}, False),
        ({"position": True, "reacted": True}, False),
    ],
)
def test_OPP_2_the_firer_needs_a_firing_position(state: dict[str, Any], wanted: bool) -> None:
    game = watched(blue_1=state)
    go(game, "red-1", 8, 10)
    assert asked(game) is wanted


@rule("OPP-2")
@pytest.mark.parametrize("kind", ["fort", "improved position 1", "improved position 2"])
def test_OPP_2_works_serve_as_a_firing_position(kind: str) -> None:
    more = f'markers = [{{ kind = "{kind}", side = "blue", at = ["12,10"] }}]\n'
    game = march(TANK, [("at-45", "12,10")], more=more, blue_1={"work": f"{kind}@12,10"})
    go(game, "red-1", 8, 10)
    assert asked(game)
    empty = march(TANK, [("at-45", "12,12")], more=more)
    go(empty, "red-1", 8, 10)
    assert not asked(empty)


@rule("OPP-4", "OPP-5")
def test_OPP_4_each_unit_fires_once_in_a_phase() -> None:
    game = watched(dice=[6, 1])
    go(game, "red-1", 8, 10)
    game.play("blue", React("blue-1", "red-1"))
    assert game.state.units["blue-1"].reacted
    go(game, "red-1", 9, 10)
    assert not asked(game)


@rule("OPP-8")
def test_OPP_8_the_quarter_is_counted_for_each_firer() -> None:
    wood = area("woods", 7, 11, 9, 30)  # hides the first inches from blue-2
    game = watched(blue=[("tiger-i", "15,10"), ("tiger-i", "15,20")], ground=wood)
    go(game, "red-1", 9, 10)
    assert (at(game, "red-1"), under(game)) == ("6,10", ("blue-1",))
    game.play("blue", Pass())
    assert under(game) == ("blue-1",)
    assert at(game, "red-1") == "9,10"


def under(game: Game[Position]) -> tuple[str, ...]:
    """The enemies that have seen a quarter of the move."""
    assert game.state.progress is not None
    return game.state.progress.ready


@rule("OPP-3")
def test_OPP_3_sight_must_not_be_broken() -> None:
    # From (13, 10) a house hides the road from 5.8 to 6.3: 0.8 inches before it do not count with those behind it.
    open_ground = watched([("pz-iv-h", "5,4")], [("tiger-i", "13,12")])
    go(open_ground, "red-1", 9, 4)
    assert at(open_ground, "red-1") == "6,4"
    broken = watched([("pz-iv-h", "5,4")], [("tiger-i", "13,12")], area("town", 9, 7.9, 9.5, 8.1))
    go(broken, "red-1", 9, 4)
    hidden_until = Fraction(at(broken, "red-1").split(",")[0]) - 1
    assert Fraction("5.5") < hidden_until < Fraction("6.5")


@rule("OPP-3", "LOS-3")
def test_OPP_3_nobody_counts_beyond_the_limit_of_sight() -> None:
    game = watched([("pz-iv-h", "5,10")], [("tiger-i", "26,10")])  # vehicles in the clear are seen at 20 inches
    go(game, "red-1", 9, 10)
    assert (at(game, "red-1"), spent(game, "red-1")) == ("7,10", points(4))


@rule("OPP-7", "COV-2")
def test_OPP_7_points_in_woods_do_not_count_unless_the_mover_is_spotted() -> None:
    wood = area("woods", 5.5, 5, 20, 15)
    game = watched(ground=wood)  # at ten inches nobody spots a unit in woods
    go(game, "red-1", 7, 10)
    assert not asked(game)
    near = watched(blue=[("tiger-i", "15,10"), ("t-34-76", "6,11.4")], ground=wood)
    go(near, "red-1", 6.5, 10)  # half an inch in the open for 1 point, then a third in the wood for another
    assert (at(near, "red-1"), under(near)) == ("5.833,10", ("blue-2",))


@rule("OPP-11")
def test_OPP_11_units_that_do_not_move_are_no_targets() -> None:
    game = watched([("pz-iv-h", "5,10"), ("pz-iv-h", "6,13")])
    go(game, "red-1", 8, 10)
    refusal = game.why_not("blue", React("blue-1", "red-2"))
    assert refusal is not None
    assert refusal.rule == "OPP-11"


@rule("OPP-3")
def test_OPP_3_only_enemies_that_have_seen_a_quarter_fire() -> None:
    game = watched(blue=[("t-34-76", "15,10"), ("t-34-76", "39,29")])
    go(game, "red-1", 8, 10)
    refusal = game.why_not("blue", React("blue-2", "red-1"))
    assert str(refusal) == "T-34/76 C 2 has not seen a quarter of the move of PzKw IV H 1 [OPP-3]"


@rule("DF-5", "OPP-3")
def test_OPP_3_several_units_fire_together() -> None:
    game = watched(blue=[("t-34-76", "15,10"), ("t-34-76", "15,11")], dice=[6])
    go(game, "red-1", 8, 10)
    game.play("blue", Pass())
    assert under(game) == ("blue-1", "blue-2")
    game.play("blue", Join("blue-1", "red-1"))
    assert not game.state.units["blue-1"].reacted
    game.play("blue", React("blue-2", "red-1"))
    assert game.state.units["blue-1"].reacted
    assert game.state.units["blue-2"].reacted


@rule("OPP-3", "LLT-1")
def test_R29_by_option_the_kind_of_the_enemy_limits_the_sight_that_counts() -> None:
    rifles, tank = [("rifle-42-german", "5,10")], [("tiger-i", "19,10")]
    ruled = watched(rifles, tank)  # infantry in the open is seen at ten inches
    go(ruled, "red-1", 5.8, 10)
    assert not asked(ruled)
    by_option = watched(rifles, tank, more='options = ["R29"]\n')  # a vehicle sees as far as it is seen, twenty
    go(by_option, "red-1", 5.8, 10)
    assert asked(by_option)


HOUSES = "".join(area("town", 7 + 2.6 * n, 8.2, 7.6 + 2.6 * n, 8.6) for n in range(5))
"""Houses along a way eastwards: from the north it is seen between them only."""

NORTH = [("tiger-i", f"{x},{y}") for x, y in ((4, 3), (9, 2), (14, 6), (19, 3), (10, 7.4), (38, 2))]


def watched_leg(looks: Looks, x: float, y: float) -> list[tuple[UnitId, int | None, int]]:
    """Of each enemy along one leg: the cost at which it has its quarter, and its account at the end."""
    game = watched([("pz-iv-h", "5,10")], NORTH, HOUSES)
    position = game.state.copy()
    unit = position.units["red-1"]
    marching.set_out(position, unit)
    marching.head_for(position, Move("red-1", inches(x, y), 90))
    way, prices = marching.leg_of(position), marching.prices_under_way(position)
    end = spent_by(way, prices, Fraction(1))
    found = watches(position, unit, way, prices, Fraction(1), looks)
    return [(each.enemy, each.reached, 0 if each.reached is not None else each.up_to(end)) for each in found]


@rule("OPP-3")
@pytest.mark.parametrize("goal", [(9, 10), (8.7, 9.3), (6.4, 10), (7.2, 12), (5.5, 9.9), (8, 7)])
def test_OPP_3_a_warning_looks_at_fewer_places_and_says_the_same(goal: tuple[float, float]) -> None:
    assert watched_leg(telling, *goal) == watched_leg(everywhere, *goal)


@rule("OPP-3")
def test_OPP_3_between_two_places_out_of_sight_nothing_is_looked_at_unless_a_quarter_fits() -> None:
    way = traced(drawn(), inches(5, 10), inches(9, 10))
    part = course(way, Prices(CHARTS, TRACKS), Fraction(0), Fraction(1))
    assert len(part.middles) == 8  # a point apart, and the first after half a point
    assert [*telling(part, lambda place: UNSEEN, points(2))] == [*part.middles[::2], part.middles[-1]]
    assert [*telling(part, lambda place: UNSEEN, points(7))] == [part.middles[0], part.middles[-1]]
    assert [*telling(part, lambda place: COUNTED, points(7))] == [*part.middles]


def seen(*stretches: tuple[int, int], account: int = 0, counted: int = 0) -> Watch:
    """A watch that waits for 20 points; stretches are given by the cost at their end and the view on them."""
    return Watch("blue-1", account, counted, 20, tuple(Stretch(*each) for each in stretches))


@rule("OPP-3")
@pytest.mark.parametrize(
    ("watch", "reached", "account"),
    [
        (seen((50, COUNTED)), 20, 50),
        (seen((50, COUNTED), account=15), 5, 65),
        (seen((50, COUNTED), account=15, counted=10), 15, 55),
        (seen((19, COUNTED), (25, UNSEEN), (44, COUNTED)), None, 19),  # broken sight
        (seen((19, COUNTED), (25, UNSEEN), (50, COUNTED)), 45, 25),
        (seen((19, COUNTED), (25, UNCOUNTED), (50, COUNTED)), 26, 44),  # woods neither count nor break it
        (seen((50, UNSEEN), account=19), None, 0),
        (seen((50, UNCOUNTED), account=19), None, 19),
    ],
)
def test_OPP_3_accounts_count_points_in_unbroken_sight(watch: Watch, reached: int | None, account: int) -> None:
    assert watch.reached == reached
    assert watch.up_to(50) == account


@rule("OPP-3")
@pytest.mark.parametrize(
    ("watch", "account"),
    [
        (seen((30, COUNTED), (30, UNCOUNTED), (50, COUNTED)), 15),  # a part without any cost lies beyond the place
        (seen((15, COUNTED), (15, UNSEEN)), 0),  # there sight is lost at the place itself
        (seen((15, COUNTED), (30, UNSEEN)), 15),
    ],
)
def test_OPP_3_an_account_at_a_place_within_the_leg(watch: Watch, account: int) -> None:
    assert watch.up_to(15) == account


@rule("OPP-3")
def test_OPP_3_tolls_count_at_their_place() -> None:
    way = traced(drawn(line("hedge", "6,0 6,30")), inches(5, 10), inches(8, 10))
    prices = Prices(CHARTS, TRACKS)
    middle = Fraction(1, 3)
    assert (spent_before(way, prices, middle), spent_by(way, prices, middle)) == (points(2), points(4))
    assert place_of(way, prices, points(3)) == middle
    assert place_of(way, prices, points(5)) == Fraction(1, 2)


@rule("OPP-6")
def test_OPP_6_the_move_can_be_stopped_after_a_window() -> None:
    game = watched()
    go(game, "red-1", 8, 10)
    game.play("blue", Pass())
    game.play("blue", Pass())
    game.play("red", Stop("red-1"))
    assert game.state.progress is None
    assert game.why_not("red", Move("red-1", inches(8, 11), 0)) is not None


@rule("OPP-14")
def test_OPP_14_a_designated_gun_is_asked_but_may_not_fire() -> None:
    game = watched(blue=[("how-122-soviet", "15,10")])
    game.state.plots = (Mission("blue", "blue-1", "neutralization", (0, 0), "", "square", 0, 1, 2),)
    go(game, "red-1", 9, 10, 90)
    assert asked(game)
    assert refused(game, "blue", React("blue-1", "red-1")) == "OPP-14"
    assert [*game.choices("blue")] == [Pass()]


@rule("FOF-1", "OPP-3")
@pytest.mark.parametrize(("facing", "fires"), [(270, True), (90, False)])
def test_OPP_3_a_gun_fires_within_its_field_of_fire(facing: int, fires: bool) -> None:
    game = watched(blue=[("at-76", "15,10")], more='options = ["FOF-1"]\n', blue_1={"position": True, "facing": facing})
    go(game, "red-1", 9, 10, 90)
    assert asked(game) == fires


@rule("STD-12", "OPP-3")
def test_OPP_3_infantry_uses_its_anti_tank_weapons() -> None:
    game = watched(blue=[("rifle-42-soviet", "7,10")], blue_1={"position": True, "anti_tank": 1})
    go(game, "red-1", 6, 10.5, 90)
    assert asked(game)
    assert refused(game, "blue", React("blue-1", "red-1")) == "WEC-1"  # rifles at a tank
    assert React("blue-1", "red-1", "anti-tank") in [*game.choices("blue")]


def why(game: Game[Position], action: React) -> str:
    """The rule against a shot of blue, or nothing."""
    refusal = game.why_not("blue", action)
    return refusal.rule if refusal else ""


@rule("OPP-3", "FOF-1")
def test_OPP_3_it_uses_the_techniques_of_direct_fire() -> None:
    for facing, wanted in ((270, True), (90, False)):  # by option FOF-1 guns fire within their arcs
        gun = {"position": True, "facing": facing}
        game = march(TANK, [("at-45", "10,10")], more='options = ["FOF-1"]\n', blue_1=gun)
        go(game, "red-1", 8, 10)
        assert asked(game) is wanted


@rule("OPP-3", "SMF-1")
def test_OPP_3_nobody_splits_its_move_in_the_enemys_phase() -> None:
    game = watched()
    go(game, "red-1", 8, 10)
    assert why(game, React("blue-1", "red-1", "split")) == "SMF-1"


# --- standing orders ------------------------------------------------------------------------------------------------


def answered(game: Game[Position], orders: Orders, asked: Sequence[Asked] = ()) -> Answer:
    """The answer of blue's orders to the present window."""
    frame = game.stack[-1]
    return RULESET.answer(game.known("blue"), "blue", frame, orders, game.choices("blue"), asked)


def at_window(blue: Sequence[tuple[str, str]] = (("tiger-i", "13,10"),)) -> Game[Position]:
    """A window in which blue may fire."""
    game = watched(blue=blue)
    go(game, "red-1", 8, 10)
    return game


@rule("OPP-6")
def test_orders_ask_about_good_shots_alone() -> None:
    game = at_window()
    chance = answered(game, Orders())
    assert isinstance(chance, Ask)
    assert chance.chance >= Fraction(1, 2)
    assert answered(game, Orders(within=3)) == Pass()
    assert answered(game, Orders(fire="never")) == Pass()
    assert answered(game, Orders(fire="always")) == React("blue-1", "red-1")
    assert answered(game, Orders(units={"blue-1": "never"})) == Pass()


@rule("OPP-6")
def test_orders_ask_no_more_than_ten_times() -> None:
    game = at_window()
    before = [
        Asked(OpportunityFire("blue", ("blue",), inches(1, 1), (f"red-{n}",)), Fraction(1, 9), True) for n in range(10)
    ]
    assert isinstance(answered(game, Orders(), before[:1]), Ask)
    assert isinstance(answered(game, Orders(), before), Spare)


@rule("OPP-6")
def test_orders_ask_again_only_when_the_mover_has_come_nearer() -> None:
    game = at_window()
    here = Asked(game.stack[-1], Fraction(1, 9), True)
    assert answered(game, Orders(), [here]) == Pass()
    assert isinstance(answered(game, Orders(again="always"), [here]), Ask)


# --- passengers [MIF]: RULINGS.md R110 -----------------------------------------------------------------------


def seen_by_a_half_track(passenger: str = "smg-german", **more: Any) -> Game[Position]:
    """Rifles that have gone a quarter of their move in sight of a loaded half-track in a Firing Position."""
    loaded = [("half-track-german", "9,10"), (passenger, "39,29")]
    game = march([("rifle-42-soviet", "5,10")], loaded, blue_1=READY, **more)
    board(game.state, "blue-1", "blue-2")
    go(game, "red-1", 6, 10)
    return game


@rule("MIF-1", "MIF-2", "OPP-3")
def test_MIF_1_a_passenger_adds_half_of_its_strength_to_the_opportunity_fire_of_its_carrier() -> None:
    game = seen_by_a_half_track(dice=[1, 1])
    assert refused(game, "blue", React("blue-2", "red-1", "mounted")) == "MIF-2"
    game.play("blue", Join("blue-1", "red-1"))
    assert React("blue-2", "red-1", "mounted") in [*game.choices("blue")]
    events = game.play("blue", React("blue-2", "red-1", "mounted"))
    (fire,) = [event.calculation for event in events if event.rule == "OPP-3"]
    assert fire is not None
    assert "MIF-2" in [line.rule for line in fire.lines]
    assert game.state.units["blue-1"].reacted
    assert game.state.units["blue-2"].reacted


@rule("MIF-1", "TRN-10")
def test_MIF_1_a_passenger_that_cannot_fire_from_its_carrier_does_not_make_it_wait() -> None:
    game = seen_by_a_half_track("pak-75")
    assert Join("blue-1", "red-1") not in [*game.choices("blue")]
    assert refused(game, "blue", React("blue-2", "red-1")) == "TRN-10"


@rule("MIF-1", "GLO-4")
def test_MIF_1_a_dispersed_passenger_does_not_fire() -> None:
    game = seen_by_a_half_track(blue_2={"order": "dispersed"})
    assert Join("blue-1", "red-1") not in [*game.choices("blue")]


@rule("OPP-6")
def test_R80_by_option_a_firer_that_waits_is_asked_again_after_each_inch() -> None:
    game = watched(more='options = ["R80"]\n')
    go(game, "red-1", 8.5, 10)
    places = []
    while asked(game):
        places.append(at(game, "red-1"))
        game.play("blue", Pass())
    assert places == ["6,10", "7,10", "8,10", "8.5,10"]
    usual = watched()
    go(usual, "red-1", 8.5, 10)
    usual.play("blue", Pass())
    assert at(usual, "red-1") == "8.5,10"


@rule("IMP-3", "IMP-7", "OPP-6")
def test_IMP_7_a_stand_that_is_halted_in_a_position_has_its_benefit() -> None:
    foot, mg = [("rifle-40-german", "5,10")], [("mg-soviet", "12,10")]
    more = 'markers = [{ kind = "improved position 1", at = ["5.9,10"] }]\n'
    game = watched(foot, mg, more=more, dice=(6, 5))  # at 6 1/2 inches 7 to 8 and 5 for the position: 1-2
    go(game, "red-1", 7, 10)
    assert at(game, "red-1") == "5.5,10"  # half a point of two
    assert game.state.units["red-1"].work == "improved position 1@5.9,10"
    (made, *_) = (event.calculation for event in game.play("blue", React("blue-1", "red-1")) if event.calculation)
    assert (made.column, made.modifier) == ("1-2", 1)


@rule("IMP-3", "OPP-6")
def test_IMP_3_a_stand_that_goes_on_leaves_the_position() -> None:
    foot, mg = [("rifle-40-german", "5,10")], [("mg-soviet", "12,10")]
    more = 'markers = [{ kind = "improved position 1", at = ["5.9,10"] }]\n'
    game = watched(foot, mg, more=more)
    go(game, "red-1", 6.9, 10)
    game.play("blue", Pass())
    assert (at(game, "red-1"), game.state.units["red-1"].work) == ("6.9,10", "")
