"""Bomb scatter [7.26-bomb] and paratroops [7.44.1]."""

from __future__ import annotations

import pytest

from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import hiding
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.air import attacks, crossing, flak, paratroops, phase, scatter
from opfire.rulesets.panzer.air.paratroops import Defend, Drop, DropStep, Fighting, Gather
from opfire.rulesets.panzer.charts import Altitude, Grade
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire import resolving
from opfire.rulesets.panzer.fire.close_assault import Band
from opfire.rulesets.panzer.fire.hand_to_hand import roll_off
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.indirect.kinds import Smoke
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import Descent, Position, Work, cover
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.works import buildings, fires
from opfire.rulesets.panzer.works.buildings import GoInside
from opfire.space.hexes import DIRECTIONS
from rules.panzer.battle import OPEN, game, refused, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import army, marching, tried
from rules.panzer.test_aircraft import PLANE, flying, sky

SQUAD = "soviet-2"
"""The first paratroop unit of the Soviets, after a tank in the corner."""


# --- bomb scatter [7.26-bomb]


@rule("7.26-bomb")
@pytest.mark.parametrize(
    ("flak", "most"),
    [
        ((), 0),
        ((("1-D6", "no effect"),), 2),
        ((("1-D6", "suppressed"),), 6),
        ((("1-D6", "no effect"), ("1-D5", "damaged")), 6),
        ((("1-L1", "suppressed"),), 0),
    ],
)
def test_bombs_scatter_after_fire_within_five_hexes(flak: tuple[tuple[str, str], ...], most: int) -> None:
    made = sky()
    unit = flying(made, "1-D6", 0, "slow", "medium")
    assert scatter.threshold(made.state, crossing.fly(made.state, unit, flak=flak)) == most


@rule("7.26-bomb")
@pytest.mark.parametrize(
    ("altitude", "grade", "dice", "hex"),
    [
        ("medium", "seasoned", (6, 1), "1-D4"),
        ("high", "seasoned", (6, 1), "1-D3"),
        ("medium", "seasoned", (7,), "1-D5"),
        ("medium", "elite", (5,), "1-D5"),
        ("medium", "veteran", (5, 4), "1-D6"),
        ("medium", "regulars", (7, 4), "1-D6"),
        ("medium", "green", (8, 4), "1-D6"),
    ],
)
def test_better_crews_scatter_less_and_height_doubles_it(
    altitude: Altitude, grade: Grade, dice: tuple[int, ...], hex: str
) -> None:
    made = sky(dice=dice, options=("7.26-bomb",))
    made.state.change(PLANE, grade=grade)
    unit = flying(made, "1-D6", 0, "slow", altitude)
    unit = crossing.fly(made.state, unit, flak=(("1-D6", "suppressed"),))
    assert scatter.impact(made, unit, "1-D5") == hex


@rule("7.26-bomb")
def test_bombs_may_scatter_off_the_map_and_do_not_without_the_option() -> None:
    made = sky(dice=(1, 1), options=("7.26-bomb",))
    unit = crossing.fly(made.state, flying(made, "1-D2", 0, "slow", "medium"), flak=(("1-D2", "suppressed"),))
    assert scatter.impact(made, unit, "1-D1") is None
    plain = sky()
    unit = crossing.fly(plain.state, flying(plain, "1-D2", 0, "slow", "medium"), flak=(("1-D2", "suppressed"),))
    assert scatter.impact(plain, unit, "1-D1") == "1-D1"


# --- terrain and fires under aircraft [6.7.3.2-pattern, 7.35]


TOWN = OPEN.replace("\n. . . . .", "\n. . . T .")
"""A street of wooden houses along the column D."""


@rule("6.7.3.2-pattern", "6.7.3.3", "7.35.1-check")
def test_bombs_attack_the_terrain_of_their_hexes_and_may_start_fires() -> None:
    made = sky(army(("pz4h", "1-D5")), dice=(1, 100, 100), board=TOWN, options=("7.35",))
    unit = flying(made, "1-D6", 0, "slow", "medium")
    phase.announce(made, PLANE, "german-1", "bombs")
    bombs = attacks.blow(made.state, unit, "P", "bombs")
    attacks.strike(made, bombs, "german-1")
    attacks.ravage(made, bombs, ("1-D5",))
    assert [work.kind for work in made.state.works["1-D5"]] == ["rubble"]
    assert made.state.struck == {"1-D5": unit.aircraft.bomb}


@rule("6.7.3.2-pattern", "7.35.1-check")
def test_strafing_with_small_arms_harms_no_terrain_and_starts_no_fire() -> None:
    made = sky(army(("pz4h", "1-D5")), "a_p51", board=TOWN, options=("7.35",))
    unit = flying(made, "1-D6", 0)
    attacks.ravage(made, attacks.blow(made.state, unit, "P", "strafe"), ("1-D5", "1-D4"))
    assert made.state.works == {}
    assert made.state.struck == {}


@rule("7.35.3")
@pytest.mark.parametrize(("options", "struck"), [(("7.35", "7.35.3"), {"1-D5": 4}), (("7.35",), {})])
def test_a_rocket_that_misses_a_vehicle_among_buildings_may_start_a_fire(
    options: tuple[str, ...], struck: dict[str, int]
) -> None:
    made = sky(army(("pz4h", "1-D5"), ("pz4h", "1-F1")), board=TOWN, options=options)
    rocket, gun = (next(row for row in CHARTS.weapons.values() if row.weapon == name) for name in ("pzf60", "g75l48"))
    target = made.state.units["german-1"]
    fires.stray(made.state, gun, target)
    assert made.state.struck == {}
    fires.stray(made.state, rocket, made.state.units["german-2"])
    fires.stray(made.state, rocket, target)
    assert made.state.struck == struck


@rule("7.35.3")
def test_the_miss_of_a_shot_counts() -> None:
    made = sky(army(("g_sqd44", "1-D4")), board=TOWN, dice=(1, 100), options=("7.35", "7.35.3"))
    made.state.change("german-1", weapons=("pzf60",))
    made.state.put("soviet-1", "1-D5")
    resolving.fire(made, "german-1", "soviet-1", "pzf60 HEAT")
    assert made.state.units["soviet-1"].under_fire
    assert made.state.struck == {"1-D5": 4}


# --- light anti-aircraft guns indoors [7.38.8]


@rule("7.38.8")
def test_a_machine_gun_goes_indoors_where_it_sees_no_aircraft() -> None:
    made = marching(army(("u_50aa", "1-D4")), {1: "move"}, board=TOWN, options=("7.38",))
    assert tried(made, GoInside("german-1")) is None
    unit = made.state.units["german-1"]
    assert (unit.inside, cover(made.state, unit, "combat")) == (True, "light")
    refusal = flak.no_flak(made.state, unit)
    assert refusal is not None
    assert refusal.rule == "6.7.4.1.1-order"
    assert buildings.cannot_leave(made.state, unit) is None


@rule("7.38.8")
@pytest.mark.parametrize(("gun", "options"), [("u_50aa", ()), ("t_20", ("7.38",))])
def test_no_other_gun_does_and_none_without_the_option(gun: str, options: tuple[str, ...]) -> None:
    made = marching(army((gun, "1-D4")), {1: "move"}, board=TOWN, options=options)
    assert refused(made, "german", GoInside("german-1")) == "6.6.3-who"


# --- paratroops [7.44.1]


def dropping(
    *dice: int,
    zone: str = "1-D4",
    german: str = "",
    board: str = OPEN,
    light: str = "moonlight",
    units: str = "s_sqd41 = 1",
    turn: int = 1,
    streams: str = "",
    options: tuple[str, ...] = (),
    more: str = "",
) -> Game[Position]:
    """The Soviets' drop in the first Movement Phase."""
    soviet = (
        army(("t34_43", "1-L8"))
        + f'\n[[sides.soviet.drops]]\nturn = {turn}\nhex = "{zone}"\nunits = {{ {units} }}\n{more}'
    )
    german = german or army(("pz4h", "1-L1"))
    conditions = f'\n[conditions]\nlight = "{light}"\nstreams = "{streams}"\n'
    made = game(
        text(board=board, german=german, soviet=soviet, turns=9, options=("AG", "7.44.1", "7.31", *options))
        + conditions,
        (10, 90, *dice),
    )
    return on(made)


def on(made: Game[Position]) -> Game[Position]:
    """Play on to the next drop, or the end of the dice."""
    while not isinstance(made.stack[-1], DropStep | Fighting):
        seat = made.asked()[0]
        acts = (Pass(), EndStep(), HandIn(), RollInitiative())
        made.play(seat, next(act for act in acts if made.why_not(seat, act) is None))
    return made


@rule("7.44.1", "7.44.1.1-1", "7.44.1.1-2", "7.44.1.2-ne", "7.44.1.3")
def test_a_squad_drifts_twice_lands_and_is_fired_at_as_a_mover() -> None:
    made = dropping(1, 3, 40, 20, 85)
    made.state.change("german-1", hex="1-D7", command="overwatch", revealed=True, facing=0)
    made.state.musters.clear()
    assert made.state.units[SQUAD].hex is None
    made.play("soviet", Drop(SQUAD))
    unit = made.state.units[SQUAD]
    assert unit.hex == made.state.map.name_at(_off(made, "1-D2", 2, 1))
    assert not unit.suppression
    assert isinstance(made.stack[-1], Overwatch)
    assert made.stack[-1].targets == (SQUAD,)
    assert (unit.moving, unit.seen_as) == (True, "move")


def _off(made: Game[Position], hex: str, way: int, steps: int) -> tuple[int, int]:
    q, r = made.state.map.coords[hex]
    return q + steps * DIRECTIONS[way][0], r + steps * DIRECTIONS[way][1]


@rule("7.44.1.1-3", "7.44.1.1-4")
@pytest.mark.parametrize(
    ("light", "labels", "net"),
    [
        ("day", (), -20),
        ("dusk", (), -10),
        ("moonlight", (), 0),
        ("moonlight", ("Pathfinder",), -20),
        ("day", ("Pathfinder",), -20),
    ],
)
def test_light_and_pathfinders_shorten_the_drift(light: str, labels: tuple[str, ...], net: int) -> None:
    made = dropping(light=light)
    made.state.put("soviet-1", "1-D4", labels=labels)
    assert paratroops.scatter_modifier(made.state, "soviet", "1-D4") == net


@rule("7.44.1.1-2")
def test_the_scatter_table_is_whole() -> None:
    made = dropping()
    assert [paratroops.scattered(made.state, net) for net in (-19, 15, 16, 35, 36, 100)] == [0, 0, 1, 1, 2, 5]


@rule("7.44.1.1-5", "7.44.1")
def test_the_fourth_unit_of_a_hex_rolls_its_distances_again() -> None:
    made = dropping(1, 1, 1, 1, 16, 1, 85, units="s_sqd41 = 4")
    for number in (3, 4, 5):
        made.state.put(f"soviet-{number}", "1-D4")
    made.play("soviet", Drop(SQUAD))
    assert made.state.units[SQUAD].hex == "1-D3"


@rule("7.44.1.1-5")
def test_pathfinders_do_not_fill_a_hex() -> None:
    made = dropping(units="s_sqd41 = 4")
    for number in (3, 4, 5):
        made.state.put(f"soviet-{number}", "1-D4")
    assert paratroops.crowded(made.state, "soviet", "1-D4")
    made.state.change("soviet-3", labels=("Pathfinder",))
    assert not paratroops.crowded(made.state, "soviet", "1-D4")


@rule("7.44.1.1-6")
def test_a_unit_that_drifts_off_the_map_waits_and_comes_in_at_the_edge() -> None:
    made = dropping(1, 4, 100, *(10, 90) * 3, zone="1-D3")
    made.play("soviet", Drop(SQUAD))
    assert made.state.units[SQUAD].hex is None
    descent = made.state.descents[SQUAD]
    assert (descent.turn, descent.hex, descent.astray) == (4, "1-D1", True)
    made.state.put("german-1", "1-D1")
    on(made)
    assert made.state.turn == 4
    assert refused(made, "soviet", Drop(SQUAD)) == "7.44.1"
    assert refused(made, "soviet", Gather(SQUAD, "1-D1")) == "7.44.1.1-6"
    assert refused(made, "soviet", Gather(SQUAD, "1-D3")) == "7.44.1.1-6"
    made.play("soviet", Gather(SQUAD, "1-D2"))
    assert made.state.units[SQUAD].hex == "1-D2"


@rule("7.44.1.1-7")
def test_a_unit_among_vehicles_gets_away_by_a_die() -> None:
    made = dropping(1, 1, 1, 1, 85, 4, german=army(("pz4h", "1-D4")))
    made.play("soviet", Drop(SQUAD))
    assert made.state.units[SQUAD].hex == "1-D5"


@rule("7.44.1.1-7")
def test_the_die_is_rolled_again_at_the_edge() -> None:
    made = dropping(1, 1, 1, 1, 85, 1, 4, german=army(("pz4h", "1-D1")), zone="1-D1")
    made.play("soviet", Drop(SQUAD))
    assert made.state.units[SQUAD].hex == "1-D2"


@rule("7.44.1.1-8")
def test_a_unit_among_men_fights_at_once_and_the_enemy_chooses_who() -> None:
    german = army(("g_hmg", "1-D4"), ("pz4h", "1-D4"), ("t_50", "1-D4"))
    made = dropping(1, 1, 1, 1, 90, 100, 1, 100, 1, 4, german=german)
    made.play("soviet", Drop(SQUAD))
    assert made.state.units[SQUAD].suppression == "on"
    assert isinstance(made.stack[-1], Fighting)
    assert made.asked() == ("german",)
    assert refused(made, "german", Defend("german-2")) == "7.44.1.1-8"
    made.play("german", Defend("german-3"))
    assert made.state.units["german-3"].status == "eliminated"
    assert made.stack[-1].first is False  # type: ignore[attr-defined]
    made.play("german", Defend("german-1"))
    assert made.state.units["german-1"].status == "eliminated"
    assert made.state.units[SQUAD].hex == "1-D5"


@rule("7.44.1.1-8")
def test_the_landing_counts_once_suppression_always_and_flames_never() -> None:
    made = dropping(german=army(("g_sqd44", "1-D4")))
    unit = made.state.put(SQUAD, "1-D4", suppression="on", weapons=("ft_man",))
    target = made.state.units["german-1"]
    labels = [
        {line.label for line in roll_off(made.state, Band((unit,), landed=True, shaken=first), target).lines}
        for first in (True, False)
    ]
    assert labels[0] - labels[1] == {"Parachute landing"}
    assert "Suppressed" in labels[1]
    assert "Flamethrower" not in labels[0]


@rule("7.44.1.1-8", "7.2.2.1-spot")
def test_a_unit_among_hidden_men_reveals_and_fights_them() -> None:
    """Germans under a counter in the landing hex: the paratroops lose with 1 against 100, twice."""
    made = dropping(
        1, 1, 1, 1, 85, 1, 100, 1, 100, german=army(("g_sqd44", "1-D4"), ("pz4h", "1-L1")), options=("7.2",)
    )
    hiding.lurk(made.state, "german-1", "1-D4", laid=True)
    assert made.state.units["german-1"].status == "hidden"
    made.play("soviet", Drop(SQUAD))
    assert made.state.units["german-1"].hex == "1-D4"
    assert isinstance(made.stack[-1], Fighting)
    made.play("german", Defend("german-1"))
    assert made.state.units[SQUAD].status == "eliminated"


@rule("7.44.1.1-6", "7.2.2.2")
def test_nobody_comes_in_where_a_hidden_counter_lies() -> None:
    made = dropping(german=army(("g_sqd44", "1-D4"), ("pz4h", "1-L1")), options=("7.2",))
    hiding.lurk(made.state, "german-1", "1-D4", laid=True)
    made.state.descents[SQUAD] = Descent(1, "1-D4", astray=True)
    assert "1-D4" not in paratroops.havens(made.state, made.state.units[SQUAD])


@rule("7.44.1.1-8", "7.1.3", "7.60.1.2-fire")
def test_the_fight_for_the_landing_hex_is_heard_and_tries_the_nerves_of_its_defenders() -> None:
    made = dropping(1, 1, 1, 1, 85, 100, 1, 100, 1, german=army(("g_sqd44", "1-D4")), options=("7.1", "7.60"))
    checked: list[tuple[str, str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paratroops.checks, "check", lambda game, unit, trigger: checked.append((unit, trigger)))
        made.play("soviet", Drop(SQUAD))
        made.state.change("german-1", searching=True)
        made.play("german", Defend("german-1"))
    assert checked == [("german-1", "assaulted")]
    assert made.state.units["german-1"].heard == ("1-D4",)


@rule("7.44.1.2-ne", "7.44.1.2-spr", "7.44.1.2-helm", "7.44.1.2-elm")
@pytest.mark.parametrize(
    ("roll", "unit", "kind", "suppression"),
    [
        (40, "s_sqd41", "squad", ""),
        (72, "s_sqd41", "squad", "on"),
        (95, "s_sqd41", "half-squad", "on"),
        (96, "s_sqd41", None, ""),
        (95, "s_hmg", None, ""),
    ],
)
def test_the_landing_status_in_woods(roll: int, unit: str, kind: str | None, suppression: str) -> None:
    """Woods: no effect to 40, suppressed to 72, half eliminated to 95."""
    made = dropping(1, 1, 1, 1, roll, board=OPEN.replace("\n. . . .", "\n. . . W"), zone="1-D1", units=f"{unit} = 1")
    made.play("soviet", Drop(SQUAD))
    found = made.state.units[SQUAD]
    assert (found.hex is not None) is (kind is not None)
    if kind:
        assert (found.kind.category, found.suppression) == (kind, suppression)


@rule("7.44.1.2-1")
def test_hexsides_have_no_effect_and_the_worst_terrain_counts() -> None:
    board = OPEN.replace("\n. . . . .", "\n. B . W .") + '[sides]\nwall = ["D1/D2", "F1/F2"]\n'
    made = dropping(board=board)
    assert [paratroops.ground_of(made.state, hex).terrain for hex in ("1-D1", "1-B1", "1-F1")] == [
        "woods",
        "building",
        "clear",
    ]
    made.state.works["1-F1"] = (Work("rubble"),)
    assert paratroops.ground_of(made.state, "1-F1").terrain == "rubble"


@rule("7.44.1.2-2")
@pytest.mark.parametrize(("streams", "left"), [("", True), ("impassable", False)])
def test_an_impassable_stream_is_landed_in_like_water(streams: str, left: bool) -> None:
    """Stream: suppressed from 51; water: eliminated from 36."""
    made = dropping(1, 1, 1, 1, 60, board=OPEN.replace("\n. . . .", "\n. . . ~"), zone="1-D1", streams=streams)
    made.play("soviet", Drop(SQUAD))
    assert (made.state.units[SQUAD].hex is not None) is left
    if left:
        assert made.state.units[SQUAD].suppression == "on"


@rule("7.44.1.2-2", "7.34")
def test_an_impassable_stream_is_closed_to_all_that_walk_and_drive() -> None:
    board = OPEN.replace("\n. . . .", "\n. . . ~")
    for streams, closed in (("", False), ("impassable", True)):
        ground = dropping(board=board, streams=streams).state.setting.ground
        assert (ground.entry("1-D1", "T") is None) is closed
        assert (ground.entry_on_foot("1-D1") is None) is closed
        assert ground.height(ground.map.coords["1-D1"]) == -1


@rule("7.44.1.2-3")
@pytest.mark.parametrize(
    ("smoke", "suppressed"),
    [((), False), ((Smoke(("1-D4",)),), True), ((Smoke(("1-D4",), lights=True), Smoke(("1-D4",), unit=SQUAD)), False)],
)
def test_smoke_of_a_barrage_in_the_landing_hex_adds_ten(smoke: tuple[Smoke, ...], suppressed: bool) -> None:
    """Clear ground: no effect to 85; with smoke 76 counts as 86. Wrecks, flares and dischargers change nothing."""
    made = dropping(1, 1, 1, 1, 76)
    made.state.smoke, made.state.wrecks["1-D4"] = smoke, "BU"
    made.play("soviet", Drop(SQUAD))
    assert (made.state.units[SQUAD].suppression == "on") is suppressed


# --- anti-aircraft fire at paratroops [7.44.1.4]

FLAK = ("7.44.1.4",)


def statuses(made: Game[Position]) -> list[str]:
    """The kind and suppression of each Soviet unit that jumps, or "lost"."""
    found = [unit for unit in made.state.units.values() if unit.id in made.state.descents]
    return [
        "lost" if unit.status == "eliminated" else f"{unit.kind.category} {unit.suppression}".strip() for unit in found
    ]


@rule("7.44.1.4")
@pytest.mark.parametrize(
    ("roll", "light", "left"),
    [
        (80, "moonlight", ["squad", "section"]),
        (81, "moonlight", ["squad on", "section on"]),
        (93, "moonlight", ["squad on", "section on"]),
        (94, "moonlight", ["half-squad on", "lost"]),
        (100, "moonlight", ["half-squad on", "lost"]),
        (75, "dusk", ["squad", "section"]),
        (76, "dusk", ["squad on", "section on"]),
        (96, "dusk", ["lost", "lost"]),
        (70, "day", ["squad", "section"]),
        (84, "day", ["half-squad on", "lost"]),
        (91, "day", ["lost", "lost"]),
    ],
)
def test_a_stick_is_fired_at_once_with_one_result_for_all(roll: int, light: str, left: list[str]) -> None:
    later = '[[sides.soviet.drops]]\nturn = 2\nhex = "1-D4"\nunits = { s_sqd41 = 1 }\n'
    made = dropping(roll, 10, 90, 1, light=light, units="s_sqd41 = 1, s_hmg = 1", more=later, options=FLAK)
    assert statuses(made) == [*left, "squad"]


@rule("7.44.1.4")
def test_a_stick_is_three_squads_or_as_much_in_half_squads() -> None:
    three = dropping(94, 1, units="s_sqd41 = 3", options=FLAK)
    assert statuses(three) == ["half-squad on"] * 3
    four = dropping(94, 1, units="s_sqd41 = 4", options=FLAK)
    assert statuses(four) == ["half-squad on"] * 3 + ["squad"]
    mixed = dropping(81, 1, units="s_sqd41 = 1, s_sqd41_h = 5", options=FLAK)
    assert statuses(mixed) == ["squad on"] + ["half-squad on"] * 4 + ["half-squad"]


@rule("7.44.1.4")
def test_nobody_fires_without_the_option_nor_at_pathfinders_nor_at_those_who_come_in_at_the_edge() -> None:
    assert statuses(dropping()) == ["squad"]
    named = '[[sides.soviet.formations]]\nname = "1."\ngrade = "seasoned"\nunits = { t34_43 = 1, s_sqd41 = 2 }\n'
    guided = dropping(94, units="s_sqd41 = 2", more=named + "labels = { Pathfinder = { s_sqd41 = 1 } }\n", options=FLAK)
    assert statuses(guided) == ["squad", "half-squad on"]
    astray = dropping(1, 1, 4, 100, *(10, 90) * 3, zone="1-D3", options=FLAK)
    astray.play("soviet", Drop(SQUAD))
    on(astray)
    assert statuses(astray) == ["squad"]


@rule("7.44.1.2-4")
def test_mines_attack_a_unit_that_lands_among_them() -> None:
    made = dropping(1, 1, 1, 1, 85, 1)
    made.state.works["1-D4"] = (Work("mines", "german", "hasty"),)
    made.play("soviet", Drop(SQUAD))
    assert made.state.units[SQUAD].kind.category == "half-squad"
    assert made.state.works["1-D4"][0].known


@rule("7.44.1.2-5")
def test_barrages_attack_a_unit_that_lands_under_them(monkeypatch: pytest.MonkeyPatch) -> None:
    made = dropping(1, 1, 1, 1, 85)
    met: list[str] = []
    monkeypatch.setattr(paratroops.barrages, "meet", lambda game, unit, before: met.append(unit))
    made.play("soviet", Drop(SQUAD))
    assert met == [SQUAD]


@rule("7.44.1")
def test_drops_need_their_option_and_a_side_in_the_air_is_not_beaten() -> None:
    soviet = 'units = []\n[[sides.soviet.drops]]\nturn = 2\nhex = "1-D4"\nunits = { s_sqd41 = 1 }\n'
    with pytest.raises(BadInput, match=r"7\.44\.1"):
        game(text(soviet=soviet, options=("AG",)))
    made = game(text(soviet=soviet, turns=9, options=("AG", "7.44.1")), (10, 90) * 2)
    on(made)
    assert made.state.turn == 2
    assert isinstance(made.stack[-1], DropStep)


@rule("7.44.1")
def test_any_hex_may_be_a_drop_zone_and_the_step_comes_before_the_moves() -> None:
    made = dropping(1, 1, 1, 1, 85)
    assert paratroops.due(made.state, "soviet") == [made.state.units[SQUAD]]
    made.play("soviet", Drop(SQUAD))
    while isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], Pass())
    assert isinstance(made.stack[-1], MovementStep)
    assert CHARTS.landing_status["water"].none < CHARTS.landing_status["clear"].none
