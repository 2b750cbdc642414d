"""Run the native-heavy tests under sanitizers: `python tools/sanitize.py [asan|tsan ...] [-- pytest arguments]`.

asan watches memory and undefined behaviour (AddressSanitizer, UndefinedBehaviorSanitizer), tsan threads
(ThreadSanitizer). Each is a variant of the extension, built beside the others (tools/dev_build.py); Python itself and
other people's libraries are not instrumented. The log, with the commit, goes to verify/sanitize-NAME.txt; after an
interruption what has passed on this commit is not repeated.
"""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from parts import ROOT, Suite

TESTS = {
    "asan": ("tests/native", "tests/games", "tests/rules", "tests/methods/endgame", "tests/methods/handsplit",
             "tests/methods/abduction", "tests/methods/handreading", "tests/methods/mcm", "tests/methods/flagship",
             "tests/methods/bidding", "tests/fuzz/test_fuzz.py"),
    "tsan": ("tests/methods/bidding/test_population.py::test_a_log_depends_on_the_seed_alone",
             "tests/games/holdem/test_equity.py::test_threads_do_not_change_the_answer",
             "tests/methods/handsplit/test_search.py::"
             "test_fixed_iterations_repeat_exactly_with_any_number_of_threads",
             "tests/methods/flagship/test_playouts.py::test_playouts_are_the_same_with_any_number_of_threads",
             "tests/methods/endgame/test_proof.py::test_the_verdict_of_every_move_is_the_same_with_a_judge",
             "tests/methods/endgame/test_proof.py::test_a_guided_proof_agrees_with_brute_force",
             "tests/methods/endgame/test_solver.py::test_threads_change_neither_verdict_nor_moves",
             "tests/methods/endgame/test_solver.py::test_several_threads_against_brute_force"),
}  # fmt: skip
"""What each runs: everything that works in native code; for threads, what starts some (self-play of bidding, equity,
search, play-outs of worlds, the solver)."""
RAY = (
    "tests/methods/abduction/test_train.py::test_ray_workers_play_and_a_killed_one_is_replaced",
    "tests/methods/mcm/test_ray.py",
)
"""Left out: Ray's own processes do not come up under a sanitizer."""
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


def run(name: str, arguments: list[str]) -> int:
    built = subprocess.run([sys.executable, "tools/dev_build.py", "--sanitize", name], cwd=ROOT)
    if built.returncode != 0:
        return built.returncode
    named = [word for word in arguments if word.startswith("tests/")]
    more = [word for word in arguments if word not in named]
    loaded = ":".join(library(one) for one in LIBRARIES[name])
    environment = OPTIONS | {"LD_PRELOAD": loaded, "MINGPAI_NATIVE": name}
    # -s: what a sanitizer reports before it ends the process would be lost in what pytest keeps back.
    options = ("-v", "-s", "-p", "no:cacheprovider", *(f"--deselect={test}" for test in RAY))
    python = (sys.executable, "-X", "faulthandler")
    suite = Suite(f"sanitize-{name}", f"python tools/sanitize.py {name} --", options, environment, python)
    worst = suite.run(named or TESTS[name], more)
    if not arguments:
        suite.gather(TESTS[name])
    return worst


def main(words: list[str]) -> int:
    place = words.index("--") if "--" in words else len(words)
    names, arguments = words[:place] or list(TESTS), words[place + 1 :]
    if set(names) - set(TESTS):
        print(__doc__)
        return 2
    return max(run(name, arguments) for name in names)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
