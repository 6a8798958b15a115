"""Edges of rules: a change of one comparison or number in the functions that cite them went unnoticed before."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.rulesets.panzer import conditions, control, span
from opfire.rulesets.panzer.air import flak
from opfire.rulesets.panzer.air.phase import unavailable
from opfire.rulesets.panzer.charts import Rate
from opfire.rulesets.panzer.fire import overrun
from opfire.rulesets.panzer.fire.ap_fire import hits
from opfire.rulesets.panzer.fire.arms import rate_of, turned, weapon_of
from opfire.rulesets.panzer.fire.close_combat import cannot_attack
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.hiding import decoy
from opfire.rulesets.panzer.indirect.observers import indirect_row
from opfire.rulesets.panzer.indirect.step import show_march
from opfire.rulesets.panzer.leaders import TransferStep
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import quickmarch
from opfire.rulesets.panzer.moving.going import cannot_move_now
from opfire.rulesets.panzer.pieces import CommandName, Mask, Position
from opfire.rulesets.panzer.sequence import steps, unused
from opfire.rulesets.panzer.shown.lines import los
from opfire.rulesets.panzer.sighting.phase import SpottingPhase
from opfire.rulesets.panzer.sighting.ranges import Marker, after_firing
from opfire.rulesets.panzer.works import minefields
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army

ROWS = OPEN.splitlines()
for row in range(1, 9):
    ROWS[ROWS.index("hexes = '''") + row] = ". . . W W W W W . . . ."
WALL = "\n".join(ROWS)
"""A wood between the west and the east of the map."""


def fielded(*german: tuple[str, str], options: tuple[str, ...] = (), date: str = "", more: str = "") -> Position:
    """Germans on the open field, far from a Soviet tank."""
    scenario = text(german=army(*german), soviet=FAR, options=("AG", *options))
    dated = scenario.replace("turns = 3", f'turns = 3\ndate = "{date}"') if date else scenario
    return game(dated + more).state


@rule("6.6.5")
def test_towed_units_and_vehicles_have_no_quickmarch() -> None:
    state = fielded(("t_75", "1-A4"), ("pz4h", "1-B4"))
    assert [quickmarch.allowance(state.units[name]) for name in ("german-1", "german-2")] == [0, 0]


@rule("7.16")
@pytest.mark.parametrize(("target", "facing"), [("1-D2", 0), ("1-F3", 1), ("1-B3", 5)])
def test_a_gun_on_a_platform_turns_past_the_north(target: str, facing: int) -> None:
    """It faces 5, north-west; a target straight to the north is in direction 0, not 6."""
    platform = next(card.id for card in CHARTS.guns.values() if card.platform_mount)
    state = fielded((platform, "1-D4"), options=("7.16",))
    gun = state.change("german-1", facing=5)
    found = turned(state, gun, state.change("soviet-1", hex=target))
    assert found.facing == (facing if target != "1-B3" else 5)


@rule("7.1.4-proc")
def test_a_morale_check_rolls_one_die_of_a_hundred() -> None:
    """A unit without modifiers breaks on its Break Point or less."""
    state = fielded(("g_sqd44", "1-A4"), options=("7.1",))
    made = checks.calculation(state, state.units["german-1"], forced=False, enemies=False)
    row = CHARTS.break_points["german"]
    least = [roll for roll in range(1, 101) if made.result((roll,)) == "breaks"]
    assert least == [*range(1, row.breaks - made.modifier + 1)]


@rule("5.1.3.1", "5.16.1")
@pytest.mark.parametrize(("date", "fires"), [("1939-08", False), ("1939-09", True), ("", True)])
def test_a_mortar_fires_indirectly_from_the_month_of_its_round_on(date: str, fires: bool) -> None:
    state = fielded(("g_m81", "1-A4"), date=date)
    row = CHARTS.rows_of("g_m81_w", "L", "GP-IF")[0]
    assert row.first == "1939-09"
    assert (indirect_row(state, state.units["german-1"]) is not None) == fires


@rule("6.7-aa")
@pytest.mark.parametrize("date", ["", "1943-06"])
def test_anti_aircraft_weapons_fire_with_and_without_a_date(date: str) -> None:
    state = fielded(("sp7_2", "1-A4"), date=date)
    assert [arm.row.row for arm in flak.guns(state, state.units["german-1"])] == ["AA"]


@rule("7.2.2.1-fake")
@pytest.mark.parametrize("fast", [False, True])
def test_a_fake_is_taken_for_a_squad_until_it_moves_like_a_vehicle(fast: bool) -> None:
    state = fielded(("pz4h", "1-A4"), options=("7.2",))
    taken = decoy(state, Mask("fake", "german", "1-B4", (), fast=fast))
    assert (taken.is_leg, taken.is_vehicle) == (not fast, fast)
    assert fast or taken.kind.category == "squad"  # type: ignore[union-attr]


@rule("6.7.2.1-when")
def test_units_on_the_ground_do_not_appear_in_the_air() -> None:
    state = fielded(("pz4h", "1-A4"))
    refusal = unavailable(state, "german", state.units["german-1"])
    assert refusal is not None
    assert refusal.rule == "6.7.2"


@rule("6.6.1.1-who")
def test_enemies_and_passengers_start_no_close_combat() -> None:
    state = fielded(("g_sqd44", "1-A4"))
    squad = state.change("german-1", command="move")
    assert cannot_attack("german", squad) is None
    assert cannot_attack("soviet", squad) is not None
    assert cannot_attack("german", replace(squad, hex=None, status="mounted")) is not None


@rule("7.36.2")
@pytest.mark.parametrize(("cautious", "refused"), [("", False), ("limited", True)])
def test_squads_quickmarch_where_visibility_is_not_limited(cautious: str, refused: bool) -> None:
    more = f'[conditions]\ncautious = "{cautious}"\n' if cautious else ""
    state = fielded(("g_sqd44", "1-A4"), options=("7.36.2",), more=more)
    assert (conditions.too_dark_to_quickmarch(state, state.units["german-1"]) is not None) == refused


@rule("6.5.4.2.2-move")
@pytest.mark.parametrize(("command", "shown"), [("move", True), ("short halt", True), ("overwatch", False)])
def test_indirect_fire_shows_a_command_to_move_and_no_other(command: str, shown: bool) -> None:
    made = game(text(german=army(("g_sqd44", "1-A4")), soviet=FAR, options=("AG",)))
    show_march(made, made.state.change("german-1", command=command))
    assert made.state.units["german-1"].revealed == shown


@rule("6.6.10.1-factor")
def test_riders_overrun_with_their_own_weapons_alone() -> None:
    """The squad's small arms count at one hex; the machine gun that is attached to it does not."""
    state = fielded(("pz4h", "1-A4"), ("g_sqd44", "pz4h"))
    tank, own = state.units["german-1"], CHARTS.legs["g_sqd44"].small_arms().value_p
    ridden = overrun.factor(state, tank)
    state.change("german-2", weapons=("g_hmg_w",))
    assert overrun.factor(state, tank) == ridden
    state.change("german-2", carrier=None)
    assert ridden == min(15, overrun.factor(state, tank) + own)


@rule("7.55.1-transfer")
def test_leaders_transfer_before_the_adjustment_ends() -> None:
    """Both sides have a Transfer Step, one after the other, before the last step of the turn."""
    found = [step for step, _ in steps(fielded(("pz4h", "1-A4"), options=("7.55",)))]
    assert [number - len(found) for number, step in enumerate(found) if step is TransferStep] == [-3, -2]


@rule("4.1-a")
def test_a_line_of_sight_tells_the_hex_that_blocks_it_beside_its_start() -> None:
    rows = OPEN.splitlines()
    rows[rows.index("hexes = '''") + 4] = ". W . . . . . . . . . ."
    state = game(text(board="\n".join(rows))).state
    wood = next(hex for hex in state.map.names if "woods" in state.map.cells[hex].terrain)
    around = [hex for hex in state.map.neighbours[wood] if hex is not None]
    start, end = around[0], around[3]
    found = los(state, "german", start=start, to=end)
    assert not found["clear"]
    assert wood in str(found)


@rule("6.2.1.1-a")
def test_two_trucks_have_two_combat_units_to_mind_them() -> None:
    """Each combat unit minds one truck alone."""
    state = fielded(
        ("pz4h", "1-A4"), ("pz4h", "1-B4"), ("tg_blitz", "1-A5"), ("tg_blitz", "1-B5"), ("tg_blitz", "1-C5")
    )
    units = [state.units[f"german-{number}"] for number in range(1, 6)]
    assert len(control._attended(state, units[:2], units[2:])) == 2
    assert len(control._attended(state, units[:1], units[2:])) == 1


@rule("7.52-bhq")
def test_a_headquarters_that_has_lost_its_radio_is_still_one() -> None:
    state = fielded(("g_sqd44", "1-A4"), ("g_sqd44", "1-B4"))
    state.change("german-1", labels=(), silenced=("CHQ",))
    assert [unit.id for unit in span._headquarters(state, "german", "CHQ")] == ["german-1"]


@rule("6.5.2", "4.4.3")
def test_plain_rounds_are_the_ap_weapon_of_a_gun_that_has_others() -> None:
    state = fielded(("t_37", "1-A4"), date="1943-06")
    rounds = {row.ammo for row in CHARTS.rows_of("g37pak", "T", "AP")}
    assert {"AP", "APCR"} <= rounds
    found = weapon_of(state, state.units["german-1"])
    assert found is not None
    assert found.ammo == "AP"


@rule("4.4.1-f", "6.1.3-a")
@pytest.mark.parametrize(
    ("before", "small_arms", "after"),
    [
        ("", True, "small arms"),
        ("move", True, "small arms"),
        ("small arms", True, "small arms"),
        ("fire", True, "fire"),
        ("", False, "fire"),
        ("small arms", False, "fire"),
    ],
)
def test_small_arms_do_not_take_a_larger_counter_away(before: Marker, small_arms: bool, after: Marker) -> None:
    assert after_firing(before, small_arms=small_arms) == after


@rule("4.6.1")
@pytest.mark.parametrize(
    ("command", "fired", "moved", "counter"),
    [
        ("fire", False, False, "fire"),
        ("fire", True, False, ""),
        ("short halt", False, False, "fire"),
        ("short halt", True, False, ""),
        ("short halt", False, True, ""),
        ("move", False, False, "move"),
        ("move", False, True, ""),
        ("overwatch", False, False, ""),
    ],
)
def test_only_a_command_that_was_not_carried_out_brings_a_counter(
    command: CommandName, fired: bool, moved: bool, counter: str
) -> None:
    unit = fielded(("pz4h", "1-A4")).change("german-1", command=command, fired=fired, moved=moved)
    assert unused(unit) == counter


@rule("4.1.5")
@pytest.mark.parametrize(("hex", "kept"), [("1-B4", True), ("1-L8", False)])
def test_the_counter_of_a_spotted_vehicle_stays_on_it(hex: str, kept: bool) -> None:
    """A tank with a SPOT/MOVE counter is seen beside the enemy, and not behind a wood at the other end of the map."""
    made = game(text(board=WALL, german=army(("pz4h", "1-A4")), soviet=army(("t34_43", hex)), options=("AG",)))
    made.state.change("soviet-1", spot="move")
    made.push(SpottingPhase("german"))
    made.run()
    assert bool(made.state.units["soviet-1"].spot) == kept


@rule("6.5.2.1")
def test_the_rate_of_fire_of_a_card_comes_before_that_of_its_weapon() -> None:
    """Towed guns are quicker than mounted ones: a 3.7 cm PaK has R, the same gun in a vehicle Q."""
    row = CHARTS.weapons["g37pak", "V", "AP", "AP"]
    state = fielded(("t_37", "1-A4"), ("pz4h", "1-B4"))
    tank = state.units["german-2"]
    assert rate_of(state.units["german-1"], row) == "R"
    assert rate_of(tank, row) == row.rof == "Q"
    quick = replace(tank, kind=replace(tank.vehicle, rof="F"))
    assert rate_of(quick, CHARTS.weapons["g75l48", "V", "AP", "AP"]) == "F"


@rule("5.1.2")
def test_an_armed_section_has_its_first_weapon_and_no_other() -> None:
    armed = [card for card in CHARTS.legs.values() if card.section_armed]
    assert armed
    for card in armed:
        assert card.own_weapons == (card.attached.split(";")[0],)


@rule("7.46")
def test_only_mortars_burst_in_the_trees() -> None:
    """A squad in woods: the shells of a mortar burst above it, those of a gun do not."""
    rows = OPEN.splitlines()
    rows[rows.index("hexes = '''") + 4] = ". . W . . . . . . . . ."
    soviet = army(("s_sqd41", "1-C4"))
    state = game(
        text(
            board="\n".join(rows),
            german=army(("g_m81", "1-A4"), ("pz4h", "1-A5")),
            soviet=soviet,
            options=("AG", "7.46"),
        )
    ).state
    assert "woods" in state.map.cells["1-C4"].terrain
    bursts = []
    for name, weapon in (("german-1", "g_m81_w HE"), ("german-2", "g75l48 HE")):
        unit = state.change(name, facing=2)
        lines = shot(state, unit, state.units["soviet-1"], False, weapon).lines
        bursts.append(any(line.rule == "7.46" for line in lines))
    assert bursts == [True, False]


@rule("7.1.4-proc", "7.1.4-enemy")
@pytest.mark.parametrize(("hex", "amount"), [("1-A6", -20), ("1-A7", -10), ("1-F4", -10), ("1-G4", 0)])
def test_a_spotted_enemy_within_two_and_within_five_hexes(hex: str, amount: int) -> None:
    """ "Within 1 or 2 hexes, the modifier is -20", "within 3, 4 or 5 hexes" it is -10: here at 2, 3, 5 and 6."""
    soviet = army(("t34_43", hex))
    state = game(text(german=army(("g_sqd44", "1-A4")), soviet=soviet, options=("AG", "7.1"))).state
    found = checks.modifiers(state, state.units["german-1"], forced=False)
    assert sum(line.amount for line in found if line.rule == "7.1.4-enemy") == amount


@rule("7.31.2.1", "7.31.2.2")
@pytest.mark.parametrize(("defense", "name"), [(1, "1-3"), (3, "1-3"), (4, "4-6"), (6, "4-6"), (7, "7-10")])
def test_the_columns_of_minefields_by_gp_defense(defense: int, name: str) -> None:
    state = fielded(("pz4h", "1-A4"), ("g_sqd44", "1-B4"))
    tank = state.units["german-1"]
    assert minefields.column(replace(tank, kind=replace(tank.vehicle, gpd=f"{defense}A"))) == name
    assert minefields.column(state.units["german-2"]) == "leg and towed"


@rule("4.5", "4.2-move")
def test_enemies_and_units_off_the_map_are_not_moved() -> None:
    tank = fielded(("pz4h", "1-A4")).change("german-1", command="move")
    assert cannot_move_now("german", tank) is None
    assert cannot_move_now("soviet", tank) is not None
    assert cannot_move_now("german", replace(tank, hex=None, status="eliminated")) is not None


@rule("6.5.2.1-n", "6.5.2.1-qrf", "4.4.3.2.3")
@pytest.mark.parametrize("rate", ["N", "Q", "R", "F"])
def test_no_roll_hits_with_a_hit_number_of_none(rate: Rate) -> None:
    """The text calls a hit at extreme range with -10 impossible."""
    assert [hits(CHARTS, 0, rate, roll) for roll in (1, 2, 50, 100)] == [0, 0, 0, 0]
