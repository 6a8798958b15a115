"""Where chapters meet: movement, leaders, mines, hidden units in one another's way. Named after the rules, in order."""

from __future__ import annotations

from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.activation import Activate, ActivateLeader, ActivateStack, Begin, DesignateAll
from opfire.rulesets.panzer_grenadier.movement import EnterMap, GoAlong, Move, Stop
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.reaction import ShootDirect
from rules.panzer_grenadier.kit import (
    allowed,
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
    from opfire.rulesets.panzer_grenadier.fire import cannot_combine

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
