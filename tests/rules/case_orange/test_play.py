"""Case Orange as a whole: random games end, nothing is stuck, and the contract of every ruleset holds.

The rules themselves are tested chapter by chapter; here nobody knows what will happen.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from core import contract
from core.contract import Case, Twin
from opfire.core import scenario as scenarios
from opfire.core.actions import NOBODY, Action, IllegalAction
from opfire.core.dice import Dice
from opfire.core.flow import Frame
from opfire.core.fuzz import HABITS
from opfire.core.game import SPECTATOR, Game
from opfire.core.match import Match
from opfire.core.record import new_game
from opfire.core.ruleset import find
from opfire.kit.orders import Pass
from opfire.kit.setup import Ready
from opfire.rulesets.case_orange import RULESET
from opfire.rulesets.case_orange.actions import EndSegment
from opfire.rulesets.case_orange.assault import RollAssault
from opfire.rulesets.case_orange.carrying import Load, Unload
from opfire.rulesets.case_orange.direct import Fire
from opfire.rulesets.case_orange.indirect import Confirm, DeclareFire
from opfire.rulesets.case_orange.movement import Move, Stop
from opfire.rulesets.case_orange.overrun import StartOverrun
from opfire.rulesets.case_orange.pieces import Position, stacked_points
from opfire.rulesets.case_orange.reaction import Shoot
from opfire.rulesets.case_orange.registration import Aiming, Register
from opfire.rulesets.case_orange.setup import Place
from opfire.server import shown
from rules.case_orange.drawing import CLEAR, full, marker
from rules.case_orange.scenes import scene_text

MOST = 6000
"""More decisions than any random game takes; the longest scenario takes about a quarter of them."""

SCENARIOS = {
    name: path.read_text(encoding="utf-8")
    for name, path in scenarios.files().items()
    if scenarios.read(path).ruleset == RULESET.id
}

BOARD = """
.  .  .  .  w  .  .  .  .  .
.  s  s  .  w  .  t  .  .  .
s  h  sw .  .  v  t  .  b  .
.  s  s  .  .  .  .  .  .  .
.  .  .  .  .  .  .  .  w  .
.  .  m  .  .  .  .  .  .  .
.  .  .  .  ~  .  .  .  .  .
"""
FIELDS = {
    "roads": ["A5 B5 C6 D5 E5 F4 G4 H4 I5 J5"],
    "gullies": ["D3 D4 D5 D6"],
    "bridges": {"D5": "wood"},
    "cliffs": ["B3/C3"],
}
WORKS = [
    marker("position", "G2"),
    marker("fort", "G3", value="8/4", holds={"infantry": 1, "pak-75": 1}),
    marker("mines", "E4", value="2:1", side="german"),
    marker("mines", "F6", value="1:2", side="soviet"),
    marker("block", "E6"),
    marker("dug-in", "F3", side="german"),
    marker("wreck", "H6", value="1"),
]
GROUPS = [
    {
        "side": "german",
        "kind": "barrage",
        "units": ["mortar-81-german", "mortar-120-german"],
        "observers": ["cp-german"],
        "limits": [{"units": ["mortar-81-german"], "most": 1}],
    },
    {"side": "german", "kind": "observation", "units": ["german-4"], "observers": ["german-1"]},
    {"side": "soviet", "kind": "rolling-thunder", "units": ["mortar-82-soviet"], "observers": ["cp-soviet"]},
]


def everything(options: list[str]) -> str:
    """A small scenario with all sorts of units, ground, works and groups close together."""
    return scene_text(
        BOARD,
        fields=FIELDS,
        markers=WORKS,
        options=options,
        indirect=GROUPS,
        turns=3,
        german={
            "rifle-42-german": 2,
            "engineer-german": 1,
            "mortar-81-german": 2,
            "pz-iv-h": 1,
            "half-track-german": 1,
            "mortar-120-german": 1,
            "cp-german": 1,
        },
        forces=[{"unit": "pak-75", "below": "fort"}],
        soviet={
            "t-34-76": 2,
            "smg-43-soviet": 1,
            "engineer-soviet": 1,
            "cavalry-43-soviet": 1,
            "mortar-82-soviet": 2,
            "truck-soviet": 1,
            "cp-soviet": 1,
        },
        zone=["F3", "G2", "G3", "H2", "H3", "G4", "H4"],
        other=["C3", "C4", "D4", "D5", "E3", "C5", "D3"],
        reserve=[{"turn": 2, "entry": ["1-J5", "1-J3"], "units": {"stug-iii-g": 1, "truck-german": 1}}],
        victory=[
            {"side": "soviet", "condition": "control", "points": 3, "hexes": ["1-G2", "1-G3"]},
            {"side": "german", "condition": "eliminate", "points": 1},
        ],
    )


PLAIN = Case(RULESET, everything([]), most=MOST, every=29)
OPTIONS = Case(RULESET, everything([option.rule for option in RULESET.options]), most=MOST, every=29)

# --- two hundred games --------------------------------------------------------------------------------------


def shortened(text: str, turns: int) -> str:
    """The scenario with fewer turns."""
    return re.sub(r"(?m)^turns = \d+", f"turns = {turns}", text)


def in_order(position: Position) -> None:
    """Conditions that hold at every moment: stacks, carriers, limits and markers fit each other."""
    for hex, stack in position.stacks.items():
        assert stack
        assert len({position.units[name].side for name in stack}) == 1
        assert all(position.units[name].hex == hex and position.units[name].carrier is None for name in stack)
        assert stacked_points(position, hex) <= position.charts.points["limit"]
    for unit in position.units.values():
        if unit.hex is not None and unit.carrier is None:
            assert unit.id in position.stacks[unit.hex]
        if unit.cargo is not None:
            assert position.units[unit.cargo].carrier == unit.id
            assert position.units[unit.cargo].hex == unit.hex
        if unit.dispersed:
            assert not unit.face_up
    assert all(position.units[name].hex is not None for name in position.registered)


def play_out(text: str, seed: int) -> Game[Any]:
    """A random game to its end; looked at closely every so often."""
    rng = random.Random(seed)
    game: Game[Any] = new_game(find(RULESET.id), text, contract.start(Case(RULESET, text), seed).game.dice)
    draw = HABITS[seed % 2]
    for number in range(MOST):
        if game.outcome is not None:
            return game
        seat = game.asked()[0]
        choices = game.choices(seat)
        assert len(choices) > 0, f"{seat} is asked and has no choice: {game.stack}"
        if number % 40 == seed % 40:
            if game.stack[-1].step != "owe":
                in_order(game.state)
            for action in contract.some(list(choices), rng, 10):
                assert game.why_not(seat, action) is None
                game.copy().play(seat, action)
        action = draw(game, seat, choices, rng)
        assert game.why_not(seat, action) is None
        game.play(seat, action)
    raise AssertionError(f"no end after {MOST} decisions")


FULL = [(name, seed, 0) for name in SCENARIOS for seed in range(2)]
SHORT = [(name, seed, 2) for name in SCENARIOS for seed in range(2, 2 + (200 - len(FULL)) // len(SCENARIOS))]
REST = [("mill-ford", 1000 + seed, 2) for seed in range(200 - len(FULL) - len(SHORT))]


def test_there_are_two_hundred_games_on_every_scenario() -> None:
    assert len({*FULL, *SHORT, *REST}) == 200
    assert {name for name, _, _ in FULL} == set(SCENARIOS)


@pytest.mark.parametrize(("name", "seed", "turns"), [*FULL, *SHORT, *REST])
def test_random_games_end(name: str, seed: int, turns: int) -> None:
    game = play_out(shortened(SCENARIOS[name], turns) if turns else SCENARIOS[name], seed)
    assert game.outcome is not None
    assert game.stack == ()
    assert game.state.turn == (turns or scenarios.parse(SCENARIOS[name], name).turns)
    in_order(game.state)


def belongs_to(frame: Frame, action: Action) -> str:
    """The unit in whose group an action has to be; of several firers the first."""
    if isinstance(action, EndSegment | Pass | Ready | Stop | Fire | RollAssault | StartOverrun | Confirm):
        return NOBODY
    if isinstance(action, Register):
        assert isinstance(frame, Aiming)
        return frame.unit
    if isinstance(action, Shoot):
        return action.units[0]
    if isinstance(action, Load | Unload):
        return action.carrier
    return str(msgspec.structs.asdict(action)["unit"])


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_every_choice_is_in_the_group_of_its_own_unit(name: str) -> None:
    rng, game = random.Random(3), new_game(find(RULESET.id), SCENARIOS[name], Dice(bytes(32)))
    for number in range(600):
        if game.outcome is not None:
            return
        seat = game.asked()[0]
        choices = game.choices(seat)
        if number % 5 == 0:
            for actor in choices.actors():
                owners = {belongs_to(game.stack[-1], action) for action in choices.of(actor)}
                assert owners == {actor}, f"{actor} in {game.stack[-1]}"
                assert actor == NOBODY or game.state.units[actor].side == seat
        game.play(seat, choices.sample(rng))


# --- the contract -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("case", [PLAIN, OPTIONS], ids=["plain", "options"])
def test_contract(case: Case, check: Callable[[Case, int], None]) -> None:
    check(case, 3)


# --- what is hidden: drafts, standing orders, the dice ------------------------------------------------------

GUN_AND_TANK = scene_text(
    CLEAR, german={"pak-75": 1}, soviet={"t-34-76": 1}, zone=["A1", "A2"], other=["A7", "B7"], turns=2
)
HIDDEN = Case(RULESET, GUN_AND_TANK, most=MOST)
DRAFT = Twin(
    blind=("soviet", SPECTATOR),
    one=(("german", Place("german-1", full("A1"))),),
    other=(("german", Place("german-1", full("A2"))),),
)


def test_nobody_sees_the_draft_of_a_set_up() -> None:
    contract.check_leaks(HIDDEN, DRAFT, seed=1)


@pytest.mark.rule("case-orange", "4.2-A")
def test_4_2_A_a_set_up_that_is_complete_stands() -> None:
    """The side that sets up last and moves first could go on in one draft."""
    scene = scene_text(CLEAR, german={"pak-75": 1}, soviet={"t-34-76": 1}, other=["A7", "B7"], first="soviet")
    match = contract.start(Case(RULESET, scene, most=MOST), 1)
    match.play("german", Place("german-1", full("A1")))
    match.undo("german")
    match.play("german", Place("german-1", full("A1")))
    match.play("german", Ready())
    match.play("soviet", Place("soviet-1", full("A7")))
    match.play("soviet", Ready())
    assert match.game.asked() == ("soviet",), "the same side goes on"
    while match.draft:
        match.undo("soviet")  # segments in which there was nothing to do
    with pytest.raises(IllegalAction, match="the end of the set-up"):
        match.undo("soviet")
    assert match.game.state.turn == 1


MORTARS = Case(
    RULESET,
    scene_text(
        CLEAR,
        german={"mortar-81-german": 1, "mortar-120-german": 1, "observer-german": 1},
        soviet={"truck-soviet": 1},
        zone=["A1", "B1"],
        other=["A5", "B5"],
    ),
    most=MOST,
)


def barrage(firer: str) -> Match:
    """One of two German mortars is to fire at a Soviet truck: a draft until the segment ends."""
    match = contract.start(MORTARS, 1)
    for unit, hex in (("german-1", "A1"), ("german-2", "A1"), ("german-3", "B1")):
        match.play("german", Place(unit, full(hex)))
    match.play("german", Ready())
    match.play("soviet", Place("soviet-1", full("A5")))
    match.play("soviet", Ready())
    match.play("german", DeclareFire(firer, full("A5"), "hip"))
    return match


def sent(match: Match, seat: str) -> bytes:
    """The table and the log of a seat, as the server sends them."""
    return b"".join((shown.encode(shown.table(match, seat)), *shown.Log(seat).entries(match)))


def test_the_calibre_of_a_mortar_is_sent_once_it_has_fired_and_not_while_its_order_is_a_draft() -> None:
    light, heavy = barrage("german-1"), barrage("german-2")
    for seat in ("soviet", SPECTATOR):
        assert sent(light, seat) == sent(heavy, seat)
        assert b"calibre" not in sent(heavy, seat)
    assert sent(light, "german") != sent(heavy, "german")
    for match, told in ((light, b'"calibre":81'), (heavy, b'"calibre":120')):
        match.play("german", EndSegment())
        assert all(told in sent(match, seat) for seat in ("german", "soviet", SPECTATOR))


def drive_by(orders: dict[str, Any]) -> Match:
    """A Soviet tank drives into a German gun's range; the gun lets it pass, by its player or by his orders."""
    match = contract.start(HIDDEN, 5)
    match.give_orders("german", orders)
    wanted = {
        "german": [Place("german-1", full("A1")), Ready()],
        "soviet": [Place("soviet-1", full("A7")), Ready(), *(Move("soviet-1", full(f"A{row}")) for row in (6, 5, 4))],
    }
    while wanted["soviet"] or match.game.asked() == ("german",):
        seat = match.game.asked()[0]
        choices = match.game.choices(seat)
        if wanted[seat] and wanted[seat][0] in choices:
            match.play(seat, wanted[seat].pop(0))
        else:
            match.play(seat, Pass() if Pass() in choices else EndSegment())
    return match


def test_standing_orders_leave_no_trace() -> None:
    """A gun that lets a tank pass by order and one whose player lets it pass look the same from outside."""
    silent, asked = drive_by({"fire": "never"}), drive_by({"fire": "ask", "least_chance": 0})
    assert silent.game.state.units["soviet-1"].hex == asked.game.state.units["soviet-1"].hex == full("A4")
    assert [line.what for line in silent.record.lines].count("orders") == 1
    assert sum(line.by == "orders" for line in silent.record.lines) > 0
    assert sum(line.by == "orders" for line in asked.record.lines) == 0
    for seat in ("soviet", SPECTATOR):
        assert contract.received(silent, seat) == contract.received(asked, seat)


def test_the_key_of_the_dice_is_shown_after_the_game_only() -> None:
    match = contract.start(HIDDEN, 0xC0FFEE)
    for seat in ("german", "soviet", SPECTATOR):
        assert match.key.hex().encode() not in contract.received(match, seat)
    match.concede("german")
    assert match.key.hex() in match.record_for(SPECTATOR).dump()
