"""OpenGuanDan as its README documents the messages and as its referee sends them."""

import pytest

from mingpai.core.errors import BadlyWritten, IllegalHere
from mingpai.games.guandan import GAME, notation
from mingpai.games.guandan.moves import Type
from mingpai.games.guandan.view import view_from_json
from mingpai.protocols import njupt
from mingpai.protocols.njupt_client import NjuptClient
from tests.protocols.referee import PASS, RULES, STRANGE, Listener, Referee, cards, written


@pytest.mark.parametrize("seed", [3, 11])
def test_whole_matches_without_falling_back(seed: int) -> None:
    referee = Referee(seed)
    referee.run()
    assert all(client.falls.total() == 0 for client in referee.clients.values())
    assert all(client.is_over for client in referee.clients.values())
    seen = referee.seen
    assert seen["play"] > 200
    for wanted in ("stale", "off suit", "answers off suit", "exchanges of 1", "exchanges of 2", "back told in full"):
        assert seen[wanted] > 0, (wanted, seen)


def test_a_straight_off_suit_is_read_written_and_beaten() -> None:
    """Clause 9.9: the wild card stands for a card of another suit."""
    state = GAME.start("S6S7H2S9ST S3/H7H8C9CTDJ C3/S4/S5", RULES, {"level": "2"})
    plain, flush = GAME.parse_move("S6S7H2=H8S9ST", state), GAME.parse_move("S6S7H2=8S9ST", state)
    assert (Type(plain.type), Type(flush.type)) == (Type.STRAIGHT, Type.STRAIGHT_FLUSH)
    assert str(plain) == "S6S7H2=H8S9ST"
    assert {plain, flush} <= set(state.legal_moves())
    state.play(plain)
    assert GAME.parse_move("H7H8C9CTDJ", state) in state.legal_moves()
    again = view_from_json(state.view(1).to_json())
    assert again.native.best == plain
    strict = GAME.start("S6S7H2S9ST S3/H7H8C9CTDJ C3/S4/S5", "huaian2017", {"level": "2"})
    with pytest.raises(IllegalHere):
        GAME.parse_move("S6S7H2=H8S9ST", strict)
    own = GAME.start("S6S7H8S9ST S3/H4/S4/S5", RULES, {"level": "8"})
    assert {str(play) for play in own.legal_moves() if len(play) == 5} == {"S6S7H8S9ST", "S6S7H8=H8S9ST"}


def test_an_order_that_names_only_those_who_finished() -> None:
    agent = Listener()
    client = NjuptClient(agent, dialect="openguandan")
    deal = GAME.match(3, RULES, {}).next_deal()
    hand = cards(deal, 1)
    client.recv({"type": "notify", "stage": "episodeOver", "order": [0, 2], "curRank": "2", "restCards": []})
    client.recv({"type": "notify", "stage": "beginning", "handCards": hand, "myPos": 1})
    state = GAME.start(deal.deck(), RULES, {"level": "2", "previous": [0, 2, 3, 1]})
    actions = [written(play) for play in state.legal_moves()]
    body = {"type": "act", "stage": "tribute", "handCards": hand, "curRank": "2", "actionList": actions * 2}
    assert client.recv(body) is not None
    assert agent.view is not None
    assert agent.view.to_json()["previous"] == [0, 2, 3, 1]
    assert client.falls.total() == 0


def test_falls_are_counted() -> None:
    client = NjuptClient(Listener(), dialect="openguandan")
    client.recv({"type": "notify", "stage": "beginning", "handCards": ["S3", "S4"], "myPos": 1})
    body = {"type": "act", "stage": "play", "handCards": ["S3"], "curRank": "2", "actionList": [PASS, STRANGE]}
    client.recv(body)
    assert client.falls == {"story": 1, "first": 1}


@pytest.mark.parametrize("dialect", njupt.DIALECTS)
def test_an_exchange_that_is_not_told_in_full_is_counted(dialect: njupt.Dialect) -> None:
    """Nobody said how the round before ended; a card is given back all the same."""
    agent = Listener()
    client = NjuptClient(agent, dialect=dialect)
    state = GAME.deal(3, njupt.RULES[dialect], {"level": "2", "previous": [0, 1, 2, 3]})
    client.recv({"type": "notify", "stage": "beginning", "handCards": cards(state, 0), "myPos": 0})
    state.play(state.legal_moves()[0])
    paid = state.native.exchanges[0]
    actions = [written(play) for play in state.legal_moves()]
    body = {"type": "act", "stage": "back", "handCards": cards(state, 0), "curRank": "2", "tributePos": 3,
            "tribute": notation.card_text(paid.tribute), "actionList": actions}  # fmt: skip
    assert client.recv(body) is not None
    assert client.falls == {"story": 1}
    assert agent.view is not None
    assert agent.view.legal_moves() == state.legal_moves()
    client.recv({"type": "notify", "stage": "episodeOver", "order": [0, 1, 2, 3]})
    client.recv({"type": "notify", "stage": "beginning", "handCards": cards(state, 0), "myPos": 0})
    client.recv(body)
    assert client.falls == {"story": 1}
    assert agent.view.to_json() == state.view(0).to_json()


def test_both_big_jokers_and_no_resistance_is_refused_at_once() -> None:
    """It looped for ever: no deal leaves the payers without both."""
    state = GAME.start(GAME.deal(5).deck(), setup={"level": "2", "previous": [0, 1, 2, 3]})
    payer = 3
    position = state.view(payer).to_json()
    cards = [position["hand"][i : i + 2] for i in range(0, 54, 2)]
    others = [card for card in cards if card != "HR"][:25]
    position |= {"hand": "".join([*others, "HR", "HR"]), "resisted": False}
    with pytest.raises(BadlyWritten, match="no deal agrees"):
        view_from_json(position)
