"""Run the native-heavy tests under sanitizers: `python tools/sanitize.py [asan|tsan ...] [-- pytest arguments]`.

asan watches memory and undefined behaviour (AddressSanitizer, UndefinedBehaviorSanitizer), tsan threads
(ThreadSanitizer). Each is a variant of the extension, built beside the others (tools/dev_build.py); Python itself and
other people's libraries are not instrumented. The log, with the commit, goes to verify/sanitize-NAME.txt.
"""

import datetime
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = {
    "asan": ("tests/native", "tests/games", "tests/rules", "tests/methods/endgame", "tests/methods/handsplit",
             "tests/methods/abduction", "tests/methods/handreading", "tests/fuzz"),
    "tsan": ("tests/methods/endgame/test_solver.py", "tests/methods/endgame/test_proof.py",
             "tests/methods/endgame/test_strategy.py", "tests/games/holdem/test_equity.py",
             "tests/games/doudizhu/test_batch.py", "tests/methods/bidding/test_population.py"),
}  # fmt: skip
"""What each runs: everything that works in native code; for threads, what starts some."""
LIBRARIES = {"asan": ("libasan.so", "libubsan.so", "libstdc++.so"), "tsan": ("libtsan.so", "libstdc++.so")}
OPTIONS = {
    # Leaks are not looked for: Python keeps what it has until its end.
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": f"halt_on_error=1:suppressions={ROOT / 'tools' / 'tsan.supp'}",
}


def library(name: str) -> str:
    """Where the compiler keeps a library."""
    compiler = os.environ.get("CXX", "c++")
    return subprocess.run(
        [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def run(name: str, arguments: list[str]) -> int:
    built = subprocess.run([sys.executable, "tools/dev_build.py", "--sanitize", name], cwd=ROOT)
    if built.returncode != 0:
        return built.returncode
    loaded = ":".join(library(one) for one in LIBRARIES[name])
    environment = os.environ | OPTIONS | {"LD_PRELOAD": loaded, "MINGPAI_NATIVE": name}
    command = [sys.executable, "-X", "faulthandler", "-m", "pytest", "-v", "-p", "no:cacheprovider", *arguments]
    start = datetime.datetime.now(datetime.UTC)
    changed = " with uncommitted changes" if git("status", "--porcelain", "--untracked-files=no") else ""
    log = ROOT / "verify" / f"sanitize-{name}.txt"
    with log.open("w") as file:
        file.write(f"commit {git('rev-parse', 'HEAD')}{changed}\nstarted {start:%Y-%m-%d %H:%M} UTC\n")
        file.write(f"command: python tools/sanitize.py {name} -- {' '.join(arguments)}\n\n")
        file.flush()
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace")  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            file.write(line.replace(f"{ROOT}/", ""))
        code = process.wait()
        file.write(f"\nexit code {code} after {datetime.datetime.now(datetime.UTC) - start}\n")
    return code


def main(words: list[str]) -> int:
    place = words.index("--") if "--" in words else len(words)
    names, arguments = words[:place] or list(TESTS), words[place + 1 :]
    if set(names) - set(TESTS):
        print(__doc__)
        return 2
    return max(run(name, arguments or list(TESTS[name])) for name in names)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
