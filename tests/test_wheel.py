"""The wheel, installed where there is nothing else, opens the table: no Node, no checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from opfire.server.client import STATIC

ROOT = Path(__file__).parent.parent
SECONDS = 60

pytestmark = pytest.mark.xdist_group("wheel")  # one worker builds and installs it, once


def run(*command: object) -> str:
    done = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `make wheel` builds."""
    assert (STATIC / "index.html").exists(), "the client is not built: make client"
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheel, and of other packages only what it asks for.

    Those are lent from the environment of the tests, so that nothing is downloaded; pip then says whether
    anything is missing or of a wrong version.
    """
    home = tmp_path_factory.mktemp("empty")
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    [site] = home.glob("lib/python*/site-packages")
    pip = (sys.executable, "-m", "pip", "--python", python)
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel)
    [metadata] = site.glob("opfire-*.dist-info")
    for wanted in asked_for(Distribution.at(metadata)):
        lend(wanted, site)
    run(*pip, "check")
    return home / "bin"


def asked_for(root: Distribution) -> list[Distribution]:
    """The requirements of a distribution, and their requirements."""
    found: dict[str, Distribution] = {}
    open_ends = [(root, "")]
    while open_ends:
        needing, extra = open_ends.pop()
        for requirement in map(Requirement, needing.requires or ()):
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                new = requirement.name not in found
                found[requirement.name] = distribution(requirement.name)
                if new or requirement.extras:
                    open_ends += [(found[requirement.name], each) for each in ("", *requirement.extras)]
    return list(found.values())


def lend(wanted: Distribution, site: Path) -> None:
    """Put links to a distribution's modules, packages and metadata into another environment."""
    for name in {file.parts[0] for file in wanted.files or () if file.parts[0] != ".."}:
        if not (site / name).exists():
            (site / name).symlink_to(Path(str(wanted.locate_file(name))))


@pytest.fixture(scope="module")
def table(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address that `opfire play` prints, with no other program on the path."""
    folder = tmp_path_factory.mktemp("player")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
    process = subprocess.Popen(
        [installed / "opfire", "play", "mill-ford", "--port", "0", "--no-browser"],
        cwd=folder,
        env={**environment, "PATH": str(installed), "HOME": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stderr
    line = process.stdout.readline()
    try:
        assert line, process.stderr.read()
        yield line.split()[1].partition("?")[0]
    finally:
        process.terminate()
        process.communicate(timeout=SECONDS)


def fetch(address: str, body: dict[str, Any] | None = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        return answer.read().decode()


def test_the_wheel_has_client_tables_scenarios_and_boards(wheel: Path) -> None:
    inside = zipfile.ZipFile(wheel).namelist()
    for folder, end in [("server/static", ".js"), ("rulesets/case_orange/data", ".csv"), ("scenarios", ".toml")]:
        here = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src/opfire" / folder).rglob(f"*{end}")}
        assert here
        assert here <= set(inside)
    assert not [name for name in inside if name.endswith((".sqlite", ".pyc")) or "tests/" in name]


def test_it_runs_from_where_it_was_installed(installed: Path) -> None:
    where = run(installed / "python", "-I", "-c", "import opfire; print(opfire.__file__)")
    assert where.startswith(str(installed.parent))
    assert "case-orange" in run(installed / "opfire", "scenarios", "--json")


def test_opfire_play_opens_a_table(table: str) -> None:
    page = fetch(table)
    [script] = [part for part in page.split('"') if part.endswith(".js")]
    assert len(fetch(table + script.lstrip("./"))) > 1000
    assert "mill-ford" in [scenario["id"] for scenario in json.loads(fetch(f"{table}api/scenarios"))]
    seats = {side: {"side": side, "player": "random"} for side in ("german", "soviet")}
    game = json.loads(fetch(f"{table}api/games", {"scenario": "mill-ford", "seats": seats}))
    facts = json.loads(fetch(f"{table}api/games/{game['game']}"))
    assert (game["seats"], facts["waiting"], facts["result"]) == ({}, False, None)
