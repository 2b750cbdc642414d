"""OpenSpiel: a round of Guandan as a Python game. Import this, then `pyspiel.load_game("python_mingpai_guandan")`.

The cards are dealt by 108 chance nodes, one kind at a time to seats 0, 1, 2, 3 in turn. Then come the actions numbered
in `mingpai.games.guandan.features`: abstract plays, made concrete there, tributes and returns. The information state is
the view of the seat. Parameters: `rules` names a profile, `level` the level; `previous` the order of the round before,
as "0213", for a round with tribute; without it seat 0 leads.
"""

from typing import Any

import numpy as np

from mingpai.core.errors import NotInstalled
from mingpai.games.guandan import features, notation
from mingpai.games.guandan.rules import DEFAULT, HAND_CARDS, SEATS, rules_of
from mingpai.games.guandan.state import GuandanState, start
from mingpai.games.guandan.view import GuandanView

try:
    import pyspiel
except ModuleNotFoundError:
    raise NotInstalled("OpenSpiel", "pip install 'mingpai[envs]'") from None

SHORT_NAME = "python_mingpai_guandan"
DEALT = SEATS * HAND_CARDS
COPIES = 2
MOST_POINTS = 3.0
EXCHANGES = 4
MAX_MOVES = EXCHANGES + SEATS * DEALT
"""Each card alone, three passes after each."""

GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Guandan (Mingpai)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=SEATS,
    min_num_players=SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": DEFAULT, "level": "2", "previous": ""},
)


class GuandanGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """A round under one rule profile, at one level."""

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

    def new_initial_state(self) -> "GuandanNode":
        return GuandanNode(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(has_tensor=not recall)


class GuandanNode(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A node: cards being dealt, then a state of ours."""

    def __init__(self, game: GuandanGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.setup = game.setup
        self.dealt: list[int] = []
        """Kinds dealt so far, to the seats in turn."""
        self.state: GuandanState | None = None
        """The round, once all cards are out."""

    def current_player(self) -> Any:
        if self.state is None:
            return pyspiel.PlayerId.CHANCE
        seat = self.state.to_move
        return pyspiel.PlayerId.TERMINAL if seat is None else seat

    def is_terminal(self) -> bool:
        return self.state is not None and self.state.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = [COPIES - self.dealt.count(kind) for kind in range(features.KINDS)]
        total = sum(left)
        return [(kind, count / total) for kind, count in enumerate(left) if count]

    def _view(self, player: int) -> GuandanView:
        assert self.state is not None
        return self.state.view(player)

    def _legal_actions(self, player: int) -> list[int]:
        if self.state is None or player != self.state.to_move:
            return []
        return [int(action) for action in features.action_mask(self._view(player)).nonzero()[0]]

    def _apply_action(self, action: int) -> None:
        if self.state is not None:
            assert self.state.to_move is not None
            self.state.play(features.concrete(self._view(self.state.to_move), action))
            return
        self.dealt.append(action)
        if len(self.dealt) == DEALT:
            self.state = start("/".join(self._dealt_text(seat) for seat in range(SEATS)), self.rules, self.setup)

    def _dealt_text(self, seat: int) -> str:
        return "".join(notation.card_text(kind) for kind in self.dealt[seat::SEATS])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {notation.card_text(action)}"
        return features.action_text(action)

    def returns(self) -> list[float]:
        return list(self.state.points()) if self.state is not None and self.state.is_over else [0.0] * SEATS

    def look(self, player: int) -> str:
        """What the player knows, as text."""
        return f"dealt {self._dealt_text(player)}" if self.state is None else self._view(player).key()

    def __str__(self) -> str:
        if self.state is None:
            return "/".join(self._dealt_text(seat) for seat in range(SEATS))
        return notation.position_text(self.state)

    def __deepcopy__(self, memo: dict[int, Any]) -> "GuandanNode":
        node = GuandanNode(self.get_game())
        for action in self.history():
            node.apply_action(action)
        return node


class Observer:
    """Features of a view as a tensor, the view as a string."""

    def __init__(self, has_tensor: bool) -> None:
        self.tensor = np.zeros(features.OBSERVATION_SIZE if has_tensor else 0, np.float32)
        self.dict = {"observation": self.tensor} if has_tensor else {}

    def set_from(self, state: GuandanNode, player: int) -> None:
        self.tensor.fill(0)
        if len(self.tensor) and state.state is not None:
            self.tensor[:] = features.observation(state.state.view(player))

    def string_from(self, state: GuandanNode, player: int) -> str:
        return state.look(player)


if SHORT_NAME not in pyspiel.registered_names():
    pyspiel.register_game(GAME_TYPE, GuandanGame)
