"""The lint of the house's English sees clauses without a noun and messages that name classes, and little else."""

from __future__ import annotations

import doctest
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("english", ROOT / "tools" / "english.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["english"] = module
    spec.loader.exec_module(module)
    return module


english = load()


def found(tmp_path: Path, name: str, text: str) -> list[tuple[int, str]]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    rows = [offence.removeprefix(f"{path}:").split(":", 2) for offence in english.offences(path)]
    return [(int(line), fault.strip()) for line, fault, _ in rows]


OPENS = "opens with a question word"


@pytest.mark.parametrize(
    "sentence",
    [
        "Who is left out can be activated later",
        "What names units is their player's.",
        "Where this unit may go",
        "The unit stops. Who moved cannot fire.",
        "Three wrecks keep vehicles out, but nobody in who is there",
        "The other side may shoot at who came to the middle.",
        "Pick one up when none waits, or what is none.",
        "The least cost; less for who is not winning.",
        "Fire at whoever stands there.",
        "A stack of so many units",
    ],
)
def test_a_clause_without_a_noun_is_found(sentence: str) -> None:
    assert [*english.faults(english.Text(1, sentence))]


@pytest.mark.parametrize(
    "sentence",
    [
        "Units left out can be activated later.",
        "Who plays?",
        "The side that moves first, and the side to whom it yields.",
        "Where a road leads, wheels follow.",
        "A leader who is demoralized activates nobody.",
        "Say `what is none` and go on.",
        "Ask which unit fires.",
        "There are so many units that none may enter.",
    ],
)
def test_a_clause_with_a_noun_is_left_alone(sentence: str) -> None:
    assert [*english.faults(english.Text(1, sentence))] == []


def test_only_a_docstring_is_held_to_predicates(tmp_path: Path) -> None:
    source = '"""Units."""\n\n\ndef far():\n    """How far it goes."""\n    return 1  # How far it goes.\n'
    assert found(tmp_path, "far.py", source) == [(5, OPENS)]
    assert found(tmp_path, "may.py", '"""Return whether it may go [5.1]."""\n') == []


def test_comments_on_lines_that_follow_each_other_are_one_text(tmp_path: Path) -> None:
    assert found(tmp_path, "x.py", "a = 1\n# Some units stay: nobody fires at\n# who is hidden.\n")[0][0] == 2


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        ('Refusal("{} cannot be done now", "p", (type(action).__name__,))', "names a class"),
        ('BadInput(f"unknown", "file", "right would be a hex")', 'says "would be"'),
        ('Refusal("EndSegment cannot be played now", "p")', "names a class"),
    ],
)
def test_a_message_names_no_class(tmp_path: Path, call: str, fault: str) -> None:
    assert [each for _, each in found(tmp_path, "x.py", f"{call}\n")] == [fault]


def test_a_page_is_read_without_its_code_and_headings(tmp_path: Path) -> None:
    page = "# What it is\n\n```text\nWho moved\n```\n\n| a | Who moved |\n| --- | --- |\n\n- What is left\n  is lost.\n"
    assert found(tmp_path, "x.md", page) == [(7, OPENS), (10, OPENS)]


def test_the_words_of_the_client_are_read(tmp_path: Path) -> None:
    source = "// Who moved\nexport const en = { a: 'Who has moved stays', b: `Who plays?`, c: 'fine words' };\n"
    assert found(tmp_path, "en.ts", source) == [(2, OPENS)]


def test_its_examples_are_true() -> None:
    assert doctest.testmod(english).failed == 0


def test_the_parts_that_are_kept_are_clean() -> None:
    kept = english.files(ROOT / name for name in english.KEPT)
    assert [offence for path in kept for offence in english.offences(path)] == []
