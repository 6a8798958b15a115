"""Maps: what lies where, boards joined, turned, flipped and cropped."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

import opfire
from opfire.core.errors import BadInput
from opfire.core.places import Space
from opfire.space.boardcheck import check
from opfire.space.hexes import reflected_direction
from opfire.space.hexmap import (
    HexMap,
    NamedTouch,
    Placement,
    crop,
    flipped,
    join,
    linked,
    read_board,
    rotated,
    single,
    turned,
)
from space.drawing import draw, plain

HILL = draw(
    """
    .  .  w  .  .
    .  s  s  .  t
    s  h  s  .  t
    .  sw s  b  .
    .  .  .  v  a
    """,
    roads=["^ A1 B1 C1 D1 E1 >"],
    tracks=["D1 D2 D3 D4"],
    highways=["C1 C2"],
    gullies=["A5 B5 C5"],
    fords=["A5"],
    open=["C1/C2"],
    cliffs=["A2/A3"],
    dunes=["D5/E5"],
    spurs=["C5/D5"],
    names={"D5": "Mill"},
)


@pytest.fixture(scope="module")
def hill() -> HexMap:
    return single(HILL)


# --- one board ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "terrain", "level"),
    [
        ("1-A1", ("clear",), 0),
        ("1-C1", ("woods",), 0),
        ("1-C2", ("slope",), 1),
        ("1-B3", ("hilltop",), 2),
        ("1-B4", ("slope", "woods"), 1),
        ("1-D5", ("village",), 0),
        ("1-B5", ("clear", "gully"), 0),
    ],
)
def test_hexes_hold_what_their_token_says(hill: HexMap, name: str, terrain: tuple[str, ...], level: int):
    cell = hill.cell(name)
    assert (cell.terrain, cell.level, cell.playable, cell.board) == (terrain, level, True, "1")


@pytest.mark.parametrize(
    ("a", "b", "features"),
    [
        ("1-A1", "1-B1", ()),
        ("1-B1", "1-C1", ("woods",)),
        ("1-C1", "1-D1", ("woods",)),
        ("1-C1", "1-C2", ("slope",)),  # left open for the woods; the slope stays
        ("1-C2", "1-B2", ()),
        ("1-B2", "1-B3", ("hilltop",)),
        ("1-B3", "1-B4", ("hilltop", "woods")),
        ("1-A2", "1-A3", ("cliff", "slope")),
        ("1-E2", "1-E3", ()),  # two hexes of one town
        ("1-D2", "1-E2", ("town",)),
        ("1-D3", "1-D4", ("broken",)),
        ("1-D5", "1-E5", ("dune",)),
        ("1-C5", "1-D5", ("slope",)),  # a spur
        ("1-A1", "1-C1", ()),  # not neighbours
    ],
)
def test_hexsides_follow_from_the_hexes_beside_them(hill: HexMap, a: str, b: str, features: tuple[str, ...]):
    assert hill.side(a, b) == hill.side(b, a) == features


def test_links_lead_both_ways_and_the_best_one_counts(hill: HexMap):
    assert hill.link("1-A1", "1-B1") == hill.link("1-B1", "1-A1") == "road"
    assert hill.link("1-D1", "1-D2") == "track"
    assert hill.link("1-C1", "1-C2") == "highway"
    assert hill.link("1-D4", "1-D5") == hill.link("1-A1", "1-A2") == hill.link("1-A1", "1-C1") == ""
    assert hill.cell("1-C1").links == ("", "", "road", "highway", "road", "")


def test_roads_lead_off_the_map_where_the_chain_says(hill: HexMap):
    assert hill.off_map_links("1-A1") == (0,)
    assert hill.off_map_links("1-E1") == (1,)  # it came from the south-west and goes straight on
    assert hill.off_map_links("1-B1") == ()


def test_a_gully_ends_in_a_hex_with_one_side_crossed(hill: HexMap):
    no, yes = False, True
    assert hill.cell("1-A5").gully == (no, no, yes, no, no, no)
    assert hill.cell("1-B5").gully == (no, yes, no, no, no, yes)
    assert hill.cell("1-C5").gully == (no, no, no, no, yes, no)
    assert hill.cell("1-D4").gully == (no, no, no, no, no, no)
    assert (hill.cell("1-A5").ford, hill.cell("1-B5").ford) == (True, False)


def test_labels_and_unknown_names(hill: HexMap):
    assert hill.cell("1-D5").label == "Mill"
    with pytest.raises(BadInput, match="2-A1"):
        hill.cell("2-A1")
    assert "1-A1" in hill
    assert "2-A1" not in hill


def test_neighbours_distance_direction(hill: HexMap):
    assert hill.neighbours["1-B2"] == ("1-B1", "1-C2", "1-C3", "1-B3", "1-A3", "1-A2")
    assert hill.neighbours["1-A1"] == (None, None, "1-B1", "1-A2", None, None)
    assert hill.distance("1-A1", "1-E5") == hill.distance("1-E5", "1-A1") == 6
    assert hill.direction("1-B2", "1-C3") == 2
    assert hill.direction("1-B2", "1-D2") is None
    assert hill.adjacent("1-B2", "1-B3")
    assert not hill.adjacent("1-B2", "1-B2")


def test_within_is_nearest_first(hill: HexMap):
    assert hill.within("1-B2", 0) == ("1-B2",)
    assert hill.within("1-B2", 1) == ("1-B2", "1-B1", "1-C2", "1-C3", "1-B3", "1-A3", "1-A2")
    assert set(hill.within("1-C3", 9)) == set(hill.names)


def test_edges(hill: HexMap):
    assert hill.edge("1-A1") == {"north", "west"}
    assert hill.edge("1-E5") == {"south", "east"}
    assert hill.edge("1-C1") == {"north"}
    assert hill.edge("1-B1") == {"north"}
    assert hill.edge("1-B5") == {"south"}
    assert hill.edge("1-A3") == {"west"}
    assert hill.edge("1-C3") == set()


def test_a_line_in_names(hill: HexMap):
    """From A2 due east to C2: lengthwise between B1 and B2, level with the higher."""
    first, side, last = hill.line("1-A2", "1-C2")
    assert (first.hexes, last.hexes) == (("1-A2",), ("1-C2",))
    assert (side.kind, set(side.hexes), side.before, side.after) == (
        "along",
        {"1-B1", "1-B2"},
        "1-A2",
        "1-C2",
    )
    assert [(features, halves) for _, _, features, halves in side.sides] == [(("slope",), 2)]


def test_a_line_along_the_edge_touches_hexes_that_are_not_there(hill: HexMap):
    (side,) = (touch for touch in hill.line("1-A1", "1-C1") if touch.kind == "along")
    assert set(side.hexes) == {None, "1-B1"}


def test_the_map_as_the_client_draws_it(hill: HexMap):
    drawn = hill.to_json()
    assert (drawn["space"], drawn["orientation"]) == ("hexes", "flat-top")
    assert drawn["boards"] == [{"id": "drawn", "number": "1", "title": "Drawn", "turned": False}]
    (slope,) = (hex for hex in drawn["hexes"] if hex["name"] == "1-B2")
    assert (slope["q"], slope["r"], slope["terrain"], slope["level"]) == (1, 1, ("slope",), 1)
    assert set(slope) == {
        *("name", "q", "r", "board", "playable", "terrain", "level", "label"),
        *("sides", "links", "gully", "bridge", "ford", "storeys"),
    }


def test_a_map_is_a_space_whose_places_are_hexes(hill: HexMap):
    space: Space[str] = hill
    assert space.text(space.parse("1-B2")) == "1-B2"
    assert ("1-B2" in space, "1-B9" in space, (0, 0) in space) == (True, False, False)
    assert (space.adjacent("1-A1", "1-B1"), space.adjacent("1-A1", "1-C1")) == (True, False)
    assert [space.in_reach("1-A1", "1-C1", steps) for steps in (1, 2, 3)] == [False, True, True]
    with pytest.raises(BadInput, match="zones: '1-B9' is not a hex in play"):
        space.parse("1-B9", "zones")


def test_a_map_is_never_copied_and_travels_whole(hill: HexMap):
    assert copy.copy(hill) is copy.deepcopy(hill) is hill
    travelled = pickle.loads(pickle.dumps(hill))
    assert travelled == hill
    assert hash(travelled) == hash(hill)
    assert travelled.neighbours == hill.neighbours


def test_the_digest_tells_any_change(hill: HexMap):
    changed = single(draw("\n".join(" ".join(row) for row in HILL.hexes)))
    assert changed.digest != hill.digest
    assert changed != hill
    assert single(HILL).digest == hill.digest
    assert len(hill.digest) == 32


# --- joins -------------------------------------------------------------------------------------------


def test_one_board_plays_on_its_whole_hexes():
    """31 inner columns: 15 odd ones of 10 hexes, 16 even ones of 9."""
    map = single(plain("1"))
    assert len(map.names) == 15 * 10 + 16 * 9 == 294
    assert not map.cells["1-A3"].playable
    assert not map.cells["1-B0"].playable
    assert map.neighbours["1-B1"] == (None, "1-C1", "1-C2", "1-B2", None, None)
    assert map.edge("1-B1") == {"north", "west"}
    assert map.edge("1-C1") == {"north"}
    assert map.edge("1-FF5") == {"east"}


def test_half_hexes_at_the_outer_edges_may_be_opened():
    assert len(join([Placement(plain("1"))], edges="open").names) == 17 * 10 + 16 * 11


@pytest.mark.parametrize(
    ("places", "count"),
    [
        ([(0, 0), (1, 0)], 31 * 10 + 32 * 9),  # 63 inner columns
        ([(0, 0), (0, 1)], 15 * 20 + 16 * 19),  # the joint adds a row to the even columns
        ([(0, 0), (1, 0), (0, 1), (1, 1)], 31 * 20 + 32 * 19),
        ([(0, 0), (1, 0), (1, 1)], 294 + 294 + 294 + 10 + 16),  # a bend: ten and sixteen joined halves
    ],
)
def test_pairs_of_halves_make_whole_hexes(places: list[tuple[int, int]], count: int):
    laid = [Placement(plain(str(n)), *place) for n, place in enumerate(places, 1)]
    assert len(join(laid).names) == count


def test_long_edge_to_long_edge():
    """Board 1 north of board 2: even columns share a hex, odd columns are neighbours."""
    map = join([Placement(plain("2"), 0, 1), Placement(plain("1"), 0, 0)])
    assert map.aliases["2-B0"] == "1-B10"
    assert map.cell("2-B0").name == "1-B10"
    assert "1-B10" in map
    assert map.neighbours["1-I10"][3] == "2-I1"
    assert map.neighbours["1-H10"] == ("1-H9", "1-I10", "2-I1", "2-H1", "2-G1", "1-G10")
    assert map.edge("1-I10") == map.edge("2-I1") == map.edge("1-H10") == set()


def test_the_lower_number_owns_the_hex_wherever_it_lies():
    map = join([Placement(plain("10"), 0, 0), Placement(plain("9"), 0, 1)])
    assert map.cell("10-B10").name == "9-B0"
    assert map.aliases["10-B10"] == "9-B0"


def test_short_edge_to_short_edge():
    """Board 1 west of board 2: column GG of the one is column A of the other."""
    map = join([Placement(plain("1"), 0, 0), Placement(plain("2"), 1, 0)])
    assert map.cell("2-A4").name == "1-GG4"
    assert map.neighbours["1-GG4"] == ("1-GG3", "2-B3", "2-B4", "1-GG5", "1-FF4", "1-FF3")
    assert map.distance("1-FF4", "2-B4") == 2


def test_a_turned_board_lies_upside_down():
    """Column 9 lies where column 25 was, row 10 where row 1 was; even columns count from 0 to 10."""
    map = join([Placement(plain("1"), 0, 0), Placement(plain("2"), 0, 1, turned=True)])
    assert map.neighbours["1-I10"][3] == "2-Y10"
    assert map.cell("2-FF10").name == "1-B10"
    assert map.neighbours["1-B10"][3] == "2-FF9"
    assert map.boards[1].turned
    assert not map.boards[0].turned


@pytest.mark.parametrize("turns", list(product([False, True], repeat=4)))
def test_every_hex_of_every_board_keeps_its_names_either_way_round(turns: tuple[bool, ...]):
    boards = [plain(str(n)) for n in range(1, 5)]
    spots = [(0, 0), (1, 0), (0, 1), (1, 1)]
    map = join([Placement(board, *spot, turn) for board, spot, turn in zip(boards, spots, turns, strict=True)])
    assert len(map.names) == 1228
    owned = {name: name for name in map.cells} | dict(map.aliases)
    assert set(owned) == {f"{board.number}-{place}" for board in boards for place in board.places()}
    for name, owner in owned.items():
        cell = map.cell(name)
        assert cell.name == owner == map.name_at((cell.q, cell.r))
        assert map.coords[owner] == (cell.q, cell.r)
    for alias, name in map.aliases.items():
        assert int(name.partition("-")[0]) < int(alias.partition("-")[0])


@pytest.mark.parametrize("turn", [False, True])
@pytest.mark.parametrize("spot", [(0, 0), (0, 1), (1, 0)])
def test_a_board_keeps_its_geometry_in_any_place(spot: tuple[int, int], turn: bool):
    alone = single(plain("2", 9, 8))
    there = {(0, 0): (1, 0), (0, 1): (0, 0), (1, 0): (0, 0)}[spot]
    joined = join([Placement(plain("2", 9, 8), *spot, turn), Placement(plain("3", 9, 8), *there)])
    for a, b in product(alone.names, repeat=2):
        assert joined.distance(a, b) == alone.distance(a, b)
    for a in alone.names:
        ways = alone.neighbours[a][3:] + alone.neighbours[a][:3] if turn else alone.neighbours[a]
        inside = [name if name in alone else None for name in joined.neighbours[a]]
        assert inside == list(ways)


def test_roads_meet_at_the_joints():
    north = plain("1", roads=["I8 I9 I10 v", "Y9 Y10 v", "EE3 FF3 GG3 >"])
    south = plain("2", highways=["^ I1 I2"])
    east = plain("3", roads=["< A3 B2"], tracks=["A8 B8"])
    map = join([Placement(north), Placement(south, 0, 1), Placement(east, 1, 0)])
    assert map.link("1-I10", "2-I1") == map.link("2-I1", "1-I10") == "road"  # the lesser of road and highway
    assert map.link("1-Y10", "2-Y1") == ""  # no partner: the road ends at the joint
    assert map.cell("1-GG3").links == ("", "road", "", "", "road", "")
    assert map.off_map_links("1-GG3") == ()
    assert single(north).off_map_links("1-Y10") == (3,)
    assert single(north).off_map_links("1-FF3") == (1,)
    assert single(east).off_map_links("3-B8") == (5,)


def test_a_turned_board_turns_its_roads_and_sides():
    # Nine columns and eight rows: D3 goes to column F, row 8 - 3 = 5; its south side becomes the north one.
    board = plain("1", 9, 8, roads=["^ C1 C2 D2 D3"], cliffs=["D3/D4"], gullies=["D5 D6"])
    straight, round = single(board), join([Placement(board, turned=True)])
    assert straight.coords["1-F5"] == round.coords["1-D3"]
    assert straight.cells["1-D3"].sides[3] == round.cells["1-D3"].sides[0] == ("cliff",)
    assert straight.off_map_links("1-C1") == (0,)
    assert round.off_map_links("1-C1") == (3,)
    assert round.link("1-D2", "1-D3") == "road"
    assert (straight.cells["1-D5"].gully[3], round.cells["1-D5"].gully[0]) == (True, True)


def test_features_reach_across_a_joint():
    """Not for boards that keep the edge rule, but nothing is lost."""
    rows = [". . . . .", ". . . . .", ". . w . ."]
    north = draw("\n".join(rows), edges="half", number="1")
    map = join([Placement(north), Placement(plain("2", 5, 3), 0, 1)])
    assert map.side("1-C3", "2-C1") == map.side("2-C1", "1-C3") == ("woods",)


@pytest.mark.parametrize(
    ("laid", "what"),
    [
        ([], "no boards"),
        ([Placement(plain("1")), Placement(plain("2"))], "in one place"),
        ([Placement(plain("1")), Placement(plain("1"), 1)], "of one number"),
        ([Placement(plain("1")), Placement(plain("2"), 2)], "do not touch"),
        ([Placement(plain("1")), Placement(plain("2"), 1, 1)], "do not touch"),
        ([Placement(plain("1")), Placement(plain("2", 9, 8), 1)], "do not fit"),
        ([Placement(draw(". . .")), Placement(draw(". . .", number="2"), 1)], "do not fit"),
    ],
)
def test_boards_that_make_no_map(laid: list[Placement], what: str):
    with pytest.raises(BadInput, match=what):
        join(laid)


# --- moved maps --------------------------------------------------------------------------------------


def seen(touches: tuple[NamedTouch, ...]) -> list[object]:
    """A line without the order in which the hexes of one touch are named."""
    return [
        (
            touch.kind,
            frozenset(touch.hexes),
            frozenset((frozenset((a, b)), features, halves) for a, b, features, halves in touch.sides),
            (touch.before, touch.after, touch.start, touch.end),
        )
        for touch in touches
    ]


@pytest.mark.parametrize("move", [turned, flipped, *(lambda map, n=n: rotated(map, n) for n in range(1, 6))])
def test_a_moved_map_is_the_same_map(hill: HexMap, move: Callable[[HexMap], HexMap]):
    moved = move(hill)
    for a, b in product(hill.names, repeat=2):
        assert moved.distance(a, b) == hill.distance(a, b)
        assert moved.side(a, b) == hill.side(a, b)
        assert moved.link(a, b) == hill.link(a, b)
        assert seen(moved.line(a, b)) == seen(hill.line(a, b))
    assert moved.id != hill.id


def test_twice_turned_or_flipped_is_as_before(hill: HexMap):
    assert turned(turned(hill)).digest == flipped(flipped(hill)).digest == hill.digest
    assert turned(hill).boards[0].turned
    assert not turned(turned(hill)).boards[0].turned


def test_a_turn_exchanges_the_edges_and_a_flip_only_east_and_west(hill: HexMap):
    other = {"north": "south", "south": "north", "east": "west", "west": "east"}
    for name in hill.names:
        assert turned(hill).edge(name) == {other[edge] for edge in hill.edge(name)}
    mirrored = {"north": "north", "south": "south", "east": "west", "west": "east"}
    for name in hill.names:
        assert flipped(hill).edge(name) == {mirrored[edge] for edge in hill.edge(name)}
        expected = {reflected_direction(way) for way in hill.off_map_links(name)}
        assert set(flipped(hill).off_map_links(name)) == expected


def test_joining_turned_boards_is_turning_the_joined_map():
    assert turned(single(HILL)).neighbours == join([Placement(HILL, turned=True)]).neighbours
    one, two = plain("1", 9, 8, roads=["^ C1 C2"]), plain("2", 9, 8, cliffs=["D3/D4"])
    straight = join([Placement(one, 0, 0), Placement(two, 1, 0)])
    round = join([Placement(two, 0, 0, True), Placement(one, 1, 0, True)])
    assert turned(straight).neighbours == round.neighbours
    for name, cell in turned(straight).cells.items():
        assert replace(round.cells[name], q=cell.q, r=cell.r) == cell


# --- cropped maps ------------------------------------------------------------------------------------


def test_a_crop_is_the_printed_rectangle():
    map = crop(single(plain("1", roads=["^ I1 I2 I3 I4"])), "1-K6", "1-H2")
    assert set(map.names) == {f"1-{column}{row}" for column in "HIJK" for row in range(2, 7)}
    assert map.off_map_links("1-I2") == (0,)
    assert map.edge("1-I2") == {"north"}
    assert map.edge("1-K6") == {"south", "east"}


def test_a_crop_of_a_turned_board_is_the_same_rectangle(hill: HexMap):
    assert set(crop(turned(hill), "1-B2", "1-D4").names) == set(crop(hill, "1-B2", "1-D4").names)
    assert crop(turned(hill), "1-B2", "1-D4").neighbours["1-B2"] == (
        *("1-B3", None, None, None),
        *("1-C2", "1-C3"),
    )


def test_a_crop_across_boards_takes_what_lies_between():
    map = join([Placement(plain("1")), Placement(plain("2"), 0, 1)])
    part = crop(map, "1-I9", "2-K2")
    # Column J is half a hex lower: J9 (y 9.5), J10 = the joint, 2-J1 (y 11.5) lie between y 9 and y 12.
    assert set(part.names) == {
        *("1-I9", "1-I10", "2-I1", "2-I2"),
        *("1-J9", "1-J10", "2-J1"),
        *("1-K9", "1-K10", "2-K1", "2-K2"),
    }
    assert part.cell("2-J0").name == "1-J10"
    assert [board.number for board in part.boards] == ["1", "2"]


def test_a_crop_keeps_its_lines(hill: HexMap):
    """Only hexes beyond the edge are unknown; sides, their features and places are the same."""
    part = crop(hill, "1-B1", "1-E4")
    for a, b in product(part.names, repeat=2):
        assert part.distance(a, b) == hill.distance(a, b)
        inner = [(touch.kind, touch.start, [side[2:] for side in touch.sides]) for touch in part.line(a, b)]
        whole = [(touch.kind, touch.start, [side[2:] for side in touch.sides]) for touch in hill.line(a, b)]
        assert [(kind, start) for kind, start, _ in inner] == [(kind, start) for kind, start, _ in whole]
        for (kind, _, mine), (_, _, theirs) in zip(inner, whole, strict=True):
            assert kind == "vertex" or mine == theirs


def test_a_crop_of_a_hex_that_is_not_there(hill: HexMap):
    with pytest.raises(BadInput, match="1-Z9"):
        crop(hill, "1-A1", "1-Z9")


# --- the boards that come with the program -----------------------------------------------------------

SHIPPED = sorted((Path(opfire.__file__).parent / "scenarios" / "boards").glob("*.toml"))


def test_boards_come_with_the_program():
    assert len(SHIPPED) >= 3


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_the_boards_that_come_with_the_program_are_sound(file: Path):
    assert check(read_board(file)) == []


def test_the_boards_that_come_with_the_program_join_in_every_order():
    boards = [read_board(file) for file in SHIPPED[:2]]
    for turns in product([False, True], repeat=2):
        for spot in ((1, 0), (0, 1)):
            map = join([Placement(boards[0], 0, 0, turns[0]), Placement(boards[1], *spot, turns[1])])
            for name in map.names:
                for way, other in enumerate(map.neighbours[name]):
                    if other is not None:
                        assert map.cells[name].links[way] == map.cells[other].links[(way + 3) % 6]
                        assert map.cells[name].sides[way] == map.cells[other].sides[(way + 3) % 6]
                        assert map.cells[name].gully[way] == map.cells[other].gully[(way + 3) % 6]


def test_a_chain_of_hexes_is_linked_both_ways_and_better_links_stay(hill: HexMap):
    first = next(name for name in hill.names if sum(map(bool, hill.neighbours[name])) == 6)
    way = [first, *filter(None, hill.neighbours[first][:1])]
    once = linked(hill, [way], "road")
    assert once.link(*way) == once.link(*reversed(way)) == "road"
    assert linked(once, [way], "path").link(*way) == "road"
    assert linked(hill, [], "path") is hill
    assert len({hill.id, once.id, linked(hill, [way], "path").id}) == 3
