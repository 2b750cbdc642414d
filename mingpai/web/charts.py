"""What charts have in common: axes that can be read on light and on dark ground."""

from typing import Any

GREY = "#8a9196"
GREEN, RED, BLUE = "#2e8b57", "#c2452d", "#3c6e91"


def axis(name: str = "", **more: Any) -> dict[str, Any]:
    """An axis of numbers."""
    line = {"lineStyle": {"color": "rgba(128, 128, 128, 0.25)"}}
    own = {
        "type": "value",
        "name": name,
        "splitLine": line,
        "axisLabel": {"color": GREY},
        "nameTextStyle": {"color": GREY},
    }
    return own | more


def chart(series: list[dict[str, Any]], across: dict[str, Any], up: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The options of a chart without animation."""
    grid = {"left": 46, "right": 18, "top": 40, "bottom": 30}
    return {"animation": False, "xAxis": across, "yAxis": up, "grid": grid, "series": series} | more
