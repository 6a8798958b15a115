"""Colours for the counters of nations that several rulebooks have.

The frames of counters differ by side too, so colour is never the only sign.
"""

from __future__ import annotations

from opfire.core.counters import Livery

LIVERIES = (
    Livery("german", "#b4bdc2", "#7f8c94", "#15191c", "#2f383e"),
    Livery("soviet", "#d9b48c", "#b0714a", "#24120a", "#5c2c17"),
    Livery("american", "#a2ad68", "#7f8a55", "#171b0b", "#3c4322"),
    Livery("british", "#d4c08f", "#a68c4c", "#201a0a", "#574621"),
)
