"""Set-up: forces read, units placed and picked up again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.errors import BadInput
from opfire.core.scenario import Force
from opfire.kit.stacks import Member, Side, UnitId

M = TypeVar("M", bound=Member)
K = TypeVar("K")


class StartAboard(Action, frozen=True, tag="Board"):
    """Set a unit up aboard a placed carrier."""

    says = "{unit} starts aboard {carrier}"
    kind = "place"
    unit: UnitId
    carrier: UnitId


class PickUp(Action, frozen=True):
    """Pick a placed unit up again."""

    says = "Pick {unit} up again"
    kind = "place"
    unit: UnitId


class Ready(Action, frozen=True):
    """Declare the set-up complete."""

    says = "Set-up complete"
    kind = "done"
    final = True
    barrier = "the end of the set-up"


# --- reading a scenario ---------------------------------------------------------------------------------------


def check_options(options: Iterable[str], known: Collection[str]) -> None:
    """Reject an option that the ruleset does not know. Raises BadInput."""
    for option in options:
        if option not in known:
            raise BadInput(f"option {option!r}", "options", "one of " + ", ".join(sorted(known)))


def kind_named(
    kinds: Mapping[str, K], name: str, where: str, known: str = "an id of units.csv", what: str = "unit"
) -> K:
    """The counter of that id, or `what` the ids are of; `known` describes the known names. Raises BadInput."""
    kind = kinds.get(name)
    if kind is None:
        raise BadInput(f"there is no {what} {name!r}", where, known)
    return kind


def carried(
    forces: Iterable[Force], units: Sequence[tuple[UnitId, str]], side: Side
) -> Iterator[tuple[UnitId, UnitId]]:
    """Each carrier with its passenger: forces with a carrier named start aboard, one to each carrier of that type.

    `units` are the ids of the side's units with the ids of their counters, in the order of the forces. Raises
    BadInput when the carriers are too few.
    """
    taken: set[UnitId] = set()
    offset = 0
    for force in forces:
        mine, offset = units[offset : offset + force.count], offset + force.count
        if not force.carrier:
            continue
        free = [unit for unit, kind in units if kind == force.carrier and unit not in taken]
        if len(free) < len(mine):
            raise BadInput(f"too few of {force.carrier!r} to carry {force.unit}", f"sides.{side}.units", "one for each")
        taken.update(free[: len(mine)])
        yield from ((carrier, unit) for carrier, (unit, _) in zip(free, mine, strict=False))


# --- placing --------------------------------------------------------------------------------------------------


def waiting(units: Iterable[M]) -> list[M]:
    """The units that wait to be placed."""
    return [unit for unit in units if unit.status == "to place" and unit.carrier is None]


def placed_already(unit: Member) -> Refusal | None:
    """Reject a unit that stands on the map or comes later."""
    if unit.status != "to place" or unit.carrier is not None:
        return Refusal("{} is {}", PROCEDURE, (unit.name, "aboard" if unit.carrier else unit.status))
    return None


def not_next(unit: M, units: Iterable[M], alike: Callable[[M, M], bool]) -> Refusal | None:
    """Reject a unit while another of its kind waits before it."""
    for other in units:
        if other.id == unit.id:
            return None
        if alike(other, unit):
            return Refusal("Place {} first: the two units are alike", PROCEDURE, (other.name,))
    return None


def next_of_their_kinds(units: Iterable[M], alike: Callable[[M, M], bool]) -> list[M]:
    """The first of each kind of unit."""
    found: list[M] = []
    for unit in units:
        if not any(alike(other, unit) for other in found):
            found.append(unit)
    return found
