"""The 18 cards scored a second time, from the rulings alone and by enumeration. Shares no code with `scoring`.

A board is (kinds, contacts): kinds by position, contacts as a set of position pairs.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np

BREAD = {"round_cracker", "square_cracker", "baguette", "ciabatta"}
SQUARE_BREAD = {"square_cracker", "ciabatta"}
CHEESE = {"parmesan", "swiss", "cheddar", "gouda", "colby", "bleu"}
MEAT = {"salami", "soppressata", "meat_rose"}
FRUIT = {"blackberries", "dates", "grapes", "strawberries", "orange"}
VEGGIE = {"tomato", "cucumber", "carrots", "olives", "broccoli_cauliflower"}
DIP = {"tapenade", "ranch", "hummus", "fig_jam"}
UNIQUE = {1: 1, 2: 3, 3: 6, 4: 10, 5: 15, 6: 20}

Contacts = frozenset[frozenset[int]]
TinyBoard = tuple[tuple[str, ...], Contacts]


def _touching(board: TinyBoard, a: int, b: int) -> bool:
    return frozenset((a, b)) in board[1]


def _of(board: TinyBoard, kinds: set[str]) -> list[int]:
    return [i for i, kind in enumerate(board[0]) if kind in kinds]


def _clusters(board: TinyBoard, tiles: list[int]) -> list[list[int]]:
    """Connected sets by squaring the reachability matrix until it stands still."""
    reach = np.array([[a == b or _touching(board, a, b) for b in tiles] for a in tiles], dtype=int)
    if not tiles:
        return []
    while True:
        further = ((reach @ reach) > 0).astype(int)
        if (further == reach).all():
            break
        reach = further
    rows = {tuple(np.nonzero(line)[0].tolist()) for line in reach}
    return [[tiles[i] for i in row] for row in rows]


def _groups(board: TinyBoard, kinds: set[str], least: int = 2) -> list[list[str]]:
    return [[board[0][t] for t in c] for c in _clusters(board, _of(board, kinds)) if len(c) >= least]


def _only(board: TinyBoard) -> list[list[str]]:
    return [[board[0][t] for t in c] for c in _clusters(board, list(range(len(board[0])))) if len(c) >= 2]


def _best_assignment(board: TinyBoard, tiles: list[int], holders: list[int], cap: int) -> int:
    """The most tiles that can be given to holders they touch, trying every way."""
    options = [tuple(n for n, h in enumerate(holders) if _touching(board, t, h)) for t in tiles]

    @cache
    def best(index: int, room: tuple[int, ...]) -> int:
        if index == len(tiles):
            return 0
        found = best(index + 1, room)
        for n in options[index]:
            if room[n]:
                left = (*room[:n], room[n] - 1, *room[n + 1 :])
                found = max(found, 1 + best(index + 1, left))
        return found

    needed = frozenset(n for ways in options for n in ways)
    return best(0, tuple(cap if n in needed else 0 for n in range(len(holders))))


def _trio(board: TinyBoard, *wanted: set[str]) -> int:
    found = 0
    for cluster in _only(board):
        found += len(cluster) == 3 and all(sum(kind in kinds for kind in cluster) == 1 for kinds in wanted)
    return 10 * found


def _by_shape(board: TinyBoard) -> tuple[int, int]:
    table = [0, 1, 2, 4, 5, 8]
    square = len(_of(board, SQUARE_BREAD))
    return table[min(5, square)], table[min(5, len(_of(board, BREAD)) - square)]


def _matching_cheese(board: TinyBoard, least: int = 2) -> list[list[int]]:
    table = [0, 1, 4, 9, 12]
    return [[table[min(4, group.count(kind))] for kind in set(group)] for group in _groups(board, CHEESE, least)]


def _companions(board: TinyBoard) -> list[tuple[int, int]]:
    """(dip, tile) for each tile that counts for a dip it touches."""
    kinds = board[0]
    found = []
    for dip in _of(board, DIP):
        wanted = VEGGIE if kinds[dip] in {"ranch", "hummus"} else BREAD
        found += [(dip, tile) for tile in _of(board, wanted) if _touching(board, dip, tile)]
    return found


def _unique_groups(board: TinyBoard, kinds: set[str], least: int = 2) -> int:
    return sum(UNIQUE[len(set(group))] for group in _groups(board, kinds, least))


def _bread_touches(board: TinyBoard, meat: int) -> int:
    return sum(_touching(board, meat, bread) for bread in _of(board, BREAD))


def score(board: TinyBoard, neighbors: list[TinyBoard]) -> dict[str, int]:
    """The points of all 18 cards."""
    kinds = board[0]
    fruit, veggie, cheese = len(_of(board, FRUIT)), len(_of(board, VEGGIE)), len(_of(board, CHEESE))
    square = len(_of(board, SQUARE_BREAD))
    dips = len({kind for kind in kinds if kind in DIP})
    spread = [c for c in _only(board) if all(k in DIP | BREAD for k in c)]
    return {
        "bread_pairs": 2 * min(square, len(_of(board, BREAD)) - square),
        "cheese_unique": _unique_groups(board, CHEESE),
        "dip_unique": [0, -3, 3, 9, 15][dips],
        "fruit_unique": _unique_groups(board, FRUIT),
        "meat_sandwich": 2 * _best_assignment(board, _of(board, BREAD), _of(board, MEAT), 2),
        "veggie_cheese_pairs": 4 * _best_assignment(board, _of(board, VEGGIE), _of(board, CHEESE), 1),
        "bread_same_shape": sum(_by_shape(board)),
        "bread_cheese_fruit_trio": _trio(board, BREAD, CHEESE, FRUIT),
        "cheese_matching": sum(map(sum, _matching_cheese(board))),
        "cheese_neighbors": 10 * sum(len(_of(other, CHEESE)) < cheese for other in neighbors),
        "dip_bread_spread": 21 * sum(any(k in DIP for k in c) and sum(k in BREAD for k in c) >= 5 for c in spread),
        "dip_companions": len(_companions(board)),
        "fruit_matching_pairs": 7 * sum(kinds.count(kind) // 2 for kind in FRUIT),
        "fruit_veggie_pairs": 6 * min(fruit, veggie),
        "meat_cheese_pairs": 3 * _best_assignment(board, _of(board, MEAT), _of(board, CHEESE), 1),
        "meat_cheese_bread_trio": _trio(board, MEAT, CHEESE, BREAD),
        "veggie_neighbors": 7 * sum(len(_of(other, VEGGIE)) < veggie for other in neighbors),
        "veggie_dip": 4 * _best_assignment(board, _of(board, VEGGIE), _of(board, DIP), 4),
    }


def other_readings(board: TinyBoard) -> dict[tuple[str, str], int]:
    """The points of each card under each of its house rules, one at a time."""
    no_dip = not _of(board, DIP)
    return {
        ("cheese_unique", "lone_tile_is_group"): _unique_groups(board, CHEESE, 1),
        ("fruit_unique", "lone_tile_is_group"): _unique_groups(board, FRUIT, 1),
        ("cheese_matching", "lone_tile_is_group"): sum(map(sum, _matching_cheese(board, 1))),
        ("cheese_matching", "best_kind"): sum(map(max, _matching_cheese(board))),
        ("bread_same_shape", "best_shape"): max(_by_shape(board)),
        ("meat_sandwich", "bread_per_meat"): 2 * sum(min(2, _bread_touches(board, m)) for m in _of(board, MEAT)),
        ("dip_companions", "companion_once"): len({tile for _, tile in _companions(board)}),
        ("dip_unique", "no_dip_points"): -3 if no_dip else score(board, [])["dip_unique"],
    }


def largest_pairing(edges: list[tuple[int, int]]) -> int:
    """The most edges of which no two share an end, trying every set of edges."""
    for size in range(len(edges), 0, -1):
        for chosen in combinations(edges, size):
            if len({end for edge in chosen for end in edge}) == 2 * size:
                return size
    return 0
