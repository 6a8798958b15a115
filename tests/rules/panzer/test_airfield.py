"""The airfield [7.59.4]: aircraft land, are armed and refueled, and take off; runways that are destroyed."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from opfire.ai import players
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.panzer import control, span
from opfire.rulesets.panzer.air import crossing, flak, landing
from opfire.rulesets.panzer.air.attacks import AirAttack
from opfire.rulesets.panzer.air.landing import Land, TakeOff
from opfire.rulesets.panzer.air.phase import AirPhase, Enter, Fly, Flying, FlyOff, Level
from opfire.rulesets.panzer.commands import Command, CommandPhase, HandIn
from opfire.rulesets.panzer.fire.direct_fire import cannot_hit
from opfire.rulesets.panzer.fire.losses import knock_out
from opfire.rulesets.panzer.pieces import Position, Work
from opfire.rulesets.panzer.shown import view
from opfire.rulesets.panzer.works import destroying
from rules.panzer.battle import commanded, game, refused, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import army
from rules.panzer.test_aircraft import PLANE, air, flown, flying, quiet

NORTH, EAST = ("1-E3", "1-E4", "1-E5", "1-E6"), ("1-D5", "1-E5", "1-F6", "1-G6")
"""Two runways that cross in E5: one from north to south, the other from west to east."""

FIELD = f"\n[conditions]\ndefences = {{ runway = 6 }}\nstrips = {[list(NORTH), list(EAST)]}\n"


def field(
    *aircraft: str,
    german: str = "",
    options: tuple[str, ...] = ("7.59.4",),
    dice: tuple[int, ...] = (),
    more: str = FIELD,
) -> Game[Position]:
    """A battle at its 1st Air Phase: the Soviets have aircraft, and an airfield in the middle of the plain."""
    scenario = text(
        german=german or army(("tg_blitz", "1-A1")),
        soviet=air(*(aircraft or ("a_il2",))),
        turns=9,
        options=("AG", *options),
    )
    return commanded(game(scenario + more, (10, 90, *dice, *(50, 60) * 20)), {})


def over(made: Game[Position], hex: str, facing: int = 3, **level: str) -> Game[Position]:
    """The aircraft is in flight over a hex."""
    flying(made, hex, facing, **level)  # type: ignore[arg-type]
    made.push(Flying("soviet", PLANE))
    made.run()
    quiet(made)
    return made


def next_air_phase(made: Game[Position]) -> None:
    """Play on to the Air Phase that comes next."""
    if isinstance(made.stack[-1], AirPhase):
        made.play("soviet", next(act for act in made.choices("soviet") if type(act).__name__ == "EndStep"))
    while not isinstance(made.stack[-1], AirPhase):
        side = made.asked()[0]
        if isinstance(made.stack[-1], CommandPhase):
            made.play(side, HandIn())
            continue
        found = [*made.choices(side)]
        quick = [act for act in found if type(act).__name__ in ("EndStep", "Pass", "Keep", "RollInitiative")]
        made.play(side, quick[0] if quick else found[0])


# --- landing [7.59.4-arm]


@rule("7.59.4-arm")
@pytest.mark.parametrize(
    ("hex", "facing", "lands"),
    [("1-E3", 3, True), ("1-E6", 3, True), ("1-E4", 0, True), ("1-E4", 2, False), ("1-C3", 3, False)],
)
def test_aircraft_land_along_a_runway(hex: str, facing: int, lands: bool) -> None:
    made = over(field(), hex, facing)
    assert refused(made, "soviet", Land(PLANE)) == (None if lands else "7.59.4-arm")
    assert (Land(PLANE) in [*made.choices("soviet")]) is lands


@rule("7.59.4-arm")
@pytest.mark.parametrize(
    ("speed", "altitude", "lands"), [("slow", "low", True), ("fast", "low", False), ("slow", "medium", False)]
)
def test_aircraft_land_at_slow_and_low_only(speed: str, altitude: str, lands: bool) -> None:
    made = over(field(), "1-E3", speed=speed, altitude=altitude)
    assert refused(made, "soviet", Land(PLANE)) == (None if lands else "7.59.4-arm")


@rule("7.59.4-df", "6.2.1.1", "7.52-chq")
def test_landed_aircraft_bring_no_commands_and_need_no_headquarters() -> None:
    made = field(options=("7.59.4", "7.52"))
    before = [unit.id for unit in control.active(made.state, "soviet")]
    made = on_the_ground(made)
    made.state.change("soviet-1", hex="1-E2", labels=("CHQ",))
    assert [unit.id for unit in control.active(made.state, "soviet")] == before
    made.state.put("soviet-1", "1-L8")
    made.state.put(PLANE, "1-A1")
    assert not span.out_of_span(made.state, "soviet")  # 11 hexes


@rule("7.59.4-arm")
def test_without_the_option_nobody_lands() -> None:
    made = over(field(options=()), "1-E3")
    assert refused(made, "soviet", Land(PLANE)) == "7.59.4-arm"


@rule("7.59.4-arm")
def test_nobody_lands_among_enemies() -> None:
    made = over(field(german=army(("tg_blitz", "1-E3"))), "1-E3")
    assert refused(made, "soviet", Land(PLANE)) == "7.59.4-arm"


def on_the_ground(made: Game[Position]) -> Game[Position]:
    """The aircraft has crossed half of the map in this Air Phase, and has landed in E3."""
    flown(made, Enter(PLANE, "1-E1", 3), Level(PLANE, "slow", "low"), Fly(PLANE, "1-E3"), Land(PLANE))
    return made


@rule("7.59.4-arm", "6.7.2")
def test_a_landed_aircraft_stands_on_the_runway_and_has_no_command() -> None:
    made = on_the_ground(field())
    plane = made.state.units[PLANE]
    assert (plane.hex, plane.status) == ("1-E3", "on the map")
    shown = next(unit for unit in made.view("german")["units"] if unit["id"] == PLANE)
    assert (shown["place"], shown["type"]) == ("1-E3", "aircraft")
    while not isinstance(made.stack[-1], CommandPhase):
        side = made.asked()[0]
        made.play(side, next(act for act in made.choices(side) if type(act).__name__ in ("EndStep", "Pass", "Keep")))
    assert refused(made, "soviet", HandIn((Command(PLANE, "move"),))) == "7.59.4-arm"


@rule("7.59.4-arm")
@pytest.mark.parametrize("begins", [1, 2])
def test_arming_takes_three_air_phases(begins: int) -> None:
    """An aircraft that lands in the 2nd Air Phase of a turn takes off in the 2nd of the next one."""
    made = field()
    if begins == 2:
        next_air_phase(made)
    turn, step = made.state.turn, made.stack[0].at  # type: ignore[attr-defined]
    on_the_ground(made)
    next_air_phase(made)  # nobody is asked in a phase in which no aircraft is ready
    assert (made.state.turn, made.stack[0].at) == (turn + 1, step)  # type: ignore[attr-defined]
    assert refused(made, "soviet", TakeOff(PLANE, "1-E3", 3)) is None


@rule("7.59.4-arm")
def test_it_does_not_take_off_before() -> None:
    made = on_the_ground(field())
    refusals = []
    for _ in range(3):
        refusals.append(landing.not_ready(made.state, "soviet", made.state.units[PLANE]))
        landing.serve(made.state)
    assert [refusal and refusal.rule for refusal in refusals] == ["7.59.4-arm", "7.59.4-arm", None]


def ready(*aircraft: str, dice: tuple[int, ...] = ()) -> Game[Position]:
    """A landed aircraft that is armed and refueled, in an Air Phase."""
    made = on_the_ground(field(*aircraft, dice=dice))
    next_air_phase(made)
    return made


@rule("7.59.4-arm", "6.7.2.1-loiter")
def test_it_takes_off_along_either_runway_with_a_new_loiter_period_and_new_stores() -> None:
    made = ready()
    assert refused(made, "soviet", TakeOff(PLANE, "1-E3", 2)) == "7.59.4-arm"
    assert refused(made, "soviet", TakeOff(PLANE, "1-C3", 3)) == "7.59.4-arm"
    made.play("soviet", TakeOff(PLANE, "1-G6", 4))
    quiet(made)
    plane, card = made.state.units[PLANE], CHARTS.aircraft["a_il2"]
    flight = plane.airborne
    assert (plane.hex, plane.kind, plane.facing) == (None, card, 4)
    assert (flight.hex, flight.speed, flight.altitude) == ("1-G6", "slow", "low")
    assert (flight.first, flight.strafes) == (made.state.turn, card.strafes)
    assert (flight.bombs, flight.last) == (card.bombs, made.state.turn)
    flown(made, FlyOff(PLANE))
    assert made.state.units[PLANE].airborne.edges == ("south",)


@rule("7.59.4-df", "6.5.2.2.1")
def test_an_aircraft_with_a_track_hit_stays_on_the_ground() -> None:
    """It is attacked as a vehicle; one with a track hit does not move."""
    made = ready()
    made.state.change(PLANE, track_hit=True)
    assert refused(made, "soviet", TakeOff(PLANE, "1-E3", 3)) == "6.5.2.2.1"


@rule("7.59.4-arm", "6.7.3.1.1-edge", "6.7.4.1.1-track")
def test_an_aircraft_that_takes_off_came_by_no_edge() -> None:
    """Nothing was acquired, and nobody tracked it, before it came over the edge."""
    made = on_the_ground(field(german=army(("tg_blitz", "1-E8"), ("wirbel", "1-A1"))))
    next_air_phase(made)
    made.play("soviet", TakeOff(PLANE, "1-E6", 3))
    quiet(made)
    plane = made.state.units[PLANE]
    made.state.change("german-2", command="overwatch")
    target, gun = made.state.units["german-1"], made.state.units["german-2"]
    refusals = crossing.not_acquired(made.state, plane, target), flak.cannot_engage(made.state, "german", gun, plane)
    assert [refusal and refusal.rule for refusal in refusals] == ["6.7.3.1.1-acq", "6.7.4.1.1-track"]


@rule("7.59.4-arm")
def test_a_damaged_aircraft_lands_and_is_not_repaired() -> None:
    made = field()
    made.state.change(PLANE, damaged=True)
    on_the_ground(made)
    next_air_phase(made)
    made.play("soviet", TakeOff(PLANE, "1-E3", 3))
    assert made.state.units[PLANE].damaged


# --- landed aircraft under fire [7.59.4-df]


@rule("7.59.4-df")
@pytest.mark.parametrize("card", ["a_il2", "a_pe2"])
def test_a_landed_aircraft_is_a_soft_vehicle_for_its_enemies(card: str) -> None:
    """S-Type, Size +2 for AP fire; its GP Defense Factor is its own, and 4 at most."""
    made = on_the_ground(field(card, german=army(("pz4h", "1-B4"))))
    plane, own = made.state.units[PLANE], CHARTS.aircraft[card]
    assert (plane.vehicle.target, plane.vehicle.size) == ("S", 2)
    assert plane.vehicle.gp_defense == min(own.gp_defense, 4)
    assert plane.kind.pts == own.pts
    made.state.spots[PLANE] = ("german-1",)
    made.state.change("german-1", command="fire")
    assert cannot_hit(made.state, made.state.units["german-1"], plane) is None


@rule("7.59.4-df")
def test_a_landed_aircraft_leaves_a_wreck() -> None:
    made = on_the_ground(field())
    knock_out(made, made.state.units[PLANE], brews_up=False)
    assert made.state.wrecks == {"1-E3": "KO"}
    assert [*landing.landed(made.state, "soviet")] == []


# --- destroyed runways [7.59.4-runway]


@rule("7.59.4-runway")
def test_a_runway_with_a_destroyed_hex_is_closed_and_the_other_is_open() -> None:
    made = over(field(), "1-E3")
    made.state.works["1-E6"] = (Work("crater"),)
    assert refused(made, "soviet", Land(PLANE)) == "7.59.4-runway"
    assert landing.no_runway(made.state, made.state.units[PLANE], "1-G6", 4) is None


@rule("7.59.4-runway")
def test_with_both_destroyed_nobody_lands_or_takes_off() -> None:
    made = ready()
    made.state.works["1-E5"] = (Work("crater"),)  # where they cross
    assert refused(made, "soviet", TakeOff(PLANE, "1-E3", 3)) == "7.59.4-runway"
    assert refused(made, "soviet", TakeOff(PLANE, "1-G6", 4)) == "7.59.4-runway"
    assert [*landing.departures(made.state, made.state.units[PLANE])] == []


@rule("7.59.4-runway", "6.5.4.2.5-scen")
def test_fire_destroys_the_hex_of_a_runway() -> None:
    """The scenario gives its GP Defense Factor: a runway without one stands."""
    made = field()
    (site,) = destroying.sites(made.state, "1-F6")
    assert (site.kind, site.defense) == ("runway", 6)
    destroying.destroy(made, site)
    assert [work.kind for work in made.state.works["1-F6"]] == ["crater"]
    assert destroying.sites(made.state, "1-F6") == []
    assert destroying.sites(field(more=FIELD.replace("defences", "defences = {}\n#")).state, "1-F6") == []


@rule("7.59.4-runway")
def test_a_scenario_may_begin_with_a_destroyed_runway() -> None:
    crater = '\n[[markers]]\nkind = "crater"\nat = ["1-E3"]\n'
    made = over(field(more=crater + FIELD), "1-E4")
    assert refused(made, "soviet", Land(PLANE)) == "7.59.4-runway"


@rule("7.59.4-arm")
def test_runways_lie_on_the_map() -> None:
    with pytest.raises(BadInput):
        field(more='\n[conditions]\nstrips = [["1-Z99"]]\n')


@rule("7.59.4-move")
def test_runways_are_paths_on_the_map_and_are_drawn() -> None:
    board = field().state.map
    assert [board.link(a, b) for a, b in pairwise(NORTH)] == ["path"] * 3
    assert [board.link(b, a) for a, b in pairwise(NORTH)] == ["path"] * 3
    assert [board.link(a, b) for a, b in pairwise(EAST)] == ["path", "", "path"]  # E5 and F6 are no neighbours
    assert board.link("1-E4", "1-F5") == ""  # beside the runways
    assert board.link("1-E6", "1-E7") == ""
    drawn, plain = (field(options=options).ruleset.space(field(options=options).state) for options in (("7.59.4",), ()))
    assert drawn.to_json() != plain.to_json()


@rule("7.59.4-move")
@pytest.mark.parametrize(("options", "rate"), [(("7.59.4",), "path"), ((), "")])
def test_without_the_option_the_plain_stays_plain(options: tuple[str, ...], rate: str) -> None:
    assert field(options=options).state.map.link("1-E3", "1-E4") == rate


TAXIWAYS = FIELD.replace("strips", 'runways = ["1-D7", "1-E7", "1-C7"]\nstrips')
"""A taxiway from the south end of the first runway: its hexes stand in no order."""


@rule("7.59.4-move")
def test_taxiways_are_paths_to_the_paved_hexes_beside_them() -> None:
    board = field(more=TAXIWAYS).state.map
    joined = [("1-C7", "1-D7"), ("1-D7", "1-E7"), ("1-E6", "1-E7"), ("1-F6", "1-E7")]
    assert all(board.direction(a, b) is not None for a, b in joined)  # neighbours
    assert [board.link(a, b) for a, b in joined] == ["path"] * 4
    assert [board.link(b, a) for a, b in joined] == ["path"] * 4
    assert {board.link("1-C7", near) for near in board.neighbours["1-C7"] if near not in (None, "1-D7")} == {""}
    assert field(more=TAXIWAYS, options=()).state.map.link("1-D7", "1-E7") == ""


@rule("7.59.4-move")
def test_taxiways_lie_on_the_map() -> None:
    with pytest.raises(BadInput):
        field(more=TAXIWAYS.replace("1-C7", "1-Z99"))


# --- at the table


@rule("7.59.4-arm")
def test_the_page_tells_how_long_an_aircraft_has_been_served() -> None:
    made = on_the_ground(field())
    badges = [code for code, _ in view._badges(made.state, made.state.units[PLANE])]
    assert "LA" in badges


@rule("7.59.4-arm")
def test_greedy_lands_when_it_has_nothing_left_and_takes_off_again() -> None:
    made = over(field(), "1-E1")
    crossing.fly(made.state, made.state.units[PLANE], strafes=0, bombs=0, rockets=0)
    greedy = players()["greedy"]
    for _ in range(2):
        act = greedy.choose(made, "soviet", random.Random(1))
        made.play("soviet", act)
        quiet(made)
    assert isinstance(act, Land)
    made = ready()
    act = greedy.choose(made, "soviet", random.Random(1))
    assert isinstance(act, TakeOff)
    assert not isinstance(act, AirAttack)
