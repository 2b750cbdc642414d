"""Players that need no method: random, rule bots of each game, a human, another program. `catalogue` names them all."""
