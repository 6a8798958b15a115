"""Stands on a free table: straight legs and turning, one die of fire, reaction fire when a leg ends near an enemy.

A process with `tests` and `tests/rulesets/installed` on its path finds this as the installed ruleset `toy-table`.
"""

from __future__ import annotations

from pathlib import Path

from edits import edited
from opfire.core.case import Case
from opfire.core.errors import BadInput
from opfire.core.flow import Frame
from opfire.core.ruleset import Ruleset
from opfire.core.scenario import Scenario
from opfire.kit.terrain import named
from opfire.space.table import laid
from rulesets.battlefield import shown
from rulesets.battlefield.rules import (
    Battle,
    End,
    Ground,
    Move,
    Moving,
    PlayerTurn,
    Reaction,
    Setting,
    Shoot,
    Stand,
    State,
    Stop,
    odds,
)
from rulesets.kit import Pass, unknown

HERE = Path(__file__).parent


def setting(scenario: Scenario) -> Setting:
    given = scenario.rest.read(Ground)
    facings = {side: drawn.facing for side, drawn in given.sides.items()}
    return Setting(scenario, laid(given.table, scenario.id, named("miniatures")), facings)


def start(given: Setting) -> tuple[State, Frame]:
    stands = {}
    for side, force in given.scenario.sides.items():
        spots = [(at, f"sides.{side}.units") for units in force.units for at in units.at]
        for number, (at, where) in enumerate(spots, 1):
            stand = Stand(f"{side}-{number}", side, given.table.parse(at, where), given.facings[side])
            if not given.table.holds(stand.at) or any(given.table.overlap(o.at, stand.at) for o in stands.values()):
                raise BadInput(f"no room for a stand at {at}", where, "a place on the table that no other stand covers")
            stands[stand.id] = stand
    return State(given, stands), Battle(given.scenario.first)


def arrange(scenario: Scenario, case: Case) -> tuple[State, Frame]:
    made = setting(scenario)
    stands = {
        id: Stand(id, piece.side, made.table.parse(piece.at, f"unit {id}"), **piece.values)
        for id, piece in case.units.items()
    }
    return State(made, stands, case.turn, case.side), PlayerTurn(case.side)


RULESET = Ruleset(
    id="toy-table", title="Skirmish", edition="toy", version="1", package=HERE, state=State,
    frames=(Battle, PlayerTurn, Moving, Reaction), actions=(Move, Stop, Shoot, End, Pass), sections=Ground,
    setting=setting, start=start, arrange=arrange, view=shown.view, unknown=unknown, label=shown.label,
    touches=shown.touches, meant=shown.meant, space=lambda sight: sight.setting.table,
    preview=lambda sight, frame, action: odds(sight, action) if isinstance(action, Shoot) else None,
    queries={"cost": shown.price, "polygons": shown.polygons, "reach": shown.reach},
)  # fmt: skip

SCENARIO = (HERE / "skirmish.toml").read_text(encoding="utf-8")
NEAR = edited(SCENARIO, '"34,', '"16,')  # ten inches apart: they fire, and answer legs with fire
LIPOVKA = edited(SCENARIO, 'size = [48, 36]\nbase = 1.5\ntitle = "The bare table"', 'table = "lipovka"')
