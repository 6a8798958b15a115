"""Vehicle Assault Cover [7.49]: leg units advance beside a vehicle."""

from __future__ import annotations

import pytest

from core import contract
from core.contract import Case
from opfire.core.game import SPECTATOR, Game
from opfire.rulesets.panzer import RULESET, control
from opfire.rulesets.panzer.commands import Command, HandIn
from opfire.rulesets.panzer.fire.close_combat import cannot_assault
from opfire.rulesets.panzer.fire.direct_fire import Announce
from opfire.rulesets.panzer.fire.overwatch import Overwatch
from opfire.rulesets.panzer.fire.shots import gp_defense
from opfire.rulesets.panzer.moving.going import Escort, ExitMap, Move, Stay, Turn
from opfire.rulesets.panzer.pieces import CommandName, Position, cover
from rules.panzer.battle import game, refused, text, told
from rules.panzer.kit import rule
from rules.panzer.moves import FAR, army, marching, tried

OPTIONS = ("AG", "7.49")


def formation(name: str, units: str, more: str = "") -> str:
    return f'\n[[sides.german.formations]]\nname = "{name}"\ngrade = "seasoned"\nunits = {{ {units} }}\n{more}\n'


def ordered(
    *squads: str, command: CommandName = "move", options: tuple[str, ...] = OPTIONS, **values: object
) -> Game[Position]:
    """A tank and leg units in its hex that share its command, after the Command Phase; the first one has values."""
    german = army(("pz4h", "1-A4"), *((squad, "1-A4") for squad in squads))
    made = game(text(german=german, soviet=FAR, options=options), (10, 90))
    if values:
        made.state.change("german-2", **values)
    shared = (Command(f"german-{number}", command, "german-1") for number in range(2, len(squads) + 2))
    made.play("german", HandIn((Command("german-1", command), *shared)))
    made.play("soviet", HandIn())
    return made


def sheltered(made: Game[Position]) -> list[str]:
    return [unit.id for unit in made.state.units.values() if unit.sheltered == "german-1"]


# --- who has cover [7.49-cover, 7.49-cond]


@rule("7.49-cover")
@pytest.mark.parametrize(
    ("units", "covered"),
    [
        (("g_sqd41",), 1),
        (("g_sqd41", "g_sqd41"), 1),
        (("g_sqd41_h", "g_sqd41_h"), 2),
        (("g_sqd41_h", "g_fo"), 2),
        (("g_fo", "g_fo"), 2),
        (("g_fo", "g_fo", "g_fo"), 2),
        (("g_sqd41_h", "g_sqd41"), 1),
    ],
)
def test_a_vehicle_covers_a_squad_or_two_smaller_units(units: tuple[str, ...], covered: int) -> None:
    assert len(sheltered(ordered(*units))) == covered


@rule("7.49-cover")
def test_a_covered_unit_has_light_cover_and_is_no_easier_target_for_its_movement() -> None:
    made = ordered("g_sqd41")
    squad = made.state.change("german-2", moving=True)
    plain = made.state.units["german-2"].ground.gpd("light")  # type: ignore[union-attr]
    assert cover(made.state, squad, "combat") == "light"
    assert cover(made.state, squad, "spotting") == "light"
    assert sum(line.amount for line in gp_defense(made.state, squad)) == plain
    made.state.put("german-1", "1-A5")
    assert cover(made.state, squad, "combat") == "none"
    assert any(line.rule == "6.5.4.2.2-move" for line in gp_defense(made.state, squad))


@rule("7.49-cover")
def test_better_cover_of_the_ground_stays() -> None:
    made = ordered("g_sqd41")
    made.state.change("german-2", hedge="1-A5")
    assert cover(made.state, made.state.units["german-2"], "combat") == "medium"


@rule("7.49-cond")
def test_without_the_option_there_is_no_cover() -> None:
    assert sheltered(ordered("g_sqd41", options=("AG",))) == []


@rule("7.49-cond")
@pytest.mark.parametrize("command", ["move", "short halt"])
def test_the_command_is_a_move_or_a_short_halt(command: CommandName) -> None:
    made = game(text(german=army(("pz4h", "1-A4"), ("g_sqd41", "1-A4")), soviet=FAR, options=OPTIONS))
    made.state.spots["soviet-1"] = ("german-1", "german-2")
    made.play("german", HandIn((Command("german-1", command), Command("german-2", command, "german-1"))))
    made.play("soviet", HandIn())
    assert sheltered(made) == ["german-2"]


@rule("7.49-cond")
def test_no_cover_for_units_on_overwatch_or_beside_the_hex() -> None:
    assert sheltered(ordered("g_sqd41", command="overwatch")) == []
    assert sheltered(ordered("g_sqd41", hex="1-A5")) == []


@rule("7.49-cond")
def test_a_unit_in_full_cover_has_none() -> None:
    assert sheltered(ordered("g_sqd41", full_cover=True)) == []


TWO_COMPANIES = (
    army(("pz4h", "1-A4"), ("g_sqd41", "1-A4"))
    + formation("Tanks", "pz4h = 1", "platoons = [{ pz4h = 1 }]")
    + formation("Infantry", "g_sqd41 = 1", "platoons = [{ g_sqd41 = 1 }]")
)


@rule("7.49-cond")
@pytest.mark.parametrize(("own", "other"), [("german-1", "german-2"), ("german-2", "german-1")])
def test_units_of_different_formations_share_the_command_of_either(own: str, other: str) -> None:
    made = game(text(german=TWO_COMPANIES, soviet=FAR, options=(*OPTIONS, "7.3")))
    sheet = HandIn((Command(own, "move"), Command(other, "move", own)))
    assert refused(made, "german", sheet) is None
    assert Command(other, "move", own) in made.orders_for("german", other)
    used = {own: made.state.pick((own, other))}
    formations = [made.state.units[name].formation for name in (own, other)]
    assert [control.counters_used(name, used) for name in formations] == [1, 0]
    made.play("german", sheet)
    made.play("soviet", HandIn())
    assert sheltered(made) == ["german-2"]


@rule("7.49-cond")
def test_others_of_different_formations_share_nothing() -> None:
    for options, hex in ((("AG",), "1-A4"), (OPTIONS, "1-A5")):
        made = game(text(german=TWO_COMPANIES, soviet=FAR, options=options))
        made.state.put("german-2", hex)
        sheet = HandIn((Command("german-1", "move"), Command("german-2", "move", "german-1")))
        assert refused(made, "german", sheet) == "6.2.1.1.3-limits"


# --- the move [7.49-cond]


def advancing(*squads: str, soviet: str = FAR, dice: tuple[int, ...] = ()) -> Game[Position]:
    """The Germans' Movement Step: a tank and leg units under its cover."""
    german = army(("pz4h", "1-A4"), *((squad, "1-A4") for squad in squads))
    numbers = range(1, len(squads) + 2)
    commands: dict[int, CommandName] = dict.fromkeys(numbers, "move")
    made = marching(german, commands, soviet=soviet, options=("7.49",), dice=dice)
    for number in numbers[1:]:
        made.state.change(f"german-{number}", sheltered="german-1", shares="german-1")
    made.state.change("german-1", shares="german-1")
    return made


@rule("7.49-cond")
def test_vehicle_and_squad_move_hex_by_hex_together() -> None:
    made = advancing("g_sqd41")
    assert tried(made, Escort("german-1"), Turn("german-1", 3), Move("german-1", "1-A5")) is None
    assert made.state.units["german-2"].hex == "1-A5"
    assert made.state.units["german-2"].revealed
    assert cover(made.state, made.state.units["german-2"], "combat") == "light"


@rule("7.49-cond")
def test_the_vehicle_goes_no_farther_than_the_squad_can_walk() -> None:
    made = advancing("g_sqd41")
    steps = (Move("german-1", hex) for hex in ("1-A5", "1-A6", "1-A7"))
    assert tried(made, Escort("german-1"), Turn("german-1", 3), *steps) == "6.6.4.1-mf"
    walked = made.state.units["german-2"].ground.m_cc
    assert made.state.units["german-1"].hex == made.state.units["german-2"].hex == f"1-A{4 + walked}"
    made.play("german", Stay("german-1"))
    assert all(made.state.units[name].moved for name in ("german-1", "german-2"))


@rule("7.49-cond")
def test_they_stay_together_to_the_end() -> None:
    made = advancing("g_fo", "g_fo")
    made.play("german", Escort("german-1"))
    made.state.put("german-1", "1-A8", facing=3)
    for name in ("german-2", "german-3"):
        made.state.put(name, "1-A8")
    assert refused(made, "german", ExitMap("german-1")) == "7.49-cond"


@rule("7.49-cond")
def test_escort_begins_a_move_and_needs_somebody_under_cover() -> None:
    made = advancing("g_sqd41")
    assert tried(made, Turn("german-1", 3)) is None
    assert refused(made, "german", Escort("german-1")) == "7.49-cond"
    alone = advancing()
    assert refused(alone, "german", Escort("german-1")) == "7.49-cond"


@rule("7.49-cond")
def test_each_of_them_may_be_the_target_of_overwatch() -> None:
    made = advancing("g_sqd41", soviet=army(("t34_43", "1-C7")))
    made.state.change("soviet-1", command="overwatch")
    made.play("german", Escort("german-1"))
    made.play("german", Turn("german-1", 3))
    while isinstance(made.stack[-1], Overwatch):
        made.stack[-1].passed(made)
        made.run()
    made.play("german", Move("german-1", "1-A5"))
    frame = made.stack[-1]
    assert isinstance(frame, Overwatch)
    assert frame.targets == ("german-1", "german-2")
    assert {act.target for act in made.choices("soviet") if isinstance(act, Announce)} == {"german-1", "german-2"}


@rule("7.49-cond")
def test_the_squad_may_attack_in_close_combat_with_a_move_command() -> None:
    made = ordered("g_sqd41")
    made.state.put("soviet-1", "1-B4")
    made.state.spots["soviet-1"] = ("german-2",)
    units = made.state.units
    assert cannot_assault(made.state, "german", units["german-2"], units["soviet-1"]) is None
    halting = made.state.change("german-2", command="short halt")
    refusal = cannot_assault(made.state, "german", halting, units["soviet-1"])
    assert refusal is not None
    assert refusal.rule == "6.6.1.1-cmd"


@rule("7.49-cond")
def test_the_cover_ends_with_the_turn() -> None:
    made = advancing("g_sqd41")
    tried(made, Escort("german-1"), Turn("german-1", 3), Move("german-1", "1-A5"), Stay("german-1"))
    turn = made.state.turn
    with contract.registered(RULESET):
        while made.state.turn == turn:
            seat = made.asked()[0]
            made.play(seat, next(iter(reversed(list(made.choices(seat))))))
    assert made.state.units["german-2"].sheltered == ""


def test_nobody_else_knows_who_has_cover() -> None:
    """Before the command is shown the cover is a secret as it is [4.2.2]."""
    case = Case(RULESET, text(german=army(("pz4h", "1-A4"), ("g_sqd41", "1-A4")), soviet=FAR, options=OPTIONS))
    with contract.registered(RULESET):
        match = contract.start(case, 1)
        match.play("german", HandIn((Command("german-1", "move"), Command("german-2", "move", "german-1"))))
        match.play("soviet", HandIn())
        for seat in ("soviet", SPECTATOR):
            assert match.game.sight(seat).units["german-2"].sheltered == ""
    assert told(match.game, "revealed") == []
