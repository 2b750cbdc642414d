"""Models: cards, checksums, feature versions, the session, the list."""

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from typer.testing import CliRunner

from mingpai.cli.main import app
from mingpai.core.errors import BadSetting
from mingpai.models.card import CARD, NETWORK, WEIGHTS, BadModel, Card, read_card
from mingpai.models.loader import ENVIRONMENT, cards, load, ship

CARD_OF_TOY = Card(
    name="toy",
    title='Adds one, "exactly" \\ 加一',
    game="little",
    method="none",
    features="7",
    data="none",
    command="pytest",
    seed=1,
    commit="abc",
    strength={"against first": "51% [48, 54], 1000 deals"},
)  # fmt: skip


def network(path: Path, add: float = 1.0) -> Path:
    """y = x + add, written with the onnx package."""
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", 2]) for name in "xy")
    one = helper.make_tensor("one", TensorProto.FLOAT, [1], [add])
    graph = helper.make_graph([helper.make_node("Add", ["x", "one"], ["y"])], "add", [x], [y], [one])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(made, str(path))
    return path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of models with one model in it."""
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "models"))
    (tmp_path / "models").mkdir()
    ship(CARD_OF_TOY, {NETWORK: network(tmp_path / "made.onnx")}, tmp_path / "models")
    return tmp_path / "models"


def test_a_model_runs_and_is_loaded_once(root: Path) -> None:
    model = load("toy", game="little", features=7)
    assert model.run({"x": np.ones((3, 2), np.float32)})["y"].tolist() == [[2, 2]] * 3
    assert load("toy", game="little", features="7") is model
    assert load(str(root / "toy"), game="little", features=7).card == model.card


def test_a_card_survives_its_file(root: Path) -> None:
    card = read_card(root / "toy")
    assert card.title == CARD_OF_TOY.title
    assert card.strength == CARD_OF_TOY.strength
    assert set(card.files) == {NETWORK}


def test_another_feature_layout_or_game_is_refused(root: Path) -> None:
    with pytest.raises(BadModel, match="feature layout '7', this program writes '8'"):
        load("toy", game="little", features=8)
    with pytest.raises(BadModel, match="plays little, not kuhn"):
        load("toy", game="kuhn", features=7)


def test_an_unknown_model_is_a_clear_error(root: Path) -> None:
    with pytest.raises(BadSetting, match="toy"):
        load("nothing", game="little", features=7)
    for name in ("", "..", "../.."):
        with pytest.raises(BadSetting):
            load(name, game="little", features=7)


@pytest.mark.parametrize("harm", ["bytes", "missing", "card", "unlisted", "field"])
def test_a_damaged_model_is_refused(root: Path, tmp_path: Path, harm: str) -> None:
    folder = ship(
        Card(**CARD_OF_TOY.to_json() | {"name": f"hurt-{harm}"}), {NETWORK: network(tmp_path / "n.onnx")}, root
    )
    text = (folder / CARD).read_text()
    if harm == "bytes":
        network(folder / NETWORK, add=2.0)
    elif harm == "missing":
        (folder / NETWORK).unlink()
    elif harm == "card":
        (folder / CARD).write_text("not = toml = at all")
    elif harm == "unlisted":
        (folder / CARD).write_text(text.replace(NETWORK, "other.onnx"))
    else:
        (folder / CARD).write_text(text.replace("seed = 1", 'seed = "one"'))
    with pytest.raises(BadModel):
        load(folder.name, game="little", features=7)


def test_weights_are_only_there_when_shipped(root: Path) -> None:
    with pytest.raises(BadModel, match=WEIGHTS):
        load("toy", game="little", features=7).weights()


def test_shipping_again_replaces_the_whole_folder(root: Path, tmp_path: Path) -> None:
    (root / "toy" / "old.txt").write_text("old")
    ship(CARD_OF_TOY, {NETWORK: network(tmp_path / "n.onnx", 3.0)}, root)
    assert sorted(path.name for path in (root / "toy").iterdir()) == [CARD, NETWORK]
    assert [path.name for path in root.iterdir()] == ["toy"]
    with pytest.raises(BadSetting, match="files"):
        ship(CARD_OF_TOY, {"other.bin": tmp_path / "n.onnx"}, root)


def test_every_shipped_model_is_whole() -> None:
    for card in cards():
        assert load(card.name, game=card.game, features=card.features).outputs


def test_the_command_lists_models_and_shows_a_card(root: Path) -> None:
    runner = CliRunner()
    listed = json.loads(runner.invoke(app, ["models", "--json"]).stdout)
    assert "toy" in [card["name"] for card in listed]
    shown = runner.invoke(app, ["models", "toy"])
    assert shown.exit_code == 0
    assert "51%" in shown.stdout
    assert runner.invoke(app, ["models", "nothing"]).exit_code != 0
