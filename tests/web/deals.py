"""Deals between agents, for pages that show games."""

from collections.abc import Iterator

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.random import seed_of
from mingpai.records.record import Record, record_of


def played(game: str, agents: tuple[str, ...], deals: int) -> Iterator[Record]:
    """Deals between agents."""
    rules = REGISTRY.game(game)
    setup = {"seats": len(agents)} if game == "holdem" else rules.play_only
    for number in range(deals):
        seated = [REGISTRY.agent(game, spec, seed) for seed, spec in enumerate(agents)]
        state = rules.deal(seed_of(3, number), setup=setup)
        for seat, agent in enumerate(seated):
            agent.start_match(seat, len(agents))
            agent.start_deal(state.view(seat))
        while (turn := state.to_move) is not None:
            state.play(seated[turn].decide(state.view(turn)).move)
        yield record_of(state, agents, seed=number)
