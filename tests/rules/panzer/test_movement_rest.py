"""Movement on foot, on wheels and aboard, second reading [6.6.4, 6.6.7, 6.6.8, 6.6.10]."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.adjusting import EnterCover
from opfire.rulesets.panzer.commands import HandIn
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.moving.going import Move, Turn
from opfire.rulesets.panzer.moving.quickmarch import Quickmarch
from opfire.rulesets.panzer.moving.transport import Dismount
from opfire.rulesets.panzer.pieces import Position, Work
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.works.entrenching import DigIn
from rules.panzer.battle import OPEN, game, refused, text
from rules.panzer.kit import rule
from rules.panzer.moves import FAR, army, marching, tried

# --- Quickmarch [6.6.4.2]


@rule("6.6.4.2-who", "6.6.2")
@pytest.mark.parametrize("values", [{"suppression": "on"}, {"morale": "hesitating"}, {"morale": "broken"}])
def test_a_unit_that_is_shaken_on_its_quickmarch_goes_no_farther_than_it_could_walk(values: dict[str, str]) -> None:
    """A squad walks two hexes, suppressed or broken one; it has gone one."""
    made = marching(army(("g_sqd44", "1-A8")), {1: "move"}, dice=(99,))
    assert tried(made, Quickmarch("german-1"), Move("german-1", "1-A7")) is None
    made.state.change("german-1", **values)
    if values != {"morale": "hesitating"}:
        assert refused(made, "german", Move("german-1", "1-A6")) == "6.6.4.1-mf"
        return
    assert tried(made, Move("german-1", "1-A6")) is None
    assert refused(made, "german", Move("german-1", "1-A5")) == "6.6.4.1-mf"


# --- crawling on wheels [6.6.4.3]


def rider(*dice: int, board: str = OPEN, soviet: str = FAR) -> Game[Position]:
    """A motorcycle squad in Full Cover, facing north."""
    return marching(
        army(("g_recon", "1-B4")), {1: "move"}, board=board, soviet=soviet, dice=dice, full_cover=True, facing=0
    )


@rule("6.6.4.3", "6.6.4.4-move")
def test_motorcycles_crawl_as_other_units_do() -> None:
    assert tried(rider(), Move("german-1", "1-B3")) is None
    hill = OPEN.splitlines()
    hill[hill.index("hexes = '''") + 3] = ". 1 . . . . . . . . . ."
    sloped = "\n".join(hill) + '\n[sides]\nslope = ["B3/B4"]\n'
    assert refused(rider(board=sloped), "german", Move("german-1", "1-B3")) == "6.6.4.3"
    enemy = rider(soviet=army(("s_sqd41", "1-B2"), ("t34_43", "1-L8")))
    enemy.state.spots["soviet-1"] = ("german-1",)
    assert refused(enemy, "german", Move("german-1", "1-B3")) == "6.6.4.3"
    shaken = rider()
    shaken.state.change("german-1", suppression="off")
    assert refused(shaken, "german", Move("german-1", "1-B3")) == "6.6.4.3"


# --- passengers of a lame vehicle [6.6.7.1.1-veh]

TRUCK = army(("tg_blitz", "1-B4"), ("g_sqd41", "tg_blitz"))


@rule("6.6.7.1.1-veh", "6.5.2.2.1")
def test_passengers_dismount_from_a_vehicle_that_a_track_hit_has_stopped_before_its_move() -> None:
    made = marching(TRUCK, {1: "move"}, track_hit=True)
    off = Dismount("german-1", "german-2", "1-B5", 3)
    assert off in list(made.choices("german"))
    assert tried(made, off) is None
    assert made.state.units["german-2"].hex == "1-B5"
    assert refused(made, "german", Turn("german-1", 3)) == "6.5.2.2.1"


@rule("6.6.7.1.1-veh", "6.5.2.2.1")
def test_nobody_dismounts_from_a_vehicle_that_a_track_hit_has_stopped_on_its_move() -> None:
    made = marching(TRUCK, {1: "move"}, track_hit=True, moved=True)
    assert refused(made, "german", Dismount("german-1", "german-2", "1-B5", 3)) is not None


@rule("6.1.4.3.6", "6.6.7.1.1-dismount")
def test_a_passenger_that_dismounts_takes_an_abandoned_entrenchment() -> None:
    made = marching(TRUCK, {1: "no command"})
    made.state.works["1-B5"] = (Work("hasty entrenchment", facing=5),)
    assert tried(made, Dismount("german-1", "german-2", "1-B5", 3)) is None
    assert made.state.works["1-B5"][0].holder == "german-2"


# --- Hasty Entrenchments [6.6.8-who]


@rule("6.6.8-who", "6.1.4.2")
def test_a_unit_digs_in_the_turns_that_it_spends_in_full_cover() -> None:
    """Full Cover that is taken in the Adjust Full Cover Step is that of the next turn."""
    made = game(text(german=army(("g_sqd41", "1-B4")), soviet=FAR, options=("AG",)), (10, 90, *[90] * 20))
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.play(made.asked()[0], RollInitiative())
    while made.stack[-1].step != "adjustment" or made.stack[-1].side != "german":
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    made.play("german", EnterCover("german-1"))
    assert refused(made, "german", DigIn("german-1")) == "6.6.8-who"
    assert DigIn("german-1") not in list(made.choices("german"))
