"""`mcm-search` and the flagship: the network in whole numbers, its playouts over worlds, the tree search with them."""

import numpy as np
import pytest
from numpy.typing import NDArray

from mingpai._native import doudizhu, mcm
from mingpai._native.core import Budget
from mingpai._native.handsplit import Particles, PlayerModel, Worlds
from mingpai._native.mcm import Hint, PlayoutResult, PlayoutSearcher, PlayoutSettings, Reader, ReadingSettings
from mingpai._native.ruleplay import Situation
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.doudizhu_greedy import tuned_weights
from mingpai.agents.doudizhu_situation import situation_of
from mingpai.core.errors import BadSetting
from mingpai.games.doudizhu import GAME
from mingpai.games.doudizhu.moves import Bid
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.games.doudizhu.view import DoudizhuView
from mingpai.methods.flagship.playouts import PlayoutSettings as FlagshipPlayouts
from mingpai.methods.flagship.playouts import native_settings
from mingpai.methods.handsplit.agent import make_searcher
from mingpai.methods.handsplit.endings import MAX_WORLDS, Endings, endings_of
from mingpai.methods.handsplit.search import TreeSettings
from mingpai.methods.mcm.agent import JUDGE, SHIPPED, STUDENT
from mingpai.methods.mcm.rows import (
    OPEN_FEATURES,
    known_places,
    load_value,
    native_network,
    open_network,
    position_of,
    state_of_each_move,
    values_of,
)
from mingpai.models.card import BadModel

Numbers = NDArray[np.float64]
QUICK = "worlds=8,candidates=3,particles=60,iterations=100"
RULES = doudizhu.profile("standard")


def views(seed: int) -> list[DoudizhuView]:
    """The views of all choices of a deal that the network plays."""
    agent = REGISTRY.agent("doudizhu", "mcm")
    state = GAME.deal(seed, "standard+nobid")
    assert isinstance(state, DoudizhuState)
    seen = []
    while state.to_move is not None:
        view = state.view(state.to_move)
        if len(view.legal_moves()) > 1:
            seen.append(view)
        state.play(agent.decide(view).move)
    return seen


def believed(view: DoudizhuView) -> Worlds:
    return Particles(3, 100, PlayerModel(), False).update(situation_of(view), make_searcher(RULES), Budget())


def play_out(
    view: DoudizhuView, hints: list[Hint], threads: int = 1, worlds: int = 24, judge: mcm.Network | None = None,
    judge_trust: float = 0.0, plays_out: bool = True, depth: int = 0, points: bool = False, reads: int = 64,
    judges_read: bool = False,
) -> PlayoutResult:  # fmt: skip
    situation, belief = situation_of(view), believed(view)
    settings = PlayoutSettings()
    settings.worlds, settings.round, settings.threads = worlds, 8, threads
    settings.judge_trust, settings.plays_out = judge_trust, plays_out
    settings.depth, settings.points = depth, points
    settings.reading.worlds, settings.judges_read = reads, judges_read
    return PlayoutSearcher(native_network(SHIPPED), native_network(SHIPPED), judge, RULES, tuned_weights()).search(
        situation, belief, hints, settings, 7, Budget()
    )


@pytest.mark.parametrize("for_points", [False, True])
def test_the_network_in_whole_numbers_says_what_the_onnx_file_says(for_points: bool) -> None:
    positions = [position_of(view) for seed in range(4) for view in views(seed)]
    wanted = np.concatenate(values_of(open_network(SHIPPED), positions, for_points))
    have = native_network(SHIPPED).values(positions, for_points)
    assert have.shape == wanted.shape
    assert np.abs(have - wanted).max() < 0.03
    assert np.abs(have - wanted).mean() < 0.005


def test_the_judge_in_whole_numbers_says_what_the_onnx_file_says() -> None:
    """On tables with open hands: the rows of a batch, and the same positions asked one by one."""
    model, judge = load_value(JUDGE, OPEN_FEATURES), native_network(JUDGE, OPEN_FEATURES)
    batch = mcm.Batch(30, 4, RULES, open=True)
    states = np.zeros((30, mcm.OPEN_STATE_SIZE), np.uint8)
    moves = np.zeros((batch.options, mcm.OPEN_MOVE_SIZE), np.uint8)
    batch.observe(states, moves)
    offsets = batch.offsets()
    known = known_places(model, states)
    wanted = model.run({"states": known, "moves": moves, "of": state_of_each_move(offsets)})["values"]
    counts = (20, 17, 17)
    hands = [batch.hands(table) for table in range(30)]
    asked = [table for table in range(30) if tuple(map(doudizhu.card_count, hands[table])) == counts]
    positions = [mcm.Position(0, hands[i][0], batch.bottom(i), counts, [], RULES) for i in asked]
    have = judge.values(positions, False, [(hands[i][1], hands[i][2]) for i in asked])
    rows = np.concatenate([np.arange(offsets[i], offsets[i + 1]) for i in asked])
    assert len(asked) > 20
    assert np.abs(have - wanted[rows]).max() < 0.05
    with pytest.raises(ValueError, match="hands of the others"):
        judge.values(positions, False)
    with pytest.raises(ValueError, match="one hand alone"):
        native_network(SHIPPED).values(positions, False, [(hands[i][1], hands[i][2]) for i in asked])


def test_the_judge_has_its_say() -> None:
    judge = native_network(JUDGE, OPEN_FEATURES)
    for view in views(9)[:6]:
        without = {move.move.cards: move.value for move in play_out(view, [], plays_out=False).moves}
        judged = play_out(view, [], judge=judge, judge_trust=1e9, plays_out=False)
        if sum(abs(move.value - without[move.move.cards]) > 1e-9 for move in judged.moves) > 1:
            assert all(0 <= move.value <= 1 for move in judged.moves)
            return
    pytest.fail("the judge changed nothing")


def test_the_judge_values_every_world_that_was_read_by_its_weight() -> None:
    judge = native_network(JUDGE, OPEN_FEATURES)
    for view in views(9)[3:8]:
        said = play_out(view, [], judge=judge, judge_trust=1e9, plays_out=False, reads=0, judges_read=True)
        worlds, unseen = believed(view), situation_of(view).unseen
        hands = [worlds.first_hand(i) for i in range(len(worlds))]
        position = position_of(view)
        values = judge.values([position] * len(hands), False, [(hand, unseen - hand) for hand in hands])
        chances = 1 / (1 + np.exp(-values[:, 0].astype(float)))
        weights = [worlds.weight(i) for i in range(len(hands))]
        wanted = np.average(chances.reshape(len(hands), -1), axis=0, weights=weights)
        cards = [move.cards for move in view.native_moves().to_list()]
        judged = {move.move.cards: move.value for move in said.moves[:2]}
        for hand, value in judged.items():
            assert value == pytest.approx(wanted[cards.index(hand)], abs=1e-4)


@pytest.mark.parametrize("points", [False, True])
def test_a_playout_deeper_than_the_deal_is_a_whole_one(points: bool) -> None:
    judge = native_network(JUDGE, OPEN_FEATURES)
    for view in views(11)[::4]:
        whole, deep = (play_out(view, [], judge=judge, depth=depth, points=points) for depth in (0, 1000))
        assert [(move.move, move.value) for move in whole.moves] == [(move.move, move.value) for move in deep.moves]
        assert whole.decisions == deep.decisions


@pytest.mark.parametrize("points", [False, True])
def test_a_playout_that_is_cut_is_worth_what_the_judge_says(points: bool) -> None:
    """Less is played, and it comes to about the same: what a seat can expect does not change with where one looks."""
    judge = native_network(JUDGE, OPEN_FEATURES)
    view = next(view for view in views(12) if len(view.legal_moves()) > 4)
    cut = [play_out(view, [], judge=judge, depth=depth, points=points) for depth in (1, 4)]
    whole = play_out(view, [], judge=judge, points=points)
    assert cut[0].decisions < cut[1].decisions < whole.decisions
    played = [{move.move: move.value for move in result.moves if move.worlds} for result in (*cut, whole)]
    assert len({tuple(values.values()) for values in played}) == 3
    for values in played[:2]:
        apart = [abs(values[move] - played[2][move]) for move in values.keys() & played[2].keys()]
        assert max(apart) < (1.5 if points else 0.4)


def test_cut_playouts_need_a_judge() -> None:
    with pytest.raises(ValueError, match="judge"):
        play_out(views(1)[0], [], depth=3)
    with pytest.raises(BadSetting, match=r"depth.*judge"):
        REGISTRY.agent("doudizhu", f"mcm-search:{QUICK},depth=3,judge=none")


def test_a_judge_must_see_hands_and_a_player_must_not() -> None:
    judge, closed = native_network(JUDGE, OPEN_FEATURES), native_network(SHIPPED)
    with pytest.raises(ValueError, match="judge"):
        PlayoutSearcher(closed, closed, closed, RULES, tuned_weights())
    with pytest.raises(ValueError, match="cannot see"):
        PlayoutSearcher(judge, closed, None, RULES, tuned_weights())
    with pytest.raises(BadModel, match="feature layout"):
        REGISTRY.agent("doudizhu", f"mcm-search:judge={SHIPPED}").decide(views(1)[0])


def test_a_network_of_other_features_is_refused() -> None:
    weights = load_value(SHIPPED).weights()
    with pytest.raises(ValueError, match="no array is called state_bias"):
        mcm.Network({key: value for key, value in weights.items() if key != "state_bias"})
    with pytest.raises(ValueError, match="other features"):
        mcm.Network(weights | {"move_weights": weights["move_weights"][1:].copy()})
    with pytest.raises(ValueError, match="16 bits"):
        mcm.Network(weights | {"hidden.weight": weights["hidden.weight"] * 1000})


def test_playouts_are_the_same_with_any_number_of_threads() -> None:
    view = views(5)[2]
    one, two = (play_out(view, [], threads) for threads in (1, 2))
    assert [(move.move, move.value, move.worlds) for move in one.moves] == [
        (move.move, move.value, move.worlds) for move in two.moves
    ]
    assert one.playouts == two.playouts > 0
    assert one.decisions == two.decisions > one.playouts


def test_all_legal_moves_are_listed_once() -> None:
    for view in views(6):
        result = play_out(view, [], worlds=8)
        assert sorted(str(move.move) for move in result.moves) == sorted(map(str, view.legal_moves()))


def test_a_hint_makes_a_candidate_and_counts() -> None:
    view = next(view for view in views(7) if len(view.legal_moves()) > 8)
    worst = play_out(view, []).moves[-1]
    assert worst.worlds == 0
    hints = [Hint(move, float(move == worst.move), 1e9, move == worst.move) for move in view.native_moves().to_list()]
    hinted = play_out(view, hints)
    assert hinted.moves[0].move == worst.move
    assert hinted.moves[0].worlds > 0
    assert hinted.moves[0].value == pytest.approx(1.0, abs=1e-3)


def test_the_network_finds_its_own_hands_likelier_than_others() -> None:
    """Games of the network: the true hands explain what was played better than hands drawn at random."""
    reader, gains = Reader(native_network(SHIPPED)), []
    for seed in range(3):
        agent, state = REGISTRY.agent("doudizhu", "mcm"), GAME.deal(seed, "standard+nobid")
        while state.to_move is not None:
            view = state.view(state.to_move)
            assert isinstance(view, DoudizhuView)
            if len(state.moves()) % 7 == 6:
                situation = situation_of(view)
                worlds = Particles(seed, 30, PlayerModel(), True).update(situation, make_searcher(RULES), Budget())
                assert isinstance(state, DoudizhuState)
                hands = [worlds.first_hand(i) for i in range(30)] + [state.hand((view.seat + 1) % 3)]
                likelihoods = reader.log_likelihoods(situation, ReadingSettings(), hands, Budget())
                assert max(likelihoods) <= 0
                gains.append(likelihoods[-1] - np.mean(likelihoods[:-1]))
            state.play(agent.decide(view).move)
    assert np.mean(gains) > 1
    assert np.mean(np.array(gains) > 0) > 0.7


def test_likelihoods_do_not_depend_on_the_company() -> None:
    view = views(8)[4]
    situation = situation_of(view)
    worlds = Particles(1, 20, PlayerModel(), True).update(situation, make_searcher(RULES), Budget())
    hands = [worlds.first_hand(i) for i in range(20)]
    reader, settings = Reader(native_network(SHIPPED)), ReadingSettings()
    together = reader.log_likelihoods(situation, settings, hands, Budget())
    alone = [reader.log_likelihoods(situation, settings, [hand], Budget())[0] for hand in hands]
    assert together == alone


def test_how_exact_players_are_is_told_by_their_moves() -> None:
    """Without a temperature: each player's moves by the mean over kinds of players. Early only one other has chosen."""
    reader, kinds, alone = Reader(native_network(SHIPPED)), (0.12, 0.25, 0.5, 1.0), 0
    for seed in range(12):
        for view in views(seed)[1:6]:
            situation = situation_of(view)
            worlds = Particles(1, 30, PlayerModel(), True).update(situation, make_searcher(RULES), Budget())
            hands = [worlds.first_hand(i) for i in range(30)]

            def likelihoods(temperature: float, situation: Situation = situation, hands: list[int] = hands) -> Numbers:
                settings = ReadingSettings()
                settings.temperature = temperature
                return np.array(reader.log_likelihoods(situation, settings, hands, Budget()))

            by_kind, told = np.array([likelihoods(kind) for kind in kinds]), likelihoods(0)
            assert (told >= by_kind.max(0) - 2 * np.log(len(kinds)) - 1e-9).all()
            assert (told <= 0).all()
            others = {step.seat for step in view.steps if step.seat != view.seat and not isinstance(step.action, Bid)}
            if len(others) == 1:
                alone += 1
                assert told == pytest.approx(np.log(np.exp(by_kind).mean(0)), abs=1e-9)
    assert alone > 5


def test_a_reading_that_is_cut_says_nothing() -> None:
    view = views(8)[-1]
    situation = situation_of(view)
    worlds = Particles(1, 200, PlayerModel(), True).update(situation, make_searcher(RULES), Budget())
    hands = [worlds.first_hand(i) for i in range(200)]
    assert Reader(native_network(SHIPPED)).log_likelihoods(situation, ReadingSettings(), hands, Budget(nodes=1)) == []


@pytest.mark.parametrize("agent", ["mcm-search", "mingpai"])
@pytest.mark.parametrize("setting", ["objective=win", "objective=points", "iterations=0", "reads=0", "model=none"])
def test_decisions_are_legal_and_repeat(agent: str, setting: str) -> None:
    given = ",".join([part for part in QUICK.split(",") if part.split("=")[0] != setting.split("=")[0]] + [setting])
    first, second = (REGISTRY.agent("doudizhu", f"{agent}:{given}", 5) for _ in range(2))
    state = GAME.deal(6, "standard+nobid")
    while state.to_move is not None:
        view = state.view(state.to_move)
        decision = first.decide(view)
        assert decision.move in view.legal_moves()
        assert second.decide(view).move == decision.move
        assert decision.candidates[0].move == decision.move
        state.play(decision.move)


@pytest.mark.parametrize(
    "setting", ["particles=0", "worlds=-3", "reads=-1", "threads=0", "trust=nan", "judge_trust=-1"]
)
def test_settings_out_of_range_are_refused(setting: str) -> None:
    with pytest.raises(BadSetting, match=f"{setting.partition('=')[0]}.*expected a"):
        REGISTRY.agent("doudizhu", f"mcm-search:{setting}")


def test_going_out_is_found() -> None:
    """The landlord to lead holds one pair: nothing else is to be searched."""
    agent = REGISTRY.agent("doudizhu", f"mcm-search:{QUICK}")
    state = GAME.start("33/44556/778899/", "standard+nobid")
    decision = agent.decide(state.view(0))
    assert str(decision.move) == "33"


def test_playouts_know_a_sure_win() -> None:
    """Landlord 2 2 3 against farmers without a bomb or joker: leading a 2 wins in every world, leading 3 may not."""
    state = GAME.start("223/44566778/4556788/", "standard+nobid")
    view = state.view(0)
    assert isinstance(view, DoudizhuView)
    moves = {str(move.move): move for move in play_out(view, []).moves}
    assert moves["22"].value > 0.8


def test_the_network_bids_for_mcm_search() -> None:
    view = GAME.deal(3, "standard").view(0)
    decision = REGISTRY.agent("doudizhu", f"mcm-search:{QUICK}").decide(view)
    assert decision.move == REGISTRY.agent("doudizhu", "mcm").decide(view).move
    assert decision.agent.startswith("mcm-search")
    assert REGISTRY.agent("doudizhu", f"mingpai:{QUICK}").decide(view).move in view.legal_moves()


def test_a_network_with_layers_for_each_role_says_in_whole_numbers_what_it_says_in_torch() -> None:
    """Positions of all three roles in one call; and roles that are alike are the network that they came from."""
    torch = pytest.importorskip("torch")
    from mingpai.methods.mcm.export import shipped_network
    from mingpai.methods.mcm.network import ValueNet, split_roles
    from mingpai.methods.mcm.train_open import apart

    known = shipped_network(STUDENT)
    positions = [position_of(view) for seed in range(3) for view in views(seed)]
    states, moves, offsets = mcm.observe_positions(positions, True)
    rows = torch.from_numpy(states), torch.from_numpy(moves), torch.from_numpy(state_of_each_move(offsets))
    alike: ValueNet = apart(known)
    torch.testing.assert_close(alike.values(*rows), known.values(*rows), rtol=1e-4, atol=1e-4)
    shared = mcm.Network({name: value.numpy() for name, value in known.state_dict().items()})
    split = mcm.Network({name: value.numpy() for name, value in split_roles(known.state_dict()).items()})
    np.testing.assert_array_equal(split.values(positions, True), shared.values(positions, True))

    with torch.no_grad():
        for layer in (*alike.blocks, alike.project, alike.hidden, alike.out):
            layer.weight += 0.02 * torch.randn_like(layer.weight)
    wanted = alike.values(*rows).numpy()
    np.testing.assert_allclose(alike.dense(*rows).detach().numpy(), wanted, atol=1e-3)
    have = mcm.Network({name: value.numpy() for name, value in alike.state_dict().items()}).values(positions, True)
    assert {view.role for seed in range(3) for view in views(seed)} == {0, 1, 2}
    assert np.abs(have - wanted).max() < 0.05
    assert np.abs(wanted - known.values(*rows).numpy()).max() > 0.2


def test_settings_of_the_reading_reach_the_native_code() -> None:
    changed = FlagshipPlayouts(reads=7, reading_temperature=0.5, reading_power=0.75, belief_power=0.25)
    reading = native_settings(changed, TreeSettings(), "win").reading
    assert (reading.worlds, reading.temperature, reading.tempering, reading.kept) == (7, 0.5, 0.75, 0.25)
    usual, native = native_settings(FlagshipPlayouts(), TreeSettings(), "win").reading, ReadingSettings()
    for name in ("worlds", "temperature", "noise", "tempering", "kept"):
        assert getattr(usual, name) == getattr(native, name)


def test_endings_of_more_worlds_get_more_nodes() -> None:
    few, many = endings_of(MAX_WORLDS), endings_of(10 * MAX_WORLDS)
    assert (few.max_worlds, few.all_nodes) == (Endings().max_worlds, Endings().all_nodes)
    assert (many.max_worlds, many.all_nodes) == (10 * few.max_worlds, 10 * few.all_nodes)
