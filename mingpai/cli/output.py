"""What the command line prints: tables for people, JSON for machines, one line for a mistake."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mingpai.core.settings import Option
from mingpai.core.writing import json_text

console = Console(highlight=False)

AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Lang = Annotated[str, typer.Option("--lang", help="en or zh")]


def print_json(data: object) -> None:
    print(json_text(data))


def say_error(error: Exception) -> None:
    """One message on standard error."""
    print(f"mingpai: {error}", file=sys.stderr)


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Table:
    """A table whose numeric-looking columns are aligned right."""
    made = Table(title=title, title_justify="left", header_style="bold")
    for index, column in enumerate(columns):
        numeric = bool(rows) and all(_is_numeric(row[index]) for row in rows)
        made.add_column(column, justify="right" if numeric else "left")
    for row in rows:
        made.add_row(*(escape(str(cell)) for cell in row))
    return made


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    console.print(table(title, columns, rows))


def show_options(title: str, options: Iterable[Option]) -> None:
    """A table of settings: what may be written, what it is without, what it means."""
    rows = [(option.key, option.default, option.expected, option.help) for option in options]
    show(title, ("key", "default", "value", "what"), rows)


def pairs(title: str, values: Mapping[str, Any]) -> None:
    """A two-column table of names and values."""
    show(title, ("what", "value"), [(name, value) for name, value in values.items()])


def _is_numeric(cell: object) -> bool:
    text = str(cell).strip().rstrip("%x").replace(",", "").replace("±", "").replace(" ", "")
    return bool(text) and text[0] in "-+.0123456789" and any(c.isdigit() for c in text)
