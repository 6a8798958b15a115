"""Works on the map [6.1.4.3, 6.6.3, 6.6.8], mines [7.31] and voluntary bail out [7.53]."""

from __future__ import annotations

from random import Random

import pytest

from opfire.core.actions import Refusal
from opfire.core.errors import BadInput
from opfire.core.game import SPECTATOR, Game
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.adjusting import Abandon, AdjustStep
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire.sheltering import hull_down
from opfire.rulesets.panzer.moving.going import Move, Stay, blocked_route
from opfire.rulesets.panzer.moving.hull_down import Search
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.moving.quickmarch import Quickmarch
from opfire.rulesets.panzer.moving.transport import Dismount
from opfire.rulesets.panzer.options import OPTIONS
from opfire.rulesets.panzer.pieces import Position, Work, WorkKind, cover, level
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.sighting.spots import sight_line
from opfire.rulesets.panzer.works import buildings, entrenching, minefields, obstacles
from opfire.rulesets.panzer.works.buildings import ComeOut, GoInside
from opfire.rulesets.panzer.works.entrenching import DigIn
from rules.panzer.battle import OPEN, game, refused, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army, marching, tried


def marked(kind: str, *hexes: str, side: str = "", value: str = "") -> str:
    """A marker of a scenario."""
    more = (f'side = "{side}"\n' if side else "") + (f'value = "{value}"\n' if value else "")
    return f'[[markers]]\nkind = "{kind}"\nat = {list(hexes)}\n{more}'


def battle(
    markers: str, german: str = "", soviet: str = FAR, board: str = OPEN, options: tuple[str, ...] = ()
) -> Position:
    """A battle with works on the map."""
    german = german or army(("pz4h", "1-A4"))
    return game(text(board=board, german=german, soviet=soviet, options=("AG", *options)) + markers).state


def refused_by(refusal: Refusal | None) -> str | None:
    """The rule of a refusal, or None."""
    return refusal.rule if refusal else None


# --- obstacles [6.1.4.3]


@rule("6.1.4.3", "6.1.4.3.5", "6.1.4.3.9", "6.1.4.3.3", "6.1.4.3.4", "6.1.4.3.11")
@pytest.mark.parametrize(
    ("kind", "open_to"),
    [
        ("block", {"g_sqd44"}),
        ("ditch", {"g_sqd44"}),
        ("wire", {"pz4h"}),
        ("rubble", {"pz4h", "g_sqd44"}),
        ("on fire", set[str]()),
    ],
)
def test_obstacles_bar_their_hex(kind: str, open_to: set[str]) -> None:
    units = ("pz4h", "h251_1", "tg_blitz", "t_50", "g_sqd44")
    state = battle(marked(kind, "1-A3"), army(*((unit, "1-A4") for unit in units)))
    found = {unit.kind.id for unit in state.of("german") if obstacles.bars(state, unit, "1-A3") is None}
    assert found == open_to
    assert all(obstacles.bars(state, unit, "1-A2") is None for unit in state.of("german"))


@rule("6.1.4.3.11")
def test_a_tank_that_enters_wire_destroys_it_and_men_follow() -> None:
    made = marching(army(("pz4h", "1-A4"), ("g_sqd44", "1-B4")), {1: "move", 2: "move"}, facing=0)
    made.state.works["1-A3"] = (Work("wire"), Work("mines", value="hasty ap", known=True))
    squad = made.state.units["german-2"]
    assert obstacles.bars(made.state, squad, "1-A3") is not None
    assert tried(made, Move("german-1", "1-A3")) is None
    frame = made.stack[-1]
    assert isinstance(frame, Moving)
    assert frame.going.spent == 2
    assert made.state.works["1-A3"] == (Work("mines", value="hasty ap", known=True),)
    assert obstacles.bars(made.state, squad, "1-A3") is None


@rule("6.1.4.3")
def test_wire_costs_a_tank_two_and_blocks_the_road_rate() -> None:
    state = battle(marked("wire", "1-A3"))
    tank = state.units["german-1"]
    assert obstacles.burden(state, tank, "1-A3", 1) == 1
    assert obstacles.burden(state, tank, "1-A2", 1) == 0
    assert blocked_route(state, tank, "1-A3") is not None


@rule("6.1.4.3.3", "6.1.4.3.4", "6.1.4.3.5", "6.1.4.3.9", "6.1.4.3.11")
@pytest.mark.parametrize(
    ("kind", "tank", "car", "men"),
    [
        ("block", "6.1.4.3.3", "6.1.4.3.3", None),
        ("ditch", "6.1.4.3.4", "6.1.4.3.4", None),
        ("on fire", "6.1.4.3.5", "6.1.4.3.5", "6.1.4.3.5"),
        ("rubble", None, "6.1.4.3.9", None),
        ("wire", None, "6.1.4.3.11", "6.1.4.3.11"),
    ],
)
def test_each_obstacle_closes_its_hex_by_its_own_paragraph(
    kind: WorkKind, tank: str | None, car: str | None, men: str | None
) -> None:
    made = marching(
        army(("pz4h", "1-A4"), ("k222", "1-A4"), ("g_sqd41", "1-A4")), dict.fromkeys((1, 2, 3), "move"), facing=0
    )
    made.state.works["1-A3"] = (Work(kind),)
    found = [refused(made, "german", Move(f"german-{number}", "1-A3")) for number in (1, 2, 3)]
    assert found == [tank, car, men]


@rule("6.1.4.3.3", "6.1.4.3.4")
def test_blocks_give_light_cover_to_leg_units() -> None:
    state = battle(marked("block", "1-A4"), army(("g_sqd44", "1-A4")))
    assert cover(state, state.units["german-1"], "combat") == "light"


@rule("6.1.4.3.9")
@pytest.mark.parametrize(("letter", "kind"), [("T", "light"), ("B", "medium")])
def test_rubble_covers_as_its_building_did_and_for_spotting_no_better(letter: str, kind: str) -> None:
    town = OPEN.replace("\n. . .", f"\n{letter} . .")
    both = army(("pz4h", "1-A4"), ("g_sqd44", "1-A4"))
    state = battle(marked("rubble", "1-A4"), both, board=town)
    for unit in state.of("german"):
        assert [cover(state, unit, "spotting"), cover(state, unit, "combat")] == [kind, kind]


@rule("6.1.4.3")
def test_there_are_no_blocks_in_buildings_and_no_unknown_markers() -> None:
    town = OPEN.replace("\n. . .", "\nB . .")
    with pytest.raises(BadInput, match="no place for block"):
        battle(marked("block", "1-A3"), army(("g_sqd44", "1-B4")), board=town)
    with pytest.raises(BadInput, match="marker 'castle'"):
        battle(marked("castle", "1-A3"))


# --- positions [6.1.4.3.6, 6.1.4.3.7]


@rule("6.1.4.3.7")
@pytest.mark.parametrize(("facing", "start", "north", "south"), [(0, "1-F5", "full", ""), (0, "1-F3", "", "full")])
def test_a_position_is_open_where_its_vehicle_came_in(facing: int, start: str, north: str, south: str) -> None:
    """Forward from the south it is open to the south; backed into from the north, to the front, the north."""
    foes = 'units = [{ unit = "t34_43", at = ["1-F1"] }, { unit = "t34_43", at = ["1-F8"] }]'
    made = marching(army(("pz4h", start)), {1: "move"}, soviet=foes, facing=facing)
    made.state.works["1-F4"] = (Work("improved position"),)
    assert tried(made, Move("german-1", "1-F4")) is None
    assert tried(made, Stay("german-1")) is None
    tank = made.state.units["german-1"]
    assert [hull_down(made.state, made.state.units[f"soviet-{foe}"], tank) for foe in (1, 2)] == [north, south]


@rule("6.1.4.3.7")
def test_an_improved_position_shelters_its_holder_but_from_the_rear() -> None:
    front, rear = 'units = [{ unit = "t34_43", at = ["1-F1"] }]', 'units = [{ unit = "t34_43", at = ["1-F8"] }]'
    for soviet, kind in ((front, "full"), (rear, "")):
        state = battle("", army(("pz4h", "1-F4")), soviet)
        state.change("german-1", facing=0)
        state.works["1-F4"] = (Work("improved position"),)
        assert cover(state, state.units["german-1"], "combat") == "none"
        entrenching.occupy(state, state.units["german-1"])
        unit = state.units["german-1"]
        assert cover(state, unit, "combat") == cover(state, unit, "spotting") == "heavy"
        assert hull_down(state, state.units["soviet-1"], unit) == kind


@rule("6.1.4.3.7")
def test_a_position_holds_one_unit_until_it_is_abandoned() -> None:
    state = battle(marked("improved position", "1-A4"), army(("pz4h", "1-A4"), ("g_sqd44", "1-A4")))
    for unit in state.of("german"):
        entrenching.occupy(state, unit)
    assert [bool(entrenching.held_by(state, unit, "improved position")) for unit in state.of("german")] == [True, False]
    state.put("german-1", "1-A5")
    entrenching.occupy(state, state.units["german-2"])
    assert entrenching.held_by(state, state.units["german-2"], "improved position")


def adjusting(german: str, turns: int = 1, **values: object) -> Game[Position]:
    """A battle at the Germans' Adjustment Step."""
    made = game(text(german=german, soviet=FAR, turns=9, options=("AG", "7.53")), (90, 10) * 9)
    made.state.change("german-1", **values)
    return next_step(made)


def next_step(made: Game[Position]) -> Game[Position]:
    while not (isinstance(made.stack[-1], AdjustStep) and made.stack[-1].side == "german"):
        seat = made.asked()[0]
        acts = (EndStep(), HandIn(), RollInitiative())
        made.play(seat, next(act for act in acts if made.why_not(seat, act) is None))
    return made


@rule("6.6.8-who", "6.6.8-turns", "6.1.4.3.6")
@pytest.mark.parametrize(("labels", "turns"), [((), 4), (("Engineer",), 2)])
def test_a_unit_digs_in_within_four_turns_and_engineers_in_two(labels: tuple[str, ...], turns: int) -> None:
    made = adjusting(army(("g_sqd44", "1-A4")), full_cover=True, labels=labels)
    for turn in range(1, turns + 1):
        assert not entrenching.held_by(made.state, made.state.units["german-1"], "hasty entrenchment")
        made.play("german", DigIn("german-1"))
        assert refused(made, "german", DigIn("german-1")) is not None
        if turn < turns:
            made.play("german", EndStep())
            next_step(made)
    assert entrenching.held_by(made.state, made.state.units["german-1"], "hasty entrenchment")


@rule("6.6.8-turns")
def test_engineers_finish_an_abandoned_entrenchment_in_one_turn() -> None:
    made = adjusting(army(("g_sqd44", "1-A4")), full_cover=True, labels=("Engineer",))
    made.state.works["1-A4"] = (Work("hasty entrenchment", stage=1, holder="german-9"),)
    made.play("german", DigIn("german-1"))
    assert made.state.works["1-A4"][0].stage == 4


@rule("6.6.8-who")
@pytest.mark.parametrize("values", [{"full_cover": False}, {"suppression": "on"}, {"command": "overwatch"}])
def test_who_does_not_dig_in(values: dict[str, object]) -> None:
    made = adjusting(army(("g_sqd44", "1-A4")), full_cover=True)
    assert refused(made, "german", DigIn("german-1")) is None
    made.state.change("german-1", **values)
    assert refused(made, "german", DigIn("german-1")) == "6.6.8-who"


# --- buildings [6.6.3]

TOWN = OPEN.replace("\n. . .", "\nB . .")


@rule("6.6.3-who", "6.1.4.3.1")
@pytest.mark.parametrize(("unit", "may"), [("pz4h", True), ("marder3m", False), ("h251_1", False), ("g_sqd44", False)])
def test_tracked_covered_vehicles_drive_into_buildings(unit: str, may: bool) -> None:
    if unit not in CHARTS.cards:
        unit = next(card.id for card in CHARTS.vehicles.values() if card.target == "P" and card.traction == "T")
    made = marching(army((unit, "1-A4")), {1: "move"}, board=TOWN)
    assert (refused(made, "german", GoInside("german-1")) is None) == may


@rule("6.6.3-who")
def test_a_vehicle_with_passengers_stays_outside() -> None:
    made = marching(army(("pz4h", "1-A4"), ("g_sqd44", "1-B4")), {1: "move"}, board=TOWN)
    made.state.change("german-2", hex=None, status="mounted", carrier="german-1")
    assert refused(made, "german", GoInside("german-1")) == "6.6.3-who"


@rule("6.6.3-check", "6.1.4.3.1")
def test_a_heavy_vehicle_gets_through_and_is_hull_down_inside() -> None:
    """Brick has 01-75, and a vehicle adds five times its GP Defense Factor."""
    added = 5 * CHARTS.vehicles["pz4h"].gp_defense
    through = 76 - added
    made = marching(army(("pz4h", "1-A4")), {1: "move"}, board=TOWN, dice=(through,))
    assert buildings.risk(made.state, made.state.units["german-1"]).modifier == added
    assert tried(made, GoInside("german-1")) is None
    unit = made.state.units["german-1"]
    assert unit.inside
    assert (cover(made.state, unit, "spotting"), cover(made.state, unit, "combat")) == ("heavy", "medium")
    assert hull_down(made.state, made.state.units["soviet-1"], unit) == "full"


@rule("6.6.3-stop", "6.6.3-dmg")
@pytest.mark.parametrize(
    ("dice", "inside", "track", "part"),
    [((1, 55), False, True, ""), ((1, 56, 4), True, False, "turret"), ((1, 56, 5), True, False, "hull")],
)
def test_a_track_hit_stops_outside_and_a_damaged_vehicle_goes_in(
    dice: tuple[int, ...], inside: bool, track: bool, part: str
) -> None:
    made = marching(army(("pz4h", "1-A4")), {1: "move"}, board=TOWN, dice=dice)
    assert tried(made, GoInside("german-1")) is None
    unit = made.state.units["german-1"]
    assert (unit.inside, unit.track_hit, unit.damaged_part) == (inside, track, part)


@rule("6.6.3-stop", "6.6.3-check")
def test_a_vehicle_checks_on_its_way_out_too() -> None:
    stuck = marching(army(("pz4h", "1-A4")), {1: "move"}, board=TOWN, dice=(1, 1), inside=True)
    assert tried(stuck, ComeOut("german-1")) is None
    assert (stuck.state.units["german-1"].inside, stuck.state.units["german-1"].track_hit) == (True, True)
    free = marching(army(("pz4h", "1-A4")), {1: "move"}, board=TOWN, dice=(100,), inside=True, facing=0)
    assert tried(free, Move("german-1", "1-A3")) is None
    assert (free.state.units["german-1"].inside, free.state.units["german-1"].hex) == (False, "1-A3")


# --- mines [7.31]


def mined(
    german: str, value: str, dice: tuple[int, ...] = (), hex: str = "1-A3", owner: str = "soviet", **values: object
) -> Game[Position]:
    """Germans at a minefield."""
    made = marching(german, {1: "move"}, options=("7.31",), dice=dice, facing=0, **values)
    made.state.works[hex] = (Work("mines", owner, value),)
    return made


@rule("7.31", "7.31.2", "7.31.2.1")
@pytest.mark.parametrize(
    ("value", "roll", "state"),
    [
        ("hasty", 10, (True, False)),
        ("hasty", 35, (False, True)),
        ("hasty", 36, (False, False)),
        ("deliberate", 20, (True, False)),
        ("deliberate", 60, (False, True)),
        ("hasty ap", 1, (False, False)),
    ],
)
def test_mines_damage_the_hull_or_break_a_track(value: str, roll: int, state: tuple[bool, bool]) -> None:
    """A Pz IV has a GP Defense Factor of 4 to 6; its crew stays on a roll of 100."""
    assert minefields.column(game(text(options=("AG",))).state.units["german-1"]) == "4-6"
    made = mined(army(("pz4h", "1-A4")), value, (roll, 100))
    assert tried(made, Move("german-1", "1-A3")) is None
    unit = made.state.units["german-1"]
    assert (unit.damaged_part == "hull", unit.track_hit) == state


@rule("7.31.2")
def test_own_minefields_and_games_without_the_option_are_harmless() -> None:
    made = mined(army(("pz4h", "1-A4")), "deliberate", owner="german")
    assert tried(made, Move("german-1", "1-A3")) is None
    plain = marching(army(("pz4h", "1-A4")), {1: "move"}, facing=0)
    plain.state.works["1-A3"] = (Work("mines", "soviet", "deliberate"),)
    assert tried(plain, Move("german-1", "1-A3")) is None


@rule("7.31.2.2")
@pytest.mark.parametrize(
    ("unit", "roll", "kind", "suppression"),
    [("g_sqd44", 15, "g_sqd44_h", "on"), ("g_sqd44", 45, "g_sqd44", "on"), ("g_sqd44", 46, "g_sqd44", "")],
)
def test_mines_halve_squads_or_suppress_them(unit: str, roll: int, kind: str, suppression: str) -> None:
    made = mined(army((unit, "1-A4")), "hasty ap", (roll,))
    assert tried(made, Move("german-1", "1-A3")) is None
    found = made.state.units["german-1"]
    assert (found.kind.id, found.suppression) == (kind, suppression)


@rule("7.31.2.2")
def test_mines_destroy_half_squads_and_haste_is_worse() -> None:
    made = mined(army(("g_sqd44_h", "1-A4")), "hasty ap", (35,))
    assert tried(made, Quickmarch("german-1"), Move("german-1", "1-A3")) is None
    assert made.state.units["german-1"].status == "eliminated"
    slow = mined(army(("g_sqd44_h", "1-A4")), "hasty ap", (35,))
    assert tried(slow, Move("german-1", "1-A3")) is None
    assert slow.state.units["german-1"].suppression == "on"


@rule("7.31.2")
def test_units_that_dismount_or_search_in_a_minefield_are_attacked() -> None:
    riding = mined(army(("tg_blitz", "1-A4"), ("g_sqd44", "tg_blitz")), "hasty ap", (45,), hex="1-A4")
    assert tried(riding, Dismount("german-1", "german-2", "1-A4", 0)) is None
    assert riding.state.units["german-2"].suppression == "on"
    rough = OPEN.replace("\n. . .", "\nr . .")
    made = marching(army(("pz4h", "1-A4")), {1: "move"}, options=("7.31",), board=rough, dice=(100, 30, 100))
    made.state.works["1-A4"] = (Work("mines", "soviet", "hasty"),)
    assert tried(made, Search("german-1", 2)) is None
    assert made.state.units["german-1"].track_hit


@rule("7.31.2", "6.1.4.3.8")
def test_a_minefield_is_secret_until_it_is_entered() -> None:
    made = mined(army(("pz4h", "1-A4")), "hasty", (100,))
    assert made.sight("soviet").works
    for seat in ("german", SPECTATOR):
        assert "1-A3" not in made.sight(seat).works
        assert not [marker for marker in made.view(seat)["markers"] if marker["kind"] == "mines"]
    assert tried(made, Move("german-1", "1-A3"), Stay("german-1")) is None
    assert made.sight("german").works["1-A3"][0].known


@rule("6.1.4.3.8", "7.31.1")
def test_no_mines_in_streams() -> None:
    wet = OPEN.replace("\n. . .", "\n~ . .")
    with pytest.raises(BadInput, match="no place for mines"):
        battle(marked("mines", "1-A3", side="soviet", value="hasty"), army(("g_sqd44", "1-B4")), board=wet)
    laid = battle(marked("mines", "1-A3", side="soviet", value="hasty"))
    assert laid.works["1-A3"][0].side == "soviet"


@rule("7.31.1")
@pytest.mark.parametrize(
    ("kind", "may"), [("ditch", False), ("improved position", False), ("rubble", False), ("wire", True)]
)
def test_no_mines_beside_ditches_positions_and_rubble(kind: str, may: bool) -> None:
    both = marked("mines", "1-A3", side="soviet", value="hasty") + marked(kind, "1-A3")
    if may:
        assert len(battle(both).works["1-A3"]) == 2
        return
    with pytest.raises(BadInput, match="mines in 1-A3"):
        battle(both)


# --- voluntary bail out [7.53]


@rule("7.53")
@pytest.mark.parametrize("lame", [{"damaged": True, "damaged_part": "hull"}, {"track_hit": True}])
def test_a_lame_vehicle_may_be_left(lame: dict[str, object]) -> None:
    made = adjusting(army(("pz4h", "1-A4"), ("g_sqd44", "1-B4")))
    for sound in ({}, {"damaged": True, "damaged_part": "turret"}):
        made.state.change("german-1", **sound)
        assert refused(made, "german", Abandon("german-1")) == "7.53"
    made.state.change("german-1", **lame)
    made.play("german", Abandon("german-1"))
    assert made.state.units["german-1"].status == "eliminated"
    assert not made.state.wrecks


# --- options beside each other [7.0]


@rule("7.0")
@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("AG", "7.6"), "'7.6' without '7.1'"),
        (("AG", "7.1.1.1"), "'7.1.1.1' without '7.1'"),
        (("7.29",), "without 'AG'"),
    ],
)
def test_options_stand_beside_those_that_they_need(options: tuple[str, ...], fault: str) -> None:
    with pytest.raises(BadInput, match=fault):
        game(text(options=options))


@rule("7.0")
def test_random_games_with_all_options_come_to_an_end() -> None:
    german = army(
        *(("pz4h", "1-A4"), ("g_sqd44", "1-B4"), ("tg_blitz", "1-A5"), ("t_50", "tg_blitz"), ("pz3m", "1-B5"))
    )
    soviet = army(("t34_43", "1-G4"), ("t26_33", "1-G5"), ("s_sqd41", "1-H4"), ("s_45", "1-H5"))
    every = tuple(option.rule for option in OPTIONS)
    board = OPEN.replace("\n. . . .", "\n. r w A")
    for seed in range(6):
        scenario = text(board=board, german=german, soviet=soviet, options=every)
        made, rng = (
            game(scenario + marked("mines", "1-D4", "1-E4", side="soviet", value="hasty"), None, seed),
            Random(seed),
        )
        for _ in range(4000):
            if made.outcome is not None:
                break
            seat = made.deciders()[0]
            made.play(seat, made.choices(seat).sample(rng))
        assert made.outcome is not None


@rule("6.1.4.3.4")
def test_men_in_a_ditch_are_seen_as_in_a_gully() -> None:
    """From the same ground only next to it, and along a straight line of ditches; from two Heights above everywhere."""
    ditch = marked("ditch", "1-C4", "1-C5", "1-C6")
    german = army(("pz4h", "1-F4"), ("pz4h", "1-B4"), ("g_sqd44", "1-C6"))
    soviet = army(("s_sqd41", "1-C4"))
    for more, unseen in (("", None), (ditch, "4.1.4.1.6")):
        state = battle(more, german, soviet)
        far, near, inside = (state.units[f"german-{number}"] for number in (1, 2, 3))
        squad = state.units["soviet-1"]
        assert refused_by(sight_line(state, far, squad)) == unseen
        assert refused_by(sight_line(state, squad, far)) == unseen
        assert sight_line(state, near, squad) is None
        assert sight_line(state, inside, squad) is None
        assert level(state, squad) == (-1 if more else 0)
    hill = OPEN.replace(". . . . . . . . . . . .\n'", ". . . . . . . . . . . .\n. . . . . 1 . . . . . .\n'").replace(
        "rows = 8", "rows = 9"
    )
    state = battle(ditch, army(("pz4h", "1-F9")), soviet, hill)
    assert sight_line(state, state.units["german-1"], state.units["soviet-1"]) is None
