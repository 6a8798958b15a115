"""Hidden units [7.2] that meet other rules: mines, staggered initiative, the set-up, buildings."""

from __future__ import annotations

import pytest

from opfire.core.actions import Action
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.kit.setup import Ready
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.creeping import Alight, Creep, CreepStep
from opfire.rulesets.panzer.hiding import Lurk, Spread, Unmask, Unmasking, UnmaskStep
from opfire.rulesets.panzer.pieces import Mask, Position
from opfire.rulesets.panzer.setup import Place
from opfire.rulesets.panzer.staggering import Contest, NameFormation
from rules.panzer.battle import game, refused, text
from rules.panzer.kit import rule
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
