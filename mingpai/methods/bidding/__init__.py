"""Dou Dizhu bidding: the benchmark model, the style of a player, and a bidder that uses both."""
