"""The upload of a Botzone program: one zip with `__main__.py`, our modules that the agent needs, and the native core.

The zip runs where the Python version and the kind of machine are those it was built with, and numpy is there.
`__main__.py` itself keeps to old grammar, so that another Python says what is missing instead of failing to read it.
"""

import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

import mingpai
from mingpai.core.errors import MingpaiError
from mingpai.models.loader import loaded

LIMIT = 4 * 1024 * 1024
"""Bytes that Botzone takes."""

PACKAGE = Path(mingpai.__file__).resolve().parent
DATA = ("core/reasons.toml", "agents/doudizhu_weights.json")
"""Files beside the modules that agents read."""

MAIN = """import os
import sys
import tempfile
import zipfile

NEEDED = {version!r}


def main():
    if sys.version_info[:2] != NEEDED:
        sys.exit("this program needs Python %d.%d" % NEEDED)
    folder = tempfile.mkdtemp()
    with zipfile.ZipFile(os.path.dirname(os.path.abspath(__file__)) or sys.argv[0]) as archive:
        archive.extractall(folder)
    sys.path.insert(0, folder)
    import importlib

    from mingpai.agents.catalogue import REGISTRY

    adapter = importlib.import_module({adapter!r})
    adapter.serve(REGISTRY.agent({game!r}, {agent!r}, {seed!r}), sys.stdin, sys.stdout)


main()
"""
"""The program at Botzone."""


def build(target: Path, *, adapter: str, game: str, agent: str, seed: int) -> int:
    """Write the zip and return its size in bytes. Raises MingpaiError, and leaves nothing, if Botzone would refuse it.

    The modules and models needed are those that are loaded: make the agent and let it decide before.
    """
    version = tuple(sys.version_info[:2])
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr(
            "__main__.py", MAIN.format(version=version, adapter=adapter, game=game, agent=agent, seed=seed)
        )
        inside = dict(_modules()) | {Path("mingpai") / name: PACKAGE / name for name in DATA}
        for folder in loaded():
            inside |= {Path("mingpai", "models", folder.name, file.name): file for file in folder.iterdir()}
        for place, path in sorted(inside.items()):
            archive.write(path, place)
    size = target.stat().st_size
    if size > LIMIT:
        target.unlink()
        hint = "; an agent without a network is smaller: mingpai:model=none" if loaded() else ""
        raise MingpaiError(f"the zip has {size:,} bytes; Botzone takes {LIMIT:,}{hint}")
    return size


def _modules() -> Iterable[tuple[Path, Path]]:
    """Every part of the package that is loaded: its place in the zip and its file, which may lie elsewhere."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file is not None and (name == "mingpai" or name.startswith("mingpai.")):
            path, parts = Path(file).resolve(), name.split(".")
            yield Path(*(parts if path.stem == "__init__" else parts[:-1]), path.name), path
