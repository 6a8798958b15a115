"""`verify` says "true" to the games that were played, and to nothing that was made of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from core import contract
from core.cases import CASES
from core.records import change, dictated, fields, kinds, older, played, rewritten
from edits import edited
from opfire.core.errors import BadInput, OpfireError, RecordBroken
from opfire.core.match import Match
from opfire.core.record import Entry, Record
from opfire.core.scenario import text_of
from opfire.core.verify import verify


@pytest.fixture(scope="module", autouse=True)
def toys() -> Iterator[None]:
    with contract.registered(*(case.ruleset for case in CASES.values())):
        yield


@pytest.fixture(scope="module")
def records() -> dict[str, Record]:
    """Three games: several seats on a side, written orders under seals, secret dice and decisions."""
    return {case: played(case) for case in ("shared", "plots", "hidden")}


def said(record: Record) -> dict[str, Any]:
    """A record as its file has it."""
    return msgspec.to_builtins(record)


def fault(rows: dict[str, Any]) -> str:
    """The complaint about a record as its file has it; empty if it is found to be true."""
    encode = msgspec.json.encode
    text = "\n".join(part.decode() for part in (encode(rows["header"]), *map(encode, rows["lines"])))
    try:
        verify(Record.load(text))
    except RecordBroken as error:
        return f"record:{error.line}: {error}"
    except OpfireError as error:
        return str(error)
    return ""


# --- every field of every line --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["shared", "plots", "hidden"])
def test_every_change_of_any_field_of_a_line_is_found_on_that_line(records: dict[str, Record], case: str) -> None:
    record = records[case]
    rows = said(record)
    assert fault(rows) == ""
    for at in kinds(record.lines).values():
        for name, value in fields(record.lines[at]):
            lines = [*rows["lines"][:at], {**rows["lines"][at], name: value}, *rows["lines"][at + 1 :]]
            found = fault({**rows, "lines": lines})
            assert found.startswith(f"record:{at + 2}: "), (name, value, found)


@pytest.mark.parametrize("case", ["shared", "plots", "hidden"])
def test_every_change_of_the_header_is_found(records: dict[str, Record], case: str) -> None:
    rows = said(records[case])
    for name, value in fields(records[case].header):
        assert fault({**rows, "header": {**rows["header"], name: value}}), (name, value)


def test_the_records_have_every_kind_of_line(records: dict[str, Record]) -> None:
    lines = [line for record in records.values() for line in record.lines]
    assert {line.what for line in lines} == {"play", "undo", "orders", "vote", "decline", "draw"}
    assert {name for line in lines for name in Entry.__struct_fields__ if getattr(line, name)} >= {
        *("rolls", "sides", "secret", "sealed", "opened", "only", "events", "state", "digest"),
    }


def test_lines_left_out_added_or_exchanged_are_found(records: dict[str, Record]) -> None:
    lines = records["shared"].lines
    for at in range(0, len(lines) - 1, 5):
        for other in (
            [*lines[:at], *lines[at + 1 :]],
            [*lines[:at], lines[at], *lines[at:]],
            [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]],
        ):
            with pytest.raises(OpfireError):
                verify(Record(records["shared"].header, other))


# --- what a forger with the dice key might write anew ------------------------------------------------------------


@pytest.mark.parametrize("case", ["shared", "plots", "hidden"])
def test_the_rules_contradict_what_the_digests_do_not(records: dict[str, Record], case: str) -> None:
    record = records[case]
    for at in kinds(record.lines).values():
        line = record.lines[at]
        for name in ("n", "rolls", "sides", "secret", "sealed", "opened", "salts", "only", "events", "state"):
            for value in (value for field, value in fields(line) if field == name):
                try:
                    told = change(line, **{name: value})
                    forged = rewritten(record, [*record.lines[:at], told, *record.lines[at + 1 :]])
                except (TypeError, ValueError):
                    continue
                with pytest.raises((OpfireError, TypeError)):
                    verify(Record.load(forged.dump()))


def test_a_record_written_anew_as_a_whole_is_true_and_was_not_seen() -> None:
    match = contract.start(CASES["group"], 3)
    for match, _ in contract.walk(CASES["group"], 3):
        if len(match.record.lines) > 20:
            match.concede("german")
    record = match.record_for("spectator")
    seen = record.lines[10].digest
    kept = rewritten(record, players={"german": "human", "soviet": "human"})
    assert verify(record, seen=f" {seen.upper()}\n").outcome["level"] == "conceded"
    assert verify(kept).outcome["level"] == "conceded"
    with pytest.raises(RecordBroken, match=seen):
        verify(kept, seen=seen)


def test_an_undo_across_a_barrier() -> None:
    match = contract.start(CASES["group"], 3)
    match.game.ruleset.read_action({"type": "Order"})
    while not match.record.lines or not match.record.lines[-1].rolls:
        match.play(*contract.decide(match.game, contract.random.Random(1)))
    match.concede("german")
    record = match.record_for("spectator")
    rolled = next(at for at, line in enumerate(record.lines) if line.rolls)
    undo = Entry(
        n=rolled + 2, seat=record.lines[rolled].seat, what="undo", state=Record.load(record.dump()).lines[0].state
    )
    forged = rewritten(record, [*record.lines[: rolled + 1], undo])
    with pytest.raises(RecordBroken, match="beyond the last roll") as caught:
        verify(forged)
    assert caught.value.line == rolled + 3


@pytest.mark.parametrize(("seat", "by"), [("german", "greedy"), ("german", "only"), ("german", "orders")])
def test_a_decision_that_its_author_could_not_make(seat: str, by: str) -> None:
    match = Match.start(text_of("mill-ford"), nonces={"german": "a", "soviet": "b"}, key=bytes(32))
    match.go_on()
    match.play(*contract.decide(match.game, contract.random.Random(1)))
    match.concede("german")
    record = match.record_for("spectator")
    assert verify(record).decisions == 1
    with pytest.raises(RecordBroken) as caught:
        verify(rewritten(record, [change(record.lines[0], by=by), record.lines[1]]))
    assert caught.value.line == 2


def test_a_side_concedes_only_by_the_vote_of_all_its_seats() -> None:
    match = contract.start(CASES["shared"], 3)
    for seat in ("german-odd", "german-even"):
        match.concede(seat)
    record = match.record_for("spectator")
    assert verify(record).outcome["winner"] == "soviet"
    ended = change(record.lines[1], n=1)
    with pytest.raises(RecordBroken):
        verify(rewritten(record, [ended]))
    with pytest.raises(RecordBroken):
        verify(rewritten(record, [record.lines[0], change(record.lines[1], seat="german-odd")]))


def test_other_victory_points_with_blank_data() -> None:
    match = Match.start(text_of("mill-ford"), nonces={"german": "a", "soviet": "b"}, key=bytes(32))
    match.concede("german")
    record = match.record_for("spectator")
    scenario = edited(record.header.scenario, "points", "points ")
    with pytest.raises(BadInput, match="digest of the data"):
        verify(rewritten(record, scenario=scenario, data=""))
    with pytest.raises(BadInput, match="digest of the data"):
        verify(rewritten(older(record, 1), scenario=scenario, data=""))


# --- dice ---------------------------------------------------------------------------------------------------------


def test_scripted_dice_are_told() -> None:
    record = dictated(Record(played("group").header), (6, 6))
    match = Match.begun(record.header, b"", record.header.starting_dice())
    match.concede("german")
    found = verify(match.record)
    assert found.scripted
    assert not verify(played("group")).scripted


@pytest.mark.parametrize(
    ("players", "nonces", "silent"),
    [
        ({}, {"german": "a", "soviet": "b"}, ()),
        ({}, {"german": "a"}, ("soviet",)),
        ({}, {"german": "", "soviet": "b"}, ("german",)),
        ({"soviet": "greedy"}, {"german": "a"}, ()),
    ],
)
def test_seats_that_added_nothing_to_the_dice_are_told(
    players: dict[str, str], nonces: dict[str, str], silent: tuple[str, ...]
) -> None:
    match = Match.start(text_of("mill-ford"), players=players, nonces=nonces, key=bytes(32))
    match.concede("german")
    assert verify(match.record_for("spectator")).silent == silent


@pytest.mark.parametrize("sides", [0, -6, 1001, 2**70])
def test_a_die_that_no_game_has(sides: int) -> None:
    rows = said(played("group"))
    line = next(line for line in rows["lines"] if line.get("sides"))
    line["sides"] = [sides]
    assert "sides" in fault(rows)
    assert f"record:{line['n'] + 1}:" in fault(rows)


# --- bounds -------------------------------------------------------------------------------------------------------


def test_deep_or_broken_text_gives_a_sentence() -> None:
    rows = said(played("group"))
    for scenario in ("a=" + "[" * 100_000, "a=" + "9" * 5000):
        assert "not TOML" in fault({**rows, "header": {**rows["header"], "scenario": scenario}})
    text = Record.load("\n".join(msgspec.json.encode(row).decode() for row in (rows["header"], *rows["lines"]))).dump()
    deep = '{"n":1,"seat":"german","do":' + '{"a":' * 100_000 + "1" + "}" * 100_001
    with pytest.raises(BadInput, match=r"record:2: .*recursion"):
        Record.load(text.partition("\n")[0] + "\n" + deep)


def test_a_field_that_is_written_twice_is_no_record() -> None:
    text = played("group").dump()
    with pytest.raises(BadInput, match=r"record:2: .*twice"):
        Record.load(edited(text, '{"n":1,', '{"n":7,"n":1,', 1))
    with pytest.raises(BadInput, match=r"record:1: .*more"):
        Record.load(edited(text, '{"opfire":', '{"more":1,"opfire":', 1))


def test_a_record_has_bounds() -> None:
    record = played("group")
    with pytest.raises(BadInput, match="20001 lines"):
        verify(Record(record.header, [record.lines[0]] * 20_001))
    seats = {f"german-{n}": "german" for n in range(65)}
    with pytest.raises(BadInput, match="65 seats"):
        Record.load(Record(change(record.header, seats=seats)).dump())


# --- earlier formats ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [1, 2])
@pytest.mark.parametrize("case", ["shared", "plots", "hidden"])
def test_records_of_earlier_formats_are_verified_as_far_as_they_bind(
    records: dict[str, Record], case: str, form: int
) -> None:
    record = older(records[case], form)
    assert verify(Record.load(record.dump())).format == form
    assert Match.resume(record.dump(), record.header.shown_key()).record.dump() == record.dump()
    for at in kinds(record.lines).values():
        for name in ("n", "what", "rolls", "only", "events", "state", "digest"):
            for value in (value for field, value in fields(record.lines[at]) if field == name):
                rows = said(record)
                rows["lines"][at][name] = value
                assert fault(rows), (name, value)
