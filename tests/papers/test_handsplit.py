"""Worked examples of paper 003."""

from mingpai.games.doudizhu.notation import parse_cards
from mingpai.methods.handsplit.split import less_split, min_turns, split

PAPER_HAND = parse_cards("34556789XD")


def test_example_has_exactly_16_partitions() -> None:
    partitions = {tuple(sorted(str(move) for move in partition)) for partition in split(PAPER_HAND)}
    chains = ["56789", "45678", "456789", "34567", "345678", "3456789"]
    assert len(partitions) == 16
    assert {chain for chain in chains if any(chain in partition for partition in partitions)} == set(chains)
    assert ("3", "4", "5", "56789", "XD") in partitions
    assert ("3", "4", "5", "5", "6", "7", "8", "9", "D", "X") in partitions


def test_example_has_fewest_turns_3() -> None:
    assert min_turns(PAPER_HAND) == 3
    (smallest,) = less_split(PAPER_HAND, slack=0)
    assert sorted(str(move) for move in smallest) == ["3456789", "5", "XD"]
