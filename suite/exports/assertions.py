"""promptfoo's assertions as clauses of a key. Pure.

What has an exact counterpart here is taken, and what has none is told. Two things differ: our matching never looks at
upper and lower case, and what must not be said counts only where a sentence asserts it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

_MARKS: Final = r"[\s*#`>_~-]*"
Fill = Callable[[str], str]
"""Puts the values of a test's variables into a text. Raises NoMatch when it cannot."""


class NoMatch(Exception):
    """It has no counterpart; the text says what."""


class Clauses(Struct):
    """What an answer must have and must not have, and what was left out, each with why."""

    find: list[Any] = field(default_factory=list)
    avoid: list[Any] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def clauses_of(assertions: Iterable[Any], templates: Mapping[str, Any], fill: Fill) -> Clauses:
    """The clauses of a test's assertions. `templates` are those that `$ref` may name."""
    found = Clauses()
    for one in assertions:
        try:
            _take(_resolved(one, templates), templates, fill, found)
        except NoMatch as why:
            found.left.append(str(why))
    return found


def _resolved(one: Any, templates: Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(one, Mapping) and isinstance(one.get("$ref"), str):
        name = one["$ref"].rpartition("/")[2]
        if name not in templates:
            raise NoMatch(f"there is no template {name}")
        one = templates[name]
    if not isinstance(one, Mapping) or not isinstance(one.get("type"), str):
        raise NoMatch("an assertion without a type")
    return one


def _take(one: Mapping[str, Any], templates: Mapping[str, Any], fill: Fill, found: Clauses) -> None:
    kind = one["type"].strip()
    if kind == "assert-set":
        if one.get("threshold") is not None:
            raise NoMatch("assert-set with a threshold")
        inner = clauses_of(one.get("assert") or (), templates, fill)
        found.find += inner.find
        found.avoid += inner.avoid
        found.left += inner.left
        return
    if one.get("transform") or one.get("weight") == 0:
        raise NoMatch(f"{kind} with {'a transform' if one.get('transform') else 'weight 0'}")
    denied, plain = kind.startswith("not-"), kind.removeprefix("not-")
    if plain not in _KINDS or kind in _NEVER:
        raise NoMatch(kind)
    clauses = _KINDS[plain](_values(one.get("value"), kind, plain, fill))
    (found.avoid if denied else found.find).extend(clauses)


def _values(said: Any, kind: str, plain: str, fill: Fill) -> list[str]:
    """The texts that it is about; those of the kinds for several may be parted by commas."""
    several = plain.endswith(("-any", "-all"))
    if isinstance(said, list) and several:
        values = [_text(one, kind) for one in said]
    elif several:
        values = _text(said, kind).split(",")
    else:
        values = [_text(said, kind)]
    filled = [fill(value).strip() if several else fill(value) for value in values]
    filled = [value for value in filled if value.strip()]
    if not filled:
        raise NoMatch(f"{kind} without a value")
    return filled


def _text(said: Any, kind: str) -> str:
    if isinstance(said, bool) or not isinstance(said, str | int | float):
        raise NoMatch(f"{kind} with a value that is no text")
    text = str(said)
    if text.startswith(("file://", "package:")):
        raise NoMatch(f"{kind} with a value in a file")
    return text


def _contains(values: Sequence[str]) -> list[Any]:
    return [values[0].lower()]


def _any(values: Sequence[str]) -> list[Any]:
    return [{"any_of": [value.lower() for value in values]}]


def _all(values: Sequence[str]) -> list[Any]:
    return [value.lower() for value in values]


def _equals(values: Sequence[str]) -> list[Any]:
    """The first line that says something is this, whatever follows: a model that explains itself is not wrong."""
    lines = [line.strip() for line in values[0].strip().lower().splitlines()]
    text = r"\s*\n\s*".join(re.escape(line) for line in lines)
    return [{"regex": rf"\A{_MARKS}{text}{_MARKS}(?:\n|\Z)", "label": f"= {_short(values[0])}"}]


def _starts_with(values: Sequence[str]) -> list[Any]:
    return [{"regex": rf"\A{_MARKS}{re.escape(values[0].strip().lower())}", "label": f"begins {_short(values[0])}"}]


def _regex(values: Sequence[str]) -> list[Any]:
    """Patterns are JavaScript's, and what they meet here is in lower case."""
    pattern = re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", values[0])
    try:
        re.compile(f"(?i:{pattern})")
    except (re.error, RecursionError, OverflowError) as error:
        raise NoMatch(f"regex {_short(values[0])}, which cannot be read here ({error})") from None
    return [{"regex": f"(?i:{pattern})", "label": _short(values[0])}]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."


_KINDS: Final[Mapping[str, Callable[[Sequence[str]], list[Any]]]] = {
    "contains": _contains,
    "icontains": _contains,
    "contains-any": _any,
    "icontains-any": _any,
    "contains-all": _all,
    "icontains-all": _all,
    "equals": _equals,
    "starts-with": _starts_with,
    "regex": _regex,
}
_NEVER: Final = frozenset({"not-contains-all", "not-icontains-all"})
"""That not all of several are said is no clause: each of them alone may be."""
