"""OpenSpiel: Dou Dizhu as a Python game. Import this, then `pyspiel.load_game("python_mingpai_doudizhu")`.

The cards are dealt by 51 chance nodes, one rank at a time to seats 0, 1, 2 in turn; the three cards left are at the
bottom. Then come bids and moves, numbered as in `mingpai.games.doudizhu.features`. The information state is the view
of the seat. The parameter `rules` names a rule profile.
"""

from typing import Any

from mingpai._native import doudizhu as native
from mingpai.games.doudizhu import features, notation
from mingpai.games.doudizhu.rules import DEFAULT, rules_of
from mingpai.games.doudizhu.state import DEALT_CARDS, SEATS, start
from mingpai.protocols.openspiel import CardGame, Node, game_type, pyspiel

SHORT_NAME = "python_mingpai_doudizhu"
DEALT = SEATS * DEALT_CARDS
MAX_STAKE = 8
"""The bid of 1 doubled by three robs."""
MAX_DOUBLINGS = 13 + 1 + 1
"""Every bomb, the rocket, a spring."""
MAX_BIDS = 9
MAX_MOVES = SEATS * native.card_count(native.FULL_DECK)
"""Each card alone, two passes after each."""

GAME_TYPE = game_type(
    SHORT_NAME, "Dou Dizhu (Mingpai)", SEATS, pyspiel.GameType.Utility.GENERAL_SUM, {"rules": DEFAULT}
)


def _hand(ranks: list[int]) -> int:
    return sum(1 << (4 * rank) for rank in ranks)


class DoudizhuNode(Node):
    """A node of Dou Dizhu; `dealt` holds ranks."""

    @property
    def numbers(self) -> features.ActionNumbers:
        return features.action_numbers(self.card_game.rules)

    def _left(self) -> int:
        """The cards that are not dealt yet."""
        return native.FULL_DECK - _hand(self.dealt)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = self._left()
        counts = [left >> (4 * rank) & 15 for rank in range(len(notation.RANKS))]
        total = sum(counts)
        return [(rank, count / total) for rank, count in enumerate(counts) if count]

    def _actions(self, state: Any) -> list[int]:
        return sorted(self.numbers.number(move) for move in state.legal_moves())

    def _apply_action(self, action: int) -> None:
        if self.state is not None:
            self.state.play(self.numbers.actions[action])
            return
        self.dealt.append(action)
        if len(self.dealt) == DEALT:
            hands = [_hand(self.dealt[seat::SEATS]) for seat in range(SEATS)]
            deal = native.Deal((hands[0], hands[1], hands[2]), self._left())
            self.state = start(notation.deck_text(deal), self.card_game.rules)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {notation.RANKS[action]}"
        chosen = self.numbers.actions[action]
        return f"bid {chosen}" if action < features.BIDS else str(chosen)


class DoudizhuGame(CardGame):
    """The game under one rule profile."""

    node = DoudizhuNode
    observe = staticmethod(features.observation)
    feature_count = features.OBSERVATION_SIZE
    cards_text = staticmethod(lambda ranks: notation.cards_text(_hand(ranks)))
    position_text = staticmethod(notation.position_text)

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.rules = rules_of(str(params.get("rules", DEFAULT))).name
        most = float(2 * MAX_STAKE * 2**MAX_DOUBLINGS)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(features.action_numbers(self.rules)),
            max_chance_outcomes=len(notation.RANKS),
            num_players=SEATS,
            min_utility=-most,
            max_utility=most,
            max_game_length=MAX_BIDS + MAX_MOVES,
        )
        super().__init__(GAME_TYPE, info, params)


if SHORT_NAME not in pyspiel.registered_names():
    pyspiel.register_game(GAME_TYPE, DoudizhuGame)
