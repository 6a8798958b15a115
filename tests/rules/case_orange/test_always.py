"""Conditions at every moment of every game [5 to 8]: watched over random play in a tight place."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from opfire.core.dice import Dice
from opfire.core.game import Game
from opfire.rulesets.case_orange.pieces import Position, Unit, stacked_points
from opfire.rulesets.case_orange.reaction import OpportunityFire, Shoot
from opfire.rulesets.case_orange.sequence import TooMany
from opfire.rulesets.case_orange.spotting import sees
from rules.case_orange.drawing import draw, german, marker, rule, soviet

BOARD = """
.  .  w  .  s  .  .
.  t  w  s  h  .  .
.  t  .  s  s  v  .
.  .  .  .  b  .  .
.  a  .  .  b  .  w
.  .  w  .  .  .  .
"""
FIELDS = {
    "roads": ["A3 B3 C4 D4 E5 F4 G5", "F3 F4"],
    "tracks": ["C4 C5 C6"],
    "gullies": ["D5 D6", "B4 B5"],
    "open": ["C5/C6"],
}
MARKERS = [
    marker("block", "D4"),
    marker("position", "F3"),
    marker("fort", "C3", value="10/5"),
    marker("dug-in", "E5", side="soviet"),
    marker("mines", "C5", value="1:1", side="soviet"),
    marker("wreck", "B5", value="1"),
]
CONCEALING = {"town", "village", "broken", "woods"}
DECISIONS = 350


def tight_place(seed: int) -> Game[Position]:
    """Both sides with a bit of everything, three hexes from each other."""
    game = draw(
        BOARD,
        fields=FIELDS,
        markers=MARKERS,
        step="begin",
        turns=6,
        panzers=german("pz-iv-h", "A1"),
        stug=german("stug-iii-g", "A3"),
        half_track=german("half-track-german", "A2"),
        grenadiers=german("rifle-42-german", carrier="half_track"),
        truck=german("truck-german", "A2"),
        pak=german("pak-75", carrier="truck"),
        pioneers=german("engineer-german", "B3"),
        rifles=german("rifle-42-german", "B3"),
        mortar=german("mortar-81-german", "A5", registered="F3"),
        riders=german("cavalry-42-german", "B1"),
        tanks=soviet("t-34-76", "G2"),
        desant=soviet("smg-43-soviet", carrier="tanks"),
        heavies=soviet("is-2", "G4"),
        guards=soviet("guards-43", "F3", below="position"),
        company=soviet("rifle-43-soviet", "E5", below="dug-in"),
        gun=soviet("at-76", "E2"),
        zis=soviet("truck-soviet", "F5"),
        howitzer=soviet("how-122-soviet", carrier="zis"),
        sappers=soviet("engineer-soviet", "F5"),
        post=soviet("cp-soviet", "F3"),
    )
    game.dice = Dice(random.Random(seed).randbytes(32))
    return game


def moments(seed: int) -> Iterator[Game[Position]]:
    """The game after every decision; ending a segment is drawn seldom, so that much happens."""
    rng, game = random.Random(seed), tight_place(seed)
    for _ in range(DECISIONS):
        yield game
        if not game.stack:
            return
        seat = game.asked()[0]
        choices = list(game.choices(seat))
        active = [choice for choice in choices if choice.kind not in ("done",)]
        game.play(seat, rng.choice(active if active and rng.random() < 0.9 else choices))


def on_the_map(position: Position) -> Iterator[Unit]:
    return (unit for unit in position.units.values() if unit.hex is not None)


@rule("7.1", "5.2.1")
@pytest.mark.parametrize("seed", range(6))
def test_always_no_hex_holds_more_than_four_points_or_units_of_both_sides(seed: int):
    for game in moments(seed):
        position = game.state
        for hex, stack in position.stacks.items():
            assert stacked_points(position, hex) <= 4 or any(isinstance(frame, TooMany) for frame in game.stack)
            assert len({position.units[name].side for name in stack}) == 1


@rule("5.7.1")
@pytest.mark.parametrize("seed", range(6, 10))
def test_always_a_load_is_where_its_carrier_is_and_a_stack_holds_each_unit_once(seed: int):
    for game in moments(seed):
        position = game.state
        stacked = [name for stack in position.stacks.values() for name in stack]
        assert len(stacked) == len(set(stacked))
        for unit in position.units.values():
            if unit.carrier is not None:
                carrier = position.units[unit.carrier]
                assert (carrier.cargo, carrier.hex, unit.id in stacked) == (unit.id, unit.hex, False)
            elif unit.hex is not None:
                assert unit.id in position.stacks[unit.hex]
            if unit.cargo is not None:
                assert position.units[unit.cargo].carrier == unit.id


@rule("8.0", "8.1.2")
@pytest.mark.parametrize("seed", range(10, 16))
def test_always_markers_lie_where_somebody_eligible_looks_and_nowhere_else(seed: int):
    for game in moments(seed):
        position = game.state
        for unit in on_the_map(position):
            if unit.carrier is not None or any(isinstance(frame, TooMany) for frame in game.stack):
                continue
            assert unit.hex is not None
            concealed = bool(CONCEALING.intersection(position.map.cells[unit.hex].terrain))
            eyes = [
                enemy
                for enemy in on_the_map(position)
                if enemy.side != unit.side and enemy.carrier is None and enemy.eligible and enemy.kind.weapon != "C"
            ]
            if unit.spotted:
                assert concealed
                assert any(sees(position, enemy, unit) for enemy in eyes)
            elif concealed:
                assert all(position.map.distance(str(enemy.hex), unit.hex) > 1 for enemy in eyes)


@rule("5.6", "5.5.1", "9.10.1")
@pytest.mark.parametrize("seed", range(16, 20))
def test_always_wrecks_and_blocks_stay_the_lost_stay_lost_and_the_dispersed_are_inverted(seed: int):
    wrecks: dict[str, int] = {}
    gone: dict[str, str] = {}
    for game in moments(seed):
        position = game.state
        assert position.work("1-D4").block
        for hex, works in position.works.items():
            assert works.wreck >= wrecks.get(hex, 0)
            wrecks[hex] = works.wreck
        for unit in position.units.values():
            assert unit.status == gone.get(unit.id, unit.status)
            if unit.status in ("eliminated", "exited"):
                gone[unit.id] = unit.status
            assert not (unit.dispersed and unit.face_up and unit.hex is not None)


@rule("6.0", "6.1.1", "6.1.2")
@pytest.mark.parametrize("seed", range(20, 26))
def test_always_opportunity_fire_is_by_the_other_side_within_half_range_and_together_from_next_door(seed: int):
    for game in moments(seed):
        top = game.stack[-1] if game.stack else None
        if not isinstance(top, OpportunityFire):
            continue
        position = game.state
        assert game.asked() == (position.setting.other[position.current],)
        for shot in game.choices(top.side):
            if isinstance(shot, Shoot):
                firers, target = position.pick(shot.units), position.units[shot.target]
                assert target.hex == top.hex
                assert all(unit.eligible and unit.side == top.side for unit in firers)
                far = [position.map.distance(str(unit.hex), top.hex) for unit in firers]
                assert all(hexes <= unit.kind.range // 2 for hexes, unit in zip(far, firers, strict=True))
                assert len(firers) == 1 or (set(far) == {1} and len({unit.hex for unit in firers}) == 1)
