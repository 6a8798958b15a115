"""More edges of rules that no test of theirs noticed: reach and range, what counts once, who is left out."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.errors import BadInput
from opfire.rulesets.panzer import commands, hiding, initiative, pieces, span, stowed
from opfire.rulesets.panzer.commands import Command
from opfire.rulesets.panzer.fire import ap_fire, arms, limits
from opfire.rulesets.panzer.fire.close_combat import Band, struggle
from opfire.rulesets.panzer.fire.direct_fire import DirectFireStep
from opfire.rulesets.panzer.fire.hand_to_hand import roll_off
from opfire.rulesets.panzer.fire.sheltering import shelters
from opfire.rulesets.panzer.fire.shots import shot
from opfire.rulesets.panzer.indirect import calling, observers, screens
from opfire.rulesets.panzer.indirect.calling import ProbeFire
from opfire.rulesets.panzer.indirect.kinds import Call, Smoke
from opfire.rulesets.panzer.indirect.observers import source
from opfire.rulesets.panzer.indirect.responding import response
from opfire.rulesets.panzer.indirect.step import cannot_arrive
from opfire.rulesets.panzer.moving import swimming, transport
from opfire.rulesets.panzer.moving.costs import Step as Price
from opfire.rulesets.panzer.moving.going import Going, Move, must_follow_road, too_far, turning
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.pieces import Hex, Mask, Position
from opfire.rulesets.panzer.sequence import stands_for
from opfire.rulesets.panzer.shown.card import _curves
from opfire.rulesets.panzer.shown.ways import _flights
from opfire.rulesets.panzer.works import fires
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army, marching, tried
from rules.panzer.shelling import GUNS, shelling, with_guns
from rules.panzer.test_edges import fielded
from rules.panzer.test_special_movement import ground, sided

LEIG = '{ unit = "o_g75", level = "attached" }'


# --- fire


@rule("6.1.4.3.2")
@pytest.mark.parametrize(("at", "found"), [("1-A1", ["wall"]), ("1-A8", []), ("1-A4", [])])
def test_a_wall_shelters_a_target_right_behind_it(at: Hex, found: list[str]) -> None:
    """The wall lies to the north of A3: it shelters from the north, and not from the south."""
    sides = {"german": army(("pz4h", at)), "soviet": army(("s_sqd41", "1-A3"))}
    state = game(text(board=sided("wall", "A2/A3"), options=("AG",), **sides)).state
    assert [*shelters(state, state.units["german-1"], state.units["soviet-1"])] == found


@rule("6.6.1.2.1")
def test_equal_totals_are_rolled_again_and_nobody_is_favoured() -> None:
    """Two squads alike: of 10,000 pairs of rolls 100 are ties, and each side wins half of the rest."""
    sides = {"german": army(("g_sqd44", "1-A4")), "soviet": army(("g_sqd44", "1-B4"))}
    state = game(text(options=("AG",), **sides)).state
    own, foe = state.units["german-1"], state.units["soviet-1"]
    made = roll_off(state, Band((own,)), replace(foe, grade=own.grade))
    assert made.modifier == 0
    chances = {name: chance * 10_000 for name, chance in made.chances().items()}
    assert sorted(chances.values()) == [100, 4950, 4950]


@rule("5.1", "5.2")
def test_fields_of_fire_of_turrets_hulls_guns_and_men() -> None:
    """Turreted vehicles and leg units fire all round, a suppressed unit and a gun to the front."""
    state = fielded(("pz4h", "1-A4"), ("stug3g", "1-A5"), ("t_75", "1-B4"), ("g_sqd44", "1-B5"))
    units = [state.units[f"german-{number}"] for number in range(1, 5)]
    assert [arms.arc_of(unit) for unit in units] == ["all", "front", "front", "all"]
    assert arms.arc_of(replace(units[3], suppression="on")) == "front"
    unnamed = replace(units[0], kind=replace(units[0].vehicle, main_arc=""))
    assert arms.arc_of(unnamed) == "all"


@rule("4.4.3")
def test_ap_rows_are_ap_fire_and_others_are_not() -> None:
    state = fielded(("pz4h", "1-A4"))
    found = {arm.name: arm.is_ap for arm in arms.arms_of(state, state.units["german-1"])}
    assert found["g75l48 AP"]
    assert not found["g75l48 HE"]


@rule("5.1.2", "5.1.3.2", "6.5.4")
@pytest.mark.parametrize(("date", "there"), [("1939-12", False), ("1940-01", True), ("1940-02", True), ("", True)])
def test_a_weapon_is_there_from_its_first_month_on(date: str, there: bool) -> None:
    assert CHARTS.weapons["pzb39", "L", "AP", "AP"].first == "1940-01"
    state = fielded(("g_sqd41", "1-A4"), date=date)
    unit = state.change("german-1", weapons=("pzb39",))
    assert ("pzb39 AP" in [arm.name for arm in arms.arms_of(state, unit)]) == there


@rule("4.4.3.2.2")
@pytest.mark.parametrize(("times", "amount", "label"), [(1, -2, "Brew-up smoke"), (3, -6, "Brew-up smoke, 3 times")])
def test_the_line_of_a_modifier_tells_how_often_it_counts(times: int, amount: int, label: str) -> None:
    """ "The modifier is applied for each unique occurrence": -2 each."""
    line = ap_fire.modifier(CHARTS, "brewup smoke", times)
    assert (line.amount, str(line.label)) == (amount, label)
    assert str(ap_fire.modifier(CHARTS, "target moving", times).label) == "Target moving"
    assert ap_fire.modifier(CHARTS, "target moving", times).amount == -2


@rule("4.4.3.2.3", "4.4.3.2.6")
@pytest.mark.parametrize(("front", "effect"), [(7, "damaged"), (8, "miss")])
def test_a_penetration_equal_to_the_armor_damages_and_a_lower_one_does_not(front: int, effect: str) -> None:
    """ "Equal to or greater by 1-3": an anti-tank rifle of 7 against 7 damages, against 8 it does nothing."""
    state = game(text(german='units = [{ unit = "pz4h", at = ["1-A4"] }]')).state
    firer, target = state.units["german-1"], state.units["soviet-1"]
    value = shot(state, firer, target, False).lines
    reached = next(line.amount for line in value if line.rule == "4.4.3.2.5")
    target = state.change("soviet-1", kind=replace(target.vehicle, basic_front=reached + front - 7, basic_rear=99))
    chances = shot(state, firer, target, False).chances()
    assert (effect == "damaged") == ("damaged" in chances)
    assert "knocked out" not in chances


@rule("5.16.2.4")
def test_a_depot_supplies_towed_and_leg_units_and_no_vehicle() -> None:
    """A gun in the hex where it started is supplied, a tank in the same hex keeps its limits."""
    state = fielded(("t_75", "1-A4"), ("pz4h", "1-A4"))
    assert state.units["german-2"].hex == "1-A4"
    assert limits.supplied(state, state.units["german-1"])
    assert not limits.supplied(state, state.change("german-2", depot="1-A4"))
    assert not limits.supplied(state, state.change("german-1", hex="1-C6"))


@rule("6.6.1.1-announce")
@pytest.mark.parametrize(("attached", "burns"), [("", False), ("g_flame", True)])
def test_flamethrowers_alone_set_the_hex_of_a_close_combat_on_fire(
    attached: str, burns: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fire is looked for after an attack with flames, and after no other [7.35.1]."""
    noted = list[Hex]()
    monkeypatch.setattr(fires, "note", lambda position, hex, factor: noted.append(hex))
    sides = {"german": army(("g_sqd44", "1-A4")), "soviet": army(("s_sqd41", "1-B4"))}
    made = game(text(options=("AG", "7.35"), **sides), None)
    band = Band((made.state.units["german-1"],))
    if attached:
        monkeypatch.setattr(Band, "flames", True)
    struggle(made, band, "soviet-1")
    assert noted == (["1-B4"] if burns else [])


# --- the number that counts


@rule("3.8")
@pytest.mark.parametrize(("vehicles", "over"), [(5, False), (6, True), (7, True)])
def test_six_vehicles_or_towed_units_overstack_a_hex(vehicles: int, over: bool) -> None:
    """ "6 or more vehicles and/or dismounted towed units"; leg units do not count."""
    tanks = [("pz4h" if number % 2 else "t_75", "1-A4") for number in range(vehicles)]
    state = fielded(*tanks, ("g_sqd44", "1-A4"))
    assert pieces.overstacked(state, "1-A4") == over
    assert pieces.overstacked(state, "1-A4", besides=1) == (vehicles >= 5)


@rule("7.52-chq")
@pytest.mark.parametrize(
    ("available", "moves", "refused"), [(5, 2, False), (5, 3, True), (4, 2, False), (1, 1, False), (1, 2, True)]
)
def test_half_of_the_commands_may_be_to_move_beyond_command_span(
    available: int, moves: int, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounded down, and one at least."""
    monkeypatch.setattr(span, "out_of_span", lambda *_: True)
    state = fielded(("pz4h", "1-A4"), options=("7.52",))
    formation = state.units["german-1"].formation
    assert (span.too_many_moves(state, formation, moves, available) is not None) == refused


@rule("5.16.2")
def test_limited_smoke_takes_one_die_of_ten() -> None:
    made = game(text(german=army(("g_sqd44", "1-A4")), options=("AG", "7.22")), (5,))
    assert screens._rolled(made, made.state.units["german-1"], 5, "7.22.1")
    (event,) = [event for event in made.events if event.kind == "smoke"] or [None]
    assert event is None or event.dice == (5,)


@rule("7.9-effect", "7.22.1")
def test_smoke_of_a_unit_covers_it_and_its_enemy_and_nobody_else() -> None:
    sides = {"german": army(("pz4h", "1-A4"), ("pz4h", "1-A4")), "soviet": army(("t34_43", "1-D4"))}
    state = game(text(options=("AG", "7.9"), **sides)).state
    first, second, foe = (state.units[name] for name in ("german-1", "german-2", "soviet-1"))
    assert screens.screens(state, foe, first) == 0
    state.smoke = (Smoke(("1-A4",), unit="german-1", fresh=False),)
    assert [screens.screens(state, foe, unit) for unit in (first, second)] == [1, 0]
    assert screens.screens(state, first, foe) == 1


# --- movement


@rule("4.5.1.1.4")
def test_one_hexside_is_free_and_men_turn_for_nothing() -> None:
    state = fielded(("pz4h", "1-A4"), ("g_sqd44", "1-B4"))
    tank, squad = state.change("german-1", facing=0), state.change("german-2", facing=0)
    assert turning(state, tank, 1, Going()) == 0
    assert turning(state, tank, 2, Going()) == 1
    assert turning(state, squad, 3, Going()) == 0


@rule("4.5.1.1.3")
def test_the_free_first_step_is_lost_by_a_turn_that_costs() -> None:
    """A first step may cost more than the allowance; not after something was spent, nor after another step."""
    state = fielded(("pz4h", "1-A4"))
    tank = state.units["german-1"]
    dear = Price(99)
    for going, free in ((Going(), True), (Going(spent=1), False), (Going(steps=1, spent=1), False)):
        refusal = too_far(state, tank, going, going._replace(spent=going.spent + 99, steps=going.steps + 1), dear)
        assert (refusal is None) == free


@rule("4.5.1.1.5-a")
def test_the_road_rate_of_a_longer_way_does_not_pay_for_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hexes by path that cost too much have to become a road move; one hex is free of it."""
    from opfire.rulesets.panzer.moving import going as moves

    monkeypatch.setattr(moves, "becomes_road", lambda *_: True)
    state = fielded(("pz4h", "1-A4"))
    tank = state.units["german-1"]
    for steps, refused in ((1, False), (2, True), (3, True)):
        going = Going(spent=99, steps=steps, paths=steps)
        assert going.rate == "path"
        assert (must_follow_road(state, tank, going) is not None) == refused


@rule("4.4.2-a")
def test_a_sound_vehicle_goes_on_after_each_step() -> None:
    made = marching(army(("pz4h", "1-A6")), {1: "move"}, facing=0)
    assert tried(made, Move("german-1", "1-A5"), Move("german-1", "1-A4"), Move("german-1", "1-A3")) is None
    assert isinstance(made.stack[-1], Moving)


@rule("6.6.7.1.1-dismount", "6.1.3-c")
def test_a_passenger_that_is_set_down_has_moved() -> None:
    made = game(text(german=army(("tg_blitz", "1-A4"), ("g_sqd44", "tg_blitz")), soviet=FAR, options=("AG",)))
    unit = transport.set_down(made, "german-2", "1-A4", 3)
    assert (unit.moved, unit.moving, unit.fresh, unit.dismounted) == (True, True, "move", True)
    assert (unit.hex, unit.facing, unit.carrier) == ("1-A4", 3, None)


@rule("5.2.1")
def test_only_passengers_of_a_vehicle_leave_it() -> None:
    state = fielded(("tg_blitz", "1-A4"), ("g_sqd44", "tg_blitz"), ("tg_blitz", "1-A5"))
    truck, squad, other = (state.units[f"german-{number}"] for number in (1, 2, 3))
    assert transport.not_aboard(truck, squad) is None
    refusal = transport.not_aboard(other, squad)
    assert refusal is not None
    assert refusal.rule == "6.6.7"


@rule("7.34")
@pytest.mark.parametrize(("options", "swims"), [(("AG", "7.34"), True), (("AG",), False)])
def test_an_amphibious_vehicle_swims_in_water_alone(options: tuple[str, ...], swims: bool) -> None:
    """Not on the ground beside it; without the option it does not swim at all."""
    sides = {"german": army(("tg_schwimm", "1-A1")), "soviet": FAR}
    state = game(text(board=ground("="), options=options, **sides)).state
    unit = state.units["german-1"]
    wet = [hex for hex in state.map.names if "water" in state.map.cells[hex].terrain]
    assert len(wet) == 12
    assert all(swimming.must_swim(state, unit, hex) == swims for hex in wet)
    assert not any(swimming.must_swim(state, unit, hex) for hex in state.map.names if hex not in wet)


@rule("5.2.1", "7.47")
def test_an_fo_that_mounts_its_vehicle_again_has_moved_and_is_part_of_it() -> None:
    made = game(text(german=army(("pz4h", "1-A4"), ("g_fo", "1-A4")), soviet=FAR, options=("AG", "7.47")))
    state = made.state
    stowed.take_back(made, state.units["german-1"], "german-2")
    fo, tank = state.units["german-2"], state.units["german-1"]
    assert (fo.moved, fo.hex, fo.status, fo.part_of) == (True, None, "stowed", "german-1")
    assert "FO" in tank.labels


# --- commands and hidden units


@rule("6.2.1.1.3")
def test_a_command_is_shared_with_a_unit_of_ones_own_on_the_map() -> None:
    state = fielded(("pz4h", "1-A4"), ("pz4h", "1-A5"))
    unit = state.units["german-1"]

    def refused(leader: str) -> str | None:
        refusal = commands.bad_leader(state, unit, Command("german-1", "move", leader))
        return refusal.rule if refusal else None

    assert refused("german-2") is None
    assert (refused("nobody"), refused("soviet-1")) == ("procedure", "procedure")
    state.change("german-2", hex=None, status="eliminated")
    assert refused("german-2") == "procedure"


@rule("7.42.2", "7.42.3")
def test_streamlined_movement_keeps_the_plain_movement_step() -> None:
    """In Staggered Initiative formations fire, and move, one after the other; with 7.42.3 they only fire so."""
    from opfire.rulesets.panzer.moving.step import MovementStep

    plain, staggered, streamlined = (
        fielded(("pz4h", "1-A4"), options=options) for options in ((), ("7.42",), ("7.42", "7.42.3"))
    )
    assert [stands_for(state, MovementStep) is MovementStep for state in (plain, staggered, streamlined)] == [
        True,
        False,
        True,
    ]
    assert initiative.staggered(staggered)
    assert [stands_for(state, DirectFireStep) is DirectFireStep for state in (plain, staggered, streamlined)] == [
        True,
        False,
        False,
    ]


@rule("7.2.2.1-spot")
@pytest.mark.parametrize(("hex", "spotted"), [("1-D4", True), ("1-L4", False)])
def test_hidden_units_spot_enemies_in_their_sight(hex: Hex, spotted: bool) -> None:
    """A wood lies between the hidden tank in A4 and L4, and none between it and D4."""
    rows = OPEN.splitlines()
    for row in range(1, 9):
        rows[rows.index("hexes = '''") + row] = ". . . . . . W W W . . ."
    sides = {"german": army(("pz4h", "1-A4")), "soviet": army(("t34_43", hex))}
    state = game(text(board="\n".join(rows), options=("AG", "7.2"), **sides)).state
    state.change("german-1", hex=None, status="hidden")
    state.masks["m"] = Mask("m", "german", "1-A4", ("german-1",), laid=True)
    state.spots.clear()
    hiding.watch(state)
    assert state.spots["soviet-1"] == (("german-1",) if spotted else ())


# --- indirect fire


def battery(*options: str, date: str = "", more: str = LEIG, german: str = "g_fo") -> Position:
    """An FO with a battery, far from a tank."""
    scenario = text(german=army((german, "1-A4"), more=with_guns(more)), soviet=FAR, options=("AG", *options))
    return game(scenario.replace("turns = 3", f'turns = 3\ndate = "{date}"') if date else scenario).state


@rule("6.5.1.12", "6.5.1.12-a", "7.37")
@pytest.mark.parametrize(
    ("unit", "date", "options", "hit"),
    [
        ("s_fo", "1941-10", ("7.5",), True),
        ("s_fo", "1942-10", ("7.5",), True),
        ("s_fo", "1943-10", ("7.5",), False),
        ("s_fo", "1941-10", (), False),
        ("g_fo", "1941-10", ("7.5",), False),
    ],
)
def test_soviet_observers_of_the_early_war_are_answered_less(
    unit: str, date: str, options: tuple[str, ...], hit: bool
) -> None:
    state = battery(*options, date=date, german=unit)
    from_ = source(state, GUNS)
    assert from_ is not None
    made = response(state, state.units["german-1"], from_, "1-G4", adjusted=False)
    assert any(line.rule == "7.5" for line in made.lines) == hit


@rule("5.3", "6.5.1.3")
def test_batteries_support_formations_that_there_are() -> None:
    formation = '\n[[sides.german.formations]]\nname = "1."\ngrade = "seasoned"\nunits = { g_fo = 1 }\n'
    for name, works in (("1.", True), ("2.", False)):
        guns = with_guns(f'{{ unit = "o_g75", formations = ["{name}"] }}')
        scenario = text(german=army(("g_fo", "1-A4"), more=guns) + formation, soviet=FAR, options=("AG",))
        if works:
            assert len(game(scenario).state.batteries[GUNS].formations) == 1
        else:
            with pytest.raises(BadInput, match=r"formation '2\.'"):
                game(scenario)


@rule("6.5.1.11.2")
def test_planned_fire_of_one_battery_is_not_barred_by_a_call_of_another() -> None:
    state = battery(more=f"{LEIG}, {LEIG}")
    refusals = []
    for firer in ("german-battery-2", GUNS):
        state.calls = (Call("german", "german-1", firer, "called", "1-G4"),)
        refusal = cannot_arrive(state, "german", GUNS)
        refusals.append(refusal.rule if refusal else None)
    assert refusals == ["6.5.1.11.2", "6.5.1-a"]  # none is planned; the battery has been called


@rule("6.5.1.1.4")
@pytest.mark.parametrize(("hex", "same", "near"), [("1-A5", True, True), ("1-A7", True, False), ("1-A5", False, False)])
def test_mortars_of_a_formation_within_command_range_are_one_source(hex: Hex, same: bool, near: bool) -> None:
    state = fielded(("g_m81", "1-A4"), ("g_m81", hex))
    one, other = state.units["german-1"], state.units["german-2"]
    assert observers._near(state, one, other if same else replace(other, formation="another")) == near
    assert not observers._near(state, one, replace(other, hex=None))


@rule("5.6", "6.5.1.7", "6.5.1.13")
@pytest.mark.parametrize(("hex", "rule_"), [("1-B4", "6.5.1.13"), ("1-C4", None)])
def test_a_target_at_the_minimum_range_is_within_range(hex: Hex, rule_: str | None) -> None:
    """A mortar of a minimum range of two hexes fires at two, not at one."""
    state = fielded(("g_m81", "1-A4"), ("g_fo", "1-A4"))
    from_ = source(state, "german-1")
    assert from_ is not None
    short = from_._replace(row=replace(from_.row, min_range=2))
    refusal = calling.out_of_range(state, state.units["german-2"], short, hex)
    assert (refusal.rule if refusal else None) == rule_


@rule("7.37")
def test_hexes_are_offered_for_a_probe_only_with_a_battery_that_is_free() -> None:
    made = shelling(
        army(("g_fo", "1-A4"), more=with_guns(LEIG)), {1: "overwatch"}, army(("t34_43", "1-G4")), options=("7.37",)
    )

    def probes() -> list[ProbeFire]:
        return [act for act in made.choices("german") if isinstance(act, ProbeFire)]

    assert probes()
    made.state.calls = (Call("german", "german-1", GUNS, "called", "1-G4"),)
    assert [*calling._probes(made.state, "german", made.state.units["german-1"])] == []


# --- what is shown


@rule("3.5.2")
def test_vehicles_alone_have_curves_of_penetration() -> None:
    state = fielded(("pz4h", "1-A4"), ("g_sqd44", "1-B4"), ("tg_blitz", "1-C4"))
    curves = [_curves(state, state.units[f"german-{number}"]) for number in (1, 2, 3)]
    assert [bool(found) for found in curves] == [True, False, False]


@rule("4.1.4.1.3")
def test_beyond_the_map_stands_nothing() -> None:
    assert fielded(("pz4h", "1-A4")).setting.ground.top((99, 99)) == 0


@rule("6.7.2.3")
def test_the_way_of_an_aircraft_ends_in_the_hex_that_is_pointed_at() -> None:
    from opfire.rulesets.panzer.air.phase import Enter, Level
    from rules.panzer.test_aircraft import PLANE, flown, sky

    made = sky()
    flown(made, Enter(PLANE, "1-D8", 0), Level(PLANE, "slow", "low"))
    ways = _flights(made.state, PLANE)
    assert ways
    assert all(way["path"][0] == "1-D8" and way["path"][-1] == way["place"] for way in ways)
    assert [len(way["path"]) for way in ways] == [*range(2, len(ways) + 2)]
