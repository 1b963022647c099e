"""The door for board files: what goes in, what comes out again, and what is refused with which words."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from scoring import Board, BoardFileError, load_document
from tests.builders import board, disc, placed, square

A = {"id": "a", "kind": "swiss"}
B = {"id": "b", "kind": "bleu"}
BOX = [[0, 0], [10, 0], [10, 10], [0, 10]]
BOW_TIE = [[0, 0], [10, 10], [10, 0], [0, 10]]


def one(**tile: Any) -> dict[str, Any]:
    return {"tiles": [{**A, **tile}], "contacts": []}


def two(**fields: Any) -> dict[str, Any]:
    return {"tiles": [A, B], "contacts": [], **fields}


BAD: dict[str, tuple[object, str]] = {
    "a list": ([], "the file is []"),
    "null": (None, "the file is null"),
    "a text": ("board", "the file is 'board'"),
    "a number": (12, "the file is 12"),
    "another format": (two(format="boardsnap.board/9"), "format is 'boardsnap.board/9'; allowed: 'boardsnap.board/1'"),
    "a format that is a list": (two(format=[1]), "format is [1]"),
    "another game": (two(game="chess"), "game is 'chess'; allowed: charcuterie"),
    "a game that is a number": (two(game=7), "game is 7"),
    "no tiles": ({"contacts": []}, "tiles is null; allowed: a list"),
    "tiles as an object": ({"tiles": {"a": 1}, "contacts": []}, "tiles is an object with 1 fields"),
    "ten thousand tiles": (
        {"tiles": [{"id": f"t{i}", "kind": "swiss"} for i in range(10_000)], "contacts": []},
        "tiles is a list of 10000; allowed: at most 216",
    ),
    "a tile that is null": ({"tiles": [None], "contacts": []}, "tiles[0] is null; allowed: an object"),
    "an unknown kind": (one(kind="swis"), "Did you mean 'swiss'?"),
    "a kind with a capital": (one(kind="Round Cracker"), "Did you mean 'round_cracker'?"),
    "pepperoni": (one(kind="pepperoni"), "Did you mean 'salami'?"),
    "a kind far from all": (one(kind="sushi"), "The kinds: round_cracker,"),
    "a kind that is a list": (one(kind=["swiss"]), "tiles[0].kind is ['swiss']"),
    "no kind": ({"tiles": [{"id": "a"}], "contacts": []}, "tiles[0].kind is null"),
    "an id that is a number": (one(id=4), "tiles[0].id is 4; allowed: a text of 1 to 64 characters"),
    "an empty id": (one(id=""), "tiles[0].id is ''"),
    "a huge id": (one(id="x" * 100_000), "tiles[0].id is 'xxx"),
    "an id twice": ({"tiles": [A, {**B, "id": "a"}], "contacts": []}, "tiles[1].id is 'a', the id of tiles[0] too"),
    "a contact with itself": (two(contacts=[["a", "a"]]), "contacts[0] is ['a', 'a'], a tile with itself"),
    "a contact with a stranger": (
        two(contacts=[["a", "b"], ["a", "z"]]),
        "contacts[1] is ['a', 'z'], with the unknown id",
    ),
    "a contact of three": (two(contacts=[["a", "b", "a"]]), "contacts[0] is ['a', 'b', 'a']; allowed: a pair"),
    "a contact of numbers": (two(contacts=[[0, 1]]), "contacts[0] is [0, 1]; allowed: a pair"),
    "contacts as a text": (two(contacts="a-b"), "contacts is 'a-b'; allowed: a list"),
    "over itself": (two(over=[["a", "a"]]), "over[0] is ['a', 'a'], a tile with itself"),
    "over both ways": (two(over=[["a", "b"], ["b", "a"]]), "one order for two tiles"),
    "over a stranger": (two(over=[["a", "z"]]), "over[0] is ['a', 'z'], with the unknown id 'z'"),
    "no contacts and no footprints": ({"tiles": [A, B]}, "contacts is missing, and so is the footprint of 'a'"),
    "seven players": (two(players=7), "players is 7; allowed: a whole number from 2 to 6"),
    "players as a text": (two(players="4"), "players is '4'"),
    "players true": (two(players=True), "players is True"),
    "half a player": (two(players=2.5), "players is 2.5"),
    "infinite players": (two(players=math.inf), "players is inf"),
    "players beyond all digits": (two(players=10**400), "players is a number of more than 30 digits"),
    "an unknown variant": (two(variant="spicy"), "variant is 'spicy'; allowed: less_random, crunchy"),
    "a variant that does not fit": (two(variant="crunchy", players=3), "variant is 'crunchy' with 3 players"),
    "a board that is a list": (two(board=[1]), "board is [1]; allowed: an object"),
    "an outline of two points": (two(board={"outline": [[0, 0], [1, 1]]}), "board.outline is a list of 2 points"),
    "a ring that crosses itself": (two(board={"inner_ring": BOW_TIE}), "board.inner_ring is crossing itself at (5, 5)"),
    "a footprint that crosses itself": (one(footprint=BOW_TIE), "tiles[0].footprint is crossing itself at (5, 5)"),
    "a footprint of area 0": (
        one(footprint=[[0, 0], [1, 1], [2, 2]]),
        "tiles[0].footprint is an empty outline of area 0",
    ),
    "an empty footprint": (one(footprint=[]), "tiles[0].footprint is a list of 0 points; allowed: 3 to 5000 points"),
    "NaN": (one(footprint=[[0, 0], [1, math.nan], [0, 1]]), "tiles[0].footprint is a list with NaN"),
    "infinity": (one(footprint=[[0, 0], [1, math.inf], [0, 1]]), "a list with NaN or an infinite number"),
    "a number beyond doubles": (one(footprint=[[0, 0], [1, 10**400], [0, 1]]), "a number beyond all bounds"),
    "a number beyond any table": (one(footprint=[[0, 0], [1, 1e9], [0, 1]]), "the coordinate 1e+09"),
    "points as texts": (one(footprint=[["0", "0"], ["1", "0"], ["0", "1"]]), "some point is no pair of numbers"),
    "points of truth values": (one(footprint=[[False, 0], [True, 0], [0, 1]]), "some point is no pair of numbers"),
    "points in space": (one(footprint=[[0, 0, 0], [1, 0, 0], [0, 1, 0]]), "some point is no pair of numbers"),
    "a footprint that is a text": (one(footprint="box"), "tiles[0].footprint is no list of points"),
    "a million points": (one(footprint=[[0, 0]] * 1_000_000), "tiles[0].footprint is a list of 1000000 points"),
    "bad pixels": (one(polygon_px=[[1]]), "tiles[0].polygon_px is a list of 1 points"),
    "visible beyond 1": (one(visible=1.2), "tiles[0].visible is 1.2; allowed: a number from 0 to 1"),
    "confidence NaN": (one(confidence=math.nan), "tiles[0].confidence is nan"),
    "confidence as a text": (one(confidence="high"), "tiles[0].confidence is 'high'"),
    "an unknown card": (two(objectives=["cheese_uniqe"]), "Did you mean 'cheese_unique'?"),
    "an unknown house rule": (two(house_rules=["best"]), "house rule is 'best'"),
    "an unknown recipe": (two(recipe="dips_for_days"), "recipe is 'dips_for_days'; allowed: the_vegetarian"),
    "no boards": ({"boards": []}, "boards is an empty list"),
    "boards as an object": ({"boards": {}}, "boards is an object with 0 fields"),
    "seven boards": ({"boards": [two()] * 7}, "boards is a list of 7; allowed: at most 6"),
    "a bad board at a table": ({"boards": [two(), two(players=9)]}, "boards[1].players is 9"),
    "a board that is null": ({"boards": [None, two()]}, "boards[0] is null"),
    "a player twice": (
        {"boards": [two(player="Ana"), two(player="Ana")]},
        "boards[1].player is 'Ana', the player of boards[0] too",
    ),
    "a player without name": ({"boards": [two(player="")]}, "boards[0].player is ''"),
    "boards of two games": (
        {"boards": [two(players=3), two(players=4)]},
        "boards[1].players is 4, where boards[0] says 3",
    ),
    "a bad recipe at a table": (
        {"boards": [two(), two(recipe={"id": "x", "rule": [{"primitive": "sum"}]})]},
        "boards[1].recipe: rule[0].primitive is 'sum'",
    ),
    "another table format": ({"format": "boardsnap.table/2", "boards": [two()]}, "format is 'boardsnap.table/2'"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_field_value_and_what_is_allowed(name: str) -> None:
    document, message = BAD[name]
    with pytest.raises(BoardFileError) as caught:
        load_document(document)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 700


def test_a_board_goes_through_json_unchanged() -> None:
    document = {
        "format": "boardsnap.board/1",
        "game": "charcuterie",
        "players": 6,
        "variant": "crunchy",
        "board": {"outline": BOX, "inner_ring": [[1, 1], [9, 1], [5, 9]], "outline_px": [[1, 2]]},
        "tiles": [{**A, "footprint": BOX, "polygon_px": [[1.5, 2.0], [3.0, 2.0], [3.0, 4.0]], "visible": 0.5}, B],
        "over": [["b", "a"]],
        "contacts": [["a", "b"]],
        "photo": "board.jpg",
    }
    first = Board.from_json(document)
    assert Board.from_json(json.loads(json.dumps(first.to_json()))) == first
    assert first.to_json()["photo"] == "board.jpg"
    assert first.to_json()["board"]["outline_px"] == [[1, 2]]
    assert first.to_json()["tiles"][0]["visible"] == 0.5


def test_tiles_may_lie_on_each_other_in_a_ring() -> None:
    assert len(Board.from_json(board("swiss bleu gouda", over="0-1 1-2 2-0").to_json()).over) == 3


def test_contacts_that_are_null_follow_from_the_footprints() -> None:
    document = {**placed(square(0, 0), square(30, 0)).to_json(), "contacts": None}
    assert Board.from_json(document).contacts is None


def test_a_contact_named_twice_counts_once() -> None:
    assert Board.from_json(two(contacts=[["a", "b"], ["b", "a"], ["a", "b"]])).contacts == (("a", "b"),)


def test_a_closed_outline_is_read_like_an_open_one() -> None:
    closed = Board.from_json(one(footprint=[*BOX, BOX[0]])).placements[0].footprint
    assert closed == Board.from_json(one(footprint=BOX)).placements[0].footprint


def test_a_board_with_a_confidence_is_measured() -> None:
    assert placed(disc(0, 0), confidence=0.9).measured
    assert not placed(disc(0, 0)).measured
