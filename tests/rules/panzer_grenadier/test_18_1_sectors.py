"""More than two players [18]: sector command. Tests are named after rules.

The board of these tests is A to H in the west, I to P in the east; H4 is next to I4 and I5.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core import contract
from core.contract import Case
from edits import edited
from opfire.commands.check import check
from opfire.core.actions import Action
from opfire.core.dice import scripted
from opfire.core.errors import BadInput
from opfire.core.game import SPECTATOR, Game
from opfire.core.match import Match
from opfire.core.record import Record, new_game
from opfire.core.ruleset import Suggestion
from opfire.kit.setup import PickUp, Ready
from opfire.rulesets.panzer_grenadier import RULESET
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.assault.assaulting import DeclareAssault, EnterAssault, JoinAssault
from opfire.rulesets.panzer_grenadier.assault.charge import Charge
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.command.formations import GiveSegment
from opfire.rulesets.panzer_grenadier.command.sectors import (
    Commanding,
    EndOrders,
    GiveAircraft,
    GiveBattery,
    Send,
    change,
)
from opfire.rulesets.panzer_grenadier.command.segment import ActionSegment
from opfire.rulesets.panzer_grenadier.fire.aircraft import SendAircraft, guns_firing, join
from opfire.rulesets.panzer_grenadier.fire.antitank import FireAntiTank
from opfire.rulesets.panzer_grenadier.fire.bombardment import Bombard
from opfire.rulesets.panzer_grenadier.fire.direct import FireDirect
from opfire.rulesets.panzer_grenadier.fire.losses import Blow, LoseStep, suffer
from opfire.rulesets.panzer_grenadier.fire.offboard import CallFire, CallSmoke
from opfire.rulesets.panzer_grenadier.fire.reaction import OpportunityFire, ShootAntiTank, ShootDirect
from opfire.rulesets.panzer_grenadier.fire.smoke import FireSmoke
from opfire.rulesets.panzer_grenadier.morale.flight import Fleeing, FleeTo, flee
from opfire.rulesets.panzer_grenadier.movement.moving import Cross, EnterMap, Move, Stop
from opfire.rulesets.panzer_grenadier.optional.rules import SaveSegment, rally
from opfire.rulesets.panzer_grenadier.pieces import Position, Share
from opfire.rulesets.panzer_grenadier.setup.placing import Place
from opfire.rulesets.panzer_grenadier.setup.setting_up import DrawPieces, Finish
from opfire.rulesets.panzer_grenadier.works.minefields import LiftMines, MineLifting
from rules.panzer_grenadier.kit import Table, draw, german, leader, marker, offered, play, refused, rule, soviet, unit
from rules.panzer_grenadier.test_play import MOST, everything
from space.drawing import text

SEATS = {"anna": "german", "bert": "german", "ivan": "soviet", "olga": "soviet"}
WEST = {"name": "west", "hexes": {"board": "1", "columns": "A-H"}, "commanders": {"german": "anna", "soviet": "ivan"}}
EAST = {"name": "east", "hexes": {"board": "1", "columns": "I-P"}, "commanders": {"german": "bert", "soviet": "olga"}}
SPECIAL = {"command": "sector", "sectors": [WEST, EAST]}


def divided(side: str = "german", played: str = "west", **units: Any) -> Game[Position]:
    """Anna and Ivan play the west against each other, Bert and Olga the east; Anna and Ivan are their officers."""
    special = {**SPECIAL, **units.pop("special", {})}
    markers, options = units.pop("markers", ()), units.pop("options", ())
    game = draw(side=side, special=special, markers=markers, options=options, **units)
    game.seats = dict(SEATS)
    change(game.state, played=played)
    game.state.change_army("german", commander="anna")
    game.state.change_army("soviet", commander="ivan")
    return game


FAR: dict[str, Table] = {"far": soviet("sov-inf", "A10")}
"""Somebody on the other side, out of everything."""


# --- 18.1: the map in sectors ---------------------------------------------------------------------------------------


def sectors(*charts: str) -> str:
    """The special part of a scenario with these sectors."""
    return "\n".join(f"[[special.sectors]]\n{table}" for table in charts)


def small(
    *,
    divide: str = "",
    command: str = 'command = "sector"',
    board: str = "",
    turns: int = 2,
    options: str = "",
    german: str = "",
) -> str:
    """A platoon of each side in the west, one in the east, in a corner each."""
    board = board or f"map = '''\n{text(chr(10).join(['. ' * 16] * 10))}\n'''"
    divide = divide or sectors(
        'name = "west"\nhexes = { board = "1", columns = "A-H" }\ncommanders = { german = "anna", soviet = "ivan" }',
        'name = "east"\nhexes = { board = "1", columns = "I-P" }\ncommanders = { german = "bert", soviet = "olga" }',
    )
    return f"""
id = "small"
ruleset = "panzer-grenadier"
title = "Small"
turns = {turns}
first = "german"
options = [{options}]
{board}
[sides.german]
name = "German"
nation = "german"
[[sides.german.units]]
unit = "ger-inf"
at = ["1-A1"]
[[sides.german.units]]
unit = "ger-inf"
at = ["1-P1"]
[sides.soviet]
name = "Soviet"
nation = "soviet"
[[sides.soviet.units]]
unit = "sov-inf"
at = ["1-A10"]
[[sides.soviet.units]]
unit = "sov-inf"
at = ["1-P10"]
[special]
year = 1943
{command}
[special.sides.german]
initiative = 3
{german}
[special.sides.soviet]
initiative = 3
{divide}
"""


@rule("18.1")
def test_18_1_the_map_is_divided_board_by_board() -> None:
    boards = '[[boards]]\nboard = "own-1"\n[[boards]]\nboard = "own-3"\nat = [0, 1]\n'
    divide = sectors('name = "north"\nboards = ["own-1"]', 'name = "south"\nboards = ["own-3"]')
    scenario = small(board=boards, divide=divide)
    for corner, hex in (("A1", "B2"), ("P1", "P2"), ("A10", "B9"), ("P10", "P9")):  # what these boards have of them
        scenario = edited(scenario, f'"1-{corner}"', f'"1-{hex}"')
    game: Game[Position] = new_game(RULESET, scenario, scripted((2, 1)))
    found = game.state.setting.sector_of
    assert set(found) == set(game.state.map.names)
    assert {hex.split("-")[0]: sector for hex, sector in found.items()} == {"1": "north", "3": "south"}


@rule("18.1")
def test_18_1_or_in_any_other_manner_by_blocks_and_by_hexes() -> None:
    divide = sectors(
        'name = "hill"\nlist = ["1-A1", "1-A2"]',
        'name = "rest"\nhexes = { board = "1", columns = "B-P" }\nlist = ["1-A3", "1-A4", "1-A5", "1-A6", "1-A7",'
        ' "1-A8", "1-A9", "1-A10"]',
    )
    game: Game[Position] = new_game(RULESET, small(divide=divide), scripted((2, 1)))
    found = game.state.setting.sector_of
    assert sorted(hex for hex, sector in found.items() if sector == "hill") == ["1-A1", "1-A2"]
    assert len(found) == 160


HALF = 'hexes = { board = "1", columns = "A-H" }'
OTHER = 'hexes = { board = "1", columns = "I-P" }'


@rule("18.1")
@pytest.mark.parametrize(
    ("divide", "command", "what"),
    [
        (
            sectors(f'name = "a"\n{HALF}', f'name = "b"\n{OTHER}'),
            "",
            r'sectors a, b; expected command = "sector"',
        ),
        (sectors(f'name = "a"\n{HALF}', f'name = "b"\n{OTHER}'), "formation", "sectors a, b; expected command"),
        (" ", "sector", "no sectors; expected two or more"),
        (sectors(f'name = "a"\n{HALF}'), "sector", "sectors a; expected two or more"),
        (sectors(f'name = "a"\n{HALF}', f'name = "a"\n{OTHER}'), "sector", "sectors a, a; .* a name of its own"),
        (sectors(f'name = "a"\n{HALF}', 'name = "b"'), "sector", "sector b: it has no hexes"),
        (sectors(f'name = "a"\n{HALF}', 'name = "b"\nboards = ["9"]'), "sector", "board '9' is not in play"),
        (sectors(f'name = "a"\n{HALF}', 'name = "b"\nlist = ["1-Q1"]'), "sector", "'1-Q1' is not a hex in play"),
        (sectors(f'name = "a"\n{HALF}', 'name = "b"\nlist = ["1-I1"]'), "sector", "1-I2 is in no sector .79 hexes"),
        (
            sectors(f'name = "a"\n{HALF}', f'name = "b"\n{OTHER}\nlist = ["1-H9"]'),
            "sector",
            "sector b: 1-H9 is also in a",
        ),
        (
            sectors(f'name = "a"\n{HALF}\ncommanders = {{ finnish = "x" }}', f'name = "b"\n{OTHER}'),
            "sector",
            "sector a: commanders of finnish",
        ),
        (
            sectors(f'name = "a"\n{HALF}\ncommanders = {{ german = "x" }}', f'name = "b"\n{OTHER}'),
            "sector",
            "sector b: german has no commander",
        ),
        (
            sectors(*(f'name = "{n}"\n{h}\ncommanders = {{ german = "x" }}' for n, h in (("a", HALF), ("b", OTHER)))),
            "sector",
            "x commands everywhere",
        ),
        (
            sectors(
                f'name = "a"\n{HALF}\ncommanders = {{ german = "x", soviet = "y" }}',
                f'name = "b"\n{OTHER}\ncommanders = {{ german = "y", soviet = "z" }}',
            ),
            "sector",
            "y commands on both sides",
        ),
        (sectors(f'name = "a"\n{HALF}\ncolumns = "A"', f'name = "b"\n{OTHER}'), "sector", "columns"),
    ],
)
def test_18_1_what_is_wrong_with_the_sectors_is_said_in_one_sentence(divide: str, command: str, what: str) -> None:
    with pytest.raises(BadInput, match=what) as caught:
        new_game(RULESET, small(divide=divide, command=command and f'command = "{command}"'), scripted(()))
    assert "\n" not in str(caught.value)


def test_opfire_check_says_what_is_wrong_with_the_sectors(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(small(), encoding="utf-8")
    bad.write_text(edited(small(), 'columns = "I-P"', 'columns = "J-P"'), encoding="utf-8")
    assert list(check(good)) == []
    (problem,) = check(bad)
    assert (problem.where, problem.what) == ("special.sectors", "1-I1 is in no sector (10 hexes are in none)")


@rule("18.1", "18.2")
def test_18_1_units_are_not_given_to_players_where_sectors_are() -> None:
    players = 'players = { x = ["german-1"], y = ["german-2"] }'
    with pytest.raises(BadInput, match='players x, y; expected command = "formation"'):
        new_game(RULESET, small(german=players), scripted(()))


@rule("18.1")
def test_18_1_the_seats_are_the_commanders_whom_the_scenario_names() -> None:
    seats = {"anna": "german", "carl": "german", "soviet": "soviet"}
    with pytest.raises(BadInput, match="german has the seats anna, carl; expected anna, bert"):
        new_game(RULESET, small(), scripted(()), seats)


@rule("18.1")
def test_18_1_each_sets_up_in_his_sector_and_the_officer_ends_it() -> None:
    game = setting_up(2)
    game.play("anna", DrawPieces())
    places = {seat: {act.hex for act in offered(game, Place, seat) if isinstance(act, Place)} for seat in SEATS}
    assert places == {"anna": {"1-G2", "1-G3", "1-G4"}, "bert": {"1-I2", "1-I3"}, "ivan": set(), "olga": set()}
    assert refused(game, Place("german-1", "1-G2"), "bert") == "18.12"
    while found := [(seat, act) for seat in ("anna", "bert") for act in offered(game, Place, seat)]:
        game.play(*found[0])
    assert refused(game, Ready(), "anna") == "18.31"
    assert offered(game, PickUp, "anna")
    assert refused(game, Finish("anna"), "bert") == "18.2"
    game.play("anna", Finish("anna"))
    assert list(game.choices("anna")) == []
    game.play("bert", Ready())
    assert game.asked() == ("soviet",)


def setting_up(die: int) -> Game[Position]:
    """A game that waits for the German set-up; the die says who will be commanding officer."""
    scenario = edited(
        edited(small(), 'at = ["1-A1"]', 'zone = "line"\ncount = 2'),
        "[special]",
        '[[zones]]\nname = "line"\nlist = ["1-G2", "1-G3", "1-G4", "1-I2", "1-I3"]\n[special]',
    )
    return new_game(RULESET, scenario, scripted((die,)), SEATS)


# --- 18.11: every sector by itself --------------------------------------------------------------------------------


def begun(*dice: int, scenario: str = "") -> Game[Position]:
    """Anna and Ivan command; the first turn's orders are given, and the west has rolled the first of these dice."""
    game: Game[Position] = new_game(RULESET, scenario or small(), scripted((1, 1, *dice)), SEATS)
    game.play("anna", DrawPieces())
    game.play("ivan", DrawPieces())
    game.play("anna", EndOrders())
    game.play("ivan", EndOrders())
    return game


def able(game: Game[Position]) -> list[str]:
    """The seats that have something to decide."""
    return [seat for seat in SEATS if len(game.choices(seat)) > 0]


def turns(game: Game[Position]) -> list[str]:
    """The state of the sectors, as everybody sees it."""
    shown = [[one["turn"] for one in game.view(seat)["sectors"]] for seat in (*SEATS, SPECTATOR)]
    assert all(one == shown[0] for one in shown)
    words = RULESET.queries["text"](game.sight(SPECTATOR), SPECTATOR)
    assert [f"Sector west: {shown[0][0]}", f"Sector east: {shown[0][1]}"] == words.splitlines()[1:3]
    return shown[0]


@rule("18.11", "3.0.A", "3.0.B")
def test_18_11_each_pair_of_commanders_has_a_turn_of_its_own() -> None:
    """The west is the Germans' by one segment, the east the Soviets' by two: nobody outside hears of it."""
    game = begun(3, 2, 1, 4)
    assert (able(game), game.state.lead, turns(game)) == (["anna"], 1, ["under way", "waiting"])
    assert (
        game.prompt("bert") == game.prompt("anna") == "Sector west, anna: Activate a unit, a stack or a leader, or pass"
    )
    game.play("anna", Pass())
    assert able(game) == ["ivan"]
    game.play("ivan", Pass())
    assert (able(game), game.state.lead, turns(game)) == (["olga"], 2, ["done", "under way"])
    assert game.state.turn == 1
    game.play("olga", Activate("soviet-2", "move"))
    game.play("olga", EndSegment())
    assert able(game) == ["olga"]


@rule("18.11")
def test_18_11_when_all_sectors_are_done_the_next_turn_begins() -> None:
    game = begun(3, 2, 3, 2)
    game.play("anna", Activate("german-1", "move"))
    game.play("anna", Move("german-1", "1-A2"))
    game.play("anna", Stop("german-1"))
    for seat in ("ivan", "anna", "bert"):
        game.play(seat, Pass())
    assert unit(game, "german-1").marked  # it waits for the east
    assert game.state.turn == 1
    game.play("olga", Pass())
    assert (game.state.turn, turns(game)) == (2, ["waiting", "waiting"])
    assert not unit(game, "german-1").marked
    assert isinstance(game.stack[-1], Commanding)


@rule("18.11", "3.0.F")
def test_18_11_who_is_demoralized_elsewhere_keeps_nobody_from_passing() -> None:
    units = {"a": german("ger-inf", "C3"), "b": german("ger-inf", "K3", state="demoralized")}
    assert Pass() in divided(**units, **FAR).choices("anna")
    assert refused(divided(played="east", **units, **FAR), Pass(), "bert") == "3.0.F"


@rule("18.11", "17.2")
def test_18_11_a_segment_saved_in_one_sector_is_none_in_the_next() -> None:
    """The west saves one of three segments; in the east the sides simply alternate."""
    game = begun(6, 1, 2, 1, scenario=small(options='"17.2"'))
    assert able(game) == ["anna"]
    game.play("anna", SaveSegment())
    assert game.state.armies["german"].banked
    for seat in ("anna", "anna"):
        game.play(seat, Pass())
    while game.state.sectors.played == "west":
        game.play(able(game)[0], Pass())
    assert not game.state.armies["german"].banked
    game.play("bert", Pass())
    assert isinstance(game.stack[-1], ActionSegment)
    assert able(game) == ["olga"]


@rule("18.11", "17.4")
def test_18_11_the_fog_of_war_ends_the_turn_of_one_sector() -> None:
    game = begun(3, 2, scenario=small(options='"17.4"'))
    for side in ("german", "soviet"):
        game.state.change_army(side, segments=3)
    game.play("anna", Activate("german-1", "move"))
    game.dice = scripted((6, 6, 6, 3, 2))
    game.play("anna", EndSegment())
    assert (game.state.turn, turns(game)) == (1, ["done", "under way"])
    assert able(game) == ["bert"]
    assert game.state.armies["german"].segments == 0


@rule("18.1", "18.11")
def test_18_1_one_may_command_in_several_sectors_of_more_than_two() -> None:
    divide = sectors(
        'name = "a"\nhexes = { board = "1", columns = "A-E" }\ncommanders = { german = "anna" }',
        'name = "b"\nhexes = { board = "1", columns = "F-K" }\ncommanders = { german = "bert" }',
        'name = "c"\nhexes = { board = "1", columns = "L-P" }\ncommanders = { german = "anna" }',
    )
    seats = {"anna": "german", "bert": "german", "soviet": "soviet"}
    game: Game[Position] = new_game(RULESET, small(divide=divide), scripted((2, *(3, 2) * 3)), seats)
    game.play("anna", DrawPieces())
    assert game.state.armies["german"].commander == "bert"
    game.play("bert", EndOrders())
    game.play("soviet", EndOrders())
    found = []
    for _ in range(3):
        found += [(game.state.sectors.played, seat) for seat in ("anna", "bert") if len(game.choices(seat))]
        game.play(found[-1][1], Pass())
        game.play("soviet", Pass())
    assert found == [("a", "anna"), ("b", "bert"), ("c", "anna")]
    assert game.state.turn == 2


@rule("18.11", "17.5")
def test_18_11_an_aircraft_that_comes_by_chance_is_none_of_those_given_to_another_sector() -> None:
    game = divided(a=german("ger-inf", "C3"), **FAR)
    change(game.state, shares=(Share("german", "east", (), ("ger-ju87",)),))
    game.dice = scripted((1, 1))
    join(game, "german")
    assert {game.state.charts.aircraft[name].piece for name in game.state.armies["german"].aircraft} == {"ger-b"}


@rule("18.11", "17.5")
def test_18_11_a_random_event_is_for_the_sector_in_which_it_happens() -> None:
    game = divided(a=german("ger-inf", "C3", state="disrupted"), b=german("ger-inf", "K3", state="disrupted"), **FAR)
    rally(game, "german")
    assert [unit(game, name).state for name in "ab"] == ["good order", "disrupted"]


@rule("18.11")
def test_18_11_one_player_a_side_plays_all_sectors() -> None:
    game: Game[Position] = new_game(RULESET, small(turns=1), scripted((3, 2, 3, 2)))
    assert set(game.seats) == {"german", "soviet"}
    assert [one["commanders"] for one in game.view("german")["sectors"]] == [{"german": "", "soviet": ""}] * 2
    for seat in ("german", "soviet"):
        game.play(seat, EndOrders())
    assert refused(game, Activate("german-2", "move"), "german") == "18.12"
    assert game.prompt("german") == "Sector west: Activate a unit, a stack or a leader, or pass"
    for _ in range(2):
        game.play("german", Pass())
        game.play("soviet", Pass())
    assert game.outcome is not None


# --- 18.12: who commands where -------------------------------------------------------------------------------------


@rule("18.12", "18.11")
def test_18_12_a_commander_activates_only_who_is_in_his_sector_and_only_while_it_is_played() -> None:
    game = divided(a=german("ger-inf", "C3"), b=german("ger-inf", "K3"), **FAR)
    assert refused(game, Activate("b", "move"), "anna") == "18.12"
    assert refused(game, ActivateStack("K3"), "anna") == "3.11"
    assert refused(game, Activate("b", "move"), "bert") == "18.11"
    assert refused(game, Pass(), "bert") == "18.11"
    assert refused(game, GiveSegment("bert"), "anna") == "18.32"  # nobody gives out segments here
    assert {act.unit for act in offered(game, Activate, "anna") if isinstance(act, Activate)} == {"a"}
    game.play("anna", Activate("a", "move"))
    assert refused(game, Move("a", "1-C4"), "bert") == "18.11"
    game.play("anna", Move("a", "1-C4"))
    assert refused(game, Stop("a"), "bert") == "18.11"


@rule("18.12", "3.12")
def test_18_12_a_leader_reaches_nobody_over_the_border() -> None:
    game = divided(
        cpt=leader("german", "H4", "CPT"), lt=leader("german", "I4", "LT"), a=german("ger-inf", "H5"),
        b=german("ger-inf", "I5"), **FAR,
    )  # fmt: skip
    game.play("anna", ActivateLeader("cpt"))
    found = {act.unit for act in offered(game, Designate, "anna") if isinstance(act, Designate)}
    assert found == {"cpt", "a"}


@rule("18.12", "10.0", "11.0", "9.0", "16.1")
def test_18_12_no_fire_at_a_target_outside_the_sector() -> None:
    units = {
        "inf": german("ger-inf", "H4"),
        "pak": german("ger-at-50", "H4"),
        "mortar": german("ger-mortar-81", "H5"),
        "foe": soviet("sov-t34", "I2"),
        "near": soviet("sov-t34", "G2"),
    }
    game = divided(special={"sides": {"german": {"smoke": True}}}, **units)
    game.play("anna", ActivateStack("1-H4"))
    play(game, DesignateAll("fire"), Begin(), seat="anna")
    assert refused(game, FireDirect("inf", "I2"), "anna") == "18.12"
    assert refused(game, FireAntiTank("pak", "foe"), "anna") == "18.12"
    assert FireDirect("inf", "1-G2") in game.choices("anna")
    assert FireAntiTank("pak", "near") in game.choices("anna")
    game = divided(special={"sides": {"german": {"smoke": True}}}, **units)
    game.play("anna", Activate("mortar", "fire"))
    assert refused(game, Bombard("mortar", "I2"), "anna") == "18.12"
    assert refused(game, FireSmoke("mortar", "I2"), "anna") == "18.12"
    assert {Bombard("mortar", "1-G2"), FireSmoke("mortar", "1-G2")} <= set(game.choices("anna"))


def moved_past(to: str, **units: Table) -> Game[Position]:
    """The Soviet commander of the west drives his tank one hex, where it may be fired at."""
    game = divided("soviet", t=soviet("sov-t34", "H2", tank_leader=True), **units)
    change(game.state, sent=(("t", "east"),))
    play(game, Activate("t", "move"), Move("t", to), seat="ivan")
    return game


@rule("18.12", "13.0")
def test_18_12_opportunity_fire_is_within_the_sector_and_its_commander_s() -> None:
    guns = {"west": german("ger-at-50", "F4"), "east": german("ger-at-50", "K4")}
    game = moved_past("H3", **guns)
    assert isinstance(game.stack[-1], OpportunityFire)
    assert able(game) == ["anna"]
    assert refused(game, ShootAntiTank("east", "t"), "anna") == "18.12"
    assert ShootAntiTank("west", "t") in game.choices("anna")
    assert refused(game, Pass(), "bert") == "18.12"


@rule("18.12", "13.0")
def test_18_12_into_another_sector_one_comes_under_the_fire_of_its_commander() -> None:
    guns = {"west": german("ger-at-50", "F4"), "east": german("ger-at-50", "K4")}
    game = moved_past("I3", **guns)
    assert able(game) == ["bert"]
    assert refused(game, ShootAntiTank("west", "t"), "bert") == "18.12"
    assert ShootAntiTank("east", "t") in game.choices("bert")
    game.play("bert", Pass())
    assert able(game) == ["ivan"]  # his segment goes on


@rule("18.12", "7.33", "13.01")
def test_18_12_a_leader_does_not_combine_the_fire_of_another_sector() -> None:
    """I5 is next to H4 and H5: where there is no border a leader there combines their fire at a mover in F4."""
    units = {
        "lt": leader("german", "I5", combat=2),
        "a": german("ger-inf", "H4"),
        "b": german("ger-inf", "H5"),
        "t": soviet("sov-t34", "F3", tank_leader=True),
    }
    whole, cut = draw(side="soviet", **units), divided("soviet", **units)
    for game, seat in ((whole, "soviet"), (cut, "ivan")):
        play(game, Activate("t", "move"), Move("t", "F4"), seat=seat)
    together = ShootDirect(("a", "b", "lt"), "t")
    assert together in whole.choices("german")
    assert refused(cut, together, "anna") == "7.33"
    assert ShootDirect(("a",), "t") in cut.choices("anna")


@rule("18.12", "9.1", "9.2")
def test_18_12_batteries_fire_into_the_sector_and_its_own_leaders_spot_for_them() -> None:
    units = {"foe": soviet("sov-inf", "G3"), "other": soviet("sov-inf", "J3"), "lone": soviet("sov-inf", "A10")}
    game = divided(lt=leader("german", "H4"), far=leader("german", "K9"), **units)
    game.state.change_army("german", offboard=(16,))
    assert refused(game, CallFire(16, "J3"), "anna") == "18.12"
    assert refused(game, CallFire(16, "G3"), "bert") == "18.11"
    assert {act.hex for act in offered(game, CallFire, "anna") if isinstance(act, CallFire)} == {"1-G3", "1-A10"}
    game = divided(far=leader("german", "I4"), a=german("ger-mortar-81", "A1"), **units)
    game.state.change_army("german", offboard=(16,))
    assert refused(game, CallFire(16, "G3"), "anna") == "18.12"  # seen, but not by one of the west's
    assert not offered(game, CallFire, "anna") | offered(game, CallSmoke, "anna")
    change(game.state, played="east")
    assert CallFire(16, "1-J3") in game.choices("bert")


@rule("18.12", "15.12")
def test_18_12_aircraft_attack_in_the_sector() -> None:
    game = divided(foe=soviet("sov-inf", "G3"), other=soviet("sov-inf", "J3"), a=german("ger-inf", "A1"))
    game.state.change_army("german", aircraft=("ger-ju87",))
    assert refused(game, SendAircraft("ger-ju87", "J3"), "anna") == "18.12"
    assert refused(game, SendAircraft("ger-ju87", "G3"), "bert") == "18.11"
    assert offered(game, SendAircraft, "anna") == {SendAircraft("ger-ju87", "1-G3")}


@rule("18.12", "15.16")
def test_18_12_flak_fires_over_its_own_sector() -> None:
    game = divided(foe=soviet("sov-inf", "H3"), flak=soviet("sov-37-aa", "I3"), own=soviet("sov-37-aa", "G3"))
    assert [gun.id for gun in guns_firing(game.state, "1-H3", "soviet")] == ["own"]


@rule("18.12", "16.51")
def test_18_12_reinforcements_enter_in_the_sector_that_is_played() -> None:
    units = {
        "new": german("ger-inf", arrives=1, entry=["A3", "P3"]),
        "late": german("ger-inf", arrives=1, entry=["P3"]),
    }
    game = divided(**units, **FAR)
    assert refused(game, Activate("late", "move"), "anna") == "18.12"
    game.play("anna", Activate("new", "move"))
    assert refused(game, EnterMap("new", "P3"), "anna") == "18.12"
    assert offered(game, EnterMap, "anna") == {EnterMap("new", "1-A3")}


def storming(**units: Table) -> Game[Position]:
    """Anna leads rifles from H4 against a platoon beyond the border, in I4."""
    there = {"lt": leader("german", "H4"), "a": german("ger-inf", "H4"), "foe": soviet("sov-inf", "I4"), **units}
    game = divided(**there)
    game.play("anna", ActivateLeader("lt"))
    play(game, Designate("a", "fire"), Begin(), seat="anna")
    return game


@rule("18.12", "12.1", "18.31")
def test_18_12_an_assault_is_begun_over_the_border_and_who_goes_in_is_the_other_commander_s() -> None:
    game = storming()
    game.dice = scripted((1,) * 20)
    game.play("anna", EnterAssault("a", "1-I4"))
    assert unit(game, "a").hex == "1-I4"
    assert able(game) == ["anna"]  # it is her segment
    game.play("anna", DeclareAssault("1-I4"))
    while able(game) == ["anna"]:
        game.play("anna", EndSegment())
    game.state.change("a", marked=False)
    assert refused(game, Activate("a", "fire"), "ivan") == "procedure"
    for sector, seat, found in (("west", "anna", "18.12"), ("east", "bert", None)):
        twin = game.copy()
        twin.stack = (*twin.stack[:-1], ActionSegment("german"))
        change(twin.state, played=sector)
        refusal = twin.why_not(seat, Activate("a", "fire"))
        assert (refusal and refusal.rule) == found


@rule("18.12", "12.3.a", "12.3.b")
def test_18_12_in_an_assault_over_the_border_nobody_of_the_other_commander_s_is_made_to_join() -> None:
    game = storming(b=german("ger-inf", "I4"))
    game.play("anna", EnterAssault("a", "1-I4"))
    game.play("anna", DeclareAssault("1-I4"))
    assert refused(game, JoinAssault("b"), "anna") == "18.12"
    assert offered(game, JoinAssault, "anna") == {JoinAssault("a")}


@rule("18.12", "15.31")
def test_18_12_cavalry_rides_into_an_assault_over_the_border() -> None:
    units = {
        "lt": leader("soviet", "H4", mounted=True),
        "cav": soviet("sov-cav", "H4"),
        "foe": german("ger-inf", "J4"),
    }
    game = divided("soviet", **units)
    game.play("ivan", ActivateLeader("lt"))
    play(game, Designate("cav", "fire"), Begin(), seat="ivan")
    assert {act.to for act in offered(game, Charge, "ivan") if isinstance(act, Charge)} == {"1-J4"}


@rule("18.12", "16.52", "15.31")
def test_18_12_cavalry_rides_onto_the_map_in_the_sector_that_is_played() -> None:
    units = {
        "lt": leader("soviet", arrives=1, entry=["A4", "P4"], mounted=True),
        "cav": soviet("sov-cav", arrives=1, entry=["A4", "P4"]),
        "foe": german("ger-inf", "B4"),
        "other": german("ger-inf", "O4"),
    }
    game = divided("soviet", **units)
    game.play("ivan", ActivateLeader("lt"))
    play(game, Designate("cav", "fire"), Begin(), seat="ivan")
    assert refused(game, Charge("cav", "1-P4", "1-O4"), "ivan") == "18.12"
    assert offered(game, Charge, "ivan") == {Charge("cav", "1-A4", "1-B4")}


@rule("18.12", "7.61")
def test_18_12_losses_are_the_commander_s_in_whose_sector_they_fall() -> None:
    game = divided("soviet", a=german("ger-inf", "I4"), b=german("ger-inf", "I4"), **FAR)
    suffer(game, "german", "1-I4", (Blow(("a", "b"), "1"),), "direct")
    game.run()
    assert able(game) == ["bert"]
    assert refused(game, LoseStep("a"), "anna") == "18.12"


@rule("18.12", "14.31", "18.31")
def test_18_12_who_flees_crosses_the_border_unsent_at_the_word_of_the_commander_where_he_stands() -> None:
    """While the west is played; from I4 the way away from K4 leads to the border, and beyond nobody can fire at him."""
    units = {"a": german("ger-inf", "I4", state="demoralized"), "foe": soviet("sov-t34", "K4")}
    game = divided("soviet", x=soviet("sov-inf", "A10"), y=german("ger-inf", "A9"), **units)
    game.play("ivan", Activate("x", "fire"))
    flee(game, "a")
    game.run()
    assert able(game) == ["bert"]
    assert refused(game, FleeTo("1-H4"), "anna") == "18.12"
    game.play("bert", FleeTo("1-H4"))
    assert unit(game, "a").hex == "1-H4"
    assert not isinstance(game.stack[-1], Fleeing)


@rule("18.12", "5.4")
def test_18_12_who_cannot_fire_over_the_border_is_not_dangerous_beyond_it() -> None:
    units = {"a": german("ger-inf", "F4"), "foe": soviet("sov-t34", "J4")}
    whole, cut = draw(**units), divided(**units)
    for game, seat in ((whole, "german"), (cut, "anna")):
        play(game, Activate("a", "move"), seat=seat)
    assert refused(whole, Move("a", "G4"), "german") == "5.4"
    assert Move("a", "1-G4") in cut.choices("anna")


@rule("6.61", "18.31")
def test_6_61_a_kommissar_goes_to_the_demoralized_of_his_sector_by_a_way_within_it() -> None:
    """One in the east is nearer, and none of his business."""
    units = {
        "kom": leader("soviet", "H4", "KOM"),
        "near": soviet("sov-inf", "I3", state="demoralized"),
        "far": soviet("sov-inf", "H1", state="demoralized"),
        "foe": german("ger-inf", "A10"),
    }
    game = divided("soviet", **units)
    game.play("ivan", Activate("kom", "move"))
    assert offered(game, Move, "ivan") == {Move("kom", "1-H3")}
    assert refused(game, Move("kom", "I4"), "ivan") == "18.31"


@rule("18.12", "16.74")
def test_18_12_minefields_are_the_commander_s_where_they_lie() -> None:
    mines = [marker("mines", "K3", side="german", value=str(strength)) for strength in (1, 2)]
    game = divided("soviet", markers=mines, a=german("ger-inf", "A1"), **FAR)
    change(game.state, played="")
    game.stack = (MineLifting("german", (("german", "1-K3"),)),)
    assert able(game) == ["bert"]
    assert refused(game, LiftMines(1), "anna") == "18.12"


# --- 18.3: the commanding officer ------------------------------------------------------------------------------------


@rule("18.3")
@pytest.mark.parametrize(("die", "officer"), [(1, "anna"), (2, "bert")])
def test_18_3_a_die_says_which_player_commands_and_no_leader_stands_for_him(die: int, officer: str) -> None:
    game = setting_up(die)
    assert list(game.choices("bert")) == []  # the first player draws for all
    game.play("anna", DrawPieces())
    army = game.state.armies["german"]
    assert (army.commander, army.senior) == (officer, "")
    assert {one.player for one in game.state.units.values()} == {""}


# --- 18.31: his orders ------------------------------------------------------------------------------------------------


def ordering(**given: str) -> Game[Position]:
    """The first turn begins, and Anna gives her orders."""
    game: Game[Position] = new_game(RULESET, small(**given), scripted((1, 1, *(3, 2) * 2)), SEATS)
    game.play("anna", DrawPieces())
    game.play("ivan", DrawPieces())
    return game


@rule("18.31")
def test_18_31_the_officer_divides_the_batteries_and_each_commander_has_his_own() -> None:
    game = ordering(german="offboard = [16, 16, 20]")
    assert able(game) == ["anna"]
    assert refused(game, GiveBattery(16, "west"), "bert") == "18.31"
    assert refused(game, EndOrders(), "anna") == "18.31"
    assert refused(game, GiveBattery(30, "west"), "anna") == "18.31"
    assert refused(game, GiveBattery(16, "north"), "anna") == "procedure"
    play(game, GiveBattery(16, "west"), GiveBattery(20, "east"), GiveBattery(16, "east"), seat="anna")
    assert refused(game, GiveBattery(16, "east"), "anna") == "18.31"  # both are gone
    shown = game.view("olga")["sectors"]
    assert [one["offboard"]["german"] for one in shown] == [[16], [20, 16]]
    play(game, EndOrders(), seat="anna")
    play(game, EndOrders(), seat="ivan")
    assert game.state.armies["german"].offboard == (16,)
    play(game, Pass(), seat="anna")
    play(game, Pass(), seat="ivan")
    assert game.state.armies["german"].offboard == (20, 16)  # what the west has left is lost to the east
    play(game, Pass(), seat="bert")
    play(game, Pass(), seat="olga")
    assert game.state.armies["german"].offboard == (16, 16, 20)  # next turn, next division


@rule("18.31", "15.11")
def test_18_31_so_he_does_the_aircraft_of_the_turn() -> None:
    game: Game[Position] = new_game(
        RULESET,
        small(german="aircraft = { turns = [1], pieces = 2 }"),
        scripted((1, 1, *(1, 1), *(1, 1), 3, 2)),
        SEATS,
    )
    game.play("anna", DrawPieces())
    game.play("ivan", DrawPieces())
    first, second = game.state.armies["german"].aircraft
    assert refused(game, GiveAircraft("ger-none", "west"), "anna") == "18.31"
    play(game, GiveAircraft(first, "east"), seat="anna")
    assert refused(game, EndOrders(), "anna") == "18.31"
    play(game, GiveAircraft(second, "east"), EndOrders(), seat="anna")
    play(game, EndOrders(), seat="ivan")
    assert game.state.armies["german"].aircraft == ()
    play(game, Pass(), seat="anna")
    game.dice = scripted((3, 2))
    play(game, Pass(), seat="ivan")
    assert set(game.state.armies["german"].aircraft) == {first, second}


@rule("18.31")
def test_18_31_a_unit_leaves_its_sector_only_when_it_is_sent() -> None:
    units = {"a": german("ger-inf", "H4"), "b": german("ger-inf", "H4"), **FAR}
    game = divided(**units)
    change(game.state, sent=(("b", "east"),))
    game.play("anna", ActivateStack("1-H4"))
    play(game, DesignateAll("move"), Begin(), seat="anna")
    assert refused(game, Move("a", "I4"), "anna") == "18.31"
    assert Move("a", "1-H5") in game.choices("anna")
    game.play("anna", Move("b", "1-I4"))
    assert unit(game, "b").hex == "1-I4"
    assert refused(game, Move("b", "H4"), "anna") == "18.31"  # it has come to its goal


@rule("18.31", "18.12")
def test_18_31_who_has_been_sent_is_taken_over_where_he_arrives() -> None:
    game = ordering()
    game.state.put("german-1", "1-H4")
    assert refused(game, Send("german-1", "east"), "bert") == "18.31"
    play(game, Send("german-1", "east"), EndOrders(), seat="anna")
    play(game, EndOrders(), seat="ivan")
    play(game, Activate("german-1", "move"), Move("german-1", "I4"), Stop("german-1"), seat="anna")
    for seat in ("ivan", "anna"):
        game.play(seat, Pass())
    game.state.change("german-1", marked=False)  # as in the next turn
    assert game.state.sectors.played == "east"
    assert Activate("german-1", "move") in game.choices("bert")


@rule("18.31")
def test_18_31_an_order_stands_until_it_is_carried_out_or_taken_back() -> None:
    game = ordering()
    assert refused(game, Send("german-1", "west"), "anna") == "18.31"
    assert refused(game, Send("german-1", "north"), "anna") == "procedure"
    assert refused(game, Send("soviet-1", "east"), "anna") == "procedure"
    play(game, Send("german-1", "east"), Send("german-2", "west"), seat="anna")
    assert refused(game, Send("german-1", "west"), "anna") == "procedure"  # once a turn
    play(game, EndOrders(), seat="anna")
    play(game, EndOrders(), seat="ivan")
    game.state.put("german-2", "1-C1")
    for seat in ("anna", "ivan", "bert", "olga"):
        game.play(seat, Pass())
    assert game.state.sectors.sent == (("german-1", "east"),)
    assert offered(game, Send, "anna") == {Send("german-1", "west"), Send("german-2", "east")}
    play(game, Send("german-1", "west"), seat="anna")
    assert game.state.sectors.sent == ()


@rule("18.31")
def test_18_31_the_enemy_is_not_told_who_is_sent_where() -> None:
    game = ordering()
    events = game.play("anna", Send("german-1", "east"))
    assert [event.only for event in events] == [("german",)]
    assert game.only == ("german",)
    for seat, knows in (("anna", True), ("bert", True), ("ivan", False), (SPECTATOR, False)):
        badges = next(one["badges"] for one in game.view(seat)["units"] if one["id"] == "german-1")
        assert ({"code": "GO", "text": "Is to go to sector east"} in badges) == knows
        assert (game.sight(seat).sectors.sent != ()) == knows


@rule("18.31")
def test_18_31_an_officer_with_nothing_to_say_is_not_asked() -> None:
    game = ordering()
    for name in ("soviet-1", "soviet-2"):
        game.state.lift(name, "reserve")
    game.play("anna", EndOrders())
    assert isinstance(game.stack[-1], ActionSegment)


@rule("18.31")
def test_18_31_the_one_player_of_a_side_gives_its_orders() -> None:
    scenario = small(german="offboard = [16]")
    game: Game[Position] = new_game(RULESET, scenario, scripted((3, 2)))
    play(game, GiveBattery(16, "east"), Send("german-1", "east"), EndOrders(), seat="german")
    assert game.state.sectors.shares == (Share("german", "east", (16,)),)


# --- the whole -------------------------------------------------------------------------------------------------------


def whole(turns: int, options: list[str]) -> str:
    """The scenario with everything, in two sectors."""
    cut = [
        {"name": "west", "hexes": {"board": "1", "columns": "A-F"}, "commanders": WEST["commanders"]},
        {"name": "east", "hexes": {"board": "1", "columns": "G-L"}, "commanders": EAST["commanders"]},
    ]
    scenario = everything(options, command="sector", sectors=cut)
    return re.sub(r"(?m)^turns = \d+", f"turns = {turns}", scenario)


OPTIONS = [option.rule for option in RULESET.options]
FOUR = Case(RULESET, whole(1, []), most=MOST, every=17, seats=SEATS)
TWO = Case(RULESET, whole(1, OPTIONS), most=MOST, every=31)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("case", [FOUR, TWO], ids=["two seats a side", "one seat a side"])
def test_contract(case: Case, check: Callable[[Case, int], None]) -> None:
    check(case, 5)


def keeps_to_its_sector(game: Game[Position], seat: str, action: Action) -> None:
    """The verdict of chapter 18 on an action about to be played."""
    position, units = game.state, game.state.units
    its, played = position.setting.sector_of, position.sectors.played
    if isinstance(game.stack[-1], ActionSegment):
        assert seat == {"west": ("anna", "ivan"), "east": ("bert", "olga")}[played][game.seats[seat] == "soviet"]
    match action:
        case Activate(name) | ActivateLeader(name) if units[name].hex is not None:
            assert its[str(units[name].hex)] == played
        case ActivateStack(hex) | CallFire(_, hex) | CallSmoke(_, hex) | SendAircraft(_, hex) | EnterMap(_, hex):
            assert its[hex] == played
        case FireDirect(name, hex) | Bombard(name, hex) | FireSmoke(name, hex):
            assert its[str(units[name].hex)] == its[hex]
        case FireAntiTank(name, target) | ShootAntiTank(name, target):
            assert its[str(units[name].hex)] == its[str(units[target].hex)]
        case ShootDirect(names, target):
            assert {its[str(units[name].hex)] for name in names} == {its[str(units[target].hex)]}
        case Move(name, to) | Cross(name, to):
            assert its[to] in (its[str(units[name].hex)], dict(position.sectors.sent).get(name))


@pytest.mark.parametrize("seed", range(12))
def test_random_games_of_four_players_end_and_everybody_keeps_to_his_sector(seed: int) -> None:
    case = Case(RULESET, whole(2, OPTIONS if seed % 2 else []), most=MOST, seats=SEATS)
    game, rng = contract.start(case, seed).game, random.Random(seed)
    decided = set()
    for _ in range(MOST):
        if game.outcome is not None:
            break
        seat, action = contract.decide(game, rng)
        keeps_to_its_sector(game, seat, action)
        game.play(seat, action)
        decided.add(seat)
    assert game.outcome is not None
    assert decided == set(SEATS)


def test_a_record_of_four_players_replays_and_resumes() -> None:
    match = contract.play_out(FOUR, 2)
    record = Record.load(match.record.dump())
    done = {(line.do or {}).get("type") for line in record.lines}
    assert {"GiveBattery", "GiveAircraft", "Send", "EndOrders"} <= done
    assert record.told().replay().outcome == match.game.outcome
    assert Match.resume(match.record.dump(), match.key).record.dump() == match.record.dump()


@pytest.mark.parametrize("who", [RULESET.suggest, RULESET.script], ids=["suggest", "script"])
def test_a_computer_player_gives_orders_that_it_may(who: Callable[..., list[Suggestion]]) -> None:
    game = ordering(german="offboard = [16, 20]")
    for _ in range(20):
        if game.asked() != ("german",) or not isinstance(game.stack[-1], Commanding):
            break
        found = who(game.sight("anna"), "german", game.stack[-1], game.choices("anna"))
        game.play("anna", found[0].action)
    assert {share.sector for share in game.state.sectors.shares} or who is RULESET.script
    assert game.asked() == ("soviet",)


def test_a_computer_player_sends_fire_where_the_enemy_is_and_idle_units_after_him() -> None:
    game = ordering(german="offboard = [16]")
    game.state.lift("soviet-2", "eliminated")
    found = RULESET.suggest(game.sight("anna"), "german", game.stack[-1], game.choices("anna"))
    assert [each.action for each in found[:2]] == [GiveBattery(16, "west"), Send("german-2", "west")]
