"""The table in the browser, measured: `make bench-web`. Leave the machine alone meanwhile.

A game on the largest map that comes with Opfire with 150 counters is opened in Chromium; the map is dragged and
zoomed while Chromium writes a trace, and the main thread's work in each frame is added up from it. Then a stand is
led about a free table of 40 pieces of terrain with 60 stands, before thirty enemies in Firing Positions; led about
once more, it is counted how often the page asks for the price and how long each answer takes. Last, the computer's
turn on that largest map is shown as a film while the map is dragged, and the start page is opened over a slow line. A
frame is what the main thread hands on to be shown; where the pointer is looked up in between is part of it and no frame
of its own.
"""

from __future__ import annotations

import gzip
import json
import math
import statistics
import sys
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from browser.host import Game, Host
from browser.mill import to_second_turn
from browser.picture import DRAWN
from browser.table import Table
from opfire.core.scenario import text_of
from opfire.server.client import STATIC

CHROMIUM = "/usr/bin/chromium"
LARGEST = "mutnaya-crossing"
COUNTERS = 150
OPENINGS = 5
MINIATURES, BATTLEFIELD, STANDS, LED, LEADS = "panzerblitz-miniatures", "valmont", 60, "german-8", 200
DRAGS, ZOOMS, STEPS = 6, 40, 30
VIEW = {"width": 1600, "height": 1000}
TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
TASK, FRAME, CHANGE = "RunTask", "Commit", "UpdateLayoutTree"
POLLING_MS = 100
SLOW_LINE = 400_000 / 8
"""Bytes a second of a line of 400 kbit/s."""
LISTENS = """
const pending = new Map(), Plain = WebSocket;
window.asked = []; window.answers = [];
window.WebSocket = class extends Plain {
  constructor(...where) {
    super(...where);
    this.addEventListener('message', ({ data }) => {
      const { re: id } = JSON.parse(data);
      if (pending.has(id)) window.answers.push(performance.now() - pending.get(id));
      pending.delete(id);
    });
  }
  send(data) {
    const { type, id } = JSON.parse(data);
    if (type === 'cost') {
      pending.set(id, performance.now());
      window.asked.push(performance.now());
    }
    super.send(data);
  }
};
"""
"""Notes when the page asks for prices, and how many milliseconds it waits for each."""


def crowded(hexes: list[str]) -> str:
    """The largest scenario's map, with one unit in each of 150 hexes, both sides by turns."""
    boards = text_of(LARGEST).split("[sides.", 1)[0].replace(f'id = "{LARGEST}"', 'id = "crowded"')
    kept = [line for line in boards.splitlines() if not line.startswith(("options", "setup", "first", "turns"))]
    head, tables = "\n".join(kept).split("[[boards]]", 1)
    sides = [("german", "pz-iv-h"), ("soviet", "t-34-76")]
    parts = [head, 'turns = 3\nfirst = "german"\nsetup = ["german", "soviet"]\n', f"[[boards]]{tables}"]
    for i, (side, unit) in enumerate(sides):
        places = hexes[i : COUNTERS : len(sides)]
        parts.append(f'[sides.{side}]\nname = "{side.title()}"\nnation = "{side}"\n')
        parts += [f'[[sides.{side}.units]]\nunit = "{unit}"\nat = ["{hex}"]\n' for hex in places]
    parts += [f'[[victory]]\nside = "{side}"\ncondition = "eliminate"\npoints = 1\n' for side, _ in sides]
    return "\n".join(parts)


def battlefield() -> str:
    """A free table of some forty pieces of terrain, with thirty stands a side, eight to twenty inches apart."""
    parts = [f'id = "crowded-table"\nruleset = "{MINIATURES}"\ntitle = "Crowded"\nturns = 3\nfirst = "german"\n']
    parts.append(f'[table]\ntable = "{BATTLEFIELD}"\n')
    places = {
        ("german", "pz-iv-h"): [f"{20 + 2.2 * (i % 15):.1f},{34 + 2 * (i // 15)}" for i in range(STANDS // 2)],
        ("soviet", "t-34-76"): [f"{17 + 4 * (i % 10)},{17 + 5 * (i // 10)}" for i in range(STANDS // 2)],
    }
    for (side, unit), spots in places.items():
        parts.append(f'[sides.{side}]\nname = "{side.title()}"\nnation = "{side}"\n')
        parts += [f'[[sides.{side}.units]]\nunit = "{unit}"\nat = ["{spot}"]\n' for spot in spots]
    return "\n".join(parts)


def lead_about(page: Page) -> None:
    """A stand is taken up and led about its reach and beyond, in sight of the enemy, and put back."""
    box = page.locator(f'.counters [data-unit="{LED}"]').bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for i in range(LEADS):
        page.mouse.move(x + 110 * math.sin(i / 9), y - 60 + 50 * math.cos(i / 7))
        page.evaluate("new Promise(requestAnimationFrame)")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.mouse.up()


def transferred() -> dict[str, int]:
    """Compressed bytes of the first load, file by file: the page and what it names itself."""
    index = (STATIC / "index.html").read_text(encoding="utf-8")
    files = [STATIC / "index.html", *(f for f in (STATIC / "assets").iterdir() if f.name in index)]
    return {file.name: len(gzip.compress(file.read_bytes())) for file in files}


def seconds_to_play(browser: Browser, host: Host, game: Game) -> list[float]:
    """From asking for the page until a choice can be clicked and the map is drawn, nothing cached."""
    found = []
    for _ in range(OPENINGS):
        table = Table(browser.new_page(viewport={**VIEW}), host)
        table.sit(game, "german", "soviet")
        table.page.reload()
        table.page.wait_for_selector("button[data-kind]")
        table.page.wait_for_selector(".picture canvas")
        found.append(table.page.evaluate("performance.now()") / 1000)
        table.page.close()
    return found


def drag_and_zoom(page: Page) -> None:
    """The map is dragged to and fro, then zoomed out and in at the pointer, and comes to rest."""
    x, y = 600, 500
    for i in range(DRAGS):
        away = 260 if i % 2 == 0 else -260
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + away, y + away / 2, steps=STEPS)
        page.mouse.up()
    for i in range(ZOOMS):
        page.mouse.wheel(0, 60 if i < ZOOMS / 2 else -60)
        page.evaluate("new Promise(requestAnimationFrame)")
    # Not asked at every frame, which would make frames.
    page.wait_for_function(DRAWN, polling=POLLING_MS)


class Frame(NamedTuple):
    """What the main thread did for one frame: milliseconds by the clock and of the processor; was anything another?"""

    work: float
    processor: float
    changed: bool


def frames_of(trace: dict[str, Any]) -> list[Frame]:
    """The frames that the page's main thread made."""
    events = [event for event in trace["traceEvents"] if event.get("ph") == "X"]
    thread = Counter((e["pid"], e["tid"]) for e in events if e["name"] == FRAME).most_common(1)[0][0]
    own = [event for event in events if (event["pid"], event["tid"]) == thread]
    tasks = [event for event in own if event["name"] == TASK]
    changes = [event["ts"] for event in own if event["name"] == CHANGE]
    # A frame's own task has begun a little before the frame is handed on in it.
    starts = sorted(event["ts"] for event in own if event["name"] == FRAME)
    edges = [max((t["ts"] for t in tasks if t["ts"] <= start), default=start) for start in starts]
    found = []
    for a, b in pairwise(edges):
        within = [task for task in tasks if a <= task["ts"] < b]
        work, processor = (sum(task.get(name, 0) for task in within) / 1000 for name in ("dur", "tdur"))
        found.append(Frame(work, processor, any(a <= at < b for at in changes)))
    return found


def told(frames: list[Frame]) -> str:
    """The work in these frames, by the clock and of the processor."""
    clock, processor = spread([frame.work for frame in frames]), spread([frame.processor for frame in frames])
    return f"{clock} (in processor time {processor}) of {len(frames)}"


def spread(work: list[float]) -> str:
    """Median and 95th percentile."""
    return f"median {statistics.median(work):.1f} ms, 95th percentile {sorted(work)[int(len(work) * 0.95)]:.1f} ms"


def main() -> int:
    """Measure and print, as rows for docs/performance.md."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        host = Host(Path(folder) / "opfire.sqlite")
        host.start()
        try:
            report(playwright.chromium.launch(executable_path=CHROMIUM), host)
        finally:
            host.kill()
    return 0


class Asked(NamedTuple):
    """What a page asked for prices: the milliseconds of each answer, and the most questions within any second."""

    answers: list[float]
    most: int


def at_battlefield(browser: Browser, host: Host, script: str = "") -> Table:
    """A page at the movement phase of the second turn: nobody has stirred, so that all are in Firing Positions."""
    game = host.begin(battlefield(), to_second_turn, (), {"german": "one", "soviet": "two"})
    table = Table(browser.new_page(viewport={**VIEW}), host)
    if script:
        table.page.add_init_script(script)
    table.sit(game, "german")
    table.end("Move a stand")
    table.page.keyboard.press("0")
    table.page.wait_for_function(DRAWN, polling=POLLING_MS)
    return table


def prices_asked(browser: Browser, host: Host) -> Asked:
    """The prices that are asked for while a stand is led about a free table."""
    table = at_battlefield(browser, host, LISTENS)
    lead_about(table.page)
    asked, answers = table.page.evaluate("[window.asked, window.answers]")
    return Asked(answers, max(sum(at <= other < at + 1000 for other in asked) for at in asked))


def stands_led(browser: Browser, host: Host) -> list[Frame]:
    """The frames in which a stand is led about a free table."""
    table = at_battlefield(browser, host)
    browser.start_tracing(page=table.page, categories=TRACED)
    lead_about(table.page)
    return [frame for frame in frames_of(json.loads(browser.stop_tracing())) if frame.changed]


def film_shown(browser: Browser, host: Host) -> list[Frame]:
    """The frames in which the computer's first turn is shown as a film, while the map is dragged to and fro."""
    table = Table(browser.new_page(viewport={**VIEW}), host)
    table.start(LARGEST, "german")
    table.find("auto").click()
    table.all_placed(LARGEST, "german")
    table.find("done").click()
    table.find("film").wait_for()
    table.page.wait_for_function(DRAWN, polling=POLLING_MS)
    browser.start_tracing(page=table.page, categories=TRACED)
    drag_and_zoom(table.page)
    running = table.find("film").evaluate("film => film.dataset.at !== film.dataset.scenes")
    frames = frames_of(json.loads(browser.stop_tracing()))
    assert running, "the film was over before the map came to rest"
    return [frame for frame in frames if frame.changed]


def first_paint(browser: Browser, host: Host) -> float:
    """Seconds until the first words of the start page are seen over a slow line, nothing cached."""
    page = browser.new_page(viewport={**VIEW})
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    speed = {"downloadThroughput": SLOW_LINE, "uploadThroughput": SLOW_LINE}
    line.send("Network.emulateNetworkConditions", {"offline": False, "latency": 0, **speed})
    page.goto(host.url)
    painted = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    page.wait_for_function(painted)
    return float(page.evaluate(painted)) / 1000


def report(browser: Browser, host: Host) -> None:
    """Open, drag, zoom; print."""
    page = browser.new_page()
    page.goto(host.url)
    detail = page.evaluate(f"fetch('/api/scenarios/{LARGEST}').then((answer) => answer.json())")
    page.close()
    clear = [h["name"] for h in detail["map"]["hexes"] if h["playable"] and h["terrain"] == ["clear"]]
    every = max(1, len(clear) // COUNTERS)
    game = host.begin(crowded(clear[::every][:COUNTERS]), lambda match: None)
    table = Table(browser.new_page(viewport={**VIEW}), host)
    table.sit(game, "german", "soviet")
    shown = "n => document.querySelectorAll('.counters .counter').length === n"
    table.page.wait_for_function(shown, arg=COUNTERS)
    table.page.wait_for_selector(".picture canvas")
    browser.start_tracing(page=table.page, categories=TRACED)
    drag_and_zoom(table.page)
    frames = frames_of(json.loads(browser.stop_tracing()))
    opening = seconds_to_play(browser, host, game)
    led = stands_led(browser, host)
    asked = prices_asked(browser, host)
    filmed = film_shown(browser, host)
    painted = first_paint(browser, host)
    sizes = transferred()
    print(f"hexes {len(detail['map']['hexes'])}, counters {COUNTERS}")
    print(f"main-thread work a frame: {told(frames)}")
    print(f"of those in which the page changed: {told([frame for frame in frames if frame.changed])}")
    print(f"a stand led about a free table with {STANDS} stands: {told(led)}")
    print(f"its price: {spread(asked.answers)} of {len(asked.answers)}, at most {asked.most} a second")
    print(f"a film, and the map dragged under it: {told(filmed)}")
    print(f"first load, compressed: {sum(sizes.values()) / 1000:.0f} kB ({sizes})")
    print(f"first paint at 400 kbit/s: {painted:.2f} s")
    print(f"from opening to clicking: median {statistics.median(opening):.2f} s of {len(opening)}")


if __name__ == "__main__":
    sys.exit(main())
