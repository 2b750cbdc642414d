"""The work that the server hands to its worker processes: plain arguments in, plain results out."""

import copyreg
import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from mingpai import api
from mingpai._native.endgame import Position
from mingpai.agents.catalogue import REGISTRY
from mingpai.arena.match import play_plan
from mingpai.arena.plan import duel
from mingpai.arena.result import DealResult
from mingpai.core.decision import Belief, Decision
from mingpai.core.errors import BadSetting, MingpaiError
from mingpai.games.doudizhu.moves import Move
from mingpai.games.doudizhu.rules import Rules, rules_of
from mingpai.games.doudizhu.state import DoudizhuState
from mingpai.games.holdem.equity import equity
from mingpai.methods.bidding.compared import Compared
from mingpai.methods.bidding.style import StyleTable
from mingpai.methods.endgame import walk
from mingpai.methods.endgame.puzzles import Puzzle, new_puzzles
from mingpai.methods.endgame.solver import Solution, solve, solve_position
from mingpai.methods.endgame.truth import truth_of_deal
from mingpai.methods.handreading.agent import Reading
from mingpai.methods.handreading.story import tell
from mingpai.records.film import Judgement
from mingpai.records.jsonl import BadLine, GoodLine
from mingpai.records.poker import hands_in, history_of_record
from mingpai.records.record import Record
from mingpai.records.store import Report, checked
from mingpai.records.styles import StyleStatistics, style_statistics
from mingpai.web.beliefs import Marginals, allowed_hands
from mingpai.web.games import film_of, kept
from mingpai.web.lessons import Lesson
from mingpai.web.limits import hire
from mingpai.web.logs import Log, decisions_in, styles_in
from mingpai.web.ownplay import OwnPlay, own_plays
from mingpai.web.table import Table
from mingpai.web.uploads import MAX_RECORDS, poker_hands_in, records_in, text_in

copyreg.pickle(Position, lambda p: (Position, (p.hands, p.turn, p.last, p.last_by)))
copyreg.pickle(Rules, lambda rules: (rules_of, (rules.name,)))


@dataclass(frozen=True)
class ToldBelief(Belief):
    """What a belief says of each seat, without the worlds behind it."""

    told: Mapping[str, Mapping[str, float]]

    def marginals(self) -> Mapping[str, Mapping[str, float]]:
        return self.told

    def sample(self, rng: Any, count: int) -> NoReturn:
        raise NotImplementedError("the worlds stayed in the process that decided")

    def log_prob(self, world: Any) -> NoReturn:
        raise NotImplementedError("the worlds stayed in the process that decided")


def told(decision: Decision) -> Decision:
    """A Decision that can travel between processes."""
    if decision.belief is None:
        return decision
    marginals = {seat: dict(row) for seat, row in decision.belief.marginals().items()}
    return dataclasses.replace(decision, belief=ToldBelief(marginals))


# --- at the table


def agent_decision(table: Mapping[str, Any]) -> Decision:
    """What the agent to move at a saved table decides."""
    return told(Table.from_json(table).agent_decision())


def hint(table: Mapping[str, Any]) -> Decision:
    """What the helper would play in the person's place."""
    return told(Table.from_json(table).hint())


def remembered(table: Mapping[str, Any]) -> dict[str, Any]:
    """What the agents of a finished deal remember of it."""
    return Table.from_json(table).remembered()


def par(table: Mapping[str, Any]) -> float:
    """What the helper scores in the person's place, with the same cards against the same opponents."""
    played = Table.from_json(table)
    while played.state.moves():
        played.state.undo()
    while not played.state.is_over:
        played.state.play((played.hint() if played.is_mine else played.agent_decision()).move)
    return played.state.points()[played.seat]


def judge(record: Record, frame: int, spec: str) -> Judgement:
    """What an agent thinks of a recorded move."""
    return film_of(record).judge(frame, hire(record.game, spec))


def open_truth(record: Record, seconds: float) -> list[bool | None]:
    """Whether the landlord wins before each card play, with open cards; None where it was not proved in time."""
    film = film_of(record)
    end = film.at(film.frames)
    if not isinstance(end, DoudizhuState):
        return []
    return [point.landlord_wins for point in truth_of_deal(end, seconds=seconds, memory=walk.MEMORY)]


def think(game: str, position: str, spec: str) -> tuple[Decision, Marginals | None]:
    """A decision, and what the rules allow of the hidden hands where the agent tells no belief."""
    view = api.view(game, position)
    decision = told(api.decide(game, view, hire(game, spec)))
    return decision, allowed_hands(view) if decision.belief is None else None


def play_deal(game: str, sides: Sequence[str], seed: int, number: int, records: Path) -> list[DealResult]:
    """One deal of an arena match."""
    for side in sides:
        hire(game, side)
    rules = REGISTRY.game(game)
    plan = duel(rules, *sides, seed=seed, setup=rules.play_only)
    return play_plan(plan, 1, first=number, records=records).results


# --- proofs


def prove(position: Position, rules: Rules) -> Solution:
    """Every move of an open position."""
    return walk.prove(position, rules)


def landlord_wins(position: Position, rules: Rules) -> bool | None:
    """Who wins an open position; None where that is not proved in time."""
    return solve_position(position, rules, line=False, seconds=walk.SOLVE_SECONDS, memory=walk.MEMORY).landlord_wins


def reply(position: Position, rules: Rules) -> Move:
    """The solver's move in a walk."""
    return walk.best_reply(position, rules)


def make_puzzle(difficulty: int, seed: int) -> Puzzle:
    return next(new_puzzles(difficulty, seed))


# --- files and stored games


def read_records(content: bytes) -> list[Record]:
    return records_in(content)


def read_lesson(content: bytes) -> Lesson:
    return Lesson.loads(text_in(content))


def styles_of_hands(content: bytes) -> dict[str, StyleStatistics]:
    """How the players of a file of hold'em hands bet."""
    return style_statistics(poker_hands_in(content))


def styles_of_stored(folder: Path, who: str, most: int) -> dict[str, StyleStatistics]:
    """How the players of the hold'em hands played in one browser bet."""
    records = [record for record in kept(most, "holdem", who, folder) if record.points is not None]
    return style_statistics(history_of_record(record) for record in records)


def own_play(folder: Path, who: str, most: int) -> dict[str, OwnPlay]:
    """How the person at a browser has done, by game."""
    return own_plays(kept(most, who=who, folder=folder))


def bidding_styles(log: Log) -> StyleTable:
    return styles_in(log)


def bidding_decisions(log: Log, player: str, most: int) -> list[Compared]:
    return decisions_in(log, player, most)


# --- the API


def api_legal(game: str, position: Mapping[str, Any]) -> list[str]:
    return api.legal_moves(game, position)


def api_decide(game: str, position: Mapping[str, Any], spec: str, seed: int) -> dict[str, Any]:
    return api.decide(game, position, hire(game, spec, seed)).to_json()


def api_solve(asked: Mapping[str, Any]) -> dict[str, Any]:
    return solve(**asked, memory=walk.MEMORY).to_json()


def api_equity(players: Sequence[str], board: str, dead: str, samples: int, seed: int) -> dict[str, Any]:
    return equity(players, board, dead, samples=samples, seed=seed).to_json()


def api_read(text: str, wanted: int, seat: int, reading: Reading) -> list[dict[str, Any]]:
    for number, hand in enumerate(hands_in(text), start=1):
        if number == wanted:
            return [moment.to_json() for moment in tell(hand, seat, reading)]
    raise BadSetting("number", wanted, "a hand of the text")


def api_style(log: str, least: int) -> dict[str, Any]:
    players = style_statistics(hands_in(log))
    return {name: own.to_json() for name, own in players.items() if own.hands >= least}


def api_bidding(log: str) -> dict[str, Any]:
    return styles_in(log.encode()).to_json()


def api_verify(text: str) -> dict[str, Any]:
    report = Report()
    for _ in checked(_lines(text), report, REGISTRY.game):
        pass
    return report.to_json()


def _lines(text: str) -> list[GoodLine | BadLine]:
    lines: list[GoodLine | BadLine] = []
    for number, line in enumerate(text.splitlines()[:MAX_RECORDS], start=1):
        if line.strip():
            try:
                lines.append(GoodLine(number, Record.loads(line)))
            except MingpaiError as error:
                lines.append(BadLine(number, error))
    return lines
