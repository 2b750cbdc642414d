"""What our games have in common in OpenSpiel: cards dealt by chance nodes, then our states; views as observations."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mingpai.core.errors import NotInstalled
from mingpai.core.game import State

try:
    import pyspiel as pyspiel
except ModuleNotFoundError:
    raise NotInstalled("OpenSpiel", "pip install 'mingpai[envs]'") from None


def game_type(short_name: str, long_name: str, seats: int, utility: Any, parameters: dict[str, Any]) -> Any:
    """The type of a card game with a fixed number of seats."""
    return pyspiel.GameType(
        short_name=short_name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class CardGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """A game under one rule profile."""

    node: type["Node"]
    observe: Callable[[Any], NDArray[Any]]
    """The observation of a view."""
    feature_count: int
    cards_text: Callable[[list[int]], str]
    """Dealt cards as text."""
    position_text: Callable[[Any], str]

    def new_initial_state(self) -> "Node":
        return self.node(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.observe, 0 if recall else self.feature_count)


class Node(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A node: cards being dealt, then a state of ours."""

    def __init__(self, game: CardGame) -> None:
        super().__init__(game)
        self.dealt: list[int] = []
        """Cards dealt so far, to the seats in turn."""
        self.state: State | None = None
        """The deal, once all cards are out."""

    @property
    def card_game(self) -> CardGame:
        return self.get_game()  # type: ignore[no-any-return, unused-ignore]

    def current_player(self) -> Any:
        if self.state is None:
            return pyspiel.PlayerId.CHANCE
        seat = self.state.to_move
        return pyspiel.PlayerId.TERMINAL if seat is None else seat

    def is_terminal(self) -> bool:
        return self.state is not None and self.state.is_over

    def returns(self) -> list[float]:
        if self.state is None or not self.state.is_over:
            return [0.0] * self.num_players()
        return list(self.state.points())

    def look(self, player: int) -> str:
        """What the player knows, as text."""
        return f"dealt {self._dealt_text(player)}" if self.state is None else self.state.view(player).key()

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.state is None or player != self.state.to_move else self._actions(self.state)

    def _dealt_text(self, seat: int) -> str:
        return self.card_game.cards_text(self.dealt[seat :: self.num_players()])

    def __str__(self) -> str:
        if self.state is None:
            return "/".join(self._dealt_text(seat) for seat in range(self.num_players()))
        return self.card_game.position_text(self.state)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Node":
        node = type(self)(self.get_game())
        for action in self.history():
            node.apply_action(action)
        return node


class Observer:
    """Features of a view as a tensor, the view as a string."""

    def __init__(self, features: Callable[[Any], NDArray[Any]], size: int) -> None:
        self._features = features
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor} if size else {}

    def set_from(self, node: Node, player: int) -> None:
        self.tensor.fill(0)
        if len(self.tensor) and node.state is not None:
            self.tensor[:] = self._features(node.state.view(player))

    def string_from(self, node: Node, player: int) -> str:
        return node.look(player)
