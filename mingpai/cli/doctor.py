"""`mingpai doctor`: what is installed, built and shipped, and what is missing."""

import importlib.metadata
import platform
import shutil
import sys

import typer

from mingpai import __version__
from mingpai.cli.output import AsJson, print_json, show

EXTRAS = {
    "app": ("nicegui",),
    "store": ("duckdb",),
    "networks": ("onnxruntime",),
    "train": ("torch", "onnx"),
    "scale": ("ray",),
    "envs": ("pettingzoo", "open_spiel"),
    "poker": ("pokerkit",),
    "plots": ("matplotlib",),
}
REQUIRED = ("numpy", "typer", "rich", "safetensors", "websockets")


def doctor(as_json: AsJson = False) -> None:
    """Say what is installed, built and shipped, and what is missing. Exit code 1 if something needed is missing."""
    report = examine()
    if as_json:
        print_json(report)
    else:
        show("Mingpai doctor", ("what", "state", "note"), [(r["what"], r["state"], r["note"]) for r in report])
    if any(row["state"] == "missing" and row["needed"] for row in report):
        raise typer.Exit(1)


def examine() -> list[dict[str, str | bool]]:
    rows = [_row("mingpai", "ok", __version__), _row("python", "ok", platform.python_version()), _native()]
    rows += [_package(name, True, f"{sys.executable} -m pip install {name}") for name in REQUIRED]
    for extra, names in EXTRAS.items():
        rows += [_package(name, False, f"optional: pip install 'mingpai[{extra}]'") for name in names]
    rows += _models()
    browser = next((b for b in ("chromium", "chromium-browser", "google-chrome") if shutil.which(b)), None)
    note = browser or "only for browser tests: apt-get install chromium"
    rows.append(_row("browser", "ok" if browser else "missing", note, needed=False))
    return rows


def _models() -> list[dict[str, str | bool]]:
    """Each shipped model: whole, or what is wrong with it."""
    from mingpai.models.card import CARD, BadModel
    from mingpai.models.loader import FOLDER, Model

    rows = []
    for path in sorted(FOLDER.glob(f"*/{CARD}")):
        try:
            rows.append(_row(f"model {path.parent.name}", "ok", Model(path.parent).card.title))
        except BadModel as error:
            rows.append(_row(f"model {path.parent.name}", "missing", str(error)))
    return rows


def _native() -> dict[str, str | bool]:
    try:
        from mingpai import _native
    except ImportError as error:
        return _row("native core", "missing", f"not built ({error}): run 'make run'")
    return _row("native core", "ok", f"variant {_native.variant}")


def _package(name: str, needed: bool, how: str) -> dict[str, str | bool]:
    """By what pip knows of it: a folder of that name beside the caller is no package."""
    try:
        return _row(name, "ok", importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return _row(name, "missing", how, needed=needed)


def _row(what: str, state: str, note: str, needed: bool = True) -> dict[str, str | bool]:
    return {"what": what, "state": state, "note": note, "needed": needed}
