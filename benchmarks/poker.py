"""Six-handed no-limit hold'em with random actions, from Python: ours beside PokerKit, OpenSpiel and RLCard.

A decision is asking what is legal and doing one of it: fold where there is a bet, check or call, the smallest raise,
all the chips. Hands start with 2,000 chips each and blinds of 20 and 40; dealing and paying out are part of the work.
"""

import functools
import random
from collections.abc import Callable
from typing import Any

from benchmarks._measure import machine, rate
from mingpai.games.holdem import GAME

SEATS, CHIPS, BLINDS = 6, 2000, (20, 40)
HANDS = 20
"""Played between two looks at the clock."""


def ours() -> Callable[[], int]:
    rng, setup = random.Random(1), {"seats": SEATS, "chips": CHIPS, "blinds": list(BLINDS)}

    def work() -> int:
        done = 0
        for _ in range(HANDS):
            state = GAME.deal(rng.randrange(1 << 40), "", setup)
            while state.to_move is not None:
                moves = state.legal_moves()
                named = {str(move).partition(" ")[0]: move for move in reversed(moves)}
                state.play(rng.choice(list(named.values())))
                done += 1
            state.points()
        return done

    return work


def pokerkit() -> Callable[[], int]:
    from pokerkit import Automation, NoLimitTexasHoldem

    rng, automations = random.Random(1), tuple(Automation)

    def work() -> int:
        done = 0
        for _ in range(HANDS):
            state = NoLimitTexasHoldem.create_state(automations, True, 0, BLINDS, BLINDS[1], CHIPS, SEATS)
            while state.status:
                choices: list[Callable[[], Any]] = []
                if state.can_fold():
                    choices.append(state.fold)
                if state.can_check_or_call():
                    choices.append(state.check_or_call)
                for amount in (
                    state.min_completion_betting_or_raising_to_amount,
                    state.max_completion_betting_or_raising_to_amount,
                ):
                    if amount is not None and state.can_complete_bet_or_raise_to(amount):
                        choices.append(functools.partial(state.complete_bet_or_raise_to, amount))
                rng.choice(choices)()
                done += 1
        return done

    return work


def openspiel() -> Callable[[], int]:
    import pyspiel

    stacks = " ".join([str(CHIPS)] * SEATS)
    blinds = " ".join(map(str, (*BLINDS, *[0] * (SEATS - 2))))
    game = pyspiel.load_game(
        f"universal_poker(betting=nolimit,numPlayers={SEATS},numRounds=4,blind={blinds},firstPlayer=3 1 1 1,numSuits=4,"
        f"numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack={stacks},bettingAbstraction=fchpa)"
    )
    rng = random.Random(1)

    def work() -> int:
        done = 0
        for _ in range(HANDS):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                done += not state.is_chance_node()
                state.apply_action(rng.choice(actions))
            state.returns()
        return done

    return work


def rlcard() -> Callable[[], int]:
    import rlcard as library

    env = library.make("no-limit-holdem", config={"game_num_players": SEATS, "seed": 1})
    rng = random.Random(1)

    def work() -> int:
        done = 0
        for _ in range(HANDS):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
                done += 1
            env.get_payoffs()
        return done

    return work


PEERS: dict[str, Callable[[], Callable[[], int]]] = {"PokerKit": pokerkit, "OpenSpiel": openspiel, "RLCard": rlcard}


def run(quick: bool = False) -> dict[str, Any]:
    seconds = 0.6 if quick else 6.0
    mine = rate(ours(), seconds)
    rows = []
    for name, peer in PEERS.items():
        theirs = rate(peer(), seconds)
        rows.append([name, f"{mine:,.0f}", f"{theirs:,.0f}", f"{mine / theirs:.1f}x"])
    title = "Six-handed no-limit hold'em, random decisions a second of CPU time, from Python"
    return {"command": "mingpai bench poker", "machine": machine(),
            "tables": [{"title": title, "columns": ["peer", "ours", "theirs", "ratio"], "rows": rows}]}  # fmt: skip
