"""The CQL-style opponent: considers combinations of short partitions only."""

import numpy as np

from mingpai._native.doudizhu import Move
from mingpai._native.ruleplay import Splitter
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_situation import doudizhu_view
from mingpai.games.doudizhu import GAME

PASS = Move()


def test_candidates_occur_in_short_partitions_or_pass() -> None:
    agent = REGISTRY.agent("doudizhu", "cql:slack=1")
    state = GAME.deal(2, "standard+nobid")
    rng = np.random.default_rng(1)
    while state.to_move is not None:
        view = doudizhu_view(state.view(state.to_move))
        short = Splitter(view.rule_set.native).less_split_moves(view.hand, view.last, 1)
        candidates = [candidate.move for candidate in agent.decide(view).candidates]
        assert set(candidates) <= {*short, PASS}
        moves = state.legal_moves()
        state.play(moves[int(rng.integers(len(moves)))])


def test_bids_are_legal() -> None:
    agent = REGISTRY.agent("doudizhu", "cql")
    state = GAME.deal(1, "standard")
    assert state.to_move is not None
    assert agent.decide(state.view(state.to_move)).move in state.legal_moves()
