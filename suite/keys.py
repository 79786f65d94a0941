"""The key of a task: what an answer must find, what it must not claim, and how it is read. Pure.

The form is that of `task.json`, so that tasks written for the original can be read:

    must_find            clauses, each found or missed
    must_not_claim       clauses that are false of what was shown
    must_not_claim_in    "table": only in lines that begin with |; "first_line"; empty: as `score_in`
    score_in             "first_line": only the first line of the answer counts; empty: all of it
    min_answer_chars     the fewest characters of an answer, 40 unless said
    format               {table, min_rows, min_chars, must_not_contain}, judged apart
    lines                the numbers of the lines at which a hunt may point

A clause is text, {"any_of": [texts]} or {"regex": pattern, "label": text}. Matching is on lower-case text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, field

LEAST_CHARACTERS: Final = 40
_SHOWN: Final = 300
FIRST_LINE: Final = "first_line"
TABLE: Final = "table"
Part = Literal["", "first_line", "table"]


class BadKey(Exception):
    """The key cannot be used; the text is a sentence for whoever writes tasks."""


class Clause(Struct, frozen=True, forbid_unknown_fields=True):
    """Spellings of one thing, or a pattern. `label` is what it is called in a score."""

    any_of: tuple[str, ...] = ()
    regex: str = ""
    label: str = ""

    @property
    def name(self) -> str:
        return self.label or (self.any_of[0] if self.any_of else self.regex)


class Format(Struct, frozen=True, forbid_unknown_fields=True):
    """How an answer must look. `min_rows` counts the rows of a table, head and rule among them."""

    table: bool = False
    min_rows: int = 2
    min_chars: int = 0
    must_not_contain: tuple[str, ...] = ()


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """See the module."""

    must_find: tuple[Clause, ...] = ()
    must_not_claim: tuple[Clause, ...] = ()
    must_not_claim_in: Part = ""
    score_in: Literal["", "first_line"] = ""
    min_answer_chars: int = LEAST_CHARACTERS
    format: Format | None = None
    lines: tuple[int, ...] = field(default_factory=tuple)

    @property
    def claims_in(self) -> Part:
        """Where claims are looked for."""
        return self.must_not_claim_in or self.score_in


def read_key(said: Mapping[str, Any]) -> Key:
    """The key.

    :raises BadKey: it has a field or a value that no key has.
    """
    clauses = {name: _clauses(said.get(name), name) for name in ("must_find", "must_not_claim")}
    try:
        key = msgspec.convert({**said, **clauses}, Key)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # half a character is no text
        raise BadKey(f"The key cannot be used: {str(error)[:_SHOWN]}.") from None
    if not key.must_find and not key.must_not_claim:
        raise BadKey("The key has nothing to find and nothing that must not be claimed.")
    if key.min_answer_chars < 1:
        raise BadKey("min_answer_chars is a whole number above 0.")
    return key


def _clauses(said: Any, where: str) -> list[Clause]:
    if said is not None and not isinstance(said, list | tuple):
        raise BadKey(f"{where} is a list of clauses.")
    return [_clause(one, where) for one in said or ()]


def _clause(said: Any, where: str) -> Clause:
    try:
        clause = Clause(any_of=(said,)) if isinstance(said, str) else msgspec.convert(said, Clause)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise BadKey(f"A clause of {where} cannot be used: {str(error)[:_SHOWN]}.") from None
    if bool(clause.regex) == bool(clause.any_of) or not all(one.strip() for one in clause.any_of):
        raise BadKey(f"A clause of {where} is text, any_of with texts, or a regex with its label.")
    try:
        re.compile(clause.regex)
    except (re.error, RecursionError, OverflowError) as error:
        raise BadKey(f"The regex {clause.regex[:_SHOWN]!r} of {where} cannot be read: {error}.") from None
    if clause.regex and not clause.label:
        raise BadKey(f"The regex {clause.regex[:_SHOWN]!r} of {where} needs a label.")
    return msgspec.structs.replace(clause, any_of=tuple(one.lower() for one in clause.any_of))


def digest_of(prompt: str, attachments: Sequence[Mapping[str, str]], key: Mapping[str, Any]) -> str:
    """SHA-256 in hex of all that makes a version, in one fixed form: names and texts of attachments in order, the key
    with its fields sorted."""
    shown = [[one["name"], one["text"]] for one in attachments]
    form = msgspec.json.encode([prompt.strip(), shown, key], order="deterministic")
    return hashlib.sha256(form).hexdigest()


def whole_prompt(prompt: str, attachments: Sequence[Mapping[str, str]]) -> str:
    """What a model is sent: the prompt, and each file under a line that names it."""
    files = [f"===== FILE: {one['name']} =====\n{one['text']}" for one in attachments]
    return "\n\n".join([prompt.strip(), *files])
