"""Where a unit could go in a segment: by the ground, the enemy and stacking, alike for all units that go alike."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from opfire.rulesets.panzer_grenadier.movement import danger
from opfire.rulesets.panzer_grenadier.movement.costs import movement_class
from opfire.rulesets.panzer_grenadier.pieces import Hex, Unit, overstacked
from opfire.rulesets.panzer_grenadier.thinking.facts import Gait, Steps
from opfire.rulesets.panzer_grenadier.thinking.mind import Mind
from opfire.space.paths import Reach, reachable


def ways(mind: Mind, unit: Unit, left: int, led: bool) -> Reach[Hex]:
    """The cheapest ways to every hex that `left` half points reach; led units go nearer to the enemy [5.4]."""
    disrupted = unit.state == "disrupted"
    key = gait(mind, unit), unit.hex, left, led, disrupted
    found = mind.known.reached.get(key)
    if found is None:
        found = mind.known.reached[key] = _ways(mind, unit, left, led, disrupted)
    return found


def gait(mind: Mind, unit: Unit) -> Gait:
    """The gait of the unit; units of the same gait find the same hexes open."""
    return movement_class(unit), mind.sort(unit), _room(unit)


def _room(unit: Unit) -> str:
    """The class of the unit in a stack [4.1, 4.5, 5.73.d]."""
    if unit.leader or unit.transport:
        return "leader" if unit.leader else "transport"
    return "engineer" if unit.type_in("engineer") else "combat"


def _ways(mind: Mind, unit: Unit, left: int, led: bool, disrupted: bool) -> Reach[Hex]:
    assert unit.hex is not None
    start, going = unit.hex, gait(mind, unit)
    known, goer = mind.open_steps, (going, led)
    steps_from = partial(_steps_from, mind, replace(unit, id=""), going, led)  # no hex is full of a unit without name

    def onward(hex: Hex) -> Iterable[tuple[Hex, int]]:
        if hex == start:
            return [(to, min(price, left)) for to, price in steps_from(hex)]
        if disrupted:
            return ()
        here = known.get(hex)
        if here is None:
            here = known[hex] = {}
        found = here.get(goer)
        if found is None:
            found = here[goer] = () if is_trapped(mind, hex) else steps_from(hex)
        return found

    return reachable(start, onward, left)


def _steps_from(mind: Mind, unit: Unit, going: Gait, led: bool, hex: Hex) -> Steps:
    """The steps that a unit of this gait may take from a hex."""
    foe_hexes, crowded = mind.foe_hexes, mind.crowded
    found = [
        step
        for step in mind.ground.steps(mind.position, unit, hex)
        if (to := step[0]) not in foe_hexes and not (to in crowded and overstacked(mind.position, unit, to))
    ]
    return (
        tuple(found) if led else tuple(step for step in found if not _needs_a_leader(mind, unit, going, hex, step[0]))
    )


def _needs_a_leader(mind: Mind, unit: Unit, going: Gait, hex: Hex, to: Hex) -> bool:
    """Whether a step leads nearer to a foe that could hurt the unit [5.4], or by night where no friend is [5.5]."""
    if threats := mind.threats(unit, going[1], to):
        before, after = mind.ground.apart(hex), mind.ground.apart(to)
        if any(after[at] < before[at] for _, at, _ in threats):
            return True
    return mind.is_night and danger.strange_by_night(mind.position, unit, to) is not None


def is_trapped(mind: Mind, hex: Hex) -> bool:
    """Whether enemy mines lie in a hex, where every move ends."""
    return any(mine.side != mind.side for mine in mind.position.work(hex).mines)
