"""Calling, continuing, adjusting and checking fire [6.5.1.7 to 6.5.1.9]: the actions, and the checks of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, TypeVar

from opfire.core.actions import PROCEDURE, Action, Refusal
from opfire.rulesets.panzer import radios
from opfire.rulesets.panzer.fire import ap_fire
from opfire.rulesets.panzer.fire.arms import LEAST_RANGE
from opfire.rulesets.panzer.formations import unready
from opfire.rulesets.panzer.indirect.kinds import Fall, Guns, Mission, Rounds
from opfire.rulesets.panzer.indirect.observers import (
    Source,
    bears_not,
    cannot_observe,
    capacity,
    distinct,
    indoors,
    row_of,
    source,
    sources,
    too_rigid,
)
from opfire.rulesets.panzer.indirect.planning import engaged
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId, at_arms, off_the_map
from opfire.rulesets.panzer.sighting.spots import cannot_spot, does_not_look_at, hex_out_of_sight, not_spotted
from opfire.space.hexes import distance

Called: TypeAlias = Literal["closed", "open", "linear"]
"""The patterns of fire missions; the Closed one of a unit on the map is a single hex [6.5.1.5]."""

PATTERNS: tuple[Called, ...] = ("closed", "open", "linear")
ADJUSTED_MOST = 3
"""The hexes by which fire is adjusted at most [6.5.1.8.2]."""

ILLUMINATION, PROBES = "7.27", "7.37"
LETTERS: dict[Rounds, str] = {"smoke": "S", "illumination": "I"}
"""The letters of the Ammo Limits of special rounds [5.16.2]."""


class CallFire(Action, frozen=True):
    """An observer calls the fire of a unit or battery onto a target that it spots [6.5.1.7].

    `rounds` are `gp`, `smoke` or `illumination`; `toward` is the direction of a linear pattern (0 north, to 5).
    """

    says = "{unit} calls {firer} onto {target}: {rounds}"
    kind = "fire"
    final = True
    unit: UnitId
    firer: str
    target: UnitId
    rounds: Rounds = "gp"
    sheaf: Called = "closed"
    toward: int = 0


class ProbeFire(Action, frozen=True):
    """An FO calls the fire of a battery onto a hex in sight in which it sees nobody [7.37]."""

    says = "{unit} probes {to} with the fire of {firer}"
    kind = "fire"
    final = True
    unit: UnitId
    firer: str
    to: Hex


class AdjustFire(Action, frozen=True):
    """An observer moves fire that falls to another target near by, or changes its pattern [6.5.1.8.2]."""

    says = "{unit} adjusts the fire of {firer} onto {target}: {rounds}"
    kind = "fire"
    final = True
    unit: UnitId
    firer: str
    target: UnitId
    rounds: Rounds = "gp"
    sheaf: Called = "closed"
    toward: int = 0


class ContinueFire(Action, frozen=True):
    """An observer lets fire go on where it falls [6.5.1.8.1]."""

    says = "{unit} continues the fire of {firer}: {rounds}"
    kind = "fire"
    final = True
    unit: UnitId
    firer: str
    rounds: Rounds = "gp"


class CheckFire(Action, frozen=True):
    """Cancel fire that falls [6.5.1.9]."""

    says = "{unit} checks the fire of {firer}"
    kind = "done"
    unit: UnitId
    firer: str


# --- firers ----------------------------------------------------------------------------------------------------


def not_free(position: Position, side: Side, name: str) -> Refusal | None:
    """Reject firing units that have had their fire in this turn, or cannot fire [6.5.1-a, 6.5.1.7-a, 6.5.1.11.1]."""
    from_ = source(position, name)
    if from_ is None or from_.side != side:
        return Refusal("{} is no unit or battery of yours that fires indirectly", "6.5.1", (name,))
    if any(call.firer == name for call in position.calls):
        return Refusal("{} has been called in this turn", "6.5.1-a", (from_.name,))
    if from_.guns is not None:
        return unfit(from_.guns) or engaged(position, from_.guns)
    assert from_.unit is not None
    return _no_command(from_.unit) or indoors(position, from_) or out_of_order(from_)


def out_of_order(from_: Source) -> Refusal | None:
    """Reject a unit whose weapon is jammed, or ruined [7.25]."""
    unit = from_.unit
    if unit is None or from_.row.weapon not in (*unit.jammed, *unit.ruined):
        return None
    return Refusal("{} is jammed: it waits for repair", "7.25", (from_.row.name,))


def unfit(guns: Guns) -> Refusal | None:
    """Reject batteries for counter battery fire alone, and those that are knocked out [7.28, 7.28.2]."""
    if guns.counters:
        return Refusal("{} fires at batteries alone", "7.28.1", (guns.name,))
    return Refusal("{} is knocked out", "7.28.2-ko", (guns.name,)) if guns.out else None


def _no_command(unit: Unit) -> Refusal | None:
    """Reject units on the map without a command to fire, not even a Short Halt [6.5.1-a]."""
    if refusal := off_the_map(unit):
        return refusal
    if unit.command != "fire":
        return Refusal("{} has no Fire command", "6.5.1-a", (unit.name,))
    return Refusal("{} has fired", "6.5.1-a", (unit.name,)) if unit.fired else None


def called_range(position: Position, observer: Unit, from_: Source, hex: Hex) -> int:
    """The range of called fire: from the observer, for units on the map from them if that is more [6.5.1.13]."""
    coords = position.map.coords
    seen = distance(coords[str(observer.hex)], coords[hex])
    return seen if from_.unit is None else max(seen, distance(coords[str(from_.unit.hex)], coords[hex]))


def out_of_range(position: Position, observer: Unit, from_: Source, hex: Hex) -> Refusal | None:
    """Reject a Target Point beyond the maximum range or within the minimum range [5.6, 6.5.1.7, 6.5.1.13]."""
    hexes, least = called_range(position, observer, from_, hex), from_.row.min_range or LEAST_RANGE
    if hexes < least:
        return Refusal("{} fires at {} hexes or more; the target is at {}", "6.5.1.13", (from_.name, least, hexes))
    if ap_fire.range_factor(from_.row, hexes) is None:
        return Refusal(
            "{} reaches {} hexes; the target is at {}", "6.5.1.13", (from_.name, from_.row.reach("E"), hexes)
        )
    return None


def limit_of(from_: Source, rounds: Rounds) -> int | None:
    """The Ammo Limit of special rounds; None for rounds that it does not have [5.16.2.3, 5.16.2.5]."""
    letter = LETTERS.get(rounds, "")
    words = (word for word in from_.row.ammo_limit.split(";") if word)
    return next((int(word[1:]) for word in words if word[0] == letter), None)


def no_such_rounds(position: Position, from_: Source, rounds: Rounds, sheaf: Called, toward: int) -> Refusal | None:
    """Reject rounds and patterns that a firing unit does not have [5.16.2.5, 6.5.1.5, 6.5.1.6.1, 6.5.1.6.2]."""
    if rounds == "illumination" and (ILLUMINATION not in position.setting.options or sheaf != "closed"):
        return Refusal("Illumination is for limited visibility, in a closed pattern", "6.5.1.6.2")
    if rounds != "gp" and limit_of(from_, rounds) is None:
        return Refusal("{} has no {} rounds", "6.5.1.6.1", (from_.name, rounds))
    if rounds != "gp" and from_.guns is not None and from_.guns.special == 0:
        return Refusal("{} has no {} missions left", "5.16.2.5", (from_.name, rounds))
    if sheaf not in PATTERNS or toward not in range(6) or (toward and sheaf != "linear"):
        return Refusal("{} is no pattern: choose closed, open, or linear towards 0 to 5", "6.5.1.5", (sheaf,))
    if from_.unit is not None and sheaf != "closed":
        return Refusal("{} is on the map: its pattern is a single hex", "6.5.1.5", (from_.name,))
    return None


def falling(from_: Source, hex: Hex, rounds: Rounds, sheaf: Called, toward: int) -> Fall:
    """The fire of a firing unit at a hex: that of units on the map covers it alone [6.5.1.5]."""
    return Fall(hex, rounds, sheaf if from_.guns is not None else "point", toward)


# --- targets [6.5.1.7] -----------------------------------------------------------------------------------------


def unseen(position: Position, observer: Unit, target: Unit) -> Refusal | None:
    """Reject targets that the observer has not spotted, in the Spotting Phase and now [6.5.1.1, 6.5.1.7]."""
    if target.side == observer.side:
        return Refusal("{} is on your side", PROCEDURE, (target.name,))
    return (
        off_the_map(target)
        or not_spotted(position, observer, target)
        or cannot_spot(position, observer, target, target.spot)
    )


def seen_by_firer(position: Position, from_: Source, target: Unit) -> Refusal | None:
    """Reject targets that the firing unit spots itself: it fires directly at those [6.5.1]."""
    unit = from_.unit
    if unit is None or not_spotted(position, unit, target) or cannot_spot(position, unit, target, target.spot):
        return None
    return Refusal("{} spots {} itself: it fires directly", "6.5.1", (unit.name, target.name))


def cannot_reach(position: Position, observer: Unit, from_: Source, target: Unit) -> Refusal | None:
    """Reject a target for an observer and a firing unit [6.5.1.7]."""
    if refusal := unseen(position, observer, target):
        return refusal
    hex = str(target.hex)
    return (
        out_of_range(position, observer, from_, hex)
        or bears_not(position, from_, hex)
        or seen_by_firer(position, from_, target)
    )


# --- the observer's other fire [6.5.1.1] -----------------------------------------------------------------------


def fires_elsewhere(position: Position, observer: Unit, hex: Hex) -> Refusal | None:
    """Reject a second hex for an observer in a turn [6.5.1.1]."""
    hexes = [call.hex for call in position.calls if call.observer == observer.id and call.deed != "checked"]
    if not hexes or hexes[0] == hex:
        return None
    return Refusal("{} calls fire onto {} in this turn", "6.5.1.1", (observer.name, hexes[0]))


def undecided(position: Position, observer: UnitId) -> Iterator[Mission]:
    """The fire of earlier turns that an observer has not yet continued, adjusted or checked."""
    done = {call.firer for call in position.calls}
    for mission in position.missions.values():
        if mission.observer == observer and mission.firer not in done:
            yield mission


def busy(position: Position, observer: Unit) -> Refusal | None:
    """Reject new calls beside fire that is not decided on, and after fire that was checked [6.5.1.9]."""
    if open_ := next(undecided(position, observer.id), None):
        return Refusal("{} observes fire on {}: decide on it first", "6.5.1.9", (observer.name, open_.fall.hex))
    return has_checked(position, observer)


def has_checked(position: Position, observer: Unit) -> Refusal | None:
    """Reject other missions of an observer that has checked fire in this turn: RULINGS.md R188 [6.5.1.9]."""
    if any(call.observer == observer.id and call.deed == "checked" for call in position.calls):
        return Refusal("{} has checked fire in this turn", "6.5.1.9", (observer.name,))
    return None


def too_many_sources(position: Position, observer: Unit, firer: str) -> Refusal | None:
    """Reject more distinct sources than an observer manages [6.5.1.1.1, 6.5.1.1.2, 6.5.1.1.3, 6.5.1.1.4]."""
    used = [call.firer for call in position.calls if call.observer == observer.id]
    if distinct(position, [*used, firer]) <= capacity(observer):
        return None
    row = row_of(observer)
    rule = "6.5.1.1.1" if row == "FO" else "6.5.1.1.3" if row == "Recon" else "6.5.1.1.2"
    return Refusal("{} calls fire from {} sources at most", rule, (observer.name, capacity(observer)))


# --- the four acts ---------------------------------------------------------------------------------------------


def cannot_call(position: Position, side: Side, call: CallFire) -> Refusal | None:
    """Reject a call for fire [6.5.1.7, 7.4.3]."""
    observer, from_ = at_arms(position, call.unit), source(position, call.firer)
    able = cannot_observe(side, observer) or unready(position, observer) or radios.cannot_call(position, observer)
    if refusal := able or busy(position, observer) or not_free(position, side, call.firer):
        return refusal
    assert from_ is not None
    if call.firer in position.missions:
        return Refusal("The fire of {} goes on: check it first", "6.5.1.9", (from_.name,))
    target = position.units[call.target]
    return (
        no_such_rounds(position, from_, call.rounds, call.sheaf, call.toward)
        or too_rigid(observer, from_)
        or cannot_reach(position, observer, from_, target)
        or fires_elsewhere(position, observer, str(target.hex))
        or too_many_sources(position, observer, call.firer)
    )


def cannot_probe(position: Position, side: Side, call: ProbeFire) -> Refusal | None:
    """Reject reconnaissance by fire: an FO calls one battery onto a hex in its line of sight [7.37, 7.4.3]."""
    observer, from_ = at_arms(position, call.unit), source(position, call.firer)
    if PROBES not in position.setting.options or row_of(observer) != "FO":
        return Refusal("{} is no FO who probes by fire", "7.37", (observer.name,))
    able = cannot_observe(side, observer) or unready(position, observer) or radios.cannot_call(position, observer)
    if refusal := able or busy(position, observer) or not_free(position, side, call.firer):
        return refusal
    if from_ is None or from_.guns is None or any(each.observer == observer.id for each in position.calls):
        return Refusal("{} probes with a single battery", "7.37", (observer.name,))
    if call.firer in position.missions:
        return Refusal("The fire of {} goes on: check it first", "6.5.1.9", (from_.name,))
    return hex_out_of_sight(position, observer, call.to) or out_of_range(position, observer, from_, call.to)


def cannot_direct(position: Position, side: Side, observer: Unit, firer: str) -> Refusal | None:
    """Reject orders for fire that a unit does not observe, that is decided on, or that cannot go on [6.5.1.8]."""
    mission = position.missions.get(firer)
    if mission is None or mission.observer != observer.id:
        return Refusal("{} observes no such fire", "6.5.1.8", (observer.name,))
    return cannot_observe(side, observer) or not_free(position, side, firer)


def cannot_continue(position: Position, side: Side, call: ContinueFire) -> Refusal | None:
    """Reject fire that goes on without a spotted enemy in or next to the Target Point [6.5.1.8.1].

    A suppressed observer sees the point in front of it alone: RULINGS.md R104 [6.1.3.1].
    """
    observer = at_arms(position, call.unit)
    if refusal := cannot_direct(position, side, observer, call.firer) or has_checked(position, observer):
        return refusal
    from_, fall = source(position, call.firer), position.missions[call.firer].fall
    assert from_ is not None
    if (call.rounds == "illumination") != (fall.rounds == "illumination"):
        return Refusal("Illumination begins and ends with an adjustment", "6.5.1.8.1")
    if refusal := does_not_look_at(position, observer, fall.hex, fall.hex):
        return refusal
    if not any(_close(position, enemy, fall.hex) for enemy in position.enemies(side)):
        return Refusal("No spotted enemy is in or next to {}: adjust or check the fire", "6.5.1.8.1", (fall.hex,))
    return (
        no_such_rounds(position, from_, call.rounds, "closed", 0)
        or out_of_range(position, observer, from_, fall.hex)
        or fires_elsewhere(position, observer, fall.hex)
    )


def _close(position: Position, enemy: Unit, hex: Hex) -> bool:
    coords = position.map.coords
    return bool(position.spots.get(enemy.id)) and distance(coords[str(enemy.hex)], coords[hex]) <= 1


def cannot_adjust(position: Position, side: Side, call: AdjustFire) -> Refusal | None:
    """Reject fire adjusted by more than three hexes, or onto something that the observer does not spot [6.5.1.8.2]."""
    observer, target = at_arms(position, call.unit), position.units[call.target]
    if refusal := cannot_direct(position, side, observer, call.firer) or has_checked(position, observer):
        return refusal
    from_ = source(position, call.firer)
    assert from_ is not None
    if refusal := (
        no_such_rounds(position, from_, call.rounds, call.sheaf, call.toward)
        or cannot_reach(position, observer, from_, target)
    ):
        return refusal
    at, hex, coords = position.missions[call.firer].fall.hex, str(target.hex), position.map.coords
    if distance(coords[at], coords[hex]) > ADJUSTED_MOST:
        return Refusal("{} is more than {} hexes from {}", "6.5.1.8.2", (hex, ADJUSTED_MOST, at))
    return fires_elsewhere(position, observer, hex)


def cannot_check(position: Position, side: Side, call: CheckFire) -> Refusal | None:
    """Reject a check of fire that a unit does not observe, or that is decided on [6.5.1.9]."""
    return cannot_direct(position, side, at_arms(position, call.unit), call.firer)


# --- choices ---------------------------------------------------------------------------------------------------


def acts_of(position: Position, side: Side, observer: Unit) -> Iterator[Action]:
    """Everything that an observer may do with indirect fire now."""
    if cannot_observe(side, observer) is not None:
        return
    for mission in [*undecided(position, observer.id)]:
        yield from _decisions(position, side, observer, mission)
    if busy(position, observer) is None:
        if PROBES in position.setting.options and row_of(observer) == "FO":
            yield from _probes(position, side, observer)
        for from_ in sources(position, side):
            yield from _calls(position, side, observer, from_)


def _probes(position: Position, side: Side, observer: Unit) -> Iterator[Action]:
    """The hexes that an FO may probe with each battery [7.37]."""
    for from_ in sources(position, side):
        if from_.guns is not None and not_free(position, side, from_.id) is None:
            acts = (ProbeFire(observer.id, from_.id, hex) for hex in position.map.names)
            yield from (act for act in acts if cannot_probe(position, side, act) is None)


def _decisions(position: Position, side: Side, observer: Unit, mission: Mission) -> Iterator[Action]:
    """The ways to decide on fire that falls [6.5.1.8, 6.5.1.9]."""
    from_ = source(position, mission.firer)
    if from_ is None:
        return
    check = CheckFire(observer.id, from_.id)
    if cannot_check(position, side, check) is None:
        yield check
    for rounds in ("gp", *LETTERS):
        go_on = ContinueFire(observer.id, from_.id, rounds)
        if cannot_continue(position, side, go_on) is None:
            yield go_on
    for act in _aimed(position, observer, from_, AdjustFire):
        if cannot_adjust(position, side, act) is None:
            yield act


def _calls(position: Position, side: Side, observer: Unit, from_: Source) -> Iterator[Action]:
    if not_free(position, side, from_.id) is None:
        for act in _aimed(position, observer, from_, CallFire):
            if cannot_call(position, side, act) is None:
                yield act


Aimed = TypeVar("Aimed", CallFire, AdjustFire)


def _aimed(position: Position, observer: Unit, from_: Source, kind: type[Aimed]) -> Iterator[Aimed]:
    """The targets that an observer spots, with each type and pattern of a firing unit."""
    ways = [(rounds, sheaf, way) for rounds in ("gp", *LETTERS) for sheaf, way in _ways(from_)]
    for target in position.enemies(observer.side):
        if cannot_reach(position, observer, from_, target) is None:
            yield from (kind(observer.id, from_.id, target.id, rounds, sheaf, way) for rounds, sheaf, way in ways)


def _ways(from_: Source) -> Iterator[tuple[Called, int]]:
    yield "closed", 0
    if from_.guns is not None:
        yield "open", 0
        yield from (("linear", way) for way in range(6))
