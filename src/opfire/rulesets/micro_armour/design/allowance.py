"""Steps 4 to 6: the points that each player may spend.

Each sum is a calculation with its lines, as players write it on paper: every product is rounded before the next.
"""

from __future__ import annotations

from fractions import Fraction

from opfire.core.forces import Step, Sum
from opfire.rulesets.micro_armour.charts import EngagementType, Role, whole


def ratio(other: int, own: int) -> Fraction:
    """The cohesion of the other force over one's own, to two decimals [SD.6.4.b]."""
    return Fraction(whole(Fraction(other * 100, own)), 100)


def after_auction(base: int, bid: int) -> Sum:
    """The point base without what its player bid for the choice of edge; both players lose their bids [SD.5].

    The base is what a player may spend before bids, cohesion and the ratio of forces change it [SD.0.3].
    """
    return (
        Step("point base", base, "SD.4.0"),
        Step("less the bid for the edge", base - bid, "SD.5"),
    )


def defenders(base: Sum, type: EngagementType, other: int, own: int) -> Sum:
    """Player B's points, from a base after the auction and both cohesions [SD.6.4.b]."""
    return _balanced(base, type.defender_percent, other, own, "SD.6.4.b")


def against_known(points: int, type: EngagementType, role: Role, other: int, own: int) -> Sum:
    """The points of a force that is to meet a known one, as its attacker or defender [SD.6.4.alt].

    `points` are the stands, fieldworks and special units of a historical order of battle, added up [SD.4.1].
    """
    percent = type.defender_percent if role == "defender" else type.attacker_percent
    return _balanced((Step("points of the known force", points, "SD.4.1"),), percent, other, own, "SD.6.4.alt")


def for_determination(
    known: int, type: EngagementType, cohesion: tuple[int, int], determination: tuple[int, int]
) -> Sum:
    """Player A's points, balanced for the determination of both forces [SD.6.5].

    `known` are Player B's points; `cohesion` and `determination` (per cent) name Player B's value, then Player A's.
    """
    theirs, ours = cohesion
    steps = [Step("points of the defender", known, "SD.6.4.b")]

    def then(label: str, factor: Fraction) -> None:
        steps.append(Step(label, whole(steps[-1].points * factor), "SD.6.5"))

    then(f"times the defender's determination, {determination[0]} per cent", Fraction(determination[0], 100))
    then(f"times the defender's cohesion, {theirs}", Fraction(theirs))
    then(f"divided by the attacker's cohesion, {ours}", Fraction(1, ours))
    then(f"divided by the attacker's determination, {determination[1]} per cent", Fraction(100, determination[1]))
    then(f"for {type.name}, {type.attacker_percent} per cent", Fraction(type.attacker_percent, 100))
    return tuple(steps)


def _balanced(steps: Sum, percent: int, other: int, own: int, rule: str) -> Sum:
    by_cohesion = whole(steps[-1].points * ratio(other, own))
    return (
        *steps,
        Step(f"times the ratio of cohesion, {other} to {own}: {float(ratio(other, own)):.2f}", by_cohesion, rule),
        Step(f"times the ratio of forces, {percent} per cent", whole(by_cohesion * Fraction(percent, 100)), rule),
    )
