"""At full counts the end of the log says how many inputs each target had."""

import pytest

from tests.scale import tier


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if tier() != "verify":
        return
    terminalreporter.section("inputs of the fuzzers")
    for report in terminalreporter.stats.get("passed", []) + terminalreporter.stats.get("failed", []):
        if isinstance(report, pytest.TestReport) and "damaged_input" in report.nodeid:
            terminalreporter.write_line(report.capstdout.strip().partition("\n")[0])
