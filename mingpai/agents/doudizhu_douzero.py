"""A user's own DouZero checkpoints as an agent: `douzero:path=DIR`. DouZero's own code makes the features."""

import importlib.util
import time
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from mingpai.agents.doudizhu_bidding import bid_by_strength
from mingpai.agents.doudizhu_situation import doudizhu_view, role_of, seat_of
from mingpai.core.agent import Agent
from mingpai.core.decision import Candidate, Decision
from mingpai.core.errors import BadSetting, NotInstalled
from mingpai.core.extras import optional
from mingpai.core.game import View
from mingpai.core.settings import setting
from mingpai.games.doudizhu.moves import Bid, Move
from mingpai.games.doudizhu.notation import to_douzero
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.models.loader import session_of

POSITIONS = ("landlord", "landlord_down", "landlord_up")
"""DouZero's names of the roles 0, 1, 2; also the names of the files."""


@dataclass(frozen=True)
class DouZeroSettings:
    """Where the checkpoints are."""

    path: str = setting(
        "",
        "Folder with landlord, landlord_down and landlord_up, each as .onnx (inputs z and x) or as DouZero's .ckpt.",
        kind="path",
    )


class DouZeroAgent(Agent[DouZeroSettings]):
    """Plays the move of greatest value. Checkpoints run on onnxruntime if they are ONNX, else on torch."""

    Settings = DouZeroSettings

    def __init__(self, settings: DouZeroSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        try:
            from douzero.env.env import get_obs
        except ImportError:
            raise NotInstalled("douzero", "pip install douzero") from None
        self._features = get_obs
        self._networks = [_network(Path(settings.path), position) for position in POSITIONS]

    def decide(self, view: View) -> Decision:
        table = doudizhu_view(view)
        if table.landlord is None:
            return bid_by_strength(table, self.spec)
        start = time.perf_counter()
        moves = table.native_moves().to_list()
        values = self._values(table, moves)
        order = sorted(range(len(moves)), key=lambda i: -values[i])
        return Decision(
            move=moves[order[0]],
            candidates=[Candidate(moves[i], value=float(values[i])) for i in order],
            value_unit="points",
            work={"evaluations": len(moves)},
            seconds=time.perf_counter() - start,
            agent=self.spec,
        )

    def _values(self, view: DoudizhuView, moves: list[Move]) -> np.ndarray:
        features = self._features(info_set(view, moves))
        z, x = (np.asarray(features[name], np.float32) for name in ("z_batch", "x_batch"))
        return np.asarray(self._networks[role_of(view, view.seat)](z, x), np.float64).reshape(-1)


def info_set(view: DoudizhuView, moves: list[Move]) -> SimpleNamespace:
    """What DouZero's features are made from."""
    played = [(role_of(view, step.seat), step.action) for step in view.steps if not isinstance(step.action, Bid)]
    cards = [to_douzero(move.cards) for _, move in played]
    none: dict[str, list[int]] = {name: [] for name in POSITIONS}
    last_moves = none | {POSITIONS[role]: to_douzero(move.cards) for role, move in played}
    by_role = [seat_of(view, role) for role in range(len(POSITIONS))]
    return SimpleNamespace(
        player_position=POSITIONS[role_of(view, view.seat)],
        player_hand_cards=to_douzero(view.hand),
        num_cards_left_dict={name: view.counts[seat] for name, seat in zip(POSITIONS, by_role, strict=True)},
        three_landlord_cards=to_douzero(view.native.bottom),
        card_play_action_seq=cards,
        other_hand_cards=to_douzero(view.native.unseen(view.deck) + view.native.known_of_landlord()),
        legal_actions=[to_douzero(move.cards) for move in moves],
        last_move=next((move for move in reversed(cards[-2:]) if move), []),
        last_two_moves=[[], [], *cards][:-3:-1],
        last_move_dict=last_moves,
        played_cards={
            name: to_douzero(view.native.played[seat]) for name, seat in zip(POSITIONS, by_role, strict=True)
        },
        bomb_num=view.native.status.bombs,
    )


def new_model(position: str) -> Any:
    """An untrained network of DouZero. Its file is loaded alone: the package around it needs more than is installed."""
    import douzero

    path = Path(douzero.__path__[0]) / "dmc" / "models.py"
    spec = importlib.util.spec_from_file_location("douzero_models", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.model_dict[position]()


def _network(folder: Path, position: str) -> Any:
    onnx, checkpoint = folder / f"{position}.onnx", folder / f"{position}.ckpt"
    if onnx.exists():
        session = session_of(onnx)
        return lambda z, x: session.run(None, {"z": z, "x": x})[0]
    if not checkpoint.exists():
        raise BadSetting("douzero path", str(folder), f"a folder with {onnx.name} or {checkpoint.name}")
    torch, model = optional("torch"), new_model(position)
    model.load_state_dict(torch.load(checkpoint, map_location="cpu", weights_only=True))
    model.eval()

    def values(z: np.ndarray, x: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            answer = model(torch.from_numpy(z), torch.from_numpy(x), return_value=True)["values"]
        return np.asarray(answer.numpy())

    return values
