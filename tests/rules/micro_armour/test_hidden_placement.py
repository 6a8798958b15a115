"""Hidden placement at Kasserine [SC.stark.hidden]: what the enemy does not see, and what reveals it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from opfire.core import scenario as scenarios
from opfire.core.game import Game
from opfire.kit.setup import Ready
from opfire.rulesets.micro_armour import RULESET
from opfire.rulesets.micro_armour.close.overrun import Overrun
from opfire.rulesets.micro_armour.hiding import hides
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.setup import Place, SetUp
from opfire.rulesets.micro_armour.works.laying import Lay
from rules.micro_armour.kit import PANZER, RIFLES, game, rule
from rules.micro_armour.marches import against, at, go, leg, march, stand

OPTION = 'options = ["SC.stark.hidden"]\n'
SHERMAN, FOE = "us-m4-sherman", "ger-infantry-39"


def placing(option: str = OPTION) -> Game[Position]:
    """The Soviets set up two stands of riflemen, a light position and a minefield, in secret if they may."""
    zones = '[[zones]]\nname = "hill"\nbox = [25, 5, 35, 25]\n'
    works = """
hides = true
works = [{ kind = "light position", zone = "hill" }, { kind = "mines", zone = "hill", value = "standard" }]
"""
    made = game([(PANZER, "5,15")], [(RIFLES, "30,10"), (RIFLES, "30,20")], top=option, soviet_more=works + zones)
    for name in made.state.setting.ids["soviet"]:
        made.state.lift(name, "to place")
        made.state.setting.zones[name] = made.state.setting.named_zones["hill"]
    return made


@rule("SC.stark.hidden")
@pytest.mark.parametrize(("option", "secret"), [(OPTION, True), ("", False)])
def test_SC_stark_hidden_mines_and_stands_in_positions_are_not_shown(option: str, secret: bool) -> None:
    made = placing(option)
    assert hides(made.state, "soviet") == secret
    made.stack = (SetUp("soviet"),)
    made.play("soviet", Lay("light position", "", (30000, 10000), 270))
    events = made.play("soviet", Place("soviet-1", (30000, 10000), 270))
    assert [event.only for event in events] == [("soviet",) if secret else ()]
    assert made.only == (("soviet",) if secret else ())
    made.play("soviet", Place("soviet-2", (30000, 20000), 270))
    made.play("soviet", Lay("mines", "standard", (27000, 15000), 270))
    made.play("soviet", Ready())
    seen = made.sight("german")
    assert (seen.units["soviet-1"].at is None) == secret
    assert seen.units["soviet-2"].at == (30000, 20000)  # it is in no position
    assert ("mines" in {work.kind for work in seen.works.values()}) != secret
    assert {work.kind for work in made.sight("soviet").works.values()} == {"light position", "mines"}
    shown = str(made.view("german"))
    assert ("(27000, 15000)" in shown) != secret


def hidden(red: str = "5,5", foe: str = "9,5", **values: object) -> Game[Position]:
    """A Sherman and a hidden stand of grenadiers."""
    made = march(((SHERMAN, red),), ((FOE, foe), (FOE, "39,29")), more=OPTION, blue_1={"hidden": True, **values})
    return made


@rule("SC.stark.hidden")
def test_SC_stark_hidden_a_mover_finds_a_stand_when_it_comes_beside_it_and_stops_there() -> None:
    made = hidden()
    assert made.sight("red").units["blue-1"].at is None
    assert against(made, leg("red-1", 12, 5)) == ""  # nobody seems to be in the way
    go(made, "red-1", 12, 5, 90)
    while made.asked() == ("blue",):
        made.play("blue", made.choices("blue").of("")[0])
    x = stand(made, "red-1").at
    assert x is not None
    assert 7800 <= x[0] <= 8000
    assert made.sight("red").units["blue-1"].at == (9000, 5000)
    assert against(made, leg("red-1", 12, 5)) == "8.3.5-others"
    assert not stand(made, "red-1").moved


@rule("SC.stark.hidden")
def test_SC_stark_hidden_a_mover_that_passes_at_a_distance_finds_nobody() -> None:
    made = hidden(foe="9,7.2")
    go(made, "red-1", 12, 5, 90)
    while made.asked() == ("blue",):
        made.play("blue", made.choices("blue").of("")[0])
    assert at(made, "red-1") == "12,5"
    assert stand(made, "blue-1").hidden


@rule("SC.stark.hidden")
@pytest.mark.parametrize("values", [{"fired": True}, {"suppressed": True}, {"posture": "movement"}, {"laid": None}])
def test_SC_stark_hidden_a_stand_that_fires_moves_or_suffers_is_placed(values: dict[str, object]) -> None:
    made = hidden(foe="20,20")
    made.state.change("blue-1", **values)
    made.run()
    assert not stand(made, "blue-1").hidden
    assert made.sight("red").units["blue-1"].at == (20000, 20000)


@rule("SC.stark.hidden", "11.1.5")
def test_SC_stark_hidden_a_minefield_is_placed_when_a_stand_enters_it() -> None:
    mines = '[[markers]]\nkind = "mines"\nvalue = "hasty"\nside = "blue"\nat = ["9,5"]\n'
    made = march(((SHERMAN, "5,5"),), ((FOE, "39,29"),), more=OPTION + mines)
    (work,) = made.state.works.values()
    made.state.lay(replace(work, hidden=True))
    assert made.sight("red").works == {}
    go(made, "red-1", 12, 5, 90)
    assert [each.kind for each in made.sight("red").works.values()] == ["mines"]
    assert stand(made, "red-1").moved


@rule("SC.stark.hidden")
def test_SC_stark_hidden_the_battle_hides_the_americans_only_with_the_option() -> None:
    found = scenarios.parse(scenarios.text_of("armour-stark-resistance"), "stark")
    assert not hides(RULESET.start(RULESET.set_up(found))[0], "american")
    assert list(found.options) == ["12.2.1", "12.2.3"]


@rule("SC.stark.hidden")
def test_SC_stark_hidden_the_enemy_does_not_know_which_way_a_hidden_stand_faces() -> None:
    """Its player chooses that with its place."""
    shown = [hidden(facing=facing, laid=facing, began=(9000, 5000)).sight("red") for facing in (0, 135)]
    assert shown[0].units["blue-1"] == shown[1].units["blue-1"]
    assert shown[0].units["blue-1"].began is None


@rule("SC.stark.hidden", "8.7.1-move")
def test_SC_stark_hidden_a_stand_that_is_found_on_the_way_ends_an_overrun() -> None:
    """The vehicle goes somewhere else then, and overruns nobody there."""
    made = hidden(foe="9,6")
    made.state.put("blue-2", (12000, 5000), facing=0)
    made.play("red", Overrun("red-1", "blue-2", (13000, 5000), 90))
    hold(made)
    assert not stand(made, "blue-1").hidden
    go(made, "red-1", 7, 3, 90)
    hold(made)
    assert (at(made, "red-1"), stand(made, "red-1").overruns) == ("7,3", ())


@rule("SC.stark.hidden", "8.7.1-move")
def test_SC_stark_hidden_a_stand_that_is_found_beyond_the_target_stops_no_overrun() -> None:
    """A vehicle does not stop on the stand that it overruns."""
    made = hidden(foe="13.2,6")
    made.state.put("blue-2", (12000, 5000), facing=0)
    made.play("red", Overrun("red-1", "blue-2", (13000, 5000), 90))
    hold(made)
    assert not stand(made, "blue-1").hidden
    assert (at(made, "red-1"), stand(made, "red-1").overruns) == ("13,5", ("blue-2",))


def hold(made: Game[Position]) -> None:
    """Blue holds its fire."""
    while made.asked() == ("blue",):
        made.play("blue", made.choices("blue").of("")[0])
