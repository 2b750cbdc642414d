"""FOLD: play no-limit hold'em by reading the opponents' hands (method 5)."""
