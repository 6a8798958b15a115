"""The Chromium of the browser tests, as Debian brings it."""

from __future__ import annotations

import os
from pathlib import Path

CHROMIUM = Path("/usr/bin/chromium")
WITHOUT_WINDOWS = Path("/usr/bin/chromium-headless-shell")


def executable() -> Path | None:
    """The one that is named, or else the one that draws no windows: the other spends as much on them as on a page."""
    named = os.environ.get("OPFIRE_CHROMIUM")
    known = (Path(named),) if named else (WITHOUT_WINDOWS, CHROMIUM)
    return next((path for path in known if path.exists()), None)
