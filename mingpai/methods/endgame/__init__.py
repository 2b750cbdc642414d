"""Endgames of Dou Dizhu with open cards: proofs, strategies, puzzles (paper 001)."""
