"""Where the computer player sets up its guns: with a view of the enemy's ways, in cover where there is some."""

from __future__ import annotations

from opfire.core.places import Point
from opfire.rulesets.micro_armour.pieces import Stand
from opfire.rulesets.micro_armour.players import placing
from opfire.rulesets.micro_armour.setup import Place, SetUp
from opfire.rulesets.micro_armour.sighting.sight import blocked, end_of
from opfire.rulesets.micro_armour.thinking import suggest
from rules.micro_armour.kit import GRENADIERS, PAK, PANZER, STAFF, T34, game, rule

HOLD = '[[victory]]\nside = "german"\ncondition = "control"\nhexes = ["7,15"]'
VILLAGE = '[[table.areas]]\nkind = "light-buildings"\nname = "Dorf"\npoints = "4,10 10,10 10,20 4,20"\n'
ZONES = '[[zones]]\nname = "village"\nbox = [4, 10, {east}, 20]\n[[zones]]\nname = "far side"\nbox = [36, 10, 38, 20]\n'


def first_place(kind: str, terrain: str) -> tuple[Stand, Point]:
    """The stand of a kind that the German side places, and where, before a tank that starts in the east."""
    made = game([(kind, "7,15")], [(T34, "37,15")], top=HOLD, terrain=terrain)
    setting = made.state.setting
    made.state.lift("german-1", "to place")
    setting.zones["german-1"] = setting.named_zones["village"]
    setting.zones["soviet-1"] = setting.named_zones["far side"]
    made.stack = (SetUp("german"),)
    best = suggest(made.state, "german", made.stack[-1], made.choices("german"))[0].action
    assert isinstance(best, Place)
    made.play("german", best)
    tank = made.state.units["soviet-1"]
    gun = made.state.units["german-1"]
    assert placing.watches(gun) == (blocked(made.state, end_of(gun), end_of(tank)) is None)
    return gun, best.to


@rule("6.3.2-edge")
def test_a_gun_stands_at_the_edge_of_a_village_where_it_sees_and_has_cover() -> None:
    """The objective is inside, where a stand sees nothing; the eastern edge lies at 10 inches."""
    _, at = first_place(PAK, VILLAGE + ZONES.format(east=14))
    assert 9300 < at[0] <= 10000


@rule("6.3.2-edge")
def test_a_gun_stands_before_woods_that_would_blind_it() -> None:
    """A wood from 10 to 12 inches stands before the village; east of it is the view."""
    wood = '[[table.areas]]\nkind = "woods"\nname = "Wald"\npoints = "10,2 12,2 12,28 10,28"\n'
    _, at = first_place(PAK, VILLAGE + wood + ZONES.format(east=14))
    assert at[0] > 11000


def test_all_others_go_as_near_to_the_objective_as_they_can() -> None:
    for kind in (GRENADIERS, PANZER):
        assert first_place(kind, VILLAGE + ZONES.format(east=14))[1] == (7000, 15000)


def test_guns_are_what_fires_at_what_it_sees_and_hardly_moves() -> None:
    made = game([(PAK, "5,5"), (GRENADIERS, "7,5"), (PANZER, "9,5"), (STAFF, "11,5"), ("ger-120mm-mortar-2", "13,5")])
    assert [placing.watches(unit) for unit in made.state.of("german")] == [True, False, False, False, False]
