"""The words that a field takes, in errors about others: those of its `Literal` type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import inspect

from opfire.core.located import path_of


def expected_words(kind: Any, fault: str, otherwise: str) -> str:
    """The expected words where a conversion to that type failed for want of one of them; else `otherwise`.

    >>> from typing import Literal
    >>> expected_words(Literal["", "D", "DD"], "Invalid enum value 'X'", "a text")
    'D or DD, or nothing'
    >>> expected_words(int, "Expected `int`, got `str`", "a number")
    'a number'
    """
    if not fault.startswith("Invalid enum value"):
        return otherwise
    found = [inspect.type_info(kind)]
    for part in path_of(fault):
        found = [inner for one in found for inner in _inside(one, part)]
    words = dict.fromkeys(str(word) for one in found for word in _literals(one))
    return listed(words) if words else otherwise


def listed(words: Iterable[str]) -> str:
    """Words as a choice: `a, b or c`; an empty one is nothing."""
    *before, last = [word for word in words if word] or ["nothing"]
    chosen = f"{', '.join(before)} or {last}" if before else last
    return f"{chosen}, or nothing" if "" in words else chosen


def _inside(found: inspect.Type, part: str | int) -> Iterator[inspect.Type]:
    """The types of a part of a value; a fault does not name the keys of tables on its way."""
    match found:
        case inspect.Metadata(type=inner):
            yield from _inside(inner, part)
        case inspect.UnionType(types=types):
            for one in types:
                yield from _inside(one, part)
        case inspect.StructType(fields=fields):
            yield from (field.type for field in fields if field.encode_name == part)
        case inspect.DictType(value_type=value):
            yield value
            yield from _inside(value, part)
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            yield item


def _literals(found: inspect.Type) -> Iterator[Any]:
    match found:
        case inspect.Metadata(type=inner):
            yield from _literals(inner)
        case inspect.UnionType(types=types):
            for one in types:
                yield from _literals(one)
        case inspect.LiteralType(values=values):
            yield from values
