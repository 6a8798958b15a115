"""A Costly Setback [SC.setback]: who sets up first, how cohesion rises, the gliders of turn 11, the counter-attack."""

from __future__ import annotations

import pytest

from opfire.core import scenario as scenarios
from opfire.core.game import Game
from opfire.kit.setup import Ready
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.airborne.drops import Drop
from opfire.rulesets.micro_armour.airborne.landing import GliderLandings, waiting
from opfire.rulesets.micro_armour.airborne.surprise import surprise, win_back
from opfire.rulesets.micro_armour.artillery.batteries import cannot_shell
from opfire.rulesets.micro_armour.cohesion import force_level, level
from opfire.rulesets.micro_armour.moving.arrivals import Arrivals, due, entry_points
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.recovery import shaken
from opfire.rulesets.micro_armour.sequence import FIRST_MOVES
from opfire.rulesets.micro_armour.setup import Place
from opfire.rulesets.micro_armour.vanguard import SetUpVanguard
from rules.micro_armour.kit import fair, game, refused, rule, scripts


def setback() -> Game[Position]:
    """The battle, at its first decision."""
    found = scenarios.parse(scenarios.text_of("armour-costly-setback"), "setback")
    state, frame = RULESET.start(RULESET.set_up(found))
    made: Game[Position] = Game(RULESET, state, game().dice, {side: side for side in found.sides})
    made.push(frame)
    fair(made, 3)
    made.run()
    return made


def landing_in(made: Game[Position], turn: int) -> list[str]:
    """The ids of the landing groups of a turn."""
    return [name for name, each in made.state.setting.landings.items() if each.group.turn == turn]


# --- set-up -----------------------------------------------------------------------------------------------------


@rule("SC.setback")
def test_SC_setback_the_forces_of_the_list() -> None:
    made = setback().state
    assert (len(made.setting.ids["british"]), len(made.setting.ids["german"])) == (75, 34)
    assert (made.setting.troops("british").cohesion, made.setting.troops("german").cohesion) == (16, 13)


@rule("SC.setback")
def test_SC_setback_half_of_the_battalion_sets_up_first_with_a_defender_in_each_village() -> None:
    made = setback()
    assert (made.deciders(), type(made.stack[-1])) == (("german",), SetUpVanguard)
    names = made.choices("german").actors()
    assert refused(made, "german", Place(names[0], (40000, 20000), 270)) == "SC.setback"
    for number, name in enumerate(names[:4]):
        made.play("german", Place(name, (19000 + 1200 * number, 2500), 270))
    assert refused(made, "german", Ready()) == "SC.setback"
    assert refused(made, "german", Place(names[4], (24000, 2500), 270)) == "SC.setback"  # two villages are empty
    made.play("german", Place(names[4], (7500, 11000), 270))
    made.play("german", Place(names[5], (24000, 11000), 270))
    assert refused(made, "german", Place(names[6], (22000, 11000), 270)) == "SC.setback"
    made.play("german", Ready())
    assert made.deciders() == ("british",)  # they write down where they land
    assert set(made.state.posted) == set(names[:6])


@rule("SC.setback")
def test_SC_setback_play_begins_with_movement() -> None:
    names = [step.__name__ for step in FIRST_MOVES.steps if isinstance(step, type)]
    assert names[2:5] == ["PostureDetermination", "GliderLandings", "MovementOrders"]
    assert not {"ArtilleryPhase", "StandardFirePhase", "JointPlot"}.intersection(names)
    assert setback().state.setting.sections.begins == "movement"


@rule("SC.setback")
@pytest.mark.parametrize(("turn", "refusal"), [(11, "SC.setback"), (12, "")])
def test_SC_setback_the_battery_comes_with_the_counter_attack(turn: int, refusal: str) -> None:
    made = setback().state
    made.turn = turn
    battery = next(unit for unit in made.units.values() if unit.status == "off the map")
    found = cannot_shell(made, "german", battery)
    assert (found.rule if found else "") == refusal


# --- cohesion ---------------------------------------------------------------------------------------------------


@rule("SC.setback.coh")
def test_SC_setback_coh_forces_begin_with_13_and_8_and_rise_by_a_success_before_each_turn() -> None:
    """A roll of 13 succeeds for the British, of 9 fails for the Germans; then the British need 14 or less."""
    made = setback()
    surprise(made.state)
    assert [force_level(made.state, side) for side in ("british", "german")] == [13, 8]
    scripts(made, (13, 9))
    win_back(made)
    assert {event.rule for event in made.events} == {"SC.setback.coh"}
    assert [force_level(made.state, side) for side in ("british", "german")] == [14, 8]
    scripts(made, (15, 8))
    win_back(made)
    assert [force_level(made.state, side) for side in ("british", "german")] == [14, 9]


@rule("SC.setback.coh")
def test_SC_setback_coh_ends_at_16_and_13_and_a_quality_does_not_help() -> None:
    made = setback()
    surprise(made.state)
    general = next(unit for unit in made.state.units.values() if unit.rank == "GHQ" and unit.side == "british")
    made.state.put(general.id, (5000, 5000), quality=3)
    scripts(made, (14, 20))
    win_back(made)
    assert force_level(made.state, "british") == 13
    for _ in range(5):
        scripts(made, (1, 1))
        win_back(made)
    assert [force_level(made.state, side) for side in ("british", "german")] == [16, 13]
    assert made.state.surprise == {}


@rule("SC.setback.coh")
def test_SC_setback_coh_the_counter_attack_has_all_its_cohesion() -> None:
    made = setback().state
    surprise(made)
    fresh = next(unit for unit in made.units.values() if unit.status == "reserve" and unit.side == "german")
    trainee = next(unit for unit in made.units.values() if unit.status == "to place")
    assert (level(made, fresh), level(made, trainee)) == (13, 8)


# --- the gliders ------------------------------------------------------------------------------------------------


@rule("SC.setback.al")
def test_SC_setback_al_eleven_groups_land_in_turn_11_as_a_milk_run_past_anti_aircraft_fire() -> None:
    made = setback().state
    assert [len(landing_in(setback(), turn)) for turn in (0, 11)] == [3, 11]
    groups = [each.group for each in made.setting.landings.values()]
    assert {(each.conditions, each.circumstances) for each in groups} == {
        ("milk run", ("daylight", "anti-aircraft fire"))
    }
    assert waiting(made, "british", 10) == []
    assert len(waiting(made, "british", 11)) == 11


@rule("SC.setback.al")
def test_SC_setback_al_gliders_land_before_the_movement_phase_and_do_not_recover_in_that_turn() -> None:
    made = setback()
    state = made.state
    for number, name in enumerate(landing_in(made, 11)):
        state.drops[name] = Drop((5000 + 3000 * number, 20000 if number % 2 else 16000), "E")
    state.turn, state.initiative = 11, "german"
    made.stack = ()
    made.push(GliderLandings(""))
    made.run()
    down = [unit for unit in state.of("british") if unit.landed == 11]
    assert len(down) > 20
    for unit in down:
        state.change(unit.id, suppressed=True)
    assert shaken(state) == []


# --- the counter-attack -----------------------------------------------------------------------------------------


@rule("SC.setback.ctr", "3.4-half")
@pytest.mark.parametrize(
    ("number", "turn", "place"),
    [
        (1, 12, (47500, 12000)),
        (2, 12, (47500, 12000)),
        (3, 13, (34000, 23500)),
        (5, 14, (20000, 23500)),
        (6, 14, (20000, 23500)),
        (8, 15, (7000, 23500)),
    ],
)
def test_SC_setback_ctr_a_die_of_turn_12_gives_turn_and_road(number: int, turn: int, place: tuple[int, int]) -> None:
    made = setback()
    state = made.state
    state.turn, state.initiative = 11, "british"
    made.stack = ()
    made.push(Arrivals(""))
    made.run()
    assert state.rolled == {}
    state.turn = 12
    scripts(made, (number,))
    made.push(Arrivals(""))
    made.run()
    assert (len(due(state, "german")) == 21) == (turn == 12)
    state.turn = turn
    armour = due(state, "german")
    assert len(armour) == 21
    assert next(entry_points(state, armour[0])) == place


@rule("SC.setback.ctr")
def test_SC_setback_ctr_the_die_is_rolled_once() -> None:
    made = setback()
    state = made.state
    state.turn, state.initiative = 12, "british"
    scripts(made, (8,))
    for turn in (12, 13, 14):
        state.turn = turn
        made.stack = ()
        made.push(Arrivals(""))
        made.run()
    assert (state.rolled, due(state, "german")) == ({"german": 3}, [])
