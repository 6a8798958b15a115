"""Ways to win that are no matter of points [SD.1.0]: losses in per cent, places held, stands that have got away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from opfire.core.errors import BadInput
from opfire.core.game import Outcome
from opfire.core.places import Point, text
from opfire.core.texts import Text, in_english, joined, say
from opfire.kit.whereabouts import located
from opfire.rulesets.micro_armour.pieces import Position, Setting, Side, Stand
from opfire.rulesets.micro_armour.sections import Decision
from opfire.space.terrain.exact import box

LEVELS = "marginal", "decisive"
"""The levels of victory, the lower one first."""


def outcome(position: Position) -> Outcome:
    """The end of a game with decisions: the highest level that one side alone has reached, else a draw."""
    winner, level, why = _decided(position)
    return Outcome(winner, level, in_english(why))


def reason(position: Position) -> Text:
    """The reason of that end."""
    return _decided(position)[2]


def _decided(position: Position) -> tuple[Side | None, str, Text]:
    """The winner, the level of victory and the reason."""
    for level in reversed(LEVELS):
        met = [each for each in position.setting.sections.decisions if each.level == level and is_met(position, each)]
        winners = {each.side for each in met}
        if len(winners) == 1:
            (side,) = winners
            name = position.setting.scenario.sides[side].name
            return side, level, Text("{} {} victory: {}", (name, level, in_words(position.setting, met[0])))
        if winners:
            return None, "draw", Text("A draw: both sides can claim a {} victory", (level,))
    return None, "draw", Text("A draw: neither side has done what it had to do")


def ends_now(position: Position) -> bool:
    """Return whether a decision that ends the game at once is met."""
    return any(each.at_once and is_met(position, each) for each in position.setting.sections.decisions)


def is_met(position: Position, decision: Decision) -> bool:
    """Return whether all that a decision names is met."""
    own, other = decision.side, position.setting.other[decision.side]
    return (
        _part_lost(position, other, decision) >= decision.destroyed
        and _spared(position, decision)
        and len(lost(position, other)) >= decision.eliminated
        and len(away(position, decision)) >= decision.exits
        and all(holds(position, own, name) for name in decision.hold)
        and all(position.control.get(name) == own for name in decision.control)
    )


def lost(position: Position, side: Side) -> list[Stand]:
    """The stands of a side that are eliminated; the horses of cavalry are no stands of its own: RULINGS.md R76."""
    return [unit for unit in position.pick(position.setting.ids[side]) if unit.status == "eliminated" and counts(unit)]


def counts(unit: Stand) -> bool:
    """Return whether a stand is one of its force: horses belong to their riders [10.10.5]."""
    return not unit.kind.has("horses")


def away(position: Position, decision: Decision) -> list[Stand]:
    """The stands that have left the table by one of their exits and count for a decision."""
    side = decision.side
    left = [unit for unit in position.pick(position.setting.ids[side]) if unit.status == "exited" and counts(unit)]
    exits = position.setting.exits[side]
    return [unit for unit in left if position.left.get(unit.id) in exits and unit.kind.kind not in decision.except_]


def _spared(position: Position, decision: Decision) -> bool:
    """Return whether the side of a decision has lost no more of its own than that allows."""
    return _part_lost(position, decision.side, decision) <= decision.lost


def _part_lost(position: Position, side: Side, decision: Decision) -> float:
    """The part of a side's stands that is lost, in per cent; exact enough, for counts are small."""
    whole = [*_counted(position.pick(position.setting.ids[side]), decision)]
    return 100 * len(lost(position, side)) / len(whole) if whole else 0


def _counted(units: Iterable[Stand], decision: Decision) -> Iterator[Stand]:
    on_table = (unit for unit in units if decision.counted == "all" or unit.status != "off the map")
    return filter(counts, on_table)


def holds(position: Position, side: Side, name: str) -> bool:
    """Return whether a side holds a feature: it alone has stands in it, and one of them is armed."""
    return any(unit.kind.armed for unit in _inside(position, side, name)) and not any(
        True for _ in _inside(position, position.setting.other[side], name)
    )


def contesters(position: Position, side: Side) -> dict[str, list[Stand]]:
    """The enemy stands in each feature that a side wants to hold: one is enough to deny it."""
    found = {name: [*_inside(position, position.setting.other[side], name)] for name in to_hold(position, side)}
    return {name: stands for name, stands in found.items() if stands}


def vacant(position: Position, side: Side, place: Point) -> bool:
    """Return whether a place lies in a feature that a side wants to hold, and no armed stand of it is in there."""
    names = {feature.name for feature in position.setting.covering(place, 0)} & {*to_hold(position, side)}
    return any(not any(unit.kind.armed for unit in _inside(position, side, name)) for name in names)


def to_hold(position: Position, side: Side) -> Iterator[str]:
    """The features that a side has to hold alone, each once."""
    decisions = (each for each in position.setting.sections.decisions if each.side == side)
    yield from dict.fromkeys(name for each in decisions for name in each.hold)


def _inside(position: Position, side: Side, name: str) -> Iterator[Stand]:
    for unit in position.of(side):
        assert unit.at is not None
        if any(feature.name == name for feature in position.setting.covering(unit.at, unit.facing)):
            yield unit


# --- in words ---------------------------------------------------------------------------------------------------


def in_words(setting: Setting, decision: Decision) -> Text:
    """A decision as a sentence."""
    parts = [*_parts(setting, decision)]
    return joined(parts, "; ") if parts else Text("unless the enemy does what it has to do")


def _parts(setting: Setting, decision: Decision) -> Iterator[Text]:
    if decision.destroyed:
        yield Text("eliminate {}% of the enemy's stands", (decision.destroyed,))
    if decision.lost < 100:
        yield Text("lose {}% of your own at most", (decision.lost,))
    if decision.eliminated:
        yield Text("eliminate {} stands", (decision.eliminated,))
    if decision.exits:
        yield Text("bring {} stands off the table", (decision.exits,))
    if decision.hold or decision.control:
        yield _hold(setting, decision.hold, decision.control)


def _hold(setting: Setting, features: Iterable[str], objectives: Iterable[str]) -> Text:
    """The task to hold features, which have names, and objectives, which are told by their whereabouts."""
    ground = setting.table.ground
    points = (located(ground, setting.objectives[name], name) for name in objectives)
    return Text("hold {}", (joined((*features, *points), " and "),))


def shown(position: Position) -> dict[str, Any]:
    """The part of a view that says how the game would be decided now; empty for a scenario with points."""
    found = position.setting.sections.decisions
    if not found:
        return {}
    now = outcome(position)
    gaps = (_gap(position, side) for side in position.setting.sides)
    return {
        "victory": [_shown(position, each) for each in found],
        "standing": say("{} (if the game ended now)", reason(position)),
        "now": {"winner": now.winner, "level": now.level},
        "fallen": {side: len(lost(position, side)) for side in position.setting.sides},
        "gaps": [gap for gap in gaps if gap is not None],
    }


def _gap(position: Position, side: Side) -> dict[str, Any] | None:
    """The next level of victory that a side can still reach, and what it lacks for that."""
    for level in LEVELS:
        ways = [each for each in position.setting.sections.decisions if (each.side, each.level) == (side, level)]
        if any(is_met(position, each) for each in ways):
            continue
        way = next((each for each in ways if _spared(position, each)), None)
        if way is not None:
            lacks = say(joined(_lacking(position, way), "; "))
            return {"side": side, "winner": side, "level": level, "lacks": lacks}
    return None


def _lacking(position: Position, decision: Decision) -> Iterator[Text]:
    """The tasks still to be done for a decision whose own losses are no more than allowed."""
    own, other = decision.side, position.setting.other[decision.side]
    whole = len([*_counted(position.pick(position.setting.ids[other]), decision)])
    fallen = len(lost(position, other))
    stands = max(-(-decision.destroyed * whole // 100), decision.eliminated) - fallen
    if stands > 0:
        yield Text("eliminate {} more stand" if stands == 1 else "eliminate {} more stands", (stands,))
    exits = decision.exits - len(away(position, decision))
    if exits > 0:
        words = "bring {} more stand off the table", "bring {} more stands off the table"
        yield Text(words[exits > 1], (exits,))
    features = [name for name in decision.hold if not holds(position, own, name)]
    objectives = [name for name in decision.control if position.control.get(name) != own]
    if features or objectives:
        yield _hold(position.setting, features, objectives)


def _shown(position: Position, decision: Decision) -> dict[str, Any]:
    return {
        "side": decision.side,
        "kind": "decision",
        "text": say("{}: {}", decision.level, in_words(position.setting, decision)),
        "have": int(is_met(position, decision)),
        "want": 1,
        "points": 0,
        "each": 0,
        "places": [*decision.control, *_middles(position, decision.hold)],
    }


def _middles(position: Position, names: Iterable[str]) -> Iterator[str]:
    """The middle of each feature that has one of these names."""
    return (text(at) for at in _centres(position.setting, names))


def middle(setting: Setting, name: str) -> Point:
    """The middle of a feature."""
    return next(_centres(setting, (name,)))


def _centres(setting: Setting, names: Iterable[str]) -> Iterator[Point]:
    for feature in setting.table.ground.features:
        if feature.name in names and feature.parts:
            west, north, east, south = box(feature.points)
            yield (west + east) // 2, (north + south) // 2


def check(made: Setting) -> None:
    """Check the names in the decisions of a scenario. Raises BadInput."""
    names = {feature.name for feature in made.table.ground.features}
    for number, each in enumerate(made.sections.decisions, 1):
        where = f"decisions[{number}]"
        if each.side not in made.sides:
            raise BadInput(f"there is no side {each.side!r}", where, ", ".join(made.sides))
        for name in each.hold:
            if name not in names:
                raise BadInput(f"there is no feature {name!r}", where, ", ".join(sorted(filter(None, names))))
        for name in each.control:
            if name not in made.objectives:
                raise BadInput(f"{name!r} is no objective", where, ", ".join(made.objectives))
