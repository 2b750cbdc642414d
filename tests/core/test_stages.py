"""Stages and their notes: every note has a JSON form, and no stage's note is lost on the way into the Decision."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.core import decision
from mingpai.core.notes import BySeat, Listed, Note, Stages
from mingpai.core.stages import StagedAgent
from tests.contract.games import views

SCHEMA = json.loads(Path(decision.__file__).with_name("decision.schema.json").read_text())

STAGED = {
    "doudizhu": ("mctshs:iterations=50", "mcm-search:iterations=50,worlds=4", "mingpai:preset=fast", "bidder"),
    "guandan": ("ablgd", "ablgd:worlds=4,depth=2,sure=2"),
    "holdem": ("fold", "fold:preset=paper", "fold:preset=value"),
}


@dataclass(frozen=True)
class Cards(Note):
    count: int
    ranks: Mapping[int, tuple[float, ...]]
    owner: str | None
    special: str | None = None


def test_a_note_writes_its_fields_and_leaves_out_what_tells_nothing() -> None:
    note = Cards(3, {1: (0.5, 2.0)}, None)
    assert note.to_json() == {"count": 3, "ranks": {"1": [0.5, 2.0]}, "owner": None}
    assert dataclasses.replace(note, special="draw").to_json()["special"] == "draw"
    assert Listed((note,)).to_json() == [note.to_json()]
    assert BySeat({2: note}).to_json() == {"2": note.to_json()}
    assert Stages(infer=note).to_json() == {"understand": None, "model": None, "infer": note.to_json(), "decide": None}


@pytest.mark.parametrize(("game", "spec"), [(game, spec) for game, specs in STAGED.items() for spec in specs])
def test_the_methods_go_through_all_four_stages(game: str, spec: str) -> None:
    agent = REGISTRY.agent(game, spec, 2)
    assert isinstance(agent, StagedAgent)
    told = 0
    for view in views(game, 8, seed=7):
        made = agent.decide(view)
        jsonschema.validate(json.loads(made.dumps()), SCHEMA)
        if agent.without_stages(view) is None:
            assert made.belief is not None
            assert all(note is not None for _, note in list(made.stages.items())[:3])
            told += made.stages.decide is not None
    assert told > 0 or spec == "bidder"
