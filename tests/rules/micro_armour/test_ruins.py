"""Artillery on buildings [9.4], positions [11.4] and bridges [11.5.8]; fire at bridges."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from opfire.core.game import Game
from opfire.rulesets.micro_armour.alternation import Begin
from opfire.rulesets.micro_armour.artillery.effects import strike
from opfire.rulesets.micro_armour.artillery.phase import ArtilleryPhase
from opfire.rulesets.micro_armour.fire.standard import StandardFirePhase
from opfire.rulesets.micro_armour.moving.movement import GroupMove
from opfire.rulesets.micro_armour.pieces import Position, Work, WorkKind
from opfire.rulesets.micro_armour.recovery import MarkerRemoval
from opfire.rulesets.micro_armour.terrain import terrain_of
from opfire.rulesets.micro_armour.works.demolition import Demolish, attack_roll, fire_roll
from opfire.rulesets.micro_armour.works.ruins import Shell, abandoned, attack_on, bridges_at, place_rolls
from rules.micro_armour.kit import rule, scripts
from rules.micro_armour.marches import CHARTS, against, area, inches, march

HOWITZER, RIFLES, SHERMAN = "ger-105mm-ifh18-2", "us-infantry-42", "us-m4-sherman"  # HE 8


def town(kind: str, *stands: tuple[str, str]) -> Game[Position]:
    """A game with buildings of a kind around 8,5, and a battery of blue's."""
    return march(stands or ((RIFLES, "30,20"),), blue=[(HOWITZER, "39,29")], ground=area(kind, 5, 2, 11, 8))


def shell(game: Game[Position], dice: Sequence[int]) -> None:
    """A marker of the battery falls at 8,5."""
    scripts(game, dice)
    strike(game, Work("impact", "impact", inches(8, 5), side="blue", battery="blue-1", until=1))


def kinds(game: Game[Position]) -> list[str]:
    """The markers on the table in the order of their names."""
    return sorted(work.kind for work in game.state.works.values())


@rule("9.4.1", "9.4.2", "9.4.3")
@pytest.mark.parametrize(("kind", "value"), [("light-buildings", 4), ("medium-buildings", 5), ("heavy-buildings", 6)])
def test_9_4_buildings_have_a_defence(kind: str, value: int) -> None:
    roll = attack_on(CHARTS, kind, Shell((0, 0), 8))
    assert (roll.column, roll.modifier) == (f"+{8 - value}", 0)


@rule("9.4.1", "9.4.4")
def test_9_4_1_light_buildings_burn_at_once_and_fall_at_the_second_e() -> None:
    game = town("light-buildings")
    shell(game, (6, 6))  # no effect
    assert kinds(game) == ["damage", "smoke"]
    shell(game, (1, 1))
    assert kinds(game) == ["damage", "smoke"]
    shell(game, (1, 1))
    assert kinds(game) == ["rough-1", "smoke"]


@rule("9.4.2", "9.4.4")
def test_9_4_2_medium_buildings_burn_at_the_second_attack_and_are_rubble_at_the_third_e() -> None:
    game = town("medium-buildings")
    found = []
    for dice in ((1, 1), (2, 3), (1, 1), (1, 1)):  # 5 at +3 is D, which does not count
        shell(game, dice)
        found.append(kinds(game))
    assert found == [["damage"], ["damage", "smoke"], ["damage", "smoke"], ["rubble", "smoke"]]


@rule("9.4.3")
def test_9_4_3_heavy_buildings_are_rubble_at_the_fifth_e() -> None:
    game = town("heavy-buildings")
    for number in range(5):
        assert "rubble" not in kinds(game), number
        shell(game, (1, 1))
    assert kinds(game) == ["rubble", "smoke"]


@rule("9.4.2", "9.4.3")
@pytest.mark.parametrize("kind", ["medium-buildings", "heavy-buildings"])
def test_9_4_rubble_takes_the_place_of_the_buildings(kind: str) -> None:
    game = town(kind, (RIFLES, "8,5"), (SHERMAN, "8,8.7"))
    assert terrain_of(game.state, game.state.units["red-1"]) == (kind,)
    game.state.lay(Work("rubble", "rubble", inches(8, 5)))
    assert terrain_of(game.state, game.state.units["red-1"]) == ("rubble",)
    shell(game, (6, 6))
    assert kinds(game) == ["rubble"]


# --- positions --------------------------------------------------------------------------------------------------------


def dug_in(kind: WorkKind, unit: str = RIFLES) -> Game[Position]:
    """A game with a stand of red's in a position at 8,5."""
    game = march(((unit, "8,5"),), blue=[(HOWITZER, "39,29")])
    game.state.lay(Work("position", kind, inches(8, 5), 0, "red"))
    return game


@rule("11.4.1")
@pytest.mark.parametrize(("dice", "stays"), [((2, 2), False), ((2, 3), True)])
def test_11_4_1_one_e_against_5_destroys_a_light_position(dice: Sequence[int], stays: bool) -> None:
    game = dug_in("light position")  # 4 at +3 is E, 5 is D
    shell(game, dice)
    assert (kinds(game) == ["light position"]) is stays


@rule("11.4.2")
def test_11_4_2_two_e_against_8_leave_rough_ground_of_a_medium_position() -> None:
    game = march(((RIFLES, "8,5"),), blue=[("ger-210mm-morser-m18-2", "39,29")])
    game.state.lay(Work("position", "medium position", inches(8, 5), 0, "red"))
    power = game.state.units["blue-1"].kind.he or 0
    assert attack_on(CHARTS, "medium position", Shell((0, 0), power)).column == f"{power - 8:+}"
    for left in (["medium position"], ["rough-1"]):
        shell(game, (1, 1))
        assert kinds(game) == left
        game.state.put("red-1", inches(8, 5), suppressed=False, disorganized=False)


@rule("11.4.3")
@pytest.mark.parametrize(("kind", "left"), [("light position", []), ("heavy position", ["heavy position"])])
def test_11_4_3_heavy_positions_withstand_fire_that_takes_others_away(kind: WorkKind, left: list[str]) -> None:
    game = dug_in(kind)
    for _ in range(6):
        shell(game, (1, 1))
        game.state.put("red-1", inches(8, 5), suppressed=False, disorganized=False)
    assert kinds(game) == left


@rule("11.4.1")
def test_11_4_1_a_light_position_without_anybody_is_removed_after_movement() -> None:
    for at, left in ((inches(8, 5), ["light position"]), (inches(8, 6), [])):
        game = dug_in("light position")
        game.state.put("red-1", at)
        game.push(MarkerRemoval(""))
        game.run()
        assert kinds(game) == left


@rule("11.4.1", "7.4.3.2")
@pytest.mark.parametrize(("y", "held"), [(5.5, True), (5.501, False)])
def test_11_4_1_a_stand_is_in_a_position_of_which_the_marker_covers_half_of_it(y: float, held: bool) -> None:
    game = dug_in("light position")
    game.state.put("red-1", inches(8, y))
    assert (abandoned(game.state) == []) is held


@rule("11.4.1", "11.4.2", "11.5.8")
def test_11_4_1_the_attacks_of_a_shell_on_buildings_positions_and_bridges_are_told_before_they_are_made() -> None:
    """HE 8 against 4, 5 and 2; that on a bridge is made only where the shell strikes nobody."""
    game = dug_in("light position")
    state, place, man = game.state, inches(8, 5), game.state.units["red-1"]
    assert [roll.column for _, roll in place_rolls(state, Shell(place, 8, struck=man))] == ["+3"]
    assert [*place_rolls(state, Shell(inches(20, 20), 8))] == []
    state.lay(Work("bridge", "bridge", inches(20, 20), 90, "blue"))
    assert [roll.column for _, roll in place_rolls(state, Shell(inches(20, 20), 8))] == ["+6"]
    village = town("light-buildings").state
    assert [roll.column for _, roll in place_rolls(village, Shell(place, 8))] == ["+4"]


@rule("11.5.8", "7.4.3.2")
@pytest.mark.parametrize(("x", "found"), [(8.5, ["bridge"]), (8.501, [])])
def test_11_5_8_a_marker_strikes_a_bridge_of_which_it_covers_half(x: float, found: list[str]) -> None:
    game = dug_in("light position")
    game.state.lay(Work("bridge", "bridge", inches(8, 5), 90, "blue"))
    assert [work.id for work in bridges_at(game.state, inches(x, 5))] == found


# --- bridges ----------------------------------------------------------------------------------------------------------


AMMUNITION = 'options = ["12.2.2"]\n'
SUPPORT_TANK = "ger-panzer-iv-c-d-75l24"


def bridged(unit: str = SHERMAN, more: str = "") -> Game[Position]:
    """Red's turn to fire, with a bridge at 8,5; `more` are fields of the scenario."""
    marked = {"posture": "firing", "facing": 90}
    game = march(((unit, "4,5"),), frame=GroupMove("red", ("red-1",)), more=more, red_1=marked)
    game.state.lay(Work("bridge", "bridge", inches(8, 5), 90, "blue"))
    game.push(StandardFirePhase(""))
    game.run()
    game.play("red", Begin("red"))
    return game


@rule("11.5.8")
@pytest.mark.parametrize(("dice", "kind"), [((14, 3, 3), "bridge out"), ((14, 6, 6), "bridge"), ((15, 1, 1), "bridge")])
def test_11_5_8_a_stand_fires_at_a_bridge_at_defence_2(dice: Sequence[int], kind: str) -> None:
    game = bridged()
    power = game.state.units["red-1"].kind.he
    scripts(game, dice)
    events = game.play("red", Demolish("red-1", "bridge"))
    assert kinds(game) == [kind]
    rolls = [event.calculation.column for event in events if event.rule == "11.5.8" and event.calculation]
    assert rolls == ([] if dice[0] == 15 else [f"{(power or 0) - 2:+}"])
    assert game.state.units["red-1"].fired


@rule("11.5.8")
def test_11_5_8_only_bridges_in_range_and_field_of_fire_are_fired_at() -> None:
    game = bridged(RIFLES)
    assert against(game, Demolish("red-1", "bridge")) == ""
    game.state.put("red-1", inches(2, 5))
    assert against(game, Demolish("red-1", "bridge")) == "7.3.5"
    game.state.lay(Work("wreck", "wreck", inches(8, 5)))
    assert against(game, Demolish("red-1", "wreck")) == "11.5.8"


@rule("11.5.8", "7.3.4")
def test_11_5_8_an_engaged_stand_fires_at_no_bridge() -> None:
    game = bridged()
    assert against(game, Demolish("red-1", "bridge")) == ""
    game.state.put("blue-1", inches(3, 5))
    assert against(game, Demolish("red-1", "bridge")) == "7.3.4"


@rule("11.5.8", "7.4.7.1-4")
@pytest.mark.parametrize("at", [(8, 5), (4, 5)])
def test_11_5_8_smoke_adds_3_to_both_rolls_of_fire_at_a_bridge(at: tuple[int, int]) -> None:
    """With cohesion 14 an 11 succeeds and a 12 fails; the bridge or the firer is in the smoke."""
    game = bridged()
    game.state.put("red-1", inches(4, 5))
    assert fire_roll(game.state, game.state.units["red-1"], game.state.works["bridge"]).modifier == 0
    game.state.lay(Work("smoke", "smoke", inches(*at), battery="blue-1", until=9))
    scripts(game, (11, 3, 3))
    events = game.play("red", Demolish("red-1", "bridge"))
    smoked = [line.amount for event in events if event.calculation for line in event.calculation.lines]
    assert smoked.count(3) == 2
    assert fire_roll(game.state, game.state.units["red-1"], next(iter(game.state.works.values()))).modifier == 3


@rule("11.5.8", "12.1.5-2", "12.2.2")
def test_11_5_8_broken_forces_and_stands_low_on_ammunition_fire_at_no_bridge() -> None:
    low = bridged()
    low.state.change("red-1", low=True)
    assert against(low, Demolish("red-1", "bridge")) == "12.2.2"
    broken = bridged()
    broken.state.broken["red"] = 0
    broken.state.change("blue-1", shots=("red-1",))
    assert against(broken, Demolish("red-1", "bridge")) == "12.1.5-2"


@rule("11.5.8", "12.2.2")
@pytest.mark.parametrize(
    ("option", "number", "low"), [(AMMUNITION, 20, True), (AMMUNITION, 19, False), ("", 20, False)]
)
def test_11_5_8_a_natural_20_at_a_bridge_leaves_the_stand_low_on_ammunition(
    option: str, number: int, low: bool
) -> None:
    game = bridged(more=option)
    scripts(game, (number,))
    game.play("red", Demolish("red-1", "bridge"))
    assert game.state.units["red-1"].low is low


@rule("11.5.8", "10.7.2")
def test_11_5_8_dual_purpose_guns_have_their_own_ranges() -> None:
    """At eight inches they have no modifier; other guns add 1."""
    game = bridged("ger-flak-36-88mm-aag")
    game.state.put("red-1", inches(1, 5))
    scripts(game, (1, 3, 3))
    events = game.play("red", Demolish("red-1", "bridge"))
    amounts = {line.rule: line.amount for event in events if event.calculation for line in event.calculation.lines}
    kind = game.state.units["red-1"].kind
    assert (kind.has("dual_purpose"), "10.7.2" in amounts, amounts.get("10.7.2", 0)) == (True, True, 0)


@rule("11.5.8", "10.7.2", "7.3.2")
def test_11_5_8_light_anti_aircraft_guns_have_the_ranges_of_all_others() -> None:
    game = bridged("ger-flak-38-20mm-aag")
    game.state.put("red-1", inches(1, 5))
    gun, bridge = game.state.units["red-1"], game.state.works["bridge"]
    assert not gun.kind.has("dual_purpose")
    found = [(line.rule, line.amount) for line in attack_roll(game.state, gun, bridge).lines if line.kind == "modifier"]
    assert found == [("7.3.2", 1)]


@rule("11.5.8")
def test_11_5_8_a_marker_on_a_bridge_attacks_it_where_nobody_stands() -> None:
    game = march(((RIFLES, "30,20"),), blue=[(HOWITZER, "39,29")])
    game.state.lay(Work("bridge", "bridge", inches(8, 5), 90, "red"))
    shell(game, (3, 3))
    assert kinds(game) == ["bridge out"]


@rule("11.5.8", "10.8", "10.8.3", "10.8.4")
def test_11_5_8_close_support_guns_fire_at_bridges_in_the_artillery_phase() -> None:
    """Range has no effect on their fire; in the fire/move posture they add 3 to the roll to fire."""
    later = bridged(SUPPORT_TANK)
    assert against(later, Demolish("red-1", "bridge")) == "10.8"
    assert Demolish("red-1", "bridge") not in later.choices("red").of("red-1")
    game = bridged(SUPPORT_TANK)
    game.stack = ()
    game.push(ArtilleryPhase(""))
    game.run()
    game.play("red", Begin("red"))
    game.state.change("red-1", posture="fire/move")
    assert Demolish("red-1", "bridge") in game.choices("red").of("red-1")
    scripts(game, (11, 1, 1))
    events = game.play("red", Demolish("red-1", "bridge"))
    rolls = [event.calculation for event in events if event.calculation]
    assert [roll.modifier for roll in rolls] == [3, 0]
    assert kinds(game) == ["bridge out"]
    assert game.state.units["red-1"].fired


@rule("11.5.8", "10.8")
def test_11_5_8_other_stands_fire_at_no_bridge_in_the_artillery_phase() -> None:
    game = bridged()
    game.state.change("blue-1", kind=CHARTS.weapons[SUPPORT_TANK])
    game.stack = ()
    game.push(ArtilleryPhase(""))
    game.run()
    game.play("red", Begin("red"))
    assert against(game, Demolish("red-1", "bridge")) == "10.8"
