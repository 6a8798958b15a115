"""A changed printed value leaves the records of games with that unit alone, up to the line where it counts."""

from __future__ import annotations

import csv
import io
import random

import pytest

from core.records import change, older
from opfire.core.errors import RecordBroken
from opfire.core.match import Match
from opfire.core.record import FORMAT, Record
from opfire.core.ruleset import find
from opfire.core.scenario import text_of

KEY = bytes(range(32))


def set_up(scenario: str) -> Record:
    """A game up to the first decision after its set-up."""
    match, rng = Match.start(text_of(scenario), key=KEY), random.Random(5)
    match.go_on()
    while any(frame.step == "set-up" for frame in match.game.stack):
        seat = match.game.deciders()[0]
        match.play(seat, match.game.choices(seat).sample(rng))
    return Record(change(match.record.header, key=KEY.hex()), match.record.lines)


def with_values(record: Record, table: str, *columns: str) -> Record:
    """The same lines, to be played with other values in these columns of a table."""
    path = find(record.header.ruleset).tables()[table]
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    for row in rows:
        writer.writerow(row | {name: str(int(row[name]) + 1) for name in columns if row[name] not in ("", "0")})
    return Record(change(record.header, pack={table: out.getvalue()}), record.lines)


CHANGES = [
    ("mill-ford", "units.csv", ("attack", "defence")),
    ("pg-riders", "units.csv", ("direct", "at")),
    ("pg-riders", "leaders.csv", ("morale",)),
    ("pg-riders", "forces.csv", ("morale",)),
]


@pytest.mark.parametrize(("scenario", "table", "columns"), CHANGES)
def test_a_changed_printed_value_stops_no_record_before_it_counts(
    scenario: str, table: str, columns: tuple[str, ...]
) -> None:
    record = set_up(scenario)
    assert record.header.opfire == FORMAT
    assert len(list(with_values(record, table, *columns).steps())) == len(record.lines)


@pytest.mark.parametrize(("scenario", "table", "columns"), CHANGES[:2])
def test_it_stops_those_of_the_third_format_whose_states_hold_printed_values(
    scenario: str, table: str, columns: tuple[str, ...]
) -> None:
    record = older(set_up(scenario), 3)
    assert len(list(record.steps())) == len(record.lines)
    with pytest.raises(RecordBroken, match="state") as caught:
        list(with_values(record, table, *columns).steps())
    assert caught.value.line == 2
