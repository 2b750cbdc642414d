"""Write the stubs of the native core (`python tools/stubs.py`), or compare them with the build (`--check`)."""

import argparse
import difflib
import sys
from pathlib import Path
from types import ModuleType

from nanobind.stubgen import StubGen

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from mingpai import _native  # noqa: E402


def parts() -> dict[str, ModuleType]:
    return {name: module for name, module in sorted(vars(_native).items())
            if isinstance(module, ModuleType) and sys.modules.get(f"mingpai._native.{name}") is module
            and not name.startswith("_")}  # fmt: skip


def stub_of(module: ModuleType) -> str:
    generator = StubGen(module, quiet=True)
    generator.put(module)
    text = generator.get()
    for variant in _native.VARIANTS:
        text = text.replace(f"mingpai._native._{variant}.", "mingpai._native.")
    return "# Written by tools/stubs.py from the build. Do not edit.\n" + text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where a committed stub differs from the build")
    options = parser.parse_args()
    stale = 0
    for name, module in parts().items():
        path = ROOT / "mingpai" / "_native" / f"{name}.pyi"
        wanted = stub_of(module)
        have = path.read_text() if path.exists() else ""
        if wanted == have:
            continue
        if options.check:
            stale += 1
            lines = difflib.unified_diff(have.splitlines(True), wanted.splitlines(True), str(path), "build")
            sys.stdout.writelines(lines)
        else:
            path.write_text(wanted)
            print(f"wrote {path.relative_to(ROOT)}")
    if stale:
        print(f"{stale} stale stub(s): run python tools/stubs.py")
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
