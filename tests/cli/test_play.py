from tests.cli.shell import mingpai


def test_a_deal_is_played_in_the_terminal_until_the_player_leaves() -> None:
    keys = "?\nhint\n3\nundo\nnonsense\n33334444\nquit\n"
    answer = mingpai("play", "doudizhu", "--against", "rb", "--seed", "5", "--lang", "zh", stdin=keys)
    assert answer.code == 0, answer
    assert "344677888999TTQQA" in answer.out
    assert "expected a bid" in answer.out
    assert "Traceback" not in answer.err


def test_the_end_of_input_ends_the_deal_without_a_traceback() -> None:
    answer = mingpai("play", "holdem", "--seed", "2", stdin="fold\n")
    assert "Traceback" not in answer.err, answer


def test_a_seat_that_does_not_exist_is_refused() -> None:
    assert mingpai("play", "guandan", "--seat", "7").code == 2
