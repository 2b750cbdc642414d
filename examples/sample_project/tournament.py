"""A small project on top of the API: an agent of its own, a match, its records, a position explained.

python examples/sample_project/tournament.py
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import mingpai
from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.match import play_plan
from mingpai.arena.plan import duel
from mingpai.arena.table import play_deal
from mingpai.core.agent import Agent
from mingpai.core.decision import Candidate, Decision
from mingpai.core.errors import MingpaiError
from mingpai.core.game import View
from mingpai.core.settings import setting
from mingpai.records.record import Record
from mingpai.records.replay import replay


@dataclass(frozen=True)
class PatientSettings:
    """How patient the player is."""

    least: int = setting(2, "Cards that a move must have to be led, where there is one.", (1, 20))


class PatientAgent(Agent[PatientSettings]):
    """Leads long moves first and follows with the cheapest."""

    Settings = PatientSettings

    def decide(self, view: View) -> Decision:
        moves = view.legal_moves()
        long = [move for move in moves if len(str(move)) >= self.settings.least and str(move) != "pass"]
        return Decision((long or moves)[0], [Candidate(move) for move in moves[:3]], agent=self.spec)


def own_games(count: int) -> list[Record]:
    """Deals between three patient players."""
    game = REGISTRY.game("doudizhu")
    players = [PatientAgent(PatientSettings(), game="doudizhu", spec="patient") for _ in range(3)]
    return [play_deal(game.deal(seed, "", game.play_only), players, seed=seed) for seed in range(count)]


def share_of_landlords(records: list[Record]) -> float:
    return sum(0 in record.winners for record in records) / len(records)


def keep(records: list[Record], folder: Path) -> Path:
    path = folder / "games.jsonl"
    path.write_text("".join(record.dumps() + "\n" for record in records), encoding="utf-8")
    return path


def main() -> None:
    records = own_games(20)
    with tempfile.TemporaryDirectory() as folder:
        lines = keep(records, Path(folder)).read_text("utf-8").splitlines()
    again = [replay(Record.loads(line), REGISTRY.game("doudizhu")) for line in lines]
    assert [list(state.points()) for state in again] == [list(record.points or ()) for record in records]
    print(f"landlords win {share_of_landlords(records):.0%} of {len(records)} deals")

    game = REGISTRY.game("doudizhu")
    summary = play_plan(duel(game, "greedy", "random", seed=1, setup=game.play_only), deals=10).summary()
    print(f"greedy against random: {summary.sides[0].total.win_rate}")

    position: dict[str, object] = {"seat": "landlord", "hand": "3344556677889TJQKA2D", "bottom": "33D", "history": []}
    decision: Decision = mingpai.decide("doudizhu", position, "greedy", seed=1)
    print(decision.move, [reason.render("en") for reason in decision.reasons])
    solution = mingpai.solve("4667788QK2", "334455QK2", all_moves=True)
    print(solution.landlord_wins, [str(move) for move in solution.winning_moves])
    try:
        mingpai.legal_moves("doudizhu", position | {"hand": "33333"})
    except MingpaiError as error:
        print(f"refused: {error}")


if __name__ == "__main__":
    main()
