"""The upload for Botzone: it plays on its own, and one that is too large is not made."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import MingpaiError
from mingpai.games.doudizhu import GAME
from mingpai.models import loader
from mingpai.protocols import botzone_zip

pytestmark = pytest.mark.usefixtures("no_models_loaded")

ADAPTER = "mingpai.protocols.botzone_doudizhu"
OWN = [2, 6, 10, 13, 17, 21, 25, 29, 33, 37, 41, 45, 46, 51, 14, 18, 22]
REQUEST = {"history": [[], [0]], "publiccard": [50, 52, 53], "own": OWN}


@pytest.fixture
def no_models_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever other tests of this process have loaded."""
    monkeypatch.setattr(botzone_zip, "loaded", list)


def build(folder: Path, agent: str) -> Path:
    __import__(ADAPTER)
    REGISTRY.agent("doudizhu", agent).decide(GAME.deal(0, "standard", {"landlord": 0}).view(0))
    target = folder / "upload.zip"
    botzone_zip.build(target, adapter=ADAPTER, game="doudizhu", agent=agent, seed=0)
    return target


def test_the_zip_answers_on_its_own(tmp_path: Path) -> None:
    target = build(tmp_path, "mingpai:preset=fast,model=none")
    assert target.stat().st_size <= botzone_zip.LIMIT
    lines = json.dumps({"requests": [REQUEST], "responses": []}) + "\n"
    done = subprocess.run(
        [sys.executable, "-P", str(target)], input=lines, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    response = json.loads(done.stdout.splitlines()[0])["response"]
    assert isinstance(response, list)
    assert set(response) <= set(OWN)


def test_the_main_program_keeps_to_old_grammar(tmp_path: Path) -> None:
    import ast

    main = zipfile.ZipFile(build(tmp_path, "rb")).read("__main__.py").decode()
    ast.parse(main, feature_version=(3, 4))


def test_an_agent_with_a_network_is_told_that_it_does_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = REGISTRY.agent("doudizhu", "mcm")
    agent.decide(GAME.deal(0, "standard", {"landlord": 0}).view(0))
    monkeypatch.setattr(botzone_zip, "loaded", loader.loaded)
    with pytest.raises(MingpaiError, match="model=none"):
        botzone_zip.build(tmp_path / "upload.zip", adapter=ADAPTER, game="doudizhu", agent="mcm", seed=0)


def test_a_zip_that_is_too_large_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(botzone_zip, "LIMIT", 1000)
    with pytest.raises(MingpaiError, match="1,000"):
        build(tmp_path, "rb")
    assert not list(tmp_path.iterdir())
