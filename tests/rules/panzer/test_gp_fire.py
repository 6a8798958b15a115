"""GP Direct Fire [6.5.4]: factors, modifiers, results by target, losses."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from opfire.core.events import Calculation
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.charts import BANDS, Band, GpResult, Weapon
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire import gp_fire
from opfire.rulesets.panzer.fire.arms import arms_of
from opfire.rulesets.panzer.fire.direct_fire import Announce, Attacking, Keep, Resolve
from opfire.rulesets.panzer.fire.gp_fire import against_soft, against_vehicle, fives_and_tens, net_defense, soft_defense
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.resolving import apply, fire
from opfire.rulesets.panzer.fire.shots import gp_defense, shot
from opfire.rulesets.panzer.moving.costs import allowance
from opfire.rulesets.panzer.moving.going import Move
from opfire.rulesets.panzer.pieces import CommandName, Position, Suppression
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.sighting.ranges import Marker
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, rule, vehicle

HE = CHARTS.weapons["g75l48", "V", "GP-DF", "HE"]
SMALL = CHARTS.weapons["mg_tank", "V", "GP-DF", "ball"]
SQUAD = CHARTS.legs["s_sqd41"]


def battle(
    soviet: str, script: tuple[int, ...] = (), german: str = "pz4h", board: str = OPEN, at: str = "A4", to: str = "G4"
) -> Game[Position]:
    """A German unit and a Soviet one in the Advanced Game, six hexes apart unless told otherwise."""
    german, soviet = (
        f'units = [{{ unit = "{unit}", at = ["1-{hex}"] }}]' for unit, hex in ((german, at), (soviet, to))
    )
    return game(text(board=board, german=german, soviet=soviet, options=("AG",)), script)


def reckoned(made: Game[Position], weapon: str = "", overwatch: bool = False) -> Calculation:
    """The shot of the first German at the first Soviet."""
    units = made.state.units
    return shot(made.state, units["german-1"], units["soviet-1"], overwatch, weapon)


def rules_of(calculation: Calculation) -> dict[str, int]:
    """The amounts of the modifiers, by their rules."""
    return {line.rule: line.amount for line in calculation.lines if line.kind == "modifier"}


# --- the table [6.5.4.4]


@rule("6.5.4.4")
def test_the_table_has_15_columns_10_rows_and_the_anchor_of_the_text() -> None:
    assert CHARTS.gp_results[4].numbers(2) == (80, 93)
    assert set(CHARTS.gp_results) == set(range(1, 11))
    assert CHARTS.gp_results[1].numbers(15)[0] < 0
    assert CHARTS.gp_results[10].numbers(1)[1] > 100


@rule("6.5.4.4")
def test_the_table_follows_its_formula() -> None:
    for defense, factor in product(range(1, 11), range(1, 16)):
        wanted = 70 + 6 * defense - 7 * factor, 81 + 6 * defense - 6 * factor
        assert CHARTS.gp_results[defense].numbers(factor) == wanted


@rule("6.5.4.4")
def test_stronger_fire_and_weaker_targets_are_hit_harder() -> None:
    for defense, factor in product(range(1, 11), range(1, 16)):
        none, suppressed = CHARTS.gp_results[defense].numbers(factor)
        assert none < suppressed
        if factor < 15:
            assert CHARTS.gp_results[defense].numbers(factor + 1)[1] < suppressed
        if defense < 10:
            assert CHARTS.gp_results[defense + 1].numbers(factor)[0] > none


@rule("6.5.4.4", "6.5.4.4.1")
def test_up_to_the_first_number_nothing_and_up_to_the_second_suppressed() -> None:
    found = [gp_fire.result(CHARTS, 2, 4, total) for total in (80, 81, 93, 94)]
    assert found == ["no effect", "suppressed", "suppressed", "effective"]


# --- factors [6.5.4.1, 6.5.4.2]


@rule("6.5.4", "6.5.4.1")
@pytest.mark.parametrize(("to", "factor"), [("B4", 7), ("D4", 7), ("I4", 6)])
def test_the_range_gives_the_gp_factor(to: str, factor: int) -> None:
    line = reckoned(battle("s_sqd41", to=to)).lines[0]
    assert (line.rule, line.amount) == ("6.5.4.1", factor)


@rule("6.5.4.1", "6.5.4")
def test_beyond_its_last_range_a_weapon_does_not_fire() -> None:
    made = battle("t34_43", (90, 10), german="g_sqd41", to="J4")
    assert CHARTS.legs["g_sqd41"].small_arms().reach("E") == 8
    announced(made)
    assert refused(made, "german", Announce("german-1", "soviet-1")) == "3.5.2"


def announced(made: Game[Position], german: CommandName = "fire", soviet: CommandName = "no command") -> Game[Position]:
    """Commands for the first units; the Germans are the First Player and stand before their Direct Fire Step."""
    made.state.spots = {name: tuple(made.state.units) for name in made.state.units}
    made.play("german", HandIn((Command("german-1", german),)))
    made.play("soviet", HandIn((Command("soviet-1", soviet),)))
    made.play(made.asked()[0], RollInitiative())
    return made


@rule("6.5.4.2", "6.5.4.2.1")
def test_the_defense_of_a_vehicle_is_printed() -> None:
    made = battle("t34_43")
    assert net_defense(gp_defense(made.state, made.state.units["soviet-1"])) == int(vehicle("t34_43").gpd[:-1])


@rule("6.5.4.2.2-type", "6.5.4.2.2-cover", "6.5.4.2.2-fc", "6.5.4.2.2-move", "6.5.4.2.2-clamp")
def test_the_defense_of_a_squad_follows_cover_full_cover_and_movement() -> None:
    def defense(cover: str, full: bool = False, moves: bool = False) -> int:
        return net_defense([*soft_defense(SQUAD, cover, full_cover=full, moves=moves)])  # type: ignore[arg-type]

    assert [defense(cover) for cover in ("none", "light", "medium", "heavy")] == [3, 4, 5, 7]
    assert defense("none", full=True) == 3 + SQUAD.gpd_full_cover
    assert defense("light", moves=True) == 2
    assert defense("none", moves=True) == 1
    low = [line for line in soft_defense(SQUAD, "none", full_cover=False, moves=True) if line.amount < 0]
    high = [*soft_defense(SQUAD, "heavy", full_cover=True, moves=False)] * 2
    assert (net_defense(low), net_defense(high)) == (1, 10)


@rule("6.5.4.2.2-best", "6.5.4.2.2-cover")
def test_woods_cover_a_squad() -> None:
    state = battle("s_sqd41").state
    bare = net_defense(gp_defense(state, state.units["soviet-1"]))
    board = OPEN.replace("\n. . . . . . . . . . . .", "\n. . . . . . H . . . . .")
    assert bare == SQUAD.gpd_none
    woods = battle("s_sqd41", board=board).state
    assert net_defense(gp_defense(woods, woods.units["soviet-1"])) == SQUAD.gpd_heavy


# --- modifiers [6.5.4.3]


@rule("6.5.4.3", "6.5.4.3-type", "6.5.4.3-moving", "6.5.4.3-cover")
def test_type_cover_and_movement_of_a_target_vehicle() -> None:
    made = battle("t34_43")
    assert rules_of(reckoned(made, "g75l48 HE")) == {"6.5.4.3-type": -20}
    made.state.change("soviet-1", moving=True)
    assert rules_of(reckoned(made, "g75l48 HE")) == {"6.5.4.3-type": -20, "6.5.4.3-moving": -10}
    made = battle("t34_43", board=OPEN.replace("\n. . . . . . .", "\n. . . . . . W"))
    assert rules_of(reckoned(made, "g75l48 HE"))["6.5.4.3-cover"] == -10
    assert rules_of(reckoned(battle("tg_kubel"), "g75l48 HE")) == {}
    protected = next(card.id for card in CHARTS.vehicles.values() if card.target == "P")
    assert rules_of(reckoned(battle(protected), "g75l48 HE")) == {"6.5.4.3-type": -10}


@rule("6.5.4.3", "6.5.4.3-sh", "6.5.4.3-dmg", "6.5.4.3-sup", "6.5.4.3-grade", "5.8.3")
def test_the_state_of_the_firer_weighs_on_its_fire() -> None:
    made = battle("s_sqd41")
    assert rules_of(reckoned(made)) == {}
    made.state.change("german-1", command="short halt", suppression="on", damaged=True, damaged_part="turret")
    assert rules_of(reckoned(made)) == {"6.5.4.3-sh": -15, "6.5.4.3-dmg": -10, "6.5.4.3-sup": -20}
    made.state.change("german-1", command="fire", suppression="", damaged_part="hull", grade="green")
    assert rules_of(reckoned(made)) == {"6.5.4.3-grade": CHARTS.unit_grades["green"].gp("S")}


@rule("6.5.2.2.4-b")
def test_a_gun_in_the_hull_suffers_from_hull_damage() -> None:
    made = battle("s_sqd41", german="m3lee")
    made.state.change("german-1", damaged=True, damaged_part="hull")
    assert "6.5.4.3-dmg" in rules_of(reckoned(made, "u75m2 HE"))
    assert "6.5.4.3-dmg" not in rules_of(reckoned(made, "u37 HE"))
    made.state.change("german-1", damaged_part="turret")
    assert "6.5.4.3-dmg" not in rules_of(reckoned(made, "u75m2 HE"))


@rule("6.5.4.3-busmoke", "6.5.4.3")
def test_each_brew_up_smoke_on_the_line_takes_ten() -> None:
    made = battle("s_sqd41")
    made.state.wrecks.update({"1-A4": "BU", "1-G4": "BU"})
    assert rules_of(reckoned(made)) == {"6.5.4.3-busmoke": -20}
    made.state.smoking = ("1-G4",)
    assert rules_of(reckoned(made)) == {"6.5.4.3-busmoke": -10}


@rule("6.5.4.3-coax", "6.5.4.3")
def test_a_coaxial_machine_gun_helps_at_pointblank_range() -> None:
    assert rules_of(reckoned(battle("s_sqd41", to="B4"))) == {"6.5.4.3-coax": 10}
    assert rules_of(reckoned(battle("s_sqd41"))) == {}
    assert "6.5.4.3-coax" not in rules_of(reckoned(battle("t34_43", to="B4"), "g75l48 HE"))


@rule("6.5.4.3-wall", "6.5.4.3-cav", "6.5.4.3-crawl", "6.5.4.3-rail")
def test_walls_horses_and_crawling() -> None:
    walled = OPEN + '[sides]\nwall = ["A4/A5"]\n'
    assert rules_of(reckoned(battle("s_sqd41", board=walled, at="A1", to="A5"))) == {"6.5.4.3-wall": -10}
    assert rules_of(reckoned(battle("s_sqd41", board=walled, at="A1", to="A6"))) == {}
    assert rules_of(reckoned(battle("s_cav"))) == {"6.5.4.3-cav": 10}
    made = battle("s_sqd41")
    made.state.change("soviet-1", full_cover=True, command="move", revealed=True)
    found = reckoned(made)
    assert rules_of(found) == {"6.5.4.3-crawl": 10}
    assert "6.5.4.2.2-move" not in [line.rule for line in found.lines]


# --- outcomes [6.5.4.4.2]


def outcomes(weapon: Weapon, target: str, found: GpResult, band: Band) -> str:
    """The outcome of a roll that ends neither in 5 nor in 0."""
    card = next(card for card in CHARTS.vehicles.values() if card.target == target)
    return against_vehicle(CHARTS, weapon, band, card, found, 97, hull_down=False)


@rule("6.5.4.4.2-sa-sup-a", "6.5.4.4.2-sa-sup-p", "6.5.4.4.2-sa-sup-s")
@pytest.mark.parametrize(("target", "reach"), [("A", 1), ("P", 2), ("S", 5)])
def test_small_arms_suppress_vehicles_up_to_a_range(target: str, reach: int) -> None:
    found = [outcomes(SMALL, target, "suppressed", band) for band in BANDS]
    assert found == ["suppressed"] * reach + ["no effect"] * (5 - reach)


@rule("6.5.4.4.2-sa-eff-a", "6.5.4.4.2-sa-eff-p", "6.5.4.4.2-sa-eff-s")
@pytest.mark.parametrize(
    ("target", "wanted"),
    [
        ("A", ["suppressed", "suppressed", "no effect", "no effect", "no effect"]),
        ("P", ["damaged", "suppressed", "no effect", "no effect", "no effect"]),
        ("S", ["destroyed"] * 5),
    ],
)
def test_small_arms_that_are_effective(target: str, wanted: list[str]) -> None:
    assert [outcomes(SMALL, target, "effective", band) for band in BANDS] == wanted


@rule("6.5.4.4.2-sup-nsa", "6.5.4.4.2-eff-s")
@pytest.mark.parametrize("target", ["A", "P", "S"])
def test_shells_suppress_every_vehicle_at_any_range(target: str) -> None:
    assert {outcomes(HE, target, "suppressed", band) for band in BANDS} == {"suppressed"}
    assert outcomes(HE, "S", "effective", "E") == "destroyed"


@rule("6.5.4.4.2-eff-cap")
def test_a_shell_that_is_too_weak_only_suppresses_armor() -> None:
    tank = vehicle("t34_43")
    weapons = [replace(HE, gp_eff=tank.gp_defense + more) for more in (-1, 0)]
    found = [against_vehicle(CHARTS, each, "M", tank, "effective", 97, hull_down=False) for each in weapons]
    assert found == ["suppressed", "destroyed"]


@rule("6.5.4.4.2-5s10s", "6.5.4.4.2-eff-trk")
@pytest.mark.parametrize(
    ("total", "wanted"), [(75, "damaged"), (95, "damaged"), (40, "track hit"), (110, "track hit"), (101, "destroyed")]
)
def test_totals_that_end_in_5_damage_and_in_10_hit_the_track(total: int, wanted: str) -> None:
    assert fives_and_tens(total, hull_down=False) == wanted
    assert fives_and_tens(total, hull_down=True) == ("no effect" if wanted == "track hit" else wanted)


@rule("6.5.4.4.2-eff-trk", "6.5.4.4.2-5s10s")
def test_hull_down_vehicles_take_no_track_hits_from_direct_fire() -> None:
    walled = OPEN + '[sides]\nwall = ["A4/A5"]\n'
    in_the_open = reckoned(battle("tg_kubel", at="A1", to="A5"), "g75l48 HE")
    assert "6.5.4.4.2-5s10s" in [line.rule for line in in_the_open.lines]
    open_ground = in_the_open.chances()
    behind = reckoned(battle("tg_kubel", at="A1", to="A5", board=walled), "g75l48 HE").chances()
    assert "track hit" in open_ground
    assert "track hit" not in behind


@rule("6.5.4.4.2-eff-kill", "6.5.4.4.2-eff-dmg")
@pytest.mark.parametrize(("roll", "wreck"), [(4, "BU"), (5, "KO")])
def test_a_destroyed_vehicle_brews_up_on_the_effectiveness_or_less(roll: int, wreck: str) -> None:
    assert HE.gp_eff == 4
    made = battle("tg_kubel", (97, roll))
    fire(made, "german-1", "soviet-1", "g75l48 HE")
    assert made.state.wrecks == {"1-G4": wreck}


@rule("6.5.4.4.2-sa-eff-s")
@pytest.mark.parametrize(("roll", "wreck"), [(1, "BU"), (2, "KO")])
def test_small_arms_brew_trucks_up_on_half_their_factor(roll: int, wreck: str) -> None:
    made = battle("tg_kubel", (99, roll), german="g_sqd41", to="C4")
    made.state.change("german-1", kind=CHARTS.legs["g_sqd41_h"])
    assert reckoned(made).lines[0].amount == 2
    fire(made, "german-1", "soviet-1")
    assert made.state.wrecks == {"1-C4": wreck}


@rule("6.5.4.4.2-eff-dmg")
@pytest.mark.parametrize(("roll", "half"), [(4, "turret"), (5, "hull")])
def test_damage_from_gp_fire_is_to_the_turret_on_4_or_less(roll: int, half: str) -> None:
    made = battle("t34_43", (roll, 99))
    apply(made, "soviet-1", "damaged", 4)
    assert made.state.units["soviet-1"].damaged_part == half
    assert told(made, "bail out") == ["T-34 M43 1: the crew stays"]


@rule("6.5.4.4.2-eff-dmg")
def test_an_unarmed_vehicle_is_damaged_in_the_hull_and_its_crew_checks() -> None:
    made = battle("tg_kubel", (30,))
    apply(made, "soviet-1", "damaged", 4)
    assert made.state.units["soviet-1"].damaged_part == "hull"
    assert made.state.units["soviet-1"].status == "eliminated"  # the crew bailed out on 30


@rule("6.5.4.4.2-eff-trk", "6.5.4.4.2-5s10s")
def test_a_track_hit_from_gp_fire_stops_a_vehicle() -> None:
    made = battle("t34_43", (99,))
    apply(made, "soviet-1", "track hit", 4)
    assert made.state.units["soviet-1"].track_hit


@rule("6.5.4.4.2-bu-sup")
def test_a_brew_up_suppresses_the_squads_beside_it() -> None:
    two = 'units = [{ unit = "tg_kubel", at = ["1-G4"] }, { unit = "s_sqd41", at = ["1-G4"] }]'
    made = game(text(soviet=two, options=("AG",)), (1,))
    apply(made, "soviet-1", "destroyed", 4)
    assert made.state.units["soviet-2"].suppression == "on"


@rule("5.12", "6.5.4.3")
def test_halves_are_rounded_down_but_one_stays_one_and_modifiers_add_up() -> None:
    assert [gp_fire.half(factor) for factor in (1, 2, 3, 7)] == [1, 1, 1, 3]
    made = battle("t34_43")
    made.state.change("german-1", suppression="on", command="short halt")
    found = reckoned(made, "g75l48 HE")
    assert found.modifier == sum(rules_of(found).values()) == -20 - 15 - 20
    assert [allowance(made.state.units["soviet-1"].kind, "cross-country", halvings) for halvings in (0, 1, 9)] == [
        6,
        3,
        1,
    ]


# --- leg and towed units [6.5.4.4.3]


@rule("6.5.4.4.3-sup", "6.5.4.4.3-eff", "5.1.1")
def test_an_effective_result_halves_a_squad_and_then_eliminates_it() -> None:
    made = battle("s_sqd41", (97, 97))
    made.state.change("soviet-1", weapons=("ptrd",))
    fire(made, "german-1", "soviet-1")
    squad = made.state.units["soviet-1"]
    assert (squad.kind.id, squad.suppression, squad.weapons) == ("s_sqd41_h", "on", ("ptrd",))
    made.state.change("german-1", fired=False, arms=())
    fire(made, "german-1", "soviet-1")
    assert made.state.units["soviet-1"].status == "eliminated"
    assert made.state.wrecks == {}


@rule("5.1.1")
def test_every_squad_has_a_half() -> None:
    squads = [leg.id for leg in CHARTS.legs.values() if leg.category == "squad"]
    assert set(squads) == set(CHARTS.halves)
    assert {CHARTS.halves[name].category for name in squads} == {"half-squad"}


@rule("6.5.4.4.3-eff", "6.5.4.4.3-sup")
def test_guns_and_sections_are_eliminated_at_once() -> None:
    gun, section = CHARTS.guns["t_75"], CHARTS.legs["g_hmg"]
    assert [against_soft(card, "effective") for card in (gun, section)] == ["eliminated", "eliminated"]
    assert against_soft(gun, "suppressed") == "suppressed"
    made = battle("t_75", (97,))
    fire(made, "german-1", "soviet-1")
    assert made.state.units["soviet-1"].status == "eliminated"


# --- in play


@rule("6.5.4", "6.5.4.3-moving-reveal", "6.5.4.2.2-move")
def test_fire_at_a_squad_asks_nobody_and_shows_that_it_moves() -> None:
    made = announced(battle("s_sqd41", (90, 10, 1)), soviet="move")
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    assert made.state.units["soviet-1"].revealed
    (event,) = [event for event in made.events if event.kind == "fired"]
    assert event.calculation is not None
    assert "6.5.4.2.2-move" in [line.rule for line in event.calculation.lines]


@rule("6.5.4.3-moving-reveal", "6.5.4.3-moving")
def test_the_owner_of_a_vehicle_may_keep_its_move_a_secret_from_gp_fire() -> None:
    made = announced(battle("t34_43", (90, 10, 1)), soviet="move")
    made.play("german", Announce("german-1", "soviet-1", "g75l48 HE"))
    made.play("german", Resolve())
    made.play("soviet", Keep())
    (event,) = [event for event in made.events if event.kind == "fired"]
    assert event.calculation is not None
    assert rules_of(event.calculation) == {"6.5.4.3-type": -20}


@rule("6.5.3", "6.5.4.3-ow", "6.5.4.3-owadj")
def test_gp_fire_answers_a_squad_that_moves() -> None:
    made = announced(battle("s_sqd41", (90, 10, 1)), german="overwatch", soviet="move")
    while made.stack[-1].step != "movement" or made.stack[-1].side != "soviet":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    made.play("soviet", Move("soviet-1", "1-F4"))
    assert isinstance(made.stack[-1], Overwatch)
    made.play("german", Announce("german-1", "soviet-1"))
    (event,) = [event for event in made.events if event.kind == "fired"]
    assert event.calculation is not None
    assert rules_of(event.calculation) == {"6.5.4.3-ow": -5}


@rule("6.5.4.3-ow", "6.5.4.3-owadj", "6.5.3")
def test_overwatch_costs_more_outside_the_front() -> None:
    made = battle("s_sqd41")
    made.state.change("german-1", facing=2)
    ahead = rules_of(reckoned(made, overwatch=True))
    made.state.change("german-1", facing=5)
    behind = rules_of(reckoned(made, overwatch=True))
    assert (ahead, behind) == ({"6.5.4.3-ow": -5}, {"6.5.4.3-owadj": -10})


@rule("5.7", "6.1.3-a", "6.5.4")
def test_small_arms_are_seen_less_far_than_shells() -> None:
    made = battle("s_sqd41", (1,), german="g_sqd41")
    fire(made, "german-1", "soviet-1")
    assert made.state.units["german-1"].fresh == "small arms"
    made = battle("s_sqd41", (1,))
    fire(made, "german-1", "soviet-1")
    assert made.state.units["german-1"].fresh == "fire"


@rule("6.1.3-a", "4.4.1-d")
@pytest.mark.parametrize(
    ("weapon", "spot", "counter"),
    [
        ("g_hmg_w", "", "small arms"),
        ("g_hmg_w", "fire", "fire"),
        ("g_m81_w", "", "small arms"),
        ("pzf60", "", "fire"),
    ],
)
def test_small_arms_at_a_target_that_is_gone_leave_a_small_arms_counter(
    weapon: str, spot: Marker, counter: str
) -> None:
    made = battle("s_sqd41", ())
    squad = made.state.change("german-1", kind=CHARTS.legs["g_sqd41"], weapons=(weapon,), spot=spot)
    made.state.lift("soviet-1", "eliminated")
    name = next(arm.name for arm in arms_of(made.state, squad) if arm.row.weapon == weapon)
    fire(made, "german-1", "soviet-1", name)
    assert made.state.units["german-1"].fresh == counter


@rule("6.5.4")
def test_all_fire_at_a_squad_is_announced_before_any_is_resolved() -> None:
    two = 'units = [{ unit = "pz4h", count = 2, at = ["1-A4", "1-A5"] }]'
    made = game(
        text(german=two, soviet='units = [{ unit = "s_sqd41", at = ["1-G4"] }]', options=("AG",)), (90, 10, 1, 1)
    )
    made.state.spots = {"soviet-1": ("german-1", "german-2")}
    made.play("german", HandIn((Command("german-1", "fire"), Command("german-2", "fire", "german-1"))))
    made.play("soviet", HandIn())
    made.play(made.asked()[0], RollInitiative())
    made.play("german", Announce("german-1", "soviet-1"))
    assert isinstance(made.stack[-1], Attacking)
    made.play("german", Announce("german-2", "soviet-1"))
    made.play("german", Resolve())
    assert len(told(made, "fired")) == 2


# --- passengers [6.5.4.2.3, 6.5.4.5]


def riding(script: tuple[int, ...], transport: str = "tg_opel", suppression: Suppression = "") -> Game[Position]:
    """A German tank, and a Soviet squad aboard a truck."""
    trucks = [card for card in CHARTS.vehicles.values() if card.tr_leg >= 2 and not card.armed and not card.under_cover]
    assert trucks
    name = transport if transport in CHARTS.vehicles else trucks[0].id
    units = f'units = [{{ unit = "{name}", at = ["1-G4"] }}, {{ unit = "s_sqd41", at = ["1-G4"] }}]'
    made = game(text(soviet=units, options=("AG",)), script)
    made.state.change("soviet-2", hex=None, carrier="soviet-1", status="mounted", suppression=suppression)
    return made


@rule("6.5.4.2.3-joint", "6.5.4.2.3-bail", "6.5.4.2.3-gpd")
def test_passengers_are_attacked_one_by_one_with_a_defense_of_one() -> None:
    made = riding((1, 30, 40))
    fire(made, "german-1", "soviet-1", "g75l48 HE")
    shots = [event.calculation for event in made.events if event.kind == "fired" and event.calculation]
    assert [line.amount for line in shots[1].lines if line.kind == "defence"] == [1]
    assert CHARTS.gp_results[1].numbers(7) == (27, 45)
    assert told(made, "bail out") == ["Rifle squad 1941 1 bails out"]  # 30 suppresses; 40 is within the table's 40
    assert made.state.units["soviet-2"].hex == "1-G4"


@rule("6.5.4.5-repeat", "6.5.4.5")
@pytest.mark.parametrize(("before", "checks"), [("on", 0), ("off", 1)])
def test_only_passengers_without_a_fresh_counter_check_again(before: Suppression, checks: int) -> None:
    made = riding((1, 30, 99), suppression=before)
    fire(made, "german-1", "soviet-1", "g75l48 HE")
    assert len(told(made, "bail out")) == checks
    assert made.state.units["soviet-2"].carrier == "soviet-1"


@rule("6.5.4.2.3-bail", "6.5.4.4.2-eff-kill")
def test_the_passengers_of_a_lost_truck_escape_after_all_rolls() -> None:
    made = riding((97, 1, 10, 100))
    fire(made, "german-1", "soviet-1", "g75l48 HE")
    assert made.state.units["soviet-1"].status == "eliminated"
    assert (made.state.units["soviet-2"].hex, made.state.units["soviet-2"].suppression) == ("1-G4", "on")
