"""Settings of agents and trainings: declared once, read in one way.

A settings class is a frozen dataclass. `setting(default, help, ...)` declares a field with its help and its range;
`part` holds a group of settings whose keys are written without the group's name; any other dataclass inside is reached
with a dot (`shape.width`). A subclass that only changes a default writes `field: int = 3` and keeps the rest. Specs,
`mingpai train --set` and the web read `key=value` here, and agents check here what they were given.
"""

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast, get_args, get_origin

from mingpai.core.errors import BadSetting

Kind = Literal["number", "switch", "choice", "text", "path", "model"]
"""What a value is. A path names files of this machine; a model is named, or is the path of a model folder."""

TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
"""Spellings of a switch, in any case."""

PRESET = "preset"
"""The key that names settings to start from."""

UNBOUNDED = (-math.inf, math.inf)
T = TypeVar("T")
_KEY = "mingpai"


@dataclass(frozen=True)
class _Rule:
    help: str = ""
    within: tuple[float, float] = UNBOUNDED
    kind: Literal["text", "path", "model"] = "text"
    web: float | tuple[str, ...] | None = None
    is_part: bool = False


def setting(
    default: T,
    help: str,
    within: tuple[float, float] = UNBOUNDED,
    *,
    kind: Literal["text", "path", "model"] = "text",
    web: float | tuple[str, ...] | None = None,
) -> T:
    """Declares a field: its help, and the least and the greatest number it may be. `kind` says what a string is;
    numbers, switches and choices are known by their type.

    `web` is what a stranger's request may ask for: the greatest number, or the texts that may be named. Without it, a
    number or a text is not for strangers; switches and choices always are.
    """
    return dataclasses.field(default=default, metadata={_KEY: _Rule(help, within, kind, web)})


def part(default: T) -> T:
    """Declares a field that is a group of settings; its keys are written as if they stood here."""
    return dataclasses.field(default=default, metadata={_KEY: _Rule(is_part=True)})


@dataclass(frozen=True)
class Option:
    """One setting as a user writes it."""

    key: str
    attributes: tuple[str, ...]
    """Where it is found in the settings."""
    kind: Kind
    default: Any
    help: str = ""
    is_whole: bool = False
    """Whether a number is whole."""
    may_be_none: bool = False
    """Whether `none` is a value."""
    least: float = -math.inf
    most: float = math.inf
    choices: tuple[str, ...] = ()
    web: float | tuple[str, ...] | None = None

    @property
    def expected(self) -> str:
        """What a value has to be, in words."""
        if self.kind == "number":
            return ("a whole number" if self.is_whole else "a number") + self.range
        if self.kind == "switch":
            return "true or false"
        if self.kind == "choice":
            return f"one of {', '.join(self.choices)}"
        return {"text": "a text", "path": "a path", "model": "the name of a model or the path of its folder"}[self.kind]

    @property
    def range(self) -> str:
        """The bounds of a number, in words; empty if it has none."""
        least, most = (f"{bound:g}" if isinstance(bound, float) else str(bound) for bound in (self.least, self.most))
        if math.isfinite(self.least) and math.isfinite(self.most):
            return f" from {least} to {most}"
        if math.isfinite(self.least):
            return f" of at least {least}"
        return f" of at most {most}" if math.isfinite(self.most) else ""

    def read(self, text: str, owner: str) -> Any:
        """The value that a text means. Raises BadSetting."""
        value = self._value(text.strip())
        if value is _UNREADABLE or not self.allows(value):
            raise BadSetting(f"{owner}{self.key}", text, self.expected)
        return value

    def allows(self, value: Any) -> bool:
        """Whether a value is within the bounds."""
        if value is None:
            return self.may_be_none
        if self.kind == "number":
            return math.isfinite(value) and self.least <= value <= self.most
        return self.kind != "choice" or value in self.choices

    def for_strangers(self) -> "Option | None":
        """The same with the bounds of a stranger's request; None if strangers may not set it."""
        if self.kind in ("switch", "choice"):
            return self
        if self.kind == "number":
            return None if self.web is None else dataclasses.replace(self, most=cast(float, self.web))
        texts = cast(tuple[str, ...], self.web or ())
        return dataclasses.replace(self, kind="choice", choices=texts) if texts else None

    def to_json(self) -> dict[str, object]:
        """JSON-ready: what a form or a reader needs."""
        bounds = {name: value for name, value in (("least", self.least), ("most", self.most)) if math.isfinite(value)}
        listed = {"choices": list(self.choices)} if self.choices else {}
        return {"key": self.key, "kind": self.kind, "default": self.default, "help": self.help, **bounds, **listed}

    def _value(self, text: str) -> Any:
        if self.may_be_none and text.lower() == "none":
            return None
        if self.kind == "switch":
            return text.lower() in TRUE if text.lower() in TRUE + FALSE else _UNREADABLE
        return self._number(text) if self.kind == "number" else text

    def _number(self, text: str) -> Any:
        try:
            return int(text) if self.is_whole else float(text)
        except ValueError:
            pass
        try:
            value = float(text)  # a whole number may be written 2e6
        except ValueError:
            return _UNREADABLE
        return int(value) if self.is_whole and value.is_integer() else _UNREADABLE


_UNREADABLE = object()


def options_of(kind: type[Any]) -> Mapping[str, Option]:
    """The settings of a class by the key they are written with, in the order of their declaration."""
    if kind not in _KNOWN:
        options: dict[str, Option] = {}
        for option in _walk(kind, kind(), (), ""):
            assert option.key not in options, f"{kind.__name__} declares {option.key} twice"
            options[option.key] = option
        _KNOWN[kind] = types.MappingProxyType(options)
    return _KNOWN[kind]


_KNOWN: dict[type[Any], Mapping[str, Option]] = {}


def for_strangers(kind: type[Any]) -> Mapping[str, Option]:
    """What a stranger's request may set, with its bounds: never a file of this machine, never unbounded work."""
    narrowed = {key: option.for_strangers() for key, option in options_of(kind).items()}
    return {key: option for key, option in narrowed.items() if option is not None}


def read_settings(
    kind: type[T],
    texts: Mapping[str, str],
    owner: str = "",
    *,
    presets: Mapping[str, Mapping[str, Any]] | None = None,
    is_stranger: bool = False,
) -> T:
    """Settings from the defaults, then a preset, then texts by key. `owner` stands before a key in errors."""
    options = for_strangers(kind) if is_stranger else options_of(kind)
    values: dict[str, Any] = {}
    for key, text in sorted(texts.items(), key=lambda item: item[0] != PRESET):
        if key == PRESET and presets:
            values.update(_preset(presets, text, owner))
        elif key in options:
            values[key] = options[key].read(text, owner)
        else:
            known = [*sorted(options), *([PRESET] if presets else [])]
            here = " here" if key in options_of(kind) else ""
            raise BadSetting(f"{owner}{key}", text, f"one of {', '.join(known) or 'no options'}{here}")
    return with_values(kind(), values)


def _preset(presets: Mapping[str, Mapping[str, Any]], name: str, owner: str) -> Mapping[str, Any]:
    if name not in presets:
        raise BadSetting(f"{owner}{PRESET}", name, f"one of {', '.join(presets)}")
    return presets[name]


def with_values(settings: T, values: Mapping[str, Any]) -> T:
    """The settings with other values by key."""
    options = options_of(type(settings))
    for key, value in values.items():
        settings = _replaced(settings, options[key].attributes, value)
    return settings


def check(settings: Any, owner: str = "") -> None:
    """Raises BadSetting for a value out of its bounds."""
    for key, option in options_of(type(settings)).items():
        value = functools.reduce(getattr, option.attributes, settings)
        if not option.allows(value):
            raise BadSetting(f"{owner}{key}", value, option.expected)


def _replaced(settings: Any, attributes: tuple[str, ...], value: Any) -> Any:
    name, rest = attributes[0], attributes[1:]
    inner = _replaced(getattr(settings, name), rest, value) if rest else value
    return dataclasses.replace(settings, **{name: inner})


def _walk(kind: type, defaults: Any, above: tuple[str, ...], prefix: str) -> Iterable[Option]:
    hints = typing.get_type_hints(kind)
    for field in dataclasses.fields(kind):
        rule, default, attributes = _rule(kind, field.name), getattr(defaults, field.name), (*above, field.name)
        if dataclasses.is_dataclass(default):
            yield from _walk(type(default), default, attributes, prefix if rule.is_part else f"{prefix}{field.name}.")
        else:
            yield _option(prefix + field.name, attributes, hints[field.name], default, rule)


def _option(key: str, attributes: tuple[str, ...], hint: Any, default: Any, rule: _Rule) -> Option:
    inner = [one for one in get_args(hint) if one is not type(None)]
    may_be_none = get_origin(hint) in (typing.Union, types.UnionType) and len(inner) < len(get_args(hint))
    hint = inner[0] if may_be_none else hint
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    kind: Kind = "choice" if choices else "switch" if hint is bool else "number" if hint in (int, float) else rule.kind
    return Option(key, attributes, kind, default, rule.help, hint is int, may_be_none, *rule.within, choices,
                  rule.web)  # fmt: skip


def _rule(kind: type, name: str) -> _Rule:
    """How a field was declared: by the class itself or by the nearest one above."""
    for one in kind.__mro__:
        field = one.__dict__.get("__dataclass_fields__", {}).get(name)
        if field is not None and _KEY in field.metadata:
            return cast(_Rule, field.metadata[_KEY])
    return _Rule()
