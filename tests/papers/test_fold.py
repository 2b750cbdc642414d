"""Paper 004 (FOLD): its printed numbers."""

import numpy as np
import pytest

from mingpai.games.holdem.notation import parse_cards
from mingpai.methods.handreading.hands import HAND_CLASSES, combo, hand_class
from mingpai.methods.handreading.infer import product
from mingpai.methods.handreading.model import BANDS, relative
from mingpai.methods.handreading.understand import Act, Position, act_of_share, position_of


def test_section_4_3_worked_hand_ace_ten_and_king_jack() -> None:
    """Figure 3: raise / check-call / raise / raise. The paper's 2.16% for KJ is a slip of ten."""
    streets = [np.array(values) for values in ([0.01, 0.002], [0.006, 0.03], [0.024, 0.024], [0.005, 0.03])]
    relative_values = product(streets, normaliser=1.0)
    assert relative_values == pytest.approx([7.2e-9, 4.32e-8])
    ace_ten, king_jack = product(streets, normaliser=2e-5)
    assert ace_ten * 100 == pytest.approx(0.036)
    assert king_jack * 100 == pytest.approx(0.216)


def test_equation_4_raises_by_share_of_the_pot() -> None:
    assert [act_of_share(share) for share in (0.1, 0.6, 0.61, 1.0, 1.01, 5.0)] == [
        Act.HALF_POT, Act.HALF_POT, Act.THREE_QUARTERS, Act.THREE_QUARTERS, Act.POT, Act.POT,
    ]  # fmt: skip
    assert act_of_share(500 / 1000) is Act.HALF_POT
    assert act_of_share(500 / 200) is Act.POT


def test_figure_2_call_has_fifty_inside_its_band_and_about_ten_at_055() -> None:
    call = BANDS[Act.CALL]
    assert (call.low, call.high, call.baseline) == (0.57, 0.68, 0.61)
    assert BANDS[Act.CHECK].baseline == 0.513
    inside = relative(np.array([0.57, 0.61, 0.68], np.float32), call)
    assert inside == pytest.approx([50, 50, 50])
    outside = relative(np.array([0.55, 0.5, 0.8], np.float32), call)
    assert outside[0] == pytest.approx(10, rel=1e-3)
    assert outside[0] > outside[1] > outside[2]


def test_section_4_2_four_positions_at_eight_seats() -> None:
    places = [position_of(seat, 8) for seat in range(8)]
    assert places == [Position.BLIND] * 2 + [Position.FRONT] * 2 + [Position.MIDDLE] * 2 + [Position.REAR] * 2


@pytest.mark.parametrize(
    ("hand", "expected"),
    [("Ah9d", "big high card"), ("8h4d", "small high card"), ("KhKd", "big pair"), ("5h5d", "small pair")],
)
def test_section_5_2_categories_before_the_flop(hand: str, expected: str) -> None:
    assert HAND_CLASSES[hand_class(combo(*parse_cards(hand)), ())] == expected


def test_section_4_5_eight_outs_twice() -> None:
    """The paper counts 50 unseen cards (29.7%); on the flop 47 are unseen (31.5%)."""
    assert pytest.approx(0.297, abs=5e-4) == 1 - 42 / 50 * 41 / 49
    assert pytest.approx(0.315, abs=5e-4) == 1 - 39 / 47 * 38 / 46
