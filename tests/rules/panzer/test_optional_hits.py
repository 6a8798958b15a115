"""Optional rules of AP hits [7.10 to 7.13, 7.21]."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.rulesets.panzer.charts import Vehicle, Weapon
from opfire.rulesets.panzer.fire import ap_fire, plates
from opfire.rulesets.panzer.fire.ap_fire import Aim
from opfire.rulesets.panzer.fire.hits import Round, aim, one_hit
from opfire.rulesets.panzer.fire.resolving import apply
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import CHARTS, GUN, rule

SKIRTED: Vehicle = CHARTS.vehicles["pz3m"]
HEAT: Weapon = next(row for row in CHARTS.weapons.values() if row.ke_ce == "CE" and row.row == "AP")


@rule("7.10.1")
@pytest.mark.parametrize(
    ("options", "weapon", "code", "factor"),
    [
        (("7.10",), HEAT, "HS", 2),
        (("7.10",), HEAT, "HS*", 2),
        (("7.10",), HEAT, "HF", 1),
        (("7.10",), GUN, "HS", 1),
        ((), HEAT, "HS", 1),
    ],
)
def test_skirts_multiply_the_armor_against_ce_where_the_card_says(
    options: tuple[str, ...], weapon: Weapon, code: ap_fire.Code, factor: int
) -> None:
    assert (SKIRTED.cex_locations, SKIRTED.cex_n) == ("HS TS TR", 2)
    way = Aim(weapon, "P", SKIRTED, "level", "front side", options=frozenset(options))
    printed = ap_fire.armor(CHARTS, SKIRTED, "level", "front side", code)
    assert ap_fire.met(CHARTS, way, code) == factor * printed


@rule("7.10.2")
@pytest.mark.parametrize(("options", "weapon", "die"), [(("7.10",), HEAT, 6), (("7.10",), GUN, 4), ((), HEAT, 4)])
def test_ce_hits_soft_vehicles_at_full_strength(options: tuple[str, ...], weapon: Weapon, die: int) -> None:
    truck = CHARTS.vehicles["tg_blitz"]
    assert plates.softened(options, weapon, truck, 6) == die
    assert plates.softened(options, weapon, truck, 1) == 1
    assert plates.softened(options, weapon, SKIRTED, 6) == 6


@rule("7.11")
def test_a_bu_mark_turns_knock_outs_into_brew_ups_and_changes_nothing_else() -> None:
    marked, plain = CHARTS.vehicles["t26_33"], replace(CHARTS.vehicles["t26_33"], bu=False)
    assert marked.bu
    on = frozenset({"7.11"})
    for die in range(1, 11):
        before = ap_fire.damage(GUN, die, plain, on)
        after = ap_fire.damage(GUN, die, marked, on)
        burns = before == "KO" and min(10, die + 2) > GUN.ko_max
        assert after == ("BU" if burns else before)
        assert ap_fire.damage(GUN, die, marked) == before
    assert any(ap_fire.damage(GUN, die, marked, on) != ap_fire.damage(GUN, die, plain, on) for die in range(1, 11))


@rule("7.11")
@pytest.mark.parametrize(
    ("options", "roll", "burns"), [(("AG",), 6, False), (("AG", "7.11"), 6, True), (("AG", "7.11"), 7, False)]
)
def test_gp_fire_that_destroys_a_marked_vehicle_counts_two_less_for_the_brew_up(
    options: tuple[str, ...], roll: int, burns: bool
) -> None:
    """A shell that brews vehicles up on 4 does so on 6."""
    marked = 'units = [{ unit = "t26_33", at = ["1-G4"] }]'
    made = game(text(soviet=marked, options=options), (roll, 100, 100))
    apply(made, "soviet-1", "destroyed", 4)
    assert made.state.wrecks == {"1-G4": "BU" if burns else "KO"}
    plain = game(text(options=options), (roll, 100, 100))
    apply(plain, "soviet-1", "destroyed", 4)
    assert plain.state.wrecks == {"1-G4": "KO"}


@rule("7.12")
def test_two_dice_change_the_penetration_up_to_the_most_of_the_row() -> None:
    """The row of 20 to 29 has -3 for a 1 and 3 for a 10, and 4 at most; 5 and 6 change nothing."""
    change = plates.penetration
    assert change(CHARTS, 24, (1, 1), soviet=False) == -4
    assert change(CHARTS, 24, (10, 10), soviet=False) == 4
    assert change(CHARTS, 24, (5, 6), soviet=False) == 0
    assert change(CHARTS, 24, (1, 5), soviet=False) == -3
    assert change(CHARTS, 24, (7, 5), soviet=False) == 1
    assert change(CHARTS, 24, (7, 5), soviet=True) == -1  # a 6 and a 4
    for row in CHARTS.variable_penetration.values():
        assert all(getattr(row, f"d{die}") < 0 for die in (1, 2, 3, 4))
        assert (row.d5, row.d6) == (0, 0)
        assert all(getattr(row, f"d{die}") > 0 for die in (7, 8, 9, 10))


@rule("7.12")
def test_the_dice_fall_before_the_roll_for_the_location() -> None:
    made = game(text(options=("AG", "7.12")), (1, 1, 5))
    one_hit(made, Round(made.state.units["soviet-1"], "german-1", GUN, "S"))
    assert made.state.units["german-1"].track_hit


@rule("7.13.2")
@pytest.mark.parametrize(("options", "low"), [(("AG",), False), (("AG", "7.13"), True)])
def test_a_vehicle_two_levels_up_shows_its_lower_hull(options: tuple[str, ...], low: bool) -> None:
    lines = OPEN.splitlines()
    at = lines.index("hexes = '''") + 4
    lines[at] = "2" + lines[at][1:]
    near = 'units = [{ unit = "t34_43", at = ["1-D4"] }]'
    state = game(text(board="\n".join(lines) + "\n", soviet=near, options=options)).state
    way = aim(state, Round(state.units["soviet-1"], "german-1", GUN, "P"))
    assert way.low == low
    rising = CHARTS.armour["pz4h", "rising"].front_hf
    assert (ap_fire.met(CHARTS, way._replace(angle="front"), "HF") == max(1, rising // 2)) == low


@rule("7.21-calc", "7.21-exc")
def test_light_weapons_break_no_tracks_of_heavy_vehicles() -> None:
    """Twice the GP Effectiveness Factor has to reach the GP Defense Factor."""
    target = CHARTS.vehicles["pz4h"]
    on = ("7.21",)
    just, less = -(-target.gp_defense // 2), -(-target.gp_defense // 2) - 1
    assert plates.tracks_break(on, replace(GUN, gp_eff=just), target, target)
    assert not plates.tracks_break(on, replace(GUN, gp_eff=less), target, target)
    assert not plates.tracks_break(on, replace(GUN, gp_eff=9, small_arms=True), target, target)
    assert plates.tracks_break((), replace(GUN, gp_eff=less), target, target)
    squad, rocket = CHARTS.legs["g_sqd44"], replace(GUN, gp_eff=0, kind="hhatw")
    assert plates.tracks_break(on, rocket, squad, target)
    way = Aim(GUN, "P", target, tracks=False)
    assert ap_fire.resolve(CHARTS, way, 5).effect == "miss"
    assert ap_fire.resolve(CHARTS, way._replace(tracks=True), 5).effect == "track"
