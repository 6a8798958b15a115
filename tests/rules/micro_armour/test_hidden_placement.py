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
from opfire.rulesets.micro_armour.moving.transport import Unload
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.retreats import Retreat, Retreating
from opfire.rulesets.micro_armour.setup import Place, SetUp
from opfire.rulesets.micro_armour.works.laying import Lay
from opfire.space.squares import overlap, touch
from rules.micro_armour.kit import PANZER, RIFLES, game, rule
from rules.micro_armour.marches import against, at, go, leg, march, points, stand

OPTION = 'options = ["SC.stark.hidden"]\n'
SHERMAN, FOE = "us-m4-sherman", "ger-infantry-39"
HALFTRACK, TROOPS = "us-halftrack-various-marks", "us-infantry-42"


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
    (laid,) = made.play("soviet", Lay("mines", "standard", (27000, 15000), 270))
    assert (laid.sentence(), laid.only) == ("A marker of mines is laid at 27,15", ("soviet",) if secret else ())
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
    told = go(made, "red-1", 12, 5, 90)
    while made.asked() == ("blue",):
        told += made.play("blue", made.choices("blue").of("")[0])
    assert [event.places for event in told if event.kind == "revealed"] == [((9000, 5000),)]
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


@rule("SC.stark.hidden", "8.3.4")
@pytest.mark.parametrize("foe", ["9,5", "9.05,5", "9.11,5"])
def test_SC_stark_hidden_a_mover_stops_beside_what_it_finds_and_not_on_it(foe: str) -> None:
    made = hidden(foe=foe)
    go(made, "red-1", 12, 5, 90)
    hold(made)
    ring = stand(made, "red-1").ring
    assert touch(ring, stand(made, "blue-1").ring)
    assert not overlap(ring, stand(made, "blue-1").ring)


@rule("SC.stark.hidden", "8.7.1-move", "8.3.4")
@pytest.mark.parametrize(("foe", "ends", "found"), [("13.3,5", {"13,4", "13,6"}, True), ("14.1,5", {"13,5"}, False)])
def test_SC_stark_hidden_a_stand_in_the_place_where_an_overrun_ends_turns_it_to_the_next_one(
    foe: str, ends: set[str], found: bool
) -> None:
    """The vehicle lands beside its target, and on nobody: in the free place that is nearest to the chosen one."""
    made = hidden(foe=foe)
    made.state.put("blue-2", (12000, 5000), facing=0)
    made.play("red", Overrun("red-1", "blue-2", (13000, 5000), 90))
    hold(made)
    assert stand(made, "blue-1").hidden is not found
    assert stand(made, "red-1").overruns == ("blue-2",)
    assert at(made, "red-1") in ends


@rule("SC.stark.hidden", "8.3.4")
def test_SC_stark_hidden_a_vehicle_without_a_free_place_beside_its_target_goes_back() -> None:
    """Seven places are held by the enemy, a tenth of an inch off the target, the eighth by a friend at 11,5."""
    around = [(x, y) for x in (-1.1, 0, 1.1) for y in (-1.1, 0, 1.1) if x > 0 or y]
    foes = [(FOE, f"{12 + x},{5 + y}") for x, y in around]
    secret = {f"blue_{number}": {"hidden": True} for number in range(2, 9)}
    made = march(((SHERMAN, "5,5"), (SHERMAN, "11,5")), ((FOE, "12,5"), *foes), more=OPTION, **secret)
    made.play("red", Overrun("red-1", "blue-1", (13000, 5000), 90))
    hold(made)
    assert stand(made, "red-1").overruns == ("blue-1",)
    assert at(made, "red-1") == "10,5"
    assert not any(unit.hidden for unit in made.state.of("blue"))


@rule("SC.stark.hidden", "8.4.6")
def test_SC_stark_hidden_nobody_is_unloaded_on_a_hidden_stand() -> None:
    """The troops would come down on it: it is placed on the table, and their owner decides anew."""
    made = march(((HALFTRACK, "5,5"), (TROOPS, "30,20")), ((FOE, "6.6,5"), (FOE, "39,29")), more=OPTION)
    made.state.change("red-1", cargo=("red-2",))
    made.state.change("red-2", carrier="red-1", at=(5000, 5000))
    made.state.change("blue-1", hidden=True)
    assert against(made, Unload("red-1", "red-2", (6000, 5000), 90)) == ""
    made.play("red", Unload("red-1", "red-2", (6000, 5000), 90))
    hold(made)
    assert (stand(made, "blue-1").hidden, stand(made, "red-2").carrier, stand(made, "red-1").spent) == (
        False,
        "red-1",
        0,
    )
    assert against(made, Unload("red-1", "red-2", (6000, 5000), 90)) == "8.3.4"
    made.play("red", Unload("red-1", "red-2", (4000, 5000), 270))
    assert (at(made, "red-2"), stand(made, "red-1").spent) == ("4,5", points(10))


@rule("SC.stark.hidden", "8.8.5")
@pytest.mark.parametrize(("foe", "free"), [("20,20", True), ("7.2,5.7", False)])
def test_SC_stark_hidden_nobody_retreats_onto_a_hidden_stand(foe: str, free: bool) -> None:
    made = march(((TROOPS, "6,5"),), ((FOE, "5,5"), (FOE, foe)), more=OPTION, blue_2={"hidden": True})
    made.stack = ()
    made.push(Retreating("red", "red-1", (5000, 5000)))
    made.run()
    made.play("red", Retreat("red-1", (7000, 5000)))
    assert (at(made, "red-1"), stand(made, "blue-2").hidden) == (("7,5", True) if free else ("6,5", False))
    if not free:
        assert against(made, Retreat("red-1", (7000, 5000))) == "8.8.5"
        made.play("red", Retreat("red-1", (6866, 4500)))  # an inch away to the north-east by east
        assert at(made, "red-1") == "6.866,4.5"


@rule("SC.stark.hidden", "8.8.5")
def test_SC_stark_hidden_a_retreat_finds_the_stands_that_hold_all_its_places() -> None:
    """Both hidden stands together leave it no place: its owner runs into one after the other, and it is lost."""
    foes = ((FOE, "5,5"), (FOE, "7.3,4.4"), (FOE, "7.3,5.6"))
    made = march(((TROOPS, "6,5"),), foes, more=OPTION, blue_2={"hidden": True}, blue_3={"hidden": True})
    made.stack = ()
    made.push(Retreating("red", "red-1", (5000, 5000)))
    made.run()
    assert made.asked() == ("red",)
    while made.asked():
        made.play("red", made.choices("red").of("red-1")[0])
    assert stand(made, "red-1").status == "eliminated"
    assert [stand(made, name).hidden for name in ("blue-2", "blue-3")] == [False, False]


def hold(made: Game[Position]) -> None:
    """Blue holds its fire."""
    while made.asked() == ("blue",):
        made.play("blue", made.choices("blue").of("")[0])
