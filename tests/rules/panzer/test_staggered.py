"""Staggered Initiative [7.42]: formations fire one after the other, and move in the reverse order."""

from __future__ import annotations

import pytest

from opfire.core.actions import Action
from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import CommandPhase, HandIn
from opfire.rulesets.panzer.fire.answering import Answer, Quickdraw
from opfire.rulesets.panzer.fire.close_combat import CloseCombatStep
from opfire.rulesets.panzer.fire.direct_fire import Announce, DirectFireStep, Keep, Resolve
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving.going import Move, Stay
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import CommandName, Position
from opfire.rulesets.panzer.setup import check_together
from opfire.rulesets.panzer.shown.words import label
from opfire.rulesets.panzer.staggering import Contest, NameFormation
from rules.panzer.battle import game, refused, text, told
from rules.panzer.kit import rule
from rules.panzer.moves import army

MISS, STANDS = 100, 100
"""A roll to hit that misses; a Morale Check that is passed."""


def companies(side: str, card: str, hexes: tuple[str, ...], more: str = "", grade: str = "seasoned") -> str:
    """Companies of a side, each of one vehicle."""
    numbers = "".join(
        f'\n[[sides.{side}.formations]]\nname = "{side} {number}"\ngrade = "{grade}"\nunits = {{ {card} = 1 }}\n'
        for number in range(1, len(hexes) + 1)
    )
    return army(*((card, hex) for hex in hexes), more=more) + numbers


GERMAN = companies("german", "pz4h", ("1-A4", "1-A6"))
SOVIET = companies("soviet", "t34_43", ("1-D4", "1-D6"))


def battle(
    *dice: int,
    options: tuple[str, ...] = (),
    german: str = GERMAN,
    soviet: str = SOVIET,
    commands: dict[str, CommandName] | None = None,
) -> Game[Position]:
    """A battle in its Initiative Phase; all see each other, and these units have these commands."""
    made = game(text(german=german, soviet=soviet, options=("AG", "7.42", *options)), dice)
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    for name, command in (commands or {}).items():
        made.state.change(name, command=command)
    made.state.spots = {name: tuple(made.state.units) for name in made.state.units}
    return made


def name(made: Game[Position], german: str, soviet: str) -> None:
    """Both sides name a formation for the next roll."""
    for side in [made.asked()[0], "german" if made.asked()[0] == "soviet" else "soviet"]:
        made.play(side, NameFormation(german if side == "german" else soviet))


def on(made: Game[Position], *kinds: type) -> None:
    """Let fire and steps pass until a question of these kinds is put."""
    while not isinstance(made.stack[-1], kinds):
        action: Action = EndStep()
        if made.stack[-1].step == "target moving":
            action = Keep()
        elif isinstance(made.stack[-1], Overwatch | Quickdraw):
            action = Pass()
        made.play(made.asked()[0], action)


def fired(made: Game[Position], firer: str, target: str) -> None:
    """A unit fires at another one, and nobody joins it."""
    side = firer.split("-")[0]
    made.play(side, Announce(firer, target))
    made.play(side, Resolve())
    on(made, DirectFireStep, Contest)


# --- who fires next [7.42.1, 7.42.1.1]


@rule("7.42.1")
def test_the_higher_roll_makes_the_first_player_and_its_formation_fires_first() -> None:
    made = battle(20, 80)
    assert isinstance(made.stack[-1], Contest)
    assert made.asked() == ("german",)  # the First Player of the turn before names first: RULINGS.md R180
    name(made, "german-2", "soviet-1")
    assert made.state.first == "soviet"
    assert made.state.order == ("soviet-1",)
    on(made, DirectFireStep)
    assert made.asked() == ("soviet",)


@rule("7.42.1", "6.3.1")
def test_the_force_grade_counts_whatever_the_formation() -> None:
    green = companies("german", "pz4h", ("1-A4",), 'grade = "elite"', "green")
    made = battle(50, 51, german=green)
    name(made, "german-1", "soviet-1")
    assert made.state.first == "german"


@rule("7.42.1")
def test_ties_are_rolled_again() -> None:
    made = battle(50, 50, 10, 11)
    name(made, "german-1", "soviet-1")
    assert made.state.first == "soviet"


@rule("7.42.1")
def test_in_small_battles_platoons_stand_for_formations() -> None:
    platoons = army(("pz4h", "1-A4"), ("pz4h", "1-A6")) + (
        '\n[[sides.german.formations]]\nname = "1."\ngrade = "seasoned"\nunits = { pz4h = 2 }\n'
        "platoons = [{ pz4h = 1 }, { pz4h = 1 }]\n"
    )
    made = battle(german=platoons, soviet=companies("soviet", "t34_43", ("1-D4",)))
    assert [act.group for act in made.choices("german")] == ["german-1 1. 1", "german-1 1. 2"]


@rule("7.42.1")
def test_a_formation_is_named_by_its_name_and_a_unit_by_its_own() -> None:
    made = battle()
    unit = made.state.units["german-1"]
    assert "german-1" in made.state.setting.formations
    assert label(made.state, NameFormation("german-1")) == "german 1 rolls for initiative"
    assert label(made.state, Stay("german-1")) == f"{unit.name} in 1-A4 moves no further"


@rule("7.42.1.1")
def test_after_each_formation_both_sides_roll_for_the_next_one() -> None:
    made = battle(90, 10, 30, 60, 70, 20)
    name(made, "german-1", "soviet-1")
    on(made, DirectFireStep)
    made.play("german", EndStep())
    assert refused(made, "german", NameFormation("german-1")) == "7.42.1.1"
    name(made, "german-2", "soviet-2")
    assert made.state.order == ("german-1", "soviet-2")
    assert made.state.first == "german"
    made.play("soviet", EndStep())
    name(made, "german-2", "soviet-1")
    assert made.state.order == ("german-1", "soviet-2", "german-2")


@rule("7.42.1.1")
def test_the_last_formations_of_a_side_need_no_roll() -> None:
    made = battle(90, 10, german=companies("german", "pz4h", ("1-A4",)), commands={})
    name(made, "german-1", "soviet-1")
    on(made, DirectFireStep)
    made.play("german", EndStep())
    assert made.asked() == ("soviet",)
    made.play("soviet", NameFormation("soviet-2"))
    assert not made.sides
    made.play("soviet", EndStep())
    made.play("soviet", NameFormation("soviet-1"))
    made.play("soviet", EndStep())
    assert made.state.order == ("german-1", "soviet-2", "soviet-1")
    assert not isinstance(made.stack[-1], Contest)


# --- whose fire it is [7.42.1.2]


@rule("7.42.1", "7.42.1.1")
def test_only_units_of_the_formation_fire() -> None:
    made = battle(90, 10, MISS, commands={"german-1": "fire", "german-2": "fire"})
    name(made, "german-1", "soviet-1")
    on(made, DirectFireStep)
    assert refused(made, "german", Announce("german-2", "soviet-1")) == "procedure"
    assert refused(made, "german", EndStep()) == "4.4.1-g"
    made.play("german", Announce("german-1", "soviet-1"))
    assert refused(made, "german", Announce("german-2", "soviet-1")) == "procedure"
    assert "german-2" not in made.choices("german").actors()
    made.play("german", Resolve())
    on(made, DirectFireStep)
    assert refused(made, "german", EndStep()) is None  # german-2 waits for its own formation


@rule("7.42.1.2")
def test_another_formation_may_fire_at_the_same_unit_again() -> None:
    made = battle(90, 10, MISS, 90, 10, MISS, commands={"german-1": "fire", "german-2": "fire"})
    name(made, "german-1", "soviet-1")
    on(made, DirectFireStep)
    fired(made, "german-1", "soviet-1")
    made.play("german", EndStep())
    name(made, "german-2", "soviet-1")
    fired(made, "german-2", "soviet-1")
    assert made.state.units["german-2"].fired


def checks_in(made: Game[Position]) -> list[str]:
    return told(made, "morale")


@pytest.fixture
def losses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every formation has lost as many units as its Cohesion Point: all events call for checks."""
    monkeypatch.setattr("opfire.rulesets.panzer.morale.cohesion.reached", lambda position, formation: True)


@pytest.mark.usefixtures("losses")
@rule("7.42.1.2")
def test_a_unit_checks_its_morale_once_after_all_fire_at_it() -> None:
    """Two formations fire at a tank with no Fire command: it checks when the last of them is done."""
    dice = (90, 10, MISS, 90, 10, MISS, STANDS)
    made = battle(*dice, options=("7.1",), commands={"german-1": "fire", "german-2": "fire"})
    name(made, "german-1", "soviet-1")
    on(made, DirectFireStep)
    fired(made, "german-1", "soviet-1")
    assert made.state.unnerved == ("soviet-1",)
    made.play("german", EndStep())
    name(made, "german-2", "soviet-1")
    fired(made, "german-2", "soviet-1")
    assert made.state.unnerved == ("soviet-1",)
    made.play("german", EndStep())
    assert len(checks_in(made)) == 1
    assert made.state.unnerved == ()


@pytest.mark.usefixtures("losses")
@rule("7.42.1.2")
def test_a_unit_checks_before_its_own_fire_and_no_more_after_it() -> None:
    dice = (90, 10, MISS, 10, 90, STANDS, MISS, 90, 10, STANDS, MISS)
    given: dict[str, CommandName] = {"german-1": "fire", "german-2": "fire", "soviet-1": "fire"}
    made = battle(*dice, options=("7.1",), commands=given)
    name(made, "german-1", "soviet-1")
    on(made, DirectFireStep)
    fired(made, "german-1", "soviet-1")
    made.play("german", EndStep())
    name(made, "german-2", "soviet-1")
    made.play("soviet", Announce("soviet-1", "german-2"))
    made.play("soviet", Resolve())
    while not isinstance(made.stack[-1], DirectFireStep):
        made.play("german", Keep())
    assert len(checks_in(made)) == 1
    assert made.rolls == [STANDS, MISS]
    made.play("soviet", EndStep())
    name(made, "german-2", "soviet-2")
    fired(made, "german-2", "soviet-1")
    assert made.state.unnerved == ()
    assert made.state.steeled == ("soviet-1", "german-2")


@rule("7.42.1.3")
def test_overwatch_follows_all_fire_of_all_formations() -> None:
    """The formation of the unit on overwatch has had its turn before the others: it waits for the end of all fire."""
    given: dict[str, CommandName] = {"german-1": "fire", "german-2": "fire", "soviet-1": "overwatch"}
    made = battle(10, 90, 90, 10, MISS, 90, 10, MISS, commands=given)
    name(made, "german-1", "soviet-1")
    on(made, DirectFireStep)
    for german, soviet in (("german-1", "soviet-2"), ("german-2", "soviet-2")):
        made.play(made.asked()[0], EndStep())
        name(made, german, soviet)
        fired(made, german, "soviet-1")
    made.play("german", EndStep())
    made.play("soviet", NameFormation("soviet-2"))
    assert isinstance(made.stack[-1], DirectFireStep)
    made.play("soviet", EndStep())
    assert isinstance(made.stack[-1], Overwatch)
    assert made.asked() == ("soviet",)
    assert made.stack[-1].waiting == ("soviet", "german")  # the original First Player, then the other one


# --- movement [7.42.2, 7.42.3]


def marched(made: Game[Position], *order: str) -> None:
    """Nobody fires; the formations have the initiative in this order."""
    while not isinstance(made.stack[-1], MovementStep):
        frame = made.stack[-1]
        if isinstance(frame, Contest):
            own = [act.group for act in made.choices(made.asked()[0])]
            made.play(made.asked()[0], NameFormation(next(group for group in order if group in own)))
        else:
            on(made, Contest, MovementStep, DirectFireStep, CloseCombatStep)
            if isinstance(made.stack[-1], DirectFireStep | CloseCombatStep):
                made.play(made.asked()[0], EndStep())


ORDER = ("german-2", "soviet-1", "german-1", "soviet-2")
ROLLS = (90, 10, 10, 90, 90, 10)
MOVES: dict[str, CommandName] = dict.fromkeys(("german-1", "german-2", "soviet-1", "soviet-2"), "move")


@rule("7.42.2")
def test_formations_move_in_the_reverse_order_of_their_fire() -> None:
    made = battle(*ROLLS, commands=MOVES)
    marched(made, *ORDER)
    assert made.state.order == ORDER
    moved = []
    while isinstance(made.stack[-1], MovementStep):
        moved.append(made.stack[-1].group)
        made.play(made.asked()[0], EndStep())
        on(made, MovementStep, CommandPhase)
    assert tuple(moved) == tuple(reversed(ORDER))


@rule("7.42.2")
def test_units_of_other_formations_wait_with_their_moves() -> None:
    made = battle(*ROLLS, commands=MOVES)
    marched(made, *ORDER)
    assert refused(made, "soviet", Stay("soviet-1")) == "procedure"
    assert "soviet-1" not in {act.unit for act in made.choices("soviet") if isinstance(act, Move)}
    made.play("soviet", Stay("soviet-2"))
    on(made, MovementStep)
    made.play("soviet", EndStep())
    assert not made.state.units["soviet-1"].moved
    assert made.asked() == ("german",)


@rule("7.42.3")
def test_the_streamlined_phase_lets_the_second_player_move_everything_first() -> None:
    made = battle(*ROLLS, options=("7.42.3",), commands=MOVES)
    marched(made, *ORDER)
    assert made.asked() == ("soviet",)
    for unit in ("soviet-1", "soviet-2"):
        made.play("soviet", Stay(unit))
        on(made, MovementStep)
    made.play("soviet", EndStep())
    assert made.asked() == ("german",)
    for unit in ("german-1", "german-2"):
        made.play("german", Stay(unit))
        on(made, MovementStep)


@rule("7.42.3")
def test_the_streamlined_phase_needs_staggered_initiative() -> None:
    with pytest.raises(BadInput):
        check_together(("AG", "7.42.3"))
    check_together(("AG", "7.42", "7.42.3"))


@pytest.mark.usefixtures("losses")
@rule("7.42.2", "7.42.3")
@pytest.mark.parametrize(("options", "waits"), [((), True), (("7.42.3",), False)])
def test_a_unit_that_was_overrun_checks_after_all_overruns(options: tuple[str, ...], waits: bool) -> None:
    """Unless movement is streamlined: then it checks at once, as in the plain game [7.42.3]."""
    made = battle(STANDS, STANDS, options=("7.1", *options))
    checks.overrun(made, "soviet-1")
    checks.overrun(made, "soviet-1")
    assert made.state.unnerved == (("soviet-1",) if waits else ())
    if waits:
        made.clear()
        checks.settle(made, made.state.setting.sides, "overrun")
        assert made.rolls == [STANDS]


# --- beside other options that change the same step


@rule("7.54", "7.42.1")
def test_units_of_formations_that_are_still_to_fire_may_draw() -> None:
    """A unit of a formation that has fired holds its fire even if its side is the Second Player: RULINGS.md R181."""
    soviet = companies("soviet", "t34_43", ("1-D4", "1-D6"), grade="elite")
    made = battle(
        90, 10, MISS, MISS, options=("7.54",), soviet=soviet, commands={"german-1": "fire", "soviet-1": "fire"}
    )
    name(made, "german-1", "soviet-1")
    on(made, DirectFireStep)
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    assert isinstance(made.stack[-1], Quickdraw)
    assert refused(made, "soviet", Answer("soviet-1", "german-1")) is None
    made.state.order = ("german-1", "soviet-1")
    assert refused(made, "soviet", Answer("soviet-1", "german-1")) == "7.54"
