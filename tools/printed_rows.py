"""Write the digests of the rows of Micro Armour's weapons and aircraft anew, from the text of the rulebook.

    python tools/printed_rows.py RULEBOOK.txt

Our data is not looked at: `tests/rules/micro_armour/test_printed_rows.py` compares it with the digests.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from rules.micro_armour.printed import DIGESTS, aircraft, digest, weapons  # noqa: E402


def main(text: str) -> None:
    rows = [f"weapons,{digest(cells)}" for cells in weapons(text)]
    rows += [f"aircraft,{digest(cells)}" for cells in aircraft(text)]
    DIGESTS.write_text("\n".join(["table,digest", *rows, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).read_text(encoding="utf-8"))
