"""Hand decomposition (paper 003): Split, LessSplit, the tree search MCTSHS, hand inference, exact endings."""
