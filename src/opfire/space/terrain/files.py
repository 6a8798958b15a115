"""Table files: terrain drawn in TOML with few points, read strictly (docs/tables.md).

Every fault is a BadInput that names the file and the field.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from opfire.core import places
from opfire.core.errors import BadInput
from opfire.core.places import INCH, Point
from opfire.core.reading import ready
from opfire.space.files import file_named
from opfire.space.terrain.exact import Ring, tangle
from opfire.space.terrain.features import SHAPES, Feature, Kind, Shape, Vocabulary
from opfire.space.terrain.shapes import block, smooth_ring, smooth_way, strip

FORM = "the form in docs/tables.md"
TABLES = Path(__file__).parent.parent.parent / "scenarios" / "tables"
"""The tables that come with Opfire."""

LONGEST, SMALLEST = 200, 0.1
"""The longest side of a table and the smallest stand, in inches."""

WIDEST, TALLEST = 20, 20
"""The widest strip in inches, and the most floors of a building."""

LEVELS = range(-3, 10)
"""The levels that a table file may name."""

_COUNTED = re.compile(r"\[(\d+)\]")


class Area(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[[areas]]`: a polygon, or with `smooth` a closed curve, through points in inches."""

    kind: str
    points: str
    name: str = ""
    smooth: bool = False
    holes: tuple[str, ...] = ()


class Contour(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A level of a hill, and the kind of the crest line around it, if it has one."""

    kind: str
    level: int
    points: str
    crest: str = ""


class Hill(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[[hills]]`: contours from the lowest to the highest, smooth unless the file says otherwise."""

    name: str
    contours: tuple[Contour, ...]
    smooth: bool = True


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[[lines]]`: a road, stream, hedge, wall or crest; `width` in inches, that of its kind if left out."""

    kind: str
    points: str
    name: str = ""
    smooth: bool = False
    width: float | None = None


class Crossing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[[crossings]]`: a bridge or a ford, a straight strip from bank to bank."""

    kind: str
    points: str
    name: str = ""
    width: float | None = None


class Building(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[[buildings]]`: a block around a point; its size across and along its facing, in inches."""

    kind: str
    at: str
    size: tuple[float, float]
    name: str = ""
    facing: int = 0
    floors: int = 1


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The terrain of a table as its author drew it."""

    areas: tuple[Area, ...] = ()
    hills: tuple[Hill, ...] = ()
    lines: tuple[Line, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    buildings: tuple[Building, ...] = ()


class TableFile(Drawing, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole table file: sizes in inches, and the vocabulary that its kinds are taken from."""

    id: str
    title: str
    size: tuple[float, float]
    base: float = 1.0
    terrain: str = "miniatures"
    source: str = "own"
    summary: str = ""


def is_table(fields: Mapping[str, Any]) -> bool:
    """Return whether the fields of a TOML file are those of a table: only tables have a size of their own."""
    return "size" in fields and "ruleset" not in fields


def table_file(name: str) -> Path:
    """The file of a table that comes with Opfire, by its id or file name. Raises BadInput with the known tables."""
    return file_named(TABLES, name, "table", "table")


def read_table(path: Path) -> TableFile:
    """The table in a file. Raises BadInput."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"the table cannot be read: {error}", str(path), "a table file in UTF-8") from None
    return parse_table(text, path.name)


def parse_table(text: str, file: str) -> TableFile:
    """The table in a text; `file` is the name of the file in errors. Raises BadInput with file and field."""
    try:
        fields = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # broken, numbers too long, or too deep
        raise BadInput(f"not TOML: {error}", file, "a table file") from None
    try:
        return msgspec.convert(fields, ready(TableFile))
    except msgspec.ValidationError as error:
        what, _, field = str(error).partition(" - at `$")
        where = _COUNTED.sub(lambda number: f"[{int(number[1]) + 1}]", field.strip("`."))  # as people count
        raise BadInput(what, f"{file}: {where}" if where else file, FORM) from None


def sized(size: Sequence[float], base: float, where: str) -> tuple[Point, int]:
    """The size of a table and the diameter of its stands in 1/1000 inch; `where` precedes the field in errors.

    Raises BadInput for a size that no table has.
    """
    wide, high = size
    if not (1 <= wide <= LONGEST and 1 <= high <= LONGEST):
        raise BadInput(f"a table of {wide:g} by {high:g} inches", f"{where}size", f"1 to {LONGEST} inches each way")
    if not SMALLEST <= base <= min(wide, high):
        raise BadInput(f"stands of {base:g} inches", f"{where}base", f"{SMALLEST} inch to the width of the table")
    return (round(INCH * wide), round(INCH * high)), round(INCH * base)


# --- from a drawing to features ---------------------------------------------------------------------------


def features(drawing: Drawing, size: Point, vocabulary: Vocabulary, where: str) -> tuple[Feature, ...]:
    """The features of a drawing, numbered from the ground up; `where` precedes the field in errors.

    Raises BadInput with file and field.
    """
    drawn = [*_Draughtsman(size, vocabulary, where).all(drawing)]
    drawn.sort(key=lambda feature: (SHAPES.index(feature.shape), feature.level or 0))
    return tuple(replace(feature, number=number) for number, feature in enumerate(drawn))


class _Draughtsman:
    """Draws the shapes of one file."""

    def __init__(self, size: Point, vocabulary: Vocabulary, where: str) -> None:
        self.size, self.vocabulary, self.where = size, vocabulary, where
        self.counts: dict[str, int] = {}

    def all(self, drawing: Drawing) -> Iterator[Feature]:
        """Every feature of a drawing, in the order of the file."""
        for n, area in enumerate(drawing.areas, 1):
            yield self.area(area, f"areas[{n}]")
        for n, hill in enumerate(drawing.hills, 1):
            yield from self.hill(hill, f"hills[{n}]")
        for n, line in enumerate(drawing.lines, 1):
            yield self.line(line, f"lines[{n}]")
        for n, crossing in enumerate(drawing.crossings, 1):
            yield self.crossing(crossing, f"crossings[{n}]")
        for n, building in enumerate(drawing.buildings, 1):
            yield self.building(building, f"buildings[{n}]")

    # --- one feature

    def area(self, area: Area, field: str) -> Feature:
        kind = self.kind(area.kind, "area", field)
        outer = self.ring(area.points, area.smooth, f"{field}.points")
        holes = [self.ring(points, area.smooth, f"{field}.holes[{n}]") for n, points in enumerate(area.holes, 1)]
        return self.feature(kind, area.name, parts=((outer, *holes),))

    def hill(self, hill: Hill, field: str) -> Iterator[Feature]:
        if not hill.contours:
            raise BadInput(f"{hill.name} has no contours", f"{self.where}{field}.contours", "one or more")
        for n, contour in enumerate(hill.contours, 1):
            where = f"{field}.contours[{n}]"
            kind = self.kind(contour.kind, "contour", where)
            self.among(contour.level, LEVELS, f"level {contour.level}", f"{where}.level")
            ring = self.ring(contour.points, hill.smooth, f"{where}.points")
            yield self.feature(kind, hill.name, parts=((ring,),), level=contour.level, hill=hill.name)
            if contour.crest:
                crest = self.kind(contour.crest, "line", where, "crest")
                yield self.feature(crest, hill.name, way=(*ring, ring[0]), hill=hill.name)

    def line(self, line: Line, field: str) -> Feature:
        kind = self.kind(line.kind, "line", field)
        return self.way(kind, line.name, self.course(line.points, line.smooth, field), line.width, field)

    def crossing(self, crossing: Crossing, field: str) -> Feature:
        kind, way = self.kind(crossing.kind, "crossing", field), self.course(crossing.points, False, field)
        if len(way) != 2:
            raise BadInput(f"{len(way)} points", f"{self.where}{field}.points", "two, one on each bank")
        made = self.way(kind, crossing.name, way, crossing.width, field)
        if not made.width:
            raise BadInput(f"the {kind.name} has no width", f"{self.where}{field}.width", f"up to {WIDEST} inches")
        return made

    def building(self, building: Building, field: str) -> Feature:
        kind = self.kind(building.kind, "building", field)
        self.among(building.facing, range(360), f"facing {building.facing}", f"{field}.facing")
        self.among(building.floors, range(1, TALLEST + 1), f"{building.floors} floors", f"{field}.floors")
        across, along = (self.inches(size, f"{field}.size", SMALLEST) for size in building.size)
        ring = block(self.point(building.at, f"{field}.at"), (across, along), building.facing)
        for corner in ring:
            self.on_table(corner, f"{field}.size")
        return self.feature(kind, building.name, parts=((ring,),), floors=building.floors)

    def way(self, kind: Kind, name: str, way: Ring, width: float | None, field: str) -> Feature:
        wide = round(INCH * kind.width) if width is None else self.inches(width, f"{field}.width")
        parts = tuple((quarter,) for quarter in strip(way, wide)) if wide else ()
        return self.feature(kind, name, parts=parts, way=way, width=wide)

    def feature(self, kind: Kind, name: str, **values: Any) -> Feature:
        self.counts[kind.code] = count = self.counts.get(kind.code, 0) + 1
        known = {"look": kind.look, "called": name, "level": kind.level, **values}
        return Feature(0, f"{kind.code}-{count}", kind.code, name or kind.name, kind.shape, **known)

    # --- one field

    def kind(self, code: str, shape: Shape, field: str, key: str = "kind") -> Kind:
        kinds = self.vocabulary.of_shape(shape)
        if code not in kinds:
            raise BadInput(
                f"no {shape} is of kind {code!r}", f"{self.where}{field}.{key}", ", ".join(kinds) or "nothing"
            )
        return self.vocabulary[code]

    def ring(self, text: str, smooth: bool, field: str) -> Ring:
        points = self.points(text, field, 3)
        ring = smooth_ring(points) if smooth else tuple(points)
        for at in ring:
            self.on_table(at, field)
        if (crossed := tangle(ring)) is not None:
            near = " and ".join(places.text(at) for at in crossed)
            raise BadInput(f"the border crosses or touches itself near {near}", f"{self.where}{field}", "a simple ring")
        return ring

    def course(self, text: str, smooth: bool, field: str) -> Ring:
        points = self.points(text, f"{field}.points", 2)
        way = smooth_way(points) if smooth else tuple(points)
        for at in way:
            self.on_table(at, f"{field}.points")
        return way

    def points(self, text: str, field: str, fewest: int) -> list[Point]:
        found = [self.point(word, field) for word in text.split()]
        if len(found) < fewest:
            raise BadInput(f"{len(found)} points", f"{self.where}{field}", f"{fewest} or more, such as 12.5,8 14,9")
        if twice := next((a for a, b in pairwise(found) if a == b), None):
            raise BadInput(f"{places.text(twice)} twice in a row", f"{self.where}{field}", "each point once")
        return found

    def point(self, text: str, field: str) -> Point:
        try:
            at = places.parse(text)
        except BadInput:
            at = text
        if isinstance(at, str):
            raise BadInput(f"{text!r} is no point", f"{self.where}{field}", "inches such as 12.5,8.25")
        self.on_table(at, field)
        return at

    def on_table(self, at: Point, field: str) -> None:
        if not (0 <= at[0] <= self.size[0] and 0 <= at[1] <= self.size[1]):
            expected = f"inches up to {places.text(self.size)}"
            raise BadInput(f"{places.text(at)} lies off the table", f"{self.where}{field}", expected)

    def inches(self, amount: float, field: str, least: float = 0) -> int:
        if not least <= amount <= WIDEST:
            raise BadInput(f"{amount:g} inches", f"{self.where}{field}", f"{least:g} to {WIDEST}")
        return round(INCH * amount)

    def among(self, amount: int, known: range, what: str, field: str) -> None:
        if amount not in known:
            raise BadInput(what, f"{self.where}{field}", f"{known[0]} to {known[-1]}")
