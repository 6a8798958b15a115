"""Spotting, suppression and the Adjustment Phase of the Advanced Game [5.10, 5.13, 6.1, 6.8]."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.adjusting import AdjustStep, EnterCover, LeaveCover, Pivot
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.moving.going import halvings
from opfire.rulesets.panzer.pieces import Position, cover, crowd, overstacked
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.sighting.ranges import after_firing, spotting_range
from opfire.rulesets.panzer.sighting.spots import cannot_spot, conditions
from opfire.rulesets.panzer.suppression import recovery, suppress
from rules.panzer.battle import OPEN, game, refused, text
from rules.panzer.kit import CHARTS, rule

SQUAD = 'units = [{ unit = "g_sqd44", at = ["1-A4"] }, { unit = "t_75", at = ["1-A5"] }]'


def battle(german: str = SQUAD, script: tuple[int, ...] = (), board: str = OPEN) -> Game[Position]:
    """A battle of the Advanced Game."""
    return game(text(board=board, german=german, options=("AG",)), script)


# --- spotting ranges


@rule("6.1.3", "6.1.1")
@pytest.mark.parametrize(("bulk", "reach"), [("V", 20), ("L", 15), ("S", 10)])
def test_the_base_range_is_that_of_the_size(bulk: str, reach: int) -> None:
    assert spotting_range(CHARTS, "none", "", bulk) == reach  # type: ignore[arg-type]


@rule("6.1.3-a")
def test_small_arms_fire_counts_one_row_and_never_replaces_a_larger_shot() -> None:
    row = CHARTS.spotting_modifiers["target", "spot/fire sa"]
    assert row.rows == 1
    assert spotting_range(CHARTS, "none", "small arms", "S") == CHARTS.spotting[1].small
    assert after_firing("", small_arms=True) == "small arms"
    assert after_firing("move", small_arms=True) == "small arms"
    assert after_firing("fire", small_arms=True) == "fire"
    assert after_firing("small arms", small_arms=False) == "fire"


@rule("6.1.3.1", "6.1.3.2", "6.1.3.3", "5.9.2")
def test_the_rows_of_full_cover_suppression_and_recon() -> None:
    state = battle().state
    spotter, target = state.units["soviet-1"], state.units["german-1"]

    def net() -> int:
        return sum(line.amount for line in conditions(state, state.units[spotter.id], state.units[target.id]))

    assert net() == 0
    state.change(target.id, full_cover=True)
    assert net() == -2
    state.change(spotter.id, full_cover=True)
    assert net() == -6
    state.change(spotter.id, full_cover=False, suppression="off")
    assert net() == -4
    state.change(spotter.id, suppression="", labels=("Recon",))
    assert net() == -1


@rule("6.1.1", "6.1.2", "6.1.3.1")
def test_a_suppressed_unit_spots_in_its_front_field_of_fire_alone() -> None:
    state = battle('units = [{ unit = "pz4h", at = ["1-G1"] }, { unit = "pz4h", at = ["1-C6"] }]').state
    state.change("soviet-1", facing=0)
    ahead, behind = state.units["german-1"], state.units["german-2"]
    assert cannot_spot(state, state.units["soviet-1"], behind, "") is None
    spotter = state.change("soviet-1", suppression="on")
    refusal = cannot_spot(state, spotter, behind, "")
    assert refusal is not None
    assert refusal.rule == "6.1.3.1"
    assert cannot_spot(state, spotter, ahead, "") is None


@rule("6.1.4.3.1-b")
def test_squads_are_inside_buildings_and_vehicles_in_the_alley() -> None:
    town = OPEN.replace("\n. . .", "\nB . .")
    state = battle('units = [{ unit = "g_sqd44", at = ["1-A4"] }, { unit = "pz4h", at = ["1-A4"] }]', board=town).state
    squad, tank = state.units["german-1"], state.units["german-2"]
    assert (cover(state, squad, "spotting"), cover(state, squad, "combat")) == ("heavy", "medium")
    assert (cover(state, tank, "spotting"), cover(state, tank, "combat")) == ("light", "light")


@rule("5.13")
def test_squads_do_not_count_for_stacking() -> None:
    many = 'units = [{ unit = "pz4h", count = 4, at = ["1-A4"] }, { unit = "t_75", at = ["1-A4"] },'
    state = battle(f'{many} {{ unit = "g_sqd44", count = 3, at = ["1-A4"] }}]').state
    assert crowd(state, "1-A4") == 5
    assert not overstacked(state, "1-A4")
    assert overstacked(state, "1-A4", 1)


# --- suppression


@rule("5.10")
def test_suppression_lies_with_on_up_however_often_it_comes() -> None:
    made = battle()
    suppress(made, "german-1")
    assert made.state.units["german-1"].suppression == "on"
    made.state.change("german-1", suppression="off")
    suppress(made, "german-1")
    assert made.state.units["german-1"].suppression == "on"


@rule("6.8.3", "6.8.3.1.1", "6.8.3.1.2", "5.8.3")
@pytest.mark.parametrize(
    ("command", "under_fire", "net"), [("no command", False, 0), ("move", False, 20), ("move", True, 30)]
)
def test_recovery_by_grade_command_and_fire(command: str, under_fire: bool, net: int) -> None:
    state = battle().state
    for grade, row in CHARTS.unit_grades.items():
        unit = state.change("german-1", grade=grade, command=command, under_fire=under_fire)
        assert recovery(state, unit).chances()["recovers"] == Fraction(row.recovery - net, 100)


@rule("6.6.2")
def test_suppression_halves_the_movement() -> None:
    state = battle('units = [{ unit = "pz4h", at = ["1-A4"] }]').state
    assert halvings(state.change("german-1", command="move")) == 0
    assert halvings(state.change("german-1", suppression="off")) == 1
    assert halvings(state.change("german-1", command="short halt")) == 2
    assert halvings(state.change("german-1", damaged=True, damaged_part="hull")) == 3


@rule("6.5.2.2.4")
def test_turret_damage_does_not_slow() -> None:
    state = battle('units = [{ unit = "pz4h", at = ["1-A4"] }]').state
    assert halvings(state.change("german-1", damaged=True, damaged_part="turret")) == 0


# --- the Adjustment Phase


def adjusted(made: Game[Position]) -> Game[Position]:
    """The battle at the Germans' first Adjustment Step."""
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.play(made.asked()[0], RollInitiative())
    while not isinstance(made.stack[-1], AdjustStep):
        made.play(made.asked()[0], EndStep())
    return made


@rule("6.8.1", "5.5")
def test_leg_and_towed_units_pivot_once_whatever_their_command() -> None:
    made = adjusted(battle(script=(90, 10)))
    made.play("german", Pivot("german-2", 4))
    assert made.state.units["german-2"].facing == 4
    assert made.state.units["german-2"].fresh == ""
    assert refused(made, "german", Pivot("german-2", 1)) == "6.8.1"


@rule("5.5")
def test_every_unit_faces_one_of_the_six_hexsides() -> None:
    made = adjusted(battle(script=(90, 10)))
    facing = made.state.units["german-2"].facing
    assert [refused(made, "german", Pivot("german-2", to)) for to in (facing, 6, -1)] == ["6.8.1"] * 3
    assert refused(made, "german", Pivot("german-2", (facing + 1) % 6)) is None


@rule("6.8.2", "6.1.4.2")
def test_full_cover_is_taken_and_left_in_the_adjustment_phase() -> None:
    made = adjusted(battle(script=(90, 10)))
    assert refused(made, "german", LeaveCover("german-1")) == "6.8.2"
    made.play("german", EnterCover("german-1"))
    assert made.state.units["german-1"].full_cover
    assert refused(made, "german", LeaveCover("german-1")) == "6.8.1"


@rule("6.8.3.2", "6.8.4", "5.10")
def test_only_off_counters_are_removed_and_on_is_turned_over() -> None:
    made = adjusted(battle(script=(90, 10, 60, 61)))
    made.state.change("german-1", suppression="off")
    made.state.change("german-2", suppression="off")
    made.state.change("soviet-1", suppression="on")
    made.play("german", EndStep())
    assert [made.state.units[name].suppression for name in ("german-1", "german-2", "soviet-1")] == ["", "off", "off"]


@rule("6.1.4.2-a", "6.6.5", "6.6.4.1-sh")
def test_full_cover_and_weapons_limit_the_commands() -> None:
    assert CHARTS.legs["g_hmg"].section_armed
    three = SQUAD.replace("}]", '}, { unit = "g_hmg", at = ["1-A6"] }]')
    made = battle(three, (90, 10))

    def rule_of(number: int, command: str) -> str | None:
        return refused(made, "german", HandIn((Command(f"german-{number}", command),)))  # type: ignore[arg-type]

    assert [rule_of(number, "move") for number in (1, 2, 3)] == [None, None, None]
    assert [rule_of(number, "short halt") for number in (2, 3)] == ["6.6.5", "6.6.4.1-sh"]
    for name in ("german-1", "german-2", "german-3"):
        made.state.change(name, full_cover=True)
    assert [rule_of(number, "move") for number in (1, 2, 3)] == [None, "6.1.4.2-a", "6.1.4.2-a"]
    assert rule_of(1, "short halt") == "6.1.4.2-a"


@rule("6.5.2.2.1")
def test_a_vehicle_with_a_track_hit_gets_no_command_to_move() -> None:
    made = battle('units = [{ unit = "pz4h", at = ["1-A4"] }]', (90, 10))
    made.state.change("german-1", track_hit=True)
    assert refused(made, "german", HandIn((Command("german-1", "move"),))) == "6.5.2.2.1"
    assert refused(made, "german", HandIn((Command("german-1", "overwatch"),))) is None
