"""The sections of a scenario file of this book beyond the general part: boards, facings at the start, formations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from opfire.core.scenario import Beyond, Strict
from opfire.kit.boards import BoardSections
from opfire.rulesets.panzer.charts import Band, Grade
from opfire.rulesets.panzer.indirect.kinds import Rounds, Sheaf

Label: TypeAlias = Literal["CHQ", "BHQ", "RHQ", "Recon", "Engineer", "FO", "Pathfinder"]
"""The marks of units with special abilities [5.9]; the first three are those of Command units."""

Edge: TypeAlias = Literal["north", "south", "east", "west"]
"""An edge of the map, by which aircraft come in [6.7.2.1, 7.44.2]."""

Some: TypeAlias = dict[str, Annotated[int, Meta(ge=1, le=99)]]
"""Numbers of units by the ids of their Data Cards."""


class Formation(Strict, frozen=True):
    """A formation of a side, typically a company [5.8.2].

    `units` are the numbers of its units by Data Card; those that come first in the side's list of units belong to the
    formation that comes first. Its `grade` is that of its units, too, unless `grades` gives a card another one [5.8.3].
    `labels` says how many units of a card have a label [5.9]; `weapons` are the weapons attached to each leg unit of a
    card [5.1.3]. `cohesion` is the level of its Cohesion Point [7.1.1]; `platoons` are its units platoon by platoon
    [7.3]; `camouflaged` says how many units of a card start so [7.24], `indoors` how many towed units of a card are set
    up inside the building of their hex, if there is one [6.1.4.3.1-a],
    `hidden` how many units of a card start under HIDDEN UNIT counters [7.2.1],
    `searching` how many units of a card start on Random Recon [7.60],
    `delay` for how many turns from the first its units are not ready to act [7.48],
    `leaders` the ranks of those with the first units of a card [7.55].
    """

    name: str
    grade: Grade
    units: Some
    grades: dict[str, Grade] = msgspec.field(default_factory=dict)
    labels: dict[Label, Some] = msgspec.field(default_factory=dict)
    weapons: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    cohesion: str = "average"
    platoons: tuple[Some, ...] = ()
    camouflaged: Some = msgspec.field(default_factory=dict)
    indoors: Some = msgspec.field(default_factory=dict)
    hidden: Some = msgspec.field(default_factory=dict)
    searching: Some = msgspec.field(default_factory=dict)
    delay: Annotated[int, Meta(ge=0, le=99)] = 0
    leaders: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class Battery(Strict, frozen=True):
    """Batteries off the map of one Data Card [5.3]: their `level` of attachment to `formations`, by name [6.5.1.3].

    Without formations they support all of their side. `registered` and `planned` say how many Pre-Registered Points and
    turns of Planned Fire each may plot [6.5.1.4, 6.5.1.11]; `special` counts its smoke and illumination missions, which
    are not counted without it [5.16.2.5]. Those that are `counters` fire at batteries alone [7.28].
    """

    unit: str
    count: Annotated[int, Meta(ge=1, le=9)] = 1
    level: Literal["attached", "organic"] = "organic"
    formations: tuple[str, ...] = ()
    registered: Annotated[int, Meta(ge=0, le=9)] = 0
    planned: Annotated[int, Meta(ge=0, le=5)] = 0
    special: Annotated[int, Meta(ge=0, le=99)] | None = None
    counters: bool = False


class Squadron(Strict, frozen=True):
    """Aircraft of a side: their Data Card, number, Unit Grade and load [6.7.1].

    Those whose card has bombs and rockets carry only the one that `load` names. `turns` are those of their first
    appearance, `edges` the edges by which they may come then; none means any of them [6.7.2.1].
    """

    unit: str
    count: Annotated[int, Meta(ge=1, le=20)] = 1
    grade: Grade = "seasoned"
    load: Literal["bombs", "rockets"] = "bombs"
    turns: tuple[Annotated[int, Meta(ge=1, le=99)], ...] = ()
    edges: tuple[Edge, ...] = ()


class Lift(Strict, frozen=True):
    """A glider of a side: its Data Card, its turn, its Arrival Area, the Data Cards of its passengers [7.44.2]."""

    unit: str
    turn: Annotated[int, Meta(ge=1, le=99)]
    edge: Edge
    passengers: tuple[str, ...]


class Stick(Strict, frozen=True):
    """Paratroops of a side: the numbers of units by Data Card, the turn of their drop, the Drop Zone hex [7.44.1]."""

    units: Some
    turn: Annotated[int, Meta(ge=1, le=99)]
    hex: str


class Force(Beyond, frozen=True):
    """The section of a side: the direction in which its units start (0 north, clockwise, to 5), and its formations.

    `grade` is its Force Grade [5.8.1]. A side without formations is a single one of that grade. `army` is its row of
    the Cohesion Modifiers Table [7.1.1.1-roll]. `batteries` are its artillery off the map [5.3]. `aircraft`
    belong to no formation [6.7]. `hidden_counters` limits its HIDDEN UNIT counters, fakes included [7.2.2].
    """

    facing: Annotated[int, Meta(ge=0, le=5)] = 0
    grade: Grade = "seasoned"
    formations: tuple[Formation, ...] = ()
    army: str = ""
    hidden_counters: Annotated[int, Meta(ge=0, le=50)] = 0
    batteries: tuple[Battery, ...] = ()
    aircraft: tuple[Squadron, ...] = ()
    drops: tuple[Stick, ...] = ()
    gliders: tuple[Lift, ...] = ()


class Khamsin(Strict, frozen=True):
    """A sandstorm: rows of the spotting ranges, and modifiers to AP and GP direct fire [7.36.4]."""

    spotting: Annotated[int, Meta(ge=-9, le=0)] = 0
    ap: Annotated[int, Meta(ge=-20, le=0)] = 0
    gp: Annotated[int, Meta(ge=-100, le=0)] = 0


class Sun(Strict, frozen=True):
    """The rising or setting sun: the edge of the map over which it stands, and its modifiers [6.1.4.3.13]."""

    edge: Edge | Literal[""] = ""
    ap: Annotated[int, Meta(ge=-20, le=0)] = 0
    gp: Annotated[int, Meta(ge=-100, le=0)] = 0


class Tinder(Strict, frozen=True):
    """Woods or groves that burn like a building, with a modifier to the roll for a fire [7.35.4]."""

    like: Literal["wood building", "brick building", "stone building"]
    modifier: Annotated[int, Meta(ge=-50, le=50)] = 0


Trees: TypeAlias = Literal["light grove", "medium grove", "light woods", "woods", "heavy woods"]
"""The terrain that burns only where the scenario says so [7.35.4]."""


class Conditions(Strict, frozen=True):
    """Time of day, weather and weights of a scenario, for the options that use them [7.32, 7.36].

    `visibility` are rows of the spotting ranges; `cautious` movement is of limited or very limited visibility; snow or
    mud lies in `hexes`, or everywhere; `ice` on streams and each of the `bridges` bears this many tons. `defences` are
    GP Defense Factors [6.5.4.2.5-scen]; terrain without one is not attacked. Vehicles raise `dust` [6.1.4.3.12], and a
    `khamsin` blows [7.36.4]. `light` weighs on paratroops [7.44.1.1-3].
    The roads of `narrow` hexes take one unit after the other [7.30-enter]; `runways` and taxiways are
    Paths that wrecks do not bar [7.59.4-move]. On the `strips`, each a runway from end to end, aircraft land
    [7.59.4-arm]. Impassable `streams` are closed like water [7.34, 7.44.1.2-2]. `random_recon` are the hexes that
    searching units may go, for rolls from 1 to 10 [7.60.1-dir]. For want of `tungsten` Germans add so much to rolls for
    the Ammo Limits of APCR, or have none [5.16.2.7]. Trees named in `tinder` burn like buildings [7.35.4]; the roofs of
    `desert_buildings` are flat [4.1.4.1.3.1]. `heat_haze` shimmers [6.5.2.4-haze], and the `sun` blinds [6.1.4.3.13].
    """

    light: Literal["day", "dusk", "moonlight"] = "day"
    visibility: Annotated[int, Meta(ge=-5, le=0)] = 0
    cautious: Literal["", "limited", "very limited"] = ""
    ground: Literal["", "snow", "mud"] = ""
    hexes: tuple[str, ...] = ()
    narrow: tuple[str, ...] = ()
    runways: tuple[str, ...] = ()
    strips: tuple[tuple[str, ...], ...] = ()
    desert_buildings: bool = False
    dust: bool = False
    tinder: dict[Trees, Tinder] = msgspec.field(default_factory=dict)
    tungsten: Literal["+1", "+2", "none"] = "+1"
    heat_haze: bool = False
    sun: Sun = Sun()
    khamsin: Khamsin = Khamsin()
    streams: Literal["", "impassable"] = ""
    ice: Annotated[int, Meta(ge=0, le=200)] | None = None
    random_recon: Annotated[tuple[Annotated[int, Meta(ge=1, le=20)], ...], Meta(min_length=10, max_length=10)] = (
        *(1, 1, 2, 2, 3),
        *(3, 4, 4, 5, 5),
    )
    defences: dict[str, Annotated[int, Meta(ge=1, le=10)]] = msgspec.field(default_factory=dict)
    bridges: dict[str, Annotated[int, Meta(ge=0, le=200)]] = msgspec.field(default_factory=dict)


class Laid(Strict, frozen=True):
    """For cases: fire that lies on the map as the case begins; without an `observer` it is Planned Fire [6.5.1.8].

    `firer` is a battery or a unit, `at` the Target Point; `toward` is the direction of a linear pattern. Fire `astray`
    fell on its own side [6.5.1.10]; `band` is its GP Range Factor.
    """

    firer: str
    at: str
    observer: str = ""
    rounds: Rounds = "gp"
    sheaf: Sheaf = "closed"
    toward: Annotated[int, Meta(ge=0, le=5)] = 0
    astray: bool = False
    band: Band = "M"


class Plot(Strict, frozen=True):
    """For cases: a battery's Planned Fire of a `turn`, or without one a Pre-Registered Point [6.5.1.4, 6.5.1.11.1]."""

    firer: str
    at: str
    turn: Annotated[int, Meta(ge=0, le=99)] = 0
    rounds: Rounds = "gp"
    sheaf: Sheaf = "closed"
    toward: Annotated[int, Meta(ge=0, le=5)] = 0


class Muster(Strict, frozen=True):
    """For cases: a formation, by the name that its units give [5.8.2].

    Without a `grade` it has that of its side or of its units. `cohesion` is the level of its Cohesion Point, `army` its
    row of the Cohesion Modifiers Table [7.1.1]; for the turns of its `delay` it is surprised [7.48].
    """

    grade: Grade | None = None
    cohesion: str = "average"
    army: str = ""
    delay: Annotated[int, Meta(ge=0, le=99)] = 0


class PanzerSections(BoardSections, frozen=True):
    """The sections of a scenario file; before their dates special rounds cannot be fired [5.16.1].

    `date` is the year and month, such as `1943-07`; without one all rounds of the cards are there. The `missions`,
    `plots`, `formations` and `order` are for cases alone; `order` are the formations that have had the initiative in
    this turn, the last of them as it fires [7.42.1].
    """

    date: Annotated[str, Meta(pattern=r"^([0-9]{4}-[0-9]{2})?$")] = ""
    sides: Mapping[str, Force] = msgspec.field(default_factory=dict)
    conditions: Conditions = Conditions()
    missions: tuple[Laid, ...] = ()
    plots: tuple[Plot, ...] = ()
    formations: Mapping[str, Muster] = msgspec.field(default_factory=dict)
    order: tuple[str, ...] = ()
