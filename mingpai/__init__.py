"""Mingpai (明牌, "cards on the table"): play, solve, read and explain Dou Dizhu, Guandan and no-limit Texas Hold'em."""

__version__ = "0.1.0"
