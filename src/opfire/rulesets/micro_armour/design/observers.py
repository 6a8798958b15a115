"""Rule 7.8: the forward observers of a force, and who may have air coordinators [12.3.3.3]."""

from __future__ import annotations

from collections.abc import Sequence

from opfire.rulesets.micro_armour.charts import Charts, Doctrine, Month, Weapon

FAST_BRITISH: Month = "1944-01"
GERMANS_AND_BRITISH = ("Germany", "UK / Commonwealth")
MARINE_TEAMS: Month = "1943-07"
WESTERN_TEAMS: Month = "1944-07"


def doctrine(nation: str, date: Month) -> Doctrine:
    """The doctrine of a nation's artillery in a month [7.8.1, RULINGS.md R1]."""
    if nation == "United States" or (nation == "UK / Commonwealth" and date >= FAST_BRITISH):
        return "american"
    return "german" if nation in GERMANS_AND_BRITISH else "other"


def directs_for(weapon: Weapon, doctrine: Doctrine) -> bool:
    """Return whether a stand counts among those that bring observers [7.8.2, RULINGS.md R2]."""
    if doctrine == "american":
        return weapon.defence_class == "personnel" or (weapon.p_halved and weapon.armed)
    return weapon.indirect


def is_transport(weapon: Weapon) -> bool:
    """Return whether a stand of a reconnaissance unit is a transport, which directs no fire [7.8.2, 8.4]."""
    return weapon.kind == "transport" or (weapon.kind == "apc" and weapon.cargo_cap is not None)


def allowed(charts: Charts, doctrine: Doctrine, battalions: int, stands: int, recon: Sequence[int]) -> int:
    """The observers without a price: one in each battalion headquarters, and by stands and reconnaissance [7.8.2].

    `stands` are those that `directs_for` counts; `recon` has the stands of each reconnaissance unit that are no
    transports.
    """
    row = charts.observers[doctrine]
    by_stands = stands // row.stands if row.counts == "infantry" else -(-stands // row.stands)
    match row.recon:
        case "every stand":
            by_recon = sum(recon)
        case "three stands":
            by_recon = sum(-(-unit // 3) for unit in recon)
        case "battalion":
            by_recon = len(recon)
    return battalions + by_stands + by_recon


def may_coordinate(nation: str, date: Month, marines: bool) -> bool:
    """Return whether a force of that nation and month may have air coordinators at all [12.3.3.3]."""
    if nation == "United States" and marines:
        return date >= MARINE_TEAMS
    western = nation in ("United States", "UK / Commonwealth", "France")
    return nation == "Germany" or (western and date >= WESTERN_TEAMS)
