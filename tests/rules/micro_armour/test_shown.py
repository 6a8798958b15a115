"""The view: labels of actions, the shapes of stands, markers with the ground that they cover."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from opfire.core.actions import Action
from opfire.core.events import Calculation, Cases
from opfire.core.game import Game
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.artillery.direct import FireDirect
from opfire.rulesets.micro_armour.artillery.observers import Host, ObserverHosts
from opfire.rulesets.micro_armour.artillery.phase import ArtilleryPhase
from opfire.rulesets.micro_armour.artillery.plotting import EndPlot, JointPlot, PlotFire
from opfire.rulesets.micro_armour.artillery.writing import Aim, ArriveLater, ChooseSheaf, ChooseSmoke, FireLonger
from opfire.rulesets.micro_armour.cohesion import level
from opfire.rulesets.micro_armour.fire.guns import Manner
from opfire.rulesets.micro_armour.fire.standard import AddFirer, Engage, StandardFirePhase
from opfire.rulesets.micro_armour.moving.movement import GroupMovement, Order, movement_roll
from opfire.rulesets.micro_armour.moving.opportunity import OpportunityFire
from opfire.rulesets.micro_armour.pieces import Position, Progress, Work, WorkKind
from opfire.rulesets.micro_armour.postures import Grouping, PostureDetermination
from opfire.rulesets.micro_armour.sections import Equipment
from opfire.rulesets.micro_armour.shown.meaning import meant
from opfire.rulesets.micro_armour.shown.previews import building, preview
from opfire.rulesets.micro_armour.shown.words import MANNERS, label, touches
from rules.micro_armour.kit import GRENADIERS, PANZER, RIFLES, STAFF, T34, game, position, refused, rule, scripts


def duel() -> Position:
    return position([(PANZER, "10,15")], [(T34, "20,15"), (RIFLES, "14,15")])


@rule("7.1.7")
@pytest.mark.parametrize(("target", "words"), [("soviet-1", "AP 11 at 10 inches"), ("soviet-2", "HE 3 at 4 inches")])
def test_7_1_7_the_label_of_a_shot_tells_ammunition_firepower_and_range(target: str, words: str) -> None:
    made = duel()
    firer = made.units["german-1"].kind
    power = {"soviet-1": firer.ap, "soviet-2": firer.he}[target]
    words = f"{words.split()[0]} {power} {words.split(maxsplit=2)[2]}"
    assert label(made, Engage("german-1", target, "main")).endswith(f"({words})")


@rule("7.1.6-roll", "7.1.10-roll")
def test_7_1_6_the_preview_of_a_shot_counts_the_roll_to_fire() -> None:
    """Cohesion 15 and no modifier: 15 of 20 numbers fire, and one that does not fire has no effect."""
    made = duel()
    engage = Engage("german-1", "soviet-1", "main")
    shot = RULESET.preview(made, StandardFirePhase("german", begun=True), engage)
    assert isinstance(shot, Calculation)
    assert level(made, made.units["german-1"]) == 15
    assert shot.chances()["does not fire"] == Fraction(1, 4)
    assert sum(shot.chances().values()) == 1
    both = dict(RULESET.previews(made, StandardFirePhase("german", begun=True), engage)[1:])
    [combat] = both.values()
    assert shot.chances()["-"] == combat.chances()["-"] * Fraction(3, 4)


@rule("3.2-markers")
def test_3_2_a_headquarters_that_has_fired_says_each_once() -> None:
    """The mark of a headquarters is a badge beside its symbol, and its having fired is a state of the stand."""
    made = position([(STAFF, "10,15")], [(T34, "20,15")])
    made.change("german-1", rank="HQ", fired=True)
    shown = next(unit for unit in RULESET.view(made, "german", None)["units"] if unit["id"] == "german-1")
    assert shown["fired"]
    assert [badge["code"] for badge in shown["badges"]] == ["HQ"]
    assert "rank" not in shown


@rule("11.5.2")
def test_11_5_2_the_means_of_a_stand_are_told_on_it() -> None:
    """Nothing in the name of an infantry stand says that it is engineers."""
    made = position([(RIFLES, "10,15")], [(T34, "20,15")])
    for means in get_args(Equipment):
        made.change("german-1", equipment=(means,))
        for side in ("german", "soviet"):
            shown = next(unit for unit in RULESET.view(made, side, None)["units"] if unit["id"] == "german-1")
            assert len(shown["badges"]) == 1
    made.change("german-1", equipment=("engineers",))
    shown = next(unit for unit in RULESET.view(made, "german", None)["units"] if unit["id"] == "german-1")
    assert shown["badges"] == [{"code": "E", "text": "Engineers"}]


@pytest.mark.parametrize("manner", MANNERS)
def test_every_manner_of_fire_is_told_in_words(manner: Manner) -> None:
    assert f"({manner})" not in label(duel(), AddFirer("german-1", manner)).replace("(side arms)", "")
    assert "{" not in label(duel(), AddFirer("german-1", manner))


def test_where_measuring_is_off_lines_of_sight_have_no_length() -> None:
    free, guessed = (position([(PANZER, "10,15")], terrain=terrain) for terrain in ("", "measuring = false"))
    lines = [RULESET.queries["los"](sight, "german", start="10,15", to="20,15") for sight in (free, guessed)]
    assert lines[0] == {**lines[1], "inches": 10.0}


@rule("1.0-scale")
def test_1_0_an_inch_of_the_table_stands_for_100_metres() -> None:
    assert duel().table.to_json()["metres"] == 100


@rule("7.6.3-coords")
def test_7_6_3_each_player_learns_the_edge_from_which_he_writes_coordinates() -> None:
    """German stands face east and Soviet ones west at the start: each player sits behind them."""
    made = position([(PANZER, "10,15")], [(T34, "20,15")])
    edges = [RULESET.view(made, side, None).get("edge") for side in ("german", "soviet", "")]
    assert edges == ["west", "east", None]


def view(made: Position) -> dict[str, Any]:
    return dict(RULESET.view(made, "german", None))


@rule("8.1-mark")
def test_8_1_each_posture_but_firing_has_an_outline_and_a_word() -> None:
    looks = RULESET.counters.to_json()
    assert looks["base"] == "square"
    assert set(looks["stances"]) == {"movement", "fire/move"}
    assert len({stance["outline"] for stance in looks["stances"].values()}) == 2
    assert all(stance["word"] for stance in looks["stances"].values())
    made = duel()
    made.change("german-1", posture="fire/move")
    assert next(unit["posture"] for unit in view(made)["units"] if unit["id"] == "german-1") == "fire/move"


@rule("7.4.2.2")
def test_7_4_2_2_an_impact_marker_is_drawn_over_the_square_inch_that_it_covers() -> None:
    made = game([(PANZER, "10,15")], [(T34, "20,15")]).state
    made.lay(Work("impact-1", "impact", (15000, 15000)))
    made.lay(Work("wire-1", "wire", (25000, 15000), facing=45))
    impact, wire = view(made)["markers"]
    assert sorted(impact["ring"]) == [(14500, 14500), (14500, 15500), (15500, 14500), (15500, 15500)]
    assert wire["facing"] == 45
    assert "ring" not in wire


def test_every_kind_of_marker_has_a_picture_and_few_share_one() -> None:
    looks = RULESET.counters.to_json()["markers"]
    kinds = {*get_args(WorkKind), "mission"}
    assert set(looks) == kinds
    shapes = [looks[kind]["shape"] for kind in sorted(kinds)]
    assert "plate" not in shapes
    # Light and medium positions are both trenches.
    assert len(set(shapes)) == len(shapes) - 1


@rule("7.1.1-alternate")
def test_7_1_1_the_view_names_the_side_that_is_on_turn() -> None:
    made = duel()
    made.initiative = "german"
    frame = StandardFirePhase("soviet", begun=True)
    shown = RULESET.view(made, "german", frame)
    assert shown["current"] == "soviet"
    assert [side["id"] for side in shown["sides"] if side["first"]] == ["german"]


@rule("8.5.2")
def test_8_5_2_a_move_stays_its_sides_turn_while_the_enemy_may_fire() -> None:
    made = duel()
    made.initiative = "german"
    made.progress = Progress("soviet-1")
    shown = RULESET.view(made, "german", OpportunityFire("german", ("german",), "soviet-1"))
    assert shown["current"] == "soviet"


# --- sheafs and the plot sheet --------------------------------------------------------------------------------

HOWITZERS = "ger-105mm-ifh18-2"


def gunnery(top: str = "") -> Game[Position]:
    """A joint plot phase in which a headquarters at (5, 10) observes for howitzers at (3, 20)."""
    made = game([(STAFF, "5,10"), (HOWITZERS, "3,20")], [(RIFLES, "20,10"), (T34, "20,15")], turns="12", top=top)
    made.stack = ()
    made.state.turn, made.state.initiative = 1, "german"
    made.push(JointPlot(""))
    made.run()
    return made


def priced(made: Game[Position], action: Action) -> dict[str, Any]:
    return dict(RULESET.queries["cost"](made.sight("german"), "german", action=action, frame=made.stack[-1]))


@rule("7.6.3-sheaf", "7.6.3-coords")
def test_7_6_3_a_sheaf_is_shown_and_written_as_in_the_book_before_it_is_plotted() -> None:
    made = gunnery()
    made.play("german", PlotFire("german-2", "german-1"))
    made.play("german", ChooseSheaf("open", "E"))
    shown = priced(made, Aim((20200, 9900)))
    # The Germans face east: their left edge is the north, 20 inches up and 10 to the right; east is away from them.
    assert shown["written"] == "1020 Open E2"
    assert [ring[0] for ring in shown["rings"]] == [(19500, 9500), (20500, 9500)]
    assert shown["hits"] == [{"unit": "soviet-1", "own": False}]


@rule("7.4.7.1-1")
def test_7_4_7_1_a_sheaf_of_smoke_strikes_those_below_it_too() -> None:
    made = gunnery()
    made.play("german", PlotFire("german-2", "german-1"))
    made.play("german", ChooseSmoke())
    assert priced(made, Aim((20000, 10000)))["hits"] == [{"unit": "soviet-1", "own": False}]


@rule("7.4.3.2")
def test_7_4_3_2_a_sheaf_shows_own_stands_below_it() -> None:
    made = gunnery()
    made.play("german", PlotFire("german-2", "german-1"))
    assert priced(made, Aim((5000, 10000)))["hits"] == [{"unit": "german-1", "own": True}]


def test_only_actions_that_lay_markers_have_a_template() -> None:
    made = gunnery()
    sizes = (RULESET.queries["template"](made.state, "german", action=one) for one in (Aim((1, 1)), EndPlot()))
    assert list(sizes) == [(1000, 1000), None]


@rule("7.6.3-fields")
def test_7_6_3_the_plot_sheet_has_missions_in_the_books_notation_for_their_own_side_alone() -> None:
    made = gunnery()
    made.play("german", PlotFire("german-2", "german-1"))
    made.play("german", ChooseSheaf("open", "S"))
    made.play("german", Aim((20000, 10000)))
    (line,) = made.view("german")["plots"]
    assert (line["written"], line["when"], line["what"]) == ("1020 Open S2", "turn 3", "HE")
    assert line["by"] == "Infantry HQ 1, turn 1"
    pictures = [mark for mark in made.view("german")["markers"] if mark["kind"] == "mission"]
    assert [(mark["plot"], mark["place"]) for mark in pictures] == [
        (line["id"], (20000, 10000)),
        (line["id"], (20000, 11000)),
    ]
    assert made.view("soviet")["plots"] == []


@rule("7.6.5.2-keep", "7.6.5.2-correct", "7.6.5.4")
def test_7_6_5_2_fire_that_falls_stays_on_the_sheet_until_its_last_turn_is_over() -> None:
    made = gunnery()
    made.play("german", PlotFire("german-2", "german-1"))
    made.play("german", FireLonger())
    made.play("german", Aim((20000, 10000)))
    (plotted,) = made.state.missions.values()
    made.state.missions[plotted.id] = replace(plotted, drift=(0, 2000))
    for turn, told in ((3, ["HE, off target"]), (4, ["HE, off target"]), (5, [])):
        made.state.turn = turn
        shown = made.view("german")
        assert [line["what"] for line in shown["plots"]] == told
        assert [mark for mark in shown["markers"] if mark["kind"] == "mission"] == []
    made.state.turn = 4
    for corrects, drift, words in (
        (True, (0, 2000), "HE, on target from the next turn"),
        (False, (0, 0), "HE, on target"),
    ):
        made.state.missions[plotted.id] = replace(plotted, corrects=corrects, drift=drift)
        assert [line["what"] for line in made.view("german")["plots"]] == [words]


@rule("7.6.3-fields", "7.4.2.3-closed")
def test_7_6_3_the_question_reads_the_line_as_far_as_it_is_written() -> None:
    made = gunnery()
    made.play("german", PlotFire("german-2", "german-1"))
    frame = made.stack[-1]
    assert frame.prompt(made.state, "german").startswith("105mm IFH18 [2] 1: Open N2, HE, turn 3. ")
    for action in (ChooseSheaf("closed", "N"), ChooseSmoke(), ArriveLater(), FireLonger()):
        made.play("german", action)
    frame = made.stack[-1]
    assert frame.prompt(made.state, "german").startswith("105mm IFH18 [2] 1: Closed 2, smoke, turns 4 to 5. ")
    assert label(made.state, ChooseSheaf("closed", "N")) == "Closed sheaf"


def naming() -> Game[Position]:
    """The Germans name the hosts of two observers."""
    made = game([(STAFF, "5,10"), (RIFLES, "5,14")], [(T34, "20,15")], german_more="observers = 2")
    made.stack = ()
    made.push(ObserverHosts("german"))
    made.run()
    return made


@rule("7.6.4.1")
def test_7_6_4_1_hosts_of_observers_are_told_to_their_side_alone_until_all_are_named() -> None:
    made = naming()
    assert "(2 left)" in made.stack[-1].prompt(made.state, "german")
    made.play("german", Host("german-2"))
    assert "(1 left)" in made.stack[-1].prompt(made.state, "german")
    made.state.observers["german-1"] = 3
    assert made.stack[-1].prompt(made.state, "german").startswith("All your forward observers have hosts")
    own, foreign = (
        {unit["id"]: [badge["text"] for badge in unit["badges"]] for unit in made.view(seat)["units"]}
        for seat in ("german", "soviet")
    )
    assert own["german-2"] == ["Forward observer"]
    assert "Forward observer, from turn 3" in own["german-1"]
    assert foreign["german-2"] == []


@rule("8.1.1")
def test_8_1_1_a_group_that_is_being_formed_shows_the_posture_of_its_stands() -> None:
    made = game([(RIFLES, "5,10"), (RIFLES, "6,10"), (RIFLES, "7,10")], [(T34, "20,15")])
    frame = Grouping("german", "movement", ("german-1", "german-2"))
    units = RULESET.view(made.state, "german", frame)["units"]
    postures = {unit["id"]: unit["posture"] for unit in units}
    assert (postures["german-1"], postures["german-2"], postures["german-3"]) == ("movement", "movement", "firing")


# --- direct fire ----------------------------------------------------------------------------------------------


def shelling() -> Game[Position]:
    """Howitzers that see rifles twelve inches away; a tank stands beyond their firing arc."""
    made = game([(STAFF, "2,2"), (HOWITZERS, "5,10")], [(RIFLES, "17,10"), (T34, "5,28")], turns="12")
    made.stack = ()
    made.state.turn, made.state.initiative = 1, "german"
    made.push(ArtilleryPhase("german", begun=True))
    made.run()
    return made


@rule("7.4.2.3-closed", "7.4.7.1-who", "7.5")
def test_7_5_each_way_to_fire_at_a_stand_has_words_of_its_own_and_is_meant_by_a_click_on_it() -> None:
    made = shelling()
    at = (17000, 10000)
    shots = [
        FireDirect("german-2", at, "closed", "N"),
        FireDirect("german-2", at, "closed", "N", smoke=True),
        FireDirect("german-2", at, "open", "E"),
        FireDirect("german-2", at, "open", "E", smoke=True),
    ]
    assert [label(made.state, shot) for shot in shots] == [
        "105mm IFH18 [2] 1 fires at Infantry '43-'45 1 (17,10), closed sheaf",
        "105mm IFH18 [2] 1 fires smoke at Infantry '43-'45 1 (17,10), closed sheaf",
        "105mm IFH18 [2] 1 fires at Infantry '43-'45 1 (17,10), open sheaf to the E",
        "105mm IFH18 [2] 1 fires smoke at Infantry '43-'45 1 (17,10), open sheaf to the E",
    ]
    assert RULESET.touches(made.state, shots[0]) == (("german-2", "soviet-1"), (at,))


@rule("7.5.1", "7.3.6-arc")
def test_7_5_1_a_battery_that_cannot_fire_at_a_stand_says_why_not_in_its_own_terms() -> None:
    made = shelling()
    for clicked in ("soviet-2", (5000, 28000)):
        meant = RULESET.meant(made.state, "german", made.stack[-1], ["german-2", clicked])
        assert [(type(action), refused(made, "german", action)) for action in meant] == [(FireDirect, "7.3.6-arc")]
    # A click on the battery alone asks about the nearest enemies, never about its own place.
    alone = RULESET.meant(made.state, "german", made.stack[-1], ["german-2", (5000, 10000)])
    assert {action.to for action in alone if isinstance(action, FireDirect)} == {(17000, 10000), (5000, 28000)}


@rule("7.6.3-fields", "7.6.1.3-diff")
def test_7_6_1_3_a_mission_to_come_shows_its_chances_against_those_under_its_markers() -> None:
    made = gunnery()
    made.play("german", PlotFire("german-2", "german-1"))
    made.play("german", ChooseSheaf("open", "S"))
    made.play("german", Aim((20000, 10000)))
    (mission,) = made.view("german")["missions"]
    assert (mission["place"], mission["units"]) == ("20,10", ["german-2"])
    # The first marker covers the infantry, the second nobody: firepower 8 against defence 6.
    (target,) = mission["targets"]
    assert target["units"] == ["soviet-1"]
    assert target["calculation"]["column"] == "+2"
    assert made.view("soviet")["missions"] == []


# --- formations -----------------------------------------------------------------------------------------------

CARDS = {"top": 'options = ["12.1"]'}


def of_side(made: Game[Position], seat: str, side: str) -> dict[str, Any]:
    (found,) = [one for one in made.view(seat)["formations"] if one["side"] == side]
    return dict(found)


@rule("12.1.3")
def test_12_1_3_a_side_knows_the_cards_of_its_own_losses_and_counts_those_of_the_enemy() -> None:
    made = gunnery(**CARDS)
    made.state.lift("german-2", "eliminated")
    scripts(made, [5])
    RULESET.settle(made)
    own, foe = of_side(made, "german", "german"), of_side(made, "soviet", "german")
    assert own["lost"] == ["german-2"]
    assert (own["breaking"]["cards"], foe["breaking"]["cards"]) == (1, 1)
    assert own["breaking"]["have"] == 5
    assert foe["breaking"]["have"] is None
    assert own["breaking"]["broken"] is False
    made.state.broken[own["breaking"]["force"]] = 1
    assert of_side(made, "soviet", "german")["breaking"]["broken"] is True


@rule("12.1.2")
def test_12_1_2_both_sides_know_the_break_points() -> None:
    made = gunnery(**CARDS)
    # A headquarters counts for two stands, howitzers for one: 35 per cent of 3, by 7, rounded.
    assert of_side(made, "soviet", "german")["breaking"]["most"] == 7
    assert of_side(gunnery(), "german", "german")["breaking"] is None


@rule("5.1-level")
def test_5_1_formations_show_their_own_cohesion() -> None:
    levels = {one["side"]: one["cohesion"] for one in gunnery().view("german")["formations"]}
    assert levels == {"german": 15, "soviet": 13}


# --- whose turn it is -----------------------------------------------------------------------------------------


@rule("7.1.1-pass")
def test_7_1_1_phases_that_alternate_name_the_sides_that_have_passed() -> None:
    frames = (PostureDetermination, ArtilleryPhase, StandardFirePhase, GroupMovement)
    assert [frame("soviet", passed=("german",)).alternation() for frame in frames] == [("german",)] * 4
    assert JointPlot("").alternation() is None


@rule("8.2.1")
def test_8_2_1_orders_are_counted_down_while_groups_move_by_them() -> None:
    made = game([(STAFF, "10,15")], [(T34, "20,15")])
    made.state.change("german-1", rank="GHQ")
    made.state.orders.update(german=2, soviet=0)
    tracks = GroupMovement("german").tracks(made.state)
    assert [(track.side, track.left) for track in tracks] == [("german", 2), ("soviet", 0)]
    assert [*GroupMovement("german", independent=True).tracks(made.state)] == []


@rule("8.1.1")
def test_8_1_1_the_question_names_the_group_that_is_formed_and_its_posture_and_the_map_marks_it() -> None:
    made = game([(GRENADIERS, "10,15"), (GRENADIERS, "11,15"), (GRENADIERS, "12,15")], [(T34, "30,15")])
    names = [made.state.units[f"german-{number}"].name for number in (1, 2)]
    alone, pair = (
        Grouping("german", "movement", ("german-1",)),
        Grouping("german", "movement", ("german-1", "german-2")),
    )
    assert alone.prompt(made.state, "german").startswith(f"{names[0]}, movement posture")
    assert "complete" not in alone.prompt(made.state, "german"), "a group of one is none"
    assert pair.prompt(made.state, "german").startswith(f"{names[0]}, {names[1]}, movement posture")
    assert "complete" in pair.prompt(made.state, "german")
    shown = building(made.state, pair)
    assert shown is not None
    assert shown["units"] == ["german-1", "german-2"]


@rule("8.2.4-roll", "8.2.8")
@pytest.mark.parametrize("independent", [False, True])
def test_8_2_4_the_roll_of_a_group_is_previewed_each_stand_by_itself_where_they_differ(independent: bool) -> None:
    made = game([(GRENADIERS, "10,15"), (GRENADIERS, "11,15")], [(T34, "30,15")])
    for name in ("german-1", "german-2"):
        made.state.change(name, posture="movement", group="german-1")
    frame = GroupMovement("german", independent=independent, begun=True)
    group = [made.state.units[name] for name in ("german-1", "german-2")]
    roll = movement_roll(made.state, group[0], group, independent)
    assert preview(made.state, frame, Order("german-1")) == roll
    made.state.change("german-2", suppressed=True)
    both = preview(made.state, frame, Order("german-1"))
    assert isinstance(both, Cases)
    assert [name for name, _ in both.cases] == [unit.name for unit in group]
    assert both.cases[0][1] == roll
    assert both.cases[1][1] != roll


@rule("8.1.1", "8.2.3-alternate")
def test_8_1_1_a_group_is_listed_once_named_for_its_headquarters_and_any_of_its_stands_means_it() -> None:
    """Two in contact with their headquarters, and one alone, which was left behind."""
    made = game(
        [(GRENADIERS, "10,15"), (STAFF, "11,15"), (GRENADIERS, "12,15"), (GRENADIERS, "20,15")], [(T34, "30,15")]
    )
    for number, formation in ((1, "Battalion"), (2, "Battalion"), (3, "Battalion"), (4, "")):
        made.state.change(f"german-{number}", posture="movement", group="german-1", formation=formation)
    made.state.change("german-2", rank="HQ")
    made.state.orders["german"], made.state.initiative, made.stack = 1, "german", ()
    made.push(GroupMovement("german", begun=True))
    orders = [action for action in made.choices("german").finite if isinstance(action, Order)]
    assert orders == [Order("german-2"), Order("german-4")]
    names = [made.state.units[name].name for name in ("german-2", "german-4")]
    words = [f"Move the group of {names[0]}, Battalion: 3 stands", f"Move {names[1]}"]
    assert [label(made.state, order) for order in orders] == words
    assert touches(made.state, orders[0])[0] == ("german-1", "german-2", "german-3")
    assert refused(made, "german", Order("german-1")) == ""
    assert label(made.state, Order("german-1")) == words[0]


@rule("11.4.5")
def test_11_4_5_a_click_means_fire_at_a_position_only_where_there_is_one() -> None:
    """An impossible shot is explained for the position of its target only if there is one."""
    made = duel()
    frame = StandardFirePhase("german", begun=True)

    def ways() -> set[str]:
        acts = meant(made, "german", frame, ["german-1", "soviet-2"])
        return {act.manner for act in acts if isinstance(act, Engage)}

    assert ways() == {"main"}
    made.lay(Work("works", "heavy position", (14000, 15000), 0, "soviet"))
    assert ways() == {"main", "at position"}
