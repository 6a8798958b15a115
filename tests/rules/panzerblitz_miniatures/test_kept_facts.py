"""Lines of sight and ways that are found once: games on one table share them, works apart."""

from __future__ import annotations

from edits import edited
from opfire.rulesets.panzerblitz_miniatures.moving.works import Work
from rules.panzerblitz_miniatures.play import field
from rules.panzerblitz_miniatures.test_shown import FIELD


def test_games_on_one_table_share_its_lines_and_ways() -> None:
    one, other = field(FIELD).state.setting, field(edited(FIELD, "Rye", "Oats")).state.setting
    again = field(FIELD).state.setting
    assert one.lines is again.lines
    assert one.country(()) is again.country(())
    assert one.lines is not other.lines


def test_works_change_the_ways_of_their_own_game_alone() -> None:
    made = field(FIELD).state.setting
    mines = Work("mines@9,9", "mines", (9000, 9000))
    assert made.country((mines,)) is made.country((mines,))
    assert made.country((mines,)) is not made.country(())
    wreck = Work("wreck@9,9", "wreck", (9000, 9000))
    assert made.country((wreck,)) is made.country(())  # stands go around wrecks, the ground does not change
