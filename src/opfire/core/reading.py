"""Data into typed values, safely in threads.

msgspec works out a type when it is first used, and crashes the process if a second thread uses the type meanwhile. The
server answers in threads, so every type is made ready under a lock before its first use.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from threading import Lock
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

T = TypeVar("T")

_LOCK = Lock()
_READY: set[Any] = set()


def ready(kind: type[T]) -> type[T]:
    """The same type, worked out by msgspec: any thread may use it from now on."""
    if kind not in _READY:
        with _LOCK:
            msgspec.msgpack.Decoder(kind)
            _READY.add(kind)
    return kind


def known_fields(kind: Any, fault: str) -> str:
    """The fields or words that msgspec knows where it found another one; empty for another fault.

    Of the fields of a table those with like names alone, if there are any.
    """
    unknown, place = re.search(r"unknown field `([^`]*)`", fault), re.search(r"at `\$([^`]*)`", fault)
    if unknown is None and not fault.startswith("Invalid enum value"):
        return ""
    info: Any = inspect.type_info(kind)
    for name in re.findall(r"\.([\w-]+)|\[[^]]*\]", place[1] if place else ""):
        info = next((found for one in _parts(info) for found in _inside(one, name)), None)
    if unknown is None:
        return ", ".join(str(value) for one in _parts(info) for value in getattr(one, "values", ()))
    fields = [field.encode_name for one in _parts(info) for field in getattr(one, "fields", ())]
    return ", ".join(get_close_matches(unknown[1], fields, 3) or fields)


def _parts(info: Any) -> list[Any]:
    """The types of which a value may be, each alone."""
    if isinstance(info, inspect.Metadata):
        return _parts(info.type)
    return [one for each in info.types for one in _parts(each)] if isinstance(info, inspect.UnionType) else [info]


def _inside(info: Any, name: str) -> list[Any]:
    """The type of a field of this name, or of an item of a list or a table (an empty name, or any)."""
    if isinstance(info, inspect.StructType):
        return [field.type for field in info.fields if field.encode_name == name]
    if isinstance(info, inspect.DictType):
        return [info.value_type]
    return [info.item_type] if isinstance(info, inspect.ListType | inspect.VarTupleType) else []
