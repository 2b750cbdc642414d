"""Build and test wheels: `python tools/wheels.py [3.11 3.12 3.13]`, by default every one of these that is installed.

For each Python: a wheel in dist/ with both variants of the native core, a new virtual environment outside the project,
the wheel with the pinned packages (those with hashes checked), and the tests that need nothing else: once as the
processor wants it and once with the portable variant, which has no AVX2 instruction. The log goes to verify/wheels.txt.
"""

import datetime
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import pins

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / "verify" / "wheels.txt"
TESTS = (
    "tests/native",
    "tests/games",
    "tests/rules/test_doudizhu_clauses.py",
    "tests/rules/test_doudizhu_reference.py",
    "tests/rules/test_guandan_moves.py",
    "tests/rules/test_guandan_round.py",
    "tests/rules/test_holdem.py",
    "tests/rules/test_holdem_reference.py",
    "tests/records/test_jsonl.py",
    "tests/cli/test_line_protocol.py",
)
TOOLS = ("pytest", "hypothesis", "jsonschema", "pokerkit", "eval7")
"""What those tests need beside the wheel."""
VARIANTS = ("", "base")
"""MINGPAI_NATIVE: chosen by the processor, then the portable one."""


def call(*words: "str | Path", **environment: str) -> None:
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    subprocess.run([str(word) for word in words], check=True, env=clean | environment, cwd=tempfile.gettempdir())


def build(python: str, folder: Path) -> Path:
    """The wheel of one Python."""
    call(python, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "-w", folder, ROOT,
         PIP_CONSTRAINT=str(pins.CONSTRAINTS))  # fmt: skip
    (made,) = folder.glob("mingpai-*.whl")
    kept = ROOT / "dist" / made.name
    kept.parent.mkdir(exist_ok=True)
    kept.write_bytes(made.read_bytes())
    return kept


def install(python: str, wheel: Path, folder: Path) -> Path:
    """A new environment with the wheel, its packages and the tools of the tests; its Python."""
    call(python, "-m", "venv", folder)
    inside = folder / "bin" / "python"
    pip = (inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    call(*pip, "--require-hashes", "--no-deps", "-r", pins.FOLDER / "run.txt")
    call(*pip, "-c", pins.CONSTRAINTS, wheel, *TOOLS)
    return inside


def test(inside: Path, folder: Path, variant: str) -> str:
    """Runs the tests against the wheel: the source tree is not on the path. The last line of pytest."""
    for name in ("tests", "experiments"):
        (folder / name).symlink_to(ROOT / name) if not (folder / name).exists() else None
    command = [str(inside), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), *TESTS]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["MINGPAI_NATIVE"] = variant
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    print(done.stdout[-3000:], flush=True)
    return f"exit code {done.returncode}: {(done.stdout.strip().splitlines() or ['nothing'])[-1]}"


def main(asked: list[str]) -> int:
    chosen = {version: python for version, python in pins.pythons().items() if not asked or version in asked}
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    lines = [f"commit {commit}", f"started {datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC"]
    failed = False
    for version, python in chosen.items():
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            wheel = build(python, folder)
            inside = install(python, wheel, folder / "venv")
            for variant in VARIANTS:
                ended = test(inside, folder, variant)
                lines.append(f"Python {version}, {wheel.name}, variant {variant or 'chosen'}: {ended}")
                failed |= not ended.startswith("exit code 0")
                LOG.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
