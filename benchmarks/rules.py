"""Speed of the rules against public programs: `mingpai bench rules`. One core, CPU time, peers in the same run.

OpenSpiel's lists are timed through its Python module; the cost of the call and of each number in the list, measured on
states whose lists cost nothing to make, is subtracted in its favour. Its random games run inside its own C++ loop.
"""

import json
import random
import runpy
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._measure import machine, rate
from mingpai._native import doudizhu as native
from mingpai.games.doudizhu import notation

ROOT = Path(__file__).resolve().parent.parent
TARGETS = {
    ("random deals", "OpenSpiel"): 15.0,
    ("random deals", "DouZero"): 1000.0,
    ("random deals", "RLCard"): 1000.0,
    ("20-card lead", "OpenSpiel"): 20.0,
    ("17-card follow", "OpenSpiel"): 20.0,
    ("20-card lead, from Python", "DouZero"): 20.0,
    ("17-card follow, from Python", "DouZero"): 20.0,
}
"""Ratios we hold ourselves to."""

PASS = native.Move()
FOLLOWED = ("8", "66", "5553")
"""The moves that are followed, in turn."""


def random_hands(cards: int, number: int = 500) -> list[int]:
    rng, deck = random.Random(f"bench {cards}"), notation.cards_text(native.FULL_DECK)
    return [notation.parse_cards("".join(rng.sample(deck, cards))) for _ in range(number)]


def lasts(rules: native.Rules) -> list[native.Move]:
    return [move for text in FOLLOWED for move in notation.parse_readings(text, rules)]


def our_games(rules: native.Rules) -> Callable[[], int]:
    policies = (native.Policy.RANDOM,) * 3
    seeds = iter(range(1 << 30))
    return lambda: len(native.simulate(2000, next(seeds), rules, policies))


def our_lists(hands: list[int], last: list[native.Move], rules: native.Rules) -> Callable[[], int]:
    array = np.array(hands, np.uint64)

    def work() -> int:
        for move in last:
            native.count_moves(array, move, rules, 20)
        return 20 * len(hands) * len(last)

    return work


def our_python(hands: list[int], last: list[native.Move], rules: native.Rules) -> Callable[[], int]:
    """One call for each hand, every move's cards compared with some that are looked for."""
    legal_cards = native.legal_cards
    wanted = notation.parse_cards("77")

    def work() -> int:
        seen = 0
        for move in last:
            for hand in hands:
                for cards in legal_cards(hand, move, rules):
                    if cards == wanted:
                        seen += 1
        return len(hands) * len(last)

    return work


def douzero_lists(hands: list[int], last: list[native.Move]) -> Callable[[], int]:
    from douzero.env.game import GameEnv

    env = GameEnv(None)
    env.acting_player_position = "landlord"
    info = env.info_sets["landlord"]
    given = [notation.to_douzero(hand) for hand in hands]

    wanted = [7, 7]

    def work() -> int:
        seen = 0
        for move in last:
            rival = notation.to_douzero(move.cards)
            for hand in given:
                info.player_hand_cards = hand
                env.card_play_action_seq = [list(rival)] if rival else []
                for cards in env.get_legal_card_play_actions():
                    if cards == wanted:
                        seen += 1
        return len(given) * len(last)

    return work


def douzero_games() -> Callable[[], int]:
    from douzero.env.game import GameEnv

    rng = random.Random("bench douzero")
    deck = notation.to_douzero(native.FULL_DECK)

    class Player:
        def act(self, infoset: Any) -> Any:
            return rng.choice(infoset.legal_actions)

    players = {role: Player() for role in ("landlord", "landlord_up", "landlord_down")}

    def work() -> int:
        rng.shuffle(deck)
        env = GameEnv(players)
        env.card_play_init({"landlord": sorted(deck[:20]), "landlord_down": sorted(deck[20:37]),
                            "landlord_up": sorted(deck[37:]), "three_landlord_cards": sorted(deck[17:20])})  # fmt: skip
        while not env.game_over:
            env.step()
        return 1

    return work


def rlcard_lists(hands: list[int], last: list[native.Move]) -> Callable[[], int]:
    from types import SimpleNamespace

    from rlcard.games.doudizhu.judger import DoudizhuJudger
    from rlcard.games.doudizhu.utils import get_gt_cards

    texts = [notation.to_rlcard(hand) for hand in hands]
    players = [SimpleNamespace(current_hand=[SimpleNamespace(rank="" if c in "BR" else c, suit=c + "J") for c in text])
               for text in texts]  # fmt: skip

    def work() -> int:
        for move in last:
            greater = SimpleNamespace(played_cards=notation.to_rlcard(move.cards))
            for text, player in zip(texts, players, strict=True):
                if move.is_pass:
                    DoudizhuJudger.playable_cards_from_hand(text)
                else:
                    get_gt_cards(player, greater)
        return len(texts) * len(last)

    return work


def rlcard_games() -> Callable[[], int]:
    from rlcard.games.doudizhu import Game

    rng = random.Random("bench rlcard")
    game = Game()

    def work() -> int:
        state, _ = game.init_game()
        while not game.is_over():
            state, _ = game.step(rng.choice(state["actions"]))
        return 1

    return work


def calls_of(state: Any) -> Callable[[], int]:
    """A thousand lists of one state of OpenSpiel."""

    def work() -> int:
        for _ in range(1000):
            state.legal_actions()
        return 1000

    return work


class OpenSpiel:
    """OpenSpiel's game, with the landlord at the first seat that may bid."""

    def __init__(self) -> None:
        import pyspiel

        self.spiel = pyspiel
        self.game = pyspiel.load_game("dou_dizhu")
        self.seed = 0

    def dealt(self, hands: list[int]) -> list[Any]:
        """States at the lead of a landlord with 20 cards, one for each hand."""
        return [self._lead(hand, random.Random(f"openspiel {i}")) for i, hand in enumerate(hands)]

    def _lead(self, hand: int, rng: random.Random) -> Any:
        ids = {rank: [r for r in range(52) if r % 13 == rank] if rank < 13 else [52 + rank - 13] for rank in range(15)}
        mine = [ids[rank][i] for rank in range(15) for i in range(hand >> (4 * rank) & 15)]
        rest = [card for card in range(54) if card not in mine]
        rng.shuffle(mine)
        rng.shuffle(rest)
        state = self.game.new_initial_state()
        state.apply_action(0)
        for place in range(51):
            state.apply_action(51 + (mine.pop() if place % 3 == 0 else rest.pop()))
        state.apply_action(3)
        return state

    def followed(self, hands: list[int], move: native.Move) -> list[Any]:
        """States where a seat with the 17 cards follows the move."""
        out = []
        for i, hand in enumerate(hands):
            state = self._follow(hand, move, random.Random(f"follow {i}"))
            if state is not None:
                out.append(state)
        return out

    def _follow(self, hand: int, move: native.Move, rng: random.Random) -> Any:
        """None where the landlord cannot hold the move beside the hand."""
        if not native.holds(native.FULL_DECK - hand, move.cards):
            return None
        deck = notation.cards_text(native.FULL_DECK - hand - move.cards)
        rest = notation.parse_cards("".join(rng.sample(deck, 17 - move.size)))
        state = self.game.new_initial_state()
        state.apply_action(0)
        free = {rank: [r for r in range(52) if r % 13 == rank] if rank < 13 else [52 + rank - 13] for rank in range(15)}
        seats = [self._ids(cards, free) for cards in (move.cards + rest, hand)]
        last = [card for cards in free.values() for card in cards]
        for place in range(51):
            state.apply_action(51 + (seats[place % 3].pop() if place % 3 < 2 else last.pop()))
        state.apply_action(3)
        wanted = sorted(notation.cards_text(move.cards))
        action = next(a for a in state.legal_actions() if sorted(state.action_to_string(a)) == wanted)
        state.apply_action(action)
        return state

    @staticmethod
    def _ids(cards: int, free: dict[int, list[int]]) -> list[int]:
        return [free[rank].pop() for rank in range(15) for _ in range(cards >> (4 * rank) & 15)]

    def lists(self, states: list[Any], seconds: float) -> tuple[float, float]:
        """Lists per second as called from Python, and without the cost of the binding."""

        def work() -> int:
            for state in states:
                state.legal_actions()
            return len(states)

        called = rate(work, seconds)
        entries = sum(len(state.legal_actions()) for state in states) / len(states)
        alone = 1 / called - self._binding(entries, seconds)
        return called, 1 / max(alone, 1e-9)

    def _binding(self, entries: float, seconds: float) -> float:
        """Seconds that a call and so many numbers cost without any rules: from states that only deal cards."""
        dealing, over = self.game.new_initial_state(), self.game.new_initial_state()
        dealing.apply_action(0)
        while not over.is_terminal():
            over.apply_action(over.legal_actions()[0])
        call, fifty_four = (1 / rate(calls_of(state), seconds / 2) for state in (over, dealing))
        return call + entries * max(0.0, fifty_four - call) / 54

    def plays(self, seconds: float) -> float:
        """Random deals per second, play only: from states at the first lead."""
        spiel, rng = self.spiel, random.Random("openspiel games")
        deck = notation.cards_text(native.FULL_DECK)
        starts = self.dealt([notation.parse_cards("".join(rng.sample(deck, 17))) for _ in range(200)])
        bots = [spiel.make_uniform_random_bot(seat, seat) for seat in range(3)]

        def work() -> int:
            for start in starts:
                self.seed += 1
                spiel.evaluate_bots(start.clone(), bots, self.seed)
            return len(starts)

        return rate(work, seconds)


def allocations() -> dict[str, Any]:
    """The counting allocator's verdict on the hot loop."""
    sources = [ROOT / "native" / "doudizhu" / f"{name}.cpp" for name in ("movegen", "state", "policy")]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "allocations"
        main = ROOT / "benchmarks" / "native" / "doudizhu_allocations.cpp"
        subprocess.run(["c++", "-std=c++20", "-O2", "-DNDEBUG", "-I", ROOT, main, *sources, "-o", program], check=True)
        answer = json.loads(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    assert isinstance(answer, dict)
    return answer


def measure(seconds: float) -> list[tuple[str, str, float, float]]:
    """Rows: work, peer, ours per second, the peer's per second."""
    standard, openspiel = native.profile("standard"), native.profile("openspiel")
    leads, follows, seen = random_hands(20), random_hands(17), lasts(standard)
    spiel = OpenSpiel()
    ours = {
        "random deals": rate(our_games(standard), seconds),
        "20-card lead": rate(our_lists(leads, [PASS], standard), seconds),
        "17-card follow": rate(our_lists(follows, seen, standard), seconds),
        "20-card lead, from Python": rate(our_python(leads, [PASS], standard), seconds),
        "17-card follow, from Python": rate(our_python(follows, seen, standard), seconds),
    }
    lead_called, lead_alone = spiel.lists(spiel.dealt(random_hands(17)), seconds)
    follow_states = [state for move in lasts(openspiel) for state in spiel.followed(follows, move)]
    follow_called, follow_alone = spiel.lists(follow_states, seconds)
    peers = [
        ("random deals", "OpenSpiel", spiel.plays(seconds)),
        ("random deals", "DouZero", rate(douzero_games(), seconds)),
        ("random deals", "RLCard", rate(rlcard_games(), seconds)),
        ("20-card lead", "OpenSpiel", lead_alone),
        ("20-card lead", "RLCard", rate(rlcard_lists(leads, [PASS]), seconds)),
        ("17-card follow", "OpenSpiel", follow_alone),
        ("17-card follow", "RLCard", rate(rlcard_lists(follows, seen), seconds)),
        ("20-card lead, from Python", "OpenSpiel", lead_called),
        ("20-card lead, from Python", "DouZero", rate(douzero_lists(leads, [PASS]), seconds)),
        ("17-card follow, from Python", "OpenSpiel", follow_called),
        ("17-card follow, from Python", "DouZero", rate(douzero_lists(follows, seen), seconds)),
    ]
    return [(work, peer, ours[work], theirs) for work, peer, theirs in peers]


def run(quick: bool = False) -> dict[str, Any]:
    """The tables of `mingpai bench rules`."""
    rows = []
    for work, peer, ours, theirs in measure(0.3 if quick else 3.0):
        target = TARGETS.get((work, peer))
        verdict = "" if target is None else "yes" if ours / theirs >= target else "NO"
        wanted = "" if target is None else f"{target:g}x"
        rows.append([work, peer, f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:,.1f}x", wanted, verdict])
    memory = allocations()
    guandan = runpy.run_path(str(ROOT / "benchmarks" / "_guandan.py"))["tables"]
    return {
        "command": "mingpai bench rules" + (" --quick" if quick else ""),
        "machine": machine(),
        "tables": [
            {
                "title": "Dou Dizhu rules, per second of CPU time",
                "columns": ["work", "peer", "ours", "theirs", "ratio", "target", "met"],
                "rows": rows,
            },
            {
                "title": "Memory of the hot loop",
                "columns": ["what", "value"],
                "rows": [
                    ["bytes of a state, history apart", str(native.STATE_BYTES)],
                    ["deals played under a counting allocator", f"{memory['deals']:,}"],
                    ["moves made in them", f"{memory['moves']:,}"],
                    ["allocations meanwhile", str(memory["allocations"])],
                ],
            },
            *guandan(rate, 0.3 if quick else 3.0),
        ],
    }
