"""Pictures compared with those that were kept, in the browser itself: no other program looks at pixels.

`OPFIRE_KEEP_PICTURES=1 pytest tests/browser/test_visual.py` keeps what the page shows now; look at it before it is
committed.
"""

from __future__ import annotations

import base64
import os
import struct
import zlib
from collections import Counter
from pathlib import Path

from playwright.sync_api import Locator, Page

KEPT = Path(__file__).parent / "baselines"
QUALITY = 70
NOTICED = 48
"""How far a pixel may be off in one channel, of 255, before it counts: edges are smoothed differently."""
FEW = 0.02
"""The share of pixels that may be off."""

NO_LETTERS = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("svg text { visibility: hidden !important }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
"""Letters look different with every system's fonts."""

OFF = """async ([a, b, noticed]) => {
  const pixels = async (data) => {
    const image = new Image();
    image.src = `data:image/jpeg;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [p, q] = [await pixels(a), await pixels(b)];
  if (p.width !== q.width || p.height !== q.height) return 1;
  let off = 0;
  for (let i = 0; i < p.data.length; i += 4) {
    if ([0, 1, 2].some((c) => Math.abs(p.data[i + c] - q.data[i + c]) > noticed)) off++;
  }
  return off / (p.width * p.height);
}"""


DRAWN = """() => document.querySelector(".viewport.moving") === null &&
  [...document.querySelectorAll(".picture")].every(({dataset}) => dataset.drawn === "true")"""


def at_rest(page: Page) -> None:
    """Wait until the map is drawn as sharply as it is shown: it is drawn elsewhere, and meanwhile the page goes on."""
    page.wait_for_function(DRAWN)


def differs(part: Locator, name: str) -> float:
    """The share of pixels in which this part of the page is not as it was kept, from 0 to 1."""
    at_rest(part.page)
    now = part.screenshot(type="jpeg", quality=QUALITY, animations="disabled", caret="hide", scale="css")
    kept = KEPT / f"{name}.jpg"
    if os.environ.get("OPFIRE_KEEP_PICTURES"):
        KEPT.mkdir(exist_ok=True)
        kept.write_bytes(now)
    return differs_in(part.page, now, kept.read_bytes())


def differs_in(page: Page, now: bytes, kept: bytes) -> float:
    """The share of pixels in which two pictures differ, from 0 to 1."""
    # A page of our own, on which no content security policy forbids pictures from data.
    blank = page.context.new_page()
    try:
        pictures = [base64.b64encode(data).decode() for data in (now, kept)]
        return float(blank.evaluate(OFF, [*pictures, NOTICED]))
    finally:
        blank.close()


# --- pictures for the guide -------------------------------------------------------------------------------

PIXELS = """async (data) => {
  const image = new Image();
  image.src = `data:image/png;base64,${data}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const {data: bytes} = context.getImageData(0, 0, image.width, image.height);
  let text = "";
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return [image.width, image.height, btoa(text)];
}"""
COLOURS = 256

Colour = tuple[int, int, int]

SMALLER = """async ([data, most]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${data}`;
  await image.decode();
  const by = Math.min(1, most / image.width);
  const canvas = new OffscreenCanvas(Math.round(image.width * by), Math.round(image.height * by));
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.75 });
  let text = "";
  for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}"""


def no_wider(page: Page, picture: bytes, most: int) -> bytes:
    """A PNG as a JPEG, reduced to a width of `most` pixels if it is wider."""
    blank = page.context.new_page()
    try:
        return base64.b64decode(blank.evaluate(SMALLER, [base64.b64encode(picture).decode(), most]))
    finally:
        blank.close()


def with_few_colours(page: Page, picture: bytes) -> bytes:
    """The same picture as a PNG with a palette: a third of the size, for a picture that is kept in git."""
    blank = page.context.new_page()
    try:
        width, height, data = blank.evaluate(PIXELS, base64.b64encode(picture).decode())
    finally:
        blank.close()
    raw = base64.b64decode(data)
    pixels = list(zip(raw[0::4], raw[1::4], raw[2::4], strict=True))
    palette = [colour for colour, _ in Counter(map(_rounded, pixels)).most_common(COLOURS)]
    places = {colour: _nearest(colour, palette) for colour in {_rounded(pixel) for pixel in pixels}}
    indices = bytes(places[_rounded(pixel)] for pixel in pixels)
    rows = b"".join(b"\0" + indices[at : at + width] for at in range(0, width * height, width))
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = [(b"IHDR", head), (b"PLTE", bytes(sum(palette, ()))), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in parts)


def _rounded(pixel: Colour) -> Colour:
    red, green, blue = pixel
    return min(red + 4 & ~7, 255), min(green + 4 & ~7, 255), min(blue + 4 & ~7, 255)


def _nearest(colour: Colour, palette: list[Colour]) -> int:
    return min(range(len(palette)), key=lambda i: sum((a - b) ** 2 for a, b in zip(colour, palette[i], strict=True)))


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
