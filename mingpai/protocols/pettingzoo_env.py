"""PettingZoo: any of our games as an AEC environment.

    env = pettingzoo_env.env("doudizhu", rules="standard")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

An episode is one deal; rewards are its points, given when it is over. Observations are dictionaries with `observation`
(the game's features) and `action_mask`; `info` has the view's position object for programs that want more than numbers.
"""

from typing import Any

import numpy as np

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import IllegalHere, NotInstalled
from mingpai.core.game import Setup, State
from mingpai.core.random import seed_of
from mingpai.core.reasons import Reason
from mingpai.protocols.encoding import encoding_of, mask_of

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ModuleNotFoundError:
    raise NotInstalled("PettingZoo", "pip install 'mingpai[envs]'") from None


class DealEnv(AECEnv):  # type: ignore[misc, unused-ignore]
    """One deal of a game. Agents are `seat_0`, `seat_1`, ..."""

    metadata = {"render_modes": ["ansi"], "name": "mingpai", "is_parallelizable": False}

    def __init__(
        self, game: str = "doudizhu", rules: str = "", setup: Setup | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.game = REGISTRY.game(game)
        self.rules = rules
        self.setup = setup
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"mingpai_{game}"}
        self.encoding = encoding_of(game, rules)
        self._seed, self._episode = 0, 0
        self.state: State = self._deal()
        self.possible_agents = [f"seat_{seat}" for seat in range(self.state.seats)]
        box = spaces.Box(-np.inf, np.inf, (self.encoding.observation_size,), np.float32)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.encoding.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def _deal(self) -> State:
        return self.game.deal(seed_of(self._seed, "pettingzoo", self._episode), self.rules, self.setup)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """The next deal; with a seed, the first deal of that seed."""
        if seed is not None:
            self._seed, self._episode = seed, 0
        self.state = self._deal()
        self._episode += 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._choose_agent()

    def _choose_agent(self) -> None:
        seat = self.state.to_move
        if seat is None:
            self.rewards = dict(zip(self.possible_agents, map(float, self.state.points()), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            return
        self.agent_selection = self.possible_agents[seat]
        self.infos = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection] = {"position": self.state.view(seat).to_json()}

    def observe(self, agent: str) -> dict[str, Any]:
        view = self.state.view(self.possible_agents.index(agent))
        return {"observation": self.encoding.observe(view), "action_mask": mask_of(self.encoding, view)}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "an agent that is not done must act"
        view = self.state.view(self.possible_agents.index(agent))
        if not self.action_space(agent).contains(action) or not self.encoding.mask(view)[action]:
            raise IllegalHere(f"action {action}", Reason("action_not_legal", {"action": int(action)}))
        self.state.play(self.encoding.move(view, int(action)))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._choose_agent()
        self._accumulate_rewards()

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        return "\n".join(f"{event.kind} {event.seat} {event.text}" for event in self.state.events())

    def close(self) -> None:
        """Nothing is open."""


def env(game: str = "doudizhu", **settings: Any) -> DealEnv:
    """The environment of a game; settings as of DealEnv."""
    return DealEnv(game, **settings)
