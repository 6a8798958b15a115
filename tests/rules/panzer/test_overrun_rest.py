"""Overruns: targets, announcements, buildings, morale [6.6.10]; and the Dismount Attack [6.6.1.1-dis]."""

from __future__ import annotations

from fractions import Fraction

import pytest

from opfire.core.events import Calculation
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire.arms import arms_of
from opfire.rulesets.panzer.fire.close_combat import Occupy, Occupying
from opfire.rulesets.panzer.fire.direct_fire import Keep, Reveal
from opfire.rulesets.panzer.fire.dismount_attack import DismountAttack
from opfire.rulesets.panzer.fire.overrun import Announcing, JoinOverrun, Overrun, cannot_overrun, reckoned
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.moving.acts import cannot_drive_over
from opfire.rulesets.panzer.moving.going import Going, Move
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.moving.transport import Dismount, set_down
from opfire.rulesets.panzer.pieces import CommandName, Mask, Position, Work
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.shown.previews import preview
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import rule
from rules.panzer.moves import army

HOUSE = OPEN.splitlines()
HOUSE[HOUSE.index("hexes = '''") + 5] = ". T . . . . . . . . . ."
WOODEN = "\n".join(HOUSE)
MEN = army(("s_sqd41", "1-B5"), ("t34_43", "1-L8"))
ONE, TWO = army(("pz4h", "1-B4")), army(("pz4h", "1-B4"), ("pz4h", "1-C5"))
RUN = Overrun("german-1", "soviet-1")


def moving(
    german: str = ONE,
    soviet: str = MEN,
    dice: tuple[int, ...] = (),
    *,
    board: str = OPEN,
    command: CommandName = "move",
    options: tuple[str, ...] = (),
) -> Game[Position]:
    """The Germans move first, as the Second Player; all have the command; everybody has spotted everybody."""
    made = game(text(board=board, german=german, soviet=soviet, options=("AG", *options)), (10, 90, *dice))
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    for unit in made.state.of("german"):
        made.state.change(unit.id, facing=3, command=command)
    made.state.spots = {name: tuple(made.state.units) for name in made.state.units}
    made.play(made.asked()[0], RollInitiative())
    while made.stack[-1].step != "movement":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    return made


# --- targets [6.6.10-target]


@rule("6.6.10-target")
def test_a_unit_that_dismounted_in_this_turn_is_not_overrun() -> None:
    soviet = army(("ts_gazaa", "1-B5"), ("s_sqd41", "ts_gazaa"), ("t34_43", "1-L8"))
    made = moving(soviet=soviet)
    set_down(made, "soviet-2", "1-B5", 0)
    assert refused(made, "german", Overrun("german-1", "soviet-2")) == "6.6.10-target"
    made.state.change("soviet-2", dismounted=False)
    assert refused(made, "german", Overrun("german-1", "soviet-2")) is None


@rule("6.6.10-target")
def test_the_target_is_spotted_before_the_vehicle_sets_off() -> None:
    rows = OPEN.splitlines()
    rows[rows.index("hexes = '''") + 3] = ". H . . . . . . . . . ."
    made = moving(board="\n".join(rows))
    made.state.spots = {}
    tank = made.state.units["german-1"]
    near = Going(spent=1, steps=1, off_road=True, start="1-B4")
    assert cannot_drive_over(made.state, tank, RUN, near) is None
    refusal = cannot_drive_over(made.state, tank, RUN, near._replace(start="1-B2"))
    assert refusal is not None
    assert refusal.rule == "4.1.4.2.1"  # heavy woods in B3 hide the target from the first hex
    made.state.spots = {"soviet-1": ("german-1",)}
    assert cannot_drive_over(made.state, tank, RUN, near._replace(start="1-B2")) is None


# --- announcements [6.6.10-announce]


@rule("6.6.10-announce")
def test_all_overruns_of_a_target_are_announced_before_the_first() -> None:
    made = moving(TWO, dice=(1, 1))
    made.state.change("german-2", facing=4)
    made.play("german", RUN)
    assert isinstance(made.stack[-1], Announcing)
    join = JoinOverrun("german-2", "soviet-1")
    assert join in list(made.choices("german"))
    assert not told(made, "overrun")
    made.play("german", join)
    assert refused(made, "german", join) == "6.6.10-announce"
    made.play("german", EndStep())
    assert told(made, "overrun")


@rule("6.6.10-announce")
def test_a_vehicle_that_has_not_announced_stays_out_and_one_that_has_attacks_nobody_else() -> None:
    soviet = army(("s_sqd41", "1-B5"), ("s_sqd41", "1-C6"), ("t34_43", "1-L8"))
    made = moving(TWO, soviet, dice=(1, 1))
    made.play("german", RUN)
    made.play("german", EndStep())
    assert against(made, "soviet-1") == "6.6.10-announce"
    assert against(made, "soviet-2") is None
    made.state.change("german-2", pledged="soviet-1")
    assert against(made, "soviet-1") is None
    assert against(made, "soviet-2") == "6.6.10-announce"


def against(made: Game[Position], target: str) -> str | None:
    """The rule against an Overrun of the second German vehicle."""
    refusal = cannot_overrun(made.state, made.state.units["german-2"], made.state.units[target])
    return refusal.rule if refusal else None


@rule("6.6.10-announce")
@pytest.mark.parametrize(
    ("values", "asked"),
    [({}, True), ({"command": "fire"}, True), ({"command": "fire", "revealed": True}, False), ({"moved": True}, False)],
)
def test_the_question_depends_on_what_everybody_knows(values: dict[str, object], asked: bool) -> None:
    made = moving(TWO, dice=(1,))
    made.state.change("german-2", **values)
    made.play("german", RUN)
    assert isinstance(made.stack[-1], Announcing) is asked


@rule("6.6.10-announce")
def test_a_vehicle_without_a_move_command_does_not_join() -> None:
    made = moving(TWO, dice=(1,))
    made.state.change("german-2", command="fire")
    made.play("german", RUN)
    assert refused(made, "german", JoinOverrun("german-2", "soviet-1")) == "6.6.10-who"
    assert list(made.choices("german")) == [EndStep()]


# --- buildings [6.6.10-bldg]


@rule("6.6.10-bldg")
def test_a_vehicle_drives_into_the_building_first() -> None:
    made = moving(board=WOODEN, dice=(100, 80))
    assert refused(made, "german", RUN) is None
    made.play("german", RUN)
    assert [event.kind for event in made.events if event.kind in ("building", "overrun")] == ["building", "overrun"]
    assert made.state.units["german-1"].inside
    frame = made.stack[-1]
    assert isinstance(frame, Moving)
    assert frame.going.spent == 3  # the building, not the alley


@rule("6.6.10-bldg")
def test_only_vehicles_that_may_enter_buildings_overrun_there() -> None:
    car = moving(army(("k2341", "1-B4")), board=WOODEN)
    assert refused(car, "german", RUN) == "6.6.3-who"
    gun = army(("t_75", "1-B5"), ("t34_43", "1-L8"))
    alley = moving(army(("k2341", "1-B4")), gun, board=WOODEN)
    assert refused(alley, "german", RUN) is None  # a gun stands in the alley
    alley.state.change("soviet-1", inside=True)
    assert refused(alley, "german", RUN) == "6.6.3-who"


@rule("6.6.10-bldg")
def test_a_track_hit_keeps_the_vehicle_out() -> None:
    made = moving(board=WOODEN, dice=(1, 1, 100))
    made.play("german", RUN)
    tank = made.state.units["german-1"]
    assert (tank.track_hit, tank.hex, tank.inside) == (True, "1-B4", False)
    assert not told(made, "overrun")


@rule("6.6.10-bldg", "6.6.10-who")
def test_hull_damage_halves_the_rest_of_the_move_and_weighs_on_the_overrun() -> None:
    made = moving(board=WOODEN, dice=(1, 100, 10, 1))
    made.play("german", RUN)
    tank = made.state.units["german-1"]
    assert (tank.damaged_part, tank.inside) == ("hull", True)
    (event,) = [event for event in made.events if event.kind == "overrun"]
    assert event.calculation is not None
    assert sum(line.amount for line in event.calculation.lines if line.rule == "6.5.4.3-dmg") == -10


@rule("6.6.10-who")
@pytest.mark.parametrize("part", ["turret", "hull"])
def test_damage_weighs_once_on_an_overrun(part: str) -> None:
    made = moving()
    made.state.change("german-1", damaged=True, damaged_part=part)
    found = reckoned(made.state, made.state.units["german-1"], made.state.units["soviet-1"])
    assert [line.amount for line in found.lines if line.rule == "6.5.4.3-dmg"] == [-10]


# --- morale [7.1.2, 7.1.3]


@rule("6.6.10.1-res", "7.1.3")
@pytest.mark.parametrize(("board", "checks"), [(OPEN, 1), (WOODEN, 0)])
def test_an_overrun_forces_a_morale_check_but_not_in_a_building(board: str, checks: int) -> None:
    made = moving(board=board, options=("7.1",), dice=(*((100,) if checks == 0 else ()), 1, 100, 100))
    made.play("german", RUN)
    assert len(told(made, "morale")) == checks


# --- the Dismount Attack [6.6.1.1-dis]

RIDERS = army(("h251_1", "1-B3"), ("g_sqd41", "h251_1"))
STORM = DismountAttack("german-1", "german-2", "1-B4", "soviet-1")


@rule("6.6.1.1-dis", "6.6.1.2.3-end")
def test_a_passenger_dismounts_and_fights_at_once_without_overwatch() -> None:
    made = moving(RIDERS, dice=(100, 1, 100, 1, 100, 1))
    assert STORM in list(made.choices("german"))
    made.play("german", STORM)
    assert told(made, "dismounted")
    assert told(made, "hand to hand")
    assert made.state.units["soviet-1"].status == "eliminated"
    assert isinstance(made.stack[-1], Occupying)
    made.play("german", Occupy("german-2"))
    assert made.state.units["german-2"].hex == "1-B5"
    made.play("german", EndStep())
    assert isinstance(made.stack[-1], Moving)  # the vehicle goes on
    assert made.stack[-1].unit == "german-1"


@rule("6.6.1.1-dis", "6.6.1.2.1")
def test_the_chances_of_a_dismount_attack_are_shown_before_it() -> None:
    """Equal squads, but for the 10 of the dismount: 90 times 89 of 20000 pairs of dice win, 90 are a tie."""
    made = moving(RIDERS)
    found = preview(made.state, made.stack[-1], STORM)
    assert isinstance(found, Calculation)
    assert found.chances()["a tie"] == Fraction(90, 10000)
    assert found.chances()["the attacker wins"] == Fraction(90 * 89 // 2, 10000)
    assert preview(made.state, made.stack[-1], DismountAttack("german-1", "german-2", "1-B1", "soviet-1")) is None


@rule("6.6.7.1.1-dismount", "6.1.4.3.5", "7.2.2")
def test_nobody_dismounts_into_fire_nor_into_the_hex_of_a_hidden_counter() -> None:
    made = moving(RIDERS)
    made.state.works["1-B4"] = (Work("on fire"),)
    assert refused(made, "german", STORM) == "6.1.4.3.5"
    made.state.works["1-B4"] = ()
    made.state.masks["mask"] = Mask(id="mask", side="soviet", hex="1-B4", laid=True)
    assert refused(made, "german", STORM) == "7.2.2"
    assert refused(made, "german", Dismount("german-1", "german-2", "1-B4", 3)) == "7.2.2"
    assert refused(made, "german", Dismount("german-1", "german-2", "1-C3", 3)) is None


@rule("6.6.1.1-dis", "6.6.7.1.1-veh")
def test_the_vehicle_pays_for_the_dismount() -> None:
    made = moving(RIDERS, dice=(1, 100, 1, 100))
    made.play("german", STORM)
    frame = made.stack[-1]
    assert isinstance(frame, Moving)
    assert frame.going.spent == made.state.units["german-1"].kind.m_cc // 2
    assert made.state.units["german-2"].status == "eliminated"


@rule("6.6.1.1-dis", "6.6.1.1-cmd")
@pytest.mark.parametrize("command", ["no command", "overwatch"])
def test_passengers_attack_from_vehicles_with_a_move_command_alone(command: CommandName) -> None:
    """RULINGS.md R247: the command of the vehicle is that of its passengers."""
    made = moving(RIDERS, command=command)
    assert refused(made, "german", STORM) == "6.6.1.1-cmd"


@rule("6.6.1.1-dis", "6.6.1.1.2-dis")
def test_a_vehicle_is_asked_whether_it_moves_and_the_dismount_counts() -> None:
    made = moving(RIDERS, army(("t34_43", "1-B5")), dice=(1,))
    made.state.change("soviet-1", command="move")
    made.play("german", STORM)
    assert refused(made, "soviet", Reveal("soviet-1")) is None
    made.play("soviet", Keep())
    (event,) = [event for event in made.events if event.kind == "assaulted"]
    assert event.calculation is not None
    amounts = {line.rule: line.amount for line in event.calculation.lines if line.kind == "modifier"}
    assert amounts["6.6.1.1.2-dis"] == -10
    assert "6.6.1.1.2-mov" not in amounts


@rule("6.6.1.1-dis")
def test_a_dismount_attack_needs_a_steady_squad_and_a_spotted_neighbour() -> None:
    made = moving(RIDERS)
    assert refused(made, "german", DismountAttack("german-1", "german-2", "1-B3", "soviet-1")) == "6.6.1.2-target"
    made.state.change("german-2", suppression="off")
    assert refused(made, "german", STORM) == "6.6.1.1-who"
    made.state.change("german-2", suppression="")
    made.state.spots = {}
    assert refused(made, "german", STORM) == "6.6.1.1-dis"
    gun = moving(army(("tg_blitz", "1-B3"), ("t_75", "tg_blitz")))
    assert refused(gun, "german", STORM) == "6.6.1.1-who"


@rule("6.6.1.1-dis")
def test_attackers_that_dismount_do_not_combine() -> None:
    german = army(("h251_1", "1-B3"), ("g_sqd41", "h251_1"), ("g_sqd44", "1-B4"))
    made = moving(german, army(("t34_43", "1-B5")), dice=(1,))
    made.play("german", STORM)
    made.play("soviet", Keep())
    (event,) = [event for event in made.events if event.kind == "assaulted"]
    assert event.calculation is not None
    assert not [line for line in event.calculation.lines if line.rule == "6.6.1.1.2-plus"]
    assert "german-3" not in event.units


@rule("6.6.10-bldg", "6.6.3-check")
def test_a_vehicle_comes_out_of_one_building_into_the_next() -> None:
    """It breaks through the wall of its own building, then through that of its target."""
    rows = WOODEN.splitlines()
    rows[rows.index("hexes = '''") + 4] = ". T . . . . . . . . . ."
    made = moving(board="\n".join(rows), dice=(100, 100, 99))
    made.state.change("german-1", inside=True)
    assert refused(made, "german", RUN) is None
    made.play("german", RUN)
    kinds = [event.kind for event in made.events if event.kind in ("building", "overrun")]
    assert kinds == ["building", "building", "overrun"]
    assert made.state.units["german-1"].inside


# --- along a road [4.5.1.1.5, 6.6.4.1-block]

ROAD = OPEN + 'roads = ["B1 B2 B3 B4 B5 B6 B7 B8"]\n'


@rule("6.6.10-target", "6.6.4.1-block", "4.5.1.1.5-b")
def test_a_vehicle_on_a_road_overruns_men_on_it_at_the_road_rate() -> None:
    """Men on foot do not keep a vehicle from the Road rate: it drives over them and on."""
    made = moving(army(("pz4h", "1-B1")), army(("s_chq", "1-B4"), ("t34_43", "1-L8")), (99,), board=ROAD)
    for hex in ("1-B2", "1-B3"):
        made.play("german", Move("german-1", hex, along_road=True))
        while isinstance(made.stack[-1], Overwatch):
            made.play(made.asked()[0], Pass())
    assert refused(made, "german", RUN) == "4.5.1.1.5"
    drive = Overrun("german-1", "soviet-1", along_road=True)
    assert drive in list(made.choices("german"))
    made.play("german", drive)
    assert made.state.units["soviet-1"].hex is None
    frame = made.stack[-1]
    assert isinstance(frame, Moving)
    assert (frame.going.spent, frame.going.roads) == (3, 3)
    assert refused(made, "german", Move("german-1", "1-B5", along_road=True)) is None


@rule("6.6.3-check", "4.5.1.1.5")
def test_no_road_leads_into_a_building() -> None:
    made = moving(board=WOODEN + '\nroads = ["B4 B5"]\n')
    assert refused(made, "german", RUN) is None
    assert refused(made, "german", Overrun("german-1", "soviet-1", along_road=True)) == "4.5.1.1.5"


# --- weapons [6.6.10.1-factor]


@rule("6.6.10.1-factor", "7.25")
def test_a_vehicle_whose_weapons_are_jammed_overruns_by_the_fire_of_its_riders_alone() -> None:
    made = moving(army(("h251_1", "1-B4"), ("g_sqd41", "h251_1")))
    names = {arm.row.weapon for arm in arms_of(made.state, made.state.units["german-1"])}
    made.state.change("german-1", jammed=tuple(names))
    assert reckoned(made.state, made.state.units["german-1"], made.state.units["soviet-1"]).lines[0].amount == 5
    assert refused(made, "german", RUN) is None
    made.state.change("german-2", carrier=None, status="eliminated")
    assert refused(made, "german", RUN) == "6.6.10.1-factor"


# --- the book's example: no Overrun in a Heavy Woods or a Block hex [6.6.10-target]


@rule("6.6.10-target")
@pytest.mark.parametrize(
    ("letter", "block", "why"), [("H", False, "4.5.1.1.2"), (".", True, "6.1.4.3.3"), (".", False, None)]
)
def test_the_targets_hex_has_to_be_open_to_the_vehicle(letter: str, block: bool, why: str | None) -> None:
    rows = OPEN.splitlines()
    rows[rows.index("hexes = '''") + 5] = f". {letter}" + " ." * 10
    made = moving(board="\n".join(rows) + "\n")
    if block:
        made.state.works["1-B5"] = (Work("block"),)
    assert refused(made, "german", RUN) == why
    assert (RUN in list(made.choices("german"))) == (why is None)
