"""Artillery and bombs on buildings [9.4], improved positions [11.4] and engineers' bridges [11.5.8]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from opfire.core.events import Calculation, Event, Line
from opfire.core.game import Game
from opfire.core.places import Point, tenths, text
from opfire.core.texts import Text, Words
from opfire.rulesets.micro_armour.charts import Charts
from opfire.rulesets.micro_armour.close.rolls import combat_roll
from opfire.rulesets.micro_armour.cohesion import modifier
from opfire.rulesets.micro_armour.pieces import Position, Stand, Work, WorkKind
from opfire.rulesets.micro_armour.results import IN_WORDS
from opfire.rulesets.micro_armour.sighting.sight import half_in
from opfire.rulesets.micro_armour.terrain import words
from opfire.space.squares import footprint, may_touch, share

BARRAGE = 2


class Fabric(NamedTuple):
    """A kind of building or position under fire.

    `defence` is its value; from attack number `smoke` on it burns (0: never), and after `losses` results of E it is
    `becomes`, or nothing at all.
    """

    defence: int
    smoke: int
    losses: int
    becomes: WorkKind | None
    rule: str


BUILDINGS: Mapping[str, Fabric] = {
    "light-buildings": Fabric(4, 1, 2, "rough-1", "9.4.1"),
    "medium-buildings": Fabric(5, 2, 3, "rubble", "9.4.2"),
    "heavy-buildings": Fabric(6, 2, 5, "rubble", "9.4.3"),
}

POSITIONS: Mapping[str, Fabric] = {
    "light position": Fabric(5, 0, 1, None, "11.4.1"),
    "medium position": Fabric(8, 0, 2, "rough-1", "11.4.2"),
}
"""The positions that fire destroys; heavy ones withstand it [11.4.3]."""

BRIDGE = 2
"""The unarmoured defence of a bridge that engineers have built [11.5.8]."""

BRIDGE_DOWN = frozenset({"D", "E"})
"""The results that make a bridge unusable [11.5.8]."""


class Shell(NamedTuple):
    """A marker of fire that falls: its place, its high explosive firepower, whether it belongs to a barrage.

    `struck` is the stand that it has attacked, if any, and `dice` are those of that attack.
    """

    at: Point
    he: int
    barrage: bool = False
    struck: Stand | None = None
    dice: Sequence[int] = ()


def burn_brush(game: Game[Position], at: Point) -> None:
    """Destroy the inch of brush on which an artillery marker lands, smoke too [SC.monday.1]: RULINGS.md R82."""
    ring = footprint(at, 0)
    brush = [work for work in game.state.works.values() if work.kind == "brush" and may_touch(work.at, at)]
    hit = max(brush, key=lambda work: share(work.ring, (ring,)), default=None)
    if hit is not None and share(hit.ring, (ring,)):
        game.state.remove(hit.id)
        game.tell(Event("works", "The brush at {} is destroyed", (tenths(hit.at),), "SC.monday.1", (), (hit.at,)))


def shelled(game: Game[Position], shell: Shell) -> None:
    """Fire falls on a place: buildings there are attacked [9.4], the position of a stand that it strikes suffers with
    it [11.4.1, 11.4.2], and so does a bridge where nobody stands [11.5.8].
    """
    on_buildings(game, shell)
    if shell.struck is not None:
        on_position(game, shell, shell.struck)
    else:
        on_bridge(game, shell)


# --- buildings --------------------------------------------------------------------------------------------------------


def standing(position: Position, at: Point) -> str | None:
    """The kind of buildings that still stand at a point."""
    if any(work.kind in ("rubble", "rough-1") and _covers(work, at) for work in position.works.values()):
        return None
    found = (feature.kind for feature in position.table.ground.features_at(at))
    return next((kind for kind in found if kind in BUILDINGS), None)


def _covers(work: Work, at: Point) -> bool:
    """Return whether a marker and another one at a point share half of their ground."""
    return half_in(footprint(at, 0), work)


def attack_on(charts: Charts, kind: str, shell: Shell) -> Calculation:
    """The attack of a marker on buildings or on a position: high explosive against its defence [9.4, 11.4]."""
    fabric = BUILDINGS.get(kind) or POSITIONS[kind]
    attack = Line("attack", "HE firepower", str(shell.he), fabric.rule, shell.he)
    defence = Line("defence", words(kind), str(fabric.defence), fabric.rule, fabric.defence)
    more = [modifier("barrage", BARRAGE, "7.6.2.4-effect")] if shell.barrage else []
    return combat_roll(
        charts, Text("Fire on {}", (words(kind),)), fabric.rule, shell.he - fabric.defence, [attack, defence, *more]
    )


def on_buildings(game: Game[Position], shell: Shell) -> None:
    """Attack the buildings at a place: they burn after some attacks, and fall after some results of E; no other result
    counts [9.4.1 to 9.4.4].
    """
    position = game.state
    kind = standing(position, shell.at)
    if kind is None:
        return
    fabric, work = BUILDINGS[kind], _damage(position, shell.at)
    destroyed = _rolled(game, attack_on(position.charts, kind, shell), shell.at) == "E"
    work = replace(work, hits=work.hits + 1, harm=work.harm + destroyed)
    if work.hits == fabric.smoke:
        position.lay(Work(f"fire {text(work.at)}", "smoke", work.at))
        game.tell(Event("works", "Buildings burn at {}", (tenths(work.at),), fabric.rule, (), (work.at,)))
    if work.harm == fabric.losses and fabric.becomes is not None:
        work = replace(work, kind=fabric.becomes)
        game.tell(Event("works", "The buildings at {} are no more", (tenths(work.at),), fabric.rule, (), (work.at,)))
    position.lay(work)


def _damage(position: Position, at: Point) -> Work:
    """The marker that counts the attacks on a place: one that shares half of its ground, or a new one."""
    found = (work for work in position.works.values() if work.kind == "damage" and _covers(work, at))
    return next(found, Work(f"damage {text(at)}", "damage", at))


def _rolled(game: Game[Position], roll: Calculation, at: Point) -> str:
    dice = game.roll(2, 6)
    found = roll.result(dice)
    game.tell(
        Event("result", "{}: {}", (roll.title, IN_WORDS.get(found, found)), roll.rule, (), (at,), tuple(dice), roll)
    )
    return found


# --- positions --------------------------------------------------------------------------------------------------------


def on_position(game: Game[Position], shell: Shell, unit: Stand) -> None:
    """The dice of an attack on a stand count for its position too, without the terrain [11.4.1, 11.4.2, 11.4.3].

    By another reading the attack on the position has dice of its own: RULINGS.md R124.
    """
    position = game.state
    for work in positions_of(position, unit):
        fabric = POSITIONS[work.kind]
        roll = attack_on(position.charts, work.kind, shell)
        own = position.setting.has("R124")
        if (_rolled(game, roll, shell.at) if own else roll.result(list(shell.dice))) != "E":
            continue
        if work.harm + 1 < fabric.losses:
            position.lay(replace(work, harm=work.harm + 1))
            continue
        position.remove(work.id)
        if fabric.becomes is not None:
            position.lay(replace(work, kind=fabric.becomes, harm=0))
        game.tell(Event("works", "The {} is destroyed", (work.kind,), fabric.rule, (), (work.at,)))


def positions_of(position: Position, unit: Stand) -> list[Work]:
    """The positions of a stand that fire may destroy [11.4.1, 11.4.2]."""
    return [work for work in position.works.values() if work.kind in POSITIONS and occupies(unit, work)]


def occupies(unit: Stand, work: Work) -> bool:
    """Return whether a stand is in a position: the marker covers half of it [7.4.3.2]."""
    return unit.at is not None and half_in(unit.ring, work)


def abandoned(position: Position) -> list[Work]:
    """The light positions in which nobody is [11.4.1]."""
    light = [work for work in position.works.values() if work.kind == "light position"]
    return [work for work in light if not any(occupies(unit, work) for unit in position.all())]


def lift_abandoned(game: Game[Position]) -> None:
    """Light positions without anybody in them are removed at the end of a movement phase [11.4.1]."""
    for work in abandoned(game.state):
        game.state.remove(work.id)
        game.tell(Event("works", "The light position at {} is given up", (tenths(work.at),), "11.4.1", (), (work.at,)))


# --- bridges ----------------------------------------------------------------------------------------------------------


def bridge_roll(charts: Charts, power: int, more: Sequence[Line] = ()) -> Calculation:
    """An attack on a bridge that engineers have built, at its unarmoured defence [11.5.8]."""
    attack = Line("attack", "HE firepower", str(power), "11.5.8", power)
    defence = Line("defence", "bridge", str(BRIDGE), "11.5.8", BRIDGE)
    return combat_roll(charts, "Fire on the bridge", "11.5.8", power - BRIDGE, [attack, defence, *more])


def on_bridge(game: Game[Position], shell: Shell) -> None:
    """A marker that covers half of a bridge, and no stand, attacks the bridge [11.5.8]: RULINGS.md R56."""
    if game.state.setting.has("R56"):
        return
    for work in bridges_at(game.state, shell.at):
        attack_bridge(game, work, shell_on_bridge(game.state.charts, shell))


def bridges_at(position: Position, at: Point) -> list[Work]:
    """The engineers' bridges of which a marker at a place covers half [11.5.8]."""
    return [work for work in position.works.values() if work.kind == "bridge" and _covers(work, at)]


def shell_on_bridge(charts: Charts, shell: Shell) -> Calculation:
    """The attack of a marker on a bridge [7.6.2.4-effect, 11.5.8]."""
    more = [modifier("barrage", BARRAGE, "7.6.2.4-effect")] if shell.barrage else []
    return bridge_roll(charts, shell.he, more)


def attack_bridge(game: Game[Position], work: Work, roll: Calculation) -> None:
    """Roll against a bridge; a D or an E makes it unusable [11.5.8]."""
    if _rolled(game, roll, work.at) in BRIDGE_DOWN:
        game.state.lay(replace(work, kind="bridge out"))
        game.tell(Event("works", "The bridge at {} is out", (tenths(work.at),), "11.5.8", (), (work.at,)))


# --- before the dice --------------------------------------------------------------------------------------------------


def place_rolls(position: Position, shell: Shell) -> Iterator[tuple[Words, Calculation]]:
    """The attacks of a marker on buildings, on a position and on a bridge, each named for its kind.

    [9.4, 11.4.1, 11.4.2, 11.5.8]
    """
    kind = standing(position, shell.at)
    if kind is not None:
        yield words(kind), attack_on(position.charts, kind, shell)
    yield from position_rolls(position, shell)
    if shell.struck is None and not position.setting.has("R56"):
        for work in bridges_at(position, shell.at):
            yield work.kind, shell_on_bridge(position.charts, shell)


def position_rolls(position: Position, shell: Shell) -> Iterator[tuple[Words, Calculation]]:
    """The attacks on the positions of the stand that a shell strikes [11.4.1, 11.4.2]."""
    for work in positions_of(position, shell.struck) if shell.struck is not None else ():
        yield words(work.kind), attack_on(position.charts, work.kind, shell)
