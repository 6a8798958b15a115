"""Cavalry on foot [10.10.3 to 10.10.6]: it dismounts beside its horses, and mounts again where they stand."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import Action, Refusal
from opfire.core.events import Event
from opfire.core.game import Game
from opfire.core.places import Point, tenths
from opfire.rulesets.micro_armour import hiding
from opfire.rulesets.micro_armour.charts import Charts, Weapon
from opfire.rulesets.micro_armour.moving.marching import cannot_stand, left, under_way, whole_allowance
from opfire.rulesets.micro_armour.moving.points import half
from opfire.rulesets.micro_armour.pieces import Position, Stand, UnitId, adjacent
from opfire.rulesets.micro_armour.works.beneath import set_down
from opfire.space.squares import around

HOLDERS = 1
"""The high explosive firepower that horse holders take from dismounted cavalry [10.10.3]."""


class Dismount(Action, frozen=True):
    """Dismount: the horses are led to a place beside the stand (1/1000 inch)."""

    says = "{unit} dismounts, its horses at {to}"
    kind = "load"
    unit: UnitId
    to: Point


class Mount(Action, frozen=True):
    """Mount the horses beside the stand."""

    says = "{unit} mounts {horses}"
    kind = "load"
    final = True
    unit: UnitId
    horses: UnitId


# --- on foot and on horseback -----------------------------------------------------------------------------------------


def is_mounted(unit: Stand) -> bool:
    """Whether a stand is mounted cavalry that fights on foot too; its guns and mortars stay with their horses."""
    return unit.kind.has("cavalry") and unit.kind.kind == "personnel"


def on_foot(charts: Charts, kind: Weapon) -> Weapon:
    """A row of cavalry as infantry: its own firepower, high explosive less 1 [10.10.3]: RULINGS.md R58."""
    foot = charts.staffs[kind.nation]
    traits = ";".join(each for each in kind.traits.split(";") if each != "cavalry")
    return replace(
        kind,
        he=max((kind.he or 0) - HOLDERS, 0),
        defence=foot.defence,
        mov_points=foot.mov_points,
        tran_req=foot.tran_req,
        traits=f"{traits};dismounted",
    )


def horses_of(position: Position, unit: Stand) -> Stand | None:
    """The horses that a mounted stand leads with it."""
    found = _horses(position, unit)
    return found if found is not None and found.status == "led" else None


def _horses(position: Position, unit: Stand) -> Stand | None:
    return position.units.get(f"{unit.id} horses")


def let_go(position: Position, stands: tuple[UnitId, ...]) -> Iterator[UnitId]:
    """The horses of those that have dismounted in their move: they may move after it, too [10.10.4]."""
    for unit in position.pick(stands):
        horses = _horses(position, unit)
        if horses is not None and horses.at is not None and horses.group == unit.group and horses.id not in stands:
            yield horses.id


# --- dismounting ------------------------------------------------------------------------------------------------------


def cannot_dismount(position: Position, unit: Stand, action: Dismount) -> Refusal | None:
    """Reject a stand that is not mounted cavalry in the movement posture with half of its points left [10.10.4]."""
    if not is_mounted(unit) or horses_of(position, unit) is None:
        return Refusal("{} is no mounted cavalry.", "10.10.4", (unit.name,))
    if unit.posture != "movement":
        return Refusal("{} is not in the movement posture.", "10.10.4", (unit.name,))
    if left(position, unit) < half(whole_allowance(position, unit)):
        return Refusal("{} has too few movement points left.", "10.10.4", (unit.name,))
    if not position.table.holds(action.to) or not adjacent(replace(unit, at=action.to, id=""), unit):
        return Refusal("{} is not beside {}.", "10.10.4", (tenths(action.to), unit.name))
    return cannot_stand(position, unit, action.to, unit.facing)


def dismount(game: Game[Position], action: Dismount) -> None:
    """The stand becomes infantry, with its horses beside it, in its group; each has half of its points left [10.10.4].

    If the horses would come down on a hidden enemy, that one is placed on the table first [SC.stark.hidden].
    """
    position = game.state
    unit = position.units[action.unit]
    if hiding.in_the_place(game, unit, action.to, unit.facing):
        return
    horses = horses_of(position, unit)
    assert horses is not None
    unit = position.change(unit.id, kind=on_foot(position.charts, unit.kind))
    position.change(unit.id, spent=half(whole_allowance(position, unit)))
    values = {"facing": unit.facing, "posture": "movement", "group": unit.group, "moved": False}
    horses = position.put(horses.id, action.to, **values)
    position.change(horses.id, spent=half(whole_allowance(position, horses)))
    _tell(game, "{} dismounts", "10.10.4", unit)
    set_down(game, horses.id)


# --- mounting ---------------------------------------------------------------------------------------------------------


def cannot_mount(position: Position, unit: Stand, action: Mount) -> Refusal | None:
    """Reject a stand and horses that do not begin the phase side by side in the movement posture [10.10.6]."""
    horses = position.units.get(action.horses)
    if not unit.kind.has("dismounted") or horses is None or not horses.kind.has("horses"):
        return Refusal("Only dismounted cavalry mounts horses.", "10.10.6")
    if horses.side != unit.side or horses.at is None or not adjacent(unit, horses):
        return Refusal("{} is not beside {}.", "10.10.6", (horses.name, unit.name))
    for each in (unit, horses):
        if each.posture != "movement":
            return Refusal("{} is not in the movement posture.", "10.10.6", (each.name,))
        if each.gone or each.spent or each.moved:
            return Refusal("{} has used movement points in this phase.", "10.10.6", (each.name,))
    return None


def mount(game: Game[Position], action: Mount) -> None:
    """The stand rides on with half of its points; the horses are with it [10.10.6]."""
    position = game.state
    unit = position.units[action.unit]
    position.lift(action.horses, "led")
    unit = position.change(unit.id, kind=position.charts.weapons[unit.kind.id])
    position.change(unit.id, spent=half(whole_allowance(position, unit)))
    _tell(game, "{} mounts", "10.10.6", unit)


def _tell(game: Game[Position], words: str, rule: str, unit: Stand) -> None:
    places = (unit.at,) if unit.at is not None else ()
    game.tell(Event("transport", words, (unit.name,), rule, (unit.id,), places))


# --- the chapter of a moving stand ------------------------------------------------------------------------------------


def offers(position: Position, unit: Stand) -> Iterator[Dismount | Mount]:
    """The places for the horses, and the horses that a stand can mount."""
    if unit.at is None:
        return
    if is_mounted(unit):
        acts = (Dismount(unit.id, to) for to in around(unit.at, unit.facing))
        yield from (act for act in acts if cannot_dismount(position, unit, act) is None)
    elif unit.kind.has("dismounted"):
        rides = (Mount(unit.id, each.id) for each in position.of(unit.side) if each.kind.has("horses"))
        yield from (ride for ride in rides if cannot_mount(position, unit, ride) is None)


def judge(position: Position, unit: Stand, action: Dismount | Mount) -> Refusal | None:
    """The reason against dismounting or mounting."""
    if isinstance(action, Dismount):
        return cannot_dismount(position, unit, action)
    return cannot_mount(position, unit, action)


def play(game: Game[Position], action: Dismount | Mount) -> None:
    """Dismount or mount."""
    assert under_way(game.state).unit == action.unit
    if isinstance(action, Dismount):
        dismount(game, action)
    else:
        mount(game, action)
