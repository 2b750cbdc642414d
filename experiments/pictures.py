"""Pictures of results: SVG that is the same for the same numbers."""

from typing import Any


def svg_pyplot(salt: str = "mingpai") -> Any:
    """matplotlib's pyplot, drawing SVG; needs the `plots` extra. `salt` is part of the names inside the file."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = salt
    from matplotlib import pyplot

    return pyplot
