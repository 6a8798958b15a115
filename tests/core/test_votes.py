"""Ending a game before its time: a side concedes, or agrees to a draw, when all its human seats want it."""

from __future__ import annotations

import pytest

from core.cases import CASES, SEATS
from opfire.core.actions import IllegalAction
from opfire.core.match import Match
from opfire.core.record import Record
from opfire.core.verify import verify
from rulesets.overwatch import Command

SHARED = CASES["shared"]
pytestmark = pytest.mark.usefixtures("toys")


def match_of(**computers: str) -> Match:
    """Two seats on the german side, one on the soviet side; these are computer players' (`_` for `-`)."""
    players = {seat.replace("_", "-"): player for seat, player in computers.items()}
    nonces = {seat: seat for seat in SEATS}
    return Match.start(SHARED.scenario, players, nonces, bytes(32), seats=SEATS)


def refusal(match: Match, seat: str, what: str) -> str:
    with pytest.raises(IllegalAction) as caught:
        match.concede(seat) if what == "concede" else match.agree_draw(seat)
    return caught.value.refusal.sentence()


def test_a_side_concedes_when_all_its_human_seats_want_it() -> None:
    match = match_of()
    match.concede("german-odd")
    assert (match.over, match.votes["concede"]) == (False, ("german-odd",))
    match.concede("german-even")
    assert match.game.outcome is not None
    assert match.game.outcome.winner == "soviet"


def test_a_seat_votes_once_however_often_it_says_so() -> None:
    match = match_of()
    match.concede("german-odd")
    match.concede("german-odd")
    assert not match.over
    assert len(match.record.lines) == 1


def test_votes_of_different_sides_do_not_add_up() -> None:
    match = match_of()
    match.concede("german-odd")
    match.concede("soviet")
    assert match.game.outcome is not None
    assert match.game.outcome.winner == "german"


def test_computer_players_have_no_vote_and_none_is_waited_for() -> None:
    match = match_of(german_even="greedy")
    assert "no vote" in refusal(match, "german-even", "concede")
    match.concede("german-odd")
    assert match.over


def test_spectators_have_no_vote() -> None:
    assert "no vote" in refusal(match_of(), "spectator", "concede")
    assert "no vote" in refusal(match_of(), "spectator", "draw")


def test_a_draw_wants_every_human_seat_of_both_sides() -> None:
    match = match_of()
    match.agree_draw("german-even")
    assert match.draw_offered_by is None  # its side does not offer it yet
    match.agree_draw("german-odd")
    assert match.draw_offered_by == "german"
    match.agree_draw("soviet")
    assert match.game.outcome is not None
    assert (match.game.outcome.winner, match.draw_offered_by) == (None, None)


def test_a_side_of_computer_players_agrees_to_no_draw() -> None:
    assert "does not agree to a draw" in refusal(match_of(soviet="greedy"), "german-odd", "draw")
    match = match_of(german_even="greedy")
    match.agree_draw("german-odd")
    match.agree_draw("soviet")
    assert match.over


def test_a_vote_is_taken_back_and_an_offer_turned_down() -> None:
    match = match_of()
    match.concede("german-odd")
    match.decline("german-odd", "concede")
    with pytest.raises(IllegalAction, match="german-odd has not voted to concede"):
        match.decline("german-odd", "concede")
    match.concede("german-even")
    assert not match.over
    match.agree_draw("german-odd")
    match.agree_draw("german-even")
    match.decline("soviet", "draw")
    assert (match.draw_offered_by, match.votes["draw"]) == (None, ())
    with pytest.raises(IllegalAction, match="No draw has been offered"):
        match.decline("soviet", "draw")


def test_nobody_turns_down_what_a_side_has_not_offered_yet() -> None:
    match = match_of()
    match.agree_draw("german-odd")
    with pytest.raises(IllegalAction, match="No draw has been offered"):
        match.decline("soviet", "draw")
    with pytest.raises(IllegalAction, match="No draw has been offered"):
        match.decline("german-even", "draw")


def test_nobody_ends_a_game_that_is_over() -> None:
    match = match_of()
    match.concede("soviet")
    assert refusal(match, "german-odd", "concede") == refusal(match, "soviet", "draw") == "The game is over"


def test_votes_come_back_with_the_record() -> None:
    match = match_of()
    match.play("german-odd", Command("german-1", "move"))
    match.concede("german-odd")
    match.agree_draw("soviet")
    match.decline("soviet", "draw")
    again = Match.resume(match.record.dump(), match.key)
    assert (again.votes["concede"], again.votes["draw"]) == (("german-odd",), ())
    assert again.record.dump() == match.record.dump()
    again.concede("german-even")
    assert verify(Record.load(again.record_for("spectator").dump())).outcome["level"] == "conceded"


def test_votes_of_a_side_are_its_own_before_the_end() -> None:
    match = match_of()
    match.concede("german-odd")
    assert "vote" in match.record_for("german-even").dump()
    assert "vote" not in match.record_for("soviet").dump()
    assert "vote" not in match.record_for("spectator").dump()
