"""Overrun [8.7]: the drive through a stand, its fire at range zero, and the contest of discipline."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.dice import scripted
from opfire.rulesets.micro_armour.close.overrun import (
    Overrun,
    Overruns,
    answer_roll,
    defence_roll,
    keeps_out,
    nerve_roll,
)
from opfire.rulesets.micro_armour.fire.attacks import Attack, Shot, combat, fire_roll
from opfire.rulesets.micro_armour.fire.standard import Fire
from opfire.rulesets.micro_armour.moving.marching import cannot_march
from opfire.rulesets.micro_armour.moving.movement import GroupMove, Stop
from opfire.rulesets.micro_armour.moving.opportunity import Cover, NotYet, Oppose, cannot_answer, cannot_react
from opfire.rulesets.micro_armour.moving.transport import Unload
from opfire.rulesets.micro_armour.pieces import Work, WorkKind
from opfire.rulesets.micro_armour.results import wreck_id
from opfire.rulesets.micro_armour.terrain import terrain_of
from opfire.space.squares import overlap
from rules.micro_armour.kit import fair, rule, scripts
from rules.micro_armour.marches import CHARTS, against, area, at, inches, leg, line, march, stand

SHERMAN, CAR, HALFTRACK, RIFLES = "us-m4-sherman", "us-m20-armoured-car", "us-halftrack-various-marks", "us-infantry-42"
GRENADIERS, LATE, PAK, TRUCK = "ger-infantry-39", "ger-infantry-44", "ger-75mm-atg-pak-40", "ger-opel-blitz-md-truck"
MOVING = {"posture": "movement"}
HIDDEN = 'options = ["SC.stark.hidden"]\n'


def over(unit: str, x: float, y: float, target: str = "blue-1", facing: int = 0) -> Overrun:
    """An overrun of a stand, to a point in inches."""
    return Overrun(unit, target, inches(x, y), facing)


@rule("8.7-who", "8.7.1-move", "8.7.5")
def test_8_7_1_a_vehicle_drives_through_and_ends_beside_its_target() -> None:
    game = march(((SHERMAN, "5,5"),), ((GRENADIERS, "9,5"),), blue_1=MOVING)
    assert against(game, over("red-1", 11, 5)) == "8.7.1-move"
    assert against(game, over("red-1", 10, 5, facing=360)) == "procedure"
    assert against(game, over("red-1", 9, 4)) == ""
    game.play("red", over("red-1", 10, 5))
    assert (at(game, "red-1"), stand(game, "red-1").overruns) == ("10,5", ("blue-1",))
    assert stand(game, "red-1").spent == 5_000_000
    assert against(game, leg("red-1", 12, 5)) == "8.7.1-move"
    half = march(((SHERMAN, "3.5,5"),), ((GRENADIERS, "9,5"),), red_1={"posture": "fire/move"}, blue_1=MOVING)
    assert against(half, over("red-1", 8, 5)) == "8.7.5"


@rule("8.7-who")
def test_8_7_only_armour_overruns_and_carriers_only_with_troops() -> None:
    red = ((RIFLES, "7,5"), (HALFTRACK, "5,8"), (SHERMAN, "5,11"))
    game = march(red, ((GRENADIERS, "8,5"), ("ger-panzer-ii-f-20l55", "8,11")))
    assert against(game, over("red-1", 9, 5)) == "8.7-who"
    assert against(game, over("red-2", 9, 5)) == "8.7-who"
    assert against(game, over("red-3", 9, 11, "blue-2")) == "8.7-who"
    game.state.change("red-1", carrier="red-2", at=stand(game, "red-2").at)
    game.state.change("red-2", cargo=("red-1",))
    assert against(game, over("red-2", 9, 5)) == ""


@rule("8.7.2")
@pytest.mark.parametrize(
    ("kind", "wheels", "tracks"),
    [("jungle", True, True), ("rough-2", True, False), ("woods", False, False), ("medium position", True, False)],
)
def test_8_7_2_terrain_keeps_vehicles_out(kind: str, wheels: bool, tracks: bool) -> None:
    game = march(((CAR, "5,5"), (SHERMAN, "5,8")))
    assert [keeps_out(CHARTS, kind, unit) for unit in game.state.of("red")] == [wheels, tracks]


@rule("8.7.2")
def test_8_7_2_the_target_s_terrain_counts() -> None:
    game = march(((CAR, "5,5"), (SHERMAN, "5,9")), ((GRENADIERS, "8,5"),), ground=area("rough-2", 7, 3, 9, 7))
    assert against(game, over("red-1", 8, 6)) == "8.7.2"


@rule("8.7.2")
def test_8_7_2_wheels_overrun_nobody_through_a_ridge_crest_but_from_its_other_sides() -> None:
    """A crest lies along the west side of the stand: wheels neither come over it nor leave over it."""
    crest = line("crest", "7.45,3 7.45,7")
    game = march(((CAR, "5,5"), (SHERMAN, "5,6.5"), (CAR, "10,5")), ((GRENADIERS, "8,5"),), ground=crest)
    assert against(game, over("red-1", 8, 6)) == "8.7.2"
    assert against(game, over("red-2", 8, 6)) == ""
    assert against(game, over("red-3", 8, 6)) == ""
    assert against(game, over("red-3", 7, 5)) == "8.7.2"
    ridge = march(((CAR, "4,5"),), ((GRENADIERS, "8,5"),), ground=line("crest", "6,3 6,7"))
    assert against(ridge, over("red-1", 8, 6)) == ""  # the crest is not beside the stand


@rule("8.7.2")
def test_8_7_2_wheels_overrun_nobody_through_a_depression_beside_it() -> None:
    hollow = line("depression", "6.95,3 6.95,7")  # an inch wide: it ends beside the stand
    game = march(((CAR, "5,5"), (SHERMAN, "5,6.5"), (CAR, "10,5")), ((GRENADIERS, "8,5"),), ground=hollow)
    assert against(game, over("red-1", 8, 6)) == "8.7.2"
    assert against(game, over("red-2", 8, 6)) == ""
    assert against(game, over("red-3", 8, 6)) == ""


@rule("8.7.1-pin")
def test_8_7_1_the_target_is_pinned() -> None:
    game = march(((SHERMAN, "5,5"),), ((GRENADIERS, "9,5"),), blue_1=MOVING)
    game.play("red", over("red-1", 10, 5))
    refusal = cannot_march(game.state, stand(game, "blue-1"), leg("blue-1", 9, 7))
    assert refusal is not None
    assert refusal.rule == "8.7.1-pin"


@rule("8.7.1-move", "11.2.1")
@pytest.mark.parametrize(
    ("kind", "place", "refusal"),
    [
        ("wire", (9, 5), "11.2.1"),  # under the target: the vehicle would have to stop upon it
        ("wire", (7, 5), "11.2.1"),  # on the way to it
        ("mines", (7, 5), "11.1.5"),
        ("wire", (10, 5), ""),  # where the vehicle ends
        ("wire", (9, 8), ""),
    ],
)
def test_8_7_1_a_vehicle_drives_through_nobody_where_wire_or_mines_stop_it(
    kind: WorkKind, place: tuple[float, float], refusal: str
) -> None:
    game = march(((SHERMAN, "5,5"),), ((GRENADIERS, "9,5"),), blue_1=MOVING)
    game.state.lay(Work("in the way", kind, inches(*place), side="blue", value="hasty"))
    assert against(game, over("red-1", 10, 5)) == refusal
    assert (over("red-1", 10, 5, facing=270) in game.choices("red").of("red-1")) == (not refusal)


@rule("8.7.1-move", "11.1.7")
@pytest.mark.parametrize(("side", "refusal"), [("red", ""), ("blue", "11.1.5")])
def test_8_7_1_mines_of_its_own_side_keep_no_vehicle_from_an_overrun(side: str, refusal: str) -> None:
    game = march(((SHERMAN, "5,5"),), ((GRENADIERS, "9,5"),), blue_1=MOVING)
    game.state.lay(Work("mines", "mines", inches(7, 5), side=side, value="hasty"))
    assert against(game, over("red-1", 10, 5)) == refusal


@rule("8.7.1-move", "11.2.1", "8.3.4")
def test_8_7_1_a_vehicle_that_wire_lets_go_drives_through_its_target() -> None:
    """Wire under the vehicle itself holds it only if it fails to leave."""
    game = march(((SHERMAN, "5,5"),), ((GRENADIERS, "9,5"),), blue_1=MOVING, dice=(10,))
    game.state.lay(Work("under it", "wire", inches(5, 5), side="blue"))
    game.play("red", over("red-1", 10, 5))
    assert (at(game, "red-1"), stand(game, "red-1").overruns) == ("10,5", ("blue-1",))


@rule("8.7.1-move", "11.1.5", "8.3.4")
def test_8_7_1_hidden_mines_under_the_target_stop_the_vehicle_before_it() -> None:
    """Mines that nobody saw: the vehicle overruns nobody, and goes back until there is room."""
    game = march(((SHERMAN, "5,5"),), ((GRENADIERS, "9,5"),), more=HIDDEN, blue_1=MOVING)
    game.state.lay(Work("unseen", "mines", inches(9.4, 5.4), side="blue", value="hasty", hidden=True))
    assert against(game, over("red-1", 10, 5)) == ""
    game.play("red", over("red-1", 10, 5))
    tank, target = stand(game, "red-1"), stand(game, "blue-1")
    assert (tank.overruns, tank.moved) == ((), True)
    assert not overlap(tank.ring, target.ring)


@rule("8.7.1-pin", "8.4.5-unit", "8.4.6")
@pytest.mark.parametrize(("overrun", "refusal"), [(("blue-1",), "8.7.1-pin"), ((), "")])
def test_8_7_1_nobody_gets_off_a_lorry_that_is_being_overrun(overrun: tuple[str, ...], refusal: str) -> None:
    """Lorry and load are one unit, and pinned: the men share what the overrun does to it."""
    game = march(((SHERMAN, "10,6"),), ((TRUCK, "9,5"), (GRENADIERS, "20,5")), red_1={"overruns": overrun})
    state = game.state
    for name, changes in (("blue-1", {"cargo": ("blue-2",)}), ("blue-2", {"carrier": "blue-1", "at": inches(9, 5)})):
        state.change(name, posture="movement", group="blue-1", **changes)
    game.stack = ()
    game.push(GroupMove("blue", ("blue-1",)))
    off = Unload("blue-1", "blue-2", inches(9, 4), 0)
    assert against(game, off, "blue") == refusal


@rule("8.7.3", "8.7.4")
def test_8_7_3_eight_vehicles_at_most_and_one_vehicle_several_targets() -> None:
    game = march(
        ((SHERMAN, "5,5"), *((SHERMAN, f"{n},20") for n in range(5, 21, 2))),
        ((GRENADIERS, "8,5"), (GRENADIERS, "11,5")),
        blue_1=MOVING,
        blue_2=MOVING,
    )
    game.play("red", over("red-1", 9, 5))
    game.play("red", over("red-1", 12, 5, "blue-2"))
    assert stand(game, "red-1").overruns == ("blue-1", "blue-2")
    assert stand(game, "red-1").spent == 7_000_000
    for number in range(2, 9):
        game.state.change(f"red-{number}", overruns=("blue-1",))
    game.play("red", Stop("red-1"))
    assert against(game, over("red-9", 8, 6)) == "8.7.3"


@rule("8.7.4")
@pytest.mark.parametrize(("third", "refusal"), [("14,5", ""), ("14.5,5", "8.7.5")])
def test_8_7_4_its_points_limit_the_targets_of_a_vehicle(third: str, refusal: str) -> None:
    """Ten points: four to 9,5, three to 12,5, and three are left for the way to the third target and beyond it."""
    foes = ((GRENADIERS, "8,5"), (GRENADIERS, "11,5"), (GRENADIERS, third))
    game = march(((SHERMAN, "5,5"),), foes, blue_1=MOVING, blue_2=MOVING, blue_3=MOVING)
    game.play("red", over("red-1", 9, 5))
    game.play("red", over("red-1", 12, 5, "blue-2"))
    assert against(game, over("red-1", float(third.partition(",")[0]) + 1, 5, "blue-3")) == refusal


@rule("8.3.4", "8.5.4", "8.7.1-move")
def test_8_3_4_a_vehicle_that_is_stopped_before_it_is_off_its_target_goes_back_beside_it() -> None:
    """A gun fires where it comes off the stand that it has driven over: it stops on the side from which it came."""
    foes = ((GRENADIERS, "9,5"), (PAK, "19,5"))
    fire = {"facing": 270}
    game = march(((SHERMAN, "5,5"),), foes, dice=(1, 4, 4, 20), red_1={"facing": 90}, blue_1=MOVING, blue_2=fire)
    game.play("red", over("red-1", 10, 6))
    while stand(game, "red-1").overruns == () or at(game, "red-1") == "9,5":
        game.play("blue", NotYet())
    assert overlap(stand(game, "red-1").ring, stand(game, "blue-1").ring)
    game.play("blue", Oppose("blue-2", "red-1"))
    game.play("blue", Fire())
    tank, target = stand(game, "red-1"), stand(game, "blue-1")
    assert (tank.shaken, tank.moved, tank.overruns, tank.facing) == (True, True, ("blue-1",), 90)
    assert not overlap(tank.ring, target.ring)
    assert at(game, "red-1") == "8,5"


@rule("8.7.6-limit")
def test_8_7_6_a_vehicle_that_has_suffered_opportunity_fire_suffers_none_from_its_target() -> None:
    game = march(((SHERMAN, "5,5"),), ((LATE, "9,5"),), blue_1={"facing": 270})
    game.play("red", over("red-1", 10, 5))
    while at(game, "red-1") != "9,5":
        game.play("blue", NotYet())
    found = []
    for opposed in (False, True):
        game.state.change("red-1", opposed=opposed)
        found.append(cannot_answer(game.state, stand(game, "blue-1"), stand(game, "red-1"), "main"))
    assert [each.rule if each else "" for each in found] == ["", "8.7.6-limit"]
    game.state.change("red-1", opposed=False)
    game.state.change("blue-1", fired=True)
    assert against(game, Oppose("blue-1", "red-1"), "blue") == "8.5.1"


@rule("12.2.2", "8.7.6-fire")
def test_12_2_2_a_stand_low_on_ammunition_does_not_fire_at_a_vehicle_that_has_not_fired_at_it() -> None:
    game = march(((SHERMAN, "5,5"),), ((LATE, "9,5"),), blue_1={"facing": 270})
    game.play("red", over("red-1", 10, 5))
    while at(game, "red-1") != "9,5":
        game.play("blue", NotYet())
    game.state.change("blue-1", low=True)
    assert against(game, Oppose("blue-1", "red-1"), "blue") == "12.2.2"
    game.state.change("red-1", shots=("blue-1",))
    assert against(game, Oppose("blue-1", "red-1"), "blue") == ""


@rule("8.7.6-fire", "8.7.6-limit", "8.7.7")
def test_8_7_6_the_target_fires_once_at_range_zero_and_the_overrun_still_takes_place() -> None:
    game = march(((SHERMAN, "5,5"),), ((LATE, "9,5"),), dice=(2, 2, 2), blue_1={"facing": 90})
    game.play("red", over("red-1", 10, 5))
    while at(game, "red-1") != "9,5":
        game.play("blue", NotYet())
    attack = Attack("red-1", (Shot("blue-1"),), "overrun")
    lines = {line.rule: line.amount for line in combat(game.state, attack, attack.shots[0]).lines}
    assert (lines["8.7.6-fire"], lines["7.3.2"]) == (4, -1)  # half of 7, at no distance
    game.play("blue", Oppose("blue-1", "red-1"))
    game.play("blue", Fire())
    unit = stand(game, "red-1")
    assert (unit.status, unit.overruns) == ("eliminated", ("blue-1",))
    assert game.state.works[wreck_id(unit)].at == inches(9, 5)


@rule("8.7.6-fire", "7.4.5.2-out")
def test_8_7_6_a_stand_under_shells_fires_at_the_vehicle_in_its_own_place_and_at_none_farther_off() -> None:
    game = march(((SHERMAN, "5,5"), (SHERMAN, "9,9")), ((LATE, "9,5"),), dice=(2, 2, 2), blue_1={"facing": 90})
    game.state.lay(Work("shells", "impact", inches(9, 5), battery="red-1"))
    assert cannot_react(game.state, "blue", stand(game, "blue-1"), "opportunity")
    assert cannot_react(game.state, "blue", stand(game, "blue-1"), "overrun") is None
    game.state.put("red-1", inches(9, 5))
    attack = Attack("red-1", (Shot("blue-1"),), "overrun")
    assert fire_roll(game.state, attack, attack.shots[0]).modifier == 3  # into an impact zone: RULINGS.md R137


@rule("8.7.7")
def test_8_7_7_the_wreck_under_a_target_has_no_effect_until_the_overrun_is_resolved() -> None:
    """Four inches and one are 10 points on wheels; leaving a wreck would be an 11th."""
    game = march(((SHERMAN, "9,1"), (CAR, "5,5")), ((LATE, "9,5"),), dice=(2, 2, 2), blue_1={"facing": 90})
    game.play("red", over("red-1", 9, 6))
    while at(game, "red-1") != "9,5":
        game.play("blue", NotYet())
    game.play("blue", Oppose("blue-1", "red-1"))
    game.play("blue", Fire())
    wreck = wreck_id(stand(game, "red-1"))
    assert game.state.works[wreck].at == inches(9, 5)
    assert "wreck" not in terrain_of(game.state, stand(game, "blue-1"))
    game.play("red", over("red-2", 10, 5))
    assert (at(game, "red-2"), stand(game, "red-2").spent) == ("10,5", 10_000_000)
    game.stack = ()
    game.push(Overruns("red"))
    fair(game, 1)
    game.run()
    assert not game.state.works[wreck].fresh
    assert "wreck" in terrain_of(game.state, replace(stand(game, "blue-1"), at=inches(9, 5)))


@rule("8.7.6-fire")
def test_8_7_6_a_gun_from_behind_fights_with_side_arms() -> None:
    game = march(((SHERMAN, "5,5"),), ((PAK, "9,5"),), blue_1={"facing": 90})
    game.play("red", over("red-1", 10, 5))
    assert at(game, "red-1") == "10,5"  # small arms have no firepower against armour; the gun fires once it is past
    faced = march(((SHERMAN, "5,5"),), ((PAK, "9,5"),), blue_1={"facing": 270})
    faced.play("red", over("red-1", 10, 5))
    while at(faced, "red-1") != "9,5":
        faced.play("blue", NotYet())
    assert faced.choices("blue").of("blue-1") == (Oppose("blue-1", "red-1", "main"),)


HOWITZERS, HEAVY_MORTARS = "ger-105mm-ifh18-2", "ger-120mm-mortar-2"


@rule("8.7.6-fire", "7.4.8")
@pytest.mark.parametrize(
    ("battery", "facing", "answers"), [(HOWITZERS, 270, True), (HOWITZERS, 90, False), (HEAVY_MORTARS, 270, False)]
)
def test_8_7_6_artillery_answers_with_its_guns_if_it_is_overrun_from_its_front(
    battery: str, facing: int, answers: bool
) -> None:
    """Against armour the staffs have no firepower; the mortars are within three inches, their least range."""
    game = march(((SHERMAN, "5,5"),), ((battery, "9,5"),), blue_1={"facing": facing})
    game.play("red", over("red-1", 10, 5))
    assert at(game, "red-1") == ("9,5" if answers else "10,5")
    if answers:
        assert game.choices("blue").of("blue-1") == (Oppose("blue-1", "red-1", "main"),)
        attack = Attack("red-1", (Shot("blue-1"),), "overrun")
        assert combat(game.state, attack, attack.shots[0]).column == "-2"  # 2 at half of 7


@rule("8.7.8-defend", "8.7.8-attack", "8.7.8-hit", "8.7.8-back")
def test_8_7_8_the_example_of_three_shermans() -> None:
    """12, 4 and 8 are 19, 11 and 15; a 7 eliminates. Then 7, 12 and 9: the second tank fails, a 5 disorganizes it."""
    red = ((SHERMAN, "5,5"), (SHERMAN, "7,5"), (SHERMAN, "6,6"))
    dice = (12, 4, 8, 3, 4, 7, 12, 2, 3, 9)
    shaken = {"overruns": ("blue-1",)}
    game = march(
        red,
        ((LATE, "6,5"),),
        dice=dice,
        enemy="cohesion = 15\n",
        frame=Overruns("red"),
        red_1={**shaken, "suppressed": True},
        red_2={**shaken, "disorganized": True},
        red_3=shaken,
        blue_1={"suppressed": True},
    )
    assert stand(game, "blue-1").status == "eliminated"
    assert [stand(game, f"red-{number}").status for number in (1, 2, 3)] == [
        "on the table",
        "eliminated",
        "on the table",
    ]
    assert game.state.works[wreck_id(stand(game, "red-2"))].at == inches(6, 5)


@rule("8.7.8-attack", "8.7.8-back")
@pytest.mark.parametrize(
    ("kind", "modifier", "column"),
    [(GRENADIERS, 0, "+2"), ("sov-atr-infantry", 3, "+2"), ("us-infantry-44", 3, "+3"), (PAK, 0, "+2")],
)
def test_8_7_8_personnel_with_2_against_armour_frightens_a_vehicle_and_with_5_strikes_harder(
    kind: str, modifier: int, column: str
) -> None:
    """They have 1, 2 and 5; the gun has more, and is not personnel."""
    position = march(((SHERMAN, "5,5"),), ((kind, "9,5"),)).state
    tank, target = position.units["red-1"], position.units["blue-1"]
    assert (nerve_roll(position, tank, target).modifier, answer_roll(position, target).column) == (modifier, column)


@rule("8.7.8-defend", "8.7.8-attack", "8.7.8-back", "6.2.1")
def test_8_7_8_classes_change_the_rolls() -> None:
    red, blue = ((SHERMAN, "5,5"), (CAR, "7,5")), ((GRENADIERS, "9,5"), (PAK, "9,8"), (TRUCK, "9,11"), (LATE, "12,5"))
    position = march(red, blue).state
    tank, car = position.of("red")
    targets = position.of("blue")
    assert [defence_roll(position, each, tank).modifier for each in targets] == [3, 4, 0, 3]
    assert [defence_roll(position, each, car).modifier for each in targets] == [0, 3, 0, 0]
    assert [nerve_roll(position, tank, each).modifier for each in targets] == [0, 0, 0, 3]
    assert [answer_roll(position, each).column for each in targets] == ["+2", "+2", "+2", "+3"]


@rule("8.7.4")
@pytest.mark.parametrize("way", [("blue-1", "blue-2"), ("blue-2", "blue-1")])
def test_8_7_4_a_vehicle_lost_in_the_contest_with_one_target_overruns_no_other(way: tuple[str, str]) -> None:
    """The first target holds, the tank loses its nerve and is destroyed; the second target is not in that contest."""
    game = march(
        ((SHERMAN, "7,5"),),
        ((GRENADIERS, "8,5"), (GRENADIERS, "11,5")),
        dice=(2, 19, 1, 1),
        frame=Overruns("red"),
        red_1={"overruns": way},
    )
    assert stand(game, "red-1").status == "eliminated"
    assert (
        game.state.works[wreck_id(stand(game, "red-1"))].at == {"blue-1": inches(8, 5), "blue-2": inches(11, 5)}[way[0]]
    )


@rule("8.7.4", "8.7.7")
def test_8_7_7_a_vehicle_lost_at_range_zero_has_overrun_its_earlier_targets_too() -> None:
    """It drove over both, and was destroyed on the second: each of them rolls, and fails with a 13."""
    game = march(
        ((SHERMAN, "7,5"),),
        ((GRENADIERS, "8,5"), (GRENADIERS, "11,5")),
        dice=(13, 1, 1, 13, 1, 1),
        frame=Overruns("red"),
        red_1={"overruns": ("blue-1", "blue-2"), "at": None, "status": "eliminated"},
    )
    assert [stand(game, name).status for name in ("blue-1", "blue-2")] == ["eliminated", "eliminated"]


@rule("8.7.8-defend", "8.6.2")
def test_8_7_8_a_target_that_covering_fire_has_eliminated_has_no_contest() -> None:
    """The grenadiers fire at the vehicle that drives through them, miss, and are lost to its friend's covering fire."""
    red = ((SHERMAN, "5,5"), (SHERMAN, "9,9"))
    game = march(red, ((LATE, "9,5"),), dice=(20, 2, 1, 1), red_2={"posture": "firing"}, blue_1={"disorganized": True})
    game.play("red", over("red-1", 10, 5))
    game.play("blue", Oppose("blue-1", "red-1"))
    game.play("blue", Fire())
    game.play("red", Cover("red-2", "blue-1"))
    game.play("red", Fire())
    assert (stand(game, "blue-1").status, at(game, "red-1")) == ("eliminated", "10,5")
    game.play("red", Stop("red-1"))
    scripts(game, (20, 1, 1, 20, 1, 1))
    game.push(Overruns("red"))
    game.run()
    assert not stand(game, "red-1").shaken
    assert game.dice == scripted((20, 1, 1, 20, 1, 1))  # nobody has rolled


@rule("10.14", "8.7.8-attack", "8.7.8-back")
@pytest.mark.parametrize(("depleted", "modifier", "column"), [(False, 3, "+3"), (True, 0, "+2")])
def test_10_14_spent_anti_tank_weapons_frighten_no_vehicle_and_do_not_strike_harder(
    depleted: bool, modifier: int, column: str
) -> None:
    position = march(((SHERMAN, "5,5"),), ((LATE, "9,5"),), blue_1={"depleted": depleted}).state
    tank, infantry = position.units["red-1"], position.units["blue-1"]
    assert nerve_roll(position, tank, infantry).modifier == modifier
    assert answer_roll(position, infantry).column == column
