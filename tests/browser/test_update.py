"""A game whose rules have changed: it stands still until its players agree."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from browser import positions
from browser.table import Table
from opfire.core.match import Match


def as_other_rules_had_it(match: Match) -> None:
    """Direct fire; the last line tells of a state to which the present rules do not lead."""
    positions.direct_fire(match)
    lines, header = match.record.lines, match.record.header
    before = lines[-2].digest
    last = replace(lines[-1], state="0" * 16)
    lines[-1] = replace(last, digest=header.digest_of(last, before, match.key))


@pytest.mark.parametrize("what", ["resume", "stop"])
def test_players_agree_how_a_game_goes_on_whose_rules_have_changed(table: Table, other: Table, what: str) -> None:
    game = table.host.begin(positions.MEADOW, as_other_rules_had_it)
    table.sit(game, "german")
    other.sit(game, "soviet")
    for one in (table, other):
        expect(one.find("rules-changed")).to_contain_text("The rules have changed")
        expect(one.page.locator("button[data-kind]")).to_have_count(0)
    table.find(f"vote-{what}").click()
    expect(other.find("rules-changed")).to_contain_text("german")
    expect(table.find(f"vote-{what}")).to_have_text("Take the vote back")
    other.find(f"vote-{what}").click()
    for one in (table, other):
        expect(one.find("rules-changed")).to_have_count(0)
    if what == "resume":
        table.log("The rules have changed: the game goes on")
        table.offer("End").click()
    else:
        expect(table.find("result")).to_contain_text("Ended as it was")


def test_the_proof_of_the_dice_says_that_the_rules_have_changed(table: Table, other: Table) -> None:
    game = table.host.begin(positions.MEADOW, as_other_rules_had_it)
    table.sit(game, "german")
    other.sit(game, "soviet")
    table.find("vote-resume").click()
    other.find("vote-resume").click()
    table.log("The rules have changed: the game goes on")
    for button in ("menu", "concede", "concede-yes"):
        table.find(button).click()
    proof = table.find("proof")
    expect(proof).to_contain_text("The rules changed on the way")
    expect(proof.locator(".wrong")).to_have_count(0)
