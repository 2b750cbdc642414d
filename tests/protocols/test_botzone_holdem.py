"""Botzone's TexasHoldem. Requests are written by hand from the page, not recorded from our own program."""

import io
import json
from typing import Any

import pytest

from mingpai.agents.random import RandomAgent
from mingpai.core.agent import NoSettings
from mingpai.core.errors import BadlyWritten
from mingpai.games.holdem import GAME
from mingpai.games.holdem.notation import CARDS, format_cards, parse_move
from mingpai.protocols import botzone_holdem as botzone
from mingpai.protocols.botzone import KEEP_RUNNING
from mingpai.protocols.raises import Convention
from tests.protocols.script import Script

BLINDS = [
    {"player_id": 0, "action": -4, "action_type": "blind", "amount": 50, "round": 0},
    {"player_id": 1, "action": -4, "action_type": "blind", "amount": 100, "round": 0},
]


def request(history: list[Any], *, chips: int, me: int = 0, board: tuple[int, ...] = ()) -> dict[str, Any]:
    return {
        "num_players": 2, "dealer_id": 0, "my_id": me, "my_chips": chips, "my_cards": [48, 45],
        "public_cards": list(board), "history": history,
    }  # fmt: skip


def act(player: int, action: int, street: int = 0) -> dict[str, Any]:
    return {"player_id": player, "action": action, "round": street}


def test_cards() -> None:
    assert [CARDS[botzone.card_of(number)] for number in (0, 1, 2, 3, 48, 51)] == ["2h", "2d", "2s", "2c", "Ah", "Ac"]
    assert len({botzone.card_of(number) for number in range(52)}) == 52
    for bad in (-1, 52, True):
        with pytest.raises(BadlyWritten):
            botzone.card_of(bad)


def test_the_first_request() -> None:
    """Heads-up the dealer posts the small blind and begins."""
    seen = botzone.read_request(request(BLINDS, chips=19950))
    assert format_cards(seen.view.hand or ()) in ("AhKd", "KdAh")
    assert (seen.view.to_move, seen.view.to_call, seen.view.blinds) == (0, 50, (50, 100))
    assert botzone.read_request(request([], chips=19950)).view.to_call == 50


@pytest.mark.parametrize(
    ("move", "answer"),
    [("fold", -1), ("call", 0), ("raise 300", 250), ("all-in", -2)],
)
def test_answers(move: str, answer: int) -> None:
    """A raise to 300 by the small blind puts in 250."""
    assert botzone.Player(Script(move)).respond(request(BLINDS, chips=19950)) == answer


def test_raises_are_chips_put_in_now() -> None:
    """We raised by 250 to 300, the other put in 800, to 900."""
    history = [*BLINDS, act(0, 250), act(1, 800)]
    seen = botzone.read_request(request(history, chips=19700))
    assert seen.convention == Convention.CHIPS_NOW
    assert [str(move) for _, move in seen.view.actions()] == ["raise 300", "raise 900"]
    assert seen.view.to_call == 600


def test_raises_as_totals_show_in_our_chips() -> None:
    """The same numbers, but our chips say that 300 was the total."""
    history = [*BLINDS, act(0, 300), act(1, 900)]
    player = botzone.Player(Script("raise 2000", "raise 500"))
    assert player.respond(request(history, chips=19700)) == 2000
    assert player.convention == Convention.STREET_TOTAL
    assert player.respond(request(BLINDS, chips=19950)) == 500


def test_later_streets() -> None:
    history = [*BLINDS, act(0, 0), act(1, 0), act(1, 0, 1)]
    seen = botzone.read_request(request(history, chips=19900, board=(0, 9, 30)))
    assert (seen.view.street.value, seen.view.pot, seen.view.to_call) == (1, 200, 0)
    assert format_cards(seen.view.board) == "2h4d9s"


@pytest.mark.parametrize("change", [{"my_id": None}, {"my_cards": [1]}, {"history": [3]}, {"public_cards": [1, 2]}])
def test_requests_that_cannot_be_are_folded(change: dict[str, Any]) -> None:
    assert botzone.Player(Script()).respond({**request(BLINDS, chips=19950), **change}) == -1


def test_serve_understands_first_and_later_messages() -> None:
    first = {"requests": [request(BLINDS, chips=19950)], "responses": []}
    later = request([*BLINDS, act(0, 250), act(1, 800)], chips=19700)
    source = io.StringIO("\n".join(json.dumps(message) for message in (first, later, {"request": later})) + "\n")
    sink = io.StringIO()
    botzone.serve(Script("raise 300", "call", "fold"), source, sink)
    lines = sink.getvalue().splitlines()
    assert [json.loads(line)["response"] for line in lines[::2]] == [250, 0, -1]
    assert set(lines[1::2]) == {KEEP_RUNNING}


@pytest.mark.parametrize("players", [2, 6])
def test_random_hands_are_followed(players: int) -> None:
    """A hand told in Botzone's numbers reads back move for move, in both conventions."""
    setup = {"seats": players, "chips": botzone.CHIPS, "blinds": list(botzone.BLINDS), "button": 1}
    for seed in range(20):
        for convention in botzone.CONVENTIONS:
            state = GAME.deal(seed, "botzone", setup)
            agent = RandomAgent(NoSettings(), game="holdem", spec="random", seed=seed)
            history: list[Any] = []
            while (seat := state.to_move) is not None:
                ids = {botzone.card_of(number): number for number in range(52)}
                told = {
                    "num_players": players, "dealer_id": 1, "my_id": seat, "my_chips": int(state.stacks[seat]),
                    "my_cards": [ids[card] for card in state.hand(seat) or ()],
                    "public_cards": [ids[card] for card in state.board], "history": list(history),
                }  # fmt: skip
                seen = botzone.read_request(told, convention)
                if seen.convention == convention:
                    assert seen.view == state.view(seat)
                move = agent.decide(state.view(seat)).move
                history.append([seat, botzone.number_of(parse_move(str(move), state), state, convention)])
                state.play(move)
