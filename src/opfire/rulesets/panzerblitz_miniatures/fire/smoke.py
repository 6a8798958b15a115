"""Smoke shell concentrations [SSC]: which units fire smoke and where, its markers, and smoke by direct fire."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Offer, Refusal, Region
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import INCH, Point, tenths
from opfire.core.texts import Text
from opfire.rulesets.panzerblitz_miniatures.command import not_commanded
from opfire.rulesets.panzerblitz_miniatures.equipment import range_inches
from opfire.rulesets.panzerblitz_miniatures.fire.aiming import in_water, out_of_arc
from opfire.rulesets.panzerblitz_miniatures.fire.effectiveness import out_of_range
from opfire.rulesets.panzerblitz_miniatures.fire.missions import SHAPES, Cloud, Shape, template
from opfire.rulesets.panzerblitz_miniatures.pieces import Position, Side, Stand, UnitId, not_at_hand
from opfire.rulesets.panzerblitz_miniatures.sighting.visibility import beyond_sight, sight_limit
from opfire.space.measure import bearing, square

NO_SMOKE = frozenset({"water", "stream", "swamp"})
"""The ground that takes no smoke, also below a bridge [SSC-4]."""


class FireSmoke(Action, frozen=True):
    """Fire smoke by direct fire at a point (1/1000 inch), with a template that lies in some shape and direction."""

    says = "{unit} fires smoke at {to}"
    kind = "smoke"
    unit: UnitId
    to: Point
    shape: Shape
    facing: int


# --- markers [SSC-1, SSC-7] ---------------------------------------------------------------------------------


def age(game: Game[Position], side: Side) -> None:
    """Remove the side's SMOKE 2, then turn its SMOKE 1 over [SEQ-4, SSC-7]: RULINGS.md R20."""
    position = game.state
    own = [cloud for cloud in position.clouds if cloud.side == side]
    if not own:
        return
    others = tuple(cloud for cloud in position.clouds if cloud.side != side)
    position.clouds = others + tuple(replace(cloud, marker=2) for cloud in own if cloud.marker == 1)
    gone = sum(cloud.marker == 2 for cloud in own)
    game.tell(Event("smoke", "{} smoke clouds drift away, {} grow thin", (gone, len(own) - gone), "SSC-7"))


def lay(game: Game[Position], unit: Stand, at: Point, shape: Shape, facing: int) -> None:
    """Put SMOKE 1 on the template of a unit, which spends a smoke shell [SSC-1, SSC-8]; it harms nobody [SSC-5]."""
    position = game.state
    ring = template(position.charts, unit.kind, "smoke", at, shape, facing).ring
    position.clouds = (*position.clouds, Cloud(unit.side, tuple(ring)))
    position.change(unit.id, shells=unit.shells - 1, fired=True)
    game.tell(Event("smoke", "{} lays smoke at {}", (unit.name, tenths(at)), "SSC-1", (unit.id,), (at,)))


# --- checks -------------------------------------------------------------------------------------------------


def fires_no_smoke(position: Position, unit: Stand) -> Refusal | None:
    """Reject a unit that has no smoke: other classes than (H), rocket launchers, and those that used theirs up."""
    if unit.kind.weapon != "(H)" or unit.kind.rockets:
        what = "rocket launcher" if unit.kind.rockets else Text("class {} unit", (unit.kind.weapon,))
        return Refusal("{} is a {}; only artillery of class (H) fires smoke", "SSC-2", (unit.name, what))
    if unit.shells <= recorded(position, unit):
        return Refusal("{} has no smoke shells left", "SSC-8", (unit.name,))
    return None


def recorded(position: Position, unit: Stand) -> int:
    """The number of recorded smoke missions of a unit, as far as known."""
    return sum(plot.unit == unit.id and plot.task == "smoke" for plot in position.plots)


def takes_no_smoke(position: Position, at: Point) -> Refusal | None:
    """Reject ground that takes no smoke [SSC-4]."""
    if bad := [kind for kind in position.ground.at(at).kinds if kind in NO_SMOKE]:
        return Refusal("There is {} at {}, which takes no smoke", "SSC-4", (bad[0], tenths(at)))
    return None


def malformed(shape: str, facing: int) -> Refusal | None:
    """Reject a template that does not exist [IF-10]."""
    if shape not in SHAPES:
        return Refusal("A template is square or linear", PROCEDURE)
    return None if 0 <= facing < 360 else Refusal("{} is no direction: choose 0 to 359 degrees", PROCEDURE, (facing,))


def unseen(position: Position, unit: Stand, at: Point) -> Refusal | None:
    """Reject a place that a unit does not see [SSC-3, LOS-3]: as far as a vehicle on open ground: RULINGS.md R94."""
    assert unit.at is not None
    limit = sight_limit(position.charts, position.setting.sections.visibility, "heavy", "clear", position.roll)
    far = beyond_sight(tenths(at), limit, square(unit.at, at))
    if far or unit.flying:  # nothing blocks an aircraft's line [AIL-2]
        return far
    clouds = position.setting.smoke(position.clouds).spans(unit.at, at) if position.clouds else ()
    block = position.lines.block(unit.at, at, None, clouds)
    return block.refusal if block else None


def cannot_fire_smoke(position: Position, side: Side, action: FireSmoke) -> Refusal | None:
    """Reject smoke by direct fire [SSC-2, SSC-3, SSC-4, SSC-8, FOF-1]; the Direct Fire Phase alone takes it [SSC-6]."""
    unit = position.units[action.unit]
    refusal = cannot_lay_any(position, side, unit) or malformed(action.shape, action.facing)
    return refusal or cannot_lay(position, unit, action.to) or _beside_or_unseen(position, unit, action.to)


def _beside_or_unseen(position: Position, unit: Stand, at: Point) -> Refusal | None:
    return out_of_arc(position, unit, tenths(at), at) or unseen(position, unit, at)


def cannot_lay_any(position: Position, side: Side, unit: Stand) -> Refusal | None:
    """Reject a unit that fires no smoke in this phase, wherever to [CMD-2, STR-6]."""
    refusal = (
        not_at_hand(side, unit)
        or fires_no_smoke(position, unit)
        or not_commanded(position, unit)
        or in_water(position, unit)
    )
    if refusal or not (unit.fired or unit.reacted):
        return refusal
    return Refusal("{} has fired", "COM-5", (unit.name,))


def cannot_lay(position: Position, unit: Stand, at: Point) -> Refusal | None:
    """Reject a place beyond the range of a unit, or one that takes no smoke."""
    assert unit.at is not None
    far = out_of_range(unit.name, range_inches(position.charts, unit.kind), square(unit.at, at))
    return far or takes_no_smoke(position, at)


# --- direct fire [SSC-3] ------------------------------------------------------------------------------------


def offers(position: Position, side: Side, unit: Stand) -> Iterator[Offer]:
    """Smoke of a unit by direct fire: anywhere in its sight, the template as its player likes."""
    if cannot_lay_any(position, side, unit):
        return
    assert unit.at is not None
    ahead = (unit.at[0], max(unit.at[1] - 4 * INCH, 0))
    for shape in SHAPES:
        example = FireSmoke(unit.id, ahead, shape, bearing(unit.at, ahead))
        yield Region(example, around(position, unit), ("to", "facing"))


def around(position: Position, unit: Stand) -> tuple[int, int, int, int]:
    """The rectangle in which a unit sees places at all."""
    assert unit.at is not None
    limit = sight_limit(position.charts, position.setting.sections.visibility, "heavy", "clear", position.roll)
    far, (x, y), (width, height) = int(limit * INCH), unit.at, position.table.size
    return max(x - far, 0), max(y - far, 0), min(x + far, width), min(y + far, height)


def fire(game: Game[Position], action: FireSmoke) -> None:
    """Fire smoke at once [SSC-3]; SMOKE 1 lies there until its side's next Indirect Fire Phase."""
    lay(game, game.state.units[action.unit], action.to, action.shape, action.facing)
