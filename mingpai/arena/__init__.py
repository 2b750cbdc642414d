"""Agents against agents: duplicate deals, seat rotation, leagues, ratings, error bars, sequential tests."""
