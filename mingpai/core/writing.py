"""JSON as every reader takes it (numbers that are not finite are null), and what is closed when its block ends."""

import json
import math
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Any, Self


class Closing(ABC):
    """Something open, such as a file or a store: `with` closes it."""

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


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
