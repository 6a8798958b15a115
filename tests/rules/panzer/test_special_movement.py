"""Quickmarch, riders, columns, Hull Down positions [6.6.4, 6.6.9], and movement by the optional rules of chapter 7."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.rulesets.panzer import conditions, control
from opfire.rulesets.panzer.commands import Command, HandIn, known_to_move
from opfire.rulesets.panzer.fire.ap_fire import behind_cover
from opfire.rulesets.panzer.fire.hits import Round, one_hit
from opfire.rulesets.panzer.fire.resolving import apply
from opfire.rulesets.panzer.fire.sheltering import hull_down as sheltered
from opfire.rulesets.panzer.moving import bogging, hull_down, quickmarch, swimming
from opfire.rulesets.panzer.moving.going import Going, Move, Stay, Turn, allowed_to, blocked_route, halvings
from opfire.rulesets.panzer.moving.hull_down import Search
from opfire.rulesets.panzer.moving.quickmarch import Quickmarch
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.sighting.spots import conditions as spotting
from rules.panzer.battle import OPEN, game, refused, text
from rules.panzer.kit import CHARTS, GUN, rule
from rules.panzer.moves import FAR, army, marching, tried


def ground(letter: str, row: int = 3) -> str:
    """A plain with a row of other ground; rows count from 0, and row 3 is that of the hexes ending in 4."""
    lines = OPEN.splitlines()
    at = lines.index("hexes = '''") + 1 + row
    lines[at] = " ".join(letter * 12)
    return "\n".join(lines) + "\n"


def sided(kind: str, *sides: str) -> str:
    """A plain with a feature on some hexsides."""
    return OPEN + f"[sides]\n{kind} = {list(sides)}\n"


# --- Quickmarch [6.6.4.2]

SQUAD = army(("g_sqd44", "1-A8"))


@rule("6.6.4.2-who", "6.6.4.2-terr")
def test_a_squad_quickmarches_three_hexes_and_rolls_at_the_end() -> None:
    made = marching(SQUAD, {1: "move"}, dice=(31,))
    way = [Quickmarch("german-1"), *(Move("german-1", f"1-A{row}") for row in (7, 6, 5))]
    assert tried(made, *way) is None
    assert refused(made, "german", Move("german-1", "1-A4")) == "6.6.4.1-mf"
    assert tried(made, Stay("german-1")) is None
    assert made.state.units["german-1"].suppression == ""  # Seasoned: 01-30


@rule("6.6.4.2-roll")
def test_a_quickmarch_may_suppress() -> None:
    made = marching(SQUAD, {1: "move"}, dice=(30,))
    assert tried(made, Quickmarch("german-1"), Move("german-1", "1-A7"), Stay("german-1")) is None
    assert made.state.units["german-1"].suppression == "on"


@rule("6.6.4.2-roll", "6.6.4.5-qm")
@pytest.mark.parametrize(("unit", "added"), [("g_sqd44", 0), ("g_cav", 20)])
def test_cavalry_adds_20_to_the_roll(unit: str, added: int) -> None:
    state = game(text(german=army((unit, "1-A4")), soviet=FAR, options=("AG",))).state
    calculation = quickmarch.exhaustion(state, state.units["german-1"])
    most = CHARTS.unit_grades["seasoned"].quickmarch
    assert calculation.modifier == added
    assert calculation.chances()["is suppressed"] == Fraction(most - added, 100)


@rule("6.6.4.2-who")
@pytest.mark.parametrize(
    ("unit", "values", "may"),
    [
        ("g_sqd44", {}, True),
        ("g_sqd44", {"suppression": "off"}, False),
        ("g_sqd44", {"command": "short halt"}, False),
        ("g_sqd44", {"morale": "hesitating"}, False),
        ("g_hmg", {}, False),
        ("g_cav", {}, True),
        ("t_75", {}, False),
        ("pz4h", {}, False),
    ],
)
def test_who_may_quickmarch(unit: str, values: dict[str, object], may: bool) -> None:
    made = marching(army((unit, "1-A4")), {1: "move"}, **values)
    assert (refused(made, "german", Quickmarch("german-1")) is None) == may


@rule("6.6.4.2-terr")
def test_a_quickmarch_keeps_to_easy_ground_and_one_change_of_height() -> None:
    wooded = marching(SQUAD, {1: "move"}, board=ground("w", 6))
    assert tried(wooded, Quickmarch("german-1"), Move("german-1", "1-A7")) == "6.6.4.2-terr"
    made = marching(SQUAD, {1: "move"}, dice=(99,))
    assert tried(made, Quickmarch("german-1"), Quickmarch("german-1")) == "6.6.4.2-terr"
    state = made.state
    assert quickmarch.off_limits(state, state.units["german-1"], "1-A7", 1) is None
    assert quickmarch.off_limits(state, state.units["german-1"], "1-A7", 2) is not None


# --- riders, halts


@rule("6.6.4.5-move")
@pytest.mark.parametrize(("unit", "refusal"), [("g_cav", "6.6.4.5-move"), ("g_sqd44", None)])
def test_cavalry_does_not_cross_hedgerows(unit: str, refusal: str | None) -> None:
    made = marching(army((unit, "1-A4")), {1: "move"}, board=sided("hedgerow", "A3/A4"))
    assert refused(made, "german", Move("german-1", "1-A3")) == refusal


@rule("4.5.1.1.2-wall")
def test_a_hedgerow_takes_the_whole_allowance_of_a_tank() -> None:
    made = marching(TANK, {1: "move"}, board=sided("hedgerow", "A3/A4"), facing=0)
    assert tried(made, Move("german-1", "1-A3")) is None
    assert refused(made, "german", Move("german-1", "1-A2")) == "4.5.1.1.3"
    assert refused(made, "german", Turn("german-1", 1)) is None
    assert refused(made, "german", Turn("german-1", 2)) == "4.5.1.1.4"


@rule("6.6.4.4-move")
@pytest.mark.parametrize("kind", ["wall", "hedgerow", "defilade"])
def test_bicycles_move_as_wheeled_vehicles_and_cross_no_wall(kind: str) -> None:
    made = marching(army(("g_bike", "1-A4")), {1: "move"}, board=sided(kind, "A3/A4"), facing=0)
    assert refused(made, "german", Move("german-1", "1-A3")) == "4.5.1.1.2-wall"
    plain = marching(army(("g_bike", "1-A4")), {1: "move"}, facing=3)
    assert refused(plain, "german", Move("german-1", "1-B4")) == "4.5.1.1"
    assert refused(plain, "german", Turn("german-1", 2)) is None


@rule("6.6.4.1-sh", "6.6.2")
def test_leg_units_halt_at_half_and_suppressed_at_a_quarter() -> None:
    state = game(text(german=army(("g_cav", "1-A4")), soviet=FAR, options=("AG",))).state
    assert CHARTS.legs["g_cav"].m_cc == 4
    unit = state.change("german-1", command="short halt")
    assert allowed_to(state, unit, Going()) == 2
    assert allowed_to(state, state.change("german-1", suppression="on"), Going()) == 1
    assert halvings(state.change("german-1", morale="broken")) == 3


# --- columns [6.2.1.1.3-road]

ROAD = OPEN + 'roads = ["A1 A2 A3 A4 A5 A6 A7 A8"]\n'


def column() -> Game[Position]:
    """Two tanks of a column on a road to the north, the second ahead."""
    tanks = army(("pz4h", "1-A6"), ("pz4h", "1-A5"))
    made = marching(tanks, {1: "move", 2: "move"}, board=ROAD, facing=0, shares="german-2", column=True)
    made.state.change("german-2", facing=0, shares="german-2", column=True)
    return made


@rule("6.2.1.1.3-road")
def test_the_vehicles_of_a_column_keep_their_order() -> None:
    made = column()
    step = [Move("german-1", f"1-A{row}", along_road=True) for row in (5, 4)]
    assert tried(made, *step) == "6.2.1.1.3-road"
    ordered = column()
    leader = [Move("german-2", f"1-A{row}", along_road=True) for row in (4, 3, 2)]
    assert tried(ordered, *leader, Stay("german-2"), *step) is None


@rule("6.2.1.1.3-road")
def test_a_column_does_not_overstack_a_hex() -> None:
    tanks = army(("pz4h", "1-A6"), *((("pz4h", "1-A5"),) * 5))
    made = marching(tanks, {1: "move"}, board=ROAD, facing=0, shares="german-2", column=True)
    state = made.state
    refusal = control.breaks_order(state, state.units["german-1"], "1-A5", 0)
    assert refusal is not None
    assert refusal.rule == "6.2.1.1.3-road"
    state.lift("german-6", "eliminated")
    assert control.breaks_order(state, state.units["german-1"], "1-A5", 0) is None


@rule("6.5.2.2.1-b", "6.5.2.2.4-a", "7.29-share")
@pytest.mark.parametrize("values", [{"track_hit": True}, {"damaged_part": "hull"}, {"bogged": True}, {}])
def test_lame_vehicles_are_left_behind_by_those_that_share_their_command(values: dict[str, object]) -> None:
    tanks = army(("pz4h", "1-A4"), ("pz4h", "1-E4"))
    state = game(text(german=tanks, soviet=FAR, options=("AG",))).state
    state.change("german-1", shares="german-1", moved=True, **values)
    other = state.change("german-2", shares="german-1")
    assert (control.left_behind(state, other) is None) == bool(values)


@rule("6.5.2.2.1-a")
def test_a_vehicle_with_a_track_hit_still_counts_as_moving() -> None:
    state = game(text(options=("AG",))).state
    assert known_to_move(state.change("german-1", command="short halt", revealed=True, track_hit=True))


# --- Hull Down [6.6.9, 6.1.4.1]

TANK = army(("pz4h", "1-A4"))


@rule("6.6.9-who")
@pytest.mark.parametrize(("roll", "found"), [(40, "full"), (41, "")])
def test_a_vehicle_finds_a_position_within_the_range_of_the_ground(roll: int, found: str) -> None:
    """Rough ground has 01-40; a Pz IV is of size 0 and Seasoned."""
    assert (CHARTS.terrain["rough"].hull_down, CHARTS.vehicles["pz4h"].size) == ("01-40", 0)
    made = marching(TANK, {1: "move"}, board=ground("r"), dice=(roll,))
    assert tried(made, Search("german-1", 2)) is None
    unit = made.state.units["german-1"]
    assert (unit.hull_down, unit.facing) == (found, 2)
    assert refused(made, "german", Move("german-1", "1-B4")) == "4.5.1.1.3"


@rule("6.6.9-who")
def test_a_search_needs_a_move_command_and_ground_with_positions() -> None:
    assert refused(marching(TANK, {1: "move"}), "german", Search("german-1", 2)) == "6.6.9-who"
    halted = marching(TANK, {1: "short halt"}, board=ground("r"), fired=True)
    assert refused(halted, "german", Search("german-1", 2)) == "6.6.9-who"


@rule("6.6.9-mod")
@pytest.mark.parametrize(
    ("kind", "size", "grade", "net"),
    [
        ("full", 0, "seasoned", 0),
        ("partial", 0, "seasoned", -20),
        ("full", 2, "seasoned", 10),
        ("full", 1, "veteran", 0),
        ("full", -1, "regulars", 0),
        ("full", -2, "green", 0),
        ("partial", -2, "elite", -40),
    ],
)
def test_kind_size_and_grade_modify_the_search(kind: str, size: int, grade: str, net: int) -> None:
    made = marching(TANK, {1: "move"}, board=ground("r"), grade=grade)
    unit = made.state.units["german-1"]
    other = replace(unit, kind=replace(unit.vehicle, size=size))
    assert hull_down.chance(made.state, other, kind).modifier == net  # type: ignore[arg-type]


@rule("6.6.9-misc")
def test_a_search_is_a_whole_move() -> None:
    made = marching(TANK, {1: "move"}, board=ground("r"), facing=0)
    assert tried(made, Turn("german-1", 1), Search("german-1", 2)) == "6.6.9-misc"


@rule("6.6.9-misc", "7.29-when")
def test_a_vehicle_that_bogs_down_does_not_search() -> None:
    low = 5 - CHARTS.vehicles["pz4h"].bog
    made = marching(TANK, {1: "move"}, board=ground("r"), dice=(low,), options=("7.29",))
    assert tried(made, Search("german-1", 2)) is None
    unit = made.state.units["german-1"]
    assert (unit.bogged, unit.moved, unit.hull_down) == (True, True, "")


@rule("6.6.9-arc", "6.1.4.1", "6.1.4.1.2")
@pytest.mark.parametrize(
    ("at", "backed_in", "kind"),
    [("1-F1", False, "full"), ("1-F8", False, ""), ("1-F1", True, ""), ("1-F8", True, "full")],
)
def test_a_found_position_shelters_from_ahead(at: str, backed_in: bool, kind: str) -> None:
    firer = f'units = [{{ unit = "t34_43", at = ["{at}"] }}]'
    state = game(text(german=army(("pz4h", "1-F4")), soviet=firer, options=("AG",))).state
    target = state.change("german-1", facing=0, hull_down="full", backed_in=backed_in)
    assert sheltered(state, state.units["soviet-1"], target) == kind
    assert behind_cover(CHARTS, "TK", "full")
    assert not behind_cover(CHARTS, "HF", "partial")


@rule("6.1.4.3.14", "6.1.4.1.2")
def test_rails_shelter_from_all_sides_in_part() -> None:
    firer = 'units = [{ unit = "t34_43", at = ["1-F8"] }]'
    state = game(text(board=ground("t"), german=army(("pz4h", "1-F4")), soviet=firer, options=("AG",))).state
    assert sheltered(state, state.units["soviet-1"], state.units["german-1"]) == "partial"


@rule("6.6.9-leave")
@pytest.mark.parametrize("command", ["move", "short halt"])
def test_a_command_to_move_gives_the_position_up(command: str) -> None:
    made = marching(TANK, {1: command}, hull_down="partial", fired=True)  # type: ignore[dict-item]
    assert tried(made, Stay("german-1")) is None
    assert made.state.units["german-1"].hull_down == ""


# --- bogging [7.29]


@rule("7.29-when", "7.29-roll")
def test_a_vehicle_checks_when_it_leaves_bad_ground_and_stops_if_it_bogs() -> None:
    worst = 10 - CHARTS.vehicles["pz4h"].bog
    assert CHARTS.terrain["soft sand"].bog == "01-10"
    for roll, hex in ((worst, "1-A4"), (worst + 1, "1-A3")):
        made = marching(TANK, {1: "move"}, board=ground("A"), options=("7.29",), dice=(roll,), facing=0)
        assert bogging.greatest(made.state, made.state.units["german-1"]) == 10
        assert tried(made, Move("german-1", "1-A3")) is None
        assert made.state.units["german-1"].hex == hex
        assert made.state.units["german-1"].fresh == "move"
    without = marching(TANK, {1: "move"}, board=ground("A"), facing=0)
    assert tried(without, Move("german-1", "1-A3")) is None


@rule("7.29-roll", "7.36.3-mud", "7.36.3-tow")
def test_towing_mud_and_the_card_modify_the_check() -> None:
    mud = '[conditions]\nground = "mud"\n'
    towed = army(("tg_blitz", "1-A4"), ("t_75", "tg_blitz"))
    for options, net, most in ((("7.29",), -5, 10), (("7.29", "7.36.3"), -15, 20)):
        scenario = text(board=ground("A"), german=towed, soviet=FAR, options=("AG", *options))
        state = game(scenario + mud).state
        unit = state.units["german-1"]
        assert bogging.chance(state, unit).modifier == CHARTS.vehicles["tg_blitz"].bog + net
        assert bogging.greatest(state, unit) == most


# --- weights [7.32], driving [7.33], swimming [7.34]


def told(state: str, options: tuple[str, ...], german: str = TANK, board: str = OPEN) -> Position:
    """A battle with conditions in its scenario."""
    return game(
        text(board=board, german=german, soviet=FAR, options=("AG", *options)) + f"[conditions]\n{state}\n"
    ).state


@rule("7.32-bridge")
def test_a_bridge_bears_no_more_than_its_limit() -> None:
    tons = CHARTS.vehicles["pz4h"].weight
    for limit, may in ((int(tons) + 1, True), (int(tons) - 1, False)):
        state = told(f'bridges = {{ "1-A3" = {limit} }}', ("7.32",))
        refusal = conditions.too_heavy(state, state.units["german-1"], "1-A3")
        assert (refusal is None) == may
        assert conditions.too_heavy(state, state.units["german-1"], "1-A2") is None
    assert conditions.too_heavy(told('bridges = { "1-A3" = 1 }', ()), state.units["german-1"], "1-A3") is None


@rule("7.32-ice")
@pytest.mark.parametrize(("tons", "refusal", "cost"), [(60, None, "clear"), (10, "7.32-ice", "stream")])
def test_ice_makes_a_stream_clear_for_those_it_bears(tons: int, refusal: str | None, cost: str) -> None:
    state = told(f"ice = {tons}", ("7.32",), board=ground("~", 2))
    unit = state.units["german-1"]
    assert state.map.cells["1-A3"].terrain == ("stream",)
    found = conditions.breaks_the_ice(state, unit, "1-A3")
    assert (found.rule if found else None) == refusal
    assert conditions.surface(state, unit).entry("1-A3", "T") == int(CHARTS.terrain[cost].tracked)


@rule("7.33")
@pytest.mark.parametrize(("options", "hexes"), [((), 2), (("7.33",), 5)])
def test_dual_controls_reverse_at_the_cost_of_forward_moves(options: tuple[str, ...], hexes: int) -> None:
    card = CHARTS.vehicles["k231"]
    made = marching(army(("k231", "1-A1")), {1: "move"}, options=options, facing=0)
    steps = [Move("german-1", f"1-A{row}") for row in range(2, 9)]
    gone = 0
    while gone < len(steps) and tried(made, steps[gone]) is None:
        gone += 1
    assert gone == (card.m_cc if options else card.m_cc // 2)


@rule("7.34")
def test_an_amphibious_vehicle_swims_one_hex_a_turn() -> None:
    wet = ground("=", 2)
    swimmer = army(("tg_schwimm", "1-A4"))
    dry = marching(swimmer, {1: "move"}, board=wet, facing=0)
    assert refused(dry, "german", Move("german-1", "1-A3")) == "4.5.1.1.2"
    made = marching(swimmer, {1: "move"}, board=wet, options=("7.34",), facing=0)
    assert tried(made, Move("german-1", "1-A3")) is None
    assert refused(made, "german", Move("german-1", "1-A2")) == "4.5.1.1.3"
    later = marching(army(("tg_schwimm", "1-A5")), {1: "move"}, board=wet, options=("7.34",), facing=0)
    assert tried(later, Move("german-1", "1-A4"), Move("german-1", "1-A3")) == "4.5.1.1.2-wall"
    tank = marching(TANK, {1: "move"}, board=wet, options=("7.34",), facing=0)
    assert refused(tank, "german", Move("german-1", "1-A3")) == "4.5.1.1.2"


@rule("7.34")
def test_a_swimming_vehicle_that_is_hit_sinks_with_its_passengers() -> None:
    wet, gun = ground("=", 3), 'units = [{ unit = "t34_43", at = ["1-G6"] }]'
    german = army(("tg_schwimm", "1-A5"), ("g_hmg", "tg_schwimm"))
    made = game(text(german=german, soviet=gun, board=wet, options=("AG", "7.34")), (5,))
    made.state.put("german-1", "1-A4")
    assert swimming.must_swim(made.state, made.state.units["german-1"], "1-A4")
    one_hit(made, Round(made.state.units["soviet-1"], "german-1", GUN, "S"))
    assert [made.state.units[name].status for name in ("german-1", "german-2")] == ["eliminated", "eliminated"]
    assert not made.state.wrecks


@rule("7.34")
@pytest.mark.parametrize(("outcome", "dice"), [("damaged", (9,)), ("track hit", ()), ("destroyed", (9,))])
def test_gp_fire_sinks_a_swimming_vehicle_too(outcome: str, dice: tuple[int, ...]) -> None:
    german = army(("tg_schwimm", "1-A5"), ("g_hmg", "tg_schwimm"))
    made = game(text(german=german, soviet=FAR, board=ground("=", 3), options=("AG", "7.34")), dice)
    made.state.put("german-1", "1-A4")
    apply(made, "german-1", outcome, 4)
    assert [made.state.units[name].status for name in ("german-1", "german-2")] == ["eliminated", "eliminated"]
    assert not made.state.wrecks
    assert not made.state.bailed


# --- weather [7.36], recon [7.43]


@rule("7.36.1", "7.36.4", "7.43")
def test_limited_visibility_and_recon_move_the_rows_of_spotting() -> None:
    for options, rows in (((), 1), (("7.36.1",), -1), (("7.36.1", "7.43"), 0)):
        state = told("visibility = -2", options)
        spotter = state.change("german-1", labels=("Recon",))
        assert sum(line.amount for line in spotting(state, spotter, state.units["soviet-1"])) == rows


@rule("7.36.2")
def test_cautious_vehicles_move_at_half_speed_and_squads_do_not_quickmarch() -> None:
    both = army(("pz4h", "1-A4"), ("g_sqd44", "1-A5"))
    card = CHARTS.vehicles["pz4h"]
    state = told('cautious = "limited"', ("7.36.2",), both)
    tank, squad = state.units["german-1"], state.change("german-2", command="move")
    assert allowed_to(state, tank, Going()) == card.m_cc // 2
    assert allowed_to(state, tank, Going(roads=1)) == card.road // 2
    assert allowed_to(state, squad, Going()) == CHARTS.legs["g_sqd44"].m_cc
    assert quickmarch.cannot_quickmarch(state, squad) is not None
    assert conditions.too_dark_for_roads(state, tank) is None
    assert conditions.too_dark_for_roads(told('cautious = "very limited"', ("7.36.2",)), tank) is not None


@rule("7.36.3-snow", "7.36.3-area")
def test_snow_costs_one_more_where_it_lies() -> None:
    state = told('ground = "snow"\nhexes = ["1-A3"]', ("7.36.3",))
    assert [conditions.surcharge(state, hex) for hex in ("1-A3", "1-A2")] == [1, 0]
    assert conditions.surcharge(told('ground = "snow"', ("7.36.3",)), "1-A2") == 1
    assert conditions.surcharge(told('ground = "snow"', ()), "1-A2") == 0


# --- roads [7.40, 7.59.3], the Archer [7.38.5]


@rule("7.40", "7.59.3")
@pytest.mark.parametrize(
    ("link", "options", "spent"),
    [("roads", (), 4), ("roads", ("7.40",), 3), ("tracks", ("7.40",), 4), ("tracks", ("7.59.3",), 3)],
)
def test_a_vehicle_that_joins_a_road_pays_one_a_hex_along_it(link: str, options: tuple[str, ...], spent: int) -> None:
    """Woods of light trees cost 2; a Pz IV enters them, and then follows the road or track."""
    wooded = ground("w").replace("\n" + " ".join("." * 12), "\n" + " ".join("w" * 12))
    made = marching(
        army(("pz4h", "1-A3")), {1: "move"}, board=f'{wooded}{link} = ["A4 A5"]\n', options=options, facing=3
    )
    assert tried(made, Move("german-1", "1-A4"), Move("german-1", "1-A5")) is None
    assert made.stack[-1].going.spent == spent


@rule("7.59.3")
@pytest.mark.parametrize(("options", "rate"), [((), "path"), (("7.59.3",), "cross-country")])
def test_a_track_gives_no_rate_of_its_own(options: tuple[str, ...], rate: str) -> None:
    board = OPEN + 'tracks = ["A4 A5"]\n'
    made = marching(army(("pz4h", "1-A4")), {1: "move"}, board=board, options=options, facing=3)
    assert tried(made, Move("german-1", "1-A5", along_road=True)) is None
    assert made.stack[-1].going.rate == rate


@rule("7.59.3")
def test_a_sharp_bend_of_a_track_costs_nothing() -> None:
    """The track alone is paid for, 1 a hex: it turns by two hexsides in A5."""
    board = OPEN + 'tracks = ["A4 A5 B4"]\n'
    made = marching(army(("pz4h", "1-A4")), {1: "move"}, board=board, options=("7.59.3",), facing=3)
    on, back = Move("german-1", "1-A5", along_road=True), Move("german-1", "1-B4", along_road=True)
    assert tried(made, on, Turn("german-1", 1), back) is None
    assert made.stack[-1].going.spent == 2


@rule("7.38.5")
@pytest.mark.parametrize(("options", "refusal"), [((), None), (("7.38",), "7.38.5")])
def test_the_archer_has_no_short_halt(options: tuple[str, ...], refusal: str | None) -> None:
    made = game(text(german=army(("archer", "1-A4")), soviet=FAR, options=("AG", *options)))
    assert refused(made, "german", HandIn((Command("german-1", "short halt"),))) == refusal
    assert refused(made, "german", HandIn((Command("german-1", "move"),))) is None


# --- airfields [7.59.4]


@rule("7.59.4-move")
@pytest.mark.parametrize(
    ("options", "runways", "stops"), [((), "1-A3", True), (("7.59.4",), "1-A3", False), (("7.59.4",), "1-A4", True)]
)
def test_wrecks_and_enemy_vehicles_do_not_bar_a_runway(options: tuple[str, ...], runways: str, stops: bool) -> None:
    field = ROAD.replace("roads", "paths")
    scenario = text(
        board=field, german=army(("pz4h", "1-A2")), soviet=army(("t34_43", "1-A3")), options=("AG", *options)
    )
    state = game(f'{scenario}\n[conditions]\nrunways = ["{runways}"]\n').state
    tank = state.units["german-1"]
    assert (blocked_route(state, tank, "1-A3") is not None) is stops
    state.put("soviet-1", "1-L8")
    state.wrecks["1-A3"] = "BU"
    assert (blocked_route(state, tank, "1-A3") is not None) is stops


@rule("7.59.4-move", "4.5.1.1.5-b")
def test_guns_and_crowds_bar_a_runway_like_any_path() -> None:
    field = ROAD.replace("roads", "paths")
    scenario = text(board=field, german=army(("pz4h", "1-A2")), soviet=army(("s_76", "1-A3")), options=("AG", "7.59.4"))
    state = game(f'{scenario}\n[conditions]\nrunways = ["1-A3"]\n').state
    assert blocked_route(state, state.units["german-1"], "1-A3") is not None
