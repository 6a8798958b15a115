"""Each action and frame that a book defines is one that its ruleset can read."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

from opfire import rulesets
from opfire.core.actions import Action
from opfire.core.flow import Frame

BOOKS = sorted(module.name for module in pkgutil.iter_modules(rulesets.__path__))


def kinds(base: type, book: str) -> Iterator[type]:
    """The classes of a book below a base that nothing else extends."""
    for one in base.__subclasses__():
        yield from kinds(one, book)
        if not one.__subclasses__() and one.__module__.startswith(f"{book}."):
            yield one


@pytest.mark.parametrize("book", BOOKS)
def test_every_action_and_frame_of_a_book_is_registered(book: str) -> None:
    package = importlib.import_module(f"{rulesets.__name__}.{book}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    actions, frames = set(kinds(Action, package.__name__)), set(kinds(Frame, package.__name__))
    assert actions
    assert frames
    assert actions - set(package.RULESET.actions) == set()
    assert frames - set(package.RULESET.frames) == set()
