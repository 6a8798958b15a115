"""An attack put together, for any book."""

from __future__ import annotations

import pytest

from kit.pieces import Man
from opfire.core.actions import Action, Refusal
from opfire.core.flow import Frame
from opfire.kit import attacks

MEN = {name: Man(name) for name in "abc"}


class Join(Action, frozen=True):
    unit: str


class Go(Action, frozen=True):
    pass


class Storming(Frame, frozen=True):
    """Two at least are needed, and c stays at home."""

    takes = (Join, Go)
    joined: tuple[str, ...] = ()

    def refusal(self, sight: object, side: str, action: Action) -> Refusal | None:
        return attacks.judged(action, MEN, self.cannot_join, self.too_few)

    def cannot_join(self, man: Man) -> Refusal | None:
        if man.id == "c":
            return Refusal("c stays at home", "1.1")
        return attacks.takes_part(man, self.joined)

    def too_few(self) -> Refusal | None:
        return Refusal("Two are needed", "1.2") if len(self.joined) < 2 else None


def offers(frame: Storming) -> list[Action]:
    actions = [*map(Join, MEN), Go()]
    return [offer for action in actions for offer in attacks.offered(frame, None, "red", action)]


def test_units_join_once_each_as_far_as_the_book_lets_them() -> None:
    assert offers(Storming("red")) == [Join("a"), Join("b")]
    assert offers(Storming("red", ("a",))) == [Join("b")]


def test_the_attack_goes_in_when_the_book_lets_it() -> None:
    assert offers(Storming("red", ("a", "b"))) == [Go()]


@pytest.mark.parametrize(
    ("bores", "told"),
    [((), 0), ((0,), 0), ((105,), 105), ((81, 81), 81), ((81, 120), 0), ((105, 0), 0)],
    ids=["no gun", "unknown", "one gun", "alike", "mixed", "one of them unknown"],
)
def test_a_calibre_is_told_when_all_guns_of_an_attack_have_it(bores: tuple[int, ...], told: int) -> None:
    assert attacks.common_calibre(bores) == told
