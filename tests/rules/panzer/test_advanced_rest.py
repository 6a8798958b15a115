"""Single rules of the Advanced Game's ground battle: Limited weapons, advances on wheels and horses, ammunition."""

from __future__ import annotations

import pytest

from opfire.core.actions import Refusal
from opfire.rulesets.panzer.fire.arms import arms_of, cannot_use
from opfire.rulesets.panzer.fire.close_combat import cannot_advance, cannot_attack, farthest
from opfire.rulesets.panzer.fire.overrun import cannot_overrun
from opfire.rulesets.panzer.pieces import Position, Unit
from rules.panzer.battle import OPEN, game, text
from rules.panzer.kit import CHARTS, rule
from rules.panzer.moves import FAR, army


def fielded(german: str, soviet: str = FAR, board: str = OPEN, options: tuple[str, ...] = ()) -> Position:
    """The position of an Advanced Game at its start, in which each side has spotted all."""
    state = game(text(board=board, german=german, soviet=soviet, options=("AG", *options))).state
    state.spots = {name: tuple(state.units) for name in state.units}
    return state


def row(number: int, words: str) -> str:
    """The open board with another row, counted from 1."""
    lines = OPEN.splitlines()
    lines[lines.index("hexes = '''") + number] = words
    return "\n".join(lines)


# --- Limited weapons [6.1.4.1.2-a]


def blocked(state: Position, unit: Unit) -> dict[str, str | None]:
    """The rules that keep each weapon of a vehicle from firing at the first Soviet unit."""
    found: dict[str, str | None] = {}
    for arm in arms_of(state, unit):
        refusal = cannot_use(state, unit, arm, state.units["soviet-1"])
        found[arm.name] = refusal.rule if refusal else None
    return found


@rule("6.1.4.1.2-a")
def test_a_limited_weapon_is_silent_when_its_vehicle_is_hull_down() -> None:
    state = fielded(army(("m3lee", "1-A4")), army(("t34_43", "1-A8")))
    lee = state.change("german-1", facing=3)
    hull, turret = "u75m2 AP", "u37 AP"
    assert blocked(state, lee)[hull] is None
    assert blocked(state, state.change("german-1", hull_down="partial"))[hull] is None
    found = blocked(state, state.change("german-1", hull_down="full"))
    assert (found[hull], found[turret]) == ("6.1.4.1.2-a", None)


@rule("6.1.4.1.2-a")
def test_a_limited_weapon_is_silent_inside_bricks_but_not_in_the_alley() -> None:
    state = fielded(army(("m3lee", "1-A4")), army(("t34_43", "1-A8")), row(4, "B . . . . . . . . . . ."))
    assert blocked(state, state.change("german-1", facing=3))["u75m2 AP"] is None
    assert blocked(state, state.change("german-1", inside=True))["u75m2 AP"] == "6.1.4.1.2-a"


@rule("6.1.4.1.2-a")
def test_the_hull_gun_of_a_vehicle_without_the_note_fires_hull_down() -> None:
    free = next(card for card in CHARTS.vehicles.values() if card.second_hull and not card.limited)
    state = fielded(army((free.id, "1-A4")), army(("t34_43", "1-A8")))
    assert "6.1.4.1.2-a" not in blocked(state, state.change("german-1", facing=3, hull_down="full")).values()


# --- advances on wheels and horses [6.6.4.4-ca, 6.6.4.5-ca]


@rule("6.6.4.4-ca", "6.6.4.5-ca")
@pytest.mark.parametrize(("unit", "most"), [("g_sqd41", 1), ("g_recon", 2), ("g_cav", 2)])
def test_motorcycles_and_cavalry_advance_with_half_of_their_allowance(unit: str, most: int) -> None:
    assert farthest(fielded(army((unit, "1-A4"))).units["german-1"]) == most


@rule("6.6.4.4-ca")
def test_a_motorcycle_advances_at_the_cost_of_wheels() -> None:
    board = row(5, "g . . . . . . . . . . .")
    squad, riders = (fielded(army((unit, "1-A4")), board=board) for unit in ("g_sqd41", "g_recon"))
    assert board_word(squad, "1-A5") == ("light grove",)
    assert cannot_advance(squad, squad.units["german-1"], "1-A5") is None
    assert cannot_advance(riders, riders.units["german-1"], "1-A5") is None
    rough = fielded(army(("g_recon", "1-A4")), board=row(5, "r . . . . . . . . . . ."))
    assert refused_by(cannot_advance(rough, rough.units["german-1"], "1-A5")) == "6.6.1.1-adv"


def board_word(state: Position, hex: str) -> tuple[str, ...]:
    return tuple(state.map.cells[hex].terrain)


def refused_by(refusal: Refusal | None) -> str | None:
    return refusal.rule if refusal else None


# --- suppressed units in close combat [6.6.2-or]


@rule("6.6.2-or")
def test_suppressed_vehicles_overrun_but_suppressed_squads_do_not_assault() -> None:
    state = fielded(army(("pz4h", "1-B4"), ("g_sqd41", "1-B4")), army(("s_sqd41", "1-B5")))
    tank = state.change("german-1", command="move", suppression="on", facing=3)
    assert cannot_overrun(state, tank, state.units["soviet-1"]) is None
    squad = state.change("german-2", command="move", suppression="off")
    assert refused_by(cannot_attack("german", squad)) == "6.6.1.1-who"
    assert cannot_attack("german", state.change("german-2", suppression="")) is None
