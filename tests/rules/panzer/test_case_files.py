"""Faults in case files of this book: works, fire that lies on the map, plots."""

from __future__ import annotations

import pytest

from opfire.core import case
from opfire.core.errors import BadInput
from rules.case_files import FIELD, differences, fault, plays, remedy
from rules.panzer.kit import rule

BOOK = """
options = ["AG"]
[sides.german]
name = "German"
nation = "german"
batteries = [{ unit = "o_g105", level = "attached" }]
[sides.soviet]
name = "Soviet"
nation = "soviet"
[units.fo]
unit   = "g_fo"
at     = "1-A1"
labels = ["FO"]
[units.squad]
unit = "s_sqd41"
at   = "1-D4"
"""
PANZER = FIELD.replace("columns = 4", 'legend = "panzer"\ncolumns = 4')


@pytest.fixture(autouse=True)
def field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.case_files.FIELD", PANZER)
    monkeypatch.setattr("rules.case_files.FIRST", PANZER.count("\n") + 1)


@rule("6.5.1.8", "6.5.1.11.1")
@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('[[missions]]\nfirer = "squad"\nat = "1-D4"\n', "fires nothing indirectly"),
        ('[[missions]]\nfirer = "german-battery-1"\nat = "1-D4"\nobserver = "x"\n', "no unit 'x'"),
        ('[[plots]]\nfirer = "german-battery-2"\nat = "1-D4"\n', "german-battery-2"),
        ('[[markers]]\nkind = "moat"\nat = "1-D4"\n', "moat"),
        ('[units.tank]\nunit = "t34-43"\nat = "1-B1"\n', "no unit 't34-43'"),
        ('[units.glider]\nunit = "gl_waco"\nat = "1-B1"\n', "glider is a glider"),
    ],
)
def test_faults_are_told(text: str, what: str) -> None:
    assert what in fault("panzer", BOOK + text)[1]


def test_a_case_names_the_cards_that_are_meant() -> None:
    assert remedy("panzer", '[units.tank]\nunit = "t34-43"\nat = "1-B1"\n').startswith("t34_43")
    assert remedy("panzer", '[units.squad]\nunit = "g_sqd41"\nat = "1-B1"\n') == 'options = ["AG"]'


@rule("7.44.2.1")
def test_a_case_refuses_a_full_glider() -> None:
    waco = '[units.waco]\nunit = "gl_waco"\nside = "german"\n'
    men = "".join(f'[units.{name}]\nunit = "g_sqd41"\ncarrier = "waco"\n' for name in ("first", "second"))
    assert "no room" in fault("panzer", 'options = ["AG", "7.44.2"]\n' + waco + men)[1]


@rule("7.42.1")
def test_the_formations_of_a_case_that_have_fired_are_known_ones() -> None:
    assert "without Staggered" in fault("panzer", 'order = ["german"]\n' + BOOK)[1]
    assert remedy("panzer", 'order = ["tanks"]\n' + BOOK.replace('"AG"', '"AG", "7.42"')) == "german, soviet"


@rule("6.1.4.2-a", "6.6.5", "6.6.4.1-sh")
@pytest.mark.parametrize(
    ("unit", "what"),
    [
        ('"g_sqd41"\nfull_cover = true\ncommand = "short halt"', "Full Cover"),
        ('"g_hmg"\nfull_cover = true\ncommand = "move"', "Full Cover"),
        ('"g_hmg"\ncommand = "short halt"', "attached weapons"),
        ('"t_75"\ncommand = "short halt"', "towed unit"),
    ],
)
def test_commands_that_are_not_for_such_units_are_faults(unit: str, what: str) -> None:
    line, said = fault("panzer", f'options = ["AG"]\n[units.x]\nat = "1-B2"\nunit = {unit}\n')
    assert what in said
    assert line == unit.count("\n") + 4


@rule("6.5.1.8", "6.5.1.11.1", "6.1.4.3.10", "7.31.2")
def test_fire_works_and_plots_are_laid() -> None:
    plays(
        "panzer",
        BOOK
        + """
[[missions]]
firer    = "german-battery-1"
observer = "fo"
at       = "1-D4"
[[plots]]
firer = "german-battery-1"
turn  = 3
at    = "1-B2"
[[markers]]
kind = "smoke"
at   = "1-B2 1-B3"
[[markers]]
kind  = "mines"
at    = "1-C1"
side  = "soviet"
value = "hasty known"
[[expect]]
markers = [
    { kind = "impact", at = "1-D4" },
    { kind = "smoke", at = "1-B3" },
    { kind = "mines", at = "1-C1" },
]
""",
    )


TANK = """
[units.tank]
unit    = "pz4h"
at      = "1-B2"
facing  = 0
command = "move"
"""


@rule("4.5.1.1.1", "4.5.1.1.2", "6.6.2")
def test_what_is_left_of_a_move_and_the_price_of_its_next_step() -> None:
    """A Pz Kpfw IV has 4; suppressed it has 2, of which the first hex of clear ground costs 1."""
    plays(
        "panzer",
        'options = ["AG"]\nstep = "movement"\n'
        + TANK
        + """
suppression = "on"
[[expect]]
query  = "steps"
ask    = { unit = "tank" }
answer = { left = 2, costs = { "1-B1" = 1 } }
[[play]]
do    = { type = "Move", unit = "tank", to = "1-B1" }
left  = 1
""",
    )


@rule("7.0")
def test_a_chapter_stands_for_its_options_and_a_rule_in_force_for_none() -> None:
    """7.7 is both rolls to spot and the limit of spots; 7.56 is a counter."""
    text = PANZER.format(ruleset="panzer") + 'options = ["AG", "7.7", "7.39", "7.1", "7.56"]\n'
    assert case.parse(text, "x.toml").scenario.options == ("AG", "7.7.1", "7.7.2", "7.1")


@rule("5.16.2.6")
@pytest.mark.parametrize(
    ("stores", "attack", "allowed"),
    [
        ("", "strafe", True),
        (", strafes = 0", "strafe", False),
        (", rockets = 1", "strafe", True),
        (", rockets = 1", "bombs", False),
    ],
)
def test_stores_that_a_flight_does_not_name_are_full(stores: str, attack: str, allowed: bool) -> None:
    """An Il-2 carries bombs or rockets; a target two hexes from the edge is acquired as it comes on [6.7.3.1.1]."""
    plays(
        "panzer",
        f"""
options = ["AG"]
side = "soviet"
step = "air"
[units.plane]
unit   = "a_il2"
at     = "1-B3"
facing = 0
flight = {{ speed = "slow", altitude = "low", path = [["1-B4", 0], ["1-B3", 0]]{stores} }}
[units.squad]
unit = "g_sqd41"
at   = "1-B2"
[[expect]]
do = {{ type = "AirAttack", unit = "plane", target = "squad", stores = "{attack}" }}
"""
        + ("" if allowed else 'refused = "5.16.2.6"\n'),
    )


@rule("6.8", "6.8.1", "6.8.3", "6.8.3.2")
def test_a_case_may_begin_with_the_whole_adjustment_phase() -> None:
    """Both sides pivot and take cover; then a Seasoned squad with No Command recovers on 60, and ON turns to OFF."""
    plays(
        "panzer",
        """
options = ["AG"]
step = "adjustment"
[units.squad]
unit = "g_sqd41"
at = "1-A1"
facing = 0
suppression = "off"
[units.men]
unit = "s_sqd41"
at = "1-D4"
suppression = "on"
[[play]]
do = { type = "Pivot", unit = "squad", facing = 2 }
[[play]]
do = { type = "EndStep" }
[[play]]
do = { type = "EndStep" }
dice = [60]
units = { squad = { suppression = "", facing = 120 }, men = { suppression = "off" } }
""",
    )


@rule("7.9-place")
def test_smoke_dischargers_come_first_in_the_command_phase_of_a_case() -> None:
    """A Pz Kpfw IV G has D4."""
    plays(
        "panzer",
        """
options = ["AG", "7.9"]
step = "command"
[units.tank]
unit = "pz4g"
at = "1-A1"
[units.men]
unit = "s_sqd41"
at = "1-D4"
[[play]]
do = { type = "Discharge", unit = "tank" }
dice = [4]
units = { tank = { discharged = 1 } }
""",
    )


@rule("7.25")
def test_a_case_looks_at_what_it_can_give() -> None:
    """The table shows no jammed weapons under a name of their own."""
    jam = """
options = ["AG", "7.25"]
[units.tank]
unit = "pz4h"
at = "1-A1"
jammed = ["g75l48"]
[[expect]]
"""
    plays("panzer", jam + 'units = { tank = { jammed = ["g75l48"] } }\n')
    assert differences("panzer", jam + "units = { tank = { jammed = [] } }\n")


@rule("7.34", "7.32-ice")
def test_amphibious_vehicles_of_a_case_stand_in_water_and_light_ones_on_ice() -> None:
    water = PANZER.replace(". . . .", "= ~ . .", 1)

    def stands(unit: str, at: str, more: str) -> bool:
        text = water.format(ruleset="panzer") + more + f'[units.x]\nunit = "{unit}"\nat = "{at}"\n'
        try:
            return case.run(case.parse(text, "x.toml")) == []
        except BadInput:
            return False

    swims = 'options = ["AG", "7.34"]\n'
    assert stands("tg_schwimm", "1-A1", swims)
    assert not stands("tg_kubel", "1-A1", swims)
    ice = 'options = ["AG", "7.32"]\n[conditions]\nice = 5\n'
    assert stands("tg_kubel", "1-B1", ice)
    assert not stands("tg_blitz", "1-B1", ice)


@rule("7.49-cover", "7.49-cond")
def test_men_who_share_the_command_of_a_vehicle_in_their_hex_advance_beside_it() -> None:
    """It covers one squad: the first of the file. GP Defense in Light Cover is 4, without the 2 less of a move."""
    plays(
        "panzer",
        """
options = ["AG", "7.49"]
step = "movement"
[units.tank]
unit = "pz4h"
at = "1-B3"
facing = 0
command = "move"
[units.first]
unit = "g_sqd41"
at = "1-B3"
command = "move"
shares = "tank"
[units.second]
unit = "g_sqd41"
at = "1-B3"
command = "move"
shares = "tank"
[[play]]
do = { type = "Escort", unit = "tank" }
[[play]]
do = { type = "Move", unit = "tank", to = "1-B2" }
units = { tank = { at = "1-B2" }, first = { at = "1-B2" }, second = { at = "1-B3" } }
""",
    )


@rule("6.6.1.1.3-bail")
def test_a_vehicle_may_be_abandoned_as_a_case_begins() -> None:
    tank = '[units.tank]\nunit = "t34_43"\nat = "1-B2"\nabandoned = true\n'
    expected = '[[expect]]\nmarkers = [{ kind = "BAIL", at = "1-B2" }]\nunits = { tank = { status = "eliminated" } }\n'
    assert plays("panzer", 'options = ["AG"]\n' + tank + expected)


@rule("5.16.1", "7.25", "4.4.3", "6.5.4.2.3-joint")
@pytest.mark.parametrize(
    ("more", "target", "weapon", "number"),
    [
        ("", "tank", "g75pak40 APCR", "5.16.1"),
        ('jammed = ["g75pak40"]\n', "tank", "g75pak40", "7.25"),
        ("", "tank", "g88l56", "4.4.3"),
        ("", "men", "", "6.5.4.2.3"),
    ],
)
def test_a_weapon_or_a_target_that_is_not_there_is_refused_with_the_reason(
    more: str, target: str, weapon: str, number: str
) -> None:
    gun = f'[units.gun]\nunit = "t_75"\nat = "1-A4"\nfacing = 0\ncommand = "fire"\n{more}'
    tank = '[units.tank]\nunit = "t34_43"\nat = "1-A1"\n[units.men]\nunit = "s_sqd41"\ncarrier = "tank"\n'
    shot = (
        f'do = {{ type = "Announce", unit = "gun", target = "{target}", weapon = "{weapon}" }}\nrefused = "{number}"\n'
    )
    head = 'options = ["AG", "7.25"]\ndate = "1941-06"\n'
    assert plays("panzer", f"{head}{gun}{tank}[[expect]]\n{shot}")


DUEL = """
side = "german"
{joined}[units.gun]
unit    = "stug3g"
at      = "1-A4"
facing  = 0
command = "fire"
[units.tank]
unit     = "t34_43"
at       = "1-A1"
command  = "overwatch"
revealed = true
"""
SECOND = '[units.second]\nunit = "stug3g"\nat = "1-A3"\nfacing = 0\ncommand = "fire"\n'
SHOT = '[[play]]\ndo = { type = "Announce", unit = "gun", target = "tank" }\n'
FALLS = '[[play]]\ndo = { type = "Resolve" }\n'
MISSES = 'dice = [100]\nresult = "miss"\nunits = { gun = { fired = true } }\n'
WATCH = """
step = "movement"
side = "soviet"
[units.tank]
unit    = "t34_43"
at      = "1-A2"
command = "move"
[units.gun]
unit    = "stug3g"
at      = "1-A4"
facing  = 0
command = "overwatch"
[[play]]
do = { type = "Stay", unit = "tank" }
"""


@rule("4.4.1-d", "4.4.2")
@pytest.mark.parametrize("position", [DUEL.format(joined=""), WATCH], ids=["direct", "overwatch"])
@pytest.mark.parametrize("shot", [SHOT + MISSES, SHOT + FALLS + MISSES, SHOT + FALLS + 'result = "miss"\n'])
def test_fire_falls_with_resolve_or_without(position: str, shot: str) -> None:
    dice = "" if "dice" in shot else "dice = [100]\n"
    assert plays("panzer", dice + position + shot)


@rule("4.4.1-d")
def test_dice_that_nobody_rolls_are_told() -> None:
    """The second gun fires, too: two dice, and not three."""
    both = SHOT + SHOT.replace('"gun"', '"second"') + FALLS
    assert plays("panzer", DUEL.format(joined=SECOND) + both + "dice = [100, 100]\n")
    [told] = differences("panzer", DUEL.format(joined=SECOND) + both + "dice = [100, 100, 7]\n")
    assert "[7] left over" in told
    [told] = differences("panzer", WATCH + SHOT + FALLS + "dice = [100, 7]\n")
    assert "[7] left over" in told
