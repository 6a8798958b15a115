"""The weapons and aircraft data and the tables of scenario design: row types, loading, look-ups; decides no rule.

All figures are printed in the rulebook. `doubt` says what looks wrong in a printed row.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from opfire.core.rows import OWN, Folder, Row, Texts, loader

DATA = Path(__file__).parent / "data"

Engagement: TypeAlias = Literal[
    "meeting-engagement", "reconnaissance-in-force", "hasty-attack", "prepared-assault", "delaying-action"
]
"""The types of scenario, A to E [SD.1.0]."""

Role: TypeAlias = Literal["attacker", "defender"]
"""Player A attacks, Player B defends [SD.1.0]."""

Month: TypeAlias = Annotated[str, Meta(pattern=r"^19\d\d-(0[1-9]|1[0-2])$")]
"""A year and a month, such as 1944-08; months compare as text."""

Quality: TypeAlias = Annotated[int, Meta(ge=-2, le=3)]
"""The quality of a general headquarters: what it adds to the roll for movement orders [10.1.6]."""

Doctrine: TypeAlias = Literal["american", "german", "other"]
"""The three ways in which nations direct artillery [7.8]."""

DensityName: TypeAlias = Literal["open", "mixed", "closed"]

Count = Annotated[int, Meta(ge=0, le=9999)]


class Weapon(Row, frozen=True, rename={"defence": "def"}):
    """One row of the weapons data: a stand, or the second weapon or other use of the stand `parent`.

    Ranges are inches, `points` the price, `sections` the impact markers that it places. `defence` counts as armoured
    where `armoured` is true. `trait` words say what the rules treat alike: hq, support, engineer, cavalry and others.
    """

    id: str
    nation: str
    heading: str
    kind: str
    row: Literal["unit", "second weapon", "alt mode"]
    name: str
    parent: str = ""
    sections: Count | None = None
    points: Count | None = None
    ap: Count | None = None
    he: Count | None = None
    flame: bool = False
    ap_range: Count | None = None
    he_range: Count | None = None
    defence: Count | None = None
    armoured: bool = False
    mov_points: Count | None = None
    mov_class: Literal["W", "T", "F", ""] = ""
    road_bonus_foot: Count | None = None
    amph_points: Count | None = None
    cargo_cap: Count | None = None
    tran_req: Count | None = None
    tran_req_alt: Count | None = None
    arc: Literal["", "front", "rear", "sides-rear"] = ""
    indirect: bool = False
    open_top: bool = False
    smoke: bool = False
    p_halved: bool = False
    multi_gun: bool = False
    min_range: Count | None = None
    slow_reload: Count | None = None
    depletion: Count | None = None
    year: Count | None = None
    year_to: Count | None = None
    defence_class: str = ""
    traits: str = ""
    doubt: str = ""

    def has(self, trait: str) -> bool:
        """Return whether the rules treat this stand as one of that kind."""
        return trait in self.traits.split(";")

    @property
    def armed(self) -> bool:
        """Whether the stand has any firepower, so that it counts for the break point [12.1.2]."""
        return bool(self.ap or self.he)


class Aircraft(Row, frozen=True):
    """One row of the aircraft data: an aircraft, or the second load of the aircraft `parent`."""

    id: str
    nation: str
    row: Literal["aircraft", "second ordnance"]
    name: str
    parent: str = ""
    config: Count | None = None
    points: Count | None = None
    strafe_ap: Count | None = None
    strafe_he: Count | None = None
    ord_ap: Count | None = None
    ord_he: Count | None = None
    ord_load: Count | None = None
    year_from: Count | None = None
    year_to: Count | None = None
    doubt: str = ""


class EngagementType(Row, frozen=True):
    """A type of scenario: what the defender may build, and how many points the second force gets, in per cent."""

    type: Engagement
    name: str
    defender_percent: Count
    attacker_percent: Count
    turns: Count
    air_strikes: Literal["nobody", "attacker", "anybody"]
    off_map: bool
    positions: str = ""
    mines: str = ""
    wire_and_ditches: str = ""

    def allows(self, work: str) -> bool:
        """Return whether the defender may buy a kind of position, minefield, wire or ditch, by its first word."""
        return work in f"{self.positions} {self.mines} {self.wire_and_ditches}".split()


class Price(Row, frozen=True):
    """The price of what is no row of the weapons data: points each or added, or per cent of the stand's price."""

    item: str
    points: Count = 0
    percent: Count = 100


class GhqPrice(Row, frozen=True):
    """The price of a general headquarters by its quality, in per cent of the stand's price [SD.6.1.ghq]."""

    quality: Quality
    percent: Count


class Dummies(Row, frozen=True):
    """The dummies for each minefield, in quarters, from a cohesion on [11.1.3]."""

    cohesion: Count
    quarters: Count


class Observers(Row, frozen=True):
    """The forward observers that a doctrine allows: one for a number of infantry stands or guns [7.8.2]."""

    doctrine: Doctrine
    stands: Count
    counts: Literal["infantry", "guns"]
    recon: Literal["every stand", "three stands", "battalion"]
    extra: Count


class Determination(Row, frozen=True, rename={"since": "from", "until": "to"}):
    """A circumstance that changes how many losses a force endures, in per cent of its strength [12.1.9].

    It holds for a nation, an engagement, a role and months where the row names them, and, where `told` names a word,
    only if the players say so.
    """

    circumstance: str
    percent: Annotated[int, Meta(ge=-35, le=35)]
    nations: str = ""
    engagement: str = ""
    role: str = ""
    since: str = ""
    until: str = ""
    told: str = ""


class Density(Row, frozen=True):
    """Terrain density: the factor of the roll for per cent of the ground, and the greatest sight in inches [SD.3.2]."""

    density: DensityName
    factor: Count
    sight: Count


class Charts:
    """All tables. Raises BadInput, with file and line, for a table of a data pack that does not fit."""

    def __init__(self, folder: Folder) -> None:
        self.weapons: Mapping[str, Weapon] = folder.keyed(Weapon, "weapons.csv", lambda row: row.id)
        self.aircraft: Mapping[str, Aircraft] = folder.keyed(Aircraft, "aircraft.csv", lambda row: row.id)
        self.engagements = folder.keyed(EngagementType, "engagement_types.csv", lambda row: row.type)
        self.prices = folder.keyed(Price, "prices.csv", lambda row: row.item)
        self.ghq_prices = folder.keyed(GhqPrice, "ghq_prices.csv", lambda row: row.quality)
        self.dummies = folder.keyed(Dummies, "dummy_minefields.csv", lambda row: row.cohesion)
        self.observers = folder.keyed(Observers, "forward_observers.csv", lambda row: row.doctrine)
        self.determination = folder.keyed(Determination, "determination.csv", lambda row: row.circumstance)
        self.densities = folder.keyed(Density, "terrain_densities.csv", lambda row: row.density)


@loader
def load_charts(pack: Texts) -> Charts:
    """The charts, with a data pack's tables in place of the book's."""
    return Charts(Folder(DATA, pack))


def charts() -> Charts:
    """The book's own charts."""
    return load_charts(OWN)


def whole(value: Fraction) -> int:
    """A number of points as a whole one, halves up: the examples round 517.5 to 518 [RULINGS.md R4]."""
    return int(value + Fraction(1, 2)) if value >= 0 else -int(-value + Fraction(1, 2))
