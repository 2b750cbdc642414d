"""Table 7 from the shipped network on: with ABLN, without it, and without all that says something of other hands.

    python experiments/abduction_removed.py --run runs/removed --ship models
    python experiments/abduction_tables.py table7 --model models/with/guandan-ablgd \\
        --without models/without/guandan-ablgd --matches 4000 --seed 4747

All start with the shipped weights and learn from as many decisions with the same seed and settings. `without` has
neither ABLN nor options that count cards; `counting` has no ABLN, but its options count cards. The weights that read
what is removed are cut off, so these two begin weaker and have to make good what they lost. Run the command again to
go on after an interruption. Prints what it will cost.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from script import as_script
from torch import Tensor, nn

from mingpai.methods.abduction.runtime import JUDGE, SHIPPED
from mingpai.methods.abduction.train import MAY_CHANGE, METHOD, TRAINING, AblLearner, Settings
from mingpai.models.card import RUN, WEIGHTS
from mingpai.models.loader import folder_of
from mingpai.training.loop import train
from mingpai.training.run import TrainingRun

CPU_MINUTES = 13
GOES_ON = Settings(
    decisions=800_000, pretrain=0, imitate=0, seed=31, tables=256, every=8192, buffer=16384, batch=1024, rate=3e-4,
    last_rate=5e-6, abln_rate=1e-4, gamma=1.0, lam=0.9, entropy=0.002, abln_weight=0.3, critic="open",
    critic_rate=2e-4, ahead=1.0, bots=0.7, average=0.98,
)  # fmt: skip
ARMS = {
    "without": replace(GOES_ON, abln=False, blind=True),
    "counting": replace(GOES_ON, abln=False),
    "with": GOES_ON,
}


def shipped_config() -> str:
    """The sizes of the network that all arms start from."""
    about = json.loads((folder_of(SHIPPED) / RUN).read_text(encoding="utf-8"))
    return str(about["settings"]["config"])


def cut(net: nn.Module, state: dict[str, Tensor]) -> None:
    """Takes over the weights of a network that reads more: what it reads more comes last in each layer."""
    with torch.no_grad():
        for name, mine in net.named_parameters():
            mine.copy_(state[name][tuple(slice(length) for length in mine.shape)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--ship", type=Path, required=True, help="where the folders of the three are made")
    parser.add_argument("--decisions", type=int, default=GOES_ON.decisions)
    options = parser.parse_args()
    print(f"about {CPU_MINUTES * options.decisions / GOES_ON.decisions:.1f} processor minutes on one core")
    config: Any = shipped_config()
    network, judge = (load_file(folder_of(name) / WEIGHTS) for name in (SHIPPED, JUDGE))
    for name, arm in ARMS.items():
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
