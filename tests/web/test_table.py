import json

import pytest

from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import MingpaiError
from mingpai.core.reasons import Language
from mingpai.games import doudizhu
from mingpai.games.holdem import HoldemState
from mingpai.methods.handreading.agent import FoldAgent
from mingpai.records.record import Record
from mingpai.records.replay import replay
from mingpai.web.endings import ending
from mingpai.web.moves import move_html, spoken
from mingpai.web.scenes import Sitter, scene, scene_json
from mingpai.web.table import Order, Table
from mingpai.web.texts import text

ORDER = Order("doudizhu", agents=("random",), seed=5, settings={"landlord": 0})


def let_agents_play(table: Table) -> None:
    while not table.state.is_over and not table.is_mine:
        table.agent_plays(table.agent_decision())


def play_out(table: Table) -> None:
    while not table.state.is_over:
        let_agents_play(table)
        if table.is_mine:
            table.play(str(table.view.legal_moves()[0]))


def test_a_deal_is_played_to_its_record() -> None:
    table = Table(ORDER)
    play_out(table)
    record = table.record()
    assert record.players[0] == "person"
    assert record.points is not None
    assert sum(record.points) == 0


@pytest.mark.parametrize(("rules", "times"), [("standard", "2"), ("rlcard", "1")])
def test_the_multiplier_is_that_of_the_rules(rules: str, times: str) -> None:
    state = doudizhu.GAME.start("33334/56/56/", rules, {"landlord": 0})
    state.play(doudizhu.GAME.parse_move("3333", state))
    assert scene(state, state.view(1), "en").facts == [text("multiplier", "en", times=times)]


@pytest.mark.parametrize(("rules", "doubled"), [("standard", 2), ("douzero", 1), ("rlcard", 0)])
def test_the_sheet_at_the_end_doubles_what_the_rules_double(rules: str, doubled: int) -> None:
    """A bomb and a spring: RLCard's rules double neither, DouZero's no spring."""
    state = doudizhu.GAME.start("33335/678/9TJ/", rules, {"landlord": 0})
    for move in ("3333", "pass", "pass", "5"):
        state.play(doudizhu.GAME.parse_move(move, state))
    details = ending(state, 0, str, "en").details
    assert [how for _, how in details].count("× 2") == doubled


def test_a_saved_table_goes_on_as_it_was() -> None:
    table = Table(ORDER)
    table.play(str(table.view.legal_moves()[0]))
    let_agents_play(table)
    again = Table.from_json(json.loads(json.dumps(table.to_json())))
    assert again.view == table.view
    play_out(table)
    play_out(again)
    assert again.record().key == table.record().key


def test_undo_goes_back_to_the_persons_decision_and_is_marked() -> None:
    table = Table(ORDER)
    before = table.view
    table.play(str(before.legal_moves()[0]))
    let_agents_play(table)
    table.undo()
    assert table.view == before
    play_out(table)
    assert table.record().tags["undone"] == 3
    with pytest.raises(MingpaiError, match="nothing to take back"):
        Table(ORDER).undo()


def test_an_illegal_move_changes_nothing() -> None:
    table = Table(ORDER)
    before = table.view
    with pytest.raises(MingpaiError):
        table.play("33334444555566")
    assert table.view == before


@pytest.mark.parametrize("game", ["guandan", "holdem"])
def test_every_game_is_played_drawn_and_restored(game: str) -> None:
    table = Table(Order(game, seed=9))
    while not table.state.is_over:
        drawn = scene(table.state, table.view, "zh", open_cards=True)
        assert len(drawn.seats) == table.state.seats
        assert drawn.hand or table.state.seats != 4
        let_agents_play(table)
        if table.is_mine:
            table.play(str(table.view.legal_moves()[-1]))
        again = Table.from_json(json.loads(json.dumps(table.to_json())))
        assert again.view == table.view
    table.close_deal(lambda record: None)
    assert table.next_deal()


def test_programs_cannot_be_run_from_the_app() -> None:
    with pytest.raises(MingpaiError, match="shell"):
        Table(Order("doudizhu", agents=("exec:touch x",), seed=1))


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("mcm:model=/etc", "expected"),
        ("mcm:model=..", "expected"),
        ("mctshs:seconds=60", "expected"),
        ("solver:worlds=99999999", "from 1 to 200"),
        ("solver:proof_nodes=999999999999", "from 1 to"),
        ("mingpai:player=/etc", "expected"),
        ("mingpai:particles=999999999", "expected"),
    ],
)
def test_the_app_keeps_agents_within_limits(spec: str, told: str) -> None:
    with pytest.raises(MingpaiError, match=told):
        Table(Order("doudizhu", agents=(spec,), seed=1))


def test_open_cards_are_marked_in_the_record() -> None:
    table = Table(Order("doudizhu", seed=3, settings={"landlord": 0}, open_cards=True))
    play_out(table)
    assert table.record().tags["open_cards"] is True


MATCHES = {
    "doudizhu": Order("doudizhu", agents=("greedy",), seed=4, whole_match=True, settings={"deals": 3}),
    "guandan": Order("guandan", agents=("rule2", "rule1"), seed=4, whole_match=True, settings={"levels": "QQ"}),
    "holdem": Order("holdem", agents=("maniac", "station"), seed=4, whole_match=True,
                    settings={"seats": 3, "chips": 200, "blinds": [20, 40]}),
}  # fmt: skip


@pytest.mark.parametrize("game", sorted(MATCHES))
def test_a_whole_match_is_played_to_its_end(game: str) -> None:
    """Drawn at every decision, and taken up again from its file after every deal."""
    table, records = Table(MATCHES[game]), list[Record]()
    while True:
        play_out(table)
        drawn = scene(table.state, table.view, "en")
        assert len(drawn.around) == table.state.seats - 1
        table.close_deal(records.append)
        table.close_deal(records.append)
        table = Table.from_json(json.loads(json.dumps(table.to_json())))
        if not table.can_go_on:
            break
        assert table.next_deal()
    assert not table.next_deal()
    assert table.match is not None
    assert sorted(table.match.standings())[0] == 1
    assert [record.tags["number"] for record in records] == list(range(len(records)))
    for record in records:
        replay(record, table.game)


def test_a_recorded_deal_is_tried_again_from_any_move() -> None:
    first = Table(Order("holdem", agents=("tag",), seed=2, settings={"seats": 4}))
    play_out(first)
    record = first.record()
    for frame in range(len(first.state.moves())):
        seat = first.state.moves()[frame][0]
        table = Table.from_record(record, frame, seat, "tag")
        assert table.is_mine
        play_out(table)
        again = table.record()
        assert again.deck == record.deck
        assert again.tags["again"] == record.key
        assert again.tags["from_move"] == frame


def test_the_card_counter_knows_every_card_that_is_not_seen() -> None:
    for game, unseen in (("doudizhu", 54 - 20), ("guandan", 108 - 27)):
        table = Table(Order(game, seed=3, settings=dict(REGISTRY.game(game).play_only)))
        drawn = scene(table.state, table.view, "en")
        assert sum(drawn.rest.values()) == unseen


@pytest.mark.parametrize(("language", "big"), [("en", "big joker"), ("zh", "大王")])
def test_the_jokers_are_called_in_the_language_of_the_page(language: Language, big: str) -> None:
    """By a screen reader on the table, in a row of cards and in a sentence: the same words."""
    state = doudizhu.GAME.start("3XD/56/56/", "standard", {"landlord": 0})
    drawn = scene_json(scene(state, state.view(0), language), state, 0, [Sitter("")] * 3, language)
    assert [card["label"] for card in drawn["hand"]] == [big, text("joker_small", language), "3"]
    assert f'aria-label="{big}"' in move_html("doudizhu", "XD", language)
    assert f'aria-label="{big}"' in move_html("guandan", "HRHR", language)
    assert spoken("guandan", "HR H9", language) == f"{big} 9♥"


def test_agents_hear_a_restored_or_undone_hand_once_and_keep_their_memory() -> None:
    """Undo and restoring begin the hand again for the agents, with every action told once and old hands remembered."""
    settings = {"seats": 2, "hands": 3}
    table = Table(Order("holdem", agents=("fold:preset=value,samples=40",), whole_match=True, settings=settings))

    def agent(of: Table) -> FoldAgent:
        made = of._agent(1)
        assert isinstance(made, FoldAgent)
        return made

    def is_told_once(of: Table) -> bool:
        heard, state = agent(of)._table, of.state
        assert heard is not None
        assert isinstance(state, HoldemState)
        return heard.actions == state.native.actions

    play_out(table)
    table.close_deal(lambda record: None)
    assert table.next_deal()
    learned = agent(table).memory()
    assert learned["habits"]
    while len(table.state.moves()) < 2 or not table.is_mine:
        let_agents_play(table)
        table.play("call" if "call" in map(str, table.view.legal_moves()) else "check")
    assert len(table.state.moves()) >= 2
    for same in (table, Table.from_json(json.loads(json.dumps(table.to_json())))):
        assert is_told_once(same)
        assert agent(same).memory() == learned
    table.undo()
    assert is_told_once(table)
    assert agent(table).memory() == learned
