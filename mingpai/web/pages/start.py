"""The first page: what there is."""

import html

from nicegui import ui

from mingpai.agents.catalogue import REGISTRY
from mingpai.web.faces import Face, doudizhu_face, face_html, row_html, suited_face
from mingpai.web.frame import PAGES, language, page, say
from mingpai.web.panels.dailies import deal_door, puzzle_door

ICONS = {"play": "style", "solve": "extension", "analyse": "psychology", "replay": "movie", "styles": "scatter_plot",
         "arena": "emoji_events", "rules": "menu_book", "lessons": "school"}  # fmt: skip
SHOWN: dict[str, list[Face]] = {
    "doudizhu": [doudizhu_face(rank) for rank in "DX2AK"],
    "guandan": [suited_face("2", "H", "H2", "wild"), suited_face("A", "S", "SA"), suited_face("K", "S", "SK"),
                suited_face("Q", "S", "SQ"), suited_face("J", "S", "SJ")],
    "holdem": [suited_face("A", "H", "Ah"), suited_face("K", "S", "Ks")],
}  # fmt: skip


@ui.page("/")
def start_page() -> None:
    with page("app"):
        fan = "".join(face_html(face, language()) for face in SHOWN["guandan"][1:] + SHOWN["doudizhu"][:2])
        ui.html(f'<div class="mp-hero"><div><h1>{html.escape(say("app"))}</h1><p>{html.escape(say("tagline"))}</p>'
                f'<p class="mp-sub">{html.escape(say("offline"))}</p></div>'
                f'<div class="mp-fan">{fan}</div></div>', sanitize=False).classes("w-full")  # fmt: skip
        with ui.element("div").classes("mp-doors"):
            deal_door("doudizhu")
            puzzle_door()
        with ui.element("div").classes("mp-doors"):
            for game in REGISTRY.games():
                _door(f"/play?game={game}", say(game), say(f"about_{game}"), cards=SHOWN[game])
        with ui.element("div").classes("mp-doors"):
            for name in ("lessons", *PAGES[1:]):
                _door(f"/{name}", say(name), say(f"about_{name}"), icon=ICONS[name])


def _door(target: str, title: str, words: str, icon: str = "", cards: list[Face] | None = None) -> None:
    with ui.link(target=target).classes("mp-door"):
        with ui.element("div").classes("row no-wrap"):
            ui.label(title).classes("title")
            if icon:
                ui.icon(icon)
        if cards:
            ui.html(row_html(cards, language(), "small"), sanitize=False)
        ui.label(words).classes("mp-soft")
