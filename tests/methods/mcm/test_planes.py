"""The paper's 15 x 15 x 29 tensor on hand-made positions. Clauses: native/mcm/planes.hpp."""

import numpy as np
from numpy.typing import NDArray

from mingpai._native import doudizhu, mcm
from mingpai.games.doudizhu import notation

RULES = doudizhu.profile("standard")
PASS = doudizhu.Move()
SINGLE, PAIR, TRIPLE, STRAIGHT, AIRPLANE, BOMB, ROCKET, FOUR, KICKER, LANDLORD = 4, 5, 6, 7, 9, 10, 11, 12, 13, 14
TO_BEAT, HAND = 27, 28


def move(text: str, type_: doudizhu.Type | None = None) -> doudizhu.Move:
    readings = doudizhu.classify(notation.parse_cards(text), RULES).to_list()
    return next(reading for reading in readings if type_ is None or reading.type == type_)


def tensor(role: int, hand: str, history: list[doudizhu.Move]) -> NDArray[np.uint8]:
    counts = [20, 17, 17]
    for back, made in enumerate(reversed(history), 1):
        counts[(role - back) % 3] -= made.size
    position = mcm.Position(role, notation.parse_cards(hand), 0, (counts[0], counts[1], counts[2]), history, RULES)
    return np.asarray(mcm.planes([position])[0])


def ranks(row: NDArray[np.uint8]) -> str:
    return "".join(letter for letter, set_ in zip(notation.RANKS, row, strict=True) if set_)


def rows(plane: NDArray[np.uint8]) -> dict[int, str]:
    """Row -> its ranks, empty rows left out."""
    return {y: ranks(plane[y]) for y in range(15) if plane[y].any()}


def test_shape_and_first_decision() -> None:
    """Plane 28: the hand, counts only; all others are empty at the first lead."""
    planes = tensor(0, "3445556666789TJQKA2D", [])
    assert planes.shape == (29, 15, 15)
    assert rows(planes[HAND]) == {0: "3456789TJQKA2D", 1: "456", 2: "56", 3: "6"}
    assert not planes[:HAND].any()


def test_moves_of_the_last_rounds_and_the_move_to_beat() -> None:
    """Planes 3-26 oldest first; 27 the move to beat; rows 4-13 the part of a rank in it; row 14 the landlord's."""
    history = [move("3334"), PASS, PASS, move("56789"), move("6789T"), PASS]
    planes = tensor(0, "445677TJQKA", history)
    assert rows(planes[26]) == {}, "the seat before the landlord passed"
    assert rows(planes[25]) == {0: "6789T", STRAIGHT: "6789T"}
    assert rows(planes[24]) == {0: "56789", STRAIGHT: "56789", LANDLORD: notation.RANKS}
    assert rows(planes[23]) == rows(planes[22]) == {}
    assert rows(planes[21]) == {0: "34", 1: "3", 2: "3", TRIPLE: "3", KICKER: "4", LANDLORD: notation.RANKS}
    assert rows(planes[TO_BEAT]) == rows(planes[25])


def test_every_kind_of_move_has_its_row() -> None:
    def latest(text: str, type_: doudizhu.Type | None = None) -> dict[int, str]:
        return {
            y: cards
            for y, cards in rows(tensor(1, "66777889TTJJQKA22", [move(text, type_)])[26]).items()
            if 4 <= y < 14
        }

    assert latest("3") == {SINGLE: "3"}
    assert latest("44") == {PAIR: "4"}
    assert latest("555") == {TRIPLE: "5"}
    assert latest("334455") == {8: "345"}
    assert latest("33344456") == {AIRPLANE: "34", KICKER: "56"}
    assert latest("5555") == {BOMB: "5"}
    assert latest("XD") == {ROCKET: "XD"}
    assert latest("333356") == {FOUR: "3", KICKER: "56"}


def test_what_was_played_before_the_last_eight_rounds_is_summed_up() -> None:
    """Planes 0-2: me, next, previous."""
    rounds = [[move("3"), move("4"), move("5")], [move("6"), PASS, PASS]]
    rest = [made for rank in "3456789T" for made in (move(rank), PASS, PASS)]
    planes = tensor(0, "789TJQKA22", rounds[0] + rounds[1] + rest)
    assert rows(planes[0]) == {0: "36"}
    assert rows(planes[1]) == {0: "4"}
    assert rows(planes[2]) == {0: "5"}
    assert rows(planes[3]) == {0: "3", SINGLE: "3", LANDLORD: notation.RANKS}
    assert not planes[TO_BEAT].any(), "two passes: a lead"
