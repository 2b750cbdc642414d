"""DouZero's checkpoints through the adapter: the features are DouZero's own, number by number."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_douzero import POSITIONS, info_set, new_model
from mingpai.core.errors import BadSetting
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.notation import to_douzero

torch = pytest.importorskip("torch")
pytest.importorskip("douzero")


def checkpoints(folder: Path) -> Path:
    torch.manual_seed(1)
    for position in POSITIONS:
        torch.save(new_model(position).state_dict(), folder / f"{position}.ckpt")
    return folder


def test_features_equal_those_of_douzeros_own_game() -> None:
    """DouZero's environment plays the same deal; before every move its features and ours are compared."""
    from douzero.env.env import get_obs
    from douzero.env.game import GameEnv

    chosen: list[list[list[int]]] = []
    seen: list[dict[str, Any]] = []

    class Script:
        def act(self, infoset: Any) -> list[int]:
            seen.append(get_obs(infoset))
            chosen.append([sorted(action) for action in infoset.legal_actions])
            wanted = to_douzero(script.cards)
            return next(action for action in infoset.legal_actions if sorted(action) == wanted)

    rng = np.random.default_rng(5)
    state = GAME.deal(3, "douzero")
    env = GameEnv({position: Script() for position in POSITIONS})
    hands = [to_douzero(state.hand(seat)) for seat in range(3)]
    env.card_play_init(
        {**dict(zip(POSITIONS, hands, strict=True)), "three_landlord_cards": to_douzero(state.native.bottom)}
    )
    for _ in range(40):
        if state.is_over:
            break
        view = state.view(state.to_move or 0)
        moves = view.native_moves().to_list()
        script: Move = moves[int(rng.integers(len(moves)))]
        env.step()
        ours = get_obs(info_set(view, moves))
        order = [[to_douzero(move.cards) for move in moves].index(action) for action in chosen[-1]]
        for name in ("x_batch", "z_batch"):
            np.testing.assert_array_equal(seen[-1][name], np.asarray(ours[name])[order])
        state.play(script)


def test_checkpoints_play_whole_deals(tmp_path: Path) -> None:
    agent = REGISTRY.agent("doudizhu", f"douzero:path={checkpoints(tmp_path)}")
    state = GAME.deal(1, "douzero")
    while (seat := state.to_move) is not None:
        decision = agent.decide(state.view(seat))
        values = [candidate.value for candidate in decision.candidates]
        assert values == sorted(values, key=lambda value: -(value or 0))
        state.play(decision.move)


@pytest.mark.ci
def test_onnx_and_torch_agree(tmp_path: Path) -> None:
    pytest.importorskip("onnx")

    class Values(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self, model: Any) -> None:
            super().__init__()
            self.model = model

        def forward(self, z: Any, x: Any) -> Any:
            return self.model(z, x, return_value=True)["values"]

    checkpoints(tmp_path)
    exported = tmp_path / "onnx"
    exported.mkdir()
    for position in POSITIONS:
        model = new_model(position)
        model.load_state_dict(torch.load(tmp_path / f"{position}.ckpt"))
        width = model.dense1.in_features - model.lstm.hidden_size
        sample = (torch.zeros(2, 5, 162), torch.zeros(2, width))
        torch.onnx.export(
            Values(model.eval()), sample, str(exported / f"{position}.onnx"), input_names=["z", "x"], dynamo=False,
            dynamic_axes={"z": {0: "n"}, "x": {0: "n"}},
        )  # fmt: skip
    view = GAME.deal(2, "douzero").view(0)
    one, two = (REGISTRY.agent("doudizhu", f"douzero:path={path}").decide(view) for path in (tmp_path, exported))
    assert str(one.move) == str(two.move)
    assert [c.value for c in one.candidates] == pytest.approx([c.value for c in two.candidates], abs=1e-4)


def test_a_folder_without_checkpoints_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"landlord\.ckpt"):
        REGISTRY.agent("doudizhu", f"douzero:path={tmp_path}")
