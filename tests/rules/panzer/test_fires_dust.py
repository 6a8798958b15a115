"""Fires [7.35, 6.1.4.3.5], dust [6.1.4.3.12], khamsins [7.36.4], and single vehicles [7.38]; radios [7.4.1]."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import sequence
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.fire import arms
from opfire.rulesets.panzer.fire.close_assault import Band
from opfire.rulesets.panzer.fire.close_combat import approach, struggle
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.resolving import fire
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.moving.going import Move, Stay, priced
from opfire.rulesets.panzer.pieces import Position, Work
from opfire.rulesets.panzer.sequence import AdjustmentPhase
from opfire.rulesets.panzer.sighting.chances import handed_on
from opfire.rulesets.panzer.sighting.spots import conditions
from opfire.rulesets.panzer.works import dust
from opfire.rulesets.panzer.works.fires import FLAMES, FireStep, chance, check, consume, note
from opfire.rulesets.panzer.works.obstacles import bars
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army, marching, tried


def rows(**changed: str) -> str:
    """The open board with other rows, `r4` the fourth."""
    lines = OPEN.splitlines()
    first = lines.index("hexes = '''")
    for name, words in changed.items():
        lines[first + int(name[1:])] = words
    return "\n".join(lines)


TOWN = rows(r4=". . . T B S . . . . . .")
D, E, F = "1-D4", "1-E4", "1-F4"


def battle(
    german: str,
    soviet: str,
    *options: str,
    board: str = TOWN,
    dice: tuple[int, ...] = (),
    more: str = "",
) -> Game[Position]:
    """A battle at its start, in which each side has spotted all."""
    made = game(text(board=board, german=german, soviet=soviet, options=("AG", *options)) + more, dice)
    made.state.spots = {name: tuple(made.state.units) for name in made.state.units}
    return made


# --- fires [7.35]

TANK, MEN = army(("pz4h", "1-A4")), army(("s_sqd41", D))


@rule("7.35.1-check")
@pytest.mark.parametrize(
    ("hex", "factor", "most"),
    [(D, 3, 10), (D, 4, 15), (D, 9, 20), (E, 6, 10), (E, 12, 20), (F, 15, 15), (F, 20, 15), (F, 3, 2)],
)
def test_the_chance_of_a_fire_by_the_building_and_the_factor(hex: str, factor: int, most: int) -> None:
    state = battle(TANK, MEN, "7.35").state
    chances = chance(state, hex, factor).chances()
    assert chances["catches fire"] * 100 == most


@rule("7.35.1-check")
def test_rubble_burns_more_easily() -> None:
    state = battle(TANK, MEN, "7.35").state
    state.works[E] = (Work("rubble"),)
    assert chance(state, E, 6).chances()["catches fire"] * 100 == 20


@rule("7.35.1-check")
def test_shells_at_a_unit_in_a_building_are_noted_and_small_arms_are_not() -> None:
    made = battle(TANK, MEN, "7.35", dice=(50, 50, 50))
    made.state.change("german-1", command="fire")
    fire(made, "german-1", "soviet-1", "g75l48 HE")
    shell = CHARTS.weapons["g75l48", "V", "GP-DF", "HE"]
    assert made.state.struck == {D: shell.value_p if shell.range_p >= 3 else shell.value_s}
    note(made.state, D, 1)
    assert made.state.struck[D] > 1  # the largest one counts
    for options, units in ((("7.35",), army(("g_sqd41", "1-C4"))), ((), TANK)):
        other = battle(units, MEN, *options, dice=(50, 50))
        fire(other, "german-1", "soviet-1", "" if options else "g75l48 HE")
        assert other.state.struck == {}
    open_ground = battle(TANK, army(("s_sqd41", "1-A6")), "7.35", dice=(50, 50))
    open_ground.state.change("german-1", facing=3)
    fire(open_ground, "german-1", "soviet-1", "g75l48 HE")
    assert open_ground.state.struck == {}


@rule("7.35.1-check", "7.35.2")
@pytest.mark.parametrize(("roll", "burns"), [(10, True), (11, False)])
def test_one_check_is_made_in_the_adjustment_phase(roll: int, burns: bool) -> None:
    made = battle(TANK, MEN, "7.35", dice=(roll,))
    made.state.turn = 2
    note(made.state, D, 3)
    made.push(FireStep("german"))
    made.run()
    assert made.state.works.get(D, ()) == ((Work("on fire", value="2"),) if burns else ())
    assert made.state.struck == {}
    assert made.state.units["soviet-1"].hex == D  # it has the next turn to get out
    kinds = [kind for kind, _ in sequence.steps(made.state)]
    assert kinds.index(FireStep) == kinds.index(AdjustmentPhase) - 1
    assert FireStep not in [kind for kind, _ in sequence.steps(battle(TANK, MEN).state)]


@rule("7.35.1-flame")
def test_a_flamethrower_in_close_combat_starts_a_fire_without_a_roll() -> None:
    made = battle(army(("g_sqd41", "1-C4")), MEN, "7.35", dice=(100, 1, 100, 1))
    squad = made.state.change("german-1", weapons=("ft_man",), command="move")
    struggle(made, Band((squad,)), "soviet-1")
    assert made.state.struck == {D: FLAMES}
    check(made, D, FLAMES)
    assert made.state.works[D][-1].kind == "on fire"
    plain = battle(army(("g_sqd41", "1-C4")), MEN, "7.35", dice=(100, 1, 100, 1))
    struggle(plain, Band((plain.state.change("german-1", command="move"),)), "soviet-1")
    assert plain.state.struck == {}


@rule("7.35.2", "6.1.4.3.5")
def test_units_that_stay_in_a_fire_are_lost_without_a_wreck() -> None:
    made = battle(TANK, army(("ts_gazaa", D), ("s_sqd41", "ts_gazaa"), ("t34_43", D)), "7.35")
    consume(made, D)
    assert {unit.status for unit in made.state.units.values() if unit.side == "soviet"} == {"eliminated"}
    assert made.state.wrecks == {}


@rule("7.35.2", "6.1.4.3.5")
@pytest.mark.parametrize(("turn", "lost"), [(2, False), (3, True)])
def test_they_have_until_the_end_of_the_turn_after_the_fire_began(turn: int, lost: bool) -> None:
    made = battle(TANK, MEN, "7.35")
    made.state.works[D] = (Work("on fire", value="2"),)
    made.state.turn = turn
    made.push(FireStep("german"))
    made.run()
    assert (made.state.units["soviet-1"].hex is None) is lost


@rule("6.1.4.3.5", "6.5.2.4-fire", "6.5.4.3-fire")
def test_a_fire_bars_the_way_and_hinders_combat_but_blocks_nothing() -> None:
    made = battle(TANK, army(("t34_43", "1-G4"), ("s_sqd41", "1-H4")), "7.35", board=OPEN)
    tank, target = made.state.units["german-1"], made.state.units["soviet-1"]
    before = shot(made.state, tank, target, False).modifier
    for hex in ("1-B4", "1-C5", "1-D5"):
        made.state.works[hex] = (Work("on fire"),)
    assert made.state.setting.line("1-A4", "1-G4") is None
    assert (shot(made.state, tank, target, False).modifier - before) % 5 == 0
    assert shot(made.state, tank, target, False).modifier < before
    for unit in made.state.units.values():
        assert bars(made.state, unit, "1-B4") is not None
    squad = made.state.change("soviet-2", hex="1-B3")
    assert getattr(approach(made.state, squad, "1-B4"), "rule", None) == "6.1.4.3.5"


# --- fires in woods and groves [7.35.4]

TREES = rows(r4=". . . W g B . . . . . .")
DRY = """
[conditions.tinder]
woods = { like = "wood building", modifier = -5 }
"light grove" = { like = "stone building" }
"""


@rule("7.35.4")
@pytest.mark.parametrize(
    ("hex", "factor", "most"),
    # the Building Effects Table has 01-15 for wood and 01-4 for stone up to factor 6, and 01-10 for brick
    [(D, 6, 20), (E, 6, 4), (F, 6, 10)],
)
def test_trees_burn_like_the_building_that_the_scenario_names(hex: str, factor: int, most: int) -> None:
    state = battle(TANK, MEN, "7.35", board=TREES, more=DRY).state
    note(state, hex, factor)
    assert state.struck == {hex: factor}
    assert chance(state, hex, factor).chances()["catches fire"] * 100 == most


@rule("7.35.4")
@pytest.mark.parametrize(("options", "more"), [((), DRY), (("7.35",), "")])
def test_other_trees_do_not_burn(options: tuple[str, ...], more: str) -> None:
    state = battle(TANK, MEN, *options, board=TREES, more=more).state
    for hex in (D, E):
        note(state, hex, 15)
    assert state.struck == {}


@rule("7.35.4", "7.35.1-flame")
def test_a_flamethrower_sets_dry_trees_on_fire() -> None:
    made = battle(army(("g_sqd41", "1-C4")), MEN, "7.35", board=TREES, more=DRY, dice=(100, 1, 100, 1))
    squad = made.state.change("german-1", weapons=("ft_man",), command="move")
    struggle(made, Band((squad,)), "soviet-1")
    assert made.state.struck == {D: FLAMES}


@rule("7.35.4", "7.35.1-check")
def test_rubble_among_dry_trees_burns_as_rubble() -> None:
    state = battle(TANK, MEN, "7.35", board=TREES, more=DRY).state
    state.works[D] = (Work("rubble"),)
    assert chance(state, D, 6).chances()["catches fire"] * 100 == 25  # wood: 01-15, rubble: -10


# --- dust [6.1.4.3.12]


def drive(unit: str, *hexes: str, board: str = OPEN, dusty: bool = True) -> Position:
    """The position after a vehicle has driven south from A1 by these hexes, and stopped."""
    german = army((unit, "1-A1"))
    made = marching(german, {1: "move"}, board=board, facing=3)
    if dusty:
        sections = made.state.setting.sections
        made.state.setting.sections = replace(sections, conditions=replace(sections.conditions, dust=True))
    assert tried(made, *(Move("german-1", hex) for hex in hexes), Stay("german-1")) is None
    while made.stack[-1].step == "moving":
        made.play("german", Stay("german-1"))
    return made.state


def clouds(state: Position) -> dict[str, str]:
    """The dust on the map."""
    return {hex: work.value for hex, works in state.works.items() for work in works if work.kind == "dust"}


@rule("6.1.4.3.12")
def test_a_fast_vehicle_leaves_dust_in_the_hexes_that_it_leaves() -> None:
    assert CHARTS.vehicles["pz4h"].m_cc == 4
    assert clouds(drive("pz4h", "1-A2", "1-A3")) == {"1-A1": "new", "1-A2": "new"}
    assert clouds(drive("pz4h", "1-A2")) == {}
    assert clouds(drive("pz4h", "1-A2", "1-A3", dusty=False)) == {}


@rule("6.1.4.3.12")
def test_dust_rises_over_dry_ground_alone() -> None:
    mixed = rows(r2="W . . . . . . . . . . .", r3="b . . . . . . . . . . .")
    assert clouds(drive("pz4h", "1-A2", "1-A3", board=mixed)) == {"1-A2": "new"}


@rule("6.1.4.3.12")
def test_dust_counts_after_its_step_and_settles_by_the_next_turn() -> None:
    state = drive("pz4h", "1-A2", "1-A3")
    assert dust.between(state, "1-A1", "1-A8") == 0
    dust.spread(state)
    assert clouds(state) == {"1-A1": "on", "1-A2": "on"}
    assert dust.between(state, "1-A1", "1-A8") == 2
    dust.settle(state)
    assert clouds(state) == {"1-A1": "off", "1-A2": "off"}
    assert dust.between(state, "1-A1", "1-A8") == 2
    dust.settle(state)
    assert clouds(state) == {}
    assert state.works == {}


@rule("6.1.4.3.12", "6.5.2.4-dust", "6.5.4.3-dust")
def test_each_cloud_on_the_line_hinders_fire() -> None:
    state = drive("pz4h", "1-A2", "1-A3")
    dust.spread(state)
    state.change("german-1", hex="1-A1")
    amounts = {}
    for unit, at in (("soviet-1", "1-A6"),):
        target = state.change(unit, hex=at)
        amounts["ap"] = sum(
            line.amount
            for line in shot(state, state.units["german-1"], target, False).lines
            if line.rule == "6.5.2.4-dust"
        )
    squad = state.change("soviet-1", kind=CHARTS.legs["s_sqd41"])
    found = shot(state, state.units["german-1"], squad, False)
    amounts["gp"] = sum(line.amount for line in found.lines if line.rule == "6.5.4.3-dust")
    assert amounts == {"ap": -2, "gp": -10}


@rule("6.1.4.3.12")
def test_the_step_ends_with_the_dust_in_effect() -> None:
    german = army(("pz4h", "1-A1"))
    made = marching(german, {1: "move"}, facing=3)
    dust.raise_cloud(made.state, ("1-A1",))
    made.play("german", Stay("german-1"))
    while isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], Pass())
    made.play("german", EndStep())
    assert clouds(made.state) == {"1-A1": "on"}


# --- khamsins [7.36.4]

STORM = "\n[conditions.khamsin]\nspotting = -2\nap = -3\ngp = -15\n"


@rule("7.36.4")
@pytest.mark.parametrize("options", [(), ("7.36.4",)])
def test_a_khamsin_hinders_spotting_and_fire_as_the_scenario_lists(options: tuple[str, ...]) -> None:
    state = battle(TANK, army(("t34_43", "1-D4")), *options, board=OPEN, more=STORM).state
    tank, target = state.units["german-1"], state.units["soviet-1"]
    rows = [line.amount for line in conditions(state, tank, target) if line.rule == "7.36.4"]
    assert rows == ([-2] if options else [])
    for kind, amount in ((target.kind, -3), (CHARTS.legs["s_sqd41"], -15)):
        changed = state.change("soviet-1", kind=kind)
        found = [line.amount for line in shot(state, tank, changed, False).lines if line.rule == "7.36.4"]
        assert found == ([amount] if options else [])


# --- single vehicles [7.38.2.1, 7.38.6], radios [7.4.1]


@rule("7.38.2.1")
@pytest.mark.parametrize("options", [(), ("7.38",)])
def test_a_crocodile_does_not_reverse_and_its_flames_go_to_the_front(options: tuple[str, ...]) -> None:
    state = battle(army(("croc", "1-D4")), FAR, *options, board=OPEN).state
    tank = state.change("german-1", facing=0)
    back = priced(state, tank, Move("german-1", "1-D5"))
    assert getattr(back, "rule", None) == ("7.38.2.1" if options else None)
    assert getattr(priced(state, tank, Move("german-1", "1-D3")), "rule", None) is None
    flames = next(arm for arm in arms.arms_of(state, tank) if arm.row.kind == "flame")
    assert flames.arc == "front"


@rule("7.38.6")
def test_an_adapter_carries_one_type_of_rounds_for_the_whole_game() -> None:
    made = battle(army(("daim_lj", "1-D4")), army(("t34_43", "1-D1")), "7.38", board=OPEN, dice=(100,))
    rounds = {arm.row.ammo for arm in arms.arms_of(made.state, made.state.units["german-1"]) if arm.is_ap}
    assert rounds == {"AP", "APCNR"}
    made.state.change("soviet-1", revealed=True)
    fire(made, "german-1", "soviet-1", "b2pdr APCNR")
    left = {arm.row.ammo for arm in arms.arms_of(made.state, made.state.units["german-1"]) if arm.is_ap}
    assert left == {"APCNR"}
    plain = next(card.id for card in CHARTS.vehicles.values() if card.main == "b2pdr" and card.special != "LJ")
    state = battle(army((plain, "1-D4")), FAR, "7.38", board=OPEN).state
    assert "APCNR" not in {arm.row.ammo for arm in arms.arms_of(state, state.units["german-1"])}


@rule("7.4.1")
def test_vehicles_without_radios_hand_spots_on_within_their_platoon() -> None:
    silent = next(card.id for card in CHARTS.vehicles.values() if card.no_radio)
    state = battle(army((silent, "1-D4"), (silent, "1-D5")), FAR, "7.4", board=OPEN).state
    one, other = state.change("german-1", platoon="A 1"), state.change("german-2", platoon="A 2")
    assert not handed_on(state, one, other)
    assert handed_on(state, one, state.change("german-2", platoon="A 1"))
    free = battle(army((silent, "1-D4"), (silent, "1-D5")), FAR, board=OPEN).state
    assert handed_on(free, one, other)
