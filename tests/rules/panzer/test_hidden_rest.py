"""Hidden units [7.2] that meet other rules: mines, staggered initiative, the set-up, buildings."""

from __future__ import annotations

import pytest

from opfire.core.actions import Action
from opfire.core.errors import BadInput
from opfire.core.game import SPECTATOR, Game
from opfire.kit.setup import PickUp, Ready
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.creeping import Alight, Creep, CreepStep
from opfire.rulesets.panzer.fire.collateral import FuelStep
from opfire.rulesets.panzer.hiding import Board, Lurk, Spread, Unmask, Unmasking, UnmaskStep
from opfire.rulesets.panzer.pieces import Mask, Position, cover, where_it_is
from opfire.rulesets.panzer.setup import Place
from opfire.rulesets.panzer.staggering import Contest, NameFormation
from rules.panzer.battle import game, refused, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.test_hidden import FAR, NAME, WOODS, battle, given, lair, on

MINES = '\n[[markers]]\nkind = "mines"\nside = "soviet"\nvalue = "deliberate ap"\nat = ["1-B5"]\n'


def mined(*cards: str, dice: tuple[int, ...]) -> Game[Position]:
    """Hidden Germans next to a minefield that they do not know, with commands to move."""
    scenario = text(board=WOODS, german=lair(*cards), soviet=FAR, options=("AG", "7.2", "7.31"))
    made = game(scenario + MINES, (10, 90, *dice))
    made.play("german", Ready())
    return on(given(made, dict.fromkeys(range(1, len(cards) + 1), "move")), CreepStep)


WORST = 1
"""The roll of a minefield that is effective."""


@rule("7.2.2.3", "7.31.2")
def test_mines_may_leave_nothing_of_a_hidden_unit() -> None:
    made = mined("g_chq", dice=(WORST,))
    made.play("german", Creep(NAME, "1-B5"))
    assert made.state.masks == {}
    assert made.state.units["german-1"].hex is None
    assert made.asked()


@rule("7.2.2.3", "7.31.2")
def test_units_that_mines_have_destroyed_are_not_placed() -> None:
    made = mined("g_chq", "g_sqd41", "g_sqd41", dice=(WORST, 10, 10))
    made.play("german", Creep(NAME, "1-B5"))
    assert isinstance(made.stack[-1], Unmasking)
    assert made.state.units["german-1"].hex is None
    assert refused(made, "german", Spread("german-1", "1-B5", 0)) is not None
    assert "german-1" not in {getattr(act, "unit", "") for act in made.choices("german")}
    made.play("german", EndStep())


HIDDEN_SOVIETS = FAR + (
    '\nhidden_counters = 2\n[[sides.soviet.formations]]\nname = "2."\ngrade = "elite"\nunits = { t34_43 = 1 }\n'
    "hidden = { t34_43 = 1 }\n"
)


def staggered(german: str, soviet: str, *dice: int) -> Game[Position]:
    made = game(text(board=WOODS, german=german, soviet=soviet, options=("AG", "7.2", "7.42")), dice)
    while made.asked() and not isinstance(made.stack[-1], Contest):
        action: Action = {"command": HandIn(), "set-up": Ready()}.get(made.stack[-1].step, EndStep())
        made.play(made.asked()[0], action)
    return made


@rule("7.42.1", "7.2.2.3")
def test_both_sides_reveal_counters_before_formations_fire() -> None:
    made = staggered(lair("pz4h"), HIDDEN_SOVIETS, 10, 90)
    for side in (*made.asked(), "soviet"):
        made.play(side, NameFormation(next(act.group for act in made.choices(side) if isinstance(act, NameFormation))))
    asked = []
    while isinstance(made.stack[-1], UnmaskStep):
        asked.append(made.asked()[0])
        made.play(made.asked()[0], EndStep())
    assert asked == ["soviet", "german"]


@rule("7.42.1", "7.2.1")
def test_hidden_formations_roll_for_initiative() -> None:
    made = staggered(lair("pz4h"), HIDDEN_SOVIETS, 10, 90)
    assert isinstance(made.stack[-1], Contest)
    for side in ("german", "soviet"):
        assert made.asked() == (side,)
        (act,) = made.choices(side)
        made.play(side, act)
    assert made.state.first == "soviet"


CROWDED = (
    "hidden_counters = 1\n"
    'units = [{ unit = "pz4h", at = ["1-B4", "1-B5"] }, { unit = "g_sqd41", at = ["1-C4", "1-C5"] }]'
    '\n[[sides.german.formations]]\nname = "1."\ngrade = "elite"\nunits = { pz4h = 1, g_sqd41 = 1 }\n'
    "hidden = { pz4h = 1, g_sqd41 = 1 }\n"
)


@rule("7.2.2")
def test_units_without_a_counter_are_set_up_in_the_open() -> None:
    made = game(text(board=WOODS, german=CROWDED, soviet=FAR, options=("AG", "7.2")))
    assert refused(made, "german", Place("german-2", "1-C4", 0)) == "7.2.1"
    made.play("german", Lurk("german-1", "1-B4"))
    assert refused(made, "german", Lurk("german-2", "1-C4")) == "7.2.2"
    assert Place("german-2", "1-C4", 0) in [*made.choices("german")]
    made.play("german", Place("german-2", "1-C4", 0))
    made.play("german", Ready())
    assert made.state.units["german-2"].status == "on the map"


@rule("7.2.2")
def test_a_scenario_has_counters_for_all_that_it_hides() -> None:
    with pytest.raises(BadInput):
        battle(lair("pz4h", limit=0))


@rule("7.2.2.2", "6.6.7.1.1-dismount")
def test_units_that_dismounted_under_a_counter_do_not_move_again() -> None:
    german = lair("h251_1", "g_sqd41")
    made = on(given(battle(german), {1: "no command", 2: "move"}), CreepStep)
    made.state.change("german-2", carrier="german-1", status="mounted")
    mask = made.state.masks[NAME]
    made.state.masks[NAME] = Mask(NAME, "german", mask.hex, ("german-1",), laid=True)
    made.play("german", Alight("german-2"))
    made.play("german", Unmask(NAME, "1-B4"))
    made.play("german", EndStep())
    assert made.state.units["german-2"].moved


@rule("7.2.2.1-spot")
def test_units_do_not_spread_into_hexes_of_enemy_counters() -> None:
    made = on(given(battle(), {}), UnmaskStep)
    made.state.masks["fake"] = Mask("fake", "soviet", "1-B5", laid=True)
    made.play("german", Unmask(NAME, "1-B4"))
    assert refused(made, "german", Spread("german-2", "1-B5", 0)) == "7.2.2.1-spot"


@rule("7.2.2.2", "6.6.9-leave")
def test_a_counter_that_moves_leaves_hull_down_positions() -> None:
    made = on(given(battle(lair("pz4h")), {1: "move"}), CreepStep)
    made.state.change("german-1", hull_down="full", backed_in=True)
    made.play("german", Creep(NAME, "1-B5"))
    assert (made.state.units["german-1"].hull_down, made.state.units["german-1"].backed_in) == ("", False)


@rule("7.2.2.1-spot")
def test_units_that_spread_leave_their_floor_and_their_building() -> None:
    made = on(given(battle(), {}), UnmaskStep)
    made.state.change("german-2", upper=True)
    made.play("german", Unmask(NAME, "1-B4"))
    assert made.state.units["german-2"].upper
    made.play("german", Spread("german-2", "1-B5", 0))
    assert not made.state.units["german-2"].upper


@rule("7.2.2.2", "6.6.5")
def test_hidden_guns_are_manhandled_one_hex_a_turn() -> None:
    made = on(given(battle(lair("t_37")), {1: "move"}), CreepStep)
    made.play("german", Creep(NAME, "1-B5"))
    assert refused(made, "german", Creep(NAME, "1-B6")) == "6.6.5"


@rule("7.42.2")
def test_formations_move_even_if_none_was_there_to_roll() -> None:
    """Both sides come down by parachute on the second turn: in the first nobody has the initiative."""
    drop = 'units = []\ndrops = [{{ turn = 2, hex = "{}", units = {{ {} = 1 }} }}]'
    sides = {"german": drop.format("1-B4", "g_sqd41"), "soviet": drop.format("1-L4", "s_sqd41")}
    made = game(text(board=WOODS, options=("AG", "7.42", "7.44.1"), **sides), None)
    while made.asked() and made.state.turn < 2:
        side = made.asked()[0]
        made.play(side, next(iter(made.choices(side))))
    assert made.state.turn == 2


# --- set-up


CHOICE = (
    "hidden_counters = 2\n"
    'units = [{ unit = "pz4h", at = ["1-B4", "1-B5", "1-B6"] }, { unit = "g_sqd41", at = ["1-B4", "1-B5", "1-B6"] }]'
    '\n[[sides.german.formations]]\nname = "1."\ngrade = "elite"\nunits = { pz4h = 1, g_sqd41 = 1 }\n'
    "hidden = { pz4h = 1, g_sqd41 = 1 }\n"
)


@rule("7.2.2")
def test_hidden_units_are_picked_up_again_in_the_set_up() -> None:
    made = game(text(board=WOODS, german=CHOICE, soviet=FAR, options=("AG", "7.2")))
    made.play("german", Lurk("german-1", "1-B4"))
    made.play("german", Lurk("german-2", "1-B4"))
    before = made.sight("soviet")
    assert PickUp("german-1") in [*made.choices("german")]
    made.play("german", PickUp("german-1"))
    assert [mask.units for mask in made.state.masks.values()] == [("german-2",)]
    assert refused(made, "german", Ready()) == "2.0"
    assert made.sight("soviet").units == before.units
    made.play("german", Lurk("german-1", "1-B6"))
    assert sorted(mask.hex for mask in made.state.masks.values()) == ["1-B4", "1-B6"]
    assert made.state.units["german-1"].depot == "1-B6"
    made.play("german", PickUp("german-1"))
    assert [mask.hex for mask in made.state.masks.values()] == ["1-B4"]


@rule("7.2.2")
def test_hidden_units_with_a_fixed_place_stay_there() -> None:
    made = game(text(board=WOODS, german=lair(), soviet=FAR, options=("AG", "7.2")))
    assert refused(made, "german", PickUp("german-1")) == "procedure"
    assert PickUp("german-1") not in [*made.choices("german")]


# --- Improved Positions [6.1.4.3.7]

DUG_OUT = '\n[[markers]]\nkind = "improved position"\nat = ["1-B4"]\n'


def dug_out(*cards: str, dice: tuple[int, ...] = ()) -> Game[Position]:
    """Hidden Germans in the hex of an Improved Position."""
    made = game(text(board=WOODS, german=lair(*cards), soviet=FAR, options=("AG", "7.2")) + DUG_OUT, (10, 90, *dice))
    made.play("german", Ready())
    return made


@rule("6.1.4.3.7", "7.2.2.1-spot")
def test_a_hidden_unit_starts_in_an_improved_position_and_nobody_knows_it() -> None:
    """It has Heavy Cover for spotting; the counter on the map tells nothing of its holder."""
    made = dug_out("g_sqd41")
    (work,) = made.state.works["1-B4"]
    assert work.holder == "german-1"
    assert cover(made.state, where_it_is(made.state, "german-1"), "spotting") == "heavy"
    for seat in ("soviet", SPECTATOR):
        assert [found.holder for found in made.sight(seat).works["1-B4"]] == [""]
    assert made.sight("german").works["1-B4"] == (work,)


@rule("6.1.4.3.7", "7.2.2.1-spot")
def test_a_revealed_unit_holds_its_position_as_it_is_placed() -> None:
    """Units may face in any direction: the position is held with the facing of the placed unit."""
    made = on(given(dug_out("pz4h", "g_sqd41"), {}), UnmaskStep)
    made.play("german", Unmask(NAME, "1-B4"))
    made.play("german", Spread("german-1", "1-B4", 4))
    made.play("german", EndStep())
    (work,) = made.state.works["1-B4"]
    assert (work.holder, work.facing) == ("german-1", 4)
    assert made.sight("soviet").works["1-B4"] == (work,)


@rule("6.1.4.3.7", "7.2.2.2")
def test_hidden_units_leave_their_position_and_take_others() -> None:
    made = on(given(dug_out("g_sqd41"), {1: "move"}), CreepStep)
    made.play("german", Creep(NAME, "1-B5"))
    assert cover(made.state, where_it_is(made.state, "german-1"), "spotting") == "none"
    made.play("german", Creep(NAME, "1-B4"))
    made.play("german", EndStep())
    assert made.state.works["1-B4"][0].holder == "german-1"


# --- leaking fuel [7.23.4]


def leaky(*dice: int) -> Game[Position]:
    """A hidden vehicle and a hidden squad; the vehicle was hit before it hid, and leaks."""
    made = game(text(board=WOODS, german=lair(), soviet=FAR, options=("AG", "7.2", "7.23")), dice)
    made.play("german", Ready())
    made.state.change("german-1", collateral=("fuel",))
    made.push(FuelStep("german"))
    made.run()
    return made


@rule("7.23.4", "7.2.2")
def test_a_hidden_vehicle_leaks_and_stays_hidden() -> None:
    made = leaky(3)
    assert made.rolls == [3]
    assert made.state.units["german-1"].status == "hidden"
    assert [event.places for event in made.events if event.kind == "collateral"] == [()]


@rule("7.23.4", "7.2.2")
def test_a_hidden_vehicle_that_catches_fire_is_revealed() -> None:
    made = leaky(2)
    assert made.state.masks == {}
    assert made.state.wrecks == {"1-B4": "BU"}
    squad = made.state.units["german-2"]
    assert (squad.hex, squad.suppression) == ("1-B4", "on")


@rule("7.23.4", "7.2.2", "5.15")
def test_a_hidden_vehicle_that_is_out_of_fuel_is_revealed() -> None:
    made = leaky(1, 100)
    assert isinstance(made.stack[-1], Unmasking)
    tank = made.state.units["german-1"]
    assert (tank.hex, tank.track_hit, tank.collateral) == ("1-B4", True, ("dry",))
    made.play("german", EndStep())
    assert made.rolls == []


# --- portees [5.2.1]


@rule("5.2.1", "7.2.2.2")
def test_a_portee_parts_and_joins_under_its_counter() -> None:
    """The gun dismounts, and mounts again with the whole move of the truck, which is a portee then."""
    made = on(given(battle(lair("portee6", "g_sqd41")), {1: "move"}), CreepStep)
    gun = next(unit.id for unit in made.state.units.values() if unit.part_of == "german-1")
    before = made.sight("soviet").units
    assert Alight(gun) in [*made.choices("german")]
    made.play("german", Alight(gun))
    truck = made.state.units["german-1"]
    assert truck.kind.id == CHARTS.portees["portee6"].truck
    assert set(made.state.masks[NAME].units) == {"german-1", "german-2", gun}
    assert made.sight("soviet").units == before
    made.state.change(gun, command="move", moved=False)
    made.play("german", Board("german-1", gun))
    portee = made.state.units["german-1"]
    assert (portee.kind.id, portee.moved, made.state.units[gun].status) == ("portee6", True, "stowed")
    assert gun not in made.state.masks[NAME].units
    assert made.sight("soviet").units == before
    assert refused(made, "german", Creep(NAME, "1-B5")) == "7.2.2.2"


@rule("5.2.1", "7.2.2.2")
def test_a_hidden_truck_without_a_move_takes_no_gun_back() -> None:
    made = on(given(battle(lair("portee6", "g_sqd41")), {1: "no command"}), CreepStep)
    gun = next(unit.id for unit in made.state.units.values() if unit.part_of == "german-1")
    made.play("german", Alight(gun))
    made.state.change(gun, command="move", moved=False)
    assert refused(made, "german", Board("german-1", gun)) == "5.2.1"
