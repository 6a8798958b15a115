"""Rulesets imported so that they note what they reach, and with a rule taken out."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from opfire.core import instrument

SOURCE = '''
"""Chapter nine [9.0]."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import Refusal
from opfire.core.events import Event, Line


def too_far(distance: int) -> Refusal | None:
    if distance > 8:
        return Refusal("{} hexes", "9.5.2", (distance,))
    if distance < 1:
        return Refusal("at itself", "9.5.3")
    return None


def far(distance: int) -> Refusal | None:
    return Refusal("{} hexes", "9.5.4", (distance,)) if distance > 3 else None


def doubled(points: int) -> int:
    """Twice as many in town [9.6.1, 9.6.2]."""
    return 2 * points


def by_table(rule: str) -> Refusal | None:
    return Refusal("no", rule)


def named(name: str) -> str:
    """The name in full [9.6.3]."""
    return name + "!"


def modifiers(woods: bool, rows: dict[str, str]) -> Iterator[Line]:
    """What is added to the die [9.3]."""
    if woods:
        yield Line("modifier", "Woods", "+1", "9.3.1", 1)
    for label, rule in rows.items():
        yield Line("modifier", label, "+2", rule, 2)


def tells(game) -> None:
    game.tell(Event("wreck", "A wreck", (), "9.9.9"))


class Frame:
    pass


class Assault(Frame):
    """Close quarters [9.7]."""

    rule = "4.2-C6"

    def begin(self, game) -> None:
        game.log.append("began")

    def choices(self) -> list[str]:
        return ["roll"]

    def play(self) -> str:
        """The die is cast [9.7.1]."""
        return "rolled"
'''


@pytest.fixture
def imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any], Any]]:
    package = tmp_path / "ninebook"
    package.mkdir()
    (package / "__init__.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = list(sys.meta_path)

    def load(rewrite: Any) -> Any:
        sys.modules.pop("ninebook", None)
        if rewrite is not None:
            assert instrument.install(rewrite, "ninebook") == []
        return __import__("ninebook")

    yield load
    sys.meta_path[:] = before
    sys.modules.pop("ninebook", None)


def reached(work: Callable[[], object]) -> set[str]:
    with instrument.noted() as seen:
        work()
    return set(seen)


def test_what_is_made_and_entered_is_noted(imported: Callable[[Any], Any]) -> None:
    book = imported(instrument.noting)
    assert reached(lambda: book.too_far(5)) == set()
    assert reached(lambda: book.too_far(9)) == {"9.5.2"}
    assert reached(lambda: book.doubled(2)) == {"9.6.1", "9.6.2"}
    assert reached(lambda: list(book.modifiers(False, {"Tired": "9.3.7"}))) == {"9.3", "9.3.7"}
    told: list[Any] = []
    assert reached(lambda: book.tells(SimpleNamespace(tell=told.append))) == {"9.9.9"}
    assert told[0].text == "A wreck"


def test_a_method_of_a_frame_does_not_reach_the_rule_of_the_frame(imported: Callable[[Any], Any]) -> None:
    book = imported(instrument.noting)
    assert reached(lambda: book.Assault().choices()) == set()
    assert reached(lambda: book.Assault().play()) == {"9.7.1"}


def test_a_generator_that_nobody_asks_has_not_been_entered(imported: Callable[[Any], Any]) -> None:
    book = imported(instrument.noting)
    assert reached(lambda: book.modifiers(True, {})) == set()


def test_noting_changes_no_result_and_is_off_outside(imported: Callable[[Any], Any]) -> None:
    plain = imported(None)
    results = [plain.too_far(9), plain.doubled(3), list(plain.modifiers(True, {"Tired": "9.3.7"}))]
    book = imported(instrument.noting)
    assert [book.too_far(9), book.doubled(3), list(book.modifiers(True, {"Tired": "9.3.7"}))] == results
    assert reached(lambda: None) == set()


def test_an_inner_notebook_does_not_hide_from_the_outer(imported: Callable[[Any], Any]) -> None:
    book = imported(instrument.noting)
    with instrument.noted() as outer:
        assert reached(lambda: book.far(4)) == {"9.5.4"}
    assert outer == {"9.5.4"}


def test_a_refusal_taken_out_lets_the_next_check_speak(imported: Callable[[Any], Any]) -> None:
    book = imported(instrument.removing("9.5.2"))
    assert book.too_far(9) is None
    assert book.too_far(0).rule == "9.5.3"
    assert book.far(4).rule == "9.5.4"


def test_a_refusal_whose_rule_comes_from_a_table_taken_out(imported: Callable[[Any], Any]) -> None:
    book = imported(instrument.removing("9.5.5"))
    assert book.by_table("9.5.5") is None
    assert book.by_table("9.5.6").rule == "9.5.6"


def test_a_refusal_within_an_expression_taken_out(imported: Callable[[Any], Any]) -> None:
    assert imported(instrument.removing("9.5.4")).far(4) is None


def test_a_function_taken_out_changes_nothing(imported: Callable[[Any], Any]) -> None:
    assert imported(instrument.removing("9.6.2")).doubled(3) == 3
    assert imported(instrument.removing("9.6.3")).named("T-34") == "T-34"
    assert list(imported(instrument.removing("9.3")).modifiers(True, {"Tired": "9.3.7"})) == []


def test_a_line_taken_out(imported: Callable[[Any], Any]) -> None:
    book = imported(instrument.removing("9.3.1"))
    assert [line.rule for line in book.modifiers(True, {"Tired": "9.3.7"})] == ["9.3.7"]
    book = imported(instrument.removing("9.3.7"))  # its rule comes from a table: the line adds nothing
    assert [(line.rule, line.amount) for line in book.modifiers(True, {"Tired": "9.3.7"})] == [
        ("9.3.1", 1),
        ("9.3.7", 0),
    ]


def test_an_event_taken_out(imported: Callable[[Any], Any]) -> None:
    told: list[Any] = []
    imported(instrument.removing("9.9.9")).tells(SimpleNamespace(tell=told.append))
    assert told == []


@pytest.mark.parametrize("rule", ["9.7", "4.2-C6"])
def test_a_frame_taken_out_is_over_at_once(imported: Callable[[Any], Any], rule: str) -> None:
    log: list[str] = []
    game = SimpleNamespace(log=log, pop=lambda: log.append("over"))
    imported(instrument.removing(rule)).Assault().begin(game)
    assert log == ["over"]


def test_rewritten_modules_stay_out_of_the_cache(imported: Callable[[Any], Any], tmp_path: Path) -> None:
    imported(instrument.removing("9.5.2"))
    assert list(tmp_path.rglob("*.pyc")) == []


def test_what_was_imported_before_is_named(imported: Callable[[Any], Any]) -> None:
    assert instrument.install(instrument.noting, "opfire.core")  # much of it is long there
    assert "opfire.core.game" in instrument.install(instrument.noting, "opfire.core")


CHANGES = '''
def far(distance, units):
    """Beyond range [9.5.2, 9.5.3], from 3 on."""
    assert distance > 0
    if distance <= 8 and units is not None:
        return False
    return [unit for unit in units if unit == 7]


class Frame:
    """Not a function [9.9]."""

    def play(self, die=6):
        """The roll [9.7]."""
        return die + 1


def other(distance):
    return distance < 3
'''


def test_functions_that_cite_rules_and_what_can_be_changed_in_them() -> None:
    far, play = instrument.citing_functions(ast.parse(CHANGES))
    assert (far.name, far.line, far.rules) == ("far", 2, ("9.5.2", "9.5.3"))
    assert set(far.changes) == {
        "distance <= 8 and units is not None becomes distance <= 8 or units is not None",
        "distance <= 8 becomes distance < 8",
        "8 becomes 9",
        "units is not None becomes units is None",
        "False becomes True",
        "unit == 7 becomes unit != 7",
        "7 becomes 8",
    }
    assert (play.name, play.rules, play.changes) == ("Frame.play", ("9.7",), ("1 becomes 2",))


@pytest.mark.parametrize("at", range(7))
def test_a_change_is_made_in_one_place(at: int) -> None:
    far, _ = instrument.citing_functions(ast.parse(CHANGES))
    before, _, after = far.changes[at].partition(" becomes ")
    changed = ast.unparse(instrument.changing("far", at)(ast.parse(CHANGES)))
    assert changed == ast.unparse(ast.parse(CHANGES)).replace(before, after, 1)


def test_every_rewriting_of_this_module_still_compiles() -> None:
    for rewrite in (instrument.noting, instrument.removing("9.3")):
        compile(rewrite(ast.parse(SOURCE)), "book", "exec")
