"""The native core: picks the variant that this processor runs. `MINGPAI_NATIVE=base|v3` forces one.

`asan` and `tsan` are for `make sanitize`: built by tools/dev_build.py only, never chosen without being named.
"""

import importlib
import os
import sys

import mingpai._native._cpu as _cpu

VARIANTS = ("base", "v3", "asan", "tsan")


def _choose() -> str:
    forced = os.environ.get("MINGPAI_NATIVE", "")
    if forced:
        if forced not in VARIANTS:
            raise ImportError(f"MINGPAI_NATIVE={forced!r}: expected one of {', '.join(VARIANTS)}")
        return forced
    return "v3" if _cpu.supports_v3() else "base"


def _load(name: str) -> str:
    try:
        extension = importlib.import_module(f"mingpai._native._{name}")
    except ModuleNotFoundError:
        if os.environ.get("MINGPAI_NATIVE") or name == "base":
            raise
        return _load("base")  # a wheel may carry the portable variant alone
    for part, module in vars(extension).items():
        if not part.startswith("_"):
            globals()[part] = module
            sys.modules[f"mingpai._native.{part}"] = module
    return name


variant: str = _load(_choose())
"""The variant in use: "base" or "v3"."""
