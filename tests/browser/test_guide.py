"""The pictures of docs/play.md, and the first of docs/panzerblitz-miniatures.md.

They show games of two computer players, stopped where the page of the guide stands. `make pictures` takes them anew;
look at them before they are committed. Here they are only looked for on the table.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.picture import at_rest, no_wider, with_few_colours
from browser.table import Table
from opfire.ai import players
from opfire.core.actions import Action
from opfire.core.match import Match
from opfire.core.scenario import load, text_of
from opfire.rulesets.micro_armour.fire import standard as micro_armour
from opfire.rulesets.panzer.fire.direct_fire import Announce
from opfire.rulesets.panzer_grenadier.command.activation import ActivateLeader, Designate
from opfire.rulesets.panzer_grenadier.fire.direct import FireDirect
from opfire.rulesets.panzerblitz_miniatures.fire import direct as miniatures

PICTURES = Path(__file__).parents[2] / "docs" / "img"
DECISIONS, FIRST_TURN, LED = 600, 3, 3
UNDECIDED = "no such position came up"


def decisions(match: Match) -> Iterator[str]:
    """Two computer players decide; before each decision, from the third turn on, the seat that is asked."""
    rng, sides = random.Random(1), {seat: players()["greedy"] for seat in match.game.seats}
    for _ in range(DECISIONS):
        if match.over:
            return
        side = match.game.asked()[0]
        seat = next(seat for seat, own in match.game.seats.items() if own == side)
        if match.game.view(seat)["turn"] >= FIRST_TURN:
            yield seat
        match.answer(seat, sides[seat].choose(match.game.imagine(seat, rng), seat, rng), "greedy")


def choices(match: Match, seat: str, kind: str) -> list[Any]:
    """The choices of a kind."""
    return [action for action in match.shown(seat).choices(seat) if action.kind == kind]


def in_direct_fire(match: Match) -> None:
    """Until somebody has something to fire at."""
    for seat in decisions(match):
        if match.game.stack[-1].step == "direct" and len(choices(match, seat, "fire")) > 2:
            return
    raise AssertionError(UNDECIDED)


def attack_by_two(match: Match) -> None:
    """Until two units can fire at one target, and do, but for the die."""
    for seat in decisions(match):
        if match.game.stack[-1].step != "direct":
            continue
        for first in choices(match, seat, "fire"):
            match.play(seat, first)
            for second in choices(match, seat, "fire"):
                match.play(seat, second)
                return
            match.undo(seat)
    raise AssertionError(UNDECIDED)


def opportunity(match: Match) -> None:
    """Until somebody is asked about a shot at a unit that moves."""
    for seat in decisions(match):
        if len(choices(match, seat, "react")) > 1:
            return
    raise AssertionError(UNDECIDED)


def activation(match: Match) -> None:
    """Until somebody has activated several with a leader, and has said of one what he will do."""
    for seat in decisions(match):
        leaders = [action for action in choices(match, seat, "activate") if isinstance(action, ActivateLeader)]
        for leader in leaders:
            match.play(seat, leader)
            roles = choices(match, seat, "designate")
            if len({role.unit for role in roles if isinstance(role, Designate)}) > LED:
                match.play(seat, next(role for role in roles if isinstance(role, Designate) and role.role == "fire"))
                return
            match.undo(seat)
    raise AssertionError(UNDECIDED)


SHOWN = {
    "table": ("mill-ford", in_direct_fire, "prompt"),
    "attack": ("mill-ford", attack_by_two, "chances"),
    "opportunity-fire": ("hill-231", opportunity, "pass"),
    "activation": ("pg-sosnovka", activation, "roles"),
}
"""Whence each picture is, and what is to be seen in it."""


def test_the_page_on_the_free_table_shows_a_battle(table: Table) -> None:
    picture = PICTURES / "free-table.jpg"
    assert picture.exists()
    sides = {"american": "one", "german": "two"}
    table.sit(table.host.begin(text_of("mini-valmont"), in_direct_fire, (), sides), *sides)
    expect(table.find("prompt")).to_contain_text("Choose a firer")
    expect(table.find("banner")).to_have_count(0)
    if os.environ.get("OPFIRE_KEEP_PICTURES"):
        table.page.set_viewport_size({"width": 1920, "height": 1080})
        table.page.mouse.move(1919, 1079)
        at_rest(table.page)
        picture.write_bytes(table.page.screenshot(animations="disabled", caret="hide", type="jpeg", quality=80))


@pytest.mark.parametrize("picture", SHOWN)
def test_the_guide_shows_the_table_as_it_is(table: Table, picture: str) -> None:
    scenario, play, shown = SHOWN[picture]
    assert (PICTURES / f"{picture}.png").exists()
    table.sit(table.host.begin(text_of(scenario), play), "german", "soviet")
    expect(table.find(shown).first).to_be_visible()
    expect(table.find("banner")).to_have_count(0)
    if os.environ.get("OPFIRE_KEEP_PICTURES"):
        table.page.mouse.move(1279, 799)
        at_rest(table.page)
        taken = table.page.screenshot(animations="disabled", caret="hide")
        (PICTURES / f"{picture}.png").write_bytes(with_few_colours(table.page, taken))


def aims(kind: type[Action]) -> Callable[[Match], None]:
    """Until somebody has several ways to fire like this, and has announced what may be resolved."""

    def play(match: Match) -> None:
        for seat in decisions(match):
            shots = [shot for shot in choices(match, seat, "fire") if isinstance(shot, kind)]
            if len(shots) >= SEVERAL:
                match.play(seat, shots[0])
                while not choices(match, seat, "confirm"):
                    match.play(seat, choices(match, seat, "fire")[0])
                return
        raise AssertionError(UNDECIDED)

    return play


SEVERAL = 3
ATTACKS = {
    "mill-ford": ("size", attack_by_two),
    "pg-sosnovka": ("size-pg", aims(FireDirect)),
    "mini-yagodka": ("size-mini", aims(miniatures.Engage)),
    "panzer-hauterive": ("size-panzer", aims(Announce)),
    "armour-first-evening": ("size-armour", aims(micro_armour.Engage)),
}
"""The attacks of docs/sizes.md, one for each rulebook: the name of their pictures, and how they come about."""
SIZES = ((390, 844), (768, 1024), (1280, 800), (2560, 1440), (3840, 2160))
"""Phone, tablet, desk, and two large screens, in CSS pixels."""
WIDEST = 1600
"""The pixels to which the pictures of large screens are reduced."""


@pytest.mark.parametrize("scenario", ATTACKS)
def test_the_page_on_sizes_shows_an_attack_at_every_size_by_day_and_by_night(table: Table, scenario: str) -> None:
    """docs/sizes.md: the question, the units and the button are in the window, whatever its size and colours are."""
    name, play = ATTACKS[scenario]
    sides = list(load(scenario).sides)
    game = table.host.begin(text_of(scenario), play, (), {side: side for side in sides})
    table.sit(game, *sides)
    expect(table.find("chances").first).to_be_visible()
    expect(table.find("banner")).to_have_count(0)
    views = [message["view"] for message in table.messages("table")]
    firers = next(view["building"]["units"] for view in views if view.get("building"))
    for width, height in SIZES:
        table.page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            table.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for part in (table.find("prompt"), table.find("map"), table.find("confirm"), *map(table.unit, firers)):
                expect(part.first).to_be_in_viewport()
            picture = PICTURES / f"{name}-{width}-{scheme}.jpg"
            if os.environ.get("OPFIRE_KEEP_PICTURES"):
                table.page.mouse.move(width - 1, height - 1)
                at_rest(table.page)
                taken = table.page.screenshot(animations="disabled", caret="hide")
                picture.write_bytes(no_wider(table.page, taken, WIDEST))
            assert picture.exists()
