"""A bot in Python: plays the longest legal move, and bombs only to go out. One JSON position per line in, one move out.

mingpai match doudizhu --a "exec:python examples/bots/shortest.py" --b random --deals 20
"""

import json
import sys

import mingpai


def choose(position: dict[str, object]) -> str:
    moves = mingpai.legal_moves("doudizhu", position)
    hand = len(str(position["hand"]))
    quiet = [move for move in moves if not is_bomb(move) or len(move) == hand]
    return max(quiet or moves, key=lambda move: 0 if move == "pass" else len(move))


def is_bomb(move: str) -> bool:
    return move == "XD" or (len(move) == 4 and len(set(move)) == 1)


for line in sys.stdin:
    print(json.dumps({"move": choose(json.loads(line))}), flush=True)
