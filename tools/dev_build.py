"""Build the native core in place, for development: `python tools/dev_build.py [--all] [--debug] [--sanitize NAME]`.

By default only the variant that this processor runs; --all builds both; --debug keeps assertions; --sanitize builds the
variant asan or tsan beside them, which `make sanitize` runs.
"""

import argparse
import platform
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="build every variant")
    parser.add_argument("--debug", action="store_true", help="keep assertions")
    parser.add_argument("--sanitize", choices=("asan", "tsan"), help="build this variant instead")
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args()
    x86 = platform.machine().lower() in {"x86_64", "amd64"}
    variants = "base;v3" if options.all else ("v3" if x86 else "base")
    variants = options.sanitize or variants
    build = ROOT / "build" / (options.sanitize or "dev")
    assertions = variants if options.debug else ""
    configure = [
        "cmake", "-S", str(ROOT), "-B", str(build), "-G", "Ninja", f"-DPython_EXECUTABLE={sys.executable}",
        "-DMINGPAI_IN_PLACE=ON", f"-DMINGPAI_VARIANTS={variants}", f"-DMINGPAI_ASSERTIONS={assertions}",
    ]  # fmt: skip
    if ccache := shutil.which("ccache"):
        configure.append(f"-DCMAKE_CXX_COMPILER_LAUNCHER={ccache}")
    for command in (configure, ["cmake", "--build", str(build), "--parallel", options.jobs]):
        if (code := subprocess.run(command).returncode) != 0:
            return code
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
