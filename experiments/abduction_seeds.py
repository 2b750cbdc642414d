"""Table 7 from nothing, for several seeds: with ABLN and without any estimate of the hidden hands, equal steps.

    python experiments/abduction_seeds.py --run runs/seeds [--seeds 5 6 7] [--config lite|paper] [--decisions N]

Trains both arms of each seed, then plays them against each other (`abduction_tables.py table7 --matches 1000 --seed
4646`), so that the page has a row for each seed and their mean. Run the command again to go on after an interruption;
what is done is not done again. Prints what it will cost. With `--config paper` it is the paper's network, as far as so
many decisions bring it, with the settings that it learns best by; its self-play has neither bots nor an open critic.
"""

import argparse
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from script import as_script

from mingpai.methods.abduction.runtime import PAPER_MODEL, SHIPPED
from mingpai.methods.abduction.train import MAY_CHANGE, METHOD, TRAINING, AblLearner, Settings
from mingpai.training.loop import train
from mingpai.training.run import TrainingRun

NOTHING = Settings(
    config="lite", decisions=650_000, pretrain=65_536, imitate=262_144, blind=True, tables=256, every=8192,
    buffer=16384, batch=1024, rate=3e-4, last_rate=2e-5, abln_rate=3e-4, imitation_batch=512, gamma=1.0, lam=0.9,
    entropy=0.003, critic="open", ahead=1.0, bots=0.5, average=0.95,
)  # fmt: skip
PAPER = Settings(
    config="paper", decisions=200_000, pretrain=16_384, imitate=131_072, tables=256, every=8192, buffer=16384,
    batch=1024, rate=1e-4, last_rate=5e-6, abln_rate=1e-5, abln_weight=5.0, imitation_rate=3e-4, imitation_batch=64,
    imitation_abln=20.0, average=0.95,
)  # fmt: skip
"""As the shipped network of the paper's sizes learned, a twenty-fifth of its length."""
LENGTHS = ("decisions", "pretrain", "imitate")
CONFIGS = {"lite": NOTHING, "paper": PAPER}
ARMS = {"with": True, "without": False}
CPU_MINUTES = {"lite": 4, "paper": 8}
"""Of an arm of full length."""
MODELS = {"lite": SHIPPED, "paper": PAPER_MODEL}
MATCH_SEED = 4646


def settings_of(options: argparse.Namespace, seed: int, abln: bool) -> Settings:
    """Of an arm; fewer decisions shorten every phase alike."""
    whole = CONFIGS[options.config]
    share = (options.decisions or whole.decisions) / whole.decisions
    lengths = {name: round(share * getattr(whole, name)) for name in LENGTHS}
    return replace(whole, **lengths, seed=seed, abln=abln)


def trained(options: argparse.Namespace, seed: int, arm: str) -> Path:
    """The model of an arm, trained if it is not there yet."""
    path: Path = options.run / f"{seed}-{arm}"
    model = path / "shipped" / MODELS[options.config]
    if not model.exists():
        settings = settings_of(options, seed, ARMS[arm])
        run, learner = TrainingRun(path, METHOD, settings, may_change=MAY_CHANGE), AblLearner(settings)
        steps = TRAINING.steps(learner)
        if train(run, learner, steps, resume=(path / "run.json").exists(), log_every=1).interrupted:
            raise SystemExit("stopped; the same command goes on")
        print(f"seed {seed} {arm}: {TRAINING.ship(run, learner.state_dict(), model.parent)}", flush=True)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--seeds", type=int, nargs="+", default=[5, 6, 7])
    parser.add_argument("--config", choices=tuple(CPU_MINUTES), default="lite")
    parser.add_argument("--decisions", type=int, default=0, help="of an arm; 0: 650,000, with --config paper 200,000")
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=600, help="begin no arm after so many minutes")
    options = parser.parse_args()
    share = options.decisions / CONFIGS[options.config].decisions if options.decisions else 1
    each = 2 * CPU_MINUTES[options.config] * share + 2
    print(f"about {each * len(options.seeds):.0f} processor minutes on one core", flush=True)
    deadline = time.monotonic() + 60 * options.minutes
    for seed in options.seeds:
        if time.monotonic() > deadline:
            raise SystemExit("stopped; the same command goes on")
        models = [str(trained(options, seed, arm)) for arm in ARMS]
        tables = [sys.executable, str(Path(__file__).with_name("abduction_tables.py")), "table7"]
        sizes = ["--matches", str(options.matches), "--seed", str(MATCH_SEED)]
        subprocess.run([*tables, "--model", models[0], "--without", models[1], *sizes], check=True)


if __name__ == "__main__":
    as_script(main)
