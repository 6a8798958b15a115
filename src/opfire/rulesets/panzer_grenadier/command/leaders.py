"""Leaders [6.0]: drawing them, and their fall: casualties, lone leaders, the loss of a senior one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text, joined
from opfire.rulesets.panzer_grenadier.charts import Piece
from opfire.rulesets.panzer_grenadier.morale import harm
from opfire.rulesets.panzer_grenadier.pieces import Hex, Officer, Position, Side, Unit, UnitId
from opfire.rulesets.panzer_grenadier.sight import spotting
from opfire.rulesets.panzer_grenadier.works import fieldworks


class DisplaceTo(Action, frozen=True):
    """The hex that a lone leader gets away to when the enemy enters his [6.71.a]."""

    says = "{unit} gets away to {to}"
    kind = "move"
    unit: UnitId
    to: Hex


# --- drawing leaders ------------------------------------------------------------------------------------------


def draw(game: Game[Position], side: Side) -> None:
    """Each leader of a side is a piece of his rank, drawn at random and flipped [6.1]."""
    position = game.state
    drawn: list[str] = []
    names: list[str] = []
    for unit in position.pick(position.setting.ids[side]):
        if unit.officer is not None:
            nation = unit.country or position.setting.scenario.sides[side].nation
            piece = _draw(game, nation, unit.officer, drawn)
            if piece is not None:
                drawn.append(piece.piece)
                officer = replace(unit.officer, morale=piece.morale, combat=piece.combat, bonus=piece.bonus)
                name = _told_apart(f"{unit.officer.title} {piece.name}", names)
                names.append(name)
                position.change(unit.id, officer=officer, name=name)
    if drawn:
        leaders = joined(unit.name for unit in position.pick(position.setting.ids[side]) if unit.leader)
        game.tell(Event("leaders", "{} is led by {}", (side.capitalize(), leaders), "6.1"))


def _told_apart(name: str, others: Sequence[str]) -> str:
    """The name of a piece; numbered where another leader of the side bears it, drawn from a cup filled again."""
    alike = sum(other == name or other.startswith(f"{name} ") for other in others)
    return f"{name} {alike + 1}" if alike else name


def _draw(game: Game[Position], nation: str, officer: Officer, drawn: list[str]) -> Piece | None:
    """One piece out of the cup, and one of its sides; the cup is filled again when it is empty."""
    charts = game.state.charts
    fitting = [row for row in charts.pieces.values() if row.nation == nation]
    fitting = [row for row in fitting if charts.ranks[row.rank].order == officer.rank]
    cup = list(dict.fromkeys(row.piece for row in fitting if row.piece not in drawn))
    cup = cup or list(dict.fromkeys(row.piece for row in fitting))
    if not cup:
        return None
    (number,) = game.roll(1, len(cup))
    sides = [row for row in fitting if row.piece == cup[number - 1]]
    (flip,) = game.roll(1, len(sides))
    return sides[flip - 1]


# --- how leaders fall -----------------------------------------------------------------------------------------


def casualties(game: Game[Position], names: Iterable[UnitId], lost: int) -> None:
    """Roll for the leaders among these, where steps were lost [6.7], except those in an APC."""
    position = game.state
    for name in names:
        leader = position.units[name]
        if leader.leader and leader.hex is not None and not in_apc(position, leader):
            hex = leader.hex
            calculation = casualty(position, leader, lost)
            rolled = game.roll(2, 6)
            words = "{} in {}: {}"
            facts = (leader.name, hex, calculation.result(rolled))
            game.tell(Event("result", words, facts, "6.7", (leader.id,), (hex,), rolled, calculation))
            if calculation.result(rolled) == "falls":
                harm.fall(game, leader.id, "6.7")


def casualty(position: Position, leader: Unit, lost: int) -> Calculation:
    """Two dice, less the steps lost in the hex; two or less and he falls [6.7]."""
    limit = position.charts.figure("leader falls up to")
    lines = (Line("note", Text("{} falls at", (leader.name,)), str(limit), "6.7", limit), _steps_line(lost))
    outcomes = tuple("falls" if total - lost <= limit else "unhurt" for total in range(2, 13))
    return Calculation(Text("Leader casualty: {}", (leader.name,)), "6.7", lines, 2, 6, outcomes, modifier=-lost)


def _steps_line(lost: int) -> Line:
    return Line("modifier", "steps lost", f"{-lost:+}", "6.7", -lost)


def in_apc(position: Position, leader: Unit) -> bool:
    """Whether he rides in an APC, where no casualty roll finds him [6.7.A1]."""
    return leader.carrier is not None and position.units[leader.carrier].apc


# --- lone leaders overrun -------------------------------------------------------------------------------------


def overrun(game: Game[Position], hex: Hex, side: Side) -> None:
    """Combat units of `side` have entered a hex with enemy leaders alone: each of these falls or gets away [6.71.a]."""
    position = game.state
    owner = position.setting.other[side]
    if any(not unit.leader for unit in position.at(hex, owner)):
        return
    away = []
    for leader in position.at(hex, owner):
        calculation = capture(position, leader)
        rolled = game.roll(2, 6)
        facts = (leader.name, hex, calculation.result(rolled))
        game.tell(Event("result", "{} in {}: {}", facts, "6.71.a", (leader.id,), (hex,), rolled, calculation))
        if calculation.result(rolled) == "falls":
            harm.fall(game, leader.id, "6.71.a")
        else:
            away.append(leader.id)
    if away:
        game.push(Displace(owner, hex, tuple(away)))


def capture(position: Position, leader: Unit) -> Calculation:
    """Two dice; nine or more and a lone leader falls [6.71.a]."""
    needed = position.charts.figure("lone leader falls from")
    lines = (Line("note", Text("{} falls at", (leader.name,)), str(needed), "6.71.a", needed),)
    outcomes = tuple("falls" if total >= needed else "gets away" for total in range(2, 13))
    return Calculation(Text("Lone leader: {}", (leader.name,)), "6.71.a", lines, 2, 6, outcomes)


def refuges(position: Position, leader: Unit) -> list[Hex]:
    """The hexes that a displaced leader may go to: next to him, without enemies [6.71.a]: RULINGS.md P63."""
    assert leader.hex is not None
    other = position.setting.other[leader.side]
    around = position.map.neighbours[leader.hex]
    return [hex for hex in around if hex is not None and not position.at(hex, other)]


class Displace(Frame, frozen=True):
    """The owner chooses a hex for each lone leader that the enemy has driven out [6.71.a]."""

    takes = (DisplaceTo,)
    step = "displace"
    rule = "6.71.a"
    question = "Choose the hex to which your leader in {hex} gets away"
    hex: Hex
    leaders: tuple[UnitId, ...]

    def begin(self, game: Game[Position]) -> None:
        known: Position = game.ruleset.sight(game.state, self.side)
        for leader in self._waiting(known):
            if not refuges(known, leader):
                harm.fall(game, leader.id, "6.71.a")
        if not self._waiting(game.state):
            game.pop()

    def _waiting(self, position: Position) -> list[Unit]:
        return [unit for unit in position.pick(self.leaders) if unit.hex == self.hex]

    def actors(self, sight: Position, side: str) -> tuple[UnitId, ...]:
        return tuple(leader.id for leader in self._waiting(sight)[:1])

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        return (DisplaceTo(actor, hex) for hex in refuges(sight, sight.units[actor]))

    def refusal(self, sight: Position, side: str, action: DisplaceTo) -> Refusal | None:
        leader = sight.units[action.unit]
        if leader.id not in self.leaders or leader.hex != self.hex:
            return Refusal("{} is not being driven out", "6.71.a", (leader.name,))
        if action.to not in refuges(sight, leader):
            return Refusal("{} cannot get away to {}", "6.71.a", (leader.name, action.to))
        return None

    def play(self, game: Game[Position], action: DisplaceTo) -> None:
        """Place the leader, unless hidden enemies turn up in the hex: then he looks for another [16.61]."""
        position = game.state
        lurking = position.at(action.to, position.setting.other[self.side])
        for one in lurking:
            spotting.reveal(game, one.id)
        if not lurking:
            fieldworks.interrupted(game, action.unit)
            leader = position.put(action.unit, action.to, dug_in=0)
            where = (self.hex, action.to)
            game.tell(Event("moved", "{} gets away to {}", (leader.name, action.to), "6.71.a", (leader.id,), where))
            spotting.arrived(game, leader.id)
        self.begin(game)


FRAMES: tuple[type[Frame], ...] = (Displace,)
