"""The hook of mkdocs.yml: pages of the whole project at their own paths, and every file they link to.

The site has the paths of the repository, so one link serves both. On the Chinese site the Chinese README is the first
page and the English one a page beside it.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "README.zh-CN.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**/*.md",
         "mingpai/methods/*/*.md", "mingpai/games/*/RULES.md", "experiments/results/**/*.md")  # fmt: skip
ENGLISH, CHINESE = "README.md", "README.zh-CN.md"
MOVED = {ENGLISH: "README.en.md", CHINESE: "README.md"}
"""Where the two are on the Chinese site."""
SEARCH = "docs/iframe-worker.js"
"""What lets the search work in a site that is opened as files."""
_LINK = re.compile(r"\]\(([^)#\s]+)")
_WHOLE_LINK = re.compile(r"!?\[([^\]]*)\]\(([^)#\s]+)\)")


def pages(root: Path = ROOT) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for pattern in PAGES for path in root.glob(pattern))


def linked(page: str, root: Path = ROOT) -> Iterator[str]:
    """The files of the project that a page links to or shows, pages left out."""
    for target in _LINK.findall((root / page).read_text("utf-8")):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
        if "://" not in target and not path.startswith("..") and not path.endswith(".md") and (root / path).is_file():
            yield path


def is_chinese(config: Any) -> bool:
    return str(config.theme["language"]) == "zh"


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File, Files

    moved = MOVED if is_chinese(config) else {}
    wanted = {moved.get(page, page): page for page in pages()}
    wanted |= {path: path for page in pages() for path in linked(page)} | {SEARCH: SEARCH}
    ours = [File.generated(config, uri, abs_src_path=str(ROOT / path)) for uri, path in sorted(wanted.items())]
    theirs = [file for file in files if not str(file.abs_src_path or "").startswith(str(ROOT / "docs"))]
    return Files([*theirs, *ours])


def on_config(config: Any) -> Any:
    if is_chinese(config):
        config.nav = [{title: MOVED.get(page, page) if isinstance(page, str) else page}
                      for part in config.nav for title, page in part.items()]  # fmt: skip
    return config


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Links to the two READMEs follow them; a link that only the repository can follow becomes its words."""
    moved = MOVED if is_chinese(config) else {}
    home = {target: path for path, target in moved.items()}.get(page.file.src_uri, page.file.src_uri)
    return _WHOLE_LINK.sub(lambda link: _link(link, home, moved), markdown)


def _link(link: re.Match[str], page: str, moved: Mapping[str, str]) -> str:
    folder = posixpath.dirname(page)
    path = posixpath.normpath(posixpath.join(folder, link[2]))
    if "://" in link[2] or link[0].startswith("!"):
        return link[0]
    if path in moved:
        return f"[{link[1]}]({posixpath.relpath(moved[path], folder or '.')})"
    return link[0] if (ROOT / path).is_file() else link[1]
