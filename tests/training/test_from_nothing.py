"""The page on training has the commands of every shipped network; here they make them from nothing at a small size."""

import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

import mingpai
from mingpai.cli.main import app
from mingpai.models.card import read_card
from mingpai.models.loader import cards, load

pytest.importorskip("torch")

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "training.md"
SECTION = re.compile(r"^## (`.*?)\n(.*?)```\n(.*?)```", re.MULTILINE | re.DOTALL)
FEW = ["samples=256", "tables=32", "minibatch=32", "shape.width=128", "shape.depth=2"]
REMEMBERED = [*FEW, "memory=2000", "first=100"]
SMALL = {
    "train bidding": ["games=2500", "players=12", "samples=400", "epochs=2"],
    "train bidding-calibrated": ["games=2500", "players=12", "samples=400", "epochs=2"],
    "train mcm": REMEMBERED,
    "train mcm-open": REMEMBERED,
    "train mcm-student": FEW,
    "train mcm-paper": ["epochs=1", "minibatch=64"],
    "train bids": ["deals=200", "epochs=1"],
    "train cql": ["deals=32", "tables=16", "minibatch=64"],
    "train ablgd": ["decisions=200", "pretrain=100", "imitate=300", "tables=8", "every=100", "buffer=100", "batch=50"],
}
"""What is set beside the settings of the page, for each command."""
SMALL_SCRIPTS = {
    "experiments/mcm_paper_lessons.py": ["--lessons", "1", "--iterations", "4"],
    "experiments/abduction_train.py": ["--scale", "0.0002"],
}
PLAY: Mapping[str, object] = {
    "seat": "down",
    "hand": "3455667789TJQKKA2",
    "bottom": "34D",
    "history": [["landlord", "33"]],
}
BID: Mapping[str, object] = {
    "phase": "bid",
    "seat": 2,
    "first": 0,
    "hand": "3457789TJQKKA22XD",
    "bids": [[0, "0"], [1, "2"]],
}
ROUND: Mapping[str, object] = {
    "seat": 0,
    "level": "2",
    "hand": "S3S3H4H4D5D5C6C6S7S7H8H8D9D9CTCTSJSJHQHQDKDKCACASBHRHR",
    "history": [],
}
PLAYERS: dict[str, tuple[str, Mapping[str, object]]] = {
    "doudizhu-bidding": ("bidder:preset=model,model={}", BID),
    "doudizhu-bidding-calibrated": ("bidder:model={}", BID),
    "doudizhu-value": ("mcm:model={}", PLAY),
    "doudizhu-judge": ("mcm-search:judge={},iterations=50", PLAY),
    "doudizhu-student": ("mcm-search:player={},iterations=50", PLAY),
    "doudizhu-bids": ("mingpai:preset=fast,bid_model={}", BID),
    "doudizhu-mcm-paper": ("mcm-paper:model={},at_once=always", PLAY),
    "doudizhu-cql": ("cql:model={}", PLAY),
    "guandan-ablgd": ("ablgd:model={}", ROUND),
    "guandan-ablgd-critic": ("ablgd:critic={},worlds=2,depth=2,sure=2", ROUND),
    "guandan-ablgd-paper": ("ablgd:model={}", ROUND),
}
"""The agent that each network is for, and a position."""


def sections() -> dict[tuple[str, ...], list[str]]:
    """Networks -> the lines that make them."""
    found = SECTION.findall(PAGE.read_text("utf-8"))
    return {tuple(re.findall(r"`(.*?)`", head)): lines.strip().splitlines() for head, _, lines in found}


def run_small(line: str, folder: Path) -> None:
    """A line of the page, its runs in a folder and its lengths cut down: of a setting, what is said last counts."""
    program, *words = shlex.split(line.replace("runs/", f"{folder}/"))
    if program == "python":
        command = [sys.executable, str(ROOT / words[0]), *words[1:], *SMALL_SCRIPTS[words[0]]]
        subprocess.run(command, cwd=ROOT, check=True, timeout=300)
        return
    assert program == "mingpai"
    few = [word for one in SMALL[" ".join(words[:2])] for word in ("--set", one)]
    done = CliRunner().invoke(app, [*words, *few], catch_exceptions=False)
    assert done.exit_code == 0, f"{line}\n{done.output}"


def test_every_shipped_network_has_its_commands() -> None:
    named = [name for names in sections() for name in names]
    assert sorted(named) == sorted(card.name for card in cards()) == sorted(PLAYERS)
    table = re.findall(r"^\| (`.*?) \| .* \| \d+ \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert [name for row in table for name in re.findall(r"`(.*?)`", row)] == named


@pytest.mark.ci
def test_the_commands_make_every_network_and_it_plays(tmp_path: Path) -> None:
    """In the order of the page: some start from the networks before them. All but the lengths is as it stands there."""
    for line in [line for lines in sections().values() for line in lines]:
        run_small(line, tmp_path)
    for name, (spec, position) in PLAYERS.items():
        game = name.partition("-")[0]
        folder = tmp_path / "models" / name
        assert load(str(folder), game=game, features=read_card(folder).features).outputs
        decision = mingpai.decide(game, position, spec.format(folder))
        assert str(decision.move) in mingpai.legal_moves(game, position)
