"""`mingpai models`: the networks that are shipped, with their cards."""

from typing import Annotated

import typer

from mingpai.cli.output import AsJson, console, pairs, print_json, show


def models(
    name: Annotated[str, typer.Argument(help="Show the card of this model; none lists them all.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the models, or show the card of one and check its files."""
    from mingpai.models.loader import Model, cards, folder_of

    if name:
        model = Model(folder_of(name))
        if as_json:
            print_json(model.card.to_json())
            return
        about = {key: value for key, value in model.card.to_json().items() if key not in ("strength", "files")}
        pairs(model.card.title, about)
        if model.card.strength:
            pairs("Measured strength", model.card.strength)
        pairs("Files (SHA-256, checked)", model.card.files)
        return
    shipped = cards()
    if as_json:
        print_json([card.to_json() for card in shipped])
        return
    if not shipped:
        console.print("No model is shipped.")
        return
    rows = [(card.name, card.features, _size(card.name), f"{card.title} ({card.method})") for card in shipped]
    show("Models", ("name", "features", "size", "what (method)"), rows)


def _size(name: str) -> str:
    from mingpai.models.loader import folder_of

    size = sum(path.stat().st_size for path in folder_of(name).iterdir() if path.is_file())
    return f"{size / 1e6:.1f} MB"
