"""Flight of those who fail to recover [14.3, 14.31 to 14.35], leaders who flee along [6.52.a]. Named after rules."""

from __future__ import annotations

from typing import Any

import pytest

from opfire.core.game import Game
from opfire.rulesets.panzer_grenadier.actions import Pass
from opfire.rulesets.panzer_grenadier.command.activation import Activate, ActivateStack, Begin, Designate, DesignateAll
from opfire.rulesets.panzer_grenadier.morale import flight, recovery
from opfire.rulesets.panzer_grenadier.morale.flight import FleeTo, Stay, TakeAlong
from opfire.rulesets.panzer_grenadier.morale.recovery import Recover
from opfire.rulesets.panzer_grenadier.movement import danger
from opfire.rulesets.panzer_grenadier.movement.moving import Move
from opfire.rulesets.panzer_grenadier.pieces import Position, Unit
from opfire.rulesets.panzer_grenadier.works.fieldworks import DigIn
from rules.panzer_grenadier.kit import draw, german, leader, marker, offered, play, refused, results, rule, soviet, unit

FAILS = (6, 5)


def broken(kind: str = "ger-inf", at: str = "H5", **values: object) -> dict[str, object]:
    """A demoralized German unit."""
    return german(kind, at, state="demoralized", morale=[8, 7], **values)


def failed(game: Game[Position], name: str = "inf") -> Game[Position]:
    """It is activated and fails to recover."""
    play(game, Activate(name, "recover"), Recover(name), dice=FAILS)
    return game


def ways(game: Game[Position]) -> set[str]:
    """The hexes to which one may flee now."""
    return {action.to for action in offered(game, FleeTo) if isinstance(action, FleeTo)}


def run(game: Game[Position]) -> int:
    """It flees as far as it has to, and nobody fires at it; how many hexes."""
    count = 0
    while offered(game, FleeTo):
        flee(game, min(ways(game)))
        count += 1
    return count


def flee(game: Game[Position], to: str) -> None:
    """It flees one hex on, and nobody fires at it."""
    play(game, FleeTo(to))
    while game.asked() == ("soviet",) and offered(game, Pass) and not offered(game, Activate):
        play(game, Pass())


def away(game: Game[Position], a: str, b: str) -> int:
    """The distance between two units."""
    return game.state.map.distance(str(unit(game, a).hex), str(unit(game, b).hex))


# --- 14.3.a: from whom ---


@rule("14.3.a")
@rule("14.31")
def test_14_3_a_who_fails_flees_from_enemies_who_could_spot_reach_and_hurt_it():
    game = failed(draw(inf=broken(), foe=soviet("sov-hmg", "H3")))
    before = away(game, "inf", "foe")
    assert ways(game)
    play(game, FleeTo(min(ways(game))))
    assert away(game, "inf", "foe") > before


def test_the_dangers_of_its_hex_are_sought_once_for_all_ways_of_a_flight(monkeypatch: pytest.MonkeyPatch):
    """14.33: every step is compared with the same enemies."""
    game = failed(draw(inf=broken(), foe=soviet("sov-hmg", "H3")))
    inf, asked, dangers = unit(game, "inf"), list[str](), danger.dangers

    def noted(position: Position, unit: Unit, hex: str) -> list[Unit]:
        asked.append(hex)
        return dangers(position, unit, hex)

    monkeypatch.setattr(danger, "dangers", noted)
    assert len(flight.ways(game.state, inf, 99)) > 0
    assert asked.count(str(inf.hex)) == 1


@rule("14.3.a")
@rule("5.41")
@pytest.mark.parametrize(
    ("kind", "foe", "flees"),
    [
        ("ger-inf", "sov-hmg", True),
        ("ger-inf", "sov-mortar-82", False),  # bombardment alone
        ("ger-pz3", "sov-inf", False),  # direct fire does not hurt an AFV
        ("ger-pz3", "sov-at-45", True),
        ("ger-inf", "sov-atr", True),
    ],
)
def test_14_3_a_only_fire_that_could_hurt_it_counts(kind: str, foe: str, flees: bool):
    game = failed(draw(inf=broken(kind), foe=soviet(foe, "H3")))
    assert bool(offered(game, FleeTo)) is flees
    assert unit(game, "inf").marked


@rule("14.3.a")
def test_14_3_a_out_of_the_enemys_range_it_stays():
    game = failed(draw(inf=broken(), foe=soviet("sov-inf", "H1")))
    assert unit(game, "inf").hex == "1-H5"
    assert not offered(game, FleeTo)


# --- 14.31, 14.32: where to ---


@rule("14.31")
@rule("14.32")
@rule("G.safe-hex")
def test_14_31_it_goes_to_the_nearest_safe_hex_and_stops_there():
    board = "\n".join([". " * 16, ". " * 16, ". " * 16, ". " * 16, ". . . . . . . . . . w . . . . ."] + [". " * 16] * 4)
    game = failed(draw(board, inf=broken(at="I5"), foe=soviet("sov-hmg", "G5")))  # range 4: K5 alone hides
    assert ways(game) <= {"1-J4", "1-J5"}
    run(game)
    assert unit(game, "inf").hex == "1-K5"


@rule("14.31")
@rule("14.32")
def test_14_31_beyond_the_enemys_range_is_safe_and_it_runs_no_farther():
    game = failed(draw(inf=broken(at="H5"), foe=soviet("sov-inf", "H4")))  # range 2
    assert run(game) == 2
    assert away(game, "inf", "foe") == 3
    assert unit(game, "inf").marked


@rule("14.31")
@rule("14.31.b")
def test_14_31_at_full_allowance_even_if_it_reaches_no_safety():
    game = failed(draw(inf=broken(at="H7"), foe=soviet("sov-hmg", "H6")))  # range 4; three points of movement
    assert run(game) == 3
    assert away(game, "inf", "foe") == 4
    assert not flight.safe(game.state, unit(game, "inf"), str(unit(game, "inf").hex))


@rule("14.3.a", "14.33")
@pytest.mark.parametrize(
    ("foe", "result"),
    [("P1", "no change"), ("H3", "flees")],  # nobody near could hurt it; somebody could
)
def test_14_3_a_the_log_says_that_a_unit_flees_only_if_it_has_to(foe: str, result: str):
    game = draw(inf=broken(at="H5"), ok=german("ger-inf", "A9"), foe=soviet("sov-hmg", foe))
    play(game, Activate("inf", "recover"))
    foreseen = recovery.recovery_of(game.state, unit(game, "inf")).chances()
    assert result in foreseen
    assert len({"no change", "flees"} & set(foreseen)) == 1
    events = play(game, Recover("inf"), dice=FAILS)
    assert results(events) == [result]
    told = [event.sentence() for event in events if event.kind == "morale"]
    assert told == [f"inf in 1-H5 tries to recover: {result}"]


@rule("14.33")
def test_14_33_a_unit_that_cannot_get_away_is_said_to_stay():
    """Enemies all round: every step leads nearer to one of them."""
    foes = {f"x{n}": soviet("sov-hmg", hex) for n, hex in enumerate(("H3", "H7", "F4", "F6", "J4", "J6"))}
    game = draw(inf=broken(at="H5"), ok=german("ger-inf", "A9"), **foes)
    play(game, Activate("inf", "recover"))
    events = play(game, Recover("inf"), dice=FAILS)
    assert ("14.33", "inf in 1-H5 cannot get away and stays") in [(event.rule, event.sentence()) for event in events]
    assert unit(game, "inf").hex == "1-H5"


@rule("14.31.A5")
def test_14_31_A5_unseen_is_safe():
    board = "w " * 16
    game = draw("\n".join([board] * 9), inf=broken(at="H7"), foe=soviet("sov-hmg", "H3"))
    failed(game)
    assert unit(game, "inf").hex == "1-H7"
    assert flight.safe(game.state, unit(game, "inf"), "1-H7")


@rule("14.31.A5")
@pytest.mark.parametrize(("at", "safe"), [("H7", True), ("H6", False)])
def test_14_31_A5_in_woods_one_is_seen_from_three_hexes_and_not_from_four(at: str, safe: bool):
    rows = [". " * 7 + ("w " if at == f"H{row}" else ". ") + ". " * 8 for row in range(1, 10)]
    game = draw("\n".join(rows), inf=broken(at="H9"), foe=soviet("sov-hmg", "H3"))  # range 4
    assert flight.safe(game.state, unit(game, "inf"), f"1-{at}") is safe


@rule("14.31.A7")
def test_14_31_A7_who_has_no_line_of_his_own_does_not_make_a_hex_unsafe():
    woods = "\n".join([". " * 16, ". " * 16, ". " * 16, ". . . . . . . w . . . . . . . .", ". " * 16])
    game = draw(woods, inf=broken(at="H5"), foe=soviet("sov-hmg", "H3"), eye=soviet("sov-mortar-82", "J5"))
    failed(game)
    assert not offered(game, FleeTo)  # the mortar sees it, and the machine guns are behind the woods
    assert flight.safe(game.state, unit(game, "inf"), "1-H5")
    assert not flight.safe(game.state, unit(game, "inf"), "1-I5")  # past them, by a line of their own


@rule("14.31.A6", "14.31.A4")
@pytest.mark.parametrize(("options", "hexes"), [((), 2), (("R14.31",), 3)])
def test_14_31_A6_seen_but_out_of_range_is_unsafe_only_by_the_strict_reading(options: tuple[str, ...], hexes: int):
    """Three hexes from rifles of range two it is seen still: by the strict reading it runs as far as it can."""
    game = failed(draw(inf=broken(at="H5"), foe=soviet("sov-inf", "H4"), options=options))
    assert run(game) == hexes


@rule("14.31.A6", "14.31")
@pytest.mark.parametrize(("kind", "safe"), [("sov-mortar-82", False), ("sov-truck", True)])
def test_14_31_A6_by_the_strict_reading_mortars_who_look_on_make_a_hex_unsafe(kind: str, safe: bool):
    game = draw(inf=broken(at="H5"), foe=soviet(kind, "H1"), options=("R14.31",))
    assert flight.safe(game.state, unit(game, "inf"), "1-H5") is safe


@rule("14.3.a", "14.31.A3")
@pytest.mark.parametrize("options", [(), ("R14.31",)])
def test_14_3_a_nobody_flees_from_enemies_who_merely_see_it(options: tuple[str, ...]):
    """A safe hex is where flight leads; what a unit flees from has it in range and could hurt it."""
    game = failed(draw(inf=broken(at="H5"), foe=soviet("sov-inf", "H1"), options=options))
    assert not offered(game, FleeTo)
    assert unit(game, "inf").marked
    game = failed(draw(tank=broken("ger-pz3", at="H5"), foe=soviet("sov-inf", "H4"), options=options), "tank")
    assert not offered(game, FleeTo)


@rule("14.33")
def test_14_33_never_nearer_to_an_enemy_who_could_harm_it():
    game = failed(draw(inf=broken(at="H5"), one=soviet("sov-hmg", "H3"), foe=soviet("sov-hmg", "K5")))
    assert refused(game, FleeTo("H4")) == "14.33"
    for to in ways(game):
        for foe in ("one", "foe"):
            there = game.state.map.distance(str(unit(game, foe).hex), to)
            assert there >= away(game, "inf", foe)


@rule("14.33")
def test_14_33_hemmed_in_it_stays():
    foes = {f"foe{at}": soviet("sov-hmg", at) for at in ("H3", "H7", "F4", "F6", "J4", "J6")}
    game = failed(draw(inf=broken(at="H5"), **foes))
    assert unit(game, "inf").hex == "1-H5"
    assert not offered(game, FleeTo)
    assert unit(game, "inf").marked


# --- exceptions ---


@rule("14.31.a")
def test_14_31_a_in_an_entrenchment_it_may_stay_or_flee():
    entrenchment = {"kind": "entrenchment", "at": "1-H5"}
    game = failed(draw(inf=broken(at="H5"), foe=soviet("sov-hmg", "H3"), markers=[entrenchment]))
    assert offered(game, FleeTo)
    play(game, Stay())
    assert unit(game, "inf").hex == "1-H5"
    assert unit(game, "inf").marked
    assert refused(failed(draw(inf=broken(at="H5"), foe=soviet("sov-hmg", "H3"))), Stay()) == "14.31.a"


@rule("16.41", "14.31.a")
@pytest.mark.parametrize(("kind", "foe"), [("ger-pz4h", "sov-t34"), ("ger-truck", "sov-hmg"), ("sov-cav", "sov-hmg")])
def test_16_41_vehicles_and_horses_flee_out_of_an_entrenchment(kind: str, foe: str):
    game = failed(draw(inf=broken(kind, at="H5"), foe=soviet(foe, "H3"), markers=[marker("entrenchment", "H5")]))
    assert offered(game, FleeTo)
    assert refused(game, Stay()) == "14.31.a"


@rule("14.34")
@pytest.mark.parametrize(("foe", "gone"), [("H3", True), ("P1", False)])
def test_14_34_a_weapon_that_cannot_move_is_abandoned_when_it_has_to_flee(foe: str, gone: bool):
    game = failed(draw(inf=broken("ger-at-50"), other=german("ger-inf", "A9"), foe=soviet("sov-hmg", foe)))
    assert (unit(game, "inf").status == "eliminated") is gone


@rule("14.34", "5.1")
def test_14_34_a_strongpoint_that_has_to_flee_is_abandoned_too():
    game = failed(draw(inf=broken("ger-strongpoint"), other=german("ger-inf", "A9"), foe=soviet("sov-hmg", "H3")))
    assert unit(game, "inf").status == "eliminated"


@rule("14.31.a")
@rule("14.34")
def test_14_31_a_in_an_entrenchment_a_weapon_need_not_flee_and_is_not_abandoned():
    entrenchment = {"kind": "entrenchment", "at": "1-H5"}
    others = {"other": german("ger-inf", "A9"), "foe": soviet("sov-hmg", "H3")}
    game = failed(draw(inf=broken("ger-at-50"), markers=[entrenchment], **others))
    assert unit(game, "inf").hex == "1-H5"
    assert unit(game, "inf").marked
    assert not offered(game, FleeTo)


@rule("14.35")
@rule("12.13.a")
def test_14_35_out_of_an_assault_hex_it_moves_one_hex_and_no_more():
    game = failed(draw(inf=broken(at="H5"), ok=german("ger-inf", "H5"), foe=soviet("sov-inf", "H5"), options=["17.3"]))
    flee(game, "H6")
    assert unit(game, "inf").hex == "1-H6"
    assert not offered(game, FleeTo)


def forsaken(**last: Any) -> Game[Position]:
    """Somebody demoralized is among enemies: the fighters have left in this segment, and been fired at."""
    game = draw(ok=german("ger-inf", "H5"), foe=soviet("sov-inf", "H5"), **last)
    play(game, ActivateStack("H5"), Designate("ok", "move"), DesignateAll("recover"), Begin())
    play(game, Move("ok", "H6"), dice=[6])
    play(game, Pass())
    return game


@rule("12.12.a", "12.13.a", "12.42.A2")
def test_12_13_a_a_truck_that_flees_after_the_fighters_is_shot_at_as_they_were():
    game = forsaken(truck=german("ger-truck", "H5", state="demoralized", morale=[8, 7]))
    play(game, Recover("truck"), dice=FAILS)
    flee(game, "G6")
    assert unit(game, "truck").status == "eliminated"


@rule("5.32", "12.13.a", "14.35")
def test_12_13_a_a_leader_who_flees_after_the_fighters_goes_one_hex():
    game = forsaken(lt=leader("german", "H5", state="demoralized"))
    play(game, Recover("lt"), dice=FAILS)
    flee(game, "H6")
    assert unit(game, "lt").hex == "1-H6"
    assert not offered(game, FleeTo)


@rule("12.13.a", "14.31.a")
def test_12_13_a_nor_does_an_entrenchment_shelter_who_stayed_behind_the_fighters():
    game = forsaken(markers=[marker("entrenchment", "H5")], lt=leader("german", "H5", state="demoralized"))
    play(game, Recover("lt"), dice=FAILS)
    assert offered(game, FleeTo)
    assert not offered(game, Stay)


@rule("14.31.A2")
def test_14_31_A2_tanks_flee_from_infantry_in_an_assault_hex():
    game = failed(draw(inf=broken("ger-pz3"), ok=german("ger-inf", "H5"), foe=soviet("sov-inf", "H5")))
    assert offered(game, FleeTo)


@rule("14.31.A3")
def test_14_31_A3_outside_the_assault_hex_they_need_not():
    game = failed(draw(inf=broken("ger-pz3", "H6"), foe=soviet("sov-inf", "H5")))
    assert not offered(game, FleeTo)


@rule("12.13.a")
def test_12_13_a_with_enemies_all_around_it_is_eliminated():
    around = {f"foe{at}": soviet("sov-inf", at) for at in ("H4", "H6", "G5", "G6", "I5", "I6", "G4", "I4")}
    game = failed(draw(inf=broken(at="H5"), ok=german("ger-inf", "A9"), foe=soviet("sov-inf", "H5"), **around))
    assert unit(game, "inf").status == "eliminated"


# --- leaders ---


def led(state: str = "good order", rank: str = "LT") -> Game[Position]:
    """A stack with a broken unit and a leader; it has failed to recover."""
    game = draw(
        inf=broken(at="H5"),
        lt=leader("german", "H5", rank, leads=9, state=state),
        foe=soviet("sov-hmg", "H3"),
    )
    first = [Designate("lt", "direct")] if state != "demoralized" else []
    play(game, ActivateStack("H5"), *first, DesignateAll("recover"))
    if offered(game, Begin):
        play(game, Begin())
    play(game, Recover("inf"), dice=FAILS)
    return game


@rule("6.52.a")
@rule("6.52.A2")
def test_6_52_a_an_activated_leader_may_flee_along_or_not():
    game = led()
    assert TakeAlong("lt") in offered(game, TakeAlong)
    to = min(ways(game))
    play(game, FleeTo(to))
    assert unit(game, "lt").hex == "1-H5"
    game = led()
    play(game, TakeAlong("lt"), FleeTo(to))
    assert unit(game, "lt").hex == unit(game, "inf").hex == to
    assert unit(game, "lt").good_order


@rule("6.52.a")
@rule("14.31.A1")
def test_6_52_a_a_disrupted_leader_becomes_demoralized_to_flee_along():
    game = led("disrupted")
    assert TakeAlong("lt") in offered(game, TakeAlong)
    play(game, TakeAlong("lt"))
    assert unit(game, "lt").demoralized
    game = led("disrupted")
    play(game, FleeTo(min(ways(game))))
    assert unit(game, "lt").state == "disrupted"  # who stays behind is as he was


@rule("6.52.a", "14.2")
@pytest.mark.parametrize(("state", "stays"), [("good order", False), ("disrupted", True), ("demoralized", False)])
def test_6_52_a_a_leader_who_is_disrupted_on_the_way_flees_no_farther(state: str, stays: bool):
    game = led()
    play(game, TakeAlong("lt"), FleeTo(min(ways(game))))
    first = unit(game, "lt").hex
    game.state.change("lt", state=state)  # by opportunity fire
    while game.asked() == ("soviet",):
        play(game, Pass())
    play(game, FleeTo(min(ways(game))))
    assert unit(game, "inf").hex != first
    assert (unit(game, "lt").hex == first) is stays
    assert unit(game, "lt").marked is stays


@rule("6.52.a")
def test_6_52_a_who_is_not_activated_does_not_go_along():
    game = draw(inf=broken(at="H5"), lt=leader("german", "H5"), foe=soviet("sov-hmg", "H3"))
    failed(game)
    assert refused(game, TakeAlong("lt")) == "6.52.a"


@rule("6.52.a", "3.13")
def test_6_52_a_who_has_dug_himself_in_does_not_go_along():
    game = draw(inf=broken(at="H5"), lt=leader("german", "H5", leads=9), foe=soviet("sov-hmg", "H3"))
    play(game, ActivateStack("H5"), Designate("lt", "move"), DesignateAll("recover"), Begin())
    play(game, DigIn("lt"), Recover("inf"), dice=FAILS)
    assert refused(game, TakeAlong("lt")) == "6.52.a"


@rule("6.63")
def test_6_63_the_kommissar_goes_along_with_the_unit():
    game = failed(draw(inf=broken(at="H5"), kom=leader("german", "H5", "KOM", leads=9), foe=soviet("sov-hmg", "H3")))
    assert unit(game, "inf").reduced
    play(game, FleeTo(min(ways(game))))
    assert unit(game, "kom").hex == unit(game, "inf").hex != "1-H5"


@rule("14.3.a", "16.61")
def test_16_61_nobody_flees_from_enemies_who_are_hidden():
    game = failed(draw(inf=broken(at="H5"), foe=soviet("sov-hmg", "H2", hidden=True), other=soviet("sov-inf", "P9")))
    assert not offered(game, FleeTo)
    assert unit(game, "inf").hex == "1-H5"


@rule("16.61", "14.31")
def test_16_61_who_flees_into_hidden_enemies_finds_them_and_goes_elsewhere():
    game = failed(draw(inf=broken(at="H5"), foe=soviet("sov-hmg", "H3"), trap=soviet("sov-inf", "H6", hidden=True)))
    play(game, FleeTo("H6"))
    assert not unit(game, "trap").hidden
    assert unit(game, "inf").hex == "1-H5"
    assert "1-H6" not in ways(game)
