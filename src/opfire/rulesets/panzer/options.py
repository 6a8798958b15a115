"""The Advanced Game, optional rules, and other readings of unclear rules; off unless the scenario names them.

The effects of options live beside the rules that they change.
"""

from __future__ import annotations

from opfire.core.ruleset import Option

ADVANCED = "AG"
"""The option that turns the Basic Game [4] into the Advanced Game [5, 6]."""

OPTIONS = (
    Option(ADVANCED, "Advanced Game", "Formations share commands, units have grades, squads and guns take part."),
    Option("5.16.2.7", "German Tungsten Supply", "From late 1943 on Germans run short of APCR sooner, or have none."),
    Option("7.1", "Morale", "Units of formations with heavy losses may hesitate or break, and recover."),
    Option("7.1.1.1", "Varied Cohesion", "A roll at a formation's first loss gives its level of cohesion."),
    Option("7.2", "Hidden Units", "Counters on the map stand for hidden units, or for nothing."),
    Option("7.3", "Platoon Command Control", "Units share commands within their platoon, or with command units."),
    Option("7.4", "Without Radio Sets", "Vehicles without radios share one command, platoon by platoon."),
    Option("7.5", "Soviet Early War Communications", "Soviet observers of 1941 and 1942 are answered less often."),
    Option("7.6", "Tank Fright", "Leg units check their morale before they assault vehicles."),
    Option("7.7.1", "Limited Spotting", "Units beyond one hex are spotted by a roll."),
    Option("7.7.2", "Maximum Spots", "A unit keeps as many spots as its grade allows."),
    Option("7.8", "Turrets", "Turrets have facings of their own; hatches are open, or closed and blind."),
    Option("7.9", "Smoke Dischargers", "Some vehicles hide in a cloud of their own for a turn."),
    Option("7.10", "CE Ammo Types", "Skirts stop hollow charges, which hit soft vehicles at full strength."),
    Option("7.11", "BU Modifier", "Vehicles with a BU mark brew up more often when they are knocked out."),
    Option("7.12", "Variable AP Penetration", "Two dice change the penetration of each hit."),
    Option("7.13", "Lower Hull Hits", "A vehicle high above its firer shows its lower hull."),
    Option("7.14", "Fire Priority", "Vehicles fire at the closest enemy combat vehicle that nobody engages."),
    Option("7.15", "CE Ammo GP Fire", "Hand-held anti-tank weapons are worse against men in the open."),
    Option("7.16", "Platform Mounts", "Guns on platforms face every target of overwatch fire."),
    Option("7.17", "Attached Weapon Loss", "Reduced squads may lose their attached weapons."),
    Option("7.18", "Pinning Fire", "Small arms may pin squads and guns down instead of harming them."),
    Option("7.19", "Engineers against Terrain", "Engineers close assault blocks, bridges, wire, mines and positions."),
    Option("7.20", "Long Guns", "Among houses and trees long guns point straight ahead or back."),
    Option("7.21", "Variable Track Damage", "Light weapons do not break the tracks of heavy vehicles."),
    Option("7.22", "Infantry Smoke", "Squads lay smoke around themselves."),
    Option(
        "7.23", "Collateral Damage", "Hits that penetrate without damage may break optics, radios, turrets or tanks."
    ),
    Option("7.24", "Camouflage", "Units that start camouflaged are seen from the next hex, or by a roll."),
    Option("7.25", "Weapon Malfunction", "Weapons jam on the worst rolls, and wait for repair."),
    Option("7.26", "Indirect Fire Scatter", "Fire that is barely answered falls a hex or two away."),
    Option("7.26-bomb", "Bomb Scatter", "Bombs of aircraft under anti-aircraft fire may miss their hex."),
    Option("7.27", "Illumination", "Batteries light up the ground in limited visibility."),
    Option("7.28", "Counter Battery Fire", "Batteries look for batteries that have fired, and silence them."),
    Option("7.29", "Bogging Down", "Vehicles may get stuck when they leave soft, steep or wooded ground."),
    Option(
        "7.30", "Narrow Roads", "On narrow roads and bridges those in front bar the way, until they are pushed off it."
    ),
    Option("7.31", "Mines", "Hidden or visible minefields attack units that enter them."),
    Option("7.32", "Weight Limitations", "Bridges and ice bear the tons that the scenario gives them."),
    Option("7.33", "Dual Driving Controls", "Some armoured cars drive in reverse at the cost of driving forward."),
    Option("7.34", "Amphibious Movement", "Amphibious vehicles swim through water, one hex a turn."),
    Option(
        "7.35",
        "Fires",
        "Buildings, rubble and the trees that the scenario names catch fire under shells and flamethrowers.",
    ),
    Option("7.35.3", "Stray Rockets", "Hand-held rockets that miss a vehicle among buildings may start fires."),
    Option("7.36.1", "Limited Visibility", "The scenario's hour and weather shorten spotting ranges."),
    Option("7.36.2", "Cautious Movement", "In limited visibility vehicles move at half speed."),
    Option("7.36.3", "Snow and Mud", "Snow slows all movement; mud doubles the chance of bogging down."),
    Option("7.36.4", "Khamsin", "Sandstorms as the scenario lists them hinder spotting and fire."),
    Option("7.37", "Artillery Reconnaissance by Fire", "FOs call batteries onto hexes in which they see nobody."),
    Option("7.38", "Special Units", "The rules of single vehicles, such as the fuel trailer of the Crocodile."),
    Option("7.40", "Road Movement Expanded", "Vehicles that join a road on their way pay 1 a hex along it."),
    Option("7.41", "Removing Spot Counters", "SPOT counters of units in Cover may come off by a roll."),
    Option(
        "7.42", "Staggered Initiative", "Formations roll to fire one after the other, and move in the reverse order."
    ),
    Option("7.42.3", "Streamlined Movement", "In Staggered Initiative the Second Player still moves all units first."),
    Option("7.43", "Recon Expanded", "Recon units spot one row farther still."),
    Option("7.44.1", "Paratroops", "Parachute units drift, land, fight for their hex and are fired at."),
    Option("7.44.1.4", "Parachute Anti-Aircraft Fire", "Sticks of paratroops are fired at before they come down."),
    Option("7.44.2", "Gliders", "Gliders fly in, touch down, and set squads and guns down."),
    Option("7.45", "Bocage", "Squads and sections dig in at hedgerows, and see through them."),
    Option("7.46", "Artillery Air Bursts", "Shells and bombs burst in the trees over men and open vehicles."),
    Option("7.47", "Dismounted FOs", "FOs of vehicle crews dismount, and observe on foot."),
    Option("7.48", "Delayed Reaction", "Formations that are surprised have No Command until their delay is over."),
    Option("7.49", "Vehicle Assault Cover", "Squads advance beside a vehicle, under its Light Cover."),
    Option("7.50", "Defensive Fire", "Units with No Command may return the fire of one that fires at them."),
    Option("7.52", "Command Span", "Units and headquarters too far from their headquarters have fewer commands."),
    Option("7.53", "Voluntary Bail Out", "The crew of a lame vehicle may leave it."),
    Option("7.54", "Quickdraw", "Better units of the Second Player with hidden Fire commands fire at the same time."),
    Option("7.55", "Leaders", "Leaders help their units, and headquarters their formation, to fight and recover."),
    Option("7.57", "Crew Size", "Tanks in which one man does all fire worse, and are worse headquarters."),
    Option("7.59.3", "Tracks", "Vehicles pay 1 a hex along a track, at their rate across country."),
    Option(
        "7.59.4",
        "Airfield",
        "Aircraft land to be armed and refueled; wrecks and enemies do not keep vehicles from the Path rate there.",
    ),
    Option("7.60", "Random Recon", "Units that search roll for their way, follow sounds, and stop at the first enemy."),
    Option("R9", "Another reading of 4.1.4.1.3", "A straight road opens the hexes that it leads through along a line."),
    Option("R16", "Another reading of 4.4.3.2.6", "A penetration equal to the armor does nothing in the Basic Game."),
    Option("R60", "Another reading of 6.2.1.1", "The Force Grade gives the available commands of all formations."),
    Option("R71", "Another reading of 4.4.2", "A unit fires a single weapon from overwatch."),
    Option("R84", "Another reading of 7.36.3", "Snow adds 1 to the cost of each hex along roads and paths, too."),
    Option("R88", "Another reading of 7.1.4", "The Cover for spotting steadies a unit in a Morale Check."),
    Option("R89", "Another reading of 7.7.1", "Each unit that tries to spot adds 10, the best one, too."),
    Option("R107", "Another reading of 6.1.4.3.9", "Rubble stands as high as its building, and hides what is behind."),
    Option("R120", "Another reading of 6.7.3.1.3", "Woods and buildings on any side of a unit hide it from aircraft."),
    Option("R147", "Another reading of 6.6.10", "Damage weighs on an Overrun only where the main weapon is."),
    Option("R151", "Another reading of 7.35.1", "Rubble catches fire less often than its building, not more often."),
    Option("R208", "Another reading of 7.1.2", "Passengers check their morale as their vehicle moves."),
    Option("R211", "Another reading of 7.6", "Green units fear tanks in 1941 alone, like all others."),
    Option("R212", "Another reading of 7.43", "Recon units keep SPOT counters on with 20 instead of 10."),
    Option(
        "R221",
        "Another reading of 7.53",
        "A crew leaves a vehicle that has hull damage and a track hit, not one of them.",
    ),
    Option("R222", "Another reading of 7.55.2", "Leaders do not help defenders hand to hand."),
    Option("R230", "Another reading of 6.8.3.1.2", "Units that were attacked from the air recover worse, too."),
    Option("R239", "Another reading of 6.7", "Aircraft fly by day in a visibility of -1 and -2."),
    Option("R245", "Another reading of 6.5.4.5", "Passengers Under Cover bail out, too, when GP fire suppresses them."),
)

BASIC = ("R9", "R16")
"""The options that need no Advanced Game: readings of chapter 4."""

NEEDS = {
    "7.1.1.1": "7.1",
    "7.6": "7.1",
    "7.20": "7.8",
    "7.27": "7.36.1",
    "7.35.3": "7.35",
    "7.42.3": "7.42",
    "7.44.1.4": "7.44.1",
}
"""The options that work only beside another one."""

CHAPTERS = {
    "7.7": ("7.7.1", "7.7.2"),
    "7.36": ("7.36.1", "7.36.2", "7.36.3", "7.36.4"),
    "7.39": ("7.1",),
    "7.44": ("7.44.1", "7.44.2"),
    "7.51": ("7.27",),
    "7.56": (),
    "7.58": (),
    "7.59": ("7.59.3", "7.59.4"),
    "7.59.1": (),
    "7.59.2": (),
}
"""Chapters that a case may name as options: those of several options, and those that are in force without one.

The modifiers of 7.39 belong to morale [6.5.2.6.1]; brush, crops and the two kinds of damage are on every map.
"""

EXCLUSIVE: frozenset[frozenset[str]] = frozenset()
"""The options that exclude each other.

There are none: the book says that they "each stand on their own merits" [7.0], and no rule of chapter 7 takes the place
of another option or may not be used with one. Those that change one formula add lines to it, each with its name. Three
stand in for a part of the game that is no option of its own: 7.42 for the single roll of 6.3, 7.42.3 for 7.42.2, and
7.8.4 for the modifier of Overwatch Adjust.
"""

MISSING: dict[str, str] = {}
"""Rules without code, or that no test proves, each with the reason."""
