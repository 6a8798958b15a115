"""Where chapters meet: movement, leaders, mines, hidden units in one another's way. Named after the rules, in order."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from opfire.core.dice import scripted
from opfire.core.game import Game
from opfire.core.match import Match
from opfire.rulesets.panzer_grenadier import RULESET
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.assault.assaulting import EnterAssault
from opfire.rulesets.panzer_grenadier.assault.charge import Charge
from opfire.rulesets.panzer_grenadier.command.activation import (
    Activate,
    ActivateLeader,
    ActivateStack,
    Begin,
    Designate,
    DesignateAll,
)
from opfire.rulesets.panzer_grenadier.command.leaders import DisplaceTo
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.fire.direct import FireDirect, SplitFire
from opfire.rulesets.panzer_grenadier.fire.reaction import ShootDirect
from opfire.rulesets.panzer_grenadier.fire.strengths import Fire, cannot_combine
from opfire.rulesets.panzer_grenadier.morale.recovery import Recover
from opfire.rulesets.panzer_grenadier.movement.moving import EnterMap, GoAlong, Move, Stop
from opfire.rulesets.panzer_grenadier.movement.transport import Load
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.setup.placing import cannot_board
from opfire.rulesets.panzer_grenadier.setup.roster import must_limber
from opfire.rulesets.panzer_grenadier.setup.setting_up import DrawPieces
from opfire.rulesets.panzer_grenadier.works.fieldworks import DigIn
from rules.panzer_grenadier.kit import (
    CLEAR,
    allowed,
    calculations,
    draw,
    german,
    leader,
    marker,
    offered,
    play,
    refused,
    rule,
    soviet,
    unit,
)
from space.drawing import text


def stack(game: Game[Position], hex: str, role: str = "move") -> Game[Position]:
    """The game with a stack, and whom its leaders reach, active in one role."""
    play(game, ActivateStack(f"1-{hex}"), DesignateAll(role), Begin())  # type: ignore[arg-type]
    return game


# --- a leader who falls on the way [5.0.a, 13.31, 6.7] ----------------------------------------------------------


@rule("13.31")
@rule("5.0.a")
def test_13_31_a_leader_who_falls_on_the_way_does_not_go_on():
    pieces = {"a": german("ger-inf", "C3"), "lt": leader("german", "C3"), "cpt": leader("german", "P1", "CPT")}
    game = stack(draw(**pieces, x=soviet("sov-inf", "E3", direct=12)), "C3")
    play(game, GoAlong("a", "lt"), Move("a", "C2"))
    fire = next(iter(offered(game, ShootDirect)))
    play(game, fire, dice=[1, 1, 1, 1, 1, 1, 1, 2])  # a step lost, both hold, and the leader falls at three less one
    assert (unit(game, "a").reduced, unit(game, "a").state) == (True, "good order")
    play(game, Move("a", "C1"))
    assert (unit(game, "lt").hex, unit(game, "lt").status) == (None, "eliminated")


# --- decapitation on the way [6.72, 6.72.A1] --------------------------------------------------------------------


def fallen(hex: str) -> Game[Position]:
    """A German on C3 who has gone on to C4; his side's highest leader falls in that hex."""
    game = draw(a=german("ger-inf", "C3"), x=soviet("sov-inf", "P9"), special={"sides": {"german": {}}})
    play(game, Activate("a", "move"), Move("a", "C4"))
    game.state.change_army("german", decapitated=game.state.turn, decapitated_at=f"1-{hex}")
    return game


@rule("6.72")
def test_6_72_who_is_on_his_way_near_by_stops_when_the_highest_leader_falls():
    game = fallen("C7")
    assert refused(game, Move("a", "C5")) == "6.72"
    assert allowed(game, Stop("a"))


@rule("6.72")
def test_6_72_who_comes_within_three_hexes_goes_no_farther():
    game = fallen("C8")
    play(game, Move("a", "C5"))
    assert unit(game, "a").marked  # one movement point was left


# --- mines [16.71, 5.65, 6.7, 16.74] ----------------------------------------------------------------------------


@rule("16.71")
@rule("5.65")
def test_16_71_who_is_aboard_shares_the_end_of_a_transport_that_drives_on_a_mine():
    """A six is a step and demoralization: the truck is gone with all aboard before anybody could get off."""
    mines = [marker("mines", "C4", side="soviet", value="1")]
    game = draw(markers=mines, t=german("ger-truck", "C3"), a=german("ger-inf", carrier="t"), x=soviet("sov-inf", "P9"))
    stack(game, "C3")
    play(game, Move("t", "C4"), dice=[6])
    assert {unit(game, name).status for name in ("t", "a")} == {"eliminated"}


@rule("6.7")
@rule("16.71")
def test_6_7_leaders_in_the_hex_may_fall_to_mines_that_cost_a_step():
    mines = [marker("mines", "C4", side="soviet", value="1")]
    game = draw(markers=mines, a=german("ger-inf", "C3"), lt=leader("german", "C3"), x=soviet("sov-inf", "P9"))
    stack(game, "C3")
    play(game, GoAlong("a", "lt"))
    play(game, Move("a", "C4"), dice=[6, 1, 2])  # a step, then three less one
    assert unit(game, "lt").status == "eliminated"
    assert unit(game, "a").reduced


@rule("6.7")
@rule("16.71")
def test_6_7_mines_that_cost_no_step_hurt_no_leader():
    mines = [marker("mines", "C4", side="soviet", value="1")]
    game = draw(markers=mines, a=german("ger-inf", "C3"), lt=leader("german", "C3"), x=soviet("sov-inf", "P9"))
    stack(game, "C3")
    play(game, GoAlong("a", "lt"))
    play(game, Move("a", "C4"), dice=[5])
    assert unit(game, "a").demoralized
    assert unit(game, "lt").good_order


# --- entering [16.51, 16.61] ------------------------------------------------------------------------------------


@rule("16.61")
@rule("16.51")
def test_16_61_a_hidden_enemy_in_the_entry_hex_is_found_and_one_comes_in_elsewhere():
    reserve = german("ger-inf", entry=["A3", "A6"])
    game = draw(a=reserve, h=soviet("sov-inf", "A3", hidden=True), b=german("ger-inf", "P1"))
    play(game, Activate("a", "move"), EnterMap("a", "1-A3"))
    assert unit(game, "a").hex is None
    assert not unit(game, "h").hidden
    assert refused(game, EnterMap("a", "1-A3")) == "5.3"
    play(game, EnterMap("a", "1-A6"))
    assert unit(game, "a").hex == "1-A6"


# --- leaders in assault hexes [6.41.a, 12.5] --------------------------------------------------------------------


@rule("12.5")
@rule("6.41.a")
def test_12_5_a_leader_in_an_assault_hex_combines_no_fire_of_those_outside():
    game = draw(
        lt=leader("german", "C3", combat=2),
        in_it=german("ger-inf", "C3"),
        foe=soviet("sov-inf", "C3"),
        a=german("ger-inf", "C2"),
        b=german("ger-inf", "D3"),
        x=soviet("sov-inf", "E1"),
    )
    firers = game.state.pick(("a", "b"))
    found = cannot_combine(game.state, firers)
    assert found is not None
    assert found.rule == "7.33"
    game.state.lift("foe", "eliminated")
    play(game, ActivateLeader("lt"), DesignateAll("fire"), Begin())
    assert cannot_combine(game.state, game.state.pick(("a", "b"))) is None


# --- secret tank leaders [6.8] ----------------------------------------------------------------------------------


def lone_tank(**values: Any) -> Game[Position]:
    """A Soviet tank that may have the one tank leader of its side; a German gun could hurt it from five hexes off."""
    tanks = {"t": soviet("sov-t34", "C3", **values), "other": soviet("sov-t34", "P1")}
    special = {"sides": {"soviet": {"tank_leaders": 1}}, "year": 1942}
    return draw(**tanks, x=german("ger-at-50", "H3"), side="soviet", special=special)


@rule("6.8")
def test_6_8_the_enemy_is_not_told_that_a_tank_activated_alone_is_led():
    games = [lone_tank(tank_leader=True), lone_tank(tank_leader=False)]
    for game in games:
        play(game, Activate("t", "move"))
    led, unled = (game.view("german")["activation"] for game in games)
    assert led == unled
    assert games[0].view("soviet")["activation"]["led"] == ["t"]


@rule("6.8")
@rule("5.4")
def test_6_8_a_tank_that_moves_closer_alone_has_shown_its_leader():
    game = lone_tank(tank_leader=True)
    play(game, Activate("t", "move"), Move("t", "C4"))
    assert not unit(game, "t").disclosed  # any tank may keep its distance
    if "german" in game.asked():
        play(game, Pass())
    events = play(game, Move("t", "D4"))
    assert unit(game, "t").disclosed
    assert ("revealed", "6.8", ("t",)) in [(event.kind, event.rule, event.units) for event in events]


@rule("6.8")
@rule("12.1")
def test_6_8_a_tank_that_assaults_alone_has_shown_its_leader():
    tanks = {"t": soviet("sov-t34", "C3", tank_leader=True)}
    special = {"sides": {"soviet": {"tank_leaders": 1}}, "year": 1942}
    game = draw(**tanks, x=german("ger-inf", "C4"), side="soviet", special=special)
    play(game, Activate("t", "fire"), EnterAssault("t", "1-C4"))
    assert unit(game, "t").disclosed


# --- what the hidden do [16.6] ----------------------------------------------------------------------------------


@rule("16.6")
def test_16_6_where_the_hidden_are_activated_and_dig_in_is_not_told():
    game = draw(a=german("ger-inf", "C3", hidden=True), b=german("ger-inf", "A1"), x=soviet("sov-inf", "P9"))
    opening = ActivateStack("1-C3")
    assert game.stack[-1].only(game.state, opening) == ("german",)
    assert game.stack[-1].only(game.state, ActivateStack("1-A1")) == ()
    events = play(game, opening, DesignateAll("move"), Begin(), DigIn("a"))
    heard = [event for event in events if event.seen_by("soviet")]
    assert all("1-C3" not in event.places and "1-C3" not in event.facts for event in heard)
    assert [event.kind for event in events if not event.seen_by("soviet")] == ["activated", "dug-in"]


@rule("16.6")
@rule("5.6")
def test_16_6_who_gets_aboard_a_hidden_truck_gives_it_away():
    """The enemy sees him get on: truck and passenger are in one hex from then on."""
    game = draw(t=german("ger-truck", "C3", hidden=True), a=german("ger-inf", "C3"), x=soviet("sov-inf", "P9"))
    stack(game, "C3")
    play(game, Load("t", "a"))
    assert not unit(game, "t").hidden


@rule("16.6")
@rule("5.6")
def test_16_6_the_hidden_load_the_hidden_in_secret():
    pieces = {"t": german("ger-truck", "C3", hidden=True), "a": german("ger-inf", "C3", hidden=True)}
    game = stack(draw(**pieces, x=soviet("sov-inf", "P9")), "C3")
    events = play(game, Load("t", "a"))
    assert unit(game, "t").hidden
    assert [event.kind for event in events if event.seen_by("soviet")] == []
    assert all(one["place"] is None for one in game.view("soviet")["units"] if one["side"] == "german")


@rule("16.6")
@rule("5.6")
def test_16_6_nobody_in_view_starts_aboard_a_hidden_carrier():
    game = draw(t=german("ger-truck", "C3", hidden=True), x=soviet("sov-inf", "P9"))
    waits = replace(unit(game, "t"), id="a", hex=None, status="to place", hidden=False)
    game.state.units["a"] = waits
    game.state.setting.ids["german"] = ("t", "a")
    game.state.setting.zones["a"] = frozenset({"1-C3"})
    found = cannot_board(game.state, "german", waits, unit(game, "t"))
    assert found is not None
    assert found.rule == "16.6"


# --- one leader for a divided fire [6.42, 7.23] -----------------------------------------------------------------


@rule("6.42")
@rule("7.23")
def test_6_42_one_hmg_has_one_leaders_bonus_however_it_divides_its_fire():
    leaders = {"lt": leader("german", "C3", combat=2), "sgt": leader("german", "C3", "SGT", combat=1)}
    foes = {"x": soviet("sov-inf", "C5"), "y": soviet("sov-inf", "E3")}
    game = stack(draw(h=german("ger-hmg", "C3", direct=9), **leaders, **foes), "C3", "fire")
    play(game, FireDirect("h", "1-C5"), SplitFire("h", 4))
    first = play(game, Fire(), dice=[6, 6])
    while game.asked() != ("german",):
        play(game, Pass())
    second = play(game, FireDirect("h", "1-E3"), Fire(), dice=[6, 6])
    bonuses = [
        [line.amount for line in found.lines if line.rule == "6.42"] for found in calculations([*first, *second])
    ]
    assert bonuses == [[2], []]


# --- a leader who gets away [6.71.a, 16.2, 16.61] ---------------------------------------------------------------


@rule("6.71.a")
@rule("16.21")
@rule("16.61")
def test_6_71_a_who_gets_away_leaves_his_hole_and_finds_the_hidden():
    game = draw(
        a=german("ger-inf", "C3"),
        lt=leader("german", "C3"),
        com=leader("soviet", "C4", dug_in=2),
        hidden=german("ger-at-37", "C7", hidden=True),
    )
    stack(game, "C3")
    play(game, Move("a", "C4"), dice=[1, 1])
    while not offered(game, DisplaceTo):
        play(game, Pass())
    play(game, DisplaceTo("com", "1-C5"))
    assert unit(game, "com").dug_in == 0
    assert not unit(game, "hidden").hidden  # two hexes away, of three at which it is seen


# --- who rides into an assault [5.6] ----------------------------------------------------------------------------


@rule("5.6")
@rule("12.1")
def test_5_6_who_is_carried_into_an_assault_has_moved():
    """The leader aboard moves as one with his carrier: he does not call on others afterwards from his new place."""
    game = draw(
        apc=german("ger-spw251", "C3", direct=9),
        lt=leader("german", carrier="apc"),
        cpt=leader("german", "C3", "CPT"),
        x=soviet("sov-inf", "C4"),
    )
    play(game, ActivateLeader("cpt"), Designate("apc", "fire"), Begin(), EnterAssault("apc", "1-C4"))
    assert unit(game, "lt").hex == "1-C4"
    assert unit(game, "lt").marked


# --- kommissars do not ride away [6.61] -------------------------------------------------------------------------


@rule("6.61")
@rule("6.65")
def test_6_61_a_kommissar_with_an_errand_neither_rides_nor_goes_along():
    kom = leader("soviet", "C3", "KOM")
    com = leader("soviet", "C3", "MAJ")
    truck = soviet("sov-truck", "C3")
    others = {"a": soviet("sov-inf", "C3"), "x": german("ger-inf", "P9")}
    game = draw(kom=kom, com=com, t=truck, bad=soviet("sov-inf", "C7", state="demoralized"), **others, side="soviet")
    play(game, ActivateLeader("com"), DesignateAll("move"), Begin())
    assert refused(game, GoAlong("a", "kom")) == "6.61"
    assert refused(game, Load("t", "kom")) == "6.61"
    assert allowed(game, Load("t", "com"))
    assert allowed(game, Move("kom", "C4"))


# --- allies [3.12.c, 6.1] ---------------------------------------------------------------------------------------


@rule("3.12.c")
def test_3_12_c_leaders_direct_the_units_of_their_own_country():
    """RULINGS.md P94: a unit of neither country obeys both."""
    pieces = {"own": german("ger-inf", "C3", country="german"), "gun": german("ger-at-37", "C3")}
    allies = {"ally": german("rom-inf", "C3", country="romanian"), "sgt": leader("german", "C3", "SGT")}
    allies["sgt"]["country"] = "romanian"
    game = draw(lt=leader("german", "C3", country="german"), **pieces, **allies, x=soviet("sov-inf", "P9"))
    play(game, ActivateLeader("lt"), DesignateAll("move"), Begin())
    assert game.state.activation is not None
    assert set(game.state.activation.led) == {"lt", "own", "gun"}


@rule("3.12.c")
@rule("7.33")
def test_3_12_c_they_combine_and_rally_their_own_alone():
    game = draw(
        lt=leader("german", "C3", combat=1, bonus=1, country="german"),
        a=german("ger-inf", "C3", country="german"),
        ally=german("rom-inf", "C3", country="romanian", state="disrupted"),
        far=german("rom-inf", "C4", country="romanian"),
        x=soviet("sov-inf", "C7"),
    )
    stack(game, "C3", "recover")
    assert refused(game, Recover("ally", "lt")) == "3.12.c"
    assert allowed(game, Recover("ally"))
    found = cannot_combine(game.state, game.state.pick(("a", "far")))
    assert found is not None
    assert found.rule == "7.33"


TWO_COUNTRIES = f"""
id = "two-countries"
ruleset = "panzer-grenadier"
title = "Two countries"
turns = 2
first = "axis"
map = '''
{text(CLEAR)}
'''
[sides.axis]
name = "Axis"
nation = "german"
units = [
    {{ unit = "ger-inf", count = 1, zone = "west" }},
    {{ unit = "rom-inf", count = 1, zone = "west" }},
    {{ unit = "fr-inf", count = 1, zone = "west" }},
]
[sides.soviet]
name = "Soviet"
nation = "soviet"
units = [{{ unit = "sov-inf", count = 1, zone = "east" }}]
[[zones]]
name = "west"
list = ["1-A1", "1-A2"]
[[zones]]
name = "east"
list = ["1-P9"]
[special]
year = 1942
[special.sides.axis]
initiative = 3
leaders = {{ LT = 1, "romanian CPT" = 1 }}
[special.sides.soviet]
initiative = 3
"""


@rule("6.1")
def test_6_1_leaders_of_an_ally_are_drawn_from_its_own_pieces():
    match = Match.start(TWO_COUNTRIES, nonces={"axis": "a", "soviet": "b"}, key=bytes(32))
    match.play("axis", DrawPieces())
    position = match.game.state
    axis = position.pick(position.setting.ids["axis"])
    assert [one.country for one in axis] == ["german", "romanian", "", "romanian", "german"]
    names = {row.name for row in position.charts.pieces.values() if (row.nation, row.rank) == ("romanian", "CPT")}
    assert axis[3].name.removeprefix("CPT ") in names


# --- mortars aboard [5.62, 5.64] --------------------------------------------------------------------------------


@rule("5.64")
@rule("5.62")
def test_5_64_only_what_cannot_move_in_front_comes_limbered():
    """A mortar of three points starts aboard, or comes as a reinforcement, ready to fire; a howitzer does not."""
    kinds = draw(x=german("ger-inf", "A1")).state.charts.kinds
    assert not must_limber(kinds["ger-mortar-81"])
    assert must_limber(kinds["ger-105"])
    assert must_limber(kinds["sov-mortar-120"])
    assert must_limber(kinds["ger-at-37"])
    assert not must_limber(kinds["ger-inf"])


@rule("14.34")
@rule("5.64")
def test_14_34_a_heavy_mortar_without_an_allowance_is_abandoned_like_a_gun():
    """Only mortars that can move are personnel; the crew of one that cannot leaves it behind."""
    heavy = soviet("sov-mortar-120", "C3", state="demoralized")
    light = soviet("sov-mortar-82", "C3", state="demoralized")
    game = draw(m=heavy, n=light, x=german("ger-inf", "C5"), side="soviet")
    play(game, Activate("m", "recover"), Recover("m"), dice=[6, 5])
    assert unit(game, "m").status == "eliminated"
    play(game, Pass(), Activate("n", "recover"))
    play(game, Recover("n"), dice=[6, 5])
    assert unit(game, "n").status == "on the map"


# --- help under anti-tank fire at a mover [13.34, 5.65] ---------------------------------------------------------


@rule("13.34")
@rule("7.6.A1")
def test_13_34_under_opportunity_anti_tank_fire_only_leaders_in_good_order_help():
    for state, bonuses in (("good order", [2]), ("disrupted", [])):
        game = draw(
            apc=german("ger-spw251", "C3", steps=2),
            a=german("ger-inf", carrier="apc"),
            sgt=leader("german", "C2", "SGT", bonus=2, state=state),
            x=soviet("sov-at-45", "C8"),
        )
        play(game, Activate("apc", "move"), Move("apc", "C2"))
        game.dice, game.events = scripted([1, 1]), []
        losses.suffer_at(game, "apc", 1)
        (found,) = calculations(game.events)
        assert [line.amount for line in found.lines if line.rule == "5.65"] == bonuses


@rule("16.51")
def test_16_51_computer_players_and_clicks_know_a_unit_that_is_to_enter_with_its_leader():
    own = {"a": german("ger-inf", entry=["A3"]), "lt": german("leader", entry=["A3"], rank="LT", leads=8)}
    game = draw(**own, x=soviet("sov-inf", "P9"))
    play(game, ActivateLeader("lt"), DesignateAll("move"), Begin(), GoAlong("a", "lt"))
    sight, frame, choices = game.sight("german"), game.stack[-1], list(game.choices("german"))
    assert choices == [EnterMap("a", "1-A3")]
    for who in (RULESET.suggest, RULESET.script):
        assert who is not None
        assert [one.action for one in who(sight, "german", frame, choices)] == choices
    assert RULESET.meant is not None
    assert RULESET.meant(sight, "german", frame, ["1-A3"]) == choices


# --- a charge rides over what is in its way [15.31, 5.31, 6.71.a] -----------------------------------------------


@rule("5.31")
@rule("6.71.a")
@rule("15.31")
def test_5_31_a_charge_rides_over_empty_transports_and_lone_leaders():
    game = draw(
        cav=german("ger-cav", "C3"),
        lt=leader("german", "C3", mounted=True),
        com=leader("soviet", "C4"),
        truck=soviet("sov-truck", "C4"),
        x=soviet("sov-inf", "C5"),
    )
    play(game, ActivateLeader("lt"), DesignateAll("fire"), Begin(), Charge("cav", "1-C4", "1-C5"), dice=[1, 2])
    assert unit(game, "truck").status == "eliminated"
    free = set(game.state.map.neighbours["1-C4"]) - {"1-C3", None}  # where the German leader is not
    assert offered(game, DisplaceTo, "soviet") == {DisplaceTo("com", str(hex)) for hex in free}
    play(game, DisplaceTo("com", "1-B4"))
    assert unit(game, "com").hex == "1-B4"
    assert unit(game, "cav").hex == "1-C5"
