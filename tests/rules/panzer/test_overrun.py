"""Overrun combat [6.6.10]: vehicles drive into squads and guns."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from opfire.ai import players
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.overrun import Overrun, factor, reckoned
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.moving.going import Stay
from opfire.rulesets.panzer.moving.movement import Moving
from opfire.rulesets.panzer.pieces import CommandName, Position, Work
from opfire.rulesets.panzer.sequence import RollInitiative
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, rule

TANK = '{ unit = "pz4h", at = ["1-B4"] }'
MEN = '{ unit = "s_sqd41", at = ["1-B5"] }'


def battle(german: str = TANK, soviet: str = MEN, script: tuple[int, ...] = (), board: str = OPEN) -> Game[Position]:
    """A German vehicle next to a Soviet unit, to its south."""
    sides = {"german": f"units = [{german}]", "soviet": f"units = [{soviet}]"}
    made = game(text(board=board, options=("AG",), **sides), script)
    made.state.change("german-1", facing=3)
    return made


def moving(made: Game[Position], command: CommandName = "move") -> Game[Position]:
    """The Germans move, as the Second Player."""
    made.state.spots = {name: tuple(made.state.units) for name in made.state.units}
    made.play("german", HandIn((Command("german-1", command),)))
    made.play("soviet", HandIn())
    made.play(made.asked()[0], RollInitiative())
    while made.stack[-1].step != "movement":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    return made


@rule("6.6.10.1-factor")
def test_all_weapons_and_riders_count_up_to_fifteen() -> None:
    made = battle()
    assert factor(made.state, made.state.units["german-1"]) == 7
    made = battle('{ unit = "m3lee", at = ["1-B4"] }, { unit = "g_sqd41", at = ["1-B4"] }')
    lee = made.state.units["german-1"]
    rows = [CHARTS.weapons[name, "V", "GP-DF", "HE"].value("P") for name in ("u37", "u75m2")]
    assert factor(made.state, lee) == sum(rows)
    made.state.change("german-2", hex=None, status="mounted", carrier="german-1")
    assert factor(made.state, lee) == min(15, sum(rows) + CHARTS.legs["g_sqd41"].value_p)


@rule("6.6.10.1-res", "6.5.4.3-or", "6.5.4.3-coax")
def test_an_overrun_adds_twenty_and_the_coaxial_machine_gun_ten() -> None:
    made = battle()
    found = reckoned(made.state, made.state.units["german-1"], made.state.units["soviet-1"])
    amounts = {line.rule: line.amount for line in found.lines if line.kind == "modifier"}
    assert amounts == {"6.5.4.3-or": 20, "6.5.4.3-coax": 10}
    made.state.change("german-1", suppression="on", damaged=True, damaged_part="turret")
    assert reckoned(made.state, made.state.units["german-1"], made.state.units["soviet-1"]).modifier == 30 - 20 - 10


@rule("6.6.10-who")
def test_only_armed_vehicles_with_move_commands_overrun() -> None:
    made = moving(battle(script=(10, 90)))
    assert refused(made, "german", Overrun("german-1", "soviet-1")) is None
    made.state.change("german-1", command="short halt")
    assert refused(made, "german", Overrun("german-1", "soviet-1")) == "6.6.10-who"
    truck = moving(battle('{ unit = "tg_kubel", at = ["1-B4"] }', script=(10, 90)))
    assert refused(truck, "german", Overrun("german-1", "soviet-1")) == "6.6.10-who"


@rule("6.6.10.2-res", "6.6.10.1-end", "6.6.10-ow")
def test_a_gun_is_crushed_and_the_vehicle_goes_on_or_stays() -> None:
    soviet = '{ unit = "t_75", at = ["1-B5"] }, { unit = "t34_43", at = ["1-H5"] }'
    made = moving(battle(soviet=soviet, script=(10, 90, 80)))
    made.play("german", Overrun("german-1", "soviet-1"))
    assert made.state.units["soviet-1"].status == "eliminated"
    assert isinstance(made.stack[-1], Moving)
    assert refused(made, "german", Stay("german-1")) is None
    assert made.state.units["german-1"].seen_as == "move"


@rule("6.6.10.2-res", "6.6.10.2-turn", "6.6.10.1-end")
@pytest.mark.parametrize("roll", [1, 60])
def test_a_squad_that_holds_out_sends_the_vehicle_back(roll: int) -> None:
    made = moving(battle(script=(10, 90, roll)))
    made.state.change("soviet-1", suppression="off")
    made.play("german", Overrun("german-1", "soviet-1"))
    squad = made.state.units["soviet-1"]
    assert squad.suppression == "on"
    assert (squad.kind.category == "half-squad") is (roll == 60)
    assert refused(made, "german", Overrun("german-1", "soviet-1")) == "6.6.10-target"
    frame = made.stack[-1]
    assert isinstance(frame, Moving)
    made.swap(replace(frame, going=frame.going._replace(spent=99)))
    assert refused(made, "german", Stay("german-1")) is None
    made.play("german", Stay("german-1"))
    assert made.state.units["german-1"].hex == "1-B4"


@rule("6.6.10-target", "6.1.4.3.7")
def test_vehicles_and_improved_positions_are_not_overrun() -> None:
    made = moving(battle(soviet='{ unit = "t34_43", at = ["1-B5"] }', script=(10, 90)))
    assert refused(made, "german", Overrun("german-1", "soviet-1")) == "6.6.10-target"
    made = moving(battle(script=(10, 90)))
    made.state.works["1-B5"] = (Work("improved position", holder="soviet-1"),)
    assert refused(made, "german", Overrun("german-1", "soviet-1")) == "6.1.4.3.7"


def test_random_games_with_overruns_end() -> None:
    fights = 0
    scenario = text(german=f"units = [{TANK}]", soviet=f"units = [{MEN}]", options=("AG",))
    for seed in range(30):
        made, rng = game(scenario, None, seed), random.Random(seed)
        while made.stack:
            seat = made.asked()[0]
            made.play(seat, players()["random"].choose(made, seat, rng))
            fights += len(told(made, "overrun"))
    assert fights


@rule("6.6.10.1-factor", "5.16.2.1")
@pytest.mark.parametrize(("roll", "change"), [(6, 0), (7, -10)])
def test_a_flamethrower_may_be_short_of_fuel(roll: int, change: int) -> None:
    flames = next(card.id for card in CHARTS.vehicles.values() if card.main == "ft_pz3" and card.main_arc == "all")
    made = moving(battle(f'{{ unit = "{flames}", at = ["1-B4"] }}', script=(10, 90, roll, 1)))
    made.play("german", Overrun("german-1", "soviet-1"))
    (event,) = [event for event in made.events if event.kind == "overrun"]
    assert event.calculation is not None
    assert sum(line.amount for line in event.calculation.lines if line.rule == "6.5.4.3-ammo") == change
