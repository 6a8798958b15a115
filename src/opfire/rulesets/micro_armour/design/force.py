"""The check of a force: points, dates and limits, each fault with its rule.

The organisation tables are not in the rulebook: which company has how many guns is not judged [SD.2.1].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from opfire.core.errors import BadInput
from opfire.core.forces import Fault, Forces, Item, Report, Step, Sum
from opfire.kit.calibres import calibre_of
from opfire.rulesets.micro_armour.charts import CALIBRES, Charts, Doctrine, EngagementType, Month, Weapon, charts
from opfire.rulesets.micro_armour.design import allowance, determination, observers, prices
from opfire.rulesets.micro_armour.design.files import Force, Formation, read_force
from opfire.rulesets.micro_armour.design.form import WORKS, form
from opfire.rulesets.micro_armour.design.offers import ANYBODY, air_force, nations, offers
from opfire.rulesets.micro_armour.design.prices import Bought

IMPROVED_AMMUNITION: Month = "1944-09"
WESTERN = ("United States", "UK / Commonwealth", "France")
REGIMENT = 3
"""The battalions of a regiment or brigade [10.1.4, 12.3.3.3]."""

HEAVY_GUN = 57
"""The least calibre in mm of guns that may have improved ammunition [12.9]."""

HEAVY_FIRE = 6
"""The least armour piercing firepower of such guns in the tables, for those whose calibre nobody tells."""

TANK_GUNS = ("tank", "anti-tank", "armoured-car-recon")
"""The kinds of stands with tank and anti-tank guns [12.9]."""

BOAT_CARGO = 8
"""The capacity that a transport of fording boats needs [8.9.4]."""


def check_force(force: Mapping[str, Any], name: str) -> Report:
    """The bill and the faults of a force from the file of that name. Raises BadInput for a file that cannot be read."""
    return Judge(charts(), read_force(force, name), name).report()


# --- the check ------------------------------------------------------------------------------------------------


class Judge:
    """One force beside the charts. Raises BadInput for a weapon, aircraft or circumstance that does not exist."""

    def __init__(self, charts: Charts, force: Force, name: str) -> None:
        self.charts, self.force, self.name = charts, force, name
        self.type: EngagementType = charts.engagements[force.engagement]
        self.turns = force.turns or self.type.turns
        self._know_all()
        self.bill = list(self._bill())
        self.allowance = self._allowance()

    def report(self) -> Report:
        """The bill, and all faults in the order of the rulebook's steps."""
        points = sum(item.points for item in self.bill)
        return Report(
            title=self.force.title,
            allowance=self.allowance,
            bill=self.bill,
            points=points,
            unused=self.allowance[-1].points - points,
            figures={
                "forward observers without a price": self._observers_allowed(),
                "determination, per cent": self._percent(),
                **self._nerve(),
            },
            faults=list(self._faults(points)),
        )

    # --- determination

    def _percent(self) -> int:
        """The losses that the force endures, in per cent: as agreed, or by its circumstances [12.1.2, 12.1.9]."""
        if self.force.determination is not None:
            return self.force.determination
        nation, date, told = self.force.nation, self.force.date, self.force.circumstances
        rows = determination.circumstances(self.charts, nation, self.force.engagement, self.force.role, date, told)
        return determination.BASE + sum(row.percent for row in rows)

    def _nerve(self) -> dict[str, int]:
        """The combat stand points and the break point of the force [12.1.2].

        With several general headquarters each has a part of the force, and a break point of that part [12.1.6]. A file
        does not say which formations obey which of them, so their players add up the points of the formations.
        """
        points = {formation.name: 0 for formation in self.force.formations}
        for formation, bought in self._stands():
            points[formation.name] += _combat_points(self.charts.weapons[bought.weapon], bought)
        combat, general = sum(points.values()), sum(b.count for _, b in self._stands() if b.ghq is not None)
        if general > 1:
            parts = {f"combat stand points of {name}": own for name, own in points.items()}
            return {"general headquarters, each with a break point of its own": general, **parts}
        return {"combat stand points": combat, "break point": determination.break_point(combat, self._percent())}

    # --- the bill

    def _stands(self) -> Iterator[tuple[Formation, Bought]]:
        for formation in self.force.formations:
            for bought in formation.stands:
                yield formation, bought

    def _bill(self) -> Iterator[Item]:
        """The bill: stands, batteries off the map, works, air strikes and further observers are all paid [SD.0.1]."""
        for formation, bought in self._stands():
            steps = prices.each(self.charts, bought, self.turns)
            yield _item(formation.name, bought.count, self.charts.weapons[bought.weapon].name, steps)
        for field, item in WORKS.items():
            if count := getattr(self.force.works, field):
                row = self.charts.prices[item]
                yield _item("works", count, item, (Step(item, row.points, row.rule),))
        for strike in self.force.strikes:
            plane = self.charts.aircraft[strike.aircraft]
            yield _item("air strikes", strike.count, plane.name, (Step(plane.name, plane.points or 0, "SD.6.3.air"),))
        if extra := self.force.observers - self._observers_allowed():
            if extra > 0:
                price = self.charts.observers[self._doctrine()].extra
                yield _item("forward observers", extra, "observer", (Step("forward observer", price, "7.8.2"),))

    def _allowance(self) -> Sum:
        given, own = self.force.allowance, self.force.cohesion
        if given.points is not None:
            return (Step("points as agreed", given.points, "SD.4.0"),)
        if given.known is not None and given.cohesion is not None:
            if given.determination is not None and self.force.role == "attacker":
                both = (given.determination, self._percent())
                return allowance.for_determination(given.known, self.type, (given.cohesion, own), both)
            return allowance.against_known(given.known, self.type, self.force.role, given.cohesion, own)
        if given.base is not None:
            base = allowance.after_auction(given.base, given.bid)
            if self.force.role == "attacker":
                return base
            if given.cohesion is not None:
                return allowance.defenders(base, self.type, given.cohesion, own)
        raise BadInput(
            "the allowance cannot be worked out",
            self.name,
            "points; base, with the attackers' cohesion; or known and cohesion",
        )

    def _know_all(self) -> None:
        for _, bought in self._stands():
            if bought.weapon not in self.charts.weapons:
                raise BadInput(f"unknown weapon {bought.weapon!r}", self.name, "an id from opfire force list")
            if bought.count < 1 or (bought.fire_turns is not None and not 0 < bought.fire_turns <= self.turns):
                raise BadInput(f"{bought.weapon}: a count or a number of turns", self.name, "a number from 1")
            if bought.boats not in ("", "fast", "slow"):
                raise BadInput(f"{bought.weapon}: boats {bought.boats!r}", self.name, "fast or slow")
            if self.charts.weapons[bought.weapon].row != "unit":
                raise BadInput(f"{bought.weapon} is the second weapon of another stand", self.name, "the stand itself")
        for strike in self.force.strikes:
            if strike.aircraft not in self.charts.aircraft or self.charts.aircraft[strike.aircraft].parent:
                raise BadInput(f"unknown aircraft {strike.aircraft!r}", self.name, "an id from opfire force list")
        for word in self.force.circumstances:
            if word not in determination.told_words(self.charts):
                told = ", ".join(determination.told_words(self.charts))
                raise BadInput(f"unknown circumstance {word!r}", self.name, told)
        if self.force.nation not in nations():
            raise BadInput(f"unknown nation {self.force.nation!r}", self.name, ", ".join(nations()))

    # --- the faults

    def _faults(self, points: int) -> Iterator[Fault]:
        yield from self._overspent(points)
        yield from self._dates()
        yield from self._headquarters()
        yield from self._kinds()
        yield from self._works()
        yield from self._support()
        yield from self._observers()

    def _overspent(self, points: int) -> Iterator[Fault]:
        """No force costs more than its allowance; points that are left over are lost [SD.6.3.limit]."""
        most = self.allowance[-1].points
        if points > most:
            yield Fault("", f"The force costs {points} points; {most} may be spent.", "SD.6.3.limit")

    def _dates(self) -> Iterator[Fault]:
        """Weapons and aircraft of the nation and the year [WD.year, AD.year]."""
        year = int(self.force.date[:4])
        for formation, bought in self._stands():
            weapon = self.charts.weapons[bought.weapon]
            if weapon.nation not in (self.force.nation, ANYBODY):
                yield Fault(formation.name, f"{weapon.name} belongs to {weapon.nation}.", "SD.2.1")
            if weapon.year is not None and weapon.year > year:
                yield Fault(formation.name, f"{weapon.name} appears in {weapon.year}.", "WD.year")
            if weapon.year_to is not None and weapon.year_to < year:
                yield Fault(formation.name, f"{weapon.name} is in use until {weapon.year_to}.", "WD.year")
        for strike in self.force.strikes:
            row = self.charts.aircraft[strike.aircraft]
            if air_force(self.force.nation) != row.nation:
                yield Fault("air strikes", f"{row.name} belongs to {row.nation}.", "SD.2.1")
            if row.year_from and row.year_to and not row.year_from <= year <= row.year_to:
                yield Fault("air strikes", f"{row.name} serves from {row.year_from} to {row.year_to}.", "AD.year")

    def _headquarters(self) -> Iterator[Fault]:
        """One HQ a battalion, one GHQ a regiment, at least one GHQ [10.1.1, 10.1.4].

        General headquarters off the map do not count: they issue no orders [10.1.5].
        """
        general = sum(b.count for _, b in self._stands() if b.ghq is not None and not b.off_map)
        battalions = sum(f.size == "battalion" for f in self.force.formations)
        wanted = max(1, battalions // REGIMENT)
        if general < wanted:
            has = _named(general, "general headquarters on the map").lower()
            yield Fault("", f"The force has {has}, but it needs {wanted}.", "10.1.4")
        for formation in self.force.formations:
            general_there = any(b.ghq is not None for b in formation.stands)
            if formation.size == "battalion" and not (general_there or self._led(formation)):
                yield Fault(formation.name, "A battalion has a headquarters stand.", "10.1.1")
            for bought in formation.stands:
                if bought.hq and bought.ghq is not None:
                    yield Fault(formation.name, "A stand is a headquarters or a general headquarters.", "10.1.1")

    def _led(self, formation: Formation) -> bool:
        return any(_leads(self.charts.weapons[b.weapon], b) for b in formation.stands)

    def _kinds(self) -> Iterator[Fault]:
        """Whether each stand can be what it was bought as [10.1.1, 11.5.2, 12.9, 8.9.4, 6.3]."""
        for formation, bought in self._stands():
            weapon = self.charts.weapons[bought.weapon]
            for what, rule in _misused(weapon, bought, self.force):
                yield Fault(formation.name, f"{weapon.name} {what}.", rule)
        boats = sum(b.count for _, b in self._stands() if b.boats)
        carriers = sum(
            b.count for _, b in self._stands() if (self.charts.weapons[b.weapon].cargo_cap or 0) >= BOAT_CARGO
        )
        if boats and not carriers:
            yield Fault("", "Fording boats away from water need a transport of capacity 8.", "8.9.4")

    def _works(self) -> Iterator[Fault]:
        """Works for the defender, of the kinds that the engagement allows, and no more dummies than allowed."""
        works = self.force.works
        for field, work in WORKS.items():
            count = getattr(works, field)
            if not count or field == "dummies":
                continue
            if self.force.role == "attacker":
                yield Fault("works", f"The attacker may buy no {work}.", self.type.rule)
            elif not self.type.allows(field):
                yield Fault("works", f"{self.type.name} allows no {work}.", self.type.rule)
        yield from self._light_positions()
        real = works.hasty + works.standard + works.concentrated
        most = prices.dummies_allowed(self.charts, self.force.cohesion, real)
        if works.dummies > most:
            words = f"With cohesion {self.force.cohesion}, {real} minefields allow {most} dummies."
            yield Fault("works", words, "11.1.3")

    def _light_positions(self) -> Iterator[Fault]:
        """In a reconnaissance in force they are for personnel and weapons stands only [SD.1.B.composition]."""
        stands = sum(b.count for _, b in self._stands() if _digs_in(self.charts.weapons[b.weapon]) and not b.off_map)
        if self.force.engagement == "reconnaissance-in-force" and self.force.works.light > stands:
            words = f"{self.type.name} has light positions for personnel and weapons only: {stands} at most."
            yield Fault("works", words, self.type.rule)

    def _support(self) -> Iterator[Fault]:
        """Off-map guns, air strikes and air coordinators [SD.1.A.composition, SD.1.B.composition, 12.3.3.3]."""
        if not self.type.off_map and any(b.off_map for _, b in self._stands()):
            yield Fault("", f"{self.type.name} has no guns off the map.", self.type.rule)
        if self.force.strikes and self.type.air_strikes not in ("anybody", self.force.role):
            yield Fault(
                "air strikes", f"{self.type.name} gives no air strikes to the {self.force.role}.", self.type.rule
            )
        if not self.force.coordinators:
            return
        if self.force.engagement == "meeting-engagement":
            yield Fault("", "A meeting engagement has no air coordinators.", "12.3.3.3")
        if not observers.may_coordinate(self.force.nation, self.force.date, self.force.marines):
            yield Fault("", f"{self.force.nation} has no air coordinators in {self.force.date}.", "12.3.3.3")
        groups = sum(f.size == "battalion" for f in self.force.formations) // REGIMENT
        if self.force.coordinators > groups:
            words = f"{_named(groups, 'air coordinator')} at most: one for each group of three battalions."
            yield Fault("", words, "12.3.3.3")

    def _observers(self) -> Iterator[Fault]:
        """Observers ride in stands: no more of them than stands [SD.6.3.fo]."""
        stands = sum(b.count for _, b in self._stands() if not b.off_map)
        if self.force.observers + self.force.coordinators > stands:
            yield Fault("", "Each observer needs a stand of its own to ride in.", "SD.6.3.fo")

    def _doctrine(self) -> Doctrine:
        return observers.doctrine(self.force.nation, self.force.date)

    def _observers_allowed(self) -> int:
        """The observers without a price [SD.6.3.fo, 7.8.2]; a general headquarters is none [7.6.4.1]."""
        doctrine, weapons = self._doctrine(), self.charts.weapons
        counting = sum(b.count for _, b in self._stands() if observers.directs_for(weapons[b.weapon], doctrine))
        battalions = sum(f.size == "battalion" and self._led(f) for f in self.force.formations)
        recon = [self._scouts(f) for f in self.force.formations if f.reconnaissance]
        return observers.allowed(self.charts, doctrine, battalions, counting, recon)

    def _scouts(self, unit: Formation) -> int:
        """The stands of a reconnaissance unit that are no transports [7.8.2]: RULINGS.md R149."""
        return sum(b.count for b in unit.stands if not observers.is_transport(self.charts.weapons[b.weapon]))


def _item(formation: str, count: int, name: str, steps: Sum) -> Item:
    return Item(formation, count, name, steps[-1].points, steps[-1].points * count, steps)


def _named(count: int, thing: str) -> str:
    return f"{count or 'No'} {thing}"


def _combat_points(weapon: Weapon, bought: Bought) -> int:
    """The combat stand points of stands: HQs two each, GHQs three, other armed stands one [12.1.2]."""
    one = 3 if bought.ghq is not None else 2 if _leads(weapon, bought) else int(weapon.armed)
    return one * bought.count


def _leads(weapon: Weapon, bought: Bought) -> bool:
    """Whether stands are headquarters, but not general ones; those of the infantry always are [10.1.1]."""
    return bought.ghq is None and (bought.hq or weapon.has("hq"))


def _digs_in(weapon: Weapon) -> bool:
    """Whether a stand is personnel or a weapon, for which alone light positions may be bought [SD.1.B.composition]."""
    return not weapon.armoured and weapon.mov_class not in ("W", "T") and weapon.kind != "transport"


def _misused(weapon: Weapon, bought: Bought, force: Force) -> Iterator[tuple[str, str]]:
    """The uses for which a stand was bought and which it cannot have, with the rules."""
    if (bought.hq or bought.ghq is not None) and not (weapon.armed or weapon.has("hq")):
        yield "is no headquarters: only infantry headquarters and weapons become such", "10.1.1"
    if bought.engineers and weapon.defence_class != "personnel":
        yield "is no infantry: only infantry stands become engineers", "11.5.2"
    if bought.engineering and not weapon.armoured:
        yield "is no armoured vehicle that takes blades or bridges", "SD.6.2.engineers"
    if bought.off_map and not weapon.indirect:
        yield "cannot fire indirectly from off the map", "7.7.1"
    if bought.fire_turns is not None and not bought.off_map:
        yield "is on the map and pays for all turns", "7.9"
    if weapon.has("off_map_only") and not bought.off_map:
        yield "fires from off the map only", "7.7.1"
    if bought.boats and (weapon.defence_class != "personnel" or _mounted(weapon)):
        yield "takes no fording boats: only infantry on foot does", "8.9.4"
    if bought.improved_ammunition and not _late_gun(weapon, force):
        yield (
            "has no improved ammunition: western tank and anti-tank guns of 57 mm and more have it from September 1944",
            "12.9",
        )


def _mounted(weapon: Weapon) -> bool:
    return any(weapon.has(trait) for trait in ("cavalry", "motorcycle", "bicycle"))


def _late_gun(weapon: Weapon, force: Force) -> bool:
    """Whether a tank or anti-tank gun of 57 mm or more may have improved ammunition [12.9]."""
    western = force.nation in WESTERN and force.date >= IMPROVED_AMMUNITION
    return western and weapon.kind in TANK_GUNS and not weapon.flame and _is_heavy(weapon)


def _is_heavy(weapon: Weapon) -> bool:
    """Whether a gun has 57 mm or more [12.9]; many names tell pounds or none."""
    calibre = calibre_of(CALIBRES, [weapon.id])
    return calibre >= HEAVY_GUN if calibre else (weapon.ap or 0) >= HEAVY_FIRE


FORCES = Forces(check=check_force, offers=offers, form=form)
