"""The position of a case: values of units checked by type, passengers aboard, impossible positions refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from opfire.core import scenario
from opfire.core.actions import Refusal
from opfire.core.casefile import Case
from opfire.core.errors import BadInput
from opfire.core.reading import ready
from opfire.core.words import expected_words
from opfire.kit.stacks import Hex, Side, UnitId

Types = Mapping[str, Any]
"""The type of each value that a unit of a case may be given."""


def types_of(kind: type[msgspec.Struct], *without: str) -> dict[str, Any]:
    """The types of the fields of a struct but those named; numbers may be larger than any that is printed."""
    hints = get_type_hints(kind, include_extras=True)
    return {field: _unbounded(hints[field]) for field in kind.__struct_fields__ if field not in without}


def _unbounded(hint: Any) -> Any:
    """A type without the upper limits of its numbers: a case may try a rule on a gun of strength 200."""
    if get_origin(hint) is Annotated:
        base, *limits = get_args(hint)
        least = next((limit.ge for limit in limits if isinstance(limit, msgspec.Meta)), None)
        return Annotated[base, msgspec.Meta(ge=least)]
    if get_origin(hint) in (Union, UnionType):
        return Union[tuple(_unbounded(part) for part in get_args(hint))]  # noqa: UP007
    return hint


def checked(case: Case, unit_id: UnitId, known: Types) -> dict[str, Any]:
    """The values of a unit, each of its own type. Raises BadInput for a value that no unit of a case can have."""
    found: dict[str, Any] = {}
    for key, value in case.units[unit_id].values.items():
        if key not in known:
            meant = get_close_matches(key, known, 1) or sorted(known)
            raise case.fault(f"unit {unit_id} has no value {key!r}", ", ".join(meant), "units", unit_id, key)
        try:
            found[key] = msgspec.convert(value, ready(known[key]))
        except msgspec.ValidationError as error:
            what = f"unit {unit_id}: {key} = {value!r}: {error}"
            expected = expected_words(known[key], str(error), "a value as docs/cases.md gives it")
            raise case.fault(what, expected, "units", unit_id, key) from None
    return found


def side_of_nation(sides: Mapping[Side, scenario.Side], nation: str) -> Side:
    """The side of that nation, else the first, for a case that does not name a unit's side."""
    return next((side for side, data in sides.items() if data.nation == nation), next(iter(sides)))


class Arranged(Protocol):
    """A position in the making."""

    turn: int
    current: Side
    stacks: dict[Hex, tuple[UnitId, ...]]


P = TypeVar("P", bound=Arranged)


def arrange(
    position: P, case: Case, lay_markers: Callable[[P, Case], None], arrange_unit: Callable[[P, Case, UnitId], None]
) -> None:
    """Fill an empty position: turn and side, markers, then units, the first of a hex on top. Raises BadInput."""
    position.turn, position.current = case.turn, case.side
    lay_markers(position, case)
    for name in case.units:
        arrange_unit(position, case, name)
    turn_over(position.stacks)


def check_side(case: Case, side: Side, known: Iterable[Side], *field: str | int) -> None:
    """Reject a side that the case does not have, or that has no meaning there. Raises BadInput at the field."""
    if side not in (sides := tuple(known)):
        raise case.fault(f"the side {side!r} does not exist", " or ".join(filter(None, sides)), *field)


def check_kind(kind: str, known: Iterable[str]) -> None:
    """Reject a kind of marker that the book does not have. Raises BadInput."""
    if kind not in (kinds := tuple(known)):
        raise BadInput(f"marker {kind!r}", expected=", ".join(kinds))


def turn_over(stacks: dict[Hex, tuple[UnitId, ...]]) -> None:
    """Turn each stack over: in a case the first unit of a hex lies on top."""
    for hex, stack in stacks.items():
        stacks[hex] = stack[::-1]


def passengers(case: Case, sides: Callable[[UnitId], Side]) -> Iterator[tuple[UnitId, UnitId]]:
    """Each carrier with its passenger, in the order of the file.

    Raises BadInput for a carrier that does not exist, is carried itself or of the other side, and for a passenger
    apart from its carrier.
    """
    units = case.units
    for name, piece in units.items():
        carrier = piece.values.get("carrier")
        if not carrier:
            continue
        if carrier not in units or carrier == name:
            raise case.fault(f"unit {name}: there is no carrier {carrier!r}", "another unit", "units", name, "carrier")
        if units[carrier].values.get("carrier"):
            raise case.fault(f"{carrier} is carried itself", "a carrier of its own", "units", name, "carrier")
        if sides(carrier) != sides(name):
            raise case.fault(f"{carrier} is of the other side", "a carrier of its own", "units", name, "carrier")
        if piece.at and piece.at != units[carrier].at:
            what = f"{name} is at {piece.at}, and its carrier at {units[carrier].at or 'no place'}"
            raise case.fault(what, "the place of its carrier, or none", "units", name, "at")
        yield carrier, name


def refuse(case: Case, refusals: Iterable[tuple[UnitId, str, Refusal | None]]) -> None:
    """Refuse an impossible position: the first refusal about a unit, and the field at fault. Raises BadInput."""
    for name, field, refusal in refusals:
        if refusal is not None:
            raise case.fault(f"{name}: {refusal}", "a position that the rules allow", "units", name, field)
