"""OpenSpiel: Dou Dizhu as a Python game. Import this, then `pyspiel.load_game("python_mingpai_doudizhu")`.

The cards are dealt by 51 chance nodes, one rank at a time to seats 0, 1, 2 in turn; the three cards left are at the
bottom. Then come bids and moves, numbered as in `mingpai.games.doudizhu.features`. The information state is the view
of the seat. The parameter `rules` names a rule profile.
"""

from typing import Any

import numpy as np

from mingpai._native import doudizhu as native
from mingpai.core.errors import NotInstalled
from mingpai.games.doudizhu import features, notation
from mingpai.games.doudizhu.rules import DEFAULT, rules_of
from mingpai.games.doudizhu.state import DEALT_CARDS, SEATS, DoudizhuState, start

try:
    import pyspiel
except ModuleNotFoundError:
    raise NotInstalled("OpenSpiel", "pip install 'mingpai[envs]'") from None

SHORT_NAME = "python_mingpai_doudizhu"
DEALT = SEATS * DEALT_CARDS
MAX_STAKE = 8
"""Three robs."""
MAX_DOUBLINGS = 13 + 1 + 1
"""Every bomb, the rocket, a spring."""
MAX_BIDS = 9
MAX_MOVES = SEATS * native.card_count(native.FULL_DECK)
"""Each card alone, two passes after each."""

GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Dou Dizhu (Mingpai)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=SEATS,
    min_num_players=SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": DEFAULT},
)


class DoudizhuGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """The game under one rule profile."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.rules = rules_of(str(params.get("rules", DEFAULT))).name
        self.numbers = features.action_numbers(self.rules)
        most = float(2 * MAX_STAKE * 2**MAX_DOUBLINGS)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.numbers),
            max_chance_outcomes=len(notation.RANKS),
            num_players=SEATS,
            min_utility=-most,
            max_utility=most,
            max_game_length=MAX_BIDS + MAX_MOVES,
        )
        super().__init__(GAME_TYPE, info, params)

    def new_initial_state(self) -> "DoudizhuNode":
        return DoudizhuNode(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(has_tensor=not recall)


class DoudizhuNode(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A node: cards being dealt, then a state of ours."""

    def __init__(self, game: DoudizhuGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.dealt: list[int] = []
        """Ranks dealt so far, to seats 0, 1, 2 in turn."""
        self.state: DoudizhuState | None = None
        """The deal, once all cards are out."""

    @property
    def numbers(self) -> features.ActionNumbers:
        return features.action_numbers(self.rules)

    def current_player(self) -> Any:
        if self.state is None:
            return pyspiel.PlayerId.CHANCE
        seat = self.state.to_move
        return pyspiel.PlayerId.TERMINAL if seat is None else seat

    def is_terminal(self) -> bool:
        return self.state is not None and self.state.is_over

    def _left(self) -> int:
        """The cards that are not dealt yet."""
        return native.FULL_DECK - sum(1 << (4 * rank) for rank in self.dealt)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = self._left()
        counts = [left >> (4 * rank) & 15 for rank in range(len(notation.RANKS))]
        total = sum(counts)
        return [(rank, count / total) for rank, count in enumerate(counts) if count]

    def _legal_actions(self, player: int) -> list[int]:
        if self.state is None or player != self.state.to_move:
            return []
        return sorted(self.numbers.number(move) for move in self.state.legal_moves())

    def _apply_action(self, action: int) -> None:
        if self.state is not None:
            self.state.play(self.numbers.actions[action])
            return
        self.dealt.append(action)
        if len(self.dealt) == DEALT:
            hands = [self.hand(seat) for seat in range(SEATS)]
            deal = native.Deal((hands[0], hands[1], hands[2]), self._left())
            self.state = start(notation.deck_text(deal), self.rules)

    def hand(self, seat: int) -> int:
        """What a seat holds now."""
        if self.state is not None:
            return self.state.hand(seat)
        return sum(1 << (4 * rank) for rank in self.dealt[seat::SEATS])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {notation.RANKS[action]}"
        chosen = self.numbers.actions[action]
        return f"bid {chosen}" if action < features.BIDS else str(chosen)

    def returns(self) -> list[float]:
        return list(self.state.points()) if self.state is not None and self.state.is_over else [0.0] * SEATS

    def look(self, player: int) -> str:
        """What the player knows, as text."""
        if self.state is None:
            return f"dealt {notation.cards_text(self.hand(player))}"
        return self.state.view(player).key()

    def __str__(self) -> str:
        if self.state is None:
            return "/".join(notation.cards_text(self.hand(seat)) for seat in range(SEATS))
        return notation.position_text(self.state)

    def __deepcopy__(self, memo: dict[int, Any]) -> "DoudizhuNode":
        node = DoudizhuNode(self.get_game())
        for action in self.history():
            node.apply_action(action)
        return node


class Observer:
    """Features of a view as a tensor, the view as a string."""

    def __init__(self, has_tensor: bool) -> None:
        self.tensor = np.zeros(features.OBSERVATION_SIZE if has_tensor else 0, np.float32)
        self.dict = {"observation": self.tensor} if has_tensor else {}

    def set_from(self, state: DoudizhuNode, player: int) -> None:
        self.tensor.fill(0)
        if len(self.tensor) and state.state is not None:
            self.tensor[:] = features.observation(state.state.view(player))

    def string_from(self, state: DoudizhuNode, player: int) -> str:
        return state.look(player)


if SHORT_NAME not in pyspiel.registered_names():
    pyspiel.register_game(GAME_TYPE, DoudizhuGame)
