"""Direct fire at an engineers' bridge [11.5.8]: in the standard fire phase, by one stand.

Close support guns fire in the artillery phase, at bridges too [10.8].
"""

from __future__ import annotations

from collections.abc import Iterator

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.places import INCH
from opfire.kit.calibres import calibre_of
from opfire.rulesets.micro_armour.artillery.batteries import reloaded
from opfire.rulesets.micro_armour.charts import CALIBRES, range_modifier
from opfire.rulesets.micro_armour.cohesion import DIE, SUCCESS, cohesion_roll, level, modifier, states, tested
from opfire.rulesets.micro_armour.fire.guns import in_field
from opfire.rulesets.micro_armour.formations import is_broken
from opfire.rulesets.micro_armour.pieces import ARTILLERY, Position, Stand, Work
from opfire.rulesets.micro_armour.sighting.sight import cannot_see_place, half_in
from opfire.rulesets.micro_armour.works.ruins import attack_bridge, bridge_roll
from opfire.space.measure import MICRO, length, square

FIRE_AND_MOVE = 3


class Demolish(Action, frozen=True):
    """Fire at a bridge that engineers have built."""

    says = "{unit} fires at the {work}"
    kind = "fire"
    final = True
    unit: str
    work: str


def bridges(position: Position) -> list[Work]:
    """The bridges that engineers have built and that stand."""
    return [work for work in position.works.values() if work.kind == "bridge"]


def cannot_demolish(position: Position, unit: Stand, work: Work) -> Refusal | None:
    """Reject a bridge that a stand cannot fire at [7.1.3, 7.3.5, 7.3.6-arc, 11.5.8]."""
    assert unit.at is not None
    if work.kind != "bridge":
        return Refusal("Only bridges that engineers have built are fired at.", "11.5.8")
    if unit.kind.kind in ARTILLERY or not unit.kind.he or unit.again:
        return Refusal("{} does not fire at bridges now.", "11.5.8", (unit.name,))
    if refusal := _fights_back_only(position, unit):
        return refusal
    if square(unit.at, work.at) > ((unit.kind.he_range or 0) * INCH) ** 2:
        return Refusal("The bridge is beyond the range of {} inches", "7.3.5", (unit.kind.he_range or 0,))
    if not in_field(position, unit, work.at, unit.kind):
        return Refusal("The bridge is not in the field of fire of {}", "7.3.6-arc", (unit.name,))
    return cannot_see_place(position, unit, work.at)


def _fights_back_only(position: Position, unit: Stand) -> Refusal | None:
    """Reject stands that fire at enemies alone: those of broken forces, and those nearly out of ammunition.

    [12.1.5-2, 12.2.2]
    """
    if is_broken(position, unit):
        return Refusal("The force of {} is broken: it fires at enemies only", "12.1.5-2", (unit.name,))
    if unit.low:
        return Refusal("{} saves its ammunition for stands that fire at it", "12.2.2", (unit.name,))
    return None


def offers(position: Position, unit: Stand) -> Iterator[Demolish]:
    """The bridges that a stand can fire at."""
    return (Demolish(unit.id, each.id) for each in bridges(position) if cannot_demolish(position, unit, each) is None)


def refusal(position: Position, action: Demolish) -> Refusal | None:
    """The reason against firing at a bridge."""
    work = position.works.get(action.work)
    if work is None:
        return Refusal("There is no such bridge.", PROCEDURE)
    return cannot_demolish(position, position.units[action.unit], work)


def demolish(game: Game[Position], action: Demolish) -> None:
    """Roll to fire, then against the bridge [11.5.8].

    A natural 20 leaves the stand nearly out of ammunition [12.2.2].
    """
    position = game.state
    unit, work = position.units[action.unit], position.works[action.work]
    words, calibre = "{} fires at the bridge", calibre_of(CALIBRES, [unit.kind.id])
    game.tell(Event("fired", words, (unit.name,), "11.5.8", (unit.id,), (work.at,), calibre=calibre))
    roll = fire_roll(position, unit, work)
    number = tested(game, unit, roll)
    low = number == DIE and position.setting.has("12.2.2")
    position.change(unit.id, fired=True, again=False, low=low)
    if roll.result([number]) == SUCCESS:
        position.change(unit.id, reloaded=reloaded(unit, position.turn))
        attack_bridge(game, work, attack_roll(position, unit, work))


def attack_roll(position: Position, unit: Stand, work: Work) -> Calculation:
    """The attack on a bridge, with the modifiers of range and smoke [10.8.3, 11.5.8]."""
    ranges = [] if unit.kind.has("close_support") else [_range(position, unit, work)]
    return bridge_roll(position.charts, unit.kind.he or 0, [*ranges, *_smoke(position, unit, work)])


def _range(position: Position, unit: Stand, work: Work) -> Line:
    """The modifier of the range, by the chart of dual purpose guns for those [7.3.2, 10.7.2]."""
    assert unit.at is not None
    inches = max(1, -(-length(unit.at, work.at) // MICRO))
    dual = unit.kind.has("dual_purpose") and unit.kind.has("aa")
    if dual:
        return modifier("range", range_modifier(position.charts, "dual purpose", inches), "10.7.2")
    return modifier("range", range_modifier(position.charts, "standard", inches), "7.3.2")


def _smoke(position: Position, unit: Stand, work: Work) -> Iterator[Line]:
    """The modifier of fire into or out of smoke, to both rolls [7.4.7.1-4]."""
    rings = (unit.ring, work.ring)
    smoke = (each for each in position.works.values() if each.kind == "smoke")
    if any(half_in(ring, each) for each in smoke for ring in rings):
        yield modifier("into or out of smoke", position.effect("smoke").others, "7.4.7.1-4")


def fire_roll(position: Position, unit: Stand, work: Work) -> Calculation:
    """The roll to fire at a bridge, by states, posture and smoke [7.1.6-roll, 7.4.7.1-4].

    For close support guns smoke does not count here: RULINGS.md R104.
    """
    supports = unit.kind.has("close_support")
    lines = [*states(unit), *(() if supports else _smoke(position, unit, work))]
    if unit.posture == "fire/move":
        lines.append(modifier("fire/move posture", FIRE_AND_MOVE, "10.8.4" if supports else "7.1.6-roll"))
    return cohesion_roll("to fire", "7.1.6-roll", level(position, unit), lines)
