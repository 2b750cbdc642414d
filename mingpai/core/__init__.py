"""The contract: what a game, a state, a view, an agent and a decision are. Knows no game by name."""
