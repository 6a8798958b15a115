"""Optional rules [16.0, 12.6] and other readings of unclear rules; off unless the scenario names them.

Their effects live beside the rules that they change. The text of chapter 16 is lost: these options rest on references
in other rules and on our own reading (RULINGS.md); six are missing.
"""

from __future__ import annotations

from opfire.core.ruleset import Option

OPTIONAL_RULES = (
    Option("12.6", "Headroom", "Indirect fire at class C(I) and (H) vehicles has -1 to the die."),
    Option(
        "16.1",
        "Saturated ground",
        "All roads except highways are tracks; class C pays one factor more for each hex off road.",
    ),
    Option("16.2", "Winter", "Water is frozen and costs as clear; streams cost vehicles nothing extra to leave."),
    Option("16.5", "Heavy equipment", "A gun that was loaded or unloaded cannot fire until its owner's next turn."),
    Option("16.7", "Rolling thunder", "Groups named by the scenario combine fire on one member's marker."),
    Option("16.10", "Bigfoot", "Marked hexes may be overrun; improved positions then count."),
    Option("16.11", "Reinforcements", "Reinforcements enter by the scenario's entry hexes in or after their turn."),
)

READINGS = (
    Option("R5", "Another reading of 9.6.6", "Registration markers are placed on spotted enemies only."),
    Option("R12", "Another reading of 13.1.1", "Mines attack enemy units only; they stop every unit."),
    Option("R21", "Another reading of 2.0-G07", "One dispersed unit among several targets is enough for the -1."),
    Option("R23", "Another reading of 9.7-P9", "Units that were carried by road may assault."),
    Option(
        "R25", "Another reading of 8.2.1.1", "Cover between hilltops, and hilltops next to ground level, block sight."
    ),
    Option(
        "R32", "Another reading of 10.4.3", "Terrain counts in assaults on units above an unbreached fortification."
    ),
    Option("R41", "Another reading of 9.2.1", "The shift for elevation is that of the most favoured attacker."),
    Option("R50", "Another reading of 5.7.1", "Armour that is removed to make room leaves a wreck."),
    Option("R53", "Another reading of 10.1.2", "A unit goes below works in its own hex, or comes out, and moves on."),
    Option("R63", "Another reading of 9.2.2", "Fire from a hilltop at the next slope down shifts one column right."),
    Option("R64", "Another reading of 10.1.2", "Units moving below works are fired at before they are inside."),
    Option("R71", "Another reading of 13.2.1", "Only hexes that the map or the scenario calls a bridge are bridges."),
    Option("R79", "Another reading of 12.4.2", "One unit of a group may fire a barrage or party line by itself."),
    Option(
        "R80", "Another reading of 5.7.3", "A carrier is inverted when only its passenger observes for registration."
    ),
    Option("R81", "Another reading of 6.0", "Class (H) takes no opportunity fire: it only interdicts."),
)
"""The other readings in RULINGS.md, under their numbers."""

OPTIONS = OPTIONAL_RULES + READINGS

MISSING = {
    "16.3": "The text is lost; stacking by pips changes 5.4.5, 5.4.10 and 5.5.3 in unknown ways.",
    "16.4": "The text is lost; it changes when units that enter concealing terrain are spotted (8.0).",
    "16.6": "The text is lost; it changes the spotting of units in concealing terrain (8.0).",
    "16.8": "The text is lost; only the title is known.",
    "16.9": "The text is lost; it touches interdiction (6.2) and shooting from the hip (12.5).",
    "16.12": "The text is lost; only the title is known.",
}
