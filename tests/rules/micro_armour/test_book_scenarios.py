"""The battles of the book [SC]: forces, entries, ways to win; the stretch of turns of artillery off the map."""

from __future__ import annotations

import pytest

from opfire.core import scenario as scenarios
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.micro_armour import RULESET, decisions
from opfire.rulesets.micro_armour.artillery.impacts import place
from opfire.rulesets.micro_armour.artillery.missions import Mission
from opfire.rulesets.micro_armour.artillery.sheafs import Sheaf
from opfire.rulesets.micro_armour.artillery.writing import Writing, out_of_stretch
from opfire.rulesets.micro_armour.charts import MovementClass
from opfire.rulesets.micro_armour.moving.arrivals import along, entry_points
from opfire.rulesets.micro_armour.moving.prices import Mover, Prices
from opfire.rulesets.micro_armour.moving.stretches import leg_cost
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.sequence import Turns
from opfire.rulesets.micro_armour.sighting.sight import cannot_see
from opfire.rulesets.micro_armour.terrain import to_fire
from rules.micro_armour.kit import GRENADIERS, PANZER, RIFLES, T34, game, position, rule


def battle(name: str) -> Position:
    state, _ = RULESET.start(RULESET.set_up(scenarios.parse(scenarios.text_of(name), name)))
    assert isinstance(state, Position)
    return state


def stands(made: Position, side: str) -> int:
    return len(made.setting.ids[side])


def lose(made: Position, side: str, count: int) -> None:
    standing = [name for name in made.setting.ids[side] if made.units[name].status != "off the map"]
    for name in standing[:count]:
        made.change(name, at=None, status="eliminated")


COUNTS = [
    ("armour-introductory", "german", 18, "soviet", 21, 10, (15, 13)),
    ("armour-bir-el-gubi", "italian", 30, "british", 24, 10, (12, 12)),
    ("armour-sidi-suleiman", "german", 25, "british", 35, 12, (17, 14)),
    ("armour-stonne", "german", 47, "french", 53, 15, (15, 12)),
    ("armour-black-monday", "german", 76, "american", 16, 15, (17, 14)),
    ("armour-state-farm", "german", 52, "soviet", 22, 14, (15, 13)),
    ("armour-costly-setback", "german", 34, "british", 75, 20, (13, 16)),
    ("armour-stark-resistance", "german", 83, "american", 59, 20, (16, 14)),
]
"""Scenario, sides with the numbers of their stands, turns, force cohesion: from the lists of the text."""


@rule("SC.intro", "SC.gubi", "SC.suleiman", "SC.stonne", "SC.monday", "SC.sf79", "SC.setback", "SC.stark")
@pytest.mark.parametrize(("name", "one", "first", "other", "second", "turns", "cohesion"), COUNTS)
def test_SC_a_battle_has_the_stands_turns_and_cohesion_of_the_text(
    name: str, one: str, first: int, other: str, second: int, turns: int, cohesion: tuple[int, int]
) -> None:
    made = battle(name)
    assert (stands(made, one), stands(made, other)) == (first, second)
    assert made.setting.scenario.turns == turns
    assert (made.setting.troops(one).cohesion, made.setting.troops(other).cohesion) == cohesion


# --- ways to win ------------------------------------------------------------------------------------------------


@rule("SC.intro")
@pytest.mark.parametrize(
    ("german", "soviet", "winner"), [(8, 11, "german"), (9, 11, None), (9, 10, "soviet"), (8, 10, None)]
)
def test_SC_intro_half_of_the_enemy_for_less_than_half_of_ones_own(
    german: int, soviet: int, winner: str | None
) -> None:
    """Nine of 18 Germans are half, ten of 21 Soviets are not."""
    made = battle("armour-introductory")
    lose(made, "german", german)
    lose(made, "soviet", soviet)
    assert decisions.outcome(made).winner == winner


@rule("SC.intro")
@pytest.mark.parametrize(
    ("german", "soviet", "lacks"),
    [
        (0, 0, "eliminate 11 more stands"),
        (0, 10, "eliminate 1 more stand"),
        (9, 0, None),  # nine of 18 are more than 49 per cent
        (0, 11, None),  # that is the victory
    ],
)
def test_SC_intro_a_side_reads_what_it_lacks_for_a_victory_it_can_reach(
    german: int, soviet: int, lacks: str | None
) -> None:
    made = battle("armour-introductory")
    lose(made, "german", german)
    lose(made, "soviet", soviet)
    shown = decisions.shown(made)
    assert shown["fallen"] == {"german": german, "soviet": soviet}
    assert [gap["lacks"] for gap in shown["gaps"] if gap["side"] == "german"] == ([lacks] if lacks else [])


@rule("SC.monday.v", "SC.stark.v")
@pytest.mark.parametrize(
    ("name", "side", "lacks"),
    [
        ("armour-black-monday", "german", "bring 38 more stands off the table"),
        ("armour-stark-resistance", "american", "eliminate 12 more stands"),
    ],
)
def test_SC_what_is_lacking_for_other_ways_to_win(name: str, side: str, lacks: str) -> None:
    gaps = {gap["side"]: gap["lacks"] for gap in decisions.shown(battle(name))["gaps"]}
    assert gaps[side] == lacks


@rule("SC.gubi")
@pytest.mark.parametrize(
    ("italian", "british", "winner"), [(14, 12, "british"), (14, 13, None), (10, 12, "italian"), (11, 12, None)]
)
def test_SC_gubi_the_defender_may_lose_less_and_guns_off_the_map_do_not_count(
    italian: int, british: int, winner: str | None
) -> None:
    """Of 27 Italians on the table 14 are half, and ten are 40 per cent at most."""
    made = battle("armour-bir-el-gubi")
    lose(made, "italian", italian)
    lose(made, "british", british)
    assert decisions.outcome(made).winner == winner


@rule("SC.suleiman")
@pytest.mark.parametrize(("german", "british", "winner"), [(12, 18, "german"), (12, 17, None), (13, 17, "british")])
def test_SC_suleiman_destroy_51_and_keep_51_per_cent(german: int, british: int, winner: str | None) -> None:
    made = battle("armour-sidi-suleiman")
    lose(made, "german", german)
    lose(made, "british", british)
    assert decisions.outcome(made).winner == winner


@rule("SC.monday.v")
@pytest.mark.parametrize(("away", "winner"), [(37, "american"), (38, "german")])
def test_SC_monday_v_half_of_the_germans_leave_by_the_south_edge(away: int, winner: str) -> None:
    made = battle("armour-black-monday")
    for name in made.setting.ids["german"][:away]:
        made.change(name, at=None, status="exited")
        made.left[name] = "south"
    assert decisions.outcome(made).winner == winner


@rule("SC.stark.v")
def test_SC_stark_v_twelve_stands_decide_at_once_and_transports_do_not_count() -> None:
    made = battle("armour-stark-resistance")
    trucks = [name for name in made.setting.ids["german"] if made.units[name].kind.kind == "transport"]
    others = [name for name in made.setting.ids["german"] if name not in trucks]
    for name in [*trucks[:5], *others[:11]]:
        made.change(name, at=None, status="exited")
        made.left[name] = "west"
    assert not decisions.ends_now(made)
    made.change(others[11], at=None, status="exited")
    made.left[others[11]] = "north"
    assert decisions.ends_now(made)
    assert decisions.outcome(made).winner == "german"


@rule("SC.stark.v")
def test_SC_stark_v_the_americans_win_with_twelve_germans_eliminated() -> None:
    made = battle("armour-stark-resistance")
    lose(made, "german", 12)
    assert decisions.ends_now(made)
    assert decisions.outcome(made).winner == "american"


VILLAGE = """
[[decisions]]
side = "german"
hold = ["Stonne"]

[[decisions]]
side = "soviet"
hold = ["Stonne"]
"""
HOUSES = """
[[table.areas]]
kind = "medium-buildings"
name = "Stonne"
points = "18,10 22,10 22,16 18,16"
"""


@rule("SC.stonne.v")
@pytest.mark.parametrize(
    ("soviets", "winner"),
    [([(RIFLES, "30,13")], "german"), ([(RIFLES, "20,14")], None), ([(RIFLES, "22.4,13")], "german")],
)
def test_SC_stonne_v_the_village_is_held_by_the_side_that_is_alone_in_it(
    soviets: list[tuple[str, str]], winner: str | None
) -> None:
    made = position([(GRENADIERS, "20,12")], soviets, top=VILLAGE, terrain=HOUSES)
    assert decisions.outcome(made).winner == winner
    lacking = {gap["side"]: gap["lacks"] for gap in decisions.shown(made)["gaps"]}
    assert lacking.get("german") == (None if winner else "hold Stonne")


@rule("SC.sf79.v")
@pytest.mark.parametrize(
    ("farm", "exit_", "outcome"),
    [
        ("german", "german", ("german", "decisive")),
        ("german", "", ("german", "marginal")),
        ("soviet", "german", ("soviet", "decisive")),
        ("", "soviet", ("soviet", "marginal")),
        ("german", "soviet", (None, "draw")),
    ],
)
def test_SC_sf79_v_the_farm_and_the_end_of_the_road(farm: str, exit_: str, outcome: tuple[str | None, str]) -> None:
    made = battle("armour-state-farm")
    if exit_:
        made.control["47.5,10.1"] = exit_
    if farm:
        able = [name for name in made.setting.ids[farm] if made.units[name].kind.kind == "personnel"]
        for name, at in zip(able, [(32000, 12000), (32000, 9400)], strict=False):
            made.put(name, at)
    found = decisions.outcome(made)
    assert (found.winner, found.level) == outcome


def test_a_decision_of_a_feature_that_is_not_there_is_an_error() -> None:
    with pytest.raises(BadInput, match="Stonne"):
        position([(GRENADIERS, "20,12")], [(T34, "30,12")], top=VILLAGE)


@rule("SC.stark.v")
def test_SC_stark_v_the_game_ends_with_the_turn_in_which_it_is_decided() -> None:
    top = '[[decisions]]\nside = "german"\neliminated = 1\nat_once = true'
    made: Game[Position] = game([(PANZER, "10,12")], [(T34, "30,12"), (T34, "33,12")], top=top)
    made.stack = ()
    made.push(Turns(""))
    lose(made.state, "soviet", 1)
    Turns("").resume(made, None)
    assert made.outcome is not None
    assert made.outcome.winner == "german"


# --- entries ----------------------------------------------------------------------------------------------------


@rule("SC.suleiman")
def test_SC_suleiman_the_sides_enter_anywhere_on_the_short_edges() -> None:
    made = battle("armour-sidi-suleiman")
    west = [*entry_points(made, made.units["german-1"])]
    east = [*entry_points(made, made.units["british-1"])]
    assert {x for x, _ in west} == {500, 1500, 2500}
    assert {x for x, _ in east} == {47500, 46500, 45500}
    assert {y for _, y in west} == {500 + 1000 * inch for inch in range(24)}


@pytest.mark.parametrize(("edge", "first"), [("north", (500, 500)), ("south", (500, 29500)), ("east", (39500, 500))])
def test_an_entry_by_an_edge_begins_at_the_edge(edge: str, first: tuple[int, int]) -> None:
    made = position([(PANZER, "10,12")], [(T34, "30,12")])
    assert next(along(made.table, edge)) == first


# --- artillery --------------------------------------------------------------------------------------------------


@rule("SC.stonne.art")
@pytest.mark.parametrize(
    ("due", "duration", "allowed"), [(4, 1, True), (6, 1, True), (7, 1, False), (1, 1, True), (5, 3, False)]
)
def test_SC_stonne_art_all_fire_off_the_map_lies_within_four_turns_in_a_row(
    due: int, duration: int, allowed: bool
) -> None:
    """A battery is plotted for turns 3 and 4 already."""
    made = battle("armour-stonne")
    guns = [name for name in made.setting.ids["german"] if made.units[name].status == "off the map"]
    made.missions["german-fire-1"] = Mission(
        id="german-fire-1",
        side="german",
        kind="support",
        batteries=(guns[0],),
        sheaf=Sheaf((12000, 20000), 2, "open", "E"),
        plotted=1,
        stood=(None,),
        due=3,
        duration=2,
    )
    line = Writing("german", units=(guns[1],), due=due, duration=duration)
    assert (out_of_stretch(made, line) is None) == allowed


# --- Salerno: the brush and the ford ----------------------------------------------------------------------------

BRUSH = '[[markers]]\nkind = "brush"\nat = ["20,15", "20,16", "20,17"]\n'


def barrage(made: Game[Position], at: tuple[int, int], smoke: bool) -> None:
    """The fire of a mortar with one marker lands on a place."""
    place(made, ("german-1",), Sheaf(at, 1, "closed", "N"), smoke=smoke, until=1)


@rule("SC.monday.1")
@pytest.mark.parametrize("smoke", [False, True])
def test_SC_monday_1_artillery_destroys_the_inch_of_brush_on_which_it_lands(smoke: bool) -> None:
    made = game([("ger-81mm-mortar-1", "2,2")], [(RIFLES, "30,28")], top=BRUSH)
    barrage(made, (20000, 18000), smoke)  # it touches the brush, no more
    barrage(made, (20200, 16300), smoke)
    assert [work.at for work in made.state.works.values() if work.kind == "brush"] == [(20000, 15000), (20000, 17000)]


@rule("SC.monday.1")
def test_SC_monday_1_brush_hides_and_covers_as_woods_do_until_it_is_destroyed() -> None:
    """Behind an inch of brush nobody is seen; in it personnel have 4, and are concealed."""
    made = game(
        [("ger-81mm-mortar-1", "2,2"), (GRENADIERS, "18,16")], [(RIFLES, "22,16"), (RIFLES, "20,15")], top=BRUSH
    )
    firer, behind, inside = (made.state.units[name] for name in ("german-2", "soviet-1", "soviet-2"))
    assert cannot_see(made.state, firer, behind) is not None
    assert cannot_see(made.state, firer, inside) is None
    assert sum(line.amount for line in to_fire(made.state, firer, inside)) == 4
    barrage(made, (20000, 16000), False)
    made.state.remove("impact of german-1 1")
    assert cannot_see(made.state, firer, behind) is None


@rule("SC.monday.2")
@pytest.mark.parametrize(("by", "points"), [("T", 4), ("W", 7), ("F", 3)])
def test_SC_monday_2_the_ford_is_rough_terrain_3_and_the_only_way_across(by: MovementClass, points: int) -> None:
    made = battle("armour-black-monday")
    price = Prices(made.charts, Mover(by))
    assert leg_cost(made.ground, (18000, 19500), (18000, 22500), price) is None
    assert leg_cost(made.ground, (7050, 20000), (7050, 20500), price) == points * 500_000


@rule("SC.monday.2")
def test_SC_monday_2_the_optional_rules_and_the_engineers_of_the_list() -> None:
    made = battle("armour-black-monday")
    assert made.setting.options == {"12.2.1", "12.2.3"}
    engineers = [unit for unit in made.units.values() if "engineers" in unit.equipment]
    assert {unit.formation for unit in engineers} == {"16th Engineer Bn: 3 companies"}
    assert len(engineers) == 9


@rule("SC.setback.v")
@pytest.mark.parametrize(("held", "winner"), [(3, "british"), (2, None)])
def test_SC_setback_v_all_three_villages_win(held: int, winner: str | None) -> None:
    made = battle("armour-costly-setback")
    troops = [name for name in made.setting.ids["british"] if made.units[name].kind.armed]
    for name, at in zip(troops, [(21500, 2500), (7500, 11000), (24000, 11000)][:held], strict=False):
        made.put(name, at)
    assert decisions.outcome(made).winner == winner


@rule("SC.intro")
def test_SC_intro_the_horses_of_cavalry_are_no_stands_of_a_force() -> None:
    """Two riders and a tank: the loss of one rider is a third, of its horses nothing."""
    top = '[[decisions]]\nside = "soviet"\ndestroyed = 34\n\n[[decisions]]\nside = "german"\ndestroyed = 33'
    made = position([(PANZER, "20,12")], [("sov-cavalry", "30,12"), ("sov-cavalry", "30,15"), (T34, "30,18")], top=top)
    made.change("soviet-1", at=None, status="eliminated")
    assert [decisions.is_met(made, each) for each in made.setting.sections.decisions] == [False, True]
    made.change("soviet-1 horses", at=None, status="eliminated")
    assert len(decisions.lost(made, "soviet")) == 1
