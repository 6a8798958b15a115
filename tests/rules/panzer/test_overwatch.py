"""Overwatch fire at one target is announced, then resolved [4.4.2, 4.4.1-d]; what the question for more tells."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import pytest
from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.game import Game
from opfire.core.orders import Answer, Ask
from opfire.core.orders import Asked as Question
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import RULESET
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.fire.direct_fire import Announce, Keep, Resolve
from opfire.rulesets.panzer.fire.overwatch import Overwatch, OverwatchFire
from opfire.rulesets.panzer.hiding import Unmask
from opfire.rulesets.panzer.moving.going import Move
from opfire.rulesets.panzer.orders import Orders
from opfire.rulesets.panzer.pieces import CommandName, Mask, Position
from opfire.rulesets.panzer.thinking import firing
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


# --- two weapons at different targets [5.14, 4.4.2]: RULINGS.md R71


def before_two_that_fired(
    german: str = "g_sqd41",
    weapon: str = "pzb39",
    *options: str,
    soviet: tuple[str, str] = ("s_sqd41", "t34_43"),
    dice: tuple[int, ...] = (),
    **values: object,
) -> Game[Position]:
    """A unit on overwatch with two weapons in D5, and another one in C5; Soviet units in D3 and F4 have fired."""
    sides = {
        "german": army((german, "1-D5"), ("g_sqd44", "1-C5")),
        "soviet": army((soviet[0], "1-D3"), (soviet[1], "1-F4")),
    }
    made = commanded(game(text(options=("AG", *options), **sides), (90, 10, *dice)))
    for name in ("german-1", "german-2"):
        made.state.change(name, command="overwatch")
    if weapon:
        made.state.change("german-1", weapons=(weapon,))
    made.state.change("german-1", facing=0, **values)
    for name in ("soviet-1", "soviet-2"):
        made.state.change(name, command="fire", revealed=True, fired=True, fresh="fire")
    while not isinstance(made.stack[-1], Overwatch):
        made.play(made.asked()[0], EndStep())
    while made.asked() != ("german",):
        made.play(made.asked()[0], Pass())
    return made


AT_THE_SQUAD = Announce("german-1", "soviet-1", weapon="g_sqd41 ball")
AT_THE_TANK = Announce("german-1", "soviet-2", weapon="pzb39 AP")
OTHER_AT_THE_SQUAD = Announce("german-2", "soviet-1", weapon="g_sqd44 ball")


def dual(made: Game[Position]) -> list[list[int | None]]:
    """The modifiers for Dual Fire of the shots that were resolved, shot by shot."""
    shots = [event.calculation for event in made.events if event.kind == "fired" and event.calculation]
    return [[line.amount for line in each.lines if (line.rule or "").endswith("-dual")] for each in shots]


@rule("5.14", "4.4.2", "6.5.2.4-dual")
def test_from_overwatch_the_second_weapon_may_fire_at_a_different_target() -> None:
    """ "If the Dual Fire weapon is firing at a different target, the modifier is -3"; the other one is normal."""
    made = before_two_that_fired(dice=(100, 100))
    made.play("german", AT_THE_SQUAD)
    assert AT_THE_TANK in [*made.choices("german")]
    made.play("german", AT_THE_TANK)
    assert not made.state.units["german-1"].fired
    made.play("german", Resolve())
    assert dual(made) == [[], [-3]]
    assert made.state.units["german-1"].arms == ("g_sqd41 ball", "pzb39 AP")


@rule("5.14", "6.5.3", "6.5.4.3-dual")
@pytest.mark.parametrize(("second", "modifier"), [("soviet-1", -5), ("soviet-2", -10)])
def test_gp_fire_of_the_second_weapon_from_overwatch(second: str, modifier: int) -> None:
    """ "The Dual Fire modifier is -5" at the same target, "-10" at different ones."""
    made = before_two_that_fired(weapon="g_hmg_w", soviet=("s_sqd41", "s_sqd41"), dice=(100, 100))
    made.play("german", AT_THE_SQUAD)
    made.play("german", Announce("german-1", second, weapon="g_hmg_w ball"))
    made.play("german", Resolve())
    assert dual(made) == [[], [modifier]]


@rule("5.14", "4.4.1-d", "4.4.2-a")
def test_others_join_at_both_targets_before_any_fire_is_resolved() -> None:
    made = before_two_that_fired(soviet=("s_sqd41", "s_sqd41"), weapon="g_hmg_w", dice=(100, 100, 100))
    second, join = (Announce(name, "soviet-2", weapon=f"{weapon} ball") for name, weapon in TWO)
    made.play("german", AT_THE_SQUAD)
    assert refused(made, "german", join) == "4.4.1-d"
    made.play("german", second)
    assert replace(join, weapon="") in [*made.choices("german")]
    made.play("german", join)
    assert not any(unit.fired for unit in made.state.of("german"))
    made.play("german", Resolve())
    assert len(dual(made)) == 3
    assert not isinstance(made.stack[-1], Overwatch)  # nobody has a target left


TWO = (("german-1", "g_hmg_w"), ("german-2", "g_sqd44"))


@rule("5.14", "4.4.1-d")
def test_no_fire_at_a_target_is_announced_after_it_was_the_second_one() -> None:
    made = before_two_that_fired(soviet=("s_sqd41", "s_sqd41"), weapon="g_hmg_w", dice=(100, 100))
    second, late = (Announce(name, "soviet-2", weapon=f"{weapon} ball") for name, weapon in TWO)
    for act in (AT_THE_SQUAD, second, Resolve()):
        made.play("german", act)
    assert not any(isinstance(frame, Overwatch) and late.target in frame.open for frame in made.stack)
    assert refused(made, "german", late) is not None


@rule("5.14", "4.4.1-d", "4.4.1-b")
@pytest.mark.parametrize(
    ("action", "why"),
    [
        (OTHER_AT_THE_SQUAD, None),
        (Announce("german-2", "soviet-2", weapon="g_sqd44 ball"), "4.4.1-d"),
        (Announce("german-1", "soviet-2", weapon="g_sqd41 ball"), "4.4.1-b"),
        (AT_THE_TANK, None),
    ],
)
def test_only_the_other_weapon_of_a_firer_opens_another_target(action: Announce, why: str | None) -> None:
    made = before_two_that_fired()
    made.play("german", AT_THE_SQUAD)
    assert refused(made, "german", action) == why


@rule("5.14", "4.4.2")
def test_a_unit_that_did_nothing_is_no_second_target() -> None:
    made = before_two_that_fired()
    made.swap(replace(made.stack[-1], targets=("soviet-1",)))
    made.play("german", AT_THE_SQUAD)
    assert refused(made, "german", AT_THE_TANK) == "4.4.1-d"


@rule("5.14-a", "6.2.1.1.4-ow")
def test_units_that_share_their_command_fire_both_weapons_at_the_same_target() -> None:
    """ "The units must all announce their fire at the same time and fire on the same target"."""
    made = before_two_that_fired(soviet=("s_sqd41", "s_sqd41"), weapon="g_hmg_w")
    for name in ("german-1", "german-2"):
        made.state.change(name, shares="1")
    made.play("german", AT_THE_SQUAD)
    same, other = (Announce("german-1", name, weapon="g_hmg_w ball") for name in ("soviet-1", "soviet-2"))
    assert refused(made, "german", other) == "6.2.1.1.4-ow"
    assert other not in [*made.choices("german")]
    assert same in [*made.choices("german")]


@rule("5.14", "5.1.1-a")
def test_a_suppressed_squad_does_not_fire_at_two_targets_from_overwatch() -> None:
    made = before_two_that_fired(suppression="on")
    made.play("german", AT_THE_SQUAD)
    assert refused(made, "german", AT_THE_TANK) == "5.14"


@rule("5.14", "4.4.1-d")
def test_a_first_target_that_is_gone_spares_nothing_of_the_second_shot() -> None:
    """ "They may not then shift their fire to a new target": the first shot is spent, and the rifle fires."""
    made = before_two_that_fired(dice=(100, 100))
    made.play("german", AT_THE_SQUAD)
    made.play("german", AT_THE_TANK)
    made.state.change("soviet-1", hex=None, status="eliminated")
    made.play("german", Resolve())
    assert dual(made) == [[-3]]
    assert len([event for event in made.events if event.kind == "spent"]) == 1


@rule("5.14", "4.4.2")
def test_the_question_for_the_second_weapon_does_not_tell_of_shared_commands() -> None:
    twins = []
    for shares in ("", "1"):
        made = before_two_that_fired(dice=(100, 100))
        made.state.change("german-2", fired=True)
        made.state.change("german-1", weapons=("pzb39",), shares=shares)
        made.state.change("german-2", shares=shares)
        made.play("german", AT_THE_SQUAD)
        twins.append(made)
    views = [RULESET.view(made.sight("soviet"), "soviet", made.stack[-1].seen_by("soviet")) for made in twins]
    assert views[0] == views[1]
    assert [made.asked() for made in twins] == [("german",), ("german",)]


@rule("5.14", "7.8.4")
def test_a_turret_does_not_swing_back_for_the_second_weapon() -> None:
    """A damaged T-35 turns its turret by one hexside: to the right for the first target, and not back by two."""
    made = before_two_that_fired("t35", "", "7.8", soviet=("t34_43", "t34_43"), damaged=True)
    for name, hex in (("soviet-1", "1-F4"), ("soviet-2", "1-B4")):
        made.state.change(name, hex=hex)
    first, second = (
        Announce("german-1", "soviet-1", weapon="s76kt AP"),
        Announce("german-1", "soviet-2", weapon="s45 AP"),
    )
    assert refused(made, "german", second) is None
    made.play("german", first)
    assert refused(made, "german", second) == "7.8"
    assert [act for act in made.choices("german") if isinstance(act, Announce) and act.target == "soviet-2"] == []


GUN = Announce("german-1", "soviet-2", weapon="g_hmg_w ball")


def before_two_squads() -> Game[Position]:
    """The squad has a machine gun, and two enemy squads are beside it; the other German unit has fired."""
    made = before_two_that_fired(weapon="g_hmg_w", soviet=("s_sqd41", "s_sqd41"))
    for name, values in (("german-2", {"fired": True}), ("soviet-1", {"hex": "1-D4"}), ("soviet-2", {"hex": "1-E5"})):
        made.state.change(name, **values)
    return made


def suggested(made: Game[Position]) -> dict[Action, float]:
    """The shots that the computer suggests, with their worth."""
    found = RULESET.suggest(made.sight("german"), "german", made.stack[-1], made.choices("german"))
    return {each.action: each.worth for each in found}


@rule("5.14", "6.5.4.3-dual")
def test_computers_reckon_with_dual_fire(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine gun at the second squad: -10 if the rifles fire at the first one, and nothing if it fires alone."""
    monkeypatch.setattr(firing, "GOOD_SHOT", 0.0)  # it shows what it thinks of poor shots, too
    made = before_two_squads()
    alone = suggested(made)[replace(GUN, weapon="")]  # its best weapon there
    made.play("german", AT_THE_SQUAD)
    shown = RULESET.preview(made.sight("german"), made.stack[-1], GUN)
    assert shown is not None
    assert [line.amount for line in shown.lines if line.rule == "6.5.4.3-dual"] == [-10]
    assert 0 < suggested(made)[GUN] < alone


@rule("5.14", "6.5.4.3-dual")
def test_standing_orders_reckon_with_dual_fire() -> None:
    made = before_two_squads()
    alone = answered(made, Orders(least_chance=0, units={"german-2": "never"}))
    made.play("german", AT_THE_SQUAD)
    after = answered(made, Orders(least_chance=0))
    assert isinstance(alone, Ask)
    assert isinstance(after, Ask)
    assert after.chance < alone.chance
    best = answered(made, Orders(fire="always", least_chance=0))
    assert best in (GUN, replace(GUN, target="soviet-1"))
    assert answered(made, Orders(fire="always", least_chance=0, within=1)) == best
    assert answered(made, Orders(fire="always", least_chance=100)) == Resolve()


@rule("4.4.2")
def test_questions_for_more_fire_count_among_those_of_a_turn() -> None:
    """After the tenth question of a turn the announced fire is resolved without another one."""
    made = before_two_squads()
    window = Question(made.stack[-1], Fraction(1, 2), passed=False)
    made.play("german", AT_THE_SQUAD)
    more = Question(made.stack[-1], Fraction(1, 2), passed=False)

    def answer(*asked: Question) -> Answer:
        sight, choices = made.sight("german"), made.choices("german")
        return RULESET.answer(sight, "german", made.stack[-1], Orders(least_chance=0), choices, asked)

    assert isinstance(answer(*[window] * 5, *[more] * 4), Ask)
    assert answer(*[window] * 5, *[more] * 5) == Resolve()
