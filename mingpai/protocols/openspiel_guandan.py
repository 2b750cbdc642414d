"""OpenSpiel: a round of Guandan as a Python game. Import this, then `pyspiel.load_game("python_mingpai_guandan")`.

The cards are dealt by 108 chance nodes, one kind at a time to seats 0, 1, 2, 3 in turn. Then come the actions numbered
in `mingpai.games.guandan.features`: abstract plays, made concrete there, tributes and returns. The information state is
the view of the seat. Parameters: `rules` names a profile, `level` the level; `previous` the order of the round before,
as "0213", for a round with tribute; without it seat 0 leads.
"""

from typing import Any

from mingpai.games.guandan import features, notation
from mingpai.games.guandan.rules import DEFAULT, HAND_CARDS, SEATS, rules_of
from mingpai.games.guandan.state import start
from mingpai.protocols.openspiel import CardGame, Node, game_type, pyspiel

SHORT_NAME = "python_mingpai_guandan"
DEALT = SEATS * HAND_CARDS
COPIES = 2
MOST_POINTS = 3.0
EXCHANGES = 4
MAX_MOVES = EXCHANGES + SEATS * DEALT
"""Each card alone, three passes after each."""

GAME_TYPE = game_type(
    SHORT_NAME, "Guandan (Mingpai)", SEATS, pyspiel.GameType.Utility.ZERO_SUM,
    {"rules": DEFAULT, "level": "2", "previous": ""},
)  # fmt: skip


def _kinds_text(kinds: list[int]) -> str:
    return "".join(notation.card_text(kind) for kind in kinds)


class GuandanNode(Node):
    """A node of a round; `dealt` holds kinds."""

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = [COPIES - self.dealt.count(kind) for kind in range(features.KINDS)]
        total = sum(left)
        return [(kind, count / total) for kind, count in enumerate(left) if count]

    def _actions(self, state: Any) -> list[int]:
        return [int(action) for action in features.action_mask(state.view(state.to_move)).nonzero()[0]]

    def _apply_action(self, action: int) -> None:
        if self.state is not None:
            assert self.state.to_move is not None
            self.state.play(features.concrete(self.state.view(self.state.to_move), action))  # type: ignore[arg-type]
            return
        self.dealt.append(action)
        if len(self.dealt) == DEALT:
            hands = "/".join(_kinds_text(self.dealt[seat::SEATS]) for seat in range(SEATS))
            self.state = start(hands, self.card_game.rules, self.card_game.setup)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {notation.card_text(action)}"
        return features.action_text(action)


class GuandanGame(CardGame):
    """A round under one rule profile, at one level."""

    node = GuandanNode
    observe = staticmethod(features.observation)
    feature_count = features.OBSERVATION_SIZE
    cards_text = staticmethod(_kinds_text)
    position_text = staticmethod(notation.position_text)

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.rules = rules_of(str(params.get("rules", DEFAULT))).name
        level = notation.RANKS[notation.parse_level(params.get("level", "2"))]
        previous = [int(seat) for seat in str(params.get("previous", ""))]
        self.setup: dict[str, Any] = {"level": level} | ({"previous": previous} if previous else {"leader": 0})
        info = pyspiel.GameInfo(
            num_distinct_actions=features.ACTIONS,
            max_chance_outcomes=features.KINDS,
            num_players=SEATS,
            min_utility=-MOST_POINTS,
            max_utility=MOST_POINTS,
            utility_sum=0.0,
            max_game_length=MAX_MOVES,
        )
        super().__init__(GAME_TYPE, info, params)


if SHORT_NAME not in pyspiel.registered_names():
    pyspiel.register_game(GAME_TYPE, GuandanGame)
