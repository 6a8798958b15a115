"""Other readings of unclear rules (RULINGS.md); off unless the scenario names them.

Their effects live beside the rules that they change.
"""

from __future__ import annotations

from opfire.core.ruleset import Option

MISSING: dict[str, str] = {}
"""Rules without code, or that no test proves, each with the reason."""

OPTIONS = (
    Option("FOF-1", "Artillery field of fire", "Guns that are towed fire, and turn, only within limits."),
    Option("FRT-15", "Field of fire in forts", "All units in fortifications fire within a quarter of the circle only."),
    Option("R1", "Another reading of COM-14", "A result D leaves a dispersed unit as it is."),
    Option("R5", "Another reading of REC-3", "A unit that recovers is in good order from the end of its segment."),
    Option("R16", "Another reading of STR-5", "Every unit that enters a stream is dispersed in it."),
    Option("R22", "Another reading of NEU-13", "The template of a destruction mission has half the area."),
    Option("R29", "Another reading of LLT-1", "The limit of sight is that of the spotter's kind and ground."),
    Option("R33", "Another reading of HEL-2", "Helicopters move at the start of the movement phase."),
    Option("R41", "Another reading of CRT-1", "Six cells of the Combat Results Table follow its pattern."),
    Option("R47", "Another reading of LOS-3", "A target in cover that others spot is fired at from afar."),
    Option("R52", "Another reading of COM-6", "Every template of indirect fire attacks every unit under it."),
    Option("R56", "Another reading of FB-6", "Drifted bombs attack a unit within two inches of their new point."),
    Option(
        "R77", "Another reading of OVR-11", "A vehicle that has moved at the road rate makes no overrun in that phase."
    ),
    Option(
        "R80", "Another reading of OPP-6", "Units that let a mover pass may fire after each further inch of its leg."
    ),
    Option("R86", "Another reading of CMD-1", "Stands that have lost all their command posts act freely."),
)
