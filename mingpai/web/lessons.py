"""Lessons: lists of positions with a question, the better move and a comment. JSON in, JSON out; some are built in."""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mingpai import api
from mingpai.agents.catalogue import REGISTRY
from mingpai.core.errors import BadlyWritten
from mingpai.core.reading import read_object
from mingpai.core.reasons import LANGUAGES, Language
from mingpai.web import home

SCHEMA = 1
MOST_STEPS = 100
MOST_LESSONS = 30
"""Lessons that a browser keeps."""
MOST_LETTERS = 1000
BUILT_IN = Path(__file__).parent / "lessons"

Words = Mapping[Language, str]


@dataclass(frozen=True)
class Step:
    """A position to think about."""

    position: Mapping[str, Any]
    """What the player sees, as the line protocol has it."""
    comment: Words
    best: str = ""
    """The move that is asked for; empty where the position is only shown."""

    def to_json(self) -> dict[str, Any]:
        return {"position": dict(self.position), "best": self.best, "comment": dict(self.comment)}


@dataclass(frozen=True)
class Lesson:
    """Positions of one game, in order."""

    game: str
    title: Words
    steps: tuple[Step, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        steps = [step.to_json() for step in self.steps]
        return {"schema": SCHEMA, "lesson": self.game, "title": dict(self.title), "positions": steps}

    def dumps(self) -> str:
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1)

    @classmethod
    def loads(cls, text: str) -> "Lesson":
        """The lesson of a file. Raises BadlyWritten."""
        return cls.from_json(read_object(text, "a lesson"))

    @classmethod
    def from_json(cls, data: Mapping[str, Any], *, is_own: bool = False) -> "Lesson":
        """A lesson, every position checked unless it was checked before. Raises BadlyWritten."""
        game, steps = data.get("lesson"), data.get("positions")
        if data.get("schema") != SCHEMA or game not in REGISTRY.games():
            raise BadlyWritten(str(game)[:40], f"a lesson of schema {SCHEMA} of {', '.join(REGISTRY.games())}")
        if not isinstance(steps, list) or not len(steps) <= MOST_STEPS:
            raise BadlyWritten("positions", f"a list of at most {MOST_STEPS} positions")
        return cls(str(game), _words(data.get("title")), tuple(_step(str(game), step, is_own) for step in steps))

    def without(self, number: int) -> "Lesson":
        return replace(self, steps=self.steps[:number] + self.steps[number + 1 :])


def _words(told: Any) -> Words:
    """A text in each language; a plain text serves for all."""
    if isinstance(told, str):
        return dict.fromkeys(LANGUAGES, told[:MOST_LETTERS])
    if isinstance(told, Mapping) and all(isinstance(word, str) for word in told.values()) and told:
        first = next(iter(told.values()))
        return {language: told.get(language, first)[:MOST_LETTERS] for language in LANGUAGES}
    raise BadlyWritten(str(told)[:40], "a text, or one for each language")


def _step(game: str, told: Any, is_own: bool) -> Step:
    if not isinstance(told, Mapping) or not isinstance(told.get("position"), Mapping):
        raise BadlyWritten(str(told)[:40], "a position of a lesson")
    best = told.get("best", "")
    if not isinstance(best, str):
        raise BadlyWritten(str(best)[:40], "a move")
    if not is_own:
        legal = api.legal_moves(game, told["position"])
        if best not in ("", *legal) and not best.startswith("raise "):
            raise BadlyWritten(best[:40], "a legal move of the position")
    return Step(dict(told["position"]), _words(told.get("comment", "")), best)


@functools.cache
def built_in() -> Mapping[str, Lesson]:
    """The lessons that come with the app, by name."""
    return {path.stem: Lesson.loads(path.read_text(encoding="utf-8")) for path in sorted(BUILT_IN.glob("*.json"))}


def own_lessons(who: str) -> dict[str, Lesson]:
    """The lessons that a browser made or opened, by name."""
    kept = home.load(_file(who))
    lessons: dict[str, Lesson] = {}
    for name, data in (kept if isinstance(kept, dict) else {}).items():
        try:
            lessons[name] = Lesson.from_json(data, is_own=True)
        except (BadlyWritten, AttributeError):
            continue
    return lessons


def keep_lesson(who: str, name: str, lesson: Lesson | None) -> None:
    """Keep a lesson under a name; None forgets it."""
    lessons = {other: kept for other, kept in own_lessons(who).items() if other != name}
    if lesson is not None:
        lessons[name] = lesson
    last = list(lessons.items())[-MOST_LESSONS:]
    home.save(_file(who), {other: kept.to_json() for other, kept in last})


def add_step(who: str, game: str, title: Words, step: Step) -> Lesson:
    """Put a position at the end of a browser's own lesson of a game."""
    name = f"own-{game}"
    lesson = own_lessons(who).get(name) or Lesson(game, title)
    lesson = replace(lesson, steps=(*lesson.steps, step)[-MOST_STEPS:])
    keep_lesson(who, name, lesson)
    return lesson


def _file(who: str) -> str:
    return f"lessons/{who}.json"
