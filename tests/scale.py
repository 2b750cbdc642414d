"""How many samples a cross-check takes: few by default, more in CI, all in `make verify`."""

import os

TIERS = ("fast", "ci", "verify")


def tier() -> str:
    """The tier in force: the environment variable MINGPAI_TESTS, "fast" when unset."""
    name = os.environ.get("MINGPAI_TESTS", "fast")
    if name not in TIERS:
        raise ValueError(f"MINGPAI_TESTS={name!r}: expected one of {', '.join(TIERS)}")
    return name


def count(*, fast: int, ci: int, verify: int) -> int:
    """The number of samples for the tier in force."""
    return {"fast": fast, "ci": ci, "verify": verify}[tier()]
