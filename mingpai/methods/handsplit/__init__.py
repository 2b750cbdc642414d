"""Hand decomposition (paper 003): Split, LessSplit, MCTSHS tree search, hand inference, and MCM, its network."""
