"""Overwatch fire at one target is announced, then resolved [4.4.2, 4.4.1-d]; what the question for more tells."""

from __future__ import annotations

from math import floor

import pytest

from opfire.core.game import Game
from opfire.core.orders import Answer, Ask
from opfire.kit.orders import Orders
from opfire.rulesets.panzer import RULESET
from opfire.rulesets.panzer.actions import EndStep, Pass
from opfire.rulesets.panzer.fire.direct_fire import Announce, Keep, Resolve
from opfire.rulesets.panzer.fire.overwatch import Overwatch, OverwatchFire
from opfire.rulesets.panzer.hiding import Unmask
from opfire.rulesets.panzer.moving.movement import Move
from opfire.rulesets.panzer.pieces import CommandName, Mask, Position
from rules.panzer.battle import commanded, game, refused, text
from rules.panzer.kit import rule
from rules.panzer.moves import army

FIRST, SECOND = Announce("german-1", "soviet-1"), Announce("german-2", "soviet-1")
WATCH: dict[int, CommandName] = {1: "overwatch", 2: "overwatch"}


def before_the_move(german: dict[int, CommandName] | None = None, more: tuple[int, ...] = ()) -> Game[Position]:
    """A tank is about to move before two panzers."""
    scenario = text(german=army(("pz4h", "1-A4"), ("pz4h", "1-B4")), soviet=army(("t34_43", "1-E7")))
    made = commanded(game(scenario, (90, 10, *more)), WATCH if german is None else german, {1: "move"})
    while made.stack[-1].step != "movement":
        made.play(made.asked()[0], EndStep())
    return made


def announced(german: dict[int, CommandName] | None = None, more: tuple[int, ...] = ()) -> Game[Position]:
    """The tank has moved, and the first panzer has announced its fire."""
    made = before_the_move(german, more)
    made.play("soviet", Move("soviet-1", "1-D6"))
    assert isinstance(made.stack[-1], Overwatch)
    made.play("german", FIRST)
    return made


def answered(made: Game[Position], orders: Orders) -> Answer:
    """The answer of the Germans' standing orders to the question that is put now."""
    return RULESET.answer(made.sight("german"), "german", made.stack[-1], orders, made.choices("german"), ())


@rule("4.4.2", "4.4.1-d")
def test_nothing_is_resolved_before_all_fire_is_announced() -> None:
    made = announced(more=(100, 100))
    assert isinstance(made.stack[-1], OverwatchFire)
    made.play("german", SECOND)
    assert not [unit for unit in made.state.of("german") if unit.fired]
    made.play("german", Resolve())
    assert all(unit.fired for unit in made.state.of("german"))


@rule("4.4.2")
def test_the_question_for_more_fire_does_not_tell_who_is_on_overwatch() -> None:
    """A panzer without command, and one on overwatch: the enemy sees the same."""
    twins = [announced({1: "overwatch", 2: command}) for command in ("overwatch", "no command")]
    views = [RULESET.view(made.sight("soviet"), "soviet", made.stack[-1].seen_by("soviet")) for made in twins]
    assert views[0] == views[1]
    assert [made.asked() for made in twins] == [("german",), ("german",)]
    assert not any(made.forced() for made in twins)
    assert [SECOND in list(made.choices("german")) for made in twins] == [True, False]
    assert refused(twins[1], "german", SECOND) == "4.2-overwatch"


@rule("4.4.2")
def test_nobody_is_asked_where_everybody_sees_that_there_is_no_more_fire() -> None:
    """The second panzer has fired already, or shown another command: the fire of the first is resolved at once."""
    for changes in ({"fired": True}, {"command": "move", "revealed": True}):
        made = before_the_move(more=(100,))
        made.state.change("german-2", **changes)
        made.play("soviet", Move("soviet-1", "1-D6"))
        made.play("german", FIRST)
        assert made.state.units["german-1"].fired


@rule("4.4.2", "7.2.2.3")
def test_hidden_units_are_revealed_to_join_the_fire() -> None:
    made = announced()
    made.state.masks["hidden"] = Mask("hidden", "german", "1-B3", (), laid=True)
    assert Unmask("hidden", "1-B3") in list(made.choices("german"))
    made.play("german", Unmask("hidden", "1-B3"))
    assert isinstance(made.stack[-1], OverwatchFire)
    assert made.state.masks == {}


@rule("4.4.2")
@pytest.mark.parametrize(
    ("orders", "answer"),
    [
        (Orders(fire="always", least_chance=0), SECOND),
        (Orders(fire="always", least_chance=100), Resolve()),
        (Orders(fire="always", least_chance=0, units={"german-2": "never"}), Resolve()),
        (Orders(fire="always", least_chance=0, within=1), Resolve()),
        (Orders(fire="never"), Resolve()),
        (Orders(least_chance=100), Resolve()),
    ],
)
def test_standing_orders_join_the_fire_or_have_it_resolved(orders: Orders, answer: Answer) -> None:
    assert answered(announced(), orders) == answer


@rule("4.4.2")
def test_orders_that_fire_by_themselves_count_the_fire_that_is_announced() -> None:
    """A chance that is just good enough is less if the first shot may have done it; a player is asked all the same."""
    made = announced()
    ask = answered(made, Orders(least_chance=0))
    assert isinstance(ask, Ask)
    least = floor(ask.chance * 100)
    assert answered(made, Orders(least_chance=least)) == ask
    assert answered(made, Orders(fire="always", least_chance=least)) == Resolve()


@rule("4.4.2", "4.4.1-d")
def test_each_of_those_that_fired_is_a_target_of_its_own() -> None:
    """In the Combat Phase both tanks have fired: fire at one is resolved, then fire at the other is announced."""
    scenario = text(
        german=army(("pz4h", "1-A4"), ("pz4h", "1-B4")), soviet=army(("t34_43", "1-E6"), ("t34_43", "1-F5"))
    )
    made = commanded(game(scenario, (10, 90, 100, 100, 100, 100)), WATCH, {1: "fire", 2: "fire"})
    for unit in ("soviet-1", "soviet-2"):
        made.play("soviet", Announce(unit, "german-1" if unit == "soviet-1" else "german-2"))
        made.play("soviet", Resolve())
        made.play("german", Keep())
    while not isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], EndStep())
    while made.asked() != ("german",):
        made.play(made.asked()[0], Pass())
    made.play("german", FIRST)
    assert refused(made, "german", Announce("german-2", "soviet-2")) == "4.4.1-d"
    made.play("german", Resolve())
    assert refused(made, "german", SECOND) == "4.4.1-d"
    assert refused(made, "german", Announce("german-2", "soviet-2")) is None


@rule("4.4.2", "4.4.1-d")
def test_computers_join_as_long_as_a_shot_is_good_enough() -> None:
    """The script fires whatever it can; the other looks at what the announced fire leaves of the target."""
    made = announced()
    frame, choices = made.stack[-1], made.choices("german")
    assert RULESET.script(made.sight("german"), "german", frame, choices)[0].action == SECOND
    assert RULESET.suggest(made.sight("german"), "german", frame, choices)[0].action == SECOND
    made.play("german", SECOND)
    frame, choices = made.stack[-1], made.choices("german")
    for think in (RULESET.script, RULESET.suggest):
        assert think(made.sight("german"), "german", frame, choices)[0].action == Resolve()


# --- two weapons [5.14, 4.4.2]: RULINGS.md R71


def rifles(*options: str, dice: tuple[int, ...] = (), **values: object) -> Game[Position]:
    """A tank drives past a squad on overwatch that has an anti-tank rifle; the squad is alone."""
    german = army(("g_sqd41", "1-D5")) + (
        '\n[[sides.german.formations]]\nname = "1."\ngrade = "seasoned"\nunits = { g_sqd41 = 1 }\n'
        'weapons = { g_sqd41 = ["pzb39"] }\n'
    )
    scenario = text(german=german, soviet=army(("t34_43", "1-E7")), options=("AG", *options))
    made = commanded(game(scenario, (90, 10, *dice)), {1: "overwatch"}, {1: "move"})
    made.state.change("german-1", **values)
    while made.stack[-1].step != "movement":
        made.play(made.asked()[0], EndStep())
    made.play("soviet", Move("soviet-1", "1-D6"))
    return made


OWN, RIFLE = (Announce("german-1", "soviet-1", weapon) for weapon in ("g_sqd41 ball", "pzb39 AP"))


@rule("5.14", "5.1.1-a", "4.4.2")
def test_a_squad_fires_its_own_weapon_and_the_attached_one_from_overwatch() -> None:
    """The attached rifle has -1 for Dual Fire at the same target, besides -1 for overwatch and -2 for moving."""
    made = rifles(dice=(1, 100), facing=3)
    made.play("german", OWN)
    assert isinstance(made.stack[-1], OverwatchFire)
    assert RIFLE in [*made.choices("german")]
    assert refused(made, "german", OWN) == "4.4.1-b"
    made.play("german", RIFLE)
    assert [*made.choices("german")] == [Resolve()]
    made.play("german", Resolve())
    shots = [event.calculation for event in made.events if event.kind == "fired" and event.calculation]
    amounts = {line.rule: line.amount for line in shots[-1].lines if line.kind == "modifier"}
    assert (amounts["6.5.2.4-dual"], amounts["4.4.3.2.2-ow"], amounts["4.4.3.2.2-moving"]) == (-1, -1, -2)
    assert len(shots) == 2
    assert made.state.units["german-1"].fired


@rule("5.14", "4.4.2")
def test_a_squad_may_fire_one_of_its_weapons_from_overwatch() -> None:
    made = rifles(dice=(1,))
    made.play("german", OWN)
    made.play("german", Resolve())
    assert made.state.units["german-1"].arms == ("g_sqd41 ball",)
    assert refused(made, "german", RIFLE) is not None


@rule("5.14", "5.1.1-a")
def test_a_suppressed_squad_fires_a_single_weapon_from_overwatch() -> None:
    made = rifles(dice=(1,), suppression="on", facing=3)
    made.play("german", OWN)
    assert made.state.units["german-1"].arms == ("g_sqd41 ball",)
