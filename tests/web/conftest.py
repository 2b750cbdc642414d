"""A real server and a real browser for the tests that need them."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((found for name in NAMES if (found := shutil.which(name))), None)
QUIET = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]  # fmt: skip


class Server:
    """`mingpai app` in a process of its own."""

    def __init__(self, home: Path, told: Path | None = None) -> None:
        self.home = home
        self.told = told
        """Where what it prints goes; nowhere for None."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self.start()

    def start(self) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        out = subprocess.DEVNULL if self.told is None else self.told.open("w")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mingpai", "app", "--port", str(self.port)], stdout=out,
            stderr=out, env=environment | {"MINGPAI_HOME": str(self.home)},
        )  # fmt: skip
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.url}/api/v1/version", timeout=1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the app did not start within a minute")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("home"))
    yield made
    made.kill()


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    if CHROMIUM is None:
        pytest.skip("chromium not found: apt-get install chromium fonts-noto-cjk")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield made
        made.close()
