"""Turrets with facings of their own, hatches, long guns [7.8, 7.20]."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.adjusting import AdjustStep
from opfire.rulesets.panzer.charts import GpResult
from opfire.rulesets.panzer.fire import gp_fire
from opfire.rulesets.panzer.fire.ap_fire import Aim, struck
from opfire.rulesets.panzer.fire.arms import arms_of, cannot_bear, turned
from opfire.rulesets.panzer.fire.close_assault import Band, assault
from opfire.rulesets.panzer.fire.hits import Round, aim
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.resolving import fire
from opfire.rulesets.panzer.fire.shots import WATCHING, Fire, calculation, shot
from opfire.rulesets.panzer.fire.turrets import (
    AdjustTurret,
    Button,
    bearing,
    cannot_button,
    cannot_swing,
    snagged,
    turreted,
)
from opfire.rulesets.panzer.moving.going import Going, Move, Turn, after, cannot_adjust
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.sighting.spots import conditions
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import CHARTS, GUN, rule, vehicle
from rules.panzer.moves import FAR, army, marching, tried

ROWS = OPEN.splitlines()
ROWS[ROWS.index("hexes = '''") + 5] = "W W . . . . . . . . . ."
WOODS = "\n".join(ROWS)
TIGER, PANZER, GUNLESS = "pz6", "pz4h", "stug3g"


def fielded(
    german: str, soviet: str = FAR, *, board: str = OPEN, options: tuple[str, ...] = ("7.8",), **values: object
) -> Position:
    """The position at the start of a game with turrets; the first German unit has these values."""
    state = game(text(board=board, german=german, soviet=soviet, options=("AG", *options))).state
    state.spots = {name: tuple(state.units) for name in state.units}
    state.change("german-1", **{"facing": 0, **values})
    return state


def bears(state: Position, unit: str = "german-1") -> str | None:
    """The rule that keeps the main weapon of a vehicle from bearing on the first Soviet unit."""
    firer = state.units[unit]
    arm = next(arm for arm in arms_of(state, firer) if arm.is_ap)
    refusal = cannot_bear(state, firer, arm, state.units["soviet-1"])
    return refusal.rule if refusal else None


NORTH, SOUTH = army(("t34_43", "1-D1")), army(("t34_43", "1-D8"))
TANK = army((PANZER, "1-D4"))


# --- the field of fire [7.8], turning turrets [7.8.1]


@rule("7.8", "7.8.1")
def test_a_turret_fires_where_it_faces_and_turns_with_its_hull() -> None:
    assert bears(fielded(TANK, SOUTH, options=())) is None  # without the option it bears all round
    assert bears(fielded(TANK, NORTH)) is None
    assert bears(fielded(TANK, SOUTH)) == "7.8"
    assert bears(fielded(TANK, SOUTH, turret=3)) is None
    assert bears(fielded(TANK, NORTH, facing=3, turret=3)) is None
    assert bearing(fielded(TANK, facing=4, turret=3).units["german-1"]) == 1


@rule("7.8.1")
@pytest.mark.parametrize(
    ("facing", "damaged", "why"),
    [(1, False, None), (2, False, None), (3, False, "7.8.1"), (1, True, None), (2, True, "7.8.1"), (0, False, "7.8.1")],
)
def test_a_turret_turns_by_its_factor_and_by_one_if_damaged(facing: int, damaged: bool, why: str | None) -> None:
    two = next(card.id for card in CHARTS.vehicles.values() if card.tt == 2 and card.main_arc == "all")
    state = fielded(army((two, "1-D4")), damaged=damaged)
    refusal = cannot_swing(state, state.units["german-1"], facing)
    assert (refusal.rule if refusal else None) == why


@rule("7.8.1")
def test_vehicles_without_turrets_turn_none() -> None:
    hull = next(card.id for card in CHARTS.vehicles.values() if card.tt == 0 and card.main_arc == "front")
    state = fielded(army((hull, "1-D4")))
    assert not turreted(state, state.units["german-1"])
    refusal = cannot_swing(state, state.units["german-1"], 1)
    assert refusal is not None
    assert refusal.rule == "7.8.1"


@rule("7.8.1")
def test_a_turret_turns_again_in_each_new_hex() -> None:
    made = marching(TANK, {1: "move"}, options=("7.8",), facing=0)
    tt = made.state.units["german-1"].vehicle.tt
    assert tried(made, Turn("german-1", 1), AdjustTurret("german-1", 2)) == "7.8.1"
    assert tried(made, Move("german-1", "1-E4"), AdjustTurret("german-1", 2)) is None
    assert bearing(made.state.units["german-1"]) == 2
    for more in range(1, tt + 1):
        left = cannot_adjust(made.state, made.state.units["german-1"], (2 + more) % 6, Going(steps=1, swung=1))
        assert (left is None) is (more <= tt - 1)
    assert cannot_adjust(made.state, made.state.units["german-1"], (2 + tt) % 6, Going(steps=2)) is None


@rule("7.8.1")
def test_the_view_tells_where_a_turret_points() -> None:
    def shown(options: tuple[str, ...], unit: str = "german-1") -> object:
        made = game(text(german=army((PANZER, "1-D4"), (GUNLESS, "1-E4")), soviet=FAR, options=("AG", *options)))
        made.state.change("german-1", facing=1, turret=2 if options else 0)
        (found,) = (each for each in made.view("soviet")["units"] if each["id"] == unit)
        return found.get("turret")

    assert shown(("7.8",)) == 180  # The hull faces 60 degrees, its turret 120 more.
    assert shown(("7.8",), "german-2") is None
    assert shown(()) is None


@rule("7.8.1", "7.8.3-status")
def test_turrets_and_hatches_are_adjusted_once_in_their_step() -> None:
    made = game(text(german=TANK, soviet=FAR, options=("AG", "7.8")))
    made.push(AdjustStep("german"))
    made.run()
    act = AdjustTurret("german-1", (bearing(made.state.units["german-1"]) + 1) % 6)
    assert act in list(made.choices("german"))
    made.play("german", act)
    assert made.why_not("german", act) is not None
    assert not made.state.units["german-1"].buttoned
    made.play("german", Button("german-1"))
    assert made.state.units["german-1"].buttoned
    assert Button("german-1") not in list(made.choices("german"))
    made.play("german", EndStep())


# --- hit angles [7.8.2]


@rule("7.8.2")
def test_a_turret_hit_counts_at_the_turrets_own_angle() -> None:
    target = vehicle("t34_43")
    plain = Aim(GUN, "S", target, "level", "front")
    sideways = plain._replace(turret_angle="rear side")
    for tens in range(1, 11):
        hull, turret = CHARTS.hit_locations[tens].at("front"), CHARTS.hit_locations[tens].at("rear side")
        expected = turret if hull.startswith("T") and hull != "TK" and turret in ("TF", "TS", "TR") else hull
        assert struck(CHARTS, sideways, tens) == expected
        assert struck(CHARTS, plain, tens) == hull
    assert struck(CHARTS, sideways, 2) == "TS"
    assert struck(CHARTS, sideways, 5) == "HF"


@rule("7.8.2")
def test_hull_and_turret_are_hit_from_their_own_sides() -> None:
    state = fielded(army(("t34_43", "1-D1")), TANK.replace(PANZER, "pz4h"))
    target = state.change("soviet-1", facing=0)
    way = aim(state, Round(state.units["german-1"], "soviet-1", GUN, "S"))
    assert (way.angle, way.turret_angle) == ("front", "front")
    state.change("soviet-1", turret=3)
    way = aim(state, Round(state.units["german-1"], "soviet-1", GUN, "S"))
    assert (way.angle, way.turret_angle) == ("front", "rear")
    plain = fielded(army(("t34_43", "1-D1")), TANK, options=())
    assert aim(plain, Round(plain.units["german-1"], target.id, GUN, "S")).turret_angle is None


# --- hatches [7.8.3]


@rule("7.8.3-status")
def test_only_a_type_vehicles_button_up_and_then_spot_worse() -> None:
    state = fielded(TANK)
    assert cannot_button(state, state.units["german-1"]) is None
    spotter, target = state.units["german-1"], state.units["soviet-1"]
    assert sum(line.amount for line in conditions(state, spotter, target)) == 0
    closed = state.change("german-1", buttoned=True)
    assert sum(line.amount for line in conditions(state, closed, target)) == -1
    light = fielded(army(("h251_1", "1-D4")))
    refusal = cannot_button(light, light.units["german-1"])
    assert refusal is not None
    assert refusal.rule == "7.8.3-status"


@rule("7.8.3-open")
@pytest.mark.parametrize(
    ("weapon", "band", "found", "outcome"),
    [
        ("small", "P", "effective", "damaged"),
        ("small", "S", "effective", None),
        ("small", "P", "suppressed", None),
        ("weak", "M", "effective", "damaged"),
        ("strong", "M", "effective", None),
        ("weak", "M", "suppressed", None),
    ],
)
def test_gp_fire_damages_open_vehicles(weapon: str, band: str, found: GpResult, outcome: str | None) -> None:
    target = vehicle("t34_43")
    small = CHARTS.legs["g_sqd41"].small_arms()
    shell = CHARTS.weapons["g75l48", "V", "GP-DF", "HE"]
    weak = replace(shell, gp_eff=1)
    strong = replace(shell, gp_eff=9)
    row = {"small": small, "weak": weak, "strong": strong}[weapon]
    assert gp_fire.against_open(row, band, target, found) == outcome  # type: ignore[arg-type]


@rule("7.8.3-open", "6.6.1.1.2-open")
def test_a_buttoned_vehicle_is_not_hurt_more() -> None:
    state = fielded(army(("g_sqd41", "1-D2")), NORTH)
    squad = state.units["german-1"]
    arm = arms_of(state, squad)[0]
    for buttoned in (False, True):
        soft = replace(state.units["soviet-1"].vehicle, gpd="1A")
        target = state.change("soviet-1", buttoned=buttoned, kind=soft)
        chances = calculation(state, Fire(squad, target, arm)).chances()
        assert ("damaged" in chances) is not buttoned
        found = assault(state, Band((squad,)), target)
        assert [line.amount for line in found.lines if line.rule == "6.6.1.1.2-open"] == ([] if buttoned else [10])


# --- overwatch [7.8.4]


@rule("7.8.4")
def test_overwatch_outside_the_turrets_field_swings_it_at_minus_three() -> None:
    aside = army(("t34_43", "1-H6"))
    state = fielded(TANK, aside)
    tank, target = state.units["german-1"], state.units["soviet-1"]
    aimed = turned(state, tank, target)
    assert bearing(aimed) in (1, 2)
    amounts = {line.rule: line.amount for line in shot(state, tank, target, True).lines}
    assert amounts["7.8.4"] == -3
    ready = state.change("german-1", turret=aimed.turret)
    assert "7.8.4" not in {line.rule for line in shot(state, ready, target, True).lines}


@rule("7.8.4")
def test_a_turret_that_cannot_swing_so_far_does_not_fire() -> None:
    state = fielded(TANK, SOUTH, damaged=True, command="overwatch")
    frame = Overwatch("german", ("german", "soviet"), ("soviet-1",))
    refusal = frame.cannot_shoot(state, "german", state.units["german-1"], state.units["soviet-1"])
    assert refusal is not None
    assert refusal.rule == "7.8"


@rule("7.8.4")
def test_the_turret_keeps_its_new_facing() -> None:

    made: Game[Position] = game(text(german=TANK, soviet=army(("t34_43", "1-H6")), options=("AG", "7.8")), (100,))
    made.state.change("german-1", facing=0, command="overwatch")
    fire(made, "german-1", "soviet-1", "", WATCHING)
    assert bearing(made.state.units["german-1"]) in (1, 2)
    assert made.state.units["german-1"].facing == 0


# --- long guns [7.20]


@rule("7.20")
@pytest.mark.parametrize(("turret", "why"), [(0, None), (3, None), (1, "7.20"), (5, "7.20")])
def test_a_long_gun_points_ahead_or_back_in_woods(turret: int, why: str | None) -> None:
    state = fielded(army((TIGER, "1-B4")), board=WOODS, options=("7.8", "7.20"), turret=turret, facing=3)
    refusal = snagged(state, state.units["german-1"], "1-B5")
    assert (refusal.rule if refusal else None) == why
    step = after(state, state.units["german-1"], Move("german-1", "1-B5"), Going())
    assert (getattr(step, "rule", None) == "7.20") is (why is not None)
    assert snagged(state, state.units["german-1"], "1-B3") is None


@rule("7.20")
def test_short_guns_and_games_without_the_option_are_free() -> None:
    short = fielded(army((PANZER, "1-B4")), board=WOODS, options=("7.8", "7.20"), turret=1)
    assert snagged(short, short.units["german-1"], "1-B5") is None
    free = fielded(army((TIGER, "1-B4")), board=WOODS, options=("7.8",), turret=1)
    assert snagged(free, free.units["german-1"], "1-B5") is None


@rule("7.20")
def test_a_long_gun_does_not_swing_across_in_the_woods_on_its_way() -> None:
    state = fielded(army((TIGER, "1-B5")), board=WOODS, options=("7.8", "7.20"))
    refusal = cannot_adjust(state, state.units["german-1"], 1, Going(steps=1, off_road=True))
    assert refusal is not None
    assert refusal.rule == "7.20"
    assert cannot_swing(state, state.units["german-1"], 1) is None  # stationary
    assert cannot_adjust(state, state.units["german-1"], 1, Going(steps=1, paths=1)) is None
