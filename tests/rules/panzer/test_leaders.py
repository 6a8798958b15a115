"""Leaders [7.55]."""

from __future__ import annotations

import pytest

from opfire.core.errors import BadInput
from opfire.core.game import Game
from opfire.rulesets.panzer import leaders
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.close_assault import Band, assault
from opfire.rulesets.panzer.fire.hand_to_hand import roll_off
from opfire.rulesets.panzer.fire.overrun import reckoned
from opfire.rulesets.panzer.leaders import Transfer, TransferStep
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.sequence import RollInitiative
from opfire.rulesets.panzer.sighting.spots import conditions
from opfire.rulesets.panzer.suppression import recovery
from rules.panzer.battle import game, refused, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army

UNITS = army(("g_sqd44", "1-A4"), ("g_sqd44", "1-A4"), ("g_sqd44", "1-A7"), ("pz4h", "1-A4"))


def led(
    body: str = 'leaders = { g_sqd44 = ["captain"] }', options: tuple[str, ...] = ("7.55",), dice: tuple[int, ...] = ()
) -> Game[Position]:
    """Three squads and a tank of one formation; the first squad has a captain."""
    german = f'{UNITS}\n[[sides.german.formations]]\nname = "1."\ngrade = "seasoned"\n'
    german += f"units = {{ g_sqd44 = 3, pz4h = 1 }}\n{body}\n"
    return game(text(german=german, soviet=FAR, options=("AG", *options)), (90, 10, *dice))


def helped(state: Position, name: str, of: leaders.Effect) -> int:
    return sum(line.amount for line in leaders.lines(state, state.units[name], of))


@rule("7.55.1-attach")
def test_a_scenario_attaches_leaders_by_rank() -> None:
    state = led().state
    assert [state.units[f"german-{n}"].leader for n in (1, 2, 3, 4)] == ["captain", "", "", ""]
    with pytest.raises(BadInput, match="leader 'tsar'"):
        led('leaders = { g_sqd44 = ["tsar"] }')


@rule("7.55.2-types", "7.55.2-one")
def test_a_leader_helps_his_unit_in_all_and_others_in_nothing() -> None:
    row, state = CHARTS.leaders["captain"], led().state
    effects: tuple[leaders.Effect, ...] = ("ap", "gp", "recovery", "morale", "spotting", "response")
    found = [helped(state, "german-1", of) for of in effects]
    assert found == [row.ap, row.gp, -row.recovery, row.morale, row.spotting, 0]
    assert not any(helped(state, "german-2", of) for of in effects)
    assert not any(helped(led(options=()).state, "german-1", of) for of in effects)


@rule("7.55.2-hq", "7.55.2-types")
@pytest.mark.parametrize(
    ("label", "helps"), [("FO", True), ("CHQ", True), ("BHQ", True), ("Recon", True), ("Engineer", False)]
)
def test_a_leader_helps_an_observer_as_fo_or_headquarters_or_with_recon_units(label: str, helps: bool) -> None:
    state = led(f'labels = {{ {label} = {{ g_sqd44 = 1 }} }}\nleaders = {{ g_sqd44 = ["captain"] }}').state
    assert helped(state, "german-1", "response") == (CHARTS.leaders["captain"].response if helps else 0)


HQ = 'labels = { CHQ = { g_sqd44 = 1 } }\nleaders = { g_sqd44 = ["captain"] }'
GP = CHARTS.leaders["captain"].gp


@rule("7.55.2-hq", "7.55.2-types")
def test_a_leader_counts_once_in_the_close_assault_in_which_he_takes_part() -> None:
    """The attached unit need not be the primary attacker; headquarters next to the combat do not help."""
    for body in (HQ, 'leaders = { g_sqd44 = ["captain"] }'):
        state = led(body).state
        one, two, tank = state.units["german-1"], state.units["german-2"], state.units["soviet-1"]
        found = [assault(state, Band(units), tank) for units in ((one,), (two, one), (two,))]
        assert [[line.amount for line in each.lines if line.label == "Leader"] for each in found] == [[GP], [GP], []]
    both = led('leaders = { g_sqd44 = ["captain", "junior officer"] }').state
    mixed = assault(both, Band(tuple(both.pick(("german-1", "german-2")))), both.units["soviet-1"])
    assert [line.amount for line in mixed.lines if line.label == "Leader"] == [GP]


@rule("7.55.2-hq", "7.55.2-types")
def test_leaders_of_both_sides_count_hand_to_hand() -> None:
    soviet = army(("s_sqd41", "1-B4"), ("s_sqd41", "1-B4")) + (
        '\n[[sides.soviet.formations]]\nname = "1."\ngrade = "seasoned"\nunits = { s_sqd41 = 2 }\n'
        'leaders = { s_sqd41 = ["captain"] }\n'
    )
    german = army(("g_sqd44", "1-A4"))
    state = game(text(german=german, soviet=soviet, options=("AG", "7.55"))).state
    led_, plain, other = state.units["soviet-1"], state.units["soviet-2"], state.units["german-1"]
    assert roll_off(state, Band((led_,)), other).modifier == roll_off(state, Band((plain,)), other).modifier + GP
    assert roll_off(state, Band((other,)), led_).modifier == roll_off(state, Band((other,)), plain).modifier - GP


@rule("7.55.2-hq")
@pytest.mark.parametrize(("leader", "helps"), [("german-1", False), ("german-4", True)])
def test_only_the_leader_of_the_vehicle_itself_counts_in_an_overrun(leader: str, helps: bool) -> None:
    german = (
        f'{army(("g_sqd44", "1-A4"), ("pz4h", "1-A5"))}\n[[sides.german.formations]]\nname = "1."\ngrade = "seasoned"\n'
    )
    card = "pz4h" if helps else "g_sqd44"
    german += f"units = {{ g_sqd44 = 1, pz4h = 1 }}\nlabels = {{ CHQ = {{ {card} = 1 }} }}\n"
    target = army(("s_sqd41", "1-B5"))
    plain = game(text(german=german, soviet=target, options=("AG", "7.55"))).state
    led_ = game(
        text(german=f'{german}leaders = {{ {card} = ["captain"] }}\n', soviet=target, options=("AG", "7.55"))
    ).state
    made = [reckoned(state, state.units["german-2"], state.units["soviet-1"]) for state in (plain, led_)]
    assert made[1].modifier - made[0].modifier == (GP if helps else 0)


@rule("7.55.2-hq")
def test_a_headquarters_aboard_a_vehicle_still_helps_its_formation() -> None:
    state = led(HQ).state
    state.change("german-1", hex=None, carrier="german-4", status="mounted")
    assert helped(state, "german-2", "gp") == GP


@rule("7.55.2-hq")
def test_the_leader_of_a_headquarters_helps_his_formation_in_command_range() -> None:
    state = led('labels = { CHQ = { g_sqd44 = 1 } }\nleaders = { g_sqd44 = ["captain"] }').state
    row = CHARTS.leaders["captain"]
    assert [helped(state, "german-2", of) for of in leaders.WIDE] == [row.ap, row.gp, -row.recovery, row.morale]
    assert [helped(state, "german-2", of) for of in ("spotting", "response")] == [0, 0]
    assert not any(helped(state, "german-3", of) for of in leaders.WIDE)  # three hexes away


@rule("7.55.2-one")
def test_the_best_of_several_leaders_counts_alone() -> None:
    body = 'labels = { CHQ = { g_sqd44 = 1 } }\nleaders = { g_sqd44 = ["captain", "nco"] }'
    assert helped(led(body).state, "german-2", "recovery") == -max(
        CHARTS.leaders[rank].recovery for rank in ("captain", "nco")
    )


@rule("7.55.2-morale", "7.55.2-one")
def test_leaders_enter_recovery_morale_and_spotting() -> None:
    state = led('labels = { CHQ = { g_sqd44 = 1 } }\nleaders = { g_sqd44 = ["captain"] }').state
    other = state.units["german-2"]
    assert recovery(state, other).modifier == -CHARTS.leaders["captain"].recovery
    checked = checks.calculation(state, other, forced=False)
    assert checked.modifier == 20 + CHARTS.leaders["captain"].morale  # besides the command unit's 20
    assert sum(line.amount for line in conditions(state, state.units["german-1"], state.units["soviet-1"])) == 1


@rule("7.55.2-one")
def test_a_leader_commands_his_unit_for_nothing() -> None:
    sheet = HandIn(tuple(Command(f"german-{n}", "overwatch") for n in (1, 2, 3)))
    assert refused(led(), "german", sheet) is None
    assert refused(led("", ()), "german", sheet) == "6.2.1.1"


def adjusting(made: Game[Position]) -> Game[Position]:
    for side in ("german", "soviet"):
        made.play(side, HandIn())
    made.play(made.asked()[0], RollInitiative())
    while not isinstance(made.stack[-1], TransferStep):
        made.play(made.asked()[0], EndStep())
    return made


@rule("7.55.1-transfer")
def test_leaders_transfer_after_the_recovery_from_suppression() -> None:
    """A unit that has just recovered lets its leader go; 1 recovers whatever the grade."""
    made = led(dice=(1,))
    made.state.change("german-1", suppression="off")
    made = adjusting(made)
    assert made.state.units["german-1"].suppression == ""
    assert refused(made, "german", Transfer("german-1", "german-2")) is None


@rule("7.55.1-transfer")
def test_a_leader_does_not_gain_the_office_of_the_unit_that_he_joins() -> None:
    """He does not act as its headquarters, and leaves its office behind when he goes on."""
    made = led("labels = { CHQ = { g_sqd44 = 1 } }")
    made.state.change("german-2", leader="captain")
    made = adjusting(made)
    made.play("german", Transfer("german-2", "german-1"))
    assert made.state.units["german-1"].leader == "captain"
    assert made.state.units["german-1"].labels == ("CHQ",)
    assert helped(made.state, "german-1", "gp") == GP
    assert helped(made.state, "german-2", "gp") == 0
    assert helped(made.state, "german-1", "response") == 0
    made.play("german", Transfer("german-1", "german-2"))
    assert (made.state.units["german-1"].labels, made.state.units["german-2"].labels) == (("CHQ",), ())


@rule("7.55.1-transfer")
def test_a_leader_joins_a_squad_in_his_hex_with_his_office() -> None:
    made = adjusting(led('labels = { CHQ = { g_sqd44 = 1 } }\nleaders = { g_sqd44 = ["captain"] }'))
    assert refused(made, "german", Transfer("german-1", "german-3")) == "7.55.1-transfer"
    assert refused(made, "german", Transfer("german-1", "german-4")) == "7.55.1-transfer"
    made.play("german", Transfer("german-1", "german-2"))
    units = made.state.units
    assert (units["german-1"].leader, units["german-2"].leader) == ("", "captain")
    assert (units["german-1"].labels, units["german-2"].labels) == ((), ("CHQ",))


@rule("7.55.1-transfer")
@pytest.mark.parametrize(
    ("values", "may"), [({}, True), ({"suppression": "off"}, False), ({"morale": "hesitating"}, False)]
)
def test_a_leader_does_not_leave_a_shaken_unit(values: dict[str, object], may: bool) -> None:
    made = adjusting(led())
    made.state.change("german-1", **values)
    made.state.change("german-2", suppression="on")
    assert (refused(made, "german", Transfer("german-1", "german-2")) is None) == may


@rule("7.55.1-attach")
def test_a_leader_is_lost_with_his_unit() -> None:
    made = led('labels = { CHQ = { g_sqd44 = 1 } }\nleaders = { g_sqd44 = ["captain"] }')
    made.state.lift("german-1", "eliminated")
    assert not helped(made.state, "german-2", "gp")
