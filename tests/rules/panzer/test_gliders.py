"""Gliders [7.44.2]: entry, flight, the run over the ground, passengers."""

from __future__ import annotations

import random

import pytest

from opfire.ai import players
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.panzer import hiding
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.air import crossing, flak, gliders
from opfire.rulesets.panzer.air.flak import AntiAircraft, Flak
from opfire.rulesets.panzer.air.gliders import Glide, Point, Pointing, TouchDown
from opfire.rulesets.panzer.air.phase import AirPhase, Bank, Enter, Fly, Flying, FlyOff
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.indirect.kinds import Fall, Mission, Smoke
from opfire.rulesets.panzer.indirect.observers import Source
from opfire.rulesets.panzer.pieces import CommandName, Position, Unit, Work
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.setup import has_room
from rules.panzer.battle import OPEN, commanded, game, refused, text
from rules.panzer.kit import CHARTS, rule, weapon
from rules.panzer.moves import army

GLIDER, SQUAD = "soviet-2", "soviet-3"
"""A Waco with its passenger, after a tank in the corner."""


def gliding(
    *dice: int,
    german: str = "",
    board: str = OPEN,
    glider: str = "gl_waco",
    passengers: tuple[str, ...] = ("s_sqd41",),
    commands: dict[int, CommandName] | None = None,
    options: tuple[str, ...] = ("7.44.2", "7.31"),
    streams: str = "",
) -> Game[Position]:
    """A battle at its 1st Air Phase: a Soviet glider comes by the western edge."""
    soviet = (
        army(("t34_43", "1-L8"))
        + f'\n[[sides.soviet.gliders]]\nunit = "{glider}"\nturn = 1\nedge = "west"\npassengers = {list(passengers)}\n'
    )
    german = german or army(("pz3j", "1-L1"))
    scenario = text(board=board, german=german, soviet=soviet, turns=9, options=("AG", *options))
    made = game(f'{scenario}\n[conditions]\nstreams = "{streams}"\n', (10, 90, *dice))
    return commanded(made, commands or {})


def over(made: Game[Position], hex: str, facing: int = 2, **values: object) -> Unit:
    """The glider over a hex."""
    unit = made.state.change(GLIDER, facing=facing, **values)
    return crossing.fly(made.state, unit, hex=hex, path=((hex, facing),), first=1, last=1)


def flown(made: Game[Position], *hexes: str) -> None:
    """Fly on, with nobody firing."""
    for hex in hexes:
        made.play("soviet", Fly(GLIDER, hex))


# --- entry and flight [7.44.2.2]


@rule("7.44.2", "7.44.2.2-1", "7.44.2.2-2")
def test_a_glider_comes_in_where_its_player_wants_and_faces_where_the_enemy_wants() -> None:
    made = gliding()
    assert isinstance(made.stack[-1], AirPhase)
    assert refused(made, "soviet", Glide(GLIDER, "1-D1")) == "7.44.2.2-1"
    assert refused(made, "soviet", Enter(GLIDER, "1-A4", 2)) == "7.44.2.2-1"
    made.play("soviet", Glide(GLIDER, "1-A4"))
    assert isinstance(made.stack[-1], Pointing)
    assert made.asked() == ("german",)
    assert refused(made, "german", Point(GLIDER, 0)) == "7.44.2.2-1"
    assert gliders.facings_at(made.state, "1-A4", ("west",)) == (1, 2)
    made.play("german", Point(GLIDER, 2))
    flight = made.state.units[GLIDER].airborne
    assert (flight.hex, flight.speed, flight.altitude) == ("1-A4", "slow", "low")
    assert isinstance(made.stack[-1], Flying)
    assert refused(made, "soviet", FlyOff(GLIDER)) == "7.44.2.2-2"


@rule("7.44.2")
def test_gliders_need_their_option_and_room_for_their_passengers() -> None:
    with pytest.raises(BadInput, match=r"7\.44\.2"):
        gliding(options=())
    with pytest.raises(BadInput, match="no room"):
        gliding(passengers=("s_sqd41", "s_sqd41", "s_sqd41"))
    with pytest.raises(BadInput, match="no room"):
        gliding(passengers=("s_45",))


@rule("7.44.2.1")
@pytest.mark.parametrize(
    ("glider", "passengers", "fits"),
    [
        ("gl_waco", ("u_cmd",), True),
        ("gl_waco", ("u_cmd", "u_cmd"), True),
        ("gl_waco", ("tu_jeep", "u_cmd"), True),
        ("gl_waco", ("tu_jeep", "u_cmd", "u_cmd"), False),
        ("gl_waco", ("tu_jeep", "u_sqd_h"), False),  # 0-1*: sections alone
        ("gl_waco", ("u_37",), False),
        ("gl_horsa", ("u_sqd", "u_sqd"), True),
        ("gl_horsa", ("u_37",), True),
        ("gl_horsa", ("u_37", "u_cmd"), False),  # 1-1: the gun with its crew
        ("gl_horsa", ("u_3in",), False),  # too heavy for a towed capacity of 1
        ("gl_horsa", ("tu_jeep", "u_sqd"), True),
        ("gl_horsa", ("tu_jeep", "u_sqd", "u_cmd"), False),
        ("gl_horsa", ("tu_jeep", "u_37"), False),
        ("gl_horsa", ("tu_jeep", "tu_jeep"), False),
    ],
)
def test_a_gun_or_a_jeep_leaves_less_room_in_a_glider(glider: str, passengers: tuple[str, ...], fits: bool) -> None:
    cards = {**CHARTS.legs, **CHARTS.guns, **CHARTS.vehicles}
    squad = next(one for one in CHARTS.legs.values() if one.category == "squad" and one.nation == "United States")
    named = {
        "u_sqd": squad,
        "u_sqd_h": CHARTS.halves[squad.id],
        "u_cmd": next(one for one in CHARTS.legs.values() if one.category == "section" and one.pc_leg == 1),
    }
    riders = [named.get(name) or cards[name] for name in passengers]
    assert has_room(CHARTS.aircraft[glider], riders) is fits  # type: ignore[arg-type]


@rule("7.44.2.1", "7.44.2.3-10")
def test_a_jeep_lands_with_its_section() -> None:
    made = gliding(65, passengers=("tu_jeep", "s_hmg"))
    down(made)
    assert [made.state.units[name].hex for name in ("soviet-3", "soviet-4")] == ["1-" + _short(made)] * 2


@rule("7.44.2")
def test_a_glider_comes_in_by_the_second_air_phase_of_its_turn() -> None:
    made = gliding(65)
    made.play("soviet", EndStep())
    while not isinstance(made.stack[-1], AirPhase):
        made.play(made.asked()[0], EndStep())
    assert refused(made, "soviet", EndStep()) == "7.44.2"
    assert EndStep() not in made.choices("soviet").of("")
    made.play("soviet", Glide(GLIDER, "1-A4"))
    made.play("german", Point(GLIDER, 2))
    made.play("soviet", TouchDown(GLIDER))
    assert made.state.units[SQUAD].hex is not None


@rule("7.44.2.2-3")
def test_a_glider_turns_twice_with_three_hexes_between_and_never_suppressed() -> None:
    made = gliding()
    made.play("soviet", Glide(GLIDER, "1-A4"))
    made.play("german", Point(GLIDER, 2))
    on(made, 1)
    made.play("soviet", Bank(GLIDER, 1))
    on(made, 2)
    assert refused(made, "soviet", Bank(GLIDER, 2)) == "7.44.2.2-3"
    on(made, 1)
    assert refused(made, "soviet", Bank(GLIDER, 2)) is None
    made.state.change(GLIDER, suppression="on")
    assert refused(made, "soviet", Bank(GLIDER, 2)) == "7.44.2.2-3"
    made.state.change(GLIDER, suppression="")
    made.play("soviet", Bank(GLIDER, 2))
    on(made, 3)
    assert refused(made, "soviet", Bank(GLIDER, 3)) == "7.44.2.2-3"


def on(made: Game[Position], hexes: int) -> None:
    """The glider flies straight on."""
    unit = made.state.units[GLIDER]
    flown(made, str(crossing.before(made.state, unit.airborne.hex, unit.facing, hexes)))


@rule("7.44.2", "7.44.2.2-4")
def test_a_damaged_glider_comes_down_ahead() -> None:
    made = gliding(85, 2, 40, german=army(("ostwind", "1-A7")), commands={1: "overwatch"})
    made.play("soviet", Glide(GLIDER, "1-A4"))
    made.play("german", Point(GLIDER, 2))
    assert isinstance(made.stack[-1], AntiAircraft)
    made.play("german", Flak("german-1", GLIDER))
    assert made.state.units[SQUAD].hex == "1-D5"
    assert made.state.wrecks == {"1-D5": "KO"}
    assert made.state.units[GLIDER].airborne.hex == ""


@rule("7.60.1.2-fire")
def test_units_on_random_recon_hear_fire_at_aircraft() -> None:
    options = ("7.44.2", "7.31", "7.60")
    made = gliding(85, 2, 40, german=army(("ostwind", "1-A7")), commands={1: "overwatch"}, options=options)
    made.state.change("soviet-1", searching=True)
    made.play("soviet", Glide(GLIDER, "1-A4"))
    made.play("german", Point(GLIDER, 2))
    made.play("german", Flak("german-1", GLIDER))
    assert made.state.units["soviet-1"].heard == ("1-A7",)


@rule("7.44.2.2-4")
def test_a_damaged_glider_that_falls_beyond_the_map_is_lost() -> None:
    made = gliding(10)
    over(made, "1-C4")
    made.state.change(GLIDER, facing=5)
    assert not gliders.fall_short(made, GLIDER)
    assert [made.state.units[name].status for name in (GLIDER, SQUAD)] == ["eliminated", "eliminated"]


@rule("7.44.2.2-5")
def test_a_glider_that_is_shot_down_crashes_with_factor_ten_and_all_aboard() -> None:
    """A roll of 10 does nothing to a truck with factor 10, and would destroy it with factor 15."""
    made = gliding(2, 10, german=army(("tg_blitz", "1-D4")))
    over(made, "1-C4")
    flak.shoot_down(made, GLIDER)
    assert [made.state.units[name].status for name in (GLIDER, SQUAD)] == ["eliminated", "eliminated"]
    truck = made.state.units["german-1"]
    assert (truck.status, truck.suppression) == ("on the map", "")
    with pytest.raises(BadInput):
        made.roll(1, 100)


def test_greedy_lands_its_gliders_in_the_open() -> None:
    made = gliding(65)
    greedy, rng = players()["greedy"], random.Random(0)
    while isinstance(made.stack[-1], AirPhase | Flying | Pointing):
        seat = made.asked()[0]
        made.play(seat, greedy.choose(made, seat, rng))
    assert made.state.units[SQUAD].status == "on the map"


@rule("7.44.2")
def test_a_side_with_gliders_in_the_air_is_not_beaten() -> None:
    soviet = 'units = []\n[[sides.soviet.gliders]]\nunit = "gl_waco"\nturn = 2\nedge = "west"\npassengers = []\n'
    made = game(text(soviet=soviet, turns=9, options=("AG", "7.44.2")), (10, 90) * 2)
    acts = (EndStep(), HandIn(), RollInitiative())
    while made.stack and not isinstance(made.stack[-1], AirPhase):
        seat = made.asked()[0]
        made.play(seat, next(act for act in acts if made.why_not(seat, act) is None))
    assert made.state.turn == 2


# --- the run [7.44.2.3]


def down(made: Game[Position]) -> None:
    """The glider touches down in C4."""
    over(made, "1-C4")
    gliders.land(made, GLIDER)


@rule("7.44.2.2-6", "7.44.2.3-res", "7.44.2.3-10", "7.44.2.4")
def test_a_glider_touches_down_runs_on_and_leaves_a_wreck_and_its_passengers() -> None:
    made = gliding(65)
    made.play("soviet", Glide(GLIDER, "1-A4"))
    made.play("german", Point(GLIDER, 2))
    flown(made, "1-C5")
    made.state.change("german-1", hex="1-D8", command="overwatch", revealed=True, facing=0)
    made.state.musters.clear()
    made.play("soviet", TouchDown(GLIDER))
    unit = made.state.units[SQUAD]
    assert (unit.hex, unit.suppression, unit.status) == ("1-D5", "", "on the map")
    assert made.state.wrecks == {"1-D5": "KO"}
    assert isinstance(made.stack[-1], Overwatch)
    assert made.stack[-1].targets == (SQUAD,)
    assert (unit.moving, unit.seen_as) == (True, "move")


@rule("7.44.2.3-4")
@pytest.mark.parametrize(("streams", "left"), [("", True), ("impassable", False)])
def test_a_glider_in_an_impassable_stream_is_in_water(streams: str, left: bool) -> None:
    """A glider adds 20: 60 in a stream suppresses, in water 36 is too much."""
    rows = OPEN.splitlines()
    first = rows.index("hexes = '''") + 1
    rows[first : first + 8] = [". . ~ ~ . . . . . . . ."] * 8
    made = gliding(40, board="\n".join(rows), streams=streams)
    down(made)
    assert (made.state.units[SQUAD].hex is not None) is left


@rule("7.44.2.3-res")
@pytest.mark.parametrize(
    ("roll", "passengers", "left", "suppression"),
    [
        (65, ("s_sqd41",), "squad", ""),
        (77, ("s_sqd41",), "squad", "on"),
        (100, ("s_sqd41",), "half-squad", "on"),
        (100, ("s_hmg",), None, ""),
    ],
)
def test_the_landing_status_of_passengers(
    roll: int, passengers: tuple[str, ...], left: str | None, suppression: str
) -> None:
    """Clear: no effect to 85, suppressed to 97, half eliminated to 120; a glider adds 20."""
    made = gliding(roll, passengers=passengers)
    down(made)
    unit = made.state.units[SQUAD]
    assert (unit.hex is not None) is (left is not None)
    if left:
        assert (unit.kind.category, unit.suppression) == (left, suppression)


@rule("7.44.2.3-res", "7.44.2.3-1", "7.44.2.3-3", "7.44.2.3-5")
def test_the_modifiers_of_the_landing_roll() -> None:
    made = gliding()
    glider = over(made, "1-C4", suppression="on", damaged=True)
    made.state.smoke = (Smoke(("1-C4",)),)
    row = CHARTS.landing_status["clear"]
    assert gliders.status(made.state, glider, row, "1-C4", touches=True).modifier == 20 + 40 + 10
    assert gliders.status(made.state, glider, row, "1-D5", touches=True).modifier == 20 + 40
    wall = CHARTS.landing_status["wall_hexside_gliders"]  # smoke counts only "if checking the hex"
    assert gliders.status(made.state, glider, wall, "1-C4", touches=False).modifier == 20 + 40


@rule("7.44.2.3-8")
@pytest.mark.parametrize(("column", "rolls"), [("D", (1, 1)), ("L", (1,))])
def test_a_hex_is_checked_where_its_terrain_is_another_one(column: str, rolls: tuple[int, ...]) -> None:
    """The run goes from C into D; crops in D are other terrain."""
    row = " ".join("c" if letter == column else "." for letter in "ABCDEFGHIJKL")
    lines = OPEN.split("'''")
    board = "'''".join([lines[0], "\n" + "\n".join([row] * 8) + "\n", lines[2]])
    made = gliding(*rolls, board=board)
    down(made)
    assert made.state.units[SQUAD].hex == made.state.map.name_at(_ahead(made, "1-C4"))
    with pytest.raises(BadInput):
        made.roll(1, 100)


@rule("7.44.2.3-9")
def test_every_hexside_on_the_run_is_checked() -> None:
    made = gliding(1, 100)
    hedge = OPEN + f'[sides]\nhedgerow = ["C4/{_short(made)}"]\n'
    made = gliding(1, 65, board=hedge)
    down(made)
    unit = made.state.units[SQUAD]
    assert (unit.kind.category, unit.suppression) == ("half-squad", "on")


@rule("7.44.2.3-7")
@pytest.mark.parametrize(("levels", "steps"), [("1", 0), ("-", 1), ("3", None)])
def test_slopes_shorten_and_lengthen_the_run(levels: str, steps: int | None) -> None:
    made = gliding()
    to = _short(made)
    board = _levelled(to, levels)
    made = gliding(*(1, 1, 1) if steps is not None else (1,), board=board)
    down(made)
    unit = made.state.units[SQUAD]
    if steps is None:
        assert unit.status == "eliminated"
        assert made.state.wrecks == {"1-C4": "KO"}
    else:
        assert unit.hex == ("1-C4" if steps == 0 else made.state.map.name_at(_ahead(made, "1-C4")))


def _levelled(to: str, levels: str) -> str:
    """A board with a slope between C4 and the hex ahead, which is higher, or the same with `-`."""
    rows = [["."] * 12 for _ in range(8)]
    if levels != "-":
        rows[int(to[1:]) - 1]["ABCDEFGHIJKL".index(to[0])] = levels
    lines = OPEN.split("'''")
    grid = "\n" + "\n".join(" ".join(row) for row in rows) + "\n"
    sides = f'[sides]\nslope = ["C4/{to}"]\n' if levels == "1" else ""
    return "'''".join([lines[0], grid, lines[2]]) + sides


@rule("7.44.2.3-7")
def test_downhill_a_slope_adds_a_hex() -> None:
    made = gliding()
    assert gliders.longer(made.state, "1-C4", "1-D4") == 0
    board = _levelled("C4", "2") + '[sides]\nslope = ["C4/D4"]\n'
    made = gliding(board=board)
    below = "1-" + _short(made)
    assert gliders.longer(made.state, "1-C4", below) == 1
    assert gliders.longer(made.state, below, "1-C4") == -1


@rule("7.44.2.3-11")
def test_passengers_among_enemies_move_on_by_a_die() -> None:
    made = gliding()
    last = "1-" + _short(made)
    made = gliding(65, 1, german=army(("g_sqd44", last)))
    down(made)
    assert made.state.units[SQUAD].hex == crossing.before(made.state, last, 0)


@rule("7.44.2.3-11", "7.2.2.1-spot")
def test_passengers_among_hidden_enemies_reveal_them_and_move_on() -> None:
    last = "1-" + _short(gliding())
    made = gliding(65, 1, german=army(("g_sqd44", last), ("pz3j", "1-L1")), options=("7.44.2", "7.31", "7.2"))
    hiding.lurk(made.state, "german-1", last, laid=True)
    down(made)
    assert made.state.units["german-1"].hex == last
    assert made.state.units[SQUAD].hex == crossing.before(made.state, last, 0)


@rule("7.44.2.3-12", "7.44.2.3-14")
def test_mines_damage_the_glider_and_then_attack_its_passengers() -> None:
    made = gliding(1, 30)
    over(made, "1-C4")
    made.state.works["1-C4"] = (Work("mines", "german", "hasty av"),)
    gliders.land(made, GLIDER)
    assert made.state.units[GLIDER].damaged
    made = gliding(65, 1)
    last = "1-" + _short(made)
    made.state.works[last] = (Work("mines", "german", "hasty ap"),)
    down(made)
    assert made.state.units[SQUAD].kind.category == "half-squad"


@rule("7.44.2.3-13")
@pytest.mark.parametrize(("roll", "status"), [(1, "aloft"), (99, "exited")])
def test_a_barrage_attacks_the_glider_before_its_landing(
    roll: int, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = gliding(roll)
    over(made, "1-C4")
    mission = Mission(firer="german-battery-1", side="german", fall=Fall("1-C4"))
    line = gliders.Line("attack", "GP Factor", "8", "6.5.1.13", 8)
    monkeypatch.setattr(gliders.barrages, "attack_line", lambda position, mission: line)
    monkeypatch.setattr(gliders.barrages, "of_firer", lambda position, mission: iter(()))
    guns = Source("german-battery-1", "Guns", "german", weapon("g20"))
    monkeypatch.setattr(gliders.barrages, "fire_of", lambda position, mission: guns)
    gliders.strike_barrage(made, GLIDER, mission)
    assert [event.calibre for event in made.events if event.kind == "fired"] == [20]
    assert made.state.units[GLIDER].status == status
    if status == "exited":
        assert made.state.units[SQUAD].status == "eliminated"
        assert made.state.wrecks == {"1-C4": "KO"}


def _short(made: Game[Position]) -> str:
    """The printed name of the hex to the south-east of C4."""
    return str(crossing.before(made.state, "1-C4", 2))[2:]


def _ahead(made: Game[Position], hex: str, way: int = 2, steps: int = 1) -> tuple[int, int]:
    name = crossing.before(made.state, hex, way, steps)
    assert name is not None
    return made.state.map.coords[name]
