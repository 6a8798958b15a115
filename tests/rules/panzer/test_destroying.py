"""Terrain as a target of GP fire [6.5.4.2.5, 6.5.4.4.3]."""

from __future__ import annotations

import pytest

from opfire.core.events import Line
from opfire.core.game import Game
from opfire.rulesets.panzer.fire.gp_fire import DIE
from opfire.rulesets.panzer.fire.resolving import fire
from opfire.rulesets.panzer.indirect.calling import CallFire
from opfire.rulesets.panzer.pieces import Position, Work
from opfire.rulesets.panzer.works import buildings, destroying, obstacles
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import army
from rules.panzer.shelling import GUNS, answered, shelling, with_guns

STONES = OPEN.replace("\n. . . . . . . . . . . .", "\n. . . . . . S . . . . .", 1)
"""A stone building, of GP Defense 8, in 1-G1."""

DEFENCES = "[conditions]\ndefences = { block = 7, bridge = 8, wire = 4 }\n"


def ground(*units: tuple[str, str], board: str = STONES, more: str = DEFENCES) -> Position:
    """A position with Soviets in these hexes."""
    soviet = army(*units) if units else army(("t34_43", "1-L8"))
    return game(text(board=board, german=army(("pz4h", "1-A1")), soviet=soviet, options=("AG",)) + more).state


def found(position: Position, hex: str) -> dict[str, int]:
    """The terrain of a hex that can be destroyed, with its GP Defense Factors."""
    return {site.kind: site.defense for site in destroying.sites(position, hex)}


@rule("6.5.4.2.5-which", "6.5.4.2.5-scen")
def test_vulnerable_terrain_and_its_gp_defense_factors() -> None:
    state = ground()
    assert found(state, "1-G1") == {"building": 8}
    assert found(state, "1-A4") == {}
    works = {"block": 7, "wire": 4, "improved position": 6}
    for kind, factor in works.items():
        state.works["1-A4"] = (Work(kind),)  # type: ignore[arg-type]
        assert found(state, "1-A4") == {kind: factor}
    for value, factor in (("hasty", 3), ("deliberate ap", 6)):
        state.works["1-A4"] = (Work("mines", value=value, known=True),)
        assert found(state, "1-A4") == {"mines": factor}
    for kind in ("ditch", "hasty entrenchment", "rubble"):
        state.works["1-A4"] = (Work(kind),)  # type: ignore[arg-type]
        assert found(state, "1-A4") == {}


@rule("6.5.4.2.5-scen", "6.5.4.2.5-which")
def test_terrain_without_a_factor_of_the_scenario_is_not_attacked() -> None:
    state = ground(more="")
    state.works["1-A4"] = (Work("block"), Work("wire"))
    assert found(state, "1-A4") == {}


@rule("6.5.4.2.5-df")
def test_direct_fire_attacks_the_terrain_that_its_target_occupies() -> None:
    state = ground(("s_sqd41", "1-G1"), ("t34_43", "1-G1"), ("t34_43", "1-G1"))
    state.change("soviet-3", inside=True)
    kinds = [
        [site.kind for site in destroying.occupied(state, state.units[f"soviet-{number}"])] for number in (1, 2, 3)
    ]
    assert kinds == [["building"], [], ["building"]]
    state.works["1-G1"] = (Work("improved position", holder="soviet-2"),)
    assert [site.kind for site in destroying.occupied(state, state.units["soviet-2"])] == ["improved position"]
    assert [site.kind for site in destroying.occupied(state, state.units["soviet-1"])] == ["building"]


@rule("6.5.4.2.5-type")
def test_terrain_is_never_suppressed() -> None:
    state = ground()
    (site,) = destroying.sites(state, "1-G1")
    made = destroying.reckoned(state, site, "Shell", Line("attack", "GP Factor", "15", "6.5.4.1", 15), [])
    none, suppressed = CHARTS.gp_results[8].numbers(15)
    assert set(made.outcomes) == {"no effect", "destroyed"}
    assert made.outcomes.count("destroyed") == DIE - suppressed
    assert suppressed > none


GERMAN = army(("pz4h", "1-A1"))


def duel(unit: str, *dice: int) -> Game[Position]:
    """A German unit beside the building, in which a squad is."""
    return game(
        text(board=STONES, german=army((unit, "1-F1")), soviet=army(("s_sqd41", "1-G1")), options=("AG",)), dice
    )


@rule("6.5.4.2.5-df", "6.5.4.4-each", "6.5.4.4.3-terr", "6.5.4.2.5-which")
def test_a_gun_that_fires_at_a_squad_attacks_its_building_after_it() -> None:
    made = duel("pz4h", 1, 2)
    made.state.change("german-1", command="fire", facing=2)
    fire(made, "german-1", "soviet-1", "g75l48 HE")
    assert [event.dice for event in made.events if event.kind in ("fired", "terrain")] == [(1,), (2,)]


@rule("6.5.4.2.5-df", "6.5.4.2.5-which")
def test_small_arms_do_not_attack_terrain() -> None:
    made = duel("g_sqd41", 1)
    made.state.change("german-1", command="fire")
    fire(made, "german-1", "soviet-1")
    assert [event.kind for event in made.events if event.kind in ("fired", "terrain")] == ["fired"]


HEAVY = with_guns('{ unit = "o_g210", level = "attached" }')


def shelled(
    *dice: int, soviet: str = "", board: str = STONES, works: tuple[Work, ...] = (), hex: str = "1-G1"
) -> Game[Position]:
    """A battery of factor 15 falls on a Soviet squad in a hex."""
    target = soviet or army(("s_sqd41", hex))
    made = shelling(army(("g_fo", "1-C1"), more=HEAVY), {1: "overwatch"}, target, 9, *dice, board=board)
    made.state.spots["soviet-1"] = ("german-1",)
    made.state.change("soviet-1", spot="fire", revealed=True)
    if works:
        made.state.works[hex] = works
    made.play("german", CallFire("german-1", GUNS, "soviet-1"))
    answered(made)
    return made


@rule("6.5.4.4.3-terr", "6.5.4.4.3-building", "6.5.4.2.5-if", "6.5.4.4-each")
@pytest.mark.parametrize(("dice", "rubble"), [((1, 99, 99), True), ((1, 99, 1), False), ((1, 1), False)])
def test_two_effective_results_turn_a_building_to_rubble_with_all_in_it(dice: tuple[int, ...], rubble: bool) -> None:
    made = shelled(*dice)
    assert (made.state.works.get("1-G1") == (Work("rubble", value="building"),)) == rubble
    assert (made.state.units["soviet-1"].status == "eliminated") == rubble
    assert (buildings.building(made.state, "1-G1") is None) == rubble
    assert made.state.wrecks == {}


@rule("6.5.4.2.5-if")
def test_indirect_fire_attacks_terrain_that_nobody_holds() -> None:
    made = shelled(1, 99, 99, hex="1-G2")
    assert next(event.places for event in made.events if event.kind == "terrain") == ("1-G1",)
    assert made.state.works["1-G1"] == (Work("rubble", value="building"),)


@rule("6.5.4.4.3-imp", "6.5.4.4.3-terr")
def test_a_destroyed_position_takes_its_holder_along_and_leaves_rubble() -> None:
    both = army(("s_sqd41", "1-G4"), ("s_sqd41", "1-G4"))
    works = (Work("improved position", holder="soviet-2"),)
    made = shelled(1, 1, 99, 99, soviet=both, works=works, hex="1-G4")
    assert made.state.works["1-G4"] == (Work("rubble", value="improved position"),)
    assert made.state.units["soviet-2"].status == "eliminated"
    assert made.state.units["soviet-1"].status == "on the map"


@rule("6.5.4.4.3-bmw", "6.5.4.4.3-terr")
def test_mines_fall_to_one_effective_result_and_units_there_suffer_nothing_more() -> None:
    made = shelled(1, 99, works=(Work("mines", side="soviet", value="hasty", known=True), Work("ditch")), hex="1-G4")
    assert made.state.works["1-G4"] == (Work("ditch"),)
    assert made.state.units["soviet-1"].status == "on the map"


BRIDGE = (
    OPEN.replace("\n. . . . . . . . . . . .", "\n. . . . . . u . . . . .", 1)
    + """
roads   = ["F1 G1 H1"]
bridges = { G1 = "wood" }
"""
)


@rule("6.5.4.4.3-bridge", "6.5.4.2.5-scen")
def test_a_destroyed_bridge_takes_all_along_and_is_closed_to_everybody() -> None:
    bridge = "[conditions]\ndefences = { bridge = 8 }\n"
    state = ground(("t34_43", "1-G1"), ("s_sqd41", "1-F1"), board=BRIDGE, more=bridge)
    assert found(state, "1-G1") == {"bridge": 8}
    squad = state.units["soviet-2"]
    assert obstacles.bars(state, squad, "1-G1") is None
    made = game(
        text(board=BRIDGE, german=GERMAN, soviet=army(("t34_43", "1-G1"), ("s_sqd41", "1-F1")), options=("AG",))
    )
    made.state.bailed = {"abandoned": "1-G1", "elsewhere": "1-F1"}
    destroying.destroy(made, destroying.Site("bridge", "1-G1", 8))
    assert made.state.bailed == {"elsewhere": "1-F1"}
    assert made.state.units["soviet-1"].status == "eliminated"
    assert found(made.state, "1-G1") == {}
    for unit in made.state.of("german") + made.state.of("soviet"):
        refusal = obstacles.bars(made.state, unit, "1-G1")
        assert refusal is not None
        assert refusal.rule == "6.5.4.4.3-bridge"
