"""Optional rules of spotting [7.7, 7.24, 7.41, 7.43]."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer.moving.going import Stay
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.sighting import chances
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import army, marching, tried

WOODED = OPEN.replace("\n. . .", "\nw . .")


def battle(
    soviet: tuple[str, ...], options: tuple[str, ...], dice: tuple[int, ...] = (), board: str = OPEN
) -> Game[Position]:
    """A German tank in 1-A4, and Soviet tanks that may spot it."""
    german = army(("pz4h", "1-A4"))
    return game(
        text(board=board, german=german, soviet=army(*(("t34_43", at) for at in soviet)), options=("AG", *options)),
        dice,
    )


def seen_by(made: Game[Position]) -> tuple[str, ...]:
    return made.state.spots["german-1"]


# --- limited spotting [7.7]


@rule("7.7.1")
@pytest.mark.parametrize(("at", "most"), [("1-K4", 85), ("1-L4", 55)])
def test_spotting_is_a_roll_by_grade_and_half_the_range(at: str, most: int) -> None:
    """A vehicle in the open is spotted up to 20 hexes: half are 10, and Seasoned units have 85 and 55."""
    assert chances.range_of_sight(battle((at,), ()).state, *both(battle((at,), ()).state), "") == 20
    for roll, seen in ((most, True), (most + 1, False)):
        made = battle((at,), ("7.7.1",), (roll, 1))
        assert bool(seen_by(made)) == seen


def both(state: Position) -> tuple[chances.Unit, chances.Unit]:
    return state.units["soviet-1"], state.units["german-1"]


@rule("7.7.1")
def test_each_further_spotter_adds_ten_and_the_best_one_counts() -> None:
    state = battle(("1-K4", "1-L4"), ()).state
    spotters = [state.units["soviet-1"], state.units["soviet-2"]]
    assert chances.chance(state, spotters[1:], state.units["german-1"]) == 55
    assert chances.chance(state, spotters, state.units["german-1"]) == 95
    assert chances.chance(state, [state.change("soviet-1", grade="green")], state.units["german-1"]) == 65


@rule("7.7.1")
def test_a_neighbour_is_spotted_without_a_roll() -> None:
    assert seen_by(battle(("1-A5",), ("7.7.1",))) == ("soviet-1",)


@rule("7.7.1", "7.43")
def test_a_recon_unit_has_ten_more() -> None:
    state = battle(("1-K4",), ("7.43",)).state
    spotter = state.change("soviet-1", labels=("Recon",))
    assert chances.chance(state, [spotter], state.units["german-1"]) == 95


@rule("7.7.2")
def test_a_unit_keeps_as_many_spots_as_its_grade_allows() -> None:
    many = army(*(("pz4h", f"1-{column}4") for column in "ABCDEF"))
    soviet = 'grade = "green"\n' + army(("t34_43", "1-L4"))
    for options, count in (((), 6), (("7.7.2",), CHARTS.spotting_chances["green"].most)):
        state = game(text(german=many, soviet=soviet, options=("AG", *options))).state
        seen = [name for name, spotters in state.spots.items() if "soviet-1" in spotters]
        assert len(seen) == count
        assert seen[-1] == "german-6"


# --- camouflage [7.24]

HIDDEN = 'units = [{ unit = "g_sqd44", at = ["1-A4"] }]\n[[sides.german.formations]]\nname = "1."\ngrade = "seasoned"\n'
HIDDEN += "units = { g_sqd44 = 1 }\ncamouflaged = { g_sqd44 = 1 }\n"


def hidden(at: tuple[str, ...], dice: tuple[int, ...], options: tuple[str, ...] = ("7.24",)) -> Game[Position]:
    """A camouflaged squad in the woods: a small unit in Light Cover is spotted up to 7 hexes."""
    soviet = army(*(("t34_43", hex) for hex in at))
    return game(text(board=WOODED, german=HIDDEN, soviet=soviet, options=("AG", *options)), dice)


@rule("7.24")
@pytest.mark.parametrize(("roll", "seen"), [(7, ("soviet-1",)), (8, ())])
def test_a_die_up_to_the_spotting_range_sees_through_camouflage(roll: int, seen: tuple[str, ...]) -> None:
    assert CHARTS.spotting[-1].small == 7
    made = hidden(("1-D4",), (roll,))
    assert made.state.units["german-1"].camouflaged
    assert seen_by(made) == seen


@rule("7.24")
def test_a_neighbour_needs_no_die_and_spots_are_handed_to_nearer_units() -> None:
    assert seen_by(hidden(("1-A5",), ())) == ("soviet-1",)
    assert set(seen_by(hidden(("1-D4", "1-C4"), (7,)))) == {"soviet-1", "soviet-2"}
    assert seen_by(hidden(("1-D4", "1-C4"), (8, 7))) == ("soviet-2",)


@rule("7.24", "7.43")
def test_a_recon_unit_takes_one_off_its_die() -> None:
    made = hidden(("1-D4",), (8,), ())
    made.state.change("soviet-1", labels=("Recon",))
    state = made.state
    assert chances.RECON_EYE == -1
    assert (
        chances.range_of_sight(state, state.units["soviet-1"], state.units["german-1"], "") == CHARTS.spotting[0].small
    )


@rule("7.24")
def test_camouflage_is_lost_by_moves_and_by_fire_in_front_of_enemies() -> None:
    made = marching(army(("g_sqd44", "1-A4")), {1: "move"}, camouflaged=True)
    assert tried(made, Stay("german-1")) is None
    assert not made.state.units["german-1"].camouflaged
    for at, lost in (("1-D4", True), ("1-L8", False)):
        state = hidden((at,), (1,)).state
        state.change("german-1", fired=True)
        chances.give_away(state, "german-1")
        assert state.units["german-1"].camouflaged != lost


# --- SPOT counters [7.41]


def marked(soviet: tuple[str, ...], dice: tuple[int, ...] = (), board: str = WOODED) -> Game[Position]:
    made = battle(soviet, ("7.41",), dice, board)
    made.state.change("german-1", spot="fire")
    return made


@rule("7.41-elig")
def test_only_counters_in_cover_away_from_steady_enemies_come_off() -> None:
    def may(made: Game[Position]) -> bool:
        return chances.may_lose_counter(made.state, made.state.units["german-1"])

    assert may(marked(("1-C4",)))
    assert not may(marked(("1-C4",), board=OPEN))
    near = marked(("1-A5",))
    assert not may(near)
    for values in ({"suppression": "on"}, {"morale": "broken"}, {"full_cover": True}):
        other = marked(("1-A5",))
        other.state.change("soviet-1", **values)
        assert may(other)


@rule("7.41-roll")
@pytest.mark.parametrize(("at", "most"), [(("1-C4",), 10), (("1-C4", "1-D4"), 5)])
def test_the_number_of_spotters_and_their_range_give_the_chance(at: tuple[str, ...], most: int) -> None:
    state = marked(at).state
    made = chances.removal(state, state.units["german-1"])
    assert made.chances()["SPOT counter comes off"] * 100 == most


@rule("7.41-roll", "7.43")
def test_grade_and_recon_modify_the_removal() -> None:
    state = marked(("1-C4",)).state
    for values, net in (({"grade": "elite"}, 20), ({"grade": "green"}, -20), ({"labels": ("Recon",)}, -10)):
        state.change("soviet-1", **values)
        made = chances.removal(state, state.units["german-1"])
        assert made.modifier == net


@rule("7.41-roll")
@pytest.mark.parametrize(("roll", "spot"), [(10, ""), (11, "fire")])
def test_a_low_roll_takes_the_counter_off(roll: int, spot: str) -> None:
    made = marked(("1-C4",), (roll,))
    chances.take_counters_off(made)
    assert made.state.units["german-1"].spot == spot
