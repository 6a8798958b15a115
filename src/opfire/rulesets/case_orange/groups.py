"""Groups of indirect fire that the scenario names: units that fire together, and observers [12.2, 12.3.4, 12.4.3]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from opfire.core.errors import BadInput
from opfire.rulesets.case_orange.pieces import Group, Limit, Setting, Unit, UnitId
from opfire.rulesets.case_orange.sections import Indirect, Share

KINDS = ("observation", "party-line", "barrage", "rolling-thunder")


def name_groups(made: Setting, units: Sequence[Unit]) -> None:
    """Note the groups of the scenario, made up of these units. Raises BadInput."""
    groups = [group(made, given, units) for given in made.sections.indirect]
    made.special_observers = tuple(group for group in groups if group.kind == "observation")
    in_play = ("party-line", "barrage", *(["rolling-thunder"] if made.has("16.7") else []))
    made.groups = tuple(group for group in groups if group.kind in in_play)


def group(made: Setting, given: Indirect, units: Sequence[Unit]) -> Group:
    """A group of the scenario, made up of these units. Raises BadInput."""
    if given.side not in made.sides:
        raise BadInput(f"indirect names the side {given.side!r}", "indirect", " or ".join(made.sides))
    if given.kind not in KINDS:
        raise BadInput(f"kind {given.kind!r}", "indirect", ", ".join(KINDS))
    own = [unit for unit in units if unit.side == given.side]
    members = tuple(_named(made, own, given.units))
    limits = tuple(_limit(made, own, members, share) for share in given.limits)
    _check_apart(limits)
    return Group(given.kind, given.side, members, tuple(_named(made, own, given.observers)), given.most, limits)


def _named(made: Setting, own: Sequence[Unit], names: Iterable[str]) -> Iterator[UnitId]:
    """The units of these types, and those named themselves, in the order of the roster."""
    known = {unit.id for unit in own}
    for name in names:
        if name not in made.charts.kinds and name not in known:
            expected = "an id of units.csv, or one unit of the side such as german-3"
            raise BadInput(f"there is no unit {name!r}", "indirect", expected)
    return (unit.id for unit in own if unit.kind.id in names or unit.id in names)


def _limit(made: Setting, own: Sequence[Unit], members: Sequence[UnitId], share: Share) -> Limit:
    limited = tuple(_named(made, own, share.units))
    words = ", ".join(share.units)
    if share.most < 1:
        raise BadInput(f"a limit of {share.most} for {words}", "indirect", "1 or more")
    if not set(limited) <= set(members):
        raise BadInput(f"a limit for {words}, which are not all in the group", "indirect", "some of its units")
    return Limit(limited, share.most)


def _check_apart(limits: Sequence[Limit]) -> None:
    limited = list(chain.from_iterable(limit.members for limit in limits))
    for unit in limited:
        if limited.count(unit) > 1:
            raise BadInput(f"{unit} falls under two limits of a group", "indirect", "each unit in one of them")
