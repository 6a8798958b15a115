"""Counter battery fire [7.28]: batteries that look for batteries which have fired, and fire at them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opfire.core.actions import NOBODY, PROCEDURE, Action, Refusal
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game
from opfire.core.texts import Text
from opfire.kit.orders import Pass
from opfire.rulesets.panzer.indirect.kinds import Call, Guns
from opfire.rulesets.panzer.pieces import Position, Side

OPTION, DIE = "7.28", 100
FOUND, LONG, MOBILE = 20, -10, 10
"""The greatest net roll that locates a battery, and the modifiers of long fire and of self-propelled guns [7.28.2]."""

EARLY = (
    *(("Soviet Union", "1941-12", 10), ("Soviet Union", "1942-12", 5)),
    *(("Italy", "1940-12", 10), ("Italy", "1941-06", 5)),
)
"""The modifiers of armies up to the months in which they still learn it; early 1941 ends in June [7.28.2-find]."""

LEARNING = {"Soviet Union": "1941-01", "Italy": "1940-01"}
"""The months from which on these modifiers count."""

SUPPRESSED, DAMAGED, RECOVERS = 50, 80, 50
"""The greatest rolls that suppress and damage a battery, and with which it recovers [7.28.2-sup, 7.28.2-dmg]."""


class Counter(Action, frozen=True):
    """Look for the battery that has fired, and fire at it."""

    says = "{firer} looks for the enemy battery"
    kind = "fire"
    final = True
    firer: str


def batteries_against(position: Position, firer: str) -> list[Guns]:
    """The batteries that may answer the fire of a battery: each tries once in a turn [7.28.1]."""
    target = position.batteries.get(firer)
    if OPTION not in position.setting.options or target is None:
        return []
    used = {call.firer for call in position.calls if call.deed == "countered"}
    every = position.batteries.values()
    return [
        guns for guns in every if guns.side != target.side and guns.counters and not guns.out and guns.id not in used
    ]


class Countering(Frame, frozen=True):
    """After the fire of a battery the other side may answer it, battery by battery [7.28.1].

    Counter battery fire is answered in the same way [7.28.3].
    """

    takes = (Counter, Pass)
    step = "counter battery"
    rule = "7.28.1"
    question = "Answer the enemy battery with counter battery fire, or let it pass"
    firer: str

    def begin(self, game: Game[Position]) -> None:
        """Close when no battery is left to answer, or the enemy battery is knocked out."""
        if not batteries_against(game.state, self.firer) or game.state.batteries[self.firer].out:
            game.pop()

    def resume(self, game: Game[Position], result: object) -> None:
        """The fire has fallen, or an answer was answered."""
        self.begin(game)

    def acts(self, sight: Position, side: str, actor: str) -> Iterator[Action]:
        if actor == NOBODY:
            yield Pass()
            yield from (Counter(guns.id) for guns in batteries_against(sight, self.firer))

    def refusal(self, sight: Position, side: str, action: Action) -> Refusal | None:
        match action:
            case Counter(firer) if firer not in {guns.id for guns in batteries_against(sight, self.firer)}:
                return Refusal("{} cannot answer now", "7.28.1" if firer in sight.batteries else PROCEDURE, (firer,))
        return None

    def play(self, game: Game[Position], action: Action) -> None:
        match action:
            case Counter(firer):
                answer(game, self.side, firer, self.firer)
                if batteries_against(game.state, firer):
                    game.push(Countering(game.state.setting.other[self.side], firer))
                else:
                    self.begin(game)
            case _:
                game.pop()


# --- finding and hitting [7.28.2] ------------------------------------------------------------------------------


def search(position: Position, firer: Guns, target: Guns) -> Calculation:
    """The roll that locates a battery: 20 or less with its modifiers [7.28.1, 7.28.2-find]."""
    lines = [*_modifiers(position, firer, target)]
    net = sum(line.amount for line in lines)
    lines.append(Line("odds", "Located", f"01-{FOUND}", "7.28.2-find", FOUND))
    outcomes = tuple("located" if roll + net <= FOUND else "not located" for roll in range(1, DIE + 1))
    return Calculation(
        Text("{} looks for {}", (firer.name, target.name)), "7.28.2-find", tuple(lines), 1, DIE, outcomes, "", net
    )


def _modifiers(position: Position, firer: Guns, target: Guns) -> Iterator[Line]:
    mission = position.missions.get(target.id)
    if mission is not None and position.turn - mission.since + 1 >= firer.card.cb_turns:
        yield Line("modifier", Text("{} turns of fire", (firer.card.cb_turns,)), f"{LONG:+d}", "7.28.2-find", LONG)
    if target.card.self_propelled:
        yield Line("modifier", "Self-propelled", f"{MOBILE:+d}", "7.28.2-find", MOBILE)
    if amount := learning(firer.card.nation, position.setting.sections.date):
        yield Line(
            "modifier",
            Text("{}, {}", (firer.card.nation, position.setting.sections.date)),
            f"{amount:+d}",
            "7.28.2-find",
            amount,
        )


def learning(nation: str, date: str) -> int:
    """The modifier of an army at a date, such as 1941-03, that still learns counter battery fire [7.28.2-find].

    >>> learning("Italy", "1941-06"), learning("Italy", "1941-07"), learning("Soviet Union", "1942-01")
    (5, 0, 5)
    """
    if date < LEARNING.get(nation, "9999"):
        return 0
    return next((amount for name, last, amount in EARLY if name == nation and date <= last), 0)


def answer(game: Game[Position], side: Side, firer: str, target: str) -> None:
    """A battery looks for another one, and fires at it once it is located [7.28.1, 7.28.3]."""
    position = game.state
    position.calls = (*position.calls, Call(side, "", firer, "countered"))
    guns, other = position.batteries[firer], position.batteries[target]
    made = search(position, guns, other)
    rolled = game.roll(1, DIE)
    found = made.result(rolled)
    facts = (guns.name, other.name, found)
    game.tell(Event("counter battery", "{} looks for {}: {}", facts, "7.28.2-find", (), (), rolled, made))
    if found == "located":
        hit(game, other)


def hit(game: Game[Position], guns: Guns) -> None:
    """A located battery is suppressed, damaged, or knocked out; a second damage knocks it out.

    One that fires at batteries ignores suppression, and any more takes it out of the game [7.28.3].
    """
    rolled = game.roll(1, DIE)
    result = "suppressed" if rolled[0] <= SUPPRESSED else "damaged" if rolled[0] <= DAMAGED else "knocked out"
    if result == "damaged" and (guns.damaged or guns.counters):
        result = "knocked out"
    game.tell(Event("counter battery", "{} is {}", (guns.name, result), "7.28.2-ko", (), (), rolled))
    match result:
        case "suppressed" if not guns.counters:
            guns = replace(guns, suppression="on")
        case "damaged":
            guns = replace(guns, damaged=True)
        case "knocked out":
            guns = replace(guns, out=True)
    game.state.batteries[guns.id] = guns


def recover(game: Game[Position]) -> None:
    """Suppressed batteries recover on 50 or less once their counters show OFF [7.28.2-sup]."""
    for name, guns in game.state.batteries.items():
        if guns.suppression == "off":
            rolled = game.roll(1, DIE)
            better = rolled[0] <= RECOVERS
            words = "{} recovers" if better else "{} stays suppressed"
            game.tell(Event("recovery", words, (guns.name,), "7.28.2-sup", (), (), rolled))
            game.state.batteries[name] = replace(guns, suppression="" if better else "off")
        elif guns.suppression == "on":
            game.state.batteries[name] = replace(guns, suppression="off")
