"""Yardsticks: agents that play as on the day they were frozen, whatever is trained or tuned afterwards.

    python experiments/frozen_agents.py        # their specs, for `mingpai match`, and their signatures

The networks are copies under experiments/frozen (no part of the wheel); the settings are written out, so that neither
a preset nor a default can change them. Their signatures are frozen in tests/methods/flagship/test_frozen.py: where a
change of the search itself alters one, either the search keeps the old way as a setting or the comparison is over.
"""

from pathlib import Path

from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.signature import signature

FOLDER = Path(__file__).parent / "frozen"
VALUE, STUDENT, JUDGE = (FOLDER / f"doudizhu-{name}" for name in ("value", "student", "judge"))

NETWORKS = f"model={VALUE},player={STUDENT},judge={JUDGE}"
COMMON = (
    "slack=3,width=24,exploration=1.0,tree=true,sees_world=true,early_stop=true,plays_out=true,judges_read=false,depth=0,belief=inferred,temperature=3.5,noise=0.02,tempering=0.7,endings=true,"
    "ending_worlds=100,judge_trust=2.0,candidates=5,margin=1.0,clear=2.0,tree_trust=1.0,reading_temperature=0.25,"
    "reading_power=0.5,belief_power=0.5,bids=value,bid_model=doudizhu-bids"
)
SIZES = {
    "fast": "iterations=1200,particles=250,worlds=24,reads=16,trust=2.0,threads=1",
    "normal": "iterations=6000,particles=1200,worlds=288,reads=144,trust=0.75,threads=2",
    "strong": "iterations=100000,particles=8000,worlds=3072,reads=1536,trust=0.75,threads=2",
}

AGENTS = {"mcm": f"mcm:model={VALUE}"} | {name: f"mingpai:{size},{COMMON},{NETWORKS}" for name, size in SIZES.items()}
"""Of Dou Dizhu as it was on 2026-11-17: the networks of version 0.1."""

POSITIONS = 40
"""Of a signature, as for published numbers."""


def signature_of(name: str) -> str:
    """How a yardstick plays today."""
    return signature(REGISTRY.agent("doudizhu", AGENTS[name]), REGISTRY.game("doudizhu"), POSITIONS).text


def main() -> None:
    for agent, spec in AGENTS.items():
        print(f"{agent} {signature_of(agent)}\n  {spec}", flush=True)


if __name__ == "__main__":
    from script import as_script

    as_script(main)
