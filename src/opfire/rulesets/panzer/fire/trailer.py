"""The fuel trailers of flamethrower tanks [7.38.2.2, 7.38.12.2]: hits on them, and what their loss means."""

from __future__ import annotations

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.rulesets.panzer.charts import Code
from opfire.rulesets.panzer.conditions import tows_fuel
from opfire.rulesets.panzer.fire import ap_fire
from opfire.rulesets.panzer.fire.ap_fire import Aim, Effect
from opfire.rulesets.panzer.pieces import Position, Unit, UnitId
from opfire.rulesets.panzer.suppression import suppress, suppress_friends

ARMOR = 5
"""The Armor Factor of a trailer from all sides and Heights [7.38.2.2]."""

MOST = {"HS": 25, "HR": 60}
"""The highest roll by which a hit on this part of the hull strikes the trailer [7.38.2.2]."""

FROM_BEHIND = ("rear side", "rear")


class Jettison(Action, frozen=True):
    """Jettison the fuel trailer: no more flames, but the tank may move in reverse."""

    says = "{unit} jettisons its fuel trailer"
    kind = "leave"
    unit: UnitId


def cannot_jettison(position: Position, unit: Unit) -> Refusal | None:
    """Reject a vehicle without a fuel trailer [7.38.2.2]."""
    return None if tows_fuel(position, unit) else Refusal("{} tows no fuel trailer", "7.38.2.2", (unit.name,))


def jettison(game: Game[Position], unit_id: UnitId) -> None:
    """The trailer is left behind for good; the tank operates normally without it [7.38.2.2]."""
    unit = game.state.change(unit_id, trailer="gone")
    game.tell(Event("trailer", "{} jettisons its fuel trailer", (unit.name,), "7.38.2.2", (unit_id,), (str(unit.hex),)))


def takes(game: Game[Position], target: Unit, way: Aim, code: Code, effect: Effect) -> bool:
    """Roll whether a hit on the hull from behind strikes the trailer instead of the tank [7.38.2.2].

    Hits that hull down turns into misses strike neither.
    """
    most = MOST.get(code[:2])
    if most is None or effect == "miss" or way.angle not in FROM_BEHIND or not tows_fuel(game.state, target):
        return False
    (rolled,) = dice = game.roll(1, ap_fire.DIE)
    text = "{}: the hit strikes the trailer" if rolled <= most else "{}: the hit strikes the tank"
    game.tell(Event("trailer", text, (target.name,), "7.38.2.2", (target.id,), (str(target.hex),), dice))
    return rolled <= most


def result(way: Aim, roll: int) -> Effect:
    """The effect of a hit on the trailer, by the units of its roll: no skirts, no BU mark [7.38.2.2, 6.5.2.5]."""
    if way.weapon.value(way.band) + way.more < ARMOR:
        return "no penetration"
    return ap_fire.damage(way.weapon, ap_fire.dice(roll).units, replace(way.target, bu=False), way.options)


def burst(game: Game[Position], target: Unit, effect: Effect) -> None:
    """The effect of a hit on the trailer: a second Damaged, a Knock-Out and a Brew-Up cost it [7.38.2.2].

    A Brew-Up suppresses the tank, and its friends in the hex.
    """
    if effect == "DM" and not target.trailer:
        game.state.change(target.id, trailer="damaged")
    elif effect in ("DM", "KO", "BU"):
        jettison(game, target.id)
    if effect == "BU":
        suppress(game, target.id)
        suppress_friends(game, target.side, str(target.hex))
