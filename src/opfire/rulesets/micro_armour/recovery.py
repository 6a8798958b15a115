"""The marker removal phase [4.0-7, 5.3]: markers come off, stands recover, rally or panic."""

from __future__ import annotations

from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.micro_armour.airborne.surprise import win_back
from opfire.rulesets.micro_armour.artillery.impacts import lift_markers
from opfire.rulesets.micro_armour.artillery.preset import CeaseFire, falling
from opfire.rulesets.micro_armour.artillery.record import plotter_lost
from opfire.rulesets.micro_armour.cohesion import DIE, SUCCESS, cohesion_roll, level, modifier, states, tested
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, adjacent
from opfire.rulesets.micro_armour.results import apply_result
from opfire.rulesets.micro_armour.succession import CommandReplacement
from opfire.rulesets.micro_armour.works.labour import EngineeringTasks, leave_off
from opfire.rulesets.micro_armour.works.means import moved
from opfire.rulesets.micro_armour.works.ruins import lift_abandoned
from opfire.rulesets.micro_armour.works.tasks import tasks

FRESH = {
    "posture": "firing",
    "group": "",
    "fired": False,
    "unseen": False,
    "attacked": False,
    "shots": (),
    "shelled": False,
    "again": False,
    "retreats": "",
    "jumped": False,
    "clung": False,
}
"""The values of a stand once its markers have come off."""


class MarkerRemoval(Frame, frozen=True):
    """The markers of postures and fire come off; then stands that are shaken roll [4.0-7]."""

    step = "removal"
    rule = "4.0-7"

    def begin(self, game: Game[Position]) -> None:
        """Take markers off, roll for every shaken stand: RULINGS.md R12.

        Then engineers work, and successors take command [10.1.7, 11.5.3-steps].
        """
        position = game.state
        game.tell(Event("step", "Markers are removed", (), "4.0-7"))
        open_tasks = tasks(position)
        lift_abandoned(game)
        plotter_lost(game)
        lift_markers(position)
        for unit in [*position.units.values()]:
            toil = leave_off(position, unit) if moved(unit) else unit.toil
            position.change(unit.id, **FRESH, toil=toil, began=unit.at, handled=turns_loading(unit))
        for name in shaken(position):
            recover(game, name)
        win_back(game)
        game.pop()
        for side in position.setting.sides:
            if falling(position, side):
                game.push(CeaseFire(side))
        game.push(CommandReplacement(position.initiative))
        game.push(EngineeringTasks(position.initiative, open_tasks))


def turns_loading(unit: Stand) -> int:
    """The turns for which a large load has been loaded: none once a turn goes by without a try [8.4.3]."""
    return 0 if unit.handled > 0 and not (unit.moved or unit.balked) else unit.handled


def shaken(position: Position) -> list[UnitId]:
    """The stands that roll [5.3-who]: the initiative side's first, of each side headquarters first.

    Stands that have landed in this turn do not roll [8.10.2.3-limits].
    """
    sides = sorted(position.setting.sides, key=lambda side: side != position.initiative)
    found = [unit for side in sides for unit in position.pick(position.setting.ids[side])]
    rolling = [unit for unit in found if unit.shaken and unit.at is not None and unit.landed != position.turn]
    return [unit.id for unit in sorted(rolling, key=lambda unit: (sides.index(unit.side), not unit.rank))]


def recovery(position: Position, unit: Stand) -> Calculation:
    """The roll of a shaken stand [5.3-who]: it recovers, rallies, panics, or nothing changes."""
    lines = [*states(unit), *_led(position, unit)]
    plain = cohesion_roll("recovery", "5.3-who", level(position, unit), lines)
    outcomes = tuple(_outcome(unit, number, plain.result([number])) for number in range(1, DIE + 1))
    return Calculation(plain.title, plain.rule, plain.lines, 1, DIE, outcomes, modifier=plain.modifier)


def _led(position: Position, unit: Stand) -> list[Line]:
    """The help of an adjacent headquarters in good order to a suppressed stand [5.3-hq, 10.1.3]."""
    if not unit.suppressed:
        return []
    for other in position.of(unit.side):
        if other.rank and not other.shaken and other.id != unit.id and adjacent(unit, other):
            return [modifier(Text("beside {}", (other.name,)), -1, "10.1.3")]
    return []


def _outcome(unit: Stand, number: int, plain: str) -> str:
    """The outcome of a natural number [5.3-recover, 5.3-rally, 5.3-panic]."""
    if number == DIE:
        return "panics"
    if number == 1:
        return "rallies"
    return "recovers" if unit.suppressed and plain == SUCCESS else "no change"


def recover(game: Game[Position], unit_id: UnitId) -> None:
    """Roll for a shaken stand, and do what the roll says [5.3-recover, 5.3-rally, 5.3-panic]."""
    position = game.state
    unit = position.units[unit_id]
    if unit.at is None or not unit.shaken:
        return
    roll = recovery(position, unit)
    match roll.result([tested(game, unit, roll)]):
        case "rallies":
            position.change(unit_id, suppressed=False, disorganized=False)
        case "recovers":
            position.change(unit_id, suppressed=False)
        case "panics":
            apply_result(game, unit_id, "(S)")
