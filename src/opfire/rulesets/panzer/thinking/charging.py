"""Close combat: squads attack what they are likely to beat."""

from __future__ import annotations

from msgspec.structs import replace

from opfire.core.actions import NOBODY, Choices
from opfire.core.ruleset import Suggestion
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.fire.close_combat import Assault, Assaulting, Close, bands, out_of_reach, reckoned
from opfire.rulesets.panzer.fire.overwatch import might_watch
from opfire.rulesets.panzer.fire.scuttling import Scuttle, burning
from opfire.rulesets.panzer.pieces import Unit, gunners
from opfire.rulesets.panzer.thinking.firing import TAKEN
from opfire.rulesets.panzer.thinking.mind import Mind

LIKELY = 0.3
"""The part of its target that an assault of a vehicle is expected to take at least."""

WINNING = 0.6
"""The chance of a first roll-off with which squads go hand to hand."""


def expected(mind: Mind, assault: Assault) -> float:
    """The part of its target that an attack is expected to take; 0 for one that is too bold."""
    target = mind.position.units[assault.target]
    (band,) = bands(mind.position, (assault,))
    chances = reckoned(mind.position, band, target).chances()
    if target.is_vehicle:
        part = sum(float(chance) * TAKEN.get(name, 0.0) for name, chance in chances.items())
        return part if part >= LIKELY else 0.0
    won = float(chances.get("the attacker wins", 0))
    return won if won >= WINNING else 0.0


def worth(mind: Mind, unit: Unit) -> float:
    """The points that the best attack on an enemy next to a squad is expected to bring."""
    foes = [foe for foe in mind.position.enemies(mind.side) if out_of_reach(mind.position, unit, foe) is None]
    return max((mind.value(foe) * expected(mind, Assault(unit.id, foe.id)) for foe in foes), default=0.0)


def flushed(mind: Mind, attack: Scuttle) -> float:
    """The worth of destroying an abandoned vehicle: it is lost already, but its fire may suppress enemies beside it."""
    units, hex = mind.position.units, mind.position.bailed[attack.target]
    beside = [foe for foe in mind.position.at(hex) if foe.side == units[attack.target].side != mind.side]
    return (
        burning(mind.position, units[attack.unit])
        * TAKEN["suppressed"]
        * sum(mind.value(foe) for foe in beside if not foe.suppression)
    )


def watched(mind: Mind, attack: Scuttle) -> bool:
    """Return whether an advance to an abandoned vehicle may draw overwatch fire, as far as everybody knows."""
    position = mind.position
    come = replace(position.units[attack.unit], hex=attack.via, moving=True, fresh="move")
    foes = gunners(position, position.setting.other[mind.side])
    return bool(attack.via) and any(might_watch(position, foe, come) for foe in foes)


def step(mind: Mind, choices: Choices) -> list[Suggestion]:
    """The attack that brings most, or the end of the step."""
    offers = [offer for name in choices.asked if name != NOBODY for offer in choices.of(name)]
    found = [
        Suggestion(offer, mind.value(mind.position.units[offer.target]) * part, "a likely attack")
        for offer in offers
        if isinstance(offer, Assault) and (part := expected(mind, offer))
    ]
    for offer in offers:
        if isinstance(offer, Scuttle) and (worth := flushed(mind, offer)) and not watched(mind, offer):
            found.append(Suggestion(offer, worth, "a fire beside enemies"))
    return [*sorted(found, key=lambda each: -each.worth), Suggestion(EndStep(), 0.0, "nobody to attack")]


def assaulting(mind: Mind, frame: Assaulting, choices: Choices) -> list[Suggestion]:
    """Everybody in the attackers' hex joins them; then they attack."""
    first = frame.assaults[0]
    hex = first.via or mind.position.units[first.unit].hex
    offers = [offer for name in choices.asked if name != NOBODY for offer in choices.of(name)]
    joining = [offer for offer in offers if isinstance(offer, Assault) and _from(mind, offer) == hex]
    return [*(Suggestion(offer, 0.0, "more attackers") for offer in joining), Suggestion(Close(), 0.0, "attack")]


def _from(mind: Mind, assault: Assault) -> str | None:
    return assault.via or mind.position.units[assault.unit].hex
