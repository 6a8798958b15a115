"""Panzer Grenadier, 3rd edition: the ruleset, chapter by chapter."""

from __future__ import annotations

from pathlib import Path

from opfire.core.actions import Action
from opfire.core.flow import Frame
from opfire.core.ruleset import Ruleset
from opfire.kit.orders import COMPUTER, Orders
from opfire.rulesets.panzer_grenadier import charts, counters, instructions, sequence, thinking
from opfire.rulesets.panzer_grenadier.actions import EndSegment, Pass
from opfire.rulesets.panzer_grenadier.assault import assaulting, charge, leaving
from opfire.rulesets.panzer_grenadier.command import designating, leaders, performing, seats, sectors, segment
from opfire.rulesets.panzer_grenadier.fire import aircraft, bombardment, direct, losses, offboard, reaction
from opfire.rulesets.panzer_grenadier.instructions import Sections
from opfire.rulesets.panzer_grenadier.morale import recovery
from opfire.rulesets.panzer_grenadier.movement import moving
from opfire.rulesets.panzer_grenadier.optional import rules
from opfire.rulesets.panzer_grenadier.options import MISSING, OPTIONS
from opfire.rulesets.panzer_grenadier.pieces import Position
from opfire.rulesets.panzer_grenadier.setup import roster, setting_up
from opfire.rulesets.panzer_grenadier.shown import cautions, meanings, orders, previews, view
from opfire.rulesets.panzer_grenadier.sight import knowledge
from opfire.rulesets.panzer_grenadier.works import minefields
from opfire.space.layout import board_texts

FRAMES: tuple[type[Frame], ...] = (
    sequence.TheGame,
    sequence.GameTurnFrom,
    setting_up.SetUp,
    sequence.OrdersPhase,
    sequence.SectorTurns,
    sequence.InitiativePhase,
    sequence.ActionPhase,
    sequence.MarkerRemovalPhase,
    segment.ActionSegment,
    performing.Performing,
    designating.Designating,
    *(
        frame
        for chapter in (
            moving,
            reaction,
            minefields,
            direct,
            bombardment,
            offboard,
            aircraft,
            assaulting,
            leaving,
            charge,
        )
        for frame in chapter.FRAMES
    ),
    *(frame for chapter in (losses, recovery, leaders, rules, sectors) for frame in chapter.FRAMES),
)
ACTIONS: tuple[type[Action], ...] = tuple(
    dict.fromkeys((Pass, EndSegment, *(act for frame in FRAMES for act in frame.takes)))
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
    sections=Sections,
    ground=lambda scenario: board_texts(scenario.rest.data),
    space=lambda sight: sight.map,
    setting=roster.setting,
    start=sequence.start,
    arrange=sequence.arrange,
    charts=charts.load_charts,
    sight=knowledge.sight,
    imagined=knowledge.imagined,
    unknown=view.unknown,
    players=instructions.divided,
    barred=seats.barred,
    counters=counters.COUNTERS,
    results=charts.RESULTS,
    reaction="Opportunity fire",
    view=view.view,
    label=view.label,
    touches=view.touches,
    meant=meanings.meant,
    preview=previews.preview,
    caution=cautions.caution,
    every_preview=previews.cases,
    orders=Orders,
    computer_orders=COMPUTER,
    answer=orders.answer,
    appraise=thinking.appraise,
    suggest=thinking.suggest,
    script=thinking.script,
    queries=view.QUERIES,
    options=OPTIONS,
    missing=MISSING,
    bench="pg-stepnoye",
)
