"""The drawings of boards: sound, complete, and covered by no fingerprint."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from opfire.commands.check import check
from opfire.core.errors import BadInput
from opfire.space import drawing, layout
from opfire.space.layout import Laid

BOARDS = [path.stem for path in sorted(layout.BOARDS.glob("*.toml"))]


@pytest.mark.parametrize("board", BOARDS)
def test_every_board_is_drawn_with_its_scale_and_names_its_own_hexes(board: str) -> None:
    found = drawing.drawing_of(board)
    map = layout.lay((Laid(board),))
    number = map.boards[0].number
    assert found.metres in (100, 250)
    assert {hex for hex in found.hexes if f"{number}-{hex}" not in map} == set()


@pytest.mark.parametrize("board", BOARDS)
def test_churches_stand_in_villages_and_dry_gullies_are_gullies(board: str) -> None:
    map = layout.lay((Laid(board),))
    shown = map.to_json()["drawing"]
    built = {"town", "village", "wood building", "brick building", "stone building"}
    for church in shown.get("churches", ()):
        assert built & set(map.cells[church].terrain), church
    for dry in shown.get("dry", ()):
        assert any(map.cells[dry].gully), dry


def test_a_drawing_has_no_part_in_the_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = layout.lay((Laid("own-2"),))
    digest, text = before.digest, before.to_json()
    monkeypatch.setattr(drawing, "drawing_of", lambda board: drawing.Drawing())
    after = layout.lay((Laid("own-2"),))
    assert after.digest == digest
    assert "drawing" in text
    assert "drawing" not in after.to_json()


def test_a_part_of_a_board_shows_what_lies_in_it() -> None:
    part = layout.lay((Laid("own-2", crop=("2-B1", "2-L10")),))
    shown = part.to_json()["drawing"]
    assert shown["churches"] == ("2-I7", "2-C7")
    assert {name["text"] for name in shown["names"]} == {"Mutnaya"}
    assert all(hex in part for name in shown["names"] for hex in name["along"])


def test_a_drawing_that_is_malformed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text("metres = 250\nchurch = ['A1']\n", encoding="utf-8")
    with pytest.raises(BadInput, match="church"):
        drawing.read_drawing(file)


def test_the_check_of_a_drawing_names_hexes_that_its_board_has_not(tmp_path: Path) -> None:
    (tmp_path / "drawings").mkdir()
    shutil.copy(layout.BOARDS / "own-1.toml", tmp_path)
    file = tmp_path / "drawings" / "own-1.toml"
    file.write_text('churches = ["B2", "ZZ9"]')
    (problem,) = check(file)
    assert (problem.where, problem.what) == ("drawing", "ZZ9 is no hex of own-1")
    file.write_text("chapels = 3")
    (problem,) = check(file)
    assert "chapels" in problem.what
