"""`mingpai train NAME`: trains a method's network from nothing or from the shipped one; goes on where it stopped."""

import shlex
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from mingpai.cli.output import console, print_json, show_options
from mingpai.core.extras import optional
from mingpai.core.settings import options_of
from mingpai.models.loader import load
from mingpai.training.loop import load_shipped, train
from mingpai.training.method import METHODS, settings_from, training
from mingpai.training.run import TrainingRun

CHECKPOINT_SECONDS = 30.0
"""What a kill can lose."""


class Progress:
    """Tells the step of how many, how much time is left at the pace so far, and the metrics."""

    def __init__(self, steps: int, as_json: bool) -> None:
        self.steps, self.as_json = steps, as_json
        self.began, self.first = time.monotonic(), 0
        self.is_new = True

    def __call__(self, step: int, values: Mapping[str, float]) -> None:
        most = "at most" if self.is_new else "about"
        left = self.seconds_left(step, time.monotonic())
        if self.as_json:
            print_json({"step": step, "steps": self.steps, "seconds_left": round(left), **values})
            return
        told = "  ".join(f"{key} {value:g}" for key, value in values.items())
        console.print(f"{step:>8} of {self.steps}, {most} {spoken(left)} left  {told}", soft_wrap=True)

    def seconds_left(self, step: int, now: float) -> float:
        """At the pace of this sitting; its first step, which may fill a memory, counts only for itself."""
        pace = (now - self.began) / (1 if self.is_new else step - self.first)
        if self.is_new:
            self.began, self.first, self.is_new = now, step, False
        return pace * (self.steps - step)


def spoken(seconds: float) -> str:
    """Seconds, minutes or hours."""
    for size, unit in ((5400, "h"), (90, "min")):
        if seconds >= size:
            return f"{seconds / (3600 if unit == 'h' else 60):.1f} {unit}"
    return f"{seconds:.0f} s"


class TrainCommand(TyperCommand):
    """`mingpai train NAME --help` lists the settings of the method as well."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[__name__] = next((word for word in args if word in METHODS), None)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super().format_help(ctx, formatter)
        if name := ctx.meta[__name__]:
            optional("torch")
            show_options(f"{name} --set KEY=VALUE", options_of(training(name).settings).values())


def train_method(
    name: Annotated[str, typer.Argument(help=f"One of: {', '.join(sorted(METHODS))}.")],
    run: Annotated[Path | None, typer.Option(help="Folder of the run; by default runs/NAME-TIME.")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="A setting of the method: `mingpai train NAME --help` lists them."
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in that folder.")] = False,
    from_shipped: Annotated[
        bool, typer.Option("--from-shipped", help="Start from the shipped model's weights.")
    ] = False,
    engine: Annotated[
        str | None, typer.Option(help="local, or ray where the method can: workers of --set workers=N play.")
    ] = None,
    ship: Annotated[Path | None, typer.Option(help="At the end write a model folder under this root.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Metrics as JSON Lines.")] = False,
) -> None:
    """Train a network. Ctrl-C saves and stops; a kill loses at most half a minute; --resume goes on."""
    optional("torch")
    method = training(name)
    settings = settings_from(method.settings, [*(set_ or []), *([f"engine={engine}"] if engine else [])])
    folder = run or Path("runs") / time.strftime(f"{name}-%Y%m%d-%H%M%S")
    again = ["mingpai", "train", name, "--run", str(folder), "--resume", *settings_again(set_, engine)]
    if not as_json:
        console.print(f"{name}: {method.what.format(settings)}", soft_wrap=True, markup=False, highlight=False)
        console.print(f"A run in {folder}, {'taken up again' if resume else 'from the start'}", soft_wrap=True)
        console.print(f"Ctrl-C saves and stops; go on with: {shlex.join(again)}", soft_wrap=True, markup=False)
    learner = method.learner(settings)
    if from_shipped:
        shipped = method.shipped_for(settings)
        model = load(shipped, game=method.game, features=method.features, older=method.older)
        for network in method.networks(learner):
            load_shipped(network, model, method.adapt)
        for (name_of_teacher, features), teacher in method.teachers(learner).items():
            load_shipped(teacher, load(name_of_teacher, game=method.game, features=features))
    kept = TrainingRun(folder, method.method, settings, may_change=method.may_change)

    if not as_json:
        console.print(f"{method.steps(learner):,} steps in all", soft_wrap=True)
    outcome = train(
        kept, learner, method.steps(learner), resume=resume, log_every=method.log_every,
        checkpoint_seconds=CHECKPOINT_SECONDS, progress=Progress(method.steps(learner), as_json),
    )  # fmt: skip
    if outcome.interrupted:
        console.print(f"stopped at step {outcome.step}; go on with: {shlex.join(again)}", soft_wrap=True, markup=False)
    elif ship is not None:
        console.print(f"model written to {method.ship(kept, learner.state_dict(), ship)}")


def settings_again(sets: Sequence[str] | None, engine: str | None) -> list[str]:
    """The settings of this call as words of the next one: a run goes on with the settings that it was started with."""
    words = [word for one in sets or () for word in ("--set", one)]
    return [*words, "--engine", engine] if engine else words
