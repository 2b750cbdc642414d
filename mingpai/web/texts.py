"""The words of the app in English and Chinese, from one file (`texts.toml`)."""

import functools
from collections.abc import Mapping
from pathlib import Path

from mingpai.core.reasons import Language, wordings


@functools.cache
def texts() -> Mapping[str, Mapping[str, str]]:
    """Every text with its wording in each language."""
    return wordings(Path(__file__).with_name("texts.toml"))


def text(key: str, language: Language, **args: object) -> str:
    """The wording of a text, its {names} filled in."""
    return texts()[key][language].format(**args)


def profile(name: str, language: Language) -> str:
    """A profile of rules as people call it; most are names of programs and sites."""
    return text(f"rules_{name}", language) if f"rules_{name}" in texts() else name


def signed(points: float) -> str:
    """Points won or lost: +2, -350, or 0."""
    return f"{points:+.10g}" if points else "0"
