"""A table as a picture: an SVG drawing of its ground, lit from the north-west, in the colours of the client's maps.

An inch is 100 units. Trees, roofs and reeds are scattered by a fixed rule, so that a table looks the same every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise

from opfire.core.places import INCH, Point
from opfire.space.measure import length
from opfire.space.terrain.exact import Ring, box
from opfire.space.terrain.features import Feature
from opfire.space.terrain.ground import Ground
from opfire.space.terrain.scatter import scattered

SCALE = 10
"""Units of a point (1/1000 inch) to the unit of the picture."""

COLOURS = {
    "table": "#4a4338",
    "ground": "#d5d7ae",
    "tuft": "#a5ad78",
    "name": "#2f2a1c",
    "halo": "#f4efd8",
    "shade": "#3d3420",
    "lit": "#fff8de",
}

Elements = Iterator[str]
Free = Callable[[Point, int], bool]
"""Whether nothing is built within some room of a point."""

Grown = Callable[[Feature, Free], Elements]


def picture(ground: Ground, title: str, grid: bool = False) -> str:
    """The SVG drawing of a table; with `grid` inch by inch."""
    wide, high = (amount / SCALE for amount in ground.size)
    edge = 2 * INCH / SCALE
    view = f"{-edge:g} {-edge:g} {wide + 2 * edge:g} {high + 2.6 * edge:g}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" role="img" font-family="Georgia, serif">',
        f"<title>{escape(title)}</title>",
        _DEFINITIONS,
        f'<rect x="{-edge:g}" y="{-edge:g}" width="{wide + 2 * edge:g}" height="{high + 2.6 * edge:g}" '
        f'fill="{COLOURS["table"]}"/>',
        f'<clipPath id="table"><rect width="{wide:g}" height="{high:g}"/></clipPath>',
        f'<rect x="-14" y="-14" width="{wide + 28:g}" height="{high + 28:g}" fill="#7a6b52" rx="10"/>',
        '<g clip-path="url(#table)">',
        f'<rect width="{wide:g}" height="{high:g}" fill="{COLOURS["ground"]}"/>',
        f'<rect width="{wide:g}" height="{high:g}" fill="url(#tufts)"/>',
        *_layers(ground),
        *(_inches(ground.size) if grid else ()),
        "</g>",
        *_names(ground),
        *_legend(ground.size, title),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _layers(ground: Ground) -> Elements:
    """All features from the ground up: all that stands on the ground is drawn after all that lies on it."""
    for feature in ground.features:
        yield from GROUND.get(feature.look, _nothing)(feature)
    built = ground.only(lambda feature: bool(feature.width) or feature.shape == "building")
    for feature in ground.features:
        if feature.look in GROWING:
            yield from GROWING[feature.look](feature, lambda at, far: not built.under(at, far))
        yield from UPRIGHT.get(feature.look, _nothing)(feature)


def _nothing(feature: Feature) -> Elements:
    return iter(())


# --- paths -----------------------------------------------------------------------------------------------


def _at(point: Point) -> str:
    return f"{point[0] / SCALE:g},{point[1] / SCALE:g}"


def _closed(rings: Iterable[Ring]) -> str:
    return " ".join(f"M{' '.join(map(_at, ring))}Z" for ring in rings)


def _open(way: Ring) -> str:
    return f"M{' '.join(map(_at, way))}"


def _area(feature: Feature) -> str:
    return " ".join(_closed(rings) for rings in feature.parts)


def _path(course: str, **look: object) -> str:
    attributes = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in look.items())
    return f'<path d="{course}"{attributes}/>'


def _stroke(course: str, colour: str, width: float, **more: object) -> str:
    look = {"fill": "none", "stroke": colour, "stroke_width": f"{width:g}", "stroke_linejoin": "round", **more}
    return _path(course, **look)


def _filled(course: str, colour: str, **more: object) -> str:
    return _path(course, fill=colour, fill_rule="evenodd", **more)


# --- what lies on the ground -----------------------------------------------------------------------------


def _contour(fill: str, line: str) -> Callable[[Feature], Elements]:
    def drawn(feature: Feature) -> Elements:
        course = _area(feature)
        yield _filled(course, COLOURS["shade"], opacity=0.42, filter="url(#soft)", transform="translate(34 38)")
        yield _filled(course, COLOURS["lit"], opacity=0.75, filter="url(#soft)", transform="translate(-16 -18)")
        yield _filled(course, fill)
        yield _filled(course, "url(#light)")
        yield _stroke(course, line, 5, opacity=0.8)

    return drawn


def _woods(fill: str, rim: str) -> Callable[[Feature], Elements]:
    def drawn(feature: Feature) -> Elements:
        yield _filled(_area(feature), rim, opacity=0.4, filter="url(#soft)")
        yield _filled(_area(feature), fill, opacity=0.75, filter="url(#rough)")

    return drawn


def _field(feature: Feature) -> Elements:
    turn = (feature.number * 37) % 160
    earth = ("#d9c98b", "#cbd09a", "#d8bf8e", "#c9c184")[feature.number % 4]
    pattern = f"furrows-{feature.id}"
    yield (
        f'<pattern id="{pattern}" width="40" height="26" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate({turn})"><rect width="40" height="26" fill="{earth}"/>'
        '<path d="M0 8H40" stroke="#8f8552" stroke-width="5" opacity=".35"/>'
        '<path d="M0 13H40" stroke="#fdf6cf" stroke-width="4" opacity=".4"/></pattern>'
    )
    yield _filled(_area(feature), f"url(#{pattern})", stroke="#8d8450", stroke_width=5, stroke_opacity=0.55)


def _town(feature: Feature) -> Elements:
    yield _filled(
        _area(feature), "#cdc6ae", stroke="#8b8168", stroke_width=6, stroke_dasharray="16 9", filter="url(#rough)"
    )
    yield _filled(_area(feature), "url(#yards)", opacity=0.8)


def _swamp(feature: Feature) -> Elements:
    yield _filled(_area(feature), "#a9bd9b", filter="url(#rough)", opacity=0.9)
    yield _filled(_area(feature), "url(#pools)")


def _beach(feature: Feature) -> Elements:
    yield _filled(_area(feature), "#e8d8a4", filter="url(#rough)")


def _water(feature: Feature) -> Elements:
    course = _area(feature)
    yield _stroke(course, "#8f8257", 22, filter="url(#rough)")
    yield _filled(course, "#8db6c7")
    yield _stroke(course, "#c9e0e8", 8, opacity=0.7)
    yield _filled(course, "url(#ripples)")


def _channel(bank: str, bed: str, light: str) -> Callable[[Feature], Elements]:
    def drawn(feature: Feature) -> Elements:
        course, width = _open(feature.way), feature.width / SCALE
        yield _stroke(course, bank, width + 8, opacity=0.85)
        yield _stroke(course, bed, width - 8)
        yield _stroke(course, light, width / 4, opacity=0.5, transform=f"translate({-width / 9:g} {-width / 9:g})")
        yield _stroke(course, light, 4, stroke_dasharray="70 110", opacity=0.8, transform="translate(12 10)")

    return drawn


def _way(edge: str, fill: str, narrower: float, dashes: str = "") -> Callable[[Feature], Elements]:
    def drawn(feature: Feature) -> Elements:
        course, width = _open(feature.way), feature.width / SCALE * narrower
        yield _stroke(course, edge, width, opacity=0.9)
        yield _stroke(course, fill, width - 12)
        if dashes:
            yield _stroke(course, edge, 7, stroke_dasharray=dashes, opacity=0.5)

    return drawn


def _bridge(feature: Feature) -> Elements:
    course, width = _open(feature.way), feature.width / SCALE
    yield _stroke(course, COLOURS["shade"], width, opacity=0.45, transform="translate(10 14)", filter="url(#soft)")
    yield _stroke(course, "#4a4038", width)
    yield _stroke(course, "#e6dcc4", width - 18)
    yield _stroke(course, "#b9ab8d", width - 18, stroke_dasharray="3 15")


def _ford(feature: Feature) -> Elements:
    course, width = _open(feature.way), feature.width / SCALE
    yield _stroke(course, "#c9bd93", width, opacity=0.85, filter="url(#rough)")
    yield _stroke(course, "#9fc0c9", width - 10, stroke_dasharray="9 17", opacity=0.9)


# --- what stands on it -----------------------------------------------------------------------------------


def _trees(kinds: Sequence[str], apart: int, room: int) -> Grown:
    """Trees or reeds about so far apart, where nothing is built within some room."""

    def drawn(feature: Feature, free: Free) -> Elements:
        for rings in feature.parts:
            for number, at in enumerate(at for at in scattered(rings, apart, apart // 3) if free(at, room)):
                size = 0.8 + (number * 7 % 5) * 0.1
                x, y = (amount / SCALE for amount in at)
                yield f'<use href="#{kinds[number % len(kinds)]}" transform="translate({x:g} {y:g}) scale({size:g})"/>'

    return drawn


def _roofs(feature: Feature, free: Free) -> Elements:
    for rings in feature.parts:
        for number, (x, y) in enumerate(at for at in scattered(rings, 1_300, 520) if free(at, 380)):
            turn, kind = (number * 53 + feature.number * 17) % 60 - 30, "abc"[number % 3]
            yield f'<use href="#roof-{kind}" transform="translate({x / SCALE:g} {y / SCALE:g}) rotate({turn})"/>'


def _building(feature: Feature) -> Elements:
    ((a, b, c, d),) = feature.parts[0]
    tall = 8 + 9 * feature.floors
    yield _filled(_closed([(a, b, c, d)]), COLOURS["shade"], opacity=0.5, transform=f"translate({tall} {tall})")
    long = length(a, b) >= length(b, c)
    ends = (_half(a, d), _half(b, c)) if long else (_half(a, b), _half(d, c))
    slopes = (
        ((a, b, ends[1], ends[0]), (d, c, ends[1], ends[0])) if long else ((a, d, *ends[::-1]), (b, c, *ends[::-1]))
    )
    bright = sorted(slopes, key=lambda slope: sum(x + y for x, y in slope[:2]))
    yield _filled(_closed([bright[0]]), "#c98068", stroke="#5a4a3f", stroke_width=4)
    yield _filled(_closed([bright[1]]), "#94503f", stroke="#5a4a3f", stroke_width=4)
    yield _stroke(_open(ends), "#e5b39b", 6)


def _half(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) // 2, (a[1] + b[1]) // 2


def _hedge(feature: Feature) -> Elements:
    for number, at in enumerate(_paces(feature.way, 190)):
        x, y = (amount / SCALE for amount in at)
        size = 0.34 + (number * 5 % 4) * 0.05
        yield f'<use href="#tree-{"ab"[number % 2]}" transform="translate({x:g} {y:g}) scale({size:g})"/>'


def _wall(feature: Feature) -> Elements:
    course = _open(feature.way)
    yield _stroke(course, COLOURS["shade"], 20, opacity=0.45, transform="translate(9 10)")
    yield _stroke(course, "#6d6659", 22, stroke_linecap="square")
    yield _stroke(course, "#c9c2b2", 13, stroke_dasharray="20 4")


def _fence(feature: Feature) -> Elements:
    yield _stroke(_open(feature.way), COLOURS["shade"], 7, opacity=0.35, transform="translate(7 8)")
    yield _stroke(_open(feature.way), "#6b4d2e", 6)
    yield from (_post(at) for at in _paces(feature.way, 480))


def _post(at: Point) -> str:
    x, y = (amount / SCALE for amount in at)
    return f'<circle cx="{x:g}" cy="{y:g}" r="10" fill="#8a6640" stroke="#4b3519" stroke-width="3"/>'


def _ticked(line: str, tick: int) -> Callable[[Feature], Elements]:
    """A line with ticks to its right, downhill for a ring that is drawn clockwise."""

    def drawn(feature: Feature) -> Elements:
        yield _stroke(_open(feature.way), line, 8)
        ticks = (_open((at, _beside(at, *leg, tick))) for leg in pairwise(feature.way) for at in _paces(leg, 420))
        yield _stroke(" ".join(ticks), line, 6, stroke_linecap="round", opacity=0.85)

    return drawn


def _beside(at: Point, a: Point, b: Point, far: int) -> Point:
    whole = max(length(a, b) // INCH, 1)
    return at[0] + (b[1] - a[1]) * far // whole, at[1] - (b[0] - a[0]) * far // whole


def _paces(way: Ring, pace: int) -> Iterator[Point]:
    """Points along a way, about a pace apart."""
    for a, b in pairwise(way):
        many = max(length(a, b) // (INCH * pace), 1)
        yield from ((a[0] + (b[0] - a[0]) * n // many, a[1] + (b[1] - a[1]) * n // many) for n in range(many))


GROUND: Mapping[str, Callable[[Feature], Elements]] = {
    "slope": _contour("#cfc48d", "#8f7d4b"),
    "hilltop": _contour("#c4ab72", "#7e6538"),
    "woods": _woods("#8fa771", "#3f5732"),
    "heavy-woods": _woods("#5f7d55", "#22381f"),
    "field": _field,
    "town": _town,
    "swamp": _swamp,
    "beach": _beach,
    "water": _water,
    "stream": _channel("#8f8257", "#7fb0c4", "#d3e8ef"),
    "gully": _channel("#8b7a50", "#b3a374", "#8b7a50"),
    "road": _way("#7c6847", "#efe2c2", 0.8),
    "track": _way("#97815a", "#d5bd8c", 0.55, "34 26"),
    "bridge": _bridge,
    "ford": _ford,
}
"""The drawings of all that lies on the ground, by look."""

UPRIGHT: Mapping[str, Callable[[Feature], Elements]] = {
    "crest": _ticked("#6d5228", 190),
    "cliff": _ticked("#3d2f1d", 300),
    "dune": _ticked("#b0945a", 220),
    "hedge": _hedge,
    "wall": _wall,
    "fence": _fence,
    "building": _building,
}
"""The drawings of all that stands on the ground, by look."""


GROWING: Mapping[str, Grown] = {
    "woods": _trees(("tree-a", "tree-b", "tree-c"), 900, 330),
    "heavy-woods": _trees(("tree-d", "tree-e"), 760, 330),
    "town": _roofs,
    "swamp": _trees(("reed",), 900, 150),
}
"""The drawings of all that is scattered over an area, by look."""


# --- the frame -------------------------------------------------------------------------------------------


def _inches(size: Point) -> Elements:
    columns = " ".join(f"M{x / SCALE:g},0V{size[1] / SCALE:g}" for x in range(INCH, size[0], INCH))
    rows = " ".join(f"M0,{y / SCALE:g}H{size[0] / SCALE:g}" for y in range(INCH, size[1], INCH))
    yield _stroke(f"{columns} {rows}", "#3a3a20", 2, opacity=0.28)


def _names(ground: Ground) -> Elements:
    """The names that the author gave: of hills, areas and buildings at their middles, of the rest along their ways."""
    taken: list[Point] = []
    for feature in ground.features:
        if feature.name and _named(feature, ground.features):
            at = _middle(feature)
            while any(abs(at[0] - x) < 4_500 and abs(at[1] - y) < 750 for x, y in taken):
                at = (at[0], at[1] + 800)
            taken.append(at)
            size, style = (62, "italic") if feature.look in ("stream", "water", "road", "track") else (76, "normal")
            yield (
                f'<text x="{at[0] / SCALE:g}" y="{at[1] / SCALE + size / 3:g}" text-anchor="middle" '
                f'font-size="{size}" font-style="{style}" fill="{COLOURS["name"]}" stroke="{COLOURS["halo"]}" '
                f'stroke-width="16" stroke-linejoin="round" paint-order="stroke">{escape(feature.name)}</text>'
            )


def _named(feature: Feature, features: Sequence[Feature]) -> bool:
    """Return whether a name is the author's own, and on a hill that of its highest contour."""
    if feature.hill:
        return feature.shape == "contour" and not any(
            other.hill == feature.hill and other.shape == "contour" and (other.level or 0) > (feature.level or 0)
            for other in features
        )
    return bool(feature.called) and (feature.shape != "line" or bool(feature.width))


def _middle(feature: Feature) -> Point:
    if feature.shape == "line":
        return feature.way[len(feature.way) // 5]
    left, top, right, bottom = box(at for rings in feature.parts for at in rings[0])
    lower = bottom + 500 if feature.shape in ("building", "crossing") else (top + bottom) // 2
    return (left + right) // 2, lower


def _legend(size: Point, title: str) -> Elements:
    """The title, and a scale of six inches."""
    y, right = size[1] / SCALE + 150, size[0] / SCALE
    yield f'<text x="0" y="{y:g}" font-size="120" fill="{COLOURS["halo"]}">{escape(title)}</text>'
    ink = COLOURS["halo"]
    for inch in range(6):
        x = right - 600 + 100 * inch
        fill = ink if inch % 2 == 0 else "none"
        yield f'<rect x="{x:g}" y="{y - 52:g}" width="100" height="26" fill="{fill}" stroke="{ink}" stroke-width="5"/>'
    yield f'<text x="{right - 630:g}" y="{y - 20:g}" text-anchor="end" font-size="72" fill="{ink}">6 inches</text>'


def _round(name: str, fill: str, shade: str, light: str) -> str:
    return (
        f'<g id="{name}"><circle cx="14" cy="17" r="46" fill="#2b3320" opacity=".38"/>'
        f'<circle r="44" fill="{shade}"/><circle cx="-5" cy="-6" r="36" fill="{fill}"/>'
        f'<circle cx="-14" cy="-16" r="19" fill="{light}" opacity=".75"/></g>'
    )


def _fir(name: str, fill: str, light: str) -> str:
    star = "M0-48 14-18 46-12 22 8 30 44 0 26-30 44-22 8-46-12-14-18Z"
    return (
        f'<g id="{name}"><path d="{star}" fill="#1c2718" opacity=".4" transform="translate(14 17)"/>'
        f'<path d="{star}" fill="{fill}"/><path d="{star}" fill="{light}" transform="translate(-5 -6) scale(.5)"/></g>'
    )


def _roof(name: str, wide: int, deep: int, dark: str, light: str) -> str:
    x, y = -wide // 2, -deep // 2
    return (
        f'<g id="{name}"><rect x="{x + 12}" y="{y + 14}" width="{wide}" height="{deep}" fill="#3d3420" opacity=".45"/>'
        f'<rect x="{x}" y="{y}" width="{wide}" height="{deep}" fill="{dark}" stroke="#5a4a3f" stroke-width="3"/>'
        f'<rect x="{x}" y="{y}" width="{wide}" height="{deep // 2}" fill="{light}"/></g>'
    )


_DEFINITIONS = "\n".join(
    (
        "<defs>",
        '<filter id="soft" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="22"/></filter>',
        '<filter id="rough" x="-5%" y="-5%" width="110%" height="110%"><feTurbulence baseFrequency=".012" '
        'numOctaves="2" seed="4"/><feDisplacementMap in="SourceGraphic" scale="34"/></filter>',
        '<linearGradient id="light" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fffbe2" '
        'stop-opacity=".62"/><stop offset=".5" stop-color="#fffbe2" stop-opacity="0"/><stop offset="1" '
        'stop-color="#4a3a18" stop-opacity=".34"/></linearGradient>',
        '<pattern id="tufts" width="310" height="270" patternUnits="userSpaceOnUse"><g fill="none" '
        f'stroke="{COLOURS["tuft"]}" stroke-width="5" stroke-linecap="round" opacity=".6">'
        '<path d="M40 60l6-16M48 60l0-19M56 60l-5-16M200 40l6-15M208 41l0-17M120 190l5-14M127 190l0-17M134 190l-4-14'
        'M270 210l5-14M277 210l0-16"/></g></pattern>',
        '<pattern id="yards" width="260" height="220" patternUnits="userSpaceOnUse"><rect x="18" y="14" width="96" '
        'height="78" fill="#a9b27c" opacity=".7"/><rect x="150" y="118" width="86" height="82" fill="#b3b184" '
        'opacity=".7"/><path d="M150 30h80M150 44h80M150 58h80" stroke="#8d9a63" stroke-width="5"/></pattern>',
        '<pattern id="pools" width="330" height="260" patternUnits="userSpaceOnUse"><g fill="#8db6c7" opacity=".85">'
        '<ellipse cx="80" cy="60" rx="62" ry="20"/><ellipse cx="240" cy="150" rx="70" ry="24"/>'
        '<ellipse cx="90" cy="215" rx="48" ry="15"/></g></pattern>',
        '<pattern id="ripples" width="360" height="180" patternUnits="userSpaceOnUse"><path d="M20 50q40-16 80 0t80 0'
        'M190 130q40-16 80 0t70 0" fill="none" stroke="#d9ecf2" stroke-width="6" opacity=".6"/></pattern>',
        _round("tree-a", "#6d8c56", "#42592f", "#a4bd7c"),
        _round("tree-b", "#7c9a5f", "#4b6338", "#b0c488"),
        _round("tree-c", "#64834d", "#3b5230", "#94ad6d"),
        _fir("tree-d", "#35533a", "#6d8e68"),
        _fir("tree-e", "#2c4733", "#5c7d5a"),
        '<g id="reed" stroke="#5f7a4c" stroke-width="6" stroke-linecap="round"><path d="M-18 20l-6-34M-6 22l0-44'
        'M7 22l5-40M20 20l9-28"/></g>',
        _roof("roof-a", 92, 62, "#8f4f3d", "#c47c62"),
        _roof("roof-b", 76, 56, "#7d7568", "#aea593"),
        _roof("roof-c", 104, 58, "#9a5f43", "#cf9470"),
        "</defs>",
    )
)
