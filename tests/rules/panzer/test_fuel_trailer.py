"""The fuel trailer of flamethrower tanks [7.38.2.2, 7.38.12.2]: hits on it, its loss, the flames without it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.adjusting import AdjustStep
from opfire.rulesets.panzer.charts import Weapon
from opfire.rulesets.panzer.fire.arms import arms_of
from opfire.rulesets.panzer.fire.direct_fire import Announce, Asked, DirectFireStep, Keep, Resolve
from opfire.rulesets.panzer.fire.hits import Round, aim, one_hit, strike
from opfire.rulesets.panzer.fire.jettisoning import Jettisoning, KeepTrailer
from opfire.rulesets.panzer.fire.limits import limit_of
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.trailer import Jettison
from opfire.rulesets.panzer.moving.going import Move, Stay
from opfire.rulesets.panzer.pieces import CommandName, Position
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import GUN, rule
from rules.panzer.moves import FAR, army, marching, tried

REAR_SIDE, REAR, FRONT_SIDE = 0, 1, 3
"""The facings at G4 by which a shot from B4 comes in at these Hit Angles."""

SIDE, SIDE_LOW, TAIL, TURRET_SIDE = 50, 70, 40, 20
"""The tens of a hit from the rear side on hull side, its lower part, hull rear and turret side."""

DUD, HARM, END, FIRE = 1, 3, 6, 9
"""The units by which the damage class of the gun gives No Damage, Damaged, Knock-Out and Brew-Up."""


def battle(
    *dice: int, facing: int = REAR_SIDE, options: tuple[str, ...] = ("7.38",), board: str = OPEN
) -> Game[Position]:
    """A Panzer IV behind a Crocodile, with another Crocodile in the hex."""
    crocodiles = army(("croc", "1-G4"), ("croc", "1-G4"))
    made = game(text(board=board, german=army(("pz4h", "1-B4")), soviet=crocodiles, options=("AG", *options)), dice)
    made.state.change("soviet-1", facing=facing)
    return made


def hit(made: Game[Position], weapon: Weapon = GUN) -> Round:
    """A shot of the Panzer IV at pointblank penetration."""
    return Round(made.state.units["german-1"], "soviet-1", weapon, "P")


def trailer(made: Game[Position]) -> str:
    """The state of the trailer."""
    return trailer_of(made, "soviet-1")


def trailer_of(made: Game[Position], name: str) -> str:
    """The state of the trailer of a tank."""
    return made.state.units[name].trailer


@rule("7.38.2.2")
@pytest.mark.parametrize(
    ("facing", "angle", "location", "roll", "struck"),
    [
        (REAR_SIDE, "rear side", SIDE, 25, True),
        (REAR_SIDE, "rear side", SIDE, 26, False),
        (REAR_SIDE, "rear side", SIDE_LOW, 25, True),
        (REAR_SIDE, "rear side", TAIL, 60, True),
        (REAR_SIDE, "rear side", TAIL, 61, False),
        (REAR, "rear", SIDE, 60, True),  # from the rear these tens strike the hull rear
        (REAR, "rear", SIDE, 61, False),
    ],
)
def test_hull_hits_from_behind_may_strike_the_trailer(
    facing: int, angle: str, location: int, roll: int, struck: bool
) -> None:
    made = battle(location + HARM, roll, facing=facing)
    assert aim(made.state, hit(made)).angle == angle
    one_hit(made, hit(made))
    assert trailer(made) == ("damaged" if struck else "")
    if struck:
        assert not made.state.units["soviet-1"].damaged


@rule("7.38.2.2")
@pytest.mark.parametrize(
    ("facing", "location", "options"),
    [(FRONT_SIDE, SIDE, ("7.38",)), (REAR_SIDE, TURRET_SIDE, ("7.38",)), (REAR_SIDE, SIDE, ())],
)
def test_other_hits_do_not(facing: int, location: int, options: tuple[str, ...]) -> None:
    made = battle(location + HARM, facing=facing, options=options)
    one_hit(made, hit(made))  # one roll alone
    assert trailer(made) == ""


@rule("7.38.2.2", "6.5.2.2.3")
def test_a_wall_that_stops_a_hit_shelters_the_trailer() -> None:
    made = battle(SIDE + HARM, board=OPEN + '[sides]\nwall = ["F3/G4", "F4/G4"]\n')
    assert aim(made.state, hit(made)).hull_down == "full"
    one_hit(made, hit(made))
    assert trailer(made) == ""


@rule("7.38.2.2")
@pytest.mark.parametrize(("penetration", "state"), [(5, "damaged"), (4, "")])
def test_the_trailer_has_five_points_of_armor(penetration: int, state: str) -> None:
    made = battle(SIDE + HARM, 1)
    one_hit(made, hit(made, replace(GUN, value_p=penetration)))
    assert trailer(made) == state


@rule("7.38.2.2")
@pytest.mark.parametrize(
    ("units", "state", "suppressed"), [(DUD, "", ""), (HARM, "damaged", ""), (END, "gone", ""), (FIRE, "gone", "on")]
)
def test_the_results_hold_for_the_trailer(units: int, state: str, suppressed: str) -> None:
    made = battle(SIDE + units, 1)
    strike(made, hit(made), 1)  # nobody bails out
    tank, friend = made.state.units["soviet-1"], made.state.units["soviet-2"]
    assert (tank.trailer, tank.suppression, friend.suppression) == (state, suppressed, suppressed)
    assert (tank.status, tank.damaged, made.state.wrecks) == ("on the map", False, {})
    assert made.state.units["german-1"].suppression == ""


@rule("7.38.2.2")
def test_a_second_damage_costs_the_trailer_and_then_hits_strike_the_tank() -> None:
    made = battle(SIDE + HARM, 1, SIDE + HARM, 1, SIDE + HARM)
    for expected in ("damaged", "gone", "gone"):
        one_hit(made, hit(made))
        assert trailer(made) == expected
    assert told(made, "hit")


@rule("7.38.2.2")
def test_flames_are_scarcer_with_a_damaged_trailer_and_gone_without_one() -> None:
    made = battle()
    flames: list[int | None] = []
    for state in ("", "damaged", "gone"):
        tank = made.state.change("soviet-1", trailer=state)
        flames += [limit_of(made.state, tank, arm) for arm in arms_of(made.state, tank) if arm.row.kind == "flame"]
        assert {arm.row.weapon for arm in arms_of(made.state, tank)} >= {"b75"}
    assert flames == [6, 5]  # A6 by its card


@rule("7.38.2.2", "7.38.2.1")
def test_a_trailer_may_be_jettisoned_on_the_move_so_that_the_tank_reverses() -> None:
    made = marching(army(("croc", "1-D4")), {1: "move"}, soviet=FAR, options=("7.38",), facing=0)
    back, drop = Move("german-1", "1-D5"), Jettison("german-1")
    assert refused(made, "german", back) == "7.38.2.1"
    assert drop in list(made.choices("german"))
    assert tried(made, drop) is None
    assert made.state.units["german-1"].trailer == "gone"
    assert refused(made, "german", drop) == "7.38.2.2"
    assert tried(made, back, Stay("german-1")) is None


@rule("7.38.2.2")
@pytest.mark.parametrize(("unit", "options"), [("pz4h", ("7.38",)), ("croc", ())])
def test_nothing_else_has_a_trailer(unit: str, options: tuple[str, ...]) -> None:
    made = marching(army((unit, "1-D4")), {1: "move"}, options=options)
    assert refused(made, "german", Jettison("german-1")) == "7.38.2.2"


@rule("7.38.2.2")
def test_a_trailer_may_be_jettisoned_in_the_adjustment_phase() -> None:
    made = battle()
    made.push(AdjustStep("soviet"))
    made.run()
    assert Jettison("soviet-1") in list(made.choices("soviet"))
    made.play("soviet", Jettison("soviet-1"))
    assert trailer(made) == "gone"
    assert refused(made, "soviet", EndStep()) is None


@rule("7.38.2.2")
@pytest.mark.parametrize("command", ["no command", "move", "overwatch", "fire"])
def test_a_trailer_may_be_jettisoned_in_the_direct_fire_step_whatever_the_command(command: CommandName) -> None:
    made = battle()
    made.state.change("soviet-1", command=command)
    made.push(DirectFireStep("soviet"))
    made.run()
    assert Jettison("soviet-1") in list(made.choices("soviet"))
    made.play("soviet", Jettison("soviet-1"))
    assert (trailer(made), made.state.units["soviet-1"].revealed) == ("gone", False)
    assert refused(made, "soviet", Jettison("soviet-1")) == "7.38.2.2"
    assert trailer_of(made, "soviet-2") == ""


@rule("7.38.2.2")
def test_nobody_jettisons_the_trailer_of_the_enemy_or_one_that_is_not_there() -> None:
    made = battle()
    made.push(DirectFireStep("german"))
    made.run()
    assert refused(made, "german", Jettison("soviet-1")) is not None
    assert refused(made, "german", Jettison("german-1")) == "7.38.2.2"


def under_fire(ammo: str = "", facing: int = REAR_SIDE, options: tuple[str, ...] = ("7.38",)) -> Game[Position]:
    """The Germans have announced fire at a Crocodile with a Crocodile beside it."""
    made = battle(*(100,) * 9, facing=facing, options=options)
    made.state.change("german-1", command="fire")
    made.state.spots["soviet-1"] = ("german-1",)
    made.push(DirectFireStep("german"))
    made.run()
    shots = (act for act in made.choices("german") if isinstance(act, Announce))
    made.play("german", next(act for act in shots if act.weapon.endswith(ammo)))
    made.play("german", Resolve())
    return made


@rule("7.38.2.2")
@pytest.mark.parametrize("drop", [True, False])
def test_a_trailer_may_be_jettisoned_under_fire_from_behind(drop: bool) -> None:
    made = under_fire()
    assert isinstance(made.stack[-1], Jettisoning)
    assert set(made.choices("soviet")) == {KeepTrailer(), Jettison("soviet-1")}
    assert refused(made, "soviet", Jettison("soviet-2")) == "7.38.2.2"
    made.play("soviet", Jettison("soviet-1") if drop else KeepTrailer())
    assert (trailer(made), made.state.units["german-1"].fired) == ("gone" if drop else "", False)
    assert isinstance(made.stack[-1], Asked)
    made.play("soviet", Keep())
    assert made.state.units["german-1"].fired


@rule("7.38.2.2")
@pytest.mark.parametrize(
    ("ammo", "facing", "options"),
    [("", FRONT_SIDE, ("7.38",)), ("", REAR_SIDE, ()), ("HE", REAR_SIDE, ("7.38",))],
)
def test_nobody_is_asked_about_a_trailer_that_the_fire_cannot_strike(
    ammo: str, facing: int, options: tuple[str, ...]
) -> None:
    """From the front side, without a trailer, and as GP fire."""
    assert isinstance(under_fire(ammo, facing, options).stack[-1], Asked)


@rule("7.38.2.2", "4.4.2")
def test_a_trailer_may_be_jettisoned_before_overwatch_fire() -> None:
    made = battle(*(100,) * 9)
    for name, command in (("german-1", "overwatch"), ("soviet-1", "move")):
        made.state.change(name, command=command, revealed=name == "soviet-1")
    made.push(Overwatch("german", ("german", "soviet"), ("soviet-1",)))
    made.run()
    made.play("german", next(act for act in made.choices("german") if isinstance(act, Announce)))
    assert isinstance(made.stack[-1], Jettisoning)
    made.play("soviet", Jettison("soviet-1"))
    assert (trailer(made), made.state.units["german-1"].fired) == ("gone", True)
