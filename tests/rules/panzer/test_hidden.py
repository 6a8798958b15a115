"""Hidden units [7.2]: counters that stand for units or for nothing, and who learns what."""

from __future__ import annotations

from collections import Counter

import pytest

from core import contract
from core.contract import Case
from core.twins import Twins, play
from opfire.core.actions import Action
from opfire.core.game import SPECTATOR, Game
from opfire.kit.orders import Pass
from opfire.kit.setup import Ready
from opfire.rulesets.panzer import RULESET, hiding
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.air.flak import AntiAircraft, Flak
from opfire.rulesets.panzer.air.phase import Enter, Level
from opfire.rulesets.panzer.commands import Command, HandIn, may_be_called
from opfire.rulesets.panzer.creeping import Creep, CreepStep
from opfire.rulesets.panzer.fire.direct_fire import Announce, DirectFireStep, Keep
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.hiding import (
    Alight,
    Bluff,
    Board,
    CoverUp,
    HideStep,
    Lurk,
    Spread,
    Unmask,
    Unmasking,
    UnmaskStep,
)
from opfire.rulesets.panzer.indirect.calling import CallFire
from opfire.rulesets.panzer.indirect.kinds import Fall, Mission
from opfire.rulesets.panzer.indirect.observers import cannot_observe
from opfire.rulesets.panzer.indirect.step import Falling
from opfire.rulesets.panzer.moving.acts import cannot_go_on
from opfire.rulesets.panzer.moving.going import Going, Move
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import CommandName, Mask, Position, at_arms, gunners
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.setup import Place
from opfire.rulesets.panzer.sighting.spots import lookouts
from opfire.rulesets.panzer.works.fires import consume
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import rule
from rules.panzer.moves import army
from rules.panzer.shelling import with_guns

WOODS = OPEN.replace(". . . . . . . . . . . .", ". . . . . . W W . . . .")
"""A belt of woods between the west and the east."""

FAR = army(("t34_43", "1-L4"))
NAME = "german-hidden-1"


def lair(*cards: str, hex: str = "1-B4", limit: int = 4, more: str = "") -> str:
    """Germans who start hidden in one hex."""
    cards = cards or ("pz4h", "g_sqd41")
    numbers = ", ".join(f"{card} = {cards.count(card)}" for card in dict.fromkeys(cards))
    return (
        army(*((card, hex) for card in cards), more=f"hidden_counters = {limit}\n{more}")
        + f'\n[[sides.german.formations]]\nname = "1."\ngrade = "elite"\nunits = {{ {numbers} }}\n'
        + f"hidden = {{ {numbers} }}\n"
    )


def battle(german: str = "", soviet: str = FAR, board: str = WOODS, dice: tuple[int, ...] = ()) -> Game[Position]:
    made = game(text(board=board, german=german or lair(), soviet=soviet, options=("AG", "7.2")), (10, 90, *dice))
    if german != ZONED:
        made.play("german", Ready())
    return made


LAIR = Case(RULESET, text(board=WOODS, german=lair(), soviet=FAR, options=("AG", "7.2")))
"""A tank and a squad that start hidden, as a match."""


def given(
    made: Game[Position], commands: dict[int, CommandName], soviet: dict[int, CommandName] | None = None
) -> Game[Position]:
    """Both sides have these commands, and the initiative is rolled for: the Germans are the Second Player."""
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    for side, orders in (("german", commands), ("soviet", soviet or {})):
        for number, command in orders.items():
            made.state.change(f"{side}-{number}", command=command)
    made.play(made.asked()[0], RollInitiative())
    return made


def on(made: Game[Position], kind: type, side: str = "german") -> Game[Position]:
    """Let steps pass until a frame of that kind asks the side."""
    while not isinstance(made.stack[-1], kind) or made.asked() != (side,):
        action: Action = Pass() if isinstance(made.stack[-1], Overwatch) else EndStep()
        if made.stack[-1].step == "target moving":
            action = Keep()
        made.play(made.asked()[0], action)
    return made


def lit(made: Game[Position]) -> list[str]:
    """The parts of the track that are marked as present."""
    return [part["id"] for part in made.view("german")["track"] if part["now"]]


# --- counters and what they stand for [7.2.1, 7.2.2]


@rule("7.2.2.1-spot")
def test_units_under_a_counter_are_nowhere_else_and_others_see_the_counter_alone() -> None:
    made = battle()
    assert made.state.of("german") == []
    (mask,) = made.state.masks.values()
    assert (mask.hex, mask.units) == ("1-B4", ("german-1", "german-2"))
    for seat in ("soviet", SPECTATOR):
        (shown,) = made.sight(seat).masks.values()
        assert (shown.hex, shown.units) == ("1-B4", ())
    assert made.sight("german").masks == made.state.masks


@rule("5.8.2", "7.2.1")
def test_the_formation_of_a_unit_is_told_and_that_of_a_hidden_one_to_its_own_side_alone() -> None:
    made = battle()

    def told_to(seat: str) -> list[str | None]:
        shown = made.view(seat)["units"]
        return [unit.get("formation") for unit in shown if unit["id"] in ("german-1", "german-2")]

    assert told_to("german") == ["1.", "1."]
    assert told_to("soviet") == told_to(SPECTATOR) == [None, None]
    hiding.emerge(made.state, "german-1")
    made.state.put("german-1", "1-B4")
    assert told_to("soviet") == ["1.", None]


@rule("7.2.2.1-spot")
@pytest.mark.parametrize(
    "change",
    [
        {"turret": 2, "buttoned": True},
        {"inside": True, "upper": True},
        {"hedge": "1-B3"},
        {"came": "1-B3", "behind": ("german-2",)},
        {"hull_down": "full", "backed_in": True},
        {"bogged": True},
        {"suppression": "on"},
        {"morale": "broken", "shaken": True},
        {"jammed": ("75L48",), "ruined": ("mg",)},
        {"weapons": ("g_faust",), "loaded": "APCR"},
        {"damaged": True, "damaged_part": "turret", "track_hit": True},
        {"collateral": ("radio",), "silenced": ("CHQ",), "labels": ()},
        {"labels": ("CHQ",), "leader": "captain"},
        {"searching": True, "heard": ("1-B5",), "bound": "1-B6"},
        {"exposed": True, "pledged": "soviet-1", "overrun": True},
        {"discharged": 2, "guides": "german-2", "camouflaged": True},
    ],
)
def test_others_do_not_learn_how_a_hidden_unit_stands(change: dict[str, object]) -> None:
    """Twins: two games that differ in one hidden unit alone send the same bytes to everybody else."""
    with contract.registered(RULESET):
        as_it_is, changed = (contract.start(LAIR, 1) for _ in range(2))
        for match in (as_it_is, changed):
            match.play("german", Ready())
        changed.game.state.change("german-1", **change)
        for seat in ("soviet", SPECTATOR):
            assert changed.game.sight(seat).units["german-1"] == as_it_is.game.sight(seat).units["german-1"]
            assert contract.received(changed, seat) == contract.received(as_it_is, seat)


@rule("7.2.2.1-spot", "5.2.1")
def test_others_know_a_hidden_truck_without_its_gun_as_a_portee() -> None:
    """The scenario says that there is a portee; where truck and gun part is under the counter."""
    made = battle(lair("portee2"))
    before = made.sight("soviet").units["german-1"]
    portee = made.state.units["german-1"]
    truck = made.state.charts.vehicles[made.state.charts.portees[portee.kind.id].truck]
    made.state.change("german-1", kind=truck, bed=portee.kind.id)
    assert made.sight("soviet").units["german-1"] == before


@rule("7.2.2.2")
def test_one_counter_holds_units_of_one_formation() -> None:
    german = (
        army(("pz4h", "1-B4"), ("g_sqd41", "1-B4"), more="hidden_counters = 4\n")
        + '\n[[sides.german.formations]]\nname = "1."\ngrade = "elite"\nunits = { pz4h = 1 }\nhidden = { pz4h = 1 }\n'
        + '\n[[sides.german.formations]]\nname = "2."\ngrade = "elite"\nunits = { g_sqd41 = 1 }\n'
        + "hidden = { g_sqd41 = 1 }\n"
    )
    assert sorted(mask.units for mask in battle(german).state.masks.values()) == [("german-1",), ("german-2",)]


@rule("7.2.3", "7.2.2.1-fake")
def test_there_are_no_more_counters_than_the_scenario_allows() -> None:
    state = battle(lair("pz4h", limit=1)).state
    refusal = hiding.no_counter_left(state, "german")
    assert refusal is not None
    assert refusal.rule == "7.2.2"
    assert hiding.no_counter_left(battle(lair("pz4h", limit=2)).state, "german") is None


ZONE = 'units = [{ unit = "pz4h", at = ["1-B4", "1-B5", "1-B6"] }, { unit = "g_sqd41", at = ["1-B4", "1-B5", "1-B6"] }]'
ZONED = (
    f"hidden_counters = 3\n{ZONE}\n"
    '[[sides.german.formations]]\nname = "1."\ngrade = "elite"\nunits = { pz4h = 1, g_sqd41 = 1 }\n'
    "hidden = { pz4h = 1, g_sqd41 = 1 }\n"
)


@rule("7.2.2.1-fake", "7.2.2.1-spot")
def test_units_and_fakes_are_set_up_in_secret_and_numbered_by_their_hexes() -> None:
    made = battle(ZONED)
    assert refused(made, "german", Place("german-1", "1-B4", 2)) == "7.2.1"
    assert refused(made, "german", Bluff("1-B4")) == "7.2.2"
    made.play("german", Lurk("german-1", "1-B6"))
    made.play("german", Lurk("german-2", "1-B5"))
    assert made.sight("soviet").masks == {}
    made.play("german", Bluff("1-B4"))
    assert refused(made, "german", Bluff("1-B5")) == "7.2.2"
    made.play("german", Ready())
    shown = made.sight("soviet").masks
    assert [(name, mask.hex) for name, mask in sorted(shown.items())] == [
        (f"german-hidden-{number}", f"1-B{number + 3}") for number in (1, 2, 3)
    ]
    assert made.state.masks["german-hidden-1"].units == ()


# --- spotting [7.2.2.1]


@rule("7.2.2.1-spot")
def test_a_counter_is_spotted_like_its_most_visible_unit_and_all_of_its_units_appear() -> None:
    """Eleven hexes away in the open a tank is seen and a squad is not: both are placed where the tank is spotted."""
    squad = battle(lair("g_sqd41", hex="1-A4"), board=OPEN)
    both = battle(lair("pz4h", "g_sqd41", hex="1-A4"), board=OPEN)
    assert [unit.id for unit in both.state.of("german")] == ["german-1", "german-2"]
    assert squad.state.of("german") == []
    assert isinstance(both.stack[-1], Unmasking)
    assert both.state.spots["german-1"] == ("soviet-1",)
    assert both.state.spots["german-2"] == ()


@rule("7.2.2.1-spot")
def test_a_unit_of_the_spotted_type_stays_and_the_others_spread_within_command_range() -> None:
    made = battle(board=OPEN)
    reach = made.state.charts.grades["elite"].command_range
    assert refused(made, "german", Spread("german-1", "1-B5", 0)) == "7.2.2.1-spot"
    beyond = f"1-B{4 + reach + 1}"
    assert refused(made, "german", Spread("german-2", beyond, 0)) == "7.2.2.1-spot"
    made.play("german", Spread("german-2", f"1-B{4 + reach}", 1))
    squad = made.state.units["german-2"]
    assert (squad.hex, squad.facing) == (f"1-B{4 + reach}", 1)
    made.play("german", EndStep())
    assert made.state.masks == {}


@rule("7.2.2.1-spot")
def test_of_two_types_that_are_seen_the_one_that_is_seen_farther_stays() -> None:
    """Five hexes away both are seen, and the tank would be from twice as far as the squad."""
    made = battle(lair("g_sqd41", "pz4h"), army(("t34_43", "1-G4")), board=OPEN)
    assert isinstance(made.stack[-1], Unmasking)
    assert refused(made, "german", Spread("german-2", "1-B5", 0)) == "7.2.2.1-spot"
    assert refused(made, "german", Spread("german-1", "1-B5", 0)) is None


@rule("7.2.2.1-spot")
def test_units_do_not_spread_over_ground_that_is_closed_to_them() -> None:
    board = OPEN.replace(". . . . . . . . . . . .", "~ . ~ . . . . . . . . .")
    state = battle(lair("h251_1", "tg_blitz", hex="1-B4"), board=board).state
    truck = state.units["german-2"]
    found = hiding.within(state, truck, "1-B4")
    assert "1-A4" not in found
    assert "1-B5" in found


@rule("7.2.2.1-fake")
def test_a_fake_is_revealed_where_even_a_squad_would_be_spotted() -> None:
    for hex, left in (("1-B4", True), ("1-K4", False)):
        made = battle(lair("pz4h", hex="1-A8"), board=WOODS)
        made.state.masks["fake"] = Mask("fake", "german", hex, laid=True)
        seen = hiding.seen(made.state, made.state.masks["fake"])
        assert (not seen) is left
        if seen:
            assert hiding.look(made)
            made.run()
            assert "fake" not in made.state.masks
            assert told(made, "revealed") == [f"The HIDDEN UNIT counter in {hex} is revealed: nothing"]


@rule("7.2.2.1-fake", "7.2.2.2")
def test_a_fake_that_drove_is_seen_like_a_vehicle() -> None:
    state = battle(lair("g_sqd41", hex="1-A8"), board=OPEN).state
    assert not hiding.seen(state, Mask("fake", "german", "1-A4", laid=True))
    assert hiding.seen(state, Mask("fake", "german", "1-A4", laid=True, fast=True))


@rule("7.2.2.1-spot")
def test_an_enemy_that_drives_up_spots_a_counter_on_its_way() -> None:
    made = given(battle(lair("g_sqd41", hex="1-A4"), board=OPEN), {}, {1: "move"})
    on(made, MovementStep, "soviet")
    made.play("soviet", Move("soviet-1", "1-K4"))
    assert told(made, "revealed")[-1] == "The HIDDEN UNIT counter in 1-A4 is revealed: Rifle squad 1"
    assert made.state.units["german-1"].hex == "1-A4"


# --- movement [7.2.2.2]


@rule("7.2.2.2")
def test_a_counter_moves_as_far_as_its_slowest_unit() -> None:
    made = on(given(battle(), {1: "move", 2: "move"}), CreepStep)
    walked = made.state.units["german-2"].ground.m_cc
    for step in range(walked):
        made.play("german", Creep(NAME, f"1-B{5 + step}"))
    assert refused(made, "german", Creep(NAME, f"1-B{5 + walked}")) == "7.2.2.2"
    assert made.sight("soviet").masks[NAME].hex == f"1-B{4 + walked}"
    assert "german-1" not in repr([event.units for event in made.events])


@rule("7.2.2.2")
def test_all_units_of_a_counter_need_commands_to_move() -> None:
    made = on(given(battle(), {1: "move", 2: "overwatch"}), CreepStep)
    assert refused(made, "german", Creep(NAME, "1-B5")) == "7.2.2.2"


@rule("7.2.2.2", "7.2.2.1-spot")
def test_moving_counters_are_seen_farther_off() -> None:
    """A squad in the open eleven hexes away is spotted as it moves, and its counter is revealed."""
    made = on(given(battle(lair("g_sqd41", hex="1-A4"), board=OPEN), {1: "move"}), CreepStep)
    made.play("german", Creep(NAME, "1-A5"))
    squad = made.state.units["german-1"]
    assert made.state.masks == {}
    assert (squad.hex, squad.moved, squad.seen_as) == ("1-A5", True, "move")


@rule("7.2.2.2")
def test_fakes_move_like_vehicles() -> None:
    made = on(given(battle(lair("g_sqd41", hex="1-A8")), {}), CreepStep)
    made.state.masks["fake"] = Mask("fake", "german", "1-B4", laid=True)
    made.play("german", Creep("fake", "1-B5"))
    assert not made.state.masks["fake"].fast
    made.play("german", Creep("fake", "1-B6"))
    made.play("german", Creep("fake", "1-B7"))
    made.play("german", Creep("fake", "1-B8"))
    assert made.state.masks["fake"].fast


@rule("7.2.2.2", "6.6.7.1.1-mount")
def test_hidden_units_mount_and_dismount_and_take_full_cover() -> None:
    made = on(given(battle(lair("h251_1", "g_sqd41")), {1: "no command", 2: "move"}), CreepStep)
    made.play("german", CoverUp("german-2"))
    assert made.state.units["german-2"].full_cover
    assert not made.sight("soviet").units["german-2"].full_cover
    made.play("german", CoverUp("german-2"))
    made.play("german", Board("german-1", "german-2"))
    assert made.state.masks[NAME].units == ("german-1",)
    assert made.state.units["german-2"].carrier == "german-1"
    assert made.sight("soviet").units["german-2"].carrier is None
    assert refused(made, "german", Alight("german-2")) == "7.2.2.2"
    made.state.change("german-2", moved=False)
    made.play("german", Alight("german-2"))
    assert set(made.state.masks[NAME].units) == {"german-1", "german-2"}


@rule("7.2.2.2", "6.1.3-b")
def test_passengers_of_hidden_vehicles_are_hidden_too() -> None:
    made = on(given(battle(lair("h251_1", "g_sqd41")), {1: "no command", 2: "move"}), CreepStep)
    made.play("german", Board("german-1", "german-2"))
    assert [*lookouts(made.state, "german")] == []
    assert [*gunners(made.state, "german")] == []
    made.play("german", Unmask(NAME, "1-B4"))
    assert [unit.id for unit in lookouts(made.state, "german")] == ["german-1", "german-2"]


@rule("7.2.2.2")
def test_mounting_keeps_its_own_rules() -> None:
    made = on(given(battle(lair("h251_1", "g_sqd41")), {1: "no command", 2: "fire"}), CreepStep)
    assert refused(made, "german", Board("german-1", "german-2")) == "6.6.7.1.1-mount"
    assert refused(made, "german", CoverUp("german-1")) == "7.2.2.2"


@rule("7.2.2.3")
def test_nobody_enters_the_hex_of_an_enemy_counter() -> None:
    made = battle(lair("g_sqd41", hex="1-A8"))
    made.state.masks["fake"] = Mask("fake", "german", "1-K4", laid=True)
    tank = made.state.change("soviet-1", command="move")
    refusal = cannot_go_on(made.state, tank, Move("soviet-1", "1-K4"), Going())
    assert refusal is not None
    assert refusal.rule == "7.2.2"


# --- commands


@rule("7.2.2.2")
def test_hidden_units_get_commands_and_share_them() -> None:
    made = battle()
    sheet = HandIn((Command("german-1", "move"), Command("german-2", "move", "german-1")))
    assert refused(made, "german", sheet) is None
    made.play("german", sheet)
    made.play("soviet", HandIn())
    assert [made.state.units[name].command for name in ("german-1", "german-2")] == ["move", "move"]
    assert made.sight("soviet").units["german-1"].command == "?"


# --- combat reveals [7.2.2.3]


@rule("7.2.2.3")
def test_hidden_units_do_not_fire_before_they_are_revealed() -> None:
    made = on(given(battle(lair("pz4h", hex="1-A8")), {1: "fire"}), DirectFireStep)
    made.state.spots["soviet-1"] = ("german-1",)
    assert refused(made, "german", Announce("german-1", "soviet-1")) == "7.2.2.3"


@rule("7.2.2.3")
def test_hidden_units_fire_from_overwatch_once_they_are_revealed() -> None:
    made = given(battle(lair("pz4h", hex="1-A8"), dice=(100,)), {1: "overwatch"}, {1: "move"})
    made.state.masks[NAME] = Mask(NAME, "german", "1-J1", ("german-1",), laid=True)
    made.push(Overwatch("german", ("german", "soviet"), ("soviet-1",), "1-L4"))
    made.run()
    assert made.asked() == ("german",)
    assert refused(made, "german", Announce("german-1", "soviet-1")) is not None
    made.play("german", Unmask(NAME, "1-J1"))
    assert isinstance(made.stack[-1], Overwatch)
    assert made.state.units["german-1"].hex == "1-J1"
    made.state.change("german-1", facing=2)
    made.play("german", Announce("german-1", "soviet-1"))


def raided(*cards: str, fakes: int = 0) -> Game[Position]:
    """An aircraft has come over the edge, with German counters in sight; all units are on overwatch."""
    soviet = FAR + '\naircraft = [{ unit = "a_il2" }]'
    made = given(battle(lair(*cards), soviet), dict.fromkeys(range(1, len(cards) + 1), "overwatch"))
    for number in range(fakes):
        made.state.masks[f"fake-{number}"] = Mask(f"fake-{number}", "german", f"1-C{number + 4}", laid=True)
    made.play("soviet", Enter("soviet-2", "1-B8", 0))
    made.play("soviet", Level("soviet-2", "slow", "low"))
    return made


@rule("7.2.2.3", "6.7.4")
def test_hidden_guns_fire_at_aircraft_once_they_are_revealed() -> None:
    made = raided("wirbel", fakes=1)
    assert isinstance(made.stack[-1], AntiAircraft)
    assert made.asked() == ("german",)
    assert refused(made, "german", Flak("german-1", "soviet-2")) is not None
    found = [act.hex for act in made.choices("german") if isinstance(act, Unmask)]
    assert found == ["1-B4", "1-C4"]
    made.play("german", Unmask(NAME, "1-B4"))
    assert refused(made, "german", Flak("german-1", "soviet-2")) is None


@rule("7.2.2.3", "6.7.4")
def test_a_side_without_hidden_guns_is_not_asked_about_aircraft() -> None:
    """Everybody knows which units are hidden, so that the question tells nothing."""
    assert not isinstance(raided("g_sqd41", fakes=1).stack[-1], AntiAircraft)


@rule("7.2.2", "7.35.2")
def test_hidden_units_do_not_stay_in_a_fire() -> None:
    made = battle()
    consume(made, "1-B4")
    assert made.state.masks == {}
    assert [made.state.units[f"german-{number}"].status for number in (1, 2)] == ["eliminated", "eliminated"]


@rule("7.2.2.3")
def test_a_fake_asks_for_overwatch_too() -> None:
    """Whether a side is asked tells nothing: a fake with a line of sight is asked like any other counter."""
    made = given(battle(lair("pz4h", hex="1-A8")), {1: "overwatch"}, {1: "move"})
    made.state.masks = {"fake": Mask("fake", "german", "1-J1", laid=True)}
    made.push(Overwatch("german", ("german", "soviet"), ("soviet-1",), "1-L4"))
    made.run()
    assert made.asked() == ("german",)


@rule("7.2.2.3")
def test_the_side_may_reveal_counters_before_each_step_of_combat() -> None:
    made = on(given(battle(), {1: "fire"}), UnmaskStep)
    made.play("german", Unmask(NAME, "1-B4"))
    assert isinstance(made.stack[-1], Unmasking)
    made.play("german", EndStep())
    assert [unit.hex for unit in made.state.of("german")] == ["1-B4", "1-B4"]
    assert made.state.masks == {}


@rule("7.2.2.3")
def test_observing_does_not_reveal() -> None:
    made = given(
        battle(lair("g_fo", more=with_guns('{ unit = "o_g75", level = "attached" }').split("units")[0])),
        {1: "overwatch"},
    )
    eye = at_arms(made.state, "german-1")
    assert eye.hex == "1-B4"
    assert cannot_observe("german", eye) is None
    assert made.state.masks[NAME].units == ("german-1",)


@rule("7.2.2.3", "6.5.1")
def test_a_hidden_observer_calls_the_mortar_of_its_side() -> None:
    """The FO sees the tank at eleven hexes and is not seen; the mortar behind the woods sees nobody."""
    row, wood = "\n. . . . . . . . . . . .", "\n. W . . . . . . . . . ."
    board = OPEN.replace(3 * row, 3 * wood, 1)
    formation = 'name = "1."\ngrade = "elite"\nunits = { g_fo = 1, g_m81 = 1 }\nhidden = { g_fo = 1 }\n'
    units = army(("g_fo", "1-A4"), ("g_m81", "1-A1"), more="hidden_counters = 4\n")
    made = battle(f"{units}\n[[sides.german.formations]]\n{formation}", board=board, dice=(9, 50, 50))
    assert made.state.spots["soviet-1"] == ("german-1",)
    assert may_be_called(made.state, made.state.units["german-2"])
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.state.change("german-1", command="overwatch")
    made.state.change("german-2", command="fire")
    made.play(made.asked()[0], RollInitiative())
    while made.stack[-1].step != "indirect fire":
        made.play(made.asked()[0], EndStep())
    made.play("german", CallFire("german-1", "german-2", "soviet-1"))
    assert "german-2" in made.state.missions
    assert made.state.units["german-1"].status == "hidden"


@rule("7.2.2.3")
def test_shells_on_a_counter_reveal_it_before_they_hit() -> None:
    soviet = army(("t34_43", "1-L4"), more=with_guns('{ unit = "o_s76", level = "attached" }').split("units")[0])
    made = given(battle(soviet=soviet, dice=(1, 1, 1, 1)), {})
    name = next(iter(made.state.batteries))
    made.state.missions[name] = Mission(firer=name, side="soviet", fall=Fall("1-B4"), fresh=False)
    made.push(Falling("soviet", name, ()))
    made.run()
    assert isinstance(made.stack[-1], Unmasking)
    made.play("german", EndStep())
    assert {unit.id for unit in made.state.of("german") if unit.under_fire} == {"german-1", "german-2"}


# --- hiding in play [7.2.3]


@rule("7.2.3")
def test_unspotted_units_hide_and_spotted_ones_do_not() -> None:
    german = army(("pz4h", "1-B4"), ("pz4h", "1-I4"), more="hidden_counters = 1\n")
    made = on(given(battle(german), {}), HideStep)
    assert refused(made, "german", Lurk("german-1", "1-B4")) == "7.2.3"
    made.play("german", Bluff("1-B4"))
    assert refused(made, "german", Lurk("german-2", "1-I4")) == "7.2.3"
    assert refused(made, "german", Lurk("german-1", "1-B8")) == "7.2.3"
    made.play("german", Lurk("german-1", "1-B4"))
    assert made.state.units["german-1"].status == "hidden"
    assert [(mask.hex, mask.units) for mask in made.sight("soviet").masks.values()] == [("1-B4", ())]
    assert refused(made, "german", Bluff("1-B5")) == "7.2.2"


@rule("7.2.3")
def test_fakes_are_added_where_they_are_not_seen_at_once() -> None:
    german = army(("pz4h", "1-B4"), ("pz4h", "1-K3"), more="hidden_counters = 2\n")
    made = on(given(battle(german), {}), HideStep)
    assert refused(made, "german", Bluff("1-B5")) is None
    assert refused(made, "german", Bluff("1-K4")) == "7.2.3"
    assert refused(made, "german", Bluff("1-F8")) == "7.2.3"


# --- nobody learns what lies under a counter

TROOPS = Case(
    RULESET,
    text(board=WOODS, german=ZONED, soviet=army(("t34_43", "1-L4"), ("s_sqd41", "1-L5")), options=("AG", "7.2")),
)
AS_IT_IS = (
    ("german", Lurk("german-1", "1-B4")),
    ("german", Lurk("german-2", "1-B4")),
    ("german", Bluff("1-B5")),
    ("german", Ready()),
)
SWAPPED = (
    ("german", Lurk("german-1", "1-B5")),
    ("german", Lurk("german-2", "1-B5")),
    ("german", Bluff("1-B4")),
    ("german", Ready()),
)
SPLIT = (
    ("german", Lurk("german-1", "1-B4")),
    ("german", Lurk("german-2", "1-B5")),
    ("german", Ready()),
)


@pytest.mark.parametrize("other", [SWAPPED, SPLIT])
def test_nobody_can_tell_a_fake_from_a_company(
    other: tuple[tuple[str, Action], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Salts follow the lines of the record, of which secret decisions may make one more: they are left out."""
    monkeypatch.setattr("opfire.core.match.new_salt", lambda key, line: "0" * 32)
    seen: Counter[str] = Counter()
    with contract.registered(RULESET):
        for seed in range(3):
            twins = Twins(TROOPS, ("german",), ("soviet", SPECTATOR), opening=(AS_IT_IS, other))
            seen += play(twins, seed, 30)
    assert sum(seen.values()) >= 3, seen


EDGE = OPEN.replace(". . . . . . . . . . . .", "W W . . . . . . . . . .")
OBSERVERS = (
    "hidden_counters = 2\n"
    'units = [{ unit = "g_fo", count = 2, at = ["1-B4", "1-B5", "1-B6"] }]\n'
    + with_guns('{ unit = "o_g75", level = "attached" }')
    + '\n[[sides.german.formations]]\nname = "1."\ngrade = "elite"\nunits = { g_fo = 2 }\nhidden = { g_fo = 2 }\n'
)


@rule("7.2.2.3")
def test_nobody_learns_under_which_counter_an_observer_is() -> None:
    """Two FOs under two counters: the fire of one names it, and tells nothing about its hex.

    RULINGS.md R194.
    """
    battle_text = text(board=EDGE, german=OBSERVERS, soviet=army(("t34_43", "1-L5")), options=("AG", "7.2"))
    with contract.registered(RULESET):
        one, other = (contract.start(Case(RULESET, battle_text), 3) for _ in range(2))
        for match, (first, second) in ((one, ("1-B4", "1-B5")), (other, ("1-B5", "1-B4"))):
            match.play("german", Lurk("german-1", first))
            match.play("german", Lurk("german-2", second))
            match.play("german", Ready())
            match.play("german", HandIn((Command("german-1", "overwatch"),)))
            match.play("soviet", HandIn())
            while match.game.stack[-1].step != "indirect fire":
                match.play(match.game.asked()[0], EndStep())
            match.play("german", CallFire("german-1", "german-battery-1", "soviet-1"))
        assert one.game.state.missions or told(one.game, "response")
        for seat in ("soviet", SPECTATOR):
            assert contract.received(one, seat) == contract.received(other, seat)


# --- the track [7.2.2, 7.2.3] ------------------------------------------------------------------------------------


@rule("7.2.2.2", "7.2.2.3", "7.2.3")
def test_what_is_asked_of_counters_belongs_to_the_step_that_it_comes_before() -> None:
    made = given(battle(), {})
    seen = []
    while made.state.turn == 1:
        if isinstance(made.stack[-1], UnmaskStep | CreepStep | HideStep):
            seen += lit(made)
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    assert seen == ["direct fire", "close combat", "movement", "adjustment"]


@rule("7.2.2.1-spot")
def test_counters_that_are_spotted_are_placed_in_the_spotting_phase() -> None:
    """A tank in clear terrain is seen at eleven hexes as soon as the turn begins."""
    made = battle(lair(hex="1-A4"), board=OPEN)
    assert isinstance(made.stack[-1], Unmasking)
    assert lit(made) == ["spotting"]
