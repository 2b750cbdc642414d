"""Botzone's FightTheLandlord and FightTheLandlord2: transcripts written by hand from the page of the platform."""

import io
import json
from typing import Any

import numpy as np
import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import BadlyWritten
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.notation import cards_text, parse_cards
from mingpai.protocols.botzone import KEEP_RUNNING
from mingpai.protocols.botzone_doudizhu import Session, hand_of, rank_of, respond, serve

LANDLORD_OWN = [0, 1, 4, 5, 8, 9, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 49, 50, 52, 53]
FARMER_OWN = [2, 6, 10, 13, 17, 21, 25, 29, 33, 37, 41, 45, 46, 51, 14, 18, 22]
PUBLIC = [50, 52, 53]


def session(spec: str = "rb") -> Session:
    return Session(REGISTRY.agent("doudizhu", spec))


def played(lines: str, spec: str = "rb") -> list[Any]:
    out = io.StringIO()
    serve(REGISTRY.agent("doudizhu", spec), io.StringIO(lines), out)
    answers = out.getvalue().splitlines()
    assert answers[1::2] == [KEEP_RUNNING] * (len(answers) // 2)
    return [json.loads(line)["response"] for line in answers[::2]]


@pytest.mark.parametrize(("card", "rank"), [(0, "3"), (3, "3"), (4, "4"), (47, "A"), (48, "2"), (52, "X"), (53, "D")])
def test_ids_are_ranks_times_four_and_two_jokers(card: int, rank: str) -> None:
    assert "3456789TJQKA2XD"[rank_of(card)] == rank


def test_an_id_that_is_no_card_is_refused() -> None:
    with pytest.raises(BadlyWritten, match="0 to 53"):
        rank_of(54)


def test_the_landlord_leads_from_his_twenty_cards() -> None:
    request = {"history": [[], []], "publiccard": PUBLIC, "own": LANDLORD_OWN}
    (answer,) = played(json.dumps({"requests": [request], "responses": []}) + "\n")
    assert answer
    assert set(answer) <= set(LANDLORD_OWN)


@pytest.mark.parametrize(("history", "role"), [([[], []], 0), ([[], [3]], 1), ([[3], []], 2), ([[3], [7]], 2)])
def test_the_role_follows_from_the_first_history(history: list[list[int]], role: int) -> None:
    game = session()
    own = LANDLORD_OWN if role == 0 else FARMER_OWN
    game.take({"history": history, "publiccard": PUBLIC, "own": own})
    assert game.role == role
    assert len(game.moves) == role


def test_a_farmer_answers_the_landlord_and_later_requests_continue_the_game() -> None:
    game = session()
    first = respond(game, {"history": [[], [0]], "publiccard": PUBLIC, "own": FARMER_OWN})
    assert isinstance(first, list)
    assert len(first) == 1
    assert len(game.own) == 16
    second = respond(game, {"history": [[], [52]]})  # the mate passed, the landlord played his small joker
    assert second == []
    assert [role for role, _ in game.moves] == [0, 1, 2, 0, 1]


def test_a_restarted_program_reads_the_whole_game_again() -> None:
    requests = [{"history": [[], [0]], "publiccard": PUBLIC, "own": FARMER_OWN}, {"history": [[], [52]]}]
    (resumed,) = played(json.dumps({"requests": requests, "responses": [[6]]}) + "\n")
    assert resumed == []
    first = json.dumps({"requests": requests[:1], "responses": []})
    for bare in (requests[1], {"request": requests[1]}):
        answers = played(first + "\n" + json.dumps(bare) + "\n")
        assert answers[1] == []


def test_bidding_then_play() -> None:
    """FightTheLandlord2: our seat bids third after 0 and 2, becomes landlord with 3, and gets the public cards."""
    own = [card for card in LANDLORD_OWN if card not in (16, 20, 24)]
    game = session()
    assert respond(game, {"own": own, "bid": [0, 2]}) == 3
    start = {"history": [[], []], "publiccard": [16, 20, 24], "own": own, "landlord": 2, "pos": 2, "finalbid": 3}
    answer = respond(game, start)
    assert isinstance(answer, list)
    assert set(answer) <= set(LANDLORD_OWN)
    assert len(game.own) == 20 - len(answer)


def test_no_bid_is_made_that_is_not_higher() -> None:
    assert respond(session(), {"own": FARMER_OWN, "bid": [3]}) == 0


@pytest.mark.parametrize("spec", ["rb", "mingpai:iterations=30,particles=20"])
def test_whole_games_between_three_sessions(spec: str) -> None:
    """Three programs at one table: all moves are legal under Botzone's rules and somebody goes out."""
    for seed in range(4):
        ids = [int(card) for card in np.random.default_rng(seed).permutation(54)]
        own = [ids[:20], ids[20:37], ids[37:]]
        deck = "/".join(cards_text(hand_of(cards)) for cards in (ids[3:20], own[1], own[2], ids[:3]))
        state = GAME.start(deck, "botzone+nobid", {"landlord": 0})
        games = [session(spec) for _ in range(3)]
        said: list[list[int]] = []
        while (seat := state.to_move) is not None:
            history = [said[-2] if len(said) > 1 else [], said[-1] if said else []]
            request: dict[str, Any] = {"history": history}
            if len(said) < 3:
                request |= {"publiccard": ids[:3], "own": own[seat]}
            answer = respond(games[seat], request)
            assert isinstance(answer, list)
            said.append(answer)
            text = cards_text(hand_of(answer)) or "pass"
            legal = [move for move in state.native.legal_moves() if move.cards == parse_cards(text if answer else "")]
            state.play(legal[0])
        assert state.winners()
