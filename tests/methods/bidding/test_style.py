"""Styles: the indices, who gets a class, and which classes can be reached."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mingpai.core.errors import BadSetting
from mingpai.methods.bidding.compared import compare
from mingpai.methods.bidding.model import CALIBRATED, PAPER_MODEL, BidModel
from mingpai.methods.bidding.population import draw_players, simulate
from mingpai.methods.bidding.raw import PAPER
from mingpai.methods.bidding.style import CLASSES, NAMES, PlayerStyle, style_of, styles_of_log
from tests.cli.shell import mingpai

actions = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), min_size=1, max_size=60)


@given(actions)
def test_the_signed_index_is_the_printed_one_for_who_never_under_bids(pairs: list[tuple[int, int]]) -> None:
    did, wanted = zip(*pairs, strict=True)
    style = style_of("x", did, wanted)
    assert style.mu_printed >= 0
    assert style.mu_signed <= style.mu_printed
    assert (style.mu_signed == style.mu_printed) == (style.under == 0)
    assert -1 <= style.mu_signed <= 1.001
    assert (style.style() is None) == (len(pairs) < 10)


def test_a_bid_of_any_height_is_one_action() -> None:
    assert style_of("x", [3, 1, 0, 2], [1, 0, 0, 1]) == PlayerStyle("x", 4, 3, 2, 1, 0)


def test_no_bid_at_all_is_mu_zero() -> None:
    style = style_of("x", [0] * 12, [0] * 12)
    assert style.mu_printed == style.mu_signed == style.sigma == 0
    found = style.style()
    assert found is not None
    assert found.code == "risk_rational"


def test_sigma_may_slightly_exceed_one() -> None:
    assert style_of("x", [1] * 10, [0] * 10).sigma == pytest.approx((10 / 9) ** 0.5)


def reachable(rate: float, formula: str, decisions: int = 200) -> set[str]:
    """Classes of players who bid on shares of the hands that the benchmark bids on and of the others."""
    wanted = np.arange(decisions) < round(rate * decisions)
    found = set()
    for of_bid in np.linspace(0, 1, 21):
        for of_other in np.linspace(0, 1, 21):
            good, bad = np.flatnonzero(wanted), np.flatnonzero(~wanted)
            did = np.zeros(decisions, int)
            did[good[: round(of_bid * len(good))]] = 1
            did[bad[: round(of_other * len(bad))]] = 1
            style = style_of("x", did, wanted).style("signed" if formula == "signed" else "printed")
            assert style is not None
            found.add(style.code)
    return found


def test_the_conservative_row_needs_the_signed_formula_and_its_irrational_half_a_rate_of_44_percent() -> None:
    everything = {kind.code for kind in CLASSES}
    conservative = {code for code in NAMES if code.startswith("conservative")}
    for rate in (0.3, 0.5):
        assert not reachable(rate, "printed") & conservative
    assert reachable(0.5, "signed") == everything
    assert reachable(0.46, "signed") == everything
    assert reachable(0.42, "signed") == everything - {"conservative_irrational"}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "games.log"
    simulate(path, 600, draw_players(12, 77), 77)
    return path


def test_styles_of_a_log_are_those_of_each_player_counted_alone(log: Path) -> None:
    from mingpai.methods.bidding.raw import LogFile

    table = styles_of_log(log, PAPER)
    assert len(table.styles) == 12
    reader, model = LogFile(log, PAPER), BidModel(PAPER_MODEL)
    rows = [block.bids for block in reader.blocks()]
    bids = {name: np.concatenate([block[name] for block in rows]) for name in rows[0]}
    for style in table.styles:
        which = bids["player"] == reader.players.index(style.player)
        wanted = model.bids(bids["phase"][which], bids["value"][which], bids["hand"][which])
        assert style == style_of(style.player, bids["bid"][which], wanted)
        assert table.of(style.player) == style
    with pytest.raises(BadSetting, match="a player of the log"):
        table.of("nobody")


def test_own_records_have_styles_too(tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    answer = mingpai("match", "doudizhu", "--bidding", "--a", "greedy", "--b", "random", "--deals", "6", "--records",
                     str(records))  # fmt: skip
    assert answer.code == 0, answer
    table = styles_of_log(records, PAPER)
    assert {style.player for style in table.styles} == {"greedy", "random"}
    assert table.records == 36
    assert not table.malformed
    with records.open("a") as file:
        file.write("{}\n")
    assert styles_of_log(records, PAPER).malformed == {"record": (1, [37])}


def test_the_command_tells_styles_in_both_languages_and_draws_them(log: Path, tmp_path: Path) -> None:
    player = styles_of_log(log, PAPER).styles[0].player
    plot = tmp_path / "styles.svg"
    answer = mingpai("style", str(log), "--plot", str(plot), "--json")
    assert answer.code == 0, answer
    data = json.loads(answer.out)
    assert len(data["players"]) == 12
    assert plot.read_text().count("<use") >= 12
    chinese = mingpai("style", str(log), "--player", player, "--lang", "zh", "--plot", str(tmp_path / "zh.svg"))
    assert chinese.code == 0, chinese
    assert "型" in chinese.out
    assert player in chinese.out
    assert "激进非理性型" in (tmp_path / "zh.svg").read_text(encoding="utf-8")
    printed = mingpai("style", str(log), "--printed")
    assert "conservative" not in printed.out


@pytest.mark.parametrize("words", [
    ("none.log",), ("LOG", "--player", "nobody", "--seats", "first"), ("LOG", "--jokers", "red"),
    ("LOG", "--plot", "x.pdf"),
])  # fmt: skip
def test_mistakes_are_told_and_end_with_two(words: tuple[str, ...], log: Path) -> None:
    answer = mingpai("style", *(str(log) if word == "LOG" else word for word in words))
    assert answer.code == 2
    assert "Traceback" not in answer.err
    assert answer.err


def test_bid_tells_the_probability_and_the_cards_that_move_it() -> None:
    strong, weak = "35789TJQKKA222AXD", "33456778999TJJQK4"
    answers = {hand: json.loads(mingpai("bid", hand, "--json").out) for hand in (strong, weak)}
    assert answers[strong]["probability"] > 0.9 > 0.1 > answers[weak]["probability"]
    assert answers[strong]["effects"][0]["cards"] == "XD"
    assert answers[strong]["effects"][0]["shift"] > 0
    robbed = json.loads(mingpai("bid", weak, "--callrob", "--bids", "0,1", "--json").out)
    assert (robbed["phase"], robbed["value"]) == (1, 1)
    chinese = mingpai("bid", strong, "--lang", "zh")
    assert "概率" in chinese.out


@pytest.mark.parametrize("options", [
    {"bids": "2,1"}, {"bids": "3"}, {"bids": "x"}, {"phase": "play"}, {"phase": "rob", "bids": "0"},
    {"phase": "call", "bids": "0,1", "callrob": True},
])  # fmt: skip
def test_mistakes_of_bid_are_told(options: dict[str, Any]) -> None:
    from mingpai.cli.bid import _situation

    with pytest.raises(BadSetting):
        _situation(options.get("phase", ""), options.get("bids", ""), options.get("callrob", False))


def test_a_hand_of_the_wrong_size_is_told() -> None:
    answer = mingpai("bid", "345")
    assert answer.code == 2
    assert answer.err.startswith("mingpai: ")


def test_the_shipped_models_know_a_good_hand_and_agree_mostly() -> None:
    from mingpai._native import bidding as native

    hands = np.ascontiguousarray(native.deals(5, 0, 300)[:, 0])
    paper, ours = BidModel(PAPER_MODEL), BidModel(CALIBRATED)
    zeros = np.zeros(300, int)
    assert (paper.bids(zeros, zeros, hands) == ours.bids(zeros, zeros, hands)).mean() > 0.9
    assert np.corrcoef(ours.logits(zeros, zeros, hands), native.values(hands))[0, 1] > 0.85


def test_each_decision_of_a_player_stands_beside_the_benchmark_as_in_figure_11(log: Path) -> None:
    table = styles_of_log(log, PAPER)
    style = table.styles[0]
    decisions = compare(log, PAPER, style.player, 100_000)
    assert len(decisions) == style.decisions
    assert sum(one.bid for one in decisions) == style.bids
    assert [sum(one.deviation == side for one in decisions) for side in (1, -1)] == [style.over, style.under]
    assert all(len(one.hand) == 17 and (one.probability > 0.5) == bool(one.benchmark) for one in decisions)
    assert compare(log, PAPER, style.player, 3) == decisions[:3]
    assert compare(log, PAPER, "nobody", 3) == []


def test_the_command_lists_the_decisions_of_one_player(log: Path) -> None:
    player = styles_of_log(log, PAPER).styles[0].player
    told = mingpai("style", str(log), "--player", player, "--most", "4", "--json")
    assert told.code == 0, told
    assert len(json.loads(told.out)["decisions"]) == 4
    for language, title in (("en", "figure 11"), ("zh", "图 11")):
        told = mingpai("style", str(log), "--player", player, "--most", "2", "--lang", language)
        assert title in told.out, told
