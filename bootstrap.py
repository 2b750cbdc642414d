"""Set up and run: `python bootstrap.py run|test|verify|wheel|docs`. Standard library only; works on a fresh machine.

run     make the virtual environment, build, install, start the app on a local address
test    the same with everything the test suite needs, then the tests and checks
verify  the full counts; the log goes to verify/
wheel   a wheel in dist/ that installs without a compiler
docs    the site in site/, English and Chinese
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = Path(os.environ.get("MINGPAI_VENV", ROOT / ".venv"))
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
CONSTRAINTS = ROOT / "constraints.txt"
REQUIREMENTS = ROOT / "requirements"
ALL_VARIANTS = "base;v3"
ASSERTING = "base"
"""The variant that keeps its assertions where tests run. People play with the other one, which loses no time."""
NATIVE_TESTS = ("tests/native", "tests/rules", "tests/games", "tests/contract", "tests/methods/endgame")
"""What runs on that variant too."""
EXTRAS = {"run": "app", "docs": "docs", "test": "test"}
"""The extra of the project that each kind of installation takes."""
BUILD_INPUTS = ("pyproject.toml", "CMakeLists.txt", "constraints.txt", "requirements/*.txt", "native/**/*")


def main(arguments: list[str]) -> int:
    jobs = {"run": run, "test": test, "verify": verify, "wheel": wheel, "docs": docs}
    if not arguments or arguments[0] not in jobs:
        print(__doc__)
        return 2
    if sys.version_info < (3, 11):  # noqa: UP036 (this file must run on an older Python to say so)
        print(f"Mingpai needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
        print("Install a newer Python and run: python3.11 bootstrap.py " + arguments[0])
        return 2
    if not has_compiler():
        print("Mingpai needs a C++20 compiler and found none (looked for $CXX, c++, g++, clang++, cl).")
        print("Install one: 'apt-get install g++' on Debian, 'xcode-select --install' on macOS.")
        return 2
    try:
        return jobs[arguments[0]](arguments[1:])
    except subprocess.CalledProcessError as error:
        print(f"bootstrap: this command failed with exit code {error.returncode}: {' '.join(map(str, error.cmd))}")
        return 1


def run(arguments: list[str]) -> int:
    install("run", own_variant())
    return subprocess.run([PYTHON, "-m", "mingpai", *(arguments or ["app"])]).returncode


def test(arguments: list[str]) -> int:
    install("test")
    find_browser()
    environment = os.environ | {"MINGPAI_TESTS": os.environ.get("MINGPAI_TESTS", "ci")}
    command = [PYTHON, "-m", "pytest", "-n", str(min(4, os.cpu_count() or 1))]
    code = subprocess.run([*command, *arguments], cwd=ROOT, env=environment).returncode
    if code or arguments:
        return code
    print(f"Again on the variant {ASSERTING}, with its assertions:", flush=True)
    environment |= {"MINGPAI_NATIVE": ASSERTING, "MINGPAI_TESTS": "fast"}
    return subprocess.run([*command, *NATIVE_TESTS], cwd=ROOT, env=environment).returncode


def verify(arguments: list[str]) -> int:
    install("test")
    return subprocess.run([PYTHON, str(ROOT / "tools" / "verify.py"), *arguments], cwd=ROOT).returncode


def wheel(arguments: list[str]) -> int:
    make_venv()
    pip("wheel", "--no-deps", *build_options(ALL_VARIANTS), "-w", ROOT / "dist", *arguments, ROOT)
    return 0


def docs(arguments: list[str]) -> int:
    install("docs", own_variant())
    for config in ("mkdocs.yml", "mkdocs.zh.yml"):
        command = [PYTHON, "-m", "mkdocs", "build", "--quiet", "--strict", "-f", config, *arguments]
        subprocess.run(command, cwd=ROOT, check=True, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
    print("The site: " + (ROOT / "site" / "index.html").as_uri())
    return 0


def has_compiler() -> bool:
    return any(shutil.which(name) for name in (os.environ.get("CXX", ""), "c++", "g++", "clang++", "cl") if name)


def make_venv() -> None:
    if not PYTHON.exists():
        print(f"Making a virtual environment in {VENV.name} ...", flush=True)
        venv.create(VENV, with_pip=True)


def build_options(variants: str, asserting: str = "") -> list[str]:
    return ["-C", f"cmake.define.MINGPAI_VARIANTS={variants}", "-C", f"cmake.define.MINGPAI_ASSERTIONS={asserting}"]


def own_variant() -> str:
    """The variant of the native core that this processor runs: to play here, the other one need not be built."""
    flags = Path("/proc/cpuinfo")
    able = set(flags.read_text().split()) if flags.is_file() else set()
    return "v3" if {"avx2", "bmi1", "bmi2", "fma", "popcnt"} <= able else "base"


def install(kind: str, variants: str = ALL_VARIANTS) -> None:
    """Build and install, unless nothing that matters has changed since the last time."""
    make_venv()
    stamps = [VENV / "installed-test.txt", VENV / f"installed-{kind}.txt"]
    now = fingerprint()
    if any(stamp.exists() and stamp.read_text() == now for stamp in stamps):
        return
    print("Building the native core and installing: one to three minutes the first time ...", flush=True)
    for stamp in stamps:
        stamp.unlink(missing_ok=True)
    checked = install_checked("build", kind)
    target, options = f"{ROOT}[{EXTRAS[kind]}]", build_options(variants, ASSERTING if kind == "test" else "")
    pip("install", *(["--no-build-isolation"] if checked else []), *options, "-e", target)
    stamps[-1].write_text(now)


def pip(*words: "str | Path") -> None:
    """Every version is pinned, also of what the build pulls in (pip reads that from the environment)."""
    subprocess.run([PYTHON, "-m", "pip", words[0], "--quiet", "--disable-pip-version-check", *words[1:]], check=True,
                   env=os.environ | {"PIP_CONSTRAINT": str(CONSTRAINTS)})  # fmt: skip


def install_checked(*kinds: str) -> bool:
    """Other people's packages, each file compared with its hash, where there are hashes for this machine and Python.

    What is left for pip to find afterwards is torch, whose files differ from index to index, and on other machines
    everything: then the versions alone are held. Whether there were hashes.
    """
    files = [REQUIREMENTS / f"{kind}.txt" for kind in kinds]
    if not all(has_hashes(file.read_text().partition("\n")[0]) for file in files):
        print("No hashes for this machine and Python: the versions of constraints.txt are installed unchecked.")
        return False
    for file in files:
        pip("install", "--require-hashes", "--no-deps", "-r", file)
    return True


def has_hashes(head: str) -> bool:
    """Whether the first line of a file of requirements names this machine and this Python."""
    pythons = [word.strip(",") for word in head.partition(" on ")[0].split()]
    here = subprocess.run([PYTHON, "-c", "import sys; print('{}.{}'.format(*sys.version_info))"], capture_output=True,
                          text=True, check=True).stdout.strip()  # fmt: skip
    return here in pythons and head.endswith(f" on {sys.platform} {platform.machine().lower()}.")


def fingerprint() -> str:
    digest = hashlib.sha256(str(ROOT).encode())
    for pattern in BUILD_INPUTS:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file():
                digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def find_browser() -> None:
    """Chromium for the browser tests: found, or installed by apt when we may; else those tests say what to do."""
    if any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        return
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing chromium for the browser tests ...", flush=True)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update"], **quiet)
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "chromium", "fonts-noto-cjk"], **quiet)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
