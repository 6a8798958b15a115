"""Sight between stands: lines of sight, cover and the limit of sight [LOS, COV, SPT]."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from opfire.core.actions import Refusal
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Stand
from opfire.rulesets.panzerblitz_miniatures.sighting.cover import Cover, cover
from opfire.rulesets.panzerblitz_miniatures.sighting.spotting import (
    cannot_spot,
    ground_of,
    unspotted,
    unspotted_from_above,
)
from opfire.rulesets.panzerblitz_miniatures.sighting.visibility import beyond_sight, sight_limit, sight_limit_if_fired
from opfire.space.measure import square
from opfire.space.terrain.sight import SightLine
from opfire.space.terrain.spans import Span


def line_between(position: Position, a: Stand, b: Stand) -> SightLine:
    """The line from one stand on the table to another."""
    assert a.at is not None
    assert b.at is not None
    return position.lines.line(a.at, b.at)


def smoke_between(position: Position, a: Stand, b: Stand) -> tuple[Span, ...]:
    """The smoke over the line from one stand to another [SSC-8]."""
    if not position.clouds:
        return ()
    assert a.at is not None
    assert b.at is not None
    return tuple(position.setting.smoke(position.clouds).spans(a.at, b.at))


def covers(position: Position, firer: Stand, target: Stand) -> list[Cover]:
    """Everything that covers a target against a firer [COV-1].

    Nothing covers an aircraft, not even one that is down in a wood [HDN-6]. No crest covers a target against an
    aircraft in the air, which is higher [COV-3].
    """
    if target.aircraft:
        return []
    found = cover(position.charts, line_between(position, firer, target), smoke_between(position, firer, target))
    return [each for each in found if each.rule != "COV-3"] if firer.flying else found


def limit_of(position: Position, seer: Stand, target: Stand, covering: Iterable[Cover]) -> Fraction:
    """The inches at which a target is seen at most, by its own kind and ground [LLT-1]: RULINGS.md R29.

    By that option the kind and the ground of the seer count.
    """
    if position.setting.has("R29"):
        return _limit(position, seer.kind.size, covers(position, target, seer), target.spotted)
    return _limit(position, target.kind.size, covering, target.spotted)


def _limit(position: Position, size: str, covering: Iterable[Cover], fired: bool) -> Fraction:
    table = sight_limit_if_fired if fired else sight_limit
    return table(position.charts, position.setting.sections.visibility, size, ground_of(covering), position.roll)


def in_sight(position: Position, a: Stand, b: Stand) -> bool:
    """Return whether no obstacle lies between two stands on the table [LOS-1, AIL-2], whatever the limit of sight."""
    if a.flying or b.flying:
        return True
    assert a.at is not None
    assert b.at is not None
    return position.lines.block(a.at, b.at, None, smoke_between(position, a, b)) is None


def out_of_sight(position: Position, firer: Stand, target: Stand) -> Refusal | None:
    """Reject a target beyond the limit of sight, or behind an obstacle [LOS-1, LOS-3].

    Aircraft in the air have the same limits [AIL-1], and nothing blocks the lines to and from them [AIL-2]; lines to a
    helicopter that is down are blocked as all others [HDN-4].
    """
    assert firer.at is not None
    assert target.at is not None
    covering = covers(position, firer, target)
    limit = limit_of(position, firer, target, covering)
    if position.setting.has("R47") and covering and not_spotted(position, firer, target) is None:
        limit = _limit(position, target.kind.size, covering, fired=True)  # RULINGS.md R47
    far = beyond_sight(target.name, limit, square(firer.at, target.at))
    if far or firer.flying or target.flying:
        return far
    block = position.lines.block(firer.at, target.at, None, smoke_between(position, firer, target))
    return block.refusal if block else None


def not_spotted(position: Position, firer: Stand, target: Stand) -> Refusal | None:
    """Reject a target in cover that no unit of the firer's side spots [SPT-1, LOS-6].

    Only units spot, never works without any [FRT-14, IMP-6].
    """
    covering = covers(position, firer, target)
    if not covering or target.spotted:
        return None
    refusal: Refusal | None = None
    for spotter in position.of(firer.side):
        if sights_for_its_like(spotter) and not sights_for_its_like(firer):
            continue
        found = _not_spotted_by(position, spotter, target, covering)
        if found is None:
            return None
        refusal = found if spotter.id == firer.id else refusal
    return refusal or Refusal("{} is in cover; spot it first", "SPT-1", (target.name,))


def sights_for_its_like(unit: Stand) -> bool:
    """Return whether a unit spots for fighter-bombers alone, being one itself [FB-7]."""
    return unit.kind.type == "fighter-bomber"


def spotted_by(position: Position, spotter: Stand, target: Stand) -> bool:
    """Return whether a target in cover is spotted by this unit, or has a marker; others need not be [SPT-1, OBA-1]."""
    covering = covers(position, spotter, target)
    return not covering or target.spotted or _not_spotted_by(position, spotter, target, covering) is None


def _not_spotted_by(position: Position, spotter: Stand, target: Stand, covering: Iterable[Cover]) -> Refusal | None:
    riding = spotter.carrier is not None
    if state := cannot_spot(spotter.name, spotter.kind.type, dispersed=spotter.dispersed, carried=riding):
        return state
    line, smoke = line_between(position, spotter, target), smoke_between(position, spotter, target)
    limit = limit_of(position, spotter, target, covering)
    if spotter.flying:
        return unspotted_from_above(position.charts, target.name, covering, line, limit)
    return unspotted(position.charts, target.name, covering, line, limit, smoke)
