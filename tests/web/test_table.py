import json

import pytest

from mingpai.core.errors import MingpaiError
from mingpai.web.scenes import scene
from mingpai.web.table import Order, Table

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


def test_open_cards_are_marked_in_the_record() -> None:
    table = Table(Order("doudizhu", seed=3, settings={"landlord": 0}, open_cards=True))
    play_out(table)
    assert table.record().tags["open_cards"] is True
