"""The Close Assault and Hand-to-Hand Combat Step [6.6.1]: who attacks, advances, combat, the hex that is won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeAlias

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import say
from opfire.rulesets.panzer import conditions, control
from opfire.rulesets.panzer.actions import EndStep
from opfire.rulesets.panzer.commands import reveal
from opfire.rulesets.panzer.fire import close_assault, hand_to_hand, scuttling
from opfire.rulesets.panzer.fire.close_assault import FAR_BELOW, Band
from opfire.rulesets.panzer.fire.demolishing import Demolish, cannot_demolish, demolish, demolitions, may_demolish
from opfire.rulesets.panzer.fire.direct_fire import Asked
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.scuttling import NEAR, Scuttle
from opfire.rulesets.panzer.indirect import barrages
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import costs, legs, searching
from opfire.rulesets.panzer.moving.costs import Step
from opfire.rulesets.panzer.pieces import Hex, Position, Side, Unit, UnitId, away, level, not_yours, off_the_map
from opfire.rulesets.panzer.sighting.chances import cannot_make_out
from opfire.rulesets.panzer.works import fires, mines, obstacles
from opfire.rulesets.panzer.works.entrenching import occupy

Met: TypeAlias = tuple[tuple[UnitId, str], ...]
"""Attackers, each with the firer of a barrage that has attacked it in its advance [6.6.6-attack]."""

ADVANCE = 1
"""The movement that an Advancing Attack may cost [6.6.1.1-adv]."""


class Assault(Action, frozen=True):
    """Attack a unit next to the attacker in close combat; more attackers may join.

    `via` is the hex into which the attacker advances before it, if it does.
    """

    says = "{unit} attacks {target} in close combat"
    kind = "assault"
    unit: UnitId
    target: UnitId
    via: Hex = ""


class Close(Action, frozen=True):
    """Carry out the announced attacks: advances, then close combat."""

    says = "Attack"
    kind = "confirm"
    final = True


class Occupy(Action, frozen=True):
    """Enter the hex of a target that is gone."""

    says = "{unit} enters the hex of its target"
    kind = "move"
    unit: UnitId


# --- checks [6.6.1.1, 6.6.1.2] ----------------------------------------------------------------------------------


def cannot_attack(side: Side, unit: Unit) -> Refusal | None:
    """Reject a unit that does not start close combat: only sound leg units with Move commands do.

    Rules: [6.6.1.1-who, 6.6.1.1-cmd, 6.6.1.2-who, 6.6.2-or].
    """
    if refusal := not_yours(side, unit) or off_the_map(unit):
        return refusal
    if not unit.is_leg:
        return Refusal("{} is no squad: it starts no close combat", "6.6.1.1-who", (unit.name,))
    if unit.suppression or unit.morale:
        return Refusal("{} is {}", "6.6.1.1-who", (unit.name, unit.morale or "suppressed"))
    if unit.command != "move":
        return Refusal("{} has no Move command", "6.6.1.1-cmd", (unit.name,))
    if unit.moved:
        return Refusal("{} has moved", "6.6.1.1-cmd", (unit.name,))
    return Refusal("{} has announced an attack", "6.6.1.1-announce", (unit.name,)) if unit.pledged else None


def cannot_assault(position: Position, side: Side, unit: Unit, target: Unit, via: Hex = "") -> Refusal | None:
    """Reject close combat of a unit against a target, at once or after an advance [6.6.1.1, 6.6.1.2]."""
    return (
        _of_combat(target, cannot_attack(side, unit))
        or _no_enemy(unit, target)
        or (cannot_advance(position, unit, via) if via else None)
        or out_of_reach(position, replace(unit, hex=via or unit.hex), target)
        or unseen(position, unit, target)
        or other_target(position, unit, target)
    )


def _of_combat(target: Unit, refusal: Refusal | None) -> Refusal | None:
    """A refusal by the paragraph of Hand-to-Hand Combat where no vehicle is attacked [6.6.1.2-who]."""
    if refusal is None or target.is_vehicle or refusal.rule not in ("6.6.1.1-who", "6.6.1.1-cmd"):
        return refusal
    return Refusal(refusal.text, "6.6.1.2-who", refusal.facts)


def _no_enemy(unit: Unit, target: Unit) -> Refusal | None:
    if target.side == unit.side:
        return Refusal("{} is on your side", PROCEDURE, (target.name,))
    return off_the_map(target)


def cannot_advance(position: Position, unit: Unit, via: Hex) -> Refusal | None:
    """Reject an Advancing Attack of a section with weapons, or by a hex that it cannot enter for 1 [6.6.1.1-adv].

    Motorcycles, bicycles and cavalry have half of their allowance for it.
    """
    if (legs.laden(unit) and not legs.on_horseback(unit)) or unit.full_cover or unit.upper:
        return Refusal("{} is laden, upstairs or in Full Cover: it cannot advance", "6.6.1.1-adv", (unit.name,))
    if via not in position.map.cells or position.map.direction(str(unit.hex), via) is None:
        return Refusal("{} is not next to {}", "6.6.1.1-adv", (via, unit.hex))
    if any(other.side != unit.side for other in position.at(via)):
        return Refusal("The enemy is in {}", "6.6.1.1-adv", (via,))
    price, most = approach(position, unit, via), farthest(unit)
    if isinstance(price, Refusal):
        return price
    return Refusal("{} costs more than {}", "6.6.1.1-adv", (via, most)) if price.cost > most else None


def farthest(unit: Unit) -> int:
    """The movement that an Advancing Attack may cost: 1, on wheels and on horseback half of the allowance.

    Rules: [6.6.1.1-adv, 6.6.4.4-ca, 6.6.4.5-ca]. The advance leads into one hex: RULINGS.md R141.
    """
    mounted = legs.on_horseback(unit) or not legs.on_foot(unit)
    return max(ADVANCE, unit.ground.m_cc // 2) if mounted else ADVANCE


def approach(position: Position, unit: Unit, via: Hex) -> Step | Refusal:
    """The price of the hex of an Advancing Attack: wheels pay their own [6.6.4.4-ca]; nobody enters a fire."""
    if refusal := obstacles.bars(position, unit, via):
        return refusal
    ground = conditions.surface(position, unit)
    if legs.on_foot(unit):
        price = legs.step(position, unit, via)
    else:
        price = costs.step(ground, str(unit.hex), via, unit.ground.traction)
    if isinstance(price, Refusal):
        return price
    return price._replace(cost=price.cost + conditions.surcharge(position, via))  # 7.36.3-snow


def out_of_reach(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """Reject a target that is not adjacent, or two levels above or below [6.6.1.1-target, 6.6.1.2-target]."""
    rule = "6.6.1.1-target" if target.is_vehicle else "6.6.1.2-target"
    if away(position, unit, target) != 1:
        return Refusal("{} is not next to {}", rule, (target.name, unit.name))
    levels = abs(level(position, target) - level(position, unit))
    if levels >= FAR_BELOW:
        return Refusal("{} is {} levels above or below {}", rule, (target.name, levels, unit.name))
    return None


def unseen(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """Reject a target that nobody of the side has spotted: RULINGS.md R74 [6.6.1.1-target]."""
    if any(spotter in position.setting.ids[unit.side] for spotter in position.spots.get(target.id, ())):
        return None
    return cannot_make_out(position, unit, target)


def other_target(position: Position, unit: Unit, target: Unit) -> Refusal | None:
    """Reject another target than that of the units with the same command, Overruns too [6.6.11]."""
    for other in control.sharers(position, unit):
        if (other.aimed or other.pledged or target.id) != target.id:
            text = "{} shares its command with {}, which attacks another unit"
            return Refusal(text, "6.6.11", (unit.name, other.name))
    return None


def attacks(position: Position, unit: Unit, target: Unit) -> Iterator[Assault]:
    """The ways in which a unit may attack a target: at once, or after each advance."""
    if away(position, unit, target) > NEAR:
        return
    for via in ("", *filter(None, position.map.neighbours[str(unit.hex)])):
        if cannot_assault(position, unit.side, unit, target, via) is None:
            yield Assault(unit.id, target.id, via)


def cannot_destroy(position: Position, side: Side, unit: Unit, target: Unit, via: Hex = "") -> Refusal | None:
    """Reject an attack on an abandoned vehicle, at once or after an advance [6.6.1.1.3-bail]."""
    return (
        cannot_attack(side, unit)
        or other_target(position, unit, target)
        or (cannot_advance(position, unit, via) if via else None)
        or scuttling.cannot_scuttle(position, replace(unit, hex=via or unit.hex), target.id)
    )


def scuttles(position: Position, unit: Unit) -> Iterator[Scuttle]:
    """The ways in which a unit may attack abandoned vehicles: at once, or after each advance."""
    for name in scuttling.nearby(position, unit):
        for via in ("", *filter(None, position.map.neighbours[str(unit.hex)])):
            if cannot_destroy(position, unit.side, unit, position.units[name], via) is None:
                yield Scuttle(unit.id, name, via)


def bands(position: Position, assaults: Iterable[Assault]) -> list[Band]:
    """The attackers by the hex that they attack from; the first one announced is primary [6.6.1.1-one]."""
    found: dict[Hex, list[Assault]] = {}
    for each in assaults:
        found.setdefault(each.via or str(position.units[each.unit].hex), []).append(each)
    return [
        Band(
            tuple(replace(position.units[each.unit], hex=hex) for each in group),
            advanced=any(each.via for each in group),
            comers=tuple(each.unit for each in group if each.via),
        )
        for hex, group in found.items()
    ]


def reckoned(position: Position, band: Band, target: Unit) -> Calculation:
    """The roll of a Close Assault, or the first roll-off of Hand-to-Hand Combat."""
    return (close_assault.assault if target.is_vehicle else hand_to_hand.roll_off)(position, band, target)


# --- the step [6.6.1] -------------------------------------------------------------------------------------------


class CloseCombatStep(Frame, frozen=True):
    """A side attacks with its squads, before anybody moves away [6.6.1]."""

    takes = (Assault, Demolish, Scuttle, EndStep)
    step = "close combat"
    rule = "6.6.1"
    question = "Attack a unit in close combat, or end the step"
    done: tuple[UnitId, ...] = ()

    def begin(self, game: Game[Position]) -> None:
        """Ask only a side that has squads near enemies, whatever their commands [6.6.1]."""
        position = game.state
        asked = any(_near(position, unit) or may_demolish(position, unit) for unit in position.of(self.side))
        if not asked and not scuttling.might_scuttle(position, self.side):
            game.pop()

    def resume(self, game: Game[Position], result: object) -> None:
        """Stay for the next target."""

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from (unit.id for unit in sight.of(side) if cannot_attack(side, unit) is None)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (EndStep(),)
        unit = sight.units[actor]
        enemies = (enemy for enemy in sight.enemies(side) if enemy.id not in self.done)
        found = (way for enemy in enemies for way in attacks(sight, unit, enemy))
        return chain(found, demolitions(sight, unit), scuttles(sight, unit))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Assault(unit, target, via):
                if target in self.done:
                    name = sight.units[target].name
                    return Refusal("All attacks on {} are announced together", "6.6.1.1-announce", (name,))
                return cannot_assault(sight, side, sight.units[unit], sight.units[target], via)
            case Scuttle(unit, target, via):
                return cannot_destroy(sight, side, sight.units[unit], sight.units[target], via)
            case Demolish(unit, hex, terrain):
                return cannot_attack(side, sight.units[unit]) or cannot_demolish(sight, sight.units[unit], hex, terrain)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Demolish():
                demolish(game, action)
            case Scuttle(unit, target, via):
                game.push(Scuttling(self.side, unit, target, via))
            case Assault(_, target):
                game.swap(replace(self, done=(*self.done, target)))
                game.push(Assaulting(self.side, target, (action,)))
            case EndStep():
                game.pop()


def _near(position: Position, unit: Unit) -> bool:
    """Return whether a unit might attack, as far as everybody knows."""
    if not unit.is_leg or unit.suppression or (unit.revealed and unit.command != "move"):
        return False
    return any(away(position, unit, enemy) <= NEAR for enemy in position.enemies(unit.side))


class Assaulting(Frame, frozen=True):
    """All attacks on a target are announced, then carried out: advances first, under overwatch.

    Rules: [6.6.1.1-announce, 6.6.1.1-ow, 6.6.1.1-adv]. `advanced` attackers have gone, and have `met` barrages on
    their way; the owner of a vehicle has been `asked` whether it moves.
    """

    takes = (Assault, Close)
    step = "close combat"
    rule = "6.6.1.1-announce"
    question = "Announce more attacks on {target}, or carry them out"
    target: UnitId
    assaults: tuple[Assault, ...]
    advanced: int = 0
    asked: bool = False
    met: Met = ()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        announced = {each.unit for each in self.assaults}
        yield from (unit.id for unit in sight.of(side) if unit.id not in announced and unit.is_leg)

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (Close(),)
        unit = sight.units[actor]
        return attacks(sight, unit, sight.units[self.target]) if cannot_attack(side, unit) is None else ()

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Assault(unit, target, via):
                if target != self.target or unit in {each.unit for each in self.assaults}:
                    name = sight.units[self.target].name
                    return Refusal("Attacks on {} are being announced", "6.6.1.1-announce", (name,))
                return cannot_assault(sight, side, sight.units[unit], sight.units[target], via)
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Assault():
                game.swap(replace(self, assaults=(*self.assaults, action)))
            case Close():
                for each in self.assaults:
                    game.state.change(each.unit, pledged=self.target)
                braced = replace(self, assaults=self._brave(game))
                game.swap(braced)
                braced._go_on(game)

    def resume(self, game: Game[Position], result: object) -> None:
        """After overwatch, after the question, after the hex is occupied: go on."""
        if game.state.units[self.target].hex is None:
            game.pop()
        else:
            self._go_on(game)

    def _brave(self, game: Game[Position]) -> tuple[Assault, ...]:
        """The attacks of units that dare them: a vehicle frightens, before any advance [7.6]."""
        if not game.state.units[self.target].is_vehicle:
            return self.assaults
        return tuple(each for each in self.assaults if checks.dares(game, each.unit))

    def _go_on(self, game: Game[Position]) -> None:
        """The next advance; then the question to the target's owner; then the combats."""
        coming = [each for each in self.assaults if each.via]
        if self.advanced < len(coming):
            each = coming[self.advanced]
            if not _fit(game.state.units[each.unit]):  # 6.6.1.1-who: suppressed before its own advance
                skipped = replace(self, advanced=self.advanced + 1)
                game.swap(skipped)
                return skipped._go_on(game)
            met = tuple((each.unit, firer) for firer in advance(game, each))
            game.swap(replace(self, advanced=self.advanced + 1, met=(*self.met, *met)))
            other = game.state.setting.other[self.side]
            return game.push(Overwatch(other, (other, self.side), (each.unit,), each.via))
        if not self.asked:
            game.swap(replace(self, asked=True))
            return game.push(Asked(game.state.setting.other[self.side], self.target))
        self._fight(game)

    def _fight(self, game: Game[Position]) -> None:
        """Resolve the attacks hex by hex; those that are left after the target is gone are not carried out.

        Rules: [6.6.1.1-one, 6.6.1.1-announce].
        """
        hex = str(game.state.units[self.target].hex)
        fought: tuple[UnitId, ...] = ()
        for band in bands(game.state, able(game.state, self.assaults)):
            if game.state.units[self.target].hex is not None:
                fought += struggle(game, band, self.target)
        for each in self.assaults:
            if each.via and game.state.units[each.unit].hex == each.via:
                checks.check(game, each.unit, "moved")  # 7.1.2: an advance leaves the hex
        left = tuple(name for name in fought if game.state.units[name].hex is not None)
        if game.state.units[self.target].hex is None and left and not held(game.state, self.side, hex):
            return game.swap(Occupying(self.side, hex, left, self.met))
        game.pop()

    def prompt(self, sight: Position, side: str) -> str:
        return say(self.question, target=sight.units[self.target].name)


class Scuttling(Frame, frozen=True):
    """A unit attacks an abandoned vehicle: first its advance, under overwatch; the hex is its own then.

    Rules: [6.6.1.1.3-bail, 6.6.1.1-ow, 6.6.1.1.3-occupy]. It has `met` barrages on its way. One attack is enough:
    RULINGS.md R217.
    """

    step = "close combat"
    rule = "6.6.1.1.3-bail"
    unit: UnitId
    target: UnitId
    via: Hex = ""
    met: Met = ()

    def begin(self, game: Game[Position]) -> None:
        """Attack, or advance before it."""
        if not self.via:
            return self._attack(game)
        met = tuple((self.unit, firer) for firer in advance(game, Assault(self.unit, self.target, self.via)))
        game.swap(replace(self, met=met))
        other = game.state.setting.other[self.side]
        game.push(Overwatch(other, (other, self.side), (self.unit,), self.via))

    def resume(self, game: Game[Position], result: object) -> None:
        """After overwatch: attack."""
        self._attack(game)

    def _attack(self, game: Game[Position]) -> None:
        """Destroy the vehicle if it is still there and the unit fit [6.6.1.1-who]; then the unit may enter its hex."""
        hex, fit = game.state.bailed.get(self.target), _fit(game.state.units[self.unit])
        if fit and hex is not None:
            scuttling.scuttle(game, self.unit, self.target)
        if self.via and game.state.units[self.unit].hex == self.via:
            checks.check(game, self.unit, "moved")  # 7.1.2: an advance leaves the hex
        if fit and hex is not None and game.state.units[self.unit].hex and not held(game.state, self.side, hex):
            return game.swap(Occupying(self.side, hex, (self.unit,), self.met))
        game.pop()


def advance(game: Game[Position], assault: Assault) -> tuple[str, ...]:
    """An attacker moves next to its target, through mines and barrages; the firers of these [6.6.1.1-ow, 6.6.6-attack].

    Overwatch fire comes before the combat.
    """
    reveal(game, assault.unit)
    unit = game.state.put(assault.unit, assault.via, **_attacking(assault.target))
    game.tell(Event("moved", "{} advances to {}", (unit.name, assault.via), "6.6.1.1-adv", (unit.id,), (assault.via,)))
    mines.strike(game, unit.id)
    return barrages.meet(game, unit.id, ())


def able(position: Position, assaults: Iterable[Assault]) -> list[Assault]:
    """The attacks of units that are still there and fit to attack [6.6.1.1-who]."""
    return [each for each in assaults if _fit(position.units[each.unit])]


def _fit(unit: Unit) -> bool:
    return unit.hex is not None and not unit.suppression and not unit.morale


def struggle(game: Game[Position], band: Band, target: UnitId) -> tuple[UnitId, ...]:
    """Close combat of the attackers from one hex; they are marked as moving [6.6.1.1-announce].

    Then the target's morale is checked [7.1.2, 7.1.3].
    """
    hex = game.state.units[target].hex
    searching.hear(game.state, band.primary.side, str(band.primary.hex), searching.SMALL_ARMS)
    for unit in band.units:
        if unit.command == "move":
            reveal(game, unit.id)
        game.state.change(unit.id, **_attacking(target))
    if game.state.units[target].is_vehicle:
        close_assault.resolve(game, band, target)
    else:
        hand_to_hand.resolve(game, band, target)
    if band.flames and hex is not None:
        fires.note(game.state, hex, fires.FLAMES)  # 7.35.1-flame
    checks.check(game, target, "flamed" if band.flames else "assaulted")
    return tuple(unit.id for unit in band.units)


def _attacking(target: UnitId) -> dict[str, object]:
    """The state of a unit that attacks in close combat: it moves, without camouflage [6.6.1.1-cmd, 7.24]."""
    return {"moving": True, "moved": True, "fresh": "move", "aimed": target, "camouflaged": False}


def _upright(unit: Unit) -> Unit:
    """A unit as it enters the hex that it has won: on the ground, and out of its Full Cover [6.6.1.1.3-occupy]."""
    return replace(unit, full_cover=False, upper=False)


def held(position: Position, side: Side, hex: Hex) -> bool:
    """Return whether enemies of a side are in a hex."""
    return any(unit.side != side for unit in position.at(hex))


class Occupying(Frame, frozen=True):
    """The attackers may enter the hex of a target that is gone, without overwatch, but not without mines and barrages.

    Those that they have `met` in their advance do not attack them again [6.6.6-attack].
    Rules: [6.6.1.1.3-occupy, 6.6.1.2.3-end].
    """

    takes = (Occupy, EndStep)
    step = "close combat"
    rule = "6.6.1.1.3-occupy"
    question = "Enter the hex of the target, or stay"
    hex: Hex
    units: tuple[UnitId, ...]
    met: Met = ()

    def actors(self, sight: Position, side: str) -> Iterator[str]:
        yield NOBODY
        yield from self.units

    def acts(self, sight: Position, side: str, actor: str) -> Iterable[Action]:
        if actor == NOBODY:
            return (EndStep(),)
        return (Occupy(actor),) if self.refusal(sight, side, Occupy(actor)) is None else ()

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Occupy(unit) if unit not in self.units or sight.units[unit].hex == self.hex:
                return Refusal("{} did not attack, or is there already", "6.6.1.1.3-occupy", (sight.units[unit].name,))
            case Occupy(unit):
                found = approach(sight, _upright(sight.units[unit]), self.hex)
                return found if isinstance(found, Refusal) else None
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Occupy(name):
                unit = game.state.put(name, self.hex, full_cover=False, upper=False)
                text, places = "{} enters {}", (self.hex,)
                game.tell(Event("moved", text, (unit.name, self.hex), "6.6.1.1.3-occupy", (name,), places))
                mines.strike(game, name)
                barrages.meet(game, name, tuple(firer for one, firer in self.met if one == name))
                occupy(game.state, game.state.units[name])
                checks.check(game, name, "moved")
            case EndStep():
                game.pop()
