"""No-limit Texas Hold'em: cards, hand ranks, ranges and equity, the table."""
