"""Close Assault and Hand-to-Hand Combat [6.6.1]: who attacks, modifiers, results, advances."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from opfire.ai import players
from opfire.core.game import Game
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.close_assault import Band, assault, defense, settle, unsupported
from opfire.rulesets.panzer.fire.close_combat import Assault, Close, CloseCombatStep, Occupy, Occupying
from opfire.rulesets.panzer.fire.direct_fire import Announce, Keep, Reveal
from opfire.rulesets.panzer.fire.hand_to_hand import regrouped, resolve, roll_off
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.moving.going import Move
from opfire.rulesets.panzer.pieces import CommandName, Position
from opfire.rulesets.panzer.sequence import RollInitiative
from rules.panzer.battle import OPEN, game, refused, text, told
from rules.panzer.kit import CHARTS, rule

SQUAD = '{ unit = "g_sqd41", at = ["1-B4"] }'
TANK = '{ unit = "t34_43", at = ["1-B5"] }'


def battle(german: str = SQUAD, soviet: str = TANK, script: tuple[int, ...] = (), board: str = OPEN) -> Game[Position]:
    """Germans next to Soviets in the Advanced Game."""
    sides = {"german": f"units = [{german}]", "soviet": f"units = [{soviet}]"}
    return game(text(board=board, options=("AG",), **sides), script)


def closing(
    made: Game[Position], german: CommandName = "move", soviet: CommandName = "no command", many: int = 1
) -> Game[Position]:
    """The Germans are the First Player, before their Close Combat Step."""
    made.state.spots = {name: tuple(made.state.units) for name in made.state.units}
    orders = tuple(Command(f"german-{n}", german, "german-1" if n > 1 else "") for n in range(1, many + 1))
    made.play("german", HandIn(orders))
    made.play("soviet", HandIn((Command("soviet-1", soviet),)))
    made.play(made.asked()[0], RollInitiative())
    while not isinstance(made.stack[-1], CloseCombatStep):
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    return made


def changes(made: Game[Position], advanced: bool = False, dismounted: bool = False) -> dict[str, int]:
    """The modifiers of an assault by all Germans, by their rules."""
    units = tuple(made.state.of("german"))
    found = assault(made.state, Band(units, advanced, dismounted), made.state.units["soviet-1"])
    return {line.rule: line.amount for line in found.lines if line.kind == "modifier"}


# --- Close Assault: factors and modifiers [6.6.1.1.1, 6.6.1.1.2]


@rule("6.6.1.1.1-order", "6.6.1.1.1-factor", "6.6.1.1.1-cap")
@pytest.mark.parametrize(("unit", "factor"), [("g_sqd41", 8), ("g_sqd41_h", 4), ("g_chq", 2)])
def test_the_primary_attacker_gives_the_factor_and_the_defense_is_five_at_most(unit: str, factor: int) -> None:
    made = battle(f'{{ unit = "{unit}", at = ["1-B4"] }}', '{ unit = "is2_43", at = ["1-B5"] }')
    target = made.state.units["soviet-1"]
    assert target.vehicle.gp_defense > 5
    assert [line.amount for line in defense(target)] == [5]
    found = assault(made.state, Band((made.state.units["german-1"],)), target)
    assert found.lines[0].amount == factor
    assert defense(battle(soviet='{ unit = "tg_kubel", at = ["1-B5"] }').state.units["soviet-1"])[0].amount == 1


@rule("6.6.1.1.2", "6.6.1.1.2-adv", "6.6.1.1.2-dis", "6.6.1.1.2-mov", "6.6.1.1.2-sup", "6.6.1.1.2-flame")
def test_the_modifiers_of_a_close_assault() -> None:
    made = battle()
    assert changes(made) == {}
    assert changes(made, advanced=True, dismounted=True) == {"6.6.1.1.2-adv": -10, "6.6.1.1.2-dis": -10}
    made.state.change("soviet-1", moving=True, suppression="on")
    made.state.change("german-1", weapons=("ft_man",), suppression="on", grade="green")
    assert changes(made) == {
        "6.6.1.1.2-mov": -10,
        "6.6.1.1.2-sup": 20,
        "6.6.1.1.2-flame": 20,
        "6.6.1.1.2-grade": CHARTS.unit_grades["green"].hand_to_hand,
    }


@rule("6.6.1.1.2-p", "6.6.1.1.2-s", "6.6.1.1.2-c", "6.6.1.1.2")
def test_the_kind_of_the_vehicle_weighs_on_a_close_assault() -> None:
    assert changes(battle(soviet='{ unit = "tg_kubel", at = ["1-B5"] }')) == {"6.6.1.1.2-s": 30}
    protected = next(card.id for card in CHARTS.vehicles.values() if card.target == "P")
    assert changes(battle(soviet=f'{{ unit = "{protected}", at = ["1-B5"] }}'))["6.6.1.1.2-p"] == 20
    bare = next(card.id for card in CHARTS.vehicles.values() if card.close_assault_c and card.target == "A")
    assert changes(battle(soviet=f'{{ unit = "{bare}", at = ["1-B5"] }}')) == {"6.6.1.1.2-c": 20}


@rule("6.6.1.1.2-plus", "6.6.1.1-one")
def test_additional_attackers_help_by_their_size() -> None:
    many = '{ unit = "g_sqd41", count = 3, at = ["1-B4"] }, { unit = "g_chq", at = ["1-B4"] }'
    made = battle(many)
    units = tuple(made.state.of("german"))
    found = assault(made.state, Band(units), made.state.units["soviet-1"])
    assert [line.amount for line in found.lines if line.rule == "6.6.1.1.2-plus"] == [40, 5]


@rule("6.6.1.1.2-unsup", "6.6.1.1.2-support")
def test_a_squad_supports_two_vehicles_in_close_terrain() -> None:
    woods = OPEN.replace("\n. . .", "\n. W .")
    tanks = '{ unit = "t34_43", count = 3, at = ["1-B5"] }'
    made = battle(soviet=tanks, board=woods)
    assert changes(made)["6.6.1.1.2-unsup"] == 30
    made = battle(soviet=f'{tanks}, {{ unit = "s_sqd41", at = ["1-B5"] }}', board=woods)
    assert [unsupported(made.state, tank) for tank in made.state.of("soviet")[:3]] == [False, False, True]
    made.state.change("soviet-4", kind=CHARTS.legs["s_sqd41_h"])
    assert [unsupported(made.state, tank) for tank in made.state.of("soviet")[:3]] == [False, True, True]
    made.state.change("soviet-4", hex=None, carrier="soviet-3", status="mounted")
    assert [unsupported(made.state, tank) for tank in made.state.of("soviet")[:3]] == [True, True, False]
    assert not unsupported(battle(soviet=tanks).state, battle(soviet=tanks).state.units["soviet-1"])


@rule("6.6.1.1.2-up", "6.6.1.1-target")
def test_uphill_attacks_are_harder_and_two_levels_are_too_many() -> None:
    made = closing(battle(script=(90, 10), board=OPEN.replace("\n. . .", "\n. 1 .")))
    assert changes(battle(board=OPEN.replace("\n. . .", "\n. . ."))) == {}
    hill = OPEN.splitlines()
    row = hill.index("hexes = '''") + 5
    hill[row] = ". 1 . . . . . . . . . ."
    one = battle(board="\n".join(hill))
    assert changes(one) == {"6.6.1.1.2-up": -10}
    hill[row] = ". 2 . . . . . . . . . ."
    made = closing(battle(script=(90, 10), board="\n".join(hill)))
    assert refused(made, "german", Assault("german-1", "soviet-1")) == "6.6.1.1-target"


# --- Close Assault: who [6.6.1.1]


@rule("6.6.1.1-who", "6.6.1.1-cmd", "6.6.1.2-who")
def test_only_sound_leg_units_with_move_commands_attack() -> None:
    guns = f'{SQUAD}, {{ unit = "t_75", at = ["1-B4"] }}'
    made = closing(battle(guns, script=(90, 10)), many=1)
    made.state.change("german-2", command="move")
    assert refused(made, "german", Assault("german-1", "soviet-1")) is None
    assert refused(made, "german", Assault("german-2", "soviet-1")) == "6.6.1.1-who"
    made.state.change("german-1", suppression="off")
    assert refused(made, "german", Assault("german-1", "soviet-1")) == "6.6.1.1-who"
    made.state.change("german-1", suppression="", command="overwatch")
    assert refused(made, "german", Assault("german-1", "soviet-1")) == "6.6.1.1-cmd"
    made.state.change("soviet-1", kind=CHARTS.legs["s_sqd41"])
    assert refused(made, "german", Assault("german-1", "soviet-1")) == "6.6.1.2-who"


@rule("6.6.1.1-target", "6.6.1.2-target")
def test_targets_are_adjacent_and_spotted() -> None:
    made = closing(battle(soviet='{ unit = "t34_43", at = ["1-B6"] }', script=(90, 10)))
    assert refused(made, "german", Assault("german-1", "soviet-1")) == "6.6.1.1-target"
    assert refused(made, "german", Assault("german-1", "soviet-1", "1-B5")) is None
    made = closing(battle(script=(90, 10)))
    made.state.spots = {}
    assert refused(made, "german", Assault("german-1", "soviet-1")) is None  # it spots the tank now


@rule("6.6.1", "6.6.1.1-announce")
def test_the_step_is_skipped_where_no_squad_is_near() -> None:
    made = battle(soviet='{ unit = "t34_43", at = ["1-H5"] }', script=(90, 10))
    made.play("german", HandIn((Command("german-1", "move"),)))
    made.play("soviet", HandIn())
    made.play(made.asked()[0], RollInitiative())
    steps = set()
    while made.stack[-1].step != "movement":
        steps.add(made.stack[-1].step)
        made.play(made.asked()[0], Pass() if isinstance(made.stack[-1], Overwatch) else EndStep())
    assert "close combat" not in steps


# --- Close Assault: results [6.6.1.1.3]


@rule("6.6.1.1.3-eff", "6.6.1.1.3-kill", "6.6.1.1.3-occupy")
@pytest.mark.parametrize(("roll", "wreck"), [(4, "BU"), (5, "KO")])
def test_a_squad_destroys_a_tank_and_enters_its_hex(roll: int, wreck: str) -> None:
    made = closing(battle(script=(90, 10, 97, roll)))
    made.play("german", Assault("german-1", "soviet-1"))
    made.play("german", Close())
    made.play("soviet", Keep())
    assert made.state.wrecks == {"1-B5": wreck}
    assert isinstance(made.stack[-1], Occupying)
    made.play("german", Occupy("german-1"))
    assert made.state.units["german-1"].hex == "1-B5"
    assert made.state.units["german-1"].seen_as == "move"
    made.play("german", EndStep())
    assert refused(made, "german", Move("german-1", "1-B6")) is not None


@rule("6.6.1.1.3-kill", "6.6.1.1.2-flame", "5.1.3.5")
def test_a_flamethrower_always_brews_up() -> None:
    made = closing(battle(script=(90, 10, 97)))
    made.state.change("german-1", weapons=("ft_man",))
    made.play("german", Assault("german-1", "soviet-1"))
    made.play("german", Close())
    made.play("soviet", Keep())
    assert made.state.wrecks == {"1-B5": "BU"}


@rule("6.6.1.1.3-sup", "6.6.1.1.3-cmd")
def test_a_suppressed_target_keeps_its_command() -> None:
    made = closing(battle(script=(90, 10, 60)), soviet="overwatch")
    made.play("german", Assault("german-1", "soviet-1"))
    made.play("german", Close())
    made.play("soviet", Keep())
    assert told(made, "assaulted") == ["Rifle squad 1 assaults T-34 M43 1: suppressed"]
    tank = made.state.units["soviet-1"]
    assert (tank.suppression, tank.command, tank.revealed) == ("on", "overwatch", False)


@rule("6.6.1.1.3-eff")
def test_effective_results_hold_for_every_type_by_their_last_digit() -> None:
    assert [settle("effective", total) for total in (95, 100, 99)] == ["damaged", "track hit", "destroyed"]
    assert settle("suppressed", 95) == "suppressed"


@rule("6.6.1.1.2-mov", "6.6.1.1.1-order")
def test_the_owner_may_reveal_that_the_target_moves() -> None:
    made = closing(battle(script=(90, 10, 1)), soviet="move")
    made.play("german", Assault("german-1", "soviet-1"))
    made.play("german", Close())
    made.play("soviet", Reveal("soviet-1"))
    (event,) = [event for event in made.events if event.kind == "assaulted"]
    assert event.calculation is not None
    assert ("6.6.1.1.2-mov", -10) in [(line.rule, line.amount) for line in event.calculation.lines]


# --- advances, combinations


@rule("6.6.1.1-adv", "6.6.1.1-ow", "6.6.1.1-who")
@pytest.mark.parametrize("suppressed", [False, True])
def test_an_advance_draws_overwatch_and_who_is_suppressed_does_not_attack(suppressed: bool) -> None:
    roll = 60 if suppressed else 1
    tanks = '{ unit = "t34_43", at = ["1-B6"] }'
    made = closing(battle(soviet=tanks, script=(90, 10, roll, 97, 1)), soviet="overwatch")
    made.play("german", Assault("german-1", "soviet-1", "1-B5"))
    made.play("german", Close())
    assert isinstance(made.stack[-1], Overwatch)
    made.play("soviet", Announce("soviet-1", "german-1", "s76f34 HE"))
    assert bool(made.state.units["german-1"].suppression) is suppressed
    assert len(told(made, "assaulted")) == (0 if suppressed else 1)


@rule("6.6.1.1-adv")
def test_sections_with_weapons_do_not_advance() -> None:
    made = closing(battle('{ unit = "g_hmg", at = ["1-B4"] }', '{ unit = "t34_43", at = ["1-B6"] }', (90, 10)))
    assert refused(made, "german", Assault("german-1", "soviet-1", "1-B5")) == "6.6.1.1-adv"


@rule("6.6.1.1-one", "6.6.1.1-announce")
def test_attackers_in_one_hex_combine_and_those_elsewhere_come_after() -> None:
    squads = '{ unit = "g_sqd41", count = 2, at = ["1-B4"] }, { unit = "g_sqd41", at = ["1-A5"] }'
    made = closing(battle(squads, script=(90, 10, 97, 1)), many=3)
    for number in (1, 2, 3):
        made.play("german", Assault(f"german-{number}", "soviet-1"))
    made.play("german", Close())
    made.play("soviet", Keep())
    assert len(told(made, "assaulted")) == 1  # the tank is gone before the third squad attacks
    units = made.state.units
    assert [units[f"german-{number}"].moved for number in (1, 2, 3)] == [True, True, False]


@rule("6.6.11")
def test_units_that_share_a_command_attack_one_target() -> None:
    squads = '{ unit = "g_sqd41", count = 2, at = ["1-B4"] }'
    made = closing(battle(squads, f'{TANK}, {{ unit = "t34_43", at = ["1-A5"] }}', (90, 10, 1)), many=2)
    made.play("german", Assault("german-1", "soviet-1"))
    made.play("german", Close())
    made.play("soviet", Keep())
    assert refused(made, "german", Assault("german-2", "soviet-2")) == "6.6.11"


# --- Hand-to-Hand Combat [6.6.1.2]

MEN = '{ unit = "s_sqd41", at = ["1-B5"] }'


def lead(made: Game[Position], advanced: bool = False) -> int:
    """The lead of the Germans in the roll-off."""
    return roll_off(made.state, Band(tuple(made.state.of("german")), advanced), made.state.units["soviet-1"]).modifier


@rule("6.6.1.2.1")
def test_equal_squads_have_equal_chances_and_ties_are_rolled_again() -> None:
    made = battle(soviet=MEN)
    found = roll_off(made.state, Band(tuple(made.state.of("german"))), made.state.units["soviet-1"]).chances()
    assert found["a tie"] == Fraction(1, 100)
    assert found["the attacker wins"] == found["the defender wins"]
    made = battle(soviet='{ unit = "s_chq", at = ["1-B5"] }', script=(50, 20, 60, 30))
    resolve(made, Band((made.state.units["german-1"],)), "soviet-1")
    assert len(told(made, "hand to hand")) == 1


@rule("6.6.1.2.2-size", "6.6.1.2.2-sup", "6.6.1.2.2-adv", "6.6.1.2.2-plus", "6.6.1.2.2-grade", "6.6.1.2.1")
def test_the_modifiers_of_hand_to_hand_combat() -> None:
    assert lead(battle(soviet='{ unit = "s_sqd41_h", at = ["1-B5"] }')) == 25
    assert lead(battle(soviet='{ unit = "s_chq", at = ["1-B5"] }')) == 30
    assert lead(battle(soviet='{ unit = "t_75", at = ["1-B5"] }')) == 40
    made = battle(soviet=MEN)
    assert lead(made, advanced=True) == -10
    made.state.change("soviet-1", suppression="off")
    assert lead(made) == 20
    made.state.change("soviet-1", suppression="", grade="elite", weapons=("ft_man",))
    assert lead(made) == -20 - CHARTS.unit_grades["elite"].hand_to_hand
    assert lead(battle('{ unit = "g_sqd41", count = 2, at = ["1-B4"] }', MEN)) == 20
    assert lead(battle('{ unit = "g_cav", at = ["1-B4"] }', MEN)) == 20


@rule("6.6.1.2.3-att", "6.6.1.2.3-end", "6.6.1.2.1")
def test_a_squad_is_halved_and_then_eliminated() -> None:
    made = battle(soviet=MEN, script=(60, 59, 60, 84))
    resolve(made, Band((made.state.units["german-1"],)), "soviet-1")
    assert told(made, "reduced") == ["Rifle squad 1941 1 is reduced to a half-squad"]
    assert made.state.units["soviet-1"].status == "eliminated"
    assert made.state.units["german-1"].suppression == ""


@rule("6.6.1.2.3-def", "6.6.1.2.3-end")
def test_the_defender_wears_the_attackers_down() -> None:
    made = battle(soviet=MEN, script=(10, 90, 10, 90))
    resolve(made, Band((made.state.units["german-1"],)), "soviet-1")
    assert made.state.units["german-1"].status == "eliminated"
    assert made.state.units["soviet-1"].kind.id == "s_sqd41"


@rule("6.6.1.2.3-def")
def test_a_whole_squad_takes_over_from_one_that_is_halved() -> None:
    made = battle('{ unit = "g_sqd41", count = 2, at = ["1-B4"] }', MEN)
    units = tuple(made.state.of("german"))
    made.state.change("german-1", kind=CHARTS.legs["g_sqd41_h"])
    assert regrouped(made.state, Band(units)).primary.id == "german-2"


@rule("6.6.1.2-target", "6.6.1.2.3-end", "6.6.1")
def test_hand_to_hand_combat_in_play_asks_nobody_and_wins_the_hex() -> None:
    made = closing(battle(soviet='{ unit = "s_chq", at = ["1-B5"] }', script=(90, 10, 60, 50)))
    made.play("german", Assault("german-1", "soviet-1"))
    made.play("german", Close())
    assert made.state.units["soviet-1"].status == "eliminated"
    assert isinstance(made.stack[-1], Occupying)


# --- players


GERMANS = """units = [
    { unit = "g_sqd41", count = 2, at = ["1-B4"] },
    { unit = "g_chq", at = ["1-A5"] },
    { unit = "stug3g", at = ["1-A4"] },
]"""
SOVIETS = """units = [
    { unit = "s_sqd41", count = 2, at = ["1-B5"] },
    { unit = "t34_43", at = ["1-C5"] },
    { unit = "t_75", at = ["1-C6"] },
]"""


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_a_melee_comes_to_an_end(player: str) -> None:
    fights = 0
    for seed in range(12):
        made, rng = game(text(german=GERMANS, soviet=SOVIETS, options=("AG",)), None, seed), random.Random(seed)
        seated = {side: players()[player] for side in ("german", "soviet")}
        while made.stack:
            seat = made.asked()[0]
            made.play(seat, seated[seat].choose(made, seat, rng))
            fights += len(told(made, "assaulted")) + len(told(made, "hand to hand"))
    assert fights


def test_greedy_joins_its_squads_for_an_assault() -> None:
    made = closing(battle('{ unit = "g_sqd41", count = 2, at = ["1-B4"] }', MEN, (90, 10)), many=2)
    made.state.change("soviet-1", suppression="on")
    greedy, rng = players()["greedy"], random.Random(0)
    first = greedy.choose(made, "german", rng)
    assert isinstance(first, Assault)
    made.play("german", first)
    second = greedy.choose(made, "german", rng)
    assert isinstance(second, Assault)
    made.play("german", second)
    assert greedy.choose(made, "german", rng) == Close()
