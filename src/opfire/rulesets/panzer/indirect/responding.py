"""The response to called fire [6.5.1.12]: one calculation for preview and dice."""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.events import Calculation, Line
from opfire.core.texts import Text
from opfire.rulesets.panzer import leaders
from opfire.rulesets.panzer.charts import Charts
from opfire.rulesets.panzer.conditions import shimmers
from opfire.rulesets.panzer.formations import commands_others, is_recon
from opfire.rulesets.panzer.indirect.obscuring import hindrances
from opfire.rulesets.panzer.indirect.observers import Source, attachment, row_of
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId, away
from opfire.space.hexes import distance

DIE = 10
OLD_RADIOS = "7.5"
SCATTER = "7.26"
CLOSE = 5
"""The hexes from the Target Point within which fire may fall on friends instead [6.5.1.10]."""

STRAYS = 1
"""The roll with which fire may go astray, whatever the modifiers [6.5.1.12-a]."""


def response(
    position: Position,
    observer: Unit,
    from_: Source,
    hex: Hex,
    *,
    adjusted: bool,
    blind: bool = False,
    target: UnitId = "",
) -> Calculation:
    """The roll for the response of one firing unit: a net roll of the Fire Response Factor or more [6.5.1.12].

    The Unit Grade of the firing unit has no effect [6.5.1.7-a]. A natural 1 goes astray if spotted friends are near,
    and fails without any [6.5.1.12-a]. A `blind` call has no target [7.37]; heat haze counts by the size of the
    `target`.
    """
    row, level = row_of(observer), attachment(observer, from_)
    assert row is not None
    least = int(getattr(position.charts.response[row], level))
    modifiers = [*_modifiers(position, observer, from_, hex, adjusted=adjusted)]
    if blind:
        modifiers.append(_line(position.charts, "recon by fire"))
    if target and shimmers(
        position, position.units[target].kind.bulk, away(position, observer, position.units[target])
    ):
        modifiers.append(_line(position.charts, "heat haze"))
    year = position.setting.sections.date[:4]
    if OLD_RADIOS in position.setting.options and observer.kind.nation == "Soviet Union" and year in ("1941", "1942"):
        modifiers.append(_line(position.charts, f"soviet {year}"))
    net = sum(each.amount for each in modifiers)
    lines = (*modifiers, Line("odds", Text("{}, {}", (row, level)), Text("{} or more", (least,)), "6.5.1.12", least))
    scatters, missed = SCATTER in position.setting.options, "no response"
    if endangered(position, from_.side, hex):
        missed = "goes astray"
    outcomes = tuple(
        missed if roll == STRAYS else _outcome(roll + net - least, scatters=scatters) for roll in range(1, DIE + 1)
    )
    title = Text("{} answers {}", (from_.name, observer.name))
    return Calculation(title, "6.5.1.12", lines, 1, DIE, outcomes, f"{least}-10", net)


def endangered(position: Position, side: Side, hex: Hex) -> list[UnitId]:
    """The spotted units of a side within five hexes of the Target Point [6.5.1.10]."""
    coords = position.map.coords
    near = (unit for unit in position.of(side) if distance(coords[str(unit.hex)], coords[hex]) <= CLOSE)
    return [unit.id for unit in near if position.spots.get(unit.id)]


def _outcome(excess: int, *, scatters: bool) -> str:
    """The result of a roll that exceeds the Fire Response Factor by so much [7.26]."""
    if excess == 0 and scatters:
        return "scatters"
    return "responds" if excess >= 0 else "no response"


def _modifiers(position: Position, observer: Unit, from_: Source, hex: Hex, *, adjusted: bool) -> Iterator[Line]:
    """The Called Indirect Fire Response Modifiers; all are cumulative [6.5.1.12]."""
    charts = position.charts
    if from_.guns is not None and from_.guns.damaged:
        yield _line(charts, "battery damaged")
    if from_.guns is not None and hex in from_.guns.points:
        yield _line(charts, "registered")  # 6.5.1.4: on-map units and other batteries have no advantage
    if is_recon(observer) and commands_others(observer):
        yield _line(charts, "command recon")
    if adjusted:
        yield _line(charts, "adjusted")
    if observer.suppression:
        yield _line(charts, "suppressed")
    if observer.damaged and observer.damaged_part == "turret":
        yield _line(charts, "damaged")
    if times := hindrances(position, str(observer.hex), hex):
        yield _line(charts, "hindered", times)
    yield from checks.effect(position, observer, "response")
    if amount := charts.grades[observer.grade].response:
        yield Line(
            "modifier", Text("{} observer", (observer.grade.capitalize(),)), f"{amount:+d}", "6.5.1.12.1-grade", amount
        )
    yield from leaders.lines(position, observer, "response")


def _line(charts: Charts, name: str, times: int = 1) -> Line:
    row = charts.response_modifiers[name]
    amount = row.value * times
    label = Text("{}, {} times", (row.label, times)) if times > 1 else row.label
    return Line("modifier", label, f"{amount:+d}", row.rule, amount)
