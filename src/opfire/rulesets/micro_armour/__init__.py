"""Micro Armour: The Game - WWII, 2nd edition: the ruleset, chapter by chapter.

Its options list the chapters that are still to come. `opfire force` uses its design of forces.
"""

from __future__ import annotations

from pathlib import Path

from opfire.core.ruleset import Ruleset
from opfire.kit import setup as kit
from opfire.rulesets.micro_armour import (
    alternation,
    charts,
    counters,
    knowledge,
    postures,
    recovery,
    retreats,
    sequence,
    setup,
    succession,
    thinking,
)
from opfire.rulesets.micro_armour.air import defence, plans, strikes, teams
from opfire.rulesets.micro_armour.artillery import close_support, direct, observers, plotting, preparing, writing
from opfire.rulesets.micro_armour.artillery import phase as artillery_phase
from opfire.rulesets.micro_armour.fire import standard
from opfire.rulesets.micro_armour.moving import movement
from opfire.rulesets.micro_armour.options import MISSING, OPTIONS
from opfire.rulesets.micro_armour.pieces import Position
from opfire.rulesets.micro_armour.sections import ArmourSections
from opfire.rulesets.micro_armour.shown import lines, meaning, previews, view, words
from opfire.rulesets.micro_armour.works import laying
from opfire.space.table import table_texts

RULESET = Ruleset(
    id=view.ID,
    title="Micro Armour: The Game - WWII",
    edition="2nd edition",
    version="1",
    package=Path(__file__).parent,
    frames=(
        sequence.TheGame,
        sequence.Turns,
        sequence.TurnFrom,
        setup.SetUp,
        sequence.InitiativePhase,
        sequence.KeepFighting,
        postures.PostureDetermination,
        postures.Grouping,
        plans.AirPlan,
        teams.TeamHosts,
        strikes.AirStrike,
        defence.AntiAircraft,
        artillery_phase.ArtilleryPhase,
        observers.ObserverHosts,
        plotting.Calling,
        plotting.JointPlot,
        preparing.BarragePlot,
        preparing.Registration,
        writing.Writing,
        standard.StandardFirePhase,
        standard.Attacking,
        retreats.Retreating,
        retreats.FlameRetreats,
        *movement.FRAMES,
        recovery.MarkerRemoval,
        succession.CommandReplacement,
    ),
    actions=(
        setup.Place,
        kit.PickUp,
        kit.Ready,
        laying.Lay,
        alternation.Begin,
        alternation.Pass,
        postures.Mark,
        postures.JoinGroup,
        postures.FormGroup,
        postures.NoMoreGroups,
        plans.Schedule,
        plans.AimBombs,
        plans.DirectBombs,
        plans.EndAirPlan,
        teams.HostTeam,
        teams.NoMoreTeams,
        strikes.Strafe,
        strikes.DropBombs,
        defence.FireAtAircraft,
        defence.LetThemCome,
        artillery_phase.CarryOut,
        artillery_phase.AddBattery,
        close_support.CloseSupport,
        direct.FireDirect,
        direct.ProtectiveFire,
        observers.Host,
        observers.MoveObserver,
        observers.NoMoreObservers,
        plotting.PlotFire,
        plotting.Call,
        plotting.ConfirmCall,
        plotting.Correct,
        plotting.Terminate,
        plotting.EndPlot,
        preparing.Bombard,
        preparing.Register,
        preparing.NoMoreMissions,
        writing.ChooseSheaf,
        writing.ChooseSmoke,
        writing.ArriveLater,
        writing.FireLonger,
        writing.GroupWith,
        writing.Aim,
        writing.DropPlot,
        standard.Engage,
        standard.AddFirer,
        standard.Fire,
        retreats.Retreat,
        *movement.ACTIONS,
        succession.TakeCommand,
    ),
    state=Position,
    settle=sequence.settle,
    sight=knowledge.sight,
    imagined=knowledge.imagined,
    sections=ArmourSections,
    ground=lambda scenario: table_texts(scenario.rest.read(ArmourSections).table),
    space=lambda sight: sight.table,
    setting=setup.setting,
    start=sequence.start,
    arrange=sequence.arrange,
    charts=charts.load_charts,
    unknown=words.unknown,
    counters=counters.COUNTERS,
    view=view.view,
    preview=previews.preview,
    every_preview=previews.every_preview,
    label=words.label,
    touches=words.touches,
    meant=meaning.meant,
    queries={
        "los": lines.los,
        "sees": lines.sees,
        "spots": lines.spots,
        "text": view.position_text,
    },
    appraise=thinking.appraise,
    suggest=thinking.suggest,
    script=thinking.script,
    bench="armour-first-evening",
    options=OPTIONS,
    missing=MISSING,
)
