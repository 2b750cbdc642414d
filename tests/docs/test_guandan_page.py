"""The page on other people's Guandan bots, followed by somebody who has only the page."""

import contextlib
import json
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mingpai.protocols import njupt
from tests.docs.test_examples import ROOT, blocks

PAGE = ROOT / "docs" / "guandan.md"
STRANGERS = {"v1006": "--name them{0}", "openguandan": "--name them{0} --room 1 --seat {0}"}
"""What two foreign bots would say in each dialect, on their seats 1 and 3."""
SMALL = {
    "host": "--matches 1 --rounds 1 --once --port {port}",
    "join": "--agent rule1 --url ws://127.0.0.1:{port} --seed 1",
}
"""Said last, it counts: one round, quick players, a port that is free."""


def commands(dialect: njupt.Dialect) -> list[str]:
    """The block of the page that hosts and joins in this dialect."""
    (block,) = [text for text in blocks(PAGE, "") if text.count(f"--dialect {dialect}") == len(text.splitlines())]
    return block.splitlines()


def start(line: str, port: int, folder: Path) -> "subprocess.Popen[str]":
    words = shlex.split(line.replace("--rounds 100", "--rounds 1"))
    small = shlex.split(SMALL[words[1]].format(port=port))
    # unbuffered, as at a terminal: the first line of the host says that it listens
    return subprocess.Popen([sys.executable, "-u", "-m", *words, *small], cwd=folder, text=True, stdout=subprocess.PIPE)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


def test_each_dialect_is_hosted_before_it_is_joined() -> None:
    for dialect in njupt.DIALECTS:
        host, *others = commands(dialect)
        assert host.startswith(f"mingpai host njupt --dialect {dialect} "), dialect
        assert len(others) == 2
        assert all(line.startswith(f"mingpai join njupt --dialect {dialect} ") for line in others)


def wait_for_room(port: int) -> None:
    """Until room 1 refuses its first seat because somebody sits there."""
    from websockets.sync.client import connect

    asked, answer = {"userId": "x", "roomId": 1, "seatNum": 0}, ""
    while "a seatNum that is free" not in answer:
        with connect(f"ws://127.0.0.1:{port}") as visitor:
            visitor.send(json.dumps({"type": "JOIN_ROOM", "data": asked}))
            answer = str(visitor.recv(timeout=60))
        time.sleep(0.1)


@pytest.mark.ci
@pytest.mark.parametrize("dialect", njupt.DIALECTS)
def test_the_page_leads_to_a_played_round(dialect: njupt.Dialect, tmp_path: Path) -> None:
    port, (host_line, first, second) = free_port(), commands(dialect)
    strange = f"mingpai join njupt --dialect {dialect} {STRANGERS[dialect]}"
    with contextlib.ExitStack() as running:

        def begin(line: str) -> "subprocess.Popen[str]":
            process = running.enter_context(start(line, port, tmp_path))
            running.callback(process.kill)
            return process

        host = begin(host_line)
        assert host.stdout is not None
        assert f"dialect {dialect}" in host.stdout.readline()
        if dialect == "openguandan":
            assert begin(second).wait(timeout=60) == 2, "there is no room 1 yet"
        players = [begin(first)]
        if dialect == "openguandan":
            wait_for_room(port)
        players += [begin(line) for line in (second, strange.format(1), strange.format(3))]
        results = [json.loads(player.communicate(timeout=120)[0]) for player in players]
        assert "faults 0" in host.communicate(timeout=60)[0]
    assert all(result["stage"] == "gameResult" and not any(result["falls"].values()) for result in results)
    assert len((tmp_path / "rounds.jsonl").read_text("utf-8").splitlines()) == 1
