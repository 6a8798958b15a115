"""Command control and initiative of the Advanced Game [6.2, 6.3]."""

from __future__ import annotations

import pytest

from edits import edited
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import control
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, CommandPhase, HandIn
from opfire.rulesets.panzer.control import targets_apart
from opfire.rulesets.panzer.fire.direct_fire import Announce, Keep, Resolve, cannot_announce
from opfire.rulesets.panzer.fire.dismount_attack import DismountAttack, cannot_dismount_attack
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.resolving import fire
from opfire.rulesets.panzer.indirect.calling import CallFire, cannot_call
from opfire.rulesets.panzer.moving.going import Move, Stay
from opfire.rulesets.panzer.moving.transport import cannot_dismount
from opfire.rulesets.panzer.pieces import Position, at_arms
from opfire.rulesets.panzer.sequence import RollInitiative
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, rule

ADVANCED = ("AG",)
FIRST, SECOND = (90, 10), (10, 90)


def army(units: str, grade: str, formation: str = "", extra: str = "") -> str:
    """The section of a side: its units, its Force Grade, its formation."""
    body = f'[[sides.german.formations]]\nname = "1."\ngrade = "{grade}"\n{formation}\n' if formation else ""
    return f'grade = "{grade}"\nunits = [{units}]\n{extra}{body}'


def tanks(number: int, grade: str, at: str = '"1-A4"') -> str:
    """So many tanks of one formation."""
    return army(f'{{ unit = "pz4h", count = {number}, at = [{at}] }}', grade)


def battle(german: str, script: tuple[int, ...] = (), board: str = OPEN, soviet: str | None = None) -> Game[Position]:
    """A battle of the Advanced Game."""
    both = {"soviet": soviet} if soviet else {}
    return game(text(board=board, german=german, options=ADVANCED, **both), script)


def order(command: str, *numbers: int, leader: int = 0) -> tuple[Command, ...]:
    """The same command for several German units; with a leader it shares the leader's."""
    by = f"german-{leader}" if leader else ""
    return tuple(Command(f"german-{n}", command, "" if n == leader else by) for n in numbers)  # type: ignore[arg-type]


# --- available commands


@rule("6.2", "6.2.1", "6.2.1.1", "6.2.1.1.1")
@pytest.mark.parametrize(
    ("grade", "number", "most"),
    [("regulars", 24, 7), ("seasoned", 24, 10), ("elite", 4, 2), ("green", 1, 1), ("veteran", 10, 5)],
)
def test_commands_by_grade_and_active_units(grade: str, number: int, most: int) -> None:
    state = battle(tanks(number, grade)).state
    assert len(control.active(state, "german")) == number
    assert control.available(state, "german") == most


@rule("6.2.1.1")
def test_a_formation_cannot_use_more_commands_than_it_has() -> None:
    made = battle(tanks(4, "elite"))
    assert refused(made, "german", HandIn(order("overwatch", 1, 2, 3))) == "6.2.1.1"
    assert refused(made, "german", HandIn(order("overwatch", 1, 2))) is None


@rule("6.2.1.1.3-nc")
def test_no_command_is_free() -> None:
    made = battle(tanks(4, "elite"))
    assert refused(made, "german", HandIn((*order("overwatch", 1, 2), *order("no command", 3, 4)))) is None
    assert refused(made, "german", HandIn((*order("overwatch", 1, 2, 3), *order("no command", 4)))) == "6.2.1.1"


@rule("6.2.1.1")
def test_only_combat_units_on_the_map_are_active_and_recon_units_are_not() -> None:
    named = "units = { pz4h = 3 }\nlabels = { Recon = { pz4h = 1 } }"
    made = battle(army('{ unit = "pz4h", count = 3, at = ["1-A4"] }', "elite", named))
    assert len(control.active(made.state, "german-1")) == 2
    made.state.lift("german-3", "eliminated")
    assert len(control.active(made.state, "german-1")) == 1


@rule("6.2.1.1-a")
def test_each_combat_unit_activates_one_unarmed_unit_within_command_range() -> None:
    trucks = (
        '{ unit = "tg_kubel", count = 3, at = ["1-A4", "1-A5", "1-A8"] }, { unit = "pz4h", count = 1, at = ["1-A4"] }'
    )
    state = battle(army(trucks, "veteran")).state
    assert [unit.id for unit in control.active(state, "german")] == ["german-4", "german-1"]


@rule("6.2.1.1-a")
def test_a_truck_is_active_by_the_squads_that_it_carries_and_counts_once() -> None:
    units = """{ unit = "tg_blitz", at = ["1-A1"] }, { unit = "tg_kubel", at = ["1-A8"] },
        { unit = "pz4h", at = ["1-A4"] },
        { unit = "g_sqd44_h", carrier = "tg_blitz" }, { unit = "g_hmg", at = ["1-A1"] }"""
    state = battle(army(units, "seasoned")).state
    state.change("german-5", hex=None, status="mounted", carrier="german-1")
    assert [unit.id for unit in control.active(state, "german")] == ["german-3", "german-1"]


@rule("6.2.1.1-a")
def test_a_truck_with_a_squad_leaves_the_tank_its_own_truck() -> None:
    units = """{ unit = "tg_blitz", at = ["1-A4"] }, { unit = "tg_kubel", at = ["1-A4"] },
        { unit = "pz4h", at = ["1-A4"] },
        { unit = "g_sqd44", carrier = "tg_blitz" }"""
    state = battle(army(units, "veteran")).state
    assert [unit.id for unit in control.active(state, "german")] == ["german-3", "german-1", "german-2"]


@rule("6.2.1.1-a", "6.2.1.1")
@pytest.mark.parametrize("values", [{"labels": ("Recon",)}, {"morale": "broken"}])
def test_a_passenger_that_would_not_count_on_foot_keeps_no_truck_active(values: dict[str, object]) -> None:
    state = battle(
        army('{ unit = "tg_blitz", at = ["1-A1"] }, { unit = "g_sqd44", carrier = "tg_blitz" }', "elite")
    ).state
    assert len(control.active(state, "german")) == 1
    state.change("german-2", **values)
    assert control.active(state, "german") == []


# --- sharing


@rule("6.2.1.1.2", "6.2.1.1.3")
@pytest.mark.parametrize(
    ("grade", "reach"), [("elite", 2), ("veteran", 1), ("seasoned", 1), ("regulars", 0), ("green", 0)]
)
def test_units_within_command_range_share_a_command(grade: str, reach: int) -> None:
    for apart in range(4):
        made = battle(tanks(2, grade, f'"1-A2", "1-A{2 + apart}"'))
        assert CHARTS.grades[grade].command_range == reach  # type: ignore[index]
        sheet = HandIn(order("overwatch", 1, 2, leader=1))
        assert refused(made, "german", sheet) == (None if apart <= reach else "6.2.1.1.3")


@rule("6.2.1.1.3")
def test_a_shared_command_is_the_leaders_own_and_reaches_every_pair() -> None:
    made = battle(tanks(3, "veteran", '"1-A2", "1-A3", "1-A4"'))
    mixed = (*order("overwatch", 1), Command("german-2", "move", "german-1"))
    assert refused(made, "german", HandIn(mixed)) == "6.2.1.1.3"
    assert refused(made, "german", HandIn(order("overwatch", 1, 2, 3, leader=2))) == "6.2.1.1.3"
    assert refused(made, "german", HandIn(order("overwatch", 1, 2, leader=2))) is None


@rule("6.2.1.1.3-limits")
def test_formations_do_not_share() -> None:
    two = """units = { pz4h = 1 }
[[sides.german.formations]]
name = "2."
grade = "elite"
units = { pz4h = 1 }"""
    made = battle(army('{ unit = "pz4h", count = 2, at = ["1-A4"] }', "elite", two))
    assert refused(made, "german", HandIn(order("overwatch", 1, 2, leader=1))) == "6.2.1.1.3-limits"


@rule("6.2.1.1.3-recon")
def test_recon_units_have_commands_of_their_own() -> None:
    named = "units = { pz4h = 3 }\nlabels = { Recon = { pz4h = 1 } }"
    made = battle(army('{ unit = "pz4h", count = 3, at = ["1-A4"] }', "seasoned", named))
    assert control.available(made.state, "german-1") == 1
    assert refused(made, "german", HandIn(order("overwatch", 1, 2, leader=1))) == "6.2.1.1.3-recon"
    assert refused(made, "german", HandIn(order("overwatch", 1, 2))) is None
    assert refused(made, "german", HandIn(order("overwatch", 2, 3))) == "6.2.1.1"


@rule("6.2.1.1.3-unarmed")
def test_an_inactive_truck_has_its_own_command() -> None:
    trucks = '{ unit = "tg_kubel", count = 2, at = ["1-A8"] }, { unit = "pz4h", count = 9, at = ["1-A1"] }'
    made = battle(army(trucks, "elite"))
    assert refused(made, "german", HandIn(order("move", 1, 2, leader=1))) == "6.2.1.1.3-unarmed"
    assert refused(made, "german", HandIn(order("move", 1, 2))) is None


ROAD = OPEN + 'roads = ["A2 A3 A4 A5 A6"]\n'


@rule("6.2.1.1.3-road")
def test_a_column_on_a_road_shares_one_move() -> None:
    spread = tanks(3, "regulars", '"1-A4", "1-A5", "1-A6"')
    sheet = HandIn((*order("move", 1), *order("move", 2, leader=1), Command("german-3", "move", "german-2")))
    one = HandIn((*order("move", 2), Command("german-1", "move", "german-2"), Command("german-3", "move", "german-2")))
    assert refused(battle(spread), "german", one) == "6.2.1.1.3"
    made = battle(spread, SECOND, board=ROAD)
    assert refused(made, "german", sheet) == "6.2.1.1.3"
    made.play("german", one)
    made.play("soviet", HandIn())
    made.play(made.asked()[0], RollInitiative())
    while made.stack[-1].step != "movement" or made.stack[-1].side != "german":
        made.play(made.asked()[0], EndStep())
    made.state.change("german-1", facing=0)
    assert refused(made, "german", Move("german-1", "1-A3")) == "6.2.1.1.3-road"
    assert refused(made, "german", Move("german-1", "1-A3", along_road=True)) is None


@rule("6.2.1.1.3-road")
def test_a_column_of_five_shares_one_move_by_its_first_vehicle() -> None:
    """Each is next to the one in front of it, and the last one is four hexes from the first."""
    five = tanks(5, "regulars", '"1-A2", "1-A3", "1-A4", "1-A5", "1-A6"')
    made = battle(five, board=ROAD)
    assert refused(made, "german", HandIn(order("move", 1, 2, 3, 4, 5, leader=1))) is None
    frame = made.stack[-1]
    assert isinstance(frame, CommandPhase)
    assert Command("german-5", "move", "german-1") in [*frame.orders(made.state, "german", "german-5")]
    assert refused(made, "german", HandIn(order("move", 1, 2, 4, 5, leader=1))) == "6.2.1.1.3"  # a gap
    assert refused(made, "german", HandIn(order("overwatch", 1, 2, leader=1))) == "6.2.1.1.3"
    assert refused(battle(five), "german", HandIn(order("move", 1, 2, 3, 4, 5, leader=1))) == "6.2.1.1.3"


@rule("6.2.1.1.3")
def test_a_shared_command_stays_secret_and_is_revealed_for_all() -> None:
    made = battle(tanks(2, "veteran"), (*FIRST, 99, 99))
    made.play("german", HandIn(order("fire", 1, 2, leader=1)))
    assert made.sight("soviet").units["german-2"].shares == ""
    made.play("soviet", HandIn())
    made.play(made.asked()[0], RollInitiative())
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Announce("german-2", "soviet-1"))
    made.play("german", Resolve())
    made.play("soviet", Keep())
    assert told(made, "revealed") == ["Pz Kpfw IV H 1: fire", "Pz Kpfw IV H 2: fire"]


# --- executing shared commands


def handed(made: Game[Position], orders: tuple[Command, ...]) -> Game[Position]:
    """The battle after commands and initiative."""
    made.play("german", HandIn(orders))
    made.play("soviet", HandIn())
    made.play(made.asked()[0], RollInitiative())
    return made


APART = 'units = [{ unit = "t34_43", count = 3, at = ["1-G4", "1-G5", "1-G7"] }]'


@rule("6.2.1.1.4-fire")
def test_targets_of_a_shared_fire_command_are_within_command_range() -> None:
    made = handed(battle(tanks(2, "veteran"), (*FIRST, 99), soviet=APART), order("fire", 1, 2, leader=1))
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    made.play("soviet", Keep())
    assert refused(made, "german", Announce("german-2", "soviet-3")) == "6.2.1.1.4-fire"
    assert refused(made, "german", Announce("german-2", "soviet-2")) is None


@rule("6.2.1.1.4-fire", "5.14-a")
def test_the_targets_of_a_unit_with_two_weapons_all_count() -> None:
    """G6 is within Command Range 1 of the second target in G5, and beyond it from the first in G4."""
    soviet = 'units = [{ unit = "t34_43", count = 3, at = ["1-G4", "1-G5", "1-G6"] }]'
    made = handed(battle(tanks(2, "veteran"), (*FIRST, 99, 99), soviet=soviet), order("fire", 1, 2, leader=1))
    fire(made, "german-1", "soviet-1")
    fire(made, "german-1", "soviet-2")
    units = made.state.units
    assert targets_apart(made.state, units["german-2"], units["soviet-2"]) is None
    refusal = targets_apart(made.state, units["german-2"], units["soviet-3"])
    assert refusal is not None
    assert refusal.rule == "6.2.1.1.4-fire"


@rule("6.2.1.1.4-move")
def test_a_shared_move_ends_within_command_range() -> None:
    made = handed(battle(tanks(2, "veteran"), SECOND), order("move", 1, 2, leader=1))
    while made.stack[-1].step != "movement" or made.stack[-1].side != "german":
        made.play(made.asked()[0], EndStep())
    for hex in ("1-B4", "1-C5"):
        made.play("german", Move("german-1", hex))
        while isinstance(made.stack[-1], Overwatch):
            made.play(made.asked()[0], Pass())
    made.play("german", Stay("german-1"))
    assert refused(made, "german", EndStep()) == "6.2.1.1.4-move"
    assert refused(made, "german", Stay("german-2")) == "6.2.1.1.4-move"
    made.play("german", Move("german-2", "1-B4"))
    while isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], Pass())
    assert refused(made, "german", Stay("german-2")) is None


@rule("6.2.1.1.4-ow")
def test_units_that_share_overwatch_fire_at_the_same_target() -> None:
    wood = edited(OPEN, "\n. . . . . . . . . . . .", "\n. . H . . . . . . . . .", 1)
    far = 'units = [{ unit = "t34_43", count = 2, at = ["1-G4", "1-L8"] }]'
    made = battle(tanks(3, "veteran"), (*FIRST, 99, 99, 99), board=wood, soviet=far)
    handed(made, order("overwatch", 1, 2, 3, leader=1))
    made.state.change("soviet-1", fired=True)
    made.state.change("german-3", facing=3, kind=CHARTS.vehicles["stug3g"])
    while not isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], EndStep())
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("soviet", Keep())
    assert len(told(made, "fired")) == 2
    assert [made.state.units[f"german-{n}"].fired for n in (1, 2, 3)] == [True, True, True]


# --- initiative


@rule("6.3", "6.3.1", "6.3.2")
@pytest.mark.parametrize(
    ("grade", "modifier"), [("elite", 40), ("veteran", 20), ("seasoned", 0), ("regulars", -20), ("green", -40)]
)
def test_the_force_grade_modifies_the_initiative(grade: str, modifier: int) -> None:
    won = handed(battle(tanks(1, grade), (50, 50 + modifier - 1)), ())
    assert won.state.first == "german"
    lost = handed(battle(tanks(1, grade), (50, 50 + modifier, 50, 50 + modifier + 1)), ())
    assert lost.state.first == "soviet"


# --- delayed reaction


def surprised(delay: int, options: tuple[str, ...] = ("AG", "7.48")) -> Game[Position]:
    """A German company of two tanks with this delay in turns, and another company without one."""
    late = f"""units = {{ pz4h = 2 }}
delay = {delay}
[[sides.german.formations]]
name = "2."
grade = "seasoned"
units = {{ pz4h = 1 }}"""
    units = army('{ unit = "pz4h", count = 3, at = ["1-A4"] }', "seasoned", late)
    return game(text(german=units, options=options))


@rule("7.48")
@pytest.mark.parametrize("command", ["fire", "move", "short halt", "overwatch"])
def test_a_surprised_formation_has_no_command_until_its_delay_is_over(command: str) -> None:
    made = surprised(2)
    assert refused(made, "german", HandIn(order(command, 1))) == "7.48"
    assert refused(made, "german", HandIn(order("no command", 1, 2))) is None
    made.state.turn = 2
    assert refused(made, "german", HandIn(order(command, 2))) == "7.48"
    made.state.turn = 3
    assert refused(made, "german", HandIn(order(command, 1))) is None


@rule("7.48")
def test_only_the_surprised_formation_waits_and_only_with_the_option() -> None:
    assert refused(surprised(2), "german", HandIn(order("overwatch", 3))) is None
    assert refused(surprised(2, ("AG",)), "german", HandIn(order("overwatch", 1))) is None
    assert refused(surprised(0), "german", HandIn(order("overwatch", 1))) is None


@rule("7.48")
def test_the_command_phase_offers_a_surprised_unit_no_command_alone() -> None:
    made = surprised(1)
    phase = made.stack[-1]
    assert isinstance(phase, CommandPhase)
    offered = {unit: {o.command for o in phase.orders(made.state, "german", unit)} for unit in ("german-1", "german-3")}
    assert offered["german-1"] == {"no command"}
    assert {"no command", "move", "overwatch"} <= offered["german-3"]


def riding(delay: int, options: tuple[str, ...] = ("AG", "7.48")) -> Position:
    """A surprised squad aboard the half-track of a formation that is not, and an enemy squad next to them."""
    units = '{ unit = "g_sqd44", carrier = "h251_1" }, { unit = "h251_1", at = ["1-A4"] }'
    other = f"""units = {{ g_sqd44 = 1 }}
labels = {{ CHQ = {{ g_sqd44 = 1 }} }}
delay = {delay}
[[sides.german.formations]]
name = "2."
grade = "seasoned"
units = {{ h251_1 = 1 }}"""
    soviet = 'units = [{ unit = "s_sqd41", at = ["1-A5"] }]'
    state = game(text(german=army(units, "seasoned", other), soviet=soviet, options=options)).state
    assert state.units["german-1"].carrier == "german-2"
    state.spots = {name: tuple(state.units) for name in state.units}
    return state


def deeds(state: Position) -> dict[str, str | None]:
    """The rules that keep the squad from fire, from overwatch, from calls and from a Dismount Attack."""
    overwatch = Overwatch("german", ("german", "soviet"), ("soviet-1",), "1-A5")
    enemy, found = state.units["soviet-1"], {}
    for name, command in (("fire", "no command"), ("overwatch", "overwatch")):
        state.change("german-2", command=command)
        squad = at_arms(state, "german-1")
        if name == "fire":
            found[name] = cannot_announce(state, "german", squad, enemy)
            found["call"] = cannot_call(state, "german", CallFire("german-1", "none", "soviet-1"))
            attack = DismountAttack("german-2", "german-1", "1-A4", "soviet-1")
            found["attack"] = cannot_dismount_attack(state, state.change("german-2", command="move"), attack)
        else:
            found[name] = overwatch.cannot_shoot(state, "german", squad, enemy)
    return {name: refusal.rule if refusal else None for name, refusal in found.items()}


@rule("7.48", "6.6.7.2-who")
def test_surprised_passengers_do_nothing_under_the_command_of_their_vehicle() -> None:
    state = riding(2)
    for turn in (1, 2):
        state.turn = turn
        assert set(deeds(state).values()) == {"7.48"}
    state.turn = 3
    assert "7.48" not in deeds(state).values()
    assert {name for name, why in deeds(state).items() if why is None} >= {"fire", "overwatch", "attack"}


@rule("7.48")
@pytest.mark.parametrize(("delay", "options"), [(0, ("AG", "7.48")), (2, ("AG",))])
def test_passengers_that_are_not_surprised_fire(delay: int, options: tuple[str, ...]) -> None:
    assert deeds(riding(delay, options))["fire"] is None


@rule("7.48", "6.6.7.1.1-dismount")
def test_surprised_passengers_may_dismount() -> None:
    state = riding(2)
    squad = state.units["german-1"]
    assert cannot_dismount(state, state.units["german-2"], squad, "1-A3", 0) is None
