"""Table 7 from the shipped network on: with ABLN, without it, and without all that says something of other hands.

    python experiments/abduction_removed.py --run runs/removed --ship models
    python experiments/abduction_tables.py table7 --model models/with/guandan-ablgd \\
        --without models/without/guandan-ablgd --matches 4000 --seed 4747
    python experiments/abduction_removed.py --config paper --run runs/removed-paper --ship models  # the paper's network

All start with the shipped weights and learn from as many decisions with the same seed and settings. `without` has
neither ABLN nor options that count cards; `counting` has no ABLN, but its options count cards. The weights that read
what is removed are cut off, so these two begin weaker and have to make good what they lost. The paper's network, which
has no options and learns as it did before, has no arm that counts. Run the command again to go on after an
interruption. Prints what it will cost.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from script import as_script
from torch import Tensor, nn

from mingpai.methods.abduction.runtime import JUDGE, PAPER_MODEL, SHIPPED
from mingpai.methods.abduction.train import MAY_CHANGE, METHOD, TRAINING, AblLearner, Settings
from mingpai.models.card import RUN
from mingpai.models.loader import Model, folder_of
from mingpai.training.loop import train
from mingpai.training.run import TrainingRun

CPU_MINUTES = {"shipped": 13, "paper": 90}
"""Of all arms with 800,000 decisions each."""
GOES_ON = Settings(
    decisions=800_000, pretrain=0, imitate=0, seed=31, tables=256, every=8192, buffer=16384, batch=1024, rate=3e-4,
    last_rate=5e-6, abln_rate=1e-4, gamma=1.0, lam=0.9, entropy=0.002, abln_weight=0.3, critic="open",
    critic_rate=2e-4, ahead=1.0, bots=0.7, average=0.98,
)  # fmt: skip
PAPER_GOES_ON = Settings(
    decisions=800_000, config="paper", pretrain=0, imitate=0, seed=31, tables=256, every=8192, buffer=16384, batch=1024,
    rate=5e-5, last_rate=5e-6, abln_rate=1e-5, abln_weight=5.0, average=0.95,
)  # fmt: skip
ARMS = {
    "shipped": {
        "without": replace(GOES_ON, abln=False, blind=True),
        "counting": replace(GOES_ON, abln=False),
        "with": GOES_ON,
    },
    "paper": {"without": replace(PAPER_GOES_ON, abln=False), "with": PAPER_GOES_ON},
}


def shipped_config() -> str:
    """The sizes of the network that all arms start from."""
    about = json.loads((folder_of(SHIPPED) / RUN).read_text(encoding="utf-8"))
    return str(about["settings"]["config"])


def load_weights(name: str) -> dict[str, Tensor]:
    """Those of a shipped model, also of one shipped as bytes."""
    return {key: torch.from_numpy(value) for key, value in Model(folder_of(name)).weights().items()}


def cut(net: nn.Module, state: dict[str, Tensor]) -> None:
    """Takes over the weights of a network that reads more: what it reads more comes last in each layer."""
    with torch.no_grad():
        for name, mine in net.named_parameters():
            mine.copy_(state[name][tuple(slice(length) for length in mine.shape)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--ship", type=Path, required=True, help="where the folders of the three are made")
    parser.add_argument("--config", choices=tuple(ARMS), default="shipped")
    parser.add_argument("--decisions", type=int, default=GOES_ON.decisions)
    options = parser.parse_args()
    minutes = CPU_MINUTES[options.config] * options.decisions / GOES_ON.decisions
    print(f"about {minutes:.1f} processor minutes on one core", flush=True)
    config: Any = "paper" if options.config == "paper" else shipped_config()
    start = PAPER_MODEL if options.config == "paper" else SHIPPED
    network, judge = (load_weights(name) for name in (start, JUDGE))
    for name, arm in ARMS[options.config].items():
        settings = replace(arm, decisions=options.decisions, config=config)
        path = options.run / name
        run, learner = TrainingRun(path, METHOD, settings, may_change=MAY_CHANGE), AblLearner(settings)
        cut(learner.net, network)
        cut(learner.judge, judge)
        learner.mean.load_state_dict(learner.net.state_dict())
        steps = max(1, round(options.decisions / settings.every))
        if train(run, learner, steps, resume=(path / "run.json").exists(), log_every=1).interrupted:
            raise SystemExit("stopped; the same command goes on")
        print(TRAINING.ship(run, learner.state_dict(), options.ship / name))


if __name__ == "__main__":
    as_script(main)
