"""OpenGuanDan as its README documents the messages and as its referee sends them: a foreign referee, written here.

It sends flat objects and has the habits seen on the real one: the play to beat of the round before in the first act
after an exchange, `back` acts before the note of the tribute, suited cards with a wild one listed as a straight too. It
is not our host: it shares with it only the rules.
"""

from collections import Counter
from typing import Any

import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Decision
from mingpai.core.errors import BadlyWritten, IllegalHere
from mingpai.core.game import View
from mingpai.games.guandan import GAME, notation
from mingpai.games.guandan.moves import Play, Type
from mingpai.games.guandan.state import GuandanState
from mingpai.games.guandan.view import view_from_json
from mingpai.protocols.njupt_client import NjuptClient

RULES = "openguandan"
PASS = ["PASS", "PASS", "PASS"]
STRANGE = ["Flower", "?", ["Z1"]]
"""An action that nobody can read, first in the list."""
WORDS = {
    Type.SINGLE: "Single", Type.PAIR: "Pair", Type.TRIPLE: "Trips", Type.PLATE: "TwoTrips", Type.TUBE: "ThreePair",
    Type.FULL_HOUSE: "ThreeWithTwo", Type.STRAIGHT: "Straight", Type.BOMB: "Bomb", Type.STRAIGHT_FLUSH: "StraightFlush",
    Type.TRIBUTE: "tribute", Type.RETURN: "back",
}  # fmt: skip

Message = dict[str, Any]


class Listener(Agent[NoSettings]):
    """Plays as rule4 and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(NoSettings(), game="guandan", spec="listener")
        self._inner = REGISTRY.agent("guandan", "rule4")
        self.view: View | None = None
        self.move: Any = None

    def forget(self) -> None:
        self.view = None

    def decide(self, view: View) -> Decision:
        self.view = view
        decision = self._inner.decide(view)
        self.move = decision.move
        return decision


def written(play: Play) -> list[Any]:
    if play.is_pass:
        return PASS
    cards = [notation.card_text(card) for card, _ in play.arranged()]
    if play.type == Type.JOKER_BOMB:
        return ["FourKings", "B", cards]
    word = WORDS[Type(play.type)]
    return [word, word if word in ("tribute", "back") else notation.RANK_LETTERS[play.rank], cards]


class Referee:
    """A whole match. Seats 0 and 2 are clients; 1 and 3 play straights off suit where they can, else as rule3."""

    def __init__(self, seed: int) -> None:
        self.match = GAME.match(seed, RULES, {})
        self.agents = {seat: Listener() for seat in (0, 2)}
        self.clients = {seat: NjuptClient(self.agents[seat], dialect="openguandan") for seat in (0, 2)}
        for client in self.clients.values():
            client.hello(room=9)
        self.seen: Counter[str] = Counter()
        self.greater: tuple[int, Any] = (-1, None)
        """As the referee remembers it: kept from the round before until somebody plays."""

    def run(self) -> None:
        while not self.match.is_over:
            self.round(self.match.next_deal())
        self.tell({"stage": "gameOver", "curTimes": 1, "settingTimes": 1})
        self.tell({"stage": "gameResult", "victory": 0, "victoryRank": list(self.match.levels)})

    def tell(self, body: Message) -> None:
        for client in self.clients.values():
            assert client.recv({"type": "notify", **body}) is None

    def round(self, state: GuandanState) -> None:
        for seat, client in self.clients.items():
            hand = notation.cards_text(state.hand(seat))
            cards = [hand[i : i + 2] for i in range(0, len(hand), 2)]
            client.recv({"type": "notify", "stage": "beginning", "handCards": cards, "myPos": seat})
        if state.native.resisted:
            self.seen["resisted"] += 1
            self.tell({"stage": "anti-tribute", "antiNums": 1, "antiPos": [3]})
        while state.to_move is not None:
            self.turn(state)
        order = list(state.native.order)
        self.tell({"stage": "episodeOver", "order": order, "curRank": notation.RANKS[state.level], "restCards": []})
        self.match.finish(state)

    def turn(self, state: GuandanState) -> None:
        seat, phase = state.to_move, state.phase
        assert seat is not None
        play = self.asked(state, seat) if seat in self.clients else self.scripted(state)
        state.play(play)
        exchanges = state.native.exchanges
        if phase == notation.Phase.PLAY:
            self.note_play(state, seat, play)
        elif state.phase == notation.Phase.PLAY:
            # both notes at the end: every act of the exchange came before them
            card = notation.card_text
            self.tell({"stage": "tribute", "result": [[e.payer, e.receiver, card(e.tribute)] for e in exchanges]})
            self.tell({"stage": "back", "result": [[e.receiver, e.payer, card(e.returned)] for e in exchanges]})
            self.seen[f"exchanges of {len(exchanges)}"] += 1

    def note_play(self, state: GuandanState, seat: int, play: Play) -> None:
        if not play.is_pass:
            self.greater = (seat, written(play))
        over = state.native.is_leading and play.is_pass
        shown = (-1, None) if over else self.greater
        self.tell({"stage": "play", "curPos": seat, "curAction": written(play), "greaterPos": shown[0],
                   "greaterAction": shown[1]})  # fmt: skip
        if over:
            self.greater = (-1, None)
        self.seen["off suit"] += play.is_off_suit

    def scripted(self, state: GuandanState) -> Play:
        off_suit = [play for play in state.legal_moves() if play.is_off_suit]
        return off_suit[0] if off_suit else state.native.bot_play(3)

    def asked(self, state: GuandanState, seat: int) -> Play:
        legal = list(state.legal_moves())
        actions = [*([STRANGE] if len(legal) > 1 else []), *map(written, legal)]
        stage = {notation.Phase.TRIBUTE: "tribute", notation.Phase.RETURN: "back"}.get(state.phase, "play")
        client, agent = self.clients[seat], self.agents[seat]
        agent.forget()
        answer = client.recv(self.question(state, seat, stage, actions))
        assert answer is not None
        kind = {"tribute": "TRIBUTE", "back": "PAYTRIBUTE"}.get(stage, "PLAY")
        assert (answer["type"], answer["data"]["roomId"], answer["data"]["player"]) == (kind, 9, seat)
        play = next(one for one in legal if written(one) == answer["data"]["act"])
        if agent.view is not None:
            assert play == agent.move
            self.compare(state, seat, stage, agent.view)
        return play

    def compare(self, state: GuandanState, seat: int, stage: str, view: View) -> None:
        """What the agent heard is what it would have heard at our table; of an exchange, as far as it is told there."""
        ours = state.view(seat)
        self.seen[stage] += 1
        if stage == "play":
            assert view.to_json() == ours.to_json()
            self.seen["answers off suit"] += ours.native.best.is_off_suit
        else:
            assert view.legal_moves() == ours.legal_moves()
            self.seen["exchange told in full"] += view.to_json() == ours.to_json()

    def question(self, state: GuandanState, seat: int, stage: str, actions: list[Any]) -> Message:
        text = notation.cards_text(state.hand(seat))
        body: Message = {
            "type": "act", "stage": stage, "handCards": [text[i : i + 2] for i in range(0, len(text), 2)],
            "selfRank": self.match.levels[0], "oppoRank": self.match.levels[1], "curRank": notation.RANKS[state.level],
            "actionList": actions, "indexRange": len(actions) - 1,
        }  # fmt: skip
        if stage == "play":
            body |= {"publicInfo": [{"rest": len(state.hand(s))} for s in range(4)], "curPos": -1, "curAction": None,
                     "greaterPos": self.greater[0], "greaterAction": self.greater[1]}  # fmt: skip
        if stage == "play" and state.native.is_leading and self.greater[1] is not None:
            self.seen["stale"] += 1
        if stage == "back":
            paid = next(e for e in state.native.exchanges if e.receiver == seat)
            body |= {"tributePos": paid.payer, "tribute": notation.card_text(paid.tribute)}
        return body


@pytest.mark.parametrize("seed", [3, 11])
def test_whole_matches_without_falling_back(seed: int) -> None:
    referee = Referee(seed)
    referee.run()
    assert all(client.falls.total() == 0 for client in referee.clients.values())
    assert all(client.is_over for client in referee.clients.values())
    seen = referee.seen
    assert seen["play"] > 200
    for wanted in ("stale", "back", "off suit", "answers off suit", "exchanges of 1"):
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
    text = notation.cards_text(deal.hand(1))
    hand = [text[i : i + 2] for i in range(0, len(text), 2)]
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
