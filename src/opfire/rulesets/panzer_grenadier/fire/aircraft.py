"""Aircraft [15.1]: drawn each turn they come, sent at enemy hexes, some of them missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.core.events import Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text, joined
from opfire.rulesets.panzer_grenadier.charts import Aircraft
from opfire.rulesets.panzer_grenadier.command import sectors
from opfire.rulesets.panzer_grenadier.fire import losses
from opfire.rulesets.panzer_grenadier.fire.bombardment import go_astray
from opfire.rulesets.panzer_grenadier.fire.direct import discover, enemy_hexes
from opfire.rulesets.panzer_grenadier.fire.strengths import (
    Column,
    Fire,
    approach_lines,
    crowd_lines,
    hex_lines,
    resolve,
    shift,
    target_groups,
)
from opfire.rulesets.panzer_grenadier.pieces import Hex, Position, Side, Unit, UnitId


class SendAircraft(Action, frozen=True):
    """Place an aircraft in a target hex [15.12]."""

    says = "{aircraft} attacks {hex}"
    kind = "fire"
    aircraft: str
    hex: Hex


OPENINGS: tuple[type[Action], ...] = (SendAircraft,)


# --- the draw -----------------------------------------------------------------------------------------------------


def draw(game: Game[Position], side: Side) -> None:
    """Draw the scenario's number of pieces in a turn with aircraft, and flip each for its side [15.11]."""
    position = game.state
    flight = position.setting.instructions.sides[side].aircraft
    position.change_army(side, aircraft=())
    if flight is None or position.turn not in flight.turns:
        return
    join(game, side, flight.pieces)


def join(game: Game[Position], side: Side, count: int = 1) -> None:
    """Draw `count` more pieces for this turn, as far as there are any [15.11, 17.5]."""
    position = game.state
    there = position.armies[side].aircraft
    away = {*there, *sectors.taken(position, side)}
    pieces = [faces for faces in pieces_of(position, side) if not any(one.id in away for one in faces)]
    drawn: list[Aircraft] = []
    for _ in range(min(count, len(pieces))):
        (at,) = game.roll(1, len(pieces))
        (face,) = game.roll(1, 2)
        drawn.append(pieces.pop(at - 1)[face - 1])
    position.change_army(side, aircraft=(*there, *(one.id for one in drawn)))
    facts = (side.capitalize(), joined(one.name for one in drawn))
    game.tell(Event("result", "{} has aircraft: {}", facts, "15.11"))


def pieces_of(position: Position, side: Side) -> list[tuple[Aircraft, Aircraft]]:
    """The two sides of every aircraft piece of a nation [15.1, 15.11]."""
    nation = position.setting.scenario.sides[side].nation
    faces: dict[str, list[Aircraft]] = {}
    for row in position.charts.aircraft.values():
        if row.nation == nation:
            faces.setdefault(row.piece, []).append(row)
    return [(found[0], found[-1]) for found in faces.values()]


# --- checks -------------------------------------------------------------------------------------------------------


def not_drawn(position: Position, side: Side, aircraft: str) -> Refusal | None:
    """Only aircraft drawn for this turn that have not attacked [15.12]."""
    if aircraft in position.armies[side].aircraft:
        return None
    piece = position.charts.aircraft.get(aircraft)
    return Refusal("{} is not available this turn", "15.12", (piece.name if piece is not None else aircraft,))


def no_target(position: Position, side: Side, hex: Hex) -> Refusal | None:
    """Any hex of the enemy, seen or not [15.12], in the sector [18.12]; direct fire never at a hex of friends
    [7.24].
    """
    if not position.at(hex, position.setting.other[side]):
        return Refusal("No enemy in {} is seen", "15.12", (hex,))
    if position.at(hex, side):
        return Refusal("Your own units are in {}", "7.24", (hex,))
    return sectors.not_there(position, hex)


def cannot_send(
    position: Position, side: Side, sent: Sequence[tuple[str, Hex]], action: SendAircraft
) -> Refusal | None:
    """Reject an aircraft that may not be placed there: three in a hex and segment at most [15.12]."""
    if refusal := not_drawn(position, side, action.aircraft) or no_target(position, side, action.hex):
        return refusal
    if any(name == action.aircraft for name, _ in sent):
        return Refusal("{} already has a target", "15.12", (position.charts.aircraft[action.aircraft].name,))
    if sum(hex == action.hex for _, hex in sent) >= position.charts.figure("aircraft in a hex"):
        return Refusal("Three aircraft already attack {}", "15.12", (action.hex,))
    return None


# --- the segment --------------------------------------------------------------------------------------------------


def openings(position: Position, side: Side) -> Iterator[Action]:
    """Every aircraft of this turn at every hex it may attack; only in segments of its own side [15.14]."""
    return placements(position, side, ())


def placements(position: Position, side: Side, sent: Sequence[tuple[str, Hex]]) -> Iterator[Action]:
    """Every remaining aircraft, at every hex that has room."""
    for name in position.armies[side].aircraft:
        for hex in enemy_hexes(position, side):
            action = SendAircraft(name, hex)
            if cannot_send(position, side, sent, action) is None:
                yield action


def refusal(position: Position, side: Side, action: Action) -> Refusal | None:
    """Reject an air attack that may not begin like this."""
    if not isinstance(action, SendAircraft):
        return Refusal("This action is not an air attack", PROCEDURE)
    return cannot_send(position, side, (), action)


def begin(game: Game[Position], side: Side, action: Action) -> None:
    """Give the segment to the aircraft: no other unit acts in it [15.12]."""
    assert isinstance(action, SendAircraft)
    game.push(Sending(side, ((action.aircraft, action.hex),)))


class Sending(Frame, frozen=True):
    """Aircraft are placed in their target hexes, then they attack [15.12]."""

    takes = (SendAircraft, Fire)
    step = "aircraft"
    rule = "15.12"
    question = "Send more aircraft, or let those sent attack"
    sent: tuple[tuple[str, Hex], ...] = ()

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        yield Fire()
        yield from placements(sight, self.side, self.sent)

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        return cannot_send(sight, self.side, self.sent, action) if isinstance(action, SendAircraft) else None

    def play(self, game: Game[Position], action: Action) -> None:
        """Send, or attack hex after hex; each attacks once in a turn [15.12]."""
        if isinstance(action, SendAircraft):
            game.swap(replace(self, sent=(*self.sent, (action.aircraft, action.hex))))
            return
        position = game.state
        gone = {name for name, _ in self.sent}
        left = tuple(name for name in position.armies[self.side].aircraft if name not in gone)
        position.change_army(self.side, aircraft=left)
        game.pop()
        game.push(AirAttacks(self.side, self.sent))


class AirAttacks(Frame, frozen=True):
    """The hexes under attack, one after the other [15.13]."""

    rule = "15.13"
    sent: tuple[tuple[str, Hex], ...] = ()

    def begin(self, game: Game[Position]) -> None:
        self.resume(game, None)

    def resume(self, game: Game[Position], result: object) -> None:
        if not self.sent:
            game.pop()
            return
        hex = self.sent[0][1]
        game.swap(replace(self, sent=tuple(one for one in self.sent if one[1] != hex)))
        game.resume_top()
        rows = game.state.charts.aircraft
        attack(game, self.side, hex, [rows[name] for name, at in self.sent if at == hex])


# --- an attack ----------------------------------------------------------------------------------------------------


def attack(game: Game[Position], side: Side, hex: Hex, sent: Sequence[Aircraft]) -> None:
    """Each aircraft finds the hex or misses it [15.12]; those that find it attack together [15.13, 15.15]."""
    position, enemy = game.state, game.state.setting.other[side]
    rolled = game.roll(len(sent), 6)
    worst = position.charts.figure("aircraft misses up to")
    hitting = [one for one, die in zip(sent, rolled, strict=True) if die > worst]
    facts = (joined(one.name for one in sent), hex, len(hitting), len(sent))
    game.tell(Event("result", "{} over {}: {} of {} find it", facts, "15.12", (), (hex,), rolled))
    if missed := len(sent) - len(hitting):
        go_astray(game, side, hex, missed)  # 15.12.a
    if not hitting:
        return
    discover(game, [target.id for target in position.at(hex, enemy)])
    discover(game, [gun.id for gun in guns_firing(position, hex, enemy)[:1]])
    if factors := sum(one.at for one in hitting):
        game.push(AirAntiTank(enemy, hex, factors))
    who = joined(one.name for one in hitting)
    resolve(game, "air", (), hex, enemy, air_attack(position, hex, enemy, hitting), who)


def air_attack(position: Position, hex: Hex, side: Side, hitting: Sequence[Aircraft]) -> tuple[Column, ...]:
    """All that find the hex together on the Direct Fire Table [15.13], with the flak's shift [15.16]."""
    targets = position.at(hex, side)
    shared = [
        *(
            Line("attack", Text("{}, {}", (one.name, one.direct)), str(one.direct), "15.13", one.direct)
            for one in hitting
        ),
        *approach_lines(position, "direct", (), hex),
        *crowd_lines(position, "direct", targets),
        *hex_lines(position, "direct", hex),
        *flak_lines(position, hex, side),
    ]
    return target_groups(position, "direct", shared, targets, "Air attack")


def flak_lines(position: Position, hex: Hex, side: Side) -> Iterator[Line]:
    """One column for any number of undemoralized anti-aircraft units within three hexes [15.16, 15.16.A1]."""
    if guns_firing(position, hex, side):
        yield from shift(position, "direct", "anti-aircraft fire", "Anti-aircraft fire")


def guns_firing(position: Position, hex: Hex, side: Side) -> list[Unit]:
    """The anti-aircraft units that aircraft over a hex meet [15.16, 18.12], units in view first: RULINGS.md P111."""
    away, near = position.map.distance, position.charts.figure("anti-aircraft range")
    found = [unit for unit in position.of(side) if flak(unit) and away(str(unit.hex), hex) <= near]
    found = [unit for unit in found if sectors.out_of_sector(position, unit, hex) is None]
    return sorted(found, key=lambda unit: (unit.hidden, away(str(unit.hex), hex)))


def flak(unit: Unit) -> bool:
    """An anti-aircraft unit that fires: neither demoralized [15.16] nor limbered: RULINGS.md P111."""
    return unit.type_in("aa-gun") and not unit.demoralized and not unit.limbered


# --- anti-tank factors --------------------------------------------------------------------------------------------


class AirAntiTank(Frame, frozen=True):
    """The aircraft's anti-tank factors [15.15]: a die each; the owner chooses the AFV for each hit."""

    takes = (losses.LoseStep,)
    step = "losses"
    rule = "15.15"
    question = "Choose the AFV in {hex} that takes the step loss"
    hex: Hex
    factors: int
    hits: int = -1

    def begin(self, game: Game[Position]) -> None:
        """Roll, unless the AFVs are gone; then take the hits as far as there is no choice."""
        if not afvs(game.state, self.side, self.hex):
            game.pop()
            return
        rolled = game.roll(self.factors, 6)
        hits = Counter(rolled)[game.state.charts.figure("air anti-tank factor hits on")]
        facts = (self.factors, self.hex, hits)
        text = "{} anti-tank factors over {}: {} hits"
        game.tell(Event("result", text, facts, "15.15", (), (self.hex,), rolled))
        game.swap(replace(self, hits=hits))
        game.resume_top()

    def resume(self, game: Game[Position], result: object) -> None:
        targets = afvs(game.state, self.side, self.hex)
        if self.hits <= 0 or not targets:
            game.pop()
        elif len(targets) == 1:
            self._hit(game, targets[0].id)

    def actors(self, sight: Position, side: str) -> tuple[UnitId, ...]:
        return tuple(unit.id for unit in afvs(sight, self.side, self.hex))

    def acts(self, sight: Position, side: str, actor: str) -> tuple[Action, ...]:
        return (losses.LoseStep(actor),)

    def refusal(self, sight: Position, side: str, action: losses.LoseStep) -> Refusal | None:
        """Only AFVs in the hex [15.15]."""
        unit = sight.units[action.unit]
        if unit in afvs(sight, self.side, self.hex):
            return None
        return Refusal("{} is not one of your AFVs in {}", "15.15", (unit.name, self.hex))

    def play(self, game: Game[Position], action: losses.LoseStep) -> None:
        self._hit(game, action.unit)

    def forced(self, sight: Position) -> bool:
        """Whether the target is forced; everybody sees the AFVs there."""
        return True

    def _hit(self, game: Game[Position], unit_id: UnitId) -> None:
        game.swap(replace(self, hits=self.hits - 1))
        game.resume_top()
        losses.suffer_at(game, unit_id, 1)


def afvs(position: Position, side: Side, hex: Hex) -> list[Unit]:
    """The AFVs of a side in a hex."""
    return [unit for unit in position.at(hex, side) if unit.afv]


FRAMES: tuple[type[Frame], ...] = (Sending, AirAttacks, AirAntiTank)
