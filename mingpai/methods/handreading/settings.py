"""Options of FOLD."""

from dataclasses import dataclass
from typing import Literal

from mingpai.core.settings import setting
from mingpai.methods.handreading.decide import Policy

Reading = Literal["family", "adaptive", "default", "fitted", "uniform"]


@dataclass(frozen=True)
class FoldSettings:
    """Options of FOLD."""

    reading: Reading = setting(
        "family",
        "How hands are read: by the style learned of a player, his frequencies, DFModel, a fitted model, not at all.",
    )
    policy: Policy = setting(
        "plan",
        "How it decides: by playing the hand out, by the value of each action at once, by the mean of both, or by the "
        "paper's thresholds.",
    )
    deals: int = setting(
        1024, "Hands played out behind a decision against one opponent, at most; fewer against several.",
        (1, 1_000_000), web=4096,
    )  # fmt: skip
    aversion: float = setting(
        0.5, "Aversion to risk when hands are played out in a tournament, by fifty big blinds.", (0, 100), web=100
    )
    least_aversion: float = setting(0.3, "The same where small pots are lost.", (0, 100), web=100)
    most_aversion: float = setting(1.5, "The same where small pots are won steadily.", (0, 100), web=100)
    hands: int = setting(
        600, "Hands after which a tournament ends and places go by chips; 0 where nobody knows.", (0, 1_000_000)
    )  # fmt: skip
    fold_rates: bool = setting(True, "Learn how often each player really folds, by street and size of the bet.")
    samples: int = setting(500, "Deals behind an estimate of equity.", (1, 10_000_000), web=20_000)
    adapt: bool = setting(True, "Learn the habits of opponents in the course of a match.")
    implied_odds: bool = setting(True, "Let draws of eight outs or more call above the price.")
    tournament: bool = setting(True, "Elimination is final: avoid variance.")
    one_action: bool = setting(False, "Read one action of each player and street, the most aggressive (the paper).")
    tremble: bool = setting(True, "DFModel: some actions say nothing of the hand (ours).")
    shifts: bool = setting(True, "DFModel: its axis moves with the street and the price (ours).")
    frequencies: bool = setting(True, "DFModel: actions are weighed by how often they are made (ours).")
    risk: float = setting(1.5, 'Cost of variance in a tournament, for the policy "value".', (0, 100), web=100)
