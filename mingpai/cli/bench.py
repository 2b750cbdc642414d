"""`mingpai bench NAME`: the speed tables of `benchmarks/`, peers in the same run."""

import importlib
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

import mingpai
from mingpai.cli.output import AsJson, console, print_json, show
from mingpai.core.errors import BadSetting, MingpaiError

FOLDER = Path(mingpai.__file__).resolve().parent.parent / "benchmarks"


def bench(
    name: Annotated[str, typer.Argument(help="rules, endgame, search, equity, ...")],
    as_json: AsJson = False,
    quick: Annotated[bool, typer.Option(help="A tenth of the work: noisy, for a first look.")] = False,
    save: Annotated[bool, typer.Option(help="Write the results to benchmarks/results/NAME.json.")] = False,
) -> None:
    """Measure speed against the best public programs, as ratios, in one run on one core."""
    if not FOLDER.is_dir():
        raise MingpaiError("benchmarks are part of the source tree: run this from a checkout")
    known = sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))
    if name not in known:
        raise BadSetting("benchmark", name, f"one of {', '.join(known)}")
    result = _module(name).run(quick=quick)
    if save:
        import json

        path = FOLDER / "results" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    if as_json:
        print_json(result)
        return
    for part in result["tables"]:
        show(part["title"], part["columns"], part["rows"])
    console.print(result["machine"])


def _module(name: str) -> Any:
    sys.path.insert(0, str(FOLDER.parent))
    return importlib.import_module(f"benchmarks.{name}")
