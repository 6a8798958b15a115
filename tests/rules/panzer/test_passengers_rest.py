"""The modifiers of GP fire against passengers, second reading [6.5.4.2.3, 6.5.4.3-coax, 6.5.4.4, 7.46]."""

from __future__ import annotations

import pytest

from opfire.rulesets.panzer.air import attacks
from opfire.rulesets.panzer.charts import Stores
from opfire.rulesets.panzer.fire.arms import Arm, arms_of
from opfire.rulesets.panzer.fire.shots import Fire, at_passenger
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.indirect.kinds import Fall, Guns, Mission
from opfire.rulesets.panzer.pieces import Position, UnitId
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import army

WOODS = OPEN.splitlines()
WOODS[WOODS.index("hexes = '''") + 4] = ". . w . . . . . . . . ."
WOODED = "\n".join(WOODS)
RIDERS = army(("ts_gazaa", "1-C4"), ("s_sqd41", "ts_gazaa"), ("t34_43", "1-L8"))
BATTERY = "german-battery-1"


def field(german: str, at: str, options: tuple[str, ...] = (), board: str = OPEN, **values: object) -> Position:
    """A German unit, and a Soviet squad aboard a truck in C4."""
    made = game(text(board=board, german=army((german, at)), soviet=RIDERS, options=("AG", *options))).state
    made.change("german-1", **values)
    return made


def arm(position: Position, unit: UnitId, kind: str) -> Arm:
    """The first GP weapon of that kind."""
    return next(arm for arm in arms_of(position, position.units[unit]) if not arm.is_ap and arm.row.kind == kind)


def modifiers(position: Position, kind: str) -> dict[str, int]:
    """The modifiers of the German unit's fire at the squad aboard."""
    shot = Fire(position.units["german-1"], position.units["soviet-2"], arm(position, "german-1", kind))
    found = at_passenger(position, shot, position.units["soviet-1"])
    return {line.rule: line.amount for line in found.lines if line.kind == "modifier"}


@rule("6.5.4.3-coax", "6.5.4.2.3-joint")
def test_a_coaxial_machine_gun_counts_against_passengers_at_point_blank_range() -> None:
    assert CHARTS.vehicles["pz4h"].coax_mg
    assert modifiers(field("pz4h", "1-C3"), "gun") == {"6.5.4.3-coax": 10}
    assert modifiers(field("pz4h", "1-C8"), "gun") == {}
    assert modifiers(field("pz4h", "1-C3", collateral=("coax",)), "gun") == {}


@rule("7.46", "6.5.4.2.3-joint")
def test_mortar_shells_burst_in_the_trees_over_passengers() -> None:
    assert modifiers(field("g_m81", "1-C8", ("7.46",), WOODED), "mortar") == {"7.46": 10}
    assert modifiers(field("g_m81", "1-C8", (), WOODED), "mortar") == {}
    assert modifiers(field("g_m81", "1-C8", ("7.46",)), "mortar") == {}


@rule("7.46", "6.5.4.2.3-joint")
def test_barrages_burst_in_the_trees_over_passengers() -> None:
    for options, more in ((("7.46",), {"7.46": 10}), ((), {})):
        position = field("pz4h", "1-C3", options, WOODED)
        position.batteries[BATTERY] = Guns(id=BATTERY, side="german", name=BATTERY, card=CHARTS.batteries["o_s76"])
        mission = Mission(firer=BATTERY, side="german", fall=Fall("1-C4"))
        found = barrages.attack_aboard(position, mission, position.units["soviet-2"], position.units["soviet-1"])
        assert {line.rule: line.amount for line in found.lines if line.kind == "modifier"} == more


@rule("7.46", "6.5.4.2.3-joint")
@pytest.mark.parametrize(("stores", "amount"), [("bombs", 10), ("rockets", 10), ("strafe", 0)])
def test_bombs_and_rockets_burst_in_the_trees_over_passengers(stores: Stores, amount: int) -> None:
    position = field("pz4h", "1-C3", ("7.46",), WOODED)
    weapon = attacks.weapon(CHARTS.aircraft["a_typh"], stores)
    blow = attacks.Blow("plane", "Typhoon", weapon, "P", ())
    found = attacks.at_passenger(position, blow, position.units["soviet-2"], position.units["soviet-1"])
    assert found.modifier == amount
