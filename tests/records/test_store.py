"""The DuckDB store: import, duplicates, bad lines, queries and the three exports."""

import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from numpy.typing import NDArray

from mingpai.agents.catalogue import REGISTRY as GAMES
from mingpai.arena.table import play_deal
from mingpai.core.errors import MingpaiError, NotInstalled
from mingpai.core.game import View
from mingpai.records import store as store_module
from mingpai.records.features import Features, dense_masks, export_npz, features_of
from mingpai.records.jsonl import RecordWriter, read_records
from mingpai.records.record import Record
from mingpai.records.replay import positions
from mingpai.records.store import Store
from tests.contract.games import present
from tests.contract.toy import LITTLE, REGISTRY
from tests.records.test_jsonl import played


def write(path: Path, seeds: range) -> Path:
    with RecordWriter(path) as writer:
        for seed in seeds:
            writer.write(played(seed))
    return path


def test_import_keeps_each_deal_once_and_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "BATCH", 7)
    path = write(tmp_path / "games.jsonl", range(40))
    with Store(tmp_path / "games.duckdb") as store:
        report = store.import_file(path, REGISTRY.game)
        assert (report.read, report.good, report.added, report.bad) == (40, 40, 40, 0)
        assert store.import_file(path, REGISTRY.game).added == 0
        assert store.add(played(seed) for seed in range(35, 50)) == 10
    with Store(tmp_path / "games.duckdb", read_only=True) as store:
        assert store.count() == 50
        assert list(store.records()) == [played(seed) for seed in range(50)]
        assert store.count("game = 'little' AND list_contains(winners, 0)") == sum(
            0 in played(seed).winners for seed in range(50)
        )


def test_a_batch_with_the_same_deal_twice_is_kept_once(tmp_path: Path) -> None:
    with Store(None) as store:
        assert store.add([played(1), played(1)]) == 1


def test_bad_lines_and_broken_games_are_reported_and_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "games.jsonl", range(3))
    wrong = played(7).to_json() | {"points": [0, 0, 0]}
    unknown = played(7).to_json() | {"game": "whist"}
    with path.open("a") as file:
        file.write("nonsense\n" + json.dumps(wrong) + "\n" + json.dumps(unknown) + "\n")
    with Store(None) as store:
        report = store.import_file(path, REGISTRY.game)
    assert (report.read, report.good, report.added, report.bad) == (6, 3, 3, 3)
    assert [line.number for line in report.errors] == [4, 5, 6]
    assert "points" in str(report.errors[1])
    assert "whist" in str(report.errors[2])


@pytest.mark.parametrize("name", ["\x00", "\ud800", "李😀", "'); DROP TABLE records; --", "\\", '"'])
def test_any_player_name_is_kept_or_refused_clearly(tmp_path: Path, name: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(played(1).to_json() | {"players": [name, "b", "c"]}) + "\n")
    with Store(None) as store:
        report = store.import_file(path, None)
        assert report.added + report.bad == 1
        kept = [record.players[0] for record in store.records()]
        assert kept == [name] * report.added


def test_a_record_is_found_by_the_start_of_its_key() -> None:
    with Store(None) as store:
        store.add(played(seed) for seed in range(40))
        assert store.find(played(3).key[:10]) == played(3)
        with pytest.raises(MingpaiError, match="no record"):
            store.find("zz")
        with pytest.raises(MingpaiError, match="several"):
            store.find("")


def test_exports_hold_what_was_imported(tmp_path: Path) -> None:
    with Store(None) as store:
        store.add(played(seed) for seed in range(20))
        assert store.export_jsonl(tmp_path / "out.jsonl", "list_contains(winners, ?)", [0]) == store.count(
            "list_contains(winners, 0)"
        )
        assert store.export_parquet(tmp_path / "it's.parquet") == 20
    assert all(0 in record.winners for record in read_records(tmp_path / "out.jsonl"))
    lines = duckdb.execute(f"SELECT line FROM read_parquet('{tmp_path}/it''s.parquet')").fetchall()
    assert [Record.loads(line) for (line,) in lines] == [played(seed) for seed in range(20)]


def test_a_bad_condition_is_a_clear_error(tmp_path: Path) -> None:
    with Store(None) as store, pytest.raises(MingpaiError, match="refuses the query"):
        store.count("nonsense = 1")


def test_a_store_that_is_missing_or_no_store_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(MingpaiError, match="no record store"):
        Store(tmp_path / "none.duckdb", read_only=True)
    (tmp_path / "text.duckdb").write_text("not a database, but long enough to be looked at as if it were one")
    with pytest.raises(MingpaiError, match="cannot open"):
        Store(tmp_path / "text.duckdb")


MOVES = list(LITTLE.all_moves())


class LittleFeatures:
    """Counts of one's own ranks; all moves of the game by number."""

    FEATURE_VERSION = 7

    def observation(self, view: View) -> NDArray[Any]:
        return np.array([view.to_json()["hand"].count(rank) for rank in "12345"], np.int8)

    def action_count(self, rules: str) -> int:
        return len(MOVES)

    def choice(self, view: View, move: Any) -> tuple[list[int], int]:
        return [MOVES.index(legal) for legal in view.legal_moves()], MOVES.index(move)


def test_npz_shards_hold_features_masks_moves_and_results(tmp_path: Path) -> None:
    features = LittleFeatures()
    assert isinstance(features, Features)
    records = [played(seed) for seed in range(30)]
    seen = [(state.view(seat), move) for record in records for state, seat, move in positions(record, LITTLE)]
    assert export_npz(records, LITTLE, features, tmp_path / "set.npz", shard=100) == len(seen)
    shards = sorted(tmp_path.glob("set-*.npz"))
    assert len(shards) == -(-len(seen) // 100)
    with np.load(shards[0]) as data:
        assert data["version"] == 7
        assert data["features"].shape == (100, 5)
        masks = dense_masks(data, np.arange(100))
        assert masks.shape == (100, len(MOVES))
        for row, (view, move) in enumerate(seen[:100]):
            assert MOVES[data["action"][row]] == move
            assert {MOVES[int(number)] for number in np.flatnonzero(masks[row])} == set(view.legal_moves())
        for number, seat, points, won in zip(data["record"], data["seat"], data["points"], data["won"], strict=True):
            expected = records[number].points
            assert expected is not None
            assert expected[seat] == points
            assert won == (seat in records[number].winners)


def test_an_export_of_nothing_is_an_empty_shard(tmp_path: Path) -> None:
    assert export_npz([], LITTLE, LittleFeatures(), tmp_path / "none.npz") == 0
    with np.load(tmp_path / "none-00000.npz") as data:
        assert len(data["action"]) == 0


@pytest.mark.parametrize("name", [name for name in present() if name not in ("kuhn", "little")])
def test_games_become_arrays(tmp_path: Path, name: str) -> None:
    features, game = features_of(name), GAMES.game(name)
    state = game.deal(1, "", game.play_only or None)
    record = play_deal(state, [GAMES.agent(name, "random", seat) for seat in range(state.seats)])
    made = export_npz([record], game, features, tmp_path / "set.npz")
    assert made == len(state.moves())
    with np.load(tmp_path / "set-00000.npz") as data:
        assert len(data["features"]) == made
        assert np.isfinite(data["features"]).all()
        masks = dense_masks(data, np.arange(made))
        assert masks[np.arange(made), data["action"]].all()
        assert masks.sum() == len(data["legal"])


def test_a_game_without_features_says_so() -> None:
    with pytest.raises(NotInstalled, match="feature layout"):
        features_of("kuhn")
