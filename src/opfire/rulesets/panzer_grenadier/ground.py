"""The ground [8.2, 8.4]: the terrain of a hex, its height, its effect on sight."""

from __future__ import annotations

from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, River, Setting

RIVERS: tuple[River, ...] = ("major river", "minor river")


def read(setting: Setting) -> None:
    """Name the terrain of every hex by the terrain chart: `hill` on all rising ground; roads are not terrain."""
    names = setting.charts.board_terrain
    for hex, cell in setting.map.cells.items():
        found = {names[token].terrain for token in cell.terrain}
        if cell.level > 0:
            found.add("hill")
        there = setting.terrain[hex] = tuple(sorted(found - {"clear"})) or ("clear",)
        if water := next((name for name in RIVERS if name in there), None):
            setting.rivers[hex] = water
        if _limits_sight(setting, there):
            setting.limiting.add(hex)


def terrain_of(position: Position, hex: Hex) -> tuple[str, ...]:
    """The terrain of a hex, by the names of the terrain chart; `clear` alone for open ground."""
    return position.setting.terrain[hex]


def elevation(position: Position, hex: Hex) -> int:
    """The height of the ground in metres: twenty for each elevation line [8.4]."""
    return position.map.cells[hex].level * position.charts.figure("metres for each level")


def limiting(position: Position, hex: Hex) -> bool:
    """Whether a hex is limiting terrain: by its ground [8.2] or by smoke [16.12]."""
    return bool(position.work(hex).smoke) or limiting_ground(position.setting, hex)


def limiting_ground(setting: Setting, hex: Hex) -> bool:
    """Whether the ground of a hex is limiting: woods, town, field [8.2, 8.23]; hill [8.21.A1] unless R8.21 is on."""
    return hex in setting.limiting


def _limits_sight(setting: Setting, terrain: tuple[str, ...]) -> bool:
    chart, open_hills = setting.charts.terrain, setting.has("R8.21")
    return any(chart[name].sight == "limiting" and not (open_hills and name == "hill") for name in terrain)


def hides_to_the_next_hex(position: Position, hex: Hex) -> bool:
    """Whether units in a hex are seen only from next to it, though it blocks no line: a swamp [8.2.a]."""
    chart = position.charts.terrain
    return any(chart[terrain].sight == "near" for terrain in position.setting.terrain[hex])


def river(position: Position, hex: Hex) -> River | None:
    """The river that a hex holds, if any [5.72, 5.73]."""
    return position.setting.rivers.get(hex)
