"""The app: a window on the games, agents, solver and records in a browser. No rules inside."""
