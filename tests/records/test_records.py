"""Played games and reported moments: each record here is played again, and must go as it tells."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from opfire.core.errors import RecordBroken
from opfire.core.game import SPECTATOR, Game
from opfire.core.record import FORMAT, REPORT, Entry, Record

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PYENV = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
TOOL = importlib.util.spec_from_file_location("renew_records", ROOT / "tools" / "renew_records.py")
assert TOOL is not None
assert TOOL.loader is not None
tool = importlib.util.module_from_spec(TOOL)
TOOL.loader.exec_module(tool)
FILES = sorted(HERE.glob("*.record"))


def loaded(text: str) -> tuple[Record, Any]:
    """A record with the dice that it tells of and its digests, and the report in its header if there is one."""
    record = Record.load(text)
    report = msgspec.json.decode(text.partition("\n")[0]).get(REPORT)
    return Record(record.told().header, record.lines), report


def words(game: Game[Any], entry: Entry) -> tuple[str, ...]:
    if entry.what != "play":
        return entry.events
    return tuple(event.sentence() for event in game.events if not event.only)


def places(view: Any) -> dict[str, tuple[str | None, str]]:
    return {unit["id"]: (unit["place"], unit["status"]) for unit in view["units"]}


def differences(text: str) -> list[str]:
    """Where the game goes otherwise than the record tells, in words.

    Raises RecordBroken for dice, legality and digests. `tools/renew_records.py` writes a record anew after a change of
    the rules.
    """
    record, report = loaded(text)
    found = []
    for game, entry in record.steps():
        if words(game, entry) != entry.events:
            found.append(f"line {entry.n}: {words(game, entry)}")
        if report and report["line"] == entry.n:
            seat = next((seat for seat, side in game.seats.items() if side == report["side"]), SPECTATOR)
            if places(game.view(seat)) != places(report["position"]):
                found.append(f"line {entry.n}: units stand elsewhere")
    return found


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_game_goes_as_its_record_tells(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = Record.load(text)
    assert all(line.state for line in record.lines)
    record.check_chain(record.header.shown_key())
    assert differences(text) == []


# --- what would be noticed ------------------------------------------------------------------------------


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    text = (HERE / "mill-ford-turn-2.record").read_text(encoding="utf-8")
    return [msgspec.json.decode(row) for row in text.splitlines()]


def chained(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same lines with digests of what they say now."""
    header, lines = Record.load(text_of(rows)).header, []
    before = header.first_digest(header.shown_key())
    for row in rows[1:]:
        before = header.digest_of(msgspec.convert(row, Entry), before, header.shown_key())
        lines.append({**row, "digest": before})
    return [rows[0], *lines]


def text_of(rows: list[dict[str, Any]]) -> str:
    return "\n".join(msgspec.json.encode(row).decode() for row in rows)


def test_other_words_are_noticed(rows: list[dict[str, Any]]) -> None:
    row = next(row for row in rows[1:] if row.get("events"))
    row["events"] = ["Nothing happens"]
    rows = chained(rows)
    assert [line.partition(":")[0] for line in differences(text_of(rows))] == [f"line {row['n']}"]


def test_a_unit_elsewhere_is_noticed(rows: list[dict[str, Any]]) -> None:
    unit = next(unit for unit in rows[0]["report"]["position"]["units"] if unit["place"])
    unit["place"] = "9-Z9"
    assert differences(text_of(rows)) == [f"line {rows[0]['report']['line']}: units stand elsewhere"]


def test_a_decision_that_the_rules_refuse_is_noticed(rows: list[dict[str, Any]]) -> None:
    row = next(row for row in rows[1:] if row.get("do", {}).get("type") == "Move")
    row["do"]["to"] = "9-Z9"
    with pytest.raises(RecordBroken, match="that the rules allow"):
        differences(text_of(chained(rows)))


@pytest.mark.parametrize("field", ["state", "digest"])
def test_another_digest_is_noticed(rows: list[dict[str, Any]], field: str) -> None:
    rows[9][field] = "0" * len(rows[9][field])
    text = text_of(chained(rows) if field == "state" else rows)
    with pytest.raises(RecordBroken, match=field) as caught:
        differences(text) if field == "state" else Record.load(text).check_chain(b"")
    assert caught.value.line == 10


def test_a_record_is_written_anew_as_it_is() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if Record.load(text).header.opfire == FORMAT:
            assert tool.renewed(text).partition("\n")[2] == text.partition("\n")[2]


def test_one_record_is_of_the_format_before_the_present_one() -> None:
    formats = [Record.load(path.read_text(encoding="utf-8")).header.opfire for path in FILES]
    assert sorted(formats) == [FORMAT - 1, FORMAT, FORMAT, FORMAT]


# --- the same on every machine --------------------------------------------------------------------------


def replayed(python: str, hashing: str, paths: Iterable[Path] = FILES) -> str:
    """The output of `replay.py` under an interpreter and a hash seed."""
    environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": hashing, "PYTHONPATH": str(ROOT / "src")}
    command = [python, str(HERE / "replay.py"), *map(str, paths)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_records_go_alike_under_two_hash_seeds_and_without_shapely() -> None:
    """Shapely's answers cannot be off by its tolerance where nobody can ask it: `replay.py` keeps it away."""
    one, other = (replayed(sys.executable, hashing) for hashing in ("1", "4711"))
    assert [line.split()[0] for line in one.splitlines()] == [path.stem for path in FILES]
    assert one == other


def other_python() -> Path:
    """The newest interpreter of another version here, or the one that OTHER_PYTHON names."""
    named = os.environ.get("OTHER_PYTHON") or ""
    known = sorted(
        (minor, path)
        for minor in range(11, 30)
        if (3, minor) != sys.version_info[:2]
        for path in (shutil.which(f"python3.{minor}"), *PYENV.glob(f"3.{minor}.*/bin/python"))
        if path and subprocess.run([path, "-c", ""], check=False, capture_output=True).returncode == 0
    )
    if not (named or known):
        pytest.fail("No other version of Python is here: install one, or name it, as in make soak OTHER_PYTHON=...")
    return Path(named or known[-1][1])


@pytest.mark.soak
def test_records_go_alike_under_another_version_of_python(tmp_path: Path) -> None:
    """With the same packages, in an environment of its own."""
    subprocess.run([other_python(), "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    needs = [f"-r{ROOT / 'requirements' / name}" for name in ("run.txt", "build.txt")]
    subprocess.run([*pip, *needs], check=True)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "-e", ROOT], check=True)
    version = subprocess.run([python, "-V"], check=True, capture_output=True, text=True).stdout
    assert version.split()[1].split(".")[:2] != [str(part) for part in sys.version_info[:2]]
    assert replayed(str(python), "1") == replayed(sys.executable, "1")
