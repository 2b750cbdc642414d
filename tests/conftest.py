"""Tiers and skips: `ci` and `verify` tests run only in their tier; in CI a skip must be on the written list."""

import os
import signal
from pathlib import Path

import hypothesis
import pytest

from tests.scale import TIERS, tier

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs with Ctrl-C ignored, and children inherit that: tests of Ctrl-C need it heard.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Time is measured in benchmarks: a busy machine fails no test.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

ALLOWED_SKIPS = Path(__file__).with_name("allowed_skips.txt")
_unlisted: list[str] = []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    level = TIERS.index(tier())
    kept: list[pytest.Item] = []
    dropped: list[pytest.Item] = []
    for item in items:
        wanted = 2 if item.get_closest_marker("verify") else 1 if item.get_closest_marker("ci") else 0
        (kept if wanted <= level else dropped).append(item)
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = reason.removeprefix("Skipped: ")
    allowed = [line for line in ALLOWED_SKIPS.read_text().splitlines() if line and not line.startswith("#")]
    if not any(reason.startswith(beginning) for beginning in allowed):
        _unlisted.append(f"{report.nodeid}: {reason}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if _unlisted and (os.environ.get("CI") or tier() != "fast") and session.exitstatus == 0:
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _unlisted:
        terminalreporter.section("skips that are not on tests/allowed_skips.txt")
        for line in _unlisted:
            terminalreporter.write_line(line)
