"""Single rules of the Advanced Game's ground battle: Limited weapons, advances on wheels and horses, ammunition."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.core.game import Game
from opfire.rulesets.panzer.adjusting import AdjustStep, cannot_pivot
from opfire.rulesets.panzer.air.crossing import concealed
from opfire.rulesets.panzer.charts import Leg
from opfire.rulesets.panzer.fire.arms import arms_of, cannot_use
from opfire.rulesets.panzer.fire.close_combat import cannot_advance, cannot_attack, farthest
from opfire.rulesets.panzer.fire.limits import limit_of
from opfire.rulesets.panzer.fire.overrun import cannot_overrun
from opfire.rulesets.panzer.fire.sheltering import hull_down
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.moving import legs
from opfire.rulesets.panzer.moving.going import Move
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.moving.transport import cannot_mount, take_aboard
from opfire.rulesets.panzer.pieces import Position, Unit, Work, cover, level
from opfire.rulesets.panzer.sighting.spots import sight_line
from opfire.rulesets.panzer.works.buildings import ChangeFloor, cannot_change_floor, cannot_come_out
from opfire.rulesets.panzer.works.entrenching import Designate, occupy
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army, marching, tried


def fielded(german: str, soviet: str = FAR, board: str = OPEN, options: tuple[str, ...] = ()) -> Position:
    """The position of an Advanced Game at its start, in which each side has spotted all."""
    state = game(text(board=board, german=german, soviet=soviet, options=("AG", *options))).state
    state.spots = {name: tuple(state.units) for name in state.units}
    return state


def row(number: int, words: str) -> str:
    """The open board with another row, counted from 1."""
    lines = OPEN.splitlines()
    lines[lines.index("hexes = '''") + number] = words
    return "\n".join(lines)


# --- Limited weapons [6.1.4.1.2-a]


def blocked(state: Position, unit: Unit) -> dict[str, str | None]:
    """The rules that keep each weapon of a vehicle from firing at the first Soviet unit."""
    found: dict[str, str | None] = {}
    for arm in arms_of(state, unit):
        refusal = cannot_use(state, unit, arm, state.units["soviet-1"])
        found[arm.name] = refusal.rule if refusal else None
    return found


@rule("6.1.4.1.2-a")
def test_a_limited_weapon_is_silent_when_its_vehicle_is_hull_down() -> None:
    state = fielded(army(("m3lee", "1-A4")), army(("t34_43", "1-A8")))
    lee = state.change("german-1", facing=3)
    hull, turret = "u75m2 AP", "u37 AP"
    assert blocked(state, lee)[hull] is None
    assert blocked(state, state.change("german-1", hull_down="partial"))[hull] is None
    found = blocked(state, state.change("german-1", hull_down="full"))
    assert (found[hull], found[turret]) == ("6.1.4.1.2-a", None)


@rule("6.1.4.1.2-a")
def test_a_limited_weapon_is_silent_inside_bricks_but_not_in_the_alley() -> None:
    state = fielded(army(("m3lee", "1-A4")), army(("t34_43", "1-A8")), row(4, "B . . . . . . . . . . ."))
    assert blocked(state, state.change("german-1", facing=3))["u75m2 AP"] is None
    assert blocked(state, state.change("german-1", inside=True))["u75m2 AP"] == "6.1.4.1.2-a"


@rule("6.1.4.1.2-a")
def test_the_hull_gun_of_a_vehicle_without_the_note_fires_hull_down() -> None:
    free = next(card for card in CHARTS.vehicles.values() if card.second_hull and not card.limited)
    state = fielded(army((free.id, "1-A4")), army(("t34_43", "1-A8")))
    assert "6.1.4.1.2-a" not in blocked(state, state.change("german-1", facing=3, hull_down="full")).values()


# --- advances on wheels and horses [6.6.4.4-ca, 6.6.4.5-ca]


@rule("6.6.4.4-ca", "6.6.4.5-ca")
@pytest.mark.parametrize(("unit", "most"), [("g_sqd41", 1), ("g_recon", 2), ("g_cav", 2)])
def test_motorcycles_and_cavalry_advance_with_half_of_their_allowance(unit: str, most: int) -> None:
    assert farthest(fielded(army((unit, "1-A4"))).units["german-1"]) == most


@rule("6.6.4.4-ca")
def test_a_motorcycle_advances_at_the_cost_of_wheels() -> None:
    board = row(5, "g . . . . . . . . . . .")
    squad, riders = (fielded(army((unit, "1-A4")), board=board) for unit in ("g_sqd41", "g_recon"))
    assert board_word(squad, "1-A5") == ("light grove",)
    assert cannot_advance(squad, squad.units["german-1"], "1-A5") is None
    assert cannot_advance(riders, riders.units["german-1"], "1-A5") is None
    rough = fielded(army(("g_recon", "1-A4")), board=row(5, "r . . . . . . . . . . ."))
    assert refused_by(cannot_advance(rough, rough.units["german-1"], "1-A5")) == "6.6.1.1-adv"


def board_word(state: Position, hex: str) -> tuple[str, ...]:
    return tuple(state.map.cells[hex].terrain)


def refused_by(refusal: Refusal | None) -> str | None:
    return refusal.rule if refusal else None


# --- suppressed units in close combat [6.6.2-or]


@rule("6.6.2-or")
def test_suppressed_vehicles_overrun_but_suppressed_squads_do_not_assault() -> None:
    state = fielded(army(("pz4h", "1-B4"), ("g_sqd41", "1-B4")), army(("s_sqd41", "1-B5")))
    tank = state.change("german-1", command="move", suppression="on", facing=3)
    assert cannot_overrun(state, tank, state.units["soviet-1"]) is None
    squad = state.change("german-2", command="move", suppression="off")
    assert refused_by(cannot_attack("german", squad)) == "6.6.1.1-who"
    assert cannot_attack("german", state.change("german-2", suppression="")) is None


# --- ammunition of leg and towed units [5.16.2.4]

GUN = army(("tg_blitz", "1-A4"), ("t_75", "1-A4"))


def limits(state: Position, unit: Unit) -> dict[str, int | None]:
    """The limits of the plain and the special AP rounds of a gun."""
    return {arm.row.ammo: limit_of(state, unit, arm) for arm in arms_of(state, unit) if arm.is_ap}


@rule("5.16.2.4")
def test_plain_rounds_do_not_run_out_next_to_the_units_own_transport() -> None:
    state = fielded(GUN)
    away = state.change("german-2", hex="1-C4", depot="1-A4", transport="german-1")
    short = limits(state, away)
    assert short["AP"] is not None
    state.change("german-1", hex="1-C5")
    near = limits(state, away)
    assert near["AP"] is None
    assert [near[ammo] for ammo in near if ammo != "AP"] == [short[ammo] for ammo in short if ammo != "AP"]
    state.lift("german-1", "eliminated")
    assert limits(state, away) == short


@rule("5.16.2.4")
def test_another_vehicle_supplies_nobody_and_the_depot_does() -> None:
    state = fielded(army(("tg_blitz", "1-C4"), ("t_75", "1-C4"), ("tg_blitz", "1-L1")))
    gun = state.change("german-2", depot="1-A4", transport="german-3")
    assert limits(state, gun)["AP"] is not None
    assert limits(state, state.change("german-2", depot="1-C4"))["AP"] is None


@rule("5.16.2.4")
def test_the_first_vehicle_that_carries_a_unit_is_its_own() -> None:
    made = game(text(german=army(("tg_blitz", "1-A4"), ("t_75", "tg_blitz")), soviet=FAR, options=("AG",)))
    assert made.state.units["german-2"].transport == "german-1"
    state = fielded(GUN)
    made = game(text(german=GUN, soviet=FAR, options=("AG",)))
    take_aboard(made, made.state.units["german-1"], "german-2")
    assert made.state.units["german-2"].transport == "german-1"
    made.state.change("german-2", transport="another")
    take_aboard(made, made.state.units["german-1"], "german-2")
    assert made.state.units["german-2"].transport == "another"
    assert state.units["german-2"].transport == ""


# --- guns and squads in buildings [6.1.4.3.1-a, 6.1.4.3.1-b, 6.6.4.1-bldg]

BRICKS = row(4, "B . . . . . . . . . . .")
HOUSED = """
[[sides.german.formations]]
name = "A"
grade = "seasoned"
units = { t_75 = 2 }
indoors = { t_75 = 1 }
"""


def housed(units: str = '{ unit = "t_75", count = 2, at = ["1-A4"] }', section: str = HOUSED) -> Position:
    scenario = text(board=BRICKS, german=f"units = [{units}]\n{section}", soviet=FAR, options=("AG",))
    return game(scenario).state


@rule("6.1.4.3.1-a")
def test_a_gun_is_in_the_alley_unless_the_scenario_puts_it_inside() -> None:
    state = housed()
    inside, outside = state.units["german-1"], state.units["german-2"]
    assert (inside.inside, outside.inside) == (True, False)
    assert cover(state, inside, "combat") == "medium"  # the bricks
    assert cover(state, outside, "combat") == "light"  # the alley
    open_ground = housed('{ unit = "t_75", count = 2, at = ["1-C4"] }')
    assert not open_ground.units["german-1"].inside


@rule("6.1.4.3.1-a")
def test_a_gun_inside_pivots_but_does_not_move_or_mount() -> None:
    state = housed()
    inside = state.change("german-1", command="move")
    outside = state.change("german-2", command="move")
    found = legs.step(state, inside, "1-A5")
    assert isinstance(found, Refusal)
    assert found.rule == "6.1.4.3.1-a"
    assert not isinstance(legs.step(state, outside, "1-A5"), Refusal)
    assert cannot_pivot(inside, (inside.facing + 1) % 6) is None
    lorry = fielded(army(("tg_blitz", "1-A4"))).units["german-1"]
    assert refused_by(cannot_mount(state, lorry, inside)) == "6.1.4.3.1-a"
    assert cannot_mount(state, lorry, outside) is None
    assert refused_by(cannot_come_out(inside)) == "6.6.3-who"


@rule("5.2", "6.1.4.3.1-a")
def test_some_guns_do_not_fire_from_inside() -> None:
    state = fielded(army(("t_88flak", "1-A4")), army(("t34_43", "1-A8")), BRICKS)
    gun = state.change("german-1", facing=3)
    assert set(blocked(state, gun).values()) == {None}
    assert set(blocked(state, state.change("german-1", inside=True)).values()) == {"5.2"}
    small = fielded(army(("t_37", "1-A4")), army(("t34_43", "1-A8")), BRICKS)
    assert None in blocked(small, small.change("german-1", inside=True, facing=3)).values()


def tall() -> str:
    """A brick building of five storeys in A4, and woods in A5."""
    lines = OPEN.splitlines()
    first = lines.index("hexes = '''")
    lines[first + 4] = "B . . . . . . . . . . ."
    lines[first + 5] = "W . . . . . . . . . . ."
    lines.insert(first, "storeys = { A4 = 5 }")
    return "\n".join(lines)


@rule("6.1.4.3.1-b")
def test_squads_motorcycles_and_cavalry_are_inside_their_building() -> None:
    for unit in ("g_sqd41", "g_recon", "g_cav"):
        state = fielded(army((unit, "1-A4")), board=BRICKS)
        assert cover(state, state.units["german-1"], "combat") == "medium"
        assert cover(state, state.units["german-1"], "spotting") == "heavy"


@rule("6.1.4.3.1-b")
def test_a_squad_on_the_top_floor_sees_over_woods_from_one_below_the_roof() -> None:
    state = fielded(army(("g_sqd41", "1-A4")), army(("t34_43", "1-A8")), tall())
    squad, tank = state.units["german-1"], state.units["soviet-1"]
    assert refused_by(sight_line(state, squad, tank)) == "4.1.4.2.1"
    squad = state.change("german-1", upper=True)
    assert sight_line(state, squad, tank) is None
    assert sight_line(state, tank, squad) is None
    assert refused_by(state.setting.line("1-A4", "1-A8")) == "4.1.4.2.1"


@rule("6.6.4.1-bldg", "6.1.4.3.1-b")
def test_a_change_of_floors_costs_one() -> None:
    made = marching(army(("g_sqd41", "1-A4")), {1: "move"}, board=tall())
    up = ChangeFloor("german-1")
    assert tried(made, up) is None
    assert made.state.units["german-1"].upper
    frame = made.stack[-1]
    assert isinstance(frame, Moving)
    assert frame.going.spent == 1
    assert tried(made, Move("german-1", "1-A3")) == "6.6.4.1-bldg"
    assert tried(made, up) is None
    assert not made.state.units["german-1"].upper
    assert tried(made, up) == "6.6.4.1-bldg"  # both points are spent


@rule("6.1.4.3.1-b", "6.6.4.1-bldg")
def test_no_upper_floor_for_vehicles_guns_and_low_buildings() -> None:
    low = fielded(army(("g_sqd41", "1-A4")), board=BRICKS)
    assert refused_by(cannot_change_floor(low, low.units["german-1"])) == "6.1.4.3.1-b"
    for unit in ("pz4h", "t_37"):
        state = fielded(army((unit, "1-A4")), board=tall())
        assert refused_by(cannot_change_floor(state, state.units["german-1"])) == "6.1.4.3.1-b"


@rule("5.1.3.4")
def test_hand_held_rockets_do_not_fire_from_upper_floors() -> None:
    state = fielded(army(("g_sqd44", "1-A4")), army(("t34_43", "1-A5")), BRICKS)
    for upper, why in ((False, None), (True, "5.1.3.4")):
        squad = state.change("german-1", weapons=("pzf60",), upper=upper)
        rocket = next(arm for arm in arms_of(state, squad) if arm.is_ap)
        assert refused_by(cannot_use(state, squad, rocket, state.units["soviet-1"])) == why


# --- Improved Positions as Partial Hull Down ones [6.1.4.1.2]


def entrenched(hull: str = "m3lee") -> Game[Position]:
    """A vehicle in an Improved Position at A4, looking south at a T-34, and a squad, before they adjust."""
    units = army((hull, "1-A4"), ("g_sqd41", "1-A4"))
    made = game(text(german=units, soviet=army(("t34_43", "1-A8")), options=("AG",)))
    made.state.change("german-1", facing=3)
    made.state.works["1-A4"] = (Work("improved position", holder="german-1", facing=3),)
    made.push(AdjustStep("german"))
    made.run()
    return made


@rule("6.1.4.1.2", "6.1.4.1.2-a")
def test_a_vehicle_stands_higher_in_its_position_and_fires_its_limited_weapon() -> None:
    made, higher = entrenched(), Designate("german-1")
    assert higher in list(made.choices("german"))
    for kind, why in (("full", "6.1.4.1.2-a"), ("partial", None), ("full", "6.1.4.1.2-a")):
        state = made.state
        lee, tank = state.units["german-1"], state.units["soviet-1"]
        assert hull_down(state, tank, lee) == kind
        assert blocked(state, lee)["u75m2 AP"] == why
        made.play("german", higher)


@rule("6.1.4.1.2", "6.1.4.3.7")
def test_the_rear_of_a_position_stays_open_and_the_next_vehicle_is_hull_down() -> None:
    made = entrenched()
    made.play("german", Designate("german-1"))
    state = made.state
    behind = state.change("soviet-1", hex="1-A1")
    assert hull_down(state, behind, state.units["german-1"]) == ""
    state.change("german-1", hex="1-B4")
    occupy(state, state.put("soviet-1", "1-A4", facing=3))
    assert [(work.holder, work.partial) for work in state.works["1-A4"]] == [("soviet-1", False)]


@rule("6.1.4.1.2")
def test_only_vehicles_in_positions_choose() -> None:
    made = entrenched()
    assert refused(made, "german", Designate("german-2")) == "6.1.4.1.2"
    made.state.works = {}
    assert refused(made, "german", Designate("german-1")) == "6.1.4.1.2"


# --- Desert Buildings [4.1.4.1.3.1, 6.5.4.2.2-roof]


def desert(german: str, board: str = BRICKS, soviet: str = FAR, **conditions: bool) -> Position:
    """The position at the start of a game in North Africa, whose buildings have flat roofs."""
    state = fielded(german, soviet, board)
    sections = state.setting.sections
    flat = replace(sections.conditions, **{"desert_buildings": True, **conditions})
    state.setting.sections = replace(sections, conditions=flat)
    return state


@rule("4.1.4.1.3.1")
@pytest.mark.parametrize(("unit", "why"), [("g_sqd41", None), ("g_cav", None), ("pz4h", "R"), ("t_37", "R")])
def test_leg_units_go_up_to_the_roof_of_a_single_storey(unit: str, why: str | None) -> None:
    state = desert(army((unit, "1-A4")))
    found = cannot_change_floor(state, state.units["german-1"])
    assert (found is None) is (why is None)
    plain = desert(army((unit, "1-A4")), desert_buildings=False)
    assert refused_by(cannot_change_floor(plain, plain.units["german-1"])) == "6.1.4.3.1-b"


@rule("4.1.4.1.3.1")
def test_there_is_no_roof_over_rubble_or_open_ground() -> None:
    state = desert(army(("g_sqd41", "1-A4"), ("g_sqd41", "1-B4")))
    assert refused_by(cannot_change_floor(state, state.units["german-2"])) == "6.1.4.3.1-b"
    state.works["1-A4"] = (Work("rubble"),)
    assert refused_by(cannot_change_floor(state, state.units["german-1"])) == "6.1.4.3.1-b"


@rule("6.5.4.2.2-roof")
@pytest.mark.parametrize(("letter", "below"), [("B", "medium"), ("S", "heavy"), ("T", "light")])
def test_a_roof_is_light_cover_whatever_the_building(letter: str, below: str) -> None:
    state = desert(army(("g_sqd41", "1-A4")), board=row(4, f"{letter} . . . . . . . . . . ."))
    squad = state.units["german-1"]
    assert cover(state, squad, "combat") == below
    on_top = state.change("german-1", upper=True)
    assert (cover(state, on_top, "combat"), cover(state, on_top, "spotting")) == ("light", "light")
    card = on_top.kind
    assert isinstance(card, Leg)
    found = shot(state, state.units["soviet-1"], on_top, False)
    assert [line.amount for line in found.lines if line.kind == "defence"] == [card.gpd("light")]


@rule("4.1.4.1.3.1")
@pytest.mark.parametrize(("flat", "height"), [(True, 5), (False, 4)])
def test_a_roof_is_as_high_as_its_building(flat: bool, height: int) -> None:
    state = desert(army(("g_sqd41", "1-A4")), tall(), desert_buildings=flat)
    assert level(state, state.change("german-1", upper=True)) == height
    assert level(state, state.change("german-1", upper=False)) == 0


@rule("4.1.4.1.3.1")
def test_a_squad_on_the_roof_sees_over_woods_that_hide_others_from_the_top_floor() -> None:
    # woods have Height 3: a squad sees over those next to it from Height 4, and not from 3
    board = tall().replace("A4 = 5", "A4 = 4")
    for flat, why in ((True, None), (False, "4.1.4.2.2")):
        state = desert(army(("g_sqd41", "1-A4")), board, army(("t34_43", "1-A8")), desert_buildings=flat)
        squad, tank = state.change("german-1", upper=True), state.units["soviet-1"]
        assert refused_by(sight_line(state, squad, tank)) == why
        assert refused_by(sight_line(state, tank, squad)) == why


@rule("4.1.4.1.3.1", "5.1.3.4")
def test_hand_held_rockets_fire_from_roofs() -> None:
    state = desert(army(("g_sqd44", "1-A4")), soviet=army(("t34_43", "1-A5")))
    squad = state.change("german-1", weapons=("pzf60",), upper=True)
    rocket = next(arm for arm in arms_of(state, squad) if arm.is_ap)
    assert cannot_use(state, squad, rocket, state.units["soviet-1"]) is None


@rule("4.1.4.1.3.1", "6.7.3.1.1-cover")
def test_aircraft_find_men_on_a_roof() -> None:
    state = desert(army(("g_sqd41", "1-A4")))
    assert concealed(state, state.units["german-1"])
    assert not concealed(state, state.change("german-1", upper=True))


@rule("4.1.4.1.3.1", "6.6.4.1-bldg")
def test_the_way_to_the_roof_costs_one_and_is_told() -> None:
    made = marching(army(("g_sqd41", "1-A4")), {1: "move"}, board=BRICKS)
    sections = made.state.setting.sections
    made.state.setting.sections = replace(sections, conditions=replace(sections.conditions, desert_buildings=True))
    made.play("german", ChangeFloor("german-1"))
    assert told(made, "moved") == ["Rifle squad 1 goes up to the roof"]
    assert made.state.units["german-1"].upper
