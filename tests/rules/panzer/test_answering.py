"""Defensive Fire of units with No Command [7.50], and Quickdraw [7.54]."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.charts import Grade
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire.answering import Answer, Quickdraw, ReturningFire, reckoned
from opfire.rulesets.panzer.fire.direct_fire import Announce, Keep, Resolve
from opfire.rulesets.panzer.fire.shots import DEFENSIVE, DIRECT
from opfire.rulesets.panzer.morale.checks import modifiers
from opfire.rulesets.panzer.pieces import CommandName, Position
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.suppression import recovery
from rules.panzer.battle import game, refused, text, told
from rules.panzer.kit import rule
from rules.panzer.moves import army

ANSWER = Answer("soviet-1", "german-1")


def attacked(
    *options: str,
    command: CommandName = "no command",
    dice: tuple[int, ...] = (),
    grade: Grade = "seasoned",
    german: str = army(("pz4h", "1-A4")),
    soviet: str = army(("t34_43", "1-D4")),
    **values: object,
) -> Game[Position]:
    """Germans, the First Player, announce and resolve fire at a Soviet tank with a hidden command."""
    made = game(text(german=german, soviet=soviet, options=("AG", *options)), (90, 10, *dice))
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.state.change("german-1", command="fire")
    made.state.change("soviet-1", command=command, grade=grade, **values)
    made.state.spots = {name: tuple(made.state.units) for name in made.state.units}
    made.play(made.asked()[0], RollInitiative())
    made.play("german", Announce("german-1", "soviet-1"))
    made.play("german", Resolve())
    return made


def on(made: Game[Position]) -> Game[Position]:
    """The target's owner says that its command has no effect."""
    while made.stack[-1].step == "target moving":
        made.play("soviet", Keep())
    return made


# --- Defensive Fire [7.50]


@rule("7.50")
def test_a_unit_with_no_command_returns_fire_once() -> None:
    made = on(attacked("7.50", dice=(100, 100)))
    assert isinstance(made.stack[-1], ReturningFire)
    assert refused(made, "soviet", ANSWER) is None
    made.play("soviet", ANSWER)
    unit = made.state.units["soviet-1"]
    assert unit.fired
    assert unit.revealed
    assert unit.fresh == "fire"
    assert told(made, "fired")
    assert made.stack[-1].step == "direct fire"


@rule("7.50")
@pytest.mark.parametrize("command", ["fire", "move", "short halt", "overwatch"])
def test_other_commands_do_not_return_fire_but_their_owner_is_asked(command: CommandName) -> None:
    made = on(attacked("7.50", command=command, dice=(100,)))
    assert isinstance(made.stack[-1], ReturningFire)
    assert refused(made, "soviet", ANSWER) == "7.50"
    made.play("soviet", Pass())
    assert not made.state.units["soviet-1"].fired


@rule("7.50")
def test_nobody_is_asked_without_the_option_or_if_the_command_is_open() -> None:
    assert on(attacked(dice=(100,))).stack[-1].step == "direct fire"
    assert on(attacked("7.50", command="move", revealed=True, dice=(100,))).stack[-1].step == "direct fire"
    assert on(attacked("7.50", fired=True, dice=(100,))).stack[-1].step == "direct fire"


@rule("7.50")
def test_only_those_that_fired_are_answered_and_only_if_they_are_spotted() -> None:
    two = army(("pz4h", "1-A4"), ("pz4h", "1-A5"))
    made = on(attacked("7.50", german=two, dice=(100,)))
    assert refused(made, "soviet", Answer("soviet-1", "german-2")) == "7.50"
    seen = on(attacked("7.50", dice=(100,)))
    assert [act for act in seen.choices("soviet") if isinstance(act, Answer)]
    seen.state.change("soviet-1", suppression="on", facing=2)
    assert refused(seen, "soviet", ANSWER) == "6.1.3.1"  # a suppressed unit looks to its front alone


@rule("7.50")
@pytest.mark.parametrize(
    ("soviet", "back", "extra", "watching"),
    [
        (army(("t34_43", "1-D4")), "7.50", -2, ("4.4.3.2.2-ow", -1)),
        (army(("s_sqd41", "1-B4")), "7.50", -10, ("6.5.4.3-ow", -5)),
    ],
)
def test_defensive_fire_is_worse_than_overwatch(soviet: str, back: str, extra: int, watching: tuple[str, int]) -> None:
    made = game(text(german=army(("pz4h", "1-A4")), soviet=soviet, options=("AG", "7.50")))
    unit = made.state.change("soviet-1", facing=5)
    found = reckoned(made.state, unit, made.state.units["german-1"], "", DEFENSIVE)
    assert not hasattr(found, "text")
    amounts = {line.rule: line.amount for line in found.lines if line.kind == "modifier"}  # type: ignore[union-attr]
    assert amounts[back] == extra
    if made.state.units["soviet-1"].is_leg:
        assert amounts[watching[0]] == watching[1]
    else:
        assert amounts[watching[0]] == watching[1]


@rule("7.50", "6.8.3.1.1", "7.1.6.2")
def test_defensive_fire_counts_as_a_command_when_the_unit_recovers() -> None:
    made = game(text(options=("AG", "7.50", "7.1")))
    idle = made.state.change("soviet-1", suppression="off")
    answered = replace(idle, fired=True)
    assert recovery(made.state, answered).modifier == recovery(made.state, idle).modifier + 20
    net = [sum(line.amount for line in modifiers(made.state, unit, forced=False)) for unit in (answered, idle)]
    assert net[0] == net[1] - 20


# --- Quickdraw [7.54]


@rule("7.54")
def test_a_better_unit_fires_at_the_same_time_and_its_shot_counts_though_it_burns() -> None:
    made = attacked("7.54", command="fire", grade="veteran", dice=(1, 16, 1, 16))
    assert isinstance(made.stack[-1], Quickdraw)
    made.play("soviet", ANSWER)
    on(made)
    assert [made.state.units[name].status for name in ("soviet-1", "german-1")] == ["eliminated", "eliminated"]
    assert len([event for event in made.events if event.kind == "fired"]) == 2


@rule("7.54")
@pytest.mark.parametrize(
    ("values", "asked"),
    [
        ({"grade": "veteran"}, True),
        ({"grade": "seasoned"}, False),
        ({"grade": "veteran", "suppression": "off"}, False),
        ({"grade": "veteran", "morale": "hesitating"}, False),
        ({"grade": "veteran", "revealed": True}, False),
    ],
)
def test_only_steady_better_units_with_hidden_commands_draw(values: dict[str, object], asked: bool) -> None:
    made = attacked("7.54", command="fire", dice=(100,), **values)  # type: ignore[arg-type]
    assert isinstance(made.stack[-1], Quickdraw) is asked


@rule("7.54")
@pytest.mark.parametrize("command", ["no command", "move", "short halt", "overwatch"])
def test_a_quickdraw_takes_a_fire_command_but_the_question_comes_anyway(command: CommandName) -> None:
    made = attacked("7.54", command=command, grade="veteran", dice=(100,))
    assert isinstance(made.stack[-1], Quickdraw)
    assert refused(made, "soviet", ANSWER) == "7.54"
    made.play("soviet", Pass())
    on(made)
    assert not made.state.units["soviet-1"].fired


@rule("7.54")
def test_the_first_player_does_not_draw_nor_a_unit_that_has_not_spotted_its_firer() -> None:
    made = attacked("7.54", command="fire", grade="veteran", dice=(100,))
    made.state.first = "soviet"
    assert refused(made, "soviet", ANSWER) == "7.54"
    made.state.first = "german"
    made.state.spots = {}
    assert refused(made, "soviet", ANSWER) == "4.4.1-a"


@rule("7.54")
def test_a_quick_shot_has_the_rate_of_fire_n() -> None:
    guns = army(("t_37", "1-D4"))
    made = game(text(german=army(("pz4h", "1-A4")), soviet=guns, options=("AG", "7.54")))
    unit = made.state.change("soviet-1", facing=5, hex="1-B4")
    found = reckoned(made.state, unit, made.state.units["german-1"], "", DIRECT)
    assert set(found.chances()) <= {"miss", "1 hit"}  # type: ignore[union-attr]


@rule("7.54")
def test_a_unit_that_drew_has_fired() -> None:
    made = attacked("7.54", command="fire", grade="veteran", dice=(100, 100))
    made.play("soviet", ANSWER)
    on(made)
    made.play("german", EndStep())
    assert refused(made, "soviet", Announce("soviet-1", "german-1")) in ("4.4.1-b", "procedure")


@rule("7.54", "7.16", "7.8.4")
@pytest.mark.parametrize(("unit", "options"), [("t34_43", ("7.8",)), ("s_85aa", ("7.16",)), ("t34_43", ())])
def test_a_quickdraw_takes_the_field_of_fire_as_it_is(unit: str, options: tuple[str, ...]) -> None:
    """Turrets and platforms turn to targets of overwatch alone; without their own facing turrets bear all round."""
    for facing in (5, 4):
        soviet = army((unit, "1-C5"))
        made = attacked(
            "7.54", *options, command="fire", grade="veteran", soviet=soviet, facing=facing, dice=(100, 100)
        )
        if facing == 4 and options:
            assert not isinstance(made.stack[-1], Quickdraw)
            assert refused(made, "soviet", ANSWER) is not None
            continue
        made.play("soviet", ANSWER)
        on(made)
        assert made.state.units["soviet-1"].fired
