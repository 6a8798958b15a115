"""A ruleset of a few lines, to try the tools on: shots, until one side has nobody left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from opfire.core.actions import Action, Refusal
from opfire.core.casefile import Case
from opfire.core.errors import BadInput
from opfire.core.events import Calculation, Event, Line
from opfire.core.flow import Frame
from opfire.core.game import Game, Outcome
from opfire.core.ruleset import Ruleset
from opfire.core.scenario import Scenario


class Shoot(Action):
    unit: str
    target: str


class Rest(Action):
    pass


class Soldier(msgspec.Struct, frozen=True):
    id: str
    side: str
    place: str
    aim: int
    down: bool = False


class Field(msgspec.Struct):
    units: dict[str, Soldier]
    turn: int = 1

    def copy(self) -> Field:
        return Field(dict(self.units), self.turn)


def aimed(unit: Soldier) -> Calculation:
    """Five or six fells, better aim helps [1.2]."""
    lines = (Line("modifier", "Aim", f"{unit.aim:+d}", "1.2", unit.aim),)
    outcomes = tuple("X" if face + unit.aim >= 5 else "none" for face in range(1, 7))
    return Calculation("Shot", "1.1", lines, 1, 6, outcomes, "", unit.aim)


class Duel(Frame):
    """Shoot or rest, one after the other [1.1]."""

    takes = (Shoot, Rest)
    step = "direct"

    def acts(self, sight: Field, side: str, actor: str) -> Iterator[Action]:
        yield Rest()
        for unit in sight.units.values():
            for target in sight.units.values():
                if self.refusal(sight, side, shot := Shoot(unit.id, target.id)) is None:
                    yield shot

    def refusal(self, sight: Field, side: str, action: Any) -> Refusal | None:
        if isinstance(action, Rest):
            return None
        if action.unit not in sight.units or action.target not in sight.units:
            return Refusal("nobody of that name", "procedure")
        unit, target = sight.units[action.unit], sight.units[action.target]
        if unit.down or unit.side != self.side:
            return Refusal("{} does not shoot", "1.1", (unit.id,))
        if target.down or target.side == self.side:
            return Refusal("{} is no target", "1.3", (target.id,))
        return None

    def play(self, game: Game[Field], action: Any) -> None:
        if isinstance(action, Shoot):
            calculation, dice = aimed(game.state.units[action.unit]), game.roll(1, 6)
            if calculation.result(dice) == "X":
                target = game.state.units[action.target]
                game.state.units[target.id] = msgspec.structs.replace(target, down=True)
            event = Event("fired", "{} shoots", (action.unit,), "1.1", dice=dice, calculation=calculation)
            game.tell(event)
        other = next(side for side in game.seats.values() if side != self.side)
        if all(unit.down for unit in game.state.units.values() if unit.side == other):
            return game.finish(Outcome(self.side, "decisive", "nobody is left"))
        game.state.turn += 1
        if game.state.turn > 40:
            return game.finish(Outcome(None, "draw", "night falls"))
        game.swap(Duel(other))


def arrange(scenario: Scenario, case: Case) -> tuple[Field, Frame]:
    units = {}
    for name, piece in case.units.items():
        if piece.unit != "soldier":
            raise BadInput(f"unit {name} is a {piece.unit!r}", case.name, "soldier")
        units[name] = Soldier(name, piece.side or case.side, piece.at, piece.values.get("aim", 0))
    return Field(units, case.turn), Duel(case.side)


def start(scenario: Scenario) -> tuple[Field, Frame]:
    sides = scenario.order()
    units = {f"{side}-{n}": Soldier(f"{side}-{n}", side, f"A{n}", 0) for side in sides for n in (1, 2)}
    return Field(units), Duel(sides[0])


def view(sight: Field, side: str, frame: Frame | None) -> dict[str, Any]:
    return {
        "turn": sight.turn,
        "units": list(sight.units.values()),
        "markers": [{"kind": "wreck", "place": "B2"}],
    }


def picture(sight: Field, side: str) -> str:
    return "\n".join(f"{unit.id} {'down' if unit.down else 'up'}" for unit in sight.units.values())


def every_preview(sight: Field, frame: Frame, action: Any) -> list[tuple[str, Calculation]]:
    found = preview(sight, frame, action)
    return [(action.target, found)] if found else []


def preview(sight: Field, frame: Frame, action: Any) -> Calculation | None:
    return aimed(sight.units[action.unit]) if isinstance(action, Shoot) else None


def ruleset(package: Path, **more: Any) -> Ruleset:
    return Ruleset(
        id="duel",
        title="Duel",
        edition="first",
        version="1",
        package=package,
        frames=(Duel,),
        actions=(Shoot, Rest),
        state=Field,
        setting=lambda scenario: scenario,
        start=start,
        view=view,
        arrange=arrange,
        preview=preview,
        every_preview=every_preview,
        queries={
            "text": picture,
            "count": lambda sight, side, what: len(getattr(sight, what)),
            "alone": lambda sight, side, place: {"places": [place]},
            "aim": lambda sight, side, unit: sight.units[unit].aim,
        },
        **more,
    )


SCENARIO = """
id = "dawn"
ruleset = "duel"
title = "Dawn"
turns = 20
first = "red"
[sides.red]
name = "Red"
nation = "red"
[sides.blue]
name = "Blue"
nation = "blue"
"""
