"""`mingpai --help` is the map of the command line."""

import sys

import typer

from mingpai import __version__
from mingpai.cli import (
    agent,
    bench,
    bid,
    botzone,
    browser,
    doctor,
    equity,
    guandan,
    join,
    league,
    match,
    models,
    par,
    play,
    puzzle,
    read,
    records,
    schema,
    solve,
    style,
    tour,
    train,
)
from mingpai.cli.output import say_error
from mingpai.core.errors import BadSetting, MingpaiError

app = typer.Typer(
    name="mingpai",
    help="Mingpai (明牌, cards on the table): play, solve, read and explain Dou Dizhu, Guandan and no-limit hold'em.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def mingpai(version: bool = typer.Option(False, "--version", help="Print the version and leave.")) -> None:
    if version:
        print(f"mingpai {__version__}")
        raise typer.Exit


app.command("tour", rich_help_panel="Start here")(tour.tour)
app.command("doctor", rich_help_panel="Start here")(doctor.doctor)
app.command("agents", rich_help_panel="Start here")(agent.agents)
app.command("app", rich_help_panel="Start here")(browser.app)
app.command("play", rich_help_panel="Play")(play.play)
app.command("solve", rich_help_panel="Play")(solve.solve)
app.add_typer(puzzle.app, name="puzzle", rich_help_panel="Play")
app.add_typer(par.app, name="par", rich_help_panel="Play")
app.command("equity", rich_help_panel="Play")(equity.equity)
app.command("read", rich_help_panel="Play")(read.read)
app.command("bid", rich_help_panel="Play")(bid.bid)
app.command("style", rich_help_panel="Measure")(style.style)
app.command("explain", rich_help_panel="Play")(guandan.explain)
app.command("agent", rich_help_panel="For programs")(agent.agent)
app.command("decide", rich_help_panel="For programs")(agent.decide)
app.command("schema", rich_help_panel="For programs")(schema.schema)
app.command("botzone", rich_help_panel="For programs")(botzone.botzone)
app.add_typer(join.app, name="join", rich_help_panel="For programs")
app.add_typer(join.host_app, name="host", rich_help_panel="For programs")
app.command("match", rich_help_panel="Measure")(match.match)
app.command("eval", rich_help_panel="Measure")(guandan.evaluate)
app.command("league", rich_help_panel="Measure")(league.league)
app.command("signature", rich_help_panel="Measure")(league.signature_)
app.command("models", rich_help_panel="Measure")(models.models)
app.add_typer(records.app, name="records", rich_help_panel="Measure")
app.command("bench", rich_help_panel="Measure")(bench.bench)
app.command("train", cls=train.TrainCommand, rich_help_panel="Measure")(train.train_method)


def run() -> None:
    """Run the command line; a user's mistake is one clear message and exit code 2."""
    try:
        app(standalone_mode=True)
    except MingpaiError as error:
        say_error(error)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.errno is None:
            raise
        name = "" if error.filename is None else str(error.filename)
        say_error(BadSetting("file", name, f"a file that can be used: {error.strerror}"))
        sys.exit(2)
