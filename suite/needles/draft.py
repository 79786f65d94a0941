"""Needles as tasks: one for each size and depth. Pure but for the files that are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from gateway.canon.kinds import TaskShape
from suite.drafts import Draft
from suite.needles import context
from suite.needles.draw import Haystack, Needle, TooLittle

LEAST_TOKENS: Final = 2_000
CONTAMINATION: Final = "The code is public, so a model may know it by heart: a high score proves little."


class Order(Struct, frozen=True):
    """`sizes` in tokens of the whole question, `positions` how many depths, `packages` with their releases."""

    packages: dict[str, str]
    sizes: tuple[int, ...]
    positions: int
    seed: int = 0
    licence: str = ""


def drafts(haystack: Haystack, order: Order) -> list[Draft]:
    """By size, then by depth. Position i of k stands at (i + 0.5) / k and has the same needle in every size.

    :raises TooLittle: the packages do not hold enough code, or enough functions that can be told from all others.
    """
    needles = haystack.needles(order.seed, order.positions)
    return [_draft(haystack, order, tokens, at, needle) for tokens in order.sizes for at, needle in enumerate(needles)]


def size_name(tokens: int) -> str:
    """16000 as 16k."""
    return f"{tokens // 1000}k" if tokens % 1000 == 0 else str(tokens)


def _draft(haystack: Haystack, order: Order, tokens: int, at: int, needle: Needle) -> Draft:
    depth = (at + 0.5) / order.positions
    prompt = _prompt(needle)
    recipe = _recipe(haystack, order, tokens, depth, needle, prompt)
    name, packages = needle.function.name, "-".join(order.packages)
    slug = f"needle-{packages[:30]}-{size_name(tokens)}-{at + 1}of{order.positions}-s{order.seed}"
    return Draft(
        slug=slug.replace("_", "-"),
        title=f"The described function in {size_name(tokens)} tokens of {', '.join(order.packages)}, {depth:.0%} deep",
        shape=TaskShape.NEEDLE,
        prompt=prompt,
        key=key(needle.function.bare, name),
        attachments=[recipe.attached()],
        why=f"{name} at {needle.function.file}:{needle.function.first} is the only function of "
        f"{', '.join(order.packages)} that all of the description is true of.",
        origin="seeded",
        language="python",
        source=f"{needle.function.file}::{name}",
        licence=order.licence,
        contamination=CONTAMINATION,
    )


def key(bare: str, name: str) -> dict[str, Any]:
    """The first line is the name, with what it stands in before it or brackets behind it, and names no other."""
    lead = r"(?:(?:the )?(?:function|method|answer|name|it)(?:'s name)?(?: is)?\W{0,3})?"
    pattern = rf"^{lead}(?:[\w/-]+(?:::|[.:]))*_*{re.escape(bare)}_*(?:\([^()]*\))?[.!]?$"
    return {
        "must_find": [{"regex": pattern, "label": name}],
        "score_in": "first_line",
        "min_answer_chars": 2,
    }


def _recipe(haystack: Haystack, order: Order, tokens: int, depth: float, needle: Needle, prompt: str) -> context.Recipe:
    one, sources = needle.function, haystack.sources
    lines = sources[one.file].text.splitlines()
    body = "\n".join(lines[one.first - 1 : one.last])
    room = context.room(tokens, depth, prompt, body)
    lengths = {name: len(source.text) for name, source in sources.items()}
    # The needle's own file counts for nothing here: too many files are no harm, the text is cut to its room.
    before = context.reaching(needle.around[0::2], lengths, room[0])
    after = context.reaching(needle.around[1::2], lengths, room[1])
    if tokens < LEAST_TOKENS or min(room) < 0:
        raise TooLittle(f"{tokens} tokens are too few to hide a function in; {LEAST_TOKENS:,} are the least.")
    if before is None or after is None:
        raise TooLittle(f"{', '.join(order.packages)} hold too little code for {tokens:,} tokens; name more packages.")
    recipe = context.Recipe(
        tokens, depth, order.packages, before, one.file, one.first, one.last, after, room, digest=""
    )
    text = context.code(recipe, lambda name: sources[name].text)
    return msgspec.structs.replace(recipe, digest=context.digest(text))


def _prompt(needle: Needle) -> str:
    facts = "\n".join(f"- {fact}" for fact in needle.description)
    return (
        "Below is much code in Python. Exactly one function or method in it fits all of this:\n\n"
        f"{facts}\n\n"
        "What stands in functions that are defined inside of it does not count for it, and a comprehension is no loop. "
        "Which function is it? Answer with its name alone on the first line: no path, no brackets, no other word. "
        "After it you may say in a sentence where it stands."
    )


def sizes_of(words: Sequence[str]) -> tuple[int, ...]:
    """Sizes as people write them: 16k, 64000.

    :raises ValueError: a word that is none.
    """
    found = []
    for word in words:
        number, many = word.strip().lower(), 1
        if number.endswith("k"):
            number, many = number[:-1], 1000
        if not number.isdigit() or not int(number):
            raise ValueError(f"{word!r} is no size; write such as 16k.")
        found.append(int(number) * many)
    return tuple(found)
