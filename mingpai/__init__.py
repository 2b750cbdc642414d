"""Mingpai (明牌, "cards on the table"): play, solve, read and explain Dou Dizhu, Guandan and no-limit Texas Hold'em."""

import importlib
from typing import TYPE_CHECKING

__version__ = "0.2.0"

if TYPE_CHECKING:
    from mingpai.api import decide, explain, legal_moves, schema, view
    from mingpai.methods.endgame.solver import solve

__all__ = ["__version__", "decide", "explain", "legal_moves", "schema", "solve", "view"]

_PUBLIC = dict.fromkeys(("decide", "explain", "legal_moves", "schema", "view"), "mingpai.api")
_PUBLIC["solve"] = "mingpai.methods.endgame.solver"


def __getattr__(name: str) -> object:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'mingpai' has no attribute {name!r}")
