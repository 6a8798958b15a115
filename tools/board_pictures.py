"""The pictures of all boards in docs/img, drawn by the client's own code: `python tools/board_pictures.py [BOARD...]`.

It needs the client's packages (`cd web && npm ci`) and Chromium; look at every picture before it is committed.
"""

from __future__ import annotations

import base64
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from opfire.space.layout import BOARDS, Laid, lay

ROOT = Path(__file__).parent.parent
IMG = ROOT / "docs" / "img"
CHROMIUM = "/usr/bin/chromium"
WIDE = 1400
"""Pixels across."""
QUALITY = 0.74
ENTRY = """
import {{ drawScene }} from '{render}/layer';
import {{ makeScene }} from '{render}/map';
import {{ makeModel }} from '{render}/model';
window.paint = (data, wide, quality) => {{
  const scene = makeScene(makeModel(data), {{ theme: 'light', numbers: true, grid: true }});
  const canvas = document.createElement('canvas');
  const scale = wide / scene.box.width;
  [canvas.width, canvas.height] = [wide, Math.round(scene.box.height * scale)];
  drawScene(canvas.getContext('2d'), scene, scene.box, scale);
  return canvas.toDataURL('image/jpeg', quality);
}};
"""


def bundled() -> str:
    """The client's drawing as one script."""
    with tempfile.TemporaryDirectory() as folder:
        entry = Path(folder) / "entry.ts"
        entry.write_text(ENTRY.format(render=ROOT / "web" / "src" / "lib" / "render"), encoding="utf-8")
        esbuild = ROOT / "web" / "node_modules" / ".bin" / "esbuild"
        call = [str(esbuild), str(entry), "--bundle", "--format=iife", "--target=es2022"]
        return subprocess.run(call, check=True, capture_output=True, text=True).stdout


def main(names: list[str]) -> None:
    """Draw these boards, or all of them."""
    boards = names or [path.stem for path in sorted(BOARDS.glob("*.toml"))]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.evaluate(bundled())
        for board in boards:
            map = lay((Laid(board),)).to_json()
            picture = page.evaluate("([data, wide, quality]) => paint(data, wide, quality)", [map, WIDE, QUALITY])
            file = IMG / f"board-{board}.jpg"
            file.write_bytes(base64.b64decode(picture.split(",", 1)[1]))
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1000} kB")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
