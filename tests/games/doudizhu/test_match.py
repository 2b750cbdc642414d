"""Matches, seatings and golden games."""

from pathlib import Path

import pytest

from mingpai.core.errors import BadSetting
from mingpai.core.random import stream
from mingpai.games.doudizhu import GAME, notation
from mingpai.games.doudizhu.rules import PROFILES
from mingpai.games.doudizhu.state import DoudizhuState

GOLDEN = Path(__file__).parents[2] / "golden" / "doudizhu"
GOLDEN_GAMES = (*((profile, 1) for profile in PROFILES), ("standard+callrob", 2), ("standard+auction", 3))


def random_game(rules: str, seed: int) -> DoudizhuState:
    state, rng = GAME.deal(seed, rules), stream(seed, "golden")
    while not state.is_over:
        moves = state.legal_moves()
        state.play(moves[int(rng.integers(len(moves)))])
    return state


@pytest.mark.parametrize(("rules", "seed"), GOLDEN_GAMES)
def test_golden_games(rules: str, seed: int) -> None:
    path = GOLDEN / f"{rules}-{seed}.txt"
    text = notation.game_text(random_game(rules, seed))
    assert text == path.read_text()
    assert notation.game_text(notation.parse_game(text)) == text


def test_a_match_adds_up_and_goes_on_from_json() -> None:
    match = GAME.match(5, "", {"deals": 4})
    firsts = []
    while not match.is_over:
        state = match.next_deal()
        firsts.append(state.setup()["first"])
        rng = stream(len(firsts))
        while not state.is_over:
            moves = state.legal_moves()
            state.play(moves[int(rng.integers(len(moves)))])
        match.finish(state)
        match = GAME.match_from_json(match.to_json())
    assert firsts == [0, 1, 2, 0]
    assert sum(match.scores()) == 0
    best = max(match.scores())
    assert [place == 1 for place in match.standings()] == [score == best for score in match.scores()]
    with pytest.raises(BadSetting):
        match.next_deal()


def test_deals_of_a_match_depend_on_seed_and_number_only() -> None:
    decks = []
    for _ in range(2):
        match = GAME.match(5, "douzero", {"deals": 2})
        first = match.next_deal()
        while not first.is_over:
            first.play(first.legal_moves()[-1])
        match.finish(first)
        decks.append((first.deck(), match.next_deal().deck()))
    assert decks[0] == decks[1]
    assert decks[0][0] != decks[0][1]


@pytest.mark.parametrize("settings", [{"deals": 0}, {"deals": "x"}, {"rounds": 3}])
def test_match_settings_are_checked(settings: dict[str, object]) -> None:
    with pytest.raises(BadSetting):
        GAME.match(1, "", settings)


def test_seatings_give_each_agent_every_part() -> None:
    assert GAME.seatings(2) == ((0, 1, 1), (1, 0, 0))
    for agent in range(3):
        assert [seating.index(agent) for seating in map(list, GAME.seatings(3))].count(0) == 2
    with pytest.raises(BadSetting):
        GAME.seatings(4)
