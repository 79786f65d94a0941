"""A planted change as a pair of drafts: the bug, and its control, which is the same code as it was. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from gateway.canon.kinds import TaskShape
from suite.drafts import Draft, bug_key, control_key, numbered
from suite.seeding.pick import Choice, part_name
from suite.seeding.site import TOKEN_KINDS

_WORDS: Final = {
    "compare": "a comparison",
    "boolop": "an and or an or",
    "return-bool": "a returned True or False",
    "not": "a missing not",
    "number": "a small number",
    "args": "two arguments in the wrong order",
    "off-by-one": "a bound that is off by one",
    "break-continue": "a break or a continue",
    "remove-call": "a line that is gone",
    "augassign": "the operator of an augmented assignment",
}
_ANSWER: Final = (
    "Answer in plain ASCII. The first line is exactly `FAULT: line N`, where N is the number printed before the "
    "changed line, or exactly `NO FAULT`. After it write at most three sentences that say why."
)
_GONE: Final = " If a line was removed, give the number of the line before or after the place where it stood."


def draft_pair(
    choice: Choice, kinds: Sequence[str], *, language: str, hard: bool, licence: str = ""
) -> tuple[Draft, Draft]:
    """(bug, control). The words depend on the run's kinds alone, never on the change: they cannot give it away."""
    name = part_name(choice.source, choice.part, hard=hard)
    slug = f"seeded-{'hard-' if hard else ''}{_slug(name)}"
    prompt = _prompt(kinds, hard=hard)
    first, last = choice.part.first, choice.part.last
    shift = -1 if choice.site.deletes else 0
    original = _cut(choice.source.text, first, last)
    changed = _cut(choice.planted.source, first, last + shift)
    lines = tuple(line for line in choice.planted.lines if first <= line <= last + shift)
    why = f"{choice.site.kind} at line {choice.site.line}: `{choice.planted.before.strip()}` became " + (
        f"`{choice.planted.after.strip()}`." if choice.planted.after else "nothing."
    )

    def draft(end: str, text: str, *, control: bool) -> Draft:
        return Draft(
            slug=f"{slug}-{end}",
            title=f"{'Nothing planted' if control else 'A planted change'} in {name}"[:200],
            shape=TaskShape.SEEDED,
            prompt=prompt,
            key=control_key() if control else bug_key(lines),
            attachments=[{"name": choice.source.name, "text": numbered(text, first)}],
            why="The code as it was." if control else why,
            origin="seeded",
            language=language,
            mutation="" if control else choice.site.kind,
            pair=f"{slug}-{'bug' if control else 'control'}",
            control=control,
            source=name[:300],
            licence=licence,
        )

    return draft("bug", changed, control=False), draft("control", original, control=True)


def _prompt(kinds: Sequence[str], *, hard: bool) -> str:
    what = "file" if hard else "function"
    tokens = set(kinds) <= set(TOKEN_KINDS)
    change = "one token of it was changed" if tokens else "one small change was made to it"
    told = "" if hard else f" A change would be to {', or to '.join(_WORDS[kind] for kind in kinds)}."
    gone = _GONE if "remove-call" in kinds else ""
    return (
        f"The {what} below is either exactly as its authors wrote and use it, or {change} that makes it do something "
        f"else. Both are equally likely.{told} Style, names and missing features are no faults here; code that is not "
        f"shown does what its name says.\n\nSay whether it was changed, and where. {_ANSWER}{gone}"
    )


def _cut(source: str, first: int, last: int) -> str:
    return "\n".join(source.splitlines()[first - 1 : last])


def _slug(name: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower().replace("__init__", "init")).strip("-")
    return plain[-40:].strip("-")
