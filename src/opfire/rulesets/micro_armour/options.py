"""Optional rules, and other readings of unclear rules (RULINGS.md); off unless the scenario names them.

The effects of options live beside the rules that they change.
"""

from __future__ import annotations

from opfire.core.ruleset import Option

OPTIONS = (
    Option("7.6.4.3", "Observers Stand Still", "Observers plot in the firing posture only."),
    Option("8.10.1.5", "Paratrooper Surprise", "Surprised forces begin with four points of cohesion less."),
    Option(
        "8.10.2.3-opt",
        "Gliders After Movement",
        "Gliders of the side with the initiative land after the movement phase.",
    ),
    Option("12.1", "Unit Determination", "Forces draw cards for their losses, and break beyond their break point."),
    Option("12.2.1", "Hot Shot", "A natural 1 to fire shifts the attack two columns to the right."),
    Option("12.2.2", "We're Running Low", "After a natural 20 to fire a stand fires only at stands that fire at it."),
    Option(
        "12.2.3", "Communications Breakdown", "Fire that rolls a natural 20 for deviation falls up to ten inches off."
    ),
    Option("12.2.4", "Intuitive action", "A natural 1 moves a group of a steady force without spending the order."),
    Option("12.2.5", "Conflicting orders", "A natural 20 keeps a group from moving for the rest of the turn."),
    Option("12.3", "Air Strikes", "Aircraft strafe and bomb; anti-aircraft guns fire at them."),
    Option("12.12", "The Registered Fire Mission", "Fire that was on target may be named, and called again in a turn."),
    Option("12.13", "Polar Plot", "Observers may plot by distance and direction from their own place."),
    Option("12.4", "Charge for the Guns", "Armed stands that leave by the enemy's edge silence batteries off the map."),
    Option(
        "12.5",
        "Tank Marines",
        "Tanks carry riders, who jump off when the tank suffers a result, and may when it fires.",
    ),
    Option("12.6", "Stand Fast", "Passing takes a movement order and a roll; a side that fails moves a group."),
    Option(
        "SC.stark.hidden", "Hidden Placement", "A side of the scenario hides mines, and stands in improved positions."
    ),
    Option("12.7", "Loaded Transports", "Loads slow their carriers by the ground; carriers may be overloaded."),
    Option("12.8", "Pour It On", "Tanks and anti-tank guns fire a second time after a hit on a vehicle."),
    Option("12.9", "That'll Leave a Mark", "Special ammunition makes armour piercing fire half as strong again."),
    Option("12.10", "Big Game Hunters", "Guns of 150 mm and more fire high explosive at armour from very near."),
    Option("12.11", "A Little HEAT", "German 75 mm L/24 guns have one hollow charge attack for each stand."),
    Option("R8", "Another reading of 6.3.1", "The chart alone says what blocks sight, as if all ground were flat."),
    Option("R14", "Another reading of 12.8", "A roll to fire that succeeds is enough for a second shot."),
    Option("R16", "Another reading of 8.8.5", "Stands retreat directly away from the enemy, or are lost."),
    Option("R20", "Another reading of 9.1.2", "Ground is paid exactly, not in half points for each stretch of it."),
    Option("R21", "Another reading of 9.1.5", "Where kinds of ground lie together, all their costs are paid."),
    Option("R26", "Another reading of 8.7.1", "Overruns are rolled as soon as the group of the vehicles has moved."),
    Option("R42", "Another reading of 7.4.9", "The states of the first battery count for batteries that fire as one."),
    Option("R44", "Another reading of 7.6.2.3", "Adjusted missions lie within four inches in a straight line."),
    Option("R52", "Another reading of 11.3.2", "A stand that leaves a ditch makes a roll of its own."),
    Option("R56", "Another reading of 11.5.8", "Direct fire alone attacks bridges, not the markers of artillery."),
    Option("R62", "Another reading of 12.3.5", "The terrain of the target counts for all rolls of a strike."),
    Option("R63", "Another reading of 12.3.5", "Aircraft suppress where artillery would, even below the table."),
    Option("R66", "Another reading of 8.10.2.4", "The gliders of a group land step by step, all together."),
    Option("R87", "Another reading of 12.5", "Riders are lost with their tank."),
    Option("R90", "Another reading of 12.7", "The ground on which a loaded carrier begins decides for its whole move."),
    Option("R91", "Another reading of 7.6.1.3", "Artillery and aircraft meet the printed defence of men on the move."),
    Option("R94", "Another reading of 8.4.6", "A carrier that fails to move with its group may unload all the same."),
    Option("R95", "Another reading of 12.1.5-5", "Broken forces have 2 more for the roll of the group to move only."),
    Option("R98", "Another reading of 8.8.2", "Stands in contact declare assaults after all movement, moved or not."),
    Option("R99", "Another reading of 8.7.6", "Weapons with a range of 0 answer no overrun."),
    Option("R104", "Another reading of 7.5.5", "Smoke counts for the roll to fire directly, too."),
    Option("R105", "Another reading of 10.1.2", "A headquarters in a transport helps no movement group."),
    Option("R113", "Another reading of 10.3", "Stands marked P are halved in the fire/move posture only."),
    Option("R114", "Another reading of 8.8.4", "Defenders respond to close assaults in the firing posture only."),
    Option("R115", "Another reading of 8.8.9", "Cavalry has no double strength against lorries and other vehicles."),
    Option("R116", "Another reading of 10.4", "Support stands suppress below the first column, too."),
    Option("R117", "Another reading of 6.2.2", "Personnel hide personnel from everybody, tanks and guns too."),
    Option("R118", "Another reading of 6.3.4", "Indirect fire shows a battery to the enemy, as direct fire does."),
    Option("R122", "Another reading of 7.4.7.1", "Smoke makes a combat roll, which counts as (S) at most."),
    Option("R123", "Another reading of 10.14", "Anti-tank weapons are spent on rolls less than their number."),
    Option(
        "R124", "Another reading of 11.4", "Fire rolls dice of its own for the position of the stand that it strikes."
    ),
    Option("R127", "Another reading of 8.7.8", "Guns marked P are weapons when they are overrun."),
    Option("R128", "Another reading of 8.6.1", "Stands in the fire/move posture give covering fire, too, with 3 more."),
    Option("R130", "Another reading of 12.3.4", "Guns in the fire/move posture fire at aircraft, too, with 3 more."),
    Option("R133", "Another reading of 9.1", "All fire at stands on hilltops meets the modifier of the crest."),
    Option("R137", "Another reading of 8.7.6", "A stand in an impact zone does not answer an overrun."),
    Option("R138", "Another reading of 10.2", "Crews fire to side and rear in overruns and close assaults only."),
    Option("R139", "Another reading of 7.6.5.2", "Fire is corrected in the turns after that of its arrival."),
    Option("R140", "Another reading of 7.4.3.2", "Impact markers are moved onto the stands that they strike."),
    Option("R141", "Another reading of 8.7.6", "Crews of artillery answer overruns with small arms only."),
    Option("R142", "Another reading of 8.4.1", "Light guns marked P are loaded and towed as weapons."),
    Option(
        "R144", "Another reading of 9.1.4", "A stand on a road has the cover beside it as soon as its move is over."
    ),
    Option("R148", "Another reading of 7.3.6", "Indirect fire falls before the front of its battery only."),
)

MISSING: dict[str, str] = {}
"""Rules without code, or that no test proves, each with the reason."""
