"""The scatter plot of styles: mu against sigma, the six class regions, one point for each player."""

from collections.abc import Sequence
from pathlib import Path

from mingpai.core.errors import BadSetting
from mingpai.core.extras import optional
from mingpai.core.reasons import Language
from mingpai.methods.bidding.style import (
    CLASSES,
    SPREAD_BORDER,
    TENDENCIES,
    TENDENCY_BORDER,
    Formula,
    PlayerStyle,
)

SUFFIXES = (".svg", ".png")
COLOURS = dict(zip(TENDENCIES, ("tab:blue", "tab:green", "tab:red"), strict=True))
CJK_FONTS = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei",
             "SimHei", "Microsoft YaHei", "PingFang SC", "Heiti SC")  # fmt: skip
TOP = 1.1
"""Sigma may slightly exceed 1."""

WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "title": "Bidding styles of {count} players",
        "mu": "over-rating mu ({formula})",
        "sigma": "deviation sigma",
    },
    "zh": {"title": "{count} 名玩家的叫牌风格", "mu": "高估程度 μ（{formula}）", "sigma": "偏离程度 σ"},
}
FORMULAS: dict[Language, dict[Formula, str]] = {
    "en": {"signed": "signed", "printed": "as printed"},
    "zh": {"signed": "带符号", "printed": "论文原式"},
}


def draw_styles(
    styles: Sequence[PlayerStyle], path: Path, formula: Formula = "signed", language: Language = "en"
) -> None:
    """Writes the plot as SVG or PNG. Players without a class are left out."""
    if path.suffix not in SUFFIXES:
        raise BadSetting("plot", str(path), "a name that ends in .svg or .png")
    optional("matplotlib").use("Agg")
    from matplotlib import font_manager, pyplot

    installed = {font.name for font in font_manager.fontManager.ttflist}
    chinese = [name for name in CJK_FONTS if name in installed]
    if language == "zh" and path.suffix == ".png" and not chinese:
        raise BadSetting("plot", str(path), "an .svg name: no Chinese font is installed to draw a .png with")
    settings = {"svg.fonttype": "none", "font.sans-serif": [*(chinese or CJK_FONTS[:1]), "DejaVu Sans"]}
    words, placed = WORDS[language], [style for style in styles if style.style(formula) is not None]
    with pyplot.rc_context(settings if language == "zh" else {}):
        figure, axes = pyplot.subplots(figsize=(7.5, 6), layout="constrained")
        borders = (-1.05, -TENDENCY_BORDER, TENDENCY_BORDER, 1.05)
        for kind in CLASSES:
            place = TENDENCIES.index(kind.tendency)
            low, high = (0.0, SPREAD_BORDER) if kind.rational else (SPREAD_BORDER, TOP)
            axes.fill_between(borders[place : place + 2], low, high, color=COLOURS[kind.tendency],
                              alpha=0.08 if kind.rational else 0.18, linewidth=0)  # fmt: skip
            middle = (borders[place] + borders[place + 1]) / 2
            axes.text(middle, high - 0.03, kind.name(language), ha="center", va="top", fontsize=8)
        axes.scatter([style.mu(formula) for style in placed], [style.sigma for style in placed], s=9, color="black",
                     alpha=0.5, linewidths=0)  # fmt: skip
        axes.set(xlim=(-1.05, 1.05), ylim=(0, TOP), xlabel=words["mu"].format(formula=FORMULAS[language][formula]),
                 ylabel=words["sigma"], title=words["title"].format(count=len(placed)))  # fmt: skip
        metadata = {"Date": None} if path.suffix == ".svg" else {}
        figure.savefig(path, dpi=130, metadata=metadata)
        pyplot.close(figure)
