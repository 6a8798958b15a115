"""Optional rules of direct fire [7.13.1, 7.14, 7.16, 7.18, 7.25]: lower hulls, priority, platforms, pinning, jams."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer import sequence
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.arms import arms_of
from opfire.rulesets.panzer.fire.direct_fire import Announce, Attacking, Keep, Resolve
from opfire.rulesets.panzer.fire.hits import Round, aim
from opfire.rulesets.panzer.fire.malfunctions import RepairStep, repair
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.plates import lower_hull
from opfire.rulesets.panzer.fire.resolving import fire
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.moving.going import Move, Stay
from opfire.rulesets.panzer.moving.movement import comes_up
from opfire.rulesets.panzer.pieces import CommandName, Position
from opfire.rulesets.panzer.sequence import RollInitiative
from rules.panzer.battle import OPEN, game, refused, text
from rules.panzer.kit import CHARTS, GUN, rule
from rules.panzer.moves import FAR, army, marching, tried

Given = dict[int, CommandName]


def battle(
    german: str,
    soviet: str,
    *options: str,
    commands: tuple[Given, Given] = ({}, {}),
    dice: tuple[int, ...] = (),
    board: str = OPEN,
) -> Game[Position]:
    """The Germans' Direct Fire Step; they are the First Player, and everybody has spotted everybody."""
    made = game(text(board=board, german=german, soviet=soviet, options=("AG", *options)), (90, 10, *dice))
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    for side, given in zip(("german", "soviet"), commands, strict=True):
        for number, command in given.items():
            made.state.change(f"{side}-{number}", command=command)
    made.state.spots = {name: tuple(made.state.units) for name in made.state.units}
    made.play(made.asked()[0], RollInitiative())
    return made


# --- fire priority [7.14]

TWO = army(("pz4h", "1-A4"), ("pz4h", "1-A5"))
NEAR_AND_FAR = army(("t34_43", "1-D4"), ("t34_43", "1-H4"))
FIRES: tuple[Given, Given] = ({1: "fire", 2: "fire"}, {})


@rule("7.14")
def test_the_closest_combat_vehicle_is_fired_at_first() -> None:
    made = battle(TWO, NEAR_AND_FAR, "7.14", commands=FIRES, dice=(100,))
    assert refused(made, "german", Announce("german-1", "soviet-2")) == "7.14"
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    while isinstance(made.stack[-1], Attacking) or made.stack[-1].step == "target moving":
        made.play(made.asked()[0], Keep())
    assert refused(made, "german", Announce("german-2", "soviet-2")) is None  # german-1 engages the closest


@rule("7.14")
def test_squads_do_not_engage_and_other_formations_do_not_count() -> None:
    made = battle(TWO, NEAR_AND_FAR, "7.14", commands=FIRES)
    made.state.change("german-2", aimed="soviet-1", formation="another")
    assert refused(made, "german", Announce("german-1", "soviet-2")) == "7.14"
    made.state.change("german-2", formation=made.state.units["german-1"].formation)
    assert refused(made, "german", Announce("german-1", "soviet-2")) is None
    made.state.change("german-2", kind=CHARTS.legs["g_sqd41"])
    assert refused(made, "german", Announce("german-1", "soviet-2")) == "7.14"


@rule("7.14")
def test_without_the_option_or_with_unarmed_vehicles_near_any_target_will_do() -> None:
    assert refused(battle(TWO, NEAR_AND_FAR, commands=FIRES), "german", Announce("german-1", "soviet-2")) is None
    lorry = army(("ts_gazaa", "1-D4"), ("t34_43", "1-H4"))
    made = battle(TWO, lorry, "7.14", commands=FIRES)
    assert refused(made, "german", Announce("german-1", "soviet-2")) is None
    assert refused(made, "german", Announce("german-1", "soviet-1")) == "7.14"


# --- pinning fire [7.18]

SQUADS = (army(("g_sqd41", "1-A4")), army(("s_sqd41", "1-A5")))


@rule("7.18")
def test_pinning_fire_adds_twenty_and_never_harms() -> None:
    made = battle(*SQUADS, "7.18", commands=({1: "fire"}, {}))
    unit, target = made.state.units["german-1"], made.state.units["soviet-1"]
    plain, pinning = shot(made.state, unit, target, False), shot(made.state, unit, target, False, pinning=True)
    assert pinning.modifier == plain.modifier + 20
    assert "reduced to a half-squad" in plain.chances()
    assert set(pinning.chances()) <= {"no effect", "suppressed"}


@rule("7.18")
@pytest.mark.parametrize("command", ["fire", "short halt"])
def test_pinning_fire_is_declared_with_the_announcement(command: CommandName) -> None:
    made = battle(*SQUADS, "7.18", commands=({1: command}, {}), dice=(100,))
    pinning = Announce("german-1", "soviet-1", pinning=True)
    assert pinning in list(made.choices("german"))
    made.play("german", pinning)
    made.play("german", Resolve())
    target = made.state.units["soviet-1"]
    assert (target.suppression, target.kind.category) == ("on", "squad")


@rule("7.18")
def test_only_small_arms_pin_and_only_squads_and_guns() -> None:
    made = battle(
        army(("pz4h", "1-A4")), army(("s_sqd41", "1-A5"), ("t34_43", "1-A6")), "7.18", commands=({1: "fire"}, {})
    )
    assert refused(made, "german", Announce("german-1", "soviet-1", "g75l48 HE", True)) == "7.18"
    made = battle(army(("g_sqd41", "1-A4")), army(("t34_43", "1-A5")), "7.18", commands=({1: "fire"}, {}))
    assert refused(made, "german", Announce("german-1", "soviet-1", pinning=True)) == "7.18"
    made = battle(*SQUADS, commands=({1: "fire"}, {}))
    assert refused(made, "german", Announce("german-1", "soviet-1", pinning=True)) == "7.18"


@rule("7.18", "4.4.2")
def test_pinning_fire_from_overwatch() -> None:
    made = battle(*SQUADS, "7.18", commands=({1: "overwatch"}, {}), dice=(100,))
    made.state.change("soviet-1", fired=True, fresh="small arms")
    while not isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], EndStep())
    pinning = Announce("german-1", "soviet-1", pinning=True)
    assert pinning in list(made.choices("german"))
    made.play("german", pinning)
    assert made.state.units["soviet-1"].suppression == "on"
    assert made.state.units["soviet-1"].kind.category == "squad"


# --- weapon malfunction [7.25]

TANKS = (army(("pz4h", "1-A4")), army(("t34_43", "1-D4")))


@rule("7.25")
@pytest.mark.parametrize(("roll", "jams"), [(100, True), (99, False), (1, False)])
def test_an_ap_roll_of_100_jams_the_weapon_after_its_shot(roll: int, jams: bool) -> None:
    made = battle(*TANKS, "7.25", commands=({1: "fire"}, {}), dice=(roll, 34, 34, 34))
    made.state.change("soviet-1", revealed=True)
    fire(made, "german-1", "soviet-1")
    unit = made.state.units["german-1"]
    assert bool(unit.jammed) is jams
    assert ("g75l48 AP" in {arm.name for arm in arms_of(made.state, unit)}) is not jams


@rule("7.25")
@pytest.mark.parametrize(("roll", "jams"), [(1, True), (2, False), (100, False)])
def test_a_gp_roll_of_1_jams_small_arms(roll: int, jams: bool) -> None:
    made = battle(*SQUADS, "7.25", commands=({1: "fire"}, {}), dice=(roll,))
    fire(made, "german-1", "soviet-1")
    assert bool(made.state.units["german-1"].jammed) is jams
    made = battle(*SQUADS, commands=({1: "fire"}, {}), dice=(1,))
    fire(made, "german-1", "soviet-1")
    assert not made.state.units["german-1"].jammed


@rule("7.25")
@pytest.mark.parametrize(
    ("command", "roll", "jammed", "ruined"),
    [
        ("fire", 2, False, False),
        ("fire", 3, True, False),
        ("no command", 4, False, False),
        ("no command", 5, True, False),
        ("no command", 10, False, True),
        ("overwatch", 10, False, True),
    ],
)
def test_repairs_by_the_roll_and_the_command(command: CommandName, roll: int, jammed: bool, ruined: bool) -> None:
    made = game(text(german=TANKS[0], soviet=TANKS[1], options=("AG", "7.25")), (roll,))
    unit = made.state.change("german-1", jammed=("g75l48",), command=command)
    repair(made, unit, "g75l48")
    after = made.state.units["german-1"]
    assert (bool(after.jammed), bool(after.ruined)) == (jammed, ruined)
    assert ("g75l48 AP" in {arm.name for arm in arms_of(made.state, after)}) is not (jammed or ruined)


@rule("7.25")
def test_repairs_come_at_the_end_of_the_command_phase() -> None:
    made = game(text(german=TANKS[0], soviet=TANKS[1], options=("AG", "7.25")), (1, 90, 10))
    kinds = [kind for kind, _ in sequence.steps(made.state)]
    assert kinds.index(RepairStep) == 2
    made.state.change("german-1", jammed=("g75l48",))
    made.play("german", HandIn((Command("german-1", "move"),)))
    assert made.state.units["german-1"].jammed
    made.play("soviet", HandIn())
    assert not made.state.units["german-1"].jammed
    assert RepairStep not in [kind for kind, _ in sequence.steps(game(text(options=("AG",))).state)]


# --- platform mounts [7.16]

FLAK = army(("t_88flak", "1-D4"))


def watched(german: str, *options: str, dice: tuple[int, ...] = ()) -> tuple[Game[Position], str | None]:
    """A German gun that faces north, a tank that fired south of it; the rule against overwatch fire at it."""
    made = battle(german, army(("t34_43", "1-D8")), *options, commands=({1: "overwatch"}, {}), dice=dice)
    gun = made.state.change("german-1", facing=0)
    target = made.state.change("soviet-1", fired=True, fresh="fire", revealed=True)
    frame = Overwatch("german", ("german", "soviet"), ("soviet-1",))
    refusal = frame.cannot_shoot(made.state, "german", gun, target)
    return made, refusal.rule if refusal else None


@rule("7.16")
def test_a_gun_on_a_platform_turns_to_every_target_of_overwatch() -> None:
    assert watched(FLAK)[1] == "5.2"
    made, why = watched(FLAK, "7.16", dice=(100,))
    assert why is None
    unit, target = made.state.units["german-1"], made.state.units["soviet-1"]
    found = {line.rule for line in shot(made.state, unit, target, True).lines}
    assert "4.4.3.2.2-ow" in found
    assert "4.4.3.2.2-ow-adjust" not in found
    while not isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], EndStep())
    made.play("german", Announce("german-1", "soviet-1"))
    assert made.state.units["german-1"].facing == 3


@rule("7.16")
def test_a_gun_without_a_platform_or_in_direct_fire_keeps_its_front() -> None:
    assert watched(army(("t_75", "1-D4")), "7.16")[1] == "5.2"
    made = battle(FLAK, army(("t34_43", "1-D8")), "7.16", commands=({1: "fire"}, {}))
    made.state.change("german-1", facing=0)
    assert refused(made, "german", Announce("german-1", "soviet-1")) == "5.2"


# --- lower hulls of vehicles that come up [7.13.1]


def walled(side: str, row: str = ". . . . . . . . . . . .") -> str:
    """A board whose fifth row is this one, with a hexside between B4 and B5."""
    lines = OPEN.splitlines()
    lines[lines.index("hexes = '''") + 5] = row
    return "\n".join((*lines, "[sides]", f'{side} = ["B4-B5"]' if side else ""))


@rule("7.13.1")
def test_a_vehicle_that_leaves_a_gully_is_exposed() -> None:
    gully = walled("", ". u . . . . . . . . . .")
    state = game(text(board=gully, german=army(("pz4h", "1-B5")), soviet=FAR, options=("AG", "7.13"))).state
    tank = state.units["german-1"]
    assert comes_up(state, tank, "1-B4")
    assert not comes_up(state, state.change("german-1", hex="1-B4"), "1-B5")
    plain = game(text(board=gully, german=army(("pz4h", "1-B5")), soviet=FAR, options=("AG",))).state
    assert not comes_up(plain, plain.units["german-1"], "1-B4")


@rule("7.13.1")
def test_overwatch_at_the_new_height_meets_half_of_the_rising_armor() -> None:
    state = game(text(german=army(("pz4h", "1-B4")), soviet=army(("t34_43", "1-B8")), options=("AG", "7.13"))).state
    state.change("german-1", facing=3, exposed=True)
    gun = state.units["soviet-1"]
    assert aim(state, Round(gun, "german-1", GUN, "P", True)).low
    assert not aim(state, Round(gun, "german-1", GUN, "P")).low
    state.change("german-1", exposed=False)
    assert not aim(state, Round(gun, "german-1", GUN, "P", True)).low
    assert lower_hull(9) == 4


@rule("7.13.1")
def test_the_vehicle_is_covered_again_when_its_move_is_over() -> None:
    gully = walled("", ". u . . . . . . . . . .")
    made = marching(army(("pz4h", "1-B5")), {1: "move"}, board=gully, options=("7.13",), facing=0)
    assert tried(made, Move("german-1", "1-B4")) is None
    assert made.state.units["german-1"].exposed
    assert tried(made, Stay("german-1")) is None
    assert not made.state.units["german-1"].exposed
