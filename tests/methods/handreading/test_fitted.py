"""What the fitted model sees of a hand and of the story before, and that its networks are averaged."""

from dataclasses import replace

import numpy as np
import pytest

from mingpai.games.holdem.notation import parse_cards
from mingpai.methods.handreading import features
from mingpai.methods.handreading.hands import combo, strength
from mingpai.methods.handreading.made import made_features
from mingpai.methods.handreading.model import FittedModel, Layers, fitted_model
from mingpai.methods.handreading.understand import Act, Line, StreetLine, understand
from mingpai.records.handhistory import Action, HandHistory

NAMES = (
    "overpair", "second pocket", "low pocket", "set", "top pair", "second pair", "low pair", "two pair", "kicker",
    "trips", "one over", "two over", "gutshot", "open-ended", "best draw", "two-card draw", "backdoor", "blocker",
    "best blocker",
)  # fmt: skip

HAND = HandHistory(
    stacks=(1000, 1000, 1000), posts=(50, 100, 0), antes=(0, 0, 0), board="AcTd4h2s", hole=("2c7d", "AhTh", "KsQs"),
    actions=(
        Action(0, 2, "raise", 250), Action(0, 0, "fold"), Action(0, 1, "call"), Action(1, 1, "call"),
        Action(1, 2, "raise", 275), Action(1, 1, "call"), Action(2, 1, "raise", 475), Action(2, 2, "call"),
    ),
    source="1/1",
)  # fmt: skip


@pytest.mark.parametrize(
    ("board", "held", "made"),
    [
        ("9c7d2h", "TsTh", {"overpair"}),
        ("9c7d2h", "8s8h", {"second pocket"}),
        ("9c7d2h", "5s5h", {"low pocket"}),
        ("9c7d2h", "7s7h", {"set"}),
        ("9c7d2h", "AsJh", {"two over"}),
        ("9c7d2h", "9sAh", {"top pair", "kicker", "one over"}),
        ("9c7d2h", "8s6h", {"open-ended"}),
        ("9c7d2h", "Ts5h", {"one over"}),
        ("9c7d2h", "Js8h", {"one over", "gutshot"}),
        ("9c7c2h", "Ac3c", {"one over", "best draw", "two-card draw"}),
        ("9c7c2c", "Ac3h", {"one over", "best draw", "blocker", "best blocker"}),
        ("9c7d2h", "9s7h", {"top pair", "two pair"}),
        ("9c9d2h", "9sKh", {"top pair", "kicker", "trips", "one over"}),
        ("9c7d2hKsQc", "JcTc", set()),
    ],
)
def test_what_a_hand_has_made_of_a_board(board: str, held: str, made: set[str]) -> None:
    row = made_features(tuple(sorted(parse_cards(board))))[combo(*parse_cards(held))]
    assert len(row) == len(NAMES)
    assert {name for name, value in zip(NAMES, row, strict=True) if value} == made


def test_the_line_before_an_action() -> None:
    opened, _, _, checked, bet, called, led, answered = (item.line for item in understand(HAND))
    assert opened == Line((StreetLine(),), opened=False, at_flop=3)
    assert checked is not None
    assert checked.streets == (StreetLine(raises=1, called=1, faced=0.6), StreetLine())
    assert (checked.at_flop, checked.opened, checked.raiser) == (2, False, None)
    assert bet is not None
    assert bet.opened
    assert called is not None
    assert called.streets[1] == StreetLine(raises=1, checked=True, faced=0.5)
    assert (called.size, called.is_all_in) == (0.5, False)
    assert led is not None
    assert led.streets[1] == StreetLine(raises=1, checked=True, called=1, faced=0.5)
    assert answered is not None
    assert answered.streets[1] == StreetLine(raises=1, raised=0.5)
    assert answered.is_all_in


def test_an_imagined_action_has_as_many_numbers() -> None:
    for seen in understand(HAND)[:4:3]:
        contexts = [features.preflop_context(item) if not seen.street else features.postflop_context(item, (1, 2, 3))
                    for item in (seen, replace(seen, line=None))]  # fmt: skip
        assert len(contexts[0]) == len(contexts[1])


def test_the_model_is_the_mean_of_its_networks() -> None:
    model, board, seen = fitted_model(), tuple(sorted(parse_cards("AcTd4h"))), understand(HAND)[5]
    members = [FittedModel(*(_only(layers, number) for layers in model.layers))
               for number in range(len(model.layers[1].bias))]  # fmt: skip
    assert len(members) > 1
    mean = np.mean([member.likelihood(seen, board) for member in members], axis=0)
    assert np.allclose(mean, model.likelihood(seen, board), atol=1e-5)


def _only(layers: Layers, number: int) -> Layers:
    one = slice(number, number + 1)
    weights, biases = ([array[one] for array in arrays] for arrays in (layers.weights, layers.biases))
    return Layers(layers.by_hand[one], layers.by_context[one], layers.bias[one], tuple(weights), tuple(biases))


def test_answers_share_the_work_and_sum_to_one() -> None:
    model, board, seen = fitted_model(), tuple(sorted(parse_cards("AcTd4h"))), understand(HAND)[5]
    fold, call, raises = model.responses(seen, board)
    live = strength(board).live > 0
    assert np.allclose((fold + call + raises)[live], 1, atol=1e-4)
    assert np.array_equal(call, model.likelihood(seen, board))
    assert seen.act is Act.CALL
