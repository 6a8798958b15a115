"""Minefields [16.7]: their effect on entering units, and their lifting by engineers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text, Words, joined, say
from opfire.rulesets.panzer_grenadier.command import leaders
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit


class LiftMines(Action, frozen=True):
    """Choose the field that loses a point, as the owner of the mines [16.74]."""

    says = "The minefield of {strength} loses a point"
    kind = "work"
    strength: int


# --- entering ---------------------------------------------------------------------------------------------------


def dice_for(position: Position, hex: Hex, entering: Iterable[Unit]) -> int:
    """The number of dice that each unit has to face [16.71]: the points in the hex, fewer with engineers [16.73]."""
    points = sum(mine.strength or 0 for mine in position.work(hex).mines)
    units = list(entering)
    if units and all(unit.type_in("engineer") for unit in units):
        return max(0, points - position.charts.figure("fewer dice for engineers"))
    sides = {unit.side for unit in units}
    if any(unit.type_in("engineer") and unit.side in sides for unit in (*units, *position.at(hex))):
        return max(0, points - position.charts.figure("fewer dice with an engineer"))
    return points


def entered(game: Game[Position], names: tuple[str, ...], hex: Hex) -> None:
    """Turn up the mines of a hex that units have entered, and throw dice at each unit [16.71], not at leaders."""
    position = game.state
    mines = position.work(hex).mines
    units = [unit for unit in position.pick(names) if unit.hex == hex and not unit.leader]
    if not mines or not units:
        return
    if any(not mine.face_up for mine in mines):
        position.change_works(hex, mines=tuple(replace(mine, face_up=True) for mine in mines))
        words = joined((mine.strength or "a dummy" for mine in mines), " and ")
        game.tell(Event("revealed", "There are mines in {}: {}", (hex, words), "16.71", names, (hex,)))
    number, side = dice_for(position, hex, units), units[0].side
    before = position.armies[side].losses
    for unit in units:
        if number:
            strike(game, unit, hex, number)
    if lost := position.armies[side].losses - before:
        leaders.casualties(game, (unit.id for unit in position.everybody(hex, side)), lost)  # 6.7
    live = tuple(mine for mine in position.work(hex).mines if mine.strength)
    if len(live) < len(mines):
        position.change_works(hex, mines=live)  # a dummy that has been turned up is taken away


def strike(game: Game[Position], unit: Unit, hex: Hex, number: int) -> None:
    """Each die by the chart [16.71]; all together [16.72]."""
    position = game.state
    dice = game.roll(number, 6)
    rows = [position.charts.mines[die] for die in dice]
    shaken = sum(row.demoralized and not row.steps for row in rows) + unit.demoralized
    steps = sum(row.steps for row in rows) + shaken // position.charts.figure("demoralizations for a step")
    demoralized = any(row.demoralized for row in rows)
    stopped = any(row.stop for row in rows)
    words = _words(steps, demoralized, stopped)
    facts = (unit.name, hex, words)
    game.tell(Event("mines", "{} in the mines of {}: {}", facts, "16.71", (unit.id,), (hex,), dice))
    if stopped:
        position.change(unit.id, stopped=True)
    for _ in range(min(steps, unit.steps)):  # first of all: passengers share the end of their carrier [5.65]
        harm.lose_step(game, unit.id)
    if demoralized and not unit.demoralized and position.units[unit.id].hex is not None:
        harm.demoralize(game, unit.id)


def _words(steps: int, demoralized: bool, stopped: bool) -> Words:
    parts: list[Words] = [Text("{} steps lost" if steps > 1 else "{} step lost", (steps,))] * bool(steps)
    parts += ["demoralized"] * demoralized + ["stopped"] * (stopped and not demoralized)
    return joined(parts) if parts else "no effect"


# --- lifting ----------------------------------------------------------------------------------------------------


class MineLifting(Frame, frozen=True):
    """At the end of a turn, engineers who have worked for three whole turns each take a point away [16.74].

    `fields` are the owners and hexes of mines that still lose a point.
    """

    takes = (LiftMines,)
    step = "mines"
    rule = "16.74"
    question = "Choose the minefield in {} that loses a point"
    fields: tuple[tuple[Side, Hex], ...] = ()

    def begin(self, game: Game[Position]) -> None:
        _go_on(game, replace(self, fields=tuple(worked_long_enough(game.state))))

    def asks(self, sight: Position) -> tuple[str, ...]:
        return tuple(owner for owner, _ in self.fields[:1])

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield from (LiftMines(strength) for strength in strengths(sight, *self.fields[0]))

    def refusal(self, sight: Position, side: str, action: LiftMines) -> Refusal | None:
        if action.strength in strengths(sight, *self.fields[0]):
            return None
        return Refusal("There is no such minefield in {}", "16.74", (self.fields[0][1],))

    def play(self, game: Game[Position], action: LiftMines) -> None:
        lift(game, *self.fields[0], action.strength)
        _go_on(game, replace(self, fields=self.fields[1:]))

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, self.fields[0][1] if self.fields else "")


FRAMES: tuple[type[Frame], ...] = (MineLifting,)


def _go_on(game: Game[Position], frame: MineLifting) -> None:
    """Lift if there is no choice, ask if there is one."""
    while frame.fields:
        owner, hex = frame.fields[0]
        found = strengths(game.state, owner, hex)
        if len(found) > 1:
            return game.swap(frame)
        if found:
            lift(game, owner, hex, found[0])
        frame = replace(frame, fields=frame.fields[1:])
    game.pop()


def strengths(position: Position, owner: Side, hex: Hex) -> list[int]:
    """The strengths of the owner's fields in a hex, each once."""
    return sorted({mine.strength for mine in position.work(hex).mines if mine.side == owner and mine.strength})


def worked_long_enough(position: Position) -> Iterator[tuple[Side, Hex]]:
    """Count the turn for each engineer among enemy mines [16.74]; three turns take a point away.

    The turn in which the engineer came, or was interrupted [16.21], is not a whole one.
    """
    for side in position.setting.sides:
        enemy = position.setting.other[side]
        for unit in position.of(side):
            hex = str(unit.hex)
            if not unit.type_in("engineer") or not strengths(position, enemy, hex):
                continue
            turns = unit.work + 1 if unit.worked == position.turn - 1 else 0
            done = turns >= position.charts.figure("turns to lift mines")
            position.change(unit.id, work=0 if done else turns, worked=position.turn)
            if done:
                yield enemy, hex


def lift(game: Game[Position], owner: Side, hex: Hex, strength: int) -> None:
    """Take a point from one of the owner's fields of that strength; a field without points is gone."""
    position = game.state
    mines = list(position.work(hex).mines)
    at = next(i for i, mine in enumerate(mines) if mine.side == owner and mine.strength == strength)
    mines[at] = replace(mines[at], strength=strength - 1, face_up=True)
    position.change_works(hex, mines=tuple(mine for mine in mines if mine.strength))
    game.tell(Event("mines", "Engineers lift mines in {}", (hex,), "16.74", (), (hex,)))
