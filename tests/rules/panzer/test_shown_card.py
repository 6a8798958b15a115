"""The Data Card and the overlay that the client draws: every number is the charts' own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from opfire.core.cards import Thread
from opfire.core.game import SPECTATOR
from opfire.rulesets.panzer.fire.arcs import ahead
from opfire.rulesets.panzer.fire.direct_fire import Announce, EndStep, Keep, Resolve
from opfire.rulesets.panzer.shown import card, overlay
from rules.panzer.battle import OPEN, commanded, game, text
from rules.panzer.kit import CHARTS, rule


def shown(**sides: str) -> dict[str, Any]:
    made = game(text(**sides))
    return card.card(made.sight("german"), "german", unit="german-1", at="soviet-1")


@rule("6.5.2.3")
def test_plates_are_the_armor_factors_of_the_card() -> None:
    """A Pz IV H shows front plates alone from ahead, front and side plates from the front side."""
    plates = {(one["angle"], one["part"], one["face"]): one["value"] for one in shown()["plates"]}
    row = CHARTS.armour["pz4h", "level"]
    assert plates["front", "turret", "front"] == row.front_tf
    assert plates["front side", "hull", "side"] == row.front_side_hs
    assert plates["rear", "hull", "rear"] == row.rear_hr
    assert [face for angle, part, face in plates if (angle, part) == ("front", "hull")] == ["front"]
    assert len(plates) == 12


@rule("3.5.2")
def test_curves_fall_with_the_range_as_the_card_says() -> None:
    curve = shown()["curves"][0]
    (weapon,) = [row for row in CHARTS.rows_of(CHARTS.vehicles["pz4h"].main, "V", "AP") if row.ammo == "AP"]
    assert [(band["name"], band["distance"], band["penetration"]) for band in curve["bands"]] == [
        (band, weapon.reach(band), weapon.value(band)) for band in ("P", "S", "M", "L", "E")
    ]


@rule("6.5.2.2", "6.5.2.5")
def test_one_hit_by_location_has_chances_that_sum_to_one() -> None:
    """From every angle one result in ten is a track hit, which no armor stops."""
    own, back = shown()["duels"]
    assert (own["firer"], back["firer"], own["distance"]) == ("german-1", "soviet-1", 6)
    for duel in (own, back):
        spots = duel["spots"]
        assert sum(Fraction(spot["chance"]) for spot in spots) == 1
        for spot in spots:
            assert sum(Fraction(chance) for _, chance in spot["effects"]) == Fraction(spot["chance"])
    (track,) = [spot for spot in own["spots"] if spot["title"] == "Track"]
    assert (track["chance"], track["armor"]) == ("1/10", None)
    assert dict(track["effects"]) == {"track hit": "1/10"}


@rule("4.4.3.2")
def test_the_roll_of_a_duel_is_that_of_the_attack() -> None:
    made = game(script=(90, 10))
    sight = made.sight("german")
    found = card.duel(sight, sight.units["german-1"], sight.units["soviet-1"])
    commanded(made, {1: "fire"}, {1: "no command"})
    frame = made.stack[-1]
    announced = made.ruleset.preview(made.sight("german"), frame, Announce("german-1", "soviet-1"))
    assert found.shot == announced


@rule("6.5.2.2.3", "6.5.2.3.1")
def test_the_hit_locations_of_a_duel_are_those_of_a_target_that_is_hull_down() -> None:
    """Hull and track hits are misses; the turret is as it was."""
    made = game(text(options=("AG",)))
    before = card.duel(made.state, *(made.state.units[name] for name in ("german-1", "soviet-1"))).spots
    made.state.change("soviet-1", hull_down="full")
    after = card.duel(made.state, *(made.state.units[name] for name in ("german-1", "soviet-1"))).spots
    assert {spot.title for spot in after} == {spot.title for spot in before}
    for spot in after:
        assert ([name for name, _ in spot.effects] == ["miss"]) == (not spot.title.startswith("Turret"))


@rule("6.5.2.2.2", "6.5.2.3.1")
def test_the_hit_locations_of_a_duel_from_a_top_floor_have_the_deck() -> None:
    board = OPEN.replace("hexes = '''\n. .", "storeys = { A1 = 3 }\nhexes = '''\nB .")
    units = 'units = [{ unit = "g_sqd44", at = ["1-A1"] }]'
    made = game(text(board=board, german=units, soviet='units = [{ unit = "t34_43", at = ["1-A2"] }]', options=("AG",)))
    squad = made.state.change("german-1", weapons=("pzb39",), upper=True)
    titles = {spot.title for spot in card.duel(made.state, squad, made.state.units["soviet-1"]).spots}
    assert "Deck" in titles


@rule("4.4.3")
def test_a_vehicle_that_cannot_fire_at_the_other_has_the_reason_in_place_of_a_roll() -> None:
    """A Pz I has machine guns only; the T-34 fires at it all the same."""
    own, back = shown(german='units = [{ unit = "pz1b", at = ["1-A4"] }]')["duels"]
    assert (own["shot"], own["rule"]) == (None, "4.4.3")
    assert back["shot"] is not None


@pytest.mark.parametrize(("kind", "everywhere"), [("pz4h", True), ("stug3g", False)])
@rule("4.4.3.1.2", "4.4.3.1.3")
def test_the_field_of_fire_is_that_of_the_gun_in_bands(kind: str, everywhere: bool) -> None:
    made = game(text(german=f'units = [{{ unit = "{kind}", at = ["1-F4"] }}]'))
    sight = made.sight("german")
    areas = [area for area in overlay.overlay(sight, "german", unit="german-1").areas if area.kind == "fire"]
    hexes = [hex for area in areas for hex in area.places]
    coords, facing = sight.map.coords, sight.units["german-1"].facing
    assert len(hexes) == len(set(hexes))
    assert "1-F4" not in hexes
    assert all(ahead(coords["1-F4"], facing, coords[hex]) for hex in hexes) is not everywhere


@rule("4.1")
def test_spots_are_lines_both_ways() -> None:
    made = game()
    found = overlay.overlay(made.sight("german"), "german", unit="german-1").threads
    assert Thread("spots", "german-1", "soviet-1", "spots T-34 M43 1") in found
    assert Thread("spotted", "soviet-1", "german-1", "spotted by T-34 M43 1") in found


@rule("4.4.2-a")
def test_the_chain_names_the_own_units_that_may_answer_each_shot() -> None:
    """The Germans fire; a Soviet tank on overwatch may answer. Nobody else is told which may."""
    made = game(script=(90, 10, 99, 1))
    commanded(made, {1: "fire"}, {1: "overwatch"})
    while made.stack[-1].step != "overwatch":
        side = made.asked()[0]
        offers = [Announce("german-1", "soviet-1"), Resolve(), Keep(), EndStep()]
        made.play(side, next(act for act in offers if made.why_not(side, act) is None))
    assert made.view("soviet")["answers"] == [{"target": "german-1", "by": ["soviet-1"]}]
    assert made.view("german")["answers"] == [{"target": "german-1", "by": []}]
    assert made.view(SPECTATOR)["answers"] == [{"target": "german-1", "by": []}]
