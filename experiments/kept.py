"""Results that an experiment keeps in a JSON file as it goes, so that a run can stop and go on."""

import json
from pathlib import Path
from typing import Any


class Kept:
    """Parts by name, a line each."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> dict[str, Any]:
        return json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {}

    def save(self, name: str, value: dict[str, Any]) -> None:
        data = self.load() | {name: value}
        self.path.parent.mkdir(exist_ok=True)
        lines = [f" {json.dumps(key)}: {json.dumps(data[key], sort_keys=True)}" for key in sorted(data)]
        self.path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
