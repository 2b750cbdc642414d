"""The four rule bots of Guandan, from the smallest legal group to planning, counting and helping the partner.

They decide in the native core, from a view whose hidden cards say nothing.
"""

import dataclasses
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from mingpai.core.agent import Agent, NoSettings
from mingpai.core.decision import Candidate, Decision
from mingpai.core.game import View
from mingpai.core.notes import Note, Stages
from mingpai.core.reasons import Reason
from mingpai.games.guandan.view import GuandanView


class _RuleBot(Agent[NoSettings]):
    """A bot of the native core; the same view always gives the same play."""

    number: ClassVar[int]

    def decide(self, view: View) -> Decision:
        assert isinstance(view, GuandanView)
        start = time.perf_counter()
        move = view.native.bot_play(self.number)
        return Decision(
            move=move,
            candidates=[Candidate(move)],
            value_unit="points",
            reasons=[Reason(f"guandan.rule{self.number}")],
            seconds=time.perf_counter() - start,
            agent=self.spec,
        )


class Rule1(_RuleBot):
    """Plays the smallest legal group."""

    number = 1


class Rule2(_RuleBot):
    """Groups equal ranks, keeps bombs, lets the partner's play stand."""

    number = 2


class Rule3(_RuleBot):
    """Plans the whole hand as few groups."""

    number = 3


BEST_SHOWN = 8
"""Candidates of rule4 that a decision keeps."""


@dataclass(frozen=True)
class LeadScores(Note):
    """What rule4 gave each play, best first."""

    scores: Mapping[str, float]
    unit: str = "leads"


class Rule4(_RuleBot):
    """Plans, counts cards, weighs the lead, blocks opponents and helps the partner.

    Its decisions carry what it weighed: scores in leads gained, a pass being 0.
    """

    number = 4

    def decide(self, view: View) -> Decision:
        assert isinstance(view, GuandanView)
        decision = super().decide(view)
        scored = view.native.rule4_scores()[:BEST_SHOWN]
        if not scored:
            return decision
        note = LeadScores({str(play): round(score, 3) for play, score in scored})
        candidates = [Candidate(play) for play, _ in scored]
        return dataclasses.replace(decision, candidates=candidates, stages=Stages(decide=note))
