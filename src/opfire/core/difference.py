"""The differences between one JSON value and the next: a few lines in place of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

Change = dict[str, Any]
"""A change of a value.

- `{"to": value}` puts another in its place.
- `{"in": {key: change}, "out": [keys]}` changes an object, `{"in": {place: change}}` members of a list.
- `{"from": place, "cut": n, "put": [values]}` takes n members of a list away and puts others there.
- `{}` leaves all as it is.
"""


def difference(old: Any, new: Any) -> Change:
    """The change that makes `new` of `old`.

    >>> difference({"a": 1, "b": [1, 2], "c": 3}, {"a": 1, "b": [1, 5], "d": 4})
    {'in': {'b': {'in': {'1': {'to': 5}}}, 'd': {'to': 4}}, 'out': ['c']}
    >>> difference([1, 2, 3], [1, 3])
    {'from': 1, 'cut': 1, 'put': []}
    >>> difference([1], [1])
    {}
    """
    if _same(old, new):
        return {}
    match old, new:
        case dict(), dict():
            return _of_objects(old, new)
        case list(), list() if len(old) == len(new):
            pairs = enumerate(zip(old, new, strict=True))
            return {"in": {str(at): change for at, (a, b) in pairs if (change := difference(a, b))}}
        case list(), list():
            return _of_lists(old, new)
    return {"to": new}


def _of_objects(old: Change, new: Change) -> Change:
    kept = {key: difference(old[key], value) if key in old else {"to": value} for key, value in new.items()}
    inner, out = {key: change for key, change in kept.items() if change}, [key for key in old if key not in new]
    return {**({"in": inner} if inner else {}), **({"out": out} if out else {})}


def _of_lists(old: list[Any], new: list[Any]) -> Change:
    before = _alike(old, new)
    after = _alike(old[before:][::-1], new[before:][::-1])
    return {"from": before, "cut": len(old) - before - after, "put": new[before : len(new) - after]}


def _alike(one: Sequence[Any], other: Sequence[Any]) -> int:
    """The number of members, from the start, that are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if not _same(a, b)), min(len(one), len(other)))


def _same(one: Any, other: Any) -> bool:
    """Whether both are the same JSON: Python takes 1 and true for equal."""
    return msgspec.json.encode(one) == msgspec.json.encode(other)


def changed(old: Any, change: Change) -> Any:
    """The value that the change makes of `old`, which is used up. Raises ValueError where it does not fit.

    >>> changed({"a": 1, "b": [1, 2], "c": 3}, {"in": {"b": {"in": {"1": {"to": 5}}}, "d": {"to": 4}}, "out": ["c"]})
    {'a': 1, 'b': [1, 5], 'd': 4}
    >>> changed([1, 2, 3], {"from": 1, "cut": 1, "put": []})
    [1, 3]
    """
    try:
        return _changed(old, change)
    except (LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"this change does not fit: {error!r}") from None


def _changed(old: Any, change: Change) -> Any:
    match change:
        case {"to": new}:
            return new
        case {"from": int(at), "cut": int(count), "put": list(new)} if 0 <= at <= at + count <= len(old):
            old[at : at + count] = new
            return old
    if change.keys() - {"in", "out"}:
        raise LookupError(*change)
    for key in change.get("out", ()):
        del old[key]
    for key, inner in change.get("in", {}).items():
        at = int(key) if isinstance(old, list) else key
        old[at] = inner["to"] if "to" in inner else _changed(old[at], inner)
    return old
