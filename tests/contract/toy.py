"""Two complete small games that play by the contract: Kuhn poker (its value is known) and Little Landlord.

They prove that the contract suite, the records and the arena work, apart from any real game.

Kuhn poker: cards J Q K, one each, ante 1. Seat 0 acts first: `check` or `bet` 1; a bet may be met by `fold` or `call`.
With the equilibrium strategies the first seat loses 1/18 a hand.

Little Landlord: ranks 1-5 twice. Seat 0, the landlord, holds four cards, the others three each. Play a single or a
pair; follow with a higher one of the same size or pass; two passes give the lead. The first without cards wins for its
side: landlord +-2, farmers -+1 each.
"""

import itertools
import os
import signal
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Belief, Candidate, Decision
from mingpai.core.errors import BadlyWritten, IllegalHere, MingpaiError
from mingpai.core.event import Event
from mingpai.core.game import Game, Match, Seat, Setup, State, View
from mingpai.core.random import Rng, seed_of, stream
from mingpai.core.reasons import Reason
from mingpai.core.registry import Entry, Registry


class ToyView(View):
    """A view as the position object of its game; worlds are all deals that give the same object."""

    def __init__(self, state: "ToyState", seat: Seat) -> None:
        self._json = state.position_of(seat)
        self._game = state.game
        self._seat = seat
        self._to_move = state.to_move
        self._events = tuple(event for event in state.events() if event.is_visible_to(seat))
        self._legal = tuple(state.legal_moves()) if state.to_move == seat else ()

    @property
    def game(self) -> Game:
        return self._game

    @property
    def seat(self) -> Seat:
        return self._seat

    @property
    def to_move(self) -> Seat | None:
        return self._to_move

    def legal_moves(self) -> Sequence[str]:
        return self._legal

    def events(self) -> Sequence[Event]:
        return self._events

    def sample_worlds(self, rng: Rng, count: int, belief: Belief | None = None) -> Sequence[State]:
        if belief is not None:
            return belief.sample(rng, count)
        assert isinstance(self._game, ToyGame)
        return [self._game.world(self._json, rng) for _ in range(count)]

    def to_json(self) -> dict[str, Any]:
        return dict(self._json)

    def key(self) -> str:
        return repr(sorted(self._json.items()))


class ToyState(State):
    """Hands and history as plain lists."""

    def __init__(self, game: "ToyGame", deck: str) -> None:
        self._game = game
        self._deck = deck
        self.hands = game.hands(deck)
        self.history: list[tuple[Seat, str]] = []

    @property
    def game(self) -> Game:
        return self._game

    @property
    def rules(self) -> str:
        return "standard"

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def to_move(self) -> Seat | None:
        return self._game.turn(self)

    def legal_moves(self) -> Sequence[str]:
        return [] if self.to_move is None else self._game.moves_of(self)

    def verify(self, move: Any) -> None:
        if self.to_move is None:
            raise IllegalHere(move, Reason("finished"))
        if move not in self.legal_moves():
            raise IllegalHere(move, Reason("not_your_turn", {"turn": self.to_move, "seat": self.to_move}))

    def play(self, move: Any) -> None:
        self.verify(move)
        seat = self.to_move
        assert seat is not None
        self.history.append((seat, move))
        self._game.take(self.hands[seat], move)

    def undo(self) -> str:
        seat, move = self.history.pop()
        self._game.give(self.hands[seat], move)
        return move

    def copy(self) -> Self:
        twin = type(self)(self._game, self._deck)
        twin.hands = [list(hand) for hand in self.hands]
        twin.history = list(self.history)
        return twin

    def view(self, seat: Seat) -> View:
        return ToyView(self, seat)

    def events(self) -> Sequence[Event]:
        deals = [
            Event("deal", seat, "".join(hand), private=True) for seat, hand in enumerate(self._game.hands(self._deck))
        ]
        return deals + [Event("play", seat, move) for seat, move in self.history]

    def moves(self) -> Sequence[tuple[Seat, str]]:
        return tuple(self.history)

    def points(self) -> Sequence[float]:
        return self._game.score(self)

    def winners(self) -> Sequence[Seat]:
        return tuple(seat for seat, points in enumerate(self.points()) if points > 0)

    def deck(self) -> str:
        return self._deck

    def setup(self) -> Setup:
        return {}

    def seat_name(self, seat: Seat) -> str:
        return self._game.names[seat]

    def position_of(self, seat: Seat) -> dict[str, Any]:
        """The position object: own cards, how many the others hold, what was played."""
        return {"seat": seat, "hand": "".join(sorted(self.hands[seat])), "left": [len(hand) for hand in self.hands],
                "history": [list(play) for play in self.history]}  # fmt: skip


class ToyMatch(Match):
    """A fixed number of deals; points add up."""

    def __init__(self, game: "ToyGame", seed: int, deals: int, done: int = 0, scores: Sequence[float] = ()) -> None:
        self._game, self._seed, self._deals, self._done = game, seed, deals, done
        self._scores = list(scores) or [0.0] * len(game.names)

    @property
    def is_over(self) -> bool:
        return self._done == self._deals

    def next_deal(self) -> State:
        return self._game.deal(seed_of(self._seed, "deal", self._done))

    def finish(self, state: State) -> None:
        self._done += 1
        self._scores = [old + new for old, new in zip(self._scores, state.points(), strict=True)]

    def scores(self) -> Sequence[float]:
        return tuple(self._scores)

    def standings(self) -> Sequence[int]:
        return [1 + sum(other > score for other in self._scores) for score in self._scores]

    def to_json(self) -> dict[str, Any]:
        return {"seed": self._seed, "deals": self._deals, "done": self._done, "scores": list(self._scores)}


class ToyGame(Game):
    """What both games share: text moves and decks that are strings of one-character cards."""

    unit = "points"
    names: tuple[str, ...]
    cards: str

    def profiles(self) -> Sequence[str]:
        return ("standard",)

    def profile_json(self, rules: str) -> dict[str, Any]:
        return {"cards": self.cards}

    def deal(self, seed: int, rules: str = "", setup: Setup | None = None) -> State:
        return self.start("".join(stream(seed, "deck").permutation(list(self.cards))), rules, setup)

    def start(self, deck: str, rules: str = "", setup: Setup | None = None) -> State:
        if sorted(deck) != sorted(self.cards):
            raise BadlyWritten(deck, f"the cards {self.cards} in any order")
        return ToyState(self, deck)

    def parse_move(self, text: str, position: State | View) -> str:
        legal = position.legal_moves()
        if text not in legal:
            known = {move for state in [self.deal(0)] for move in self.all_moves()}
            if text not in known:
                raise BadlyWritten(text, f"one of {', '.join(sorted(known))}")
            raise IllegalHere(text, Reason("not_your_turn", {"turn": position.to_move or 0, "seat": 0}))
        return text

    def view_from_json(self, data: Mapping[str, Any]) -> View:
        try:
            return self.world(data, stream(0, "world")).view(data["seat"])
        except (KeyError, TypeError) as error:
            raise BadlyWritten(data, "seat, hand, left, history") from error

    def match(self, seed: int, rules: str = "", settings: Setup | None = None) -> Match:
        return ToyMatch(self, seed, (settings or {}).get("deals", 4))

    def match_from_json(self, data: Mapping[str, Any]) -> Match:
        return ToyMatch(self, data["seed"], data["deals"], data["done"], data["scores"])

    def world(self, position: Mapping[str, Any], rng: Rng) -> State:
        """A deal that agrees with a position: the unseen cards shuffled into the other hands."""
        seat, left = position["seat"], position["left"]
        played: list[list[str]] = [[] for _ in left]
        for who, move in position["history"]:
            played[who] += self.cards_of(move)
        seen = Counter(itertools.chain(position["hand"], *played))
        unseen = list(rng.permutation(sorted((Counter(self.cards) - seen).elements())))
        hands = []
        for who, size in enumerate(left):
            hand = list(position["hand"]) if who == seat else [unseen.pop() for _ in range(size)]
            hands.append(sorted(hand + played[who]))
        state = self.start("".join(map(str, itertools.chain(*hands, unseen))))
        for who, move in position["history"]:
            if state.to_move != who:
                raise MingpaiError(f"seat {who} is not to move")
            state.play(move)
        return state

    @abstractmethod
    def hands(self, deck: str) -> list[list[str]]: ...

    @abstractmethod
    def turn(self, state: ToyState) -> Seat | None: ...

    @abstractmethod
    def moves_of(self, state: ToyState) -> list[str]: ...

    @abstractmethod
    def all_moves(self) -> Sequence[str]: ...

    @abstractmethod
    def score(self, state: ToyState) -> Sequence[float]: ...

    @abstractmethod
    def cards_of(self, move: str) -> list[str]:
        """The cards that a move takes from the hand."""

    def take(self, hand: list[str], move: str) -> None:
        for card in self.cards_of(move):
            hand.remove(card)

    def give(self, hand: list[str], move: str) -> None:
        hand.extend(self.cards_of(move))
        hand.sort()


class Kuhn(ToyGame):
    """Kuhn poker."""

    name = "kuhn"
    titles = {"en": "Kuhn poker", "zh": "库恩扑克"}
    names = ("first", "second")
    cards = "JQK"

    def hands(self, deck: str) -> list[list[str]]:
        return [[deck[0]], [deck[1]]]

    def turn(self, state: ToyState) -> Seat | None:
        line = [move for _, move in state.history]
        over = line in (
            ["check", "check"],
            ["bet", "fold"],
            ["bet", "call"],
            ["check", "bet", "fold"],
            ["check", "bet", "call"],
        )
        return None if over else len(line) % 2

    def moves_of(self, state: ToyState) -> list[str]:
        return ["fold", "call"] if state.history and state.history[-1][1] == "bet" else ["check", "bet"]

    def all_moves(self) -> Sequence[str]:
        return ("check", "bet", "fold", "call")

    def score(self, state: ToyState) -> Sequence[float]:
        seat, last = state.history[-1]
        if last == "fold":
            winner, won = 1 - seat, 1.0
        else:
            winner = int(self.cards.index(state.hands[1][0]) > self.cards.index(state.hands[0][0]))
            won = 2.0 if last == "call" else 1.0
        return [won if seat == winner else -won for seat in (0, 1)]

    def cards_of(self, move: str) -> list[str]:
        return []

    def seatings(self, sides: int) -> Sequence[Sequence[int]]:
        return [[0, 1], [1, 0]]


class LittleLandlord(ToyGame):
    """A climbing game for one against two."""

    name = "little"
    titles = {"en": "Little Landlord", "zh": "小地主"}
    names = ("landlord", "down", "up")
    cards = "1122334455"

    def hands(self, deck: str) -> list[list[str]]:
        return [sorted(deck[:4]), sorted(deck[4:7]), sorted(deck[7:])]

    def turn(self, state: ToyState) -> Seat | None:
        if any(not hand for hand in state.hands):
            return None
        return (state.history[-1][0] + 1) % 3 if state.history else 0

    def moves_of(self, state: ToyState) -> list[str]:
        seat = self.turn(state)
        assert seat is not None
        counts = Counter(state.hands[seat])
        groups = [rank * size for rank in sorted(counts) for size in (1, 2) if counts[rank] >= size]
        beat = self._to_beat(state)
        if beat is None:
            return groups
        return ["pass"] + [group for group in groups if len(group) == len(beat) and group > beat]

    def _to_beat(self, state: ToyState) -> str | None:
        for _, move in state.history[-2:][::-1]:
            if move != "pass":
                return move
        return None

    def all_moves(self) -> Sequence[str]:
        return ["pass"] + [rank * size for rank in "12345" for size in (1, 2)]

    def score(self, state: ToyState) -> Sequence[float]:
        return (2.0, -1.0, -1.0) if not state.hands[0] else (-2.0, 1.0, 1.0)

    def cards_of(self, move: str) -> list[str]:
        return [] if move == "pass" else list(move)

    def seatings(self, sides: int) -> Sequence[Sequence[int]]:
        if sides == 2:
            return [[0, 1, 1], [1, 0, 0]]
        return [list(order) for order in itertools.permutations(range(3))]


class FirstMove(Agent[NoSettings]):
    """Always the first legal move."""

    def decide(self, view: View) -> Decision:
        return Decision(view.legal_moves()[0], value_unit=view.game.unit, agent=self.spec)


class LastMove(Agent[NoSettings]):
    """Always the last legal move."""

    def decide(self, view: View) -> Decision:
        return Decision(view.legal_moves()[-1], value_unit=view.game.unit, agent=self.spec)


class Equilibrium(Agent[NoSettings]):
    """Kuhn's equilibrium, the variant in which the first seat never bluffs."""

    is_random = True

    def decide(self, view: View) -> Decision:
        position = view.to_json()
        bet = self._bet_or_call(position["hand"], [move for _, move in position["history"]])
        legal = view.legal_moves()
        move = legal[int(self.rng(view).random() < bet)]
        candidates = [Candidate(legal[1], probability=bet), Candidate(legal[0], probability=1 - bet)]
        return Decision(move, candidates, value_unit="points", agent=self.spec, seed=self.seed)

    def _bet_or_call(self, card: str, line: list[str]) -> float:
        """Probability of the bold move."""
        if not line:
            return 0.0
        if line == ["check"]:
            return {"J": 1 / 3, "Q": 0.0, "K": 1.0}[card]
        return {"J": 0.0, "Q": 1 / 3, "K": 1.0}[card]


class Grudge(Agent[NoSettings]):
    """Plays the last move after a deal it lost, else the first: an agent with memory."""

    has_memory = True

    def __init__(self, settings: NoSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        self.lost = 0
        self.heard: list[Event] = []
        self._seat = 0

    def start_match(self, seat: Seat, seats: int) -> None:
        self.lost, self._seat = 0, seat

    def start_deal(self, view: View) -> None:
        self.heard = list(view.events())

    def observe(self, event: Event) -> None:
        self.heard.append(event)

    def end_deal(self, points: Sequence[float]) -> None:
        self.lost += points[self._seat] < 0

    def memory(self) -> dict[str, Any]:
        return {"lost": self.lost, "seat": self._seat}

    def recall(self, memory: Mapping[str, Any]) -> None:
        self.lost, self._seat = memory["lost"], memory["seat"]

    def decide(self, view: View) -> Decision:
        assert self.heard == list(view.events()), "observed something else than the view shows"
        return Decision(view.legal_moves()[-1 if self.lost else 0], value_unit=view.game.unit, agent=self.spec)


@dataclass(frozen=True)
class DiesSettings:
    """Where the agent that dies leaves its mark."""

    mark: str = ""
    """A file; empty for an agent that lives."""


class DiesOnce(Agent[DiesSettings]):
    """Kills its process the first time it is asked, then plays the first legal move."""

    Settings = DiesSettings

    def decide(self, view: View) -> Decision:
        if self.settings.mark and not Path(self.settings.mark).exists():
            Path(self.settings.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return Decision(view.legal_moves()[0], value_unit=view.game.unit, agent=self.spec)


class Cheat(Agent[NoSettings]):
    """Answers an illegal move on its second card."""

    def decide(self, view: View) -> Decision:
        return Decision("fold" if not view.to_json()["history"] else "cheat", agent=self.spec)


KUHN = Kuhn()
LITTLE = LittleLandlord()

REGISTRY = Registry(
    {"kuhn": "tests.contract.toy:KUHN", "little": "tests.contract.toy:LITTLE"},
    (
        Entry("*", "random", "mingpai.agents.random:RandomAgent", "every legal move equally likely"),
        Entry("*", "exec", "mingpai.agents.program:ProgramAgent", "another program", is_local=True),
        Entry("*", "first", "tests.contract.toy:FirstMove", "the first legal move"),
        Entry("*", "last", "tests.contract.toy:LastMove", "the last legal move"),
        Entry("*", "grudge", "tests.contract.toy:Grudge", "remembers lost deals"),
        Entry("little", "dies", "tests.contract.toy:DiesOnce", "kills its process once"),
        Entry("kuhn", "equilibrium", "tests.contract.toy:Equilibrium", "cannot be exploited"),
    ),
)  # fmt: skip
"""The toy games with agents, as the catalogue has the real ones."""
