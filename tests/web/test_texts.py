import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import mingpai.web
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.holdem_styles import Style
from mingpai.core.errors import BadlyWritten, IllegalHere, MingpaiError
from mingpai.core.notes import BySeat, Listed, Note
from mingpai.core.reasons import LANGUAGES, Reason
from mingpai.methods.abduction.knowledge import pseudo_text
from mingpai.methods.abduction.stages import SeenNote
from mingpai.methods.bidding.stages import WorthNote
from mingpai.methods.handreading import algorithm2
from mingpai.methods.handreading.decide import Policy
from mingpai.methods.handreading.model import Habits
from mingpai.methods.handreading.plan import PLANS
from mingpai.methods.handreading.settings import Reading
from mingpai.records.replay import ReplayFailed
from mingpai.web.complaints import in_words
from mingpai.web.limits import offered
from mingpai.web.noted import Teller, kind_word, name_word, names
from mingpai.web.texts import text, texts

SOURCES = sorted(Path(mingpai.web.__file__).parent.rglob("*.py"))
USED = sorted({key for path in SOURCES for key in re.findall(r'\b(?:say|text)\("([a-z_0-9]+)"', path.read_text())})


@pytest.mark.parametrize("key", sorted(texts()))
def test_every_text_is_complete_in_both_languages(key: str) -> None:
    entry = texts()[key]
    assert set(entry) == set(LANGUAGES)
    assert set(re.findall(r"{(\w+)}", entry["en"])) == set(re.findall(r"{(\w+)}", entry["zh"]))


def test_every_text_used_exists() -> None:
    assert len(USED) > 20
    assert set(USED) <= set(texts())


def test_names_are_filled_in() -> None:
    assert text("seat", "en", seat=2) == "Seat 2"


def kinds_of_notes() -> Iterator[type[Note]]:
    """Every kind of note that an agent of the app can make."""
    for game in REGISTRY.games():
        for name in offered(game):
            REGISTRY.entry(game, name).load()
    found = [Note]
    for kind in found:
        found += kind.__subclasses__()
    ours = (kind for kind in found if kind.__module__.startswith("mingpai."))
    yield from (kind for kind in ours if kind not in (Note, Listed, BySeat))


@pytest.mark.parametrize("key", sorted(names()))
def test_every_name_of_a_note_is_complete_in_both_languages(key: str) -> None:
    assert set(names()[key]) == set(LANGUAGES)
    assert not names()[key]["zh"].isascii()


def test_every_name_that_a_note_can_have_is_known() -> None:
    fields = {field.name for kind in kinds_of_notes() for field in dataclasses.fields(kind)}
    used = fields - {"code", "values", "facts"}  # written as `class`, by bid, and beside the rest
    used |= {field.name for kind in (Style, Habits) for field in dataclasses.fields(kind)}
    fixed = (algorithm2.Facing, algorithm2.Special, Policy, Reading)
    used |= set(PLANS) | {word for some in fixed for word in get_args(some)}
    assert len(used) > 80
    assert [word for word in sorted(used) if word and name_word(word, "zh").isascii()] == []


def test_a_kind_of_play_is_told_in_words() -> None:
    assert kind_word("bomb 4xT", "en") == "bomb 4 × 10"
    assert kind_word("single R", "zh") == "单张 大王"
    assert kind_word("34567", "zh") == ""
    assert [pseudo for pseudo in map(pseudo_text, range(168)) if name_word(pseudo, "zh").isascii()] == []


def test_a_note_tells_seats_and_bids_by_their_words() -> None:
    teller = Teller("zh", lambda seat: f"座{seat}")
    left = {"座0": 1, "座1": 2, "座2": 3, "座3": 4}
    assert teller.tell(SeenNote(5, (1, 2, 3, 4))) == {"已见的出牌": 5, "各家余牌": left}
    assert teller.tell(WorthNote({3: 1.5, 0: -0.5})) == {"叫 3 分": 1.5, "不叫": -0.5}


@pytest.mark.parametrize("error", [
    ReplayFailed("event 3"), MingpaiError("line 2: no"), MingpaiError("something that nobody thought of"),
    BadlyWritten({"hand": "33"}, "a position that the rules allow"),
    BadlyWritten("33", "17 cards after this history, found 2"),
])  # fmt: skip
def test_no_mistake_is_told_in_english_on_a_chinese_page(error: MingpaiError) -> None:
    assert not re.search("[A-Za-z]{2}", in_words(error, "zh"))
    assert in_words(error, "en").isascii()


def test_cards_of_an_illegal_play_are_told_without_codes() -> None:
    error = IllegalHere("H9 SB", Reason("guandan.no_combination", {"cards": "H9 SB"}))
    assert in_words(error, "zh") == "9♥ 小王 不成牌型"
    error = IllegalHere("3 X", Reason("doudizhu.no_combination", {"cards": "3 X", "rules": "standard"}))
    assert in_words(error, "en") == "3 small joker is no combination under the rules in common use"
    assert in_words(error, "zh") == "按 通行 规则，3 小王 不成牌型"


def test_a_file_that_is_no_text_is_called_so() -> None:
    error = BadlyWritten(b"\x89PNG", "text in UTF-8", 0)
    assert in_words(error, "en") == "This file cannot be read: it is no text."
    assert in_words(error, "zh") == "这个文件无法读取：它不是文本。"
