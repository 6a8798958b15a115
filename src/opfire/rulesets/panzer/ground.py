"""The ground of a map as this book sees it: heights, Cover, movement costs [4.1.4.1, 4.5.1.1.2].

A hex has one kind of terrain or several; hills raise it, and roads and paths lead through it. A vehicle among buildings
is in the alleys between them [4.1.4.1.3].
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal, TypeAlias

from opfire.core.errors import BadInput
from opfire.rulesets.panzer.charts import Charts, CoverType, Terrain
from opfire.space.hexes import Coord
from opfire.space.hexmap import Cell, HexMap

Traction: TypeAlias = Literal["T", "H", "W", "L"]
COVERS: tuple[CoverType, ...] = ("none", "light", "medium", "heavy")
"""The types of Cover, from the least to the best."""

BUILDINGS = frozenset({"wood building", "brick building", "stone building"})
SUNKEN = frozenset({"gully", "stream", "ford"})
"""The terrain that lies one Height lower than the ground around it [4.1.4.1.6]."""

CHANNELS = frozenset({"gully", "stream"})
ROADS = frozenset({"path", "road", "track", "highway"})
PROHIBITED = "P"
COLUMNS: Mapping[Traction, str] = {"T": "tracked", "H": "half_tracked", "W": "wheeled", "L": "leg"}


def better(one: CoverType, other: CoverType) -> CoverType:
    """The better of two types of Cover.

    >>> better("light", "heavy"), better("none", "light")
    ('heavy', 'light')
    """
    return max(one, other, key=COVERS.index)


class Ground:
    """A map with its heights, Cover and costs. Raises BadInput for terrain that the charts do not know."""

    def __init__(
        self,
        map: HexMap,
        charts: Charts,
        *,
        like: Mapping[str, str] | None = None,
        ditches: Collection[Coord] = frozenset(),
    ) -> None:
        """`like` gives kinds of terrain the movement costs of others: streams those of clear ground under ice.

        `ditches` are the hexes of Ditch counters, which lie as deep as gullies [6.1.4.3.4].
        """
        self.map, self.charts, self._like, self.ditches = map, charts, like or {}, set(ditches)
        for cell in map.cells.values():
            for word in (*cell.terrain, *(kind for side in cell.sides for kind in side)):
                if word != "cliff" and word not in charts.terrain:
                    raise BadInput(f"{cell.name} has {word!r}", "map", 'terrain of a board with legend = "panzer"')

    # --- heights: the relief of `sight` --------------------------------------------------------------------

    def height(self, at: Coord) -> int:
        """The Height of the ground in a hex: its hill level, one less in a gully, stream or ford without a bridge.

        A Ditch is one Height lower, too [6.1.4.3.4].
        """
        cell = self.map.at.get(at)
        if cell is None:
            return 0  # a line along the edge touches hexes beyond it
        sunk = (at in self.ditches or not SUNKEN.isdisjoint(cell.terrain)) and not cell.bridge
        return cell.level - 1 if sunk and cell.level >= 0 else cell.level

    def top(self, at: Coord, *, razed: bool = False) -> int:
        """The Height of the highest thing in a hex [4.1.4.1.3, 4.1.4.1.7]; beyond the map stands nothing.

        A building that is `razed` adds no Height [6.1.4.3.9].
        """
        cell = self.map.at.get(at)
        if cell is None:
            return 0
        standing = (word for word in cell.terrain if not (razed and word in BUILDINGS))
        return self.height(at) + max((self._rise(cell, word) for word in standing), default=0)

    def _rise(self, cell: Cell, word: str) -> int:
        """The Height that a kind of terrain adds to its hex: a storey of a building is one."""
        if word in BUILDINGS:
            return cell.storeys or 1
        return 0 if word in SUNKEN else int(self.charts.terrain[word].height)

    def hexside(self, a: Coord, b: Coord) -> int:
        """The Height of the top of a crest or hedgerow between two neighbours, or 0 [4.1.4.1.5, 4.1.4.1.10]."""
        kinds = self.sides(a, b)
        if "crest" not in kinds and "hedgerow" not in kinds:
            return 0
        return max(self.map.at[at].level for at in (a, b) if at in self.map.at) + 1

    def sides(self, a: Coord, b: Coord) -> tuple[str, ...]:
        """The features of the hexside between two neighbours."""
        names = self.map.name_at(a), self.map.name_at(b)
        return self.map.side(names[0], names[1]) if names[0] and names[1] else ()

    def straight(self, a: Coord, b: Coord, kind: str) -> bool:
        """Return whether a road (`road`), or a gully, stream or ditch (`channel`), joins two neighbours [6.1.4.3.4]."""
        cells = [self.map.at[at] for at in (a, b) if at in self.map.at]
        if len(cells) < 2:
            return False
        if kind == "road":
            return bool(self.map.link(cells[0].name, cells[1].name))
        return all(at in self.ditches or not CHANNELS.isdisjoint(self.map.at[at].terrain) for at in (a, b))

    def slope(self, a: Coord, b: Coord) -> bool:
        """Return whether a slope lies between two neighbours."""
        return "slope" in self.sides(a, b)

    def name(self, at: Coord) -> str:
        """The printed name of a hex."""
        return self.map.name_at(at) or "?"

    # --- Cover [4.1.3] ---------------------------------------------------------------------------------------

    def cover(
        self, name: str, use: Literal["spotting", "combat"], within: Literal["alley", "building"] = "alley"
    ) -> CoverType:
        """The Cover of a unit in a hex: that of the terrain that serves it best [4.1.3-e].

        Leg units are within the buildings, others in the alley between them [6.1.4.3.1-b].
        """
        field, words = f"{use}_cover", self.map.cells[name].terrain
        found = [getattr(row, field) for row in self._rows(name)]
        if within == "building":
            found = [getattr(self.charts.terrain[word], field) for word in words]
        return max((kind for kind in found if kind in COVERS), key=COVERS.index, default="none")

    def _rows(self, name: str) -> Iterator[Terrain]:
        """The rows of the Terrain Effects Table that hold for a vehicle in a hex."""
        for word in self.map.cells[name].terrain:
            yield self.charts.terrain["alley" if word in BUILDINGS else self._like.get(word, word)]

    # --- costs [4.5.1.1.2] -----------------------------------------------------------------------------------

    def entry(self, name: str, traction: Traction) -> int | None:
        """The cost of entering a hex off the road: that of its dearest terrain; None where entry is prohibited."""
        costs = [getattr(row, COLUMNS[traction]) for row in self._rows(name)]
        return None if PROHIBITED in costs else max(int(cost) for cost in costs)

    def entry_on_foot(self, name: str) -> int | None:
        """The cost of a hex for leg and towed units; None where entry is prohibited [6.6.4.1-proh]."""
        words = self.map.cells[name].terrain
        found = [self.charts.terrain[self._like.get(word, word)].leg for word in words]
        return None if PROHIBITED in found else max(int(cost) for cost in found)

    def turn(self, name: str) -> int:
        """The cost of a turn of more than one hexside in a hex [4.5.1.1.4]."""
        return max(int(row.turn or 0) for row in self._rows(name))


class Raised:
    """The ground with units on the upper floors of some hexes, as a line of sight meets it [6.1.4.3.1-b]."""

    def __init__(
        self,
        ground: Ground,
        lifts: Mapping[Coord, int],
        gaps: Collection[frozenset[Coord]] = frozenset(),
        razed: Collection[Coord] = frozenset(),
    ) -> None:
        """`lifts` are the Heights by which units stand above the ground; hedgerows in the `gaps` hide nobody [7.45].

        The buildings of `razed` hexes are rubble, without any Height [6.1.4.3.9].
        """
        self._ground, self._lifts, self._gaps, self._razed = ground, lifts, gaps, razed

    def height(self, at: Coord) -> int:
        """The Height of the units in a hex."""
        return self._ground.height(at) + self._lifts.get(at, 0)

    def top(self, at: Coord) -> int:
        """The Height of the highest thing in a hex."""
        return self._ground.top(at, razed=at in self._razed)

    def hexside(self, a: Coord, b: Coord) -> int:
        """The Height of the top of a crest or hedgerow between two neighbours, or 0."""
        dug_in = frozenset((a, b)) in self._gaps and "crest" not in self._ground.sides(a, b)
        return 0 if dug_in else self._ground.hexside(a, b)

    def straight(self, a: Coord, b: Coord, kind: str) -> bool:
        """Return whether a road or a channel joins two neighbours."""
        return self._ground.straight(a, b, kind)

    def slope(self, a: Coord, b: Coord) -> bool:
        """Return whether a slope lies between two neighbours."""
        return self._ground.slope(a, b)

    def name(self, at: Coord) -> str:
        """The printed name of a hex."""
        return self._ground.name(at)
