"""Portee guns [5.2.1] and the FOs of vehicle crews [7.47]: units that are part of a vehicle's counter."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer.fire import close_assault, hand_to_hand
from opfire.rulesets.panzer.fire.close_assault import Band
from opfire.rulesets.panzer.fire.direct_fire import cannot_hit
from opfire.rulesets.panzer.fire.losses import knock_out
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.indirect.observers import row_of
from opfire.rulesets.panzer.morale import cohesion
from opfire.rulesets.panzer.moving.going import Move
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.moving.transport import Dismount, JumpOff, Mount
from opfire.rulesets.panzer.pieces import Position
from rules.panzer.battle import game, refused, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army, marching, tried

PORTEE, GUN = "german-1", "german-2"
GUNNERS = army(("portee6", "1-B4"))


# --- portee guns [5.2.1]


@rule("5.2.1")
def test_a_portee_is_one_unit_that_fires_from_its_truck() -> None:
    state = game(text(german=GUNNERS, soviet=army(("t34_43", "1-D4")), options=("AG",))).state
    assert [unit.id for unit in state.of("german")] == [PORTEE]
    assert state.units[GUN].status == "stowed"
    assert cannot_hit(state, state.units[PORTEE], state.units["soviet-1"]) is None
    assert cohesion.combat_units(state, "german") == 1


@rule("5.2.1", "6.6.7.1.1-dismount")
@pytest.mark.parametrize("facing", range(6))
def test_truck_and_gun_take_the_place_of_the_portee(facing: int) -> None:
    made = marching(GUNNERS, {1: "no command"})
    made.state.change(PORTEE, suppression="off")
    assert tried(made, Dismount(PORTEE, GUN, "1-B4", facing)) is None
    truck, gun = made.state.pick((PORTEE, GUN))
    assert (truck.kind.id, truck.kind.armed) == (CHARTS.portees["portee6"].truck, False)
    assert (gun.kind.id, gun.hex, gun.facing, gun.status) == ("b_6pdr", "1-B4", facing, "on the map")
    assert (truck.suppression, gun.suppression) == ("off", "off")


@rule("5.2.1", "6.6.7.1.1-dismount", "6.6.7.1.1-veh")
def test_the_gun_dismounts_in_the_hex_of_the_truck_for_half_of_its_move() -> None:
    made = marching(GUNNERS, {1: "move"})
    assert refused(made, "german", Dismount(PORTEE, GUN, "1-B5", 0)) == "6.6.7.1.1-dismount"
    assert tried(made, Dismount(PORTEE, GUN, "1-B4", 2)) is None
    frame = made.stack[-1]
    assert isinstance(frame, Moving)
    assert frame.going.spent == CHARTS.vehicles["portee6"].m_cc // 2


def unloaded() -> Game[Position]:
    """A truck and the gun of its portee in one hex, each with a Move command, in the Movement Step."""
    made = marching(GUNNERS, {1: "no command"})
    tried(made, Dismount(PORTEE, GUN, "1-B4", 2))
    for name in (PORTEE, GUN):
        made.state.change(name, command="move", moved=False)
    return made


@rule("5.2.1")
def test_the_gun_mounts_again_with_the_whole_move_of_the_truck() -> None:
    made = unloaded()
    assert tried(made, Mount(PORTEE, GUN)) is None
    portee = made.state.units[PORTEE]
    assert (portee.kind.id, portee.bed) == ("portee6", "")
    assert made.state.units[GUN].status == "stowed"
    assert not [act for act in made.choices("german") if isinstance(act, Move)]


@rule("5.2.1")
def test_a_truck_that_has_moved_or_stands_does_not_take_its_gun() -> None:
    made = unloaded()
    tried(made, Move(PORTEE, "1-C5"), Move(PORTEE, "1-D5"))
    made.state.put(GUN, str(made.state.units[PORTEE].hex))
    assert refused(made, "german", Mount(PORTEE, GUN)) == "5.2.1"
    standing = unloaded()
    standing.state.change(PORTEE, command="no command")
    assert refused(standing, "german", Mount(PORTEE, GUN)) == "5.2.1"


@rule("5.2.1", "6.6.7.1.1-mount")
def test_the_gun_needs_a_move_and_the_hex_of_the_truck() -> None:
    made = unloaded()
    made.state.change(GUN, command="fire")
    assert refused(made, "german", Mount(PORTEE, GUN)) == "6.6.7.1.1-mount"
    made.state.change(GUN, command="move")
    made.state.put(GUN, "1-B5")
    assert refused(made, "german", Mount(PORTEE, GUN)) == "6.6.7.1.1-mount"


@rule("5.2.1")
def test_another_gun_is_towed_as_by_any_truck() -> None:
    made = unloaded()
    made.state.change(GUN, kind=CHARTS.guns["b_2pdr"])
    assert tried(made, Mount(PORTEE, GUN)) is None
    assert made.state.units[GUN].carrier == PORTEE
    assert made.state.units[PORTEE].bed == "portee6"


@rule("5.2.1")
def test_the_gun_is_lost_with_its_portee() -> None:
    made = marching(GUNNERS, {1: "no command"})
    knock_out(made, made.state.units[PORTEE], brews_up=False)
    assert made.state.of("german") == []
    assert not [act for act in made.choices("german") if isinstance(act, Dismount)]


# --- the FOs of vehicle crews [7.47]

CREW = (
    army(("h251_1", "1-B4"))
    + '\n[[sides.german.formations]]\nname = "1."\ngrade = "veteran"\nunits = { h251_1 = 1 }\n'
    + "labels = { FO = { h251_1 = 1 } }\n"
)
CAR, FO = "german-1", "german-2"


def crew(soviet: str = FAR, options: tuple[str, ...] = ("7.47",)) -> Game[Position]:
    return marching(CREW, {1: "no command"}, soviet=soviet, options=options)


@rule("7.47")
def test_without_the_option_the_fo_stays_in_its_vehicle() -> None:
    assert FO not in crew(options=()).state.units


@rule("7.47", "6.6.7.1.1-dismount")
def test_the_fo_dismounts_as_a_section_and_leaves_the_vehicle_without_one() -> None:
    made = crew()
    assert tried(made, Dismount(CAR, FO, "1-B5", 3)) is None
    car, section = made.state.pick((CAR, FO))
    assert (section.kind.category, section.hex, section.grade) == ("section", "1-B5", "veteran")
    assert row_of(section) == "FO"
    assert row_of(car) is None
    assert car.hex == "1-B4"


@rule("7.47", "7.55.1-attach")
@pytest.mark.parametrize(("more", "goes"), [("", True), ("CHQ = { h251_1 = 1 }, ", False)])
def test_the_leader_of_an_observers_crew_is_its_fo_and_goes_with_it(more: str, goes: bool) -> None:
    made = marching(CREW.replace("{ FO", f"{{ {more}FO"), {1: "no command"}, options=("7.47", "7.55"))
    made.state.change(CAR, leader="captain")
    tried(made, Dismount(CAR, FO, "1-B4", 3))
    assert [made.state.units[name].leader for name in (CAR, FO)] == (["", "captain"] if goes else ["captain", ""])
    made.state.change(FO, moved=False, command="move")
    assert tried(made, Mount(CAR, FO)) is None
    assert [made.state.units[name].leader for name in (CAR, FO)] == ["captain", ""]


@rule("7.47")
def test_the_vehicle_goes_on_as_before() -> None:
    made = crew()
    tried(made, Dismount(CAR, FO, "1-B5", 3))
    made.state.change(CAR, command="move")
    assert tried(made, Move(CAR, "1-C5")) is None


@rule("7.47", "6.6.7.1.2")
def test_the_fo_never_bails_out() -> None:
    made = crew()
    made.state.change(CAR, command="move")
    assert refused(made, "german", JumpOff(CAR, FO, 0)) == "7.47"
    knock_out(made, made.state.units[CAR], brews_up=False)
    assert made.state.of("german") == []


def remounting() -> Game[Position]:
    made = crew()
    tried(made, Dismount(CAR, FO, "1-B4", 3))
    made.state.change(FO, moved=False, command="move")
    return made


@rule("7.47", "6.6.7.1.1-mount")
def test_the_section_is_removed_when_it_mounts_its_own_vehicle() -> None:
    made = remounting()
    assert tried(made, Mount(CAR, FO)) is None
    assert made.state.units[FO].status == "stowed"
    assert made.state.units[FO].carrier is None
    assert row_of(made.state.units[CAR]) == "FO"


@rule("7.47", "6.6.7.1-cap")
def test_it_rides_in_other_vehicles_as_a_passenger() -> None:
    made = remounting()
    other = made.state.units[CAR]
    made.state.change(FO, part_of="soviet-1")
    assert tried(made, Mount(CAR, FO)) is None
    assert made.state.units[FO].carrier == other.id


@rule("7.47")
def test_its_gp_fire_and_its_close_combat_are_10_worse() -> None:
    made = crew(army(("t34_43", "1-C6"), ("s_sqd41", "1-C5")))
    tried(made, Dismount(CAR, FO, "1-B5", 3))
    state = made.state
    section, plain = state.units[FO], state.change(FO, part_of="")
    tank, squad = state.pick(("soviet-1", "soviet-2"))
    for fights in (
        lambda unit: shot(state, unit, squad, False).modifier,
        lambda unit: close_assault.assault(state, Band((unit,)), tank).modifier,
        lambda unit: hand_to_hand.roll_off(state, Band((unit,)), squad).modifier,
    ):
        assert fights(section) == fights(plain) - 10


@rule("7.47", "7.1.1")
def test_the_section_is_no_combat_unit_more() -> None:
    made = crew(options=("7.47", "7.1"))
    assert cohesion.combat_units(made.state, "german-1") == 1
    tried(made, Dismount(CAR, FO, "1-B5", 3))
    assert cohesion.combat_units(made.state, "german-1") == 1
