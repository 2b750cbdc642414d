"""Foreign referees of the NJUPT platforms, written from their documents: they share only the rules with our host.

That of OpenGuanDan sends flat objects and has the habits seen on the real one: the play to beat of the round before in
the first act after an exchange, `back` acts before the note of the tribute, suited cards with a wild one listed as a
straight too. That of v1006 has the last habit only.
"""

from collections import Counter
from typing import Any

from mingpai._native import guandan as native
from mingpai.agents.catalogue import REGISTRY
from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Decision
from mingpai.core.game import View
from mingpai.games.guandan import GAME, notation
from mingpai.games.guandan.moves import Play, Type
from mingpai.games.guandan.state import GuandanState
from mingpai.games.guandan.view import GuandanView
from mingpai.protocols import njupt
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
    slots = [notation.card_text(card) for card, _ in play.arranged()]
    if play.type == Type.JOKER_BOMB:
        return ["FourKings", "B", slots]
    word = WORDS[Type(play.type)]
    return [word, word if word in ("tribute", "back") else notation.RANK_LETTERS[play.rank], slots]


def cards(state: GuandanState, seat: int) -> list[str]:
    text = notation.cards_text(state.hand(seat))
    return [text[i : i + 2] for i in range(0, len(text), 2)]


class Referee:
    """A whole match. Seats 0 and 2 are clients; 1 and 3 play straights off suit where they can, else as rule3."""

    dialect: njupt.Dialect = "openguandan"

    def __init__(self, seed: int = 0) -> None:
        self.match = GAME.match(seed, RULES, {})
        self.agents = {seat: Listener() for seat in (0, 2)}
        self.clients = {seat: NjuptClient(self.agents[seat], dialect=self.dialect) for seat in (0, 2)}
        for client in self.clients.values():
            client.hello(room=9)
        self.seen: Counter[str] = Counter()
        self.greater: tuple[int, Any] = (-1, None)
        """As the referee remembers it: kept from the round before until somebody plays."""

    def run(self) -> None:
        while not self.match.is_over:
            state = self.match.next_deal()
            self.round(state)
            self.match.finish(state)
        self.tell({"stage": "gameOver", "curTimes": 1, "settingTimes": 1})
        self.tell({"stage": "gameResult", "victory": 0, "victoryRank": list(self.match.levels)})

    def tell(self, body: Message) -> None:
        for client in self.clients.values():
            assert client.recv({"type": "notify", **body}) is None

    def round(self, state: GuandanState) -> None:
        self.begin(state)
        while state.to_move is not None:
            self.turn(state)
        order = list(state.native.order)
        self.tell({"stage": "episodeOver", "order": order, "curRank": notation.RANKS[state.level], "restCards": []})

    def begin(self, state: GuandanState) -> None:
        for seat, client in self.clients.items():
            client.recv({"type": "notify", "stage": "beginning", "handCards": cards(state, seat), "myPos": seat})
        if state.native.resisted:
            self.seen["resisted"] += 1
            self.tell({"stage": "anti-tribute", "antiNums": 1, "antiPos": [3]})

    def turn(self, state: GuandanState) -> None:
        seat, phase = state.to_move, state.phase
        assert seat is not None
        play = self.asked(state, seat) if seat in self.clients else self.scripted(state)
        state.play(play)
        if phase == notation.Phase.PLAY:
            self.note_play(state, seat, play)
        elif state.phase != phase:
            self.note_exchange(state)

    def note_exchange(self, state: GuandanState) -> None:
        """Both notes at the end: every act of the exchange came before them."""
        if state.phase == notation.Phase.PLAY:
            self.note_tributes(state)
            self.note_returns(state)

    def note_tributes(self, state: GuandanState) -> None:
        paid = [[e.payer, e.receiver, notation.card_text(e.tribute)] for e in state.native.exchanges]
        self.tell({"stage": "tribute", "result": paid})
        self.seen[f"exchanges of {len(paid)}"] += 1

    def note_returns(self, state: GuandanState) -> None:
        given = [[e.receiver, e.payer, notation.card_text(e.returned)] for e in state.native.exchanges]
        self.tell({"stage": "back", "result": given})

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
        act = self.act_of(answer, seat, stage, actions)
        play = next(one for one in legal if written(one) == act)
        if agent.view is not None:
            assert play == agent.move
            self.compare(state, seat, stage, agent.view)
        return play

    def act_of(self, answer: Message, seat: int, stage: str, actions: list[Any]) -> Any:
        kind = {"tribute": "TRIBUTE", "back": "PAYTRIBUTE"}.get(stage, "PLAY")
        assert (answer["type"], answer["data"]["roomId"], answer["data"]["player"]) == (kind, 9, seat)
        return answer["data"]["act"]

    def compare(self, state: GuandanState, seat: int, stage: str, view: View) -> None:
        """What the agent heard is what it would have heard at our table; of an exchange, as far as it is told there."""
        ours = state.view(seat)
        self.seen[stage] += 1
        if stage == "play":
            assert view.to_json() == ours.to_json()
            self.seen["answers off suit"] += ours.native.best.is_off_suit
        else:
            assert view.legal_moves() == ours.legal_moves()
            told = view.to_json() == ours.to_json()
            assert told or len(state.native.exchanges) == 2, "of a single tribute the act tells everything"
            self.seen[f"{stage} told in full"] += told

    def question(self, state: GuandanState, seat: int, stage: str, actions: list[Any]) -> Message:
        body: Message = {
            "type": "act", "stage": stage, "handCards": cards(state, seat),
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


class OldReferee(Referee):
    """Single rounds in v1006. The exchange is that of its rules; in the tricks suited cards with a wild one are a
    straight too, which no profile of ours has together: the tricks are a deal of their own."""

    dialect: njupt.Dialect = "v1006"

    def __init__(self, opening: str = "") -> None:
        super().__init__()
        self.opening = opening
        """What the first leader plays; as a bot of its own if empty."""
        self.exchanged: GuandanState | None = None
        """The round up to its first trick."""

    def play_round(self, deal: GuandanState) -> None:
        order = deal.native.previous
        if order is not None:
            self.tell({"stage": "episodeOver", "order": list(order), "curRank": "2", "restCards": []})
        self.begin(deal)
        while deal.phase != notation.Phase.PLAY:
            self.turn(deal)
        self.exchanged = deal
        tricks = {"level": notation.RANKS[deal.level], "leader": deal.to_move}
        hands = notation.deck_text([deal.hand(seat) for seat in range(4)])
        state = GAME.start(hands, RULES, tricks)
        while state.to_move is not None:
            self.turn(state)

    def note_exchange(self, state: GuandanState) -> None:
        """Each note as soon as it is true."""
        if state.phase == notation.Phase.RETURN:
            self.note_tributes(state)
        else:
            self.note_returns(state)

    def scripted(self, state: GuandanState) -> Play:
        if self.opening and state.phase == notation.Phase.PLAY and not state.moves():
            return GAME.parse_move(self.opening, state)
        return super().scripted(state)

    def act_of(self, answer: Message, seat: int, stage: str, actions: list[Any]) -> Any:
        assert set(answer) == {"actIndex"}
        self.seen["passes"] += actions[answer["actIndex"]] == PASS
        return actions[answer["actIndex"]]

    def compare(self, state: GuandanState, seat: int, stage: str, view: View) -> None:
        ours = state.view(seat)
        assert isinstance(view, GuandanView)
        untold = set(ours.legal_moves()) - set(view.legal_moves())
        assert set(view.legal_moves()) <= set(ours.legal_moves())
        assert all(play.is_off_suit for play in untold)
        self.seen["untold"] += len(untold)
        if stage != "play":
            return
        assert [step for step in view.native.steps if not is_exchange(step[1])] == list(state.moves())
        assert (view.native.best, view.counts, view.native.leader) == (
            ours.native.best,
            ours.counts,
            ours.native.leader,
        )
        self.seen["answers off suit"] += ours.native.best.is_off_suit
        assert self.exchanged is not None
        told, true = (sorted(map(exchange_text, one.native.exchanges)) for one in (view, self.exchanged))
        self.seen["exchange kept" if told == true else "exchange lost"] += 1

    def question(self, state: GuandanState, seat: int, stage: str, actions: list[Any]) -> Message:
        body = super().question(state, seat, "play", actions)
        area = [{"rest": len(state.hand(s)), "playArea": None} for s in range(4)]
        return body | {"stage": stage, "publicInfo": area}


def is_exchange(play: Play) -> bool:
    return play.type in (Type.TRIBUTE, Type.RETURN)


def exchange_text(exchange: native.Exchange) -> str:
    return f"{exchange.payer}>{exchange.receiver} {exchange.tribute} {exchange.returned}"
