"""Ammo limits [5.16]: a roll before each shot with rounds that are scarce."""

from __future__ import annotations

from opfire.core.events import Event, Line
from opfire.core.game import Game
from opfire.rulesets.panzer.charts import Gun, Vehicle
from opfire.rulesets.panzer.fire.arms import TUNGSTEN, Arm, arms_of, wants_tungsten
from opfire.rulesets.panzer.pieces import Position, Unit, away, where_it_is

DIE = 10
LEAKING = 5
"""The Ammo Limit of a flamethrower whose fuel trailer is damaged [7.38.2.2]."""


def limit_of(position: Position, unit: Unit, arm: Arm) -> int | None:
    """The Ammo Limit in force for a shot: the greatest roll without a shortage; None without a limit [5.16.2].

    Plain rounds of leg and towed units do not run out at their depot or transport [5.16.2.4]. Special rounds always
    may, and so do hand-held rockets: RULINGS.md R69. Flames from a damaged trailer have another limit [7.38.2.2].
    """
    printed = _printed(arm, unit.kind.ammo_basic if isinstance(unit.kind, Gun) else "")
    if unit.trailer == "damaged" and arm.row.kind == "flame":
        printed = min(LEAKING, printed or LEAKING)
    special = plain(position, unit, arm) is not None or arm.row.ammo == "HEAT"
    return None if printed is None or (supplied(position, unit) and not special) else printed


def _printed(arm: Arm, basic: str = "") -> int | None:
    """The limit on the card: prefix A or H for AP rows, G for GP rows, A for flamethrowers [5.16.2].

    Machine guns have one only on the cards of towed units, as their `basic` limits [5.16.2.4].

    >>> from opfire.rulesets.panzer.charts import load_charts
    >>> _printed(Arm(load_charts().weapons["g75l24", "T", "GP-DF", "HE"], "front", "Q"))
    5
    """
    prefixes = "AH" if arm.is_ap or arm.row.kind == "flame" else "G"
    words = (*arm.row.ammo_limit.split(";"), *basic.split())
    return next((int(word[1:]) for word in words if word and word[0] in prefixes), None)


def scarcity(position: Position, unit: Unit, arm: Arm) -> int:
    """The modifier to the roll for German APCR where tungsten is scarce: 1 or 2 [5.16.2.7]."""
    if not wants_tungsten(position, unit, arm):
        return 0
    return int(position.setting.sections.conditions.tungsten)


def supplied(position: Position, unit: Unit) -> bool:
    """Return whether a leg or towed unit is at its depot, where it started, or next to its own transport [5.16.2.4].

    Its transport is the first vehicle that carried it: RULINGS.md R148.
    """
    if isinstance(unit.kind, Vehicle):
        return False
    own = where_it_is(position, unit.transport) if unit.transport in position.units else None  # hidden ones supply, too
    return unit.hex == unit.depot or (own is not None and own.hex is not None and away(position, unit, own) <= 1)


def plain(position: Position, unit: Unit, arm: Arm) -> Arm | None:
    """The plain AP rounds of the same weapon, if these are special ones [5.16.2.2]."""
    if not arm.is_ap or arm.row.ammo == "AP":
        return None
    same = (other for other in arms_of(position, unit) if other.row.weapon == arm.row.weapon and other.is_ap)
    return next((other for other in same if other.row.ammo == "AP"), None)


def note(position: Position, unit: Unit, arm: Arm) -> Line | None:
    """The line that tells of a limit before the roll [5.16]."""
    most = limit_of(position, unit, arm) if position.setting.advanced else None
    if most is None:
        return None
    scarce = scarcity(position, unit, arm)
    return Line("note", "Ammo limit: short above", str(most - scarce), TUNGSTEN if scarce else "5.16.2")


def loaded(game: Game[Position], unit: Unit, arm: Arm) -> tuple[Arm, int]:
    """The rounds that are fired, and the shortages that weigh on them: none, one or two [5.16.2.1, 5.16.2.2].

    A shortage takes the Rate-of-Fire down to N; special rounds that are short are replaced by plain ones.
    """
    if not _short(game, unit, arm):
        return arm, 0
    other = plain(game.state, unit, arm)
    if other is None:
        return arm._replace(rate="N"), 1
    return other._replace(rate="N"), 2 if _short(game, unit, other) else 1


def _short(game: Game[Position], unit: Unit, arm: Arm) -> bool:
    most = limit_of(game.state, unit, arm)
    if most is None:
        return False
    (rolled,) = game.roll(1, DIE)
    scarce = scarcity(game.state, unit, arm)
    short = rolled + scarce > most
    text = "{} is short of {} rounds" if short else "{} has {} rounds"
    rule = TUNGSTEN if scarce else "5.16.2"
    game.tell(Event("ammo limit", text, (unit.name, arm.row.ammo), rule, (unit.id,), dice=(rolled,)))
    return short
