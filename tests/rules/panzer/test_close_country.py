"""Close country: narrow roads [7.30], hedgerows of the bocage [7.45], engineers against terrain [7.19]."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core.actions import Refusal
from opfire.core.events import Calculation
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer import RULESET
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire.close_combat import CloseCombatStep
from opfire.rulesets.panzer.fire.demolishing import Demolish, cannot_demolish, reckoned, site_of
from opfire.rulesets.panzer.fire.losses import knock_out, leave_behind
from opfire.rulesets.panzer.fire.overrun import Overrun
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.moving import narrow
from opfire.rulesets.panzer.moving.acts import cannot_drive_over
from opfire.rulesets.panzer.moving.going import Going, Move, Stay, Turn, after
from opfire.rulesets.panzer.moving.movement import set_off
from opfire.rulesets.panzer.moving.narrow import Push
from opfire.rulesets.panzer.pieces import Position, Work, cover
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.sighting.spots import sight_line
from opfire.rulesets.panzer.works.hedges import DigHedge, cannot_dig_in
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army, marching, tried


def fielded(german: str, soviet: str = FAR, *options: str, board: str = OPEN) -> Position:
    """The position at the start of a game in which A4 and A5 are a narrow road; everybody has spotted everybody."""
    state = game(text(board=board, german=german, soviet=soviet, options=("AG", *options))).state
    state.spots = {name: tuple(state.units) for name in state.units}
    sections = state.setting.sections
    conditions = replace(sections.conditions, narrow=("1-A4", "1-A5"), defences={"block": 3, "wire": 2})
    state.setting.sections = replace(sections, conditions=conditions)
    for unit in state.of("german"):
        state.change(unit.id, facing=3, command="move")
    return state


def rule_of(found: object) -> str | None:
    return found.rule if isinstance(found, Refusal) else None


# --- narrow roads [7.30]


def into(state: Position, to: str = "1-A5", unit: str = "german-1") -> str | None:
    """The rule against a step of a German unit."""
    return rule_of(after(state, state.units[unit], Move(unit, to), Going()))


@rule("7.30-enter")
@pytest.mark.parametrize(
    ("enemy", "why"), [("t34_43", "7.30-enter"), ("s_sqd41", "7.30-enter"), ("t_75", "7.30-enter")]
)
def test_enemies_bar_a_narrow_road(enemy: str, why: str) -> None:
    state = fielded(army(("pz4h", "1-A4")), army((enemy, "1-A5"), ("t34_43", "1-L8")), "7.30")
    assert into(state) == why
    free = fielded(army(("pz4h", "1-A4")), army((enemy, "1-A5"), ("t34_43", "1-L8")))
    assert into(free) != why
    wide = fielded(army(("pz4h", "1-B4")), army((enemy, "1-B5"), ("t34_43", "1-L8")), "7.30")
    assert into(wide, "1-B5") != why


@rule("7.30-enter")
def test_squads_and_guns_are_passed_by_overrun_alone_and_squads_are_free() -> None:
    state = fielded(army(("pz4h", "1-A4"), ("g_sqd41", "1-A4")), army(("s_sqd41", "1-A5"), ("t34_43", "1-L8")), "7.30")
    tank, squad = state.units["german-1"], state.units["german-2"]
    assert cannot_drive_over(state, tank, Overrun("german-1", "soviet-1"), Going()) is None
    assert narrow.held(state, squad, "1-A5") is None
    state.change("soviet-2", hex="1-A5")
    assert rule_of(cannot_drive_over(state, tank, Overrun("german-1", "soviet-1"), Going())) == "7.30-enter"


@rule("7.30-stack")
def test_those_in_front_and_wrecks_are_not_passed() -> None:
    state = fielded(army(("pz4h", "1-A3"), ("pz4h", "1-A4"), ("g_sqd41", "1-A3")), FAR, "7.30")
    narrow.line_up(state, state.units["german-1"], "1-A4")
    follower = state.change("german-1", hex="1-A4")
    assert (follower.came, follower.behind) == ("1-A3", ("german-2",))
    assert into(state) == "7.30-stack"
    assert into(state, unit="german-2") is None  # the first one goes on
    state.change("german-1", facing=0)
    assert into(state, "1-A3") is None  # the way back is free
    state.change("german-1", facing=3)
    state.change("german-2", hex="1-A5")
    assert into(state) is None
    state.wrecks["1-A4"] = "KO"
    assert into(state) == "7.30-stack"
    assert narrow.jammed(state, state.change("german-3", hex="1-A4"), "1-A5") is None  # men on foot walk by


@rule("7.30-stack")
def test_a_narrow_hex_is_never_overstacked() -> None:
    german = 'units = [{ unit = "pz4h", at = ["1-A3"] }, { unit = "pz4h", count = 5, at = ["1-A4"] }]'
    state = fielded(german, FAR, "7.30")
    assert into(state, "1-A4") == "7.30-stack"
    state.change("german-6", hex="1-C1")
    assert into(state, "1-A4") is None


@rule("7.30-stack")
def test_a_move_lines_units_up() -> None:
    made = marching(army(("pz4h", "1-A3"), ("pz4h", "1-A4")), {1: "move"}, options=("7.30",), facing=3)
    sections = made.state.setting.sections
    made.state.setting.sections = replace(sections, conditions=replace(sections.conditions, narrow=("1-A4",)))
    assert tried(made, Move("german-1", "1-A4"), Move("german-1", "1-A5")) == "7.30-stack"


# --- pushing [7.30-push]: by their cards a PzKpfw IV H weighs 25 t, a Panther G 45.5 t, a Tiger 57 t


def pushing(
    *units: tuple[str, str], dice: tuple[int, ...] = (), options: tuple[str, ...] = ("7.30",)
) -> Game[Position]:
    """The Germans' Movement Step in which A4 is a narrow road; everybody has a command to move."""
    made = marching(army(*units), dict.fromkeys(range(1, len(units) + 1), "move"), dice=dice, options=options, facing=3)
    sections = made.state.setting.sections
    made.state.setting.sections = replace(sections, conditions=replace(sections.conditions, narrow=("1-A4",)))
    return made


def wrecked(made: Game[Position], unit: str = "german-2", *, burns: bool = False) -> None:
    """Knock a vehicle out where it stands."""
    knock_out(made, made.state.units[unit], brews_up=burns)


PUSH = Push("german-1", "german-2")
BLOCKED = ("pz4h", "1-A3"), ("pz4h", "1-A4")


@rule("7.30-push")
@pytest.mark.parametrize(
    ("pusher", "target", "bonus"),
    [("pz4h", "pz4h", 0), ("pz6", "pz4h", 30), ("pz4h", "pz6", None), ("pz6", "pz5g", 10)],
)
def test_each_full_five_tons_more_make_a_push_easier(pusher: str, target: str, bonus: int | None) -> None:
    made = pushing((pusher, "1-A4"), (target, "1-A4"))
    wrecked(made)
    if bonus is None:
        assert refused(made, "german", PUSH) == "7.30-push"
        return
    assert refused(made, "german", PUSH) is None
    assert PUSH in list(made.choices("german"))
    preview = RULESET.preview(made.sight("german"), made.stack[-1], PUSH)
    assert isinstance(preview, Calculation)
    assert preview.chances()["is on the shoulder of the road"] * 100 == 50 + bonus


@rule("7.30-push")
@pytest.mark.parametrize(("roll", "clear"), [(51, True), (50, False)])
def test_a_push_takes_the_whole_move_and_clears_the_road_from_51_on(roll: int, clear: bool) -> None:
    made = pushing(*BLOCKED, dice=(roll,))
    wrecked(made)
    assert tried(made, Move("german-1", "1-A4")) is None
    assert tried(made, Move("german-1", "1-A5")) == "7.30-stack"
    assert tried(made, PUSH) == "7.30-push"  # it has moved
    made.play("german", Stay("german-1"))
    made.state.change("german-1", moved=False)
    assert tried(made, PUSH) is None
    assert tried(made, Move("german-1", "1-A5")) is not None  # the whole allowance is spent
    assert tried(made, Turn("german-1", 2)) is not None
    made.play("german", Stay("german-1"))
    assert made.state.wrecks == {"1-A4": "KO"}  # it is still in the hex
    made.state.change("german-1", moved=False)
    assert tried(made, Move("german-1", "1-A5")) == (None if clear else "7.30-stack")


@rule("7.30-push")
def test_every_wreck_of_a_hex_is_pushed_by_itself() -> None:
    made = pushing(("pz4h", "1-A3"), ("pz4h", "1-A4"), ("pz4h", "1-A4"), dice=(100, 100))
    wrecked(made)
    wrecked(made, "german-3", burns=True)
    assert tried(made, Move("german-1", "1-A4")) is None
    made.play("german", Stay("german-1"))
    for target, after_it in (("german-2", "7.30-stack"), ("german-3", None)):
        made.state.change("german-1", moved=False)
        assert tried(made, Push("german-1", target)) is None
        made.play("german", Stay("german-1"))
        made.state.change("german-1", moved=False)
        assert refused(made, "german", Push("german-1", target)) == "7.30-push"  # it is on the shoulder
        assert refused(made, "german", Move("german-1", "1-A5")) == after_it
    shown = RULESET.view(made.sight("german"), "german", made.stack[-1])
    assert {marker["text"] for marker in shown["markers"]} == {"Brew-up smoke, wreck on the shoulder"}


@rule("7.30-push")
@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"track_hit": True}, None),
        ({"bogged": True}, None),
        ({}, "7.30-push"),
        ({"track_hit": True, "aside": True}, "7.30-push"),
        ({"track_hit": True, "hex": "1-A5"}, "7.30-push"),
    ],
)
def test_vehicles_are_pushed_that_cannot_move(values: dict[str, object], why: str | None) -> None:
    made = pushing(("pz4h", "1-A4"), ("pz4h", "1-A4"))
    made.state.change("german-2", **values)
    assert refused(made, "german", PUSH) == why


@rule("7.30-push")
def test_abandoned_vehicles_bar_the_road_and_are_pushed_off() -> None:
    made = pushing(*BLOCKED, dice=(51,))
    leave_behind(made, made.state.units["german-2"])
    assert tried(made, Move("german-1", "1-A4")) is None
    assert tried(made, Move("german-1", "1-A5")) == "7.30-stack"
    made.play("german", Stay("german-1"))
    made.state.change("german-1", moved=False)
    assert tried(made, PUSH) is None
    made.play("german", Stay("german-1"))
    made.state.change("german-1", moved=False)
    assert tried(made, Move("german-1", "1-A5")) is None


@rule("7.30-push")
def test_guns_are_pushed_and_squads_are_not() -> None:
    made = pushing(("pz4h", "1-A4"), ("t_75", "1-A4"), ("g_sqd41", "1-A4"), dice=(51,))
    assert refused(made, "german", Push("german-1", "german-3")) == "7.30-push"
    assert tried(made, PUSH) is None
    assert made.state.units["german-2"].aside
    assert made.state.units["german-2"].hex == "1-A4"
    assert not made.state.put("german-2", "1-A5").aside


@rule("7.30-push")
@pytest.mark.parametrize(
    ("pusher", "command", "hex", "options", "why"),
    [
        ("h251_1", "move", "1-A4", ("7.30",), "7.30-push"),
        ("pz4h", "short halt", "1-A4", ("7.30",), "7.30-push"),
        ("pz4h", "move", "1-B4", ("7.30",), "7.30-push"),
        ("pz4h", "move", "1-A4", (), "7.30-push"),
        ("pz4h", "move", "1-A4", ("7.30",), None),
    ],
)
def test_tracked_vehicles_push_on_narrow_roads_with_a_command_to_move(
    pusher: str, command: str, hex: str, options: tuple[str, ...], why: str | None
) -> None:
    made = pushing((pusher, hex), ("t_75", hex), options=options)
    made.state.change("german-1", command=command)
    assert refused(made, "german", PUSH) == why


ROAD = OPEN + 'roads = ["A3 A4 A5 A6"]\n'


@rule("7.30-push")
@pytest.mark.parametrize("wreck", [True, False])
def test_what_is_on_the_shoulder_leaves_the_road_rate(wreck: bool) -> None:
    state = fielded(army(("pz4h", "1-A3"), ("t_75", "1-A4"), ("pz4h", "1-A4")), FAR, "7.30", board=ROAD)
    state.change("german-3", hex=None, status="eliminated")
    if wreck:
        state.change("german-2", hex="1-L1")
        state.wrecks["1-A4"], state.hulks["german-3"] = "KO", "1-A4"
    tank = state.units["german-1"]
    step = Move("german-1", "1-A4", along_road=True)
    assert rule_of(after(state, tank, step, Going())) == "4.5.1.1.5-b"
    state.change("german-3" if wreck else "german-2", aside=True)
    assert rule_of(after(state, tank, step, Going())) is None


# --- bocage [7.45]


def hedged() -> str:
    """An open board with a hedgerow between B4 and B5."""
    return OPEN + '[sides]\nhedgerow = ["B4/B5"]\n'


@rule("7.45")
def test_a_squad_digs_in_at_a_hedgerow_and_sees_through_it() -> None:
    state = fielded(army(("g_sqd41", "1-B4")), army(("t34_43", "1-B8")), "7.45", board=hedged())
    squad, tank = state.units["german-1"], state.units["soviet-1"]
    assert rule_of(sight_line(state, squad, tank)) is not None
    dug = state.change("german-1", hedge="1-B5")
    assert sight_line(state, dug, tank) is None
    assert sight_line(state, tank, dug) is None
    assert cover(state, dug, "spotting") == "heavy"
    assert cover(state, dug, "combat") == "medium"
    assert cover(state, squad, "combat") == "none"


@rule("7.45")
@pytest.mark.parametrize(
    ("unit", "command", "hex", "options", "why"),
    [
        ("g_sqd41", "move", "1-B5", ("7.45",), None),
        ("g_sqd41", "short halt", "1-B5", ("7.45",), "7.45"),
        ("g_sqd41", "move", "1-B3", ("7.45",), "7.45"),
        ("g_sqd41", "move", "1-B7", ("7.45",), "7.45"),
        ("pz4h", "move", "1-B5", ("7.45",), "7.45"),
        ("g_sqd41", "move", "1-B5", (), "7.45"),
    ],
)
def test_who_digs_in_and_where(unit: str, command: str, hex: str, options: tuple[str, ...], why: str | None) -> None:
    state = fielded(army((unit, "1-B4")), FAR, *options, board=hedged())
    assert rule_of(cannot_dig_in(state, state.change("german-1", command=command), hex)) == why


@rule("7.45")
def test_digging_in_takes_the_move_and_the_next_command_to_move_ends_it() -> None:
    made = marching(army(("g_sqd41", "1-B4")), {1: "move"}, board=hedged(), options=("7.45",))
    dig = DigHedge("german-1", "1-B5")
    assert dig in list(made.choices("german"))
    assert tried(made, dig) is None
    assert made.state.units["german-1"].hedge == "1-B5"
    assert tried(made, Move("german-1", "1-B3")) is not None
    made.state.change("german-1", moved=False)
    set_off(made, "german-1")
    assert made.state.units["german-1"].hedge == ""
    assert made.state.units["german-1"].hex == "1-B4"


@rule("7.45")
def test_a_unit_that_leaves_its_hex_leaves_its_hedgerow() -> None:
    state = fielded(army(("g_sqd41", "1-B4")), FAR, "7.45", board=hedged())
    state.change("german-1", hedge="1-B5")
    assert state.put("german-1", "1-C4").hedge == ""


# --- engineers against terrain [7.19]

ENGINEERS = next(
    card.id for card in CHARTS.legs.values() if "Engineer" in card.labels_printed and card.nation == "Germany"
)


def assaulting(*dice: int, work: str = "block", unit: str = ENGINEERS) -> Game[Position]:
    """German engineers next to a work, in their Close Combat Step; the dice fall for them."""
    made = game(text(german=army((unit, "1-B4")), soviet=FAR, options=("AG", "7.19")), (90, 10, *dice))
    sections = made.state.setting.sections
    conditions = replace(sections.conditions, defences={"block": 3, "wire": 2})
    made.state.setting.sections = replace(sections, conditions=conditions)
    made.state.works["1-B5"] = (Work(work),)  # type: ignore[arg-type]
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.state.change("german-1", command="move")
    made.play(made.asked()[0], RollInitiative())
    while not isinstance(made.stack[-1], CloseCombatStep) and made.stack[-1].step != "movement":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    return made


ACT = Demolish("german-1", "1-B5", "block")


@rule("7.19")
@pytest.mark.parametrize(("dice", "gone"), [((100, 100), True), ((100, 1), False), ((1,), False)])
def test_two_effective_results_destroy_terrain(dice: tuple[int, ...], gone: bool) -> None:
    made = assaulting(*dice)
    assert ACT in list(made.choices("german"))
    made.play("german", ACT)
    assert (made.state.works.get("1-B5", ()) == ()) is gone
    assert len(told(made, "terrain")) == len(dice)
    assert made.state.units["german-1"].moved
    assert refused(made, "german", ACT) == "6.6.1.1-cmd"


@rule("7.19")
def test_engineers_attack_as_in_close_assault() -> None:
    made = assaulting()
    site = site_of(made.state, "1-B5", "block")
    assert site is not None
    unit = made.state.units["german-1"]
    found = reckoned(made.state, unit, site)
    assert [line.amount for line in found.lines if line.kind == "attack"] == [8]
    assert [line.amount for line in found.lines if line.kind == "defence"] == [3]
    flames = reckoned(made.state, replace(unit, weapons=("ft_man",)), site)
    plain = reckoned(made.state, replace(unit, weapons=()), site)
    assert flames.modifier == plain.modifier + 20


@rule("7.19")
def test_only_engineers_attack_terrain_and_no_buildings() -> None:
    assert assaulting(unit="g_sqd41").stack[-1].step == "movement"  # nobody is asked
    made = assaulting()
    unit = made.state.units["german-1"]
    assert rule_of(cannot_demolish(made.state, unit, "1-B6", "block")) == "7.19"
    assert rule_of(cannot_demolish(made.state, unit, "1-B5", "wire")) == "7.19"
    houses = OPEN.replace("\n. . .", "\nB . .")
    state = fielded(army((ENGINEERS, "1-A4")), FAR, "7.19", board=houses)
    assert rule_of(cannot_demolish(state, state.units["german-1"], "1-A5", "building")) == "7.19"
    made.state.change("german-1", command="fire")
    assert refused(made, "german", ACT) == "6.6.1.1-cmd"
