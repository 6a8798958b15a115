"""Close combat, second reading [6.6.1]: attackers that are left, advances that fail, hexes that are won, wrecks."""

from __future__ import annotations

import pytest

from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.fire.close_assault import Band
from opfire.rulesets.panzer.fire.close_combat import Assault, Close, Occupy, Occupying, cannot_advance
from opfire.rulesets.panzer.fire.direct_fire import Asked, Keep
from opfire.rulesets.panzer.fire.hand_to_hand import resolve
from opfire.rulesets.panzer.moving.going import Move
from opfire.rulesets.panzer.moving.step import MovementStep
from opfire.rulesets.panzer.pieces import Position, Work
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import rule
from rules.panzer.test_close_combat import SQUAD, TANK, battle, closing

MEN = '{ unit = "s_sqd41", at = ["1-B5"] }'
SECTION = '{ unit = "s_chq", at = ["1-B5"] }'


def carried(made: Game[Position], *assaults: Assault) -> None:
    """Announce attacks, and carry them out; the owner of a vehicle keeps its command."""
    for each in assaults:
        made.play("german", each)
    made.play("german", Close())
    if isinstance(made.stack[-1], Asked):
        made.play("soviet", Keep())


# --- attackers that are left [6.6.1.1-announce]


@rule("6.6.1.1-announce")
@pytest.mark.parametrize("other", ['{ unit = "t34_43", at = ["1-A6"] }', '{ unit = "s_sqd41", at = ["1-A6"] }'])
def test_attackers_whose_target_is_gone_attack_nobody_else_and_may_move(other: str) -> None:
    squads = '{ unit = "g_sqd41", at = ["1-B4"] }, { unit = "g_sqd41", at = ["1-A5"] }'
    made = closing(battle(squads, f"{TANK}, {other}", (90, 10, 97, 9)))
    made.state.change("german-2", command="move")
    carried(made, Assault("german-1", "soviet-1"), Assault("german-2", "soviet-1"))
    made.play("german", EndStep())  # nobody enters the hex
    assert not made.state.units["german-2"].moved
    assert refused(made, "german", Assault("german-2", "soviet-2")) == "6.6.1.1-announce"
    while not isinstance(made.stack[-1], MovementStep) or made.stack[-1].side != "german":
        made.play(made.asked()[0], EndStep())
    assert refused(made, "german", Move("german-2", "1-A4")) is None


@rule("6.6.1.1-who", "6.6.1.1-adv")
def test_a_squad_that_is_suppressed_before_its_advance_stays_where_it_is() -> None:
    """Overwatch at the first advance is answered by fire that burns the second squad's transport."""
    squads = '{ unit = "g_sqd41", at = ["1-A6"] }, { unit = "g_sqd41", at = ["1-C5"] }'
    made = closing(battle(squads, '{ unit = "t34_43", at = ["1-B6"] }', (90, 10, 1)), soviet="overwatch")
    made.state.change("german-2", command="move")
    assert refused(made, "german", Assault("german-2", "soviet-1", "1-C6")) is None
    made.play("german", Assault("german-1", "soviet-1", "1-A7"))
    made.play("german", Assault("german-2", "soviet-1", "1-C6"))
    made.play("german", Close())
    made.state.change("german-2", suppression="on")  # as by a Brew-Up in its hex
    made.play("soviet", Pass())
    made.play("soviet", Keep())
    assert made.state.units["german-2"].hex == "1-C5"
    assert told(made, "assaulted") == ["Rifle squad 1 assaults T-34 M43 1: no effect"]


# --- hexes that are won [6.6.1.1.3-occupy]


def tall(hex: str, storeys: int) -> str:
    """A plain with a brick building in B4."""
    lines = OPEN.splitlines()
    first = lines.index("hexes = '''")
    lines[first + 4] = ". B . . . . . . . . . ."
    lines.insert(first, f"storeys = {{ {hex} = {storeys} }}")
    return "\n".join(lines)


@rule("6.6.1.1.3-occupy", "6.1.4.3.1-b")
def test_a_squad_comes_down_from_its_floor_into_the_hex_that_it_has_won() -> None:
    made = closing(battle(SQUAD, SECTION, (90, 10, 90, 1), tall("B4", 2)))
    made.state.change("german-1", upper=True)
    carried(made, Assault("german-1", "soviet-1"))
    made.play("german", Occupy("german-1"))
    squad = made.state.units["german-1"]
    assert (squad.hex, squad.upper) == ("1-B5", False)


@rule("6.6.1.1.3-occupy", "6.1.4.2-a")
def test_a_squad_leaves_full_cover_as_it_enters_the_hex_that_it_has_won() -> None:
    made = closing(battle(f"{SQUAD}", f'{SECTION}, {{ unit = "t34_43", at = ["1-B6"] }}', (90, 10, 90, 1)))
    made.state.change("german-1", full_cover=True)
    made.state.spots["soviet-2"] = ("german-1",)
    carried(made, Assault("german-1", "soviet-1"))
    assert isinstance(made.stack[-1], Occupying)
    made.play("german", Occupy("german-1"))  # next to a tank that is spotted: no crawling
    squad = made.state.units["german-1"]
    assert (squad.hex, squad.full_cover) == ("1-B5", False)


@rule("6.1.4.3.6", "6.6.1.2.3-end")
def test_a_squad_takes_the_entrenchment_that_it_has_won() -> None:
    made = closing(battle(SQUAD, SECTION, (90, 10, 90, 1)))
    made.state.works["1-B5"] = (Work("hasty entrenchment", holder="soviet-1", facing=5),)
    carried(made, Assault("german-1", "soviet-1"))
    made.play("german", Occupy("german-1"))
    assert made.state.works["1-B5"][0].holder == "german-1"


# --- the primary attacker [6.6.1.2.3-def]


def fought(made: Game[Position]) -> list[str]:
    """The attackers of each roll-off, one after the other."""
    resolve(made, Band(tuple(made.state.of("german"))), "soviet-1")
    return [event.units[0] for event in made.events if event.kind == "hand to hand"]


@rule("6.6.1.2.3-att", "6.6.1.2.3-def")
def test_a_roll_off_that_is_won_does_not_change_the_primary_attacker() -> None:
    units = '{ unit = "g_sqd41_h", at = ["1-B4"] }, { unit = "g_sqd41", at = ["1-B4"] }'
    assert fought(battle(units, MEN, (60, 50, 60, 50))) == ["german-1", "german-1"]


@rule("6.6.1.2.3-def")
def test_only_a_whole_squad_takes_over_from_a_halved_primary() -> None:
    """The half-squad beside it is an elite, but no squad: 25 for a half-squad, and 20 for elites do not count."""
    made = battle(
        '{ unit = "g_sqd41", at = ["1-B4"] }, { unit = "g_sqd41_h", at = ["1-B4"] }', MEN, (10, 90, 1, 90, 1, 90)
    )
    made.state.change("german-2", grade="elite")
    assert fought(made) == ["german-1", "german-1", "german-2"]


@rule("6.6.1.2.3-def", "6.6.1.2.2-cav")
def test_the_next_primary_is_the_one_with_the_best_total() -> None:
    """Horses give 20 to the primary attacker, veterans 10."""
    halves = '{ unit = "g_sqd41_h", count = 2, at = ["1-B4"] }, { unit = "g_cav_h", at = ["1-B4"] }'
    made = battle(halves, MEN, (1, 99, 99, 1, 99, 1))
    made.state.change("german-2", grade="veteran")
    assert fought(made) == ["german-1", "german-3", "german-3"]


# --- the ground of an advance, what a refusal cites


@rule("6.6.1.1-adv", "7.36.3-snow")
def test_nobody_advances_through_snow_that_costs_two() -> None:
    snow = '[conditions]\nground = "snow"\n'
    for weather, why in (("", None), (snow, "6.6.1.1-adv")):
        state = game(text(german=f"units = [{SQUAD}]", options=("AG", "7.36.3")) + weather).state
        refusal = cannot_advance(state, state.units["german-1"], "1-B5")
        assert (refusal and refusal.rule) == why


@rule("6.6.1.1-target", "6.6.1.2-target")
@pytest.mark.parametrize(("unit", "why"), [("t34_43", "6.6.1.1-target"), ("s_sqd41", "6.6.1.2-target")])
def test_a_target_that_is_too_far_is_refused_by_the_rule_of_its_kind(unit: str, why: str) -> None:
    made = closing(battle(SQUAD, f'{{ unit = "{unit}", at = ["1-B6"] }}', (90, 10)))
    assert refused(made, "german", Assault("german-1", "soviet-1")) == why
