"""Panzer Grenadier, 3rd edition: the ruleset, chapter by chapter."""

from __future__ import annotations

from pathlib import Path

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.core.orders import Orders
from opfire.core.ruleset import Ruleset
from opfire.rulesets.panzer_grenadier import (
    activation,
    aircraft,
    assault,
    bombardment,
    charge,
    direct,
    knowledge,
    leaders,
    losses,
    meanings,
    minefields,
    movement,
    offboard,
    optional,
    orders,
    previews,
    reaction,
    recovery,
    seats,
    sectors,
    segment,
    sequence,
    setup,
    table,
    tables,
    thinking,
)
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.options import MISSING, OPTIONS
from opfire.rulesets.panzer_grenadier.pieces import Position

FRAMES: tuple[type[Frame], ...] = (
    sequence.TheGame,
    sequence.GameTurnFrom,
    setup.SetUp,
    sequence.OrdersPhase,
    sequence.SectorTurns,
    sequence.InitiativePhase,
    sequence.ActionPhase,
    sequence.MarkerRemovalPhase,
    segment.ActionSegment,
    segment.Performing,
    activation.Designating,
    *(
        frame
        for chapter in (movement, reaction, minefields, direct, bombardment, offboard, aircraft, assault, charge)
        for frame in chapter.FRAMES
    ),
    *(frame for chapter in (losses, recovery, leaders, optional, sectors) for frame in chapter.FRAMES),
)
ACTIONS: tuple[type[Action], ...] = tuple(
    dict.fromkeys((Pass, EndSegment, *(act for frame in FRAMES for act in frame.acts)))
)

RULESET = Ruleset(
    id="panzer-grenadier",
    title="Panzer Grenadier",
    edition="3rd edition",
    version="1",
    package=Path(__file__).parent,
    frames=FRAMES,
    actions=ACTIONS,
    state=Position,
    setting=setup.setting,
    start=sequence.start,
    arrange=sequence.arrange,
    charts=tables.tables,
    sight=knowledge.sight,
    imagined=knowledge.imagined,
    unknown=table.unknown,
    barred=seats.barred,
    view=table.view,
    label=table.label,
    touches=table.touches,
    meant=meanings.meant,
    preview=previews.preview,
    orders=Orders,
    answer=orders.answer,
    appraise=thinking.appraise,
    suggest=thinking.suggest,
    script=thinking.script,
    queries=table.QUERIES,
    options=OPTIONS,
    missing=MISSING,
)
