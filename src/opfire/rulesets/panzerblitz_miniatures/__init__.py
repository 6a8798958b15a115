"""Panzer Blitz for Miniatures, version 5: the ruleset, chapter by chapter."""

from __future__ import annotations

from pathlib import Path

from opfire.core.ruleset import Ruleset
from opfire.kit import setup as kit
from opfire.rulesets.panzerblitz_miniatures import actions as shared
from opfire.rulesets.panzerblitz_miniatures import (
    charts,
    counters,
    direct,
    marching,
    movement,
    opportunity,
    recovery,
    sequence,
    setup,
    smoke,
)
from opfire.rulesets.panzerblitz_miniatures.options import OPTIONS
from opfire.rulesets.panzerblitz_miniatures.pieces import Position
from opfire.rulesets.panzerblitz_miniatures.sections import MiniatureSections
from opfire.rulesets.panzerblitz_miniatures.shown import lines, meaning, view, words
from opfire.space.table import table_texts

RULESET = Ruleset(
    id=view.ID,
    title="Panzer Blitz for Miniatures",
    edition="version 5",
    version="1",
    package=Path(__file__).parent,
    frames=(
        sequence.TheGame,
        sequence.Turns,
        sequence.SegmentFrom,
        setup.SetUp,
        sequence.SegmentBegin,
        recovery.RecoveryPhase,
        direct.DirectFirePhase,
        direct.Attacking,
        movement.MovementPhase,
        movement.Moving,
        opportunity.OpportunityFire,
        sequence.SegmentEnd,
    ),
    actions=(
        setup.Place,
        kit.StartAboard,
        kit.PickUp,
        kit.Ready,
        shared.EndPhase,
        shared.Pass,
        recovery.Recover,
        recovery.RecoverAll,
        direct.Engage,
        direct.AddFirer,
        direct.Fire,
        smoke.FireSmoke,
        marching.Move,
        marching.Stop,
        opportunity.React,
        opportunity.Join,
    ),
    state=Position,
    sections=MiniatureSections,
    ground=lambda scenario: table_texts(scenario.rest.read(MiniatureSections).table),
    space=lambda sight: sight.table,
    setting=setup.setting,
    start=sequence.start,
    arrange=sequence.arrange,
    charts=charts.load_charts,
    settle=sequence.settle,
    unknown=words.unknown,
    counters=counters.COUNTERS,
    view=view.view,
    label=words.label,
    touches=words.touches,
    meant=meaning.meant,
    queries={"los": lines.los, "sees": lines.sees, "text": view.position_text, "where": view.where},
    options=OPTIONS,
    bench="mini-first-evening",
)
