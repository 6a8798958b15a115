"""Data packs: whose tables a folder has, what is wrong with it, what a game keeps of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core import duel
from edits import edited
from opfire.core import packs
from opfire.core import ruleset as rulesets
from opfire.core import scenario as scenarios
from opfire.core.errors import BadInput, RecordBroken
from opfire.core.match import Match
from opfire.core.record import Record, reliance
from opfire.core.rows import Row, Texts, keyed
from opfire.core.ruleset import Ruleset
from opfire.core.verify import verify

OWN = "who,aim,source,rule\nred,1,own,1.2\nblue,2,text,1.2\n"
MINE = edited(OWN, "red,1", "red,3")
SIGHTS = "seen,source,rule\nyes,text,1.1\n"

Write = Callable[..., Path]


class Aim(Row, frozen=True):
    who: str
    aim: int


@pytest.fixture
def ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    """The duel with two tables, the only ruleset."""
    package = tmp_path / "package"
    (package / "data").mkdir(parents=True)
    (package / "data" / "aim.csv").write_text(OWN)
    (package / "data" / "sights.csv").write_text(SIGHTS)
    (package / "rules.csv").write_text("rule,title,level,kind,statement\n1.1,Shots,basic,mechanic,A unit shoots\n")

    def charts(pack: Texts) -> dict[str, Aim]:
        return keyed(Aim, package / "data" / "aim.csv", lambda row: row.who, pack)

    made = replace(duel.ruleset(package, charts=charts), setting=lambda scenario, charts=None: scenario)
    monkeypatch.setattr(rulesets, "installed", lambda: {"duel": made})
    return made


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a folder of files."""

    def folder(**tables: str) -> Path:
        made = tmp_path / "pack"
        made.mkdir(exist_ok=True)
        for name, text in tables.items():
            (made / f"{name}.csv").write_text(text)
        return made

    return folder


def test_a_pack_is_what_differs_from_the_rulesets_own(ruleset: Ruleset, write: Write) -> None:
    assert packs.load(write(aim=MINE, sights=SIGHTS)) == packs.Pack("duel", {"aim.csv": MINE})
    assert packs.load(write(aim=OWN)).tables == {}


@pytest.mark.parametrize("start", ["\ufeff", ""], ids=["marked", "plain"])
@pytest.mark.parametrize("end", ["\r\n", "\n"], ids=["dos", "unix"])
def test_how_a_spreadsheet_saves_it_does_not_matter(ruleset: Ruleset, write: Write, start: str, end: str) -> None:
    folder = write(aim="")
    (folder / "aim.csv").write_bytes((start + edited(MINE, "\n", end)).encode())
    assert packs.load(folder).tables == {"aim.csv": MINE}


def test_a_pack_is_for_games_of_its_ruleset(ruleset: Ruleset, write: Write) -> None:
    pack = packs.load(write(aim=MINE))
    assert pack.for_game("duel") == {"aim.csv": MINE}
    assert pack.for_game("another") == {}


def test_its_name_comes_from_what_is_in_it() -> None:
    assert packs.name({}) == ""
    assert packs.name({"a.csv": "1", "b.csv": "2"}) == packs.name({"b.csv": "2", "a.csv": "1"})
    assert len({packs.name(each) for each in ({"a.csv": "1"}, {"a.csv": "2"}, {"b.csv": "1"}, {"a.csv": "1b"})}) == 4


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (edited(OWN, "aim", "sight"), "aim.csv:1", "the columns are who,sight,source,rule"),
        (edited(OWN, "blue,2", "blue,two"), "aim.csv:3", "aim 'two'"),
        (edited(OWN, "blue,2", "blue,"), "aim.csv:3", "aim"),
        (edited(OWN, "blue,2", "blue"), "aim.csv:3", "differ in their number of fields"),
        (edited(OWN, "blue,2,text", "blue,2,book"), "aim.csv:3", "source 'book'"),
        (OWN + "red,4,own,1.2\n", "aim.csv:4", "red appears twice"),
        (edited(OWN, "blue,2,text,1.2\n", ""), "aim.csv", "no row for blue"),
        (edited(OWN, "text", '"te'), "aim.csv:", "not a CSV file"),
    ],
)
def test_a_fault_is_told_with_file_and_line(ruleset: Ruleset, write: Write, text: str, where: str, what: str) -> None:
    with pytest.raises(BadInput, match=what) as caught:
        packs.load(write(aim=text))
    assert caught.value.where.startswith(where)


def test_a_table_in_another_encoding_is_told(ruleset: Ruleset, write: Write) -> None:
    folder = write()
    (folder / "aim.csv").write_bytes(b"who,aim,source,rule\nr\xf6d,1,own,1.2\n")
    with pytest.raises(BadInput, match=r"aim\.csv: the table cannot be read"):
        packs.load(folder)


@pytest.mark.parametrize("tables", [{}, {"wind": OWN}], ids=["empty", "strange"])
def test_a_folder_without_any_table_of_ours(ruleset: Ruleset, write: Write, tables: dict[str, str]) -> None:
    with pytest.raises(BadInput, match="no table of any ruleset"):
        packs.load(write(**tables))


def test_all_faults_of_a_folder_are_told(ruleset: Ruleset, write: Write) -> None:
    found = list(packs.faults(write(aim=edited(OWN, "aim", "sight"), sights=SIGHTS, wind=OWN)))
    assert [(fault.where, fault.what) for fault in found] == [
        ("aim.csv:1", "the columns are who,sight,source,rule"),
        ("wind.csv", "no such table"),
    ]


# --- in a game --------------------------------------------------------------------------------------


def played(pack: Texts) -> Record:
    """A game of two decisions and its end."""
    match = Match.start(duel.SCENARIO, pack=pack, key=bytes(32), nonces={"red": "1", "blue": "2"})
    match.concede("red")
    return match.record_for("red")


def test_the_record_keeps_the_pack_and_needs_no_folder(ruleset: Ruleset) -> None:
    record = Record.load(played({"aim.csv": MINE}).dump())
    assert record.header.pack == {"aim.csv": MINE}
    assert verify(record).decisions == 0
    assert record.header.data != played({}).header.data


def test_a_tampered_pack_is_refused(ruleset: Ruleset) -> None:
    text = played({"aim.csv": MINE}).dump()
    with pytest.raises(RecordBroken, match="commitment"):
        verify(Record.load(edited(text, "red,3", "red,4")))


def test_other_tables_here_are_told(ruleset: Ruleset) -> None:
    record = played({})
    assert verify(record).same_rules
    (ruleset.package / "data" / "sights.csv").write_text(edited(SIGHTS, "yes", "no"))
    found = verify(record)
    assert not found.same_rules
    assert found.played == (ruleset.version, record.header.data)


def test_a_game_under_way_goes_on_with_other_tables_and_says_so(ruleset: Ruleset) -> None:
    match = Match.start(duel.SCENARIO, pack={"aim.csv": MINE})
    again = Match.resume(match.record.dump(), match.key)
    assert (again.record.header, again.record.lines) == (match.record.header, [])
    (ruleset.package / "data" / "sights.csv").write_text(edited(SIGHTS, "yes", "no"))
    again = Match.resume(match.record.dump(), match.key)
    (line,) = again.record.lines
    assert (line.what, line.update().data) == ("update", again.record.terms()[1])
    assert line.update().data != match.record.header.data
    assert line.events == (f"The rules have changed: the game goes on under version {ruleset.version} of Duel",)
    assert Match.resume(again.record.dump(), match.key).record.lines == [line]


def test_the_data_of_a_game_are_version_tables_and_ground(ruleset: Ruleset, tmp_path: Path) -> None:
    hill = tmp_path / "hill.toml"
    hill.write_text('id = "hill"')
    on_a_board = replace(ruleset, ground=lambda scenario: {"hill": hill.read_text()})
    scenario = scenarios.parse(duel.SCENARIO, "duel")
    seen = [reliance(ruleset, scenario), reliance(on_a_board, scenario)]
    hill.write_text('id = "hill" # higher')
    seen.append(reliance(on_a_board, scenario))
    (ruleset.package / "data" / "aim.csv").write_text(MINE)
    seen.append(reliance(on_a_board, scenario))
    assert len(set(seen)) == 4
    (ruleset.package / "data" / "aim.csv").write_text(OWN)
    assert reliance(on_a_board, scenario, {"aim.csv": MINE}) == seen[3]


@pytest.mark.parametrize("name", ["wind.csv", "../rules.csv"])
def test_a_header_may_bring_no_strange_table(ruleset: Ruleset, name: str) -> None:
    with pytest.raises(BadInput, match="takes no table"):
        played({name: OWN})


def test_a_ruleset_without_charts_takes_no_pack(ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = duel.ruleset(ruleset.package)
    monkeypatch.setattr(rulesets, "installed", lambda: {"duel": bare})
    with pytest.raises(BadInput, match="takes no table"):
        played({"aim.csv": MINE})
