import ast
import dataclasses
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest

import mingpai.web
from mingpai.agents.catalogue import REGISTRY
from mingpai.agents.holdem_styles import Style
from mingpai.core.errors import BadlyWritten, BadSetting, IllegalHere, MingpaiError
from mingpai.core.notes import BySeat, Listed, Note
from mingpai.core.reasons import LANGUAGES, Reason
from mingpai.games.holdem.equity import equity
from mingpai.methods.abduction.knowledge import pseudo_text
from mingpai.methods.abduction.stages import SeenNote
from mingpai.methods.bidding.stages import WorthNote
from mingpai.methods.endgame.solver import solve
from mingpai.methods.handreading import algorithm2
from mingpai.methods.handreading.decide import Policy
from mingpai.methods.handreading.model import Habits
from mingpai.methods.handreading.plan import PLANS
from mingpai.methods.handreading.settings import Reading
from mingpai.records.replay import ReplayFailed
from mingpai.web.complaints import in_words
from mingpai.web.lessons import Lesson
from mingpai.web.limits import check, offered
from mingpai.web.noted import Teller, kind_word, name_word, names
from mingpai.web.sharing import unpack
from mingpai.web.table import Order, Table
from mingpai.web.texts import text, texts
from mingpai.web.uploads import poker_hands_in, records_in

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


PACKAGE = Path(mingpai.web.__file__).parents[1]
REACHED = [
    *PACKAGE.glob("web/**/*.py"), *PACKAGE.glob("games/**/*.py"),
    PACKAGE / "api.py", PACKAGE / "agents" / "holdem_cfr.py", PACKAGE / "arena" / "engines.py",
    *(PACKAGE / "core" / f"{name}.py" for name in ("event", "game", "reading", "registry", "settings")),
    *(PACKAGE / "records" / f"{name}.py" for name in
      ("acpc_log", "film", "handhistory", "jsonl", "phh", "poker", "pokerstars", "record", "replay")),
    *(PACKAGE / "methods" / "endgame" / f"{name}.py" for name in ("puzzles", "shelf", "solver", "truth", "walk")),
    *(PACKAGE / "methods" / "bidding" / f"{name}.py" for name in ("raw", "style")),
]  # fmt: skip
"""Where the mistakes come from that a page can show: files and links, positions, the table, matches, puzzles."""
ELSEWHERE = ("cannot listen on", "a hand of the text")
"""Messages of these files that only the command line can show."""


def raised(kind: str) -> Iterator[tuple[str, str]]:
    """Each place that raises a mistake of this class, and its message: the literal words, 7 for what is filled in."""
    for path in REACHED:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == kind:
                words = _literal(node.args[{"MingpaiError": 0, "BadlyWritten": 1, "BadSetting": 2}[kind]])
                if words.strip(" 7,:()") and not words.startswith(ELSEWHERE):
                    yield f"{path.relative_to(PACKAGE)}:{node.lineno}", words


def _literal(node: ast.expr) -> str:
    if isinstance(node, ast.IfExp):
        return _literal(node.body)
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in parts)


QUOTED = re.compile(r"“[^”]*”|PHH|ACPC|PokerStars|jsonl|JSON|QQ\+, AKs, KQo|SA、HT")
"""What stands in letters on Chinese pages too: what somebody wrote, names of formats, how cards are written."""


@pytest.mark.parametrize("kind", ["MingpaiError", "BadlyWritten", "BadSetting"])
def test_every_mistake_that_a_page_can_show_has_chinese_words_of_its_own(kind: str) -> None:
    """No "that did not work" without a reason, no English."""
    vague = (text("went_wrong", "zh"), text("expected_other", "zh"))
    made: dict[str, Callable[[str], MingpaiError]] = {
        "MingpaiError": MingpaiError,
        "BadlyWritten": lambda words: BadlyWritten("字", words),
        "BadSetting": lambda words: BadSetting("seed", "字", words),
    }
    told = {(place, words): in_words(made[kind](words), "zh") for place, words in raised(kind)}
    assert len(told) > {"MingpaiError": 12, "BadlyWritten": 100, "BadSetting": 30}[kind]
    poor = {place: said for place, said in told.items()
            if said.endswith(vague) or re.search("[A-Za-z]{2}", QUOTED.sub("", said))}  # fmt: skip
    assert poor == {}


@pytest.mark.parametrize(("make", "zh"), [
    (lambda: unpack("not a link"), "链接不完整，请复制整个链接。"),
    (lambda: Lesson.loads('{"game": "chess"}'), "这不是明牌的课程文件，或其中的局面有误。"),
    (lambda: records_in(b""), "文件是空的。"),
    (lambda: records_in(b'{"schema": 1}'), "文件第 1 行不是可读的牌谱。"),
    (lambda: poker_hands_in(b"no hands here"), "无法读作无限注德州扑克的牌谱（PHH、ACPC、PokerStars 或 .jsonl）。"),
    (lambda: solve("", down="3", up="4"), "每手牌至少要有一张。"),
    (lambda: solve("3", farmer="4", last="35", by="farmer"), "要压的这手牌按此规则不成牌型。"),
    (lambda: solve("3333", farmer="3"), "牌堆里没有这么多同样的牌。"),
    (lambda: equity(["AhKd", "AhQd"]), "这些手牌和公共牌不可能同时出现：有牌用了两次，或范围为空。"),
    (lambda: equity(["AhKd", "QQ"], "AsAs2s"), "同一张牌用了两次。"),
    (lambda: equity(["ZZ+", "QQ"]), "从第 1 个字起看不懂“ZZ+”。请写范围，例如 QQ+, AKs, KQo。"),
    (lambda: Table(Order("doudizhu", agents=("random",), seat=9)), "牌桌上没有这个座位。"),
    (lambda: check("doudizhu", "nobody"), "选手：“nobody”不行。请从所列选项中选择。"),
])  # fmt: skip
def test_what_a_user_does_wrong_is_told_in_chinese(make: Callable[[], object], zh: str) -> None:
    with pytest.raises(MingpaiError) as caught:
        make()
    assert in_words(caught.value, "zh") == zh


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
