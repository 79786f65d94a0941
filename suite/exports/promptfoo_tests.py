"""Tests of promptfoo as drafts: each test with each prompt is a task. Reads YAML or JSON, and files that these name
below their own folder; runs nothing that they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct

from gateway.canon.kinds import TaskShape
from suite.drafts import Draft
from suite.exports.assertions import Clauses, NoMatch, clauses_of
from suite.keys import BadKey, read_key

LARGEST: Final = 20_000_000
_VARIABLE: Final = re.compile(r"\{\{-?\s*([A-Za-z_][\w.]*)\s*-?\}\}")
_MORE: Final = re.compile(r"\{\{|\{%|\{#")
_DATA: Final = (".yaml", ".yml", ".json")
_NOTE: Final = (
    "From {source}. What it asks for is matched here without regard to upper and lower case, and what must not be said "
    "counts only where a sentence asserts it."
)


class BadFile(Exception):
    """It holds no tests of promptfoo; the text says why."""


class Came(Struct, frozen=True):
    """A test: the draft, null where none could be made, and what was left out, each with why."""

    name: str
    draft: Draft | None
    left: list[str]


def read_tests(file: Path) -> Iterator[Came]:
    """Every test with every prompt, in order.

    :raises BadFile: the file cannot be read, or has no prompts or tests.
    """
    said = _load(file)
    if isinstance(said, list):
        said = {"tests": said, "prompts": ["{{prompt}}"]}
    if not isinstance(said, dict):
        raise BadFile(f"{file} is neither a configuration of promptfoo nor a list of its tests.")
    shared = _Shared(_part(said, "defaultTest", file), _part(said, "assertionTemplates", file))
    prompts = list(_prompts(said.get("prompts"), file.parent))
    tests = list(_tests(said.get("tests"), file.parent))
    if not prompts or not tests:
        raise BadFile(f"{file} has no {'tests' if prompts else 'prompts'} that are written in it or beside it.")
    stem = re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")[:50] or "tests"
    for number, test in enumerate(tests, 1):
        for place, (label, prompt) in enumerate(prompts, 1):
            if label not in (_object(test).get("prompts") or (label,)):
                continue
            slug = f"promptfoo-{stem}-{number}" + (f"-{place}" if len(prompts) > 1 else "")
            if isinstance(prompt, NoMatch):
                yield Came(slug, None, [f"prompt {label}: {prompt}"])
            else:
                yield _came(slug, f"{file.name}, test {number}", prompt, test, shared)
    if said.get("scenarios"):
        yield Came("scenarios", None, ["tests are taken from `tests` alone"])


class _Shared(Struct, frozen=True):
    """What a file says for all of its tests."""

    default: Mapping[str, Any]
    templates: Mapping[str, Any]


def _part(said: Mapping[str, Any], name: str, file: Path) -> Mapping[str, Any]:
    part = said.get(name)
    if part is not None and not isinstance(part, Mapping):
        raise BadFile(f"{file}: {name} is not written in it; write it there, or leave it out.")
    return part or {}


def _came(slug: str, source: str, prompt: str, test: Any, shared: _Shared) -> Came:
    if not isinstance(test, Mapping):
        return Came(slug, None, [str(test) if isinstance(test, NoMatch) else "it is no object"])
    default = shared.default
    options = {**_object(default.get("options")), **_object(test.get("options"))}
    odd = [name for name in ("transform", "postprocess", "prefix", "suffix", "transformVars") if options.get(name)]
    odd += [name for name in ("assertScoringFunction", "threshold", "providerOutput") if test.get(name) is not None]
    if odd:
        return Came(slug, None, [f"it has {name}" for name in odd])
    values = {**_object(default.get("vars")), **_object(test.get("vars"))}
    given = [] if options.get("disableDefaultAsserts") else default.get("assert") or []
    clauses = clauses_of([*given, *(test.get("assert") or [])], shared.templates, lambda text: _filled(text, values))
    try:
        return Came(slug, _draft(slug, source, _filled(prompt, values), test, clauses), clauses.left)
    except (NoMatch, BadKey) as why:
        return Came(slug, None, [*clauses.left, str(why)])


def _draft(slug: str, source: str, prompt: str, test: Mapping[str, Any], clauses: Clauses) -> Draft:
    if not clauses.find and not clauses.avoid:
        raise NoMatch("nothing of it can be checked here")
    key = {"must_find": clauses.find, "must_not_claim": clauses.avoid, "min_answer_chars": 1}
    key = {name: value for name, value in key.items() if value}
    read_key(key)
    left = f" Left out: {'; '.join(clauses.left)}." if clauses.left else ""
    return Draft(
        slug=slug,
        title=str(test.get("description") or " ".join(prompt.split())[:80]),
        shape=TaskShape.FINDING,
        prompt=prompt,
        key=key,
        why=_NOTE.format(source=source) + left,
        origin="promptfoo",
        source=source,
    )


def _filled(text: str, values: Mapping[str, Any]) -> str:
    """The text with the values of variables in their places."""

    def value(found: re.Match[str]) -> str:
        known: Any = values
        for part in found[1].split("."):
            if not isinstance(known, Mapping) or part not in known:
                raise NoMatch(f"the variable {found[1]} has no value")
            known = known[part]
        if isinstance(known, list | dict | None):
            raise NoMatch(f"the variable {found[1]} is no text")
        if isinstance(known, str) and known.startswith("file://"):
            raise NoMatch(f"the variable {found[1]} is in a file")
        return str(known).lower() if isinstance(known, bool) else str(known)

    if _MORE.search(_VARIABLE.sub("", text)):
        raise NoMatch("a template that does more than name variables")
    return _VARIABLE.sub(value, text)


def _prompts(said: Any, folder: Path) -> Iterator[tuple[str, str | NoMatch]]:
    """(label, text or why there is none) of each. A file may hold several, parted by lines of three dashes."""
    for number, one in enumerate([said] if isinstance(said, str) else said or (), 1):
        label = str(one.get("label") or one.get("id") or number) if isinstance(one, Mapping) else str(number)
        raw = (one.get("raw") or one.get("id")) if isinstance(one, Mapping) else one
        if not isinstance(raw, str):
            yield label, NoMatch("it is no text")
        elif raw.startswith("file://") or (raw.endswith((".txt", ".md")) and "\n" not in raw and "{{" not in raw):
            file = _inside(folder, raw)
            if file is None or file.suffix not in (".txt", ".md"):
                yield label, NoMatch("it is no text beside the file")
                continue
            yield from (
                (label, part.strip()) for part in re.split(r"^---\s*$", _text(file), flags=re.M) if part.strip()
            )
        elif raw.lstrip().startswith(("[{", "[\n")):
            yield label, NoMatch("it is a conversation")
        else:
            yield label, raw


def _tests(said: Any, folder: Path) -> Iterator[Any]:
    """Each as it is written, here or in the YAML and JSON files that are named; a NoMatch for what is elsewhere."""
    for one in [said] if isinstance(said, str | Mapping) else said or ():
        if isinstance(one, Mapping) and isinstance(one.get("path"), str) and "assert" not in one:
            yield NoMatch("it is made by a program")
        elif isinstance(one, str):
            file = _inside(folder, one)
            if file is None or file.suffix not in _DATA:
                yield NoMatch(f"{one} is no YAML or JSON beside the file")
                continue
            inner = _load(file)
            yield from inner if isinstance(inner, list) else [inner]
        else:
            yield one


def _inside(folder: Path, name: str) -> Path | None:
    """The file that is named, when it is there and below the folder."""
    try:
        file = (folder / name.removeprefix("file://")).resolve()
        return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # no name that a file can have
        return None


def _load(file: Path) -> Any:
    try:
        return yaml.safe_load(_text(file))
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # a number of 5,000 digits is no YAMLError
        raise BadFile(f"{file} cannot be read: {error}.") from None


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST:
            raise BadFile(f"{file} is larger than {LARGEST // 1_000_000} MB.")
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{file} cannot be read: {error}.") from None


def _object(said: Any) -> Mapping[str, Any]:
    return said if isinstance(said, Mapping) else {}
