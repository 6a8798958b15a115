"""Still more edges of rules that no test of theirs noticed: duties that are done, neighbours, the ends of ranges."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.errors import BadInput
from opfire.rulesets.panzer import conditions, control, escorts, hiding, initiative, radios, span
from opfire.rulesets.panzer.air.crossing import before, way_ahead
from opfire.rulesets.panzer.air.phase import Enter, Level, cannot_bank, entries
from opfire.rulesets.panzer.fire import plates, scuttling
from opfire.rulesets.panzer.fire.close_combat import Band, cannot_advance, struggle
from opfire.rulesets.panzer.fire.direct_fire import must_fire
from opfire.rulesets.panzer.fire.resolving import show_march
from opfire.rulesets.panzer.indirect.kinds import Smoke
from opfire.rulesets.panzer.indirect.obscuring import occurrences
from opfire.rulesets.panzer.morale import cohesion
from opfire.rulesets.panzer.moving import hull_down
from opfire.rulesets.panzer.moving.going import Going, cannot_begin, handling, too_late
from opfire.rulesets.panzer.moving.hull_down import Search
from opfire.rulesets.panzer.moving.movement import run_over
from opfire.rulesets.panzer.pieces import CommandName, Position, Work
from opfire.rulesets.panzer.setup import indoors
from opfire.rulesets.panzer.sighting import chances
from opfire.rulesets.panzer.sighting.sight import blocked
from opfire.rulesets.panzer.works import dust, obstacles
from opfire.rulesets.panzer.works.fires import tinder
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army
from rules.panzer.test_aircraft import PLANE, flown, sky
from rules.panzer.test_edges import fielded
from rules.panzer.test_special_movement import ground

NEAR = army(("t34_43", "1-D4"))


def facing_a_tank(*german: tuple[str, str], options: tuple[str, ...] = (), more: str = "") -> Position:
    """Germans in the sight of a Soviet tank that they have spotted."""
    return game(text(german=army(*german), soviet=NEAR, options=("AG", *options)) + more).state


# --- fire


@rule("4.4.1-g")
@pytest.mark.parametrize(
    ("command", "fired", "done", "owes"),
    [
        ("fire", False, (), True),
        ("fire", True, (), False),
        ("fire", False, ("soviet-1",), False),
        ("overwatch", False, (), False),
    ],
)
def test_a_unit_must_fire_that_may_and_has_a_target_left(
    command: CommandName, fired: bool, done: tuple[str, ...], owes: bool
) -> None:
    state = facing_a_tank(("pz4h", "1-A4"))
    state.change("german-1", command=command, fired=fired)
    refusal = must_fire(state, "german", done)
    assert (refusal.rule if refusal else None) == ("4.4.1-g" if owes else None)


@rule("6.5.4.2.2-move")
@pytest.mark.parametrize(
    ("unit", "command", "cover", "shown"),
    [
        ("g_sqd44", "move", False, True),
        ("g_sqd44", "short halt", False, True),
        ("g_sqd44", "overwatch", False, False),
        ("g_sqd44", "move", True, False),
        ("pz4h", "move", False, False),
    ],
)
def test_fire_shows_the_move_of_men_in_the_open_and_of_no_vehicle(
    unit: str, command: CommandName, cover: bool, shown: bool
) -> None:
    """The owner of a vehicle chooses; men in Full Cover count as crawling or still."""
    made = game(text(german=army((unit, "1-A4")), soviet=FAR, options=("AG",)))
    show_march(made, made.state.change("german-1", command=command, full_cover=cover))
    assert made.state.units["german-1"].revealed == shown


@rule("7.12")
@pytest.mark.parametrize(
    ("factor", "dice", "change"),
    [(9, (10, 10), 1), (10, (10, 10), 3), (19, (10, 10), 3), (20, (10, 10), 4), (30, (1, 1), -6), (29, (1, 1), -4)],
)
def test_a_row_of_variable_penetration_begins_with_its_factor(factor: int, dice: tuple[int, int], change: int) -> None:
    """Rows of 1, 10, 20 and 30, with 1, 3, 4 and 6 at most."""
    assert plates.penetration(CHARTS, factor, dice, soviet=False) == change


@rule("6.6.1.1-cmd", "7.24")
def test_a_unit_that_attacks_in_close_combat_has_moved_and_lost_its_camouflage() -> None:
    sides = {"german": army(("g_sqd44", "1-A4")), "soviet": army(("s_sqd41", "1-B4"))}
    made = game(text(options=("AG",), **sides), None)
    made.state.change("german-1", camouflaged=True)
    struggle(made, Band((made.state.units["german-1"],)), "soviet-1")
    unit = made.state.units["german-1"]
    assert (unit.moving, unit.moved, unit.camouflaged, unit.aimed) == (True, True, False, "soviet-1")


@rule("6.6.1.1-adv")
def test_an_advance_goes_by_way_of_friends_and_not_of_enemies() -> None:
    state = fielded(("g_sqd44", "1-A4"), ("g_sqd44", "1-A5"))
    squad = state.units["german-1"]
    assert cannot_advance(state, squad, "1-A5") is None
    state.put("soviet-1", "1-A3")
    refusal = cannot_advance(state, squad, "1-A3")
    assert refusal is not None
    assert refusal.rule == "6.6.1.1-adv"


@rule("6.6.1.1-adv")
@pytest.mark.parametrize(
    ("unit", "command", "revealed", "might"),
    [
        ("g_sqd44", "move", False, True),
        ("g_sqd44", "overwatch", False, True),
        ("g_sqd44", "overwatch", True, False),
        ("pz4h", "move", False, False),
    ],
)
def test_leg_units_that_may_move_might_burn_an_abandoned_vehicle(
    unit: str, command: CommandName, revealed: bool, might: bool
) -> None:
    """Their hidden commands do not count, since nobody knows them."""
    state = fielded((unit, "1-A4"))
    state.bailed["soviet-2"] = "1-A5"
    state.change("german-1", command=command, revealed=revealed)
    assert scuttling.might_scuttle(state, "german") == might


@rule("6.1.4.3.10-a")
def test_smoke_counts_once_it_has_taken_effect_and_each_smoke_by_itself() -> None:
    state = fielded(("pz4h", "1-A4"))
    first, second = Smoke(("1-B4",), fresh=False), Smoke(("1-C4",), dense=False, fresh=False)
    state.smoke = (first, Smoke(("1-D4",)), second)
    found = [*occurrences(state)]
    assert [(each[0], each[2]) for each in found] == [("smoke closed", ("1-B4",)), ("smoke open", ("1-C4",))]
    assert len({each[1] for each in found}) == 2


# --- movement


@rule("4.5.1.1.10")
def test_an_armed_vehicle_knocks_out_unarmed_enemies_and_no_friends() -> None:
    sides = {"german": army(("pz4h", "1-A4"), ("tg_blitz", "1-A4")), "soviet": army(("ts_zis5", "1-B4"))}
    made = game(text(options=("AG",), **sides))
    made.state.put("soviet-1", "1-A4")
    run_over(made, made.state.units["german-1"])
    statuses = [made.state.units[name].status for name in ("german-1", "german-2", "soviet-1")]
    assert statuses == ["on the map", "on the map", "eliminated"]


@rule("6.6.9-leave")
def test_a_vehicle_that_gives_its_position_up_has_not_backed_into_another() -> None:
    made = game(text(german=army(("pz4h", "1-A4")), soviet=FAR, options=("AG",)))
    made.state.change("german-1", hull_down="full", backed_in=True)
    hull_down.abandon(made, "german-1")
    unit = made.state.units["german-1"]
    assert (unit.hull_down, unit.backed_in) == ("", False)


@rule("6.6.9-misc")
@pytest.mark.parametrize(("facing", "rule_"), [(5, None), (6, "3.3"), (-1, "3.3")])
def test_there_are_six_facings_to_search_in(facing: int, rule_: str | None) -> None:
    state = fielded(("pz4h", "1-A4"))
    refusal = cannot_begin(state, state.units["german-1"], Search("german-1", facing), Going())
    assert ((refusal.rule if refusal else None) == "3.3") == (rule_ == "3.3")


@rule("6.6.7.1.1-veh")
@pytest.mark.parametrize(("spare", "refused"), [(0, False), (1, False), (-1, True)])
def test_mounting_may_take_the_last_of_the_allowance(spare: int, refused: bool) -> None:
    state = fielded(("tg_blitz", "1-A4"))
    truck = state.units["german-1"]
    cost = handling(state, truck, Going())
    assert cost > 0
    assert (too_late(state, truck, Going(), cost + spare) is not None) == refused


@rule("6.1.4.3")
def test_open_ground_without_works_is_no_burden() -> None:
    state = fielded(("pz4h", "1-A4"))
    tank = state.units["german-1"]
    assert obstacles.burden(state, tank, "1-A5", 1) == 0
    assert obstacles.burden(state, tank, "1-A5", 0) == 0
    state.works["1-A5"] = (Work("dust", value="on"),)
    assert obstacles.burden(state, tank, "1-A5", 1) == 0


# --- sight


@rule("4.1.4")
@pytest.mark.parametrize(("letter", "seen"), [("W", True), (".", True)])
def test_units_in_neighbouring_hexes_see_each_other_in_woods_and_gullies(letter: str, seen: bool) -> None:
    state = game(text(board=ground(letter), german=army(("pz4h", "1-A4")), options=("AG",))).state
    coords = state.map.coords
    pairs = (("1-A4", "1-A5"), ("1-A4", "1-B4"), ("1-A4", "1-A3"))
    for one, other in pairs:
        found = blocked(CHARTS, state.setting.ground, coords[one], coords[other])
        assert (found is None) == seen


@rule("6.1.4.3.12")
def test_without_dust_nothing_hinders() -> None:
    state = fielded(("pz4h", "1-A4"))
    assert dust.between(state, "1-A4", "1-L4") == 0
    dusty = fielded(("pz4h", "1-A4"), more="[conditions]\ndust = true\n")
    assert dust.between(dusty, "1-A4", "1-L4") == 0


@rule("7.36.4", "6.5.2.4-sun", "6.5.4.3-sun")
@pytest.mark.parametrize(("firer", "target", "lines"), [("1-A4", "1-D4", 1), ("1-L4", "1-D4", 0)])
def test_the_sun_blinds_those_who_look_into_it(firer: str, target: str, lines: int) -> None:
    """It stands in the east: fire to the east has the scenario's modifier, fire to the west has none."""
    more = '[conditions.sun]\nedge = "east"\nap = -2\ngp = -10\n'
    state = facing_a_tank(("pz4h", "1-A4"), more=more)
    unit, foe = state.change("german-1", hex=firer), state.change("soviet-1", hex=target)
    assert len([*conditions.weather(state, unit, foe, "ap")]) == lines
    plain = facing_a_tank(("pz4h", "1-A4"), more='[conditions.sun]\nedge = "east"\nap = -2\n')
    assert [*conditions.weather(plain, plain.units["german-1"], plain.units["soviet-1"], "gp")] == []


@rule("7.7.1")
@pytest.mark.parametrize(("hex", "kept"), [("1-A5", True), ("1-A6", False)])
def test_a_unit_next_to_a_spotter_is_spotted_without_a_roll(hex: str, kept: bool) -> None:
    """At two hexes a roll of 100 loses the spot; in the next hex there is no roll."""
    sides = {"german": army(("pz4h", "1-A4")), "soviet": army(("t34_43", "1-D4"))}
    made = game(text(options=("AG", "7.7.1"), **sides), (100,) * 9)
    made.state.put("soviet-1", hex)
    made.state.spots = {"soviet-1": ("german-1",)}
    chances.limit(made)
    assert made.state.spots["soviet-1"] == (("german-1",) if kept else ())


# --- command


@rule("6.3", "6.3.1", "6.3.2")
def test_the_basic_game_adds_nothing_to_the_roll_for_initiative() -> None:
    """In the Advanced Game the Force Grade does: 40 for Elite, 0 for Seasoned."""
    basic = game(text()).state
    assert initiative.amount(basic, "german") == 0
    for grade, amount in (("elite", 40), ("seasoned", 0), ("green", -40)):
        german = army(("pz4h", "1-A4"), more=f'grade = "{grade}"')
        state = game(text(german=german, soviet=FAR, options=("AG",))).state
        assert initiative.amount(state, "german") == amount


@rule("6.2.1.1.3-road")
def test_columns_are_of_vehicles() -> None:
    """A squad beside a truck on the road is no part of the column."""
    board = OPEN + 'roads = ["A3 A4 A5 A6"]\n'
    units = army(("tg_blitz", "1-A4"), ("tg_blitz", "1-A5"), ("g_sqd44", "1-A5"))
    state = game(text(board=board, german=units, soviet=FAR, options=("AG",))).state
    truck, other, squad = (state.units[f"german-{number}"] for number in (1, 2, 3))
    for linked in (control.beside_on_road, control.in_reach_along_road):
        assert linked(state, truck, other)
        assert not linked(state, truck, squad)
        assert not linked(state, squad, truck)


@rule("7.49-cond")
def test_partners_for_cover_are_of_other_formations() -> None:
    """Units of one formation share commands anyhow."""
    state = fielded(("pz4h", "1-A4"), ("g_sqd41", "1-A4"), options=("7.49",))
    tank, squad = state.units["german-1"], state.units["german-2"]
    assert escorts.together(state, tank, squad, "move")
    assert [*escorts.partners(state, squad, "move")] == []
    state.change("german-1", formation="another")
    assert [unit.id for unit in escorts.partners(state, squad, "move")] == ["german-1"]
    assert [*escorts.partners(state, squad, "overwatch")] == []


@rule("7.4")
@pytest.mark.parametrize(
    ("options", "collateral", "without"), [(("7.4",), (), False), (("7.4",), ("radio",), True), ((), ("radio",), False)]
)
def test_a_vehicle_that_has_lost_its_radio_is_without_one(
    options: tuple[str, ...], collateral: tuple[str, ...], without: bool
) -> None:
    state = fielded(("pz4h", "1-A4"), ("g_sqd44", "1-B4"), options=options)
    assert not state.units["german-1"].vehicle.no_radio
    assert radios.without(state, state.change("german-1", collateral=collateral)) == without
    assert not radios.without(state, state.units["german-2"])


@rule("7.52-chq")
def test_a_formation_without_a_headquarters_of_its_own_is_not_out_of_span() -> None:
    for options in ((), ("7.52",)):
        state = fielded(("pz4h", "1-A4"), options=options)
        assert not span.out_of_span(state, state.units["german-1"].formation)


@rule("7.1.1")
def test_the_army_of_a_formation_is_one_of_the_table() -> None:
    army_name = next(iter(CHARTS.cohesion_modifiers))
    for name, works in ((army_name, True), ("martian", False)):
        german = army(("pz4h", "1-A4"), more=f'army = "{name}"') + (
            '\n[[sides.german.formations]]\nname = "1."\ngrade = "seasoned"\nunits = { pz4h = 1 }\n'
        )
        scenario = text(german=german, soviet=FAR, options=("AG", "7.1"))
        if works:
            game(scenario)
        else:
            with pytest.raises(BadInput, match="martian"):
                game(scenario)


@rule("7.1.1.1-roll")
def test_cohesion_varies_by_a_die_of_a_hundred(monkeypatch: pytest.MonkeyPatch) -> None:
    made = game(text(german=army(("pz4h", "1-A4")), soviet=FAR, options=("AG", "7.1", "7.1.1.1")), (50,))
    name = made.state.units["german-1"].formation
    company = made.state.setting.formations[name]
    made.state.setting.formations[name] = company._replace(army=next(iter(CHARTS.cohesion_modifiers)))
    rolled = list[tuple[int, int]]()
    real = type(made).roll
    monkeypatch.setattr(type(made), "roll", lambda self, *die: rolled.append(die) or real(self, *die))
    cohesion.vary(made, name)
    assert rolled == [(1, 100)]


# --- hidden units, buildings


@rule("6.1.4.3.7")
def test_a_position_tells_nothing_of_a_hidden_unit_in_it() -> None:
    """Neither the unit nor its facing: those of others are known."""
    works = {"1-A4": (Work("improved position", holder="german-1", facing=4),), "1-B4": (Work("wire"),)}
    known = hiding.works_known(works, {"german-1"})
    assert [(work.holder, work.facing) for work in known["1-A4"]] == [("", 0)]
    assert hiding.works_known(works, set()) == works


@rule("7.2.3")
def test_enemies_and_units_off_the_map_do_not_hide() -> None:
    state = fielded(("g_sqd44", "1-A4"), options=("7.2",))
    squad = state.units["german-1"]
    for unit, side in ((squad, "soviet"), (replace(squad, hex=None), "german")):
        refusal = hiding.cannot_hide(state, side, unit, "1-A4")
        assert refusal is not None
        assert refusal.rule == "procedure"


@rule("6.1.4.3.1-a")
@pytest.mark.parametrize(("unit", "inside"), [("t_75", True), ("g_sqd44", False), ("pz4h", False)])
def test_guns_that_the_scenario_houses_are_set_up_inside(unit: str, inside: bool) -> None:
    letter = next(
        letter for letter in "nNvVtTbBhHuUkKxX" if any("building" in word for cell in _cells(letter) for word in cell)
    )
    state = game(text(board=ground(letter), german=army((unit, "1-A1")), soviet=FAR, options=("AG",))).state
    one = replace(state.units["german-1"], indoors=True)
    assert indoors(state, one, "1-A4") == inside
    assert not indoors(state, one, "1-A1")
    assert not indoors(state, replace(one, indoors=False), "1-A4")


def _cells(letter: str) -> list[tuple[str, ...]]:
    """The terrain of a board with a row of that letter; none if it has no meaning."""
    try:
        state = game(text(board=ground(letter), german=army(("pz4h", "1-A1")), soviet=FAR, options=("AG",))).state
    except BadInput:
        return []
    return [cell.terrain for cell in state.map.cells.values()]


@rule("7.35.4")
def test_rubble_burns_like_wood_and_other_works_do_not() -> None:
    state = fielded(("g_sqd44", "1-A4"), options=("7.35",))
    assert tinder(state, "1-B4") is None
    state.works["1-B4"] = (Work("wire"),)
    assert tinder(state, "1-B4") is None
    state.works["1-B4"] = (Work("rubble"),)
    assert tinder(state, "1-B4") == CHARTS.buildings["wood building"]


# --- aircraft


@rule("6.7.2.3")
def test_the_way_of_an_aircraft_ends_at_the_edge_of_the_map() -> None:
    state = fielded(("pz4h", "1-A4"))
    assert before(state, "1-A4", 0) == "1-A3"
    assert before(state, "1-A4", 0, 3) == "1-A1"
    assert before(state, "1-A4", 0, 4) is None
    made = sky()
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"))
    assert [*way_ahead(made.state, made.state.units[PLANE])] == [f"1-D{row}" for row in range(7, 0, -1)]


@rule("6.7.2.1-when", "6.7.2.1-edge")
def test_an_aircraft_that_may_appear_has_every_edge_to_come_from_and_one_that_flies_has_none() -> None:
    made = sky()
    plane = made.state.units[PLANE]
    found = {act.hex for act in entries(made.state, plane)}
    assert found
    assert all(made.state.map.edge(hex) for hex in found)
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"))
    assert [*entries(made.state, made.state.units[PLANE])] == []


@rule("6.7.2.3.1")
@pytest.mark.parametrize(("facing", "refused"), [(1, False), (5, False), (0, True), (2, True), (6, True)])
def test_an_aircraft_that_flies_north_turns_by_a_hexside_to_either_side(facing: int, refused: bool) -> None:
    made = sky()
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"))
    assert (cannot_bank(made.state, made.state.units[PLANE], facing) is not None) == refused
    turned = made.state.change(PLANE, facing=5)  # from the north-west to the north, which is 0
    assert (cannot_bank(made.state, turned, (facing + 5) % 6 if facing < 6 else 6) is not None) == refused
