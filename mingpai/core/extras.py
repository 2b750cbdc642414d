"""Packages that only some parts need: imported when asked for, and named with their extra where they are missing."""

import importlib
from typing import Any

from mingpai.core.errors import NotInstalled

EXTRAS = {
    "duckdb": ("DuckDB", "store"),
    "matplotlib": ("matplotlib", "plots"),
    "nicegui": ("NiceGUI, which the app is made with,", "app"),
    "onnxruntime": ("onnxruntime, which this network runs on,", "networks"),
    "pokerkit": ("PokerKit", "poker"),
    "ray": ("Ray", "scale"),
    "torch": ("torch", "train"),
}
"""Module -> what people call it, and the extra that installs it."""


def optional(module: str) -> Any:
    """The module. Raises NotInstalled with the command that installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        name, extra = EXTRAS[module]
        raise NotInstalled(name, f"pip install 'mingpai[{extra}]'") from None
