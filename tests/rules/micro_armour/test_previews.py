"""Every roll is told before it is made: the kinds of actions that roll, and the games of the case files.

A player sees each roll with its lines, their rule numbers and its chances before the choice that leads to it, and the
same calculation with the dice after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from opfire.core import case
from opfire.core.actions import Action
from opfire.core.events import Calculation, Cases, Event
from opfire.core.game import Game
from opfire.core.texts import Text, Words
from opfire.kit import setup as kit
from opfire.rulesets.micro_armour import RULESET, alternation, postures, setup
from opfire.rulesets.micro_armour.air import defence, plans, teams
from opfire.rulesets.micro_armour.air.plans import AimBombs, DirectBombs, Schedule
from opfire.rulesets.micro_armour.airborne.zones import ChooseZone
from opfire.rulesets.micro_armour.alternation import Pass
from opfire.rulesets.micro_armour.artillery import grouped, observers, plotting, preparing, preset, writing
from opfire.rulesets.micro_armour.artillery.preset import TryToCease
from opfire.rulesets.micro_armour.close import close_assault
from opfire.rulesets.micro_armour.close.close_assault import Assault
from opfire.rulesets.micro_armour.moving import arrivals, cavalry, dismounting, movement, opportunity
from opfire.rulesets.micro_armour.moving.boats import Disembark
from opfire.rulesets.micro_armour.moving.dismounting import HoldOn
from opfire.rulesets.micro_armour.moving.transport import Unload
from opfire.rulesets.micro_armour.moving.water import Launch
from opfire.rulesets.micro_armour.pieces import Position, Work
from opfire.rulesets.micro_armour.retreats import Retreat, Retreating
from opfire.rulesets.micro_armour.shown.previews import ROLLS
from opfire.rulesets.micro_armour.works import labour, laying
from rules.micro_armour.kit import rule
from rules.micro_armour.marches import go, inches, march
from rules.micro_armour.test_08_10_airborne import choosing, up
from rules.micro_armour.test_12_3_air import PLANE, directing, planning
from rules.micro_armour.test_boats import afloat
from rules.micro_armour.test_special_troops import holding
from rules.micro_armour.test_state_farm import at_the_end_of_turn, farm
from rules.micro_armour.test_state_farm import preset as aimed
from rules.micro_armour.test_tank_riders import fires

FILES = sorted((Path(__file__).parent / "cases").glob("*.toml"))

# --- the kinds of actions -----------------------------------------------------------------------------------------

SETS_UP = "It sets up, or names places and hosts in secret."
ENDS = "It ends a phase or a choice; the rolls that follow are made for both sides, whatever they choose."
MARKS = "It marks postures and groups; the group rolls when it is ordered to move."
WRITES = "It changes a line that is being written; the choice of its place tells the rolls."
HOLDS = "It lets a chance go by."
COMES = "It comes on, leaves or changes its shape without a roll."

ROLLS_NOTHING: Mapping[type[Action], str] = {
    **dict.fromkeys((setup.Place, kit.PickUp, kit.Ready, laying.Lay), SETS_UP),
    **dict.fromkeys((observers.Host, observers.MoveObserver, observers.NoMoreObservers), SETS_UP),
    **dict.fromkeys((teams.HostTeam, teams.NoMoreTeams), SETS_UP),
    **dict.fromkeys((alternation.Begin, postures.NoMoreGroups, grouped.FireAlone), ENDS),
    **dict.fromkeys((plans.EndAirPlan, plotting.EndPlot, preparing.NoMoreMissions), ENDS),
    **dict.fromkeys((close_assault.NoMoreAssaults, labour.EndWorks, movement.EndGroup, movement.Stop), ENDS),
    **dict.fromkeys((arrivals.Later, preset.KeepFiring), ENDS),
    **dict.fromkeys((postures.Mark, postures.JoinGroup, postures.FormGroup), MARKS),
    Schedule: WRITES,
    **dict.fromkeys((plotting.PlotFire, plotting.Call, plotting.NameMission), WRITES),
    **dict.fromkeys((preparing.Bombard, preparing.Register), WRITES),
    **dict.fromkeys((writing.ChooseSheaf, writing.ChooseSmoke, writing.ArriveLater, writing.FireLonger), WRITES),
    **dict.fromkeys((writing.GroupWith, writing.DropPlot), WRITES),
    **dict.fromkeys((opportunity.NotYet, opportunity.HoldFire), HOLDS),
    defence.LetThemCome: "The strike rolls as its own side was told when it was chosen.",
    grouped.FireTogether: "It joins batteries; they roll when their sheaf is placed.",
    **dict.fromkeys((arrivals.Arrive, arrivals.Exit, dismounting.GetOff, labour.GetAboard), COMES),
    **dict.fromkeys((cavalry.Dismount, cavalry.Mount), COMES),
}
"""The kinds of actions that roll no dice of their own, with the reason."""


def test_every_kind_of_action_tells_its_rolls_or_rolls_nothing() -> None:
    assert {*RULESET.actions} == {*ROLLS, *ROLLS_NOTHING}
    assert not {*ROLLS} & {*ROLLS_NOTHING}


# --- the games of the case files -----------------------------------------------------------------------------------

UNCHOSEN: Mapping[str, str] = {
    "recovery": "every shaken stand rolls in the marker removal phase [5.3-who]",
    "to win cohesion back": "a surprised force rolls at the end of each turn [8.10.1.5]",
    "to fight on": "a side whose enemy is broken rolls at the beginning of a turn [12.1.5-8]",
    "Movement orders": "each general headquarters rolls [8.2.1]",
    "for air coordination teams": "a side with aircraft rolls before the game [12.3.3.3-avail]",
    "to go on": "told with the fire that made the roll necessary [8.5.4]",
    "overrun by {}": "told with the overrun [8.7.8]",
    "overrunning {}": "told with the overrun [8.7.8]",
    "Overrun": "told with the overrun [8.7.8]",
    "Answer to the overrun": "told with the overrun [8.7.8]",
    "to attack": "told with the strike, before anti-aircraft fire [12.3.5]",
    "to stay on course": "told with the strike, before anti-aircraft fire [12.3.5]",
    "air strike": "told with the strike, before anti-aircraft fire [12.3.5]",
    "to arrive": "told with the place of the landing [8.10.1.3]",
    "to land on target": "told with the place of the landing [8.10.1.3]",
    "to land well": "told with the place of the landing [8.10.1.3]",
    "landing on a stand": "the place where a stand comes down is the work of dice [8.10.1.3-3c]",
}
"""The rolls that may follow a decision although its preview did not tell them, with the reason."""

PLAIN = frozenset({"deviation", "initiative", "weather", "marker", "moved", "entered", "command"})
"""The events that show dice without a calculation: the sentence says all that counts."""


class Seen:
    """The rolls that previews told, by kind of action, and all that was not as it should be."""

    def __init__(self) -> None:
        self.told: dict[type[Action], list[tuple[Words, Calculation]]] = {}
        self.wrong: list[str] = []

    def look(self, made: Game[Any], seat: str, action: Action) -> list[tuple[Words, Calculation]]:
        """Note the preview of an action."""
        sight, frame = made.sight(seat), made.stack[-1]
        found = RULESET.previews(sight, frame, action)
        self.told.setdefault(type(action), []).extend(found)
        self.wrong += _faults(found)
        shown = RULESET.preview(sight, frame, action)
        if (shown is None) != (not found):
            self.wrong.append(f"the table shows {shown} of {action}")
        if isinstance(shown, Cases) and len({str(words) for words, _ in shown.cases}) < len(shown.cases):
            self.wrong.append(f"the same words twice: {[str(words) for words, _ in shown.cases]}")
        return found

    def check(self, action: Action, told: Sequence[tuple[Words, Calculation]], events: Sequence[Event]) -> None:
        """Compare the calculations of the events after an action with those before it."""
        titles = {(_template(roll.title), roll.rule) for _, roll in told}
        for event in events:
            made = event.calculation
            if made is None:
                if event.dice and event.kind not in PLAIN:
                    self.wrong.append(f"dice without a calculation: {event.sentence()}")
            elif _template(made.title) not in UNCHOSEN and (_template(made.title), made.rule) not in titles:
                self.wrong.append(f"{type(action).__name__} did not tell of {made.title} [{made.rule}]")


def _template(words: Words) -> str:
    return words.template if isinstance(words, Text) else words


def _faults(found: Sequence[tuple[Words, Calculation]]) -> Iterator[str]:
    """The faults of a preview: a line without its rule, chances that do not make a whole."""
    for words, roll in found:
        if not roll.rule or not all(line.rule for line in roll.lines) or sum(roll.chances().values()) != 1:
            yield f"{words}: {roll}"


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """The previews of all actions that are played from now on, compared with what comes of them."""
    found, play, roll = Seen(), Game.play, Game.roll
    rolled: list[int] = []

    def watched(made: Game[Any], count: int, sides: int, *args: Any) -> Any:
        dice = roll(made, count, sides, *args)
        rolled.extend(dice)
        return dice

    def played(made: Game[Any], seat: str, action: Action, *args: Any, **more: Any) -> Any:
        told = found.look(made, seat, action) if made.why_not(seat, action) is None else []
        rolled.clear()
        events = play(made, seat, action, *args, **more)
        found.check(action, told, events)
        shown = {number for event in events for number in event.dice}
        if not {*rolled} <= shown:
            found.wrong.append(f"{type(action).__name__}: the log shows {sorted(shown)} of {rolled}")
        return events

    monkeypatch.setattr(Game, "play", played)
    monkeypatch.setattr(Game, "roll", watched)
    return found


def unload() -> tuple[Game[Position], str, Action]:
    """Infantry gets off its lorry beside it, under shells."""
    made = march((("us-heavy-truck-4-10-ton", "10,10"), ("us-infantry-42", "8,10")), (("ger-105mm-ifh18-2", "35,5"),))
    made.state.change("red-1", cargo=("red-2",))
    made.state.change("red-2", carrier="red-1", at=inches(10, 10))
    made.state.lay(Work("impact 1", "impact", inches(11, 10), side="blue", battery="blue-1"))
    return made, "red", Unload("red-1", "red-2", inches(11, 10), 0)


def retreat() -> tuple[Game[Position], str, Action]:
    """A stand retreats into shells."""
    made = march((("us-infantry-42", "10,10"),), (("ger-105mm-ifh18-2", "35,5"),))
    made.state.lay(Work("impact 1", "impact", inches(9, 10), side="blue", battery="blue-1"))
    made.push(Retreating("red", "red-1", inches(11, 10)))
    made.run()
    return made, "red", Retreat("red-1", inches(9, 10))


def assault() -> tuple[Game[Position], str, Action]:
    made = march((("us-infantry-42", "8,10"),), (("ger-infantry-39", "10,10"),), blue_1={"fired": True})
    go(made, "red-1", 9, 10)
    return made, "red", Assault("red-1", "blue-1")


def disembark() -> tuple[Game[Position], str, Action]:
    made = afloat((14,))
    made.play("red", Launch("red-1"))
    go(made, "red-1", 10.2, 5)
    return made, "red", Disembark("red-1", inches(11.4, 5))


def cease() -> tuple[Game[Position], str, Action]:
    made = farm()
    aimed(made, "german")
    at_the_end_of_turn(made, 3)
    return made, "german", TryToCease()


def aim_bombs() -> tuple[Game[Position], str, Action]:
    made = planning()
    made.play("german", Schedule(PLANE, 2))
    return made, "german", AimBombs(PLANE, 3, (20000, 10000))


POSITIONS: Mapping[type[Action], Callable[[], tuple[Game[Position], str, Action]]] = {
    Assault: assault,
    ChooseZone: lambda: (choosing(), "american", ChooseZone("american-landing-1", up(5, 10), "N")),
    Disembark: disembark,
    HoldOn: lambda: (fires(10), "soviet", HoldOn("soviet-2")),
    Pass: lambda: (holding((14,)), "red", Pass()),
    Retreat: retreat,
    TryToCease: cease,
    Unload: unload,
    AimBombs: aim_bombs,
    DirectBombs: lambda: (directing(2), "german", DirectBombs("german-1", PLANE, (20000, 10000))),
}
"""Positions for the kinds of actions that no case file plays."""


@rule("5.1-roll", "7.1.6-roll", "7.5.3", "8.7.8-defend", "8.8.3-1", "12.3.5")
def test_every_roll_of_the_case_files_is_told_before_it_is_made_and_after(seen: Seen) -> None:
    for path in FILES:
        for one in case.read(path):
            case.run(one)
    for kind, made in POSITIONS.items():
        table, seat, action = made()
        assert type(action) is kind
        assert table.why_not(seat, action) is None, action
        seen.look(table, seat, action)
    assert seen.wrong == []
    assert {kind for kind, told in seen.told.items() if told} == {*ROLLS}
