"""JSON as every reader takes it: numbers that are not finite, such as the end of an open interval, are null."""

import json
import math
from typing import Any


def json_text(data: object, **options: Any) -> str:
    """One line of JSON; `options` are those of json.dumps."""
    try:
        return json.dumps(data, ensure_ascii=False, allow_nan=False, **options)
    except ValueError:
        return json.dumps(finite(data), ensure_ascii=False, allow_nan=False, **options)


def finite(data: Any) -> Any:
    """The data with None in place of every number that is not finite."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {name: finite(value) for name, value in data.items()}
    return [finite(value) for value in data] if isinstance(data, list | tuple) else data
