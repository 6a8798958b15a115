"""Data into typed values, safely in threads.

msgspec works out a type when it is first used, and crashes the process if a second thread uses the type meanwhile. The
server answers in threads, so every type is made ready under a lock before its first use.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, TypeVar

import msgspec

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
