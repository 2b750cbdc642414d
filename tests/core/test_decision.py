import json
from pathlib import Path

import jsonschema
import pytest

from mingpai.core import decision
from mingpai.core.decision import Candidate, Decision
from mingpai.core.reasons import Reason

SCHEMA = json.loads(Path(decision.__file__).with_name("decision.schema.json").read_text())


def test_a_decision_fits_the_committed_schema() -> None:
    candidates = [Candidate("33", 0.5, 0.25, 7)]
    made = Decision("33", candidates, reasons=[Reason("only_move")], work={"nodes": 3}, agent="x", seed=1)
    jsonschema.validate(json.loads(made.dumps()), SCHEMA)


def test_infinite_values_become_null() -> None:
    assert Candidate("33", float("inf")).to_json()["value"] is None


def test_the_schema_refuses_what_it_does_not_know() -> None:
    broken = json.loads(Decision("33").dumps()) | {"extra": 1}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, SCHEMA)
