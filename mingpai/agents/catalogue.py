"""Every game and agent by name. Targets are strings: nothing is imported before it is asked for."""

from mingpai.core.registry import Entry, Registry

GAMES = {
    "doudizhu": "mingpai.games.doudizhu:GAME",
    "guandan": "mingpai.games.guandan:GAME",
    "holdem": "mingpai.games.holdem:GAME",
}

ENTRIES = (
    Entry("*", "random", "mingpai.agents.random:RandomAgent", "every legal move equally likely"),
    Entry("*", "exec", "mingpai.agents.program:ProgramAgent", "another program that speaks the line protocol",
          is_local=True),
)

REGISTRY = Registry(GAMES, ENTRIES)
"""The one registry: command line, app, arena and protocols ask it."""
