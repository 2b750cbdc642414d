"""Checks: lint (ruff), types (mypy, strict), rooms (import-linter), stubs against the build, published numbers."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
CHECKS = (
    [BIN / "ruff", "check", "."],
    [BIN / "mypy"],
    [BIN / "lint-imports"],
    [sys.executable, "tools/stubs.py", "--check"],
    [sys.executable, "tools/published.py"],
)


def main() -> int:
    failed = []
    for command in CHECKS:
        print("$", *(Path(str(word)).name for word in command), flush=True)
        if subprocess.run(command, cwd=ROOT).returncode != 0:
            failed.append(" ".join(Path(str(word)).name for word in command[:2]))
    print("checks failed: " + ", ".join(failed) if failed else "all checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
