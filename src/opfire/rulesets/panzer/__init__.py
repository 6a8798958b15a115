"""Panzer (GMT, 2025 rules): the Basic Game, chapter by chapter, and the arithmetic of the Advanced Game's AP fire."""

from __future__ import annotations

from pathlib import Path

from opfire.core.ruleset import Ruleset
from opfire.kit import setup as kit
from opfire.kit.orders import COMPUTER, Orders
from opfire.rulesets.panzer import actions as shared
from opfire.rulesets.panzer import (
    adjusting,
    charts,
    commands,
    counters,
    leaders,
    orders,
    sequence,
    setup,
    suppression,
    thinking,
)
from opfire.rulesets.panzer.air import attacks, flak
from opfire.rulesets.panzer.air import phase as air
from opfire.rulesets.panzer.fire import answering, close_combat, direct_fire, malfunctions, overrun, overwatch
from opfire.rulesets.panzer.indirect import calling, step
from opfire.rulesets.panzer.morale import checks
from opfire.rulesets.panzer.moving import hull_down, movement, quickmarch, transport
from opfire.rulesets.panzer.options import MISSING
from opfire.rulesets.panzer.pieces import Position
from opfire.rulesets.panzer.sections import PanzerSections
from opfire.rulesets.panzer.shown import card, lines, meaning, overlay, previews, view, words
from opfire.rulesets.panzer.sighting import phase
from opfire.rulesets.panzer.works import buildings, entrenching
from opfire.space.layout import board_texts

RULESET = Ruleset(
    id=view.ID,
    title="Panzer",
    edition="2025 rules",
    version="1",
    package=Path(__file__).parent,
    frames=(
        sequence.TheGame,
        sequence.TurnFrom,
        setup.SetUp,
        phase.SpottingPhase,
        commands.CommandPhase,
        malfunctions.RepairStep,
        sequence.InitiativePhase,
        air.AirPhase,
        air.Arriving,
        air.Flying,
        air.Strike,
        flak.AntiAircraft,
        step.IndirectFireStep,
        step.Falling,
        step.Straying,
        direct_fire.DirectFireStep,
        direct_fire.Attacking,
        direct_fire.Asked,
        answering.Quickdraw,
        answering.ReturningFire,
        sequence.OverwatchStep,
        overwatch.Overwatch,
        close_combat.CloseCombatStep,
        close_combat.Assaulting,
        close_combat.Occupying,
        movement.MovementStep,
        movement.Moving,
        adjusting.AdjustStep,
        suppression.SuppressionStep,
        checks.MoraleStep,
        sequence.AdjustmentPhase,
    ),
    actions=(
        setup.Place,
        kit.PickUp,
        kit.Ready,
        shared.EndStep,
        shared.Pass,
        commands.Command,
        commands.HandIn,
        sequence.RollInitiative,
        air.Enter,
        air.Level,
        air.Fly,
        air.Bank,
        air.FlyOff,
        attacks.AirAttack,
        flak.Flak,
        calling.CallFire,
        calling.AdjustFire,
        calling.ContinueFire,
        calling.CheckFire,
        step.Arrive,
        step.Redirect,
        direct_fire.Announce,
        direct_fire.Resolve,
        direct_fire.Reveal,
        direct_fire.Keep,
        answering.Answer,
        close_combat.Assault,
        close_combat.Close,
        close_combat.Occupy,
        overrun.Overrun,
        movement.Move,
        movement.Turn,
        movement.ExitMap,
        movement.Stay,
        quickmarch.Quickmarch,
        hull_down.Search,
        transport.Mount,
        transport.Dismount,
        transport.JumpOff,
        adjusting.Pivot,
        adjusting.EnterCover,
        adjusting.LeaveCover,
        adjusting.Abandon,
        leaders.Transfer,
        entrenching.DigIn,
        buildings.GoInside,
        buildings.ComeOut,
    ),
    state=Position,
    sections=PanzerSections,
    ground=lambda scenario: board_texts(scenario.rest.data),
    space=lambda sight: sight.map,
    setting=setup.setting,
    start=sequence.start,
    arrange=sequence.arrange,
    charts=charts.load_charts,
    sight=sequence.sight,
    imagined=sequence.imagined,
    unknown=words.unknown,
    counters=counters.COUNTERS,
    view=view.view,
    label=words.label,
    touches=words.touches,
    meant=meaning.meant,
    preview=previews.preview,
    queries={
        "los": lines.los,
        "sees": lines.sees,
        "spots": lines.spots,
        "card": card.card,
        "overlay": overlay.overlay,
        "text": view.text,
    },
    missing=MISSING,
    orders=Orders,
    computer_orders=COMPUTER,
    answer=orders.answer,
    appraise=thinking.appraise,
    suggest=thinking.suggest,
    script=thinking.script,
    bench="panzer-first-duel",
)
