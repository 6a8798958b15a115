"""The browser's part: files that were built into the package."""

from __future__ import annotations

import hashlib
import mimetypes
from functools import lru_cache
from pathlib import Path

import msgspec

STATIC = Path(__file__).parent / "static"
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
NOT_BUILT = (
    b"<!doctype html><html lang=en><title>Opfire</title>"
    b"<p>The table is being served, but its browser part was not built: run <code>make client</code>.</p>"
)


class File(msgspec.Struct, frozen=True):
    """A file to send. A file whose name holds a hash of its content never changes."""

    content: bytes
    kind: str
    cache: str
    tag: str


def find(static: Path, path: str) -> File | None:
    """The file at that path; the start page for paths of the client's own; None for any other path."""
    try:
        return _found(static, (static / path.lstrip("/")).resolve())
    except (OSError, ValueError):  # no file can have such a name
        return None


def _found(static: Path, wanted: Path) -> File | None:
    if wanted.is_relative_to(static.resolve()) and wanted.is_file() and not wanted.name.startswith("."):
        hashed = wanted.parent == (static / "assets").resolve()
        return _read(wanted, wanted.stat().st_mtime_ns, FOR_EVER if hashed else ASK_AGAIN)
    if "." in wanted.name:
        return None
    index = static / "index.html"
    if not index.is_file():
        return File(NOT_BUILT, "text/html; charset=utf-8", ASK_AGAIN, '"none"')
    return _read(index, index.stat().st_mtime_ns, ASK_AGAIN)


@lru_cache(maxsize=256)
def _read(path: Path, changed: int, cache: str) -> File:
    content = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if kind.startswith("text/") or kind in ("application/javascript", "image/svg+xml"):
        kind += "; charset=utf-8"
    return File(content, kind, cache, f'"{hashlib.sha256(content).hexdigest()[:16]}"')
