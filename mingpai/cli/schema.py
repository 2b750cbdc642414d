"""`mingpai schema`: the JSON schemas of positions, records and Decisions."""

from typing import Annotated

import typer

from mingpai import api
from mingpai.cli.output import print_json, show


def schema(
    name: Annotated[str, typer.Argument(help="doudizhu, guandan or holdem (positions), record or decision")] = "",
) -> None:
    """Print the JSON schema of a position, a record or a Decision; without a name, list them."""
    if name:
        print_json(api.schema(name))
        return
    rows = [(key, str(api.schema(key)["title"]), str(api.schema(key)["description"])) for key in api.SCHEMAS]
    show("Schemas", ("name", "title", "what"), rows)
