"""Heads-up hands of the arena's own, with all cards known."""

from mingpai.games.holdem.notation import parse_cards
from mingpai.methods.handreading.own_hands import HANDS_A_SESSION, own_hands
from mingpai.methods.handreading.understand import Act, understand


def test_hands_are_whole_and_repeatable() -> None:
    hands = list(own_hands(3 * HANDS_A_SESSION, 7))
    assert hands == list(own_hands(3 * HANDS_A_SESSION, 7)) != list(own_hands(3 * HANDS_A_SESSION, 8))
    assert len({hand.session for hand in hands}) == 3
    for hand in hands:
        cards = parse_cards("".join((*filter(None, hand.hole), hand.board)))
        assert len(set(cards)) == len(cards) >= 4
        assert all(hand.hole)


def test_actions_replay_with_the_price_of_the_small_blind_first() -> None:
    for hand in own_hands(60, 9):
        seen = understand(hand)
        assert (seen[0].seat, float(seen[0].to_call), float(seen[0].pot)) == (1, 20, 60)
        assert sum(item.act is Act.FOLD for item in seen) <= 1


def test_both_players_of_a_session_have_the_button_in_turn() -> None:
    first, second = list(own_hands(2, 7))
    assert first.players == second.players[::-1]
