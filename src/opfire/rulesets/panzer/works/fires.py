"""Fires [7.35, 6.1.4.3.5]: buildings, rubble and dry trees that catch fire, and the units in them."""

from __future__ import annotations

from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.rulesets.panzer import hiding
from opfire.rulesets.panzer.charts import BuildingEffect, Weapon
from opfire.rulesets.panzer.fire import losses
from opfire.rulesets.panzer.ground import BUILDINGS
from opfire.rulesets.panzer.pieces import Hex, Position, Unit, Work
from opfire.rulesets.panzer.sections import Tinder

OPTION, STRAY = "7.35", "7.35.3"
DIE = 100
RUBBLE = -10
"""The modifier of rubble, which makes a fire likelier [7.35.1-check]."""

FLAMES = 99
"""The mark of a flamethrower in the record of GP Factors: its fire starts without a roll [7.35.1-flame]."""

STEPS = (3, 6, 9, 12, 15)
"""The GP Factors up to which the columns of the Building Effects Table go."""


def tinder(position: Position, hex: Hex) -> BuildingEffect | None:
    """The row of the building of a hex, or of the one that lies in rubble; rubble alone counts as wood.

    Without either it is that of the building like which the trees of the hex burn [7.35.4].
    """
    words = BUILDINGS.intersection(position.map.cells[hex].terrain)
    if not words and any(work.kind == "rubble" for work in position.works.get(hex, ())):
        words = frozenset({"wood building"})
    if not words and (trees := dry(position, hex)):
        words = frozenset({trees[1].like})
    return max((position.charts.buildings[word] for word in words), key=lambda row: row.hit, default=None)


def dry(position: Position, hex: Hex) -> tuple[str, Tinder] | None:
    """The trees of a hex that burn by the scenario, and how; the first of several in the list counts [7.35.4]."""
    named = position.setting.sections.conditions.tinder.items()
    words = position.map.cells[hex].terrain
    return next(((trees, how) for trees, how in named if trees in words), None)


def expose(position: Position, hex: Hex, weapon: Weapon, factor: int) -> None:
    """Note GP fire at a hex that may burn, or at a unit there; small arms start no fires.

    Rules: [7.35.1-check, 7.35.1-flame].
    """
    if weapon.small_arms is not True:
        note(position, hex, FLAMES if weapon.kind == "flame" else factor)


def note(position: Position, hex: Hex, factor: int) -> None:
    """Note a GP Factor at a hex; the largest of the turn counts [7.35.1-check]."""
    if OPTION in position.setting.options and tinder(position, hex) is not None:
        position.struck[hex] = max(factor, position.struck.get(hex, 0))


def stray(position: Position, weapon: Weapon, target: Unit) -> None:
    """Note a hand-held rocket that misses a vehicle in a building or rubble hex, by its fixed GP Factor [7.35.3]."""
    if STRAY in position.setting.options and weapon.kind == "hhatw" and target.hex is not None:
        for row in position.charts.rows_of(weapon.weapon, weapon.mount, "GP-DF"):
            note(position, target.hex, row.value_e)


def alight(position: Position, hex: Hex) -> bool:
    """Return whether a hex is on fire [6.1.4.3.5]."""
    return any(work.kind == "on fire" for work in position.works.get(hex, ()))


def chance(position: Position, hex: Hex, factor: int) -> Calculation:
    """The check for a fire: by the building and the largest GP Factor of the turn [7.35.1-check]."""
    row = tinder(position, hex)
    assert row is not None
    column = next((step for step in STEPS if factor <= step), STEPS[-1])
    most = int(getattr(row, f"fire_{column}"))
    rubble = any(work.kind == "rubble" for work in position.works.get(hex, ()))
    amount = -RUBBLE if "R151" in position.setting.options else RUBBLE
    lines = [Line("modifier", "Rubble", f"{amount:+d}", "7.35.1-check", amount)] if rubble else []
    if not rubble and BUILDINGS.isdisjoint(position.map.cells[hex].terrain) and (trees := dry(position, hex)):
        word, how = trees
        lines.append(Line("modifier", word.capitalize(), f"{how.modifier:+d}", "7.35.4", how.modifier))
    net = sum(line.amount for line in lines)
    lines.append(Line("odds", row.building.capitalize(), f"01-{most}", "7.35.1-check", most))
    outcomes = tuple("catches fire" if roll + net <= most else "does not burn" for roll in range(1, DIE + 1))
    return Calculation(Text("Fire in {}", (hex,)), "7.35.1-check", tuple(lines), 1, DIE, outcomes, f"01-{most}", net)


class FireStep(Frame, frozen=True):
    """Units that stayed in a fire are lost, and new fires start [7.35.1-check, 7.35.2]."""

    step = "adjustment"
    rule = "7.35"

    def begin(self, game: Game[Position]) -> None:
        """First the units in old fires, then the checks for new ones [7.35.2, 7.35.1-check]."""
        for hex, works in [*game.state.works.items()]:
            if any(work.kind == "on fire" and int(work.value or 0) < game.state.turn for work in works):
                consume(game, hex)
        for hex, factor in [*game.state.struck.items()]:
            if not alight(game.state, hex):
                check(game, hex, factor)
        game.state.struck = {}
        game.pop()


def check(game: Game[Position], hex: Hex, factor: int) -> None:
    """One check for a hex; flamethrowers start a fire without a roll [7.35.1-check, 7.35.1-flame]."""
    if factor < FLAMES:
        made = chance(game.state, hex, factor)
        dice = game.roll(1, DIE)
        result = made.result(dice)
        game.tell(Event("fire", "{} {}", (hex, result), "7.35.1-check", (), (hex,), dice, made))
        if result != "catches fire":
            return
    else:
        game.tell(Event("fire", "{} catches fire", (hex,), "7.35.1-flame", (), (hex,)))
    burning = Work("on fire", value=str(game.state.turn))
    game.state.works[hex] = (*game.state.works.get(hex, ()), burning)


def consume(game: Game[Position], hex: Hex) -> None:
    """Units in a fire of an earlier turn are lost with all aboard, and leave no wreck [6.1.4.3.5, 7.35.2].

    HIDDEN UNIT counters do not stay in the hex either [7.2.2].
    """
    for mask in [mask for mask in game.state.masks.values() if mask.hex == hex]:
        hiding.unmask(game, mask.id)
    for unit in game.state.at(hex):
        gone = losses.perish(game, unit)
        for lost in gone:
            game.tell(Event("eliminated", "{} is lost in the fire", (lost.name,), "7.35.2", (lost.id,), (hex,)))
        losses.mourn(game, gone)
