"""Large networks shipped small."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from mingpai.models.card import NETWORK, WEIGHTS, Card  # noqa: E402
from mingpai.models.loader import Model  # noqa: E402
from mingpai.training.export import Graph, ship_network  # noqa: E402
from mingpai.training.loop import load_shipped  # noqa: E402
from mingpai.training.run import TrainingRun  # noqa: E402
from tests.training.toy import LineSettings  # noqa: E402


def test_bytes_give_the_rounded_network_and_its_weights(tmp_path: Path) -> None:
    torch.manual_seed(1)
    net = torch.nn.Sequential(torch.nn.Linear(100, 200), torch.nn.ReLU(), torch.nn.Linear(200, 5))
    rows = torch.randn(7, 100)
    before = net(rows).detach()
    run = TrainingRun(tmp_path / "run", "line", LineSettings())
    card = Card("toy-small", "A line", "toy", "line", "1", "made here", "pytest", 1, "none")
    graph = Graph(net, {"rows": rows}, ["value"])
    model = Model(ship_network(graph, net, card, run, {}, tmp_path, small=True))
    given = model.run({"rows": rows.numpy()})["value"]
    np.testing.assert_allclose(given, net(rows).detach().numpy(), atol=1e-4)
    np.testing.assert_allclose(given, before.numpy(), atol=0.05)
    assert np.abs(given - before.numpy()).max() > 0
    assert max((model.folder / name).stat().st_size for name in (NETWORK, WEIGHTS)) < 30_000
    again = torch.nn.Sequential(torch.nn.Linear(100, 200), torch.nn.ReLU(), torch.nn.Linear(200, 5))
    load_shipped(again, model)
    for one, other in zip(net.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, other)
